"""karat.compare by groups: values, p and order against plain reference code, and false positives over groups."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

import inference_reference
import karat
from corruptions import ANNOTATION, TOKENISATION, Rates, corrupted
from examples import EXAMPLES, conllu, sentence
from karat.errors import UsageError
from karat.evaluation.comparison_results import Compared, GroupDifference
from karat.evaluation.group_differences import group_differences
from karat.evaluation.plain_words import verdict
from karat.evaluation.results import Skipped, SystemScores
from karat.evaluation.system_pair import Wanted
from karat.inference.clusters import each_by_itself
from karat.measures.splits import RowCounts
from karat.measures.words.dependencies import UAS
from karat.measures.words.tags import UPOS
from karat.report.group_differences import group_tables
from realdata import data

EWT = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
GOLD, ADA, BIX = (EXAMPLES / f"{name}.conllu" for name in ("gold", "ada", "bix"))
TREES = tuple(EXAMPLES / f"{name}.ptb" for name in ("gold", "ada", "bix"))
FEW = karat.InferenceOptions(n_resamples=200, cluster="sentence")
TAGS = ("NOUN", "VERB", "ADJ", "ADV")


def one(compared: Compared, split: str, group: str, measure: str) -> GroupDifference:
    (found,) = [one for one in compared.by[split] if (one.group, one.pair.measure) == (group, measure)]
    return found


# ---- values are those of karat.score --------------------------------------------------------------------------------


def assert_as_scored(
    gold: Path | str,
    systems: Mapping[str, Path | str],
    splits: Sequence[str],
    *,
    measures: str = "UPOS,LAS,CLAS,Sentences",
    **asked: object,
) -> None:
    compared = karat.compare(gold, systems, by=splits, measures=measures, inference=FEW, **asked)  # type: ignore[arg-type]
    scores = karat.score(gold, systems, by=splits, measures=measures, intervals=False, **asked)  # type: ignore[arg-type]
    for split in (*splits, *(["lexicon"] if "lexicon" in asked else [])):
        values = [
            {(group, name): found for group, of in system.by[split].items() for name, found in of.items()}
            for system in scores.systems
        ]
        compared_by = {found.measure for found in compared.pairs} | {"Feats", "Categories"}
        expected = {key for of in values for key in of if key[1] in compared_by}
        found = {(one.group, one.pair.measure): one for one in compared.by[split]}
        assert found.keys() == expected, split
        for key, difference in found.items():
            for value, of in zip((difference.pair.value_a, difference.pair.value_b), values, strict=True):
                assert value == pytest.approx(of[key].value if key in of else 0.0, abs=1e-12), (split, key)
            gold_sizes = {of[key].parts.gold for of in values if key in of and of[key].parts}  # type: ignore[union-attr]
            assert difference.n_gold in (gold_sizes or {None}), (split, key)


SPLITS = ["upos", "xpos", "deprel", "full-deprel", "distance", "direction", "feats", "document", "length"]


def test_values_by_group_are_those_of_score() -> None:
    assert_as_scored(GOLD, {"ada": ADA, "bix": BIX}, SPLITS, lexicon=ADA)


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_values_by_group_are_those_of_score_whatever_the_tokens(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("tokens")
    text = GOLD.read_text(encoding="utf-8")[:12_000].rpartition("\n\n")[0] + "\n\n"
    gold = conllu(folder / "gold.conllu", text)
    systems = {
        name: conllu(folder / f"{name}.conllu", corrupted(text, seed + number, rates))
        for number, (name, rates) in enumerate({"a": TOKENISATION, "b": ANNOTATION}.items())
    }
    assert_as_scored(gold, systems, ["upos", "deprel", "distance", "direction", "feats"])


def test_values_by_group_are_those_of_score_on_trees_and_keys(tmp_path: Path) -> None:
    gold, ada, bix = TREES
    assert_as_scored(
        gold, {"ada": ada, "bix": bix}, ["label", "length"], measures="Labelled F1,Recall-hard,Crossing Rate"
    )
    texts = {"gold": "a a.1 X\na a.2 Y\nb b.1 X\n", "one": "a a.1 X\na a.2 X\nb b.1 X\n", "two": "a a.1 Y\nb b.1 X\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.key").write_text(text, encoding="utf-8")
    instance = karat.InferenceOptions(n_resamples=200, cluster="instance")
    systems = {name: tmp_path / f"{name}.key" for name in ("one", "two")}
    compared = karat.compare(tmp_path / "gold.key", systems, by="type", inference=instance)
    scores = karat.score(tmp_path / "gold.key", systems, by="type", intervals=False)
    for found in compared.by["type"]:
        of = [system.by["type"][found.group][found.pair.measure or ""].value for system in scores.systems]
        assert [found.pair.value_a, found.pair.value_b] == pytest.approx(of)


def test_bad_sentences_are_in_no_group(tmp_path: Path) -> None:
    text = ADA.read_text(encoding="utf-8")
    broken = tmp_path / "broken.conllu"
    broken.write_text(text.replace("\t0\troot\t", "\t99\troot\t", 1), encoding="utf-8")
    assert_as_scored(GOLD, {"broken": broken, "bix": BIX}, ["upos", "distance", "feats", "length"], skip_bad=True)
    assert_as_scored(broken, {"ada": ADA, "bix": BIX}, ["upos", "distance", "feats", "length"], skip_bad=True)


def test_values_by_category_are_those_of_score(tmp_path: Path) -> None:
    texts = {
        "gold": "a\tsubst:sg:nom:f\nb\tadj:sg:nom:f:pos\n\nc\tfin:sg:ter:imperf\nd\tsubst:pl:acc:m3\n",
        "one": "a\tsubst:sg:acc:f\tsubst:sg:nom:f\nb\tadj:sg:nom:f:pos\n\nc\tfin:sg:ter:perf\nd\tadv\n",
        "two": "a\tsubst:sg:nom:f\nb\tsubst:pl:nom:f\n\nc\tfin:sg:ter:imperf\nd\tsubst:pl:gen:m3\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.tagged").write_text(text, encoding="utf-8")
    systems = {name: tmp_path / f"{name}.tagged" for name in ("one", "two")}
    assert_as_scored(
        tmp_path / "gold.tagged", systems, ["category"], measures="PA", tags=karat.TagOptions("nkjp"), column="xpos"
    )


# ---- p, written out --------------------------------------------------------------------------------------------------

Tagged = list[list[str]]


def tagged(folder: Path, name: str, tags: Tagged) -> str:
    return conllu(folder / f"{name}.conllu", *(sentence(*(f"w/{tag}" for tag in one)) for one in tags))


@settings(max_examples=40)
@given(
    n=st.integers(2, 7),
    seed=st.integers(0, 10_000),
    error=st.sampled_from([0.1, 0.4, 0.8]),
)
def test_p_of_a_group_is_that_of_swapping_its_sentences_and_holm_is_over_the_groups_that_differ(
    tmp_path_factory: pytest.TempPathFactory, n: int, seed: int, error: float
) -> None:
    """Recall by the gold's tag: of each tag the right words of each sentence, swapped in all 2ⁿ ways."""
    folder, rng = tmp_path_factory.mktemp("p"), random.Random(seed)
    gold = [[rng.choice(TAGS) for _ in range(rng.randint(1, 6))] for _ in range(n)]
    systems = {
        name: [[rng.choice(TAGS) if rng.random() < error else tag for tag in one] for one in gold] for name in "ab"
    }
    expected = {}
    for tag in TAGS:
        right = {
            name: [
                sum(ours == theirs == tag for ours, theirs in zip(*both, strict=True))
                for both in zip(gold, own, strict=True)
            ]
            for name, own in systems.items()
        }
        differences = [b - a for a, b in zip(right["a"], right["b"], strict=True)]
        if any(differences):
            expected[tag] = float(inference_reference.sign_flip_p(differences)[0])
    assume(expected)
    compared = karat.compare(
        tagged(folder, "gold", gold), {name: tagged(folder, name, own) for name, own in systems.items()},
        measures="UPOS", by="upos", statistic="recall", inference=FEW,
    )  # fmt: skip
    adjusted = dict(zip(expected, inference_reference.holm(list(expected.values())), strict=True))
    for found in compared.by["upos"]:
        assert found.pair.test == "exact permutation"
        assert found.pair.p == pytest.approx(expected.get(found.group, 1.0), abs=1e-9)
        assert found.pair.p_adjusted == pytest.approx(adjusted.get(found.group, 1.0), abs=1e-9)
        if found.group in expected:
            assert found.pair.n_compared == len(expected)
        assert found.pair.n_clusters == sum(
            any(found.group in (g, *others) for g, *others in zip(*every, strict=True))
            for every in zip(gold, *systems.values(), strict=True)
        )


def test_contributions_of_groups_add_up_to_the_difference() -> None:
    """Of UAS by upos: all words are in one group, and both systems have as many words there."""
    found = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures="UAS", by="upos", statistic="recall", inference=FEW)
    assert sum(one.share for one in found.by["upos"]) == pytest.approx(1)
    assert sum(one.contribution for one in found.by["upos"]) == pytest.approx(found.pairs[0].difference)
    known = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures="UAS", lexicon=ADA, inference=FEW)
    shares = {one.group: one.share for one in known.by["lexicon"]}
    assert shares["known"] + shares["unknown"] == pytest.approx(1)
    assert shares["known"] == pytest.approx(shares["ambiguous"] + shares["unambiguous"])


def better_on_verbs(folder: Path, n: int = 60) -> tuple[str, dict[str, str]]:
    """Two systems of which the second has verbs right that the first has wrong; else both err alike."""
    rng = random.Random(3)
    gold = [[rng.choice(TAGS) for _ in range(8)] for _ in range(n)]
    base = [["ADV" if tag == "ADJ" and rng.random() < 0.3 else tag for tag in one] for one in gold]
    worse = [["NOUN" if tag == "VERB" and rng.random() < 0.4 else tag for tag in one] for one in base]
    return tagged(folder, "gold", gold), {"a": tagged(folder, "a", worse), "b": tagged(folder, "b", base)}


def test_groups_that_matter_come_first(tmp_path: Path) -> None:
    gold, systems = better_on_verbs(tmp_path)
    found = karat.compare(gold, systems, measures="UPOS", by="upos", inference=FEW)
    groups = found.by["upos"]
    assert [verdict(one.pair, found.level) for one in groups] == ["different", "different", "same", "same"]
    assert {one.group for one in groups[:2]} == {"VERB", "NOUN"}  # what is taken for a noun costs its precision
    assert abs(groups[0].contribution) >= abs(groups[1].contribution)
    assert groups[2].share >= groups[3].share
    assert groups[0].pair.n_compared == 2
    from karat.report.comparisons import comparison_report

    report = comparison_report(found)
    assert report.verdict[-1].startswith("UPOS by upos: b is better than a on ")
    assert report.verdict[-1].endswith("worse on none; no clear difference on the other 2.")


def test_default_measures_are_those_that_score_shows_of_a_split() -> None:
    found = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, by=["deprel", "feats", "upos"], inference=FEW)
    assert {one.pair.measure for one in found.by["deprel"]} == {"UAS", "LAS"}
    assert {one.pair.measure for one in found.by["upos"]} == {"UPOS", "LAS"}
    assert {one.pair.measure for one in found.by["feats"]} == {"Feats"}


def test_a_document_is_one_cluster_of_its_own_group() -> None:
    found = karat.compare(
        GOLD, {"ada": ADA, "bix": BIX}, measures="UAS", by="document", inference=karat.InferenceOptions()
    )
    assert {verdict(one.pair, 0.95) for one in found.by["document"]} <= {"too few", "same"}
    assert {one.pair.n_clusters for one in found.by["document"]} == {1}


def test_several_systems_runs_and_adjustments() -> None:
    every = {"ada": ADA, "bix": BIX, "gold": GOLD}
    three = karat.compare(GOLD, every, measures="LAS", by="upos", inference=FEW)
    assert {(one.pair.a, one.pair.b) for one in three.by["upos"]} == {("ada", "bix"), ("ada", "gold"), ("bix", "gold")}
    two = karat.compare(GOLD, {"ada": ADA, "gold": GOLD}, measures="LAS", by="upos", inference=FEW)
    alone = {one.group: one.pair for one in two.by["upos"]}
    for found in three.by["upos"]:
        if (found.pair.a, found.pair.b) == ("ada", "gold"):
            assert found.pair.p_adjusted == alone[found.group].p_adjusted
    plain = karat.compare(GOLD, every, measures="LAS", by="upos", adjust="none", inference=FEW)
    assert all(one.pair.p_adjusted == one.pair.p for one in plain.by["upos"])
    over_all = karat.compare(GOLD, every, measures="LAS", by="upos", adjust="holm-all", inference=FEW)
    n = {one.pair.n_compared for one in over_all.by["upos"] if one.pair.n_differing}
    assert n == {sum(one.pair.n_differing != 0 for one in over_all.by["upos"])}
    runs = karat.compare(GOLD, {"ada": ADA}, runs={"r": [BIX, GOLD, ADA]}, measures="LAS", by="upos", inference=FEW)
    assert all(one.pair.test == "cluster-robust t" for one in runs.by["upos"])
    verbs = [
        karat.score(GOLD, path, by="upos", intervals=False).systems[0].by["upos"]["VERB"]["LAS"].value
        for path in (BIX, GOLD, ADA)
    ]
    assert one(runs, "upos", "VERB", "LAS").pair.value_b == pytest.approx(np.mean(verbs))


def test_swapping_systems_negates_the_differences_by_group() -> None:
    there = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures="UPOS,LAS", by="upos", inference=FEW)
    back = karat.compare(GOLD, {"bix": BIX, "ada": ADA}, measures="UPOS,LAS", by="upos", inference=FEW)
    for found in there.by["upos"]:
        other = one(back, "upos", found.group, found.pair.measure or "")
        assert (other.pair.difference, other.pair.p_adjusted) == (-found.pair.difference, found.pair.p_adjusted)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"by": "form"}, "no split by 'form'"),
        ({"by": "colour"}, "no split by 'colour'"),
        ({"by": "category"}, "needs a tagset"),
        ({"by": "upos", "measures": "Sentences"}, "needs a measure of words"),
    ],
)
def test_what_cannot_be_split_is_a_usage_error(asked: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.compare(GOLD, {"ada": ADA, "bix": BIX}, inference=FEW, **asked)  # type: ignore[arg-type]


def test_a_treebank_by_group_is_as_scored(tmp_path: Path) -> None:
    text = data(EWT).read_text(encoding="utf-8")
    text = text[: len(text) // 3].rpartition("\n\n")[0] + "\n\n"
    gold = conllu(tmp_path / "gold.conllu", text)
    rates = Rates(upos=0.05, feats=0.05, head=0.08, deprel=0.05)
    systems = {
        name: conllu(tmp_path / f"{name}.conllu", corrupted(text, seed, rates)) for name, seed in (("a", 1), ("b", 2))
    }
    assert_as_scored(gold, systems, ["upos", "distance", "direction", "feats"])


# ---- false positives over groups -------------------------------------------------------------------------------------

SIZES = (0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.03, 0.02, 0.02)  # the shares of groups, from frequent to rare


def simulated(rng: np.random.Generator, n_clusters: int, *, own_labels: bool) -> dict[str, list[SystemScores]]:
    """Two equally good systems on clusters whose words are easy or hard for both and for each; words in ten groups.

    With `own_labels` a system has other numbers of words in a group than the gold, as UPOS by upos has.
    """
    n_words = rng.integers(5, 40, n_clusters)
    gold = rng.multinomial(n_words, np.array(SIZES))
    hard = rng.normal(1.8, 0.7, n_clusters)
    names = tuple(f"g{number}" for number in range(len(SIZES)))
    systems = {}
    for name in ("a", "b"):
        chance = 1 / (1 + np.exp(-(hard + rng.normal(0, 0.5, n_clusters))))
        right = rng.binomial(gold, chance[:, None])
        system = (
            right + rng.binomial(gold.sum(axis=1, keepdims=True) - right.sum(axis=1, keepdims=True), np.array(SIZES))
            if own_labels
            else gold
        )
        counts = np.stack([gold, system, right, gold], axis=2).astype(np.float64)
        measure = UPOS() if own_labels else UAS()
        groups = {
            group: {measure.name: RowCounts(measure, rows, counts[rows, number])}
            for number, group in enumerate(names)
            if len(rows := np.flatnonzero(counts[:, number].any(axis=1)))
        }
        whole = {measure.name: counts.sum(axis=1)}
        scores = SystemScores(name, name, {}, whole, Skipped(0, 0, ()), None, "", groups={"upos": groups})
        systems[name] = [scores]
    return systems


@pytest.mark.slow
@pytest.mark.parametrize(("own_labels", "n_clusters", "n_data_sets"), [(False, 60, 250), (True, 60, 150)])
def test_false_positives_over_all_groups_of_a_split_keep_the_level(
    own_labels: bool, n_clusters: int, n_data_sets: int
) -> None:
    rng = np.random.default_rng([7, own_labels, n_clusters])
    options = karat.InferenceOptions(n_resamples=1000)
    said: Counter[str] = Counter()
    for _ in range(n_data_sets):
        systems = simulated(rng, n_clusters, own_labels=own_labels)
        found = group_differences(systems, each_by_itself(n_clusters), Wanted(options), measures_named=True)["upos"]
        said["adjusted"] += any(verdict(one.pair, 0.95) == "different" for one in found)
        said["not adjusted"] += any(one.pair.p < 0.05 for one in found)
    most = 0.065 + 3 * (0.065 * 0.935 / n_data_sets) ** 0.5
    assert said["adjusted"] / n_data_sets <= most
    assert said["not adjusted"] / n_data_sets > 0.2  # the simulation is hard enough to tell


@pytest.mark.parametrize("n_systems", [2, 3])
@pytest.mark.parametrize("details", [False, True])
def test_rows_of_groups_are_in_the_order_of_their_sizes_in_the_gold(n_systems: int, details: bool) -> None:
    systems = dict([("ada", ADA), ("bix", BIX), ("cyd", GOLD)][:n_systems])
    found = karat.compare(GOLD, systems, by=["deprel", "upos"], inference=FEW)
    for table in group_tables(found, details=details):
        sizes = [row[table.columns.index("gold")] for row in table.rows]
        assert sizes == sorted(sizes, reverse=True)  # type: ignore[type-var]  # all are numbers
