"""karat's site: the pages of docs/ as they stand, and a reference made from the code each time the site is built.

A Sphinx extension, with a module for each thing that it does; docs/conf.py is all that knows of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat_site import formats, library, mathml, measures, navigation, outside, schemas, verbs
from karat_site.accessible import mend
from karat_site.generated import Pages, write_pages
from karat_site.sessions import SessionLexer
from karat_site.slim_navigation import use_slim_contents

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def every_generated_page(docs: Path) -> Pages:
    """All pages that are made from the code and from files outside of docs/, by their place in docs/."""
    from_docs = (verbs.pages, library.pages, outside.pages)
    made = [*(make(docs) for make in from_docs), schemas.pages(), measures.pages(), formats.pages()]
    return {place: text for pages in made for place, text in pages.items()}


def _generate(app: Sphinx) -> None:
    docs = Path(app.srcdir)
    write_pages(docs, every_generated_page(docs))


def _as_on_the_site(app: Sphinx, docname: str, source: list[str]) -> None:
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".md":
        text = outside.relinked(source[0], path, Path(app.srcdir))
        source[0] = navigation.with_navigation(text, docname)


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_html_math_renderer("mathml", (mathml.visit_inline, None), (mathml.visit_block, None))
    app.add_lexer("console", SessionLexer)
    app.connect("builder-inited", _generate)
    app.connect("source-read", _as_on_the_site)
    app.connect("html-page-context", use_slim_contents, priority=400)  # before the theme's own
    app.connect("html-page-context", mend, priority=600)  # after it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
