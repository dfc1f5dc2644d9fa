"""Options for folders of treebanks, and what is said of their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from karat.cli._options import WHAT, combined, option
from karat.cli._output import show_inputs

if TYPE_CHECKING:
    from karat.evaluation.treebanks import TreebankScores

__all__ = ["folder_options", "show_treebank_inputs"]

folder_options = combined(
    [
        option(
            "--gold-dir",
            WHAT,
            "Use several treebanks: the gold files in this folder, or the test sets of a UD release.",
            metavar="DIR",
        ),
        option(
            "--system-dir system_dirs",
            WHAT,
            "With --gold-dir: a system's files in this folder, paired by name (repeatable).",
            is_repeatable=True,
            metavar="[NAME=]DIR",
        ),
    ]
)


def show_treebank_inputs(scores: TreebankScores, warnings: Iterable[str], options: Mapping[str, Any]) -> None:
    """Say what is missing, surplus or bad among the files of folders."""
    every = [one for system in scores.systems for one in system.treebanks.values()]
    absent = [f"{one.name} has no {treebank}: scored as 0" for one in scores.systems for treebank in one.absent]
    formats = [(gold.path, gold.format) for gold in scores.treebanks.values()]
    show_inputs(
        options,
        [*formats, *((one.path, one.format) for one in every if one.source)],
        [],
        [*absent, *(f"{path}: no gold file of this name; not scored" for path in scores.surplus), *warnings],
        [problem for one in every for problem in one.skipped.problems],
    )
