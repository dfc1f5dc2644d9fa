"""The folder into which an experiment is written, and that nothing else is overwritten there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from karat.errors import UsageError
from karat.simulation._described import SCHEMA, Described, described_json, described_text
from karat.simulation._known_truth import KnownTruth
from karat.simulation.written import brackets_bytes, conllu_bytes, frame_of

__all__ = ["PARAMETERS", "README", "check_folder", "write_folder"]

PARAMETERS = "parameters.json"
README = "README.txt"


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise a UsageError unless the folder is missing, empty, or as `write_folder` left it."""
    path = Path(folder)
    if not path.exists() and not path.is_symlink():
        return
    if not path.is_dir():
        raise UsageError(f"{path} is not a folder")
    try:
        found = sorted(path.iterdir())
        foreign = _foreign(path, found) if found else ""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if foreign:
        raise UsageError(f"{path} is not empty, and {foreign}; choose another folder, or empty it")


def _foreign(path: Path, found: list[Path]) -> str:
    """What in the folder is not as `write_folder` left it; empty if nothing."""
    recorded = _recorded(path / PARAMETERS)
    if recorded is None:
        return "was not made by karat simulate"
    for one in found:
        if one.name == PARAMETERS and one.is_file() and not one.is_symlink():
            continue
        if one.name not in recorded or one.is_symlink() or not one.is_file():
            return f"{one.name} was not made by karat simulate"
        if _digest(one.read_bytes()) != recorded[one.name]:
            return f"{one.name} was changed since karat simulate wrote it"
    return ""


def _recorded(path: Path) -> dict[str, str] | None:
    """The files and their SHA-256 that an earlier run recorded; None if there was none."""
    if path.is_symlink() or not path.is_file():
        return None
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    files = data.get("files") if isinstance(data, dict) and data.get("schema") == SCHEMA else None
    return files if isinstance(files, dict) else None


def write_folder(folder: str | os.PathLike[str], known: KnownTruth, about: Described) -> Mapping[str, str]:
    """Write an experiment's files; their names and SHA-256 come back.

    What is true of it stands in parameters.json and README.txt. The same settings give the same
    bytes. See `check_folder` for what is refused.
    """
    check_folder(folder)
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / PARAMETERS).unlink(missing_ok=True)
        digests = {}
        for name, data in _contents(known, about):
            (path / name).write_bytes(data)
            digests[name] = _digest(data)
        text = json.dumps(described_json(about, digests), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        (path / PARAMETERS).write_bytes(text.encode())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return digests


def _contents(known: KnownTruth, about: Described) -> Iterator[tuple[str, bytes]]:
    """The files one after the other, so that only one is in memory."""
    truth = known.truth
    frame = frame_of(truth)
    yield "truth.conllu", frame.filled(truth.tags)
    yield "truth.ptb", brackets_bytes(truth)
    yield "gold.conllu", frame.filled(known.gold)
    for name, tags in known.systems.items():
        yield f"system-{name}.conllu", frame.filled(tags)
    yield "train.conllu", conllu_bytes(known.training, known.training_tags, prefix="train-")
    yield README, described_text(about).encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
