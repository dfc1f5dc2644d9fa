"""The numbers of Padró & Màrquez 1998 beside ours: what must agree does, and the commands give it."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

import karat
import realdata
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber
from karat.experiments.papers.published.padro_1998 import published
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, Reproduction
from published_rows import but_for_ours, has_number, printed_json

ROWS = tuple(published(PaperEvidence()))
COMPUTED = tuple(one for one in ROWS if one.ours is not None)


def _of(of: str) -> PublishedNumber:
    (row,) = [one for one in ROWS if one.of == of]
    return row


def test_what_must_agree_agrees() -> None:
    assert [one.of for one in ROWS if one.status == "equal" and one.state != "agrees"] == []
    assert sum(one.state == "agrees" for one in ROWS) == 40
    assert len(ROWS) == 60


def test_prints_are_the_paper_s_in_its_order() -> None:
    """Typed from the paper a second time; the formulas of Table 1 have a test of their own."""
    places = [one.where for one in ROWS if one.where != "Table 1"]
    by_place = {place: [one.printed for one in ROWS if one.where == place] for place in places}
    assert by_place == {
        "Section 1": ["96", "97 %", "almost 100 %"],
        "Section 3": [
            *("(1 − C)t + Cu", "(1 − C)t + C(1 − u)p", "K − C(1 − u)p + Cu"),
            *("1 − (K − t(1 − C))/(Cp)", "(K − t(1 − C))/(C(1 − u))", "(K − C(1 − u)p)/(1 − C)"),
            *("min{1, (1 − K)/C}", "max{0, (K + C − 1)/C}", "(K − C)/(1 − C)", "min{1, K/(1 − C)}"),
            *("K − Cp", "K + C", "1 − (K + C − 1)/p"),
            *("0.03", "0.93", "0.93", "0.96", "0.90", "0.96"),
        ],
        "Footnote 2": ["over 90 %", "below 10 %"],
        "Footnote 3": ["about 97 %"],
        "Section 4": ["0.928", "0.959", "1/a", "min{t, (1 − K)/C}", "max{1/(a − 1), (K + C − 1)/C}", "1"],
        "Footnote 5": ["wider", "wider", "overlap even more"],
        "Section 5": [
            *("0.9135", "96.86 %", "0.9282", "97.39 %", "0.03", "2.5", "(1/a) = 0.4", "1"),
            *("91.35", "94.05", "90.75", "93.99", "92.82", "95.60", "92.22", "95.55"),
            *("1/a = 0.4", "1", "a large overlap region", "95 %", "95 % … did allow us"),
        ],
    }


def test_misprints_differ() -> None:
    wrong = [one for one in ROWS if one.status == "misprint"]
    assert [one.agrees for one in wrong] == [False] * 4
    assert [one.ours for one in wrong] == pytest.approx([5 / 6, 9.3, 2 / 3, 2 / 3])


def test_no_two_rows_are_of_the_same_number() -> None:
    assert len({(one.where, one.of) for one in ROWS}) == len(ROWS)


def test_the_formulas_of_table_1_are_worked_right() -> None:
    """In fractions: K = (1 − C)t + C(1 − u)p gives t; a cell with another formula would have another value."""
    k, c, u, p = (Fraction(one) for one in ("0.93", "0.03", "0.5", "0.8"))
    t = (k - c * (1 - u) * p) / (1 - c)
    worked = [(1 - c) * t, (1 - c) * (1 - t), c * u, c * (1 - u) * p, c * (1 - u) * (1 - p)]
    found = [one for one in ROWS if one.where == "Table 1"]
    assert [one.value for one in found] == [float(one) for one in worked]
    assert len({*worked}) == 5
    assert sum(worked) == 1


def test_the_equations_are_worked_right() -> None:
    """In fractions, from the formulas as they are printed."""
    k, c, u, p, high = (Fraction(one) for one in ("0.93", "0.03", "0.5", "0.8", "0.985"))
    t = (k - c * (1 - u) * p) / (1 - c)
    worked = {
        "x, equation 1": (1 - c) * t + c * u,
        "K, equation 2": (1 - c) * t + c * (1 - u) * p,
        "x from K": k - c * (1 - u) * p + c * u,
        "u from p and t": 1 - (k - t * (1 - c)) / (c * p),
        "p from u and t": (k - t * (1 - c)) / (c * (1 - u)),
        "t from u and p": t,
        "u high, equation 3": min(Fraction(1), (1 - high) / c),
        "p low, equation 4": max(Fraction(0), (high + c - 1) / c),
        "t low, equation 5": (high - c) / (1 - c),
        "t high, equation 5": min(Fraction(1), high / (1 - c)),
        "x low, equation 6": k - c * p,
        "x high, K ≤ 1 − C, equation 7": k + c,
        "x high, K ≥ 1 − C, equation 7": 1 - (high + c - 1) / p,
    }
    assert {name: float(one) for name, one in worked.items()} == pytest.approx(
        {name: _of(name).value for name in worked}, abs=5e-6
    )
    assert _of("u high, reasonable").value == pytest.approx(0.91 / 0.95, abs=5e-6)


def test_the_share_of_ambiguous_words_is_what_each_tagger_implies() -> None:
    for several, whole in prints.OBSERVED.values():
        assert (1 - whole) / (1 - several) == pytest.approx(prints.AMBIGUOUS_SHARE, abs=7e-4)  # as far as digits tell
    (several, whole), _ = prints.OBSERVED.values()
    assert round((1 - whole) / (1 - several), 3) == prints.AMBIGUOUS_SHARE


def test_the_bound_of_p_that_is_printed_allows_what_cannot_be() -> None:
    """At the printed p = 2/3 and the least u, 1/a, the tagger would be right on more than all right words."""
    k, c, u, p = Fraction("0.985"), Fraction("0.03"), Fraction("0.4"), Fraction(2, 3)
    assert _of("p low, reasonable").value == pytest.approx(float(p))
    assert (k - c * (1 - u) * p) / (1 - c) > 1
    ours = Fraction(5, 6)
    assert (k - c * (1 - u) * ours) / (1 - c) == 1


def test_what_the_printed_p_would_give_is_what_was_found_by_hand() -> None:
    assert _of("p, first column").why.endswith("p = 0.4 would give 91.83 to 94.10 and 93.30 to 95.64")


def test_a_higher_corpus_error_widens_the_intervals_until_no_more_than_all_can_be_right() -> None:
    for observed, _ in prints.OBSERVED.values():
        most = 1 - observed
        rates = [*(most * n / 9 for n in range(1, 10)), most * 1.1, most * 1.2]
        ends = [karat.noise_bounds(observed, one, prints.AMBIGUITY).systems[0].bounds for one in rates]
        widths = [one.upper - one.lower for one in ends if one is not None]
        assert widths[:9] == sorted(widths[:9])
        assert widths[8:] == sorted(widths[8:], reverse=True)
        assert len(widths) == 11


def test_confidence_intervals_are_apart_from_as_many_words_on_as_the_row_says() -> None:
    row = _of("no overlap of the confidence intervals of what is observed")
    assert "from 5,170 ambiguous words on" in row.why
    for n, apart in ((5_169, False), (5_170, True)):
        found = karat.noise_bounds(
            {name: observed for name, (observed, _) in prints.OBSERVED.items()}, 0.03, prints.AMBIGUITY, n=n
        )
        first, second = (one.naive for one in found.systems)
        assert first is not None
        assert second is not None
        assert (first.upper < second.lower) is apart


def test_shares_of_the_overlap_are_as_the_row_says() -> None:
    row = _of("overlap of both, points, above 0, for all p")
    (pair,) = printed_json(row.command)["pairs"]
    assert row.why.startswith(f"{100 * pair['overlap_share']:.0f} % of T1's interval; 1.23 points at p = 2/3, 1.77")


def test_another_error_rate_would_not_give_the_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prints, "CORPUS_ERROR", 0.031)
    differing = [one.of for one in published(PaperEvidence()) if one.state == "differs"]
    assert "x1 high, first column, p = (1/a) = 0.4" in differing
    assert "x2 low, second column, p = 1" in differing


@pytest.mark.parametrize("row", COMPUTED, ids=[f"{one.where}: {one.of}" for one in COMPUTED])
def test_the_command_gives_ours(row: PublishedNumber) -> None:
    assert row.ours is not None
    printed = printed_json(row.command)
    if "width of T1's interval" in row.of:
        bounds = printed["systems"][0]["bounds"]
        assert 100 * (bounds["upper"] - bounds["lower"]) == pytest.approx(row.ours)
    else:
        assert has_number(printed, row.ours)


def _experiment() -> Reproduction:
    """An experiment with its numbers made up."""
    values = {"B, ambiguous words": 0.91, "B, all words": 0.92, "TC, ambiguous words": 0.93, "TC, all words": 0.94}
    numbers = [
        PaperNumber("Section 5", f"{of}, EWT", "share", value, None, None, 0.5, False) for of, value in values.items()
    ]
    return Reproduction(
        "padro-1998", "", "", (PaperPart("accuracy", "", tuple(numbers)),), (), 0, 0, 0, "", printed_over=""
    )


def test_numbers_of_the_experiment_are_found() -> None:
    rows = tuple(published(PaperEvidence(experiment=_experiment())))
    assert {one.of: one.ours for one in rows if one.needs == "training"} == pytest.approx(
        {
            "T1, ambiguous": 0.91,
            "T1, all words": 92.0,
            "T2, ambiguous": 0.93,
        }
    )
    assert but_for_ours(rows) == but_for_ours(ROWS)


def test_without_the_corpus_the_reason_is_noted(tmp_path: os.PathLike[str]) -> None:
    evidence = PaperEvidence(os.fspath(tmp_path))
    rows = tuple(published(evidence))
    assert rows == ROWS
    assert [one.what for one in evidence.missing] == ["ambiguity of UD_English-EWT"]


def test_on_real_data_the_command_gives_ours_and_inputs_are_noted() -> None:
    folder = realdata.data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu").parents[2]
    evidence = PaperEvidence(os.fspath(folder))
    rows = tuple(published(evidence))
    assert but_for_ours(rows) == but_for_ours(ROWS)
    (row,) = [one for one in rows if one.needs == "data"]
    assert row.state == "other data"
    assert row.ours is not None
    assert has_number(printed_json(row.command.replace("DIR", os.fspath(folder))), row.ours)
    assert [role for role, _, _ in evidence.inputs] == ["train", "test"]
    assert evidence.missing == []
