"""A hidden Markov model of labels and words, bigrams or trigrams: TnT [Brants 2000].

A sentence's labels are those with the largest Π P(tᵢ | tᵢ₋₂, tᵢ₋₁) P(wᵢ | tᵢ) · P(edge | …), found by Viterbi over the
labels that each word can have. Transitions mix unigrams, bigrams and trigrams, with weights by *deleted interpolation*:
every trigram of the training text votes for the order that predicts it best once it is left out. A known form has the
labels it had in training; a form that is unknown but for its capital those of the form in lower case; other words any
label, by their endings (`suffixes`): P(w | t) is P(t | ending) / P(t) but for a factor.

Probabilities of labels are those given the whole sentence, by the forward–backward algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.systems.model_file import Model
from karat.systems.options import HmmOptions
from karat.systems.suffixes import Suffixes, suffixes_of
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence

if TYPE_CHECKING:
    from karat.systems._compiled_hmm import Transitions

_MOST_LABELS = 4000  # whose pairs fit into memory
_MOST_TRIPLES = 1 << 18  # of labels whose probabilities stand in one table
_LEAST_CHANCE = 1e-3  # of an unknown word's likeliest label that another must have to be considered


class Hmm(Tagger):
    """A trained hidden Markov model."""

    system: ClassVar[str] = "hmm"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: HmmOptions,
        forms: dict[str, int],
        lexicon: Ragged,
        suffixes: Suffixes,
        pairs: Floats,
        trigrams: tuple[Array, Floats],
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.forms, self.lexicon, self.suffixes = chosen, forms, lexicon, suffixes
        self.pairs, self.trigrams = pairs, trigrams
        self._kept: Transitions | None = None

    def options(self) -> Mapping[str, Any]:
        return {"order": self.chosen.order}

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: HmmOptions, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        words, n_labels = text.words, len(text.labels)
        if n_labels > _MOST_LABELS:
            raise UsageError(f"{n_labels:,} different labels are too many for an hmm (at most {_MOST_LABELS:,})")
        forms, labels, pairs = numbered_pairs(words.ids, text.label_ids, len(words.forms), n_labels)
        counts = np.bincount(pairs, minlength=len(forms)).astype(np.float64)
        n_of_label = np.bincount(text.label_ids, minlength=n_labels)
        lexicon = Ragged(
            offsets_of(np.bincount(forms, minlength=len(words.forms))), labels, counts / n_of_label[labels]
        )
        of_pairs, *trigrams = _transitions(text, options.order)
        known = {form: number for number, form in enumerate(words.forms)}
        return cls(
            column, text.labels, options, known, lexicon, suffixes_of(text), of_pairs, (trigrams[0], trigrams[1])
        )

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
        """The labels that each form can have, with P(form | label) but for a factor of each form."""
        get = self.forms.get
        known = [get(form, -1) for form in forms]
        for number in [place for place, row in enumerate(known) if row < 0 and forms[place][:1].isupper()]:
            known[number] = get(forms[number].lower(), -1)
        new = [number for number, row in enumerate(known) if row < 0]
        of_new = self._by_suffix([forms[number] for number in new])
        assert self.lexicon.weights is not None
        assert of_new.weights is not None
        rows = np.array(known, dtype=np.intp)
        rows[new] = len(self.lexicon) + np.arange(len(new))
        both = Ragged(
            np.concatenate([self.lexicon.offsets, self.lexicon.offsets[-1] + of_new.offsets[1:]]),
            np.concatenate([self.lexicon.values, of_new.values]),
            np.concatenate([self.lexicon.weights, of_new.weights]),
        )
        return both.taken(rows)

    def _by_suffix(self, forms: Sequence[str]) -> Ragged:
        """The labels of unknown words that are not much less likely than the likeliest, with P(word | label)."""
        likely = self.suffixes.probabilities(forms)
        kept = likely >= _LEAST_CHANCE * likely.max(axis=1, keepdims=True, initial=0)
        kept &= self.suffixes.shares > 0
        _, labels = np.nonzero(kept)
        with np.errstate(divide="ignore", invalid="ignore"):
            emissions = likely / self.suffixes.shares
        return Ragged(offsets_of(kept.sum(axis=1)), labels, emissions[kept])

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        assert self.lexicon.weights is not None
        arrays: dict[str, Array] = {
            "lexicon offsets": self.lexicon.offsets.astype(np.int64),
            "lexicon labels": self.lexicon.values.astype(np.int32),
            "lexicon chances": self.lexicon.weights,
            "pairs": self.pairs,
            "trigrams": self.trigrams[0],
            "trigram chances": self.trigrams[1],
        }
        others = self.suffixes.parts()
        texts = {"forms": list(self.forms), **others.texts}
        return Model(self.system, {"options": dict(self.options())}, {**arrays, **others.arrays}, texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        order = model.value("options", dict).get("order")
        forms, n = model.lines("forms"), len(labels) + 1
        of_label = model.numbers("lexicon labels", len(labels))
        offsets = model.offsets("lexicon offsets", len(forms), len(of_label))
        keys = model.numbers("trigrams", n**3, dtype="int64")
        chances = [model.array(name, "float64") for name in ("lexicon chances", "trigram chances")]
        pairs = model.array("pairs", "float64", 2)
        is_wrong = order not in (1, 2) or pairs.shape != (n, n) or (np.diff(offsets) == 0).any()
        is_wrong |= len(chances[0]) != len(of_label) or len(chances[1]) != len(keys)
        if is_wrong or any(not np.isfinite(one).all() or (one < 0).any() for one in (*chances, pairs)):
            raise model.problem("chances do not fit together")
        return cls(
            column,
            labels,
            HmmOptions(order),
            {form: number for number, form in enumerate(forms)},
            Ragged(offsets.astype(np.intp), of_label.astype(np.intp), chances[0]),
            Suffixes.from_parts(model, len(labels)),
            pairs,
            (keys, chances[1]),
        )


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
    pairs = weights[0] * unigram / unigram.sum() + weights[1] * of_two
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
