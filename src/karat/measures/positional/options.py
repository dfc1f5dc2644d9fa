"""How rich tags are to be scored: the tagset, the weights, and what counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from karat.corpus.shipped import shipped_or_file
from karat.corpus.source import PathLike
from karat.errors import UsageError
from karat.measures.positional.accuracy import TAG_SCORES, Slots, TagScoring
from karat.measures.positional.several_tags import GradedTags, TagColumn
from karat.tagsets import Tagset, read_tagset
from karat.weights import Weights, read_weights

__all__ = ["DEFAULT_SCORES", "TagOptions"]

DEFAULT_SCORES = ("exact", "pos", "PA", "WPA")
_PAPER = "poliqarp-2010"


@dataclass(frozen=True)
class TagOptions:
    """Options of scoring rich tags.

    `tagset` and `weights` are names of those that karat has, or files; without weights those of the paper are taken.
    `slots` that count are those `present` in a tag, or all that are `declared` for its part of speech. Categories that
    are `ignored` count nowhere; those without a weight have the `missing_weight`. `column` is where the tags are: XPOS,
    or for a tagset of features UPOS with FEATS. With `probabilities`, columns of tagged text take turns: a tag and its
    probability.
    """

    tagset: PathLike | Tagset
    weights: PathLike | Weights | None = None
    slots: Slots = "present"
    ignored: Iterable[str] = ()
    missing_weight: float = 1.0
    column: str | None = None
    probabilities: bool = False

    @cached_property
    def how(self) -> TagScoring:
        """The scoring that is asked for; a `UsageError` or `DataError` if that cannot be."""
        if self.slots not in ("present", "declared"):
            raise UsageError(f"slots {self.slots!r}: they are present or declared")
        weights = read_weights(_PAPER if self.weights is None else self.weights)
        return TagScoring(read_tagset(self.tagset), weights, self.slots, frozenset(self.ignored), self.missing_weight)

    @property
    def tag_column(self) -> TagColumn:
        has_features = self.how.tagset.cut == "features"
        return TagColumn(self.column or ("upos" if has_features else "xpos"), has_features, self.probabilities)

    @property
    def default_scores(self) -> tuple[str, ...]:
        """The scores where none are named: CWPA in WPA's place if weights are conditional only."""
        weights = self.how.weights
        is_conditional = weights is not None and not weights.absolute
        return (*DEFAULT_SCORES[:-1], "CWPA" if is_conditional else "WPA")

    def measures(self) -> Mapping[str, GradedTags]:
        """The scores of tags as measures."""
        return {score: GradedTags(score, self.tag_column, self.how) for score in TAG_SCORES}

    def _signed_tagset(self) -> str:
        if isinstance(self.tagset, Tagset):
            return self.tagset.name
        return shipped_or_file(self.tagset, "karat.tagsets", "tagset")[2]

    def signed(self) -> list[tuple[str, str]]:
        """What a signature says of them."""
        how = self.how
        found = [("tagset", self._signed_tagset()), ("weights", how.weights.signed if how.weights else "")]
        found += [("slots", self.slots)] if self.slots != "present" else []
        found += [("ignored", ",".join(sorted(how.ignored)))] if how.ignored else []
        found += [("missing-weight", repr(self.missing_weight))] if self.missing_weight != 1 else []
        return found
