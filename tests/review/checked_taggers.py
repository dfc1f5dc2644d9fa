"""Two made-up taggers beside a gold, lists of `noise plan`, and judges who work through the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from karat.corpus.worklist import WorklistRow, write_worklist
from karat.noise.human_check import noise_plan
from karat.review.questions import question_of
from karat.review.session import Review
from karat.simulation.noise import noisy
from karat.simulation.systems import system
from karat.simulation.text import simulated
from karat.simulation.written import conllu_bytes


@dataclass(frozen=True)
class CheckedTaggers:
    """The files, and the right tag of every word."""

    folder: Path
    right: list[str]

    @property
    def gold(self) -> Path:
        return self.folder / "gold.conllu"

    @property
    def systems(self) -> dict[str, Path]:
        return {name: self.folder / f"{name}.conllu" for name in ("A", "B")}

    def lists(self, budget: int, judges: list[str], overlap: int | None = None) -> list[Path]:
        """The lists of a plan, written."""
        plan = noise_plan(self.gold, self.systems, budget=budget, judges=judges, overlap=overlap)
        paths = []
        for name, worklist in plan.worklists.items():
            paths.append(self.folder / f"check.{name}.tsv")
            write_worklist(paths[-1], worklist)
        return paths

    def verdict(self, row: WorklistRow) -> str:
        """The right one of what a row offers."""
        tags = {choice.words: choice.verdict for choice in question_of(row).choices}
        return tags.get(self.right[int(row.id[1:]) - 1], "none")


def made_taggers(folder: Path, *, seed: int = 0, n_tokens: int = 8_000, b: float = 0.96) -> CheckedTaggers:
    """Taggers of which A is right in 93 % of ambiguous words, and B in such a share."""
    rng = np.random.default_rng(seed)
    text = simulated(n_tokens, rng)
    gold = noisy(text, 0.03, "random", rng, over="ambiguous")
    made = [system(text, gold, t=t, u=0.5, p=0.9, rng=rng, over="ambiguous") for t in (0.93, b)]
    for name, tags in zip(("gold", "A", "B"), (gold, *made), strict=True):
        (folder / f"{name}.conllu").write_bytes(conllu_bytes(text, tags))
    return CheckedTaggers(folder, [text.language.tag_names[tag] for tag in text.tags.tolist()])


def judge_rows(
    review: Review, places: Iterable[int], verdict: Callable[[WorklistRow], str], judge: str | None = None
) -> None:
    """Decide rows through the store; None as a verdict is not to be sure."""
    who = review.judges[0] if judge is None else judge
    for place in places:
        row = review.worklist.rows[place]
        said = verdict(row)
        review.store.decide(who, row.id, said, unsure=not said, request=f"{row.id} {said}")
