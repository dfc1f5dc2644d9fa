"""Systems scored against both versions of a corpus: what the changes do to scores, and to verdicts on who is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat._arrays import Flags, Indices
from karat._ragged import stretches
from karat.align._alignment import Side, excerpt, place_of_character
from karat.align._differences import common_length
from karat.corpus import Corpus
from karat.corpus.chosen_sentences import chosen_sentences
from karat.errors import DataError, Problem
from karat.evaluation.compare import compare
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.plain_words import verdict, winner
from karat.evaluation.results import MeasureScore
from karat.evaluation.score import score
from karat.evaluation.words import COMPARED_WORDS
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.suspects.sentence_pairs import SentencePairs


@dataclass(frozen=True, slots=True)
class RescoredSystem:
    """A system's scores on both versions, by measure."""

    name: str
    old: Mapping[str, MeasureScore]
    new: Mapping[str, MeasureScore]

    def to_dict(self) -> dict[str, Any]:
        """The values, the difference and the ends of the intervals as plain data."""
        measures = {}
        for name, old in self.old.items():
            new = self.new[name]
            measures[name] = {
                "old": old.value,
                "new": new.value,
                "difference": new.value - old.value,
                "old_lower": old.lower,
                "old_upper": old.upper,
                "new_lower": new.lower,
                "new_upper": new.upper,
            }
        return {"name": self.name, "measures": measures}


@dataclass(frozen=True, slots=True, eq=False)
class RescoredPair:
    """Two systems compared by one measure on both versions."""

    old: PairResult
    new: PairResult
    level: float

    @property
    def is_changed(self) -> bool:
        """Whether something else is to be concluded: another system is better, or it is no longer known which."""
        return self._concluded(self.old) != self._concluded(self.new)

    def _concluded(self, pair: PairResult) -> tuple[str, str]:
        return verdict(pair, self.level), winner(pair, self.level)

    def to_dict(self) -> dict[str, Any]:
        """What was concluded on both versions as plain data."""
        found: dict[str, Any] = {"a": self.old.a, "b": self.old.b, "measure": self.old.measure}
        for name, pair in (("old", self.old), ("new", self.new)):
            data = {"difference": pair.difference, "p_adjusted": pair.p_adjusted}
            found[name] = data | dict(zip(("verdict", "better"), self._concluded(pair), strict=True))
        return found | {"changed": self.is_changed}


@dataclass(frozen=True, slots=True, eq=False)
class Rescored:
    """Systems on the sentences whose text both versions have, and that no system runs together with others.

    `n_left_out` is how many sentences each version has beside these.
    """

    systems: tuple[RescoredSystem, ...]
    pairs: tuple[RescoredPair, ...]
    n_sentences: int
    n_words: tuple[int, int]
    n_left_out: tuple[int, int]
    level: float
    sources: tuple[tuple[str, str], ...]
    formats: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The scores and comparisons as plain data."""
        return {
            "sentences": self.n_sentences,
            "words": dict(zip(("old", "new"), self.n_words, strict=True)),
            "left_out": dict(zip(("old", "new"), self.n_left_out, strict=True)),
            "systems": [one.to_dict() for one in self.systems],
            "pairs": [one.to_dict() for one in self.pairs],
        }


def rescored(
    versions: tuple[Side, Side],
    pairs: SentencePairs,
    systems: Mapping[str, Corpus],
    *,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> Rescored:
    """The systems on what both versions have; a `DataError` for one whose text matches neither."""
    fitted = [_Fitted.of(system, versions, pairs) for system in systems.values()]
    common = pairs.same_text.copy()
    for one in fitted:
        common &= one.is_covered
    chosen = np.flatnonzero(common)
    if not len(chosen):
        message = "no sentence left to score: none has the same text in both versions and in all systems"
        raise DataError(Problem("K923", message, versions[1].corpus.path))
    old = chosen_sentences(versions[0].corpus, pairs.old[chosen])
    new = chosen_sentences(versions[1].corpus, pairs.new[chosen])
    # documents are the old version's: what is resampled must be the same on both
    new = replace(new, document_offsets=old.document_offsets, document_names=old.document_names)
    outputs = {name: one.sentences(chosen) for name, one in zip(systems, fitted, strict=True)}
    options = inference or InferenceOptions()
    both = [score(gold, outputs, inference=options, progress=progress) for gold in (old, new)]
    names = [name for name in COMPARED_WORDS if all(name in one.measures for of in both for one in of.systems)]
    found = [RescoredSystem(name, *({one: of.system(name)[one] for one in names} for of in both)) for name in outputs]
    compared = list(_compared(old, new, outputs, names, options)) if len(outputs) > 1 and names else []
    return Rescored(
        tuple(found),
        tuple(compared),
        len(chosen),
        (old.n_words, new.n_words),
        (versions[0].corpus.n_sentences - len(chosen), versions[1].corpus.n_sentences - len(chosen)),
        options.level,
        tuple((one.path, one.source.sha256()) for one in systems.values()),
        tuple((one.path, one.format) for one in systems.values()),
        tuple(dict.fromkeys(warning for of in both for warning in of.warnings)),
    )


def _compared(
    old: Corpus, new: Corpus, outputs: Mapping[str, Corpus], names: Sequence[str], options: InferenceOptions
) -> Iterator[RescoredPair]:
    before, after = (compare(gold, outputs, measures=names, inference=options) for gold in (old, new))
    for one in before.pairs:
        assert one.measure is not None
        yield RescoredPair(one, after.pair(one.a, one.b, one.measure), options.level)


# ---- a system's sentences beside those of a version ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A system beside the version whose text it has.

    Of pair i of sentences, the system's are `first[i]` up to, not including, `stop[i]`; `is_covered` says whether they
    begin and end where the version's does.
    """

    system: Corpus
    first: Indices
    stop: Indices
    is_covered: Flags

    @classmethod
    def of(cls, system: Corpus, versions: tuple[Side, Side], pairs: SentencePairs) -> _Fitted:
        side = Side.of(system)
        for version, sentences in zip(versions, (pairs.old, pairs.new), strict=True):
            if version.surface.text == side.surface.text:
                start, stop = version.bounds[sentences], version.bounds[sentences + 1]
                is_covered = np.isin(start, side.bounds) & np.isin(stop, side.bounds)
                first, last = np.searchsorted(side.bounds, start), np.searchsorted(side.bounds, stop)
                return cls(system, first, last, is_covered)
        raise DataError(_fits_neither(side, versions))

    def sentences(self, chosen: Indices) -> Corpus:
        """The system's sentences of some pairs."""
        first = self.first[chosen]
        return chosen_sentences(self.system, stretches(first, self.stop[chosen] - first))


def _fits_neither(system: Side, versions: tuple[Side, Side]) -> Problem:
    text = system.surface.text
    same, version = max(
        ((common_length(version.surface.text, text), version) for version in versions), key=lambda one: one[0]
    )
    path, line, _ = place_of_character(version, same)
    found, wanted = excerpt(text, same), excerpt(version.surface.text, same)
    message = f"the text matches neither version: {found} here, {wanted} at {path}:{line}"
    hint = "a system's output must have all the text of the old or of the new version, apart from spaces"
    return Problem("K922", message, *place_of_character(system, same), hint)
