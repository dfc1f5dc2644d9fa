"""What a person sees of a grid while it runs."""

from __future__ import annotations

from karat.cli._grid_progress import progress_lines
from karat.experiments.grid import GridProgress
from karat.experiments.plan import Condition


def cells(*squares: tuple[str, str], seeds: int = 2) -> list[Condition]:
    return [Condition("hmm", train, test, seed) for train, test in squares for seed in range(seeds)]


def test_the_matrix_shows_what_is_done_begun_and_left() -> None:
    every = cells(("UD_X-A", "UD_X-A"), ("UD_X-A", "UD_X-Long"), ("UD_X-B", "UD_X-A"))
    assert progress_lines(GridProgress(every[:3], every, 61.0)) == [
        "3 of 6 cells done, 3 to go, 61 s left",
        "                           A   Long",
        "              UD_X-A       ■      1",
        "              UD_X-B       ·       ",
    ]


def test_very_large_grids_stay_within_a_terminal() -> None:
    every = cells(*((f"UD_Language-{a}", f"UD_Language-Number{b}") for a in range(40) for b in range(40)), seeds=1)
    lines = progress_lines(GridProgress(every, every, None))
    assert lines[0] == "1,600 of 1,600 cells done, 0 to go"
    assert max(map(len, lines)) <= 79
    assert len(lines) <= 24
