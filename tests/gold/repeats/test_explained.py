"""How far word and contexts explain a label, beside a slow count of the same, straight from the definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from karat.gold.repeats._label_expectation import odd_labels
from karat.gold.repeats.explained import explained
from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpora_at_random, corpus_of
from repeat_reference import Word


def slowly_explained(
    words: list[int], labels: list[int], contexts: list[list[object]], n_labels: int, usual: int, own: list[int]
) -> float:
    """The share of an odd label, which the places `own` have, beside the usual one at a place."""
    places = [place for place, word in enumerate(words) if word >= 0]
    frequency = [sum(labels[place] == label for place in places) / len(places) for label in range(n_labels)]
    of_word = {
        word: [sum(words[place] == word and labels[place] == label for place in places) for label in range(n_labels)]
        for word in {words[place] for place in places}
    }
    mostly = {word: counts.index(max(counts)) for word, counts in of_word.items()}
    odd, expected = labels[own[0]], labels[usual]
    alike = [counts for word, counts in of_word.items() if mostly[word] == expected]
    n_alike = sum(map(sum, alike))
    others = [place for place in places if place not in own]
    shares = []
    for place in own:
        weights = {}
        for label in (odd, expected):
            n_own = len(own) if label == odd else 0
            like_it = max(sum(counts[label] for counts in alike) - n_own, 0) + frequency[label]
            weight = of_word[words[place]][label] - n_own + 50 * like_it / (n_alike + 1)
            with_label = [one for one in others if labels[one] == label]
            for context in contexts:
                n_context = sum(context[one] == context[place] for one in others)
                n_both = sum(context[one] == context[place] for one in with_label)
                weight *= (len(others) * n_both + n_context) / (len(with_label) + 1) + 5
            weights[label] = weight
        shares.append(weights[odd] / sum(weights.values()))
    return sum(shares) / len(shares)


def contexts_of(corpora: list[list[list[Word]]], labels: list[int], with_relations: bool) -> list[list[object]]:
    """The labels on both sides of every place; and its relation with the label of its head, None where it has none."""
    beside: list[object] = [(left, right) for left, right in zip([-1, *labels], [*labels[1:], -1], strict=False)]
    if not with_relations:
        return [beside]
    relations: list[object] = []
    for sentence in (sentence for corpus in corpora for sentence in corpus):
        start = len(relations)
        relations += [(word.deprel, labels[start + word.head - 1] if word.head else None) for word in sentence]
        relations.append(None)  # the boundary
    return [beside, relations]


@pytest.mark.parametrize(
    ("columns", "with_relations"), [(["upos", "xpos"], True), (["upos"], True), (["upos", "deprel"], False)]
)
@given(corpora=corpora_at_random())
def test_the_share_is_that_of_a_slow_count(
    columns: list[str], with_relations: bool, corpora: list[list[list[Word]]]
) -> None:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    labels = column_labels(text, columns)
    found = suspicious_repeats(maximal_repeats(text, min_words=1), labels)
    offsets, places, _ = found.labelled_places()
    _, _, usual, first, odd_places = odd_labels(offsets, places, found.length, labels.codes, labels.reach)
    odd = np.array([odd_places[start:stop].min() for start, stop in pairwise(first.tolist())], dtype=np.int32)
    share = explained(text, labels, usual, odd, first, odd_places)
    words, codes = text.codes.tolist(), labels.codes.tolist()
    contexts = contexts_of(corpora, codes, with_relations)
    for number, value in enumerate(share.tolist()):
        own = sorted(odd_places[first[number] : first[number + 1]].tolist())
        slow = slowly_explained(words, codes, contexts, len(labels.names), int(usual[number]), own)
        assert np.isclose(value, slow, rtol=1e-12), (number, value, slow)


@given(corpora_at_random())
def test_the_usual_label_is_the_commonest_of_the_others(corpora: list[list[list[Word]]]) -> None:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    for labels in (column_labels(text, "upos"), dependency_labels(text)):
        found = suspicious_repeats(maximal_repeats(text, min_words=1), labels)
        offsets, places, _ = found.labelled_places()
        of_repeat, position, usual, first, odd_places = odd_labels(
            offsets, places, found.length, labels.codes, labels.reach
        )
        for repeat in range(len(found)):
            starts, length = places[offsets[repeat] : offsets[repeat + 1]].tolist(), int(found.length[repeat])
            for odd in range(of_repeat[repeat], of_repeat[repeat + 1]):
                at = int(position[odd])
                of_place = {start + at: labels.strings(start, length)[at] for start in starts}
                own = {of_place[place] for place in odd_places[first[odd] : first[odd + 1]].tolist()}
                assert len(own) == 1
                others = [label for label in of_place.values() if label not in own]
                most = max(others.count(label) for label in others)
                assert others.count(of_place[int(usual[odd])]) == most
