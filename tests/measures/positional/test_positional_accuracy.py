"""How much of a tag is right: the paper's examples, and the fast scores against the formulas."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat.errors import DataError, UsageError
from karat.evaluation.results import MeasureScore
from karat.measures.positional.accuracy import TAG_SCORES, ScoreTable, TagScoring, score_table
from karat.measures.positional.options import Slots, TagOptions
from karat.measures.positional.rich_tags import RichTags
from karat.tagsets import Tag, read_tagset
from karat.tagsets._description import tagset_from_text
from karat.weights import Weights, read_weights
from tag_reference import Score, exact, pos_only, positional, scored

NKJP = read_tagset("nkjp")
POLIQARP = read_weights("poliqarp-2010")
TWO = {"pos": 2.0, "case": 2.0, "number": 2.0, "gender": 2.0, "aspect": 0.5, "negation": 0.5}
TOY = {
    "ger": {"pos": 1.0, "number": 2.0, "case": 4.0, "gender": 0.0, "aspect": 1.0, "negation": 1.0},
    "subst": {"pos": 1.0, "number": 2.0, "case": 4.0, "gender": 1.0},
}


def pair(gold: str, system: str, score: str, weights: Weights | None = None) -> tuple[float, float, float]:
    """Precision, recall and F-measure of one tag for another."""
    tags = NKJP.parse(gold), NKJP.parse(system)
    table = score_table([tags[0]], [tags[1]], np.array([[gold == system]]), TagScoring(NKJP, weights), score)
    return float(table.precision[0, 0]), float(table.recall[0, 0]), float(table.score[0, 0])


@pytest.mark.parametrize(
    ("gold", "system", "score", "weights", "expected"),
    [
        ("subst:sg:nom:n", "ger:sg:nom:n:perf:aff", "PA", None, (Fraction(1, 2), Fraction(3, 4), Fraction(3, 5))),
        ("subst:sg:nom:n", "ger:sg:nom:n:perf:aff", "WPA", Weights("two", TWO),
         (Fraction(2, 3), Fraction(3, 4), Fraction(12, 17))),
        ("subst:sg:nom:n", "ger:sg:nom:n:perf:aff", "CWPA", Weights("toy", {}, TOY),
         (Fraction(2, 3), Fraction(7, 8), Fraction(28, 37))),
        ("subst:pl:acc:n", "subst:pl:nom:n", "PA", None, (Fraction(3, 4), Fraction(3, 4), Fraction(3, 4))),
        ("subst:pl:acc:n", "fin:sg:ter:perf", "PA", None, (0, 0, 0)),
        ("subst:pl:acc:n", "subst:pl:nom:n", "pos", None, (1, 1, 1)),
        ("subst:pl:acc:n", "subst:pl:nom:n", "exact", None, (0, 0, 0)),
        ("subst:pl:acc:n", "subst:pl:acc:n", "exact", None, (1, 1, 1)),
    ],
)  # fmt: skip
def test_the_paper_s_examples(
    gold: str, system: str, score: str, weights: Weights | None, expected: tuple[Fraction, ...]
) -> None:
    assert pair(gold, system, score, weights) == pytest.approx(tuple(map(float, expected)), abs=1e-15)


def test_the_paper_s_weights() -> None:
    assert pair("subst:sg:nom:n", "ger:sg:nom:n:perf:aff", "WPA", POLIQARP)[2] == pytest.approx(0.30570, abs=5e-6)
    assert pair("subst:pl:acc:n", "subst:pl:nom:n", "WPA", POLIQARP)[2] == pytest.approx(0.7419, abs=5e-5)
    assert POLIQARP.absolute["pos"] == 37771
    assert len(POLIQARP.absolute) == 12


@pytest.mark.parametrize(
    ("precision", "recall", "f1"),
    [(89.93, 84.72, 87.25), (90.94, 83.78, 87.21), (92.26, 85.00, 88.49), (95.71, 97.61, 96.65), (96.58, 96.71, 96.65),
     (98.20, 98.26, 98.23), (95.69, 95.44, 95.57), (96.12, 95.00, 95.56), (97.42, 96.27, 96.84), (95.34, 96.56, 95.95),
     (95.97, 95.94, 95.95), (97.41, 97.34, 97.38)],
)  # fmt: skip
def test_f_of_tables_2_to_5_follows_from_p_and_r(precision: float, recall: float, f1: float) -> None:
    """The measure's own F-measure, from counts that give these P and R."""
    measure = RichTags(TagOptions("nkjp")).measures()["PA"]
    counts = np.zeros(len(measure.fields))
    n = 100_000
    counts[[0, 1, 2, 4, 7]] = n, n, n * recall / 100, n * precision / 100, n
    assert 100 * MeasureScore.from_counts(measure, counts).f1 == pytest.approx(f1, abs=0.01)


# ---- against the formulas

SMALL = tagset_from_text(
    """
name = "small"
cut = "separated"
value-separator = "."
[values]
number = ["sg", "pl"]
case = ["nom", "gen", "acc"]
gender = ["m", "f"]
aspect = ["imp", "perf"]
[pos]
noun = ["number", "case", "?gender"]
verb = ["number", "aspect"]
adj = ["number", "case", "gender"]
part = []
""",
    "small.toml",
)


@st.composite
def tags(draw: st.DrawFn) -> Tag:
    """A tag of the small tagset, in which a category may have several values."""
    pos = draw(st.sampled_from(SMALL.parts_of_speech))
    pieces = [pos]
    for slot in SMALL.slots[pos]:
        if slot.optional and draw(st.booleans()):
            continue
        values = draw(st.lists(st.sampled_from(list(SMALL.values[slot.category])), min_size=1, max_size=2, unique=True))
        pieces.append(".".join(values))
    return SMALL.parse(":".join(pieces))


weight_tables = st.dictionaries(
    st.sampled_from(["pos", "number", "case", "gender", "aspect"]), st.integers(0, 5).map(float), min_size=1
).filter(lambda table: any(table.values()))


class How(NamedTuple):
    """Options of scoring."""

    missing: float
    declared: bool
    ignored: frozenset[str]

    @property
    def slots(self) -> Slots:
        return "declared" if self.declared else "present"


options = st.builds(
    How,
    st.sampled_from([0.0, 1.0, 0.5]),
    st.booleans(),
    st.frozensets(st.sampled_from(["pos", "number", "case", "gender"]), max_size=2),
)


def reference(score: str, weights: Weights, how: How) -> Score:
    if score == "exact":
        return exact(how.ignored)
    if score == "pos":
        return pos_only(SMALL)
    table = weights.absolute if score == "WPA" else None
    conditional = weights.conditional if score == "CWPA" else None
    return positional(SMALL, table, conditional, missing=how.missing, declared=how.declared, ignored=how.ignored)


def scoring(weights: Weights, how: How) -> TagScoring:
    return TagScoring(SMALL, weights, how.slots, how.ignored, how.missing)


@given(
    st.lists(tags(), min_size=1, max_size=5),
    st.lists(tags(), min_size=1, max_size=5),
    weight_tables,
    st.dictionaries(st.sampled_from(SMALL.parts_of_speech), weight_tables, min_size=1),
    options,
    st.sampled_from(TAG_SCORES),
)
@settings(max_examples=300)
def test_scores_are_those_of_the_formulas(
    gold: list[Tag],
    system: list[Tag],
    absolute: dict[str, float],
    conditional: dict[str, dict[str, float]],
    how: How,
    score: str,
) -> None:
    weights = Weights("w", absolute, conditional)
    same = np.array([[a.text == b.text for b in system] for a in gold])
    found = score_table(gold, system, same, scoring(weights, how), score)
    expected = reference(score, weights, how)
    for row, one in enumerate(gold):
        for column, other in enumerate(system):
            assert found.score[row, column] == pytest.approx(float(expected(other, one)), abs=1e-12)


@given(st.lists(tags(), min_size=1, max_size=6), st.lists(tags(), min_size=1, max_size=6))
def test_swapping_sides_swaps_precision_and_recall(gold: list[Tag], system: list[Tag]) -> None:
    same = np.zeros((len(gold), len(system)), dtype=np.bool_)
    how = TagScoring(SMALL, POLIQARP)
    there: ScoreTable = score_table(gold, system, same, how, "WPA")
    back = score_table(system, gold, same.T, how, "WPA")
    np.testing.assert_allclose(there.precision, back.recall.T)
    np.testing.assert_allclose(there.score, back.score.T)


Words = list[tuple[list[Tag], list[Tag]]]
several = st.lists(tags(), max_size=3, unique_by=lambda tag: tag.text)
words = st.lists(st.tuples(several, several), min_size=1, max_size=8)


def files(folder: Path, text: Words, n_sentences: int) -> tuple[Path, Path]:
    """The gold and the system as tagged text with several tags a word; a word without any has `_`."""
    paths = folder / "gold.tsv", folder / "system.tsv"
    for side, path in enumerate(paths):
        lines = []
        for number, word in enumerate(text):
            lines.append("\t".join([f"w{number}", *([tag.text for tag in word[side]] or ["_"])]))
            if number % n_sentences == n_sentences - 1:
                lines.append("")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


@given(
    words,
    st.integers(1, 4),
    weight_tables,
    st.dictionaries(st.sampled_from(SMALL.parts_of_speech), weight_tables, min_size=1),
    options,
    st.sampled_from(TAG_SCORES),
)
@settings(max_examples=100, deadline=None)
def test_several_tags_are_scored_as_the_formulas_say(
    tmp_path_factory: pytest.TempPathFactory,
    text: Words,
    n: int,
    absolute: dict[str, float],
    conditional: dict[str, dict[str, float]],
    how: How,
    score: str,
) -> None:
    weights = Weights("w", absolute, conditional)
    gold, system = files(tmp_path_factory.mktemp("tags"), text, n)
    chosen = TagOptions(SMALL, weights, how.slots, how.missing, how.ignored)
    if not any(tag for one in text for tag in one[0]) or not any(tag for one in text for tag in one[1]):
        return  # there is no column to score
    found = karat.score(gold, system, measures=score, tags=chosen, input="tsv", intervals=False)[score]
    expected = scored(text, reference(score, weights, how))
    for name in ("precision", "recall", "f1"):
        assert getattr(found, name) == pytest.approx(float(expected[name]), abs=1e-12), name
    for name in ("weak_correctness", "strong_correctness"):
        assert found.extras[name] == pytest.approx(float(expected[name]), abs=1e-12), name


def test_two_tags_that_score_0_6_make_a_recall_of_0_6(tmp_path: Path) -> None:
    """Not of 1.2, as with definitions that add scores up [footnote 3]."""
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("zadanie\tsubst:sg:nom:n\n", encoding="utf-8")
    system.write_text("zadanie\tger:sg:nom:n:perf:aff\tger:sg:nom:n:imperf:aff\n", encoding="utf-8")
    found = karat.score(gold, system, measures="PA", tags=TagOptions("nkjp"), intervals=False)["PA"]
    assert (found.recall, found.precision) == pytest.approx((0.6, 0.6))
    assert (found.gold, found.system) == (1, 2)


def test_words_cut_otherwise_are_misses_or_hits(tmp_path: Path) -> None:
    """Of four gold words one is right, one half right (PA 3/4), two are one word of the system: 1.75/4 or 3.75/4."""
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text(
        "dom\tsubst:sg:nom:m3\nlas\tsubst:sg:nom:m3\npo\tprep:loc\nnim\tppron3:sg:loc:m3:ter:akc:praep\n",
        encoding="utf-8",
    )
    system.write_text("dom\tsubst:sg:nom:m3\nlas\tsubst:sg:acc:m3\nponim\tadv\tpred\n", encoding="utf-8")
    found = karat.score(gold, system, measures="PA", tags=TagOptions("nkjp"), intervals=False)["PA"]
    assert found.recall == pytest.approx(1.75 / 4)
    assert found.precision == pytest.approx(1.75 / 4)
    hit_recall, hit_precision = 3.75 / 4, 3.75 / 4  # two tags on the system's one word
    assert found.extras["if_hit"] == pytest.approx(2 * hit_recall * hit_precision / (hit_recall + hit_precision))


def test_a_tag_that_does_not_parse_is_right_only_as_a_whole(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("a\tnoun:sg\nb\tnoun:sg\nc\tsubst:sg:nom:f\n", encoding="utf-8")
    system.write_text("a\tnoun:sg\nb\tnoun:pl\nc\tsubst:sg:nom:f\n", encoding="utf-8")
    scores = karat.score(gold, system, measures=["PA", "pos"], tags=TagOptions("nkjp"), intervals=False)
    assert scores["PA"].f1 == scores["pos"].f1 == pytest.approx(2 / 3)
    (warning,) = scores.warnings
    assert "2 tags are not in the tagset nkjp" in warning
    assert "no part of speech 'noun'" in warning


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("a\tsubst:sg:nom:f\n", encoding="utf-8")
    for bad in (
        TagOptions("nkjp", ignore_category=["colour"]),
        TagOptions("nkjp", missing_weight=-1),
        TagOptions("nope"),
        TagOptions("nkjp", "nope"),
        TagOptions("nkjp", slots="some"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError):
            karat.score(gold, gold, tags=bad)
    with pytest.raises(UsageError, match="conditional"):
        karat.score(gold, gold, measures="CWPA", tags=TagOptions("nkjp"))
    bad_file = tmp_path / "w.toml"
    bad_file.write_text("schema = 'karat/weights/1'\n[weights]\ncase = -1\n", encoding="utf-8")
    with pytest.raises(DataError, match="K811"):
        karat.score(gold, gold, tags=TagOptions("nkjp", bad_file))
