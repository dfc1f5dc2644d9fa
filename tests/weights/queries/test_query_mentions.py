"""Which categories queries mention: by hand, and for expressions over tags by listing all tags of small tagsets."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given, strategies as st

from karat.tagsets import Slot, Tagset, read_tagset
from karat.weights.queries.language import parse_query
from karat.weights.queries.mentions import TAG, Mentions, mentions
from karat.weights.queries.patterns import MAX_STATES, PatternError, QueryPattern
from karat.weights.queries.query import Language, QueryError

NKJP = read_tagset("nkjp")

UD = Tagset(
    "small-ud",
    "",
    "features",
    {"NOUN": (), "VERB": (), "ADP": ()},
    {
        "Case": {"Nom": "", "Gen": "", "Acc": ""},
        "Number": {"Sing": "", "Plur": ""},
        "Person": {"1": "", "2": "", "3": ""},
        "Polarity": {"Neg": "", "Pos": ""},
    },
    separator="|",
    value_separator=",",
    empty="_",
)
MSD = Tagset(
    "small-msd",
    "",
    "characters",
    {
        "N": (Slot("type"), Slot("gender"), Slot("number"), Slot("case")),
        "V": (Slot("type"), Slot("form"), Slot("person"), Slot("number")),
        "S": (Slot("case"),),
    },
    {
        "type": {"c": "", "p": "", "m": "", "a": ""},
        "gender": {"m": "", "f": "", "n": ""},
        "number": {"s": "", "p": ""},
        "case": {"n": "", "g": "", "a": ""},
        "form": {"i": "", "n": ""},
        "person": {"1": "", "2": "", "3": ""},
    },
)
SMALL = Tagset(
    "small",
    "",
    "separated",
    {
        "subst": (Slot("number"), Slot("case")),
        "sup": (Slot("number"), Slot("case")),
        "adj": (Slot("number"), Slot("case"), Slot("degree", optional=True)),
        "fin": (Slot("number"), Slot("person")),
        "adv": (Slot("degree", optional=True),),
        "prep": (Slot("case"),),
        "qub": (),
    },
    {
        "number": {"sg": "", "pl": ""},
        "case": {"nom": "", "gen": "", "acc": ""},
        "degree": {"pos": "", "com": ""},
        "person": {"pri": "", "ter": ""},
    },
)

# ---- by hand

POLIQARP = [
    ('[pos="sub.*" & case!=nom]', "pos case"),
    ("kot", ""),
    ("[base=iść & person=pri & number=sg]", "person number"),
    ("[pos=adj & case=$1 & gender=$1g] [pos=subst & case=$1 & gender=$1g]", "pos case gender pos case gender"),
    ('[tag="subst:sg:.*"] within s', "pos number"),
    ('[orth="[Nn]ie"] [pos=ppas & negation==neg & aspect~perf]', "pos negation aspect"),
    ("[pos!=interp]{1,3} [degree=sup | degree=com]", "pos degree degree"),
    ("(na | w/i) [case=loc]+ meta styl=publ", "case"),
    ('[tag=".*:acc:.*"] [pos=".*"] [case=".*"] [tag=".*"]', "case"),
    ("[pos=ppron3 & post-prepositionality=praep & accentability!=nakc]^[!(accommodability=rec | pos=num)]",
     "pos post-prepositionality accentability accommodability pos"),
]  # fmt: skip
CQP = [
    ('[pos="NOUN" & lemma="house"]', "pos"),
    ('"the"%c [upos="ADJ"]* [upos="NOUN"]', "pos pos"),
    ('[feats=".*Case=Acc.*"]', "Case"),
    ('[feats contains "Number=Plur" & upos!="VERB"]', "Number pos"),
    ('a:[upos="NOUN"] []{0,3} b:[upos="VERB"] :: a.number = b.number within s', "pos pos Number"),
    ('[tag="VERB\\|.*Person=3.*"]', "pos Person"),
    ('[case="Gen|Acc" & word=".*a"] expand to s', "Case"),
    ('<s> [: person="1" :] []+ </s>', "Person"),
    ('MU(meet [upos="NOUN"] [polarity="Neg"] s)', "pos Polarity"),
    ('/np[] [word="not"] [!(feats matches "Case=Nom")] [feats=".*"]', "Case"),
]


@pytest.mark.parametrize(("text", "expected"), POLIQARP, ids=[text for text, _ in POLIQARP])
def test_what_queries_of_poliqarp_mention(text: str, expected: str) -> None:
    assert mentions(parse_query(text), NKJP) == Counter(expected.split())


@pytest.mark.parametrize(("text", "expected"), CQP, ids=[text for text, _ in CQP])
def test_what_queries_of_cqp_mention(text: str, expected: str) -> None:
    assert mentions(parse_query(text, "cqp"), UD) == Counter(expected.split())


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("subst:sg:.*", "pos number"),
        ("sub.*", "pos"),
        (".*:acc:.*", "case"),
        (".*", ""),
        (".+", ""),
        ("[^:]*:sg:.*", "number"),
        (".*:(sg|pl):.*", "number"),  # all of its values, and nothing else: it asks for number
        ("adv:com", "pos degree"),
        ("aglt:.*", "pos"),  # no other part of speech has these categories, but the query does not name them
        ("(?i)GER:.*", "pos"),
        ("fin:(sg|pl):ter:.*", "pos number person"),
        (".*:n2:.*", "gender"),  # another writing of a value
        ("(ppron12|ppron3):.*:(n?akc).*", "pos accentability"),
        ("NN.*", ""),
    ],
)
def test_expressions_over_whole_tags_are_matched_against_the_tagset(expression: str, expected: str) -> None:
    assert mentions(parse_query(f'[tag="{expression}"]'), NKJP) == Counter(expected.split())
    assert mentions(parse_query(f'[tag!="{expression}"]'), NKJP) == Counter(expected.split())


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("N.*", "pos"),
        ("Nc.*", "pos type"),
        ("N..p.*", "pos number"),
        (".*[12].*", "person"),
        ("Vm.3.*", "pos type person"),
        ("N[cpma]..g", "pos type case"),
        ("S.", "pos"),
        ("...*", ""),
    ],
)
def test_tags_of_single_characters(expression: str, expected: str) -> None:
    assert mentions(parse_query(f'[msd="{expression}"]', "cqp"), MSD) == Counter(expected.split())


@pytest.mark.parametrize(
    ("attribute", "expression", "expected"),
    [
        ("tag", "NOUN.*", "pos"),
        ("tag", ".*Case=.*", "Case"),  # any value, but there must be one
        ("tag", ".*Case=Nom.*Number=Sing.*", "Case Number"),
        ("tag", ".*[|].*", ""),
        ("feats", "Case=Gen", "Case"),
        ("feats", "(.*[|])?Person=[12].*", "Person"),
        ("feats", ".*Sing.*", "Number"),
    ],
)
def test_tags_of_named_features(attribute: str, expression: str, expected: str) -> None:
    assert mentions(parse_query(f'[{attribute}="{expression}"]', "cqp"), UD) == Counter(expected.split())


def test_names_of_the_corpus_come_first() -> None:
    query = parse_query('[pos="N..p.*" & nmb="s"]', "cqp")
    assert mentions(query, MSD) == Counter(["pos", "number"])
    assert mentions(query, MSD, {"pos": TAG, "nmb": "number"}) == Counter(["pos", "number", "number"])
    with pytest.raises(ValueError, match="no category 'mood'"):
        Mentions(MSD, {"m": "mood"})


def test_a_name_or_a_value_alone_mentions_its_category() -> None:
    assert mentions(parse_query("[case & Sing & NOUN & whatever]", "cqp"), UD) == Counter(["Case", "Number", "pos"])


def test_comparing_whole_tags_mentions_all_that_they_are_made_of() -> None:
    query = parse_query("a:[] b:[] :: a.tag = b.tag", "cqp")
    assert mentions(query, UD) == Counter(["pos", "Case", "Number", "Person", "Polarity"])


def test_the_heads_of_groups_and_aligned_corpora_mention_too() -> None:
    assert mentions(parse_query("[head=[pos=subst] [case=gen]]"), NKJP) == Counter(["pos", "case"])
    assert mentions(parse_query('"a" : pl [case="Gen"]', "cqp"), UD) == Counter(["Case"])


# ---- hostile expressions


@pytest.mark.parametrize("expression", ["(a*)*b", "((a+)+)+c", "(a|a)*b", "(.*)*(.*)*(.*)*x", "(a?){30}a{30}"])
def test_expressions_that_make_backtracking_explode_do_not(expression: str) -> None:
    assert QueryPattern(expression).fits("a" * 200) is False  # a backtracking matcher would need years
    mentions(parse_query(f'[tag="{expression}"]'), NKJP)


@pytest.mark.parametrize("expression", ["((a{99}){99}){99}", "a" * 2000, "(" * 80 + ")" * 80])
def test_expressions_that_are_too_large_are_refused(expression: str) -> None:
    with pytest.raises(QueryError) as error:
        mentions(parse_query(f'[tag="{expression}"]'), NKJP)
    assert error.value.place == 5


@pytest.mark.parametrize("expression", ["(?=a)", "(a)\\\\1", "a**", "[a", "(a", "a)", "*", "a{2,1}", "[z-a]", "a\\\\"])
def test_expressions_that_are_wrong_or_not_regular_are_refused(expression: str) -> None:
    with pytest.raises(PatternError):
        QueryPattern(expression.replace("\\\\", "\\"))


# ---- the automaton fits what Python's `re` fits

ATOMS = st.sampled_from(["a", "b", "ab", ".", "[ab]", "[^a]", "\\.", "[b-d]", "\\w", "(?:a|bc)"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: (
        st.builds("{}{}".format, inner, inner)
        | st.builds("({}|{})".format, inner, inner)
        | st.builds("(?:{}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?"]))
    ),
    max_leaves=6,
)


@given(EXPRESSIONS, st.lists(st.text("abcdA.", max_size=6), min_size=1, max_size=8), st.booleans(), st.booleans())
def test_an_expression_fits_what_python_says_it_fits(
    expression: str, texts: list[str], any_case: bool, loose: bool
) -> None:
    pattern = QueryPattern(expression, ("i" if any_case else "") + ("x" if loose else ""))
    peer = re.compile(expression, re.IGNORECASE if any_case else 0)
    for text in texts:
        assert pattern.fits(text) == bool(peer.search(text) if loose else peer.fullmatch(text))


def test_an_automaton_that_forgets_its_states_still_fits_the_same() -> None:
    expression = "[ab]*a[ab]{11}"  # 4,096 states, more than are kept
    pattern, peer = QueryPattern(expression), re.compile(expression)
    most = 0
    for number in range(3000):
        text = f"{number * 7919 % 2**16:016b}".replace("0", "a").replace("1", "b")
        assert pattern.fits(text) == bool(peer.fullmatch(text))
        assert pattern.n_states >= most or most > MAX_STATES
        most = max(most, pattern.n_states)
    assert MAX_STATES < most < MAX_STATES + 20


def test_flags_for_diacritics_and_plain_text() -> None:
    assert QueryPattern("zażo[lł]c", "d").fits("zazolc")
    assert QueryPattern("a.c", "l").fits("a.c")
    assert not QueryPattern("a.c", "l").fits("abc")
    assert QueryPattern("[[:upper:]]\\d\\p{Lu}", "").fits("A1B")


# ---- the walk through a tagset says what listing all tags says


def listed(tagset: Tagset) -> list[tuple[str, list[tuple[str, str]]]]:
    """All tags of a tagset with separators: part of speech, then places with category and text."""
    found = []
    for pos, slots in tagset.slots.items():
        choices = [
            [(slot.category, value) for value in tagset.values[slot.category]] + ([("", "")] if slot.optional else [])
            for slot in slots
        ]
        found += [(pos, [one for one in values if one[0]]) for values in product(*choices)]
    return found


def written(pos: str, values: list[tuple[str, str]]) -> str:
    return ":".join([pos, *(value for _, value in values)])


def mentioned_by_listing(expression: str, tagset: Tagset) -> set[str]:
    """The definition in the module's words, on every tag and every tag that differs in one place."""
    fits = re.compile(expression).fullmatch
    all_values = {value for of in tagset.values.values() for value in of}
    found = set()
    # with the same places before it: does any tag fit with a value of another category there?
    foreign: dict[tuple[str, tuple[tuple[str, str], ...], str], list[bool]] = {}
    for pos, values in listed(tagset):
        here = bool(fits(written(pos, values)))
        if here and not all(fits(written(other, values)) for other in tagset.slots):
            found.add("pos")
        for number, (category, _) in enumerate(values):

            def with_value(value: str, values: list[tuple[str, str]] = values, number: int = number) -> str:
                return written(pos, [*values[:number], ("", value), *values[number + 1 :]])  # noqa: B023

            if any(bool(fits(with_value(value))) != here for value in tagset.values[category]):
                found.add(category)
            key = (pos, tuple(values[:number]), category)
            others = any(bool(fits(with_value(value))) for value in all_values - set(tagset.values[category]))
            own, other = foreign.setdefault(key, [False, False])
            foreign[key] = [own or here, other or others]
    found |= {category for (_, _, category), (own, other) in foreign.items() if own and not other}
    return found


PIECES = st.sampled_from(["subst", "su.*", "s[a-z]+", "adj", "fin", "adv", "prep", "(subst|fin)", ".*", "[^:]*", "qub"])
VALUES = st.sampled_from(
    "sg pl (sg|pl) nom gen (nom|gen|acc) n.* ... .. com (pos|com) ter .* [^:]+ [a-z]* p.* . (acc)?".split()
)
OVER_TAGS = st.builds(
    lambda pos, values, joint, tail: pos + "".join(joint + value for value in values) + tail,
    PIECES,
    st.lists(VALUES, max_size=3),
    st.sampled_from([":", ":", ".*", ".*:"]),
    st.sampled_from(["", ".*", ":.*", "(:.*)?"]),
)


@given(OVER_TAGS)
def test_an_expression_mentions_what_listing_all_tags_shows(expression: str) -> None:
    found = mentions(parse_query(f'[tag="{expression}"]'), SMALL)
    assert set(found) == mentioned_by_listing(expression, SMALL)


@given(st.lists(OVER_TAGS, min_size=2, max_size=3))
def test_alternatives_mention_what_listing_all_tags_shows(expressions: list[str]) -> None:
    expression = "|".join(expressions)
    found = mentions(parse_query(f'[tag="{expression}"]'), SMALL)
    assert set(found) == mentioned_by_listing(expression, SMALL)


@given(OVER_TAGS)
def test_an_expression_that_fits_no_tag_mentions_nothing(expression: str) -> None:
    assume(not any(re.fullmatch(expression, written(pos, values)) for pos, values in listed(SMALL)))
    assert mentions(parse_query(f'[tag="{expression}"]'), SMALL) == Counter()


@pytest.mark.parametrize("language", ["poliqarp", "cqp"])
def test_a_category_counts_once_a_comparison(language: Language) -> None:
    query = parse_query('[case="nom"] ([case="gen"] | [case!="acc"]){2,4}', language)
    assert mentions(query, NKJP) == Counter(case=3)
