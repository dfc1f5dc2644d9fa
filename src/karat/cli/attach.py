"""`karat attach`: groups of words, and what is attached to what, learnt from co-occurrence."""

from __future__ import annotations

import click

from karat.cli._attach_groups import groups
from karat.cli._attach_stats import stats


@click.group("attach")
def command() -> None:
    """Group words as a shallow parser does, and learn from co-occurrence what is attached to what.

    After Slaski, Acedański and Przepiórkowski (2012).
    """


command.add_command(groups)
command.add_command(stats)
