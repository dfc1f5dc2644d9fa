"""Rich tags as they are asked to be scored: the tagset read, the weights read, and the measures that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.corpus.shipped import shipped_or_file
from karat.errors import UsageError
from karat.measures.positional.accuracy import TAG_SCORES, TagScoring
from karat.measures.positional.options import TagOptions
from karat.measures.positional.several_tags import GradedTags, TagColumn
from karat.tagsets import Tagset, read_tagset
from karat.weights import read_weights

DEFAULT_SCORES = ("exact", "pos", "PA", "WPA")
_PAPER = "poliqarp-2010"
_MOST_NAMED = 8  # categories without a weight


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

    @property
    def without_weights(self) -> frozenset[str]:
        """The scores that these weights have nothing for."""
        weights = self.how.weights
        has = {"WPA": bool(weights and weights.absolute), "CWPA": bool(weights and weights.conditional)}
        return frozenset(score for score, is_there in has.items() if not is_there)

    def measures(self) -> Mapping[str, GradedTags]:
        """The scores of tags as measures."""
        return {score: GradedTags(score, self.column, self.how) for score in TAG_SCORES}

    def missing_weights(self, lacking: Mapping[str, Sequence[str]]) -> list[str]:
        """The one warning about categories without a weight, by measure, and what it means for the scores."""
        if not lacking:
            return []
        of_each = [f"{_named(categories)} ({measure})" for measure, categories in lacking.items()]
        weight = self.options.missing_weight
        if weight == 0:
            meaning = "`missing_weight=0` leaves them out of the score"
        else:
            known = sorted(value for measure in lacking for value in self._weights_of(measure) if value > 0)
            others = f"{known[0]:g}" if known[0] == known[-1] else f"{known[0]:g} to {known[-1]:g}"
            meaning = f"each counts with `missing_weight={weight:g}`, the others with {others}"
        return [f"no weight for {'; '.join(of_each)}: {meaning}"]

    def _weights_of(self, measure: str) -> list[float]:
        weights = self.how.weights
        assert weights is not None  # or nothing would be weighed
        if measure == "WPA":
            return list(weights.absolute.values())
        return [value for table in weights.conditional.values() for value in table.values()]

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


def _named(categories: Sequence[str]) -> str:
    """The first of several categories, and how many more there are."""
    n_more = len(categories) - _MOST_NAMED
    return ", ".join(categories[:_MOST_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")
