"""Suspicious repeats: by hand, by brute force, and against crafted labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.errors import UsageError
from karat.gold.repeats import suspicious as module
from karat.gold.repeats.labels import Labels, column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats, suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Found, Word, found_repeats, found_suspicious, units_of


def shown(found: SuspiciousRepeats) -> dict[tuple[str, ...], Found]:
    rows = {}
    for row in range(len(found)):
        labellings = found.labellings(row)
        counts = [way.count for way in labellings]
        assert counts == sorted(counts, reverse=True)
        assert len(labellings) == found.n_labellings[row]
        assert counts[0] == found.n_majority[row]
        assert len(found.positions(row)) == found.n_differing[row]
        places = {way.labels: [(span.corpus, span.sentence, span.words) for span in way.spans] for way in labellings}
        flags = bool(found.disjoint[row]), bool(found.non_fringe[row])
        rows[found.words(row)] = Found(places, found.positions(row), *flags, float(found.majority_share[row]))
    return rows


def found_in(*corpora: list[list[Word]], min_words: int = 3, **filters: bool | float) -> SuspiciousRepeats:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    return suspicious_repeats(maximal_repeats(text, min_words=min_words), column_labels(text, "upos"), **filters)  # type: ignore[arg-type]


def test_what_differs_and_where_is_shown() -> None:
    corpus = plain("a/DET b/ADJ c/NOUN", "a/DET b/NOUN c/NOUN", "so a/DET b/ADJ c/NOUN")
    (row,) = shown(found_in(corpus)).values()
    assert row.positions == (1,)
    assert row.labellings == {
        ("DET", "ADJ", "NOUN"): [(0, 0, (0, 1, 2)), (0, 2, (1, 2, 3))],
        ("DET", "NOUN", "NOUN"): [(0, 1, (0, 1, 2))],
    }
    assert (row.non_fringe, row.disjoint, row.majority_share) == (True, False, 2 / 3)


def test_a_repeat_that_is_always_annotated_alike_is_not_suspicious() -> None:
    assert len(found_in(plain("a/D b/N c/N", "a/D b/N c/N"))) == 0


def test_labellings_that_two_corpora_do_not_share_are_disjoint() -> None:
    one, same, other = plain("a/D b/N c/N"), plain("a/D b/N c/N"), plain("a/D b/V c/N")
    assert found_in(one, other).disjoint.tolist() == [True]
    assert found_in(one, [*same, *other]).disjoint.tolist() == [False]
    assert found_in([*one, *other]).disjoint.tolist() == [False]


@given(
    corpora_at_random(),
    st.sampled_from(["upos", "upos+xpos", "dependencies"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
)
def test_suspicious_repeats_are_those_of_brute_force(
    corpora: list[list[list[Word]]], of: str, fold: bool, punctuation: bool, two_sentences: bool, least: int
) -> None:
    text = running_text([corpus_of(corpus) for corpus in corpora], fold_case=fold, punctuation=punctuation)
    labels = dependency_labels(text) if of == "dependencies" else column_labels(text, of.split("+"))
    repeats = maximal_repeats(text, min_words=least, two_sentences=two_sentences)
    units = units_of(corpora, fold, punctuation)
    wanted = found_suspicious(corpora, found_repeats(units, least, two_sentences=two_sentences), of)
    assert shown(suspicious_repeats(repeats, labels)) == wanted
    filters: list[dict[str, bool | float]] = [{"disjoint": True}, {"non_fringe": True}, {"min_majority": 0.6}]
    for filter_ in filters:
        ((name, least_value),) = filter_.items()
        value = {"min_majority": "majority_share"}.get(name, name)
        kept = {gram for gram, found in wanted.items() if getattr(found, value) >= least_value}
        assert shown(suspicious_repeats(repeats, labels, **filter_)).keys() == kept  # type: ignore[arg-type]


@given(corpora_at_random())
def test_equal_hashes_are_not_taken_for_equal_labels(corpora: list[list[list[Word]]]) -> None:
    """With the key 0 all hashes are 0: labels must be compared for real."""
    text = running_text([corpus_of(corpus) for corpus in corpora])
    repeats, labels = maximal_repeats(text, min_words=1), column_labels(text, "upos")
    with pytest.MonkeyPatch.context() as patch:
        wanted = shown(suspicious_repeats(repeats, labels))
        patch.setattr(module, "_KEY", np.uint64(0))
        assert shown(suspicious_repeats(repeats, labels)) == wanted


def test_many_values_of_two_columns_together_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_of([[Word("a", "N", "x"), Word("b", "V", "x")], [Word("a", "N", "y"), Word("b", "V", "x")]])
    text = running_text([corpus])
    by_table = column_labels(text, ["upos", "xpos"])
    monkeypatch.setattr("karat._numbering._LARGEST_TABLE", 0)
    by_sorting = column_labels(text, ["upos", "xpos"])
    assert by_table.codes.tolist() == by_sorting.codes.tolist()
    assert by_table.names == by_sorting.names == ["N x", "N y", "V x"]


def test_a_head_outside_the_repeat_is_no_difference() -> None:
    inside = [Word("a", head=2, deprel="det"), Word("b", head=3, deprel="obj"), Word("c")]
    elsewhere = [Word("a", head=2, deprel="det"), Word("b", head=4, deprel="obl"), Word("d", head=2), Word("e")]
    text = running_text([corpus_of([inside, elsewhere])])
    labels = dependency_labels(text)
    assert len(suspicious_repeats(maximal_repeats(text, min_words=2), labels)) == 0
    assert labels.strings(0, 2) == ("det+1", "outside")
    assert labels.strings(0, 3) == ("det+1", "obj+1", "outside")


def test_labels_of_another_text_are_refused() -> None:
    text = running_text([corpus_of(plain("a b", "a b"))])
    with pytest.raises(UsageError, match="different texts"):
        suspicious_repeats(maximal_repeats(text), Labels("upos", np.zeros(2, dtype=np.int32), ["X"]))
    with pytest.raises(UsageError, match="no column"):
        column_labels(text, [])


# ---- tokenisation ----------------------------------------------------------------------------------------------------


def corpus_of_tokens(*sentences: list[str]) -> Corpus:
    """Sentences of surface tokens: `x` is one word, `du=de+le` a multiword token, `x_` is followed by no space."""
    blocks = []
    for sentence in sentences:
        rows, number = [], 1
        for token in sentence:
            misc = "SpaceAfter=No" if token.endswith("_") else "_"
            surface, _, split = token.rstrip("_").partition("=")
            words = split.split("+") if split else [surface]
            if split:
                rows.append(f"{number}-{number + len(words) - 1}\t{surface}" + "\t_" * 7 + f"\t{misc}")
            for word in words:
                rows.append(f"{number}\t{word}" + "\t_" * 7 + f"\t{'_' if split else misc}")
                number += 1
        blocks.append("\n".join(rows) + "\n\n")
    return conllu_from_source(source_from_bytes("".join(blocks).encode()), trees=False)


def cuts_of(corpus: Corpus, min_words: int = 4) -> dict[str, list[tuple[str, ...]]]:
    text, labels = characters([corpus])
    found = suspicious_repeats(maximal_repeats(text, min_words=min_words), labels)
    return {"".join(found.words(row)): sorted(way.labels for way in found.labellings(row)) for row in range(len(found))}


def test_characters_are_those_of_the_surface() -> None:
    text, _ = characters([corpus_of_tokens(["He", "ca_", "n't_", "."], ["au=à+le", "lit"])])
    assert "".join(text.vocabulary[code] if code >= 0 else "/" for code in text.codes.tolist()) == "He can't./au lit/"
    words = text.words_at(np.flatnonzero(text.codes >= 0)).tolist()
    assert words == [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 6, 6, 6]


def test_text_cut_in_two_ways_is_suspicious() -> None:
    found = cuts_of(corpus_of_tokens(["can_", "not", "go"], ["cannot", "go"]))
    start, rest = ("outside", "", ""), ("", "", "|", "|", "")
    assert found == {"cannot go": [(*start, "", *rest), (*start, "|", *rest)]}


def test_where_a_repeat_begins_or_ends_amid_a_token_nothing_differs() -> None:
    assert cuts_of(corpus_of_tokens(["start", "it"], ["art_", "ful"]), min_words=3) == {}


def test_a_multiword_token_differs_from_one_word_and_from_another_split() -> None:
    split, other, whole = ["x", "dela=de+la", "y"], ["x", "dela=de+ela", "y"], ["x", "dela", "y"]
    assert cuts_of(corpus_of_tokens(split, split)) == {}
    (ways,) = cuts_of(corpus_of_tokens(split, other, whole)).values()
    assert [way[5] for way in ways] == ["", "de ela", "de la"]


def test_a_multiword_token_that_is_not_all_in_the_repeat_does_not_count() -> None:
    assert cuts_of(corpus_of_tokens(["adela=a+dela"], ["bdela=b+dela"])) == {}
