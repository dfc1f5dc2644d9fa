"""The averaged perceptron beside a slow one of dictionaries, which keeps every weight after every word."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.systems import perceptron
from karat.systems.model_file import model_bytes
from karat.systems.options import PerceptronOptions
from karat.systems.perceptron import Perceptron
from karat.systems.word_features import FEATURE_SETS, ROLES, form_classes, shape
from karat.systems.words import LabelledWords
from test_hmm import LABELS, text_of, words_of

FORMS = ("the", "The", "dogs", "run", "runs", "2nd", "ab-c", "é")
MANY_LABELS = tuple(f"L{number}" for number in range(40))  # more than are summed at once
Text = list[list[tuple[str, str]]]


def texts(labels: tuple[str, ...], most_sentences: int = 6) -> st.SearchStrategy[Text]:
    words = st.tuples(st.sampled_from(FORMS), st.sampled_from(labels))
    return st.lists(st.lists(words, min_size=1, max_size=7), min_size=1, max_size=most_sentences)


def features(
    words: list[str], i: int, t1: str, t2: str, classes: dict[str, str], kind: str
) -> list[tuple[object, ...]]:
    """The features of a word, as the module describes them."""

    def at(place: int) -> str | None:
        return words[place] if 0 <= place < len(words) else None

    def values(word: str | None, names: tuple[str, ...]) -> dict[str, str]:
        if word is None:
            return dict.fromkeys(names, "")
        lower = word.lower()
        found = {}
        for name in names:
            what, _, n = name.partition(" ")
            if what in ("suffix", "prefix"):
                if len(lower) >= int(n):
                    found[name] = lower[-int(n) :] if what == "suffix" else lower[: int(n)]
            elif what == "class":
                found |= {name: classes[lower]} if lower in classes else {}
            else:
                length = str(min(len(word), 9))
                found[name] = {"form": word, "lower": lower, "shape": shape(word), "length": length}[what]
        return found

    chosen = FEATURE_SETS[kind]
    found: list[tuple[object, ...]] = []
    for role, names, place in zip(ROLES, chosen.of_role, (i, i - 1, i + 1, i - 2, i + 2), strict=True):
        found += [(role, name, value) for name, value in values(at(place), names).items()]
    found += [("t1", t1), ("t2", t2), ("t1 t2", t1, t2)]
    if chosen.pairs:
        form, before, after = words[i].lower(), *(("" if at(j) is None else at(j).lower()) for j in (i - 1, i + 1))  # type: ignore[union-attr]
        ending = words[i].lower()[-3:] if len(words[i]) >= 3 else None
        found += [("b", before, form), ("a", form, after), ("ba", before, after), ("t1 w", t1, form)]
        found += [("t1 s", t1, ending), ("t1 a", t1, after), ("t1 t2 w", t1, t2, form)]
    return found


def slow(text: Text, labelled: LabelledWords, options: PerceptronOptions, seed: int) -> dict[tuple[object, str], float]:
    """The mean of the weights over all states from the first on, each after a word."""
    weights: dict[tuple[object, str], int] = defaultdict(int)
    total: dict[tuple[object, str], int] = defaultdict(int)
    classes, n = form_classes(labelled), 1
    rng = np.random.default_rng([seed, 19])
    for _ in range(options.epochs):
        for number in rng.permutation(len(text)).tolist():
            words, t1, t2 = [form for form, _ in text[number]], "", ""
            for i, (_, gold) in enumerate(text[number]):
                its = features(words, i, t1, t2, classes, options.features)
                scores = {label: sum(weights[one, label] for one in its) for label in labelled.labels}
                best = max(labelled.labels, key=lambda label: (scores[label], -labelled.labels.index(label)))
                if best != gold:
                    for one in its:
                        weights[one, gold] += 1
                        weights[one, best] -= 1
                for key, value in weights.items():
                    total[key] += value
                n += 1
                t1, t2 = gold if options.history == "gold" else best, t1
    return {key: value / n for key, value in total.items()}


@settings(max_examples=40)
@given(
    texts(LABELS),
    st.sampled_from(["full", "paper"]),
    st.sampled_from(["predicted", "gold"]),
    st.integers(0, 3),
    texts(LABELS),
)
def test_scores_are_those_of_the_slow_perceptron(text: Text, kind: str, history: str, seed: int, new: Text) -> None:
    assert_scores_are_those_of_the_slow_one(text, LABELS, PerceptronOptions(kind, 3, history), seed, new)  # type: ignore[arg-type]


@settings(max_examples=20)
@given(texts(MANY_LABELS, 3), st.integers(0, 3), texts(LABELS))
def test_scores_of_more_labels_than_are_summed_at_once_are_those_of_the_slow_perceptron(
    text: Text, seed: int, new: Text
) -> None:
    assert_scores_are_those_of_the_slow_one(text, MANY_LABELS, PerceptronOptions("paper", 3), seed, new)


def assert_scores_are_those_of_the_slow_one(
    text: Text, labels: tuple[str, ...], options: PerceptronOptions, seed: int, new: Text
) -> None:
    """With so many buckets that hardly any two pairs share one."""
    labelled = text_of(text, labels)
    mean = slow(text, labelled, options, seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(perceptron, "_FEWEST_BUCKETS", 20)
        patched.setattr(perceptron, "_MOST_WEIGHTS", 1 << 26)
        tagger = Perceptron.trained(labelled, "upos", options, seed)
    known = {form for one in text for form, _ in one}
    classes = form_classes(labelled)
    for sentence in new:
        forms = [form for form, _ in sentence]
        if not known.issuperset(forms):  # what is not known has no row, and hashes of its own
            continue
        found = tagger.tagging(words_of(*forms), with_probabilities=True)
        t1 = t2 = ""
        for i in range(len(forms)):
            its = features(forms, i, t1, t2, classes, options.features)
            expected = [sum(mean.get((one, label), 0.0) for one in its) for label in labels]
            assert found.log_probabilities[i] == pytest.approx(expected, abs=1e-4)
            t1, t2 = labels[found.tags[i]], t1


@pytest.fixture
def with_few_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "_MOST_WEIGHTS", 0)


@pytest.mark.usefixtures("with_few_weights")
def test_with_many_labels_a_row_only_has_those_of_its_feature() -> None:
    text = text_of([[("the", "D"), ("dog", "N"), ("runs", "V")], [("the", "D"), ("run", "N")]])
    tagger = Perceptron.trained(text, "upos", PerceptronOptions(), 0)
    assert tagger.tag(text.words).tolist() == text.label_ids.tolist()
    starts, of_label, _ = tagger.weights
    row = int(tagger.tables.of_role[0][0, 0])  # of `the`, in lower case
    assert {LABELS[label] for label in of_label[starts[row] : starts[row + 1]].tolist()} <= {"D"}


def test_the_same_seed_gives_the_same_tagger_and_another_one_another() -> None:
    rng = np.random.default_rng(5)
    text = text_of([[(FORMS[f], LABELS[k]) for f, k in rng.integers([8, 3], size=(6, 2)).tolist()] for _ in range(40)])
    one, same, other = (Perceptron.trained(text, "upos", PerceptronOptions(), seed) for seed in (1, 1, 2))
    assert model_bytes(one.parts()) == model_bytes(same.parts()) != model_bytes(other.parts())
