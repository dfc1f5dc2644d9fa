"""Gold annotation with errors, random or systematic, whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat._ragged import owners_of
from karat.errors import UsageError
from karat.simulation._language import Language, language
from karat.simulation.candidates import other_tags
from karat.simulation.text import Truth, tags_before

Kind = Literal["random", "systematic"]
Over = Literal["all", "ambiguous"]
KINDS: tuple[Kind, ...] = ("random", "systematic")
# no single context may make up more than this share of the errors
_MOST_OF_ONE = 0.1
_NOMINAL = {"ADJ", "DET", "NOUN", "NUM", "PART", "PRON", "PROPN"}


@dataclass(frozen=True, slots=True, eq=False)
class SystematicErrors:
    """What an annotator always gets wrong: `wrong_tags[i]` for each token whose context is `contexts[i]` (ascending).

    A context is a word, its true tag, and whether the token before it in the sentence belongs to a noun phrase by its
    true tag. `expected_rate` is the
    share of all tokens that are wrong in the long run.
    """

    contexts: Indices
    wrong_tags: Array
    expected_rate: float


def noisy(
    truth: Truth,
    rate: float,
    kind: Kind,
    rng: np.random.Generator | int,
    *,
    over: Over = "all",
    errors: SystematicErrors | None = None,
) -> Array:
    """Tags of which the share `rate` is wrong: always those of ambiguous words, and always tags that the word can have.

    The rate is over all tokens, or over the ambiguous ones; it is that of the language in the long run. With `random`
    each ambiguous token is wrong independently, with any of its other tags. With `systematic` all tokens of the same
    word in the same context are wrong in the same way, as `errors` says (drawn here if not given; to train on text with
    the same errors, draw them once and give them each time); a text then deviates from the rate by what it happens to
    talk about.
    """
    if kind not in KINDS:
        raise UsageError(f"noise must be {' or '.join(KINDS)}, not {kind!r}")
    rng = np.random.default_rng(rng)
    tags = truth.tags.copy()
    if kind == "random":
        chance = _chance(rate, truth.language, over)
        wrong = np.flatnonzero(truth.ambiguous & (rng.random(truth.n_tokens) < chance))
        tags[wrong] = other_tags(truth.language, truth.words[wrong], tags[wrong], rng)
        return tags
    if errors is None:
        errors = systematic_errors(rate, rng, over=over)
    if not len(errors.contexts):
        return tags
    contexts = _contexts(truth)
    found = np.minimum(np.searchsorted(errors.contexts, contexts), len(errors.contexts) - 1)
    wrong = np.flatnonzero(errors.contexts[found] == contexts)
    tags[wrong] = errors.wrong_tags[found[wrong]]
    return tags


def systematic_errors(rate: float, rng: np.random.Generator | int, *, over: Over = "all") -> SystematicErrors:
    """Contexts, drawn so that they make up the share `rate` of the language's tokens, and the wrong tag of each."""
    rng = np.random.default_rng(rng)
    spoken = language()
    contexts, shares = _context_shares()
    asked = _chance(rate, spoken, over) * spoken.ambiguous_share
    chosen = np.sort(_adding_up(shares, asked, rng))
    words, tags = np.divmod(contexts[chosen] // 2, spoken.n_tags)
    wrong_tags = other_tags(spoken, words.astype(np.int32), tags, rng)
    return SystematicErrors(contexts[chosen], wrong_tags, float(shares[chosen].sum()))


def _adding_up(shares: Floats, asked: float, rng: np.random.Generator) -> Indices:
    """Which of the shares, drawn at random, add up to what is asked, never to more."""
    order = np.argsort(rng.exponential(size=len(shares)) / shares)  # drawn one after the other, by their size
    # one large context would make the rate a matter of luck: they come last, where nearly all is to be wrong
    large = shares[order] > _MOST_OF_ONE * asked
    order = np.concatenate([order[~large], order[large]])
    chosen: list[Indices] = []
    while asked > 0:
        fitting = shares[order] <= asked
        order = order[fitting]
        n_fitting = int(np.searchsorted(np.cumsum(shares[order]), asked, side="right"))
        if not n_fitting:
            break
        chosen.append(order[:n_fitting])
        asked -= float(shares[order[:n_fitting]].sum())
        order = order[n_fitting:]
    return np.concatenate([np.zeros(0, dtype=np.intp), *chosen])


def _chance(rate: float, spoken: Language, over: Over) -> float:
    """The share of ambiguous tokens that must be wrong."""
    if not 0 <= rate < 1:
        raise UsageError(f"the rate of noise is {rate:g}; it must be at least 0 and below 1")
    if over == "ambiguous":
        return rate
    most = spoken.ambiguous_share
    if rate > most:
        raise UsageError(f"noise of {rate:g} of all tokens is too much: only {most:.3f} of them can have another tag")
    return rate / most


def _contexts(truth: Truth) -> Indices:
    """The number of each token's context."""
    spoken = truth.language
    before = tags_before(truth.tags, truth.sentence_offsets, spoken.n_tags)
    return (truth.words.astype(np.intp) * spoken.n_tags + truth.tags) * 2 + _is_nominal(spoken)[before]


def _is_nominal(spoken: Language) -> Flags:
    """Which tags belong to noun phrases; a sentence's start, the last, does not."""
    return np.array([*(name in _NOMINAL for name in spoken.tag_names), False])


@lru_cache(maxsize=1)
def _context_shares() -> tuple[Indices, Floats]:
    """All contexts of ambiguous words, ascending, and the share of the language's tokens that each makes up."""
    spoken = language()
    templates = spoken.templates
    before = tags_before(spoken.class_tags[templates.classes], templates.offsets, spoken.n_tags)
    counts = np.zeros((len(spoken.class_names), 2))
    np.add.at(counts, (templates.classes, _is_nominal(spoken)[before].astype(np.intp)), 1 / len(templates.classes))
    entry_classes = owners_of(np.diff(spoken.class_offsets))
    several = spoken.n_candidates[spoken.entry_words] > 1
    words, classes = spoken.entry_words[several].astype(np.intp), entry_classes[several]
    shares = counts[classes] * spoken.entry_shares[several, None]
    contexts = (words * spoken.n_tags + spoken.class_tags[classes])[:, None] * 2 + np.arange(2)
    found, inverse = np.unique(contexts[shares > 0], return_inverse=True)
    summed = np.zeros(len(found))
    np.add.at(summed, inverse, shares[shares > 0])
    return found, summed
