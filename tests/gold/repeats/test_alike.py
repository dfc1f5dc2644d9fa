"""Repeats that are alike: the best of each group first, beside the same with dictionaries."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given

from karat.gold.repeats.alike import grouped
from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.patterns import words_by
from karat.gold.repeats.ranking import ranked
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpora_at_random, corpus_of
from repeat_reference import Word


@given(corpora_at_random())
def test_groups_are_those_of_word_and_labels_and_their_best_come_first(corpora: list[list[list[Word]]]) -> None:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    repeats = maximal_repeats(text, min_words=1)
    for labels in (column_labels(text, "upos"), dependency_labels(text)):
        before = ranked(suspicious_repeats(repeats, labels))
        ranking, groups = grouped(before, words_by(text, None))
        assert sorted(ranking.found.rows.tolist()) == sorted(before.found.rows.tolist())
        kinds: dict[tuple[str, frozenset[str]], list[int]] = {}
        for row in range(len(ranking)):
            at, length = int(ranking.position[row]), int(ranking.found.length[row])
            both = (labels.strings(int(place[row]) - at, length)[at] for place in (ranking.usual, ranking.odd))
            kinds.setdefault((ranking.found.words(row)[at], frozenset(both)), []).append(row)
        assert len(groups) == len(kinds)
        for (word, both_labels), rows in kinds.items():
            (number,) = set(groups.of_row[rows].tolist())
            assert (groups.words[number], frozenset(groups.labels[number])) == (word, both_labels)
            assert rows[0] == number  # the n-th repeat is the first of the n-th group
            assert groups.n_repeats[number] == len(rows)
            new = [row for row in rows if ranking.is_new[row]]
            best = max(ranking.score[row] for row in new or rows)
            assert math.isclose(groups.score[number], best - math.log10(max(len(new), 1)))
        first = ranking.is_new[: len(groups)]
        assert np.all(np.diff(first.astype(int)) <= 0)
        assert np.all(np.diff(groups.score[first]) <= 1e-12)
        again, same = grouped(ranking, words_by(text, None))
        assert again.found.rows.tolist() == ranking.found.rows.tolist()
        assert same.of_row.tolist() == groups.of_row.tolist()
