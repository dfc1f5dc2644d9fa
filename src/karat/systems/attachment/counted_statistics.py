"""`karat.attachment_statistics`: how often objects of a tagged text co-occur, kept in one file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from karat.corpus import Corpus, PathLike
from karat.corpus.files import write_beside
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature
from karat.systems.attachment.counting import counts_of_features
from karat.systems.attachment.features import FEATURES, Feature
from karat.systems.attachment.object_columns import COLUMNS, ObjectColumns, columns_of_objects, joined_columns
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.statistics_file import statistics_bytes
from karat.systems.attachment.wordnet_classes import read_wordnet_classes
from karat.systems.groups.found_groups import FoundGroups, find_groups
from karat.systems.groups.patterns import GroupCascade
from karat.tagsets import TagMap

SCHEMA = "karat/attach-stats/1"


@dataclass(frozen=True, slots=True)
class CountedFeature:
    """A feature: what it reads of the possible parent (`left`) and of the other object, and what was counted."""

    name: str
    kind: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    left_values: int
    right_values: int
    observations: int


@dataclass(frozen=True, eq=False, repr=False)
class CountedStatistics(Result):
    """Statistics of co-occurrence, and what they were made from.

    `warnings` say what the text or the wordnet lacks, `written` where the statistics were saved.
    """

    statistics: CooccurrenceStatistics
    formats: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    written: str | None = None

    @property
    def signature(self) -> str:
        """What was counted, and how."""
        return self.statistics.signature

    @cached_property
    def file(self) -> bytes:
        """The file of the statistics."""
        return statistics_bytes(self.statistics)

    @property
    def words(self) -> int:
        return self.statistics.columns.n_words

    @property
    def sentences(self) -> int:
        return self.statistics.columns.n_sentences

    @property
    def objects(self) -> int:
        return len(self.statistics.columns)

    @property
    def pairs(self) -> int:
        return self.statistics.n_pairs

    @property
    def different_lemmas(self) -> int:
        return len(self.statistics.columns.names["lemma"])

    @cached_property
    def features(self) -> tuple[CountedFeature, ...]:
        """The features that were counted, with how many values they have."""
        counts = counts_of_features(self.statistics, self.statistics.columns.names_only())
        return tuple(
            CountedFeature(one.name, one.kind, _shown(one, "left"), _shown(one, "right"), *of.sizes)
            for one, of in zip(self.statistics.features, counts, strict=True)
        )

    @property
    def missing_features(self) -> tuple[str, ...]:
        """The features that were not counted: those of the wordnet, where there is none."""
        return tuple(one.name for one in FEATURES if one not in self.statistics.features)

    def save(self, path: PathLike) -> CountedStatistics:
        """Write the statistics into one file; the same result comes back, with the file's name. Inputs are kept."""
        write_beside(self.inputs, path, self.file)
        return replace(self, written=os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/attach-stats/1."""
        wordnet = self.statistics.wordnet
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "written": self.written,
            "bytes": len(self.file),
            **attributes(self, "words sentences objects pairs"),
            "lemmas": self.different_lemmas,
            "tagset": self.statistics.tagset,
            "has_lemmas": self.statistics.has_lemmas,
            "wordnet": None if wordnet is None else wordnet.signed,
            "threshold": None if wordnet is None else self.statistics.threshold,
            "features": plain(self.features),
            "missing_features": list(self.missing_features),
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """The features, one in a row."""
        rows: list[list[Cell]] = [
            [one.name, one.kind, *map(" ".join, (one.left, one.right)), *_sizes(one)] for one in self.features
        ]
        return Table(["feature", "kind", "left", "right", "left_values", "right_values", "observations"], rows)


def _sizes(one: CountedFeature) -> tuple[int, int, int]:
    return one.left_values, one.right_values, one.observations


def _shown(feature: Feature, side: str) -> tuple[str, ...]:
    """What a side of a feature reads, as `semantic.lemma`."""
    return tuple(f"{one.head}.{one.what}" for one in (feature.left if side == "left" else feature.right))


def attachment_statistics(
    corpora: Corpus | PathLike | Sequence[Corpus | PathLike | Sequence[PathLike]],
    *,
    wordnet: PathLike | None = None,
    lemmas: PathLike | None = None,
    groups: PathLike | GroupCascade | None = None,
    tagset: str | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    progress: Progress | None = None,
) -> CountedStatistics:
    """How often syntactic objects with certain lemmas, tags and hypernyms co-occur in the sentences of tagged text.

    After Slaski, Acedański & Przepiórkowski (2012): 14 features, 11 of them without a `wordnet`, which is a folder of
    WordNet's files; `lemmas` is a file of the Open Multilingual Wordnet with lemmas of another language. Objects are
    groups and words outside of them: see `karat.find_groups` for `groups`, `tagset`, `map` and `input`. The text needs
    no trees. A `UsageError` if texts have tags of different tagsets, or for `lemmas` without a wordnet.
    """
    if lemmas is not None and wordnet is None:
        raise UsageError("`lemmas` are names for the synsets of a wordnet: give `wordnet`, too")
    if isinstance(corpora, (Corpus, str, os.PathLike)):
        corpora = [corpora]
    if not corpora:
        raise UsageError("there is no corpus to count")
    classes = None if wordnet is None else read_wordnet_classes(wordnet, lemmas)
    found = []
    for number, one in enumerate(corpora):
        found.append(find_groups(one, groups=groups, tagset=tagset, map=map, limit=1, input=input))
        if progress is not None:
            progress((number + 1) / len(corpora))
    _refuse_different_tagsets(found)
    settings = list(found[0].settings)
    settings += [] if classes is None else [("wordnet", classes.signed)]
    inputs = [("corpus", one.corpus.source.path, one.corpus.source.sha256()) for one in found]
    statistics = CooccurrenceStatistics(
        joined_columns([_columns(one) for one in found]),
        found[0].objects.words.tagset,
        all(one.objects.words.has_lemmas for one in found),
        found[0].cascade.signed,
        classes,
        signature("attach-stats", settings, inputs),
    )
    return CountedStatistics(
        statistics,
        tuple(one for of in found for one in of.formats),
        tuple(part.path for one in found for part in one.corpus.source.parts),
        (*_warnings(found), *_lacking(statistics)),
    )


def _columns(found: FoundGroups) -> ObjectColumns:
    documents = found.corpus.sentence_document if found.corpus.has_documents else None
    return columns_of_objects(found.objects, documents=documents)


def _refuse_different_tagsets(found: Sequence[FoundGroups]) -> None:
    """A `UsageError` if not all texts have tags of one tagset."""
    first = found[0]
    for one in found[1:]:
        if one.objects.words.tagset != first.objects.words.tagset:
            tagsets = (
                f"{first.corpus.path}: {first.objects.words.tagset}, {one.corpus.path}: {one.objects.words.tagset}"
            )
            raise UsageError(f"the texts have tags of different tagsets ({tagsets}): name the `tagset`")


def _warnings(found: Sequence[FoundGroups]) -> list[str]:
    """What is to be known of each text; of several, with its name."""
    return [f"{one.corpus.path}: {what}" if len(found) > 1 else what for one in found for what in one.warnings]


def _lacking(statistics: CooccurrenceStatistics) -> list[str]:
    """What the text lacks, in words."""
    columns = statistics.columns
    if not len(columns):
        return ["there is no word to count: all signals of association will be 0"]
    found = []
    if not statistics.has_lemmas:
        found.append("there are no lemmas: forms in lower case take their place")
    missing = [one for one in COLUMNS if one in ("case", "gender", "number") and not columns.names[one]]
    if missing:
        found.append(f"no word has {' or '.join(missing)}: features that read it see one value only")
    return found
