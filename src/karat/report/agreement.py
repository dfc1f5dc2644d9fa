"""Agreement of annotators as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from karat.agreement.agree import Agreement
from karat.agreement.disagreement import HardItem
from karat.inference.intervals import Interval
from karat.report.shown import MOST_NOTES, counted, listed, shown_method
from karat.result import Cell, Report, Table

__all__ = ["agreement_report"]

_MOST_TAGS = 30
_DISTANCE = "Distance: 1 − Σ min(p, q), the mean over pairs of annotators."
_AROUND = 5  # words shown on either side of an item
_KINDS = ("sentence", "document", "type", "instance")


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
    notes = _coefficient_notes(found)
    return Report([_verdict(found)], tables, notes if details else notes[:MOST_NOTES])


def _verdict(found: Agreement) -> str:
    """How far annotators agree, with the coefficient that people quote."""
    of = {"heads": " on heads", "las": " on heads and relations"}.get(found.column, f" on {found.column.upper()}")
    of = of if found.what == "word" else ""
    size = counted(found.n_items, found.what)
    observed = next(iter(found.coefficients.values()))
    if observed.value is None:
        return f"{listed(found.names)} have no {found.what}s in common to agree on."
    parts = []
    for one in list(found.coefficients.values())[1:]:
        if one.value is not None:
            ends = "" if one.interval is None or one.interval.lower is None else (
                f" ({100 * found.level:g} % CI {_number(one.interval.lower)} to {_number(one.interval.upper)})"
            )  # fmt: skip
            parts.append(f"{one.measure.title} {_number(one.value)}{ends}")
            break
    quoted = f"; {parts[0]}" if parts else ""
    return f"{listed(found.names)} agree{of} on {100 * observed.value:.1f} % of {size}{quoted}."


def _number(value: float | None) -> str | None:
    return None if value is None else f"{round(value, 3) + 0:.3f}"  # + 0: never -0.000


def _times(value: float) -> str:
    """An expected count: whole where it is."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"


def _ends(interval: Interval | None) -> str | None:
    if interval is None or interval.lower is None or interval.upper is None:
        return None
    return f"{_number(interval.lower)} … {_number(interval.upper)}"


def _coefficients_table(found: Agreement) -> Table:
    rows: list[list[Cell]] = [
        [one.measure.title, _number(one.value), _ends(one.interval)] for one in found.coefficients.values()
    ]
    return Table(["coefficient", "value", f"{100 * found.level:.10g} % CI"], rows)


def _coefficient_notes(found: Agreement) -> list[str]:
    notes = []
    if found.n_items:
        notes.append("Kappa and alpha: 1 is full agreement, 0 what chance would give.")
    if found.is_underspecified and found.n_items:
        notes.append(
            "Kappa and alpha differ because some annotations are several tags, or a tag with others below it: kappa "
            "asks how often two draws from them would be the same leaf (equation 4), so that annotators who write the "
            "same do not agree fully; alpha asks how far what they write is apart, which is 0 if it is the same."
        )
    if found.n_items < found.n_all:
        lacking = ", ".join(f"{name} {n:,}" for name, n in found.missing.items() if n)
        notes.append(
            f"{found.n_items:,} of {counted(found.n_all, found.what)} have two annotations or more and count. "
            f"Missing: {lacking}."
        )
    elif any(found.missing.values()):
        lacking = ", ".join(f"{name} {n:,}" for name, n in found.missing.items() if n)
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
    made = {one.method: shown_method(one, "") for one in intervals if one is not None and not one.note}
    if not made:
        return []
    if {"t-logit", "t-log"} <= set(made):
        made = {"t": "jackknife t; observed agreement on the logit scale, the others on the log scale of 1 − value"}
    kind, n = found.cluster, found.n_clusters
    over = counted(n, kind) if kind in _KINDS else f"{counted(n, 'group')} of {kind}"
    notes = [f"CIs over {over}: {'; '.join(made.values())}."]
    if not found.is_exact and any(one is not None and one.n_resamples for one in intervals):
        notes.append(
            "Of many tags or probabilities, agreement by chance on the rarer was resampled to first order only."
        )
    return notes


def _pairs_table(found: Agreement) -> Table:
    """Every two annotators: observed agreement above the diagonal, alpha below."""
    by_names = {(one.a, one.b): one for one in found.pairs}
    rows: list[list[Cell]] = []
    for place, name in enumerate(found.names):
        row: list[Cell] = [name]
        for other_place, other in enumerate(found.names):
            if place == other_place:
                row.append(None)
            elif place < other_place:
                row.append(_number(by_names[name, other].observed))
            else:
                row.append(_number(by_names[other, name].alpha))
        rows.append(row)
    notes = ["Above the diagonal the observed agreement of two annotators, below it their alpha."]
    return Table(["", *found.names], rows, "every two annotators", notes)


def _tags_table(found: Agreement) -> Table:
    rows: list[list[Cell]] = []
    for one in found.per_tag[:_MOST_TAGS]:
        row: list[Cell] = [one.tag, _times(one.used), _number(one.agreement)]
        rows.append([*row, *([_number(one.overlap)] if found.is_underspecified else [])])
    meant = "Used: by all annotators together. Agreement: 2·Σ p·q / Σ (p + q), of the times that one annotator "
    meant += "has the tag the share that another has it too"
    notes = [meant + ("; overlap: the same with min(p, q) for p·q." if found.is_underspecified else ".")]
    notes += ["An item is of a tag as far as its annotation is at or below it."] if found.has_hierarchy else []
    left = len(found.per_tag) - len(rows)
    notes += [f"{left:,} more with --json."] if left else []
    overlap = ["overlap"] if found.is_underspecified else []
    return Table(["tag", "used", "agreement", *overlap], rows, "tag by tag", notes)


def _confusions_table(found: Agreement) -> Table:
    two = len(found.names) == 2
    columns = ["tag", "other tag", "times"]
    columns += [f"{name} has tag" for name in found.names] if two else []
    columns += ["distance"] if found.has_hierarchy else []
    rows: list[list[Cell]] = []
    for one in found.confusions:
        row: list[Cell] = [one.a, one.b, _times(one.count)]
        if one.first_has_a is not None:
            row += [_times(one.first_has_a), _times(one.count - one.first_has_a)]
        rows.append([*row, *([_number(one.distance)] if found.has_hierarchy else [])])
    notes = [] if two else ["Times: over all pairs of annotators."]
    notes += (
        ["Distance: how far the two tags are apart once they are spread over leaves."] if found.has_hierarchy else []
    )
    return Table(columns, rows, "what annotators confuse", notes)


def _hardest_table(found: Agreement) -> Table:
    where = "sentence" if found.what == "word" else "instance"
    columns = ["distance", where, "words" if found.what == "word" else "type", *found.names]
    rows: list[list[Cell]] = [
        [f"{one.distance:.3f}", one.place.name or f"line {one.place.line}", _marked(one), *map(_answer, one.answers)]
        for one in found.hardest
    ]
    differ = f"Annotators differ on {found.n_differing:,} of {counted(found.n_items, found.what)}"
    first = "; of those equally far apart the first are shown" if found.n_differing > len(rows) else ""
    return Table(columns, rows, f"the hardest {found.what}s", [f"{differ}{first}. {_DISTANCE}"])


def _marked(item: HardItem) -> str:
    """The words around an item, which is in brackets if there are others."""
    words, at = item.place.words, item.place.marked
    if len(words) == 1:
        return words[0]
    shown = [f"[{word}]" if place == at else word for place, word in enumerate(words)]
    before = "… " if at > _AROUND else ""
    behind = " …" if at + _AROUND + 1 < len(words) else ""
    return before + " ".join(shown[max(at - _AROUND, 0) : at + _AROUND + 1]) + behind


def _answer(tags: Sequence[tuple[str, float]]) -> str | None:
    """What an annotator says, with shares where they are not the same."""
    if not tags:
        return None
    if max(share for _, share in tags) - min(share for _, share in tags) < 1e-9:
        return " ".join(tag for tag, _ in tags)
    return " ".join(f"{tag}/{share:.2g}" for tag, share in tags)
