"""Taggers that are not karat's: a command that is trained and tags, run without a shell, with a limit of time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from karat.corpus import Corpus
from karat.corpus.whole_columns import bytes_with_columns
from karat.errors import KaratError, UsageError

PLACEHOLDERS = ("train", "dev", "model", "input", "output", "seed")
TIMEOUT = 3600.0  # seconds that a command may take
_ANNOTATION = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps")
_EMPTY_NODE = re.compile(rb"^[0-9]+\.[0-9]+\t.*\n?", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_LONGEST_LOG = 1 << 16
_SHOWN_OF_LOG = 300
_POLL = 0.005  # seconds between two looks at a command, longer for those that take long
_GRACE = 2.0  # seconds that a command has to end when it is asked to


class CommandError(KaratError):
    """A command that failed, took too long, or left no output."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command cost."""

    seconds: float
    peak_bytes: int | None


def check_command(command: Sequence[str], needed: Sequence[str]) -> None:
    """A `UsageError` for a command with unknown places for files, or without those that it needs."""
    if not command or not all(isinstance(one, str) for one in command):
        raise UsageError("a command is a list of strings: the program, then its arguments")
    used = {name for part in command for name in _PLACEHOLDER.findall(part)}
    if unknown := sorted(used - {*PLACEHOLDERS}):
        known = ", ".join(f"{{{one}}}" for one in PLACEHOLDERS)
        raise UsageError(f"unknown {{{unknown[0]}}} in a command; it may have {known}")
    if missing := [one for one in needed if one not in used]:
        raise UsageError(f"the command {' '.join(command)} has no {{{missing[0]}}}")


def run_command(command: Sequence[str], files: Mapping[str, str], log: Path, timeout: float) -> Finished:
    """Run a command with its places filled in; what it prints goes to the end of a log.

    It runs in a process group of its own, so that nothing of it is left when it takes too long or we are interrupted.
    """
    filled = [_PLACEHOLDER.sub(lambda match: files[match[1]], part) for part in command]
    began = time.perf_counter()
    with open(log, "ab") as written:
        try:
            process = subprocess.Popen(
                filled, stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT, start_new_session=True
            )
        except OSError as error:
            raise CommandError(f"{filled[0]} cannot be run: {error.strerror or error}") from None
        try:
            code, peak = _waited(process, began + timeout)
        except TimeoutError:
            raise CommandError(f"{filled[0]} was stopped: it took longer than {timeout:g} s") from None
        finally:
            _end_group(process)
    if code:
        how = f"was killed by signal {-code}" if code < 0 else f"failed with exit code {code}"
        raise CommandError(f"{filled[0]} {how}{_last_line(log)}")
    return Finished(time.perf_counter() - began, peak)


def _waited(process: subprocess.Popen[bytes], deadline: float) -> tuple[int, int | None]:
    """The exit code of a process and the most memory it had; a `TimeoutError` at the deadline."""
    pause = _POLL
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss * 1024
        if time.perf_counter() > deadline:
            raise TimeoutError
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a command and of what it started."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sent)
        except (ProcessLookupError, PermissionError):
            return
        if process.returncode is None:
            try:
                process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                continue


def _last_line(log: Path) -> str:
    """The last line that a command printed, for its error message."""
    lines = log.read_bytes()[-_LONGEST_LOG:].decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1][:_SHOWN_OF_LOG]}" if lines else ""


def without_annotation(corpus: Corpus) -> bytes:
    """A text as a system gets it: the columns that it could copy from are empty, and there are no empty nodes."""
    names = [name for name in _ANNOTATION if name in corpus.names]
    if corpus.format != "conllu":
        names = [corpus.names[1]]
    nothing = (np.zeros(corpus.n_words, dtype=np.int32), ["_"])
    data = b"".join(bytes_with_columns(corpus, dict.fromkeys(names, nothing)))
    return _EMPTY_NODE.sub(b"", data) if corpus.format == "conllu" else data
