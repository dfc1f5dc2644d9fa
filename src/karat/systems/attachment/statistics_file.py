"""Statistics as one file, in the format of models: arrays of numbers and lists of strings, nothing that is executed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from karat._arrays import Array, Indices
from karat._ragged import Ragged
from karat.corpus.source import PathLike
from karat.systems.attachment.object_columns import COLUMNS, ObjectColumns
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.wordnet_classes import PARTS, WordnetClasses
from karat.systems.model_file import Model, model_bytes, read_model

SYSTEM = "attachment-statistics"
_COUNT_AGAIN = "count again with this version of karat (karat attach stats)"
_HEADS = ("syntactic", "semantic")
_ROWS = ("senses", "ancestors", "parents")


def statistics_bytes(statistics: CooccurrenceStatistics) -> bytes:
    """The file of statistics."""
    return model_bytes(statistics_model(statistics))


def statistics_model(statistics: CooccurrenceStatistics) -> Model:
    """What is kept of statistics."""
    columns, wordnet = statistics.columns, statistics.wordnet
    arrays: dict[str, Array] = {
        f"{head}.{what}": columns.column(head, what).astype(np.int32) for head in _HEADS for what in COLUMNS
    }
    arrays |= {
        "offsets": columns.offsets.astype(np.int64),
        "hashes": columns.hashes.astype(np.int64),
        "documents": columns.documents.astype(np.int32),
    }
    header: dict[str, Any] = {
        "tagset": statistics.tagset,
        "has_lemmas": int(statistics.has_lemmas),
        "groups": statistics.groups,
        "signature": statistics.signature,
        "words": columns.n_words,
        "names": {what: list(columns.names[what]) for what in COLUMNS},
        "wordnet": None if wordnet is None else {"signed": wordnet.signed, "lemmas": list(wordnet.lemmas)},
    }
    if wordnet is not None:
        for name in _ROWS:
            rows = getattr(wordnet, name)
            arrays[f"{name}.offsets"] = rows.offsets.astype(np.int64)
            arrays[name] = rows.values.astype(np.int32)
    return Model(SYSTEM, header, arrays, {})


def load_attachment_statistics(path: PathLike) -> CooccurrenceStatistics:
    """The statistics in a file; a `DataError` if it has none, was damaged, or is of a newer karat."""
    model = read_model(path)
    if model.system != SYSTEM:
        raise model.not_what_is_asked_for("co-occurrence statistics", "karat attach stats")
    return statistics_from_model(model)


def statistics_from_model(model: Model) -> CooccurrenceStatistics:
    """The statistics that were kept; a `DataError` for numbers that mean nothing."""
    names = model.value("names", dict)
    if set(names) != set(COLUMNS):
        raise _wrong(model, "names")
    known = {what: _strings(model, names[what], f"the names of {what}") for what in COLUMNS}
    offsets = model.array("offsets", "int64")
    n = int(offsets[-1]) if len(offsets) else -1
    checked = _offsets(model, "offsets", len(offsets) - 1, n)
    n_sentences = len(checked) - 1
    heads = {
        head: {what: _column(model, f"{head}.{what}", n, len(known[what]), least=-1) for what in COLUMNS}
        for head in _HEADS
    }
    hashes = model.array("hashes", "int64")
    if len(hashes) != n_sentences:
        raise _wrong(model, "hashes")
    columns = ObjectColumns(
        known,
        heads["syntactic"],
        heads["semantic"],
        checked,
        hashes.copy(),
        _column(model, "documents", n_sentences, max(n_sentences, 1), least=-1),
        int(model.value("words", int)),
    )
    return CooccurrenceStatistics(
        columns,
        model.value("tagset", str),
        bool(model.value("has_lemmas", int)),
        model.value("groups", str),
        _wordnet(model),
        model.value("signature", str),
    )


def _wordnet(model: Model) -> WordnetClasses | None:
    """The wordnet in a file, if there is one."""
    if model.value("wordnet", (dict, type(None))) is None:
        return None
    described: Mapping[str, Any] = model.value("wordnet", dict)
    lemmas = _strings(model, described.get("lemmas"), "the wordnet's lemmas")
    n_synsets = len(model.array("ancestors.offsets", "int64")) - 1
    n_rows = {"senses": len(lemmas) * len(PARTS), "ancestors": n_synsets, "parents": n_synsets}
    senses, ancestors, parents = (_rows(model, name, n_rows[name], n_synsets) for name in _ROWS)
    signed = described.get("signed")
    if not _are_ancestors(ancestors) or not (parents.values < parents.owners).all() or not isinstance(signed, str):
        raise _wrong(model, "the wordnet")
    return WordnetClasses(lemmas, senses, ancestors, parents, signed)


def _are_ancestors(rows: Ragged) -> bool:
    """Whether each row is sorted and ends with its own number."""
    if not len(rows) or rows.sizes.min() == 0:
        return not len(rows)
    is_sorted = np.diff(rows.values) > 0
    is_sorted[rows.offsets[1:-1] - 1] = True
    return bool(is_sorted.all() and (rows.values.take(rows.offsets[1:] - 1) == np.arange(len(rows))).all())


def _rows(model: Model, name: str, n_rows: int, n_synsets: int) -> Ragged:
    values = model.numbers(name, n_synsets)
    return Ragged(_offsets(model, f"{name}.offsets", n_rows, len(values)), values.astype(np.intp))


def _offsets(model: Model, name: str, n_rows: int, n_values: int) -> Indices:
    if n_rows < 0 or n_values < 0:
        raise _wrong(model, name)
    return model.offsets(name, n_rows, n_values).astype(np.intp)


def _column(model: Model, name: str, n: int, most: int, *, least: int) -> Array:
    found = model.numbers(name, most, least=least)
    if len(found) != n:
        raise _wrong(model, name)
    return found.copy()


def _strings(model: Model, names: object, what: str) -> tuple[str, ...]:
    """Names, each once: what is numbered by them would else have numbers beyond theirs."""
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names) or len({*names}) < len(names):
        raise _wrong(model, what)
    return tuple(names)


def _wrong(model: Model, what: str) -> Exception:
    return model.problem(f"{what}: not as statistics have it", hint=_COUNT_AGAIN)
