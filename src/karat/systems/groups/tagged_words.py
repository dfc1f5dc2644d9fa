"""What groups and co-occurrence look at in words: lemma, part of speech, case, number and gender, as numbers.

In tags such as NKJP's (`subst:sg:nom:m1`) all of these are in XPOS, in UD the part of speech is UPOS and the rest is in
FEATS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus import Corpus
from karat.errors import DataError, Problem, UsageError
from karat.tagsets import TagMap, Tagset, read_tagset

AGREEING = ("case", "number", "gender")
_FEATURES = {"case": "Case", "number": "Number", "gender": "Gender"}  # in UD
UD = "ud"  # the tagset whose tags are UPOS and FEATS
_PUNCTUATION = frozenset({"interp", "PUNCT"})
_MOST_UNREADABLE = 0.5  # of the words' tags, for text to be in a tagset at all


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A value of every word, as a number among `names`; -1 where a word has none."""

    ids: Ids
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TaggedWords:
    """The words of a text; `lemmas` are forms in lower case where the text has no lemmas (`has_lemmas` says so).

    `agreeing` are the values of case, number and gender. `n_unreadable` words have a tag that is not of the tagset:
    their part of speech is the tag as it is.
    """

    forms: Values
    lemmas: Values
    pos: Values
    agreeing: Mapping[str, Values]
    punctuation: Flags
    sentence_offsets: Indices
    tagset: str
    has_lemmas: bool
    n_unreadable: int

    def __len__(self) -> int:
        return len(self.punctuation)

    @property
    def n_sentences(self) -> int:
        return len(self.sentence_offsets) - 1


def tagged_words(corpus: Corpus, *, tagset: str | None = None, mapping: TagMap | None = None) -> TaggedWords:
    """The words of a corpus in a tagset: `ud`, or one of positional tags; None: NKJP's if XPOS has that, else UD's.

    A `mapping` is of the tags of XPOS. A `DataError` for text whose tags are not of the tagset.
    """
    name = tagset or ("nkjp" if _is_nkjp(corpus, mapping) else UD)
    pos, agreeing, n_unreadable = _of_features(corpus) if name == UD else _of_tags(corpus, name, mapping)
    has_lemmas = corpus.has("lemma")
    forms = _values(corpus.column("form").strings())
    lemmas = (
        corpus.column("lemma").strings() if has_lemmas else [one.lower() for one in corpus.column("form").strings()]
    )
    is_punctuation = np.array([one in _PUNCTUATION for one in pos.names], dtype=np.bool_)
    flags: Flags = is_punctuation.take(pos.ids) if len(pos.names) else np.zeros(0, dtype=np.bool_)
    return TaggedWords(
        forms,
        _values(lemmas),
        pos,
        agreeing,
        flags,
        corpus.sentence_offsets,
        name if name == UD else read_tagset(name).name,
        has_lemmas,
        n_unreadable,
    )


def _values(texts: Sequence[str | None]) -> Values:
    known: dict[str, int] = {}
    ids = [-1 if one is None else known.setdefault(one, len(known)) for one in texts]
    return Values(np.array(ids, dtype=np.int32), tuple(known))


def _is_nkjp(corpus: Corpus, mapping: TagMap | None) -> bool:
    if not corpus.has("xpos"):
        return False
    nkjp = read_tagset("nkjp")
    tags, counts = _tags(corpus, mapping)
    errors = [_parsed(nkjp, one) is None for one in tags]
    return bool(counts[np.array(errors, dtype=np.bool_)].sum() < _MOST_UNREADABLE * max(counts.sum(), 1))


def _tags(corpus: Corpus, mapping: TagMap | None) -> tuple[list[str], Indices]:
    """The different tags of XPOS, mapped, and how many words have each."""
    column = corpus.column("xpos")
    tags = [one if mapping is None else mapping[one] for one in column.vocabulary.strings]
    return tags, np.bincount(column.ids, minlength=len(tags))


def _parsed(tagset: Tagset, tag: str) -> tuple[str, Mapping[str, tuple[str, ...]]] | None:
    (found,), _ = tagset.parsed([tag])
    return None if found is None else (found.pos, found.values)


def _of_tags(corpus: Corpus, name: str, mapping: TagMap | None) -> tuple[Values, dict[str, Values], int]:
    """Part of speech, what agrees, and how many tags could not be read, from XPOS."""
    tagset = read_tagset(name)
    if not corpus.has("xpos"):
        raise DataError(Problem("K802", f"there is no XPOS: tags of {name} were expected there", corpus.path))
    tags, counts = _tags(corpus, mapping)
    parsed = [_parsed(tagset, one) for one in tags]
    n_unreadable = int(sum(n for one, n in zip(parsed, counts.tolist(), strict=True) if one is None))
    if n_unreadable > _MOST_UNREADABLE * max(int(counts.sum()), 1):
        bad = next(tag for tag, one in zip(tags, parsed, strict=True) if one is None)
        raise DataError(Problem("K802", f"{bad!r} is no tag of {name}, nor are most others", corpus.path))
    rows = [(tag, {}) if one is None else one for tag, one in zip(tags, parsed, strict=True)]
    return *_by_word(corpus.column("xpos").ids, rows), n_unreadable


def _of_features(corpus: Corpus) -> tuple[Values, dict[str, Values], int]:
    """The same from UPOS and FEATS."""
    if not corpus.has("upos"):
        raise UsageError(f"{corpus.path} has neither UPOS nor tags of NKJP in XPOS: give its `tagset`")
    upos, feats = corpus.column("upos"), corpus.column("feats") if corpus.has("feats") else None
    n_feats = 1 if feats is None else len(feats.vocabulary)
    keys = upos.ids.astype(np.int64) * n_feats + (0 if feats is None else feats.ids)
    used, numbers = np.unique(keys, return_inverse=True)
    rows = []
    for key in used.tolist():
        text = "_" if feats is None else feats.vocabulary[key % n_feats]
        cells = dict(one.partition("=")[::2] for one in text.split("|"))
        values = {name: (cells[of],) for name, of in _FEATURES.items() if of in cells}
        rows.append((upos.vocabulary[key // n_feats], values))
    return *_by_word(numbers.astype(np.int32), rows), 0


def _by_word(
    numbers: Ids, rows: Sequence[tuple[str, Mapping[str, tuple[str, ...]]]]
) -> tuple[Values, dict[str, Values]]:
    """Part of speech and values of all words, from those of different tags; of several values the first."""
    pos = _values([name for name, _ in rows])
    found = {}
    for category in AGREEING:
        of_tags = _values([of[category][0].partition(",")[0] if of.get(category) else None for _, of in rows])
        found[category] = Values(of_tags.ids.take(numbers), of_tags.names)
    return Values(pos.ids.take(numbers), pos.names), found
