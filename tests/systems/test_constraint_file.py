"""Constraints as lines of a file: what is written is read, and what is wrong is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import karat
from karat.systems.relaxation.constraint_file import constraints_from_lines, read_constraints
from karat.systems.relaxation.constraints import EDGE, SHAPES, Constraint, ContextCondition, lines_of

LABELS = (
    "NN",
    "VB",
    "DT",
    "PRP$",
    "``",
    "''",
    ",",
    "-LRB-",
    "#",
    "EDGE",
    "A|B",
    "x y",
    "a>b\\",
    '"',
    "<-",
    "unknown:lower",
    "^",
    "[",
)

tags = st.sampled_from(LABELS)
forms = st.text(st.characters(exclude_categories=["Cc", "Cs", "Lu", "Lt", "Z"]), min_size=1, max_size=4).map(str.lower)
places = st.integers(-9, 9).filter(bool)


def alternatives(of: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(of, min_size=1, max_size=3).map(tuple)


conditions: st.SearchStrategy[ContextCondition] = st.one_of(
    st.builds(ContextCondition, places, st.just("tag"), alternatives(tags | st.just(EDGE)), st.booleans()),
    st.builds(ContextCondition, st.integers(-9, 9), st.just("form"), alternatives(forms), st.booleans()),
    st.builds(ContextCondition, st.integers(-9, 9), st.just("shape"), st.sampled_from(SHAPES).map(lambda one: (one,))),
    st.builds(
        ContextCondition,
        st.integers(-9, 9),
        st.just("class"),
        st.sets(tags, min_size=1).map(lambda some: tuple(sorted(some))),
    ),
)
constraints = st.builds(
    Constraint,
    st.integers(-100_000, 100_000).map(lambda n: n / 1000),
    tags,
    st.lists(conditions, min_size=1, max_size=4).map(tuple),
    st.integers(0, 99),
    st.sampled_from("BTCH"),
)


@given(constraints)
def test_what_is_written_is_read(one: Constraint) -> None:
    (found,) = constraints_from_lines([str(one)], LABELS, "")
    assert (found.strength, found.head, found.conditions) == (one.strength, one.head, one.conditions)


def test_constraints_that_differ_only_in_the_head_share_a_line() -> None:
    several = [Constraint(-1.0, head, (ContextCondition(-1, "tag", ("DT",)),), 7, "C") for head in ("VB", "A|B")]
    assert lines_of(several) == ["-1.000 VB|<A|B> <- [-1 DT]  # 7 C"]
    found = constraints_from_lines(lines_of(several), LABELS, "")
    assert [(one.head, one.conditions) for one in found] == [(one.head, one.conditions) for one in several]


def test_comments_and_empty_lines_are_passed_over_and_forms_are_in_lower_case() -> None:
    lines = [
        "\ufeff# a comment",
        "",
        "  \r",
        '1 NN <- [-1 DT|PRP$] [+1 ^"Of"|"to"]  # why not\r',
        "\u22122e0 VB<- [-1 DT]",
    ]
    with pytest.raises(karat.DataError, match="VB<- is no tag"):
        constraints_from_lines(lines, LABELS, "f")
    (found,) = constraints_from_lines(lines[:-1], LABELS, "f")
    assert found.conditions == (
        ContextCondition(-1, "tag", ("DT", "PRP$")),
        ContextCondition(1, "form", ("of", "to"), True),
    )
    (found,) = constraints_from_lines(["\u22122e0 VB <-[\u22121 DT]"], LABELS, "f")
    assert (found.strength, found.conditions[0].position) == (-2, -1)


@pytest.mark.parametrize(
    ("line", "code", "column", "message"),
    [
        ("NN <- [-1 DT]", "K906", 1, "a number, the strength was expected, not 'NN'"),
        ("1e3 NN <- [-1 DT]", "K906", 1, "a strength from -100 to 100 was expected"),
        ("nan NN <- [-1 DT]", "K906", 1, "a strength from -100 to 100"),
        ("1 NNX <- [-1 DT]", "K907", 3, "NNX is no tag of the training text"),
        ("1 EDGE <- [-1 DT]", "K906", 3, "a tag was expected, not 'EDGE'"),
        ("1 NN [-1 DT]", "K906", 6, "<- was expected, not '['"),
        ("1 NN <-", "K906", 8, "[ was expected, not the end of the line"),
        ("1 NN <- [-1 DT", "K906", 15, "] was expected, not the end of the line"),
        ("1 NN <- [DT]", "K906", 10, "a position from -9 to +9 was expected, not 'DT'"),
        ("1 NN <- [-10 DT]", "K906", 10, "a position from -9 to +9"),
        ("1 NN <- [0 DT]", "K906", 12, "at position 0, a word in quotes"),
        ("1 NN <- [-1 DT|]", "K906", 16, "a tag was expected, not ']'"),
        ("1 NN <- [-1 DT|ZZ]", "K907", 16, "ZZ is no tag"),
        ("1 NN <- [-1 <Z Z>]", "K907", 13, "Z Z is no tag"),
        ('1 NN <- [-1 "of"|DT]', "K906", 18, "a word in quotes was expected, not 'DT'"),
        ('1 NN <- [-1 "of]', "K906", 13, 'the " is not closed'),
        ("1 NN <- [-1 {DT]", "K906", 16, "} was expected"),
        ("1 NN <- [-1 {EDGE}]", "K906", 13, "tags of a word in braces"),
        ("1 NN <- [-1 DT] and", "K906", 17, "[ was expected, not 'and'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_column(
    line: str, code: str, column: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "constraints.txt"
    path.write_text(f"# first\n{line}\n1 NN <- [-1 DT]\n", encoding="utf-8")
    with pytest.raises(karat.DataError) as caught:
        read_constraints(path, LABELS[:7])
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == (code, 2, column)
    assert message in problem.message
    assert problem.hint


def test_all_wrong_lines_are_named_at_once_and_near_tags_are_offered() -> None:
    with pytest.raises(karat.DataError) as caught:
        constraints_from_lines(["1 NNN <- [-1 DT]", "1 NN <- [-1 DT]", "x"], LABELS, "f")
    assert [one.line for one in caught.value.problems] == [1, 3]
    assert caught.value.problems[0].hint == "did you mean NN?"


@given(st.text(max_size=30))
def test_any_line_is_read_or_refused_at_a_place_in_it(line: str) -> None:
    try:
        places, found = [1], constraints_from_lines([line], LABELS, "f")
    except karat.DataError as error:
        places, found = [one.column for one in error.problems], []
    assert len(found) <= 1
    assert all(1 <= place <= len(line) + 1 for place in places)
