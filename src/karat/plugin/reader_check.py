"""`check_reader`: what a reader must hold to, tried on a text and on damaged copies of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from karat.corpus import Corpus, Source, source_from_bytes
from karat.corpus.claimed_formats import claimed
from karat.corpus.plugin_readers import Reader, corpus_from_plugin
from karat.entry_points import Plugin
from karat.errors import DataError
from karat.plugin.unregistered import reasons, unregistered

_N_DAMAGED = 50
_NOT_ITS_OWN = ("", "\n", "Only words\n", "Some words of a text\nwithout tags\n")


def check_reader(reader: Reader | Callable[[Source], Corpus], text: str | bytes, path: str = "example") -> list[str]:
    """What is wrong with a reader, by a text in its format; empty if nothing was found.

    The text can be read, and is read the same twice; karat does not take it for another format, and the reader claims
    it, but no text without any annotation; damaged copies can be read, or are refused with a `DataError`.
    """
    given = reader if isinstance(reader, Reader) else Reader(reader)
    data = text.encode() if isinstance(text, str) else text
    plugin = unregistered("reader", "reader", given)
    try:
        return list(dict.fromkeys(_faults(given, plugin, data, path)))
    except DataError as error:
        return reasons(error)


def _faults(reader: Reader, plugin: Plugin, data: bytes, path: str) -> Iterator[str]:
    source = source_from_bytes(data, path)
    corpus, again = (corpus_from_plugin(source, plugin) for _ in range(2))
    if not corpus.n_words:
        yield "there is no word in the text"
    for name in corpus.names:
        if again.names != corpus.names or again.column(name).strings() != corpus.column(name).strings():
            yield "the text is read differently the second time"
            break
    if reader.claims is not None:
        text = data.decode("utf-8", "replace")
        if (other := claimed(source)) is not None:
            yield f"karat takes the text for {other}: it must be named with `input=…`"
        with plugin.calling():
            if not reader.claims(path, text):
                yield "'claims' does not claim the text"
            if any(reader.claims("example", other) for other in _NOT_ITS_OWN):
                yield "'claims' claims empty or unannotated text"
    rng = np.random.default_rng(0)
    for _ in range(_N_DAMAGED):
        damaged = bytearray(data[: int(rng.integers(1, len(data) + 1))])
        damaged[int(rng.integers(len(damaged)))] = int(rng.integers(1, 256))
        try:
            corpus_from_plugin(source_from_bytes(bytes(damaged), path), plugin)
        except DataError as error:  # which a reader raises of bad input, but not for what it cannot do
            of_plugin = DataError([one for one in error.problems if one.code in ("K973", "K974")] or error.problems)
            if of_plugin.code in ("K973", "K974"):
                yield f"on a damaged text, {reasons(of_plugin)[0]}"
