"""The bytes behind a corpus: one buffer over one or several files, and where each byte came from."""

from __future__ import annotations

import bisect
import hashlib
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import IO, cast

import numpy as np

from karat._arrays import Bytes, Words64
from karat._files_read import note_file
from karat.entry_points import Digest
from karat.errors import NO_LINE, DataError, Problem

PathLike = str | os.PathLike[str]

PADDING = 32  # zero bytes behind the text, so that eight bytes can be read at any of its places and a little beyond
_LARGEST = 2**31 - 1 - PADDING  # places in the text are int32
_BETWEEN_FILES = b"\n\n"  # ends the last sentence of one file before the next begins
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}
_SUFFIXES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
_BOM = b"\xef\xbb\xbf"
_LF, _CR = 10, 13
_LINE_LOOKED_AT = 1 << 12


@dataclass(frozen=True, slots=True)
class Part:
    """One file's share of the buffer: its bytes are `buffer[start:stop]`, after a byte order mark if it had one.

    Where `ends_in_cr`, its lines end in CR alone, and the buffer has LF in place of every CR.
    """

    path: str
    start: int
    stop: int
    has_bom: bool
    ends_in_cr: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of one or several files as one byte array, `size` bytes followed by `PADDING` zeros.

    Between two files stand two line ends that belong to neither. `folder` is that of which these are all files.
    """

    buffer: Bytes
    parts: tuple[Part, ...]
    folder: str = ""
    _line_starts: dict[int, list[int]] = field(default_factory=dict, repr=False)
    _hashes: list[str] = field(default_factory=list, repr=False)
    _plugins: list[str] = field(default_factory=list, repr=False)

    @property
    def size(self) -> int:
        return len(self.buffer) - PADDING

    @property
    def path(self) -> str:
        """The path of the file, of the folder, or of all files joined by commas."""
        return self.folder or ",".join(part.path for part in self.parts)

    def text(self, start: int, stop: int) -> str:
        """The characters of a stretch of bytes; bytes that are not UTF-8 become U+FFFD."""
        return self.buffer[start:stop].tobytes().decode("utf-8", "replace")

    def part_bytes(self, part: Part) -> bytes:
        """The bytes of one file as they were read."""
        return as_in_file(part, self.buffer[part.start : part.stop].tobytes())

    def words_at_any_place(self) -> Words64:
        """A view that holds, at place i, the eight bytes i…i+7 as one little-endian integer."""
        first = self.buffer[:8].view("<u8")
        return np.lib.stride_tricks.as_strided(first, shape=(len(self.buffer) - 8,), strides=(1,), writeable=False)

    def place(self, position: int) -> tuple[str, int, int]:
        """Path, line and column (from 1, in characters) of a byte position."""
        number = max(bisect.bisect_right([part.start for part in self.parts], position) - 1, 0)
        part = self.parts[number]
        starts = self._line_starts.get(number)
        if starts is None:
            ends = np.flatnonzero(self.buffer[part.start : part.stop] == 10) + part.start
            starts = self._line_starts[number] = [part.start, *(ends + 1).tolist()]
        line = bisect.bisect_right(starts, position)
        return part.path, line, len(self.text(starts[line - 1], position)) + 1

    def problem(
        self, code: str, message: str, position: int, *, hint: str = "", sentence: int | None = None
    ) -> Problem:
        """The problem at a byte position."""
        path, line, column = self.place(position)
        return Problem(code, message, path, line, column, hint, sentence)

    def note_plugin(self, signed: str) -> None:
        """Remember the plug-in that read this source, so that signatures name it."""
        if signed not in self._plugins:
            self._plugins.append(signed)

    def sha256(self) -> str:
        """The SHA-256 of the (decompressed) bytes of all files in order, as hexadecimal digits.

        Where a plug-in read them, it says so.
        """
        if not self._hashes:
            digest = hashlib.sha256()
            for part in self.parts:
                is_plain = not (part.has_bom or part.ends_in_cr)
                digest.update(self.buffer[part.start : part.stop].data if is_plain else self.part_bytes(part))
            self._hashes.append(digest.hexdigest())
        return Digest(self._hashes[0], self._plugins) if self._plugins else self._hashes[0]


def as_in_file(part: Part, text: bytes) -> bytes:
    """A text made from that of a part of a source, with the byte order mark and the line ends of its file."""
    return (_BOM if part.has_bom else b"") + (text.replace(b"\n", b"\r") if part.ends_in_cr else text)


def read_source(paths: PathLike | Sequence[PathLike]) -> Source:
    """The bytes of a file, or of several in order; `-` is standard input, .gz, .bz2 and .xz are decompressed."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    if not isinstance(several, (list, tuple)) or not all(isinstance(path, (str, os.PathLike)) for path in several):
        raise TypeError(f"a path or a list of paths was expected, not {type(paths).__name__}")
    if not several:
        raise DataError(Problem("K104", "no file was given", "<no file>", NO_LINE))
    for path in several:
        note_file(path)
    return _joined([(_shown(path), _loaded(path)) for path in several])


def source_from_bytes(data: bytes, path: str = "<bytes>") -> Source:
    """The source that a file of this name with these bytes would give."""
    return source_from_files([(path, data)])


def source_from_files(files: Sequence[tuple[str, bytes]]) -> Source:
    """The source that files of these names with these bytes would give."""
    return _joined([(path, _padded(data)) for path, data in files])


def made_source(data: bytes) -> Source:
    """A source of bytes that are no file's: karat put them together, and all of them are text."""
    buffer = _padded(data)
    buffer.flags.writeable = False
    return Source(buffer, (Part("<made>", 0, len(data), has_bom=False),))


def _shown(path: PathLike) -> str:
    return "<stdin>" if str(path) == "-" else str(path)


def _joined(files: list[tuple[str, Bytes]]) -> Source:
    """One source from files that were each loaded with their own padding."""
    texts = [(path, data[len(_BOM) :] if data[: len(_BOM)].tobytes() == _BOM else data) for path, data in files]
    end_in_cr = [_ends_in_cr(text) for _, text in texts]
    texts = [
        (path, np.where(text == _CR, np.uint8(_LF), text) if has_cr else text)
        for (path, text), has_cr in zip(texts, end_in_cr, strict=True)
    ]
    parts: list[Part] = []
    size = 0
    for (path, text), (_, data), has_cr in zip(texts, files, end_in_cr, strict=True):
        size += len(_BETWEEN_FILES) if parts else 0
        parts.append(Part(path, size, size + len(text) - PADDING, len(text) < len(data), has_cr))
        size = parts[-1].stop
        if size > _LARGEST:
            raise _too_large(path)
    if len(texts) == 1:
        buffer = texts[0][1]
    else:
        buffer = np.full(size + PADDING, ord("\n"), dtype=np.uint8)
        buffer[size:] = 0
        for part, (_, text) in zip(parts, texts, strict=True):
            buffer[part.start : part.stop] = text[: len(text) - PADDING]
    buffer.flags.writeable = False
    return Source(buffer, tuple(parts))


def _ends_in_cr(text: Bytes) -> bool:
    """Whether the lines of a text end in CR alone; nearly always its first bytes tell that they do not."""
    if (text[:_LINE_LOOKED_AT] == _LF).any():
        return False
    return bool((text == _CR).any()) and not (text == _LF).any()


def _too_large(path: str) -> DataError:
    return DataError(Problem("K105", "the file has more than 2 GiB of text", path, hint="score it in parts"))


def _padded(data: bytes) -> Bytes:
    buffer = np.zeros(len(data) + PADDING, dtype=np.uint8)
    buffer[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return buffer


def _loaded(path: PathLike) -> Bytes:
    shown = _shown(path)
    if not shown:
        raise DataError(Problem("K101", "no such file", '""', NO_LINE, hint="the name of the file is empty"))
    try:
        if shown == "<stdin>":
            if sys.stdin is None:
                raise DataError(Problem("K103", "standard input is closed", shown, NO_LINE))
            return _unpacked(_stream_bytes(sys.stdin.buffer, shown), shown)
        if os.path.isdir(path):
            raise DataError(Problem("K102", "this is a directory", shown, NO_LINE, hint="give the files in it"))
        compressed = _decompressor(path)
        if compressed is not None:
            with compressed as file:
                return _padded(_stream_bytes(file, shown))
        with open(path, "rb", buffering=0) as plain:
            size = os.fstat(plain.fileno()).st_size
            if not os.path.isfile(path) or size > _LARGEST:  # a pipe has no size of its own
                return _unpacked(_stream_bytes(plain, shown), shown)
            buffer = np.zeros(size + PADDING, dtype=np.uint8)
            n_read = plain.readinto(buffer.data[:size]) or 0
            if _packing(buffer[:6].tobytes()):
                return _unpacked(buffer[:n_read].tobytes(), shown)
            return buffer[: n_read + PADDING]
    except FileNotFoundError:
        hint = similar_path(path)
        if os.path.islink(path):
            hint = f"it is a link to {os.readlink(path)}, which does not exist"
        raise DataError(Problem("K101", "no such file", shown, NO_LINE, hint=hint)) from None
    except (OSError, EOFError) as error:
        raise DataError(_unreadable(error, shown)) from None
    except Exception as error:  # zlib.error and lzma.LZMAError are not OSErrors, and importing both costs start-up
        if type(error).__module__ not in {"zlib", "_lzma", "lzma"}:
            raise
        raise DataError(_unreadable(error, shown)) from None


def _unreadable(error: Exception, shown: str) -> Problem:
    """Why a file cannot be read: what the system says, or what is wrong with compressed data."""
    if isinstance(error, OSError) and error.strerror:
        return Problem("K103", f"cannot be read: {error.strerror}", shown, NO_LINE)
    suffix = os.path.splitext(shown)[1].lower()
    if isinstance(error, EOFError):
        reason, hint = "the compressed file ends too early", "copy or download it again"
    elif suffix in _SUFFIXES and not _begins_compressed(shown):
        reason, hint = f"the name ends in {suffix}, but the file is not compressed", f"rename it, without {suffix}"
    else:
        reason, hint = "its compression is damaged", "copy or download it again"
    return Problem("K103", f"cannot be read: {reason}", shown, NO_LINE, hint=hint)


def _begins_compressed(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return bool(_packing(file.read(6)))
    except OSError:
        return True


def _stream_bytes(file: IO[bytes], shown: str) -> bytes:
    """All bytes of a stream whose size is not known beforehand, or an error once they are too many."""
    pieces: list[bytes] = []
    left = _LARGEST
    while piece := file.read(1 << 20):
        left -= len(piece)
        if left < 0:
            raise _too_large(shown)
        pieces.append(piece)
    return b"".join(pieces)


def _packing(beginning: bytes) -> str:
    """The module that unpacks data which begins so, or ""."""
    return next((name for magic, name in _MAGIC.items() if beginning.startswith(magic)), "")


def _unpacked(data: bytes, shown: str) -> Bytes:
    """Data without a name that would tell, decompressed if its first bytes say that it is compressed."""
    packing = _packing(data)
    if not packing:
        return _padded(data)
    with import_module(packing).open(io.BytesIO(data), "rb") as file:
        return _padded(_stream_bytes(file, shown))


def _decompressor(path: PathLike) -> IO[bytes] | None:
    name = _SUFFIXES.get(os.path.splitext(path)[1].lower())
    return cast("IO[bytes]", import_module(name).open(path, "rb")) if name else None


def similar_path(path: PathLike) -> str:
    """Which file or folder may be meant by a path that is not there, as a hint; empty if none is like it."""
    import difflib

    folder, name = os.path.split(os.fspath(path))
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return f"there is no folder {folder}"
    stem = name.partition(".")[0]  # that two names end in .conllu does not make them alike
    alike = [one for one in names if difflib.get_close_matches(stem, [one.partition(".")[0]])]
    close = difflib.get_close_matches(name, alike, n=1)
    return f"did you mean {os.path.join(folder, close[0])}?" if close else ""
