"""Prose in lines of a width, broken at blanks where a reader may pause."""

from __future__ import annotations

import re
import textwrap

_BEFORE_PERCENT = re.compile(r"(?<=\S) (?=%)")
_NO_BREAK = "\xa0"  # never in what is printed, where it is written out


def wrapped_lines(text: str, width: int, *, indent: str = "") -> list[str]:
    """The lines of a text; no word is broken, nor a number from its %. All lines but the first are indented.

    >>> wrapped_lines("between 89.8 and 95.8 % of them", 21)
    ['between 89.8 and', '95.8 % of them']
    """
    lines = textwrap.wrap(
        _BEFORE_PERCENT.sub(_NO_BREAK, text),
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=not indent,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]
