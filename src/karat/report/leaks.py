"""Test sentences that are in the training text: how many, which, and what they do to scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.evaluation.results import MeasureScore
from karat.report.cut_text import ShortIds, shortened
from karat.report.shown import (
    MOST_NOTES,
    ci_of,
    counted,
    headlines,
    listed,
    lower_notes,
    method_notes,
    quoted,
    shown_share,
    value_cells,
)
from karat.result import Cell, Report, Table
from karat.suspects.leak_results import Leak, Leaks
from karat.suspects.leaked_sentences import KINDS, Kind
from karat.suspects.scores_without import PairWithout, SystemWithout

_NAMES: Mapping[Kind, str] = {"exact": "same words", "case": "same words but for case", "near": "nearly the same"}
_MOST_SYSTEMS = 3  # in the verdict
_MOST_PLACES = 3  # of a sentence, where its annotation differs
_WIDEST_TEXT = 30


def leaks_report(leaks: Leaks, *, measures_named: bool = False, details: bool = False) -> Report:
    """The verdict; scores with and without leaks, or how many leaks of which kind there are; in detail, all of it."""
    systems = leaks.scores.systems
    kinds = _kind_table(leaks)
    notes = [_what_is_near(leaks), *_notes_on_annotation(leaks)]
    if not systems:
        tables = [kinds]
    else:
        names = _shown_measures(systems, measures_named)
        tables = [_score_table(leaks, names), *([kinds] if details else [])]
        notes = [*_notes_on_scores(leaks, names), *notes]
    tables += _sentence_tables(leaks) if details else []
    return Report(_verdict(leaks), tables, notes if details else notes[:MOST_NOTES])


# ---- in words --------------------------------------------------------------------------------------------------------


def _verdict(leaks: Leaks) -> list[str]:
    found = leaks.leaked
    n_near, n = int(found.of_kind("near").sum()), leaks.test.n_sentences
    n_same = leaks.n_leaked - n_near
    if n_same:
        share = 100 * n_same / n
        size = f"{n_same:,} of {counted(n, 'test sentence')} ({share:.{1 if share >= 0.1 else 2}f} %)"
        verdict = f"{size} {'is' if n_same == 1 else 'are'} in the training text"
        verdict += f", {n_near:,} more nearly so." if n_near else "."
    elif n_near:
        are = "is" if n_near == 1 else "are"
        verdict = (
            f"{n_near:,} of {counted(n, 'test sentence')} {are} nearly in the training text; none is exactly there."
        )
    else:
        verdict = f"None of {counted(n, 'test sentence')} is in the training text, or nearly so."
    if not leaks.n_leaked or not leaks.scores.systems:
        return [verdict]
    return [verdict, *_without_in_words(leaks.scores.systems), *_changes_in_words(leaks.scores.pairs)]


def _without_in_words(systems: Sequence[SystemWithout]) -> list[str]:
    """What the headline measure is without leaks, instead of with them."""
    common = [name for name in systems[0].all if all(name in one.without for one in systems)]
    if not common:
        return ["Without the leaks, no sentence is left to score."]
    name = headlines(common)[0]
    digits = max(_digits(one.all[name], one.without[name]) for one in systems)
    said = [(one.name, _instead(one.all[name], one.without[name], digits)) for one in systems]
    if len(said) == 1:
        return [f"Without the leaks, {said[0][0]}'s {name} is {said[0][1]}."]
    shown = listed([f"{value} for {system}" for system, value in said[:_MOST_SYSTEMS]])
    return [f"Without the leaks, {name} is {shown}."]


def _digits(old: MeasureScore, new: MeasureScore) -> int:
    """How many digits it takes to tell a value from the one that it replaces, up to two."""
    least = 1 if old.measure.in_percent else 2
    return next((n for n in range(least, 3) if f"{new.shown:.{n}f}" != f"{old.shown:.{n}f}"), least)


def _instead(old: MeasureScore, new: MeasureScore, digits: int) -> str:
    """A value and the one that it replaces."""
    before, after = f"{old.shown:.{digits}f}", f"{new.shown:.{digits}f}"
    return f"{after} as before" if after == before else f"{after} instead of {before}"


def _changes_in_words(pairs: Sequence[PairWithout]) -> list[str]:
    """Which verdicts of a comparison are others without leaks."""
    if not pairs:
        return []
    found = []
    for pair in pairs:
        before, after = pair.better
        names = {pair.all.a, pair.all.b}
        if pair.changes and not after:
            found.append(f"{before} is no longer better than {(names - {before}).pop()} on {pair.all.measure}")
        elif pair.changes:
            also = ", which is not clear with them" if not before else ""
            found.append(f"{after} is better than {(names - {after}).pop()} on {pair.all.measure}{also}")
    if not found:
        return ["No verdict between the systems changes."]
    return [f"Without the leaks, {listed(found[:_MOST_SYSTEMS], len(found) - _MOST_SYSTEMS)}."]


def _what_is_near(leaks: Leaks) -> str:
    n_short = int(leaks.leaked.short.sum())
    are, do = ("is", "does") if n_short == 1 else ("are", "do")
    short = f" {counted(n_short, 'sentence')} of fewer than {leaks.min_words} words {are} in the training text, too, "
    short += f"but {do} not count (--min-words)."
    return (
        f"Nearly: at least {100 * leaks.near:g} % of its three-word sequences, without regard to case, are in one "
        f"training sentence (--near).{short if n_short else ''}"
    )


def _notes_on_annotation(leaks: Leaks) -> list[str]:
    if not (leaks.leaked.kind != KINDS.index("near")).any():
        return []
    columns = [column.upper() for column in leaks.leaked.columns]
    if not columns:
        return ["Annotation is not compared: the two texts have no column in common."]
    differing = [f"{column.upper()} ({n:,})" for column, n in leaks.differing_columns().items() if n]
    where = f"; leaks differ in {', '.join(differing)}" if differing else ""
    return [f"Annotation is compared where the words are the same: {listed(columns)}{where}."]


# ---- tables ----------------------------------------------------------------------------------------------------------


def _kind_table(leaks: Leaks) -> Table:
    found = leaks.leaked
    chosen = [(_NAMES[kind], found.of_kind(kind)) for kind in _NAMES]
    chosen += [("all leaks", ~found.short), (f"under {leaks.min_words} words, same words", found.short)]
    rows: list[list[Cell]] = []
    for what, flags in chosen:
        n, differ = int(flags.sum()), int((found.differs & flags).sum())
        is_compared = bool(found.columns) and what != _NAMES["near"]
        share = shown_share(n / max(leaks.test.n_sentences, 1), ".2f")
        rows.append([what, n, share, found.n_words(flags), differ if is_compared else None])
    return Table(["test sentences", "number", "of all", "words", "annotated differently"], rows)


def _shown_measures(systems: Sequence[SystemWithout], measures_named: bool) -> list[str]:
    names = list(dict.fromkeys(name for one in systems for name in one.all))
    if measures_named:
        return names
    measures = {name: one.all[name].measure for one in systems for name in one.all}
    return quoted(measures, names)


def _score_table(leaks: Leaks, names: Sequence[str]) -> Table:
    """Each system by each measure: with all sentences, without leaks, and on leaks alone."""
    systems = leaks.scores.systems
    level = ci_of([score.interval for one in systems for score in one.all.values()])
    of_leaks = f"{level}, leaks"
    columns = ["all", level, "without", level, "leaks", of_leaks] if level else ["all", "without", "leaks"]
    rows: list[list[Cell]] = []
    for one in systems:
        for name in names:
            if name in one.all:
                of_parts = [value_cells(part.get(name)) for part in (one.all, one.without, one.only)]
                cells = [cell for part in of_parts for cell in part[: 2 if level else 1]]
                rows.append([one.name, name, *cells] if len(systems) > 1 else [name, *cells])
    head = ["system", "measure"] if len(systems) > 1 else ["measure"]
    return Table([*head, *columns], rows, optional=[of_leaks], n_keys=len(head))


def _notes_on_scores(leaks: Leaks, names: Sequence[str]) -> list[str]:
    systems = leaks.scores.systems
    shown = [(name, one.all[name]) for one in systems for name in names if name in one.all]
    notes = ["F1 in %." if all(score.measure.in_percent for _, score in shown) else "Shares in %."]
    notes += lower_notes(score.measure for _, score in shown)
    notes += method_notes([(name, score.interval) for name, score in shown], leaks.scores.cluster, leaks.test)[:1]
    return [" ".join(notes)]


def _sentence_tables(leaks: Leaks) -> list[Table]:
    ids = ShortIds([one.sent_ids.strings() for one in leaks.leaked.texts])
    both = (("leaks", leaks.sentences), (f"in the training text, under {leaks.min_words} words", leaks.short))
    return [_sentence_table(leaks, title, several, ids) for title, several in both if several]


def _sentence_table(leaks: Leaks, title: str, sentences: Sequence[Leak], ids: ShortIds) -> Table:
    rows: list[list[Cell]] = [
        [
            ids.shown(1, one.sentence - 1),
            ids.shown(0, one.train_sentence - 1),
            one.kind,
            f"{100 * one.share:.0f} %",
            shortened(leaks.test.sentence_text(one.sentence - 1), _WIDEST_TEXT),
            _annotated(one),
        ]
        for one in sentences
    ]
    notes = ["test, train: the end of sent_id; --json and --format tsv have all of it."]
    return Table(["test", "train", "kind", "share", "text", "annotated"], rows, title, notes, whole=["test", "train"])


def _annotated(leak: Leak) -> str | None:
    """How the annotation differs; nothing where it was not compared."""
    if leak.same_annotation is None:
        return None
    if leak.same_annotation:
        return "the same"
    shown = [f"{one.column} {one.token}: {one.train} → {one.test}" for one in leak.differences[:_MOST_PLACES]]
    more = len(leak.differences) - len(shown)
    return "; ".join([*shown, *([f"{more} more"] if more else [])])
