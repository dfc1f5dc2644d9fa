"""The CoNLL-18 evaluation beside the official evaluator; how it grows; how soon karat starts."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copyfileobj

from _measuring import EWT, KARAT, Task, cold, comparison_table, corrupted_copy, growth_table, measured, time_line, warm


def karat_evaluate(gold: str, system: str) -> object:
    import karat

    return karat.score(gold, system, like="conll18")


def udtools_evaluate(gold: str, system: str) -> object:
    from udtools.udeval import evaluate, load_conllu_file

    return evaluate(load_conllu_file(gold, {}), load_conllu_file(system, {}))


TASKS = (karat_evaluate, udtools_evaluate)


def tables(folder: Path) -> list[str]:
    train, test = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"
    system_train, system_test = corrupted_copy(train, folder), corrupted_copy(test, folder)
    in_process = [
        warm("karat", karat_evaluate, 8, train, system_train),
        warm("udtools", udtools_evaluate, 1, train, system_train, goal=40),
    ]
    start = cold("karat --help", *KARAT, "--help")
    return [
        *comparison_table("CoNLL-18 evaluation, EWT train, warm", measured(in_process, 4)),
        *comparison_table(
            "CoNLL-18 evaluation, EWT train, process start included", measured(commands(train, system_train, 15), 4)
        ),
        *comparison_table(
            "CoNLL-18 evaluation, EWT test, process start included", measured(commands(test, system_test, 3), 8)
        ),
        *time_line("`karat --help`", measured([start], 10)[0], 0.100),
        *growth_table("Growth: CoNLL-18 evaluation, warm", "input", measured(growing(train, system_train, folder), 2)),
    ]


def commands(gold: Path, system: Path, goal: float) -> list[Task]:
    udeval = Path(sys.executable).parent / "udeval"
    return [
        cold("karat", *KARAT, "score", gold, system, "--like", "conll18"),
        cold("udtools", udeval, "-v", gold, system, goal=goal),
    ]


def growing(gold: Path, system: Path, folder: Path) -> list[Task]:
    """karat's evaluation of EWT train once, twice, four and eight times over."""
    tasks = []
    for times in (1, 2, 4, 8):
        golds, systems = folder / f"gold-{times}.conllu", folder / f"system-{times}.conllu"
        repeat(gold, golds, times)
        repeat(system, systems, times)
        tasks.append(warm(f"{times} × EWT train", karat_evaluate, 4, golds, systems))
    return tasks


def repeat(path: Path, several: Path, times: int) -> None:
    """Write a file several times over, piece by piece: the commands' processes start with the size of this one."""
    with several.open("wb") as out:
        for _ in range(times):
            with path.open("rb") as one:
                copyfileobj(one, out)
