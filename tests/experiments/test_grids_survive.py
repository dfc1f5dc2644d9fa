"""Grids that are killed, run twice at once, or run on a cluster of which a worker is killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.experiments.grid import Grid
from small_treebanks import small_treebank, small_treebanks

TIMES = ("train_seconds", "tag_seconds", "tokens_per_second", "peak_bytes")
SYSTEMS = ["perceptron:epochs=3", "hmm"]


@pytest.fixture
def banks(tmp_path: Path) -> list[str]:
    return small_treebanks(tmp_path)


def measured(grid: Grid) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.data.items() if name not in TIMES} for one in grid.cells]


def command(banks: list[str], folder: Path, *more: str) -> list[str]:
    systems = [part for one in SYSTEMS for part in ("--system", one)]
    return [sys.executable, "-m", "karat", "grid", *banks, "-o", str(folder), *systems, "--seeds", "4", "--json", *more]


def wait_until(holds: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def n_finished(folder: Path) -> int:
    return len(list((folder / "cells").glob("*.json"))) if folder.exists() else 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_grid_that_is_killed_goes_on_and_ends_as_if_it_had_not_been(
    banks: list[str], tmp_path: Path, jobs: str
) -> None:
    whole = karat.grid(banks, tmp_path / "whole", systems=SYSTEMS, seeds=4)
    folder = tmp_path / "killed"
    process = subprocess.Popen(
        command(banks, folder, "--jobs", jobs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: n_finished(folder) >= 8 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    n_before = n_finished(folder)
    assert 8 <= n_before < 48
    found = karat.grid(banks, folder, systems=SYSTEMS, seeds=4)
    assert (found.n_kept, found.n_run) == (n_before, 48 - n_before)
    assert measured(found) == measured(whole)
    outputs = [[Path(one.store.output(cell.key)).read_bytes() for cell in one.cells] for one in (found, whole)]
    assert outputs[0] == outputs[1]
    assert karat.grid(banks, folder, systems=SYSTEMS, seeds=4).n_run == 0


@pytest.mark.parametrize(("jobs", "n_signals"), [("1", 1), ("2", 1), ("2", 2)])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    banks: list[str], tmp_path: Path, jobs: str, n_signals: int
) -> None:
    folder = tmp_path / "grid"
    process = subprocess.Popen(
        command(banks, folder, "--jobs", jobs), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it is ignored where tests run in background
    )  # fmt: skip
    wait_until(lambda: n_finished(folder) >= 5)
    for _ in range(n_signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run the same command again" in said
    assert "Traceback" not in said
    n_said = len(json.loads(out)["cells"])
    assert 5 <= n_said <= n_finished(folder) <= n_said + 2  # what was being written when it was told to stop


def test_two_grids_into_one_folder_do_not_harm_each_other(banks: list[str], tmp_path: Path) -> None:
    whole = karat.grid(banks, tmp_path / "whole", systems=SYSTEMS, seeds=4)
    folder = tmp_path / "shared"
    both = [subprocess.Popen(command(banks, folder), stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [one.wait(120) for one in both] == [0, 0]
    assert measured(karat.grid(banks, folder, systems=SYSTEMS, seeds=4)) == measured(whole)


@pytest.mark.slow
def test_a_process_that_dies_fails_its_training_alone(banks: list[str], tmp_path: Path) -> None:
    """As for want of memory: a system that kills the process it runs in."""
    script = tmp_path / "deadly.py"
    script.write_text(
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "import karat\n"
        "from deadly_tagger import Deadly\n"
        "if __name__ == '__main__':\n"
        "    found = karat.grid(sys.argv[3:], sys.argv[2], systems=[Deadly('deadly'), 'hmm'], seeds=2, jobs=2)\n"
        "    print(len(found.cells), len(found.failures), {one.error for one in found.failures})\n"
    )
    (tmp_path / "deadly_tagger.py").write_text(
        "import os, signal\n"
        "from dataclasses import dataclass\n"
        "from karat.experiments.systems import GridSystem\n"
        "@dataclass(frozen=True)\n"
        "class Deadly(GridSystem):\n"
        "    name: str\n"
        "    identity = {'system': 'deadly'}\n"
        "    def trained(self, text, column, seed, log):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(tmp_path / "grid"), *banks],
        capture_output=True, text=True, timeout=170, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("12 12 {'the process was killed"), done.stdout + done.stderr


# ---- a cluster -------------------------------------------------------------------------------------------------------


@contextmanager
def cluster(folder: Path, n_workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and workers, as processes on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__USE_FILE_LOCKING": "False"}
    running = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with open(folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments], stdout=log, stderr=log, cwd=folder, env=environment
            )
        running.append(process)
        return process

    here = ("--host", "127.0.0.1", "--no-dashboard")
    try:
        start("scheduler", "distributed.cli.dask_scheduler", *here, "--port", str(port))
        workers = [
            start(
                f"worker{number}", "distributed.cli.dask_worker", address, *here, "--nthreads", "1", "--no-nanny",
                "--local-directory", str(folder / f"local{number}"),
            )
            for number in range(n_workers)
        ]  # fmt: skip
        yield address, workers
    finally:
        for process in running:
            process.kill()
            process.wait()


def _wait_for_workers(address: str, n_workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=60) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(n_workers, timeout=60)


def test_a_killed_worker_of_a_cluster_loses_nothing(banks: list[str], tmp_path: Path) -> None:
    whole = karat.grid(banks, tmp_path / "whole", systems=SYSTEMS, seeds=4)
    folder = tmp_path / "grid"
    with cluster(tmp_path, 2) as (address, workers):
        _wait_for_workers(address, 2)
        run = subprocess.Popen(
            command(banks, folder, "--scheduler", address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        wait_until(lambda: n_finished(folder) >= 6 or run.poll() is not None)
        workers[0].send_signal(signal.SIGKILL)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert '"failed": 0' in out
    assert n_finished(folder) == 48
    assert measured(karat.grid(banks, folder, systems=SYSTEMS, seeds=4)) == measured(whole)


def test_a_scheduler_that_does_not_answer_is_named(
    banks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("karat.experiments.schedulers._CONNECTING", 0.5)
    with pytest.raises(karat.UsageError, match="no Dask scheduler answers at"):
        karat.grid(banks, tmp_path / "grid", systems=["hmm"], seeds=1, scheduler="tcp://127.0.0.1:1")


def test_a_papers_experiments_run_on_a_cluster(tmp_path: Path) -> None:
    small_treebank(tmp_path / "data" / "UD_English-EWT", 1)
    here = karat.reproduce("wisniewski-2019", tmp_path / "data", tmp_path / "here", seeds=1)
    with cluster(tmp_path, 1) as (address, _):
        _wait_for_workers(address, 1)
        there = karat.reproduce("wisniewski-2019", tmp_path / "data", tmp_path / "there", seeds=1, scheduler=address)
    assert (there.n_run, there.n_failed) == (here.n_run, 0)
    assert there.numbers == here.numbers
