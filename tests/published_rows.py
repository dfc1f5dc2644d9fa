"""Rows of published numbers in tests: what their commands print, and which of their numbers it has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from karat.experiments.papers.published.numbers import PublishedNumber
from typed_commands import run_in_bash

__all__ = ["but_for_ours", "has_number", "printed_json"]


@cache
def printed_json(command: str) -> Any:
    """What a command prints, typed into bash as it is shown to users; the same command is run once."""
    return json.loads(run_in_bash(command))


def has_number(printed: Any, number: float) -> bool:
    """Whether JSON has a number, or a share of which it is the percentage."""
    return any(abs(scale * one - number) < 1e-9 for one in _numbers(printed) for scale in (1, 100))


def _numbers(printed: Any) -> Iterator[float]:
    if isinstance(printed, dict):
        printed = [*printed.values()]
    if isinstance(printed, list):
        for one in printed:
            yield from _numbers(one)
    elif isinstance(printed, (int, float)) and not isinstance(printed, bool):
        yield printed


def but_for_ours(rows: Iterable[PublishedNumber]) -> list[dict[str, Any]]:
    """What is in rows whatever evidence there is."""
    computed = {"ours", "difference", "agrees", "state"}
    return [{name: value for name, value in one.to_dict().items() if name not in computed} for one in rows]
