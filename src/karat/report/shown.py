"""How numbers are shown to people: values, intervals, differences, p, sizes; and the notes that tables share."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from karat.corpus import Annotated, Corpus
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.key import Keys
from karat.evaluation.plain_words import points, shown_p, winner
from karat.evaluation.results import BoundedScore, MeasureScore, SystemScores
from karat.inference.distributions import SMALLEST_P
from karat.inference.intervals import Interval
from karat.measures.catalogue import EVERY_MEASURE
from karat.measures.measure import Measure
from karat.result import Best, Cell, Table

if TYPE_CHECKING:
    from karat.evaluation.comparison_results import PairResult

QUOTED = {  # what people quote of each family; of the other families all
    "words": ("UPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS"),
    "brackets": (
        *("Labelled F1", "Labelled Precision", "Labelled Recall", "Complete Match", "Average Crossing"),
        *("Recall-soft", "Precision-soft"),  # which are there where people judged
    ),
}
HEADLINES = ("LAS", "UPOS", "Labelled F1")  # what people look at first
SIGNIFICANT = "†"  # the mark of what differs significantly from the best
_DIFFERENCE = "Δ"
MOST_NOTES = 3  # without --details
MOST_BESIDE = 3  # systems beside each other, with their intervals


def quoted(measures: Mapping[str, Measure], names: Sequence[str]) -> list[str]:
    """Those of the measures that people quote; all where none is."""
    found = [name for name in names if name in QUOTED.get(measures[name].family, (name,))]
    return found or list(names)


def headlines(names: Sequence[str], perfect: Container[str] = ()) -> list[str]:
    """The names of measures, those that people look at first before the others; those with nothing wrong come last."""
    ranks = {name: place for place, name in enumerate(HEADLINES)}
    return sorted(names, key=lambda name: (name in perfect, ranks.get(name, len(ranks))))


def percent(value: float | None) -> float | None:
    """A share in percent."""
    return None if value is None else 100 * value


def shown_share(value: float | None, how: str = ".2f") -> str | None:
    """A share with its % sign."""
    return None if value is None else f"{100 * value:{how}} %".replace("-", "−")


def every_name(scores: Iterable[Iterable[str]]) -> list[str]:
    """All names, each once, in order."""
    return list(dict.fromkeys(name for one in scores for name in one))


def counted(n: int, what: str) -> str:
    """So many things, in words."""
    return f"{n:,} {what}{'s' * (n != 1)}"


def listed(names: Sequence[str], n_more: int = 0) -> str:
    """Names as a sentence has them: `a, b and c`; and how many more there are."""
    every = [*names, *([f"{n_more} more"] if n_more > 0 else [])]
    return " and ".join(filter(None, [", ".join(every[:-1]), *every[-1:]]))


def marked_words(words: Sequence[str], places: Container[int], around: int | None = None) -> str:
    """Words, those at these places (from 0) in brackets; `around` the first of them, if not all are to be shown."""
    shown = [f"[{word}]" if place in places else word for place, word in enumerate(words)]
    if around is None:
        return " ".join(shown)
    at = next(place for place in range(len(words)) if place in places)
    first, stop = max(at - around, 0), at + around + 1
    return ("… " if first else "") + " ".join(shown[first:stop]) + (" …" if stop < len(words) else "")


def gold_size(gold: Annotated) -> str:
    """How large a gold is, in words."""
    if isinstance(gold, Keys):
        return f"{counted(gold.n_sentences, 'instance')} of {counted(gold.n_documents, 'word type')}"
    documents = f", {counted(gold.n_documents, 'document')}" if gold.has_documents else ""
    n_sentences, n_words = _in_the_test(gold)
    return f"{counted(n_sentences, 'sentence')}, {counted(n_words, 'word')}{documents}"


def in_caption(gold: Annotated) -> str:
    """The test set as a caption names it: its file, without the folders, and how large it is."""
    return f"Test set: {os.path.basename(gold.path)} ({gold_size(gold)})."


def gold_words(gold: Annotated) -> str:
    """What was scored, as a sentence ends: `on 998 words`; without bad sentences, which were left out."""
    if isinstance(gold, Keys):
        return f"on {counted(gold.n_sentences, 'instance')}"
    _, n_words = _in_the_test(gold)
    return f"on {counted(n_words, 'word')}"


def _in_the_test(gold: Annotated) -> tuple[int, int]:
    """How many sentences, and words, are not left out of the test because they are bad."""
    if not isinstance(gold, Corpus) or not gold.bad.any():
        return gold.n_sentences, gold.n_text_words
    kept = ~gold.bad
    return int(kept.sum()), int(np.diff(gold.sentence_offsets)[kept].sum())


def difference_of(a: str, b: str) -> str:
    """What a difference is of, where names are short enough to say so; else a note says it."""
    return f"{b} − {a}" if len(a) + len(b) <= 12 else _DIFFERENCE


def marks_in_words(table: Table, a: str, b: str, *, for_paper: bool = False) -> list[str]:
    """What Δ and the mark of the better system mean, if the table has them."""
    found = [f"{_DIFFERENCE}: {b} − {a}."] if _DIFFERENCE in table.columns else []
    if any(isinstance(cell, Best) for row in table.rows for cell in row):
        found.append("Bold: significantly better." if for_paper else "* significantly better.")
    return found


def tests_made(pairs: Iterable[PairResult]) -> list[str]:
    """The tests that were made, each once; without how small p were found, which only --details tells."""
    return list(dict.fromkeys(one.test.partition(",")[0] for one in pairs))


def p_cell(p: float, is_upper_bound: bool = False) -> str:
    """A p in a table, never 0."""
    return shown_p(max(p, SMALLEST_P), is_upper_bound or p < SMALLEST_P, name="").strip().removeprefix("= ")


def shown_value(pair: PairResult, name: str, level: float) -> Cell:
    """The value of one of the two systems, marked if it is known to be the better one."""
    value = pair.factor * (pair.value_a if name == pair.a else pair.value_b)
    return Best(f"{value:.2f}") if winner(pair, level) == name else value


def shown_difference(pair: PairResult) -> str:
    """B − A in the unit of the measure."""
    return points(pair.factor * pair.difference)


def shown_between(pair: PairResult) -> str | None:
    """The interval of the difference."""
    return shown_interval(pair.interval, signed=True, factor=pair.factor)


def adjusted_p(pair: PairResult) -> str:
    """The adjusted p, an upper bound if p itself is one and was not made larger."""
    return p_cell(pair.p_adjusted, pair.p_is_upper_bound and pair.p_adjusted == pair.p)


def unadjusted_notes(pairs: Iterable[PairResult], level: float) -> list[str]:
    """How to read an interval without 0 beside an adjusted p that says nothing, where there is one."""
    if not any(
        one.n_compared > 1
        and one.p_adjusted >= 1 - level
        and one.interval is not None
        and one.interval.includes_zero is False
        for one in pairs
    ):
        return []
    return [
        f"CIs are not adjusted: where a CI excludes 0 but adj. p is {1 - level:.3g} or more, the difference is not "
        "significant."
    ]


def score_in_words(score: MeasureScore, *, is_first: bool) -> str:
    """A value and its interval as a sentence has them; the level is named once."""
    digits = 1 if score.measure.in_percent else 2
    value = f"{score.shown:.{digits}f}"
    if score.lower is None or score.upper is None or score.interval is None:
        return value
    low, high = (f"{score.measure.factor * end:.{digits}f}" for end in (score.lower, score.upper))
    level = f"{shown_ci(score.interval.level)} " if is_first else ""
    return f"{value} ({level}{low} to {high})"


def value_cells(score: MeasureScore | BoundedScore | None) -> list[Cell]:
    """A value and its interval, as the measure is shown; of what verdicts leave open, the least and the most."""
    if score is None:
        return [None, None]
    factor = score.measure.factor
    if isinstance(score, MeasureScore):
        return [score.shown, shown_interval(score.interval, factor=factor)]
    ends = None if score.ends is None else f"{factor * score.ends[0]:.2f}–{factor * score.ends[1]:.2f}"
    return [f"{factor * score.least:.2f} … {factor * score.most:.2f}", ends]


def best_marked(values: Sequence[float | None], measure: Measure) -> list[Cell]:
    """Values as they are shown, the best marked; unless all are the same, or neither more nor less is better."""
    known = [round(value, 2) for value in values if value is not None]
    has_best = len(set(known)) > 1 and not measure.is_neutral
    best = (min if measure.lower_is_better else max)(known) if has_best else None
    return [Best(f"{one:.2f}") if one is not None and round(one, 2) == best else one for one in values]


def lower_notes(measures: Iterable[Measure]) -> list[str]:
    """By which measures lower values are better."""
    lower = dict.fromkeys(one.name for one in measures if one.lower_is_better)
    return [f"Lower is better: {', '.join(lower)}."] if lower else []


def shown_ci(level: float) -> str:
    """What intervals of a level are called: `95 % CI`."""
    return f"{100 * level:.10g} % CI"


def ci_of(intervals: Iterable[Interval | None]) -> str:
    """What these intervals are called: `95 % CI`; empty if there are none."""
    return next((shown_ci(one.level) for one in intervals if one), "")


class _Between(Protocol):
    """What has ends, or not."""

    @property
    def lower(self) -> float | None: ...
    @property
    def upper(self) -> float | None: ...


def shown_interval(interval: _Between | None, *, signed: bool = False, factor: float = 100) -> str | None:
    """An interval as tables show it; None where there is none. `signed` is for differences."""
    if interval is None or interval.lower is None or interval.upper is None:
        return None
    low, high = factor * interval.lower, factor * interval.upper
    return f"{points(low)} … {points(high)}" if signed else f"{low:.2f}–{high:.2f}"


def method_notes(
    intervals: Sequence[tuple[str, Interval | None]], cluster: str, gold: Annotated | None = None
) -> list[str]:
    """How intervals of measures were made, and why some measures have none."""
    every = [one for _, one in intervals if one and not one.note]
    made = dict.fromkeys(shown_method(one) for one in every)
    over = f" over {shown_clusters(max(one.n_clusters for one in every), cluster)}" if every and cluster else ""
    notes = [f"{ci_of(every)}s{over}: {', '.join(made)}."] if made else []
    if made and cluster == "sentence" and gold is not None and not (gold.has_documents and gold.n_documents > 1):
        which = "Only one document is" if gold.has_documents and not isinstance(gold, Trees) else "No documents are"
        notes.append(f"{which} marked: sentences are treated as independent.")
    without: dict[str, list[str]] = {}
    for name, one in intervals:
        if one and one.note and name not in without.setdefault(one.note, []):
            without[one.note].append(name)
    return notes + [f"No interval for {', '.join(names)}: {note}." for note, names in without.items()]


def shown_method(interval: Interval, cluster: str = "") -> str:
    """How an interval was made, in words; and over which clusters, where they are named."""
    what = {
        "percentile": "percentile bootstrap",
        "bca": "BCa bootstrap",
        "t": "jackknife t",
        "t-logit": "jackknife t (logit scale)",
        "t-log": "jackknife t (log scale)",
        "korn-graubard": "one-sided Clopper–Pearson where all score 0 or 1",
        "mid-p": "binomial mid-p",
        "unit z": "normal, treating units as independent",
        "design effect z": "normal, with the given design effect",
    }[interval.method]
    times = f", {interval.n_resamples:,} resamples" if interval.n_resamples else ""
    over = f" over {shown_clusters(interval.n_clusters, cluster)}" if cluster else ""
    return f"{what}{over}{times}"


def how_sure_table(made: Iterable[tuple[str, str, Interval | None]]) -> list[Table]:
    """What most readers skip: how many clusters each interval rests on, and what they are worth; no table of none.

    Intervals are given with what they are of (a system, or a pair) and by which measure.
    """
    rows: list[list[Cell]] = []
    for of, measure, one in made:
        if one is not None:
            worth = None if one.effective_clusters is None else f"{one.effective_clusters:.1f}"
            rows.append([of, measure, one.n_clusters, worth, one.note or shown_method(one)])
    notes = ["In effect: the effective number of clusters, (Σn)²/Σn² (Kish 1965)."]
    return (
        [Table(["", "measure", "clusters", "in effect", "interval"], rows, "clusters behind the intervals", notes)]
        if rows
        else []
    )


def shown_clusters(n: int, cluster: str) -> str:
    """So many clusters, in words."""
    if cluster == "type":
        return counted(n, "word type")
    is_known = cluster in ("sentence", "document", "instance", "cluster")
    return counted(n, cluster) if is_known else f"{counted(n, 'group')} of {cluster}"


def skipped_notes(n_gold: int, n_system: int) -> list[str]:
    """What was skipped, in words; nothing if nothing was."""
    if not (n_gold or n_system):
        return []
    left = f"{counted(n_gold, 'bad gold sentence')} left out"
    return [f"Skipped: {left}, {counted(n_system, 'bad system sentence')} scored as 0."]


def lacking_in_words(missing: Mapping[str, Iterable[tuple[str, str]]]) -> str:
    """Measures that were left out, and the columns that were missing on which side: `LAS (no HEAD in the system)`."""
    sides: dict[str, dict[str, None]] = {}
    for both in missing.values():
        for side, column in both:
            sides.setdefault(column.upper(), {})[f"the {side}"] = None
    lacking = ", ".join(f"no {column} in {listed(list(where))}" for column, where in sides.items())
    return f"{', '.join(missing)} ({lacking})"


def notes_of_each(systems: Sequence[SystemScores], *, all_measures: bool) -> list[str]:
    """What was not measured and what was skipped, once for all systems of which it is true.

    Unless all measures were asked for, only those are missed that people quote.
    """
    found: dict[str, list[str]] = {}
    for system in systems:
        missing = {
            name: both
            for name, both in system.missing.items()
            if all_measures or name not in EVERY_MEASURE or name in QUOTED["words"]
        }
        if missing and not system.brackets:
            found.setdefault(f"Not measured: {lacking_in_words(missing)}.", []).append(system.name)
        for note in skipped_notes(system.skipped.gold, system.skipped.system):
            found.setdefault(note, []).append(system.name)
    return [note if len(names) == len(systems) else f"{listed(names)}: {note}" for note, names in found.items()]
