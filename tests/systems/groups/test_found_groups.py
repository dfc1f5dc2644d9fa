"""`karat.find_groups`: which tags are grouped by which rules, what is shown, what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from examples import conllu, sentence
from karat.errors import DataError, UsageError
from karat.report.attachment import groups_report, shown_sentence

ROWS = [
    ("Stary", "stary", "ADJ", "adj:sg:nom:m3:pos"),
    ("most", "most", "NOUN", "subst:sg:nom:m3"),
    ("nie", "nie", "PART", "qub"),
    ("stoi", "stać", "VERB", "fin:sg:ter:imperf"),
    ("na", "na", "ADP", "prep:loc"),
    ("rzece", "rzeka", "NOUN", "subst:sg:loc:f"),
    (".", ".", "PUNCT", "interp"),
]


def polish(path: Path, *, feats: str = "_") -> str:
    lines = [
        "\t".join([str(n), form, lemma, upos, xpos, feats, "_", "_", "_", "_"])
        for n, (form, lemma, upos, xpos) in enumerate(ROWS, start=1)
    ]
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return str(path)


def test_tags_of_nkjp_in_xpos_come_before_upos(tmp_path: Path) -> None:
    found = karat.find_groups(polish(tmp_path / "a.conllu"))
    assert (found.to_dict()["tagset"], found.cascade.name) == ("nkjp", "<nkjp>")
    assert shown_sentence(found.sentences[0]) == (
        "1. [nominal: Stary most*] [verbal: nie stoi*] [prepositional: na° rzece*] ."
    )
    assert karat.find_groups(polish(tmp_path / "a.conllu"), tagset="ud").to_dict()["tagset"] == "ud"


def test_kinds_and_rules_are_counted_without_groups_within_groups(tmp_path: Path) -> None:
    text = conllu(tmp_path / "a.conllu", sentence("in/ADP", "the/DET", "mill/NOUN"), sentence("a/DET", "mill/NOUN"))
    found = karat.find_groups(text)
    kinds = {one.kind: (one.groups, one.words, one.example) for one in found.kinds if one.groups}
    assert kinds == {"nominal": (1, 2, "a mill"), "prepositional": (1, 3, "in the mill")}
    assert {one.rule: one.groups for one in found.rules if one.groups} == {
        "noun with a determiner": 1,
        "preposition with its noun": 1,
    }
    assert (found.n_groups, len(found.objects), found.objects_per_sentence) == (2, 2, 1.0)
    assert [list(row) for row in found.records().rows] == [
        [1, "prepositional", 1, 3, 1, 3, "in the mill"],
        [2, "nominal", 1, 2, 2, 2, "a mill"],
    ]


def test_so_many_sentences_are_shown(tmp_path: Path) -> None:
    text = conllu(tmp_path / "a.conllu", *[sentence("a/DET", "mill/NOUN")] * 30)
    assert [len(karat.find_groups(text, limit=limit).sentences) for limit in (1, 20, 0, 99)] == [1, 20, 30, 30]
    with pytest.raises(UsageError, match="give a number of sentences, or 0 for all"):
        karat.find_groups(text, limit=-1)


def test_what_a_text_lacks_is_said_and_the_rest_is_done(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("the\tDET\nmill\tNOUN\n\n")
    found = karat.find_groups(tmp_path / "a.tsv")
    assert found.n_groups == 1
    features, lemmas = found.warnings
    assert features.startswith("no word has case, number or gender: agreement cannot be checked")
    assert lemmas.startswith("there are no lemmas")


def test_tags_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    text = polish(tmp_path / "a.conllu")
    Path(text).write_text(Path(text).read_text("utf-8").replace("\tqub\t", "\tquux\t"), encoding="utf-8")
    (warning,) = karat.find_groups(text).warnings
    assert warning == "1 word has a tag that is not of nkjp: rules for parts of speech do not fit it"


def test_a_map_makes_other_tags_and_says_what_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("the\tDT\nmill\tNN\n\n")
    assert karat.find_groups(tmp_path / "a.tsv", map="penn-upos").n_groups == 1
    with pytest.raises(UsageError, match="has neither UPOS nor tags of NKJP in XPOS"):
        karat.find_groups(tmp_path / "a.tsv")
    (tmp_path / "map.tsv").write_text("qub\tpart\n")
    warning, *_ = karat.find_groups(polish(tmp_path / "a.conllu"), map=tmp_path / "map.tsv").warnings
    assert "6 words keep tags that the map" in warning


def test_ones_own_rules_are_used_for_ones_own_tagset(tmp_path: Path) -> None:
    (tmp_path / "tags.toml").write_text('name = "mine"\n[pos]\nD = []\nN = []\n')
    rules = f'tagset = "{tmp_path}/tags.toml"\n[words]\nd = {{ pos = "D" }}\nn = {{ pos = "N" }}\n'
    rules += '[[rule]]\nname = "dn"\nmakes = "np"\npattern = "d n"\nhead = "n"\n'
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "a.tsv").write_text("the\tD\nmill\tN\n\n")
    found = karat.find_groups(tmp_path / "a.tsv", tagset=f"{tmp_path}/tags.toml", groups=tmp_path / "rules.toml")
    assert shown_sentence(found.sentences[0]) == "1. [np: the mill*]"
    assert "tagset:mine" in found.signature
    with pytest.raises(UsageError, match="no groups are described for the tagset mine"):
        karat.find_groups(tmp_path / "a.tsv", tagset=f"{tmp_path}/tags.toml")


def test_text_without_groups_is_said_to_have_none(tmp_path: Path) -> None:
    found = karat.find_groups(conllu(tmp_path / "a.conllu", sentence("Ah/INTJ", "!/PUNCT")))
    assert groups_report(found).verdict[0].startswith("No groups in ")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("")
    with pytest.raises(DataError, match="K104"):
        karat.find_groups(tmp_path / "a.conllu")


def test_tags_of_another_tagset_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="K802"):
        karat.find_groups(conllu(tmp_path / "a.conllu", sentence("a/DET", "mill/NOUN")), tagset="nkjp")
