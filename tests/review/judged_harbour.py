"""A small corpus whose words repeat with other labels, and its list of repeats, for tests of the review."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judged_lists import listed
from karat.corpus import changed_bytes, read
from karat.corpus.worklist import write_worklist
from random_words import corpus_of, plain

__all__ = ["harbour", "harbour_list"]

_SENTENCES = (
    "the/DET old/ADJ harbour/NOUN wall/NOUN leans/VERB",
    "we/PRON saw/VERB the/DET old/ADJ harbour/PROPN wall/NOUN",
    "an/DET old/ADJ tug/NOUN sank/VERB",
    "near/ADP the/DET old/ADJ harbour/NOUN wall/NOUN",
    "by/ADP the/DET old/ADJ harbour/PROPN wall/NOUN",
)


def harbour(folder: Path, *, n: int = 5, name: str = "gold.conllu") -> Path:
    """The corpus in a file, with so many of its sentences, or copies of the first."""
    path = folder / name
    sentences = [*_SENTENCES[:n], *[_SENTENCES[0]] * max(n - len(_SENTENCES), 0)]
    path.write_bytes(changed_bytes(corpus_of(plain(*sentences))))
    return path


def harbour_list(folder: Path, *, n: int = 5, of: str | Sequence[str] = "upos") -> Path:
    """The list of the corpus's repeats."""
    path = folder / "check.tsv"
    write_worklist(path, listed(read(harbour(folder, n=n), trees=False), of=of))
    return path
