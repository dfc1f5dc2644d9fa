"""What `karat.repeats` is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from karat.errors import UsageError

__all__ = ["COLUMNS", "RepeatOptions"]

COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel", "deps", "misc")
_FEWEST = {"words": 3, "characters": 12}


@dataclass(frozen=True, slots=True)
class RepeatOptions:
    """What is repeated, what is compared, and which suspicious repeats are wanted.

    `column` is a column or several joined by `+`; `dependencies` and `tokenisation` compare these instead. `words` says
    what is repeated. A repeat has at least `min_words` words (of tokenisation, characters; None: 3, and 12). `patterns`
    says what patterns of change are counted by: None is lemma where all corpora have lemmas that are not compared
    themselves. With `same_sentence`, the places of a repeat may all be in one sentence. The rest is as for
    `running_text`, `maximal_repeats` and `suspicious_repeats`.
    """

    column: str = "upos"
    dependencies: bool = False
    tokenisation: bool = False
    words: Literal["form", "lemma"] = "form"
    fold_case: bool = False
    punctuation: bool = True
    min_words: int | None = None
    max_words: int | None = None
    same_sentence: bool = False
    between: bool = False
    disjoint: bool = False
    non_fringe: bool = False
    min_majority: float = 0.0
    patterns: Literal["word", "lemma"] | None = None

    def __post_init__(self) -> None:
        for column in self.columns:
            if column not in COLUMNS:
                raise UsageError(f"no column {column!r}; there are {', '.join(COLUMNS)}, and several joined by +")
        if len(set(self.columns)) < len(self.columns):
            raise UsageError(f"a column is named twice: {self.column}")
        if self.words not in ("form", "lemma"):
            raise UsageError(f"words are repeated by form or lemma, not {self.words!r}")
        if self.dependencies and self.tokenisation:
            raise UsageError("dependencies and tokenisation are compared one at a time")
        if self.tokenisation and (self.fold_case or not self.punctuation or self.words != "form"):
            raise UsageError("tokenisation is compared over characters as they are: words cannot be chosen")
        if not 0 <= self.min_majority <= 1:
            raise UsageError(f"a share is between 0 and 1, not {self.min_majority}")

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.column.split("+"))

    @property
    def fewest(self) -> int:
        """How many words a repeat has at least."""
        return _FEWEST["characters" if self.tokenisation else "words"] if self.min_words is None else self.min_words

    def settings(self) -> list[tuple[str, str]]:
        """The options as signatures have them; those that change nothing are left out."""
        of = "dependencies" if self.dependencies else "tokenisation" if self.tokenisation else self.column
        found = [("of", of), ("words", self.words), ("fold-case", "yes" if self.fold_case else "no")]
        found += [("punctuation", "yes" if self.punctuation else "no"), ("min-words", str(self.fewest))]
        flags = {"same-sentence": self.same_sentence, "between": self.between, "disjoint": self.disjoint}
        flags["non-fringe"] = self.non_fringe
        found += [("max-words", str(self.max_words))] if self.max_words is not None else []
        found += [(name, "yes") for name, is_set in flags.items() if is_set]
        return found + ([("min-majority", repr(self.min_majority))] if self.min_majority else [])
