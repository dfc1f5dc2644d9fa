"""Suspects for people: the likeliest errors first, those of one pattern in one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from karat.report.columns import Column, table_of
from karat.report.cut_text import ShortIds, shortened
from karat.report.shown import counted, shown_share
from karat.result import Report, Table
from karat.suspects.judged import CorpusErrorRate
from karat.suspects.search import Suspect, Suspects

_FEWEST_ERRORS = 5  # of the sample, for an interval that holds (docs/error-rate-coverage.md)
_LONGEST_WORD = 12  # characters, so that the table fits 80 columns
_MEANINGS = {
    "score": "evidence against the label in powers of ten (2: a hundred to one)",
    "tagger": "its probability of label → maybe, in percent",
    "alike": "how many of the like places have maybe, or the label named",
    "tree": "one in so many has this label in its place in the tree",
    "tag": "one in so many has it beside its other tag (left out where there is no room)",
    "where": "the end of sent_id, and the word's ID, of the likeliest place",
}
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
    table = _table(found, rows[:top])
    if rows:
        notes.append(" ".join(f"{name}: {what}." for name, what in _MEANINGS.items() if name in table.columns))
    if len(rows) > top:
        notes.append(f"{counted(len(rows) - top, 'more row')}: --top 0 shows all, --json every word.")
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


def _table(found: Suspects, rows: Sequence[SuspectPattern]) -> Table:
    """A row for each pattern with all that speaks against its likeliest; witnesses who say nothing have no column."""
    ids = ShortIds([found.corpus.sent_ids.strings()])
    columns: list[Column[tuple[int, SuspectPattern]]] = [
        ("#", lambda row: row[0]),
        ("word", lambda row: shortened(row[1].first.form, _LONGEST_WORD)),
        ("label", lambda row: row[1].first.label),
        ("maybe", lambda row: row[1].first.suggested),
        ("places", lambda row: row[1].n),
        ("score", lambda row: f"{row[1].first.score:.1f}"),
        ("tagger", lambda row: _shown_doubt(row[1].first)),
        ("alike", lambda row: _shown_repeat(row[1].first)),
        ("tree", lambda row: _one_in(row[1].first.evidence.get("tree", 0))),
        ("tag", lambda row: _one_in(row[1].first.evidence.get("columns", 0))),
        ("where", lambda row: f"{ids.shown(0, row[1].first.sentence)}:{row[1].first.token}"),
    ]
    made = table_of(
        list(enumerate(rows, start=1)),
        columns,
        optional=["places", "tag"],
        if_known=["tagger", "alike", "tree", "tag"],
        n_keys=2,
    )
    return replace(made, whole=["where"])


def _shown_doubt(one: Suspect) -> str | None:
    """The tagger's probability of the label, and of what it may be."""
    if one.probability is None:
        return None
    other = f" → {100 * (one.suggested_probability or 0):.0f}" if one.suggested else ""
    return f"{100 * one.probability:.0f}{other}"


def _shown_repeat(one: Suspect) -> str | None:
    """At how many like places it has the other label, which is named unless it is what the word may be."""
    if one.repeat is None:
        return None
    label = "" if one.repeat.label == one.suggested else f" {one.repeat.label}"
    return f"{one.repeat.with_label:,}/{one.repeat.places:,}{label}"


def _one_in(power: float) -> int | None:
    """One in so many, of a power of ten that is worth a word."""
    return round(10**power) if power >= 1 else None
