"""The synsets of words and all synsets above them, from a wordnet whose hierarchy is WordNet's.

Lemmas are compared in lower case; those of several words are left out. Adjectives have no hierarchy: each of their
synsets stands alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem
from karat.hierarchy import Hierarchy
from karat.hierarchy.wordnet import read_wordnet
from karat.signature import shown_input

PARTS = "nvar"  # of speech, in a wordnet
_NOUNS = ("NOUN", "PROPN", "subst", "depr")
_VERBS = ("VERB", "fin", "praet", "bedzie", "impt", "imps", "inf", "pcon", "pant", "ger", "pact", "ppas", "winien")
_ADJECTIVES = ("ADJ", "adj", "adja", "adjp", "adjc")
_ADVERBS = ("ADV", "adv")
_OPEN = ("brev", "ign", "X")  # abbreviations, unknown and foreign words: any part of speech
_RESTRICTED = ("ud", "nkjp")
_INDEXES = {"n": "index.noun", "v": "index.verb", "a": "index.adj"}
_ROW = re.compile(r"(\d{8}-[nvasrt])\t(?:\w+:)?lemma\t(.+)")


@dataclass(frozen=True, slots=True, eq=False)
class WordnetClasses:
    """Lemmas, in lower case, and their synsets; a synset's number is larger than those of all above it.

    `senses` are the synsets of lemma i as part of speech p in row i · 4 + p, p counting in `PARTS`. `ancestors` are
    those of each synset, itself included, sorted; `parents` those right above it. `signed` is how a signature names
    the wordnet.
    """

    lemmas: tuple[str, ...]
    senses: Ragged
    ancestors: Ragged
    parents: Ragged
    signed: str

    @property
    def n_synsets(self) -> int:
        return len(self.ancestors)

    def hypernyms(self, words: Sequence[tuple[str | None, str | None]], tagset: str) -> Ragged:
        """For each word, a lemma and its part of speech, all synsets of its senses and above them, each once, sorted.

        The part of speech restricts the senses of nouns, verbs, adjectives and adverbs in tags of UD and NKJP, and
        other words have none: `in` is no indium. Auxiliaries have none, either. Words of unknown part of speech,
        abbreviations, and words of other tagsets have the senses of all parts of speech.
        """
        number = {lemma: i for i, lemma in enumerate(self.lemmas)}
        rows, owners = [], []
        for i, (lemma, pos) in enumerate(words):
            found = -1 if lemma is None else number.get(lemma.lower(), -1)
            if found >= 0:
                parts = _parts_of_speech(pos, tagset)
                rows += [found * len(PARTS) + PARTS.index(part) for part in parts]
                owners += [i] * len(parts)
        places, sizes = places_of_rows(self.senses.offsets, np.array(rows, dtype=np.intp))
        of_senses = np.repeat(np.array(owners, dtype=np.intp), sizes)
        above, sizes = places_of_rows(self.ancestors.offsets, self.senses.values.take(places))
        keys = np.unique(np.repeat(of_senses, sizes) * self.n_synsets + self.ancestors.values.take(above))
        of_words, synsets = np.divmod(keys, max(self.n_synsets, 1))
        return Ragged(offsets_of(np.bincount(of_words, minlength=len(words))), synsets)


def _parts_of_speech(pos: str | None, tagset: str) -> str:
    """The parts of speech, in a wordnet, of words that a tagset gives this one."""
    if tagset not in _RESTRICTED or pos is None or pos in _OPEN:
        return PARTS
    of = ((_NOUNS, "n"), (_VERBS, "v"), (_ADJECTIVES, "a"), (_ADVERBS, "r"))
    return "".join(part for names, part in of if pos in names)


def read_wordnet_classes(folder: PathLike, lemmas: PathLike | None = None) -> WordnetClasses:
    """The synsets of lemmas in a folder of WordNet's files, of its own index files or of a file of other lemmas.

    Such a file is that of the Open Multilingual Wordnet: `02084071-n`, a tab, `pol:lemma`, a tab, `pies`.
    """
    hierarchy = read_wordnet(folder)
    if lemmas is None:
        rows, sources = _rows_of_indexes(folder)
    else:
        source = read_source(lemmas)
        refuse_unreadable(source)
        rows, sources = _rows_of_file(source), [source]
    signed = [hierarchy.signed, *(shown_input(one.path, one.sha256()) for one in sources)]
    return wordnet_classes(hierarchy, rows, signed=", ".join(signed))


def wordnet_classes(hierarchy: Hierarchy, rows: Iterable[tuple[str, str]], *, signed: str) -> WordnetClasses:
    """The synsets of lemmas, from rows of a lemma and a synset such as `02084071-n`; a lemma may be in several rows.

    A synset that is not in the hierarchy, as one of adjectives, has none above it.
    """
    order = np.argsort(hierarchy.depths, kind="stable")  # parents have a smaller depth
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    synsets = dict(zip(hierarchy.names, number.tolist(), strict=True))
    names, senses = _senses(rows, synsets)
    alone = np.arange(len(hierarchy), len(synsets))
    parents = Ragged(hierarchy.parent_offsets, number.take(hierarchy.parents)).taken(order)
    ancestors = hierarchy.ancestors(order)
    above = number.take(ancestors.values)
    above = above[np.lexsort((above, ancestors.owners))]
    n_above = np.concatenate([ancestors.sizes, np.ones(len(alone), dtype=np.intp)])
    n_parents = np.concatenate([parents.sizes, np.zeros(len(alone), dtype=np.intp)])
    return WordnetClasses(
        names,
        senses,
        Ragged(offsets_of(n_above), np.concatenate([above, alone])),
        Ragged(offsets_of(n_parents), parents.values),
        signed,
    )


def _senses(rows: Iterable[tuple[str, str]], synsets: dict[str, int]) -> tuple[tuple[str, ...], Ragged]:
    """Lemmas and their synsets; a synset that is in no hierarchy yet gets the next number."""
    known: dict[str, int] = {}
    keys, found = [], []
    for lemma, synset in rows:
        if "_" in lemma or " " in lemma:
            continue
        part = {"s": "a"}.get(synset[-1], synset[-1])
        if part in PARTS:
            keys.append(known.setdefault(lemma.lower(), len(known)) * len(PARTS) + PARTS.index(part))
            found.append(synsets.setdefault(synset, len(synsets)))
    n = max(len(synsets), 1)
    pairs = np.unique(np.array(keys, dtype=np.int64) * n + np.array(found, dtype=np.int64))
    of_lemmas, of_synsets = np.divmod(pairs, n)
    return tuple(known), Ragged(offsets_of(np.bincount(of_lemmas, minlength=len(known) * len(PARTS))), of_synsets)


def _rows_of_indexes(folder: PathLike) -> tuple[Iterator[tuple[str, str]], list[Source]]:
    """Lemmas and synsets of WordNet's own index files: a line's last fields are offsets, as many as its third says."""
    homes = (os.fspath(folder), os.path.join(folder, "dict"))
    paths = {part: os.path.join(home, name) for home in reversed(homes) for part, name in _INDEXES.items()}
    found = {part: path for part, path in paths.items() if os.path.isfile(path)}
    for home in homes:
        here = {part: os.path.join(home, name) for part, name in _INDEXES.items()}
        found |= {part: path for part, path in here.items() if os.path.isfile(path) and part not in found}
    if not {"n", "v"} & set(found):
        message = "neither index.noun nor index.verb is in this folder, and no file of lemmas was given"
        raise DataError(Problem("K840", message, os.fspath(folder)))
    sources = [read_source(found[part]) for part in sorted(found)]

    def rows() -> Iterator[tuple[str, str]]:
        for part, source in zip(sorted(found), sources, strict=True):
            for line in source.text(0, source.size).split("\n"):
                cells = line.split()
                if line[:1] not in ("", " ") and len(cells) > 3 and cells[2].isdigit():
                    n = int(cells[2][:6])
                    yield from ((cells[0], f"{offset}-{part}") for offset in (cells[-n:] if n else ()))

    return rows(), sources


def _rows_of_file(source: Source) -> Iterator[tuple[str, str]]:
    """Lemmas and synsets of a file of the Open Multilingual Wordnet; rows of other things than lemmas are left out."""
    n = 0
    for number, line in enumerate(source.text(0, source.size).split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) < 3 or not re.fullmatch(r"\d{8}-[a-z]", cells[0]):
            hint = "a row is a synset, lemma and the word, with tabs between: 02084071-n, pol:lemma, pies"
            raise DataError(Problem("K840", "not a row of a wordnet's lemmas", source.path, number, 1, hint=hint))
        if cells[1].rpartition(":")[2] == "lemma":
            n += 1
            yield cells[2].strip(), cells[0]
    if not n:
        raise DataError(Problem("K841", "the file has no lemmas", source.path))
