"""Grids: how time and memory grow with cells, what a cell costs beside its training, and ten thousand cells listed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import karat
from _measuring import DATA, KARAT, cold, growth_table, measured, time_line, warm

UD = DATA / "ud-2.3"
BANKS = [str(UD / f"UD_French-{name}") for name in ("ParTUT", "Sequoia", "Spoken", "PUD")]
SIZES = {1: (1, 1), 4: (1, 4), 16: (4, 4)}  # cells: seeds and tests of one treebank
MANY = 10_000
GOAL_OVERHEAD, GOAL_LISTED = 0.2, 5.0


def _new(folder: Path, name: str) -> Path:
    shutil.rmtree(folder / name, ignore_errors=True)
    return folder / name


def cells_run(n: str, folder: str) -> object:
    """A grid of so many cells of the baseline, of which nothing is there yet: what is left is what a cell costs."""
    n_seeds, n_tests = SIZES[int(n)]
    target = _new(Path(folder), f"grid-{n}")
    found = karat.grid(BANKS[:1], target, tests=BANKS[1:n_tests], systems=["most-frequent"], seeds=n_seeds)
    assert len(found.cells) == int(n)
    return found


TASKS = [cells_run]


def tables(folder: Path) -> list[str]:
    grown = measured([warm(f"{n}", cells_run, 3, n, folder) for n in SIZES], rounds=2)
    per_cell = (grown[-1].best - grown[0].best) / (max(SIZES) - min(SIZES))
    many = _many_cells(folder)
    listed = measured([cold("karat grid --from", *KARAT, "grid", "--from", many, "--json")], rounds=3)
    return [
        *growth_table("Growth: a grid of the most-frequent tagger on French treebanks, warm", "cells", grown),
        f"Goal ≤ {GOAL_OVERHEAD} s for each further cell (training, tagging, scoring and keeping): {per_cell:.3f} s, "
        f"{'met' if per_cell <= GOAL_OVERHEAD else 'NOT met'}.",
        "",
        *time_line(f"List {MANY:,} finished cells, process start included", listed[0], GOAL_LISTED),
    ]


def _many_cells(folder: Path) -> Path:
    """A folder with very many cells: copies of one under other keys, as if there were that many seeds."""
    found = cells_run("1", str(folder))
    assert isinstance(found, karat.Grid)
    target = _new(folder, "many")
    (target / "cells").mkdir(parents=True)
    data = dict(found.cells[0].data)
    for number in range(MANY):
        key = f"{number:032x}"
        (target / "cells" / f"{key}.json").write_text(json.dumps({**data, "key": key, "seed": number}))
    return target
