"""A row's sentence drawn as the report draws it: brackets of both sides, or arcs, with what is asked about marked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from karat.corpus import Source
from karat.corpus.worklist import WorklistRow
from karat.measures.brackets.human_check import EVERY_SYSTEM
from karat.measures.brackets.tree_counts import TreeComparison
from karat.report.draw.constituency import constituency_figure
from karat.report.draw.dependencies import DependencyWord, dependency_figure
from karat.report.draw.sentence_brackets import sentence_brackets
from karat.review.named_corpora import ReviewCorpus

_WIDTH = 16  # words of a drawing, so many that they can be read
_MOST_AROUND = 2  # brackets around all of these words: more say nothing about the one in question
_GOLD = "gold"


class BracketDrawings:
    """Drawings of brackets: the gold's trees, and those of the system whose bracket it is."""

    def __init__(self, trees: Mapping[str, Source]) -> None:
        self._trees = trees

    @cached_property
    def _pairs(self) -> Mapping[str, TreeComparison]:
        from karat.evaluation.task import Asked, each_system
        from karat.evaluation.trees import tree_task

        if _GOLD not in self._trees:
            return {}
        systems = [(name, source) for name, source in self._trees.items() if name != _GOLD]
        task = tree_task(Asked(skip_bad=True), [])
        _, pairs = each_system(task, self._trees[_GOLD], systems, lambda pair, name: (name, pair))
        return dict(pairs)

    @cached_property
    def _sentences(self) -> Mapping[str, int]:
        gold = next(iter(self._pairs.values())).pair.gold
        return {gold.sent_id(number): number for number in reversed(range(gold.n_sentences))}

    def drawn(self, row: WorklistRow) -> str | None:
        """The brackets of a row's sentence; None without the trees, or if they are others."""
        names = list(self._pairs) if row.corpus == EVERY_SYSTEM else [row.corpus]
        pair = next((self._pairs[name] for name in names if name in self._pairs), None)
        sentence = None if pair is None else self._sentences.get(row.sent_id)
        if pair is None or sentence is None:
            return None
        brackets = sentence_brackets(pair, sentence)
        if row.end > len(brackets.words):
            return None
        last = min(row.end, row.start + _WIDTH - 1)
        name = names[0] if len(names) == 1 else "system"
        return constituency_figure(
            brackets,
            system_name=name,
            name=row.sent_id,
            around=(row.start, last),
            marked=(row.start, row.end),
            width=_WIDTH,
            most_around=_MOST_AROUND,
        ).svg


def arcs_drawn(
    corpus: ReviewCorpus, sentence: int, marked: range, other: tuple[ReviewCorpus, int | None] | None
) -> str | None:
    """The arcs of a sentence around the words in question; below them those of another version, where it differs.

    None where there are no heads.
    """
    words = _dependency_words(corpus, sentence)
    if words is None:
        return None
    old = None if other is None or other[1] is None else _dependency_words(other[0], other[1])
    arcs, old_arcs = ([(one.head, one.relation) for one in side or ()] for side in (words, old))
    around = marked.start + 1, min(marked.stop, marked.start + _WIDTH)
    return dependency_figure(
        words,
        old if old is not None and len(old) == len(words) and arcs != old_arcs else None,
        system_name="old",
        gold_name="new" if other else "",
        sentence=corpus.name(sentence),
        around=around,
        marked=(marked.start + 1, marked.stop),
        width=_WIDTH,
    ).svg


def _dependency_words(corpus: ReviewCorpus, sentence: int) -> list[DependencyWord] | None:
    heads, first = corpus.corpus.heads, corpus.first_word(sentence)
    if heads is None or not corpus.has(("deprel",)):
        return None
    tag = next(((name,) for name in ("upos", "xpos") if corpus.has((name,))), ())
    return [
        DependencyWord(form, corpus.label(word, tag), int(heads[word]), corpus.label(word, ("deprel",)))
        for word, form in enumerate(corpus.corpus.words_of(sentence), start=first)
    ]
