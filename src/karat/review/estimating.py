"""The estimate beside lists: from the files given, or those that the lists name, and never in anybody's way."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from karat.corpus.formats import Readable
from karat.errors import KaratError
from karat.evaluation.task import Systems, named_systems
from karat.measures.brackets.options import BracketOptions
from karat.review.enough import ReviewEstimate
from karat.review.latest import Background, Latest
from karat.review.named_corpora import NamedCorpora, settings_of_list
from karat.review.session import Review

_NEEDS_FILES = ("token", "bracket")
_SYSTEM = "system"  # what signatures call systems, which have no names there


class PlanEstimate:
    """The estimate of the reviews of one plan: of each judge, or of all together; computed in the background.

    Files that are `given` are read at once, and must fit: a `DataError` if they do not (K739, K740). Those that the
    lists merely name are read when an estimate is first wanted, and what is wrong with them is shown in its place.
    """

    def __init__(
        self,
        reviews: Sequence[Review],
        background: Background,
        *,
        given: tuple[Readable, Systems] | None = None,
        named: NamedCorpora | None = None,
    ) -> None:
        self._reviews, self._background, self._named = list(reviews), background, named
        self._mutex = threading.Lock()
        self._latest: dict[str | None, Latest] = {}
        self._estimate: ReviewEstimate | None = None
        if given is not None:
            self._estimate = self._from(*given)
            self._estimate.now()

    @property
    def is_possible(self) -> bool:
        """Whether there is something to show: an estimate, or why the files that the lists name are of no use."""
        if self._estimate is not None or not self._kinds & {*_NEEDS_FILES} or self._named is None:
            return True
        return inputs_of(self._named) is not None or bool(self._named.changed)

    @property
    def _kinds(self) -> set[str]:
        return {kind for review in self._reviews for kind in review.worklist.column("kind")}

    def now(self, judge: str | None = None) -> dict[str, Any] | None:
        """The latest estimate of a judge's verdicts, or of all judges together (None); None if there is none yet."""
        with self._mutex:
            if judge not in self._latest:
                self._latest[judge] = Latest(lambda: self._computed(judge), self._state, self._background)
        return self._latest[judge].now()

    def _state(self) -> object:
        return [review.store.last_event() for review in self._reviews]

    def _computed(self, judge: str | None) -> dict[str, Any]:
        if self._estimate is None:
            self._estimate = self._made()
        return self._estimate.now(judge).to_dict()

    def _made(self) -> ReviewEstimate:
        if self._named is None or not self._kinds & {*_NEEDS_FILES}:
            return ReviewEstimate(self._reviews)
        found = inputs_of(self._named)
        if found is None and self._named.changed:
            raise KaratError(f"No estimate: {'; '.join(self._named.changed)}.")
        return ReviewEstimate(self._reviews) if found is None else self._from(*found)

    def _from(self, gold: Readable, systems: Systems) -> ReviewEstimate:
        brackets = bracket_options(settings_of_list(self._reviews[0].worklist))
        return ReviewEstimate(self._reviews, gold, systems, brackets=brackets)


def bracket_options(settings: Mapping[str, str]) -> BracketOptions:
    """Which brackets counted when a list was made, as its signature says; the usual ones if it has none."""
    return BracketOptions(
        labelled=settings.get("brackets") == "labelled",
        label=settings.get("label", ""),
        punctuation=settings.get("punctuation", "penn"),
        keep_doubled=settings.get("doubled") == "kept",
        keep_one_word=settings.get("one-word") == "kept",
    )


def inputs_of(named: NamedCorpora) -> tuple[Readable, Systems] | None:
    """The gold and the systems that a list was made from, if all of them could be found unchanged."""
    if named.changed:
        return None
    trees = dict(named.trees or {})
    if "gold" in trees and len(trees) > 1:
        return trees.pop("gold"), trees
    gold = [one.corpus.source for one in named.corpora if one.role == "gold"]
    systems = [(one.role, one.corpus.source) for one in named.corpora if one.role not in ("gold", "")]
    if not gold or not systems:
        return None
    if any(role != _SYSTEM for role, _ in systems):  # given by name
        return gold[0], dict(systems)
    return gold[0], named_systems([source for _, source in systems])
