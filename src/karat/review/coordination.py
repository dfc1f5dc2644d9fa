"""What whoever coordinates the judges sees: how far each is, how they agree, what all verdicts together say.

Which rows they differ on is not shown while they work: the number says enough, and adjudication has the rows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from karat.noise.complete_lists import plan_signature
from karat.review.adjudicate import judges_of_reviews
from karat.review.answers import ReviewAnswers
from karat.review.estimating import PlanEstimate
from karat.review.latest import Background, Computed, Latest
from karat.review.session import Review

_PAUSE = 3.0  # seconds without a change, after which agreement is computed


def plans_of(reviews: Sequence[Review]) -> list[list[Review]]:
    """The reviews by the plan that they are of: lists of one `noise plan` belong together, others stand alone."""
    plans: dict[str, list[Review]] = {}
    for review in reviews:
        plans.setdefault(plan_signature(review.worklist) or f"list {review.path}", []).append(review)
    return list(plans.values())


class CoordinatedPlan:
    """The reviews of one plan, with what all of their judges say together."""

    def __init__(self, reviews: Sequence[Review], background: Background, estimate: PlanEstimate | None = None) -> None:
        self._reviews = list(reviews)
        self._estimate = estimate
        self._agreement = Latest(self._agreed, self._state, background, pause=_PAUSE)

    def now(self) -> dict[str, Any]:
        """The latest estimate and agreement; both are made in the background, and None at first."""
        n_judges = sum(len(review.judges) for review in self._reviews)
        return {
            "lists": [os.path.basename(review.path) for review in self._reviews],
            "estimate": None if self._estimate is None else self._estimate.now(),
            "has_agreement": n_judges > 1,
            "agreement": self._agreement.now() if n_judges > 1 else None,
        }

    def _state(self) -> object:
        return [review.store.last_event() for review in self._reviews]

    def _agreed(self) -> Computed:
        found = judges_of_reviews(self._reviews).to_dict()
        return {**found, "differing": len(found["differing"])}  # which rows these are, judges might see


class Coordination:
    """The answers to whoever coordinates judges of several lists, or of one."""

    def __init__(self, answers: Sequence[ReviewAnswers], plans: Sequence[CoordinatedPlan]) -> None:
        self._answers, self._plans = answers, plans

    def answer(self) -> dict[str, Any]:
        """Progress of every judge, and what is known of each plan."""
        judges = [one.progress_of(judge) for one in self._answers for judge in one.review.judges]
        return {
            "list": ", ".join(os.path.basename(one.review.path) for one in self._answers),
            "judges": judges,
            "plans": [plan.now() for plan in self._plans],
            "trouble": next((one.trouble for one in self._answers if one.trouble), None),
        }
