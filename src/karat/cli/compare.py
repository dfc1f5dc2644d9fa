"""`karat compare`: which differences are real?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._folders import folder_options, tell_treebanks
from karat.cli._options import (
    HOW_SURE,
    OUTPUT,
    WHAT,
    Points,
    Verb,
    bracket_options,
    details_option,
    fields_of,
    format_options,
    hierarchy_from,
    hierarchy_options,
    inference_options,
    input_options,
    made_from,
    map_option,
    measure_option,
    named_paths,
    option,
    paper_options,
    read_once,
    refuse,
    refuse_other_kinds,
    split_commas,
    split_paths,
    tag_options,
    tags_from,
)
from karat.cli._output import progress_line, show_result, write_file
from karat.cli._problems import tell_inputs
from karat.cli._trees import check_evalb_comparison, evalb_option, judgements_option
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions

if TYPE_CHECKING:
    from karat.evaluation.comparison_results import Compared
    from karat.inference.paired_units import PairCounts

__all__ = ["command"]

STATISTICS = ("f1", "precision", "recall", "aligned_accuracy", "weak_correctness", "strong_correctness", "by_type_mean")


@click.command("compare", cls=Verb)
@click.argument("gold", required=False, metavar="GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM SYSTEM…")
@measure_option
@option(
    "--by",
    group=WHAT,
    multiple=True,
    metavar="upos|deprel|feats|label|length|…",
    help="Say where systems differ: compare them also on each group of words, sentences or brackets; by upos, xpos, "
    "deprel, full-deprel, distance, direction, feats, document, length; with --tagset category; label is for trees, "
    "type for sense keys (repeatable).",
)
@option(
    "--lexicon",
    group=WHAT,
    multiple=True,
    metavar="TRAIN",
    help="Compare also on words known, unknown, ambiguous and unambiguous in this corpus (repeatable).",
)
@option(
    "--statistic",
    group=WHAT,
    type=click.Choice(STATISTICS),
    help="Compare this statistic of a measure (default: f1; for trees and hierarchies the measure's own value; "
    "weak_correctness and strong_correctness are for rich tags, by_type_mean for hierarchical and exact).",
)
@option(
    "--runs",
    group=WHAT,
    multiple=True,
    metavar="NAME=FILE,FILE…",
    help="Add a system with several runs, as of different random seeds (repeatable).",
)
@folder_options
@option("--like", group=WHAT, type=click.Choice(["conll18", "evalb"]), help="Measure exactly as this evaluator does.")
@option(
    "--counts",
    group=WHAT,
    metavar="YY=N,YN=N,NY=N,NN=N",
    help="Compare from numbers alone: units that both, only the first, only the second and neither have right.",
)
@option(
    "--design-effect",
    group=WHAT,
    type=float,
    default=1.0,
    metavar="D",
    help="With --counts: how many times the variance of independent units errors have, if that is known.",
)
@option(
    "--sentences",
    group=WHAT,
    type=click.IntRange(min=1),
    metavar="N",
    help="With --counts and --effect: how many sentences these were.",
)
@map_option
@bracket_options
@judgements_option
@evalb_option
@tag_options
@hierarchy_options
@inference_options
@option(
    "--adjust",
    group=HOW_SURE,
    type=click.Choice(["holm", "holm-all", "none"]),
    default="holm",
    show_default=True,
    help="Adjust p for the number of pairs of each measure, of all measures, or not at all.",
)
@option(
    "--baseline", group=HOW_SURE, metavar="NAME", help="Report the others against this system, not against the best."
)
@option(
    "--margin",
    group=HOW_SURE,
    type=Points(),
    metavar="X",
    help="Also test whether systems differ by less than X: 0.002 or 0.2pt.",
)
@option(
    "--effect",
    group=HOW_SURE,
    type=Points(),
    metavar="X",
    help="Plan: the power to detect a difference of X (0.005 or 0.5pt) here, and the sentences needed.",
)
@option("--power", group=HOW_SURE, type=float, default=0.8, show_default=True, metavar="P", help="Plan for this power.")
@input_options
@option(
    "--examples",
    group=OUTPUT,
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show N sentences for each system of a pair on which it is right and the other wrong.",
)
@option("--units", group=OUTPUT, is_flag=True, help="Show the tables of units for more than two systems too.")
@option(
    "--svg",
    group=OUTPUT,
    metavar="FILE",
    help="Draw the real tests that fit (Hogenhout & Matsumoto 1996, section 6): M1 against M2.",
)
@details_option
@paper_options
@format_options
@click.pass_context
def command(context: click.Context, /, gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """Which differences between SYSTEMs on the GOLD are real?

    Every pair by every measure: the difference (B − A) with its interval, a paired test that respects
    sentences and documents, and one sentence in plain words. By default UPOS, XPOS, UFeats, Lemmas, UAS and LAS, as far
    as there are columns for them; of bracketed trees Labelled F1, Recall-hard, Precision-hard and Crossing Rate, with
    --judgements also Recall-soft and Precision-soft.

    \b
    karat compare gold.conllu ada=a.conllu bix=b.conllu
    karat compare gold.conllu a.conllu b.conllu c.conllu --measure LAS --json
    karat compare gold.conllu a.conllu b.conllu --by upos --by deprel
    karat compare gold.conllu old.conllu --runs new=n1.conllu,n2.conllu,n3.conllu
    karat compare gold.conllu a.conllu b.conllu --margin 0.002 --effect 0.005
    karat compare gold.key a.key b.key --hierarchy senses.txt
    karat compare --gold-dir gold/ --system-dir ada/ --system-dir bix/ --baseline ada
    karat compare gold.ptb a.ptb b.ptb --like evalb --prm COLLINS.prm
    karat compare gold.ptb ada=a.ptb bix=b.ptb --judgements check.tsv
    karat compare --counts YY=6516,YN=232,NY=343,NN=4309 --svg real-test.svg
    """  # fmt: skip
    if options["gold_dir"]:
        return _over_treebanks(context, gold, systems, options)
    if options["system_dirs"]:
        raise click.UsageError("--system-dir goes with --gold-dir.")
    if options["counts"] is not None:
        if gold is not None or options["runs"]:
            raise click.UsageError("--counts takes no files.")
        refuse(context, _OF_FILES, "goes with files, not with --counts")
        compared = _from_counts(options)
    else:
        refuse(context, ("design_effect", "sentences"), "goes with --counts")
        compared = _from_files(context, gold, systems, options)
    tell_inputs(compared.formats, compared.problems, compared.warnings, compared.skipped.problems, options)
    from karat.report import comparisons as report

    show_result(
        compared,
        options["format_"],
        lambda: report.comparison_report(
            compared,
            with_units=options["units"],
            details=options["details"],
            for_paper=options["format_"] in ("latex", "markdown"),
        ),
        details=options["details"],
        paper=options,
    )
    if options["svg"]:
        from karat.report.draw.real_test import real_test_figure

        write_file(options["svg"], real_test_figure(compared.pairs))
    return 0


_OF_ONE_GOLD = (
    "runs", "counts", "design_effect", "sentences", "by", "lexicon", "examples", "units", "svg",
    *fields_of(HierarchyOptions), *fields_of(BracketOptions),
)  # fmt: skip


def _asked(context: click.Context, options: dict[str, Any]) -> dict[str, Any]:
    """What is asked of one treebank and of several alike."""
    measures = split_commas(options["measures"])
    if options["measures"] and not measures:
        raise click.UsageError("--measure needs a name.")
    same = ("statistic", "adjust", "baseline", "margin", "effect", "power", "like", "column", "skip_bad")
    return {
        **{name: options[name] for name in same},
        "measures": measures or None,
        "inference": made_from(InferenceOptions, options),
        "map": options["map_"],
        "input": options["input_"],
        "tags": tags_from(context, options),
    }


def _over_treebanks(context: click.Context, gold: str | None, systems: Sequence[str], options: dict[str, Any]) -> int:
    if gold is not None or systems or len(options["system_dirs"]) < 2:
        raise click.UsageError("Give folders, two systems or more: karat compare --gold-dir DIR --system-dir DIR…")
    refuse(context, _OF_ONE_GOLD, "is for one treebank at a time")
    refuse_other_kinds(context, "columns")
    from karat.evaluation.compare_treebanks import compare_treebanks
    from karat.report import comparisons_over_treebanks as report

    folders = named_paths(options["system_dirs"])
    compared = compare_treebanks(options["gold_dir"], folders, **_asked(context, options))
    tell_treebanks(compared.scores, compared.warnings, options)
    show_result(
        compared,
        options["format_"],
        lambda: report.treebanks_comparison_report(
            compared, details=options["details"], for_paper=options["format_"] in ("latex", "markdown")
        ),
        details=options["details"],
        paper=options,
    )
    return 0


_OF_FILES = (
    *fields_of(BracketOptions), *fields_of(HierarchyOptions), *fields_of(TagOptions),
    *fields_of(InferenceOptions, but=["level"]), "measures", "map_", "statistic", "adjust", "examples", "like",
    "baseline", "judgements", "prm", "by", "lexicon",
)  # fmt: skip


def _from_files(context: click.Context, gold: str | None, systems: Sequence[str], options: dict[str, Any]) -> Compared:
    runs = _runs(options["runs"])
    if gold is None or len(systems) + len(runs) < 2:
        raise click.UsageError("Give the gold and at least two systems: karat compare GOLD SYSTEM SYSTEM…")
    named = {name: split_paths(path) for name, path in named_paths(systems).items()}
    read_once([gold, *named.values(), *(path for paths in runs.values() for path in paths)])
    asked = _asked(context, options)
    from karat.corpus.formats import opened
    from karat.evaluation.compare import compare

    readable, kind = opened(split_paths(gold), options["input_"])
    if kind is not None:  # else: what is wrong with the gold comes before options that may not fit it
        refuse_other_kinds(context, kind)
        check_evalb_comparison(context)
    return compare(
        readable,
        named,
        runs=runs,
        by=split_commas(options["by"]),
        lexicon=list(options["lexicon"]) or None,
        n_examples=options["examples"],
        hierarchy=hierarchy_from(context, options, of_keys=kind == "key"),
        brackets=made_from(BracketOptions, options) if kind == "brackets" and options["like"] is None else None,
        judgements=options["judgements"],
        prm=options["prm"],
        progress=progress_line("resampling"),
        **asked,
    )


def _runs(texts: Sequence[str]) -> dict[str, list[str]]:
    """The runs of each system from `NAME=FILE,FILE…`."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, paths = text.partition("=")
        files = [path for path in paths.split(",") if path]
        if not (equals and name and files):
            raise click.UsageError(f"--runs {text}: write NAME=FILE,FILE…, as in new=run1.conllu,run2.conllu.")
        found.setdefault(name, []).extend(files)
    return found


def _from_counts(options: dict[str, Any]) -> Compared:
    from karat.evaluation.from_counts import compare_counts

    return compare_counts(
        _pair_counts(options["counts"]),
        level=options["level"],
        margin=options["margin"],
        effect=options["effect"],
        power=options["power"],
        n_sentences=options["sentences"],
        assumed_design_effect=options["design_effect"],
    )


def _pair_counts(text: str) -> PairCounts:
    from karat.inference.paired_units import PairCounts

    found: dict[str, int] = {}
    for part in split_commas([text]):
        name, _, value = part.partition("=")
        name = name.strip().upper()
        if name not in ("YY", "YN", "NY", "NN") or name in found or not value.strip().isdecimal():
            raise click.UsageError(f"--counts {text}: write YY=N,YN=N,NY=N,NN=N with whole numbers.")
        found[name] = int(value)
    if len(found) < 4:
        missing = ", ".join(name for name in ("YY", "YN", "NY", "NN") if name not in found)
        raise click.UsageError(f"--counts {text}: {missing} is missing.")
    return PairCounts(found["YY"], found["YN"], found["NY"], found["NN"])
