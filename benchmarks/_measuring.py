"""Tasks in processes of their own, what they took, and the tables that show it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data"))
EWT = DATA / "ud-2.3" / "UD_English-EWT"
KARAT = (sys.executable, "-m", "karat")
_DRIVER = Path(__file__).with_name("run.py")
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
_ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its byte code

Function = Callable[..., object]  # of the arguments given on the command line


def work(function: Function, repeats: int, arguments: Sequence[str]) -> None:
    """Run a warm task here and print its CPU seconds and the peak memory after the first run, as JSON."""
    function(*arguments)
    peak = peak_memory()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = function(*arguments)
        seconds.append(time.process_time() - start)
        del result
    print(json.dumps({"seconds": seconds, "peak": peak}))


def peak_memory() -> int:
    """The largest resident set of this process so far, in bytes."""
    if sys.platform == "linux":  # ru_maxrss would count what the parent had before this process became its own
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# ---- running tasks in processes of their own -------------------------------------------------------------------------


@dataclass
class Task:
    """One side of a comparison and what was measured of it.

    `goal` is how many times as long as karat it is to take; where only a part of the work is run, `times` is how often
    the whole has it.
    """

    label: str
    command: list[str]
    is_warm: bool
    goal: float | None = None
    times: int = 1
    seconds: list[float] = field(default_factory=list)
    peak: int = 0

    @property
    def best(self) -> float:
        """The least CPU seconds that it took."""
        return min(self.seconds) * self.times

    def run(self) -> None:
        """Run the task once more and note what it took."""
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.DEVNULL, cwd=ROOT, env=_ENVIRONMENT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            printed = out.read()
        if process.returncode:
            raise SystemExit(f"{' '.join(self.command)}: exit {process.returncode}")
        if self.is_warm:
            found = json.loads(printed)
            self.seconds += found["seconds"]
            self.peak = max(self.peak, found["peak"])
        else:
            self.seconds.append(usage.ru_utime + usage.ru_stime)
            self.peak = max(self.peak, usage.ru_maxrss * 1024)


def warm(
    label: str, function: Function, repeats: int, *arguments: object, goal: float | None = None, times: int = 1
) -> Task:
    command = [sys.executable, str(_DRIVER), "--work", function.__name__, str(repeats), *map(str, arguments)]
    return Task(label, command, is_warm=True, goal=goal, times=times)


def cold(label: str, *command: str | Path, goal: float | None = None) -> Task:
    return Task(label, [str(part) for part in command], is_warm=False, goal=goal)


def measured(tasks: list[Task], rounds: int) -> list[Task]:
    """The tasks, run in turns."""
    for number in range(rounds):
        for task in tasks:
            print(f"{number + 1}/{rounds} {task.label}", file=sys.stderr)
            task.run()
    return tasks


def difference(label: str, more: Task, fewer: Task, goal: float | None = None) -> Task:
    """What a task takes beyond another that is a part of it."""
    return Task(label, [], more.is_warm, goal=goal, seconds=[more.best - fewer.best], peak=more.peak)


def corrupted_copy(gold: Path, folder: Path, seed: int = 2026, rates: str = "ANNOTATION") -> Path:
    """A system's output: the gold with seeded errors in every column, made by the tests' own corruptions.

    With the rates `TOKENISATION` there are other tokens, words and sentences, too.

    Made in a process of its own: the tasks' processes start with the size of this one.
    """
    path = folder / f"system-{seed}-{rates.lower()}-{gold.name}"
    code = (
        f"import sys; from pathlib import Path; from corruptions import {rates}, corrupted; "
        "text = Path(sys.argv[1]).read_text(encoding='utf-8'); "
        f"Path(sys.argv[2]).write_text(corrupted(text, int(sys.argv[3]), {rates}), encoding='utf-8')"
    )
    if not path.exists():
        subprocess.run([sys.executable, "-c", code, str(gold), str(path), str(seed)], cwd=ROOT / "tests", check=True)
    return path


# ---- tables ----------------------------------------------------------------------------------------------------------


def comparison_table(title: str, tasks: Sequence[Task]) -> list[str]:
    """The times of a comparison, karat's first: how many times as long as karat each peer takes."""
    verdicts = [_verdict(tasks[0], task) for task in tasks if task.goal is not None]
    return [*_table(title, "", "× karat", tasks), *(line for verdict in verdicts for line in (verdict, ""))]


def _verdict(ours: Task, peer: Task) -> str:
    assert peer.goal is not None
    ratio = peer.best / ours.best
    memory = "below" if ours.peak < peer.peak else "NOT below"
    return f"Goal ≥ {peer.goal:g} × {peer.label}: {ratio:.1f}, {_met(ratio >= peer.goal)}; peak memory {memory} it."


def growth_table(title: str, what: str, tasks: Sequence[Task]) -> list[str]:
    """The times of one thing in several sizes or forms."""
    return _table(title, what, "× first", tasks)


def memory_table(title: str, task: Task, most: float) -> list[str]:
    """The time and peak memory of a task that is to take less than so many bytes."""
    verdict = f"Goal peak memory < {most / 1e6:.0f} MB: {task.peak / 1e6:.0f}, {_met(task.peak < most)}."
    return [*_table(title, "", "× karat", [task]), verdict, ""]


def time_line(title: str, task: Task, most: float) -> list[str]:
    """The time of a task that is to take at most so many seconds."""
    verdict = _met(task.best <= most)
    return [f"## {title}", "", f"{1000 * task.best:.0f} ms CPU; goal ≤ {1000 * most:.0f} ms, {verdict}.", ""]


def _table(title: str, what: str, ratio: str, tasks: Sequence[Task]) -> list[str]:
    first = tasks[0].best
    rows = [(task.label, _shown(task.best), f"{task.best / first:.1f}", f"{task.peak / 1e6:.0f}") for task in tasks]
    head = [f"## {title}", "", _row(what, "CPU s", ratio, "peak MB"), "|---|---:|---:|---:|"]
    return [*head, *(_row(*cells) for cells in rows), ""]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _shown(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds >= 0.01 else f"{seconds:.5f}"


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"
