"""`karat noise`: what can the real accuracy be when the gold has errors?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import (
    format_options,
    given,
    inference_from,
    input_options,
    named_paths,
    sampling_options,
    split_paths,
)
from karat.cli._output import say, show_result, write_file
from karat.cli._problems import show_problems, tell_inputs
from karat.errors import DataError

if TYPE_CHECKING:
    from karat.noise.results import InputsRead, NoiseResult

__all__ = ["command"]


@click.command("noise")
@click.argument("gold", required=False, metavar="[GOLD")
@click.argument("systems", nargs=-1, metavar="SYSTEM…]")
@click.option(
    "--lexicon",
    multiple=True,
    metavar="TRAIN",
    help="With files: what makes words ambiguous, a corpus or a file of words and their tags (repeatable).",
)
@click.option(
    "--other-error",
    type=float,
    metavar="C",
    help="With files: the share of wrong tags among words that are not ambiguous (default: as --corpus-error).",
)
@click.option(
    "--observed",
    multiple=True,
    metavar="[NAME=]K",
    help="A system's accuracy on ambiguous words, as measured on the noisy gold (repeatable).",
)
@click.option(
    "--corpus-error",
    "corpus_errors",
    multiple=True,
    type=float,
    metavar="C",
    help="The share of the gold's tags that are wrong, once or once a system.",
)
@click.option(
    "--ambiguity",
    "ambiguities",
    multiple=True,
    type=float,
    metavar="A",
    help="The mean number of tags of an ambiguous word, once or once a system.",
)
@click.option(
    "--p",
    "p",
    multiple=True,
    type=float,
    metavar="P",
    help="How often a system makes the gold's own error where both are wrong (repeatable; default: 1/(A-1) and 1).",
)
@click.option(
    "--u", type=float, metavar="U", help="A system's accuracy where the gold is wrong: fills in the evaluation's cases."
)
@click.option("--n", type=click.IntRange(min=1), help="The number of words: shows the naive intervals too.")
@click.option("--svg", metavar="FILE", help="Draw the intervals over p.")
@click.option("-o", "--output", metavar="FILE", help="With plan: the worklist to write.")
@click.option(
    "--budget", type=click.IntRange(min=1), default=200, show_default=True, help="With plan: how many tokens to judge."
)
@click.option(
    "--agreements",
    is_flag=True,
    help="With plan, of one system: also words on which it agrees with the gold (if C is not known).",
)
@click.option(
    "--judgements", multiple=True, metavar="FILE", help="With estimate: worklists with verdicts, one for each judge."
)
@click.option(
    "--priors",
    metavar="FILE",
    help="What is believed of C, u, p and t, as TOML: u = {beta = [9, 1]} (default: C as given, u and p uniform where "
    "reasonable, any t).",
)
@sampling_options
@input_options
@format_options
@click.pass_context
def command(context: click.Context, /, gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """What can the real accuracy be when the gold has errors?

    After Padró & Màrquez 1998: for each system the interval in which its accuracy on an error-free gold lies, if its
    errors are reasonable; for two systems whether one can be called better. From numbers, or from files: then words
    that have several tags in the lexicon are ambiguous, and intervals with sampling error are given too, also for all
    words. plan writes the tokens that a person should judge to know, estimate says what the verdicts mean (a gold file
    of such a name is written ./plan).

    \b
    karat noise --observed 0.9135 --observed 0.9282 --corpus-error 0.03 --ambiguity 2.5
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --n 50000 --svg x.svg
    karat noise gold.conllu ada.conllu bix.conllu --lexicon train.conllu --corpus-error 0.03
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv --budget 200
    karat noise estimate gold.conllu ada.conllu bix.conllu --judgements check.tsv
    """  # fmt: skip
    try:
        if gold in ("plan", "estimate"):
            return _check(context, gold, systems, options)
        return _bounds(context, gold, systems, options)
    except DataError as error:
        show_problems(error.problems, most=options["max_errors"])
        return error.exit_code


def _bounds(context: click.Context, gold: str | None, systems: Sequence[str], options: dict[str, Any]) -> int:
    for option in given(context, ("output", "budget", "agreements", "judgements")):
        raise click.UsageError(f"{option} goes with karat noise plan or karat noise estimate.")
    result = _from_numbers(context, options) if gold is None else _from_files(context, gold, systems, options)
    from karat.report import noise as report

    if options["svg"]:
        from karat.report.draw.noise import noise_figure

        write_file(options["svg"], noise_figure(result))
    _tell(result.read, result.warnings, options)
    show_result(result, options["format_"], lambda: report.noise_tables(result))
    return 0


def _tell(read: InputsRead, warnings: Sequence[str], options: dict[str, Any]) -> None:
    verbose, most = options["verbose"], options["max_errors"]
    tell_inputs(read.formats, read.oddities, warnings, read.skipped, verbose=verbose, most=most)


_OF_FILES = ("lexicon", "other_error", "cluster", "input_", "column")
_OF_NUMBERS = ("observed", "ambiguities", "n", "u")


def _from_numbers(context: click.Context, options: dict[str, Any]) -> NoiseResult:
    for option in given(context, (*_OF_FILES, "skip_bad")):
        raise click.UsageError(f"{option} goes with files: karat noise GOLD SYSTEM….")
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
        level=options["level"],
        priors=options["priors"],
        seed=options["seed"],
    )


def _from_files(context: click.Context, gold: str, systems: Sequence[str], options: dict[str, Any]) -> NoiseResult:
    for option in given(context, _OF_NUMBERS):
        raise click.UsageError(f"{option} does not go with files.")
    if not systems or not options["lexicon"] or len(options["corpus_errors"]) != 1:
        raise click.UsageError("Give systems, --lexicon and one --corpus-error, as well as the gold.")
    from karat.noise.from_files import noise_bounds_from_files

    return noise_bounds_from_files(
        split_paths(gold),
        {name: split_paths(path) for name, path in named_paths(systems).items()},
        lexicon=list(options["lexicon"]),
        corpus_error=options["corpus_errors"][0],
        other_error=options["other_error"],
        p=options["p"],
        column=options["column"],
        input=options["input_"],
        skip_bad=options["skip_bad"],
        inference=inference_from(options),
        priors=options["priors"],
    )


_NOT_OF_CHECKS = ("lexicon", "other_error", "observed", "ambiguities", "p", "u", "n", "svg", "priors")
_NOT_OF = {"plan": ("judgements", "corpus_errors"), "estimate": ("output", "budget", "agreements")}


def _check(context: click.Context, what: str, files: Sequence[str], options: dict[str, Any]) -> int:
    for option in given(context, (*_NOT_OF_CHECKS, *_NOT_OF[what])):
        raise click.UsageError(f"{option} does not go with karat noise {what}.")
    if len(files) < 2:
        raise click.UsageError(f"Give the gold and one or two systems: karat noise {what} GOLD SYSTEM….")
    gold, systems = split_paths(files[0]), {n: split_paths(path) for n, path in named_paths(files[1:]).items()}
    common = {
        "column": options["column"],
        "input": options["input_"],
        "skip_bad": options["skip_bad"],
        "inference": inference_from(options),
    }
    make = {"plan": _plan, "estimate": _estimate}[what]
    return make(gold, systems, options, common)


def _plan(gold: Any, systems: Any, options: dict[str, Any], common: dict[str, Any]) -> int:
    if options["output"] in (None, "-"):
        raise click.UsageError("Say where to write the worklist: -o FILE.")
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.noise.check import noise_plan
    from karat.noise.token_worklist import TOKEN_VERDICTS
    from karat.report import noise_check as report

    plan = noise_plan(gold, systems, budget=options["budget"], agreements=options["agreements"], **common)
    _tell(plan.read, (), options)
    keep_verdicts(options["output"], TOKEN_VERDICTS)
    write_worklist(options["output"], plan.worklist)
    say(f"{options['output']}: {len(plan.worklist.rows):,} tokens to judge")
    show_result(plan, options["format_"], lambda: report.plan_tables(plan))
    return 0


def _estimate(gold: Any, systems: Any, options: dict[str, Any], common: dict[str, Any]) -> int:
    if not options["judgements"] or len(options["corpus_errors"]) > 1:
        raise click.UsageError("Give --judgements FILE, and --corpus-error once at most.")
    from karat.noise.check import noise_estimate
    from karat.report import noise_check as report

    corpus_error = options["corpus_errors"][0] if options["corpus_errors"] else None
    found = noise_estimate(gold, systems, list(options["judgements"]), corpus_error=corpus_error, **common)
    _tell(found.read, (), options)
    show_result(found, options["format_"], lambda: report.estimate_tables(found))
    return 0


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
