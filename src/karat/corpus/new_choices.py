"""Other interpretations chosen in an analysed text: which lines or elements of its file change, and nothing else.

A word is to have other tags than are chosen now. An interpretation that it has with such a tag is marked; where it has
none, one is added, with the lemma of the one that was chosen. Of several with the same tag, the one with the lemma that
was chosen before is taken, else the first. Marks of other tags are taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from karat.corpus.analysed import AnalysedText
from karat.corpus.source import Source

Edit = tuple[int, int, bytes]  # the bytes from … up to … of a source become these
_EDITORS = {
    "xces": ("karat.corpus.readers.choices_in_xml", "edits_of_token"),
    "ccl": ("karat.corpus.readers.choices_in_xml", "edits_of_token"),
    "plain": ("karat.corpus.readers.choices_in_lines", "edits_of_plain"),
    "krnnt": ("karat.corpus.readers.choices_in_lines", "edits_of_krnnt"),
    "dag": ("karat.corpus.readers.choices_in_lines", "edits_of_dag"),
}


class UnwritableError(Exception):
    """A choice that the format of its text cannot hold: the message is what is wrong, a hint may follow."""


@dataclass(frozen=True, slots=True)
class NewChoice:
    """What is to become of a word: interpretations (their numbers in the text) that are marked, kept and no longer
    marked, and new ones, as lemma and tag. `tags` are all that are chosen then, `lemma` theirs if it was asked for.
    """

    word: int
    tags: tuple[str, ...]
    lemma: str | None
    marked: tuple[int, ...]
    kept: tuple[int, ...]
    unmarked: tuple[int, ...]
    added: tuple[tuple[str, str], ...]


class _Wish(NamedTuple):
    tags: tuple[str, ...]
    lemma: str | None


def edits_of_choices(
    text: AnalysedText, source: Source, wishes: Mapping[int, tuple[tuple[str, ...], str | None]]
) -> tuple[list[Edit], dict[int, tuple[str, str]]]:
    """What to change in the source of a text, so that words have the tags wished for, and a lemma unless it is None.

    Words that cannot have them come back, too, each with the reason and a hint.
    """
    module, name = _EDITORS[text.format]
    edits_of_word: Callable[[AnalysedText, Source, NewChoice], list[Edit]] = getattr(import_module(module), name)
    edits: list[Edit] = []
    refused: dict[int, tuple[str, str]] = {}
    for word, wish in wishes.items():
        try:
            edits += edits_of_word(text, source, _new_choice(text, word, _Wish(*wish)))
        except UnwritableError as error:
            reason, hint = error.args
            refused[word] = reason, hint
    return edits, refused


def _new_choice(text: AnalysedText, word: int, wish: _Wish) -> NewChoice:
    first, stop = text.interpretation_offsets[word : word + 2].tolist()
    every = range(first, stop)
    chosen = [one for one in every if text.chosen[one]]
    former = [text.lemma[one] for one in chosen]
    lemma = wish.lemma if wish.lemma is not None else next(iter([*former, *(text.lemma[one] for one in every)]), None)
    marked: list[int] = []
    kept: list[int] = []
    added: list[tuple[str, str]] = []
    for tag in wish.tags:
        fitting = [one for one in every if text.tag[one] == tag and wish.lemma in (None, text.lemma[one])]
        if there := [one for one in fitting if text.chosen[one]]:
            kept += there
        elif fitting:
            marked.append(next((one for one in fitting if text.lemma[one] in former), fitting[0]))
        else:
            added.append((text.form[word] if lemma is None else lemma, tag))
    unmarked = tuple(one for one in chosen if one not in kept)
    return NewChoice(word, wish.tags, wish.lemma, tuple(marked), tuple(kept), unmarked, tuple(added))
