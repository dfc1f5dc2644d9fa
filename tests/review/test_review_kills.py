"""The server killed while judges work: nothing that was acknowledged is lost, and files are whole."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import review_kills


@pytest.mark.parametrize(("judges", "n_kills"), [(("",), 3), (("ada", "bix"), 2)])
def test_a_server_that_is_killed_has_what_it_acknowledged(judges: tuple[str, ...], n_kills: int) -> None:
    trial = review_kills.survived(n_kills, 4, names=judges, n_rows=1500)
    assert all(judge.n_acknowledged for judge in trial.judges)


@pytest.mark.slow
def test_a_server_that_is_killed_twenty_times_has_what_it_acknowledged() -> None:
    trial = review_kills.survived(20, 5)
    assert trial.judges[0].n_acknowledged > 100
    assert trial.counts["killed while writing"]
    assert trial.counts["killed while working"]


def test_a_verdict_that_is_lost_or_that_nobody_gave_is_found() -> None:
    """The check itself: a server that says something else than was acknowledged does not pass."""

    class Forgetful:
        def close(self) -> None:
            pass

        def said(self, n_rows: int) -> dict[int, review_kills.Said]:
            return {1: review_kills.Said("a", revision=1)}

    tags = [("A", "B")] * 3
    judge = review_kills.Judge("", random.Random(0), review_kills.Expected(tags))
    for number in (1, 2):
        judge.expected.apply(review_kills.Change(f"{number}", number, review_kills.Said("a")))
    with pytest.raises(SystemExit, match="acknowledged change is lost"):
        judge.check(Forgetful())  # type: ignore[arg-type]
