"""Worklists that commands write, with the verdicts of earlier ones taken over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.cli._options import Decorator, option
from karat.cli._output import MOST_PROBLEMS, say

if TYPE_CHECKING:
    from karat.corpus.carried_verdicts import Question
    from karat.corpus.worklist import Worklist, WorklistRow


def carry_option(group: str) -> Decorator:
    """Which verdicts to take over."""
    what = "Take over verdicts from this worklist of before the corpus was edited, where words and labels are the same"
    return option("--carry", group, f"{what} (repeatable).", is_repeatable=True, metavar="FILE")


def read_worklists(paths: Sequence[str], kinds: Mapping[str, Collection[str]]) -> list[Worklist]:
    """The worklists in these files, of which the rows are of these kinds."""
    from karat.corpus.worklist import read_worklist

    return [read_worklist(path, kinds=kinds) for path in paths]


def carried_over(
    worklist: Worklist,
    old: Sequence[Worklist],
    question: Callable[[WorklistRow], Question | None],
) -> Worklist:
    """The worklist with the verdicts of old ones, and a word on what could not be taken over."""
    if not old:
        return worklist
    from karat.corpus.carried_verdicts import carried

    found = carried(worklist, old, question)
    n_all = found.n_carried + len(found.left)
    why = "words or labels changed, or the new list leaves them out"
    rest = "" if not found.left else f"; {len(found.left):,} not carried ({why}):"
    say(f"carried {found.n_carried:,} of {n_all:,} verdicts{rest}")
    for path, row in found.left[:MOST_PROBLEMS]:
        say(f"{path}:{row.line}: {row.verdict or 'a note'} on {row.shown.partition('  B in ')[0]!r} in {row.sent_id}")
    if len(found.left) > MOST_PROBLEMS:
        say(f"and {len(found.left) - MOST_PROBLEMS:,} more")
    return found.worklist
