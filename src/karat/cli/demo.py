"""`karat demo`: karat at work on a small example that it carries."""

from __future__ import annotations

from contextlib import chdir
from importlib.resources import as_file, files

import click

from karat.cli._output import write_out


@click.command("demo")
def command() -> int:
    """Score and compare two imperfect systems on a small built-in example.

    The example has twelve short texts with full Universal Dependencies annotation, and the output of two invented
    systems, ada and bix.
    """
    from karat.cli.compare import command as compare
    from karat.cli.score import command as score

    systems = ["gold.conllu", "ada=ada.conllu", "bix=bix.conllu"]
    with as_file(files("karat") / "examples") as folder, chdir(folder):
        write_out(f"$ cd {folder}\n")
        for name, verb, arguments in (("score", score, systems), ("compare", compare, [*systems, "--examples", "1"])):
            write_out(f"$ karat {name} {' '.join(arguments)}\n\n")
            with verb.make_context(name, arguments) as context:
                code = verb.invoke(context)
            if code:
                return int(code)
            write_out("\n")
    return 0
