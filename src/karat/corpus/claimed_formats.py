"""Which of karat's formats a text seems to have, by its first lines."""

from __future__ import annotations

import re

from karat.corpus.readers.key import is_sense
from karat.corpus.source import Source

_IN_WORDS = {"conllu": "CoNLL-U", "tsv": "tagged text", "slash": "tagged text", "key": "sense keys"}
BYTES_LOOKED_AT = 1 << 16
_KEY_NAME = re.compile(r"\.keys?(\.gz|\.bz2|\.xz)?$")
_TREE = re.compile(r"\([^/()]+$")  # an opening bracket and a label, not a bracket and its tag
_TABS_OF_CONLLU = 9
_NUMBER_OR_NOTHING = re.compile(r"[0-9.]*", re.ASCII)
_OF_CCL = re.compile(r"<sentence[\s/>]")
_FEWEST_OF_DAG = 6
_COLUMNS_OF_KRNNT = 6


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
    text = source.text(0, min(BYTES_LOOKED_AT, source.size))
    if is_named_as_keys(source) or _are_keys(text):
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


def looks_like(source: Source) -> str:
    """What messages add about a text that is not what was expected; nothing where it is like no format."""
    found = claimed(source)
    return f" (it looks like {_IN_WORDS.get(found, found)})" if found else ""


def is_named_as_keys(source: Source) -> bool:
    """Whether the name of the file says that it has sense keys."""
    return _KEY_NAME.search(source.path) is not None


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
