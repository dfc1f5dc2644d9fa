"""`karat simulate`: corpora and systems whose truth is known."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._options import OUTPUT, Verb, option, values_of
from karat.cli._output import say, show_result
from karat.cli._shared_options import format_options

TEXT, SYSTEM = "Text and gold", "The system tup"
_MOST_TOKENS = 20_000_000  # more would need more memory than most machines have


@click.command("simulate", cls=Verb)
@option(
    "-o --output", OUTPUT, "Folder to write to: new, empty, or made by karat simulate.", required=True, metavar="DIR"
)
@option("--tokens", TEXT, "Number of tokens in the text.", default=20_000, type=click.IntRange(1, _MOST_TOKENS))
@option("--noise", TEXT, "Share of the gold's tags that are wrong.", default=0.03, metavar="C")
@option(
    "--over",
    TEXT,
    "C and t are shares of all or of ambiguous tokens; either way only ambiguous words get wrong tags.",
    default="all",
    choices=["all", "ambiguous"],
)
@option(
    "--kind",
    TEXT,
    "Kind of noise: independent for each token, or the same for a word in the same context, which taggers learn.",
    default="random",
    choices=["random", "systematic"],
)
@option("--documents", TEXT, "Number of documents in the text (default: one per 400 tokens).", number=int, least=1)
@option("--t", SYSTEM, "Accuracy of system-tup where the gold is right.", default=0.97)
@option("--u", SYSTEM, "Its accuracy where the gold is wrong.", default=0.6)
@option("--p", SYSTEM, "How often it makes the gold's own error, where both are wrong.", default=0.75)
@option("--clustering", SYSTEM, "Intraclass correlation of its errors.", default=0.0)
@option(
    "--cluster",
    SYSTEM,
    "Unit within which errors are correlated.",
    default="sentence",
    choices=["sentence", "document"],
)
@option("--seed", TEXT, "Random seed; the same seed makes the same files.", default=0, least=0)
@format_options
def command(output: str, **options: Any) -> None:
    """Make a corpus and systems whose truth is known, to see what a noisy gold does to scores.

    Writes truth.conllu and truth.ptb (true annotation of made-up text), gold.conllu (tags with noise), train.conllu
    (another text with the same kind of noise), and three systems: system-tup.conllu with the t, u and p of Padró &
    Màrquez 1998, system-mft.conllu and system-bigram.conllu, trained on train.conllu. README.txt and parameters.json
    say how they were made and how good each system really is.

    \b
    karat simulate -o sim --tokens 20000 --noise 0.03 --kind systematic
    karat score sim/gold.conllu sim/system-*.conllu --measure UPOS
    """  # fmt: skip
    from karat.report.simulation import simulation_report
    from karat.simulation.folder import simulate

    asked = "tokens noise over kind documents t u p clustering cluster seed"
    about = simulate(output, **values_of(options, asked))
    for note in about.notes:
        say(f"note: {note}")
    show_result(about, options, lambda: simulation_report(about))
