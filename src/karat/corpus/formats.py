"""Which format an input has, and reading it whatever it is."""

from __future__ import annotations

from collections.abc import Sequence

from karat.corpus._corpus import Corpus
from karat.corpus._source import PathLike, Source, read_source
from karat.corpus.conllu import Bad, conllu_from_source
from karat.corpus.tagged import slash_from_source, tsv_from_source
from karat.errors import UsageError

__all__ = ["FORMATS", "read", "sniffed"]

FORMATS = ("conllu", "tsv", "slash")
_BYTES_LOOKED_AT = 1 << 16


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
    source = read_source(paths)
    format_ = sniffed(source) if input is None else input
    if format_ == "conllu":
        return conllu_from_source(source, trees=trees, deps=deps, bad=bad)
    if format_ == "tsv":
        return tsv_from_source(source, tag=tag, bad=bad)
    if format_ == "slash":
        return slash_from_source(source, tag=tag, bad=bad)
    raise UsageError(f"unknown input format {input!r}; known are {', '.join(FORMATS)}")


def sniffed(source: Source) -> str:
    """The format that the first line which is neither blank nor a comment seems to have.

    Several tabs, or a number and a tab, make CoNLL-U (a line with a column too few is still CoNLL-U, with a mistake);
    one tab makes TSV; words that all hold `/` or all hold `_` make tagged running text. Anything else is taken for
    CoNLL-U, whose reader then says what is wrong.
    """
    for line in source.text(0, min(_BYTES_LOOKED_AT, source.size)).split("\n"):
        if not line.strip() or (line.startswith("#") and "\t" not in line):
            continue
        n_tabs = line.count("\t")
        if n_tabs:
            is_tsv = n_tabs == 1 and not line.split("\t")[0].isdigit()
            return "tsv" if is_tsv or _second_column_is_tag(line) else "conllu"
        words = line.split()
        return "slash" if any(all(mark in word for word in words) for mark in "/_") else "conllu"
    return "conllu"


def _second_column_is_tag(line: str) -> bool:
    """Whether a line of two columns that starts with a number is a number and its tag: `1984<TAB>NUM`."""
    columns = line.rstrip("\r").split("\t")
    return len(columns) == 2 and columns[1].isupper()
