"""Suspicious repeats over all pairs of a train part with a dev or test part [Wisniewski & Yvon 2019, §5]."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache

from karat.corpus import Corpus
from karat.experiments.analyses.conditions import Runs, across_texts
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.experiments.papers.wisniewski_2019_prints import TOTALS
from karat.experiments.treebanks import TextFiles, TextReading, corpus_of, text_of
from karat.gold.repeats.shared_with_training import shared_repeats
from karat.gold.treebank_folders import PARTS, treebank_parts
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS = ("language", "part", "pairs", "matches", "of_3_words", "of_5_words", "disjoint")
_ALL_OF_UD = "paper, all"


def totals_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each language and part, dev or test, and one of all; the last is the print, over all of UD 2.3.

    Counted are the repeats of one word and more that are in both texts and suspicious: `matches`; those of 3 and 5
    words and more; and those of which the two texts have no labelling in common. Dev parts are those that lie beside
    the test parts.
    """
    every = {(one.train, one.test): one for one in across_texts(grid, "totals")}
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for one in every.values():
        for part, text in _held_out(one):
            counts = _counts(one.text("train"), text, one.reading)
            row = rows.setdefault((one.language, part), dict.fromkeys(COLUMNS[2:], 0))
            for name, n in zip(COLUMNS[2:], (1, *counts), strict=True):
                row[name] += n
    total = {name: sum(row[name] for row in rows.values()) for name in COLUMNS[2:]}
    shown: list[dict[str, Cell]] = [{"language": who or None, "part": part, **row} for (who, part), row in rows.items()]
    shown.append({"language": "all", "part": "dev and test", **total})
    shown.append({"language": _ALL_OF_UD, "part": "dev and test", "pairs": None, **TOTALS})
    return GridTable(
        "totals",
        "Suspicious repeats between train parts and dev or test parts",
        (
            f"{total['matches']:,} suspicious repeats in {total['pairs']} pairs of texts; {total['of_3_words']:,} of 3 "
            f"words or more, {total['of_5_words']:,} of 5 or more; {total['disjoint']:,} disjoint.",
        ),
        COLUMNS,
        tidy(COLUMNS, shown),
        {**total, **{f"paper_{name}": value for name, value in TOTALS.items()}},
        ("The paper's totals are over all languages of UD 2.3: more data.",),
        grid.signature,
        inference.level,
    )


def _held_out(runs: Runs) -> Iterator[tuple[str, TextFiles]]:
    """The test of a condition, and the dev part of the same treebank, if it is a folder that has one."""
    yield "test", runs.text("test")
    folder = os.path.dirname(runs.text("test").paths[0])
    if os.path.basename(folder) == runs.test:
        dev = treebank_parts(folder, PARTS).get("dev")
        if isinstance(dev, Sequence) and not isinstance(dev, str):
            yield "dev", text_of([os.fspath(path) for path in dev])


@lru_cache(maxsize=4096)
def _counts(train: TextFiles, text: TextFiles, reading: TextReading) -> tuple[int, int, int, int]:
    """Suspicious repeats of two texts: all, of 3 words and more, of 5 and more, disjoint."""
    return suspicious_counts(corpus_of(train, reading), corpus_of(text, reading), reading.tag)


def suspicious_counts(train: Corpus, held_out: Corpus, tag: str) -> tuple[int, int, int, int]:
    """Suspicious repeats that are in both texts: all, of 3 words and more, of 5 and more, disjoint."""
    found = shared_repeats(train, held_out, tag, min_words=1, disjoint=False)
    length = found.suspicious.length
    return len(length), int((length >= 3).sum()), int((length >= 5).sum()), int(found.suspicious.disjoint.sum())
