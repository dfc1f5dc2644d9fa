"""The language of simulated text as arrays: what can be said, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from karat._arrays import Array, Flags, Floats, Ids, Indices
from karat.simulation.grammar import Derivation, derivations, grammar_from_text
from karat.simulation.lexicon import Reading, WordClass, word_classes, zipf_shares

_SEED = 1998
_N_TEMPLATES = 3000
_NO_SPACE_BEFORE = {"dot", "question", "comma", "semicolon", "whose", "contracted"}


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Sentences without words: template i has the places `offsets[i]` up to `offsets[i + 1]`.

    For each place: its class of words, the place of its head in the sentence counted from 1 (0: the root), its
    relation, whether a space follows, and the brackets before and after it.
    """

    offsets: Indices
    classes: Ids
    heads: Ids
    relations: tuple[str, ...]
    space_after: Flags
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """Words, their possible tags, and the classes from which places of sentences are filled.

    Words and tags are numbered: `words` are the forms, `tag_names` the UPOS tags. `candidates` [words × most tags] has
    the possible tags of each word, in their order, then -1; `n_candidates` their number, `place_of_tag` [words × tags]
    where a tag stands among them, or -1; `readings` are lemma, XPOS and features, `reading_of` [words × tags] their
    number or -1. Class c has the entries `class_offsets[c]` up to `class_offsets[c + 1]` of `entry_words`, with shares
    that are cumulated in `entry_levels`, from c up to c + 1, so that one search serves all classes.
    """

    words: tuple[str, ...]
    tag_names: tuple[str, ...]
    candidates: Array
    n_candidates: Array
    place_of_tag: Array
    readings: tuple[Reading, ...]
    reading_of: Ids
    class_names: tuple[str, ...]
    class_tags: Array
    class_is_open: Flags
    class_offsets: Indices
    entry_words: Ids
    entry_shares: Floats
    entry_levels: Floats
    templates: Templates
    n_rules: int

    @property
    def n_words(self) -> int:
        return len(self.words)

    @property
    def n_tags(self) -> int:
        return len(self.tag_names)

    @property
    def ambiguous_share(self) -> float:
        """The share of tokens whose word can have several tags, in the long run."""
        several = self.entry_shares * (self.n_candidates[self.entry_words] > 1)
        of_class = np.add.reduceat(several, self.class_offsets[:-1])
        return float(of_class[self.templates.classes].mean())


@lru_cache(maxsize=1)
def language() -> Language:
    """The language in which karat simulates: always the same; made on the first call."""
    rng = np.random.default_rng(_SEED)
    classes = word_classes(rng)
    grammar = grammar_from_text()
    xpos = {name: one.xpos for name, one in classes.items()}
    templates = _templates(derivations(grammar, xpos, _N_TEMPLATES, rng), list(classes))
    return _language(classes, templates, grammar.n_rules)


def _language(classes: Mapping[str, WordClass], templates: Templates, n_rules: int) -> Language:
    readings = list(dict.fromkeys(reading for one in classes.values() for reading in one.readings))
    words = tuple(dict.fromkeys(reading.form for reading in readings))
    tag_names = tuple(sorted({reading.upos for reading in readings}))
    number_of_word = {word: i for i, word in enumerate(words)}
    number_of_tag = {tag: i for i, tag in enumerate(tag_names)}
    reading_of = np.full((len(words), len(tag_names)), -1, dtype=np.int32)
    for i, reading in enumerate(readings):
        place = number_of_word[reading.form], number_of_tag[reading.upos]
        if reading_of[place] >= 0:
            raise ValueError(f"{reading.form} has two readings as {reading.upos}")
        reading_of[place] = i
    possible = reading_of >= 0
    n_candidates = possible.sum(axis=1).astype(np.int8)
    most = int(n_candidates.max())
    candidates = np.argsort(~possible, axis=1, kind="stable")[:, :most].astype(np.int8)
    candidates[np.arange(most) >= n_candidates[:, None]] = -1
    shares = [zipf_shares(len(one.readings)) for one in classes.values()]
    entries = [number_of_word[reading.form] for one in classes.values() for reading in one.readings]
    return Language(
        words=words,
        tag_names=tag_names,
        candidates=candidates,
        n_candidates=n_candidates,
        place_of_tag=np.where(possible, np.cumsum(possible, axis=1) - 1, -1).astype(np.int8),
        readings=tuple(readings),
        reading_of=reading_of,
        class_names=tuple(classes),
        class_tags=np.array([number_of_tag[one.upos] for one in classes.values()], dtype=np.int8),
        class_is_open=np.array([one.is_open for one in classes.values()]),
        class_offsets=np.cumsum([0, *(len(one) for one in shares)]),
        entry_words=np.array(entries, dtype=np.int32),
        entry_shares=np.concatenate(shares),
        entry_levels=np.concatenate([np.cumsum(one) + c for c, one in enumerate(shares)]),
        templates=templates,
        n_rules=n_rules,
    )


def _templates(found: list[Derivation], class_names: list[str]) -> Templates:
    number_of_class = {name: i for i, name in enumerate(class_names)}
    space_after: list[bool] = []
    for one in found:
        space_after.extend(follower not in _NO_SPACE_BEFORE for follower in one.classes[1:])
        space_after.append(True)
    return Templates(
        offsets=np.cumsum([0, *(len(one.classes) for one in found)]),
        classes=np.array([number_of_class[name] for one in found for name in one.classes], dtype=np.int32),
        heads=np.array([head + 1 for one in found for head in one.heads], dtype=np.int32),
        relations=tuple(relation or "root" for one in found for relation in one.relations),
        space_after=np.array(space_after),
        before=tuple(text for one in found for text in one.before),
        after=tuple(text for one in found for text in one.after),
    )
