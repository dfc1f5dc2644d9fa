"""Corpora told apart by whole documents: against the plain reference, by hand, and on corpora that do not differ."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import divergence_reference as reference
from examples import conllu, sentence
from karat._ragged import Ragged, offsets_of
from karat.errors import UsageError
from karat.gold.divergence.accuracy_interval import accuracy_interval
from karat.gold.divergence.diverge import diverge
from karat.gold.divergence.divergence_results import Divergences
from karat.gold.divergence.document_pairs import DocumentPair, document_pair
from karat.gold.divergence.document_test import DocumentTest, document_test, standard_error
from karat.inference.distributions import normal_cdf

Sentence = tuple[str, ...]
Documents = list[list[Sentence]]


# ---- against the reference -------------------------------------------------------------------------------------------


def as_arrays(first: Documents, second: Documents) -> tuple[DocumentPair, Ragged, Ragged]:
    """The documents as karat has them, numbered by dictionaries."""
    texts: dict[Sentence, int] = {}
    kinds: dict[tuple[str, ...], int] = {}
    numbers, bags = [], []
    for corpus in (first, second):
        sentences = [one for document in corpus for one in document]
        numbers.append(np.array([texts.setdefault(one, len(texts)) for one in sentences]))
        grams = [[*((unit,) for unit in one), *pairwise(one)] for one in sentences]
        values = [kinds.setdefault(gram, len(kinds)) for its in grams for gram in its]
        bags.append(Ragged(offsets_of([len(its) for its in grams]), np.array(values)))
    offsets = [offsets_of([len(document) for document in corpus]) for corpus in (first, second)]
    return document_pair(numbers[0], numbers[1], offsets[0], offsets[1]), bags[0], bags[1]


def outcome_of(
    first: Documents, second: Documents, seed: int, n_splits: int = 4, n_permutations: int = 19
) -> DocumentTest:
    pair, ours, theirs = as_arrays(first, second)
    return document_test(
        pair,
        ours,
        theirs,
        classifier="naive-bayes",
        n_splits=n_splits,
        n_permutations=n_permutations,
        level=0.95,
        random=np.random.default_rng(seed),
    )


SENTENCES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)
DOCUMENTS = st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=2, max_size=5)


@settings(max_examples=40)
@given(DOCUMENTS, DOCUMENTS, st.integers(0, 5))
def test_accuracy_and_p_are_those_of_the_plain_reference(first: Documents, second: Documents, seed: int) -> None:
    found = outcome_of(first, second, seed)
    units = reference.same_text_units([*first, *second])
    is_first = [number < len(first) for number in range(len(first) + len(second))]
    random = np.random.default_rng(seed)
    accuracy, p = reference.documents_p([*first, *second], is_first, units, 4, 19, random)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-12)
    assert found.p == pytest.approx(p, abs=1e-12)
    pair, _, _ = as_arrays(first, second)
    assert pair.unit.tolist() == units


def test_long_documents_agree_with_the_reference_exactly() -> None:
    random = Random(3)
    first, second = (
        [[tuple(random.choices(words, k=5)) for _ in range(random.randint(2, 9))] for _ in range(7)]
        for words in ("abcdefghij", "cdefghijkl")
    )
    found = outcome_of(first, second, 8, n_splits=5, n_permutations=39)
    is_first = [True] * 7 + [False] * 7
    plain = reference.documents_p([*first, *second], is_first, list(range(14)), 5, 39, np.random.default_rng(8))
    assert (found.accuracy, found.p) == pytest.approx(plain, abs=1e-12)


# ---- units -----------------------------------------------------------------------------------------------------------


def test_copies_of_a_document_are_one_unit_and_formulas_make_none() -> None:
    story: list[Sentence] = [(word,) for word in "abcde"]
    thanks: Sentence = ("thanks",)
    pair, _, _ = as_arrays([story, [("x",), thanks, ("y",)]], [story[:4], [("z",), thanks, ("w",)]])
    assert pair.unit.tolist() == [0, 1, 0, 2]
    assert pair.is_pure.tolist() == [False, True, True]
    few, many = (as_arrays([[thanks], story], [[thanks]] * n)[0] for n in (2, 30))
    assert few.unit.tolist() == [0, 1, 0, 0]
    assert many.n_units == 32


def test_the_smallest_p_by_hand() -> None:
    """3 and 3 documents: 20 labellings, two of which are one; 4 and 2: 15; two annotations of 6 texts: 2⁶, halved."""

    def smallest(n_first: int, n_second: int) -> float:
        own: Documents = [[(f"{number}",)] for number in range(n_first + n_second)]
        return as_arrays(own[:n_first], own[n_first:])[0].smallest_p()

    assert smallest(3, 3) == pytest.approx(2 / 20)
    assert smallest(4, 2) == pytest.approx(1 / 15)
    assert smallest(4, 4) == pytest.approx(2 / 70)
    assert smallest(100, 2) == 0
    same: Documents = [[(f"{number}",)] for number in range(6)]
    assert as_arrays(same, same)[0].smallest_p() == pytest.approx(2 / 2**6)


def test_the_standard_error_by_hand() -> None:
    """Recognised 3 of 4, 1 of 4 and 2 of 2 sentences of the first corpus, 1 of 2 and 2 of 2 of the second.

    Shares 0.6 and 0.75. Deviations (0.6, -1.4, 0.8) over 2 · 10 and (-0.5, 0.5) over 2 · 4; n/(n - 1) is 3/2 and 2.
    """
    pair, _, _ = as_arrays([[(word,)] for word in "abc"], [[(word,)] for word in "de"])
    error, df = standard_error(pair, np.array([3.0, 1, 2, 1, 2]), np.array([4, 4, 2, 2, 2]))
    first = (0.6**2 + 1.4**2 + 0.8**2) / 20**2 * 3 / 2
    second = (0.5**2 + 0.5**2) / 8**2 * 2
    assert error == pytest.approx((first + second) ** 0.5)
    effective = 100 / 36, 2
    assert df == pytest.approx((first + second) ** 2 / (first**2 / (effective[0] - 1) + second**2 / (effective[1] - 1)))


# ---- the interval ----------------------------------------------------------------------------------------------------

SHARES = st.floats(0, 1).map(lambda share: round(share, 3))


@settings(max_examples=60)
@given(SHARES, st.lists(SHARES, min_size=19, max_size=60), st.floats(0, 0.3), st.floats(1, 60))
def test_the_interval_lies_above_chance_exactly_if_p_is_small(
    accuracy: float, permuted: list[float], error: float, df: float
) -> None:
    p = (1 + sum(one >= accuracy for one in permuted)) / (1 + len(permuted))
    lower, upper = accuracy_interval(accuracy, error, df, 0.95, np.array(permuted))
    assert (lower > 0.5) == (p <= 0.05 + 1e-9 and accuracy > 0.5)
    assert 0 <= lower <= upper <= 1
    assert lower <= accuracy <= max(upper, 0.5)
    assert upper >= 0.5


@pytest.mark.parametrize("above_chance", [0.0, 0.4, 1.0, 1.9, 2.5, 5.0])
def test_the_interval_of_a_normal_value_covers_as_often_as_it_says(above_chance: float) -> None:
    """With a standard error s, values from x₁ to x₂ have intervals that hold the truth: Φ(x₂) - Φ(x₁) is the level."""
    s = 0.02
    truth = 0.5 + above_chance * s

    def ends(value: float) -> tuple[float, float]:
        return accuracy_interval(value, s / 2**0.5, 1e6, 0.9, None)

    def edge(is_below: object, low: float, high: float) -> float:
        for _ in range(30):
            middle = (low + high) / 2
            assert callable(is_below)
            low, high = (middle, high) if is_below(middle) else (low, middle)
        return low

    lowest = edge(lambda value: ends(value)[1] < truth, truth - 6 * s, truth)
    highest = edge(lambda value: ends(value)[0] <= truth, truth, truth + 6 * s)
    covered = normal_cdf((highest - truth) / s) - normal_cdf((lowest - truth) / s)
    assert covered == pytest.approx(0.9, abs=0.002)


def test_without_spread_the_interval_is_the_accuracy() -> None:
    assert accuracy_interval(1.0, 0.0, 5, 0.95, None) == pytest.approx((1, 1))
    assert accuracy_interval(0.5, 0.0, 5, 0.95, np.full(99, 0.5)) == (0.5, 0.5)


# ---- corpora ---------------------------------------------------------------------------------------------------------


def topical(random: Random, n_documents: int, common: str = "abcdefgh", n_sentences: int = 8) -> list[str]:
    """Documents of sentences, half of whose words no other document has."""
    found = []
    for _ in range(n_documents):
        own = [f"t{random.randrange(10**9)}" for _ in range(6)]
        for number in range(n_sentences):
            words = [random.choice(random.choice((own, list(common)))) for _ in range(7)]
            found.append(sentence(*(f"{word}/NOUN" for word in words), newdoc=None if number else own[0]))
    return found


def of_files(folder: Path, first: list[str], second: list[str], **options: object) -> Divergences:
    paths = {"a": conllu(folder / "a.conllu", *first), "b": conllu(folder / "b.conllu", *second)}
    return diverge(paths, **options)  # type: ignore[arg-type]


def test_topics_of_documents_tell_nothing_of_their_corpora(tmp_path: Path) -> None:
    random = Random(1)
    texts = topical(random, 12), topical(random, 12)
    found = of_files(tmp_path, *texts, features="words").cells[0]
    paper = of_files(tmp_path, *texts, features="words", preset="paper").cells[0]
    assert found.accuracy == pytest.approx(0.5, abs=0.1)
    assert found.is_told_apart(0.95) is False
    assert paper.accuracy > 0.85
    assert paper.lower is not None
    assert paper.lower > 0.5
    assert (paper.p, paper.is_told_apart(0.95), paper.n_documents_train) == (None, None, None)
    assert (found.n_documents_train, found.n_documents_test, found.n_sampled) == (12, 12, 96)


def test_corpora_that_differ_are_told_apart_in_spite_of_topics(tmp_path: Path) -> None:
    random = Random(2)
    result = of_files(tmp_path, topical(random, 10, "abcdef"), topical(random, 14, "abcxyz"), features="words")
    (found,) = result.cells
    assert found.p == 1 / 200
    assert found.lower is not None
    assert 0.55 < found.lower < found.accuracy
    assert found.is_told_apart(result.level) is True
    assert result.warnings == ()


def test_two_annotations_of_the_same_documents_differ_in_labels_only(tmp_path: Path) -> None:
    random = Random(4)
    text = topical(random, 8)
    other = [one.replace("a\ta\tNOUN", "a\ta\tVERB") for one in text]
    result = of_files(tmp_path, text, other)
    accuracy = {one.features: one.accuracy for one in result.cells}
    assert accuracy["words"] == 0.5
    assert accuracy["labels"] > 0.6
    assert [one.is_told_apart(0.95) for one in result.cells] == [False, True, True]


def test_too_few_documents_give_no_verdict(tmp_path: Path) -> None:
    random = Random(5)
    result = of_files(tmp_path, topical(random, 3), topical(random, 3, "uvwxyz"))
    for one in result.cells:
        assert (one.p, one.lower, one.upper, one.is_told_apart(0.95)) == (None, None, None, None)
    assert result.warnings == ("a and b: too few documents (3 and 3) for a verdict",)
    single = of_files(tmp_path, topical(random, 1), topical(random, 30), features="words")
    assert single.cells[0].p is None
    assert single.warnings == ("a and b: too few documents (1 and 30) for a verdict",)


def test_sentences_take_the_place_of_documents_that_are_not_marked(tmp_path: Path) -> None:
    random = Random(6)
    unmarked = [one.partition("\n")[2] if one.startswith("#") else one for one in topical(random, 6)]
    result = of_files(tmp_path, unmarked, topical(random, 6), features="words")
    (found,) = result.cells
    assert (found.n_documents_train, found.n_documents_test) == (None, None)
    assert found.accuracy > 0.7  # sentences of one document are in both halves
    assert result.warnings == ("no documents marked in a: sentences are used instead, so topics count too",)


def test_logistic_regression_halves_documents_too_and_has_no_p(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    random = Random(7)
    alike = of_files(tmp_path, topical(random, 8), topical(random, 8), classifier="logistic", n_splits=4).cells[0]
    assert alike.accuracy == pytest.approx(0.5, abs=0.15)
    result = of_files(tmp_path, topical(random, 8, "abc"), topical(random, 8, "xyz"), classifier="logistic", n_splits=4)
    assert result.cells[0].accuracy > 0.9
    assert result.cells[0].p is None
    assert result.cells[0].lower is not None
    assert "no p for logistic regression" in result.warnings[0]


def test_without_permutations_there_is_an_interval_and_no_p(tmp_path: Path) -> None:
    random = Random(8)
    found = of_files(tmp_path, topical(random, 6), topical(random, 6), n_permutations=0).cells[0]
    assert found.p is None
    assert found.lower is not None
    for wrong in (-1, 18):
        with pytest.raises(UsageError, match=r"cannot give p = 0.05: 19 or more are needed, or 0 for no p"):
            of_files(tmp_path, topical(random, 6), topical(random, 6), n_permutations=wrong)
    with pytest.raises(UsageError, match=r"cannot give p = 0.001: 999 or more"):
        of_files(tmp_path, topical(random, 6), topical(random, 6), level=0.999)
    with pytest.raises(UsageError, match="level 1"):
        of_files(tmp_path, topical(random, 6), topical(random, 6), level=1.0)
    assert of_files(tmp_path, topical(random, 6), topical(random, 6), n_permutations=19).cells[0].p is not None
    with pytest.raises(UsageError, match="unknown preset 'sentences'; choose from documents, paper"):
        of_files(tmp_path, topical(random, 6), topical(random, 6), preset="sentences")


@pytest.mark.slow
def test_documents_dealt_at_random_are_told_apart_in_5_percent_of_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 pairs of a simulated and 100 of a real kind: 11 % is less than three standard errors from 5 %."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[3] / "benchmarks"))
    calibration = import_module("divergence_calibration")
    settings = {one.name: one for one in calibration.SETTINGS}
    names = ["topics, 20 and 20 documents of 15 sentences"]
    names += ["EWT, 10 and 10 documents"] if calibration.DATA.exists() else []
    for name in names:
        for found in calibration.simulated(settings[name], range(100), n_of_paper=20).values():
            assert np.mean(found.p <= 0.05) <= 0.11
            assert np.array_equal(found.p <= 0.05, found.lower > 0.5)
            assert found.accuracy.max() < 0.75  # a divergence of 1
            assert np.mean(found.paper[:, 1] > 0.5) > 0.2
