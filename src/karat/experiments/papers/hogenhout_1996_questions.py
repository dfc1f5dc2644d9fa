"""What Hogenhout & Matsumoto 1996 ask for beside their tables (§2, §3), with our parsers.

Structures by themselves, orders chosen on the test, and brackets left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Flags
from karat.corpus.constituency_trees import Trees
from karat.evaluation.compare import compare
from karat.evaluation.score import score
from karat.experiments.papers.hogenhout_1996_runs import ParserOutcome
from karat.experiments.papers.hogenhout_1996_tables import LABELLED_F1, NO_INTERVALS, listed, percent, shown_p
from karat.experiments.papers.reproduction import PaperPart, PaperTable
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.result import Cell

_SENTENCE = "Sentence Accuracy"


# ---- structures ------------------------------------------------------------------------------------------------------


def structures(gold: Trees, systems: Mapping[str, Trees], inference: InferenceOptions) -> PaperPart:
    """Noun phrases, prepositional phrases and coordination by themselves, and which labels each parser is better at."""
    rows: list[tuple[Cell, ...]] = []
    for name, pattern in (
        ("noun phrases", "NP"),
        ("prepositional phrases", "PP"),
        ("verb phrases", "VP"),
        ("clauses", "S*"),
    ):
        (pair,) = compare(
            gold, dict(systems), measures=LABELLED_F1, inference=inference, brackets=BracketOptions(label=pattern)
        ).pairs
        ends = (None, None) if pair.interval is None else (pair.interval.lower, pair.interval.upper)
        rows.append((name, pair.value_a, pair.value_b, pair.difference, *ends, shown_p(pair.p)))
    columns = ("structure", "A", "B", "B − A", "lower", "upper", "p")
    table = PaperTable("", "Structures by themselves: labelled F1", (), columns, tuple(rows), (), columns[1:6])
    recall = _coordination(gold, systems)
    labels = _labels(gold, systems)
    results = (("", table), ("", recall), ("", labels))
    return PaperPart("structures", "Section 3: specific structures", (), results)


def _compared(gold: Trees, systems: Mapping[str, Trees]) -> dict[str, TreeComparison]:
    punctuation = punctuation_named("penn")
    return {
        name: TreeComparison(paired_trees(gold, one, punctuation), BracketOptions()) for name, one in systems.items()
    }


def _coordination(gold: Trees, systems: Mapping[str, Trees]) -> PaperTable:
    """How many gold brackets that hold a conjunction directly are found."""
    rows: list[tuple[Cell, ...]] = []
    found: dict[str, tuple[Flags, Flags]] = {}
    for name, one in _compared(gold, systems).items():
        side = one.unlabelled.gold
        found[name] = _holds_conjunction(gold).take(side.nodes), one.unlabelled.found
    for what, is_wanted in (("with a conjunction", True), ("without", False)):
        kept = {name: flags if is_wanted else ~flags for name, (flags, _) in found.items()}
        n = int(next(iter(kept.values())).sum())
        rows.append((what, n, *(float(right[kept[name]].mean()) for name, (_, right) in found.items())))
    note = "Brackets directly above a word tagged CC; unlabelled."
    return PaperTable(
        "", "Coordination: recall", (), ("gold brackets", "n", *systems), tuple(rows), (note,), tuple(systems)
    )


def _holds_conjunction(trees: Trees) -> Flags:
    """The nodes with a word tagged CC right below them."""
    tags = trees.tags.strings()
    above = np.full(trees.n_words, -1, dtype=np.intp)
    for node, (start, stop) in enumerate(zip(trees.start.tolist(), trees.stop.tolist(), strict=True)):
        above[start:stop] = node  # nodes open in order: the last one is the lowest
    flags = np.zeros(trees.n_nodes, dtype=np.bool_)
    conjunctions = np.array([tag == "CC" for tag in tags], dtype=np.bool_) & (above >= 0)
    flags[above[conjunctions]] = True
    return flags


def _labels(gold: Trees, systems: Mapping[str, Trees]) -> PaperTable:
    """What A has and B has not, label by label, and the other way round."""
    a, b = (one.labelled for one in _compared(gold, systems).values())
    rows: list[tuple[Cell, ...]] = []
    for number, name in enumerate(a.gold.names):
        of_label = a.gold.labels == number
        yn, ny = (int((of_label & one.found & ~other.found).sum()) for one, other in ((a, b), (b, a)))
        n = int(of_label.sum())
        if n >= 50:
            rows.append((name, n, yn, ny, ny - yn))
    rows.sort(key=lambda row: -int(row[4] or 0))
    both = sum(int(row[2] or 0) for row in rows), sum(int(row[3] or 0) for row in rows)
    note = f"A alone has {both[0]:,}, B alone {both[1]:,} of the gold's labelled brackets: they complement each other."
    columns = ("label", "gold", "A alone", "B alone", "B − A")
    return PaperTable("", "Labels that each parser is better at", (), columns, tuple(rows), (note,))


# ---- choosing orders -------------------------------------------------------------------------------------------------


def orders(found: Mapping[tuple[tuple[int, int], int], tuple[float, float]]) -> tuple[PaperPart, list[str]]:
    """What orders reach on dev and test, and what it seems to gain to choose the best of them on the test itself."""
    every = list(dict.fromkeys(order for order, _ in found))
    seeds = list(dict.fromkeys(seed for _, seed in found))
    rows: list[tuple[Cell, ...]] = []
    for vertical, horizontal in every:
        values = np.array([found[(vertical, horizontal), seed] for seed in seeds])
        rows.append((vertical, horizontal, float(values[:, 0].mean()), float(values[:, 1].mean())))
    gains = []
    for seed in seeds:
        by_dev = max(every, key=lambda order: found[order, seed][0])
        gains.append(max(found[order, seed][1] for order in every) - found[by_dev, seed][1])
    best = max(rows, key=lambda row: float(row[2] or 0.0))
    optimism = float(np.mean(gains))
    said = [
        f"Of {len(every)} orders, vertical {best[0]} and horizontal {best[1]} are best on dev sentences (test F1 "
        f"{percent(float(best[3] or 0.0))}); the best of them chosen on the test itself is {percent(optimism)} points "
        "better than the one chosen on dev, a gain that is not real."
    ]
    columns = ("vertical", "horizontal", "dev", "test")
    title = f"Orders: labelled F1, mean of {len(seeds)} splits"
    table = PaperTable(
        "", title, tuple(said), columns, tuple(rows), ("Trained without the dev part.",), ("dev", "test")
    )
    gain_rows: tuple[tuple[Cell, ...], ...] = tuple((str(seed), gain) for seed, gain in zip(seeds, gains, strict=True))
    beside = PaperTable(
        "", "Section 2: chosen on the test", (), ("split", "gain"), (*gain_rows, ("mean", optimism)), (), ("gain",)
    )
    return PaperPart("orders", "Orders, and the best of several", (), (("", table), ("", beside))), said


# ---- partial bracketing ----------------------------------------------------------------------------------------------


def curve(
    gold: Trees, outcomes: Mapping[str, ParserOutcome], thresholds: Sequence[float]
) -> tuple[PaperPart, list[str]]:
    """Precision, recall and sentences without crossing, against the generation rate, as doubtful brackets go."""
    rows: list[tuple[Cell, ...]] = []
    names = ("Generation Rate", "Precision-hard", "Recall-hard", _SENTENCE)
    ends: dict[str, list[float]] = {}
    for name, outcome in outcomes.items():
        for threshold in thresholds:
            (one,) = score(
                gold, {name: outcome.trees(threshold)}, measures=",".join(names), inference=NO_INTERVALS
            ).systems
            values = [one[measure].value for measure in names]
            ends.setdefault(name, []).append(values[3])
            rows.append((name, threshold, *values))
    said = [
        "Sentence Accuracy (no crossing) rises when brackets are left out, as §2 says: "
        + listed(f"{name} from {percent(of[0])} to {percent(of[-1])} %" for name, of in ends.items())
        + f", leaving out what is less likely than {thresholds[-1]:g}."
    ]
    table = PaperTable(
        "", "Section 2: partial bracketing", tuple(said), ("parser", "threshold", *names), tuple(rows), (), names
    )
    return PaperPart("partial", "Section 2: partial bracketing", (), (("", table),)), said
