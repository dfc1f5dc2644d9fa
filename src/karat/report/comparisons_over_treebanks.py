"""Comparisons over treebanks as tables for people: the ranking by the average, and each treebank."""

from __future__ import annotations

from dataclasses import replace

from karat.evaluation.compare_treebanks import ComparedTreebanks
from karat.report.comparisons import comparison_report
from karat.report.shown import MOST_NOTES, counted, headlines
from karat.report.treebanks import lacking_of, left_out_notes, not_there, treebank_matrix
from karat.result import Report


def treebanks_comparison_report(
    compared: ComparedTreebanks, *, details: bool = False, for_paper: bool = False, measures_named: bool = True
) -> Report:
    """The verdict and the ranking by the macro average, and a matrix of treebanks and systems.

    With details, also the micro average, and every treebank by every measure.
    """
    macro = compared.macro
    shown = {"always_ranked": True, "measures_named": measures_named}
    report = comparison_report(macro, details=details, for_paper=for_paper, **shown)
    measures = [name for name in macro.measures() if name is not None]
    headline = headlines(measures)[0]
    tables = list(report.tables)
    if not for_paper:
        tables += [treebank_matrix(compared.scores, name) for name in (measures if details else [headline])]
    if details:
        of_micro = comparison_report(compared.micro, **shown)
        tables += [replace(one, title=f"micro average: {one.title or headline}") for one in of_micro.tables]
        for name, one in compared.treebanks.items():
            tables += [replace(table, title=name) for table in comparison_report(one, **shown).tables[:1]]
    n = counted(len(compared.scores.treebanks), "treebank")
    notes = left_out_notes(compared.scores.systems)
    if not details:  # what was scored as 0 comes first, but how to read the table is always there
        notes = notes[: max(MOST_NOTES - len(report.notes), 1)]
    return replace(
        report,
        verdict=[*report.verdict, f"Macro average over {n}{not_there(lacking_of(compared.scores.systems))}."],
        tables=tables,
        notes=[*notes, *report.notes],
        caption=f"{report.caption} Averaged over {n}." if report.caption else "",
    )
