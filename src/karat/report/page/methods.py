"""Methods in words, with what they assume: those that the results on a page used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from karat.report.page.treebank_results import is_over_treebanks

_METHODS = {
    "t-logit": (
        "Confidence intervals: jackknife t on the logit scale",
        "Each document (or sentence, where no documents are marked) is left out in turn; the spread of the results "
        "gives the standard error, and Student's t with as many degrees of freedom as the clusters are worth gives the "
        "interval, on the logit scale so that it stays between 0 and 1. Assumes that the clusters are independent and "
        "drawn from the kind of text the score is meant for; it says nothing about other kinds of text or about errors "
        "in the gold.",
    ),
    "t-log": (
        "Confidence intervals: jackknife t on the log scale",
        "As on the logit scale, for values that are positive and have no upper limit.",
    ),
    "t": (
        "Intervals of differences: jackknife t",
        "Each cluster is left out in turn for both systems at once, so that what both find hard does not count as "
        "uncertainty. Assumes independent clusters; with fewer than 20 it is rough.",
    ),
    "korn-graubard": (
        "One-sided intervals where everything, or nothing, is right",
        "A score of 0 or 100 % has no spread; the interval is that of Clopper and Pearson as if every cluster were one "
        "unit (Korn & Graubard 1998), which is cautious.",
    ),
    "mid-p": (
        "Intervals of shares of sentences: binomial",
        "Where every cluster is one unit that is right or wrong, as sentences are of which a share is parsed without "
        "an error, the interval is that of the binomial distribution, with half of the probability of what was "
        "observed in each tail (mid-p, Lancaster 1961). Assumes that the units are independent.",
    ),
    "treebanks": (
        "Averages over treebanks",
        "The macro average is the mean of the treebanks' values, so that each treebank counts alike; the micro average "
        "is of all words together. Treebanks are taken as given: intervals and tests are over the documents (or "
        "sentences) within them, each left out in turn (the stratified jackknife; Rust & Rao 1996), and say nothing "
        "about other treebanks. What is missing or broken is scored as 0.",
    ),
    "percentile": (
        "Confidence intervals: percentile bootstrap",
        "Whole clusters are drawn with replacement; too narrow with few clusters.",
    ),
    "bca": ("Confidence intervals: BCa bootstrap", "As the percentile bootstrap, corrected for bias and skew."),
    "exact permutation": (
        "Paired test: exact permutation",
        "If both systems were equally good, swapping their outputs on any cluster would change nothing but chance. The "
        "share of all swaps with a difference at least as large as the observed one is p, computed exactly. Assumes "
        "that clusters are independent.",
    ),
    "studentised randomisation": (
        "Paired test: studentised randomisation",
        "As the permutation test, with every difference divided by its own standard error, which holds the level also "
        "for ratios and uneven clusters; swaps are drawn at random.",
    ),
    "cluster-robust t": (
        "Paired test: cluster-robust t",
        "The difference over the jackknife's standard error of whole clusters. Assumes independent clusters, and "
        "enough of them for the t distribution to fit.",
    ),
    "McNemar exact": (
        "Paired test: McNemar's, exact",
        "Only units that one system has right and the other wrong count. Takes every unit for independent, which "
        "overstates significance where errors come in clusters.",
    ),
    "holm": (
        "Several comparisons: Holm's adjustment",
        "With many pairs, some differ by chance. Adjusted p bound the chance of even one false difference.",
    ),
    "noise": (
        "What errors in the gold allow (Padró & Màrquez 1998)",
        "From the observed accuracy, the gold's error rate and the ambiguity of words, the real accuracy can only lie "
        "between bounds. The wide ones assume nothing; the narrower “reasonable” ones assume that a system is no worse "
        "than chance where the gold is wrong. The error rate itself is taken as given.",
    ),
    "adjudicated": (
        "Estimates from checked tokens",
        "A random sample of tokens, more where systems and gold disagree, was judged. Weighting by how likely each was "
        "drawn gives each system's real accuracy and an interval. Assumes that the verdicts are right, unless several "
        "judges show how often they err.",
    ),
    "suspects": (
        "Suspects",
        "Taggers that were not trained on a word's part of the corpus, other places with the same words, the place in "
        "the tree and the word's other tag speak for or against its label. The rank is no proof: a person must look.",
    ),
    "repeats": (
        "Suspicious repeats (Dickinson & Meurers; Wisniewski & Yvon 2019)",
        "The same words annotated in two ways in the same or another corpus: an error in one, or real ambiguity.",
    ),
}


def methods_of(results: Sequence[Mapping[str, Any]], *, with_groups: bool = False) -> list[tuple[str, str]]:
    """The methods that any of the results used, each once, and those of the groups that a page itself makes."""
    used = dict.fromkeys(name for result in results for name in _used(result))
    used |= dict.fromkeys(("t-logit", "korn-graubard") if with_groups else ())
    return [_METHODS[name] for name in _METHODS if name in used]


def _used(result: Mapping[str, Any]) -> Iterator[str]:
    kind = str(result.get("schema", "")).rpartition("/")[0].removeprefix("karat/")
    yield {"noise": "noise", "noise-estimate": "adjudicated"}.get(kind, kind)
    if is_over_treebanks(result):
        yield "treebanks"
    yield from _mentioned(result)


def _mentioned(data: Any) -> Iterator[str]:
    """The names of methods and tests anywhere in a result."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in ("method", "test", "adjust") and isinstance(value, str):
                yield value.partition(",")[0]
            elif isinstance(value, Mapping | list):
                yield from _mentioned(value)
    elif isinstance(data, list):
        for one in data:
            yield from _mentioned(one)
