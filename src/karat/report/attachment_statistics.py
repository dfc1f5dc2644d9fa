"""Co-occurrence statistics for people: how much was counted, and of which features."""

from __future__ import annotations

from karat.report.shown import counted
from karat.report.taggers import shown_size
from karat.result import Cell, Report, Table
from karat.systems.attachment.counted_statistics import CountedStatistics
from karat.systems.attachment.features import FEATURES


def counted_statistics_report(result: CountedStatistics) -> Report:
    """How many words, objects and pairs there are; a row for each feature."""
    size = f"{counted(result.words, 'word')}, {counted(result.sentences, 'sentence')}"
    n = f"{len(result.features)} of {len(FEATURES)} features"
    n = f"all {len(FEATURES)} features" if not result.missing_features else f"{n}: no wordnet (--wordnet)"
    objects, pairs = counted(result.objects, "object"), counted(result.pairs, "ordered pair")
    verdict = [f"{size} with {objects} and {pairs}; {n}."]
    rows: list[list[Cell]] = [
        [one.name, one.kind, one.left_values, one.right_values, one.observations] for one in result.features
    ]
    notes = [f"Written to {result.written} ({shown_size(len(result.file))})."] if result.written else []
    if result.statistics.wordnet is not None:
        notes.append(
            "A hypernym is an observation of its own; pairs of hypernyms count if they co-occur more than "
            f"{result.statistics.threshold:.1f} times."
        )
    columns = ["feature", "kind", "parents", "others", "observations"]
    title = "Different values of possible parents and of the other objects, and what was observed"
    return Report(verdict, [Table(columns, rows, title)], notes)
