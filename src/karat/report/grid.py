"""A grid that was run, for people: what was run, how good systems are at home and away, and the matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from karat.experiments.analyses.conditions import language_of
from karat.experiments.grid import Grid, GridCell
from karat.report.page.measure_facts import facts_of
from karat.report.shown import MOST_NOTES, counted, listed
from karat.result import Best, Cell, Report, Table

_MOST_FAILURES = 5


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Treebanks as tables have them: without UD_, and without the language where it is the same for all.

    >>> short_names(["UD_English-EWT", "UD_English-GUM"])
    {'UD_English-EWT': 'EWT', 'UD_English-GUM': 'GUM'}
    """
    found = {name: name.removeprefix("UD_") for name in names}
    languages = {language_of(name) for name in found}
    if len(languages) == 1 and all("-" in one for one in found.values()):
        found = {name: one.partition("-")[2] for name, one in found.items()}
    return found if len({*found.values()}) == len(found) else {name: name for name in found}


def grid_report(result: Grid) -> Report:
    """What was run; then, by the first measure, a matrix for each system: rows are trained on, columns tested on."""
    verdict = [_done(result)]
    tables: list[Table] = []
    notes: list[str] = []
    if result.cells:
        name = result.measures[0]
        verdict += [_in_words(result, system, name) for system in result.named("system")]
        tables = [one for system in result.named("system") for one in _matrices(result, system, name)]
        notes.append(
            f"{name}{_unit(name)}: mean over {_over(result)}. Rows: train; columns: test. Bold or *: same corpus."
        )
    if len(result.measures) > 1:
        notes.append(f"{listed(result.measures[1:])}: in CSV and JSON.")
    notes += result.notes
    failures = list(result.failures)
    if failures:
        rows: list[list[Cell]] = [
            [one.condition.system, one.condition.train, one.condition.test, one.condition.seed, one.error]
            for one in failures[:_MOST_FAILURES]
        ]
        title = (
            "Failed" if len(failures) <= _MOST_FAILURES else f"Failed, the first {_MOST_FAILURES} of {len(failures):,}"
        )
        tables.append(Table(["system", "train", "test", "seed", "error"], rows, title))
    return Report(verdict, tables, notes[:MOST_NOTES])


def _done(result: Grid) -> str:
    parts = [f"{result.n_run:,} run now" if result.n_run or result.n_planned > result.n_kept else "nothing to run"]
    parts += [f"{result.n_kept:,} kept from before"] if result.n_kept else []
    parts += [f"{len(result.failures):,} failed"] if result.failures else []
    return f"{counted(len(result.cells), 'cell')} of {result.n_planned:,} in {result.folder}: {', '.join(parts)}."


def _in_words(result: Grid, system: str, measure: str) -> str:
    """How good a system is on the corpora that it was trained on, and on others."""
    cells = [one for one in result.cells if one.condition.system == system and one.condition.size == _largest(result)]
    groups = {
        "in domain": [one for one in cells if one.is_in_domain],
        "on other corpora": [one for one in cells if not one.is_in_domain],
    }
    means = [f"{_mean(of, measure)} {where}" for where, of in groups.items() if of]
    return f"{system}: {measure} {listed(means)} on average."


def _largest(result: Grid) -> int | None:
    sizes = result.named("size")
    return None if None in sizes else max(sizes)


def _matrices(result: Grid, system: str, measure: str) -> list[Table]:
    """A matrix for each size of the training text."""
    found = []
    several = len(result.named("system")) > 1
    for size in result.named("size"):
        cells = [one for one in result.cells if one.condition.system == system and one.condition.size == size]
        if not cells:
            continue
        of_size = f"{size:,} training words" if size is not None else ""
        title = ", ".join(filter(None, [system if several else "", of_size]))
        found.append(_matrix(cells, measure, title))
    return found


def _matrix(cells: Sequence[GridCell], measure: str, title: str) -> Table:
    rows, columns = (list(dict.fromkeys(getattr(one.condition, what) for one in cells)) for what in ("train", "test"))
    names = short_names(dict.fromkeys([*rows, *columns]))
    by_place: dict[tuple[str, str], list[GridCell]] = {}
    for one in cells:
        by_place.setdefault((one.condition.train, one.condition.test), []).append(one)
    shown: list[list[Cell]] = [
        [names[row], *(_square(by_place.get((row, column), []), measure, is_home=row == column) for column in columns)]
        for row in rows
    ]
    return Table(["train", *(names[one] for one in columns)], shown, title)


def _square(cells: Sequence[GridCell], measure: str, *, is_home: bool) -> Cell:
    if not cells:
        return None
    return Best(_mean(cells, measure)) if is_home else _mean(cells, measure)


def _mean(cells: Sequence[GridCell], measure: str) -> str:
    factor = facts_of(measure).factor
    return f"{factor * fmean(one.value(measure) for one in cells):.2f}"


def _unit(measure: str) -> str:
    return " in %" if facts_of(measure).factor == 100 else ""


def _over(result: Grid) -> str:
    n: Mapping[str, int] = {what: len(result.named(what)) for what in ("seed", "fold")}
    parts = [counted(n["seed"], "seed")]
    if result.named("fold") != [None]:
        parts.append(counted(n["fold"], "fold"))
    return listed(parts)
