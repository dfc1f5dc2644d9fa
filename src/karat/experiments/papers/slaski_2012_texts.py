"""The texts of the experiment: what is evaluated, what statistics are counted over, and the pairs of groups of both."""

from __future__ import annotations

import glob
import hashlib
import itertools
import os
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from karat._arrays import Flags, Indices
from karat._ragged import offsets_of, places_of_rows
from karat.corpus import Corpus, corpus_from_source, read
from karat.corpus.chosen_sentences import chosen_sentences
from karat.corpus.source import source_from_bytes
from karat.errors import NO_LINE, DataError, Problem
from karat.experiments.papers.slaski_2012_predicted import predicted_tags
from karat.systems.attachment.counted_statistics import attachment_statistics
from karat.systems.attachment.decision_rules import DecisionRules, read_decision_rules
from karat.systems.attachment.object_columns import ObjectColumns, columns_of_objects
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.treebank_pairs import pairs_of_treebank
from karat.systems.groups.found_groups import FoundGroups, find_groups

POLISH, ENGLISH = "Polish", "English"
DRAWN, SHORT, ALL, SHARED, LFG = "drawn", "short", "all", "shared", "LFG"  # which sentences are evaluated
MOST_WORDS, N_DRAWN = 14, 963
WORDNET = "/usr/share/wordnet"
_LEMMAS = os.path.join("plwordnet", "wn-data-pol.tab")
_MAP = "nkjp-older"
_TREEBANKS = {
    POLISH: ("UD_Polish-PDB", "UD_Polish-PUD", "UD_Polish-LFG"),
    ENGLISH: tuple(f"UD_English-{one}" for one in ("EWT", "GUM", "LinES", "ParTUT", "PUD")),
}
_EVALUATED = {POLISH: "UD_Polish-PDB", ENGLISH: "UD_English-EWT"}


@dataclass(frozen=True, slots=True)
class Setting:
    """Which sentences are evaluated, and with which statistics.

    `sentences` are of at most 14 words and drawn at random (`seed` says how), all such, all of any length, those that
    LFG has with the same heads, or LFG's. Statistics are counted over `words` of text, all that there is if it is None;
    `is_mapped` says whether LFG's older tags become PDB's there, `has_predicted_tags` whether a tagger has tagged the
    sentences that are evaluated.
    """

    language: str
    sentences: str
    seed: int = 0
    words: int | None = None
    is_mapped: bool = True
    has_predicted_tags: bool = False


@dataclass(frozen=True, slots=True)
class PaperData:
    """The files of a language; `treebanks` are the names of those that are there, each with its files."""

    language: str
    treebanks: tuple[tuple[str, tuple[str, ...]], ...]
    wordnet: str | None
    lemmas: str | None

    def files(self, name: str) -> tuple[str, ...]:
        """The files of a treebank; a `DataError` where there is none."""
        found = dict(self.treebanks).get(name)
        if not found:
            raise DataError(Problem("K104", f"there is no {name}", self.treebanks[0][1][0], NO_LINE))
        return found

    def sha256(self) -> str:
        """A hash of all files that are read."""
        digest = hashlib.sha256()
        every = [path for _, files in self.treebanks for path in files]
        every += [] if self.lemmas is None else [self.lemmas]
        every += [] if self.wordnet is None else sorted(glob.glob(os.path.join(self.wordnet, "[di]*.*")))
        for path in every:
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()


def data_in(folder: str, language: str) -> PaperData | None:
    """The treebanks of a language in a folder, or in a release below it; None if the evaluated one is not there."""
    found = []
    for name in _TREEBANKS[language]:
        places = [os.path.join(folder, name), *sorted(glob.glob(os.path.join(glob.escape(folder), "*", name)))]
        for place in places:
            files = sorted(glob.glob(os.path.join(glob.escape(place), "*.conllu")))
            if name in _EVALUATED.values():
                parts = ("dev", "test")
                tested = [one for one in files if one.endswith(tuple(f"-ud-{part}.conllu" for part in parts))]
                files = tested if language == POLISH else files
            if files:
                found.append((name, tuple(files)))
                break
    if _EVALUATED[language] not in dict(found):
        return None
    lemmas = os.path.join(folder, _LEMMAS) if language == POLISH else None
    has_wordnet = os.path.isfile(os.path.join(WORDNET, "data.noun")) and (lemmas is None or os.path.isfile(lemmas))
    return PaperData(language, tuple(found), WORDNET if has_wordnet else None, lemmas if has_wordnet else None)


def polish_data(folder: str) -> PaperData:
    """The Polish treebanks in a folder, or in a release below it; a `DataError` without UD_Polish-PDB."""
    found = data_in(folder, POLISH) if os.path.isdir(folder) else None
    if found is None:
        hint = "name the folder that has UD_Polish-PDB, or one above releases of UD"
        raise DataError(Problem("K104", "no UD_Polish-PDB in it", folder, NO_LINE, hint=hint))
    return found


# ---- what is evaluated -----------------------------------------------------------------------------------------------


def evaluated_corpus(data: PaperData, setting: Setting) -> Corpus:
    """The sentences that are evaluated, with gold tags."""
    if setting.sentences == LFG:
        return read(list(data.files("UD_Polish-LFG")), tag="xpos")
    files = [
        one for one in data.files(_EVALUATED[data.language]) if one.endswith(("-ud-dev.conllu", "-ud-test.conllu"))
    ]
    corpus = read(files, tag="xpos")
    chosen = _chosen(data, corpus, setting)
    if not len(chosen):
        raise DataError(Problem("K104", "there is no sentence to evaluate", corpus.path, NO_LINE))
    return chosen_sentences(corpus, chosen)


def _chosen(data: PaperData, corpus: Corpus, setting: Setting) -> Indices:
    if setting.sentences == ALL:
        return np.arange(corpus.n_sentences)
    if setting.sentences == SHARED:
        trees = {*_trees(read(list(data.files("UD_Polish-LFG")), tag="xpos"))}
        return np.flatnonzero([one in trees for one in _trees(corpus)])
    short = np.flatnonzero(np.diff(corpus.sentence_offsets) <= MOST_WORDS)
    if setting.sentences == SHORT:
        return short
    return np.sort(np.random.default_rng([setting.seed, 963]).permutation(short)[:N_DRAWN])  # as karat attach evaluate


def _trees(corpus: Corpus) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Each sentence's words and heads."""
    assert corpus.heads is not None
    forms, heads, bounds = corpus.column("form").strings(), corpus.heads.tolist(), corpus.sentence_offsets.tolist()
    return [(tuple(forms[a:b]), tuple(heads[a:b])) for a, b in itertools.pairwise(bounds)]


# ---- what is counted -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CountedTexts:
    """The statistics of all text of a language, and the words and documents of each sentence of it."""

    statistics: CooccurrenceStatistics
    sizes: Indices
    documents: Indices

    def of_words(self, n_words: int, evaluated: ObjectColumns, seed: int) -> CooccurrenceStatistics:
        """The statistics of some `n_words` in whole documents, or sentences where no documents are marked.

        They are drawn at random; no copy of an evaluated sentence is among them.
        """
        columns = self.statistics.columns
        kept = ~np.isin(columns.hashes, evaluated.hashes)
        drawn: list[int] = []
        total = 0
        order = np.random.default_rng([seed, 2012]).permutation(int(self.documents.max()) + 1)
        members = np.split(np.argsort(self.documents, kind="stable"), offsets_of(np.bincount(self.documents))[1:-1])
        for document in order.tolist():
            for sentence in members[document].tolist():
                if kept[sentence] and total < n_words:
                    drawn.append(sentence)
                    total += int(self.sizes[sentence])
        return replace(self.statistics, columns=_columns_of(columns, np.sort(np.array(drawn, dtype=np.intp)), total))


def _columns_of(columns: ObjectColumns, sentences: Indices, n_words: int) -> ObjectColumns:
    """Some sentences of a text in columns."""
    places, sizes = places_of_rows(columns.offsets, sentences)
    return replace(
        columns,
        syntactic={name: ids.take(places) for name, ids in columns.syntactic.items()},
        semantic={name: ids.take(places) for name, ids in columns.semantic.items()},
        offsets=offsets_of(sizes),
        hashes=columns.hashes.take(sentences),
        documents=columns.documents.take(sentences),
        n_words=n_words,
    )


@lru_cache(maxsize=2)
def counted_texts(data: PaperData, *, is_mapped: bool) -> CountedTexts:
    """The statistics of all text of a language; kept by each process."""
    corpora = [read(list(files), tag="xpos") for _, files in data.treebanks]
    counted = attachment_statistics(
        corpora,
        wordnet=data.wordnet,
        lemmas=data.lemmas,
        tagset="nkjp" if data.language == POLISH else "ud",
        map=_MAP if is_mapped and data.language == POLISH else None,
    )
    sizes = np.concatenate([np.diff(one.sentence_offsets) for one in corpora])
    documents, first = [], 0
    for one in corpora:
        numbers = one.sentence_document if one.has_documents else np.arange(one.n_sentences)
        documents.append(numbers + first)
        first += int(numbers.max(initial=-1)) + 1
    return CountedTexts(counted.statistics, sizes, np.concatenate(documents).astype(np.intp))


# ---- both ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SettingPairs:
    """The pairs of a setting, the groups that they are of, and what the rules accept [rules × pairs]."""

    found: FoundGroups
    gold: FoundGroups
    pairs: AttachmentPairs
    by_rule: Flags
    rules: DecisionRules
    statistics: CooccurrenceStatistics

    @cached_property
    def n_counted_words(self) -> int:
        """The words of the statistics, without those of evaluated sentences."""
        return self.statistics.columns.n_words


@lru_cache(maxsize=2)
def pairs_of_setting(data: PaperData, setting: Setting) -> SettingPairs:
    """The pairs of a setting; kept by each process."""
    texts = counted_texts(data, is_mapped=setting.is_mapped)
    corpus = evaluated_corpus(data, setting)
    tagset = texts.statistics.tagset
    mapped = _MAP if setting.sentences == LFG else None
    gold = found = find_groups(corpus, tagset=tagset, map=mapped, limit=1)
    if setting.has_predicted_tags:
        whole = evaluated_corpus(data, replace(setting, sentences=ALL))
        text = predicted_tags(corpus, whole, setting.seed)
        found = find_groups(
            corpus_from_source(source_from_bytes(text, corpus.path), tag="xpos"), tagset=tagset, limit=1
        )
    statistics = texts.statistics
    if setting.words is not None:
        statistics = texts.of_words(setting.words, columns_of_objects(found.objects), setting.seed)
    rules = read_decision_rules(tagset)
    pairs, by_rule = pairs_of_treebank(found.corpus, found.objects, statistics, rules)
    return SettingPairs(found, gold, pairs, by_rule, rules, statistics)
