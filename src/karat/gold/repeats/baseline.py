"""Which suspicious repeats are new: those that a former audit, kept as a file of `karat repeats --json`, does not have.

What a suspicious repeat is the same as in another release cannot depend on lines, ids of sentences, or how often it is:
it is its words and the ways in which they are labelled. One is known if the baseline has these words, alone or as part
of a longer repeat, with all of these labellings. So a new place with a known labelling is nothing new, nor is a shorter
repeat inside a known one; a labelling that these words never had is, and so is the same contradiction in more words.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Flags
from karat.corpus import PathLike
from karat.corpus.source import read_source
from karat.errors import DataError, Problem, UsageError
from karat.gold.repeats.audit import SCHEMA, Audit
from karat.gold.repeats.labels import OUTSIDE
from karat.gold.repeats.tokenisation import GOES_ON

_REACH = re.compile(r"[+-][0-9]+\Z")
_NO_SETTINGS = ("karat", "verb", "corpus", "against", "exceptions")  # of a signature
_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The suspicious repeats of a former audit: words and labellings, and with which options they were found."""

    path: str
    settings: Mapping[str, str]
    labellings: Mapping[_Words, frozenset[_Words]]

    def is_new(self, audit: Audit) -> Flags:
        """Which suspicious repeats of an audit are not known; options that differ are a `UsageError`.

        Whether marked words count may differ: without them there is less, but nothing new, so that baselines of karat
        before it could leave them out are as good as ever.
        """
        settings = dict(audit.options.settings())
        keys = (settings.keys() | self.settings.keys()) - {"marked"}
        if differ := sorted(key for key in keys if settings.get(key) != self.settings.get(key)):
            shown = ", ".join(f"{key} {self.settings.get(key, 'no')}" for key in differ)
            raise UsageError(f"{self.path} was made with other options: {shown}")
        longer = self._by_word()
        return np.array(
            [not self._knows(words, ways, longer) for words, ways in _words_and_ways(audit)], dtype=np.bool_
        )

    def n_gone(self, audit: Audit) -> int:
        """How many of these an audit does not find any more, as words with at least one of their contradictions."""
        now = {words for words, _ in _words_and_ways(audit)}
        return sum(words not in now for words in self.labellings)

    def _by_word(self) -> dict[str, list[_Words]]:
        found: dict[str, list[_Words]] = {}
        for words in self.labellings:
            for word in dict.fromkeys(words):
                found.setdefault(word, []).append(words)
        return found

    def _knows(self, words: _Words, ways: frozenset[_Words], longer: Mapping[str, list[_Words]]) -> bool:
        known = self.labellings.get(words)
        if known is not None and ways <= known:
            return True
        rarest = min((longer.get(word, []) for word in words), key=len)
        for other in rarest:
            for start in range(len(other) - len(words) + 1):
                stop = start + len(words)
                if other[start:stop] == words:
                    parts = {_part(way, start, stop, self.settings.get("of", "")) for way in self.labellings[other]}
                    if ways <= parts:
                        return True
        return False


def _part(way: _Words, start: int, stop: int, of: str) -> _Words:
    """The labels of a part of a repeat; what they reach for may then be outside, as `Labels` has it."""
    if of == "tokenisation":
        return (GOES_ON, *way[start + 1 : stop])
    if of != "dependencies":
        return way[start:stop]
    found = []
    for at in range(start, stop):
        reach = _REACH.search(way[at])
        found.append(way[at] if reach and start <= at + int(reach[0]) < stop else OUTSIDE)
    return tuple(found)


def _words_and_ways(audit: Audit) -> Iterator[tuple[_Words, frozenset[_Words]]]:
    for item in audit.items():
        yield item.words, frozenset(way.labels for way in item.labellings)


def read_baseline(path: PathLike) -> Baseline:
    """The suspicious repeats in a file that `karat repeats --json` wrote; .gz, .bz2 and .xz are decompressed."""
    shown = os.fspath(path)
    source = read_source(path)
    try:
        data = json.loads(source.buffer[: source.size].tobytes())
        if data.get("schema") != SCHEMA:
            raise DataError(_problem(shown, f"the schema is {data.get('schema')!r}, not {SCHEMA!r}"))
        if data.get("new") is not None:
            raise DataError(_problem(shown, "it lists only what was new compared with another baseline"))
        return Baseline(shown, _settings(data["signature"]), _labellings(data["items"]))
    except json.JSONDecodeError as error:
        raise DataError(_problem(shown, f"not JSON: {error.msg}", error.lineno, error.colno)) from None
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError):
        raise DataError(_problem(shown, "it has no suspicious repeats in the form that karat repeats writes")) from None


def _problem(path: str, message: str, line: int = 1, column: int = 1) -> Problem:
    return Problem(
        "K606", message, path, line, column, hint="a baseline is the JSON output of an earlier karat repeats"
    )


def _labellings(items: list[Any]) -> dict[_Words, frozenset[_Words]]:
    found: dict[_Words, frozenset[_Words]] = {}
    for item in items:
        words = tuple(map(str, item["words"]))
        ways = [tuple(map(str, way["labels"])) for way in item["labellings"]]
        if any(len(way) != len(words) for way in ways):
            raise ValueError
        found[words] = found.get(words, frozenset()).union(ways)
    return found


def _settings(signature: str) -> dict[str, str]:
    """The options in a signature: what stands between the verb and the inputs."""
    parts = [part.partition(":") for part in signature.split("|")]
    return {key: value for key, _, value in parts if key not in _NO_SETTINGS}
