"""What all taggers have in common: tags, calibrated probabilities, a file to be kept in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._ragged import Ragged, offsets_of
from karat.inference.resampling import Progress
from karat.systems.calibration import Calibration
from karat.systems.model_file import Model
from karat.systems.options import Options
from karat.systems.words import LabelledWords, WordSequence


@dataclass(frozen=True, slots=True, eq=False)
class Tagging:
    """The number of each word's tag, and log-probabilities before calibration [words × tags]."""

    tags: Ids
    log_probabilities: Floats


class Tagger(ABC):
    """A trained tagger of one column, or of several together.

    `labels` are the tags that it knows. Its `calibration` makes probabilities of its scores; it is chosen on text that
    the model has not seen.
    """

    system: ClassVar[str]
    options_type: ClassVar[type[Options]]  # of a plug-in's tagger; those of karat's own are in karat.systems.options

    def __init__(self, column: str, labels: tuple[str, ...]) -> None:
        self.column, self.labels, self.calibration = column, labels, Calibration()

    @classmethod
    @abstractmethod
    def trained(cls, text: LabelledWords, column: str, options: Any, seed: int, progress: Progress | None) -> Self:
        """A tagger that has learnt from the text; the same seed gives the same tagger."""

    @abstractmethod
    def options(self) -> Mapping[str, Any]:
        """What was chosen when it was trained."""

    @abstractmethod
    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        """The tags of all words of some sentences; without probabilities their array is empty."""

    @abstractmethod
    def parts(self) -> Model:
        """What is kept of the tagger in a file, but for what all taggers have."""

    @classmethod
    @abstractmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        """The tagger that was kept; a `DataError` for numbers that mean nothing."""

    def options_of_parts(self) -> Any:
        """The options for taggers that learn from parts of the same text, to see what this one is worth."""
        return self.chosen  # type: ignore[attr-defined]

    def learnt(self) -> list[str] | None:
        """What it has learnt as lines that people can read; None for a tagger whose numbers say nothing."""
        return None

    def tag(self, words: WordSequence) -> Ids:
        """The number of each word's tag among the labels."""
        return self.tagging(words, with_probabilities=False).tags

    def log_probabilities(self, words: WordSequence) -> Floats:
        """Log-probabilities before calibration [words × tags]."""
        return self.tagging(words, with_probabilities=True).log_probabilities

    def probabilities(self, words: WordSequence, least: float = 0.0) -> Ragged:
        """The tags of each word with more than the least probability, the likeliest first, and these probabilities.

        Work is done some sentences at a time, so that memory does not grow with words × tags.
        """
        sizes, tags, weights = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)], [np.zeros(0)]
        for first, stop in words.blocks():
            block, _ = words.chosen(np.arange(first, stop))
            found = self.calibration.probabilities(self.log_probabilities(block))
            order = np.argsort(-found, axis=1, kind="stable")
            ranked = np.take_along_axis(found, order, axis=1)
            kept = ranked > least
            kept[:, 0] = True
            sizes.append(kept.sum(axis=1))
            tags.append(order[kept])
            weights.append(ranked[kept])
        values: Indices = np.concatenate(tags)
        return Ragged(offsets_of(np.concatenate(sizes)), values, np.concatenate(weights))
