"""Two versions of a corpus with planted differences: every one is found, in the right group, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import karat
from corruptions import TOKENISATION, corrupted
from examples import EXAMPLES, conllu, sentence, sentence_of_tokens
from karat.align._alignment import Side
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.suspects.sentence_pairs import paired_sentences
from planted_versions import Planted, conllu_of, expected_labels, planted


def corpus_of(data: bytes) -> Corpus:
    return conllu_from_source(source_from_bytes(data), trees=False)


def diff_of(made: Planted) -> dict[str, Any]:
    return karat.diff(corpus_of(conllu_of(made.old)), corpus_of(conllu_of(made.new))).to_dict()


def labels_of(data: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The conventions and the sporadic changes, as the reference has them."""
    conventions = [
        (
            *(one["column"], one["feature"], tuple(one["scope"].items()), one["old"], one["new"]),
            *(one["count"], one["unchanged"], one["others"]),
            tuple(sorted(((place["sent_id"], place["token"]) for place in one["exceptions"]), key=str)),
        )
        for one in data["conventions"]
    ]
    names = ("column", "feature", "sent_id", "token", "form", "old", "new")
    return conventions, [tuple(one[name] for name in names) for one in data["changes"]]


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), n_sentences=st.integers(3, 30), named=st.booleans())
def test_every_planted_change_is_found_in_its_group_and_nothing_else(seed: int, n_sentences: int, named: bool) -> None:
    made = planted(seed, n_sentences=n_sentences, named=named)
    data = diff_of(made)
    for found, wanted in zip(labels_of(data), expected_labels(made), strict=True):
        assert sorted(found, key=str) == sorted(wanted, key=str)
    assert data["changed"]["labels"] == data["explained"] + data["sporadic"]
    assert data["sporadic"] == len(data["changes"])
    assert data["explained"] == sum(one["count"] for one in data["conventions"])
    check_words(made, data)
    check_sentences(made, data)


def check_words(made: Planted, data: dict[str, Any]) -> None:
    texts = {one.number: index for index, one in enumerate(made.new, start=1)}
    wanted = [(texts[number], kind, [*old], [*new]) for number, kind, old, new in made.retokenised]
    found = [(one["sentence"], one["kind"], one["old"], one["new"]) for one in data["tokenisation"]]
    assert sorted(found) == sorted(wanted)
    assert data["retokenised_sentences"] == len({number for number, *_ in made.retokenised})


def check_sentences(made: Planted, data: dict[str, Any]) -> None:
    found = data["sentences"]
    assert {one["text"] for one in found["added"]} == {one.text for one in made.new if one.number in made.added}
    assert {one["text"] for one in found["removed"]} == {one.text for one in made.old if one.number in made.removed}
    old, new = ({one.number: one for one in side} for side in (made.old, made.new))
    texts = {(old[number].text, new[number].text) for number in made.edited}
    assert {(one["old"], one["new"]) for one in found["changed"]} == texts
    names = {(old[number].name, new[number].name) for number in made.renamed if number in new}
    assert {(one["old_sent_id"], one["sent_id"]) for one in found["renamed"]} == names
    assert found["paired"] == len(set(old) & set(new))
    order = [one.number for one in made.new if one.number in old]
    assert len(found["moved"]) == len(order) - longest_rising(order)
    assert {(one["old"], one["new"]) for one in data["documents"]["renamed"]} == {
        (was, now)
        for was, now in made.documents.items()
        if any(one.document == was and one.number in new for one in made.old)
    }


def longest_rising(numbers: list[int]) -> int:
    """The length of a longest rising subsequence, by trying all ends."""
    best: list[int] = []
    for place, number in enumerate(numbers):
        best.append(1 + max((best[i] for i in range(place) if numbers[i] < number), default=0))
    return max(best, default=0)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32))
def test_the_two_directions_have_the_same_labels_and_words_the_other_way_round(seed: int) -> None:
    made = planted(seed)
    there = diff_of(made)
    back = karat.diff(corpus_of(conllu_of(made.new)), corpus_of(conllu_of(made.old))).to_dict()
    assert there["changed"] == back["changed"]
    assert there["words"] == back["words"]
    assert [len(there["sentences"][name]) for name in ("added", "removed", "changed", "moved", "renamed")] == [
        len(back["sentences"][name]) for name in ("removed", "added", "changed", "moved", "renamed")
    ]
    swapped = {"split": "joined", "joined": "split"}
    assert sorted((swapped[one["kind"]], one["new"], one["old"]) for one in there["tokenisation"]) == sorted(
        (one["kind"], one["old"], one["new"]) for one in back["tokenisation"]
    )


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), named=st.booleans())
def test_a_version_does_not_differ_from_itself(seed: int, named: bool) -> None:
    made = planted(seed, named=named)
    found = karat.diff(corpus_of(conllu_of(made.new)), corpus_of(conllu_of(made.new)))
    assert not found.is_different
    assert not found.records().rows


# ---- the rule, by hand -----------------------------------------------------------------------------------------------


def test_a_change_of_a_whole_word_is_one_convention_and_a_single_one_is_sporadic() -> None:
    nouns = ["oak", "ash", "elm", "fir", "yew", "bay"]
    before = [sentence("walk/VERB", "to/ADP", f"{noun}/NOUN", sent_id=noun) for noun in nouns]
    after = [one.replace("to\tto\tADP", "to\tto\tPART") for one in before]
    after[0] = after[0].replace("oak\tNOUN", "oak\tPROPN")
    after[5] = before[5]
    data = karat.diff(corpus_of("".join(before).encode()), corpus_of("".join(after).encode())).to_dict()
    (convention,) = data["conventions"]
    assert (convention["scope"], convention["old"], convention["new"]) == ({"lemma": "to"}, "ADP", "PART")
    assert (convention["count"], convention["unchanged"]) == (5, 1)
    assert convention["example"] == {"sent_id": "oak", "sentence": 1, "token": 2, "form": "to"}
    assert [(one["sent_id"], one["token"]) for one in convention["exceptions"]] == [("bay", 2)]
    (fix,) = data["changes"]
    assert (fix["sent_id"], fix["token"], fix["form"], fix["old"], fix["new"]) == ("oak", 1 + 2, "oak", "NOUN", "PROPN")


def test_four_places_are_no_convention_nor_is_less_than_four_fifths() -> None:
    def data(n_changed: int, n_kept: int) -> Any:
        before = [sentence("walk/VERB", "to/ADP", f"w{number}/X") for number in range(n_changed + n_kept)]
        after = [one.replace("\tADP", "\tPART") for one in before[:n_changed]] + before[n_changed:]
        return karat.diff(corpus_of("".join(before).encode()), corpus_of("".join(after).encode())).to_dict()

    assert [len(data(4, 0)[name]) for name in ("conventions", "changes")] == [0, 4]
    assert [len(data(5, 0)[name]) for name in ("conventions", "changes")] == [1, 0]
    assert [len(data(8, 2)[name]) for name in ("conventions", "changes")] == [1, 0]
    assert [len(data(8, 3)[name]) for name in ("conventions", "changes")] == [0, 8]


def test_a_class_of_three_words_is_one_convention_and_two_words_are_two() -> None:
    def scopes(words: list[str]) -> Any:
        before = [sentence("go/VERB", f"{word}/ADV", f"n{number}/X") for number in range(6) for word in words]
        after = [one.replace("\tADV", "\tPART") for one in before]
        data = karat.diff(corpus_of("".join(before).encode()), corpus_of("".join(after).encode())).to_dict()
        assert not data["changes"]
        return [one["scope"] for one in data["conventions"]]

    assert scopes(["up", "down", "out"]) == [{}]
    assert scopes(["up", "down"]) == [{"lemma": "up"}, {"lemma": "down"}]


def test_a_feature_is_compared_on_its_own() -> None:
    def row(form: str, feats: str) -> str:
        return f"1\t{form}\t{form}\tNOUN\tN\t{feats}\t0\troot\t_\t_\n\n"

    before = row("oak", "Case=Nom|Number=Sing") + row("ash", "Number=Sing") + row("elm", "_")
    after = row("oak", "Case=Acc|Number=Sing") + row("ash", "Gender=Fem|Number=Sing") + row("elm", "_")
    data = karat.diff(corpus_of(before.encode()), corpus_of(after.encode()), columns="feats").to_dict()
    changes = [(one["form"], one["feature"], one["old"], one["new"]) for one in data["changes"]]
    assert changes == [("oak", "Case", "Case=Nom", "Case=Acc"), ("ash", "Gender", None, "Gender=Fem")]
    assert data["columns"] == ["feats"]
    assert data["changed"] == {"labels": 2, "feats": 2}


def test_a_head_is_the_same_if_it_is_the_same_word_whatever_its_number() -> None:
    before = sentence("I/PRON/3/nsubj", "cannot/AUX/3/aux", "swim/VERB/0/root", "far/ADV/3/advmod")
    after = sentence("I/PRON/4/nsubj", "can/AUX/4/aux", "not/PART/4/advmod", "swim/VERB/0/root", "far/ADV/2/advmod")
    data = karat.diff(corpus_of(before.encode()), corpus_of(after.encode()), columns=["head"]).to_dict()
    (change,) = data["changes"]
    assert (change["form"], change["token"], change["old_token"]) == ("far", 5, 4)
    assert (change["old"], change["new"]) == ("3", "2")
    (words,) = data["tokenisation"]
    assert (words["kind"], words["token"], words["old"], words["new"]) == ("split", 2, ["cannot"], ["can", "not"])


def test_a_multiword_token_around_the_same_words_is_a_change_of_tokens_only() -> None:
    before, after = sentence_of_tokens("We", "do", "n't", "know"), sentence_of_tokens("We", "don't=do+n't", "know")
    data = karat.diff(corpus_of(before.encode()), corpus_of(after.encode())).to_dict()
    (words,) = data["tokenisation"]
    assert (words["kind"], words["old"], words["new"]) == ("multiword", ["do", "n't"], ["do", "n't"])
    assert data["words"] == 4
    assert not data["changes"]


def test_a_part_of_speech_is_tried_before_a_relation() -> None:
    def row(form: str, upos: str, relation: str, xpos: str) -> str:
        return f"1\t{form}\t_\t{upos}\t{xpos}\t_\t0\t{relation}\t_\t_\n\n"

    changed = [row(form, "ADV", "advmod", "R") for form in ("up", "down", "out", "in", "off")]
    others = [row(f"w{number}", "INTJ", "discourse", "R") for number in range(9)]
    after = [one.replace("\tR\t", "\tRB\t") for one in changed]
    data = karat.diff(corpus_of("".join(changed + others).encode()), corpus_of("".join(after + others).encode()))
    assert [one.scope for one in data.conventions] == [{"upos": "ADV"}]


def test_heads_in_an_edited_text_are_those_at_the_same_place() -> None:
    forms = ["here", "oak", "ash", "grow", "tall"]
    heads = {"old": [2, 0, 2, 3, 3], "new": [2, 0, 2, 3, 2]}
    now = ["here", "elm", "fir", "grow", "tall"]
    old, new = (
        sentence(*(f"{form}/X/{head}" for form, head in zip(words, heads[which], strict=True)), sent_id="s")
        for which, words in (("old", forms), ("new", now))
    )
    data = karat.diff(corpus_of(old.encode()), corpus_of(new.encode()), columns="head").to_dict()
    assert [(one["form"], one["old"], one["new"]) for one in data["changes"]] == [("tall", "3", "2")]
    assert data["words"] == 3


def test_a_word_is_never_paired_with_one_of_another_sentence() -> None:
    """The official evaluator's walk around multiword tokens would pair the last word here with one of the next."""
    before = sentence_of_tokens("abdo") + sentence_of_tokens("don't=do+n't", "know")
    after = sentence_of_tokens("ab", "do") + sentence_of_tokens("don't", "know")
    found = karat.diff(corpus_of(before.encode()), corpus_of(after.encode()))
    assert [(one.kind, one.old, one.new) for one in found.retokenised] == [
        ("split", ("abdo",), ("ab", "do")),
        ("joined", ("do", "n't"), ("don't",)),
    ]
    assert (found.words.old.tolist(), found.words.new.tolist()) == ([3], [3])


# ---- sentences -------------------------------------------------------------------------------------------------------


def test_equal_texts_without_names_are_paired_by_their_neighbours() -> None:
    before = corpus_of("".join(map(sentence_of_tokens, ["Yes", "oak", "Yes", "ash"])).encode())
    after = corpus_of("".join(map(sentence_of_tokens, ["oak", "Yes", "ash"])).encode())
    pairs = paired_sentences(Side.of(before), Side.of(after))
    assert list(zip(pairs.old.tolist(), pairs.new.tolist(), strict=True)) == [(1, 0), (2, 1), (3, 2)]


def test_names_that_were_given_anew_do_not_mislead() -> None:
    texts = [["the", "old", "gate", "creaks"], ["rain", "fell", "on", "us"], ["we", "may", "well", "win"]]
    before = "".join(sentence(*words, sent_id=f"s{number}") for number, words in enumerate(texts))
    after = "".join(sentence(*words, sent_id=f"s{number}") for number, words in enumerate(texts[1:]))
    data = karat.diff(corpus_of(before.encode()), corpus_of(after.encode())).to_dict()
    assert [one["sent_id"] for one in data["sentences"]["removed"]] == ["s0"]
    assert [(one["old_sent_id"], one["sent_id"]) for one in data["sentences"]["renamed"]] == [
        ("s1", "s0"),
        ("s2", "s1"),
    ]
    assert [data["changes"], data["sentences"]["added"], data["sentences"]["changed"]] == [[], [], []]


def test_one_name_is_not_enough_where_texts_have_nothing_in_common() -> None:
    same = sentence("we/PRON", "may/AUX", "well/ADV", "win/VERB", sent_id="t")
    before, after = sentence("rain/NOUN", "fell/VERB", sent_id="s"), sentence("oaks/NOUN", "grow/VERB", sent_id="s")
    found = karat.diff(corpus_of((before + same).encode()), corpus_of((after + same).encode()))
    assert [[one.text for one in rows] for rows in (found.removed, found.added)] == [["rain fell"], ["oaks grow"]]
    assert not found.edited


def test_of_documents_that_became_one_the_larger_was_renamed() -> None:
    words = [sentence(f"n{number}/NOUN", "grows/VERB") for number in range(4)]
    before = "# newdoc id = small\n" + words[0] + "# newdoc id = large\n" + "".join(words[1:])
    after = "# newdoc id = all\n" + "".join(words)
    found = karat.diff(corpus_of(before.encode()), corpus_of(after.encode()))
    assert [(one.old, one.new, one.sentences) for one in found.documents] == [("large", "all", 3)]


def treebank(folder: Path, **parts: list[str]) -> str:
    folder.mkdir()
    for part, sentences in parts.items():
        conllu(folder / f"xx_oak-ud-{part}.conllu", *sentences)
    return str(folder)


def test_a_sentence_that_went_to_another_part_of_a_treebank_moved(tmp_path: Path) -> None:
    one, two, three = (sentence(f"{word}/NOUN", "grows/VERB", sent_id=word) for word in ("oak", "ash", "elm"))
    old = treebank(tmp_path / "old", train=[one, two], test=[three])
    new = treebank(tmp_path / "new", train=[one], dev=[two], test=[three])
    data = karat.diff(old, new).to_dict()
    (moved,) = data["sentences"]["moved"]
    assert (moved["sent_id"], moved["old_part"], moved["part"]) == ("ash", "train", "dev")
    assert [data["changes"], data["sentences"]["added"], data["sentences"]["removed"]] == [[], [], []]
    assert not karat.diff(old, old).is_different


# ---- words and tokens of any kind ------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_every_word_of_the_same_text_has_a_counterpart_or_is_in_a_stretch_of_other_words(seed: int) -> None:
    text = (EXAMPLES / "gold.conllu").read_text(encoding="utf-8")
    found = karat.diff(corpus_of(text.encode()), corpus_of(corrupted(text, seed, TOKENISATION).encode()))
    stretches, pairs = found.words.retokenised, found.sentences
    assert len(stretches)
    sides = (
        (found.old, pairs.old, found.words.old, stretches.old_start, stretches.old_stop),
        (found.new, pairs.new, found.words.new, stretches.new_start, stretches.new_stop),
    )
    for corpus, of_pairs, words, start, stop in sides:
        inside = {
            word for first, last in zip(start.tolist(), stop.tolist(), strict=True) for word in range(first, last)
        }
        of_same = set(of_pairs[pairs.same_text].tolist())
        every = {word for word, of in enumerate(corpus.words_sentence.tolist()) if of in of_same}
        assert len(set(words.tolist())) == len(words)
        assert every <= inside | set(words.tolist())
    old, new = (corpus.column("form").strings() for corpus in (found.old, found.new))
    for one, other in zip(found.words.old.tolist(), found.words.new.tolist(), strict=True):
        assert old[one].replace(" ", "").lower() == new[other].replace(" ", "").lower()
    together = set(zip(pairs.old.tolist(), pairs.new.tolist(), strict=True))
    sentences = found.old.words_sentence[found.words.old], found.new.words_sentence[found.words.new]
    assert set(zip(*(one.tolist() for one in sentences), strict=True)) <= together


# ---- what cannot be compared -----------------------------------------------------------------------------------------


def test_columns_that_one_version_lacks_are_left_out_and_asking_for_them_is_an_error(tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", sentence("oak/NOUN", "grows/VERB", sent_id="a"))
    (tmp_path / "tagged.tsv").write_text("oak\tNOUN\ngrows\tADV\n", encoding="utf-8")
    found = karat.diff(gold, tmp_path / "tagged.tsv")
    assert found.columns == ("upos",)
    assert [column for column, _ in found.not_compared] == ["lemma", "head", "deprel"]
    assert found.n_changed == 1
    with pytest.raises(karat.DataError) as error:
        karat.diff(gold, tmp_path / "tagged.tsv", columns=["upos", "lemma"])
    assert error.value.code == "K920"
    with pytest.raises(karat.UsageError, match="no column 'deps'"):
        karat.diff(gold, gold, columns=["deps"])


def test_two_corpora_without_a_common_sentence_are_no_versions(tmp_path: Path) -> None:
    one = conllu(tmp_path / "one.conllu", sentence("oak/NOUN", "grows/VERB"))
    two = conllu(tmp_path / "two.conllu", sentence("rain/NOUN", "falls/VERB", "here/ADV"))
    with pytest.raises(karat.DataError) as error:
        karat.diff(one, two)
    assert error.value.code == "K921"


def test_a_broken_tree_is_compared_as_it_is(tmp_path: Path) -> None:
    good = sentence("oak/NOUN/2/nsubj", "grows/VERB/0/root")
    bad = good.replace("\t2\tnsubj", "\t9\tnsubj")
    data = karat.diff(corpus_of(good.encode()), corpus_of(bad.encode())).to_dict()
    (change,) = data["changes"]
    assert (change["column"], change["old"], change["new"]) == ("head", "2", "9")
    assert data["changed"]["head"] == 1
