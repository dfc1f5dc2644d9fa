"""A measure, a format and a tagger that karat finds by the entry points in this package's pyproject.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from karat.plugin import (
    Comparison,
    Corpus,
    DataError,
    LabelledWords,
    Model,
    Options,
    Outcome,
    Progress,
    Reader,
    Source,
    Tagger,
    Tagging,
    WordMeasure,
    WordSequence,
    at,
    corpus_from_values,
    option,
)

# ---- a measure -------------------------------------------------------------------------------------------------------

OPEN = frozenset(["ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"])


class OpenUPOS(WordMeasure):
    """UPOS of the words whose class is an open one."""

    name = "OpenUPOS"
    what = "universal part-of-speech tags of open-class words"
    source = "karat-example's authors"
    needs = ("upos",)
    settles = ("upos",)

    def outcome(self, comparison: Comparison) -> Outcome:
        gold, system = comparison.flags("upos", OPEN.__contains__)
        in_gold = at(gold, comparison.alignment.gold_words)
        return Outcome(comparison.same("upos") & in_gold, gold, system)


# ---- a format --------------------------------------------------------------------------------------------------------


def read_vert(source: Source) -> Corpus:
    """Vertical text: a word, its lemma and its tag with tabs between; sentences between <s> and </s>."""
    columns: dict[str, list[str]] = {"form": [], "lemma": [], "upos": []}
    sizes: list[int] = []
    places: list[int] = []
    problems = []
    place = 0
    for line in bytes(source.buffer[: source.size]).split(b"\n"):
        fields = line.decode("utf-8", "replace").rstrip("\r").split("\t")
        if fields == ["<s>"]:
            sizes.append(0)
        elif len(fields) == 3 and all(fields) and sizes:
            sizes[-1] += 1
            places.append(place)
            for values, field in zip(columns.values(), fields, strict=True):
                values.append(field)
        elif fields not in (["</s>"], [""]):
            sentence = len(sizes) - 1 if sizes else None
            problems.append(source.problem("V1", "not a word, a lemma and a tag", place, sentence=sentence))
        place += len(line) + 1
    if not any(sizes):
        raise DataError(problems or source.problem("V2", "no sentence in it", 0))
    return corpus_from_values(source, columns, sizes, places, problems=problems)


VERT = Reader(read_vert, claims=lambda path, text: text.startswith("<s>"))


# ---- a tagger --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndingsOptions(Options):
    """How words' endings are learnt."""

    length: int = option(3, "How many letters an ending has.", least=1, metavar="N")


class Endings(Tagger):
    """Gives a word the tag that words with its ending have most often."""

    system = "endings"
    options_type = EndingsOptions

    def __init__(self, column: str, labels: tuple[str, ...], length: int, counts: Mapping[str, Counter[int]]) -> None:
        super().__init__(column, labels)
        self.length, self.counts = length, counts

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: EndingsOptions, seed: int, progress: Progress | None
    ) -> Self:
        counts: dict[str, Counter[int]] = {"": Counter()}  # of all words: for endings that are unknown
        for form, label in zip(text.words.ids.tolist(), text.label_ids.tolist(), strict=True):
            ending = text.words.forms[form][-options.length :]
            counts.setdefault(ending, Counter())[label] += 1
            counts[""][label] += 1
        return cls(column, text.labels, options.length, counts)

    def options(self) -> Mapping[str, Any]:
        return {"length": self.length}

    def options_of_parts(self) -> EndingsOptions:
        return EndingsOptions(self.length)

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        of_forms = np.full((len(words.forms), len(self.labels)), 0.01)
        for row, form in enumerate(words.forms):
            for label, n in self.counts.get(form[-self.length :], self.counts[""]).items():
                of_forms[row, label] += n
        tags = of_forms.argmax(axis=1).astype(np.int32).take(words.ids)
        scores = np.log(of_forms / of_forms.sum(axis=1, keepdims=True)).take(words.ids, axis=0)
        return Tagging(tags, scores if with_probabilities else scores[:0])

    def parts(self) -> Model:
        rows = [(ending, label, n) for ending, found in self.counts.items() for label, n in found.items()]
        numbers = {"labels of endings": [label for _, label, _ in rows], "counts": [n for *_, n in rows]}
        arrays = {name: np.array(values, dtype=np.int32) for name, values in numbers.items()}
        return Model(self.system, {"length": self.length}, arrays, {"endings": [ending for ending, *_ in rows]})

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        of_rows, endings = model.numbers("labels of endings", len(labels)), model.lines("endings")
        numbers = model.numbers("counts", 1 << 31, least=1)
        counts: dict[str, Counter[int]] = {"": Counter()}
        for ending, label, n in zip(endings, of_rows.tolist(), numbers.tolist(), strict=True):
            counts.setdefault(ending, Counter())[label] = n
        return cls(column, labels, model.value("length", int), counts)
