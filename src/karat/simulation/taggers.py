"""Two small taggers that learn from a simulated corpus, errors included: most frequent tag, and bigrams of tags.

Both know the lexicon of the language, so that a word that they have not seen gets one of its possible tags.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.simulation.text import Truth, tags_before

_UNSEEN = 0.1


def most_frequent_tags(training: Truth, training_tags: Array, truth: Truth) -> Array:
    """For each token the tag that its word has most often in training; of equal ones that which is more frequent."""
    spoken = truth.language
    weights = _tag_counts(training, training_tags) + _shares_of_tags(training_tags, spoken.n_tags)
    weights[spoken.reading_of < 0] = -1
    best: Array = weights.argmax(axis=1).astype(truth.tags.dtype)
    return best.take(truth.words)


def bigram_tags(training: Truth, training_tags: Array, truth: Truth) -> Array:
    """The most probable tags of each sentence under a hidden Markov model of tag bigrams (Viterbi)."""
    steps = _steps(training, training_tags)
    emissions = _emissions(training, training_tags)
    return _viterbi(truth, steps.astype(np.float32), emissions.astype(np.float32))


def _tag_counts(training: Truth, tags: Array) -> Floats:
    """How often each word has each tag [words × tags]."""
    spoken = training.language
    pairs = training.words.astype(np.intp) * spoken.n_tags + tags
    counts = np.bincount(pairs, minlength=spoken.n_words * spoken.n_tags)
    return counts.reshape(spoken.n_words, spoken.n_tags).astype(np.float64)


def _shares_of_tags(tags: Array, n_tags: int) -> Floats:
    """The share of each tag, below 1 even where it is the only one."""
    return np.bincount(tags, minlength=n_tags) / (len(tags) + 1)


def _steps(training: Truth, tags: Array) -> Floats:
    """Logarithms of the probability of a tag after another [tags and start × tags]; a last column forbids -1."""
    n_tags = training.language.n_tags
    before = tags_before(tags, training.sentence_offsets, n_tags)
    counts = np.bincount(before * n_tags + tags, minlength=(n_tags + 1) * n_tags).reshape(n_tags + 1, n_tags) + _UNSEEN
    steps = np.full((n_tags + 1, n_tags + 1), -np.inf)
    steps[:, :n_tags] = np.log(counts / counts.sum(axis=1, keepdims=True))
    return steps


def _emissions(training: Truth, tags: Array) -> Floats:
    """Logarithms of the probability of a word given each of its candidates [words × most candidates], -inf behind."""
    spoken = training.language
    counts = _tag_counts(training, tags) + _UNSEEN * (spoken.reading_of >= 0)
    with np.errstate(divide="ignore"):
        emissions = np.log(counts / counts.sum(axis=0))
    chosen = np.take_along_axis(emissions, np.maximum(spoken.candidates, 0).astype(np.intp), axis=1)
    chosen[spoken.candidates < 0] = -np.inf
    return chosen


def _viterbi(truth: Truth, steps: Array, emissions: Array) -> Array:
    """The best tags of all sentences at once: the n-th tokens of those that have so many are one step."""
    candidates = truth.candidates
    emissions = emissions.take(truth.words, axis=0)
    lengths = np.diff(truth.sentence_offsets)
    longest_first = np.argsort(-lengths, kind="stable")
    starts, lengths = truth.sentence_offsets[:-1][longest_first], lengths[longest_first]
    n_active = np.searchsorted(-lengths, -np.arange(1, lengths[0] + 1), side="right")  # by place in the sentence
    scores = steps[-1][candidates[starts]] + emissions[starts]
    back = np.zeros_like(candidates)
    last = np.zeros((truth.n_sentences, scores.shape[1]), dtype=scores.dtype)
    for place, n in enumerate(n_active.tolist()[1:], start=1):
        last[n : len(scores)] = scores[n:]
        here = starts[:n] + place
        ways = scores[:n, :, None] + steps[candidates[here - 1][:, :, None], candidates[here][:, None, :]]
        best = ways.argmax(axis=1)
        back[here] = best
        scores = np.take_along_axis(ways, best[:, None, :], axis=1)[:, 0] + emissions[here]
    last[: len(scores)] = scores
    return _traced(truth, candidates, back, last.argmax(axis=1), starts, n_active)


def _traced(truth: Truth, candidates: Array, back: Array, ends: Indices, starts: Indices, n_active: Indices) -> Array:
    """The tags along the best way to each sentence's end."""
    tags = np.empty_like(truth.tags)
    state = ends.copy()
    for place in range(len(n_active) - 1, -1, -1):
        n = n_active[place]
        here = starts[:n] + place
        tags[here] = candidates[here, state[:n]]
        state[:n] = back[here, state[:n]]
    return tags
