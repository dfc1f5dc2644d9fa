"""What screen readers stumble over in the pages that Sphinx makes, mended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PARAMETERS = re.compile(r'<dl>\s*((?:<dd><em class="sig-param">.*?</dd>\s*)+)</dl>', re.DOTALL)


def mend(_app: Sphinx, _name: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Parameters are no list of definitions without terms; the titles of the navigation are headings of a level."""
    if "body" in context:
        context["body"] = _PARAMETERS.sub(_as_lines, context["body"])
    if "furo_navigation_tree" in context:
        tree = context["furo_navigation_tree"]
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def _as_lines(match: re.Match[str]) -> str:
    lines = match[1].replace("<dd>", '<span class="sig-parameter">').replace("</dd>", "</span>")
    return f'<span class="sig-parameters">{lines}</span>'
