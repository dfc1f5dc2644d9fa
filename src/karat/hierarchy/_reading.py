"""Reading the text layouts of hierarchies: indented lines, dotted names, pairs of parent and child."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.source import PathLike, Source, read_source, source_from_bytes
from karat.errors import DataError, Problem, UsageError
from karat.hierarchy._building import built
from karat.hierarchy._hierarchy import MOST_LEVELS, Hierarchy, Layout
from karat.hierarchy.wordnet import index_beside, read_wordnet, wordnet_from_source
from karat.signature import shown_input

_LONGEST_NAME = 1000
_BLANKS = " \t"
_SYNSET = re.compile(rb"\d{8} \d\d [nvasr] [0-9a-f]{2} ", re.ASCII)
_DOTTED = re.compile(r"[^.]\.[^.]")
_DIGIT_THEN_LETTER = re.compile(r"\d(?=[^\W\d_])")
_HEADER = ("parent", "child")


def read_hierarchy(path: PathLike, *, layout: Layout | None = None, tree: bool = False) -> Hierarchy:
    """The hierarchy in a file, or in a folder of WordNet's files; without a layout it is known by its content.

    With `tree` a tag with two parents is an error. `-` is standard input, compressed files are unpacked.
    """
    _refuse_other_layout(layout)
    if os.path.isdir(path) and layout in (None, "wordnet"):
        return read_wordnet(path, tree=tree)
    source = read_source(path)
    if (layout or _sniffed(source)) == "wordnet":
        return wordnet_from_source(source, index_beside(path), tree=tree)
    return hierarchy_from_source(source, layout=layout, tree=tree)


def hierarchy_from_text(
    text: str, *, path: str = "<text>", layout: Layout | None = None, tree: bool = False
) -> Hierarchy:
    """The hierarchy that a text holds.

    >>> h = hierarchy_from_text("open\\n  NOUN\\n  VERB\\nclosed\\n")
    >>> [h.names[i] for i in h.leaves]
    ['NOUN', 'VERB', 'closed']
    """
    return hierarchy_from_source(source_from_bytes(text.encode(), path), layout=layout, tree=tree)


def hierarchy_from_source(source: Source, *, layout: Layout | None = None, tree: bool = False) -> Hierarchy:
    """The hierarchy that a source holds."""
    _refuse_other_layout(layout)
    known = layout or _sniffed(source)
    if known == "wordnet":
        return wordnet_from_source(source, tree=tree)
    refuse_unreadable(source)
    draft = {"indented": _indented, "dotted": _dotted, "pairs": _pairs}[known](source)
    if draft.problems:
        raise DataError(draft.problems)
    if not draft.names:
        raise DataError(Problem("K841", "the file has no tags", source.path))
    return built(
        tuple(draft.names),
        np.array(draft.parents, dtype=np.intp),
        np.array(draft.children, dtype=np.intp),
        place=lambda edge: (source.path, draft.lines[edge], draft.columns[edge]),
        path=source.path,
        signed=shown_input(source.path, source.sha256()),
        layout=known,
        tree=tree,
    )


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor comments, with their numbers from 1, without space at their ends."""
    for line, text in enumerate(source.text(0, source.size).split("\n"), start=1):
        text = text.rstrip(" \t\r")
        if text and not text.lstrip(_BLANKS).startswith("#"):
            yield line, text


def _refuse_other_layout(layout: str | None) -> None:
    if layout is not None and layout not in get_args(Layout):
        raise UsageError(f"unknown layout {layout!r} of a hierarchy; choose from {', '.join(get_args(Layout))}")


def _sniffed(source: Source) -> Layout:
    """The layout that a text has: WordNet's, pairs if a line has a tab inside, indented, or dotted names."""
    if re.compile(b"(?m)^" + _SYNSET.pattern).search(source.buffer.data[: min(source.size, 1 << 16)]):
        return "wordnet"
    is_dotted = False
    for _, text in text_lines(source):
        name = text.lstrip(_BLANKS)
        if "\t" in name:
            return "pairs"
        if len(name) < len(text):
            return "indented"
        is_dotted |= _DOTTED.search(name) is not None
    return "dotted" if is_dotted else "indented"


@dataclass(slots=True)
class _Draft:
    """A hierarchy while it is read: tags in the order in which they appear, edges, and where each edge stands."""

    path: str
    names: list[str] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    parents: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def tag(self, name: str) -> int:
        """The number of a tag, a new one if it is new."""
        number = self.number.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number

    def put(self, child: int, parent: int, line: int, column: int) -> None:
        self.children.append(child)
        self.parents.append(parent)
        self.lines.append(line)
        self.columns.append(column)

    def refuse(self, code: str, message: str, line: int, column: int, hint: str = "") -> None:
        self.problems.append(Problem(code, message, self.path, line, column, hint))

    def takes(self, name: str, line: int, column: int, hint: str = "") -> bool:
        """Whether this can be a tag's name; the problem is noted if not."""
        if not name:
            self.refuse("K846", "a tag without a name", line, column)
        elif len(name) > _LONGEST_NAME:
            self.refuse("K846", f"a tag of more than {_LONGEST_NAME} characters", line, column)
        elif name.split() != [name]:
            self.refuse("K846", f"the tag contains a space: {name!r}", line, column, hint)
        else:
            return True
        return False


def _indented(source: Source) -> _Draft:
    """One tag a line, under the nearest tag above that is indented less; the indentation is compared as text."""
    draft = _Draft(source.path)
    first: dict[str, int] = {}
    above: list[tuple[str, int]] = []  # indentations, each longer than the one before, and the tags there
    for line, text in text_lines(source):
        name = text.lstrip(_BLANKS)
        indent = text[: len(text) - len(name)]
        column = len(indent) + 1
        n_above = len(above)
        while above and len(above[-1][0]) > len(indent):
            above.pop()
        outer = above[-1][0] if above else None
        if not draft.takes(name, line, column):
            continue
        if name in first:
            hint = "a tag with several parents needs the layout of pairs: parent TAB child"
            draft.refuse("K842", f"{name} occurs twice, first on line {first[name]}", line, column, hint)
            continue
        if not _fits(indent, outer, goes_back=len(above) < n_above):
            hint = "indent with tabs only or with spaces only; a less indented tag must line up with one above it"
            draft.refuse("K845", f"the indentation of {name} does not match any tag above", line, column, hint)
            break  # what is under what from here on is a guess
        if outer == indent:
            above.pop()
        first[name] = line
        tag = draft.tag(name)
        if above:
            draft.put(tag, above[-1][1], line, column)
        above.append((indent, tag))
    return draft


def _fits(indent: str, outer: str | None, *, goes_back: bool) -> bool:
    """Whether an indentation can follow, where `outer` is the nearest one above that is not longer, if any."""
    if outer is None:
        return not indent
    return indent == outer if goes_back else indent.startswith(outer)


def _dotted(source: Source) -> _Draft:
    """One name a line; its parents are what is left without the last level, and so on up."""
    draft = _Draft(source.path)
    first: dict[str, int] = {}
    for line, name in text_lines(source):
        column = len(name) - len(name.lstrip(_BLANKS)) + 1
        name = name.lstrip(_BLANKS)
        if not draft.takes(name, line, column):
            continue
        if name in first:
            draft.refuse("K842", f"{name} occurs twice, first on line {first[name]}", line, column)
            continue
        first[name] = line
        if "" in name.split("."):
            at = column + min(f".{name}.".index(".."), len(name))
            draft.refuse("K846", f"an empty level in the dotted name {name!r}", line, at)
            continue
        levels = [name]
        while levels[-1] not in draft.number and (shorter := _one_level_up(levels[-1])):
            levels.append(shorter)
        if len(levels) > MOST_LEVELS:
            draft.refuse("K848", f"more than {MOST_LEVELS} levels in one name", line, column)
            continue
        for child, parent in zip(levels[-2::-1], levels[:0:-1], strict=True):
            above = draft.tag(parent)
            draft.put(draft.tag(child), above, line, column)
        draft.tag(name)
    return draft


def _one_level_up(name: str) -> str:
    """The name without its last level: a letter after a digit in its last component, else that component.

    >>> _one_level_up("A.1a"), _one_level_up("A.1"), _one_level_up("A")
    ('A.1', 'A', '')
    """
    start = name.rfind(".") + 1
    changes = [match.end() for match in _DIGIT_THEN_LETTER.finditer(name, start)]
    return name[: changes[-1]] if changes else name[: max(start - 1, 0)]


def _pairs(source: Source) -> _Draft:
    """Parent TAB child; a name alone is a tag that need not have parents or children."""
    draft = _Draft(source.path)
    first: dict[tuple[str, ...], int] = {}
    hint = "a pair is parent TAB child; an indented file has no tab after its first tag"
    is_first = True
    for line, text in text_lines(source):
        cells = tuple(cell.strip(" \r") for cell in text.split("\t"))
        is_header = is_first and cells == _HEADER
        is_first = False
        if is_header:
            continue
        if len(cells) > 2:
            column = len("\t".join(text.split("\t")[:2])) + 2
            draft.refuse("K846", f"{len(cells)} columns where two were expected, parent and child", line, column, hint)
            continue
        columns = (1, text.rfind("\t") + 2)
        if not all(draft.takes(cell, line, column, hint) for cell, column in zip(cells, columns, strict=False)):
            continue
        if cells in first:
            what = f"{cells[0]} occurs" if len(cells) == 1 else f"{cells[1]} is put under {cells[0]}"
            draft.refuse("K842", f"{what} twice, first on line {first[cells]}", line, 1)
            continue
        first[cells] = line
        parent, *children = [draft.tag(cell) for cell in cells]
        for child in children:
            draft.put(child, parent, line, columns[1])
    return draft
