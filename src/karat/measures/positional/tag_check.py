"""Whether the tags of a corpus are of a tagset, and where those stand that are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.corpus import PathLike, corpus_from_source, read_source
from karat.errors import DataError, Problem
from karat.measures.positional.options import TagOptions
from karat.measures.positional.rich_tags import RichTags
from karat.result import Cell, Result, Table
from karat.tagsets import TagError, Tagset, read_tagset


@dataclass(frozen=True, slots=True)
class BadTag:
    """A tag that is not of the tagset: what is wrong at which of its characters, and the words that have it.

    `path` and `line` are those of the first.
    """

    tag: str
    message: str
    place: int
    n_words: int
    path: str
    line: int

    def to_dict(self) -> dict[str, Any]:
        """The tag as plain data."""
        return {
            "tag": self.tag,
            "message": self.message,
            "place": self.place,
            "tokens": self.n_words,
            "path": self.path,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True, repr=False)
class TagCheck(Result):
    """How many different tags a corpus has, how many words have one, and which tags are not of the tagset."""

    tagset: Tagset
    path: str
    n_tags: int
    n_words: int
    failed: tuple[BadTag, ...]

    def to_dict(self) -> dict[str, Any]:
        """The check as plain data, in the schema karat/tagset-check/1."""
        return {
            "schema": "karat/tagset-check/1",
            "tagset": self.tagset.name,
            "corpus": self.path,
            "tags": self.n_tags,
            "tokens": self.n_words,
            "failed": [one.to_dict() for one in self.failed],
        }

    def records(self) -> Table:
        """One row for each tag that fails, with the place of the first."""
        rows: list[list[Cell]] = [[one.tag, one.n_words, f"{one.path}:{one.line}", one.message] for one in self.failed]
        return Table(["tag", "words", "first", "what is wrong"], rows, self.path, whole=("tag", "first"))

    @property
    def in_words(self) -> str:
        """How many tags fail, in plain words."""
        if not self.failed:
            return f"All {self.n_tags:,} tags ({self.n_words:,} words) are in the tagset {self.tagset.name}."
        n_words = sum(one.n_words for one in self.failed)
        return (
            f"{len(self.failed):,} of {self.n_tags:,} tags ({n_words:,} of {self.n_words:,} words) are not in the "
            f"tagset {self.tagset.name}."
        )


def check_tags(
    tagset: PathLike | Tagset,
    corpus: PathLike | Sequence[PathLike],
    *,
    column: str | None = None,
    input: str | None = None,
) -> TagCheck:
    """Whether the tags of a corpus are of a tagset; those that are not, the most frequent first.

    `column` is where the tags are: xpos, or for ud upos with feats.
    """
    known = read_tagset(tagset)
    where = RichTags(TagOptions(known, column=column)).column
    source = read_source(corpus)
    text = corpus_from_source(source, input=input, tag=where.name, several_tags=True, trees=False)
    if not text.has(where.name):
        raise DataError(
            Problem("K501", f"a check needs {where.name.upper()}, which this file does not have", text.path)
        )
    words = where.read(text)
    of_tag = np.zeros(len(words.texts), dtype=np.intp)
    first = np.full(len(words.texts), text.n_words, dtype=np.intp)
    n_of_set = np.bincount(words.sets, minlength=len(words.members))
    sets, first_of_set = np.unique(words.sets, return_index=True)
    for number, place in zip(sets.tolist(), first_of_set.tolist(), strict=True):
        members = words.members.row(number)
        of_tag[members] += n_of_set[number]
        first[members] = np.minimum(first[members], place)
    failed = []
    for number, tag in enumerate(words.texts):
        try:
            known.parse(tag)
        except TagError as error:
            path, line, _ = text.place_of_word(int(first[number]))
            failed.append(BadTag(tag, error.message, error.place, int(of_tag[number]), path, line))
    failed.sort(key=lambda one: -one.n_words)
    n_words = int((words.sizes.take(words.sets) > 0).sum())
    return TagCheck(known, text.path, len(words.texts), n_words, tuple(failed))
