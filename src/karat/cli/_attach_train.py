"""`karat attach train` and `karat attach apply`: a model of attachment, and text that gets its edges."""

from __future__ import annotations

from typing import Any

import click

from karat._files_read import note_file
from karat.cli._arguments import read_once, split_paths
from karat.cli._attach_evaluate import max_words_option, rules_option, statistics_option
from karat.cli._attach_groups import groups_option, tagset_option
from karat.cli._attach_stats import KERNELS
from karat.cli._options import OPTIONS, OUTPUT, Verb, option, values_of
from karat.cli._output import announce_compiling, check_target, show_inputs, show_result
from karat.cli._shared_options import format_options, input_option, map_option, verbose_option


@click.command("train", cls=Verb)
@click.argument("treebank")
@statistics_option
@option(
    "-o --output", OUTPUT, "The model to write: one file, with the statistics in it.", required=True, metavar="MODEL"
)
@rules_option
@tagset_option
@groups_option
@map_option("Map the tags of XPOS before", OPTIONS)
@max_words_option
@option("--seed", OPTIONS, "Random seed.", default=0, least=0, metavar="N")
@option("--jobs", OPTIONS, "Grow N trees at once.", default=1, least=1, metavar="N")
@input_option()
@verbose_option
@format_options
def train(treebank: str, **options: Any) -> None:
    """Learn from TREEBANK which groups are connected: a balanced random forest over the signals of co-occurrence.

    \b
    karat attach stats tagged.conllu treebank.conllu -o text.stats
    karat attach train treebank.conllu --stats text.stats -o attach.karat
    karat attach apply -m attach.karat new.conllu -o attached.conllu
    """  # fmt: skip
    for path in [one] if isinstance(one := split_paths(treebank), str) else one:
        note_file(path)
    note_file(options["stats"])
    check_target(options["output"], "the model")
    read_once([treebank, options["stats"]])
    announce_compiling(*KERNELS)
    from karat.report.attachment_evaluation import trained_attachment_report
    from karat.systems.attachment.trained import train_attachment

    result = train_attachment(
        split_paths(treebank),
        options["stats"],
        **values_of(options, "rules tagset groups map max_words seed jobs input"),
    ).save(options["output"])
    show_inputs(options, result.formats, warnings=result.warnings)
    show_result(result, options, lambda: trained_attachment_report(result))


@click.command("apply", cls=Verb)
@click.argument("text")
@option("-m --model", OPTIONS, "The model, from karat attach train.", required=True, metavar="MODEL")
@option("-o --output", OUTPUT, "The text with heads and relations, in CoNLL-U.", required=True, metavar="OUT")
@groups_option
@map_option("Map the tags of XPOS before", OPTIONS)
@input_option()
@verbose_option
@format_options
def apply(text: str, **options: Any) -> None:
    """Attach the groups of TEXT to each other, at most one parent each, and write words with their heads.

    \b
    karat attach apply -m attach.karat tagged.conllu -o attached.conllu
    karat attach apply -m attach.karat tagged.tsv -o attached.conllu
    """  # fmt: skip
    for path in [one] if isinstance(one := split_paths(text), str) else one:
        note_file(path)
    note_file(options["model"])
    check_target(options["output"], "the text")
    read_once([text, options["model"]])
    announce_compiling(*KERNELS)
    from karat.report.attachment_evaluation import attached_text_report
    from karat.systems.attachment.trained import attach

    result = attach(options["model"], split_paths(text), **values_of(options, "groups map input"))
    result = result.write(options["output"])
    show_inputs(options, result.formats, warnings=result.warnings)
    show_result(result, options, lambda: attached_text_report(result))
