"""Scores as tables for people: one table of measures whatever the data is, then splits, and what each kind adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Floats
from karat.evaluation.results import BoundedScore, MeasureScore, Scores, SystemScores
from karat.inference.intervals import Interval
from karat.measures.measure import Measure
from karat.measures.splits import measures_shown
from karat.measures.words.confusion import Confusions, Example
from karat.report.how_sure import how_sure_table
from karat.report.rich_tags import RICH_TAGS, rich_tag_caption, rich_tag_notes, rich_tag_tables
from karat.report.shown import (
    HEADLINES,
    MOST_BESIDE,
    MOST_NOTES,
    every_name,
    gold_size,
    gold_words,
    interval_notes,
    notes_of_each,
    percent,
    quoted,
    shown_level,
    value_cells,
)
from karat.result import Best, Cell, Report, Table

__all__ = ["per_sentence_table", "scores_report"]

_OF_ARCS = ("distance", "direction")  # of which the system has other arcs than the gold: both shares say something


def scores_report(
    scores: Scores, *, measures_named: bool = False, details: bool = False, for_paper: bool = False
) -> Report:
    """What a person wants to read: the measures that are quoted, or all that were asked for by name; then splits.

    `details` asks for what most readers skip; `for_paper` for systems in rows and measures in columns, as papers have
    them.
    """
    names = _ordered(scores)
    shown = names if measures_named else quoted(_measures(scores), names)
    every = _measures(scores)
    of_tags = [name for name in shown if every[name].family == RICH_TAGS]
    others = [name for name in shown if name not in of_tags]
    tables = rich_tag_tables(scores, of_tags, for_paper=for_paper) if of_tags else []
    if others or not of_tags:
        tables.append(_table_of_measures(scores, others, for_paper=for_paper))
    if _has_brackets(scores):
        from karat.report.trees import tree_tables

        tables += tree_tables(scores, details=details)
    several = len(scores.systems) > 1
    if several:
        tables += [table for split in scores.systems[0].by for table in _side_by_side(scores, split, measures_named)]
    for system in scores.systems:
        if not several or details:
            splits = [split for split in system.by if split != "label" or system.brackets is None]  # items are by label
            tables += [_split_table(system, split, measures_named) for split in splits]
        tables += [_confusion_table(system, confusions) for confusions in system.confusions.values()]
        if system.tag_errors:
            tables.append(_tag_error_table(system))
    notes = _notes(scores, shown, len(names) - len(shown), tables, is_full=details or measures_named)
    if of_tags:
        notes = [*rich_tag_notes(scores, of_tags), *notes]
    if details:
        sure = [(one.name, score.name, score.interval) for one in scores.systems for score in one.measures.values()]
        tables += how_sure_table(sure)
    return Report(_verdict(scores, shown), tables, notes if details else notes[:MOST_NOTES], _caption(scores, shown))


def _table_of_measures(scores: Scores, shown: Sequence[str], *, for_paper: bool) -> Table:
    """The one table of all measures: as papers have it, or with intervals as far as there is room."""
    if for_paper:
        return _paper_table(scores, shown)
    if len(scores.systems) == 1:
        return _one_system(scores, shown)
    return _measures_in_rows(scores, shown) if len(scores.systems) <= MOST_BESIDE else _paper_table(scores, shown)


def _has_brackets(scores: Scores) -> bool:
    return any(system.brackets for system in scores.systems)


# ---- the verdict -----------------------------------------------------------------------------------------------------


def _verdict(scores: Scores, shown: Sequence[str]) -> list[str]:
    """How good the systems are by what people quote first, with intervals."""
    first = [name for name in HEADLINES if name in shown]
    headlines = [*first, *(name for name in shown if name not in first)]
    on = gold_words(scores.gold)
    if len(scores.systems) == 1:
        system = scores.systems[0]
        found = [
            f"{name} {one}" for name in headlines[:2] if (one := _in_words(system, name, is_first=name == headlines[0]))
        ]
        return [f"{system.name}: {', '.join(found)} {on}."] if found else []
    name = headlines[0] if headlines else ""
    ranked = sorted(
        (one for one in scores.systems if name in one.measures),
        key=lambda one: one.measures[name].value * (1 if one.measures[name].measure.lower_is_better else -1),
    )
    found = [f"{one.name} {_in_words(one, name, is_first=one is ranked[0])}" for one in ranked[:MOST_BESIDE]]
    more = f" and {len(ranked) - MOST_BESIDE} more systems" if len(ranked) > MOST_BESIDE else ""
    return [f"{name}: {', '.join(found)}{more} {on}."] if found else []


def _in_words(system: SystemScores, name: str, *, is_first: bool) -> str:
    """A value and its interval; the level is named once."""
    one = system.measures.get(name)
    if one is None:
        return ""
    digits = 1 if one.measure.in_percent else 2
    value = f"{one.shown:.{digits}f}"
    if one.lower is None or one.upper is None or one.interval is None:
        return value
    low, high = (f"{one.measure.factor * end:.{digits}f}" for end in (one.lower, one.upper))
    level = f"{100 * one.interval.level:g} % CI " if is_first else ""
    return f"{value} ({level}{low} to {high})"


def _caption(scores: Scores, shown: Sequence[str]) -> str:
    """What a table in a paper needs to be understood; the first one, where measures have a table each."""
    every = {name: one for name, one in _measures(scores).items() if name in shown}
    of_tags = [name for name, one in every.items() if one.family == RICH_TAGS]
    units = _units(every, is_alone=not of_tags)
    best = " Best in bold." if len(scores.systems) > 1 else ""
    what = f"{rich_tag_caption(of_tags[0])}. " if of_tags and len(scores.systems) > 1 else ""
    return f"{what}{' '.join(units)} Test set: {gold_size(scores.gold)}.{best}"


# ---- all measures ----------------------------------------------------------------------------------------------------

_COUNTS = ("correct", "gold", "system")


def _one_system(scores: Scores, shown: Sequence[str]) -> Table:
    """A measure a row, with whatever parts measures have that are worth showing."""
    system = scores.systems[0]
    every = [one for name, one in system.measures.items() if name in shown]
    level = shown_level(_intervals([system]))
    columns: dict[str, list[Cell]] = {}
    for part, title in (("precision", "precision"), ("recall", "recall"), ("aligned_accuracy", "aligned acc.")):
        columns[title] = [percent(_part(one, part)) for one in every]
    extras = {name: found for one in every for name, found in one.measure.extras.items() if _says_more(name, every)}
    columns |= {extra.title: [_extra(one, name) for one in every] for name, extra in extras.items()}
    if system.brackets:
        short = system.brackets.up_to_cutoff
        columns[f"≤ {system.brackets.options.cutoff} words"] = [
            short[one.name].shown if one.name in short else None for one in every
        ]
    columns |= {name: [_count(one, name) for one in every] for name in _COUNTS}
    columns = {title: cells for title, cells in columns.items() if any(cell is not None for cell in cells)}
    value = "F1" if every and all(one.measure.value.name == "f1" for one in every) else "value"
    rows: dict[str, list[Cell]] = {
        one.name: [*value_cells(one, with_interval=bool(level)), *(cells[number] for cells in columns.values())]
        for number, one in enumerate(every)
    }
    for name, open_ in system.bounded.items():
        rows[name] = _bounded_cells(open_, len(columns), with_interval=bool(level))
    titles = ["measure", value, *([f"{level} CI"] if level else []), *columns]
    meant = [f"{one.title}: {one.what}." for one in extras.values() if one.what]
    ordered = [[name, *rows[name]] for name in shown if name in rows]
    return Table(titles, ordered, "", meant, optional=("aligned acc.", "system", "gold", "correct"))


def _part(score: MeasureScore, part: str) -> float | None:
    """A part of a score, if the measure shows it."""
    found: float | None = getattr(score.parts, part, None) if part in score.measure.shown_parts else None
    return found


def _extra(score: MeasureScore, name: str) -> float | None:
    """A further value, in the measure's own unit."""
    return score.measure.factor * score.extras[name] if name in score.extras else None


def _count(score: MeasureScore, name: str) -> float | None:
    """A number of units, where recall says what they are."""
    found: float | None = getattr(score.parts, name, None) if "recall" in score.measure.shown_parts else None
    return found


def _says_more(extra: str, scores: Sequence[MeasureScore]) -> bool:
    """Whether a further value is shown: some only where they differ from the value itself."""
    return any(one.measure.shows_extra(extra, one.extras[extra], one.value) for one in scores if extra in one.extras)


def _measures_in_rows(scores: Scores, shown: Sequence[str]) -> Table:
    """Measures in rows, two or three systems in columns with their intervals."""
    level = shown_level(_intervals(scores.systems))
    columns = [name for system in scores.systems for name in (system.name, *([f"{level} CI"] if level else []))]
    rows: list[list[Cell]] = []
    for name in shown:
        row: list[Cell] = [name]
        best = _best(scores, name)
        for system in scores.systems:
            if name in system.bounded:
                row += _bounded_cells(system.bounded[name], 0, with_interval=bool(level))
            else:
                value, *between = value_cells(system.measures.get(name), with_interval=bool(level))
                row += [_marked_best(value, best), *between]
        rows.append(row)
    return Table(["measure", *columns], rows)


def _paper_table(scores: Scores, shown: Sequence[str]) -> Table:
    """Systems in rows, measures in columns, the best of each marked."""
    rows: list[list[Cell]] = []
    best = {name: _best(scores, name) for name in shown}
    for system in scores.systems:
        row: list[Cell] = [system.name]
        for name in shown:
            if name in system.bounded:
                row.append(_bounded_cells(system.bounded[name], 0, with_interval=False)[0])
            else:
                (value,) = value_cells(system.measures.get(name), with_interval=False)
                row.append(_marked_best(value, best[name]))
        rows.append(row)
    return Table(["system", *shown], rows)


def _best(scores: Scores, name: str) -> float | None:
    """The best value of several systems as shown; None of one, or where no system is better for more or less of it."""
    return _best_of([one.measures[name] for one in scores.systems if name in one.measures])


def _best_of(found: Sequence[MeasureScore]) -> float | None:
    if len(found) < 2 or found[0].measure.is_neutral:
        return None
    shown = [round(one.shown, 2) for one in found]
    best = min(shown) if found[0].measure.lower_is_better else max(shown)
    return best if any(value != best for value in shown) else None


def _marked_best(value: Cell, best: float | None) -> Cell:
    is_best = best is not None and isinstance(value, float) and round(value, 2) == best
    return Best(f"{value:.2f}") if is_best else value


def _ordered(scores: Scores) -> list[str]:
    """The measures that any system has, in the order in which they were asked for."""
    names = every_name((*system.measures, *system.bounded) for system in scores.systems)
    asked = next((system.brackets.order for system in scores.systems if system.brackets), names)
    return [name for name in asked if name in names]


def _bounded_cells(one: BoundedScore, n_more: int, *, with_interval: bool) -> list[Cell]:
    """A measure that verdicts leave open: from the least to the most."""
    factor = one.measure.factor
    ends = None if one.ends is None else f"{factor * one.ends[0]:.2f}–{factor * one.ends[1]:.2f}"
    values = f"{factor * one.least:.2f} … {factor * one.most:.2f}"
    return [values, *([ends] if with_interval else []), *[None] * n_more]


def _intervals(systems: Sequence[SystemScores]) -> list[Interval | None]:
    found = [one.interval for system in systems for one in system.measures.values()]
    return found + [one.scores[0].interval for system in systems for one in system.bounded.values()]


def _measures(scores: Scores) -> dict[str, Measure]:
    found = {one.name: one.measure for system in scores.systems for one in system.measures.values()}
    return found | {name: one.measure for system in scores.systems for name, one in system.bounded.items()}


def _units(every: Mapping[str, Measure], *, is_alone: bool = False) -> list[str]:
    """What the values are, from the measures themselves; where values are alone, without precision and recall."""
    is_f1 = is_alone and all(one.value.name == "f1" for one in every.values())
    others = [f"{name} ({one.unit})" for name, one in every.items() if not one.in_percent]
    but = f", except {', '.join(others)}" if others else ""
    lower = [name for name, one in every.items() if one.lower_is_better]
    notes = [f"{'F1' if is_f1 else 'All values'} in %{but}."]
    return notes + ([f"Lower is better: {', '.join(lower)}."] if lower else [])


def _notes(scores: Scores, shown: Sequence[str], n_more: int, tables: Sequence[Table], *, is_full: bool) -> list[str]:
    """What must be known first: what was skipped and left out; then what the numbers are; then where there is more."""
    ranges = []
    for system in scores.systems:
        of = f"{system.name}: " if len(scores.systems) > 1 else ""
        for one in system.measures.values():
            low, high = (one.measure.factor * one.extras.get(end, 0.0) for end in ("smallest", "largest"))
            if high - low > 5e-3:
                ranges.append(f"{of}{one.name} is between {low:.2f} and {high:.2f} over all downward probabilities.")
    from karat.report.trees import tree_notes

    every = {name: one for name, one in _measures(scores).items() if name in shown}
    units = _units(every, is_alone=all(one.family != RICH_TAGS for one in every.values()))
    is_marked = any(isinstance(cell, Best) for table in tables for row in table.rows for cell in row)
    best = ["* best."] if is_marked else []
    how = interval_notes(scores, shown)
    notes = [*notes_of_each(scores.systems), *ranges, *tree_notes(scores, shown, needs_judgements=is_full)]
    notes.append(" ".join([*units, *best, *how[:1]]))
    notes += [f"--measure all shows {n_more} more measures."] if n_more else []
    return notes + how[1:]


# ---- splits and confusions -------------------------------------------------------------------------------------------


def _side_by_side(scores: Scores, split: str, measures_named: bool) -> list[Table]:
    """For each measure that a split shows a table with a row for each group and a column for each system."""
    every = [system.by[split] for system in scores.systems]
    available = every_name(one for groups in every for one in groups.values())
    shown = available if measures_named else measures_shown(split, available)
    tables = []
    for name in shown:
        rows: list[list[Cell]] = []
        for group in every_name(every):
            found = [groups.get(group, {}).get(name) for groups in every]
            sizes = [one.parts.gold for one in found if one and one.parts and one.measure.shown_parts]
            if any(found):
                best = _best_of([one for one in found if one])
                values = [_marked_best(one.shown if one else None, best) for one in found]
                rows.append([group or "(none)", max(sizes, default=None), *values])
        measure = next(one.measure for groups in every for group in groups.values() if (one := group.get(name)))
        columns = [split, "gold", *(system.name for system in scores.systems)]
        if all(row[1] is None for row in rows):
            columns, rows = [split, *columns[2:]], [[row[0], *row[2:]] for row in rows]
        value = f"{name} F1" if measure.value.name == "f1" and measure.name != "Labelled F1" else name
        unit = "" if measure.in_percent else f" ({measure.unit})"
        lower = ["Lower is better."] if measure.lower_is_better else []
        tables.append(Table(columns, rows, f"{value}{unit} by {split}", lower))
    return tables


def _split_table(system: SystemScores, split: str, measures_named: bool) -> Table:
    groups = system.by[split]
    available = every_name(groups.values())
    shown = available if measures_named else measures_shown(split, available)
    title = f"{system.name} by {split}"
    rows: list[list[Cell]] = []
    first = next(iter(groups.values()))[shown[0]] if groups and shown[0] in next(iter(groups.values())) else None
    if len(shown) == 1 and first and "recall" in first.measure.shown_parts:
        for group, found in groups.items():
            one = found.get(shown[0])
            if one:
                shares = (one.f1, one.precision, one.recall)
                rows.append([group, *map(percent, shares), one.correct, one.gold, one.system])
        return Table([split, f"{shown[0]} F1", "precision", "recall", *_COUNTS], rows, title)
    if split in _OF_ARCS:
        return _arc_table(system, split, shown, title)
    for group, found in groups.items():
        here = [found.get(name) for name in shown]
        sizes = [one.parts.gold for one in here if one and one.parts and one.measure.shown_parts]
        rows.append([group, max(sizes, default=None), *(one.shown if one else None for one in here)])
    notes = _units({name: one.measure for found in groups.values() for name, one in found.items() if name in shown})
    if all(row[1] is None for row in rows):
        return Table([split, *shown], [[row[0], *row[2:]] for row in rows], title, notes)
    return Table([split, "gold", *shown], rows, title, [*notes, "gold: units in the gold."])


def _arc_table(system: SystemScores, split: str, shown: Sequence[str], title: str) -> Table:
    """Arcs by bin: recall over the gold's arcs, precision over the system's."""
    parts = ("precision", "recall", "f1")
    rows: list[list[Cell]] = []
    for group, found in system.by[split].items():
        every = [found.get(name) for name in shown]
        sizes = next((one.parts for one in every if one and one.parts), None)
        row: list[Cell] = [group, *((sizes.gold, sizes.system) if sizes else (None, None))]
        rows.append([*row, *(percent(getattr(one and one.parts, part, None)) for one in every for part in parts)])
    columns = [f"{name} {part}" for name in shown for part in ("P", "R", "F1")]
    notes = ["In %. P: precision, over the system's arcs of a bin; R: recall, over the gold's."]
    return Table([split, "gold", "system", *columns], rows, title, notes)


def _confusion_table(system: SystemScores, confusions: Confusions) -> Table:
    rows: list[list[Cell]] = [
        [one.gold, one.system, one.count, _marked(example) if (example := next(iter(one.examples), None)) else ""]
        for one in confusions.top
    ]
    title = f"{system.name}: most frequent confusions of {confusions.column}"
    return Table(["gold", "system", "times", "for example"], rows, title)


def _tag_error_table(system: SystemScores) -> Table:
    has_weights = any(one.weight is not None for one in system.tag_errors)
    rows: list[list[Cell]] = []
    for one in system.tag_errors:
        example = _marked(one.examples[0]) if one.examples else ""
        weight: list[Cell] = [None if one.weight is None else f"{one.weight:g}"] if has_weights else []
        rows.append([one.pos, one.category, one.gold, one.system, one.count, *weight, example])
    columns = ["part of speech", "category", "gold", "system", "times", *(["weight"] if has_weights else [])]
    return Table([*columns, "for example"], rows, f"{system.name}: what goes wrong in tags")


def _marked(example: Example, around: int = 5) -> str:
    """The words around an example's word, which stands in brackets."""
    place = example.token - 1
    first, stop = max(place - around, 0), place + around + 1
    words = [f"[{word}]" if number == place else word for number, word in enumerate(example.words)][first:stop]
    return ("… " if first else "") + " ".join(words) + (" …" if stop < len(example.words) else "")


# ---- sentence by sentence --------------------------------------------------------------------------------------------


def per_sentence_table(scores: Scores) -> Table:
    """One row for each system and gold sentence in the test: its name and the counts of every measure."""
    gold = scores.gold
    kept = np.flatnonzero(~gold.bad).tolist()
    documents = gold.document_names or (None,)
    every = [_columns_of(system) for system in scores.systems]
    names = every_name(every)
    rows: list[list[Cell]] = []
    for system, found in zip(scores.systems, every, strict=True):
        table = np.column_stack([found.get(name, np.full(len(kept), -1.0)) for name in names])
        for sentence, values in zip(kept, table.tolist(), strict=True):
            document = documents[int(gold.sentence_document[sentence])]
            named: list[Cell] = [system.name, sentence + 1, gold.sent_id(sentence), document]
            rows.append(
                named + [None if value < 0 else int(value) if value.is_integer() else value for value in values]
            )
    return Table(["system", "sentence", "sent_id", "document", *names], rows)


def _columns_of(system: SystemScores) -> dict[str, Floats]:
    """The counts of every sentence by name; of trees the counts that all their measures are made of, which say more."""
    if system.brackets:
        return dict(system.brackets.values)
    return {
        f"{name}.{field.replace(' ', '_')}": system.counts[name][:, number]
        for name, one in system.measures.items()
        for number, field in enumerate(one.measure.fields)
    }
