"""What is drawn of a sentence's phrases: the brackets that count, and what each is beside the other side's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from karat.measures.brackets.preparation import Brackets
    from karat.measures.brackets.tree_counts import TreeComparison

Bracket = tuple[int, int, str]  # the first word, from 0, the one after the last, and the label
Kind = Literal["both", "missing", "spurious", "crossing"]

_OTHER_WORDS = "not compared: its words are not the gold's"


@dataclass(frozen=True, slots=True)
class SentenceBrackets:
    """A sentence and the brackets that count, of both sides; of those around the same words the outer one comes first.

    `is_left_out` flags the words that do not count, `tags` and `system_tags` are what their names say. With `labelled`,
    brackets match if their labels do too. `note` says why the system has no brackets.
    """

    words: Sequence[str]
    gold: Sequence[Bracket]
    system: Sequence[Bracket]
    labelled: bool = False
    tags: Sequence[str] = ()
    system_tags: Sequence[str] = ()
    is_left_out: Sequence[bool] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ComparedBracket:
    """A bracket of one side, what it is in the comparison, and how the other side labels the same words.

    `crosses` are the brackets of the other side that it crosses, `numbers` those of the crossings.
    """

    start: int
    stop: int
    label: str
    kind: Kind
    other_label: str | None = None
    crosses: tuple[Bracket, ...] = ()
    numbers: tuple[int, ...] = ()


def compared_brackets(sentence: SentenceBrackets) -> tuple[list[ComparedBracket], list[ComparedBracket]]:
    """The brackets of the gold and those of the system, each with what it is, as `karat.measures.brackets` counts them.

    Of equal brackets as many match as both sides have.
    """
    gold, system = list(sentence.gold), list(sentence.system)
    found, exact = _matched(gold, system, sentence.labelled), _matched(system, gold, sentence.labelled)
    crossing = [tuple(one for one in gold if _cross(one, other)) for other in system]
    ours = [ComparedBracket(*one, "both" if is_found else "missing") for one, is_found in zip(gold, found, strict=True)]
    theirs = [
        ComparedBracket(*one, "both" if is_exact else "crossing" if crossed else "spurious", crosses=crossed)
        for one, is_exact, crossed in zip(system, exact, crossing, strict=True)
    ]
    theirs = _numbered(theirs)
    return _named_by_others(_crossed_by(ours, theirs), theirs), _named_by_others(theirs, ours)


def _matched(brackets: Sequence[Bracket], others: Sequence[Bracket], labelled: bool) -> list[bool]:
    """Which brackets the others have too; of equal ones the first, as many as the others have.

    Where labels do not matter, those that have a partner of their label are taken before all others.
    """
    found = _taken(brackets, others)
    if not labelled:
        left = [one[:2] for one, is_found in zip(brackets, found, strict=True) if not is_found]
        is_left = _taken(others, brackets)
        more = iter(_taken(left, [one[:2] for one, is_found in zip(others, is_left, strict=True) if not is_found]))
        found = [is_found or next(more) for is_found in found]
    return found


def _taken(keys: Sequence[Hashable], others: Iterable[Hashable]) -> list[bool]:
    """Which keys the others have too; of equal ones the first, as many as the others have."""
    waiting = Counter(others)
    found = []
    for key in keys:
        found.append(waiting[key] > 0)
        waiting[key] -= 1
    return found


def _cross(one: Bracket, other: Bracket) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def _numbered(system: Sequence[ComparedBracket]) -> list[ComparedBracket]:
    """Crossing brackets are numbered from 1 as they come."""
    numbers = iter(range(1, len(system) + 1))
    return [replace(one, numbers=(next(numbers),)) if one.kind == "crossing" else one for one in system]


def _crossed_by(gold: Sequence[ComparedBracket], system: Iterable[ComparedBracket]) -> list[ComparedBracket]:
    """The gold's brackets, each with those of the system that cross it."""
    crossing: dict[Bracket, list[ComparedBracket]] = {}
    for one in system:
        for crossed in set(one.crosses) if one.kind == "crossing" else ():
            crossing.setdefault(crossed, []).append(one)
    found = []
    for one in gold:
        crossed_by = crossing.get((one.start, one.stop, one.label), [])
        crosses = tuple((other.start, other.stop, other.label) for other in crossed_by)
        numbers = tuple(number for other in crossed_by for number in other.numbers)
        found.append(replace(one, crosses=crosses, numbers=numbers))
    return found


def _named_by_others(brackets: Sequence[ComparedBracket], others: Sequence[ComparedBracket]) -> list[ComparedBracket]:
    """Brackets with the label of their partner around the same words, where that is another.

    Those that match have partners among those that match, the others among the others; of the same label if there is
    one, else in order.
    """
    ours, theirs = (
        [(one.start, one.stop, one.kind == "both", one.label) for one in side] for side in (brackets, others)
    )
    is_named, is_taken = _taken(ours, theirs), _taken(theirs, ours)
    waiting: dict[tuple[object, ...], list[str]] = {}
    for key, is_used in zip(theirs, is_taken, strict=True):
        if not is_used:
            waiting.setdefault(key[:3], []).append(key[3])
    found = []
    for one, key, has_same in zip(brackets, ours, is_named, strict=True):
        partners = [] if has_same else waiting.get(key[:3], [])
        found.append(replace(one, other_label=partners.pop(0)) if partners else one)
    return found


# ---- from karat's own trees ------------------------------------------------------------------------------------------


def sentence_brackets(comparison: TreeComparison, sentence: int, *, labelled: bool | None = None) -> SentenceBrackets:
    """A sentence (from 0) of compared trees, with the brackets that are counted there.

    By default as its items are counted; with `labelled`, as Labelled F1 and the like are, or are not. Brackets of all
    labels are there, also if the options ask for some. Words are the gold's without traces; those that do not count,
    such as punctuation, are flagged.
    """
    import numpy as np

    pair = comparison.pair
    is_labelled = comparison.options.compares_labels if labelled is None else labelled
    compared = comparison.labelled if is_labelled else comparison.unlabelled
    first, stop = pair.gold.word_offsets[sentence : sentence + 2].tolist()
    words = np.arange(first, stop)[~pair.gold_traces[first:stop]]
    counted = np.flatnonzero(~pair.gold_dropped[words])  # among the words shown
    return SentenceBrackets(
        words=pair.gold.forms[words].strings(),
        gold=_of_sentence(compared.gold, sentence, counted.tolist()),
        system=_of_sentence(compared.system, sentence, counted.tolist()),
        labelled=is_labelled,
        tags=(tags := pair.gold.tags[words].strings()),
        system_tags=_system_tags(comparison, sentence, tags, counted.tolist()),
        is_left_out=pair.gold_dropped[words].tolist(),
        note="" if pair.comparable[sentence] else "no parse" if pair.system.missing[sentence] else _OTHER_WORDS,
    )


def _of_sentence(brackets: Brackets, sentence: int, counted: Sequence[int]) -> list[Bracket]:
    """The brackets of a sentence over the words shown, of which some are counted; those without words are left out."""
    import numpy as np

    begin, end = np.searchsorted(brackets.trees, [sentence, sentence + 1]).tolist()
    first = int(brackets.word_offsets[sentence])
    columns = (column[begin:end].tolist() for column in (brackets.start, brackets.stop, brackets.labels))
    return [
        (counted[start - first], counted[stop - first - 1] + 1, brackets.names[label])
        for start, stop, label in zip(*columns, strict=True)
        if start < stop
    ]


def _system_tags(comparison: TreeComparison, sentence: int, tags: Sequence[str], counted: Sequence[int]) -> list[str]:
    """The system's tags of the words that count; for all others the gold's."""
    import numpy as np

    pair, found = comparison.pair, list(tags)
    if pair.comparable[sentence]:
        first, stop = pair.system.word_offsets[sentence : sentence + 2].tolist()
        theirs = np.arange(first, stop)[~pair.system_dropped[first:stop]]
        for place, tag in zip(counted, pair.system.tags[theirs].strings(), strict=True):
            found[place] = tag
    return found
