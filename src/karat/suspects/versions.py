"""`karat.diff`: what changed between two versions of a corpus."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from karat.align._alignment import Side
from karat.corpus import Corpus, read
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.task import Systems, named_systems
from karat.gold.treebank_folders import PARTS, Readable, treebank_parts, treebank_whole
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.suspects.changed_labels import COLUMNS, labelled_words
from karat.suspects.conventions import scopes_of, told_apart
from karat.suspects.rescored import rescored
from karat.suspects.sentence_pairs import paired_sentences
from karat.suspects.version_results import VersionDiff
from karat.suspects.word_pairs import paired_words


def diff(
    old: Readable,
    new: Readable,
    *,
    columns: str | Sequence[str] | None = None,
    rescore: Systems | None = None,
    input: str | None = None,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> VersionDiff:
    """What changed from one version of a corpus to another: labels, words, sentences, names of documents.

    A version is a path, a list of paths read as one, a treebank's folder (its train, dev and test files) or a corpus.
    Sentences are paired by sent_id and text, else by text, else by similar text; words by characters. Labels are
    compared by `columns`: upos, xpos, feats (each feature of its own), lemma, head and deprel, by default all that both
    versions have. A change that was made at nearly all places where it could have been made is a convention
    (docs/diff.md has the rule); all others are sporadic.

    `rescore` are outputs of systems, as for `karat.score`: they are scored on both versions, on the sentences whose
    text both have, and compared if there are several; `inference` says how sure we want to be.
    """
    wanted = _columns(columns)
    # what tags of plain tagged text are
    tag = "upos" if "upos" in wanted else next((one for one in wanted if one != "head"), "upos")
    systems = {} if rescore is None else named_systems(rescore)
    versions, outputs = _read_all((old, new), systems, input=input, tag=tag)
    chosen, not_compared = _common_columns(versions, wanted)
    sides = Side.of(versions[0]), Side.of(versions[1])
    sentences = paired_sentences(*sides)
    if not len(sentences):
        hint = "give two versions of the same corpus; sentences are paired by equal or similar text"
        message = f"no sentence in common with {versions[0].path}: nothing to compare"
        raise DataError(Problem("K921", message, versions[1].path, hint=hint))
    words = paired_words(*sides, sentences)
    scopes = scopes_of(versions[0], words)
    by_column = tuple(told_apart(one, scopes) for one in labelled_words(*versions, words, chosen))
    scored = None
    if outputs:
        scored = rescored(sides, sentences, outputs, inference=inference, progress=progress)
    parts = [_parts(given, corpus) for given, corpus in zip((old, new), versions, strict=True)]
    names = _name(old), _name(new)
    both = None if parts[0] is None or parts[1] is None else (parts[0], parts[1])
    return VersionDiff(names, *versions, chosen, not_compared, sentences, words, by_column, both, scored)


def _columns(columns: str | Sequence[str] | None) -> tuple[str, ...]:
    """The columns asked for, none if it is left to us."""
    if columns is None:
        return ()
    wanted = tuple(dict.fromkeys([columns] if isinstance(columns, str) else columns))
    for one in wanted:
        if one not in COLUMNS:
            raise UsageError(f"no column {one!r} to compare; choose from {', '.join(COLUMNS)}")
    return wanted


def _read_all(
    versions: tuple[Readable, Readable], systems: Mapping[str, object], *, input: str | None, tag: str
) -> tuple[tuple[Corpus, Corpus], dict[str, Corpus]]:
    """All inputs; what is wrong with any of them is said at once. Only where systems are scored must trees be trees."""
    found: list[Corpus] = []
    problems: list[Problem] = []
    for one in (*versions, *systems.values()):
        try:
            whole = treebank_whole(one)  # type: ignore[arg-type]  # a reader says what cannot be read
            found.append(whole if isinstance(whole, Corpus) else read(whole, input=input, tag=tag, trees=bool(systems)))
            problems += found[-1].problems
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(dict.fromkeys(problems))
    return (found[0], found[1]), dict(zip(systems, found[2:], strict=True))


def _common_columns(
    versions: tuple[Corpus, Corpus], wanted: Sequence[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The columns to compare, and those that only one version has."""
    problems = [
        Problem("K920", f"no {one.upper()} to compare: the column is empty, or the format has none", corpus.path)
        for one in wanted
        for corpus in versions
        if not corpus.has(one)
    ]
    if problems:
        raise DataError(problems)
    common, only = [], []
    for one in wanted or COLUMNS:
        having = [corpus for corpus in versions if corpus.has(one)]
        if len(having) == 2:
            common.append(one)
        elif having:
            only.append((one, having[0].path))
    return tuple(common), tuple(only)


def _parts(given: Readable, corpus: Corpus) -> list[str] | None:
    """The part that each sentence is in, of a treebank's folder; None of anything else."""
    parts = treebank_parts(given, PARTS)
    if "file" in parts:
        return None
    files = {os.fspath(path): part for part, of in parts.items() if isinstance(of, list) for path in of}
    starts = np.array([one.start for one in corpus.source.parts])
    places = corpus.edges[0].take(corpus.word_rows.take(corpus.sentence_offsets[:-1])) + 1
    numbers = np.searchsorted(starts, places, side="right") - 1
    names = [files[one.path] for one in corpus.source.parts]
    return [names[number] for number in numbers.tolist()]


def _name(given: Readable) -> str:
    if isinstance(given, Corpus):
        return given.path
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    return ",".join(os.fspath(one) for one in given)
