"""`karat simulate`: corpora and systems whose truth is known."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._options import OUTPUT, Verb, format_options, option
from karat.cli._output import say, show_result

__all__ = ["command"]

TEXT, SYSTEM = "Text and gold", "The system tup"
_MOST_TOKENS = 20_000_000  # more would need more memory than most machines have


@click.command("simulate", cls=Verb)
@option(
    "-o", "--output", group=OUTPUT, required=True, metavar="DIR", help="Folder to write to: new, empty, or from before."
)
@option(
    "--tokens", group=TEXT, type=click.IntRange(1, _MOST_TOKENS), default=20_000, show_default=True, help="Of the text."
)
@option(
    "--noise",
    group=TEXT,
    type=float,
    default=0.03,
    show_default=True,
    metavar="C",
    help="Share of the gold's tags that are wrong.",
)
@option(
    "--over",
    group=TEXT,
    type=click.Choice(["all", "ambiguous"]),
    default="all",
    show_default=True,
    help="The tokens of which C and t are shares; either way only ambiguous words get wrong tags.",
)
@option(
    "--kind",
    group=TEXT,
    type=click.Choice(["random", "systematic"]),
    default="random",
    show_default=True,
    help="Of noise: each token for itself, or the same word in the same context always alike, as taggers learn it.",
)
@option("--documents", group=TEXT, type=click.IntRange(min=1), help="Of the text (default: one for 400 tokens).")
@option(
    "--t",
    "t",
    group=SYSTEM,
    type=float,
    default=0.97,
    show_default=True,
    help="Accuracy of system-tup where the gold is right.",
)
@option(
    "--u", "u", group=SYSTEM, type=float, default=0.6, show_default=True, help="Its accuracy where the gold is wrong."
)
@option(
    "--p",
    "p",
    group=SYSTEM,
    type=float,
    default=0.75,
    show_default=True,
    help="How often it makes the gold's own error, where both are wrong.",
)
@option(
    "--clustering",
    group=SYSTEM,
    type=float,
    default=0.0,
    show_default=True,
    help="Intraclass correlation of its errors.",
)
@option(
    "--cluster",
    group=SYSTEM,
    type=click.Choice(["sentence", "document"]),
    default="sentence",
    show_default=True,
    help="Within what they are correlated.",
)
@option(
    "--seed",
    group=TEXT,
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed makes the same files.",
)
@format_options
def command(output: str, format_: str, **options: Any) -> int:
    """Make a corpus and systems whose truth is known, to try out what a noisy gold does to scores.

    Writes truth.conllu and truth.ptb (true annotation of made-up text), gold.conllu (tags with noise), train.conllu
    (another text with such noise), and three systems: system-tup.conllu with the t, u and p of Padró & Màrquez 1998,
    system-mft.conllu and system-bigram.conllu, trained on train.conllu. README.txt and parameters.json say how they
    were made and how good each system really is.

    \b
    karat simulate -o sim --tokens 20000 --noise 0.03 --kind systematic
    karat score sim/gold.conllu sim/system-*.conllu --measure UPOS
    """  # fmt: skip
    from karat.report.simulation import simulation_report
    from karat.simulation.folder import simulate

    about = simulate(output, **options)
    for note in about.notes:
        say(f"note: {note}")
    show_result(about, format_, lambda: simulation_report(about))
    return 0
