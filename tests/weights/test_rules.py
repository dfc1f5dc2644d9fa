"""Counts of categories from rules that were used: by hand, by the paper's loop, and what is wrong in their files."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from karat.corpus.source import source_from_bytes
from karat.errors import DataError, UsageError
from karat.tagsets import read_tagset
from karat.weights.rule_uses import (
    RuleUse,
    RuleUses,
    Terminal,
    read_rule_uses,
    rule_uses,
    rule_uses_from_source,
    rule_uses_lines,
)
from karat.weights.rules import Parses, parse_weights, rule_counts

NAMES = ["pos", "case", "number", "gender"]
TERMINALS = st.builds(
    Terminal, st.sampled_from(["adj", "subst", "fin", ""]), st.lists(st.sampled_from(NAMES), max_size=4).map(tuple)
)
USES = st.builds(
    RuleUse,
    sentence=st.sampled_from(["s1", "s2", "s3"]),
    rule=st.sampled_from(["A -> x", "A -> y", "B[F=?f] -> x", "B -> A A", "C -> x y"]),
    terminals=st.lists(TERMINALS, max_size=3).map(tuple),
    parse=st.sampled_from(["1", "2", "3"]),
    probability=st.none(),
)


def from_text(*lines: str) -> RuleUses:
    return rule_uses_from_source(source_from_bytes("\n".join(lines).encode(), "uses.jsonl"))


def line(sentence: str, rule: str, *terminals: tuple[str | None, str], **more: object) -> str:
    found = [{"pos": pos, "categories": categories.split()} for pos, categories in terminals]
    return json.dumps({"sentence": sentence, "rule": rule, "terminals": found, **more}, ensure_ascii=False)


THREE_SENTENCES = (
    # s1: an adjective and a noun that agree, a preposition before them
    line("s1", "NP -> adj subst", ("adj", "pos case number"), ("subst", "pos case number")),
    line("s1", "PP -> prep NP", ("prep", "pos case")),
    # s2: the same rule twice, and one that knows its word by the case alone
    line("s2", "NP -> subst", ("subst", "pos case")),
    line("s2", "NP -> subst", ("subst", "pos case")),
    line("s2", "PP -> prep X+", ("prep", "pos case"), ("adj", "case")),
    # s3: a rule without words, one with a word whose part of speech nobody tells, one that refers to nothing
    line("s3", "S -> NP VP"),
    line("s3", "VP -> fin X", ("fin", "pos person"), (None, "case gender"), ("interp", "")),
)


def test_three_sentences_counted_by_hand() -> None:
    found = rule_counts(from_text(*THREE_SENTENCES))
    assert found.counts == {
        "pos": 3 + 3 + 1,  # adj, subst, prep; subst, subst, prep; fin
        "case": 3 + 4 + 1,  # adj, subst, prep; subst, subst, prep, adj; the unknown one
        "gender": 1,
        "number": 2,
        "person": 1,
    }
    assert found.conditional == {
        "adj": {"pos": 1, "case": 2, "number": 1},
        "fin": {"pos": 1, "person": 1},
        "prep": {"pos": 2, "case": 2},
        "subst": {"pos": 3, "case": 3, "number": 1},
    }
    assert found.without_pos == {"case": 1, "gender": 1}
    assert (found.n_sentences, found.n_rules, found.n_uses, found.n_parses, found.n_ambiguous) == (3, 6, 7, 3, 0)
    assert found.normalised["case"] == 8 / (7 + 8 + 1 + 2 + 1)
    assert found.conditional_normalised["prep"] == {"pos": 0.5, "case": 0.5}


def test_a_tagset_adds_its_categories_with_zeros_in_its_order() -> None:
    tagset = read_tagset("nkjp")
    found = rule_counts(from_text(*THREE_SENTENCES), tagset=tagset)
    assert list(found.counts) == ["pos", *tagset.categories]
    assert found.counts["aspect"] == 0
    assert list(found.conditional) == ["subst", "adj", "fin", "prep"]
    assert found.conditional["fin"] == {"pos": 1, "number": 0, "person": 1, "aspect": 0}


# s1 has two parses: the second, with an adjective, is more probable. s2 and s3 have one each.
AMBIGUOUS = (
    line("s1", "NP -> subst", ("subst", "pos case"), parse=1, probability=0.25),
    line("s1", "NP -> adj subst", ("adj", "pos gender"), ("subst", "pos"), parse=2, probability=0.75),
    line("s1", "S -> NP", parse=2),
    line("s2", "NP -> subst", ("subst", "pos case")),
    line("s3", "NP -> subst", ("subst", "pos case")),
    line("s4", "NP -> adj subst", ("adj", "pos gender"), ("subst", "pos")),
)


@pytest.mark.parametrize(
    ("parses", "second"),
    [
        ("best", 1.0),
        ("all", 0.5),
        # p(NP -> adj subst) = (1 + w) / 4 and w = p / 1 in the end: w = 1/3. p(S -> NP) = 1 changes nothing.
        ("em", 1 / 3),
        ("em-best", 0.0),
    ],
)
def test_the_parses_of_an_ambiguous_sentence_weigh_as_by_hand(parses: Parses, second: float) -> None:
    uses = from_text(*AMBIGUOUS)
    weights = parse_weights(uses, parses=parses).weights
    assert weights.tolist() == pytest.approx([1 - second, second, 1, 1, 1], abs=1e-8)
    found = rule_counts(uses, parses=parses)
    # s2 to s4: pos 1 + 1 + 2, case 1 + 1, gender 1. The first parse of s1 adds pos and case, the second 2 pos, gender.
    expected = {"pos": 4 + (1 - second) + 2 * second, "case": 2 + (1 - second), "gender": 1 + second}
    assert found.counts == pytest.approx(expected, abs=1e-8)
    assert found.n_uses == pytest.approx(4 + second)
    assert (found.n_parses, found.n_ambiguous, found.parses) == (5, 1, parses)


def test_em_takes_the_steps_that_a_hand_takes() -> None:
    # s1 is X -> p or X -> q, s2 is X -> p: p(X -> p) is 1.5/2, 1.75/2, 1.875/2, … and at last 1
    uses = rule_uses(
        [RuleUse("s1", "X -> p", ()), RuleUse("s1", "X -> q", (), "2"), RuleUse("s2", "X[F=1] → p", (), "1")]
    )
    assert parse_weights(uses, parses="em", max_steps=1).weights[0] == 0.5  # X -> p and X[F=1] → p are two rules
    uses = rule_uses([RuleUse("s1", "X -> p", ()), RuleUse("s1", "X -> q", (), "2"), RuleUse("s2", "X -> p", ())])
    steps = [parse_weights(uses, parses="em", max_steps=n) for n in (1, 2, 3)]
    assert [step.weights[0] for step in steps] == pytest.approx([0.75, 0.875, 0.9375])
    assert not steps[2].converged
    assert steps[2].n_steps == 3
    end = parse_weights(uses, parses="em")
    assert end.converged
    assert end.weights.tolist() == pytest.approx([1, 0, 1], abs=1e-8)


def test_a_rule_competes_only_with_rules_of_its_left_hand_side() -> None:
    # in s1 both parses use one rule: of A, which has no other, and of B, which has two that are as frequent
    rows = [RuleUse("s1", "A[F=?f] -> x", ()), RuleUse("s1", "B[G=[H=?f]] -> x", (), "2")]
    rows += [RuleUse(f"t{number}", "B -> y", ()) for number in range(2)]
    first = parse_weights(rule_uses(rows), parses="em", max_steps=1).weights[0]
    assert first == pytest.approx(1 / (1 + 0.5 / 2.5))  # p(A -> x) = 1, p(B -> x) = 0.5 / (0.5 + 2)


def test_best_without_probabilities_is_the_first_parse_and_one_with_any_goes_before() -> None:
    rows = [RuleUse("s1", "A -> x", (), "b"), RuleUse("s1", "A -> y", (), "a")]
    assert parse_weights(rule_uses(rows)).weights.tolist() == [1, 0]
    rows[1] = rows[1]._replace(probability=0.0)
    assert parse_weights(rule_uses(rows)).weights.tolist() == [0, 1]
    rows[0] = rows[0]._replace(probability=0.0)
    assert parse_weights(rule_uses(rows)).weights.tolist() == [1, 0]  # as probable: the first


def test_em_best_takes_the_first_of_parses_that_only_rounding_sets_apart() -> None:
    rules = ["A -> x", "A -> y", "B -> x", "B -> y", "B -> z"]
    rows = [RuleUse("s1", rule, (), parse) for parse in "12" for rule in (rules if parse == "1" else rules[::-1])]
    assert parse_weights(rule_uses(rows), parses="em-best").weights.tolist() == [1, 0]


def test_a_choice_of_parses_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="best, all, em"):
        rule_counts(from_text(*AMBIGUOUS), parses="worst")  # type: ignore[arg-type]


# ---- the paper's loop


def counts_by_the_papers_loop(sentences: dict[str, list[RuleUse]]) -> Counter[str]:
    """§ 2.3.2, line by line; each sentence has one parse."""
    count: Counter[str] = Counter()
    for s in sentences:
        for r in sentences[s]:
            for t in r.terminals:
                for c in set(t.categories):
                    count[c] += 1
    return count


def by_parse(rows: list[RuleUse]) -> dict[str, dict[str, list[RuleUse]]]:
    found: dict[str, dict[str, list[RuleUse]]] = {}
    for row in rows:
        found.setdefault(row.sentence, {}).setdefault(row.parse, []).append(row)
    return found


@given(st.lists(USES, max_size=30))
def test_counts_of_first_parses_are_those_of_the_papers_loop(rows: list[RuleUse]) -> None:
    first = {sentence: next(iter(parses.values())) for sentence, parses in by_parse(rows).items()}
    found = rule_counts(rule_uses(rows))
    assert found.counts == dict(counts_by_the_papers_loop(first))
    for pos in ["adj", "subst", "fin", ""]:
        of_pos = {
            name: [use._replace(terminals=tuple(t for t in use.terminals if t.pos == pos)) for use in uses]
            for name, uses in first.items()
        }
        there = found.conditional.get(pos, {}) if pos else found.without_pos
        assert there == dict(counts_by_the_papers_loop(of_pos))


@given(st.lists(USES, min_size=1, max_size=30))
def test_counts_of_all_parses_are_the_mean_over_a_sentences_parses(rows: list[RuleUse]) -> None:
    expected: dict[str, float] = {}
    for parses in by_parse(rows).values():
        for uses in parses.values():
            for name, number in counts_by_the_papers_loop({"": uses}).items():
                expected[name] = expected.get(name, 0.0) + number / len(parses)
    assert rule_counts(rule_uses(rows), parses="all").counts == pytest.approx(expected)


def em_reference(rows: list[RuleUse], n_steps: int) -> tuple[dict[tuple[str, str], float], list[float]]:
    """EM in plain loops, and the likelihood before each step."""
    sentences = by_parse(rows)
    weight = {(s, p): 1 / len(parses) for s, parses in sentences.items() for p in parses}
    likelihoods = []
    for _ in range(n_steps):
        expected: dict[str, float] = {}
        of_left: dict[str, float] = {}
        for row in rows:
            left = row.rule[0]
            expected[row.rule] = expected.get(row.rule, 0) + weight[row.sentence, row.parse]
            of_left[left] = of_left.get(left, 0) + weight[row.sentence, row.parse]
        likelihood = 0.0
        for s, parses in sentences.items():
            value = {p: math.prod(expected[u.rule] / of_left[u.rule[0]] for u in uses) for p, uses in parses.items()}
            likelihood += math.log(sum(value.values()))
            weight |= {(s, p): value[p] / sum(value.values()) for p in parses}
        likelihoods.append(likelihood)
    return weight, likelihoods


@given(st.lists(USES, min_size=1, max_size=30))
def test_em_is_the_plain_loop_and_never_makes_the_sentences_less_likely(rows: list[RuleUse]) -> None:
    uses = rule_uses(rows)
    expected, likelihoods = em_reference(rows, 5)
    found = parse_weights(uses, parses="em", max_steps=5, tolerance=-1)
    names = [(uses.sentences[s], p) for s, p in zip(uses.parse_sentence, uses.parse_name, strict=True)]
    assert dict(zip(names, found.weights.tolist(), strict=True)) == pytest.approx(expected, abs=1e-12)
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(likelihoods))


@given(st.lists(USES, min_size=1, max_size=30), st.sampled_from(["best", "all", "em", "em-best"]))
def test_sums_hold_for_every_choice_of_parses(rows: list[RuleUse], parses: Parses) -> None:
    uses = rule_uses(rows)
    found = rule_counts(uses, parses=parses)
    assert sum(parse_weights(uses, parses=parses).weights) == pytest.approx(found.n_sentences)
    if found.counts:
        assert sum(found.normalised.values()) == pytest.approx(1)
    tables = [*found.conditional.values(), found.without_pos]
    for name, count in found.counts.items():
        assert sum(table.get(name, 0) for table in tables) == pytest.approx(count)
    for table in found.conditional_normalised.values():
        assert sum(table.values()) == pytest.approx(1)


# ---- files


@given(st.lists(USES, min_size=1, max_size=20))
def test_uses_written_as_lines_are_read_the_same(rows: list[RuleUse]) -> None:
    once = [
        row._replace(terminals=tuple(Terminal(p, tuple(dict.fromkeys(c))) for p, c in row.terminals)) for row in rows
    ]
    once = [row._replace(probability=int(row.parse) / 4) for row in once]
    uses = rule_uses(once)
    again = from_text(*rule_uses_lines(uses))
    assert list(rule_uses_lines(again)) == list(rule_uses_lines(uses))
    assert again.sentences == uses.sentences
    assert again.right_sides == uses.right_sides
    assert again.parse_probability.tolist() == uses.parse_probability.tolist()
    assert again.problems == ()


GOOD = '{"sentence": 1, "rule": "A -> b", "terminals": [{"pos": "b", "categories": ["pos"]}]}'
BAD_LINES = [
    ("[1]", 1, "expected an object, not [1]"),
    ('{"sentence": "s", "rule": "r", "terminals": [}', 46, "not JSON"),
    ('{"sentence": "s"', 17, "not JSON"),
    ('  {"rule": "r", "terminals": []}', 3, "sentence is missing"),
    ('{"sentence": "", "rule": "r", "terminals": []}', 14, 'sentence is a string or an integer, not ""'),
    ('{"sentence": true, "rule": "r", "terminals": []}', 14, "sentence is a string or an integer, not true"),
    ('{"sentence": "ż]}", "rule": 5, "terminals": []}', 29, "rule is a string, not 5"),
    ('{"sentence": "s", "rule": "r"}', 1, "terminals is missing"),
    ('{"sentence": "s", "rule": "r", "terminals": {}}', 45, "terminals is a list, not {}"),
    ('{"sentence": "s", "rule": "r", "terminals": [ 7 ]}', 47, "a terminal must be an object, not 7"),
    ('{"sentence": "s", "rule": "r", "terminals": [{"pos": "x"}]}', 46, "categories is missing"),
    (
        '{"sentence": "s", "rule": "r", "terminals": [{"pos": 1, "categories": []}]}',
        54,
        "pos must be a string or null, not 1",
    ),
    (
        '{"sentence": "s", "rule": "r", "terminals": [{"categories": []}, {"categories": ["a", ""]}]}',
        87,
        'a category must be a string, not ""',
    ),
    ('{"sentence": "s", "rule": "r", "terminals": [], "probability": 1.5}', 64, "from 0 to 1, not 1.5"),
    ('{"sentence": "s", "rule": "r", "terminals": [], "probability": NaN}', 1, "NaN is not JSON"),
    ('{"sentence": "s", "rule": "r", "terminals": [], "parse": null}', 58, "parse is a string or an integer, not null"),
    ("[" * 100_000, 1, "JSON that cannot be read"),
    ("9" * 5000, 1, "JSON that cannot be read"),
]


@pytest.mark.parametrize(("bad", "column", "message"), BAD_LINES)
def test_a_malformed_line_is_told_with_its_place_and_the_rest_counts(bad: str, column: int, message: str) -> None:
    uses = from_text(GOOD, "", bad + "\r", GOOD)
    (problem,) = uses.problems
    assert (problem.code, problem.path, problem.line, problem.column) == ("K823", "uses.jsonl", 3, column)
    assert message in problem.message
    found = rule_counts(uses)
    assert found.counts == {"pos": 2}
    assert found.problems == (problem,)


def test_a_parse_has_one_probability() -> None:
    first = line("s1", "A -> x", probability=0.5)
    uses = from_text(first, line("s1", "A -> y", probability=0.25), line("s1", "A -> y"), first)
    (problem,) = uses.problems
    assert (problem.code, problem.line) == ("K823", 2)
    assert "0.5 before, now 0.25" in problem.message
    assert len(uses.rule) == 3


def test_names_that_a_tagset_does_not_have_are_told_at_their_places() -> None:
    text = "\n".join(
        [
            line("s1", "NP -> subst", ("subst", "pos case")),
            line("s1", "NP -> noun", ("noun", "pos")),
            line("s1", "NP -> subst", ("subst", "pos Case")),
        ]
    )
    source = source_from_bytes(text.encode(), "uses.jsonl")
    uses = rule_uses_from_source(source, tagset=read_tagset("nkjp"))
    places = [(problem.line, problem.column) for problem in uses.problems]
    lines = text.split("\n")
    assert places == [(2, lines[1].index('"noun"') + 1), (3, lines[2].index('"Case"') + 1)]
    assert rule_counts(uses).counts == {"pos": 1, "case": 1}


def test_bytes_that_are_not_utf8_spoil_their_line_only() -> None:
    uses = rule_uses_from_source(source_from_bytes(GOOD.encode() + b'\n{"a": "\xc5\xbc\xff"}\n' + GOOD.encode(), "u"))
    (problem,) = uses.problems
    assert (problem.code, problem.line, problem.column) == ("K106", 2, 9)
    assert rule_counts(uses).counts == {"pos": 2}


def test_a_line_separator_within_a_text_ends_no_line() -> None:
    uses = from_text(GOOD.replace("A -> b", "A -> \u2028b"))
    assert uses.rules == ("A -> \u2028b",)


def test_files_without_any_use_are_refused_with_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(DataError) as empty:
        from_text("", "")
    assert empty.value.code == "K104"
    with pytest.raises(DataError) as bad:
        from_text("{}", "[]")
    assert [problem.code for problem in bad.value.problems] == ["K823", "K823"]
    with pytest.raises(DataError) as missing:
        read_rule_uses(tmp_path / "none.jsonl")
    assert missing.value.code == "K101"


def test_several_files_make_one_count_and_problems_name_their_file(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    paths[0].write_text(GOOD + "\n", encoding="utf-8")
    paths[1].write_text("oops\n" + GOOD.replace("1,", '"2",', 1) + "\n", encoding="utf-8")
    uses = read_rule_uses(paths)
    assert uses.sentences == ("1", "2")
    assert [(problem.path, problem.line) for problem in uses.problems] == [(str(paths[1]), 1)]


def test_numbers_and_texts_name_the_same_sentence_and_parse() -> None:
    texts: list[dict[str, Any]] = [json.loads(GOOD) | {"sentence": s, "parse": p} for s in (1, "1") for p in (1, "1")]
    uses = from_text(*map(json.dumps, texts))
    assert (uses.sentences, uses.parse_name) == (("1",), ("1",))
