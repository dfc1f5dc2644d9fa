"""The page of file formats: which karat reads and writes, as the command line says."""

from __future__ import annotations

import click

from karat.cli._shared_options import INPUTS, input_option
from karat.cli.convert import TARGETS
from karat_site.generated import Pages
from karat_site.markdown import code, escaped, table

_HEAD = """# File formats

The format of an input is known by its content; `--input NAME` says it, and `-v` shows it. `karat convert --to NAME`
writes one. Files may be compressed (`.gz`, `.bz2`, `.xz`) or standard input (`-`).

"""
_TAIL = """
What each keeps of several tags, lemmas and probabilities: [from one format to another](../convert.md). Other files have
pages of their own: [worklists](../worklist.md), [key files](../key-files.md), [bracketed trees](../brackets.md),
[tag hierarchies](../hierarchies.md), [tagsets](../tagsets.md), [weights](../weights.md).
"""


def every_format() -> list[str]:
    """The formats of inputs, by name."""
    return [*INPUTS, "brackets", "key"]


def pages() -> Pages:
    """One page."""
    kinds = _kinds()
    rows = [[code(name), escaped(kinds[name]), "yes" if name in TARGETS else "no"] for name in every_format()]
    return {"reference/formats": _HEAD + table(["name", "what it is", "can be written"], rows) + _TAIL}


def _kinds() -> dict[str, str]:
    """What each format is, in the words of `--input`."""
    command = click.Command("convert")
    input_option("brackets", "key")(command)
    (option,) = command.params
    assert isinstance(option, click.Option)
    text = (option.help or "").partition(": ")[2].partition(" (default")[0]
    return dict(zip(every_format(), text.split(", "), strict=True))
