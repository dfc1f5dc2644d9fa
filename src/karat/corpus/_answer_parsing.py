"""What key files and columns of tags have in common: fields, the weights behind tags, and the rules for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Floats, Ids, Indices
from karat._compiled import pays
from karat._ragged import offsets_of, stretches
from karat.corpus.interning import Spans, interned
from karat.corpus.source import Source

_BYTES_AT_ONCE = 1 << 20  # a working set that stays in the processor's cache
_ROWS_AT_ONCE = 1 << 14
_FEW = 8
_NEWLINE, _MARK = 10, 33
_IS_TEXT = np.ones(256, dtype=np.bool_)
_IS_TEXT[[9, 10, 11, 12, 13, 32]] = False
_IS_SIGN, _IS_DOT, _IS_DIGIT, _IS_NAN = (
    np.isin(np.arange(256), list(some)) for some in (b"+-", b".", b"0123456789", b"nNiI")
)
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBERS = re.compile(rf"(?:{_NUMBER} )*+".encode())
_NO_NUMBER = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The fields of lines that have any: `places` of the first, `names` in front, then tags.

    Line i has the tags `offsets[i]` up to `offsets[i + 1]`; a name that it does not have is empty.
    """

    places: Ids
    names: tuple[Spans, ...]
    offsets: Indices
    tags: Spans


def fields_of_lines(source: Source, n_names: int) -> Fields:
    """The fields of all lines, of which the first `n_names` are names, with blanks between; `!!` begins a comment."""
    if pays():
        from karat.corpus.readers._compiled_keys import fields

        places, names, offsets, tags = fields(source.buffer, source.size, n_names)
    else:
        pieces = [_fields_of_stretch(source, *bounds, n_names) for bounds in _stretches(source)]
        places, names, sizes, tags = (np.concatenate(some, axis=-1) for some in zip(*pieces, strict=True))
        offsets = offsets_of(sizes)
    spans = tuple(Spans(source, names[2 * one], names[2 * one + 1]) for one in range(n_names))
    return Fields(places, spans, offsets, Spans(source, tags[0], tags[1]))


def _stretches(source: Source) -> Iterator[tuple[int, int]]:
    """Where stretches of whole lines start and stop; one at least."""
    start = 0
    while True:
        n_bytes, stop = _BYTES_AT_ONCE, source.size
        while start + n_bytes < source.size:
            newlines = np.flatnonzero(source.buffer[start : start + n_bytes] == _NEWLINE)
            if len(newlines):
                stop = start + int(newlines[-1]) + 1
                break
            n_bytes *= 2
        yield start, stop
        start = stop
        if start == source.size:
            return


def _fields_of_stretch(source: Source, first: int, last: int, n_names: int) -> tuple[Ids, Ids, Indices, Ids]:
    """Place, names [2 × names × lines] and number of tags of the lines of a stretch, and all tags [2 × tags]."""
    text = source.buffer[first:last]
    is_text = np.zeros(len(text) + 2, dtype=np.bool_)
    _IS_TEXT.take(text, out=is_text[1:-1])
    start, stop = np.flatnonzero(is_text[1:] != is_text[:-1]).reshape(-1, 2).T
    newlines = np.flatnonzero(text == _NEWLINE)
    line = np.searchsorted(newlines, start)
    comments = np.flatnonzero((text[:-1] == _MARK) & (text[1:] == _MARK))
    if len(comments):
        comment_of_line = np.full(len(newlines) + 1, len(text))
        np.minimum.at(comment_of_line, np.searchsorted(newlines, comments), comments)
        begins = comment_of_line.take(line)
        stop = np.minimum(stop, begins)
        start, stop, line = (some[start < stop] for some in (start, stop, line))
    begins_line = np.diff(line, prepend=-1) > 0
    firsts = np.flatnonzero(begins_line)
    sizes = np.diff(firsts, append=len(line))
    is_tag = np.ones(len(line), dtype=np.bool_)
    names = np.empty((2 * n_names, len(firsts)), dtype=np.int32)
    for name in range(n_names):
        has = sizes > name
        field = firsts[has] + name
        is_tag[field] = False
        if name:
            names[2 * name] = names[2 * name + 1] = names[2 * name - 1]
        names[2 * name, has], names[2 * name + 1, has] = start.take(field), stop.take(field)
    names += np.int32(first)
    tags = np.array([start[is_tag], stop[is_tag]], dtype=np.int32) + np.int32(first)
    places = start.take(firsts).astype(np.int32) + np.int32(first)
    return places, names, np.maximum(sizes - n_names, 0), tags


# ---- weights


@dataclass(frozen=True, slots=True, eq=False)
class FieldWeights:
    """Where tags end, and the weights behind them: NaN where there is none; `wrong` are those that are no numbers."""

    tag_stop: Ids
    values: Floats
    wrong: Indices


def weights_of_fields(spans: Spans) -> FieldWeights:
    """The weights that stand behind the last slash of fields.

    It belongs to the tag, as in `and/or`, unless something like a number follows, or nothing.
    """
    if pays():
        from karat.corpus.readers._compiled_keys import plain_weights

        cut, values, is_other = plain_weights(spans.source.buffer, spans.start, spans.stop)
        others = np.flatnonzero(is_other)
    else:
        cut = _last_slash(spans)
        values = np.full(len(spans), np.nan)
        others = np.flatnonzero(cut < spans.stop)
    if not len(others):
        return FieldWeights(cut, values, others)
    behind = Spans(spans.source, cut.take(others) + np.int32(1), spans.stop.take(others))
    is_weight = _are_meant_as_weights(behind)
    no_weight, others = others[~is_weight], others[is_weight]
    cut[no_weight] = spans.stop[no_weight]
    values[others], wrong = numbers(behind[is_weight], _number)
    return FieldWeights(cut, values, others[wrong])


def _last_slash(spans: Spans) -> Ids:
    """Where the last slash of every span is, or its end."""
    places, row = places_of(spans, b"/")
    last = spans.stop.copy()
    last[row] = places  # of several the last stays
    return last


def places_of(spans: Spans, text: bytes) -> tuple[Ids, Indices]:
    """Where one or two bytes stand in spans, and in which; spans are in the order of the text and do not overlap."""
    found: list[tuple[Ids, Indices]] = [(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.intp))]
    for rows in _slices(len(spans)):
        start, stop = spans.start[rows], spans.stop[rows] - (len(text) - 1)
        low = int(start[0])
        region = spans.source.buffer[low : int(spans.stop[rows][-1])]
        places = np.flatnonzero(region == text[0]) + low
        if len(text) > 1:
            places = places[spans.source.buffer.take(places + 1) == text[1]]
        row = np.searchsorted(start, places, side="right") - 1
        is_inside = places < stop.take(row)
        found.append((places[is_inside].astype(np.int32), row[is_inside] + rows.start))
    return np.concatenate([places for places, _ in found]), np.concatenate([row for _, row in found])


def _slices(n: int) -> Iterator[slice]:
    return (slice(first, first + _ROWS_AT_ONCE) for first in range(0, n, _ROWS_AT_ONCE))


def _are_meant_as_weights(spans: Spans) -> Flags:
    """Whether spans begin like numbers, are something that numbers can be (nan, inf), or are empty."""
    text = spans.source.buffer
    place = spans.start + _IS_SIGN.take(text.take(spans.start))
    maybe = np.flatnonzero(_IS_NAN.take(text.take(place)) & (place < spans.stop))
    place = place + _IS_DOT.take(text.take(place))
    are: Flags = (_IS_DIGIT.take(text.take(place)) & (place < spans.stop)) | (spans.start == spans.stop)
    if len(maybe):
        ids, first = interned(spans[maybe])
        are[maybe] = np.array([bool(_NO_NUMBER.fullmatch(one)) for one in spans[maybe[first]].strings()]).take(ids)
    return are


def _number(text: str) -> float:
    """The number that a text is, NaN if none."""
    return float(text) if re.fullmatch(_NUMBER, text) else np.nan


def numbers(spans: Spans, one: Callable[[str], float]) -> tuple[Floats, Indices]:
    """The numbers that spans spell, as Python reads them, and which of them are none: `one` has NaN for them."""
    values = np.empty(len(spans))
    for rows in _slices(len(spans)):
        some = spans[rows]
        text = _with_blanks(some)
        if text is not None and text.count(b" ") == len(some) and _NUMBERS.fullmatch(text):  # none in a span
            values[rows] = np.fromstring(text, sep=" ")
        else:
            values[rows] = [one(number) for number in some.strings()]
    return values, np.flatnonzero(np.isnan(values))


def _with_blanks(spans: Spans) -> bytes | None:
    """All spans with a blank behind each; None where they are too long for numbers."""
    lengths = spans.lengths.astype(np.intp) + 1
    if lengths.sum() > _BYTES_AT_ONCE:
        return None
    text = spans.source.buffer.take(stretches(spans.start, lengths))
    text[np.cumsum(lengths) - 1] = ord(" ")
    return text.tobytes()


# ---- answers


def is_mixed(offsets: Indices, values: Floats) -> Flags:
    """Which things have answers with a probability and others without."""
    is_given = ~np.isnan(values)
    if is_given.all() or not is_given.any():
        return np.zeros(len(offsets) - 1, dtype=np.bool_)
    n_given = np.diff(offsets_of(is_given).take(offsets))
    return (n_given > 0) & (n_given < np.diff(offsets))


def earlier_same(offsets: Indices, tags: Ids) -> tuple[Indices, Indices]:
    """The answers whose tag their thing has already, and where it has it first."""
    sizes = np.diff(offsets)
    most = int(sizes.max(initial=0))
    thing = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    suspect = sizes > _FEW
    for step in range(1, min(most, _FEW)):
        same = (tags[step:] == tags[:-step]) & (thing[step:] == thing[:-step])
        if same.any():
            suspect[thing[step:][same]] = True
    chosen = np.flatnonzero(suspect.take(thing)) if suspect.any() else np.zeros(0, dtype=np.intp)
    order = chosen[np.lexsort((chosen, tags.take(chosen), thing.take(chosen)))]
    is_new = np.append(True, (np.diff(tags.take(order)) != 0) | (np.diff(thing.take(order)) != 0))[: len(order)]
    first = order[np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))] if len(order) else order
    back = np.argsort(order[~is_new])
    return order[~is_new][back], first[~is_new][back]


def kept(offsets: Indices, keep: Flags, *columns: Array) -> tuple[Array, ...]:
    """Offsets and columns of the answers that are kept."""
    if keep.all():
        return offsets, *columns
    n_before = offsets_of(keep)
    return n_before.take(offsets), *(column[keep] for column in columns)
