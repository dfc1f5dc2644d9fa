"""What speaks against the label of each word: a tagger, repeats, the tree, and the word's other columns.

All evidence is in powers of ten: 2 means a hundred to one. The score of a word is

    min(t, 2) + ½ (r + r₂ + d + x + a)

with t the odds against its label by a tagger that has not seen it; r how unexpected the label is in some repeat of one
word or more, r₂ of two words or more (`karat.gold.repeats.ranking`); d how unexpected it is in its relation to a head
with such a label; x beside its other tag (XPOS of UPOS, UPOS of others); and a 1 where repeats of two words and the
tagger would have the same label instead. The tagger's word counts full, but never for more than 100 to 1, since
taggers are surer than they ought to be of rare things; all others count half, since they say in part the same. What
does not speak against a label counts 0, but for t, which may speak for it. Chosen on half of GUM's documents
(`benchmarks/suspects.py`): each half, and nothing more exact, since nothing more exact was better there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import owners_of
from karat.corpus import Corpus
from karat.gold.repeats.contexts import contexts
from karat.gold.repeats.labels import Labels, column_labels
from karat.gold.repeats.marked import marked_words, without_marked
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.ranking import odd_labels_of
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats, suspicious_repeats
from karat.suspects.doubts import Doubts

NAMES = ("tagger", "repeats", "longer_repeats", "tree", "columns", "agreement")
WEIGHTS = np.array([1.0, 0.5, 0.5, 0.5, 0.5, 0.5])
_SUREST = 2.0  # of a tagger, in powers of ten
_MOST = 3.0  # of the tree and of other columns
_SMALLEST = 1e-4  # probability that is told from 0
_UNSEEN = 5.0  # a context counts as seen so often more, with labels as all words have them
_OTHER_TAG = {"upos": "xpos"}  # of other columns it is UPOS
NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class RepeatEvidence:
    """Of each word the repeat in which its label is least expected, as a row of `found`, and on which of its words.

    `unexpected` is in powers of ten, 0 where no repeat speaks against the label; `longer` the same of repeats of two
    words or more, and `usual` the label that most places have there, as a number, NOWHERE where there is none.
    """

    found: SuspiciousRepeats
    unexpected: Floats
    longer: Floats
    row: Indices
    position: Indices
    usual: Indices

    def like_places(self, own: Ids) -> tuple[Indices, Indices, Indices]:
        """Of each word the commonest label but its own at the places of that repeat, at how many of them, of how many.

        `own` are the words' labels as numbers; where there is no repeat, the label is NOWHERE.
        """
        n_labels, n_words = len(self.found.labels.names), len(self.row)
        has = np.flatnonzero(self.row != NOWHERE)
        label, with_label, places = (np.full(n_words, fill, dtype=np.intp) for fill in (NOWHERE, 0, 0))
        if not len(has):
            return label, with_label, places
        longest = int(self.position[has].max()) + 1
        keys, kind = np.unique(self.row[has] * longest + self.position[has], return_inverse=True)
        rows, position = np.divmod(keys, longest)
        offsets, starts, _ = self.found.labelled_places(rows)
        sizes = np.diff(offsets)
        of_kind = owners_of(sizes)
        codes = self.found.labels.codes[starts + position[of_kind]].astype(np.int64)
        pairs, counts = np.unique(of_kind * np.int64(n_labels) + codes, return_counts=True)
        kinds, labels = np.divmod(pairs, n_labels)
        order = np.lexsort((-counts, kinds))
        kinds, labels, counts = kinds[order], labels[order], counts[order]
        first = np.searchsorted(kinds, np.arange(len(keys)))
        at = first[kind]
        at = at + (labels[at] == own[has])  # the second, where the first is the word's own
        label[has], with_label[has], places[has] = labels[at], counts[at], sizes[kind]
        return label, with_label, places


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """All that speaks against labels [words × NAMES], in powers of ten; `is_marked` are words known to be wrong."""

    values: Floats
    repeats: RepeatEvidence
    doubts: Doubts | None
    labels: Labels
    is_marked: Flags

    def scores(self, weights: Floats = WEIGHTS) -> Floats:
        """The score of each word; marked words have none."""
        found: Floats = self.values @ weights
        found[self.is_marked] = -np.inf
        return found


def evidence(corpus: Corpus, column: str, doubts: Doubts | None, against: Sequence[Corpus] = ()) -> Evidence:
    """What speaks against the labels of a corpus; repeats may be `against` others, too. Without doubts, no tagger."""
    text = without_marked(running_text([corpus, *against]))
    labels = column_labels(text, column)
    repeats = repeat_evidence(text, labels, corpus.n_words)
    values = np.zeros((corpus.n_words, len(NAMES)))
    values[:, 1], values[:, 2] = repeats.unexpected, repeats.longer
    codes = labels.codes[_places(corpus)]
    is_marked = marked_words(corpus)
    for number, (first, second) in _contexts(text, labels, corpus, column).items():
        values[:, number] = np.clip(_unexpected(first, second, codes), 0, _MOST)
    if doubts is not None:
        probability = np.maximum(doubts.probability, _SMALLEST)
        values[:, 0] = np.minimum(np.log10(np.maximum(1 - probability, _SMALLEST) / probability), _SUREST)
        known = {name: at for at, name in enumerate(labels.names)}
        other = np.array([known.get(name, NOWHERE - 1) for name in doubts.other])
        values[:, 5] = (repeats.longer > 0) & (other == repeats.usual)
    return Evidence(values, repeats, doubts, labels, is_marked)


def _places(corpus: Corpus) -> Indices:
    """The places of a corpus's words in a running text that begins with it: each sentence ends in a boundary."""
    return np.arange(corpus.n_words) + corpus.words_sentence


def repeat_evidence(text: RunningText, labels: Labels, n_words: int) -> RepeatEvidence:
    """How unexpected the label of each of the first words is, by the repeats that it is odd in."""
    found = suspicious_repeats(maximal_repeats(text, min_words=1), labels)
    odd = odd_labels_of(found)
    of_place = owners_of(np.diff(odd.first_place))
    words = text.words_at(odd.places)
    score = -np.log10(np.maximum(odd.expected, 1e-12))[of_place]
    keep = np.flatnonzero((words < n_words) & (score > 0))
    words, score, of_place = words[keep], score[keep], of_place[keep]
    length = found.length[odd.repeat[of_place]]
    unexpected, at = _largest(words, score, n_words)
    is_longer = np.flatnonzero(length >= 2)
    longer, at_longer = _largest(words[is_longer], score[is_longer], n_words)
    best = np.where(at_longer >= 0, is_longer[at_longer] if len(is_longer) else 0, at)
    has = best >= 0
    row, position, usual = (np.full(n_words, NOWHERE, dtype=np.intp) for _ in range(3))
    label = of_place[best[has]]
    row[has], position[has] = odd.repeat[label], odd.position[label]
    has_longer = at_longer >= 0
    usual[has_longer] = labels.codes[odd.usual[of_place[is_longer[at_longer[has_longer]]]]]
    return RepeatEvidence(found, unexpected, longer, row, position, usual)


def _largest(words: Indices, score: Floats, n_words: int) -> tuple[Floats, Indices]:
    """The largest score of each word, 0 where it has none, and where it stands, else -1."""
    order = np.lexsort((-score, words))
    first = order[np.diff(words[order], prepend=-1) > 0]
    largest, at = np.zeros(n_words), np.full(n_words, -1, dtype=np.intp)
    largest[words[first]], at[words[first]] = score[first], first
    return largest, at


def _contexts(text: RunningText, labels: Labels, corpus: Corpus, column: str) -> dict[int, tuple[Ids, Ids]]:
    """The contexts of the corpus's words that labels are looked at in: their tree, and their other tag."""
    places = _places(corpus)
    found: dict[int, tuple[Ids, Ids]] = {}
    of_tree = list(contexts(text, labels))[1:]
    if of_tree:
        found[NAMES.index("tree")] = of_tree[0].first[places], of_tree[0].second[places]
    other = _OTHER_TAG.get(column, "upos")
    if corpus.has(other):
        ids = corpus.column(other).ids
        found[NAMES.index("columns")] = ids, np.zeros_like(ids)
    return found


def _unexpected(first: Ids, second: Ids, codes: Ids) -> Floats:
    """How unexpected each label is in its context, seen at all other words, in powers of ten."""
    n_labels = int(codes.max(initial=0)) + 1
    left, right = first.astype(np.int64) + 1, second.astype(np.int64) + 1  # -1 is nothing
    _, _, context = numbered_pairs(left, right, int(left.max(initial=0)) + 1, int(right.max(initial=0)) + 1)
    pair = context.astype(np.int64) * n_labels + codes
    n_context = np.bincount(context)[context] - 1
    _, number, counts = np.unique(pair, return_inverse=True, return_counts=True)
    n_pair = counts[number] - 1
    share = (np.bincount(codes, minlength=n_labels) / max(len(codes), 1))[codes]
    found: Floats = -np.log10((n_pair + _UNSEEN * share) / (n_context + _UNSEEN))
    return found
