"""CITATION.cff: what hosts of repositories and reference managers read, at one with what karat itself says."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

import karat
from bibtex import entries_of
from console_examples import ROOT
from karat.citations.bibliography import bibliography, karat_entry
from karat.citations.sources import OF_PAPER

CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PAPERS = {key: entries_of(bibliography()[key] + "\n")[key].fields for key in OF_PAPER.values()}
_ACCENTS = re.compile(r"\\[vc]|[^A-Za-z0-9 ]")


def plain(text: str) -> str:
    """A text without accents, TeX's or Unicode's, and without punctuation."""
    import unicodedata

    return _ACCENTS.sub("", unicodedata.normalize("NFD", text.replace("ł", "l").replace("{\\l}", "l"))).lower()


def test_the_version_is_karats() -> None:
    assert CITATION["version"] == karat.__version__


def test_authors_title_and_licence_are_those_of_the_package_and_of_its_entry() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert CITATION["authors"] == project["authors"]
    assert CITATION["license"] == project["license"]
    (entry,) = entries_of(karat_entry(karat.__version__) + "\n").values()
    assert entry.fields["title"].replace("{", "").replace("}", "") == CITATION["title"]


def test_it_has_what_the_citation_file_format_requires() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(CITATION)
    assert CITATION["type"] == "software"
    for one in CITATION["references"]:
        assert {"type", "title", "authors"} <= set(one)
        assert one["type"] in ("article", "conference-paper")
        assert "conference" in one or one["type"] == "article"
        assert all(set(author) == {"family-names", "given-names"} for author in one["authors"])


def test_its_references_are_the_six_papers_as_the_bibliography_has_them() -> None:
    by_title = {plain(fields["title"]): fields for fields in PAPERS.values()}
    assert sorted(plain(one["title"]) for one in CITATION["references"]) == sorted(by_title)
    for one in CITATION["references"]:
        fields = by_title[plain(one["title"])]
        authors = " and ".join(f"{author['family-names']}, {author['given-names']}" for author in one["authors"])
        assert plain(authors) == plain(fields["author"])
        assert str(one["year"]) == fields["year"]
        assert plain(one.get("collection-title", one.get("journal"))) == plain(
            fields.get("booktitle", fields.get("journal", ""))
        )
        pages = f"{one['start']}--{one['end']}" if "start" in one else None
        assert pages == fields.get("pages")
