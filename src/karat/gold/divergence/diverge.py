"""How different corpora are, in words and in annotation [Wisniewski & Yvon 2019, §4.2].

A classifier tells, from the n-grams of a sentence, which of two corpora it is from. The better it does, the more the
corpora differ; its error estimates their H-divergence [Kifer et al. 2004; Ben-David et al. 2010]. Words show a shift in
what is written, labels and words with their labels also one in how it is annotated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus import PathLike
from karat.errors import UsageError
from karat.gold.divergence.classifiers import CLASSIFIERS, logistic_modules
from karat.gold.divergence.corpus_parts import CorpusParts
from karat.gold.divergence.divergence_results import Divergences, PairDivergence, feature_summaries
from karat.gold.divergence.document_pairs import DocumentPair, document_pair
from karat.gold.divergence.document_test import document_test
from karat.gold.divergence.ngrams import NgramSpace, ngram_space, text_numbers
from karat.gold.divergence.paper_figure import printed_accuracy
from karat.gold.divergence.paper_procedure import sentence_accuracies, splits_interval
from karat.gold.divergence.plain_differences import PairShares, pair_shares
from karat.gold.divergence.telling_ngrams import TellingNgram, telling_ngrams
from karat.gold.treebank_folders import Readable
from karat.signature import signature

FEATURES = ("words", "labels", "both")
PRESETS = ("documents", "paper")
N_PERMUTATIONS = 199


def diverge(
    corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike,
    *,
    features: str | Sequence[str] = FEATURES,
    column: str = "upos",
    classifier: str = "naive-bayes",
    preset: str = "documents",
    n_splits: int = 20,
    n_permutations: int = N_PERMUTATIONS,
    level: float = 0.95,
    seed: int = 0,
    n_top: int = 5,
    input: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Divergences:
    """How well a classifier tells the corpora apart, each pair of them.

    A corpus is a file, several files as one, or the folder of a treebank. Of folders, the training part of each is set
    against the test part of each, its own included, as in the paper's Figure 1; files are compared as they are. Half of
    both is learnt from, the other half classified, anew in each of `n_splits`: as many sentences of each, none that has
    the words of one learnt. `n_top` is how many n-grams to keep that give a corpus away, of each kind.

    The preset `documents` keeps documents whole: what is learnt of a document's topic does not help with the others.
    `n_permutations` of documents between the corpora make p, and intervals are for other documents of the same kind
    (`karat.gold.divergence.accuracy_interval`). In a pair of which one marks no documents, sentences take their place.

    The preset `paper` is the procedure of Wisniewski & Yvon 2019: halves of sentences, so that topics are measured as
    well, for documents have sentences in both. It has no p; intervals are Student's with the variance of Nadeau &
    Bengio 2003, which allows for splits that share sentences, but not for documents.
    """
    chosen = _checked(features, classifier, preset, n_splits)
    if preset != "paper":
        _refuse_few_permutations(n_permutations, level)
    parts = CorpusParts.read(corpora, input, column)
    pairs = parts.pairs()
    if not pairs:
        raise UsageError("nothing to compare: give two files, or folders with a train and a test part")
    if chosen != ("words",):
        parts.refuse_no_labels(column)
    texts = text_numbers(parts.corpora)
    parts.refuse_too_short(pairs, texts)
    is_paper = preset == "paper"
    documents = () if is_paper else tuple(_Documents.of(parts, pair, texts, level) for pair in pairs)
    cells: list[PairDivergence] = []
    telling: list[TellingNgram] = []
    for number, name in enumerate(chosen):
        space = ngram_space(parts.corpora, name, column)
        done = partial(_tell, progress, number * len(pairs), len(chosen) * len(pairs))
        if is_paper:
            is_printed = column == "upos" and classifier == "naive-bayes"
            every = sentence_accuracies(space, texts, pairs, classifier, n_splits, seed, done)
            for pair, found in zip(pairs, every, strict=True):
                cells.append(_as_in_the_paper(parts, pair, name, found, level, is_printed=is_printed))
        else:
            how = _Procedure(classifier, n_splits, n_permutations, level, seed)
            for row, (pair, whole) in enumerate(zip(pairs, documents, strict=True)):
                cells.append(_by_documents(parts, pair, name, space, whole, how))
                done(row + 1)
        telling += telling_ngrams(space, parts.owner, name, n_top)
    settings = [("features", ",".join(chosen)), ("column", column), ("classifier", classifier)]
    settings += [("splits", str(n_splits)), ("level", repr(level)), ("seed", str(seed)), ("preset", preset)]
    settings += [] if is_paper else [("permutations", str(n_permutations))]
    return Divergences(
        chosen,
        parts.names,
        parts.names if parts.all_files else _owners(parts, {train for train, _ in pairs}),
        parts.names if parts.all_files else _owners(parts, {test for _, test in pairs}),
        parts.all_files,
        tuple(cells),
        feature_summaries(cells, chosen),
        tuple(telling),
        tuple(_shares(parts, pair, column) for pair in pairs),
        classifier,
        n_splits,
        level,
        tuple((corpus.path, corpus.format) for corpus in parts.corpora),
        signature("diverge", settings, parts.signed()),
        preset,
        0 if is_paper else n_permutations,
        () if is_paper else tuple(_warnings(parts, documents, classifier, n_permutations)),
    )


def _owners(parts: CorpusParts, places: Iterable[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts.owner[place] for place in sorted(places)))


def _checked(features: str | Sequence[str], classifier: str, preset: str, n_splits: int) -> tuple[str, ...]:
    asked = [features] if isinstance(features, str) else list(features)
    asked = list(FEATURES) if asked == ["all"] else asked
    for name in asked:
        if name not in FEATURES:
            raise UsageError(f"unknown features {name!r}; choose from {', '.join(FEATURES)} and all")
    if classifier not in CLASSIFIERS:
        raise UsageError(f"unknown classifier {classifier!r}; choose from {', '.join(CLASSIFIERS)}")
    if preset not in PRESETS:
        raise UsageError(f"unknown preset {preset!r}; choose from {', '.join(PRESETS)}")
    if classifier == "logistic":
        logistic_modules()  # what is missing is said before the work
    if n_splits < 1 or not asked:
        raise UsageError("at least one split and one set of features are needed")
    return tuple(name for name in FEATURES if name in asked)


def _refuse_few_permutations(n: int, level: float) -> None:
    if not 0.5 <= level < 1:
        raise UsageError(f"level {level}: it must lie between 0.5 and 1, as in 0.95")
    n_needed = math.ceil(1 / (1 - level) - 1e-9) - 1
    if n < 0 or 0 < n < n_needed:
        raise UsageError(
            f"{n} permutations cannot give p = {1 - level:.2g}: {n_needed:,} or more are needed, or 0 for no p"
        )


def _tell(progress: Callable[[float], None] | None, n_before: int, n_pairs: int, n_done: float) -> None:
    if progress:
        progress((n_before + n_done) / n_pairs)


def _as_in_the_paper(
    parts: CorpusParts, pair: tuple[int, int], features: str, found: Floats, level: float, *, is_printed: bool
) -> PairDivergence:
    first, second = (parts.corpora[place] for place in pair)
    n_sampled = min(first.n_sentences, second.n_sentences)
    lower, upper = splits_interval(found, level)
    paper = printed_accuracy(first.source.sha256(), second.source.sha256(), features) if is_printed else None
    sizes = first.n_sentences, second.n_sentences, n_sampled
    names = parts.owner[pair[0]], parts.owner[pair[1]]
    return PairDivergence(*names, features, float(found.mean()), lower, upper, *sizes, paper)


@dataclass(frozen=True, slots=True)
class _Procedure:
    """How documents are told apart."""

    classifier: str
    n_splits: int
    n_permutations: int
    level: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Documents:
    """The documents of a pair, or its sentences in their place: where one marks none, or too few to be halved."""

    pair: tuple[int, int]
    whole: DocumentPair
    n_marked: tuple[int, int] | None
    are_enough: bool

    @classmethod
    def of(cls, parts: CorpusParts, pair: tuple[int, int], texts: Sequence[Indices], level: float) -> _Documents:
        first, second = (parts.corpora[place] for place in pair)
        ours, theirs = (texts[place] for place in pair)
        sentences = partial(document_pair, ours, theirs, None, None)
        if not (first.has_documents and second.has_documents):
            whole = sentences()
            return cls(pair, whole, None, whole.smallest_p() <= 1 - level + 1e-9 and whole.can_be_halved)
        n_marked = first.n_documents, second.n_documents
        whole = document_pair(ours, theirs, first.document_offsets, second.document_offsets)
        if not whole.can_be_halved:
            return cls(pair, sentences(), n_marked, are_enough=False)
        return cls(pair, whole, n_marked, whole.smallest_p() <= 1 - level + 1e-9)


def _by_documents(
    parts: CorpusParts,
    pair: tuple[int, int],
    features: str,
    space: NgramSpace,
    documents: _Documents,
    how: _Procedure,
) -> PairDivergence:
    """One pair; all have the same random numbers, whatever else is compared, and all features see the same splits."""
    found = document_test(
        documents.whole,
        space.corpora[pair[0]],
        space.corpora[pair[1]],
        classifier=how.classifier,
        n_splits=how.n_splits,
        n_permutations=how.n_permutations,
        level=how.level,
        is_sure=documents.are_enough,
        random=np.random.default_rng(how.seed),
    )
    names = parts.owner[pair[0]], parts.owner[pair[1]]
    sizes = parts.corpora[pair[0]].n_sentences, parts.corpora[pair[1]].n_sentences, found.n_sampled
    ends = found.lower, found.upper
    n_documents = documents.n_marked or (None, None)
    return PairDivergence(*names, features, found.accuracy, *ends, *sizes, None, found.p, *n_documents)


def _warnings(
    parts: CorpusParts, documents: Sequence[_Documents], classifier: str, n_permutations: int
) -> Iterable[str]:
    """What must not be overlooked: documents that are not marked, or too few."""
    used = sorted({place for one in documents for place in one.pair})
    unmarked = dict.fromkeys(parts.owner[place] for place in used if not parts.corpora[place].has_documents)
    if unmarked:
        yield f"no documents marked in {', '.join(unmarked)}: sentences are used instead, so topics count too"
    for one in documents:
        if not one.are_enough:
            names = " and ".join(dict.fromkeys(parts.owner[place] for place in one.pair))
            what = "sentences" if one.n_marked is None else f"documents ({one.n_marked[0]:,} and {one.n_marked[1]:,})"
            yield f"{names}: too few {what} for a verdict"
    if classifier == "logistic" and n_permutations:
        yield "no p for logistic regression, which is too slow for a permutation test"


def _shares(parts: CorpusParts, pair: tuple[int, int], column: str) -> PairShares:
    train, test = pair
    return pair_shares(parts.corpora[train], parts.corpora[test], column, names=(parts.owner[train], parts.owner[test]))
