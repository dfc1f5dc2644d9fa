"""Folders of trees: which files there are, how a system's go with the gold's, what is missing and what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import karat
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import is_folder_of_trees
from karat.corpus.readers.bracket_folders import bracket_files, read_bracket_folder, read_bracket_folder_beside
from karat.errors import DataError

A, B, C = "(S (X a) (X b))", "(S (NP (X c) (X d)) (X e))", "(S (X f) (VP (X g) (X h)))"


def folder(path: Path, files: dict[str, str]) -> Path:
    """A folder with these files; those ending in .gz are compressed."""
    path.mkdir()
    for name, text in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def beside(gold: Path, system: Path) -> tuple[Trees, list[str]]:
    trees = read_bracket_folder_beside(read_bracket_folder(gold), system)
    return trees, list(trees.surplus)


@pytest.mark.parametrize(
    ("files", "is_one"),
    [
        ({"a.ptb": "", "b.ptb": A}, True),
        ({"a.ptb": " \n", "b.ptb": "words"}, True),  # which is wrong, but the reader says so
        ({"a": "", "b": A}, True),
        ({"a": "", "b": "words"}, False),
        ({"a": ""}, False),
        ({"a.conllu": "1\tword\n", "b.ptb": A}, True),
        ({"a.conllu": "1\tword\n"}, False),
    ],
)
def test_a_folder_is_one_of_trees_by_its_names_or_its_first_text(
    tmp_path: Path, files: dict[str, str], is_one: bool
) -> None:
    assert is_folder_of_trees(folder(tmp_path / "some", files)) == is_one


def test_files_below_a_folder_are_found_by_relative_path(tmp_path: Path) -> None:
    here = folder(tmp_path / "gold", {"b.mrg": A, "a/x.mrg": A, "a/b/y.mrg.gz": A, ".hidden.mrg": A, "README": "words"})
    folder(here / ".git", {"z.mrg": A})
    assert bracket_files(here) == {
        "b.mrg": str(here / "b.mrg"),
        "a/x.mrg": str(here / "a" / "x.mrg"),
        "a/b/y.mrg": str(here / "a" / "b" / "y.mrg.gz"),
    }


def test_where_no_file_has_a_suffix_of_trees_all_are_taken(tmp_path: Path) -> None:
    here = folder(tmp_path / "gold", {"one": A, "two.out": B})
    assert list(bracket_files(here)) == ["one", "two.out"]
    trees = read_bracket_folder(here)
    assert (trees.n_trees, trees.document_names, trees.path) == (2, ("one", "two.out"), str(here))


def test_files_are_documents_and_sentences_are_named_after_them(tmp_path: Path) -> None:
    trees = read_bracket_folder(folder(tmp_path / "gold", {"a.ptb": f"{A}\n{B}\n", "sub/b.ptb": C}))
    assert trees.document_names == ("a.ptb", "sub/b.ptb")
    assert trees.sentence_document.tolist() == [0, 0, 1]
    assert [trees.sent_id(number) for number in range(3)] == ["a.ptb:1", "a.ptb:2", "sub/b.ptb:1"]


def test_a_system_s_files_go_with_the_gold_s_whatever_their_order_and_compression(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A, "n/a.ptb": B, "n/c.ptb.gz": C})
    system = folder(tmp_path / "system", {"n/c.ptb": C, "a.ptb.gz": A, "n/a.ptb": B})
    trees, surplus = beside(gold, system)
    assert surplus == []
    assert [trees.words_of(number)[0] for number in range(3)] == ["a", "c", "f"]
    assert trees.document_names == ("a.ptb", "n/a.ptb", "n/c.ptb")
    assert karat.score(gold, system, intervals=False)["Labelled F1"].value == 1
    assert karat.score(gold, system, intervals=False)["Labelled F1"].value == 1


def test_compression_does_not_change_the_order_of_documents(tmp_path: Path) -> None:
    """x.ptb.gz stands behind x.ptb.a.ptb where x.ptb stands before it."""
    gold = folder(tmp_path / "gold", {"x.ptb": A, "x.ptb.a.ptb": B})
    system = folder(tmp_path / "system", {"x.ptb.gz": A, "x.ptb.a.ptb": B})
    trees, _ = beside(gold, system)
    assert trees.document_names == ("x.ptb", "x.ptb.a.ptb")
    assert [trees.words_of(number)[0] for number in range(2)] == ["a", "c"]


@pytest.mark.parametrize("missing", [["a.ptb"], ["b.ptb"], ["c.ptb"], ["a.ptb", "b.ptb"], ["a.ptb", "c.ptb"]])
def test_a_missing_file_makes_missing_parses_and_its_document_stays(tmp_path: Path, missing: list[str]) -> None:
    files = {"a.ptb": f"{A}\n{B}\n", "b.ptb": C, "c.ptb": f"{B}\n{C}\n{A}\n"}
    gold = folder(tmp_path / "gold", files)
    system = folder(tmp_path / "system", {name: text for name, text in files.items() if name not in missing})
    ours = read_bracket_folder(gold)
    trees, surplus = beside(gold, system)
    assert surplus == []
    assert trees.document_offsets.tolist() == ours.document_offsets.tolist()
    for number in range(6):
        name = ours.sent_id(number)
        assert trees.sent_id(number) == name
        is_missing = name.split(":")[0] in missing
        assert trees.missing[number] == is_missing
        assert trees.words_of(number) == (() if is_missing else ours.words_of(number))
    found = karat.score(gold, system, by="document", intervals=False)
    one = found.systems[0]
    assert one.brackets is not None
    assert one.brackets.n_missing == int(trees.missing.sum())
    assert one.brackets.items["TTB"] == 10
    assert one["Labelled Precision"].value == 1
    assert list(one.by["document"]) == list(files)
    for name, scores in one.by["document"].items():
        assert scores["Labelled Recall"].value == (0 if name in missing else 1)
    assert any("count as producing nothing" in warning or "counts as" in warning for warning in found.warnings)


def test_surplus_files_are_told_and_not_scored(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A})
    system = folder(tmp_path / "system", {"a.ptb": A, "n/b.ptb": B})
    assert beside(gold, system)[1] == [str(system / "n" / "b.ptb")]
    found = karat.score(gold, system, intervals=False)
    assert found["Labelled F1"].value == 1
    assert found.warnings == (f"{system / 'n' / 'b.ptb'}: no gold file of this name; not scored",)


def test_files_with_another_number_of_trees_are_named(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A, "b.ptb": f"{A}\n{B}\n", "c.ptb": C})
    system = folder(
        tmp_path / "system", {"a.ptb": f"{A}\n{B}\n", "b.ptb": f"{A}\n{B}\n", "c.ptb": f"{C}\n\n{C}\n{A}\n"}
    )
    with pytest.raises(DataError) as error:
        karat.score(gold, system, skip_bad=True)
    assert [(one.code, one.path, one.message) for one in error.value.problems] == [
        ("K712", str(system / "a.ptb"), "2 trees where the gold has 1"),
        ("K712", str(system / "c.ptb"), "4 trees where the gold has 1"),
    ]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_of_the_system_makes_missing_parses(tmp_path: Path, text: str) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A, "b.ptb": B})
    found = karat.score(gold, folder(tmp_path / "system", {"a.ptb": text, "b.ptb": B}))
    without = karat.score(gold, folder(tmp_path / "other", {"b.ptb": B}))
    details, same = found.systems[0].brackets, without.systems[0].brackets
    assert details is not None
    assert same is not None
    assert details.n_missing == same.n_missing > 0
    assert details.items == same.items


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A})
    empty = folder(tmp_path / "empty", {})
    for ours, theirs in ((empty, gold), (gold, empty)):
        with pytest.raises(DataError) as error:
            karat.score(ours, theirs)
        assert (error.value.code, error.value.path) == ("K104", str(empty))
    other = folder(tmp_path / "other", {"b.ptb": A})
    with pytest.raises(DataError, match="K104 none of the gold's files is in this folder") as error:
        karat.score(gold, other)
    assert "a.ptb" in error.value.hint


def test_a_folder_does_not_go_with_a_file(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A})
    with pytest.raises(DataError) as error:
        karat.score(gold / "a.ptb", gold)
    assert (error.value.code, error.value.path) == ("K102", str(gold))


def test_a_file_with_all_trees_goes_with_a_folder(tmp_path: Path) -> None:
    """Its trees stand in the order of the gold's files."""
    gold = folder(tmp_path / "gold", {"a.ptb": A, "b.ptb": B})
    system = tmp_path / "system.ptb"
    system.write_text(f"{A}\n{B}\n", encoding="utf-8")
    assert karat.score(gold, system, intervals=False)["Labelled F1"].value == 1


def test_the_same_file_plain_and_compressed_in_one_folder_is_an_error(tmp_path: Path) -> None:
    """Otherwise one of them would be read and the other passed over in silence."""
    gold = folder(tmp_path / "gold", {"a.ptb": A, "a.ptb.gz": B})
    with pytest.raises(DataError):
        read_bracket_folder(gold)


BAD = f"{A}\n(S (X a) (X\n{A}\n"  # nothing closes on line 2


def test_problems_have_the_line_of_their_own_file(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A, "b.ptb": f"{A}\n{A}\n{A}\n", "c.ptb": A})
    system = folder(tmp_path / "system", {"b.ptb": BAD, "c.ptb": "(S (X a) (X wrong))"})
    with pytest.raises(DataError) as error:
        karat.score(gold, system)
    assert {(one.path, one.line) for one in error.value.problems} == {(str(system / "b.ptb"), 2)}
    one = karat.score(gold, system, skip_bad=True, intervals=False).systems[0]
    found = [(problem.code, problem.path, problem.line, problem.sentence) for problem in one.skipped.problems]
    assert found == [("K702", str(system / "b.ptb"), 2, 2), ("K713", str(system / "c.ptb"), 1, 4)]
    assert "sentence c.ptb:1: word 2 is 'wrong' where the gold has 'b'" in one.skipped.problems[1].message
    assert one.brackets is not None
    assert one.brackets.values["EM"].tolist() == [0, 1, 0, 1, 0]
    assert (one.skipped.system, one.brackets.n_missing) == (2, 1)  # a.ptb is missing, not bad


def test_bad_trees_of_a_gold_folder_leave_the_test(tmp_path: Path) -> None:
    gold = folder(tmp_path / "gold", {"a.ptb": A, "b.ptb": BAD})
    system = folder(tmp_path / "system", {"a.ptb": A, "b.ptb": f"{A}\n(())\n{A}\n"})
    one = karat.score(gold, system, skip_bad=True, intervals=False).systems[0]
    assert (one.skipped.gold, one.skipped.system) == (1, 0)
    assert [(problem.path, problem.line) for problem in one.skipped.problems] == [(str(gold / "b.ptb"), 2)]
    assert one.brackets is not None
    assert one.brackets.values["EM"].tolist() == [1, 1, 1]
    assert one["Complete Match"].value == 1
