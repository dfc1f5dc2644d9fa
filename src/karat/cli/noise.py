"""`karat noise`: what can the real accuracy be when the gold has errors?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import (
    HOW_SURE,
    OUTPUT,
    Verb,
    column_option,
    combined,
    details_option,
    format_options,
    input_option,
    made_from,
    max_errors_option,
    named_paths,
    option,
    options_from,
    refuse,
    skip_bad_option,
    split_paths,
    verbose_option,
)
from karat.cli._output import say, show_result, write_file
from karat.cli._problems import tell_inputs
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.noise.results import InputsRead, NoiseResult

__all__ = ["command"]

NUMBERS, FILES, CHECK = "From numbers", "From files", "What to judge"
_COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel")

_reading = combined(
    [
        input_option(),
        column_option(_COLUMNS, "Which column the tags are in, or what the tags of plain tagged text are."),
        skip_bad_option,
        max_errors_option,
        verbose_option,
    ]
)
_sampling = options_from(InferenceOptions, HOW_SURE, ["cluster", "level", "seed"])
_CLUSTER_OF_CHECK = option(
    "--cluster",
    group=HOW_SURE,
    metavar="sentence|document|FILE",
    help="Also allow for the sampling error of the corpus, in whole sentences, documents or groups; FILE names a group "
    "for each gold sentence, one per line (default: none; the result is about this corpus alone).",
)
_error_option = option(
    "--corpus-error",
    "corpus_errors",
    group=NUMBERS,
    multiple=True,
    type=float,
    metavar="C",
    help="Share of the gold's tags that are wrong, given once, or once per system.",
)


class _Noise(click.Group):
    """plan and estimate, and bounds, which is meant where neither is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_named = args and args[0] in self.commands
        return super().parse_args(ctx, args if is_named else ["bounds", *args])


class _Bounds(Verb):
    """`karat noise` itself; its help names the commands below it too."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        assert ctx.parent is not None
        formatter.write_usage(ctx.parent.command_path, " ".join(self.collect_usage_pieces(ctx)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        others = [(f"karat noise {one.name}", one.get_short_help_str(90)) for one in (plan_command, estimate_command)]
        with formatter.section("Commands (each with its own --help)"):
            formatter.write_dl(others)


@click.group("noise", cls=_Noise)
def command() -> None:
    """What can the real accuracy be when the gold has errors?"""


@command.command("bounds", cls=_Bounds)
@click.argument("gold", required=False, metavar="[GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM…]")
@option(
    "--observed",
    group=NUMBERS,
    multiple=True,
    metavar="[NAME=]K",
    help="A system's accuracy on ambiguous words, as measured on the noisy gold (repeatable).",
)
@_error_option
@option(
    "--ambiguity",
    "ambiguities",
    group=NUMBERS,
    multiple=True,
    type=float,
    metavar="A",
    help="Mean number of tags of an ambiguous word, given once, or once per system.",
)
@option(
    "--p",
    "p",
    group=NUMBERS,
    multiple=True,
    type=float,
    metavar="P",
    help="How often a system makes the gold's own error where both are wrong. Given once, bounds and verdict are for "
    "this P; given several times, --details and --svg show each (default: all P from 1/(A-1) to 1).",
)
@option(
    "--u",
    group=NUMBERS,
    type=float,
    metavar="U",
    help="A system's accuracy where the gold is wrong: fills in the evaluation's cases.",
)
@option(
    "--n", group=NUMBERS, type=click.IntRange(min=1), metavar="N", help="Number of words: shows naive intervals too."
)
@option(
    "--ambiguous-share",
    "ambiguous_shares",
    group=NUMBERS,
    multiple=True,
    type=float,
    metavar="S",
    help="Share of words that are ambiguous, given once, or once per system: shows the accuracy on all words too; the "
    "others are assumed right.",
)
@option(
    "--lexicon",
    group=FILES,
    multiple=True,
    metavar="TRAIN",
    help="What makes words ambiguous: a corpus, or a file of words and their tags (repeatable).",
)
@option(
    "--other-error",
    group=FILES,
    type=float,
    metavar="C",
    help="Share of the gold's tags that are wrong among words that are not ambiguous (default: as --corpus-error; with "
    "--ambiguous-share, 0).",
)
@option(
    "--priors",
    group=HOW_SURE,
    metavar="FILE",
    help="What is believed of C, u, p and t, as TOML: u = {beta = [9, 1]} (default: C as given, u and p uniform where "
    "reasonable, any t).",
)
@_sampling
@_reading
@option("--svg", group=OUTPUT, metavar="FILE", help="Draw the intervals over p, or for each --p given.")
@details_option
@format_options
@click.pass_context
def bounds_command(context: click.Context, /, gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """What can the real accuracy be when the gold has errors?

    After Padró & Màrquez 1998: between what each system's accuracy on an error-free gold lies, if its errors are
    reasonable, and which of two systems is better. From numbers, or from files: then words that have several tags in
    the lexicon are ambiguous, and there are intervals with sampling error, also for all words. plan writes the tokens
    that people should judge to know, estimate says what their verdicts mean (a gold file of that name: ./plan).

    \b
    karat noise --observed 0.9135 --observed 0.9282 --corpus-error 0.03 --ambiguity 2.5
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --ambiguous-share 0.363
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --p 1 --svg figure.svg
    karat noise gold.conllu ada.conllu bix.conllu --lexicon train.conllu --corpus-error 0.03
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --budget 200
    karat noise estimate gold.conllu ada.conllu bix.conllu --judgements check.tsv
    """  # fmt: skip
    result = _from_numbers(context, options) if gold is None else _from_files(context, gold, systems, options)
    from karat.report import noise as report

    if options["svg"]:
        from karat.report.draw.noise import noise_figure

        write_file(options["svg"], noise_figure(result))
    _tell(result.read, result.warnings, options)
    show_result(
        result,
        options["format_"],
        lambda: report.noise_report(result, details=options["details"]),
        details=options["details"],
    )
    return 0


def _tell(read: InputsRead, warnings: Sequence[str], options: dict[str, Any]) -> None:
    tell_inputs(read.formats, read.oddities, warnings, read.skipped, options)


_OF_FILES = ("lexicon", "cluster", "input_", "column", "skip_bad")
_OF_NUMBERS = ("observed", "ambiguities", "ambiguous_shares", "n", "u")


def _from_numbers(context: click.Context, options: dict[str, Any]) -> NoiseResult:
    refuse(context, _OF_FILES, "goes with files: karat noise GOLD SYSTEM…")
    if not options["observed"] or not options["corpus_errors"] or not options["ambiguities"]:
        raise click.UsageError("Give --observed, --corpus-error and --ambiguity, or files: karat noise GOLD SYSTEM….")
    from karat.noise.from_numbers import noise_bounds

    return noise_bounds(
        _named(options["observed"]),
        options["corpus_errors"],
        options["ambiguities"],
        p=options["p"],
        u=options["u"],
        n=options["n"],
        ambiguous_share=options["ambiguous_shares"] or None,
        other_error=options["other_error"],
        level=options["level"],
        priors=options["priors"],
        seed=options["seed"],
    )


def _from_files(context: click.Context, gold: str, systems: Sequence[str], options: dict[str, Any]) -> NoiseResult:
    refuse(context, _OF_NUMBERS, "does not go with files")
    if not systems or not options["lexicon"] or len(options["corpus_errors"]) != 1:
        raise click.UsageError("Give systems, --lexicon and one --corpus-error, as well as the gold.")
    from karat.noise.from_files import noise_bounds_from_files

    return noise_bounds_from_files(
        split_paths(gold),
        _systems(systems),
        lexicon=list(options["lexicon"]),
        corpus_error=options["corpus_errors"][0],
        other_error=options["other_error"],
        p=options["p"],
        priors=options["priors"],
        **_as_asked(options),
    )


def _systems(paths: Sequence[str]) -> dict[str, str | list[str]]:
    return {name: split_paths(path) for name, path in named_paths(paths).items()}


def _as_asked(options: dict[str, Any]) -> dict[str, Any]:
    """How files are read and sampled."""
    return {
        "column": options["column"],
        "input": options["input_"],
        "skip_bad": options["skip_bad"],
        "inference": made_from(InferenceOptions, options),
    }


def _named(texts: Sequence[str]) -> dict[str, float]:
    """The observed accuracies by name: that given, or T1, T2, …"""
    found: dict[str, float] = {}
    for number, text in enumerate(texts, start=1):
        name, equals, value = text.rpartition("=")
        name = name if equals and name else f"T{number}"
        try:
            observed = float(value)
        except ValueError:
            raise click.UsageError(f"--observed {text}: write an accuracy, as in 0.9135 or hmm=0.9135.") from None
        if name in found:
            raise click.UsageError(f"--observed {text}: two systems are called {name!r}.")
        found[name] = observed
    return found


# ---- which tokens to judge, and what the verdicts say ----------------------------------------------------------------


@command.command("plan", cls=Verb)
@click.argument("gold", metavar="GOLD")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM [SYSTEM]")
@option("-o", "--output", group=CHECK, metavar="FILE", help="The worklist to write.")
@option(
    "--budget",
    group=CHECK,
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="How many tokens to judge.",
)
@option(
    "--agreements",
    group=CHECK,
    is_flag=True,
    help="For one system: also words on which it agrees with the gold, if C is not known.",
)
@option(
    "--judges",
    group=CHECK,
    type=click.IntRange(min=1),
    metavar="N",
    help="How many people judge: with -o check.tsv, check.1.tsv goes to the first (default: 1, in one file).",
)
@option(
    "--judge",
    "judge_names",
    group=CHECK,
    multiple=True,
    metavar="NAME",
    help="Name of a judge, which becomes part of the file's name: check.NAME.tsv (repeatable).",
)
@option(
    "--overlap",
    group=CHECK,
    type=click.IntRange(min=0),
    metavar="N",
    help="How many of the tokens go to all judges: they tell how often judges err (default: 50).",
)
@_sampling
@_reading
@details_option
@format_options
def plan_command(gold: str, systems: tuple[str, ...], **options: Any) -> int:
    """Which tokens should people judge to know which of two SYSTEMs is really better, or how good one is?

    Writes a worklist: the tokens that decide most, in random order, with the tags of gold and systems shuffled. People
    write the letter of the right tag into the column verdict; karat noise estimate says what that means. With several
    judges each gets a file, and some tokens go to all of them.

    \b
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --budget 200
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --judges 2 --overlap 50
    """  # fmt: skip
    if options["output"] in (None, "-"):
        raise click.UsageError("Say where to write the worklist: -o FILE.")
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.noise.human_check import noise_plan
    from karat.noise.token_worklist import TOKEN_VERDICTS
    from karat.report import noise_check as report

    names, n_judges = options["judge_names"], options["judges"]
    if names and n_judges not in (None, len(names)):
        raise click.UsageError(
            f"--judges {n_judges} does not go with {len(names)} name{'s' if len(names) > 1 else ''}."
        )
    plan = noise_plan(
        split_paths(gold),
        _systems(systems),
        budget=options["budget"],
        agreements=options["agreements"],
        judges=list(names) or n_judges or 1,
        overlap=options["overlap"],
        **_as_asked(options),
    )
    _tell(plan.read, (), options)
    several = bool(names) or len(plan.worklists) > 1
    paths = {name: _of_judge(options["output"], name) if several else options["output"] for name in plan.worklists}
    for path in paths.values():
        keep_verdicts(path, TOKEN_VERDICTS)
    for name, worklist in plan.worklists.items():
        write_worklist(paths[name], worklist)
        say(f"{paths[name]}: {len(worklist.rows):,} tokens to judge")
    show_result(
        plan,
        options["format_"],
        lambda: report.plan_report(plan, details=options["details"]),
        details=options["details"],
    )
    return 0


def _of_judge(path: str, name: str) -> str:
    """The path of a judge's file: the name comes before the ending, check.tsv.gz is check.NAME.tsv.gz."""
    folder, file = os.path.split(path)
    stem, dot, endings = file[1:].partition(".")  # a dot in front hides a file
    return os.path.join(folder, f"{file[:1]}{stem}.{name}{dot}{endings}")


@command.command("estimate", cls=Verb)
@click.argument("gold", metavar="GOLD")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM [SYSTEM]")
@option(
    "--judgements",
    group=CHECK,
    multiple=True,
    required=True,
    metavar="FILE",
    help="A worklist with verdicts, one for each judge (repeatable).",
)
@option(
    "--corpus-error",
    group=CHECK,
    type=float,
    metavar="C",
    help="For one system: share of the gold's tags that are wrong, if it is known.",
)
@_CLUSTER_OF_CHECK
@options_from(InferenceOptions, HOW_SURE, ["level", "seed"])
@_reading
@details_option
@format_options
def estimate_command(gold: str, systems: tuple[str, ...], **options: Any) -> int:
    """What do people's verdicts say about the real accuracy of a SYSTEM, or the difference between two?

    Where two or more judges have judged the same rows, their errors are estimated and corrected for. Otherwise the
    result is given for several rates of such errors.

    \b
    karat noise estimate gold.conllu ada.conllu bix.conllu --judgements check.tsv
    karat noise estimate gold.conllu ada.conllu --judgements ina.tsv --judgements jan.tsv --corpus-error 0.03
    """  # fmt: skip
    from karat.noise.human_check import noise_estimate
    from karat.report import noise_check as report

    found = noise_estimate(
        split_paths(gold),
        _systems(systems),
        list(options["judgements"]),
        corpus_error=options["corpus_error"],
        **_as_asked(options),
    )
    _tell(found.read, found.warnings, options)
    show_result(
        found,
        options["format_"],
        lambda: report.estimate_report(found, details=options["details"]),
        details=options["details"],
    )
    return 0
