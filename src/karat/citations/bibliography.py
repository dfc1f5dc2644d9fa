"""The bibliography: BibTeX entries by key, as `entries.bib` beside this module has them, and that of karat itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@cache
def bibliography() -> Mapping[str, str]:
    """Every entry as BibTeX, without a line end, by its key.

    >>> print(bibliography()["breiman-2001"].splitlines()[2])
      title = {Random Forests},
    """
    text = files(__package__).joinpath("entries.bib").read_text(encoding="ascii")
    entries = [one.strip() for one in text.split("\n\n")]
    return MappingProxyType({one.partition("{")[2].partition(",")[0]: one for one in entries})


def karat_entry(version: str, key: str = "karat") -> str:
    """karat of this version as BibTeX."""
    fields = {
        "author": "{The karat contributors}",
        "title": "{karat}: an evaluation workbench for taggers and parsers",
        "note": f"Version {version}",
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", ",\n".join(lines), "}"])
