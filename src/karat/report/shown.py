"""How numbers are shown to people: values, intervals, differences, p, sizes; and the notes that tables share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from karat.corpus import Annotated
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.key import Keys
from karat.evaluation.plain_words import points, shown_p
from karat.evaluation.results import MeasureScore, Scores, SystemScores
from karat.inference.distributions import SMALLEST_P
from karat.inference.intervals import Interval
from karat.measures.measure import Measure
from karat.result import Cell

__all__ = [
    "counted",
    "difference_of",
    "every_name",
    "gold_size",
    "interval_notes",
    "p_cell",
    "percent",
    "shown_clusters",
]
__all__ += ["shown_interval", "shown_level", "shown_method", "skipped_notes", "value_cells"]


QUOTED = {  # what people quote of each family; of the other families all
    "words": ("UPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS"),
    "brackets": (
        *("Labelled F1", "Labelled Precision", "Labelled Recall", "Complete Match", "Average Crossing"),
        *("Recall-soft", "Precision-soft"),  # which are there where people judged
    ),
}
HEADLINES = ("LAS", "UPOS", "Labelled F1")  # what people look at first
MOST_NOTES = 3  # without --details
MOST_BESIDE = 3  # systems beside each other, with their intervals


def quoted(measures: Mapping[str, Measure], names: Sequence[str]) -> list[str]:
    """Those of the measures that people quote; all where none is."""
    found = [name for name in names if name in QUOTED.get(measures[name].family, (name,))]
    return found or list(names)


def percent(value: float | None) -> float | None:
    """A share in percent."""
    return None if value is None else 100 * value


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


def gold_size(gold: Annotated) -> str:
    """How large a gold is, in words."""
    if isinstance(gold, Keys):
        return f"{gold.path}: {counted(gold.n_sentences, 'instance')} of {counted(gold.n_documents, 'word type')}"
    documents = f", {counted(gold.n_documents, 'document')}" if gold.has_documents else ""
    return f"{gold.path}: {counted(gold.n_sentences, 'sentence')}, {counted(gold.n_text_words, 'word')}{documents}"


def gold_words(gold: Annotated) -> str:
    """What was scored, as a sentence ends: `on 998 words`."""
    return (
        f"on {counted(gold.n_sentences, 'instance') if isinstance(gold, Keys) else counted(gold.n_text_words, 'word')}"
    )


def difference_of(a: str, b: str) -> str:
    """What a difference is of, where names are short enough to say so."""
    return f"{b} − {a}" if len(a) + len(b) <= 12 else "difference"


def p_cell(p: float, is_upper_bound: bool = False) -> str:
    """A p in a table, never 0."""
    return shown_p(max(p, SMALLEST_P), is_upper_bound or p < SMALLEST_P, name="").strip().removeprefix("= ")


def value_cells(score: MeasureScore | None, *, with_interval: bool) -> list[Cell]:
    """A value and, where there are intervals, its interval, as the measure is shown."""
    shown: list[Cell] = [None if score is None else score.shown]
    if with_interval:
        shown.append(None if score is None else shown_interval(score.interval, factor=score.measure.factor))
    return shown


def shown_level(intervals: Iterable[Interval | None]) -> str:
    """The level of intervals, as in `95 %`; empty if there are none."""
    return next((f"{100 * one.level:.10g} %" for one in intervals if one), "")


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


def interval_notes(scores: Scores, shown: Sequence[str]) -> list[str]:
    """How the intervals of the measures shown were made, and why some have none."""
    every = [one for system in scores.systems for one in system.measures.values() if one.name in shown]
    return method_notes([(one.name, one.interval) for one in every], scores.cluster, scores.gold)


def method_notes(
    intervals: Sequence[tuple[str, Interval | None]], cluster: str, gold: Annotated | None = None
) -> list[str]:
    """How intervals of measures were made, and why some measures have none."""
    every = [one for _, one in intervals if one and not one.note]
    made = dict.fromkeys(shown_method(one, "") for one in every)
    over = f" over {shown_clusters(max(one.n_clusters for one in every), cluster)}" if every and cluster else ""
    notes = [f"{shown_level(every)} CIs{over}: {', '.join(made)}."] if made else []
    if made and cluster == "sentence" and gold is not None and not (gold.has_documents and gold.n_documents > 1):
        which = "Only one document is" if gold.has_documents and not isinstance(gold, Trees) else "No documents are"
        notes.append(f"{which} marked: sentences are treated as independent.")
    without: dict[str, list[str]] = {}
    for name, one in intervals:
        if one and one.note and name not in without.setdefault(one.note, []):
            without[one.note].append(name)
    return notes + [f"No interval for {', '.join(names)}: {note}." for note, names in without.items()]


def shown_method(interval: Interval, cluster: str) -> str:
    """How an interval was made, in words."""
    what = {
        "percentile": "percentile bootstrap",
        "bca": "BCa bootstrap",
        "t": "jackknife t",
        "t-logit": "jackknife t (logit scale)",
        "t-log": "jackknife t (log scale)",
        "korn-graubard": "one-sided Clopper–Pearson where all score 0 or 1",
        "unit z": "normal, treating units as independent",
        "design effect z": "normal, with the given design effect",
    }[interval.method]
    times = f", {interval.n_resamples:,} resamples" if interval.n_resamples else ""
    over = f" over {shown_clusters(interval.n_clusters, cluster)}" if cluster else ""
    return f"{what}{over}{times}"


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


def notes_of_each(systems: Sequence[SystemScores]) -> list[str]:
    """What was not measured and what was skipped, of each system."""
    notes = []
    for system in systems:
        of = f"{system.name}: " if len(systems) > 1 else ""
        columns = [f"{column.upper()} in the {side}" for both in system.missing.values() for side, column in both]
        if columns and not system.brackets:
            lacking = ", ".join(dict.fromkeys(columns))
            notes.append(f"{of}not measured ({lacking} missing): {', '.join(system.missing)}.")
        notes += [of + note for note in skipped_notes(system.skipped.gold, system.skipped.system)]
    return notes
