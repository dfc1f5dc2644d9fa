"""`karat weights`: what is each grammatical category worth?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import Verb, format_options, input_option, split_paths
from karat.cli._output import say, show_result, write_file
from karat.cli._problems import show_problems

if TYPE_CHECKING:
    from karat.weights import Weights

__all__ = ["command"]


@click.group("weights")
def command() -> None:
    """What is each grammatical category worth: by ambiguity, by corpus queries, by grammar rules?

    Each makes a TOML file that says how it was made, for karat score --tagset … --weights FILE.
    """


def _written(weights: Weights, output: str | None, format_: str) -> int:
    """Write the weights to the file, and show them."""
    from karat.report import weights as report
    from karat.weights import weights_text

    if output and not output.endswith(".toml"):
        raise click.UsageError(f"-o {output}: a file of weights is named .toml.")
    if output:
        write_file(output, weights_text(weights))
        say(f"{output}: written")
    show_result(weights, format_, lambda: report.weights_report(weights))
    return 0


_output = click.option("-o", "--output", metavar="FILE", help="The file of weights to write (TOML).")
_conditional = click.option("--conditional", is_flag=True, help="Weights by part of speech, for CWPA.")


@command.command("ambiguity", cls=Verb)
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
@input_option()
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
    from karat.weights.from_ambiguity import ambiguity_weights

    made = ambiguity_weights(
        split_paths(corpus),
        tagset,
        lexicon=lexicon,
        morfeusz=morfeusz,
        per=per,  # type: ignore[arg-type]
        column=column,
        input=input_,
        conditional=conditional,
    )
    return _written(made, output, format_)


@command.command("queries", cls=Verb)
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@click.option(
    "--language",
    type=click.Choice(["poliqarp", "cqp"]),
    default="poliqarp",
    show_default=True,
    help="The language that the queries are written in.",
)
@click.option("--tagset", default="nkjp", show_default=True, metavar="NAME|FILE", help="Whose tags they are for.")
@click.option(
    "--by",
    type=click.Choice(["mention", "query", "user"]),
    default="mention",
    show_default=True,
    help="Count each mention, a category once a query, or once a user.",
)
@click.option("--keep-repeats", is_flag=True, help="Count queries that only page on, too.")
@click.option(
    "--corpus",
    metavar="FILE",
    help="Run the queries over a corpus: weights by the part of speech of what they find, for CWPA.",
)
@click.option(
    "--column", metavar="COLUMN", help="Where the corpus has its tags (default: xpos; for ud upos with feats)."
)
@_output
@format_options
def queries_command(logs: tuple[str, ...], **options: Any) -> int:
    """Which categories do users of a corpus ask for?

    LOG has a query a line, or is a TSV with a column query and perhaps a column user. Malformed queries are listed with
    their places; the others count all the same.

    \b
    karat weights queries poliqarp.log -o queries.toml
    karat weights queries cqp.tsv --language cqp --tagset ud --by user -o queries.toml
    karat weights queries poliqarp.log --corpus dev.conllu -o conditional.toml
    """  # fmt: skip
    from karat.weights.from_queries import query_weights

    made = query_weights(
        logs,
        options["tagset"],
        language=options["language"],
        by=options["by"],
        keep_repeats=options["keep_repeats"],
        corpus=None if options["corpus"] is None else split_paths(options["corpus"]),
        column=options["column"],
    )
    show_problems(made.problems)
    return _written(made, options["output"], options["format_"])


@command.command("rules", cls=Verb)
@click.argument("uses", metavar="[USES.jsonl]", required=False)
@click.option("--grammar", metavar="FILE.fcfg", help="An NLTK feature grammar, to parse sentences with …")
@click.option("--sentences", metavar="FILE", help="… of this file, one a line, words with spaces between.")
@click.option(
    "--parses",
    type=click.Choice(["best", "all", "em", "em-best"]),
    help="Of several parses of a sentence: the most probable, all, or by expectation-maximisation (default: best; with "
    "a grammar em).",
)
@click.option("--max-parses", type=click.IntRange(min=1), default=100, show_default=True, help="With a grammar.")
@click.option("--tagset", metavar="NAME|FILE", help="Whose categories features are (default: usual names).")
@click.option("--normalise", is_flag=True, help="Weights that sum to 1.")
@_conditional
@_output
@format_options
def rules_command(uses: str | None, grammar: str | None, sentences: str | None, **options: Any) -> int:
    """Which categories do a parser's rules refer to?

    USES.jsonl has a line for each rule that was used in a parse (docs/weights.md). Or sentences are parsed here, with a
    feature grammar of NLTK (pip install 'karat[rules]').

    \b
    karat weights rules uses.jsonl -o rules.toml
    karat weights rules --grammar polish.fcfg --sentences sentences.txt --parses em -o rules.toml
    """  # fmt: skip
    if bool(uses) == bool(grammar) or bool(grammar) != bool(sentences):
        raise click.UsageError("Give USES.jsonl, or --grammar and --sentences.")
    from karat.weights.from_rules import rule_weights

    made = rule_weights(
        uses,
        grammar=grammar,
        sentences=sentences,
        parses=options["parses"],
        max_parses=options["max_parses"],
        tagset=options["tagset"],
        normalise=options["normalise"],
        conditional=options["conditional"],
    )
    show_problems(made.problems)
    return _written(made, options["output"], options["format_"])


@command.command("show", cls=Verb)
@click.argument("weights")
@format_options
def show(weights: str, format_: str) -> int:
    """The WEIGHTS that karat has by this name, or that are in a file."""
    from karat.weights import read_weights

    return _written(read_weights(weights), None, format_)
