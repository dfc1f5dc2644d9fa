"""`karat tagset`: does a corpus fit a tagset, and what is a tag made of?"""

from __future__ import annotations

import click

from karat.cli._options import Verb, format_options, input_option, split_paths
from karat.cli._output import show_result
from karat.result import Report

__all__ = ["command"]


@click.group("tagset")
def command() -> None:
    """Does a corpus fit a tagset; what is this tag made of?

    A tagset is one that karat has (nkjp, ud, pdt, multext-east, penn) or a .toml file that describes one.
    """


@command.command("check", cls=Verb)
@click.argument("tagset")
@click.argument("corpus")
@click.option("--column", metavar="COLUMN", help="Where the tags are (default: xpos; for ud upos with feats).")
@input_option()
@format_options
def check(tagset: str, corpus: str, column: str | None, input_: str | None, format_: str) -> int:
    """Do all tags of a CORPUS fit a TAGSET? Those that do not are listed with their places; exit 1 if there are any.

    \b
    karat tagset check nkjp pl_pdb-ud-dev.conllu
    karat tagset check ud en_ewt-ud-dev.conllu --json
    """  # fmt: skip
    from karat.measures.positional.tag_check import check_tags

    found = check_tags(tagset, split_paths(corpus), column=column, input=input_)
    show_result(found, format_, lambda: Report([found.in_words], [found.records()] if found.failed else []))
    return 1 if found.failed else 0


@command.command("show", cls=Verb)
@click.argument("tagset")
@click.argument("tag")
@format_options
def show(tagset: str, tag: str, format_: str) -> int:
    """What is a TAG of a TAGSET made of?

    \b
    karat tagset show nkjp subst:sg:nom:m1
    karat tagset show pdt NNMS1-----A----
    """  # fmt: skip
    from karat.tagsets import tag_parts

    found = tag_parts(tagset, tag)
    show_result(found, format_, lambda: Report([], [found.records()]))
    return 0
