"""What holds for every measure, whatever the corpora."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings, strategies as st

import karat
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from reference import Comparison, corpus_from_text
from small_corpora import Pair, pairs

# not Lemmas and BLEX, because any lemma is right where the gold has `_`; nor CLAS and MLAS, because there the aligned
# words are the gold's content words
SYMMETRIC = {"Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Feats", "AllTags", "UAS", "LAS", "FullLAS"}
SYMMETRIC |= {"Deprels", "ELAS", "EULAS", "ExactUPOS", "ExactUAS", "ExactLAS"}


def corpus(text: str) -> Corpus:
    return conllu_from_source(source_from_bytes(text.encode()))


BY_SENTENCE = karat.InferenceOptions(cluster="sentence")  # documents need not stay what they are


def measures(gold: str, system: str, *, names: list[str] | None = None) -> dict[str, karat.MeasureScore]:
    found = karat.score(corpus(gold), corpus(system), measures=names, inference=BY_SENTENCE)
    return dict(found.systems[0].measures)


any_pairs = st.booleans().flatmap(lambda other: pairs(other_tokens=other))


@settings(max_examples=80)
@given(pair=any_pairs)
def test_a_corpus_against_itself_is_wholly_right(pair: Pair) -> None:
    for name, score in measures(pair.system, pair.system).items():
        assert score.gold == score.system == score.correct, name
        assert score.value == score.precision == score.recall == (1.0 if score.gold else 0.0), name


@settings(max_examples=80)
@given(pair=any_pairs)
def test_values_lie_between_0_and_1_and_f1_between_precision_and_recall(pair: Pair) -> None:
    for name, score in measures(pair.gold, pair.system).items():
        assert 0 <= score.correct <= min(score.gold, score.system), name
        for value in (score.precision, score.recall, score.f1, score.aligned_accuracy or 0.0):
            assert 0 <= value <= 1, name
        low, high = sorted((score.precision, score.recall))
        assert low - 1e-12 <= score.f1 <= high + 1e-12, name


@settings(max_examples=80)
@given(pair=any_pairs)
def test_swapping_gold_and_system_swaps_precision_and_recall(pair: Pair) -> None:
    texts = pair.gold, pair.system
    assume(Comparison(*map(corpus_from_text, texts)).is_clear)  # else other words may match, the other way round
    there, back = measures(*texts), measures(*texts[::-1])
    assert there.keys() == back.keys()
    for name in there.keys() & SYMMETRIC:
        assert (there[name].precision, there[name].recall) == (back[name].recall, back[name].precision), name
        assert (there[name].f1, there[name].aligned_accuracy) == (back[name].f1, back[name].aligned_accuracy), name


@settings(max_examples=80)
@given(pair=pairs(other_tokens=False), seed=st.integers(0, 1000))
def test_the_same_permutation_of_the_sentences_on_both_sides_changes_nothing(pair: Pair, seed: int) -> None:
    blocks = [text.split("\n\n")[:-1] for text in (pair.gold, pair.system)]
    if len(blocks[0]) != len(blocks[1]):
        return  # the system has other sentences
    order = list(range(len(blocks[0])))
    Random(seed).shuffle(order)
    gold, system = ("".join(block[number] + "\n\n" for number in order) for block in blocks)
    assert measures(gold, system) == measures(pair.gold, pair.system)


@settings(max_examples=40)
@given(pair=any_pairs)
def test_another_system_changes_nothing_for_the_first(pair: Pair) -> None:
    gold, first, second = corpus(pair.gold), corpus(pair.system), corpus(pair.gold)
    together = karat.score(gold, {"first": first, "second": second}, inference=BY_SENTENCE)
    assert dict(together.systems[0].measures) == measures(pair.gold, pair.system)


@settings(max_examples=40)
@given(pair=any_pairs)
def test_a_measure_asked_for_alone_is_the_same(pair: Pair) -> None:
    everything = measures(pair.gold, pair.system)
    for name, score in everything.items():
        assert measures(pair.gold, pair.system, names=[name.upper()]) == {name: score}
