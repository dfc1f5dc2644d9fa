"""Key files whose truth is known: word types with sense hierarchies, and systems of known quality."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SenseTask", "sense_task"]


@dataclass(frozen=True)
class SenseTask:
    """The files of a hierarchy, a gold and some systems, of which each is better than the next one."""

    hierarchy: Path
    gold: Path
    systems: Sequence[Path]


def sense_task(
    folder: Path, seed: int, *, n_types: int = 50, qualities: Sequence[float] = (0.72, 0.71, 0.70)
) -> SenseTask:
    """Some types with 5 to 20 senses in two levels, 20 to 60 instances each.

    A system gives the right leaf with its quality as the probability, give or take what it has for each type on its
    own, or gives it its quality as the probability, and the rest to a wrong leaf or to a wrong group of leaves. So the
    expected score of a system over all types is its quality.
    """
    rng = random.Random(seed)
    indented: list[str] = []
    lines: list[list[str]] = [[] for _ in range(1 + len(qualities))]
    for number in range(n_types):
        lexelt = f"word{number}.n"
        groups = [
            [f"{lexelt}%{group}.{sense}" for sense in range(rng.randint(2, 5))] for group in range(rng.randint(2, 4))
        ]
        indented += [lexelt]
        for group, leaves in enumerate(groups):
            indented += [f"  {lexelt}%{group}", *(f"    {leaf}" for leaf in leaves)]
        swing = [rng.uniform(-0.15, 0.15) for _ in qualities]  # mean 0: quality is that over all types
        for instance in range(rng.randint(20, 60)):
            right_group = rng.randrange(len(groups))
            right = rng.choice(groups[right_group])
            name = f"{lexelt} {lexelt}.{instance}"
            lines[0].append(f"{name} {right}")
            for side, quality, more in zip(lines[1:], qualities, swing, strict=True):
                side.append(f"{name} {_answer(rng, right, right_group, groups, quality + more, lexelt)}")
    paths = [folder / f"{name}.key" for name in ("gold", *(f"system{number}" for number in range(len(qualities))))]
    for path, side in zip(paths, lines, strict=True):
        path.write_text("\n".join(side) + "\n", encoding="utf-8")
    hierarchy = folder / "senses.txt"
    hierarchy.write_text("\n".join(indented) + "\n", encoding="utf-8")
    return SenseTask(hierarchy, paths[0], paths[1:])


def _answer(
    rng: random.Random, right: str, group: int, groups: Sequence[Sequence[str]], quality: float, lexelt: str
) -> str:
    """An answer whose expected score is the quality."""
    others = [number for number in range(len(groups)) if number != group]
    wrong = rng.choice(groups[rng.choice(others)])
    kind = rng.random()
    if kind < 0.2:  # unsure: the probability of the right one is spread around the quality
        share = min(max(quality + rng.uniform(-0.1, 0.1), 0.0), 1.0)
        return f"{right}/{share:.6f} {wrong}/{1 - share:.6f}" if 0 < share < 1 else (right if share else wrong)
    if kind < 0.3:  # underspecified where it is wrong
        return f"{right}/{quality:.6f} {lexelt}%{rng.choice(others)}/{1 - quality:.6f}"
    return right if rng.random() < quality else wrong
