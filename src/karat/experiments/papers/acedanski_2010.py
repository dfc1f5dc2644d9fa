"""Acedański & Przepiórkowski 2010, run again: taggers of Polish in ten folds, scored by all measures of the paper.

The paper's taggers are TaKIPI (decision trees, one tag or several) and a Brill tagger; its corpus, the manually
disambiguated part of the IPI PAN Corpus, has 880,000 segments. Here karat's taggers learn from UD_Polish-PDB: its dev
and test parts, in ten folds by document, duplicates of test sentences left out of training. The same taggers, trained
on all of it, are tested on UD_Polish-PUD and UD_Polish-LFG, whose older tags are mapped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from karat.corpus import PathLike
from karat.corpus.documents_from_comments import DocumentComment
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.experiments.grid import Grid, GridCell, grid
from karat.experiments.papers import acedanski_2010_tables as tables, acedanski_2010_weights as weights
from karat.experiments.papers.acedanski_2010_gold import with_other_genders
from karat.experiments.papers.acedanski_2010_prints import SEVERAL_TAGS
from karat.experiments.papers.acedanski_2010_scores import (
    ACCOMMODABILITY,
    Scored,
    Scoring,
    SystemTags,
    TestText,
    tagged_text,
)
from karat.experiments.papers.reproduction import (
    ExperimentRun,
    NotRun,
    PaperPart,
    Reproduction,
    failed_cells,
    made_parts,
)
from karat.experiments.systems import OwnTagger
from karat.experiments.treebanks import TextFiles, TextReading, Treebank, corpus_of, text_of, treebanks
from karat.inference.options import InferenceOptions
from karat.signature import signature
from karat.systems.folds import folds_of
from karat.systems.options import SYSTEMS as KNOWN, system_from_text

NAME = "acedanski-2010"
SEEDS = 1  # folds are the runs
N_FOLDS = 10
PDB, OTHERS = "UD_Polish-PDB", ("UD_Polish-PUD", "UD_Polish-LFG")
DOCUMENTS = DocumentComment("orig_file_sentence")
OLDER_TAGS = "nkjp-older"
SYSTEMS: Mapping[str, str] = {
    "unigram": "most-frequent:suffixes=yes",
    "HMM": "hmm:order=2,lexicon=morfeusz",
    "relaxation": "relaxation:lexicon=morfeusz",
    "trees": "layered-trees:tagset=nkjp,lexicon=morfeusz",
    "forests": "layered-trees:tagset=nkjp,lexicon=morfeusz,forest=yes",
    "Brill": "brill:tagset=nkjp,lexicon=morfeusz",
    "perceptron": "perceptron:tagset=nkjp,lexicon=morfeusz",
}
_SEVERAL = "trees"  # the system that gives several tags, as TaKIPI does
_LEAST_KEPT = 0.005  # of the likeliest tag's probability: what else is kept, for the curve


def reproduced(data: PathLike, folder: PathLike, how: ExperimentRun) -> Reproduction:
    """The paper's experiment on those Polish treebanks that are in the folder."""
    found = _folders(data)
    pdb = _dev_and_test(found[PDB])
    systems, missing = _systems()
    kept = os.path.join(folder, "grid")
    seed = _only(how.seeds)
    asked = {"systems": systems, "seeds": [seed], "column": "xpos", "without_duplicates": True, **how.of_grid}
    asked["document_from"] = DOCUMENTS.field
    grids = {PDB: _run([pdb], kept, asked | {"folds": N_FOLDS, "fold_by": "document"})}
    tests = [_as_test(found[name]) for name in OTHERS if name in found]
    whole = Treebank(PDB, pdb.whole(), None, None)
    for test in tests:  # each by itself: what LFG has of PDB, PUD may learn from
        grids[test.name] = _run([whole], kept, asked | {"tests": [test], "map": OLDER_TAGS})
    work = _Experiment(pdb.whole(), {one.name: one.test for one in tests if one.test}, grids, seed, how.inference)
    parts, refused = made_parts(_PARTS, work)
    failures = [one for each in grids.values() for one in each.failures]
    absent = [NotRun(name, "not in the folder") for name in OTHERS if name not in found]
    return Reproduction(
        NAME,
        "Acedański & Przepiórkowski 2010, Towards the Adequate Evaluation of Morphosyntactic Taggers",
        os.fspath(folder),
        tuple(parts),
        (*absent, *missing, *refused, *failed_cells(failures)),
        sum(one.n_run for one in grids.values()),
        sum(one.n_kept for one in grids.values()),
        len(failures),
        _signature(pdb, tests, systems, seed),
        how.inference.level,
        work.verdict,
        "another corpus, of 880,000 segments",
    )


def _only(seeds: Sequence[int]) -> int:
    """The one seed that there is: folds are dealt out by it."""
    if len(seeds) != 1:
        raise UsageError(f"{NAME} has ten folds as its runs: give one seed")
    return seeds[0]


def _run(corpora: Sequence[Treebank], kept: str, asked: Mapping[str, object]) -> Grid:
    found = grid(corpora, kept, **asked)  # type: ignore[arg-type]
    if found.was_interrupted:
        raise KeyboardInterrupt
    return found


def _systems() -> tuple[list[OwnTagger], list[NotRun]]:
    """The systems that karat has, and those that it has not."""
    found, missing = [], []
    for name, text in SYSTEMS.items():
        kind = text.partition(":")[0]
        if kind in KNOWN:
            found.append(OwnTagger(name, *system_from_text(text), _LEAST_KEPT if name == _SEVERAL else None))
        else:
            missing.append(NotRun(name, f"this karat has no system {kind}"))
    return found, missing


def _signature(pdb: Treebank, tests: Sequence[Treebank], systems: Sequence[OwnTagger], seed: int) -> str:
    texts = [("folds", pdb.name, pdb.whole()), *(("test", one.name, one.test) for one in tests)]
    inputs = [(role, name, text.sha256) for role, name, text in texts if text is not None]
    settings = [("paper", NAME), ("system", "+".join(SYSTEMS[one.name] for one in systems)), ("seed", str(seed))]
    return signature("reproduce", settings, inputs)


# ---- the corpora -----------------------------------------------------------------------------------------------------


def _folders(data: PathLike) -> dict[str, str]:
    """The folders of the treebanks, in this folder or one or two below it; of several releases the last by name."""
    if not os.path.isdir(data):
        raise DataError(Problem("K101", "no such folder", os.fspath(data), NO_LINE))
    below = [os.fspath(data), *_inside(os.fspath(data))]
    every = {path for one in below for path in (one, *_inside(one))}
    found = {os.path.basename(path): path for path in sorted(every) if os.path.basename(path) in (PDB, *OTHERS)}
    if PDB not in found:
        hint = f"name a folder that has {PDB}, or one above it"
        raise DataError(Problem("K104", f"no {PDB} in it", os.fspath(data), NO_LINE, hint=hint))
    return found


def _inside(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(one.path for one in entries if one.is_dir())


def _dev_and_test(path: str) -> Treebank:
    """PDB without its train part, which is larger than all else and is not in the experiment."""
    (bank,) = treebanks([path])
    if bank.dev is None or bank.test is None:
        raise DataError(Problem("K104", "a dev and a test part were expected", path, NO_LINE))
    return Treebank(bank.name, None, bank.dev, bank.test)


def _as_test(path: str) -> Treebank:
    """All of a treebank as a test."""
    (bank,) = treebanks([path])
    parts = [one for one in (bank.dev, bank.test) if one is not None]
    return Treebank(bank.name, None, None, text_of([file for part in parts for file in part.paths]))


# ---- what systems wrote, scored --------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Experiment:
    """The corpora, the finished grids, and what several parts share."""

    pdb: TextFiles
    others: Mapping[str, TextFiles]
    grids: Mapping[str, Grid]
    seed: int
    inference: InferenceOptions

    def __post_init__(self) -> None:
        self.verdict: tuple[str, ...] = ()

    @cached_property
    def text(self) -> TestText:
        """PDB in its folds."""
        corpus = corpus_of(self.pdb, TextReading("xpos", DOCUMENTS))
        return TestText(PDB, corpus, folds_of(corpus, N_FOLDS, "document", self.seed))

    @cached_property
    def scorings(self) -> Mapping[str, Scoring]:
        """All ways to score, by name."""
        gold, files = self.text.gold, self.pdb.paths
        every = [Scoring("exact", "exact"), Scoring("pos", "pos"), Scoring("PA", "PA")]
        every.append(Scoring("WPA queries", "WPA", weights.queries()))
        every += [
            Scoring("WPA ambiguity", "WPA", weights.ambiguity(files, conditional=False)),
            Scoring("WPA rules", "WPA", weights.dependency_rules(gold, conditional=False)),
            Scoring("CWPA ambiguity", "CWPA", weights.ambiguity(files, conditional=True)),
            Scoring("CWPA rules", "CWPA", weights.dependency_rules(gold, conditional=True)),
        ]
        return {one.name: one for one in every}

    def cells(self, system: str, test: str) -> list[GridCell]:
        """The finished cells of a system on a test: all folds, or one; none where some are missing."""
        cells = [one for one in self.grids[test].cells if one.condition.system == system]
        return cells if len(cells) == (N_FOLDS if test == PDB else 1) else []

    def tagged(self, text: TestText, *, least: float | None = None) -> list[SystemTags]:
        """What each system wrote: one tag for each word, and then several by the system that gives several."""
        found, store = [], self.grids[PDB].store
        for system in SYSTEMS:
            if cells := self.cells(system, text.name):
                several = system == _SEVERAL
                name = f"{system}, one tag" if several else system
                found.append(tagged_text(name, text, cells, store, None))
                if several:
                    found.append(tagged_text(SEVERAL_TAGS, text, cells, store, least or tables.LEAST_SHARE))
        if not found:
            raise UsageError(f"no system has finished all its runs on {text.name}")
        return found

    @cached_property
    def on_pdb(self) -> list[SystemTags]:
        return self.tagged(self.text)

    @cached_property
    def scored(self) -> list[Scored]:
        """All systems by all ways to score, on PDB."""
        return [one.scored([*self.scorings.values()], self.text.gold) for one in self.on_pdb]

    def curve(self, least: float) -> SystemTags | None:
        """The tags of the system that gives several, with this share; None if it was not run."""
        cells = self.cells(_SEVERAL, PDB)
        return tagged_text(f"{least:g}", self.text, cells, self.grids[PDB].store, least) if cells else None

    def other(self, name: str) -> TestText:
        from karat.tagsets import read_tag_map

        corpus = corpus_of(self.others[name], TextReading("xpos", DOCUMENTS, read_tag_map(OLDER_TAGS)))
        return TestText(name, corpus)


# ---- the parts -------------------------------------------------------------------------------------------------------

_MAIN = ("exact", "pos", "PA", "WPA queries")


def _tables_2_to_5(work: _Experiment) -> Iterator[PaperPart]:
    for table in (2, 3, 4, 5):
        yield tables.printed_table(table, work.scored, work.scorings, work.inference)


def _other_weights(work: _Experiment) -> Iterator[PaperPart]:
    names = [one for one in work.scorings if one not in _MAIN]
    found = [tables.scores_table(work.scored, work.scorings[name], work.inference) for name in names]
    of = {name: one.weights for name, one in work.scorings.items() if one.weights is not None}
    results = (("weights", tables.weights_table(of)), *zip(names, found, strict=True))
    yield PaperPart("weights", "Other weights, and weights by part of speech (§2.3, §2.4)", (), results)


def _accommodability(work: _Experiment) -> Iterator[PaperPart]:
    scorings = [work.scorings[name] for name in _MAIN]
    without = [one.scored(scorings, work.text.gold, frozenset([ACCOMMODABILITY])) for one in work.on_pdb]
    table = tables.two_columns("Footnote 4: F with accommodability, and without it", work.scored, without, _MAIN)
    yield PaperPart("accommodability", "Footnote 4: accommodability", (), (("", table),))


def _genders(work: _Experiment) -> Iterator[PaperPart]:
    gold = work.text.gold_with("genders", with_other_genders)
    scored = [one.scored([work.scorings[name] for name in _MAIN], gold) for one in work.on_pdb]
    note = tables.gold_note(gold)
    results = [
        (name, tables.scores_table(scored, work.scorings[name], work.inference, "gold with all genders", note))
        for name in _MAIN
    ]
    yield PaperPart("genders", "A gold with several tags", (), tuple(results))
    closer = tables.closeness_table([*work.scored, *scored], ["PDB's gold"] * len(work.scored), work.inference)
    yield PaperPart("closeness", "Section 3.2: precision and recall", (), (("", closer.table),))
    work.verdict = (*work.verdict, closer.verdict)


def _others(work: _Experiment) -> Iterator[PaperPart]:
    for name in work.others:
        text = work.other(name)
        scored = [one.scored([work.scorings[one] for one in _MAIN], text.gold) for one in work.tagged(text)]
        n_left_out = int(work.grids[name].cells[0].data["duplicates_left_out"])
        scorings = [work.scorings[one] for one in _MAIN]
        found = [
            tables.corpus_table(name, scored, scorings, work.inference, n_left_out),
            tables.several_table(name, scored, scorings),
        ]
        results = tuple(("", one) for one in found if one is not None)
        yield PaperPart(name.partition("-")[2].lower(), f"Other corpora: {name}", (), results)


def _curve(work: _Experiment) -> Iterator[PaperPart]:
    found = [(least, one) for least in tables.SHARES if (one := work.curve(least)) is not None]
    if found:
        table = tables.curve_table(found, work.scorings["exact"])
        yield PaperPart(
            "curve", "Several tags: how many, and how often the right one is among them", (), (("", table),)
        )


def _tests(work: _Experiment) -> Iterator[PaperPart]:
    results = tuple((name, tables.pairs_table(work.scored, work.scorings[name], work.inference)) for name in _MAIN)
    yield PaperPart("tests", "Systems compared, over documents", (), results)


def _claims(work: _Experiment) -> Iterator[PaperPart]:
    between = tables.between_table(work.scored, work.inference)
    yield PaperPart(
        "between", "Section 3.2: PA and WPA lie between exact and part of speech", (), (("", between.table),)
    )
    errors = tables.errors_table([one for one in work.on_pdb if one.tags_per_word == 1], work.inference)
    yield PaperPart("errors", "Section 3.2: which categories go wrong", (), (("", errors.table),))
    work.verdict = (*work.verdict, between.verdict, errors.verdict)


_PARTS: Mapping[str, Callable[[_Experiment], Iterator[PaperPart]]] = {
    "Tables 2 to 5": _tables_2_to_5,
    "claims (section 3.2)": _claims,
    "gold with all genders": _genders,
    "other weights": _other_weights,
    "footnote 4": _accommodability,
    "other corpora": _others,
    "several tags": _curve,
    "comparisons": _tests,
}
