"""The checks that authors run: nothing is wrong with karat's own, and each fault is found."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat.plugin
from karat.measures.catalogue import EVERY_MEASURE
from karat.measures.words.tags import UPOS
from karat.plugin import (
    CORRECT,
    AlignedMeasure,
    Comparison,
    Corpus,
    Floats,
    GoldUnits,
    Outcome,
    Ratio,
    Reader,
    Source,
    Tagger,
    WordMeasure,
    check_measure,
    check_reader,
    check_tagger,
    corpus_from_values,
)
from karat_example import VERT, Endings, EndingsOptions, OpenUPOS

VERTICAL = "<s>\nOak\toak\tNOUN\ngrows\tgrow\tVERB\n</s>\n<s>\nRain\train\tNOUN\n</s>\n"


# ---- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_MEASURE)
def test_nothing_is_wrong_with_karats_own_measures(name: str) -> None:
    assert check_measure(EVERY_MEASURE[name]) == []


def test_nothing_is_wrong_with_the_example() -> None:
    assert check_measure(OpenUPOS) == []
    assert check_measure(OpenUPOS()) == []
    assert check_reader(VERT, VERTICAL) == []
    assert check_tagger(Endings) == []
    assert check_tagger(Endings, EndingsOptions(1)) == []


class Errors(AlignedMeasure):
    name, what = "Errors", "words with a wrong tag"
    needs = ("upos",)
    has_parts = has_aligned = False
    fields = ("words", "errors")
    value = Ratio("value", (1,), (0,))
    lower_is_better = True

    def counts(self, comparison: Comparison) -> Floats:
        right = comparison.tally("matching", comparison.same("upos"))
        words = comparison.tally("gold")
        return np.column_stack([words, words - right]).astype(float)

    def gold_units(self, comparison: Comparison) -> GoldUnits | None:
        return None


def test_a_measure_where_lower_is_better_is_0_where_all_is_right() -> None:
    assert check_measure(Errors) == []
    assert check_measure(Errors, perfect=1.0) == ["the gold against itself has the value 0, not 1"]


def measure(**changes: Any) -> type[WordMeasure]:
    return type("Changed", (UPOS,), changes)


def outcome(right: Callable[[Comparison], Any]) -> dict[str, Any]:
    return {"outcome": lambda self, pair: Outcome(right(pair))}


def _others_matter(pair: Comparison) -> Any:
    return pair.same("upos") | (pair.gold.n_sentences < 5)


def _with_bonus(self: WordMeasure, pair: Comparison) -> Floats:
    counts = WordMeasure.counts(self, pair)
    counts[:, CORRECT] *= 0.5
    return counts


def _random(pair: Comparison) -> Any:
    return np.random.default_rng().random(len(pair.alignment.gold_words)) < 0.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            measure(what=""),
            "the measure UPOS cannot be used: its 'what' is empty: say what is compared, in a few words",
        ),
        (measure(**outcome(_others_matter)), "the counts of a sentence depend on other sentences"),
        (measure(**outcome(_random)), "the same comparison gives different counts"),
        (
            measure(counts=_with_bonus),
            "the units in 'gold_units' do not add up to the counts",
        ),
        (measure(counts=_with_bonus), "the counts of groups ('grouped') do not add up to the total"),
        (measure(counts=_with_bonus), "the gold against itself has the value 0.5, not 1"),
        (measure(**outcome(lambda pair: pair.same("xpos"))), "counts depend on a column that 'needs' does not name"),
        (
            measure(needs=("upos", "xpos"), **outcome(lambda pair: pair.same("xpos"))),
            "'settles' names upos, but some words with a different upos count as right",
        ),
    ],
)
def test_a_fault_of_a_measure_is_found(given: type[WordMeasure], message: str) -> None:
    assert message in check_measure(given)


def test_a_measure_that_fails_says_where() -> None:
    (message,) = check_measure(measure(**outcome(lambda pair: 1 / 0)))
    assert message.startswith("the measure UPOS failed: ZeroDivisionError: division by zero (raised in ")
    assert __file__ in message


# ---- readers ---------------------------------------------------------------------------------------------------------


def no_words(source: Source) -> Corpus:
    return corpus_from_values(source, {"form": []}, [0], [])


def fragile(source: Source) -> Corpus:
    lines = [line.split("\t") for line in source.text(0, source.size).splitlines() if "<" not in line]
    forms, _, tags = zip(*lines, strict=True)
    return corpus_from_values(source, {"form": forms, "upos": tags}, [len(forms)], [0] * len(forms))


def _changing() -> Callable[[Source], Corpus]:
    calls: list[int] = []

    def read(source: Source) -> Corpus:
        calls.append(1)
        return corpus_from_values(source, {"form": [str(len(calls))]}, [1], [0])

    return read


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (no_words, VERTICAL, "there is no word in the text"),
        (_changing(), VERTICAL, "the text is read differently the second time"),
        (Reader(VERT.read, lambda path, text: False), VERTICAL, "'claims' does not claim the text"),
        (Reader(VERT.read, lambda path, text: True), VERTICAL, "'claims' claims empty or unannotated"),
        (Reader(fragile, lambda path, text: True), "Oak\toak\tNOUN\n", "karat takes the text for tsv"),
        (fragile, VERTICAL, "on a damaged text, the reader reader failed: ValueError"),
        (fragile, "", "the reader reader failed: ValueError"),
        (lambda source: None, VERTICAL, "the reader reader returns a NoneType instead of a Corpus"),
    ],
)
def test_a_fault_of_a_reader_is_found(reader: Any, text: str, message: str) -> None:
    assert any(one.startswith(message) for one in check_reader(reader, text)), check_reader(reader, text)


# ---- taggers ---------------------------------------------------------------------------------------------------------


def changed(**changes: Any) -> type[Tagger]:
    return type("Changed", (Endings,), changes)


def _noisy(self: Endings, words: Any, *, with_probabilities: bool) -> Any:
    found = Endings.tagging(self, words, with_probabilities=with_probabilities)
    found.tags[:] = np.random.default_rng().integers(len(self.labels), size=len(words))
    return found


def _only_known(self: Endings, words: Any, *, with_probabilities: bool) -> Any:
    for form in words.forms:
        self.counts[form[-self.length :]]
    return Endings.tagging(self, words, with_probabilities=with_probabilities)


def _forgetful(model: Any, column: str, labels: tuple[str, ...]) -> Endings:
    return Endings(column, labels, 3, {"": {len(labels) - 1: 1}})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (changed(tagging=_noisy), "the same seed makes a different tagger"),
        (changed(tagging=_noisy), "tags differ with and without probabilities"),
        (changed(tagging=_only_known), "the system endings failed: KeyError"),
        (changed(from_parts=staticmethod(_forgetful)), "the saved tagger tags differently"),
        (changed(options=lambda self: {"length": {1}}), "'options' are not plain data"),
        (changed(options_of_parts=lambda self: 7), "'options_of_parts' are of another type"),
        (changed(system="others", options_type=int), "the system others has no 'options_type'"),
    ],
)
def test_a_fault_of_a_tagger_is_found(kind: type[Tagger], message: str) -> None:
    assert any(one.startswith(message) for one in check_tagger(kind)), check_tagger(kind)


def test_all_names_for_authors_exist_and_are_documented() -> None:
    assert sorted(karat.plugin.__all__) == dir(karat.plugin)
    names = {*karat.plugin.__all__} - {"Flags", "Floats", "Ids", "Indices", "Progress"}  # which are types' names
    classes_and_functions = (getattr(karat.plugin, name) for name in names if not name.isupper())
    assert [one for one in classes_and_functions if not (one.__doc__ or "").strip()] == []


def test_names_for_type_checkers_are_those_that_are_loaded() -> None:
    tree = ast.parse(Path(karat.plugin.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == {name: f"{home}.{name}" for name, home in karat.plugin._HOME_OF.items()}
