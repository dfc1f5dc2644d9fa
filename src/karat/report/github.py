"""Suspicious repeats as GitHub's workflow commands: a warning at the line of each in a pull request."""

from __future__ import annotations

from karat.gold.repeats.audit import Audit, AuditItem
from karat.gold.repeats.patterns import between_spaces, cut_text
from karat.report.cut_text import cut_around
from karat.report.shown import counted, marked_words

_AROUND = 5  # words of a repeat that are shown on both sides
_CHARACTERS = 80  # of a repeat of characters
_OF_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = {**_OF_MESSAGES, ":": "%3A", ",": "%2C"}


def workflow_annotations(audit: Audit, *, top: int = 0) -> str:
    """A line `::warning file=…,line=…,col=…,title=…::message` for each suspicious repeat, or the first `top`.

    It stands at the first word that has the odd label.
    """
    lines = [_annotation(audit, row, item) for row, item in enumerate(audit.items(top or None))]
    return "".join(f"{line}\n" for line in lines)


def _annotation(audit: Audit, row: int, item: AuditItem) -> str:
    path, line, column = _place(audit, int(audit.ranking.odd[row]))
    usual_path, usual_line, _ = _place(audit, int(audit.ranking.usual[row]))
    labels = {place: way for way in item.labellings for place in way.places}
    odd, usual = (labels[int(places[row]) - item.position] for places in (audit.ranking.odd, audit.ranking.usual))
    if audit.options.tokenisation:
        first, last = between_spaces(item.words, item.position)
        here, there = (cut_text(item.words[first:last], way.labels[first:last]) for way in (odd, usual))
        title, words = f"{here} or {there}?", cut_around(item.words, first, last, _CHARACTERS, gap="")
    else:
        here, there = odd.labels[item.position] or "nothing", usual.labels[item.position] or "nothing"
        title = f"{item.words[item.position]}: {here} or {there}?"
        words = marked_words(item.words, [item.position], around=_AROUND)
    message = f"{here} here, {there} at {usual_path}:{usual_line}, in the same words: {words} "
    message += f"({counted(sum(way.count for way in item.labellings), 'place')})"
    properties = {"file": path.removeprefix("./"), "line": str(line), "col": str(column), "title": title}
    shown = ",".join(f"{name}={_escaped(value, _OF_PROPERTIES)}" for name, value in properties.items())
    return f"::warning {shown}::{_escaped(message, _OF_MESSAGES)}"


def _place(audit: Audit, place: int) -> tuple[str, int, int]:
    """Path, line and column of the word at a place of the text."""
    span = audit.text.span(place, 1)
    corpus = audit.text.corpora[span.corpus]
    return corpus.place_of_word(int(corpus.sentence_offsets[span.sentence]) + span.words[0])


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(letter, letter) for letter in text)
