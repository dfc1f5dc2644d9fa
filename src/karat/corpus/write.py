"""Writing a corpus back: the bytes that were read, but for the fields that were changed."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.files import compressed, replace_file
from karat.corpus.source import PathLike, as_in_file
from karat.errors import UsageError

__all__ = ["Changes", "changed_bytes", "write"]

Changes = Mapping[tuple[int, str], str]  # (word, name of the column) → new value


def changed_bytes(corpus: Corpus, changes: Changes | None = None, *, part: int = 0) -> bytes:
    """The bytes of one of the corpus's files, with the changed fields replaced and everything else as it was."""
    source = corpus.source
    chosen = source.parts[part]
    if not changes:
        return source.part_bytes(chosen)
    pieces: list[bytes] = []
    done = chosen.start
    for start, stop, value in sorted(_replacements(corpus, changes)):
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
        if not value or any(mark in value for mark in "\t\n\r\0"):
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
