"""`karat noise`: what can the real accuracy be when the gold has errors?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import (
    format_options,
    given,
    inference_from,
    inference_options,
    input_options,
    named_paths,
    split_paths,
)
from karat.cli._output import print_result, say, write_file

if TYPE_CHECKING:
    from karat.inference.noise_priors import Priors
    from karat.inference.noisy_systems import NoiseResult

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
@click.option("--n", type=click.IntRange(min=1), help="The number of words: shows the naive intervals too.")
@click.option("--svg", metavar="FILE", help="Draw the intervals over p.")
@click.option(
    "--priors",
    metavar="FILE",
    help="What is believed of C, u and p, as TOML: u = {beta = [9, 1]} (default: C as given, u and p uniform where "
    "reasonable).",
)
@inference_options
@input_options
@format_options
@click.pass_context
def command(context: click.Context, /, gold: str | None, systems: tuple[str, ...], **options: Any) -> int:
    """What can the real accuracy be when the gold has errors?

    After Padró & Màrquez 1998: for each system the interval in which its accuracy on an error-free gold lies, if its
    errors are reasonable; for two systems whether one can be called better. From numbers, or from files: then words
    that have several tags in the lexicon are ambiguous, and intervals with sampling error are given too, also for all
    words.

    \b
    karat noise --observed 0.9135 --observed 0.9282 --corpus-error 0.03 --ambiguity 2.5
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --n 50000 --svg x.svg
    karat noise gold.conllu ada.conllu bix.conllu --lexicon train.conllu --corpus-error 0.03
    """  # fmt: skip
    result = _from_numbers(context, options) if gold is None else _from_files(context, gold, systems, options)
    from karat.report import noise as report

    if options["svg"]:
        from karat.report.draw.noise import noise_figure

        write_file(options["svg"], noise_figure(result))
    for warning in result.warnings:
        say(f"warning: {warning}")
    print_result(
        options["format_"],
        lambda: report.noise_json(result),
        lambda: report.noise_records(result),
        lambda: report.noise_tables(result),
        result.signature,
    )
    return 0


_OF_FILES = ("lexicon", "other_error", "cluster", "resamples", "level", "method", "jobs", "input_", "column")
_OF_NUMBERS = ("observed", "ambiguities", "n")


def _from_numbers(context: click.Context, options: dict[str, Any]) -> NoiseResult:
    for option in given(context, (*_OF_FILES, "skip_bad")):
        raise click.UsageError(f"{option} goes with files: karat noise GOLD SYSTEM….")
    if not options["observed"] or not options["corpus_errors"] or not options["ambiguities"]:
        raise click.UsageError("Give --observed, --corpus-error and --ambiguity, or files: karat noise GOLD SYSTEM….")
    from karat.inference.noisy_systems import noise_from_numbers

    return noise_from_numbers(
        _named(options["observed"]),
        options["corpus_errors"],
        options["ambiguities"],
        p=options["p"],
        n=options["n"],
        priors=_priors(options),
        seed=options["seed"],
    )


def _from_files(context: click.Context, gold: str, systems: Sequence[str], options: dict[str, Any]) -> NoiseResult:
    for option in given(context, (*_OF_NUMBERS, "resamples", "method", "jobs")):
        raise click.UsageError(f"{option} does not go with files.")
    if not systems or not options["lexicon"] or len(options["corpus_errors"]) != 1:
        raise click.UsageError("Give systems, --lexicon and one --corpus-error, as well as the gold.")
    from karat.inference.noise_from_files import noise_from_files

    return noise_from_files(
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
        priors=_priors(options),
    )


def _priors(options: dict[str, Any]) -> Priors | None:
    from karat.inference.noise_priors import priors_from_file

    return priors_from_file(options["priors"]) if options["priors"] else None


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
