"""Patterns of change: by hand, and by brute force over the suspicious repeats of a reference."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, strategies as st

from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.gold.repeats import patterns as module
from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.patterns import Pattern, cut_text, patterns_of_change, patterns_of_cuts, words_by
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Place, Word, found_repeats, found_suspicious, labelling_of, units_of

Sentences = list[list[Word]]


def changes_in(*corpora: Sentences, between: bool = False, min_words: int = 3) -> tuple[Pattern, ...]:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    repeats = maximal_repeats(text, min_words=min_words, between=between)
    return patterns_of_change(suspicious_repeats(repeats, column_labels(text, "upos")), a_to_b=between)


def test_a_pattern_goes_from_the_commonest_label_to_the_others() -> None:
    corpus = plain("a/D b/N c/N", "a/D b/N c/N", "a/D b/V c/N", "so a/D b/V c/N", "so a/D b/N c/N")
    assert changes_in(corpus) == (Pattern("b", "N", "V", 2, 2),)


def test_a_place_in_several_repeats_counts_once() -> None:
    corpus = plain("x a/D b/N c/N y", "x a/D b/V c/N y", "a/D b/N c/N")
    (one,) = changes_in(corpus)
    assert (one.count, one.n_repeats) == (1, 2)


def test_of_equally_common_labels_the_words_commonest_is_expected() -> None:
    assert changes_in(plain("a/D b/N c/N", "a/D b/V c/N", "b/V")) == (Pattern("b", "V", "N", 1, 1),)
    assert changes_in(plain("a/D b/N c/N", "a/D b/V c/N", "b/N")) == (Pattern("b", "N", "V", 1, 1),)
    assert changes_in(plain("a/D b/V c/N", "a/D b/N c/N")) == (Pattern("b", "V", "N", 1, 1),)


def test_between_two_corpora_a_pattern_goes_from_the_first_to_the_second() -> None:
    one, others = plain("a/D b/N c/N"), plain("a/D b/V c/N", "a/D b/V c/N")
    assert changes_in(one, others, between=True) == (Pattern("b", "N", "V", 2, 1),)
    assert changes_in(others, one, between=True) == (Pattern("b", "V", "N", 1, 1),)


def test_what_only_the_first_corpus_has_goes_to_what_both_have() -> None:
    mixed, plain_one = plain("a/D b/N c/N", "a/D b/N c/N", "a/D b/V c/N"), plain("a/D b/N c/N")
    assert changes_in(mixed, plain_one, between=True) == (Pattern("b", "V", "N", 1, 1),)


def test_patterns_may_be_counted_by_another_column() -> None:
    rows = "".join(
        f"1\tthey\tthey\tPRON\t_\t_\t_\t_\t_\t_\n2\t{form}\tbe\t{upos}\t_\t_\t_\t_\t_\t_\n3\there\there\tADV\t_\t_\t_\t_\t_\t_\n\n"
        for form, upos in [
            ("are", "AUX"),
            ("are", "AUX"),
            ("are", "VERB"),
            ("were", "AUX"),
            ("were", "AUX"),
            ("were", "VERB"),
        ]
    )
    text = running_text([conllu_from_source(source_from_bytes(rows.encode()), trees=False)])
    found = suspicious_repeats(maximal_repeats(text), column_labels(text, "upos"))
    assert patterns_of_change(found, by=words_by(found.all_repeats.text, "lemma")) == (
        Pattern("be", "AUX", "VERB", 2, 2),
    )
    assert [one.word for one in patterns_of_change(found)] == ["are", "were"]


def brute_force(
    corpora: list[Sentences], of: str, *, fold: bool, punctuation: bool, least: int, between: bool
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Places and repeats of each pattern, straight from the definition."""
    units = units_of(corpora, fold, punctuation)
    repeats = found_repeats(units, least, between=between)
    in_all: Counter[tuple[str, str]] = Counter()
    for corpus, sentences in zip(corpora, units, strict=True):
        for sentence, its_units in zip(corpus, sentences, strict=True):
            for word, at in its_units:
                label = (
                    sentence[at].deprel
                    if of == "dependencies"
                    else " ".join(getattr(sentence[at], c) for c in of.split("+"))
                )
                in_all[word, label] += 1

    def usual(word: str, placed: list[tuple[Place, str]]) -> str:
        counts = Counter(label for _, label in placed)

        def weight(label: str) -> tuple[int, int]:
            plain_label = label.rstrip("+-0123456789") if of == "dependencies" else label
            return counts[label], in_all[word, plain_label]  # outside is no label of any word

        first = dict.fromkeys(label for _, label in sorted(placed, key=lambda one: one[0]))
        return max(first, key=weight)

    places: dict[tuple[str, str, str], set[tuple[int, int, int]]] = defaultdict(set)
    grams: dict[tuple[str, str, str], set[tuple[str, ...]]] = defaultdict(set)
    for gram, found in found_suspicious(corpora, repeats, of).items():
        every = [place for its in found.labellings.values() for place in its]
        for at in found.positions:
            placed = [(place, labelling_of(corpora, place, of)[at]) for place in every]
            expected = usual(gram[at], [one for one in placed if not between or one[0][0] == 0])
            b_differs = any(place[0] == 1 and label != expected for place, label in placed)
            for place, label in placed:
                in_b = place[0] == 1
                if label == expected or (between and not in_b and b_differs):
                    continue
                key = (gram[at], expected, label) if not between or in_b else (gram[at], label, expected)
                places[key].add((place[0], place[1], place[2][at]))
                grams[key].add(gram)
    return {key: (len(its), len(grams[key])) for key, its in places.items()}


@given(
    corpora_at_random(),
    st.sampled_from(["upos", "upos+xpos", "dependencies"]),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([1, 30, module._CELLS]),
)
def test_patterns_are_those_of_brute_force(
    corpora: list[Sentences], of: str, fold: bool, punctuation: bool, least: int, between: bool, cells: int
) -> None:
    between = between and len(corpora) == 2
    text = running_text([corpus_of(corpus) for corpus in corpora], fold_case=fold, punctuation=punctuation)
    labels = dependency_labels(text) if of == "dependencies" else column_labels(text, of.split("+"))
    found = suspicious_repeats(maximal_repeats(text, min_words=least, between=between), labels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS", cells)
        patterns = patterns_of_change(found, a_to_b=between)
    ours = {(one.word, one.label, one.becomes): (one.count, one.n_repeats) for one in patterns}
    assert ours == brute_force(corpora, of, fold=fold, punctuation=punctuation, least=least, between=between)
    assert len(ours) == len(patterns)
    assert [one.count for one in patterns] == sorted((one.count for one in patterns), reverse=True)


# ---- tokenisation ----------------------------------------------------------------------------------------------------


def corpus_of_lines(*sentences: str) -> Corpus:
    """Sentences of words: `x~` is followed by no space, `du=de+le` a token of two words."""
    blocks = []
    for sentence in sentences:
        rows, n = [], 1
        for token in sentence.split():
            misc = "SpaceAfter=No" if token.endswith("~") else "_"
            surface, _, inner = token.rstrip("~").partition("=")
            words = inner.split("+") if inner else [surface]
            if inner:
                rows.append(f"{n}-{n + len(words) - 1}\t{surface}" + "\t_" * 7 + f"\t{misc}")
            for word in words:
                rows.append(f"{n}\t{word}" + "\t_" * 7 + f"\t{'_' if inner else misc}")
                n += 1
        blocks.append("\n".join(rows) + "\n\n")
    return conllu_from_source(source_from_bytes("".join(blocks).encode()), trees=False)


def cuts_in(*corpora: Corpus, between: bool = False) -> tuple[Pattern, ...]:
    text, labels = characters(corpora)
    found = suspicious_repeats(maximal_repeats(text, min_words=6, between=between), labels)
    return patterns_of_cuts(found, a_to_b=between)


def test_ways_to_cut_are_shown_between_spaces() -> None:
    corpus = corpus_of_lines("we cannot go", "we cannot go", "we can~ not go")
    assert cuts_in(corpus) == (Pattern("cannot", "cannot", "can|not", 1, 1),)


def test_ways_to_cut_go_from_the_first_corpus_to_the_second() -> None:
    whole, cut = corpus_of_lines("we cannot go", "we cannot go"), corpus_of_lines("we can~ not go")
    assert cuts_in(cut, whole, between=True) == (Pattern("cannot", "can|not", "cannot", 2, 1),)
    mixed = corpus_of_lines("we cannot go", "we cannot go", "we can~ not go")
    assert cuts_in(mixed, whole, between=True) == (Pattern("cannot", "can|not", "cannot", 1, 1),)


def test_words_of_a_token_are_shown_behind_it() -> None:
    corpus = corpus_of_lines("il va du=de+le lit", "il va du=de+le lit", "il va du lit")
    assert cuts_in(corpus) == (Pattern("du", "du=de+le", "du", 1, 1),)


def test_no_suspicious_repeats_have_no_patterns() -> None:
    assert changes_in(plain("a b c", "d e f")) == ()
    assert cuts_in(corpus_of_lines("a b")) == ()
    assert cut_text("ab", ["outside", "|"]) == "a|b"
