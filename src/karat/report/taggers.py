"""What was trained and tagged, and what it cost, for people."""

from __future__ import annotations

from karat.report.shown import counted, shown_share
from karat.result import Cell, Report, Table
from karat.systems.tagging import Tagged
from karat.systems.training import Trained


def trained_report(result: Trained) -> Report:
    """How good the tagger is on text that it had not seen, and what it cost."""
    tagger = result.tagger
    size = f"{counted(result.n_words, 'word')}, {counted(len(tagger.labels), 'tag')}"
    files = result.path.split(",")
    on = result.path if len(files) == 1 else f"{len(files)} files"
    verdict = [f"{tagger.system} trained on {on}: {size} ({tagger.column})."]
    if result.accuracy is not None:
        right = shown_share(result.accuracy, ".1f")
        verdict.append(f"{right} of {counted(result.n_held_out, 'word')} held out are tagged as in the corpus.")
    rows: list[list[Cell]] = [
        ["calibration error", shown_share(result.calibration_error)],
        ["training", shown_seconds(result.train_seconds)],
        ["calibration", shown_seconds(result.calibration_seconds) if result.n_held_out else None],
        ["peak memory", shown_size(result.peak_bytes)],
        ["model", shown_size(len(result.file))],
    ]
    notes = [result.why_column] if result.why_column else []
    notes += [f"Written to {result.written}."] if result.written else []
    if result.calibration_error is None:
        notes.append("Probabilities are not calibrated.")
    else:
        notes.append("Calibration error: how far probabilities are from the share of right tags, on held-out words.")
    return Report(verdict, [Table(["", "value"], rows)], notes)


def tagged_report(result: Tagged) -> Report:
    """What was tagged, and what it cost."""
    size = f"{counted(result.corpus.n_sentences, 'sentence')}, {counted(result.corpus.n_words, 'word')}"
    where = f" Written to {', '.join(result.written)} ({result.format})." if result.written else ""
    verdict = [f"{result.corpus.path} tagged ({result.column}): {size}.{where}"]
    if result.agreement is not None:
        verdict.append(f"{shown_share(result.agreement, '.1f')} of the words have the tag they had before.")
    rows: list[list[Cell]] = [["tagging", shown_seconds(result.tag_seconds)]]
    if result.several is not None:
        rows.append(["tags per word", f"{len(result.several.values) / max(result.corpus.n_words, 1):.2f}"])
    if result.calibration_error is not None:
        rows.append(["calibration error", shown_share(result.calibration_error)])
    if result.train_seconds is not None:
        rows.append(["training, all folds", shown_seconds(result.train_seconds)])
    rows += [["peak memory", shown_size(result.peak_bytes)]]
    rows += [["model", shown_size(result.model_bytes)]] if result.model_bytes is not None else []
    return Report(verdict, [Table(["", "value"], rows)], [result.why_column] if result.why_column else [])


def shown_seconds(seconds: float) -> str:
    """Seconds for people."""
    return f"{seconds:.2f} s"


def shown_size(n_bytes: int | None) -> str | None:
    """Bytes for people."""
    return None if n_bytes is None else f"{n_bytes / 1e6:.1f} MB"
