"""`karat score`: how good is each system?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import format_options, input_options, named_paths, split_paths
from karat.cli._problems import show_problems
from karat.errors import DataError, Problem, UsageError, visible

if TYPE_CHECKING:
    from karat.inference import MeasureScore
    from karat.report.tables import Table

__all__ = ["command"]

_Gate = tuple[str, float]


@click.command("score")
@click.argument("gold", required=False, metavar="GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM…")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME[,NAME…]",
    help="Only these measures (repeatable; upper or lower case).",
)
@click.option("--like", type=click.Choice(["conll18"]), help="Exactly the numbers of this evaluator.")
@click.option(
    "--by",
    "by",
    multiple=True,
    metavar="upos|deprel|document|length",
    help="Split the measures (repeatable; also xpos, full-deprel).",
)
@click.option(
    "--lexicon",
    multiple=True,
    metavar="TRAIN",
    help="Split into words known, unknown, ambiguous and unambiguous in this corpus (repeatable).",
)
@click.option(
    "--confusions",
    multiple=True,
    metavar="COLUMN",
    help="Confusion matrix and commonest confusions of upos, xpos, deprel or full-deprel (repeatable).",
)
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(min=1), help="How many of the commonest confusions."
)
@click.option("--per-sentence", metavar="FILE", help="Write the counts of every sentence to this file, as TSV.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="MEASURE=VALUE",
    help="Exit with 1 if a system is below, as in LAS=0.88 (repeatable).",
)
@click.option("--gold-dir", metavar="DIR", help="Score several treebanks: every file of this folder …")
@click.option(
    "--system-dir",
    "system_dirs",
    multiple=True,
    metavar="[NAME=]DIR",
    help="… against the file of the same name in this one (repeatable).",
)
@input_options
@format_options
def command(gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """How good is each SYSTEM on the GOLD?

    Files are CoNLL-U or plain tagged text; - is standard input, .gz, .bz2 and .xz are decompressed, several files as
    one corpus are given with commas between. A system may be given a name: NAME=PATH.

    \b
    karat score gold.conllu parser.conllu
    karat score gold.conllu ada=a.conllu bix=b.conllu --measure UPOS,LAS --json
    karat score gold.conllu parser.conllu --by deprel --confusions upos
    karat score --gold-dir gold/ --system-dir ada/ --system-dir bix/
    """  # fmt: skip
    try:
        return _over_treebanks(gold, systems, **options) if options["gold_dir"] else _one_gold(gold, systems, **options)
    except DataError as error:
        show_problems(error, most=options["max_errors"])
        return error.exit_code


def _one_gold(gold: str | None, systems: Sequence[str], **options: Any) -> int:
    if gold is None or not systems:
        raise click.UsageError("Give the gold and at least one system: karat score GOLD SYSTEM…")
    if options["system_dirs"]:
        raise click.UsageError("--system-dir goes with --gold-dir.")
    if [gold, *systems].count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    gates = _gates(options["fail_under"])
    named = named_paths(systems)
    from karat.inference import score

    scores = score(
        split_paths(gold),
        {name: split_paths(path) for name, path in named.items()},
        by=options["by"],
        confusions=options["confusions"],
        n_top=options["top"],
        lexicon=list(options["lexicon"]) or None,
        **_common(options),
    )
    corpora = [(scores.gold.path, scores.gold.format), *((one.path, one.format) for one in scores.systems)]
    warnings = [*scores.gold.warnings, *(warning for one in scores.systems for warning in one.warnings)]
    _tell(corpora if options["verbose"] else (), warnings)
    _tell_skipped(problem for one in scores.systems for problem in one.skipped.problems)
    from karat.report import scores as report

    if options["per_sentence"]:
        _write(options["per_sentence"], report.per_sentence_table(scores))
    _print(
        options["format_"],
        lambda: report.scores_json(scores),
        lambda: report.scores_records(scores),
        lambda: report.scores_tables(scores, measures_named=bool(options["measures"])),
        scores.signature,
    )
    return _gate_code(gates, {system.name: system.measures for system in scores.systems})


def _over_treebanks(single: str | None, systems: Sequence[str], **options: Any) -> int:
    if single is not None or systems or not options["system_dirs"]:
        raise click.UsageError("Give folders only: karat score --gold-dir DIR --system-dir DIR…")
    for name in ("by", "lexicon", "confusions", "per_sentence"):
        if options[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} is for one treebank at a time.")
    gates = _gates(options["fail_under"])
    from karat.inference import score_treebanks

    scores = score_treebanks(options["gold_dir"], named_paths(options["system_dirs"]), **_common(options))
    every = [one for system in scores.systems for one in system.treebanks.values()]
    corpora = [(gold.path, gold.format) for gold in scores.treebanks.values()]
    corpora += [(one.path, one.format) for one in every if one.source]
    _tell(corpora if options["verbose"] else (), ())
    for path in scores.surplus:
        click.echo(f"warning: {visible(path)}: no gold file of this name; not scored", err=True)
    _tell_skipped(problem for one in every for problem in one.skipped.problems)
    from karat.report import scores as report

    _print(
        options["format_"],
        lambda: report.treebanks_json(scores),
        lambda: report.treebanks_records(scores),
        lambda: report.treebanks_tables(scores),
        scores.signature,
    )
    return _gate_code(gates, {system.name: system.micro for system in scores.systems})


def _common(options: Mapping[str, Any]) -> dict[str, Any]:
    names = [name for group in options["measures"] for name in group.split(",") if name.strip()]
    if options["measures"] and not names:
        raise click.UsageError("--measure needs a name.")
    return {
        "measures": names or None,
        "like": options["like"],
        "column": options["column"],
        "input": options["input_"],
        "skip_bad": options["skip_bad"],
    }


def _gates(texts: Iterable[str]) -> list[_Gate]:
    """The lowest values asked for with --fail-under."""
    gates = []
    for text in texts:
        name, _, value = text.partition("=")
        try:
            lowest = float(value)
        except ValueError:
            raise click.UsageError(f"--fail-under {text}: write MEASURE=VALUE, as in LAS=0.88.") from None
        if not 0 <= lowest <= 1:
            raise click.UsageError(f"--fail-under {text}: values are between 0 and 1, as in LAS=0.88.")
        gates.append((name, lowest))
    return gates


def _gate_code(gates: Iterable[_Gate], systems: Mapping[str, Mapping[str, MeasureScore]]) -> int:
    """1 if a system is below a gate, with a line on stderr for each; else 0."""
    code = 0
    for wanted, lowest in gates:
        for system, measures in systems.items():
            found = next((one for name, one in measures.items() if name.lower() == wanted.strip().lower()), None)
            if found is None:
                raise UsageError(f"--fail-under {wanted}: not among the measures of {system}: {', '.join(measures)}")
            if found.value < lowest:
                click.echo(f"{visible(system)}: {found.name} {found.value:.4f} is below {lowest}", err=True)
                code = 1
    return code


def _tell(corpora: Iterable[tuple[str, str]], warnings: Iterable[Problem]) -> None:
    for path, format_ in corpora:
        click.echo(f"{visible(path)}: read as {format_}", err=True)
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)


def _tell_skipped(problems: Iterable[Problem]) -> None:
    for problem in dict.fromkeys(problems):
        click.echo(f"skipped: {problem}", err=True)


def _write(path: str, table: Table) -> None:
    from karat.report.tables import rendered

    try:
        if path == "-":
            raise UsageError("--per-sentence writes to a file; the result itself goes to standard output")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(rendered(table, "tsv"))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _print(
    format_: str,
    data: Callable[[], dict[str, Any]],
    records: Callable[[], Table],
    tables: Callable[[], Sequence[Table]],
    signature: str,
) -> None:
    from karat.report.scores import json_text
    from karat.report.tables import rendered

    if format_ == "json":
        click.echo(json_text(data()), nl=False)
    elif format_ in ("csv", "tsv"):
        click.echo(rendered(records(), format_), nl=False)
    else:
        ending = {"text": signature, "markdown": f"`{signature}`", "latex": f"% {signature}"}[format_]
        click.echo("\n".join([*(rendered(table, format_) for table in tables()), ending]))
