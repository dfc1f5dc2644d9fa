"""Rich tags as they are asked to be scored: the tagset read, the weights read, and the measures that follow."""

from __future__ import annotations

from collections.abc import Mapping

from karat.corpus.shipped import shipped_or_file
from karat.errors import UsageError
from karat.measures.positional.accuracy import TAG_SCORES, TagScoring
from karat.measures.positional.options import TagOptions
from karat.measures.positional.several_tags import GradedTags, TagColumn
from karat.tagsets import Tagset, read_tagset
from karat.weights import read_weights

__all__ = ["DEFAULT_SCORES", "RichTags"]

DEFAULT_SCORES = ("exact", "pos", "PA", "WPA")
_PAPER = "poliqarp-2010"


class RichTags:
    """How rich tags are scored; a `UsageError` or `DataError` if what is asked for cannot be."""

    def __init__(self, options: TagOptions) -> None:
        if options.slots not in ("present", "declared"):
            raise UsageError(f"slots {options.slots!r}: they are present or declared")
        self.options = options
        weights = read_weights(_PAPER if options.weights is None else options.weights)
        ignored = frozenset(options.ignore_category)
        self.how = TagScoring(read_tagset(options.tagset), weights, options.slots, ignored, options.missing_weight)
        has_features = self.how.tagset.cut == "features"
        column = options.column or ("upos" if has_features else "xpos")
        self.column = TagColumn(column, has_features, options.probabilities)

    @property
    def default_scores(self) -> tuple[str, ...]:
        """The scores where none are named: CWPA in WPA's place if weights are conditional only."""
        weights = self.how.weights
        is_conditional = weights is not None and not weights.absolute
        return (*DEFAULT_SCORES[:-1], "CWPA" if is_conditional else "WPA")

    def measures(self) -> Mapping[str, GradedTags]:
        """The scores of tags as measures."""
        return {score: GradedTags(score, self.column, self.how) for score in TAG_SCORES}

    def _signed_tagset(self) -> str:
        tagset = self.options.tagset
        return tagset.name if isinstance(tagset, Tagset) else shipped_or_file(tagset, "karat.tagsets", "tagset")[2]

    def signed(self) -> list[tuple[str, str]]:
        """What a signature says of it."""
        how, options = self.how, self.options
        found = [("tagset", self._signed_tagset()), ("weights", how.weights.signed if how.weights else "")]
        found += [("slots", options.slots)] if options.slots != "present" else []
        found += [("ignored", ",".join(sorted(how.ignored)))] if how.ignored else []
        return found + ([("missing-weight", repr(options.missing_weight))] if options.missing_weight != 1 else [])
