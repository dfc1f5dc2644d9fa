"""A review of 100,000 rows: opened, judged, its file kept current. Nobody else does this; the goals are the issue's."""

from __future__ import annotations

import os
from pathlib import Path

from _measuring import measured, memory_table, time_line, warm

N_ROWS = 100_000
MOST_SECONDS, MOST_BYTES = 3.0, 500_000_000
N_DECIDED = 100


def review_opened(path: str) -> object:
    """A list that was never reviewed, opened."""
    from karat.review.session import STORE_SUFFIX, Review

    if os.path.exists(path + STORE_SUFFIX):
        os.unlink(path + STORE_SUFFIX)
    with Review.opened(path) as review:
        return len(review.worklist.rows)


def review_opened_again(path: str) -> object:
    """A list whose review goes on."""
    from karat.review.session import Review

    with Review.opened(path) as review:
        return len(review.store.judgements(""))


def review_judged(path: str) -> object:
    """Opened, 100 verdicts, the file brought up to date after each."""
    from karat.review.session import Review

    with Review.opened(path) as review:
        for number in range(N_DECIDED):
            review.store.decide("", f"b{number}", ("accept", "reject")[number % 2], request=os.urandom(8).hex())
            review.bring_up_to_date("")
        return len(review.store.judgements(""))


TASKS = (review_opened, review_opened_again, review_judged)


def tables(folder: Path) -> list[str]:
    from karat.corpus.worklist import Worklist, WorklistRow, write_worklist

    text = "the old boat comes slowly into the harbour at dawn " * 3
    rows = [
        WorklistRow(f"b{k}", "bracket", "harbour", f"s{k}", 1, 4, text, f"(NP the old boat {k})") for k in range(N_ROWS)
    ]
    path = folder / "check.tsv"
    write_worklist(path, Worklist(tuple(rows), ("Accept a bracket if these words are a phrase.",)))
    tasks = [warm(name, task, 3, str(path)) for name, task in zip(("first", "again", "judged"), TASKS, strict=True)]
    first, again, judged = measured(tasks, 2)
    return [
        *time_line(f"`karat review`: a list of {N_ROWS:,} rows opened for the first time", first, MOST_SECONDS),
        *time_line("… opened again", again, MOST_SECONDS),
        *memory_table(f"… opened, {N_DECIDED} verdicts, the file written after each", judged, MOST_BYTES),
    ]
