"""What results over several treebanks say, alike for scores and comparisons: each system on each, and on average."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from karat.report.shown import counted
from karat.report.treebanks import lacking_notes, not_there

Data = Mapping[str, Any]
MACRO, MICRO = "macro average", "micro average"
_NO_INTERVAL = {"lower": None, "upper": None, "method": None, "level": None}


def is_over_treebanks(result: Data) -> bool:
    """Whether a result is about a folder of treebanks, and not about one gold."""
    gold = result.get("gold")
    is_known = str(result.get("schema", "")).startswith(("karat/score/", "karat/compare-treebanks/"))
    return is_known and isinstance(gold, Mapping) and "treebanks" in gold


def n_treebanks(result: Data) -> str:
    """How many treebanks a result is over, in words."""
    return counted(len(result["gold"]["treebanks"]), "treebank")


def averaged_systems(result: Data, average: str = MACRO) -> list[Data]:
    """Each system with the measures of one of the averages, as results on one gold have them."""
    scores = treebank_scores(result)[average]
    return [{**one, "measures": scores.get(one["name"], {})} for one in result["systems"]]


def treebank_scores(result: Data) -> dict[str, dict[str, dict[str, Data]]]:
    """Value and interval of each treebank, then of both averages, by system and measure."""
    if "pairs" in result:
        parts = {one["treebank"]: one for one in result["treebanks"]} | {MACRO: result, MICRO: result["micro"]}
        return {name: _by_system(one) for name, one in parts.items()}
    systems = result["systems"]
    found: dict[str, dict[str, dict[str, Data]]] = {name: {} for name in (*result["gold"]["treebanks"], MACRO, MICRO)}
    for system in systems:
        for one in system["treebanks"]:
            found[one["treebank"]][system["name"]] = one["measures"]
        intervals = system["macro_intervals"]
        found[MACRO][system["name"]] = {
            name: {**_NO_INTERVAL, **intervals.get(name, {}), "value": value} for name, value in system["macro"].items()
        }
        found[MICRO][system["name"]] = system["measures"]
    return found


def _by_system(part: Data) -> dict[str, dict[str, Data]]:
    found: dict[str, dict[str, Data]] = {}
    for one in part["ranking"]:
        found.setdefault(one["name"], {})[one["measure"]] = one
    return found


def zeros_in_words(result: Data) -> str:
    """Which systems lack files, as a sentence ends; empty if none does."""
    return not_there(_lacking(result))


def scored_as_0(result: Data) -> list[str]:
    """Which files are missing, and which broken, in sentences; nothing of a result on one gold."""
    return lacking_notes(_lacking(result)) if is_over_treebanks(result) else []


def why_0(result: Data, system: str, treebank: str) -> str:
    """Why a system's scores on a treebank are 0, if it is for want of a file."""
    for name, absent, unreadable in _lacking(result):
        if name == system and treebank in (*absent, *unreadable):
            return f"{'missing' if treebank in absent else 'broken'} file: scored as 0"
    return ""


def _lacking(result: Data) -> list[tuple[str, list[str], list[str]]]:
    return [(one["name"], one["absent"], one["unreadable"]) for one in result["systems"]]
