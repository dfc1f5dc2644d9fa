"""Weights by how hard categories are: the mean number of their values a word [Acedański & Przepiórkowski 2010, §2.3.1].

A word's possible tags come from a lexicon (a corpus, or words with their tags) or, for Polish, from Morfeusz 2. Counted
are tokens: a frequent word counts as often as it occurs. A category may be averaged over the words that bear it
(`bearing`), over all words that have an analysis (`word`), or it may count what is there beyond one value (`excess`:
the mean of n − 1 over words that bear it). Conditional on a part of speech p, only analyses with p count, over words
that have such.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from karat.errors import UsageError
from karat.tagsets import Tag, TagError, Tagset
from karat.tagsets._tagset import POS

Per = Literal["bearing", "word", "excess"]
PER: tuple[str, ...] = get_args(Per)


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Average numbers of values: of each category, and by part of speech; and of tags.

    `n_words` are those that have an analysis, `n_unknown` those that have none. `bad` are tags that are not of the
    tagset, with why: they count for nothing.
    """

    tags: float
    absolute: Mapping[str, float]
    conditional: Mapping[str, Mapping[str, float]]
    n_words: int
    n_unknown: int
    bad: Mapping[str, str]


class _Mean:
    """Sums over words for one category."""

    __slots__ = ("bearing", "values")

    def __init__(self) -> None:
        self.values = self.bearing = 0

    def add(self, n_values: int, times: int) -> None:
        self.values += n_values * times
        self.bearing += times

    def mean(self, per: Per, n_words: int) -> float:
        if per == "word":
            return self.values / n_words
        return (self.values - (self.bearing if per == "excess" else 0)) / self.bearing


def ambiguity(
    forms: Mapping[str, int], tags_of: Callable[[str], Collection[str]], tagset: Tagset, *, per: Per = "bearing"
) -> Ambiguity:
    """The average ambiguity of words, given how often each form occurs and its possible tags.

    The part of speech is averaged over all words with an analysis, and never in excess of one unless that is asked for.
    """
    if per not in PER:
        raise UsageError(f"ambiguity per {per!r}: choose from {', '.join(PER)}")
    known: dict[str, Tag | None] = {}
    bad: dict[str, str] = {}
    sums: dict[str, _Mean] = {}
    by_pos: dict[str, dict[str, _Mean]] = {}
    words_of_pos: dict[str, int] = {}
    n_tags = n_words = n_unknown = 0
    for form, times in forms.items():
        found = [_parsed(text, tagset, known, bad) for text in dict.fromkeys(tags_of(form))]
        analyses = [tag for tag in found if tag is not None and tag.text not in tagset.unknown]
        if not analyses:
            n_unknown += times
            continue
        n_words += times
        n_tags += len(analyses) * times
        for category, values in _values(analyses).items():
            sums.setdefault(category, _Mean()).add(len(values), times)
        parts_of_speech = dict.fromkeys(tag.pos for tag in analyses)
        for pos in parts_of_speech:
            words_of_pos[pos] = words_of_pos.get(pos, 0) + times
            here = by_pos.setdefault(pos, {})
            here.setdefault(POS, _Mean()).add(len(parts_of_speech), times)
            for category, values in _values([tag for tag in analyses if tag.pos == pos]).items():
                if category != POS:
                    here.setdefault(category, _Mean()).add(len(values), times)
    if not n_words:
        raise UsageError("no word has an analysis in this tagset")
    return Ambiguity(
        n_tags / n_words,
        {category: one.mean(per, n_words) for category, one in sums.items()},
        {
            pos: {category: one.mean(per, words_of_pos[pos]) for category, one in table.items()}
            for pos, table in by_pos.items()
        },
        n_words,
        n_unknown,
        bad,
    )


def _parsed(text: str, tagset: Tagset, known: dict[str, Tag | None], bad: dict[str, str]) -> Tag | None:
    if text not in known:
        try:
            known[text] = tagset.parse(text)
        except TagError as error:
            known[text], bad[text] = None, error.message
    return known[text]


def _values(tags: Iterable[Tag]) -> dict[str, set[str]]:
    """The values of each category, the part of speech among them, over several analyses."""
    found: dict[str, set[str]] = {}
    for tag in tags:
        found.setdefault(POS, set()).add(tag.pos)
        for category, values in tag.values.items():
            found.setdefault(category, set()).update(values)
    return found
