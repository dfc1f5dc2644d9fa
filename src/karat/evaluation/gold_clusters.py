"""The clusters of a gold: whole documents where it marks two or more, else whole sentences, or the groups of a file.

Of sense keys they are whole word types, as a system has learned each word type for itself.
"""

from __future__ import annotations

import os

import numpy as np

from karat._arrays import Indices
from karat.corpus import Annotated
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.key import Keys
from karat.corpus.source import read_source
from karat.errors import DataError, Problem, UsageError
from karat.inference.clusters import Clusters
from karat.signature import shown_input


def clusters_of(gold: Annotated, choice: str | os.PathLike[str] | None = None) -> Clusters:
    """The clusters chosen: "sentence", "document" or a file with a group for every gold sentence, a line each.

    Without a choice, documents if the gold marks two or more of them, else sentences. Of keys, sentences are called
    "instance" and documents "type", which is what is taken without a choice.
    """
    if isinstance(gold, Keys):
        of_keys = {"type": "document", "instance": "sentence"}
        choice = "document" if choice is None else of_keys.get(str(choice), choice)
    elif choice in ("type", "instance") and not os.path.exists(choice):
        raise UsageError(f"clusters of one {choice} each are for sense keys")
    if choice is None:
        documents = documents_of(gold)
        return documents if documents and documents.n > 1 else clusters_of(gold, "sentence")
    if choice == "sentence":
        kind = "instance" if isinstance(gold, Keys) else "sentence"
        return _numbered(kind, kind, gold, np.arange(gold.n_sentences))
    if choice == "document":
        documents = documents_of(gold)
        if documents is None:
            hint = "mark documents with the comment # newdoc, or give a file of groups: `cluster=FILE`"
            raise DataError(Problem("K601", "no documents are marked in the gold", gold.path, hint=hint))
        return documents
    path = os.fspath(choice)
    if path in ("sentences", "documents") and not os.path.exists(path):
        raise UsageError(f"no file {path!r} of clusters; for whole {path} write {path[:-1]!r}")
    return _from_file(gold, path)


def documents_of(gold: Annotated) -> Clusters | None:
    """The documents that the gold marks, or None."""
    kind = "type" if isinstance(gold, Keys) else "document"
    return _numbered(kind, kind, gold, gold.sentence_document) if gold.has_documents else None


def _numbered(kind: str, signed: str, gold: Annotated, groups: Indices) -> Clusters:
    """Clusters of the sentences that are in the test, numbered without gaps."""
    in_test = np.flatnonzero(~gold.bad)
    distinct, first, numbers = np.unique(groups[in_test], return_index=True, return_inverse=True)

    def name(number: int) -> str | None:
        sentence = int(in_test[first[number]])
        if kind == "document":
            return gold.document_names[int(gold.sentence_document[sentence])]
        return gold.sent_id(sentence) if kind == "sentence" else None

    is_marked = gold.has_documents and not (isinstance(gold, Trees) and gold.n_documents == 1)  # a file is a document
    n_documents = gold.n_documents if is_marked else 0
    words = np.diff(gold.sentence_offsets)[in_test].astype(np.float64)
    return Clusters(kind, signed, numbers.reshape(-1), len(distinct), words, name, n_documents)


def _from_file(gold: Annotated, path: str) -> Clusters:
    source = read_source(path)
    if (source.buffer[: source.size] == 0).any():
        raise DataError(
            Problem(
                "K107", "the file contains a NUL byte: it is UTF-16, or not a text file", path, hint="save it as UTF-8"
            )
        )
    names = [line.strip() for line in source.buffer[: source.size].tobytes().split(b"\n")]
    while names and not names[-1]:
        names.pop()
    for number, name in enumerate(names, start=1):
        if not name:
            raise DataError(Problem("K602", "a line without a group", path, number, 1))
    if len(names) != gold.n_sentences:
        message = f"{len(names):,} lines where the gold has {gold.n_sentences:,} sentences"
        raise DataError(Problem("K602", message, path, hint="give one group per line, one line per gold sentence"))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    groups = np.array([numbers[name] for name in names], dtype=np.intp)
    return _numbered(path, shown_input(path, source.sha256()), gold, groups)
