"""Section 6 of Hogenhout & Matsumoto 1996: what two binomial systems would share, and the real test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from karat.evaluation.from_counts import compare_counts
from karat.experiments.papers import hogenhout_1996_prints as prints
from karat.experiments.papers.published.numbers import PublishedNumber
from karat.inference.paired_units import Expected, PairCounts

PAIRED = PairCounts(*(prints.PAIRED[name] for name in ("YY", "YN", "NY", "NN")))
PAIRED_COMMAND = f"karat compare --counts {','.join(f'{name}={n}' for name, n in prints.PAIRED.items())} --json"
_RARE = 3.3  # standard deviations that independent systems exceed once in a thousand times


def section_6() -> Iterator[PublishedNumber]:
    """What two binomial systems would share, and the real test."""
    (pair,) = compare_counts(PAIRED).pairs
    found = pair.real_test
    assert found is not None
    smallest = next(one for one in found.fitting if one.name == "most")
    larger = " and ".join(f"{one.size:,.0f}" for one in found.fitting if one is not smallest)
    fitting = f"of the pairs of M1 and M2 that fit, the one with the smallest real test; {larger} brackets fit as well"
    yield from _independence()
    yield PublishedNumber(
        "Section 6",
        "YY − M1, equation",
        "(YY + YN − M1)(YY + NY − M1)/(TTB − M1)",
        "misprint",
        PAIRED.yy - found.always_right,
        "the formula gives 62.2 for M1 = 6234. It misses M2: over TTB − M1 − M2 it is 282, as YY − M1 is (YY − "
        "`always_right` in the output)",
        PAIRED_COMMAND,
        worked="62.2",
    )
    no_hard = next(one for one in found.fitting if one.never_right == 0)
    yield PublishedNumber(
        "Section 6",
        "M1 from M2, equation",
        "(NY × TTB + M2 × YY − (NY + NN)(YY + NY))/(M2 − NN)",
        ours=no_hard.always_right,
        why="the formula gives 6497.53 for M2 = 0: −27,997,868/−4309; for M2 = 4027 it gives 6233.8",
        command=PAIRED_COMMAND,
        worked="6497.53",
    )
    for of, printed, ours in (
        ("M1", f"{prints.M1}", found.always_right),
        ("M2", f"{prints.M2}", found.never_right),
        ("z at these M1, M2", f"{prints.Z}", smallest.z),
    ):
        yield PublishedNumber("Section 6", of, printed, ours=ours, why=fitting, command=PAIRED_COMMAND)
    yield PublishedNumber(
        "Section 6",
        "z, whatever M1 and M2 are",
        f"{prints.Z}",
        "misprint",
        found.z_lower,
        f"almost: z is from {found.z_lower:.3f} to {found.z_upper:.3f}, by M1 and M2; ours: the lowest",
        PAIRED_COMMAND,
    )
    yield PublishedNumber(
        "Section 6",
        "real test, size",
        f"{prints.REAL_TEST_SIZE}",
        ours=found.size,
        why=fitting,
        command=PAIRED_COMMAND,
    )


def _independence() -> Iterator[PublishedNumber]:
    """What YY and NN would be, how they would vary, and how far off they are."""
    row = partial(PublishedNumber, "Section 6", command=PAIRED_COMMAND)
    both, none = PAIRED.expected_both_right(), PAIRED.expected_both_wrong()
    values = "N = 11,400, P_a = 6748/11,400, P_b = 6859/11,400"
    for of, formula, worked, ours in (
        ("E(YY), formula", "N P_a P_b", "4060.05", both.value),
        ("V(YY), formula", "N (P_a P_b)(1 − P_a P_b)", "2614.08", both.variance),
        ("E(NN), formula", "N (1 − P_a)(1 − P_b)", "1853.05", none.value),
        ("V(NN), formula", "N ((1 − P_a)(1 − P_b))(1 − (1 − P_a)(1 − P_b))", "1551.84", none.variance),
    ):
        yield row(of, formula, ours=ours, why=f"the formula gives {worked} for {values}", worked=worked)
    for of, expected, around, how in (
        ("E(YY)", both, prints.EXPECTED_YY, "11,400 × .592 × .602"),
        ("E(NN)", none, prints.EXPECTED_NN, "11,400 × .408 × .398"),
    ):
        why = f"the paper's follows from recalls rounded to three places: {how}"
        yield row(of, f"around {around}", ours=expected.value, why=why, relation="about", tolerance=5)
    for name, one in (("YY", both), ("NN", none)):
        yield row(
            f"{name}: standard deviations from its expectation, above 3.3",
            "extremely rare",
            ours=_distance(one),
            why="independent systems are further off than 3.3 about once in a thousand times",
            relation="above",
            worked=f"{_RARE}",
        )


def _distance(expected: Expected) -> float | None:
    return None if expected.z is None else abs(expected.z)
