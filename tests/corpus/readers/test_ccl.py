"""CCL, and what a file must not make the reader do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysed_texts import analysed_texts, lines_of_words
from karat.corpus import read, sniffed, source_from_bytes
from karat.corpus.analysed import AnalysedText
from karat.corpus.readers.ccl import ccl_from_source, ccl_text, read_ccl, write_ccl
from karat.corpus.readers.xces import xces_from_source, xces_text
from karat.errors import DataError, UsageError

# two sentences of one paragraph, laid out as KPWr has them, without its annotations
TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE chunkList SYSTEM "ccl.dtd">
<chunkList>
 <chunk id="ch1" type="p">
  <sentence id="s1">
   <tok>
    <orth>Sowa</orth>
    <lex disamb="1"><base>sowa</base><ctag>subst:sg:nom:f</ctag></lex>
    <lex><base>Sowa</base><ctag>subst:sg:nom:m1</ctag></lex>
   </tok>
   <ns/>
   <tok>
    <orth>!</orth>
    <lex disamb="1"><base>!</base><ctag>interp</ctag></lex>
   </tok>
  </sentence>
  <sentence id="s2">
   <tok>
    <orth>Hm</orth>
   </tok>
  </sentence>
 </chunk>
</chunkList>
"""
ANNOTATED = TEXT.replace("<orth>Sowa", '<ann chan="nam">0</ann>\n    <orth>Sowa').replace(
    "   </tok>", '    <ann chan="nam" head="1">1</ann>\n    <prop key="sense:ukb">x y</prop>\n   </tok>'
)
TOKEN = "<tok><orth>a</orth><lex><base>a</base><ctag>conj</ctag></lex></tok>"


def text_of(text: str) -> AnalysedText:
    return ccl_from_source(source_from_bytes(text.encode(), "plik"))


def test_tokens_interpretations_sentences_and_paragraphs_are_read() -> None:
    text = text_of(TEXT)
    assert text.form.values() == ["Sowa", "!", "Hm"]
    assert text.chosen.tolist() == [True, False, True]
    assert text.space is not None
    assert text.space.tolist() == [1, 0, 1]
    assert text.sentence_names == ("s1", "s2")
    assert text.paragraph_names == ("ch1",)
    assert text.sentence_offsets.tolist() == [0, 2, 3]
    assert text.format == "ccl"
    assert lines_of_words(text, source_from_bytes(TEXT.encode())) == [6, 12, 18]


def test_annotations_are_left_out_and_counted_wherever_they_stand() -> None:
    text = text_of(ANNOTATED)
    assert text.same_as(text_of(TEXT))
    assert text.left_out == (("ann", 4), ("prop", 3))
    assert text_of(TEXT).left_out == ()


def test_what_the_tools_write_is_written_back_byte_for_byte() -> None:
    flat = "\n".join(line.lstrip() for line in TEXT.split("\n"))
    for layout in (TEXT, flat):
        assert ccl_text(text_of(layout)) == layout


@given(analysed_texts(has_names=True))
def test_what_is_written_is_read_again(text: AnalysedText) -> None:
    assert text_of(ccl_text(text)).same_as(text)
    assert xces_from_source(source_from_bytes(xces_text(text).encode())).same_as(text_of(ccl_text(text)))


def test_a_text_without_paragraphs_becomes_one() -> None:
    text = replace(text_of(TEXT), paragraph_offsets=None, paragraph_names=())
    assert text_of(ccl_text(text)).n_paragraphs == 1


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (TEXT, "ccl"),
        (TEXT.partition("<!DOCTYPE")[0] + "<!DOCTYPE cesAna SYSTEM 'x.dtd'>\n" + TEXT.partition('d">\n')[2], "ccl"),
        (TEXT[TEXT.index("<chunkList") :], "ccl"),
        ("<!-- of ours -->\n" + TEXT[TEXT.index("<chunkList") :], "ccl"),
        (xces_text(text_of(TEXT)), "xces"),
        (f'<chunkList><chunk type="s">{TOKEN}</chunk></chunkList>', "xces"),
    ],
)
def test_it_is_told_from_xces_by_its_sentences(text: str, format: str) -> None:
    assert sniffed(source_from_bytes(text.encode())) == format


def test_it_is_read_as_a_corpus(tmp_path: Path) -> None:
    write_ccl(tmp_path / "a.xml.gz", text_of(TEXT))
    assert read_ccl(tmp_path / "a.xml.gz").same_as(text_of(TEXT))
    corpus = read(tmp_path / "a.xml.gz", tag="xpos")
    assert corpus.format == "ccl"
    assert corpus.column("xpos").strings() == ["subst:sg:nom:f", "interp", "_"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (f"<chunkList><sentence>{TOKEN}</sentence></chunkList>", "K832", "<sentence> where <chunk> or <ns>"),
        (f'<chunkList><chunk type="s">{TOKEN}</chunk></chunkList>', "K832", "is this CCL"),
        (f'<chunkList><chunk><chunk type="s">{TOKEN}</chunk></chunk></chunkList>', "K832", "is this CCL"),
        ("<chunkList><chunk><sentence><tok><ann>1</ann></tok></sentence></chunk></chunkList>", "K832", "<orth>"),
        ("<chunkList><chunk><sentence><tok><ann><orth/></ann></tok></sentence></chunk></chunkList>", "K832", "no elem"),
        ("<chunkList><chunk/></chunkList>", "K104", "no sentence"),
        ("<relations></relations>", "K832", "is this CCL"),
        ("<chunkList><chunk>", "K831", "not well-formed"),
        (TEXT.replace("Hm", "&hm;"), "K831", "the entity 'hm'"),
        (
            TEXT.replace('"ccl.dtd"', '"ccl.dtd" [<!ENTITY hm SYSTEM "file:///etc/passwd">]'),
            "K831",
            "contains declarations",
        ),
    ],
)
def test_what_is_wrong_is_told(text: str, code: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        text_of(text)
    assert raised.value.code == code


def test_ccl_read_as_xces_says_so() -> None:
    with pytest.raises(DataError, match='a sentence is <chunk type="s">'):
        xces_from_source(source_from_bytes(TEXT.encode()))


TAGS = ["<chunkList>", "<chunk>", "<sentence>", "<tok>", "<orth>", "a", "<ann>", "<lex>", "<base>", "<ctag>", "<ns/>"]


@given(st.lists(st.sampled_from([*TAGS, *(f"</{tag[1:]}" for tag in TAGS if tag[-2:-1].isalpha())]), max_size=25))
def test_any_sequence_of_tags_is_read_or_refused(tags: list[str]) -> None:
    try:
        found = text_of("".join(tags))
    except DataError:
        return
    assert text_of(ccl_text(found)).same_as(found)


def test_what_ccl_cannot_hold_is_refused() -> None:
    text = text_of(TEXT)
    with pytest.raises(UsageError, match="CCL cannot store probabilities"):
        ccl_text(replace(text, probability=np.full(text.n_interpretations, 0.5)))
