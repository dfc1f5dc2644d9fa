"""Which tokens people should judge, and what their verdicts say: `karat noise plan` and `karat noise estimate`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._garbage import no_collection
from karat.corpus import Corpus, PathLike, Source, read_source
from karat.corpus.formats import Readable
from karat.corpus.worklist import Worklist, worklist_from_source
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.task import Asked, Systems, each_system, named_systems
from karat.evaluation.words import WordTask
from karat.inference.clusters import Clusters
from karat.inference.options import InferenceOptions
from karat.inference.planning import needed_factor
from karat.inference.resampling import leave_one_out, standard_error
from karat.measures.words.tags import ColumnLabels
from karat.noise.check_results import CheckEstimate, CheckPlan
from karat.noise.complete_lists import list_entry, missing_parts, plan_signature
from karat.noise.estimates_from_verdicts import (
    SUPPOSED_ERRORS,
    OneEstimate,
    PairEstimate,
    estimate_one,
    estimate_pair,
)
from karat.noise.expected_margin import WITH_GOLD, expected_margin, one_variances, pair_variances, settling_tokens
from karat.noise.from_files import clusters_of_rows
from karat.noise.judges import merged_judges
from karat.noise.looking_early import POWER
from karat.noise.results import InputsRead
from karat.noise.token_sampling import (
    AGREEMENTS_SHARE,
    NOT_JUDGED,
    NOT_REACHED,
    TokenSample,
    sample_one,
    sample_pair,
    strata_pair,
)
from karat.noise.token_worklist import (
    TOKEN_VERDICTS,
    TokenTags,
    dealt_out,
    judged_twice,
    n_not_reached,
    out_of_order,
    permanent_numbers,
    token_tags,
    token_verdicts,
    token_worklist,
)
from karat.signature import shown_input, signature

OVERLAP = 50  # rows that all judges get, if nothing else is asked for
_PLAN = "noise plan"
_NAME = re.compile(r"[^\s/\\.][^\s/\\]*")
_INPUT = re.compile(r"\|(gold|system):[^|]*@sha256:([0-9a-f]+)")
_COLUMN = re.compile(r"\|column:([^|]*)")


@dataclass(frozen=True, eq=False)
class CheckedSides:
    """The gold, the systems' names, and the tags of all words that are in the test, numbered as among them."""

    gold: Corpus
    inputs: tuple[tuple[str, str, str], ...]
    tags: TokenTags
    words: Indices
    ours: Ids
    theirs: tuple[Ids, ...]
    read: InputsRead

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tags.systems)

    @property
    def is_pair(self) -> bool:
        return len(self.theirs) == 2

    @property
    def ahead(self) -> Floats:
        """Where the second of two systems is observed ahead, 1, and where the first is, -1."""
        a, b = self.theirs
        ahead: Floats = (b == self.ours).astype(np.float64) - (a == self.ours)
        return ahead

    def of_word(self, clusters: Clusters) -> Indices:
        """The cluster of every word in the test."""
        return clusters_of_rows(self.gold, clusters, self.gold.words_sentence.take(self.words))


def checked_sides(
    gold: Readable, systems: Systems, column: str = "upos", input: str | None = None, skip_bad: bool = False
) -> CheckedSides:
    """The gold and the systems of a check, read; a `UsageError` or `DataError` for what cannot be checked."""
    named = named_systems(systems)
    if len(named) > 2:
        raise UsageError(f"{len(named)} systems given: a check needs one system, or two to compare")
    task = WordTask([ColumnLabels(column)], Asked(input=input, skip_bad=skip_bad), column=column)
    ours, found = each_system(task, gold, list(named.items()), lambda pair, _: pair.alignment)
    every = (ours, *(one.system for one in found))
    for corpus in every:
        if not corpus.has(column):
            message = f"a check needs {column.upper()}, which this file does not have"
            raise DataError(Problem("K501", message, corpus.path))
    tags = token_tags(ours, dict(zip(named, found, strict=True)), column)
    words = np.flatnonzero(~ours.bad.take(ours.words_sentence))
    no_word = len(tags.names)  # a tag of its own: a word that a system does not have is not right
    codes = tuple(np.where(side[words] < 0, no_word, side[words]).astype(np.int32) for side in tags.systems.values())
    sources = (("gold", ours.source), *(("system", one.system.source) for one in found))
    inputs = tuple((role, source.path, source.sha256()) for role, source in sources)
    skipped = [*(one.problems for one in every), *(one.problems for one in found)]
    how = InputsRead(
        tuple((one.path, one.format) for one in every),
        tuple(warning for one in every for warning in one.warnings),
        tuple(dict.fromkeys(chain(*skipped))),
    )
    return CheckedSides(ours, inputs, tags, words, tags.gold[words], codes, how)


def noise_plan(
    gold: Readable,
    systems: Systems,
    *,
    budget: int = 200,
    agreements: bool = False,
    judges: int | Sequence[str] = 1,
    overlap: int | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    inference: InferenceOptions | None = None,
) -> CheckPlan:
    """The tokens that decide most: where two systems differ, or where one differs from the gold.

    Of one system, `agreements` has most of the budget go to words on which it agrees with the gold: they tell how wrong
    the gold is, where that is not known. `judges` are how many, or their names. Each gets a worklist (`worklists`):
    `overlap` tokens, by default 50, go to all of them, and tell how often they err; the others to one each.
    """
    inference = inference or InferenceOptions()
    names, overlap = _judges(judges, overlap, budget)
    sides = checked_sides(gold, systems, column, input, skip_bad)
    rng = np.random.default_rng([inference.seed, 6])
    numbers = permanent_numbers(sides.gold, inference.seed)[sides.words]
    if sides.is_pair:
        if agreements:
            raise UsageError(
                "agreements with the gold can be judged for one system only; two systems are compared where they differ"
            )
        sample = sample_pair(sides.ours, sides.theirs[0], sides.theirs[1], budget, rng, numbers=numbers)
    else:
        share = AGREEMENTS_SHARE if agreements else 0.0
        sample = sample_one(sides.ours, sides.theirs[0], budget, rng, agreements_share=share, numbers=numbers)
    if not len(sample.tokens):
        raise UsageError("there is nothing to judge: all tags are the same")
    worklist = token_worklist(sides.gold, sides.tags, sides.words[sample.tokens], sample.weights, rng)
    settings = [("budget", str(budget)), ("column", column), ("seed", str(inference.seed))]
    settings += [("agreements", "yes")] if agreements else []
    settings += [("judges", str(len(names))), ("overlap", str(overlap))] if len(names) > 1 else []
    signed = signature(_PLAN, settings, sides.inputs)
    worklist = replace(worklist, head=(*worklist.head, signed))
    if len(names) > 1:
        worklists = dealt_out(worklist, names, overlap, rng)
    else:
        n = len(worklist.rows)
        worklist = replace(worklist, head=(*worklist.head, list_entry(names[0], names, n, n)))
        worklists = {names[0]: worklist}
    n_words, level = len(sides.words), inference.level
    return CheckPlan(
        sides.names,
        worklist,
        sample,
        n_words,
        _margins(sides, sample, agreements, level),
        settling_tokens(sample.sizes, float(sides.ahead.mean()), n_words, level) if sides.is_pair else None,
        _sentences_needed(sides, inference) if sides.is_pair else None,
        not sides.is_pair and not agreements,
        signed,
        sides.read,
        worklists,
        overlap,
    )


def _judges(judges: int | Sequence[str], overlap: int | None, budget: int) -> tuple[list[str], int]:
    """The names of the judges, and how many rows go to all of them."""
    judges = [judges] if isinstance(judges, str) else judges
    names = [str(number) for number in range(1, judges + 1)] if isinstance(judges, int) else list(judges)
    if not names:
        raise UsageError("at least one judge is needed")
    for name in names:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"the judge's name {name!r}: no spaces, slashes or initial dot, as it is used in a file name"
            )
    if len({name.casefold() for name in names}) < len(names):
        raise UsageError(f"two judges have the same name: {', '.join(names)}")
    if len(names) == 1:
        if overlap:
            raise UsageError("an overlap needs several judges; there is only one")
        return names, 0
    overlap = min(OVERLAP, budget) if overlap is None else overlap
    if not 0 <= overlap <= budget:
        raise UsageError(f"an overlap of {overlap} rows: it must lie between 0 and the budget of {budget}")
    return names, overlap


def _margins(
    sides: CheckedSides, sample: TokenSample, agreements: bool, level: float
) -> tuple[tuple[float, float], ...]:
    """How far from the truth the estimate may be, for each share of tokens in which people side with the gold."""
    found = []
    for share in WITH_GOLD:
        of_one = one_variances(share, knows_corpus_error=not agreements)
        variances = pair_variances(share) if sides.is_pair else of_one
        found.append((share, expected_margin(sample.sizes, sample.n_sampled, variances, len(sides.words), level)))
    return tuple(found)


def _sentences_needed(sides: CheckedSides, inference: InferenceOptions) -> int | None:
    """How many sentences with an error-free gold would show the observed difference with a power of POWER."""
    clusters = clusters_of(sides.gold, inference.cluster)
    of_word = sides.of_word(clusters)
    lead = np.bincount(of_word, weights=sides.ahead, minlength=clusters.n)
    counts = np.stack([lead, np.bincount(of_word, minlength=clusters.n).astype(np.float64)], axis=1)
    total = counts.sum(axis=0)
    without = leave_one_out(counts)
    if not total[0] or clusters.n < 2:
        return None
    error = standard_error(without[:, 0] / np.maximum(without[:, 1], 1))
    factor = needed_factor(abs(total[0] / total[1]), error, clusters.n - 1, inference.level, POWER)
    return math.ceil(factor * len(clusters.of_sentence))


def noise_estimate(
    gold: Readable,
    systems: Systems,
    judgements: PathLike | Sequence[PathLike],
    *,
    corpus_error: float | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    inference: InferenceOptions | None = None,
) -> CheckEstimate:
    """What the verdicts in worklists of `noise_plan` say; several files are several judges.

    Where they have judged some tokens in common, their errors are estimated and taken off; else the result says what
    it would be if they erred. Lists or rows that are missing leave the check unfinished; `warnings` of the result say
    so, and what else is odd about the files.

    `corpus_error` is the gold's error rate, if it is known (one system only). A level other than 95 % and the seed of
    what is drawn are in `inference`; a cluster there adds the sampling error of the corpus.
    """
    inference = inference or InferenceOptions()
    sides = checked_sides(gold, systems, column, input, skip_bad)
    paths = [judgements] if isinstance(judgements, (str, os.PathLike)) else list(judgements)
    if not paths:
        raise UsageError("no judgements given: give judged worklists as `judgements`")
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("the same judgements are given twice; several files are several judges")
    with no_collection():  # over all that the many rows are there for
        sources, worklists, (tokens, codes) = _judged(paths, sides, column)
        missing = missing_parts(worklists)
        warnings = (*missing.warnings, *out_of_order(worklists), *judged_twice(worklists))
        del worklists
    judges = merged_judges(np.maximum(codes, NOT_JUDGED)) if len(codes) > 1 else None
    found = estimate_of_codes(
        sides, tokens, codes, corpus_error=corpus_error, n_missing=missing.n_tokens, inference=inference
    )
    settings = [("judgements", ",".join(shown_input(source.path, source.sha256()) for source in sources))]
    settings += [("column", column), ("level", repr(inference.level)), ("seed", str(inference.seed))]
    settings += [("corpus-error", repr(corpus_error))] if corpus_error is not None else []
    settings += [("cluster", str(inference.cluster))] if inference.cluster is not None else []
    files = tuple(os.path.basename(source.path) for source in sources)
    n_words = len(sides.words)
    return CheckEstimate(
        sides.names, found, judges, n_words, tuple(settings), sides.inputs, sides.read, files, warnings
    )


def estimate_of_codes(
    sides: CheckedSides,
    tokens: Indices,
    codes: Ids,
    *,
    corpus_error: float | None = None,
    n_missing: int | None = None,
    inference: InferenceOptions | None = None,
    n_draws: int | None = None,
) -> OneEstimate | PairEstimate:
    """What judgements [judges × tokens] of tokens, numbered as among the words in the test, say of the systems.

    `n_missing` are planned tokens that no list has, None if none is missing; `n_draws` other than the usual number make
    it quicker, or more exact.
    """
    inference = inference or InferenceOptions()
    clusters = None if inference.cluster is None else sides.of_word(clusters_of(sides.gold, inference.cluster))
    if sides.is_pair and corpus_error is not None:
        raise UsageError("the corpus error is not used for two systems: only words on which they differ were judged")
    estimate = (
        partial(estimate_pair, sides.ours, sides.theirs[0], sides.theirs[1])
        if sides.is_pair
        else partial(estimate_one, sides.ours, sides.theirs[0], corpus_error=corpus_error)
    )
    return estimate(
        tokens,
        codes if len(codes) > 1 else codes[0],
        np.random.default_rng([inference.seed, 7]),
        level=inference.level,
        clusters=clusters,
        suppose=SUPPOSED_ERRORS,
        n_missing=n_missing,
        n_draws=n_draws,
    )


def column_of_list(worklist: Worklist) -> str:
    """The column whose tags a list asks about; upos if its head does not say."""
    found = _COLUMN.search(plan_signature(worklist) or "")
    return found[1] if found else "upos"


def _made_for_others(worklist: Worklist, sides: CheckedSides, column: str) -> list[Problem]:
    """What a worklist was made from, if that is not what it is read for: strata and weights would be others."""
    signed = plan_signature(worklist)
    if signed is None:  # somebody has taken it out
        return []
    made = {role: sorted(digest for what, digest in _INPUT.findall(signed) if what == role) for role in _ROLES}
    given = {role: sorted(digest for what, _, digest in sides.inputs if what == role) for role in _ROLES}
    message = ""
    for role, words in _ROLES.items():
        is_same = [one[: len(other)] for one, other in zip(given[role], made[role], strict=False)] == made[role]
        if not is_same or len(given[role]) != len(made[role]):
            message = f"this worklist was made for {words}"
    found = _COLUMN.search(signed)
    if found and found[1] != column:
        message = f"this worklist was made with the column {found[1]}"
    hint = "its first lines name the files it was made from; make a new worklist for these"
    return [Problem("K739", message, worklist.path, hint=hint)] if message else []


_ROLES = {"gold": "another gold", "system": "other systems"}


def _judged(
    paths: Sequence[PathLike], sides: CheckedSides, column: str
) -> tuple[list[Source], list[Worklist], tuple[Indices, Ids]]:
    """The judges' lists; their tokens, numbered as among the words in the test, and the codes [judges × tokens].

    What is wrong with any of the lists is raised at once.
    """
    problems: list[Problem] = []
    sources, worklists = [], []
    found: list[tuple[Indices, Ids]] = []
    for path in paths:
        try:
            sources.append(read_source(path))
            worklists.append(worklist_from_source(sources[-1], kinds=TOKEN_VERDICTS))
            words, right = judged_tokens(worklists[-1], sides, column)
            right[len(right) - n_not_reached(worklists[-1]) :] = NOT_REACHED
            found.append((words, right))
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    tokens, codes = together(found)
    if not len(tokens):
        raise DataError(Problem("K731", "the worklist has no rows", worklists[0].path))
    return sources, worklists, (tokens, codes)


def together(lists: Sequence[tuple[Indices, Ids]]) -> tuple[Indices, Ids]:
    """The tokens of several judges' lists, and the codes [judges × tokens]; what a judge was not given is not reached.

    >>> together([(np.array([4, 2]), np.array([0, 1])), (np.array([4, 7]), np.array([0, 3]))])[1].tolist()
    [[1, 0, -3], [-3, 0, 3]]
    """
    tokens = np.unique(np.concatenate([of_row for of_row, _ in lists]))
    codes = np.full((len(lists), len(tokens)), NOT_REACHED, dtype=np.int32)
    for judge, (of_row, right) in enumerate(lists):
        codes[judge, np.searchsorted(tokens, of_row)] = right
    return tokens, codes


def judged_tokens(worklist: Worklist, sides: CheckedSides, column: str = "upos") -> tuple[Indices, Ids]:
    """The tokens of a list, numbered as among the words in the test, and what was said of them.

    A `DataError` for a list that was made from other files, or rows that fit no token.
    """
    if others := _made_for_others(worklist, sides, column):
        raise DataError(others)
    words, right = token_verdicts(worklist, sides.gold, sides.tags)
    place = np.full(sides.gold.n_words, -1, dtype=np.intp)
    place[sides.words] = np.arange(len(sides.words))
    strata = strata_pair(sides.ours, *sides.theirs) if sides.is_pair else np.zeros(len(sides.words), dtype=np.intp)
    of_row = place.take(words)
    problems = []
    fits = (of_row >= 0) & (strata.take(np.maximum(of_row, 0)) >= 0)
    for number in np.flatnonzero(~fits).tolist():
        row = worklist.rows[number]
        what = "is not in the test" if of_row[number] < 0 else "has the same tag in both systems"
        hint = "use the same gold and systems that the worklist was made from"
        problems.append(Problem("K736", f"{row.id!r} {what}", worklist.path, row.line, hint=hint))
    if problems:
        raise DataError(problems)
    return of_row, right
