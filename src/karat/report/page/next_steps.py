"""What a reader should check next, given what the results say and what nobody has looked at yet."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.page.measure_facts import facts_of
from karat.report.page.named_files import NamedFile, files_of
from karat.report.page.sentence_sets import ScoredFiles, SentenceSets, values_by_measure, wanted_by
from karat.report.shown import counted, headlines

_SCORED = ("compare", "score", "noise")
_MOST_SYSTEMS = 2  # that a check is planned for


def next_steps(results: Sequence[tuple[str, Mapping[str, Any]]], sets: SentenceSets) -> list[tuple[str, str]]:
    """What to do next, in words, each with the command that does it; results have their kind before them."""
    kinds = {kind for kind, _ in results}
    found = [*_of_estimates(results), *_of_suspects(results)]
    if "demo" in kinds:
        return found
    scored = next(((result, one) for kind, result in results if kind in _SCORED for one in wanted_by(result)), None)
    if scored is None:
        return found
    result, files = scored
    gold, systems = files.gold.path, _named(_leading(result, files))
    if any(facts_of(name).family == "brackets" for name in files.measures):
        if any(file.role == "judgements" for file in files_of(result)):
            return found
        command = shlex.join(["karat", "score", gold, *systems, "--worklist", "brackets.tsv"])
        return [*found, ("Which errors would a person accept? Judge the brackets that this lists:", command)]
    column = next((name.lower() for name in ("UPOS", "XPOS") if name in files.measures), None)
    if "noise-estimate" not in kinds and column:
        options = ["--column", column] if column != "upos" else []
        command = shlex.join(["karat", "noise", "plan", gold, *systems, *options, "-o", "check.tsv"])
        unknown = "" if "noise" in kinds else "Nothing here says what errors in the gold do to the scores of tags. "
        found.append((f"{unknown}To settle what is true, judge the words that this chooses:", command))
    if "suspects" not in kinds and column and files.gold.digest in sets.sets:
        options = ["--column", column] if column != "upos" else []
        found.append(("Where may the gold itself be wrong?", shlex.join(["karat", "suspects", gold, *options])))
    return found


def _leading(result: Mapping[str, Any], files: ScoredFiles) -> dict[str, NamedFile]:
    """The systems that a check should be about: of more than two, the best two by the measure people look at first."""
    values = values_by_measure(result)
    names = headlines(list(dict.fromkeys(name for _, name in values)))
    if len(files.systems) <= _MOST_SYSTEMS or not names:
        return dict(list(files.systems.items())[:_MOST_SYSTEMS])
    sign = 1 if facts_of(names[0]).lower_is_better else -1
    best = sorted(files.systems, key=lambda name: sign * values.get((name, names[0]), 0.0))[:_MOST_SYSTEMS]
    return {name: files.systems[name] for name in best}


def _named(systems: Mapping[str, NamedFile]) -> list[str]:
    return [file.path if file.path.endswith(name) else f"{name}={file.path}" for name, file in systems.items()]


def _of_estimates(results: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, str]]:
    """Whether more rows must be judged."""
    found = []
    for kind, result in results:
        rows = result.get("rows_to_settle") if kind == "noise-estimate" else None
        if rows == 0:
            found.append(("The check has settled which system is better: no more tokens need to be judged.", ""))
        elif rows:
            found.append((f"About {counted(rows, 'more row')} judged would settle which system is better.", ""))
    return found


def _of_suspects(results: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, str]]:
    """That what is suspected should be judged."""
    for kind, result in results:
        named = [file.path for file in files_of(result) if file.role == "corpus"]
        if kind == "suspects" and result.get("suspects") and named:
            column = str(result.get("column", "upos"))
            options = ["--column", column] if column != "upos" else []
            command = shlex.join(["karat", "suspects", named[0], *options, "--worklist", "suspects.tsv"])
            return [("Judge the suspects, likeliest errors first:", command)]
        if kind == "repeats" and result.get("suspicious") and len(named) == 1:
            command = shlex.join(["karat", "repeats", named[0], "--worklist", "repeats.tsv"])
            return [("Judge the repeats, likeliest errors first:", command)]
    return []
