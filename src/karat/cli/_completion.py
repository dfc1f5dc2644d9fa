"""What shells offer for arguments and options that are paths: file names, and the words that may stand instead.

click completes verbs, options and choices by itself; of a text it cannot know that it is a path. That is told by how
help shows it: `FILE`, `CORPUS…`, `penn|unicode|none|FILE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

_PATHS = {"FILE", "OUT", "TRAIN", "TEST", "GOLD", "MODEL", "CORPUS", "STATS", "TAGSET", "OLD", "SYSTEM"}
_FOLDER = "DIR"
_WORD = re.compile(r"[a-z][a-z0-9-]*")


class _PathText(type(click.STRING)):  # type: ignore[misc]
    """A text that is the path of a file, or of a folder, or one of a few words."""

    def __init__(self, kind: str, words: Iterable[str]) -> None:
        self.kind, self.words = kind, tuple(words)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        words = [CompletionItem(word) for word in self.words if word.startswith(incomplete)]
        return words or [CompletionItem(incomplete, type=self.kind)]  # click's scripts cannot offer both


def complete_paths(parameters: Iterable[click.Parameter]) -> None:
    """Let the parameters that are paths say so; of arguments all are, but for tags."""
    for one in parameters:
        if one.type is not click.STRING:
            continue
        shown = one.metavar or ""
        parts = re.findall(r"[A-Za-z][A-Za-z0-9-]*", shown)
        is_path = isinstance(one, click.Argument) and one.name != "tag" and not shown.endswith("-TAG")
        if is_path or _PATHS & set(parts) or _FOLDER in parts:
            words = [part for part in parts if _WORD.fullmatch(part)] if "|" in shown else []
            one.type = _PathText("dir" if _FOLDER in parts else "file", words)
