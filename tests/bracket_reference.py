"""The items of Hogenhout & Matsumoto 1996, §3, counted one bracket at a time: short, slow, from the definitions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["RefNode", "items", "prepared_spans", "tree", "trees"]


@dataclass
class RefNode:
    """A bracket, or a word if it has a form."""

    label: str
    children: list[RefNode] = field(default_factory=list)
    form: str | None = None


def tree(text: str) -> RefNode:
    """The first tree of a text."""
    return trees(text)[0]


def trees(text: str) -> list[RefNode]:
    """The trees of a text, read one token at a time."""
    stack = [RefNode("")]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append(RefNode(""))
        elif token == ")":
            done = stack.pop()
            stack[-1].children.append(done)
        elif not stack[-1].label and not stack[-1].children:
            stack[-1].label = token
        else:
            stack[-1].form = token
    return stack[0].children


@dataclass
class Bracket:
    """A bracket that counts: its label, its words and the bracket next above it that counts."""

    label: str
    start: int
    stop: int
    parent: Bracket | None


def prepared_spans(
    root: RefNode, punctuation: set[str], *, merge: bool = True, one_word: bool = False, labelled: bool = False
) -> tuple[list[str], list[Bracket]]:
    """Words without punctuation (by tag), and the brackets that count, each after the one above it.

    Empty brackets go, brackets around one word go unless `one_word`, and with `merge` those around the same words as
    one above them (of the same label, if `labelled`). An outermost ROOT, TOP, S1 or empty label is no bracket.
    """
    words: list[str] = []
    found: list[Bracket] = []

    def visit(node: RefNode, above: Bracket | None, is_root: bool) -> None:
        if node.form is not None:
            if node.label not in punctuation:
                words.append(node.form)
            return
        label = node.label.split("-")[0].split("=")[0] or node.label
        size = n_words(node, punctuation)
        start = len(words)
        counts = size > (0 if one_word else 1) and not (is_root and label in ("", "ROOT", "TOP", "S1"))
        ancestor = above
        while merge and counts and ancestor is not None and (ancestor.start, ancestor.stop) == (start, start + size):
            if not labelled or ancestor.label == label:
                counts = False
            ancestor = ancestor.parent
        own = above
        if counts:
            own = Bracket(label, start, start + size, above)
            found.append(own)
        for child in node.children:
            visit(child, own, False)

    visit(root, None, True)
    return words, found


def n_words(node: RefNode, punctuation: set[str]) -> int:
    if node.form is not None:
        return int(node.label not in punctuation)
    return sum(n_words(child, punctuation) for child in node.children)


def items(
    gold: list[Bracket], system: list[Bracket], size: int, *, labelled: bool = False, sentence_is_parent: bool = False
) -> dict[str, int]:
    """The nine items of one sentence of so many words; by the literal definition the sentence's bracket is a parent."""

    def key(one: Bracket) -> tuple[object, ...]:
        return (one.start, one.stop, one.label) if labelled else (one.start, one.stop)

    def matched(side: list[Bracket], other: list[Bracket]) -> list[bool]:
        left = Counter(key(one) for one in other)
        flags = []
        for one in side:
            flags.append(left[key(one)] > 0)
            left[key(one)] -= 1
        return flags

    def crosses(one: Bracket) -> bool:
        return any(a.start < one.start < a.stop < one.stop or one.start < a.start < one.stop < a.stop for a in gold)

    exact, found = matched(system, gold), matched(gold, system)
    crossing = [crosses(one) and not flag for one, flag in zip(system, exact, strict=True)]

    def below(side: list[Bracket], flags: list[bool]) -> int:
        """How many flagged brackets have a flagged parent, perhaps one that is not the sentence's own bracket."""
        is_flagged = {id(one): flag for one, flag in zip(side, flags, strict=True)}
        n = 0
        for one, flag in zip(side, flags, strict=True):
            parent = one.parent
            if flag and parent is not None and is_flagged[id(parent)]:
                n += sentence_is_parent or (parent.start, parent.stop) != (0, size)
        return n

    p_inherited, t_inherited = below(system, crossing), below(gold, found)
    return {
        "TTB": len(gold),
        "TPB": len(system),
        "EM": sum(exact),
        "CE": sum(crossing),
        "SP": len(system) - sum(exact) - sum(crossing),
        "PINH": p_inherited,
        "PNINH": sum(crossing) - p_inherited,
        "TINH": t_inherited,
        "TNINH": sum(found) - t_inherited,
    }
