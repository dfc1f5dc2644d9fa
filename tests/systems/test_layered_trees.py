"""Layered decision trees: splits beside a naive search, planted rules found, beliefs that sum to 1, rules by hand."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat._arrays import Array
from karat._ragged import Ragged
from karat.systems.categories import TagCategories, tag_categories
from karat.systems.layered_trees import LayeredTrees
from karat.systems.layered_trees._compiled_attributes import LEVELS, share_levels
from karat.systems.layered_trees._compiled_trees import best_split, grown_tree
from karat.systems.layered_trees.attributes import attributes_of
from karat.systems.layered_trees.layers import believed, layered, layers_of, questions_of
from karat.systems.layered_trees.rules import applied, read_rules, rules_from_text, shipped_rules
from karat.systems.layered_trees.trees import ClassTrees, Examples, Growth, grown_trees
from karat.systems.lexical import jackknifed
from karat.systems.options import LayeredTreesOptions
from karat.systems.words import LabelledWords, WordSequence
from karat.tagsets import Tagset, read_tagset

TAGS = (
    "subst:sg:nom:f",
    "subst:sg:acc:f",
    "subst:pl:nom:f",
    "adj:sg:nom:f:pos",
    "adj:sg:acc:f:pos",
    "prep:acc",
    "prep:loc",
    "fin:sg:ter:imperf",
    "subst:sg:loc:f",
    "interp",
)


def text_of(sentences: list[list[tuple[str, str]]], labels: tuple[str, ...] = TAGS) -> LabelledWords:
    forms = list(dict.fromkeys(form for one in sentences for form, _ in one))
    ids = np.array([forms.index(form) for one in sentences for form, _ in one], dtype=np.int32)
    tags = np.array([labels.index(tag) for one in sentences for _, tag in one], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in sentences])])
    return LabelledWords(WordSequence(forms, ids, offsets), tags, labels)


def candidates_of(*rows: dict[str, float]) -> Ragged:
    """Candidates with their probabilities, in the order of labels."""
    ordered = [sorted((TAGS.index(tag), p) for tag, p in row.items()) for row in rows]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in ordered])]).astype(np.intp)
    values = np.array([label for one in ordered for label, _ in one], dtype=np.intp)
    return Ragged(offsets, values, np.array([p for one in ordered for _, p in one]))


# ---- trees -----------------------------------------------------------------------------------------------------------

examples = st.integers(2, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)
NOMINAL = np.array([False, True, False])
SIZES = np.array([5, 5, 5], dtype=np.int32)


def bits(values: list[int]) -> float:
    """n · H: the bits that it takes to say what examples are."""
    return sum(-values.count(v) * log2(values.count(v) / len(values)) for v in set(values))


def naive_split(rows: list[list[int]], values: list[int], least: int) -> tuple[int, int, float]:
    best = (-1, 0, 0.0)
    for attribute in range(len(rows[0])):
        for at in sorted({row[attribute] for row in rows}):
            is_left = [row[attribute] == at if NOMINAL[attribute] else row[attribute] <= at for row in rows]
            left = [v for v, yes in zip(values, is_left, strict=True) if yes]
            right = [v for v, yes in zip(values, is_left, strict=True) if not yes]
            if min(len(left), len(right)) >= max(least, 1):
                saved = bits(values) - bits(left) - bits(right)
                if saved > best[2] + 1e-9:
                    best = (attribute, at, saved)
    return best


def split(rows: Array, values: Array, least: int) -> tuple[int, int, float]:
    n = len(rows)
    logs = np.array([k * log2(k) if k else 0.0 for k in range(n + 1)])
    tried, room = np.arange(3, dtype=np.int32), np.ones(3 * 5 * 3, dtype=np.int32)
    return best_split(rows, values, np.arange(n, dtype=np.int32), 3, tried, SIZES, NOMINAL, least, logs, room)


@given(examples, st.integers(1, 4))
def test_the_best_split_is_that_of_a_naive_search(of: tuple[list[list[int]], list[int]], least: int) -> None:
    rows, values = of
    found = split(np.array(rows, dtype=np.uint8), np.array(values, dtype=np.int32), least)
    expected = naive_split(rows, values, least)
    assert found[:2] == expected[:2]
    assert found[2] == pytest.approx(expected[2], abs=1e-6)


@given(examples, st.integers(1, 4), st.sampled_from([0.0, 3.0]))
@settings(max_examples=60)
def test_a_tree_is_its_naive_splits_all_the_way_down(
    of: tuple[list[list[int]], list[int]], least: int, least_bits: float
) -> None:
    rows, values = of
    matrix, targets = np.array(rows, dtype=np.uint8), np.array(values, dtype=np.int32)
    how = (least, least_bits, 20, 3, 1.0, 7)
    attribute, threshold, left, right, n_of_leaf, shares = grown_tree(matrix, targets, 3, SIZES, NOMINAL, how)
    assert int(n_of_leaf.sum()) == len(rows)
    assert len(n_of_leaf) == len(attribute) + 1

    def check(node: int, some: list[int], of_parent: list[float]) -> None:
        mine = [values[k] for k in some]
        here = [(mine.count(v) + of_parent[v]) / (len(mine) + 1.0) for v in range(3)]
        best = naive_split([rows[k] for k in some], mine, least)
        if best[0] < 0 or best[2] < least_bits:
            assert node < 0
            assert n_of_leaf[~node] == len(some)
            assert shares[~node].tolist() == pytest.approx(here, rel=1e-5)
            return
        assert (attribute[node], threshold[node]) == best[:2]
        a, at = best[:2]
        yes = [k for k in some if (rows[k][a] == at if NOMINAL[a] else rows[k][a] <= at)]
        check(int(left[node]), yes, here)
        check(int(right[node]), [k for k in some if k not in yes], here)

    check(0 if len(attribute) else -1, list(range(len(rows))), [1 / 3] * 3)


def test_a_forest_of_one_seed_is_one_forest_and_another_seed_another() -> None:
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 5, (200, 3)).astype(np.uint8)
    values = rng.integers(0, 3, 200).astype(np.int32)
    one, same, other = (grown_tree(rows, values, 3, SIZES, NOMINAL, (2, 0.0, 20, 1, 1.0, seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], other[0])


def asked(trees: ClassTrees, tree: int, row: list[int], n_values: int) -> tuple[list[float], int]:
    """The shares and the number of examples of the leaf that a row comes to, node by node."""
    start, node = int(trees.node_offsets[tree]), 0 if trees.node_offsets[tree + 1] > trees.node_offsets[tree] else -1
    attribute, threshold, left, right = trees.nodes
    while node >= 0:
        a, at = int(attribute[start + node]), int(threshold[start + node])
        is_left = row[a] == at if NOMINAL[a] else row[a] <= at
        node = int((left if is_left else right)[start + node])
    place = int(trees.share_offsets[tree]) + ~node * n_values
    return trees.shares[place : place + n_values].tolist(), int(trees.n_of_leaf[start + tree + ~node])


@pytest.mark.parametrize("trust", [0.5, 8.0])
def test_answers_are_means_over_trees_and_with_folds_only_over_trees_that_have_not_seen_the_word(trust: float) -> None:
    rng = np.random.default_rng(8)
    n, classes = 120, Ragged(np.array([0, 2, 5]), np.array([0, 3, 1, 2, 4]))
    words = np.arange(n) // 2  # two examples a word
    examples = Examples(
        rng.integers(0, 5, (n // 2, 2)).astype(np.uint8), rng.integers(0, 5, (n, 1)).astype(np.uint8), words
    )
    of_class = rng.integers(0, 2, n).astype(np.int32)
    value = (rng.integers(0, 6, n) % np.where(of_class == 0, 2, 3)).astype(np.int32)
    fold = np.stack([rng.permutation(n // 2) % 3 for _ in range(2)]).astype(np.int8)
    plan = [(-1, -1), *((division, one) for division in range(2) for one in range(3))]
    trees = grown_trees(examples, of_class, value, classes, fold, plan, SIZES, NOMINAL, Growth(2, 0.0, tried=0.7), rng)
    of_class[:5] = -1
    sizes = np.where(of_class == 0, 2, 3)
    starts = np.cumsum(sizes) - sizes
    before = rng.random(int(sizes.sum()))
    for some, kept in ((fold, trees), (np.zeros((0, 0), np.int8), trees), (np.zeros((0, 0), np.int8), single(trees))):
        found = before.copy()
        kept.add_shares(examples, of_class, starts, NOMINAL, found, some, trust)
        for i in range(n):
            mine = slice(starts[i], starts[i] + sizes[i])
            if of_class[i] < 0:
                assert found[mine].tolist() == before[mine].tolist()
                continue
            row = [*examples.shared[words[i]].tolist(), *examples.own[i].tolist()]
            answers = []
            for tree in range(kept.tree_offsets[of_class[i]], kept.tree_offsets[of_class[i] + 1]):
                division, left_out = kept.left_out[tree].tolist()
                if len(some) == 0 or (division >= 0 and some[division, words[i]] == left_out):
                    shares, n_of_leaf = asked(kept, tree, row, int(sizes[i]))
                    answers.append((n_of_leaf * np.array(shares) + trust * before[mine]) / (n_of_leaf + trust))
            assert len(answers) == (2 if len(some) else 7 if kept is trees else 1)
            assert found[mine].tolist() == pytest.approx(np.mean(answers, axis=0).tolist(), rel=1e-5)


def single(trees: ClassTrees) -> ClassTrees:
    """The trees that left out nothing."""
    return trees.only(trees.left_out[:, 0] < 0)


@given(st.lists(st.floats(0, 1), max_size=20))
def test_the_level_of_a_share_counts_the_bounds_that_it_reaches(shares: list[float]) -> None:
    expected = [0 if one <= 0 else 1 + sum(one >= bound for bound in LEVELS.tolist()) for one in shares]
    assert share_levels(np.array(shares, dtype=np.float64)).tolist() == expected


# ---- layers ----------------------------------------------------------------------------------------------------------

beliefs = st.lists(
    st.dictionaries(st.sampled_from(TAGS), st.floats(0.05, 1), min_size=1, max_size=7), min_size=1, max_size=5
)


def normalised(rows: list[dict[str, float]]) -> Ragged:
    return candidates_of(*({tag: p / sum(row.values()) for tag, p in row.items()} for row in rows))


@given(beliefs, st.integers(0, 2), st.randoms(use_true_random=False))
def test_answers_replace_the_shares_of_values_and_nothing_else(
    rows: list[dict[str, float]], number: int, random: Any
) -> None:
    """Beside the definition, candidate by candidate."""
    categories = tag_categories(TAGS, "nkjp")
    layers = layers_of(categories)
    layer = layers[number]
    candidates = layered(normalised(rows), layers)
    questions = questions_of(layer, candidates)
    answers = np.array([random.uniform(0.1, 1) for _ in questions.values])
    totals = np.add.reduceat(answers, questions.offsets[:-1]) if len(answers) else np.zeros(0)
    answers /= np.repeat(totals, np.diff(questions.offsets))
    found = believed(candidates, questions, answers)
    asked = {
        (int(questions.word[k]), int(questions.values[place]))
        for k in range(len(questions))
        for place in range(questions.offsets[k], questions.offsets[k + 1])
    }
    assert found.weights is not None
    for word in range(len(candidates)):
        old, new = candidates.weighted_row(word), found.weighted_row(word)
        assert sum(new.values()) == pytest.approx(1)
        for label in old:
            same = [one for one in old if layer.before[one] == layer.before[label]]
            values = sorted({int(layer.values[one]) for one in same})
            if len(values) < 2:
                assert new[label] == pytest.approx(old[label])
                continue
            assert (word, int(layer.values[label])) in asked
            total = sum(old[one] for one in same)
            of_value = sum(old[one] for one in same if layer.values[one] == layer.values[label])
            (k,) = (
                k
                for k in range(len(questions))
                if questions.word[k] == word
                and questions.values[questions.offsets[k] : questions.offsets[k + 1]].tolist() == values
                and any(questions.of[candidates.offsets[word] + list(old).index(label)] == p
                        for p in range(questions.offsets[k], questions.offsets[k + 1]))
            )  # fmt: skip
            answer = answers[questions.offsets[k] + values.index(int(layer.values[label]))]
            assert new[label] == pytest.approx(total * answer * old[label] / of_value)


def test_layers_are_those_that_the_tagset_has() -> None:
    rich = layers_of(tag_categories(TAGS, "nkjp"))
    assert [layer.categories for layer in rich] == [("pos",), ("number", "gender"), ("case",)]
    plain = layers_of(TagCategories(("tag",), (("A", "B"),), np.array([[0], [1]], dtype=np.int16)))
    assert [layer.categories for layer in plain] == [("tag",)]


# ---- attributes ------------------------------------------------------------------------------------------------------


def test_attributes_of_a_small_sentence_by_hand() -> None:
    """nowa mapa leży: an adjective and a noun that agree in the nominative and the accusative, and a verb."""
    text = text_of([[("nowa", TAGS[3]), ("mapa", TAGS[0]), ("leży", TAGS[7])]])
    categories = tag_categories(TAGS, "nkjp")
    attributes = attributes_of(text, categories, np.full(len(TAGS), 0.1))
    found = attributes.of(
        text.words,
        candidates_of({TAGS[3]: 0.5, TAGS[4]: 0.5}, {TAGS[0]: 0.6, TAGS[1]: 0.3, TAGS[2]: 0.1}, {TAGS[7]: 1.0}),
    )
    row = {name: found[:, k].tolist() for k, name in enumerate(attributes.names)}
    level = {0.0: 0, 0.1: 3, 0.3: 4, 0.45: 4, 0.5: 5, 0.6: 5, 2 / 3: 5, 1.0: 8, 0.9: 6}
    assert row["adj at -1"] == [0, level[1.0], 0]
    assert row["nom at +1"] == [level[0.6] + 1 if 0.7 >= 0.8 else 5, 0, 0]  # nominative: 0.6 + 0.1
    assert row["pl at -1"] == [0, 0, level[0.1]]
    both = "number case gender shared with"
    assert row[f"{both} +1"] == [level[0.45], 0, 0]  # 0.5 · 0.6 + 0.5 · 0.3
    assert row[f"{both} +1, nom"] == [level[2 / 3], 0, 0]
    assert row[f"{both} -1, acc"] == [0, 4, 0]  # 0.15 / 0.45
    assert row["number shared with verb-right"] == [level[1.0], level[0.9], 0]
    assert row["words to verb-right"] == [2, 1, 0]
    assert len(attributes.sizes) == len(attributes.is_nominal) == len(attributes.names) == found.shape[1]
    assert (found.max(axis=0) < attributes.sizes).all()


# ---- the tagger ------------------------------------------------------------------------------------------------------


def sentences_planted(n: int, seed: int) -> list[list[tuple[str, str]]]:
    """Nouns that are accusative behind `przez` and locative behind `przy`; forms say nothing."""
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(n):
        is_first = rng.random() < 0.5
        noun = f"map{rng.integers(30)}"
        before = [("leży", TAGS[7])] * int(rng.integers(3))
        preposition = ("przez", "prep:acc") if is_first else ("przy", "prep:loc")
        sentences.append([*before, preposition, (noun, "subst:sg:acc:f" if is_first else "subst:sg:loc:f")])
    return sentences


def planted(n: int, seed: int) -> LabelledWords:
    return text_of(sentences_planted(n, seed))


@pytest.mark.parametrize("forest", [False, True])
def test_a_planted_rule_is_found(forest: bool) -> None:
    options = LayeredTreesOptions(tagset="nkjp", forest=forest)
    tagger = LayeredTrees.trained(planted(400, 1), "xpos", options)
    new = planted(100, 2)
    assert (tagger.tag(new.words) == new.label_ids).all()
    case = tagger.steps[2]
    row = [tagger.steps[2].layer.names[value] for value in case.trees.classes.row(0).tolist()]
    assert row == ["acc", "loc"]
    lines = tagger.learnt()
    assert "== case" in lines
    (n,) = [k for k, line in enumerate(lines) if line.startswith("acc | loc")]
    if not forest:
        assert any(word in lines[n + 1] for word in ("-1", "governor-left", "words"))


def test_probabilities_sum_to_1_over_the_candidates_of_each_word() -> None:
    tagger = LayeredTrees.trained(planted(200, 1), "xpos", LayeredTreesOptions(tagset="nkjp"))
    words = planted(30, 3).words
    found = tagger.beliefs(words)
    assert found.weights is not None
    assert np.add.reduceat(found.weights, found.offsets[:-1]) == pytest.approx(1)
    scores = tagger.tagging(words, with_probabilities=True)
    assert np.exp(scores.log_probabilities).sum(axis=1) == pytest.approx(1)
    assert np.array_equal(scores.log_probabilities.argmax(axis=1), scores.tags)


def test_words_that_lack_their_tag_among_the_candidates_are_counted_and_stay() -> None:
    both = text_of([*sentences_planted(200, 1), [("przez", "prep:acc"), ("przez", "interp")]])
    tagger = LayeredTrees.trained(both, "xpos", LayeredTreesOptions(tagset="nkjp"))
    each = jackknifed(both, None, "xpos")
    n_lacking = sum(int(tag) not in each.row(word) for word, tag in enumerate(both.label_ids))
    assert tagger.n_without_gold == n_lacking > 0
    assert f"{n_lacking} training words lack" in tagger.learnt()[0]
    assert len(tagger.tag(both.words)) == len(both.words)


def test_the_same_seed_makes_the_same_model() -> None:
    def model(seed: int) -> Any:
        return LayeredTrees.trained(planted(100, 1), "xpos", LayeredTreesOptions("nkjp", forest=True), seed).parts()

    one, same = model(1), model(1)
    assert all(np.array_equal(one.arrays[name], same.arrays[name]) for name in one.arrays)


# ---- rules -----------------------------------------------------------------------------------------------------------

CATEGORIES = tag_categories(TAGS, "nkjp")
WORDS = WordSequence(["przy", "mapie", "leży"], np.array([0, 1, 2, 1], dtype=np.int32), np.array([0, 3, 4]))
EVERY = candidates_of(
    {"prep:acc": 0.5, "prep:loc": 0.5},
    {"subst:sg:loc:f": 0.5, "subst:sg:nom:f": 0.25, "adj:sg:nom:f:pos": 0.25},
    {"fin:sg:ter:imperf": 1.0},
    {"subst:sg:loc:f": 0.5, "subst:sg:nom:f": 0.25, "adj:sg:nom:f:pos": 0.25},
)


def left(rule: str) -> list[set[str]]:
    found = applied(rules_from_text(rule, "r", CATEGORIES), WORDS, EVERY, CATEGORIES)
    assert found.weights is not None
    assert np.add.reduceat(found.weights, found.offsets[:-1]) == pytest.approx(1)
    return [{TAGS[label] for label in found.row(word).tolist()} for word in range(4)]


def whole() -> list[set[str]]:
    return left("")


def test_a_rule_removes_candidates_where_its_context_holds() -> None:
    before = whole()
    assert left("remove pos=subst & case=loc unless -2..-1: pos=prep & case=loc") == [
        before[0], before[1], before[2], before[3] - {"subst:sg:loc:f"}
    ]  # fmt: skip
    assert left("remove pos=prep & case=acc unless 1..3: case=acc")[0] == {"prep:loc"}
    assert left('remove pos=adj if -1: "Przy"')[1] == before[1] - {"adj:sg:nom:f:pos"}
    assert left("remove pos=subst|adj & case=nom if -1: only pos=prep")[1] == {"subst:sg:loc:f"}
    assert left("remove case=nom if -1: only case=loc") == before
    assert left('remove pos=adj if -1: "przy" and +1: "mapie"') == before
    assert left('remove pos=adj if -1: "przy" or +1: "mapie"')[1] == before[1] - {"adj:sg:nom:f:pos"}


def test_a_rule_leaves_a_word_that_would_lose_all_candidates() -> None:
    assert left("remove pos=fin if -1: pos=subst") == whole()


def test_rules_come_one_after_the_other() -> None:
    assert left("remove case=loc if -1: pos=prep  # a comment\n\nremove pos=prep & case=loc unless 1: case=loc")[0] == {
        "prep:acc"
    }


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("erase case=loc if -1: pos=prep", 1, "remove was expected, not erase"),
        ("remove kase=loc if -1: pos=prep", 8, "no category kase; there are pos"),
        ("remove case=lok if -1: pos=prep", 13, "case has no value lok"),
        ("remove case:loc if -1: pos=prep", 12, "= was expected, not :"),
        ("remove case=loc when -1: pos=prep", 17, "if or unless was expected, not when"),
        ("remove case=loc if -1..-3: pos=prep", 24, "the smaller number comes first"),
        ("remove case=loc if 99: pos=prep", 20, "a place from -50 to 50 was expected"),
        ("remove case=loc if -1: pos=prep, 2: pos=adj", 32, "this cannot be read"),
        ("remove case=loc if -1: pos=prep 2: pos=adj", 33, "and or the end of the line was expected"),
        ("remove case=loc if -1:", 23, "the line ends where a category was expected"),
        ('remove case=loc if -1: "przy', 24, "this cannot be read"),
    ],
)
def test_a_line_that_is_no_rule_is_refused_with_line_and_column(line: str, column: int, message: str) -> None:
    def known(name: str, value: str) -> bool:
        return value in CATEGORIES.values[CATEGORIES.names.index(name)]

    with pytest.raises(karat.DataError, match=message) as caught:
        rules_from_text(f"# first\n{line}", "my.rules", CATEGORIES, known)
    (problem,) = caught.value.problems
    assert (problem.code, problem.path, problem.line, problem.column) == ("K908", "my.rules", 2, column)


def test_the_rules_that_karat_has_can_be_read() -> None:
    for name in shipped_rules():
        tagset = read_tagset(name)

        def known(category: str, value: str, of: Tagset = tagset) -> bool:
            return value in (of.parts_of_speech if category == "pos" else of.values_in(category))

        assert len(read_rules(name, tag_categories(TAGS, name), known)) > 3
