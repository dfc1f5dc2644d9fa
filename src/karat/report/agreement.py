"""Agreement of annotators as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat.agreement.adjudication_results import Adjudication
from karat.agreement.agreement_results import Agreement
from karat.agreement.disagreement import ConfusedTags, HardItem, TagUse
from karat.inference.intervals import Interval
from karat.report.columns import Column, table_of
from karat.report.shown import MOST_NOTES, counted, listed, marked_words, shown_ci, shown_clusters, shown_method
from karat.report.tables import guarded, separated
from karat.result import Cell, Report, Table

_MOST_TAGS = 30
_MOST_REFUSED = 20
_MOST_NAMED = 3
_DISTANCE = "Distance: 1 − Σ min(p, q), the mean over pairs of annotators."


def agreement_report(found: Agreement, *, details: bool = False) -> Report:
    """What a person wants to read: coefficients, what is confused; with details pairs, tags and hard items, too."""
    tables = [_coefficients_table(found)]
    if found.pairs:
        tables.append(_pairs_table(found))
    if found.confusions:
        tables.append(_confusions_table(found))
    if found.per_tag and found.n_items and details:
        tables.append(_tags_table(found))
    if found.hardest and details:
        tables.append(_hardest_table(found))
    if found.levels and details:
        tables.append(_levels_table(found))
    if found.adjudication and found.adjudication.refused:
        tables.append(_refused_table(found.adjudication))
    notes = _coefficient_notes(found)
    verdict = [_verdict(found), *_adjudication_verdict(found), *_agreed_verdict(found)]
    return Report(verdict, tables, notes if details else notes[:MOST_NOTES])


def disagreements_text(found: Agreement) -> str:
    """All disagreements as TSV, one row each, safe to open in a spreadsheet."""
    table = found.disagreements.table()
    return separated(replace(table, rows=[[guarded(cell) for cell in row] for row in table.rows]), "tsv")


def _verdict(found: Agreement) -> str:
    """How far annotators agree, with the coefficient that people quote."""
    of = {"heads": " on heads", "las": " on heads and relations"}.get(found.column, f" on {found.column.upper()}")
    of = of if found.what == "word" else ""
    size = counted(found.n_items, found.what)
    observed, *others = found.coefficients.values()
    if observed.value is None:
        return f"{listed(found.names)} have no {found.what}s in common to agree on."
    first = next((one for one in others if one.value is not None), None)
    ends = _ends(first.interval, " to ") if first else None
    quoted = f"; {first.measure.title} {_number(first.value)}" if first else ""
    quoted += f" ({shown_ci(found.level)} {ends})" if ends else ""
    who = listed(found.names) if len(found.names) == 2 else f"Pairs of the {len(found.names)} annotators"
    on_average = "" if len(found.names) == 2 else " on average"
    return f"{who} agree{of}{on_average} on {100 * observed.value:.1f} % of {size}{quoted}."


def _adjudication_verdict(found: Agreement) -> list[str]:
    """What adjudicators decided, what that changes, and what is still open."""
    made = found.adjudication
    if made is None:
        return []
    changed, where = counted(made.n_changed, found.what), ", ".join(made.written)
    done = (
        f"{changed} changed, written to {where}" if where else f"{changed} would change; use --adjudicated OUT to write"
    )
    verdict = f"{made.n_decided:,} of {counted(made.n_differing, 'disagreement')} decided: {done}."
    if made.undecided:
        named = [f"{one.sentence} word {one.number} ({one.place.words[one.place.marked]})" for one in made.undecided]
        named = named if found.what == "word" else [one.sentence for one in made.undecided]
        tied = f" ({counted(made.n_ties, 'tie')})" if made.n_ties else ""
        first = listed(named[:_MOST_NAMED], len(named) - _MOST_NAMED)
        verdict += f" {len(named):,} still undecided{tied}, left as in {found.names[0]}: {first}."
    if made.refused:
        verdict += f" {counted(len(made.refused), 'verdict')} not applied: the sentence would no longer be a tree."
    n_others = made.n_not_adjudicable + made.n_alone
    if n_others:
        why = "tokenisation differs" if found.what == "word" else "only one annotator has them"
        verdict += f" {counted(n_others, found.what)} cannot be adjudicated: {why}."
    return [verdict]


def _agreed_verdict(found: Agreement) -> list[str]:
    """How much all annotators agree on."""
    made = found.agreed
    if made is None:
        return []
    every = counted(made.n_agreed + made.n_left_out, "sentence" if found.what == "word" else "instance")
    words = f" ({counted(made.n_words, 'word')})" if found.what == "word" else ""
    where = f": written to {', '.join(made.written)}" if made.written else ""
    return [f"All annotators agree on {made.n_agreed:,} of {every}{words}{where}; {made.n_left_out:,} left out."]


def _refused_table(made: Adjudication) -> Table:
    rows: list[list[Cell]] = [
        [f"{one.judgement}:{one.row.line}", one.item.sentence, one.item.number, one.row.verdict, one.why]
        for one in made.refused[:_MOST_REFUSED]
    ]
    left = len(made.refused) - _MOST_REFUSED
    notes = [f"{left:,} more with --json."] if left > 0 else []
    columns = ["judgement", "sentence", "word", "verdict", "why"]
    return Table(columns, rows, "verdicts not applied", notes, optional=("verdict",), whole=("judgement",))


def _levels_table(found: Agreement) -> Table:
    """Each coefficient at every level, one below the other."""
    rows: list[list[Cell]] = []
    for name, one in found.coefficients.items():
        for level in found.levels:
            at = level.coefficients[name]
            rows.append([one.measure.title, level.depth, level.n_tags, _number(at.value), _ends(at.interval)])
    note = "Level 1 has the top-level tags. A tag below a level counts as the tag of that level above it."
    return Table(["coefficient", "level", "tags", "value", shown_ci(found.level)], rows, "by level", [note])


def _number(value: float | None) -> str | None:
    return None if value is None else f"{round(value, 3) + 0:.3f}".replace("-", "−")  # + 0: never -0.000


def _times(value: float) -> str:
    """An expected count: whole where it is."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"


def _ends(interval: Interval | None, to: str = " … ") -> str | None:
    if interval is None or interval.lower is None or interval.upper is None:
        return None
    return f"{_number(interval.lower)}{to}{_number(interval.upper)}"


def _coefficients_table(found: Agreement) -> Table:
    rows: list[list[Cell]] = [
        [one.measure.title, _number(one.value), _ends(one.interval)] for one in found.coefficients.values()
    ]
    return Table(["coefficient", "value", shown_ci(found.level)], rows)


def _coefficient_notes(found: Agreement) -> list[str]:
    notes = []
    if found.n_items:
        notes.append("Kappa and alpha: 1 is full agreement, 0 is chance.")
    if found.is_underspecified and found.n_items:
        notes.append(
            "Kappa and alpha differ because some annotations have several tags, or a tag with others below it. Kappa: "
            "how often two draws from them give the same leaf (equation 4), so even equal annotations do not agree "
            "fully. Alpha: how far apart annotations are, which is 0 if they are equal."
        )
    lacking = ", ".join(f"{name} {n:,}" for name, n in found.missing.items() if n)
    if found.n_items < found.n_all:
        notes.append(
            f"{found.n_items:,} of {counted(found.n_all, found.what)} have at least two annotations and count. "
            f"Missing: {lacking}."
        )
    elif lacking:
        notes.append(f"Missing annotations: {lacking}.")
    without: dict[str, list[str]] = {}
    for one in found.coefficients.values():
        if one.why:
            without.setdefault(f"undefined: {one.why}.", []).append(one.measure.title)
        elif one.interval is not None and one.interval.note:
            without.setdefault(f"without interval: {one.interval.note}.", []).append(one.measure.title)
    for reason, names in without.items():
        which = listed(names) if len(names) < len(found.coefficients) else "All"
        notes.append(f"{which[0].upper()}{which[1:]} {'is' if len(names) == 1 else 'are'} {reason}")
    return notes + _interval_notes(found)


def _interval_notes(found: Agreement) -> list[str]:
    intervals = [one.interval for one in found.coefficients.values()]
    made = {one.method: shown_method(one) for one in intervals if one is not None and not one.note}
    if not made:
        return []
    if {"t-logit", "t-log"} <= set(made):
        made = {"t": "jackknife t; observed agreement on the logit scale, the others on the log scale of 1 − value"}
    notes = [f"CIs over {shown_clusters(found.n_clusters, found.cluster)}: {'; '.join(made.values())}."]
    if not found.is_exact and any(one is not None and one.n_resamples for one in intervals):
        notes.append("With many tags or probabilities, chance agreement on rare tags is resampled only to first order.")
    return notes


def _pairs_table(found: Agreement) -> Table:
    """Every two annotators: observed agreement above the diagonal, alpha below."""
    cells = {(one.a, one.b): one.observed for one in found.pairs} | {(one.b, one.a): one.alpha for one in found.pairs}
    rows = [[a, *(_number(cells.get((a, b))) for b in found.names)] for a in found.names]
    notes = ["Above the diagonal the observed agreement of two annotators, below it their alpha."]
    return Table(["", *found.names], rows, "pairs of annotators", notes)


def _tags_table(found: Agreement) -> Table:
    columns: list[Column[TagUse]] = [
        ("tag", lambda one: one.tag),
        ("used", lambda one: _times(one.used)),
        ("agreement", lambda one: _number(one.agreement)),
    ]
    note = "Used: by all annotators together. Agreement: how often another annotator has the tag when one has it, "
    note += "2·Σ p·q / Σ (p + q)"
    if found.is_underspecified:
        columns.append(("overlap", lambda one: _number(one.overlap)))
        note += "; overlap: the same with min(p, q) for p·q"
    notes = [f"{note}."]
    notes += (
        ["An item counts for a tag to the extent that its annotation is this tag or one below it."]
        if found.has_hierarchy
        else []
    )
    left = len(found.per_tag) - _MOST_TAGS
    notes += [f"{left:,} more with --json."] if left > 0 else []
    return table_of(found.per_tag[:_MOST_TAGS], columns, "by tag", notes)


def _confusions_table(found: Agreement) -> Table:
    columns: list[Column[ConfusedTags]] = [
        ("tag", lambda one: one.a),
        ("other tag", lambda one: one.b),
        ("times", lambda one: _times(one.count)),
    ]
    notes = []
    if len(found.names) == 2:
        first, second = (f"{name} has tag" for name in found.names)
        columns += [(first, lambda one: _times(one.first_has_a or 0))]
        columns += [(second, lambda one: _times(one.count - (one.first_has_a or 0)))]
    else:
        notes.append("Times: over all pairs of annotators.")
    if found.has_hierarchy:
        columns.append(("distance", lambda one: _number(one.distance)))
        notes.append("Distance: how far apart the two tags are when spread over the leaves.")
    return table_of(found.confusions, columns, "what annotators confuse", notes)


def _hardest_table(found: Agreement) -> Table:
    where = "sentence" if found.what == "word" else "instance"
    columns = ["distance", where, "words" if found.what == "word" else "type", *found.names]
    rows: list[list[Cell]] = [
        [f"{one.distance:.3f}", one.place.name or f"line {one.place.line}", _words(one), *map(_answer, one.answers)]
        for one in found.hardest
    ]
    differ = f"Annotators differ on {found.n_differing:,} of {counted(found.n_items, found.what)}"
    first = "; ties in corpus order" if found.n_differing > len(rows) else ""
    return Table(columns, rows, f"the hardest {found.what}s", [f"{differ}{first}. {_DISTANCE}"])


def _words(item: HardItem) -> str:
    """The words around an item, which is in brackets if there are others."""
    words, at = item.place.words, item.place.marked
    return words[0] if len(words) == 1 else marked_words(words, [at], around=5)


def _answer(tags: Sequence[tuple[str, float]]) -> str | None:
    """What an annotator says, with shares where they are not the same."""
    if not tags:
        return None
    if max(share for _, share in tags) - min(share for _, share in tags) < 1e-9:
        return " ".join(tag for tag, _ in tags)
    return " ".join(f"{tag}/{share:.2g}" for tag, share in tags)
