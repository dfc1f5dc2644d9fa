"""One tag scored for another: the paper's examples, and positions from which the scores follow."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import karat
from cli_runs import Run
from karat.measures.positional.options import Slots
from karat.measures.positional.tag_pair import Position
from karat.weights import Weights
from result_claims import SCRIPT, assert_is_printed, assert_is_safe
from tag_reference import positional

NKJP = karat.read_tagset("nkjp")
TWO = Weights("two", {"pos": 2.0, "case": 2.0, "number": 2.0, "gender": 2.0, "aspect": 0.5, "negation": 0.5})
WEIGHTS = Weights(
    "both",
    {"pos": 3.0, "case": 2.0, "gender": 0.0},
    {"subst": {"pos": 2.0, "case": 1.5}, "ger": {"pos": 1.0, "number": 0.25, "aspect": 0.0}, "adj": {"degree": 4.0}},
)
SLOTS: tuple[Slots, ...] = ("present", "declared")
TAGS = [
    "subst:sg:nom:n", "subst:pl:nom.acc:n", "ger:sg:nom:n:perf:aff", "ger:sg:nom.acc.gen:n:imperf:neg", "adv",
    "adv:pos", "adj:sg:nom:f:pos", "adj:sg.pl:acc:m1.m2.m3:com", "fin:sg:ter:perf", "part", "prep:acc", "prep:acc:wok",
]  # fmt: skip


def test_the_paper_s_example_position_by_position() -> None:
    """[§2.2, §2.3]: P = 3/6, R = 3/4; with weights of 2 and 0.5, P = 2/3, R = 3/4."""
    found = karat.compare_tags("nkjp", "subst:sg:nom:n", "ger:sg:nom:n:perf:aff", weights=TWO)
    assert [(one.category, one.right, one.weight) for one in found.positions] == [
        ("pos", "no", 2.0),
        ("number", "yes", 2.0),
        ("case", "yes", 2.0),
        ("gender", "yes", 2.0),
        ("aspect", "no", 0.5),
        ("negation", "no", 0.5),
    ]
    assert (found["PA"].precision, found["PA"].recall, found["PA"].f1) == pytest.approx((1 / 2, 3 / 4, 3 / 5))
    assert (found["WPA"].precision, found["WPA"].recall, found["WPA"].f1) == pytest.approx((2 / 3, 3 / 4, 12 / 17))
    assert list(found.measures) == ["exact", "pos", "PA", "WPA"]
    assert karat.compare_tags("nkjp", "subst:pl:acc:n", "subst:pl:nom:n")["WPA"].f1 == pytest.approx(0.7419, abs=5e-5)


def _side(positions: list[tuple[float | None, float | None]]) -> Fraction:
    """Precision or recall from the shares and weights of the positions that a side has."""
    counted = [(Fraction(share), Fraction(weight or 0)) for share, weight in positions if share is not None]
    total = sum(weight for _, weight in counted)
    return sum((share * weight for share, weight in counted), Fraction(0)) / total if total else Fraction(1)


@given(
    st.sampled_from(TAGS),
    st.sampled_from(TAGS),
    st.sampled_from(SLOTS),
    st.sets(st.sampled_from(["pos", "case", "gender", "degree"])),
    st.sampled_from([0.0, 1.0, 2.5]),
)
@settings(max_examples=200, deadline=None)
def test_the_scores_follow_from_the_positions_and_from_the_formulas(
    gold: str, system: str, slots: Slots, ignored: set[str], missing: float
) -> None:
    found = karat.compare_tags(
        NKJP, gold, system, weights=WEIGHTS, slots=slots, missing_weight=missing, ignore_category=ignored
    )

    def sides(of: list[tuple[Position, float | None, float | None]]) -> tuple[float, float]:
        precision = _side([(one.system_share, weight) for one, _, weight in of])
        return float(precision), float(_side([(one.gold_share, weight) for one, weight, _ in of]))

    positions = found.positions
    expected = {
        "PA": sides([(one, 1, 1) for one in positions]),
        "WPA": sides([(one, one.weight, one.weight) for one in positions]),
        "CWPA": sides([(one, one.weight_given_gold, one.weight_given_system) for one in positions]),
    }
    references = {
        "PA": positional(NKJP, declared=slots == "declared", ignored=ignored),
        "WPA": positional(NKJP, WEIGHTS.absolute, missing=missing, declared=slots == "declared", ignored=ignored),
        "CWPA": positional(
            NKJP, None, WEIGHTS.conditional, missing=missing, declared=slots == "declared", ignored=ignored
        ),
    }
    for name, reference in references.items():
        assert (found[name].precision, found[name].recall) == pytest.approx(expected[name], abs=1e-12), name
        assert found[name].f1 == pytest.approx(float(reference(NKJP.parse(system), NKJP.parse(gold))), abs=1e-12), name


@given(st.sampled_from(TAGS), st.sampled_from(TAGS))
@settings(max_examples=50, deadline=None)
def test_swapping_the_tags_swaps_precision_and_recall(gold: str, system: str) -> None:
    one, other = (karat.compare_tags(NKJP, *pair, weights=WEIGHTS) for pair in ((gold, system), (system, gold)))
    for name, score in one.measures.items():
        assert (score.precision, score.recall) == (other[name].recall, other[name].precision)


def test_the_result_is_what_the_command_line_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    weights = tmp_path / "w.toml"
    weights.write_text('schema = "karat/weights/1"\n[weights]\npos = 3\ncase = 2\n', encoding="utf-8")
    pair = ("subst:sg:nom:n", "ger:sg:nom.acc:n:perf:aff")
    run = Run(capsys, "tagset", "compare", "nkjp", *pair, "--weights", str(weights), "--ignore-category", "number",
              "--slots", "declared", "--json")  # fmt: skip
    found = karat.compare_tags("nkjp", *pair, weights=weights, ignore_category=["number"], slots="declared")
    (told,) = run.json["warnings"]
    assert told.startswith("no weight for gender, aspect, negation (WPA): each counts with --missing-weight 1")
    assert run.err.count("no weight") == 1
    assert_is_printed(found, {**run.json, "warnings": list(found.warnings)})
    assert "in part" in Run(capsys, "tagset", "compare", "nkjp", *pair).out


def test_tags_that_are_none_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "tagset", "compare", "nkjp", "subst:sg:nom:n", "subst:sg:nomm:n")
    assert (run.code, "<subst:sg:nomm:n>:1:10: K802" in run.err) == (3, True)
    assert Run(capsys, "tagset", "compare", "nkjp", "adv", "adv", "--ignore-category", "colour").code == 2
    assert Run(capsys, "tagset", "compare", "nope", "adv", "adv").code == 2


def test_names_are_escaped_in_html() -> None:
    from dataclasses import replace

    assert_is_safe(karat.compare_tags(replace(karat.read_tagset("penn"), name=SCRIPT), "NN", "NNS"))
