"""Figure 1 of Wisniewski & Yvon 2019 anew: `python benchmarks/divergence_of_ud.py` (needs the data and scikit-learn).

Prints how near each way of telling corpora apart comes to the print, and the CPU seconds of karat's own, over the 20
cells of English and 18 of French treebanks of UD 2.3 that the data has. The other ways are scikit-learn's.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import karat
from karat.gold.divergence.diverge import FEATURES, diverge
from karat.gold.divergence.divergence_results import Divergences, PairDivergence
from karat.report.divergence import nearness

DATA = Path(os.environ.get("KARAT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")) / "ud-2.3"
TREEBANKS = {"English": sorted(DATA.glob("UD_English-*")), "French": sorted(DATA.glob("UD_*French-*"))}
N_SPLITS = 5  # of the other ways


def main() -> None:
    print("| treebanks | way | words | labels | both | CPU s |\n|---|---|---|---|---|---|")
    bayes = import_module("sklearn.naive_bayes")
    for language, folders in TREEBANKS.items():
        start = time.process_time()
        result = diverge(folders, preset="paper")
        taken = f"{time.process_time() - start:.1f}"
        print(f"| {language} | karat | {shown(result.cells)} | {taken} |", flush=True)
        for way, (make, vocabulary, options) in {
            "sentences of the same text in both halves": (bayes.MultinomialNB, "learnt", {}),
            "… and the vocabulary of all text": (bayes.MultinomialNB, "all", {}),
            "… and α = 0.1": (lambda: bayes.MultinomialNB(alpha=0.1), "learnt", {}),
            "… and n-grams once a sentence": (bayes.MultinomialNB, "learnt", {"binary": True}),
            "… and lower case": (bayes.MultinomialNB, "learnt", {"lowercase": True}),
            "… and Bernoulli": (bayes.BernoulliNB, "learnt", {}),
        }.items():
            print(
                f"| {language} | {way} | {shown(list(others(result, folders, make, vocabulary, options)))} | |",
                flush=True,
            )


def shown(cells: Any) -> str:
    parts = []
    for features in FEATURES:
        _, distance, correlation = nearness([one for one in cells if one.features == features])
        parts.append(f"{distance:.2f}, {correlation:.3f}")
    return " | ".join(parts)


def others(
    result: Divergences, folders: list[Path], make: Callable[[], Any], vocabulary: str, options: dict[str, bool]
) -> Iterator[PairDivergence]:
    """The cells, their accuracies by a classifier and a vectoriser of scikit-learn."""
    text = import_module("sklearn.feature_extraction.text")
    documents: dict[tuple[str, str, str], list[list[str]]] = {}
    for folder in folders:
        for role in ("train", "test"):
            for path in folder.glob(f"*-{role}.conllu"):
                for features in FEATURES:
                    documents[folder.name, role, features] = units(karat.read(path, trees=False), features, options)
    for cell in result.cells:
        first, second = documents[cell.train, "train", cell.features], documents[cell.test, "test", cell.features]
        vectors = text.CountVectorizer(analyzer=ngrams, binary="binary" in options)
        counts = vectors.fit_transform(first + second).tocsr()
        random = np.random.default_rng(0)
        found = [accuracy(counts, len(first), len(second), make(), vocabulary, random) for _ in range(N_SPLITS)]
        yield replace(cell, accuracy=float(np.mean(found)))


def accuracy(
    counts: Any, n_first: int, n_second: int, model: Any, vocabulary: str, random: np.random.Generator
) -> float:
    size = min(n_first, n_second)
    rows = np.append(random.permutation(n_first)[:size], n_first + random.permutation(n_second)[:size])
    is_first = np.arange(2 * size) < size
    order = random.permutation(2 * size)
    learn, test = order[:size], order[size:]
    known = np.flatnonzero(counts[rows[learn]].getnnz(0)) if vocabulary == "learnt" else slice(None)
    model.fit(counts[rows[learn]][:, known], is_first[learn])
    return float(model.score(counts[rows[test]][:, known], is_first[test]))


def units(corpus: karat.Corpus, features: str, options: dict[str, bool]) -> list[list[str]]:
    words, labels = corpus.column("form").strings(), corpus.column("upos").strings()
    words = [word.lower() for word in words] if "lowercase" in options else words
    both = [f"{word}/{tag}" for word, tag in zip(words, labels, strict=True)]
    every = {"words": words, "labels": labels, "both": both}[features]
    return [every[start:stop] for start, stop in pairwise(corpus.sentence_offsets.tolist())]


def ngrams(units: list[str]) -> list[str]:
    return [*units, *map(" ".join, pairwise(units))]


if __name__ == "__main__":
    main()
