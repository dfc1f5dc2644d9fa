"""What Wisniewski & Yvon 2019 print about their experiments; tables of repeats and Figure 1 are with `karat.gold`.

Shares are between 0 and 1. What they print over all of Universal Dependencies 2.3 says so.
"""

from __future__ import annotations

RELEASE = "2.3"  # of Universal Dependencies
TABLE_1_TESTS = ("FTB", "GSD", "ParTUT", "SRCMF", "Sequoia", "Spoken", "PUD")
_TABLE_1 = {
    "FTB": (2.8, 7.0, 6.5, 45.4, 5.4, 18.7, 12.9),
    "GSD": (6.7, 3.7, 7.2, 45.5, 5.4, 16.3, 10.2),
    "ParTUT": (11.2, 10.9, 5.9, 55.7, 11.3, 22.9, 15.8),
    "SRCMF": (38.8, 37.8, 36.2, 7.5, 37.4, 34.7, 36.1),
    "Sequoia": (7.5, 7.5, 8.4, 48.0, 4.0, 19.3, 13.6),
    "Spoken": (32.1, 30.3, 25.7, 51.8, 29.5, 7.9, 30.1),
}
# error rates by train and test
TABLE_1 = {
    (train, test): round(value / 100, 4)
    for train, row in _TABLE_1.items()
    for test, value in zip(TABLE_1_TESTS, row, strict=True)
}
# the treebanks of each language that the paper has, trained on and tested on
TREEBANKS = {
    "English": (("ESL", "EWT", "GUM", "LinES", "ParTUT"), ("ESL", "EWT", "GUM", "LinES", "ParTUT", "PUD")),
    "French": (("FTB", "GSD", "ParTUT", "SRCMF", "Sequoia", "Spoken"), TABLE_1_TESTS),
}
# those of Figure 3, which are called by their names in older releases: `ud` is now EWT, or GSD
FIGURE_3 = {"English": ("EWT", "LinES", "ParTUT"), "French": ("GSD", "FTB", "ParTUT", "Sequoia")}
# section 5: suspicious repeats that have a prediction error, by language and filter
WITH_ERROR = {
    ("English", "disjoint"): 0.702,
    ("French", "disjoint"): 0.730,
    ("English", "all"): 0.517,
    ("French", "all"): 0.499,
}
# over all of UD 2.3: Spearman's correlation (section 5); conditions in which ignoring beats in-domain, "more than"
# (section 6); suspicious repeats between train and dev or test parts (section 5); the tagger's accuracy (section 2)
CORRELATION = 0.72
BEATS_IN_DOMAIN = {"disjoint": 0.43, "minsize": 0.25}
TOTALS = {"matches": 357_301, "of_3_words": 69_157, "of_5_words": 14_142, "disjoint": 122_634}
MEAN_ACCURACY = 0.9110
# Table 7: median accuracy, and share of conditions in which the features are best
TABLE_7 = {"words": (0.782, 0.310), "labels": (0.709, 0.135), "both": (0.788, 0.555)}
# Table 8: repeats and suspicious repeats of so many words, the last of 10 and more
TABLE_8 = {
    2: (4_366_885, 146_516),
    3: (1_977_969, 44_800),
    4: (622_192, 9_684),
    5: (183_680, 1_998),
    6: (60_869, 509),
    7: (25_697, 158),
    8: (13_132, 123),
    9: (7_572, 61),
    10: (24_629, 264),
}
# Table 8: suspicious repeats in %
TABLE_8_PERCENT = dict(
    zip(TABLE_8, ("3.36", "2.26", "1.56", "1.09", "0.84", "0.61", "0.94", "0.81", "1.07"), strict=True)
)
# Table 4: suspicious repeats that a person found to be inconsistencies, in %
TABLE_4_PERCENT = {"size 4": "78.6", "size 3": "71.5", "disjoint": "70.3"}
# section 2: what UD 2.3 has
UD = {
    "treebanks": 129,
    "languages": 76,
    "treebanks with a train set": 97,
    "sentences of the smallest train set": 19,
    "sentences of the largest train set": 68_495,
    "sentences of the smallest test set": 34,
    "sentences of the largest test set": 10_148,
    "languages with several test sets": 21,
    "test sets of French": 7,
    "test sets of English": 6,
    "test sets of Czech": 5,
    "test sets of Swedish, Chinese, Japanese, Russian, Italian, each": 4,
    "pairs of a train and a test set of a language": 290,
    "pairs across corpora": 191,
}
NATIVE_TREEBANKS, ONE_CORPUS, ALL_IN_ONE = 23, "almost 65%", "more than 15%"  # footnotes 3 and 4
UDPIPE_ACCURACY, RUNS = "91.22 %", 10
FACTOR = 25  # between error rates, "more than" (section 1)
LONGEST_EXAMPLES = 10  # words of the repeats in Table 2, "at least"
SPLITS, LARGEST_RATIO = 20, 88  # section 4.2 and footnote 9
# section 6: French UD and FTB, error rates before and after correction by hand
CORRECTED = {
    "tags corrected by hand": "almost 2,000",
    "error rate on FTB, %": "6.78 %",
    "error rate in-domain, of which treebank is not said, %": "4.51 %",
    "error rate on FTB after correction, %": "5.11 %",
}
