"""The words of simulated text: function words as they are in English, all others made up, their frequencies Zipfian."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from karat.simulation._closed_words import CLOSED_WORDS

_ENTRY = re.compile(r"([^\s=\[\]]+)(?:=([^\s\[\]]+))?(?:\[([^\]]+)\])?")
_ONSETS = "b bl br d dr f fl fr g gl gr h j k kl kr l m n p pl pr r st t tr v w".split()
# no stem ends in -s, -ed, -en, -er, -est, -ing or -ly, so that an inflected form is never another word by chance
_CODAS = "lm nd lt rv sk ld rp ft lk".split()
_FINITE = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
_INFLECTIONS = {
    "z": ("s", "VBZ", _FINITE),
    "d": ("ed", "VBD", "Mood=Ind|Tense=Past|VerbForm=Fin"),
    "b": ("", "VB", "VerbForm=Inf"),
    "g": ("ing", "VBG", "VerbForm=Ger"),
    "n": ("en", "VBN", "Tense=Past|VerbForm=Part"),
}
# how many stems can be what: noun, verb, adjective, adverb; g: the verb's -ing form is a noun too, G: and an adjective;
# n: its participle is an adjective too
_KINDS = {"N": 3000, "V": 900, "A": 800, "NV": 600, "NA": 300, "NVA": 1200, "AR": 150, "NAR": 350, "R": 300}
_KINDS |= {"Vg": 150, "VG": 300, "Vn": 200}
_N_NAMES = 1500
_SHARES_OF_FRAMES = {"vi": 0.45, "vt": 0.75, "vd": 0.04, "vs": 0.08, "vc": 0.06, "vx": 0.03}


class Reading(NamedTuple):
    """What a form is: one line of the lexicon."""

    form: str
    lemma: str
    upos: str
    xpos: str
    features: str


class WordClass(NamedTuple):
    """The readings that can fill a place of a sentence, the most frequent first."""

    upos: str
    xpos: str
    is_open: bool
    readings: Sequence[Reading]


@dataclass(slots=True)
class WordClasses:
    """Classes of words by name, filled one reading after the other."""

    found: dict[str, tuple[str, str, bool, list[Reading]]] = field(default_factory=dict)

    def add(self, name: str, reading: Reading, *, is_open: bool) -> None:
        self.found.setdefault(name, (reading.upos, reading.xpos, is_open, []))[-1].append(reading)

    def all(self) -> dict[str, WordClass]:
        return {name: WordClass(*one) for name, one in self.found.items()}


def zipf_shares(n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The shares of n words by rank, as Zipf and Mandelbrot have them: 1 / (rank + 2.7), made to sum to 1."""
    weights = 1 / (np.arange(n) + 3.7)
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = weights / weights.sum()
    return shares


def word_classes(rng: np.random.Generator) -> dict[str, WordClass]:
    """All classes of words by name; a form has at most one reading for each UPOS.

    A stem that can be several parts of speech has a rank of its own in each, so that mostly one is more frequent.
    """
    classes = WordClasses()
    for line in CLOSED_WORDS.strip().splitlines():
        _add_closed(classes, line)
    taken = {reading.form for *_, readings in classes.found.values() for reading in readings}
    stems = _stems(rng, taken)
    kinds = rng.permutation([kind for kind, n in _KINDS.items() for _ in range(n)]).tolist()
    lemmas = [(next(stems), kind) for kind in kinds]
    for add in (_add_nouns, _add_verbs, _add_adjectives, _add_adverbs):
        for i in rng.permutation(len(lemmas)).tolist():
            stem, kind = lemmas[i]
            add(classes, stem, kind, rng)
    for _ in range(_N_NAMES):
        name = next(stems).capitalize()
        classes.add("nnp", Reading(name, name, "PROPN", "NNP", "Number=Sing"), is_open=True)
    return classes.all()


def _add_closed(classes: WordClasses, line: str) -> None:
    head, _, entries = line.rpartition(" : ")
    name, upos, xpos, shared = head.split(" ")
    for form, lemma, own in _ENTRY.findall(entries):
        features = sorted(part for part in (*shared.split("|"), *own.split("|")) if part not in ("", "_"))
        reading = Reading(form, lemma or form, upos, xpos, "|".join(features) or "_")
        classes.add(name, reading, is_open=False)


def _stems(rng: np.random.Generator, taken: set[str]) -> Iterator[str]:
    """Made-up words, the short ones first."""
    short = ["".join(parts) for parts in product(_ONSETS, "aiou", _CODAS)]
    long = ["".join(parts) for parts in product("bdfglmnprtv", "aeiou", short)]
    for stems in (short, long):
        for i in rng.permutation(len(stems)).tolist():
            if stems[i] not in taken:
                yield stems[i]


def _add_nouns(classes: WordClasses, stem: str, kind: str, _rng: np.random.Generator) -> None:
    for lemma, is_noun in ((stem, "N" in kind), (f"{stem}ing", "g" in kind or "G" in kind)):
        if is_noun:
            classes.add("nn", Reading(lemma, lemma, "NOUN", "NN", "Number=Sing"), is_open=True)
            classes.add("nns", Reading(f"{lemma}s", lemma, "NOUN", "NNS", "Number=Plur"), is_open=True)


def _add_verbs(classes: WordClasses, stem: str, kind: str, rng: np.random.Generator) -> None:
    if "V" not in kind:
        return
    frames = [frame for frame, share in _SHARES_OF_FRAMES.items() if rng.random() < share] or ["vt"]
    for frame in frames:
        for inflection, (suffix, xpos, features) in _INFLECTIONS.items():
            reading = Reading(stem + suffix, stem, "VERB", xpos, features)
            classes.add(f"{frame}.{inflection}", reading, is_open=True)


def _add_adjectives(classes: WordClasses, stem: str, kind: str, _rng: np.random.Generator) -> None:
    for lemma, is_adjective in ((stem, "A" in kind), (f"{stem}ing", "G" in kind), (f"{stem}en", "n" in kind)):
        if is_adjective:
            classes.add("jj", Reading(lemma, lemma, "ADJ", "JJ", "Degree=Pos"), is_open=True)
    if "A" in kind:
        classes.add("jjr", Reading(f"{stem}er", stem, "ADJ", "JJR", "Degree=Cmp"), is_open=True)
        classes.add("jjs", Reading(f"{stem}est", stem, "ADJ", "JJS", "Degree=Sup"), is_open=True)


def _add_adverbs(classes: WordClasses, stem: str, kind: str, _rng: np.random.Generator) -> None:
    if "R" in kind:
        form = stem if "A" in kind else f"{stem}ly"
        classes.add("rb", Reading(form, form, "ADV", "RB", "_"), is_open=True)
