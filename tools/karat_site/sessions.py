"""How sessions in a shell are coloured: commands stand out; what they print does not, also after a #."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Generic, Keyword


class SessionLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Lines that begin with a dollar sign are commands, all others are output."""

    name = "A session in a shell"
    aliases: ClassVar[list[str]] = ["console"]
    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"^(\$ )(.*\n)", bygroups(Generic.Prompt, Keyword)),
            (r".*\n", Generic.Output),
        ]
    }
