"""Tokenisation is compared over whole tokens: beside a slow comparison of the tokens at all pairs of places."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from examples import sentence_of_tokens
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from karat.gold.repeats.whole_tokens import cut_in_two_ways


def corpus_of(sentences: list[list[str]]) -> Corpus:
    """Sentences of tokens: "ab" is a word, "ab=a+b" a multiword token; one that ends in ^ has no space behind it."""
    blocks = []
    for tokens in sentences:
        lines = sentence_of_tokens(*(token.replace("^", "") for token in tokens)).split("\n")
        surface = iter(tokens)
        covered = 0
        for number, line in enumerate(lines):
            first, dash, last = line.partition("\t")[0].partition("-")
            if line and int(first) > covered:
                covered = int(last) if dash else int(first)
                if next(surface).endswith("^"):
                    lines[number] = line.rpartition("\t")[0] + "\tSpaceAfter=No"
        blocks.append("\n".join(lines))
    return conllu_from_source(source_from_bytes("".join(blocks).encode()), trees=False)


Token = tuple[int, int, str]  # where it begins and ends in the sentence, and the words it stands for


def tokens_of(tokens: list[str]) -> tuple[str, list[Token]]:
    """The text of a sentence, and its tokens."""
    text, found = "", []
    for number, token in enumerate(tokens):
        surface, _, words = token.replace("^", "").partition("=")
        found.append((len(text), len(text) + len(surface), words))
        text += surface + " " * (number + 1 < len(tokens) and not token.endswith("^"))
    return text, found


def are_cut_in_two_ways(one: list[Token], other: list[Token], length: int) -> bool:
    """Whether two places of the same characters have different tokens between two boundaries that both have.

    Tokens are given from where the place begins; spaces are between boundaries, too.
    """

    def boundaries(tokens: list[Token]) -> set[int]:
        return {edge for start, stop, _ in tokens for edge in (start, stop) if 0 <= edge <= length}

    both = sorted(boundaries(one) & boundaries(other))
    if not both:
        return False
    between = [[token for token in tokens if both[0] <= token[0] and token[1] <= both[-1]] for tokens in (one, other)]
    return between[0] != between[1]


def slowly_found(sentences: list[list[str]], fewest: int) -> set[str]:
    read = [tokens_of(tokens) for tokens in sentences]
    places: dict[str, list[tuple[int, int]]] = {}
    for number, (text, _) in enumerate(read):
        for start, stop in combinations(range(len(text) + 1), 2):
            if stop - start >= fewest:
                places.setdefault(text[start:stop], []).append((number, start))
    found = set()
    for gram, its in places.items():
        ways = [[(a - start, b - start, words) for a, b, words in read[n][1]] for n, start in its]
        if any(are_cut_in_two_ways(one, other, len(gram)) for one, other in combinations(ways, 2)):
            found.add(gram)
    return found


def quickly_found(sentences: list[list[str]], fewest: int) -> tuple[set[str], set[str]]:
    """The maximal repeats that are cut in two ways, and all maximal repeats."""
    text, labels = characters([corpus_of(sentences)])
    repeats = maximal_repeats(text, min_words=fewest, two_sentences=False)
    found = suspicious_repeats(repeats, labels)
    found = found.chosen(cut_in_two_ways(found))
    every = {"".join(repeats.words(row)) for row in range(len(repeats))}
    return {"".join(found.words(row)) for row in range(len(found))}, every


TOKENS = ["a", "b", "ab", "ab=a+b", "ab=x+y", "a^", "b^", "ab^", "ba", "a=x+y", "aba"]


@given(st.lists(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=4), min_size=2, max_size=4))
def test_exactly_the_repeats_with_other_whole_tokens_are_found(sentences: list[list[str]]) -> None:
    found, every = quickly_found(sentences, 2)
    assert found == slowly_found(sentences, 2) & every


@pytest.mark.parametrize(
    ("one", "other", "is_found"),
    [
        (["vers", "au=à+le", "x"], ["vers", "aux", "y"], False),  # the repeat ends inside a token of the other
        (["vers", "au=à+le", "x"], ["vers", "au", "y"], True),
        (["vers", "del", "x"], ["vers", "del^", "la", "y"], False),
        (["we", "can^", "not", "x"], ["we", "cannot", "y"], True),
        (["we", "can^", "not", "x"], ["we", "cannots", "y"], False),
        (["z", "not", "so", "x"], ["can^", "not", "so", "y"], False),
    ],
)
def test_a_repeat_that_ends_inside_a_token_proves_nothing(one: list[str], other: list[str], is_found: bool) -> None:
    assert bool(quickly_found([one, other], 4)[0]) == is_found
