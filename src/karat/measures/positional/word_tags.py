"""The tags of words, of which each may have several: distinct sets of tags, and which set each word has.

A column's value is a tag, or several with tabs between, as `form TAB tag TAB tag` lines of tagged text have them; `:=`
behind a tag sets off its probability. CoNLL-U may name further tags in MISC (`XPOSAlt=tag,tag`). In the tagset `ud`,
the tag is UPOS and FEATS together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat._ragged import Ragged, offsets_of
from karat.corpus import Corpus
from karat.errors import DataError, Problem

BETWEEN, PROBABLY = "\t", ":="
NO_TAG = "_"


@dataclass(frozen=True, slots=True, eq=False)
class WordTags:
    """`texts` are the distinct tags. Row i of `members` are the tags of set i; word w has the set `sets[w]`."""

    texts: tuple[str, ...]
    members: Ragged
    sets: Ids

    @property
    def sizes(self) -> Indices:
        """How many tags each set has."""
        return self.members.sizes


def tag_texts(text: str, *, with_probabilities: bool = False) -> list[str]:
    """The tags in a column's value, each once, without probabilities; none for `_`.

    These stand behind `:=`, or `with_probabilities` in every second cell, unless there is but one: that is a tag, as in
    CoNLL-U. A tag whose probability is 0 is none. What is no probability is a `ValueError`.

    >>> tag_texts("subst:sg:nom:n:=0.7\\tsubst:sg:acc:n:=0.3")
    ['subst:sg:nom:n', 'subst:sg:acc:n']
    """
    cells = text.split(BETWEEN)
    if with_probabilities and len(cells) > 1:
        if len(cells) % 2:
            raise ValueError(f"{len(cells)} cells after the form, where tags and probabilities should alternate")
        cells = [f"{tag}{PROBABLY}{probability}" for tag, probability in zip(cells[::2], cells[1::2], strict=True)]
    tags = [_with_probability(cell) for cell in cells]
    return [tag for tag, probability in dict(tags).items() if tag and tag != NO_TAG and probability > 0]


def _with_probability(cell: str) -> tuple[str, float]:
    """A tag and its probability, 1 if it has none."""
    tag, mark, text = cell.rpartition(PROBABLY)
    if not mark:
        return cell, 1.0
    try:
        probability = float(text)
    except ValueError:
        probability = -1.0
    if not 0 <= probability <= 1:
        raise ValueError(f"{text[:40]!r} is not a probability between 0 and 1")
    return tag, probability


def word_tags(
    corpus: Corpus, column: str, *, with_features: bool = False, with_probabilities: bool = False
) -> WordTags:
    """The tags of all words in a column, with alternatives from MISC where it has some; `with_features`, FEATS too."""
    values = corpus.column(column)
    texts: Sequence[str] = values.vocabulary.strings
    ids = values.ids
    if with_features:
        feats = corpus.column("feats")
        ids, texts = _together(ids, texts, feats.ids, feats.vocabulary.strings, lambda tag, other: f"{tag}|{other}")
    key = f"{column.upper()}Alt="
    if "misc" in corpus.names and any(key in one for one in corpus.column("misc").vocabulary.strings):
        misc = corpus.column("misc")
        others = [BETWEEN.join(_others(one, key)) for one in misc.vocabulary.strings]
        ids, texts = _together(ids, texts, misc.ids, others, lambda tag, other: f"{tag}{BETWEEN}{other}")
    codes: dict[str, int] = {}
    of_sets: dict[tuple[int, ...], int] = {}
    _refuse_bad(corpus, column, texts, with_probabilities)
    tags_of_texts = (tag_texts(text, with_probabilities=with_probabilities) for text in texts)
    set_of_text = numbered_values((tuple(numbered_values(tags, codes).tolist()) for tags in tags_of_texts), of_sets)
    every = np.array([code for one in of_sets for code in one], dtype=np.intp)
    members = Ragged(offsets_of([len(one) for one in of_sets]), every)
    sets = set_of_text.take(ids)
    return WordTags(tuple(codes), members, sets)


def _refuse_bad(corpus: Corpus, column: str, texts: Sequence[str], with_probabilities: bool) -> None:
    """A `DataError` where probabilities are none, at the first word that has such."""
    for text in texts:
        try:
            tag_texts(text, with_probabilities=with_probabilities)
        except ValueError as error:
            words = enumerate(corpus.column(column).strings())
            first = next((word for word, one in words if one == text), 0)
            path, line, _ = corpus.place_of_word(first)
            hint = "write probabilities as tag:=0.7, or in separate columns and read them with `probabilities=True`"
            raise DataError(Problem("K303", str(error), path, line, hint=hint)) from None


def _together(
    ids: Ids, texts: Sequence[str], other_ids: Ids, others: Sequence[str], joined: Callable[[str, str], str]
) -> tuple[Ids, list[str]]:
    """Two columns as one: the distinct pairs of their values, joined, and which each word has."""
    ours, theirs, found = numbered_pairs(ids, other_ids, len(texts), len(others))
    return found, [joined(texts[one], others[other]) for one, other in zip(ours.tolist(), theirs.tolist(), strict=True)]


def _others(misc: str, key: str) -> list[str]:
    """The further tags that MISC names."""
    return [tag for field in misc.split("|") if field.startswith(key) for tag in field.removeprefix(key).split(",")]
