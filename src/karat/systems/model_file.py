"""A model as one file: a line that says what it is, a line of JSON, then arrays. Nothing in it is ever executed.

    karat/model/1 DIGEST        the digest is of all that follows
    {"system": …, "arrays": {name: [type, shape], …}, "texts": {name: length, …}, …}
    bytes of the arrays, then of the texts (lines)

A file that was cut, changed, or is something else is refused with its reason. What the numbers mean is checked by the
tagger that they belong to: a file with a right digest may still be meant to do harm.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Array
from karat.corpus.source import PathLike
from karat.errors import NO_LINE, DataError, Problem

_NAME = b"karat/model/"
_VERSION = 1
_TYPES = {"int16": "<i2", "int32": "<i4", "int64": "<i8", "float32": "<f4", "float64": "<f8"}
_MOST_HEADER = 1 << 26
_TRAIN_AGAIN = "train the model again with this version of karat (karat train)"


# of models that are no taggers: what they are, and which verb works with them
_OTHERS = {
    "pcfg": ("a parser", "karat parse"),
    "attachment": ("a model of attachment", "karat attach apply"),
    "attachment-statistics": ("co-occurrence statistics", "karat attach train"),
}
NO_TAGGERS = frozenset(_OTHERS)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What is kept of a trained system: which it is and what was chosen, arrays of numbers, and lists of strings."""

    system: str
    header: Mapping[str, Any]
    arrays: Mapping[str, Array]
    texts: Mapping[str, Sequence[str]]
    path: str = ""

    def problem(self, what: str, *, hint: str = _TRAIN_AGAIN) -> DataError:
        """That the model cannot be used, and why."""
        return _refusal(self.path, what, hint=hint)

    def not_what_is_asked_for(self, wanted: str, made_by: str) -> DataError:
        """That the file has a model of another kind, what that is for, and what makes one of the wanted kind."""
        what, used_by = _OTHERS.get(self.system, (f"a tagger ({self.system})", "karat tag"))
        hint = f"{used_by} works with it; {made_by} makes {wanted}"
        return self.problem(f"this is {what}, not {wanted}", hint=hint)

    def array(self, name: str, dtype: str, n_dimensions: int = 1) -> Array:
        """An array that must be there, of this type and number of dimensions."""
        found = self.arrays.get(name)
        if found is None or found.dtype != np.dtype(dtype) or found.ndim != n_dimensions:
            raise self.problem(f"{name} is missing or of another kind")
        return found

    def numbers(self, name: str, most: int, *, least: int = 0, n_dimensions: int = 1, dtype: str = "int32") -> Array:
        """An array of whole numbers from `least` up to, not including, `most`."""
        found = self.array(name, dtype, n_dimensions)
        if found.size and not (least <= int(found.min()) and int(found.max()) < most):
            raise self.problem(f"{name} has numbers out of range")
        return found

    def offsets(self, name: str, n_rows: int, n_values: int) -> Array:
        """Where rows of values begin and end."""
        found = self.numbers(name, n_values + 1, dtype="int64")
        if len(found) != n_rows + 1 or found[0] or found[-1] != n_values or (np.diff(found) < 0).any():
            raise self.problem(f"{name} are no offsets")
        return found

    def lines(self, name: str, n: int | None = None) -> list[str]:
        """Strings that must be there, so many of them."""
        found = list(self.texts.get(name, ()))
        if name not in self.texts or (n is not None and len(found) != n):
            raise self.problem(f"{name} is missing or of another length")
        return found

    def value(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """A value of the header that must be there, of this kind."""
        found = self.header.get(name)
        if not isinstance(found, kind) or isinstance(found, bool):
            raise self.problem(f"{name} is missing or of another kind")
        return found


def _refusal(path: str, what: str, code: str = "K903", hint: str = _TRAIN_AGAIN) -> DataError:
    return DataError(Problem(code, what, path, NO_LINE, hint=hint))


def model_bytes(model: Model) -> bytes:
    """The file of a model."""
    arrays = {name: np.ascontiguousarray(one, dtype=_TYPES[one.dtype.name]) for name, one in model.arrays.items()}
    texts = {name: "\n".join(lines).encode("utf-8", "surrogatepass") for name, lines in model.texts.items()}
    header = {
        "system": model.system,
        **model.header,
        "arrays": {name: [one.dtype.name, list(one.shape)] for name, one in arrays.items()},
        "texts": {name: [len(texts[name]), len(model.texts[name])] for name in texts},
    }
    body = b"".join(
        [
            json.dumps(header, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n",
            *(one.tobytes() for one in arrays.values()),
            *texts.values(),
        ]
    )
    return b"%b%d %b\n%b" % (_NAME, _VERSION, _digest(body), body)


def _digest(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode()


def model_digest(path: PathLike) -> str:
    """The SHA-256 of a file, for signatures."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_model(path: PathLike) -> Model:
    """The model in a file; a `DataError` if it is none, was cut or changed, or is of a newer version."""
    shown = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except IsADirectoryError:
        raise _refusal(shown, "a folder, not a model", "K101", "") from None
    except OSError as error:
        what = "no such file" if isinstance(error, FileNotFoundError) else str(error.strerror or error)
        raise _refusal(shown, what, "K101", "") from None
    return model_from_bytes(data, shown)


def model_from_bytes(data: bytes, path: str = "") -> Model:
    """The model in the bytes of a file."""
    first, _, _ = data[:80].partition(b"\n")
    version, _, digest = first.removeprefix(_NAME).partition(b" ")
    if not first.startswith(_NAME) or not version.isdigit():
        raise _refusal(path, "not a model of karat", hint="models are made by karat train")
    if int(version) > _VERSION:
        raise _refusal(path, f"a model of a newer karat (format {int(version)})", hint="install a newer karat")
    body = memoryview(data)[len(first) + 1 :]
    if _digest(body) != digest:
        raise _refusal(path, "the model is damaged: a part is missing or was changed", hint="copy the file again")
    end = data.find(b"\n", len(first) + 1, len(first) + 1 + _MOST_HEADER)
    try:
        header = json.loads(data[len(first) + 1 : end].decode("utf-8", "surrogatepass"))
        found, rest = _parts(header, memoryview(data)[end + 1 :])
        system = header["system"]
        if len(rest) or not isinstance(system, str):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _refusal(path, "the model's description of itself is wrong") from None
    return Model(system, header, *found, path)


def _parts(header: Any, rest: memoryview) -> tuple[tuple[dict[str, Array], dict[str, list[str]]], memoryview]:
    """The arrays and texts that a header announces, and what is left."""
    arrays: dict[str, Array] = {}
    for name, (kind, shape) in header["arrays"].items():
        if not all(isinstance(one, int) and one >= 0 for one in shape) or len(shape) > 2:
            raise ValueError
        dtype = np.dtype(_TYPES[kind])
        size = math.prod(shape) * dtype.itemsize
        if size > len(rest):
            raise ValueError
        arrays[name] = np.frombuffer(rest[:size], dtype=dtype).reshape(shape)
        rest = rest[size:]
    texts: dict[str, list[str]] = {}
    for name, (size, n) in header["texts"].items():
        if not 0 <= size <= len(rest):
            raise ValueError
        texts[name] = str(rest[:size], "utf-8", "surrogatepass").split("\n") if n else []
        if len(texts[name]) != n:
            raise ValueError
        rest = rest[size:]
    return (arrays, texts), rest
