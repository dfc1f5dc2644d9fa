"""When is it enough: the estimate that a list is for, beside it, as of now.

    estimate = ReviewEstimate([review], gold="gold.conllu", systems={"A": "a.conllu", "B": "b.conllu"})
    estimate.now("ina").words    # of one judge's verdicts
    estimate.now().words         # of all judges together

What does not change while people judge is read once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from karat.corpus.formats import Readable
from karat.evaluation.task import Systems
from karat.measures.brackets.options import BracketOptions
from karat.review.bracket_estimate import KIND as BRACKET, BracketEstimate
from karat.review.error_share import REPEAT, SUSPECT, listed_share, progress, sampled_share
from karat.review.running_estimate import Enough, JudgesRows, judges_rows
from karat.review.session import Review
from karat.review.token_estimate import KIND as TOKEN, TokenEstimate

_NEEDS_FILES = "For an estimate, give the gold and the systems that the list was made from."


class ReviewEstimate:
    """The estimate of one review, or of several of one plan, such as those of `noise plan --judges`.

    Lists of tokens and brackets need the gold and the systems that they were made from. Without them, and for lists
    that nothing is estimated from, there is how far they are. A `DataError` if a list was made from other files.
    """

    def __init__(
        self,
        reviews: Sequence[Review],
        gold: Readable | None = None,
        systems: Systems | None = None,
        *,
        brackets: BracketOptions | None = None,
        n_draws: int | None = None,
    ) -> None:
        self._reviews = list(reviews)
        kinds = {kind for review in reviews for kind in review.worklist.column("kind")}
        self.kind = kinds.pop() if len(kinds) == 1 else ""
        self._tokens: TokenEstimate | None = None
        self._brackets: BracketEstimate | None = None
        if gold is None or systems is None:
            return
        if self.kind == TOKEN:
            lists = [review.worklist for review in reviews]
            self._tokens = TokenEstimate(lists, gold, systems, n_draws=n_draws)
        elif self.kind == BRACKET:
            self._brackets = BracketEstimate(gold, systems, brackets=brackets)

    def now(self, judge: str | None = None) -> Enough:
        """What the verdicts of a judge say, or those of all judges together (None)."""
        of_judges = [
            (review, judges_rows(review, one))
            for review in self._reviews
            for one in review.judges
            if judge is None or one == judge
        ]
        if self._tokens is not None:
            return self._tokens.now([(review.worklist, rows) for review, rows in of_judges])
        review, rows = of_judges[0][0], _most_say([rows for _, rows in of_judges])
        if self._brackets is not None:
            return self._brackets.now(review.worklist, rows.verdicts)
        if self.kind == SUSPECT:
            return sampled_share(rows.rows, rows.verdicts, rows.is_decided)
        if self.kind == REPEAT:
            return listed_share(rows.rows, rows.verdicts, rows.is_decided)
        words = _NEEDS_FILES if self.kind in (TOKEN, BRACKET) else ""
        return progress(rows.rows, rows.is_decided, self.kind, words)


def _most_say(judges: Sequence[JudgesRows]) -> JudgesRows:
    """One verdict of each row: what most judges say, none where two have the most votes; decided if anybody decided."""
    if len(judges) == 1:
        return judges[0]
    verdicts = []
    for said in zip(*(one.verdicts for one in judges), strict=True):
        votes = Counter(verdict for verdict in said if verdict).most_common(2)
        is_tie = len(votes) == 2 and votes[0][1] == votes[1][1]
        verdicts.append("" if is_tie or not votes else votes[0][0])
    decided = [any(of_row) for of_row in zip(*(one.is_decided for one in judges), strict=True)]
    return JudgesRows(judges[0].rows, verdicts, decided)


_known: list[tuple[Review, Readable | None, Systems | None, ReviewEstimate]] = []
_MOST_KNOWN = 4


def enough(
    review: Review, judge: str | None = None, *, gold: Readable | None = None, systems: Systems | None = None
) -> Enough:
    """Whether a judge has judged enough of a list, or all together (None); what was read for it is kept."""
    for one, of_gold, of_systems, estimate in _known:
        if one is review and of_gold == gold and of_systems == systems:
            return estimate.now(judge)
    made = ReviewEstimate([review], gold, systems)
    _known.insert(0, (review, gold, systems, made))
    del _known[_MOST_KNOWN:]
    return made.now(judge)
