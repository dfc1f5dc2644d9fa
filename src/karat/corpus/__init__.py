"""Reading and holding annotated text, in columns."""

from karat.corpus._corpus import Column, Corpus, EmptyNodes, MultiwordTokens, Vocabulary
from karat.corpus.annotated import Annotated
from karat.corpus.formats import FORMATS, corpus_from_source, read, sniffed
from karat.corpus.interning import Spans
from karat.corpus.readers.conllu import SPACES, Bad, conllu_from_source, read_conllu
from karat.corpus.source import PathLike, Source, read_source, source_from_bytes
from karat.corpus.write import Changes, changed_bytes, write

__all__ = [
    "FORMATS",
    "SPACES",
    "Annotated",
    "Bad",
    "Changes",
    "Column",
    "Corpus",
    "EmptyNodes",
    "MultiwordTokens",
    "PathLike",
    "Source",
    "Spans",
    "Vocabulary",
    "changed_bytes",
    "conllu_from_source",
    "corpus_from_source",
    "read",
    "read_conllu",
    "read_source",
    "sniffed",
    "source_from_bytes",
    "write",
]
