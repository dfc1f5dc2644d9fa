"""What a human check sampled: strata of brackets, how many brackets each has, and what people said of them.

A worklist does not name its strata, but its weights tell them: the weights of a stratum are the same and sum to its
size. Strata that happen to have the same weight were sampled alike and count as one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

ACCEPTED, REJECTED = "accept", "reject"


@dataclass(frozen=True, slots=True)
class CheckedStratum:
    """Brackets of an item (EM, CE, SP), each of which is there `times` times, and what was judged of a random sample.

    `size` is the number of different brackets, `n_judged` that of rows with a verdict, `n_accepted` those of them that
    were accepted, `n_open` that of rows left open.
    """

    item: str
    size: int
    n_judged: int
    n_accepted: int
    n_open: int = 0
    times: int = 1


def checked_strata(item: str, rows: Iterable[tuple[float, int, str]], total: int) -> tuple[CheckedStratum, ...]:
    """The strata of an item with `total` brackets from rows: the weight, how often the bracket is there, the verdict.

    A verdict other than accept and reject is open. What the weights leave of the total is of rows that are gone, and
    open too: it is added to the strata in proportion.
    """
    found: dict[tuple[float, int], list[str]] = {}
    for weight, times, verdict in rows:
        found.setdefault((weight, times), []).append(verdict)
    strata = []
    for (weight, times), verdicts in found.items():
        n_accepted = verdicts.count(ACCEPTED)
        n_judged = n_accepted + verdicts.count(REJECTED)
        size = max(round(weight * len(verdicts)), len(verdicts))
        strata.append(CheckedStratum(item, size, n_judged, n_accepted, len(verdicts) - n_judged, times))
    covered = sum(weight * times * len(verdicts) for (weight, times), verdicts in found.items())
    gone = total - covered
    if gone < 0.4:  # a row that is gone had at least 1; the rest is what spreadsheets round
        return tuple(strata)
    if not strata:
        return (CheckedStratum(item, total, 0, 0, total),)
    return tuple(_with_gone(one, gone / covered) for one in strata)


def _with_gone(stratum: CheckedStratum, share: float) -> CheckedStratum:
    """A stratum with so many more brackets, in relation to those that it has, and their rows open."""
    n_rows = stratum.n_judged + stratum.n_open
    size = max(round(stratum.size * (1 + share)), n_rows)
    n_gone = min(math.ceil(n_rows * share - 1e-9), size - n_rows)
    return replace(stratum, size=size, n_open=stratum.n_open + n_gone)
