"""WordNet's nouns and verbs as a hierarchy, from the database files themselves (wndb(5WN); Debian's wordnet-base).

A tag is a synset, named by its offset and part of speech: `08420278-n`. It is under those that its pointers `@`
(hypernym) and `@i` (instance hypernym) name. Sense keys (`bank%1:14:00::`) and names by lemma and sense number
(`bank.n.01`) are aliases, worked out when the first of their kind is asked for. The lines are matched as a whole, all
at once; only where a line does not match is it looked for.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cached_property

import numpy as np

from karat._arrays import Indices
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem
from karat.hierarchy._building import built
from karat.hierarchy._hierarchy import Hierarchy
from karat.signature import shown_input

_DATA = ("data.noun", "data.verb")
_WORDS = rb"((?:\S+ [0-9a-f] )+)"
_POINTERS = rb"((?:(?:@i?|[!~#%=+;*>^$<\\-][a-z]?) \d{8} [nvasr] [0-9a-f]{4} )*)"
_FRAMES = rb"(?:\d\d (?:\+ \d\d [0-9a-f]{2} )+)?"
_SYNSET = re.compile(
    rb"^(\d{8}) (\d\d) ([nv]) ([0-9a-f]{2}) " + _WORDS + rb"(\d{3}) " + _POINTERS + _FRAMES + rb"\|", re.MULTILINE
)
_OTHER_SYNSET = re.compile(rb"\d{8} \d\d [ars] ")
_SENSE = re.compile(r"(.+)\.([nv])\.([0-9]{2,3})", re.ASCII | re.DOTALL)
_KIND = {b"n": 1, b"v": 2}  # of synsets, in sense keys
_CYCLE_HINT = "the original WordNet 3.0 has one among its verbs; use Debian's, or data.noun alone"
_Synset = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes]  # offset, file, kind, count, words, count, pointers


def read_wordnet(folder: PathLike, *, tree: bool = False) -> Hierarchy:
    """The hierarchy of the nouns and verbs in a folder of WordNet's files, or in its folder `dict`."""
    for home in (os.fspath(folder), os.path.join(folder, "dict")):
        paths = [path for name in _DATA if os.path.isfile(path := os.path.join(home, name))]
        if paths:
            indexes = [path for one in paths if os.path.isfile(path := _index_path(one))]
            index = read_source(indexes) if indexes else None
            return wordnet_from_source(read_source(paths), index, path=os.fspath(folder), tree=tree)
    hint = "Debian's are in /usr/share/wordnet, from the package wordnet-base"
    raise DataError(Problem("K840", "neither data.noun nor data.verb is in this folder", os.fspath(folder), hint=hint))


def index_beside(path: PathLike) -> Source | None:
    """The index file that belongs to a data file, if it is there."""
    index = _index_path(os.fspath(path))
    return read_source(index) if index != os.fspath(path) and os.path.isfile(index) else None


def _index_path(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f"index.{name.removeprefix('data.')}") if name.startswith("data.") else path


def wordnet_from_source(
    source: Source, index: Source | None = None, *, path: str | None = None, tree: bool = False
) -> Hierarchy:
    """The hierarchy of the synsets in data files; `index` is the text of the index files, for names by lemma."""
    refuse_unreadable(source)
    path = source.path if path is None else path
    synsets: list[_Synset] = _SYNSET.findall(source.buffer.data[: source.size])
    starts = _checked_starts(source, synsets)
    names = [f"{offset.decode()}-{kind.decode()}" for offset, _, kind, *_ in synsets]
    children, targets = _hypernyms(synsets)
    number = {name: i for i, name in enumerate(names)}
    parents = np.array([number.get(target, -1) for target in targets], dtype=np.intp)
    _refuse_contradictions(source, starts, names, children, parents, targets)
    digest = source.sha256()
    if index is not None:
        refuse_unreadable(index)
        digest = hashlib.sha256(f"{digest} {index.sha256()}".encode()).hexdigest()
    return built(
        tuple(names),
        parents,
        children,
        place=lambda edge: source.place(int(starts[children[edge]])),
        path=path,
        signed=shown_input(path, digest),
        layout="wordnet",
        tree=tree,
        aliases=_Aliases(source, index),
        hint=_CYCLE_HINT,
    )


def _hypernyms(synsets: list[_Synset]) -> tuple[Indices, list[str]]:
    """For every pointer up the number of its synset, and the name of the one that it points to."""
    # `@` stands in no other symbol, so that what follows one is ` 00001740 n …`, or `i 00001740 n …`
    pointers = [(i, rest.lstrip(b"i")) for i, one in enumerate(synsets) for rest in one[6].split(b"@")[1:]]
    children = np.array([i for i, _ in pointers], dtype=np.intp)
    return children, [f"{rest[1:9].decode()}-{rest[10:11].decode()}" for _, rest in pointers]


def _checked_starts(source: Source, synsets: list[_Synset]) -> Indices:
    """Where each synset begins; an error at the first line that is none, or has not what it announces."""
    text = source.buffer[: source.size]
    starts = np.concatenate([[0], np.flatnonzero(text == ord("\n")) + 1])
    starts = starts[starts < source.size]
    starts = starts[~np.isin(text[starts], np.frombuffer(b" \r\n", dtype=np.uint8))]  # the licence is indented
    if not len(starts):
        raise DataError(Problem("K841", "the file has no synsets", source.path))
    if len(synsets) < len(starts):
        matched = {match.start() for match in _SYNSET.finditer(source.buffer.data[: source.size])}
        start = next(start for start in starts.tolist() if start not in matched)
        is_other = _OTHER_SYNSET.match(text[start : start + 20].tobytes())
        hint = "only nouns and verbs have a hierarchy: give data.noun, data.verb or the folder" if is_other else ""
        raise DataError(source.problem("K840", "not a synset of a noun or a verb", start, hint=hint))
    for i, (_, _, _, n_words, words, n_pointers, pointers) in enumerate(synsets):
        if 2 * int(n_words, 16) != words.count(b" ") or 4 * int(n_pointers) != pointers.count(b" "):
            message = "the numbers of words or pointers in this synset are wrong"
            raise DataError(source.problem("K840", message, int(starts[i])))
    return starts


def _refuse_contradictions(
    source: Source, starts: Indices, names: list[str], children: Indices, parents: Indices, targets: list[str]
) -> None:
    """End with an error where a synset occurs twice, points to none, or twice to the same one."""
    if len(set(names)) < len(names):
        first = {name: i for i, name in reversed(list(enumerate(names)))}
        twice = next(i for i, name in enumerate(names) if first[name] != i)
        raise DataError(source.problem("K842", f"the synset {names[twice]} occurs twice", int(starts[twice])))
    keys = children * len(names) + parents
    order = np.argsort(keys, kind="stable")
    again = order[np.flatnonzero(np.diff(keys[order]) == 0)]
    unknown = np.flatnonzero(parents < 0)
    for code, edges, what in (("K847", unknown, "which does not exist"), ("K842", again, "twice")):
        if len(edges):
            edge = int(edges[0])
            message = f"{names[children[edge]]} is put under {targets[edge]}, {what}"
            raise DataError(source.problem(code, message, int(starts[children[edge]])))


class _Aliases:
    """Synsets by sense key and by lemma and number; each kind is worked out when the first is asked for."""

    def __init__(self, source: Source, index: Source | None) -> None:
        self._source, self._index = source, index

    def __call__(self, name: str) -> str | None:
        """The synset that a name stands for, or None."""
        if "%" in name:
            return self._keys.get(name)
        sense = _SENSE.fullmatch(name)
        if sense is None:
            return None
        lemma, kind, number = sense.groups()
        offsets = self._senses.get(f"{lemma} {kind}".encode(), b"").split()
        place = int(number) - 1
        return f"{offsets[place].decode()}-{kind}" if 0 <= place < len(offsets) else None

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Synsets by the sense keys lemma%kind:file:id:: of their words; of equal keys the first counts."""
        found: dict[str, str] = {}
        for offset, file, kind, _, words, *_ in _SYNSET.findall(self._source.buffer.data[: self._source.size]):
            synset = f"{offset.decode()}-{kind.decode()}"
            lemma_and_id = words.decode().lower().split(" ")
            behind = f"%{_KIND[kind]}:{file.decode()}:"
            for lemma, lex_id in zip(lemma_and_id[::2], lemma_and_id[1::2], strict=False):
                found.setdefault(f"{lemma}{behind}{int(lex_id, 16):02d}::", synset)
        return found

    @cached_property
    def _senses(self) -> dict[bytes, bytes]:
        """The offsets of the senses of each `lemma kind`, in order: a line's last fields, as many as its third says."""
        found: dict[bytes, bytes] = {}
        if self._index is None:
            return found
        for line in self._index.buffer[: self._index.size].tobytes().split(b"\n"):
            lemma, kind, count, *rest = [*line.split(b" ", 3), b"", b"", b""][:4]
            if kind in _KIND and count.isdigit() and int(count[:6]) > 0:
                found[lemma + b" " + kind] = b" ".join(rest[0].split()[-int(count[:6]) :])
        return found
