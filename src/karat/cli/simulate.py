"""`karat simulate`: corpora and systems whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import format_options
from karat.cli._output import print_result, say

if TYPE_CHECKING:
    from karat.result import Cell, Table
    from karat.simulation._described import Described
    from karat.simulation._known_truth import Settings

__all__ = ["command"]

_MOST_TOKENS = 20_000_000  # more would need more memory than most machines have


@click.command("simulate")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder to write to: new, empty, or from before.")
@click.option("--tokens", type=click.IntRange(1, _MOST_TOKENS), default=20_000, show_default=True, help="Of the text.")
@click.option(
    "--noise", type=float, default=0.03, show_default=True, metavar="C", help="Share of the gold's tags that are wrong."
)
@click.option(
    "--over",
    type=click.Choice(["all", "ambiguous"]),
    default="all",
    show_default=True,
    help="The tokens of which C and t are shares; either way only ambiguous words get wrong tags.",
)
@click.option(
    "--kind",
    type=click.Choice(["random", "systematic"]),
    default="random",
    show_default=True,
    help="Of noise: each token for itself, or the same word in the same context always alike, as taggers learn it.",
)
@click.option("--documents", type=click.IntRange(min=1), help="Of the text (default: one for 400 tokens).")
@click.option(
    "--t", "t", type=float, default=0.97, show_default=True, help="Accuracy of system-tup where the gold is right."
)
@click.option("--u", "u", type=float, default=0.6, show_default=True, help="Its accuracy where the gold is wrong.")
@click.option(
    "--p",
    "p",
    type=float,
    default=0.75,
    show_default=True,
    help="How often it makes the gold's own error, where both are wrong.",
)
@click.option("--clustering", type=float, default=0.0, show_default=True, help="Intraclass correlation of its errors.")
@click.option(
    "--cluster",
    type=click.Choice(["sentence", "document"]),
    default="sentence",
    show_default=True,
    help="Within what they are correlated.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed makes the same files."
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
    from karat.simulation._described import described, described_json
    from karat.simulation._known_truth import known_truth
    from karat.simulation.folder import check_folder, write_folder

    check_folder(output)
    known = known_truth(_settings(options))
    about = described(known)
    if options["p"] < about.lowest_p:
        why = "words of two tags leave no other error than the gold's"
        say(f"note: p can be no lower than {about.lowest_p:.3f} with u = {options['u']:g}: {why}")
    digests = write_folder(output, known, about)
    print_result(
        format_,
        lambda: described_json(about, digests),
        lambda: _records(about),
        lambda: [_text_table(about), _systems_table(about)],
        about.signature,
    )
    return 0


def _settings(options: Mapping[str, Any]) -> Settings:
    from karat.simulation._known_truth import Settings

    return Settings(
        n_tokens=options["tokens"],
        noise=options["noise"],
        kind=options["kind"],
        over=options["over"],
        n_documents=options["documents"],
        t=options["t"],
        u=options["u"],
        p=options["p"],
        clustering=options["clustering"],
        by=options["cluster"],
        seed=options["seed"],
    )


def _text_table(about: Described) -> Table:
    """What was made, and how much of the gold is wrong."""
    from karat.result import Table

    rows: list[list[Cell]] = [
        ["tokens", about.settings.n_tokens],
        ["sentences", about.n_sentences],
        ["documents", about.n_documents],
        ["ambiguous tokens", _percent(about.ambiguous_share)],
        ["tags of an ambiguous word", None if about.ambiguity is None else f"{about.ambiguity:.2f}"],
        [f"wrong in gold.conllu ({about.settings.kind})", _percent(about.gold_error["all"])],
        ["of ambiguous tokens", _percent(about.gold_error["ambiguous"])],
        ["wrong in train.conllu", _percent(about.training_error["all"])],
    ]
    return Table(["text", ""], rows)


def _systems_table(about: Described) -> Table:
    """How good the systems are, really and by the gold."""
    from karat.result import Table

    rows: list[list[Cell]] = []
    for system in about.systems:
        for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
            shares = (found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
            rows.append([system.name, over, *map(_percent, shares)])
    notes = ["true: by truth.conllu; observed: by gold.conllu; t: where the gold is right; u: where it is wrong;"]
    notes.append("p: the gold's own error, where both are wrong.")
    return Table(["system", "tokens", "true", "observed", "t", "u", "p"], rows, "", notes)


def _records(about: Described) -> Table:
    """One row a system and kind of tokens: plain numbers for programs."""
    from karat.result import Table

    rows: list[list[Cell]] = []
    for system in about.systems:
        for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
            values = (found.corpus_error, found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
            rows.append([system.name, over, found.n_tokens, *values])
    columns = ["system", "over", "tokens", "corpus_error", "true_accuracy", "observed_accuracy", "t", "u", "p"]
    return Table(columns, rows)


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.2f} %"
