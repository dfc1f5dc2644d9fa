"""Times karat beside its peers: `python benchmarks/run.py` (needs the extra `bench` and the data; see RESULTS.md).

Every task runs in a process of its own. CPU seconds of that process count, the smallest of several; the tasks of one
group take turns, so that a busy machine is busy for all of them. Warm tasks are repeated inside a process after a first
run that does not count; cold ones are whole commands, process start included. Peak memory is the process's largest
resident set in a run that does the task once. Linear algebra has one thread in all of them, as in karat's commands: a
second one would spend CPU time on waiting. Have karat installed: from a bare source tree, a command may have to compile
karat first.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import brackets
import brill
import evaluation
import grids
import inference
import karat
import leaks
import noise
import parsers
import reading
import relaxation
import repeats
import review
import senses
import taggers
import tags
import versions
from _measuring import work

PEERS = ("udtools", "udapi", "conllu", "pyconll", "scipy", "sacrebleu", "PYEVALB", "nltk", "python-crfsuite")
PARTS: dict[str, Callable[[Path], list[str]]] = {
    "reading": reading.tables,
    "evaluation": evaluation.tables,
    "brackets": brackets.tables,
    "inference": inference.tables,
    "noise": noise.tables,
    "tags": tags.tables,
    "senses": senses.tables,
    "repeats": repeats.tables,
    "leaks": leaks.tables,
    "taggers": taggers.tables,
    "relaxation": relaxation.tables,
    "brill": brill.tables,
    "parsers": parsers.tables,
    "grids": grids.tables,
    "versions": versions.tables,
    "review": review.tables,
}
_MODULES = (
    *(reading, evaluation, brackets, inference, noise, tags, senses),
    *(repeats, leaks, taggers, relaxation, brill, parsers, grids, versions, review),
)
WARM = {function.__name__: function for part in _MODULES for function in part.TASKS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part (repeatable)")
    parser.add_argument("--output", type=Path, help="write the tables to this file (RESULTS.md) too")
    arguments = parser.parse_args()
    if arguments.work:
        name, repeats, *others = arguments.work
        work(WARM[name], int(repeats), others)
        return
    lines = header()
    with tempfile.TemporaryDirectory() as folder:
        for part in arguments.only or PARTS:
            lines += PARTS[part](Path(folder))
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


def header() -> list[str]:
    others = ", ".join(f"{name} {version(name)}" for name in ("numpy", *PEERS))
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return [
        "# Benchmarks",
        "",
        "Made by `python benchmarks/run.py --output benchmarks/RESULTS.md`; what is measured and how stands at the",
        "head of that file. The machine is shared: trust the ratios, which come from one run, more than the seconds.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}; {cpu_name()}; {machine}; karat {karat.__version__}, {others}.",
        "",
    ]


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


if __name__ == "__main__":
    main()
