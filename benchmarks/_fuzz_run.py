"""One run of the fuzzer in this process: karat is called, and what it did is held to what it promises."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import jsonschema
from referencing import Registry, Resource

import karat._compiled
from _fuzz_cases import OUTPUTS, Case
from _fuzz_inputs import FOLDER, Inputs
from karat.cli import main
from karat.review.server import ReviewServer

CODES = (0, 1, 2, 3)  # and 130, which nobody asks for here
MOST_BYTES = 10**9
MOST_SECONDS = 20.0  # of CPU: other work on the machine does not count
_PLACE = re.compile(r"^(?:[^\n]*: )?[KW]\d{3} ", re.MULTILINE)
_NO_MEMORY = "not enough memory"
_MAY_FAIL = {"score", "compare", "repeats", "suspects", "diff", "leaks", "tagset check", "grid", "correct", "noise"}
_MUCH_TEXT = 1 << 40
_ODD_LINE = re.compile(r"(?:Traceback|Warning: |Error in |Exception ignored)")
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")


_State = tuple[int, int, int]  # of a file: size, time, inode


@dataclass(frozen=True)
class Outcome:
    """What came of a run: `finding` says in which way karat broke its promise, and is the same for the same cause."""

    seed: int
    kind: str
    verb: str
    code: int
    seconds: float
    peak: int
    finding: str = ""
    details: str = ""


class Bench:
    """A folder with all files, in which one call is made after another; each finds them as they were."""

    def __init__(self, folder: Path, inputs: Inputs) -> None:
        self.folder = folder
        self._inputs = inputs
        for name in inputs.files:
            self._write(name, inputs.files[name])
        self._home, folders = self._seen()
        self._kept_folders = folders | {"a-grid/failed", "a-grid/running"}

    def run(self, case: Case, *, keep: bool = False) -> Outcome:
        """Make the call; with `keep`, what it leaves stays in the folder."""
        for name, data in case.changed.items():
            self._write(name, data)
        before = self._home | {name: self._state(name) for name in case.changed}
        contents = {name: _digest(self.folder / name) for name in case.changed}
        outcome = self._made(case)
        after, folders = self._seen()
        lost = [name for name, at_first in before.items() if after.get(name) != at_first]
        lost = [name for name in lost if name not in after or _digest(self.folder / name) != contents.get(name)]
        left = [name for name in after if Path(name).name.startswith(".karat-")]
        if not outcome.finding and lost and not _may_change(case, lost):
            outcome = _found(outcome, f"an input was changed: {Path(lost[0]).suffix} by {case.verb}", " ".join(lost))
        if not outcome.finding and left:
            outcome = _found(outcome, f"a file was left half written by {case.verb}", " ".join(left))
        if not keep:
            self._restore({*lost, *case.changed}, [name for name in after if name not in self._home], folders)
        return outcome

    def _made(self, case: Case) -> Outcome:
        out, err = _stream("strict"), _stream("backslashreplace")
        code, finding, details = -1, "", ""
        reset_peak()
        begun = time.process_time()
        with _surroundings(case, self.folder, out, err), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                code = main(case.arguments)
            except SystemExit as end:
                finding, details = "SystemExit", repr(end.code)
            except Exception as error:  # that is what is looked for
                finding, details = _place_of(error), "".join(traceback.format_exception(error))
        seconds, peak = time.process_time() - begun, peak_now()
        printed, said = _printed(out), _printed(err)
        outcome = Outcome(case.seed, case.kind, case.verb, code, seconds, peak, finding, details)
        ours = [one for one in warned if f"{os.sep}karat{os.sep}" in one.filename or "numpy" in one.filename]
        for is_wrong, what in (
            (code not in CODES, f"exit code {code}"),
            (bool(ours), f"warning {_at_warning(ours[0])}" if ours else ""),
            (peak > MOST_BYTES or _NO_MEMORY in said, f"memory: {case.verb}"),
            (seconds > MOST_SECONDS, f"slow: {case.verb}"),
            (_ODD_LINE.search(said) is not None, "a traceback or warning is printed"),
            (code == 3 and not _PLACE.search(said), f"exit 3 without a code: {_masked(said)}"),
            (code == 2 and not said.strip(), "exit 2 without a word"),
            (code == 1 and case.verb.split()[0] not in {one.split()[0] for one in _MAY_FAIL}, f"exit 1 of {case.verb}"),
        ):
            if is_wrong and not outcome.finding:
                outcome = _found(outcome, what, said)
        if not outcome.finding and code in (0, 1) and case.asks_for_json and case.verb != "review" and printed.strip():
            fault = fault_of_json(printed)
            if fault:
                outcome = _found(outcome, f"JSON of {case.verb}: {fault}", printed[:2000])
        return outcome if outcome.details else Outcome(**{**_fields(outcome), "details": said})

    # ---- files

    def _write(self, name: str, data: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.replace(FOLDER.encode(), str(self.folder).encode()))

    def _seen(self) -> tuple[dict[str, _State], set[str]]:
        """Size, time and inode of every file; and all folders."""
        found: dict[str, _State] = {}
        folders: set[str] = set()
        waiting = [str(self.folder)]
        cut = len(str(self.folder)) + 1
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        folders.add(entry.path[cut:])
                    else:
                        found[entry.path[cut:]] = _state_of(entry.stat(follow_symlinks=False))
        return found, folders

    def _state(self, name: str) -> _State:
        return _state_of((self.folder / name).lstat())

    def _restore(self, names: set[str], others: list[str], folders: set[str]) -> None:
        """Have the files and folders as they were at first: these names again, without these others."""
        for name in others:
            (self.folder / name).unlink()
        for name in names:
            self._write(name, self._inputs.files[name])
            self._home[name] = self._state(name)
        for name in folders - self._kept_folders:
            shutil.rmtree(self.folder / name, ignore_errors=True)


def _state_of(one: os.stat_result) -> _State:
    return one.st_size, one.st_mtime_ns, one.st_ino


def _may_change(case: Case, lost: list[str]) -> bool:
    """Whether what changed is what the call is there to write: a review's files, a grid's folder, an output."""
    if case.verb == "review":
        return all("karat-review" in name or name.endswith(".tsv") for name in lost)
    if case.verb == "grid" and all(name.startswith(("a-", "some-")) for name in lost):
        return True
    pairs = zip(case.arguments, case.arguments[1:], strict=False)
    flags = OUTPUTS | ({"--parses"} if case.verb == "parse" else set())  # which karat score reads
    outputs = {value for flag, value in pairs if flag in flags}
    return all(name in outputs and case.arguments.count(name) == 1 for name in lost)


def _found(outcome: Outcome, finding: str, details: str) -> Outcome:
    return Outcome(**{**_fields(outcome), "finding": finding, "details": outcome.details or details})


def _fields(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in Outcome.__dataclass_fields__}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- what surrounds a call -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _surroundings(case: Case, folder: Path, out: io.TextIOWrapper, err: io.TextIOWrapper) -> Iterator[None]:
    stdin = io.TextIOWrapper(io.BytesIO(case.stdin), "utf-8", "surrogateescape")
    before = os.getcwd()
    os.chdir(folder)
    n_bytes = _MUCH_TEXT if case.is_compiled else -_MUCH_TEXT
    try:
        with (
            patch.multiple(sys, stdin=stdin, stdout=out, stderr=err),
            patch.object(karat._compiled, "_n_bytes_so_far", n_bytes),
            patch.object(ReviewServer, "run", _asked_once),
        ):
            yield
    finally:
        os.chdir(before)


def _asked_once(server: ReviewServer, is_ready: Callable[[], None]) -> None:
    """In place of serving: what the page asks first is answered, to every judge, and the server ends."""
    try:
        is_ready()
        for answers in server._answers:
            for judge in answers.review.judges:
                answers.overview(judge)
                found = answers.items(judge, cast("Any", {}))
                for item in found["items"][:3]:
                    answers.item(judge, item["id"])
    finally:
        server._socket.close()
        for keeper in server._keepers:
            keeper.stop()
        server._background.stop()


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", errors)


def _printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return cast("io.BytesIO", stream.buffer).getvalue().decode("utf-8", "replace")


def reset_peak() -> None:
    """Have the system count the largest resident set from now on."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_now() -> int:
    """The largest resident set since then, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


# ---- what is wrong ---------------------------------------------------------------------------------------------------


def _place_of(error: BaseException) -> str:
    """The kind of an error, and the last place in karat that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if f"{os.sep}karat{os.sep}" in one.filename and "site-packages" not in one.filename]
    last = (ours or frames)[-1]
    where = last.filename.rpartition(f"{os.sep}karat{os.sep}")[2]
    return f"{type(error).__name__} in {where}:{last.name}"


def _at_warning(one: warnings.WarningMessage) -> str:
    where = one.filename.rpartition(f"{os.sep}karat{os.sep}")[2]
    return f"{one.category.__name__} in {where}:{one.lineno}: {_masked(str(one.message))}"


def _masked(text: str) -> str:
    return _NUMBERS.sub("N", text.strip().split("\n")[-1])[:80]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def fault_of_json(printed: str) -> str:
    """In which way what was printed is not JSON as its schema has it; empty if it is."""
    try:
        data = json.loads(printed, parse_constant=_refuse_constant)
    except ValueError as error:
        return _masked(str(error))
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema is None:
        return "no schema"
    try:
        fault = next(_validator(schema).iter_errors(data), None)
    except LookupError:
        return f"unknown schema {schema}"
    return "" if fault is None else _masked(f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}")


_VALIDATORS: dict[str, Any] = {}


def _validator(schema: str) -> Any:
    if schema not in _VALIDATORS:
        folder = Path(karat._compiled.__file__).parent / "report" / "schemas"
        every = [json.loads(one.read_text(encoding="utf-8")) for one in folder.iterdir() if one.suffix == ".json"]
        schemas: Registry[Any] = Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in every)
        _VALIDATORS[schema] = jsonschema.Draft202012Validator(schemas.contents(schema), registry=schemas)
    return _VALIDATORS[schema]
