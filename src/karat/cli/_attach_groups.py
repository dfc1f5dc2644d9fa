"""`karat attach groups`: the groups of a text, as a shallow parser makes them."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import split_paths
from karat.cli._options import OPTIONS, OUTPUT, Verb, option, values_of
from karat.cli._output import announce_compiling, show_inputs, show_result
from karat.cli._shared_options import detailed_output_options, input_option, map_option, verbose_option

tagset_option = option(
    "--tagset",
    OPTIONS,
    "Tagset of XPOS, or ud for UPOS with FEATS (default: nkjp if XPOS has its tags, else ud).",
    metavar="nkjp|ud|FILE.toml",
)
groups_option = option(
    "--groups",
    OPTIONS,
    "Rules that make groups: nkjp, ud, or a .toml file of your own (default: those for the tagset).",
    metavar="nkjp|ud|FILE.toml",
)


@click.command("groups", cls=Verb)
@click.argument("corpus")
@tagset_option
@groups_option
@map_option("Map the tags of XPOS before", OPTIONS)
@input_option()
@verbose_option
@option("-n --limit", OUTPUT, "Show the first N sentences; 0 shows all.", default=20, least=0, metavar="N")
@detailed_output_options
def groups(corpus: str, **options: Any) -> None:
    """Which groups of words does a CORPUS have: prepositional, nominal, verbal, …?

    Groups are made by rules over tags, one after the other. In the sentences shown, each group is in brackets, * marks
    its semantic head, and ° its syntactic head where that is another word.

    \b
    karat attach groups pl_pdb-ud-dev.conllu
    karat attach groups pl_lfg-ud-dev.conllu --map nkjp-older -n 50
    karat attach groups en_ewt-ud-dev.conllu --groups mine.toml --details
    karat attach groups en_ewt-ud-dev.conllu -n 0 --format csv
    """  # fmt: skip
    from karat.report.attachment import groups_report
    from karat.systems.groups.found_groups import find_groups

    announce_compiling("systems/groups/_compiled_groups")
    found = find_groups(split_paths(corpus), **values_of(options, "tagset groups map limit input"))
    show_inputs(options, found.formats, warnings=found.warnings)
    is_text = options["format"] == "text"
    show_result(found, options, lambda: groups_report(found, sentences=is_text, details=options["details"]))
