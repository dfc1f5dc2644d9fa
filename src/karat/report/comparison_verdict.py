"""What to conclude from a comparison, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from karat.evaluation.comparison_results import Compared, PairResult
from karat.evaluation.plain_words import margin_in_words, verdict, why_too_few, winner
from karat.report.shown import HEADLINES, listed

_MOST_PAIRS = 3  # that are named
_OUTCOMES = {
    "none": "No clear winner between {a} and {b} on {names}.",
    "border": "Borderline on {names}: test and CI disagree.",
    "alone only": "On {names} the difference is not significant once adjusted for the number of comparisons.",
    "same": "{a} and {b} score the same on {names}.",
}


def comparison_verdict(compared: Compared, systems: Sequence[str]) -> list[str]:
    """Who leads by the measures that people look at first; of two systems, who is better on which measures."""
    if len(systems) > 2:
        measures = [name for name in compared.measures() if name is not None]
        first = [name for name in HEADLINES if name in measures] or measures
        return [
            *(_on_leaders(compared, name) for name in first[:2]),
            *(sentence for name in first[:2] for sentence in _equivalent_pairs(compared, name)),
        ]
    if len(compared.pairs) <= 2:
        return compared.words
    found: dict[str, list[PairResult]] = {}
    for one in compared.pairs:
        found.setdefault(_outcome(one, compared.level), []).append(one)
    a, b = compared.pairs[0].a, compared.pairs[0].b
    sentences = []
    for better, worse in ((a, b), (b, a)):
        if better in found:
            on = listed([f"{one.measure} (by {one.factor * abs(one.difference):.2f})" for one in found[better]])
            sentences.append(f"{better} is better than {worse} on {on}.")
    for outcome, words in _OUTCOMES.items():
        if outcome in found:
            names = listed([one.measure or "" for one in found[outcome]])
            sentences.append(words.format(names=names, a=systems[0], b=systems[1]))
    why: dict[str, list[str]] = {}
    for one in found.get("too few", []):
        why.setdefault(why_too_few(one, compared.level), []).append(one.measure or "")
    sentences += [f"{listed(names)}: {reason}." for reason, names in why.items()]
    return sentences + _equivalent_measures(compared)


def _equivalent_measures(compared: Compared) -> list[str]:
    """Of two systems and several measures: on which they are equivalent, where that was asked for."""
    found: dict[bool, list[str]] = {}
    margin = ""
    for one in compared.pairs:
        if one.equivalence is not None and one.measured.in_percent:  # a margin of points says nothing of others
            margin = margin_in_words(one, one.equivalence)
            found.setdefault(one.equivalence.holds, []).append(one.measure or "")
    words = {True: "Equivalent", False: "Not shown to be equivalent"}
    how = "two one-sided tests"
    return [f"{words[holds]} within {margin} ({how}): {listed(found[holds])}." for holds in words if holds in found]


def _equivalent_pairs(compared: Compared, measure: str) -> list[str]:
    """Of several systems: which are equivalent by a measure, where that was asked for."""
    tested = [
        (one, one.equivalence) for one in compared.pairs if one.measure == measure and one.equivalence is not None
    ]
    if not tested or not tested[0][0].measured.in_percent:
        return []
    margin = margin_in_words(*tested[0])
    names = [f"{one.a} and {one.b}" for one, equivalence in tested if equivalence.holds]
    if not names:
        return [f"No two systems are shown to be equivalent within {margin} on {measure} (two one-sided tests)."]
    more = f" and {len(names) - _MOST_PAIRS} more pairs" if len(names) > _MOST_PAIRS else ""
    return [f"Equivalent within {margin} on {measure} (two one-sided tests): {'; '.join(names[:_MOST_PAIRS])}{more}."]


def _outcome(one: PairResult, level: float) -> str:
    """The winner's name, or what else is to be concluded."""
    found = verdict(one, level)
    return winner(one, level) or (found if found in ("too few", *_OUTCOMES) else "none")


def _on_leaders(compared: Compared, measure: str) -> str:
    """Who leads by a measure, and whether the lead is real."""
    ranked = [one for one in compared.ranking if one.measure == measure]
    first, others = ranked[0], ranked[1:]
    tied = [one.name for one in others if one.name in first.not_told_apart]
    value = f"{first.measured.factor * first.value:.{1 if first.measured.in_percent else 2}f}"
    if all(one.value == first.value for one in others):
        return f"All {len(ranked)} systems score the same on {measure} ({value})."
    ahead = f"{first.name} is ahead ({measure} {value})"
    pairs = [one for one in compared.pairs if one.measure == measure]
    few = next((one for one in pairs if verdict(one, compared.level) == "too few"), None)
    if few and len(tied) == len(others):
        return f"{ahead}, but {why_too_few(few, compared.level)}."
    level = [one.name for one in ranked if one.value == first.value]
    if len(level) > 1:
        alike = [name for name in tied if name not in level]
        if alike:
            doubt = f"not significantly better than {listed(alike[:3], len(alike) - 3)}"
        else:
            doubt = f"significantly better than the other {_or_system(len(ranked) - len(level))}"
        return f"{listed(level[:3], len(level) - 3)} tie for first ({measure} {value}), {doubt}."
    if not tied:
        all_others = {1: "the other", 2: "both others"}.get(len(others), f"all {len(others)} others")
        return f"{measure}: {first.name} is best ({value}), significantly better than {all_others}."
    if len(tied) == len(others):
        return f"No clear winner: {ahead}, but not significantly better than any other system."
    return (
        f"{ahead}, not significantly better than {listed(tied[:3], len(tied) - 3)}; "
        f"it is better than the other {_or_system(len(others) - len(tied))}."
    )


def _or_system(n: int) -> str:
    return str(n) if n > 1 else "system"
