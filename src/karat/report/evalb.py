"""EVALB's output, as it prints it."""

from __future__ import annotations

from karat.corpus.constituency_trees import Trees
from karat.evaluation.evalb import EvalbDetails
from karat.evaluation.results import Scores, SystemScores
from karat.measures.brackets.evalb import Evalb, EvalbSummary, outer_labels_counted
from karat.report.columns import without_unknown
from karat.report.shown import gold_size, listed, shown_interval
from karat.result import Cell, Report, Table

_RULE = "=" * 76


def evalb_text(result: Evalb) -> str:
    """The table of sentences and the summary, in EVALB's own form."""
    lines = [
        "  Sent.                        Matched  Bracket   Cross        Correct Tag",
        " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
        _RULE,
    ]
    columns = (
        result.length, result.status, result.matched, result.gold, result.test, result.crossing, result.words,
        result.correct_tags,
    )  # fmt: skip
    for number, row in enumerate(zip(*(column.tolist() for column in columns), strict=True), start=1):
        length, status, *counts = row
        lines.append(f"{number:4d}  {length:3d}    {status:d}  {_counts(*counts)}")
    totals = [int(column.sum()) for column in columns[2:]]
    lines += [_RULE, _totals(*totals), "=== Summary ==="]
    return "\n".join(lines) + "\n" + evalb_summary_text(result)


def evalb_summary_text(result: Evalb) -> str:
    """The summary, in EVALB's own form."""
    lines = ["", "-- All --", *_summary(result.summary())]
    lines += ["", f"-- len<={result.parameters.cutoff} --", *_summary(result.summary(up_to_cutoff=True))]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _counts(matched: int, gold: int, test: int, crossing: int, words: int, tags: int) -> str:
    recall, precision = _share(matched, gold), _share(matched, test)
    numbers = f"{matched:5d}  {gold:5d} {test:4d}  {crossing:5d}  {words:5d} {tags:5d}"
    return f"{recall:6.2f} {precision:6.2f} {numbers}   {_share(tags, words):6.2f}"


def _totals(matched: int, gold: int, test: int, crossing: int, words: int, tags: int) -> str:
    if not gold or not test:  # EVALB leaves out the brackets then
        return f"  {words:5d} {tags:5d}   {_share(tags, words):6.2f}"
    recall, precision = _share(matched, gold), _share(matched, test)
    numbers = f"{matched:6d} {gold:5d} {test:5d}  {crossing:5d}  {words:5d} {tags:5d}"
    return f"{'':16s}{recall:6.2f} {precision:6.2f} {numbers}   {_share(tags, words):6.2f}"


def _summary(summary: EvalbSummary) -> list[str]:
    numbers = [f"{name:26}= {getattr(summary, field):6d}" for field, name in _NUMBERS.items()]
    figures = {name: getattr(summary, field) for field, (name, _) in _FIGURES.items()}
    shown = {name: "  -nan" if figure is None else f"{figure:6.2f}" for name, figure in figures.items()}
    return numbers + [f"{name:26}= {figure}" for name, figure in shown.items()]


# ---- EVALB's figures beside those with every sentence in the test ----------------------------------------------------

_NUMBERS = {
    "n_sentences": "Number of sentence",
    "n_error": "Number of Error sentence",
    "n_skipped": "Number of Skip  sentence",
    "n_valid": "Number of Valid sentence",
}
_FIGURES = {  # what EVALB and what karat calls them
    "recall": ("Bracketing Recall", "{} Recall"),
    "precision": ("Bracketing Precision", "{} Precision"),
    "f_measure": ("Bracketing FMeasure", "{} F1"),
    "complete_match": ("Complete match", "Complete Match"),
    "average_crossing": ("Average crossing", "Average Crossing"),
    "no_crossing": ("No crossing", "No Crossing"),
    "two_or_less_crossing": ("2 or less crossing", "Two or Fewer Crossing"),
    "tagging_accuracy": ("Tagging accuracy", "Tagging Accuracy"),
}
_MOST_NAMED = 10


def _both(details: EvalbDetails, *, up_to_cutoff: bool) -> list[EvalbSummary]:
    return [one.summary(up_to_cutoff=up_to_cutoff) for one in (details.result, details.every_sentence)]


def evalb_report(scores: Scores) -> Report:
    """EVALB's figures of each system beside those without sentences left out, and which sentences it leaves out."""
    return Report([], [_evalb_table(scores, one, one.evalb) for one in scores.systems if one.evalb])


def _evalb_table(scores: Scores, system: SystemScores, details: EvalbDetails) -> Table:
    ours, every = _both(details, up_to_cutoff=False)
    ours_short, every_short = _both(details, up_to_cutoff=True)
    kind = "Labelled" if details.result.parameters.labelled else "Unlabelled"
    cutoff = f"len<={details.result.parameters.cutoff}"
    columns = ["figure", "EVALB", "EVALB CI", "every sentence", f"EVALB {cutoff}", f"every {cutoff}"]
    rows: list[list[Cell]] = []
    for field, (name, measure) in _FIGURES.items():
        score = system.measures[measure.format(kind)]
        sure = shown_interval(score.interval, factor=score.measure.factor)
        others = (getattr(one, field) for one in (every, ours_short, every_short))
        rows.append([name, getattr(ours, field), sure, *others])
    assert isinstance(scores.gold, Trees)
    notes = [*_left_out_notes(details), *_outer_notes(scores.gold, details)]
    table = Table(columns, rows, f"{system.name} on {scores.gold.path}: {gold_size(scores.gold)}", notes)
    return table if scores.cluster else without_unknown(table, ["EVALB CI"])


def _outer_notes(gold: Trees, details: EvalbDetails) -> list[str]:
    """That an outermost bracket that every tree has counts, which makes figures higher."""
    counted = listed(list(outer_labels_counted(gold, details.result.parameters)))
    note = f"The bracket around each tree counts ({counted}): the parameters do not delete it."
    return [note] if counted else []


def _left_out_notes(details: EvalbDetails) -> list[str]:
    if not details.left_out:
        return ["EVALB leaves out no sentence."]
    notes = []
    for why in dict.fromkeys(one.why for one in details.left_out):
        those = [one for one in details.left_out if one.why == why]
        more = ", …" if len(those) > _MOST_NAMED else ""
        named = ", ".join(one.sent_id for one in those[:_MOST_NAMED])
        notes.append(
            f"EVALB leaves out {len(those):,} of {len(details.result.status):,} sentences: {why} ({named}{more})."
        )
    every = "Every sentence: all stay in the test, with the words deleted that the gold's tags say; a sentence without"
    return [*notes, f"{every} a parse, or whose words still differ, has no bracket right."]


def evalb_records(scores: Scores) -> Table:
    """One row for each system, block and figure: plain numbers for programs."""
    rows: list[list[Cell]] = []
    for system in scores.systems:
        assert system.evalb is not None
        blocks = (("all", False), (f"len<={system.evalb.result.parameters.cutoff}", True))
        for block, up_to_cutoff in blocks:
            ours, every = _both(system.evalb, up_to_cutoff=up_to_cutoff)
            fields = (*_NUMBERS, *_FIGURES)
            rows += [[system.name, block, field, getattr(ours, field), getattr(every, field)] for field in fields]
    return Table(["name", "sentences", "figure", "evalb", "every_sentence"], rows)
