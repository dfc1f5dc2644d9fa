"""Results as data, read from files that --json wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from karat._files_read import note_file
from karat.errors import NO_LINE, DataError, Problem

_LARGEST = 200_000_000  # bytes of a result


def read_results(paths: Sequence[str]) -> list[dict[str, Any]]:
    """The results in files that --json wrote; a `DataError` for files that are none, all of them at once."""
    found = []
    problems: list[Problem] = []
    for path in paths:
        try:
            found.append(_read(path))
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    return found


def _read(path: str) -> dict[str, Any]:
    hint = "give files that --json wrote, as in karat score … --json > score.json"
    try:
        note_file(path)
        if os.path.isfile(path) and os.path.getsize(path) > _LARGEST:
            raise DataError(Problem("K110", "too large for a result", path, NO_LINE, hint=hint))
        with open(path, encoding="utf-8") as file:
            data = json.load(file, parse_constant=_no_constant)
    except OSError as error:
        raise DataError(Problem("K101", f"cannot be read: {error.strerror}", path, NO_LINE)) from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", NO_LINE)
        raise DataError(Problem("K110", "this is not JSON", path, line, hint=hint)) from None
    if not isinstance(data, dict) or not str(data.get("schema", "")).startswith("karat/"):
        raise DataError(Problem("K110", "this is not a result of karat", path, NO_LINE, hint=hint))
    from karat.report.schema_check import fault_of

    if fault := fault_of(data):
        raise DataError(Problem("K110", f"this result is not as karat wrote it: {fault}", path, NO_LINE, hint=hint))
    return data


def _no_constant(name: str) -> float:
    """Python's JSON has NaN and infinity; JSON has not."""
    raise ValueError(f"{name} is not JSON")
