"""Words of a grammar: how likely a word is given its tag, unknown ones by what they look like.

A word that is rare or unknown is known by its signature: ending, capital letter, digit, hyphen. The signature says what
tags words that were seen once in training and look the same have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Ids, Indices
from karat.errors import DataError
from karat.systems.model_file import Model
from karat.systems.pcfg.chart import PossibleTags
from karat.systems.pcfg.treebank_rules import TreebankRules

_RARE = 5  # a word that is seen less often is also judged by its looks
_LONGEST_ENDING = 3
_ENOUGH = 3  # words that share a signature, for it to be used


def signatures(form: str) -> list[str]:
    """What a word looks like, from the most special to nothing at all.

    >>> signatures("Well-known")
    ['Ch-own', 'Ch-wn', 'Ch-n', 'Ch', '']
    """
    looks = "C" * form[:1].isupper() + "d" * any(one.isdigit() for one in form) + "h" * ("-" in form[1:])
    endings = [form[-n:].lower() for n in range(min(_LONGEST_ENDING, len(form) - 1), 0, -1)]
    return [*(f"{looks}-{one}" for one in endings), looks, ""] if looks else [*(f"-{one}" for one in endings), ""]


@dataclass(frozen=True, eq=False)
class ParserLexicon:
    """How often forms and signatures have each tag, and how often each tag is there.

    `words` and `looks` are rows of (form or signature, tag, how often).
    """

    forms: tuple[str, ...]
    words: Ids
    signatures: tuple[str, ...]
    looks: Ids
    tag_counts: Ids

    @cached_property
    def _words(self) -> dict[str, tuple[Ids, Ids]]:
        return _by_name(self.forms, self.words)

    @cached_property
    def _looks(self) -> dict[str, tuple[Ids, Ids]]:
        return _by_name(self.signatures, self.looks)

    @cached_property
    def _known(self) -> dict[str, PossibleTags]:
        return {}

    def tags_of(self, form: str) -> PossibleTags:
        """The tags that a word can have, with log P(word | tag)."""
        found = self._known.get(form)
        if found is None:
            found = self._known[form] = self._tags_of(form)
        return found

    def knows(self, form: str) -> bool:
        """Whether the word was in the training text."""
        return form in self._words

    def _tags_of(self, form: str) -> PossibleTags:
        counts = np.zeros(len(self.tag_counts))
        tags, times = self._words.get(form, (np.zeros(0, np.int32), np.zeros(0, np.int32)))
        counts[tags] = times
        totals = self.tag_counts.astype(np.float64)
        if times.sum() < _RARE:
            seen = (self._looks[one] for one in signatures(form) if one in self._looks)
            tags, times = next(seen, (np.arange(len(counts), dtype=np.int32), self.tag_counts))
            counts[tags] += times / times.sum()
            totals += 1  # one word more, which has these tags
        chosen = np.flatnonzero(counts).astype(np.int32)
        return PossibleTags(chosen, np.log(counts[chosen] / totals[chosen]))

    def parts(self) -> tuple[dict[str, Ids], dict[str, tuple[str, ...]]]:
        """What is kept of it in a model: arrays and texts."""
        arrays = {"words": self.words, "looks": self.looks, "tag_counts": self.tag_counts}
        return arrays, {"forms": self.forms, "signatures": self.signatures}

    @classmethod
    def from_model(cls, model: Model, n_tags: int) -> ParserLexicon:
        """The lexicon that was kept."""
        forms, looks = tuple(model.lines("forms")), tuple(model.lines("signatures"))
        rows = []
        for name, n in (("words", len(forms)), ("looks", len(looks))):
            found = model.array(name, "int32", 2)
            if found.shape[1] != 3 or (found < [0, 0, 1]).any() or (found[:, :2] >= [n, n_tags]).any():
                raise _wrong(model, name)
            rows.append(found)
        tag_counts = model.numbers("tag_counts", 2**31 - 1, least=1)
        if len(tag_counts) != n_tags:
            raise _wrong(model, "tag_counts")
        return cls(forms, rows[0], looks, rows[1], tag_counts)


def _wrong(model: Model, name: str) -> DataError:
    return model.problem(f"{name} is no part of a lexicon")


def _by_name(names: tuple[str, ...], rows: Ids) -> dict[str, tuple[Ids, Ids]]:
    """The tags and counts of every name; rows are in the order of names."""
    bounds = np.searchsorted(rows[:, 0], np.arange(len(names) + 1)).tolist()
    return {name: (rows[a:b, 1], rows[a:b, 2]) for name, a, b in zip(names, bounds[:-1], bounds[1:], strict=True)}


def lexicon_from_counts(counts: TreebankRules) -> ParserLexicon:
    """The lexicon of a treebank's words."""
    tags, forms = counts.words[:, 0], counts.words[:, 1]
    words = _tallied(forms, tags, counts.n_tags)
    of_form = np.bincount(forms, minlength=len(counts.forms))
    once = np.flatnonzero(of_form.take(forms) == 1)
    names: dict[str, int] = {}
    rows = [
        (names.setdefault(one, len(names)), tag)
        for form, tag in zip(forms[once].tolist(), tags[once].tolist(), strict=True)
        for one in signatures(counts.forms[form])
    ]
    columns = np.array(rows, dtype=np.intp).reshape(-1, 2)
    looks = _tallied(columns[:, 0], columns[:, 1], counts.n_tags)
    totals = np.bincount(looks[:, 0], weights=looks[:, 2], minlength=len(names))
    used = np.flatnonzero(totals >= _ENOUGH)
    number = np.full(len(names), -1, dtype=np.int32)
    number[used] = np.arange(len(used))
    looks = looks[number.take(looks[:, 0]) >= 0]
    looks[:, 0] = number.take(looks[:, 0])
    every = list(names)
    tag_counts = np.bincount(tags, minlength=counts.n_tags).astype(np.int32)
    return ParserLexicon(counts.forms, words, tuple(every[one] for one in used.tolist()), looks, tag_counts)


def _tallied(names: Indices, tags: Indices, n_tags: int) -> Ids:
    """Rows of (name, tag, how often), in order."""
    keys, times = np.unique(names * n_tags + tags, return_counts=True)
    return np.stack([*np.divmod(keys, n_tags), times], axis=1).astype(np.int32)
