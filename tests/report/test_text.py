"""Text that fits the terminal: columns dropped, tables in parts, names cut; nothing wider than it."""

from __future__ import annotations

from hypothesis import given, strategies as st

from karat.report.tables import written
from karat.report.text import Style
from karat.result import Best, Report, Table

WIDE = Table(
    ["system", "LAS", "95 % CI", "mid-p", "deff"],
    [["a-system-with-a-rather-long-name", Best("87.88"), "84.24–90.77", "0.52", "1.60"], ["b", 86.7, None, None, 1.2]],
    optional=("deff", "mid-p"),
)


def shown(table: Table, width: int, *, details: bool = False) -> list[str]:
    return written(Report([], [table]), "text", Style(width, details=details)).splitlines()


def test_a_table_that_fits_is_left_alone() -> None:
    lines = shown(WIDE, 100)
    assert lines[0].split() == ["system", "LAS", "95", "%", "CI", "mid-p", "deff"]
    assert lines[2].startswith("a-system-with-a-rather-long-name  87.88*")
    assert lines[3].split() == ["b", "86.70", "–", "–", "1.20"]


def test_optional_columns_go_first_and_come_back_with_details() -> None:
    lines = shown(WIDE, 55)
    assert all(len(line) <= 55 for line in lines)
    assert lines[0].split() == ["system", "LAS", "95", "%", "CI"]
    more = shown(WIDE, 55, details=True)
    assert [line.split() for line in more if line.startswith("system")][1] == ["system", "mid-p", "deff"]


def test_names_are_cut_in_the_middle_and_numbers_never() -> None:
    lines = shown(WIDE, 40)
    assert all(len(line) <= 40 for line in lines)
    assert lines[2].split()[0].count("…") == 1
    assert lines[2].startswith("a-sy")
    assert "87.88*" in lines[2]
    assert "84.24–90.77" in lines[2]


def test_columns_that_never_fit_follow_in_parts_with_the_first_column() -> None:
    names = [f"measure-{number}" for number in range(20)]
    table = Table(["system", *names], [["ada", *(float(number) for number in range(20))]])
    lines = shown(table, 80)
    assert all(len(line) <= 80 for line in lines)
    assert sum(line.startswith("ada") for line in lines) > 1
    assert [name for name in names if not any(name in line for line in lines)] == []


def test_parts_repeat_all_columns_that_say_what_a_row_is_about() -> None:
    names = [f"measure-{number}" for number in range(20)]
    table = Table(["A", "B", *names], [["ada", "bix", *range(20)], ["ada", "cyd", *range(20)]], n_keys=2)
    lines = shown(table, 80)
    n_parts = sum(line.startswith("A    B") for line in lines)
    assert n_parts > 1
    assert sum(line.startswith("ada  cyd") for line in lines) == n_parts
    assert [name for name in names if not any(name in line for line in lines)] == []


@given(
    names=st.lists(st.text("abcdefgh.", min_size=1, max_size=30), min_size=2, max_size=6),
    best=st.integers(0, 5),
    width=st.integers(60, 100),
)
def test_a_table_with_a_mark_on_the_best_fits(names: list[str], best: int, width: int) -> None:
    cells = [Best("87.88") if place == best else "86.70" for place in range(len(names))]
    lines = shown(Table(["measure", *names], [["LAS", *cells]]), width)
    assert max(map(len, lines)) <= width


def test_what_people_copy_is_whole() -> None:
    table = Table(["place", "what"], [["a/very/long/path/to/a/file.conllu:123", "w" * 60]], whole=("place",))
    lines = shown(table, 60)
    assert lines[2].startswith("a/very/long/path/to/a/file.conllu:123  www")
    assert lines[2].endswith("…")


def test_the_verdict_is_first_and_bold_where_it_can_be() -> None:
    report = Report(["ada is better."], [Table(["a"], [[1]])], ["A note."])
    assert written(report) == "ada is better.\n\na\n─\n1\n\nA note.\n"
    assert written(report, "text", Style(is_bold=True)).startswith("\x1b[1mada is better.\x1b[0m\n")


def test_latex_has_a_caption_a_label_and_true_minus_signs() -> None:
    table = Table(["system", "LAS"], [["a_b", Best("87.88")], ["Δ", "−1.20†"]])
    text = written(Report(["Said."], [table], caption="In %.", label="tab:x"), "latex")
    assert text.startswith("% Said.\n\n\\begin{table}\n")
    for part in (
        r"\caption{In \%.}",
        r"\label{tab:x}",
        r"a\_b & \textbf{87.88} \\",
        r"$\Delta$ & $-$1.20\rlap{$^\dagger$} \\",
    ):
        assert part in text


def test_markdown_sets_the_best_in_bold() -> None:
    text = written(Report(["Said."], [Table(["n"], [[Best("1.00")]])], caption="In %."), "markdown")
    assert text == "Said.\n\nIn %.\n\n| n |\n|---:|\n| **1.00** |\n"


def test_a_best_value_is_coloured_bold_and_marked_on_a_terminal_and_marked_elsewhere() -> None:
    table = Table(["system", "LAS"], [["ada", Best("80.00")], ["bix", "70.00"]])
    assert "\x1b[1;35m80.00*\x1b[0m" in written(Report([], [table]), "text", Style(is_bold=True))
    assert "80.00*" in written(Report([], [table]), "text", Style())
    assert "\x1b" not in written(Report([], [table]), "text", Style())


def test_headings_that_need_more_room_than_their_numbers_stand_in_two_lines_uncut() -> None:
    table = Table(
        ["measure", "error reduction", "where it is"], [["UPOS", "−9.1 %", "a.conllu:12"]], whole=["where it is"]
    )
    assert shown(table, 60)[0] == "measure  error reduction  where it is"
    lines = shown(table, 32)
    assert lines[:2] == ["             error", "measure  reduction  where it is"]
    assert lines[3] == "UPOS        −9.1 %  a.conllu:12"


def test_no_line_of_prose_begins_with_a_percent_sign() -> None:
    sentence = "On all words, B is better (95.2–98.0 % against 91.9–97.9 %), in 24 % of 1,000 cases."
    for width in range(40, 100):
        lines = written(Report([sentence], [], [sentence]), "text", Style(width)).splitlines()
        assert [line for line in lines if line.startswith("%") or len(line) > width] == []
        assert " ".join(lines).split() == [*sentence.split()] * 2
