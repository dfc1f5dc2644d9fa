"""`karat score`: how good is each system?"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._errors_set_aside import check_ignoring, errors_set_aside_of, ignoring_options
from karat.cli._options import (
    bracket_options,
    brackets_from,
    format_options,
    hierarchy_from,
    hierarchy_options,
    inference_from,
    inference_options,
    input_options,
    measure_option,
    named_paths,
    split_commas,
    split_paths,
    tag_options,
    tags_from,
)
from karat.cli._output import print_result, progress_line, say, write_file
from karat.cli._problems import show_problems, tell_inputs
from karat.cli._trees import check_options, refuse_other, show_evalb, write_bracket_worklist
from karat.errors import DataError, UsageError, visible

if TYPE_CHECKING:
    from karat.corpus.formats import Kind
    from karat.evaluation.results import MeasureScore

__all__ = ["command"]

_Gate = tuple[str, float, bool]  # measure, value, and whether lower is better


@click.command("score")
@click.argument("gold", required=False, metavar="GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM…")
@measure_option
@click.option("--like", type=click.Choice(["conll18", "evalb"]), help="Exactly the numbers of this evaluator.")
@click.option(
    "--by",
    "by",
    multiple=True,
    metavar="upos|deprel|label|document|length|type",
    help="Split the measures (repeatable; also xpos, full-deprel, form; label is for trees, type for sense keys).",
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
    help="Commonest confusions of upos, xpos, deprel or full-deprel, with examples; the whole matrix with --json. With "
    "--tagset also of categories.",
)
@click.option(
    "--top",
    default=10,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many confusions, and errors in suspicious repeats.",
)
@click.option("--per-sentence", metavar="FILE", help="Write the counts of every sentence to this file, as TSV.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="MEASURE=VALUE",
    help="Exit with 1 if a system is below, as in LAS=0.88, or above where lower is better (repeatable).",
)
@ignoring_options
@click.option("--gold-dir", metavar="DIR", help="Score several treebanks: every file of this folder …")
@click.option(
    "--system-dir",
    "system_dirs",
    multiple=True,
    metavar="[NAME=]DIR",
    help="… against the file of the same name in this one (repeatable).",
)
@click.option("--intervals", is_flag=True, help="Confidence intervals with --like too, which has none by default.")
@tag_options
@hierarchy_options
@bracket_options
@check_options
@inference_options
@input_options
@format_options
@click.pass_context
def command(context: click.Context, /, gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """How good is each SYSTEM on the GOLD?

    Files are CoNLL-U, plain tagged text, bracketed trees or sense keys; - is standard input, .gz, .bz2 and .xz are
    decompressed, several files as one corpus are given with commas between. Trees may be in folders: each file is a
    document, and is paired by its relative path. A system may be given a name: NAME=PATH.

    \b
    karat score gold.conllu parser.conllu
    karat score gold.conllu ada=a.conllu bix=b.conllu --measure UPOS,LAS --json
    karat score gold.conllu parser.conllu --by deprel --confusions upos
    karat score --gold-dir gold/ --system-dir ada/ --system-dir bix/
    karat score gold.key system.key --hierarchy senses.txt --by type
    karat score gold.conllu tagger.conllu --train train.conllu --ignore-suspicious disjoint
    karat score gold.ptb parser.ptb --by label
    karat score gold.ptb parser.ptb --worklist check.tsv
    karat score gold.ptb parser.ptb --like evalb --prm COLLINS.prm
    """  # fmt: skip
    # numpy's linear algebra, which scoring does not use, starts a thread a core that burns time doing nothing
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        if options["gold_dir"]:
            return _over_treebanks(context, gold, systems, **options)
        return _one_gold(context, gold, systems, **options)
    except DataError as error:
        show_problems(error.problems, most=options["max_errors"])
        return error.exit_code


def _one_gold(context: click.Context, gold: str | None, systems: Sequence[str], **options: Any) -> int:
    if gold is None or not systems:
        raise click.UsageError("Give the gold and at least one system: karat score GOLD SYSTEM…")
    if options["system_dirs"]:
        raise click.UsageError("--system-dir goes with --gold-dir.")
    if options["confusions"] and options["format_"] in ("csv", "tsv"):
        raise click.UsageError(f"--confusions has no {options['format_']} form; use --json.")
    named = {name: split_paths(path) for name, path in named_paths(systems).items()}
    if [gold, *named.values(), *options["train"]].count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    for name in ("per_sentence", "worklist", "svg"):
        if options[name] == "-":
            raise click.UsageError(f"--{name.replace('_', '-')} writes to a file; the result goes to standard output.")
        if options[name]:
            read = [*options["lexicon"], *map(split_paths, options["train"])]
            _refuse_input(name, options[name], [split_paths(gold), *named.values(), *read])
    from karat.corpus import read_source
    from karat.corpus.formats import opened

    readable, kind = opened(split_paths(gold), options["input_"])
    check_ignoring(options, kind or "columns")
    common = _common(context, options, of_keys=kind == "key")
    if kind is None:  # what is wrong with the gold comes before options that may not fit it
        from karat.evaluation.scoring import score

        score(readable, named, input=options["input_"], skip_bad=options["skip_bad"])
    refuse_other(context, options, kind or "columns")
    gates = _gates(options["fail_under"], common, kind or "columns")
    from karat.evaluation.scoring import score
    from karat.report import scores as report

    if readable == "-" and options["worklist"]:
        readable = read_source(readable)  # which cannot be read twice
    if options["worklist"]:
        write_bracket_worklist(readable, named, options)
    scores = score(
        readable,
        named,
        by=split_commas(options["by"]),
        confusions=split_commas(options["confusions"]),
        n_top=options["top"],
        lexicon=list(options["lexicon"]) or None,
        judgements=options["judgements"],
        parses=options["parses"],
        prm=options["prm"],
        progress=progress_line("resampling"),
        brackets=brackets_from(options) if kind == "brackets" and options["like"] is None else None,
        **common,
    )
    tell_inputs(
        [(scores.gold.path, scores.gold.format), *((one.path, one.format) for one in scores.systems)],
        [*scores.gold.warnings, *(warning for one in scores.systems for warning in one.warnings)],
        scores.warnings,
        [problem for one in scores.systems for problem in one.skipped.problems],
        verbose=options["verbose"],
        most=options["max_errors"],
    )
    if options["like"] == "evalb":
        show_evalb(scores, options)
        return 0
    scores, aside = errors_set_aside_of(scores, options, common["measures"])
    if options["per_sentence"]:
        from karat.report.tables import rendered

        write_file(options["per_sentence"], rendered(report.per_sentence_table(scores), "tsv"))
    print_result(
        options["format_"],
        lambda: aside.added_to(scores.to_dict()),
        scores.records,
        lambda: [*report.scores_tables(scores, measures_named=bool(options["measures"])), *aside.tables()],
        scores.signature,
    )
    return _gate_code(gates, {system.name: system.measures for system in scores.systems})


def _over_treebanks(context: click.Context, single: str | None, systems: Sequence[str], **options: Any) -> int:
    if single is not None or systems or not options["system_dirs"]:
        raise click.UsageError("Give folders only: karat score --gold-dir DIR --system-dir DIR…")
    for name in ("by", "lexicon", "confusions", "per_sentence"):
        if options[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} is for one treebank at a time.")
    if options["input_"] == "brackets":
        raise click.UsageError("Folders of trees are given as they are: karat score GOLD-DIR SYSTEM-DIR…")
    check_ignoring(options, "folders")
    refuse_other(context, options, "columns")
    if options["hierarchy"]:
        raise click.UsageError("--hierarchy is for one treebank at a time.")
    common = _common(context, options)
    gates = _gates(options["fail_under"], common)
    from karat.evaluation.treebanks import score_treebanks
    from karat.report import treebanks as report

    del common["hierarchy"]
    scores = score_treebanks(options["gold_dir"], named_paths(options["system_dirs"]), **common)
    every = [one for system in scores.systems for one in system.treebanks.values()]
    absent = [
        f"{system.name} has no {treebank}: it counts as wholly wrong"
        for system in scores.systems
        for treebank in system.absent
    ]
    formats = [(gold.path, gold.format) for gold in scores.treebanks.values()]
    tell_inputs(
        [*formats, *((one.path, one.format) for one in every if one.source)],
        [],
        [*absent, *(f"{path}: no gold file of this name; not scored" for path in scores.surplus)],
        [problem for one in every for problem in one.skipped.problems],
        verbose=options["verbose"],
        most=options["max_errors"],
    )
    print_result(
        options["format_"],
        scores.to_dict,
        scores.records,
        lambda: report.treebanks_tables(scores),
        scores.signature,
    )
    return _gate_code(gates, {system.name: system.micro for system in scores.systems}, "micro average of ")


def _common(context: click.Context, options: Mapping[str, Any], *, of_keys: bool = False) -> dict[str, Any]:
    names = split_commas(options["measures"])
    if options["measures"] and not names:
        raise click.UsageError("--measure needs a name.")
    return {
        "measures": names or None,
        "like": options["like"],
        "column": options["column"],
        "input": options["input_"],
        "skip_bad": options["skip_bad"],
        # errors are set aside of labels of any column
        "tags": tags_from(context, {**options, "column": "upos"} if options["ignore_suspicious"] else options),
        "hierarchy": hierarchy_from(context, options, of_keys=of_keys),
        "intervals": True if options["intervals"] else None,
        "inference": inference_from(options),
    }


def _gates(texts: Iterable[str], common: Mapping[str, Any], kind: Kind = "columns") -> list[_Gate]:
    """The lowest values asked for with --fail-under, checked before anything is scored."""
    gates = []
    measures: Sequence[str] | None = common["measures"]
    for text in texts:
        name, _, value = text.partition("=")
        try:
            lowest = float(value)
        except ValueError:
            raise click.UsageError(f"--fail-under {text}: write MEASURE=VALUE, as in LAS=0.88.") from None
        from karat.measures import CONLL18, EVERY_MEASURE, Measure, measures_named

        catalogue: Mapping[str, Measure] = CONLL18 if common["like"] else EVERY_MEASURE
        if common["tags"] is not None:
            catalogue = {**common["tags"].measures(), **EVERY_MEASURE}
        if common.get("hierarchy") is not None:
            catalogue = {**common["hierarchy"].measures(), **({} if kind == "key" else catalogue)}
        if kind == "brackets":
            from karat.measures.brackets.bracket_measures import BRACKET_MEASURES

            catalogue = BRACKET_MEASURES
        measure = measures_named([name], catalogue)[0].name
        if not 0 <= lowest <= (1 if catalogue[measure].is_share else math.inf):
            raise click.UsageError(f"--fail-under {text}: values are between 0 and 1, as in LAS=0.88.")
        if measures is not None and measure not in [one.name for one in measures_named(measures, catalogue)]:
            raise click.UsageError(f"--fail-under {text}: {measure} is not among the measures asked for.")
        gates.append((measure, lowest, catalogue[measure].lower_is_better))
    return gates


def _gate_code(gates: Iterable[_Gate], systems: Mapping[str, Mapping[str, MeasureScore]], what: str = "") -> int:
    """1 if a system is below a gate, with a line on stderr for each; else 0."""
    code = 0
    for name, limit, lower_is_better in gates:
        for system, measures in systems.items():
            if name not in measures:
                raise UsageError(f"--fail-under {name}: it was not measured for {system}")
            value = measures[name].value
            if value > limit if lower_is_better else value < limit:
                side = "above" if lower_is_better else "below"
                say(f"{visible(system)}: {what}{name} {value:.4f} is {side} {limit}")
                code = 1
    return code


def _refuse_input(option: str, path: str, inputs: Iterable[str | list[str]]) -> None:
    """Stop before a file that is to be read is written over."""
    for several in inputs:
        for one in [several] if isinstance(several, str) else several:
            if os.path.exists(path) and os.path.exists(one) and os.path.samefile(path, one):
                raise click.UsageError(f"--{option.replace('_', '-')} {path} would write over an input.")
