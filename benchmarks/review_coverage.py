"""Is it really enough? Coverage and verdicts when judges stop as `karat review` says, on text whose truth is known.

`python benchmarks/review_coverage.py --runs 1000 --output docs/review-coverage.md` makes corpora with
`karat.simulation` (30,000 tokens; 3 % of the gold's tags of ambiguous words are wrong), two taggers, and a plan of 200
rows. The lists go through `Review` and its store, a row of each judge in turn. After every few rows the estimate
beside the lists is asked, and judges stop when it says "enough", or when the lists end. A judge errs in a share of the
rows and then gives any other answer that the row offers. Designs are chosen to break it. Runs are kept in a file
(`--runs-file`) and not made again, so that 1,000 can be made in pieces.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import numpy as np

import judges_coverage
from _judging_over_http import JudgingOverHttp, judging_over_http
from karat._arrays import Array
from karat.corpus.open_verdicts import OPEN_VERDICTS
from karat.corpus.worklist import WorklistRow, write_worklist
from karat.inference.options import InferenceOptions
from karat.noise import estimates_from_verdicts
from karat.noise.estimates_from_verdicts import PairEstimate, estimate_pair
from karat.noise.human_check import noise_estimate, noise_plan
from karat.noise.intervals_from_verdicts import better
from karat.noise.looking_early import watched_stretch
from karat.noise.token_sampling import NOT_REACHED, sample_pair
from karat.review.enough import ReviewEstimate
from karat.review.error_share import always_valid_share
from karat.review.questions import question_of
from karat.review.running_estimate import Enough
from karat.review.session import Review
from karat.simulation.noise import noisy
from karat.simulation.systems import system
from karat.simulation.text import simulated
from karat.simulation.written import conllu_bytes
from noise_coverage import CORPUS_ERROR, KINDS, Noise

COVERS, WRONG = 93.0, 6.5
N_TOKENS, BUDGET, N_DRAWS = 30_000, 200, 1_000  # the draws of looks that do not go through the store
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a store on disk waits for the disk 200 times a corpus


@dataclass(frozen=True)
class Design:
    """Who judges what: the judges, the rows that all of them judge, how often they err, and how often they look."""

    name: str
    n_judges: int = 2
    overlap: int = 50
    error: float = 0.05
    kind: Noise = KINDS[1]
    is_equal: bool = False  # the systems' real accuracies are made the same, to the token
    n_documents: int | None = None
    clustering: float = 0.0
    every: int = 10
    together: float = 0.0  # the share of rows of which all judges give the same answer


_TWO, _THREE = Design("2 judges, 50 rows in common"), Design("3 judges, 50 rows in common", n_judges=3)
DESIGNS = (
    replace(_TWO, name=f"{_TWO.name}, B better"),
    replace(_TWO, name=f"{_TWO.name}, equal", is_equal=True),
    replace(_THREE, name=f"{_THREE.name}, B better"),
    replace(_THREE, name=f"{_THREE.name}, equal", is_equal=True),
    replace(_TWO, name="2 judges, equal, a look after every row", is_equal=True, every=1),
    replace(_TWO, name="2 judges, equal, 4 documents, errors in clusters", is_equal=True, n_documents=4,
            clustering=0.1),
    replace(_TWO, name="2 judges, B better, A observed ahead", kind=KINDS[2]),
    replace(_TWO, name="2 judges, equal, erring in 15 %", is_equal=True, error=0.15),
    replace(_TWO, name="2 judges, equal, erring together in half", is_equal=True, together=0.5),
    replace(_TWO, name="1 judge, equal", is_equal=True, n_judges=1, overlap=0),
    replace(_TWO, name="1 judge, B better", n_judges=1, overlap=0),
)  # fmt: skip


@dataclass(frozen=True)
class Stopped:
    """How a run ended: the verdict (1 right, −1 wrong, 0 none), the rows, whether the interval holds the truth, widths.

    `foretold` is how many rows the first estimate after 40 rows (`n_then`) said were to go, None if it named none.
    """

    design: str
    seed: int
    is_early: bool
    verdict: int
    covers: bool
    width: float
    n_rows: int
    covers_at_end: bool
    width_at_end: float
    verdict_at_end: int
    foretold: int | None
    n_then: int


def made_equal(truth: Array, a: Array, b: Array, rng: np.random.Generator) -> Array:
    """B's tags, with A's on as many words as make both right equally often."""
    ahead = (b == truth).astype(int) - (a == truth)
    surplus = int(ahead.sum())
    changed = rng.permutation(np.flatnonzero(ahead == np.sign(surplus)))[: abs(surplus)]
    b = b.copy()
    b[changed] = a[changed]
    return b


def answer(row: WorklistRow, right: str, error: float, rng: np.random.Generator) -> str:
    """A judge's verdict: the right one of the tags shown or none, in error any other."""
    choices = question_of(row).choices
    tags = {choice.words: choice.verdict for choice in choices if choice.verdict not in OPEN_VERDICTS}
    verdict = tags.get(right, "none")
    if rng.random() >= error:
        return verdict
    return str(rng.choice([other for other in tags.values() if other != verdict]))


class JudgingThroughStore:
    """Judges whose verdicts go into the stores, and the estimate beside their lists."""

    def __init__(self, reviews: Sequence[Review], gold: Path, systems: Mapping[str, Path]) -> None:
        self._estimate = ReviewEstimate(reviews, gold, systems)

    def decide(self, review: Review, item: str, verdict: str) -> None:
        review.store.decide(review.judges[0], item, verdict, request=item)

    def now(self) -> Enough:
        return self._estimate.now()


Judging = JudgingThroughStore | JudgingOverHttp


def judged(
    right: Sequence[str], reviews: Sequence[Review], judging: Judging, design: Design, seed: int
) -> Iterator[int]:
    """Judge the rows of all reviews in turn; how many verdicts there are, after each."""
    rngs = [np.random.default_rng([seed, judge, 52]) for judge in range(len(reviews))]
    common = np.random.default_rng([seed, 53])
    of_all = {}
    for review in reviews:
        for row in review.worklist.rows:
            if row.id not in of_all:
                of_all[row.id] = answer(row, right[int(row.id[1:]) - 1], design.error, common), common.random()
    n = 0
    for rows in zip_longest(*(review.worklist.rows for review in reviews)):
        for review, row, rng in zip(reviews, rows, rngs, strict=True):
            if row is None:
                continue
            verdict = answer(row, right[int(row.id[1:]) - 1], design.error, rng)
            shared, chance = of_all[row.id]
            verdict = shared if chance < design.together else verdict
            judging.decide(review, row.id, verdict)
            n += 1
            yield n


def one_run(design: Design, seed: int, *, over_http: bool = False) -> Stopped:
    """A corpus judged until it is enough, and then to the end."""
    estimates_from_verdicts.N_DRAWS = 4 * N_DRAWS  # a fifth of what is made else, which takes a fifth of the time
    rng = np.random.default_rng([seed, 51])
    text = simulated(N_TOKENS, rng, n_documents=design.n_documents)
    gold = noisy(text, CORPUS_ERROR, "random", rng, over="ambiguous")
    how = {"clustering": design.clustering, "over": "ambiguous"} | ({"by": "document"} if design.n_documents else {})
    a, b = (
        system(text, gold, t=one.t, u=one.u, p=one.p, rng=rng, **how)  # type: ignore[arg-type]
        for one in (design.kind.a, design.kind.b)
    )
    b = made_equal(text.tags, a, b, rng) if design.is_equal else b
    real = float((b == text.tags).mean()) - float((a == text.tags).mean())
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        files = {name: Path(folder) / f"{name}.conllu" for name in ("gold", "A", "B")}
        for path, tags in zip(files.values(), (gold, a, b), strict=True):
            path.write_bytes(conllu_bytes(text, tags))
        right = [text.language.tag_names[tag] for tag in text.tags.tolist()]
        systems = {name: files[name] for name in ("A", "B")}
        names = [f"j{n}" for n in range(1, design.n_judges + 1)]
        plan = noise_plan(files["gold"], systems, budget=BUDGET, judges=names,
                          overlap=design.overlap if design.n_judges > 1 else None,
                          inference=InferenceOptions(seed=seed))  # fmt: skip
        reviews = []
        for name, worklist in plan.worklists.items():
            path = Path(folder) / f"check.{name}.tsv"
            write_worklist(path, worklist)
            reviews.append(Review.opened(path, [name]))
        with ExitStack() as stack:
            for review in reviews:
                stack.callback(review.close)
            judging: Judging = (
                stack.enter_context(judging_over_http(reviews, files["gold"], systems))
                if over_http
                else JudgingThroughStore(reviews, files["gold"], systems)
            )
            stop, foretold, n_then = _followed(judging, judged(right, reviews, judging, design, seed), design)
        at_end = noise_estimate(files["gold"], systems, [review.path for review in reviews]).pair
    assert at_end is not None
    n_all = sum(len(review.worklist.rows) for review in reviews)
    lower, upper = _fixed_ends(at_end)
    return Stopped(
        design.name, seed, stop.rows_used < n_all, _verdict(stop, real), _holds(stop, real), _width(stop),
        stop.rows_used, lower - 1e-12 <= real <= upper + 1e-12, upper - lower,
        _verdict_of(at_end.verdict != "open", lower, real), foretold, n_then,
    )  # fmt: skip


def _fixed_ends(pair: PairEstimate) -> tuple[float, float]:
    """The plain interval of `noise estimate` at the end, for people who look once."""
    cases = pair.decisive or (pair.difference,)
    return (
        min(one.least for one in cases if one.least is not None),
        max(one.most for one in cases if one.most is not None),
    )


def _followed(judging: Judging, verdicts: Iterator[int], design: Design) -> tuple[Enough, int | None, int]:
    """What is said when judges stop, or at the end; how many rows were said to go after 40, and how many it were then.

    Whoever stopped has the rest judged all the same, to compare.
    """
    stopped: Enough | None = None
    foretold, n_then = None, 0
    for n in verdicts:
        if stopped is not None or n % design.every:
            continue
        now = judging.now()
        stopped = now if now.is_enough else None
        if not n_then and now.rows_used >= 40:
            foretold, n_then = now.rows_to_go, now.rows_used
    return stopped or judging.now(), foretold, n_then


def _verdict(found: Enough, real: float) -> int:
    assert found.lower is not None
    return _verdict_of(found.is_enough, found.lower, real)


def _verdict_of(is_given: bool, lower: float, real: float) -> int:
    if not is_given:
        return 0
    return 1 if (lower > 0 and real > 0) or (lower <= 0 and real < 0) else -1


def _holds(found: Enough, real: float) -> bool:
    assert found.lower is not None
    assert found.upper is not None
    return found.lower - 1e-12 <= real <= found.upper + 1e-12


def _width(found: Enough) -> float:
    assert found.lower is not None
    assert found.upper is not None
    return found.upper - found.lower


# ---- over HTTP -------------------------------------------------------------------------------------------------------


def equal_over_http(seed: int) -> bool:
    """Whether a run ends in the same way when judges send their verdicts to a server: rows, interval, verdict."""
    design = DESIGNS[seed % len(DESIGNS[:4])]
    return one_run(design, seed) == one_run(design, seed, over_http=True)


# ---- a look after every row ------------------------------------------------------------------------------------------


def peeked(n_runs: int) -> tuple[float, float]:
    """How often one of two equal systems is called better in any of 200 looks, if watched, and by plain intervals.

    Not through the store, and of a judge who never errs and is known not to: the page also asks what would be if judges
    erred, and is more careful.
    """
    watched = plain = 0
    for seed in range(n_runs):
        rng = np.random.default_rng([seed, 55])
        data = judges_coverage.pair_of((650, 650, 100), 0.8, rng)
        tokens = rng.permutation(sample_pair(data.gold, data.a, data.b, BUDGET, rng).tokens)
        shown = [side[tokens] for side in (data.gold, data.a, data.b)]
        right = judges_coverage.said(data.truth[tokens], shown, 0.0, rng)
        ever = [False, False]
        for n in range(1, BUDGET + 1):
            codes = np.where(np.arange(BUDGET) < n, right, NOT_REACHED)
            found = estimate_pair(data.gold, data.a, data.b, tokens, codes, rng, n_draws=N_DRAWS)
            value, lower, upper = found.difference.value, found.difference.lower, found.difference.upper
            if value is None or lower is None or upper is None:
                continue
            for way, times in enumerate((watched_stretch(n, BUDGET, 1400, 0.95), 1.0)):
                ever[way] |= better(value - times * (value - lower), value + times * (upper - value)) != "open"
        watched, plain = watched + ever[0], plain + ever[1]
    return watched / n_runs, plain / n_runs


# ---- shares ----------------------------------------------------------------------------------------------------------

SHARES = ((0.005, 0.0), (0.03, 0.0), (0.2, 0.0), (0.03, 0.05))  # of wrong labels, and of verdicts that are wrong
N_SAMPLE, N_WORDS, N_SHARE_RUNS = 300, 10_000, 1_000


def share_misses(share: float, error: float, n_runs: int) -> tuple[float, float, float]:
    """How often any interval of a sample, looked at after every word, misses; the last one; its mean width."""
    rng = np.random.default_rng([round(1e4 * share), round(1e4 * error), 54])
    ends = cache(always_valid_share)
    is_wrong = np.arange(N_WORDS) < round(share * N_WORDS)
    ever, last, width = 0, 0, 0.0
    for _ in range(n_runs):
        drawn = rng.permutation(is_wrong)[:N_SAMPLE] ^ (rng.random(N_SAMPLE) < error)
        every = [ends(e, n) for n, e in enumerate(np.cumsum(drawn).tolist(), start=1)]
        misses = [not lower <= share <= upper for lower, upper in every]
        ever, last, width = ever + any(misses), last + misses[-1], width + every[-1][1] - every[-1][0]
    return ever / n_runs, last / n_runs, width / n_runs


# ---- the page --------------------------------------------------------------------------------------------------------


def _share(values: Sequence[bool]) -> str:
    return f"{100 * float(np.mean(values)):.1f}"


def table(runs: Sequence[Stopped]) -> list[str]:
    lines = [
        "| design | corpora | covers | right | wrong | none | stopped early | rows, median | width | covers at the end "
        "| wrong at the end | width at the end |",
        "|" + "---|" * 12,
    ]
    for design in DESIGNS:
        of = [one for one in runs if one.design == design.name]
        if not of:
            continue
        cells = [design.name, f"{len(of):,}", _share([one.covers for one in of])]
        cells += [_share([one.verdict == verdict for one in of]) for verdict in (1, -1, 0)]
        cells += [_share([one.is_early for one in of]), f"{np.median([one.n_rows for one in of]):.0f}"]
        cells += [f"{100 * np.mean([one.width for one in of]):.2f}", _share([one.covers_at_end for one in of])]
        cells += [_share([one.verdict_at_end == -1 for one in of])]
        cells += [f"{100 * np.mean([one.width_at_end for one in of]):.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def missed_lines(runs: Sequence[Stopped]) -> list[str]:
    """Which designs do not keep to the goals, as far as the runs tell, with standard errors."""
    lines = []
    for design in DESIGNS:
        of = [one for one in runs if one.design == design.name]
        if not of:
            lines.append(f"- {design.name}: not simulated yet")
            continue
        covers, wrong = (100 * float(np.mean(one)) for one in ([r.covers for r in of], [r.verdict == -1 for r in of]))
        if covers < COVERS or wrong > WRONG:
            error = 100 * float(np.sqrt(0.05 * 0.95 / len(of)))
            lines.append(f"- {design.name}: covers {covers:.1f} %, wrong {wrong:.1f} % (standard error {error:.1f})")
    return lines


def foretold_lines(runs: Sequence[Stopped]) -> list[str]:
    """How the number of rows to go, as of 40 rows, compares with the rows that it took."""
    lines = ["| design | runs | enough by then | enough on the list |", "|---|---|---|---|"]
    for design in DESIGNS:
        of = [one for one in runs if one.design == design.name and one.foretold and one.foretold <= BUDGET - one.n_then]
        if len(of) < 10 or design.is_equal:
            continue
        by_then = [one.verdict != 0 and one.n_rows <= one.n_then + (one.foretold or 0) + design.every for one in of]
        lines.append(
            f"| {design.name} | {len(of):,} | {_share(by_then)} | {_share([one.verdict != 0 for one in of])} |"
        )
    return lines


def page(runs: Sequence[Stopped], n_share_runs: int, n_peeked: int, over_http: tuple[int, int]) -> str:
    """The page: `over_http` are the runs that were the same over HTTP, and those that were made."""
    now, plain = peeked(n_peeked)
    shares = []
    for share, error in SHARES:
        ever, last, width = share_misses(share, error, n_share_runs)
        cells = [
            f"{100 * share:g} %",
            f"{100 * error:g} %",
            f"{100 * ever:.1f}",
            f"{100 * last:.1f}",
            f"{100 * width:.1f}",
        ]
        shares.append("| " + " | ".join(cells) + " |")
    return "\n".join([
        "# When `karat review` says that it is enough",
        "",
        "Made by `python benchmarks/review_coverage.py --output docs/review-coverage.md`; the head of that file says",
        f"how. Two taggers on {N_TOKENS:,} tokens, {BUDGET} rows, through the store. Judges err in 5 % of the rows if",
        "nothing else is said, and look after every 10 verdicts. In %: runs in which the interval at the moment of",
        "stopping holds the real difference; in which the right or the wrong tagger is called better, or none. Of",
        "equal taggers each verdict is wrong. Widths in points. The last columns are for judges who judge all rows and",
        "look once at `noise estimate`: the interval of a fixed size.",
        "",
        *table(runs),
        "",
        f"The goals are {COVERS:g} % coverage and at most {WRONG:g} % wrong verdicts. Not met, or not shown:",
        "",
        *missed_lines(runs),
        "",
        "Intervals hold for people who watch (`watched_stretch`): at the end of the lists they are about 1.15 times as",
        "wide as those of `noise estimate`, which are for people who look once, and wider before.",
        "",
        f"Over HTTP, to a server of `karat review` with a coordinator who asks for the estimate, {over_http[0]} of "
        f"{over_http[1]} runs of the",
        "first four designs ended as through the store: the same rows, interval and verdict, to the last digit.",
        "",
        "## About how many more rows",
        "",
        "Runs in which, after 40 rows, some number of rows of the list was said to be needed: in how many, in %, it",
        "was enough by then (the number is for a power of 80 %, if the difference is as estimated), and on the list.",
        "",
        *foretold_lines(runs),
        "",
        "## A look after every row",
        "",
        f"Two equal taggers, {BUDGET} rows, {n_peeked:,} corpora, one judge who never errs; not through the store. One",
        f"of them is called better at any of the {BUDGET} looks in {100 * now:.1f} %; by the plain interval in "
        f"{100 * plain:.1f} %.",
        "",
        "## Shares of errors",
        "",
        f"The random sample among suspects: {N_SAMPLE} words, looked at after every word, {n_share_runs:,} samples for",
        "each row. In %: samples of which any interval misses the share of wrong labels, and of which the last does;",
        "its mean width in points. Verdicts are taken to be right: where judges err, their errors are in the share.",
        "",
        "| wrong labels | wrong verdicts | any misses | the last misses | width |",
        "|---|---|---|---|---|",
        *shares,
        "",
    ])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed, for runs on several machines")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--designs", default="", help="numbers of designs, from 0, with commas between")
    parser.add_argument("--runs-file", type=Path, default=Path("build/review-coverage.jsonl"))
    parser.add_argument("--more-runs", type=Path, nargs="*", default=[], help="files of runs made elsewhere")
    parser.add_argument("--peeked", type=int, default=1000, help="corpora looked at after every row")
    parser.add_argument("--over-http", type=int, default=50, help="runs that are made again over HTTP")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    chosen = [DESIGNS[int(n)] for n in given.designs.split(",")] if given.designs else list(DESIGNS)
    given.runs_file.parent.mkdir(parents=True, exist_ok=True)
    files = [one for one in (given.runs_file, *given.more_runs) if one.exists()]
    lines = [line for one in files for line in one.read_text().splitlines()]
    runs = [Stopped(**json.loads(line)) for line in lines]
    known = {(one.design, one.seed) for one in runs}
    wanted = [
        (one, seed)
        for seed in range(given.first, given.first + given.runs)
        for one in chosen
        if (one.name, seed) not in known
    ]
    with ProcessPoolExecutor(given.jobs) as pool, given.runs_file.open("a") as kept:
        for run in pool.map(one_run, *zip(*wanted, strict=True), chunksize=4) if wanted else ():
            kept.write(json.dumps(asdict(run)) + "\n")
            kept.flush()
            runs.append(run)
    with ProcessPoolExecutor(given.jobs) as pool:
        n_equal = sum(pool.map(equal_over_http, range(given.over_http)))
    text = page(runs, N_SHARE_RUNS, given.peeked, (n_equal, given.over_http))
    if given.output:
        given.output.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
