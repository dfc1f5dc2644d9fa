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
OTHERS = {"distance": reference.HEAD, "direction": reference.HEAD, "feats": reference.FEATS}  # and what they need


def corpus(text: str) -> Corpus:
    return conllu_from_source(source_from_bytes(text.encode()))


def scored(gold: str, system: str, lexicon: str | None = None) -> karat.SystemScores:
    """The scores with all splits and confusions for which both sides have the column."""
    ours, theirs = corpus(gold), corpus(system)
    labels = [name for name in LABELS if all(side.has(name.removeprefix("full-")) for side in (ours, theirs))]
    arcs = ["distance", "direction"] if ours.has("head") and theirs.has("head") else []
    features = ["feats"] if ours.has("feats") and theirs.has("feats") else []
    splits = [*labels, *arcs, *features, "document", "length"]
    words = corpus(lexicon) if lexicon else None
    return karat.score(ours, theirs, by=splits, confusions=labels, lexicon=words).systems[0]


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
    for name, rows in reference.counts_by_sentence(comparison).items():
        total = reference.totals(expected[name])
        assert counts(found.measures[name]) == total, name
        assert found.counts[name].tolist() == [[n or 0 for n in row] for row in rows], name
        assert found.counts[name].sum(axis=0).tolist() == [n or 0 for n in total], name
        assert_values_follow(found.measures[name])


def assert_values_follow(score: karat.MeasureScore) -> None:
    def ratio(above: float, below: float) -> float:
        return above / below if below else 0.0

    assert score.precision == ratio(score.correct, score.system)
    assert score.recall == ratio(score.correct, score.gold)
    assert score.value == score.f1 == ratio(2 * score.correct, score.gold + score.system)
    assert score.aligned_accuracy == (None if score.aligned is None else ratio(score.correct, score.aligned))


def assert_splits_agree(found: karat.SystemScores, comparison: reference.Comparison) -> None:
    sides = comparison.gold, comparison.system
    labels = [name for name in LABELS if all(side.has(reference.LABELS[name][1]) for side in sides)]
    others = [name for name, column in OTHERS.items() if all(side.has(column) for side in sides)]
    assert found.by.keys() - {"lexicon"} == {*labels, *others, "document", "length"}
    for split in found.by.keys() - {"lexicon"}:
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


def first_sentences(text: str) -> str:
    """So many as the reference, which takes its time, is through with in seconds."""
    return text[:600_000].rpartition("\n\n")[0] + "\n\n"


@pytest.mark.slow
def test_other_annotation_of_ewt_counts_as_in_the_reference() -> None:
    gold = data(EWT_TEST).read_text(encoding="utf-8")
    assert_agreement(gold, corrupted(gold, 5, ANNOTATION), lexicon=gold[: len(gold) // 3].rpartition("\n\n")[0])


@pytest.mark.parametrize("name", [SEQUOIA_TEST, PDB_DEV], ids=["sequoia", "pdb"])
def test_other_annotation_of_a_treebank_counts_as_in_the_reference(name: str) -> None:
    gold = first_sentences(data(name).read_text(encoding="utf-8"))
    assert_agreement(gold, corrupted(gold, 6, ANNOTATION))


@pytest.mark.parametrize("name", [EWT_TEST, SEQUOIA_TEST], ids=["ewt", "sequoia"])
def test_other_tokens_of_a_treebank_count_as_in_the_reference(name: str) -> None:
    # with seed 6 all words of multiword tokens can match in one way only
    gold = first_sentences(data(name).read_text(encoding="utf-8"))
    rates = Rates(
        upos=0.05, head=0.05, deprel=0.05, split=0.02, merge=0.02, shift=0.02, contract=0.02, dissolve=0.2, fuse=0.2,
        join=0.05, cut=0.05,
    )  # fmt: skip
    assert_agreement(gold, corrupted(gold, 6, rates))


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


def test_a_wrong_xpos_costs_only_xpos_and_all_tags() -> None:
    found = totals(changed(DOGS, 4, xpos="JJ"))
    assert (found["XPOS"], found["AllTags"]) == ((6, 6, 5, 6), (6, 6, 5, 6))
    assert (found["UPOS"], found["UFeats"], found["MLAS"]) == (RIGHT, RIGHT, (5, 5, 5, 5))


def test_a_wrong_lemma_of_a_content_word_costs_blex_and_that_of_a_function_word_does_not() -> None:
    found = totals(changed(DOGS, 6, lemma="dogs"))
    assert (found["Lemmas"], found["BLEX"], found["CLAS"]) == ((6, 6, 5, 6), (5, 5, 4, 5), (5, 5, 5, 5))
    found = totals(changed(DOGS, 3, lemma="a"))
    assert (found["Lemmas"], found["BLEX"]) == ((6, 6, 5, 6), (5, 5, 5, 5))


def test_a_function_word_on_the_wrong_head_costs_both_heads_mlas() -> None:
    found = totals(changed(DOGS, 3, head="2"))
    assert (found["LAS"], found["CLAS"]) == ((6, 6, 5, 6), (5, 5, 5, 5))
    assert found["MLAS"] == (5, 5, 3, 5)  # dogs has lost a function word, saw has one too many


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
    assert counts(found.measures["ExactUPOS"]) == counts(found.measures["ExactLAS"]) == (2, 1, 0, 0)
    assert found.counts["ExactLAS"].tolist() == [[1, 1, 0, 0], [1, 0, 0, 0]]  # the system's begins in the first
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


AL_MAR = ("1 Vamos ir VERB _ _ 0 root _", "2-3 al _ _ _ _ _ _ _", "2 a a ADP _ _ 4 case _", "3 el el DET _ _ 4 det _")
MAR = "4 mar mar NOUN _ _ 1 obl _"


@pytest.mark.parametrize(
    ("system", "tokens", "words"),
    [
        ((*AL_MAR[:3], "3 La el DET _ _ 4 det _", MAR), (3, 3, 3, None), (4, 4, 3, None)),  # a
        ((*AL_MAR[:3], "3 EL el DET _ _ 4 det _", MAR), (3, 3, 3, None), (4, 4, 4, None)),  # a, el
        ((AL_MAR[0], "2 al a ADP _ _ 3 case _", "3 mar mar NOUN _ _ 1 obl _"), (3, 3, 3, None), (4, 3, 2, None)),
        ((AL_MAR[0], "2 a a ADP _ _ 4 case _", "3 l el DET _ _ 4 det _", MAR), (3, 4, 2, None), (4, 4, 3, None)),  # a
    ],
    ids=["another-word", "another-case", "no-multiword-token", "plain-words"],
)
def test_words_of_multiword_tokens_match_by_their_forms(
    system: tuple[str, ...], tokens: reference.Counts, words: reference.Counts
) -> None:
    found = totals(system, (*AL_MAR, MAR))
    assert (found["Tokens"], found["Words"]) == (tokens, words)  # besides the words named, Vamos and mar match


def test_what_the_system_has_is_counted_where_it_begins() -> None:
    gold = rows("1 ab l X _ _ 0 root _") + rows("1 cd l X _ _ 0 root _")
    system = rows("1 a l X _ _ 0 root _", "2 bc l X _ _ 1 dep _", "3 d l X _ _ 1 dep _")
    found = scored(gold, system).counts
    for name in ("Tokens", "Words", "UPOS"):
        assert found[name].tolist() == [[1, 2, 0, 0], [1, 1, 0, 0]]  # a and bc begin in ab, d in cd
    assert found["Sentences"].tolist() == [[1, 1, 0, 0], [1, 0, 0, 0]]


def test_measures_whose_columns_one_side_lacks_are_left_out() -> None:
    system = tuple(" ".join([*line.split()[:5], "_", *line.split()[6:8], "_"]) for line in DOGS)  # no FEATS, no DEPS
    assert set(reference.MEASURES) - set(totals(system)) == {"UFeats", "Feats", "AllTags", "MLAS", "ELAS", "EULAS"}


# --- splits written out ---


def group(found: karat.SystemScores, split: str, measure: str) -> dict[str, reference.Counts]:
    return {name: scores[measure] for name, scores in group_counts(found, split).items() if measure in scores}


THREE = (
    "1 Mo Mo N n _ 2 nsubj _",
    "2 saw see V v _ 0 root _",
    "3 dogs dog N n _ 2 obj _",
)


def test_a_system_word_counts_under_its_own_label_where_the_label_is_measured() -> None:
    system = changed(THREE, 3, upos="V", xpos="v", deprel="nsubj:pass")
    found = scored(rows(*THREE), rows(*system))
    # the gold has N V N, the system N V V
    assert group(found, "upos", "UPOS") == {"N": (2, 1, 1, 2), "V": (1, 2, 1, 1)}
    assert group(found, "xpos", "XPOS") == {"n": (2, 1, 1, 2), "v": (1, 2, 1, 1)}
    # the gold has nsubj root obj, the system nsubj root nsubj:pass
    nsubj, root = (1, 1, 1, 1), (1, 1, 1, 1)
    assert group(found, "deprel", "LAS") == {"nsubj": (1, 2, 1, 1), "root": root, "obj": (1, 0, 0, 1)}
    expected = {"nsubj": nsubj, "root": root, "obj": (1, 0, 0, 1), "nsubj:pass": (0, 1, 0, 0)}
    assert group(found, "full-deprel", "FullLAS") == expected


def test_a_system_word_counts_under_the_label_of_its_gold_word_in_other_measures() -> None:
    system = changed(THREE, 3, upos="V", deprel="nsubj:pass", head="1")
    found = scored(rows(*THREE), rows(*system))
    assert group(found, "upos", "UAS") == {"N": (2, 2, 1, 2), "V": (1, 1, 1, 1)}
    assert group(found, "deprel", "UPOS") == {"nsubj": (1, 1, 1, 1), "root": (1, 1, 1, 1), "obj": (1, 1, 0, 1)}


def test_a_system_word_that_matches_none_counts_under_its_own_label() -> None:
    gold, system = rows("1 ab l N _ _ 0 root _"), rows("1 a l V _ _ 0 root _", "2 b l X _ _ 1 dep _")
    assert group(scored(gold, system), "upos", "UAS") == {"N": (1, 0, 0, 0), "V": (0, 1, 0, 0), "X": (0, 1, 0, 0)}


def test_words_are_known_by_the_exact_form_and_ambiguous_with_two_tags() -> None:
    lexicon = rows("1 saw see V _ _ 0 root _", "2 saw saw N _ _ 1 obj _", "3 dogs dog N _ _ 1 dep _")
    gold = rows(*THREE, "4 Dogs dog N n _ 2 dep _")
    system = rows(*changed(THREE, 2, upos="N"), "4 Dogs dog N n _ 2 dep _")
    assert group(scored(gold, system, lexicon), "lexicon", "UPOS") == {
        "unknown": (2, 2, 2, 2),  # Mo and Dogs
        "known": (2, 2, 1, 2),
        "unambiguous": (1, 1, 1, 1),  # dogs
        "ambiguous": (1, 1, 0, 1),  # saw, which is V and N
    }


# Mo saw the two old dogs: arcs from Mo to the right by 1, the by 3, two by 2, old by 1; from dogs to the left by 4
def test_arcs_count_by_length_and_direction_for_precision_by_the_systems_and_for_recall_by_the_golds() -> None:
    found = scored(rows(*DOGS), rows(*changed(DOGS, 5, head="2")))  # old hangs from saw: 3 to the left
    assert group(found, "distance", "UAS") == {
        "root": (1, 1, 1, 1),
        "1": (2, 1, 1, 2),
        "2": (1, 1, 1, 1),
        "3–6": (2, 3, 2, 2),
    }
    assert group(found, "direction", "LAS") == {"root": (1, 1, 1, 1), "left": (1, 2, 1, 1), "right": (4, 3, 3, 4)}
    assert group(found, "distance", "UPOS")["1"] == (2, 2, 2, 2)  # tags go with the gold's arcs


def test_an_arc_between_words_that_match_is_as_long_as_the_golds() -> None:
    gold = rows("1 a a X _ _ 0 root _", "2 bc b X _ _ 1 dep _", "3 d d X _ _ 1 dep _")
    system = rows("1 a a X _ _ 0 root _", "2 b b X _ _ 1 dep _", "3 c c X _ _ 1 dep _", "4 d d X _ _ 1 dep _")
    found = group(scored(gold, system), "distance", "UAS")
    # of the system's arcs that from d to a, over two words more, is 2 long as in the gold; those of b and c 1 and 2
    assert found == {"root": (1, 1, 1, 1), "1": (1, 1, 0, 0), "2": (1, 2, 1, 1)}


def test_features_count_by_the_words_that_have_them() -> None:
    found = scored(rows(*DOGS), rows(*changed(changed(DOGS, 6, feats="Number=Sing"), 1, feats="_")))
    assert group(found, "feats", "Feats") == {
        "Number": (2, 1, 0, 2),  # of Mo none, of dogs another
        "Tense": (1, 1, 1, 1),
        "Typo": (1, 1, 1, 1),
        "Definite": (1, 1, 1, 1),
        "NumType": (1, 1, 1, 1),
        "Degree": (1, 1, 1, 1),
    }


def test_punctuation_is_what_the_gold_attaches_as_such() -> None:
    gold = (*DOGS, "7 . . PUNCT . _ 2 punct _")
    found = totals(changed(gold, 7, head="6"), gold)
    assert (found["UAS"], found["UAS-nopunct"], found["LAS-nopunct"]) == ((7, 7, 6, 7), RIGHT, RIGHT)
    found = totals(changed(gold, 6, deprel="punct"), gold)  # what the system calls punctuation is still counted
    assert (found["UAS-nopunct"], found["LAS-nopunct"]) == (RIGHT, (6, 6, 5, 6))
    found = totals(changed(gold, 7, deprel="obj"), gold)  # and what it does not call so is not
    assert (found["LAS"], found["LAS-nopunct"]) == ((7, 7, 6, 7), RIGHT)


def test_sentences_fall_into_bins_of_ten_words_by_the_gold() -> None:
    def words(n: int) -> str:
        return rows("1 a a X _ _ 0 root _", *(f"{number} a a X _ _ 1 dep _" for number in range(2, n + 1)))

    gold = "".join(words(n) for n in (1, 10, 11, 20, 21, 30, 31, 40, 41, 50))
    found = scored(gold, words(255))  # one sentence of all words
    n_words = {"1–10": 11, "11–20": 31, "21–30": 51, "31–40": 71, "41+": 91}
    assert group(found, "length", "UPOS") == {name: (n, n, n, n) for name, n in n_words.items()}
    assert group(found, "length", "Sentences") == {name: (2, 1 if name == "1–10" else 0, 0, None) for name in n_words}


def test_a_document_lasts_until_the_next_begins() -> None:
    word = rows("1 a a X _ _ 0 root _")
    gold = f"# newdoc id = tides\n{word}{word}# newdoc id = kites\n{word}"
    assert group(scored(gold, gold), "document", "UPOS") == {"tides": (2, 2, 2, 2), "kites": (1, 1, 1, 1)}


def test_no_sentence_is_lost_where_documents_share_a_name() -> None:
    word = rows("1 a a X _ _ 0 root _")
    gold = f"# newdoc id = tides\n{word}# newdoc id = kites\n{word}# newdoc id = tides\n{word}"
    assert sum(n_gold for n_gold, *_ in group(scored(gold, gold), "document", "UPOS").values()) == 3


def test_confusions_are_of_matching_words_the_golds_label_first() -> None:
    system = changed(changed(THREE, 3, upos="V"), 1, deprel="obj:x")
    found = scored(rows(*THREE), rows(*system)).confusions
    upos, deprel = found["upos"], found["deprel"]
    n, v = map(upos.labels.index, "NV")
    assert (upos.matrix[n, n], upos.matrix[n, v], upos.matrix[v, v], upos.matrix[v, n]) == (1, 1, 1, 0)
    assert deprel.matrix[deprel.labels.index("nsubj"), deprel.labels.index("obj")] == 1
    assert deprel.matrix.sum() == 3
