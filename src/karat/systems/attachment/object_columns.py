"""Objects of sentences in columns: what features read of their heads, and by what copies of a sentence are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices, Words64
from karat._numbering import numbered_values
from karat._ragged import offsets_of, owners_of
from karat.systems.groups.syntactic_objects import SyntacticObjects
from karat.systems.groups.tagged_words import TaggedWords

COLUMNS = ("lemma", "pos", "case", "gender", "number")


@dataclass(frozen=True, slots=True, eq=False)
class ObjectColumns:
    """The objects of a text: what their syntactic and semantic heads are, as numbers among `names`; -1 for nothing.

    `offsets` are those of sentences' objects. `hashes` are equal for sentences of the same word forms. `documents` are
    numbers of sentences' documents, -1 where a text marks none. `n_words` counts punctuation, too.
    """

    names: Mapping[str, tuple[str, ...]]
    syntactic: Mapping[str, Ids]
    semantic: Mapping[str, Ids]
    offsets: Indices
    hashes: Indices
    documents: Ids
    n_words: int

    def __len__(self) -> int:
        return int(self.offsets[-1])

    @property
    def n_sentences(self) -> int:
        return len(self.offsets) - 1

    def names_only(self) -> ObjectColumns:
        """A text without sentences whose values have the same numbers."""
        none = dict.fromkeys(COLUMNS, np.zeros(0, dtype=np.int32))
        empty = np.zeros(0, dtype=np.int64)
        return ObjectColumns(self.names, none, none, offsets_of([]), empty, empty.astype(np.int32), 0)

    def column(self, head: str, what: str) -> Ids:
        """What one kind of head is, of every object."""
        return (self.syntactic if head == "syntactic" else self.semantic)[what]


def columns_of_objects(
    objects: SyntacticObjects, *, names: Mapping[str, Sequence[str]] | None = None, documents: Indices | None = None
) -> ObjectColumns:
    """The columns of a text's objects; values get the numbers that they have in `names`, further ones new numbers."""
    words = objects.words
    found, syntactic, semantic = {}, {}, {}
    for what in COLUMNS:
        values = {"lemma": words.lemmas, "pos": words.pos}.get(what) or words.agreeing[what]
        known = {name: i for i, name in enumerate((names or {}).get(what, ()))}
        numbers = np.append(numbered_values(values.names, known), np.int32(-1))  # the last is that of no value
        syntactic[what] = numbers.take(values.ids.take(objects.syntactic))
        semantic[what] = numbers.take(values.ids.take(objects.semantic))
        found[what] = tuple(known)
    of_sentences = np.full(words.n_sentences, -1, dtype=np.int32) if documents is None else documents.astype(np.int32)
    return ObjectColumns(found, syntactic, semantic, objects.offsets, _hashes_of_forms(words), of_sentences, len(words))


def joined_columns(parts: Sequence[ObjectColumns]) -> ObjectColumns:
    """Texts one after the other; their values and documents are numbered anew."""
    names: dict[str, tuple[str, ...]] = {}
    syntactic: dict[str, Ids] = {}
    semantic: dict[str, Ids] = {}
    for what in COLUMNS:
        known: dict[str, int] = {}
        numbers = [np.append(numbered_values(one.names[what], known), np.int32(-1)) for one in parts]
        empty = [np.zeros(0, dtype=np.int32)]
        syntactic[what] = np.concatenate(
            empty + [to.take(one.syntactic[what]) for to, one in zip(numbers, parts, strict=True)]
        )
        semantic[what] = np.concatenate(
            empty + [to.take(one.semantic[what]) for to, one in zip(numbers, parts, strict=True)]
        )
        names[what] = tuple(known)
    n_documents = offsets_of([int(one.documents.max(initial=-1)) + 1 for one in parts])
    documents = [
        np.where(one.documents >= 0, one.documents + first, -1).astype(np.int32)
        for one, first in zip(parts, n_documents[:-1].tolist(), strict=True)
    ]
    return ObjectColumns(
        names,
        syntactic,
        semantic,
        offsets_of(np.concatenate([np.zeros(0, dtype=np.intp)] + [np.diff(one.offsets) for one in parts])),
        np.concatenate([np.zeros(0, dtype=np.int64)] + [one.hashes for one in parts]),
        np.concatenate([np.zeros(0, dtype=np.int32), *documents]),
        sum(one.n_words for one in parts),
    )


def _hashes_of_forms(words: TaggedWords) -> Indices:
    """A number for each sentence, the same for the same word forms in a row and, but for chance, only then."""
    from hashlib import blake2b

    digests = b"".join(
        blake2b(one.encode("utf-8", "surrogatepass"), digest_size=8).digest() for one in words.forms.names
    )
    of_forms = np.append(np.frombuffer(digests, dtype="<u8"), np.uint64(0))
    sizes = np.diff(words.sentence_offsets)
    sentences = owners_of(sizes)
    places = np.arange(len(words)) - words.sentence_offsets[:-1].take(sentences)
    mixed = _mixed(of_forms.take(words.forms.ids) ^ _mixed(places.astype(np.uint64) + np.uint64(1)))
    sums = np.append(np.uint64(0), np.cumsum(mixed, dtype=np.uint64))  # modulo 2^64
    totals = sums.take(words.sentence_offsets[1:]) - sums.take(words.sentence_offsets[:-1])
    return _mixed(totals ^ _mixed(sizes.astype(np.uint64))).view(np.int64)


def _mixed(numbers: Words64) -> Words64:
    """Each number stirred so that all its bits count [Steele, Lea & Flood 2014, splitmix64]."""
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
