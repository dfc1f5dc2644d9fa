"""`karat attach`: groups of words, and what is attached to what, learnt from co-occurrence."""

from __future__ import annotations

import click

from karat.cli._attach_evaluate import evaluate
from karat.cli._attach_groups import groups
from karat.cli._attach_stats import stats
from karat.cli._attach_train import apply, train
from karat.cli._options import VerbGroup


@click.group("attach", cls=VerbGroup)
def command() -> None:
    """Group words as a shallow parser does, and learn from co-occurrence what is attached to what.

    After Slaski, Acedański and Przepiórkowski (2012).
    """


for one in (groups, stats, train, evaluate, apply):
    command.add_command(one)
