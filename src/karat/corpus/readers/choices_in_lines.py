"""Other interpretations chosen in formats of lines: the plain format, KRNNT's table, graphs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from karat.corpus.analysed import AnalysedText
from karat.corpus.new_choices import Edit, NewChoice, UnwritableError
from karat.corpus.readers.dag import CHOSEN, LAYOUTS
from karat.corpus.source import Source

_NO_TAG = "_"
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class _TabbedLine:
    """A line: where it begins, its fields, and what ends it (nothing, at the end of a file)."""

    start: int
    fields: list[bytes]
    end: bytes

    @property
    def stop(self) -> int:
        """The place behind the last field."""
        return self.start + sum(map(len, self.fields)) + len(self.fields) - 1

    def field(self, number: int, value: bytes) -> Edit:
        """The field with another value."""
        start = self.start + list(accumulate((len(one) + 1 for one in self.fields), initial=0))[number]
        return start, start + len(self.fields[number]), value

    def below(self, lines: Iterable[bytes]) -> Edit:
        """Lines below this one, ended as it is."""
        end = self.end or b"\n"
        place = self.stop + len(self.end)
        if self.end:
            return place, place, b"".join(line + end for line in lines)
        return place, place, b"".join(end + line for line in lines)


def _lines(source: Source, place: int, n: int, *, comments: bool = False) -> list[_TabbedLine]:
    """Lines from a place on; `comments` (which begin with # and have no tab) stand between them and are left out."""
    part = next(part for part in source.parts if place < part.stop)
    data = source.buffer.data
    found: list[_TabbedLine] = []
    while len(found) < n:
        size = 1 << 10
        while (stop := bytes(data[place : min(place + size, part.stop)]).find(b"\n")) < 0 and place + size < part.stop:
            size *= 2
        whole = bytes(data[place : place + stop + 1 if stop >= 0 else part.stop])
        text = whole.removesuffix(b"\n").removesuffix(b"\r") if stop >= 0 else whole
        if not (comments and text.startswith(b"#") and b"\t" not in text):
            found.append(_TabbedLine(place, text.split(b"\t"), whole[len(text) :]))
        place += len(whole)
    return found


def edits_of_plain(text: AnalysedText, source: Source, choice: NewChoice) -> list[Edit]:
    """What to change in the lines of a word: its interpretations follow it, and those chosen end in `disamb`.

    Probabilities stay where they are.
    """
    first, stop = text.interpretation_offsets[choice.word : choice.word + 2].tolist()
    lines = _lines(source, int(text.place[choice.word]), 1 + stop - first)
    edits: list[Edit] = []
    for one in choice.marked:
        line = lines[1 + one - first]
        edits.append(line.field(3, b"disamb") if len(line.fields) > 3 else (line.stop, line.stop, b"\tdisamb"))
    for one in choice.unmarked:
        line = lines[1 + one - first]
        start, end, _ = line.field(3, b"")
        edits.append((start, end, b"") if len(line.fields) > 4 else (start - 1, end, b""))
    if choice.added:
        edits.append(lines[-1].below(f"\t{lemma}\t{tag}\tdisamb".encode() for lemma, tag in choice.added))
    return edits


def edits_of_krnnt(text: AnalysedText, source: Source, choice: NewChoice) -> list[Edit]:
    """What to change in the line of a word: it has one tag and one lemma."""
    if len(choice.tags) > 1:
        raise UnwritableError("KRNNT's table holds one tag for each word", "give one right tag")
    (line,) = _lines(source, int(text.place[choice.word]), 1)
    edits = [line.field(3, next(iter(choice.tags), _NO_TAG).encode())]
    return edits if choice.lemma is None else [line.field(1, choice.lemma.encode()), *edits]


def edits_of_dag(text: AnalysedText, source: Source, choice: NewChoice) -> list[Edit]:
    """What to change in the lines of an edge: the mark of what is chosen, or the number that is one.

    Probabilities, where they are no marks, stay where they are. `eos` goes with the choice, so that sentences end where
    they did.
    """
    if not choice.tags:
        hint = "correct it by hand, together with the edges around it"
        raise UnwritableError("without a tag, the word would not be on the path through the graph any more", hint)
    first, stop = text.interpretation_offsets[choice.word : choice.word + 2].tolist()
    lines = _lines(source, int(text.place[choice.word]), stop - first, comments=True)
    marked, kept, unmarked = (
        [lines[one - first] for one in several] for several in (choice.marked, choice.kept, choice.unmarked)
    )
    n_columns, _, number = text.layout.partition(" ")
    names = LAYOUTS[int(n_columns)]
    column = names.index("probability" if number else "mark")
    # as the file has it: a number, disamb, or disamb_manual
    on, off = (
        (number.encode(), number.replace("1", "0").encode()) if number else ((unmarked or kept)[0].fields[column], b"")
    )
    edits = [line.field(column, off) for line in unmarked]
    for line in marked:
        there = line.fields[column].decode(errors="replace")
        if not number and there and there not in CHOSEN:
            message = f"the line of this tag has {there[:_LONGEST_SHOWN]!r} where the mark of what is chosen belongs"
            raise UnwritableError(message, "correct it by hand")
        edits.append(line.field(column, on))
    eos = b""
    if "eos" in names:
        of_eos = names.index("eos")
        eos = b"eos" if any(line.fields[of_eos] for line in (*unmarked, *kept)) else b""
        edits += (
            _ends_kept(of_eos, [*marked, *kept], unmarked)
            if eos
            else [line.field(of_eos, b"") for line in marked if line.fields[of_eos]]
        )
    if choice.added:
        same: dict[str, bytes] = {
            name: lines[0].fields[names.index(name)] for name in ("start", "end", "form", "nps") if name in names
        }
        same |= {names[column]: on, "eos": eos}
        new = [{**same, "lemma": lemma.encode(), "tag": tag.encode()} for lemma, tag in choice.added]
        edits.append(lines[-1].below(b"\t".join(cells.get(name, b"") for name in names) for cells in new))
    return edits


def _ends_kept(of_eos: int, chosen: list[_TabbedLine], unmarked: list[_TabbedLine]) -> list[Edit]:
    """The end of a sentence moved from lines that are no longer chosen to one that is, unless one has it already."""
    if not chosen or any(line.fields[of_eos] for line in chosen):
        return []
    return [chosen[0].field(of_eos, b"eos"), *(line.field(of_eos, b"") for line in unmarked if line.fields[of_eos])]
