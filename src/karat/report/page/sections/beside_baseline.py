"""A result beside an earlier one: what is newly right and newly wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.report.draw.baseline_change import ChangedLabel, baseline_change
from karat.report.page.cells import PageTable, count_cell, difference_cell, number_cell, text_cell
from karat.report.page.error_lists import anchor
from karat.report.page.measure_facts import facts_of
from karat.report.page.named_files import files_of
from karat.report.page.parts import Block, Links, Paragraphs, figure
from karat.report.page.sentence_sets import BEFORE, SentenceSet, values_by_measure
from karat.report.page.treebank_results import is_over_treebanks
from karat.report.shown import headlines

Data = Mapping[str, Any]
_MOST_LABELS = 20


def change_headline(now: Sequence[Data], before: Sequence[Data]) -> list[str]:
    """What changed, in a sentence for each system, by the measure people look at first."""
    new, old = _values_of_gold(now, before), _values_of_gold(before, now)
    common = [key for key in new if key in old]
    if not common:
        return ["The baseline has no system of the same name on the same gold: nothing to put beside."]
    changed = [key for key in common if new[key] != old[key]]
    if not changed:
        return ["Nothing has changed since the baseline."]
    first = headlines(list(dict.fromkeys(name for _, name in changed)))[0]
    found = []
    for system, measure in changed:
        if measure == first:
            factor = facts_of(measure).factor
            change = factor * (new[system, measure] - old[system, measure])
            shown = f"{change:+.2f}".replace("-", "−")
            was, is_now = factor * old[system, measure], factor * new[system, measure]
            on = f"{measure}{_averaged(now)}"
            found.append(f"Since the baseline, {system} went from {was:.2f} to {is_now:.2f} on {on} ({shown}).")
    return found


def _values_of_gold(results: Sequence[Data], others: Sequence[Data]) -> dict[tuple[str, str], float]:
    """The values of results whose gold one of the others has, too."""
    golds = {digest for one in others if (digest := _gold(one))}
    chosen = [one for one in results if _gold(one) in golds]
    return {key: value for result in chosen for key, value in values_by_measure(result).items()}


def _averaged(results: Sequence[Data]) -> str:
    """What goes after the name of a measure whose values are averages over treebanks."""
    return " (macro average)" if any(map(is_over_treebanks, results)) else ""


def _gold(result: Data) -> str:
    return next((one.digest for one in files_of(result) if one.role == "gold"), "")


def baseline_blocks(
    id: str, now: Sequence[Data], before: Sequence[Data], sets: Sequence[SentenceSet | None]
) -> list[Block]:
    """Values before and now; of each system what is newly right and newly wrong, and its labels drawn."""
    new, old = _values_of_gold(now, before), _values_of_gold(before, now)
    common = [key for key in new if key in old]
    rows = []
    for system, measure in common:
        factor = facts_of(measure).factor
        row = [text_cell(system), text_cell(f"{measure}{_averaged(now)}"), number_cell(old[system, measure], factor)]
        row += [number_cell(new[system, measure], factor)]
        rows.append([*row, difference_cell(new[system, measure] - old[system, measure], factor)])
    columns = ["system", "measure", "before", "now", "now − before"]
    blocks: list[Block] = [PageTable(f"{id}-values", "Before and now", columns, rows)] if rows else []
    compared = [one for one in sets if one is not None and _systems_before(one)]
    for one in compared:
        blocks += _changes(id, one)
    if rows and not compared:
        blocks.append(Paragraphs(["No units to compare: the gold or the outputs are not those of before."], "Units"))
    return blocks


def _systems_before(found: SentenceSet) -> list[str]:
    names = [one.name for one in found.evidence.systems]
    return [name for name in names if f"{name}{BEFORE}" in names]


def _changes(id: str, found: SentenceSet) -> list[Block]:
    blocks: list[Block] = []
    for system in _systems_before(found):
        before = f"{system}{BEFORE}"
        rows, links = [], []
        for measure in found.evidence.headlines:
            right = found.lists.only_one_right(system, before, measure)
            wrong = found.lists.only_one_right(before, system, measure)
            n_right, n_wrong = (found.lists.size(one) for one in (right, wrong))
            if n_right or n_wrong:
                row = [text_cell(measure), count_cell(n_right, to=right), count_cell(n_wrong, to=wrong)]
                rows.append([*row, count_cell(n_right - n_wrong)])
                links += [(one, found.lists.words_of(one)) for one in (right, wrong) if one]
        title = f"{system}: newly right and newly wrong"
        if not rows:
            blocks.append(Paragraphs([f"{system} has the same units right and wrong as before."], title))
            continue
        columns = ["measure", "newly right", "newly wrong", "net"]
        blocks.append(PageTable(f"{id}-{anchor(system)}-changes", title, columns, rows))
        blocks += _drawn(id, found, system, before)
        blocks.append(Links(f"{system}: sentences", links[:4]))
    return blocks


def _drawn(id: str, found: SentenceSet, system: str, before: str) -> list[Block]:
    """Newly right and newly wrong units of the first measure by label."""
    by_name = {one.name: one for one in found.evidence.systems}
    measure = found.evidence.headlines[0]
    split = next((one for one in ("deprel", "upos", "xpos", "label") if one in found.evidence.splits), None)
    new, old = by_name[system].units(measure), by_name[before].units(measure)
    if split is None or new is None or old is None or len(new.right) != len(old.right):
        return []
    names, groups = found.evidence.groups_of_units(by_name[system], split, new)
    if not names or (groups < 0).any():
        return []

    def counted(which: Any) -> Any:
        return np.bincount(groups[which], minlength=len(names))

    right, wrong, still = (
        counted(one) for one in (new.right & ~old.right, old.right & ~new.right, ~new.right & ~old.right)
    )
    order = np.argsort(-(right + wrong), kind="stable")[:_MOST_LABELS].tolist()
    labels = [
        ChangedLabel(names[n], int(right[n]), int(wrong[n]), int(still[n])) for n in order if right[n] or wrong[n]
    ]
    if not labels:
        return []
    rest = np.argsort(-(right + wrong), kind="stable")[_MOST_LABELS:]
    if rest.size and (right[rest].sum() or wrong[rest].sum()):
        labels.append(
            ChangedLabel("other labels", int(right[rest].sum()), int(wrong[rest].sum()), int(still[rest].sum()))
        )
    return [figure(f"{id}-{anchor(system)}-drawn", baseline_change(labels, what=f"{system}, {measure} by {split}"))]
