"""Equations as MathML, which browsers show by themselves: no script, no font, no network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.writers.html5 import HTML5Translator

_FUNCTION = re.compile(r"(<mi>(?:exp|ln|log)</mi>)(?=<mfrac|<mi)")  # whose argument would stand close by


def mathml(latex: str, *, is_block: bool) -> str:
    """The equation as a `<math>` element."""
    from latex2mathml.converter import convert

    found = str(convert(latex.strip(), display="block" if is_block else "inline"))
    return _FUNCTION.sub(r"\1<mspace width='0.17em' />", found)


def visit_inline(self: HTML5Translator, node: nodes.Element) -> Any:
    """Write an equation in a line of text."""
    self.body.append(mathml(node.astext(), is_block=False))
    raise nodes.SkipNode


def visit_block(self: HTML5Translator, node: nodes.Element) -> Any:
    """Write an equation on a line of its own, in a box that scrolls."""
    self.body.append(f'<div class="equation" tabindex="0">{mathml(node.astext(), is_block=True)}</div>\n')
    raise nodes.SkipNode
