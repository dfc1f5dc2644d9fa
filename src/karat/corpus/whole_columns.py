"""Writing a corpus back with whole columns replaced: the bytes that were read, but for these columns of all words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Ids
from karat._ragged import offsets_of, stretches
from karat.corpus._corpus import Corpus
from karat.corpus.source import as_in_file
from karat.errors import UsageError

_AT_ONCE = 1 << 16  # stretches that are copied together


def bytes_with_columns(corpus: Corpus, columns: Mapping[str, tuple[Ids, Sequence[str]]]) -> list[bytes]:
    """The bytes of each of the corpus's files, with columns replaced and everything else as it was.

    A column is given as the number of each word's value among its values.
    """
    if not corpus.has_fields_in_source:
        raise UsageError(f"{corpus.path}: no column can be replaced in the format {corpus.format}")
    size = corpus.source.size
    texts, fields = [corpus.source.buffer[:size]], []
    for name, (ids, values) in columns.items():
        spans = corpus.spans(name)
        data = [value.encode() for value in values]
        offsets = offsets_of([len(one) for one in data])
        begin = sum(map(len, texts)) + offsets[:-1]
        texts.append(np.frombuffer(b"".join(data), dtype=np.uint8))
        fields.append(np.stack([spans.start, spans.stop, begin.take(ids), np.diff(offsets).take(ids)], axis=1))
    every = np.concatenate(fields)
    every = every[np.argsort(every[:, 0], kind="stable")]
    pool = np.concatenate(texts)
    found = []
    for part in corpus.source.parts:
        first, behind = np.searchsorted(every[:, 0], [part.start, part.stop]).tolist()
        start, stop, begin, length = every[first:behind].T
        starts = np.stack([np.append(part.start, stop), np.append(begin, 0)], axis=1).reshape(-1)
        kept = np.append(start, part.stop) - np.append(part.start, stop)
        sizes = np.stack([kept, np.append(length, 0)], axis=1).reshape(-1)
        pieces = [
            pool.take(stretches(starts[at : at + _AT_ONCE], sizes[at : at + _AT_ONCE])).tobytes()
            for at in range(0, len(starts), _AT_ONCE)
        ]
        found.append(as_in_file(part, b"".join(pieces)))
    return found
