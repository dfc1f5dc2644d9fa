"""Runs of the fuzzer in processes that may hang, crash or grow: they are watched, ended, and begun again.

A worker makes one run after another. Where a run takes too long, compiled code included, Python's own watchdog writes
down where it is and ends the process; the run at which a process has ended is a finding.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TextIO

from _fuzz_cases import Case, case_of
from _fuzz_inputs import Inputs
from _fuzz_run import MOST_BYTES, MOST_SECONDS, Bench, Outcome

_AT_ONCE = 100  # seeds that a worker is given
_MOST_RUNS = 10_000  # of a process, which then makes room for another
_PATIENCE = 3  # times as many seconds as a run may take have passed: its process is ended


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: Connection
    folder: Path
    seeds: deque[int]
    n_runs: int = 0

    def give(self, seeds: Sequence[int]) -> None:
        self.seeds.extend(seeds)
        self.pipe.send(list(seeds))

    def end(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def outcomes(inputs: Inputs, seeds: Sequence[int], n_jobs: int) -> Iterator[Outcome]:
    """What comes of the runs with these seeds, in the order in which they end."""
    waiting = deque(seeds[start : start + _AT_ONCE] for start in range(0, len(seeds), _AT_ONCE))
    workers: list[_Worker] = []
    try:
        while waiting or any(one.seeds for one in workers):
            while waiting and len(workers) < n_jobs:
                workers.append(_begun(inputs))
                workers[-1].give(waiting.popleft())
            ready = wait([one.pipe for one in workers])
            for worker in [one for one in workers if one.pipe in ready]:
                outcome = _next_of(worker, inputs)
                yield outcome
                worker.n_runs += 1
                if outcome.code == -2 and worker.seeds:
                    waiting.appendleft(list(worker.seeds))
                if outcome.code == -2 or (not worker.seeds and worker.n_runs >= _MOST_RUNS):
                    worker.end()
                    workers.remove(worker)
                elif not worker.seeds and waiting:
                    worker.give(waiting.popleft())
    finally:
        for worker in workers:
            worker.end()


def _next_of(worker: _Worker, inputs: Inputs) -> Outcome:
    """The outcome of the worker's next seed; with the code -2 where the process has ended instead."""
    seed = worker.seeds.popleft()
    try:
        found = worker.pipe.recv()
        assert isinstance(found, Outcome)
        assert found.seed == seed
        return found
    except EOFError:
        worker.process.join()
        case = case_of(seed, inputs)
        where = (worker.folder / "watchdog").read_text(encoding="utf-8", errors="replace")
        what = "hang" if "Timeout" in where else f"the process ended ({worker.process.exitcode})"
        return Outcome(seed, case.kind, case.verb, -2, MOST_SECONDS * _PATIENCE, 0, f"{what}: {_first(where)}", where)


def _first(where: str) -> str:
    """The innermost frame of karat in what the watchdog wrote."""
    frames = [line.strip() for line in where.splitlines() if "/karat/" in line]
    return frames[0].rpartition("/karat/")[2] if frames else "?"


def _begun(inputs: Inputs) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    folder = Path(tempfile.mkdtemp(prefix="karat-fuzz-", dir=fast_folder()))
    process = context.Process(target=_work, args=(theirs, inputs, str(folder)), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, folder, deque())


def fast_folder() -> str | None:
    """A folder in memory, where there is one: runs write and restore files all the time."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


# ---- in the worker ---------------------------------------------------------------------------------------------------


def _work(pipe: Connection, inputs: Inputs, folder: str) -> None:
    os.environ.update({"OPENBLAS_NUM_THREADS": "1", "COLUMNS": "80", "NO_COLOR": "1", "HOME": folder})
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    (Path(folder) / "files").mkdir()
    bench = Bench(Path(folder) / "files", inputs)
    vars(multiprocessing.current_process())["_config"]["daemon"] = False  # `karat grid --jobs 2` starts processes
    with (Path(folder) / "watchdog").open("w", encoding="utf-8") as watchdog:
        while True:
            try:
                seeds = pipe.recv()
            except EOFError:
                return
            for seed in seeds:
                pipe.send(watched(bench, case_of(seed, inputs), watchdog))


def watched(bench: Bench, case: Case, watchdog: TextIO) -> Outcome:
    """What comes of a run, which ends the process if it takes too long."""
    limit_memory()
    watchdog.seek(0)
    watchdog.truncate()
    faulthandler.enable(watchdog)
    faulthandler.dump_traceback_later(MOST_SECONDS * _PATIENCE, exit=True, file=watchdog)
    try:
        return bench.run(case)
    finally:
        faulthandler.cancel_dump_traceback_later()


def limit_memory() -> None:
    """Let this process have as much more memory as a run may take; what asks for more gets a `MemoryError`."""
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text().splitlines()
        now = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))
        resource.setrlimit(resource.RLIMIT_DATA, (now + MOST_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
