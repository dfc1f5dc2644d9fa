"""The hidden Markov model beside its definition: every sequence of labels, enumerated."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.systems.hmm import Hmm, interpolation_weights
from karat.systems.options import HmmOptions
from karat.systems.words import LabelledWords, WordSequence

LABELS = ("N", "V", "D")
FORMS = ("the", "dog", "runs", "Run", "fast", "unseenly")

sentences = st.lists(
    st.lists(st.tuples(st.sampled_from(FORMS[:5]), st.sampled_from(LABELS)), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
)


def text_of(several: list[list[tuple[str, str]]], every: tuple[str, ...] = LABELS) -> LabelledWords:
    forms = list(dict.fromkeys(form for one in several for form, _ in one))
    ids = np.array([forms.index(form) for one in several for form, _ in one], dtype=np.int32)
    labels = np.array([every.index(label) for one in several for _, label in one], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in several])])
    return LabelledWords(WordSequence(forms, ids, offsets), labels, every)


def words_of(*forms: str) -> WordSequence:
    distinct = list(dict.fromkeys(forms))
    ids = np.array([distinct.index(form) for form in forms], dtype=np.int32)
    return WordSequence(distinct, ids, np.array([0, len(forms)]))


def chances(text: list[list[tuple[str, str]]], order: int) -> dict[tuple[int, int, int], float]:
    """P(t3 | t1, t2) of all triples, straight from Brants 2000: counts, then weights by deleted interpolation."""
    edge = len(LABELS)
    triples: Counter[tuple[int, int, int]] = Counter()
    pairs, contexts = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    singles, context_of_two = Counter[int](), Counter[int]()
    for sentence in text:
        tags = [edge, edge, *(LABELS.index(label) for _, label in sentence), edge]
        for t1, t2, t3 in zip(tags, tags[1:], tags[2:], strict=False):
            triples[t1, t2, t3] += 1
            contexts[t1, t2] += 1
            pairs[t2, t3] += 1
            context_of_two[t2] += 1
            singles[t3] += 1
    n = sum(singles.values())
    votes = [0.0, 0.0, 0.0]
    for (t1, t2, t3), count in triples.items():

        def left_out(some: int, of: int) -> float:
            return (some - 1) / (of - 1) if of > 1 else 0.0

        found = [left_out(singles[t3], n), left_out(pairs[t2, t3], context_of_two[t2])]
        found += [left_out(count, contexts[t1, t2])] if order == 2 else []
        votes[max(range(len(found)), key=lambda k: (found[k], k))] += count
    votes[0] = max(votes[0], 1e-3 * sum(votes))
    weights = [vote / sum(votes) for vote in votes]
    return {
        (t1, t2, t3): weights[0] * singles.get(t3, 0) / n
        + weights[1] * (pairs.get((t2, t3), 0) / context_of_two[t2] if t2 in context_of_two else 0.0)
        + weights[2] * (triples.get((t1, t2, t3), 0) / contexts[t1, t2] if (t1, t2) in contexts else 0.0)
        for t1, t2, t3 in product(range(edge + 1), repeat=3)
    }  # fmt: skip


def enumerated(
    model: Hmm, text: list[list[tuple[str, str]]], order: int, words: WordSequence
) -> dict[tuple[int, ...], float]:
    """The probability, but for a factor, of every sequence of candidates."""
    p, edge = chances(text, order), len(LABELS)
    candidates = model.candidates([words.forms[number] for number in words.ids.tolist()])
    found = {}
    for tags in product(*(candidates.row(i).tolist() for i in range(len(words)))):
        value = 1.0
        for i, (t1, t2, t3) in enumerate(zip((edge, edge, *tags), (edge, *tags), (*tags, edge), strict=False)):
            value *= p[t1, t2, t3] * (candidates.weighted_row(i)[t3] if i < len(words) else 1.0)
        found[tags] = value
    return found


@settings(deadline=None)
@given(sentences, st.lists(st.sampled_from(FORMS), min_size=1, max_size=5), st.sampled_from([1, 2]))
def test_viterbi_and_forward_backward_are_what_enumeration_gives(
    text: list[list[tuple[str, str]]], forms: list[str], order: int
) -> None:
    model = Hmm.trained(text_of(text), "upos", HmmOptions(order))
    words = words_of(*forms)
    every = enumerated(model, text, order, words)
    found = model.tagging(words, with_probabilities=True)
    assert every[tuple(found.tags.tolist())] == pytest.approx(max(every.values()))
    total = sum(every.values())
    for i in range(len(words)):
        for label in range(len(LABELS)):
            share = sum(value for tags, value in every.items() if tags[i] == label) / total
            assert np.exp(found.log_probabilities[i, label]) == pytest.approx(share, abs=1e-12)
    assert model.calibration.probabilities(found.log_probabilities).sum(axis=1) == pytest.approx(1)


def test_every_trigram_votes_for_the_order_that_predicts_it_best_once_it_is_left_out() -> None:
    """One trigram 1 1 1, seen 3 times of 3 in its context: (3-1)/(3-1) = 1 is the largest."""
    keys, unigram = np.array([1 * 4 + 1 * 2 + 1]), np.array([1.0, 5.0])
    bigram, contexts = np.array([[0.0, 1.0], [1.0, 4.0]]), np.array([0.0, 0.0, 0.0, 3.0])
    weights = interpolation_weights(keys, np.array([3.0]), unigram, bigram, contexts)
    assert weights[2] == pytest.approx(1 / 1.001)
    assert weights.sum() == pytest.approx(1)


def test_a_capitalised_form_that_is_unknown_has_the_tags_of_the_form_in_lower_case() -> None:
    model = Hmm.trained(text_of([[("dog", "N"), ("runs", "V")]]), "upos", HmmOptions())
    candidates = model.candidates(["Dog", "dog"])
    assert candidates.row(0).tolist() == candidates.row(1).tolist() == [LABELS.index("N")]
