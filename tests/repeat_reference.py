"""Repeats by brute force: all n-grams in dictionaries, straight from the definitions."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Place", "Word", "found_repeats", "found_suspicious", "units_of"]


@dataclass(frozen=True)
class Word:
    """A word with its annotation; `head` counts words of the sentence from 1, 0 for the root."""

    form: str
    upos: str = "X"
    xpos: str = "x"
    head: int = 0
    deprel: str = "dep"


Sentence = Sequence[Word]
Place = tuple[int, int, tuple[int, ...]]  # corpus, sentence, words of the sentence
Units = list[list[list[tuple[str, int]]]]  # corpora, sentences, what is compared and its word


def units_of(corpora: Sequence[Sequence[Sentence]], fold_case: bool = False, punctuation: bool = True) -> Units:
    """The words of each sentence that count, as they are compared."""

    def is_kept(form: str) -> bool:
        return punctuation or not all(unicodedata.category(letter).startswith("P") for letter in form)

    def compared(form: str) -> str:
        return form.casefold() if fold_case else form

    return [
        [[(compared(word.form), at) for at, word in enumerate(s) if is_kept(word.form)] for s in corpus]
        for corpus in corpora
    ]


def found_repeats(
    units: Units,
    min_words: int = 3,
    max_words: int | None = None,
    two_sentences: bool = True,
    between: bool = False,
    touching: int | None = None,
) -> dict[tuple[str, ...], list[Place]]:
    """All maximal repeats with their places."""
    places: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    around: dict[tuple[str, ...], list[tuple[object, object]]] = defaultdict(list)
    for corpus, sentences in enumerate(units):
        for number, sentence in enumerate(sentences):
            for start, stop in combinations(range(len(sentence) + 1), 2):
                gram = tuple(text for text, _ in sentence[start:stop])
                places[gram].append((corpus, number, tuple(word for _, word in sentence[start:stop])))
                before = sentence[start - 1][0] if start else object()  # equal to nothing else
                behind = sentence[stop][0] if stop < len(sentence) else object()
                around[gram].append((before, behind))
    return {
        gram: found
        for gram, found in places.items()
        if len(found) > 1
        and len({before for before, _ in around[gram]}) > 1
        and len({behind for _, behind in around[gram]}) > 1
        and min_words <= len(gram) <= (max_words or len(gram))
        and (not two_sentences or len({place[:2] for place in found}) > 1)
        and (not between or len({place[0] for place in found}) > 1)
        and (touching is None or touching in {place[0] for place in found})
    }


def labelling_of(corpora: Sequence[Sequence[Sentence]], place: Place, of: str) -> tuple[str, ...]:
    """The labels at a place, as karat writes them."""
    corpus, number, words = place
    sentence = corpora[corpus][number]
    if of != "dependencies":
        return tuple(" ".join(getattr(sentence[word], column) for column in of.split("+")) for word in words)
    found = []
    for at, word in enumerate(words):
        head = sentence[word].head - 1
        inside = head in words
        found.append(f"{sentence[word].deprel}{words.index(head) - at:+d}" if inside else "outside")
    return tuple(found)


@dataclass(frozen=True)
class Found:
    """What is to be known of a suspicious repeat."""

    labellings: dict[tuple[str, ...], list[Place]]
    positions: tuple[int, ...]
    disjoint: bool
    non_fringe: bool
    majority_share: float


def found_suspicious(
    corpora: Sequence[Sequence[Sentence]], repeats: dict[tuple[str, ...], list[Place]], of: str
) -> dict[tuple[str, ...], Found]:
    """The repeats with more than one labelling."""
    suspicious = {}
    for gram, places in repeats.items():
        labellings: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        for place in places:
            labellings[labelling_of(corpora, place, of)].append(place)
        if len(labellings) == 1:
            continue
        positions = tuple(at for at in range(len(gram)) if len({labels[at] for labels in labellings}) > 1)
        by_corpus: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        for labels, its_places in labellings.items():
            for place in its_places:
                by_corpus[place[0]].add(labels)
        disjoint = any(one.isdisjoint(other) for one, other in combinations(by_corpus.values(), 2))
        inner = any(0 < at < len(gram) - 1 for at in positions)
        share = max(map(len, labellings.values())) / len(places)
        suspicious[gram] = Found(dict(labellings), positions, disjoint, inner, share)
    return suspicious
