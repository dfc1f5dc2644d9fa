"""CCL, the format of KPWr and of Corpus2's tools: XCES with sentences in elements of their own, and annotations.

    <chunkList><chunk id="ch1" type="p"><sentence id="s1">
    <tok><orth>Ala</orth><lex disamb="1"><base>Ala</base><ctag>subst:sg:nom:f</ctag></lex><ann chan="nam">1</ann></tok>
    <ns/><tok>…</tok>
    </sentence></chunk></chunkList>

`<ann>` says to which phrase of a channel a token belongs, `<prop>` what else is known of it; both are left out and
counted. The file is as untrusted as one of XCES: nothing is fetched, and no entities are declared.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.corpus.analysed import AnalysedText
from karat.corpus.readers.analysed_formats import write_text
from karat.corpus.readers.xces import Dialect, chunked_text, text_of_chunks
from karat.corpus.source import PathLike, Source, read_source

_BESIDE = ("ann", "prop")  # of a token, in any place
_CCL = Dialect(
    name="CCL",
    children={
        "": ("chunkList", "cesAna"),
        "cesAna": ("chunkList",),
        "chunkList": ("chunk", "ns"),
        "paragraph": ("sentence", "ns"),
        "sentence": ("tok", "ns"),
        "tok": ("orth", *_BESIDE),
        "tok, orth": ("lex", *_BESIDE),
        "lex": ("base",),
        "lex, base": ("ctag",),
        **dict.fromkeys(("orth", "base", "ctag", "lex, ctag", "ns", "cesAna, chunkList", *_BESIDE), ()),
    },
    hint="is this CCL? its first element is <chunkList>, and sentences are <sentence> in a <chunk>",
    left_out=_BESIDE,
    sentence="sentence{}",
    head='<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE chunkList SYSTEM "ccl.dtd">\n<chunkList>\n',
    foot="</chunkList>\n",
)


def read_ccl(path: PathLike) -> AnalysedText:
    """The text in a CCL file; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    Chunks are paragraphs, whatever their type; those without a token are left out. Of the attributes, `id` of chunks
    and sentences, `disamb` of interpretations and `ws` of tokens are read. Errors are those of `read_xces`.
    """
    return ccl_from_source(read_source(path))


def ccl_from_source(source: Source) -> AnalysedText:
    """The text in CCL in a source that has been read, each of its files a document; see `read_ccl`."""
    return text_of_chunks(source, _CCL)


def ccl_text(text: AnalysedText, *, indent: bool | None = None) -> str:
    """A text in CCL, laid out as `xces_text` does; one without paragraphs becomes a single paragraph.

    What CCL cannot hold is a `UsageError`.
    """
    if text.paragraph_offsets is None:
        text = replace(text, paragraph_offsets=np.array([0, text.n_sentences]))
    return chunked_text(text, _CCL, indent=indent)


def write_ccl(path: PathLike, text: AnalysedText, *, indent: bool | None = None) -> None:
    """Write a text in CCL, see `ccl_text`; .gz, .bz2 and .xz are compressed."""
    write_text(path, ccl_text(text, indent=indent))
