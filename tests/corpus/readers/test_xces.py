"""XCES, and what a file must not make the reader do."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysed_texts import analysed_texts, lines_of_words
from karat.corpus import read_source, source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.readers.xces import read_xces, write_xces, xces_from_source, xces_text
from karat.errors import DataError, UsageError

# two sentences of one paragraph with a name, laid out as Corpus2 does
TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cesAna SYSTEM "xcesAnaIPI.dtd">
<cesAna xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0" type="lex disamb">
<chunkList>
 <chunk id="ch1" type="p">
  <chunk type="s">
   <tok>
    <orth>Pies</orth>
    <lex disamb="1"><base>pies</base><ctag>subst:sg:nom:m2</ctag></lex>
    <lex><base>pies</base><ctag>subst:sg:nom:m1</ctag></lex>
   </tok>
   <ns/>
   <tok>
    <orth>&amp;</orth>
    <lex disamb="1"><base>&amp;</base><ctag>interp</ctag></lex>
   </tok>
  </chunk>
  <chunk type="s">
   <tok>
    <orth>żółw</orth>
    <lex><base>żółw</base><ctag>subst:sg:nom:m2</ctag></lex>
   </tok>
  </chunk>
 </chunk>
 <chunk type="p">
  <chunk type="s">
   <tok>
    <orth>Hm</orth>
   </tok>
  </chunk>
 </chunk>
</chunkList>
</cesAna>
"""
FLAT = "\n".join(line.lstrip() for line in TEXT.split("\n"))
LEX = "<lex><base>a</base><ctag>conj</ctag></lex>"
TOKEN = f"<tok><orth>a</orth>{LEX}</tok>"
SENTENCE = f'<chunk type="s">{TOKEN}</chunk>'


def read(text: str) -> AnalysedText:
    return xces_from_source(source_from_bytes(text.encode(), "plik"))


def read_or_code(text: str) -> AnalysedText | str:
    """The text, or the code of the error that it is."""
    try:
        return read(text)
    except DataError as error:
        return error.code


def document(inner: str, *, head: str = "") -> str:
    return f"{head}<cesAna><chunkList>{inner}</chunkList></cesAna>"


def test_tokens_interpretations_sentences_and_paragraphs_are_read() -> None:
    text = read(TEXT)
    assert text.form.values() == ["Pies", "&", "żółw", "Hm"]
    assert text.space is not None
    assert text.space.tolist() == [1, 0, 1, 1]
    assert text.sentence_offsets.tolist() == [0, 2, 3, 4]
    assert text.paragraph_offsets is not None
    assert text.paragraph_offsets.tolist() == [0, 2, 3]
    assert text.paragraph_names == ("ch1", "")
    assert text.interpretation_offsets.tolist() == [0, 2, 3, 4, 4]
    assert text.chosen.tolist() == [True, False, True, False]
    assert text.lemma.values() == ["pies", "pies", "&", "żółw"]
    assert lines_of_words(text, source_from_bytes(TEXT.encode())) == [7, 13, 19, 27]
    assert text.chosen_tags(0) == ("subst:sg:nom:m2",)


@pytest.mark.parametrize("text", [TEXT, FLAT])
def test_what_the_tools_write_is_written_back_byte_for_byte(text: str) -> None:
    assert xces_text(read(text)) == text


def test_the_layout_can_be_chosen() -> None:
    assert xces_text(read(TEXT), indent=False) == FLAT
    assert xces_text(read(FLAT), indent=True) == TEXT


@pytest.mark.parametrize("has_paragraphs", [True, False])
@given(data=st.data())
def test_what_is_written_is_read_again(has_paragraphs: bool, data: st.DataObject) -> None:
    text = data.draw(analysed_texts(has_names=True, has_paragraphs=has_paragraphs))
    for indent in (True, False):
        assert read(xces_text(text, indent=indent)).same_as(text)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\n\r"), min_size=1))
def test_any_character_that_xml_allows_comes_back(form: str) -> None:
    text = replace(read(document(SENTENCE)), form=interned_strings([form]), sentence_names=(form,))
    try:
        written = xces_text(text)
    except UsageError:
        assert not form.strip() or "\ufffe" in form or "\uffff" in form
    else:
        assert read(written).form.values() == [form]
        assert read(written).sentence_names == (form,)


@given(analysed_texts())
def test_elementtree_finds_the_same_tokens(text: AnalysedText) -> None:
    root = ElementTree.fromstring(xces_text(text).encode())
    found = read(xces_text(text))
    assert [orth.text for orth in root.iter("orth")] == found.form.values()
    assert [base.text or "" for base in root.iter("base")] == found.lemma.values()
    assert [ctag.text for ctag in root.iter("ctag")] == found.tag.values()
    assert [lex.get("disamb") == "1" for lex in root.iter("lex")] == found.chosen.tolist()


def test_sentences_outside_of_paragraphs_are_a_text_without_paragraphs() -> None:
    text = read(document(SENTENCE * 2))
    assert text.paragraph_offsets is None
    assert text.n_sentences == 2


def test_a_sentence_beside_paragraphs_is_one_of_its_own() -> None:
    text = read(
        document(f'<chunk type="p" id="x">{SENTENCE * 2}</chunk>{SENTENCE}<chunk type="div">{SENTENCE}</chunk>')
    )
    assert text.paragraph_offsets is not None
    assert text.paragraph_offsets.tolist() == [0, 2, 3, 4]
    assert text.paragraph_names == ("x", "", "")


def test_empty_chunks_are_left_out_and_ns_reaches_over_them() -> None:
    inner = f'<chunk type="p"><chunk type="s"/></chunk><ns/><chunk type="p"><chunk type="s"/>{SENTENCE}</chunk>'
    text = read(document(inner))
    assert text.n_sentences == text.n_paragraphs == 1
    assert text.space is not None
    assert text.space.tolist() == [0]


def test_cdata_comments_and_character_references_are_understood() -> None:
    orth = "<orth>a<![CDATA[<b>]]><!-- nic -->&#x17C;&lt;</orth>"
    assert read(document(SENTENCE.replace("<orth>a</orth>", orth))).form.values() == ["a<b>ż<"]


def test_the_spaces_of_corpus2_are_read() -> None:
    token = TOKEN.replace("<tok>", '<tok ws="newline">')
    text = read(document(f'<chunk type="s">{token}<ns/>{TOKEN}</chunk>'))
    assert text.space is not None
    assert text.space.tolist() == [3, 0]
    assert '<tok ws="none">' in xces_text(text)


def test_several_files_are_read_as_one(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.xml", "b.xml.gz")]
    for path in paths:
        write_xces(path, read(TEXT))
    source = read_source([str(path) for path in paths])
    text = xces_from_source(source)
    assert lines_of_words(text, source) == [7, 13, 19, 27] * 2
    assert read_xces(paths[1]).same_as(read(TEXT))


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        ("<cesAna>\n<chunkList>\n</cesAna>", "3:3", "K831", "mismatched tag"),
        ("<cesAna>", "1:9", "K831", "not well-formed XML: no element found"),
        ("Ala\tsubst\n", "1:1", "K831", "not well-formed"),
        ("", "1:1", "K831", "no element found"),
        ("<html/>", "1:1", "K832", "<html> where <cesAna> or <chunkList> was expected"),
        (document("\n" + TOKEN), "2:1", "K832", "<tok> where <chunk> or <ns>"),
        (document(f'\n<chunk type="p">{TOKEN}</chunk>'), "2:17", "K832", "<tok> where <chunk>"),
        (document('<chunk type="s"><chunk type="s"/></chunk>'), "1:36", "K832", "<chunk> where <tok> or <ns>"),
        (document('<chunk type="p"><chunk type="p"/></chunk>'), "1:36", "K832", "must be a sentence"),
        (document('<chunk type="s">\n<tok></tok></chunk>'), "2:6", "K832", "ends where <orth> was expected"),
        (document('<chunk type="s"><tok>\n<lex/></tok></chunk>'), "2:1", "K832", "<lex> where <orth>"),
        (document('<chunk type="s"><tok>\n<orth>a</orth><orth>'), "2:15", "K832", "<orth> where <lex>"),
        (document('<chunk type="s"><tok>\n<orth> </orth>'), "2:8", "K832", "<orth> is empty"),
        (document('<chunk type="s"><tok>\n<orth>a<b/></orth>'), "2:8", "K832", "unexpected text before this tag"),
        (document(SENTENCE.replace("<ctag>conj</ctag>", "\n")), "2:1", "K832", "ends where <ctag>"),
        (document(SENTENCE.replace("<base>a</base>", "\n")), "2:1", "K832", "<ctag> where <base>"),
        (document(SENTENCE.replace("conj", "")), "1:80", "K832", "<ctag> is empty"),
        (document(SENTENCE.replace("</lex>", "\nx</lex>")), "2:2", "K832", "unexpected text before this tag: 'x'"),
        (document(SENTENCE.replace("<lex>", '\n<lex disamb="tak">')), "2:1", "K832", "disamb is 'tak'"),
        (document(SENTENCE.replace("<tok>", '\n<tok ws="tak">')), "2:1", "K832", "ws is 'tak'"),
        (document(SENTENCE) + "<a/>", "1:132", "K831", "junk after document element"),
        (document(""), "1:1", "K104", "no sentence"),
        ('<?xml version="1.0" encoding="iso-8859-2"?>\n<cesAna/>', "1:1", "K106", "declares the encoding iso-8859-2"),
        ("<cesAna>\0", "1:9", "K107", "NUL"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, place: str, code: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read(text)
    assert str(raised.value).startswith(f"plik:{place}: {code} ")


SECRET = "tajne"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE cesAna [<!ENTITY a "b">]>',
        '<!DOCTYPE cesAna SYSTEM "xcesAnaIPI.dtd" [<!ENTITY a "b">]>',
        '<!DOCTYPE cesAna [<!ENTITY a SYSTEM "PATH">]>',
        '<!DOCTYPE cesAna [<!ENTITY % a SYSTEM "PATH"> %a;]>',
        "<!DOCTYPE cesAna [<!ELEMENT cesAna ANY>]>",
    ],
)
def test_a_doctype_that_declares_things_is_refused(doctype: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(SECRET)
    head = doctype.replace("PATH", str(tmp_path / "x")) + "\n"
    with pytest.raises(DataError, match="contains declarations") as raised:
        read(document(SENTENCE.replace("<orth>a", "<orth>&a;"), head=head))
    assert raised.value.code == "K831"


def test_entities_that_grow_are_refused_before_they_grow() -> None:
    entities = '<!ENTITY a0 "haha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    tracemalloc.start()
    with pytest.raises(DataError, match="K831"):
        read(document(SENTENCE.replace("<orth>a", "<orth>&a11;"), head=f"<!DOCTYPE cesAna [{entities}]>"))
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_a_dtd_is_never_fetched_and_its_entities_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "x.dtd").write_text(f'<!ENTITY a "{SECRET}">')
    head = f'<!DOCTYPE cesAna SYSTEM "{tmp_path}/x.dtd">\n'
    assert read(document(SENTENCE, head=head)).form.values() == ["a"]
    with pytest.raises(DataError, match="the entity 'a' is unknown") as raised:
        read(document(SENTENCE.replace("<orth>a", "<orth>&a;"), head=head))
    assert raised.value.code == "K831"
    assert raised.value.line == 2


def test_deep_nesting_is_refused_at_once() -> None:
    with pytest.raises(DataError, match="K832"):
        read("<cesAna>" + "<chunkList>" * 1_000_000)


TAGS = ["<cesAna>", "<chunkList>", '<chunk type="s">', "<chunk>", "<tok>", "<orth>", "<lex>", "<base>", "<ctag>"]


@given(st.lists(st.sampled_from([*TAGS, "a", " ", "<ns/>", TOKEN, LEX, SENTENCE]), max_size=6))
def test_any_sequence_of_tags_is_read_or_refused(tags: list[str]) -> None:
    closing = [f"</{tag[1:-1].split()[0]}>" for tag in reversed(tags) if tag in TAGS]
    found = read_or_code(document("".join([*tags, *closing])))
    if isinstance(found, AnalysedText):
        assert read(xces_text(found)).same_as(found)
    else:
        assert found in {"K831", "K832", "K104"}


def test_what_xces_cannot_hold_is_refused() -> None:
    text = read(TEXT)
    with pytest.raises(UsageError, match="cannot store probabilities"):
        xces_text(replace(text, probability=np.ones(text.n_interpretations)))
    with pytest.raises(UsageError, match="cannot store graphs"):
        xces_text(replace(text, nodes=np.zeros((2, text.n_words), dtype=np.int32)))
    with pytest.raises(UsageError, match="XML does not allow"):
        xces_text(replace(text, form=interned_strings(["a\x01"] * text.n_words)))
    with pytest.raises(UsageError, match="XML does not allow"):
        xces_text(replace(text, paragraph_names=("\ud800", "")))
