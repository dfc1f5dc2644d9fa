"""What `karat score` found: every measure of every system, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.inference.intervals import ONE_SIDED
from karat.report.draw.score_intervals import ScoredSystem, score_intervals
from karat.report.draw.svg import Drawing
from karat.report.page.cells import PageCell, PageTable, count_cell, interval_cell, number_cell, text_cell
from karat.report.page.headlines import perfect_of_scores
from karat.report.page.measure_facts import MeasureFacts, facts_of
from karat.report.page.parts import Block, figure
from karat.report.page.sentence_sets import SentenceSet, first_set
from karat.report.shown import MOST_BESIDE, QUOTED, headlines, listed

_PARTS = ("precision", "recall", "f1", "aligned_accuracy")
_QUOTED = [name for some in QUOTED.values() for name in some]
_SEGMENTED = ("Tokens", "Sentences", "Words")  # often given
_COUNTS = ("gold", "system", "correct")


def score_blocks(id: str, result: Mapping[str, Any], sets: Sequence[SentenceSet | None]) -> list[Block]:
    """The table of measures, the first of them drawn, and their parts."""
    sentences = first_set(sets)
    systems = result["systems"]
    names = list(dict.fromkeys(name for one in systems for name, found in one["measures"].items() if found))
    facts = {name: facts_of(name) for name in names}
    shown = headlines(quoted_first(names), perfect_of_scores(systems))
    some = [name for name in shown if is_quoted(name)] or shown
    first = some if len(systems) <= MOST_BESIDE else shown
    blocks: list[Block] = [scores_table(f"{id}-scores", "Scores", systems, first, facts, sentences)]
    blocks += [
        figure(f"{id}-{number}", one)
        for number, one in enumerate(score_drawings(systems, shown[: min(len(systems), 2)], facts))
    ]
    if len(systems) <= MOST_BESIDE and len(some) < len(shown):
        every = scores_table(f"{id}-every", "All measures", systems, shown, facts, sentences)
        blocks.append(replace(every, is_open=False))
    return [*blocks, *_whole_check(id, systems, shown, facts), parts_table(id, systems, shown, facts)]


def _whole_check(
    id: str, systems: Sequence[Mapping[str, Any]], shown: Sequence[str], facts: Mapping[str, MeasureFacts]
) -> list[PageTable]:
    """Of brackets of which a sample was judged: what verdicts on all of them would say."""
    judged = {
        name: [
            found if (found := one["measures"].get(name)) and "whole_check_lower" in found else None for one in systems
        ]
        for name in shown
    }
    rows = []
    for name, found in judged.items():
        if any(found):
            row = [text_cell(name, facts[name].what)]
            for one in found:
                value, _ = value_cells(one, facts[name])
                lower, upper = (one[f"whole_check_{end}"] if one else None for end in ("lower", "upper"))
                row += [value, interval_cell(lower, upper, facts[name].factor)]
            rows.append(row)
    if not rows:
        return []
    columns = [
        "judged measure",
        *(name for one in systems for name in (one["name"], f"{interval_name(systems)} of the whole check")),
    ]
    notes = [
        "Only a sample was judged: these measures are estimated from it.",
        "The intervals here know the test set; only the sampling of brackets is uncertain. Those above are of more "
        "text of the same kind.",
    ]
    return [PageTable(f"{id}-check", "What the check of all brackets would say", columns, rows, notes)]


def scores_table(
    id: str,
    title: str,
    systems: Sequence[Mapping[str, Any]],
    shown: Sequence[str],
    facts: Mapping[str, MeasureFacts],
    sentences: SentenceSet | None = None,
) -> PageTable:
    """Values and intervals: of few systems beside each other, of many below each other by the first measures."""
    if len(systems) > MOST_BESIDE:
        return _systems_in_rows(id, title, systems, shown[:6], facts, sentences)
    return _measures_in_rows(id, title, systems, shown, facts, sentences)


def is_quoted(name: str) -> bool:
    """Whether people quote this measure."""
    return name in _QUOTED


def quoted_first(names: Sequence[str]) -> list[str]:
    """The names of measures, those that people quote before the others."""
    return sorted(names, key=lambda name: _QUOTED.index(name) if name in _QUOTED else len(_QUOTED))


def score_drawings(
    systems: Sequence[Mapping[str, Any]],
    measures: Sequence[str],
    facts: Mapping[str, MeasureFacts],
    averaged: str = "",
) -> list[Drawing]:
    """Scores with intervals, best first, a drawing for each measure, whose name `averaged` goes before."""
    found = []
    for name in measures:
        known = [(one["name"], one["measures"][name]) for one in systems if one["measures"].get(name)]
        known = [(system, one) for system, one in known if one["value"] is not None]
        if not known:
            continue
        known.sort(key=lambda pair: pair[1]["value"], reverse=not facts[name].lower_is_better)
        drawn = [ScoredSystem(system, one["value"], one["lower"], one["upper"]) for system, one in known]
        level = known[0][1].get("level") or 0.95
        found.append(score_intervals(drawn, measure=f"{averaged}{name}", percent=facts[name].unit == "%", level=level))
    return found


def value_cells(
    one: Mapping[str, Any] | None, facts: MeasureFacts, *, to: str = "", best: bool = False
) -> tuple[PageCell, PageCell]:
    """A measure's value and its interval; of what verdicts leave open, the least and the most."""
    if not one:
        return PageCell("–"), PageCell("–")
    is_one_sided = one.get("method") == ONE_SIDED
    ends = interval_cell(one["lower"], one["upper"], facts.factor, is_one_sided=is_one_sided)
    if one["value"] is None and one.get("least") is not None:
        return interval_cell(one["least"], one["most"], facts.factor), ends
    return number_cell(one["value"], facts.factor, to=to, best=best), ends


def _measures_in_rows(
    id: str,
    title: str,
    systems: Sequence[Mapping[str, Any]],
    shown: Sequence[str],
    facts: Mapping[str, MeasureFacts],
    sentences: SentenceSet | None,
) -> PageTable:
    columns = ["measure", *(name for one in systems for name in (one["name"], interval_name(systems)))]
    rows = []
    for name in shown:
        found = [one["measures"].get(name) for one in systems]
        best = which_best(found, facts[name])
        row = [text_cell(name, facts[name].what)]
        for system, one, is_best in zip(systems, found, best, strict=True):
            to = sentences.lists.errors(system["name"], name) if sentences else ""
            row += value_cells(one, facts[name], to=to, best=is_best)
        rows.append(row)
    return PageTable(id, title, columns, rows, value_notes(systems, shown, facts))


def _systems_in_rows(
    id: str,
    title: str,
    systems: Sequence[Mapping[str, Any]],
    shown: Sequence[str],
    facts: Mapping[str, MeasureFacts],
    sentences: SentenceSet | None,
) -> PageTable:
    columns = ["system", *(column for name in shown for column in (name, interval_name(systems)))]
    best = {name: which_best([one["measures"].get(name) for one in systems], facts[name]) for name in shown}
    rows = []
    for place, system in enumerate(systems):
        row = [text_cell(system["name"], system["path"])]
        for name in shown:
            to = sentences.lists.errors(system["name"], name) if sentences else ""
            row += value_cells(system["measures"].get(name), facts[name], to=to, best=best[name][place])
        rows.append(row)
    return PageTable(id, title, columns, rows, value_notes(systems, shown, facts))


def which_best(found: Sequence[Mapping[str, Any] | None], facts: MeasureFacts) -> list[bool]:
    """Which of the values are the best; none where all are the same, or neither more nor less is better."""
    values = [one["value"] if one else None for one in found]
    known = [value for value in values if value is not None]
    if len(set(known)) < 2 or facts.is_neutral:
        return [False] * len(found)
    best = min(known) if facts.lower_is_better else max(known)
    return [value == best for value in values]


def interval_name(systems: Sequence[Mapping[str, Any]]) -> str:
    """What the intervals of systems are called, as in `95 % CI`."""
    levels = (found.get("level") for one in systems for found in one["measures"].values() if found)
    level = next((one for one in levels if one is not None), None)
    return "interval" if level is None else f"{100 * level:g} % CI"


def value_notes(
    systems: Sequence[Mapping[str, Any]], shown: Sequence[str], facts: Mapping[str, MeasureFacts]
) -> list[str]:
    """How values are to be read: their unit, which way is better, what is suspiciously right."""
    others = [f"{name} ({facts[name].unit})" for name in shown if facts[name].unit != "%"]
    is_f1 = all(facts[name].is_f1 for name in shown)
    notes = [f"{'F1' if is_f1 else 'Values'} in %" + (f", except {', '.join(others)}" if others else "") + "."]
    lower = [name for name in shown if facts[name].lower_is_better]
    notes += [f"Lower is better: {', '.join(lower)}."] if lower else []
    perfect = [name for name in shown if name in perfect_of_scores(systems) and name not in _SEGMENTED]
    if len(perfect) > 1:
        notes.append(f"No system has any error in {listed(perfect)}: were these columns copied from the gold?")
    return notes + (["★ the best value, which need not be better by more than chance."] if len(systems) > 1 else [])


def parts_table(
    id: str, systems: Sequence[Mapping[str, Any]], shown: Sequence[str], facts: Mapping[str, MeasureFacts]
) -> PageTable:
    """Precision, recall and counts, which are there for those who ask."""
    rows = []
    for system in systems:
        for name in shown:
            one = system["measures"].get(name)
            if one and one.get("gold") is not None:
                row = [text_cell(system["name"]), text_cell(name, facts[name].what)]
                row += [number_cell(one[part]) for part in _PARTS]
                rows.append([*row, *(count_cell(one[part]) for part in _COUNTS)])
    columns = ["system", "measure", "precision", "recall", "F1", "aligned accuracy", "gold", "system ", "correct"]
    notes = ["gold, system, correct: how many units there are in the gold, in the system's output, and right."]
    return PageTable(f"{id}-parts", "Precision, recall and counts", columns, rows, notes, is_open=False)
