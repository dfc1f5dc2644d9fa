"""What is trained in an experiment: karat's own taggers, or any other by its command, behind one small interface."""

from __future__ import annotations

import hashlib
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from karat.corpus import Corpus, corpus_from_source, source_from_bytes
from karat.errors import KaratError
from karat.experiments.external import TIMEOUT, CommandError, check_command, run_command, without_annotation
from karat.experiments.further_tags import with_further_tags
from karat.experiments.memory import peak_since
from karat.systems.dictionaries import MORFEUSZ
from karat.systems.options import Options, settings_of, system_from_text
from karat.tagsets.morfeusz import morfeusz_dictionary

_TAGS = {"nkjp": ("subst:sg:nom:m3", "fin:sg:ter:imperf")}  # some of a tagset, to have kernels compiled with


@dataclass(frozen=True, slots=True)
class Cost:
    """What training took, and how large the model is; None where that is not known."""

    train_seconds: float | None
    peak_bytes: int | None
    model_bytes: int | None


@dataclass(frozen=True, slots=True)
class Output:
    """What a system wrote, the seconds that took, and the most memory it had."""

    data: bytes
    tag_seconds: float
    peak_bytes: int | None


class TrainedSystem(AbstractContextManager["TrainedSystem"], ABC):
    """A system that has learnt from a text, and tags others; what it keeps on disk goes when it is closed."""

    cost: Cost

    @abstractmethod
    def tagged(self, corpus: Corpus) -> Output:
        """The text as the system annotates it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return None


@dataclass(frozen=True, slots=True)
class TrainingText:
    """What a system learns from: a corpus, its dev part if it has one, and where its files are."""

    corpus: Corpus
    dev: Corpus | None


class GridSystem(ABC):
    """A system of a grid. `name` is what cells call it, `identity` all that its results depend on."""

    name: str

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """What decides what the system does, as plain data."""

    @abstractmethod
    def trained(self, text: TrainingText, column: str, seed: int, log: Path) -> TrainedSystem:
        """The system, trained."""


# ---- karat's own -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnTagger(GridSystem):
    """One of karat's taggers with its options.

    With `several`, other tags that are at least so many times as likely as the likeliest one are written, too: in
    MISC, as `XPOSAlt=tag,tag`, with these shares as `XPOSShare=0.4,0.1`.
    """

    name: str
    system: str
    options: Options
    several: float | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """A tagger from `NAME[:option=value,…]`."""
        return cls(text, *system_from_text(text))

    @property
    def identity(self) -> Mapping[str, Any]:
        lexicon = getattr(self.options, "lexicon", None)
        digest = {"lexicon": _lexicon_digest(lexicon)} if lexicon else {}
        several = {} if self.several is None else {"several": self.several}
        rules = getattr(self.options, "rules", None)
        if rules is not None and os.path.isfile(rules):
            digest["rules"] = _digest(rules)
        return {"system": self.system, **dict(settings_of(self.options)), **digest, **several}

    def trained(self, text: TrainingText, column: str, seed: int, log: Path) -> TrainedSystem:
        from karat.systems.training import train

        _warmed(self.system, self.options)
        with peak_since() as peak:
            found = train(self.system, text.corpus, column=column, options=self.options, seed=seed, calibrate=False)
        cost = Cost(found.train_seconds, peak.bytes, len(found.file))
        return _TrainedTagger(found.tagger, cost, self.several)


def _lexicon_digest(lexicon: str) -> str:
    """What a lexicon's tags depend on: its file, or the dictionary of Morfeusz."""
    return morfeusz_dictionary() if lexicon == MORFEUSZ else _digest(lexicon)


def is_own(system: GridSystem) -> bool:
    """Whether a system is one of karat's, which write the column that they learn and no other."""
    return isinstance(system, OwnTagger)


@lru_cache
def _warmed(system: str, options: Options) -> None:
    """Have kernels compiled, or loaded, before time is taken: that happens once a process, whatever is trained."""
    from karat.systems.tagging import tag
    from karat.systems.training import train

    noun, verb = _TAGS.get(str(getattr(options, "tagset", None)), ("NOUN", "VERB"))
    text = source_from_bytes(f"oak\t{noun}\ngrows\t{verb}\n\nash\t{noun}\ngrows\t{verb}\n".encode())
    corpus = corpus_from_source(text, input="tsv", trees=False)
    try:
        tag(train(system, corpus, options=options, calibrate=False).tagger, corpus)
    except KaratError:
        return  # too little for this system, or another tagset: then compiling is in the time of the first training


def _without_annotation(corpus: Corpus) -> Corpus:
    """The words alone, in formats that can be written so."""
    if not corpus.has_fields_in_source:
        return corpus
    source = source_from_bytes(without_annotation(corpus), corpus.path)
    return corpus_from_source(source, input=corpus.format, tag=corpus.names[1], trees=False)


class _TrainedTagger(TrainedSystem):
    """A tagger of karat's, in memory."""

    def __init__(self, tagger: Any, cost: Cost, several: float | None) -> None:
        self.tagger, self.cost, self.several = tagger, cost, several

    def tagged(self, corpus: Corpus) -> Output:
        from karat.systems.tagging import tag

        bare = _without_annotation(corpus)  # or columns that it does not write would be the gold's own
        with peak_since() as peak:
            found = tag(self.tagger, bare, several=self.several is not None, share=self.several)
        files = found.files if self.several is None else with_further_tags(found)
        return Output(b"".join(files), found.tag_seconds, peak.bytes)


# ---- others ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExternalTagger(GridSystem):
    """A system that a command trains and runs.

    `train` and `tag` are two commands, or `train` is empty and `tag` does both: it is called for each test, with the
    same path for {model} and so may train only where that is not there yet.
    """

    name: str
    train: tuple[str, ...]
    tag: tuple[str, ...]
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        if self.train:
            check_command(self.train, ("train", "model"))
            check_command(self.tag, ("model", "input", "output"))
        else:
            check_command(self.tag, ("train", "input", "output"))

    @property
    def identity(self) -> Mapping[str, Any]:
        """The commands, and what is in those of their parts that are files, such as scripts."""
        files = {part: _digest(part) for part in (*self.train, *self.tag) if os.path.isfile(part)}
        return {"train": list(self.train), "tag": list(self.tag), "files": files}

    def trained(self, text: TrainingText, column: str, seed: int, log: Path) -> TrainedSystem:
        return _TrainedCommand(self, text, seed, log)


class _TrainedCommand(TrainedSystem):
    """A command's model in a folder of its own, which is removed at the end."""

    def __init__(self, system: ExternalTagger, text: TrainingText, seed: int, log: Path) -> None:
        self.system, self.log = system, log
        self.folder = tempfile.TemporaryDirectory(prefix="karat-grid-")
        try:
            self.files = {name: os.path.join(self.folder.name, name) for name in ("model", "input", "output")}
            self.files |= {"train": self._written("train.conllu", text.corpus), "seed": str(seed)}
            self.files["dev"] = self._written("dev.conllu", text.dev) if text.dev else os.devnull
            self.cost = self._train()
        except BaseException:
            self.folder.cleanup()
            raise

    def _written(self, name: str, corpus: Corpus) -> str:
        path = os.path.join(self.folder.name, name)
        data = b"".join(corpus.source.part_bytes(part) for part in corpus.source.parts)
        Path(path).write_bytes(data)
        return path

    def _train(self) -> Cost:
        if not self.system.train:
            return Cost(None, None, None)  # it is trained when it tags
        done = run_command(self.system.train, self.files, self.log, self.system.timeout)
        return Cost(done.seconds, done.peak_bytes, _size(self.files["model"]))

    def tagged(self, corpus: Corpus) -> Output:
        path = Path(self.files["output"])
        path.unlink(missing_ok=True)
        Path(self.files["input"]).write_bytes(without_annotation(corpus))
        done = run_command(self.system.tag, self.files, self.log, self.system.timeout)
        if not path.is_file():
            raise CommandError(f"{self.system.tag[0]} wrote no {{output}}")
        self.cost = Cost(self.cost.train_seconds, self.cost.peak_bytes, _size(self.files["model"]))
        return Output(path.read_bytes(), done.seconds, done.peak_bytes)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.folder.cleanup()


def _digest(path: str) -> str:
    """The hash of a file; of one that cannot be read, why."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return str(error.strerror)


def _size(path: str) -> int | None:
    """How large a model is: a file, or all files of a folder; None where there is none."""
    if os.path.isdir(path):
        return sum(one.stat().st_size for one in Path(path).rglob("*") if one.is_file())
    return os.path.getsize(path) if os.path.exists(path) else None
