"""Suspects for people: the likeliest errors first, those of one pattern in one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.report.shown import counted, shown_share
from karat.result import Cell, Report, Table
from karat.suspects.judged import CorpusErrorRate
from karat.suspects.search import Suspect, Suspects

_FEWEST_ERRORS = 5  # of the sample, for an interval that holds (docs/error-rate-coverage.md)
_BY = {"combined": "a tagger and repeats", "tagger": "a tagger", "repeats": "repeats"}


@dataclass(frozen=True, slots=True)
class SuspectPattern:
    """Suspects of the same word, label and suggested label; the likeliest stands for all."""

    first: Suspect
    n: int


def patterns(found: Sequence[Suspect]) -> list[SuspectPattern]:
    """The suspects by word, in lower case, label and suggestion, in the order of their likeliest."""
    groups: dict[tuple[str, str, str | None], list[Suspect]] = {}
    for one in found:
        groups.setdefault((one.form.lower(), one.label, one.suggested), []).append(one)
    return [SuspectPattern(of[0], len(of)) for of in groups.values()]


def suspects_report(found: Suspects, *, top: int, rate: CorpusErrorRate | None = None) -> Report:
    """How many suspects there are, the error rate if one was estimated, and the first patterns."""
    rows = patterns(list(found.items()))
    verdict = [_verdict(found, rows)]
    notes = []
    if rate is not None:
        verdict.insert(0, rate_in_words(rate))
        if rate.value is not None and rate.n_sampled_errors < _FEWEST_ERRORS:
            errors = counted(rate.n_sampled_errors, "error")
            notes.append(f"Only {errors} in the random sample: the CI may not hold. Judge a larger one (--random N).")
        elif rate.value is not None:
            notes.append(f"For karat noise: --corpus-error {rate.value:.4f}, as an estimate.")
    table = Table(
        ["score", "word", "label", "maybe", "places", "where", "evidence"],
        [_row(one) for one in rows[:top]],
        optional=["places"],
        whole=["where"],
    )
    notes.append("Score: evidence against the label in powers of ten (2: a hundred to one).")
    if len(rows) > top:
        notes.append(f"{len(rows) - top:,} more rows: --top 0 shows all, --json every word.")
    return Report(verdict, [table] if rows else [], notes)


def _verdict(found: Suspects, rows: Sequence[SuspectPattern]) -> str:
    known = f" ({found.n_known:,} known ones left out)" if found.n_known else ""
    words = counted(found.corpus.n_words, "word")
    if not len(found):
        return f"No suspect among {words} of {found.corpus.path} by {_BY[found.rank]}{known}."
    share = shown_share(len(found) / max(found.corpus.n_words, 1), ".1f")
    what = f"{counted(len(found), 'suspect')} in {counted(len(rows), 'pattern')}"
    return f"{what} among {words} ({share}) by {_BY[found.rank]}{known}, likeliest errors first."


def rate_in_words(rate: CorpusErrorRate) -> str:
    """The error rate of the gold."""
    judged = f"{rate.n_judged:,} suspects and {rate.n_sampled:,} of {rate.n_sample:,} words of the random sample judged"
    if rate.value is None or rate.lower is None or rate.upper is None:
        return f"No error rate yet: {judged}; judge the rows whose id begins with r."
    interval = f"{100 * rate.level:g} % CI {100 * rate.lower:.2f} to {100 * rate.upper:.2f}"
    return f"{100 * rate.value:.2f} % of the labels are wrong ({interval}; {judged})."


def _row(one: SuspectPattern) -> list[Cell]:
    first = one.first
    where = f"{first.sent_id or f'#{first.sentence + 1}'}:{first.token}"
    return [f"{first.score:.1f}", first.form, first.label, first.suggested, one.n, where, first.in_words]
