"""Formats that other packages read: a function from a source to a corpus, and perhaps one that knows the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from karat._arrays import Indices
from karat.corpus._corpus import Corpus
from karat.corpus.dependency_trees import MISSING, tree_problems
from karat.corpus.readers.conllu import Bad, in_order
from karat.corpus.source import Source
from karat.entry_points import Plugin, every, named, names_of
from karat.errors import DataError, Problem

_OURS = ("conllu", "tsv", "slash", "xces", "ccl", "plain", "krnnt", "dag", "brackets", "key", "text")
_LOOKED_AT = 1 << 16


def _ours() -> tuple[str, ...]:
    """The names of karat's own formats."""
    return _OURS


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: `read` makes a corpus of a source, `claims` says whether a text is in it.

    `claims` is given the path and the first characters of a text that no format of karat claims; without it, the format
    must be named. Bad input is a `DataError`, or `problems` of the corpus, so that bad sentences can be skipped.
    """

    read: Callable[[Source], Corpus]
    claims: Callable[[str, str], bool] | None = None


@cache
def _reader(plugin: Plugin) -> Reader:
    """The reader that a plug-in is; a `DataError` if it cannot be imported or is none."""
    given = plugin.loaded()
    reader = given if isinstance(given, Reader) or not callable(given) else Reader(given)
    if not isinstance(reader, Reader) or not callable(reader.read):
        raise plugin.refusal("K971", "is neither a Reader nor a function")
    return reader


def reader_named(name: str) -> Plugin | None:
    """The plug-in that reads the format of this name; None if there is none."""
    return named("reader", name, _ours)


def plugin_formats() -> list[str]:
    """The names of the formats that other packages read; none of them is imported."""
    return names_of("reader")


def claimed_by_plugin(source: Source) -> str | None:
    """The format of another package that a source is in; None if none claims it.

    A `DataError` (K972) if several do. A plug-in that cannot be imported is not asked: see `not_asked`.
    """
    text = source.text(0, min(_LOOKED_AT, source.size))
    found = []
    for plugin in every("reader", _ours)[0]:
        try:
            claims = _reader(plugin).claims
        except DataError:
            continue
        with plugin.calling():
            if claims is not None and claims(source.path, text):
                found.append(plugin)
    if len(found) > 1:
        names = " and ".join(f"{one.name} ({one.shown})" for one in found)
        hint = f"name the format: `input={found[0].name}`"
        raise DataError(Problem("K972", f"several plug-ins claim this text: {names}", source.path, hint=hint))
    return found[0].name if found else None


def not_asked() -> list[Problem]:
    """Why plug-ins could not be asked whether they know a format."""
    plugins, problems = every("reader", _ours)
    for plugin in plugins:
        try:
            _reader(plugin)
        except DataError as error:
            problems += error.problems
    return problems


def corpus_from_plugin(source: Source, plugin: Plugin, *, trees: bool = True, bad: Bad = "raise") -> Corpus:
    """The corpus that a plug-in reads, checked; its problems are raised, or kept with `bad="keep"`.

    With `trees`, sentences whose heads are no tree are problems too, as in CoNLL-U.
    """
    reader = _reader(plugin)
    with plugin.calling():
        corpus = reader.read(source)
    if why := _why_unusable(corpus, source):
        raise plugin.refusal("K974", f"returns {why}", f"report this to the authors of {plugin.package}")
    source.note_plugin(plugin.signed)
    problems = list(corpus.problems)
    if trees and corpus.heads is not None:
        spoiled = {one.sentence for one in problems}
        places = corpus.edges[0].take(corpus.word_rows) + np.int32(1)
        wrong = tree_problems(source, corpus.heads, corpus.sentence_offsets, places)
        problems += [one for one in wrong if one.sentence not in spoiled]
    with plugin.calling():
        problems = in_order(source, problems)
    if problems and bad == "raise":
        raise DataError(problems)
    corpus = replace(corpus, format=plugin.name, problems=tuple(problems))
    if problems and corpus.heads is not None:
        heads = np.where(corpus.bad.take(corpus.words_sentence), np.int32(MISSING), corpus.heads)
        corpus = replace(corpus, heads=heads)
    return corpus


def _why_unusable(corpus: object, source: Source) -> str:
    """What is wrong with a corpus that a plug-in made; empty if nothing is."""
    if not isinstance(corpus, Corpus):
        return f"a {type(corpus).__name__} instead of a Corpus"
    if corpus.source is not source:
        return "a corpus with a different source"
    if not _are_offsets(corpus.sentence_offsets, corpus.n_words) or not _are_offsets(
        corpus.document_offsets, corpus.n_sentences
    ):
        return "sentences or documents that do not cover the words"
    if "form" not in corpus.names:
        return "a corpus without forms"
    if any(len(corpus.column(name)) != corpus.n_words for name in corpus.names):
        return "columns of different lengths"
    heads = corpus.heads
    if heads is not None and (len(heads) != corpus.n_words or (heads < MISSING).any() or heads.dtype.kind != "i"):
        return "heads that are not numbers from 0, one for each word"
    return ""


def _are_offsets(offsets: Indices, n: int) -> bool:
    return len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == n and bool((np.diff(offsets) >= 0).all())
