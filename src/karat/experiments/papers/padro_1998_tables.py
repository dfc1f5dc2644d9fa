"""The tables of Padró & Màrquez 1998, run again: accuracy and cost, trials, and Figure 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from karat.evaluation.compare import compare
from karat.experiments.grid import GridCell
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.padro_1998_section_4 import section_4
from karat.experiments.papers.padro_1998_texts import (
    COLUMN,
    FIRST,
    SECOND,
    SYSTEMS,
    RightWords,
    Work,
    named,
    numbers_of_tags,
    percent,
    right_words,
    short_name,
)
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.inference.distributions import normal_quantile
from karat.noise.from_files import noise_bounds_from_files
from karat.noise.from_numbers import noise_bounds
from karat.noise.results import Ends, NoiseResult
from karat.result import Cell, Result

_ERROR_RATES = (0.01, 0.02, 0.03, 0.04, 0.05)
_DRAWN_RATE = prints.CORPUS_ERROR  # the paper's estimate for the Wall Street Journal


# ---- the taggers -----------------------------------------------------------------------------------------------------


def _accuracy(work: Work) -> Iterator[PaperPart]:
    """Every tagger on every test: all words, ambiguous ones, and what it cost."""
    tables, numbers = [], []
    for train in dict.fromkeys(one.condition.train for one in work.across.cells):
        rows: list[tuple[Cell, ...]] = []
        shares: dict[str, tuple[float, float]] = {}
        for name in SYSTEMS:
            cells = {
                one.condition.test: one
                for one in work.across.cells
                if named(one) == name and one.condition.train == train
            }
            row: list[Cell] = [name]
            for test in dict.fromkeys(one.condition.test for one in work.across.cells):
                gold = work.text(test, "test")
                found = right_words(
                    numbers_of_tags(work.text(train, "train"), gold), gold, work.output(work.across, cells[test])
                )
                whole, several, share, ambiguity = found.numbers
                row += [percent(whole), percent(several)]
                shares[test] = share, ambiguity
                if name in prints.OBSERVED and train == test:
                    numbers += _beside_paper(name, short_name(train), whole, several)
            cost = cells[train].data
            rows.append((*row, f"{cost['train_seconds']:.1f}", f"{cost['tokens_per_second'] / 1000:,.0f}"))
        heads = [f"{short_name(test)}{what}" for test in shares for what in ("", " amb.")]
        said = [
            f"{short_name(test)}: {percent(share, 1)} % of the words are ambiguous, with {a:.2f} tags each"
            for test, (share, a) in shares.items()
        ]
        notes = (
            f"Accuracy in %; amb.: of words with several tags in {short_name(train)}'s train part. {'; '.join(said)}.",
            "Train: seconds; tag: thousands of words per second, scoring not included.",
        )
        columns = ("tagger", *heads, "train", "tag")
        tables.append(
            (
                f"trained on {short_name(train)}",
                PaperTable("accuracy", "accuracy and cost", (), columns, tuple(rows), notes),
            )
        )
        share, ambiguity = shares[train]
        numbers.append(
            PaperNumber(
                "Section 5",
                f"ambiguous words, {short_name(train)}",
                "share",
                share,
                None,
                None,
                prints.AMBIGUOUS_SHARE,
                False,
            )
        )
    yield PaperPart("accuracy", "Section 5: the taggers", tuple(numbers), tuple(tables))


def _beside_paper(name: str, corpus: str, whole: float, several: float) -> list[PaperNumber]:
    of_several, of_all = prints.OBSERVED[name]
    return [
        PaperNumber("Section 5", f"{name}, all words, {corpus}", "share", whole, None, None, of_all, False),
        PaperNumber("Section 5", f"{name}, ambiguous words, {corpus}", "share", several, None, None, of_several, False),
    ]


def _folds(work: Work) -> Iterator[PaperPart]:
    """Ten trials of each tagger: mean and standard deviation over folds, and TC against the others, fold by fold."""
    tables = []
    for train in dict.fromkeys(one.condition.train for one in work.in_folds.cells):
        of_system: dict[str, list[tuple[float, float]]] = {}
        for name in SYSTEMS:
            cells = sorted(
                (one for one in work.in_folds.cells if named(one) == name and one.condition.train == train),
                key=lambda one: one.condition.fold or 0,
            )
            of_system[name] = [_of_fold(work, cell) for cell in cells]
        best = np.array(of_system[SECOND])
        rows: list[tuple[Cell, ...]] = []
        for name, values in of_system.items():
            found = np.array(values)
            wins = int((best[:, 0] > found[:, 0]).sum())
            rows.append(
                (
                    name,
                    *(text for k in (0, 1) for text in (percent(found[:, k].mean()), percent(found[:, k].std(ddof=1)))),
                    None if name == SECOND else f"{100 * (best - found)[:, 0].mean():+.2f}".replace("-", "−"),
                    None if name == SECOND else f"{wins} of {len(found)}",
                )
            )
        columns = ("tagger", "all", "sd", "ambiguous", "its sd", f"{SECOND} −", f"{SECOND} ahead")
        notes = (
            "Means over ten folds by document, and standard deviations, in %; ambiguous: in the fold's training text.",
        )
        tables.append((short_name(train), PaperTable("folds", "ten folds", (), columns, tuple(rows), notes)))
    yield PaperPart("folds", "Section 1: several trials", (), tuple(tables))


def _of_fold(work: Work, cell: GridCell) -> tuple[float, float]:
    """The accuracy of a fold, on all and on ambiguous words."""
    test, n_tags = work.fold(cell.condition.train, cell.condition.seed, cell.condition.fold or 0)
    whole, several, _, _ = right_words(n_tags, test, work.output(work.in_folds, cell)).numbers
    return whole, several


# ---- B against TC ----------------------------------------------------------------------------------------------------


def _figure_1(work: Work) -> Iterator[PaperPart]:
    """Are the two taggers different: by a test, by naive intervals, and by the intervals that noise leaves?"""
    results: list[tuple[str, Result]] = []
    for name, bank in work.banks.items():
        if bank.train is not None and bank.test is not None:
            at_rates = _noise_bounds(work, name)
            results.append((short_name(name), _table_of_figure_1(work, name, at_rates)))
            results.append((short_name(name), at_rates[_DRAWN_RATE]))
    yield PaperPart("figure-1", "Section 5 and Figure 1: is TC better than B?", tuple(_of_print()), tuple(results))


def _both(work: Work, bank: str) -> dict[str, GridCell]:
    """The cells of the paper's two taggers, trained and tested on a corpus."""
    of = work.across.cells
    cells = {named(one): one for one in of if one.condition.train == one.condition.test == bank}
    return {name: cells[name] for name in (FIRST, SECOND)}


def _noise_bounds(work: Work, bank: str) -> dict[float, NoiseResult]:
    """What the real accuracy of the two can be, for each error rate of the gold."""
    paths = {name: work.across.store.output(cell.key) for name, cell in _both(work, bank).items()}
    train = work.banks[bank].train
    assert train is not None
    how = {"lexicon": list(train.paths), "column": COLUMN, "inference": work.inference}
    return {
        rate: noise_bounds_from_files(work.text(bank, "test"), paths, corpus_error=rate, **how)  # type: ignore[arg-type]
        for rate in _ERROR_RATES
    }


def _table_of_figure_1(work: Work, bank: str, at_rates: Mapping[float, NoiseResult]) -> PaperTable:
    gold, train = work.text(bank, "test"), work.text(bank, "train")
    outputs = {name: work.output(work.across, cell) for name, cell in _both(work, bank).items()}
    compared = compare(gold, outputs, measures=["XPOS"], column=COLUMN, inference=work.inference)
    n_tags = numbers_of_tags(train, gold)
    first, second = (right_words(n_tags, gold, one) for one in outputs.values())
    points = 100 * (second.right.mean() - first.right.mean())
    sign = "−" if points < 0 else ""
    naive = [Ends(*_naive(one, work.inference.level)) for one in (first, second)]
    rows = [("naive", *_shown_ends(naive))]
    for rate, noisy in at_rates.items():
        ends = [one.bounds for one in noisy.systems]
        there = [one for one in ends if one is not None]
        rows.append((f"C = {rate:.2f}", *(_shown_ends(there) if len(there) == 2 else (None, None, "not possible"))))
    apart = "overlap" if naive[0].touches(naive[1]) else "are apart"
    verdict = (
        f"{SECOND} − {FIRST} = {sign}{abs(points):.2f} points on all words (p = {compared.pairs[0].p:.2g}, "
        f"over {compared.cluster}s).",
        f"Naive intervals of the accuracy on ambiguous words {apart}.",
    )
    notes = (
        "Ambiguous words, in %. Naive: if the gold is perfect and words are independent; C: reasonable bounds of the "
        "real accuracy over all p.",
    )
    columns = ("", FIRST, SECOND, "overlap")
    return PaperTable("figure-1", "intervals", verdict, columns, tuple(rows), notes)


def _shown_ends(ends: Sequence[Ends]) -> tuple[Cell, ...]:
    """Two intervals, and whether they overlap."""
    shown = (f"{100 * one.lower:.2f}–{100 * one.upper:.2f}" for one in ends)
    return (*shown, "yes" if ends[0].touches(ends[1]) else "no")


def _naive(found: RightWords, level: float) -> tuple[float, float]:
    """The normal interval of a share."""
    several = found.is_ambiguous
    share, n = float(found.right[several].mean()), int(several.sum())
    half = float(normal_quantile((1 + level) / 2)) * (share * (1 - share) / n) ** 0.5
    return share - half, share + half


def _of_print() -> Iterator[PaperNumber]:
    """The paper's own intervals from its own numbers: p = 1/(a − 1), though the print says 1/a."""
    for (name, p), ends in prints.INTERVALS.items():
        observed = {name: prints.OBSERVED[name][0]}
        found = noise_bounds(observed, corpus_error=prints.CORPUS_ERROR, ambiguity=prints.AMBIGUITY, p=p)
        bounds = found.systems[0].bounds
        assert bounds is not None
        for what, value, paper in zip(("lower", "upper"), (bounds.lower, bounds.upper), ends, strict=True):
            yield PaperNumber("Section 5", f"{name}, {what} end, p = {p:.2f}", "share", value, None, None, paper, True)


def verdict(parts: Sequence[PaperPart]) -> tuple[str, ...]:
    """What came out of Figure 1 on each corpus."""
    found = []
    for which, table in (one for part in parts if part.name == "figure-1" for one in part.results):
        if isinstance(table, PaperTable):
            rates = [str(row[0]).removeprefix("C = ") for row in table.rows[1:] if row[-1] == "yes"]
            said = f"what noise leaves possible overlaps from C = {rates[0]} on" if rates else "so are those of noise"
            said = said if table.rows[0][-1] == "no" or not rates else f"{said}, too"
            found.append(f"{which}: {table.verdict[0]} {table.verdict[1].removesuffix('.')}; {said}.")
    return tuple(found)


PARTS: Mapping[str, Callable[[Work], Iterator[PaperPart]]] = {
    "the taggers (section 5)": _accuracy,
    "several trials (section 1)": _folds,
    "Figure 1": _figure_1,
    "t, u and p (section 4)": section_4,
}
