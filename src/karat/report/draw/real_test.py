"""The real tests that fit two systems: M1 against M2 [Hogenhout & Matsumoto 1996, §6]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from karat._arrays import Floats
from karat.errors import UsageError
from karat.evaluation.comparison_results import PairResult
from karat.inference.real_test import RealTestCurve, real_test_curve
from karat.report.draw.svg import (
    INK,
    Drawing,
    Frame,
    Key,
    colour,
    fitted_name,
    label,
    line,
    line_and_mark,
    mark,
    safe_stem,
    titled,
)
from karat.result import Cell, Table

_PREFERRED = "Recall-hard"  # the measure of which the paper says what is real
_SIGNIFICANT = 1.96
_BETWEEN = 110  # the two panels
_WIDEST_NAME = 90  # of a system in the legend


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A pair, the curve of its real tests, and its number among the pairs, which says how it is drawn."""

    pair: PairResult
    curve: RealTestCurve
    number: int

    def line(self, points: list[tuple[float, float]]) -> str:
        return line(points, colour(self.number), width=2, dashed=self.number % 2 == 1)


def real_test_figure(pairs: Sequence[PairResult]) -> Drawing:
    """M1 against M2 for each pair, by Recall-hard or else the first measure that has units; below it z over the size.

    The paper's relation of M1 and M2, and its claim that z is practically the same for all of them.
    """
    having = [one for one in pairs if one.counts is not None]
    preferred = next(
        (one.measure for one in having if one.measure == _PREFERRED), having[0].measure if having else None
    )
    chosen = [one for one in having if one.measure == preferred]
    drawn, without = [], []
    for number, one in enumerate(chosen):
        assert one.counts is not None
        curve = real_test_curve(one.counts.yy, one.counts.yn, one.counts.ny, one.counts.nn)
        if len(curve.size):
            drawn.append(_Drawn(one, curve, number))
        else:
            without.append(one)
    if not drawn:
        why = (
            "one system is never worse, or nothing can be set aside"
            if chosen
            else "these measures have no units that both systems share"
        )
        raise UsageError(f"no curve of M1 and M2 to draw: {why}")
    frame, parts = _significance(drawn)
    keys: list[Key] = [(partial(line_and_mark, one.number), _words(one.pair)) for one in drawn]
    keys += [(None, f"{_names(one)}: no M1 and M2 to choose from") for one in without]
    title = f"Real tests that fit{f' by {preferred}' if preferred else ''}: M1 against M2"
    svg = frame.drawing_with_keys(title, [*_set_aside(drawn), *parts], keys, margin=40)
    return Drawing(safe_stem(f"real-test-{preferred}" if preferred else "real-test"), title, svg, _table(drawn, title))


def _table(drawn: Sequence[_Drawn], title: str) -> Table:
    """The smallest real test of each pair, and the z of all of them."""
    rows: list[list[Cell]] = []
    for one in drawn:
        real, counts = one.pair.real_test, one.pair.counts
        assert real is not None
        assert counts is not None
        smallest: list[Cell] = [real.size, real.always_right, real.never_right, real.z_lower, real.z_upper]
        rows.append([one.pair.a, one.pair.b, counts.n, *smallest])
    return Table(["A", "B", "units", "smallest real test", "M1", "M2", "least z", "most z"], rows, title, n_keys=2)


def _names(pair: PairResult) -> str:
    return f"{fitted_name(pair.a, _WIDEST_NAME)}, {fitted_name(pair.b, _WIDEST_NAME)}"


def _words(pair: PairResult) -> str:
    assert pair.counts is not None
    assert pair.real_test is not None
    low, high = pair.real_test.z_lower, pair.real_test.z_upper
    ends = dict.fromkeys(f"{one:.2f}".replace("-", "−") for one in (low, high) if one is not None)
    z = f", z {' to '.join(ends)}" if ends else ""
    return f"{_names(pair)}: smallest real test {pair.real_test.size:,.0f} of {pair.counts.n:,} units (mark){z}"


def _set_aside(drawn: Sequence[_Drawn]) -> list[str]:
    most = [max(float(values.max()) for values in every) for every in _both(drawn, "always_right", "never_right")]
    frame = Frame(0.0, max(1.05 * most[0], 1.0), 0.0, max(1.05 * most[1], 1.0))
    parts = frame.axes(
        "M1: units set aside, as both systems always get them right", "M2: units that they never get right"
    )
    for one in drawn:
        curve = one.line(frame.along(one.curve.always_right, one.curve.never_right))
        real = one.pair.real_test
        assert real is not None
        smallest = mark(one.number, frame.x(real.always_right), frame.y(real.never_right))
        parts.append(
            titled(f"{_words(one.pair)}: M1 {real.always_right:,.0f}, M2 {real.never_right:,.0f}", curve, smallest)
        )
    return parts


def _significance(drawn: Sequence[_Drawn]) -> tuple[Frame, list[str]]:
    (sizes, every_z) = _both(drawn, "size", "z")
    low = min(0.0, 1.15 * min(float(z.min()) for z in every_z))
    high = max(_SIGNIFICANT * 1.15, 1.15 * max(float(z.max()) for z in every_z))
    low = min(low, -_SIGNIFICANT * 1.15) if low < 0 else low
    frame = Frame(0.0, 1.05 * max(float(size.max()) for size in sizes), low, high, top=340 + _BETWEEN, height=180)
    parts = frame.axes("size of the real test (units)", "its z")
    for limit in (_SIGNIFICANT, *([-_SIGNIFICANT] if low < 0 else [])):
        ends = [(frame.left, frame.y(limit)), (frame.left + frame.width, frame.y(limit))]
        parts.append(line(ends, INK, dashed=True))
        parts.append(
            label(frame.left + frame.width - 4, frame.y(limit) - 5, f"{limit:g}".replace("-", "−"), anchor="end")
        )
    for one in drawn:
        drawn_z = one.line(frame.along(one.curve.size, one.curve.z))
        parts.append(titled(f"{one.pair.a}, {one.pair.b}: z over the size of the real test", drawn_z))
    return frame, parts


def _both(drawn: Sequence[_Drawn], *names: str) -> list[list[Floats]]:
    return [[getattr(one.curve, name) for one in drawn] for name in names]
