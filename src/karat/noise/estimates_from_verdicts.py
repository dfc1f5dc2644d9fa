"""What people's judgements of a sample of tokens say: a system's real accuracy, the corpus's errors, who is better.

What is random is the sample of tokens. The corpus, its gold and the systems' tags are what they are: the observed
accuracy is known exactly, and once every token is judged, nothing is left open. Who wants to speak of more text of the
same kind gives `clusters` (the sentence or document of each token), and the corpus's own sampling error is added.

Values are design-based: each stratum's shares among what was judged there, weighted by its size. Blanks (NOT_JUDGED)
count as not sampled, as if they had been left at random; `least` and `most` do without that assumption. Rows that no
judge has come to (NOT_REACHED) were left at random: the order is.

Where several judges have judged the same tokens, their errors are estimated and taken off (`judge_errors`). Otherwise
estimates are as if judges never erred, and `sensitivity` says what they are if judges do.

Intervals are made of what the corpus could be (`intervals_from_verdicts`). The prior of a stratum's shares has
Jeffreys' ½ for what the gold says and ¼ for each of two others that can be right, or ⅓ where two systems differ and the
gold is with one of them. It was chosen by simulation, at four kinds of noise (docs/noise-coverage.md). The stratified
normal interval covers an accuracy 90 to 95 % of the time if C is not known, since of the rare errors in agreements few
or none are seen. Where random noise leaves next to no judgement against the gold, one more or less of them decides, and
no interval covers a difference 95 % of the time whatever their rate: with ¼ it is 92 to 97 %, with ½ up to 98 %, with
⅓ 94 to 98 %. Where judges are seen or supposed to err, most errors that they find in agreements are their own, and the
share of real ones lies next to its bound of 0. Jeffreys' ½ favours that bound, and intervals cover 97 to 99 %; with 1,
which is nearly flat there, they cover 94 to 96 % (docs/calibration.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat.errors import UsageError
from karat.noise.bounds import CELLS
from karat.noise.intervals_from_verdicts import (
    AlwaysValid,
    Better,
    CheckedEstimate,
    ErringJudges,
    Found,
    IfJudgesErr,
    JudgeError,
    Reading,
    RightJudges,
    better,
    estimates,
    judge_errors_from,
)
from karat.noise.judge_errors import BLANK, FEWEST_SHARED, Patterns, patterns
from karat.noise.judges import merged_judges
from karat.noise.looking_early import more_rows
from karat.noise.token_sampling import (
    NOT_JUDGED,
    NOT_REACHED,
    ONE_STRATA,
    PAIR_STRATA,
    CheckedStrata,
    StratumCheck,
    checked_strata,
    strata_one,
    strata_pair,
)

N_DRAWS = 20_000
SUPPOSED_ERRORS = (0.0, 0.01, 0.02, 0.05)  # of judges, where there is nothing to estimate them from
_ROUNDING = 1e-9

# what a judgement can say: of one system, where it differs from the gold and where it does not; of two
_GOLD_RIGHT, _BOTH_WRONG, _SYSTEM_RIGHT = range(3)
_NO_DIFFERENCE, _A_RIGHT, _B_RIGHT, _GOLD_ALONE = range(4)
_ONE_PRIOR = np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])
_ONE_PRIOR_IN_DOUBT = np.array([[0.5, 0.25, 0.25], [0.5, 1.0, 0.0]])
_PAIR_PRIOR = np.array([[1 / 3, 0.5, 1 / 3], [1 / 3, 1 / 3, 0.5], [0.5, 0.25, 0.25]])
# the answers that a row offers; where neither system has the gold's tag, that and `none` are two
_ONE_ANSWERS, _PAIR_ANSWERS = (3, 2), (3, 3, 4)
_PAIR_ANSWER_PRIOR = np.column_stack([_PAIR_PRIOR, np.zeros(3)])
_PAIR_ANSWER_PRIOR[2] = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEstimate:
    """What a check says, of one system or of two; `observed` is what is seen without it.

    It `is_finished` if every row that was to be judged was reached; `n_left` tokens were not.
    """

    observed: float
    strata: tuple[StratumCheck, ...]
    level: float
    always_valid: AlwaysValid | None
    sensitivity: tuple[IfJudgesErr, ...]
    judge_errors: tuple[JudgeError, ...]
    is_finished: bool
    n_left: int

    @property
    def decisive(self) -> tuple[IfJudgesErr, ...]:
        """`sensitivity` with the ends that verdicts are by: while rows are left, those that hold for all who look."""
        return tuple(one if self.is_finished else one.early for one in self.sensitivity)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEstimate(JudgedEstimate):
    """What a check says of one system; None for what was not asked or cannot be: shares of nothing.

    In the paper's letters: `observed` K, `accuracy` x, `corpus_error` C as the check found it, `right_where_gold_right`
    t, `right_where_gold_wrong` u, `same_error` p. `right_where_different` (f) and `both_wrong_where_different` (g) are
    shares of the tokens where system and gold differ, `wrong_where_same` (e) of those where they agree. `cells` are
    those of Table 1, the cases of the evaluation itself, as shares of all words (`noise.bounds.evaluation_table`).
    """

    known_corpus_error: float | None
    accuracy: CheckedEstimate | None
    corpus_error: CheckedEstimate | None
    right_where_different: CheckedEstimate | None
    both_wrong_where_different: CheckedEstimate | None
    wrong_where_same: CheckedEstimate | None
    right_where_gold_right: CheckedEstimate | None
    right_where_gold_wrong: CheckedEstimate | None
    same_error: CheckedEstimate | None
    cells: Mapping[str, CheckedEstimate | None]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEstimate(JudgedEstimate):
    """What a check says of two systems: x_B − x_A, and the posterior chance that B is better (ties count half).

    The verdict is "A" or "B" if the interval excludes 0 however the blanks are judged, and however often judges err
    where that is not known; while rows are still to be reached, the interval is the one that holds for all who look.
    `rows_to_settle` is how many more rows lead there with a power of 80 %, if the difference is as estimated: 0 if
    there is a verdict, None if no number of rows does.
    """

    difference: CheckedEstimate
    probability_b_better: float | None
    rows_to_settle: int | None = None

    @property
    def verdicts(self) -> tuple[Better, ...]:
        """The verdict for each supposed rate of judges' errors; a single one where that is estimated."""
        return tuple(better(one.least, one.most) for one in self._cases)

    @property
    def verdict(self) -> Better:
        return common_verdict(self.verdicts)

    @property
    def verdict_without_blanks(self) -> Better:
        """The verdict as if blanks were like the rest."""
        return common_verdict([better(one.lower, one.upper) for one in self._cases])

    @property
    def _cases(self) -> tuple[IfJudgesErr, ...]:
        alone = IfJudgesErr(**asdict(self.difference), error=0.0, always_valid=self.always_valid)
        return self.decisive or (alone if self.is_finished else alone.early,)


def common_verdict(verdicts: Sequence[Better]) -> Better:
    """The verdict that all have, "open" if they differ."""
    return verdicts[0] if len(set(verdicts)) == 1 else "open"


def estimate_one(
    gold: Array,
    system: Array,
    tokens: Indices,
    judgements: Array,
    rng: np.random.Generator,
    *,
    corpus_error: float | None = None,
    level: float = 0.95,
    clusters: Array | None = None,
    suppose: Sequence[float] = (),
    n_missing: int | None = None,
    n_draws: int | None = None,
) -> OneEstimate:
    """What the judgements of sampled tokens say of one system [Padró & Màrquez 1998, Table 1].

    `gold` and `system` are tag codes from 0 [n]; `judgements` has, for each of `tokens`, the code that is right,
    NONE_SHOWN, NOT_JUDGED or NOT_REACHED; of several judges there is a row for each [judges × tokens]. The tokens must
    be random samples of the two strata (`sample_one`). `suppose` are the rates of judges' errors for the sensitivity,
    which is given where too few tokens have two judgements. `n_missing` are how many more tokens were planned, None if
    all lists are here and complete: else the check is not finished. `n_draws` is N_DRAWS if not given.

    x = K − C + (1−K)(2f + g) if the corpus's error rate C is known, else x = K(1−e) + (1−K)f if agreements were
    sampled, else there is none. C must be the share of wrong tags in this very gold: the interval takes it as exact. If
    it is only the rate at which errors were thrown, or an estimate from elsewhere, the interval is too narrow (in
    simulation it then covers 87 to 95 %). With C known, u, p and t rest on it as well, and judged agreements only serve
    to estimate e and C as a check on it. C below what was found where they differ alone implies e < 0; then x is as the
    equation says, u, p and t are with e = 0, and a note says so.
    """
    if corpus_error is not None and not 0 <= corpus_error < 1:
        raise UsageError(f"corpus error {corpus_error}: it must be at least 0 and below 1")
    codes, merged, ties = _each_and_merged(judgements)
    strata = strata_one(gold, system)
    check = checked_strata(strata, ONE_STRATA, tokens, merged, level, clusters, ties=ties, n_missing=n_missing)

    def answers(right: Array) -> Indices:
        same = np.where(right == gold.take(tokens), _GOLD_RIGHT, _BOTH_WRONG)
        found = np.where((right == system.take(tokens)) & (check.of_token == 0), _SYSTEM_RIGHT, same)
        return np.where(right <= NOT_JUDGED, BLANK, found)

    def values(numbers: Floats, sizes: Floats) -> dict[str, Floats]:
        return _table_one(numbers, sizes, len(gold), corpus_error)

    corners = list(product((_GOLD_RIGHT, _BOTH_WRONG, _SYSTEM_RIGHT), (_GOLD_RIGHT, _BOTH_WRONG)))
    asked = (True, bool(check.n_sampled[1]))

    def made(reading: Reading) -> dict[str, Found]:
        prior = reading.prior if isinstance(reading, ErringJudges) else _ONE_PRIOR
        return estimates(check, reading, prior, corners, asked, n_draws or N_DRAWS, rng, values)

    judged = patterns(check.of_token, answers(codes), _ONE_ANSWERS)
    never_err = judged.n_shared >= FEWEST_SHARED and not judged.n_disputed  # as far as can be seen
    of_judges = _ONE_PRIOR if never_err else _ONE_PRIOR_IN_DOUBT
    reading = _reading(judged, of_judges, answers(merged))
    every = made(reading)
    missing = _needs_agreements(corpus_error) if not asked[1] and check.sizes[1] else set()
    found: dict[str, Any] = {name: None if name in missing else one.estimate for name, one in every.items()}
    cells = {cell: found.pop(cell) for cell in CELLS}
    x = every["accuracy"] if found["accuracy"] is not None else None
    shared, _ = _shared(
        check, x, judged, of_judges, suppose, lambda other: made(other)["accuracy"], rng, n_draws or N_DRAWS
    )
    return OneEstimate(
        observed=int(check.sizes[1]) / len(gold),
        known_corpus_error=corpus_error,
        cells=cells,
        notes=_notes(check, reading.of_token(), corpus_error, found["corpus_error"]),
        **found,
        **shared,
    )


def estimate_pair(
    gold: Array,
    a: Array,
    b: Array,
    tokens: Indices,
    judgements: Array,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    clusters: Array | None = None,
    suppose: Sequence[float] = (),
    n_missing: int | None = None,
    n_draws: int | None = None,
) -> PairEstimate:
    """What the judgements of sampled tokens say of two systems: x_B − x_A = Σ N_h/N · mean of d over the strata h.

    d is 1 where B is right and A wrong, −1 where it is the other way round, 0 where both are wrong; where the systems
    agree it is 0 without a judgement. The tokens must be random samples of the three strata (`sample_pair`). The gold
    only serves to make the strata: no assumption is made on its errors. Systems that never differ have a difference of
    0, and nobody is better. Judgements, `suppose` and `n_missing` are as for `estimate_one`.
    """
    codes, merged, ties = _each_and_merged(judgements)
    strata = strata_pair(gold, a, b)
    check = checked_strata(strata, PAIR_STRATA, tokens, merged, level, clusters, ties=ties, n_missing=n_missing)

    def answers(right: Array) -> Indices:
        gold_alone = (right == gold.take(tokens)) & (check.of_token == 2)
        found = np.where(gold_alone, _GOLD_ALONE, _NO_DIFFERENCE)
        found = np.where(right == b.take(tokens), _B_RIGHT, found)
        found = np.where(right == a.take(tokens), _A_RIGHT, found)
        return np.where(right <= NOT_JUDGED, BLANK, found)

    def values(numbers: Floats, _sizes: Floats) -> dict[str, Floats]:
        return {"difference": (numbers[..., _B_RIGHT] - numbers[..., _A_RIGHT]).sum(axis=-1) / len(gold)}

    corners = [(_A_RIGHT,) * 3, (_B_RIGHT,) * 3]

    def made(reading: Reading) -> Found:
        return estimates(check, reading, _PAIR_PRIOR, corners, (True,) * 3, n_draws or N_DRAWS, rng, values)[
            "difference"
        ]

    judged = patterns(check.of_token, answers(codes), _PAIR_ANSWERS)
    outcomes = answers(merged)
    reading = _reading(judged, _PAIR_ANSWER_PRIOR, np.where(outcomes == _GOLD_ALONE, _NO_DIFFERENCE, outcomes))
    found = made(reading)
    difference, drawn = found.estimate, found.drawn
    assert difference is not None  # it is no share of anything that may be missing
    shared, cases = _shared(check, found, judged, _PAIR_ANSWER_PRIOR, suppose, made, rng, n_draws or N_DRAWS)
    pair = PairEstimate(
        observed=(int((b == gold).sum()) - int((a == gold).sum())) / len(gold),
        difference=difference,
        probability_b_better=None if difference.value is None else float((drawn > 0).mean() + (drawn == 0).mean() / 2),
        **shared,
    )
    return replace(pair, rows_to_settle=_rows_to_settle(pair, check, cases or [found]))


def _each_and_merged(judgements: Array) -> tuple[Array, Array, Flags | None]:
    """The judgements of each judge [judges × tokens], one for each token [tokens], and where there is none for a tie.

    That is what most of them say, ties left out; or any where errors are estimated, and all judgements count.
    """
    if judgements.ndim != 2:
        return judgements[None], judgements, None
    if (judgements < NOT_REACHED).any():
        raise ValueError("judgements are codes from 0, NONE_SHOWN, NOT_JUDGED or NOT_REACHED")
    any_of_them = judgements.max(axis=0)
    if ((judgements > NOT_JUDGED).sum(axis=0) >= 2).sum() >= FEWEST_SHARED:
        return judgements, any_of_them, None
    merged = merged_judges(np.maximum(judgements, NOT_JUDGED)).codes
    ties = (merged == NOT_JUDGED) & (any_of_them > NOT_JUDGED)
    return judgements, np.where(any_of_them == NOT_REACHED, NOT_REACHED, merged), ties


def _reading(judged: Patterns, prior: Floats, outcomes: Indices) -> Reading:
    """Judgements with errors, where there are enough from several judges to estimate these; else as they stand."""
    return ErringJudges(judged, prior) if judged.n_shared >= FEWEST_SHARED else RightJudges(outcomes)


def _shared(
    check: CheckedStrata,
    found: Found | None,
    judged: Patterns,
    prior: Floats,
    suppose: Sequence[float],
    made: Callable[[Reading], Found],
    rng: np.random.Generator,
    n_draws: int,
) -> tuple[dict[str, Any], list[Found]]:
    """What estimates of one system and of two have in common, and the value for each supposed rate of judges' errors.

    `found` is the value that matters, if it could be estimated, and `made` makes it of judgements read in another way.
    """
    knows_errors = judged.n_shared >= FEWEST_SHARED
    cases: list[Found] = []
    if not knows_errors and found is not None and check.n_judged.any():
        cases = [found if error == 0 else made(ErringJudges(judged, prior, error)) for error in suppose]
    every = [one.if_judges_err(error) for one, error in zip(cases, suppose, strict=False)]
    shared = {
        "strata": check.strata,
        "level": check.level,
        "always_valid": None if found is None else found.always_valid,
        "sensitivity": tuple(one for one in every if one is not None),
        "judge_errors": judge_errors_from(judged, prior, check.level, max(n_draws // 4, 1), rng)
        if knows_errors
        else (),
        "is_finished": check.is_finished,
        "n_left": check.n_left,
    }
    return shared, cases


def _rows_to_settle(found: PairEstimate, check: CheckedStrata, cases: Sequence[Found]) -> int | None:
    """How many more rows settle it in all cases, and at least those that are not reached yet."""
    if found.verdict != "open":
        return 0
    n_judged, n_all = int(check.n_judged.sum()), int(check.sizes.sum())
    judges_err = bool(found.judge_errors) or len(cases) > 1
    finite = None if judges_err or check.clusters is not None else n_all
    needed = []
    for one in cases:
        if one.estimate is None or one.estimate.value is None:
            return None
        needed.append(more_rows(one.estimate.value, float(one.drawn.std()), n_judged, finite, check.level))
    n_left = check.n_left
    known = [n for n in needed if n is not None]
    if len(known) < len(needed) or not max(known):
        return n_left or None  # blanks decide, or judges' errors, or chance
    more = max(*known, n_left)
    return more if n_judged + more <= n_all else None


# ---- the paper's parameters ------------------------------------------------------------------------------------------


def _table_one(numbers: Floats, sizes: Floats, n: int, corpus_error: float | None) -> dict[str, Floats]:
    """All parameters from the tokens [… × 2 × 3] of each cell of Table 1, which they fill; 0/0 is nan."""
    different, same = sizes[..., 0], sizes[..., 1]
    gold_right, both_wrong, system_right = (numbers[..., 0, outcome] for outcome in range(3))
    counted = numbers[..., 1, _BOTH_WRONG]
    gold_wrong = both_wrong + system_right  # where they differ
    same_error = counted if corpus_error is None else corpus_error * n - gold_wrong
    accuracy = (same - same_error + system_right) / n
    same_error = np.clip(same_error, 0, same)
    both_right = same - same_error
    with np.errstate(invalid="ignore"):
        return {
            "accuracy": np.clip(accuracy, 0, 1),
            "corpus_error": (counted + gold_wrong) / n,
            "right_where_different": system_right / different,
            "both_wrong_where_different": both_wrong / different,
            "wrong_where_same": counted / same,
            "right_where_gold_right": both_right / (both_right + gold_right),
            "right_where_gold_wrong": system_right / (same_error + gold_wrong),
            "same_error": same_error / (same_error + both_wrong),
            "true_positive": both_right / n,
            "true_negative": gold_right / n,
            "false_negative": system_right / n,
            "false_positive": same_error / n,
            "both_wrong_differently": both_wrong / n,
        }


def _needs_agreements(corpus_error: float | None) -> set[str]:
    """What cannot be estimated where no agreements were sampled."""
    always = {"corpus_error", "wrong_where_same"}
    if corpus_error is not None:
        return always
    always |= {"accuracy", "right_where_gold_right", "right_where_gold_wrong", "same_error"}
    return always | {"true_positive", "false_positive"}


def _notes(
    check: CheckedStrata, of_token: Floats, known: float | None, found: CheckedEstimate | None
) -> tuple[str, ...]:
    """Why a corpus error that was given does not fit the judgements."""
    if known is None:
        return ()
    notes = []
    different = of_token[check.of_token == 0].sum(axis=0)
    n_judged = different.sum()
    wrong = different[_BOTH_WRONG:].sum() / n_judged * check.sizes[0] / check.sizes.sum() if n_judged else 0.0
    given = f"the corpus error is given as {known:.4g}, but the check finds"
    if wrong > known + _ROUNDING:
        notes.append(f"{given} {wrong:.4g} in the tokens where system and gold differ alone")
    ends = (found.lower, found.upper) if found else (None, None)
    if ends[0] is not None and ends[1] is not None and not ends[0] - _ROUNDING <= known <= ends[1] + _ROUNDING:
        notes.append(f"{given} {ends[0]:.4g} to {ends[1]:.4g}")
    return tuple(notes)
