"""`karat.cite`: BibTeX of what results used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from karat import __version__
from karat.citations.bibliography import bibliography, karat_entry
from karat.citations.uses import ResultData, measures_used, uses_of
from karat.result import Result


@dataclass(frozen=True, slots=True)
class Citation:
    """An entry of a bibliography, and what it was used for."""

    key: str
    uses: tuple[str, ...]
    bibtex: str


@dataclass(frozen=True, slots=True)
class Citations:
    """What to cite: karat first, then the sources of measures, then of methods. As text, it is a .bib file."""

    entries: tuple[Citation, ...]

    @property
    def bibtex(self) -> str:
        """The entries as BibTeX, each after a line that says what it was used for."""
        return "\n\n".join(f"% {'; '.join(one.uses)}\n{one.bibtex}" for one in self.entries) + "\n"

    def __str__(self) -> str:
        return self.bibtex


def cite(*results: Result | Mapping[str, Any]) -> Citations:
    """BibTeX of the methods that results used, and of karat: of results, or of the data that `--json` wrote.

    >>> import karat
    >>> bounds = karat.noise_bounds(0.9135, corpus_error=0.03, ambiguity=2.5)
    >>> [one.key for one in karat.cite(bounds).entries]
    ['karat', 'padro-marquez-1998']
    """
    every = [ResultData(one.to_dict() if isinstance(one, Result) else one) for one in results]
    uses: dict[str, dict[str, None]] = {}
    for use in chain(measures_used(every), *map(uses_of, every)):
        for key in use.keys:
            uses.setdefault(key, {})[use.what] = None
    versions = list(dict.fromkeys(version for one in every for version in one.settings.get("karat", [__version__])))
    keys = ["karat"] if len(versions) <= 1 else [f"karat-{version}" for version in versions]
    ours = [
        Citation(key, (f"karat {version}, which computed the results",), karat_entry(version, key))
        for key, version in zip(keys, versions or [__version__], strict=True)
    ]
    return Citations((*ours, *(Citation(key, tuple(what), bibliography()[key]) for key, what in uses.items())))
