"""How well corpora are told apart: against scikit-learn, at the ends of the scale, and beside the paper."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import karat
from examples import conllu, sentence
from karat._ragged import Ragged
from karat.errors import DataError, UsageError
from karat.gold.divergence import classifiers as classifiers
from karat.gold.divergence.diverge import FEATURES, diverge
from karat.gold.divergence.divergence_results import Divergences
from karat.gold.divergence.ngrams import ngram_space, text_numbers
from karat.gold.divergence.plain_differences import jensen_shannon
from karat.report.divergence import nearness
from realdata import data

TAGS = ["NOUN", "VERB", "ADP"]


def random_corpus(random: Random, n: int, words: str, tags: list[str] = TAGS) -> list[str]:
    """Sentences of one to eight words, the first letters likelier than the last."""
    weights = range(len(words), 0, -1)
    return [
        sentence(*(f"{word}/{random.choice(tags)}" for word in random.choices(words, weights, k=random.randint(1, 8))))
        for _ in range(n)
    ]


def two(folder: Path, first: list[str], second: list[str]) -> dict[str, str]:
    return {"a": conllu(folder / "a.conllu", *first), "b": conllu(folder / "b.conllu", *second)}


def tokens(path: str, features: str) -> list[list[str]]:
    """The units of each sentence, read without karat."""
    found = []
    for block in Path(path).read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        found.append([{"words": row[1], "labels": row[3], "both": f"{row[1]}/{row[3]}"}[features] for row in rows])
    return found


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("seed", range(5))
def test_naive_bayes_scores_sentences_as_scikit_learn_does(tmp_path: Path, features: str, seed: int) -> None:
    text: Any = pytest.importorskip("sklearn.feature_extraction.text")
    random = Random(seed)
    paths = two(tmp_path, random_corpus(random, 40, "abcdefgh"), random_corpus(random, 25, "hgfedcxyz"))
    corpora = [karat.read(path) for path in paths.values()]
    first, second = ngram_space(corpora, features, "upos").corpora
    ours_texts, their_texts = text_numbers(corpora)
    (split,) = classifiers.halves(ours_texts, their_texts, 1, np.random.default_rng(seed))
    ours = _scores(first, second, split)
    documents = [tokens(path, features) for path in paths.values()]
    learn = [documents[0][i] for i in split.learn_first] + [documents[1][i] for i in split.learn_second]
    test = [documents[0][i] for i in split.classify_first] + [documents[1][i] for i in split.classify_second]
    vectors = text.CountVectorizer(analyzer=lambda units: [*units, *map(" ".join, pairwise(units))])
    is_first = np.arange(len(learn)) < len(split.learn_first)
    model = import_module("sklearn.naive_bayes").MultinomialNB(fit_prior=False)
    model.fit(vectors.fit_transform(learn), is_first)
    theirs = np.diff(model.predict_joint_log_proba(vectors.transform(test)), axis=1)[:, 0]
    assert len(ours) > 20
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def _scores(first: Ragged, second: Ragged, split: classifiers.Split) -> Any:
    """The scores that `split_accuracy` counts."""
    learn = [first.taken(split.learn_first), second.taken(split.learn_second)]
    test = [first.taken(split.classify_first), second.taken(split.classify_second)]
    known, place = np.unique(np.concatenate([one.values for one in learn]), return_inverse=True)
    number = {kind: i for i, kind in enumerate(known.tolist())}
    test_ids = np.array([number.get(kind, -1) for one in test for kind in one.values.tolist()], dtype=np.intp)
    is_first = np.arange(len(split.learn_first) + len(split.learn_second)) < len(split.learn_first)
    lengths = [np.concatenate([one.sizes for one in side]) for side in (learn, test)]
    return classifiers.naive_bayes_scores(place, lengths[0], is_first, test_ids, lengths[1])


def test_the_weights_of_a_tiny_case_by_hand() -> None:
    """Learnt: `x x y` and `y z`. Three kinds, so x has (2+1)/(3+3) and (0+1)/(2+3); y 2/6 and 2/5; z 1/6 and 2/5."""
    learn, lengths = np.array([0, 0, 1, 1, 2]), np.array([3, 2])
    found = classifiers.naive_bayes_scores(
        learn, lengths, np.array([True, False]), np.array([0, 1, 2, -1, -1]), np.array([1, 2, 1, 1])
    )
    x, y, z = np.log((3 / 6) / (1 / 5)), np.log((2 / 6) / (2 / 5)), np.log((1 / 6) / (2 / 5))
    assert found == pytest.approx([x, y + z, 0, 0])


def test_ngrams_are_those_of_each_sentence(tmp_path: Path) -> None:
    path = conllu(tmp_path / "a.conllu", sentence("The/DET", "cat/NOUN", "sat/VERB"), sentence("Cats/NOUN"))
    corpus = karat.read(path)
    expected = {
        "words": [["The", "The cat", "cat", "cat sat", "sat"], ["Cats"]],
        "labels": [["DET", "DET NOUN", "NOUN", "NOUN VERB", "VERB"], ["NOUN"]],
        "both": [["The/DET", "The/DET cat/NOUN", "cat/NOUN", "cat/NOUN sat/VERB", "sat/VERB"], ["Cats/NOUN"]],
    }
    for features, wanted in expected.items():
        space = ngram_space([corpus, corpus], features, "upos")
        for ngrams in space.corpora:
            found = [[space.text(kind) for kind in ngrams.row(i).tolist()] for i in range(2)]
            assert found == wanted


def test_the_same_text_twice_is_told_apart_by_chance(tmp_path: Path) -> None:
    text = random_corpus(Random(1), 60, "abcdef")
    result = diverge(two(tmp_path, text, text))
    assert [one.accuracy for one in result.cells] == [0.5] * 3
    assert [one.divergence for one in result.cells] == [0.0] * 3
    assert (result.shares[0].oov, result.shares[0].js_labels) == (0, 0)
    assert result.telling == ()


def test_text_of_the_same_kind_is_told_apart_about_by_chance(tmp_path: Path) -> None:
    random = Random(12)
    result = diverge(two(tmp_path, random_corpus(random, 400, "abcdefghij"), random_corpus(random, 500, "abcdefghij")))
    for one in result.cells:
        assert one.accuracy == pytest.approx(0.5, abs=0.06)
        assert one.lower is not None
        assert one.upper is not None
        assert one.lower < 0.5 < one.upper


def test_disjoint_vocabularies_are_always_told_apart(tmp_path: Path) -> None:
    random = Random(3)
    result = diverge(two(tmp_path, random_corpus(random, 60, "abc"), random_corpus(random, 30, "xyz")))
    accuracy = {one.features: one.accuracy for one in result.cells}
    assert accuracy["words"] == accuracy["both"] == 1
    assert accuracy["labels"] < 0.7
    words = result.cells[0]
    assert (words.error, words.divergence, words.upper) == (0, 2, 1)
    assert words.lower is not None
    assert words.lower > 0.8
    assert (words.n_train, words.n_test) == (60, 30)
    paper = diverge(two(tmp_path, random_corpus(random, 60, "abc"), random_corpus(random, 30, "xyz")), preset="paper")
    words = paper.cells[0]
    assert (words.error, words.divergence, words.lower, words.upper) == (0, 2, 1, 1)
    assert (words.n_train, words.n_test, words.n_sampled) == (60, 30, 30)
    assert result.shares[0].oov == 1


def test_only_annotation_differs_and_only_labels_tell(tmp_path: Path) -> None:
    """The same words, but one corpus calls `not` PART and the other ADV."""
    lines = [("birds", "do", "not", name) for name in "abcdefghijklmnopqrst"]
    tags = ("NOUN", "AUX", "{}", "VERB")
    first, second = (
        [sentence(*(f"{word}/{tag.format(label)}" for word, tag in zip(line, tags, strict=True))) for line in lines]
        for label in ("PART", "ADV")
    )
    result = diverge(two(tmp_path, first, second), n_top=2)
    assert {one.features: one.accuracy for one in result.cells} == {"words": 0.5, "labels": 1, "both": 1}
    assert {(one.corpus, one.ngram) for one in result.telling if one.features == "both"} >= {
        ("a", "not/PART"),
        ("b", "not/ADV"),
    }
    assert [(one.features, one.best) for one in result.summary] == [("words", 0), ("labels", 0.5), ("both", 0.5)]


def test_copies_of_a_text_stay_in_one_half() -> None:
    first, second = np.array([0, 0, 1, 2, 3, 4]), np.array([0, 5, 6, 1, 7, 8])
    for split in classifiers.halves(first, second, 50, np.random.default_rng(0)):
        learnt = {*first[split.learn_first], *second[split.learn_second]}
        classified = {*first[split.classify_first], *second[split.classify_second]}
        assert not learnt & classified
        assert len(learnt) + len(classified) == 9


@given(st.integers(2, 40), st.integers(2, 40), st.integers(0, 100))
def test_splits_are_balanced_halves_of_the_smaller_side(n_first: int, n_second: int, seed: int) -> None:
    first, second = np.arange(n_first), n_first + np.arange(n_second)
    for split in classifiers.halves(first, second, 3, np.random.default_rng(seed)):
        for learn, classify in ((split.learn_first, split.classify_first), (split.learn_second, split.classify_second)):
            assert len(learn) + len(classify) == min(n_first, n_second)
            assert abs(len(learn) - len(classify)) <= 1
            assert len({*learn.tolist(), *classify.tolist()}) == min(n_first, n_second)


def test_sentences_of_the_same_words_have_the_same_number(tmp_path: Path) -> None:
    first = karat.read(conllu(tmp_path / "a.conllu", sentence("a", "b"), sentence("b", "a"), sentence("a")))
    second = karat.read(conllu(tmp_path / "b.conllu", sentence("a/NOUN", "b"), sentence("a", "a"), sentence("a b")))
    ours, theirs = text_numbers([first, second])
    assert ours[0] == theirs[0]
    assert len({*ours.tolist(), *theirs.tolist()}) == 5


COUNTS = arrays(np.float64, 5, elements=st.integers(0, 50).map(float)).filter(lambda counts: counts.sum() > 0)


@given(COUNTS, COUNTS)
def test_jensen_shannon_is_symmetric_and_between_0_and_1(first: Any, second: Any) -> None:
    found = jensen_shannon(first, second)
    assert 0 <= found <= 1
    assert found == pytest.approx(jensen_shannon(second, first), abs=1e-12)
    assert jensen_shannon(first, 3 * first) == pytest.approx(0, abs=1e-12)
    if not (first * second).any():
        assert found == pytest.approx(1)


def test_jensen_shannon_by_hand() -> None:
    """p = (1, 0), q = (1/2, 1/2), mean (3/4, 1/4): H = 0.811278 bits, less (0 + 1)/2."""
    assert jensen_shannon(np.array([4.0, 0.0]), np.array([1.0, 1.0])) == pytest.approx(0.3112781)


def test_the_likelihood_ratio_of_a_telling_word_by_hand(tmp_path: Path) -> None:
    """`a` is 4 of a's 9 n-grams and 1 of b's 9: G² = 2 Σ O ln(O/E), with E = 2.5 for `a` and 6.5 for the rest."""
    paths = two(
        tmp_path,
        [sentence("a", "x", "a"), sentence("a", "x"), sentence("a")],  # 6 words, 3 pairs
        [sentence("a", "y", "y"), sentence("y", "z"), sentence("z")],
    )
    found = next(one for one in diverge(paths, n_top=20).telling if (one.corpus, one.ngram) == ("a", "a"))
    assert (found.count, found.elsewhere) == (4, 1)
    expected = 2 * (4 * np.log(4 / 2.5) + 1 * np.log(1 / 2.5) + 5 * np.log(5 / 6.5) + 8 * np.log(8 / 6.5))
    assert found.weight == pytest.approx(expected)


def test_results_depend_on_the_seed_and_on_nothing_else(tmp_path: Path) -> None:
    random = Random(5)
    paths = two(tmp_path, random_corpus(random, 50, "abcdef"), random_corpus(random, 70, "cdefgh"))
    third = conllu(tmp_path / "c.conllu", *random_corpus(random, 30, "cdx"))
    alone = diverge(paths, seed=4)
    among = diverge({**paths, "c": third}, seed=4)
    assert [one.accuracy for one in among.cells if {one.train, one.test} == {"a", "b"}] == [
        one.accuracy for one in alone.cells
    ]
    assert [one.accuracy for one in diverge(paths, seed=5).cells] != [one.accuracy for one in alone.cells]
    assert [one.accuracy for one in diverge(paths, seed=4).cells] == [one.accuracy for one in alone.cells]


def test_progress_rises_to_the_end(tmp_path: Path) -> None:
    random = Random(9)
    paths = two(tmp_path, random_corpus(random, 9, "ab"), random_corpus(random, 9, "ab"))
    for preset, n in (("paper", 12), ("documents", 3)):
        shares: list[float] = []
        diverge(paths, n_splits=4, preset=preset, progress=shares.append)
        assert len(shares) == n
        assert shares == sorted(shares)
        assert [shares[0], shares[-1]] == pytest.approx([1 / n, 1])


def test_folders_are_compared_train_with_test_and_files_once(tmp_path: Path) -> None:
    random = Random(6)
    for name, roles in {"X": ("train", "dev", "test"), "Y": ("test",)}.items():
        (tmp_path / name).mkdir()
        for role in roles:
            conllu(tmp_path / name / f"x-ud-{role}.conllu", *random_corpus(random, 9, "abc"))
    result = diverge([tmp_path / "X", tmp_path / "Y"], features="words")
    assert [(one.train, one.test) for one in result.cells] == [("X", "X"), ("X", "Y")]
    assert (result.rows, result.columns) == (("X",), ("X", "Y"))
    assert [one.n_pairs for one in result.summary] == [1]
    file = conllu(tmp_path / "f.conllu", *random_corpus(random, 9, "abd"))
    mixed = diverge({"X": str(tmp_path / "X"), "f": file}, features="words")
    assert [(one.train, one.test) for one in mixed.cells] == [("X", "X"), ("X", "f"), ("f", "X")]
    files = diverge({"f": file, "g": file, "h": file}, features="words")
    assert [(one.train, one.test) for one in files.cells] == [("f", "g"), ("f", "h"), ("g", "h")]
    assert files.cell("h", "f", "words") is files.cells[1]
    assert files.cell("f", "f", "words") is None


def test_logistic_regression_tells_apart_as_well(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    random = Random(7)
    paths = two(tmp_path, random_corpus(random, 60, "abcdefgh"), random_corpus(random, 60, "hgfedcxyz"))
    for bayes, logistic in zip(
        diverge(paths).cells, diverge(paths, classifier="logistic", n_splits=5).cells, strict=True
    ):
        assert logistic.accuracy == pytest.approx(bayes.accuracy, abs=0.12)
    apart = two(tmp_path, random_corpus(random, 20, "abc"), random_corpus(random, 20, "xyz"))
    assert diverge(apart, classifier="logistic", features="words", n_splits=3).cells[0].accuracy > 0.9


def test_without_scikit_learn_logistic_regression_is_refused_kindly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(classifiers, "import_module", missing)
    with pytest.raises(UsageError, match=r"pip install .karat\[logistic\]"):
        diverge(two(tmp_path, [sentence("a")] * 2, [sentence("b")] * 2), classifier="logistic")


def test_bad_calls_and_corpora_are_refused(tmp_path: Path) -> None:
    good = two(tmp_path, [sentence("a"), sentence("b")], [sentence("c"), sentence("d")])
    for wrong in ({"features": "tags"}, {"classifier": "oracle"}, {"n_splits": 0}, {"features": ()}):
        with pytest.raises(UsageError):
            diverge(good, **wrong)
    with pytest.raises(UsageError, match="nothing to compare"):
        diverge({"a": good["a"]})
    repeated = conllu(tmp_path / "r.conllu", sentence("a"), sentence("a"))
    with pytest.raises(DataError, match="K605 at least two different sentences") as caught:
        diverge({"a": good["a"], "r": repeated})
    assert caught.value.path == repeated
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="K104 no train or test part"):
        diverge([good["a"], str(tmp_path / "empty")])


def test_two_sentences_are_enough(tmp_path: Path) -> None:
    paths = two(tmp_path, [sentence("a"), sentence("b")], [sentence("a"), sentence("b")] + [sentence("a")] * 50)
    assert diverge(paths, n_splits=1, preset="paper").cells[0].lower is None
    for preset in ("documents", "paper"):
        assert all(0 <= one.accuracy <= 1 for one in diverge(paths, preset=preset).cells)


@pytest.mark.parametrize("preset", ["documents", "paper"])
def test_intervals_hold_the_accuracy_on_new_corpora_of_the_same_kind(tmp_path: Path, preset: str) -> None:
    """The truth is the mean over many pairs of corpora of this size; the intervals are a little wider than need be."""
    random = Random(8)
    found = []
    for _ in range(150):
        paths = two(tmp_path, random_corpus(random, 60, "abcdefgh"), random_corpus(random, 60, "bcdefghi"))
        found.append(diverge(paths, features="words", n_top=0, n_permutations=99, preset=preset).cells[0])
    accuracies = np.array([one.accuracy for one in found])
    ends = np.array([(one.lower, one.upper) for one in found], dtype=np.float64)
    truth = accuracies.mean()
    assert np.mean((ends[:, 0] < truth) & (truth < ends[:, 1])) >= 0.93
    assert np.mean(ends[:, 1] - ends[:, 0]) < 1.5 * 2 * 2.1 * accuracies.std()


ENGLISH = [f"UD_English-{name}" for name in ("EWT", "GUM", "LinES", "PUD", "ParTUT")]
FRENCH = ["UD_Old_French-SRCMF", *(f"UD_French-{name}" for name in ("GSD", "PUD", "ParTUT", "Sequoia", "Spoken"))]
PREFIXES = dict(zip([*ENGLISH, *FRENCH], "en_ewt en_gum en_lines en_pud en_partut fro_srcmf fr_gsd fr_pud fr_partut "
                    "fr_sequoia fr_spoken".split(), strict=True))  # fmt: skip


def of_treebanks(names: list[str]) -> Divergences:
    folders = [data(f"ud-2.3/{name}/{PREFIXES[name]}-ud-test.conllu").parent for name in names]
    return diverge(folders, preset="paper")


@pytest.mark.parametrize(("names", "n_cells"), [(ENGLISH, 20), (FRENCH, 18)])
def test_figure_1_comes_out_within_5_points_and_correlated(names: list[str], n_cells: int) -> None:
    result = of_treebanks(names)
    for features in FEATURES:
        n, distance, correlation = nearness([one for one in result.cells if one.features == features])
        assert n == n_cells
        assert distance < 5
        assert correlation is not None
        assert correlation >= 0.9
    medians = [one.median for one in result.summary]
    assert medians[2] > medians[0] > medians[1]  # the order of Table 7
    assert all(one.paper_median is not None for one in result.summary)


PUD_AND_PARTUT = ["UD_English-PUD", "UD_English-ParTUT"]
BEFORE = [
    (0.7703457715830864, 0.7431142198689911, 0.7975773232971817),
    (0.6449675324675325, 0.5755788845726244, 0.7143561803624405),
    (0.6800318153272612, 0.6560326877186299, 0.7040309429358925),
    (0.6354921394395079, 0.5655595111757443, 0.7054247677032714),
    (0.8292961771847087, 0.8096796553967687, 0.8489126989726488),
    (0.6423701298701298, 0.5628439763040021, 0.7218962834362574),
]  # accuracy and ends, by the only procedure that there was


def test_the_papers_numbers_come_out_bit_for_bit_as_before_there_were_presets() -> None:
    result = of_treebanks(PUD_AND_PARTUT)
    assert [(one.accuracy, one.lower, one.upper) for one in result.cells] == BEFORE


def test_only_the_papers_preset_stands_beside_the_paper() -> None:
    folders = [data(f"ud-2.3/{name}/{PREFIXES[name]}-ud-test.conllu").parent for name in PUD_AND_PARTUT]
    result = diverge(folders, features="labels", n_permutations=0)
    assert all(one.paper is None for one in result.cells)
    assert all(one.paper_median is None for one in result.summary)


def test_other_releases_are_not_set_beside_the_paper() -> None:
    paths = [data("ud-2.18/UD_Polish-PDB/pl_pdb-ud-test.conllu"), data("ud-2.3/UD_English-PUD/en_pud-ud-test.conllu")]
    result = diverge(paths, preset="paper")
    assert all(one.paper is None for one in result.cells)
    assert all(one.accuracy > 0.9 for one in result.cells if one.features != "labels")
