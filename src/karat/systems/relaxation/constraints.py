"""What a constraint says, whether it is learnt or written by hand, and how it is written.

    1.532 NN <- [-1 DT]                                   # 5120 B
    -2.100 VB <- [0 {NN|VB}] [-1 DT|PRP$] [+1 ^"to"]      # 87 C

A line has the strength with which a tag is supported (negative: opposed) where all conditions hold, and behind the sign
# how many words of the training text it was used for, and its kind. A condition is of the word so many places behind
(+) or before (-): it has one of these tags, is one of these words (in quotes, whatever their capitals), or can have
exactly these tags (in braces). ^ turns it round. The tag EDGE stands beyond either end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

EDGE = ""  # no corpus has an empty tag
_WRITTEN_EDGE = "EDGE"
SHAPES = ("unknown:lower", "unknown:capital", "unknown:digit", "unknown:other")  # of words tagged by their endings
FARTHEST = 9  # words away
LARGEST_STRENGTH = 100.0
_BARE = re.compile(r'[^\s\[\]{}|^"<#][^\s\[\]{}|]*\Z')

Kind = Literal["tag", "form", "class", "shape"]


@dataclass(frozen=True, slots=True)
class ContextCondition:
    """That a word at a position has one of some tags, is one of some forms, or can have exactly some tags (its class).

    A shape is one of those of words that are tagged by their endings.
    """

    position: int
    kind: Kind
    values: tuple[str, ...]
    is_negated: bool = False

    def __str__(self) -> str:
        several = "|".join(self.values if self.kind == "shape" else map(_WRITTEN[self.kind], self.values))
        if self.kind == "class":
            several = f"{{{several}}}"
        return f"[{self.position:+d} {'^' if self.is_negated else ''}{several}]".replace("[+0", "[0")


@dataclass(frozen=True, slots=True)
class Constraint:
    """That a tag is supported where some conditions hold, with what strength and how often that was; and its kind."""

    strength: float
    head: str
    conditions: tuple[ContextCondition, ...]
    n_used: int = 0
    kind: str = ""

    @property
    def written_conditions(self) -> str:
        """Its conditions as they are written."""
        return " ".join(map(str, self.conditions))

    @property
    def key(self) -> tuple[str, frozenset[str]]:
        """What it is about: equal for constraints that differ only in strength and use."""
        return self.head, frozenset(map(str, self.conditions))

    def __str__(self) -> str:
        return lines_of([self])[0]


def lines_of(constraints: Iterable[Constraint]) -> list[str]:
    """Constraints as lines, the most used first; those that differ only in the head share one, with | between heads."""
    heads: dict[tuple[int, str, str, str], list[str]] = {}
    for one in constraints:
        key = -one.n_used, one.written_conditions, f"{one.strength:.3f}", one.kind
        heads.setdefault(key, []).append(quoted_tag(one.head))
    return [
        f"{strength} {'|'.join(several)} <- {conditions}  # {-n_used} {kind}".rstrip()
        for (n_used, conditions, strength, kind), several in sorted(heads.items())
    ]


def quoted_tag(tag: str) -> str:
    """A tag as it is written: between < and > if it would be taken for something else.

    >>> quoted_tag("NN"), quoted_tag("NOUN Case=Nom|Number=Sing"), quoted_tag("#"), quoted_tag(EDGE)
    ('NN', '<NOUN Case=Nom|Number=Sing>', '<#>', 'EDGE')
    """
    if tag == EDGE:
        return _WRITTEN_EDGE
    if _BARE.match(tag) and tag not in (_WRITTEN_EDGE, *SHAPES):
        return tag
    return f"<{_escaped(tag, '>')}>"


def quoted_form(form: str) -> str:
    """A form as it is written."""
    return f'"{_escaped(form, chr(34))}"'


def _escaped(text: str, end: str) -> str:
    return text.replace("\\", "\\\\").replace(end, f"\\{end}")


_WRITTEN = {"tag": quoted_tag, "class": quoted_tag, "form": quoted_form}
