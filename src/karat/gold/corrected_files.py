"""Corrected corpora written to files: checked before the first of them is written, and all of them or none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat.corpus import Corpus, PathLike, Source, corpus_from_source
from karat.corpus.analysed import tags_shown
from karat.corpus.chosen_tags import corpus_of_chosen_tags
from karat.corpus.files import compressed, replace_files
from karat.corpus.formats import analysed_from_source
from karat.corpus.source import source_from_files
from karat.corpus.write import edited_bytes
from karat.errors import DataError, UsageError
from karat.gold.correction_results import Corrections

__all__ = ["write_corrected"]


def write_corrected(corrections: Corrections, path: PathLike, *, log: PathLike | None = None) -> Corrections:
    """Write the corrected corpus; the same corrections come back, with the names of its files.

    Files ending in .gz, .bz2 and .xz are compressed. A corpus of several files is written into a folder, each under
    its name. The `log` has a line for each change. What was read is never written over. All files are checked before
    the first is written: read again, they have the new values and else what they had. They appear once all of them
    are complete, or none does.
    """
    corpus = corrections.corpus
    if corpus is None:
        raise UsageError("no corpus to write")
    parts = corpus.source.parts
    if os.fspath(path) == "-":
        raise UsageError("give a file name for the corrected corpus, not -: standard output is for the log")
    is_folder = len(parts) > 1 or bool(corpus.source.folder)
    if os.path.isdir(path) and not is_folder:
        raise UsageError(f"{os.fspath(path)} is a folder; name the file to write")
    targets = [os.path.join(path, os.path.basename(part.path)) if is_folder else os.fspath(path) for part in parts]
    if len(set(targets)) < len(targets):
        raise UsageError("two files of the corpus have the same name: correct them one by one")
    inputs = {os.path.realpath(one) for one in (*(part.path for part in parts), *corrections.judgements)}
    for target in targets:
        if os.path.realpath(target) in inputs:
            raise UsageError(f"{target} is an input and will not be overwritten; choose another name")
    data = [edited_bytes(corpus.source, part, corrections.edits) for part in parts]
    _refuse_other_changes(corpus, corrections, data)
    try:
        if is_folder:
            os.makedirs(path, exist_ok=True)
        files = list(zip(targets, data, strict=True))
        files += [(os.fspath(log), corrections.log_text.encode("utf-8", "backslashreplace"))] if log else []
        replace_files((os.path.realpath(target), compressed(each, target)) for target, each in files)
    except OSError as error:
        raise UsageError(f"{error.filename or path} cannot be written: {error.strerror or error}") from None
    return replace(corrections, written=tuple(targets))


def _refuse_other_changes(corpus: Corpus, corrections: Corrections, data: Sequence[bytes]) -> None:
    """A `DataError` for a label which the format of the corpus cannot hold, so that it would be read as another."""
    if not corrections.changes:
        return
    joined = source_from_files([(part.path, each) for part, each in zip(corpus.source.parts, data, strict=True)])
    columns = {change.column for change in corrections.changes}
    again = _read_again(corpus, joined)
    is_same = again.n_words == corpus.n_words and np.array_equal(again.sentence_offsets, corpus.sentence_offsets)
    for name in ("form", *sorted(columns)):
        expected = corpus.column(name).strings()
        found = again.column(name).strings()
        if not corpus.has_fields_in_source:  # tags in the order of a word's interpretations; lemmas go with them
            expected, found = list(map(tags_shown, expected)), list(map(tags_shown, found))
        for change in corrections.changes:
            if change.column == name:
                expected[change.word] = tags_shown(change.new)
        if name == "lemma" and not corpus.has_fields_in_source:
            changed = sorted({change.word for change in corrections.changes if change.column == name})
            expected, found = ([values[word] for word in changed] for values in (expected, found))
        if not is_same or found != expected:
            row = next(change.row for change in corrections.changes if change.column == name or name == "form")
            message = f"{row.label or 'a label'!r} cannot be written in the format {corpus.format}"
            raise DataError(row.problem("K742", message, "is it misspelt?"))


def _read_again(corpus: Corpus, source: Source) -> Corpus:
    """A corrected text as a corpus with the columns of the one that it was."""
    if corpus.has_fields_in_source:
        tag = corpus.names[1] if corpus.format != "conllu" else "upos"
        return corpus_from_source(source, input=corpus.format, tag=tag, trees=False, bad="keep")
    text = analysed_from_source(source, corpus.format)
    return corpus_of_chosen_tags(
        text, source, corpus.format, tag=corpus.names[1], with_probabilities=False, with_lemmas=True
    )
