"""`karat.train_parser` and `karat.load_parser`: a parser whose grammar was read off a treebank, and its file."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from karat.corpus import PathLike
from karat.corpus.claimed_formats import looks_like
from karat.corpus.constituency_trees import Trees
from karat.corpus.files import write_beside
from karat.corpus.formats import is_folder_of_trees, sniffed
from karat.corpus.readers.bracket_folders import bracket_files, read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import read_source
from karat.errors import NO_LINE, DataError, Problem
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.model_file import Model, model_bytes, read_model
from karat.systems.options import PARSERS, PcfgOptions, options_for
from karat.systems.pcfg.parser import SYSTEM, Pcfg
from karat.systems.training import peak_bytes

SCHEMA = "karat/train-parser/1"


@dataclass(frozen=True, eq=False, repr=False)
class TrainedParser(Result):
    """A trained parser, and what it cost."""

    parser: Pcfg
    path: str
    sha256: str
    n_sentences: int
    n_words: int
    train_seconds: float
    peak_bytes: int | None
    inputs: tuple[str, ...]
    written: str | None = None

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return ((self.path, "brackets"),)

    @cached_property
    def file(self) -> bytes:
        """The model's file."""
        parts = self.parser.parts()
        return model_bytes(
            Model(parts.system, {**parts.header, "signature": self.signature}, parts.arrays, parts.texts)
        )

    @cached_property
    def signature(self) -> str:
        """What was trained, how and on which trees."""
        settings = [("system", SYSTEM), *((name, str(value)) for name, value in self.parser.options().items())]
        return signature("train", settings, [("train", self.path, self.sha256)])

    def save(self, path: PathLike) -> TrainedParser:
        """Write the model into one file; the same result comes back, with the file's name. Inputs are kept."""
        write_beside(self.inputs, path, self.file)
        return replace(self, written=os.fspath(path))

    def learnt(self) -> list[str]:
        """The rules of the grammar as lines to read."""
        return self.parser.learnt()

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/train-parser/1."""
        grammar = self.parser.grammar
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "system": SYSTEM,
            "options": dict(self.parser.options()),
            "written": self.written,
            "sentences": self.n_sentences,
            "words": self.n_words,
            "tags": grammar.n_tags,
            "labels": len(grammar.labels) - grammar.n_tags,
            "symbols": grammar.n_symbols,
            "unary_rules": len(grammar.unary),
            "binary_rules": len(grammar.binary),
            "train_seconds": self.train_seconds,
            "peak_bytes": self.peak_bytes,
            "model_bytes": len(self.file),
        }

    def records(self) -> Table:
        """One row."""
        data = self.to_dict()
        names = [name for name in data if name not in ("schema", "signature", "options")]
        row: list[Cell] = [data[name] for name in names]
        return Table(names, [row])


def train_parser(
    trees: Trees | PathLike | Sequence[PathLike],
    *,
    options: PcfgOptions | Mapping[str, Any] | None = None,
) -> TrainedParser:
    """A parser whose grammar is read off bracketed trees: a file, several, or a folder of them."""
    chosen = options if isinstance(options, PcfgOptions) else options_for(SYSTEM, options or {}, PARSERS)
    assert isinstance(chosen, PcfgOptions)
    ours = trees if isinstance(trees, Trees) else read_trees(trees)
    start = time.perf_counter()
    parser = Pcfg.trained(ours, chosen)
    return TrainedParser(
        parser,
        ours.path,
        ours.source.sha256(),
        int((~ours.missing).sum()),
        ours.n_text_words,
        time.perf_counter() - start,
        peak_bytes(),
        tuple(part.path for part in ours.source.parts),
    )


def read_trees(paths: PathLike | Sequence[PathLike]) -> Trees:
    """Trees to learn from; a `DataError` for text that has none."""
    hint = "a parser learns from bracketed trees, as in (S (NP (NNS Dogs)) (VP (VBP bark)))"
    if isinstance(paths, (str, os.PathLike)) and os.path.isdir(paths):
        if bracket_files(paths) and not is_folder_of_trees(paths):
            raise DataError(Problem("K704", "no files of trees in this folder", os.fspath(paths), NO_LINE, hint=hint))
        return read_brackets(paths)
    source = read_source(paths)
    if sniffed(source) != "brackets":
        if not source.text(0, source.size).strip():
            raise DataError(Problem("K104", "the file is empty: there are no trees to learn from", source.path))
        raise DataError(Problem("K704", f"the file has no trees{looks_like(source)}", source.path, hint=hint))
    return brackets_from_source(source)


def load_parser(path: PathLike) -> Pcfg:
    """The parser in a model's file; a `DataError` if the file is none, damaged, or made by a newer karat."""
    model = read_model(path)
    if model.system != SYSTEM:
        raise model.not_what_is_asked_for("a parser", "karat train pcfg")
    return Pcfg.from_model(model)
