"""Rich tags by category: precision, recall and F1 of values against plain sums."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat.tagsets import read_tagset

NKJP = read_tagset("nkjp")
TAGS = [
    "subst:sg:nom:f",
    "subst:pl:acc:f",
    "subst:sg:acc:m3",
    "adj:sg:nom:f:pos",
    "adj:pl:nom.acc:m3:com",
    "adv:pos",
    "adv",
]
TAGS += ["fin:sg:ter:imperf", "ger:sg:nom.acc:n:perf:aff", "no:such:tag"]

Tagged = list[list[str]]  # the tags of each word


def values(tags: list[str], category: str) -> set[str]:
    """All values of a category in a word's tags; none in those that are no tags."""
    found: set[str] = set()
    for text in tags:
        if text != "no:such:tag":
            tag = NKJP.parse(text)
            found |= {tag.pos} if category == "pos" else set(tag.values.get(category, ()))
    return found


def expected(gold: Tagged, system: Tagged) -> dict[str, tuple[int, int, Fraction, Fraction]]:
    """Of each category the gold words and the system words that have it, and what they score."""
    found = {}
    for category in ("pos", *NKJP.categories):
        sides = [[values(tags, category) for tags in words] for words in (gold, system)]
        n_gold, n_system = (sum(map(bool, side)) for side in sides)
        both = [(ours, theirs) for ours, theirs in zip(*sides, strict=True) if ours and theirs]
        recall = sum((Fraction(len(ours & theirs), len(ours)) for ours, theirs in both), Fraction(0))
        precision = sum((Fraction(len(ours & theirs), len(theirs)) for ours, theirs in both), Fraction(0))
        if n_gold or n_system:
            found[category] = n_gold, n_system, recall, precision
    return found


def written(path: Path, words: Tagged) -> Path:
    lines = ["\t".join([f"w{number}", *tags]) + "\n" * (1 + (number % 3 == 2)) for number, tags in enumerate(words)]
    path.write_text("".join(f"{line}\n" if not line.endswith("\n") else line for line in lines), encoding="utf-8")
    return path


words = st.lists(st.sampled_from(TAGS), min_size=1, max_size=2, unique=True)


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(words, words), min_size=1, max_size=9))
def test_categories_score_as_in_the_reference(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[list[str], list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("categories")
    gold, system = [ours for ours, _ in pairs], [theirs for _, theirs in pairs]
    if all(tags == ["no:such:tag"] for tags in gold):
        return
    files = written(folder / "gold.tsv", gold), written(folder / "system.tsv", system)
    scores = karat.score(*files, tags=karat.TagOptions("nkjp"), by="category", intervals=False, column="xpos")
    found = scores.systems[0].by["category"]
    reference = expected(gold, system)
    assert found.keys() == reference.keys()
    for category, (n_gold, n_system, recall, precision) in reference.items():
        one = found[category]["Categories"]
        assert (one.gold, one.system) == (n_gold, n_system), category
        shares = [recall / n_gold if n_gold else Fraction(0), precision / n_system if n_system else Fraction(0)]
        assert [one.recall, one.precision] == pytest.approx([float(share) for share in shares]), category
        f1 = 2 * shares[0] * shares[1] / sum(shares) if sum(shares) else Fraction(0)
        assert one.value == pytest.approx(float(f1)), category


def test_a_category_written_out(tmp_path: Path) -> None:
    """Of case: the gold has nom, nom or acc, and none; the system acc, nom, and gen."""
    gold = written(tmp_path / "gold.tsv", [["subst:sg:nom:f"], ["ger:sg:nom.acc:n:perf:aff"], ["adv"]])
    system = written(tmp_path / "system.tsv", [["subst:sg:acc:f"], ["ger:sg:nom:n:perf:aff"], ["subst:sg:gen:f"]])
    scores = karat.score(gold, system, tags=karat.TagOptions("nkjp"), by="category", intervals=False, column="xpos")
    case = scores.systems[0].by["category"]["case"]["Categories"]
    assert (case.gold, case.system, case.recall, case.precision) == (2, 3, 0.25, pytest.approx(1 / 3))
