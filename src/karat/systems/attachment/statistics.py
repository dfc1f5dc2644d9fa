"""Co-occurrence statistics: the objects of a tagged text in columns, from which counts are made as they are asked for.

Sentences are kept, so that every copy of a sentence that is evaluated can be left out exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Indices
from karat._ragged import Ragged, offsets_of, stretches
from karat.errors import UsageError
from karat.systems.attachment.features import Feature, features_of
from karat.systems.attachment.object_columns import ObjectColumns
from karat.systems.attachment.wordnet_classes import WordnetClasses

_PER_MILLION_WORDS = 30.0
_LEAST = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class CooccurrenceStatistics:
    """The text that is counted, in tags of one tagset, and the wordnet, if there is one.

    `has_lemmas` is False where some of the text had none, so that forms in lower case take their place. `groups`
    says by which rules objects were made, `signature` what was counted.
    """

    columns: ObjectColumns
    tagset: str
    has_lemmas: bool
    groups: str = ""
    wordnet: WordnetClasses | None = None
    signature: str = ""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that can be counted: 14, without a wordnet 11."""
        return features_of(wordnet=self.wordnet is not None)

    @property
    def threshold(self) -> float:
        """How often two hypernyms must at least co-occur: more than this; 30 times in a million words, 3 times in few.

        It stays the same when copies of a sentence are left out.
        """
        return max(_PER_MILLION_WORDS * self.columns.n_words / 1e6, _LEAST)

    @property
    def n_pairs(self) -> int:
        """How many ordered pairs of objects there are: what is observed of a feature with one value on each side."""
        sizes = np.diff(self.columns.offsets)
        return int((sizes * (sizes - 1)).sum())

    def copies(self, hashes: Indices) -> Ragged:
        """For each sentence the sentences that are counted here and have the same word forms."""
        order = np.argsort(self.columns.hashes, kind="stable")
        own = self.columns.hashes.take(order)
        first = np.searchsorted(own, hashes)
        sizes = np.searchsorted(own, hashes, side="right") - first
        return Ragged(offsets_of(sizes), order.take(stretches(first, sizes)))

    def refuse_other_tagset(self, tagset: str) -> None:
        """A `UsageError` for text in tags of another tagset: no value would be found."""
        if tagset != self.tagset:
            message = f"the statistics are of tags of {self.tagset}, the text has those of {tagset}"
            raise UsageError(f"{message}: map them, or count a text with such tags")
