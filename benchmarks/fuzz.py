"""Does karat keep its promises on damaged files and odd calls?

    python benchmarks/fuzz.py --runs 100000 --seed 0 --jobs 2

Each run takes a call that works, of every verb, damages one or two of the files that it reads (CoNLL-U, tagged text,
trees, keys, XML, graphs, worklists, models, kept results, stores, TOML and JSON of every kind), sometimes changes the
call itself, and makes it in process. karat must end with a documented exit code, with a place and a code where it
refuses a file; never with a traceback, a warning of Python, a changed input or half a file; within 20 s of CPU and
1 GB; and JSON that it prints must fit its schema. Same seed, same runs, whatever the number of jobs.

`--only SEED` makes one run and keeps its folder; `--write` puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import karat
from _fuzz_cases import case_of
from _fuzz_inputs import Inputs, made_inputs
from _fuzz_run import MOST_BYTES, MOST_SECONDS, Bench, Outcome
from _fuzz_workers import fast_folder, limit_memory, outcomes

_RESULTS = Path(__file__).with_name("RESULTS.md")
_BEGINNING, _END = "<!-- fuzz -->", "<!-- end of fuzz -->"
_SHOWN = 5  # seeds of a finding
_N_LINES = 12  # of what is known of it, from both ends


@dataclass
class Tally:
    """What came of all runs."""

    n: Counter[tuple[str, int]] = field(default_factory=Counter)
    findings: defaultdict[str, list[Outcome]] = field(default_factory=lambda: defaultdict(list))
    codes: dict[int, int] = field(default_factory=dict)
    longest: Outcome | None = None
    largest: Outcome | None = None

    def add(self, one: Outcome) -> None:
        self.n[one.kind, one.code] += 1
        self.codes[one.seed] = one.code
        if one.finding:
            self.findings[one.finding].append(one)
        if self.longest is None or one.seconds > self.longest.seconds:
            self.longest = one
        if self.largest is None or one.peak > self.largest.peak:
            self.largest = one

    @property
    def n_runs(self) -> int:
        return len(self.codes)

    @property
    def fingerprint(self) -> str:
        """The same for the same exit codes of the same seeds."""
        return hashlib.sha256(repr(sorted(self.codes.items())).encode()).hexdigest()[:12]


def inputs_made() -> Inputs:
    """The inputs, made in a folder that is gone again."""
    folder = Path(tempfile.mkdtemp(prefix="karat-fuzz-", dir=fast_folder()))
    try:
        return made_inputs(folder)
    finally:
        shutil.rmtree(folder)


def fuzzed(inputs: Inputs, seeds: Sequence[int], n_jobs: int, *, is_shown: bool = False) -> Tally:
    """What comes of the runs with these seeds; of those that were made, where somebody stops them."""
    tally = Tally()
    with contextlib.suppress(KeyboardInterrupt):
        _tally(tally, inputs, seeds, n_jobs, is_shown=is_shown)
    return tally


def _tally(tally: Tally, inputs: Inputs, seeds: Sequence[int], n_jobs: int, *, is_shown: bool) -> None:
    for one in outcomes(inputs, seeds, n_jobs):
        if is_shown and one.finding and one.finding not in tally.findings:
            print(f"{one.seed}: {one.finding}\n{_indented(one.details)}", file=sys.stderr, flush=True)
        tally.add(one)
        if is_shown and tally.n_runs % 1000 == 0:
            print(f"{tally.n_runs:,} of {len(seeds):,} runs", file=sys.stderr, flush=True)


def _indented(details: str) -> str:
    lines = [line[:200] for line in details.rstrip().splitlines()]
    return "\n".join(f"    {line}" for line in [*lines[:_N_LINES], *lines[_N_LINES:][-_N_LINES:]])


def table(tally: Tally, first: int, seconds: float, n_jobs: int) -> list[str]:
    """The figures as they stand in RESULTS.md."""
    assert tally.longest is not None
    assert tally.largest is not None
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    n_found = sum(map(len, tally.findings.values()))
    lines = [
        f"# Fuzzing: {tally.n_runs:,} damaged files and odd calls",
        "",
        f"Made by `python benchmarks/fuzz.py --runs {tally.n_runs} --seed {first} --jobs {n_jobs} --write`. "
        f"{datetime.now(UTC):%Y-%m-%d}; {machine}; karat {karat.__version__}.",
        "",
        "| what was damaged | runs | exit 0 | 1 | 2 | 3 | other |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in [*sorted({kind for kind, _ in tally.n}), ""]:
        counts = Counter[int]()
        for (other, code), n in tally.n.items():
            counts[code] += n * (kind in ("", other))
        others = sum(n for code, n in counts.items() if code not in range(4))
        cells = [counts.total(), *(counts[code] for code in range(4)), others]
        lines.append(f"| {kind or 'all'} | {' | '.join(f'{cell:,}' for cell in cells)} |")
    lines += [
        "",
        f"{n_found:,} findings ({len(tally.findings):,} kinds). {seconds:.0f} s, {tally.n_runs / seconds:.0f} runs per "
        f"second. Longest run {tally.longest.seconds:.1f} s (seed {tally.longest.seed}, {tally.longest.verb}; allowed "
        f"{MOST_SECONDS:.0f} s), peak memory {tally.largest.peak / 1e6:.0f} MB (seed {tally.largest.seed}, "
        f"{tally.largest.verb}; allowed {MOST_BYTES / 1e6:.0f} MB). Fingerprint of all exit "
        f"codes: {tally.fingerprint}.",
        "",
    ]
    return lines


def findings(tally: Tally) -> list[str]:
    """Each kind of finding, the most frequent first, with seeds that show it."""
    lines = []
    for what, found in sorted(tally.findings.items(), key=lambda item: -len(item[1])):
        seeds = ", ".join(str(one.seed) for one in sorted(found, key=lambda one: one.seed)[:_SHOWN])
        lines.append(f"{len(found)} × {what}  (--only {seeds})")
    return lines


def one_run(inputs: Inputs, seed: int) -> None:
    """Make one run here, show all of it, and keep its folder."""
    case = case_of(seed, inputs)
    folder = Path(tempfile.mkdtemp(prefix=f"karat-fuzz-{seed}-"))
    limit_memory()
    found = Bench(folder, inputs).run(case, keep=True)
    shown = ", ".join(case.changed) or "nothing"
    print(f"cd {folder}\n{case}\ndamaged: {shown}; exit {found.code}; {found.seconds:.2f} s; {found.peak / 1e6:.0f} MB")
    print(f"finding: {found.finding or 'none'}\n{found.details}")


def written(lines: Iterable[str]) -> None:
    """Put the figures into RESULTS.md, in place of those of before."""
    text = _RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(f"{_BEGINNING}\n")
    after = rest.partition(f"{_END}\n")[2]
    parts = [before.rstrip("\n"), "", _BEGINNING, *lines, _END, after]
    _RESULTS.write_text("\n".join(parts).rstrip("\n") + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="SEED", help="make this run alone, and keep its files")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    inputs = inputs_made()
    if arguments.only is not None:
        one_run(inputs, arguments.only)
        return 0
    begun = time.perf_counter()
    seeds = range(arguments.seed, arguments.seed + arguments.runs)
    tally = fuzzed(inputs, seeds, arguments.jobs, is_shown=True)
    lines = table(tally, arguments.seed, time.perf_counter() - begun, arguments.jobs)
    print("\n".join([*lines, *findings(tally)]))
    if arguments.write:
        written(lines)
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
