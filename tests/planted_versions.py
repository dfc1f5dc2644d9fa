"""Two versions of a small corpus whose differences are known: planted, one by one; and what must be said of them.

Words know which word they were (`unit`), so that nothing has to be aligned to know the truth. What is a convention is
found here by plain loops over all words, from the rule as docs/diff.md states it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

__all__ = ["Planted", "PlantedSentence", "PlantedWord", "conllu_of", "expected_labels", "planted"]

FEWEST_PLACES, LEAST_SHARE, FEWEST_FORMS = 5, 0.8, 3
SCOPES = [(), ("upos",), ("deprel",), ("lemma",), ("form",), ("lemma", "upos"), ("lemma", "deprel")]
# form: lemma, possible UPOS
WORDS = {
    "to": ("to", ["ADP", "PART"]),
    "To": ("to", ["ADP", "PART"]),
    "be": ("be", ["AUX", "VERB"]),
    "is": ("be", ["AUX", "VERB"]),
    "that": ("that", ["SCONJ", "PRON", "DET"]),
    "gate": ("gate", ["NOUN", "NOUN", "VERB"]),
    "river": ("river", ["NOUN"]),
    "runs": ("run", ["VERB", "NOUN"]),
    "slowly": ("slowly", ["ADV"]),
    "well": ("well", ["ADV", "NOUN", "INTJ"]),
    "old": ("old", ["ADJ", "NOUN"]),
}
RELATIONS = ["nsubj", "obj", "case", "mark", "advmod"]
FEATURES = {"Case": ["Nom", "Acc"], "Number": ["Sing", "Plur"], "Tense": ["Past", "Pres"]}


@dataclass(eq=False)
class PlantedWord:
    """A word; `unit` is the same for a word and what became of it, `is_compared` is False where its form changed."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: dict[str, str]
    deprel: str
    unit: int
    head: PlantedWord | None = None
    is_compared: bool = True


@dataclass(eq=False)
class PlantedSentence:
    """A sentence; `number` is the same in both versions."""

    number: int
    name: str | None
    document: str
    words: list[PlantedWord]

    def token(self, word: PlantedWord | None) -> int:
        return 0 if word is None else self.words.index(word) + 1

    @property
    def text(self) -> str:
        return " ".join(word.form for word in self.words)


@dataclass
class Planted:
    """Both versions and what was done: sentences by number, words by sentence number and forms before and after."""

    old: list[PlantedSentence]
    new: list[PlantedSentence]
    removed: set[int] = field(default_factory=set)
    added: set[int] = field(default_factory=set)
    edited: set[int] = field(default_factory=set)
    renamed: set[int] = field(default_factory=set)
    documents: dict[str, str] = field(default_factory=dict)
    retokenised: list[tuple[int, str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)


def conllu_of(sentences: list[PlantedSentence]) -> bytes:
    lines: list[str] = []
    document = None
    for sentence in sentences:
        if sentence.document != document:
            lines.append(f"# newdoc id = {sentence.document}")
        document = sentence.document
        if sentence.name is not None:
            lines.append(f"# sent_id = {sentence.name}")
        for number, word in enumerate(sentence.words, start=1):
            feats = "|".join(f"{name}={value}" for name, value in sorted(word.feats.items())) or "_"
            fields = [number, word.form, word.lemma, word.upos, word.xpos, feats, sentence.token(word.head)]
            lines.append("\t".join(map(str, [*fields, word.deprel, "_", "_"])))
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


# ---- planting --------------------------------------------------------------------------------------------------------


class _Planter:
    def __init__(self, seed: int, n_sentences: int, *, named: bool) -> None:
        self.random = Random(seed)
        self.units = iter(range(1_000_000))
        self.named = named
        old = [self.sentence(number, f"d{number * 3 // n_sentences}") for number in range(n_sentences)]
        self.made = Planted(old, deepcopy(old))

    def unique(self) -> str:
        return "".join(self.random.choice("bcdfghjklmnpqrstvwxz") for _ in range(7))

    def word(self, form: str) -> PlantedWord:
        lemma, tags = WORDS.get(form, (form, ["NOUN", "VERB"]))
        upos = self.random.choice(tags)
        feats = {name: self.random.choice(values) for name, values in FEATURES.items() if self.random.random() < 0.4}
        relation = self.random.choice(RELATIONS)
        return PlantedWord(form, lemma, upos, upos.lower() + form[0], feats, relation, next(self.units))

    def sentence(self, number: int, document: str) -> PlantedSentence:
        forms = [self.random.choice(list(WORDS)) for _ in range(self.random.randint(3, 8))]
        for _ in range(3):
            forms.insert(self.random.randint(0, len(forms)), self.unique())
        words = [self.word(form) for form in forms]
        for word in words:
            word.head = self.random.choice([None, *(one for one in words if one is not word)])
        return PlantedSentence(number, f"s{number}" if self.named else None, document, words)

    def some(self, share: float) -> Iterator[PlantedSentence]:
        yield from [one for one in self.made.new if self.random.random() < share]

    def words(self) -> list[PlantedWord]:
        return [word for sentence in self.made.new for word in sentence.words]

    # what is done to labels

    def convention_of_a_word(self) -> None:
        """All of a form, or of a lemma, with one tag, get another."""
        by = self.random.choice(["form", "lemma"])
        one = self.random.choice(self.words())
        value, was = getattr(one, by), one.upos
        others = ["X", "SYM", "NOUN", "ADP"]
        becomes = self.random.choice(others)
        self.change(lambda word: getattr(word, by) == value and word.upos == was, "upos", becomes)

    def convention_of_a_class(self) -> None:
        """All with a tag, or with a relation, get another, or a feature, or lose one; or become roots."""
        kind = self.random.choice(["upos", "deprel", "feature", "head"])
        one = self.random.choice(self.words())
        if kind == "feature":
            name, upos = self.random.choice(list(FEATURES)), one.upos
            value = self.random.choice([None, "Yes"])
            self.change(lambda word: word.upos == upos, name, value)
        elif kind == "head":
            relation = one.deprel
            self.change(lambda word: word.deprel == relation, "head", None)
        else:
            was = getattr(one, kind)
            self.change(lambda word: getattr(word, kind) == was, kind, f"{was}:new")

    def change(self, chosen: Callable[[PlantedWord], bool], what: str, becomes: str | None) -> None:
        """Change all words chosen, but for some that are forgotten."""
        for word in self.words():
            if chosen(word) and self.random.random() > 0.05:
                if what not in FEATURES:
                    setattr(word, what, becomes)
                elif becomes is None:
                    word.feats.pop(what, None)
                else:
                    word.feats[what] = becomes

    def sporadic_fix(self) -> None:
        sentence = self.random.choice(self.made.new)
        word = self.random.choice(sentence.words)
        what = self.random.choice(["upos", "xpos", "lemma", "deprel", "head", "Case"])
        if what == "head":
            word.head = self.random.choice([None, *(one for one in sentence.words if one is not word)])
        elif what == "Case":
            word.feats["Case"] = self.random.choice(["Gen", "Nom"])
        else:
            setattr(word, what, self.random.choice(["ADV", "VERB", "Q"]))

    # what is done to words

    def split(self, sentence: PlantedSentence, at: int) -> None:
        word = sentence.words[at]
        if len(word.form) < 2:
            return
        cut = self.random.randint(1, len(word.form) - 1)
        first, second = (deepcopy_of(word, form) for form in (word.form[:cut], word.form[cut:]))
        second.head = first
        sentence.words[at : at + 1] = [first, second]
        self.point(sentence, word, first)
        self.made.retokenised.append((sentence.number, "split", (word.form,), (first.form, second.form)))

    def join(self, sentence: PlantedSentence, at: int) -> None:
        first, second = sentence.words[at : at + 2]
        joined = deepcopy_of(first, first.form + second.form)
        joined.head = first.head if first.head is not second else None
        sentence.words[at : at + 2] = [joined]
        for one in (first, second):
            self.point(sentence, one, joined)
        if joined.head is joined:
            joined.head = None
        (before,) = (one for one in self.made.old if one.number == sentence.number)
        for word in before.words:
            if word.unit == second.unit:
                word.unit, word.is_compared = first.unit, False
            elif word.unit == first.unit:
                word.is_compared = False
        self.made.retokenised.append((sentence.number, "joined", (first.form, second.form), (joined.form,)))

    @staticmethod
    def point(sentence: PlantedSentence, was: PlantedWord, now: PlantedWord) -> None:
        for word in sentence.words:
            if word.head is was:
                word.head = now

    def retokenise(self) -> None:
        for sentence in self.some(0.2):
            places = list(range(0, len(sentence.words) - 1, 2))  # neighbours of what was cut stay as they are
            for at in sorted(self.random.sample(places, min(2, len(places))), reverse=True):
                self.random.choice([self.split, self.join])(sentence, at)

    # what is done to sentences

    def edit(self) -> None:
        """Replace, delete or insert a word that is nowhere else, in sentences that have the same tokens still."""
        done = {number for number, *_ in self.made.retokenised}
        for sentence in self.some(0.2):
            if sentence.number in done:
                continue
            at, word = self.random.choice([(i, w) for i, w in enumerate(sentence.words) if w.form not in WORDS])
            kind = self.random.choice(["replace", "delete", "insert"])
            if kind == "replace":
                word.form, word.is_compared = self.unique(), False
            elif kind == "insert":
                new = self.word(self.unique())
                new.head, new.is_compared = word, False
                sentence.words.insert(at, new)
            else:
                del sentence.words[at]
                self.point(sentence, word, sentence.words[0])
            self.made.edited.add(sentence.number)

    def remove_and_add(self) -> None:
        for sentence in list(self.some(0.1)):
            if sentence.number not in self.made.edited and len(self.made.new) > 2:
                self.made.new.remove(sentence)
                self.made.removed.add(sentence.number)
                self.made.retokenised = [one for one in self.made.retokenised if one[0] != sentence.number]
        for number in range(self.random.randint(0, 2)):
            words = [self.word(self.unique()) for _ in range(5)]
            for word in words[1:]:
                word.head = words[0]
            name = f"new{number}" if self.named else None
            place = self.random.randint(0, len(self.made.new))
            beside = self.made.new[min(place, len(self.made.new) - 1)]
            self.made.new.insert(place, PlantedSentence(10_000 + number, name, beside.document, words))
            self.made.added.add(10_000 + number)

    def reorder(self) -> None:
        """Move sentences within their documents."""
        if self.random.random() < 0.5:
            order = {number: self.random.random() for number in range(11_000)}
            documents = list(dict.fromkeys(one.document for one in self.made.new))
            self.made.new.sort(key=lambda one: (documents.index(one.document), order[one.number]))

    def rename(self) -> None:
        for sentence in self.some(0.1):
            if self.named and sentence.number not in self.made.added:
                sentence.name = f"other-{sentence.number}"
                self.made.renamed.add(sentence.number)
        if self.random.random() < 0.3:
            document = self.made.new[0].document
            kept = [one for one in self.made.new if one.document == document]
            if any(one.number not in self.made.added for one in kept):
                self.made.documents[document] = f"{document}-renamed"
                for one in kept:
                    one.document = f"{document}-renamed"


def deepcopy_of(word: PlantedWord, form: str) -> PlantedWord:
    feats = dict(word.feats)
    return PlantedWord(form, word.lemma, word.upos, word.xpos, feats, word.deprel, word.unit, word.head, False)


def planted(seed: int, *, n_sentences: int = 14, named: bool = True) -> Planted:
    """Two versions with all kinds of differences, at random."""
    planter = _Planter(seed, n_sentences, named=named)
    for _ in range(planter.random.randint(0, 2)):
        planter.convention_of_a_word()
    for _ in range(planter.random.randint(0, 2)):
        planter.convention_of_a_class()
    for _ in range(planter.random.randint(0, 8)):
        planter.sporadic_fix()
    planter.retokenise()
    planter.edit()
    planter.remove_and_add()
    planter.reorder()
    planter.rename()
    return planter.made


# ---- what must be found ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Compared:
    """A word that both versions have."""

    was: PlantedWord
    now: PlantedWord
    old_sentence: PlantedSentence
    sentence: PlantedSentence


def expected_labels(made: Planted) -> tuple[list[Any], list[Any]]:
    """Conventions and sporadic changes, as `VersionDiff.to_dict` has them, but for examples."""
    words = _compared(made)
    columns: list[tuple[str, str | None]] = [(one, None) for one in ("upos", "xpos", "lemma", "head", "deprel")]
    columns += [("feats", name) for name in FEATURES]
    conventions: list[Any] = []
    sporadic: list[Any] = []
    for column, feature in columns:
        found, left = _told_apart(words, column, feature)
        conventions += found
        sporadic += left
    return conventions, sporadic


def _compared(made: Planted) -> list[_Compared]:
    before = {sentence.number: sentence for sentence in made.old}
    found = []
    for sentence in made.new:
        if sentence.number in before:
            old = {word.unit: word for word in before[sentence.number].words if word.is_compared}
            words = [word for word in sentence.words if word.is_compared and word.unit in old]
            found += [_Compared(old[word.unit], word, before[sentence.number], sentence) for word in words]
    return found


def _label(word: PlantedWord, sentence: PlantedSentence, column: str, feature: str | None) -> str | None:
    if feature is not None:
        return f"{feature}={word.feats[feature]}" if feature in word.feats else None
    if column != "head":
        return str(getattr(word, column))
    if word.head is None:
        return "root"
    is_left = sentence.token(word.head) < sentence.token(word)
    return f"{word.head.upos} {'left' if is_left else 'right'}"


def _is_changed(one: _Compared, column: str, feature: str | None) -> bool:
    if column == "head":
        units = [None if word.head is None else word.head.unit for word in (one.was, one.now)]
        return units[0] != units[1]
    return _label(one.was, one.old_sentence, column, feature) != _label(one.now, one.sentence, column, feature)


def _told_apart(words: list[_Compared], column: str, feature: str | None) -> tuple[list[Any], list[Any]]:
    left = [one for one in words if _is_changed(one, column, feature)]
    conventions = []
    for scope in SCOPES:
        if column in scope:
            continue
        could: Counter[Any] = Counter()
        kept: defaultdict[Any, list[Any]] = defaultdict(list)
        for one in words:
            key = _scope(one.was, scope), _label(one.was, one.old_sentence, column, feature)
            could[key] += 1
            if not _is_changed(one, column, feature):
                kept[key].append((one.sentence.name, one.sentence.token(one.now)))
        groups: defaultdict[Any, list[_Compared]] = defaultdict(list)
        for one in left:
            labels = [
                _label(one.was, one.old_sentence, column, feature),
                _label(one.now, one.sentence, column, feature),
            ]
            groups[_scope(one.was, scope), labels[0], labels[1]].append(one)
        for (of, old, new), members in groups.items():
            n_could = could[of, old]
            forms = {one.was.form.lower() for one in members}
            is_class = not {"lemma", "form"} & {*scope}
            if len(members) < FEWEST_PLACES or len(members) < LEAST_SHARE * n_could:
                continue
            if is_class and len(forms) < FEWEST_FORMS:
                continue
            n_kept = len(kept[of, old])
            counts = len(members), n_kept, n_could - len(members) - n_kept
            conventions.append((column, feature, of, old, new, *counts, tuple(sorted(kept[of, old], key=str))))
            left = [one for one in left if one not in members]
    sporadic = []
    for one in left:
        old, new = (
            (str(sentence.token(word.head)) if column == "head" else _label(word, sentence, column, feature))
            for word, sentence in ((one.was, one.old_sentence), (one.now, one.sentence))
        )
        sporadic.append((column, feature, one.sentence.name, one.sentence.token(one.now), one.now.form, old, new))
    return conventions, sporadic


def _scope(word: PlantedWord, scope: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    fold = {"lemma", "form"}
    return tuple((name, getattr(word, name).lower() if name in fold else getattr(word, name)) for name in scope)
