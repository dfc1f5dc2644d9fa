"""Worklists of repeats that tests make, judge and save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from karat.corpus import Corpus
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.gold.repeats.judged_repeats import repeat_worklist
from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats

__all__ = ["judged", "labels_of", "listed", "saved"]


def listed(
    *corpora: Corpus,
    of: str | Sequence[str] = "upos",
    min_words: int = 3,
    fold_case: bool = False,
    punctuation: bool = True,
) -> Worklist:
    text = running_text(corpora, fold_case=fold_case, punctuation=punctuation)
    repeats = maximal_repeats(text, min_words=min_words, between=len(corpora) > 1)
    labels = dependency_labels(text) if of == "dependencies" else column_labels(text, of)
    found = suspicious_repeats(repeats, labels)
    return repeat_worklist(found, fold_case=fold_case, settings=[("min-words", str(min_words))])


def judged(worklist: Worklist, judge: Callable[[WorklistRow], tuple[str, str]]) -> Worklist:
    rows = [replace(row, verdict=verdict, label=label) for row in worklist.rows for verdict, label in [judge(row)]]
    return replace(worklist, rows=tuple(rows))


def saved(folder: Path, worklist: Worklist, name: str = "judged.tsv") -> Path:
    write_worklist(folder / name, worklist)
    return folder / name


def labels_of(row: WorklistRow) -> tuple[str, str]:
    """The labels A and B that a row shows."""
    a = row.shown.partition("  A) ")[2].partition(", ")[0]
    return a, row.shown.partition("  B) ")[2].partition(", ")[0]
