"""`karat tag`: text tagged by a trained tagger, or a corpus by taggers that have not seen the part they tag."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._options import OUTPUT, Verb, given, option, refuse, values_of
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result, write_out
from karat.cli._shared_options import (
    document_options,
    documents_from,
    format_options,
    input_option,
    map_option,
    problem_options,
)
from karat.cli.train import learnt_column, seed_option
from karat.systems.options import SYSTEMS, kernels_of

BY = "What tags"
FOLDS = "Tagging a corpus part by part"
_OF_FOLDS = "folds fold_by column seed jobs document_from document_pattern".split()


@click.command("tag", cls=Verb)
@click.argument("text")
@option("-m --model", BY, "The model, from karat train.", metavar="MODEL")
@option(
    "--system",
    BY,
    "Instead of a model: train this system on all folds but one and tag that one, for each fold.",
    metavar="NAME[:OPTION=VALUE,…]",
)
@option("--folds", FOLDS, "With --system: the number of folds.", default=10, least=2, metavar="N")
@option(
    "--fold-by",
    FOLDS,
    "With --system: deal out sentences or whole documents (default: documents, if there are as many as folds).",
    choices=["sentence", "document"],
)
@document_options(FOLDS, "With --system: sentences")
@map_option("Map the tags that are learnt (--system), or compared with the model's", BY)
@learnt_column
@seed_option
@option("--jobs", FOLDS, "With --system: train so many taggers at once.", default=1, least=1, metavar="N")
@option("--tags", OUTPUT, "Write the best tag, or several likely tags (as TSV).", choices=["best", "several"])
@option("--probabilities", OUTPUT, "Write likely tags with their probabilities (as TSV).", default=False)
@option(
    "--share",
    OUTPUT,
    "Keep tags that are at least this many times as likely as the best (default: 0.1 for --tags several).",
    number=float,
    metavar="SHARE",
)
@option("-o --output", OUTPUT, "Write the tagged text here (default: standard output).", metavar="OUT")
@input_option("text")
@problem_options
@format_options
def command(text: str, **options: Any) -> None:
    """Tag TEXT: a file, several joined by commas, or a treebank's folder. Nothing but the tags changes.

    Several tags, probabilities and files whose name ends in .tsv are written as lines of form and tags, as karat score
    [--probabilities] reads them. With -o, or with --json, a summary is printed: time, memory, and how many words have
    the tag they had before.

    \b
    karat tag -m tagger.karat new.conllu -o tagged.conllu
    karat tag -m tagger.karat new.conllu --probabilities -o tagged.tsv --json
    karat tag --system hmm:order=1 train.conllu --folds 10 --fold-by document \\
        -o out-of-fold.conllu
    """  # fmt: skip
    if (options["model"] is None) == (options["system"] is None):
        raise click.UsageError("Give either a model (-m MODEL) or --system NAME.")
    read_once([text])
    from karat.report.taggers import tagged_report

    result = _tagged(text, options)
    if options["output"] is not None:
        result = result.write(options["output"])
    show_inputs(options, result.formats)
    if options["output"] is None and not given(["format", "json"]):
        write_out(b"".join(result.files).decode("utf-8", "surrogateescape"))
    else:
        show_result(result, options, lambda: tagged_report(result))


def _tagged(text: str, options: dict[str, Any]) -> Any:
    how = {"several": options["tags"] == "several", **values_of(options, "probabilities share map input")}
    if options["system"] is None:
        refuse(_OF_FOLDS, "requires --system")
        from karat._compiled import will_compile

        if any(
            will_compile(one.kernels) for one in SYSTEMS.values() if one.kernels
        ):  # else it does not matter which system the model is of
            from karat.systems.model_file import read_model

            announce_compiling(kernels_of(read_model(options["model"]).system))
        from karat.systems.tagging import tag

        return tag(options["model"], split_paths(text), **how)
    announce_compiling(kernels_of(options["system"].partition(":")[0]))
    from karat.systems.tagging import tag_folds

    asked = values_of(options, "folds fold_by column seed jobs") | documents_from(options)
    return tag_folds(options["system"], split_paths(text), progress=progress_line("tagging"), **asked, **how)
