"""An example of every drawing, made from names for systems, labels or corpora: plain, many, long and hostile ones.

Add yours to `EVERY_DRAWING`: test_every_drawing.py then checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.evaluation.from_counts import compare_counts
from karat.experiments.analyses.table import GridTable, tidy
from karat.gold.errors_set_aside import LengthShare
from karat.inference.paired_units import PairCounts
from karat.noise.results import AtP, Ends
from karat.report.draw.baseline_change import ChangedLabel, baseline_change
from karat.report.draw.confusion_matrix import confusion_matrix
from karat.report.draw.curves import Point, Series, curves
from karat.report.draw.dot_panels import Panel, dot_panels
from karat.report.draw.error_overlap import error_overlap
from karat.report.draw.errors_set_aside import errors_by_length
from karat.report.draw.grid_figures import grid_figure
from karat.report.draw.heat_map import heat_map
from karat.report.draw.noise import NoisyAccuracy, noise_intervals
from karat.report.draw.pairwise_matrix import PairDifference, PairVerdict, pairwise_matrix
from karat.report.draw.permutation_distribution import permutation_distribution
from karat.report.draw.real_test import real_test_figure
from karat.report.draw.scatter import Dot, scatter
from karat.report.draw.score_intervals import ScoredSystem, score_intervals
from karat.report.draw.svg import Drawing
from karat.report.draw.tag_tree import tag_tree

Names = Sequence[str]
PLAIN: Names = ("ada", "bix", "udpipe-2.12-ewt", "stanza 1.8")
MANY: Names = [f"system number {number} of a shared task" for number in range(40)]
LONG: Names = [f"{number}-" + "a system with a very long name " * 3 for number in range(6)]
HOSTILE: Names = (
    "<script>alert(1)</script>",
    "]]> --> <!--",
    "\"quotes\" & 'more'",
    "right-to-left \u202e\u2066 marks",
    "\x00\x1b[31m\x7f\u0085\ufffe controls",
    "中文的系统名称" * 12,
    "\ud800 half",
    "שלום עולם",
    "W" * 80,
    "x" * 10_000,
)
EVERY_NAMES = {"plain": PLAIN, "one": ("only",), "many": MANY, "long": LONG, "hostile": HOSTILE}


def _scores(names: Names) -> Drawing:
    every = [
        ScoredSystem(
            name, 0.93 - 0.004 * n, 0.92 - 0.004 * n, 0.94 - 0.004 * n, (n + 1, n + 2), (0.9 - 0.004 * n, 0.95)
        )
        for n, name in enumerate(names)
    ]
    return score_intervals([*every, ScoredSystem("no score", None)], measure="LAS")


def _plain_scores(names: Names) -> Drawing:
    every = [ScoredSystem(name, 12.5 + n, 11.0 + n, 14.0 + n) for n, name in enumerate(names)]
    return score_intervals(every, measure="perplexity", percent=False)


def _pairs(names: Names) -> Drawing:
    names = [*names, "one more"]
    verdicts: tuple[PairVerdict, ...] = ("better", "worse", "equivalent", "unclear")
    pairs = [
        PairDifference(a, b, 0.0031 * (-1) ** (m + n), verdicts[(m + n) % 4], 10.0 ** -(m - n), -0.001, 0.006)
        for n, a in enumerate(names)
        for m, b in enumerate(names)
        if m > n
    ]
    return pairwise_matrix(names, pairs, measure="LAS")


def _permutations(names: Names) -> Drawing:
    edges = [-0.01 + 0.001 * n for n in range(21)]
    weights = [2.0 ** -abs(n - 9.5) for n in range(20)]
    probabilities = [one / sum(weights) for one in weights]
    return permutation_distribution(edges, probabilities, 0.0043, p=0.031, measure="LAS", names=(names[0], names[-1]))


def _confusions(names: Names) -> Drawing:
    counts = {(a, b): 12_000 if a == b else 7 * (n + m) for n, a in enumerate(names) for m, b in enumerate(names)}
    return confusion_matrix(counts, column="UPOS", system=names[0], links={(names[0], names[0]): "#s1"})


def _overlap(names: Names) -> Drawing:
    return error_overlap(names[0], names[-1], yy=6516, yn=232, ny=343, nn=609, measure="LAS")


def _changes(names: Names) -> Drawing:
    rows = [ChangedLabel(name, 40 * n + 3, 1234 if n == 1 else 3 * n, 1000 + n) for n, name in enumerate(names)]
    return baseline_change(rows, what=f"UPOS of {names[0]}", links={names[0]: "#x"})


def _series(names: Names) -> list[Series]:
    return [
        Series(name, [Point(x, 80 + x + n, 78 + x + n, 82 + x + n, f"{x} words") for x in (5, 10, 15)])
        for n, name in enumerate(names)
    ]


def _curves(names: Names) -> Drawing:
    return curves(_series(names), title="Curves", axes=("words", "LAS (%)"), above=names[0])


def _bands(names: Names) -> Drawing:
    labels = [(5.0, "1–5"), (10.0, "6–10"), (15.0, "11–15")]
    return curves(_series(names), title="Bands", axes=("words", "LAS (%)"), x_labels=labels, with_bands=True)


def _scatter(names: Names) -> Drawing:
    dots = [Dot(n + 1, 2 * n + 0.5, name, f"{name}: {n}") for n, name in enumerate(names)]
    return scatter(dots, title="Dots", axes=("x", "y"), above=names[0], has_diagonal=True)


def _panels(names: Names) -> Drawing:
    values = {name: [4.0 + n, 2.0, 1.0] for n, name in enumerate(names)}
    panels = [Panel(name, values, 3.0) for name in names[:3]]
    return dot_panels(panels, ["one", "two", "three"], title="Panels", y_name="error rate (%)", line_name="the line")


def _heat(names: Names) -> Drawing:
    values = [[None if n == m else (n * m % 50 + 50) / 100 for m in range(len(names))] for n in range(len(names))]
    return heat_map({names[0]: values, "another": values}, names, names, title="Heat", axes=("train", "test"))


def _noise(names: Names) -> Drawing:
    systems = [NoisyAccuracy(name, 0.9135 + 0.001 * n, 0.03, 2.5) for n, name in enumerate(names)]
    return noise_intervals(systems, impossible=[names[-1]])


def _noise_at_p(names: Names) -> Drawing:
    def at(p: float, n: int) -> AtP:
        return AtP(p, Ends(0.9 + 0.001 * n, 0.94 + 0.001 * n), Ends(0.89, 0.96))

    systems = [NoisyAccuracy(name, 0.92, 0.03, 2.5, (at(0.7, n), at(1.0, n))) for n, name in enumerate(names)]
    return noise_intervals(systems, (0.7, 1.0))


def _real_test(names: Names) -> Drawing:
    pairs = [
        compare_counts(PairCounts(6516, 232 + n, 343, 4309), names=(names[0], name)).pairs[0]
        for n, name in enumerate(names[1:8])
    ]
    more = [compare_counts(PairCounts(6000, 0, 100, 5000), names=(names[0], "gold")).pairs[0]]
    return real_test_figure([*pairs, *more] if pairs else [compare_counts(PairCounts(6516, 232, 343, 4309)).pairs[0]])


def _errors_by_length(names: Names) -> Drawing:
    lengths = [(1, 12_345), (2, 8_000), (3, 700), (4, 60), (7, 3), (30, 1), (31, 1)]
    shares = [LengthShare(length, repeats, repeats // 2) for length, repeats in lengths]
    return errors_by_length(dict.fromkeys(names, shares), heuristic="disjoint")


def _grid(names: Names) -> Drawing:
    rows = [
        {"system": "hmm", "measure": "UPOS", "train": train, "test": test, "size": None, "value": 0.9 - 0.001 * n}
        | {"lower": 0.8, "upper": 0.95, "runs": 3}
        for n, train in enumerate(names)
        for test in names
    ]
    columns = tuple(rows[0])
    found = grid_figure(GridTable("matrix", "A matrix", ("Said.",), columns, tidy(columns, rows)))
    assert found is not None
    return found


def _tree(names: Names) -> Drawing:
    """Every tag hangs below the one three before it."""
    return tag_tree([(names[place - 3] if place >= 3 else "root", name) for place, name in enumerate(names)])


EVERY_DRAWING: dict[str, Callable[[Names], Drawing]] = {
    "score_intervals": _scores,
    "score_intervals in a unit": _plain_scores,
    "pairwise_matrix": _pairs,
    "permutation_distribution": _permutations,
    "confusion_matrix": _confusions,
    "error_overlap": _overlap,
    "baseline_change": _changes,
    "curves": _curves,
    "curves with bands": _bands,
    "scatter": _scatter,
    "dot_panels": _panels,
    "heat_map": _heat,
    "noise_intervals": _noise,
    "noise_intervals at p": _noise_at_p,
    "real_test_figure": _real_test,
    "errors_by_length": _errors_by_length,
    "grid_figure": _grid,
    "tag_tree": _tree,
}
