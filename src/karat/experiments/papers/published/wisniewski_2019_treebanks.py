"""What the treebanks of UD 2.3 that are here give without training, for the numbers of Wisniewski & Yvon 2019.

Every text is read once for what is counted here; tables of repeats and divergences are karat's own, and read theirs.
What is to be equal to the print is computed of the paper's very files alone, known by their hashes or sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TypeVar

from karat.corpus import Corpus, read
from karat.errors import NO_LINE, DataError, Problem
from karat.experiments.analyses.conditions import short_name
from karat.experiments.analyses.totals import suspicious_counts
from karat.experiments.papers.published.numbers import PaperEvidence
from karat.experiments.papers.reproduction import NotRun
from karat.experiments.papers.ud_folders import TreebankFolder, ud_treebanks
from karat.experiments.papers.wisniewski_2019_prints import RELEASE, TREEBANKS
from karat.gold.divergence.diverge import FEATURES, diverge
from karat.gold.divergence.divergence_results import Divergences, FeatureSummary, feature_summaries
from karat.gold.divergence.paper_figure import papers_part
from karat.gold.repeats.labels import column_labels
from karat.gold.repeats.maximal import maximal_repeats, sentences_with_a_repeat
from karat.gold.repeats.paper_table_inputs import RepeatTable, repeat_table
from karat.gold.repeats.paper_tables import PRINTED_TABLE_5
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.treebank_folders import PARTS, treebank_parts

ENGLISH = "English"
# The examples of Tables 2 and 3, each by a few of its words
EXAMPLES_OF_TABLE_2 = (("convergence", "level"), ("Notice",), ("License", "subject"))
EXAMPLES_OF_TABLE_3 = (("come", "out", "to"), ("president", "States"))

_Found = TypeVar("_Found")


class UdTreebanks:
    """The English and French treebanks of the paper that are in the folder with data; None where there is nothing."""

    def __init__(self, evidence: PaperEvidence) -> None:
        self._evidence = evidence
        self._corpora: dict[tuple[str, str], Corpus] = {}
        self._folders = evidence.found("treebanks of UD 2.3", _folders) or []
        here = {one.name: one for one in self._folders}
        for name in _needed() if self._folders else ():
            if name not in here:
                evidence.missing.append(NotRun(name, "not in the folder"))

    def of(self, language: str) -> dict[str, str]:
        """The folders of a language by the names of the treebanks."""
        return {one.name: one.path for one in self._folders if one.language == language}

    def corpus(self, name: str, part: str) -> Corpus | None:
        """A part of a treebank; None where it is not there."""
        key = name, part
        if key not in self._corpora:
            folder = next((one for one in self._folders if one.name == name), None)
            if folder is None or part not in folder.parts:
                return None
            files = treebank_parts(folder.path, (part,))[part]
            assert isinstance(files, list)
            self._corpora[key] = corpus = read(files, trees=False)
            self._evidence.inputs.append((part, name, corpus.source.sha256()))
        return self._corpora[key]

    def corpora(self, language: str, *parts: str) -> dict[tuple[str, str], Corpus]:
        """All texts of a language, by treebank and part."""
        every = {(name, part): self.corpus(name, part) for name in self.of(language) for part in parts}
        return {key: one for key, one in every.items() if one is not None}

    def _english(self, name: str, part: str) -> Corpus:
        """One of the paper's files; a `DataError` where it is not there, or is not the paper's."""
        corpus = self.corpus(f"UD_English-{name}", part)
        if corpus is None or papers_part(corpus.source.sha256()) is None:
            where = str(self._evidence.data) if corpus is None else corpus.path
            raise DataError(Problem("K104", f"not the {part} part of English-{name} of UD 2.3", where, NO_LINE))
        return corpus

    def _found(self, what: str, compute: Callable[[], _Found]) -> _Found | None:
        return self._evidence.found(what, lambda _: compute()) if self._folders else None

    # ---- tables --------------------------------------------------------------------------------------------------

    @cached_property
    def table_4(self) -> RepeatTable | None:
        names = ("UD_English-EWT", "UD_English-PUD")
        here = {name: path for name, path in self.of(ENGLISH).items() if name in names}
        return self._found("Table 4", lambda: repeat_table(4, here))

    @cached_property
    def table_5(self) -> RepeatTable | None:
        return self._found("Table 5", lambda: repeat_table(5, self.of(ENGLISH)))

    @cached_property
    def table_6(self) -> RepeatTable | None:
        return self._found("Table 6", lambda: repeat_table(6, self.of(ENGLISH)))

    @cached_property
    def tables_8(self) -> Sequence[RepeatTable]:
        """Table 8, a part for each language."""
        found = [self._found(f"Table 8, {one}", partial(repeat_table, 8, self.of(one))) for one in TREEBANKS]
        return [one for one in found if one is not None]

    @cached_property
    def divergences(self) -> Mapping[str, Divergences]:
        """Figure 1 by language."""
        found = {
            one: self._found(f"Figure 1, {one}", partial(diverge, self.of(one), preset="paper", n_top=0))
            for one in TREEBANKS
        }
        return {language: one for language, one in found.items() if one is not None}

    @cached_property
    def feature_summaries(self) -> Mapping[str, FeatureSummary]:
        """Table 7, of both languages, by features."""
        cells = [cell for one in self.divergences.values() for cell in one.cells]
        return {one.features: one for one in feature_summaries(cells, FEATURES)}

    # ---- counts --------------------------------------------------------------------------------------------------

    @cached_property
    def sizes(self) -> Mapping[str, list[int]] | None:
        """The numbers of sentences of all train sets and of all test sets."""

        def count() -> dict[str, list[int]]:
            every = [(part, one) for language in TREEBANKS for (_, part), one in self.corpora(language, *PARTS).items()]
            return {part: [one.n_sentences for its, one in every if its == part] for part in ("train", "test")}

        found = self._found("sizes of treebanks", count)
        return found if found and all(found.values()) else None

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of a train and a test set of a language, by treebank."""
        every: list[tuple[str, str]] = []
        for language in TREEBANKS:
            of = {part: [one.name for one in self._folders if one.language == language and part in one.parts]
                  for part in ("train", "test")}  # fmt: skip
            every += itertools.product(of["train"], of["test"])
        return every

    @cached_property
    def totals(self) -> tuple[int, int, int, int] | None:
        """Suspicious repeats between train parts and dev or test parts: all, of 3 and of 5 words, disjoint."""

        def count() -> tuple[int, int, int, int]:
            sums = [0, 0, 0, 0]
            for language in TREEBANKS:
                trains = self.corpora(language, "train").values()
                others = {key: one for part in ("test", "dev") for key, one in self.corpora(language, part).items()}
                for train, other in itertools.product(trains, others.values()):
                    sums = [a + b for a, b in zip(sums, suspicious_counts(train, other, "upos"), strict=True)]
            return sums[0], sums[1], sums[2], sums[3]

        found = self._found("totals of section 5", count)
        return found if found and any(found) else None

    @cached_property
    def largest_ratio(self) -> float | None:
        """The largest ratio between the numbers of sentences of a train and a test set."""

        def ratios() -> Iterator[float]:
            for train, test in self.pairs:
                first, second = self.corpus(train, "train"), self.corpus(test, "test")
                if first is not None and second is not None:
                    yield max(first.n_sentences, second.n_sentences) / min(first.n_sentences, second.n_sentences)

        return self._found("ratios of sizes", lambda: max(ratios(), default=None))

    # ---- examples ------------------------------------------------------------------------------------------------

    @cached_property
    def examples_of_table_2(self) -> Sequence[tuple[str, int]] | None:
        """The treebank in which each example is, and how many words the longest repeat with its words has."""

        def find() -> list[tuple[str, int]]:
            found = []
            for words in EXAMPLES_OF_TABLE_2:
                lengths = {name: _longest([self._english(name, "train")], words) for name in ("EWT", "ParTUT")}
                found.append(max(lengths.items(), key=lambda one: one[1]))
            return found

        return self._found("examples of Table 2", find)

    @cached_property
    def examples_of_table_3(self) -> int | None:
        """How many of the examples are suspicious repeats of EWT and PUD."""

        def count() -> int:
            both = [self._english("EWT", "train"), self._english("PUD", "test")]
            return sum(_longest(both, words, between=True) > 0 for words in EXAMPLES_OF_TABLE_3)

        return self._found("examples of Table 3", count)

    def labels_of(self, form: str, name: str, part: str) -> Mapping[str, int] | None:
        """How often a word has which labels."""

        def count() -> dict[str, int]:
            corpus = self._english(name, part)
            pairs = zip(corpus.column("form").strings(), corpus.column("upos").strings(), strict=True)
            labels = [label for word, label in pairs if word == form]
            return {label: labels.count(label) for label in dict.fromkeys(labels)}

        return self._found(f"labels of {form}", count)

    @cached_property
    def reading_of_table_5(self) -> tuple[int, int] | None:
        """In how many sentences, and of how many words, repeats are at least, that give its shares of sentences.

        The only reading of 1 or 2 sentences, and 3 to 6 words, with which all five treebanks come out.
        """

        def find() -> tuple[int, int] | None:
            fitting = {(sentences, words) for sentences in (1, 2) for words in range(3, 7)}
            for name in (one for one in PRINTED_TABLE_5 if one not in ("ESL", "WSJ")):
                parts = [one for one in (self.corpus(f"UD_English-{name}", part) for part in PARTS) if one is not None]
                if sum(one.n_sentences for one in parts) != PRINTED_TABLE_5[name].sentences:
                    return None
                fitting &= _fitting(parts, PRINTED_TABLE_5[name].percent_sentences)
            return fitting.pop() if len(fitting) == 1 else None

        return self._found("the reading of Table 5", find)

    @cached_property
    def words_of_inconsistent_repeats(self) -> int | None:
        """Of how many words, from 3 to 6, repeats are at least that give Table 5's shares of inconsistent repeats.

        Those of PUD come out for no length.
        """

        def find() -> int | None:
            fitting = {3, 4, 5, 6}
            for name in (one for one in PRINTED_TABLE_5 if one not in ("ESL", "WSJ", "PUD")):
                parts = [one for one in (self.corpus(f"UD_English-{name}", part) for part in PARTS) if one is not None]
                if sum(one.n_sentences for one in parts) != PRINTED_TABLE_5[name].sentences:
                    return None
                fitting &= _fitting_inconsistent(parts, PRINTED_TABLE_5[name].percent_inconsistent)
            return fitting.pop() if len(fitting) == 1 else None

        return self._found("the words of Table 5", find)


def _folders(data: str) -> list[TreebankFolder]:
    """The paper's treebanks in the folder, those without words left out."""
    every = ud_treebanks(data, RELEASE, tuple(TREEBANKS))
    printed = {language: {name for names in parts for name in names} for language, parts in TREEBANKS.items()}
    return [one for one in every if one.has_text and short_name(one.name) in printed[one.language]]


def _needed() -> list[str]:
    """The treebanks that karat has been compared on: all of the paper's with words, as far as UD lets us have them."""
    english = [f"UD_English-{one}" for one in ("EWT", "GUM", "LinES", "PUD", "ParTUT")]
    french = [f"UD_French-{one}" for one in ("GSD", "PUD", "ParTUT", "Sequoia", "Spoken")]
    return [*english, *french, "UD_Old_French-SRCMF"]


def _longest(corpora: Sequence[Corpus], words: Sequence[str], *, between: bool = False) -> int:
    """How many words the longest suspicious repeat has that holds all of these; 0 if there is none."""
    text = running_text(corpora)
    repeats = maximal_repeats(text, min_words=max(2, len(words)), two_sentences=False, between=between)
    found = suspicious_repeats(repeats, column_labels(text, "upos"))
    order = found.length.argsort(kind="stable")[::-1].tolist()
    return next((int(found.length[row]) for row in order if {*words} <= {*found.words(row)}), 0)


def _fitting(parts: Sequence[Corpus], printed: float) -> set[tuple[int, int]]:
    """The readings by which so many percent of a corpus's sentences, cut off behind a digit, have a repeat."""
    text = running_text(parts)
    found = set()
    for sentences in (1, 2):
        repeats = maximal_repeats(text, min_words=3, two_sentences=sentences == 2)
        for words in range(3, 7):
            share = float(sentences_with_a_repeat(repeats.chosen(repeats.length >= words)).mean())
            if int(1000 * share + 1e-9) == round(10 * printed):
                found.add((sentences, words))
    return found


def _fitting_inconsistent(parts: Sequence[Corpus], printed: float) -> set[int]:
    """The lengths from which on so many percent of a corpus's repeats, cut off behind a digit, are inconsistent."""
    text = running_text(parts)
    repeats = maximal_repeats(text, min_words=3, two_sentences=False)
    inconsistent = suspicious_repeats(repeats, column_labels(text, "upos")).length
    shares = {words: float((inconsistent >= words).sum() / (repeats.length >= words).sum()) for words in range(3, 7)}
    return {words for words, share in shares.items() if int(1000 * share + 1e-9) == round(10 * printed)}
