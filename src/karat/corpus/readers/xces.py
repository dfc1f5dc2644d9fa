"""XCES as TaKIPI, Pantera, MACA and Corpus2 write it: paragraphs, sentences, tokens with their interpretations in XML.

    <cesAna><chunkList><chunk type="p"><chunk type="s">
    <tok><orth>Ala</orth><lex disamb="1"><base>Ala</base><ctag>subst:sg:nom:f</ctag></lex></tok>
    <ns/><tok>…</tok>
    </chunk></chunk></chunkList></cesAna>

`<ns/>` says that no space stands before the next token. The file is untrusted: a DOCTYPE may name a DTD, which is never
fetched, but it may declare nothing itself, and no entities beyond those of XML are known. CCL, which is nearly the
same, is read and written by the same code; see `ccl`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from karat._arrays import Flags, Indices
from karat._garbage import no_collection
from karat.corpus.analysed import NO_SPACE, SPACE, SPACE_NAMES, AnalysedText, Interned
from karat.corpus.readers.analysed_formats import (
    no_sentence,
    refuse_empty,
    refuse_graph,
    refuse_probabilities,
    refuse_unreadable,
    write_text,
)
from karat.corpus.source import Part, PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError

_BYTES_AT_ONCE = 1 << 15  # a working set that stays in the processor's cache
_ENCODINGS = ("utf-8", "utf8", "us-ascii", "ascii")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What XCES and CCL do not share: which elements may stand where (see `_Document`), and how a file is laid out.

    `children` names a sentence "sentence" and any other chunk "paragraph", whatever their elements are called. The
    text of elements `left_out` is not read; they are counted. `sentence` is the opening tag without its bracket, with
    `{}` for a name, `head` and `foot` what stands around all chunks.
    """

    name: str
    children: dict[str, tuple[str, ...]]
    hint: str
    left_out: tuple[str, ...]
    sentence: str
    head: str
    foot: str


# a chunk is a paragraph or a sentence
_CHILDREN: dict[str, tuple[str, ...]] = {
    "": ("cesAna", "chunkList"),
    "cesAna": ("chunkList",),
    "chunkList": ("chunk", "ns"),
    "paragraph": ("chunk", "ns"),
    "sentence": ("tok", "ns"),
    "tok": ("orth",),
    "tok, orth": ("lex",),
    "lex": ("base",),
    "lex, base": ("ctag",),
    **dict.fromkeys(("orth", "base", "ctag", "lex, ctag", "ns", "cesAna, chunkList"), ()),
}
_CLOSED_TOO_EARLY = ("tok", "lex", "lex, base")
_OUTSIDE = {"paragraph": "chunkList", "chunkList": "cesAna, chunkList", "cesAna": "", "cesAna, chunkList": ""}
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cesAna SYSTEM "xcesAnaIPI.dtd">
<cesAna xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0" type="lex disamb">
<chunkList>
"""
_FOOT = "</chunkList>\n</cesAna>\n"
_XCES = Dialect(
    name="XCES",
    children=_CHILDREN,
    hint='is this XCES? its first element is <cesAna>, and a sentence is <chunk type="s">',
    left_out=(),
    sentence='chunk{} type="s"',
    head=_HEAD,
    foot=_FOOT,
)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
_ESCAPES = str.maketrans(_ESCAPED)
_ATTRIBUTE_ESCAPES = str.maketrans({**_ESCAPED, "\t": "&#9;", "\n": "&#10;"})


def read_xces(path: PathLike) -> AnalysedText:
    """The text in an XCES file; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    Chunks are sentences (`type="s"`) or paragraphs (any other type) of sentences; those without a token are left out.
    Sentences outside of paragraphs are paragraphs of their own, unless there are no paragraphs at all. Attributes other
    than `type` and `id` of chunks, `disamb` of interpretations and `ws` of tokens (Corpus2: the space before) are left
    out.

    The first thing that is wrong is raised as a `DataError`: K831 (not well-formed, or an entity), K832 (an element, an
    attribute or text where it should not be).
    """
    return xces_from_source(read_source(path))


def xces_from_source(source: Source) -> AnalysedText:
    """The text in XCES in a source that has been read, each of its files a document; see `read_xces`."""
    return text_of_chunks(source, _XCES)


def text_of_chunks(source: Source, dialect: Dialect) -> AnalysedText:
    """The text in XCES or CCL in a source that has been read."""
    refuse_unreadable(source)
    reader = _GrowingColumns(dialect)
    with no_collection():
        for part in source.parts:
            _Document(reader, part).read(source)
    if not reader.place:
        raise no_sentence(source)
    return reader.text(source.path)


def xces_text(text: AnalysedText, *, indent: bool | None = None) -> str:
    """A text in XCES, laid out as Corpus2 and KRNNT do: indented, or flat; by default as it was read.

    Where it is unknown what stands before words, a space is taken to. Other spaces than one are told by the attribute
    `ws`, as Corpus2 does. What XCES cannot hold is a `UsageError`.
    """
    return chunked_text(text, _XCES, indent=indent)


def chunked_text(text: AnalysedText, dialect: Dialect, *, indent: bool | None = None) -> str:
    """A text in XCES or CCL; see `xces_text`."""
    refuse_graph(text, dialect.name)
    refuse_probabilities(text, dialect.name)
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    step = " " if (text.layout != "flat" if indent is None else indent) else ""
    tokens = _written_tokens(text, step * (2 if text.paragraph_offsets is None else 3), step)
    level = step * (1 if text.paragraph_offsets is None else 2)
    names = text.sentence_names or ("",) * text.n_sentences
    opening, element = f"{level}<{dialect.sentence}>\n", dialect.sentence.partition("{")[0]
    sentences = [
        f"{opening.format(_id(name))}{''.join(tokens[first:stop])}{level}</{element}>\n"
        for name, (first, stop) in zip(names, pairwise(text.sentence_offsets.tolist()), strict=True)
    ]
    if text.paragraph_offsets is None:
        return f"{dialect.head}{''.join(sentences)}{dialect.foot}"
    names = text.paragraph_names or ("",) * text.n_paragraphs
    paragraphs = [
        f'{step}<chunk{_id(name)} type="p">\n{"".join(sentences[first:stop])}{step}</chunk>\n'
        for name, (first, stop) in zip(names, pairwise(text.paragraph_offsets.tolist()), strict=True)
    ]
    return f"{dialect.head}{''.join(paragraphs)}{dialect.foot}"


def write_xces(path: PathLike, text: AnalysedText, *, indent: bool | None = None) -> None:
    """Write a text in XCES, see `xces_text`; .gz, .bz2 and .xz are compressed."""
    write_text(path, xces_text(text, indent=indent))


# --- writing ---


def _written_tokens(text: AnalysedText, level: str, step: str) -> list[str]:
    bases, tags = (list(map(escaped, column.strings)) for column in (text.lemma, text.tag))
    heads = [f"<lex><base>{base}</base><ctag>" for base in bases]
    chosen_heads = [f'<lex disamb="1"><base>{base}</base><ctag>' for base in bases]
    columns = text.lemma.ids.tolist(), text.tag.ids.tolist(), text.chosen.tolist()
    rows = [
        f"{level}{step}{(chosen_heads if is_chosen else heads)[lemma]}{tags[tag]}</ctag></lex>\n"
        for lemma, tag, is_chosen in zip(*columns, strict=True)
    ]
    forms = list(map(escaped, text.form.strings))
    space = np.full(text.n_words, SPACE, dtype=np.uint8) if text.space is None else text.space
    tells_all = bool((space > SPACE).any())
    opening = [
        f"{level}<ns/>\n" * (code == NO_SPACE) + f"{level}<tok{f' ws={chr(34)}{name}{chr(34)}' if tells_all else ''}>\n"
        for code, name in enumerate(SPACE_NAMES)
    ]
    words = zip(text.form.ids.tolist(), space.tolist(), pairwise(text.interpretation_offsets.tolist()), strict=True)
    return [
        f"{opening[code]}{level}{step}<orth>{forms[form]}</orth>\n{''.join(rows[first:stop])}{level}</tok>\n"
        for form, code, (first, stop) in words
    ]


def escaped(text: str) -> str:
    """A text as the content of an element; a `UsageError` for characters that XML does not allow."""
    _refuse_characters(text)
    return text.translate(_ESCAPES)


def _id(name: str) -> str:
    _refuse_characters(name)
    return f' id="{name.translate(_ATTRIBUTE_ESCAPES)}"' if name else ""


def _refuse_characters(text: str) -> None:
    found = _NOT_IN_XML.search(text)
    if found:
        raise UsageError(f"{text[:60]!r} has the character {found[0]!r}, which XML does not allow")


# --- reading ---


class _GrowingColumns:
    """What has been read of the documents so far, in columns that grow."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.n_left_out = dict.fromkeys(dialect.left_out, 0)
        self.forms: dict[str, int] = {}
        self.lemmas: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        self.form, self.lemma, self.tag, self.place = array("i"), array("i"), array("i"), array("i")
        self.space, self.chosen = array("B"), array("B")
        self.first_interpretation, self.first_word, self.first_sentence = array("q"), array("q"), array("q")
        self.sentence_names: list[str] = []
        self.paragraph_names: list[str] = []
        self.has_paragraphs = self.is_flat = False

    def text(self, path: str) -> AnalysedText:
        """The text that the columns make."""
        chosen: Flags = np.array(self.chosen, dtype=np.bool_)
        return AnalysedText(
            form=Interned(np.array(self.form, dtype=np.int32), tuple(self.forms)),
            space=np.array(self.space, dtype=np.uint8),
            place=np.array(self.place, dtype=np.int32),
            interpretation_offsets=_offsets(self.first_interpretation, len(self.tag)),
            lemma=Interned(np.array(self.lemma, dtype=np.int32), tuple(self.lemmas)),
            tag=Interned(np.array(self.tag, dtype=np.int32), tuple(self.tags)),
            chosen=chosen,
            probability=np.full(len(chosen), np.nan),
            sentence_offsets=_offsets(self.first_word, len(self.form)),
            paragraph_offsets=_offsets(self.first_sentence, len(self.first_word)) if self.has_paragraphs else None,
            sentence_names=tuple(self.sentence_names) if any(self.sentence_names) else (),
            paragraph_names=tuple(self.paragraph_names) if any(self.paragraph_names) else (),
            path=path,
            left_out=tuple((name, n) for name, n in self.n_left_out.items() if n),
            format=self.dialect.name.lower(),
            layout="flat" if self.is_flat else "",
        )


def _offsets(first: array[int], n: int) -> Indices:
    return np.append(np.array(first, dtype=np.intp), n)


class _Document:
    """Puts one document into a reader, element by element, and keeps nothing but where it is.

    `inside` is the element that is open, and in a token or an interpretation how far it has got: "lex" expects <base>,
    "lex, base" expects <ctag>. Elements nest no deeper than `_CHILDREN` lets them.
    """

    def __init__(self, reader: _GrowingColumns, part: Part) -> None:
        self.reader, self.part = reader, part
        self.pieces: list[str] = []  # the text since the last tag
        self.outside = self.outside_of_ns = ""  # what the open sentence, or the open <ns>, stands in
        self.outside_of_left_out = ""  # what an open element that is left out stands in
        self.names = ["", ""]  # of the paragraph and of the sentence that are open
        self.is_new_paragraph = self.is_new_sentence = True
        self.space = SPACE
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.CharacterDataHandler = self.pieces.append
        parser.StartElementHandler, parser.EndElementHandler = self._handlers()
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity_declaration
        parser.SkippedEntityHandler = self._entity

    def read(self, source: Source) -> None:
        """Read the document, some bytes at a time."""
        part = self.part
        try:
            for start in range(part.start, part.stop, _BYTES_AT_ONCE):
                self.parser.Parse(source.buffer[start : min(start + _BYTES_AT_ONCE, part.stop)].tobytes(), False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            message = f"not well-formed XML: {expat.ErrorString(error.code)}"
            raise DataError(Problem("K831", message, part.path, error.lineno, error.offset + 1)) from None

    def _refuse(self, code: str, message: str, hint: str = "") -> NoReturn:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        raise DataError(Problem(code, message, self.part.path, line, column, hint))

    # --- what stands before the text ---

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            hint = f"convert it, for example with iconv -f {encoding[:20]} -t utf8, and correct its first line"
            self._refuse("K106", f"the file declares the encoding {encoding[:40]}; karat reads UTF-8", hint)

    def _doctype(self, name: str, system_id: str | None, public_id: str | None, has_internal_subset: int) -> None:
        if has_internal_subset:
            self._refuse("K831", "the DOCTYPE contains declarations", "remove the part in [ ]")

    def _entity_declaration(self, name: str, *what: object) -> None:
        self._refuse("K831", f"the entity {name[:40]!r} is declared", "write the characters themselves")

    def _entity(self, name: str, is_parameter: int) -> None:
        self._refuse("K831", f"the entity {name[:40]!r} is unknown", "write the characters themselves")

    # --- the elements ---

    def _handlers(self) -> tuple[Callable[[str, dict[str, str]], None], Callable[[str], None]]:
        """What is to be done where an element starts and where one ends.

        Both run millions of times: functions of local variables take two thirds of the time that methods take.
        """
        pieces, clear, children = self.pieces, self.pieces.clear, self.reader.dialect.children
        forms, lemmas, tags = self.reader.forms, self.reader.lemmas, self.reader.tags
        add_form, add_lemma, add_tag = self.reader.form.append, self.reader.lemma.append, self.reader.tag.append
        add_chosen = self.reader.chosen.append
        n_left_out = self.reader.n_left_out
        inside = ""

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal inside
            if pieces:
                if len(pieces) > 1 or not pieces[0].isspace():
                    self._refuse_text()
                clear()
            if name not in children[inside]:
                self._refuse_element(name, inside)
            if name == "lex":
                add_chosen(self._is_chosen(attributes) if attributes else 0)
            elif name == "tok":
                self._start_token(attributes)
            elif name in ("chunk", "sentence"):
                name = self._start_chunk(name, attributes, inside)
            elif name in n_left_out:
                self.outside_of_left_out = inside
                n_left_out[name] += 1
            elif name == "ns":
                self.outside_of_ns, self.space = inside, NO_SPACE
            inside = name

        def end(name: str) -> None:
            nonlocal inside
            if name == "base":
                text = "".join(pieces)
                clear()
                add_lemma(lemmas.setdefault(text, len(lemmas)))
                inside = "lex, base"
            elif name == "ctag":
                text = "".join(pieces)
                clear()
                add_tag(tags[text] if text in tags else self._new_word(text, name, tags))
                inside = "lex, ctag"
            elif name == "orth":
                text = "".join(pieces)
                clear()
                add_form(forms[text] if text in forms else self._new_word(text, name, forms))
                inside = "tok, orth"
            elif name in n_left_out:
                clear()
                inside = self.outside_of_left_out
            else:
                if pieces:
                    if len(pieces) > 1 or not pieces[0].isspace():
                        self._refuse_text()
                    clear()
                inside = "tok, orth" if inside == "lex, ctag" else self._outside(inside)

        return start, end

    def _refuse_text(self) -> None:
        text = "".join(self.pieces).strip()
        if text:
            self._refuse("K832", f"unexpected text before this tag: {text[:40]!r}")

    def _refuse_element(self, name: str, inside: str) -> NoReturn:
        expected = " or ".join(f"<{child}>" for child in self.reader.dialect.children[inside]) or "no element"
        hint = self.reader.dialect.hint if not inside or name in ("chunk", "sentence") else ""
        self._refuse("K832", f"<{name[:40]}> where {expected} was expected", hint)

    def _start_chunk(self, element: str, attributes: dict[str, str], inside: str) -> str:
        """Whether the chunk is a paragraph or a sentence."""
        name = attributes.get("id", "")
        is_sentence = element == "sentence"
        if element == "chunk" and attributes.get("type") == "s":
            if "sentence" in self.reader.dialect.children["paragraph"]:
                self._refuse("K832", 'a chunk of type "s" where a paragraph was expected', self.reader.dialect.hint)
            is_sentence = True
        if is_sentence:
            self.outside, self.is_new_sentence, self.names[1] = inside, True, name
            if inside == "chunkList":
                self.is_new_paragraph, self.names[0] = True, ""
            return "sentence"
        if inside == "paragraph":
            self._refuse("K832", "a chunk in a paragraph must be a sentence", 'write sentences as <chunk type="s">')
        self.is_new_paragraph, self.names[0] = True, name
        return "paragraph"

    def _start_token(self, attributes: dict[str, str]) -> None:
        reader = self.reader
        if self.is_new_sentence:
            if self.is_new_paragraph:
                reader.first_sentence.append(len(reader.first_word))
                reader.paragraph_names.append(self.names[0])
                reader.has_paragraphs |= self.outside == "paragraph"
            reader.first_word.append(len(reader.place))
            reader.sentence_names.append(self.names[1])
            self.is_new_paragraph = self.is_new_sentence = False
        if not reader.place:
            reader.is_flat = self.parser.CurrentColumnNumber == 0
        reader.place.append(self.part.start + self.parser.CurrentByteIndex)
        reader.first_interpretation.append(len(reader.tag))
        reader.space.append(self._space_named(attributes["ws"]) if "ws" in attributes else self.space)
        self.space = SPACE

    def _space_named(self, name: str) -> int:
        if name not in SPACE_NAMES:
            self._refuse("K832", f"ws is {name[:40]!r} where {', '.join(SPACE_NAMES)} was expected")
        return SPACE_NAMES.index(name)

    def _is_chosen(self, attributes: dict[str, str]) -> int:
        value = attributes.get("disamb", "0")
        if value not in ("0", "1"):
            self._refuse("K832", f"disamb is {value[:40]!r} where 0 or 1 was expected")
        return int(value)

    def _new_word(self, text: str, name: str, numbers: dict[str, int]) -> int:
        """The number of the text of an element that must have some."""
        if not text.strip():
            self._refuse("K832", f"<{name}> is empty")
        return numbers.setdefault(text, len(numbers))

    def _outside(self, inside: str) -> str:
        """What is open once this element has ended."""
        if inside == "tok, orth":
            return "sentence"
        if inside in _CLOSED_TOO_EARLY:
            self._refuse("K832", f"the element ends where <{self.reader.dialect.children[inside][0]}> was expected")
        if inside == "ns":
            return self.outside_of_ns
        return self.outside if inside == "sentence" else _OUTSIDE[inside]
