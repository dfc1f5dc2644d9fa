"""A hidden Markov model of labels and words, bigrams or trigrams: TnT [Brants 2000].

A sentence's labels are those with the largest Π P(tᵢ | tᵢ₋₂, tᵢ₋₁) P(wᵢ | tᵢ) · P(edge | …), found by Viterbi over the
labels that each word can have. Transitions mix unigrams, bigrams and trigrams, with weights by *deleted interpolation*:
every trigram of the training text votes for the order that predicts it best once it is left out. Which labels a word
can have, and how likely they are given its form alone, is the `lexical` model's; P(w | t) is P(t | w) / P(t) but for a
factor of each form.

Probabilities of labels are those given the whole sentence, by the forward–backward algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.systems.dictionaries import with_lexicon_labels
from karat.systems.lexical import UNSEEN, LexicalModel, lexical_model
from karat.systems.model_file import Model
from karat.systems.options import HmmOptions
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence

if TYPE_CHECKING:
    from karat.systems._compiled_hmm import Transitions

_MOST_LABELS = 4000  # whose pairs fit into memory
_MOST_TRIPLES = 1 << 18  # of labels whose probabilities stand in one table


class Hmm(Tagger):
    """A trained hidden Markov model."""

    system: ClassVar[str] = "hmm"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: HmmOptions,
        lexical: LexicalModel,
        pairs: Floats,
        trigrams: tuple[Array, Floats],
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.lexical, self.pairs, self.trigrams = chosen, lexical, pairs, trigrams
        self._kept: Transitions | None = None

    def options(self) -> Mapping[str, Any]:
        return {"order": self.chosen.order, "lexicon": self.chosen.lexicon}

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: HmmOptions, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        text = with_lexicon_labels(text, options.lexicon, column)
        n_labels = len(text.labels)
        if n_labels > _MOST_LABELS:
            raise UsageError(f"{n_labels:,} different labels are too many for an hmm (at most {_MOST_LABELS:,})")
        of_pairs, *trigrams = _transitions(text, options.order)
        lexical = lexical_model(text, options.lexicon, column)
        return cls(column, text.labels, options, lexical, of_pairs, (trigrams[0], trigrams[1]))

    # ---- tagging -----------------------------------------------------------------------------------------------------

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        from karat.systems import _compiled_hmm as compiled

        of_form = self.candidates(words.forms)
        assert of_form.weights is not None
        places, sizes = places_of_rows(of_form.offsets, words.ids)
        offsets, labels, emissions = offsets_of(sizes), of_form.values.take(places), of_form.weights.take(places)
        lattice = (
            words.offsets.astype(np.int64),
            offsets.astype(np.int64),
            labels.astype(np.int32),
            emissions,
            int(sizes.max(initial=1)),
            int(np.diff(words.offsets).max(initial=0)),
        )
        transitions = self._transitions()
        tags = np.zeros(len(words), dtype=np.int32)
        compiled.best_paths(lattice, transitions, tags)
        if not with_probabilities:
            return Tagging(tags, np.zeros((0, len(self.labels))))
        found = np.zeros(len(labels))
        compiled.posteriors(lattice, transitions, found)
        scores = np.full((len(words), len(self.labels)), -np.inf)
        with np.errstate(divide="ignore"):
            scores[np.repeat(np.arange(len(words)), sizes), labels] = np.log(found)
        return Tagging(tags, scores)

    def _transitions(self) -> Transitions:
        """The transitions as kernels have them, made when they are first needed."""
        if self._kept is None:
            from karat.systems import _compiled_hmm as compiled

            (keys, values), n = self.trigrams, len(self.pairs)
            n_bits = max(2 * len(keys), 2).bit_length()
            every = np.zeros(0)
            if n**3 <= _MOST_TRIPLES:
                every = np.tile(self.pairs.reshape(-1), n)
                every[keys] += values
            self._kept = (every, self.pairs, *compiled.hash_table(keys, values, n_bits), n_bits)
        return self._kept

    def candidates(self, forms: Sequence[str]) -> Ragged:
        """The labels that forms can have, with P(form | label) but for a factor of each form."""
        found = self.lexical.of(forms)
        assert found.weights is not None
        return Ragged(found.offsets, found.values, found.weights / self.lexical.shares[found.values])

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        arrays: dict[str, Array] = {
            "pairs": self.pairs,
            "trigrams": self.trigrams[0],
            "trigram chances": self.trigrams[1],
        }
        of = self.lexical.parts()
        header = {"options": dict(self.options()), **of.header}
        return Model(self.system, header, {**arrays, **of.arrays}, of.texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        chosen = model.value("options", dict)
        n = len(labels) + 1
        keys, chances = model.numbers("trigrams", n**3, dtype="int64"), model.array("trigram chances", "float64")
        pairs = model.array("pairs", "float64", 2)
        is_wrong = chosen.get("order") not in (1, 2) or pairs.shape != (n, n) or len(chances) != len(keys)
        if is_wrong or any(not np.isfinite(one).all() or (one < 0).any() for one in (chances, pairs)):
            raise model.problem("chances do not fit together")
        options = HmmOptions(chosen["order"], chosen.get("lexicon"))
        return cls(column, labels, options, LexicalModel.from_parts(model, labels), pairs, (keys, chances))


# ---- transitions -----------------------------------------------------------------------------------------------------


def _padded(text: LabelledWords) -> Ids:
    """All labels, with two edges before each sentence and one behind it."""
    n, offsets = len(text.labels), text.words.offsets
    sentence = np.repeat(np.arange(text.words.n_sentences), np.diff(offsets))
    found = np.full(len(text.label_ids) + 3 * text.words.n_sentences, n, dtype=np.int32)
    found[np.arange(len(text.label_ids)) + 3 * sentence + 2] = text.label_ids
    return found


def _transitions(text: LabelledWords, order: int) -> tuple[Floats, Array, Floats]:
    """P(t3 | t2) with unigrams in it [n × n], the trigrams' keys, and what they add to it."""
    n = len(text.labels) + 1
    padded, sizes = _padded(text), np.diff(text.words.offsets) + 3
    is_third = np.ones(len(padded), dtype=np.bool_)  # of a trigram within a sentence
    starts = offsets_of(sizes)[:-1]
    is_third[starts] = is_third[starts + 1] = False
    third = np.flatnonzero(is_third)
    t1, t2, t3 = (padded[third - back].astype(np.intp) for back in (2, 1, 0))
    unigram = np.bincount(t3, minlength=n).astype(np.float64)
    bigram = np.bincount(t2 * n + t3, minlength=n * n).astype(np.float64).reshape(n, n)
    keys, numbers = np.unique((t1 * n + t2) * n + t3, return_inverse=True)
    trigram = np.bincount(numbers).astype(np.float64)
    contexts = np.bincount(t1 * n + t2, minlength=n * n).astype(np.float64)
    weights = interpolation_weights(keys, trigram, unigram, bigram, contexts, order)
    of_two = bigram / np.maximum(bigram.sum(axis=1, keepdims=True), 1)
    # a label that only a lexicon has counts half a word, as in the lexical model, so that it is possible
    pairs = weights[0] * np.maximum(unigram, UNSEEN) / unigram.sum() + weights[1] * of_two
    if order == 1:
        return pairs, np.zeros(0, dtype=np.int64), np.zeros(0)
    return pairs, keys.astype(np.int64), weights[2] * trigram / contexts[keys // n]


def interpolation_weights(
    keys: Indices, trigram: Floats, unigram: Floats, bigram: Floats, contexts: Floats, order: int = 2
) -> Floats:
    """The weights of unigrams, bigrams and trigrams by deleted interpolation [Brants 2000, figure 1].

    `keys` are the trigrams as numbers (t1·n + t2)·n + t3 and `trigram` how often they occur, `contexts` how often t1 t2
    comes before something. Each gives its count to the order whose estimate is largest with the trigram itself left out
    once; 0/0 is 0, and of equal estimates the higher order wins. With `order` 1 there are no trigrams to win.
    """
    n = len(unigram)
    t2, t3 = keys // n % n, keys % n
    with np.errstate(divide="ignore", invalid="ignore"):
        of_three = np.nan_to_num((trigram - 1) / (contexts[keys // n] - 1), posinf=0.0)
        of_two = np.nan_to_num((bigram[t2, t3] - 1) / (bigram.sum(axis=1)[t2] - 1), posinf=0.0)
    of_one = (unigram[t3] - 1) / max(unigram.sum() - 1, 1)
    estimates = np.stack([of_one, of_two, of_three if order == 2 else np.full_like(of_one, -1.0)])
    winner = 2 - estimates[::-1].argmax(axis=0)
    votes = np.bincount(winner, weights=trigram, minlength=3)
    votes[0] = max(votes[0], 1e-3 * votes.sum())  # so that no label is impossible
    weights: Floats = votes / votes.sum()
    return weights
