"""Transformation-based learning beside its definition: a learner that counts every rule anew, again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._ragged import Ragged, offsets_of
from karat.systems.transformation_learning import TagState, apply_rules, learnt_rules, tag_state
from karat.systems.transformations import (
    WHOLE,
    Action,
    LabelParts,
    Notation,
    Rules,
    TemplateCondition,
    TransformationGrammar,
    action_from_text,
    keys_of,
    shown_rules,
    template_from_text,
)

LABELS = ("n:x:s", "n:x:p", "n:y:s", "n:y:p", "v:s", "v:p", "c")
TAGS = LabelParts(
    LABELS,
    ("pos", "case", "number"),
    (("n", "v", "c"), ("x", "y"), ("s", "p")),
    np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, -1, 0], [1, -1, 1], [2, -1, -1]], dtype=np.int16),
)
NOTATION = Notation(
    (
        "t -> t",
        "pos -> case",
        "any -> case.number",
        "pos -> case.number of +1",
        "pos.number -> number of -2",
        "pos => pos",
    ),
    ("always", "t-1", "t+1", "case-1|-2|-3", "pos-1 & case+1", "w0", "w-1 & t+1|+2", "t-2 & t-1 & w+1"),
    ("w",),
)


class Word(NamedTuple):
    tag: int
    gold: int
    candidates: list[int]
    feature: int


Rule = tuple[int, ...]

words = st.builds(
    lambda candidates, which, gold, feature: Word(candidates[which % len(candidates)], gold, candidates, feature),
    st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(0, 3),
    st.integers(-1, 6),
    st.integers(-1, 2),
)
texts = st.lists(st.lists(words, min_size=1, max_size=7), min_size=1, max_size=12)


class NaiveLearner:
    """Brill's learner straight from its definition."""

    def __init__(self, text: list[list[Word]], grammar: TransformationGrammar, threshold: int) -> None:
        self.text, self.threshold, self.notation = text, threshold, grammar.notation
        self.tags = [[word.tag for word in sentence] for sentence in text]
        self.edge = len(grammar.tags.labels)
        self.levels = {name: grammar.tags.level(name)[0].tolist() for name in self.notation.levels}
        gives = [WHOLE if action.free else action.gives for action in self.notation.parsed_actions]
        self.rests = [grammar.tags.rest(level).tolist() for level in gives]

    def tag(self, s: int, i: int) -> int:
        return self.tags[s][i] if 0 <= i < len(self.tags[s]) else self.edge

    def found(self, condition: TemplateCondition, s: int, i: int) -> set[int]:
        values = set()
        for place in condition.places:
            if condition.name not in self.notation.features:
                values.add(self.levels[condition.name][self.tag(s, i + place)])
            elif 0 <= i + place < len(self.text[s]):
                values.add(self.text[s][i + place].feature)
        return values - {-1}

    def proposals(self, s: int, i: int) -> Iterator[tuple[Rule, int]]:
        """Every rule that would change a word, and to what."""
        tag = self.tags[s][i]
        for target in self.text[s][i].candidates:
            for number, action in enumerate(self.notation.parsed_actions):
                asked, given = self.levels[action.asks][tag], self.levels[action.gives][target]
                copied = self.levels[action.gives][self.tag(s, i + action.source)]
                is_possible = target != tag and min(asked, given) >= 0
                is_possible &= self.rests[number][tag] == self.rests[number][target]
                if action.free:
                    level, every = self.levels[action.gives], self.text[s][i].candidates
                    is_possible &= level[tag] != given and target == next(one for one in every if level[one] == given)
                if not is_possible or (action.source and copied != given):
                    continue
                for t, template in enumerate(self.notation.parsed_templates):
                    for values in product(*(self.found(one, s, i) for one in template)):
                        padded = (*values, *[-1] * (3 - len(values)))
                        yield (t, number, asked, 0 if action.source else given, *padded), target

    def rules(self) -> list[tuple[Rule, int, int]]:
        """The rules, with how many words each corrects and spoils; the tags change as they say."""
        found: list[tuple[Rule, int, int]] = []
        while True:
            good, bad = Counter[Rule](), Counter[Rule]()
            changes: dict[Rule, list[tuple[int, int, int]]] = {}
            for s, sentence in enumerate(self.text):
                for i, word in enumerate(sentence):
                    for rule, target in self.proposals(s, i):
                        changes.setdefault(rule, []).append((s, i, target))
                        good[rule] += target == word.gold
                        bad[rule] += self.tags[s][i] == word.gold
            enough = [rule for rule in good if good[rule] - bad[rule] >= self.threshold]
            if not enough:
                return found
            best = min(enough, key=lambda rule: (bad[rule] - good[rule], bad[rule], *self.numbers(rule)))
            found.append((best, good[best], bad[best]))
            for s, i, target in changes[best]:
                self.tags[s][i] = target

    def numbers(self, rule: Rule) -> tuple[int, int]:
        first, second = keys_of(np.array([rule]), len(self.notation.actions))[0].tolist()
        return first, second


def state_of(text: list[list[Word]], n_labels: int = len(LABELS)) -> TagState:
    every = [word for sentence in text for word in sentence]
    candidates = Ragged(
        offsets_of([len(word.candidates) for word in every]),
        np.array([one for word in every for one in word.candidates], dtype=np.intp),
    )
    tags = np.array([word.tag for word in every], dtype=np.int32)
    features = np.array([[word.feature for word in every]], dtype=np.int32)
    return tag_state(offsets_of([len(one) for one in text]), tags, candidates, features, n_labels)


def gold_of(text: list[list[Word]]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([word.gold for sentence in text for word in sentence], dtype=np.int32)


@settings(max_examples=150, deadline=None)
@given(texts, st.integers(1, 3))
def test_indexed_learning_finds_the_rules_of_a_naive_learner(text: list[list[Word]], threshold: int) -> None:
    grammar, state = TransformationGrammar(NOTATION, TAGS), state_of(text)
    rules = learnt_rules(state, gold_of(text), grammar, threshold)
    naive = NaiveLearner(text, grammar, threshold)
    ours = zip(rules.fields(len(NOTATION.actions)).tolist(), rules.good.tolist(), rules.bad.tolist(), strict=True)
    assert [(tuple(rule), good, bad) for rule, good, bad in ours] == naive.rules()
    assert state.tags[state.places].tolist() == [tag for sentence in naive.tags for tag in sentence]


def drawn_text(seed: int, n_sentences: int) -> list[list[Word]]:
    """Random words whose right tag follows from the word before, so that there is something to learn."""
    rng = np.random.default_rng(seed)
    text = []
    for _ in range(n_sentences):
        sentence: list[Word] = []
        for _ in range(int(rng.integers(3, 12))):
            feature = int(rng.integers(0, 12))
            before = sentence[-1].gold if sentence else 6
            gold = int((before + feature % 3 + (rng.random() < 0.1)) % 7)
            candidates = sorted({gold, *rng.integers(0, 7, 3).tolist()})
            sentence.append(Word(int(rng.choice(candidates)), gold, candidates, feature))
        text.append(sentence)
    return text


def test_a_longer_text_gives_the_rules_of_a_naive_learner_while_the_table_grows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("karat.systems.transformation_learning._FEWEST_RULES", 1)
    text, grammar = drawn_text(1, 60), TransformationGrammar(NOTATION, TAGS)
    rules = learnt_rules(state_of(text), gold_of(text), grammar, 3)
    expected = NaiveLearner(text, grammar, 3).rules()
    assert [tuple(rule) for rule in rules.fields(6).tolist()] == [rule for rule, _, _ in expected]
    assert len(expected) > 10


@settings(max_examples=50, deadline=None)
@given(texts, st.integers(1, 2))
def test_training_errors_never_rise_and_applied_rules_give_the_tags_of_learning(
    text: list[list[Word]], threshold: int
) -> None:
    grammar, learning, gold = TransformationGrammar(NOTATION, TAGS), state_of(text), gold_of(text)
    rules = learnt_rules(learning, gold, grammar, threshold)
    state = state_of(text)
    n_right = int((state.tags[state.places] == gold).sum())
    for number in range(len(rules)):
        one = Rules(rules.keys[number : number + 1], rules.good[number : number + 1], rules.bad[number : number + 1])
        apply_rules(state, one, grammar)
        now = int((state.tags[state.places] == gold).sum())
        assert now - n_right == rules.good[number] - rules.bad[number] >= threshold
        n_right = now
    assert np.array_equal(state.tags, learning.tags)
    again = state_of(text)
    apply_rules(again, rules, grammar)
    assert np.array_equal(again.tags, learning.tags)


def test_by_hand_a_verb_behind_to() -> None:
    """`to run` three times, `the run` twice: N → V behind TO corrects 3 and spoils 0; without context it spoils 2."""
    labels = ("TO", "DT", "N", "V")
    to, the = Word(0, 0, [0], 0), Word(1, 1, [1], 1)
    text = [[to, Word(2, 3, [2, 3], 2)]] * 3 + [[the, Word(2, 2, [2, 3], 2)]] * 2
    grammar = TransformationGrammar(Notation(("t -> t",), ("always", "w0", "t-1", "w-1"), ("w",)), LabelParts(labels))
    rules = learnt_rules(state_of(text, 4), gold_of(text), grammar, 1)
    assert shown_rules(rules, grammar, [["to", "the", "run"]]) == ["N -> V if t-1 = TO  # +3 \N{MINUS SIGN}0"]


def test_by_hand_what_a_rule_changes_does_not_feed_itself() -> None:
    """b → a behind a: of a b b only the first b changes at once, though the second then stands behind an a."""
    grammar = TransformationGrammar(Notation(("t -> t",), ("t-1",), ()), LabelParts(("a", "b")))
    both = [0, 1]
    state = state_of([[Word(0, -1, both, 0), Word(1, -1, both, 0), Word(1, -1, both, 0)]], 2)
    keys = keys_of(np.array([[0, 0, 1, 0, 0, -1, -1]]), 1)
    apply_rules(state, Rules(keys, np.ones(1, np.int32), np.zeros(1, np.int32)), grammar)
    assert state.tags[state.places].tolist() == [0, 0, 1]


def test_by_hand_rules_on_forms_that_a_text_does_not_have_do_nothing_there() -> None:
    grammar = TransformationGrammar(Notation(("t -> t",), ("w0",), ("w",)), LabelParts(("a", "b")))
    fields = np.array([[0, 0, 0, 1, value, -1, -1] for value in (700, 1, 90_000)])
    ones = np.ones(3, dtype=np.int32)
    state = state_of([[Word(0, -1, [0, 1], 1), Word(0, -1, [0, 1], 0)]], 2)
    apply_rules(state, Rules(keys_of(fields, 1), ones, ones), grammar)
    assert state.tags[state.places].tolist() == [1, 0]


def test_by_hand_an_action_copies_case_and_number_and_leaves_the_rest() -> None:
    grammar = TransformationGrammar(Notation(("pos -> case.number of +1",), ("always",), ()), TAGS)
    every = [0, 1, 2, 3]
    text = [[Word(0, 3, every, 0), Word(3, 3, [3], 0), Word(0, 0, every, 0), Word(5, 5, [5], 0)]] * 2
    state = state_of(text)
    rules = learnt_rules(state, gold_of(text), grammar, 1)
    assert shown_rules(rules, grammar, []) == ["n: case.number := case.number+1  # +2 \N{MINUS SIGN}0"]
    assert state.tags[state.places].tolist() == [3, 3, 0, 5] * 2  # n:x:s cannot become n:-:p, like the verb behind it


def test_labels_with_the_same_categories_stay_apart() -> None:
    """Two spellings of one tag: each is changed into a tag of its own kind, so that a rule has one result."""
    table = np.array([[0, 0], [0, 0], [0, 1], [0, 1]], dtype=np.int16)
    tags = LabelParts(("a1", "a2", "b1", "b2"), ("pos", "case"), (("p",), ("a", "b")), table)
    rest = tags.rest("case").tolist()
    assert rest[0] == rest[2] != rest[1] == rest[3]


@pytest.mark.parametrize("text", ["", "t", "t-4", "t-1|-1", "t-1 & ", "t-1 & t-2 & t-3 & t+1", "-1", "t1"])
def test_what_is_no_template(text: str) -> None:
    with pytest.raises(ValueError, match=r"no condition|out of reach|more than three"):
        template_from_text(text)


@pytest.mark.parametrize("text", ["", "t", "t -> ", "t -> t of 0", "t -> t of +4", "t <- t"])
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match="no action"):
        action_from_text(text)


def test_templates_and_actions_as_people_write_them() -> None:
    assert template_from_text("pos.case-1|+2 & w0") == (
        TemplateCondition("pos.case", (-1, 2)),
        TemplateCondition("w", (0,)),
    )
    assert template_from_text("always") == ()
    assert action_from_text("pos -> Case") == Action("pos", "Case")
    assert action_from_text("pos => pos") == Action("pos", "pos", free=True)
    assert TemplateCondition("case", (1, 2)).shown("gen") == "one of case+1, case+2 = gen"
