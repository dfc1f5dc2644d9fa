"""Do intervals cover on real text? Documents drawn from GUM and from EWT, whose whole is the truth.

`python benchmarks/real_documents.py` prints the table of docs/calibration.md. Two taggers that learnt from LinES give
each word the commonest tag it has there; of words that are not there, one says NOUN and the other what words with the
same ending have. 8, 15 or 30 documents are drawn 1,000 times, without replacement, sentences and all.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

import numpy as np

from _measuring import DATA
from karat._arrays import Floats
from karat.corpus import Corpus, read_conllu
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.plain_words import verdict
from karat.evaluation.system_pair import System, Wanted
from karat.inference.clusters import Clusters
from karat.inference.intervals import intervals
from karat.inference.options import InferenceOptions
from karat.measures.words.tags import UPOS

FOLDER = DATA / "ud-2.3"
CORPORA = {"GUM": "UD_English-GUM/en_gum", "EWT": "UD_English-EWT/en_ewt"}
N_DRAWS = 1000
MEASURE = UPOS().by("recall")


def tags_of(train: Corpus, *, by_ending: bool) -> dict[str, str]:
    """The commonest tag of each word, and of each ending of up to four letters (written with - before)."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in zip(train.column("form").strings(), train.column("upos").strings(), strict=True):
        for key in [word, *(f"-{word[-n:]}" for n in range(1, 5) if by_ending)]:
            seen[key][tag] += 1
    return {key: max(sorted(tags), key=tags.__getitem__) for key, tags in seen.items()}


def right(corpus: Corpus, tags: dict[str, str]) -> Floats:
    """Of every sentence the words that have the right tag."""
    words, gold = corpus.column("form").strings(), corpus.column("upos").strings()
    keys = ([word, *(f"-{word[-n:]}" for n in (4, 3, 2, 1))] for word in words)
    found = [next((tags[key] for key in some if key in tags), "NOUN") for some in keys]
    is_right = np.array([one == other for one, other in zip(found, gold, strict=True)])
    return np.bincount(corpus.words_sentence[is_right], minlength=corpus.n_sentences).astype(np.float64)


def drawn(corpus: Corpus, systems: list[Floats], n: int, seed: int) -> tuple[bool, bool, bool]:
    """Whether the intervals of the first score and of the difference cover, and whether they are told the wrong way."""
    words = np.diff(corpus.sentence_offsets).astype(np.float64)
    truth = [one.sum() / words.sum() for one in systems]
    chosen = np.random.default_rng([seed, n]).choice(corpus.n_documents, n, replace=False)
    document = corpus.sentence_document
    rows = np.flatnonzero(np.isin(document, chosen))
    _, of_sentence = np.unique(document[rows], return_inverse=True)
    clusters = Clusters("document", "document", of_sentence, n, words[rows], None, n)
    counts = [np.column_stack([words, words, one, words])[rows] for one in systems]
    options = InferenceOptions()
    score = intervals([(counts[0], MEASURE)], clusters, options)[0]
    entries = [System(name, [{"UPOS": one}]) for name, one in zip("ab", counts, strict=True)]
    (pair,), _ = AllPairs(entries, clusters, Wanted(options)).compared([MEASURE])
    wrong = verdict(pair, options.level) == "different" and pair.difference * (truth[1] - truth[0]) < 0
    assert score.lower is not None
    assert score.upper is not None
    assert pair.interval is not None
    assert pair.interval.lower is not None
    assert pair.interval.upper is not None
    difference = truth[1] - truth[0]
    return (
        bool(score.lower <= truth[0] <= score.upper),
        bool(pair.interval.lower <= difference <= pair.interval.upper),
        bool(wrong),
    )


def main() -> None:
    train = read_conllu(FOLDER / "UD_English-LinES/en_lines-ud-train.conllu")
    every = [tags_of(train, by_ending=by_ending) for by_ending in (False, True)]
    print("| corpus | documents | drawn | score covered | difference covered | told the wrong way |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, path in CORPORA.items():
        corpus = read_conllu([FOLDER / f"{path}-ud-{part}.conllu" for part in ("train", "dev", "test")])
        systems = [right(corpus, tags) for tags in every]
        for n in (8, 15, 30):
            found = np.mean([drawn(corpus, systems, n, seed) for seed in range(N_DRAWS)], axis=0)
            cells = [name, str(corpus.n_documents), str(n), *(f"{100 * one:.1f}" for one in found)]
            print("| " + " | ".join(cells) + " |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
