"""`karat.repeats`: corpora searched for words that are repeated, and annotated in more than one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem, UsageError
from karat.gold.exceptions import Exceptions, read_exceptions
from karat.gold.repeats.acknowledged import applied_exceptions
from karat.gold.repeats.alike import grouped
from karat.gold.repeats.audit import Audit, patterns_in, words_of
from karat.gold.repeats.baseline import Baseline, read_baseline
from karat.gold.repeats.labels import Labels, column_labels, dependency_labels
from karat.gold.repeats.marked import without_marked
from karat.gold.repeats.maximal import Repeats, maximal_repeats
from karat.gold.repeats.options import RepeatOptions
from karat.gold.repeats.ranking import ranked
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from karat.gold.repeats.whole_tokens import cut_in_two_ways
from karat.gold.treebank_folders import Readable, named, read_all, treebank_whole
from karat.signature import signature
from karat.tagsets import unmapped_warning


def repeats(
    corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike,
    *,
    against: Mapping[str, Readable] | Sequence[PathLike] | PathLike = (),
    options: RepeatOptions | None = None,
    baseline: Baseline | PathLike | None = None,
    exceptions: Exceptions | PathLike | None = None,
    input: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Audit:
    """The suspicious repeats of corpora: words that are repeated, and annotated in more than one way.

    A corpus is a file, several files as one, or a treebank's folder, whose train, dev and test parts are one corpus.
    With `against`, these corpora are searched, too, and only repeats that are in one of the first are kept: new
    sentences against a treebank. With a `baseline`, a former audit's JSON, only what is new beside it. What a file of
    `exceptions` names, with a reason, is no finding (docs/repeats.md).
    """
    options = RepeatOptions() if options is None else options
    tag_map = options.read_map
    options = replace(options, map=tag_map)  # a file is read once
    tell = progress or _tell_nobody
    former = None if baseline is None else _baseline(baseline)
    acknowledged = None if exceptions is None else _exceptions(exceptions)
    new, old = named(corpora), named(against)
    if options.between and (old or len(new) < 2):
        raise UsageError("repeats between corpora need at least two corpora and no `against`")
    if options.disjoint and len(new) + len(old) < 2:
        raise UsageError("disjoint labellings need two corpora: give another one")
    if new.keys() & old.keys():
        raise UsageError(f"two corpora are called {min(new.keys() & old.keys())!r}; give them other names")
    by_name = {**new, **old}
    found = read_all([treebank_whole(one) for one in by_name.values()], input=input, tag=options.columns[0])
    if tag_map is not None:
        found = tuple(tag_map.mapped(one, options.columns) for one in found)
    _refuse_missing_columns(found, options)
    tell(0.3)
    text, labels = _labelled_text(found, options)
    tell(0.4)
    every = maximal_repeats(
        text,
        min_words=options.fewest,
        max_words=options.max_words,
        two_sentences=not options.same_sentence,
        between=options.between,
    )
    every = _touching_first(every, len(new)) if old else every
    tell(0.6)
    filters = {"disjoint": options.disjoint, "non_fringe": options.non_fringe}
    suspicious = suspicious_repeats(every, labels, min_majority=options.min_majority, **filters)
    ranking = ranked(suspicious.chosen(cut_in_two_ways(suspicious)) if options.tokenisation else suspicious)
    tell(0.9)
    by = _pattern_of(found, options)
    words = words_of(text, by, options)
    ranking, groups = grouped(ranking, words)
    roles = ["corpus"] * len(new) + ["against"] * len(old)
    inputs = [(role, one.path, one.source.sha256()) for role, one in zip(roles, found, strict=True)]
    inputs += [] if acknowledged is None else [("exceptions", acknowledged.path, acknowledged.sha256)]
    signed = signature("repeats", options.settings(), inputs)
    patterns = patterns_in(ranking, words, options, text)
    tell(1.0)
    warnings = (*(str(odd) for one in found for odd in one.oddities), *_same_text(tuple(by_name), found))
    if tag_map is not None:
        left = {one.path: tag_map.left(one, options.columns) for one in found}
        warnings += tuple(unmapped_warning(tag_map, left))
    audit = Audit(tuple(by_name), options, len(every), len(ranking), ranking, groups, by, patterns, signed, warnings)
    return _findings(audit, former, acknowledged)


def _findings(audit: Audit, former: Baseline | None, exceptions: Exceptions | None) -> Audit:
    """What of an audit is neither in a former one nor an acknowledged exception."""
    kept = np.ones(len(audit), dtype=np.bool_)
    n_gone = n_acknowledged = None
    stale: tuple[Problem, ...] = ()
    warnings = audit.warnings
    if exceptions is not None:
        applied = applied_exceptions(audit, exceptions)
        n_acknowledged, stale = applied.n_acknowledged, tuple(applied.problems())
        warnings += applied.warnings()
        kept &= ~applied.is_acknowledged
    if former is not None:
        n_gone = former.n_gone(audit)
        kept &= former.is_new(audit)
    chosen = audit if kept.all() else audit.only(kept)
    return replace(chosen, n_gone=n_gone, n_acknowledged=n_acknowledged, stale=stale, warnings=warnings)


def _exceptions(given: Exceptions | PathLike) -> Exceptions:
    return given if isinstance(given, Exceptions) else read_exceptions(given)


def _baseline(given: Baseline | PathLike) -> Baseline:
    return given if isinstance(given, Baseline) else read_baseline(given)


def _tell_nobody(share: float) -> None:
    """Progress that nobody asked for."""


def _labelled_text(corpora: Sequence[Corpus], options: RepeatOptions) -> tuple[RunningText, Labels]:
    if options.tokenisation:
        text, labels = characters(corpora)
    else:
        words, punctuation = options.words, not options.no_punctuation
        text = running_text(corpora, column=words, fold_case=options.fold_case, punctuation=punctuation)
        labels = dependency_labels(text) if options.dependencies else column_labels(text, options.columns)
    return text if options.marked else without_marked(text), labels


def _touching_first(found: Repeats, n_corpora: int) -> Repeats:
    """The repeats that are in one of the first corpora."""
    is_new = found.text.sentences[found.suffixes] < found.text.corpus_sentences[n_corpora]
    n_before = np.zeros(len(is_new) + 1, dtype=np.int32)
    np.cumsum(is_new, out=n_before[1:])
    return found.chosen(n_before[found.stop] > n_before[found.start])


def _refuse_missing_columns(corpora: Sequence[Corpus], options: RepeatOptions) -> None:
    wanted: dict[str, str] = {options.words: "compare words by form instead"}
    if options.tokenisation:
        wanted["misc"] = "tokenisation needs CoNLL-U: multiword tokens, and SpaceAfter in MISC"
    elif options.dependencies:
        wanted |= dict.fromkeys(("head", "deprel"), "dependencies need CoNLL-U")
    else:
        wanted |= dict.fromkeys(options.columns, "give the column to compare")
    problems = [
        Problem("K501", f"{column.upper()} is needed, and the file does not have it", corpus.path, hint=hint)
        for corpus in corpora
        for column, hint in wanted.items()
        if not (column in corpus.names if column == "misc" else corpus.has(column))  # nobody need have MISC
    ]
    if problems:
        raise DataError(problems)


def _pattern_of(corpora: Sequence[Corpus], options: RepeatOptions) -> str:
    """What patterns of change are counted by: characters' are text, others' the repeated words, or lemmas."""
    if options.tokenisation:
        return "text"
    if options.patterns == "word" or options.words == "lemma":
        return "word" if options.words == "form" else "lemma"
    has_lemmas = all(corpus.has("lemma") for corpus in corpora)
    if options.patterns == "lemma" and not has_lemmas:
        raise UsageError("patterns by lemma need a corpus with lemmas")
    is_compared = "lemma" in options.columns and not options.dependencies
    return "lemma" if has_lemmas and (options.patterns == "lemma" or not is_compared) else "word"


def _same_text(names: Sequence[str], corpora: Sequence[Corpus]) -> tuple[str, ...]:
    """Warnings about corpora that are the same: all that they have is repeated."""
    first: dict[str, str] = {}
    found = []
    for name, corpus in zip(names, corpora, strict=True):
        other = first.setdefault(corpus.source.sha256(), name)
        if other is not name:
            found.append(f"{other} and {name} are the same text: every word of it counts as repeated")
    return tuple(found)
