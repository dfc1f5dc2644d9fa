"""A page for each verb, from its own `--help`: the same text, options in the same groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

import click

from karat.cli import _GROUPS, cli
from karat_site.generated import Pages
from karat_site.markdown import code, directive, escaped, fenced, toctree

_OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*|-[a-z]\b)")
_DEFAULT = re.compile(r"  (\[[^\[\]]+\])$")


@dataclass
class Help:
    """What a command's `--help` says: how it is called, what it does, and titled lists."""

    usage: str = ""
    text: str = ""
    lists: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


class _Recorder(click.HelpFormatter):
    """Keeps what click writes as help."""

    made: ClassVar[list[Help]] = []

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.help = Help()
        self._title = ""
        self.made.append(self.help)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.help.usage = f"{prog} {args}".strip()

    def write_text(self, text: str) -> None:
        self.help.text += text

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        self._title = name
        yield

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        self.help.lists.setdefault(self._title, []).extend(rows)


def help_of(*names: str) -> Help:
    """What `karat NAMES --help` says."""
    usual, _Recorder.made = click.Context.formatter_class, []
    click.Context.formatter_class = _Recorder
    try:
        with redirect_stdout(StringIO()):
            cli.main([*names, "--help"], prog_name="karat", standalone_mode=False)
    finally:
        click.Context.formatter_class = usual
    return _Recorder.made[-1]


def every_verb() -> list[str]:
    """All verbs, in the order of `karat --help`."""
    return [name for verbs in _GROUPS.values() for name in verbs]


def subverbs(verb: str) -> list[tuple[str, ...]]:
    """The commands of a verb: itself, and those below it that are called by a name of their own."""
    found: dict[str, tuple[str, ...]] = {help_of(verb).usage: (verb,)}
    command = cli.get_command(click.Context(cli), verb)
    for name in getattr(command, "commands", ()):
        found.setdefault(help_of(verb, name).usage, (verb, name))
    return list(found.values())


def pages(docs: Path) -> Pages:
    """A page for each verb, and one that lists them."""
    parts = [
        "# Verbs\n\nEach page is what `karat VERB --help` prints. Every verb prints text, and JSON, CSV, TSV, Markdown "
        "or LaTeX with `--format`; exit codes are 0 (fine), 1 (a gate failed, or findings with `--check`), 2 (wrong "
        "usage), 3 (bad input) and 130 (interrupted).\n"
    ]
    for title, verbs in _GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [f"- [`karat {name}`]({name}.myst): {escaped(what)}" for name, what in verbs.items()]
        parts.append("")
    parts.append(toctree(every_verb()))
    read = {path: path.read_text(encoding="utf-8") for path in sorted(docs.rglob("*.md"))}
    found = {f"reference/verbs/{name}": verb_page(name, _pages_about(name, read, docs)) for name in every_verb()}
    return {"reference/verbs/index": "\n".join(parts), **found}


def _pages_about(verb: str, read: dict[Path, str], docs: Path) -> list[str]:
    """Links to the pages that use a verb most."""
    uses = {path: len(re.findall(rf"\bkarat {verb}\b", text)) for path, text in read.items()}
    most = sorted((path for path in read if uses[path] > 1), key=lambda path: -uses[path])[:5]
    return [f"{{doc}}`/{path.relative_to(docs).with_suffix('')}`" for path in most]


def verb_page(verb: str, about: Sequence[str]) -> str:
    """The page of a verb: its own help, then that of the commands below it."""
    parts = []
    for names in subverbs(verb):
        is_first = len(names) == 1
        parts.append(f"{'#' if is_first else '##'} karat {' '.join(names)}\n")
        examples = "Pages with examples: " + ", ".join(about) + ".\n" if is_first and about else ""
        parts += _shown(help_of(*names), "##" if is_first else "###", " ".join(names), examples)
    return "\n".join(parts)


def _shown(found: Help, level: str, name: str, examples: str) -> Iterator[str]:
    yield fenced(found.usage, "text")
    for paragraph in found.text.split("\n\n"):
        yield _paragraph(paragraph)
    yield examples
    yield directive("program", "", f"karat {name}")
    for title, rows in found.lists.items():
        yield f"{level} {escaped(title.partition(' (')[0])}\n"
        shown: Callable[[str, str], str] = _option if rows[0][0].startswith("-") else _command
        for first, what in rows:
            yield shown(first.strip(), what)


def _paragraph(text: str) -> str:
    """A paragraph of help; what `\\b` keeps as it is becomes a block of code."""
    if text.startswith("\b"):
        return fenced(text.removeprefix("\b\n"), "text")
    return with_options(" ".join(text.split())) + "\n"


def _option(flags: str, what: str) -> str:
    default = _DEFAULT.search(what)
    text = with_options(what[: default.start()] if default else what)
    if default:
        text += f" {code(default[1])}"
    return directive("option", text, flags)


def _command(name: str, what: str) -> str:
    return f"- {code(name)}: {with_options(what)}"


def with_options(text: str) -> str:
    """A plain text as Markdown, options as code."""
    parts = _OPTION.split(text)
    return "".join(code(one) if number % 2 else escaped(one) for number, one in enumerate(parts))
