"""Whether the conclusions of `karat demo` agree with the truth, seed by seed.

    python benchmarks/demo_seeds.py [--seeds N] [--first-seed N] [--output docs/demo-seeds.md]

Runs the demo with each seed, as the command does, and writes what was true and what karat concluded.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import karat
from karat.experiments.demo_results import OPEN, DemoInterval, DemoResult

HEAD = """# The demo, seed by seed

Made by `python benchmarks/demo_seeds.py{options} --output docs/demo-seeds.md`. What is in the columns:

- **true**, **observed**, **checked**: the accuracy in % on the truth, on the gold with errors, and as estimated from the
  check, with its 95 % interval; **✗** where the true accuracy lies outside.
- **difference**: perceptron − hmm in points, true and as estimated from the check, with its 95 % interval.
- **better**: the better tagger in truth / by `karat compare` on the gold / by the bounds of `karat noise` / after the check.
- **first 10**, **first 50**: planted errors among the first suspects.

| seed | planted | true hmm | observed | checked | true perceptron | observed | checked | true difference | checked | better | first 10 | first 50 |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|
"""  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="N")
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.first_seed, asked.first_seed + asked.seeds):
            found.append(karat.run_demo(Path(folder, "demo"), seed=seed))
            print(row(found[-1]), flush=True)
    given = {"seeds": asked.seeds, "first-seed": asked.first_seed}
    options = "".join(f" --{name} {value}" for name, value in given.items() if value != parser.get_default(_name(name)))
    text = HEAD.format(options=options) + "\n".join(map(row, found)) + "\n\n" + summary(found)
    if asked.output:
        asked.output.write_text(text, encoding="utf-8")
    else:
        print(text)


def _name(option: str) -> str:
    return option.replace("-", "_")


def row(one: DemoResult) -> str:
    """What a seed gave, as a row of the table."""
    cells = [str(one.seed), str(one.suspects.planted)]
    for system in one.systems:
        assert system.observed.value is not None
        cells += [f"{100 * system.true_accuracy:.2f}", f"{100 * system.observed.value:.2f}", shown(system.adjudicated)]
    better = one.better
    names = " / ".join((better.truth, better.compare, better.bounds, better.adjudicated))
    cells += [f"{100 * one.true_difference:+.2f}", shown(one.difference, sign="+"), names]
    cells += [str(one.suspects.first_10), str(one.suspects.first_50)]
    return f"| {' | '.join(cells)} |"


def shown(one: DemoInterval, *, sign: str = "") -> str:
    """A value and its interval, in percent; marked where the truth lies outside."""
    assert one.value is not None
    low, high = (f"{100 * end:{sign}.2f}" for end in (one.lower, one.upper))
    return f"{100 * one.value:{sign}.2f} ({low} to {high}){'' if one.inside else ' ✗'}"


def summary(found: Sequence[DemoResult]) -> str:
    """How often the conclusions were right, over the first ten seeds, the others and all."""
    parts = {"all": found} if len(found) <= 10 else {"first ten": found[:10], "others": found[10:], "all": found}
    claims = {
        "the check finds the better tagger": lambda one: one.better.is_right,
        "compare on the gold finds it": lambda one: one.better.compare == one.better.truth,
        "the bounds alone find it": lambda one: one.better.bounds == one.better.truth,
        "the worse tagger is called better by any of these": lambda one: not one.better.is_never_wrong,
        "the check leaves it open": lambda one: one.better.adjudicated == OPEN,
        "both true accuracies lie in the check's intervals": lambda one: all(s.adjudicated.inside for s in one.systems),
        "both lie in the bounds": lambda one: all(s.bounds.inside for s in one.systems),
        "both lie in the intervals that trust the gold": lambda one: all(s.observed.inside for s in one.systems),
        "the true difference lies in the check's interval": lambda one: one.difference.inside,
        "at least 8 of the first 10 suspects are planted": lambda one: one.suspects.first_10 >= 8,
    }
    lines = [f"| seeds where | {' | '.join(f'{name} ({len(part)})' for name, part in parts.items())} |"]
    lines += ["|---|" + "--:|" * len(parts)]
    for claim, holds in claims.items():
        lines.append(f"| {claim} | {' | '.join(str(sum(map(holds, part))) for part in parts.values())} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
