"""The analyses by name; a module is imported when its table is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.experiments.analyses.table import GridTable
    from karat.experiments.grid import Grid
    from karat.inference.options import InferenceOptions

TABLES = {
    "matrix": "Each system on every train and test, with intervals.",
    "table1": "Error rates beside Table 1 of Wisniewski & Yvon 2019 (French).",
    "ignoring": "Error rates without errors in suspicious repeats (Figure 3).",
    "correlation": "Do error rates go with suspicious repeats?",
    "suspicious": "Suspicious repeats with a tagging error, by length (Figure 2).",
    "runs": "Do differences between corpora exceed those between runs?",
    "totals": "Suspicious repeats of all train parts with dev and test parts.",
    "cost": "Time, memory and model size of each system.",
    "curve": "Learning curves over training sizes, with intervals.",
}


def grid_table(grid: Grid, name: str, *, inference: InferenceOptions | None = None) -> GridTable:
    """One of the tables about a grid, by its name in `TABLES`; `inference` says how intervals are made."""
    from karat.inference.options import InferenceOptions

    if name not in TABLES:
        raise UsageError(f"no table {name!r}; choose from {', '.join(TABLES)}")
    module: Any = import_module(f"karat.experiments.analyses.{name}")
    made: GridTable = getattr(module, f"{name}_table")(grid, inference or InferenceOptions())
    return made
