"""A drawing of a sentence of each kind, of made-up sentences; and strings that a corpus may hold to do harm."""

from __future__ import annotations

from karat.report.draw.constituency import constituency_figure
from karat.report.draw.dependencies import DependencyWord, dependency_figure
from karat.report.draw.sentence_brackets import SentenceBrackets
from karat.report.draw.svg import Drawing
from karat.report.draw.tag_row import tag_figure

__all__ = ["GOLD", "GOLD_BRACKETS", "HOSTILE", "SYSTEM", "SYSTEM_BRACKETS", "WORDS", "tree_drawings"]

HOSTILE = [
    "<script>alert(1)</script>",
    "]]>",
    "\"'&",
    "a\u202eb\u2066c\u200f",
    "x" * 10_000,
    "長" * 10_000,
    "W" * 40,
    "a\x00\x1b[31m\x7f\ufffe",
    "\ud800lone",
    "a\u0301" * 200,
    "",
    " ",
    "--><svg onload=x>",
]

GOLD = [
    DependencyWord("The", "DET", 3, "det"),
    DependencyWord("old", "ADJ", 3, "amod"),
    DependencyWord("gardener", "NOUN", 4, "nsubj"),
    DependencyWord("watered", "VERB", 0, "root"),
    DependencyWord("roses", "NOUN", 4, "obj"),
    DependencyWord("near", "ADP", 8, "case"),
    DependencyWord("the", "DET", 8, "det"),
    DependencyWord("wall", "NOUN", 4, "obl"),
    DependencyWord(".", "PUNCT", 4, "punct"),
]
SYSTEM: list[DependencyWord | None] = [
    *GOLD[:4],
    DependencyWord("roses", "PROPN", 4, "iobj"),  # another relation, another tag
    *GOLD[5:7],
    DependencyWord("wall", "NOUN", 5, "nmod"),  # another head
    None,
]
WORDS = [word.form for word in GOLD]
GOLD_BRACKETS = [(0, 8, "S"), (0, 3, "NP"), (3, 8, "VP"), (4, 5, "NP"), (5, 8, "PP"), (6, 8, "NP")]
SYSTEM_BRACKETS = [(0, 8, "S"), (0, 3, "NP"), (3, 8, "VP"), (4, 8, "NP"), (4, 6, "X"), (6, 8, "NX")]


def tree_drawings() -> list[Drawing]:
    """One drawing of each kind, and one of a part of a sentence."""
    tags = [word.tag for word in GOLD]
    brackets = SentenceBrackets(WORDS, GOLD_BRACKETS, SYSTEM_BRACKETS, tags=tags, is_left_out=[False] * 8 + [True])
    return [
        dependency_figure(GOLD, SYSTEM, system_name="arc parser", sentence="garden-1"),
        dependency_figure(GOLD, SYSTEM, around=(5, 5), width=4),
        constituency_figure(brackets, system_name="chart parser", name="garden-1"),
        constituency_figure(brackets, around=(5, 6), width=3),
        tag_figure(WORDS, tags, {"hmm": [None if one is None else one.tag for one in SYSTEM]}, sentence="garden-1"),
    ]
