"""What `karat score` and `karat compare` found over several treebanks: averages, by their name, and each treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.report.page.cells import PageCell, PageTable, count_cell, interval_cell, number_cell, text_cell
from karat.report.page.headlines import perfect_of_scores
from karat.report.page.measure_facts import facts_of
from karat.report.page.named_files import settings_of
from karat.report.page.parts import Block, figure
from karat.report.page.sections.comparisons import comparison_blocks, pair_table
from karat.report.page.sections.scores import (
    interval_name,
    is_quoted,
    parts_table,
    quoted_first,
    score_drawings,
    scores_table,
    value_cells,
    value_notes,
    which_best,
)
from karat.report.page.sentence_sets import SentenceSet
from karat.report.page.treebank_results import (
    MACRO,
    MICRO,
    averaged_systems,
    n_treebanks,
    treebank_scores,
    why_0,
)
from karat.report.shown import MOST_BESIDE, headlines
from karat.report.treebanks import short_names

Data = Mapping[str, Any]
_OF_AVERAGES = "Macro average: the mean of the treebanks' values. Micro average: of all words together."


def treebank_score_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """The macro averages, drawn too; the scores on each treebank by the first measure, the others on demand."""
    macro, micro = averaged_systems(result), averaged_systems(result, MICRO)
    shown = _measures(macro)
    facts = {name: facts_of(name) for name in shown}
    some = _first_of(result, shown)
    first, over = some if len(macro) <= MOST_BESIDE else shown, f"over {n_treebanks(result)}"
    blocks: list[Block] = []
    if len(shown) > 1:
        blocks.append(scores_table(f"{id}-macro", f"Macro averages {over}", macro, first, facts))
        table = scores_table(f"{id}-micro", f"Micro averages {over}", micro, first, facts)
        blocks.append(replace(table, is_open=False))
    if len(some) < len(shown) and first is some:
        every = scores_table(f"{id}-every", f"Macro averages {over}: all measures", macro, shown, facts)
        blocks.append(replace(every, is_open=False))
    blocks += [
        figure(f"{id}-{number}", one)
        for number, one in enumerate(score_drawings(macro, shown[: min(len(macro), 2)], facts, "Macro-averaged "))
    ]
    blocks += _by_treebank(id, result, shown)
    return [
        *blocks,
        replace(parts_table(id, micro, shown, facts), title="Micro averages: precision, recall and counts"),
    ]


def treebank_comparison_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """The differences of macro averages; the scores and differences on each treebank; those of micro averages."""
    shown = _measures(averaged_systems(result))
    names = list(dict.fromkeys(name for one in result["pairs"] for name in (one["a"], one["b"])))
    blocks = comparison_blocks(id, result, [], average="macro")
    if len(names) > 2:
        blocks.insert(0, _ranking(id, result, shown))
    blocks += _by_treebank(id, result, shown)
    parts = {one["treebank"]: one for one in result["treebanks"]} | {MACRO: result, MICRO: result["micro"]}
    for place, measure in enumerate(shown):
        table = _differences(f"{id}-differences-{place}", measure, parts, names, result["level"])
        blocks.append(replace(table, is_open=place == 0 and len(names) == 2))
    micro = sorted(result["micro"]["pairs"], key=lambda one: shown.index(one["measure"]))
    table = pair_table(f"{id}-micro", micro, names, result["level"], None, average="micro")
    return [*blocks, replace(table, is_open=False)]


def _measures(systems: Sequence[Data]) -> list[str]:
    """The measures of the averages, those that people look at first before the others."""
    names = list(dict.fromkeys(name for one in systems for name in one["measures"]))
    return headlines(quoted_first(names), perfect_of_scores(systems))


def _first_of(result: Data, shown: Sequence[str]) -> Sequence[str]:
    """The measures that were asked for by name; else those that people quote."""
    is_every = settings_of(result).get("measures", "all") == "all"
    return [name for name in shown if is_quoted(name) or not is_every] or shown


def _by_treebank(id: str, result: Data, shown: Sequence[str]) -> list[Block]:
    """A table for each measure, that of the first measure open, the others on demand."""
    some = _first_of(result, shown)
    tables = [_scores_on_each(f"{id}-treebanks-{place}", result, name) for place, name in enumerate(some)]
    return [replace(one, is_open=place == 0) for place, one in enumerate(tables)]


def _scores_on_each(id: str, result: Data, measure: str) -> PageTable:
    """Treebanks in rows, then both averages; systems in columns, of few with their intervals."""
    systems, facts = averaged_systems(result), facts_of(measure)
    names = [one["name"] for one in systems]
    scores = treebank_scores(result)
    short = short_names(result["gold"]["treebanks"])
    level = interval_name(systems) if len(names) <= MOST_BESIDE and _has_intervals(systems) else ""
    rows = []
    for row, of in scores.items():
        found = [of.get(name, {}).get(measure) for name in names]
        cells = [text_cell(short.get(row, row))]
        for name, one, is_best in zip(names, found, which_best(found, facts), strict=True):
            value, ends = value_cells(one, facts, best=is_best)
            cells += [replace(value, words=why_0(result, name, row)), *([ends] if level else [])]
        rows.append(cells)
    columns = ["treebank", *(column for name in names for column in (name, *([level] if level else [])))]
    notes = [*value_notes(systems, [measure], {measure: facts}), _OF_AVERAGES]
    return PageTable(id, f"{measure} by treebank", columns, rows, notes)


def _has_intervals(systems: Sequence[Data]) -> bool:
    return any(one["lower"] is not None for system in systems for one in system["measures"].values())


def _ranking(id: str, result: Data, shown: Sequence[str]) -> PageTable:
    """The systems by macro average, with the ranks that they may really have, and letters."""
    ranking = sorted(result["ranking"], key=lambda one: (shown.index(one["measure"]), one["rank"]))
    rows: list[list[PageCell]] = []
    for one in ranking:
        factor = facts_of(one["measure"]).factor
        ranks = "–".join(dict.fromkeys((str(one["rank_lower"]), str(one["rank_upper"]))))
        row = [text_cell(one["measure"]), count_cell(one["rank"]), text_cell(one["name"])]
        row += [number_cell(one["value"], factor), interval_cell(one["lower"], one["upper"], factor)]
        rows.append([*row, text_cell(ranks), text_cell(one["letters"])])
    columns = ["measure", "rank", "system", MACRO, f"{100 * result['level']:g} % CI", "ranks", "letters"]
    notes = ["Systems that share a letter do not differ significantly. Ranks: where a system may really stand."]
    return PageTable(f"{id}-ranking", f"Ranking by macro average over {n_treebanks(result)}", columns, rows, notes)


def _differences(id: str, measure: str, parts: Mapping[str, Data], names: Sequence[str], level: float) -> PageTable:
    """The differences by one measure on each treebank, then of both averages."""
    short = short_names([name for name in parts if name not in (MACRO, MICRO)])
    pairs = [
        (short.get(name, name), one)
        for name, part in parts.items()
        for one in part["pairs"]
        if one["measure"] == measure
    ]
    found = pair_table(id, [one for _, one in pairs], names, level, None, treebanks=[name for name, _ in pairs])
    return replace(found, title=f"Differences in {measure} by treebank")
