"""Statistics as files: what is written is read again, what was damaged or made up is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
import realdata
from examples import EXAMPLES
from karat.errors import DataError, UsageError
from karat.hierarchy import hierarchy_from_edges
from karat.systems.attachment.signals import signals
from karat.systems.attachment.statistics_file import statistics_bytes
from karat.systems.attachment.wordnet_classes import wordnet_classes
from karat.systems.groups.found_groups import find_groups
from karat.systems.model_file import Model, model_bytes, read_model

GOLD = EXAMPLES / "gold.conllu"
WORDNET = wordnet_classes(
    hierarchy_from_edges(["a-n", "b-n", "c-n"], [("a-n", "b-n"), ("b-n", "c-n")]), [("rain", "c-n")], signed="small"
)


@pytest.fixture
def counted() -> karat.CooccurrenceStatistics:
    return replace(karat.attachment_statistics(GOLD).statistics, wordnet=WORDNET)


@pytest.fixture
def file(counted: karat.CooccurrenceStatistics, tmp_path: Path) -> Path:
    path = tmp_path / "s"
    path.write_bytes(statistics_bytes(counted))
    return path


def test_statistics_give_the_same_signals_after_they_were_kept(
    counted: karat.CooccurrenceStatistics, file: Path
) -> None:
    kept = karat.load_attachment_statistics(file)
    text = find_groups(EXAMPLES / "bix.conllu").objects
    np.testing.assert_array_equal(signals(kept, text).matrix, signals(counted, text).matrix)
    assert statistics_bytes(kept) == file.read_bytes()
    assert (kept.tagset, kept.has_lemmas, kept.groups, kept.signature) == (
        counted.tagset,
        counted.has_lemmas,
        counted.groups,
        counted.signature,
    )


def test_every_cut_and_every_changed_byte_is_refused(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    other = tmp_path / "other"
    for place in range(0, len(data), 97):
        other.write_bytes(data[:place])
        with pytest.raises(DataError):
            karat.load_attachment_statistics(other)
        other.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(DataError):
            karat.load_attachment_statistics(other)


@pytest.mark.parametrize(
    "changes",
    [
        {"arrays": {"offsets": np.array([0, 5], dtype=np.int64)}},
        {"arrays": {"offsets": np.array([], dtype=np.int64)}},
        {"arrays": {"offsets": np.array([7, 3], dtype=np.int64)}},
        {"arrays": {"hashes": np.array([1], dtype=np.int64)}},
        {"arrays": {"documents": np.array([10**6], dtype=np.int32)}},
        {"arrays": {"syntactic.lemma": np.array([10**6], dtype=np.int32)}},
        {"arrays": {"ancestors": np.array([0, 1, 0, 2, 1, 0], dtype=np.int32)}},
        {"arrays": {"ancestors.offsets": np.array([0, 0, 0, 6], dtype=np.int64)}},
        {"arrays": {"ancestors": np.array([0, 0, 1, 0, 1, 3], dtype=np.int32)}},
        {"arrays": {"parents": np.array([2, 1], dtype=np.int32)}},
        {"arrays": {"senses": np.array([-1], dtype=np.int32)}},
        {"header": {"names": {}}},
        {"header": {"names": {"lemma": [1], "pos": [], "case": [], "gender": [], "number": []}}},
        {"header": {"tagset": 3}},
        {"header": {"words": "many"}},
        {"header": {"wordnet": {"lemmas": ["rain", "snow"], "signed": "small"}}},
        {"header": {"wordnet": {"lemmas": ["rain"], "signed": None}}},
        {"header": {"wordnet": []}},
    ],
    ids=str,
)
def test_what_does_not_fit_together_is_refused(file: Path, changes: dict[str, Any]) -> None:
    model = read_model(file)
    own = ("arrays", "texts", "system")
    header = {name: one for name, one in model.header.items() if name not in own} | changes.get("header", {})
    arrays = {**model.arrays, **changes.get("arrays", {})}
    file.write_bytes(model_bytes(Model(model.system, header, arrays, {})))
    with pytest.raises(DataError):
        karat.load_attachment_statistics(file)


def test_a_taggers_model_is_no_statistics(tmp_path: Path) -> None:
    path = tmp_path / "m.karat"
    karat.train("most-frequent", GOLD).save(path)
    with pytest.raises(DataError, match="most-frequent"):
        karat.load_attachment_statistics(path)


def test_texts_of_different_tagsets_are_not_counted_together() -> None:
    polish = realdata.data("ud-2.18/UD_Polish-PUD/pl_pud-ud-test.conllu")
    with pytest.raises(UsageError, match="different tagsets"):
        karat.attachment_statistics([GOLD, polish])


def test_lemmas_need_a_wordnet() -> None:
    with pytest.raises(UsageError, match="wordnet"):
        karat.attachment_statistics(GOLD, lemmas="words.tab")


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    text = tmp_path / "t.tsv"
    text.write_text("It\tPRON\nrains\tVERB\n\nCats\tNOUN\nsleep\tVERB\n", encoding="utf-8")
    counted = karat.attachment_statistics(text, tagset="ud")
    assert any("no lemmas" in one for one in counted.warnings)
    assert any("case" in one for one in counted.warnings)
    assert len(counted.missing_features) == 3
    empty = tmp_path / "empty.conllu"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="no sentences"):
        karat.attachment_statistics(empty)
    dots = tmp_path / "dots.tsv"
    dots.write_text(".\tPUNCT\n\n.\tPUNCT\n", encoding="utf-8")
    nothing = karat.attachment_statistics(dots, tagset="ud")
    assert (nothing.words, nothing.objects, nothing.pairs) == (2, 0, 0)
    assert any("no word" in one for one in nothing.warnings)
    text = tmp_path / "lemmas.tab"
    text.write_text("not a row\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"lemmas\.tab:1"):
        karat.attachment_statistics(GOLD, wordnet=realdata.wordnet(), lemmas=text)
    with pytest.raises(DataError, match=r"data\.noun"):
        karat.attachment_statistics(GOLD, wordnet=tmp_path)


def test_words_have_the_senses_of_their_part_of_speech() -> None:
    rows = [("rain", "c-n"), ("Rain", "r-v"), ("rain_cat", "b-n"), ("red", "s-s")]
    small = wordnet_classes(
        hierarchy_from_edges(["a-n", "b-n", "c-n", "r-v"], [("a-n", "b-n"), ("b-n", "c-n")]), rows, signed="small"
    )
    words = [("rain", "NOUN"), ("rain", "VERB"), ("RAIN", "ADP"), ("rain", None), ("red", "ADJ"), (None, "NOUN")]
    assert [len(small.hypernyms(words, "ud").row(i)) for i in range(len(words))] == [3, 1, 0, 4, 1, 0]
    assert small.hypernyms(words, "pdt").sizes.tolist() == [4, 4, 4, 4, 1, 0]
    assert "rain_cat" not in small.lemmas


@pytest.mark.parametrize("as_text", [False, True])
def test_names_that_are_there_twice_or_are_no_list_are_refused(file: Path, as_text: bool) -> None:
    model = read_model(file)
    header = {name: one for name, one in model.header.items() if name not in ("arrays", "texts", "system")}
    lemmas = header["names"]["lemma"]
    changed = "".join(chr(0x4E00 + number) for number in range(len(lemmas))) if as_text else [lemmas[1], *lemmas[1:]]
    header["names"] = {**header["names"], "lemma": changed}
    file.write_bytes(model_bytes(Model(model.system, header, model.arrays, {})))
    with pytest.raises(DataError, match="the names of lemma: not as statistics have it"):
        karat.load_attachment_statistics(file)
