"""The commands that repeat the steps of a demo by hand."""

from __future__ import annotations

import shlex


def written_command(verb: str, *arguments: str, **options: object) -> str:
    """A command as a shell takes it; options of one letter have one dash.

    >>> written_command("train", "hmm", "my demo/train.conllu", o="hmm.model", seed=3)
    "karat train hmm 'my demo/train.conllu' -o hmm.model --seed 3"
    """
    parts = ["karat", *verb.split(), *arguments]
    for name, value in options.items():
        dashes = "-" if len(name) == 1 else "--"
        parts += [f"{dashes}{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join(parts)


def named_arguments(systems: dict[str, str]) -> list[str]:
    """Systems as arguments: NAME=PATH."""
    return [f"{name}={path}" for name, path in systems.items()]
