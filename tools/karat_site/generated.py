"""Pages that are made and not written: kept beside the others under a suffix of their own, which git ignores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SUFFIX = ".myst"

Pages = dict[str, str]  # the text of a page by its place in docs/, without suffix


def write_pages(docs: Path, pages: Mapping[str, str]) -> None:
    """Write the pages that are new or other than before, so that a build renews only these; remove all others."""
    wanted = {docs / f"{place}{SUFFIX}": text for place, text in pages.items()}
    for path in docs.rglob(f"*{SUFFIX}"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
