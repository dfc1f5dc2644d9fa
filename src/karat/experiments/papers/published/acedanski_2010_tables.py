"""Tables 2 to 5 of Acedański & Przepiórkowski 2010, and what the text says of them.

They are of taggers and a corpus that are not to be had: ours are those of the experiment, by the tagger that is most
like each of the paper's. What follows from the prints themselves has rows of its own: F from the P and R beside it, and
section 3.2's claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from karat.experiments.papers.acedanski_2010_prints import LIKE, STATISTICS, TABLES, TAKIPI, TAKIPI_ONE, number_of
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber

_EXPERIMENT = "karat reproduce acedanski-2010 --data DIR"
_FROM_PRINT = "karat reproduce acedanski-2010 --json"
_NOT_FREE = "the taggers of the IPI PAN Corpus are not to be had as they were"
_HALF = 0.5e-4  # of the last place of a share in the tables
_ROUNDED_TWICE = 0.01  # F from P and R that are rounded to two places, itself rounded to two
_FULL, _POS, _PA, _WPA = TABLES


def table(number: int, evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """The cells of one of Tables 2 to 5, and each F again, from the P and R beside it."""
    where = f"Table {number}"
    for tagger, row in TABLES[number].items():
        why = f"{_NOT_FREE}; ours: {LIKE[tagger]}, on UD_Polish-PDB in ten folds by document"
        for name in STATISTICS:
            column = "C (here: strong correctness)" if name == "SC" else name
            ours = evidence.number(where, number_of(name, tagger), times=100)
            yield PublishedNumber(
                where, f"{column}, {tagger}", _percent(row[name]), "other data", ours, why, _EXPERIMENT, "training"
            )
        yield _f_of(where, tagger, row)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _f_of(where: str, tagger: str, row: Mapping[str, float]) -> PublishedNumber:
    """F from P and R as they are printed: that of a class of which these are precision and recall.

    P and R are shares of 10,000: with a class that is right P × R times, given wrongly (1 − P) × R times and missed
    P × (1 − R) times, both come out exactly.
    """
    import karat

    whole = 10_000
    precision, recall = (round(whole * row[name]) for name in ("P", "R"))
    right, missed, wrong = precision * recall, precision * (whole - recall), (whole - precision) * recall
    found = karat.confusion_measures({"tag": {"tag": right, "no": missed}, "no": {"tag": wrong, "no": 0}})["tag"]
    matrix = rf"\ttag\tno\ntag\t{right}\t{missed}\nno\t{wrong}\t0\n"
    command = f"karat measures --confusion <(printf '{matrix}')"
    lower, upper = (_f1(*(row[name] + side * _HALF for name in ("P", "R"))) for side in (-1, 1))
    why = f"from P and R, which are rounded: F is from {100 * lower:.3f} to {100 * upper:.3f}"
    of = f"F, {tagger}: from P and R as printed"
    return PublishedNumber(
        where, of, _percent(row["F"]), "equal", 100 * found.f1, why, command, tolerance=_ROUNDED_TWICE
    )  # fmt: skip


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


# ---- section 3.2 -----------------------------------------------------------------------------------------------------


def claims() -> Iterator[PublishedNumber]:
    """What section 3.2 says of the tables, counted in their cells."""
    yield _between()
    yield from (_closer(tagger) for tagger in LIKE)
    yield from _correctness_of_takipi()


def _between() -> PublishedNumber:
    cells = [(scored, tagger, name) for scored in (_PA, _WPA) for tagger in LIKE for name in STATISTICS]
    n = sum(TABLES[_FULL][tagger][name] < TABLES[scored][tagger][name] < TABLES[_POS][tagger][name]
            for scored, tagger, name in cells)  # fmt: skip
    return PublishedNumber(
        "Section 3.2",
        "cells of PA and WPA between those of full tags and of parts of speech",
        "fall between",
        ours=n,
        why="all 30 cells of Tables 4 and 5",
        command=_FROM_PRINT,
        worked=f"{len(cells)}",
    )


def _closer(tagger: str) -> PublishedNumber:
    """Whether P and R are closer by WPA than by PA, which they are not for TaKIPI's defaults."""
    full, pa, wpa = (100 * abs(TABLES[table][tagger]["P"] - TABLES[table][tagger]["R"]) for table in (_FULL, _PA, _WPA))
    is_closer = tagger != TAKIPI
    return PublishedNumber(
        "Section 3.2",
        f"{tagger}: points between P and R by WPA, below those by PA",
        "much closer together",
        "equal" if is_closer else "misprint",
        wpa,
        f"{pa:.2f} by PA{'' if is_closer else '; closer only than by full tags'} ({full:.2f} by full tags)",
        _FROM_PRINT,
        relation="below",
        worked=f"{pa:.2f}",
    )


def _correctness_of_takipi() -> Iterator[PublishedNumber]:
    """What others report of TaKIPI; Table 2's defaults are nearer to the first, as the text says."""
    row = partial(PublishedNumber, "Section 3.2")
    reported = {"its authors, 2006": "92.55%", "Karwańska & Przepiórkowski 2009": "91.30%"}
    away = {
        tagger: [abs(100 * TABLES[_FULL][tagger]["WC"] - float(one.rstrip("%"))) for one in reported.values()]
        for tagger in (TAKIPI, TAKIPI_ONE)
    }
    for source, printed in reported.items():
        yield row(f"weak correctness of TaKIPI by {source}", printed, "given", why="of others")
    (nearer, further), (one_further, one_nearer) = away.values()
    yield row(
        "defaults: points between weak correctness of TaKIPI and 92.55, below those to 91.30",
        "more similar to 92.55% … than 91.30%",
        ours=nearer,
        why=f"92.10 is {further:.2f} from 91.30. Not so with one tag per segment: 91.06 is {one_further:.2f} from "
        f"92.55 and {one_nearer:.2f} from 91.30; the text does not say which it means",
        command=_FROM_PRINT,
        relation="below",
        worked=f"{further:.2f}",
    )
