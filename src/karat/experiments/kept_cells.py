"""Whether a finished cell of a grid is as karat wrote it: what tables and drawings rely on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LARGEST = 1e18  # no count and no cost is
_TEXT, _COUNT, _NUMBER, _NONE = "text", "count", "number", "none"
_FIELDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("system", "train", "test", "column"), (_TEXT,)),
    **dict.fromkeys(("seed", "words"), (_COUNT,)),
    **dict.fromkeys(
        ("size", "fold", "train_words", "duplicates_left_out", "peak_bytes", "model_bytes"), (_COUNT, _NONE)
    ),
    **dict.fromkeys(("train_seconds", "tag_seconds", "tokens_per_second"), (_NUMBER, _NONE)),
}
_OF_MEASURE = {"value": (_NUMBER,), "lower": (_NUMBER, _NONE), "upper": (_NUMBER, _NONE)}
_LATER = {"train_words", "duplicates_left_out"}  # cells of before have not got them


def fault_of_cell(data: Mapping[str, Any]) -> str:
    """The first thing in a cell that is not as karat writes it; empty if there is none.

    >>> fault_of_cell({"system": "hmm", "train": 7})
    'train'
    """
    return next(_faults(data), "")


def _faults(data: Mapping[str, Any]) -> Iterator[str]:
    yield from (name for name, kinds in _FIELDS.items() if not _fits(data, name, kinds, may_lack=name in _LATER))
    measures = data.get("measures")
    if not isinstance(measures, dict) or not measures:
        yield "measures"
        return
    for name, one in measures.items():
        if not isinstance(one, dict) or not all(_fits(one, of, kinds) for of, kinds in _OF_MEASURE.items()):
            yield f"measures.{name}"
    for name in ("train_text", "test_text"):
        if not _is_text_of_files(data.get(name)):
            yield name
    for name in ("folds", "documents", "map"):
        if not _KINDS_OF_TABLES[name](data.get(name)):
            yield name


def _fits(data: Mapping[str, Any], name: str, kinds: tuple[str, ...], *, may_lack: bool = False) -> bool:
    return (may_lack and name not in data) or (name in data and any(_is(data[name], kind) for kind in kinds))


def _is(value: object, kind: str) -> bool:
    if kind == _TEXT:
        return isinstance(value, str)
    if kind == _NONE:
        return value is None
    if isinstance(value, bool) or not isinstance(value, int if kind == _COUNT else (int, float)):
        return False
    return 0 <= value < _LARGEST if kind == _COUNT else abs(value) < _LARGEST


def _is_text_of_files(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("sha256"), str):
        return False
    paths = value.get("paths")
    return isinstance(paths, list) and bool(paths) and all(isinstance(one, str) and "\0" not in one for one in paths)


def _is_folds(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.get("by") not in (None, "sentence", "document"):
        return False
    return _fits(value, "n", (_COUNT,)) and value["n"] >= 2 and _fits(value, "fold", (_COUNT,))


def _is_documents(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or {*value} != {"field", "pattern"}:
        return False
    return _fits(value, "field", (_TEXT,)) and _fits(value, "pattern", (_TEXT, _NONE))


def _is_map(value: object) -> bool:
    return value is None or (
        isinstance(value, dict) and _fits(value, "name", (_TEXT,)) and _fits(value, "signed", (_TEXT,))
    )


_KINDS_OF_TABLES = {"folds": _is_folds, "documents": _is_documents, "map": _is_map}
