"""The folder of a demo: every file in it is recorded before it appears, so that only what a demo wrote is removed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from karat.corpus.files import replace_file
from karat.errors import UsageError
from karat.result import json_text

RECORD = "demo-files.json"
RECORD_SCHEMA = "karat/demo-files/1"
_UNFINISHED = re.compile(r"\.karat-[0-9a-f]{16}")  # what `replace_file` leaves of a file if the process is killed


@dataclass(frozen=True, slots=True)
class DemoFolder:
    """A folder into which a demo writes; what it wrote is recorded in demo-files.json, by name and SHA-256."""

    folder: Path

    def path(self, name: str) -> str:
        """The path of a file in it, as commands name it."""
        return str(self.folder / name)

    def write(self, name: str, data: bytes) -> str:
        """Write a file, which is recorded first and appears once it is complete; its path comes back."""
        try:
            files = recorded_files(self.folder) or {}
            self._record({**files, name: hashlib.sha256(data).hexdigest()})
            replace_file(self.path(name), data)
        except OSError as error:
            raise UsageError(f"{self.folder} cannot be written: {error.strerror}") from None
        return self.path(name)

    def _record(self, files: dict[str, str]) -> None:
        data = json_text({"schema": RECORD_SCHEMA, "files": files}).encode()
        replace_file(self.path(RECORD), data)


def emptied_folder(folder: str | os.PathLike[str]) -> DemoFolder:
    """The folder, new or without what an earlier demo wrote; a `UsageError` if anything else is in it."""
    path = Path(folder)
    foreign = _foreign(path)
    if foreign:
        raise UsageError(f"{foreign}; move it away, or choose another folder")
    made = DemoFolder(path)
    try:
        if path.exists():
            for one in sorted(path.iterdir()):
                if one.name != RECORD:  # last: a demo that is interrupted here is still known as one
                    one.unlink()
        path.mkdir(parents=True, exist_ok=True)
        made._record({})
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return made


def recorded_files(folder: Path) -> dict[str, str] | None:
    """The names and SHA-256 of the files that a demo recorded in a folder; None if none did."""
    path = folder / RECORD
    if path.is_symlink() or not path.is_file():
        return None
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    files = data.get("files") if isinstance(data, dict) and data.get("schema") == RECORD_SCHEMA else None
    return files if isinstance(files, dict) else None


def _foreign(path: Path) -> str:
    """What keeps a folder from being emptied; nothing if it is missing, empty, or as a demo left it."""
    try:
        if path.is_symlink():
            return f"{path} is a link, not a folder"
        if not path.exists():
            return ""
        if not path.is_dir():
            return f"{path} is not a folder"
        found = sorted(path.iterdir())
        files = recorded_files(path)
        if files is None:
            return f"{path} exists and was not made by karat demo" if found else ""
        return next(filter(None, (_why_not_ours(one, files) for one in found)), "")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _why_not_ours(path: Path, files: dict[str, str]) -> str:
    """Why a demo did not write a file, or not as it is; nothing if it did."""
    is_file = path.is_file() and not path.is_symlink()
    if is_file and (path.name == RECORD or _UNFINISHED.fullmatch(path.name)):
        return ""
    if not is_file or path.name not in files:
        return f"{path} was not written by karat demo"
    if hashlib.sha256(path.read_bytes()).hexdigest() != files[path.name]:
        return f"{path} has changed since karat demo wrote it"
    return ""
