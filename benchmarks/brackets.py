"""EVALB's measures on bracketed trees beside PYEVALB and EVALB itself; the whole command; how it grows.

The trees are those of GUM, one a line, repeated and compared with seeded corruptions of themselves. karat's compiled
kernels come in after some 32 MB of text in one process: a warm task reads twice that, and so loads them, before its
first run ends; they are compiled before, as they are once on a machine. The command, which reads less, is without them.
Where numba finds scipy it takes it in too, which karat does not ask for and its tasks are kept from. What PYEVALB and
EVALB do is to write the table of sentences too, so karat is held to its goals with it; PYEVALB spends three quarters of
its time on that, so that both are also compared without. EVALB takes part if `evalb` is on the PATH.
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
    sys.modules["scipy"] = None  # type: ignore[assignment]  # so that numba does not find it
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
        *evalb_itself("EVALB, process start included", folder, gold, test, goal=1),
    ]
    command = cold("karat", *KARAT, "score", gold, test, "--like", "evalb")
    commands = [
        command,
        *evalb_itself("EVALB", folder, gold, test),
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
        *comparison_table(f"EVALB's measures, {of_gum}, process start included", measured(commands, 4)),
        *time_line(f"`karat score --like evalb`, {of_gum}", command, 2.0),
        *memory_table(
            f"`karat score --like evalb` in at most 20 × its input of {size / 1e6:.1f} MB", command, 20 * size
        ),
        *growth_table("Growth: EVALB's measures, warm", "input", measured(growing, 2)),
    ]


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
