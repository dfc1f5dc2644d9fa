"""`karat.parse`: sentences with a parser's trees, the number of their parses, and what that cost."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from karat._arrays import Flags
from karat.corpus import Corpus, PathLike, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.files import compressed, write_beside
from karat.corpus.formats import is_folder_of_trees, sniffed
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.model_file import model_digest
from karat.systems.parser_training import TrainedParser, load_parser
from karat.systems.pcfg.parser import ParseOptions, Pcfg, SentenceParse
from karat.systems.tagger import Tagger
from karat.systems.tagging import read_text
from karat.systems.training import load_tagger, peak_bytes
from karat.systems.words import WordSequence

SCHEMA = "karat/parse/1"
SECONDS = 60.0  # that a sentence may take
_MOST_TEXT_DIGITS = 15  # of a number that is only known by its logarithm
TagsFrom = Literal["text", "tagger", "parser"]


@dataclass(frozen=True, eq=False, repr=False)
class Parsed(Result):
    """Sentences and their parses.

    `tags_from` says whose tags were used: the text's own, a tagger's, or those that the parser chose. `column` is the
    column of the text's tags.
    """

    text: Corpus | Trees
    parses: tuple[SentenceParse, ...]
    n_words: tuple[int, ...]
    tags_from: TagsFrom
    column: str | None
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    parse_seconds: float
    peak_bytes: int | None
    seconds: float | None
    written: str | None = None
    parses_written: str | None = None

    @cached_property
    def signature(self) -> str:
        """What was parsed, by what and how."""
        return signature("parse", self.settings, self.inputs)

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return ((self.text.path, self.text.format),)

    @property
    def n_missing(self) -> int:
        """How many sentences have no parse."""
        return sum(one.is_missing for one in self.parses)

    @property
    def n_too_slow(self) -> int:
        """How many sentences have none because they took too long, or had too many words."""
        return sum(one.was_too_slow for one in self.parses)

    @property
    def n_unknown_tags(self) -> int:
        """How many words had a tag that the grammar does not know."""
        return sum(one.n_unknown_tags for one in self.parses)

    @property
    def n_left_out(self) -> int:
        """How many brackets were too doubtful to be written."""
        return sum(one.n_left_out for one in self.parses)

    @cached_property
    def parse_base(self) -> float | None:
        """The geometric mean over sentences of the n-th root of the number of parses [Hogenhout & Matsumoto 1996, §7].

        None if parses were not counted, or no sentence has any.
        """
        roots = [
            one.log_n_parses / n
            for one, n in zip(self.parses, self.n_words, strict=True)
            if one.log_n_parses is not None and math.isfinite(one.log_n_parses)
        ]
        return math.exp(sum(roots) / len(roots)) if roots else None

    @cached_property
    def trees(self) -> bytes:
        """One line a sentence, `(())` for a missing parse."""
        return "".join(f"{one.text}\n" for one in self.parses).encode()

    def write(self, path: PathLike) -> Parsed:
        """Write the trees, one line a sentence; the same result comes back, with the file's name.

        Inputs are kept; .gz, .bz2 and .xz are compressed.
        """
        self._write(path, self.trees)
        return replace(self, written=os.fspath(path))

    def write_numbers_of_parses(self, path: PathLike) -> Parsed:
        """Write the number of parses of each sentence on a line, as `karat score --parses` reads it."""
        lines = (number_from_log(-math.inf if one.log_n_parses is None else one.log_n_parses) for one in self.parses)
        self._write(path, "".join(f"{line}\n" for line in lines).encode())
        return replace(self, parses_written=os.fspath(path))

    def _write(self, path: PathLike, data: bytes) -> None:
        inputs = [*(part.path for part in self.text.source.parts), *(one for _, one, _ in self.inputs)]
        write_beside(inputs, path, compressed(data, os.fspath(path)))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/parse/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "written": self.written,
            "parses_written": self.parses_written,
            "sentences": len(self.parses),
            "words": sum(self.n_words),
            "missing": self.n_missing,
            "too_slow": self.n_too_slow,
            "tags_from": self.tags_from,
            "column": self.column,
            "unknown_tags": self.n_unknown_tags,
            "brackets_left_out": self.n_left_out,
            "log_probability": sum(one.log_probability for one in self.parses if not one.is_missing),
            "parse_base": self.parse_base,
            "parse_seconds": self.parse_seconds,
            "peak_bytes": self.peak_bytes,
        }

    def records(self) -> Table:
        """One row."""
        data = self.to_dict()
        names = [name for name in data if name not in ("schema", "signature")]
        row: list[Cell] = [data[name] for name in names]
        return Table(names, [row])


def number_from_log(log: float) -> str:
    """A whole number from its logarithm: exact while a logarithm can say so, else its first digits and zeros.

    >>> number_from_log(math.log(12345)), len(number_from_log(1000.0)), number_from_log(-math.inf)
    ('12345', 435, '0')
    """
    if log == -math.inf:
        return "0"
    if log < _MOST_TEXT_DIGITS * math.log(10):
        return str(round(math.exp(log)))
    exponent, fraction = divmod(log / math.log(10), 1)
    digits = str(round(10**fraction * 10 ** (_MOST_TEXT_DIGITS - 1)))
    return digits.ljust(int(exponent) + 1, "0")


def parse(
    parser: Pcfg | TrainedParser | PathLike,
    text: Corpus | Trees | PathLike | Sequence[PathLike],
    *,
    tagger: Tagger | PathLike | None = None,
    count: bool = False,
    threshold: float = 0.0,
    beam: float | None = None,
    seconds: float | None = SECONDS,
    jobs: int = 1,
    input: str | None = None,
    progress: Progress | None = None,
) -> Parsed:
    """The trees that a parser, which may be a model's file, gives sentences.

    The text may be trees, tagged text, CoNLL-U, or a sentence a line. The tags of words are used where there are any,
    unless a tagger is given; in CoNLL-U those of XPOS or UPOS, whichever the grammar knows better. With `count`, parses
    are counted. Brackets whose probability is below the `threshold` are left out. With a `beam`, phrases that are that
    many times less likely than the best around the same words are not followed up (a logarithm). A sentence that takes
    longer than so many `seconds` has no parse; None: as long as it takes.
    """
    how = _options(threshold, beam, seconds, count, jobs)
    path = None if isinstance(parser, (Pcfg, TrainedParser)) else os.fspath(parser)
    loaded = parser.parser if isinstance(parser, TrainedParser) else parser
    ours = loaded if isinstance(loaded, Pcfg) else load_parser(loaded)
    tagger_path = None if tagger is None or isinstance(tagger, Tagger) else os.fspath(tagger)
    tagging = load_tagger(tagger) if tagger is not None and not isinstance(tagger, Tagger) else tagger
    read = text if isinstance(text, (Corpus, Trees)) else _read(text, input)
    sentences = _sentences(read)
    start = time.perf_counter()
    tags, tags_from, column = _tags(ours, read, sentences, tagging)
    ours.prepare(how)
    parses = _parsed(ours, sentences, tags, how, jobs, progress)
    took = time.perf_counter() - start
    inputs = [(role, one, model_digest(one)) for role, one in (("model", path), ("tagger", tagger_path)) if one]
    settings = [("system", ours.system), *((name, str(value)) for name, value in ours.options().items())]
    settings += [("tags", tags_from), *([("column", column)] if column else [])]
    settings += [("threshold", f"{threshold:g}")] if threshold else []
    settings += [("beam", f"{beam:g}")] if beam is not None else []
    settings += [("seconds", f"{seconds:g}")] if seconds is not None else []
    return Parsed(
        read,
        tuple(parses),
        tuple(len(one) for one in sentences),
        tags_from,
        column,
        tuple(settings),
        (*inputs, ("text", read.path, read.source.sha256())),
        took,
        peak_bytes(),
        seconds,
    )


def _options(threshold: float, beam: float | None, seconds: float | None, count: bool, jobs: int) -> ParseOptions:
    if not 0 <= threshold <= 1:
        raise UsageError(f"`threshold={threshold:g}`: it must be between 0 and 1")
    if beam is not None and not beam > 0:
        raise UsageError(f"`beam={beam:g}`: it must be above 0")
    if jobs < 1:
        raise UsageError(f"{jobs} jobs: there must be at least one")
    if seconds is not None and not seconds > 0:
        raise UsageError(f"`seconds={seconds:g}`: it must be above 0")
    return ParseOptions(math.inf if beam is None else beam, seconds, threshold, count)


def _read(text: PathLike | Sequence[PathLike], input: str | None) -> Corpus | Trees:
    """Trees or words, whichever the text has; of a folder its trees, or its CoNLL-U."""
    if isinstance(text, (str, os.PathLike)) and os.path.isdir(text):
        has_trees = input == "brackets" or (input is None and is_folder_of_trees(text))
        return read_brackets(text) if has_trees else read_text(text, "xpos", input)
    source = read_source(text)
    if (sniffed(source) if input is None else input) == "brackets":
        return brackets_from_source(source)
    return read_text(text if text != "-" else source, "xpos", input)


def _sentences(text: Corpus | Trees) -> list[list[str]]:
    """The words of each sentence, without traces."""
    if isinstance(text, Trees):
        kept: Flags = ~text.traces
        forms = text.forms[np.flatnonzero(kept)].strings()
        bounds = np.append(0, np.cumsum(text.tally_words(kept))).tolist()
    else:
        column = text.column("form")
        strings = column.vocabulary.strings
        forms = [strings[one] for one in column.ids.tolist()]
        bounds = text.sentence_offsets.tolist()
    return [forms[a:b] for a, b in pairwise(bounds)]


def _tags(
    parser: Pcfg, text: Corpus | Trees, sentences: Sequence[Sequence[str]], tagger: Tagger | None
) -> tuple[list[str] | None, TagsFrom, str | None]:
    """The tags of all words, whose they are, and of which column."""
    if tagger is not None:
        known: dict[str, int] = {}
        ids = np.array([known.setdefault(form, len(known)) for one in sentences for form in one], dtype=np.int32)
        offsets = np.append(0, np.cumsum([len(one) for one in sentences])).astype(np.intp)
        tags = tagger.tag(WordSequence(list(known), ids, offsets))
        return [tagger.labels[one] for one in tags.tolist()], "tagger", tagger.column
    if isinstance(text, Trees):
        return text.tags[np.flatnonzero(~text.traces)].strings(), "text", None
    best, best_known = None, 0.0
    for column in ("xpos", "upos"):
        if text.has(column):
            values = text.column(column).strings()
            share = sum(map(parser.knows_tag, values)) / max(len(values), 1)
            if best is None or share > best_known:
                best, best_known = (values, column), share
    return (best[0], "text", best[1]) if best else (None, "parser", None)


def _parsed(
    parser: Pcfg,
    sentences: Sequence[Sequence[str]],
    tags: Sequence[str] | None,
    how: ParseOptions,
    jobs: int,
    progress: Progress | None,
) -> list[SentenceParse]:
    """The parse of each sentence; long ones count for more in what is told of progress."""
    bounds = np.append(0, np.cumsum([len(one) for one in sentences])).tolist()
    work = [float(len(one)) ** 3 for one in sentences]
    done, total = 0.0, max(sum(work), 1.0)

    def parsed(number: int) -> SentenceParse:
        of_words = None if tags is None else tags[bounds[number] : bounds[number + 1]]
        return parser.parse(sentences[number], of_words, how)

    found = []
    for number, one in enumerate(_in_threads(parsed, len(sentences), jobs)):
        found.append(one)
        done += work[number]
        if progress is not None:
            progress(done / total)
    return found


def _in_threads(function: Any, n: int, jobs: int) -> Iterator[SentenceParse]:
    """The results for numbers below n, in order; compiled loops let other threads work."""
    if jobs == 1:
        yield from map(function, range(n))
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(function, range(n))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
