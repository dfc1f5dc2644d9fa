"""What a demo found, as a story for people: what was true, what the gold showed, what karat concluded, is it right."""

from __future__ import annotations

from karat.evaluation.plain_words import points
from karat.experiments.demo_results import OPEN, DemoResult, DemoSystem
from karat.report.shown import listed, shown_ci, shown_interval
from karat.result import Cell, Report, Table


def demo_report(result: DemoResult, *, page: str | None = None) -> Report:
    """The story in a few lines, both taggers in a table, and which file to open next: the page, if there is one."""
    verdict = [_truth(result), _observed(result), _concluded(result), _whether_right(result), _suspects(result)]
    notes = [
        "In %. observed: on gold.conllu, which has errors. bounds: what these errors leave possible "
        f"({shown_ci(result.level)}). checked: estimated from the check. true: on truth.conllu.",
        _next(result, page),
    ]
    caption = f"Two taggers on a gold of which {_percent(result.corpus_error)} is wrong: accuracy in %."
    return Report(verdict, [_table(result)], notes, caption)


def _truth(result: DemoResult) -> str:
    best, other = result.by_accuracy
    n, share = result.suspects.planted, _percent(result.corpus_error)
    return (
        f"The truth: {best.name} tags {_percent(best.true_accuracy)} of the words correctly, {other.name} "
        f"{_percent(other.true_accuracy)}. karat planted errors in the gold: {n:,} of {result.n_tokens:,} tags "
        f"({share}) are wrong."
    )


def _observed(result: DemoResult) -> str:
    best, other = result.by_accuracy
    winner = result.better.compare
    compared = "sees no clear winner" if winner == OPEN else f"calls {winner} better"
    bounded = result.better.bounds
    possible = (
        "once the errors are allowed for, the two could be equally good"
        if bounded == OPEN
        else f"{bounded} is better whatever the errors hide"
    )
    but = "but" if bounded == OPEN and winner != OPEN else "and"
    return (
        f"The gold shows {_observed_share(best)} and {_observed_share(other)}. karat compare {compared}, {but} "
        f"{possible} (karat noise)."
    )


def _observed_share(one: DemoSystem) -> str:
    """The accuracy on the gold, and how far it is off."""
    assert one.observed.value is not None
    off = 100 * (one.observed.value - one.true_accuracy)
    return f"{_percent(one.observed.value)} ({abs(off):.1f} points too {'low' if off < 0 else 'high'})"


def _concluded(result: DemoResult) -> str:
    a, b = (one.name for one in result.systems)
    ends, better = result.difference, result.better.adjudicated
    value, lower, upper = (100 * one for one in (ends.value or 0.0, ends.lower, ends.upper))
    level = shown_ci(result.level)
    check = f"Checks of {result.words_judged:,} words in all, judged here from the truth, say: "
    if better == OPEN:
        return f"{check}no clear winner ({b} − {a}: {level} {points(lower)} to {points(upper)} points)."
    if better == a:
        value, lower, upper = -value, -upper, -lower
    other = a if better == b else b
    return f"{check}{better} is better than {other} by {value:.2f} points ({level} {lower:.2f} to {upper:.2f})."


def _whether_right(result: DemoResult) -> str:
    """Whether the better tagger was found, and which true accuracies lie outside their intervals."""
    better = result.better
    found = "right" if better.is_right else "not decided" if better.adjudicated == OPEN else "wrong"
    by = f"This is {found}: the true difference is {100 * abs(result.true_difference):.2f} points"
    outside = [one.name for one in result.systems if not one.adjudicated.inside]
    if not outside:
        return f"{by}, and both true accuracies lie in their intervals."
    which = "accuracies" if len(outside) > 1 else "accuracy"
    lie = "lie outside their intervals" if len(outside) > 1 else "lies outside its interval"
    often = f"{100 * (1 - result.level):.10g} in 100"
    return f"{by}. But the true {which} of {listed(outside)} {lie}, as happens to {often}."


def _suspects(result: DemoResult) -> str:
    found = result.suspects
    return (
        f"In the gold, {found.first_10} of the first 10 words that karat suspects are planted errors, and "
        f"{found.first_50} of the first 50."
    )


def _table(result: DemoResult) -> Table:
    rows: list[list[Cell]] = []
    for one in result.systems:
        checked, observed = one.adjudicated, one.observed.value
        row: list[Cell] = [one.name, f"{100 * (observed or 0):.2f}", shown_interval(one.bounds)]
        row += [f"{100 * (checked.value or 0):.2f}", shown_interval(checked), f"{100 * one.true_accuracy:.2f}"]
        rows.append([*row, "yes" if checked.inside else "no"])
    columns = ["tagger", "observed", "bounds", "checked", shown_ci(result.level), "true", "true in CI"]
    return Table(columns, rows)


def _next(result: DemoResult, page: str | None) -> str:
    repeat = f"The commands that repeat each step are in {result.folder}/demo.json."
    return f"Open {page} to see it all. {repeat}" if page else repeat


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
