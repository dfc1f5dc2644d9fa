"""Docstrings as Markdown: examples are code, names of the library and pages of the docs are links."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from karat_site.markdown import code, escaped, fenced

_CODE = re.compile(r"`([^`\n]+)`")
_PAGE = re.compile(r"\bdocs/([\w/-]+)\.md")
_PROMPT = ">>> "


def shown(text: str, names: Container[str]) -> str:
    """A docstring as Markdown; `names` are those that have an entry in the reference."""
    return "\n\n".join(_block(block, names) for block in _blocks(text)) + "\n"


def first_sentence(text: str, names: Container[str]) -> str:
    """The first sentence of a docstring."""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return _inline(re.split(r"(?<=\.)\s(?=[A-Z`])", paragraph)[0].rstrip(":"), names)


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs; an example is one of its own also where no blank line is before it."""
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        before, prompt, example = paragraph.partition(_PROMPT)
        yield from (one for one in (before.rstrip(), prompt + example) if one.strip())


def _block(text: str, names: Container[str]) -> str:
    if text.startswith(_PROMPT):
        return fenced(text, "python")
    if text.startswith("    "):
        return fenced("\n".join(line.removeprefix("    ") for line in text.splitlines()), "text")
    return _inline(text, names)


def _inline(text: str, names: Container[str]) -> str:
    parts = _CODE.split(text)
    return "".join(_code(part, names) if number % 2 else _plain(part) for number, part in enumerate(parts))


def _code(text: str, names: Container[str]) -> str:
    """Code in a docstring: a link if it names what has an entry, by its full name or, of a class, by its own."""
    name = text.removesuffix("()")
    full = name if name.startswith("karat.") else f"karat.{name}" if name[:1].isupper() else ""
    return f"{{py:obj}}`{text} <{full}>`" if full in names else code(text).replace("\\|", "|")


def _plain(text: str) -> str:
    """Plain text, but for emphasis and lists, which docstrings write as Markdown does."""
    parts = _PAGE.split(text)
    kept = [escaped(part).replace("\\*", "*").replace("\\~", "~") for part in parts]
    return "".join(f"{{doc}}`/{parts[number]}`" if number % 2 else part for number, part in enumerate(kept))
