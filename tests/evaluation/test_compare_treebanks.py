"""Systems compared over folders: averages, missing and broken files, UD's layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from examples import conllu, sentence
from karat.errors import DataError
from karat.report.comparisons_over_treebanks import treebanks_comparison_report
from karat.report.treebanks import treebanks_report

TAGS = ("NOUN", "VERB", "ADJ")


def corpus(path: Path, error: float, seed: int, n_documents: int = 8) -> None:
    """Documents of six sentences with some wrong tags; the gold has none."""
    rng = np.random.default_rng(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    sentences = []
    for document in range(n_documents):
        for number in range(6):
            words = [f"w{place}/{'X' if rng.random() < error else TAGS[place % 3]}" for place in range(9)]
            sentences.append(sentence(*words, newdoc=None if number else f"d{document}"))
    conllu(path, *sentences)


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for number, name in enumerate(("aa_x.conllu", "bb_y.conllu", "cc_z.conllu")):
        corpus(tmp_path / "gold" / name, 0.0, 0)
        corpus(tmp_path / "ada" / name, 0.05 + 0.05 * number, number + 1)
        corpus(tmp_path / "bix" / name, 0.25, number + 11)
        corpus(tmp_path / "cyd" / name, 0.05 + 0.05 * number, number + 21)
    return tmp_path


def compared(folders: Path, *names: str, **options: object) -> karat.ComparedTreebanks:
    systems = {name: folders / name for name in names}
    return karat.compare_treebanks(folders / "gold", systems, measures="UPOS", **options)  # type: ignore[arg-type]


def test_a_treebank_without_a_good_gold_sentence_is_refused(folders: Path) -> None:
    (folders / "gold" / "bb_y.conllu").write_text("1\tonly two columns\n\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bb_y.conllu.*K502 no gold sentence is left to score"):
        compared(folders, "ada", "bix", skip_bad=True)
    with pytest.raises(DataError, match="K502"):
        karat.score_treebanks(folders / "gold", {"ada": folders / "ada"}, skip_bad=True)


def test_differences_are_those_of_the_scores(folders: Path) -> None:
    found = compared(folders, "ada", "bix", "cyd")
    scores = karat.score_treebanks(folders / "gold", {name: folders / name for name in ("ada", "bix", "cyd")})
    by_name = {one.name: one for one in scores.systems}
    for pair in found.macro.pairs:
        assert pair.difference == pytest.approx(by_name[pair.b].macro["UPOS"] - by_name[pair.a].macro["UPOS"])
    for pair in found.micro.pairs:
        assert pair.difference == pytest.approx(
            by_name[pair.b].micro["UPOS"].value - by_name[pair.a].micro["UPOS"].value
        )
    for treebank, one in found.treebanks.items():
        alone = karat.compare(
            folders / "gold" / treebank, {name: folders / name / treebank for name in by_name}, measures="UPOS"
        )
        for ours, theirs in zip(one.pairs, alone.pairs, strict=True):
            assert ours.difference == theirs.difference
            assert ours.interval == theirs.interval
            assert (ours.test, ours.p, ours.p_adjusted) == (theirs.test, theirs.p, theirs.p_adjusted)
    assert [one.name for one in found.macro.ranking][-1] == "bix"
    assert found.macro.ranking[-1].letters == "b"
    assert {one.letters for one in found.macro.ranking[:2]} == {"a"}


def test_the_intervals_of_scores_are_those_of_the_ranking(folders: Path) -> None:
    found = compared(folders, "ada", "bix")
    scores = karat.score_treebanks(folders / "gold", {name: folders / name for name in ("ada", "bix")}, measures="UPOS")
    for one in scores.systems:
        (macro,) = [ranked for ranked in found.macro.ranking if ranked.name == one.name]
        assert one.macro_intervals["UPOS"].lower == pytest.approx(macro.interval.lower)  # type: ignore[union-attr]
        (micro,) = [ranked for ranked in found.micro.ranking if ranked.name == one.name]
        assert one.micro["UPOS"].upper == pytest.approx(micro.interval.upper)  # type: ignore[union-attr]


def test_missing_and_broken_files_are_scored_as_0(folders: Path) -> None:
    (folders / "ada" / "aa_x.conllu").unlink()
    (folders / "bix" / "bb_y.conllu").write_text("1\tbroken\n\n", encoding="utf-8")
    found = compared(folders, "ada", "bix")
    ada, bix = found.scores.systems
    assert (ada.absent, bix.unreadable) == (("aa_x.conllu",), ("bb_y.conllu",))
    assert ada.treebanks["aa_x.conllu"]["UPOS"].value == 0 == bix.treebanks["bb_y.conllu"]["UPOS"].value
    (scored,) = karat.score_treebanks(folders / "gold", {"bix": folders / "bix"}).systems
    assert scored.unreadable == bix.unreadable
    assert scored.macro["UPOS"] == bix.macro["UPOS"]


def test_a_missing_file_is_in_the_verdict(folders: Path) -> None:
    (folders / "ada" / "aa_x.conllu").unlink()
    lacking = "scored as 0: ada (1 missing file)."
    verdict = treebanks_comparison_report(compared(folders, "ada", "bix")).verdict
    assert verdict[-1] == f"Macro average over 3 treebanks; {lacking}"
    scores = karat.score_treebanks(folders / "gold", {name: folders / name for name in ("ada", "bix")})
    assert treebanks_report(scores).verdict[0].endswith(lacking)
    assert "scored as 0" not in treebanks_comparison_report(compared(folders, "bix", "cyd")).verdict[-1]


def test_a_treebank_with_a_single_cluster_is_warned_of(folders: Path) -> None:
    """Nothing is known of its variance, which the interval of an average goes without."""
    for name in ("gold", "ada", "bix"):
        corpus(folders / name / "dd_v.conllu", 0.0, 0, n_documents=1)
        text = (folders / name / "dd_v.conllu").read_text(encoding="utf-8").split("\n\n")[0]
        (folders / name / "dd_v.conllu").write_text(text + "\n\n", encoding="utf-8")
    wanted = "only one sentence or document in dd_v: CIs of averages leave out its error"
    assert wanted in compared(folders, "ada", "bix").warnings
    assert wanted in karat.score_treebanks(folders / "gold", {"ada": folders / "ada"}).warnings


def test_an_average_of_ones_is_1(folders: Path) -> None:
    """Rounding makes it neither more than 1 nor a value that has a standard error."""
    systems = {"gold": folders / "gold", "bix": folders / "bix"}
    words = karat.compare_treebanks(folders / "gold", systems, measures="Words").macro
    assert [one.value for one in words.ranking] == [1.0, 1.0]
    assert {one.interval.method for one in words.ranking if one.interval} == {"korn-graubard"}
    scores = karat.score_treebanks(folders / "gold", systems)
    assert scores.systems[0].macro_intervals["UPOS"].upper == 1


def test_a_release_of_ud_and_short_names_are_found(folders: Path) -> None:
    release = folders / "release"
    for name in ("aa_x", "bb_y"):
        for part in ("test", "train"):
            corpus(release / f"UD_{name}" / f"{name}-ud-{part}.conllu", 0.0, 0)
        (release / f"UD_{name}" / "LICENSE.txt").write_text("text", encoding="utf-8")
    systems = {name: folders / name for name in ("ada", "bix")}
    found = karat.compare_treebanks(release, systems, measures="UPOS")
    assert list(found.treebanks) == ["aa_x-ud-test.conllu", "bb_y-ud-test.conllu"]
    assert [one.absent for one in found.scores.systems] == [(), ()]
    assert len(found.scores.surplus) == 2  # cc_z of both


def test_a_baseline_must_be_a_system(folders: Path) -> None:
    assert compared(folders, "ada", "bix", baseline="bix").to_dict()["baseline"] == "bix"
    with pytest.raises(karat.UsageError, match="no system 'x' to compare with"):
        compared(folders, "ada", "bix", baseline="x")


@pytest.mark.slow
def test_equal_systems_are_seldom_different() -> None:
    """Macro averages over three treebanks of eight documents each: the null is rejected in 5 %, and 3 s.e."""
    from karat.evaluation.all_pairs import AllPairs
    from karat.evaluation.plain_words import verdict
    from karat.evaluation.system_pair import System, Wanted
    from karat.evaluation.treebank_averages import as_average, macro_counts, pooled_clusters
    from karat.inference.clusters import each_by_itself
    from karat.inference.options import InferenceOptions
    from karat.measures.words.tags import UPOS

    n_data_sets, different, covered = 400, 0, 0
    for seed in range(n_data_sets):
        rng = np.random.default_rng([seed, 5])
        treebanks = []
        for accuracy in (0.7, 0.9, 0.95):
            words = rng.integers(100, 900, 8)
            right = [rng.binomial(words, np.clip(rng.normal(accuracy, 0.02, 8), 0, 1)) for _ in range(2)]
            treebanks.append([np.column_stack([words, words, one, words]).astype(float) for one in right])
        systems = [
            System(name, [{"UPOS": macro_counts([one[place] for one in treebanks], UPOS())}])
            for place, name in enumerate("ab")
        ]
        every = AllPairs(systems, pooled_clusters([each_by_itself(8)] * 3), Wanted(InferenceOptions()), by_t=True)
        (pair,), _ = every.compared([as_average(UPOS())])
        different += verdict(pair, 0.95) == "different"
        assert pair.interval is not None
        covered += bool(pair.interval.includes_zero)
    assert different / n_data_sets <= 0.05 + 3 * (0.05 * 0.95 / n_data_sets) ** 0.5
    assert covered / n_data_sets >= 0.95 - 3 * (0.05 * 0.95 / n_data_sets) ** 0.5
