"""EVALB's measures on bracketed trees beside PYEVALB and EVALB itself; the whole command; how it grows.

The trees are those of GUM, one a line, repeated and compared with seeded corruptions of themselves. Like is compared
with like: PYEVALB, a Python library, with karat warm, in a process that has done it before; EVALB, a program, with
`karat score --like evalb`, both from the shell, process start included. karat's compiled kernels come in after some
24 MB of text in one process: a warm task reads more, and so loads them, before its first run ends, as does the command
on 100,000 trees; the command on 20,000 is without them. They are compiled before, as they are once on a machine.
PYEVALB and EVALB write the table of sentences too, so karat is also shown with it; PYEVALB spends three quarters of its
time on that, so that both are also compared without. EVALB takes part if `evalb` is on the PATH.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from _measuring import (
    DATA,
    KARAT,
    ROOT,
    Task,
    cold,
    comparison_table,
    growth_table,
    measured,
    memory_table,
    time_line,
    warm,
)

if TYPE_CHECKING:
    from karat.measures.brackets.evalb import Evalb

N_TREES = 15_000
FROM_THE_SHELL = (20_000, 100_000)
MOST_SECONDS = 1.0  # of the command on the first of these
SHARE_OF_EVALB = 0.67  # of karat's time, on the second: karat takes at most 1.5 times as long
PART = 10  # PYEVALB writes the table of every tenth tree: ten times that is a little less than all would take it
ENOUGH_BYTES = 64 << 20


def karat_evalb(gold: str, test: str) -> object:
    _warm_up(gold, test)
    return _evaluated(gold, test).summary()


def karat_evalb_table(gold: str, test: str, written: str) -> object:
    from karat.report.evalb import evalb_text

    _warm_up(gold, test)
    return Path(written).write_text(evalb_text(_evaluated(gold, test)), encoding="utf-8")


def pyevalb(gold: str, test: str) -> object:
    from PYEVALB import scorer, summary

    with open(gold, encoding="utf-8") as golds, open(test, encoding="utf-8") as tests:
        return summary.summary(scorer.Scorer().score_corpus(golds, tests))


def pyevalb_table(gold: str, test: str, written: str) -> object:
    from PYEVALB import scorer

    return scorer.Scorer().evalb(gold, test, written)


TASKS = (karat_evalb, karat_evalb_table, pyevalb, pyevalb_table)


def _evaluated(gold: str, test: str) -> Evalb:
    from karat.corpus.readers.bracket_folders import read_brackets
    from karat.measures.brackets.evalb import evalb

    return evalb(read_brackets(gold), read_brackets(test))


@cache
def _warm_up(gold: str, test: str) -> None:
    """Evaluate as often as it takes for compiled kernels to be in use; once a process."""
    for _ in range(1 + ENOUGH_BYTES // _size(gold, test)):
        _evaluated(gold, test)


def _size(*paths: str | Path) -> int:
    return sum(Path(path).stat().st_size for path in paths)


def tables(folder: Path) -> list[str]:
    several = {n: tree_files(folder, n) for n in (N_TREES // 4, N_TREES // 2, N_TREES, 2 * N_TREES)}
    gold, test = several[N_TREES]
    warm("to compile the kernels", karat_evalb, 1, gold, test).run()
    counting = [warm("karat", karat_evalb, 8, gold, test), warm("PYEVALB", pyevalb, 1, gold, test)]
    part = tree_files(folder, N_TREES, PART)
    writing = [
        warm("karat", karat_evalb_table, 8, gold, test, folder / "karat.out"),
        warm("PYEVALB", pyevalb_table, 1, *part, folder / "pyevalb.out", goal=100, times=PART),
    ]
    command = cold("karat", *KARAT, "score", gold, test, "--like", "evalb")
    commands = [
        command,
        cold("karat score, all measures, no intervals", *KARAT, "score", gold, test, "--resamples", "0"),
        cold("karat score, all measures and intervals", *KARAT, "score", gold, test),
    ]
    growing = [warm(f"{n:,} trees", karat_evalb, 8, *files) for n, files in several.items()]
    of_gum, size = f"{N_TREES:,} GUM trees", _size(gold, test)
    return [
        *comparison_table(f"EVALB's measures, {of_gum}, warm", measured(counting, 3)),
        *memory_table(
            f"The same in at most 20 × its input of {size / 1e6:.1f} MB, kernels included", counting[0], 20 * size
        ),
        *comparison_table(f"EVALB's measures and table of sentences, {of_gum}, warm", measured(writing, 3)),
        *comparison_table(f"`karat score` on {of_gum}, process start included", measured(commands, 4)),
        *memory_table(
            f"`karat score --like evalb` in at most 20 × its input of {size / 1e6:.1f} MB", command, 20 * size
        ),
        *growth_table("Growth: EVALB's measures, warm", "input", measured(growing, 2)),
        *from_the_shell(folder),
    ]


def from_the_shell(folder: Path) -> list[str]:
    """`karat score --like evalb` beside EVALB, both process start included, on fewer and on more trees."""
    found = []
    for n_trees in FROM_THE_SHELL:
        gold, test = tree_files(folder, n_trees)
        asked = (*KARAT, "score", gold, test, "--like", "evalb")
        is_large = n_trees == FROM_THE_SHELL[-1]
        command = cold("karat", *asked)
        tasks = [
            command,
            *evalb_itself("EVALB", folder, gold, test, goal=SHARE_OF_EVALB if is_large else None),
            cold("karat, with the table of sentences", *asked, "--per-sentence", folder / "sentences.out"),
        ]
        title = f"`karat score --like evalb` and EVALB from the shell, {n_trees:,} GUM trees"
        found += comparison_table(title, measured(tasks, 5))
        if not is_large:
            found += time_line(f"`karat score --like evalb`, {n_trees:,} GUM trees", command, MOST_SECONDS)
    return found


def evalb_itself(label: str, folder: Path, gold: Path, test: Path, goal: float | None = None) -> list[Task]:
    """The task of EVALB with Collins's parameters, if there is an EVALB."""
    program = which("evalb")
    parameters = folder / "collins.prm"
    deleted = "".join(f"DELETE_LABEL {label}\n" for label in ("TOP", "-NONE-", ",", ":", "``", "''", "."))
    parameters.write_text(f"{deleted}DELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\n", encoding="utf-8")
    return [cold(label, program, "-p", parameters, gold, test, goal=goal)] if program else []


def tree_files(folder: Path, n_trees: int, step: int = 1, seed: int = 2026) -> tuple[Path, Path]:
    """So many trees of GUM, one a line and repeated, and a parser's errors in them; with a step, every so manieth.

    Made by the tests' own corruptions, in a process of its own: the tasks' processes start with the size of this one.
    """
    gold, test = (folder / f"{side}-{n_trees}-{step}.ptb" for side in ("gold", "test"))
    code = """
import sys
from itertools import cycle, islice
from pathlib import Path
from random import Random

from bracket_reference import trees
from tree_corruptions import corrupted_tree, written

data, gold, test, n_trees, step, seed = sys.argv[1:]
texts = [written(one) for path in sorted(Path(data).glob("*.ptb")) for one in trees(path.read_text(encoding="utf-8"))]
rng = Random(int(seed))
with open(gold, "w", encoding="utf-8") as golds, open(test, "w", encoding="utf-8") as tests:
    for text in islice(cycle(texts), 0, int(n_trees), int(step)):
        print(text, file=golds)
        print(corrupted_tree(text, rng, rate=0.1), file=tests)
"""
    arguments = map(str, (DATA / "gum-const", gold, test, n_trees, step, seed))
    if not gold.exists():
        subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT / "tests", check=True)
    return gold, test
