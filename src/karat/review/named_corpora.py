"""The corpora that a list is about: those that its signature names, if they are still the same, or those given."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus import Corpus, Source, corpus_from_source, read_source
from karat.corpus.formats import sniffed
from karat.corpus.worklist import Worklist
from karat.errors import DataError, KaratError, Problem, visible
from karat.gold.treebank_folders import treebank_whole
from karat.report.page.named_files import NamedFile, files_of, may_be_read, settings_of

_MOST_NAMED = 20  # corpora that the rows of a list name
_FEWEST_IN_SIGNATURE = 2
_PUNCTUATION = "punctuation"


@dataclass(frozen=True, eq=False)
class ReviewCorpus:
    """A corpus, and where its sentences and words are."""

    corpus: Corpus
    role: str = ""

    @cached_property
    def _sentences(self) -> Mapping[str, int]:
        """The number of the sentence with a name; of those with the same name the first."""
        found: dict[str, int] = {}
        for number in range(self.corpus.n_sentences):
            found.setdefault(self.corpus.sent_id(number) or f"sentence {number + 1}", number)
        return found

    def sentence(self, name: str) -> int | None:
        """The number of a sentence, from 0, by its name; None if there is none."""
        return self._sentences.get(name)

    def name(self, sentence: int) -> str:
        """What a sentence is called in worklists."""
        return self.corpus.sent_id(sentence) or f"sentence {sentence + 1}"

    def first_word(self, sentence: int) -> int:
        return int(self.corpus.sentence_offsets[sentence])

    def has(self, columns: Sequence[str]) -> bool:
        return bool(columns) and all(self.corpus.has(name) for name in columns)

    def label(self, word: int, columns: Sequence[str]) -> str:
        """What a word has in a column, or in several."""
        return " ".join(self._value(name, word) for name in columns)

    def label_counts(self, columns: Sequence[str]) -> Mapping[str, int]:
        """How often words have each label."""
        if len(columns) > 1:
            every = zip(*(self.corpus.column(name).strings() for name in columns), strict=True)
            return Counter(" ".join(parts) for parts in every)
        values = self.corpus.column(columns[0])
        counts = np.bincount(values.ids, minlength=len(values.vocabulary)).tolist()
        return {name: n for name, n in zip(values.vocabulary.strings, counts, strict=True) if n and name}

    def labels_of(self, words: Indices, columns: Sequence[str]) -> dict[str, Indices]:
        """The labels of these words, most frequent first, each with the words that have it."""
        if not len(words):
            return {}
        codes = np.stack([self.corpus.column(name).ids[words] for name in columns], axis=1)
        _, number = np.unique(codes, axis=0, return_inverse=True)
        counts = np.bincount(number.ravel())
        groups = [words[number.ravel() == one] for one in np.argsort(-counts, kind="stable").tolist()]
        return {self.label(int(group[0]), columns): group for group in groups}

    def _value(self, column: str, word: int) -> str:
        values = self.corpus.column(column)
        return values.vocabulary.strings[int(values.ids[word])]

    def places(self, forms: Sequence[str]) -> Indices:
        """The first word of every place where these words follow each other in one sentence."""
        column = self.corpus.column("form")
        ids = [column.vocabulary.find(form) for form in forms]
        n = self.corpus.n_words - len(forms) + 1
        if n <= 0 or min(ids) < 0:
            return np.zeros(0, dtype=np.intp)
        found: Indices = np.flatnonzero(column.ids[:n] == ids[0])
        for distance, number in enumerate(ids[1:], start=1):
            found = found[column.ids[found + distance] == number]
        sentences = self.corpus.words_sentence
        is_in_one: Flags = sentences[found] == sentences[found + len(forms) - 1]
        return found[is_in_one]


@dataclass(frozen=True, eq=False)
class NamedCorpora:
    """What could be read of the files that a list was made from; `missing` says why, if nothing could.

    `changed` are those that could not be read, or are others by now.
    """

    settings: Mapping[str, str]
    corpora: Sequence[ReviewCorpus] = ()
    trees: Mapping[str, Source] | None = None  # by role or system: bracketed trees
    missing: Sequence[str] = ()
    changed: Sequence[str] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the list is about; none for heads or how text is split."""
        named = self.settings.get("column") or self.settings.get("of") or ""
        return () if named in ("dependencies", "tokenisation") else tuple(filter(None, named.split("+")))

    def of_role(self, role: str) -> ReviewCorpus | None:
        return next((one for one in self.corpora if one.role == role), None)


def named_corpora(
    worklist: Worklist, *, gold: str | None = None, systems: Mapping[str, str] | None = None
) -> NamedCorpora:
    """The corpora of a list: those given, else those that its signature names, here or beside the list.

    A given file that the signature does not name is a `DataError` (K740): its words may be others by now.
    """
    named = files_of(_signed(worklist))
    settings = settings_of_list(worklist)
    names = iter(settings["systems"].split(",") if "systems" in settings else ())
    given = {**({"gold": gold} if gold else {}), **(systems or {})}
    found = _NamedCorpora([one.digest for one in named], [Path(), Path(worklist.path).parent])
    for role, path in given.items():
        found.take(role, path, is_given=True)
    for file in _every(named, worklist):
        role = unquote(next(names, file.role)) if file.role == "system" else file.role
        if role != _PUNCTUATION and not (gold and file.role != "system") and not (systems and file.role == "system"):
            found.take(role, file.path, is_given=False)
    if not named and not given:
        found.missing.append("the list does not say which files it was made from: name them with --gold and --system")
    why = tuple(dict.fromkeys(found.missing))
    return NamedCorpora(settings, found.corpora, found.trees, () if found.any else why, why)


def settings_of_list(worklist: Worklist) -> dict[str, str]:
    """How a list was made, as its signature says; of punctuation that a file names, the file."""
    signed = _signed(worklist)
    listed = {file.role: file.path for file in files_of(signed) if file.role == _PUNCTUATION}
    return {**settings_of(signed), **listed}


def _signed(worklist: Worklist) -> dict[str, str]:
    return {"signature": next((line for line in worklist.head if _is_signature(line)), "")}


def _is_signature(line: str) -> bool:
    return line.startswith("karat:") and line.count("|") >= _FEWEST_IN_SIGNATURE


def _every(named: Sequence[NamedFile], worklist: Worklist) -> list[NamedFile]:
    """The files that the signature names, and those that rows do: annotators have names in signatures, not paths.

    The latter have no role: nobody misses those that are not there.
    """
    seen = {one.path for one in named}
    rows = [path for path in dict.fromkeys(worklist.column("corpus")) if path and path not in seen]
    return [*named, *(NamedFile("", path, "") for path in rows[:_MOST_NAMED] if named)]


class _NamedCorpora:
    """What has been read so far."""

    def __init__(self, digests: Sequence[str], folders: Sequence[Path]) -> None:
        self._digests = digests
        self._folders = folders
        self._seen: set[str] = set()
        self.corpora: list[ReviewCorpus] = []
        self.trees: dict[str, Source] = {}
        self.missing: list[str] = []

    @property
    def any(self) -> bool:
        return bool(self.corpora or self.trees)

    def take(self, role: str, path: str, *, is_given: bool) -> None:
        """Read a file if it is one of those that the list was made from."""
        try:
            source = _source(path, [Path()] if is_given else self._folders)
        except FileNotFoundError:
            if is_given:
                raise DataError(Problem("K101", "no such file", path)) from None
            if role:
                self.missing.append(f"{visible(path)} is not there")
            return
        except (KaratError, OSError) as error:
            if is_given:
                raise
            self.missing.append(f"{visible(path)} cannot be read: {visible(str(error))}")
            return
        digest = source.sha256()
        if self._digests and not any(one and digest.startswith(one) for one in self._digests):
            if is_given:
                hint = "give the files that the list was made from, or make a new list with --carry"
                raise DataError(Problem("K740", "the list was not made from this file", path, hint=hint))
            self.missing.append(f"{visible(path)} has changed since the list was made")
            return
        self._read(role, source, is_given=is_given)

    def _read(self, role: str, source: Source, *, is_given: bool) -> None:
        try:
            if sniffed(source) == "brackets":
                self.trees |= {role: source} if role else {}  # rows of trees name systems, not files
            elif source.sha256() not in self._seen:
                self._seen.add(source.sha256())
                self.corpora.append(ReviewCorpus(corpus_from_source(source, bad="keep"), role))
        except KaratError as error:
            if is_given:
                raise
            self.missing.append(f"{visible(source.path)} cannot be read: {visible(str(error))}")


def _source(path: str, folders: Sequence[Path]) -> Source:
    """A file, several joined by commas, or a treebank's folder, in the first folder that has it."""
    for folder in folders:
        place = folder / path
        if os.path.isdir(place):
            parts = treebank_whole(str(place))
            assert not isinstance(parts, Corpus)
            return read_source(parts)
        paths = [place] if os.path.exists(place) else [folder / one for one in path.split(",")]
        if all(map(may_be_read, paths)):
            return read_source([str(one) for one in paths])
    raise FileNotFoundError(path)
