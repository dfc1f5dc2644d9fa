"""The sentences on which all annotators agree: a corpus whose annotation several people have confirmed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from karat._arrays import Flags
from karat.agreement.differing_items import DifferingItems
from karat.corpus import Corpus, PathLike
from karat.corpus.readers.key import Keys
from karat.corpus.sentence_bytes import kept_sentences
from karat.corpus.write import part_targets, write_parts


@dataclass(frozen=True, slots=True, eq=False)
class AgreedSentences:
    """Which of the first annotator's sentences, or instances, all annotate in the same way."""

    text: Corpus | Keys = field(repr=False)
    is_agreed: Flags = field(repr=False)
    inputs: tuple[str, ...] = field(repr=False)
    written: tuple[str, ...] = ()

    @property
    def n_agreed(self) -> int:
        return int(self.is_agreed.sum())

    @property
    def n_left_out(self) -> int:
        return len(self.is_agreed) - self.n_agreed

    @property
    def n_words(self) -> int:
        """The words of these sentences."""
        return int(np.diff(self.text.sentence_offsets)[self.is_agreed].sum())

    def to_dict(self) -> dict[str, Any]:
        """The sentences as plain data."""
        found = {"written": list(self.written), "sentences": self.n_agreed, "left_out": self.n_left_out}
        return found | {"words": self.n_words, "all_words": self.text.n_words}


def agreed_sentences(differing: DifferingItems) -> AgreedSentences:
    """The first annotator's sentences in which all annotators have every word, and say the same of it.

    A word that nobody annotates is no disagreement; one that only some do, or that somebody tokenises differently, is.
    """
    text = differing.found.read[0]
    n_annotated = differing.annotated.sum(axis=0)
    has_all = (differing.things >= 0).all(axis=0) & ((n_annotated == 0) | (n_annotated == len(differing.names)))
    is_same = (has_all & ~differing.differs)[differing.found.items[0]]
    return AgreedSentences(text, np.logical_and.reduceat(is_same, text.sentence_offsets[:-1]), differing.paths)


def write_agreed(agreed: AgreedSentences, path: PathLike) -> AgreedSentences:
    """Write these sentences, byte for byte; several files into a folder, each under its name. Inputs are kept."""
    targets = part_targets(agreed.text.source, path, agreed.inputs)
    data = [kept_sentences(agreed.text, agreed.is_agreed, part=part) for part in range(len(targets))]
    write_parts(path, targets, data)
    return replace(agreed, written=tuple(targets))
