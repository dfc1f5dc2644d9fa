"""karat counts what the definitions say: it agrees with `reference.py`, and with sums written out."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

import karat
import reference
from corruptions import ANNOTATION, Rates, corrupted
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from realdata import data
from small_corpora import Pair, pairs

EWT_TEST = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
SEQUOIA_TEST = "ud-2.3/UD_French-Sequoia/fr_sequoia-ud-test.conllu"
PDB_DEV = "ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu"
LABELS = ["upos", "xpos", "deprel", "full-deprel"]
SPLITS = [*LABELS, "document", "length"]


def corpus(text: str) -> Corpus:
    return conllu_from_source(source_from_bytes(text.encode()))


def scored(gold: str, system: str, lexicon: str | None = None) -> karat.SystemScores:
    scores = karat.score(
        corpus(gold), corpus(system), by=SPLITS, confusions=LABELS, lexicon=corpus(lexicon) if lexicon else None
    )
    return scores.systems[0]


def compared(gold: str, system: str) -> reference.Comparison:
    return reference.Comparison(reference.corpus_from_text(gold), reference.corpus_from_text(system))


def counts(score: karat.MeasureScore) -> reference.Counts:
    return score.gold, score.system, score.correct, score.aligned


# --- agreement with the reference ---


def assert_agreement(gold: str, system: str, lexicon: str | None = None) -> None:
    found, comparison = scored(gold, system, lexicon), compared(gold, system)
    assert comparison.is_clear
    assert_measures_agree(found, comparison)
    assert_splits_agree(found, comparison)
    assert_confusions_agree(found, comparison)
    if lexicon:
        expected = reference.counts_by_lexicon(comparison, reference.corpus_from_text(lexicon))
        assert group_counts(found, "lexicon") == expected


def assert_measures_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    expected = reference.measured(comparison)
    assert list(found.measures) == list(expected)
    for name, judged in expected.items():
        score, total = found.measures[name], reference.totals(judged)
        assert counts(score) == total, name
        rows = [[n or 0 for n in row] for row in reference.counts_by_sentence(judged, comparison)]
        assert found.counts[name].tolist() == rows, name
        assert [sum(column) for column in zip(*rows, strict=True)] == [n or 0 for n in total], name
        assert_values_follow(score)


def assert_values_follow(score: karat.MeasureScore) -> None:
    def ratio(above: int, below: int) -> float:
        return above / below if below else 0.0

    assert score.precision == ratio(score.correct, score.system)
    assert score.recall == ratio(score.correct, score.gold)
    assert score.value == score.f1 == ratio(2 * score.correct, score.gold + score.system)
    assert score.aligned_accuracy == (None if score.aligned is None else ratio(score.correct, score.aligned))


def assert_splits_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    for split in SPLITS:
        column = reference.LABELS[split][1] if split in LABELS else reference.FORM
        if not (comparison.gold.has(column) and comparison.system.has(column)):
            assert split not in found.by
            continue
        groups, expected = group_counts(found, split), reference.counts_by(split, comparison)
        if split == "document" and all(sentence.newdoc is None for sentence in comparison.gold.sentences):
            assert list(groups.values()) == list(expected.values())  # one document, which has the corpus's name
        else:
            assert groups == expected, split


def group_counts(found: karat.SystemScores, split: str) -> reference.GroupCounts:
    return {group: {name: counts(score) for name, score in scores.items()} for group, scores in found.by[split].items()}


def assert_confusions_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    for column, confusions in found.confusions.items():
        labels, matrix = confusions.labels, confusions.matrix
        cells = {(labels[i], labels[j]): int(matrix[i, j]) for i, j in zip(*matrix.nonzero(), strict=True)}
        assert cells == reference.confusions(column, comparison), column


@settings(max_examples=150)
@given(pair=pairs(other_tokens=False))
def test_other_annotation_of_a_small_corpus_counts_as_in_the_reference(pair: Pair) -> None:
    assume(compared(pair.gold, pair.system).is_clear)
    assert_agreement(pair.gold, pair.system, pair.lexicon)


@settings(max_examples=200)
@given(pair=pairs(other_tokens=True))
def test_other_tokens_of_a_small_corpus_count_as_in_the_reference(pair: Pair) -> None:
    assume(compared(pair.gold, pair.system).is_clear)
    assert_agreement(pair.gold, pair.system, pair.lexicon)


# --- agreement on real treebanks ---


def test_other_annotation_of_ewt_counts_as_in_the_reference() -> None:
    gold = data(EWT_TEST).read_text(encoding="utf-8")
    assert_agreement(gold, corrupted(gold, 5, ANNOTATION), lexicon=gold[: len(gold) // 3].rpartition("\n\n")[0])


@pytest.mark.parametrize("name", [SEQUOIA_TEST, PDB_DEV], ids=["sequoia", "pdb"])
def test_other_annotation_of_a_treebank_counts_as_in_the_reference(name: str) -> None:
    text = data(name).read_text(encoding="utf-8")
    gold = text[:600_000].rpartition("\n\n")[0] + "\n\n"  # the reference takes its time
    assert_agreement(gold, corrupted(gold, 6, ANNOTATION))


@pytest.mark.parametrize("name", [EWT_TEST, SEQUOIA_TEST], ids=["ewt", "sequoia"])
def test_other_tokens_of_a_treebank_count_as_in_the_reference(name: str) -> None:
    # words split, merged and shifted, sentences joined and cut; multiword tokens stay as they are
    gold = data(name).read_text(encoding="utf-8")
    rates = Rates(upos=0.05, head=0.05, deprel=0.05, split=0.02, merge=0.02, shift=0.02, join=0.05, cut=0.05)
    assert_agreement(gold, corrupted(gold, 7, rates))


# --- sums written out ---


def rows(*lines: str) -> str:
    """A sentence from lines of ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS, with spaces between; MISC is `_`."""
    return "".join("\t".join([*line.split(), "_"]) + "\n" for line in lines) + "\n"


# Mo saw the two old dogs
#  nsubj(saw, Mo), root(saw), det(dogs, the), nummod(dogs, two), amod(dogs, old), obj(saw, dogs)
DOGS = (
    "1 Mo Mo PROPN NNP Number=Sing 2 nsubj 2:nsubj",
    "2 saw see VERB VBD Tense=Past|Typo=No 0 root 0:root",
    "3 the the DET DT Definite=Def 6 det 6:det",
    "4 two two NUM CD NumType=Card 6 nummod 6:nummod",
    "5 old old ADJ JJ Degree=Pos 6 amod 6:amod",
    "6 dogs dog NOUN NNS Number=Plur 2 obj 2:obj",
)


def changed(lines: tuple[str, ...], number: int, **columns: str) -> tuple[str, ...]:
    """The lines with some columns of one word changed."""
    names = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps"]
    fields = lines[number - 1].split()
    for name, value in columns.items():
        fields[names.index(name)] = value
    return (*lines[: number - 1], " ".join(fields), *lines[number:])


def totals(system: tuple[str, ...], gold: tuple[str, ...] = DOGS) -> dict[str, reference.Counts]:
    return {name: counts(score) for name, score in scored(rows(*gold), rows(*system)).measures.items()}


RIGHT = (6, 6, 6, 6)  # gold, system, right, aligned


def test_a_wrong_head_costs_uas_and_all_that_need_it() -> None:
    found = totals(changed(DOGS, 5, head="2"))
    one_wrong = (6, 6, 5, 6)
    assert (found["UAS"], found["LAS"], found["FullLAS"]) == (one_wrong, one_wrong, one_wrong)
    # content words are all but `the`: 5 of 6
    assert (found["CLAS"], found["MLAS"], found["BLEX"]) == ((5, 5, 4, 5), (5, 5, 4, 5), (5, 5, 4, 5))
    assert (found["UPOS"], found["Deprels"], found["ELAS"]) == (RIGHT, RIGHT, (6, 6, 6, None))
    assert (found["ExactUPOS"], found["ExactUAS"], found["ExactLAS"]) == ((1, 1, 1, 1), (1, 1, 0, 1), (1, 1, 0, 1))


def test_a_wrong_subtype_costs_only_what_looks_at_subtypes() -> None:
    found = totals(changed(DOGS, 1, deprel="nsubj:pass"))
    assert (found["LAS"], found["CLAS"], found["ExactLAS"]) == (RIGHT, (5, 5, 5, 5), (1, 1, 1, 1))
    assert (found["FullLAS"], found["Deprels"]) == ((6, 6, 5, 6), (6, 6, 5, 6))


def test_a_wrong_tag_of_a_function_word_costs_its_head_mlas() -> None:
    found = totals(changed(DOGS, 3, upos="PRON"))
    assert found["UPOS"] == (6, 6, 5, 6)
    assert found["CLAS"] == (5, 5, 5, 5)
    assert found["MLAS"] == (5, 5, 4, 5)  # dogs: its function word `the` has another tag


def test_a_content_word_made_a_function_word_counts_for_recall_only() -> None:
    found = totals(changed(DOGS, 5, deprel="det"))
    assert found["CLAS"] == (5, 4, 4, 5)  # the gold has five content words, the system four
    assert found["MLAS"] == (5, 4, 3, 5)  # and dogs has one function word too many


def test_universal_and_other_features_are_told_apart_and_order_does_not_matter() -> None:
    found = totals(changed(DOGS, 2, feats="Typo=Yes|Tense=Past"))
    assert (found["UFeats"], found["Feats"]) == (RIGHT, (6, 6, 5, 6))
    found = totals(changed(DOGS, 2, feats="Typo=No|Tense=Past"))
    assert found["Feats"] == RIGHT


def test_any_lemma_is_right_where_the_gold_has_none_but_not_the_other_way_round() -> None:
    gold = changed(DOGS, 6, lemma="_")
    assert totals(changed(DOGS, 6, lemma="hound"), gold)["Lemmas"] == RIGHT
    assert totals(changed(DOGS, 6, lemma="_"))["Lemmas"] == (6, 6, 5, 6)


def test_all_tags_need_every_tag() -> None:
    system = changed(changed(changed(DOGS, 1, upos="NOUN"), 2, xpos="VBN"), 6, feats="Number=Sing")
    assert totals(system)["AllTags"] == (6, 6, 3, 6)


def test_a_path_through_two_empty_nodes_is_one_edge() -> None:
    # word 3 hangs from 2.1 as obj, 2.1 from 1.1 as conj, 1.1 from word 1 as parataxis
    gold = rows(
        "1 a a X _ _ 0 root 0:root",
        "1.1 _ _ _ _ _ _ _ 1:parataxis",
        "2 b b X _ _ 1 dep 1:dep",
        "2.1 _ _ _ _ _ _ _ 1.1:conj:and",
        "3 c c X _ _ 1 dep 2.1:obj",
    )
    plain = rows("1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 dep 1:dep", "3 c c X _ _ 1 dep 1:parataxis>conj:or>obj")
    found = scored(gold, plain).measures
    assert counts(found["ELAS"]) == (3, 3, 2, None)  # conj:and is not conj:or
    assert counts(found["EULAS"]) == (3, 3, 3, None)
    assert counts(scored(gold, gold).measures["ELAS"]) == (3, 3, 3, None)


def test_equal_edges_match_one_to_one() -> None:
    gold = rows("1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 nsubj 1:nsubj|1:nsubj:xsubj")
    system = rows("1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 nsubj 1:nsubj:pass")
    assert counts(scored(gold, gold).measures["EULAS"]) == (3, 3, 3, None)
    assert counts(scored(gold, system).measures["EULAS"]) == (3, 2, 2, None)
    assert counts(scored(gold, system).measures["ELAS"]) == (3, 2, 1, None)


def test_a_missed_sentence_boundary_costs_both_sentences() -> None:
    gold = rows("1 Go go VERB _ _ 0 root 0:root") + rows("1 Now now ADV _ _ 0 root 0:root")
    system = rows("1 Go go VERB _ _ 0 root 0:root", "2 Now now ADV _ _ 1 advmod 1:advmod")
    found = scored(gold, system)
    assert counts(found.measures["Sentences"]) == (2, 1, 0, None)
    assert counts(found.measures["ExactUPOS"]) == (2, 1, 0, 0)
    assert counts(found.measures["UPOS"]) == (2, 2, 2, 2)
    assert counts(found.measures["UAS"]) == (2, 2, 1, 2)
    assert found.counts["UAS"].tolist() == [[1, 1, 1, 1], [1, 1, 0, 1]]


def test_a_split_word_is_no_word_of_the_gold() -> None:
    gold = rows("1 cannot can AUX _ _ 0 root 0:root", "2 go go VERB _ _ 1 dep 1:dep")
    system = rows("1 can can AUX _ _ 0 root 0:root", "2 not not PART _ _ 1 dep 1:dep", "3 go go VERB _ _ 1 dep 1:dep")
    found = scored(gold, system).measures
    assert (counts(found["Tokens"]), counts(found["Words"])) == ((2, 3, 1, None), (2, 3, 1, None))
    assert counts(found["UPOS"]) == (2, 3, 1, 1)
    assert counts(found["UAS"]) == (2, 3, 0, 1)  # go hangs from a word that matches nothing
