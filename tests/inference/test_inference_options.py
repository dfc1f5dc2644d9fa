"""What intervals and tests are made with."""

from __future__ import annotations

from typing import Any

import pytest

from karat.errors import UsageError
from karat.inference.options import InferenceOptions


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        ({"n_resamples": -1}, "-1 resamples"),
        ({"level": 1.0}, "level 1.0"),
        ({"level": 95}, "level 95"),
        ({"level": 0.05}, "level 0.05"),
        ({"level": 0.49}, "level 0.49"),
        ({"level": 0.0}, "level 0.0"),
        ({"level": -0.95}, "level -0.95"),
        ({"level": float("nan")}, "level nan"),
        ({"method": "normal"}, "unknown interval method 'normal'; choose from auto, percentile, bca, t"),
        ({"method": ""}, "unknown interval method ''"),
        ({"seed": -1}, "seed -1"),
        ({"jobs": 0}, "0 jobs"),
        ({"jobs": -2}, "-2 jobs"),
    ],
)
def test_nonsense_is_refused(wrong: dict[str, Any], shown: str) -> None:
    with pytest.raises(UsageError) as error:
        InferenceOptions(**wrong)
    assert shown in str(error.value)


def test_ends_that_make_sense_are_taken() -> None:
    assert InferenceOptions(n_resamples=0, level=0.5, seed=0, jobs=1) == InferenceOptions(n_resamples=0, level=0.5)
    assert InferenceOptions(level=0.999, seed=2**40).seed == 2**40


def test_only_intervals_of_resampled_values_need_resamples() -> None:
    assert [InferenceOptions().resamples_with(n) for n in (1, 99, 100)] == [False, False, False]
    assert [InferenceOptions(method="bca").resamples_with(n) for n in (1, 2, 3, 100)] == [False, False, True, True]
    assert not InferenceOptions(method="t").resamples_with(1000)
    assert not InferenceOptions(n_resamples=0).resamples_with(1000)


def test_a_signature_names_all_that_changes_results() -> None:
    changed = [{"n_resamples": 500}, {"level": 0.9}, {"method": "bca"}, {"seed": 7}]
    usual = InferenceOptions().signed()
    assert usual == [("level", "0.95"), ("intervals", "auto"), ("resamples", "10000"), ("seed", "0")]
    assert all(InferenceOptions(**one).signed() != usual for one in changed)  # type: ignore[arg-type]
    assert InferenceOptions(jobs=4).signed() == usual


def test_a_signature_tells_all_levels_apart() -> None:
    assert InferenceOptions(level=0.9999999).signed() != InferenceOptions(level=0.99999999).signed()
