"""Co-occurrence written straight from the paper: loops over sentences, objects and hypernyms, and dicts that count.

An object is a dict of what its two heads are; a text is a list of sentences, each a tuple of word forms and a list of
objects. A wordnet is a dict of parents by synset and a dict of synsets by lemma and part of speech.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.systems.groups.syntactic_objects import SyntacticObjects

__all__ = ["Head", "Sentence", "Thing", "WordnetOf", "sentences_of", "signals_by_loops"]


@dataclass(frozen=True)
class Head:
    """A word that heads an object; None for what it has not."""

    lemma: str | None
    pos: str | None
    case: str | None
    gender: str | None
    number: str | None


@dataclass(frozen=True)
class Thing:
    """An object."""

    syntactic: Head
    semantic: Head


@dataclass(frozen=True)
class Sentence:
    forms: tuple[str, ...]
    things: tuple[Thing, ...]


@dataclass
class WordnetOf:
    """Parents of synsets, and synsets by lemma in lower case and part of speech (n, v, a, r)."""

    parents: Mapping[str, Sequence[str]]
    senses: Mapping[tuple[str, str], Sequence[str]]
    tagset: str
    known: dict[str, frozenset[str]] = field(default_factory=dict)

    def above(self, synset: str) -> frozenset[str]:
        """The synset and all above it."""
        if synset not in self.known:
            found = {synset}
            for parent in self.parents.get(synset, ()):
                found |= self.above(parent)
            self.known[synset] = frozenset(found)
        return self.known[synset]

    def hypernyms(self, head: Head) -> frozenset[str]:
        if head.lemma is None:
            return frozenset()
        found: set[str] = set()
        for part in _parts(head.pos, self.tagset):
            for synset in self.senses.get((head.lemma.lower(), part), ()):
                found |= self.above(synset)
        return frozenset(found)


_NKJP = {
    "n": "subst depr",
    "v": "fin praet bedzie impt imps inf pcon pant ger pact ppas winien",
    "a": "adj adja adjp adjc",
    "r": "adv",
}
_UD = {"n": "NOUN PROPN", "v": "VERB", "a": "ADJ", "r": "ADV"}


def _parts(pos: str | None, tagset: str) -> str:
    if pos is None or tagset not in ("ud", "nkjp") or pos in ("brev", "ign", "X"):
        return "nvar"
    return "".join(part for names in (_NKJP, _UD) for part, of in names.items() if pos in of.split())


def sentences_of(objects: SyntacticObjects) -> list[Sentence]:
    """The same text, word by word."""
    words = objects.words
    found = []

    def value(values: Any, word: int) -> str | None:
        return None if values.ids[word] < 0 else values.names[values.ids[word]]

    def head(word: int) -> Head:
        agreeing = [value(words.agreeing[what], word) for what in ("case", "gender", "number")]
        return Head(value(words.lemmas, word), value(words.pos, word), *agreeing)

    for s in range(words.n_sentences):
        forms = [value(words.forms, i) or "" for i in range(words.sentence_offsets[s], words.sentence_offsets[s + 1])]
        places = range(objects.offsets[s], objects.offsets[s + 1])
        things = [Thing(head(int(objects.syntactic[i])), head(int(objects.semantic[i]))) for i in places]
        found.append(Sentence(tuple(forms), tuple(things)))
    return found


def _agreement(x: Thing, y: Thing) -> tuple[str, ...]:
    found = []
    for what in ("number", "gender", "case"):
        one, other = getattr(x.syntactic, what), getattr(y.syntactic, what)
        found.append("lacks" if one is None or other is None else "agree" if one == other else "differ")
    return tuple(found)


def _valence(y: Thing) -> tuple[Any, ...]:
    head = y.syntactic
    return ("lemma", head.lemma, head.case) if head.pos in ("prep", "ADP") else ("pos", head.pos, head.case)


Observations = Callable[[Thing, Thing], Iterable[tuple[Any, Any]]]


def _combination(*names: str) -> Observations:
    def read(thing: Thing) -> tuple[Any, ...]:
        return tuple(getattr(thing.syntactic, name) for name in names)

    return lambda x, y: [(read(x), read(y))]


def features(wordnet: WordnetOf | None) -> dict[str, Observations]:
    """For each feature, what an ordered pair of objects adds: pairs of a left and a right value."""
    found: dict[str, Observations] = {
        "collocation": lambda x, y: [(x.semantic.lemma, y.semantic.lemma)],
        "valence": lambda x, y: [(x.semantic.lemma, _valence(y))],
        "case": _combination("case"),
        "gender": _combination("gender"),
        "number": _combination("number"),
        "case+gender": _combination("case", "gender"),
        "case+number": _combination("case", "number"),
        "gender+number": _combination("gender", "number"),
        "case+gender+number": _combination("case", "gender", "number"),
        "pos-case": lambda x, y: [(x.syntactic.pos, y.syntactic.case)],
        "agreement": lambda x, y: [(x.syntactic.pos, (y.syntactic.pos, _agreement(x, y)))],
    }
    if wordnet is not None:
        of = wordnet.hypernyms
        found |= {
            "lemma-hypernym": lambda x, y: [(x.semantic.lemma, h) for h in of(y.semantic)],
            "lemma-hypernym+case": lambda x, y: [(x.semantic.lemma, (h, y.syntactic.case)) for h in of(y.semantic)],
            "hypernym-hypernym": lambda x, y: [(g, h) for g in of(x.semantic) for h in of(y.semantic)],
        }
    return found


class Counts:
    """How often values were observed together, on the left, on the right, and all observations."""

    def __init__(self, text: Iterable[Sentence], observations: Observations) -> None:
        self.both: Counter[Any] = Counter()
        self.left: Counter[Any] = Counter()
        self.right: Counter[Any] = Counter()
        self.n = 0
        for sentence in text:
            for i, x in enumerate(sentence.things):
                for j, y in enumerate(sentence.things):
                    if i != j:
                        for left, right in observations(x, y):
                            self.both[left, right] += 1
                            self.left[left] += 1
                            self.right[right] += 1
                            self.n += 1

    def minus(self, other: Counts, pair: tuple[Any, Any]) -> tuple[int, int, int, int]:
        """The table of a pair without another text's."""
        left, right = pair
        return (
            self.both[pair] - other.both[pair],
            self.left[left] - other.left[left],
            self.right[right] - other.right[right],
            self.n - other.n,
        )


def measures_by_hand(o: int, r: int, c: int, n: int) -> list[float]:
    """The six association measures of one table."""
    if not (n and r and c):
        return [0.0] * 6
    e = r * c / n
    some = o if o else 0.5
    g = chi = 0.0
    for cell, row, column in ((o, r, c), (r - o, r, n - c), (c - o, n - r, c), (n - r - c + o, n - r, n - c)):
        if row and column:
            expected = row * column / n
            chi += (cell - expected) ** 2 / expected
            g += 2 * cell * math.log(cell / expected) if cell else 0
    return [g, chi, (some - e) / math.sqrt(some), (o - e) / math.sqrt(e), math.log2(some / e), o / n]


def signals_by_loops(
    counted: Sequence[Sentence],
    asked: Sequence[Sentence],
    wordnet: WordnetOf | None,
    threshold: float,
    *,
    recount: bool,
    leave_own_out: bool = True,
) -> list[list[float]]:
    """The signals of every ordered pair. A sentence's copies are left out by counting all of the text but them anew.

    Without `recount`, which takes long, what they add is counted and subtracted.
    """
    every = features(wordnet)
    whole = {name: Counts(counted, observations) for name, observations in every.items()}
    rows = []
    for sentence in asked:
        copies = [one for one in counted if leave_own_out and one.forms == sentence.forms]
        others = [one for one in counted if not leave_own_out or one.forms != sentence.forms]
        if recount:
            kept = {name: Counts(others, observations) for name, observations in every.items()}
            left_out = {name: Counts((), observations) for name, observations in every.items()}
        else:
            kept, left_out = whole, {name: Counts(copies, observations) for name, observations in every.items()}
        for i, x in enumerate(sentence.things):
            for j, y in enumerate(sentence.things):
                if i == j:
                    continue
                row = [abs(i - j) - 1.0, 1.0 if j > i else -1.0]
                for name, observations in every.items():
                    pairs = list(observations(x, y))
                    if name == "hypernym-hypernym":
                        assert wordnet is not None
                        pairs = _least_general(
                            [p for p in pairs if kept[name].minus(left_out[name], p)[0] > threshold], wordnet
                        )
                    tables = [kept[name].minus(left_out[name], pair) for pair in pairs]
                    found = [measures_by_hand(*table) for table in tables] or [[0.0] * 6]
                    row += [max(column) for column in zip(*found, strict=True)]
                rows.append(row)
    return rows


def _least_general(pairs: list[tuple[str, str]], wordnet: WordnetOf) -> list[tuple[str, str]]:
    """The pairs without another one that is at or below them in both places."""
    return [
        (g, h)
        for g, h in pairs
        if not any((a, b) != (g, h) and g in wordnet.above(a) and h in wordnet.above(b) for a, b in pairs)
    ]
