"""The treebanks of a release of Universal Dependencies in a folder, by the names of theirs."""

from __future__ import annotations

import os
from dataclasses import dataclass

from karat.corpus import PathLike, read
from karat.errors import NO_LINE, DataError, Problem
from karat.experiments.analyses.conditions import language_of, short_name
from karat.gold.treebank_folders import PARTS, treebank_parts


@dataclass(frozen=True, slots=True)
class TreebankFolder:
    """A treebank's folder and which parts it has; `has_text` is False where UD gives annotation without words."""

    path: str
    parts: frozenset[str]
    has_text: bool

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def language(self) -> str:
        return language_of(self.name)

    @property
    def short(self) -> str:
        return short_name(self.name)


def ud_treebanks(data: PathLike, release: str, languages: tuple[str, ...]) -> list[TreebankFolder]:
    """The treebanks of some languages in a folder, or in one below it whose name ends in the release, as in ud-2.3."""
    if not os.path.isdir(data):
        raise DataError(Problem("K101", "no such folder", os.fspath(data), NO_LINE))
    below = [one.path for one in sorted(os.scandir(data), key=lambda one: one.name) if one.is_dir()]
    for folder in (os.fspath(data), *(path for path in below if path.endswith(release))):
        found = [_treebank(path) for path in sorted(_folders(folder, languages))]
        if treebanks := [one for one in found if one is not None]:
            return treebanks
    hint = f"name the folder that has UD_{languages[0]}-… of UD {release}, or the one above it"
    raise DataError(
        Problem("K104", f"no treebanks of {' or '.join(languages)} in it", os.fspath(data), NO_LINE, hint=hint)
    )


def _folders(folder: str, languages: tuple[str, ...]) -> list[str]:
    with os.scandir(folder) as entries:
        return [one.path for one in entries if one.is_dir() and language_of(one.name) in languages]


def _treebank(path: str) -> TreebankFolder | None:
    """A folder with a train, dev or test part; None where it has none."""
    try:
        parts = treebank_parts(path, PARTS)
    except DataError:
        return None
    first = next(iter(parts.values()))
    assert isinstance(first, list)
    corpus = read(first, trees=False)
    forms = corpus.column("form")
    blank = forms.vocabulary.strings.index("_") if "_" in forms.vocabulary.strings else -1
    is_blank = corpus.n_words > 0 and float((forms.ids == blank).mean()) > 0.5
    return TreebankFolder(path, frozenset(parts), not is_blank)
