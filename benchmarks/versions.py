"""Two versions of a corpus compared: EWT train and copies of it with other labels, and with other tokens."""

from __future__ import annotations

from pathlib import Path

import karat
from _measuring import EWT, KARAT, cold, corrupted_copy, growth_table, measured, time_line, warm

TRAIN = EWT / "en_ewt-ud-train.conllu"
GOAL = 3.0


def compared(new: str) -> object:
    """The differences, all of them as data."""
    return karat.diff(TRAIN, new).to_dict()


TASKS = [compared]


def tables(folder: Path) -> list[str]:
    labels, tokens = corrupted_copy(TRAIN, folder), corrupted_copy(TRAIN, folder, rates="TOKENISATION")
    whole = measured([cold("karat diff", *KARAT, "diff", TRAIN, labels)], rounds=5)
    others = [("none", TRAIN), ("labels", labels), ("labels, tokens and sentences", tokens)]
    grown = measured([warm(what, compared, 3, path) for what, path in others], rounds=2)
    return [
        *time_line(
            "karat diff: EWT train and a copy with changes in every column, process start included", whole[0], GOAL
        ),
        *growth_table("karat.diff of EWT train and a copy, all changes as data, warm", "what changed", grown),
    ]
