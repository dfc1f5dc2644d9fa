"""`karat.tag` and `karat.tag_folds`: text with a tagger's tags, several tags or probabilities, and what that cost."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import Ragged, offsets_of
from karat.corpus import Corpus, PathLike, Source, corpus_from_source, read_source, sniffed, source_from_bytes
from karat.corpus.documents_from_comments import document_comment, with_documents
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.whole_columns import bytes_with_columns
from karat.corpus.write import edited_bytes, edits_of, part_targets, write_parts
from karat.errors import DataError, Problem, UsageError
from karat.gold.treebank_folders import treebank_whole
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.calibration import calibration_from, expected_calibration_error
from karat.systems.dictionaries import with_lexicon_labels
from karat.systems.folds import FoldBy, folds_of
from karat.systems.model_file import model_digest
from karat.systems.options import Options, settings_of, system_from_text
from karat.systems.plugin_taggers import package_of
from karat.systems.tagger import Tagger
from karat.systems.training import Trained, column_to_learn, load_tagger, peak_bytes, read_words, trained_tagger
from karat.systems.words import LabelledWords, columns_of, labelled_words, parts_of, words_of
from karat.tagsets import TagMap, read_tag_map

SCHEMA = "karat/tag/1"
LEAST_SHARE = 0.1  # of the likeliest tag's probability that another must have, where several are given
_LEAST_PROBABILITY = 0.0005  # what is below is not written
_ENOUGH_WORDS = 20_000  # for a calibration
_NO_TAG = "_"
_PROMISED = {".conllu": ("conllu",), ".xml": ("xces", "ccl")}  # what a file of such a name is taken to be


@dataclass(frozen=True, eq=False, repr=False)
class Tagged(Result):
    """A text and the tags that a tagger gives its words.

    `tags` are numbers among the `labels`. `several` are the tags of each word that are likely enough, with their
    probabilities, where these were asked for; `with_probabilities` says that these are to be written. `agreement` is
    the share of words that had the same label before (None if they had none), `calibration_error` the expected
    calibration error by these labels. `as_lines` says that lines of form and tag are written, whatever the text's
    format. `why_column` is as for `Trained`.
    """

    corpus: Corpus
    column: str
    labels: tuple[str, ...]
    tags: Ids
    several: Ragged | None
    with_probabilities: bool
    agreement: float | None
    calibration_error: float | None
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    tag_seconds: float
    train_seconds: float | None
    peak_bytes: int | None
    model_bytes: int | None
    why_column: str | None = None
    as_lines: bool = False
    written: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was tagged, by what."""
        return signature("tag", self.settings, self.inputs)

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return ((self.corpus.path, self.corpus.format),)

    @property
    def format(self) -> str:
        """The format that is written: that of the text, or tsv."""
        return "tsv" if self._are_lines else self.corpus.format

    @property
    def _are_lines(self) -> bool:
        has_room = self.corpus.format == "conllu" or len(columns_of(self.column)) == 1
        return self.as_lines or self.several is not None or not has_room or not self.corpus.can_be_written

    @cached_property
    def files(self) -> list[bytes]:
        """The tagged text: each of its files, or all of it as lines of form and tags."""
        if self._are_lines:
            return [self._lines()]
        if not self.corpus.has_fields_in_source:
            return self._with_other_choices()
        columns = columns_of(self.column)
        values = zip(*(parts_of(label, len(columns)) for label in self.labels), strict=True)
        names = columns if self.corpus.format == "conllu" else [self.corpus.names[1]]
        return bytes_with_columns(self.corpus, {name: (self.tags, of) for name, of in zip(names, values, strict=True)})

    def _with_other_choices(self) -> list[bytes]:
        """The files of a text whose words have interpretations, with others chosen where the tag is another."""
        corpus, name = self.corpus, self.corpus.names[1]
        before = corpus.column(name).strings()
        new = [self.labels[tag] for tag in self.tags.tolist()]
        changes = {(word, name): tag for word, tag in enumerate(new) if tag != before[word]}
        edits, refused = edits_of(corpus, changes)
        if refused:
            hint = "write lines of form and tag: to a file whose name ends in .tsv"
            whys = ((corpus.place_of_word(word), why) for word, (why, _) in refused.items())
            raise DataError([Problem("K742", why, *place, hint=hint) for place, why in whys])
        return [edited_bytes(corpus.source, part, edits) for part in corpus.source.parts]

    def _lines(self) -> bytes:
        """A line for each word: its form and its tag, or several tags, or tags each with its probability."""
        form = self.corpus.column("form")
        forms = [form.vocabulary.strings[number] for number in form.ids.tolist()]
        if self.several is None:
            of_words = [self.labels[number] for number in self.tags.tolist()]
        else:
            assert self.several.weights is not None
            shown = [self.labels[number] for number in self.several.values.tolist()]
            if self.with_probabilities:
                weights = self.several.weights.tolist()
                shown = [f"{label}\t{weight:.6g}" for label, weight in zip(shown, weights, strict=True)]
            offsets = self.several.offsets.tolist()
            of_words = ["\t".join(shown[a:b]) for a, b in itertools.pairwise(offsets)]
        lines = [f"{one}\t{tags}\n" for one, tags in zip(forms, of_words, strict=True)]
        bounds = self.corpus.sentence_offsets.tolist()
        return "\n".join("".join(lines[a:b]) for a, b in itertools.pairwise(bounds)).encode()

    def write(self, path: PathLike) -> Tagged:
        """Write the tagged text; into a folder if it is several files. The same result comes back, with their names.

        A file whose name ends in .tsv has lines of form and tag. One whose name promises another format than the text
        has is refused.
        """
        ending = os.path.splitext(re.sub(r"\.(gz|bz2|xz)$", "", os.fspath(path).lower()))[1]
        if ending == ".tsv" and not self._are_lines and self.corpus.format != "tsv":
            return replace(self, as_lines=True).write(path)
        if self.format not in _PROMISED.get(ending, (self.format,)):
            right = next((one for one, formats in _PROMISED.items() if self.format in formats), ".tsv")
            what = "the tagged text is TSV" if self.format == "tsv" else f"the tagged text is {self.format}"
            raise UsageError(f"{os.fspath(path)}: {what}; choose a name that ends in {right}")
        source = self.corpus.source
        targets = part_targets(source, path, [one for role, one, _ in self.inputs if role == "model"])
        if len(self.files) < len(targets):  # lines of form and tags, of all files together
            targets = [os.fspath(path)]
        write_parts(path, targets, self.files)
        return replace(self, written=tuple(targets))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/tag/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "column": self.column,
            "written": list(self.written),
            "format": self.format,
            "sentences": self.corpus.n_sentences,
            "words": self.corpus.n_words,
            "tags": len(self.labels),
            "tags_per_word": None if self.several is None else len(self.several.values) / max(self.corpus.n_words, 1),
            "same_as_before": self.agreement,
            "expected_calibration_error": self.calibration_error,
            "tag_seconds": self.tag_seconds,
            "train_seconds": self.train_seconds,
            "peak_bytes": self.peak_bytes,
            "model_bytes": self.model_bytes,
        }

    def records(self) -> Table:
        """One row."""
        data = {**self.to_dict(), "written": " ".join(self.written)}
        names = [name for name in data if name not in ("schema", "signature")]
        row: list[Cell] = [data[name] for name in names]
        return Table(names, [row])


def tag(
    tagger: Tagger | Trained | PathLike,
    text: Corpus | PathLike | Sequence[PathLike],
    *,
    several: bool = False,
    probabilities: bool = False,
    share: float | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
) -> Tagged:
    """A text with the tags of a tagger, which may be a model's file.

    With `several`, all tags that are at least `share` times as likely as the likeliest (0.1); with `probabilities`,
    each with its probability: then without a share all that are not next to impossible. `map` maps the tags that words
    had before, so that they can be compared with the tagger's (`karat.score`).
    """
    least = _least_share(share, several=several, probabilities=probabilities)
    tagger = tagger.tagger if isinstance(tagger, Trained) else tagger
    path = None if isinstance(tagger, Tagger) else os.fspath(tagger)
    loaded = tagger if isinstance(tagger, Tagger) else load_tagger(tagger)
    columns = columns_of(loaded.column)
    corpus = text if isinstance(text, Corpus) else read_text(text, loaded.column, input)
    _refuse_no_room(corpus, columns)
    start = time.perf_counter()
    words = words_of(corpus)
    found = loaded.tag(words)
    likely = loaded.probabilities(words, _LEAST_PROBABILITY) if several or probabilities else None
    seconds = time.perf_counter() - start
    mapping = None if map is None else _one_column(map, loaded.column)
    right = _labels_before(corpus if mapping is None else mapping.mapped(corpus, columns), loaded)
    inputs = [("model", path, model_digest(path))] if path else []
    return Tagged(
        corpus,
        loaded.column,
        loaded.labels,
        found,
        None if likely is None else _kept(likely, least),
        probabilities,
        None if right is None else float((found == right).mean()),
        _calibration_error(likely, right),
        (
            ("system", loaded.system),
            *package_of(loaded),
            ("column", loaded.column),
            *_signed(several, probabilities, least),
            *_signed_map(mapping),
        ),
        (*inputs, ("text", corpus.path, corpus.source.sha256())),
        seconds,
        None,
        peak_bytes(),
        os.path.getsize(path) if path else None,
    )


def _whole(path: PathLike | Sequence[PathLike]) -> PathLike | Sequence[PathLike]:
    """Of a treebank's folder all its files, else what was given."""
    whole = treebank_whole(path)
    assert not isinstance(whole, Corpus)
    return whole


def read_text(path: Source | PathLike | Sequence[PathLike], column: str, input: str | None) -> Corpus:
    """A text to tag, which may have no tags: a word a line and blank lines between sentences, or a sentence a line.

    The `input` "text" is a sentence a line, whatever it looks like.
    """
    source = path if isinstance(path, Source) else read_source(_whole(path))
    bare = source.text(0, source.size)
    is_bare = input is None and "\t" not in bare and bare.strip() and sniffed(source) == "conllu"
    if is_bare or input == "text":
        refuse_unreadable(source)
        has_spaces = input == "text" or any(" " in line.strip() for line in bare.split("\n"))
        sentences = bare.split("\n") if has_spaces else re.split(r"\n\s*\n", bare)
        lines = ("".join(f"{word}\t{_NO_TAG}\n" for word in one.split()) for one in sentences)
        source = source_from_bytes("\n".join(filter(None, lines)).encode(), source.path)
        return corpus_from_source(source, input="tsv", tag=columns_of(column)[0], trees=False)
    return corpus_from_source(source, input=input, tag=columns_of(column)[0], trees=False)


def _least_share(share: float | None, *, several: bool, probabilities: bool) -> float:
    """The share of the likeliest tag's probability that a tag must have to be kept."""
    if share is None:
        return LEAST_SHARE if several else 0.0
    if not (several or probabilities):
        raise UsageError("a share needs several tags or probabilities")
    if not 0 < share <= 1:
        raise UsageError(f"share {share:g}: it must be above 0 and at most 1")
    return share


def _signed(several: bool, probabilities: bool, least: float) -> list[tuple[str, str]]:
    if not (several or probabilities):
        return []
    return [("tags", "several"), ("probabilities", "yes" if probabilities else "no"), ("share", f"{least:g}")]


def _one_column(given: PathLike | Mapping[str, str] | TagMap, column: str) -> TagMap:
    """A map of the tags of a column; a `UsageError` for several columns together."""
    if len(columns_of(column)) > 1:
        raise UsageError(f"tags of one column can be mapped, not those of {column}")
    return read_tag_map(given)


def _signed_map(mapping: TagMap | None) -> list[tuple[str, str]]:
    return [] if mapping is None else [("map", mapping.signed)]


def _refuse_no_room(corpus: Corpus, columns: tuple[str, ...]) -> None:
    """A `UsageError` if tags of several columns cannot be written into a format with one."""
    if len(columns) > 1 and corpus.format == "slash":
        raise UsageError(f"{corpus.path}: running text has room for one tag, and the model gives {'+'.join(columns)}")


def _kept(found: Ragged, least: float) -> Ragged:
    """The tags that are likely enough beside the likeliest, with probabilities that sum to 1 again."""
    assert found.weights is not None
    best = np.repeat(found.weights[found.offsets[:-1]], found.sizes)
    kept = found.weights >= least * best
    sizes = np.add.reduceat(kept, found.offsets[:-1]) if len(found) else np.zeros(0, dtype=np.intp)
    offsets = offsets_of(sizes)
    weights = found.weights[kept]
    totals = np.add.reduceat(weights, offsets[:-1]) if len(found) else np.zeros(0)
    return Ragged(offsets, found.values[kept], weights / np.repeat(totals, sizes))


def _labels_before(corpus: Corpus, tagger: Tagger) -> Ids | None:
    """The numbers of the labels that words had before, -1 for those that the tagger does not know; None if none had."""
    if not all(corpus.has(one) for one in columns_of(tagger.column)):
        return None
    before = labelled_words(corpus, tagger.column)
    number = {label: place for place, label in enumerate(tagger.labels)}
    return np.array([number.get(label, -1) for label in before.labels], dtype=np.int32).take(before.label_ids)


# ---- out of fold -----------------------------------------------------------------------------------------------------


def tag_folds(
    system: str | tuple[str, Options],
    corpus: Corpus | PathLike | Sequence[PathLike],
    *,
    column: str | None = None,
    folds: int = 10,
    fold_by: FoldBy | None = None,
    document_from: str | None = None,
    document_pattern: str | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    several: bool = False,
    probabilities: bool = False,
    share: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    input: str | None = None,
    progress: Progress | None = None,
) -> Tagged:
    """A corpus tagged part by part, each by a tagger that was trained on all others.

    `system` is a name with options, as in `hmm:order=1`. By default whole documents are held out where there are
    enough; `document_from` names a comment of sentences that says which document each is from, with a
    `document_pattern` if it says more (`karat.score`). `map` maps the tags that are learnt. Probabilities are
    calibrated on all these words, none of which its tagger had seen. The result does not depend on `jobs`.
    """
    least = _least_share(share, several=several, probabilities=probabilities)
    name, options = system_from_text(system) if isinstance(system, str) else system
    documents = document_comment(document_from, document_pattern)
    corpus = corpus if isinstance(corpus, Corpus) else read_words(_whole(corpus), column, input)
    corpus = with_documents(corpus, documents)
    column, why_column = column_to_learn(corpus, column)
    _refuse_no_room(corpus, columns_of(column))
    mapping = None if map is None else _one_column(map, column)
    text = labelled_words(corpus if mapping is None else mapping.mapped(corpus, [column]), column)
    text = with_lexicon_labels(text, getattr(options, "lexicon", None), column)
    fold = folds_of(corpus, folds, fold_by, seed)
    wanted = several or probabilities
    start = time.perf_counter()

    found = out_of_fold(text, fold, column, options, seed=seed, jobs=jobs, with_scores=wanted, progress=progress)
    tags, weighted, train_seconds = found.tags, found.likely, found.train_seconds
    settings = [("system", name), ("column", column), *settings_of(options), ("folds", str(folds))]
    settings += [("fold-by", fold_by or "auto"), ("seed", str(seed)), *_signed(several, probabilities, least)]
    settings += [*_signed_map(mapping), *(documents.signed() if documents else [])]
    return Tagged(
        corpus,
        column.lower(),
        text.labels,
        tags,
        None if weighted is None else _kept(weighted, least),
        probabilities,
        float((tags == text.label_ids).mean()),
        _calibration_error(weighted, text.label_ids),
        tuple(settings),
        (("text", corpus.path, corpus.source.sha256()),),
        time.perf_counter() - start - (train_seconds if jobs == 1 else 0),
        train_seconds,
        peak_bytes(),
        None,
        why_column,
    )


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFold:
    """What taggers say of words that they have not seen: a tag each, the likely ones if asked for, and what it took."""

    tags: Ids
    likely: Ragged | None
    train_seconds: float


def out_of_fold(
    text: LabelledWords,
    fold: Indices,
    column: str,
    options: Options,
    *,
    seed: int = 0,
    jobs: int = 1,
    with_scores: bool = True,
    progress: Progress | None = None,
) -> OutOfFold:
    """Each fold of the sentences tagged by a tagger that was trained on the others."""
    n_folds = int(fold.max()) + 1

    def of_fold(number: int) -> _Part:
        return _part(text, fold == number, column, options, seed, with_scores=with_scores)

    parts: list[_Part] = []
    with ThreadPoolExecutor(jobs) as pool:  # kernels run without Python's lock
        for number, one in enumerate(pool.map(of_fold, range(n_folds)), start=1):
            parts.append(one)
            if progress is not None:
                progress(number / n_folds)
    tags = np.zeros(len(text.words), dtype=np.int32)
    for one in parts:
        tags[one.words] = one.tags
    return OutOfFold(tags, _together(parts) if with_scores else None, sum(one.train_seconds for one in parts))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A fold that a tagger tagged that was trained on the others: which words, their tags, and the likely ones."""

    words: Indices
    tags: Ids
    likely: Ragged | None
    train_seconds: float


def _part(
    text: LabelledWords, is_held_out: Flags, column: str, options: Options, seed: int, *, with_scores: bool
) -> _Part:
    start = time.perf_counter()
    tagger = trained_tagger(text.chosen(np.flatnonzero(~is_held_out)), column, options, seed)
    seconds = time.perf_counter() - start
    sentences = np.flatnonzero(is_held_out)
    words, places = text.words.chosen(sentences)
    likely = None
    if with_scores:
        step = len(places) // _ENOUGH_WORDS + 1  # for one number, some sentences are enough
        some = text.chosen(sentences[::step])
        tagger.calibration = calibration_from(tagger.log_probabilities(some.words), some.label_ids)
        likely = tagger.probabilities(words, _LEAST_PROBABILITY)
    return _Part(places, tagger.tag(words), likely, seconds)


def _together(parts: Sequence[_Part]) -> Ragged:
    """The likely tags of all words, in the order of the text."""
    likely = [one.likely for one in parts if one.likely is not None]
    offsets = offsets_of(np.concatenate([one.sizes for one in likely]))
    weights = np.concatenate([one.weights for one in likely if one.weights is not None])
    every = Ragged(offsets, np.concatenate([one.values for one in likely]), weights)
    return every.taken(np.argsort(np.concatenate([one.words for one in parts]), kind="stable"))


def _calibration_error(likely: Ragged | None, right: Ids | None) -> float | None:
    """The expected calibration error of probabilities by the labels that words had."""
    if likely is None or right is None or likely.weights is None:
        return None
    first = likely.offsets[:-1]
    return expected_calibration_error(likely.weights[first], likely.values[first] == right)
