"""`karat compare`: which differences are real?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_inputs, named_paths, read_once, split_commas, split_paths
from karat.cli._options import HOW_SURE, OUTPUT, WHAT, Points, Verb, fields_of, option, refuse, values_of
from karat.cli._output import is_for_paper, show_inputs, show_result, show_treebank_inputs, write_file
from karat.cli._shared_options import (
    DOCUMENT_OPTIONS,
    asked_of_every_gold,
    asked_of_one_gold,
    check_kind,
    document_options,
    folder_options,
    inference_options,
    input_options,
    map_option,
    measure_option,
    page_options,
    paper_output_options,
    refuse_treebank_folder,
    tag_and_hierarchy_options,
)
from karat.cli._trees import check_evalb_comparison, comparison_options
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions

if TYPE_CHECKING:
    from karat.evaluation.comparison_results import Compared
    from karat.inference.paired_units import PairCounts

STATISTICS = ("f1", "precision", "recall", "aligned_accuracy", "weak_correctness", "strong_correctness", "by_type_mean")


@click.command("compare", cls=Verb)
@click.argument("gold", required=False, metavar="GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM SYSTEM…")
@measure_option
@option(
    "--by",
    WHAT,
    "Also compare systems on each group of words, sentences or brackets: by upos, xpos, deprel, full-deprel, "
    "distance, direction, feats, document or length; category (with --tagset), label (trees), type (sense keys) "
    "(repeatable).",
    is_repeatable=True,
    metavar="upos|deprel|feats|label|length|…",
)
@option(
    "--lexicon",
    WHAT,
    "Also compare on words that are known, unknown, ambiguous and unambiguous in this corpus (repeatable).",
    is_repeatable=True,
    metavar="TRAIN",
)
@option(
    "--statistic",
    WHAT,
    "Compare this statistic of a measure: f1 (the default; for trees and hierarchies it is the measure's own value), "
    "precision, recall or aligned_accuracy; of rich tags weak_correctness or strong_correctness, of hierarchical and "
    "exact by_type_mean.",
    choices=STATISTICS,
    metavar="NAME",
)
@option(
    "--runs",
    WHAT,
    "Add a system with several runs, for example with different random seeds (repeatable).",
    is_repeatable=True,
    metavar="NAME=FILE,FILE…",
)
@folder_options
@option("--like", WHAT, "Measure exactly as this evaluator does.", choices=["conll18", "evalb"])
@option(
    "--counts",
    WHAT,
    "Compare from four counts: units that both, only the first, only the second and neither get right.",
    metavar="YY=N,YN=N,NY=N,NN=N",
)
@option(
    "--design-effect assumed_design_effect",
    WHAT,
    "With --counts: the design effect, if known (variance of errors relative to independent units).",
    default=1.0,
    metavar="D",
    show_default=False,
)
@option(
    "--sentences n_sentences",
    WHAT,
    "With --counts and --effect: number of sentences that the counts come from.",
    number=int,
    least=1,
    metavar="N",
)
@map_option()
@comparison_options
@tag_and_hierarchy_options
@inference_options
@document_options()
@option(
    "--adjust",
    HOW_SURE,
    "Adjust p for the number of pairs of each measure, of all measures, or not at all.",
    default="holm",
    choices=["holm", "holm-all", "none"],
)
@option("--baseline", HOW_SURE, "Compare the others with this system instead of the best.", metavar="NAME")
@option(
    "--margin", HOW_SURE, "Also test whether systems differ by less than X: 0.002 or 0.2pt.", type=Points(), metavar="X"
)
@option(
    "--effect",
    HOW_SURE,
    "Report the power to detect a difference of X (0.005 or 0.5pt), and how many sentences that needs.",
    type=Points(),
    metavar="X",
)
@option("--power", HOW_SURE, "With --effect: the power to plan for.", default=0.8, metavar="P")
@input_options
@option(
    "--examples n_examples",
    OUTPUT,
    "For each pair, show N sentences per system that only this system gets right.",
    default=0,
    least=0,
    metavar="N",
    show_default=False,
)
@option("--units", OUTPUT, "Show the tables of units even with more than two systems.", default=False)
@option(
    "--svg",
    OUTPUT,
    "Plot the real tests that fit (Hogenhout & Matsumoto 1996, section 6): M1 against M2.",
    metavar="FILE",
)
@page_options
@paper_output_options
def command(gold: str | None, systems: tuple[str, ...], **options: Any) -> None:
    """Which differences between SYSTEMs on the GOLD are real?

    Compares every pair on every measure: the difference (B − A) with its interval, a paired test that respects
    sentences and documents, and a verdict in plain words. Default measures are those that karat score shows: UPOS,
    UFeats, Lemmas, UAS, LAS and CLAS, if the files have these columns; for bracketed trees Labelled F1, precision and
    recall, Complete Match and Average Crossing, with --judgements also Recall-soft and Precision-soft. JSON, CSV, TSV
    and --details add XPOS, or Recall-hard, Precision-hard and Crossing Rate.

    \b
    karat compare gold.conllu ada=a.conllu bix=b.conllu
    karat compare gold.conllu a.conllu b.conllu c.conllu --measure LAS --json
    karat compare gold.conllu a.conllu b.conllu --by upos --by deprel
    karat compare gold.conllu old.conllu --runs new=n1.conllu,n2.conllu,n3.conllu
    karat compare gold.conllu a.conllu b.conllu --margin 0.002 --effect 0.005
    karat compare gold.key a.key b.key --hierarchy senses.txt
    karat compare --gold-dir gold/ --system-dir ada/ --system-dir bix/ \\
        --baseline ada
    karat compare gold.ptb a.ptb b.ptb --like evalb --prm COLLINS.prm
    karat compare gold.ptb ada=a.ptb bix=b.ptb --judgements check.tsv
    karat compare --counts YY=6516,YN=232,NY=343,NN=4309 --svg real-test.svg
    """  # fmt: skip
    if options["gold_dir"]:
        _over_treebanks(gold, systems, options)
        return
    if options["system_dirs"]:
        raise click.UsageError("--system-dir requires --gold-dir.")
    if options["counts"] is not None:
        if gold is not None or options["runs"]:
            raise click.UsageError("--counts takes no files.")
        refuse(_OF_FILES, "cannot be used with --counts")
        compared = _from_counts(options)
    else:
        refuse(("assumed_design_effect", "n_sentences"), "requires --counts")
        compared = _from_files(gold, systems, options)
    show_inputs(options, compared.formats, compared.problems, compared.warnings, compared.skipped.problems)
    from karat.report.comparisons import comparison_report

    how = {"with_units": options["units"], **_how_shown(options)}
    show_result(compared, options, lambda: comparison_report(compared, **how))
    if options["svg"]:
        from karat.report.draw.real_test import real_test_figure

        write_file(options["svg"], real_test_figure(compared.pairs).svg)


_OF_ONE_GOLD = (
    *"runs counts assumed_design_effect n_sentences by lexicon n_examples units svg".split(),
    *DOCUMENT_OPTIONS,
    *fields_of(HierarchyOptions),
    *fields_of(BracketOptions),
)


def _asked(options: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of one treebank and of several alike."""
    return asked_of_every_gold(options) | values_of(options, "statistic adjust baseline margin effect power")


def _how_shown(options: Mapping[str, Any]) -> dict[str, bool]:
    named = bool(options["measures"]) or options["like"] == "evalb"  # whose figures are shown as they are
    return {"details": options["details"], "for_paper": is_for_paper(options), "measures_named": named}


def _over_treebanks(gold: str | None, systems: Sequence[str], options: Mapping[str, Any]) -> None:
    if gold is not None or systems or len(options["system_dirs"]) < 2:
        raise click.UsageError(
            "Give the folders of the gold and of at least two systems: karat compare --gold-dir DIR --system-dir DIR…"
        )
    refuse(_OF_ONE_GOLD, "works with one treebank at a time")
    check_kind("columns", options["like"])
    from karat.evaluation.compare_treebanks import compare_treebanks
    from karat.report.comparisons_over_treebanks import treebanks_comparison_report

    folders = named_paths(options["system_dirs"])
    compared = compare_treebanks(options["gold_dir"], folders, **_asked(options))
    show_treebank_inputs(compared.scores, compared.warnings, options)
    show_result(compared, options, lambda: treebanks_comparison_report(compared, **_how_shown(options)))


_OF_FILES = (
    *fields_of(BracketOptions),
    *fields_of(HierarchyOptions),
    *fields_of(TagOptions),
    *fields_of(InferenceOptions, but=["level"]),
    *"measures map statistic adjust n_examples like baseline judgements prm by lexicon".split(),
    *DOCUMENT_OPTIONS,
)


def _from_files(gold: str | None, systems: Sequence[str], options: Mapping[str, Any]) -> Compared:
    runs = _runs(options["runs"])
    if gold is None or len(systems) + len(runs) < 2:
        raise click.UsageError("Give the gold and at least two systems: karat compare GOLD SYSTEM SYSTEM…")
    named = named_inputs(systems)
    read_once([gold, *named.values(), *(path for paths in runs.values() for path in paths)])
    asked = _asked(options)
    from karat.corpus.formats import opened
    from karat.evaluation.compare import compare

    readable, kind = opened(split_paths(gold), options["input"])
    refuse_treebank_folder(gold, systems, kind)
    if kind is not None:  # else: what is wrong with the gold comes before options that may not fit it
        check_kind(kind, options["like"])
        check_evalb_comparison(options)
    of_one = asked_of_one_gold(options, kind)
    return compare(readable, named, runs=runs, n_examples=options["n_examples"], **of_one, **asked)


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


def _from_counts(options: Mapping[str, Any]) -> Compared:
    from karat.evaluation.from_counts import compare_counts

    asked = "level margin effect power n_sentences assumed_design_effect"
    return compare_counts(_pair_counts(options["counts"]), **values_of(options, asked))


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
        missing = [name for name in ("YY", "YN", "NY", "NN") if name not in found]
        named = " and ".join(filter(None, [", ".join(missing[:-1]), missing[-1]]))
        are = "is" if len(missing) == 1 else "are"
        raise click.UsageError(f"--counts {text}: {named} {are} missing.")
    return PairCounts(found["YY"], found["YN"], found["NY"], found["NN"])
