"""`karat.simulate`: an experiment, and the folder into which it is written, where nothing else is overwritten."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from karat.corpus.files import replace_files
from karat.errors import UsageError
from karat.result import json_text
from karat.simulation._known_truth import KnownTruth, Settings, known_truth
from karat.simulation.described import SCHEMA, Simulation, described, described_text
from karat.simulation.noise import Kind, Over
from karat.simulation.systems import By
from karat.simulation.written import brackets_bytes, conllu_bytes, frame_of

PARAMETERS = "parameters.json"
README = "README.txt"


def simulate(
    folder: str | os.PathLike[str],
    *,
    tokens: int = 20_000,
    noise: float = 0.03,
    over: Over = "all",
    kind: Kind = "random",
    documents: int | None = None,
    t: float = 0.97,
    u: float = 0.6,
    p: float = 0.75,
    clustering: float = 0.0,
    cluster: By = "sentence",
    seed: int = 0,
) -> Simulation:
    """What is true of a corpus and of systems that are made up and written into a folder: new, empty, or from before.

    The gold has wrong tags, `noise` of all tokens or of the ambiguous ones (`over`); they are `random`, or
    `systematic`, so that taggers learn them. `t`, `u` and `p` are those of the system `tup` [Padró & Màrquez 1998],
    `clustering` is the intraclass correlation of its errors within a `cluster`. Two other systems are trained on
    another text of as many tokens, with the same kind of noise.
    """
    check_folder(folder)
    known = known_truth(
        Settings(
            n_tokens=tokens,
            noise=noise,
            kind=kind,
            over=over,
            n_documents=documents,
            t=t,
            u=u,
            p=p,
            clustering=clustering,
            by=cluster,
            seed=seed,
        )
    )
    return write_folder(folder, known, described(known))


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise a UsageError unless the folder is missing, empty, or as `write_folder` left it."""
    path = Path(folder)
    try:
        if not path.exists() and not path.is_symlink():
            return
        if not path.is_dir():
            raise UsageError(f"{path} is not a folder")
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
            return f"{one.name} has changed since karat simulate wrote it"
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


def write_folder(folder: str | os.PathLike[str], known: KnownTruth, about: Simulation) -> Simulation:
    """Write an experiment's files; what is true of it comes back with their names and SHA-256.

    What is true of it stands in parameters.json and README.txt. The same settings give the same
    bytes. See `check_folder` for what is refused.
    """
    check_folder(folder)
    path = Path(folder)
    digests: dict[str, str] = {}

    def contents() -> Iterator[tuple[str, bytes]]:
        for name, data in _contents(known, about):
            digests[name] = _digest(data)
            yield name, data
        yield PARAMETERS, json_text(replace(about, files=digests).to_dict()).encode()

    try:
        path.mkdir(parents=True, exist_ok=True)
        replace_files((str(path / name), data) for name, data in contents())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return replace(about, files=digests)


def _contents(known: KnownTruth, about: Simulation) -> Iterator[tuple[str, bytes]]:
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
