"""Times karat beside its peers: `python benchmarks/run.py` (needs the extra `bench` and the data; see RESULTS.md).

Every task runs in a process of its own. CPU seconds of that process count, the smallest of several; the tasks of one
group take turns, so that a busy machine is busy for all of them. Warm tasks are repeated inside a process after a first
run that does not count; cold ones are whole commands, process start included. Peak memory is the process's largest
resident set in a run that does the task once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data"))
EWT = DATA / "ud-2.3" / "UD_English-EWT"
PEERS = ("udtools", "udapi", "conllu", "pyconll")
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


# ---- what is timed: a function of the paths given on the command line ------------------------------------------------


def karat_read(gold: str) -> object:
    import karat

    return karat.read_conllu(gold)


def karat_read_all_columns(gold: str) -> object:
    import karat

    corpus = karat.read_conllu(gold)
    return [corpus.column(name) for name in COLUMNS]


def udtools_read(gold: str) -> object:
    from udtools.udeval import load_conllu_file

    return load_conllu_file(gold, {})


def udapi_read(gold: str) -> object:
    from udapi.core.document import Document

    return Document(gold)


def conllu_read(gold: str) -> object:
    import conllu

    return conllu.parse(Path(gold).read_text(encoding="utf-8"))


def pyconll_read(gold: str) -> object:
    from pyconll.load import load_from_file

    return load_from_file(gold)


def karat_evaluate(gold: str, system: str) -> object:
    import karat

    return karat.score(gold, system, like="conll18")


def udtools_evaluate(gold: str, system: str) -> object:
    from udtools.udeval import evaluate, load_conllu_file

    return evaluate(load_conllu_file(gold, {}), load_conllu_file(system, {}))


WARM: dict[str, Callable[..., object]] = {
    function.__name__: function
    for function in (
        karat_read, karat_read_all_columns, udtools_read, udapi_read, conllu_read, pyconll_read,
        karat_evaluate, udtools_evaluate,
    )
}  # fmt: skip


def work(name: str, repeats: int, arguments: list[str]) -> None:
    """Run a warm task here and print its CPU seconds and the peak memory after the first run, as JSON."""
    function = WARM[name]
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
    """One side of a comparison and what was measured of it."""

    label: str
    command: list[str]
    is_warm: bool
    seconds: list[float] = field(default_factory=list)
    peak: int = 0

    def run(self) -> None:
        """Run the task once more and note what it took."""
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.DEVNULL, cwd=ROOT)
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


def warm(label: str, name: str, repeats: int, *paths: Path) -> Task:
    return Task(label, [sys.executable, __file__, "--work", name, str(repeats), *map(str, paths)], is_warm=True)


def cold(label: str, *command: str | Path) -> Task:
    return Task(label, [str(part) for part in command], is_warm=False)


def measured(tasks: list[Task], rounds: int) -> list[Task]:
    """The tasks, run in turns."""
    for number in range(rounds):
        for task in tasks:
            print(f"{number + 1}/{rounds} {task.label}", file=sys.stderr)
            task.run()
    return tasks


# ---- the comparisons -------------------------------------------------------------------------------------------------


def corrupted_copy(gold: Path, folder: Path) -> Path:
    """A system's output: the gold with seeded errors in every column, made by the tests' own corruptions.

    Made in a process of its own: the tasks' processes start with the size of this one.
    """
    path = folder / f"system-{gold.name}"
    code = (
        "import sys; from pathlib import Path; from corruptions import ANNOTATION, corrupted; "
        "text = Path(sys.argv[1]).read_text(encoding='utf-8'); "
        "Path(sys.argv[2]).write_text(corrupted(text, 2026, ANNOTATION), encoding='utf-8')"
    )
    subprocess.run([sys.executable, "-c", code, str(gold), str(path)], cwd=ROOT / "tests", check=True)
    return path


def comparisons(folder: Path) -> list[tuple[str, list[Task], int, float]]:
    """Title, tasks (karat first, the peer whose ratio is the goal second), rounds, and the goal."""
    train, test = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"
    system_train, system_test = corrupted_copy(train, folder), corrupted_copy(test, folder)
    bin_ = Path(sys.executable).parent
    return [
        (
            "Read EWT train (13.3 MB), warm",
            [
                warm("karat", "karat_read", 10, train),
                warm("udtools", "udtools_read", 1, train),
                warm("karat, all columns encoded", "karat_read_all_columns", 10, train),
                warm("udapi", "udapi_read", 2, train),
                warm("conllu", "conllu_read", 1, train),
                warm("pyconll", "pyconll_read", 1, train),
            ],
            4,
            50,
        ),
        (
            "CoNLL-18 evaluation, EWT train, warm",
            [
                warm("karat", "karat_evaluate", 8, train, system_train),
                warm("udtools", "udtools_evaluate", 1, train, system_train),
            ],
            4,
            40,
        ),
        (
            "CoNLL-18 evaluation, EWT train, process start included",
            [
                cold("karat", bin_ / "karat", "score", train, system_train, "--like", "conll18"),
                cold("udtools", bin_ / "udeval", "-v", train, system_train),
            ],
            4,
            15,
        ),
        (
            "CoNLL-18 evaluation, EWT test, process start included",
            [
                cold("karat", bin_ / "karat", "score", test, system_test, "--like", "conll18"),
                cold("udtools", bin_ / "udeval", "-v", test, system_test),
            ],
            8,
            3,
        ),
    ]


def growth(folder: Path) -> list[Task]:
    """karat's evaluation of EWT train once, twice, four and eight times over."""
    train = EWT / "en_ewt-ud-train.conllu"
    tasks = []
    for times in (1, 2, 4, 8):
        gold, system = folder / f"gold-{times}.conllu", folder / f"system-{times}.conllu"
        gold.write_bytes(train.read_bytes() * times)
        system.write_bytes((folder / f"system-{train.name}").read_bytes() * times)
        tasks.append(warm(f"{times} × EWT train", "karat_evaluate", 4, gold, system))
    return tasks


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, help="write the tables to this file (RESULTS.md) too")
    arguments = parser.parse_args()
    if arguments.work:
        name, repeats, *paths = arguments.work
        work(name, int(repeats), paths)
        return
    lines = header()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, tasks, rounds, goal in comparisons(folder):
            lines += table(title, measured(tasks, rounds), goal)
        lines += help_table(measured([cold("karat --help", Path(sys.executable).parent / "karat", "--help")], 10)[0])
        lines += growth_table(measured(growth(folder), 2))
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


def header() -> list[str]:
    versions = ", ".join(f"{name} {version(name)}" for name in ("karat", "numpy", *PEERS))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return [
        "# Benchmarks",
        "",
        "Made by `python benchmarks/run.py --output benchmarks/RESULTS.md`; what is measured and how stands at the",
        "head of that file. The machine is shared: trust the ratios, which come from one run, more than the seconds.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}; {cpu_name()}; {machine}; {versions}.",
        "",
    ]


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def table(title: str, tasks: list[Task], goal: float) -> list[str]:
    """The times of a comparison: how many times as long as karat each peer takes."""
    ours, peer = min(tasks[0].seconds), min(tasks[1].seconds)
    lines = [f"## {title}", "", row("", "CPU s", "× karat", "peak MB"), "|---|---:|---:|---:|"]
    for task in tasks:
        best = min(task.seconds)
        lines.append(row(task.label, f"{best:.3f}", f"{best / ours:.1f}", f"{task.peak / 1e6:.0f}"))
    verdict = "met" if peer / ours >= goal else "NOT met"
    memory = "below" if tasks[0].peak < tasks[1].peak else "NOT below"
    return [*lines, "", f"Goal ≥ {goal} × {tasks[1].label}: {peer / ours:.1f}, {verdict}; peak memory {memory} it.", ""]


def help_table(task: Task) -> list[str]:
    best = 1000 * min(task.seconds)
    verdict = "met" if best <= 150 else "NOT met"
    return ["## `karat --help`", "", f"{best:.0f} ms CPU; goal ≤ 150 ms, {verdict}.", ""]


def growth_table(tasks: list[Task]) -> list[str]:
    lines = ["## Growth: CoNLL-18 evaluation, warm", ""]
    lines += [row("input", "CPU s", "× first", "peak MB"), "|---|---:|---:|---:|"]
    first = min(tasks[0].seconds)
    for task in tasks:
        best: Any = min(task.seconds)
        lines.append(row(task.label, f"{best:.3f}", f"{best / first:.1f}", f"{task.peak / 1e6:.0f}"))
    return [*lines, ""]


if __name__ == "__main__":
    main()
