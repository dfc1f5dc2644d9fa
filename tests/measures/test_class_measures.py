"""Measures of a confusion matrix: against scikit-learn to the last digit, against the definitions, and bad files."""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from cli_runs import Run
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

LABELS = ("NOUN", "VERB", "ADJ", "adv", "X", "é")
Counts = dict[str, dict[str, int]]


@st.composite
def matrices(draw: st.DrawFn) -> Counts:
    """Counts of some gold and some system labels, in any order, at least one of them above 0."""
    gold, system = (draw(st.lists(st.sampled_from(LABELS), min_size=1, unique=True)) for _ in range(2))
    n = st.one_of(st.integers(0, 3), st.integers(0, 100_000))
    counts = {g: {s: draw(n) for s in system} for g in gold}
    if not any(one for row in counts.values() for one in row.values()):
        counts[gold[0]][system[0]] = 1
    return counts


def answers(counts: Counts) -> tuple[list[str], list[str], list[int]]:
    """The gold label, the system's label and how often, of every cell that has any."""
    cells = [(g, s, n) for g, row in counts.items() for s, n in row.items() if n]
    return [g for g, _, _ in cells], [s for _, s, _ in cells], [n for _, _, n in cells]


@given(matrices())
@settings(max_examples=150, deadline=None)
def test_all_numbers_are_scikit_learn_s_to_the_last_digit(counts: Counts) -> None:
    from sklearn import metrics

    gold, system, n = answers(counts)
    found = karat.confusion_measures(counts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that some shares have nothing to divide by
        for name, average in found.averages.items():
            expected = metrics.precision_recall_fscore_support(gold, system, average=name, sample_weight=n)
            assert (average.precision, average.recall, average.f1) == expected[:3], name
        labels = sorted({*gold, *system})
        each = metrics.precision_recall_fscore_support(gold, system, labels=labels, sample_weight=n)
        kappa = metrics.cohen_kappa_score(gold, system, sample_weight=n)
    for place, label in enumerate(labels):
        one = found[label]
        assert (one.precision, one.recall, one.f1, one.gold) == tuple(float(part[place]) for part in each), label
    assert {one.label for one in found.classes} == set(labels)
    assert found.accuracy == metrics.accuracy_score(gold, system, sample_weight=n)
    assert found.kappa == kappa if found.kappa is not None else np.isnan(kappa)


@given(matrices())
@settings(max_examples=50, deadline=None)
def test_all_numbers_follow_from_the_definitions(counts: Counts) -> None:
    """In fractions, from lists of answers."""
    gold, system, n = answers(counts)
    cells = list(zip(gold, system, n, strict=True))
    found = karat.confusion_measures(counts)
    total = sum(n)
    right = sum(one for g, s, one in cells if g == s)
    assert found.n_items == total
    assert found.accuracy == pytest.approx(float(Fraction(right, total)))
    for one in found.classes:
        in_gold, in_system = (sum(c for *sides, c in cells if sides[at] == one.label) for at in (0, 1))
        both = sum(c for g, s, c in cells if g == s == one.label)
        assert (one.gold, one.system, one.correct) == (in_gold, in_system, both)
        assert one.precision == pytest.approx(both / in_system if in_system else 0)
        assert one.recall == pytest.approx(both / in_gold if in_gold else 0)
        assert one.f1 == pytest.approx(2 * both / (in_gold + in_system))
    assert found.macro.f1 == pytest.approx(sum(one.f1 for one in found.classes) / len(found.classes))
    assert found.weighted.f1 == pytest.approx(sum(one.f1 * one.gold for one in found.classes) / total)
    assert found.micro.f1 == pytest.approx(right / total)
    chance = Fraction(sum(one.gold * one.system for one in found.classes), total**2)
    if chance == 1:
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx(float((Fraction(right, total) - chance) / (1 - chance)))


def test_the_matrix_of_the_attachment_paper() -> None:
    """[Slaski, Acedański & Przepiórkowski 2012, Table 1], P, R and F of YES as `papers/README.md` has them."""
    found = karat.confusion_measures({"YES": {"YES": 2674, "NO": 1781}, "NO": {"YES": 319, "NO": 21250}})
    yes = found["YES"]
    assert (round(yes.precision, 3), round(yes.recall, 3), round(yes.f1, 3)) == (0.893, 0.600, 0.718)
    assert found.n_items == 26_024


@given(matrices(), st.sampled_from("\t,;"), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_file_with_any_delimiter_is_read(
    tmp_path_factory: pytest.TempPathFactory, counts: Counts, delimiter: str, has_corner: bool, quotes: bool
) -> None:
    def cell(text: str) -> str:
        return f'"{text}"' if quotes else text

    system = list(next(iter(counts.values())))
    lines = [delimiter.join([*(["gold"] if has_corner else []), *map(cell, system)])]
    lines += [delimiter.join([cell(g), *map(str, row.values())]) for g, row in counts.items()]
    if not has_corner and len(system) == 1 and delimiter != "\t":
        return  # a row of one label says nothing of what is between cells
    path = tmp_path_factory.mktemp("m") / "matrix.txt"
    path.write_text("\n".join(lines) + "\r\n\n", encoding="utf-8-sig")
    assert karat.confusion_measures(path).to_dict() | {"signature": ""} == karat.confusion_measures(
        counts
    ).to_dict() | {"signature": ""}


def test_labels_may_have_delimiters_and_quotes_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text('gold,",","say ""a"""\n",",3,1\n"say ""a""",0,4.0\n', encoding="utf-8")
    found = karat.confusion_measures(path)
    assert [(one.label, one.correct) for one in found.classes] == [(",", 3), ('say "a"', 4)]
    assert found.kappa == 0.75


def test_unused_labels_are_left_out_and_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text("\ta\tb\tc\na\t3\t0\t0\nb\t1\t0\t0\nc\t0\t0\t0\n", encoding="utf-8")
    found = karat.confusion_measures(path)
    assert (found.unused, len(found.classes)) == (("c",), 2)
    out = Run(capsys, "measures", "--confusion", str(path)).out
    assert "Left out, on neither side: c." in out
    assert "Never predicted, precision scored as 0: b." in out
    one = karat.confusion_measures({"a": {"a": 3}})
    assert (one.kappa, one.accuracy) == (None, 1.0)


def test_the_result_is_what_the_command_line_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "m.tsv"
    path.write_text(f"\ta\t{SCRIPT}\na\t3\t2\n{SCRIPT}\t1\t5\n", encoding="utf-8")
    run = Run(capsys, "measures", "--confusion", str(path), "--json")
    found = karat.confusion_measures(path)
    assert_is_printed(found, run.json)
    assert_is_safe(found)
    assert f"confusion:{path}@sha256:" in found.signature


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", "1:1", "no row of counts"),
        ("x\ta\n", "1:1", "no row of counts"),
        ("x y\na 1\n", "1:1", "no system label"),
        ("x\ta\tb\na\t1\t2\nb\t1\n", "3:3", "1 count for 2 system labels"),
        ("x\ta\tb\na\t1\t2\nb\t1\t2\t3\n", "3:7", "3 counts for 2 system labels"),
        ("x\ta\ta\na\t1\t2\n", "1:5", "the label 'a' occurs twice"),
        ("x\ta\tb\na\t1\t2\na\t1\t2\n", "3:1", "the label 'a' occurs twice"),
        ("x\ta\t\na\t1\t2\n", "1:5", "a label is empty"),
        ("x,a,b\na,1,-2\n", "2:5", "'-2' is not a count"),
        ("x,a,b\na,1,\n", "2:5", "'' is not a count"),
        ("x,a,b\na,1_0,2\n", "2:3", "'1_0' is not a count"),
        ("x,a,b\na,1,nan\n", "2:5", "'nan' is not a count"),
        ("x,a,b\na,1,0.5\n", "2:5", "'0.5' is not a count"),
        ("x,a,b\na,1," + "9" * 39 + "\n", "2:5", "is not a count"),
        ('x,a,b\n"a,1,2\n', "2:1", "quote that is never closed"),
        ('x,a,b\n"a"a,1,2\n', "2:4", "text after a quoted cell"),
        ("x,a,b,All\na,1,2,3\nb,2,3,5\nAll,3,5,8\n", "4:1", "'All' contains totals"),
        ("x,a,b\na,0,0\n", "1:1", "all counts are 0"),
    ],
)
def test_what_is_no_matrix_is_told_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, place: str, reason: str
) -> None:
    path = tmp_path / "m.txt"
    path.write_text(text, encoding="utf-8")
    run = Run(capsys, "measures", "--confusion", str(path))
    assert (run.code, run.out) == (3, "")
    assert f"{path}:{place}: K723 {reason}" in run.err or (f"{path}:{place}: K723" in run.err and reason in run.err)


def test_other_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_bytes(b"x\ta\na\t\xff\n")
    assert "K106" in Run(capsys, "measures", "--confusion", str(path)).err
    assert "K101" in Run(capsys, "measures", "--confusion", str(tmp_path / "nowhere")).err
    assert Run(capsys, "measures", str(path), "--confusion", str(path)).code == 2
    wide = "\t".join(["x", *(f"l{number}" for number in range(5000))])
    path.write_text(wide + "\n" + "\t".join(["a"] + ["0"] * 5000) + "\n", encoding="utf-8")
    assert "5,001 labels" in Run(capsys, "measures", "--confusion", str(path)).err
    for counts in ({"a": {"a": -1}}, {"a": {"a": 1.5}}, {}):
        with pytest.raises(karat.DataError, match="K723"):
            karat.confusion_measures(counts)  # type: ignore[arg-type]
