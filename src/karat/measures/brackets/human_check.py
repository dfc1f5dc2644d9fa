"""The check by people [Hogenhout & Matsumoto 1996, §3]: which brackets to look at, and what the verdicts say.

A regular test cannot tell whether a crossing or spurious bracket is wrong or just not the treebank's way. A person can.
The worklist has these brackets, all of them or a stratified sample with weights; exact matches are taken as accepted
unless they are asked for. What nobody decided is not guessed: items then have a smallest and a largest value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._ragged import offsets_of
from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import UNCLEAR
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem, UsageError, shortened
from karat.measures.brackets.checked_strata import CheckedStratum, checked_strata
from karat.measures.brackets.preparation import Brackets
from karat.measures.brackets.tree_counts import TreeComparison

VERDICTS: Mapping[str, Sequence[str]] = {"bracket": ("accept", "reject", UNCLEAR)}
EVERY_SYSTEM = "*"  # whose bracket a row is, where all systems are judged in one style
_SPLIT = {"EM": ("EMA", "EMR"), "CE": ("CEA", "CER"), "SP": ("SPA", "SPR")}
_ROUNDING = 1e-5

_HEAD = (
    "Accept a bracket if it fits the correct interpretation of the sentence, in the style of bracketing that {whose}, "
    "whatever the style of the treebank; reject it otherwise [Hogenhout & Matsumoto 1996, section 3].",
    f"Write accept or reject into the column verdict, or {UNCLEAR} if the guideline does not decide: like empty rows, "
    "these are not guessed, and results have bounds. The "
    "columns label, judge and note are free for your use.",
    "CE: the bracket crosses a gold bracket. SP: it is not in the gold, but crosses no gold bracket. EM: it is in the "
    "gold.",
)


def bracket_question(row: WorklistRow) -> Question:
    """What a row asks: whether the bracket marked in this sentence fits the style of this system."""
    return Question((row.corpus, row.text), {verdict: verdict for verdict in VERDICTS["bracket"]})


@dataclass(frozen=True, slots=True)
class _Key:
    """A bracket to look at: item, tree, words (in the comparison's numbering) and, where labels count, label."""

    item: str
    tree: int
    start: int
    stop: int
    label: str


class BracketCheck:
    """The brackets of one system that a person may look at."""

    def __init__(self, name: str, comparison: TreeComparison) -> None:
        if comparison.options.keep_empty:
            raise UsageError("empty brackets have no words to judge: do not keep them in a human check")
        if name == EVERY_SYSTEM:
            raise UsageError(f"a system called {name!r} cannot be judged; name it: NAME=PATH")
        self.name, self.comparison = name, comparison

    @cached_property
    def _flags(self) -> dict[str, Flags]:
        main = self.comparison.main
        wanted = np.array([self.comparison.options.is_wanted(name) for name in main.system.names], dtype=np.bool_)
        of_wanted = wanted.take(main.system.labels) if len(wanted) else np.zeros(0, dtype=np.bool_)
        kept = of_wanted & ~self.comparison.pair.gold.bad.take(main.system.trees)
        flags = main.flagged()
        return {item: kept & chosen for item in _SPLIT if (chosen := flags[item][1]) is not None}

    def keys(self, items: Iterable[str]) -> dict[_Key, int]:
        """The brackets of these items in the order of the text, each with how often it is there."""
        system, has_labels = self.comparison.main.system, self.comparison.options.compares_labels
        found: dict[_Key, int] = {}
        for item in items:
            chosen = np.flatnonzero(self._flags[item])
            columns = (system.trees, system.start, system.stop, system.labels)
            for tree, start, stop, label in zip(*(column[chosen].tolist() for column in columns), strict=True):
                key = _Key(item, tree, start, stop, system.names[label] if has_labels else "")
                found[key] = found.get(key, 0) + 1
        return dict(sorted(found.items(), key=lambda pair: (pair[0].tree, pair[0].start, -pair[0].stop)))

    @cached_property
    def _numbers(self) -> Indices:
        """The number, from 1 in its sentence, of every gold word that counts; traces are not numbered."""
        pair = self.comparison.pair
        before = offsets_of(~pair.gold_traces)
        first = before.take(pair.gold.word_offsets[:-1]).take(pair.gold.word_trees)
        numbers: Indices = (before[:-1] - first + 1)[~pair.gold_dropped]
        return numbers

    def place(self, key: _Key) -> tuple[str, int, int]:
        """Sentence, and first and last word of a bracket, as the worklist names them."""
        numbers = self._numbers
        return self.comparison.pair.gold.sent_id(key.tree), int(numbers[key.start]), int(numbers[key.stop - 1])

    def id_of(self, key: _Key, corpus: str) -> str:
        """The name of a bracket in worklists; where doubled ones count, they may be of several items."""
        sent_id, start, end = self.place(key)
        is_doubled = self.comparison.options.keep_doubled
        parts = [corpus, sent_id, f"{start}-{end}", *([key.item] if is_doubled else []), *filter(None, [key.label])]
        return "/".join(parts)

    def row(self, key: _Key, corpus: str, weight: float) -> WorklistRow:
        """The row of a worklist that asks about a bracket."""
        sent_id, start, end = self.place(key)
        gold = self.comparison.pair.gold
        first, stop = gold.word_offsets[key.tree : key.tree + 2].tolist()
        words = [
            shortened(word)
            for word, is_trace in zip(
                gold.words_of(key.tree), self.comparison.pair.gold_traces[first:stop].tolist(), strict=True
            )
            if not is_trace
        ]
        left, right = _marks(words)
        inside = " ".join(words[start - 1 : end])
        marked = f"{left}{key.label} {inside}{right}" if key.label else f"{left}{inside}{right}"
        text = " ".join([*words[: start - 1], marked, *words[end:]])
        return WorklistRow(
            self.id_of(key, corpus), "bracket", corpus, sent_id, start, end, text, self._context(key, words), weight
        )

    def _context(self, key: _Key, words: Sequence[str]) -> str:
        """What both sides have around a bracket: the smallest bracket of each that holds it, and what is inside."""
        first = int(self.comparison.main.gold.word_offsets[key.tree])
        last = int(self.comparison.main.gold.word_offsets[key.tree + 1])
        forms = {place: words[int(self._numbers[place]) - 1] for place in range(first, last)}
        sides = (("gold", self.comparison.main.gold), (self.name, self.comparison.main.system))
        shown = (f"{name}: {self._shown_around(side, key, forms)}" for name, side in sides)
        return f"{key.item}; {'; '.join(shown)}"

    def _shown_around(self, side: Brackets, key: _Key, forms: Mapping[int, str]) -> str:
        begin, end = np.searchsorted(side.trees, [key.tree, key.tree + 1]).tolist()
        spans = list(zip(side.start[begin:end].tolist(), side.stop[begin:end].tolist(), strict=True))
        around = [
            (start, stop)
            for start, stop in spans
            if start <= key.start and key.stop <= stop and (start, stop) != (key.start, key.stop)
        ]
        low, high = min(around, key=lambda span: span[1] - span[0], default=(min(forms), max(forms) + 1))
        inside = [(start, stop) for start, stop in spans if low <= start and stop <= high]
        left, right = _marks(forms.values())
        opened, closed = Counter(start for start, _ in inside), Counter(stop for _, stop in inside)
        return " ".join(left * opened[place] + forms[place] + right * closed[place + 1] for place in range(low, high))


def _marks(words: Iterable[str]) -> tuple[str, str]:
    """What brackets are shown with among these words."""
    return ("⟦", "⟧") if any("[" in word or "]" in word for word in words) else ("[", "]")


# ---- what to look at -------------------------------------------------------------------------------------------------


def worklist_of_checks(
    checks: Sequence[BracketCheck],
    *,
    include_exact: bool = False,
    sample: int | None = None,
    same_style: bool = False,
    seed: int = 0,
) -> Worklist:
    """The brackets that people are to look at: those of each system, or with `same_style` each bracket once for all.

    With `sample` so many of them, drawn by strata (item and system, or the systems that have the bracket), at least one
    of each; the weights of a stratum sum to its size.
    """
    strata = _strata(checks, tuple(_SPLIT) if include_exact else ("CE", "SP"), same_style)
    chosen = _all(strata) if sample is None else _sampled(strata, sample, seed)
    order = {id(check): number for number, check in enumerate(checks)}
    chosen.sort(key=lambda one: (one[1].tree, one[1].start, -one[1].stop, one[1].label, order[id(one[0])]))
    rows = [check.row(key, EVERY_SYSTEM if same_style else check.name, weight) for check, key, weight in chosen]
    whose = "the systems aim at" if same_style else "the system named in the column corpus aims at"
    return Worklist(tuple(rows), tuple(line.format(whose=whose) for line in _HEAD))


_Strata = dict[tuple[object, ...], list[tuple[BracketCheck, _Key]]]


def _strata(checks: Sequence[BracketCheck], items: Sequence[str], same_style: bool) -> _Strata:
    """The brackets by what makes them alike: the item, whose they are, and how often they are there."""
    strata: _Strata = {}
    if not same_style:
        for check in checks:
            for key, times in check.keys(items).items():
                strata.setdefault((check.name, key.item, times), []).append((check, key))
        return strata
    who: dict[_Key, list[tuple[BracketCheck, int]]] = {}
    for check in checks:
        for key, times in check.keys(items).items():
            who.setdefault(key, []).append((check, times))
    for key, having in who.items():
        owners = tuple((check.name, times) for check, times in having)
        strata.setdefault((key.item, owners), []).append((having[0][0], key))
    return strata


def _all(strata: _Strata) -> list[tuple[BracketCheck, _Key, float]]:
    return [(check, key, 1.0) for stratum in strata.values() for check, key in stratum]


def _sampled(strata: _Strata, size: int, seed: int) -> list[tuple[BracketCheck, _Key, float]]:
    """A stratified sample in proportion to the strata's sizes, at least one of each."""
    sizes = np.array([len(stratum) for stratum in strata.values()])
    total = int(sizes.sum())
    if size >= total:
        return _all(strata)
    if size < len(sizes):
        raise UsageError(
            f"a sample of {size} is too small: there are {len(sizes)} kinds of brackets; give at least as many"
        )
    shares = 1 + (size - len(sizes)) * (sizes - 1) / max(total - len(sizes), 1)
    numbers = np.floor(shares).astype(np.intp)
    numbers[np.argsort(-(shares - numbers), kind="stable")[: size - int(numbers.sum())]] += 1
    rng = np.random.default_rng([seed, 4])
    found = []
    for stratum, n in zip(strata.values(), numbers.tolist(), strict=True):
        drawn = sorted(rng.choice(len(stratum), size=n, replace=False).tolist())
        found += [(*stratum[place], len(stratum) / n) for place in drawn]
    return found


# ---- what the verdicts say -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The judged items of every tree: one possibility if all was decided, else all ways to decide the rest at once.

    `corners` has, for each way, EMA, EMR, CEA, CER, SPA and SPR [trees]; the truth lies between them. Those of a sample
    are estimates: the weights of what was judged. `levelled` has the same sums, spread over the trees so that a tree's
    accepted and rejected brackets are as many as it has (`levelled_counts`). `strata` are what was sampled and judged.
    """

    corners: tuple[Mapping[str, Floats], ...]
    is_sample: bool = False
    levelled: tuple[Mapping[str, Floats], ...] = ()
    strata: tuple[CheckedStratum, ...] = ()

    @property
    def open(self) -> frozenset[str]:
        """The items that are not decided."""
        first = self.corners[0]
        return frozenset(item for item in first if any((one[item] != first[item]).any() for one in self.corners))


class Verdicts:
    """A worklist with verdicts, held against one system after the other."""

    def __init__(self, worklist: Worklist, systems: Sequence[str]) -> None:
        self.worklist, self._fitted, self._problems = worklist, set[str](), list[Problem]()
        problems = []
        for row in worklist.rows:
            if row.corpus not in systems and row.corpus != EVERY_SYSTEM:
                hint = f"systems here are {', '.join(systems)}; name them as in the worklist: NAME=PATH"
                problems.append(_misfit(worklist, row, f"no system {row.corpus!r}", hint))
        if problems:
            raise DataError(problems)

    def of(self, check: BracketCheck) -> Judged:
        """The judged items of a system."""
        return _of_system(check, self.worklist, self._problems, self._fitted)

    def refuse_misfits(self) -> None:
        """A `DataError` for rows that contradict themselves or fitted no bracket, and for weights that cannot be."""
        hint = "use the same gold, systems and preparation that the worklist was made from"
        problems = self._problems + [
            _misfit(self.worklist, row, f"{row.id!r} does not match any bracket", hint)
            for row in self.worklist.rows
            if row.id not in self._fitted
        ]
        if problems:
            raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: problem.line))


def _misfit(worklist: Worklist, row: WorklistRow, message: str, hint: str) -> Problem:
    return Problem("K736", message, worklist.path, row.line, hint=hint)


def _of_system(check: BracketCheck, worklist: Worklist, problems: list[Problem], fitted: set[str]) -> Judged:
    rows = {row.id: row for row in worklist.rows if row.corpus in (check.name, EVERY_SYSTEM)}
    possible: dict[str, list[tuple[Floats, Floats]]] = {}
    counted: dict[str, Floats] = {}
    strata: list[CheckedStratum] = []
    for item in _SPLIT:
        keys = check.keys([item])
        counted[item] = np.zeros(check.comparison.pair.gold.n_trees)
        for key, times in keys.items():
            counted[item][key.tree] += times
        fits = dict(_fitting(check, keys, rows, worklist, problems))
        fitted |= {row.id for row in fits.values()}
        if item == "EM" and not fits:  # nobody looked: as the paper suggests, they count as accepted
            exact = check.comparison.items["EM"]
            possible[item] = [(exact, np.zeros_like(exact))]
        else:
            possible[item] = _possible(check, item, keys, fits, worklist, problems)
            judged = ((row.weight, keys[key], row.verdict) for key, row in fits.items())
            strata += checked_strata(item, judged, sum(keys.values()))
    is_sample = any(row.weight != 1 for row in rows.values())
    levelled: dict[str, list[tuple[Floats, Floats]]] = {}
    if is_sample:
        levelled = {item: [levelled_counts(*pair, counted[item]) for pair in ways] for item, ways in possible.items()}
    return Judged(_corners(possible), is_sample, _corners(levelled) if is_sample else (), tuple(strata))


def _corners(possible: Mapping[str, Sequence[tuple[Floats, Floats]]]) -> tuple[Mapping[str, Floats], ...]:
    """All ways to decide the items at once, from those to decide each."""
    return tuple(
        {
            name: counts
            for item, pair in zip(_SPLIT, way, strict=True)
            for name, counts in zip(_SPLIT[item], pair, strict=True)
        }
        for way in product(*possible.values())
    )


def levelled_counts(accepted: Floats, rejected: Floats, counted: Floats) -> tuple[Floats, Floats]:
    """Weighted verdicts of every tree, made to sum to the brackets that it has; the sums over all trees stay.

    How many brackets a tree has is known, only verdicts are sampled. A tree gets the accepted share of all for each of
    its brackets, and what its own verdicts say beyond that with their weights: the linearised regression estimator
    [Särndal, Swensson & Wretman 1992, §6.5]. Its variance over trees is that of the trees plus that of the sample.
    Weights alone would add the chance of which trees the sample fell on, as if totals were not known. A tree can have
    less than 0, or more than it has.
    """
    if not accepted.any() or not rejected.any():  # without rounding
        nothing = np.zeros_like(counted)
        return (counted, nothing) if accepted.any() else (nothing, counted)
    share = accepted.sum() / (accepted.sum() + rejected.sum())
    level = accepted + share * (counted - accepted - rejected)
    return level, counted - level


def _fitting(
    check: BracketCheck,
    keys: Iterable[_Key],
    rows: Mapping[str, WorklistRow],
    worklist: Worklist,
    problems: list[Problem],
) -> Iterator[tuple[_Key, WorklistRow]]:
    """The brackets that have a row, and their rows."""
    for key in keys:
        row = rows.get(check.id_of(key, check.name)) or rows.get(check.id_of(key, EVERY_SYSTEM))
        if row is None:
            continue
        if (row.sent_id, row.start, row.end) != check.place(key):
            said = f"{row.sent_id} {row.start}-{row.end}"
            problems.append(
                _misfit(worklist, row, f"the id is {row.id!r}, but the row says {said}", "do not change ids")
            )
        yield key, row


def _possible(
    check: BracketCheck,
    item: str,
    keys: Mapping[_Key, int],
    fits: Mapping[_Key, WorklistRow],
    worklist: Worklist,
    problems: list[Problem],
) -> list[tuple[Floats, Floats]]:
    """Accepted and rejected brackets of every tree; where not all is decided, with the rest accepted and rejected."""
    n_trees = check.comparison.pair.gold.n_trees
    accepted, rejected, open_ = np.zeros(n_trees), np.zeros(n_trees), np.zeros(n_trees)
    where = {"accept": accepted, "reject": rejected, UNCLEAR: open_, "": open_}
    covered = 0.0
    for key, row in fits.items():
        where[row.verdict][key.tree] += row.weight * keys[key]
        covered += row.weight * keys[key]
    total = sum(keys.values())
    without_row = {key: times for key, times in keys.items() if key not in fits}
    left = total - covered
    error = min(_ROUNDING * total, 0.4)  # spreadsheets round weights; a row that is gone had at least 1
    if left < -error or (left > error and not without_row):
        message = f"the weights of {check.name}'s {item} brackets sum to {covered:g}, but there are {total:,}"
        problems.append(Problem("K737", message, worklist.path, hint="do not change ids and weights"))
        return [(np.zeros(n_trees), np.zeros(n_trees))]
    if without_row and left > error:
        share = left / sum(without_row.values())
        for key, times in without_row.items():
            open_[key.tree] += share * times
    if not open_.any():
        return [(accepted, rejected)]
    return [(accepted + open_, rejected), (accepted, rejected + open_)]
