"""The numbers of Hogenhout & Matsumoto 1996 beside ours: what must agree does, and the commands give it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from karat.experiments.papers import hogenhout_1996_prints as prints
from karat.experiments.papers.published.hogenhout_1996 import published
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, Reproduction
from published_rows import but_for_ours, has_number, printed_json

ROWS = tuple(published(PaperEvidence()))
COMPUTED = tuple(one for one in ROWS if one.ours is not None)


def test_what_must_agree_agrees() -> None:
    assert [one.of for one in ROWS if one.status == "equal" and one.state != "agrees"] == []
    assert sum(one.state == "agrees" for one in ROWS) == 79
    assert len(ROWS) == 121


# Typed from the paper a second time, in its order
TABLE_1 = """
11400 11400 8671 8771 6748 77.8% 6858 78.2% 0~(assumed) 0~(assumed) 204 2.4% 182 2.1% 690 8.0% 611 7.0% 956 11.0%
1049 12.0% 73 0.8% 71 0.8% 523 470 371 323 5212 5426 1536 1432
"""
TABLE_3 = """
TPB/TTB EMA/TTB (EMA+CEA+SPA)/TTB EMA/TPB (EMA+CEA+SPA)/TPB (SPA+SPR)/TPB SPR/(SPA+SPR) CEA/(CEA+CER)
(EMR+CEA+SPA+SPR)/TPB (EMR+CEA+SPR)/TPB PINH/(PINH+PNINH) TINH/(TINH+TNINH)
"""
TABLE_4 = """
71.5% 72.3% 59.2% 60.2% 69.4% 71.0% 77.8% 78.2% 91.2% 92.2% 11.9% 12.8% 7.1% 6.3% 22.8% 23.0% 14.2% 14.8% 3.2% 2.9%
58.5% 59.3% 77.2% 79.1%
"""


def test_prints_are_the_paper_s_in_its_order() -> None:
    places = [one.where for one in ROWS]
    by_place = {place: [one.printed.replace(" %", "%") for one in ROWS if one.where == place] for place in places}
    assert by_place == {
        "Section 2": ["81.2%", "82.5%", "two"],
        "Section 3": [*"2 3 2 5".split(), "both in the second sentence", *"2 1 1 2 7 9 1 1 1 1 4 4 0".split()],
        "Section 4": ["600", "about three"],
        "Table 1": [one.replace("~", " ") for one in TABLE_1.split()],
        "Table 2": "6516 57.2% 232 2.0% 343 3.1% 343 4309 37.8%".split(),
        "Table 3": TABLE_3.split(),
        "Table 4": TABLE_4.split(),
        "Section 5": [
            *("B scores better", "B is better at recall", "generates more spurious brackets", "almost 1 out of 4"),
        ],
        "Section 6": [
            *("N P_a P_b", "N (P_a P_b)(1 − P_a P_b)", "N (1 − P_a)(1 − P_b)"),
            *("N ((1 − P_a)(1 − P_b))(1 − (1 − P_a)(1 − P_b))", "around 4063", "around 1851"),
            *("extremely rare", "extremely rare", "(YY + YN − M1)(YY + NY − M1)/(TTB − M1)"),
            "(NY × TTB + M2 × YY − (NY + NN)(YY + NY))/(M2 − NN)",
            *("6234", "4027", "4.7", "4.7", "1139"),
        ],
    }


def test_misprints_differ() -> None:
    wrong = [one for one in ROWS if one.status == "misprint"]
    assert [one.of for one in wrong if one.agrees is not False] == []
    assert {one.of: one.ours for one in wrong} == pytest.approx(
        {
            "TINH, by the definition as printed": 2,
            "TNINH, by the definition as printed": 3,
            "NY, by B's EMA": 6858 - 6516,
            "NY, % of TTB": 100 * 343 / 11400,
            "A: Generation Rate": 100 * 8671 / 11400,
            "B: Generation Rate": 100 * 8771 / 11400,
            "YY − M1, equation": (232 * 343) ** 0.5,
            "z, whatever M1 and M2 are": (343 - 232) / (343 * 6748 / 6859 + 232 * 6859 / 6748) ** 0.5,  # with M1 = 0
        }
    )


def test_what_misprints_say_of_themselves_is_so() -> None:
    """The prints come out of rounded recalls, and of the equation as printed; with M2 it is what YY − M1 is."""
    yy, yn, ny, nn = prints.PAIRED.values()
    total, m1, m2 = yy + yn + ny + nn, prints.M1, prints.M2
    assert round(total * 0.592 * 0.602) == prints.EXPECTED_YY
    assert round(total * 0.408 * 0.398) == prints.EXPECTED_NN
    product = (yy + yn - m1) * (yy + ny - m1)
    assert round(product / (total - m1), 1) == 62.2
    assert round(product / (total - m1 - m2)) == yy - m1
    assert [round(of["TPB"] / 12130, 3) for of in _items().values()] == [*prints.MEASURES["Generation Rate"]]


def test_formulas_of_section_6_are_worked_right() -> None:
    yy, yn, ny, nn = prints.PAIRED.values()
    n = yy + yn + ny + nn
    both, none = (yy + yn) * (yy + ny) / n**2, (ny + nn) * (yn + nn) / n**2
    worked = {
        "E(YY), formula": n * both,
        "V(YY), formula": n * both * (1 - both),
        "E(NN), formula": n * none,
        "V(NN), formula": n * none * (1 - none),
        "M1 from M2, equation": (ny * n + 0 * yy - (ny + nn) * (yy + ny)) / (0 - nn),
    }
    found = {one.of: one for one in ROWS if one.of in worked}
    assert {of: one.value for of, one in found.items()} == {of: round(value, 2) for of, value in worked.items()}
    for_4027 = (ny * n + prints.M2 * yy - (ny + nn) * (yy + ny)) / (prints.M2 - nn)
    assert f"for M2 = 4027 it gives {for_4027:.1f}" in found["M1 from M2, equation"].why


def test_with_one_in_ny_less_and_one_in_nn_more_the_tables_agree() -> None:
    """As the row of NY says; the shares of the table do not tell."""
    yy, yn, ny, nn = prints.PAIRED.values()
    assert yy + (ny - 1) == prints.ITEMS["EMA"][1]
    assert yy + yn + (ny - 1) + (nn + 1) == prints.ITEMS["TTB"][1]
    assert round(100 * (nn + 1) / 11400, 1) == prints.PAIRED_SHARES["NN"]


def _items() -> dict[str, dict[str, int]]:
    return {system: {name: of[n] for name, of in prints.ITEMS.items()} for n, system in enumerate(prints.SYSTEMS)}


def test_sums_of_the_paper_s_tables_are_right_but_for_one() -> None:
    for of in _items().values():
        exact, crossing = of["EMA"] + of["EMR"], of["CEA"] + of["CER"]
        assert of["TPB"] == exact + crossing + of["SPA"] + of["SPR"]
        assert crossing == of["PINH"] + of["PNINH"]
        assert exact == of["TINH"] + of["TNINH"]
        assert of["TTB"] == sum(prints.PAIRED.values())
    exact_a, exact_b = prints.ITEMS["EMA"]
    assert exact_a == prints.PAIRED["YY"] + prints.PAIRED["YN"]
    assert exact_b == prints.PAIRED["YY"] + prints.PAIRED["NY"] - 1


def test_shares_are_those_of_the_counts() -> None:
    of = {(one.where, one.of): one for one in ROWS}
    for item in prints.ITEM_SHARES:
        for system, items in _items().items():
            row = of["Table 1", f"{system}: {item}, % of TPB"]
            assert row.ours == pytest.approx(100 * items[item] / items["TPB"])
    for name, n in prints.PAIRED.items():
        assert of["Table 2", f"{name}, % of TTB"].ours == pytest.approx(100 * n / 11400)


def test_no_two_rows_are_of_the_same_number() -> None:
    assert len({(one.where, one.of) for one in ROWS}) == len(ROWS)


def test_every_cell_of_the_tables_has_a_row() -> None:
    n_rows = {where: sum(one.where == where for one in ROWS) for where in ("Table 1", "Table 2", "Table 4")}
    assert n_rows == {"Table 1": 12 * 2 + 5 * 2, "Table 2": 4 * 2 + 1, "Table 4": 12 * 2}


# ---- the commands ----------------------------------------------------------------------------------------------------


def _measures(printed: Any) -> dict[str, float]:
    found: dict[str, float] = printed["measures"]
    return found


def _rejected(printed: Any) -> float:
    of = _measures(printed)
    return of["Spuriousness"] * of["Spurious Reject"]


def _pair(printed: Any) -> dict[str, Any]:
    (found,) = printed["pairs"]
    return dict(found)


# How a reader gets ours from what the command prints, where it is not there as it is; rows say the same in `why`
DERIVED: dict[str, Callable[[Any], float]] = {
    "CEA": lambda printed: 100 * (_measures(printed)["Problem Rate"] - _rejected(printed)),
    "CER": lambda printed: 100 * (1 - _measures(printed)["Precision-soft"] - _rejected(printed)),
    "SPA": lambda printed: 100 * (_measures(printed)["Spuriousness"] - _rejected(printed)),
    "SPR": lambda printed: 100 * _rejected(printed),
    "NY, by B's EMA": lambda printed: 11400 * _measures(printed)["Recall-hard"] - 6516,
    "YY": lambda printed: 100 * (_pair(printed)["value_a"] + _pair(printed)["value_b"] - _pair(printed)["oracle"]),
    "YN": lambda printed: 100 * (_pair(printed)["oracle"] - _pair(printed)["value_b"]),
    "NY": lambda printed: 100 * (_pair(printed)["oracle"] - _pair(printed)["value_a"]),
    "NN": lambda printed: 100 * (1 - _pair(printed)["oracle"]),
    "YY − M1": lambda printed: _pair(printed)["counts"]["YY"] - _pair(printed)["real_test"]["always_right"],
}


def _by_hand(row: PublishedNumber) -> Callable[[Any], float] | None:
    first = row.of.partition(",")[0].removeprefix("A: ").removeprefix("B: ")
    is_share = row.where in ("Table 1", "Table 2") and row.of.endswith(("TPB", "TTB"))
    return DERIVED.get(row.of if row.of in DERIVED else first if is_share or row.where == "Section 6" else "")


@pytest.mark.parametrize("row", COMPUTED, ids=[f"{one.where}: {one.of}" for one in COMPUTED])
def test_the_command_gives_ours(row: PublishedNumber) -> None:
    assert row.ours is not None
    printed, by_hand = printed_json(row.command), _by_hand(row)
    if by_hand is None:
        assert has_number(printed, row.ours)
    else:
        assert by_hand(printed) == pytest.approx(row.ours)
        assert row.why


def test_the_items_of_the_examples_are_printed_as_such() -> None:
    """Small whole numbers are somewhere in any JSON; these are where they belong."""
    for row in ROWS:
        if row.where == "Section 3" and row.ours is not None:
            item = row.of.partition(",")[0]
            (system,) = printed_json(row.command)["systems"]
            assert system["items"][item] == row.ours, row
    (chain,) = (one for one in ROWS if one.of == "CE of one mistake")
    (system,) = printed_json(chain.command)["systems"]
    found = system["items"]
    assert (found["CE"], found["PINH"], found["EM"]) == (2, 1, 3)


# ---- the experiment --------------------------------------------------------------------------------------------------


def _experiment() -> Reproduction:
    """An experiment with its numbers made up: 1, 2, 3 …"""
    of_training = [one for one in ROWS if one.where == "Table 1" and one.needs == "training"]
    named = [("Table 1", ", ".join(reversed(one.of.split(": ")))) for one in of_training]
    named += [("Table 2", name) for name in prints.PAIRED]
    numbers = [
        PaperNumber(part, of, "count", float(n), None, None, 0.0, False) for n, (part, of) in enumerate(named, 1)
    ]
    part = PaperPart("tables", "", tuple(numbers))
    return Reproduction("hogenhout-1996", "", "", (part,), (), 0, 0, 0, "")


def test_numbers_of_the_experiment_are_found() -> None:
    rows = tuple(published(PaperEvidence(experiment=_experiment())))
    assert [one.ours for one in rows if one.needs == "training"] == [float(n) for n in range(1, 27)]
    assert but_for_ours(rows) == but_for_ours(ROWS)
    assert {one.state for one in rows if one.needs == "training"} == {"other data"}


def test_data_alone_changes_nothing(tmp_path: os.PathLike[str]) -> None:
    assert tuple(published(PaperEvidence(os.fspath(tmp_path)))) == ROWS


@pytest.mark.parametrize(
    ("where", "name", "changed"),
    [
        ("PAIRED", "YN", 240),
        ("PAIRED_SHARES", "NN", 37.9),
        ("EXAMPLE", "TINH", 2),
        ("FORMULAS", "False Error", ("CER", "CEA+CER")),
        ("ITEM_SHARES", "SPA", (11.1, 12)),
    ],
)
def test_another_number_would_not_agree(
    where: str, name: str, changed: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "PAIRED":
        from karat.experiments.papers.published import hogenhout_1996 as paper, hogenhout_1996_section_6 as section_6
        from karat.inference.paired_units import PairCounts

        counts = PairCounts(*({**prints.PAIRED, name: changed}.values()))  # type: ignore[arg-type]
        monkeypatch.setattr(paper, "PAIRED", counts)
        monkeypatch.setattr(section_6, "PAIRED", counts)
    monkeypatch.setattr(prints, where, {**getattr(prints, where), name: changed})
    assert [one for one in published(PaperEvidence()) if one.state == "differs"] != []
