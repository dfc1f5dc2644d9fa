"""Options that commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.inference import InferenceOptions

__all__ = ["format_options", "inference_from", "inference_options", "input_options", "measure_option"]
__all__ += ["named_paths", "split_commas", "split_paths"]

FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def format_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format` and `--json`: how the result is written."""
    what = "How to write the result."
    command = click.option(
        "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help=what
    )(command)
    return click.option("--json", "format_", flag_value="json", help="Short for --format json.")(command)


def measure_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--measure`: which measures."""
    what = "Only these measures (repeatable; upper or lower case)."
    return click.option("--measure", "measures", multiple=True, metavar="NAME[,NAME…]", help=what)(command)


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How inputs are read, and what happens to bad ones."""
    options: list[Decorator] = [
        click.option(
            "--input",
            "input_",
            type=click.Choice(["conllu", "tsv", "slash"]),
            help="Format of all inputs: CoNLL-U, form TAB tag, or word/TAG and word_TAG text (default: by content; -v "
            "tells).",
        ),
        click.option(
            "--column",
            type=click.Choice(["upos", "xpos"]),
            default="upos",
            show_default=True,
            help="What the tags of plain tagged text are; also the tags of --lexicon.",
        ),
        click.option(
            "--skip-bad",
            is_flag=True,
            help="Go on in spite of bad sentences: a bad gold sentence leaves the test, a bad system sentence counts "
            "as wholly wrong.",
        ),
        click.option(
            "--max-errors",
            type=click.IntRange(min=0),
            default=20,
            show_default=True,
            help="How many problems to list; 0 for all.",
        ),
        click.option("-v", "--verbose", is_flag=True, help="Say how inputs were read."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def inference_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How intervals and tests are made."""
    options: list[Decorator] = [
        click.option(
            "--cluster",
            metavar="sentence|document|FILE",
            help="What is resampled whole; FILE has a group for each gold sentence, a line each (default: documents if "
            "20 or more are marked, else sentences).",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(min=0),
            default=10_000,
            show_default=True,
            help="How often; 0 makes no intervals.",
        ),
        click.option(
            "--level",
            type=click.FloatRange(min=0.5, max=1, max_open=True),
            default=0.95,
            show_default=True,
            help="Of intervals and, as 1 - level, of tests.",
        ),
        click.option(
            "--method",
            type=click.Choice(["auto", "percentile", "bca", "t"]),
            default="auto",
            show_default=True,
            help="Of intervals: auto is percentile from 100 clusters on, else t.",
        ),
        click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of resampling."),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="Threads that resample; the result does not depend on it.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def inference_from(options: Mapping[str, Any]) -> InferenceOptions:
    """What the options of `inference_options` ask for."""
    from karat.inference import InferenceOptions

    return InferenceOptions(
        n_resamples=options["resamples"],
        level=options["level"],
        method=options["method"],
        cluster=options["cluster"],
        seed=options["seed"],
        jobs=options["jobs"],
    )


def split_commas(groups: Iterable[str]) -> list[str]:
    """The names in options that may be repeated or have commas in them."""
    return [name.strip() for group in groups for name in group.split(",") if name.strip()]


def split_paths(argument: str) -> str | list[str]:
    """Several files as one corpus are written with commas between; a file whose own name has commas stays whole."""
    if "," not in argument or os.path.exists(argument):
        return argument
    return [path for path in argument.split(",") if path] or argument


def named_paths(arguments: Sequence[str]) -> dict[str, str]:
    """Names and paths from arguments that are `NAME=PATH` or a path, named after its shortest unambiguous tail.

    >>> named_paths(["a/x.conllu", "b/x.conllu", "best=c/y.conllu"])
    {'a/x.conllu': 'a/x.conllu', 'b/x.conllu': 'b/x.conllu', 'best': 'c/y.conllu'}
    """
    pairs = [_name_and_path(argument) for argument in arguments]
    unnamed = list(dict.fromkeys(path for name, path in pairs if name is None))
    found: dict[str, str] = {}
    for name, path in pairs:
        name = _shortest_tail(path, unnamed) if name is None else name
        if name in found:
            raise UsageError(f"two systems are called {name!r}; name them: NAME=PATH")
        found[name] = path
    return found


def _name_and_path(argument: str) -> tuple[str | None, str]:
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not os.path.exists(argument):
        return name, path
    return None, argument


def _shortest_tail(path: str, others: Sequence[str]) -> str:
    parts = path.rstrip("/").split("/")
    for size in range(1, len(parts) + 1):
        tail = parts[-size:]
        if sum(other.rstrip("/").split("/")[-size:] == tail for other in others) == 1:
            return "/".join(tail)
    return path
