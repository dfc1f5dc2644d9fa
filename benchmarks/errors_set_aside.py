"""Errors set aside, beside the paper: the table of docs/errors-set-aside.md (`python benchmarks/errors_set_aside.py`).

EWT's training text of UD 2.3, and a small tagger that learnt from it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from _measuring import DATA
from karat.corpus import Corpus, corpus_from_source, read_conllu, source_from_bytes
from karat.evaluation.results import MeasureScore
from karat.gold.errors_set_aside import errors_set_aside

TREEBANKS = {"PUD": "UD_English-PUD/en_pud", "EWT": "UD_English-EWT/en_ewt", "LinES": "UD_English-LinES/en_lines"}


class BigramTagger:
    """Bigrams of tags with the tags that words, or else the ends of words, have in training: small, but it learns."""

    def __init__(self, training: Corpus) -> None:
        self.of_word: dict[str, Counter[str]] = defaultdict(Counter)
        self.of_end: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
        self.after: dict[str, Counter[str]] = defaultdict(Counter)
        self.all: Counter[str] = Counter()
        for words, tags in self.sentences(training):
            for word, tag, before in zip(words, tags, ["", *tags], strict=False):
                self.of_word[word][tag] += 1
                self.all[tag] += 1
                self.after[before][tag] += 1
                for n in (1, 2, 3):
                    self.of_end[word[-n:], word[0].isupper()][tag] += 1

    @staticmethod
    def sentences(corpus: Corpus) -> Iterator[tuple[list[str], list[str]]]:
        words, tags = corpus.column("form").strings(), corpus.column("upos").strings()
        bounds = corpus.sentence_offsets.tolist()
        for start, stop in pairwise(bounds):
            yield words[start:stop], tags[start:stop]

    def candidates(self, word: str) -> Counter[str]:
        if word in self.of_word:
            return self.of_word[word]
        ends = [(word[-n:], word[0].isupper()) for n in (3, 2, 1)]
        return next((self.of_end[end] for end in ends if end in self.of_end), self.all)

    def tagged(self, words: Sequence[str]) -> list[str]:
        best: dict[str, tuple[float, list[str]]] = {"": (0.0, [])}
        for word in words:
            candidates = self.candidates(word)
            new = {}
            for tag, n in candidates.items():
                here = math.log(n / candidates.total() / self.all[tag])
                new[tag] = max(
                    (
                        score + here + math.log((self.after[last][tag] + 0.1) / (self.after[last].total() + 2)),
                        [*way, tag],
                    )
                    for last, (score, way) in best.items()
                )
            best = new
        return max(best.values())[1]


def tagged_by(tagger: BigramTagger, corpus: Corpus) -> Corpus:
    """The corpus with the tagger's tags."""
    lines = []
    for words, _ in tagger.sentences(corpus):
        lines += [f"{word}\t{tag}\n" for word, tag in zip(words, tagger.tagged(words), strict=True)] + ["\n"]
    return corpus_from_source(source_from_bytes("".join(lines).encode()), input="tsv")


def shown(score: MeasureScore | None) -> str:
    if score is None:
        return "–"
    between = "" if score.lower is None else f" ({100 * score.lower:.2f}–{100 * (score.upper or 1):.2f})"
    return f"{100 * score.value:.2f}{between}"


def main() -> None:
    folder = DATA / "ud-2.3"
    train = read_conllu(folder / "UD_English-EWT/en_ewt-ud-train.conllu")
    tagger = BigramTagger(train)
    print("| gold | | full | ignoring | outside | repeats | set aside | with an error | in a repeat |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, path in TREEBANKS.items():
        gold = read_conllu(folder / f"{path}-ud-test.conllu")
        system = tagged_by(tagger, gold)
        for heuristic in ("minsize", "disjoint", "all"):
            found = errors_set_aside(gold, system, train, heuristic=heuristic)
            one = found.systems[0]
            cells = [f"{name} test", heuristic, shown(one.full), shown(one.ignoring), shown(one.outside)]
            cells += [f"{len(found.suspicious):,}", f"{one.n_set_aside:,} of {one.n_errors:,}"]
            cells += [
                f"{100 * one.n_with_error / len(found.suspicious):.1f} %",
                f"{100 * one.n_covered / one.n_words:.0f} %",
            ]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
