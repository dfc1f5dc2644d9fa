"""The cells of the tables and of Figure 1 of Wisniewski & Yvon 2019, with ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from karat.experiments.papers import wisniewski_2019_prints as prints
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber
from karat.experiments.papers.published.wisniewski_2019_commands import (
    DIVERGE,
    FROM_PRINT,
    RUN,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_8,
)

if TYPE_CHECKING:
    from karat.experiments.papers.published.wisniewski_2019_treebanks import UdTreebanks

_NO_WORDS = "UD has {} without its words"
_NOT_HERE = {
    "ESL": _NO_WORDS.format("ESL"),
    "FTB": _NO_WORDS.format("FTB"),
    "WSJ": "not in UD: the Penn Treebank, its tags mapped by hand",
}
_NO_TRAIN = {name: f"the train part of {name} is not to be had here" for name in ("GSD", "SRCMF")}
_CUT = "the same files; most percentages of the paper are cut off, not rounded, so up to 0.1 more agrees"
_TRUNCATED = 0.1  # how far a percentage can be above one of which digits behind the first are cut off

_of_data = partial(PublishedNumber, needs="data")


def _missing(train: str, test: str) -> str | None:
    """Why a pair of a train and a test set cannot be run."""
    return _NOT_HERE.get(train) or _NOT_HERE.get(test) or _NO_TRAIN.get(train)


def table_1(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """Error rates of French taggers."""
    for (train, test), share in prints.TABLE_1.items():
        of, printed = f"{train} on {test}, error rate", f"{100 * share:.1f} %"
        if why := _missing(train, test):
            yield PublishedNumber("Table 1", of, printed, "not runnable", why=why)
            continue
        ours = evidence.number("Table 1", f"error rate, {train} on {test}", times=100)
        why = "the same files; karat's tagger, three runs, not the paper's, ten runs"
        yield PublishedNumber("Table 1", of, printed, "other data", ours, why, RUN, "training")


def table_4(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """Suspicious repeats between EWT and PUD, and how many of them a person found to be inconsistent."""
    from karat.gold.repeats.paper_tables import PRINTED_TABLE_4, Table4Row

    rows = here.table_4.rows if here.table_4 is not None else ()
    ours = {row.heuristic: row.suspicious for row in rows if isinstance(row, Table4Row) and row.paper is not None}
    for heuristic in ("size 4", "size 3", "disjoint", "none"):
        printed = PRINTED_TABLE_4[heuristic]
        found = ours.get(heuristic)
        why = f"{'1.4 % fewer' if heuristic == 'none' else 'one repeat more'} on the same files, not explained"
        of = f"{heuristic}, suspicious repeats"
        yield _of_data("Table 4", of, str(printed.suspicious), "unexplained", found, why, TABLE_4)
        if printed.inconsistencies is None:
            continue
        why = "a person judged them, and the judgements are not published"
        of = f"{heuristic}, inconsistencies"
        yield PublishedNumber("Table 4", of, str(printed.inconsistencies), "not runnable", why=why)
        share = 100 * printed.inconsistencies / printed.suspicious
        of, counts = f"{heuristic}, inconsistencies, %", f"{printed.inconsistencies}/{printed.suspicious}"
        is_right = heuristic != "disjoint"
        why = "from the counts of the table" if is_right else f"{counts} is {share:.1f} %, of 579 it would be 70.3 %"
        percent, status = f"{prints.TABLE_4_PERCENT[heuristic]} %", "equal" if is_right else "misprint"
        yield PublishedNumber("Table 4", of, percent, status, share, why, FROM_PRINT)  # type: ignore[arg-type]


def table_5(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """Repeats within English treebanks."""
    from karat.gold.repeats.paper_tables import PRINTED_TABLE_5, Table5Row

    rows = here.table_5.rows if here.table_5 is not None else ()
    ours = {row.corpus.rpartition("-")[2]: row for row in rows if isinstance(row, Table5Row) and row.paper is not None}
    for name in ("ESL", "EWT", "GUM", "LinES", "PUD", "ParTUT", "WSJ"):
        row, paper = ours.get(name), PRINTED_TABLE_5[name]
        for of, printed, found in (
            ("sentences", f"{paper.sentences:,}", row.sentences if row else None),
            ("sentences with a repeat, %", f"{paper.percent_sentences:.1f}", row.percent_sentences if row else None),
            ("inconsistent repeats, %", f"{paper.percent_inconsistent:.1f}", row.percent_inconsistent if row else None),
        ):
            cell = f"{name}, {of}"
            if name in _NOT_HERE:
                yield PublishedNumber("Table 5", cell, printed, "not runnable", why=_NOT_HERE[name])
            elif (name, of) == ("PUD", "inconsistent repeats, %"):
                why = "36 of 369 repeats are 9.756 %, 9.7 if cut off as in the four other treebanks, which come out"
                yield _of_data("Table 5", cell, printed, "misprint", found, why, TABLE_5)
            else:
                tolerance, why = (_TRUNCATED, _CUT) if "%" in of else (None, "the same files")
                yield _of_data("Table 5", cell, printed, "equal", found, why, TABLE_5, tolerance=tolerance)


def table_6(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """Inconsistent repeats of a train and a test set."""
    from karat.gold.repeats.paper_tables import PRINTED_TABLE_6, PRINTED_TABLE_6_TESTS, Table6Row

    rows = here.table_6.rows if here.table_6 is not None else ()
    ours = {
        tuple(one.rpartition("-")[2] for one in (row.train, row.test)): row.percent_inconsistent
        for row in rows
        if isinstance(row, Table6Row) and row.paper is not None
    }
    of, n_texts = "texts that a repeat must be in", 1.0 if ours else None
    reading = "Table 6 comes out only if repeats in one of the two texts count as well"
    printed = "at least once in both corpora"
    yield _of_data("Section 4.1", of, printed, "misprint", n_texts, reading, TABLE_6, worked="2")
    for train, cells in PRINTED_TABLE_6.items():
        for test, value in zip(PRINTED_TABLE_6_TESTS, cells, strict=True):
            of, printed, found = (
                f"{train} with {test}, inconsistent repeats, %",
                f"{value:.1f}",
                ours.get((train, test)),
            )
            if why := _missing(train, test):
                yield PublishedNumber("Table 6", of, printed, "not runnable", why=why)
            elif train == "LinES" != test:
                why = "some 0.1 points more on the same files, not explained"
                yield _of_data("Table 6", of, printed, "unexplained", found, why, TABLE_6)
            else:
                yield _of_data("Table 6", of, printed, "equal", found, _CUT, TABLE_6, tolerance=_TRUNCATED)


def table_7(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """Which features tell treebanks apart."""
    why = "16 English pairs of different treebanks and 15 French ones, not all of UD"
    for features, (median, best) in prints.TABLE_7.items():
        found = here.feature_summaries.get(features)
        for of, value, ours in (
            ("median accuracy", median, None if found is None else 100 * found.median),
            ("best in so many conditions", best, None if found is None else 100 * found.best),
        ):
            cell, printed = f"{features}, {of}, %", f"{100 * value:.1f}"
            yield _of_data("Table 7", cell, printed, "other data", ours, why, DIVERGE)
    of, best = "conditions in which both together are best, %", 100 * prints.TABLE_7["both"][1]
    why = "the 55.5 % of Table 7"
    yield PublishedNumber("Section 4.2", of, "more than 50 %", "equal", best, why, FROM_PRINT, relation="above")


def figure_1(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """How well naive Bayes tells a train set from a test set."""
    from karat.gold.divergence.paper_figure import FIGURE_1, FIGURE_1_TESTS

    languages = {"fr": "French", "en": "English"}
    ours = {
        (cell.features, cell.train.rpartition("-")[2], cell.test.rpartition("-")[2], language): 100 * cell.accuracy
        for language, one in here.divergences.items()
        for cell in one.cells
        if cell.paper is not None
    }
    why = "the same files; the paper says too little of its classifier to repeat it exactly"
    for (code, features), rows in FIGURE_1.items():
        for train, cells in rows.items():
            for test, value in zip(FIGURE_1_TESTS[code], cells, strict=True):
                language = languages[code]
                of, printed = f"{features}, {train} with {test}, {language}", f"{value:.1f} %"
                if missing := _missing(train, test):
                    yield PublishedNumber("Figure 1", of, printed, "not runnable", why=missing)
                else:
                    found = ours.get((features, train, test, language))
                    yield _of_data("Figure 1", of, printed, "unexplained", found, why, DIVERGE)


def table_8(here: UdTreebanks) -> Iterator[PublishedNumber]:
    """Repeats by length; ours are of English and French."""
    from karat.gold.repeats.paper_tables import Table8Row

    rows = [row for one in here.tables_8 for row in one.rows if isinstance(row, Table8Row)]
    why = "20 pairs of English treebanks and 18 of French ones, not all 290; repeats of both texts together"
    for words, (n_repeats, n_suspicious) in prints.TABLE_8.items():
        of_length = [row for row in rows if row.words == words]
        sums = [sum(getattr(row, name) for row in of_length) for name in _TABLE_8_COUNTS] if of_length else []
        together, suspicious, both, suspicious_both = sums or (None,) * 4
        length = f"{words} words{' or more' if words == max(prints.TABLE_8) else ''}"
        printed = f"{prints.TABLE_8_PERCENT[words]} %"
        yield _of_data("Table 8", f"{length}, repeats", f"{n_repeats:,}", "other data", together, why, TABLE_8)
        of = f"{length}, suspicious"
        yield _of_data("Table 8", of, f"{n_suspicious:,}", "other data", suspicious, why, TABLE_8)
        own = 100 * n_suspicious / n_repeats
        why_own = "from the counts of the table"
        yield PublishedNumber("Table 8", f"{of}, %", printed, "equal", own, why_own, FROM_PRINT)
        for reading, top, bottom in (
            ("of both together", suspicious, together),
            ("in both texts", suspicious_both, both),
        ):
            ours = 100 * top / bottom if top is not None and bottom else None
            why_again = f"{why.partition(';')[0]}; no reading is known that gives the print"
            yield _of_data(
                "Table 8", f"{of}, %, run again: repeats {reading}", printed, "other data", ours, why_again, TABLE_8
            )


_TABLE_8_COUNTS = ("repeats_together", "suspicious_together", "repeats", "suspicious")
