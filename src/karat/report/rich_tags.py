"""Scores of rich tags as the paper prints them [Acedański & Przepiórkowski 2010, Tables 2–5].

Each measure has its table: a tagger a row, with strong and weak correctness, precision, recall and F-measure. One
tagger alone has one table, with a measure a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat.evaluation.results import MeasureScore, Scores
from karat.report.shown import best_marked, ci_of, percent, shown_interval
from karat.result import Cell, Table

RICH_TAGS = "rich tags"  # the family of these measures
_COLUMNS = ("SC", "WC", "P", "R", "F")
_NAMES = {
    "exact": "full tags",
    "pos": "parts of speech only",
    "PA": "positional accuracy",
    "WPA": "weighted positional accuracy",
    "CWPA": "weighted positional accuracy, weights by part of speech",
}
_IF_HIT = "if hit"
_IN_PAPERS = "All values in %. Best in bold."


def rich_tag_tables(scores: Scores, shown: Sequence[str], *, for_paper: bool = False) -> list[Table]:
    """The tables of these measures; the best value of each column is marked where there are several taggers.

    In a paper each table stands alone, and says what its values are; the first has the report's caption.
    """
    if len(scores.systems) == 1:
        measures = scores.systems[0].measures
        return [_table("measure", [(name, measures[name]) for name in shown if name in measures], "")]
    found: list[Table] = []
    for name in shown:
        rows = [(system.name, system.measures[name]) for system in scores.systems if name in system.measures]
        table = _table("system", rows, rich_tag_caption(name))
        found.append(replace(table, notes=[_IN_PAPERS]) if for_paper and found else table)
    return found


def rich_tag_caption(name: str) -> str:
    """What a measure's table is about."""
    return f"{name}: {_NAMES[name]}"


def _table(first: str, scores: Sequence[tuple[str, MeasureScore]], title: str) -> Table:
    values = [_values(one) for _, one in scores]
    if first == "system":
        marked = [best_marked(column, scores[0][1].measure) for column in zip(*values, strict=True)]
        values = list(zip(*marked, strict=True))
    level = ci_of(one.interval for _, one in scores if one.lower is not None)
    has_if_hit = _has_if_hit(scores)
    columns = [first, *_COLUMNS, *([f"{level} of F"] if level else []), *([_IF_HIT] if has_if_hit else [])]
    rows: list[list[Cell]] = []
    for (name, one), shares in zip(scores, values, strict=True):
        between = [shown_interval(one.interval)] if level else []
        rows.append([name, *shares, *between, *([percent(one.extras["if_hit"])] if has_if_hit else [])])
    return Table(columns, rows, title, optional=(_IF_HIT,))


def _values(score: MeasureScore) -> Sequence[float]:
    """Strong and weak correctness, precision, recall and F1 in percent."""
    extras = score.extras
    shares = (extras["strong_correctness"], extras["weak_correctness"], score.precision, score.recall, score.f1)
    return [100 * share for share in shares]


def _has_if_hit(scores: Sequence[tuple[str, MeasureScore]]) -> bool:
    return any(one.measure.shows_extra("if_hit", one.extras["if_hit"], one.value) for _, one in scores)


def rich_tag_notes(scores: Scores, shown: Sequence[str]) -> list[str]:
    """What the columns are, and why they are the same where they are."""
    every = [(name, system.measures[name]) for system in scores.systems for name in shown if name in system.measures]
    what = "SC, WC: strong and weak correctness, the worst and the best score of a word's tags. P, R, F: precision, "
    what += "recall, F-measure."
    if all(max(row) - min(row) < 1e-9 for row in (_values(one) for _, one in every)):
        what += " All five are equal here"
        is_one_each = all({one.gold, one.system} == {scores.gold.n_words} for _, one in every)
        what += " because both sides have one tag per word." if is_one_each else "."
    hit = " if hit: F if words that the system tokenises differently counted as right." if _has_if_hit(every) else ""
    return [what + hit]
