"""`karat attach stats`: how often syntactic objects of a tagged text co-occur."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from karat._files_read import note_file
from karat.cli._arguments import read_once, split_paths
from karat.cli._attach_groups import groups_option, tagset_option
from karat.cli._options import OPTIONS, OUTPUT, Verb, option, values_of
from karat.cli._output import announce_compiling, check_target, progress_line, show_inputs, show_result
from karat.cli._shared_options import format_options, input_option, map_option, verbose_option

WORDNET = "Wordnet"
# those of hypernyms are left out: they are compiled in two seconds, and only where there is a wordnet
KERNELS = ("systems/groups/_compiled_groups", "systems/attachment/_compiled_counting")


@click.command("stats", cls=Verb)
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@option("-o --output", OUTPUT, "The statistics to write: one file.", required=True, metavar="STATS")
@option(
    "--wordnet",
    WORDNET,
    "Folder of WordNet's files, such as /usr/share/wordnet; without it, 11 of 14 features are counted.",
    metavar="DIR",
)
@option(
    "--lemmas",
    WORDNET,
    "Lemmas of another language for its synsets, from the Open Multilingual Wordnet (default: the English ones).",
    metavar="FILE.tab",
)
@tagset_option
@groups_option
@map_option("Map the tags of XPOS before", OPTIONS)
@input_option()
@verbose_option
@format_options
def stats(corpora: Sequence[str], **options: Any) -> None:
    """Count how often syntactic objects co-occur in the sentences of tagged text.

    The text needs tags, and better has lemmas and features, but no trees. Its sentences are kept in STATS, so that any
    of them can be left out of the counts where it is evaluated.

    \b
    karat attach stats pl_pdb-ud-train.conllu -o pl.stats
    karat attach stats pl_*.conllu -o pl.stats --wordnet /usr/share/wordnet \\
        --lemmas wn-data-pol.tab
    karat attach stats en_*.conllu -o en.stats --wordnet /usr/share/wordnet
    karat attach stats pl_lfg-ud-dev.conllu -o lfg.stats --map nkjp-older
    """  # fmt: skip
    from karat.report.attachment_statistics import counted_statistics_report
    from karat.systems.attachment.counted_statistics import attachment_statistics

    if options["lemmas"] is not None:
        note_file(options["lemmas"])
    check_target(options["output"], "the statistics")
    read_once(corpora)
    announce_compiling(*KERNELS)
    counted = attachment_statistics(
        [split_paths(one) for one in corpora],
        progress=progress_line("reading"),
        **values_of(options, "wordnet lemmas groups tagset map input"),
    ).save(options["output"])
    show_inputs(options, counted.formats, warnings=counted.warnings)
    show_result(counted, options, lambda: counted_statistics_report(counted))
