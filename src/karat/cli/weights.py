"""`karat weights`: what is each grammatical category worth?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli._options import format_options, split_paths
from karat.cli._output import print_result, say, write_file

if TYPE_CHECKING:
    from karat.weights import Weights

__all__ = ["command"]


@click.group("weights")
def command() -> None:
    """What is each grammatical category worth: by ambiguity, by corpus queries, by grammar rules?

    Each makes a TOML file that says how it was made, for karat score --tagset … --weights FILE.
    """


def _written(weights: Weights, output: str | None, format_: str, notes: list[str]) -> int:
    """Write the weights to the file, and show them."""
    from karat.report import weights as report
    from karat.weights import weights_text

    if output:
        write_file(output, weights_text(weights))
        say(f"{output}: written")
    print_result(
        format_,
        lambda: report.weights_json(weights, notes),
        lambda: report.weights_records(weights),
        lambda: report.weights_tables(weights, notes),
        "",
    )
    return 0


_output = click.option("-o", "--output", metavar="FILE", help="The file of weights to write (TOML).")
_conditional = click.option("--conditional", is_flag=True, help="Weights by part of speech, for CWPA.")


@command.command("ambiguity")
@click.argument("corpus")
@click.option("--tagset", default="nkjp", show_default=True, metavar="NAME|FILE", help="How tags are taken apart.")
@click.option(
    "--lexicon", multiple=True, metavar="FILE", help="Which tags a word can have: a corpus (default: the CORPUS)."
)
@click.option("--morfeusz", is_flag=True, help="Which tags a word can have: as Morfeusz 2 says (Polish).")
@click.option(
    "--per",
    type=click.Choice(["bearing", "word", "excess"]),
    default="bearing",
    show_default=True,
    help="The mean over words that bear a category, over all words, or of what is beyond one value.",
)
@click.option("--column", metavar="COLUMN", help="Where the tags are (default: xpos; for ud upos with feats).")
@click.option("--input", "input_", type=click.Choice(["conllu", "tsv", "slash"]), help="The corpus's format.")
@_conditional
@_output
@format_options
def ambiguity_command(
    corpus: str,
    tagset: str,
    lexicon: tuple[str, ...],
    morfeusz: bool,
    per: str,
    column: str | None,
    input_: str | None,
    conditional: bool,
    output: str | None,
    format_: str,
) -> int:
    """How many values has a category on a word, on average, in a CORPUS?

    \b
    karat weights ambiguity train.conllu --tagset nkjp -o ambiguity.toml
    karat weights ambiguity dev.conllu --tagset nkjp --morfeusz --conditional -o ambiguity.toml
    """  # fmt: skip
    if morfeusz and lexicon:
        raise click.UsageError("--morfeusz and --lexicon do not go together.")
    from karat.weights.from_corpus import ambiguity_weights

    made, notes = ambiguity_weights(
        split_paths(corpus),
        tagset,
        lexicon=list(lexicon),
        morfeusz=morfeusz,
        per=per,  # type: ignore[arg-type]
        column=column,
        input=input_,
        conditional=conditional,
    )
    return _written(made, output, format_, notes)


@command.command("show")
@click.argument("weights")
@format_options
def show(weights: str, format_: str) -> int:
    """The WEIGHTS that karat has by this name, or that are in a file."""
    from karat.weights import read_weights

    return _written(read_weights(weights), None, format_, [])
