"""TOML files that karat carries by name, and files of the same kind that users have."""

from __future__ import annotations

from importlib.resources import files

from karat.corpus.source import PathLike, read_source
from karat.errors import UsageError
from karat.signature import shown_input

_SUFFIX = ".toml"


def shipped_names(package: str) -> tuple[str, ...]:
    """The names of what a package carries in its folder `data`."""
    entries = (files(package) / "data").iterdir()
    return tuple(sorted(one.name.removesuffix(_SUFFIX) for one in entries if one.name.endswith(_SUFFIX)))


def shipped_or_file(name: PathLike, package: str, what: str) -> tuple[str, str, str]:
    """The text of what is carried by this name, or of this file; its path; and how a signature names it.

    No name has a slash in it: what has one is a path, whatever it ends in.
    """
    if isinstance(name, str) and name in shipped_names(package):
        return (files(package) / "data" / f"{name}{_SUFFIX}").read_text("utf-8"), f"<{name}>", name
    if isinstance(name, str) and "/" not in name and not name.endswith(_SUFFIX):
        raise UsageError(
            f"unknown {what} {name!r}; choose from {', '.join(shipped_names(package))}, or give a .toml file"
        )
    source = read_source(name)
    return source.text(0, source.size), source.path, shown_input(source.path, source.sha256())
