"""Whole experiments: the parts fit together, and what is said of them is so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.errors import UsageError
from karat.simulation._known_truth import KnownTruth, Settings, known_truth
from karat.simulation.described import described
from karat.simulation.folder import check_folder, write_folder
from karat.simulation.noise import KINDS, Kind
from karat.simulation.systems import By, realised


def bigram_u(kind: Kind) -> float:
    known = known_truth(Settings(n_tokens=20_000, noise=0.03, kind=kind))
    return realised(known.truth, known.gold, known.systems["bigram"]).u or 0


def test_the_training_text_has_the_same_systematic_errors() -> None:
    assert bigram_u("systematic") < 0.65
    assert bigram_u("random") > 0.85


def test_all_settings_reach_the_system() -> None:
    settings = Settings(n_tokens=20_000, noise=0.2, over="ambiguous", t=0.8, u=0.3, p=0.8)
    known = known_truth(settings)
    found = realised(known.truth, known.gold, known.systems["tup"], over="ambiguous")
    assert (found.t, found.u, found.p) == pytest.approx((0.8, 0.3, 0.8), abs=0.05)
    assert found.corpus_error == pytest.approx(0.2, abs=0.02)
    clustered = [known_truth(Settings(n_tokens=20_000, noise=0, t=0.9, clustering=0.2, by=by)) for by in BY]
    by_sentence, by_document = map(spread_over_documents, clustered)
    assert by_document > 2 * by_sentence


BY: tuple[By, By] = ("sentence", "document")


def spread_over_documents(known: KnownTruth) -> float:
    """The standard deviation of accuracies of documents that are not too small."""
    right = known.systems["tup"] == known.truth.tags
    sizes = np.bincount(known.truth.token_documents)
    accuracies = np.bincount(known.truth.token_documents, weights=right) / sizes
    return float(accuracies[sizes > 100].std())


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_is_so(kind: Kind) -> None:
    known = known_truth(Settings(n_tokens=5000, noise=0.1, kind=kind, seed=4))
    about = described(known)
    truth = known.truth
    ambiguous = int(truth.ambiguous.sum())
    assert about.ambiguous_share == ambiguous / 5000
    assert about.gold_error == {
        "all": np.count_nonzero(known.gold != truth.tags) / 5000,
        "ambiguous": np.count_nonzero(known.gold != truth.tags) / ambiguous,
    }
    assert about.training_error["all"] == np.mean(known.training_tags != known.training.tags)
    for one in about.systems:
        assert one.all_tokens == realised(truth, known.gold, known.systems[one.name])
        assert one.ambiguous.n_tokens == ambiguous
        assert one.ambiguous.only_gold_right == one.all_tokens.only_gold_right


def test_training_and_test_text_differ() -> None:
    known = known_truth(Settings(n_tokens=500, noise=0.1))
    assert not np.array_equal(known.truth.words, known.training.words)


def test_writing_checks_the_folder_itself(tmp_path: Path) -> None:
    known = known_truth(Settings(n_tokens=50, noise=0.1))
    (tmp_path / "gold.conllu").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        write_folder(tmp_path, known, described(known))
    assert [path.name for path in tmp_path.iterdir()] == ["gold.conllu"]


def test_a_folder_with_a_name_that_no_system_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: File name too long"):
        check_folder(tmp_path / ("x" * 3000))
