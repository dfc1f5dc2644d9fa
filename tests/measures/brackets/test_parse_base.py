"""The Parse Base [Hogenhout & Matsumoto 1996, §7], by hand, and what can be wrong with numbers of parses."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import karat
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import DataError
from karat.measures.brackets.parse_base import parse_base, parses_from_file

GOLD = "(S (X a) (X b))\n(S (X a) (-NONE- *) (X b) (. .))\n(S (X a) (X b) (X c) (X d))\n"


def read(text: str) -> Trees:
    return brackets_from_source(source_from_bytes(text.encode(), "gold.ptb"))


def base(folder: Path, numbers: str, gold: str = GOLD) -> float | None:
    path = folder / "parses.txt"
    path.write_text(numbers, encoding="utf-8")
    found = karat.score(read(gold), read(gold), parses=path, intervals=False)
    return found.parse_base


def test_it_is_the_geometric_mean_of_the_roots(tmp_path: Path) -> None:
    """√9 = 3 (two words), ³√8 = 2 (a, b and the point; a trace is no word), ⁴√1296 = 6: ³√(3 · 2 · 6) = ³√36."""
    assert base(tmp_path, "9\n8\n1296\n") == pytest.approx(36 ** (1 / 3), rel=1e-12)


def test_one_parse_each_makes_1(tmp_path: Path) -> None:
    assert base(tmp_path, "1\n1\n1") == 1


def test_sentences_without_a_parse_do_not_count(tmp_path: Path) -> None:
    assert base(tmp_path, "9\n0\n1296\n") == pytest.approx(math.sqrt(18), rel=1e-12)
    assert base(tmp_path, "0\n0\n0\n") is None


def test_sentences_without_words_do_not_count(tmp_path: Path) -> None:
    assert base(tmp_path, "9\n5\n", "(S (X a) (X b))\n(S (-NONE- *))") == pytest.approx(3, rel=1e-12)
    assert base(tmp_path, "9\n5\n", "(S (X a) (X b))\n(())") == pytest.approx(3, rel=1e-12)


def test_numbers_may_be_larger_than_any_float(tmp_path: Path) -> None:
    """10^400 parses of four words: 10^100."""
    found = base(tmp_path, f"1{'0' * 400}\n", "(S (X a) (X b) (X c) (X d))")
    assert found is not None
    assert math.log10(found) == pytest.approx(100, rel=1e-9)


@pytest.mark.parametrize("bad", [b"(S (X a)", b"(S (X a\xff))"])
def test_bad_gold_trees_do_not_count(tmp_path: Path, bad: bytes) -> None:
    text = b"(S (X a) (X b))\n" + bad + b"\n(S (X a))\n"
    gold = brackets_from_source(source_from_bytes(text, "g.ptb"), bad="keep")
    (tmp_path / "n").write_text("9\n7\n2\n", encoding="utf-8")
    assert parse_base(gold, parses_from_file(gold, tmp_path / "n")) == pytest.approx(math.sqrt(6), rel=1e-12)


def test_spaces_windows_line_ends_and_blank_lines_at_the_end_do_not_matter(tmp_path: Path) -> None:
    wanted = base(tmp_path, "9\n8\n1296\n")
    assert base(tmp_path, " 9 \r\n8\r\n1296\r\n\r\n  \n") == wanted


def test_without_numbers_there_is_no_parse_base() -> None:
    assert karat.score(read(GOLD), read(GOLD), intervals=False).parse_base is None


@pytest.mark.parametrize("wrong", ["many", "", "-3", "2.5", "1e3", "٣", "²", "1_000", "1 2"])
def test_what_is_no_number_is_an_error_with_its_line(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(DataError) as error:
        base(tmp_path, f"9\n{wrong}\n12\n")
    problem = error.value.problems[0]
    assert (problem.code, problem.path, problem.line) == ("K714", str(tmp_path / "parses.txt"), 2)
    assert repr(wrong) in problem.message
    assert len(error.value.problems) == 1


def test_all_lines_that_are_wrong_are_told(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        base(tmp_path, f"x\n9\n{'9' * 4001}\n")
    assert [problem.line for problem in error.value.problems] == [1, 3]
    assert len(str(error.value.problems[1])) < 500


@pytest.mark.parametrize("numbers", ["9\n8\n", "9\n8\n3\n4\n", ""])
def test_another_number_of_lines_is_an_error(tmp_path: Path, numbers: str) -> None:
    n = len(numbers.split())
    with pytest.raises(DataError, match=f"K714 {n} numbers where the gold has 3 sentences"):
        base(tmp_path, numbers)
