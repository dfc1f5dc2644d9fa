"""Every verb in every format on every kind of input: it succeeds, and what is printed is what was computed.

The JSON is held to its schema; the numbers of all other formats are held to the JSON, by rules written down here and
not by karat's own reports: which measures are in percent, which column shows which field.
"""

from __future__ import annotations

import contextlib
import copy
import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

import karat
from bibtex import entries_of
from cli_runs import Run, fits_its_schema
from every_command import COMMANDS, Command, write_inputs, write_judgements
from karat.citations.bibliography import bibliography
from karat.cli import main
from karat.corpus import read_source
from karat.errors import KaratError
from karat.report.page.html import page_html
from karat.report.page.page import report_page
from karat.report.schema_check import fault_of
from page_checks import check_parses
from printed_groups import check_groups, check_side_by_side
from printed_tables import Printed, factor, is_p, numbers, printed_tables, shows, with_first
from signature_page import OF_ALL, RARER, documented, options_of_system, printed_keys

# ---- the calls -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Calls:
    """The folder of inputs, and the runs that were made in it, each once."""

    folder: Path
    runs: dict[tuple[str, str], Run] = field(default_factory=dict)
    computed: dict[str, Any] = field(default_factory=dict)

    def run(self, capsys: pytest.CaptureFixture[str], command: Command, format_: str) -> Run:
        if (command.written, format_) not in self.runs:
            arguments = [part.replace("{}", format_) for part in command.arguments]
            asked = [] if command.only_text else ["--format", format_]
            self.runs[command.written, format_] = Run(capsys, *arguments, *asked)
        return self.runs[command.written, format_]

    def json(self, capsys: pytest.CaptureFixture[str], command: Command) -> Any:
        """What was computed, held to its schema."""
        if command.written not in self.computed:
            self.computed[command.written] = self.run(capsys, command, "json").json
        return self.computed[command.written]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    folder = tmp_path_factory.mktemp("every")
    write_inputs(folder)

    def karat(*arguments: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            assert main(arguments) == 0, arguments
        return out.getvalue()

    before = Path.cwd()
    os.chdir(folder)
    try:
        write_judgements(karat, folder)
    finally:
        os.chdir(before)
    return Calls(folder)


TABLES = ("text", "markdown", "latex")
CASES = [
    pytest.param(command, format_, id=f"{command.written} {format_}")
    for command in COMMANDS
    for format_ in command.formats()
]


def test_no_call_is_in_the_table_twice() -> None:
    assert len({command.written for command in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize(("command", "format_"), CASES)
def test_every_verb_prints_in_every_format_what_it_computed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls, command: Command, format_: str
) -> None:
    monkeypatch.chdir(calls.folder)
    monkeypatch.setenv("COLUMNS", "1000")  # tables in one piece
    run = calls.run(capsys, command, format_)
    assert run.code == command.code, run.err
    assert "Traceback" not in run.err
    if command.only_text:
        assert run.out
        return
    data = calls.json(capsys, command)
    assert run.out or (format_ in ("conllu", "github") and not data["items"])  # what is not suspicious is not marked
    if format_ in ("csv", "tsv"):
        check_records(run.out, "," if format_ == "csv" else "\t", data)
    elif format_ in TABLES:
        CHECKS[data["schema"].split("/")[1]](data, printed_tables(run.out, format_))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.written)
def test_text_fits_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls, command: Command
) -> None:
    """The signature alone may be longer, and what is one word, as a path."""
    monkeypatch.chdir(calls.folder)
    monkeypatch.setenv("COLUMNS", "80")
    run = Run(capsys, *(part.replace("{}", "text") for part in command.arguments))
    wide = [line for line in run.out.splitlines() if len(line) > 80 and not line.startswith("karat:")]
    assert [line for line in wide if max(map(len, line.split())) < 60] == []


# ---- pages -----------------------------------------------------------------------------------------------------------

WITH_JSON = [command for command in COMMANDS if not command.only_text]


@pytest.mark.parametrize("command", WITH_JSON, ids=lambda command: command.written)
def test_every_result_makes_a_page_that_a_strict_parser_accepts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls, command: Command
) -> None:
    monkeypatch.chdir(calls.folder)
    data = calls.json(capsys, command)
    assert fault_of(data) == ""
    check_parses(page_html(report_page([data])))


@pytest.mark.parametrize("command", WITH_JSON, ids=lambda command: command.written)
def test_a_result_that_was_changed_has_a_fault_or_makes_a_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls, command: Command
) -> None:
    """Whatever is taken from it or put into it: nothing fails in another way, and what fits its schema has no fault."""
    monkeypatch.chdir(calls.folder)
    random = Random(command.written)
    data = {**calls.json(capsys, command), "signature": "karat:0"}  # no files: they are read again above
    for _ in range(3):
        changed = changed_somewhere(data, random)
        fault = fault_of(changed)
        assert not fault or not fits_its_schema(changed)
        if not fault:
            with contextlib.suppress(KaratError):
                report_page([changed])


def changed_somewhere(data: Any, random: Random) -> Any:
    """A copy of JSON of which one field is gone or is something else."""
    changed = copy.deepcopy(data)
    box, key = random.choice([(one, key) for one in containers(changed) for key in keys_of(one) if key != "schema"])
    if random.random() < 0.3:
        del box[key]
    else:
        box[key] = random.choice([None, "<x>", "", 3, -5.5, 1e17, [1, "a", None], [], {"a": 1}, {}, True])
    return changed


def containers(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list):
        yield data
    for one in data.values() if isinstance(data, dict) else data[:3] if isinstance(data, list) else ():
        yield from containers(one)


def keys_of(data: Any) -> list[Any]:
    return list(data) if isinstance(data, dict) else list(range(min(len(data), 3)))


# ---- what to cite ----------------------------------------------------------------------------------------------------


def test_every_result_is_cited_as_valid_bibtex_and_every_entry_by_some_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls
) -> None:
    monkeypatch.chdir(calls.folder)
    reached: set[str] = set()
    for command in WITH_JSON:
        entries = entries_of(karat.cite(calls.json(capsys, command)).bibtex)
        assert next(iter(entries)) == "karat", command.written
        assert all(len(entry.comments) == 1 for entry in entries.values()), command.written
        reached |= set(entries)
    assert reached - {"karat"} == set(bibliography())


def verb(command: Command) -> str:
    words = command.arguments
    return " ".join(words[:2] if words[0] in ("attach", "noise", "tagset", "weights") else words[:1])


ONE_OF_A_KIND = {verb(command): command for command in reversed(WITH_JSON)}


@pytest.mark.parametrize("command", ONE_OF_A_KIND.values(), ids=lambda command: command.written)
def test_every_verb_prints_with_cite_what_its_json_leads_to(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls, command: Command
) -> None:
    monkeypatch.chdir(calls.folder)
    if command.arguments[0] == "report":
        names = [one for one in command.arguments[1:] if one.endswith(".json")]
        arguments, cited = ["report", *names], karat.cite(*(json.loads(Path(one).read_text()) for one in names))
    else:
        arguments, cited = command.arguments, karat.cite(calls.json(capsys, command))
    run = Run(capsys, *(part.replace("{}", "cite") for part in arguments), "--cite")
    assert run.code == (0 if command.arguments[0] == "report" else command.code), run.err
    assert run.out == cited.bibtex


# ---- signatures ------------------------------------------------------------------------------------------------------


def test_signatures_have_the_keys_that_their_page_has_and_no_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, calls: Calls
) -> None:
    monkeypatch.chdir(calls.folder)
    results = [calls.json(capsys, command) for command in WITH_JSON]
    for written in RARER:
        results.append(calls.json(capsys, Command(written)))
        assert results[-1]["signature"]
    printed = printed_keys(one["signature"] for one in results if one.get("signature"))
    page = documented()
    for verb, keys in printed.items():
        assert keys >= OF_ALL
        assert keys - OF_ALL - page[verb] - options_of_system(verb) == set(), f"{verb}: missing in the page"
        assert page[verb] - keys == set(), f"{verb}: in the page only"
    assert set(page) == set(printed)


# ---- records ---------------------------------------------------------------------------------------------------------


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """All objects in JSON, the outer ones too."""
    if isinstance(data, dict):
        yield data
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from objects(one)


def same(cell: str, value: object) -> bool:
    if value is None:
        return cell == ""
    return cell == value if isinstance(value, str) else is_number(cell) and float(cell) == value


def check_records(out: str, delimiter: str, data: Any) -> None:
    """Rows are as long as the head, their decimals are in the JSON, and several together are so in one object of it."""
    lines = (
        csv.reader(io.StringIO(out, newline="")) if delimiter == "," else (one.split("\t") for one in out.splitlines())
    )
    head, *rows = lines
    assert {len(row) for row in rows} <= {len(head)}
    kept = [place for place, name in enumerate(head) if not is_another_each_time(name)]
    head, rows = [head[place] for place in kept], [[row[place] for place in kept] for row in rows]
    every = list(objects(data))
    known = {value for one in every for value in one.values() if isinstance(value, float)}
    for row in rows:
        decimals = [float(cell) for cell in row if "." in cell and is_number(cell)]
        assert set(decimals) <= known, row
        record = dict(zip(head, row, strict=True))
        if data["schema"].startswith("karat/score/") and "measure" in record:
            assert is_of(record, scored(data, record)), row
        elif len(decimals) >= 3:
            assert any(is_of(record, one) for one in every if len(set(one) & set(record)) >= 3), row


def is_another_each_time(name: str) -> bool:
    """Whether a value is that of one run: what it cost, and the file that it wrote."""
    return name.endswith("_seconds") or name in ("peak_bytes", "written")


def is_of(record: Mapping[str, str], one: Mapping[str, Any]) -> bool:
    """Whether what a record and an object both have is the same, but for lists and truth values."""
    return all(
        same(record[name], value)
        for name, value in one.items()
        if name in record and not isinstance(value, (bool, list, dict))
    )


def scored(data: Any, record: Mapping[str, str]) -> dict[str, Any]:
    """What the JSON has of a measure, a system and perhaps a treebank, or a group of a split."""
    (system,) = [one for one in data["systems"] if one["name"] == record["name"]]
    measure, treebank = record["measure"], record.get("treebank", "micro")
    if treebank == "macro":
        return {"value": system["macro"][measure]}
    if treebank != "micro":
        (system,) = [one for one in system["treebanks"] if one["treebank"] == treebank]
    measures = system["by"][record["split"]][record["group"]] if record.get("split") else system["measures"]
    return dict(measures[measure] or {})


def is_number(cell: str) -> bool:
    with contextlib.suppress(ValueError):
        return float(cell) is not None
    return False


# ---- score -----------------------------------------------------------------------------------------------------------

SHARES = {"precision": "precision", "recall": "recall", "aligned acc.": "aligned_accuracy", "by type": "by_type_mean"}
SHARES |= {"WC": "weak_correctness", "SC": "strong_correctness"}
WITHOUT_SHARES = {"hP", "hR", "hF"}  # which are precision, recall and F themselves
EVALB = {
    "Bracketing Recall": "recall",
    "Bracketing Precision": "precision",
    "Bracketing FMeasure": "f_measure",
    "Complete match": "complete_match",
    "Average crossing": "average_crossing",
    "No crossing": "no_crossing",
    "2 or less crossing": "two_or_less_crossing",
    "Tagging accuracy": "tagging_accuracy",
}


def check_score(data: Any, tables: list[Printed]) -> None:
    systems = data["systems"]
    if "evalb" in systems[0]:
        check_evalb(systems, tables)
    elif "treebanks" in systems[0]:
        check_treebanks(systems, tables)
    elif "strong_correctness" in next(iter(systems[0]["measures"].values())):
        check_rich_tags(systems, tables)
        for system in systems:
            check_splits(system, systems, tables)
    else:
        for system in systems:
            for table in with_first(tables, "measure"):
                check_measures_in_rows(table, system, is_alone=len(systems) == 1)
            for table in with_first(tables, "system"):
                if table.columns[1] in system["measures"]:
                    check_measures_in_columns(table, system)
            check_splits(system, systems, tables)
        if len(systems) > 1:
            check_side_by_side(systems, tables)
        for system in systems:
            check_confusions(system, systems, tables)
        assert with_first(tables, "measure") or with_first(tables, "system")
        check_set_aside(systems, tables)
        check_whole_check(systems, tables)


def check_measures_in_rows(table: Printed, system: Any, *, is_alone: bool) -> None:
    at = 1 if is_alone else table.columns.index(system["name"])
    for row in table.rows:
        one = system["measures"][row[0]]
        if one is not None:
            check_measure(table, at, row[0], one, is_alone=is_alone)
            if is_alone and "up_to_cutoff" in system:
                short = system["up_to_cutoff"]["measures"][row[0]]
                (cell,) = [cell for title, cell in zip(table.columns, row, strict=True) if title.startswith("≤")]
                assert shows(cell, short and short["value"], factor=factor(row[0])), row


def check_whole_check(systems: Any, tables: list[Printed]) -> None:
    """Where a sample was judged, a table has the intervals of what all verdicts would give."""
    judged = [
        {name: one for name, one in system["measures"].items() if one and "whole_check_lower" in one}
        for system in systems
    ]
    found = with_first(tables, "judged measure")
    assert len(found) == any(judged)
    for table in found:
        assert {row[0] for row in table.rows} == {name for of in judged for name in of}
        for number, of in enumerate(judged):
            at = 2 if len(systems) == 1 else 1 + number
            for row in table.rows:
                one = of.get(row[0], {})
                ends = one.get("whole_check_lower"), one.get("whole_check_upper")
                if len(systems) > 1:
                    assert shows(row[at], one.get("value"), *ends, factor=100), row
                else:
                    assert shows(row[1], one["value"], factor=100), row
                    assert shows(row[at], *ends, factor=100), row


def check_measures_in_columns(table: Printed, system: Any) -> None:
    for name, cell in list(table.named(system["name"]).items()):
        if system["measures"].get(name) is not None:
            assert shows(cell, system["measures"][name]["value"], factor=factor(name)), (name, cell)


RICH_TAGS = ("strong_correctness", "weak_correctness", "precision", "recall", "f1")


def check_rich_tags(systems: Any, tables: list[Printed]) -> None:
    """As the paper has them: a table for each measure, or of one system a row."""
    names = ["SC", "WC", "P", "R", "F"]
    of_one = with_first(tables, "measure", *names)
    of_several = with_first(tables, "system", *names)
    assert (len(of_one), len(of_several)) == ((1, 0) if len(systems) == 1 else (0, len(systems[0]["measures"])))
    for system in systems:
        for number, (measure, one) in enumerate(system["measures"].items()):
            cells = of_one[0].named(measure) if of_one else of_several[number].named(system["name"])
            for column, part in zip(names, RICH_TAGS, strict=True):
                assert shows(cells[column].replace("textbf", ""), one[part], factor=100), (measure, column)
            if one["lower"] is not None:
                level = f"{100 * one['level']:g} % CI of F"
                assert shows(cells[level], one["lower"], one["upper"], factor=100), (measure, level)
            if "if hit" in cells:
                assert shows(cells["if hit"], one["if_hit"], factor=100)


def check_measure(table: Printed, at: int, name: str, one: Any, *, is_alone: bool) -> None:
    (row,) = [row for row in table.rows if row[0] == name]
    assert shows(row[at], one["value"], factor=factor(name)), row
    if one["lower"] is not None:
        assert table.columns[at + 1].split(" ")[:2] == [f"{100 * one['level']:g}", "%"]
        assert shows(row[at + 1], one["lower"], one["upper"], factor=factor(name)), row
    if is_alone:
        cells = table.named(name)
        for column in set(SHARES) & set(cells):
            known = None if name in WITHOUT_SHARES else one.get(SHARES[column])
            assert shows(cells[column], known, factor=factor(name)), column
        for column in {"correct", "gold", "system"} & set(cells):
            assert shows(cells[column], one[column]), column


def check_splits(system: Any, systems: Any, tables: list[Printed]) -> None:
    for split, groups in system.get("by", {}).items() if len(systems) == 1 else ():
        several = with_first(tables, split)
        assert len(several) == len(systems)
        table = several[systems.index(system)]
        assert {row[0] for row in table.rows} <= set(groups)
        for group in (row[0] for row in table.rows):
            for column, cell in table.named(group).items():
                measure = column.removesuffix(" F1")
                if measure in groups[group]:
                    assert shows(cell, groups[group][measure]["value"], factor=factor(measure)), (split, group, column)
    for split, groups in system.get("items_by", {}).items() if len(systems) == 1 else ():
        table = with_first(tables, split)[systems.index(system)]
        for row in table.rows:
            cells = table.named(row[0])
            assert all(shows(cells[item], groups[row[0]][item]) for item in ("TTB", "TPB", "EM", "CE", "SP")), row


def check_confusions(system: Any, systems: Any, tables: list[Printed]) -> None:
    several = with_first(tables, "gold", "system", "times")
    asked = list(system.get("confusions", {}).values())
    for table, one in zip(several[systems.index(system) * len(asked) :], asked, strict=False):
        found = {(row[0], row[1]): row[2] for row in table.rows}
        assert len(found) == len(one["top"])
        assert all(
            shows(found[top["gold"].replace("\t", "\\t"), top["system"].replace("\t", "\\t")], top["count"])
            for top in one["top"]
        )


def check_set_aside(systems: Any, tables: list[Printed]) -> None:
    for table in with_first(tables, "system", "full"):
        for row, system in zip(table.rows, systems, strict=True):
            for name in ("full", "ignoring", "outside"):
                at, rate = table.columns.index(name), system["ignoring"][name]
                assert shows(row[at], rate["error"], factor=100), row
                assert rate["lower"] is None or shows(row[at + 1], rate["lower"], rate["upper"], factor=100), row


def check_treebanks(systems: Any, tables: list[Printed]) -> None:
    """Of one system all measures; of several a matrix for each measure that is shown."""
    every = {system["name"]: of_treebanks(system) for system in systems}
    shown = with_first(tables, "treebank")
    assert shown or len(systems) > 1
    for table in shown if len(systems) == 1 else ():
        for row in table.rows:
            for name, cell in table.named(row[0]).items():
                one = every[systems[0]["name"]][row[0]].get(name)
                assert name == "treebank" or one is None or shows(cell, one["value"], factor=factor(name)), (row, name)
    check_matrices(every, tables)


def of_treebanks(system: Any) -> dict[str, Any]:
    """The measures of each treebank and of both averages, as rows are called."""
    rows = {one["treebank"].removesuffix(".conllu"): one["measures"] for one in system["treebanks"]}
    macro = {name: {"value": value} for name, value in system["macro"].items()}
    return rows | {"micro": system["measures"], "macro": macro}


def check_matrices(every: Mapping[str, Any], tables: list[Printed]) -> None:
    for table in tables:
        if table.columns[1:] == list(every) and len(every) > 1:
            for row in table.rows:
                for name, cell in list(table.named(row[0]).items())[1:]:
                    if name in every:
                        one = every[name][row[0]][table.columns[0]]
                        assert shows(cell, one["value"], factor=factor(table.columns[0])), row


def check_evalb(systems: Any, tables: list[Printed]) -> None:
    """EVALB's own figures are in percent already."""
    for table, system in zip(with_first(tables, "figure", "EVALB"), systems, strict=True):
        found = system["evalb"]
        for row, name in EVALB.items():
            cells = table.named(row)
            assert shows(cells["EVALB"], found["all"][name]), row
            assert shows(cells["every sentence"], found["every_sentence"]["all"][name]), row
    f1s = [system["measures"]["Labelled F1"] for system in systems]
    for table, one in zip(with_first(tables, "figure", "EVALB", "EVALB CI"), f1s, strict=False):
        assert shows(table.named("Bracketing FMeasure")["EVALB CI"], one["lower"], one["upper"], factor=100)


# ---- compare ---------------------------------------------------------------------------------------------------------


def check_compare(data: Any, tables: list[Printed]) -> None:
    check_groups(data, tables)
    found = [one for one in with_first(tables, "measure") if "p" in one.columns and "McNemar z" not in one.columns]
    for table in found:
        shown = {row[0] for row in table.rows}  # without --measure, those that people quote
        pairs = [one for one in data["pairs"] if (one["measure"] or "units") in shown]
        for row, pair in zip(table.rows, pairs, strict=True):
            check_pair(dict(zip(table.columns, row, strict=True)), pair)
    for units in with_first(tables, "measure", "A", "B", "YY"):
        counted = [pair["counts"] for pair in data["pairs"] if pair["counts"]]
        for row, counts in zip(units.rows, counted, strict=True):
            cells = dict(zip(units.columns, row, strict=True))
            assert all(shows(cells[name], counts[name]) for name in ("YY", "YN", "NY", "NN")), row
    ranked = with_first(tables, "rank")
    check_ranking(data, ranked)
    beside = with_first(tables, "system")
    for table in beside:
        check_values(data, table)
    assert found or ranked or beside


def check_pair(cells: Mapping[str, str], pair: Any) -> None:
    names, its = list(cells), factor(pair["measure"])
    assert cells["measure"] == (pair["measure"] or "units")
    a, b = ("A %", "B %") if "A %" in cells else names[1:3]
    assert shows(cells[a], pair["value_a"], factor=its), cells
    assert shows(cells[b], pair["value_b"], factor=its), cells
    assert shows(cells[names[names.index(b) + 1]], pair["difference"], factor=its), cells
    (interval,) = (cell for column, cell in cells.items() if column.endswith("% CI"))
    assert shows(interval, pair["lower"], pair["upper"], factor=its), cells
    assert is_p(cells["p"], pair["p"]), cells
    assert "adj. p" not in cells or is_p(cells["adj. p"], pair["p_adjusted"]), cells
    assert "deff" not in cells or shows(cells["deff"], pair["design_effect"]), cells


def check_values(data: Any, table: Printed) -> None:
    """Systems in rows and measures in columns; of two, what they differ by below them."""
    known = {(one["name"], one["measure"]): one["value"] for one in data["ranking"]}
    for row in table.rows:
        for name, cell in zip(table.columns[1:], row[1:], strict=True):
            if (row[0], name) in known:
                assert shows(cell, known[row[0], name], factor=factor(name)), row
            elif row[0].startswith("Δ"):
                (pair,) = [one for one in data["pairs"] if one["measure"] == name]
                assert shows(cell, pair["difference"], factor=factor(name)), row
            else:
                (pair,) = [one for one in data["pairs"] if one["measure"] == name]
                assert shows(cell, pair["lower"], pair["upper"], factor=factor(name)), row


def check_compare_treebanks(data: Any, tables: list[Printed]) -> None:
    """As a comparison, by the macro average; and a matrix of treebanks."""
    check_ranking(data, with_first(tables, "rank"))
    for table in with_first(tables, "system"):
        check_values(data, table)
    places = {(one["name"], one["measure"], part["treebank"].removesuffix(".conllu")): one["value"]
              for part in [*data["treebanks"], {"treebank": "micro", **data["micro"]},
                           {"treebank": "macro", "ranking": data["ranking"]}]
              for one in part["ranking"]}  # fmt: skip
    names = [one["name"] for one in data["systems"]]
    for table in tables:
        if table.columns[1:] == names:
            for row in table.rows:
                for name, cell in zip(names, row[1:], strict=True):
                    measure = table.columns[0]
                    assert shows(cell, places[name, measure, row[0]], factor=factor(measure)), row


def check_ranking(data: Any, tables: list[Printed]) -> None:
    measures = list(dict.fromkeys(one["measure"] for one in data["ranking"]))
    for table, measure in zip(tables, measures, strict=False):
        ranked = [one for one in data["ranking"] if one["measure"] == measure]
        for row, one in zip(table.rows, ranked, strict=True):
            cells = dict(zip(table.columns, row, strict=True))
            assert (cells["rank"], cells["system"]) == (str(one["rank"]), one["name"])
            assert shows(cells[measure], one["value"], factor=factor(measure)), row
            assert shows(row[3], one["lower"], one["upper"], factor=factor(measure)), row
            assert cells["ranks"] == f"{one['rank_lower']}–{one['rank_upper']}"
            assert cells["letters"] == one["letters"]


# ---- noise -----------------------------------------------------------------------------------------------------------


def ends(interval: Mapping[str, float | None]) -> tuple[float | None, float | None]:
    return interval["lower"], interval["upper"]


def check_noise(data: Any, tables: list[Printed]) -> None:
    (table,) = [one for one in tables if one.columns[0] == "system" and "observed" in one.columns]
    real = "real accuracy" + ("" if data["at_p"] is None else f", p = {data['at_p']:.3g}")
    for system in data["systems"]:
        first, *others = [dict(zip(table.columns, row, strict=True)) for row in table.rows if row[0] == system["name"]]
        assert shows(first["observed"], system["observed"], factor=100)
        assert shows(first[real], *ends(system["bounds"]), factor=100)
        assert "gold errors" not in first or shows(first["gold errors"], system["corpus_error"], factor=100)
        assert "naive 95 % CI" not in first or shows(first["naive 95 % CI"], *ends(system["naive"]), factor=100)
        assert "95 % CI" not in first or shows(first["95 % CI"], *ends(system["confidence"]), factor=100)
        if "nothing assumed" in first:
            assert shows(first["nothing assumed"], *ends(system["intervals"][0]["free"]), factor=100)
        assert len(others) == ("overall" in system)
        for cells in others:
            overall = system["overall"]
            assert (first["words"], cells["words"]) == ("ambiguous", "all")
            assert shows(cells["observed"], overall["observed"], factor=100)
            assert shows(cells[real], *ends(overall), factor=100)
            assert "95 % CI" not in cells or shows(cells["95 % CI"], *ends(overall["confidence"]), factor=100)
            assert "number" not in cells or shows(cells["number"], overall["n_words"])
    check_noise_details(data, tables)


def check_noise_details(data: Any, tables: list[Printed]) -> None:
    every = [
        (system["name"], one)
        for system in data["systems"]
        for one in [*system["intervals"], {**system["envelope"], "p": None, "free": system["free"]}]
    ]
    for table in with_first(tables, "system", "p", "real accuracy"):
        for row, (name, one) in zip(table.rows, every, strict=True):
            assert (row[0], row[1]) == (name, "all" if one["p"] is None else f"{one['p']:.3g}")
            assert shows(row[2], *ends(one), factor=100)
            assert shows(row[3], *ends(one["free"]), factor=100)
    for table in with_first(tables, "system", "t", "u"):
        for row, system in zip(table.rows, data["systems"], strict=True):
            for cell, its in zip(row[1:], ("t", "u", "p", "reasonable_p"), strict=True):
                assert shows(cell, *ends(system[its]), factor=1 if its.endswith("p") else 100)
    for table in with_first(tables, "system", "p", "true pos."):
        evaluated = [(system["name"], one) for system in data["systems"] for one in system["evaluations"]]
        for row, (name, one) in zip(table.rows, evaluated, strict=True):
            assert row[0] == name
            assert all(shows(cell, one["cells"][case], factor=100) for cell, case in zip(row[2:], CELLS, strict=False))
    for table in with_first(tables, "A", "B", "better", "overlap"):
        for row, pair in zip(table.rows, data["pairs"], strict=True):
            assert row[:3] == [pair["a"], pair["b"], pair["verdict"]]
            assert shows(row[3], pair["overlap"], factor=100)
            sure = pair["probability"] or {"independent": None, "shared": None}
            assert shows(row[5], sure["independent"], factor=100, places=1)
            assert shows(row[6], sure["shared"], factor=100, places=1)


CELLS = ("true_positive", "false_positive", "false_negative", "true_negative", "both_wrong_differently")


def check_plan(data: Any, tables: list[Printed]) -> None:
    for row, stratum in zip(tables[0].rows, data["strata"], strict=True):
        assert shows(row[1], stratum["size"])
        assert shows(row[2], stratum["sampled"])
    for table in with_first(tables, "judge"):
        for row, judge in zip(table.rows, data["judges"], strict=True):
            assert row[0] == judge["name"]
            assert shows(row[1], judge["rows"])
            assert shows(row[2], data["overlap"])


def check_estimate(data: Any, tables: list[Printed]) -> None:
    observed, *rows = tables[0].rows
    assert shows(observed[1], data["observed"], factor=100)
    if data.get("known_corpus_error") is not None:
        assert shows(rows.pop(0)[1], data["known_corpus_error"], factor=100)
    names = ("difference", "accuracy", "corpus_error")
    first = [data["estimates"][name] for name in names if name in data["estimates"]]
    cases = data["sensitivity"]
    if not data["finished"]:  # what decides is shown
        cases = [case | (case["always_valid"] or {}) for case in cases]
    check_estimates(rows, cases or first)
    judged = with_first(tables, "tokens where")
    for table in judged:
        for row, stratum in zip(table.rows, data["strata"], strict=True):
            sizes = (stratum["size"], stratum["n_sampled"], stratum["n_judged"], stratum["n_blank"])
            sizes += (stratum["n_tied"],) if any(one["n_tied"] for one in data["strata"]) else ()
            assert all(shows(cell, size) for cell, size in zip(row[1:], sizes, strict=True)), row
    if judged and "accuracy" in data["estimates"]:  # with details
        left_out = ("accuracy",) if data["sensitivity"] else ("accuracy", "corpus_error")
        check_estimates(tables[1].rows, [one for name, one in data["estimates"].items() if name not in left_out])
        check_estimates(tables[2].rows, [data["cells"][case] for case in CELLS])


def check_estimates(rows: list[list[str]], estimates: list[Any]) -> None:
    for row, one in zip(rows, estimates, strict=True):
        estimate = one or {"value": None, "lower": None, "upper": None}
        assert shows(row[1], estimate["value"], factor=100), row
        assert shows(row[2], *ends(estimate), factor=100), row


# ---- the gold --------------------------------------------------------------------------------------------------------


def check_repeats(data: Any, tables: list[Printed]) -> None:
    shown = with_first(tables, "#")
    assert bool(shown) == bool(data["items"])
    for table in shown:
        first = [number for number, row in enumerate(table.rows) if row[0]]
        for start, stop in zip(first, [*first[1:], len(table.rows)], strict=True):
            number = int(table.rows[start][0]) - 1  # --top shows fewer
            item, group = data["items"][number], data["groups"][number]
            assert item["group"] == number + 1
            assert shows(table.rows[start][1], group["score"], places=1)
            counts = [int(row[3]) for row in table.rows[start:stop]]
            assert sum(counts) == sum(way["count"] for way in item["labellings"])
            more = table.rows[start + 1][2].startswith(f"+ {group['repeats'] - 1} more")
            assert more == (group["repeats"] > 1)


_TOGETHER = ("repeats_together", "suspicious_together", "percent_suspicious_together")


def check_repeats_table(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    for row, one in zip(table.rows, data["rows"], strict=True):
        for name in set(one) & {
            "repeats",
            "suspicious",
            "sentences",
            "percent_inconsistent",
            "percent_sentences",
            *_TOGETHER,
        }:
            assert any(shows(cell, one[name]) for cell in row), (name, row)


def check_convert(data: Any, tables: list[Printed]) -> None:
    if not data["lost"]:
        assert not tables
        return
    (table,) = with_first(tables, "lost")
    assert table.rows == [[one["what"], str(one["number"])] for one in data["lost"]]


def check_file_check(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    assert table.rows == [
        [one["path"], one["format"], f"{one['sentences']:,}", f"{one['words']:,}"] for one in data["files"]
    ]


def check_train(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    cells = dict(table.rows)
    assert shows(cells["calibration error"], data["expected_calibration_error"], factor=100)
    assert shows(cells["model"], round(data["model_bytes"] / 1e6, 1))


def check_train_parser(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    cells = dict(table.rows)
    rows = {"symbols": "symbols", "unary rules": "unary_rules", "binary rules": "binary_rules"}
    assert [cells[row] for row in rows] == [str(data[name]) for name in rows.values()]
    assert shows(cells["model"], round(data["model_bytes"] / 1e6, 1))
    assert data["symbols"] > data["tags"] + data["labels"] - 1


def check_parse(data: Any, tables: list[Printed]) -> None:
    """What is written has a line for each sentence, and as many missing ones as are counted."""
    (table,) = tables
    cells = dict(table.rows)
    whose = {"text": "those of the text", "tagger": "a tagger's", "parser": "chosen by the parser"}
    column = "" if data["column"] is None else f" ({data['column']})"
    assert cells["tags"] == whose[data["tags_from"]] + column
    assert ("Parse Base" in cells) == (data["parse_base"] is not None)
    if data["parse_base"] is not None:
        assert shows(cells["Parse Base"], data["parse_base"])
    assert cells.get("brackets left out", "0") == f"{data['brackets_left_out']:,}"
    for name in (data["written"], data["parses_written"]):
        if name is not None:
            source = read_source(name)
            lines = source.text(0, source.size).splitlines()
            assert len(lines) == data["sentences"]
            assert sum(line in ("(())", "0") for line in lines) == data["missing"]


def check_suspects(data: Any, tables: list[Printed]) -> None:
    """The first row is the likeliest suspect, and places of all rows are all suspects, unless some are left out."""
    found = data["suspects"]
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    assert bool(tables) == bool(found)
    for table in with_first(tables, "#"):
        row, first = table.rows[0], found[0]
        assert row[:4] == ["1", first["form"], first["label"], first["suggested"] or "–"]
        assert shows(row[table.columns.index("score")], first["score"], places=1)
        patterns = {(one["form"].lower(), one["label"], one["suggested"]) for one in found}
        assert len(table.rows) <= len(patterns)
        if len(table.rows) == len(patterns):
            assert sum(int(one[4]) for one in table.rows) == len(found)


def check_grid(data: Any, tables: list[Printed]) -> None:
    """Every square of every matrix is the mean of its cells."""
    matrices = with_first(tables, "train")
    groups = list(dict.fromkeys((one["system"], one["size"]) for one in data["cells"]))
    assert len(matrices) == len(groups)
    for table, group in zip(matrices, groups, strict=True):
        cells = [one for one in data["cells"] if (one["system"], one["size"]) == group]
        trains, tests = (list(dict.fromkeys(one[what] for one in cells)) for what in ("train", "test"))
        for row, train in zip(table.rows, trains, strict=True):
            for cell, test in zip(row[1:], tests, strict=True):
                values = [
                    one["measures"]["UPOS"]["value"] for one in cells if (one["train"], one["test"]) == (train, test)
                ]
                assert shows(cell.rstrip("*"), sum(values) / len(values), factor=100)
    failed = with_first(tables, "system")
    assert [len(one.rows) for one in failed] == ([data["failed"]] if data["failed"] else [])


def check_grid_table(data: Any, tables: list[Printed]) -> None:
    GRID_TABLES[data["table"]](data, tables)


def check_grid_matrix(data: Any, tables: list[Printed]) -> None:
    """A table for each system, measure and size (without details the largest): trains below, tests beside."""
    every = list(dict.fromkeys((row["system"], row["measure"], row["size"]) for row in data["rows"]))
    largest = max((size or float("inf") for *_, size in every), default=None)
    groups = every if len(tables) == len(every) else [one for one in every if (one[2] or float("inf")) == largest]
    for table, group in zip(tables, groups, strict=True):
        rows = [row for row in data["rows"] if (row["system"], row["measure"], row["size"]) == group]
        trains, tests = (list(dict.fromkeys(row[of] for row in rows)) for of in ("train", "test"))
        assert [line[0] for line in table.rows] == [short_treebank(one, trains + tests) for one in trains]
        for line, train in zip(table.rows, trains, strict=True):
            for cell, test in zip(line[1:], tests, strict=True):
                (row,) = [row for row in rows if (row["train"], row["test"]) == (train, test)]
                assert is_with_interval(cell, row), (cell, row)


def short_treebank(name: str, every: list[str]) -> str:
    are_of_one = len({one.partition("-")[0] for one in every}) == 1 and all("-" in one for one in every)
    return name.partition("-")[2] if are_of_one else name.removeprefix("UD_")


def is_with_interval(cell: str, row: Any) -> bool:
    """A value alone, with half its interval, or with both ends."""
    if row["lower"] is None or row["upper"] is None:
        return shows(cell, row["value"], factor=100)
    half = (row["upper"] - row["lower"]) / 2
    return shows(cell, row["value"], half, factor=100, places=1) or (
        "(" in cell and shows(cell, row["value"], row["lower"], row["upper"], factor=100)
    )


def check_grid_rows(*columns: tuple[str, str, float]) -> Callable[[Any, list[Printed]], None]:
    """A row of the first table for each of the data; of these columns the numbers are the fields, times a factor."""

    def check(data: Any, tables: list[Printed]) -> None:
        check_listed(data["rows"], tables[0], columns)

    return check


def check_listed(rows: Any, table: Printed, columns: Sequence[tuple[str, str, float]]) -> None:
    for line, row in zip(table.rows, rows, strict=True):
        cells = dict(zip(table.columns, line, strict=True))
        for column, name, times in columns:
            assert shows(cells[column], row[name], factor=times), (column, cells[column], row[name])
        if "95 % CI" in cells:
            assert shows(cells["95 % CI"], row["lower"], row["upper"], factor=100), line


def check_grid_correlation(data: Any, tables: list[Printed]) -> None:
    for line, name in zip(tables[0].rows, ("all", "disjoint", "minsize"), strict=True):
        assert shows(line[1], data["summary"][f"{name}_correlation"])
        assert shows(line[2], data["summary"][f"{name}_lower"], data["summary"][f"{name}_upper"])
    check_listed(data["rows"], tables[1], [("error %", "error", 100), ("all per 1,000", "all_rate", 1000)])


def check_grid_suspicious(data: Any, tables: list[Printed]) -> None:
    columns = [("%", "share", 100.0), ("repeats", "repeats", 1.0)]
    check_listed([row for row in data["rows"] if row["words"] is None], tables[0], columns)
    check_listed([row for row in data["rows"] if row["words"] is not None], tables[1], columns)


def check_grid_curve(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    for line in table.rows:
        for size, cell in zip(table.columns[3:], line[3:], strict=True):
            (row,) = [row for row in data["rows"] if f"{row['words']:,}" == size and row["system"] == line[0]]
            assert is_with_interval(cell, row)


GRID_TABLES: dict[str, Callable[[Any, list[Printed]], None]] = {
    "matrix": check_grid_matrix,
    "table1": check_grid_rows(("error %", "error", 100), ("runs", "runs", 1)),
    "ignoring": check_grid_rows(
        *((name, name, 100) for name in ("full", "minsize", "disjoint", "all")), ("in-domain", "in_domain_train", 100)
    ),
    "correlation": check_grid_correlation,
    "suspicious": check_grid_suspicious,
    "runs": check_grid_rows(("SD", "sd", 1), ("% of variance", "share", 100), ("pairs", "pairs", 1)),
    "totals": check_grid_rows(
        ("suspicious", "matches", 1), ("≥ 3 words", "of_3_words", 1), ("disjoint", "disjoint", 1)
    ),
    "cost": check_grid_rows(("UPOS own", "in_domain", 100), ("others", "across_corpora", 100)),
    "curve": check_grid_curve,
}


def check_reproduce(data: Any, tables: list[Printed]) -> None:
    """How many numbers of each paper are in each state; every number with --details; and what experiments have."""
    (papers,) = (table for table in tables if table.columns[:2] == ["paper", "rows"])
    for line, one in zip(papers.rows, data["papers"], strict=False):
        counts = {name.replace(" ", "_"): cell for name, cell in zip(papers.columns[1:], line[1:], strict=True)}
        assert line[0] == one["paper"]
        assert all(shows(cell, one["counts"][name], places=0) for name, cell in counts.items()), line
        assert one["counts"]["rows"] == len(one["rows"])
    rows = [row for one in data["papers"] for row in one["rows"]]
    shown = [line for table in tables if table.columns[:2] == ["where", "number"] for line in table.rows]
    assert len(shown) in (0, len(rows))
    for line, row in zip(shown, rows, strict=False):
        assert line[0] == row["where"]
        assert any(cell.partition(" (")[0] == row["state"] for cell in line)
    for one in data["papers"]:
        if one["experiment"] is not None:
            _check_experiment(one["experiment"], tables)


def _check_experiment(data: Any, tables: list[Printed]) -> None:
    """What is printed over more data, and what was not run; nothing here is the paper's own file."""
    numbers = [one for part in data["parts"] for one in part["numbers"]]
    assert not any(one["same_data"] for one in numbers)
    by_name = {one["of"]: one for one in numbers}
    (more,) = [
        table for table in tables if {"number", "ours", "paper"} <= {*table.columns} and "where" not in table.columns
    ]
    for line in more.rows:
        cells = dict(zip(more.columns, line, strict=True))
        one = by_name[cells["number"]]
        times, places = {"share": (100, 1), "count": (1, 0), "correlation": (1, 2)}[one["unit"]]
        assert shows(cells["ours"], one["value"], factor=times, places=places), line
        assert shows(cells["paper"], one["paper"], factor=times, places=places), line
    (not_run,) = with_first(tables, "not run")
    assert not_run.rows == [[one["what"], one["why"]] for one in data["not_run"]]


def check_tag(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    cells = dict(table.rows)
    assert ("tags per word" in cells) == (data["tags_per_word"] is not None)
    if data["tags_per_word"] is not None:
        assert shows(cells["tags per word"], data["tags_per_word"])
        assert shows(cells["calibration error"], data["expected_calibration_error"], factor=100)
    assert ("training, all folds" in cells) == (data["train_seconds"] is not None)


def check_correct(data: Any, tables: list[Printed]) -> None:
    for table in with_first(tables, "place", "word", "head"):
        for row, refused in zip(table.rows, data["refused"], strict=True):
            assert row[0] == f"{Path(refused['path']).name}:{refused['line']}"
            assert row[2] == f"{refused['old']} → {refused['new']}"
    for table in with_first(tables, "place", "word", "column"):
        for row, change in zip(table.rows, data["changes"], strict=True):
            assert row[0] == f"{Path(change['path']).name}:{change['line']}"
            assert row[3] == f"{change['old']} → {change['new']}"
    if not data["judged"]:
        assert not tables
        return
    (table,) = with_first(tables, "heuristic")
    for row, one in zip(table.rows, data["precision"], strict=False):
        for cell, name in zip(row[1:4], ("suspicious", "judged", "errors"), strict=True):
            assert shows(cell, one[name]), row
        assert shows(row[4], one["precision"], factor=100), row
        assert shows(row[5], *ends(one), factor=100), row


def check_diverge(data: Any, tables: list[Printed]) -> None:
    names = {"words": "words", "labels": "labels", "both": "words with their labels"}
    lists = with_first(tables, "told apart by", "accuracy")
    for table in lists:
        for cell in data["cells"]:
            cells = table.named(names[cell["features"]])
            assert shows(cells["accuracy"], cell["accuracy"], factor=100)
            assert shows(cells["95 % CI"], *ends(cell), factor=100)
            assert shows(cells["error"], cell["error"], factor=100)
            assert shows(cells["divergence"], cell["divergence"])
            assert ("p" in cells) == (data["preset"] != "paper")
            assert cells.get("p", "–") == "–" if cell["p"] is None else is_p(cells["p"], cell["p"])
    matrices = [table for table in tables if table.columns[1:] == data["corpora"]]
    assert len(lists) + len(matrices) == (1 if lists else len(data["features"]))
    for cell in data["cells"] if matrices else ():
        table = matrices[data["features"].index(cell["features"])]
        shown = numbers(table.named(cell["train"])[cell["test"]])[0]
        assert shows(str(shown), cell["accuracy"], factor=100, places=1)


def check_leaks(data: Any, tables: list[Printed]) -> None:
    assert data["leaked"] == len(data["sentences"]) == sum(data["kinds"].values())
    every = {"all leaks": data["sentences"], f"under {data['min_words']} words, same words": data["short"]}
    names = {"exact": "same words", "case": "same words but for case", "near": "nearly the same"}
    every |= {title: [one for one in data["sentences"] if one["kind"] == kind] for kind, title in names.items()}
    of_kinds, of_scores = with_first(tables, "test sentences"), [one for one in tables if "without" in one.columns]
    assert bool(of_scores) == bool(data["systems"])
    assert of_kinds or of_scores
    for table in of_kinds:
        for title, several in every.items():
            cells = table.named(title)
            assert shows(cells["number"], len(several))
            assert shows(cells["of all"].removesuffix(" %"), len(several) / data["test"]["sentences"], factor=100)
            assert shows(cells["words"], sum(one["words"] for one in several))
            differ = sum(one["same_annotation"] is False for one in several)
            is_compared = data["columns"] and title != names["near"]
            assert shows(cells["annotated differently"], differ if is_compared else None)
    for table in of_scores:
        check_leak_scores(data["systems"], table)
    for table, several in zip(with_first(tables, "test", "train"), filter(None, every.values()), strict=False):
        assert [row[2] for row in table.rows] == [one["kind"] for one in several]
        assert all(
            shows(row[3], one["share"], factor=100, places=0) for row, one in zip(table.rows, several, strict=True)
        )


def check_leak_scores(systems: Any, table: Printed) -> None:
    for row in table.rows:
        (system,) = [one for one in systems if len(systems) == 1 or one["name"] == row[0]]
        name = row[table.columns.index("measure")]
        for title, part in (("all", "all"), ("without", "without"), ("leaks", "only")):
            at, one = table.columns.index(title), system[part].get(name)
            assert shows(row[at], one and one["value"], factor=factor(name)), (row, title)
            if one and one["lower"] is not None:
                assert shows(row[at + 1], one["lower"], one["upper"], factor=factor(name)), (row, title)


def check_diff(data: Any, tables: list[Printed]) -> None:
    by_place = with_first(tables, "column", "words", "change")
    assert [len(one.rows) for one in by_place] in ([], [len(data["conventions"])], [min(len(data["conventions"]), 2)])
    assert bool(by_place) == bool(data["conventions"])
    for table in by_place:
        for row, one in zip(table.rows, data["conventions"], strict=False):
            assert row[0] == one["column"]
            assert [int(row[3]), int(row[4])] == [one["count"], one["unchanged"]]
            assert is_change(row[2], one), row
            assert row[5].endswith(f":{one['example']['token']}")
    for table in with_first(tables, "where", "word", "column", "change"):
        for row, one in zip(table.rows, data["changes"], strict=False):
            assert row[0].endswith(f":{one['token']}")
            assert (row[1], row[2]) == (one["form"], one["column"])
            assert is_change(row[3], one), row
    for table in with_first(tables, "where", "what"):
        assert [row[2:] for row in table.rows] == [
            [" ".join(one[of]) for of in ("old", "new")] for one in data["tokenisation"]
        ]
    found = data["sentences"]
    for table in with_first(tables, "what", "sentence", "text"):
        wanted = [*(["removed"] * len(found["removed"])), *(["added"] * len(found["added"]))]
        assert [row[0] for row in table.rows] == wanted[: len(table.rows)]
    for table in with_first(tables, "old", "new", "sentences"):
        documents = [[one["old"], one["new"], str(one["sentences"])] for one in data["documents"]["renamed"]]
        assert table.rows == documents[: len(table.rows)]
    check_rescored(data["rescored"], tables)


def is_change(cell: str, one: Any) -> bool:
    """Whether a cell shows a change, of a long one the beginning and the end."""
    old, _, new = cell.partition(" → ")
    short = [one["old"] or "–", (one["new"] or "–") if one["old"] is None else (one["new"] or "–").split("=")[-1]]
    return "…" in cell or (old == short[0] and new in (short[1], one["new"] or "–"))


def check_rescored(data: Any, tables: list[Printed]) -> None:
    scores = with_first(tables, "system", "measure")
    assert len(scores) == (data is not None)
    for table in scores:
        every = [(one["name"], name, values) for one in data["systems"] for name, values in one["measures"].items()]
        for row, (system, measure, values) in zip(table.rows, every, strict=True):
            assert row[:2] == [system, measure]
            assert shows(row[2], values["old"], factor=100), row
            assert shows(row[3], values["new"], factor=100), row
            assert shows(row[4], values["difference"], factor=100), row
    changed = [one for one in data["pairs"] if one["changed"]] if data else []
    for table in with_first(tables, "measure", "A", "B"):
        assert [row[:3] for row in table.rows] == [[one["measure"], one["a"], one["b"]] for one in changed]
        for row, one in zip(table.rows, changed, strict=True):
            for cell, which in ((row[3], one["old"]), (row[4], one["new"])):
                assert cell.startswith(f"{which['better']} better") == bool(which["better"])
                assert shows(cell.partition("(")[2].rstrip(")"), which["difference"], factor=100), row


def check_agree(data: Any, tables: list[Printed]) -> None:
    coefficients = ("observed", "kappa_pooled", "kappa_cohen", "alpha")
    for row, name in zip(tables[0].rows, coefficients, strict=True):
        assert shows(row[1], data[name], places=3), row
        assert shows(row[2], *ends(data["intervals"].get(name) or {"lower": None, "upper": None}), places=3), row
    for table in tables[1:2] if data["pairs"] else ():
        for pair in data["pairs"]:
            assert shows(table.named(pair["a"])[pair["b"]], pair["observed"], places=3)
            assert shows(table.named(pair["b"])[pair["a"]], pair["alpha"], places=3)
    for table in with_first(tables, "tag", "used"):
        for row, one in zip(table.rows, data["per_tag"], strict=False):  # of many tags, the most frequent
            assert row[0] == one["tag"]
            assert shows(row[2], one["agreement"], places=3), row
    for table in with_first(tables, "coefficient", "level"):
        rows = [(name, level) for name in coefficients for level in data["levels"]]
        for row, (name, level) in zip(table.rows, rows, strict=True):
            assert shows(row[1], level["depth"])
            assert shows(row[2], level["tags"])
            assert shows(row[3], level[name], places=3), row
            assert shows(row[4], *ends(level["intervals"][name]), places=3), row
    for table in with_first(tables, "judgement", "sentence"):
        assert [row[-1] for row in table.rows] == [one["why"] for one in data["adjudication"]["refused"]]


def check_measures(data: Any, tables: list[Printed]) -> None:
    for name, value in data["measures"].items():
        assert shows(tables[0].named(name)["value"], value, factor=100, places=1), name


def check_parser_measures(data: Any, tables: list[Printed]) -> None:
    for parser in data["parsers"]:
        for name, value in parser["measures"].items():
            assert shows(tables[0].named(name)[parser["name"]], value, factor=100, places=1), name


def check_confusion(data: Any, tables: list[Printed]) -> None:
    averages, classes = tables
    shares = (("P", "precision"), ("R", "recall"), ("F", "f1"))
    for name, one in data["averages"].items():
        assert all(shows(averages.named(name)[column], one[part], factor=100) for column, part in shares), name
    for row, one in zip(classes.rows, data["classes"], strict=True):
        cells = dict(zip(classes.columns, row, strict=True))
        assert all(shows(cells[column], one[part], factor=100) for column, part in shares), row
        assert all(shows(cells[column], one[column]) for column in ("gold", "system", "correct")), row


# ---- tags, and simulations -------------------------------------------------------------------------------------------


def check_attach_groups(data: Any, tables: list[Printed]) -> None:
    (kinds,) = with_first(tables, "kind", "groups", "words")
    for row, one in zip(kinds.rows, data["kinds"], strict=True):
        assert row[0] == one["kind"]
        assert [shows(cell, one[name]) for cell, name in zip(row[1:3], ("groups", "words"), strict=True)] == [True] * 2
        assert row[3] == (one["example"] or "–")
    assert data["groups"] == sum(one["groups"] for one in data["kinds"]) == sum(one["groups"] for one in data["rules"])
    for table in with_first(tables, "rule", "makes"):
        rows = [[one["rule"], one["makes"], str(one["groups"])] for one in data["rules"]]
        assert table.rows == rows
    for sentence in data["sentences"]:
        for one in sentence["objects"]:
            assert 1 <= one["first"] <= one["syntactic_head"] <= one["last"] <= len(sentence["forms"])
            assert one["first"] <= one["semantic_head"] <= one["last"]


def check_attach_stats(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    names = ("left_values", "right_values", "observations")
    for row, one in zip(table.rows, data["features"], strict=True):
        assert row[:2] == [one["name"], one["kind"]]
        assert [shows(cell, one[name]) for cell, name in zip(row[2:], names, strict=True)] == [True] * 3
        if one["kind"] != "wordnet":
            assert one["observations"] == data["pairs"]
    assert len(data["features"]) + len(data["missing_features"]) == 14
    assert bool(data["missing_features"]) == (data["wordnet"] is None) == (data["threshold"] is None)


def check_attach_evaluate(data: Any, tables: list[Printed]) -> None:
    """Each classifier's ways to decide have their scores, and the matrix of pairs is all pairs."""
    shown = {"pairs": "pair by pair", "one_parent": "one parent each"}
    wanted = {("baseline", "nearest by rules"): data["baseline"]}
    wanted |= {(name, shown[way]): of[way] for name, of in data["classifiers"].items() for way in shown}
    scores, *others = with_first(tables, "classifier", "edges", "precision")
    assert {(row[0], row[1]) for row in scores.rows} == set(wanted)
    for row in scores.rows:
        one = wanted[row[0], row[1]]
        for cell, name in zip(row[2:5], ("precision", "recall", "f1"), strict=True):
            assert shows(cell, one[name], factor=100)
        assert sum(one["counts"].values()) == data["pairs"]
        assert one["counts"]["tp"] + one["counts"]["fn"] == data["edges"]
    for table in with_first(tables, "classifier", "edges", "right"):
        for row in table.rows:
            assert [cell.replace(",", "") for cell in row[2:]] == [
                str(one) for one in wanted[row[0], row[1]]["counts"].values()
            ]
    for table in with_first(tables, "rule", "pairs"):
        assert [row[1] for row in table.rows] == [f"{one['accepted']:,}" for one in data["rules"]]
    assert not others or data["wordnet"]


def check_attach_train(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    assert [row[0] for row in table.rows] == [one["signal"] for one in data["tops"]]
    assert all(shows(row[1], one["share"], factor=100) for row, one in zip(table.rows, data["tops"], strict=True))
    assert data["edges"] <= data["pairs"]


def check_attach_apply(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    cells = dict(table.rows)
    assert [cells[name] for name in ("words", "objects", "attached")] == [
        f"{data[name]:,}" for name in ("words", "objects", "attached")
    ]
    source = read_source(data["written"])
    rows = [line.split("\t") for line in source.text(0, source.size).splitlines() if line[:1].isdigit()]
    assert sum(row[7] == "dep" for row in rows) == data["attached"]


def check_tagset_check(data: Any, tables: list[Printed]) -> None:
    assert bool(tables) == bool(data["failed"])
    for table in tables:
        assert [row[0] for row in table.rows] == [one["tag"] for one in data["failed"]]
        assert all(shows(row[1], one["tokens"]) for row, one in zip(table.rows, data["failed"], strict=True))


def check_tagset_show(data: Any, tables: list[Printed]) -> None:
    shown = {row[0]: row[1].split(" or ") for row in tables[0].rows}
    assert shown == {"pos": [data["pos"]]} | {name: values for name, values in data["values"].items() if values}


def check_tagset_compare(data: Any, tables: list[Printed]) -> None:
    positions, measures = tables
    for row, one in zip(positions.rows, data["positions"], strict=True):
        cells = dict(zip(positions.columns, row, strict=True))
        assert (cells["category"], cells["right"]) == (one["category"], one["right"])
        assert [cells[side] for side in ("gold", "system")] == [
            " or ".join(one[side]) or "–" for side in ("gold", "system")
        ]
        assert shows(cells["weight"], one["weight"]), row
    for name, one in data["measures"].items():
        cells = measures.named(name)
        assert all(
            shows(cells[column], one[part], factor=100)
            for column, part in (("P", "precision"), ("R", "recall"), ("F", "f1"))
        ), name


def check_weights(data: Any, tables: list[Printed]) -> None:
    for table in with_first(tables, "category"):
        assert [row[0] for row in table.rows] == list(data["weights"])
        for row, weight in zip(table.rows, data["weights"].values(), strict=True):
            assert shows(row[1], weight, places=3), row
            assert shows(row[2], weight / sum(data["weights"].values()), factor=100, places=1), row
    for table in with_first(tables, "part of speech"):
        assert [row[0] for row in table.rows] == list(data["conditional"])
        for pos, weights in data["conditional"].items():
            cells = table.named(pos)
            assert all(shows(cells[name], weights.get(name), places=3) for name in table.columns[1:]), pos


def check_simulate(data: Any, tables: list[Printed]) -> None:
    known = [system[over] for system in data["systems"] for over in ("all", "ambiguous")]
    rows = [row for table in tables for row in table.rows]
    for one in known:
        for name in ("true_accuracy", "observed_accuracy"):
            assert any(shows(cell, one[name], factor=100) for row in rows for cell in row), name


def check_demo(data: Any, tables: list[Printed]) -> None:
    (table,) = tables
    for row, one in zip(table.rows, data["systems"], strict=True):
        name, observed, bounds, checked, interval, true, inside = row
        assert name == one["name"]
        assert shows(observed, one["observed"]["value"], factor=100)
        assert shows(bounds, *(one["bounds"][end] for end in ("lower", "upper")), factor=100)
        assert shows(checked, one["adjudicated"]["value"], factor=100)
        assert shows(interval, *(one["adjudicated"][end] for end in ("lower", "upper")), factor=100)
        assert shows(true, one["true_accuracy"], factor=100)
        assert inside == ("yes" if one["adjudicated"]["inside"] else "no")


def check_report(data: Any, tables: list[Printed]) -> None:
    assert tables == []  # a sentence says it
    assert Path(data["path"]).stat().st_size == data["bytes"]


CHECKS: dict[str, Callable[[Any, list[Printed]], None]] = {
    "score": check_score,
    "compare": check_compare,
    "compare-treebanks": check_compare_treebanks,
    "noise": check_noise,
    "noise-plan": check_plan,
    "noise-estimate": check_estimate,
    "repeats": check_repeats,
    "repeats-table": check_repeats_table,
    "convert": check_convert,
    "file-check": check_file_check,
    "train": check_train,
    "train-parser": check_train_parser,
    "tag": check_tag,
    "parse": check_parse,
    "grid": check_grid,
    "suspects": check_suspects,
    "grid-table": check_grid_table,
    "reproduce": check_reproduce,
    "correct": check_correct,
    "diverge": check_diverge,
    "leaks": check_leaks,
    "diff": check_diff,
    "agree": check_agree,
    "measures": check_measures,
    "parser-measures": check_parser_measures,
    "measures-confusion": check_confusion,
    "attach-groups": check_attach_groups,
    "attach-evaluate": check_attach_evaluate,
    "attach-train": check_attach_train,
    "attach-apply": check_attach_apply,
    "attach-stats": check_attach_stats,
    "tagset-check": check_tagset_check,
    "tagset-show": check_tagset_show,
    "tagset-compare": check_tagset_compare,
    "weights": check_weights,
    "simulate": check_simulate,
    "demo": check_demo,
    "report": check_report,
}
