"""What speaks against labels: against slow counts, on random text, and by hand."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from examples import conllu, sentence
from karat.corpus import Corpus
from karat.suspects.doubts import Doubts, doubts_from_file
from karat.suspects.evidence import NAMES, WEIGHTS, evidence
from karat.suspects.lemma_rules import lemma_from_rule, lemma_rule

UNSEEN, MOST, SUREST, SMALLEST = 5.0, 3.0, 2.0, 1e-4


def written(folder: Path, sentences: list[list[str]]) -> Corpus:
    return karat.read_conllu(conllu(folder / "a.conllu", *(sentence(*words) for words in sentences)))


def sure_of_nothing(corpus: Corpus, probability: float = 0.5, other: str = "X") -> Doubts:
    n = corpus.n_words
    return Doubts(np.full(n, probability), [other] * n, np.full(n, 1 - probability))


WORDS = st.tuples(st.sampled_from(["oak", "ash", "saw"]), st.sampled_from(["NOUN", "VERB", "ADJ"]),
                  st.integers(0, 3), st.sampled_from(["nsubj", "obj"]))  # fmt: skip


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=6))
@settings(max_examples=60)
def test_tree_and_other_tag_are_counted_as_a_slow_count_does(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[tuple[str, str, int, str]]]
) -> None:
    made = []
    for words in sentences:
        heads = [min(head, number) for number, (_, _, head, _) in enumerate(words)]  # before the word: a tree
        heads[0] = 0
        heads = [head or (0 if number == 0 else 1) for number, head in enumerate(heads)]
        made.append([f"{form}/{tag}/{head}/{'root' if not head else relation}"
                     for (form, tag, _, relation), head in zip(words, heads, strict=True)])  # fmt: skip
    corpus = written(tmp_path_factory.mktemp("text"), made)
    found = evidence(corpus, "upos", None).values
    rows = [[word.split("/") for word in words] for words in made]
    contexts = [(word[3], words[int(word[2]) - 1][1] if int(word[2]) else None) for words in rows for word in words]
    labels = [word[1] for words in rows for word in words]
    n_label, n_context, n_both = Counter(labels), Counter(contexts), Counter(zip(contexts, labels, strict=True))
    for number, (context, label) in enumerate(zip(contexts, labels, strict=True)):
        share = n_label[label] / len(labels)
        expected = (n_both[context, label] - 1 + UNSEEN * share) / (n_context[context] - 1 + UNSEEN)
        assert found[number, NAMES.index("tree")] == pytest.approx(min(-math.log10(expected), MOST), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_a_taggers_odds_are_in_powers_of_ten_and_never_count_for_more_than_a_hundred_to_one(
    tmp_path_factory: pytest.TempPathFactory, chances: list[float]
) -> None:
    corpus = written(tmp_path_factory.mktemp("text"), [["oak/NOUN", "grows/VERB", "here/ADV"]])
    doubts = Doubts(np.array(chances), ["X"] * 3, 1 - np.array(chances))
    for value, p in zip(evidence(corpus, "upos", doubts).values[:, 0], chances, strict=True):
        p = max(p, SMALLEST)
        assert value == pytest.approx(min(math.log10(max(1 - p, SMALLEST) / p), SUREST))


def test_a_label_that_repeats_contradict_is_suspected_and_the_usual_one_is_named(tmp_path: Path) -> None:
    usual = ["the/DET", "old/ADJ", "oak/NOUN", "fell/VERB"]
    odd = ["the/DET", "old/ADJ", "oak/VERB", "fell/VERB"]
    corpus = written(tmp_path, [usual] * 6 + [odd])
    found = karat.find_suspects(corpus, rank="repeats")
    assert [(one.form, one.label, one.suggested) for one in found.items()] == [("oak", "VERB", "NOUN")]
    (one,) = found.items()
    assert one.repeat is not None
    assert (one.repeat.with_label, one.repeat.places, one.sentence, one.token) == (6, 7, 6, 3)
    assert one.in_words == "6 of 7 like places have NOUN"


def test_both_witnesses_together_rank_above_each_alone(tmp_path: Path) -> None:
    usual = ["the/DET", "old/ADJ", "oak/NOUN", "fell/VERB"]
    odd = ["the/DET", "old/ADJ", "oak/VERB", "fell/VERB"]
    corpus = written(tmp_path, [usual] * 6 + [odd] + [["elm/ADV", "grew/VERB"]])
    probability = np.full(corpus.n_words, 0.99)
    oak, elm = 6 * 4 + 2, 7 * 4
    probability[[oak, elm]] = 0.02
    other = ["NOUN"] * corpus.n_words
    scores = evidence(corpus, "upos", Doubts(probability, other, 1 - probability)).scores()
    assert scores[oak] > scores[elm] > 0
    assert (np.delete(scores, [oak, elm]) < scores[elm]).all()
    alone = evidence(corpus, "upos", None).scores()
    assert scores[oak] > alone[oak]


def test_the_score_is_the_sum_that_the_docs_name(tmp_path: Path) -> None:
    corpus = written(tmp_path, [["oak/NOUN", "grows/VERB"], ["oak/VERB", "grows/VERB"]])
    found = evidence(corpus, "upos", sure_of_nothing(corpus, 0.1, "NOUN"))
    assert found.scores() == pytest.approx(found.values[:, 0] + 0.5 * found.values[:, 1:].sum(axis=1))
    assert WEIGHTS.tolist() == [1.0, 0.5, 0.5, 0.5, 0.5, 0.5]


def test_marked_words_are_no_suspects(tmp_path: Path) -> None:
    text = "".join(sentence("the/DET", "oak/NOUN") for _ in range(5)) + sentence("the/DET", "oak/VERB").replace(
        "oak\toak\tVERB\t_\t_", "oak\toak\tVERB\t_\tTypo=Yes"
    )
    path = tmp_path / "a.conllu"
    path.write_text(text)
    assert len(karat.find_suspects(path, rank="repeats")) == 0
    path.write_text(text.replace("Typo=Yes", "_"))
    assert len(karat.find_suspects(path, rank="repeats")) == 1


def test_repeats_may_be_against_other_corpora(tmp_path: Path) -> None:
    here = conllu(tmp_path / "here.conllu", sentence("the/DET", "old/ADJ", "oak/VERB", "fell/VERB"))
    there = conllu(tmp_path / "there.conllu", *[sentence("the/DET", "old/ADJ", "oak/NOUN", "fell/VERB")] * 4)
    assert len(karat.find_suspects(here, rank="repeats")) == 0
    (one,) = karat.find_suspects(here, rank="repeats", against=[there]).items()
    assert (one.form, one.suggested) == ("oak", "NOUN")


# ---- probabilities of any tagger -------------------------------------------------------------------------------------


def test_probabilities_of_a_file_are_those_it_has(tmp_path: Path) -> None:
    corpus = written(tmp_path, [["oak/NOUN", "grows/VERB"], ["elm/NOUN"]])
    path = tmp_path / "p.tsv"
    path.write_text("oak\tVERB\t0.7\tNOUN\t0.3\ngrows\tVERB\t1\n\nelm\tADJ\t0.6\tX\t0.4\n")
    found = doubts_from_file(path, corpus, "upos")
    assert found.probability == pytest.approx([0.3, 1.0, 0.0])
    assert found.other == ["VERB", "", "ADJ"]
    assert found.other_probability == pytest.approx([0.7, 0.0, 0.6])


@pytest.mark.parametrize(
    ("text", "message"), [("oak\tNOUN\t1\n", "1 words"), ("oak\tNOUN\t1\nfalls\tVERB\t1\n", "'falls'")]
)
def test_a_file_about_other_words_is_refused(tmp_path: Path, text: str, message: str) -> None:
    corpus = written(tmp_path, [["oak/NOUN", "grows/VERB"]])
    (tmp_path / "p.tsv").write_text(text)
    with pytest.raises(karat.DataError, match="K950") as error:
        doubts_from_file(tmp_path / "p.tsv", corpus, "upos")
    assert message in str(error.value)


def test_tags_of_another_column_are_refused(tmp_path: Path) -> None:
    corpus = written(tmp_path, [["oak/NOUN", "grows/VERB"]])
    (tmp_path / "p.tsv").write_text("oak\tNN\t1\ngrows\tVBZ\t1\n")
    with pytest.raises(karat.DataError, match="no UPOS"):
        doubts_from_file(tmp_path / "p.tsv", corpus, "upos")


# ---- lemmas ----------------------------------------------------------------------------------------------------------


@given(st.text(min_size=1, max_size=8), st.text(max_size=8))
def test_a_rule_makes_the_lemma_of_its_form(form: str, lemma: str) -> None:
    assert lemma_from_rule(form, lemma_rule(form, lemma)) == lemma


@pytest.mark.parametrize("column", ["upos", "xpos", "feats", "lemma", "deprel"])
def test_every_column_can_be_looked_at(tmp_path: Path, column: str) -> None:
    fields = {"upos": 3, "xpos": 4, "feats": 5, "lemma": 2, "deprel": 7}
    wrong = {"upos": "ADV", "xpos": "RB", "feats": "Number=Plur", "lemma": "tree", "deprel": "obl"}

    def text(value: str | None) -> str:
        rows = [["1", "the", "the", "DET", "DT", "_", "2", "det", "_", "_"],
                ["2", "Oaks", "oak", "NOUN", "NN", "Number=Sing", "0", "root", "_", "_"],
                ["3", "fall", "fall", "VERB", "VB", "_", "2", "acl", "_", "_"]]  # fmt: skip
        if value is not None:
            rows[1][fields[column]] = value
        return "\n".join("\t".join(row) for row in rows) + "\n\n"

    path = tmp_path / "a.conllu"
    path.write_text(text(None) * 12 + text(wrong[column]).replace("\troot\t", "\troot\t") + text(None) * 7)
    first = next(karat.find_suspects(path, column=column, system="most-frequent", folds=4, fold_by="sentence").items())
    right = {"upos": "NOUN", "xpos": "NN", "feats": "Number=Sing", "lemma": "oak", "deprel": "root"}
    assert (first.sentence, first.token, first.label, first.suggested) == (12, 2, wrong[column], right[column])


@given(st.lists(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["X", "Y", "Z"])), min_size=2, max_size=5),
                min_size=2, max_size=8))  # fmt: skip
def test_like_places_are_those_of_a_slow_count(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[tuple[str, str]]]
) -> None:
    corpus = written(tmp_path_factory.mktemp("text"), [[f"{form}/{tag}" for form, tag in words] for words in sentences])
    found = karat.find_suspects(corpus, rank="repeats")
    for one in found.items():
        assert one.repeat is not None
        words, at = one.repeat.words, int(found.found.repeats.position[one.word])
        labels = Counter(
            here[start + at][1]
            for here in sentences
            for start in range(len(here) - len(words) + 1)
            if tuple(form for form, _ in here[start : start + len(words)]) == words
        )
        assert one.repeat.places == labels.total()
        assert (
            one.repeat.with_label
            == labels[one.repeat.label]
            == max(n for label, n in labels.items() if label != one.label)
        )
