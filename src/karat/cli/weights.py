"""`karat weights`: what is each grammatical category worth?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import split_paths
from karat.cli._options import OPTIONS, Verb, VerbGroup, option, values_of
from karat.cli._output import say, show_problems, show_result, write_file
from karat.cli._shared_options import format_options, input_option

if TYPE_CHECKING:
    from karat.weights import Weights


@click.group("weights", cls=VerbGroup)
def command() -> None:
    """What is each grammatical category worth: by ambiguity, by corpus queries, by grammar rules?

    Each makes a TOML file that says how it was made, for karat score --tagset … --weights FILE.
    """


def _write_and_show(weights: Weights, options: Mapping[str, Any]) -> None:
    """Write the weights to a file, if one is named, and show them."""
    from karat.report.weights import weights_report
    from karat.weights import weights_text

    output = options.get("output")
    if output and not output.endswith(".toml"):
        raise click.UsageError(f"-o {output}: the name must end in .toml.")
    if output:
        write_file(output, weights_text(weights))
        say(f"{output}: written")
    show_result(weights, options, lambda: weights_report(weights))


_output = option("-o --output", OPTIONS, "Write the weights to this file (TOML).", metavar="FILE")
_conditional = option("--conditional", OPTIONS, "Make weights by part of speech, for CWPA.", default=False)


@command.command("ambiguity", cls=Verb)
@click.argument("corpus")
@option("--tagset", OPTIONS, "Tagset that splits tags into categories.", default="nkjp", metavar="NAME|FILE")
@option(
    "--lexicon",
    OPTIONS,
    "Look up the tags a word can have in this corpus (default: the CORPUS).",
    is_repeatable=True,
    metavar="FILE",
)
@option("--morfeusz", OPTIONS, "Look up the tags a word can have with Morfeusz 2 (Polish).", default=False)
@option(
    "--per",
    OPTIONS,
    "Average over words that have the category, over all words, or count only values beyond the first.",
    default="bearing",
    choices=["bearing", "word", "excess"],
)
@option("--column", OPTIONS, "Column of the tags (default: xpos; for ud, upos with feats).", metavar="COLUMN")
@input_option()
@_conditional
@_output
@format_options
def ambiguity_command(corpus: str, **options: Any) -> None:
    """How many values does a category have per word, on average, in a CORPUS?

    \b
    karat weights ambiguity train.conllu --tagset nkjp -o ambiguity.toml
    karat weights ambiguity dev.conllu --tagset nkjp --morfeusz --conditional \\
        -o ambiguity.toml
    """  # fmt: skip
    if options["morfeusz"] and options["lexicon"]:
        raise click.UsageError("--morfeusz and --lexicon cannot be used together.")
    from karat.weights.from_ambiguity import ambiguity_weights

    asked = values_of(options, "tagset lexicon morfeusz per column input conditional")
    _write_and_show(ambiguity_weights(split_paths(corpus), **asked), options)


@command.command("queries", cls=Verb)
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@option(
    "--language",
    OPTIONS,
    "Query language.",
    default="poliqarp",
    choices=["poliqarp", "cqp"],
)
@option("--tagset", OPTIONS, "Tagset that the queries refer to.", default="nkjp", metavar="NAME|FILE")
@option(
    "--by",
    OPTIONS,
    "Count each mention, or a category once per query or once per user.",
    default="mention",
    choices=["mention", "query", "user"],
)
@option("--keep-repeats", OPTIONS, "Also count queries that only ask for the next page of results.", default=False)
@option(
    "--corpus",
    OPTIONS,
    "Run the queries over a corpus: weights by the part of speech of what they find, for CWPA.",
    metavar="FILE",
)
@option(
    "--column", OPTIONS, "With --corpus: column of the tags (default: xpos; for ud, upos with feats).", metavar="COLUMN"
)
@_output
@format_options
def queries_command(logs: tuple[str, ...], **options: Any) -> None:
    """Which categories do users of a corpus ask for?

    LOG has one query per line, or is a TSV file with a column query and optionally a column user. Malformed queries are
    listed and left out.

    \b
    karat weights queries poliqarp.log -o queries.toml
    karat weights queries cqp.tsv --language cqp --tagset ud --by user \\
        -o queries.toml
    karat weights queries poliqarp.log --corpus dev.conllu -o conditional.toml
    """  # fmt: skip
    from karat.weights.from_queries import query_weights

    corpus = None if options["corpus"] is None else split_paths(options["corpus"])
    made = query_weights(logs, corpus=corpus, **values_of(options, "tagset language by keep_repeats column"))
    show_problems(made.problems)
    _write_and_show(made, options)


@command.command("rules", cls=Verb)
@click.argument("uses", metavar="[USES.jsonl]", required=False)
@option("--grammar", OPTIONS, "NLTK feature grammar to parse --sentences with.", metavar="FILE.fcfg")
@option(
    "--sentences",
    OPTIONS,
    "With --grammar: file with one sentence per line, words separated by spaces.",
    metavar="FILE",
)
@option(
    "--parses",
    OPTIONS,
    "Use the most probable parse of a sentence, all parses, or weight them by expectation-maximisation (default: "
    "best; with --grammar: em).",
    choices=["best", "all", "em", "em-best"],
)
@option("--max-parses", OPTIONS, "With --grammar: maximum number of parses per sentence.", default=100, least=1)
@option(
    "--seconds",
    OPTIONS,
    "With --grammar: leave out a sentence whose parsing takes longer.",
    default=10.0,
    metavar="S",
)
@option("--tagset", OPTIONS, "Tagset whose categories the features are (default: usual names).", metavar="NAME|FILE")
@option("--normalise", OPTIONS, "Scale weights to sum to 1.", default=False)
@_conditional
@_output
@format_options
def rules_command(uses: str | None, grammar: str | None, sentences: str | None, **options: Any) -> None:
    """Which categories do a parser's rules refer to?

    USES.jsonl has one line per rule used in a parse (docs/weights.md). Alternatively, karat parses sentences with an
    NLTK feature grammar (pip install 'karat[rules]').

    \b
    karat weights rules uses.jsonl -o rules.toml
    karat weights rules --grammar polish.fcfg --sentences sentences.txt \\
        --parses em -o rules.toml
    """  # fmt: skip
    if bool(uses) == bool(grammar) or bool(grammar) != bool(sentences):
        raise click.UsageError("Give USES.jsonl, or --grammar and --sentences.")
    from karat.weights.from_rules import rule_weights

    asked = "parses max_parses seconds tagset normalise conditional"
    made = rule_weights(uses, grammar=grammar, sentences=sentences, **values_of(options, asked))
    show_problems(made.problems)
    _write_and_show(made, options)


@command.command("show", cls=Verb)
@click.argument("weights")
@format_options
def show(weights: str, **options: Any) -> None:
    """Show the built-in WEIGHTS of this name, or those in a file."""
    from karat.weights import read_weights

    _write_and_show(read_weights(weights), options)
