"""`karat tagset`: does a corpus fit a tagset, what is a tag made of, and how is a tag scored for another?"""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import split_commas, split_paths
from karat.cli._options import OPTIONS, TAGS, Verb, VerbGroup, option, options_from, values_of
from karat.cli._output import show_inputs, show_result
from karat.cli._shared_options import format_options, input_option
from karat.measures.positional.options import TagOptions
from karat.result import Report


@click.group("tagset", cls=VerbGroup)
def command() -> None:
    """Does a corpus fit a tagset; what is this tag made of; how is one tag scored for another?

    A tagset is one that karat has (nkjp, ud, pdt, multext-east, penn) or a .toml file that describes one.
    """


@command.command("check", cls=Verb)
@click.argument("tagset")
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…")
@option("--column", OPTIONS, "Column of the tags (default: xpos; for ud, upos with feats).", metavar="COLUMN")
@input_option()
@format_options
def check(tagset: str, corpora: tuple[str, ...], **options: Any) -> int:
    """Do all tags of a CORPUS fit a TAGSET? Those that do not are listed with their places; exit 1 if there are any.

    Several files are one corpus.

    \b
    karat tagset check nkjp pl_pdb-ud-dev.conllu
    karat tagset check ud en_ewt-ud-dev.conllu --json
    karat tagset check ud en_ewt-ud-train.conllu en_ewt-ud-dev.conllu
    """  # fmt: skip
    from karat.measures.positional.tag_check import check_tags

    several = [split_paths(one) for one in corpora]
    files = [path for one in several for path in ([one] if isinstance(one, str) else one)]
    found = check_tags(tagset, files if len(files) > 1 else files[0], **values_of(options, "column input"))
    show_result(found, options, lambda: Report([found.in_words], [found.records()] if found.failed else []))
    return 1 if found.failed else 0


@command.command("show", cls=Verb)
@click.argument("tagset")
@click.argument("tag")
@format_options
def show(tagset: str, tag: str, **options: Any) -> None:
    """What does a TAG of a TAGSET consist of?

    \b
    karat tagset show nkjp subst:sg:nom:m1
    karat tagset show pdt NNMS1-----A----
    """  # fmt: skip
    from karat.tagsets import tag_parts

    found = tag_parts(tagset, tag)
    show_result(found, options, lambda: Report([], [found.records()]))


@command.command("compare", cls=Verb)
@click.argument("tagset")
@click.argument("gold", metavar="GOLD-TAG")
@click.argument("system", metavar="SYSTEM-TAG")
@options_from(TagOptions, TAGS, ["weights", "slots", "missing_weight", "ignore_category"])
@format_options
def compare(tagset: str, gold: str, system: str, **options: Any) -> None:
    """How is SYSTEM-TAG scored where the gold has GOLD-TAG, position by position and by each measure?

    \b
    karat tagset compare nkjp subst:sg:nom:m1 subst:sg:acc:m1
    karat tagset compare nkjp subst:sg:nom:n ger:sg:nom:n:perf:aff \\
        --weights queries.toml
    """  # fmt: skip
    from karat.measures.positional.tag_pair import compare_tags
    from karat.report.tag_pair import tag_pair_report

    ignored = split_commas(options["ignore_category"])
    others = values_of(options, "weights slots missing_weight")
    found = compare_tags(tagset, gold, system, ignore_category=ignored, **others)
    show_inputs(options, warnings=found.warnings)
    show_result(found, options, lambda: tag_pair_report(found))
