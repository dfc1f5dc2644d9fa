"""Pages of documentation that are sessions: all their commands run in order in one folder, and their outputs renewed.

- A block ```` ```console ```` has commands, each behind `$ `, and what they print, errors and warnings included, in a
  terminal of 80 columns. `karat`, `python` and small commands of the shell may be used; each has a shell of its own,
  which starts in the page's folder and knows the exit code before it as `$?`.
- In outputs, `…` stands for any text of a line, and a line that is only `…` for any lines. A signature is shown as
  `karat:…`, or in full.
- A block ```` ```python ```` is a doctest if it has `>>>`, else it is executed; all of a page share their names.
- Indented lines that begin with `karat`, `cp`, `mkdir`, `python` or `for` are run, too, and must succeed.
- `<!-- not run: REASON -->` before a block says that it is not run, `<!-- save as FILE -->` that a fenced block is
  written to that file.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Block", "PageError", "Session", "blocks_of", "fits", "renewed_page"]

_FENCE = re.compile(r"```(\w*)$")
_NOT_RUN = re.compile(r"<!-- not run: \S.* -->$")
_SAVED = re.compile(r"<!-- save as ([\w.-]+) -->$")
_INDENTED = re.compile(r" {4}((?:karat|cp|mkdir|python|for) .*)")
_SIGNATURE = re.compile(r"^karat:\d\S*\|.*$", re.MULTILINE)
_COMPILING = re.compile(r"^compiling for this machine.*\n", re.MULTILINE)  # a machine says it once only
_SECONDS = 300


class PageError(AssertionError):
    """A page does not say what happens."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something of a page that can be run."""

    kind: str  # console, python, indented, file
    first: int  # the line of the page on which it begins, counted from 1
    lines: tuple[str, ...]
    name: str = ""  # of the file


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page that are run, in their order."""
    blocks: list[Block] = []
    lines = text.splitlines()
    is_run = True
    saved = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        if opening := _FENCE.match(line):
            end = next((n for n in range(at + 1, len(lines)) if lines[n] == "```"), len(lines))
            if saved:
                blocks.append(Block("file", at + 2, tuple(lines[at + 1 : end]), saved))
            elif opening[1] in ("console", "python") and is_run:
                blocks.append(Block(opening[1], at + 2, tuple(lines[at + 1 : end])))
            at, is_run, saved = end + 1, True, ""
        elif line.startswith("    "):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("    ")), len(lines))
            commands = tuple(match[1] for one in lines[at:end] if (match := _INDENTED.fullmatch(one)))
            if commands and is_run:
                blocks.append(Block("indented", at + 1, commands))
            at, is_run, saved = end, True, ""
        else:
            if line:
                is_run = not _NOT_RUN.match(line)
                saved = name[1] if (name := _SAVED.match(line)) else ""
            at += 1
    return blocks


def _commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block and their outputs, without empty lines at the end."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        elif line:
            raise PageError(f"line {block.first}: a console block begins with a command")
    return [(command, "\n".join(output).rstrip("\n")) for command, output in found]


def fits(shown: str, output: str) -> bool:
    """Whether the page shows this output; `…` is any text of a line, and a line of its own any lines.

    >>> fits("LAS …", "LAS 88.1"), fits("a\\n…\\nd", "a\\nb\\nc\\nd"), fits("a\\n…\\nd", "a\\nb"), fits("a", "ab")
    (True, True, False, False)
    """
    if shown == output:
        return True
    pattern = "".join(
        "(?:[^\n]*\n)*?" if line == "…" else re.escape(line).replace("…", "[^\n]*") + "\n" for line in shown.split("\n")
    )
    return re.fullmatch(pattern, output + "\n") is not None


@dataclass(slots=True)
class Session:
    """Runs what a page says, in a folder."""

    folder: Path
    code: int = 0
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__page__"})

    def programs(self) -> Path:
        """A folder with the programs `karat` and `python` of these tests."""
        folder = self.folder.parent / f"{self.folder.name}-programs"
        if not folder.exists():
            folder.mkdir()
            for name, arguments in (("karat", " -m karat"), ("python", "")):
                program = folder / name
                program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', encoding="utf-8")
                program.chmod(0o755)
        return folder

    def printed(self, command: str) -> str:
        """What a command prints, without empty lines at the end; of a pipe, what goes to standard error comes last."""
        environment = {
            **os.environ,
            "PATH": f"{self.programs()}{os.pathsep}{os.environ['PATH']}",
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        }
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {command}"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if "|" in command else subprocess.STDOUT,
            env=environment,
            check=False,
            timeout=_SECONDS,
        )
        self.code = done.returncode
        return _COMPILING.sub("", (done.stdout + (done.stderr or b"")).decode()).rstrip("\n")

    def run(self, block: Block) -> None:
        """Run a block; raises `PageError` unless all is as the page says."""
        if block.kind == "file":
            (self.folder / block.name).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
        elif block.kind == "python":
            if found := self._python(block):
                example, got = found[0]
                source = f"line {block.first + example.lineno}: {example.source}"
                raise PageError(f"{source}--- the page\n{example.want}--- printed\n{got}")
        elif block.kind == "indented":
            for command in block.lines:
                output = self.printed(command)
                if self.code != 0:
                    raise PageError(f"line {block.first}: {command}\nexit code {self.code}\n{output}")
        else:
            for command, shown in _commands(block):
                output = self.printed(command)
                if not fits(shown, output):
                    raise PageError(f"line {block.first}: {command}\n--- the page\n{shown}\n--- printed\n{output}")

    def renewed(self, block: Block) -> list[str]:
        """The lines of a console block with its outputs as they are now; what fits stays as it is."""
        lines: list[str] = []
        for command, shown in _commands(block):
            output = self.printed(command)
            kept = shown if fits(shown, output) else _SIGNATURE.sub("karat:…", output)
            lines += [*([""] if lines else []), f"$ {command}", *(kept.split("\n") if kept else [])]
        return lines

    def renewed_doctest(self, block: Block) -> list[str]:
        """The lines of a Python block with what its examples print now."""
        lines = list(block.lines)
        for example, got in reversed(self._python(block)):
            at = example.lineno + example.source.count("\n")
            lines[at : at + example.want.count("\n")] = got.splitlines()
        return lines

    def _python(self, block: Block) -> list[tuple[doctest.Example, str]]:
        """Run a Python block; the examples that print something else come back, with what they print."""
        code = textwrap.dedent("\n".join(block.lines)) + "\n"
        with contextlib.chdir(self.folder):
            if ">>>" not in code:
                exec(compile(code, f"line {block.first}", "exec"), self.names)
                return []
            test = doctest.DocTestParser().get_doctest(code, self.names, "page", None, block.first - 1)
            runner = _Runner()
            runner.run(test, clear_globs=False)
            self.names.update(test.globs)
            return runner.found


class _Runner(doctest.DocTestRunner):
    """Keeps what examples print instead of what the page says."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.found.append((example, got))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        raise PageError(f"{example.source.strip()}: {exc_info[1]!r}") from exc_info[1]


def renewed_page(text: str, folder: Path) -> str:
    """The page with all outputs of its console blocks and doctests as they are now."""
    session = Session(folder)
    lines = text.split("\n")
    shift = 0
    for block in blocks_of(text):
        if block.kind in ("file", "indented"):
            session.run(block)
            continue
        new = session.renewed(block) if block.kind == "console" else session.renewed_doctest(block)
        start = block.first - 1 + shift
        lines[start : start + len(block.lines)] = new
        shift += len(new) - len(block.lines)
    return "\n".join(lines)
