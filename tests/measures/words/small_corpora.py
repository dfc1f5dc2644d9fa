"""Small corpora at random, as CoNLL-U text, for hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from corruptions import Rates, corrupted
from examples import random_tree

__all__ = ["Pair", "pairs"]

LETTERS = "abcdefghijKLMNOPQRST"
SPACES = " \u00a0\u3000"
LEMMAS = ["l", "m", "_"]
TAGS = ["NOUN", "VERB", "ADP"]
FEATURES = ["Case=Nom", "Case=Acc", "Number=Sing", "Polite=Form", "Odd=Yes", "Gender[psor]=Fem"]  # two not universal
RELATIONS = ["nsubj", "nsubj:pass", "obl", "conj", "det", "case", "case:loc", "aux", "punct"]
ANNOTATION = Rates(upos=0.1, xpos=0.1, feats=0.2, lemma=0.1, deprel=0.1, subtype=0.1, head=0.15, root=0.1, deps=0.3)
TOKENISATION = Rates(
    upos=0.1, xpos=0.1, feats=0.1, lemma=0.1, deprel=0.1, subtype=0.1, head=0.1, root=0.05, deps=0.1,
    split=0.1, merge=0.1, contract=0.1, contract_changed=0.05, dissolve=0.1, fuse=0.1, inner=0.1, shift=0.1,
    join=0.2, cut=0.2,
)  # fmt: skip

Token = tuple[str, Sequence[str]]  # a surface form, and the words of a multiword token


@dataclass(frozen=True)
class Pair:
    """A gold and a system of the same characters, and a lexicon that has some of their words."""

    gold: str
    system: str
    lexicon: str


@st.composite
def pairs(draw: st.DrawFn, *, other_tokens: bool) -> Pair:
    """A gold, and a system that is the gold with changes, or annotated on its own; with the gold's tokens or others."""
    n_characters = draw(st.integers(1, len(LETTERS)))
    random = Random(draw(st.integers(0, 2**32 - 1)))  # not st.randoms: shrinking those takes minutes, and helps little
    characters = "".join(random.sample(LETTERS, n_characters))
    sentences = _sentences(random, characters)
    gold = _corpus(random, sentences)
    lexicon = _corpus(random, [*sentences[::2], *_sentences(random, characters)])
    if random.random() < 0.7:
        rates = TOKENISATION if other_tokens else ANNOTATION
        return Pair(gold, corrupted(gold, random.randrange(1000), rates), lexicon)
    return Pair(gold, _corpus(random, _sentences(random, characters) if other_tokens else sentences), lexicon)


def _sentences(random: Random, characters: str) -> list[list[Token]]:
    sentences: list[list[Token]] = [[]]
    while characters:
        form, characters = _first_piece(random, characters)
        words = []
        if random.random() < 0.25:
            first, rest = _first_piece(random, form)
            words = [random.choice([first, first.swapcase(), first + "x"]), *([rest] if rest else [])]
        elif len(form) > 1 and random.random() < 0.1:
            form = form[0] + random.choice(SPACES) + form[1:]
        if sentences[-1] and random.random() < 0.25:
            sentences.append([])
        sentences[-1].append((form, words))
    return sentences


def _first_piece(random: Random, characters: str) -> tuple[str, str]:
    size = random.randint(1, 3)
    return characters[:size], characters[size:]


def _corpus(random: Random, sentences: Sequence[Sequence[Token]]) -> str:
    text = ""
    for number, tokens in enumerate(sentences):
        text += random.choice(["", "", f"# newdoc id = part {number}\n", "# newdoc\n"]) + _sentence(random, tokens)
    return text


def _sentence(random: Random, tokens: Sequence[Token]) -> str:
    n = sum(len(words) or 1 for _, words in tokens)
    empties = [f"{number}.1" for number in range(n + 1) if random.random() < 0.2]
    nodes = ["0", *map(str, range(1, n + 1)), *empties, *empties]
    heads = random_tree(random, n)

    def annotation(head: str, deps: str) -> str:
        feats = "|".join(random.sample(FEATURES, random.choice([0, 0, 1, 1, 2]))) or "_"
        fields = [random.choice(LEMMAS), random.choice(TAGS), random.choice(TAGS), feats, head]
        return "\t".join([*fields, "root" if head == "0" else random.choice(RELATIONS), deps, "_"])

    def empty_nodes(number: int) -> list[str]:  # they hang from words and from empty nodes before them: no circles
        name = f"{number}.1"
        if name not in empties:
            return []
        above = nodes[: n + 1] + empties[: empties.index(name)]
        return [f"{name}\t_\t" + annotation("_", _deps(random, above, 1))]

    lines = empty_nodes(0)
    number = 0
    for form, words in tokens:
        if words:
            lines.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 8)
        for word in words or [form]:
            number += 1
            lines.append(f"{number}\t{word}\t" + annotation(str(heads[number - 1]), _deps(random, nodes, 0)))
            lines += empty_nodes(number)
    return "\n".join([*lines, "", ""])


def _deps(random: Random, heads: Sequence[str], n_least: int) -> str:
    edges = [f"{random.choice(heads)}:{random.choice(RELATIONS)}" for _ in range(random.randint(n_least, 3))]
    return "|".join(edges) or "_"
