"""WordNet's files: a small one of our own in its format, and the real one where it is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.errors import DataError
from karat.hierarchy import hierarchy_from_text, read_hierarchy
from karat.hierarchy.downward import spread
from realdata import wordnet

LICENCE = "  1 Made up for these tests: no dictionary has these words.  \n"
NOUNS = (
    LICENCE
    + "00000100 03 n 01 thing 0 002 ~ 00000200 n 0000 ~ 00000300 n 0000 | all there is, even @ 00000999 n 0000  \n"
    + "00000200 06 n 02 tool 0 Blorp 1 003 @ 00000100 n 0000 + 00000100 v 0101 ~ 00000400 n 0000 | for @ use  \n"
    + "00000300 06 n 01 @ a 001 @ 00000100 n 0000 | a sign  \n"
    + "00000400 04 n 01 zwick_zwack f 003 @i 00000200 n 0000 %p 00000100 n 0000 @ 00000300 n 0000 | a | b  \n"
)
VERBS = (
    LICENCE
    + "00000100 29 v 01 blorp 0 000 01 + 02 00 | to use a tool  \n"
    + "00000150 29 v 01 zwick 0 001 @ 00000100 v 0000 02 + 02 00 + 08 01 | to blorp fast  \n"
)
INDEX = LICENCE + "blorp n 1 2 @ ~ 1 0 00000200  \nthing n 2 1 ~ 2 0 00000100 00000400  \n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.noun").write_text(NOUNS)
    (tmp_path / "data.verb").write_text(VERBS)
    (tmp_path / "index.noun").write_text(INDEX)
    return tmp_path


def error(text: str, *, tree: bool = False) -> DataError:
    with pytest.raises(DataError) as caught:
        hierarchy_from_text(text, path="data.noun", layout="wordnet", tree=tree)
    return caught.value


def test_a_folder_gives_nouns_and_verbs(folder: Path) -> None:
    h = read_hierarchy(folder)
    assert h.names == ("00000100-n", "00000200-n", "00000300-n", "00000400-n", "00000100-v", "00000150-v")
    assert h.edge_parents.tolist() == [0, 0, 1, 2, 4]
    assert h.children.tolist() == [1, 2, 3, 3, 5]
    assert h.layout == "wordnet"
    assert h.path == str(folder)
    assert not h.is_tree


def test_a_folder_dict_inside_will_do(folder: Path) -> None:
    inner = folder / "outer" / "dict"
    inner.mkdir(parents=True)
    (inner / "data.verb").write_text(VERBS)
    assert read_hierarchy(folder / "outer").names == ("00000100-v", "00000150-v")


def test_one_file_is_known_by_its_content(folder: Path) -> None:
    h = read_hierarchy(folder / "data.noun")
    assert h.layout == "wordnet"
    assert h.names == read_hierarchy(folder).names[:4]
    assert h.number("blorp.n.01") == 1  # from the index beside it
    assert hierarchy_from_text(VERBS.replace("\n", "\r\n")).names == ("00000100-v", "00000150-v")


def test_sense_keys_and_numbered_lemmas_are_aliases(folder: Path) -> None:
    h = read_hierarchy(folder)
    assert h.number("thing%1:03:00::") == 0
    assert h.number("blorp%1:06:01::") == 1  # keys are in small letters
    assert h.number("@%1:06:10::") == 2  # lex_id is hexadecimal in the file
    assert h.number("zwick_zwack%1:04:15::") == 3
    assert h.number("blorp%2:29:00::") == 4
    assert h.numbers(["thing.n.01", "thing.n.02", "thing.n.03", "thing.n.00", "blorp.v.01"]).tolist() == [
        0,
        3,
        -1,
        -1,
        -1,
    ]
    unknown = ["thing", "thing%1:03:01::", "", "%", "00000100", "blorp.n.1"]
    assert h.numbers(unknown).tolist() == [-1] * 6


def test_the_signature_depends_on_the_index_too(folder: Path) -> None:
    before = read_hierarchy(folder).signed
    (folder / "index.noun").write_text(INDEX.replace("thing n 2", "thing n 1"))
    assert read_hierarchy(folder).signed != before


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("00000300 06 n 01", "00000300 06 n", ("K840", 4, 1)),
        ("00000300 06 n 01", "00000300 06 n 02", ("K840", 4, 1)),
        ("f 003 @i", "f 002 @i", ("K840", 5, 1)),
        ("@ a 001", "@ a 001 001", ("K840", 4, 1)),
        ("00000300 06 n 01 @", "00000200 06 n 01 @", ("K842", 4, 1)),
        ("@ 00000300 n 0000 | a", "@ 00000200 n 0000 | a", ("K842", 5, 1)),
        ("@ 00000300 n 0000 | a", "@ 00000301 n 0000 | a", ("K847", 5, 1)),
        ("@ 00000300 n 0000 | a", "@ 00000300 v 0000 | a", ("K847", 5, 1)),
        ("thing 0 002 ~ 00000200", "thing 0 002 @ 00000400", ("K844", 5, 1)),
    ],
)
def test_mistakes_have_their_line(old: str, new: str, where: tuple[str, int, int]) -> None:
    assert old in NOUNS
    found = error(NOUNS.replace(old, new))
    assert (found.code, found.line, found.column) == where


def test_a_tree_can_be_asked_for() -> None:
    found = error(NOUNS, tree=True)
    assert (found.code, found.line) == ("K843", 5)
    assert hierarchy_from_text(VERBS, tree=True).is_tree


def test_adjectives_are_refused_with_a_hint() -> None:
    found = error("00000100 00 a 01 big 0 000 | large  \n")
    assert found.code == "K840"
    assert "only nouns and verbs" in found.hint


def test_a_folder_without_wordnet_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"K840 neither data\.noun nor data\.verb"):
        read_hierarchy(tmp_path)
    assert error(LICENCE).code == "K841"
    assert error("").code == "K841"
    assert error("  \0").code == "K107"


def test_the_real_nouns_have_their_known_size() -> None:
    nouns = wordnet() / "data.noun"
    h = read_hierarchy(nouns)
    assert (len(h), len(h.children), len(h.leaves)) == (82_115, 84_427, 64_958)
    assert [h.names[i] for i in h.tops] == ["00001740-n"]
    assert h.depths.max() == 19
    with pytest.raises(DataError) as caught:
        read_hierarchy(nouns, tree=True)
    assert len(caught.value.problems) == 84_427 - 82_114  # every edge beyond the first of each synset below the top
    masses = spread(h, np.arange(len(h)))
    assert masses.weights is not None
    assert np.abs(np.add.reduceat(masses.weights, masses.offsets[:-1]) - 1).max() < 1e-12


def test_the_real_names_agree_with_each_other() -> None:
    h = read_hierarchy(wordnet())
    assert (len(h), len(h.tops)) == (95_882, 560)
    assert h.number("bank%1:14:00::") == h.number("08420278-n") == h.number("bank.n.02")
    assert h.number("bank.n.01") == h.number("bank%1:17:01::")
    entity = h.number("entity.n.01")
    bank = h.number("bank%1:14:00::")
    assert entity in h.ancestors(np.array([bank])).values
