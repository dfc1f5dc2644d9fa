"""Reading CoNLL-U that is wrong: every mistake is found, with its place, its code and a way out."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.align import align
from karat.corpus import conllu_from_source, lines as _lines, read_conllu, source_from_bytes
from karat.errors import NO_LINE, DataError, KaratError, Problem
from karat.measures.catalogue import EVERY_MEASURE
from karat.measures.words.comparison import Comparison


def row(number: str, form: str = "w", head: str = "0", deps: str = "_") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t{deps}\t_"


def text_of(*rows: str) -> str:
    return "".join(line + "\n" for line in rows)


GOOD = text_of(row("1"), "")
FIELDS_BEFORE_HEAD = len("1\tw\t_\tX\t_\t_\t")


def problems_in(text: str | bytes) -> tuple[Problem, ...]:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(DataError) as caught:
        conllu_from_source(source_from_bytes(data, "bad.conllu"))
    return caught.value.problems


def only_problem_in(text: str | bytes) -> Problem:
    problems = problems_in(text)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


# --- the shape of an error ---


def test_a_data_error_says_where_what_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "two.conllu"
    path.write_text(text_of("# one comment", row("1"), row("2")))
    with pytest.raises(DataError) as caught:
        read_conllu(path)
    error = caught.value
    column = FIELDS_BEFORE_HEAD + 1
    assert (error.path, error.line, error.column, error.code) == (str(path), 3, column, "K211")
    assert error.message == "the sentence has 2 roots; this is the second"
    assert error.hint == "only one word may have HEAD 0"
    assert str(error) == f"{path}:3:{column}: K211 the sentence has 2 roots; this is the second"
    assert error.exit_code == 3
    assert isinstance(error, KaratError)


def test_an_error_of_several_problems_shows_the_first_and_counts_the_rest() -> None:
    with pytest.raises(DataError, match=r"bad\.conllu:1:1: K202 .* \(and 2 more\)"):
        conllu_from_source(source_from_bytes(text_of(row("a"), "", row("b"), "", row("c")).encode(), "bad.conllu"))


def test_columns_count_characters_not_bytes() -> None:
    problem = only_problem_in(text_of(row("1", "żółć", "x")))
    assert problem.column == FIELDS_BEFORE_HEAD + 4


def test_control_characters_of_the_input_do_not_reach_the_terminal() -> None:
    problem = only_problem_in(text_of(row("\x1b[31m")))
    assert "\x1b" not in str(problem)


# --- one mistake each: rows, code, line, column, part of the message ---


def at_head(form: str = "w") -> int:
    return FIELDS_BEFORE_HEAD + len(form)


MISTAKES = {
    "nine-columns": ([row("1").removesuffix("\t_")], "K201", 1, 1, "9 columns where 10"),
    "eleven-columns": ([row("1") + "\t_"], "K201", 1, 1, "11 columns where 10"),
    "one-column": (["hello"], "K201", 1, 1, "1 column where 10"),
    "spaces-for-tabs": ([row("1").replace("\t", " ")], "K201", 1, 1, "1 column where 10"),
    "no-id": ([row("")], "K202", 1, 1, "''"),
    "word-for-id": ([row("one")], "K202", 1, 1, "'one'"),
    "zero-id": ([row("0")], "K202", 1, 1, "'0'"),
    "padded-id": ([row("01")], "K202", 1, 1, "'01'"),
    "negative-id": ([row("-1")], "K202", 1, 1, "'-1'"),
    "arabic-digit-id": ([row("١")], "K202", 1, 1, "'١'"),
    "id-with-space": ([row("1 ")], "K202", 1, 1, "'1 '"),
    "three-part-range": ([row("1-2-3"), row("2", "w", "1")], "K202", 1, 1, "'1-2-3'"),
    "range-with-no-end": ([row("1-")], "K202", 1, 1, "'1-'"),
    "starts-at-two": ([row("2")], "K203", 1, 1, "'2' where 1 was expected"),
    "skips-a-number": ([row("1"), row("3", "w", "1"), row("4", "w", "1")], "K203", 2, 1, "'3' where 2 was expected"),
    "repeats-a-number": ([row("1"), row("1", "w", "1")], "K203", 2, 1, "'1' where 2 was expected"),
    "range-backwards": ([row("2-1"), row("1"), row("2", "w", "1")], "K204", 1, 1, "'2-1'"),
    "range-starts-late": ([row("2-3"), row("1"), row("2", "w", "1"), row("3", "w", "1")], "K204", 1, 1, "'2-3'"),
    "range-starts-early": ([row("1"), row("1-2"), row("2", "w", "1")], "K204", 2, 1, "'1-2'"),
    "range-beyond-sentence": ([row("1"), row("2-3"), row("2", "w", "1")], "K204", 2, 1, "'2-3'"),
    "range-at-the-end": ([row("1"), row("2-3")], "K204", 2, 1, "'2-3'"),
    "overlapping-ranges": (
        [row("1-2"), row("1"), row("2-3"), row("2", "w", "1"), row("3", "w", "1")], "K204", 3, 1, "'2-3'"
    ),
    "range-in-range": (
        [row("1-3"), row("1"), row("2-2"), row("2", "w", "1"), row("3", "w", "1")], "K204", 3, 1, "'2-2'"
    ),
    "same-range-twice": ([row("1-2"), row("1-2"), row("1"), row("2", "w", "1")], "K204", 2, 1, "'1-2'"),
    "no-form": ([row("1", "")], "K206", 1, 3, "FORM is empty"),
    "form-of-spaces": ([row("1", " \u00a0")], "K206", 1, 3, "FORM is empty"),
    "no-form-in-range": ([row("1-1", ""), row("1")], "K206", 1, 5, "FORM is empty"),
    "word-for-head": ([row("1", "w", "root")], "K207", 1, at_head(), "'root' is not a number"),
    "negative-head": ([row("1", "w", "-1")], "K207", 1, at_head(), "'-1' is not a number"),
    "decimal-head": ([row("1"), row("2", "w", "1.1")], "K207", 2, at_head(), "'1.1' is not a number"),
    "no-head": ([row("1", "w", "")], "K207", 1, at_head(), "'' is not a number"),
    "head-out-of-range": ([row("1"), row("2", "w", "3")], "K208", 2, at_head(), "HEAD 3 is out of range"),
    "huge-head": ([row("1"), row("2", "w", "999999999")], "K208", 2, at_head(), "out of range"),
    "head-beyond-any-number": ([row("1"), row("2", "w", "9" * 30)], "K207", 2, at_head(), "not a number"),
    "self-loop": ([row("1"), row("2", "w", "2")], "K209", 2, at_head(), "2 → 2"),
    "cycle-beside-a-root": (
        [row("1", "w", "2"), row("2", "w", "4"), row("3"), row("4", "w", "1")], "K209", 1, at_head(), "1 → 2 → 4 → 1"
    ),
    "no-root": ([row("1", "w", "2"), row("2", "w", "1")], "K210", 1, at_head(), "no root"),
    "only-word-its-own-head": ([row("1", "w", "1")], "K210", 1, at_head(), "no root"),
    "two-roots": ([row("1"), row("2"), row("3", "w", "1")], "K211", 2, at_head(), "2 roots"),
    "three-roots": ([row("1"), row("2", "w", "1"), row("3"), row("4")], "K211", 3, at_head(), "3 roots"),
    "some-heads-missing": ([row("1"), row("2", "w", "_")], "K212", 2, at_head(), "HEAD is missing"),
}  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_where_it_is(name: str, end: str) -> None:
    rows, code, line, column, message = MISTAKES[name]
    problems = problems_in(end.join(["# a comment", *rows, "", ""]))
    assert (problems[0].code, problems[0].line, problems[0].column) == (code, line + 1, column)
    assert problems[0].path == "bad.conllu"
    assert message in problems[0].message


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_once(name: str) -> None:
    rows, code, *_ = MISTAKES[name]
    assert [problem.code for problem in problems_in(text_of(*rows, ""))] == [code]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_spoils_its_sentence_only(name: str) -> None:
    rows = MISTAKES[name][0]
    spoiled = 2 if "" in rows else 1  # the mistake that takes two sentences is in the second
    text = text_of(row("1"), "", *rows, "", row("1"), "")
    corpus = conllu_from_source(source_from_bytes(text.encode()), bad="keep")
    assert np.flatnonzero(corpus.bad).tolist() == [spoiled]
    assert corpus.n_sentences == spoiled + 2
    assert {problem.sentence for problem in corpus.problems} == {spoiled}


@pytest.mark.parametrize("name", ["nine-columns", "one-column", "word-for-id", "range-backwards"])
def test_a_mistake_in_the_format_comes_with_a_hint(name: str) -> None:
    assert problems_in(text_of(*MISTAKES[name][0]))[0].hint


ODD_EMPTY_NODES = {  # rows, the line of the first that is not where its number says, how many are not
    "zero": ([row("1"), row("1.0")], 2, 1),
    "early": ([row("1.1"), row("1")], 1, 1),
    "late": ([row("1"), row("0.1")], 2, 1),
    "starts-at-two": ([row("1"), row("1.2")], 2, 1),
    "skips": ([row("1"), row("1.1"), row("1.3")], 3, 1),
    "twice": ([row("1"), row("1.1"), row("1.1")], 3, 1),
    "out-of-order": ([row("1"), row("1.2"), row("1.1")], 2, 2),
    "beyond-the-sentence": ([row("1"), row("7.1")], 2, 1),
    "of-the-sentence-before": ([row("1"), row("1.1"), "", row("1.2"), row("1")], 4, 1),
    "between-range-and-word": ([row("1-1"), row("0.1"), row("1")], 2, 1),
    "between-range-and-word-later": (
        [row("1"), row("1.1"), row("2-3"), row("1.2"), row("2", "w", "1"), row("2.1"), row("3", "w", "1")], 4, 1
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_EMPTY_NODES)
def test_an_empty_node_that_is_not_where_its_number_says_is_read_with_a_warning(name: str) -> None:
    rows, line, n = ODD_EMPTY_NODES[name]
    corpus = conllu_from_source(source_from_bytes(text_of(*rows, "").encode(), "odd.conllu"), deps=True)
    (warning, *others) = corpus.warnings
    assert (warning.code, warning.line, warning.column) == ("W103", line, 1)
    assert [one.code for one in others] == ["W101"]
    assert warning.hint
    assert (f"{n} empty nodes are not where their numbers say" in warning.message) == (n > 1)
    assert len(corpus.empty_nodes) == sum("." in one.split("\t")[0] for one in rows)
    assert corpus.column("form").strings() == ["w"] * corpus.n_words
    assert corpus.n_words == sum(one.split("\t")[0].isdigit() for one in rows)


def test_empty_nodes_that_are_where_their_numbers_say_bring_no_warning() -> None:
    rows = [row("0.1"), row("1-2"), row("1"), row("1.1"), row("1.2"), row("2", "w", "1"), row("2.1"), "", row("0.1")]
    corpus = conllu_from_source(source_from_bytes(text_of(*rows, row("1"), "").encode()))
    assert [one.code for one in corpus.warnings] == ["W101"]


NUMBERS_OF_CONLL18 = ["01", "1 ", "1\u00a0", "+1", "\u3000" + "1", "١"]


@pytest.mark.parametrize("number", NUMBERS_OF_CONLL18)
def test_numbers_that_the_conll18_evaluator_reads_are_read_like_it_only(number: str) -> None:
    text = text_of(row(number), row("2", "w", number), "")
    assert [(one.code, one.line) for one in problems_in(text)] == [("K202", 1), ("K207", 2)]
    corpus = conllu_from_source(source_from_bytes(text.encode()), as_conll18=True)
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [0, 1]


@pytest.mark.parametrize("number", ["one", "-1", "", "0", "00", "1-2-3", "1-x", "9" * 30])
def test_an_id_that_the_conll18_evaluator_refuses_is_refused(number: str) -> None:
    with pytest.raises(DataError, match="K202"):
        conllu_from_source(source_from_bytes(text_of(row(number), "").encode()), as_conll18=True)


def test_every_id_with_a_dot_is_an_empty_node_to_the_conll18_evaluator() -> None:
    text = text_of(row("1"), row("1.1.1"), row("x."), row("01-02", "ww"), row("02", "w", "1"), row("03", "w", "1"), "")
    with pytest.raises(DataError, match="K20"):
        conllu_from_source(source_from_bytes(text.encode()), as_conll18=True)  # the range is not 2-3
    corpus = conllu_from_source(source_from_bytes(text.replace("01-02", "02-03").encode()), as_conll18=True)
    assert (corpus.n_words, len(corpus.empty_nodes), len(corpus.multiword)) == (3, 2, 1)


def test_a_word_off_a_cycle_is_not_said_to_be_on_it() -> None:
    # 2 hangs from 3, and 3 and 4 from each other
    problem = only_problem_in(text_of(row("1"), row("2", "w", "3"), row("3", "w", "4"), row("4", "w", "3")))
    assert (problem.code, problem.line) == ("K209", 3)
    assert "3 → 4 → 3" in problem.message


def test_a_long_cycle_is_found_and_shown_in_short() -> None:
    n = 5000
    rows = [row("1"), *(row(str(number), "w", str(number + 1)) for number in range(2, n)), row(str(n), "w", "2")]
    problem = only_problem_in(text_of(*rows))
    assert problem.code == "K209"
    assert "2 → 3 → 4 → 5 → 6 → 7 → 8 → … → 2" in problem.message


def test_a_cycle_in_one_sentence_does_not_hide_one_in_the_next() -> None:
    loop = [row("1"), row("2", "w", "3"), row("3", "w", "2"), ""]
    assert [problem.line for problem in problems_in(text_of(*loop, row("1"), "", *loop))] == [2, 8]


def test_a_sentence_of_nothing_but_an_empty_node_is_refused() -> None:
    # it has no text, and nothing to score
    problems = problems_in(text_of(row("1"), "", row("0.1"), ""))
    assert problems[0].line == 3


# --- several mistakes ---


def test_all_problems_are_reported_in_the_order_of_the_text() -> None:
    text = text_of(
        *[row("1"), row("2"), ""],  # lines 1–3: two roots
        *[row("1"), ""],
        *[row("1", "w", "x"), ""],  # line 6: a head that is no number
        *["2\tb", ""],  # line 8: two columns
        *[row("1-2"), row("1"), ""],  # line 10: a range beyond the sentence
        *["# bad \\xff", row("7"), ""],  # line 14: a wrong number
    )
    problems = problems_in(text)
    first_of_each_sentence = {problem.sentence: problem for problem in reversed(problems)}
    found = [(number, problem.line, problem.code) for number, problem in sorted(first_of_each_sentence.items())]
    assert found == [(0, 2, "K211"), (2, 6, "K207"), (3, 8, "K201"), (4, 10, "K204"), (5, 14, "K203")]
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)


def test_problems_of_several_files_name_their_files(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.conllu", "b.conllu", "c.conllu")]
    paths[0].write_text(text_of(row("1"), row("2")).removesuffix("\n"))
    paths[1].write_text(GOOD)
    paths[2].write_text("\ufeff" + text_of("", row("3")), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_conllu(paths)
    places = [(problem.path, problem.line, problem.column) for problem in caught.value.problems]
    assert places == [(str(paths[0]), 2, at_head()), (str(paths[2]), 2, 1)]


def test_bad_sentences_can_be_kept_and_are_flagged() -> None:
    text = text_of(row("1", "a"), "", row("1", "b"), row("2", "c"), "", row("1", "d"), "", row("x", "e"), "")
    corpus = conllu_from_source(source_from_bytes(text.encode()), bad="keep")
    assert corpus.bad.tolist() == [False, True, False, True]
    assert [problem.code for problem in corpus.problems] == ["K211", "K202"]
    assert corpus.column("form").strings() == ["a", "b", "c", "d", "e"]
    assert corpus.sentence_offsets.tolist() == [0, 1, 3, 4, 5]


def test_one_mistake_in_a_file_without_heads_is_not_taken_for_missing_heads() -> None:
    text = text_of(row("1", "a", "_"), "", "1\tb", "", row("1", "c", "_"), "")
    assert [problem.code for problem in problems_in(text)] == ["K201"]


def test_a_kept_sentence_with_a_short_row_leaves_a_file_without_heads_without_heads() -> None:
    text = text_of(row("1", "a", "_"), "", "1\tb", "", row("1", "c", "_"), "")
    corpus = conllu_from_source(source_from_bytes(text.encode()), bad="keep")
    assert corpus.bad.tolist() == [False, True, False]
    assert corpus.heads is None


# --- bytes that are not text ---


def test_a_form_that_is_not_utf8_is_an_error_at_its_place() -> None:
    problem = only_problem_in(text_of(row("1", "a"), row("2", "b@", "1")).encode().replace(b"@", b"\xe9"))
    assert (problem.code, problem.line, problem.column) == ("K106", 2, 4)
    assert "iconv" in problem.hint


def test_a_character_cut_short_at_the_end_of_the_file_is_an_error() -> None:
    assert only_problem_in(row("1", "a").removesuffix("_").encode() + "é".encode()[:1]).code == "K106"


def test_a_comment_that_is_not_utf8_is_an_error_at_its_place() -> None:
    problem = only_problem_in(b"# text = caf\xe9\n" + GOOD.encode())
    assert (problem.code, problem.line, problem.column) == ("K106", 1, 13)


def test_a_bad_comment_does_not_spoil_the_sentence_before_it() -> None:
    text = GOOD.encode() + b"# text = caf\xe9\n" + GOOD.encode()
    corpus = conllu_from_source(source_from_bytes(text), bad="keep")
    assert [problem.line for problem in corpus.problems] == [3]
    assert not corpus.bad[0]


def test_bytes_that_are_not_utf8_are_reported_once_a_line() -> None:
    text = (GOOD + "# @@\n" + text_of(row("1", "@"), "") + GOOD + text_of(row("1", "@@")) + "# @").encode()
    assert [problem.line for problem in problems_in(text.replace(b"@", b"\xff"))] == [3, 4, 8, 9]


def test_bytes_that_are_not_utf8_are_found_behind_a_long_text() -> None:
    text = text_of("# ä", row("1", "ü"), "") * 20_000
    problem = only_problem_in(text.encode() + b"# \xff\n")
    assert (problem.code, problem.line, problem.column) == ("K106", 60_001, 3)


@settings(max_examples=150)
@given(
    lines=st.lists(st.binary(max_size=9).map(lambda line: line.translate(None, b"\0\n\r")), min_size=1, max_size=12),
    text_at_once=st.sampled_from([8, 16, 1 << 14]),
)
def test_bytes_that_are_not_utf8_are_found_where_python_finds_them(lines: list[bytes], text_at_once: int) -> None:
    expected = []
    for number, line in enumerate(lines, start=1):
        try:
            (b"# " + line).decode()
        except UnicodeDecodeError as error:
            expected.append((number, len((b"# " + line)[: error.start].decode()) + 1))
    text = b"".join(b"# " + line + b"\n" for line in lines) + GOOD.encode()
    with mock.patch.object(_lines, "_TEXT_AT_ONCE", text_at_once):
        problems = conllu_from_source(source_from_bytes(text), bad="keep").problems
    assert [(problem.line, problem.column) for problem in problems] == expected


@pytest.mark.parametrize(
    "surrogate", [b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"], ids=["surrogate", "overlong", "beyond"]
)
def test_what_only_looks_like_utf8_is_an_error(surrogate: bytes) -> None:
    assert only_problem_in(text_of(row("1", "@")).encode().replace(b"@", surrogate)).code == "K106"


def test_a_nul_byte_is_an_error_at_its_place() -> None:
    problem = only_problem_in(GOOD + text_of(row("1", "a\0b")))
    assert (problem.code, problem.line, problem.column) == ("K107", 3, 4)


def test_a_nul_byte_behind_a_long_text_is_an_error_at_its_place() -> None:
    problem = only_problem_in(GOOD * 30_000 + text_of(row("1", "a\0b")))
    assert (problem.code, problem.line, problem.column) == ("K107", 60_001, 4)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_recognised(encoding: str) -> None:
    problem = only_problem_in(GOOD.encode(encoding))
    assert (problem.code, problem.line) == ("K107", 1)
    assert "UTF-16" in problem.hint


# --- nothing to read ---


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\r\n \n\n", b"\xef\xbb\xbf", b"# a comment\n", b"# a comment", b"# one\n\n# two\n\n"],
    ids=["empty", "newline", "blank-lines", "byte-order-mark", "comment", "comment-without-end", "comments"],
)
def test_a_text_without_a_sentence_is_an_error(data: bytes) -> None:
    problem = only_problem_in(data)
    assert (problem.code, problem.path, problem.line, problem.column) == ("K104", "bad.conllu", 1, 1)


def error_of(path: Path | str | list[Path]) -> DataError:
    with pytest.raises(DataError) as caught:
        read_conllu(path)
    return caught.value


def test_no_file_at_all_is_an_error() -> None:
    assert error_of([]).code == "K104"


def test_a_missing_file_brings_a_similar_name_to_mind(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(GOOD)
    error = error_of(tmp_path / "glod.conllu")
    assert (error.code, error.path, error.line) == ("K101", str(tmp_path / "glod.conllu"), NO_LINE)
    assert str(error) == f"{tmp_path / 'glod.conllu'}: K101 no such file"
    assert error.hint == f"did you mean {tmp_path / 'gold.conllu'}?"


def test_a_link_to_nothing_is_no_similar_name_of_itself(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").symlink_to("nowhere/gold.conllu")
    error = error_of(tmp_path / "gold.conllu")
    assert (error.code, error.hint) == ("K101", "it is a link to nowhere/gold.conllu, which does not exist")


def test_an_ending_in_common_makes_no_similar_name(tmp_path: Path) -> None:
    (tmp_path / "ada.conllu").write_text(GOOD)
    assert error_of(tmp_path / "gold.conllu").hint == ""
    assert error_of(tmp_path / "ada.conll").hint == f"did you mean {tmp_path / 'ada.conllu'}?"


def test_a_missing_file_like_no_other_gets_no_suggestion(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(GOOD)
    assert error_of(tmp_path / "xyzzy").hint == ""


def test_a_missing_folder_is_said_to_be_missing(tmp_path: Path) -> None:
    error = error_of(tmp_path / "nowhere" / "gold.conllu")
    assert error.code == "K101"
    assert str(tmp_path / "nowhere") in error.hint


def test_a_missing_file_among_several_is_the_one_named(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(GOOD)
    assert error_of([tmp_path / "a.conllu", tmp_path / "b.conllu"]).path == str(tmp_path / "b.conllu")


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    error = error_of(tmp_path)
    assert (error.code, error.path) == ("K102", str(tmp_path))
    assert error.hint


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
    ids=["gz", "bz2", "xz"],
)
@pytest.mark.parametrize("damage", ["truncated", "overwritten", "not-compressed", "nothing"])
def test_a_damaged_compressed_file_is_an_error(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes], damage: str
) -> None:
    whole = compress(GOOD.encode() * 500)
    half = len(whole) // 2
    damaged = {
        "truncated": whole[:half],
        "overwritten": whole[:half] + b"\xaa" * (len(whole) - half),
        "not-compressed": GOOD.encode(),
        "nothing": b"",
    }[damage]
    path = tmp_path / f"some.conllu{suffix}"
    path.write_bytes(damaged)
    error = error_of(path)
    # to gzip, nothing is the compression of nothing
    assert error.code == ("K104" if damage == "nothing" and suffix == ".gz" else "K103")
    assert error.path == str(path)


def test_a_file_in_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(GOOD)
    assert error_of(tmp_path / "file" / "gold.conllu").code == "K103"


# --- DEPS, read when a measure asks for it ---


@pytest.mark.parametrize(
    "deps", ["nsubj", "1", "1:", ":dep", "-1:dep", "1:dep|", "1:dep||0:root", "01:dep", "1.:dep", "x:dep", "2:dep"]
)
def test_deps_that_cannot_be_read_are_an_error_at_their_place(deps: str) -> None:
    corpus = conllu_from_source(
        source_from_bytes(text_of("# one word", row("1", "w", "0", deps)).encode(), "bad.conllu")
    )
    with pytest.raises(DataError) as caught:
        EVERY_MEASURE["ELAS"].counts(Comparison(align(corpus, corpus)))
    error = caught.value
    assert (error.code, error.path, error.line) == ("K213", "bad.conllu", 2)
    assert error.column == FIELDS_BEFORE_HEAD + len("0\tdep\t") + 1
    assert error.hint


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.gz", b"# text\n", "K103 cannot be read: the name ends in .gz, but the file is not compressed"),
        ("a.bz2", b"# text\n", "K103 cannot be read: the name ends in .bz2, but the file is not compressed"),
        ("a.xz", b"# text\n", "K103 cannot be read: the name ends in .xz, but the file is not compressed"),
        (
            "a.gz",
            gzip.compress(b"# text\n" * 99, mtime=0)[:-9],
            "K103 cannot be read: the compressed file ends too early",
        ),
        (
            "a.gz",
            gzip.compress(b"# text\n", mtime=0)[:-5] + b"12345",
            "K103 cannot be read: its compression is damaged",
        ),
    ],
)
def test_what_is_wrong_with_a_compressed_file_is_said_in_plain_words(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    error = error_of(tmp_path / name)
    assert str(error) == f"{tmp_path / name}: {said}"
    assert error.hint


def test_an_empty_name_is_shown_as_one() -> None:
    with pytest.raises(DataError, match=r'^"": K101 no such file') as caught:
        read_conllu("")
    assert caught.value.hint == "the name of the file is empty"
