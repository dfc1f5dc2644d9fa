"""Scores of constituency trees, one tree and one bracket at a time: short, slow, from the definitions.

Trees are prepared by rewriting them, step by step as in Hogenhout & Matsumoto 1996, §4, and printed again if need be.
Counts of a sentence have the names under which karat gives them.
"""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise

from bracket_reference import RefNode

__all__ = ["Choice", "DifferError", "Found", "compared", "items", "leaves", "measures", "n_words", "prepared_pair"]
__all__ += ["prepared_text", "sentence_values", "summed"]
__all__ += ["PUNCTUATION", "WORDS", "Leaf", "random_tree", "random_words", "with_traces"]

ITEMS = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "PNINH", "TINH", "TNINH")
_PENN = {",", ":", ".", "``", "''"}
_WRITTEN_OUT = {"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "`", "``"}


class DifferError(Exception):
    """The words of two trees differ: at which word, from 1, what the system has and what the gold (None: nothing)."""

    def __init__(self, place: int, theirs: str | None, ours: str | None) -> None:
        super().__init__(place, theirs, ours)
        self.place, self.theirs, self.ours = place, theirs, ours


@dataclass(frozen=True)
class Choice:
    """What the options say; `tags` are those of a file of punctuation."""

    punctuation: str = "penn"
    drop_empty: bool = True
    merge_doubled: bool = True
    drop_one_word: bool = True
    labelled: bool = False
    label: str = ""
    tags: frozenset[str] = frozenset()

    def is_punctuation(self, leaf: RefNode) -> bool:
        if self.punctuation == "penn":
            return leaf.label in _PENN
        if self.punctuation == "unicode":
            form = leaf.form or ""
            return form in _WRITTEN_OUT or all(unicodedata.category(character)[0] == "P" for character in form)
        return leaf.label in self.tags

    def fits(self, label: str) -> bool:
        return not self.label or any(fnmatchcase(label, one) for one in self.label.split(","))

    @property
    def compares_labels(self) -> bool:
        return self.labelled or self.label != ""


# --- words ---


def leaves(node: RefNode) -> list[RefNode]:
    """The words of a tree, traces among them."""
    return [node] if node.form is not None else [leaf for child in node.children for leaf in leaves(child)]


def n_words(gold: RefNode) -> int:
    """The length of a sentence: punctuation counts, traces do not."""
    return sum(leaf.label != "-NONE-" for leaf in leaves(gold))


def _kept(gold: RefNode, system: RefNode, choice: Choice) -> tuple[list[RefNode], list[RefNode]]:
    """The words of both that are kept, pair by pair.

    Where both have the same words but for traces, the gold says which are punctuation; otherwise each side does.
    """
    ours, theirs = ([leaf for leaf in leaves(side) if leaf.label != "-NONE-"] for side in (gold, system))
    if [leaf.form for leaf in ours] == [leaf.form for leaf in theirs]:
        pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if not choice.is_punctuation(a)]
        return [a for a, _ in pairs], [b for _, b in pairs]
    ours, theirs = ([leaf for leaf in side if not choice.is_punctuation(leaf)] for side in (ours, theirs))
    for place in range(max(len(ours), len(theirs))):
        a = ours[place].form if place < len(ours) else None
        b = theirs[place].form if place < len(theirs) else None
        if a != b:
            raise DifferError(place + 1, b, a)
    return ours, theirs


# --- brackets ---


@dataclass(eq=False)
class Found:
    """A bracket that counts, the one next above it, and what comparing says of it."""

    label: str
    start: int
    stop: int
    parent: Found | None = None
    is_right: bool = False
    is_crossing: bool = False
    is_inherited: bool = False


@dataclass
class _Node:
    """A bracket on its way through preparation; a word is its leaf."""

    label: str
    children: list[_Node | RefNode] = field(default_factory=list)


def _words(node: _Node | RefNode) -> list[RefNode]:
    return [node] if isinstance(node, RefNode) else [word for child in node.children for word in _words(child)]


def _prepared(root: RefNode, words: Sequence[RefNode], choice: Choice, *, labelled: bool) -> _Node:
    """The tree with these words only, all its brackets below a bracket that is none."""
    wanted = {id(word) for word in words}

    def copied(node: RefNode) -> _Node:  # step 1: other words go; labels lose their functions
        label = node.label.replace("=", "-").split("-")[0] or node.label
        inside = [child for child in node.children if child.form is None or id(child) in wanted]
        return _Node(label, [copied(child) if child.form is None else child for child in inside])

    def without(node: _Node, goes: Callable[[_Node, list[_Node]], bool], above: list[_Node]) -> _Node:
        """The tree without the brackets that must go: what was inside hangs from the one above."""
        children: list[_Node | RefNode] = []
        for child in node.children:
            if isinstance(child, RefNode):
                children.append(child)
            elif goes(child, [*above, node]):
                children += without(child, goes, [*above, node]).children
            else:
                children.append(without(child, goes, [*above, node]))
        return _Node(node.label, children)

    def doubles(node: _Node, above: list[_Node]) -> bool:
        own = len(_words(node))  # of nested brackets, those around as many words are around the same
        return any((not labelled or one.label == node.label) and len(_words(one)) == own for one in above[1:])

    top: list[_Node | RefNode]
    if root.form is not None:
        top = [root] if id(root) in wanted else []
    else:
        whole = copied(root)
        top = whole.children if whole.label in ("", "ROOT", "TOP", "S1") else [whole]
    tree = _Node("", top)
    if choice.drop_empty:  # step 2
        tree = without(tree, lambda node, _: not _words(node), [])
    if choice.drop_one_word:
        tree = without(tree, lambda node, _: len(_words(node)) == 1, [])
    return without(tree, doubles, []) if choice.merge_doubled else tree  # step 3


def prepared_text(root: RefNode, words: Sequence[RefNode], choice: Choice) -> str:
    """A prepared tree as it would be written; () if nothing is left of it."""

    def written(node: _Node | RefNode) -> str:
        if isinstance(node, RefNode):
            return f"({node.label} {node.form})"
        return f"({node.label} {' '.join(map(written, node.children))})"

    tree = _prepared(root, words, choice, labelled=choice.compares_labels)
    return f"(TOP {' '.join(map(written, tree.children))})" if tree.children else "(())"


def prepared_pair(gold: RefNode, system: RefNode, choice: Choice) -> tuple[str, str]:
    """Two trees over the same words, prepared and written again."""
    ours, theirs = _kept(gold, system, choice)
    return prepared_text(gold, ours, choice), prepared_text(system, theirs, choice)


def _brackets(root: RefNode, words: Sequence[RefNode], choice: Choice, *, labelled: bool) -> list[Found]:
    """The brackets that count, each behind the one above it."""
    found: list[Found] = []
    n_before = 0

    def visit(node: _Node, parent: Found | None) -> None:
        nonlocal n_before
        for child in node.children:
            if isinstance(child, RefNode):
                n_before += 1
            else:
                own = Found(child.label, n_before, n_before + len(_words(child)), parent)
                found.append(own)
                visit(child, own)

    visit(_prepared(root, words, choice, labelled=labelled), None)
    return found


def compared(gold: RefNode, system: RefNode, choice: Choice, *, labelled: bool) -> tuple[list[Found], list[Found]]:
    """The brackets of both sides, each with what comparing says of it; none of the system's if there is no parse.

    A `DifferError` where the words are not the same.
    """
    our_words, their_words = [leaf for leaf in leaves(gold) if leaf.label != "-NONE-"], list[RefNode]()
    our_words = [leaf for leaf in our_words if not choice.is_punctuation(leaf)]
    if leaves(system):
        our_words, their_words = _kept(gold, system, choice)
    ours = _brackets(gold, our_words, choice, labelled=labelled)
    theirs = _brackets(system, their_words, choice, labelled=labelled) if leaves(system) else []

    def key(one: Found) -> tuple[object, ...]:
        return (one.start, one.stop, one.label if labelled else "")

    for side, other in ((ours, theirs), (theirs, ours)):
        left = Counter(map(key, other))
        for one in side:  # of equal ones the first, as many as the other side has
            one.is_right = left[key(one)] > 0
            left[key(one)] -= 1
    for one in theirs:
        crosses = any(a.start < one.start < a.stop < one.stop or one.start < a.start < one.stop < a.stop for a in ours)
        one.is_crossing = crosses and not one.is_right
    n = len(our_words)
    for one in (*ours, *theirs):
        above = one.parent
        if above is not None and (above.start, above.stop) != (0, n):  # the sentence's own bracket is no parent
            one.is_inherited = (one.is_right and above.is_right) or (one.is_crossing and above.is_crossing)
    return ours, theirs


def items(
    ours: Sequence[Found], theirs: Sequence[Found], fits: Callable[[str], bool] = lambda _: True
) -> dict[str, int]:
    """The nine items of the brackets whose label fits."""
    ours, theirs = ([one for one in side if fits(one.label)] for side in (ours, theirs))
    crossing, found = [one for one in theirs if one.is_crossing], [one for one in ours if one.is_right]
    return {
        "TTB": len(ours),
        "TPB": len(theirs),
        "EM": sum(one.is_right for one in theirs),
        "CE": len(crossing),
        "SP": sum(not one.is_right and not one.is_crossing for one in theirs),
        "PINH": sum(one.is_inherited for one in crossing),
        "PNINH": sum(not one.is_inherited for one in crossing),
        "TINH": sum(one.is_inherited for one in found),
        "TNINH": sum(not one.is_inherited for one in found),
    }


# --- sentences and measures ---


def sentence_values(gold: RefNode, system: RefNode, choice: Choice) -> dict[str, int]:
    """All counts of one sentence; where words differ there is no parse (whoever wants to know asks `compared`)."""
    try:
        labelled = compared(gold, system, choice, labelled=True)
    except DifferError:
        system = RefNode("")
        labelled = compared(gold, system, choice, labelled=True)
    unlabelled = compared(gold, system, choice, labelled=False)
    found = items(*(labelled if choice.compares_labels else unlabelled), choice.fits)
    found |= {"EMA": found["EM"], "EMR": 0, "sentences": 1, "parsed": int(bool(leaves(system)))}
    for kind, both in (("labelled", labelled), ("unlabelled", unlabelled)):
        these = items(*both, choice.fits)
        if kind == "labelled" or not choice.label:
            found |= {f"{kind} gold": these["TTB"], f"{kind} system": these["TPB"], f"{kind} correct": these["EM"]}
    if choice.label:
        return found
    is_parsed = bool(leaves(system))
    whole = items(*labelled)
    found["complete"] = int(is_parsed and whole["EM"] == whole["TTB"] == whole["TPB"])
    found["no crossing"] = int(is_parsed and found["CE"] == 0)
    found["two or fewer crossing"] = int(is_parsed and found["CE"] <= 2)
    ours = [leaf for leaf in leaves(gold) if leaf.label != "-NONE-" and not choice.is_punctuation(leaf)]
    pairs = list(zip(*_kept(gold, system, choice), strict=True)) if is_parsed else []
    found["words"], found["system words"] = len(ours), len(pairs)
    found["right tags"] = sum(a.label == b.label for a, b in pairs)
    return found


def summed(values: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sums of counts."""
    total: Counter[str] = Counter()
    for one in values:
        for name, n in one.items():
            total[name] += n
    return dict(total)


# numerator, denominator
_WITH_PARTS = {
    "Labelled Precision": ("labelled correct", "labelled system"),
    "Labelled Recall": ("labelled correct", "labelled gold"),
    "Unlabelled Precision": ("unlabelled correct", "unlabelled system"),
    "Unlabelled Recall": ("unlabelled correct", "unlabelled gold"),
    "Tagging Accuracy": ("right tags", "words"),
    "Generation Rate": ("TPB", "TTB"),
    "Recall-hard": ("EMA", "TTB"),
    "Precision-hard": ("EMA", "TPB"),
}
_PLAIN = {
    "Complete Match": ("complete", "sentences"),
    "Average Crossing": ("CE", "parsed"),
    "No Crossing": ("no crossing", "sentences"),
    "Two or Fewer Crossing": ("two or fewer crossing", "sentences"),
    "Spuriousness": ("SP", "TPB"),
    "P-inheritance": ("PINH", "CE"),
    "T-inheritance": ("TINH", "EM"),
    "Crossing Rate": ("CE", "TPB"),
    "Sentence Accuracy": ("no crossing", "sentences"),
}


def measures(total: Mapping[str, int]) -> dict[str, float | None]:
    """The measures that need no judgements, from sums of counts; None where there is nothing to divide by."""
    found: dict[str, float | None] = {}
    for name, (above, below) in (_WITH_PARTS | _PLAIN).items():
        if above in total and below in total:
            found[name] = total[above] / total[below] if total[below] else None
    for kind in ("labelled", "unlabelled"):
        if f"{kind} gold" in total:
            both = total[f"{kind} gold"] + total[f"{kind} system"]
            found[f"{kind.capitalize()} F1"] = 2 * total[f"{kind} correct"] / both if both else None
    found["Bracketing Accuracy"] = (total["EM"] + total["SP"]) / total["TPB"] if total["TPB"] else None
    return found


# --- trees to compare ---

PUNCTUATION = ((",", ","), (".", "."), (":", "--"), ("``", "``"), ("''", "''"), ("-LRB-", "-LRB-"), ("NFP", "…"))
WORDS = (("NN", "dog"), ("NN", "cat"), ("DT", "the"), ("VB", "barks"), ("UH", "oh"), ("$", "$"))
LABELS = ("NP", "NP-SBJ", "NP=2", "VP", "S", "S", "PP-TMP-1", "TOP", "ROOT", "S1")


@dataclass
class Leaf:
    """A word on its way into a tree."""

    tag: str
    form: str


def random_words(rng: random.Random) -> list[Leaf]:
    """The words of a sentence, some of them punctuation, now and then all."""
    n = rng.choice((1, 1, 2, 3, 4, 6, 9, 14))
    only_punctuation = rng.random() < 0.08
    return [Leaf(*rng.choice(PUNCTUATION if only_punctuation or rng.random() < 0.25 else WORDS)) for _ in range(n)]


def with_traces(rng: random.Random, words: Sequence[Leaf]) -> list[Leaf]:
    """The words with empty elements before some."""
    found: list[Leaf] = []
    for word in words:
        found += [Leaf("-NONE-", rng.choice("*0"))] if rng.random() < 0.1 else []
        found.append(word)
    return found


def random_tree(rng: random.Random, words: Sequence[Leaf]) -> str:
    """A tree over words: flat and deep parts, chains of brackets around the same words, brackets around one word."""

    def over(begin: int, end: int, depth: int) -> str:
        if end - begin == 1 and (depth > 8 or rng.random() < 0.6):
            return f"({words[begin].tag} {words[begin].form})"
        most = min(3, end - begin - 1)
        n_cuts = rng.randint(min(0 if depth < 8 else 1, most), most)
        bounds = [begin, *sorted(rng.sample(range(begin + 1, end), n_cuts)), end]
        return f"({rng.choice(LABELS)} {' '.join(over(a, b, depth + 1) for a, b in pairwise(bounds))})"

    inner = over(0, len(words), 0)
    return rng.choice((inner, inner, f"(TOP {inner})", f"( {inner})", f"(ROOT {inner} )", f"(S1 {inner})"))
