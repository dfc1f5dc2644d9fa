"""Scores as tables for people and as data for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from karat.corpus import Annotated
from karat.corpus.readers.key import Keys
from karat.evaluation.plain_words import points
from karat.evaluation.results import MeasureScore, Scores, SystemScores
from karat.evaluation.treebanks import SystemOverTreebanks, TreebankScores
from karat.inference.intervals import Interval
from karat.measures import FIELDS
from karat.measures.hierarchical.scores import HIERARCHICAL_SCORES, SCORE_FIELDS
from karat.measures.words.confusion import Confusions, Example
from karat.report.tables import Cell, Table

__all__ = ["VALUES", "every_name", "gold_json", "gold_size", "interval_json", "interval_notes", "json_text"]
__all__ += ["measures_json", "per_sentence_table", "scores_json", "scores_records", "scores_tables", "shown_clusters"]
__all__ += ["shown_interval", "shown_level", "shown_method", "skipped_notes", "treebanks_json"]
__all__ += ["treebanks_records", "treebanks_tables"]

_SURROGATE = re.compile("[\ud800-\udfff]")  # what a file name that is not UTF-8 becomes in Python
SCHEMA = "karat/score/1"
VALUES = ("value", "precision", "recall", "f1", "aligned_accuracy", "gold", "system", "correct", "aligned")
_INTERVAL = ("lower", "upper", "method", "clusters", "resamples", "level", "note")
_SHOWN_BY = {"deprel": ("UAS", "LAS"), "full-deprel": ("FullLAS",), "lexicon": ("UPOS", "Lemmas", "LAS")}


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def every_name(scores: Iterable[Iterable[str]]) -> list[str]:
    """All names, each once, in order."""
    return list(dict.fromkeys(name for one in scores for name in one))


def scores_tables(scores: Scores, *, measures_named: bool = False) -> list[Table]:
    """The tables a person wants to read: all measures, then splits and confusions of each system.

    `measures_named` says that the measures were asked for by name: then splits show them all.
    """
    if scores.systems[0].brackets:
        from karat.report.bracket_scores import bracket_tables

        return bracket_tables(scores)
    if any(name in HIERARCHICAL_SCORES for system in scores.systems for name in system.measures):
        from karat.report.hierarchical_scores import hierarchical_tables

        return hierarchical_tables(scores)
    main = _one_system(scores) if len(scores.systems) == 1 else _several_systems(scores)
    tables = [main]
    for system in scores.systems:
        tables += [_split_table(system, split, measures_named) for split in system.by]
        for confusions in system.confusions.values():
            tables.append(_confusion_table(system, confusions))
        if system.tag_errors:
            tables.append(_tag_error_table(system))
    return tables


def gold_size(gold: Annotated) -> str:
    """How large a gold is, in words."""
    if isinstance(gold, Keys):
        return f"{gold.path}: {_counted(gold.n_sentences, 'instance')} of {_counted(gold.n_documents, 'word type')}"
    documents = f", {_counted(gold.n_documents, 'document')}" if gold.has_documents else ""
    return f"{gold.path}: {_counted(gold.n_sentences, 'sentence')}, {_counted(gold.n_words, 'word')}{documents}"


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _one_system(scores: Scores) -> Table:
    system = scores.systems[0]
    level = shown_level(scores.systems)
    columns = ["measure", "F1", *([f"{level} interval"] if level else []), "precision", "recall"]
    extras = list(dict.fromkeys(extra for one in system.measures.values() for extra in one.extras))
    if all(one.extras.get("if_hit") == one.f1 for one in system.measures.values() if one.extras):
        extras = [extra for extra in extras if extra != "if_hit"]
    has_aligned = any(one.aligned is not None for one in system.measures.values()) or not extras
    columns += [*(["aligned acc."] if has_aligned else []), *(_EXTRAS[extra][0] for extra in extras)]
    rows: list[list[Cell]] = []
    for name, one in system.measures.items():
        sure = [shown_interval(one.interval)] if level else []
        others = [one.precision, one.recall, *([one.aligned_accuracy] if has_aligned else [])]
        others += [one.extras.get(extra) for extra in extras]
        rows.append([name, _percent(one.f1), *sure, *map(_percent, others), one.correct, one.gold, one.system])
    meant = [f"{shown}: {meaning}." for shown, meaning in map(_EXTRAS.__getitem__, extras)]
    notes = ["All in %.", *meant, *interval_notes(scores), *_notes(scores.systems)]
    return Table([*columns, "correct", "gold", "system"], rows, f"{system.name} on {gold_size(scores.gold)}", notes)


_EXTRAS = {
    "weak_correctness": ("WC", "weak correctness, the best score of a word's tags"),
    "strong_correctness": ("SC", "strong correctness, the worst score of a word's tags on both sides"),
    "if_hit": ("if hit", "F1 if gold words that the system cuts otherwise counted as right, not as wrong"),
}


def shown_level(systems: Sequence[SystemScores]) -> str:
    """The level of the intervals, as in `95 %`; empty if there are none."""
    levels = [one.interval.level for system in systems for one in system.measures.values() if one.interval]
    open_ = [one for system in systems if system.brackets for one in system.brackets.bounded.values()]
    levels += [one.least_interval.level for one in open_ if one.least_interval]
    return f"{100 * levels[0]:.10g} %" if levels else ""


def shown_interval(interval: Interval | None, *, signed: bool = False, in_percent: bool = True) -> str | None:
    """An interval in percent as tables show it; None where there is none. `signed` is for differences."""
    if interval is None or interval.lower is None or interval.upper is None:
        return None
    factor = 100 if in_percent else 1
    if signed:
        return f"{points(factor * interval.lower)} … {points(factor * interval.upper)}"
    return f"{factor * interval.lower:.2f}–{factor * interval.upper:.2f}"


def interval_notes(scores: Scores) -> list[str]:
    """How the intervals were made, and why some measures have none."""
    every = [one for system in scores.systems for one in system.measures.values()]
    made = dict.fromkeys(
        shown_method(one.interval, scores.cluster) for one in every if one.interval and not one.interval.note
    )
    notes = [f"Intervals: {', '.join(made)}."] if made else []
    without: dict[str, list[str]] = {}
    for one in every:
        if one.interval and one.interval.note and one.name not in without.setdefault(one.interval.note, []):
            without[one.interval.note].append(one.name)
    return notes + [f"No interval for {', '.join(names)}: {note}." for note, names in without.items()]


def shown_method(interval: Interval, cluster: str) -> str:
    """How an interval was made, in words."""
    what = {
        "percentile": "percentile bootstrap",
        "bca": "BCa bootstrap",
        "t": "Student's t with the jackknife's standard error",
        "t-logit": "Student's t with the jackknife's standard error, on the logit scale",
        "t-log": "Student's t with the jackknife's standard error, on the log scale",
        "unit z": "normal, units taken for independent",
        "design effect z": "normal, with the design effect given",
    }[interval.method]
    times = f", {interval.n_resamples:,} resamples" if interval.n_resamples else ""
    over = f" over {shown_clusters(interval.n_clusters, cluster)}" if cluster else ""
    return f"{what}{over}{times}"


def shown_clusters(n: int, cluster: str) -> str:
    """So many clusters, in words."""
    if cluster == "type":
        return _counted(n, "word type")
    is_known = cluster in ("sentence", "document", "instance")
    return _counted(n, cluster) if is_known else f"{_counted(n, 'group')} of {cluster}"


def _several_systems(scores: Scores) -> Table:
    names = every_name(system.measures for system in scores.systems)
    level = shown_level(scores.systems)
    rows: list[list[Cell]] = []
    for name in names:
        row: list[Cell] = [name]
        for system in scores.systems:
            one = system.measures.get(name)
            row += [_percent(one.value) if one else None]
            row += [shown_interval(one.interval) if one else None] if level else []
        rows.append(row)
    columns = [column for system in scores.systems for column in (system.name, level) if column]
    notes = ["F1 in %.", *interval_notes(scores), *_notes(scores.systems)]
    return Table(["measure", *columns], rows, gold_size(scores.gold), notes)


def _notes(systems: Sequence[SystemScores]) -> list[str]:
    notes = []
    for system in systems:
        of = f"{system.name}: " if len(systems) > 1 else ""
        if system.missing:
            lacking = dict.fromkeys(
                f"{column.upper()} in the {side}" for both in system.missing.values() for side, column in both
            )
            notes.append(f"{of}not measured, for want of {', '.join(lacking)}: {', '.join(system.missing)}.")
        notes += [of + note for note in skipped_notes(system.skipped.gold, system.skipped.system)]
    return notes


def skipped_notes(n_gold: int, n_system: int) -> list[str]:
    """What was skipped, in words; nothing if nothing was."""
    if not (n_gold or n_system):
        return []
    left = f"{_counted(n_gold, 'bad gold sentence')} left the test"
    verb = "counts" if n_system == 1 else "count"
    return [f"skipped: {left}, {_counted(n_system, 'bad system sentence')} {verb} as wholly wrong."]


def _split_table(system: SystemScores, split: str, measures_named: bool) -> Table:
    groups = system.by[split]
    available = every_name(groups.values())
    preferred = _SHOWN_BY.get(split, ("UPOS", "LAS"))
    shown = available if measures_named else [name for name in preferred if name in available] or available[:1]
    title = f"{system.name} by {split}"
    if len(shown) == 1:
        columns = [split, f"{shown[0]} F1", "precision", "recall", "correct", "gold", "system"]
        rows: list[list[Cell]] = []
        for group, found in groups.items():
            one = found.get(shown[0])
            if one:
                rows.append(
                    [group, *map(_percent, (one.f1, one.precision, one.recall)), one.correct, one.gold, one.system]
                )
        return Table(columns, rows, title)
    rows = [
        [
            group,
            max(one.parts.gold if one.parts else 0 for one in found.values()),
            *(_percent(found[name].value) if name in found else None for name in shown),
        ]
        for group, found in groups.items()
    ]
    return Table([split, "gold", *shown], rows, title, ["F1 in %; `gold`: units in the gold."])


def _confusion_table(system: SystemScores, confusions: Confusions) -> Table:
    rows: list[list[Cell]] = [
        [one.gold, one.system, one.count, _marked(example) if (example := next(iter(one.examples), None)) else ""]
        for one in confusions.top
    ]
    return Table(
        ["gold", "system", "times", "for example"], rows, f"{system.name}: commonest confusions of {confusions.column}"
    )


def _tag_error_table(system: SystemScores) -> Table:
    has_weights = any(one.weight is not None for one in system.tag_errors)
    rows: list[list[Cell]] = []
    for one in system.tag_errors:
        example = _marked(one.examples[0]) if one.examples else ""
        weight: list[Cell] = [None if one.weight is None else f"{one.weight:g}"] if has_weights else []
        rows.append([one.pos, one.category, one.gold, one.system, one.count, *weight, example])
    columns = [
        "part of speech",
        "category",
        "gold",
        "system",
        "times",
        *(["weight"] if has_weights else []),
        "for example",
    ]
    return Table(columns, rows, f"{system.name}: what goes wrong in tags")


def _marked(example: Example, around: int = 5) -> str:
    """The words around an example's word, which stands in brackets."""
    place = example.token - 1
    first, stop = max(place - around, 0), place + around + 1
    words = [f"[{word}]" if number == place else word for number, word in enumerate(example.words)][first:stop]
    return ("… " if first else "") + " ".join(words) + (" …" if stop < len(example.words) else "")


def scores_records(scores: Scores) -> Table:
    """One row for each system and measure, and for each group where there are splits: plain numbers for programs."""
    has_splits = any(system.by for system in scores.systems)
    is_open = any(system.brackets and system.brackets.bounded for system in scores.systems)
    extras = _extras(system.measures for system in scores.systems)
    rows: list[list[Cell]] = []
    for system in scores.systems:
        for name, one in system.measures.items():
            rows.append([system.name, *(["", ""] if has_splits else []), name, *_values(one, extras)])
        if is_open:
            from karat.report.bracket_scores import bounded_records

            for name, cells in bounded_records(system).items():
                rows.append([system.name, *(["", ""] if has_splits else []), name, *cells])
        for split, groups in system.by.items():
            for group, found in groups.items():
                rows += [[system.name, split, group, name, *_values(one, extras)] for name, one in found.items()]
    columns = ["name", *(["split", "group"] if has_splits else []), "measure", *VALUES, *extras, *_INTERVAL]
    if is_open:
        columns += ["least", "most"]
        rows = [[*row, *[None] * (len(columns) - len(row))] for row in rows]
    return Table(columns, rows)


def _values(one: MeasureScore, extras: Sequence[str] = ()) -> list[Cell]:
    data = _measure_json(one)
    return [data.get(name) for name in (*VALUES, *extras, *_INTERVAL)]


def _extras(measures: Iterable[Mapping[str, MeasureScore]]) -> list[str]:
    """The further values that some of these measures have."""
    return list(dict.fromkeys(extra for one in measures for score in one.values() for extra in score.extras))


def scores_json(scores: Scores) -> dict[str, Any]:
    """The scores as plain data, in the schema karat/score/1."""
    return {
        "schema": SCHEMA,
        "signature": scores.signature,
        "gold": gold_json(scores.gold),
        "skipped": {
            "gold": max((system.skipped.gold for system in scores.systems), default=0),
            "systems": {system.name: system.skipped.system for system in scores.systems},
        },
        "systems": [_system_json(system) for system in scores.systems],
        **({"parse_base": scores.parse_base} if scores.parse_base is not None else {}),
    }


def gold_json(gold: Annotated) -> dict[str, Any]:
    """A gold as plain data."""
    return {
        "path": gold.path,
        "sha256": gold.source.sha256(),
        "sentences": gold.n_sentences,
        "words": gold.n_words,
        "tokens": gold.n_tokens,
        "documents": gold.n_documents if gold.has_documents else None,
    }


def _measure_json(one: MeasureScore) -> dict[str, Any]:
    parts = dict.fromkeys(VALUES[1:]) if one.parts is None else {name: getattr(one.parts, name) for name in VALUES[1:]}
    return {"value": one.value, **parts, **one.extras, **interval_json(one.interval)}


def interval_json(interval: Interval | None) -> dict[str, Any]:
    """An interval as plain data; all null where none was made, only the ends where there can be none."""
    if interval is None:
        return dict.fromkeys(_INTERVAL)
    return {
        "lower": interval.lower,
        "upper": interval.upper,
        "method": interval.method if not interval.note else None,
        "clusters": interval.n_clusters,
        "resamples": interval.n_resamples,
        "level": interval.level,
        "note": interval.note or None,
    }


def measures_json(measures: Mapping[str, MeasureScore]) -> dict[str, Any]:
    """Measures as plain data, by name."""
    return {name: _measure_json(one) for name, one in measures.items()}


def _system_json(system: SystemScores) -> dict[str, Any]:
    measures = measures_json(system.measures)
    more: dict[str, Any] = {}
    if system.brackets:
        from karat.report.bracket_scores import details_json, open_measures_json

        measures |= open_measures_json(system)
        more = details_json(system)
    found: dict[str, Any] = {
        "name": system.name,
        "path": system.path,
        "sha256": system.source.sha256() if system.source else None,
        "measures": measures,
        "skipped": {
            "gold": system.skipped.gold,
            "system": system.skipped.system,
            "problems": [str(problem) for problem in system.skipped.problems],
        },
        "not_measured": {name: sorted({column for _, column in lacking}) for name, lacking in system.missing.items()},
    }
    if system.instances:
        found["instances"] = {**asdict(system.instances), "missing": system.instances.missing}
    if system.by:
        found["by"] = {
            split: {group: measures_json(measures) for group, measures in groups.items()}
            for split, groups in system.by.items()
        }
    if system.tag_errors:
        found["tag_errors"] = [asdict(one) for one in system.tag_errors]
    if system.confusions:
        found["confusions"] = {column: _confusions_json(one) for column, one in system.confusions.items()}
    return {**found, **more}


def _confusions_json(confusions: Confusions) -> dict[str, Any]:
    return {
        "labels": list(confusions.labels),
        "matrix": confusions.matrix.tolist(),
        "top": [asdict(one) for one in confusions.top],
    }


def per_sentence_table(scores: Scores) -> Table:
    """One row for each system and gold sentence in the test: its name and the counts of every measure."""
    gold = scores.gold
    kept = np.flatnonzero(~gold.bad).tolist()
    documents = gold.document_names or (None,)
    columns = ["system", "sentence", "sent_id", "document"]
    if scores.systems[0].brackets:  # the counts that all their measures are made of say more
        names = every_name(one.brackets.values for one in scores.systems if one.brackets)
        columns += names
    else:
        names = every_name(system.measures for system in scores.systems)
        widths = {
            name: max(one.counts[name].shape[1] for one in scores.systems if name in one.counts) for name in names
        }
        columns += [f"{name}.{field}" for name in names for field in _fields(widths[name])]
    rows: list[list[Cell]] = []
    for system in scores.systems:
        if system.brackets:
            found = system.brackets.values
            table = np.column_stack([found.get(name, np.full(len(kept), -1.0)) for name in names])
        else:
            absent = {name: np.full((len(kept), width), -1.0) for name, width in widths.items()}
            table = np.hstack([system.counts.get(name, absent[name]) for name in names])
        for sentence, values in zip(kept, table.tolist(), strict=True):
            document = documents[int(gold.sentence_document[sentence])]
            named: list[Cell] = [system.name, sentence + 1, gold.sent_id(sentence), document]
            rows.append(
                named + [None if value < 0 else int(value) if value.is_integer() else value for value in values]
            )
    return Table(columns, rows)


def _fields(width: int) -> Sequence[str]:
    """The names of a measure's counts, by their number."""
    for fields in (FIELDS, SCORE_FIELDS):
        if width == len(fields):
            return [name.replace(" ", "_") for name in fields]
    from karat.measures.positional.several_tags import GRADED_FIELDS

    return [name.replace(" ", "_") for name in GRADED_FIELDS]


def treebanks_tables(scores: TreebankScores) -> list[Table]:
    """A table for each system: treebanks in rows, then micro and macro averages."""
    return [_treebank_table(system) for system in scores.systems]


def _treebank_table(system: SystemOverTreebanks) -> Table:
    names = every_name(one.measures for one in system.treebanks.values())
    rows: list[list[Cell]] = []
    for treebank, one in system.treebanks.items():
        values = (one.measures.get(name) for name in names)
        rows.append([treebank, *(_percent(value.value) if value else None for value in values)])
    rows.append(["micro", *(_percent(system.micro[name].value) if name in system.micro else None for name in names)])
    rows.append(["macro", *(_percent(system.macro.get(name)) for name in names)])
    notes = ["F1 in %; micro: from summed counts; macro: the mean of the treebanks."]
    if any(cell is None for row in rows for cell in row):
        notes.append("–: the gold or the system of a treebank lacks the column; averages are of what all have.")
    if system.absent:
        notes.append(f"No file, so wholly wrong: {', '.join(system.absent)}.")
    if system.unreadable:
        notes.append(f"Not readable, so wholly wrong: {', '.join(system.unreadable)}.")
    scored = [one.skipped for one in system.treebanks.values() if one.source]
    notes += skipped_notes(sum(one.gold for one in scored), sum(one.system for one in scored))
    return Table(["treebank", *names], rows, system.name, notes)


def treebanks_records(scores: TreebankScores) -> Table:
    """One row for each system, treebank and measure; the macro average has a value only."""
    rows: list[list[Cell]] = []
    for system in scores.systems:
        for treebank, one in system.treebanks.items():
            rows += [[system.name, treebank, name, *_values(found)] for name, found in one.measures.items()]
        rows += [[system.name, "micro", name, *_values(found)] for name, found in system.micro.items()]
        blank: list[Cell] = [None] * (len(VALUES) - 1 + len(_INTERVAL))
        rows += [[system.name, "macro", name, value, *blank] for name, value in system.macro.items()]
    return Table(["name", "treebank", "measure", *VALUES, *_INTERVAL], rows)


def treebanks_json(scores: TreebankScores) -> dict[str, Any]:
    """The scores over treebanks as plain data: `measures` are the micro averages, `macro` the means of the values."""
    return {
        "schema": SCHEMA,
        "signature": scores.signature,
        "gold": {
            "path": scores.gold_dir,
            "treebanks": {name: gold_json(one) for name, one in scores.treebanks.items()},
        },
        "skipped": {
            "gold": sum(int(one.bad.sum()) for one in scores.treebanks.values()),
            "systems": {
                system.name: sum(one.skipped.system for one in system.treebanks.values()) for system in scores.systems
            },
        },
        "systems": [
            {
                "name": system.name,
                "path": system.path,
                "measures": measures_json(system.micro),
                "macro": dict(system.macro),
                "absent": list(system.absent),
                "unreadable": list(system.unreadable),
                "treebanks": [{"treebank": name, **_system_json(one)} for name, one in system.treebanks.items()],
            }
            for system in scores.systems
        ],
    }


def json_text(data: Mapping[str, Any]) -> str:
    """JSON as it is printed: readable, without NaN."""
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
