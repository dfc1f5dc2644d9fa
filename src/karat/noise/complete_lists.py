"""Whether all that a plan gave out has come back: the list of each judge, and each row of it.

A forgotten file, or rows cut off its end, would else make a check look done. So the head of each list says which plan
it belongs to, how many rows it has, how many tokens all lists have together, and who has the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from karat.corpus.worklist import Worklist

_SIGNED = re.compile(r"karat:[^|]*\|verb:noise plan\|")
_N_JUDGES = re.compile(r"\|judges:([0-9]{1,9})\|")
_ENTRY = re.compile(r"rows:([0-9]{1,9})\|tokens:([0-9]{1,9})\|judge:([^|]*)\|judges:([^|]*)", re.ASCII)
_QUOTED = str.maketrans({mark: f"%{ord(mark):02X}" for mark in "%|,"})


def plan_signature(worklist: Worklist) -> str | None:
    """The line of the head that says from which plan a list is; None if somebody has taken it out."""
    return next((line for line in worklist.head if _SIGNED.match(line)), None)


def list_entry(judge: str, judges: Sequence[str], n_rows: int, n_tokens: int) -> str:
    """The line of a list's head that says what must come back.

    >>> list_entry("jan", ["ina", "jan"], 20, 30)
    'rows:20|tokens:30|judge:jan|judges:ina,jan'
    """
    names = ",".join(name.translate(_QUOTED) for name in judges)
    return f"rows:{n_rows}|tokens:{n_tokens}|judge:{judge.translate(_QUOTED)}|judges:{names}"


def judge_of(worklist: Worklist) -> str | None:
    """Whose list it is; None if its head does not say."""
    entry = _entry(worklist)
    return None if entry is None else entry.judge


@dataclass(frozen=True, slots=True)
class Missing:
    """What has not come back: `n_tokens` that no list has (None if no list or row is missing), and `warnings`."""

    n_tokens: int | None
    warnings: tuple[str, ...]


def missing_parts(worklists: Sequence[Worklist]) -> Missing:
    """The lists and rows that are missing, as far as the heads tell: older ones only say how many judges there are."""
    plans: dict[str, list[Worklist]] = {}
    for one in worklists:
        plans.setdefault(plan_signature(one) or "", []).append(one)
    warnings, n_tokens = [], 0
    for signed, lists in plans.items():
        entries = [(one, found) for one in lists if (found := _entry(one))]
        of_plan = _missing_lists(signed, lists, [entry for _, entry in entries])
        for one, entry in entries:
            n = entry.n_rows - len(one.rows)
            if n > 0:
                what = "1 row is" if n == 1 else f"{n:,} rows are"
                of_plan.append(f"{what} missing from {one.path}{_UNFINISHED}: put back all rows, including empty ones")
        if of_plan and entries:
            ids = {name for one in lists for name in one.column("id")}
            n_tokens += max(max(entry.n_tokens for _, entry in entries) - len(ids), 0)
        warnings += of_plan
    return Missing(n_tokens if warnings else None, tuple(warnings))


_UNFINISHED = ", so the check counts as unfinished"


@dataclass(frozen=True, slots=True)
class _Entry:
    n_rows: int
    n_tokens: int
    judge: str
    judges: tuple[str, ...]


def _entry(worklist: Worklist) -> _Entry | None:
    found = next(filter(None, map(_ENTRY.fullmatch, worklist.head)), None)
    if found is None:
        return None
    names = tuple(unquote(name) for name in found[4].split(","))
    return _Entry(int(found[1]), int(found[2]), unquote(found[3]), names)


def _missing_lists(signed: str, lists: Sequence[Worklist], entries: Sequence[_Entry]) -> list[str]:
    """A warning if judges of a plan have no list here."""
    give = "give all lists, including those without verdicts"
    if len(entries) < len(lists):
        n_judges = _N_JUDGES.search(signed)
        n = int(n_judges[1]) - len(lists) if n_judges else 0
        are = f"list{' is' if n == 1 else 's are'} missing"
        return [f"{n} of {n_judges[1]} judges' {are}{_UNFINISHED}: {give}"] if n_judges and n > 0 else []
    here = {entry.judge for entry in entries}
    absent = list(dict.fromkeys(name for entry in entries for name in entry.judges if name not in here))
    if not absent:
        return []
    *first, last = absent
    whose = f"the lists of judges {', '.join(first)} and {last} are" if first else f"judge {last}'s list is"
    return [f"{whose} missing{_UNFINISHED}: {give}"]


def head_of_merged(lists: Sequence[Worklist], n_rows: int) -> tuple[str, ...]:
    """The head of a list made of several: what they have in common, and an entry of its own if they have any.

    Lists or rows that are missing still are.
    """
    head = tuple(
        line for line in lists[0].head if all(line in one.head for one in lists) and not _ENTRY.fullmatch(line)
    )
    n_tokens = max((entry.n_tokens for one in lists if (entry := _entry(one))), default=None)
    return head if n_tokens is None else (*head, list_entry(_ALL, [_ALL], max(n_rows, n_tokens), n_tokens))


_ALL = "all"
