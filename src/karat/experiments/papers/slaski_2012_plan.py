"""Which runs the experiment consists of, by the tables that they are for, the most important ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from karat.experiments.papers import slaski_2012_signals as signals
from karat.experiments.papers.slaski_2012_runs import PAIRS, SIGNALS, AttachmentRun
from karat.experiments.papers.slaski_2012_texts import ALL, DRAWN, ENGLISH, LFG, POLISH, SHARED, SHORT, Setting
from karat.systems.attachment.classifiers import BALANCED_FOREST, CLASSIFIERS

FOLDS, FEW_FOLDS = 10, 3  # the paper's folds are 10; where many classifiers are trained, fewer must do
FEW_TRAIN, FEWER_TRAIN = 1000, 500  # training sentences, where sentences are long or there are many
TREEBANK_SIZES = (100, 200, 400, 800, 1600)
POLISH_WORDS: Sequence[int] = (10_000, 25_000, 50_000)
ENGLISH_WORDS: Sequence[int] = (10_000, 30_000, 100_000, 200_000)
EVERY_OTHER = 1_000_000_000  # words: all text but what is evaluated
BOOSTING = "gradient-boosting"


def drawn(seed: int = 0) -> AttachmentRun:
    """The paper's procedure."""
    return AttachmentRun(Setting(POLISH, DRAWN, seed), n_folds=FOLDS)


def few_folds(setting: Setting, **options: object) -> AttachmentRun:
    """A run in few folds."""
    return AttachmentRun(setting, n_folds=FEW_FOLDS, **options)  # type: ignore[arg-type]


POLISH_DRAWN, ENGLISH_DRAWN = Setting(POLISH, DRAWN), Setting(ENGLISH, DRAWN)
IN_FEW_FOLDS = few_folds(POLISH_DRAWN)
POLISH_TEXTS: Mapping[str, AttachmentRun] = {
    "963 sentences of at most 14 words": drawn(),
    "in PDB and LFG, with equal heads": AttachmentRun(Setting(POLISH, SHARED), n_folds=FOLDS),
    "all of at most 14 words": few_folds(Setting(POLISH, SHORT)),
    "all sentences": few_folds(Setting(POLISH, ALL), n_train=FEW_TRAIN),
}
ENGLISH_TEXTS: Mapping[str, AttachmentRun] = {
    "at most 14 words, folds by sentence": few_folds(Setting(ENGLISH, SHORT), n_train=FEW_TRAIN),
    "at most 14 words, by document": few_folds(Setting(ENGLISH, SHORT), n_train=FEW_TRAIN, by="document"),
    "all sentences, by sentence": few_folds(Setting(ENGLISH, ALL), n_train=FEWER_TRAIN),
    "all sentences, by document": few_folds(Setting(ENGLISH, ALL), n_train=FEWER_TRAIN, by="document"),
}
BY_CLASSIFIER = {name: few_folds(POLISH_DRAWN, classifier=name) for name in CLASSIFIERS}
BY_TREEBANK_SIZE = {size: few_folds(Setting(POLISH, SHORT), n_train=size) for size in TREEBANK_SIZES}
SIGNAL_USE = few_folds(POLISH_DRAWN, what=SIGNALS)
BY_SIGNALS = {
    name: few_folds(POLISH_DRAWN, signals=name)
    for name in (signals.EVERY, *signals.WITHOUT, signals.ONLY_PLACES, *signals.ONLY_MEASURES)
}
SHUFFLED = few_folds(POLISH_DRAWN, is_shuffled=True)
NOT_MAPPED = few_folds(Setting(POLISH, DRAWN, is_mapped=False))
PREDICTED = few_folds(Setting(POLISH, DRAWN, has_predicted_tags=True))
RULES = (Setting(POLISH, LFG), Setting(POLISH, ALL))


def by_statistics_size(language: str) -> list[AttachmentRun]:
    """The runs over sizes of statistics, in all of which nothing that is evaluated is counted."""
    sizes = POLISH_WORDS if language == POLISH else ENGLISH_WORDS
    return [few_folds(Setting(language, DRAWN, words=size)) for size in (*sizes, EVERY_OTHER)]


def by_what_is_left_out(language: str) -> dict[str, AttachmentRun]:
    """The run with all text but each sentence itself, and the one with all text but what is evaluated."""
    return {
        "the sentence itself": few_folds(Setting(language, DRAWN)),
        "all evaluated sentences": few_folds(Setting(language, DRAWN, words=EVERY_OTHER)),
    }


def planned(languages: Sequence[str], seeds: Sequence[int]) -> list[AttachmentRun]:
    """All runs of these languages, with the pairs that they are about."""
    found = [run for run in _runs(seeds) if run.setting.language in languages]
    pairs = [AttachmentRun(one, PAIRS) for one in RULES if one.language in languages]
    for run in found:
        pairs += [AttachmentRun(run.setting, PAIRS), run]
    return list(dict.fromkeys(pairs))


def _runs(seeds: Sequence[int]) -> Iterator[AttachmentRun]:
    yield from POLISH_TEXTS.values()
    yield from (drawn(seed) for seed in seeds)
    yield from (BY_CLASSIFIER[name] for name in (BALANCED_FOREST, BOOSTING))
    yield from (ENGLISH_TEXTS[name] for name in list(ENGLISH_TEXTS)[:2])
    yield SIGNAL_USE
    yield from by_statistics_size(POLISH)
    yield from by_what_is_left_out(POLISH).values()
    yield from BY_TREEBANK_SIZE.values()
    yield SHUFFLED
    yield NOT_MAPPED
    yield PREDICTED
    yield from by_statistics_size(ENGLISH)
    yield from by_what_is_left_out(ENGLISH).values()
    yield from BY_SIGNALS.values()
    yield from BY_CLASSIFIER.values()
    yield from ENGLISH_TEXTS.values()
