"""What noise costs: the bounds of very many parameters, and the estimate from a check of many tokens."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np

from _measuring import KARAT, cold, measured, time_line, warm

N_BOUNDS = 1_000_000
N_TOKENS, T = 400_000, 0.75
JUDGED = (200, 100_000)


def karat_bounds(n: str) -> object:
    """The reasonable bounds of so many combinations of K, C, a and p."""
    from karat.noise.bounds import reasonable_bounds

    shares = np.linspace(0, 1, int(n))
    return reasonable_bounds(0.8 + 0.15 * shares, 0.01 + 0.05 * shares[::-1], 2 + 2 * shares**2, 0.5 + shares / 2)


TASKS = (karat_bounds,)


def tables(folder: Path) -> list[str]:
    bounds = warm("karat", karat_bounds, 10, N_BOUNDS)
    gold, system, several = judged_files(folder)
    estimates = {}
    for n_judged, judged in several.items():
        check = ("--judgements", judged, "--corpus-error", "0.03")
        estimates[n_judged] = cold("karat", *KARAT, "noise", "estimate", gold, system, *check)
    measured([bounds, *estimates.values()], 5)
    lines = time_line(f"Bounds under a noisy gold, {N_BOUNDS:,} combinations, warm", bounds, 0.2)
    for n_judged, estimate in estimates.items():
        title = f"`karat noise estimate`, 100,000 disagreements in {N_TOKENS:,} tokens, {n_judged:,} judged"
        lines += time_line(title, estimate, 2.0)
    return lines


def judged_files(folder: Path) -> tuple[Path, Path, dict[int, Path]]:
    """A gold, a system that differs from it in some 100,000 tokens, and what a judge says who is always right."""
    from karat.corpus import read_conllu
    from karat.corpus.worklist import write_worklist
    from karat.noise.human_check import noise_plan

    simulated = folder / "noise"
    command = (*KARAT, "simulate", "-o", simulated, "--tokens", N_TOKENS, "--noise", 0.03, "--kind", "random", "--t", T)
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    gold, system = simulated / "gold.conllu", simulated / "system-tup.conllu"
    truth = read_conllu(simulated / "truth.conllu").column("upos").strings()
    several = {}
    for n_judged in JUDGED:
        worklist = noise_plan(gold, system, budget=n_judged).worklist
        rows = []
        for row in worklist.rows:
            letters = {tag: letter for letter, tag in (option.split(") ") for option in row.shown.split("  "))}
            rows.append(replace(row, verdict=letters.get(truth[int(row.id[1:]) - 1], "none")))
        several[n_judged] = folder / f"judged-{n_judged}.tsv"
        write_worklist(several[n_judged], replace(worklist, rows=tuple(rows)))
    return gold, system, several
