"""Styles of bracketing: what each does to trees, and what none may do."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from karat.corpus.constituency_trees import Trees
from karat.corpus.nested_trees import Leaf, NestedTree, Node, bracketed, nested, tree_from_text as tree
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes
from karat.errors import UsageError
from karat.simulation.bracketing_styles import (
    STYLES,
    StyleDifference,
    in_style,
    style_difference,
    style_differences,
    styled,
)
from realdata import data_files

CASES = [
    # auxiliaries, adverbs between them and what follows the inner verb phrase
    (
        "flat-verbs",
        "(S (NP (PRP we)) (VP (MD may) (RB not) (VP (VB have) (VP (VBN sold) (NP (NN tea))) (ADVP (RB yet)))))",
        "(S (NP (PRP we)) (VP (MD may) (RB not) (VB have) (VBN sold) (NP (NN tea)) (ADVP (RB yet))))",
    ),
    ("flat-verbs", "(S (VP (TO to) (VP (VB sail))))", "(S (VP (TO to) (VB sail)))"),
    ("flat-verbs", "(VP (VBD helped) (VP (VB carry)))", None),  # no auxiliary
    ("flat-verbs", "(VP (MD will) (VP (VB help) (VP (VB carry))))", "(VP (MD will) (VB help) (VP (VB carry)))"),
    ("flat-verbs", "(VP (MD will) (VP (VP (VB sink)) (CC or) (VP (VB swim))))", None),
    ("flat-verbs", "(VP (MD will) (VP (ADVP (RB ever)) (VP (VB sink))))", "(VP (MD will) (ADVP (RB ever)) (VB sink))"),
    ("flat-verbs", "(SQ (MD will) (NP (PRP it)) (VP (VB sink)))", None),
    # the group has all auxiliaries and the adverbs between them, and no object
    (
        "verb-groups",
        "(VP (MD will) (ADVP (RB soon)) (VP (VB have) (VP (VBN sold) (NP (NN tea)))))",
        "(VP (VG (MD will) (ADVP (RB soon)) (VB have) (VBN sold)) (NP (NN tea)))",
    ),
    ("verb-groups", "(VP (VBZ has) (NP (PRP it)) (VP (VBN sunk)))", None),  # what is no adverb stands between
    ("verb-groups", "(VP (VBZ is) (VP (ADJP (JJ sunk))))", None),  # no verb to make a group with
    (
        "verb-groups",
        "(VP (MD will) (VP (VB help) (VP (VB carry) (NP (NN tea)))))",
        "(VP (VG (MD will) (VB help)) (VP (VB carry) (NP (NN tea))))",
    ),
    (
        "no-verb-phrases",
        "(S (NP (PRP we)) (VP-X (MD may) (VP (VB sell) (NP (NN tea)))) (. .))",
        "(S (NP (PRP we)) (MD may) (VB sell) (NP (NN tea)) (. .))",
    ),
    (
        "no-verb-phrases",
        "(S (NP (PRP they)) (VP (VP (VBP sink) (VP (VBN broken))) (CC or) (VP (VBP swim))))",
        "(S (NP (PRP they)) (VP (VBP sink) (VBN broken)) (CC or) (VP (VBP swim)))",
    ),
    ("no-verb-phrases", "(S (CC but) (NP (PRP it)) (VP (VBD sank)))", "(S (CC but) (NP (PRP it)) (VBD sank))"),
    ("no-verb-phrases", "(ROOT (VP (VBN sunk)))", None),
    ("no-verb-phrases", "(VP (VBN sunk))", None),
    ("binary-noun-phrases", "(NP (DT a) (JJ red) (NN kite))", "(NP (DT a) (NX (JJ red) (NN kite)))"),
    ("binary-noun-phrases", "(NP (JJ red) (NNS kites))", None),
    ("binary-noun-phrases", "(NP (DT a) (NN girl) (POS 's))", None),  # the noun is not last
    ("binary-noun-phrases", "(NP (JJ red) (CC and) (JJ blue) (NNS kites))", None),
    ("binary-noun-phrases", "(NP (JJ big) (, ,) (JJ blue) (NNS kites))", None),
    (
        "binary-noun-phrases",
        "(NP (NP (DT a) (NN girl) (POS 's)) (JJ red) (NN kite))",
        "(NP (NP (DT a) (NN girl) (POS 's)) (NX (JJ red) (NN kite)))",
    ),
    (
        "noun-bars",
        "(NP-SBJ (NP (PDT all) (DT the) (JJ red) (NNS kites)) (PP (IN of) (NP (NN silk))) (SBAR (S (VP (VBD flew)))))",
        "(NP-SBJ (PDT all) (DT the) (NX (JJ red) (NNS kites) (PP (IN of) (NP (NN silk))) (SBAR (S (VP (VBD flew))))))",
    ),
    ("noun-bars", "(NP (NP (NNS kites)) (PP (IN of) (NP (NN silk))))", None),  # no determiner
    ("noun-bars", "(NP (NP (DT these)) (PP (IN of) (NP (NN silk))))", None),  # nothing else
    ("noun-bars", "(NP (NP (DT the) (NN kite)) (, ,) (NP (NN silk)))", None),  # an apposition
    ("noun-bars", "(NP (NP (DT the) (NN kite) (CC and) (NN line)) (PP (IN of) (NP (NN silk))))", None),
    (
        "prepositions-outside",
        "(VP (VBD saw) (NP-X (NP (NP (NNS kites)) (PP (IN of) (NP (NN silk)))) (PP (IN at) (NP (NN sea)))))",
        "(VP (VBD saw) (NP-X (NNS kites)) (PP (IN of) (NP (NN silk))) (PP (IN at) (NP (NN sea))))",
    ),
    ("prepositions-outside", "(S (NP (NP (NNS kites)) (PP (IN of) (NP (NN silk)))) (VP (VBP fly)))", None),
    ("prepositions-outside", "(VP (VBD saw) (NP (NP (NN sea)) (, ,) (PP (IN of) (NP (NN silk)))))", None),
    (
        "prepositions-inside",
        "(VP (VBD saw) (NP-X (NNS kites)) (PP (IN of) (NP (NN silk))) (PP (IN at) (NP (NN sea))))",
        "(VP (VBD saw) (NP-X (NP (NNS kites)) (PP (IN of) (NP (NN silk))) (PP (IN at) (NP (NN sea)))))",
    ),
    ("prepositions-inside", "(VP (VBD sat) (PP (IN at) (NP (NN sea))))", None),
    (
        "flat-coordination",
        "(NP-SBJ (NP (NN tea)) (CC and) (NP (NP (NN milk)) (, ,) (NP (NN oil)) (CC or) (NP (NN rum))))",
        "(NP-SBJ (NP (NN tea)) (CC and) (NP (NN milk)) (, ,) (NP (NN oil)) (CC or) (NP (NN rum)))",
    ),
    ("flat-coordination", "(NP (NP (NNS drinks)) (, ,) (NP (NP (NN tea)) (CC and) (NP (NN rum))))", None),  # apposition
    ("flat-coordination", "(UCP (NP (NN tea)) (CC and) (VP (VP (VB sip)) (CC or) (VP (VB gulp))))", None),
    (
        "nested-coordination",
        "(S (S (NN a)) (, ,) (S (NN b)) (, ,) (S (NN c)) (, ,) (CC and) (S (NN d)) (. .))",
        "(S (S (NN a)) (, ,) (S (S (NN b)) (, ,) (S (S (NN c)) (, ,) (CC and) (S (NN d)))) (. .))",
    ),
    ("nested-coordination", "(NP (NP (NN tea)) (CC and) (NP (NN rum)))", None),
    ("nested-coordination", "(NP (NN tea) (, ,) (NN milk) (CC and) (NN rum))", None),  # words without brackets
    ("nested-coordination", "(NP (NP (NN a)) (, ,) (NP (NN b)) (CC or) (ADVP (RB so)) (NP (NN c)))", None),
    ("nested-coordination", "(S (CC and) (NP (NN tea)) (, ,) (NP (NN b)) (, ,) (VP (VBZ is)))", None),
    (
        "combined",
        "(VP (MD may) (VP (VB sell) (NP (NP (DT the) (JJ red) (NN kite)) (PP (IN of) (NP (NN silk))))))",
        "(VP (VG (MD may) (VB sell)) (NP (DT the) (NX (NX (JJ red) (NN kite)) (PP (IN of) (NP (NN silk))))))",
    ),
]
# of a combination, a later change may make something that an earlier one fits
IDEMPOTENT = [style for style in STYLES if style != "combined"]

words = st.sampled_from(
    "DT:the PRP$:our JJ:red NN:tea NNS:kites POS:'s VB:be VBZ:has VB:sell MD:will TO:to RB:not "
    "CC:and ,:, .:. IN:of".split()
).map(lambda pair: Leaf(*pair.split(":", 1)))
labels = st.sampled_from("S NP NP-SBJ NX VP VP VP-X PP PP-LOC SBAR ADVP UCP CONJP VG".split())
nodes = st.recursive(
    st.builds(Node, labels, st.lists(words, min_size=1, max_size=4).map(tuple)),
    lambda below: st.builds(Node, labels, st.lists(below | words, min_size=1, max_size=5).map(tuple)),
    max_leaves=25,
)
roots = st.builds(lambda label, below: Node(label, (below,)), st.sampled_from(["ROOT", "S", ""]), nodes) | nodes


def trees_of(*texts: str) -> Trees:
    return brackets_from_source(source_from_bytes("\n".join(texts).encode()))


def restyled(found: NestedTree, style: str) -> NestedTree:
    changed = in_style(found, style)
    assert changed is not None
    return changed


def assert_is_a_tree(found: NestedTree) -> None:
    """Every bracket holds something, and reading what is written gives the same."""
    text = bracketed(found)
    assert bracketed(tree(text)) == text


@pytest.mark.parametrize(("style", "before", "after"), CASES)
def test_a_style_brackets_by_its_rule(style: str, before: str, after: str | None) -> None:
    assert bracketed(in_style(tree(before), style)) == (after or before)


def test_every_style_has_a_case() -> None:
    assert {style for style, _, after in CASES if after} == set(STYLES) - {"original"}


@pytest.mark.parametrize("style", STYLES)
@given(found=roots)
def test_words_tags_and_the_outermost_bracket_stay(style: str, found: Node) -> None:
    changed = restyled(found, style)
    assert isinstance(changed, Node)
    assert list(changed.leaves()) == list(found.leaves())
    assert changed.label == found.label
    assert_is_a_tree(changed)


@pytest.mark.parametrize("style", IDEMPOTENT)
@given(found=roots)
def test_what_has_a_style_is_not_changed_by_it_again(style: str, found: Node) -> None:
    once = restyled(found, style)
    assert bracketed(in_style(once, style)) == bracketed(once)


@pytest.mark.parametrize("style", STYLES)
def test_deep_trees_can_have_every_style(style: str) -> None:
    depth = 3000
    deep = "(VP (MD will) " * depth + "(VP (VB sell) (NP (NN tea)))" + ")" * depth
    changed = restyled(tree(deep), style)
    assert isinstance(changed, Node)
    assert sum(1 for _ in changed.leaves()) == depth + 2


def test_missing_parses_have_no_style() -> None:
    trees = trees_of("(S (NN tea))", "(())", "(NN tea)")
    assert [bracketed(one) for one in nested(styled(trees, "combined"))] == ["(S (NN tea))", "(())", "(NN tea)"]


def test_an_unknown_style_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"no bracketing style is called 'baroque'; choose from original, flat-verbs,"):
        styled(trees_of("(S (NN tea))"), "baroque")


def test_differences_are_counted_as_a_test_counts_them() -> None:
    """[we [will [sell tea]]] and [we [[will sell] tea]]: 3 brackets each, 2 in common, and one crosses."""
    trees = trees_of("(S (NP (PRP we)) (VP (MD will) (VP (VB sell) (NP (NN tea)))))")
    found = {one.style: one for one in style_differences(trees)}
    assert list(found) == list(STYLES)
    assert found["verb-groups"] == StyleDifference("verb-groups", 3, 3, kept=2, lost=1, added=0, crossing=1)
    assert found["verb-groups"].changed_share == 1 / 2  # of 4 different brackets 2 are on one side only
    assert found["flat-verbs"] == StyleDifference("flat-verbs", 3, 2, kept=2, lost=1, added=0, crossing=0)
    assert found["no-verb-phrases"] == StyleDifference("no-verb-phrases", 3, 1, kept=1, lost=2, added=0, crossing=0)
    assert found["original"] == StyleDifference("original", 3, 3, kept=3, lost=0, added=0, crossing=0)
    assert StyleDifference("original", 0, 0, 0, 0, 0, 0).changed_share == 0


def test_of_gum_all_styles_but_one_change_brackets_and_two_make_them_cross() -> None:
    trees = read_brackets(data_files("gum-const/*.ptb")[::4])
    before = trees.forms.strings(), trees.tags.strings(), trees.document_names
    found = {}
    for style in STYLES:
        other = styled(trees, style)
        assert (other.forms.strings(), other.tags.strings(), other.document_names) == before
        assert other.word_offsets.tolist() == trees.word_offsets.tolist()
        assert other.document_offsets.tolist() == trees.document_offsets.tolist()
        one = found[style] = style_difference(style, trees, other)
        assert one.kept + one.lost == one.n_original
        assert one.kept + one.added + one.crossing == one.n_styled
    assert {style for style, one in found.items() if one.crossing} == {"verb-groups", "noun-bars", "combined"}
    # GUM hardly ever has a coordination right below another
    assert {style for style, one in found.items() if one.changed_share < 0.003} == {"original", "flat-coordination"}
    assert found["combined"].changed_share > 0.2
