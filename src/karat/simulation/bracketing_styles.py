"""Treebanks in other styles of bracketing, so that a check by people can be tried out where the truth is known.

People accept brackets "if they would fit into the correct interpretation using the style of bracketing that the
parsing system aims at" [Hogenhout & Matsumoto 1996, §3]. If a parser learns from a treebank in one style and is tested
against the same treebank in another, every test sentence has a tree in both, and a bracket is acceptable if it is in
the tree of the parser's own style.

A style only moves brackets: words, their tags and the outermost bracket stay. A style that only adds brackets or only
takes some away has none that cross those of the original; `verb-groups` and `noun-bars` do cross them. Structures that
a rule does not clearly fit stay as they are. Labels are those of the Penn Treebank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat.corpus.constituency_trees import OUTER_LABELS, Trees
from karat.corpus.nested_trees import Leaf, NestedTree, Node, nested, rewritten, trees_from_nested
from karat.errors import UsageError
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.preparation import prepared
from karat.measures.brackets.punctuation import PENN_PUNCTUATION, punctuation_named

_AUXILIARIES = frozenset(
    "be am is are was were been being 'm 're 's ’m ’re ’s have has had having 've 'd ’ve ’d do does did ai".split()
)
_VERBS = ("VB", "MD", "TO")  # how tags of verbs and of what comes before them begin
_DETERMINERS = frozenset({"DT", "PDT", "WDT", "PRP$", "WP$"})
_AFTER_NOUNS = frozenset({"PP", "SBAR", "S", "VP", "ADJP", "ADVP", "RRC"})


@dataclass(frozen=True, slots=True)
class BracketingStyle:
    """How a style differs from the original: `changes` of single brackets, each made throughout the tree in turn."""

    what: str
    changes: tuple[Callable[[Node], Node], ...]


# ---- verbs


def flat_verbs(node: Node) -> Node:
    """A verb phrase that holds an auxiliary, with what is in the verb phrase that depends on it.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> rewritten(tree_from_text("(VP (MD will) (VP (VB be) (VP (VBN sold) (NP (NN today)))))"), flat_verbs)
    (VP (MD will) (VB be) (VBN sold) (NP (NN today)))
    """
    # again, as a verb phrase that comes up may now stand behind an auxiliary
    while (place := _place_below_auxiliary(node)) is not None:
        lower = _children(node.children[place])
        node = node.holding((*node.children[:place], *lower, *node.children[place + 1 :]))
    return node


def verb_groups(node: Node) -> Node:
    """The same with a bracket VG around auxiliaries and verb, which crosses the one around the verb and its object.

    Adverbs between them belong to the group.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> rewritten(tree_from_text("(VP (MD will) (VP (VB sell) (NP (NN tea))) (ADVP (RB soon)))"), verb_groups)
    (VP (VG (MD will) (VB sell)) (NP (NN tea)) (ADVP (RB soon)))
    """
    place = _place_below_auxiliary(node)
    if place is None:
        return node
    lower = _children(node.children[place])
    n_of_group = next((n for n, child in enumerate(lower, start=1) if _is_verb(child) or _is(child, "VG")), 0)
    before, first = node.children[:place], lower[:n_of_group]
    if not n_of_group or not all(isinstance(one, Leaf) or one.category in ("ADVP", "VG") for one in (*before, *first)):
        return node
    group = [*before, *first[:-1], *(_children(first[-1]) or first[-1:])]
    return node.holding((Node("VG", tuple(group)), *lower[n_of_group:], *node.children[place + 1 :]))


def _place_below_auxiliary(node: Node) -> int | None:
    """Where, in a verb phrase, the verb phrase is that an auxiliary governs: the only one, and no coordination.

    The last verb before it is the auxiliary, so that "will help (to) carry" is a group and a verb phrase.
    """
    if node.category != "VP" or _joins(node.children):
        return None
    places = [place for place, child in enumerate(node.children) if _is(child, "VP")]
    if len(places) != 1 or _joins(_children(node.children[places[0]])):
        return None
    before = [child for child in node.children[: places[0]] if _is_verb(child)]
    return places[0] if before and _is_auxiliary(before[-1]) else None


def no_verb_phrases(node: Node) -> Node:
    """A bracket with what is in the verb phrases below it in place of them.

    Verb phrases that are coordinated with each other stay, or one could not tell where they begin; so does one that has
    nothing but the tree's own bracket above it.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> rewritten(tree_from_text("(S (NP (PRP we)) (VP (VBP sell) (NP (NN tea))))"), no_verb_phrases)
    (S (NP (PRP we)) (VBP sell) (NP (NN tea)))
    """
    if node.label in OUTER_LABELS:
        return node
    places = [place for place, child in enumerate(node.children) if _is(child, "VP")]
    if not places or _joins(node.children[places[0] : places[-1]]):
        return node
    return node.holding(
        [one for child in node.children for one in (_children(child) if _is(child, "VP") else (child,))]
    )


# ---- noun phrases


def binary_noun_phrases(node: Node) -> Node:
    """A noun phrase that ends in its noun, branching to the right.

    The new brackets are called NX, as the Penn Treebank calls a part of a noun phrase that is no noun phrase of its
    own: "old stone bridge" without its article is none.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> rewritten(tree_from_text("(NP-SBJ (DT the) (JJ old) (NN stone) (NN bridge))"), binary_noun_phrases)
    (NP-SBJ (DT the) (NX (JJ old) (NX (NN stone) (NN bridge))))
    """
    last = node.children[-1]
    if node.category not in ("NP", "NX") or len(node.children) < 3 or _joins(node.children):
        return node
    if not _has_tag(last, "NN") or any(_is_punctuation(child) for child in node.children):
        return node
    inner = last
    for child in reversed(node.children[1:-1]):
        inner = Node("NX", (child, inner))
    return node.holding((node.children[0], inner))


def noun_bars(node: Node) -> Node:
    """A noun phrase in which determiners are above what follows the noun: they cross the original's inner noun phrase.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> rewritten(tree_from_text("(NP (NP (DT the) (NN roof)) (PP (IN of) (NP (NN tin))))"), noun_bars)
    (NP (DT the) (NX (NN roof) (PP (IN of) (NP (NN tin)))))
    """
    first, *after = node.children
    if node.category != "NP" or not _is(first, "NP") or not after:
        return node
    if any(isinstance(child, Leaf) or child.category not in _AFTER_NOUNS for child in after):
        return node
    inner = _children(first)
    n_before = next((n for n, one in enumerate(inner) if not (isinstance(one, Leaf) and one.tag in _DETERMINERS)), 0)
    if not n_before or _joins(inner):
        return node
    return node.holding((*inner[:n_before], Node("NX", (*inner[n_before:], *after))))


# ---- prepositional phrases


def prepositions_outside(node: Node) -> Node:
    """A verb phrase whose objects have their prepositional phrases beside them; an object keeps its label.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(VP (VBD saw) (NP-X (NP (DT a) (NN man)) (PP (IN with) (NP (NNS skis)))))"
    >>> rewritten(tree_from_text(text), prepositions_outside)
    (VP (VBD saw) (NP-X (DT a) (NN man)) (PP (IN with) (NP (NNS skis))))
    """
    if node.category != "VP":
        return node
    found: list[NestedTree] = []
    for child in node.children:
        after: list[NestedTree] = []
        one = child
        while isinstance(one, Node) and _is_noun_with_prepositions(one):
            after = [*one.children[1:], *after]
            one = one.holding(_children(one.children[0]))
        found += [one, *after]
    return node.holding(found)


def prepositions_inside(node: Node) -> Node:
    """A verb phrase whose objects have taken in the prepositional phrases that follow them.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(VP (VBD saw) (NP-X (DT a) (NN man)) (PP-TMP (IN at) (NP (NN noon))))"
    >>> rewritten(tree_from_text(text), prepositions_inside)
    (VP (VBD saw) (NP-X (NP (DT a) (NN man)) (PP-TMP (IN at) (NP (NN noon)))))
    """
    if node.category != "VP":
        return node
    found: list[NestedTree] = []
    for child in node.children:
        before = found[-1] if found else None
        if _is(child, "PP") and isinstance(before, Node) and before.category == "NP":
            # one that has prepositional phrases already gets another, and no bracket more
            of_noun = before.children if _is_noun_with_prepositions(before) else (Node("NP", before.children),)
            found[-1] = before.holding((*of_noun, child))
        else:
            found.append(child)
    return node.holding(found)


def _is_noun_with_prepositions(node: Node) -> bool:
    first, *after = node.children
    return node.category == "NP" and _is(first, "NP") and bool(after) and all(_is(child, "PP") for child in after)


# ---- coordination


def flat_coordination(node: Node) -> Node:
    """A coordination with the parts of those in it that are of its category: A and (B or C) as A and B or C.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(NP (NP (NN tea)) (CC and) (NP (NP (NN milk)) (CC or) (NP (NN lemon))))"
    >>> rewritten(tree_from_text(text), flat_coordination)
    (NP (NP (NN tea)) (CC and) (NP (NN milk)) (CC or) (NP (NN lemon)))
    """
    if _n_joined(node) < 2:
        return node
    return node.holding(
        [
            one
            for child in node.children
            for one in (_children(child) if _is(child, node.category) and _n_joined(child) > 1 else (child,))
        ]
    )


def nested_coordination(node: Node) -> Node:
    """A coordination of three parts or more, branching to the right: A, B and C as A, (B and C).

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(NP-SBJ (NP (NN tea)) (, ,) (NP (NN milk)) (CC or) (NP (NN lemon)))"
    >>> rewritten(tree_from_text(text), nested_coordination)
    (NP-SBJ (NP (NN tea)) (, ,) (NP (NP (NN milk)) (CC or) (NP (NN lemon))))
    """
    if _n_joined(node) < 3:
        return node
    places = [place for place, child in enumerate(node.children) if not _separates(child)]
    stop = places[-1] + 1
    inner: tuple[NestedTree, ...] = node.children[places[-2] : stop]
    for place, after in zip(places[-3::-1], places[-2:0:-1], strict=True):
        inner = (*node.children[place:after], Node(node.category, inner))
    return node.holding((*inner, *node.children[stop:]))


def _n_joined(tree: NestedTree) -> int:
    """How many parts a coordination has; 0 for what is none, or whose parts are not one child each.

    Parts and what separates them take turns, and a conjunction is among the latter; punctuation may end it all. Words
    that are joined without brackets of their own are left alone: "red and green tea" is not red, and green tea.
    """
    children = _children(tree)
    while children and _is_punctuation(children[-1]):
        children = children[:-1]
    if not children or not _joins(children):
        return 0
    separates = [_separates(child) for child in children]
    parts = [child for child, is_between in zip(children, separates, strict=True) if not is_between]
    touch = any(not a and not b for a, b in pairwise(separates))
    if separates[0] or separates[-1] or touch or any(isinstance(part, Leaf) for part in parts):
        return 0
    return len(parts)


# ---- what children are


def _children(tree: NestedTree) -> tuple[NestedTree, ...]:
    return () if isinstance(tree, Leaf) else tree.children


def _is(tree: NestedTree, category: str) -> bool:
    return isinstance(tree, Node) and tree.category == category


def _has_tag(tree: NestedTree, *beginnings: str) -> bool:
    return isinstance(tree, Leaf) and tree.tag.startswith(beginnings)


def _is_verb(tree: NestedTree) -> bool:
    return _has_tag(tree, *_VERBS)


def _is_auxiliary(tree: NestedTree) -> bool:
    return _has_tag(tree, "MD", "TO") or (isinstance(tree, Leaf) and tree.form.lower() in _AUXILIARIES)


def _is_punctuation(tree: NestedTree) -> bool:
    return isinstance(tree, Leaf) and tree.tag in PENN_PUNCTUATION


def _is_conjunction(tree: NestedTree) -> bool:
    return tree.tag == "CC" if isinstance(tree, Leaf) else tree.category == "CONJP"


def _separates(tree: NestedTree) -> bool:
    return _is_conjunction(tree) or _is_punctuation(tree)


def _joins(children: Sequence[NestedTree]) -> bool:
    """Whether a conjunction is among children."""
    return any(_is_conjunction(child) for child in children)


# ---- styles of treebanks

STYLES: Mapping[str, BracketingStyle] = {
    "original": BracketingStyle("the treebank's own brackets", ()),
    "flat-verbs": BracketingStyle("auxiliaries and verb in one verb phrase", (flat_verbs,)),
    "verb-groups": BracketingStyle("auxiliaries and verb in a group without objects", (verb_groups,)),
    "no-verb-phrases": BracketingStyle("verbs and objects directly in the clause", (no_verb_phrases,)),
    "binary-noun-phrases": BracketingStyle("noun phrases branch to the right", (binary_noun_phrases,)),
    "noun-bars": BracketingStyle("determiners outside noun and modifiers", (noun_bars,)),
    "prepositions-outside": BracketingStyle("prepositional phrases beside objects", (prepositions_outside,)),
    "prepositions-inside": BracketingStyle("prepositional phrases inside objects", (prepositions_inside,)),
    "flat-coordination": BracketingStyle("coordinations within one another made one", (flat_coordination,)),
    "nested-coordination": BracketingStyle("coordinations branch to the right", (nested_coordination,)),
    "combined": BracketingStyle(
        "verb groups, binary noun phrases, noun bars, nested coordination",
        (verb_groups, binary_noun_phrases, noun_bars, nested_coordination),  # bars around what is binary already
    ),
}


def styled(trees: Trees, style: str) -> Trees:
    """The trees in a style of bracketing, one of `STYLES`; documents and missing parses stay."""
    if style not in STYLES:
        raise UsageError(f"no bracketing style is called {style!r}; choose from {', '.join(STYLES)}")
    return trees_from_nested([in_style(tree, style) for tree in nested(trees)], trees)


def in_style(tree: NestedTree | None, style: str) -> NestedTree | None:
    """One tree in a style of `STYLES`."""
    if tree is not None:
        for change in STYLES[style].changes:
            tree = rewritten(tree, change)
    return tree


@dataclass(frozen=True, slots=True)
class StyleDifference:
    """How many brackets a treebank has in the original and in a style, and what became of them.

    The original's are `kept` or `lost`; the style's are kept ones, `added` or `crossing` (one of the original's): TTB,
    TPB, EM, SP and CE of a parser that has learnt the style without fault.
    """

    style: str
    n_original: int
    n_styled: int
    kept: int
    lost: int
    added: int
    crossing: int

    @property
    def changed_share(self) -> float:
        """The brackets that only one of both has, as a share of all that either has; 0 without brackets."""
        n_either = self.kept + self.lost + self.added + self.crossing
        return 1 - self.kept / n_either if n_either else 0.0


def style_differences(trees: Trees) -> tuple[StyleDifference, ...]:
    """How each style of `STYLES` differs from the original on these trees; brackets are counted as in the paper.

    That is, without labels, punctuation, traces, doubled brackets and those around one word [Hogenhout & Matsumoto
    1996, §4].
    """
    return tuple(style_difference(style, trees, styled(trees, style)) for style in STYLES)


def style_difference(style: str, original: Trees, other: Trees) -> StyleDifference:
    """How trees that were given another style differ from the original."""
    comparison = bracket_difference(original, other)
    items = {item: int(np.sum(counts)) for item, counts in comparison.items().items()}
    return StyleDifference(
        style=style,
        n_original=items["TTB"],
        n_styled=items["TPB"],
        kept=items["EM"],
        lost=items["TTB"] - items["EM"],
        added=items["SP"],
        crossing=items["CE"],
    )


def bracket_difference(original: Trees, other: Trees) -> BracketComparison:
    """The brackets of trees beside those of the original, which has the same words."""
    dropped = original.traces | punctuation_named("penn").of(original)
    return BracketComparison(prepared(original, dropped), prepared(other, dropped))
