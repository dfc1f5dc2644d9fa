"""Reviews with all that their page shows: items in context, the estimate beside the list, the coordinator's view."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from karat.corpus.formats import Readable
from karat.evaluation.task import Systems
from karat.review.adjudicated_list import AdjudicationReview
from karat.review.answers import ReviewAnswers
from karat.review.coordination import CoordinatedPlan, plans_of
from karat.review.estimating import PlanEstimate
from karat.review.item_view import ItemViews
from karat.review.latest import Background
from karat.review.server import ReviewServer
from karat.review.session import Review


def review_server(
    reviews: Sequence[Review],
    *,
    gold: str | None = None,
    systems: Mapping[str, str] | None = None,
    show_estimate: bool = False,
    adjudication: AdjudicationReview | None = None,
    port: int = 0,
) -> ReviewServer:
    """The server of these reviews.

    `gold` and `systems` are the files that the lists were made from, if the lists do not name them: a `DataError` if a
    list does not fit them. The estimate is shown to one judge alone, to several if `show_estimate`, and to whoever
    coordinates them. Of an `adjudication`, only rows on which judges differ are asked about, and no estimate is shown:
    these rows are no random part of the list.
    """
    background = Background()
    n_judges = len({judge for review in reviews for judge in review.judges})
    given = _given(gold, systems)
    answers: dict[int, ReviewAnswers] = {}
    plans = []
    for of_plan in plans_of(reviews):
        estimate = PlanEstimate(of_plan, background, given=given) if given else None
        views = ItemViews.of(of_plan[0].worklist, gold=gold, systems=systems)
        estimate = estimate or PlanEstimate(of_plan, background, named=views.corpora)
        plans.append(CoordinatedPlan(of_plan, background, estimate))
        is_shown = adjudication is None and (show_estimate or (n_judges == 1 and estimate.is_possible))
        for review in of_plan:
            answers[id(review)] = ReviewAnswers(
                review,
                view=views.answer if adjudication is None else adjudication.view(views.answer),
                estimate=estimate.now if is_shown else None,
                only=None if adjudication is None else adjudication.open_ids,
                is_blind=n_judges > 1,
            )
    in_order = [answers[id(review)] for review in reviews]
    return ReviewServer(in_order, port=port, plans=plans, background=background)


def _given(gold: str | None, systems: Mapping[str, str] | None) -> tuple[Readable, Systems] | None:
    """The files that estimates are made from, if gold and systems are given."""
    if not gold or not systems:
        return None
    return _paths(gold), {name: _paths(path) for name, path in systems.items()}


def _paths(path: str) -> str | list[str]:
    """Several files as one corpus are written with commas between."""
    return path if "," not in path or os.path.exists(path) else path.split(",")
