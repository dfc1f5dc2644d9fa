"""Systems on both versions of a corpus: scores and verdicts are those of files cut to what both have."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import karat
from examples import EXAMPLES, conllu, sentence


def test_systems_are_scored_on_the_sentences_that_both_versions_have(tmp_path: Path) -> None:
    """Against scores of files from which everything else was cut by hand."""
    for name in ("gold", "ada", "bix"):
        shutil.copy(EXAMPLES / f"{name}.conllu", tmp_path)
    blocks = (tmp_path / "gold.conllu").read_text(encoding="utf-8").strip("\n").split("\n\n")
    new = [block.replace("\tADV\t", "\tPART\t") for block in blocks]
    del new[3]
    new[10], new[11] = new[11], new[10]
    (tmp_path / "new.conllu").write_text("\n\n".join(new) + "\n\n", encoding="utf-8")
    found = karat.diff(tmp_path / "gold.conllu", tmp_path / "new.conllu", rescore={"ada": tmp_path / "ada.conllu"})
    assert found.rescored is not None
    scored = scored_by_hand(tmp_path, found)
    for measure, value in found.rescored.systems[0].new.items():
        assert value.value == pytest.approx(scored[measure].value, abs=1e-12)
        assert value.lower == pytest.approx(scored[measure].lower, abs=1e-12)


def scored_by_hand(folder: Path, found: karat.VersionDiff) -> karat.Scores:
    """The scores of a system on the sentences of the new version that are in the old one and that it did not join."""

    def blocks(name: str) -> dict[str, str]:
        text = (folder / f"{name}.conllu").read_text(encoding="utf-8").strip("\n").split("\n\n")
        every = {}
        document = ""
        for block in text:
            lines = block.split("\n")
            document = next((line for line in lines if line.startswith("# newdoc")), document)
            words = [line for line in lines if not line.startswith("#")]
            name_ = next(line for line in lines if line.startswith("# sent_id"))
            every[name_] = "\n".join([document, name_, *words])
        return every

    def characters(block: str) -> str:
        rows = [line.split("\t") for line in block.split("\n") if line[0] != "#" and "." not in line.split("\t")[0]]
        last, text = 0, ""
        for row in rows:
            if "-" in row[0]:
                last = int(row[0].split("-")[1])
                text += row[1]
            elif int(row[0]) > last:
                text += row[1]
        return text.replace(" ", "")

    new, system, old = blocks("new"), blocks("ada"), blocks("gold")
    common = [
        name for name in old if name in new and name in system and characters(new[name]) == characters(system[name])
    ]
    assert found.rescored is not None
    assert found.rescored.n_sentences == len(common)
    for file, of in (("cut-gold", new), ("cut-ada", system)):
        text, document = "", ""
        for name in common:
            first, rest = of[name].split("\n", 1)
            first = old[name].split("\n", 1)[0]
            text += (first + "\n" if first != document else "") + rest + "\n\n"
            document = first
        (folder / f"{file}.conllu").write_text(text, encoding="utf-8")
    return karat.score(folder / "cut-gold.conllu", folder / "cut-ada.conllu")


def test_verdicts_on_both_versions_are_those_of_compare(tmp_path: Path) -> None:
    gold = EXAMPLES / "gold.conllu"
    text = gold.read_text(encoding="utf-8").replace("\tADV\t", "\tPART\t")
    (tmp_path / "new.conllu").write_text(text, encoding="utf-8")
    systems = {"gold": gold, "as new": tmp_path / "new.conllu"}
    found = karat.diff(gold, tmp_path / "new.conllu", rescore=systems).rescored
    assert found is not None
    for which, path in (("old", gold), ("new", tmp_path / "new.conllu")):
        compared = karat.compare(path, systems)
        assert [one.difference for one in compared.pairs] == [getattr(one, which).difference for one in found.pairs]
        assert [one.p_adjusted for one in compared.pairs] == [getattr(one, which).p_adjusted for one in found.pairs]
    changed = {one.old.measure for one in found.pairs if one.is_changed}
    assert changed == {"UPOS"}
    data = {one["measure"]: one for one in found.to_dict()["pairs"]}
    assert (data["UPOS"]["old"]["better"], data["UPOS"]["new"]["better"]) == ("gold", "as new")


def test_a_system_with_another_text_is_refused(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", sentence("oak/NOUN", "grows/VERB"))
    other = conllu(tmp_path / "other.conllu", sentence("oak/NOUN", "falls/VERB"))
    with pytest.raises(karat.DataError) as error:
        karat.diff(gold, gold, rescore=other)
    assert error.value.code == "K922"


def test_systems_that_tagged_different_versions_are_scored_together(tmp_path: Path) -> None:
    words = [sentence(f"n{number}/NOUN", "grows/VERB", sent_id=f"s{number}") for number in range(8)]
    old, new = conllu(tmp_path / "old.conllu", *words[:7]), conllu(tmp_path / "new.conllu", *words[:0:-1])
    found = karat.diff(old, new, rescore={"of old": old, "of new": new}).rescored
    assert found is not None
    assert found.n_sentences == 6
    assert found.n_left_out == (1, 1)
    assert all(one.new["LAS"].value == 1 for one in found.systems)
