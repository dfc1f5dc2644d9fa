"""karat.compare on constituency trees: values, pairs of units, tests, rankings, runs, documents."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import inference_reference
import karat
import tree_score_reference as reference
from bracket_reference import tree
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import UsageError
from karat.evaluation.comparison_results import PairResult
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES, COMPARED_BRACKETS
from tree_corruptions import corrupted_tree
from tree_score_reference import Choice, random_tree, random_words, with_traces

FEW = karat.InferenceOptions(n_resamples=200)
SENTENCES = ("Complete Match", "No Crossing", "Two or Fewer Crossing", "Sentence Accuracy")


def read(lines: Sequence[str]) -> Trees:
    return brackets_from_source(source_from_bytes("\n".join(lines).encode(), "trees.ptb"))


def corpora(seed: int, n: int, rates: Mapping[str, float]) -> tuple[list[str], dict[str, list[str]]]:
    """A gold of n trees, and systems that have each bracket wrong with these chances; now and then no parse."""
    rng = random.Random(seed)
    golds: list[str] = []
    while len(golds) < n:
        words = random_words(rng)
        if len(words) > 2:
            golds.append(f"(TOP {random_tree(rng, with_traces(rng, words))})")
    systems = {
        name: ["(())" if rng.random() < 0.03 else corrupted_tree(gold, rng, rate) for gold in golds]
        for name, rate in rates.items()
    }
    return golds, systems


def compared(
    golds: Sequence[str], systems: Mapping[str, Sequence[str]], measures: Sequence[str] = (), **options: object
) -> karat.Compared:
    inputs = {name: read(lines) for name, lines in systems.items()}
    options.setdefault("inference", FEW)
    return karat.compare(read(golds), inputs, measures=measures or None, **options)  # type: ignore[arg-type]


# --- by hand ---

GOLD = ["(S (NP (X a) (X b)) (VP (X c) (PP (X d) (X e))))", "(S (NP (X a) (X b)) (X c))", "(S (X a) (VP (X b) (X c)))"]
ADA = ["(S (NP (X a) (X b)) (X c) (PP (X d) (X e)))", "(S (X a) (NP (X b) (X c)))", "(())"]
BIX = ["(S (X a) (X b) (VP (X c) (PP (X d) (X e))))", "(S (NP (X a) (X b)) (X c))", "(S (X a) (VP (X b) (X c)))"]


def test_the_units_of_a_small_example_by_hand() -> None:
    """Gold: S NP VP PP, S NP, S VP: 8 brackets.

    Ada has S NP PP, S: 4. Bix has S VP PP, S NP, S VP: 7. Both: S PP, S = 3. Ada alone: the first NP = 1. Bix alone:
    the first VP, the second NP, the third S and VP = 4. Neither: 0.
    """
    found = compared(GOLD, {"ada": ADA, "bix": BIX})
    assert [one.measure for one in found.pairs] == list(COMPARED_BRACKETS)
    pair = found.pair("ada", "bix", "Recall-hard")
    assert pair.counts is not None
    assert (pair.counts.yy, pair.counts.yn, pair.counts.ny, pair.counts.nn) == (3, 1, 4, 0)
    assert (pair.value_a, pair.value_b) == (4 / 8, 7 / 8)
    # 0 (VP for NP), +1, +2 in the three sentences: of the sums ±1 ± 2 two of four reach 3
    assert (pair.test, pair.n_differing) == ("exact permutation", 2)
    assert pair.p == pytest.approx(0.5)
    assert pair.real_test is not None
    # VP +2; NP −1 + 1; S +1
    labels = {one.label: (one.gold, one.yn, one.ny, one.flips) for one in pair.labels}
    assert labels == {"VP": (2, 0, 2, False), "S": (3, 0, 1, False), "NP": (2, 1, 1, False)}
    assert [one.label for one in pair.labels] == ["VP", "S", "NP"]
    crossing = found.pair("ada", "bix", "Crossing Rate")
    assert (crossing.value_a, crossing.value_b) == (1 / 5, 0)
    assert crossing.counts is None


# --- by reference ---


@pytest.mark.parametrize("choice", [Choice(), Choice(labelled=True), Choice(label="NP,S")], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_values_and_units_are_those_of_scoring_and_of_the_reference(choice: Choice, seed: int) -> None:
    golds, systems = corpora(seed, 25, {"a": 0.3, "b": 0.5})
    options = karat.BracketOptions(labelled=choice.labelled, label=choice.label)
    inputs = {name: read(lines) for name, lines in systems.items()}
    scores = karat.score(read(golds), inputs, brackets=options, intervals=False)
    names = [name for name in scores.systems[0].measures if name in scores.systems[1].measures]
    found = compared(golds, systems, names, brackets=options)
    assert [one.measure for one in found.pairs] == names
    for pair in found.pairs:
        assert pair.measure is not None
        assert (pair.value_a, pair.value_b) == tuple(scores.system(one)[pair.measure].value for one in "ab")
        assert pair.lower_is_better == BRACKET_MEASURES[pair.measure].lower_is_better
        has_units = BRACKET_MEASURES[pair.measure].units is not None
        assert (pair.counts is not None) == has_units
    roots = [(tree(gold), *(tree(systems[name][number]) for name in "ab")) for number, gold in enumerate(golds)]
    kinds = {"Labelled F1": True, "Recall-hard": choice.compares_labels, "Unlabelled Recall": False}
    for name, labelled in kinds.items():
        if name not in names:
            continue
        right: dict[str, list[bool]] = {"a": [], "b": []}
        labels: list[str] = []
        for gold, *theirs in roots:
            for one, system in zip("ab", theirs, strict=True):
                brackets = [
                    x for x in reference.compared(gold, system, choice, labelled=labelled)[0] if choice.fits(x.label)
                ]
                right[one] += [bracket.is_right for bracket in brackets]
            labels += [bracket.label for bracket in brackets]
        pair = found.pair("a", "b", name)
        assert pair.counts is not None
        counts = (pair.counts.yy, pair.counts.yn, pair.counts.ny, pair.counts.nn)
        assert counts == inference_reference.pair_counts(right["a"], right["b"]), name
        for win in pair.labels:
            pairs = [(x, y) for x, y, label in zip(right["a"], right["b"], labels, strict=True) if label == win.label]
            assert (win.gold, win.yn, win.ny) == (len(pairs), pairs.count((True, False)), pairs.count((False, True)))
    for name in SENTENCES:
        if name in names:
            pair = found.pair("a", "b", name)
            assert pair.counts is not None
            assert pair.counts.n == 25
            assert pair.counts.a == pytest.approx(pair.value_a)
            assert pair.labels == ()


@pytest.mark.parametrize("seed", range(4))
def test_the_p_of_recall_is_that_of_all_swaps_of_sentences(seed: int) -> None:
    golds, systems = corpora(seed, 10, {"a": 0.3, "b": 0.6})
    found = compared(golds, systems, ["Recall-hard", "Labelled Recall", "No Crossing"])
    for measure, count in (
        ("Recall-hard", "EM"),
        ("Labelled Recall", "labelled correct"),
        ("No Crossing", "no crossing"),
    ):
        differences = []
        for gold, a, b in zip(golds, systems["a"], systems["b"], strict=True):
            values = [reference.sentence_values(tree(gold), tree(one), Choice()) for one in (a, b)]
            differences.append(values[1][count] - values[0][count])
        pair = found.pair("a", "b", measure)
        p, mid_p = inference_reference.sign_flip_p(differences)
        assert pair.p == pytest.approx(float(p))
        assert pair.mid_p == pytest.approx(float(mid_p))
        assert pair.test == "exact permutation"


# --- swapping ---


def test_swapping_systems_mirrors_everything() -> None:
    golds, systems = corpora(7, 40, {"a": 0.3, "b": 0.5})
    measures = [*COMPARED_BRACKETS, "Complete Match", "Average Crossing", "Generation Rate", "Spuriousness"]
    there = compared(golds, systems, measures)
    back = compared(golds, {"b": systems["b"], "a": systems["a"]}, measures)
    for one, other in zip(there.pairs, back.pairs, strict=True):
        assert_mirrored(one, other)
    assert there.ranking == back.ranking


def assert_mirrored(one: PairResult, other: PairResult) -> None:
    assert (one.a, one.b, one.measure) == (other.b, other.a, other.measure)
    assert (one.value_a, one.value_b, one.difference) == (other.value_b, other.value_a, -other.difference)
    assert (one.p, one.mid_p, one.p_adjusted, one.test) == (other.p, other.mid_p, other.p_adjusted, other.test)
    assert one.interval is not None
    assert other.interval is not None
    assert one.interval.lower == pytest.approx(-(other.interval.upper or 0), abs=1e-14)
    assert (one.counts is None) == (other.counts is None)
    if one.counts is not None and other.counts is not None:
        assert asdict(one.counts) | {"yn": one.counts.ny, "ny": one.counts.yn} == asdict(other.counts)
    assert [(win.label, win.gold, win.yn, win.ny, win.flips, win.p_adjusted) for win in one.labels] == [
        (win.label, win.gold, win.ny, win.yn, win.flips, win.p_adjusted) for win in other.labels
    ]


# --- where lower is better ---


@pytest.mark.parametrize("measure", ["Crossing Rate", "Average Crossing"])
@pytest.mark.parametrize("names", [("good", "poor"), ("poor", "good")])
def test_of_rates_of_errors_the_smaller_is_the_better(measure: str, names: tuple[str, str]) -> None:
    golds, systems = corpora(3, 120, {"good": 0.1, "poor": 0.9})
    found = compared(golds, {name: systems[name] for name in names}, [measure, "Labelled F1"])
    pair = found.pair(*names, measure)
    values = {pair.a: pair.value_a, pair.b: pair.value_b}
    assert values["good"] < values["poor"]
    assert pair.lower_is_better
    assert pair.b_is_ahead == (names[1] == "good")
    assert pair.p_adjusted < 0.05
    assert found.words[0].startswith(f"good is better than poor on {measure}: ")
    if measure != "Average Crossing":
        assert f" of {100 * abs(pair.difference):.2f} points" in found.words[0]
    ranked = [(one.name, one.rank, one.group) for one in found.ranking if one.measure == measure]
    assert ranked == [("good", 1, 1), ("poor", 2, 2)]
    # B is without this share of A's errors
    assert pair.error_reduction.value == pytest.approx((pair.value_a - pair.value_b) / pair.value_a)


def test_a_number_of_brackets_a_sentence_is_not_told_in_points_of_a_percentage() -> None:
    golds, systems = corpora(3, 120, {"good": 0.1, "poor": 0.9})
    words = compared(golds, systems, ["Average Crossing"]).words[0]
    assert "points" not in words.split("(p")[0]


@pytest.mark.parametrize("measure", ["Crossing Rate", "Complete Match", "T-inheritance"])
def test_a_plain_ratio_has_no_recall(measure: str) -> None:
    golds, systems = corpora(1, 10, {"a": 0.3, "b": 0.5})
    with pytest.raises(UsageError, match=f"the statistic recall cannot be used with {measure}"):
        compared(golds, systems, [measure], statistic="recall")


def test_a_statistic_can_be_chosen_for_what_has_parts() -> None:
    golds, systems = corpora(1, 20, {"a": 0.3, "b": 0.5})
    found = compared(golds, systems, ["Labelled F1", "Labelled Recall", "Labelled Precision"], statistic="recall")
    assert len({(one.value_a, one.value_b, one.p) for one in found.pairs}) == 1
    own = compared(golds, systems, ["Labelled Recall"])
    assert (own.pairs[0].value_a, own.pairs[0].p) == (found.pairs[0].value_a, found.pairs[0].p)
    with pytest.raises(UsageError, match="aligned_accuracy cannot be used with Labelled F1"):
        compared(golds, systems, ["Labelled F1"], statistic="aligned_accuracy")


# --- runs, documents, what cannot be compared ---


def test_runs_are_averaged() -> None:
    golds, systems = corpora(5, 30, {"a1": 0.2, "a2": 0.4, "b1": 0.5, "b2": 0.6, "b3": 0.7})
    runs = {name: [read(systems[one]) for one in systems if one[0] == name] for name in "ab"}
    found = karat.compare(read(golds), runs=runs, inference=FEW)
    scores = karat.score(read(golds), {name: read(one) for name, one in systems.items()}, intervals=False)
    for pair in found.pairs:
        assert pair.measure is not None
        for name, value in (("a", pair.value_a), ("b", pair.value_b)):
            values = [one[pair.measure].value for one in scores.systems if one.name[0] == name]
            assert value == pytest.approx(sum(values) / len(values), rel=1e-12)
        assert pair.runs is not None
        assert (pair.runs.n_a, pair.runs.n_b, pair.counts) == (2, 3, None)
        assert pair.test == "cluster-robust t"


def test_several_runs_of_a_measure_that_is_no_share_have_an_interval() -> None:
    """Generation Rate and Average Crossing can exceed 1: the runs' mean has an interval all the same."""
    golds = ["(S (X a) (X b) (X c) (X d))"] * 10 + ["(S (NP (X a) (X b)) (X c) (X d))"] * 10
    more, most = "(S (NP (X a) (X b)) (VP (X c) (X d)))", "(S (X a) (NP (X b) (VP (X c) (X d))))"
    runs = {"a": [read([more] * 20), read([most] * 15 + [more] * 5)], "b": [read(golds), read(golds)]}
    found = karat.compare(read(golds), runs=runs, measures="Generation Rate", inference=FEW)
    ranked = next(one for one in found.ranking if one.name == "a")
    assert ranked.value == 2
    assert ranked.interval is not None
    assert ranked.interval.lower is not None
    assert ranked.interval.upper is not None
    assert ranked.interval.lower < 2 < ranked.interval.upper


@pytest.mark.parametrize(("n", "kind"), [(19, "sentence"), (20, "document")])
def test_files_are_clusters(tmp_path: Path, n: int, kind: str) -> None:
    golds, systems = corpora(9, 2 * n, {"a": 0.3, "b": 0.5})
    for name, lines in {"gold": golds, **systems}.items():
        (tmp_path / name).mkdir()
        for number in range(n):
            text = "\n".join(lines[2 * number : 2 * number + 2])
            (tmp_path / name / f"{number:02}.ptb").write_text(text, encoding="utf-8")
    asked = FEW if kind == "document" else replace(FEW, cluster=kind)
    folders = {name: tmp_path / name for name in "ab"}
    found = karat.compare(tmp_path / "gold", folders, measures="Recall-hard", inference=asked)
    pair = found.pairs[0]
    assert (found.cluster, pair.cluster, pair.n_clusters) == (kind, kind, 2 * n if kind == "sentence" else n)
    differences = []
    for number in range(n):
        values = [
            reference.sentence_values(tree(golds[place]), tree(systems[name][place]), Choice())["EM"]
            for name in "ba"
            for place in (2 * number, 2 * number + 1)
        ]
        differences.append(values[0] + values[1] - values[2] - values[3])
    over_documents = float(inference_reference.sign_flip_p_by_convolution(differences)[0])
    if kind == "document":
        assert pair.p == pytest.approx(over_documents)
    else:
        assert pair.documents is not None
        assert pair.documents.n_documents == 19
        assert pair.documents.p == pytest.approx(over_documents)


@pytest.mark.parametrize("bad", [b"(S (X a)", b"(S (NP (X \xff) (X b)) (X c))"])
def test_bad_gold_trees_are_in_no_comparison(tmp_path: Path, bad: bytes) -> None:
    golds, systems = corpora(4, 12, {"a": 0.3, "b": 0.6})
    for name, lines in {"gold": golds, **systems}.items():
        own = bad if name == "gold" else b"(S (X a))"
        encoded = [line.encode() for line in lines]
        (tmp_path / name).write_bytes(b"\n".join([*encoded[:5], own, *encoded[5:], b""]))
    paths = {name: tmp_path / name for name in "ab"}
    with_bad = karat.compare(tmp_path / "gold", paths, skip_bad=True, inference=FEW)
    without = compared(golds, systems)
    assert with_bad.skipped.gold == 1
    for one, other in zip(with_bad.pairs, without.pairs, strict=True):
        assert (one.value_a, one.value_b, one.p, one.counts) == (other.value_a, other.value_b, other.p, other.counts)
        assert one.labels == other.labels


def test_missing_parses_and_surplus_files_are_told(tmp_path: Path) -> None:
    for name, files in {"gold": ["1", "2"], "a": ["1", "2", "3"], "b": ["1"]}.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / f"{file}.ptb").write_text("(S (NP (X a) (X b)) (X c))\n", encoding="utf-8")
    found = karat.compare(tmp_path / "gold", {name: tmp_path / name for name in "ab"}, inference=FEW)
    assert any("3.ptb: no gold file of this name" in one for one in found.warnings)
    assert any(one.startswith("b: 1 missing parse counts as producing nothing") for one in found.warnings)


def test_a_measure_that_is_not_defined_for_a_system_is_refused_in_words() -> None:
    """Neither system has a crossing bracket, so there is no P-inheritance."""
    golds = ["(S (NP (X a) (X b)) (X c))"]
    with pytest.raises(UsageError, match="P-inheritance"):
        compared(golds, {"a": golds, "b": golds}, ["P-inheritance"])


def test_a_measure_that_a_label_pattern_rules_out_is_refused_in_words() -> None:
    golds = ["(S (NP (X a) (X b)) (X c))"]
    with pytest.raises(UsageError, match="Complete Match"):
        compared(golds, {"a": golds, "b": golds}, ["Complete Match"], brackets=karat.BracketOptions(label="NP"))


def test_measures_that_need_judgements_are_refused_in_words() -> None:
    golds = ["(S (NP (X a) (X b)) (X c))"]
    with pytest.raises(UsageError, match="verdicts"):
        compared(golds, {"a": golds, "b": golds}, ["Recall-soft"])


def test_examples_are_the_sentences_that_only_one_system_has_right() -> None:
    found = compared(GOLD, {"ada": ADA, "bix": BIX}, ["Recall-hard"], n_examples=2)
    examples = [(one.right, one.sent_id, one.n_units, one.words) for one in found.pairs[0].examples]
    assert examples == [
        ("ada", "1", 1, ("a", "b", "c", "d", "e")),
        ("bix", "3", 2, ("a", "b", "c")),
        ("bix", "1", 1, ("a", "b", "c", "d", "e")),
    ]


def test_of_a_neutral_measure_it_is_said_who_has_more() -> None:
    golds, systems = corpora(3, 120, {"good": 0.1, "poor": 0.9})
    words = compared(golds, systems, ["Spuriousness"]).words[0]
    assert words.startswith("poor is higher than good on Spuriousness: ")
