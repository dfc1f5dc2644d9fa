"""Suspects: how many of the first were really corrected later, and how many planted errors are among them.

    python benchmarks/suspects.py --output docs/suspects-found.md

GUM of UD 2.3, all parts as one text, UPOS. *Corrected* is a word that a later release of GUM has another UPOS for
(`corrections/gum-2.3-to-newest.tsv`); *sporadic* are those whose change is no convention: a change is one if at least
half of all words of that form with that label, and at least five, were changed in the same way. What was not changed
may be wrong still. Documents are in two halves by a hash of their names, as in `later_corrections.py`; the weights of
`karat.suspects.evidence` are those that were best on half 0, though half 1 was printed beside it. Beside karat's
rankings stands cleanlab's self-confidence of tokens, from the same probabilities.

Errors are planted in the same text at random words, inside and outside of repeats: one in 150 words gets any other
label, or another one of those that its form has elsewhere. *Recall* is the share of them among as many suspects as
there are planted errors, twice and four times as many.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

import karat
from _measuring import DATA
from karat._arrays import Flags, Floats, Indices
from karat.corpus import Corpus, corpus_from_source, source_from_bytes
from karat.corpus.whole_columns import bytes_with_columns
from karat.gold.treebank_folders import treebank_whole
from karat.inference.wilson import wilson
from karat.suspects.search import RANKS, Suspects, find_suspects, weights_of
from later_corrections import half_of

GUM = DATA / "ud-2.3" / "UD_English-GUM"
TOPS, TOPS_OF_HALF = (200, 500, 1000), (100, 250, 500)
ONE_IN = 150


def whole() -> Corpus:
    paths = treebank_whole(GUM)
    assert isinstance(paths, list)
    return karat.read_conllu(paths)


def order_of(scores: Floats, words: Indices | None = None) -> Indices:
    """Words by their scores, the highest first, of equal ones the first in the text."""
    chosen = np.arange(len(scores)) if words is None else words
    return chosen[np.argsort(-scores[chosen], kind="stable")]


def rankings(found: Suspects) -> dict[str, Floats]:
    """The score of every word by each ranking; cleanlab's from the tagger's probabilities."""
    every: dict[str, Floats] = {name: found.found.scores(weights_of(name)) for name in RANKS}
    doubts = found.found.doubts
    assert doubts is not None
    every["tagger"] = -doubts.probability  # finer than the odds, which have a limit
    every["cleanlab"] = cleanlab_scores(found)
    return every


def cleanlab_scores(found: Suspects) -> Floats:
    """cleanlab's self-confidence of each token: low is bad there."""
    from cleanlab.token_classification.rank import get_label_quality_scores

    doubts, corpus = found.found.doubts, found.corpus
    assert doubts is not None
    # of two classes: the label, and the likeliest other, as it has no more probabilities than it is given
    chances = np.column_stack([doubts.probability, np.maximum(1 - doubts.probability, 0)])
    bounds = corpus.sentence_offsets
    sentences = [chances[a:b] for a, b in pairwise(bounds.tolist())]
    labels = [[0] * len(one) for one in sentences]
    _, scores = get_label_quality_scores(labels, sentences, token_score_method="self_confidence")
    return -np.concatenate([np.asarray(one) for one in scores])


# ---- later corrections -----------------------------------------------------------------------------------------------


def corrected(corpus: Corpus) -> tuple[Flags, Flags]:
    """Which words were corrected later, and which of these corrections are no convention."""
    ids = {corpus.sent_id(number): number for number in range(corpus.n_sentences)}
    changes: list[tuple[int, tuple[str, str, str]]] = []
    with open(DATA / "corrections" / "gum-2.3-to-newest.tsv", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["upos"] != row["new_upos"] and row["sent_id"] in ids:
                word = int(corpus.sentence_offsets[ids[row["sent_id"]]]) + int(row["token"]) - 1
                changes.append((word, (row["form"].lower(), row["upos"], row["new_upos"])))
    forms, labels = (corpus.column(name).strings() for name in ("form", "upos"))
    n_with = Counter(zip((form.lower() for form in forms), labels, strict=True))
    n_changed = Counter(change for _, change in changes)
    is_changed, is_sporadic = np.zeros((2, corpus.n_words), dtype=np.bool_)
    for word, change in changes:
        is_changed[word] = True
        is_sporadic[word] = n_changed[change] < 5 or n_changed[change] < 0.5 * n_with[change[:2]]
    return is_changed, is_sporadic


def shares(title: str, scores: Mapping[str, Floats], words: Indices, tops: Sequence[int], *of: Flags) -> list[str]:
    is_changed, is_sporadic = of
    head = "| ranking | " + " | ".join(f"first {top}" for top in tops) + " |"
    lines = [f"### {title}", "", head, "|---|" + "---:|" * len(tops)]
    for name, score in scores.items():
        order = order_of(score, words)
        cells = []
        for top in tops:
            hits = int(is_changed[order[:top]].sum())
            low, high = wilson(hits / top, top, 0.95)
            sporadic = 100 * is_sporadic[order[:top]].mean()
            cells.append(f"{100 * hits / top:.1f} ({100 * low:.1f} to {100 * high:.1f}); sporadic {sporadic:.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def later(corpus: Corpus) -> list[str]:
    found = find_suspects(corpus)
    is_changed, is_sporadic = corrected(corpus)
    scores = rankings(found)
    ids = [corpus.sent_id(number) or "" for number in range(corpus.n_sentences)]
    half = np.array([half_of(one) for one in ids]).take(corpus.words_sentence)
    lines = [
        "## Later corrections",
        "",
        f"{is_changed.sum():,} of {corpus.n_words:,} words were corrected later, {is_sporadic.sum():,} one by one.",
        "Shares of the first suspects in %, with 95 % intervals (Wilson's, as if words were independent).",
        "",
    ]
    lines += shares("All of GUM", scores, np.arange(corpus.n_words), TOPS, is_changed, is_sporadic)
    for number, name in ((0, "Half 0, on which weights were chosen"), (1, "Half 1, on which they were not")):
        lines += shares(name, scores, np.flatnonzero(half == number), TOPS_OF_HALF, is_changed, is_sporadic)
    return lines


# ---- planted errors --------------------------------------------------------------------------------------------------


def planted(corpus: Corpus, seed: int, *, own: bool) -> tuple[Corpus, Indices]:
    """The corpus with errors at random words, and which words these are; with `own`, labels that the form has."""
    rng = np.random.default_rng([seed, 47])
    labels, form = corpus.column("upos"), corpus.column("form")
    names, n = labels.vocabulary.strings, len(labels.vocabulary)
    ids = labels.ids.astype(np.int32).copy()
    seen = np.zeros((len(form.vocabulary), n), dtype=np.bool_)
    seen[form.ids, labels.ids] = True
    can_be = seen[form.ids] if own else np.ones((corpus.n_words, n), dtype=np.bool_)
    can_be[np.arange(corpus.n_words), ids] = False
    words = np.flatnonzero(can_be.any(axis=1))
    chosen = np.sort(rng.choice(words, corpus.n_words // ONE_IN, replace=False))
    for word in chosen.tolist():
        ids[word] = rng.choice(np.flatnonzero(can_be[word]))
    data = b"".join(bytes_with_columns(corpus, {"upos": (ids, names)}))
    return corpus_from_source(source_from_bytes(data, "planted.conllu")), chosen


def recall(corpus: Corpus, seeds: Iterable[int]) -> list[str]:
    lines = [
        "## Planted errors",
        "",
        f"One in {ONE_IN} words of GUM, mean of {len(list(seeds))} plantings; recall in %.",
        "",
        "| planted | ranking | as many rows | twice | four times |",
        "|---|---|---:|---:|---:|",
    ]
    for own, what in ((False, "any other label"), (True, "a label that the form has")):
        found: dict[str, list[list[float]]] = {}
        for seed in seeds:
            text, words = planted(corpus, seed, own=own)
            for name, score in rankings(find_suspects(text, taggers=1)).items():
                order = order_of(score)
                hits = [float(np.isin(words, order[: times * len(words)]).mean()) for times in (1, 2, 4)]
                found.setdefault(name, []).append(hits)
        for name, every in found.items():
            cells = [f"{100 * one:.1f}" for one in np.mean(every, axis=0)]
            lines.append(f"| {what} | {name} | " + " | ".join(cells) + " |")
    return [*lines, "", "Planted errors are in no tree and in no other tag, so that both speak against them.", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="write the page to this file too")
    arguments = parser.parse_args()
    corpus = whole()
    made = "Made by `python benchmarks/suspects.py --output docs/suspects-found.md`, which says how."
    text = "\n".join(["# What suspects find", "", made, "", *later(corpus), *recall(corpus, (1, 2))])
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
