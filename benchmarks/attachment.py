"""What co-occurrence statistics cost: reading, counting all 14 features, and the signals of a thousand sentences.

CPU seconds of one process, and its peak memory, by the size of the text that is counted: the English treebanks of UD
2.3 one behind the other, cut, and for a million words twice. The sentences are the first thousand of EWT's test and dev
parts, which are in the text and are left out of the counts. Counts are made for what these ask about.

    python benchmarks/attachment.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from _measuring import DATA, EWT, peak_memory
from karat.corpus import Corpus, read
from karat.corpus.chosen_sentences import chosen_sentences
from karat.systems.attachment.object_columns import ObjectColumns, columns_of_objects, joined_columns
from karat.systems.attachment.signals import signals
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.wordnet_classes import read_wordnet_classes
from karat.systems.groups.cascade import groups_of, read_cascade
from karat.systems.groups.syntactic_objects import SyntacticObjects
from karat.systems.groups.tagged_words import tagged_words

SIZES = (10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
N_SENTENCES = 1000
WORDNET = "/usr/share/wordnet"
_Value = TypeVar("_Value")


def main() -> None:
    print("| words | pairs counted | reading, s | wordnet, s | signals, s | all, s | peak, MB |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for size in SIZES:
        one = json.loads(subprocess.run([sys.executable, __file__, str(size)], check=True, capture_output=True).stdout)
        seconds = [one[name] for name in ("reading", "wordnet", "signals")]
        cells = [f"{one['words']:,}", f"{one['pairs']:,}", *(f"{s:.1f}" for s in (*seconds, sum(seconds)))]
        print(f"| {' | '.join(cells)} | {one['peak'] / 1e6:.0f} |")
    print(f"\nSignals: of {one['asked']:,} pairs in {N_SENTENCES:,} sentences.")


def _measured(size: int) -> dict[str, float]:
    """What a text of about this many words costs."""
    _warm_up()
    columns, reading = _timed(lambda: _text(size))
    wordnet, of_wordnet = _timed(lambda: read_wordnet_classes(WORDNET))
    statistics = CooccurrenceStatistics(columns, "ud", True, wordnet=wordnet)
    asked = _objects(chosen_sentences(read([EWT / "en_ewt-ud-test.conllu"]), np.arange(N_SENTENCES)))
    found, of_signals = _timed(lambda: signals(statistics, asked))
    return {
        "words": columns.n_words,
        "pairs": statistics.n_pairs,
        "reading": reading,
        "wordnet": of_wordnet,
        "signals": of_signals,
        "asked": len(found),
        "peak": peak_memory(),
    }


def _warm_up() -> None:
    """Load what is compiled: that does not depend on the size."""
    few = _objects(chosen_sentences(read([EWT / "en_ewt-ud-dev.conllu"]), np.arange(20)))
    statistics = CooccurrenceStatistics(columns_of_objects(few), "ud", True, wordnet=read_wordnet_classes(WORDNET))
    signals(statistics, few)


def _text(size: int) -> ObjectColumns:
    """The treebanks, EWT's test part first, as often as it takes to have so many words; the last one cut."""
    paths = sorted(
        (DATA / "ud-2.3").glob("UD_English-*/*.conllu"), key=lambda path: path.name != "en_ewt-ud-test.conllu"
    )
    parts: list[ObjectColumns] = []
    left = size
    while left > 0:
        for path in paths:
            corpus = read([path])
            n = int(np.searchsorted(corpus.sentence_offsets[1:], left, side="right"))
            if n:
                cut = corpus if n == corpus.n_sentences else chosen_sentences(corpus, np.arange(n))
                parts.append(columns_of_objects(_objects(cut)))
            left -= corpus.n_words
            if left <= 0:
                break
    return joined_columns(parts)


def _objects(corpus: Corpus) -> SyntacticObjects:
    return groups_of(tagged_words(corpus), read_cascade("ud"))


def _timed(task: Callable[[], _Value]) -> tuple[_Value, float]:
    """What a task gives, and its CPU seconds."""
    start = time.process_time()
    found = task()
    return found, time.process_time() - start


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_measured(int(sys.argv[1]))))
    else:
        main()
