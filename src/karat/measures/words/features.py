"""Features one by one: of the words that have a feature, in the gold or in the system, how many have the same value."""

from __future__ import annotations

from karat._arrays import Ids
from karat._numbering import numbered_values
from karat.measures.measure import Outcome, WordMeasure
from karat.measures.words.comparison import Comparison, at

_NONE = -1


class FeatureValue(WordMeasure):
    """The value of one feature; words without it do not count."""

    name = "Feats"
    what = "the value of a feature"
    source = "karat"
    needs = ("feats",)

    def __init__(self, feature: str) -> None:
        self.feature = feature

    def outcome(self, comparison: Comparison) -> Outcome:
        alignment = comparison.alignment
        ours, theirs = self._values(comparison)
        mine = at(ours, alignment.gold_words)
        right = (mine != _NONE) & (mine == at(theirs, alignment.system_words))
        return Outcome(right, ours != _NONE, theirs != _NONE)

    def _values(self, comparison: Comparison) -> tuple[Ids, Ids]:
        """A number for the value of the feature that each gold and each system word has."""
        known: dict[str | None, int] = {None: _NONE}
        found = []
        for corpus, features in zip((comparison.gold, comparison.system), _features(comparison), strict=True):
            codes = numbered_values((one.get(self.feature) for one in features), known)
            found.append(codes.take(corpus.column("feats").ids))
        return found[0], found[1]


def feature_values(comparison: Comparison) -> dict[str, FeatureValue]:
    """A measure for each feature that a word of either side has."""
    names = dict.fromkeys(name for side in _features(comparison) for one in side for name in one)
    return {name: FeatureValue(name) for name in sorted(names)}


def _features(comparison: Comparison) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """For each value of FEATS on both sides the features by name."""

    def made() -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        ours, theirs = (side.column("feats").vocabulary.strings for side in (comparison.gold, comparison.system))
        return [parsed_features(text) for text in ours], [parsed_features(text) for text in theirs]

    return comparison.kept(("features",), made)


def parsed_features(feats: str) -> dict[str, str]:
    """The features by name; of one that is there several times all values, in any order."""
    found: dict[str, str] = {}
    for pair in sorted(feats.split("|")) if feats not in ("_", "") else ():
        name, _, value = pair.partition("=")
        found[name] = f"{found[name]},{value}" if name in found else value
    return found
