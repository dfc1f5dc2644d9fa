"""Writing a corpus back: the bytes that were read, but for the fields that were changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.files import compressed, replace_file, replace_files
from karat.corpus.readers.key import Keys
from karat.corpus.source import PathLike, Source, as_in_file, source_from_files
from karat.errors import UsageError

__all__ = ["Changes", "changed_bytes", "changed_key_bytes", "misread_column", "part_targets", "write", "write_parts"]

Changes = Mapping[tuple[int, str], str]  # (word, name of the column) → new value


def changed_bytes(corpus: Corpus, changes: Changes | None = None, *, part: int = 0) -> bytes:
    """The bytes of one of the corpus's files, with the changed fields replaced and everything else as it was."""
    return _spliced(corpus.source, part, _replacements(corpus, changes) if changes else [])


def changed_key_bytes(keys: Keys, changes: Mapping[int, str], *, part: int = 0) -> bytes:
    """The bytes of one of the files of keys, with the tags of some instances replaced."""
    found = []
    for instance, tags in changes.items():
        start, stop = keys.tags_span(instance)
        found.append((start, stop, tags.encode() if stop > start else f" {tags}".encode()))
    return _spliced(keys.source, part, found)


def _spliced(source: Source, part: int, replacements: list[tuple[int, int, bytes]]) -> bytes:
    """The bytes of one of a source's files, with some stretches replaced."""
    chosen = source.parts[part]
    if not replacements:
        return source.part_bytes(chosen)
    pieces: list[bytes] = []
    done = chosen.start
    for start, stop, value in sorted(replacements):
        if chosen.start <= start <= chosen.stop:
            pieces += [source.buffer[done:start].tobytes(), value]
            done = stop
    return as_in_file(chosen, b"".join([*pieces, source.buffer[done : chosen.stop].tobytes()]))


def _replacements(corpus: Corpus, changes: Changes) -> list[tuple[int, int, bytes]]:
    found = []
    for (word, name), value in changes.items():
        if name not in corpus.names or name == "id":
            raise UsageError(f"no column {name!r} to change; this corpus has {', '.join(corpus.names)}")
        if not 0 <= word < corpus.n_words:
            raise UsageError(f"no word {word} to change; this corpus has {corpus.n_words}")
        if not isinstance(value, str):
            raise UsageError(f"the value of a field is a string, not {value!r}")
        is_last = corpus.format == "tsv" and name == corpus.names[-1]  # it may hold several tags, with tabs between
        if not value or any(mark in value for mark in ("\n\r\0" if is_last else "\t\n\r\0")):
            raise UsageError(f"{value!r} cannot be the value of a field")
        spans = corpus.spans(name, np.array([corpus.word_rows[word]]))
        found.append((int(spans.start[0]), int(spans.stop[0]), value.encode()))
    return found


def write(corpus: Corpus, path: PathLike, changes: Changes | None = None) -> None:
    """Write a corpus that was read from one file; .gz, .bz2 and .xz are compressed. No half-written file is left."""
    if len(corpus.source.parts) != 1:
        raise UsageError("write a corpus of several files one by one, with changed_bytes")
    data = compressed(changed_bytes(corpus, changes), os.fspath(path))
    replace_file(os.path.realpath(path), data)


# ---- a corpus of several files ---------------------------------------------------------------------------------------


def part_targets(source: Source, path: PathLike, inputs: Iterable[PathLike] = ()) -> list[str]:
    """The names under which the files of a source are written again: one file, or a folder for several.

    What was read, the source's own files and other `inputs`, is never written over: a `UsageError`.
    """
    parts = source.parts
    if os.fspath(path) == "-":
        raise UsageError("give a file name for the corpus, not -: standard output is for the result")
    is_folder = len(parts) > 1 or bool(source.folder)
    if os.path.isdir(path) and not is_folder:
        raise UsageError(f"{os.fspath(path)} is a folder; name the file to write")
    targets = [os.path.join(path, os.path.basename(part.path)) if is_folder else os.fspath(path) for part in parts]
    if len(set(targets)) < len(targets):
        raise UsageError("two files of the corpus have the same name: write them one by one")
    read = {os.path.realpath(one) for one in (*(part.path for part in parts), *inputs)}
    for target in targets:
        if os.path.realpath(target) in read:
            raise UsageError(f"{target} is an input and will not be overwritten; choose another name")
    return targets


def write_parts(
    path: PathLike, targets: Sequence[str], data: Sequence[bytes], *, log: tuple[PathLike, bytes] | None = None
) -> None:
    """Write the files of a corpus under their `part_targets`, and perhaps a log.

    All appear once all are complete, or none does. Files ending in .gz, .bz2 and .xz are compressed.
    """
    files = [*zip(targets, data, strict=True), *([(os.fspath(log[0]), log[1])] if log else [])]
    try:
        if list(targets) != [os.fspath(path)]:
            os.makedirs(path, exist_ok=True)
        replace_files((os.path.realpath(target), compressed(each, target)) for target, each in files)
    except OSError as error:
        raise UsageError(f"{error.filename or path} cannot be written: {error.strerror or error}") from None


def misread_column(corpus: Corpus, changes: Changes, data: Sequence[bytes]) -> str | None:
    """The first column that would not be read from changed files as it was, but for the changes; None if all would."""
    from karat.corpus.formats import corpus_from_source

    joined = source_from_files([(part.path, each) for part, each in zip(corpus.source.parts, data, strict=True)])
    tag = next((name for name in corpus.names if name in ("upos", "xpos", "feats", "lemma", "deprel", "misc")), "upos")
    several = any("\t" in value for value in (*changes.values(), *corpus.column(corpus.names[-1]).vocabulary))
    again = corpus_from_source(joined, input=corpus.format, tag=tag, several_tags=several, trees=False, bad="keep")
    for name in ("form", *sorted({name for _, name in changes})):
        expected = corpus.column(name).strings()
        for (word, changed), value in changes.items():
            if changed == name:
                expected[word] = value
        if again.n_words != corpus.n_words or again.column(name).strings() != expected:
            return name
    return None
