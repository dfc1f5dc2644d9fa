"""Tags, features and lemmas of matching words [CoNLL 2018 shared task]."""

from __future__ import annotations

from karat.measures.measure import Outcome, WordMeasure
from karat.measures.words.comparison import Comparison, at

UNIVERSAL_FEATURES = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense "
    "Aspect Voice Evident Polarity Person Polite".split()
)


def universal_features(feats: str) -> str:
    """The universal features of a FEATS field in sorted order, the others left out.

    >>> universal_features("Tense=Past|Typo=Yes|Mood=Ind")
    'Mood=Ind|Tense=Past'
    """
    return "|".join(sorted(pair for pair in feats.split("|") if pair.split("=", 1)[0] in UNIVERSAL_FEATURES))


def sorted_features(feats: str) -> str:
    """All features of a FEATS field in sorted order."""
    return "|".join(sorted(feats.split("|")))


class ColumnLabels(WordMeasure):
    """The labels of any column, as they are written; features in any order."""

    def __init__(self, column: str) -> None:
        self.name, self.column = column.upper(), column
        self.what = f"the labels in {self.name}"
        self.needs = self.settles = (column,)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same(self.column, sorted_features if self.column == "feats" else None))


class UPOS(WordMeasure):
    name = "UPOS"
    what = "universal part-of-speech tags"
    needs = ("upos",)
    settles = ("upos",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("upos"))


class XPOS(WordMeasure):
    name = "XPOS"
    what = "the treebank's own tags"
    needs = ("xpos",)
    settles = ("xpos",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("xpos"))


class UFeats(WordMeasure):
    name = "UFeats"
    what = "the 21 universal features"
    needs = ("feats",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("feats", universal_features))


class Feats(WordMeasure):
    name = "Feats"
    what = "all features"
    source = "karat"
    needs = ("feats",)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("feats", sorted_features))


class AllTags(WordMeasure):
    name = "AllTags"
    what = "UPOS, XPOS and universal features together"
    needs = ("upos", "xpos", "feats")
    settles = ("upos", "xpos")

    def outcome(self, comparison: Comparison) -> Outcome:
        same_tags = comparison.same("upos") & comparison.same("xpos")
        return Outcome(same_tags & comparison.same("feats", universal_features))


class Lemmas(WordMeasure):
    name = "Lemmas"
    what = "lemmas; any is right where the gold has _"
    needs = ("lemma",)

    def outcome(self, comparison: Comparison) -> Outcome:
        lemma = comparison.gold.column("lemma")
        not_given = at(lemma.ids, comparison.alignment.gold_words) == lemma.vocabulary.find("_")
        return Outcome(comparison.same("lemma") | not_given)
