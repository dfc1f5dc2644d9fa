"""Analysed text as a corpus, against the way by TSV text, which is slow and says what is meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from analysed_texts import analysed_texts, words
from karat.align import align
from karat.corpus import Corpus, read_source, source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.answers import answers_from_column
from karat.corpus.chosen_tags import corpus_of_chosen_tags
from karat.corpus.formats import corpus_from_source
from karat.corpus.interning import interned_together, spans_of_strings
from karat.corpus.readers.tagged import tsv_from_source
from karat.errors import DataError
from karat.measures.positional.word_tags import word_tags
from test_analysed import GRAPH, PLAIN, graph, plain


def chosen_cells(text: AnalysedText, word: int) -> list[str]:
    """The chosen tags of a word, each once, with the sum of its probabilities if all have one."""
    found: dict[str, float] = {}
    for one in text.interpretations(word):
        if one.is_chosen:
            found[one.tag] = found.get(one.tag, 0) + one.probability
    return [tag if value != value else f"{tag}:={value:.12g}" for tag, value in found.items()]


def by_tsv(text: AnalysedText) -> Corpus:
    """The corpus that the reader of TSV makes of the words and their chosen tags."""
    rows: list[str] = []
    last = -1
    for word in text.segmentation.tolist():
        sentence = int(text.sentence_of_word[word])
        if rows and sentence > last:
            rows.append("")
        last = max(last, sentence)
        rows.append("\t".join([text.form[word], *(chosen_cells(text, word) or ["_"])]))
    return tsv_from_source(source_from_bytes("\n".join(rows).encode()), tag="xpos", several=True)


def directly(text: AnalysedText) -> Corpus:
    return corpus_of_chosen_tags(text, source_from_bytes(b"words", "plik"), "plain", tag="xpos")


def as_said(corpus: Corpus) -> object:
    """All that a corpus of tagged words says, but for where it is from."""
    columns = [(name, corpus.column(name)) for name in corpus.names]
    offsets = corpus.sentence_offsets.tolist(), corpus.document_offsets.tolist()
    sentences = [(corpus.sent_id(one), corpus.sentence_text(one), corpus.words_of(one)) for one in range(len(corpus))]
    values = [(name, one.ids.tolist(), one.ids.dtype, list(one.vocabulary)) for name, one in columns]
    fields = [corpus.spans(name).strings() for name in corpus.names]
    counts = corpus.n_words, corpus.n_tokens, corpus.n_documents, corpus.has_documents, corpus.heads
    return counts, offsets, sentences, values, fields, corpus.warnings, corpus.problems, corpus.bad.tolist()


def answered(corpus: Corpus) -> object:
    """What the measures for several tags and probabilities take a corpus to say."""
    try:
        answers, tags = answers_from_column(corpus, "xpos"), word_tags(corpus, "xpos")
    except DataError as error:  # a tag that ends in := and no number
        return [one.message for one in error.problems]
    given = np.nan_to_num(answers.probabilities, nan=-1).tolist()
    of_answers = answers.names, answers.offsets.tolist(), answers.tags.tolist(), given
    return of_answers, tags.texts, tags.members.offsets.tolist(), tags.members.values.tolist(), tags.sets.tolist()


@st.composite
def graphs(draw: st.DrawFn) -> AnalysedText:
    """A text whose words are edges, of which some are chosen, in any order of the file within a paragraph."""
    text = draw(analysed_texts(has_probabilities=True, fewest_interpretations=1))
    starts = np.array(draw(st.permutations(range(text.n_words))), dtype=np.int32)
    return replace(text, nodes=np.array([starts, starts + 1]))


@given(analysed_texts(has_probabilities=True) | analysed_texts() | graphs())
def test_the_corpus_is_the_one_that_its_tsv_has(text: AnalysedText) -> None:
    if not len(text.segmentation):
        with pytest.raises(DataError, match="K302 no interpretation of any word is chosen"):
            directly(text)
        return
    ours, theirs = directly(text), by_tsv(text)
    assert as_said(ours) == as_said(theirs)
    assert answered(ours) == answered(theirs)


@given(analysed_texts(), st.data())
def test_corpora_of_both_kinds_are_aligned(text: AnalysedText, data: st.DataObject) -> None:
    other = replace(
        text, form=interned_strings(data.draw(st.lists(words, min_size=text.n_words, max_size=text.n_words)))
    )
    ours, theirs = directly(text), by_tsv(text)
    for one, system in ((ours, theirs), (theirs, ours), (ours, directly(text))):
        assert align(one, system).gold_words.tolist() == list(range(text.n_words))
    assert ours.spans("form").same_as(theirs.spans("form"))
    assert directly(other).spans("form").same_as(theirs.spans("form")) == (other.form.values() == text.form.values())


def test_all_chosen_tags_of_a_word_stand_in_the_column() -> None:
    corpus = directly(plain(PLAIN))
    tags = ["fin:sg:pri:imperf", "subst:sg:gen:m2\tsubst:sg:acc:m2", "interp", "fin:sg:ter:imperf"]
    assert corpus.column("xpos").strings() == tags
    assert [corpus.words_of(one) for one in range(2)] == [("Mam", "psa", "."), ("Śpi",)]


def test_of_a_graph_only_the_chosen_path_is_there_and_equal_tags_are_added_up() -> None:
    corpus = directly(graph(GRAPH))
    praet = "praet:sg:m1:imperf:=0.9"  # 0.6 + 0.3: two lemmas, one tag
    assert corpus.column("xpos").strings() == [praet, "aglt:sg:pri:imperf:wok:=0.9", "adv:=1"]
    assert [corpus.words_of(one) for one in range(2)] == [("miał", "em"), ("Tak",)]


def test_a_word_with_nothing_chosen_has_no_tag() -> None:
    text = plain("Pies\tspace\n\tpies\tsubst:sg:nom:m2\tdisamb\nxyz\tspace\n\txyz\tign\n")
    assert directly(text).column("xpos").strings() == ["subst:sg:nom:m2", "_"]


XCES = """<cesAna><chunkList><chunk type="s">
<tok><orth>Pies</orth><lex disamb="1"><base>pies</base><ctag>subst</ctag></lex></tok>
  <tok><orth>ś</orth><lex disamb="1"><base>ś</base><ctag>ign</ctag></lex></tok>
</chunk>
<chunk type="s">
<tok><orth>Śpi</orth><lex disamb="1"><base>spać</base><ctag>fin</ctag></lex></tok></chunk></chunkList></cesAna>
"""


@pytest.mark.parametrize(("old", "what"), [("<orth>ś", "form"), ("<ctag>ign", "tag")])
@pytest.mark.parametrize("between", ["\t", "\n", "&#13;"])
def test_a_form_or_a_tag_with_a_tab_or_a_line_end_is_an_error(old: str, what: str, between: str) -> None:
    source = source_from_bytes(XCES.replace(old, f"{old}{between}x").encode(), "plik")
    with pytest.raises(DataError, match=f"plik:3:3: K302 .* cannot be the {what} of a word"):
        corpus_from_source(source)


def test_the_source_is_the_file_itself_and_places_are_those_of_its_words(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(XCES, encoding="utf-8")
    source = read_source(path)
    corpus = corpus_from_source(source)
    assert corpus.source is source
    assert corpus.source.part_bytes(corpus.source.parts[0]) == path.read_bytes()
    assert (corpus.path, corpus.format, corpus.has_fields_in_source) == (str(path), "xces", False)
    assert [corpus.line_of(one) for one in range(2)] == [2, 6]
    assert corpus.place_of_word(1) == (str(path), 3, 3)


def test_of_several_files_each_word_has_its_own_path(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("a.xml", "b.xml")]
    for path in paths:
        Path(path).write_text(f"\ufeff{XCES}", encoding="utf-8")
    corpus = karat.read(paths, tag="xpos")
    assert [corpus.place_of_word(word) for word in (0, 3)] == [(path, 2, 1) for path in paths]
    assert corpus.line_of(3) == 6


def test_what_is_no_probability_is_told_at_its_word() -> None:
    source = source_from_bytes(XCES.replace("<ctag>ign", "<ctag>ign:=7").encode(), "plik")
    for asked in (False, True):  # where every word has one cell, it is a tag
        with pytest.raises(DataError, match="plik:3:3: K303 '7' is not a probability"):
            answers_from_column(corpus_from_source(source), "upos", with_probabilities=asked)


@given(st.lists(st.text("a\ufeffż", min_size=1, max_size=3)), st.lists(st.text("a\ufeffż", min_size=1, max_size=3)))
def test_strings_are_numbered_together_even_if_the_first_begins_like_a_byte_order_mark(
    left: list[str], right: list[str]
) -> None:
    assert spans_of_strings(left).strings() == left
    ours, theirs = interned_together(spans_of_strings(left), spans_of_strings(right))
    number: dict[str, int] = {}
    expected = [number.setdefault(text, len(number)) for text in [*left, *right]]
    assert [*ours.tolist(), *theirs.tolist()] == expected


def test_names_of_sentences_are_their_ids(tmp_path: Path) -> None:
    path = tmp_path / "two.xml"
    word = '<tok><orth>pies</orth><lex disamb="1"><base>pies</base><ctag>subst</ctag></lex></tok>'
    chunks = "".join(f'<chunk id="{name}" type="s">{word}</chunk>' for name in ("s-ą", "s2"))
    path.write_text(f"<cesAna><chunkList>{chunks}</chunkList></cesAna>", encoding="utf-8")
    corpus = karat.read(path, tag="xpos")
    assert [corpus.sent_id(0), corpus.sent_id(1)] == ["s-ą", "s2"]
