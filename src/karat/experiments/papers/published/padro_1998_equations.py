"""The equations and bounds of Padró & Màrquez 1998, each worked by hand and beside what `karat noise` gives.

They are worked for the paper's example, K = 0.93 and C = 0.03, with u = 0.5 and p = 0.8; bounds that differ where
K > 1 − C also for K = 0.985. Bounds that only say that a probability lies between 0 and 1 have no row.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.published.numbers import PublishedNumber
from karat.noise.from_numbers import noise_bounds
from karat.noise.results import NoisySystem

EXAMPLE = f"karat noise --observed {prints.EXAMPLE_OBSERVED} --corpus-error 0.03 --ambiguity 2.5"
_U, _P = 0.5, 0.8  # so that (1 − C)t = K − C(1 − u)p = 0.93 − 0.03 · 0.5 · 0.8 = 0.918
_WORKED = f"K = 0.93, C = 0.03, u = {_U}, p = {_P}"
_CASE = f"{EXAMPLE} --u {_U} --p {_P} --json"
_HIGH = 0.985  # above 1 − C
_ABOVE = f"karat noise --observed {_HIGH} --corpus-error 0.03 --ambiguity 2.5"


def noisy_system(observed: float, **asked: float | list[float]) -> NoisySystem:
    """What an observed accuracy can mean, with the paper's error rate and ambiguity."""
    how = {"corpus_error": prints.CORPUS_ERROR, "ambiguity": prints.AMBIGUITY} | asked
    return noise_bounds(observed, **how).systems[0]  # type: ignore[arg-type]


def table_1() -> Iterator[PublishedNumber]:
    """The formulas of Table 1."""
    cells = noisy_system(prints.EXAMPLE_OBSERVED, u=_U, p=_P).evaluations[0].cells
    assert cells is not None
    for name, of, formula, worked in (
        ("true_positive", "both right", "(1 − C)t", "0.918"),
        ("true_negative", "tagger wrong", "(1 − C)(1 − t)", "0.052"),
        ("false_negative", "corpus wrong", "Cu", "0.015"),
        ("false_positive", "same error", "C(1 − u)p", "0.012"),
        ("both_wrong_differently", "different errors", "C(1 − u)(1 − p)", "0.003"),
    ):
        yield _formula("Table 1", of, formula, worked, cells[name], _WORKED, _CASE)


def _formula(
    where: str, of: str, formula: str, worked: str, ours: float | None, numbers: str, command: str
) -> PublishedNumber:
    """A printed formula beside karat's number for the same K, C, u and p."""
    why = f"the formula gives {worked} for {numbers}"
    return PublishedNumber(where, of, formula, ours=ours, why=why, command=command, worked=worked)


def equations() -> Iterator[PublishedNumber]:
    """Equations 1 and 2, what section 3 makes of them, and the bounds that assume nothing: equations 3 to 7."""
    observed, error = prints.EXAMPLE_OBSERVED, prints.CORPUS_ERROR
    found = noisy_system(observed, u=_U, p=_P)
    (case,) = found.evaluations
    cells, where = case.cells, "Section 3"
    assert cells is not None
    seen = cells["true_positive"] + cells["false_positive"]
    for of, formula, worked, ours in (
        ("x, equation 1", "(1 − C)t + Cu", "0.933", case.real),
        ("K, equation 2", "(1 − C)t + C(1 − u)p", "0.93", seen),
        ("x from K", "K − C(1 − u)p + Cu", "0.933", case.real),
    ):
        yield _formula(where, of, formula, worked, ours, _WORKED, _CASE)
    rest = observed - case.t * (1 - error)
    for of, formula, worked, ours in (
        ("u from p and t", "1 − (K − t(1 − C))/(Cp)", f"{_U}", 1 - rest / (error * _P)),
        ("p from u and t", "(K − t(1 − C))/(C(1 − u))", f"{_P}", rest / (error * (1 - _U))),
    ):
        why = f"with `t` of the output, the formula gives back the {of[0]} that it was computed for: {_WORKED}"
        yield PublishedNumber(where, of, formula, ours=ours, why=why, command=_CASE, worked=worked)
    yield _formula(where, "t from u and p", "(K − C(1 − u)p)/(1 − C)", "0.94639", case.t, _WORKED, _CASE)
    yield from _free_bounds()
    (at_p,) = found.intervals
    (above,) = noisy_system(_HIGH, p=_P).intervals
    numbers, numbers_above = f"K = {observed}, C = 0.03, p = {_P}", f"K = {_HIGH}, C = 0.03, p = {_P}"
    command_above = f"{_ABOVE} --p {_P} --json"
    assert at_p.free is not None
    assert above.free is not None
    for of, formula, worked, ours, how, command in (
        ("x low, equation 6", "K − Cp", "0.906", at_p.free.lower, numbers, _CASE),
        ("x high, K ≤ 1 − C, equation 7", "K + C", "0.96", at_p.free.upper, numbers, _CASE),
        ("x high, K ≥ 1 − C, equation 7", "1 − (K + C − 1)/p", "0.98125", above.free.upper, numbers_above,
         command_above),
    ):  # fmt: skip
        yield _formula(where, of, formula, worked, ours, how, command)


def _free_bounds() -> Iterator[PublishedNumber]:
    """Equations 3 to 5 where K > 1 − C, so that both terms of each count."""
    found = noisy_system(_HIGH)
    assert found.u is not None
    for of, formula, worked, ours in (
        ("u high, equation 3", "min{1, (1 − K)/C}", "0.5", found.u.upper),
        ("p low, equation 4", "max{0, (K + C − 1)/C}", "0.5", found.p.lower),
        ("t low, equation 5", "(K − C)/(1 − C)", "0.98454", found.t.lower),
        ("t high, equation 5", "min{1, K/(1 − C)}", "1", found.t.upper),
    ):
        yield _formula("Section 3", of, formula, worked, ours, f"K = {_HIGH}, C = 0.03", f"{_ABOVE} --json")


def reasonable_bounds() -> Iterator[PublishedNumber]:
    """Section 4's bounds of u and p; that of p is worked where it is too low: at K = 0.985, it is max{2/3, 1/2}."""
    where, example = "Section 4", noisy_system(prints.EXAMPLE_OBSERVED)
    assert example.u is not None
    numbers, command = "K = 0.93, C = 0.03, a = 2.5", f"{EXAMPLE} --json"
    yield _formula(where, "u low, reasonable", "1/a", "0.4", example.u.lower, numbers, command)
    yield PublishedNumber(
        where,
        "u high, reasonable",
        "min{t, (1 − K)/C}",
        ours=example.u.upper,
        why=f"for {numbers}: (1 − K)/C is 2.33, and u = t gives (K − Cp)/(1 − C − Cp), which is largest at the lowest "
        "p, 2/3: 0.91/0.95 = 0.95789",
        command=command,
        worked="0.95789",
    )
    possible = noisy_system(_HIGH).reasonable_p
    yield PublishedNumber(
        where,
        "p low, reasonable",
        "max{1/(a − 1), (K + C − 1)/C}",
        "misprint",
        None if possible is None else possible.lower,
        "true, but not the lowest p that is possible: the formula gives 2/3 for K = 0.985, C = 0.03, a = 2.5, where p "
        "is at least 5/6. It leaves out u ≥ 1/a: with that, p is at least a(K + C − 1)/(C(a − 1)), and for lower p, t "
        "would be above 1",
        f"{_ABOVE} --json",
        worked="2/3",
    )
    ours = None if example.reasonable_p is None else example.reasonable_p.upper
    yield PublishedNumber(where, "p high, reasonable", "1", ours=ours, why="for K = 0.93", command=command)
