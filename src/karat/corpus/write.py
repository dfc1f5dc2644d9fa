"""Writing a corpus back: the bytes that were read, but for the fields that were changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.files import compressed, replace_file
from karat.corpus.source import Part, PathLike, Source, as_in_file
from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.corpus.analysed import AnalysedText
    from karat.corpus.new_choices import Edit

__all__ = ["Changes", "changed_bytes", "edited_bytes", "edits_of", "write"]

Changes = Mapping[tuple[int, str], str]  # (word, name of the column) → new value
_NO_TAG = "_"


def changed_bytes(corpus: Corpus, changes: Changes | None = None, *, part: int = 0) -> bytes:
    """The bytes of one of the corpus's files, with the changed fields replaced and everything else as it was.

    In formats whose words have interpretations (XCES, CCL, plain, KRNNT's table, graphs), a new value is the tag that
    is to be chosen, or several with tabs between, or `_` for none: see `karat.corpus.new_choices`.
    """
    edits, refused = edits_of(corpus, changes or {})
    for word, (reason, _) in refused.items():
        raise UsageError(f"word {word} cannot be changed: {reason}")
    return edited_bytes(corpus.source, corpus.source.parts[part], edits)


def edited_bytes(source: Source, part: Part, edits: Iterable[Edit]) -> bytes:
    """The bytes of one of a source's files with some of them replaced."""
    pieces: list[bytes] = []
    done = part.start
    for start, stop, value in sorted(edits):
        if part.start <= start <= part.stop:
            pieces += [source.buffer[done:start].tobytes(), value]
            done = stop
    return as_in_file(part, b"".join([*pieces, source.buffer[done : part.stop].tobytes()]))


def edits_of(
    corpus: Corpus, changes: Changes, text: AnalysedText | None = None
) -> tuple[list[Edit], dict[int, tuple[str, str]]]:
    """What changes mean for the bytes of a corpus; and the words whose format cannot hold them, with reason and hint.

    `text` is the analysed text that the corpus was made from, if it has been read already.
    """
    found: list[Edit] = []
    for (word, name), value in changes.items():
        _refuse_impossible(corpus, word, name, value)
        if corpus.has_fields_in_source:
            spans = corpus.spans(name, np.array([corpus.word_rows[word]]))
            found.append((int(spans.start[0]), int(spans.stop[0]), value.encode()))
    if corpus.has_fields_in_source or not changes:
        return found, {}
    from karat.corpus.formats import analysed_from_source
    from karat.corpus.new_choices import edits_of_choices

    text = analysed_from_source(corpus.source, corpus.format) if text is None else text
    number = text.segmentation
    tag = corpus.column(corpus.names[1])
    wishes = {}
    for word in dict.fromkeys(word for word, _ in changes):
        value = changes.get((word, corpus.names[1]), tag.vocabulary[tag.ids[word]])
        tags = () if value == _NO_TAG else tuple(dict.fromkeys(value.split("\t")))
        wishes[int(number[word])] = tags, changes.get((word, "lemma"))
    edits, refused = edits_of_choices(text, corpus.source, wishes)
    word_of = {int(number[word]): word for word, _ in changes}
    return edits, {word_of[one]: why for one, why in refused.items()}


def _refuse_impossible(corpus: Corpus, word: int, name: str, value: str) -> None:
    is_fixed = name == "id" or (name == "form" and not corpus.has_fields_in_source)
    if name not in corpus.names or is_fixed:
        raise UsageError(f"no column {name!r} to change; this corpus has {', '.join(corpus.names)}")
    if not 0 <= word < corpus.n_words:
        raise UsageError(f"no word {word} to change; this corpus has {corpus.n_words}")
    if not isinstance(value, str):
        raise UsageError(f"the value of a field is a string, not {value!r}")
    may_be_several = not corpus.has_fields_in_source and name != "lemma"
    if not value or any(mark in value for mark in ("\n\r\0" if may_be_several else "\t\n\r\0")):
        raise UsageError(f"{value!r} cannot be the value of a field")


def write(corpus: Corpus, path: PathLike, changes: Changes | None = None) -> None:
    """Write a corpus that was read from one file; .gz, .bz2 and .xz are compressed. No half-written file is left."""
    if len(corpus.source.parts) != 1:
        raise UsageError("write a corpus of several files one by one, with changed_bytes")
    data = compressed(changed_bytes(corpus, changes), os.fspath(path))
    replace_file(os.path.realpath(path), data)
