"""What scores of trees have beyond measures, as tables for people: items, crossings, labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from karat.evaluation.beside_evalb import BesideEvalb
from karat.evaluation.bracket_details import BracketDetails, whole
from karat.evaluation.plain_words import points
from karat.evaluation.results import BoundedScore, MeasureScore, Scores, SystemScores
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, JUDGED_ITEMS
from karat.report.shown import QUOTED, listed, shown_ci, shown_interval, value_cells
from karat.result import Cell, Table


def tree_tables(scores: Scores, *, details: bool) -> list[Table]:
    """What a whole check would say where a sample was judged; steps to EVALB's figure and items by label where they
    were asked for; with details all items, and crossings.
    """
    found = [(system, system.brackets) for system in scores.systems if system.brackets]
    if not found:
        return []
    steps = [
        _steps_table(system.name, beside) for system, one in found if (beside := one.beside_evalb) and beside.steps
    ]
    by_label = [_label_table(system, of_system) for system, of_system in found if of_system.items_by_label]
    by_label = by_label if details or len(found) == 1 else []  # of several systems, measures are shown side by side
    whole = _whole_check_table([system for system, _ in found])
    return [*whole, *steps, *by_label, *([_items_table(found), _crossings_table(found)] if details else [])]


def _whole_check_table(systems: Sequence[SystemScores]) -> list[Table]:
    """The judged measures where a sample was judged, with the intervals of what verdicts on all brackets would give."""
    found: dict[str, dict[str, MeasureScore | BoundedScore]] = {}
    for system in systems:
        judged: list[MeasureScore | BoundedScore] = [*system.measures.values(), *system.bounded.values()]
        found[system.name] = {one.measure.name: one for one in judged if one.whole_check is not None}
    every = {name: one for of in found.values() for name, one in of.items()}
    if not every:
        return []
    names = [name for name in BRACKET_MEASURES if name in every]
    (level, *_) = [one.whole_check.level for one in every.values() if one.whole_check]
    title = "what the check of all brackets would say"
    notes = [f"{shown_ci(level)} of the whole check: only the sampling of brackets is uncertain, not the test set."]
    rows: list[list[Cell]] = []
    if len(systems) == 1:
        for name in names:
            whole = every[name].whole_check
            rows.append([name, value_cells(every[name])[0], shown_interval(whole, factor=every[name].measure.factor)])
        return [Table(["judged measure", "estimate", f"{shown_ci(level)} of the whole check"], rows, title, notes)]
    for name in names:
        cells: list[Cell] = [
            None
            if (one := of.get(name)) is None
            else f"{_estimate(one)} ({shown_interval(one.whole_check, factor=one.measure.factor)})"
            for of in found.values()
        ]
        rows.append([name, *cells])
    return [Table(["judged measure", *found], rows, f"{title}: {shown_ci(level)}", notes)]


def _estimate(score: MeasureScore | BoundedScore) -> str:
    """A judged measure in a cell that shows more: rounded, as a cell of its own would be."""
    value = value_cells(score)[0]
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _items_table(systems: Sequence[tuple[SystemScores, BracketDetails]]) -> Table:
    is_judged = any(_item(details, "CEA") is not None for _, details in systems)
    names = [*COUNTED_ITEMS, *(JUDGED_ITEMS if is_judged else ())]
    rows: list[list[Cell]] = [[name, _WHAT[name], *(_item(details, name) for _, details in systems)] for name in names]
    is_literal = systems[0][1].options.inheritance == "literal"
    reading = (
        "the bracket around the whole sentence is a parent like others, as the paper defines it (literal)"
        if is_literal
        else "the bracket around the whole sentence is not a parent, as in the paper's worked example; "
        "--inheritance literal makes it one"
    )
    notes = [f"PINH, TINH: {reading}."]
    return Table(["item", "what", *(system.name for system, _ in systems)], rows, "brackets", notes)


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


def _item(details: BracketDetails, name: str) -> Cell:
    if name in details.open_items:
        least, most = details.open_items[name]
        return f"{_number(least)} … {_number(most)}"
    return whole(details.items[name]) if name in details.items else None


def _number(number: float) -> str:
    return f"{number:,.0f}" if number.is_integer() else f"{number:,.1f}"


def _crossings_table(systems: Sequence[tuple[SystemScores, BracketDetails]]) -> Table:
    rows: list[list[Cell]] = [
        [system.name, *details.crossings.values(), details.n_missing, system.skipped.system]
        for system, details in systems
    ]
    columns = ["system", "none", "1", "2", "more", "no parse", "other words or bad"]
    return Table(columns, rows, "sentences by their crossing brackets")


def _steps_table(name: str, beside: BesideEvalb) -> Table:
    """Which step of preparation moves F1 by how much, from karat's to EVALB's; changes add up as they are shown."""
    rows: list[list[Cell]] = []
    before = 0.0
    for number, one in enumerate(beside.steps):
        after = round(100 * one.f1, 2)
        change = points(after - before) if number else None
        rows.append([one.name, change, f"{after:.2f}", one.gold, one.system, one.correct])
        before = after
    total = points(before - round(100 * beside.steps[0].f1, 2))
    rows.append(["EVALB", total, f"{100 * beside.value:.2f}", *rows[-1][3:]])
    title = f"{name}: from karat's {beside.measure} to EVALB's ({beside.named.shown})"
    notes = ["Steps are cumulative; the last line has the whole difference. In another order, single steps "
             "could be larger or smaller."]  # fmt: skip
    return Table(["step", "change", "F1", "gold", "system", "correct"], rows, title, notes)


def _label_table(system: SystemScores, details: BracketDetails) -> Table:
    """The items by label, with recall, precision and F1."""
    items = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "TINH")
    rows: list[list[Cell]] = []
    for label, found in details.items_by_label.items():
        gold, system_, right = found["TTB"], found["TPB"], found["EM"]
        shares = [_percent(right, gold), _percent(right, system_), _percent(2 * right, gold + system_)]
        rows.append([label or "(none)", *shares, *(found[item] for item in items)])
    notes = ["In %. A bracket counts as right if the other side has it with the same label."]
    return Table(["label", "recall", "precision", "F1", *items], rows, f"{system.name} by label", notes)


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def tree_notes(scores: Scores, shown: Collection[str], *, needs_judgements: bool) -> list[str]:
    """What is not known, what EVALB would give, and how brackets were prepared; nothing of words.

    `shown` are the measures that are shown. That some need judgements is said if that is asked for.
    """
    every = [system.brackets for system in scores.systems if system.brackets]
    if not every:
        return []
    notes = [] if scores.parse_base is None else [f"Parse Base: {scores.parse_base:.4f}."]
    without = list(dict.fromkeys(name for system in scores.systems for name in system.missing))
    if without and needs_judgements:
        notes.append(f"Needs human judgements (--worklist, --judgements): {', '.join(without)}.")
    undefined = dict.fromkeys(name for one in every for name in one.undefined)
    if undefined:
        notes.append(f"Undefined (division by 0): {', '.join(undefined)}.")
    if any(one.is_estimate for one in every):
        notes.append("Only a sample was judged: soft measures are estimated from it.")
    if any(one.bounded for one in every):
        notes.append("…: some verdicts are missing; the value lies between these bounds. CIs cover both.")
    return [*notes, *_evalb_notes(scores, shown), _preparation(every, shown)]


def _evalb_notes(scores: Scores, shown: Collection[str]) -> list[str]:
    """EVALB's figure of each system, and why it is another one: what it counts that karat does not."""
    found = [(one.name, one.brackets.beside_evalb) for one in scores.systems if one.brackets]
    beside = [(name, one) for name, one in found if one is not None and one.measure in shown]
    if not beside:
        return []
    several = len(scores.systems) > 1
    values = ", ".join(f"{name} {100 * one.value:.2f}" if several else f"{100 * one.value:.2f}" for name, one in beside)
    first, options = beside[0][1], next(one.brackets.options for one in scores.systems if one.brackets)
    left_out = [
        f"{one.n_left_out:,} of {one.n_sentences:,} sentences{f' of {name}' * several}"
        for name, one in beside
        if one.n_left_out
    ]
    dropped = [
        *first.outer,
        *(["brackets around one word"] if not options.keep_one_word else []),
        *(["doubled brackets"] if not options.keep_doubled else []),
    ]
    does = [f"leaves out {listed(left_out)}"] if left_out else []
    does += [f"counts {listed(dropped)}"] if dropped else []
    why = f": it {' and '.join(does)}" if does else ""
    more = "" if first.steps else " (--evalb-steps)"
    return [f"EVALB ({first.named.shown}) would give {first.measure} {values}{why}{more}."]


def _preparation(every: Sequence[BracketDetails], shown: Collection[str]) -> str:
    n = max(one.n_punctuation for one in every)
    chosen = dict(every[0].options.signed(every[0].punctuation))
    punctuation = "kept" if chosen["punctuation"] == "none" else f"removed ({chosen['punctuation']}, {n:,} words)"
    done: dict[str, list[str]] = {}
    for name in ("empty", "one-word", "doubled"):
        done.setdefault(chosen[name], []).append(name)
    steps = [f"{listed(names)} brackets {what}" for what, names in done.items()]
    if chosen["brackets"] == "labelled":
        steps.append("labels compared")
    elif not {*shown} <= {*QUOTED["brackets"]}:
        steps.append("labels ignored except in Labelled measures")
    return f"Preparation: punctuation {punctuation}, {', '.join(steps)}."
