"""Seeded corruptions of CoNLL-U text: what a system might have made of the same characters.

`corrupted(text, seed, rates)` is a pure function. Its result has the characters of the input, spaces aside, and is a
file that strict loaders accept: consecutive IDs, one root, no cycle, DEPS within the sentence. `ANNOTATION` changes
what words are annotated with, `TOKENISATION` also where tokens, words and sentences begin and end.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

__all__ = ["ANNOTATION", "TOKENISATION", "Rates", "corrupted"]

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(1, 10)
_BLANK = ["_"] * 10


@dataclass(frozen=True)
class Rates:
    """How often each thing happens to each word, pair of words, multiword token or sentence it can happen to."""

    upos: float = 0.0
    xpos: float = 0.0
    feats: float = 0.0
    lemma: float = 0.0
    deprel: float = 0.0
    subtype: float = 0.0
    head: float = 0.0
    root: float = 0.0  # another word becomes the root
    deps: float = 0.0

    split: float = 0.0  # a word into two
    merge: float = 0.0  # two words into one
    contract: float = 0.0  # two words into a multiword token of both
    contract_changed: float = 0.0  # the same, with other forms
    dissolve: float = 0.0  # a multiword token into plain words
    fuse: float = 0.0  # a multiword token into one word
    inner: float = 0.0  # other words, perhaps more or fewer, in a multiword token
    shift: float = 0.0  # the boundary of two words by a character
    join: float = 0.0  # a sentence with the one before it
    cut: float = 0.0  # a sentence into two


ANNOTATION = Rates(
    upos=0.05, xpos=0.07, feats=0.06, lemma=0.04, deprel=0.06, subtype=0.05, head=0.08, root=0.02, deps=0.08
)
TOKENISATION = Rates(
    upos=0.03, xpos=0.03, feats=0.03, lemma=0.03, deprel=0.03, subtype=0.02, head=0.03, root=0.01, deps=0.04,
    split=0.03, merge=0.03, contract=0.02, contract_changed=0.02, dissolve=0.2, fuse=0.2, inner=0.3, shift=0.02,
    join=0.05, cut=0.05,
)  # fmt: skip


# --- sentences as objects: heads and DEPS refer to words, so that nothing breaks when words come and go ---


@dataclass(eq=False)
class Empty:
    """An empty node."""

    fields: list[str]
    deps: list[Edge] = field(default_factory=list)


@dataclass(eq=False)
class Word:
    """A syntactic word, with the empty nodes that follow it."""

    fields: list[str]
    head: Word | None = None
    deps: list[Edge] = field(default_factory=list)
    empties: list[Empty] = field(default_factory=list)
    heir: Word | None = None  # the word that took this one's place

    @property
    def form(self) -> str:
        return self.fields[FORM]

    def with_form(self, form: str) -> Word:
        """A new word with the same annotation that depends on this one."""
        return Word([self.fields[0], form, *self.fields[2:]], head=self)


Edge: TypeAlias = tuple[Word | Empty | None, str]  # head (None: the root) and label


@dataclass(eq=False)
class Token:
    """A surface token: a word, or a multiword token with a line of its own."""

    words: list[Word]
    line: list[str] | None = None

    @property
    def form(self) -> str:
        return self.words[0].form if self.line is None else self.line[FORM]


@dataclass(eq=False)
class Sentence:
    """A sentence with the empty nodes before its first word."""

    comments: list[str]
    tokens: list[Token]
    empties: list[Empty] = field(default_factory=list)

    @property
    def words(self) -> list[Word]:
        return [word for token in self.tokens for word in token.words]


def corrupted(text: str, seed: int, rates: Rates) -> str:
    """The text with things changed at random, the same for the same seed."""
    rng = random.Random(seed)
    sentences = [_parsed(block) for block in re.split(r"\n{2,}", text.strip("\n"))]
    pools = _Pools(sentences)
    for sentence in sentences:
        _change_tokens(sentence, rng, rates)
    sentences = _change_sentences(sentences, rng, rates)
    for sentence in sentences:
        _repair(sentence)
        _change_annotation(sentence, rng, rates, pools)
    return "".join(map(_written, sentences))


def _parsed(block: str) -> Sentence:
    lines = block.split("\n")
    sentence = Sentence([line for line in lines if line.startswith("#")], [])
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    nodes: dict[str, Word | Empty] = {}
    range_stop = 0
    for row in rows:
        if "-" in row[0]:
            range_stop = int(row[0].split("-")[1])
            sentence.tokens.append(Token([], row))
        elif "." in row[0]:
            nodes[row[0]] = empty = Empty(row)
            (sentence.words[-1].empties if sentence.tokens else sentence.empties).append(empty)
        else:
            nodes[row[0]] = word = Word(row)
            if int(row[0]) <= range_stop:
                sentence.tokens[-1].words.append(word)
            else:
                sentence.tokens.append(Token([word]))
    for node in nodes.values():
        for edge in node.fields[DEPS].split("|") if node.fields[DEPS] != "_" else []:
            head, label = edge.split(":", 1)
            node.deps.append((nodes.get(head), label))
        if isinstance(node, Word):
            head_word = nodes.get(node.fields[HEAD])
            node.head = head_word if isinstance(head_word, Word) else None
    return sentence


def _written(sentence: Sentence) -> str:
    words = sentence.words
    names: dict[Word | Empty | None, str] = {None: "0"}
    for number, word in enumerate(words, start=1):
        names[word] = str(number)
        names.update({empty: f"{number}.{minor}" for minor, empty in enumerate(word.empties, start=1)})
    names.update({empty: f"0.{minor}" for minor, empty in enumerate(sentence.empties, start=1)})

    def row(node: Word | Empty) -> str:
        deps = "|".join(f"{names[head]}:{label}" for head, label in node.deps) or "_"
        head = names[node.head] if isinstance(node, Word) else "_"
        return "\t".join([names[node], *node.fields[1:HEAD], head, node.fields[DEPREL], deps, node.fields[MISC]])

    lines = [*sentence.comments, *map(row, sentence.empties)]
    for token in sentence.tokens:
        if token.line is not None:
            lines.append("\t".join([f"{names[token.words[0]]}-{names[token.words[-1]]}", *token.line[1:]]))
        for word in token.words:
            lines += [row(word), *map(row, word.empties)]
    return "\n".join([*lines, "", ""])


def _repair(sentence: Sentence) -> None:
    """Make a tree of heads that may be gone, missing or in a circle; and leave no edge of DEPS without its ends."""
    words = sentence.words
    empties = [*sentence.empties, *(empty for word in words for empty in word.empties)]
    here: set[Word | Empty | None] = {None, *words, *empties}
    for word in words:
        word.head = _heir(word.head)
        if word.head is word or word.head not in here:
            word.head = None
    root = next((word for word in words if word.head is None), words[0])
    root.head = None
    for word in words:
        if word is not root and (word.head is None or root not in _ancestors(word)):
            word.head = root
    nodes: list[Word | Empty] = [*words, *empties]
    for node in nodes:
        edges = [(_heir(head) if isinstance(head, Word) else head, label) for head, label in node.deps]
        node.deps = [(head, label) for head, label in edges if head in here and head is not node]


def _heir(word: Word | None) -> Word | None:
    while word is not None and word.heir is not None:
        word = word.heir
    return word


def _ancestors(word: Word) -> list[Word]:
    """The words above a word, until the root or, in a circle, until one comes again."""
    found: list[Word] = []
    above = word.head
    while above is not None and above not in found:
        found.append(above)
        above = above.head
    return found


# --- tokens and sentences ---


def _change_tokens(sentence: Sentence, rng: random.Random, rates: Rates) -> None:
    """One change at most to each token, or pair of neighbours, from left to right."""
    of_words: list[tuple[float, _Change]] = [(rates.split, _split)]
    of_pairs: list[tuple[float, _Change]] = [
        (rates.merge, _merge),
        (rates.contract, _contract),
        (rates.contract_changed, _contract_changed),
        (rates.shift, _shift),
    ]
    of_multiword: list[tuple[float, _Change]] = [
        (rates.dissolve, _dissolve),
        (rates.fuse, _fuse),
        (rates.inner, _change_inner),
    ]
    tokens: list[Token] = []
    rest = sentence.tokens
    while rest:
        pair = rest[:2]
        is_pair = len(pair) == 2 and pair[0].line is None and pair[1].line is None
        choices = of_multiword if rest[0].line is not None else of_words + (of_pairs if is_pair else [])
        chance = rng.random()
        for rate, change in choices:
            chance -= rate
            if chance < 0:
                taken = pair if any(change is of_pair for _, of_pair in of_pairs) else pair[:1]
                tokens += change(taken, rng) or taken
                rest = rest[len(taken) :]
                break
        else:
            tokens.append(rest[0])
            rest = rest[1:]
    sentence.tokens = tokens


_Change: TypeAlias = Callable[[list[Token], random.Random], list[Token] | None]  # None: cannot be done here


def _pieces(form: str, n: int, rng: random.Random) -> list[str] | None:
    """The form cut into n pieces at random, spaces at the cuts dropped; None where it is too short."""
    if len(form) < n:
        return None
    cuts = [0, *sorted(rng.sample(range(1, len(form)), n - 1)), len(form)]
    pieces = [form[start:stop].strip(" ") for start, stop in pairwise(cuts)]
    return pieces if all(piece.strip() for piece in pieces) else None


def _inherits(heir: Word, words: list[Word]) -> None:
    for word in words:
        word.heir = heir
        heir.empties += word.empties


def _split(tokens: list[Token], rng: random.Random) -> list[Token] | None:
    (word,) = tokens[0].words
    pieces = _pieces(word.form, 2, rng)
    if pieces is None:
        return None
    word.fields[FORM] = pieces[0]
    return [tokens[0], Token([word.with_form(pieces[1])])]


def _merge(tokens: list[Token], rng: random.Random) -> list[Token]:
    left, right = tokens[0].words[0], tokens[1].words[0]
    left.fields[FORM] += rng.choice(["", " "]) + right.form  # a form may hold a space
    if left.head is right:
        left.head = right.head
    _inherits(left, [right])
    return tokens[:1]


def _contract(tokens: list[Token], rng: random.Random) -> list[Token]:
    line = [*_BLANK]
    line[FORM] = tokens[0].form + tokens[1].form
    return [Token([tokens[0].words[0], tokens[1].words[0]], line)]


def _contract_changed(tokens: list[Token], rng: random.Random) -> list[Token]:
    contracted = _contract(tokens, rng)
    for word in contracted[0].words:
        word.fields[FORM] = _other_form(word.form, rng)
    return contracted


def _other_form(form: str, rng: random.Random) -> str:
    return rng.choice([form.upper(), form.capitalize(), form + "e", form[1:] or form, form[::-1], "le"])


def _dissolve(tokens: list[Token], rng: random.Random) -> list[Token] | None:
    surface, words = tokens[0].form, tokens[0].words
    inner = [word.form for word in words]
    forms = inner if "".join(inner) == surface else _pieces(surface, len(words), rng)
    if forms is None:
        return None
    for word, form in zip(words, forms, strict=True):
        word.fields[FORM] = form
    return [Token([word]) for word in words]


def _fuse(tokens: list[Token], rng: random.Random) -> list[Token]:
    words = tokens[0].words
    kept = rng.choice(words)
    heads_outside = [word.head for word in words if word.head not in words]
    kept.fields[FORM], kept.head = tokens[0].form, heads_outside[0] if heads_outside else None
    _inherits(kept, [word for word in words if word is not kept])
    return [Token([kept])]


def _change_inner(tokens: list[Token], rng: random.Random) -> list[Token]:
    token = tokens[0]
    what = rng.choice(["forms", "swap", "more", "fewer"])
    if what == "forms":
        word = rng.choice(token.words)
        word.fields[FORM] = _other_form(word.form, rng)
    elif what == "swap":
        rng.shuffle(token.words)
    elif what == "more":
        place = rng.randrange(len(token.words))
        more = token.words[place].with_form(_other_form(token.words[place].form, rng))
        token.words.insert(place + rng.randrange(2), more)
    elif len(token.words) > 1:
        gone = token.words.pop(rng.randrange(len(token.words)))
        _inherits(token.words[0], [gone])
        if token.words[0].head is gone:
            token.words[0].head = gone.head
    return [token]


def _shift(tokens: list[Token], rng: random.Random) -> list[Token] | None:
    left, right = tokens[0].words[0], tokens[1].words[0]
    if rng.random() < 0.5:
        forms = left.form[:-1].strip(" "), left.form[-1] + right.form
    else:
        forms = left.form + right.form[0], right.form[1:].strip(" ")
    if not all(form.strip() for form in forms):
        return None
    left.fields[FORM], right.fields[FORM] = forms
    return tokens


def _change_sentences(sentences: list[Sentence], rng: random.Random, rates: Rates) -> list[Sentence]:
    found: list[Sentence] = []
    for sentence in sentences:
        if found and rng.random() < rates.join:
            found[-1].words[-1].empties += sentence.empties
            found[-1].tokens += sentence.tokens
            continue
        found.append(sentence)
        if len(sentence.tokens) > 1 and rng.random() < rates.cut:
            place = rng.randrange(1, len(sentence.tokens))
            found.append(Sentence([], sentence.tokens[place:]))
            sentence.tokens = sentence.tokens[:place]
    return found


# --- annotation ---


class _Pools:
    """The values that the text has in each column, as often as it has them."""

    def __init__(self, sentences: list[Sentence]) -> None:
        rows = [word.fields for sentence in sentences for word in sentence.words]
        self.values = {column: [row[column] for row in rows] for column in (LEMMA, UPOS, XPOS, FEATS, DEPREL)}


def _change_annotation(sentence: Sentence, rng: random.Random, rates: Rates, pools: _Pools) -> None:
    words = sentence.words
    for word in words:
        for rate, column in ((rates.upos, UPOS), (rates.xpos, XPOS)):
            if rng.random() < rate:
                word.fields[column] = rng.choice(pools.values[column])
        if rng.random() < rates.feats:
            word.fields[FEATS] = _other_features(word.fields[FEATS], pools.values[FEATS], rng)
        if rng.random() < rates.lemma:
            word.fields[LEMMA] = rng.choice([rng.choice(pools.values[LEMMA]), word.fields[LEMMA].upper(), "_"])
        if rng.random() < rates.deprel:
            word.fields[DEPREL] = rng.choice(pools.values[DEPREL])
        if rng.random() < rates.subtype:
            word.fields[DEPREL] = _other_subtype(word.fields[DEPREL], rng)
        if rng.random() < rates.head and word.head is not None:
            _reattach(word, rng.choice(words))
        if rng.random() < rates.deps:
            _change_deps(word, sentence, rng, pools)
    if rng.random() < rates.root:
        _reroot(words, rng.choice(words))


def _other_features(feats: str, pool: list[str], rng: random.Random) -> str:
    pairs = feats.split("|")
    rng.shuffle(pairs)
    return rng.choice([rng.choice(pool), "|".join(pairs[1:]) or "_", "|".join(pairs), "Odd=Yes", "Case=Nom"])


def _other_subtype(deprel: str, rng: random.Random) -> str:
    universal = deprel.split(":")[0]
    return rng.choice([universal, f"{universal}:odd", f"{universal}:odd:more"])


def _reattach(word: Word, head: Word) -> None:
    """Hang a word, and all below it, elsewhere, unless that makes a circle."""
    if word is not head and word not in _ancestors(head):
        word.head = head


def _reroot(words: list[Word], root: Word) -> None:
    old_root = next(word for word in words if word.head is None)
    if old_root is not root:
        root.head, old_root.head = None, root


def _change_deps(word: Word, sentence: Sentence, rng: random.Random, pools: _Pools) -> None:
    empties = [*sentence.empties, *(empty for other in sentence.words for empty in other.empties)]
    heads: list[Word | Empty | None] = [None, *empties, *sentence.words]
    what = rng.choice(["head", "label", "subtype", "more", "fewer"]) if word.deps else "more"
    if what == "more":
        word.deps.insert(rng.randrange(len(word.deps) + 1), (rng.choice(heads), rng.choice(pools.values[DEPREL])))
        return
    place = rng.randrange(len(word.deps))
    head, label = word.deps[place]
    if what == "fewer":
        del word.deps[place]
    elif what == "head":
        word.deps[place] = rng.choice(heads), label
    elif what == "label":
        word.deps[place] = head, rng.choice(pools.values[DEPREL])
    else:
        word.deps[place] = head, _other_subtype(label, rng)
