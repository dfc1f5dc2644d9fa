"""Wisniewski & Yvon 2019, run again: its grids of taggers, and every table and figure that English and French can give.

The paper's tagger is an averaged perceptron with the features of Zhang & Nivre 2011, ten runs; here it is karat's with
`features=paper`, three runs unless more are asked for. Repeats and divergence are read as in `karat.gold.repeats` and
`karat.gold.divergence`, which say where the print departs from the text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from karat.corpus import PathLike
from karat.errors import UsageError
from karat.experiments.analyses.catalogue import grid_table
from karat.experiments.analyses.conditions import language_of, short_name
from karat.experiments.analyses.table import GridTable
from karat.experiments.grid import Grid, grid
from karat.experiments.papers.reproduction import (
    ExperimentRun,
    NotRun,
    PaperNumber,
    PaperPart,
    Reproduction,
    Unit,
    failed_cells,
    made_parts,
)
from karat.experiments.papers.ud_folders import TreebankFolder, ud_treebanks
from karat.experiments.papers.wisniewski_2019_prints import (
    BEATS_IN_DOMAIN,
    CORRELATION,
    FIGURE_3,
    MEAN_ACCURACY,
    RELEASE,
    TABLE_7,
    TABLE_8,
    TOTALS,
    TREEBANKS,
)
from karat.experiments.treebanks import treebanks
from karat.gold.divergence.diverge import FEATURES, diverge
from karat.gold.divergence.divergence_results import Divergences, feature_summaries
from karat.gold.repeats.paper_table_inputs import RepeatTable, repeat_table
from karat.gold.repeats.paper_tables import Table4Row, Table5Row, Table6Row, Table8Row
from karat.gold.treebank_folders import PARTS
from karat.inference.options import InferenceOptions
from karat.result import Cell
from karat.signature import signature

NAME = "wisniewski-2019"
SYSTEM = "perceptron:features=paper"
LANGUAGES = tuple(TREEBANKS)
_TOTALS = {"matches": "all", "of_3_words": "3 words or more", "of_5_words": "5 words or more", "disjoint": "disjoint"}


def reproduced(data: PathLike, folder: PathLike, how: ExperimentRun) -> Reproduction:
    """The paper's experiments on those treebanks of English and French that are in the folder."""
    folders = [one for one in ud_treebanks(data, RELEASE, LANGUAGES) if one.short in _printed(one.language)]
    usable = [one for one in folders if one.has_text]
    grids = {}
    for language in LANGUAGES:
        ours = [one.path for one in usable if one.language == language]
        if any("train" in one.parts for one in usable if one.language == language):
            kept = os.path.join(folder, "grid")
            grids[language] = grid(ours, kept, systems=[SYSTEM], seeds=how.seeds, **how.of_grid)
            if grids[language].was_interrupted:
                raise KeyboardInterrupt
    work = _Work(usable, grids, how.inference)
    parts, refused = made_parts(_PARTS, work)
    failures = [one for found in grids.values() for one in found.failures]
    return Reproduction(
        NAME,
        "Wisniewski & Yvon 2019, How Bad are PoS Taggers in Cross-Corpora Settings?",
        os.fspath(folder),
        tuple(parts),
        (*_not_there(folders), *refused, *_NEVER, *failed_cells(failures)),
        sum(one.n_run for one in grids.values()),
        sum(one.n_kept for one in grids.values()),
        len(failures),
        _signature(usable, how.seeds),
        how.inference.level,
    )


def _signature(folders: Sequence[TreebankFolder], seeds: Sequence[int]) -> str:
    """What was run on which files: all parts of all treebanks."""
    every = treebanks([one.path for one in folders])
    texts = [(part, one.name, getattr(one, part)) for one in every for part in PARTS]
    inputs = [(part, name, text.sha256) for part, name, text in texts if text is not None]
    settings = [("paper", NAME), ("system", SYSTEM), ("seeds", ",".join(map(str, seeds)))]
    return signature("reproduce", settings, inputs)


def _printed(language: str) -> set[str]:
    """The treebanks that the paper has of a language."""
    return {name for names in TREEBANKS[language] for name in names}


@dataclass(eq=False)
class _Work:
    """The treebanks, the finished grids by language, and what several parts of the paper share."""

    folders: Sequence[TreebankFolder]
    grids: dict[str, Grid]
    inference: InferenceOptions

    def of(self, language: str) -> dict[str, str]:
        """The folders of a language by name."""
        return {one.name: one.path for one in self.folders if one.language == language}

    def has_trains(self, language: str) -> bool:
        return any("train" in one.parts for one in self.folders if one.language == language)

    @cached_property
    def whole(self) -> Grid:
        """The grids of all languages as one."""
        if not self.grids:
            raise UsageError("no treebank with a train part to train on")
        first = next(iter(self.grids.values()))
        cells = tuple(cell for one in self.grids.values() for cell in one.cells)
        return replace(first, cells=cells, n_kept=len(cells), n_run=0, n_planned=len(cells), failures=())

    @cached_property
    def of_figure_3(self) -> Grid:
        """The conditions of the treebanks in Figure 3 alone."""

        def is_there(name: str) -> bool:
            return short_name(name) in FIGURE_3.get(language_of(name), ())

        cells = tuple(one for one in self.whole.cells if is_there(one.condition.train) and is_there(one.condition.test))
        return replace(self.whole, cells=cells)

    def table(self, name: str, of: Grid | None = None) -> GridTable:
        return grid_table(of or self.whole, name, inference=self.inference)


def _number(
    part: str,
    of: str,
    value: Cell,
    paper: float,
    *,
    unit: Unit = "share",
    ends: Sequence[Cell] = (),
    same: bool = False,
) -> PaperNumber:
    low, high = (None if one is None else float(one) for one in (ends or (None, None)))
    return PaperNumber(part, of, unit, None if value is None else float(value), low, high, paper, same)


# ---- what the paper prints, in its order -----------------------------------------------------------------------------


def _table_1(work: _Work) -> Iterator[PaperPart]:
    if "French" not in work.grids:
        return
    found = work.table("table1", work.grids["French"])
    numbers = [
        _number(
            "Table 1",
            f"error rate, {_pair(row)}",
            row["error"],
            row["paper"],
            ends=(row["lower"], row["upper"]),
            same=True,
        )
        for row in found.dicts()
        if row["paper"] is not None
    ]
    yield PaperPart("table-1", "Table 1: error rates, French", tuple(numbers), (("French", found),))


def _matrices(work: _Work) -> Iterator[PaperPart]:
    """The matrices with intervals, which the paper does not print, and its tagger's mean accuracy (section 2)."""
    if not work.grids:
        return
    found = {language: work.table("matrix", one) for language, one in work.grids.items()}
    own = [row["value"] for one in found.values() for row in one.dicts() if row["in_domain"]]
    mean = sum(own) / len(own) if own else None
    number = _number("Section 2", "mean accuracy in-domain", mean, MEAN_ACCURACY)
    yield PaperPart("accuracy", "Section 2: accuracy of the tagger", (number,) if own else (), tuple(found.items()))


def _table_4(work: _Work) -> Iterator[PaperPart]:
    names = ("UD_English-EWT", "UD_English-PUD")
    here = work.of("English")
    if any(name not in here for name in names):
        return
    found = repeat_table(4, {name: here[name] for name in names})
    numbers = [
        _number(
            "Table 4",
            f"suspicious repeats of EWT and PUD, {row.heuristic}",
            row.suspicious,
            row.paper.suspicious,
            unit="count",
            same=True,
        )
        for row in found.rows
        if isinstance(row, Table4Row) and row.paper is not None
    ]
    yield _repeats_part(4, "suspicious repeats, EWT and PUD", numbers, {"English": found})


def _table_5(work: _Work) -> Iterator[PaperPart]:
    here = work.of("English")
    if not here:
        return
    found = repeat_table(5, here)
    numbers = []
    for row in found.rows:
        if isinstance(row, Table5Row) and row.paper is not None:
            name, paper = row.corpus.partition("-")[2], row.paper
            numbers += [
                _number("Table 5", f"sentences, {name}", row.sentences, paper.sentences, unit="count", same=True),
                _share("Table 5", f"sentences with a repeat, {name}", row.percent_sentences, paper.percent_sentences),
                _share(
                    "Table 5", f"inconsistent repeats, {name}", row.percent_inconsistent, paper.percent_inconsistent
                ),
            ]
    yield _repeats_part(5, "repeats within English treebanks", numbers, {"English": found})


def _table_6(work: _Work) -> Iterator[PaperPart]:
    if not work.has_trains("English"):
        return
    found = repeat_table(6, work.of("English"))
    numbers = [
        _share(
            "Table 6",
            f"inconsistent repeats, {row.train.partition('-')[2]} with {row.test.partition('-')[2]}",
            row.percent_inconsistent,
            row.paper,
        )
        for row in found.rows
        if isinstance(row, Table6Row) and row.paper is not None
    ]
    yield _repeats_part(6, "repeats of train and test, English", numbers, {"English": found})


def _figure_1(work: _Work) -> Iterator[PaperPart]:
    found = {
        language: diverge(work.of(language), preset="paper", level=work.inference.level, n_top=0)
        for language in LANGUAGES
        if work.has_trains(language)
    }
    numbers = [
        _number(
            "Figure 1",
            f"{cell.features}, {cell.train.partition('-')[2]} with {cell.test.partition('-')[2]}, {language}",
            cell.accuracy,
            cell.paper,
            ends=(cell.lower, cell.upper),
            same=True,
        )
        for language, one in found.items()
        for cell in one.cells
        if cell.paper is not None
    ]
    yield PaperPart("figure-1", "Figure 1: how well treebanks are told apart", tuple(numbers), tuple(found.items()))
    yield PaperPart("table-7", "Table 7: which features tell treebanks apart", tuple(_table_7([*found.values()])))


def _table_7(found: Sequence[Divergences]) -> Iterator[PaperNumber]:
    """Over all pairs of different treebanks here: beside the same cells of Figure 1, and beside all of UD."""
    for one in feature_summaries([cell for each in found for cell in each.cells], FEATURES):
        median, best = TABLE_7[one.features]
        if one.paper_median is not None and one.paper_best is not None:
            yield _number("Table 7", f"median of Figure 1, {one.features}", one.median, one.paper_median, same=True)
            yield _number("Table 7", f"best of Figure 1, {one.features}", one.best, one.paper_best, same=True)
        yield _number("Table 7", f"median, {one.features}", one.median, median)
        yield _number("Table 7", f"best, {one.features}", one.best, best)


def _totals(work: _Work) -> Iterator[PaperPart]:
    found = work.table("totals")
    numbers = [
        _number("Section 5", f"suspicious repeats, {words}", found.summary[name], TOTALS[name], unit="count")
        for name, words in _TOTALS.items()
    ]
    yield PaperPart("totals", "Section 5: suspicious repeats in all", tuple(numbers), (("", found),))


def _table_8(work: _Work) -> Iterator[PaperPart]:
    found = {language: repeat_table(8, work.of(language)) for language in LANGUAGES if work.has_trains(language)}
    counts: dict[int, list[int]] = {}
    for one in found.values():
        for row in one.rows:
            assert isinstance(row, Table8Row)
            sums = counts.setdefault(row.words, [0, 0, 0, 0])
            every = (row.repeats, row.suspicious, row.repeats_together, row.suspicious_together)
            counts[row.words] = [a + b for a, b in zip(sums, every, strict=True)]
    numbers = []
    for words, (both, both_suspicious, together, together_suspicious) in counts.items():
        paper = TABLE_8[words][1] / TABLE_8[words][0]
        of = f"{words} words{' or more' if words == max(counts) else ''}"
        for reading, top, bottom in (
            ("in both texts", both_suspicious, both),
            ("of both together", together_suspicious, together),
        ):
            numbers.append(_number("Table 8", f"suspicious, {of}, {reading}", top / bottom if bottom else None, paper))
    yield _repeats_part(8, "suspicious repeats by length", numbers, found)


def _correlation(work: _Work) -> Iterator[PaperPart]:
    found = work.table("correlation")
    numbers = []
    for name, words in (
        ("all", "all repeats"),
        ("disjoint", "disjoint"),
        ("minsize", "3 words or more"),
    ):
        value, *ends = (found.summary[f"{name}_{end}"] for end in ("correlation", "lower", "upper"))
        of = f"correlation with errors, {words}"
        numbers.append(_number("Section 5", of, value, CORRELATION, unit="correlation", ends=ends))
    yield PaperPart("correlation", "Section 5: errors and suspicious repeats", tuple(numbers), (("", found),))


def _figure_2(work: _Work) -> Iterator[PaperPart]:
    """Of all treebanks, and of those in Figure 3: these give nearly what section 5 prints, in French too."""
    found = work.table("suspicious")
    every = {"": found}
    if work.of_figure_3.cells:
        every[" (Fig. 3)"] = work.table("suspicious", work.of_figure_3)
    numbers = [
        _number(
            "Section 5",
            f"repeats with an error, {row['language']}, {row['filter']}{which}",
            row["share"],
            row["paper"],
            ends=(row["lower"], row["upper"]),
        )
        for which, one in every.items()
        for row in one.dicts()
        if row["paper"] is not None
    ]
    yield PaperPart(
        "figure-2", "Section 5 and Figure 2: suspicious repeats with an error", tuple(numbers), (("", found),)
    )


def _figure_3(work: _Work) -> Iterator[PaperPart]:
    summary = work.table("ignoring").summary
    tables = {language: work.table("ignoring", one) for language, one in work.grids.items()}
    numbers = []
    for name, paper in BEATS_IN_DOMAIN.items():
        value, *ends = (summary[f"{name}_{end}"] for end in ("share", "lower", "upper"))
        of = f"conditions: ignoring beats in-domain, {name}"
        numbers.append(_number("Section 6", of, value, paper, ends=ends))
    yield PaperPart("figure-3", "Section 6 and Figure 3: errors ignored", tuple(numbers), tuple(tables.items()))


def _runs(work: _Work) -> Iterator[PaperPart]:
    """The paper averages over ten runs "to mitigate the variability": how large that is here."""
    yield PaperPart("runs", "Runs and corpora (not in the paper)", (), (("", work.table("runs")),))


_PARTS: dict[str, Callable[[_Work], Iterator[PaperPart]]] = {
    "Table 1": _table_1,
    "accuracy (section 2)": _matrices,
    "Table 4": _table_4,
    "Table 5": _table_5,
    "Table 6": _table_6,
    "Figure 1 and Table 7": _figure_1,
    "totals (section 5)": _totals,
    "Table 8": _table_8,
    "correlation (section 5)": _correlation,
    "Figure 2": _figure_2,
    "Figure 3": _figure_3,
    "runs": _runs,
}


def _pair(row: dict[str, str]) -> str:
    return f"{row['train'].partition('-')[2]} on {row['test'].partition('-')[2]}"


def _share(part: str, of: str, percent: float | None, paper: float) -> PaperNumber:
    """Two percentages as shares, of the same files."""
    value = None if percent is None else percent / 100
    return _number(part, of, value, round(paper / 100, 4), same=True)


def _repeats_part(table: int, title: str, numbers: Sequence[PaperNumber], found: dict[str, RepeatTable]) -> PaperPart:
    return PaperPart(f"table-{table}", f"Table {table}: {title}", tuple(numbers), tuple(found.items()))


# ---- what could not be run -------------------------------------------------------------------------------------------

_WITHOUT_WORDS = "UD has it without its words"
_NEVER = (
    NotRun("WSJ in Tables 5 and 6", "not in UD; its tags were mapped by hand"),
    NotRun("inconsistencies in Table 4", "judged by a person"),
    NotRun("FTB corrected by hand (section 6)", "the corrected files are missing"),
    NotRun("all other languages of UD 2.3", "only English and French are run"),
)


def _not_there(folders: Sequence[TreebankFolder]) -> Iterator[NotRun]:
    """The paper's treebanks that are missing here, or have no words, or lack a part."""
    for language, (trains, tests) in TREEBANKS.items():
        here = {one.short: one for one in folders if one.language == language}
        for name in dict.fromkeys((*trains, *tests)):
            found = here.get(name)
            wanted = [part for part, names in (("train", trains), ("test", tests)) if name in names]
            if found is None:
                why = _WITHOUT_WORDS if name in ("ESL", "FTB") else "not in the folder"
                yield NotRun(f"{language} {name}", why)
            elif not found.has_text:
                yield NotRun(f"{language} {name}", _WITHOUT_WORDS)
            else:
                for part in wanted:
                    if part not in found.parts:
                        yield NotRun(f"{language} {name}, {part} part", "not in the folder")
