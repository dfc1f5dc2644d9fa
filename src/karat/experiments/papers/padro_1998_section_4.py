"""Section 4 of Padró & Màrquez 1998: what t, u and p are where errors are planted, and whether the bounds hold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from karat._arrays import Flags
from karat.corpus import Corpus
from karat.corpus.lexicon import AMBIGUOUS
from karat.experiments.grid import GridCell
from karat.experiments.papers.padro_1998_texts import (
    COLUMN,
    PLANTED,
    PLANTED_IN,
    PLANTED_RATE,
    SECOND,
    Plant,
    Work,
    named,
    numbers_of_tags,
    percent,
    short_name,
    tags_as_numbers,
)
from karat.experiments.papers.planted_errors import Observed, observed
from karat.experiments.papers.reproduction import PaperPart, PaperTable
from karat.experiments.treebanks import TextReading, corpus_of, treebanks
from karat.noise.from_numbers import noise_bounds
from karat.result import Cell


def section_4(work: Work) -> Iterator[PaperPart]:
    """t, u and p where errors were planted, and whether the bounds hold the real accuracy."""
    (bank,) = [one for one in work.banks if short_name(one) == short_name(work.folders[0].name)]
    truth, train = work.text(bank, "test"), work.text(bank, "train")
    n_tags = numbers_of_tags(train, truth)
    several = n_tags >= AMBIGUOUS
    ambiguity = float(n_tags[several].mean())
    rows: list[tuple[Cell, ...]] = []
    bounds: list[tuple[Cell, ...]] = []
    of_plant = {os.path.basename(one.path): one for one in work.plants}
    for where in PLANTED:
        for name in PLANTED_IN:
            found = [
                _observed(work, one, of_plant[one.condition.train], truth, several)
                for one in work.with_errors.cells
                if named(one) == name and of_plant[one.condition.train].where == where
            ]
            if found:
                rows.append((where, name, *_means(found)))
                bounds.append((where, name, *_held(found, ambiguity)))
    n_plantings = len({one.seed for one in work.plants})
    plantings = f"{n_plantings} planting{'s' * (n_plantings != 1)}"
    notes = (
        "Errors in the test alone, or in train and test both. C: errors of the gold; K: accuracy by the gold; x: real "
        "accuracy; t, u: accuracy where the gold is right and where it is wrong; p: same error where both are wrong.",
        f"Ambiguous words, in %, means over {plantings} at {100 * PLANTED_RATE:g} %; a = {ambiguity:.2f}, "
        f"1/(a − 1) = {100 / (ambiguity - 1):.1f} %.",
    )
    columns = ("errors", "tagger", "C", "K", "x", "t", "u", "p")
    first = PaperTable("section-4", "t, u and p", tuple(_said(rows)), columns, tuple(rows), notes)
    second = PaperTable(
        "section-4-bounds",
        "do the bounds hold the real accuracy?",
        (),
        ("errors", "tagger", "real accuracy", "reasonable bounds", "hold it"),
        tuple(bounds),
        ("Bounds by K, C and a over all p [sections 4 and 5], means; hold it: in how many plantings.",),
    )
    results = ((short_name(bank), first), (short_name(bank), second))
    yield PaperPart("section-4", "Section 4: errors planted", (), results)


def _observed(work: Work, cell: GridCell, plant: Plant, truth: Corpus, several: Flags) -> Observed:
    (bank,) = treebanks([plant.path])
    assert bank.test is not None
    gold = corpus_of(bank.test, TextReading(COLUMN))
    tags = tags_as_numbers(truth, gold, work.output(work.with_errors, cell))
    return observed(*(one[several] for one in tags))


def _mean(values: Sequence[float | None]) -> float | None:
    there = [one for one in values if one is not None]
    return sum(there) / len(there) if there else None


def _means(found: Sequence[Observed]) -> list[Cell]:
    """The means of C, K, x, t, u and p."""
    names = ("corpus_error", "observed", "real", "where_right", "where_wrong", "same_error")
    return [percent(_mean([getattr(one, name) for one in found])) for name in names]


def _held(found: Sequence[Observed], ambiguity: float) -> list[Cell]:
    """The mean real accuracy, the mean bounds, and how often these hold it."""
    ends = [
        noise_bounds({"it": one.observed}, corpus_error=one.corpus_error, ambiguity=ambiguity).systems[0].bounds
        for one in found
    ]
    held = [end is not None and end.lower <= one.real <= end.upper for end, one in zip(ends, found, strict=True)]
    lower, upper = (_mean([getattr(one, end) for one in ends if one is not None]) for end in ("lower", "upper"))
    shown = None if lower is None or upper is None else f"{100 * lower:.2f}–{100 * upper:.2f}"
    return [percent(_mean([one.real for one in found])), shown, f"{sum(held)} of {len(held)}"]


def _said(rows: Sequence[tuple[Cell, ...]]) -> Iterator[str]:
    """What the paper expects of u, t and p, and what came out for TC."""
    of = {str(row[0]): row for row in rows if row[1] == SECOND}
    for where, expected in (
        ("random, test", "the paper expects u near t, p near 1/(a − 1)"),
        ("systematic, both", "the paper expects a lower u, a higher p"),
    ):
        if where in of:
            row = of[where]
            yield f"{SECOND}, {where}: t {row[5]}, u {row[6]}, p {row[7]} % ({expected})."
