"""Other interpretations chosen in XCES and CCL: `disamb="1"` put on, or taken off, elements `<lex>` of a token.

The reader keeps where a token begins and nothing else of its bytes. So the few tokens that change are read again, for
the places of their elements; they are known to be well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from karat.corpus.analysed import AnalysedText
from karat.corpus.new_choices import Edit, NewChoice
from karat.corpus.readers.xces import escaped
from karat.corpus.source import Source

_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = b"<lex"
_BLANKS_AT_END = re.compile(rb"\s*\Z")


def edits_of_token(text: AnalysedText, source: Source, choice: NewChoice) -> list[Edit]:
    """What to change in the token of a word.

    Where another interpretation of the token has `disamb="0"`, a mark that is taken off becomes that; else the
    attribute goes. A new interpretation stands behind the last one, on a line of its own if that does.
    """
    begin, end = _bounds(text, source, choice.word)
    data = source.buffer[begin:end].tobytes()
    token = _read(data)
    first = int(text.interpretation_offsets[choice.word])
    says_zero = any(value == b"0" for start, _ in token.interpretations for *_, value in _mark(data, start))
    edits = [_marked(data, token.interpretations[one - first][0]) for one in choice.marked]
    edits += [_unmarked(data, token.interpretations[one - first][0], says_zero) for one in choice.unmarked]
    if choice.added:
        start, stop = (token.interpretations or [token.form])[-1]
        blanks = _BLANKS_AT_END.search(data, 0, start)
        before = blanks[0] if blanks else b""
        new = (
            f'<lex disamb="1"><base>{escaped(lemma)}</base><ctag>{escaped(tag)}</ctag></lex>'
            for lemma, tag in choice.added
        )
        edits.append((stop, stop, b"".join(before + one.encode() for one in new)))
    return [(begin + start, begin + stop, new) for start, stop, new in edits]


def _bounds(text: AnalysedText, source: Source, word: int) -> tuple[int, int]:
    """Where a token begins, and a place behind its end: the next token, or the end of the file."""
    begin = int(text.place[word])
    stop = next(part.stop for part in source.parts if begin < part.stop)
    return begin, min(stop, int(text.place[word + 1])) if word + 1 < text.n_words else stop


@dataclass(slots=True)
class _Token:
    """Where the form and the interpretations of a token begin and end."""

    form: tuple[int, int] = (0, 0)
    interpretations: list[tuple[int, int]] = field(default_factory=list)
    is_complete: bool = False


def _read(data: bytes) -> _Token:
    token = _Token()
    parser = expat.ParserCreate("utf-8")
    begins: list[int] = []

    def start(_name: str, _attributes: dict[str, str]) -> None:
        begins.append(parser.CurrentByteIndex)

    def end(name: str) -> None:
        bounds = begins.pop(), data.index(b">", parser.CurrentByteIndex) + 1
        if name == "orth":
            token.form = bounds
        elif name == "lex":
            token.interpretations.append(bounds)
        token.is_complete = token.is_complete or not begins

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        if not token.is_complete:  # what stands behind the token is no part of it
            raise
    return token


def _mark(data: bytes, start: int) -> Iterator[tuple[int, int, int, bytes]]:
    """The attribute `disamb` of an element, if it has one: where it and its value begin, where it ends; the value."""
    place = start + len(_NAME)
    while found := _ATTRIBUTE.match(data, place):
        if found[1] == b"disamb":
            yield found.start(), found.start(2), found.end(), found[2][1:-1]
        place = found.end()


def _marked(data: bytes, start: int) -> Edit:
    for _, value, stop, _ in _mark(data, start):
        return value + 1, stop - 1, b"1"
    place = start + len(_NAME)
    return place, place, b' disamb="1"'


def _unmarked(data: bytes, start: int, says_zero: bool) -> Edit:
    ((attribute, value, stop, _),) = _mark(data, start)
    return (value + 1, stop - 1, b"0") if says_zero else (attribute, stop, b"")
