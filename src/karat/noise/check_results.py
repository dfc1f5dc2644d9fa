"""What `karat.noise_plan` and `karat.noise_estimate` return: what people should judge, and what their verdicts say."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karat.corpus.worklist import Worklist
from karat.noise.decision_rules import CHECK, simulated_rates
from karat.noise.estimates_from_verdicts import OneEstimate, PairEstimate
from karat.noise.judges import MergedJudges
from karat.noise.results import InputsRead
from karat.noise.token_sampling import TokenSample
from karat.result import Cell, Result, Table
from karat.signature import signature

__all__ = ["OF_ONE", "STRATA", "CheckEstimate", "CheckPlan"]

STRATA = {
    "different": "system and gold differ",
    "same": "system and gold agree",
    "a_right": "the first is right by the gold",
    "b_right": "the second is right by the gold",
    "neither": "neither is right by the gold",
}
OF_ONE = {
    "accuracy": "real accuracy x",
    "corpus_error": "errors of the gold C",
    "right_where_different": "system right where it differs from the gold",
    "both_wrong_where_different": "both wrong where they differ",
    "wrong_where_same": "both wrong where they agree",
    "right_where_gold_right": "system right where the gold is, t",
    "right_where_gold_wrong": "system right where the gold is wrong, u",
    "same_error": "the gold's own error where both are wrong, p",
}


@dataclass(frozen=True, eq=False, repr=False)
class CheckPlan(Result):
    """The tokens to judge, from which strata they were drawn, and how many error-free sentences would do instead.

    `margins` are how far from the estimate the truth may then be, for each share of tokens in which people side with
    the gold; `tokens_needed` is how many would settle the pair if its difference is as observed and they mostly do.
    `sentences_needed` is None for one system, or where the systems do not differ.
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

    @property
    def strata(self) -> list[tuple[str, int, int]]:
        """Each stratum's name, its tokens, and how many of them are to be judged."""
        sizes, numbers = self.sample.sizes.tolist(), self.sample.strata
        n_sampled = np.bincount(numbers, minlength=len(sizes)).tolist()
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
            "tokens_needed": self.tokens_needed,
            "sentences_needed": self.sentences_needed,
        }

    def records(self) -> Table:
        """One row for each stratum."""
        rows: list[list[Cell]] = [[STRATA[name], size, n_sampled] for name, size, n_sampled in self.strata]
        return Table(["stratum", "tokens", "to judge"], rows, " and ".join(self.names))


@dataclass(frozen=True, eq=False, repr=False)
class CheckEstimate(Result):
    """What verdicts say: of one system (`one`), or of two (`pair`); and of several judges how far they agree."""

    names: tuple[str, ...]
    one: OneEstimate | None
    pair: PairEstimate | None
    judges: MergedJudges | None
    n_words: int
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    read: InputsRead

    @cached_property
    def signature(self) -> str:
        """What was estimated, how and from which inputs."""
        return signature("noise estimate", self.settings, self.inputs)

    @property
    def estimate(self) -> OneEstimate | PairEstimate:
        """The estimates, of one system or of two."""
        part = self.one or self.pair
        assert part is not None
        return part

    def to_dict(self) -> dict[str, Any]:
        """The estimates as plain data, in the schema karat/noise-estimate/1."""
        data: dict[str, Any] = {
            "schema": "karat/noise-estimate/1",
            "signature": self.signature,
            "systems": list(self.names),
            "words": self.n_words,
            "observed": self.estimate.observed,
            "level": self.estimate.level,
            "strata": [asdict(one) for one in self.estimate.strata],
            "in_words": self.in_words,
        }
        if self.one is not None:
            data |= _one_dict(self.one)
        if self.pair is not None:
            data |= self._pair_dict(self.pair)
        if self.judges is not None:
            names = ("n_ties", "n_open", "n_shared", "agreement", "cohen", "fleiss")
            data["judges"] = {name: getattr(self.judges, name) for name in names}
        return data

    def _pair_dict(self, pair: PairEstimate) -> dict[str, Any]:
        better = {"A": self.names[0], "B": self.names[1], "open": "open"}
        verdict = better[pair.verdict]
        return {
            "estimates": {"difference": asdict(pair.difference)},
            "probability_b_better": pair.probability_b_better,
            "verdict": verdict,
            "verdict_whatever_blanks": better[pair.verdict_whatever_blanks],
            "rule": {"rule": CHECK, "verdict": verdict, "simulated": simulated_rates(CHECK)},
        }

    def records(self) -> Table:
        """One row for each estimate."""
        rows: list[list[Cell]] = []
        for name in OF_ONE if self.one is not None else ["difference"]:
            one = getattr(self.estimate, name)
            rows.append([name, *([None] * 5 if one is None else asdict(one).values())])
        return Table(["name", "value", "lower", "upper", "least", "most"], rows)

    def view(self) -> Table:
        """The estimates, and the verdict in plain words."""
        records = self.records()
        return Table(records.columns, records.rows, " and ".join(self.names), [self.in_words])

    @property
    def in_words(self) -> str:
        """What the verdicts of people say, in plain words."""
        if not any(one.n_judged for one in self.estimate.strata):
            return "Nothing has been judged yet: the column verdict of the worklist is empty."
        if self.one is not None:
            doubt = f"What was given cannot be right: {'; '.join(self.one.notes)}. " if self.one.notes else ""
            return doubt + _one_in_words(self.names[0], self.one)
        assert self.pair is not None
        return _pair_in_words(self.names[0], self.names[1], self.pair)


def _one_dict(one: OneEstimate) -> dict[str, Any]:
    found = {name: getattr(one, name) for name in OF_ONE}
    return {
        "estimates": {name: None if estimate is None else asdict(estimate) for name, estimate in found.items()},
        "cells": {cell: None if estimate is None else asdict(estimate) for cell, estimate in one.cells.items()},
        "notes": list(one.notes),
    }


def _one_in_words(name: str, one: OneEstimate) -> str:
    x = one.accuracy
    if x is not None and x.value is None:
        return f"What {name} is really worth cannot be said yet: there are strata of which nothing is judged."
    if x is None or x.value is None:
        return (
            f"What {name} is really worth cannot be said: give the corpus error, or judge words on which it agrees too."
        )
    sure = "" if x.lower is None or x.upper is None else f", between {100 * x.lower:.2f} and {100 * x.upper:.2f}"
    return (
        f"{name} is really right on {100 * x.value:.2f} % of the words{sure}; {100 * one.observed:.2f} % were observed."
    )


def _pair_in_words(a: str, b: str, pair: PairEstimate) -> str:
    chance = (
        ""
        if pair.probability_b_better is None
        else f" (probability that {b} is better: {pair.probability_b_better:.3f})"
    )
    if pair.difference.value is None:
        return f"It is open which of {a} and {b} is really better: there are strata of which nothing is judged yet."
    if pair.verdict == "open":
        return f"It is open which of {a} and {b} is really better{chance}."
    better, worse = (b, a) if pair.verdict == "B" else (a, b)
    return f"{better} is really better than {worse}{chance}."
