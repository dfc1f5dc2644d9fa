"""Noise measured on files: strata, weights, and intervals that have sampling error in them."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from examples import conllu, sentence
from karat.corpus.lexicon import read_lexicon
from karat.errors import DataError, UsageError
from karat.noise.bounds import Bounds, envelope
from karat.noise.from_files import confidence_ends, noise_bounds_from_files
from karat.noise.priors import Belief, Priors

LEXICON = "run\tNOUN VERB\nfast\tADJ|ADV|NOUN\nthe\tDET\ndogs\tNOUN\n"


def files(folder: Path, n: int, wrong: int) -> tuple[str, str, Path]:
    """n sentences `the dogs run fast`; the system has `run` wrong in the first few."""
    words = ("the/DET", "dogs/NOUN", "run/VERB/0/root", "fast/ADV")
    bad = ("the/DET", "dogs/NOUN", "run/NOUN/0/root", "fast/ADV")
    gold = conllu(folder / "gold.conllu", *(sentence(*words) for _ in range(n)))
    system = conllu(folder / "s.conllu", *(sentence(*(bad if i < wrong else words)) for i in range(n)))
    lexicon = folder / "lexicon.tsv"
    lexicon.write_text(LEXICON, encoding="utf-8")
    return gold, system, lexicon


def test_ambiguous_words_are_measured_apart_and_weighed(tmp_path: Path) -> None:
    gold, system, lexicon = files(tmp_path, 100, 20)
    one = noise_bounds_from_files(gold, system, lexicon=lexicon, corpus_error=0.03, other_error=0.01).systems[0]
    # 200 of 400 words are ambiguous, run with 2 tags and fast with 3; 180 of them are right
    assert (one.observed, one.ambiguity) == (0.9, 2.5)
    assert one.whole is not None
    assert (one.whole.n_words, one.whole.n_ambiguous, one.whole.observed) == (400, 200, 0.95)
    found = envelope(0.9, 0.03, 2.5)
    # of the others, all right with 1 % of errors: at least 99 %, and at most 2 − 1 − 0.01
    assert one.whole.bounds.lower == pytest.approx((float(found.lower) + 0.99) / 2)
    assert one.whole.bounds.upper == pytest.approx((float(found.upper) + 0.99) / 2)
    assert one.whole.confidence is not None
    assert one.envelope is not None
    assert one.whole.confidence.lower < one.envelope.lower < one.envelope.upper < one.whole.confidence.upper


def test_sampling_error_is_that_of_sentences(tmp_path: Path) -> None:
    gold, system, lexicon = files(tmp_path, 100, 20)
    one = noise_bounds_from_files(gold, system, lexicon=lexicon, corpus_error=0.03).systems[0]
    assert one.whole is not None
    assert one.whole.confidence is not None
    assert one.envelope is not None
    # K of a sentence is 1/2 or 1, so that its standard error is √(0.2·0.8/4/99); dx/dK is 1 at the lower end
    error = math.sqrt(0.2 * 0.8 / 4 / 99)
    assert one.whole.confidence.lower == pytest.approx(
        one.envelope.lower - 1.645 * error, abs=2e-4
    )  # one-sided: far apart


def two_systems(folder: Path, n: int, wrong: tuple[int, int]) -> tuple[str, dict[str, str], Path]:
    """The gold and two systems of `files`, each with so many sentences wrong, one from the start, one from the end."""
    gold, a, lexicon = files(folder, n, wrong[0])
    words = ("the/DET", "dogs/NOUN", "run/VERB/0/root", "fast/ADV")
    bad = ("the/DET", "dogs/NOUN", "run/NOUN/0/root", "fast/ADV")
    b = conllu(folder / "b.conllu", *(sentence(*(bad if i >= n - wrong[1] else words)) for i in range(n)))
    return gold, {"a": a, "b": b}, lexicon


def test_sampling_error_is_in_what_is_said_of_a_pair(tmp_path: Path) -> None:
    """On eight sentences intervals do not overlap, but with so few they might have; on 800 they do not."""
    gold, systems, lexicon = two_systems(tmp_path, 8, (3, 1))
    few = noise_bounds_from_files(gold, systems, lexicon=lexicon, corpus_error=0.01).pairs[0]
    assert few.overlap == 0
    assert (few.better, few.better_overall) == (None, None)
    assert set(few.rules.values()) == {None}
    gold, systems, lexicon = two_systems(tmp_path, 800, (300, 100))
    many = noise_bounds_from_files(gold, systems, lexicon=lexicon, corpus_error=0.01).pairs[0]
    assert (many.better, many.better_overall) == ("b", "b")
    assert set(many.rules.values()) == {"b"}


def test_the_probability_has_sampling_error_in_it(tmp_path: Path) -> None:
    """With u and p known and the same, x differs as K does: normal, with the standard error of the difference."""
    n, wrong = 200, (80, 64)
    gold, systems, lexicon = two_systems(tmp_path, n, wrong)
    priors = Priors({"u": Belief("point", (0.5,)), "p": Belief("point", (0.8,))})
    found = (
        noise_bounds_from_files(gold, systems, lexicon=lexicon, corpus_error=0.03, priors=priors).pairs[0].probability
    )
    assert found is not None
    ahead = [0.5] * wrong[0] + [0.0] * (n - sum(wrong)) + [-0.5] * wrong[1]  # of K, in each sentence
    error = float(np.std(ahead, ddof=1)) / math.sqrt(n)
    expected = NormalDist().cdf(float(np.mean(ahead)) / error)
    assert 0.85 < expected < 0.98
    assert found.independent == pytest.approx(expected, abs=0.005)
    assert found.shared == pytest.approx(expected, abs=0.005)


def test_a_lexicon_may_be_a_corpus_or_words_with_tags(tmp_path: Path) -> None:
    path = tmp_path / "l"
    for text in (LEXICON, LEXICON.replace(" ", ",")):
        path.write_text(text, encoding="utf-8")
        assert read_lexicon(path).n_tags == {"run": 2, "fast": 3, "the": 1, "dogs": 1}
    path.write_text("run\tNOUN\nrun\tVERB\n\nthe\tDET\n", encoding="utf-8")
    assert read_lexicon(path).n_tags == {"run": 2, "the": 1}


def test_without_ambiguous_words_there_is_nothing_to_measure(tmp_path: Path) -> None:
    gold, system, _ = files(tmp_path, 3, 1)
    plain = tmp_path / "plain"
    plain.write_text("the\tDET\ndogs\tNOUN\n", encoding="utf-8")
    with pytest.raises(DataError, match="K603"):
        noise_bounds_from_files(gold, system, lexicon=plain, corpus_error=0.03)


def test_bad_rates_are_refused(tmp_path: Path) -> None:
    gold, system, lexicon = files(tmp_path, 3, 1)
    for error, other in ((1.0, None), (0.1, -0.1)):
        with pytest.raises(UsageError):
            noise_bounds_from_files(gold, system, lexicon=lexicon, corpus_error=error, other_error=other)


@pytest.mark.parametrize(("width", "factor"), [(0.0, 1.95996), (1.0, 1.64485)])
def test_the_factor_goes_from_two_sides_to_one_as_bounds_part(width: float, factor: float) -> None:
    rng = np.random.default_rng(1)
    spread = rng.normal(0, 1e-4, 400)
    error = float(np.sqrt((399 / 400) * ((spread - spread.mean()) ** 2).sum()))
    without = Bounds(0.4 + spread, 0.4 + width / 2 + spread)
    ends = confidence_ends(Bounds(np.array(0.4), np.array(0.4 + width / 2)), without, 0.95)
    assert ends is not None
    assert (0.4 - ends.lower) / error == pytest.approx(factor, abs=1e-4)
    assert (ends.upper - 0.4 - width / 2) / error == pytest.approx(factor, abs=1e-4)


def test_the_interval_covers_a_number_anywhere_between_its_bounds() -> None:
    """95 % of the time at an end, where it is hardest; more in between."""
    rng = np.random.default_rng(2)
    n, truth, hits = 200, 0.9, 0
    for _ in range(2000):
        sample = rng.normal(truth, 0.1, n)
        means = (sample.sum() - sample) / (n - 1)
        width = 0.02
        ends = confidence_ends(Bounds(sample.mean(), sample.mean() + width), Bounds(means, means + width), 0.95)
        assert ends is not None
        hits += ends.lower <= truth <= ends.upper  # the truth is at the lower bound
    assert 0.935 <= hits / 2000 <= 0.965
