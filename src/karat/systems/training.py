"""`karat.train`: a tagger that has learnt from a corpus, calibrated on parts that it had not seen, and its cost."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats, Ids
from karat.corpus import Corpus, PathLike, corpus_from_source, read_source, sniffed
from karat.corpus.files import write_beside
from karat.corpus.formats import ANALYSED, is_folder_of_trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.tagged_trees import corpus_of_trees
from karat.entry_points import PLUGIN
from karat.errors import UsageError
from karat.gold.treebank_folders import treebank_parts
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.brill import Brill
from karat.systems.calibration import Calibration, calibration_from, expected_calibration_error
from karat.systems.categories import tag_categories
from karat.systems.category_perceptron import CategoryPerceptron
from karat.systems.dictionaries import MORFEUSZ, with_lexicon_labels
from karat.systems.folds import folds_of
from karat.systems.hmm import Hmm
from karat.systems.layered_trees import LayeredTrees
from karat.systems.model_file import NO_TAGGERS, Model, model_bytes, read_model
from karat.systems.most_frequent import MostFrequent
from karat.systems.options import SYSTEMS, Options, PerceptronOptions, options_for, plugin_system
from karat.systems.perceptron import Perceptron
from karat.systems.plugin_taggers import TaggerPlugin, package_of, tagger_of_options, tagger_plugin
from karat.systems.relaxation.tagger import Relaxation
from karat.systems.tagger import Tagger
from karat.systems.words import LabelledWords, columns_of, labelled_words, parts_of

SCHEMA = "karat/train/1"
_TAGGERS: Mapping[str, type[Tagger]] = {
    one.system: one for one in (Perceptron, Hmm, Relaxation, LayeredTrees, Brill, MostFrequent)
}
_KEPT: Mapping[str, type[Tagger]] = {**_TAGGERS, CategoryPerceptron.kept_as: CategoryPerceptron}  # by model files
_N_FOLDS = 10
_ENOUGH_WORDS = 2000  # held out, for a temperature


def peak_bytes() -> int | None:
    """The most memory that the process had at any time; None where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    import sys

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@dataclass(frozen=True, eq=False, repr=False)
class Trained(Result):
    """A trained tagger, and what it cost.

    `calibration_error` is the expected calibration error of probabilities on words that the model had not seen,
    `accuracy` how many of these it tags as the corpus does; None where a corpus is too small to hold any out.
    `why_column` says why it learnt another column than UPOS, where none was named.
    """

    tagger: Tagger
    path: str
    sha256: str
    n_sentences: int
    n_words: int
    seed: int
    n_held_out: int
    accuracy: float | None
    calibration_error: float | None
    train_seconds: float
    calibration_seconds: float
    peak_bytes: int | None
    formats: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    why_column: str | None = None
    written: str | None = None

    @cached_property
    def file(self) -> bytes:
        """The model's file."""
        tagger = self.tagger
        parts = tagger.parts()
        header = {
            "column": tagger.column,
            "labels": list(tagger.labels),
            "temperature": tagger.calibration.temperature,
            "others": tagger.calibration.others,
            "signature": self.signature,
            **dict(package_of(tagger)),
            **parts.header,
        }
        return model_bytes(Model(parts.system, header, parts.arrays, parts.texts))

    @cached_property
    def signature(self) -> str:
        """What was trained, how and on which text."""
        settings = [("system", self.tagger.system), ("column", self.tagger.column)]
        settings += [(name, str(value)) for name, value in self.tagger.options().items() if value is not None]
        settings += [("seed", str(self.seed)), *package_of(self.tagger)]
        return signature("train", settings, [("train", self.path, self.sha256)])

    def save(self, path: PathLike) -> Trained:
        """Write the model into one file; the same result comes back, with the file's name. Inputs are kept."""
        write_beside(self.inputs, path, self.file)
        return replace(self, written=os.fspath(path))

    def learnt(self) -> list[str]:
        """What the tagger has learnt as lines to read; a `UsageError` if that cannot be read."""
        lines = self.tagger.learnt()
        if lines is None:
            raise UsageError(f"what {self.tagger.system} learns are numbers: there is nothing to show")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/train/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "system": self.tagger.system,
            "options": dict(self.tagger.options()),
            "column": self.tagger.column,
            "seed": self.seed,
            "written": self.written,
            "sentences": self.n_sentences,
            "words": self.n_words,
            "tags": len(self.tagger.labels),
            "held_out_words": self.n_held_out,
            "held_out_accuracy": self.accuracy,
            "expected_calibration_error": self.calibration_error,
            "train_seconds": self.train_seconds,
            "calibration_seconds": self.calibration_seconds,
            "peak_bytes": self.peak_bytes,
            "model_bytes": len(self.file),
        }

    def records(self) -> Table:
        """One row."""
        data = self.to_dict()
        names = [name for name in data if name not in ("schema", "signature", "options")]
        row: list[Cell] = [data[name] for name in names]
        return Table(names, [row])


def train(
    system: str,
    corpus: Corpus | PathLike | Sequence[PathLike],
    *,
    column: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
    seed: int = 0,
    input: str | None = None,
    calibrate: bool = True,
    progress: Progress | None = None,
) -> Trained:
    """A tagger trained on a corpus: system is one of those that `karat train` has.

    Of a treebank's folder, its train part is used. `column` is what the tagger learns: upos, xpos, feats, deprel,
    lemma, misc, or several together as in upos+feats; by default upos, but xpos where words have interpretations (XCES
    and the like) or no UPOS. `options` are those of the system. To calibrate probabilities it is first trained on nine
    tenths of the text and tried on the rest, whole documents where there are enough.
    """
    chosen = _options(system, options)
    corpus = corpus if isinstance(corpus, Corpus) else read_words(_train_part(corpus), column, input)
    column, why_column = column_to_learn(corpus, column)
    _refuse_own_lexicon(corpus, getattr(chosen, "lexicon", None))
    text = with_lexicon_labels(labelled_words(corpus, column), getattr(chosen, "lexicon", None), column)
    if (tagset := getattr(chosen, "tagset", None)) is not None:
        tag_categories(text.labels, tagset, corpus.path)  # so that the corpus is named where tags do not fit
    held_out = _held_out_parts(corpus, seed) if calibrate else []
    tagger, train_seconds = _timed(text, column, chosen, seed, _nth(progress, 0, 1 + len(held_out)))
    chosen_of_parts = tagger.options_of_parts()
    calibration_seconds = 0.0
    scores, labels = [np.zeros((0, len(text.labels)))], [np.zeros(0, dtype=np.int32)]
    for number, part in enumerate(held_out, start=1):
        rest = text.chosen(np.flatnonzero(~part))
        other, seconds = _timed(rest, column, chosen_of_parts, seed, _nth(progress, number, 1 + len(held_out)))
        of_part = text.chosen(np.flatnonzero(part))
        scores.append(other.log_probabilities(of_part.words))
        labels.append(of_part.label_ids)
        calibration_seconds += seconds
    log_probabilities, right = np.concatenate(scores), np.concatenate(labels)
    tagger.calibration = calibration_from(log_probabilities, right) if len(right) else Calibration()
    return Trained(
        tagger,
        corpus.path,
        corpus.source.sha256(),
        corpus.n_sentences,
        corpus.n_words,
        seed,
        len(right),
        float((log_probabilities.argmax(axis=1) == right).mean()) if len(right) else None,
        _cross_fitted_error(log_probabilities, right) if len(right) > 1 else None,
        train_seconds,
        calibration_seconds,
        peak_bytes(),
        ((corpus.path, corpus.format),),
        (*(part.path for part in corpus.source.parts), *_files_of(chosen)),
        why_column,
    )


def _refuse_own_lexicon(corpus: Corpus, lexicon: str | None) -> None:
    """A `UsageError` if the lexicon is the text itself: no word of it would ever look unknown."""
    own = {os.path.realpath(part.path) for part in corpus.source.parts}
    if lexicon is not None and lexicon != MORFEUSZ and os.path.realpath(lexicon) in own:
        raise UsageError(f"{lexicon} is the training text itself: give another lexicon, or none")


def _files_of(options: Options) -> list[str]:
    """The files that options name: a lexicon, constraints, rules."""
    named = (getattr(options, name, None) for name in ("lexicon", "constraints_file", "rules"))
    return [one for one in named if one not in (None, MORFEUSZ)]


def _train_part(corpus: PathLike | Sequence[PathLike]) -> PathLike | Sequence[PathLike]:
    """Of a treebank's folder the files of its train part, else what was given: also a folder of bracketed trees."""
    if is_folder_of_trees(corpus):
        return corpus
    (part,) = treebank_parts(corpus, ("train",)).values()
    assert not isinstance(part, Corpus)
    return part


def _options(system: str, options: Options | Mapping[str, Any] | None) -> Options:
    if options is None or isinstance(options, Mapping):
        return options_for(system, options or {})
    found = None if system in SYSTEMS else plugin_system(system)
    kind = SYSTEMS.get(system) if found is None else found[1]
    if kind is None or not isinstance(options, kind):
        raise UsageError(f"these are no options of {system}: {options!r}")
    return options


def read_words(path: PathLike | Sequence[PathLike], column: str | None, input: str | None) -> Corpus:
    """A corpus to learn a column from; dependencies need not be trees. Of bracketed trees, the words and their tags."""
    if is_folder_of_trees(path):
        assert isinstance(path, (str, os.PathLike))
        return corpus_of_trees(read_brackets(path), tag=column or "xpos")
    source = read_source(path)
    format_ = sniffed(source) if input is None else input
    if format_ == "brackets":
        return corpus_of_trees(brackets_from_source(source), tag=column or "xpos")
    tag = column.lower().partition("+")[0] if column else "xpos" if format_ in ANALYSED else "upos"
    return corpus_from_source(source, input=format_, tag=tag, trees=False)


def column_to_learn(corpus: Corpus, column: str | None) -> tuple[str, str | None]:
    """The column that was named; else UPOS, or XPOS where there is only that, and why."""
    if column is not None or corpus.has("upos") or not corpus.has("xpos"):
        return column or "upos", None
    if corpus.format in ANALYSED:
        return "xpos", f"Column xpos: the tags of {corpus.format.upper()} are read as XPOS."
    return "xpos", f"Column xpos: {corpus.path} has no UPOS."


def trained_tagger(
    text: LabelledWords, column: str, options: Options, seed: int, progress: Progress | None = None
) -> Tagger:
    """The tagger that these are the options of, trained."""
    if type(options) not in SYSTEMS.values():
        return tagger_of_options(options).trained(text, column.lower(), options, seed, progress)
    (tagger,) = (one for name, one in _TAGGERS.items() if SYSTEMS.get(name) is type(options))
    if isinstance(options, PerceptronOptions) and options.tagset is not None:
        tagger = CategoryPerceptron
    return tagger.trained(text, column.lower(), options, seed, progress)


def _timed(
    text: LabelledWords, column: str, options: Options, seed: int, progress: Progress | None
) -> tuple[Tagger, float]:
    """A trained tagger and how many seconds it took."""
    start = time.perf_counter()
    tagger = trained_tagger(text, column, options, seed, progress)
    return tagger, time.perf_counter() - start


def _nth(progress: Progress | None, number: int, n: int) -> Progress | None:
    """Progress of one of several trainings as a part of all."""
    return None if progress is None else lambda share: progress((number + share) / n)


def _held_out_parts(corpus: Corpus, seed: int) -> list[Flags]:
    """Tenths of the sentences to hold out, one after the other: as many as it takes to have enough words."""
    n_folds = min(_N_FOLDS, corpus.n_sentences)
    if n_folds < 2:
        return []
    fold = folds_of(corpus, n_folds, None, seed)
    n_words = np.cumsum(np.bincount(fold, weights=np.diff(corpus.sentence_offsets), minlength=n_folds))
    n_needed = int(np.searchsorted(n_words, _ENOUGH_WORDS)) + 1
    return [fold == number for number in range(min(n_needed, n_folds))]


def _cross_fitted_error(log_probabilities: Floats, right: Ids) -> float:
    """The expected calibration error of halves of the words, each with the calibration that fits the other half."""
    half = np.arange(len(right)) % 2 == 0
    probabilities = np.empty_like(log_probabilities)
    for one in (half, ~half):
        probabilities[one] = calibration_from(log_probabilities[~one], right[~one]).probabilities(
            log_probabilities[one]
        )
    return expected_calibration_error(probabilities.max(axis=1), probabilities.argmax(axis=1) == right)


def load_tagger(path: PathLike) -> Tagger:
    """The tagger in a model's file; a `DataError` if the file is none, damaged, or made by a newer karat."""
    model = read_model(path)
    kind: type[Tagger] | TaggerPlugin | None = _KEPT.get(model.system)
    if model.system in NO_TAGGERS:
        raise model.not_what_is_asked_for("a tagger", "karat train perceptron")
    kind = kind or tagger_plugin(model.system)
    if kind is None:
        package = model.header.get(PLUGIN)
        hint = f"install {package.replace('@', ' ')}" if isinstance(package, str) else "train a tagger with karat train"
        raise model.problem(f"a model of an unknown system, {model.system!r}", hint=hint)
    labels = model.value("labels", list)
    temperature, others = model.value("temperature", (int, float)), model.value("others", (int, float))
    column = model.value("column", str)
    try:
        n_columns = len(columns_of(column))
    except UsageError:
        raise model.problem(f"a column that cannot be tagged: {column!r}") from None
    are_strings = all(isinstance(one, str) and one and not set(one) & set("\t\n\r\0") for one in labels)
    if not labels or not are_strings or len({*labels}) < len(labels):
        raise model.problem("labels are no strings, or not different ones")
    if any(len(parts_of(one, n_columns)) != n_columns for one in labels):
        raise model.problem("labels do not fit the columns")
    if not 0 < temperature < float("inf") or not 0 <= others < 1:
        raise model.problem("the calibration is no calibration")
    tagger = kind.from_parts(model, column, tuple(labels))
    tagger.calibration = Calibration(float(temperature), float(others))
    return tagger
