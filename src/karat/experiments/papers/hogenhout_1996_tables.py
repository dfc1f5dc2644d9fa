"""The tables of Hogenhout & Matsumoto 1996, run again: A and B side by side, the paper's numbers beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat.corpus.constituency_trees import Trees
from karat.evaluation.compare import compare
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.results import SystemScores
from karat.evaluation.score import score
from karat.experiments.papers import hogenhout_1996_prints as prints
from karat.experiments.papers.hogenhout_1996_runs import ParserOutcome
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.inference.options import InferenceOptions
from karat.inference.real_test import real_test
from karat.measures.brackets.parse_base import parse_base
from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, PARSER_MEASURES, complete_items
from karat.result import Cell

LABELLED_F1 = "Labelled F1"
NO_INTERVALS = InferenceOptions(n_resamples=0)
_PREPARATION = "Prepared by steps 1–3 (punctuation, empty and doubled brackets) and without one-word brackets."


# ---- the paper's own numbers -----------------------------------------------------------------------------------------


def from_its_items() -> PaperPart:
    """Table 4 and section 6 computed from the paper's own Tables 1 and 2."""
    numbers = []
    for place, system in enumerate(prints.SYSTEMS):
        items = complete_items({name: both[place] for name, both in prints.ITEMS.items()})
        for measure in PARSER_MEASURES:
            same = measure.name not in prints.MISPRINTED  # the print does not follow from the paper's own items
            value, paper = measure.value(items), prints.MEASURES[measure.name][place]
            numbers.append(paper_number("Table 4", f"{measure.name}, {system}", "share", value, paper, same_data=same))
    yy, yn, ny, nn = (prints.PAIRED[name] for name in ("YY", "YN", "NY", "NN"))
    total = yy + yn + ny + nn
    found = real_test(yy, yn, ny, nn)
    m1 = (ny * total + prints.M2 * yy - (ny + nn) * (yy + ny)) / (prints.M2 - nn)
    section: list[tuple[str, float | None, float]] = [
        ("E(YY)", (yy + yn) * (yy + ny) / total, prints.EXPECTED_YY),
        ("E(NN)", (ny + nn) * (yn + nn) / total, prints.EXPECTED_NN),
        ("M1 at M2 = 4,027", m1, prints.M1),
        ("size of the real test", found.size, prints.REAL_TEST_SIZE),
    ]
    numbers += [paper_number("Section 6", of, "count", value, paper) for of, value, paper in section]
    numbers.append(paper_number("Section 6", "z (lowest)", "correlation", found.z_lower, prints.Z))
    return PaperPart("own-items", "Table 4 and section 6, from the paper's own items", tuple(numbers))


def paper_number(
    part: str, of: str, unit: str, value: float | None, paper: float, *, same_data: bool = True
) -> PaperNumber:
    """A number of ours beside the printed one."""
    return PaperNumber(part, of, unit, value, None, None, paper, same_data)  # type: ignore[arg-type]


# ---- A and B ---------------------------------------------------------------------------------------------------------


def scored(gold: Trees, systems: Mapping[str, Trees], inference: InferenceOptions, **asked: str) -> list[SystemScores]:
    """The scores of systems."""
    return list(score(gold, dict(systems), inference=inference, **asked).systems)  # type: ignore[arg-type]


def labelled_f1(gold: Trees, system: Trees) -> float:
    """The labelled F1 of trees, prepared as karat does."""
    (found,) = score(gold, {"system": system}, measures=LABELLED_F1, inference=NO_INTERVALS).systems
    return found[LABELLED_F1].value


@dataclass(frozen=True, slots=True, eq=False)
class AccuracyRow:
    """A parser on the test part of a split."""

    system: str
    seed: int
    has_predicted_tags: bool
    gold: Trees
    outcome: ParserOutcome


def accuracy(rows: Sequence[AccuracyRow]) -> tuple[PaperPart, list[str]]:
    """F1 by karat's preparation and by EVALB's, of each split and on average, with the gold's tags and a tagger's."""
    values: dict[tuple[str, bool], list[tuple[float, float, int]]] = {}
    shown: list[tuple[Cell, ...]] = []
    for row in rows:
        (found,) = scored(row.gold, {row.system: row.outcome.trees()}, NO_INTERVALS)
        assert found.brackets is not None
        assert found.brackets.beside_evalb is not None
        pair = found[LABELLED_F1].value, found.brackets.beside_evalb.value
        tags = "predicted" if row.has_predicted_tags else "gold"
        values.setdefault((row.system, row.has_predicted_tags), []).append((*pair, found.brackets.n_missing))
        cells = (row.system, tags, str(row.seed), *pair, found.brackets.n_missing, row.outcome.tag_accuracy)
        shown.append((*cells, row.outcome.parse_seconds))
    means = {key: tuple(float(one) for one in np.mean(of, axis=0)) for key, of in values.items()}
    for (system, predicted), (ours, evalb, missing) in means.items():
        shown.append((system, "predicted" if predicted else "gold", "mean", ours, evalb, round(missing, 1), None, None))
    said = [
        f"With gold tags, {listed(f'{name} has F1 {percent(means[name, False][1])} by EVALB' for name in ('A', 'B'))} "
        f"({listed(percent(means[name, False][0]) for name in ('A', 'B'))} by karat's preparation); with tags of "
        f"karat's perceptron {listed(percent(means[name, True][1]) for name in ('A', 'B'))}."
    ]
    columns = ("parser", "tags", "split", "F1", "EVALB's F1", "missing", "tagger right", "CPU s")
    table = PaperTable(
        "",
        f"Accuracy on unseen sentences, {len(values['A', False])} splits",
        tuple(said),
        columns,
        tuple(shown),
        ("F1: labelled, by karat's default preparation; EVALB's counts ROOT and one-word brackets.",),
        ("F1", "EVALB's F1", "tagger right"),
        optional=("CPU s",),
    )
    return PaperPart("accuracy", "Accuracy", (), (("", table),)), said


def folds(pairs: Sequence[PairResult], inference: InferenceOptions) -> tuple[PaperPart, str]:
    """B − A by all measures, over all documents."""
    rows: list[tuple[Cell, ...]] = []
    for one in pairs:
        if one.measured.unit != "%":
            continue
        interval = one.interval
        ends = (None, None) if interval is None else (interval.lower, interval.upper)
        rows.append((one.measure, one.value_a, one.value_b, one.difference, *ends, shown_p(one.p)))
    main = next(one for one in pairs if one.measure == LABELLED_F1)
    assert main.interval is not None
    lower, upper = main.interval.lower, main.interval.upper
    assert lower is not None
    assert upper is not None
    is_real = main.p < 1 - inference.level
    what = "B is better than A" if main.difference > 0 else "A is better than B"
    verdict = (
        f"{what if is_real else 'No clear winner between A and B'}: labelled F1 {percent(main.value_b)} to "
        f"{percent(main.value_a)}, difference {percent(main.difference)} "
        f"({100 * inference.level:g} % CI {percent(lower)} to {percent(upper)}), "
        f"p {'' if main.p < 0.0001 else '= '}{shown_p(main.p)}, over {main.n_clusters} documents."
    )
    columns = ("measure", "A", "B", "B − A", "lower", "upper", "p")
    shares = ("A", "B", "B − A", "lower", "upper")
    table = PaperTable("", "B − A over all documents, each tested once", (verdict,), columns, tuple(rows), (), shares)
    return PaperPart("folds", "All documents, in folds", (), (("", table),)), verdict


def paper_tables(
    gold: Trees, systems: Mapping[str, Trees], outcomes: Mapping[str, ParserOutcome], inference: InferenceOptions
) -> PaperPart:
    """Tables 1 to 4 with ours beside them, and what the paper's last section asks for."""
    found = scored(gold, systems, inference, measures="all")
    details = [one.brackets for one in found if one.brackets is not None]
    items: list[tuple[Cell, ...]] = []
    for name in COUNTED_ITEMS:
        paper = _printed_item(name)
        items.append((name, *(int(one.items[name]) for one in details), *paper))
    table_1 = PaperTable("Table 1", "Items", (), ("item", "A", "B", "paper's A", "paper's B"), tuple(items), (
        _PREPARATION, "The paper's are of 600 Japanese sentences.",
    ))  # fmt: skip
    measures: list[tuple[Cell, ...]] = []
    for name, of in found[0].measures.items():
        if of.measure.unit != "%":
            continue
        row: list[Cell] = [name]
        for one in found:
            interval = one[name].interval
            row += [one[name].value, *((None, None) if interval is None else (interval.lower, interval.upper))]
        measures.append((*row, *prints.MEASURES.get(name, (None, None))))
    columns = ("measure", "A", "A lower", "A upper", "B", "B lower", "B upper", "paper's A", "paper's B")
    table_4 = PaperTable(
        "Table 4", "Measures", (), columns, tuple(measures), (_PREPARATION,), columns[1:],
        optional=("A lower", "A upper", "B lower", "B upper"),
    )  # fmt: skip
    pair = _recall_pair(gold, systems, inference)
    results = [("Table 1", table_1), ("Table 2", _paired_table(pair)), ("Table 4", table_4)]
    results.append(("", _last_section(gold, found, outcomes)))
    numbers = [*_counted_items(found), *_paired_counts(pair)]
    return PaperPart("tables", "Tables 1 to 4, with A and B of our own", tuple(numbers), tuple(results))


def _counted_items(found: Sequence[SystemScores]) -> Iterator[PaperNumber]:
    """Table 1's items that need no check by people; exact matches are taken as accepted."""
    for place, one in enumerate(found):
        assert one.brackets is not None
        for name in COUNTED_ITEMS:
            if name not in ("CE", "SP"):
                printed, value = _printed_item(name)[place], one.brackets.items[name]
                of = f"{'EMA' if name == 'EM' else name}, {one.name}"
                yield paper_number("Table 1", of, "count", value, printed, same_data=False)


def _paired_counts(pair: PairResult) -> Iterator[PaperNumber]:
    """Table 2's counts."""
    assert pair.counts is not None
    for name, printed in prints.PAIRED.items():
        yield paper_number("Table 2", name, "count", getattr(pair.counts, name.lower()), printed, same_data=False)


def _printed_item(name: str) -> tuple[int, int]:
    of = prints.ITEMS
    parts = {"EM": ("EMA", "EMR"), "CE": ("CEA", "CER"), "SP": ("SPA", "SPR")}.get(name, (name,))
    return sum(of[one][0] for one in parts), sum(of[one][1] for one in parts)


def _recall_pair(gold: Trees, systems: Mapping[str, Trees], inference: InferenceOptions) -> PairResult:
    """A and B by recall."""
    (pair,) = compare(gold, dict(systems), measures="Recall-hard", inference=inference).pairs
    return pair


def _paired_table(pair: PairResult) -> PaperTable:
    """Table 2 and section 6: brackets that both, one or none found, and the real test."""
    assert pair.counts is not None
    assert pair.real_test is not None
    counts, real = pair.counts, pair.real_test
    values = (counts.yy, counts.yn, counts.ny, counts.nn)
    total = sum(values)
    rows: list[tuple[Cell, ...]] = [
        (name, value, prints.PAIRED[name]) for name, value in zip(("YY", "YN", "NY", "NN"), values, strict=True)
    ]
    recalls = (counts.yy + counts.yn) / total, (counts.yy + counts.ny) / total
    for name, printed, share in (
        ("YY", prints.EXPECTED_YY, recalls[0] * recalls[1]),
        ("NN", prints.EXPECTED_NN, (1 - recalls[0]) * (1 - recalls[1])),
    ):
        rows.append((f"E({name})", round(total * share, 1), printed))
        rows.append((f"√V({name})", round(math.sqrt(total * share * (1 - share)), 1), None))
    rows += [
        ("real test: smallest size", round(real.size, 1), prints.REAL_TEST_SIZE),
        ("M1 (always right)", round(real.always_right, 1), None),
        ("M2 (never right)", round(real.never_right, 1), None),
        ("z, lowest", None if real.z_lower is None else round(real.z_lower, 3), prints.Z),
        ("z, highest", None if real.z_upper is None else round(real.z_upper, 3), None),
        ("p over documents", shown_p(pair.p), None),
    ]
    note = "z takes brackets for independent and overstates significance; p does not: it permutes documents."
    return PaperTable(
        "Table 2", "Recall: brackets that both, one or none has", (), ("", "ours", "paper"), tuple(rows), (note,)
    )


def _last_section(gold: Trees, found: Sequence[SystemScores], outcomes: Mapping[str, ParserOutcome]) -> PaperTable:
    """Sentences by crossings, crossings per independent error, Parse Base, and cost (§2, §7)."""
    details = {one.name: one.brackets for one in found if one.brackets is not None}
    rows: list[tuple[Cell, ...]] = [
        (f"sentences with {n} crossing{'' if n == '1' else 's'}", *(one.crossings[n] for one in details.values()))
        for n in ("0", "1", "2", "more")
    ]
    rows.append(("crossings per sentence", *(round(one["Average Crossing"].value, 3) for one in found)))
    rows.append(
        ("crossings per chain of errors", *(round(_ratio(one.items, "CE", "PNINH"), 3) for one in details.values()))
    )
    bases = []
    for name in details:
        numbers = np.array([-math.inf if one is None else one for one in outcomes[name].log_n_parses])
        base = parse_base(gold, numbers)
        bases.append(None if base is None else round(base, 2))
    rows.append(("Parse Base", *bases))
    rows.append(("missing parses", *(one.n_missing for one in details.values())))
    rows.append(("training, CPU s", *(round(outcomes[name].train_seconds, 2) for name in details)))
    notes = ("A chain: crossing brackets each directly below another. Correcting the first may correct all (§2).",)
    return PaperTable("", "Section 7: crossings, Parse Base, cost", (), ("", *details), tuple(rows), notes)


def _ratio(items: Mapping[str, float], above: str, below: str) -> float:
    return items[above] / items[below] if items[below] else math.nan


# ---- how values are shown --------------------------------------------------------------------------------------------


def shown_p(p: float) -> str:
    """A p-value as tables have it."""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def percent(share: float) -> str:
    """A share in percent, with two decimals."""
    return f"{100 * share:.2f}".replace("-", "−")


def listed(texts: Iterable[str]) -> str:
    """A's and B's, in a sentence."""
    return " and ".join(texts)
