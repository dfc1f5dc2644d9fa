"""A page as HTML: one file with everything in it, that asks for nothing from anywhere and runs no code but its own."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from karat import __version__
from karat.report.draw.svg import dark_drawings
from karat.report.page.parts import Lengths, Page

if TYPE_CHECKING:
    from jinja2 import Template

_NO_CHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 17 << 16, 1 << 16)
)
_UNFIT = re.compile(f"[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff{_NO_CHARACTERS}]")


def page_html(page: Page) -> str:
    """The whole page; everything that comes from results and corpora is escaped."""
    from markupsafe import Markup

    css, script = _text("page.css") + dark_drawings(), _text("page.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(css)}; base-uri 'none'; form-action 'none'"
    )
    return _template().render(
        page=page,
        policy=policy,
        css=Markup(css),
        script=Markup(script),
        data=Markup(_json(_data(page))),
        version=__version__,
        svg=Markup,  # drawings escape what they show
    )


def _shown(value: Any) -> Any:
    """What a template shows: text without what HTML does not allow or what turns the direction of text around it.

    A � stands where it was; joiners and direction marks, which words of many languages have, stay.
    """
    return _UNFIT.sub("\ufffd", value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _data(page: Page) -> dict[str, Any]:
    """What the page's script needs: which sentences each list has, and counts by sentence."""
    return {
        "lists": {
            one.id: {name: [_shown(words), places] for name, (words, places) in one.lists.items()}
            for one in page.sentences
        },
        "lengths": {
            block.id: {
                "measure": block.measure,
                "systems": [_shown(name) for name in block.systems],
                "rows": [list(row) for row in block.rows],
                "level": block.level,
            }
            for section in page.sections
            for block in section.blocks
            if isinstance(block, Lengths)
        },
    }


def _json(data: Any) -> str:
    """JSON that can stand in a script element, whatever is in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    """How a Content-Security-Policy names an element's text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return (files("karat.report.page") / "templates" / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader({"page.html": _text("page.html")}),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")
