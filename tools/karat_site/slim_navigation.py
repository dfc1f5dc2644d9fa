"""Time saved: the navigation of a page needs the titles of the others, and Sphinx copies all their sections for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.addnodes import toctree

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def slim(contents: nodes.bullet_list) -> nodes.bullet_list:
    """A page's contents with its title and the pages below it alone."""
    copied = contents.deepcopy()
    for item in copied.children:
        assert isinstance(item, nodes.Element)
        below = list(item.findall(toctree))
        del item.children[1:]
        if below:
            item += nodes.bullet_list("", *below)
    return copied


def use_slim_contents(app: Sphinx, _name: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Have the theme make the navigation from slim contents; a page's own contents stay as they are."""
    make = context.get("toctree")
    if make is None:
        return

    def made(**options: Any) -> Any:
        whole = app.env.tocs
        app.env.tocs = _slim_contents(app)
        try:
            return make(**options)
        finally:
            app.env.tocs = whole

    context["toctree"] = made


def _slim_contents(app: Sphinx) -> dict[str, nodes.bullet_list]:
    found: dict[str, nodes.bullet_list] | None = getattr(app, "_karat_slim_contents", None)
    if found is None:
        found = {page: slim(contents) for page, contents in app.env.tocs.items()}
        app._karat_slim_contents = found  # type: ignore[attr-defined]
    return found
