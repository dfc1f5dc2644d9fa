"""Edges between objects become trees that karat reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings, strategies as st

import karat
from karat.corpus.source import source_from_bytes
from karat.systems.attachment.attached_text import RELATIONS, text_attached, words_attached
from karat.systems.attachment.one_parent import best_forest
from karat.systems.groups.syntactic_objects import single_words
from karat.systems.groups.tagged_words import tagged_words

ROW = "{0}\t{1}\t{1}\t{2}\t_\t_\t{3}\tdep\t_\t_\n"


def _text(sentences: list[list[str]]) -> str:
    """Sentences of parts of speech, each word under the first."""
    return "".join(
        "".join(ROW.format(i, f"w{i}", tag, 0 if i == 1 else 1) for i, tag in enumerate(one, 1)) + "\n"
        for one in sentences
    )


def _read(data: bytes) -> karat.Corpus:
    from karat.corpus.readers.conllu import conllu_from_source

    return conllu_from_source(source_from_bytes(data, "text"))


def test_a_small_sentence() -> None:
    corpus = _read(_text([["NOUN", "VERB", "PUNCT", "ADV", "NOUN"], ["PUNCT"]]).encode())
    objects = single_words(tagged_words(corpus))
    heads, relations = words_attached(objects, np.array([1, -1, -1, 1]))
    assert heads.tolist() == [2, 0, 2, 2, 2, 0]
    names = [RELATIONS[one] for one in relations.tolist()]
    assert names == ["dep", "root", "punct", "unattached", "dep", "root"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["NOUN", "VERB", "PUNCT", "ADV"]), min_size=1, max_size=7), min_size=1, max_size=4
    ),
    st.integers(0, 2**32 - 1),
)
def test_every_sentence_is_a_tree_with_the_edges_in_it(sentences: list[list[str]], seed: int) -> None:
    corpus = _read(_text(sentences).encode())
    objects = single_words(tagged_words(corpus))
    rng = np.random.default_rng(seed)
    parents = np.full(len(objects), -1)
    for first, stop in zip(objects.offsets[:-1].tolist(), objects.offsets[1:].tolist(), strict=True):
        found = best_forest(rng.normal(size=(stop - first, stop - first)))
        parents[first:stop] = np.where(found >= 0, first + found, -1)
    heads, relations = words_attached(objects, parents)
    again = _read(text_attached(corpus, heads, relations))  # a reader that refuses what is no tree
    assert again.heads is not None
    assert np.array_equal(again.heads, heads)
    for child, parent in enumerate(parents.tolist()):
        if parent >= 0:
            word = int(objects.semantic[child])
            sentence = int(np.searchsorted(corpus.sentence_offsets, word, side="right")) - 1
            assert heads[word] == objects.semantic[parent] - corpus.sentence_offsets[sentence] + 1
            assert RELATIONS[relations[word]] == "dep"


def test_tagged_text_becomes_conllu(tmp_path: Path) -> None:
    path = tmp_path / "text.tsv"
    path.write_text("Psy\tsubst:pl:nom:m2\nszczekają\tfin:pl:ter:imperf\n\nKot\tsubst:sg:nom:m2\n")
    corpus = karat.read(path, tag="xpos")
    objects = single_words(tagged_words(corpus))
    heads, relations = words_attached(objects, np.array([1, -1, -1]))
    again = _read(text_attached(corpus, heads, relations))
    assert again.column("xpos").strings() == corpus.column("xpos").strings()
    assert again.heads is not None
    assert again.heads.tolist() == [2, 0, 0]
