"""The items on which annotators differ: where each is, and what everybody wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat.agreement.annotators import ATTACHMENTS, AnnotatedItems, ItemPlace
from karat.corpus import Corpus
from karat.result import Cell, Table


@dataclass(frozen=True, slots=True)
class DifferingItem:
    """An item on which annotators differ: the place of the first of them who has it, and what each wrote.

    `word` is its number in the first annotator's file, from 0, and -1 where that has no such item; `number` is which
    word of its sentence it is, from 1. `values` are what the first annotator's file would have for what each wrote,
    None where that is nothing or cannot be had there; `shown` is the same for people, None where there is nothing.
    """

    word: int
    place: ItemPlace
    sentence: str
    number: int
    distance: float
    values: tuple[str | None, ...]
    shown: tuple[str | None, ...]

    @property
    def is_adjudicable(self) -> bool:
        """Whether the first annotator's file has the item, and can have whatever the others wrote."""
        return self.word >= 0 and all(
            value is not None or shown is None for value, shown in zip(self.values, self.shown, strict=True)
        )

    @property
    def text(self) -> str:
        """The words around the item, which is in brackets."""
        words = list(self.place.words)
        words[self.place.marked] = f"[{words[self.place.marked]}]"
        return " ".join(words)

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The item as plain data, given the annotators' names."""
        place = self.place
        found = {"path": place.path, "line": place.line, "sentence": self.sentence, "word_number": self.number}
        found |= {"word": place.words[place.marked], "answers": dict(zip(names, self.shown, strict=True))}
        return found | {"distance": self.distance}


@dataclass(frozen=True, eq=False)
class DifferingItems:
    """All items on which annotators differ, in the order of the text, or of the first annotator's key file.

    `distance` is that of every item, differing or not; `annotated` says which annotators have each.
    """

    names: tuple[str, ...]
    column: str
    found: AnnotatedItems = field(repr=False)
    differs: Flags = field(repr=False)
    distance: Floats = field(repr=False)
    annotated: Array = field(repr=False)  # [annotators × items]

    def __len__(self) -> int:
        return int(self.differs.sum())

    @property
    def paths(self) -> tuple[str, ...]:
        """All files that were read."""
        return tuple(part.path for one in self.found.read for part in one.source.parts)

    @cached_property
    def things(self) -> Array:
        """The thing of each annotator that each item is, -1 where there is none [annotators × items]."""
        things = np.full((len(self.found.items), self.found.n_items), -1, dtype=np.intp)
        for own, items in zip(things, self.found.items, strict=True):
            own[items] = np.arange(len(items))
        return things

    @property
    def n_alone(self) -> int:
        """How many of the first annotator's words, or instances, no other annotator has."""
        return int(((self.things[0] >= 0) & (self.things[1:] < 0).all(axis=0)).sum())

    @cached_property
    def rows(self) -> tuple[DifferingItem, ...]:
        """The items, one by one."""
        items = np.flatnonzero(self.differs)
        who = (self.things[:, items] >= 0).argmax(axis=0)
        at = self.things[who, items]
        if self.found.what != "word":
            order = np.lexsort((at, who))
            items, who, at = items[order], who[order], at[order]
        written = [self._written(annotator, items) for annotator in range(len(self.names))]
        values, shown = (list(zip(*side, strict=True)) for side in zip(*written, strict=True))
        found = []
        for row, (item, annotator, thing) in enumerate(zip(items.tolist(), who.tolist(), at.tolist(), strict=True)):
            place = self.found.place(annotator, thing)
            sentence = place.name or f"sentence {self._sentence(annotator, thing) + 1}"
            word, distance = int(self.things[0, item]), float(self.distance[item])
            found.append(DifferingItem(word, place, sentence, place.marked + 1, distance, values[row], shown[row]))
        return tuple(found)

    def _sentence(self, annotator: int, thing: int) -> int:
        one = self.found.read[annotator]
        return int(one.words_sentence[thing]) if isinstance(one, Corpus) else thing

    def _written(self, annotator: int, items: Indices) -> tuple[list[str | None], list[str | None]]:
        """What an annotator wrote of items: as the first annotator's file would have it, and as people are shown it."""
        one, things = self.found.read[annotator], self.things[annotator, items]
        has = self.annotated[annotator, items]
        if self.column in ATTACHMENTS and isinstance(one, Corpus):
            return self._attachments(one, annotator, items, has)
        if isinstance(one, Corpus):
            column = one.column(self.column)
            texts = [column.vocabulary.strings[number] for number in column.ids[things].tolist()]
        else:
            texts = [one.source.text(*one.tags_span(thing)) for thing in things.tolist()]
        values = [text if is_there else None for text, is_there in zip(texts, has.tolist(), strict=True)]
        return values, [None if value is None else " ".join(value.split("\t")) for value in values]

    def _attachments(
        self, one: Corpus, annotator: int, items: Indices, has: Flags
    ) -> tuple[list[str | None], list[str | None]]:
        """Heads, counted as the first annotator counts words, perhaps with relations; for people with the head's form.

        A head that is no word of the first annotator's sentence has no value.
        """
        first = self.found.read[0]
        assert isinstance(first, Corpus)
        assert one.heads is not None
        things, here = self.things[annotator, items], self.things[0, items]
        heads = one.heads[things]
        head_words = np.clip(one.sentence_offsets[one.words_sentence[things]] + heads - 1, 0, None)
        there = self.things[0, self.found.items[annotator][head_words]]
        sentence = first.words_sentence[here]
        is_known = (here >= 0) & (there >= 0) & (first.words_sentence[there] == sentence)
        numbers = np.where(heads == 0, 0, np.where(is_known, there - first.sentence_offsets[sentence] + 1, -1))
        forms, relations = one.column("form"), one.column("deprel") if self.column == "las" else None
        values: list[str | None] = []
        shown: list[str | None] = []
        for thing, number, head_word, is_there in zip(
            things.tolist(), numbers.tolist(), head_words.tolist(), has.tolist(), strict=True
        ):
            relation = f" {relations.vocabulary[relations.ids[thing]]}" if relations is not None else ""
            values.append(f"{number}{relation}" if is_there and number >= 0 else None)
            form = f" ({forms.vocabulary[forms.ids[head_word]]})" if number else ""
            shown.append(f"{'?' if number < 0 else number}{relation}{form}" if is_there else None)
        return values, shown

    def table(self) -> Table:
        """The items as rows for a spreadsheet, with a column for each annotator."""
        is_text = self.found.what == "word"
        columns = [
            "file",
            "line",
            *(["sentence", "word_number", "word", "context"] if is_text else ["instance", "type"]),
        ]
        rows: list[list[Cell]] = []
        for one in self.rows:
            word = one.place.words[one.place.marked]
            row: list[Cell] = [one.place.path, one.place.line, one.sentence]
            row += [one.number, word, one.text] if is_text else [word]
            rows.append([*row, *one.shown, round(one.distance, 6)])
        taken = {*columns, "distance"}
        names = [f"{name} (annotator)" if name in taken else name for name in self.names]
        return Table([*columns, *names, "distance"], rows)
