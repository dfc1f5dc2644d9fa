"""`karat noise`: what can the real accuracy be when the gold has errors?"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from karat.cli._arguments import named_inputs, split_paths
from karat.cli._options import (
    HOW_SURE,
    OUTPUT,
    Verb,
    combined,
    first_sentence,
    made_from,
    option,
    options_from,
    refuse,
    values_of,
)
from karat.cli._output import say, say_later, show_inputs, show_result, write_file
from karat.cli._shared_options import (
    column_option,
    detailed_output_options,
    input_option,
    page_options,
    problem_options,
    skip_bad_option,
)
from karat.cli._worklists import carried_over, carry_option, read_worklists
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.noise.results import InputsRead, NoiseResult

NUMBERS, FILES, CHECK = "From numbers", "From files", "What to judge"
_COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel")

_reading = combined(
    [
        input_option(),
        column_option(_COLUMNS, "Column of the tags, also for plain tagged text."),
        skip_bad_option,
        problem_options,
    ]
)
_sampling = options_from(InferenceOptions, HOW_SURE, ["cluster", "level", "seed"])


class _Noise(click.Group):
    """plan and estimate, and bounds, which is meant where neither is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_named = args and args[0] in self.commands
        is_completed = ctx.resilient_parsing and not args
        return super().parse_args(ctx, args if is_named or is_completed else ["bounds", *args])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The two that are named, or the options and files of bounds."""
        named = [CompletionItem(name) for name in ("plan", "estimate") if name.startswith(incomplete)]
        if incomplete.startswith("-"):
            bounds = self.commands["bounds"]
            return bounds.shell_complete(click.Context(bounds, parent=ctx), incomplete)
        return named or [CompletionItem(incomplete, type="file")]


class _BoundsContext(click.Context):
    """bounds goes by the name of its group, in its help and where its usage is wrong."""

    @property
    def command_path(self) -> str:
        assert self.parent is not None
        return self.parent.command_path


class _Bounds(Verb):
    """`karat noise` itself; its help names the commands below it too."""

    context_class = _BoundsContext

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        others = [(f"karat noise {one.name}", first_sentence(one)) for one in (plan_command, estimate_command)]
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
    NUMBERS,
    "A system's accuracy on ambiguous words, as measured on the noisy gold (repeatable).",
    is_repeatable=True,
    metavar="[NAME=]K",
)
@option(
    "--corpus-error",
    NUMBERS,
    "Share of the gold's tags that are wrong, given once, or once per system.",
    number=float,
    is_repeatable=True,
    metavar="C",
)
@option(
    "--ambiguity",
    NUMBERS,
    "Mean number of tags of an ambiguous word, given once, or once per system.",
    number=float,
    is_repeatable=True,
    metavar="A",
)
@option(
    "--p",
    NUMBERS,
    "How often a system makes the gold's own error where both are wrong. Given once, bounds and verdict are for "
    "this P; given several times, --details and --svg show each (default: all P from 1/(A-1) to 1).",
    number=float,
    is_repeatable=True,
    metavar="P",
)
@option(
    "--u",
    NUMBERS,
    "A system's accuracy where the gold is wrong; shows how the evaluation errs.",
    number=float,
    metavar="U",
)
@option("--n", NUMBERS, "Number of words; also shows naive intervals.", number=int, least=1, metavar="N")
@option(
    "--ambiguous-share",
    NUMBERS,
    "Share of words that are ambiguous, given once, or once per system; also shows the accuracy on all words, the "
    "others being assumed right.",
    number=float,
    is_repeatable=True,
    metavar="S",
)
@option(
    "--lexicon",
    FILES,
    "Lexicon that shows which words are ambiguous: a corpus, or a file of words and their tags (repeatable).",
    is_repeatable=True,
    metavar="TRAIN",
)
@option(
    "--other-error",
    FILES,
    "Share of the gold's tags that are wrong among words that are not ambiguous (default: as --corpus-error; with "
    "--ambiguous-share, 0).",
    number=float,
    metavar="C",
)
@option(
    "--priors",
    HOW_SURE,
    "Priors for C, u, p and t, as TOML: u = {beta = [9, 1]} (default: C as given, u and p uniform where reasonable, "
    "any t).",
    metavar="FILE",
)
@_sampling
@_reading
@option("--svg", OUTPUT, "Plot the intervals over p, or for each --p given.", metavar="FILE")
@page_options
@detailed_output_options
def bounds_command(gold: str | None, systems: tuple[str, ...], **options: Any) -> None:
    """What can the real accuracy be when the gold has errors?

    Bounds each system's accuracy on an error-free gold, if its errors are reasonable, and tells which of two systems is
    better (Padró & Màrquez 1998). Takes numbers or files. With files, words that have several tags in the lexicon are
    ambiguous, and intervals include sampling error, also for all words. plan chooses the tokens that people should
    judge to find out more, estimate reports what their verdicts mean (for a gold file of that name write ./plan).

    \b
    karat noise --observed 0.9135 --observed 0.9282 --corpus-error 0.03 \\
        --ambiguity 2.5
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 \\
        --ambiguity 2.5 --ambiguous-share 0.363
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 \\
        --ambiguity 2.5 --p 1 --svg figure.svg
    karat noise gold.conllu ada.conllu bix.conllu --lexicon train.conllu \\
        --corpus-error 0.03
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --budget 200
    karat noise estimate gold.conllu ada.conllu bix.conllu --judgements check.tsv
    """  # fmt: skip
    result = _from_numbers(options) if gold is None else _from_files(gold, systems, options)
    from karat.report.noise import noise_report

    if options["svg"]:
        from karat.report.draw.noise import noise_figure

        write_file(options["svg"], noise_figure(result).svg)
    _show_inputs(result.read, result.warnings, options)
    show_result(result, options, lambda: noise_report(result, details=options["details"]))


def _show_inputs(read: InputsRead, warnings: Sequence[str], options: Mapping[str, Any]) -> None:
    show_inputs(options, read.formats, read.oddities, warnings, read.skipped)


def _from_numbers(options: Mapping[str, Any]) -> NoiseResult:
    refuse(("lexicon", "cluster", "input", "column", "skip_bad"), "requires files: karat noise GOLD SYSTEM…")
    if not options["observed"] or not options["corpus_error"] or not options["ambiguity"]:
        raise click.UsageError("Give --observed, --corpus-error and --ambiguity, or files: karat noise GOLD SYSTEM…")
    from karat.noise.from_numbers import noise_bounds

    return noise_bounds(
        _named(options["observed"]),
        ambiguous_share=options["ambiguous_share"] or None,
        **values_of(options, "corpus_error ambiguity p u n other_error level priors seed"),
    )


def _from_files(gold: str, systems: Sequence[str], options: Mapping[str, Any]) -> NoiseResult:
    refuse(("observed", "ambiguity", "ambiguous_share", "n", "u"), "cannot be used with files")
    missing = ["a system"] if not systems else []
    missing += ["--lexicon"] if not options["lexicon"] else []
    missing += ["one --corpus-error"] if len(options["corpus_error"]) != 1 else []
    if missing:
        raise click.UsageError(f"With a gold, {' and '.join(missing)} must be given, too.")
    from karat.noise.from_files import noise_bounds_from_files

    return noise_bounds_from_files(
        split_paths(gold),
        named_inputs(systems),
        corpus_error=options["corpus_error"][0],
        **values_of(options, "lexicon other_error p priors"),
        **_reading_and_inference(options),
    )


def _reading_and_inference(options: Mapping[str, Any]) -> dict[str, Any]:
    """How files are read and sampled."""
    return {**values_of(options, "column input skip_bad"), "inference": made_from(InferenceOptions, options)}


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
@option("-o --output", CHECK, "Write the worklist to this file.", metavar="FILE")
@carry_option(CHECK)
@option("--budget", CHECK, "Number of tokens to judge.", default=200, least=1, metavar="N")
@option(
    "--agreements",
    CHECK,
    "For one system: also judge words on which it agrees with the gold, if C is unknown.",
    default=False,
)
@option(
    "--judges",
    CHECK,
    "Number of judges: with -o check.tsv, the first gets check.1.tsv (default: 1, in one file).",
    number=int,
    least=1,
    metavar="N",
)
@option(
    "--judge judge_names",
    CHECK,
    "Name of a judge, used in the file name: check.NAME.tsv (repeatable).",
    is_repeatable=True,
    metavar="NAME",
)
@option(
    "--overlap",
    CHECK,
    "Number of tokens that all judges get, to estimate how often judges err (default: 50).",
    number=int,
    least=0,
    metavar="N",
)
@_sampling
@_reading
@detailed_output_options
def plan_command(gold: str, systems: tuple[str, ...], **options: Any) -> None:
    """Which tokens should people judge to know which of two SYSTEMs is really better, or how good one is?

    Writes a worklist: the most informative tokens, in random order, with the tags of gold and systems shuffled. People
    write the letter of the right tag into the column verdict; karat noise estimate then evaluates the verdicts. With
    several judges, each gets a file, and some tokens go to all of them.

    \b
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --budget 200
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --judges 2 \\
        --overlap 50
    """  # fmt: skip
    if options["output"] in (None, "-"):
        raise click.UsageError("Give the worklist to write: -o FILE.")
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.noise.complete_lists import judge_of
    from karat.noise.human_check import noise_plan
    from karat.noise.token_worklist import TOKEN_VERDICTS, token_question
    from karat.report.noise_check import plan_report

    names, n_judges = options["judge_names"], options["judges"]
    if names and n_judges not in (None, len(names)):
        raise click.UsageError(f"--judges {n_judges} does not match {len(names)} name{'s' if len(names) > 1 else ''}.")
    plan = noise_plan(
        split_paths(gold),
        named_inputs(systems),
        judges=names or n_judges or 1,
        **values_of(options, "budget agreements overlap"),
        **_reading_and_inference(options),
    )
    _show_inputs(plan.read, (), options)
    several = bool(names) or len(plan.worklists) > 1
    paths = {name: _of_judge(options["output"], name) if several else options["output"] for name in plan.worklists}
    for path in paths.values():
        keep_verdicts(path, TOKEN_VERDICTS)
    old = read_worklists(options["carry"], TOKEN_VERDICTS)
    for name, worklist in plan.worklists.items():
        own = [one for one in old if not several or judge_of(one) == name]
        worklist = carried_over(worklist, own, token_question)
        write_worklist(paths[name], worklist)
        say(f"{paths[name]}: {len(worklist.rows):,} tokens to judge")
    lists = shlex.join(part for path in paths.values() for part in ("--judgements", path))
    review = shlex.join(["karat", "review", *paths.values()])
    say_later(f"next: {review}, or fill in the column verdict; then karat noise estimate … {lists}")
    show_result(plan, options, lambda: plan_report(plan, details=options["details"]))


def _of_judge(path: str, name: str) -> str:
    """The path of a judge's file: the name comes before the ending, check.tsv.gz is check.NAME.tsv.gz."""
    from karat.review.list_names import file_of_judge

    return file_of_judge(path, name)


@command.command("estimate", cls=Verb)
@click.argument("gold", metavar="GOLD")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM [SYSTEM]")
@option(
    "--judgements",
    CHECK,
    "Worklist with verdicts, one per judge (repeatable).",
    is_repeatable=True,
    required=True,
    metavar="FILE",
)
@option(
    "--corpus-error",
    CHECK,
    "For one system: share of the gold's tags that are wrong, if known.",
    number=float,
    metavar="C",
)
@option(
    "--cluster",
    HOW_SURE,
    "Also include the sampling error of the corpus, by sentence, document or group; FILE names a group for each "
    "gold sentence, one per line (default: none; the result is about this corpus alone).",
    metavar="sentence|document|FILE",
)
@options_from(InferenceOptions, HOW_SURE, ["level", "seed"])
@_reading
@page_options
@detailed_output_options
def estimate_command(gold: str, systems: tuple[str, ...], **options: Any) -> None:
    """What do people's verdicts say about the real accuracy of a SYSTEM, or the difference between two?

    If two or more judges have judged the same rows, their errors are estimated and corrected for. Otherwise the result
    is shown for several error rates of judges.

    \b
    karat noise estimate gold.conllu ada.conllu bix.conllu --judgements check.tsv
    karat noise estimate gold.conllu ada.conllu --judgements ina.tsv \\
        --judgements jan.tsv --corpus-error 0.03
    """  # fmt: skip
    from karat.noise.human_check import noise_estimate
    from karat.report.noise_check import estimate_report

    found = noise_estimate(
        split_paths(gold),
        named_inputs(systems),
        **values_of(options, "judgements corpus_error"),
        **_reading_and_inference(options),
    )
    _show_inputs(found.read, found.warnings, options)
    show_result(found, options, lambda: estimate_report(found, details=options["details"]))
