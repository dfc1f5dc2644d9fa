"""What to read first of a result: its own headline, or, of data that the library made, what its fields say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from karat.report.page.measure_facts import facts_of
from karat.report.shown import headlines

Data = Mapping[str, Any]
_MOST = 3


def headline_of(kind: str, result: Data) -> list[str]:
    """The sentences of a result that a person reads first."""
    said = result.get("headline")
    if isinstance(said, list):
        sure = _of_pairs(result)[:1] if kind == "compare" and len({one["a"] for one in result["pairs"]}) == 1 else []
        return [*sure, *map(str, said)]  # of two systems, how sure we are comes first
    made = _OF_KIND.get(kind)
    return made(result) if made else []


def _of_score(result: Data) -> list[str]:
    found = []
    names = headlines(list(dict.fromkeys(name for one in result["systems"] for name in one["measures"])))
    for system in result["systems"][:_MOST] if names else ():
        one = system["measures"].get(names[0])
        if one and one["value"] is not None:
            factor = facts_of(names[0]).factor
            ends = "" if one["lower"] is None else f" ({factor * one['lower']:.1f} to {factor * one['upper']:.1f})"
            found.append(f"{system['name']} {factor * one['value']:.1f}{ends}")
    return [f"{names[0]}: {', '.join(found)}."] if found else []


def _of_pairs(result: Data) -> list[str]:
    """The words of the pairs, by the measure people look at first."""
    pairs: Sequence[Data] = result["pairs"]
    measures = headlines([one["measure"] for one in pairs if one.get("measure")])
    first = [one for one in pairs if not measures or one.get("measure") == measures[0]]
    return [one["words"] for one in first[:_MOST] if one.get("words")]


def _of_suspects(result: Data) -> list[str]:
    n = len(result["suspects"])
    return [f"{n:,} of {result['words']:,} words have a label that is suspected to be wrong."]


_OF_KIND: dict[str, Callable[[Data], list[str]]] = {
    "score": _of_score,
    "compare": _of_pairs,
    "noise": _of_pairs,
    "noise-estimate": lambda result: [str(result["in_words"])],
    "suspects": _of_suspects,
    "grid-table": lambda result: list(map(str, result["verdict"])),
}
