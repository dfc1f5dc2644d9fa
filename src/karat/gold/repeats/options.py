"""What `karat.repeats` is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from karat.errors import UsageError
from karat.options import option

if TYPE_CHECKING:
    from karat.corpus.source import PathLike
    from karat.tagsets import TagMap

COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel", "deps", "misc")
_FEWEST = {"words": 3, "characters": 12}


@dataclass(frozen=True, slots=True)
class RepeatOptions:
    """What is repeated, what is compared, and which suspicious repeats are wanted.

    `column` is a column or several joined by `+`; `map` maps the tags of one column, as for `karat.score`;
    `dependencies` and `tokenisation` compare these instead. `words` says what is repeated. A repeat has at least
    `min_words` words (of tokenisation, characters; None: 3, and 12). `patterns` says what patterns of change are
    counted by: None is lemma where all corpora have lemmas that are not compared themselves. With `same_sentence`, the
    places of a repeat may all be in one sentence. Words that annotators have marked as wrong take part in no repeat,
    unless `marked`. The rest is as for `running_text`, `maximal_repeats` and `suspicious_repeats`.
    """

    column: str = option(
        "upos",
        "Compare this column: upos, xpos, feats, lemma, deprel, or several together.",
        metavar="COLUMN[+COLUMN…]",
    )
    map: PathLike | Mapping[str, str] | TagMap | None = option(
        None,
        "Map tags before comparing: penn-upos, or a file with lines FROM TAB TO (* for all other tags).",
        metavar="FILE|penn-upos",
    )
    dependencies: bool = option(False, "Compare heads and relations inside the repeat instead.")
    tokenisation: bool = option(False, "Compare how repeated characters are split into words instead.")
    words: Literal["form", "lemma"] = option("form", "Look for repeated forms or lemmas.", choices=("form", "lemma"))
    fold_case: bool = option(False, "Ignore case.")
    no_punctuation: bool = option(False, "Leave out punctuation.")
    marked: bool = option(
        False, "Also report words that are marked as wrong: Typo=Yes, CorrectForm=… in MISC, goeswith."
    )
    between: bool = option(False, "Keep only repeats that occur in two of the corpora.")
    min_words: int | None = option(
        None,
        "Keep repeats of at least N words (default: 3); with --tokenisation, characters (12).",
        number=int,
        least=1,
        metavar="N",
    )
    max_words: int | None = option(None, "Keep repeats of at most N words.", number=int, least=1, metavar="N")
    same_sentence: bool = option(False, "Also keep repeats that occur in one sentence only.")
    disjoint: bool = option(False, "Keep only repeats that have no labelling in common between two corpora.")
    non_fringe: bool = option(False, "Keep only repeats in which a word other than the first or last differs.")
    min_majority: float = option(
        0.0,
        "Keep only repeats whose most frequent labelling has at least this share of the places.",
        metavar="SHARE",
        least=0,
    )
    patterns: Literal["word", "lemma"] | None = option(
        None, "Count patterns of change by word or lemma (default: lemma, if there are any).", choices=("word", "lemma")
    )

    def __post_init__(self) -> None:
        for column in self.columns:
            if column not in COLUMNS:
                raise UsageError(f"unknown column {column!r}; choose from {', '.join(COLUMNS)}, or join several with +")
        if len(set(self.columns)) < len(self.columns):
            raise UsageError(f"a column is given twice: {self.column}")
        if self.words not in ("form", "lemma"):
            raise UsageError(f"words must be form or lemma, not {self.words!r}")
        if self.map is not None and (self.dependencies or self.tokenisation or len(self.columns) > 1):
            raise UsageError("a map works with one column only")
        if self.dependencies and self.tokenisation:
            raise UsageError("dependencies and tokenisation cannot be compared together")
        if self.tokenisation and (self.fold_case or self.no_punctuation or self.words != "form"):
            raise UsageError("tokenisation compares characters: words cannot be chosen")
        if not 0 <= self.min_majority <= 1:
            raise UsageError(f"a share must be between 0 and 1, not {self.min_majority}")

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.column.split("+"))

    @property
    def fewest(self) -> int:
        """How many words a repeat has at least."""
        return _FEWEST["characters" if self.tokenisation else "words"] if self.min_words is None else self.min_words

    @property
    def read_map(self) -> TagMap | None:
        """The map of tags, read."""
        if self.map is None:
            return None
        from karat.tagsets import read_tag_map

        return read_tag_map(self.map)

    @property
    def compared(self) -> str:
        """What is compared: columns, dependencies or tokenisation."""
        return "dependencies" if self.dependencies else "tokenisation" if self.tokenisation else self.column

    def settings(self) -> list[tuple[str, str]]:
        """The options as signatures have them; those that change nothing are left out."""
        found = [("of", self.compared), ("words", self.words), ("fold-case", "yes" if self.fold_case else "no")]
        found += [("punctuation", "no" if self.no_punctuation else "yes"), ("min-words", str(self.fewest))]
        found += [("map", self.read_map.signed)] if self.read_map is not None else []
        flags = {"same-sentence": self.same_sentence, "between": self.between, "disjoint": self.disjoint}
        flags["non-fringe"] = self.non_fringe
        found += [] if self.marked else [("marked", "no")]
        found += [("max-words", str(self.max_words))] if self.max_words is not None else []
        found += [(name, "yes") for name, is_set in flags.items() if is_set]
        return found + ([("min-majority", repr(self.min_majority))] if self.min_majority else [])
