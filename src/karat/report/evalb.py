"""EVALB's output, as it prints it."""

from __future__ import annotations

from karat.measures.evalb import Evalb, EvalbSummary

__all__ = ["evalb_text"]

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
    lines += [_RULE, f"{'':15s}{_totals(*totals)}", "=== Summary ==="]
    lines += ["", "-- All --", *_summary(result.summary())]
    lines += ["", f"-- len<={result.parameters.cutoff} --", *_summary(result.summary(up_to_cutoff=True))]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _counts(matched: int, gold: int, test: int, crossing: int, words: int, tags: int) -> str:
    recall, precision = _share(matched, gold), _share(matched, test)
    numbers = f"{matched:5d}  {gold:5d} {test:4d}  {crossing:5d}  {words:5d} {tags:5d}"
    return f"{recall:6.2f} {precision:6.2f} {numbers}   {_share(tags, words):6.2f}"


def _totals(matched: int, gold: int, test: int, crossing: int, words: int, tags: int) -> str:
    recall, precision = _share(matched, gold), _share(matched, test)
    numbers = f"{matched:6d} {gold:5d} {test:5d}  {crossing:5d}  {words:5d} {tags:5d}"
    return f" {recall:6.2f} {precision:6.2f} {numbers}   {_share(tags, words):6.2f}"


def _summary(summary: EvalbSummary) -> list[str]:
    f_measure = "  -nan" if summary.f_measure is None else f"{summary.f_measure:6.2f}"
    return [
        f"Number of sentence        = {summary.n_sentences:6d}",
        f"Number of Error sentence  = {summary.n_error:6d}",
        f"Number of Skip  sentence  = {summary.n_skipped:6d}",
        f"Number of Valid sentence  = {summary.n_valid:6d}",
        f"Bracketing Recall         = {summary.recall:6.2f}",
        f"Bracketing Precision      = {summary.precision:6.2f}",
        f"Bracketing FMeasure       = {f_measure}",
        f"Complete match            = {summary.complete_match:6.2f}",
        f"Average crossing          = {summary.average_crossing:6.2f}",
        f"No crossing               = {summary.no_crossing:6.2f}",
        f"2 or less crossing        = {summary.two_or_less_crossing:6.2f}",
        f"Tagging accuracy          = {summary.tagging_accuracy:6.2f}",
    ]
