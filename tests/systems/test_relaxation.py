"""Relaxation labelling beside its definition: every constraint, every assignment of tags to the words around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import karat
from karat._arrays import Ids
from karat.systems.hmm import Hmm
from karat.systems.options import CONSTRAINT_KINDS, HmmOptions, RelaxationOptions, system_from_text
from karat.systems.relaxation import growing
from karat.systems.relaxation._compiled_growing import distance, grown
from karat.systems.relaxation.constraint_file import constraints_from_lines
from karat.systems.relaxation.constraints import ContextCondition
from karat.systems.relaxation.tagger import Relaxation
from karat.systems.relaxation.word_classes import classes_of
from karat.systems.training import trained_tagger
from karat.systems.words import LabelledWords, WordSequence, labelled_words
from realdata import data

LABELS = ("N", "V", "D")
FORMS = ("the", "dog", "runs", "Run", "fast", "unseenly")
EDGE = len(LABELS)
EWT = "ud-2.3/UD_English-EWT/en_ewt-ud"

Text = list[list[tuple[str, str]]]
sentences = st.lists(
    st.lists(st.tuples(st.sampled_from(FORMS[:5]), st.sampled_from(LABELS)), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
)


def text_of(several: Text, every: tuple[str, ...] = LABELS) -> LabelledWords:
    forms = list(dict.fromkeys(form for one in several for form, _ in one))
    ids = np.array([forms.index(form) for one in several for form, _ in one], dtype=np.int32)
    labels = np.array([every.index(label) for one in several for _, label in one], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in several])])
    return LabelledWords(WordSequence(forms, ids, offsets), labels, every)


def words_of(*forms: str) -> WordSequence:
    distinct = list(dict.fromkeys(forms))
    ids = np.array([distinct.index(form) for form in forms], dtype=np.int32)
    return WordSequence(distinct, ids, np.array([0, len(forms)]))


@pytest.fixture
def _small_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """AcquiredTrees from a handful of words."""
    for name, value in (("_LEAST_WORDS", 2), ("_LEAST_FORM", 1), ("_LEAST_NODE", 2), ("_LEAST_BRANCH", 1)):
        monkeypatch.setattr(growing, name, value)
    monkeypatch.setattr(growing, "_LEAST_GAIN", 0.1)


def trained(text: Text, kinds: str, update: Any = "damped", stated: str | None = None) -> Relaxation:
    return Relaxation.trained(text_of(text), "upos", RelaxationOptions(kinds, stated, update))


# ---- the reference: sums over everything that constraints name -------------------------------------------------------


class Reference:
    """Supports and updates by their definitions, over constraints as people read them."""

    def __init__(self, model: Relaxation, forms: list[str]) -> None:
        self.model, self.forms = model, forms
        candidates = model.lexical.of(forms)
        self.classes = classes_of(model.lexical, forms, candidates)
        self.prior = [candidates.weighted_row(i) for i in range(len(forms))]
        self.acquired = [one for one in model.constraints.constraints() if one.kind == "C"]

    def after(self, n_rounds: int) -> list[dict[int, float]]:
        weights = self.prior
        for _ in range(n_rounds):
            weights = [self.updated(i, weights) for i in range(len(weights))]
        return weights

    def updated(self, i: int, weights: list[dict[int, float]]) -> dict[int, float]:
        if len(weights[i]) == 1:
            return weights[i]
        support = {label: self.support(i, label, weights) for label in weights[i]}
        if self.model.chosen.update == "damped":
            raw = {label: self.prior[i][label] * 2 ** support[label] for label in support}
            return {label: (weights[i][label] + raw[label] / sum(raw.values())) / 2 for label in raw}
        largest = max(map(abs, support.values()))
        raw = {label: weights[i][label] * (1 + support[label] / (1 + largest)) for label in support}
        return {label: raw[label] / sum(raw.values()) for label in raw}

    def support(self, i: int, label: int, weights: list[dict[int, float]]) -> float:
        """The strengths of all constraints, for every assignment of labels to the words from -3 to +2."""
        around = [weights[at] if 0 <= at < len(weights) else {EDGE: 1.0} for at in range(i - 3, i + 3)]
        around[3] = {label: 1.0}
        total = 0.0
        for labels in product(*around):
            share = float(np.prod([some[one] for some, one in zip(around, labels, strict=True)]))
            total += share * sum(self.strengths(i, labels))
        return total

    def strengths(self, i: int, labels: tuple[int, ...]) -> Iterator[float]:
        """The strengths of the constraints on word i that hold if the words from -3 to +2 have these labels."""
        ngrams, n_behind = self.model.constraints.ngrams, len(self.forms) - 1 - i
        if ngrams.pairs is not None:
            yield ngrams.pairs.strengths[labels[2], labels[3]] + ngrams.pairs.strengths[labels[3], labels[4]]
        if ngrams.triples is not None:
            yield ngrams.triples.strength(*labels[1:4])
            yield ngrams.triples.strength(*labels[2:5])
            if n_behind > 0:  # beyond the edge there is no other triple
                yield ngrams.triples.strength(*labels[3:6])
        for one in (*self.acquired, *self.model.stated):
            if LABELS.index(one.head) == labels[3] and all(self.holds(each, i, labels) for each in one.conditions):
                yield one.strength

    def holds(self, one: ContextCondition, i: int, labels: tuple[int, ...]) -> bool:
        at = i + one.position
        is_inside = 0 <= at < len(self.forms)
        if one.kind == "tag":
            found = (*LABELS, "")[labels[one.position + 3]] in one.values
        elif one.kind == "form":
            found = is_inside and self.forms[at].lower() in one.values
        elif one.kind == "shape":
            found = is_inside and self.classes[at] == one.values[0]
        else:
            found = is_inside and self.classes[at] == tuple(sorted(LABELS.index(each) for each in one.values))
        return found != one.is_negated


def relaxed(model: Relaxation, forms: list[str], n_rounds: int, most_kept: int = 1 << 20) -> list[dict[int, float]]:
    from karat.systems.relaxation import _compiled_relaxation as compiled
    from karat.systems.relaxation.stated import for_kernels

    lattice, of = model._lattice(words_of(*forms)), model.constraints
    found = np.zeros(len(lattice[2]))
    tables = of.ngrams.for_kernels(), of.trees.for_kernels(), for_kernels(model.stated, of)
    compiled.relaxed(lattice, *tables, model.chosen.update == "damped", n_rounds, 0.0, most_kept, found)
    offsets, labels = lattice[1].tolist(), lattice[2].tolist()
    return [dict(zip(labels[a:b], found[a:b].tolist(), strict=True)) for a, b in pairwise(offsets)]


@pytest.mark.usefixtures("_small_trees")
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sentences,
    st.lists(st.sampled_from(FORMS), min_size=1, max_size=5),
    st.sampled_from(CONSTRAINT_KINDS),
    st.sampled_from(["damped", "textbook"]),
    st.booleans(),
    st.booleans(),
)
def test_weights_are_what_the_sum_over_all_assignments_of_tags_gives(
    text: Text, forms: list[str], kinds: str, update: str, is_hashed: bool, is_kept: bool
) -> None:
    model = trained(text, kinds, update)
    expected = Reference(model, forms).after(3)
    with pytest.MonkeyPatch.context() as patch:
        if is_hashed:
            patch.setattr("karat.systems.relaxation.ngrams._MOST_TRIPLES", 0)
        found = relaxed(model, forms, 3, 1000 if is_kept else 0)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.usefixtures("_small_trees")
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sentences, st.lists(st.sampled_from(FORMS), min_size=1, max_size=5), st.data())
def test_stated_constraints_are_added_and_replace_learnt_ones(text: Text, forms: list[str], data: Any) -> None:
    """Whatever was stated counts as stated, whether the same was learnt or not."""
    from dataclasses import replace

    from karat.systems.relaxation.stated import changed, with_names

    model = trained(text, "BTC")
    lines = ["1.5 N <- [-1 D|EDGE]", '-2 V <- [0 "run"] [+1 ^N]', "0.5 D <- [0 {N|V}] [-3 ^EDGE]", "3 N <- [-1 D]"]
    lines += ["2 N <- [0 unknown:lower] [+1 EDGE]", "1 V <- [-2 N] [-1 D]", "1 N <- [+1 {N|V|D}]"]
    learnt = model.learnt()[2:]
    lines += [
        f"{one.partition(' ')[0]}1 {one.partition(' ')[2]}" for one in data.draw(st.lists(st.sampled_from(learnt)))
    ]
    stated = changed(constraints_from_lines(lines, LABELS, ""), model.constraints)
    vocabulary = with_names(model.constraints.vocabulary, stated, LABELS)
    model.constraints, model.stated = replace(model.constraints, vocabulary=vocabulary), tuple(stated)
    reference = Reference(model, forms)
    replaced = {one.key for one in stated}
    is_learnt = {one.key: one.strength for one in model.constraints.constraints() if one.kind == "C"}
    reference.acquired = [one for one in reference.acquired if one.key not in replaced]
    of_ngrams = model.constraints.strengths(stated)
    model.stated = tuple(  # pairs and triples stay in the reference's sums, so that what they say is taken off
        replace(one, strength=one.strength - (0.0 if one.key in is_learnt or before is None else before))
        for one, before in zip(stated, of_ngrams, strict=True)
    )
    expected = reference.after(2)
    model.stated = tuple(stated)
    for ours, theirs in zip(relaxed(model, forms, 2), expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)


# ---- fixed points ----------------------------------------------------------------------------------------------------

TINY: Text = [[("a", "D"), ("saw", "N")], [("a", "D"), ("saw", "V")], [("saw", "V"), ("a", "D")], [("saw", "N")] * 2]


def with_pairs(strengths: dict[tuple[str, str], float], update: Any = "damped") -> Relaxation:
    model = trained(TINY, "B", update)
    assert model.constraints.ngrams.pairs is not None
    table = model.constraints.ngrams.pairs.strengths
    table[:] = 0.0
    for (a, b), strength in strengths.items():
        table[LABELS.index(a), LABELS.index(b)] = strength
    return model


def test_the_fixed_point_of_pairs_on_two_words_by_hand() -> None:
    """`a` can only be D; of `saw` 3 of 5 are N: norm(3/5 · 2¹, 2/5 · 2⁻¹) = norm(1.2, 0.2) = 6/7, 1/7."""
    model = with_pairs({("D", "N"): 1.0, ("D", "V"): -1.0})
    _, saw = relaxed(model, ["a", "saw"], 60)
    assert saw == pytest.approx({0: 6 / 7, 1: 1 / 7})


def test_the_fixed_point_of_two_ambiguous_words_solves_its_equations() -> None:
    """Strength 1 of N V; x = P(first is N), y = P(second is V): x = .6·2^y / (.6·2^y + .4), y likewise of x."""
    first, second = relaxed(with_pairs({("N", "V"): 1.0}), ["saw", "saw"], 100)
    x, y = first[0], second[1]
    assert x == pytest.approx(0.6 * 2**y / (0.6 * 2**y + 0.4))
    assert y == pytest.approx(0.4 * 2**x / (0.4 * 2**x + 0.6))


def test_the_textbook_update_forgets_the_prior_and_the_damped_one_does_not() -> None:
    """A support of .1 for V: the textbook's weights go to V in the end; 3/5 to 2/5 · 2^.1 stays with N."""
    strengths = {("D", "V"): 0.1}
    _, damped = relaxed(with_pairs(strengths), ["a", "saw"], 60)
    _, textbook = relaxed(with_pairs(strengths, "textbook"), ["a", "saw"], 2000)
    assert damped[0] == pytest.approx(0.6 / (0.6 + 0.4 * 2**0.1))
    assert textbook[1] > 0.999


# ---- pairs and triples -----------------------------------------------------------------------------------------------


def test_pairs_have_the_mutual_information_of_neighbours() -> None:
    """Of D, N and the edge a third each: P(N | D) / P(N) = 1 / (1/3), but for a thousandth of P(N)."""
    model = trained([[("a", "D"), ("saw", "N")]] * 9, "B")
    (one,) = [one for one in model.constraints.constraints() if str(one).partition(" ")[2].startswith("N <- [-1 D]")]
    assert one.strength == pytest.approx(log2(3), abs=0.01)
    assert one.n_used == 9
    heads = {str(one).partition(" ")[2].partition("  #")[0] for one in model.constraints.constraints()}
    assert heads == {"N <- [-1 D]", "D <- [+1 N]", "D <- [-1 EDGE]", "N <- [+1 EDGE]"}


@settings(deadline=None, max_examples=30)
@given(sentences)
def test_triples_are_the_hidden_markov_model_s_over_the_shares_of_labels(text: Text) -> None:
    ngrams = trained(text, "T").constraints.ngrams
    assert ngrams.triples is not None
    model, n = Hmm.trained(text_of(text), "upos", HmmOptions(2)), EDGE + 1
    counts = Counter(LABELS.index(label) for sentence in text for _, label in sentence)
    counts[EDGE] = len(text)
    added = dict(zip(model.trigrams[0].tolist(), model.trigrams[1].tolist(), strict=True))
    for a, b, c in product(range(n), repeat=3):
        chance = model.pairs[b, c] + added.get((a * n + b) * n + c, 0.0)
        share = max(counts[c], 0.5) / counts.total()
        assert ngrams.triples.strength(a, b, c) == pytest.approx(log2(chance / share))


# ---- trees -----------------------------------------------------------------------------------------------------------

rows = st.lists(st.tuples(*(st.integers(0, 3) for _ in range(4)), st.integers(0, 2)), min_size=1, max_size=40)


def entropy(values: list[Any]) -> float:
    return -sum(n / len(values) * log2(n / len(values)) for n in Counter(values).values())


def mantaras(values: list[int], classes: list[int]) -> float:
    """(H(classes | values) + H(values | classes)) / H(both) [López de Mántaras 1991]; 1 if there is nothing to know."""
    both = entropy(list(zip(values, classes, strict=True)))
    return (2 * both - entropy(values) - entropy(classes)) / both if both else 1.0


@settings(deadline=None)
@given(rows)
def test_the_distance_of_lopez_de_mantaras_by_its_definition(table: list[tuple[int, ...]]) -> None:
    values, classes = [row[0] for row in table], [row[-1] for row in table]
    found = distance(np.array(values, np.int32), np.array(classes, np.int32), 4, 3)
    assert found == pytest.approx(mantaras(values, classes))


def naive(
    table: list[tuple[int, ...]], rare: list[int], least: tuple[int, int, int, float], asked: frozenset[int]
) -> Any:
    """A tree as (attribute, {value: tree}, tree of others), a leaf as its sorted words; straight from the rules."""
    leaf = sorted(table)
    classes = [row[-1] for row in table]
    if len(table) < least[0] or len({*classes}) < 2:
        return leaf
    best: tuple[float, int, list[int]] | None = None
    for k in range(len(rare)):
        counts = Counter(row[k] for row in table)
        sizes = sorted((0 if value == rare[k] else n for value, n in counts.items()), reverse=True)
        enough = max(least[1], sizes[least[2]] + 1) if len(sizes) > least[2] else least[1]
        values = [row[k] if counts[row[k]] >= enough and row[k] != rare[k] else -1 for row in table]
        both = entropy(list(zip(values, classes, strict=True)))
        gain = 2 * len(table) * np.log(2) * (entropy(values) + entropy(classes) - both)
        if k in asked or len({*values}) < 2 or gain < least[3] * (len({*values}) - 1):
            continue
        if best is None or mantaras(values, classes) < best[0] - 1e-12:
            best = mantaras(values, classes), k, values
    if best is None:
        return leaf
    _, k, values = best

    def of(value: int) -> Any:
        return naive([row for row, one in zip(table, values, strict=True) if one == value], rare, least, asked | {k})

    return k, {value: of(value) for value in {*values} - {-1}}, of(-1)


@settings(deadline=None)
@given(
    rows,
    st.lists(st.integers(-1, 3), min_size=4, max_size=4),
    st.tuples(st.integers(2, 6), st.integers(1, 4), st.integers(1, 4), st.sampled_from([0.137, 1.0317, 3.0291])),
)
def test_trees_are_those_of_a_naive_search(
    table: list[tuple[int, ...]], rare: list[int], least: tuple[int, int, int, float]
) -> None:
    columns = np.array(table, dtype=np.int32).T
    attributes, classes = np.ascontiguousarray(columns[:-1]), np.ascontiguousarray(columns[-1])
    asks, first, n_children, leads, _, start, stop, order = grown(
        attributes, np.array(rare, dtype=np.int32), classes, 4, 3, least, 0
    )

    def of(node: int) -> Any:
        if asks[node] < 0:
            return sorted(table[word] for word in order[start[node] : stop[node]].tolist())
        children = range(first[node], first[node] + n_children[node])
        return int(asks[node]), {int(leads[child]): of(child) for child in children[:-1]}, of(children[-1])

    assert of(0) == naive(table, rare, least, frozenset())


def planted() -> Text:
    """`saw` is a noun behind D and else a verb, but behind the word `the` it is one only before `fast`."""
    rng = np.random.default_rng(5)
    text: Text = []
    for _ in range(400):
        before, behind = rng.choice(["a", "the", "dogs"]), rng.choice(["fast", "today"])
        is_noun = before == "a" or (before == "the" and behind == "fast")
        label_before = "N" if before == "dogs" else "D"
        text.append([(before, label_before), ("saw", "N" if is_noun else "V"), (behind, "V")])
    return text


def test_constraints_planted_in_a_toy_corpus_are_learnt() -> None:
    text = planted()
    model = trained(text, "C")
    found = {str(one).partition(" ")[2].partition("  #")[0]: one for one in model.constraints.constraints()}
    of_noun = {key: one.strength for key, one in found.items() if key.startswith("N <- [0 {N|V}]")}
    assert {key for key, strength in of_noun.items() if strength > 0.5} == {
        'N <- [0 {N|V}] [-1 "a"]',
        'N <- [0 {N|V}] [-1 "the"] [+1 "fast"]',
    }
    assert found['V <- [0 {N|V}] [-1 "dogs"]'].strength > 0.5
    n_behind_a = sum(sentence[0][0] == "a" for sentence in text)
    assert found['N <- [0 {N|V}] [-1 "a"]'].n_used == n_behind_a
    for words, label in ((("the", "saw", "fast"), "N"), (("the", "saw", "today"), "V"), (("a", "saw", "today"), "N")):
        assert LABELS[model.tag(words_of(*words))[1]] == label


def test_leaves_are_smoothed_by_the_nodes_above() -> None:
    """9 N and 1 V in the root, 4 and 1 in a node, 0 and 1 below it."""
    classes: Ids = np.array([0] * 5 + [0] * 4 + [1], dtype=np.int32)
    start, stop, parent = np.array([0, 5, 9]), np.array([10, 10, 10]), np.array([-1, 0, 1], dtype=np.int32)
    root, node, leaf = growing._smoothed(classes, start, stop, parent, 2).tolist()
    assert root == pytest.approx([9.5 / 11, 1.5 / 11])
    assert node == pytest.approx([(4 + 2 * root[0]) / 7, (1 + 2 * root[1]) / 7])
    assert leaf == pytest.approx([2 * node[0] / 3, (1 + 2 * node[1]) / 3])


# ---- all kinds -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_small_trees")
@pytest.mark.parametrize("kinds", CONSTRAINT_KINDS)
def test_every_kind_shows_its_own_constraints_the_most_used_first(kinds: str) -> None:
    lines = trained(planted(), kinds).learnt()
    found = [line.rpartition("# ")[2].split() for line in lines[2:]]
    assert {kind for _, kind in found} == {*kinds}
    numbers = [int(n) for n, _ in found]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.usefixtures("_small_trees")
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sentences, st.sampled_from(CONSTRAINT_KINDS))
def test_constraints_that_are_shown_and_stated_again_change_nothing(text: Text, kinds: str) -> None:
    from karat.systems.relaxation.stated import changed

    model = trained(text, kinds)
    again = constraints_from_lines(model.learnt(), LABELS, "shown")
    assert sorted(str(one.key) for one in again) == sorted(str(one.key) for one in model.constraints.constraints())
    assert changed(again, model.constraints) == []


@pytest.mark.slow
def test_on_ewt_pairs_and_triples_are_as_good_as_hidden_markov_models_and_trees_add_to_them() -> None:
    """All choices were made on the dev set; this is the test set."""
    train, test = (
        labelled_words(karat.read_conllu(data(f"{EWT}-{part}.conllu")), "xpos") for part in ("train", "test")
    )
    number = {label: place for place, label in enumerate(train.labels)}
    gold = np.array([number.get(label, -1) for label in test.labels])[test.label_ids]

    def accuracy(system: str) -> float:
        tagger = trained_tagger(train, "xpos", system_from_text(system)[1], 0)
        return float((tagger.tag(test.words) == gold).mean())

    pairs, triples, both = (accuracy(f"relaxation:constraints={kinds}") for kinds in ("B", "T", "TC"))
    assert abs(pairs - accuracy("hmm:order=1")) <= 0.0015
    assert abs(triples - accuracy("hmm:order=2")) <= 0.0015
    assert both >= 0.931
    assert both >= triples + 0.003
    assert accuracy("relaxation:constraints=B,update=textbook") < pairs - 0.03
