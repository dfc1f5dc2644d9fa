"""Noise and systems: rates as asked, tags that words can have, errors that are or are not learned."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat._arrays import Array
from karat.errors import UsageError
from karat.simulation._language import language
from karat.simulation.candidates import other_tags
from karat.simulation.noise import KINDS, Kind, Over, _context_shares, noisy, systematic_errors
from karat.simulation.systems import By, Realised, lowest_p, realised, system
from karat.simulation.taggers import _emissions, _steps, bigram_tags, most_frequent_tags
from karat.simulation.text import Truth, simulated, tags_before

TRUTH = simulated(40_000, 1)
GOLD = noisy(TRUTH, 0.05, "random", 2)


def possible(truth: Truth, tags: Array) -> bool:
    return bool(np.any(truth.candidates == tags[:, None], axis=1).all())


def within_binomial_error(value: float | None, probability: float, n: int) -> bool:
    """Whether a share lies within four standard errors."""
    assert value is not None
    return abs(value - probability) <= 4 * math.sqrt(probability * (1 - probability) / n) + 1e-12


@given(st.integers(0, 2**32), st.booleans())
def test_other_tags_are_possible_and_other(seed: int, two: bool) -> None:
    truth = simulated(300, seed)
    at_least = np.flatnonzero(truth.n_candidates > 1 + two)
    words, tags = truth.words[at_least], truth.tags[at_least]
    rng = np.random.default_rng(seed)
    first = other_tags(truth.language, words, tags, rng)
    assert (first != tags).all()
    assert (language().candidates[words] == first[:, None]).any(axis=1).all()
    if two:
        second = other_tags(truth.language, words, tags, rng, also_not=first)
        assert (second != tags).all()
        assert (second != first).all()
        assert (language().candidates[words] == second[:, None]).any(axis=1).all()


def test_all_other_tags_are_equally_likely() -> None:
    that = np.full(30_000, language().words.index("that"), dtype=np.int32)
    names = language().tag_names
    tags = np.full(30_000, names.index("PRON"), dtype=np.int8)
    counts = np.bincount(other_tags(language(), that, tags, np.random.default_rng(1)), minlength=len(names))
    assert counts[names.index("DET")] + counts[names.index("SCONJ")] == 30_000
    assert within_binomial_error(counts[names.index("DET")] / 30_000, 0.5, 30_000)


def test_a_word_without_another_tag_is_refused() -> None:
    word = np.array([language().words.index("of")], dtype=np.int32)
    tag = np.array([language().tag_names.index("ADP")], dtype=np.int8)
    with pytest.raises(ValueError, match="no other tag"):
        other_tags(language(), word, tag, np.random.default_rng(1))


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.03, 0.2])
def test_random_noise_has_the_rate_asked_for_over_all_tokens(rate: float) -> None:
    wrong = noisy(TRUTH, rate, "random", 3) != TRUTH.tags
    # the rate is that of the language: the ambiguous share of this text differs from the language's
    expected = rate * TRUTH.ambiguous.mean() / language().ambiguous_share
    assert within_binomial_error(wrong.mean(), expected, TRUTH.n_tokens)
    assert expected == pytest.approx(rate, rel=0.03)


@pytest.mark.parametrize("rate", [0.03, 0.5, 0.99])
def test_random_noise_has_the_rate_asked_for_over_ambiguous_tokens(rate: float) -> None:
    wrong = (noisy(TRUTH, rate, "random", 3, over="ambiguous") != TRUTH.tags)[TRUTH.ambiguous]
    assert within_binomial_error(wrong.mean(), rate, len(wrong))


@pytest.mark.parametrize("over", ["all", "ambiguous"])
@pytest.mark.parametrize("rate", [0.003, 0.03, 0.2])
def test_systematic_errors_make_up_the_rate_in_the_long_run(rate: float, over: Over) -> None:
    share = 1 if over == "all" else language().ambiguous_share
    assert systematic_errors(rate, 1, over=over).expected_rate == pytest.approx(rate * share, rel=0.01)
    long = simulated(400_000, 5)
    assert (noisy(long, rate, "systematic", 1, over=over) != long.tags).mean() == pytest.approx(rate * share, rel=0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_only_gives_tags_that_the_word_can_have(kind: Kind) -> None:
    gold = noisy(TRUTH, 0.1, kind, 4)
    assert possible(TRUTH, gold)
    assert TRUTH.ambiguous[gold != TRUTH.tags].all()
    assert np.array_equal(gold, noisy(TRUTH, 0.1, kind, 4))
    assert not np.array_equal(gold, noisy(TRUTH, 0.1, kind, 5))


def consistency(truth: Truth, gold: Array) -> float:
    """Of wrong tokens, the share whose word is wrong in the same way wherever it has this tag after the same tag."""
    before = np.concatenate([[-1], truth.tags[:-1]])
    before[truth.sentence_offsets[:-1]] = -1
    found: dict[tuple[int, int, int], list[int]] = {}
    for *key, tag in zip(truth.words.tolist(), truth.tags.tolist(), before.tolist(), gold.tolist(), strict=True):
        found.setdefault(tuple(key), []).append(tag)
    wrong = [tags for key, tags in found.items() if any(tag != key[1] for tag in tags) and len(tags) > 1]
    return sum(len(set(tags)) == 1 for tags in wrong) / len(wrong)


def test_systematic_noise_is_the_same_in_the_same_context_and_random_noise_is_not() -> None:
    assert consistency(TRUTH, noisy(TRUTH, 0.05, "systematic", 6)) == 1
    assert consistency(TRUTH, noisy(TRUTH, 0.05, "random", 6)) < 0.2


def test_systematic_errors_are_frequent_contexts_but_none_is_most_of_them() -> None:
    errors = systematic_errors(0.03, 7)
    assert 20 < len(errors.contexts) < 1000
    assert (np.diff(errors.contexts) > 0).all()
    contexts, shares = _context_shares()
    assert shares[np.searchsorted(contexts, errors.contexts)].max() <= 0.1 * 0.03
    assert shares.sum() == pytest.approx(language().ambiguous_share)


def test_nothing_stands_before_the_first_token_of_a_sentence() -> None:
    assert tags_before(np.array([4, 5, 6, 7]), np.array([0, 1, 4]), 9).tolist() == [9, 9, 5, 6]


@pytest.mark.parametrize("rate", [-0.1, 1.0, 1.5, float("nan")])
@pytest.mark.parametrize("kind", KINDS)
def test_rates_outside_of_0_to_1_are_refused(rate: float, kind: Kind) -> None:
    with pytest.raises(UsageError, match="at least 0 and below 1"):
        noisy(TRUTH, rate, kind, 1)


def test_more_noise_than_ambiguous_words_is_refused() -> None:
    with pytest.raises(UsageError, match="can have another tag"):
        noisy(TRUTH, 0.9, "random", 1)
    with pytest.raises(UsageError, match="random or systematic"):
        noisy(TRUTH, 0.1, "odd", 1)  # type: ignore[arg-type]


def test_realised_counts_the_cells_of_table_1_by_hand() -> None:
    truth = simulated(2000, 21)
    at = np.flatnonzero(truth.n_candidates == 3)[:5]
    gold, tags = truth.tags.copy(), truth.tags.copy()
    others = [[tag for tag in truth.candidates[i].tolist() if tag != truth.tags[i]] for i in at]
    gold[at[0]] = others[0][0]  # only the system is right
    tags[at[1]] = others[1][0]  # only the gold is right
    gold[at[2]] = tags[at[2]] = others[2][1]  # the same error
    gold[at[3]], tags[at[3]] = others[3]  # different errors
    tags[at[4]] = others[4][1]
    assert realised(truth, gold, tags) == Realised(1995, 2, 1, 1, 1)
    n_ambiguous = int(truth.ambiguous.sum())
    found = realised(truth, gold, tags, over="ambiguous")
    assert found == Realised(n_ambiguous - 5, 2, 1, 1, 1)
    assert (found.u, found.p, found.corpus_error) == (1 / 3, 1 / 2, 3 / n_ambiguous)
    assert found.t == (n_ambiguous - 5) / (n_ambiguous - 3)
    assert found.true_accuracy == (n_ambiguous - 4) / n_ambiguous
    assert found.observed_accuracy == (n_ambiguous - 4) / n_ambiguous
    assert Realised(0, 0, 0, 0, 0).true_accuracy is None


@pytest.mark.parametrize("over", ["all", "ambiguous"])
@pytest.mark.parametrize(("t", "u", "p"), [(0.97, 0.9, 0.75), (0.9, 0.2, 0.6), (0.95, 0.6, 0.2), (0.99, 0.0, 1.0)])
def test_a_system_has_the_t_u_and_p_asked_for(t: float, u: float, p: float, over: Over) -> None:
    tags = system(TRUTH, GOLD, t=t, u=u, p=p, rng=8, over=over)
    found = realised(TRUTH, GOLD, tags, over=over)
    n_wrong = found.only_system_right + found.same_error + found.different_errors
    assert within_binomial_error(found.t, t, found.n_tokens - n_wrong)
    assert within_binomial_error(found.u, u, n_wrong)
    assert within_binomial_error(found.p, p, n_wrong - found.only_system_right)
    assert possible(TRUTH, tags)


def test_an_ideal_system_is_the_truth_and_a_copy_is_the_gold() -> None:
    assert np.array_equal(system(TRUTH, GOLD, t=1, u=1, p=0, rng=1), TRUTH.tags)
    assert np.array_equal(system(TRUTH, GOLD, t=1, u=0, p=1, rng=1), GOLD)


def test_p_stops_at_its_lower_limit_and_u_holds() -> None:
    limit = lowest_p(TRUTH, GOLD, u=0.1)
    assert 0.4 < limit < 0.7
    found = realised(TRUTH, GOLD, system(TRUTH, GOLD, t=0.97, u=0.1, p=0, rng=9))
    assert found.p == pytest.approx(limit, abs=0.02)
    assert found.u == pytest.approx(0.1, abs=0.03)
    assert lowest_p(TRUTH, GOLD, u=1) == lowest_p(TRUTH, TRUTH.tags, u=0.5) == 0


def variance_ratio(by: By, clustering: float) -> tuple[float, float]:
    """Of rates of error in clusters: their variance, as a multiple of what independent errors would have; and deff."""
    truth = simulated(200_000, 31, n_documents=1000)
    tags = system(truth, truth.tags, t=0.8, u=1, p=0, rng=10, clustering=clustering, by=by, over="ambiguous")
    clusters = (truth.token_sentences if by == "sentence" else truth.token_documents)[truth.ambiguous]
    sizes = np.bincount(clusters)
    errors = np.bincount(clusters, weights=(tags != truth.tags)[truth.ambiguous])
    deviations = errors - 0.2 * sizes
    return float((deviations**2).sum() / (0.16 * sizes.sum())), float(
        1 + ((sizes**2).sum() / sizes.sum() - 1) * clustering
    )


@pytest.mark.parametrize(("by", "clustering"), [("sentence", 0.0), ("sentence", 0.5), ("document", 0.03)])
def test_clustered_errors_have_the_design_effect(by: By, clustering: float) -> None:
    ratio, design_effect = variance_ratio(by, clustering)
    assert ratio == pytest.approx(design_effect, rel=0.12)


def test_clustered_errors_keep_the_rates() -> None:
    truth = simulated(300_000, 32)
    gold = noisy(truth, 0.05, "random", 1)
    found = realised(truth, gold, system(truth, gold, t=0.95, u=0.5, p=0.7, rng=1, clustering=0.05))
    assert (found.t, found.u, found.p) == pytest.approx((0.95, 0.5, 0.7), abs=0.02)


@pytest.mark.parametrize("name", ["t", "u", "p", "clustering"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_parameters_outside_of_0_to_1_are_refused(name: str, value: float) -> None:
    v = {"t": 0.9, "u": 0.5, "p": 0.7, "clustering": 0.0, name: value}
    with pytest.raises(UsageError, match=f"{name} is"):
        system(TRUTH, GOLD, t=v["t"], u=v["u"], p=v["p"], clustering=v["clustering"], rng=1)


def test_a_system_cannot_be_worse_than_the_share_of_ambiguous_words() -> None:
    with pytest.raises(UsageError, match="of all tokens can be wrong"):
        system(TRUTH, GOLD, t=0.3, u=0.5, p=0.7, rng=1)


def test_small_texts_work() -> None:
    for n_tokens in range(1, 30):
        truth = simulated(n_tokens, n_tokens)
        gold = noisy(truth, 0.3, "random", n_tokens)
        assert possible(truth, system(truth, gold, t=0.7, u=0.3, p=0.5, rng=1, clustering=0.3))
        assert possible(truth, bigram_tags(truth, gold, truth))


def learned(kind: Kind) -> dict[str, Realised]:
    errors = systematic_errors(0.03, 11) if kind == "systematic" else None
    training = simulated(40_000, 12)
    training_tags = noisy(training, 0.03, kind, 13, errors=errors)
    gold = noisy(TRUTH, 0.03, kind, 14, errors=errors)
    taggers = {"mft": most_frequent_tags, "bigram": bigram_tags}
    return {name: realised(TRUTH, gold, tags(training, training_tags, TRUTH)) for name, tags in taggers.items()}


def test_taggers_learn_systematic_noise_and_not_random_noise() -> None:
    random, systematic = learned("random"), learned("systematic")

    def repeated(found: Realised) -> float:
        return found.same_error / (found.same_error + found.different_errors + found.only_system_right)

    assert repeated(systematic["bigram"]) > 4 * repeated(random["bigram"])
    assert repeated(systematic["mft"]) > 2 * repeated(random["mft"])
    assert (systematic["bigram"].true_accuracy or 1) < (random["bigram"].true_accuracy or 0)
    assert (systematic["bigram"].observed_accuracy or 0) > (random["bigram"].observed_accuracy or 1)


def test_random_noise_leaves_taggers_as_good_where_the_gold_is_wrong() -> None:
    training = simulated(40_000, 12)
    tags = bigram_tags(training, noisy(training, 0.03, "random", 13), TRUTH)
    found = realised(TRUTH, GOLD, tags, over="ambiguous")
    assert found.u == pytest.approx(found.t, abs=0.03)


def test_context_helps() -> None:
    found = learned("random")
    assert (found["bigram"].true_accuracy or 0) > (found["mft"].true_accuracy or 1) + 0.02


def test_the_most_frequent_tag_is_found_by_counting() -> None:
    training = simulated(5000, 41)
    tags = most_frequent_tags(training, training.tags, TRUTH)
    counts: dict[int, dict[int, int]] = {}
    for word, tag in zip(training.words.tolist(), training.tags.tolist(), strict=True):
        of_word = counts.setdefault(word, {})
        of_word[tag] = of_word.get(tag, 0) + 1
    for word, tag in zip(TRUTH.words.tolist(), tags.tolist(), strict=True):
        if word in counts:
            assert counts[word].get(tag, 0) == max(counts[word].values())
    assert possible(TRUTH, tags)


def test_the_bigram_tagger_finds_the_most_probable_tags() -> None:
    """Against all combinations of candidates, in pieces of text that end anywhere."""
    training, truth = simulated(5000, 42), simulated(600, 43)
    ends = np.cumsum(np.tile([1, 2, 3, 4, 5, 6, 9], 20))
    truth = replace(truth, sentence_offsets=np.concatenate([[0], ends]))
    steps, emissions = _steps(training, training.tags), _emissions(training, training.tags)
    found = bigram_tags(training, training.tags, truth)
    place_of_tag = language().place_of_tag

    def score(words: list[int], tags: tuple[int, ...]) -> float:
        before = (steps.shape[0] - 1, *tags[:-1])
        steps_taken = sum(steps[one, other] for one, other in zip(before, tags, strict=True))
        return float(steps_taken + sum(emissions[w, place_of_tag[w, t]] for w, t in zip(words, tags, strict=True)))

    n_checked = 0
    for start, stop in zip(truth.sentence_offsets[:-1].tolist(), truth.sentence_offsets[1:].tolist(), strict=True):
        choices = [[t for t in row if t >= 0] for row in truth.candidates[start:stop].tolist()]
        if np.prod([len(one) for one in choices]) > 2000:
            continue
        words = truth.words[start:stop].tolist()
        best = max(score(words, tags) for tags in product(*choices))
        assert score(words, tuple(found[start:stop].tolist())) == pytest.approx(best, abs=1e-3)
        n_checked += 1
    assert n_checked > 130
