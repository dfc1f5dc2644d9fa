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
    new.append(new.pop(0))  # into another document
    (tmp_path / "new.conllu").write_text("\n\n".join(new) + "\n\n", encoding="utf-8")
    found = karat.diff(tmp_path / "gold.conllu", tmp_path / "new.conllu", rescore={"ada": tmp_path / "ada.conllu"})
    assert found.rescored is not None
    scored = scored_by_hand(tmp_path, found)
    for measure, value in found.rescored.systems[0].new.items():
        assert value.value == pytest.approx(scored[measure].value, abs=1e-12)
        assert value.lower == pytest.approx(scored[measure].lower, abs=1e-12)


def scored_by_hand(folder: Path, found: karat.VersionDiff) -> karat.Scores:
    """The system's scores on the new version's sentences that the old version and the system have, in the old order.

    Documents are those of the old version.
    """
    old, new, system = (sentences_of(folder / f"{name}.conllu") for name in ("gold", "new", "ada"))
    common = [name for name in old if name in new and characters(new[name][1]) == characters(system[name][1])]
    assert found.rescored is not None
    assert found.rescored.n_sentences == len(common)
    for name, sentences in (("cut-gold", new), ("cut-ada", system)):
        blocks = [f"{old[one][0]}\n{one}\n" + "\n".join(sentences[one][1]) for one in common]
        (folder / f"{name}.conllu").write_text("\n\n".join(without_doubled_marks(blocks)) + "\n\n", encoding="utf-8")
    return karat.score(folder / "cut-gold.conllu", folder / "cut-ada.conllu")


def sentences_of(path: Path) -> dict[str, tuple[str, list[str]]]:
    """By sent_id, the mark of the document that each sentence is in, and its rows."""
    found: dict[str, tuple[str, list[str]]] = {}
    document = ""
    for block in path.read_text(encoding="utf-8").strip("\n").split("\n\n"):
        lines = block.split("\n")
        document = next((line for line in lines if line.startswith("# newdoc")), document)
        name = next(line for line in lines if line.startswith("# sent_id"))
        found[name] = document, [line for line in lines if not line.startswith("#")]
    return found


def characters(rows: list[str]) -> str:
    """The text of a sentence without spaces; multiword tokens by their surface."""
    last, text = 0, ""
    for number, form, *_ in (row.split("\t") for row in rows):
        if "-" in number:
            last = int(number.split("-")[1])
            text += form
        elif "." not in number and int(number) > last:
            text += form
    return text.replace(" ", "")


def without_doubled_marks(blocks: list[str]) -> list[str]:
    """Blocks of which only the first of a document has its mark."""
    marks = ["", *(block.split("\n")[0] for block in blocks)]
    return [
        block.split("\n", 1)[1] if mark == before else block
        for block, mark, before in zip(blocks, marks[1:], marks[:-1], strict=True)
    ]


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


def test_a_sentence_that_a_system_runs_together_with_another_is_left_out(tmp_path: Path) -> None:
    words = [sentence(f"n{number}/NOUN", "grows/VERB", sent_id=f"s{number}") for number in range(4)]
    gold = conllu(tmp_path / "gold.conllu", *words)
    joined = sentence("n1/NOUN", "grows/VERB", "n2/X", "grows/X")
    system = conllu(tmp_path / "system.conllu", words[0], joined, words[3])
    found = karat.diff(gold, gold, rescore=system).rescored
    assert found is not None
    assert (found.n_sentences, found.n_left_out) == (2, (2, 2))
    assert found.systems[0].old["UPOS"].value == 1


def test_systems_that_tagged_different_versions_are_scored_together(tmp_path: Path) -> None:
    words = [sentence(f"n{number}/NOUN", "grows/VERB", sent_id=f"s{number}") for number in range(8)]
    old, new = conllu(tmp_path / "old.conllu", *words[:7]), conllu(tmp_path / "new.conllu", *words[:0:-1])
    found = karat.diff(old, new, rescore={"of old": old, "of new": new}).rescored
    assert found is not None
    assert found.n_sentences == 6
    assert found.n_left_out == (1, 1)
    assert all(one.new["LAS"].value == 1 for one in found.systems)
