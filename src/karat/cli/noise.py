"""`karat noise`: what can the real accuracy be when the gold has errors?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from karat.cli._options import format_options
from karat.cli._output import print_result, say, write_file

__all__ = ["command"]


@click.command("noise")
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
@format_options
def command(observed: tuple[str, ...], **options: Any) -> int:
    """What can the real accuracy be when the gold has errors?

    From numbers alone, after Padró & Màrquez 1998: for each system the interval in which its accuracy on an error-free
    gold lies, if its errors are reasonable; for two systems whether one can be called better.

    \b
    karat noise --observed 0.9135 --observed 0.9282 --corpus-error 0.03 --ambiguity 2.5
    karat noise --observed hmm=0.9135 --observed crf=0.9282 --corpus-error 0.03 --ambiguity 2.5 --n 50000 --svg x.svg
    """  # fmt: skip
    if not observed or not options["corpus_errors"] or not options["ambiguities"]:
        raise click.UsageError("Give --observed, --corpus-error and --ambiguity.")
    from karat.inference.noisy_systems import noise_from_numbers
    from karat.report import noise as report

    result = noise_from_numbers(
        _named(observed), options["corpus_errors"], options["ambiguities"], p=options["p"], n=options["n"]
    )
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
