"""`karat.leaks`: test sentences that are in the training text, and what they do to scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from karat.corpus import Corpus, read
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import SystemScores
from karat.evaluation.task import Asked, Systems, evaluated, named_systems
from karat.evaluation.words import COMPARED_WORDS, WordTask, word_task
from karat.gold.treebank_folders import Readable, treebank_parts
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.suspects.leak_results import Leaks
from karat.suspects.leaked_sentences import leaked_sentences
from karat.suspects.scores_without import ScoresWithout, scores_without

NEAR = 0.8  # of a sentence's three-word sequences: docs/leaks.md says what other shares find
MIN_WORDS = 5


def leaks(
    train: Readable,
    test: Readable,
    systems: Systems | None = None,
    *,
    near: float = NEAR,
    min_words: int = MIN_WORDS,
    measures: str | Iterable[str] | None = None,
    column: str = "upos",
    input: str | None = None,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> Leaks:
    """The sentences of the test text that are in the training text, exactly, but for case, or nearly.

    A text is a file, several files as one, or a treebank's folder: its train part, or its test part. A sentence is
    nearly there if one training sentence has at least the share `near` of its sequences of three words, without regard
    to case. Sentences of fewer than `min_words` words are no leaks, but listed apart if they are exactly there, or but
    for case. Annotation (lemma, UPOS, XPOS, FEATS, HEAD, DEPREL, as far as both texts have it) is compared word by
    word where the words are the same.

    With `systems`, as for `karat.score` and with the test text as gold, each is scored by the `measures` (all by
    default) on all sentences, without the leaks, and on the leaks alone; pairs of systems are compared on all and
    without. `column` is what the tags of plain tagged text are.
    """
    if not 0 < near <= 1:
        raise UsageError(f"near {near}: it must be above 0 and at most 1, as in 0.8")
    if min_words < 1:
        raise UsageError(f"at least {min_words} words: give a number from 1 on")
    options = inference or InferenceOptions()
    asked = Asked(measures=measures, column=column, input=input)
    task = word_task(asked)
    learnt, ours, scored = _all_read(_part(train, "train"), _part(test, "test"), systems, task)
    found = leaked_sentences(learnt, ours, near=near, min_words=min_words)
    read = [one for one in task.settings(()) if one[0] in ("column", "input")]
    scores = ScoresWithout(settings=tuple(read))
    if scored:
        compared = COMPARED_WORDS if measures is None else tuple(scored[0].measures)
        scores = scores_without(ours, scored, found.is_leaked, options, compared=compared, progress=progress)
        scores = replace(scores, settings=(*task.settings(scored), *scores.settings))
    warnings = (*_same_text(learnt, ours), *(str(odd) for one in (learnt, ours) for odd in one.oddities))
    return Leaks(found, near, min_words, scores, (*warnings, *scores.warnings, *task.warnings(scored)))


def _part(given: Readable, part: str) -> Readable:
    """A text: of a treebank's folder one part."""
    parts = treebank_parts(given, (part,))
    return parts[part] if part in parts else parts["file"]


def _all_read(
    train: Readable, test: Readable, systems: Systems | None, task: WordTask
) -> tuple[Corpus, Corpus, list[SystemScores]]:
    """The two texts, and the systems scored on the second; what is wrong with any of them is said at once."""
    problems: list[Problem] = []
    learnt: Corpus | None = None
    ours: Corpus | None = None
    scored: list[SystemScores] = []
    try:
        learnt = _corpus(train, task.asked)
    except DataError as error:
        problems += error.problems
    try:
        if systems:
            ours, scored = evaluated(task, test, list(named_systems(systems).items()))
        else:
            ours = _corpus(test, task.asked)
    except DataError as error:
        problems += error.problems
    if problems or learnt is None or ours is None:
        raise DataError(dict.fromkeys(problems))
    return learnt, ours, scored


def _corpus(given: Readable, asked: Asked) -> Corpus:
    return given if isinstance(given, Corpus) else read(given, input=asked.input, tag=asked.column, trees=False)


def _same_text(train: Corpus, test: Corpus) -> tuple[str, ...]:
    if train.source.sha256() == test.source.sha256():
        return (f"{test.path} is the training text itself: every sentence is in it",)
    return ()
