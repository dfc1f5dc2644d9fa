"""Files of acknowledged exceptions: they come back as they were written, and what is wrong with them is said where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st

from karat.errors import DataError, UsageError
from karat.gold.exceptions import (
    COLUMNS,
    AcknowledgedException,
    exceptions_text,
    joined,
    keep_reasons,
    read_exceptions,
)

HEAD = "#schema karat/exceptions/1\n"
HEADER = "\t".join(COLUMNS) + "\n"
WORD = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(
    ["|", "\\", "\\s", "10 000", "=1+1", "-LRB-", "'", '"', '"a', "", "\x85", "\t", "\u2028", "\\u{20}"]
)


@st.composite
def entries(draw: st.DrawFn) -> AcknowledgedException:
    words = tuple(draw(st.lists(WORD, min_size=1, max_size=4)))
    ways = draw(st.sets(st.tuples(*[WORD] * len(words)), max_size=3))
    place = draw(st.sampled_from([("", None), ("s1", None), ("s1", 7)]))
    return AcknowledgedException("repeat", "upos", words, frozenset(ways), *place, "it is a name", draw(names))


names = st.sampled_from(["", "ina", "=jan"])


@given(st.lists(entries(), max_size=4, unique_by=lambda one: one.names))
@example([AcknowledgedException("suspect", "xpos", ("a b",), frozenset([("|",)]), "s 1", 3, "so", "")])
def test_exceptions_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, written: list[AcknowledgedException]
) -> None:
    path = tmp_path_factory.mktemp("exceptions") / "x.tsv"
    path.write_bytes(exceptions_text(written).encode())
    found = read_exceptions(path)
    assert list(found.entries) == written
    assert [one.line for one in found.entries] == list(range(5, 5 + len(written)))


def test_what_a_spreadsheet_does_to_the_file_is_put_up_with(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    rows = [
        "#schema karat/exceptions/1\t\t\t\t\t",
        "Reason\tcolumn\tkind\tlabels\ttext\tdone\t\t",
        '"it is\ta name"\tUPOS\trepeat\tX Y | Y X\ta b\tyes\t\t',
        "",
        '"says ""so"""\txpos\trepeat\t\ta b',
    ]
    rows[2] = rows[2].replace("is\ta", "is a")
    path.write_bytes("\r\n".join(rows).encode("utf-8-sig"))
    one, other = read_exceptions(path).entries
    assert one == AcknowledgedException(
        "repeat", "upos", ("a", "b"), frozenset([("X", "Y"), ("Y", "X")]), reason="it is a name"
    )
    assert (other.reason, other.labellings, other.line) == ('says "so"', frozenset(), 5)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a\tb\n", "1:1: K940 not a file of exceptions"),
        ("#schema karat/worklist/1\n", "1:1: K940 this is karat/worklist/1, not karat/exceptions/1"),
        ("#schema karat/exceptions/2\n", "1:1: K940 this is karat/exceptions/2"),
        (HEAD, "1:1: K941 the header row is missing"),
        (HEAD + "kind\tcolumn\ttext\n", "2:1: K941 the header has no columns labels, reason"),
        (HEAD + "kind\tcolumn\ttext\tlabels\treason\tkind\n", "2:32: K941 the header has the column kind twice"),
        (HEAD + HEADER + "repeat\tupos\n", "3:1: K942 2 cells where the header has 8"),
        (HEAD + HEADER + "repeat\tupos\ta\t\t\t\t\t\tx\n", "3:20: K942 9 cells where the header has 8"),
        (HEAD + HEADER + "bracket\tupos\ta\n", "3:1: K943 unexpected kind 'bracket'"),
        (HEAD + HEADER + "\tupos\ta\n", "3:1: K943 the kind is empty"),
        (HEAD + HEADER + "repeat\t\ta\n", "3:8: K943 the cell column is empty"),
        (HEAD + HEADER + "repeat\tupos\t\tX\n", "3:13: K943 the cell text is empty"),
        (HEAD + HEADER + "repeat\tupos\ta b\tX | X Y\n", "3:17: K943 1 label for 2 words"),
        (HEAD + HEADER + "repeat\tupos\ta\\b\n", "3:13: K943 'a\\\\b': a backslash is written"),
        (HEAD + HEADER + "repeat\tupos\ta\t\\u{110000}\n", "3:15: K943 '\\\\u{110000}': a backslash is written"),
        (HEAD + HEADER + "repeat\tupos\ta\tX\ts\t0\n", "3:19: K943 token is '0', not the number of a word"),
        (HEAD + HEADER + "repeat\tupos\ta\tX\t\t2\n", "3:17: K943 a token without a sent_id"),
        (HEAD + HEADER + "suspect\tupos\ta\tX\ts\n", "3:18: K943 a suspect needs sent_id and token"),
        (HEAD + HEADER + "repeat\tupos\ta\tX\n" * 2, "4:13: K943 the same exception is on line 3"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_where_it_is(tmp_path: Path, text: str, where: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_exceptions(path)
    assert str(error.value).startswith(f"{path}:{where}")
    assert len(error.value.problems) == 1


def test_all_that_is_wrong_is_said_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    good = "repeat\tupos\ta\tX\t\t\twhy\n"
    path.write_bytes((HEAD + HEADER + "x\tupos\ta\n" + good).encode() + b"repeat\tupos\t\xff\n" + b"repeat\t\ta\n")
    with pytest.raises(DataError) as error:
        read_exceptions(path)
    assert [(one.line, one.code) for one in error.value.problems] == [(3, "K943"), (5, "K106"), (6, "K943")]


def test_a_file_of_another_encoding_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes((HEAD + HEADER).encode("utf-16"))
    with pytest.raises(DataError, match="K107"):
        read_exceptions(path)


def test_words_that_differ_are_written_differently() -> None:
    texts = [joined(words) for words in (["a b"], ["a", "b"], ["a", "|", "b"], [""], [], ["\\s"], [" "], ["\\e"])]
    assert len(set(texts)) == len(texts)


def test_a_file_with_reasons_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    entry = AcknowledgedException("repeat", "upos", ("a",))
    keep_reasons(path)
    path.write_text(exceptions_text([entry]))
    keep_reasons(path)
    path.write_text(exceptions_text([AcknowledgedException("repeat", "upos", ("a",), judge="ina")]))
    with pytest.raises(UsageError, match="contains reasons"):
        keep_reasons(path)
    path.write_text("something else")
    with pytest.raises(UsageError, match="not a file of exceptions"):
        keep_reasons(path)
