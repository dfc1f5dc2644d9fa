"""`karat suspects`: where the gold is likely wrong, by repeats and by taggers that have not seen it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._options import OUTPUT, Verb, option, refuse, values_of
from karat.cli._output import announce_compiling, progress_line, say, show_inputs, show_result, write_file
from karat.cli._shared_options import format_options, input_option, page_options, problem_options
from karat.cli._worklists import carried_over, carry_option, read_worklists
from karat.systems.options import kernels_of

if TYPE_CHECKING:
    from karat.suspects.judged import CorpusErrorRate
    from karat.suspects.search import Suspects

FOUND, TAGGER, JUDGED = "What is looked at", "The tagger", "Judging"
KERNELS = "gold/repeats/_label_expectation"
_OF_TAGGERS = ("system", "folds", "fold_by", "taggers", "seed", "jobs")


@click.command("suspects", cls=Verb)
@click.argument("corpus")
@option(
    "--column", FOUND, "Column that may be wrong.", default="upos", choices=["upos", "xpos", "feats", "lemma", "deprel"]
)
@option(
    "--against", FOUND, "Look for repeats in this corpus too; may be repeated.", is_repeatable=True, metavar="CORPUS"
)
@option(
    "--rank",
    FOUND,
    "What counts: all evidence, the tagger alone, or repeats alone.",
    default="combined",
    choices=["combined", "tagger", "repeats"],
)
@option(
    "--system",
    TAGGER,
    "Tagger, as in hmm or perceptron:epochs=5.",
    default="perceptron",
    metavar="NAME[:OPTION=VALUE,…]",
)
@option(
    "--probabilities-from",
    TAGGER,
    "Take the probabilities of any tagger from this file, as karat tag --probabilities writes it.",
    metavar="FILE",
)
@option(
    "--folds",
    TAGGER,
    "Number of folds: each is tagged by a tagger trained on the others.",
    default=10,
    least=2,
    metavar="N",
)
@option(
    "--fold-by",
    TAGGER,
    "Deal out sentences or whole documents (default: documents, if there are as many as folds).",
    choices=["sentence", "document"],
)
@option(
    "--taggers", TAGGER, "Average this many taggers, trained with different seeds.", default=3, least=1, metavar="N"
)
@option("--seed", TAGGER, "Random seed.", default=0, least=0)
@option(
    "--jobs", TAGGER, "Train this many taggers at once; results do not depend on it.", default=1, least=1, metavar="N"
)
@option("--worklist", JUDGED, "Write the suspects to judge here, with a random sample of all words.", metavar="FILE")
@option("--random n_random", JUDGED, "Size of the random sample in the worklist.", default=300, least=0, metavar="N")
@carry_option(JUDGED)
@option(
    "--judgements",
    JUDGED,
    "Judged worklist: what is left is ranked by what it says; may be repeated.",
    is_repeatable=True,
    metavar="FILE",
)
@option("--estimate", JUDGED, "With --judgements: estimate the error rate of the corpus.", default=False)
@option(
    "--level", JUDGED, "Confidence level of the error rate.", default=0.95, type=click.FloatRange(0.5, 1, max_open=True)
)
@option("--check", OUTPUT, "Exit with 1 if there is any suspect.", default=False)
@option("--exceptions", OUTPUT, "Leave out the findings that this file acknowledges.", metavar="FILE")
@option(
    "--write-exceptions", OUTPUT, "Write the suspects to this file, as exceptions to give reasons for.", metavar="FILE"
)
@option("--baseline", OUTPUT, "Leave out what this earlier --json output has.", metavar="FILE")
@option(
    "--top", OUTPUT, "Rows to show or, if given, to write into the worklist; 0: all.", default=20, least=0, metavar="N"
)
@input_option()
@problem_options
@page_options
@format_options
def command(corpus: str, **options: Any) -> int:
    """Where is the gold CORPUS wrong? Words whose label several witnesses speak against, likeliest errors first.

    Witnesses are taggers that have not seen the word, other places with the same words, the word's place in the tree,
    and its other tag. CORPUS is a file, several joined by commas, or a treebank's folder, of which all parts are one
    text. Words marked as wrong in the text (Typo, goeswith, CorrectForm) are left out.

    \b
    karat suspects UD_English-GUM
    karat suspects train.conllu --worklist check.tsv --top 200
    karat suspects train.conllu --judgements check.tsv --estimate
    karat suspects train.conllu --probabilities-from out-of-fold.tsv --json
    karat suspects train.conllu --check --baseline last.json
    """  # fmt: skip
    if options["estimate"] and not options["judgements"]:
        raise click.UsageError("--estimate requires --judgements.")
    if options["probabilities_from"] is not None:
        refuse(_OF_TAGGERS, "cannot be used with --probabilities-from")
    if options["rank"] == "repeats":
        refuse((*_OF_TAGGERS, "probabilities_from"), "is not used by --rank repeats")
    if not options["worklist"]:
        refuse(("n_random", "carry"), "requires --worklist")
    read_once([corpus])
    if options["worklist"]:
        from karat.corpus.worklist import keep_verdicts
        from karat.suspects.judged import VERDICTS

        keep_verdicts(options["worklist"], VERDICTS)
    found = _found(corpus, options)
    rate: CorpusErrorRate | None = None
    if options["judgements"]:
        found, rate = _judged(found, options)
    if options["baseline"]:
        from karat.suspects.known import without_known

        found = without_known(found, options["baseline"])
    if options["exceptions"]:
        from karat.gold.exceptions import read_exceptions
        from karat.suspects.known import without_acknowledged

        found = without_acknowledged(found, read_exceptions(options["exceptions"]))
    show_inputs(options, found.formats, warnings=found.warnings)
    if options["write_exceptions"]:
        _write_exceptions(options["write_exceptions"], found)
    if options["worklist"]:
        _write_worklist(options["worklist"], found, options)
    _show(found, rate, options)
    return 1 if options["check"] and len(found) else 0


def _found(corpus: str, options: Mapping[str, Any]) -> Suspects:
    name = options["system"].partition(":")[0]
    is_tagged_here = options["rank"] != "repeats" and options["probabilities_from"] is None
    announce_compiling(KERNELS, kernels_of(name) if is_tagged_here else None)
    from karat.suspects.search import find_suspects

    asked = values_of(options, "column system probabilities_from rank folds fold_by taggers seed jobs input")
    against = [split_paths(one) for one in options["against"]]
    return find_suspects(split_paths(corpus), against=against, progress=progress_line("tagging"), **asked)


def _judged(found: Suspects, options: Mapping[str, Any]) -> tuple[Suspects, CorpusErrorRate | None]:
    from karat.suspects.judged import error_rate, read_judgements, reranked

    judged = read_judgements(found, options["judgements"])
    n_words = int((~found.found.is_marked).sum())
    rate = error_rate(judged, n_words, level=options["level"]) if options["estimate"] else None
    return (reranked(found, judged) if found.rank == "combined" else found), rate


def _write_worklist(path: str, found: Suspects, options: Mapping[str, Any]) -> None:
    from karat.cli._options import given
    from karat.corpus.worklist import write_worklist
    from karat.suspects.judged import VERDICTS, suspect_question, suspect_worklist

    top = options["top"] if given(["top"]) and options["top"] else None
    made = suspect_worklist(found, top=top, n_random=options["n_random"])
    write_worklist(path, carried_over(made, read_worklists(options["carry"], VERDICTS), suspect_question))
    n_random = sum(row.id.startswith("r") for row in made.rows)
    say(f"{path}: {len(made.rows):,} rows to judge, {n_random:,} of them a random sample")


def _write_exceptions(path: str, found: Suspects) -> None:
    from karat.gold.exceptions import exceptions_text, keep_reasons
    from karat.suspects.known import as_exceptions

    keep_reasons(path)
    entries = as_exceptions(found)
    write_file(path, exceptions_text(entries))
    say(f"{path}: {len(entries):,} exceptions to give reasons for")


def _show(found: Suspects, rate: CorpusErrorRate | None, options: Mapping[str, Any]) -> None:
    from karat.report.suspects import suspects_report

    top = options["top"] or len(found)
    data = None if rate is None else lambda: {**found.to_dict(), "error_rate": rate.to_dict()}
    show_result(found, options, lambda: suspects_report(found, top=top, rate=rate), data=data)
