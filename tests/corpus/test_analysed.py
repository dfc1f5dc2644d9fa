"""The model of analysed text, and what is made of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from analysed_texts import analysed_texts
from karat.corpus import source_from_bytes
from karat.corpus.analysed import AnalysedText, Interpretation, interned_strings, segmented
from karat.corpus.readers.dag import dag_from_source
from karat.corpus.readers.plain import plain_from_source

PLAIN = """Mam\tnewline
\tmama\tsubst:pl:gen:f
\tmieć\tfin:sg:pri:imperf\tdisamb
psa\tspace
\tpies\tsubst:sg:gen:m2\tdisamb
\tpies\tsubst:sg:acc:m2\tdisamb
.\tnone
\t.\tinterp\tdisamb

Śpi\tspace
\tspać\tfin:sg:ter:imperf\tdisamb
"""
GRAPH = """0\t2\tmiałem\tmiał\tsubst:sg:inst:m3\t\t\t0.1000\t\t\t
0\t1\tmiał\tmieć\tpraet:sg:m1:imperf\t\t\t0.6000\t\t\tdisamb
0\t1\tmiał\tmiać\tpraet:sg:m1:imperf\t\t\t0.3000\t\t\tdisamb
1\t2\tem\tbyć\taglt:sg:pri:imperf:wok\t\t\t0.9000\t\teos\tdisamb
2\t3\tTak\ttak\tadv\t\t\t1.0000\t\t\tdisamb

"""


def plain(text: str) -> AnalysedText:
    return plain_from_source(source_from_bytes(text.encode(), "plik"))


def graph(text: str) -> AnalysedText:
    return dag_from_source(source_from_bytes(text.encode(), "plik"))


def test_a_word_has_its_interpretations_and_chosen_tags() -> None:
    text = plain(PLAIN)
    assert text.form.values() == ["Mam", "psa", ".", "Śpi"]
    first, second = text.interpretations(0)
    assert first[:3] == ("mama", "subst:pl:gen:f", False)
    assert second[:3] == ("mieć", "fin:sg:pri:imperf", True)
    assert np.isnan(first.probability)
    assert text.chosen_tags(1) == ("subst:sg:gen:m2", "subst:sg:acc:m2")


def test_the_segmentation_of_a_graph_is_in_the_order_of_its_nodes() -> None:
    lines = GRAPH.splitlines()
    text = graph("\n".join([lines[3], *lines[:3], lines[4]]) + "\n")
    assert [text.form[word] for word in text.segmentation.tolist()] == ["miał", "em", "Tak"]


def test_the_segmented_text_has_no_graph_and_all_interpretations_of_its_words() -> None:
    text = segmented(graph(GRAPH))
    assert text.nodes is None
    assert text.form.values() == ["miał", "em", "Tak"]
    assert text.sentence_offsets.tolist() == [0, 2, 3]
    assert text.interpretations(0)[1] == Interpretation("miać", "praet:sg:m1:imperf", True, 0.3)
    assert np.isnan(segmented(graph(GRAPH), probabilities=False).probability).all()


def test_a_paragraph_of_which_nothing_is_chosen_is_not_in_the_segmentation() -> None:
    text = segmented(graph("#a\n0\t1\tx\tx\tign\t\t\n\n#b\n0\t1\ty\ty\tign\t\tdisamb\n"))
    assert text.form.values() == ["y"]
    assert text.paragraph_names == ("b",)


def test_columns_and_offsets_that_do_not_fit_are_refused() -> None:
    text = plain(PLAIN)
    with pytest.raises(ValueError, match="a column of words"):
        replace(text, place=text.place[:-1])
    with pytest.raises(ValueError, match="a column of interpretations"):
        replace(text, chosen=text.chosen[:-1])
    with pytest.raises(ValueError, match="offsets run"):
        replace(text, sentence_offsets=np.array([0, 0, 4]))
    with pytest.raises(ValueError, match="names"):
        replace(text, sentence_names=("a",))


@given(analysed_texts(has_probabilities=True, has_names=True))
def test_the_segmentation_of_a_text_that_is_no_graph_is_the_text(text: AnalysedText) -> None:
    assert segmented(text).same_as(text)


def test_texts_that_differ_are_not_the_same() -> None:
    text = plain(PLAIN)
    assert text.same_as(plain(PLAIN))
    assert not text.same_as(plain(PLAIN.replace("\tnone", "\tspace")))
    assert not text.same_as(plain(PLAIN.replace("Mam\t", "Ma\t")))
    assert not text.same_as(plain(PLAIN.replace("\tmama", "\tmam")))
    assert not text.same_as(plain(PLAIN.replace("gen:f", "gen:f\tdisamb")))
    assert not text.same_as(replace(text, probability=np.ones(text.n_interpretations)))
    assert not text.same_as(replace(text, paragraph_offsets=None))
    assert not text.same_as(replace(text, paragraph_names=("a",)))
    assert not text.same_as(replace(text, extra=(("eos", interned_strings([""] * text.n_interpretations)),)))
