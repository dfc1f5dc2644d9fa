"""`karat score`: how good is each system?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_inputs, named_paths, read_once, split_commas, split_paths
from karat.cli._errors_set_aside import check_errors_set_aside, errors_set_aside_options, show_with_errors_set_aside
from karat.cli._options import HOW_SURE, OUTPUT, WHAT, Verb, fields_of, option, refuse, values_of
from karat.cli._output import is_for_paper, say_later, show_inputs, show_result, show_treebank_inputs, write_file
from karat.cli._shared_options import (
    DOCUMENT_OPTIONS,
    asked_of_every_gold,
    asked_of_one_gold,
    check_kind,
    document_options,
    folder_options,
    hierarchy_from,
    inference_options,
    input_options,
    map_option,
    measure_option,
    page_options,
    paper_output_options,
    refuse_treebank_folder,
    tag_and_hierarchy_options,
)
from karat.cli._trees import check_evalb, score_options, show_evalb, write_bracket_worklist
from karat.errors import UsageError, visible
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.evaluation.results import MeasureScore, Scores


_OF_ONE_GOLD = ("by", "lexicon", "confusions", "per_sentence", "hierarchy", *DOCUMENT_OPTIONS)


@click.command("score", cls=Verb)
@click.argument("gold", required=False, metavar="GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM…")
@measure_option
@option(
    "--by",
    WHAT,
    "Split the measures by upos, xpos, deprel, full-deprel, distance or direction of the head, feats, form, "
    "document or length; category (with --tagset), label (trees), type (sense keys) (repeatable).",
    is_repeatable=True,
    metavar="upos|deprel|feats|label|length|…",
)
@option(
    "--lexicon",
    WHAT,
    "Split into words that are known, unknown, ambiguous and unambiguous in this corpus (repeatable).",
    is_repeatable=True,
    metavar="TRAIN",
)
@option(
    "--confusions",
    WHAT,
    "Show the most frequent confusions of upos, xpos, deprel or full-deprel, with examples; with --tagset also of "
    "categories. --json has the whole matrix.",
    is_repeatable=True,
    metavar="COLUMN",
)
@option("--top n_top", WHAT, "Show N confusions, and N errors in suspicious repeats.", default=10, least=1, metavar="N")
@option("--like", WHAT, "Give exactly the numbers of this evaluator.", choices=["conll18", "evalb"])
@folder_options
@map_option()
@errors_set_aside_options
@score_options
@tag_and_hierarchy_options
@inference_options
@document_options()
@option("--intervals", HOW_SURE, "With --like: compute intervals too.", default=False)
@input_options
@option("--per-sentence", OUTPUT, "Write the counts of every sentence to this file, as TSV.", metavar="FILE")
@option(
    "--fail-under",
    OUTPUT,
    "Exit with 1 if a system is below this value (above it, where lower is better), as in LAS=0.88; with --gold-dir, "
    "if its macro average is (repeatable).",
    is_repeatable=True,
    metavar="MEASURE=VALUE",
)
@page_options
@paper_output_options
def command(gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """How good is each SYSTEM on the GOLD?

    Files are CoNLL-U, plain tagged text, bracketed trees or sense keys. - is standard input; .gz, .bz2 and .xz are
    decompressed; commas join several files into one corpus. Trees may be in folders: each file is a document, paired by
    its relative path. NAME=PATH names a system.

    \b
    karat score gold.conllu parser.conllu
    karat score gold.conllu ada=a.conllu bix=b.conllu --measure UPOS,LAS --json
    karat score gold.conllu parser.conllu --by deprel --confusions upos
    karat score gold.conllu tagger.conllu --document-from orig_file_sentence
    karat score gold.txt ada=a.txt bix=b.txt --map penn-upos
    karat score --gold-dir gold/ --system-dir ada/ --system-dir bix/
    karat score gold.key system.key --hierarchy senses.txt --by type
    karat score gold.conllu tagger.conllu --train train.conllu \\
        --ignore-suspicious disjoint
    karat score gold.ptb parser.ptb --by label
    karat score gold.ptb parser.ptb --worklist check.tsv
    karat score gold.ptb parser.ptb --evalb-steps
    karat score gold.ptb parser.ptb --like evalb --prm COLLINS.prm
    """  # fmt: skip
    if options["like"] == "conll18" and not options["intervals"]:
        refuse(fields_of(InferenceOptions, but=["jobs"]), "requires --intervals when used with --like conll18")
    gates = _gates(options["fail_under"], split_commas(options["measures"]))
    if options["gold_dir"]:
        return _over_treebanks(gold, systems, options, gates)
    return _one_gold(gold, systems, options, gates)


def _one_gold(gold: str | None, systems: Sequence[str], options: Mapping[str, Any], gates: Mapping[str, float]) -> int:
    if gold is None or not systems:
        raise click.UsageError("Give the gold and at least one system: karat score GOLD SYSTEM…")
    if options["system_dirs"]:
        raise click.UsageError("--system-dir requires --gold-dir.")
    if options["confusions"] and options["format"] in ("csv", "tsv"):
        raise click.UsageError(f"--confusions cannot be written as {options['format']}; use --json.")
    named = named_inputs(systems)
    inputs = [split_paths(gold), *named.values(), *options["lexicon"], *map(split_paths, options["train"])]
    read_once([gold, *named.values(), *options["train"]])
    for name in ("per_sentence", "worklist", "svg"):
        _refuse_output(name, options[name], inputs)
    from karat.corpus.formats import opened

    readable, kind = opened(split_paths(gold), options["input"])
    refuse_treebank_folder(gold, systems, kind)
    check_errors_set_aside(options, kind or "columns")
    asked = _asked(options) | asked_of_one_gold(options, kind)
    if kind is not None:  # else: what is wrong with the gold comes before options that may not fit it
        check_kind(kind, options["like"])
        check_evalb(options)
    from karat.evaluation.score import score

    if options["worklist"]:
        readable = write_bracket_worklist(readable, named, options)
    confusions = split_commas(options["confusions"])
    scores = score(readable, named, confusions=confusions, **values_of(options, "n_top parses evalb_steps"), **asked)
    show_inputs(
        options,
        [(scores.gold.path, scores.gold.format), *((one.path, one.format) for one in scores.systems)],
        [*scores.gold.warnings, *(warning for one in scores.systems for warning in one.warnings)],
        scores.warnings,
        [problem for one in scores.systems for problem in one.skipped.problems],
    )
    code = _gate_code(gates, {system.name: system.measures for system in scores.systems})
    _show(scores, options, asked["measures"])
    return code


def _show(scores: Scores, options: Mapping[str, Any], measures: list[str] | None) -> None:
    from karat.report import scores as report

    if options["like"] == "evalb":
        show_evalb(scores, options)
        return
    if options["per_sentence"]:
        from karat.report.tables import separated

        write_file(options["per_sentence"], separated(report.per_sentence_table(scores), "tsv"))
    shown = partial(
        report.scores_report,
        measures_named=bool(measures),
        details=options["details"],
        for_paper=is_for_paper(options),
    )
    if options["ignore_suspicious"]:
        show_with_errors_set_aside(scores, options, measures, shown)
    else:
        show_result(scores, options, lambda: shown(scores))


def _over_treebanks(
    single: str | None, systems: Sequence[str], options: Mapping[str, Any], gates: Mapping[str, float]
) -> int:
    if single is not None or systems or not options["system_dirs"]:
        raise click.UsageError("Give folders only: karat score --gold-dir DIR --system-dir DIR…")
    refuse(_OF_ONE_GOLD, "works with one treebank at a time")
    if options["input"] == "brackets":
        raise click.UsageError("Give folders of trees directly: karat score GOLD-DIR SYSTEM-DIR…")
    check_errors_set_aside(options, "folders")
    check_kind("columns", options["like"])
    from karat.evaluation.treebanks import score_treebanks
    from karat.report import treebanks as report

    hierarchy_from(options)  # says what does not go together, before anything is read
    scores = score_treebanks(options["gold_dir"], named_paths(options["system_dirs"]), **_asked(options))
    show_treebank_inputs(scores, scores.warnings, options)
    code = _gate_code(gates, {one.name: report.macro_scores(one) for one in scores.systems}, "macro average of ")
    how = {"measures_named": bool(split_commas(options["measures"])), "details": options["details"]}
    show_result(scores, options, lambda: report.treebanks_report(scores, **how, for_paper=is_for_paper(options)))
    return code


def _asked(options: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of one treebank and of several alike."""
    return {**asked_of_every_gold(options), "intervals": options["intervals"] or None}


def _gates(texts: Iterable[str], measures: Sequence[str]) -> dict[str, float]:
    """The limits asked for with --fail-under, by measure; of measures that there are, and among those asked for."""
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise click.UsageError(f"--fail-under {text}: write MEASURE=VALUE, as in LAS=0.88.") from None
        from karat.measures.catalogue import check_known

        check_known(name)
        if measures and name.strip().lower() not in ("all", *(one.lower() for one in measures)):
            raise click.UsageError(f"--fail-under {text}: {name.strip()} is not among the measures asked for.")
    return found


def _gate_code(gates: Mapping[str, float], systems: Mapping[str, Mapping[str, MeasureScore]], what: str = "") -> int:
    """1 if a system is below a limit, with a line for each after the result; else 0.

    A `UsageError` for a measure that a system was not measured by.
    """
    failures = []
    for written, limit in gates.items():
        for system, measures in systems.items():
            one = next((found for name, found in measures.items() if name.lower() == written.lower()), None)
            if one is None:
                raise UsageError(f"--fail-under {written}: it was not measured for {system}")
            if not limit >= 0 or (one.measure.is_share and limit > 1):
                raise click.UsageError(
                    f"--fail-under {one.name}={limit:g}: values are between 0 and 1, as in LAS=0.88."
                )
            lower_is_better = one.measure.lower_is_better
            if one.value > limit if lower_is_better else one.value < limit:
                side = "above" if lower_is_better else "below"
                failures.append(f"{visible(system)}: {what}{one.name} {one.value:.4f} is {side} {limit}")
    for line in failures:
        say_later(line)
    return 1 if failures else 0


def _refuse_output(name: str, path: str | None, inputs: Iterable[str | list[str]]) -> None:
    """Stop before a file that is to be read is written over, or standard output that has the result."""
    written = f"--{name.replace('_', '-')}"
    if path == "-":
        raise click.UsageError(f"{written} needs a file name, not -: standard output is for the result.")
    for several in inputs if path else ():
        for one in [several] if isinstance(several, str) else several:
            if os.path.exists(str(path)) and os.path.exists(one) and os.path.samefile(str(path), one):
                raise click.UsageError(f"{written} {path} would overwrite an input.")
