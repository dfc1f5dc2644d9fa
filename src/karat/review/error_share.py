"""How many rows are errors: of a list of repeats the bounds, of the random sample among suspects an interval.

A list of repeats is in the order of suspicion: rows judged first say nothing of the rest, which may be all errors or
none. The sample of suspects is in random order. Its interval at any time is that of a prior-posterior-ratio martingale
[Waudby-Smith & Ramdas 2020, §3]: all shares p whose posterior density is more than α times the prior's. It holds at all
times at once, whatever the share, without an approximation; that words are drawn without being put back makes it wider
than need be, as they are few of the corpus. Judges are taken to be right: the share is that of the errors they report.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from karat.corpus.open_verdicts import estimated
from karat.corpus.worklist import WorklistRow
from karat.gold.judged_words import ERROR
from karat.gold.repeats.judged_repeats import ERRORS, REPEAT_VERDICTS
from karat.review.running_estimate import Enough, counted
from karat.suspects.judged import VERDICTS

REPEAT, SUSPECT = "repeat", "suspect"
_PRIOR = (0.5, 0.5)
_STEPS = 60


def always_valid_share(n_errors: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The shares that n rows with so many errors leave possible, however often people looked before.

    >>> [round(end, 3) for end in always_valid_share(0, 100)], [round(end, 3) for end in always_valid_share(0, 0)]
    ([0.0, 0.057], [0.0, 1.0])
    """
    a, b = _PRIOR
    if not n:
        return 0.0, 1.0
    constant = _log_beta(a + n_errors, b + n - n_errors) - _log_beta(a, b)

    def is_possible(share: float) -> bool:
        log_likelihood = n_errors * math.log(share) if n_errors else 0.0
        log_likelihood += (n - n_errors) * math.log1p(-share) if n > n_errors else 0.0
        return log_likelihood - constant > math.log(1 - level)

    found = n_errors / n
    lower = 0.0 if not n_errors else _edge(0.0, found, is_possible)
    upper = 1.0 if n_errors == n else _edge(1.0, found, is_possible)
    return lower, upper


def _edge(outside: float, inside: float, is_possible: Callable[[float], bool]) -> float:
    """Where shares begin to be possible between one that is not and one that is."""
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if is_possible(middle) else (middle, inside)
    return outside


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def sampled_share(rows: Sequence[WorklistRow], verdicts: Sequence[str], decided: Sequence[bool]) -> Enough:
    """The share of wrong labels in a corpus, from the random sample among its suspects."""
    sample = [n for n, row in enumerate(rows) if row.id.startswith("r")]
    reached = sample[: next((n for n, place in enumerate(sample) if not decided[place]), len(sample))]
    said = [verdicts[place] for place in reached]
    n_errors = said.count(ERROR)
    n_open = sum(estimated(verdict) not in VERDICTS[SUSPECT] for verdict in said)
    n, n_left = len(said), len(sample) - len(said)
    of = "share of wrong labels"
    if not sample:
        return progress(rows, decided, SUSPECT, "The list has no random sample (ids that begin with r): no estimate.")
    if n == n_open:
        words = f"No word of the random sample is judged yet; {counted(n_left)} left."
        return Enough(words, False, n, n_left, None, None, None, SUSPECT, of)
    value = n_errors / (n - n_open)
    lower, upper = always_valid_share(n_errors, n)[0], always_valid_share(n_errors + n_open, n)[1]
    ends = f"95 % CI {100 * lower:.1f} to {100 * upper:.1f}, if judges do not err"
    words = f"{100 * value:.1f} % of the labels are wrong ({ends})"
    words += f"; {counted(n_left)} of the random sample left." if n_left else ": the random sample is judged."
    return Enough(words, not n_left, n, n_left, value, lower, upper, SUSPECT, of)


def listed_share(rows: Sequence[WorklistRow], verdicts: Sequence[str], decided: Sequence[bool]) -> Enough:
    """The share of rows of a list of repeats that are errors: its bounds."""
    n_errors = sum(verdict in ERRORS for verdict in verdicts)
    n_judged = sum(estimated(verdict) in REPEAT_VERDICTS[REPEAT] for verdict in verdicts)
    n, n_left = len(rows), sum(not one for one in decided)
    of = "share of the list's rows that are errors"
    if not n_judged:
        return Enough("Nothing is judged yet.", False, 0, n_left, None, None, None, REPEAT, of)
    value, lower, upper = n_errors / n_judged, n_errors / n, (n_errors + n - n_judged) / n
    words = f"{n_errors:,} of {counted(n_judged)} judged so far are errors"
    if n_judged < n:
        words += f", hence {100 * lower:.0f} to {100 * upper:.0f} % of the list, whatever the rest is"
    return Enough(words + ".", not n_left, n_judged, n_left, value, lower, upper, REPEAT, of)


def progress(rows: Sequence[WorklistRow], decided: Sequence[bool], kind: str, words: str = "") -> Enough:
    """How far a list is that nothing is estimated from."""
    n_left = sum(not one for one in decided)
    words = words or (f"{counted(n_left)} left." if n_left else "All rows are judged.")
    return Enough(words, not n_left, len(rows) - n_left, n_left, None, None, None, kind)
