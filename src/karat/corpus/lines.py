"""Finding lines and fields: one pass over the bytes of a source, a stretch at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat._arrays import Bytes, Flags, Ids, Indices
from karat.corpus.source import Source

_BYTES_AT_ONCE = 1 << 20  # a working set that stays in the processor's cache
_TEXT_AT_ONCE = 1 << 14
CommentStyle = Literal["all", "untabbed", "none"]
_TAB, _NEWLINE, _RETURN, _SPACE, _HASH = 9, 10, 13, 32, 35


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a source by what they are.

    `edges` [fields + 1 × rows] are those of the rows, the lines that are neither blank nor comments (see `Corpus`);
    `n_fields` says how many fields each row really has: where that is not the number asked for, the surplus is left
    out and what is missing is empty. `row_block` and `comment_block` count the blank lines before; `comment_start`
    and `comment_stop` bound the comments without their line end. `nul` is the place of the first NUL byte, or -1.
    """

    edges: Ids
    n_fields: Ids
    row_block: Ids
    comment_start: Ids
    comment_stop: Ids
    comment_block: Ids
    nul: int = -1


def find_lines(source: Source, n_fields: int, *, comments: CommentStyle = "all", last_has_rest: bool = False) -> Lines:
    """The lines of a source whose rows should have `n_fields` fields with tabs between them.

    If the last one `has_rest`, it goes on to the end of its line, tabs and all.
    A line ends in LF or CR LF; a line of nothing but spaces is blank; a line that starts with `#` is a comment
    (`comments`: all such lines, those without a tab, or none).
    No other character ends a line: U+2028 and U+0085 may stand in a form.
    """
    pieces: list[Lines] = []
    n_blank = 0
    start = 0
    while start < source.size:
        piece, n_bytes, n_more_blank = _lines_of_stretch(source, start, n_fields, n_blank, comments, last_has_rest)
        pieces.append(piece)
        start += n_bytes
        n_blank += n_more_blank
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        none = np.zeros(0, dtype=np.int32)
        return Lines(np.zeros((n_fields + 1, 0), dtype=np.int32), none, none, none, none, none)
    return Lines(
        np.concatenate([piece.edges for piece in pieces], axis=1),
        np.concatenate([piece.n_fields for piece in pieces]),
        np.concatenate([piece.row_block for piece in pieces]),
        np.concatenate([piece.comment_start for piece in pieces]),
        np.concatenate([piece.comment_stop for piece in pieces]),
        np.concatenate([piece.comment_block for piece in pieces]),
        nul=next((piece.nul for piece in pieces if piece.nul >= 0), -1),
    )


def _lines_of_stretch(
    source: Source, start: int, n_fields: int, n_blank: int, comments: CommentStyle, last_has_rest: bool
) -> tuple[Lines, int, int]:
    """The whole lines of the next stretch of bytes, how many bytes they have, and how many of them are blank."""
    stretch, marks, ends, nul = _marks_of_stretch(source, start)
    line_stop = marks.take(ends)
    line_start = np.empty_like(line_stop)
    line_start[0] = 0
    np.add(line_stop[:-1], 1, out=line_start[1:])
    n_marks = np.diff(ends, prepend=-1)
    text_stop = line_stop - ((stretch[line_stop - 1] == _RETURN) & (line_stop > line_start))
    first = stretch[line_start]
    is_blank = _blank(stretch, line_start, text_stop, first)
    is_comment = (first == _HASH) & ~is_blank
    if comments != "all":
        is_comment &= (n_marks == 1) & (comments == "untabbed")
    block = np.cumsum(is_blank, dtype=np.int32)
    block += np.int32(n_blank)
    rows = np.flatnonzero(~(is_blank | is_comment))
    edges = _edges(marks, ends.take(rows), n_marks.take(rows), line_start.take(rows), text_stop.take(rows), n_fields)
    if last_has_rest:
        edges[-1] = np.where(n_marks.take(rows) >= n_fields, text_stop.take(rows), edges[-1])
    edges += np.int32(start)
    commented = np.flatnonzero(is_comment)
    lines = Lines(
        edges,
        n_marks.take(rows).astype(np.int32),
        block.take(rows),
        (line_start.take(commented) + start).astype(np.int32),
        (text_stop.take(commented) + start).astype(np.int32),
        block.take(commented),
        nul=start + nul if nul >= 0 else -1,
    )
    return lines, int(line_stop[-1]) + 1, int(block[-1]) - n_blank


def _marks_of_stretch(source: Source, start: int) -> tuple[Bytes, Indices, Indices, int]:
    """The bytes of the next stretch, its tabs and line ends, which of those are line ends, and the first NUL."""
    n_bytes = _BYTES_AT_ONCE
    nul = -1
    while True:
        stop = min(start + n_bytes, source.size)
        stretch = source.buffer[start:stop]
        marks = np.flatnonzero(stretch <= _NEWLINE)
        kind = stretch.take(marks)
        if kind.min(initial=_TAB) < _TAB:  # other control characters are text
            nuls = marks[kind == 0]
            nul = int(nuls[0]) if len(nuls) else -1
            marks = marks[kind >= _TAB]
            kind = stretch.take(marks)
        ends = np.flatnonzero(kind == _NEWLINE)
        if stop == source.size and (not len(marks) or not len(ends) or marks[ends[-1]] != len(stretch) - 1):
            # the last line has no end: the padding's first byte stands for it
            stretch = source.buffer[start : stop + 1]
            return stretch, np.append(marks, len(stretch) - 1), np.append(ends, len(marks)), nul
        if len(ends):
            return stretch, marks, ends, nul
        n_bytes *= 2


def _blank(stretch: Bytes, line_start: Indices, text_stop: Indices, first: Bytes) -> Flags:
    blank = np.equal(line_start, text_stop)
    for line in np.flatnonzero(first == _SPACE).tolist():
        blank[line] = not stretch[line_start[line] : text_stop[line]].tobytes().strip(b" ")
    return blank


def _edges(
    marks: Indices, end: Indices, n_marks: Indices, line_start: Indices, text_stop: Indices, n_fields: int
) -> Ids:
    """The edges of rows whose last mark is `marks[end]`."""
    edges = np.empty((n_fields + 1, len(end)), dtype=np.int32)
    edges[0] = line_start
    edges[0] -= 1
    for number in range(n_fields - 1):
        edges[number + 1] = marks.take(end + (number + 1 - n_fields), mode="clip")
    edges[n_fields] = text_stop
    irregular = np.flatnonzero(n_marks != n_fields)
    if len(irregular):
        edges[1:, irregular] = _irregular_edges(marks, end, n_marks, text_stop, irregular, n_fields)
    return edges


def _irregular_edges(
    marks: Indices, end: Indices, n_marks: Indices, text_stop: Indices, rows: Indices, n_fields: int
) -> Ids:
    """What can be made of rows with too few or too many fields: the first ones, the rest empty."""
    edges = np.empty((n_fields, len(rows)), dtype=np.int32)
    first, n, stop = (end - n_marks + 1).take(rows), n_marks.take(rows), text_stop.take(rows)
    for field in range(n_fields):
        place = np.minimum(marks.take(first + field, mode="clip"), stop)
        # an empty field lies between two neighbouring edges: its start is one behind the edge before it
        edges[field] = place if field == 0 else np.where(field < n, place, edges[field - 1] + 1)
    return edges


def bad_utf8(source: Source) -> list[tuple[int, str]]:
    """The places where the bytes are not UTF-8, the first of each line, and what is wrong there."""
    found: list[tuple[int, str]] = []
    done = 0
    for block in _blocks_beyond_ascii(source):
        if (block + 1) * _TEXT_AT_ONCE <= done:
            continue
        start = _line_start(source, max(block * _TEXT_AT_ONCE, done))
        done = _line_stop(source, min((block + 1) * _TEXT_AT_ONCE, source.size))
        lines = source.buffer[start:done].tobytes()
        found += [(start + place, reason) for place, reason in _bad_utf8_of_lines(lines)]
    return found


def _blocks_beyond_ascii(source: Source) -> list[int]:
    """The blocks of `_TEXT_AT_ONCE` bytes that hold a byte with its highest bit set."""
    n_blocks = source.size // _TEXT_AT_ONCE
    whole = source.buffer[: n_blocks * _TEXT_AT_ONCE].reshape(n_blocks, _TEXT_AT_ONCE).view(np.uint64)
    highest_bits = np.bitwise_or.reduce(whole, axis=1) & np.uint64(0x8080808080808080)
    blocks = np.flatnonzero(highest_bits).tolist()
    rest = source.buffer[n_blocks * _TEXT_AT_ONCE : source.size]
    return [*blocks, n_blocks] if rest.max(initial=0) > 127 else blocks


def _line_start(source: Source, place: int) -> int:
    """The start of the line that a place is in."""
    while place > 0 and source.buffer[place - 1] != _NEWLINE:
        earlier = max(place - 4096, 0)
        newlines = np.flatnonzero(source.buffer[earlier:place] == _NEWLINE)
        place = earlier + int(newlines[-1]) + 1 if len(newlines) else earlier
    return place


def _line_stop(source: Source, place: int) -> int:
    """The start of the next line from a place on, or the end of the text."""
    while place < source.size and source.buffer[place - 1] != _NEWLINE:
        later = min(place + 4096, source.size)
        newlines = np.flatnonzero(source.buffer[place:later] == _NEWLINE)
        place = place + int(newlines[0]) + 1 if len(newlines) else later
    return place


def _bad_utf8_of_lines(lines: bytes) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    start = 0
    while start < len(lines):
        try:
            lines[start:].decode("utf-8")
        except UnicodeDecodeError as error:
            place = start + error.start
            found.append((place, error.reason))
            newline = lines.find(b"\n", place)
            start = newline + 1 if newline >= 0 else len(lines)
        else:
            break
    return found
