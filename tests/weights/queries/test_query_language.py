"""Queries of Poliqarp and CQP taken apart: the tree, the places, and what is refused where."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

from karat.weights.queries.language import MAX_QUERY, parse_query
from karat.weights.queries.parser import MAX_DEPTH
from karat.weights.queries.query import (
    Alternation,
    And,
    Attribute,
    AttributeTest,
    Call,
    Has,
    Language,
    Macro,
    Mark,
    Meet,
    Not,
    Number,
    Or,
    Phrase,
    QueryError,
    Repetition,
    Sequence,
    Text,
    Token,
    Variable,
    comparisons,
    tokens,
)


def compared(text: str, language: Language = "poliqarp") -> list[tuple[str, str, bool, object]]:
    """Attribute, operator, negation and right-hand side of every comparison of a query."""
    found: list[tuple[str, str, bool, object]] = []
    for token in tokens(parse_query(text, language).pattern):
        for one in comparisons(token.condition):
            assert isinstance(one, AttributeTest)
            assert isinstance(one.left, Attribute)
            right = one.right
            found.append((one.left.name, one.operator, one.negated, right.text if isinstance(right, Text) else right))
    return found


def test_a_condition_of_poliqarp_is_a_tree_with_places() -> None:
    query = parse_query('[pos="sub.*" & case!=nom]')
    assert query.pattern == Token(
        And(
            (
                AttributeTest(Attribute("pos", 1), "=", False, Text("sub.*", 5), 1),
                AttributeTest(Attribute("case", 15), "=", True, Text("nom", 21), 15),
            )
        ),
        0,
    )


@pytest.mark.parametrize("operator", ["=", "==", "~", "~~"])
@pytest.mark.parametrize("negation", ["", "!"])
def test_all_eight_operators_of_poliqarp_are_read(operator: str, negation: str) -> None:
    assert compared(f"[case {negation}{operator} gen]") == [("case", operator, bool(negation), "gen")]


def test_bare_and_quoted_words_are_forms() -> None:
    assert compared("stary 'kot' \"w.*\"") == [("orth", "=", False, one) for one in ("stary", "kot", "w.*")]
    assert compared("\"the\" 'cat'", "cqp") == [("word", "=", False, one) for one in ("the", "cat")]


def test_flags_are_kept_under_one_name_in_both_languages() -> None:
    def flags(text: str, language: Language) -> str:
        (token,) = tokens(parse_query(text, language).pattern)
        assert isinstance(token.condition, AttributeTest)
        assert isinstance(token.condition.right, Text)
        return token.condition.right.flags

    assert [flags(text, "poliqarp") for text in ("kot/i", "kot/xi", "kot/I", "[base=kot/x]")] == ["i", "ix", "", "x"]
    assert [flags(text, "cqp") for text in ('"a"%c', '"a" %cd', '"a"%l', '[word="a"%d]')] == ["i", "id", "l", "d"]


def test_and_binds_more_than_or_and_negation_most() -> None:
    (token,) = tokens(parse_query("[!pos=a & pos=b | (pos=c | pos=d) & pos=e]").pattern)
    assert isinstance(token.condition, Or)
    left, right = token.condition.parts
    assert isinstance(left, And)
    assert isinstance(left.parts[0], Not)
    assert isinstance(right, And)
    assert isinstance(right.parts[0], Or)


def test_sequence_binds_more_than_alternation_and_repetition_most() -> None:
    pattern = parse_query("a b* | c{2,3}").pattern
    assert isinstance(pattern, Alternation)
    left, right = pattern.parts
    assert isinstance(left, Sequence)
    assert isinstance(left.parts[1], Repetition)
    assert (left.parts[1].least, left.parts[1].most) == (0, None)
    assert isinstance(right, Repetition)
    assert (right.least, right.most) == (2, 3)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("*", 0, None),
        ("+", 1, None),
        ("?", 0, 1),
        ("{3}", 3, 3),
        ("{,4}", 0, 4),
        ("{2,}", 2, None),
        ("{ 1 , 2 }", 1, 2),
    ],
)
def test_every_repetition_has_its_bounds(text: str, least: int, most: int | None) -> None:
    pattern = parse_query(f"[]{text}").pattern
    assert isinstance(pattern, Repetition)
    assert (pattern.least, pattern.most) == (least, most)


def test_what_follows_the_pattern_in_poliqarp() -> None:
    query = parse_query("kot [] within s meta (autor='N.*' | rok >= 1990) & !styl=nauk")
    assert query.within == "s"
    assert [one.place for one in comparisons(query.meta)] == [22, 36, 52]
    assert len(list(tokens(query.pattern))) == 2
    phrase = parse_query("[] within [head=[pos=subst][case=gen]]").within_condition
    assert isinstance(phrase, Phrase)
    assert len(phrase.heads) == 2


def test_variables_and_the_mark_of_alignment() -> None:
    query = parse_query("[case=$1]^[case!=$x]")
    assert [right for *_, right in compared(query.text)] == [Variable("1", 6), Variable("x", 17)]
    assert isinstance(query.pattern, Sequence)
    assert query.pattern.parts[1] == Mark("^", 9)


def test_labels_targets_and_constraints_of_cqp() -> None:
    query = parse_query('a:[pos="N"] []* @b:[pos="V"] :: a.pos != b.pos & distance(a, b) < 4 within 2 s cut 10;', "cqp")
    assert [(token.label, token.target) for token in tokens(query.pattern)] == [("a", False), ("", False), ("b", True)]
    first, second = comparisons(query.constraint)
    assert isinstance(first, AttributeTest)
    assert (first.left, first.right, first.negated) == (Attribute("pos", 32, "a"), Attribute("pos", 41, "b"), True)
    assert isinstance(second, AttributeTest)
    assert isinstance(second.left, Call)
    assert second.right == Number(4.0, 66)
    assert query.within == "2 s"


def test_the_rest_of_cqp() -> None:
    assert compared('[agr not contains "x:.*"] [agr matches "y"]', "cqp") == [
        ("agr", "contains", True, "x:.*"),
        ("agr", "matches", False, "y"),
    ]
    regions = parse_query('<np_h = "a.*" %c> [] </np>', "cqp").pattern
    assert isinstance(regions, Sequence)
    assert [part.text for part in regions.parts if isinstance(part, Mark)] == ['<np_h = "a.*" %c>', "</np>"]
    assert [token.assertion for token in tokens(parse_query('[: pos="N" :] [::] []', "cqp").pattern)] == [True] * 2 + [
        False
    ]
    meeting = parse_query('MU(meet "a" (union "b" "c") -2 2)', "cqp").pattern
    assert isinstance(meeting, Meet)
    assert meeting.context == "-2 2"
    table = parse_query('TAB "a" {1,3} "b" within s', "cqp").pattern
    assert isinstance(table, Sequence)
    assert [type(part) for part in table.parts] == [Token, Repetition, Token]
    assert len(parse_query('"house" : de "Haus" : fr !"maison"', "cqp").aligned) == 2
    assert compared('Found = "a""b" # and nothing else', "cqp") == [("word", "=", False, 'a"b')]
    (token,) = tokens(parse_query('[pos="N" -> pos="V"]', "cqp").pattern)
    assert isinstance(token.condition, Or)
    assert isinstance(token.condition.parts[0], Not)
    (token,) = tokens(parse_query("[case]", "cqp").pattern)
    assert token.condition == Has(Attribute("case", 1), 1)


def test_macros_are_named_with_their_places() -> None:
    assert parse_query("@np [pos=fin] @pp").macros == (Macro("np", 0), Macro("pp", 14))
    assert parse_query('"x" (/np[] | /pp["in", 2])+', "cqp").macros == (Macro("np", 5), Macro("pp", 13))
    assert parse_query("[/verb[] & lemma='be']", "cqp").macros == (Macro("verb", 1),)


@pytest.mark.parametrize(
    ("language", "text", "place", "message"),
    [
        ("poliqarp", "", 0, "empty"),
        ("poliqarp", "[pos=subst", 10, "']' expected"),
        ("poliqarp", "[pos subst]", 5, "an operator expected after 'pos'"),
        ("poliqarp", "[pos=]", 5, "a word or a string"),
        ("poliqarp", "[=subst]", 1, "the name of an attribute"),
        ("poliqarp", "kot]", 3, "too many"),
        ("poliqarp", "(kot", 4, "')' expected"),
        ("poliqarp", "kot |", 5, "a token expected"),
        ("poliqarp", "kot{3,1}", 3, "from 3 to 1"),
        ("poliqarp", "kot/q", 4, "unknown flag 'q'"),
        ("poliqarp", '"kot', 0, "never closed"),
        ("poliqarp", "[pos=subst & & case=gen]", 13, "the name of an attribute"),
        ("poliqarp", "*kot", 0, "a token expected"),
        ("poliqarp", "[]{99999}", 3, "above"),
        ("cqp", "cat", 0, "a token expected"),
        ("cqp", '[pos=N]"', 7, "never closed"),
        ("cqp", '[pos="N" "V"]', 9, "']' expected"),
        ("cqp", '"a"%q', 4, "unknown flag 'q'"),
        ("cqp", '"a"*+', 4, "a repetition too many"),
        ("cqp", "a: ;", 3, "a token expected"),
        ("cqp", "<np []", 4, "'>' expected"),
        ("cqp", "MU(join 'a' 'b')", 3, "meet or union"),
        ("cqp", '"a" within', 10, "a region or a number"),
        ("cqp", "/np 'a'", 0, "a macro is"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(language: Language, text: str, place: int, message: str) -> None:
    with pytest.raises(QueryError) as error:
        parse_query(text, language)
    assert message in error.value.message
    assert error.value.place == place


@pytest.mark.parametrize("language", ["poliqarp", "cqp"])
def test_a_hostile_query_is_refused_and_does_not_exhaust_the_parser(language: Language) -> None:
    for text in ["(" * 5000, "[" + "!" * 5000, "[" + "(" * 5000, "[a=b" + " -> a=b" * 1400, "'a'" + "*" * 5000]:
        with pytest.raises(QueryError):
            parse_query(text, language)
    with pytest.raises(QueryError, match="more than"):
        parse_query('"a"' * MAX_QUERY, language)
    deep = MAX_DEPTH - 1
    assert len(list(tokens(parse_query("(" * deep + "'a'" + ")" * deep, language).pattern))) == 1


def test_there_are_two_languages() -> None:
    with pytest.raises(ValueError, match="unknown query language"):
        parse_query("a", "sql")  # type: ignore[arg-type]


@given(st.text("ab'\"[]()|&!=~$^/@{},*+?:;<>%#\\ \n.-1", max_size=30), st.sampled_from(["poliqarp", "cqp"]))
@example("\\", "cqp")
@example('"\\', "poliqarp")
@example("`", "cqp")
def test_any_text_is_a_query_or_an_error_with_a_place_in_it(text: str, language: Language) -> None:
    places = [0]
    try:
        places += [token.place for token in tokens(parse_query(text, language).pattern)]
    except QueryError as error:
        places.append(error.place)
    assert all(0 <= place <= len(text) for place in places)


WORDS = st.sampled_from(["kot", "stary", "w"])
CONDITIONS = st.recursive(
    st.builds("{}{}{}".format, st.sampled_from(["pos", "case"]), st.sampled_from(["=", "!=", "=="]), WORDS),
    lambda inner: (
        st.builds("({} & {})".format, inner, inner)
        | st.builds("({} | {})".format, inner, inner)
        | st.builds("!{}".format, inner)
    ),
    max_leaves=4,
)
PATTERNS = st.recursive(
    st.builds("[{}]".format, CONDITIONS) | WORDS | st.just("[]"),
    lambda inner: (
        st.builds("({} {})".format, inner, inner)
        | st.builds("({} | {})".format, inner, inner)
        | st.builds("({}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}"]))
    ),
    max_leaves=5,
)


@given(PATTERNS)
def test_spaces_between_the_signs_change_nothing_but_places(text: str) -> None:
    spaced = text.replace("(", " ( ").replace("&", "  & ").replace("]", " ] ").replace("[", "[ ")
    assert compared(spaced) == [(name, operator, negated, right) for name, operator, negated, right in compared(text)]
    assert len(list(tokens(parse_query(spaced).pattern))) == text.count("[") + sum(
        1 for token in tokens(parse_query(text).pattern) if text[token.place] != "["
    )
