"""The tables of Slaski, Acedański & Przepiórkowski 2012, run again: the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from karat._arrays import Array
from karat.experiments.papers import slaski_2012_prints as prints
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.experiments.papers.slaski_2012_runs import KeptPairs
from karat.experiments.papers.slaski_2012_scores import ONE_PARENT, PAIRS, WAYS, ScoredRun, ratios_of
from karat.inference.intervals import Interval
from karat.inference.options import InferenceOptions
from karat.result import Cell
from karat.systems.attachment.edge_scores import EdgeDifference, EdgeScores

RATIOS = ("precision", "recall", "F1")
ENDS = ("lower", "upper")
COUNTS = ("found, right", "found, wrong", "not found", "rest")
PER_PAIR = "pairs: every pair by itself, as printed; one parent: the best forest, karat's default."


def ends(of: Interval | None) -> tuple[float | None, float | None]:
    """The ends of an interval."""
    return (None, None) if of is None else (of.lower, of.upper)


def shown_p(of: EdgeDifference) -> str | None:
    """A p-value as tables have it."""
    if of.p is None:
        return None
    return "< 0.0001" if of.p < 0.0001 else f"{of.p:.4f}"


def percent(share: float) -> str:
    """A share as sentences have it."""
    return f"{100 * share:.1f}".replace("-", "−")


def higher(difference: float) -> str:
    """A difference in F1 as sentences have it."""
    return f"{percent(abs(difference))} {'higher' if difference >= 0 else 'lower'}"


# ---- Table 1 ---------------------------------------------------------------------------------------------------------


def table_1(run: ScoredRun, inference: InferenceOptions) -> tuple[PaperPart, list[str]]:
    """The paper's table and its baseline beside ours, on sentences drawn as the paper's may have been."""
    part = run.part(run.pairs.in_wordnet, inference)
    child = run.part(run.pairs.child_in_wordnet, inference)
    has_wordnet = bool(run.pairs.child_in_wordnet.any())
    rows: list[tuple[Cell, ...]] = [(f"{way}", *_with_counts(run.ways[way])) for way in WAYS]
    rows.append(("paper", *prints.ratios(prints.CONFUSION["all"]), *prints.CONFUSION["all"]))
    if has_wordnet:
        rows += [(f"both heads in the wordnet, {way}", *_with_counts(part[way])) for way in WAYS]
        rows.append(("paper", *prints.ratios(prints.CONFUSION["wordnet"]), *prints.CONFUSION["wordnet"]))
        rows += [(f"the child's head in the wordnet, {way}", *_with_counts(child[way])) for way in WAYS]
    rows.append(("nearest neighbour by rules", *_with_counts(run.baseline)))
    rows.append(("paper", *prints.BASELINE, *[None] * 4))
    one, base = ratios_of(run.ways[ONE_PARENT]), ratios_of(run.baseline)
    gain = run.gains[ONE_PARENT]
    lower, upper = ends(gain.interval)
    interval = (
        ""
        if lower is None or upper is None
        else f" ({100 * inference.level:g} % CI {percent(lower)} to {percent(upper)})"
    )
    said = [
        f"On {run.pairs.n_sentences:,} Polish sentences, with at most one parent each, F1 is {percent(one[2])}; pair "
        f"by pair, as printed, {percent(ratios_of(run.ways[PAIRS])[2])} (paper: 71.8).",
        f"The gain over the nearest neighbour by rules (F1 {percent(base[2])}) is {percent(gain.difference)} points"
        f"{interval}, p {_p_in_words(gain)}; pair by pair {percent(run.gains[PAIRS].difference)} "
        "(paper: 13).",
    ]
    notes = (
        PER_PAIR,
        "What differs from the paper: statistics of a tenth of its million words, another treebank, other groups, and "
        "other rules.",
    )
    table = PaperTable(
        "",
        f"Table 1: {run.pairs.n_sentences:,} sentences of at most 14 words",
        tuple(said),
        ("", *RATIOS, *COUNTS),
        tuple(rows),
        notes,
        RATIOS,
        is_short=True,
        places=1,
        optional=COUNTS,
    )
    numbers = []
    for name, ours in {"all": run.ways[PAIRS], **({"wordnet": part[PAIRS]} if has_wordnet else {})}.items():
        confusion, about = prints.CONFUSION[name], prints.ABOUT[name]
        numbers += _confusion(about, ours, confusion) + _numbers("Table 1", about, ours, prints.ratios(confusion))
    numbers += _numbers("Section 3", "baseline", run.baseline, prints.BASELINE)
    numbers.append(_gain("gain over the baseline, pair by pair", run.gains[PAIRS]))
    numbers.append(_gain("gain over the baseline, one parent", gain))
    return PaperPart("table-1", "Table 1", tuple(numbers), (("", table),)), said


def _with_counts(scores: EdgeScores) -> tuple[Cell, ...]:
    return *ratios_of(scores), *scores.confusion.values()


def _p_in_words(of: EdgeDifference) -> str:
    found = shown_p(of)
    return "unknown" if found is None else found if found.startswith("<") else f"= {found}"


def _numbers(part: str, of: str, ours: EdgeScores, paper: tuple[float, float, float]) -> list[PaperNumber]:
    intervals = (ours.precision, ours.recall, ours.f1)
    return [
        PaperNumber(part, f"{name}, {of}", "share", value, *ends(interval), printed, same_data=False)
        for name, value, interval, printed in zip(RATIOS, ratios_of(ours), intervals, paper, strict=True)
    ]


def _confusion(of: str, ours: EdgeScores, paper: tuple[int, int, int, int]) -> list[PaperNumber]:
    return [
        PaperNumber("Table 1", f"pairs {name}, {of}", "count", value, None, None, printed, same_data=False)
        for name, value, printed in zip(COUNTS, ours.confusion.values(), paper, strict=True)
    ]


def _gain(of: str, gain: EdgeDifference) -> PaperNumber:
    return PaperNumber("Section 3", of, "share", gain.difference, *ends(gain.interval), prints.GAIN, same_data=False)


# ---- texts beside each other -----------------------------------------------------------------------------------------


def texts(
    name: str, language: str, runs: Mapping[str, ScoredRun], notes: tuple[str, ...], *, level: float
) -> tuple[PaperPart, list[str]]:
    """The same on several texts: scores, confusion matrices, gains over the baseline, recall at precision .89."""
    scores: list[tuple[Cell, ...]] = []
    gains: list[tuple[Cell, ...]] = []
    wordnet: list[tuple[Cell, ...]] = []
    no_intervals = InferenceOptions(n_resamples=0)
    for text, run in runs.items():
        scores += [(text, way, *_with_counts(run.ways[way])) for way in WAYS]
        scores.append((text, "baseline", *_with_counts(run.baseline)))
        for way in WAYS:
            gain = run.gains[way]
            at = run.recall_at_precision if way == PAIRS else None
            ours = ratios_of(run.ways[way])[2], *ends(run.ways[way].f1)
            gains.append((text, way, *ours, gain.difference, *ends(gain.interval), shown_p(gain), at))
        for which, kept in (("both", run.pairs.in_wordnet), ("child's", run.pairs.child_in_wordnet)):
            part = run.part(kept, no_intervals)
            if kept.any():
                wordnet += [(text, which, way, *_with_counts(part[way])) for way in WAYS]
    said = [
        f"{language}, {text} ({run.pairs.n_sentences:,}): F1 {percent(ratios_of(run.ways[ONE_PARENT])[2])}, "
        f"{percent(run.gains[ONE_PARENT].difference)} above the baseline."
        for text, run in runs.items()
    ]
    sizes = tuple(
        (text, run.pairs.n_sentences, run.kept.n_words, *_sizes(run), run.kept.n_counted_words)
        for text, run in runs.items()
    )
    of_gains = ("F1", *ENDS, "gain", "gain lower", "gain upper", "recall at .89")
    tables = [
        PaperTable(
            "",
            f"{language}: what is evaluated",
            (),
            ("text", "sentences", "words", "objects", "pairs", "edges", "clusters", "words counted"),
            sizes,
            (*notes, "Words counted: in the statistics, those of evaluated sentences among them; these are left out."),
        ),
        PaperTable("", f"{language}: edges", (), ("text", "by", *RATIOS, *COUNTS), tuple(scores), (PER_PAIR,), RATIOS),
        PaperTable(
            "",
            f"{language}: gains over the baseline",
            tuple(said),
            ("text", "by", "F1", *ENDS, "gain", "gain lower", "gain upper", "p", "recall at .89"),
            tuple(gains),
            (f"Intervals: {100 * level:g} %, over sentences or documents; p by the paired test that swaps them.",),
            of_gains,
        ),
    ]
    if wordnet:
        tables.append(
            PaperTable(
                "",
                f"{language}: words in the wordnet",
                (),
                ("text", "in it", "by", *RATIOS, *COUNTS),
                tuple(wordnet),
                ("Pairs of which both semantic heads, or at least the child's, have a synset.",),
                RATIOS,
            )
        )
    return PaperPart(name, f"{language}: texts", (), tuple(("", one) for one in tables)), said


def _sizes(run: ScoredRun) -> tuple[int, int, int, str]:
    sizes = int(run.pairs.n_objects.sum()), len(run.pairs), int(run.pairs.is_edge.sum())
    return *sizes, run.clusters.kind or "sentence"


# ---- rules -----------------------------------------------------------------------------------------------------------


def rules(kept: Mapping[str, KeptPairs]) -> PaperPart:
    """The rules, each by itself: how often what it accepts is an edge."""
    columns: list[str] = ["rule"]
    shares: list[str] = []
    for text in kept:
        columns += [f"{text}: pairs", f"{text}: right", f"{text}: nearest", f"{text}: nearest right"]
        shares += [f"{text}: right", f"{text}: nearest right"]
    rows: list[tuple[Cell, ...]] = []
    for number, rule in enumerate(next(iter(kept.values())).rules):
        cells: list[Cell] = [rule]
        for one in kept.values():
            cells += _right(one.rule_uses[number].tolist())
        rows.append(tuple(cells))
    sums = {text: _right(one.rule_uses.sum(axis=0).tolist()) for text, one in kept.items()}
    rows.append(("all, added up", *(cell for one in sums.values() for cell in one)))
    of_texts = " and ".join(f"{percent(float(one[3] or 0))} % in {text}" for text, one in sums.items())
    said = f"Of the nearest neighbours that a rule accepts, these are edges: {of_texts}."
    notes = ("Right: how many are edges. Nearest: for each child the nearest parent that the rule accepts.",)
    table = PaperTable("", "The rules", (said,), tuple(columns), tuple(rows), notes, tuple(shares), places=1)
    return PaperPart("rules", "The rules", (), (("", table),))


def _right(uses: list[int]) -> list[Cell]:
    """Pairs and how many of them are edges, nearest neighbours and how many of them are."""
    accepted, edges, nearest, nearest_edges = uses
    return [accepted, _ratio(edges, accepted), nearest, _ratio(nearest_edges, nearest)]


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# ---- one run after the other -----------------------------------------------------------------------------------------


def runs_beside(
    title: str,
    first_column: str,
    runs: Mapping[str, ScoredRun],
    said: tuple[str, ...],
    notes: tuple[str, ...],
    *,
    against: ScoredRun | None = None,
    inference: InferenceOptions,
    seconds: bool = False,
) -> PaperTable:
    """F1 of several runs, pair by pair and with one parent; with `against`, what each loses against that one."""
    columns = [first_column, "precision", "recall", "F1, pairs", "F1, one parent", *ENDS]
    columns += ["difference", "p"] if against is not None else []
    columns += ["CPU s"] if seconds else []
    rows: list[tuple[Cell, ...]] = []
    for about, run in runs.items():
        one = run.ways[ONE_PARENT]
        p, r, f = ratios_of(one)
        cells: list[Cell] = [about, p, r, ratios_of(run.ways[PAIRS])[2], f, *ends(one.f1)]
        if against is not None:
            difference = None if run is against else run.beyond(against, ONE_PARENT, inference)
            cells += [None, None] if difference is None else [difference.difference, shown_p(difference)]
        cells += [round(run.decisions.seconds, 1)] if seconds else []
        rows.append(tuple(cells))
    shares = ("precision", "recall", "F1, pairs", "F1, one parent", *ENDS, "difference")
    return PaperTable("", title, said, tuple(columns), tuple(rows), notes, shares)


def signal_tables(use: Mapping[str, Array], names: tuple[str, ...], groups: tuple[str, ...]) -> list[PaperTable]:
    """Signals at the tops of trees, and how much worse the forest is without their values."""
    tops, of_groups, of_signals = use["tops"], use["of_groups"], use["of_signals"]
    order = _by_tops(use)[:20].tolist()
    first = _rows([(names[i], tops[:, i], of_signals[i]) for i in order])
    group_of = {name: name.rpartition(".")[0] or name for name in names}
    by_group = {
        group: tops[:, [i for i, name in enumerate(names) if group_of[name] == group]].sum(axis=1) for group in groups
    }
    ranked = sorted(range(len(groups)), key=lambda i: (-float(of_groups[i]), i))
    second = _rows([(groups[i], by_group[groups[i]], of_groups[i]) for i in ranked])
    levels = ("top", "second level", "third level")
    best = groups[int(np.argmax([one[0] for one in by_group.values()]))]
    said = (
        f"Most often at the top of a tree: {best}. Most missed when shuffled over held-out pairs: "
        f"{', '.join(groups[i] for i in ranked[:3])}.",
    )
    note = "Loss: how much F1, pair by pair, falls on held-out sentences (a third) when the values are shuffled."
    return [
        PaperTable(
            "",
            "Features, with all their measures",
            said,
            ("feature", *levels, "loss"),
            second,
            (note,),
            (*levels, "loss"),
        ),
        PaperTable(
            "",
            "The 20 signals most often near the tops",
            (),
            ("signal", *levels, "loss"),
            first,
            (note,),
            (*levels, "loss"),
        ),
    ]


def _by_tops(use: Mapping[str, Array]) -> Array:
    """The signals' numbers, those first that are most often near the tops of trees."""
    return np.argsort(-use["tops"].mean(axis=0), kind="stable")


def signal_ranks(use: Mapping[str, Array], names: tuple[str, ...]) -> tuple[PaperNumber, ...]:
    """Which place the signals that the paper found first have near the tops of trees."""
    places = {names[number]: place for place, number in enumerate(_by_tops(use).tolist(), start=1)}
    return tuple(
        PaperNumber(
            "Section 3",
            f"rank near the tops of trees, {name}",
            "count",
            places[name],
            None,
            None,
            printed,
            same_data=False,
        )
        for printed, name in enumerate(prints.NEAR_TOPS, start=1)
    )


def _rows(found: list[tuple[str, Array, float]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((name, *map(float, shares), float(loss)) for name, shares, loss in found)
