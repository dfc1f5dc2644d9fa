"""What `karat.noise_plan` and `karat.noise_estimate` return: what people should judge, and what their verdicts say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from karat.corpus.worklist import Worklist
from karat.evaluation.plain_words import points
from karat.inference.distributions import two_sided_normal
from karat.noise.decision_rules import CHECK, simulated_rates
from karat.noise.estimates_from_verdicts import OneEstimate, PairEstimate
from karat.noise.intervals_from_verdicts import CheckedEstimate
from karat.noise.judges import MergedJudges
from karat.noise.results import Ends, InputsRead, span
from karat.noise.token_sampling import StratumCheck, TokenSample
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature

OF_ONE = {
    "accuracy": "real accuracy",
    "corpus_error": "gold errors (C)",
    "right_where_different": "right where it differs from the gold",
    "both_wrong_where_different": "both wrong where they differ",
    "wrong_where_same": "both wrong where they agree",
    "right_where_gold_right": "right where the gold is right (t)",
    "right_where_gold_wrong": "right where the gold is wrong (u)",
    "same_error": "same error where both are wrong (p)",
}


def stratum_words(stratum: str, names: Sequence[str]) -> str:
    """What the tokens of a stratum have in common, for these systems."""
    a, b = names[0], names[-1]
    return {
        "different": f"{a} and gold differ",
        "same": f"{a} and gold agree",
        "a_right": f"only {a} agrees with the gold",
        "b_right": f"only {b} agrees with the gold",
        "neither": "neither agrees with the gold",
    }[stratum]


@dataclass(frozen=True, eq=False, repr=False)
class CheckPlan(Result):
    """The tokens to judge, from which strata they were drawn, and how many error-free sentences would do instead.

    `margins` are how far from the estimate the truth may then be, for each share of tokens in which people side with
    the gold; `tokens_needed` is how many would settle the pair with a power of 80 % if its difference is as observed
    and they mostly do. `sentences_needed` is None for one system, or where the systems do not differ. `worklist` has
    all rows; `worklists` has those of each judge, of which `overlap` go to all.
    """

    names: tuple[str, ...]
    worklist: Worklist
    sample: TokenSample
    n_words: int
    margins: tuple[tuple[float, float], ...]
    tokens_needed: int | None
    sentences_needed: int | None
    needs_corpus_error: bool
    signature: str
    read: InputsRead
    worklists: Mapping[str, Worklist]
    overlap: int

    @property
    def strata(self) -> list[tuple[str, int, int]]:
        """Each stratum's name, its tokens, and how many of them are to be judged."""
        sizes, n_sampled = self.sample.sizes.tolist(), self.sample.n_sampled.tolist()
        return list(zip(self.sample.names, sizes, n_sampled, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data, in the schema karat/noise-plan/1."""
        return {
            "schema": "karat/noise-plan/1",
            "signature": self.signature,
            "systems": list(self.names),
            "words": self.n_words,
            "rows": len(self.worklist.rows),
            "strata": [{"name": name, "size": size, "sampled": n_sampled} for name, size, n_sampled in self.strata],
            "margins": [
                {"with_gold": share, "margin": margin if math.isfinite(margin) else None}
                for share, margin in self.margins
            ],
            **attributes(self, "tokens_needed sentences_needed"),
            "judges": [{"name": name, "rows": len(one.rows)} for name, one in self.worklists.items()],
            "overlap": self.overlap,
        }

    def records(self) -> Table:
        """One row for each stratum."""
        rows: list[list[Cell]] = [
            [stratum_words(name, self.names), size, n_sampled] for name, size, n_sampled in self.strata
        ]
        return Table(["stratum", "tokens", "to judge"], rows, " and ".join(self.names))


@dataclass(frozen=True, eq=False, repr=False)
class CheckEstimate(Result):
    """What verdicts say, of one system or of two; and of several judges how far they agree.

    `files` are the names of the judges' files, `warnings` what is odd about them.
    """

    names: tuple[str, ...]
    estimate: OneEstimate | PairEstimate
    judges: MergedJudges | None
    n_words: int
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    read: InputsRead
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was estimated, how and from which inputs."""
        return signature("noise estimate", self.settings, self.inputs)

    @property
    def one(self) -> OneEstimate | None:
        """The estimates of one system, if there is one."""
        return self.estimate if isinstance(self.estimate, OneEstimate) else None

    @property
    def pair(self) -> PairEstimate | None:
        """The estimates of two systems, if there are two."""
        return self.estimate if isinstance(self.estimate, PairEstimate) else None

    def to_dict(self) -> dict[str, Any]:
        """The estimates as plain data, in the schema karat/noise-estimate/1."""
        part = plain(self.estimate)
        data: dict[str, Any] = {
            "schema": "karat/noise-estimate/1",
            "signature": self.signature,
            "systems": list(self.names),
            "words": self.n_words,
            **attributes(self.estimate, "observed level strata"),
            "in_words": self.in_words,
            "always_valid": part["always_valid"],
            "finished": part["is_finished"],
            "blanks": plain(self.blanks),
            "sensitivity": [
                attributes(case, "error value lower upper always_valid") for case in self.estimate.sensitivity
            ],
            "judge_error": [
                error | {"judge": None if error["judge"] is None else self.files[error["judge"]]}
                for error in part["judge_errors"]
            ],
            "warnings": list(self.warnings),
        }
        if self.one is not None:
            data["estimates"] = {name: part[name] for name in OF_ONE}
            data |= attributes(self.one, "cells notes known_corpus_error")
        if self.pair is not None:
            data |= self._pair_dict(self.pair)
        if self.judges is not None:
            n_ties = {"n_ties": self.judges.n_ties, "n_open": self.judges.n_ties}  # all ties stay open
            data["judges"] = n_ties | attributes(self.judges, "n_shared agreement cohen fleiss")
        return data

    def _pair_dict(self, pair: PairEstimate) -> dict[str, Any]:
        better = {"A": self.names[0], "B": self.names[1], "open": "open"}
        verdict = better[pair.verdict]
        return {
            "estimates": attributes(pair, "difference"),
            "probability_b_better": pair.probability_b_better,
            "verdict": verdict,
            "verdict_whatever_blanks": verdict,
            "rows_to_settle": pair.rows_to_settle,
            "rule": {"rule": CHECK, "verdict": verdict, "simulated": simulated_rates(CHECK)},
        }

    def records(self) -> Table:
        """One row for each estimate; while rows are still to be judged, also for what decides then."""
        rows: list[list[Cell]] = []
        for name in OF_ONE if self.one is not None else ["difference"]:
            one = getattr(self.estimate, name)
            rows.append([name, *([None] * 5 if one is None else asdict(one).values())])
        what = "accuracy" if self.one is not None else "difference"
        if self.one is not None and self.one.known_corpus_error is not None:
            rows.append(["corpus_error, as given", self.one.known_corpus_error, *[None] * 4])
        is_early, value = not self.estimate.is_finished, rows[0][1]
        if is_early and (valid := self.estimate.always_valid) is not None:
            rows.append([f"{what}, always valid", value, *asdict(valid).values()])
        for case in self.estimate.sensitivity:
            name = f"{what} if judges err in {case.error:g}"
            rows.append([name, case.value, case.lower, case.upper, case.least, case.most])
            if is_early and (valid := case.always_valid) is not None:
                rows.append([f"{name}, always valid", case.value, *asdict(valid).values()])
        return Table(["name", "value", "lower", "upper", "least", "most"], rows)

    def view(self) -> Table:
        """The estimates, and the verdict in plain words."""
        return replace(self.records(), title=" and ".join(self.names), notes=[self.in_words])

    @property
    def blanks(self) -> Blanks:
        """How many rows were left blank, and whether more in some strata than in others."""
        return blanks(self.estimate.strata)

    @property
    def in_words(self) -> str:
        """What the verdicts of people say, in plain words."""
        if not any(one.n_judged + one.n_tied for one in self.estimate.strata):
            return "Nothing has been judged yet: the column verdict of the worklist is empty."
        if self.one is not None:
            return _contradiction(self.one) if self.one.notes else _one_in_words(self.names[0], self.one)
        assert self.pair is not None
        return _pair_in_words(self.names[0], self.names[1], self.pair)


def _contradiction(one: OneEstimate) -> str:
    """Why there is no accuracy for the corpus error that was given, and what to do."""
    instead = (
        "Leave out the corpus error: the accuracy is then estimated from the check alone"
        if one.corpus_error is not None
        else "Give another corpus error, or also judge words on which system and gold agree"
    )
    return f"These numbers cannot be right: {'; '.join(one.notes)}. {instead}."


def _one_in_words(name: str, one: OneEstimate) -> str:
    x = one.accuracy
    if x is not None and x.value is None:
        return f"The real accuracy of {name} is unknown so far: some strata have no judged row."
    if x is None or x.value is None:
        return (
            f"The real accuracy of {name} cannot be estimated from this: give the corpus error, or also judge words "
            "on which it agrees with the gold."
        )
    observed = f"observed: {100 * one.observed:.1f} %"
    if one.sensitivity:
        values = [100 * case.value for case in one.sensitivity if case.value is not None]
        low, high = f"{min(values):.1f}", f"{max(values):.1f}"
        value = f"{low} %" if low == high else f"{low}–{high} %"
        often = f"if judges err in 0 to {100 * max(case.error for case in one.sensitivity):g} % of the rows"
        return f"The real accuracy of {name} is {value}{_widest(one)} {often}; {observed}.{_still(one.n_left)}"
    ends, how = _decisive(one, x)
    sure = f" ({100 * one.level:.10g} % CI {span(ends)}{how})" if ends else ""
    return f"The real accuracy of {name} is {100 * x.value:.1f} %{sure}; {observed}.{_still(one.n_left)}"


def _widest(one: OneEstimate) -> str:
    """The ends of all intervals for supposed rates of judges' errors together, in words."""
    undecided = undecided_rows(one.strata)
    lows = [case.least if undecided else case.lower for case in one.decisive]
    highs = [case.most if undecided else case.upper for case in one.decisive]
    ends = [(low, high) for low, high in zip(lows, highs, strict=True) if low is not None and high is not None]
    if not ends:
        return ""
    return f" ({100 * one.level:.10g} % CIs {span(Ends(min(low for low, _ in ends), max(high for _, high in ends)))})"


def _decisive(part: OneEstimate | PairEstimate, found: CheckedEstimate) -> tuple[Ends | None, str]:
    """The ends that a verdict is by, and in words what they allow for: blanks and ties, and looking early."""
    undecided, is_early = undecided_rows(part.strata), not part.is_finished and part.always_valid is not None
    ends = part.always_valid if is_early else found
    assert ends is not None
    how = f", worst case for {undecided}" if undecided else ""
    how += ", valid at any time" if is_early else ""
    low, high = (ends.least, ends.most) if undecided else (ends.lower, ends.upper)
    return (None if low is None or high is None else Ends(low, high)), how


def _rows(n: int, what: str) -> str:
    return f"the {n:,} {what}s" if n > 1 else f"the {what}"


def undecided_rows(strata: Sequence[StratumCheck]) -> str:
    """The rows that judges left blank or tied, in words; nothing if there are none."""
    numbers = [(sum(one.n_blank for one in strata), "blank row"), (sum(one.n_tied for one in strata), "tied row")]
    return " and ".join(_rows(n, what) for n, what in numbers if n)


def _still(n_left: int) -> str:
    return f" {n_left:,} {'row is' if n_left == 1 else 'rows are'} left to judge." if n_left else ""


def _pair_in_words(a: str, b: str, pair: PairEstimate) -> str:
    if pair.difference.value is None:
        return f"No clear winner between {a} and {b} yet: some strata have no judged row."
    still = _still(pair.n_left)
    if pair.verdict == "open":
        return f"No clear winner between {a} and {b}{_why_open(a, b, pair)}.{still}{_to_settle(pair)}"
    sign = 1 if pair.verdict == "B" else -1
    first, second = (b, a) if pair.verdict == "B" else (a, b)
    if pair.sensitivity:
        by = sorted(100 * sign * case.value for case in pair.sensitivity if case.value is not None)
        most = max(case.error for case in pair.sensitivity)
        often = f"if judges err in 0 to {100 * most:g} % of the rows"
        least, largest = f"{by[0]:.2f}", f"{by[-1]:.2f}"
        size = least if least == largest else f"{least} to {largest}"
        return f"{first} is better than {second}, by {size} points {often}.{still}"
    size = f"{100 * sign * pair.difference.value:.2f} points"
    return f"{first} is better than {second} by {size}{_how_sure(first, sign, pair)}.{still}"


def _how_sure(name: str, sign: int, pair: PairEstimate) -> str:
    """The interval of the difference, and the probability that this system is better."""
    ends, how = _decisive(pair, pair.difference)
    parts = []
    if ends:
        low, high = sorted((100 * sign * ends.lower, 100 * sign * ends.upper))
        parts.append(f"{100 * pair.level:.10g} % CI {points(low)} to {points(high)}{how}")
    if pair.probability_b_better is not None:
        chance = pair.probability_b_better if sign > 0 else 1 - pair.probability_b_better
        shown = "> 0.999" if chance >= 0.9995 else f"{chance:.3f}"
        parts.append(f"probability that {name} is better: {shown}")
    return f" ({'; '.join(parts)})" if parts else ""


def _why_open(a: str, b: str, pair: PairEstimate) -> str:
    """What a verdict depends on, or else the difference and its interval."""
    better = {"A": f"{a} is better", "B": f"{b} is better"}
    if pair.verdict_without_blanks != "open":
        what = "blanks" if any(one.n_blank for one in pair.strata) else "ties"
        like_the_rest = f"If {what} are like the rest, {better[pair.verdict_without_blanks]}"
        return f": {undecided_rows(pair.strata)} may decide it. {like_the_rest}"
    if not pair.sensitivity:
        assert pair.difference.value is not None
        return f": {b} − {a} is {points(100 * pair.difference.value)} points{_how_sure(b, 1, pair)}"
    verdicts = []
    for who, words in better.items():
        rates = [
            f"{100 * case.error:g}"
            for case, verdict in zip(pair.sensitivity, pair.verdicts, strict=True)
            if verdict == who
        ]
        verdicts += [f"if in {' or '.join(rates)} % of the rows, {words}"] if rates else []
    return f": it depends on how often judges err ({', '.join(verdicts)})" if verdicts else ", however often judges err"


def _to_settle(pair: PairEstimate) -> str:
    if pair.verdict_without_blanks != "open":
        return ""
    if not pair.rows_to_settle:
        return " More rows are unlikely to settle it."
    rows = f"{pair.rows_to_settle:,} more {'row' if pair.rows_to_settle == 1 else 'rows'}"
    return f" About {rows} would settle it (80 % power, if the difference is as estimated)."


# ---- blanks ----------------------------------------------------------------------------------------------------------

_RARE = 0.05


@dataclass(frozen=True, slots=True)
class Blanks:
    """How many rows were left blank; how likely their rates differ as much by chance, None if there is none to differ.

    `differ` says that chance alone would hardly make them: blanks are then not like the rest.
    """

    rows: int
    p: float | None
    differ: bool


def blanks(strata: Sequence[StratumCheck]) -> Blanks:
    """The blanks of all strata, with Pearson's χ² test of their rates, of one or two degrees of freedom."""
    reached = [(one.n_blank, one.n_judged + one.n_blank + one.n_tied) for one in strata]
    seen = [(some, of) for some, of in reached if of]
    n_blank, n = sum(some for some, _ in seen), sum(of for _, of in seen)
    if len(seen) < 2 or n_blank in (0, n):
        return Blanks(n_blank, None, False)
    rate = n_blank / n
    statistic = sum((some - of * rate) ** 2 / (of * rate * (1 - rate)) for some, of in seen)
    p = two_sided_normal(math.sqrt(statistic)) if len(seen) == 2 else math.exp(-statistic / 2)
    return Blanks(n_blank, p, p < _RARE)
