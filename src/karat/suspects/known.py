"""Suspects that are known: those of a former run, kept as a file of `karat suspects --json`."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from karat.corpus import PathLike
from karat.corpus.source import read_source
from karat.errors import DataError, Problem, UsageError
from karat.suspects.search import SCHEMA, Suspects

_HINT = "a baseline is the JSON output of an earlier karat suspects"
Known = tuple[str | None, int, str, str]


def without_known(found: Suspects, baseline: PathLike) -> Suspects:
    """The suspects that a baseline does not have, with the same label at the same place."""
    known = _known(baseline, found.column)
    is_new = np.array([_key_of(found, number) not in known for number in range(len(found))], dtype=np.bool_)
    return replace(found.only(is_new), n_known=found.n_known + int((~is_new).sum()))


def _key_of(found: Suspects, number: int) -> Known:
    one = found.suspect(number)
    return one.sent_id, one.token, one.form, one.label


def _known(path: PathLike, column: str) -> set[Known]:
    source = read_source(path)
    try:
        data = json.loads(source.buffer[: source.size].tobytes())
        if data.get("schema") != SCHEMA:
            message = f"the schema is {data.get('schema')!r}, not {SCHEMA!r}"
            raise DataError(Problem("K953", message, source.path, hint=_HINT))
        if data["column"] != column:
            raise UsageError(f"{source.path} is about the column {data['column']}, not {column}")
        return {(one["sent_id"], int(one["token"]), str(one["form"]), str(one["label"])) for one in data["suspects"]}
    except json.JSONDecodeError as error:
        problem = Problem("K953", f"not JSON: {error.msg}", source.path, error.lineno, error.colno, hint=_HINT)
        raise DataError(problem) from None
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        message = "it has no suspects in the form that karat suspects writes"
        raise DataError(Problem("K953", message, source.path, hint=_HINT)) from None
