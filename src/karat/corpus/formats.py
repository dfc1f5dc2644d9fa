"""Which format an input has, and reading it whatever it is."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.conllu import Bad, conllu_from_source
from karat.corpus.readers.key import Keys, is_sense
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
_BYTES_LOOKED_AT = 1 << 16
_KEY_NAME = re.compile(r"\.keys?(\.gz|\.bz2|\.xz)?$")
_TREE = re.compile(r"\([^/()]+$")  # an opening bracket and a label, not a bracket and its tag
_TABS_OF_CONLLU = 9
_NUMBER_OR_NOTHING = re.compile(r"[0-9.]*", re.ASCII)
_OF_CCL = re.compile(r"<sentence[\s/>]")
_FEWEST_OF_DAG = 6
_COLUMNS_OF_KRNNT = 6


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
        hint = "key files can only be scored against key files"
        raise DataError(
            Problem("K108", "these are sense keys; CoNLL-U or tagged text was expected", source.path, hint=hint)
        )
    if format_ == "brackets":
        hint = "bracketed trees can only be scored against bracketed trees"
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
    """Whether this is a folder whose first file has bracketed trees."""
    from karat.corpus.readers.bracket_folders import bracket_files

    if not isinstance(path, (str, os.PathLike)) or not os.path.isdir(path):
        return False
    first = next(iter(bracket_files(path).values()), None)
    return first is not None and sniffed(read_source(first)) == "brackets"


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
        first = next(iter(bracket_files(readable).values()), None)
        return readable, "brackets" if first is None or sniffed(read_source(first)) == "brackets" else None
    try:
        source = readable if isinstance(readable, Source) else read_source(readable)
    except DataError:
        return readable, None
    if input is None and not _KEY_NAME.search(source.path) and not _has_text(source):
        return source, None
    return source, _kind(input or sniffed(source))


def _kind(format_: str) -> Kind:
    return "brackets" if format_ == "brackets" else "key" if format_ == "key" else "columns"


_BLANK = np.frombuffer(b" \t\r\n", dtype=np.uint8)


def _has_text(source: Source) -> bool:
    """Whether there is anything but blanks; nearly always the first bytes tell."""
    starts = range(0, source.size, _BYTES_LOOKED_AT)
    parts = (source.buffer[start : min(start + _BYTES_LOOKED_AT, source.size)] for start in starts)
    return any(np.isin(part, _BLANK, invert=True).any() for part in parts)


def sniffed(source: Source) -> str:
    """The format that a text seems to have: one of karat's, else one that a plug-in claims, else CoNLL-U."""
    found = claimed(source)
    if found is None:
        from karat.corpus.plugin_readers import claimed_by_plugin

        found = claimed_by_plugin(source) or "conllu"
    return found


def claimed(source: Source) -> str | None:
    """The format that the first line which is neither blank nor a comment seems to have; None if it is like none.

    A file named `.key`, or a word type, an instance named after it and tags, make sense keys. Nine tabs, or a number
    and a tab, make CoNLL-U (a line with a column too few is still CoNLL-U, with a mistake); other tabs make TSV; words
    that all hold `/` or all hold `_` make tagged running text; an opening bracket makes trees; XML is taken for CCL
    if it has an element `sentence`, else for XCES;
    two nodes make DAG (in ten columns only if the eighth is a number or empty); indented lines make the plain format;
    six columns of which the third is 0 or 1 and the last two are numbers, or empty, KRNNT's table. Anything else is
    like none, unless a tree is the first thing below.
    """
    text = source.text(0, min(_BYTES_LOOKED_AT, source.size))
    if _KEY_NAME.search(source.path) or _are_keys(text):
        return "key"
    for line in text.split("\n"):
        if not line.strip() or (line.startswith("#") and "\t" not in line):
            continue
        n_tabs = line.count("\t")
        if _begins_krnnt(line):
            return "krnnt"
        if _begins_dag(line):
            return "dag"
        if n_tabs == 1 and _begins_plain(text, line):
            return "plain"
        if n_tabs and not _opens_twice(line):
            is_tsv = n_tabs != _TABS_OF_CONLLU and not line[0].isdigit()
            return "tsv" if is_tsv or _second_column_is_tag(line) else "conllu"
        words = line.split()
        if words[0].startswith(("<?xml", "<!DOCTYPE", "<!--", "<cesAna", "<chunkList")):
            return "ccl" if _OF_CCL.search(text) else "xces"
        if not _TREE.match(words[0]) and any(all(mark in word for word in words) for mark in "/_"):
            return "slash"
        return "brackets" if words[0].startswith("(") or _trees_follow(text, line) else None
    return None


def _are_keys(text: str) -> bool:
    """Whether the first line of three fields or more is one of sense keys, whatever is between the fields.

    That is a lexelt, an instance named after it, and tags (`bank.n bank.n.0017 bank%1:14:00::/0.8`), or, on any of two
    fields, an instance and a sense (`d000.s000.t003 bank%1:14:00::`).
    """
    for line in text.split("\n"):
        words = line.partition("!!")[0].split()
        if len(words) >= 2 and "/" not in words[0] and is_sense(words[1]):
            return True
        if words and words[0].startswith("("):
            return False  # a tree
        if len(words) >= 3:
            lexelt, instance = words[:2]
            of_lexelt = instance.startswith((f"{lexelt}.", f"{lexelt.split('.')[0]}."))
            return instance != lexelt and of_lexelt and "/" not in lexelt + instance
    return False


def _begins_dag(line: str) -> bool:
    """Whether a line is an edge of a graph: two nodes, a form and more.

    Ten columns are CoNLL-U's too, but there the eighth is no number and the last neither empty nor `eos`.
    """
    columns = line.rstrip("\r").split("\t")
    is_edge = len(columns) >= _FEWEST_OF_DAG and columns[0].isdigit() and columns[1].isdigit()
    if len(columns) != _TABS_OF_CONLLU + 1:
        return is_edge
    return is_edge and columns[9] in ("", "eos") and _NUMBER_OR_NOTHING.fullmatch(columns[7]) is not None


def _begins_krnnt(line: str) -> bool:
    """Whether a line is a form, a lemma, 0 or 1, a tag, and where it starts and ends, or nothing."""
    columns = line.rstrip("\r").split("\t")
    if len(columns) != _COLUMNS_OF_KRNNT or columns[2] not in ("0", "1") or not columns[3]:
        return False
    return columns[4:] == ["", ""] or all(one.isdigit() for one in columns[4:])


def _begins_plain(text: str, line: str) -> bool:
    """Whether below a line of a form and the space before it stand indented lines of a lemma and a tag."""
    _, _, below = text.partition(line)
    return below.lstrip("\r\n").startswith("\t")


def _trees_follow(text: str, line: str) -> bool:
    """Whether below a line of text without tabs, and others like it, a tree opens."""
    _, _, below = text.partition(line)
    lines = (other for other in below.split("\n") if "\t" in other or other.startswith("("))
    return next(lines, "").startswith("(")


def _opens_twice(line: str) -> bool:
    """Whether a line with a tab is of a tree, as `(S<TAB>(NP`, not of a bracket and its tag, `(<TAB>(`."""
    first, second = line.split("\t")[:2]
    return first.startswith("(") and second.startswith("(") and second != "("


def _second_column_is_tag(line: str) -> bool:
    """Whether a line of two columns that starts with a number is a number and its tag: `1984<TAB>NUM`."""
    columns = line.rstrip("\r").split("\t")
    return len(columns) == 2 and columns[1].isupper()
