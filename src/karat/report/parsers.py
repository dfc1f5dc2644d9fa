"""What parser was trained, what was parsed, and what it cost, for people."""

from __future__ import annotations

from karat.report.shown import counted
from karat.report.taggers import shown_seconds, shown_size
from karat.result import Cell, Report, Table
from karat.systems.parser_training import TrainedParser
from karat.systems.parsing import Parsed

_WHOSE = {"text": "those of the text", "tagger": "a tagger's", "parser": "chosen by the parser"}


def trained_parser_report(result: TrainedParser) -> Report:
    """How large the grammar is, and what it cost."""
    grammar, files = result.parser.grammar, result.path.split(",")
    on = result.path if len(files) == 1 else f"{len(files)} files"
    n_labels = len(grammar.labels) - grammar.n_tags
    verdict = [
        f"{result.parser.system} trained on {on}: {counted(result.n_sentences, 'tree')}, "
        f"{counted(result.n_words, 'word')}, {counted(n_labels, 'label')}, {counted(grammar.n_tags, 'tag')}."
    ]
    rows: list[list[Cell]] = [
        ["symbols", grammar.n_symbols],
        ["unary rules", len(grammar.unary)],
        ["binary rules", len(grammar.binary)],
        ["training", shown_seconds(result.train_seconds)],
        ["peak memory", shown_size(result.peak_bytes)],
        ["model", shown_size(len(result.file))],
    ]
    return Report(verdict, [Table(["", "value"], rows)], [f"Written to {result.written}."] if result.written else [])


def parsed_report(result: Parsed) -> Report:
    """How many sentences have a parse, and what that cost."""
    n, n_words = len(result.parses), sum(result.n_words)
    verdict = [f"{result.text.path} parsed: {counted(n, 'sentence')}, {counted(n_words, 'word')}."]
    if result.n_missing:
        verdict.append(f"{counted(result.n_missing, 'sentence')} without a parse, written as (()).")
    notes = []
    n_empty = sum(not n for n in result.n_words)
    if n_empty:
        notes.append(f"{counted(n_empty, 'sentence')} of these had no words.")
    if result.n_too_slow:
        limit = "" if result.seconds is None else f" took longer than {result.seconds:g} s (--seconds) or"
        notes.append(f"{counted(result.n_too_slow, 'sentence')} of these{limit} had too many words.")
    if result.n_unknown_tags:
        notes.append(
            f"{counted(result.n_unknown_tags, 'word')} had a tag that the grammar does not know: the parser went by "
            "the form."
        )
    column = f" ({result.column})" if result.column else ""
    rows: list[list[Cell]] = [
        ["tags", _WHOSE[result.tags_from] + column],
        ["parsing", shown_seconds(result.parse_seconds)],
        ["words per second", f"{n_words / max(result.parse_seconds, 1e-9):,.0f}"],
        ["peak memory", shown_size(result.peak_bytes)],
    ]
    if result.parse_base is not None:
        rows.insert(1, ["Parse Base", f"{result.parse_base:.2f}"])
    if result.n_left_out:
        rows.insert(1, ["brackets left out", f"{result.n_left_out:,}"])
    notes += [f"Trees are in {result.written}."] if result.written else []
    notes += [f"Numbers of parses are in {result.parses_written}."] if result.parses_written else []
    return Report(verdict, [Table(["", "value"], rows)], notes)
