"""karat.compare from Python: pairs, rankings, runs, planning, and what must not change them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import karat
from corruptions import ANNOTATION, TOKENISATION, Rates, corrupted
from examples import EXAMPLES, conllu, sentence
from karat.errors import DataError, UsageError
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.plain_words import verdict
from karat.inference.permutation import exact_test
from realdata import data

EWT = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
GOLD, ADA, BIX = (EXAMPLES / f"{name}.conllu" for name in ("gold", "ada", "bix"))
TAGS = ("NOUN", "VERB", "ADJ", "ADV")


def tagged_corpora(folder: Path, errors: dict[str, float], n: int = 150, seed: int = 1) -> tuple[str, dict[str, str]]:
    """A gold of n sentences, and systems that have a word's tag wrong with these chances."""
    rng = random.Random(seed)
    golds = [[rng.choice(TAGS) for _ in range(rng.randint(1, 12))] for _ in range(n)]

    def written(name: str, error: float) -> str:
        sentences = []
        for tags in golds:
            own = [rng.choice(TAGS) if rng.random() < error else tag for tag in tags]
            sentences.append(sentence(*(f"w{place}/{tag}" for place, tag in enumerate(own))))
        return conllu(folder / f"{name}.conllu", *sentences)

    gold = written("gold", 0.0)
    return gold, {name: written(name, error) for name, error in errors.items()}


def corrupted_examples(folder: Path, rates: Rates, seeds: dict[str, int]) -> dict[str, str]:
    """The example's gold with seeded errors, as systems."""
    text = GOLD.read_text(encoding="utf-8")
    return {name: conllu(folder / f"{name}.conllu", corrupted(text, seed, rates)) for name, seed in seeds.items()}


def mirrored(pair: PairResult) -> PairResult:
    """What must come out with the two systems exchanged, as far as that is a mere change of signs."""
    assert pair.interval is not None
    interval = pair.interval
    assert interval.lower is not None
    assert interval.upper is not None
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        difference=-pair.difference,
        interval=replace(interval, lower=-interval.upper, upper=-interval.lower),
    )


def assert_mirrored(there: PairResult, back: PairResult) -> None:
    wanted = mirrored(there)
    assert (back.a, back.b, back.measure) == (wanted.a, wanted.b, wanted.measure)
    assert back.difference == wanted.difference
    assert (back.p, back.mid_p, back.p_adjusted, back.test) == (wanted.p, wanted.mid_p, wanted.p_adjusted, wanted.test)
    assert back.interval is not None
    assert wanted.interval is not None
    for ours, theirs in ((back.interval.lower, wanted.interval.lower), (back.interval.upper, wanted.interval.upper)):
        assert ours == pytest.approx(theirs, abs=1e-15)
    assert there.counts is not None
    assert back.counts is not None
    assert (back.counts.yn, back.counts.ny) == (there.counts.ny, there.counts.yn)
    assert back.design_effect == pytest.approx(there.design_effect, rel=1e-12)


@pytest.mark.parametrize("method", ["auto", "percentile", "t"])
@pytest.mark.parametrize("rates", [ANNOTATION, TOKENISATION], ids=["annotation", "tokenisation"])
def test_swapping_systems_negates_differences_and_mirrors_intervals(tmp_path: Path, rates: Rates, method: str) -> None:
    systems = corrupted_examples(tmp_path, rates, {"a": 1, "b": 2})
    options = karat.InferenceOptions(method=method, n_resamples=2000)  # type: ignore[arg-type]
    there = karat.compare(GOLD, systems, inference=options)
    back = karat.compare(GOLD, {"b": systems["b"], "a": systems["a"]}, inference=options)
    for one, other in zip(there.pairs, back.pairs, strict=True):
        assert_mirrored(one, other)
    renamed = karat.compare(GOLD, {"a": systems["b"], "b": systems["a"]}, inference=options)
    for one, other in zip(there.pairs, renamed.pairs, strict=True):
        assert_mirrored(one, replace(other, a=other.b, b=other.a))


def test_many_sentences_are_mirrored_too(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.2})
    there = karat.compare(gold, systems)
    assert there.pairs[0].interval is not None
    assert there.pairs[0].interval.method == "t"
    assert there.pairs[0].test == "exact permutation"
    assert_mirrored(there.pairs[0], karat.compare(gold, {"b": systems["b"], "a": systems["a"]}).pairs[0])


def test_results_do_not_depend_on_the_order_of_sentences(tmp_path: Path) -> None:
    systems = corrupted_examples(tmp_path, ANNOTATION, {"a": 1, "b": 2, "c": 3})
    order = np.random.default_rng(5).permutation(61).tolist()
    moved = {}
    for name, path in {"gold": str(GOLD), **systems}.items():
        blocks = Path(path).read_text(encoding="utf-8").split("\n\n")[:-1]
        assert len(blocks) == 61
        moved[name] = conllu(tmp_path / f"moved-{name}.conllu", *(blocks[number] + "\n\n" for number in order))
    gold = moved.pop("gold")
    for method in ("percentile", "t"):
        options = karat.InferenceOptions(method=method, cluster="sentence", n_resamples=500)
        before = karat.compare(GOLD, systems, inference=options)
        after = karat.compare(gold, moved, inference=options)
        for one, other in zip(before.pairs, after.pairs, strict=True):
            assert replace(one, documents=None).to_dict() == replace(other, documents=None).to_dict()
        assert before.ranking == after.ranking


def test_results_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    systems = corrupted_examples(tmp_path, TOKENISATION, {"a": 1, "b": 2})
    one, three = (
        karat.compare(GOLD, systems, inference=karat.InferenceOptions(method="percentile", jobs=jobs))
        for jobs in (1, 3)
    )
    assert [pair.to_dict() for pair in one.pairs] == [pair.to_dict() for pair in three.pairs]
    assert one.ranking == three.ranking


def test_the_seed_changes_resampled_intervals_and_is_in_the_signature(tmp_path: Path) -> None:
    systems = corrupted_examples(tmp_path, TOKENISATION, {"a": 1, "b": 2})
    found = [
        karat.compare(GOLD, systems, inference=karat.InferenceOptions(method="percentile", seed=seed))
        for seed in (0, 0, 1)
    ]
    assert found[0].pairs[0].interval == found[1].pairs[0].interval != found[2].pairs[0].interval
    assert "|seed:1|" in found[2].signature


@pytest.mark.parametrize("rates", [ANNOTATION, TOKENISATION], ids=["annotation", "tokenisation"])
def test_units_of_every_measure_add_up_to_its_right_ones(tmp_path: Path, rates: Rates) -> None:
    systems = corrupted_examples(tmp_path, rates, {"a": 1, "b": 2})
    scores = karat.score(GOLD, systems, intervals=False)
    names = list(scores.systems[0].measures)
    assert len(names) == 23
    for pair in karat.compare(GOLD, systems, measures=names).pairs:
        assert pair.counts is not None
        assert pair.measure is not None
        a, b = (scores.system(name)[pair.measure] for name in ("a", "b"))
        assert pair.counts.yy + pair.counts.yn == a.correct, pair.measure
        assert pair.counts.yy + pair.counts.ny == b.correct, pair.measure
        assert pair.counts.n == a.gold, pair.measure
        assert (pair.value_a, pair.value_b) == (a.value, b.value)


@pytest.mark.parametrize("statistic", ["f1", "precision", "recall", "aligned_accuracy"])
def test_the_statistic_is_what_score_says(tmp_path: Path, statistic: str) -> None:
    systems = corrupted_examples(tmp_path, TOKENISATION, {"a": 1, "b": 2})
    scores = karat.score(GOLD, systems, intervals=False)
    pair = karat.compare(GOLD, systems, measures="LAS", statistic=statistic).pairs[0]
    assert pair.value_a == getattr(scores.system("a")["LAS"], statistic)
    assert pair.difference == pair.value_b - pair.value_a
    assert (pair.test == "exact permutation") == (statistic == "recall")


def test_a_system_s_interval_is_that_of_score_whatever_else_is_compared(tmp_path: Path) -> None:
    systems = corrupted_examples(tmp_path, ANNOTATION, {"a": 1, "b": 2, "c": 3})
    options = karat.InferenceOptions(method="percentile")
    alone = karat.score(GOLD, {"b": systems["b"]}, measures="LAS", inference=options)
    among = karat.score(GOLD, systems, inference=options)
    ranked = next(
        one
        for one in karat.compare(GOLD, systems, inference=options).ranking
        if (one.name, one.measure) == ("b", "LAS")
    )
    assert alone["LAS"].interval == among.system("b")["LAS"].interval == ranked.interval
    assert alone["LAS"].lower is not None


def test_documents_are_resampled_where_there_are_two(tmp_path: Path) -> None:
    def corpus(name: str, n_documents: int, tag: str) -> str:
        sentences = []
        for number in range(2 * n_documents):
            verb = f"v/{tag if number % 2 == 0 or number % 3 == 0 else 'VERB'}"
            document = f"d{number // 2}" if number % 2 == 0 else None
            sentences.append(sentence(*("w/NOUN",) * 5, verb, newdoc=document))
        return conllu(tmp_path / f"{name}.conllu", *sentences)

    for n_documents, kind in ((20, "document"), (6, "document"), (5, "document"), (2, "document"), (1, "sentence")):
        gold, a = corpus("gold", n_documents, "VERB"), corpus("a", n_documents, "ADJ")
        compared = karat.compare(gold, {"a": a, "gold": gold})
        pair, scores = compared.pairs[0], karat.score(gold, a)
        assert compared.cluster == scores.cluster == kind
        assert pair.documents is None
        has_warning = any(f"only {n_documents} documents" in line for line in compared.warnings)
        assert has_warning == any("documents" in line for line in scores.warnings) == (2 <= n_documents < 20)
        assert (verdict(pair, 0.95) == "too few") == (n_documents < 6)
        assert pair.interval is not None
        assert (pair.interval.lower is None) == (scores["UPOS"].lower is None) == (n_documents < 3)


def test_of_few_documents_the_wider_interval_is_taken(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.3}, n=40)
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"text {number // 10}\n" for number in range(40)), encoding="utf-8")

    def found(cluster: str | Path, level: float = 0.95) -> tuple[float, float]:
        options = karat.InferenceOptions(cluster=cluster, level=level)
        pair = karat.compare(gold, systems, inference=options).pairs[0].interval
        score = karat.score(gold, systems["a"], inference=options)["UPOS"].interval
        assert pair is not None
        assert score is not None
        assert pair.lower is not None
        assert pair.upper is not None
        assert score.lower is not None
        assert score.upper is not None
        return pair.upper - pair.lower, score.upper - score.lower

    of_groups, of_sentences = found(groups), found("sentence")
    assert of_groups[0] >= of_sentences[0]
    assert of_groups[1] >= of_sentences[1]


def test_the_view_over_documents_is_what_resampling_documents_gives() -> None:
    asked = karat.InferenceOptions(cluster="sentence")
    over_sentences = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures="UAS", inference=asked)
    assert any("as requested" in line for line in over_sentences.warnings)
    options = karat.InferenceOptions(cluster="document")
    over_documents = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures="UAS", inference=options).pairs[0]
    view = over_sentences.pairs[0].documents
    assert view is not None
    assert (view.n_documents, view.p, view.design_effect) == (12, over_documents.p, over_documents.design_effect)


def test_a_file_may_give_the_clusters(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.3}, n=40)
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"text {number // 4}\n" for number in range(40)), encoding="utf-8")
    pair = karat.compare(gold, systems, inference=karat.InferenceOptions(cluster=groups)).pairs[0]
    assert (pair.cluster, pair.n_clusters) == (str(groups), 10)
    groups.write_text("one\n" * 39, encoding="utf-8")
    with pytest.raises(DataError, match="K602 39 lines where the gold has 40 sentences"):
        karat.compare(gold, systems, inference=karat.InferenceOptions(cluster=groups))


def test_holm_allows_for_the_pairs_of_each_measure_or_of_all(tmp_path: Path) -> None:
    systems = corrupted_examples(tmp_path, ANNOTATION, {"a": 1, "b": 2, "c": 3})
    for adjust, size in (("holm", 3), ("holm-all", 6), ("none", 1)):
        compared = karat.compare(GOLD, systems, measures=["UPOS", "LAS"], adjust=adjust)
        smallest = min(compared.pairs, key=lambda pair: pair.p)
        assert smallest.p_adjusted == pytest.approx(min(1.0, size * smallest.p))
        assert all(pair.p_adjusted >= pair.p for pair in compared.pairs)


def test_systems_are_ranked_and_grouped(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"poor": 0.6, "good": 0.05, "fair": 0.3, "fine": 0.05}, n=300)
    compared = karat.compare(gold, systems, measures="UPOS")
    assert [one.rank for one in compared.ranking] == [1, 2, 3, 4]
    assert {one.name for one in compared.ranking[:2]} == {"good", "fine"}
    assert [one.group for one in compared.ranking] == [1, 1, 2, 3]
    assert [len(one.not_told_apart) for one in compared.ranking] == [1, 1, 0, 0]
    assert [(one.rank_lower, one.rank_upper) for one in compared.ranking] == [(1, 2), (1, 2), (3, 3), (4, 4)]


def test_equal_systems_share_a_rank_and_a_group(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1})
    compared = karat.compare(gold, {"a": systems["a"], "b": systems["a"]}, measures="UPOS")
    assert [(one.rank, one.group) for one in compared.ranking] == [(1, 1), (1, 1)]
    pair = compared.pairs[0]
    assert (pair.p, pair.difference, pair.n_differing, pair.design_effect) == (1.0, 0.0, 0, None)
    assert pair.interval is not None
    assert (pair.interval.lower, pair.interval.note) == (None, "the clusters do not differ")


def test_the_scatter_of_runs_is_part_of_the_interval(tmp_path: Path) -> None:
    gold, steady = tagged_corpora(tmp_path, {"a": 0.2, "b1": 0.14, "b2": 0.14, "b3": 0.14}, n=400)
    a = steady.pop("a")
    narrow = karat.compare(gold, {"a": a}, runs={"b": list(steady.values())}).pairs[0]
    _, shaky = tagged_corpora(tmp_path, {"x": 0.2, "b1": 0.02, "b2": 0.14, "b3": 0.26}, n=400)
    del shaky["x"]
    wide = karat.compare(gold, {"a": a}, runs={"b": list(shaky.values())}).pairs[0]
    for pair in (narrow, wide):
        assert pair.test == "cluster-robust t"
        assert pair.counts is None
        assert pair.interval is not None
        assert pair.runs is not None
        assert (pair.runs.n_a, pair.runs.n_b, pair.runs.deviation_a) == (1, 3, None)
    assert narrow.runs is not None
    assert narrow.runs.borrowed
    assert not narrow.runs.too_few
    assert wide.runs is not None
    assert narrow.p < 0.05 < wide.p
    assert wide.interval is not None
    assert wide.interval.includes_zero
    values = [karat.score(gold, path, intervals=False)["UPOS"].value for path in shaky.values()]
    assert wide.value_b == pytest.approx(float(np.mean(values)))
    assert wide.runs.deviation_b == pytest.approx(float(np.std(values, ddof=1)))
    borrowed = float(np.std(values, ddof=1)) * (1 / 3 + 1) ** 0.5  # the single run scatters as these do
    assert wide.runs.run_error == pytest.approx(borrowed, rel=0.01)  # but for what clusters add


def test_the_interval_of_runs_covers_a_null_of_runs_as_often_as_it_says() -> None:
    """No seed effect at all: what runs differ by is what sentences add, which must not be counted twice."""
    from karat.inference.intervals import t_interval
    from karat.inference.resampling import leave_one_out, standard_error
    from karat.inference.runs import run_variance, spread

    rng = np.random.default_rng(11)
    covered = []
    for _ in range(1500):
        words = rng.integers(5, 25, 120)
        right = rng.binomial(words[:, None], 0.9, (120, 3))
        counts = np.stack([np.broadcast_to(words[:, None], right.shape), right], axis=-1).astype(np.float64)
        without = leave_one_out(counts)
        values = without[..., 1] / without[..., 0]
        sums = counts.sum(axis=0)
        variance = run_variance((sums[:, 1] / sums[:, 0]).tolist(), values)
        assert variance is not None
        found = spread(standard_error(values.mean(axis=1)), 119, [(1 / 3, variance)])
        low, high = t_interval(float((sums[:, 1] / sums[:, 0]).mean()), found.error, found.df, 0.95)
        covered.append(low <= 0.9 <= high)
    assert 0.93 <= np.mean(covered) <= 0.99  # runs that do not scatter cost some degrees of freedom


def test_documents_decide_with_runs_too(tmp_path: Path) -> None:
    def corpus(name: str, wrong: range) -> str:
        sentences = []
        for number in range(160):
            tag = "X" if number // 20 in wrong else "NOUN"
            document = f"d{number // 20}" if number % 20 == 0 else None
            sentences.append(sentence(*(f"w/{tag}",) * 6, newdoc=document))
        return conllu(tmp_path / f"{name}.conllu", *sentences)

    gold, a, b = corpus("gold", range(0)), corpus("a", range(3)), corpus("b", range(7, 8))
    plain = karat.compare(gold, {"a": a, "b": b}, measures="UPOS")
    runs = karat.compare(gold, {"a": a}, runs={"b": [b, b, b]}, measures="UPOS")
    for compared in (plain, runs):
        assert compared.pairs[0].p > 0.05
        assert verdict(compared.pairs[0], 0.95) != "different"
        asked = karat.InferenceOptions(cluster="sentence")
        over_sentences = karat.compare(gold, {"a": a, "b": b}, measures="UPOS", inference=asked).pairs[0]
        assert over_sentences.p < 1e-4
        assert verdict(over_sentences, 0.95) == "different"


def test_two_runs_are_too_few_to_tell(tmp_path: Path) -> None:
    gold, found = tagged_corpora(tmp_path, {"a": 0.6, "b1": 0.1, "b2": 0.1, "b3": 0.1}, n=300)
    a, *b = found.values()
    for runs, is_told in (({"b": b[:2]}, False), ({"b": b}, True)):
        pair = karat.compare(gold, {"a": a}, runs=runs, measures="UPOS").pairs[0]
        assert verdict(pair, 0.95) == ("different" if is_told else "open")


def test_signatures_tell_runs_from_systems(tmp_path: Path) -> None:
    _, systems = tagged_corpora(tmp_path, {"x": 0.1, "y": 0.2, "z": 0.3})
    gold = str(tmp_path / "gold.conllu")
    x, y, z = systems.values()
    found = {
        karat.compare(gold, systems).signature,
        karat.compare(gold, {"x": x}, runs={"y": [y, z]}).signature,
        karat.compare(gold, {"z": z}, runs={"x": [x, y]}).signature,
    }
    assert len(found) == 3


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.2}, n=10)
    compared = karat.compare(gold, systems)
    assert compared.missing["XPOS"] == (("gold", "xpos"), ("system", "xpos"))
    bare = tmp_path / "bare.tsv"
    bare.write_text("a\t_\nb\t_\n", encoding="utf-8")
    with pytest.raises(UsageError, match="the gold has no UPOS, for example"):
        karat.compare(bare, {"a": bare, "b": bare})


def test_one_large_document_is_a_warning(tmp_path: Path) -> None:
    sentences = [sentence("w/X", newdoc=f"d{number}" if number < 20 else None) for number in range(60)]
    gold = conllu(tmp_path / "gold.conllu", *sentences)
    assert any("the document d19 has 68 % of the words" in line for line in karat.score(gold, gold).warnings)


def test_few_resamples_are_a_warning(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.2})
    compared = karat.compare(gold, systems, inference=karat.InferenceOptions(n_resamples=100))
    assert not any("resamples" in line for line in compared.warnings)  # nothing is resampled
    options = karat.InferenceOptions(n_resamples=100, method="percentile")
    compared = karat.compare(gold, systems, inference=options)
    assert any("100 resamples are too few for a level of 0.95" in line for line in compared.warnings)
    with pytest.raises(UsageError, match="give a number from 0 to 1,000,000"):
        karat.InferenceOptions(n_resamples=10**15)


def test_one_run_is_a_system_like_any_other(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.2})
    plain = karat.compare(gold, systems).pairs[0]
    as_run = karat.compare(gold, {"a": systems["a"]}, runs={"b": [systems["b"]]}).pairs[0]
    assert plain.to_dict() == as_run.to_dict()


def test_planning_and_equivalence(tmp_path: Path) -> None:
    gold, systems = tagged_corpora(tmp_path, {"a": 0.1, "b": 0.1}, n=300)
    pair = karat.compare(gold, systems, margin=0.05, effect=0.01).pairs[0]
    assert pair.equivalence is not None
    assert pair.equivalence.holds
    assert pair.planning is not None
    assert pair.planning.power is not None
    assert pair.planning.sentences_needed is not None
    assert pair.planning.minimum_detectable > 0.01
    assert pair.planning.power < 0.8
    assert pair.planning.sentences_needed > 300
    strict = karat.compare(gold, systems, margin=1e-6).pairs[0]
    assert strict.equivalence is not None
    assert not strict.equivalence.holds
    enough = karat.compare(gold, systems, effect=pair.planning.minimum_detectable).pairs[0].planning
    assert enough is not None
    assert enough.power == pytest.approx(0.8, abs=1e-3)
    assert enough.sentences_needed == pytest.approx(300, rel=0.02)


def test_examples_are_where_one_is_right_and_the_other_wrong(tmp_path: Path) -> None:
    gold = conllu(
        tmp_path / "gold.conllu", sentence("a/X", "b/X", "c/X", sent_id="s1"), sentence("d/X", "e/X", sent_id="s2")
    )
    a = conllu(tmp_path / "a.conllu", sentence("a/X", "b/Y", "c/Y"), sentence("d/X", "e/Y"))
    b = conllu(tmp_path / "b.conllu", sentence("a/Y", "b/X", "c/X"), sentence("d/X", "e/X"))
    examples = karat.compare(gold, {"a": a, "b": b}, measures="UPOS", n_examples=5).pairs[0].examples
    found = [(one.right, one.sent_id, one.n_units, one.marked) for one in examples]
    assert found == [("a", "s1", 1, (1,)), ("b", "s1", 2, (2, 3)), ("b", "s2", 1, (2,))]
    assert examples[0].words == ("a", "b", "c")


def test_bad_gold_sentences_are_in_no_count(tmp_path: Path) -> None:
    good = [sentence("a/X", "b/X"), sentence("c/X")]
    bad = sentence("d/X/9")
    gold = conllu(tmp_path / "gold.conllu", good[0], bad, good[1])
    a = conllu(tmp_path / "a.conllu", good[0], sentence("d/X"), good[1])
    b = conllu(tmp_path / "b.conllu", good[0].replace("\tX\t", "\tY\t", 1), sentence("d/X"), good[1])
    pair = karat.compare(gold, {"a": a, "b": b}, measures=["LAS", "UPOS"], skip_bad=True, n_examples=3).pairs[1]
    assert pair.counts is not None
    assert (pair.counts.n, pair.counts.yn, pair.n_clusters) == (3, 1, 2)
    assert [one.marked for one in pair.examples] == [(1,)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": {"a": ADA}}, "only one system"),
        ({"statistic": "accuracy"}, "unknown statistic 'accuracy'"),
        ({"adjust": "bonferroni"}, "unknown adjustment 'bonferroni'"),
        ({"margin": 0.0}, "margin 0.0: it must lie between 0 and 1"),
        ({"effect": 2.0}, "effect 2.0"),
        ({"power": 1.0}, "power 1.0"),
        ({"runs": {"ada": [ADA]}}, "two systems are called 'ada'"),
        ({"runs": {"x": []}}, "'x' has no runs"),
        ({"runs": {"x": str(ADA)}}, "the runs of 'x' must be a list"),
        ({"power": 0.05}, "power 0.05: it must lie between 0.05"),
        ({"measures": "nonsense"}, "unknown measure 'nonsense'"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.compare(**{"gold": GOLD, "systems": {"ada": ADA, "bix": BIX}, **options})  # type: ignore[arg-type]


def test_counts_alone_give_the_paper_s_numbers() -> None:
    pair = karat.compare_counts(karat.PairCounts(6516, 232, 343, 4309)).pairs[0]
    assert pair.real_test is not None
    assert pair.counts is not None
    assert round(pair.real_test.size, 1) == 1139.2
    assert pair.real_test.z_lower == pytest.approx(4.636, abs=5e-4)
    assert pair.real_test.z_upper == pytest.approx(4.673, abs=5e-4)
    assert pair.counts.mcnemar_z == pytest.approx(4.629, abs=5e-4)
    assert pair.counts.unpaired_z == pytest.approx(1.50, abs=5e-3)
    assert (pair.measure, pair.cluster, pair.n_clusters, pair.design_effect) == (None, None, None, None)


def test_a_design_effect_that_is_given_widens_what_counts_say() -> None:
    counts = karat.PairCounts(6516, 232, 343, 4309)
    plain, clustered = (karat.compare_counts(counts, assumed_design_effect=effect).pairs[0] for effect in (1.0, 4.0))
    assert (plain.test, clustered.test) == ("McNemar exact", "McNemar z, design effect given")
    assert clustered.p == pytest.approx(0.0206, abs=1e-4)  # z = 4.629/2
    assert clustered.design_effect == 4
    for pair in (plain, clustered):
        assert pair.interval is not None
        assert pair.interval.lower is not None
        assert pair.interval.upper is not None
    assert plain.interval and plain.interval.lower and plain.interval.upper  # noqa: PT018
    assert clustered.interval and clustered.interval.lower and clustered.interval.upper  # noqa: PT018
    width = plain.interval.upper - plain.interval.lower
    assert clustered.interval.upper - clustered.interval.lower == pytest.approx(2 * width)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (-1, 2, 3, 4)])
def test_counts_that_cannot_be_are_a_usage_error(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(UsageError, match="counts must not be negative"):
        karat.compare_counts(karat.PairCounts(*counts))


def test_a_comparison_shows_itself_with_names_escaped() -> None:
    compared = karat.compare(GOLD, {"<b>ada</b>": ADA, "bix": BIX}, measures="LAS")
    assert repr(compared).startswith("<Compared: <b>ada</b>–bix LAS +1.15 (p = 0.5")
    html = compared._repr_html_()
    assert "<b>" not in html
    assert "<td>+1.15</td>" in html


def test_a_comparison_shows_measures_that_are_not_in_percent_as_they_are(tmp_path: Path) -> None:
    """A difference of 0.5 bits was once shown as 50.00."""
    gold, system = tmp_path / "g.key", tmp_path / "s.key"
    gold.write_text("pear.n pear.n.1 A\npear.n pear.n.2 A\nplum.n plum.n.1 A\nplum.n plum.n.2 A\n", encoding="utf-8")
    system.write_text(gold.read_text(encoding="utf-8").replace(".2 A", ".2 A/0.5 B/0.5"), encoding="utf-8")
    compared = karat.compare(gold, {"x": gold, "y": system}, measures="cross_entropy")
    assert "x–y cross_entropy +0.50 (" in repr(compared)
    html = compared._repr_html_()
    assert "<td>+0.50</td>" in html
    assert "50.00" not in html


def test_a_pair_is_found_by_its_names() -> None:
    compared = karat.compare(GOLD, {"ada": ADA, "bix": BIX}, measures=["LAS", "UPOS"])
    assert compared.pair("ada", "bix", "UPOS") is compared.pairs[1]
    with pytest.raises(KeyError, match="available: ada–bix by LAS, ada–bix by UPOS"):
        compared.pair("bix", "ada", "UPOS")


# ---- real data -------------------------------------------------------------------------------------------------------


def test_a_few_relations_restored_and_none_made_worse_are_a_certain_gain(tmp_path: Path) -> None:
    """B is A with 43 relations of EWT's 25,096 put right: an unpaired bootstrap misses that."""
    gold = data(EWT)
    gold_lines = gold.read_text(encoding="utf-8").split("\n")
    rng = random.Random(3)
    a, wrong = [], []
    for number, line in enumerate(gold_lines):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdecimal() and columns[6] != "0" and rng.random() < 0.1:
            columns[7] = "dep" if columns[7] != "dep" else "nmod"
            wrong.append(number)
        a.append("\t".join(columns))
    b = list(a)
    for number in rng.sample(wrong, 43):
        b[number] = gold_lines[number]
    paths = {name: tmp_path / f"{name}.conllu" for name in ("a", "b")}
    for name, lines in (("a", a), ("b", b)):
        paths[name].write_text("\n".join(lines), encoding="utf-8")
    for cluster in ("sentence", "document"):
        pair = karat.compare(gold, paths, measures="LAS", inference=karat.InferenceOptions(cluster=cluster)).pairs[0]
        assert pair.counts is not None
        assert (pair.counts.n, pair.counts.yn, pair.counts.ny) == (25096, 0, 43)
        assert pair.p < 1e-6
        assert pair.interval is not None
        assert pair.interval.lower is not None
        assert pair.interval.lower > 0


@pytest.fixture(scope="module")
def ewt_systems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    text = data(EWT).read_text(encoding="utf-8")
    folder = tmp_path_factory.mktemp("ewt")
    systems = {}
    for name, seed in (("a", 1), ("b", 2)):
        systems[name] = folder / f"{name}.conllu"
        systems[name].write_text(corrupted(text, seed, ANNOTATION), encoding="utf-8")
    return systems


def test_the_exact_test_is_what_scipy_estimates_on_ewt(ewt_systems: dict[str, Path]) -> None:
    from scipy.stats import permutation_test

    scores = karat.score(data(EWT), ewt_systems, measures=["UPOS", "LAS", "Lemmas"], intervals=False)
    for name in ("UPOS", "LAS", "Lemmas"):
        a, b = (scores.system(system).counts[name][:, 2] for system in ("a", "b"))
        n = 9999
        estimate = permutation_test(
            (b, a),
            lambda x, y, axis: (x - y).sum(axis=axis),
            permutation_type="samples",
            n_resamples=n,
            vectorized=True,
            batch=500,
            rng=np.random.default_rng(7),
        ).pvalue
        exact = exact_test((b - a).astype(np.intp)).p
        deviation = 2 * (exact / 2 * (1 - exact / 2) / n) ** 0.5  # scipy doubles a one-sided estimate
        assert abs(estimate - exact) < 4 * deviation + 2 / n, name


def test_comparing_on_ewt_uses_its_documents(ewt_systems: dict[str, Path]) -> None:
    compared = karat.compare(data(EWT), ewt_systems, measures="LAS")
    assert (compared.cluster, compared.pairs[0].n_clusters) == ("document", 316)
    by_hand = karat.score(data(EWT), ewt_systems, measures="LAS", intervals=False)
    documents = karat.read_conllu(data(EWT)).sentence_document
    differences = by_hand.system("b").counts["LAS"][:, 2] - by_hand.system("a").counts["LAS"][:, 2]
    sums = [int(differences[documents == number].sum()) for number in range(316)]
    assert compared.pairs[0].p == exact_test(np.array(sums)).p
