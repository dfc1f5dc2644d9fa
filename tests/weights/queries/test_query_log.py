"""Logs of queries: their two forms, repeats, the three ways to count, and what is wrong where."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from karat.errors import DataError, UsageError
from karat.tagsets import read_tagset
from karat.weights.queries.log import By, QueryLog, count_mentions, parsed_queries, query_log_from_text, read_query_log
from karat.weights.queries.query import Query, QueryError

NKJP = read_tagset("nkjp")
TABLE = """time\tuser\tquery\tpage
1\tala\t[pos=subst & case=gen]\t1
2\tola\t[pos=subst & case=gen]\t1
3\tala\t[pos=subst & case=gen]\t2
4\tala\t[case=gen] [case=gen | case=dat]\t1
5\tala\t[pos=subst & case=gen]\t1
6\tola\tkot\t1
"""


def counts(log: QueryLog, by: By = "mention") -> Counter[str]:
    return count_mentions(log, NKJP, by=by).counts


def test_a_plain_log_is_a_query_a_line() -> None:
    log = query_log_from_text("[pos=subst]\r\n\n  [case=gen]\nkot")
    assert log.texts == ("[pos=subst]", "[case=gen]", "kot")
    assert (log.lines, log.columns) == ((1, 3, 4), (1, 3, 1))
    assert counts(log) == Counter(pos=1, case=1)


def test_a_table_is_read_by_its_header_and_paging_on_is_dropped() -> None:
    log = query_log_from_text(TABLE)
    assert log.users == ("ala", "ola", "ala", "ala", "ola")
    assert (log.lines, log.n_repeats) == ((2, 3, 5, 6, 7), 1)
    assert log.columns == (7, 7, 7, 7, 7)
    assert len(query_log_from_text(TABLE, keep_repeats=True)) == 6


def test_the_three_ways_to_count() -> None:
    log = query_log_from_text(TABLE)
    # 2 + 1 + (3 of the fourth) + 1 for case; pos in three queries
    assert counts(log, "mention") == Counter(case=6, pos=3)
    assert counts(log, "query") == Counter(case=4, pos=3)
    assert counts(log, "user") == Counter(case=2, pos=2)


def test_counts_say_how_many_queries_they_come_from() -> None:
    found = count_mentions(query_log_from_text(TABLE + "7\tola\t[pos=\t1\n"), NKJP, by="query")
    assert (found.n_queries, found.n_mentioning, found.n_malformed, found.n_repeats) == (6, 4, 1, 1)


def test_without_users_the_line_before_is_the_query_before() -> None:
    assert query_log_from_text("a\nb\nb \nb\na").texts == ("a", "b", "a")
    assert query_log_from_text("query\tpage\na\t1\na\t2").n_repeats == 1


def test_one_users_paging_goes_on_through_others_queries() -> None:
    log = query_log_from_text("user\tquery\nx\ta\ny\tb\nx\ta\ny\tb\ny\ta")
    assert list(zip(log.users, log.texts, strict=True)) == [("x", "a"), ("y", "b"), ("y", "a")]


def test_a_malformed_query_is_a_problem_with_its_place_and_the_rest_counts() -> None:
    found = count_mentions(query_log_from_text(TABLE.replace("kot", "[case=gen & pos]"), "log.tsv"), NKJP)
    (problem,) = found.problems
    assert str(problem) == "log.tsv:7:22: K821 an operator expected after 'pos', not ']'"
    assert found.counts == Counter(case=6, pos=3)


def test_an_expression_that_cannot_be_matched_is_a_problem_too() -> None:
    found = count_mentions(query_log_from_text('[case=gen]\n[tag="(?=s).*"]'), NKJP)
    assert [(one.code, one.line, one.column) for one in found.problems] == [("K821", 2, 6)]
    assert found.counts == Counter(case=1)


def test_a_row_without_its_query_is_a_problem() -> None:
    found = count_mentions(query_log_from_text("user\tquery\nala\nola\t[case=gen]"), NKJP)
    assert [(one.code, one.line) for one in found.problems] == [("K821", 2)]
    assert found.counts == Counter(case=1)


def test_macros_are_named_once_and_the_rest_of_their_queries_counts() -> None:
    found = count_mentions(query_log_from_text("@np [case=gen]\nkot @np\n[pos=fin] @vp"), NKJP)
    assert [(one.code, one.line, one.column) for one in found.warnings] == [("K822", 1, 1), ("K822", 3, 11)]
    assert [one.message for one in found.warnings] == [
        "the macro 'np' is not defined here, 2 times",
        "the macro 'vp' is not defined here",
    ]
    assert found.problems == ()
    assert found.counts == Counter(case=1, pos=1)


def test_the_language_is_said() -> None:
    log = query_log_from_text('a:[pos="fin"] []* b:[number="sg"] :: a.number = b.number')
    assert count_mentions(log, NKJP, language="cqp").counts == Counter(pos=1, number=2)
    assert count_mentions(log, NKJP).problems[0].code == "K821"


def test_what_cannot_be_counted_is_said() -> None:
    log = query_log_from_text("kot")
    with pytest.raises(UsageError, match="no column user"):
        count_mentions(log, NKJP, by="user")
    with pytest.raises(UsageError, match="unknown count by 'day'"):
        count_mentions(log, NKJP, by="day")  # type: ignore[arg-type]


def test_files_are_read_packed_or_not(tmp_path: Path) -> None:
    (tmp_path / "log.tsv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert read_query_log(tmp_path / "log.tsv.gz").texts == query_log_from_text(TABLE).texts
    (tmp_path / "latin").write_bytes("kot\nżółw".encode("iso-8859-2"))
    with pytest.raises(DataError) as error:
        read_query_log(tmp_path / "latin")
    assert (error.value.code, error.value.line) == ("K106", 2)


def test_an_empty_log_counts_nothing() -> None:
    found = count_mentions(query_log_from_text(""), NKJP)
    assert (found.counts, found.n_queries) == (Counter(), 0)


def test_queries_are_handed_on_taken_apart() -> None:
    found = parsed_queries(query_log_from_text("kot\n[\nkot"))
    assert [type(one) for one in found] == [Query, QueryError, Query]
    assert found[0] is found[2]


QUERIES = st.sampled_from(["kot", "[case=gen]", "[pos=subst & case!=nom]", '[tag="adj:.*"]', "[pos=", "@np"])


@given(st.lists(st.tuples(st.sampled_from("xyz"), QUERIES), max_size=12))
def test_counts_do_not_depend_on_how_users_are_mixed_in_the_log(rows: list[tuple[str, str]]) -> None:
    def of(some: list[tuple[str, str]], by: By) -> Counter[str]:
        return counts(query_log_from_text("\n".join(["user\tquery", *map("\t".join, some)])), by)

    one_after_the_other = sorted(rows, key=lambda row: row[0])
    for by in ("mention", "query", "user"):
        assert of(rows, by) == of(one_after_the_other, by)
    assert of(rows, "mention") >= of(rows, "query") >= of(rows, "user")
