"""Taggers of other packages: a `Tagger` with options of its own, whose tags, probabilities and files are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from karat.entry_points import PLUGIN, Plugin
from karat.errors import DataError, UsageError
from karat.inference.resampling import Progress
from karat.systems.model_file import Model, model_bytes, model_from_bytes
from karat.systems.options import Options, options_of_plugin, plugin_of, plugin_system
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence

_OF_KARAT = ("column", "labels", "temperature", "others", "signature", "plugin", "system", "arrays", "texts")


@dataclass(frozen=True, slots=True)
class TaggerPlugin:
    """A kind of tagger of another package."""

    plugin: Plugin
    kind: type[Tagger]

    def trained(
        self, text: LabelledWords, column: str, options: Options, seed: int, progress: Progress | None
    ) -> PluginTagger:
        """A tagger that has learnt from the text."""
        with self.plugin.calling():
            return self._wrapped(self.kind.trained(text, column, options, seed, progress), column, text.labels)

    def from_parts(self, model: Model, column: str, labels: tuple[str, ...]) -> PluginTagger:
        """The tagger that was kept."""
        with self.plugin.calling():
            return self._wrapped(self.kind.from_parts(model, column, labels), column, labels)

    def _wrapped(self, tagger: Any, column: str, labels: tuple[str, ...]) -> PluginTagger:
        if not isinstance(tagger, Tagger) or (tagger.column, tuple(tagger.labels)) != (column, labels):
            raise self.plugin.refusal("K974", "returns a tagger with a different column or different labels")
        return PluginTagger(tagger, self.plugin)


class PluginTagger(Tagger):
    """A tagger of another package. Whatever it raises is a `DataError` that names the package (K973, K974)."""

    system: ClassVar[str] = ""

    def __init__(self, of: Tagger, plugin: Plugin) -> None:
        super().__init__(of.column, tuple(of.labels))
        self.of, self.plugin = of, plugin
        self.system = plugin.name  # type: ignore[misc]

    @classmethod
    def trained(cls, text: LabelledWords, column: str, options: Any, seed: int, progress: Progress | None) -> Any:
        raise NotImplementedError("a TaggerPlugin trains")

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Any:
        raise NotImplementedError("a TaggerPlugin reads what was kept")

    def options(self) -> Mapping[str, Any]:
        with self.plugin.calling():
            return dict(self.of.options())

    def options_of_parts(self) -> Any:
        with self.plugin.calling():
            return self.of.options_of_parts()

    def learnt(self) -> list[str] | None:
        with self.plugin.calling():
            return self.of.learnt()

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        with self.plugin.calling():
            found = self.of.tagging(words, with_probabilities=with_probabilities)
            tags, scores = np.asarray(found.tags), np.asarray(found.log_probabilities)
        if tags.shape != (len(words),) or tags.dtype.kind not in "iu":
            raise self._unusable(f"returns tags of shape {tags.shape} and type {tags.dtype} for {len(words):,} words")
        if len(tags) and not (int(tags.min()) >= 0 and int(tags.max()) < len(self.labels)):
            raise self._unusable("returns tags that are not numbers of labels")
        if not with_probabilities:
            return Tagging(tags.astype(np.int32), np.zeros((0, len(self.labels))))
        if scores.shape != (len(words), len(self.labels)) or scores.dtype.kind != "f":
            shape = (len(words), len(self.labels))
            raise self._unusable(
                f"returns log-probabilities of shape {scores.shape} ({scores.dtype}); expected floats of {shape}"
            )
        if np.isnan(scores).any() or (scores == np.inf).any() or (scores == -np.inf).all(axis=1).any():
            raise self._unusable("returns log-probabilities that are NaN, infinite, or -inf for all labels")
        return Tagging(tags.astype(np.int32), scores.astype(np.float64))

    def parts(self) -> Model:
        with self.plugin.calling():
            found = self.of.parts()
            if not isinstance(found, Model) or set(found.header) & set(_OF_KARAT):
                raise self._unusable(f"saves no Model, or one with {', '.join(_OF_KARAT)} in its header")
            if any("\n" in line for lines in found.texts.values() for line in lines):
                raise self._unusable("saves texts with line breaks")
            kept = Model(self.system, found.header, found.arrays, found.texts)
            model_from_bytes(model_bytes(kept))  # so that what cannot be kept is known now
            return kept

    def _unusable(self, what: str) -> DataError:
        return self.plugin.refusal("K974", what, f"report this to the authors of {self.plugin.package}")


def package_of(tagger: Tagger) -> list[tuple[str, str]]:
    """The package that a tagger comes from, as signatures and model files have it; none for karat's own."""
    return [(PLUGIN, tagger.plugin.signed)] if isinstance(tagger, PluginTagger) else []


def tagger_plugin(name: str) -> TaggerPlugin | None:
    """The tagger of this name of another package; a `DataError` if it cannot be used."""
    found = plugin_system(name)
    return None if found is None else checked_tagger(found[0])


def tagger_of_options(options: Options) -> TaggerPlugin:
    """The tagger of another package that these are the options of; a `UsageError` if there is none."""
    plugin = plugin_of(options)
    if plugin is None:
        raise UsageError(f"no system has the options {options!r}")
    return checked_tagger(plugin)


def checked_tagger(plugin: Plugin) -> TaggerPlugin:
    """The tagger that a plug-in is; a `DataError` if it is none, or has another name."""
    kind = plugin.loaded()
    if not isinstance(kind, type) or not issubclass(kind, Tagger) or getattr(kind, "__abstractmethods__", None):
        raise plugin.refusal("K971", "is not a subclass of Tagger with all its methods")
    options_of_plugin(plugin)
    if getattr(kind, "system", None) != plugin.name:
        raise plugin.refusal(
            "K971", f"calls itself {getattr(kind, 'system', None)!r}: its 'system' must be that of the entry point"
        )
    return TaggerPlugin(plugin, kind)
