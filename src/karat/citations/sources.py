"""Which papers stand behind what: measures by their source, methods, tests, systems and tables by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """What was used, in a few words, and the keys of its entries in the bibliography."""

    what: str
    keys: tuple[str, ...]


def _use(what: str, keys: str) -> Use:
    return Use(what, tuple(keys.split()))


ACEDANSKI, HOGENHOUT, MELAMED = "acedanski-przepiorkowski-2010", "hogenhout-matsumoto-1996", "melamed-resnik-2000"
PADRO, SLASKI, WISNIEWSKI = "padro-marquez-1998", "slaski-2012", "wisniewski-yvon-2019"

# what a measure has as its `source`; those of karat's own have no entry but karat's
OF_SOURCE: Mapping[str, str] = {
    "Acedański & Przepiórkowski 2010": ACEDANSKI,
    "Black et al. 1991 (PARSEVAL)": "black-1991",
    "Brier 1950": "brier-1950",
    "Cohen 1960": "cohen-1960",
    "CoNLL 2018 shared task": "zeman-2018",
    "Hogenhout & Matsumoto 1996": HOGENHOUT,
    "IWPT 2020 shared task": "bouma-2020",
    "Kiritchenko et al. 2005": "kiritchenko-2005",
    "Krippendorff 2004": "krippendorff-2004",
    "Melamed & Resnik 2000": MELAMED,
    "Sekine & Collins (EVALB)": "sekine-collins-1997",
    "Siegel & Castellan 1988": "siegel-castellan-1988",
    "Wisniewski & Yvon 2019": WISNIEWSKI,
    "after CoNLL-X": "buchholz-marsi-2006",
}

JACKKNIFE = _use("jackknife t confidence intervals", "miller-1974")

# what results name as the method of an interval, or as a test; what follows a comma adds to what stands before it
OF_METHOD: Mapping[str, Use] = {
    "t": JACKKNIFE,
    "t-logit": JACKKNIFE,
    "t-log": JACKKNIFE,
    "korn-graubard": _use("one-sided confidence intervals where all or nothing is right", "korn-graubard-1998"),
    "mid-p": _use("binomial mid-p confidence intervals of shares of units", "lancaster-1961"),
    "percentile": _use("percentile bootstrap confidence intervals", "efron-1979"),
    "bca": _use("BCa bootstrap confidence intervals", "efron-1987"),
    "Clopper-Pearson": _use("exact confidence interval of the odds ratio", "clopper-pearson-1934"),
    "exact permutation": _use("exact permutation test of paired differences", "pagano-tritchler-1983"),
    "studentised randomisation": _use(
        "studentised randomisation test of paired differences",
        "noreen-1989 chung-romano-2013 konietschke-pauly-2014",
    ),
    "studentised randomisation, tilted tail": _use("small p by importance sampling", "booth-butler-1990"),
    "cluster-robust t": _use("t test of paired differences with the jackknife's standard error", "miller-1974"),
    "McNemar exact": _use("exact test of the units on which two systems differ", "mcnemar-1947"),
    "McNemar z, design effect given": _use("McNemar's test, divided by the design effect", "mcnemar-1947 kish-1965"),
}

HOLM = _use("p values adjusted for several comparisons", "holm-1979")
LETTERS = _use("letters of systems that are not told apart", "piepho-2004")
EQUIVALENCE = _use("equivalence by two one-sided tests", "schuirmann-1987")
STRATIFIED = _use("confidence intervals of averages over treebanks", "rust-rao-1996")
LIKE = {
    "conll18": _use("scores as the official evaluator gives them (--like conll18)", "zeman-2018"),
    "evalb": _use("scores as EVALB gives them (--like evalb)", "sekine-collins-1997"),
}

# the taggers and parsers that karat trains
OF_SYSTEM: Mapping[str, Use] = {
    "perceptron": _use("the averaged perceptron tagger", "collins-2002"),
    "hmm": _use("the hidden Markov model tagger", "brants-2000"),
    "brill": _use("the transformation-based tagger", "brill-1995 acedanski-goluchowski-2009"),
    "relaxation": _use("the relaxation labelling tagger", f"marquez-padro-1997 {PADRO}"),
    "layered-trees": _use("the tagger of layered decision trees", "piasecki-godlewski-2006"),
    "pcfg": _use("the grammar read off a treebank", "johnson-1998 klein-manning-2003"),
}
FOREST = _use("forests of decision trees (--forest)", "breiman-2001")
SMOOTHING = _use("smoothing of the grammar's rules", "witten-bell-1991")
CALIBRATION = _use("calibration of the tagger's probabilities", "guo-2017")

REPEATS = _use("repeats with different annotation", f"dickinson-meurers-2003 {WISNIEWSKI}")
DEPENDENCY_REPEATS = _use("repeats with different dependencies", "boyd-2008")
SET_ASIDE = _use("errors in suspicious repeats set aside", WISNIEWSKI)
BOUNDS = _use("bounds of the real accuracy when the gold has errors", PADRO)
NOISE_CONFIDENCE = _use("confidence intervals of the bounds", "imbens-manski-2004")
CHECK_PLAN = _use("tokens for a human check, drawn with permanent random numbers", "ohlsson-1995")
GOLD_ERRORS = _use("the four kinds of agreement with a gold that has errors", PADRO)
LOOKING_EARLY = _use("intervals that hold whenever people look", "waudby-smith-2024")
JUDGES = _use("agreement of the judges", "cohen-1960 fleiss-1971")
JUDGE_ERRORS = _use("errors of the judges", "dawid-skene-1979")
SIMULATED = _use("errors planted in the gold, and who shares them", PADRO)

DIVERGENCE = _use("divergence of corpora by a classifier of sentences", f"{WISNIEWSKI} ben-david-2010 kifer-2004")
SPLITS = _use("confidence intervals over random splits", "nadeau-bengio-2003")
BOUNDED = _use("confidence intervals of accuracies that cannot be below chance", "feldman-cousins-1998")
TELLING = _use("n-grams that tell corpora apart, by log-likelihood ratio", "dunning-1993")
LABEL_DISTANCE = _use("Jensen-Shannon divergence of label frequencies", "lin-1991")
CONTAINMENT = _use("sentences nearly contained in the training text", "broder-1997")
PRECISION = _use("confidence intervals of the precision of judged findings", "wilson-1927")

SEVERAL_ANNOTATORS = _use("agreement of more than two annotators", "fleiss-1971 light-1971")
OVER_HIERARCHY = _use("agreement over a hierarchy of tags", MELAMED)
KAPPA = _use("kappa from a confusion matrix", "cohen-1960")
BRACKET_ITEMS = _use("measures of parsers from counts of brackets", HOGENHOUT)
REAL_TEST = _use("the real test of two systems, and units that independent systems would share", HOGENHOUT)
WEIGHTS = _use("weights of grammatical categories", ACEDANSKI)

GROUPS = _use("groups of words by a cascade of rules", f"buczynski-przepiorkowski-2009 {SLASKI}")
COOCCURRENCE = _use("attachment from co-occurrence statistics", f"{SLASKI} seretan-2011 dunning-1993")
BALANCED_FOREST = _use("the balanced random forest", "chen-2004 breiman-2001")
ONE_PARENT = _use("one parent for each group: maximum arborescence", "chu-liu-1965 edmonds-1967")

OF_PAPER: Mapping[str, str] = {
    "padro-1998": PADRO,
    "hogenhout-1996": HOGENHOUT,
    "melamed-2000": MELAMED,
    "acedanski-2010": ACEDANSKI,
    "slaski-2012": SLASKI,
    "wisniewski-2019": WISNIEWSKI,
}
OF_TABLE: Mapping[str, Use] = {
    "runs": _use("variance of runs and of corpora", "searle-1971"),
    **{
        name: _use("error rates and suspicious repeats across corpora", WISNIEWSKI)
        for name in ("table1", "ignoring", "correlation", "suspicious", "totals")
    },
}
