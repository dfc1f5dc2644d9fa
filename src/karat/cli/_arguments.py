"""Arguments of commands: inputs with names, several files as one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import click

from karat.errors import UsageError


def read_once(paths: Iterable[object]) -> None:
    """Stop if standard input is to be read twice."""
    if list(paths).count("-") > 1:
        raise click.UsageError("Standard input (-) can be read only once.")


def split_commas(groups: Iterable[str]) -> list[str]:
    """The names in options that may be repeated or have commas in them."""
    return [name.strip() for group in groups for name in group.split(",") if name.strip()]


def split_paths(argument: str) -> str | list[str]:
    """Several files as one corpus are written with commas between; a file whose own name has commas stays whole."""
    if "," not in argument or os.path.exists(argument):
        return argument
    return [path for path in argument.split(",") if path] or argument


def named_paths(arguments: Sequence[str], what: str = "systems") -> dict[str, str]:
    """Names and paths from arguments that are `NAME=PATH` or a path, named after its shortest unambiguous tail.

    >>> named_paths(["a/x.conllu", "b/x.conllu", "best=c/y.conllu"])
    {'a/x.conllu': 'a/x.conllu', 'b/x.conllu': 'b/x.conllu', 'best': 'c/y.conllu'}
    """
    pairs = [_name_and_path(argument) for argument in arguments]
    unnamed = list(dict.fromkeys(path for name, path in pairs if name is None))
    found: dict[str, str] = {}
    for name, path in pairs:
        name = _shortest_tail(path, unnamed) if name is None else name
        if name in found:
            raise UsageError(f"two {what} are called {name!r}; name them: NAME=PATH")
        found[name] = path
    return found


def named_inputs(
    arguments: Sequence[str], what: str = "systems", *, may_repeat: bool = False
) -> dict[str, str | list[str]]:
    """Inputs by name, each a path or several; if they `may_repeat`, one that is given again is another: `NAME (2)`."""
    different = list(dict.fromkeys(arguments)) if may_repeat else arguments
    names = dict(zip(different, named_paths(different, what).items(), strict=True))
    found: dict[str, str | list[str]] = {}
    for place, argument in enumerate(arguments):
        name, path = names[argument]
        times = arguments[: place + 1].count(argument)
        found[name if times == 1 else f"{name} ({times})"] = split_paths(path)
    return found


def _name_and_path(argument: str) -> tuple[str | None, str]:
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not os.path.exists(argument):
        return name, path
    return None, argument


def _shortest_tail(path: str, others: Sequence[str]) -> str:
    parts = path.rstrip("/").split("/")
    for size in range(1, len(parts) + 1):
        tail = parts[-size:]
        if sum(other.rstrip("/").split("/")[-size:] == tail for other in others) == 1:
            return "/".join(tail)
    return path
