"""karat measures: Tables 3 and 4 of Hogenhout & Matsumoto 1996 from the items of Table 1."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli_runs import Run
from karat.measures.brackets.twelve_measures import PARSER_MEASURES, complete_items, parser_measures

# Table 1; EMR was assumed to be 0
A = {"TTB": 11400, "TPB": 8671, "EMA": 6748, "EMR": 0, "CEA": 204, "CER": 690, "SPA": 956, "SPR": 73}
A |= {"PINH": 523, "PNINH": 371, "TINH": 5212, "TNINH": 1536}
B = {"TTB": 11400, "TPB": 8771, "EMA": 6858, "EMR": 0, "CEA": 182, "CER": 611, "SPA": 1049, "SPR": 71}
B |= {"PINH": 470, "PNINH": 323, "TINH": 5426, "TNINH": 1432}
# Table 4, in the order of Table 3; the generation rate as its definition gives it (printed: 71.5 and 72.3)
TABLE_4 = {
    "A": (76.1, 59.2, 69.4, 77.8, 91.2, 11.9, 7.1, 22.8, 14.2, 3.2, 58.5, 77.2),
    "B": (76.9, 60.2, 71.0, 78.2, 92.2, 12.8, 6.3, 23.0, 14.8, 2.9, 59.3, 79.1),
}


@pytest.mark.parametrize(("items", "printed"), [(A, TABLE_4["A"]), (B, TABLE_4["B"])], ids="AB")
def test_table_1_gives_table_4(items: dict[str, int], printed: tuple[float, ...]) -> None:
    values = parser_measures(items).values
    assert len(values) == len(printed) == 12
    for (name, value), expected in zip(values.items(), printed, strict=True):
        assert value is not None
        assert 100 * value == pytest.approx(expected, abs=0.0501), name


def run_on(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, *options: str) -> Run:
    path = tmp_path / "items.json"
    path.write_text(text, encoding="utf-8")
    return Run(capsys, "measures", str(path), *options)


def test_the_command_prints_table_4_and_says_where_the_paper_s_print_differs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = run_on(capsys, tmp_path, json.dumps(A))
    assert run.code == 0
    for line in ("Generation Rate  TPB/TTB", "76.1 %", "(EMR+CEA+SPA+SPR)/TPB", "14.2 %"):
        assert line in run.out
    assert "prints a Generation Rate of 71.5 % and 72.3 %" in run.err


def test_json_fits_its_schema_and_has_null_for_what_is_not_known(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = run_on(capsys, tmp_path, '{"TTB": 11400, "TPB": 8671, "EM": 6748, "CE": 894, "SP": 1029}', "--json")
    data = run.json
    assert data["schema"] == "karat/measures/1"
    assert data["measures"]["Generation Rate"] == pytest.approx(0.7606, abs=5e-5)
    assert data["measures"]["Recall-hard"] == pytest.approx(6748 / 11400)
    assert data["measures"]["Spuriousness"] == pytest.approx(1029 / 8671)
    for name in ("Recall-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate", "P-inheritance"):
        assert data["measures"][name] is None, name


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_hold_the_same_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path, format_: str) -> None:
    run = run_on(capsys, tmp_path, json.dumps(A), "--format", format_)
    assert ("76.1" if format_ in ("markdown", "latex") else "0.7606") in run.out


def files(tmp_path: Path, **several: object) -> list[str]:
    for name, items in several.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(items), encoding="utf-8")
    return [f"{name}={tmp_path / name}.json" for name in several]


def test_several_parsers_stand_side_by_side_as_in_table_4(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "measures", *files(tmp_path, A=A, B=B))
    rows = [line.split() for line in run.out.splitlines() if "/" in line]
    shown = [(float(row[-2]), float(row[-1])) for row in rows]
    assert shown == list(zip(TABLE_4["A"], TABLE_4["B"], strict=True))
    assert run.err.count("prints a Generation Rate of 71.5 % and 72.3 %") == 1


def test_several_parsers_in_json_have_the_values_of_each_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = files(tmp_path, A=A, B=B, few={"TTB": 12, "TPB": 8, "EM": 6})
    together = Run(capsys, "measures", *paths, "--json").json
    assert together["schema"] == "karat/parser-measures/1"
    assert [one["name"] for one in together["parsers"]] == ["A", "B", "few"]
    for path, one in zip(paths, together["parsers"], strict=True):
        alone = Run(capsys, "measures", path, "--json").json
        assert alone == {"schema": "karat/measures/1", "measures": one["measures"]}


def test_what_is_wrong_in_several_files_is_said_of_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "measures", *files(tmp_path, A={"XYZ": 1}, B=B, C=[1]), "no-such.json")
    assert run.code == 3
    assert re.findall(r"([\w-]+\.json)\S* (K\d+)", run.err) == [
        ("A.json", "K721"),
        ("C.json", "K720"),
        ("no-such.json", "K101"),
    ]
    assert Run(capsys, "measures", "-", "-").code == 2
    assert Run(capsys, "measures", *files(tmp_path, A=A), *files(tmp_path, A=A)).code == 2


def test_items_follow_from_their_parts() -> None:
    complete = complete_items(A)
    assert (complete["EM"], complete["CE"], complete["SP"]) == (6748, 894, 1029)
    assert complete_items({"EM": 5})["EMA"] == 5
    assert complete_items({"EMA": 5})["EM"] == 5


def test_calculations_are_those_of_table_3() -> None:
    assert [measure.calculation for measure in PARSER_MEASURES][:3] == ["TPB/TTB", "EMA/TTB", "(EMA+CEA+SPA)/TTB"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "items.json:1:2: K720 not JSON"),
        ("[1]", "K720 not an object of items"),
        pytest.param('{"TTB": 1' + "0" * 400 + "}", "K721 TTB is 1000", id="large"),
        pytest.param('{"TTB": ' + "9" * 5000 + "}", "K720 not an object of items", id="digits"),
        ("{}", "K720 not an object of items"),
        ('{"TTB": 5, "XYZ": 2}', "K721 no item 'XYZ'"),
        ('{"TTB": -5}', "K721 TTB is -5, not a number of brackets"),
        ('{"TTB": true}', "K721 TTB is True"),
        ('{"TTB": 1.5}', "K721 TTB is 1.5"),
        (
            '{"TTB": 10, "TPB": 9, "EM": 3, "CE": 3, "SP": 2}',
            "K722 these numbers cannot all be true: EM + CE + SP is 8",
        ),
        ('{"TTB": 10, "EM": 11}', "K722"),
    ],
)
def test_what_makes_no_sense_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    run = run_on(capsys, tmp_path, text)
    assert run.code == 3
    assert message in run.err


def test_a_missing_file_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "measures", "no-such.json")
    assert (run.code, "K101" in run.err) == (3, True)


def test_without_an_argument_all_measures_are_listed_with_family_definition_and_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = Run(capsys, "measures", "--json").json
    assert found["schema"] == "karat/measure-list/1"
    rows = {(one["family"], one["name"]): one for one in found["measures"]}
    assert {family for family, _ in rows} == {
        "words", "error rates", "rich tags", "tags in a hierarchy", "brackets", "agreement",
    }  # fmt: skip
    assert all(one["definition"] and one["source"] for one in rows.values())
    assert rows["words", "LAS"]["unit"] == rows["brackets", "Labelled F1"]["unit"] == "%"
    assert rows["tags in a hierarchy", "cross_entropy"]["unit"] == "bits"
    assert rows["brackets", "Average Crossing"]["lower_is_better"]
    for format_ in ("text", "markdown", "latex", "csv", "tsv"):
        run = Run(capsys, "measures", "--format", format_)
        assert run.code == 0
        assert "Krippendorff" in run.out
        assert "LAS" in run.out


def test_the_list_of_measures_is_whole_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = Run(capsys, "measures").out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80
