"""What Wisniewski & Yvon 2019 print in Figure 1, and the files of UD 2.3 that it is about.

Of ESL, FTB and, as training text, French GSD, karat has no files. The others are known by the first digits of their
SHA-256, so that other releases of a treebank, which bear the same name, are not set beside numbers that are not theirs.
"""

from __future__ import annotations

_FILES = {
    "0d3c2af34502b6a2": "en train EWT",
    "85d2f2f3ffea8e95": "en train GUM",
    "b6909c8658274b72": "en train LinES",
    "9862d56b3803352f": "en train ParTUT",
    "849d1814228f7b12": "en test EWT",
    "4bc0c9b60c50c6c0": "en test GUM",
    "7f407d48dbe88a8f": "en test LinES",
    "1c869b5f697a6f38": "en test PUD",
    "b43d632679803cdc": "en test ParTUT",
    "40c298350b6f9b96": "fr train ParTUT",
    "7cde3c373d8931cc": "fr train Sequoia",
    "3bb6a9c203e7ee98": "fr train Spoken",
    "9d4d43caa42c84cf": "fr test GSD",
    "cfd6ccdfcc58b5f9": "fr test PUD",
    "fdddf0a0cc356384": "fr test ParTUT",
    "059b37407b470244": "fr test Sequoia",
    "eba93704beede33b": "fr test Spoken",
    "1bd7b5d931db81d5": "fr test SRCMF",
}
_DIGITS = 16

# Test sets by language, and the accuracies in % by language and features: a row for each train set
FIGURE_1_TESTS = {
    "en": "ESL EWT GUM LinES PUD ParTUT".split(),
    "fr": "FTB GSD PUD ParTUT SRCMF Sequoia Spoken".split(),
}
FIGURE_1: dict[tuple[str, str], dict[str, tuple[float, ...]]] = {
    ("fr", "words"): {
        "FTB": (60.0, 69.0, 80.1, 77.2, 98.3, 67.8, 97.9),
        "GSD": (82.0, 57.9, 69.4, 75.3, 98.7, 69.4, 97.3),
        "ParTUT": (82.8, 73.3, 82.9, 68.5, 98.5, 72.5, 97.5),
        "Sequoia": (80.1, 68.4, 79.5, 74.3, 95.7, 48.0, 94.9),
        "Spoken": (97.1, 95.2, 99.2, 97.8, 95.3, 93.4, 67.9),
    },
    ("fr", "labels"): {
        "FTB": (54.2, 66.6, 80.8, 75.8, 99.1, 67.1, 97.9),
        "GSD": (75.1, 61.1, 77.8, 72.3, 99.6, 66.7, 98.1),
        "ParTUT": (75.4, 71.0, 85.8, 63.7, 99.5, 72.8, 98.2),
        "Sequoia": (71.0, 64.3, 81.1, 70.8, 98.2, 51.5, 95.8),
        "Spoken": (97.3, 97.5, 98.8, 94.0, 89.1, 94.8, 61.3),
    },
    ("fr", "both"): {
        "FTB": (60.0, 71.9, 85.6, 79.5, 98.2, 70.7, 98.4),
        "GSD": (85.1, 58.8, 81.4, 73.6, 98.6, 69.2, 97.7),
        "ParTUT": (87.1, 76.3, 87.3, 68.0, 98.7, 75.5, 98.1),
        "Sequoia": (81.6, 69.8, 86.8, 73.1, 95.2, 49.0, 95.5),
        "Spoken": (97.7, 94.9, 99.3, 97.3, 96.4, 93.1, 68.2),
    },
    ("en", "words"): {
        "EWT": (73.0, 62.6, 73.4, 72.3, 79.1, 76.1),
        "GUM": (79.3, 76.0, 67.2, 75.0, 71.7, 71.3),
        "LinES": (78.1, 79.3, 78.4, 60.4, 77.9, 73.5),
        "ParTUT": (85.0, 83.8, 75.7, 78.9, 74.0, 65.6),
    },
    ("en", "labels"): {
        "EWT": (87.1, 59.4, 66.7, 65.9, 73.9, 78.2),
        "GUM": (85.5, 69.3, 56.2, 67.9, 69.1, 75.3),
        "LinES": (84.0, 73.7, 71.1, 51.1, 75.1, 73.1),
        "ParTUT": (86.5, 81.1, 73.0, 74.7, 67.8, 63.5),
    },
    ("en", "both"): {
        "EWT": (87.0, 62.7, 74.1, 74.0, 77.6, 75.6),
        "GUM": (89.2, 77.2, 66.6, 76.5, 72.7, 74.3),
        "LinES": (87.8, 80.4, 77.9, 58.8, 78.3, 73.8),
        "ParTUT": (91.3, 85.4, 78.8, 81.9, 78.6, 65.2),
    },
}


def papers_part(sha256: str) -> tuple[str, str, str] | None:
    """The language (en, fr), part (train, test) and treebank of a file of the paper's; None if it is none of these."""
    found = _FILES.get(sha256[:_DIGITS])
    if found is None:
        return None
    language, part, treebank = found.split()
    return language, part, treebank


def printed_accuracy(train_sha256: str, test_sha256: str, features: str) -> float | None:
    """The accuracy that Figure 1 prints for these two files, as a share; None if they are not the print's."""
    train, test = papers_part(train_sha256), papers_part(test_sha256)
    if train is None or test is None or train[1] != "train" or test[:2] != (train[0], "test"):
        return None
    place = FIGURE_1_TESTS[test[0]].index(test[2])
    return round(FIGURE_1[train[0], features][train[2]][place] / 100, 4)
