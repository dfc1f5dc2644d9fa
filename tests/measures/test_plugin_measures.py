"""Measures of other packages: used as karat's own, refused where what they say or count cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from installed_plugins import pretend
from karat.errors import DataError, UsageError
from karat.measures.catalogue import list_measures, plugin_measure_named
from karat.plugin import (
    GOLD,
    AlignedMeasure,
    Comparison,
    Floats,
    GoldUnits,
    Outcome,
    Ratio,
    Statistic,
    WordMeasure,
)

GOLD_TEXT = "".join(
    f"1\t{a}\t{a}\tNOUN\t_\t_\t0\troot\t_\t_\n2\t{b}\t{b}\tVERB\t_\t_\t1\tdep\t_\t_\n\n"
    for a, b in [("Oaks", "grow"), ("Rain", "falls"), ("Wind", "blows"), ("Snow", "melts")]
)


class Mine(WordMeasure):
    name = "Mine"
    what = "tags that are right"
    needs = ("upos",)
    settles = ("upos",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("upos"))


class OfSentences(AlignedMeasure):
    """The share of gold words, among those of all sentences, that a function of each sentence gives."""

    name = "Mine"
    what = "something of a sentence"
    has_parts = False
    has_aligned = False
    fields = ("words", "counted")
    value = Ratio("value", (1,), (0,))

    def __init__(self, counted: Callable[[Comparison], Any]) -> None:
        self.counted = counted

    def counts(self, comparison: Comparison) -> Floats:
        words = comparison.tally("gold").astype(float)
        found: Floats = np.column_stack([words, self.counted(comparison)])
        return found

    def gold_units(self, comparison: Comparison) -> GoldUnits | None:
        return None


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(GOLD_TEXT, "utf-8")
    system.write_text(GOLD_TEXT.replace("Rain\tNOUN", "Rain\tPROPN"), "utf-8")
    return str(gold), str(system)


def scored(files: tuple[str, str], **asked: Any) -> karat.Scores:
    return karat.score(*files, inference=karat.InferenceOptions(n_resamples=100), **asked)


def test_a_measure_counts_as_the_one_that_it_copies(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("Mine", Mine, "one"))
    (system,) = scored(files, measures="mine,UPOS", by="upos").systems
    assert system["Mine"].to_dict() == system["UPOS"].to_dict()
    assert system["Mine"].value == 7 / 8
    for group in system.by["upos"].values():
        assert group["Mine"].to_dict() == group["UPOS"].to_dict()


def test_all_measures_have_those_of_plugins_and_say_which_cannot_be_used(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ("Broken", ImportError("no such module"), "two")
    pretend(monkeypatch, "measure", ("Mine", Mine, "one"), broken, ("LAS", Mine, "three"))
    found = scored(files, measures="all")
    assert "Mine" in found.systems[0].measures
    assert [one for one in found.warnings if one.startswith("not measured:")] == [
        "not measured: three 1.0: K972 the measure LAS cannot be used: karat already has a measure with this name",
        "not measured: two 1.0: K970 the measure Broken cannot be imported: ImportError: no such module",
    ]
    assert "plugin:one@1.0|" in found.signature
    assert "plugin" not in scored(files).signature
    assert "Mine" not in scored(files).systems[0].measures


def test_the_evaluator_of_conll18_has_no_measures_of_plugins(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", Mine, "one"))
    assert "Mine" not in scored(files, measures="all", like="conll18").systems[0].measures
    with pytest.raises(UsageError, match="unknown measure 'Mine'"):
        scored(files, measures="Mine", like="conll18")


def test_the_list_of_measures_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("Mine", Mine, "one"), ("Broken", ImportError("no"), "two"))
    found = list_measures()
    data = found.to_dict()
    assert data["measures"][-1] == {
        "name": "Mine", "family": "words", "definition": "tags that are right", "source": "one", "unit": "%",
        "lower_is_better": False, "package": "one 1.0",
    }  # fmt: skip
    assert {one["package"] for one in data["measures"][:-1]} == {None}
    assert data["unusable"] == ["two 1.0: K970 the measure Broken cannot be imported: ImportError: no"]
    assert ["Mine", "tags that are right", "one, one 1.0"] in [list(row) for row in found.view().rows]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"name": "Other"}, "calls itself 'Other'"),
        ({"name": "a,b"}, "has one of"),
        ({"name": "all"}, "its name is 'all'"),
        ({"what": ""}, "its 'what' is empty"),
        ({"needs": "upos"}, "its 'needs' is not a tuple"),
        ({"needs": ("pos",)}, "needs a column 'pos'"),
        ({"bounds": "any"}, "its 'bounds' are 'any'"),
        ({"fields": ("gold", "system")}, "must keep the default fields"),
        ({"value": Ratio("x", (7,), (0,))}, "uses fields that it does not have"),
        ({"unit": 1}, "its 'unit' is not a text"),
    ],
)
def test_a_measure_that_describes_itself_wrongly_is_refused(
    said: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", type("Odd", (Mine,), said), "one"))
    with pytest.raises(DataError, match=rf"one 1\.0: K971 .*{message}"):
        plugin_measure_named("Mine")


@pytest.mark.parametrize("given", [42, str, lambda: Mine()])
def test_what_is_no_measure_is_refused(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("Mine", given, "one"))
    with pytest.raises(DataError, match=r"one 1\.0: K971 the measure Mine"):
        plugin_measure_named("Mine")


@pytest.mark.parametrize(
    ("counted", "message"),
    [
        (lambda pair: np.full(pair.n_rows, np.nan), "K974 .*not finite numbers"),
        (lambda pair: np.full(pair.n_rows, -1.0), "K974 .*counts below 0"),
        (lambda pair: np.full(pair.n_rows, 9.0), r"K974 .*has the value 4\.5, which is not from 0 to 1"),
        (lambda pair: np.ones((pair.n_rows, 2)), r"K974 .*shape \(4, 3\); expected \(4, 2\)"),
        (lambda pair: np.ones(3), "K973 .*ValueError"),
        (lambda pair: {"here": 1}["gone"], "K973 .*KeyError: 'gone'"),
    ],
)
def test_counts_that_cannot_be_right_are_refused(
    counted: Callable[[Comparison], Any], message: str, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", OfSentences(counted), "one"))
    with pytest.raises(DataError, match=message):
        scored(files, measures="Mine")


def test_a_ratio_of_its_own_has_a_value_and_an_interval(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", OfSentences(lambda pair: np.arange(pair.n_rows) % 2), "one"))
    (system,) = scored(files, measures="Mine").systems
    assert system["Mine"].value == 2 / 8
    assert system["Mine"].interval is not None


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (lambda pair: Outcome(pair.same("upos")[:-1]), "'right' is not an array of 8 truth values"),
        (lambda pair: Outcome(pair.same("upos").astype(int)), "'right' is not an array of 8 truth values"),
        (lambda pair: Outcome(pair.same("upos"), np.ones(3, dtype=bool)), "'gold' is not an array of 8 truth values"),
        (lambda pair: None, "AttributeError"),
    ],
)
def test_an_outcome_that_does_not_fit_is_refused(
    outcome: Callable[[Comparison], Any], message: str, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = type("Odd", (Mine,), {"outcome": lambda self, pair: outcome(pair)})
    pretend(monkeypatch, "measure", ("Mine", odd, "one"))
    with pytest.raises(DataError, match=message):
        scored(files, measures="Mine")


class Share:
    """A value that is not one of karat's ratios: the share of right words, or something that is none."""

    name, title, what, fields = "share", "", "", (0, 2)

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor

    def __call__(self, counts: Floats) -> Floats:
        found: Floats = self.factor * counts[..., 2] / counts[..., GOLD]
        return found

    def slopes(self, counts: Floats) -> Floats:
        found = np.zeros(counts.shape)
        found[..., 2] = 1 / counts[..., GOLD]
        found[..., GOLD] = -counts[..., 2] / counts[..., GOLD] ** 2
        return found

    def sizes(self, counts: Floats) -> Floats:
        return counts[..., GOLD]


def with_value(value: Statistic) -> type[WordMeasure]:
    return type("WithValue", (Mine,), {"value": value})


def test_a_value_of_its_own_is_used_as_karats_are(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("Mine", with_value(Share()), "one"))
    (system,) = scored(files, measures="Mine,UPOS").systems
    assert system["Mine"].value == system["UPOS"].recall == 7 / 8
    assert system["Mine"].lower == pytest.approx(system["UPOS"].lower)


def test_a_value_of_its_own_that_is_not_finite_is_refused(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", with_value(Share(float("nan"))), "one"))
    with pytest.raises(DataError, match=r"one 1\.0: K974 the measure Mine returns value"):
        scored(files, measures="Mine")


def test_a_comparison_has_the_test_of_the_measure_that_it_copies(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "measure", ("Mine", Mine, "one"))
    gold, system = files
    ours, karats = karat.compare(gold, {"a": gold, "b": system}, measures="Mine,UPOS").pairs
    assert (ours.p, ours.difference, ours.counts) == (karats.p, karats.difference, karats.counts)
    assert ours.difference == -1 / 8
    recall = karat.compare(gold, {"a": gold, "b": system}, measures="Mine", statistic="recall")
    assert recall.pairs[0].difference == -1 / 8
