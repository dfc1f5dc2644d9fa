"""Scores of trees as tables for people and as data for programs: what they have beyond measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.evaluation.results import BoundedScore, BracketDetails, MeasureScore, Scores, SystemScores
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.parser_measures import COUNTED_ITEMS, JUDGED_ITEMS
from karat.report.scores import (
    VALUES,
    every_name,
    gold_size,
    interval_json,
    interval_notes,
    measures_json,
    shown_interval,
    shown_level,
    skipped_notes,
)
from karat.report.tables import Cell, Table

__all__ = ["bounded_records", "bracket_tables", "details_json", "open_measures_json"]


def _shown_value(one: MeasureScore | None) -> float | None:
    """A value as tables show it: in percent, but for averages."""
    if one is None:
        return None
    return 100 * one.value if BRACKET_MEASURES[one.name].in_percent else one.value


def _ends(one: BoundedScore) -> tuple[float | None, float | None]:
    """The lower end of the least value's interval and the upper end of the most, where both have one."""
    least, most = one.least_interval, one.most_interval
    if least is None or most is None or least.lower is None or most.upper is None:
        return None, None
    return least.lower, most.upper


def bracket_tables(scores: Scores) -> list[Table]:
    """The measures, the items, the sentences by their crossings, and the splits that were asked for."""
    tables = [_measures_table(scores), _items_table(scores.systems), _crossings_table(scores)]
    for system in scores.systems:
        details = system.brackets
        if details and details.items_by_label:
            tables.append(_label_table(system, details))
        is_default = dict(scores.settings)["measures"] == "all"
        shown = _SHOWN_BY if is_default else tuple(system.measures)
        tables += [_split_table(system, split, shown) for split in system.by if split != "label"]
    return tables


_SHOWN_BY = ("Labelled F1", "Recall-hard", "Precision-hard", "Crossing Rate", "No Crossing", "Complete Match")


def _split_table(system: SystemScores, split: str, measures: Sequence[str]) -> Table:
    """The measures of groups of sentences."""
    rows: list[list[Cell]] = [
        [group, *(_shown_value(found.get(name)) for name in measures)] for group, found in system.by[split].items()
    ]
    return Table([split, *measures], rows, f"{system.name} by {split}", ["In %."])


def _measures_table(scores: Scores) -> Table:
    """All measures of trees, on all sentences and on those up to the cutoff."""
    level = shown_level(scores.systems)
    cutoff = f"≤ {scores.systems[0].brackets.cutoff}" if scores.systems[0].brackets else ""
    columns: list[str] = []
    for system in scores.systems:
        columns += [system.name if len(scores.systems) > 1 else "all", *([level] if level else []), cutoff]
    names = every_name(
        [*system.measures, *(system.brackets.bounded if system.brackets else ())] for system in scores.systems
    )
    if dict(scores.settings)["measures"] == "all":
        names = [name for name in BRACKET_MEASURES if name in names]
    rows: list[list[Cell]] = []
    for name in names:
        row: list[Cell] = [name]
        for system in scores.systems:
            row += _cells(system, name, with_interval=bool(level))
        rows.append(row)
    size = gold_size(scores.gold)
    title = f"{scores.systems[0].name} on {size}" if len(scores.systems) == 1 else size
    average = " Average Crossing: a sentence." if "Average Crossing" in names else ""
    notes = [f"In %.{average} {cutoff}: sentences of so many words.", *interval_notes(scores)]
    for system in scores.systems:
        of = f"{system.name}: " if len(scores.systems) > 1 else ""
        notes += [of + note for note in skipped_notes(system.skipped.gold, system.skipped.system)]
    return Table(["measure", *columns], rows, title, [*notes, *_notes(scores)])


def _cells(system: SystemScores, name: str, *, with_interval: bool) -> list[Cell]:
    """A measure's value, interval and value up to the cutoff."""
    details = system.brackets
    assert details is not None
    one, open_ = system.measures.get(name), details.bounded.get(name)
    in_percent = BRACKET_MEASURES[name].in_percent
    if open_ is not None:
        low, high = _ends(open_)
        sure: list[Cell] = [None if low is None or high is None else f"{100 * low:.2f}–{100 * high:.2f}"]
        return [f"{100 * open_.least:.2f} … {100 * open_.most:.2f}", *(sure if with_interval else []), None]
    sure = [shown_interval(one.interval, in_percent=in_percent) if one else None]
    short = _shown_value(details.up_to_cutoff.get(name))
    return [_shown_value(one), *(sure if with_interval else []), short]


def _items_table(systems: Sequence[SystemScores]) -> Table:
    is_judged = any(_item(one.brackets, "CEA") is not None for one in systems)
    names = [*COUNTED_ITEMS, *(JUDGED_ITEMS if is_judged else ())]
    rows: list[list[Cell]] = [
        [name, _WHAT[name], *(_item(system.brackets, name) for system in systems)] for name in names
    ]
    return Table(["item", "what", *(system.name for system in systems)], rows, "brackets")


_WHAT = {
    "TTB": "brackets of the treebank",
    "TPB": "brackets of the parser",
    "EM": "exact matches",
    "CE": "crossing errors",
    "SP": "spurious",
    "PINH": "crossing errors below another",
    "PNINH": "other crossing errors",
    "TINH": "treebank brackets found, below another that was",
    "TNINH": "other treebank brackets found",
    "EMA": "exact matches accepted",
    "EMR": "exact matches rejected",
    "CEA": "crossing errors accepted",
    "CER": "crossing errors rejected",
    "SPA": "spurious accepted",
    "SPR": "spurious rejected",
}


def _item(details: BracketDetails | None, name: str) -> Cell:
    if details is None:
        return None
    if name in details.open_items:
        least, most = details.open_items[name]
        return f"{_number(least)} … {_number(most)}"
    return whole(details.items[name]) if name in details.items else None


def _number(number: float) -> str:
    return f"{number:,.0f}" if number.is_integer() else f"{number:,.1f}"


def whole(number: float) -> int | float:
    """A number of brackets: an int where it is one, as it is but for the estimates of a sample."""
    return int(number) if float(number).is_integer() else number


def _crossings_table(scores: Scores) -> Table:
    rows: list[list[Cell]] = []
    for system in scores.systems:
        details = system.brackets
        assert details is not None
        skipped = system.skipped.system
        rows.append([system.name, *details.crossings.values(), details.n_missing, skipped])
    columns = ["system", "none", "1", "2", "more", "no parse", "other words or bad"]
    notes = [] if scores.parse_base is None else [f"Parse Base: {scores.parse_base:.4f}."]
    return Table(columns, rows, "sentences by their crossing brackets", notes)


def _label_table(system: SystemScores, details: BracketDetails) -> Table:
    """The items by label, with recall, precision and F1."""
    items = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "TINH")
    rows: list[list[Cell]] = []
    for label, found in details.items_by_label.items():
        gold, system_, right = found["TTB"], found["TPB"], found["EM"]
        shares = [_percent(right, gold), _percent(right, system_), _percent(2 * right, gold + system_)]
        rows.append([label or "(none)", *shares, *(found[item] for item in items)])
    notes = ["In %. Brackets of a label are right where the other side has them with this label."]
    return Table(["label", "recall", "precision", "F1", *items], rows, f"{system.name} by label", notes)


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _notes(scores: Scores) -> list[str]:
    """What is not known, and how brackets were prepared."""
    notes = []
    without = list(dict.fromkeys(name for system in scores.systems for name in system.missing))
    if without:
        notes.append(f"Not known without people's verdicts (--worklist, --judgements): {', '.join(without)}.")
    undefined = dict.fromkeys(
        name for system in scores.systems if system.brackets for name in system.brackets.undefined
    )
    if undefined:
        notes.append(f"Nothing to divide by: {', '.join(undefined)}.")
    if any(system.brackets and system.brackets.is_estimate for system in scores.systems):
        notes.append("People judged a sample: what follows from their verdicts is estimated from it.")
    if any(system.brackets and system.brackets.bounded for system in scores.systems):
        notes.append("…: verdicts are missing; the truth lies between. Intervals reach around both ends.")
    chosen = dict(scores.settings)
    notes.append(
        f"Items are {chosen['brackets']}. Punctuation {_shown(chosen['punctuation'], scores)}, brackets left empty "
        f"{chosen['empty']}, doubled ones {chosen['doubled']}, those around one word {chosen['one-word']}."
    )
    return notes


def _shown(punctuation: str, scores: Scores) -> str:
    n = max(system.brackets.n_punctuation for system in scores.systems if system.brackets)
    return "kept" if punctuation == "none" else f"dropped ({punctuation}: {n:,} words)"


def _bounded_json(one: BoundedScore) -> dict[str, Any]:
    """A measure that verdicts leave open: no value, but the least and the most, and an interval around both."""
    without = next((made for made in (one.least_interval, one.most_interval) if made and made.note), None)
    made = interval_json(without or one.least_interval)
    lower, upper = _ends(one)
    return {**dict.fromkeys(VALUES), **made, "lower": lower, "upper": upper, "least": one.least, "most": one.most}


def bounded_records(system: SystemScores) -> dict[str, list[Cell]]:
    """The cells of each measure that verdicts leave open, as other measures have them, and least and most."""
    details = system.brackets
    return {} if details is None else {name: list(_bounded_json(one).values()) for name, one in details.bounded.items()}


def open_measures_json(system: SystemScores) -> dict[str, Any]:
    """The measures that have no single value: those that verdicts leave open, and null for those that are not known."""
    details = system.brackets
    assert details is not None
    found: dict[str, Any] = {name: _bounded_json(one) for name, one in details.bounded.items()}
    return found | dict.fromkeys((*system.missing, *details.undefined))


def details_json(system: SystemScores) -> dict[str, Any]:
    """What a system's scores of trees have beyond measures, as plain data."""
    details = system.brackets
    assert details is not None
    found: dict[str, Any] = {
        "items": {
            name: None if name in details.open_items else whole(details.items[name])
            for name in (*COUNTED_ITEMS, *JUDGED_ITEMS)
            if name in details.items or name in details.open_items
        },
        "crossings": dict(details.crossings),
        "missing_parses": details.n_missing,
        "up_to_cutoff": {
            "cutoff": details.cutoff,
            "sentences": details.n_up_to_cutoff,
            "measures": measures_json(details.up_to_cutoff),
        },
    }
    if details.open_items:
        found["open_items"] = {
            name: {"least": whole(least), "most": whole(most)} for name, (least, most) in details.open_items.items()
        }
    if details.items_by_label:
        found["items_by"] = {"label": {label: dict(items) for label, items in details.items_by_label.items()}}
    return found
