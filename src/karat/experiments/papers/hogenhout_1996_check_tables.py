"""The tables of the human check of Hogenhout & Matsumoto 1996, where the truth is known (§3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from karat.experiments.papers import hogenhout_1996_prints as prints
from karat.experiments.papers.hogenhout_1996_check import (
    JUDGE_ERROR,
    JUDGED,
    SAMPLED,
    OracleVerdicts,
    SampleCoverage,
    coverage,
)
from karat.experiments.papers.hogenhout_1996_tables import listed, paper_number, percent
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.result import Cell

_N_SAMPLES = 1000


def check(truths: Mapping[tuple[str, str], OracleVerdicts], level: float) -> tuple[PaperPart, list[str]]:
    """What the check finds, from all brackets, a sample, and judges who err, beside what is true."""
    rows: dict[str, list[tuple[Cell, ...]]] = {}
    items: list[tuple[Cell, ...]] = []
    for number, ((style, system), truth) in enumerate(truths.items()):
        rng = np.random.default_rng([number, 1996])
        whole, true = truth.measures(), truth.measures(look_at_exact=True)
        sample = truth.from_sample(truth.sampled(SAMPLED, rng), level)
        erring = truth.measures(truth.with_judge(JUDGE_ERROR, rng))
        counts = truth.counts(look_at_exact=True)
        groups = [counts[one] for one in ("EMA", "EMR", "CEA", "CER", "SPA", "SPR")]
        items.append((style, system, *groups, true["False Error"]))
        for name in JUDGED:
            one = sample.get(name)
            ends = (None, None, None) if one is None else (one.value, one.lower, one.upper)
            cells = (system, name, true[name], whole[name], *ends, erring[name])
            rows.setdefault(style, []).append(cells)
    columns = ("parser", "measure", "true", "check", "sample", "lower", "upper", "judges err")
    notes = (
        "true: all brackets judged. check: crossing and spurious ones judged, exact matches taken as right. sample: a "
        f"tenth of these, with its interval. judges err: in {100 * JUDGE_ERROR:g} % of them.",
    )
    found = [
        ("", PaperTable("", f"The check with known truth: {style}", (), columns, tuple(of), notes, columns[2:]))
        for style, of in rows.items()
    ]
    heads = ("style", "parser", "EMA", "EMR", "CEA", "CER", "SPA", "SPR", "False Error")
    of_items = PaperTable("", "Items, by the truth", (), heads, tuple(items), (), heads[-1:])
    combined = {
        system: truth.measures()["False Error"] for (style, system), truth in truths.items() if style == "combined"
    }
    planted = [
        (truth.measures(), truth.measures(look_at_exact=True))
        for (style, _), truth in truths.items()
        if style == "planted errors"
    ]
    said = [
        "Parsers that learnt another style: of 100 crossing errors, "
        + listed(f"{100 * (value or 0.0):.0f} of {system}'s" for system, value in combined.items())
        + " are the treebank's style, not the parser's fault (combined style).",
        "Taking exact matches as right, where errors were planted in the treebank, Problem Rate seems "
        + listed(
            f"{percent(whole['Problem Rate'] or 0.0)} % ({percent(true['Problem Rate'] or 0.0)} % is true)"
            for whole, true in planted
        )
        + " for A and B.",
    ]
    results = (("", of_items), *found)
    return PaperPart("check", "Section 3: the check, with known truth", tuple(_judged_items(truths)), results), said


def _judged_items(truths: Mapping[tuple[str, str], OracleVerdicts]) -> Iterator[PaperNumber]:
    """Table 1's items of the check, by the oracle: of parsers that learnt all other styles at once."""
    for (style, system), truth in truths.items():
        if style == "combined":
            counts = truth.counts()
            for name in ("CEA", "CER", "SPA", "SPR"):
                printed = prints.ITEMS[name][prints.SYSTEMS.index(system)]
                yield paper_number("Table 1", f"{name}, {system}", "count", counts[name], printed, same_data=False)


def coverage_part(truths: Mapping[tuple[str, str], OracleVerdicts], level: float) -> tuple[PaperPart, list[str]]:
    """How often intervals from samples of a tenth cover what the whole check says."""
    found: dict[tuple[str, str], dict[str, SampleCoverage]] = {}
    for number, ((style, system), truth) in enumerate(truths.items()):
        for one in coverage(truth, n_samples=_N_SAMPLES, level=level, seed=number):
            found.setdefault((style, one.measure), {})[system] = one
    columns = ("style", "measure", "A covered", "A width", "B covered", "B width")
    rows = [(*key, *_cells(of, lambda one: (one.covered, one.width))) for key, of in found.items()]
    title = f"Coverage of {100 * level:g} % intervals from samples of a tenth, {_N_SAMPLES:,} samples each"
    every = PaperTable("", title, (), columns, tuple(rows), (), columns[2:])
    soft = {style: of for (style, measure), of in found.items() if measure == "Recall-soft"}
    heads = ("style", "A covered", "A possible", "B covered", "B possible")
    rows = [(style, *_cells(of, lambda one: (one.covered, one.nearest))) for style, of in soft.items()]
    notes = (
        f"possible: the coverage nearest to {100 * level:g} % that any interval could have. Where hardly any bracket "
        "is acceptable, nearly all samples find the same number of them, and an interval covers all of these or none.",
    )
    title = "Coverage of soft recall and precision (the same: both count the accepted), beside what is possible"
    beside = PaperTable("", title, (), heads, tuple(rows), notes, heads[1:])
    cells = [one for of in soft.values() for one in of.values()]
    apart = max(abs(one.covered - one.nearest) for one in cells)
    said = [
        f"Intervals of soft recall and precision from samples of a tenth cover the whole check in "
        f"{percent(min(one.covered for one in cells))} to {percent(max(one.covered for one in cells))} % of the "
        f"samples, at most {100 * apart:.1f} points from what any interval could have."
    ]
    return PaperPart("coverage", "How well samples do", (), (("", every), ("", beside))), said


def _cells(of: Mapping[str, SampleCoverage], shown: Callable[[SampleCoverage], tuple[Cell, Cell]]) -> tuple[Cell, ...]:
    return tuple(cell for name in prints.SYSTEMS for cell in (shown(of[name]) if name in of else (None, None)))
