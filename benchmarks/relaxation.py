"""Relaxation labelling on EWT, XPOS: accuracy of all kinds of constraints beside hidden Markov models, and their speed.

Trained on EWT train, tested on EWT test; all choices were made on its dev set. Words with several candidates are those
for which the tagger has a choice, unknown ones included; ambiguous known words have several tags in EWT train, as
`karat noise --lexicon` defines them. Tagging is of forms as strings, looking them up included; CPU seconds.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from _measuring import EWT, Task, measured, warm

TRAIN, TEST = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"
KINDS = ("B", "T", "BT", "C", "BC", "TC", "BTC")
SYSTEMS = ("hmm:order=1", "hmm:order=2", *(f"relaxation:constraints={kinds}" for kinds in KINDS))
TEXTBOOK = ("relaxation:constraints=B,update=textbook", "relaxation:constraints=TC,update=textbook")
LEAST_WORDS_A_SECOND, MORE_WORDS_A_SECOND = 100_000, 400_000


@cache
def labelled(path: Path) -> Any:
    import karat
    from karat.systems.words import labelled_words

    return labelled_words(karat.read_conllu(path), "xpos")


@cache
def tagger_of(system: str) -> Any:
    from karat.systems.options import system_from_text
    from karat.systems.training import trained_tagger

    _, options = system_from_text(system)
    return trained_tagger(labelled(TRAIN), "xpos", options, 0)


def relaxation_training(system: str) -> object:
    tagger_of.cache_clear()
    return tagger_of(system)


def relaxation_tags(system: str) -> object:
    return tagger_of(system).tag(labelled(TEST).words)


TASKS = (relaxation_training, relaxation_tags)


def accuracies(system: str) -> tuple[float, float, float]:
    """The accuracy on all words, on those with several candidates, and on ambiguous known ones."""
    train, test, tagger = labelled(TRAIN), labelled(TEST), tagger_of(system)
    number = {label: place for place, label in enumerate(tagger.labels)}
    gold = np.array([number.get(label, -1) for label in test.labels])[test.label_ids]
    is_right = tagger.tag(test.words) == gold
    has_several = (tagger.lexical.of(test.words.forms).sizes > 1)[test.words.ids]
    tags: dict[str, set[int]] = {}
    for form, label in zip(train.words.ids.tolist(), train.label_ids.tolist(), strict=True):
        tags.setdefault(train.words.forms[form], set()).add(label)
    is_ambiguous = np.array([len(tags.get(form, ())) > 1 for form in test.words.forms])[test.words.ids]
    return tuple(float(is_right[some].mean()) for some in (slice(None), has_several, is_ambiguous))  # type: ignore[return-value]


def tables(_: Path) -> list[str]:
    systems = (*SYSTEMS, *TEXTBOOK)
    training = measured([warm(system, relaxation_training, 2, system) for system in systems], 1)
    tagging = measured([warm(system, relaxation_tags, 5, system) for system in systems], 3)
    n_words = len(labelled(TEST).words)
    rows = [_row(*of, n_words) for of in zip(systems, training, tagging, strict=True)]
    speed = n_words / tagging[systems.index("relaxation:constraints=TC")].best
    return [
        f"## Relaxation labelling: EWT test, XPOS ({n_words:,} words), accuracy in % and speed, warm",
        "",
        "| system | all words | several candidates | ambiguous known words | training, CPU s | words per CPU s |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
        "",
        f"Goal TC ≥ {LEAST_WORDS_A_SECOND:,} words per CPU second: {_verdict(speed >= LEAST_WORDS_A_SECOND)}; "
        f"≥ {MORE_WORDS_A_SECOND:,}: {_verdict(speed >= MORE_WORDS_A_SECOND)}.",
        "",
    ]


def _row(system: str, training: Task, tagging: Task, n_words: int) -> str:
    of_words = " | ".join(f"{100 * one:.2f}" for one in accuracies(system))
    return f"| {system} | {of_words} | {training.best:.1f} | {n_words / tagging.best:,.0f} |"


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "NOT met"
