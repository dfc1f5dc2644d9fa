"""What Wisniewski & Yvon 2019 print in Figure 1, and the files of UD 2.3 that it is about.

The print has also ESL, FTB and, as training text, French GSD. Files are known by the first digits of their SHA-256, so
that other releases of a treebank, which bear the same name, are not set beside numbers that are not theirs.
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

_TESTS = {"en": "EWT GUM LinES PUD ParTUT".split(), "fr": "GSD PUD ParTUT SRCMF Sequoia Spoken".split()}
_PRINTED: dict[tuple[str, str], dict[str, tuple[float, ...]]] = {
    ("en", "words"): {
        "EWT": (62.6, 73.4, 72.3, 79.1, 76.1),
        "GUM": (76.0, 67.2, 75.0, 71.7, 71.3),
        "LinES": (79.3, 78.4, 60.4, 77.9, 73.5),
        "ParTUT": (83.8, 75.7, 78.9, 74.0, 65.6),
    },
    ("en", "labels"): {
        "EWT": (59.4, 66.7, 65.9, 73.9, 78.2),
        "GUM": (69.3, 56.2, 67.9, 69.1, 75.3),
        "LinES": (73.7, 71.1, 51.1, 75.1, 73.1),
        "ParTUT": (81.1, 73.0, 74.7, 67.8, 63.5),
    },
    ("en", "both"): {
        "EWT": (62.7, 74.1, 74.0, 77.6, 75.6),
        "GUM": (77.2, 66.6, 76.5, 72.7, 74.3),
        "LinES": (80.4, 77.9, 58.8, 78.3, 73.8),
        "ParTUT": (85.4, 78.8, 81.9, 78.6, 65.2),
    },
    ("fr", "words"): {
        "ParTUT": (73.3, 82.9, 68.5, 98.5, 72.5, 97.5),
        "Sequoia": (68.4, 79.5, 74.3, 95.7, 48.0, 94.9),
        "Spoken": (95.2, 99.2, 97.8, 95.3, 93.4, 67.9),
    },
    ("fr", "labels"): {
        "ParTUT": (71.0, 85.8, 63.7, 99.5, 72.8, 98.2),
        "Sequoia": (64.3, 81.1, 70.8, 98.2, 51.5, 95.8),
        "Spoken": (97.5, 98.8, 94.0, 89.1, 94.8, 61.3),
    },
    ("fr", "both"): {
        "ParTUT": (76.3, 87.3, 68.0, 98.7, 75.5, 98.1),
        "Sequoia": (69.8, 86.8, 73.1, 95.2, 49.0, 95.5),
        "Spoken": (94.9, 99.3, 97.3, 96.4, 93.1, 68.2),
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
    place = _TESTS[test[0]].index(test[2])
    return round(_PRINTED[train[0], features][train[2]][place] / 100, 4)
