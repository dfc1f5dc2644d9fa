"""Scores as tables for people: one table of measures whatever the data is, then splits, and what each kind adds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from karat._arrays import Floats
from karat.evaluation.results import BoundedScore, MeasureScore, Scores, SystemScores
from karat.inference.intervals import Interval
from karat.measures.measure import Measure
from karat.measures.splits import measures_shown
from karat.measures.words.confusion import Confusions, Example
from karat.report.columns import Column, table_of, without_unknown
from karat.report.rich_tags import RICH_TAGS, rich_tag_caption, rich_tag_notes, rich_tag_tables
from karat.report.shown import (
    MOST_BESIDE,
    MOST_NOTES,
    best_marked,
    ci_of,
    every_name,
    gold_words,
    headlines,
    how_sure_table,
    in_caption,
    lower_notes,
    marked_words,
    method_notes,
    notes_of_each,
    percent,
    quoted,
    score_in_words,
    value_cells,
)
from karat.result import Best, Cell, Report, Table

_OF_ARCS = ("distance", "direction")  # of which the system has other arcs than the gold: both shares say something


def scores_report(
    scores: Scores, *, measures_named: bool = False, details: bool = False, for_paper: bool = False
) -> Report:
    """What a person wants to read: the measures that are quoted, or all that were asked for by name; then splits.

    `details` asks for what most readers skip; `for_paper` for systems in rows and measures in columns, as papers have
    them.
    """
    names, every = _ordered(scores), _measures(scores)
    shown = names if measures_named else quoted(every, names)
    measures = {name: one for name, one in every.items() if name in shown}
    of_tags = [name for name in shown if every[name].family == RICH_TAGS]
    others = [name for name in shown if name not in of_tags]
    tables = rich_tag_tables(scores, of_tags, for_paper=for_paper) if of_tags else []
    if others or not of_tags:
        tables.append(_table_of_measures(scores, others, for_paper=for_paper))
    tree_tables, tree_notes = _of_trees(scores, measures, details=details, measures_named=measures_named)
    tables += tree_tables
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
    notes = rich_tag_notes(scores, of_tags) if of_tags else []
    notes += notes_of_each(scores.systems, all_measures=measures_named or details)
    notes += [*_range_notes(scores), *tree_notes, *_reading_notes(scores, measures, tables, for_paper=for_paper)]
    notes = notes if details else notes[:MOST_NOTES]
    n_more = len(names) - len(shown)
    if n_more and not for_paper:
        notes[-1] += f" --measure all shows {n_more} more measures."
    if details:
        sure = [(one.name, score.name, score.interval) for one in scores.systems for score in one.measures.values()]
        tables += how_sure_table(sure)
    return Report(_verdict(scores, shown), tables, notes, _caption(scores, measures))


def _of_trees(
    scores: Scores, shown: Collection[str], *, details: bool, measures_named: bool
) -> tuple[list[Table], list[str]]:
    """Tables and notes of what only trees have."""
    if not any(system.brackets for system in scores.systems):
        return [], []
    from karat.report.trees import tree_notes, tree_tables  # words start faster without it

    needs_judgements = details or measures_named
    return tree_tables(scores, details=details), tree_notes(scores, shown, needs_judgements=needs_judgements)


def _table_of_measures(scores: Scores, shown: Sequence[str], *, for_paper: bool) -> Table:
    """The one table of all measures: as papers have it, or with intervals as far as there is room."""
    if for_paper:
        return _paper_table(scores, shown)
    if len(scores.systems) == 1:
        return _one_system(scores, shown)
    return _measures_in_rows(scores, shown) if len(scores.systems) <= MOST_BESIDE else _paper_table(scores, shown)


# ---- the verdict -----------------------------------------------------------------------------------------------------


def _verdict(scores: Scores, shown: Sequence[str]) -> list[str]:
    """How good the systems are by what people quote first, with intervals."""
    names = headlines(shown, _perfect(scores, shown))
    on = gold_words(scores.gold)
    if len(scores.systems) == 1:
        system = scores.systems[0]
        known = [name for name in names[:2] if name in system.measures]
        found = [f"{name} {score_in_words(system[name], is_first=name == names[0])}" for name in known]
        return [f"{system.name}: {', '.join(found)} {on}."] if found else []
    name = names[0] if names else ""
    ranked = sorted(
        (one for one in scores.systems if name in one.measures),
        key=lambda one: one.measures[name].value * (1 if one.measures[name].measure.lower_is_better else -1),
    )
    found = [f"{one.name} {score_in_words(one[name], is_first=one is ranked[0])}" for one in ranked[:MOST_BESIDE]]
    more = f" and {len(ranked) - MOST_BESIDE} more" if len(ranked) > MOST_BESIDE else ""
    return [f"{name}: {', '.join(found)}{more} {on}."] if found else []


def _perfect(scores: Scores, names: Sequence[str]) -> list[str]:
    """The measures by which no system has an error, as by columns that a tagger copies from its input."""
    known = {name: [one.measures[name] for one in scores.systems if name in one.measures] for name in names}
    return [name for name, of in known.items() if of and all(one.measure.is_share and one.value == 1 for one in of)]


def _caption(scores: Scores, measures: Mapping[str, Measure]) -> str:
    """What a table in a paper needs to be understood; the first one, where measures have a table each."""
    of_tags = [name for name, one in measures.items() if one.family == RICH_TAGS]
    units = _units(measures, is_alone=not of_tags)
    best = " Best in bold." if len(scores.systems) > 1 else ""
    what = f"{rich_tag_caption(of_tags[0])}. " if of_tags and len(scores.systems) > 1 else ""
    return f"{what}{' '.join(units)} {in_caption(scores.gold)}{best}"


# ---- all measures ----------------------------------------------------------------------------------------------------

Score = MeasureScore | BoundedScore
_SHARES = {"precision": "precision", "recall": "recall", "aligned_accuracy": "aligned acc."}
_COUNTS = ("correct", "gold", "system")


def _one_system(scores: Scores, shown: Sequence[str]) -> Table:
    """A measure a row, with whatever parts measures have that are worth showing."""
    system = scores.systems[0]
    every = [one for name in shown if (one := system.measures.get(name) or system.bounded.get(name))]
    known = [one for one in every if isinstance(one, MeasureScore)]
    level = ci_of(_intervals([system]))
    value = "F1" if known and all(one.measure.value.name == "f1" for one in known) else "value"
    columns: list[Column[Score]] = [
        ("measure", lambda one: one.measure.name),
        (value, lambda one: value_cells(one)[0]),
        *([(level, lambda one: value_cells(one)[1])] if level else []),
    ]
    parts: list[Column[Score]] = [(title, partial(_share, part=part)) for part, title in _SHARES.items()]
    extras = {name: found for one in known for name, found in one.measure.extras.items() if _says_more(name, known)}
    parts += [(extra.title, partial(_extra, name=name)) for name, extra in extras.items()]
    if system.brackets:
        short = {name: one.shown for name, one in system.brackets.up_to_cutoff.items() if name in system.measures}
        parts.append((f"≤ {system.brackets.options.cutoff} words", lambda one: short.get(one.measure.name)))
    parts += [(name, partial(_part, part=name, shown_with="recall")) for name in _COUNTS]
    meant = [f"{one.title}: {one.what}." for one in extras.values() if one.what]
    optional = ("aligned acc.", "system", "gold", "correct")
    return table_of(every, columns + parts, "", meant, optional=optional, if_known=[name for name, _ in parts])


def _part(score: Score, part: str, shown_with: str) -> float | None:
    """A part of a score, if the measure shows the one that it is shown with."""
    parts = score.parts if isinstance(score, MeasureScore) and shown_with in score.measure.shown_parts else None
    found: float | None = getattr(parts, part, None)
    return found


def _share(score: Score, part: str) -> float | None:
    return percent(_part(score, part, shown_with=part))


def _extra(score: Score, name: str) -> float | None:
    """A further value, in the measure's own unit."""
    extras = score.extras if isinstance(score, MeasureScore) else {}
    return score.measure.factor * extras[name] if name in extras else None


def _says_more(extra: str, scores: Sequence[MeasureScore]) -> bool:
    """Whether a further value is shown: some only where they differ from the value itself."""
    return any(one.measure.shows_extra(extra, one.extras[extra], one.value) for one in scores if extra in one.extras)


def _cells(scores: Scores, name: str) -> list[list[Cell]]:
    """Of each system the value of a measure, the best marked, and its interval."""
    found = [one.bounded.get(name) or one.measures.get(name) for one in scores.systems]
    known = [one.shown if isinstance(one, MeasureScore) else None for one in found]
    every = zip(best_marked(known, _measures(scores)[name]), map(value_cells, found), strict=True)
    return [[cells[0] if value is None else value, cells[1]] for value, cells in every]


def _measures_in_rows(scores: Scores, shown: Sequence[str]) -> Table:
    """Measures in rows, two or three systems in columns with their intervals."""
    level = ci_of(_intervals(scores.systems))
    width = 2 if level else 1
    columns = [name for system in scores.systems for name in (system.name, level)[:width]]
    rows = [[name, *(cell for cells in _cells(scores, name) for cell in cells[:width])] for name in shown]
    return Table(["measure", *columns], rows)


def _paper_table(scores: Scores, shown: Sequence[str]) -> Table:
    """Systems in rows, measures in columns, the best of each marked."""
    values = [[value for value, _ in _cells(scores, name)] for name in shown]
    rows = [[system.name, *(column[place] for column in values)] for place, system in enumerate(scores.systems)]
    return Table(["system", *shown], rows)


def _ordered(scores: Scores) -> list[str]:
    """The measures that any system has, in the order in which they were asked for."""
    names = every_name((*system.measures, *system.bounded) for system in scores.systems)
    asked = next((system.brackets.order for system in scores.systems if system.brackets), names)
    return [name for name in asked if name in names]


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
    return [f"{'F1' if is_f1 else 'All values'} in %{but}.", *lower_notes(every.values())]


def _range_notes(scores: Scores) -> list[str]:
    """Between which values scores are, whatever the downward probabilities of a hierarchy."""
    ranges = []
    for system in scores.systems:
        of = f"{system.name}: " if len(scores.systems) > 1 else ""
        for one in system.measures.values():
            low, high = (one.measure.factor * one.extras.get(end, 0.0) for end in ("smallest", "largest"))
            if high - low > 5e-3:
                ranges.append(f"{of}{one.name} is between {low:.2f} and {high:.2f} over all downward probabilities.")
    return ranges


def _reading_notes(
    scores: Scores, measures: Mapping[str, Measure], tables: Sequence[Table], *, for_paper: bool
) -> list[str]:
    """What the numbers are, unless a caption says it; how intervals were made."""
    every = [one for system in scores.systems for one in system.measures.values() if one.name in measures]
    how = method_notes([(one.name, one.interval) for one in every], scores.cluster, scores.gold)
    if for_paper:
        return how
    units = _units(measures, is_alone=all(one.family != RICH_TAGS for one in measures.values()))
    is_marked = any(isinstance(cell, Best) for table in tables for row in table.rows for cell in row)
    return [" ".join([*units, *(["* best."] if is_marked else []), *how[:1]]), *how[1:]]


# ---- splits and confusions -------------------------------------------------------------------------------------------


def _side_by_side(scores: Scores, split: str, measures_named: bool) -> list[Table]:
    """For each measure that a split shows a table with a row for each group and a column for each system."""
    every = [system.by[split] for system in scores.systems]
    available = every_name(one for groups in every for one in groups.values())
    tables = []
    for name in available if measures_named else measures_shown(split, available):
        found = {group: [groups.get(group, {}).get(name) for groups in every] for group in every_name(every)}
        measure = next(one.measure for scored in found.values() for one in scored if one)
        rows = [
            [group or "(none)", _size(scored), *best_marked([one.shown if one else None for one in scored], measure)]
            for group, scored in found.items()
            if any(scored)
        ]
        columns = [split, "gold", *(system.name for system in scores.systems)]
        value = f"{name} F1" if measure.value.name == "f1" and measure.name != "Labelled F1" else name
        unit = "" if measure.in_percent else f" ({measure.unit})"
        lower = ["Lower is better."] if measure.lower_is_better else []
        tables.append(without_unknown(Table(columns, rows, f"{value}{unit} by {split}", lower), ["gold"]))
    return tables


def _size(scores: Iterable[MeasureScore | None]) -> int | None:
    """How many units the gold has, by the measure that has most of them."""
    return max((one.parts.gold for one in scores if one and one.parts and one.measure.shown_parts), default=None)


def _split_table(system: SystemScores, split: str, measures_named: bool) -> Table:
    groups = system.by[split]
    available = every_name(groups.values())
    shown = available if measures_named else measures_shown(split, available)
    title = f"{system.name} by {split}"
    first = next(iter(groups.values())).get(shown[0]) if groups else None
    if len(shown) == 1 and first and "recall" in first.measure.shown_parts:
        every = [(group, found[shown[0]]) for group, found in groups.items() if shown[0] in found]
        rows: list[list[Cell]] = [
            [group, *map(percent, (one.f1, one.precision, one.recall)), one.correct, one.gold, one.system]
            for group, one in every
        ]
        return Table([split, f"{shown[0]} F1", "precision", "recall", *_COUNTS], rows, title)
    if split in _OF_ARCS:
        return _arc_table(system, split, shown, title)
    found = {group: [one.get(name) for name in shown] for group, one in groups.items()}
    rows = [[group, _size(scored), *(one.shown if one else None for one in scored)] for group, scored in found.items()]
    notes = _units({name: one.measure for each in groups.values() for name, one in each.items() if name in shown})
    notes += ["gold: units in the gold."] if any(row[1] is not None for row in rows) else []
    return without_unknown(Table([split, "gold", *shown], rows, title, notes), ["gold"])


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
    rows: list[list[Cell]] = [[one.gold, one.system, one.count, _first(one.examples)] for one in confusions.top]
    title = f"{system.name}: most frequent confusions of {confusions.column}"
    return Table(["gold", "system", "times", "for example"], rows, title)


def _tag_error_table(system: SystemScores) -> Table:
    columns = ["part of speech", "category", "gold", "system", "times", "weight", "for example"]
    rows: list[list[Cell]] = []
    for one in system.tag_errors:
        weight = None if one.weight is None else f"{one.weight:g}"
        rows.append([one.pos, one.category, one.gold, one.system, one.count, weight, _first(one.examples)])
    return without_unknown(Table(columns, rows, f"{system.name}: tag errors by category"), ["weight"])


def _first(examples: Sequence[Example]) -> str:
    """The words around the word of the first example, which stands in brackets."""
    return marked_words(examples[0].words, [examples[0].token - 1], around=5) if examples else ""


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
