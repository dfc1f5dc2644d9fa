"""Which format an input has, and reading it whatever it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.claimed_formats import BYTES_LOOKED_AT, claimed, is_named_as_keys
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.conllu import Bad, conllu_from_source
from karat.corpus.readers.key import Keys
from karat.corpus.readers.tagged import slash_from_source, tsv_from_source
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError

if TYPE_CHECKING:
    from karat.corpus.analysed import AnalysedText

Kind = Literal["columns", "brackets", "key"]  # what is scored in a way of its own
Readable = Corpus | Trees | Keys | Source | PathLike | Sequence[PathLike]

FORMATS = ("conllu", "tsv", "slash")  # of words in columns; trees have a reader of their own
ANALYSED = {  # of words with interpretations, of which some are chosen
    "xces": ("karat.corpus.readers.xces", "xces_from_source"),
    "ccl": ("karat.corpus.readers.ccl", "ccl_from_source"),
    "plain": ("karat.corpus.readers.plain", "plain_from_source"),
    "krnnt": ("karat.corpus.readers.krnnt", "krnnt_from_source"),
    "dag": ("karat.corpus.readers.dag", "dag_from_source"),
}


def read(
    paths: PathLike | Sequence[PathLike],
    *,
    input: str | None = None,
    tag: str = "upos",
    trees: bool = True,
    deps: bool = False,
    bad: Bad = "raise",
) -> Corpus:
    """The corpus in a file, or in several read as one, in the format `input` or else in the one it seems to have.

    `tag` names the column that the tags of plain tagged text become; the rest is as for `read_conllu`.
    """
    return corpus_from_source(read_source(paths), input=input, tag=tag, trees=trees, deps=deps, bad=bad)


def corpus_from_source(
    source: Source,
    *,
    input: str | None = None,
    tag: str = "upos",
    several_tags: bool = False,
    trees: bool = True,
    deps: bool = False,
    bad: Bad = "raise",
    as_conll18: bool = False,
) -> Corpus:
    """The corpus in a text that has been read; with `several_tags`, words of tagged text may have more than one.

    Probabilities of tags stay with them then, too: `tag:=0.7`. `as_conll18` is as for `conllu_from_source`.
    """
    format_ = sniffed(source) if input is None else input
    if format_ == "conllu":
        try:
            return conllu_from_source(source, trees=trees, deps=deps, bad=bad, as_conll18=as_conll18)
        except DataError as error:
            if input is None and (others := _not_asked(source)):
                raise DataError([*error.problems, *others]) from None
            raise
    if format_ == "tsv":
        return tsv_from_source(source, tag=tag, several=several_tags, bad=bad)
    if format_ == "slash":
        return slash_from_source(source, tag=tag, bad=bad)
    if format_ in ANALYSED:
        from karat.corpus.chosen_tags import corpus_of_chosen_tags

        text = analysed_from_source(source, format_)
        return corpus_of_chosen_tags(text, source, format_, tag=tag, with_probabilities=several_tags)
    if format_ == "key":
        hint = "give a file of words and tags; sense keys can only be used with other sense keys"
        raise DataError(
            Problem("K108", "these are sense keys; CoNLL-U or tagged text was expected", source.path, hint=hint)
        )
    if format_ == "brackets":
        hint = "give a file of words and tags; bracketed trees can only be used with other bracketed trees"
        raise DataError(
            Problem("K108", "these are bracketed trees; CoNLL-U or tagged text was expected", source.path, hint=hint)
        )
    from karat.corpus.plugin_readers import corpus_from_plugin, plugin_formats, reader_named

    if (plugin := reader_named(format_)) is not None:
        return corpus_from_plugin(source, plugin, trees=trees, bad=bad)
    known = (*FORMATS, *ANALYSED, *plugin_formats())
    raise UsageError(f"unknown input format {input!r}; choose from {', '.join(known)}")


def _not_asked(source: Source) -> list[Problem]:
    """Why plug-ins could not be asked whether they know a text that no format of karat claims."""
    if claimed(source) is not None:
        return []
    from karat.corpus.plugin_readers import not_asked

    return not_asked()


def analysed_from_source(source: Source, format_: str) -> AnalysedText:
    """The words of a text with all their interpretations, in one of the formats ANALYSED."""
    module, name = ANALYSED[format_]
    text: AnalysedText = getattr(import_module(module), name)(source)
    return text


def is_folder_of_trees(path: object) -> bool:
    """Whether this is a folder of bracketed trees: files are named as theirs are, or the first with text has trees.

    What is wrong with one of the files is for the reader to say.
    """
    from karat.corpus.readers.bracket_folders import bracket_files, is_named_as_trees

    if not isinstance(path, (str, os.PathLike)) or not os.path.isdir(path):
        return False
    files = bracket_files(path)
    if any(map(is_named_as_trees, files)):
        return True
    with_text = (source for file in files.values() if _has_text(source := read_source(file)))
    first = next(with_text, None)
    return first is not None and sniffed(first) == "brackets"


def opened(readable: Readable, input: str | None) -> tuple[Readable, Kind | None]:
    """What is to be read, read as far as it must be to tell its kind, and the kind.

    None if that cannot be told: there is no such file, or nothing in it. Whoever reads it will say so.
    """
    if isinstance(readable, (Corpus, Trees, Keys)):
        return readable, "columns" if isinstance(readable, Corpus) else _kind(readable.format)
    if isinstance(readable, (str, os.PathLike)) and os.path.isdir(readable):
        from karat.corpus.readers.bracket_folders import bracket_files

        if input is not None:
            return readable, _kind(input)
        return readable, "brackets" if is_folder_of_trees(readable) or not bracket_files(readable) else None
    try:
        source = readable if isinstance(readable, Source) else read_source(readable)
    except DataError:
        return readable, None
    if input is None and not is_named_as_keys(source) and not _has_text(source):
        return source, None
    return source, _kind(input or sniffed(source))


def _kind(format_: str) -> Kind:
    return "brackets" if format_ == "brackets" else "key" if format_ == "key" else "columns"


_BLANK = np.frombuffer(b" \t\r\n", dtype=np.uint8)


def _has_text(source: Source) -> bool:
    """Whether there is anything but blanks; nearly always the first bytes tell."""
    starts = range(0, source.size, BYTES_LOOKED_AT)
    parts = (source.buffer[start : min(start + BYTES_LOOKED_AT, source.size)] for start in starts)
    return any(np.isin(part, _BLANK, invert=True).any() for part in parts)


def sniffed(source: Source) -> str:
    """The format that a text seems to have: one of karat's, else one that a plug-in claims, else CoNLL-U."""
    found = claimed(source)
    if found is None:
        from karat.corpus.plugin_readers import claimed_by_plugin

        found = claimed_by_plugin(source) or "conllu"
    return found
