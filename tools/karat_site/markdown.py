"""Markdown, as MyST reads it, from plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"([\\`*_\[\]<>|$#{}~&])")
_TICKS = re.compile(r"`+")


def escaped(text: str) -> str:
    """The text, so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def code(text: str) -> str:
    """The text as inline code, also in a cell of a table."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{ticks}{space}{text}{space}{ticks}".replace("|", r"\|")


def fenced(text: str, language: str) -> str:
    """The text as a block of code."""
    return directive(language, text, is_code=True)


def directive(name: str, body: str, argument: str = "", options: Iterable[str] = (), *, is_code: bool = False) -> str:
    """A directive around a body; its fence is longer than any in the body.

    With `is_code`, a block of code in the language `name` instead.
    """
    longest = max((len(run) for run in _TICKS.findall(body)), default=0)
    fence = "`" * max(3, longest + 1)
    head = name if is_code else f"{{{name}}} {argument}".rstrip()
    return "\n".join([fence + head, *options, *([""] if options else []), body.rstrip("\n"), fence, ""])


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], style: str = "") -> str:
    """A table of cells that are Markdown already, on one line each; `style` is a class of karat.css."""
    lines = [columns, ["---"] * len(columns), *rows]
    text = "".join(f"| {' | '.join(one.replace(chr(10), ' ') for one in line)} |\n" for line in lines)
    return directive("table", text, options=[f":class: {style}"]) if style else text


def toctree(entries: Iterable[str], caption: str = "") -> str:
    """A hidden table of contents: places in the navigation."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return directive("toctree", "\n".join(entries), options=options)
