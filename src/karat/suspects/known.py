"""Suspects that are known: those of a former run, kept as its JSON, and acknowledged exceptions."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from karat.corpus import PathLike
from karat.corpus.source import read_source
from karat.errors import DataError, Problem, UsageError
from karat.gold.exceptions import AcknowledgedException, Exceptions
from karat.suspects.search import SCHEMA, Suspect, Suspects

_HINT = "a baseline is the JSON output of an earlier karat suspects"
Known = tuple[str | None, int, str, str]


def without_known(found: Suspects, baseline: PathLike) -> Suspects:
    """The suspects that a baseline does not have, with the same label at the same place."""
    known = _known(baseline, found.column)
    is_new = np.array([_key_of(found, number) not in known for number in range(len(found))], dtype=np.bool_)
    return replace(found.only(is_new), n_known=found.n_known + int((~is_new).sum()))


def without_acknowledged(found: Suspects, exceptions: Exceptions) -> Suspects:
    """The suspects that no exception is about; exceptions that are about none are stale, and said to be.

    An exception names a word, by its sentence, its number and its form, and its label. One without a reason does not
    count.
    """
    mine = exceptions.about("suspect", found.column)
    by_form: dict[str, list[AcknowledgedException]] = {}
    for one in mine:
        if one.reason and len(one.words) == 1:
            by_form.setdefault(one.words[0], []).append(one)
    used: set[AcknowledgedException] = set()
    is_new = np.ones(len(found), dtype=np.bool_)
    for number, suspect in enumerate(found.items()):
        fitting = [one for one in by_form.get(suspect.form, ()) if _is_about(one, suspect)]
        used.update(fitting)
        is_new[number] = not fitting
    stale = [one for one in mine if one.reason and one not in used]
    warnings = [f"{exceptions.path}:{one.line}: K944 stale: no such suspect any more: {one.text}" for one in stale]
    blank = sum(not one.reason for one in mine)
    if blank:
        warnings.append(f"{exceptions.path}: {blank:,} exceptions without a reason do not count")
    n_known = found.n_known + int((~is_new).sum())
    return replace(found.only(is_new), n_known=n_known, warnings=(*found.warnings, *warnings))


def _is_about(one: AcknowledgedException, suspect: Suspect) -> bool:
    is_label = not one.labellings or (suspect.label,) in one.labellings
    return is_label and (one.sent_id, one.token) == (suspect.sent_id, suspect.token)


def as_exceptions(found: Suspects) -> list[AcknowledgedException]:
    """The suspects as exceptions to give reasons for, each at its place."""
    return [
        AcknowledgedException(
            "suspect", found.column, (one.form,), frozenset([(one.label,)]), one.sent_id or "", one.token
        )
        for one in found.items()
    ]


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
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError):
        message = "it has no suspects in the form that karat suspects writes"
        raise DataError(Problem("K953", message, source.path, hint=_HINT)) from None
