"""What to read first of a result: its own headline, or, of data that has none, what its fields say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from karat.report.page.measure_facts import facts_of
from karat.report.page.treebank_results import (
    averaged_systems,
    is_over_treebanks,
    n_treebanks,
    zeros_in_words,
)
from karat.report.shown import counted, headlines, listed

Data = Mapping[str, Any]
_MOST = 3


def headline_of(kind: str, result: Data) -> list[str]:
    """The sentences of a result that a person reads first; of two systems, how sure we are comes first."""
    said = result.get("headline")
    if isinstance(said, list) and said:
        is_comparison = kind in ("compare", "compare-treebanks")
        sure = _of_pairs(result)[:1] if is_comparison and _n_systems(result) == 2 else []
        return [*sure, *(str(one) for one in said if not sure or not _is_about_one(result))]
    made = _OF_KIND.get(kind)
    return made(result) if made else []


def _is_about_one(result: Data) -> bool:
    """Whether a comparison is by one measure, whose words say it all."""
    return len({one["measure"] for one in result["pairs"]}) == 1


def _n_systems(result: Data) -> int:
    return len({name for one in result["pairs"] for name in (one["a"], one["b"])})


def perfect_of_scores(systems: Sequence[Data]) -> set[str]:
    """The measures by which no system has an error."""
    values: dict[str, list[float]] = {}
    for system in systems:
        for name, one in system["measures"].items():
            if one and one["value"] is not None and not facts_of(name).lower_is_better:
                values.setdefault(name, []).append(one["value"])
    return {name for name, of in values.items() if all(value == 1 for value in of)}


def perfect_of_pairs(pairs: Sequence[Data]) -> set[str]:
    """The measures by which no system of any pair has an error."""
    names = {one["measure"] for one in pairs if one.get("measure")}
    return {
        name
        for name in names
        if all(one["value_a"] == one["value_b"] == 1 for one in pairs if one.get("measure") == name)
    }


def _of_score(result: Data) -> list[str]:
    of_folder = is_over_treebanks(result)
    systems = averaged_systems(result) if of_folder else result["systems"]
    every = list(dict.fromkeys(name for one in systems for name in one["measures"]))
    names = headlines(every, perfect_of_scores(systems))
    if not names:
        return []
    facts = facts_of(names[0])
    known = [(one["name"], one["measures"].get(names[0])) for one in systems]
    values = [(name, one) for name, one in known if one and one["value"] is not None]
    values.sort(key=lambda pair: pair[1]["value"], reverse=not facts.lower_is_better)
    found = [
        f"{name} {facts.factor * one['value']:.1f}{_ends(one, facts.factor, is_first=place == 0)}"
        for place, (name, one) in enumerate(values[:_MOST])
    ]
    more = f" and {len(values) - _MOST} more" if len(values) > _MOST else ""
    averaged = f", macro-averaged over {n_treebanks(result)}" if of_folder else ""
    zeros = zeros_in_words(result) if of_folder else ""
    said = [f"{names[0]}{averaged}: {', '.join(found)}{more}{zeros}."] if found else []
    return [*said, *_left_out_by_evalb(result)]


def _left_out_by_evalb(result: Data) -> list[str]:
    """How many sentences EVALB leaves out of each system, and what it gives if they stay."""
    found = []
    for system in result["systems"]:
        whole = (system.get("evalb") or {}).get("all") or {}
        left = whole.get("n_error", 0) + whole.get("n_skipped", 0)
        if left:
            stays = (system["evalb"].get("every_sentence") or {}).get("all", {}).get("f_measure")
            with_all = "" if stays is None else f"; with all of them, its F1 is {stays:.1f}"
            n = counted(whole["n_sentences"], "sentence")
            found.append(f"EVALB leaves out {left:,} of {n} of {system['name']}{with_all}.")
    return found


def _ends(one: Data, factor: float, *, is_first: bool) -> str:
    """An interval as a sentence has it; the level is named once."""
    if one.get("lower") is None or one.get("upper") is None:
        return ""
    level = one.get("level")
    ci = "" if level is None or not is_first else f"{100 * level:g} % CI "
    return f" ({ci}{factor * one['lower']:.1f} to {factor * one['upper']:.1f})"


def _of_pairs(result: Data) -> list[str]:
    """The words of the pairs, by the measure people look at first."""
    pairs: Sequence[Data] = result["pairs"]
    measures = headlines([one["measure"] for one in pairs if one.get("measure")], perfect_of_pairs(pairs))
    first = [one for one in pairs if not measures or one.get("measure") == measures[0]]
    return [one["words"] for one in first[:_MOST] if one.get("words")]


def _of_compare(result: Data) -> list[str]:
    """Of two systems the first measure in words, then what holds of the others; of more, the best by the ranking."""
    if _n_systems(result) > 2:
        return _of_ranking(result)
    found = _of_pairs(result)[:1]
    pairs: Sequence[Data] = result["pairs"]
    measures = headlines([one["measure"] for one in pairs if one.get("measure")], perfect_of_pairs(pairs))
    lead = next((one for one in pairs if measures and one.get("measure") == measures[0]), None)
    others = [one for one in result["pairs"] if one.get("measure") and one["measure"] != measures[0]]
    for side, sign in (("a", -1), ("b", 1)):
        better = [one for one in others if one["verdict"] == "different" and _is_better(one) == sign]
        if better:
            is_leader = lead is not None and lead["verdict"] == "different" and _is_better(lead) == sign
            on = listed([one["measure"] for one in better])
            found.append(f"{better[0][side]} is {'also ' * is_leader}better on {on}.")
    unclear = [one["measure"] for one in others if one["verdict"] not in ("different", "same")]
    return [*found, *([f"No clear winner on {listed(unclear)}."] if unclear else [])]


def _is_better(one: Data) -> int:
    """1 if the second system of a pair is the better one, else -1."""
    return 1 if (one["difference"] > 0) != bool(one["lower_is_better"]) else -1


def _of_compare_treebanks(result: Data) -> list[str]:
    return [*_of_compare(result), f"Macro average over {n_treebanks(result)}{zeros_in_words(result)}."]


def _of_ranking(result: Data) -> list[str]:
    measures = headlines(list(dict.fromkeys(one["measure"] for one in result["ranking"])))
    first = next((one for one in result["ranking"] if one["measure"] == measures[0] and one["rank"] == 1), None)
    if first is None:
        return []
    alike = first["not_told_apart"]
    rest = f"not told apart from {listed(alike[:_MOST], len(alike) - _MOST)}" if alike else "better than all others"
    factor = facts_of(measures[0]).factor
    return [f"{first['name']} leads on {measures[0]} ({factor * first['value']:.1f}), {rest}."]


def _of_suspects(result: Data) -> list[str]:
    n = len(result["suspects"])
    return [f"{n:,} of {counted(result['words'], 'word')} have a label that is suspected to be wrong."]


def _of_repeats(result: Data) -> list[str]:
    return [f"{result['suspicious']:,} of {counted(result['repeats'], 'repeat')} are annotated in two ways."]


def _of_agree(result: Data) -> list[str]:
    if result["observed"] is None:
        return []
    kappa = "" if result["kappa_pooled"] is None else f"; pooled kappa {result['kappa_pooled']:.3f}"
    items = counted(result["items"], str(result["item"]))
    return [f"{listed(result['annotators'])} agree on {100 * result['observed']:.1f} % of {items}{kappa}."]


def _of_diverge(result: Data) -> list[str]:
    cells = [one for one in result["cells"] if one["features"] == "both"] or result["cells"]
    if not cells:
        return []
    most = max(cells, key=lambda one: one["accuracy"])
    share = f"{100 * most['accuracy']:.1f} %"
    return [
        f"{most['train']} and {most['test']} differ most: they are told apart in {share} of the cases (chance: 50 %)."
    ]


def _of_grid(result: Data) -> list[str]:
    failed = f", {result['failed']:,} failed" if result["failed"] else ""
    return [f"{len(result['cells']):,} of {counted(result['planned'], 'cell')} are done{failed}."]


_OF_KIND: dict[str, Callable[[Data], list[str]]] = {
    "score": _of_score,
    "compare": _of_compare,
    "compare-treebanks": _of_compare_treebanks,
    "noise": _of_pairs,
    "noise-estimate": lambda result: [str(result["in_words"])],
    "suspects": _of_suspects,
    "repeats": _of_repeats,
    "agree": _of_agree,
    "diverge": _of_diverge,
    "grid": _of_grid,
    "grid-table": lambda result: list(map(str, result["verdict"])),
}
