"""Queries run over sentences, against a matcher that tries every way, and mentions by part of speech."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from karat.tagsets import read_tagset
from karat.weights.queries.conditional_mentions import conditional_mentions, conditional_shares
from karat.weights.queries.language import parse_query
from karat.weights.queries.log import count_mentions, query_log_from_text
from karat.weights.queries.query import (
    Alternation,
    And,
    Attribute,
    AttributeTest,
    Condition,
    Language,
    Mark,
    Not,
    Or,
    Part,
    QueryError,
    Repetition,
    Sequence,
    Text,
    Token,
    Variable,
    tokens,
)
from karat.weights.queries.runs import CorpusToken, Match, QueryRun

NKJP = read_tagset("nkjp")
TAGS = {
    "a": "adj:sg:gen:f:pos",
    "b": "subst:sg:gen:f",
    "c": "subst:pl:nom:m1",
    "d": "fin:sg:ter:imperf",
    "e": "prep:loc",
    "f": "subst:sg:nom.acc:n",
    "g": "siebie:acc",
}


def sentence(letters: str) -> list[CorpusToken]:
    """A token for each letter, with that letter's tag; z has none."""
    return [(letter, letter.upper(), NKJP.parse(TAGS[letter]) if letter in TAGS else None) for letter in letters]


def run(query: str, letters: str, language: Language = "poliqarp") -> list[tuple[int, int]]:
    found = QueryRun(parse_query(query, language), NKJP).matches(sentence(letters))
    return [(match.start, match.end) for match in found]


# ---- by hand


def test_from_each_token_the_longest_match() -> None:
    assert run("[case=gen]+", "abdbz") == [(0, 2), (1, 2), (3, 4)]
    assert run("[pos=adj]? [pos=subst]", "abdc") == [(0, 2), (1, 2), (3, 4)]
    assert run("a | a b d", "abd") == [(0, 3)]
    assert run("[]{2}", "abc") == [(0, 2), (1, 3)]
    assert run("x?", "abc") == []  # an empty match is none


def test_a_match_says_which_tokens_met_which_conditions() -> None:
    query = parse_query("[case=gen]* ([number=sg] | b)")
    found = list(QueryRun(query, NKJP).matches(sentence("abd")))
    # from 0: a and b are genitives, d is the singular; there is no other way to the longest match
    assert found[0] == Match(0, 3, frozenset({(0, 0), (1, 0), (2, 1)}))
    both = parse_query("a ([number=sg] | b)")
    assert next(QueryRun(both, NKJP).matches(sentence("ab"))).found == {(0, 0), (1, 1), (1, 2)}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("pos=subst", "bcf"),
        ("pos!=subst", "adegz"),
        ("case=nom", "cf"),
        ("case==nom", "c"),
        ("case!=nom", "abdegz"),
        ('tag="subst:sg:.*"', "bf"),
        ("base=B", "b"),
        ("base=b/i", "b"),
        ("orth='[a-c]'", "abc"),
        ("!(case=gen | pos=fin)", "cefgz"),
        ("case='.*'", "abcefg"),
        ("space=yes", "abcdefgz"),  # plain tokens cannot tell
        ("space!=yes", "abcdefgz"),
        ("space=yes & pos=fin", "d"),
    ],
)
def test_conditions_of_poliqarp(condition: str, expected: str) -> None:
    letters = "abcdefgz"
    assert "".join(letters[start] for start, _ in run(f"[{condition}]", letters)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('word="A"%c', "a"),
        ('lemma="A"', "a"),
        ('tag contains "sg"', "abdf"),
        ('tag not contains "sg"', "cegz"),
        ("case", "abcefg"),
        ("gen", "ab"),
        ('pos="subst" -> case="gen"', "abdegz"),
        ("word = lemma", ""),
        ("word != lemma", "abcdefgz"),
        ("word = $list", "abcdefgz"),
        ("lbound(s)", "abcdefgz"),
    ],
)
def test_conditions_of_cqp(condition: str, expected: str) -> None:
    letters = "abcdefgz"
    assert "".join(letters[start] for start, _ in run(f"[{condition}]", letters, "cqp")) == expected


def test_variables_must_agree() -> None:
    assert run("[pos=adj & case=$1] [case=$1]", "ab") == [(0, 2)]
    assert run("[pos=adj & case=$1] [case=$1]", "ac") == []
    assert run("[case=$1] [case=$1] [case=$1]", "cfc") == [(0, 3)]  # nom, nom or acc, nom
    assert run("[case=$1] [case=$1] [case=$1]", "cfg") == []  # f cannot be both
    assert run("[case=$1] [case!=$1]", "cb") == [(0, 2)]
    assert run("[case=$1] [case!=$1]", "ab") == []


def test_labels_must_satisfy_the_constraint() -> None:
    query = "a:[] []* b:[pos='subst'] :: a.case = b.case"
    assert run(query, "adbc", "cqp") == [(0, 3)]
    assert run("a:[case='gen'] []? [case = a.case]", "adb", "cqp") == [(0, 3)]
    assert run("a:[pos='adj']? [] :: a", "ab", "cqp") == [(0, 2)]
    assert run("[] [] :: match.number = matchend.number", "abcd", "cqp") == [(0, 2)]


def test_sentences_and_assertions() -> None:
    assert run("<s> [] []", "abc", "cqp") == [(0, 2)]
    assert run("[] [] </s>", "abc", "cqp") == [(1, 3)]
    assert run("<np> [] </np>", "abc", "cqp") == [(0, 1), (1, 2), (2, 3)]
    assert run("[] [: pos='fin' :]", "abdd", "cqp") == [(1, 2), (2, 3)]
    assert run("[: case='gen' :] [number='sg']", "abcd", "cqp") == [(0, 1), (1, 2)]


def test_what_cannot_be_run_is_said() -> None:
    for query, message in [("/np[] []", "the macro 'np'"), ("MU(meet 'a' 'b')", "MU")]:
        with pytest.raises(QueryError, match=message):
            run(query, "ab", "cqp")
    with pytest.raises(QueryError, match="too large"):
        run("((([]{90}){90}){90}){90}", "a" * 100)
    with pytest.raises(QueryError, match="too many ways"):
        run("([:word='a':]|[:word!='b':]|[:word!='c':]|[:word!='d':]|[:word!='e':]|[:word!='f':]|[:word!='g':]"
            "|[:word!='h':]|[:word!='i':]|[:word!='j':]|[:word!='k':]|[:word!='l':]|[:word!='m':]|[:word!='n':]"
            "|[:word!='o':]|[:word!='p':])* []", "a", "cqp")  # fmt: skip


def test_ways_that_are_many_are_followed_together() -> None:
    assert run("((a|a|[])*)*b", "a" * 30) == []  # 3 ** 30 ways would take years
    assert run("(a?){5} (a*)* (a*)* a{0,500}", "a" * 20)[0] == (0, 20)


# ---- against a matcher that tries every way

Held = dict[str, frozenset[str]]
Way = tuple[int, frozenset[tuple[int, int]], tuple[tuple[str, frozenset[str]], ...]]


def values(name: str, token: CorpusToken) -> set[str]:
    form, _, tag = token
    if name == "orth":
        return {form}
    if tag is None:
        return set()
    return {tag.pos} if name == "pos" else set(tag.values.get(name, ()))


def true_ways(condition: Condition | None, token: CorpusToken, held: Held) -> list[Held]:
    match condition:
        case None:
            return [held]
        case Not(part=part):
            return [] if true_ways(part, token, held) else [held]
        case And(parts=parts):
            ways = [held]
            for part in parts:
                ways = [after for way in ways for after in true_ways(part, token, way)]
            return ways
        case Or(parts=parts):
            return [after for part in parts for after in true_ways(part, token, held)]
        case AttributeTest(left=Attribute(name=name), right=Variable(name=variable)):
            common = frozenset(values(name, token)) & held.get(variable, frozenset(values(name, token)))
            return [{**held, variable: common}] if common else []
        case AttributeTest(left=Attribute(name=name), right=Text(text=text), negated=negated):
            return [held] if (text in values(name, token)) != negated else []
    raise AssertionError(condition)


def ways(part: Part, start: int, held: Held, of: list[CorpusToken], numbers: dict[int, int]) -> Iterator[Way]:
    """Every way through a part from a place on, one after the other."""
    match part:
        case Token(condition=condition, place=place):
            if start < len(of):
                for after in true_ways(condition, of[start], held):
                    yield start + 1, frozenset({(start, numbers[place])}), tuple(sorted(after.items()))
        case Mark():
            yield start, frozenset(), tuple(sorted(held.items()))
        case Alternation(parts=parts):
            for one in parts:
                yield from ways(one, start, held, of, numbers)
        case Sequence(parts=()):
            yield start, frozenset(), tuple(sorted(held.items()))
        case Sequence(parts=(first, *rest)):
            for middle, found, before in set(ways(first, start, held, of, numbers)):
                for end, more, last in ways(Sequence(tuple(rest)), middle, dict(before), of, numbers):
                    yield end, found | more, last
        case Repetition(part=inner, least=least, most=most):
            now: set[Way] = {(start, frozenset(), tuple(sorted(held.items())))}
            if least == 0:
                yield from now
            for n_read in range(1, (least + len(of) + 1 if most is None else most) + 1):
                now = {
                    (end, found | more, last)
                    for middle, found, before in now
                    for end, more, last in ways(inner, middle, dict(before), of, numbers)
                }
                if n_read >= least:
                    yield from now


def matches_by_trying(text: str, of: list[CorpusToken]) -> list[Match]:
    query = parse_query(text)
    numbers = {token.place: number for number, token in enumerate(tokens(query.pattern))}
    found = []
    for start in range(len(of)):
        every = [way for way in set(ways(query.pattern, start, {}, of, numbers)) if way[0] > start]
        if every:
            end = max(way[0] for way in every)
            found.append(Match(start, end, frozenset().union(*(way[1] for way in every if way[0] == end))))
    return found


CONDITIONS = st.sampled_from(
    ["[pos=subst]", "[case=gen]", "[case!=nom]", "[number=sg & case=gen]", "[pos=fin | case=nom]", "[]", "a", "b"]
)
PATTERNS = st.recursive(
    CONDITIONS,
    lambda inner: (
        st.builds("({} {})".format, inner, inner)
        | st.builds("({} | {})".format, inner, inner)
        | st.builds("({}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,3}"]))
    ),
    max_leaves=4,
)
AGREEING = st.recursive(
    st.sampled_from(["[case=$1]", "[number=$2 & case=$1]", "[case=$1 | number=$2]", "[pos!=fin]", "[number=$2]"]),
    lambda inner: (
        st.builds("({} {})".format, inner, inner)
        | st.builds("({} | {})".format, inner, inner)
        | st.builds("({}){}".format, inner, st.sampled_from(["+", "?", "{2}"]))
    ),
    max_leaves=3,
)
SENTENCES = st.text("abcdefgz", max_size=5)


@given(PATTERNS, SENTENCES)
def test_matches_are_those_of_trying_every_way(query: str, letters: str) -> None:
    found = list(QueryRun(parse_query(query), NKJP).matches(sentence(letters)))
    assert found == matches_by_trying(query, sentence(letters))


@given(AGREEING, SENTENCES)
def test_matches_with_variables_are_those_of_trying_every_way(query: str, letters: str) -> None:
    found = list(QueryRun(parse_query(query), NKJP).matches(sentence(letters)))
    assert found == matches_by_trying(query, sentence(letters))


@given(SENTENCES, st.integers(0, 40), st.integers(0, 40))
def test_long_repetitions_match_as_trying_says(letters: str, least: int, more: int) -> None:
    query = f"([case=gen]? [number=sg]?){{{least},{least + more}}}"
    found = [(match.start, match.end) for match in QueryRun(parse_query(query), NKJP).matches(sentence(letters))]
    simple = f"([case=gen]? [number=sg]?){{0,{min(least + more, 6)}}}"
    assert found == [(match.start, match.end) for match in matches_by_trying(simple, sentence(letters))]


# ---- mentions by part of speech


def test_mentions_are_counted_for_the_parts_of_speech_that_are_found() -> None:
    queries = [parse_query("[case=gen]+")]
    # a and b are genitives, b once more in the second sentence; d is not
    found = conditional_mentions(queries, [sentence("abd"), sentence("b")], NKJP)
    assert found == {"adj": Counter(case=1), "subst": Counter(case=2)}


def test_a_query_asked_twice_counts_twice_and_shares_are_worth_one_a_mention() -> None:
    queries = [parse_query("[case=gen]"), parse_query("[case=gen]"), parse_query("[pos=fin & number=sg]")]
    corpus = [sentence("abb"), sentence("dz")]
    assert conditional_mentions(queries, corpus, NKJP) == {
        "adj": Counter(case=2),
        "subst": Counter(case=4),
        "fin": Counter(pos=1, number=1),
    }
    shares = conditional_shares(queries, corpus, NKJP)
    assert shares["adj"]["case"] == pytest.approx(2 / 3)
    assert shares["subst"]["case"] == pytest.approx(4 / 3)
    assert shares["fin"] == {"pos": 1.0, "number": 1.0}


def test_what_a_constraint_says_of_a_label_counts_for_its_token() -> None:
    queries = [parse_query("a:[word='a'] b:[] :: a.case = b.case", "cqp")]
    assert conditional_mentions(queries, [sentence("ab")], NKJP) == {"adj": Counter(case=1), "subst": Counter(case=1)}


def test_only_tokens_of_matches_count() -> None:
    queries = [parse_query("[pos=adj] [case=gen]")]
    assert conditional_mentions(queries, [sentence("bab")], NKJP) == {"adj": Counter(pos=1), "subst": Counter(case=1)}


def test_queries_that_cannot_be_run_are_listed_or_raised() -> None:
    queries = [parse_query("@np [case=gen]"), parse_query("[case=gen]")]
    skipped: list[QueryError] = []
    assert conditional_mentions(queries, [sentence("b")], NKJP, skipped=skipped) == {"subst": Counter(case=1)}
    assert [error.query for error in skipped] == ["@np [case=gen]"]
    with pytest.raises(QueryError, match="macro"):
        conditional_mentions(queries, [sentence("b")], NKJP)


@given(st.lists(PATTERNS, max_size=4), st.lists(SENTENCES, max_size=3))
def test_shares_sum_to_the_counts_of_the_log_but_for_what_finds_nothing(queries: list[str], texts: list[str]) -> None:
    corpus = [sentence(text) for text in texts]
    expected: Counter[str] = Counter()
    for query in queries:
        finds = set().union(*conditional_mentions([parse_query(query)], corpus, NKJP).values())
        counts = count_mentions(query_log_from_text(query), NKJP).counts
        expected.update({category: count for category, count in counts.items() if category in finds})
    shares = conditional_shares([parse_query(query) for query in queries], corpus, NKJP)
    found = {category: sum(of.get(category, 0.0) for of in shares.values()) for category in expected}
    assert found == pytest.approx(dict(expected))
    assert {category for of in shares.values() for category in of} == set(expected)
