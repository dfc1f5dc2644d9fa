"""The tables of Padró & Màrquez 1998, run again: accuracy and cost, trials, Figure 1, and what t, u and p are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from karat._arrays import Array, Flags, Ids
from karat.corpus import Corpus, corpus_from_source, read_source
from karat.corpus.lexicon import AMBIGUOUS, lexicon_from_corpus
from karat.errors import UsageError
from karat.evaluation.compare import compare
from karat.experiments.grid import Grid, GridCell
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.planted_errors import Observed, observed
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.experiments.papers.ud_folders import TreebankFolder
from karat.experiments.run import fold_texts
from karat.experiments.treebanks import TextReading, Treebank, corpus_of, treebanks
from karat.inference.distributions import normal_quantile
from karat.inference.options import InferenceOptions
from karat.noise.from_files import noise_bounds_from_files
from karat.noise.from_numbers import noise_bounds
from karat.noise.results import Ends, NoiseResult
from karat.result import Cell, Result

COLUMN = "xpos"
KINDS = ("B", "T", "BT", "C", "BC", "TC", "BTC")
SYSTEMS: Mapping[str, str] = {
    "most frequent": "most-frequent:suffixes=yes",
    "HMM2": "hmm:order=1",
    "HMM3": "hmm:order=2",
    **{kind: f"relaxation:constraints={kind}" for kind in KINDS},
}
_FIRST, _SECOND = "B", "TC"  # the paper's T1 and T2
PLANTED_IN = ("most frequent", "HMM2", "HMM3", "B", "TC")
N_FOLDS = 10
_ERROR_RATES = (0.01, 0.02, 0.03, 0.04, 0.05)
_DRAWN_RATE = PLANTED_RATE = prints.CORPUS_ERROR  # the paper's estimate for the Wall Street Journal
PLANTED = {
    "random, test": ("random", False),
    "random, both": ("random", True),
    "systematic, test": ("systematic", False),
    "systematic, both": ("systematic", True),
}


@dataclass(frozen=True, slots=True)
class Plant:
    """A treebank with planted errors: its folder, where they are, and the seed."""

    path: str
    where: str
    seed: int


@dataclass(eq=False)
class Work:
    """The finished grids and the texts behind them."""

    folders: Sequence[TreebankFolder]
    across: Grid
    in_folds: Grid
    plants: Sequence[Plant]
    with_errors: Grid
    inference: InferenceOptions
    _folds: dict[tuple[str, int, int], tuple[Corpus, Ids]] = field(default_factory=dict)

    @cached_property
    def banks(self) -> dict[str, Treebank]:
        return {one.name: one for one in treebanks([each.path for each in self.folders])}

    def text(self, name: str, part: str) -> Corpus:
        found = getattr(self.banks[name], part)
        if found is None:
            raise UsageError(f"{name} has no {part} part")
        return corpus_of(found, TextReading(COLUMN))

    def fold(self, name: str, seed: int, fold: int) -> tuple[Corpus, Ids]:
        """A fold, and how many tags its words have in what it was learnt from; all taggers have the same ones."""
        if (name, seed, fold) not in self._folds:
            corpus = corpus_of(self.banks[name].whole(), TextReading(COLUMN))
            train, test = fold_texts(corpus, N_FOLDS, "document", seed, fold, COLUMN)
            self._folds[name, seed, fold] = test, _n_tags(train, test)
        return self._folds[name, seed, fold]

    def output(self, of: Grid, cell: GridCell) -> Corpus:
        """What a system wrote."""
        return corpus_from_source(read_source(of.store.output(cell.key)), tag=COLUMN, trees=False)


def _named(cell: GridCell) -> str:
    """What the paper calls a system, or we do."""
    return next(name for name, system in SYSTEMS.items() if system == cell.condition.system)


def _short(name: str) -> str:
    return name.rpartition("-")[2]


def _tags(*corpora: Corpus) -> list[Ids]:
    """The tags of corpora of the same words, as numbers that can be compared."""
    known: dict[str, int] = {}
    found = []
    for corpus in corpora:
        column = corpus.column(COLUMN)
        numbers = np.array([known.setdefault(one, len(known)) for one in column.vocabulary.strings], dtype=np.int32)
        found.append(numbers.take(column.ids))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Right:
    """Which words a system has right, and how many tags each has in the training text."""

    right: Flags
    n_tags: Array

    @property
    def is_ambiguous(self) -> Flags:
        found: Flags = self.n_tags >= AMBIGUOUS
        return found

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Accuracy on all and on ambiguous words, their share, and how many tags they have on average."""
        several = self.is_ambiguous
        return (
            float(self.right.mean()),
            float(self.right[several].mean()) if several.any() else float("nan"),
            float(several.mean()),
            float(self.n_tags[several].mean()) if several.any() else float("nan"),
        )


def _n_tags(train: Corpus, gold: Corpus) -> Ids:
    """How many tags each word of a gold has in a training text."""
    return lexicon_from_corpus(train, COLUMN).ambiguities(gold)


def _right(n_tags: Ids, gold: Corpus, output: Corpus) -> _Right:
    ours, theirs = _tags(gold, output)
    return _Right(ours == theirs, n_tags)


def _percent(value: float | None, places: int = 2) -> str | None:
    return None if value is None or np.isnan(value) else f"{100 * value:.{places}f}"


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
                if _named(one) == name and one.condition.train == train
            }
            row: list[Cell] = [name]
            for test in dict.fromkeys(one.condition.test for one in work.across.cells):
                gold = work.text(test, "test")
                found = _right(_n_tags(work.text(train, "train"), gold), gold, work.output(work.across, cells[test]))
                whole, several, share, ambiguity = found.numbers
                row += [_percent(whole), _percent(several)]
                shares[test] = share, ambiguity
                if name in prints.OBSERVED and train == test:
                    numbers += _beside_paper(name, _short(train), whole, several)
            cost = cells[train].data
            rows.append((*row, f"{cost['train_seconds']:.1f}", f"{cost['tokens_per_second'] / 1000:,.0f}"))
        heads = [f"{_short(test)}{what}" for test in shares for what in ("", " amb.")]
        said = [
            f"{_short(test)}: {_percent(share, 1)} % of the words are ambiguous, with {a:.2f} tags each"
            for test, (share, a) in shares.items()
        ]
        notes = (
            f"Accuracy in %; amb.: of words with several tags in {_short(train)}'s train part. {'; '.join(said)}.",
            "Train: seconds; tag: thousands of words per second, scoring not included.",
        )
        columns = ("tagger", *heads, "train", "tag")
        tables.append(
            (
                f"trained on {_short(train)}",
                PaperTable("accuracy", "accuracy and cost", (), columns, tuple(rows), notes),
            )
        )
        share, ambiguity = shares[train]
        numbers.append(
            PaperNumber(
                "Section 5",
                f"ambiguous words, {_short(train)}",
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
                (one for one in work.in_folds.cells if _named(one) == name and one.condition.train == train),
                key=lambda one: one.condition.fold or 0,
            )
            of_system[name] = [_of_fold(work, cell) for cell in cells]
        best = np.array(of_system[_SECOND])
        rows: list[tuple[Cell, ...]] = []
        for name, values in of_system.items():
            found = np.array(values)
            wins = int((best[:, 0] > found[:, 0]).sum())
            rows.append(
                (
                    name,
                    *(
                        text
                        for k in (0, 1)
                        for text in (_percent(found[:, k].mean()), _percent(found[:, k].std(ddof=1)))
                    ),
                    None if name == _SECOND else f"{100 * (best - found)[:, 0].mean():+.2f}".replace("-", "−"),
                    None if name == _SECOND else f"{wins} of {len(found)}",
                )
            )
        columns = ("tagger", "all", "sd", "ambiguous", "its sd", f"{_SECOND} −", f"{_SECOND} ahead")
        notes = (
            "Means over ten folds by document, and standard deviations, in %; ambiguous: in the fold's training text.",
        )
        tables.append((_short(train), PaperTable("folds", "ten folds", (), columns, tuple(rows), notes)))
    yield PaperPart("folds", "Section 1: several trials", (), tuple(tables))


def _of_fold(work: Work, cell: GridCell) -> tuple[float, float]:
    """The accuracy of a fold, on all and on ambiguous words."""
    test, n_tags = work.fold(cell.condition.train, cell.condition.seed, cell.condition.fold or 0)
    whole, several, _, _ = _right(n_tags, test, work.output(work.in_folds, cell)).numbers
    return whole, several


# ---- B against TC ----------------------------------------------------------------------------------------------------


def _figure_1(work: Work) -> Iterator[PaperPart]:
    """Are the two taggers different: by a test, by naive intervals, and by the intervals that noise leaves?"""
    results: list[tuple[str, Result]] = []
    for name, bank in work.banks.items():
        if bank.train is not None and bank.test is not None:
            at_rates = _noise_bounds(work, name)
            results.append((_short(name), _table_of_figure_1(work, name, at_rates)))
            results.append((_short(name), at_rates[_DRAWN_RATE]))
    yield PaperPart("figure-1", "Section 5 and Figure 1: is TC better than B?", tuple(_of_print()), tuple(results))


def _both(work: Work, bank: str) -> dict[str, GridCell]:
    """The cells of the paper's two taggers, trained and tested on a corpus."""
    of = work.across.cells
    cells = {_named(one): one for one in of if one.condition.train == one.condition.test == bank}
    return {name: cells[name] for name in (_FIRST, _SECOND)}


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
    n_tags = _n_tags(train, gold)
    first, second = (_right(n_tags, gold, one) for one in outputs.values())
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
        f"{_SECOND} − {_FIRST} = {sign}{abs(points):.2f} points on all words (p = {compared.pairs[0].p:.2g}, "
        f"over {compared.cluster}s).",
        f"Naive intervals of the accuracy on ambiguous words {apart}.",
    )
    notes = (
        "Ambiguous words, in %. Naive: if the gold is perfect and words are independent; C: reasonable bounds of the "
        "real accuracy over all p.",
    )
    columns = ("", _FIRST, _SECOND, "overlap")
    return PaperTable("figure-1", "intervals", verdict, columns, tuple(rows), notes)


def _shown_ends(ends: Sequence[Ends]) -> tuple[Cell, ...]:
    """Two intervals, and whether they overlap."""
    shown = (f"{100 * one.lower:.2f}–{100 * one.upper:.2f}" for one in ends)
    return (*shown, "yes" if ends[0].touches(ends[1]) else "no")


def _naive(found: _Right, level: float) -> tuple[float, float]:
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


# ---- what §4 assumes -------------------------------------------------------------------------------------------------


def _section_4(work: Work) -> Iterator[PaperPart]:
    """t, u and p where errors were planted, and whether the bounds hold the real accuracy."""
    (bank,) = [one for one in work.banks if _short(one) == _short(work.folders[0].name)]
    truth, train = work.text(bank, "test"), work.text(bank, "train")
    n_tags = _n_tags(train, truth)
    several = n_tags >= AMBIGUOUS
    ambiguity = float(n_tags[several].mean())
    rows: list[tuple[Cell, ...]] = []
    bounds: list[tuple[Cell, ...]] = []
    of_plant = {os.path.basename(one.path): one for one in work.plants}
    for where in PLANTED:
        for name in PLANTED_IN:
            found = [
                _observed(work, one, of_plant[one.condition.train], truth, several)
                for one in work.with_errors.cells
                if _named(one) == name and of_plant[one.condition.train].where == where
            ]
            if found:
                rows.append((where, name, *_means(found)))
                bounds.append((where, name, *_held(found, ambiguity)))
    n_plantings = len({one.seed for one in work.plants})
    plantings = f"{n_plantings} planting{'s' * (n_plantings != 1)}"
    notes = (
        "Errors in the test alone, or in train and test both. C: errors of the gold; K: accuracy by the gold; x: real "
        "accuracy; t, u: accuracy where the gold is right and where it is wrong; p: same error where both are wrong.",
        f"Ambiguous words, in %, means over {plantings} at {100 * PLANTED_RATE:g} %; a = {ambiguity:.2f}, "
        f"1/(a − 1) = {100 / (ambiguity - 1):.1f} %.",
    )
    columns = ("errors", "tagger", "C", "K", "x", "t", "u", "p")
    first = PaperTable("section-4", "t, u and p", tuple(_said(rows)), columns, tuple(rows), notes)
    second = PaperTable(
        "section-4-bounds",
        "do the bounds hold the real accuracy?",
        (),
        ("errors", "tagger", "real accuracy", "reasonable bounds", "hold it"),
        tuple(bounds),
        ("Bounds by K, C and a over all p [sections 4 and 5], means; hold it: in how many plantings.",),
    )
    results = ((_short(bank), first), (_short(bank), second))
    yield PaperPart("section-4", "Section 4: errors planted", (), results)


def _observed(work: Work, cell: GridCell, plant: Plant, truth: Corpus, several: Flags) -> Observed:
    (bank,) = treebanks([plant.path])
    assert bank.test is not None
    gold = corpus_of(bank.test, TextReading(COLUMN))
    tags = _tags(truth, gold, work.output(work.with_errors, cell))
    return observed(*(one[several] for one in tags))


def _mean(values: Sequence[float | None]) -> float | None:
    there = [one for one in values if one is not None]
    return sum(there) / len(there) if there else None


def _means(found: Sequence[Observed]) -> list[Cell]:
    """The means of C, K, x, t, u and p."""
    names = ("corpus_error", "observed", "real", "where_right", "where_wrong", "same_error")
    return [_percent(_mean([getattr(one, name) for one in found])) for name in names]


def _held(found: Sequence[Observed], ambiguity: float) -> list[Cell]:
    """The mean real accuracy, the mean bounds, and how often these hold it."""
    ends = [
        noise_bounds({"it": one.observed}, corpus_error=one.corpus_error, ambiguity=ambiguity).systems[0].bounds
        for one in found
    ]
    held = [end is not None and end.lower <= one.real <= end.upper for end, one in zip(ends, found, strict=True)]
    lower, upper = (_mean([getattr(one, end) for one in ends if one is not None]) for end in ("lower", "upper"))
    shown = None if lower is None or upper is None else f"{100 * lower:.2f}–{100 * upper:.2f}"
    return [_percent(_mean([one.real for one in found])), shown, f"{sum(held)} of {len(held)}"]


def _said(rows: Sequence[tuple[Cell, ...]]) -> Iterator[str]:
    """What the paper expects of u, t and p, and what came out for TC."""
    of = {str(row[0]): row for row in rows if row[1] == _SECOND}
    for where, expected in (
        ("random, test", "the paper expects u near t, p near 1/(a − 1)"),
        ("systematic, both", "the paper expects a lower u, a higher p"),
    ):
        if where in of:
            row = of[where]
            yield f"{_SECOND}, {where}: t {row[5]}, u {row[6]}, p {row[7]} % ({expected})."


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
    "t, u and p (section 4)": _section_4,
}
