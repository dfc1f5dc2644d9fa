"""What a reader should check next, given what the results say and what nobody has looked at yet."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.page.sentence_sets import SentenceSets, wanted_by
from karat.report.shown import counted

_MOST_SYSTEMS = 2  # that a check is planned for


def next_steps(results: Sequence[tuple[str, Mapping[str, Any]]], sets: SentenceSets) -> list[tuple[str, str]]:
    """What to do next, in words, each with the command that does it; results have their kind before them."""
    kinds = {kind for kind, _ in results}
    found = [*_of_estimates(results)]
    scored = next((one for kind, result in results if kind in ("compare", "score") for one in wanted_by(result)), None)
    if scored is None or "demo" in kinds:
        return found
    gold, systems = scored.gold.path, [one.path for one in scored.systems.values()][:_MOST_SYSTEMS]
    of_gold = sets.sets.get(scored.gold.digest)
    if of_gold is not None and of_gold.evidence.has_trees:
        command = shlex.join(["karat", "score", gold, *systems[:1], "--worklist", "check.tsv"])
        return [*found, ("Which errors would a person accept? Judge the brackets that this lists:", command)]
    if "noise-estimate" not in kinds:
        command = shlex.join(["karat", "noise", "plan", gold, *systems, "-o", "check.tsv"])
        unknown = "" if "noise" in kinds else "Nothing here says what errors in the gold do to these numbers. "
        found.append((f"{unknown}To find out, judge the words that this chooses:", command))
    if "suspects" not in kinds and of_gold is not None:
        found.append(("Where may the gold itself be wrong?", shlex.join(["karat", "suspects", gold])))
    return found


def _of_estimates(results: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, str]]:
    """Whether more rows must be judged."""
    found = []
    for kind, result in results:
        rows = result.get("rows_to_settle") if kind == "noise-estimate" else None
        if rows == 0:
            found.append(("The check has settled which system is better: no more tokens need to be judged.", ""))
        elif rows:
            found.append((f"About {counted(rows, 'more row')} judged would settle which system is better.", ""))
    suspects = next((result for kind, result in results if kind == "suspects" and result.get("suspects")), None)
    if suspects is not None:
        corpus = str(suspects.get("corpus", ""))
        command = shlex.join(["karat", "suspects", corpus, "--worklist", "check.tsv"])
        found.append(("Judge the suspects, likeliest errors first:", command))
    return found
