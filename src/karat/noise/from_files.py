"""What systems' outputs are worth under a noisy gold: ambiguous and other words apart, and with sampling error.

Words that have several tags in a lexicon are ambiguous, and the paper's bounds hold for them. Of the others nothing is
assumed, so that their bounds are the widest. The whole is their weighted sum [Padró & Màrquez 1998, §6].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat.corpus import Corpus, PathLike, read_source
from karat.corpus.formats import Readable
from karat.corpus.lexicon import lexicon_from_source
from karat.errors import DataError, Problem
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.task import Asked, Systems, evaluated, named_systems
from karat.evaluation.words import WordTask
from karat.inference.clusters import Clusters
from karat.inference.distributions import normal_cdf, normal_quantile
from karat.inference.options import InferenceOptions
from karat.inference.resampling import leave_one_out, standard_error
from karat.measures.words.tags import ColumnLabels
from karat.noise.bounds import Bounds, checked_noise, envelope, free_envelope, reasonable_bounds
from karat.noise.from_numbers import checked_p, ends_of, noisy_system, paired, system_warnings
from karat.noise.priors import N_DRAWS, Priors, read_priors
from karat.noise.results import Ends, InputsRead, NoiseResult, NoisySystem, Whole, only_p
from karat.signature import shown_input


def noise_bounds_from_files(
    gold: Readable,
    systems: Systems,
    *,
    lexicon: PathLike | Sequence[PathLike],
    corpus_error: float,
    other_error: float | None = None,
    p: float | Sequence[float] = (),
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    inference: InferenceOptions | None = None,
    priors: Priors | PathLike | None = None,
) -> NoiseResult:
    """What the real accuracy of each system can be, given the gold's error rate; see `noise_bounds` for the rest.

    Words that have several tags in the `lexicon`, a corpus or a file of words and their tags, are ambiguous.
    `corpus_error` is the share of the gold's tags of ambiguous words that are wrong, `other_error` that of the others
    (without one, the same). Confidence intervals are for the real accuracy where only its bounds are known [Imbens &
    Manski 2004], over whole sentences or documents.
    """
    p = checked_p(p)
    inference, priors = inference or InferenceOptions(), read_priors(priors).at(only_p(p))
    errors = corpus_error, corpus_error if other_error is None else other_error
    checked_noise([], errors)
    lexicon_source = read_source(lexicon)
    words = lexicon_from_source(lexicon_source, column=column, input=input)
    asked = Asked(input=input, skip_bad=skip_bad, is_comparison=True)
    task = WordTask([ColumnLabels(column)], asked, column=column)
    ours, found = evaluated(task, gold, list(named_systems(systems).items()))
    tags = words.ambiguities(ours)
    if not (tags >= 2).any():
        hint = "give a lexicon in which words have several tags, such as a training corpus"
        raise DataError(Problem("K603", "no word of the gold is ambiguous in this lexicon", _shown(lexicon), hint=hint))
    clusters = clusters_of(ours, inference.cluster)
    noisy, every_count = [], []
    for one in found:
        units = one.units[column.upper()]
        assert units.words is not None
        kept = ~ours.bad.take(units.rows)
        counts = _counts(ours, clusters, tags.take(units.words[kept]), units.right[kept], units.rows[kept])
        noisy.append(_noisy(one.name, counts, errors, p, inference.level))
        every_count.append(counts)
    settings = [
        ("lexicon", shown_input(_shown(lexicon), lexicon_source.sha256())),
        ("column", column),
        ("corpus-error", repr(errors[0])),
    ]
    settings += [("other-error", repr(errors[1]))] if errors[1] != errors[0] else []
    settings += [("p", ",".join(map(repr, p)))] if p else []
    settings += [("bad", "skipped")] if skip_bad else []
    settings += [("priors", priors.name), ("seed", str(inference.seed))]
    settings += [("cluster", clusters.signed), ("level", repr(inference.level))]
    inputs = [("gold", ours.source), *(("system", one.source) for one in found if one.source)]
    return NoiseResult(
        tuple(noisy),
        paired(noisy, priors, seed=inference.seed, sampled=_sampled(noisy, every_count, inference.seed)),
        tuple(settings),
        (*clusters.warnings(), *system_warnings(noisy)),
        tuple((role, source.path, source.sha256()) for role, source in inputs),
        cluster=clusters.kind,
        n_clusters=clusters.n,
        priors=priors.in_words(errors[0], noisy[0].ambiguity),
        read=InputsRead(
            ((ours.path, ours.format), *((one.path, one.format) for one in found)),
            (*ours.warnings, *(warning for one in found for warning in one.warnings)),
            tuple(dict.fromkeys(problem for one in found for problem in one.skipped.problems)),
        ),
        p=p,
        level=inference.level,
    )


def _shown(paths: PathLike | Sequence[PathLike]) -> str:
    return ",".join(map(str, paths)) if isinstance(paths, (list, tuple)) else str(paths)


def clusters_of_rows(gold: Corpus, clusters: Clusters, rows: Indices) -> Indices:
    """The cluster of each of these gold sentences, which are all in the test."""
    number = np.cumsum(~gold.bad) - 1
    return clusters.of_sentence.take(number.take(rows))


_AMBIGUOUS, _RIGHT, _TAGS, _OTHERS, _OTHERS_RIGHT = range(5)


def _counts(gold: Corpus, clusters: Clusters, tags: Ids, right: Flags, rows: Indices) -> Floats:
    """For every cluster its ambiguous words, those that are right, all their tags, and other words and right ones."""
    of_word = clusters_of_rows(gold, clusters, rows)
    is_ambiguous = tags >= 2
    columns = [
        is_ambiguous,
        is_ambiguous & right,
        np.where(is_ambiguous, tags, 0),
        ~is_ambiguous,
        ~is_ambiguous & right,
    ]
    return np.column_stack([np.bincount(of_word, weights=one, minlength=clusters.n) for one in columns])


def _noisy(name: str, counts: Floats, errors: tuple[float, float], p: Sequence[float], level: float) -> NoisySystem:
    total = counts.sum(axis=0)
    observed, ambiguity = total[_RIGHT] / total[_AMBIGUOUS], total[_TAGS] / total[_AMBIGUOUS]
    one = noisy_system(name, float(observed), errors[0], float(ambiguity), p=p)
    if one.bounds is None:
        return one
    of_ambiguous, of_all = _bounds(total, errors, one.at_p)
    without = leave_one_out(counts)
    apart = _bounds(without, errors, one.at_p) if len(counts) > 1 else None
    whole = Whole(
        ambiguous_share=float(total[_AMBIGUOUS] / (total[_AMBIGUOUS] + total[_OTHERS])),
        other_error=errors[1],
        n_words=int(total[_AMBIGUOUS] + total[_OTHERS]),
        n_ambiguous=int(total[_AMBIGUOUS]),
        observed=float((total[_RIGHT] + total[_OTHERS_RIGHT]) / (total[_AMBIGUOUS] + total[_OTHERS])),
        bounds=ends_of(of_all),
        confidence=confidence_ends(of_ambiguous, apart and apart[0], level),
        whole_confidence=confidence_ends(of_all, apart and apart[1], level),
    )
    return replace(one, whole=whole)


def _sampled(systems: Sequence[NoisySystem], every_count: Sequence[Floats], seed: int) -> dict[str, Floats] | None:
    """What might have been observed of each system on other text: normal draws, with clusters' covariance."""
    n = len(every_count[0])
    apart = [leave_one_out(one) for one in every_count]
    if n < 2 or any((one[:, _AMBIGUOUS] == 0).any() for one in apart):  # all ambiguous words are in one cluster
        return None
    without = np.stack([one[:, _RIGHT] / one[:, _AMBIGUOUS] for one in apart])
    deviations = without - without.mean(axis=1, keepdims=True)
    variances, axes = np.linalg.eigh(deviations @ deviations.T * ((n - 1) / n))
    root = axes * np.sqrt(np.maximum(variances, 0))
    drawn = root @ np.random.default_rng([seed, 8]).standard_normal((len(systems), N_DRAWS))
    return {one.name: np.clip(one.observed + drawn[number], 0, 1) for number, one in enumerate(systems)}


def _bounds(counts: Floats, errors: tuple[float, float], p: float | None) -> tuple[Bounds, Bounds]:
    """The bounds of the real accuracy on ambiguous words and on all, from summed counts […, fields], at p or over all.

    Nothing is assumed of other words, nor is p theirs.
    """
    n, others = counts[..., _AMBIGUOUS], counts[..., _OTHERS]
    with np.errstate(divide="ignore", invalid="ignore"):
        numbers = counts[..., _RIGHT] / n, errors[0], counts[..., _TAGS] / n
        ambiguous = envelope(*numbers) if p is None else reasonable_bounds(*numbers, p)
        rest = free_envelope(np.where(others > 0, counts[..., _OTHERS_RIGHT] / others, 1.0), errors[1])
    share = n / (n + others)
    ends = (
        share * mine + (1 - share) * theirs
        for mine, theirs in ((ambiguous.lower, rest.lower), (ambiguous.upper, rest.upper))
    )
    return ambiguous, Bounds(*ends)


def confidence_ends(bounds: Bounds, without: Bounds | None, level: float) -> Ends | None:
    """The interval that holds a number of which only bounds are known, with this confidence [Imbens & Manski 2004].

    `without` has the bounds without each cluster in turn, whose spread is the sampling error. The number cannot be near
    both bounds, so that the ends lie less than two one-sided ones apart: c solves Φ(c + Δ/σ) − Φ(−c) = level, with Δ
    the bounds' distance and σ the larger of their errors [Stoye 2009 has the same c where Δ is estimated so well].
    """
    if without is None or np.isnan(without.lower).any():
        return None
    errors = standard_error(without.lower), standard_error(without.upper)
    largest = max(errors)
    if not largest:
        return None
    distance = float(bounds.upper - bounds.lower) / largest
    low, high = 0.0, normal_quantile((1 + level) / 2)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if normal_cdf(middle + distance) - normal_cdf(-middle) < level else (low, middle)
    return Ends(max(0.0, float(bounds.lower) - high * errors[0]), min(1.0, float(bounds.upper) + high * errors[1]))
