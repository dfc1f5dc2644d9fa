"""Options that commands share, in the groups in which help shows them, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, TypeVar

import click

from karat.cli._output import MOST_PROBLEMS, say_pending, show_problems
from karat.errors import DataError, UsageError
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.positional.options import TagOptions
from karat.options import Option, options_of

__all__ = [
    "BRACKETS",
    "COLUMNS",
    "HIERARCHY",
    "HOW_SURE",
    "INPUT",
    "INPUTS",
    "OPTIONS",
    "OUTPUT",
    "TAGS",
    "TREES",
    "WHAT",
]
__all__ += ["Points", "Verb", "check_kind", "column_option", "combined", "detailed_output_options", "fields_of"]
__all__ += ["format_options", "format_options_with", "given", "hierarchy_from", "inference_options", "input_option"]
__all__ += [
    "input_options",
    "made_from",
    "map_option",
    "measure_option",
    "measures_from",
    "named_inputs",
    "named_paths",
    "option",
]
__all__ += ["options_from", "paper_output_options", "problem_options", "read_once", "refuse", "skip_bad_option"]
__all__ += ["split_commas", "split_paths", "tag_and_hierarchy_options", "tags_from", "values_of", "verbose_option"]

FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex")
INPUTS = ["conllu", "tsv", "slash", "xces", "plain", "dag"]  # as karat.corpus.formats has them

# the groups of options, in the order in which help shows them
WHAT, TREES, TAGS, HIERARCHY, HOW_SURE = "What to score", "Trees", "Rich tags", "Hierarchies", "How sure"
OPTIONS, INPUT, OUTPUT = "Options", "Input", "Output"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_Options = TypeVar("_Options")
Kind = Literal["columns", "brackets", "key"]  # as karat.corpus.formats has them


# ---- options in titled groups ----------------------------------------------------------------------------------------


class GroupedOption(click.Option):
    """An option that help shows under a title."""

    def __init__(self, *arguments: Any, group: str, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.group = group


class Verb(click.Command):
    """A command whose help shows its options in titled groups; how sure we are, input and output come last.

    Where an input is bad, as many problems are listed as the command was asked to list.
    """

    def invoke(self, ctx: click.Context) -> Any:
        # numpy's linear algebra starts a thread per core that burns time doing nothing; threads of our own share work
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return super().invoke(ctx)
        except DataError as error:
            show_problems(error.problems, most=ctx.params.get("max_errors", MOST_PROBLEMS))
            return error.exit_code
        finally:
            say_pending()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(getattr(parameter, "group", OUTPUT), []).append(record)  # --help has no group
        last = [title for title in (HOW_SURE, INPUT, OUTPUT) if title in groups]
        for title in [*(one for one in groups if one not in last), *last]:
            with formatter.section(title):
                formatter.write_dl(groups[title])


def option(
    flags: str,
    group: str,
    help: str,
    *,
    default: Any = None,
    choices: Sequence[str] = (),
    number: type[int] | type[float] | None = None,
    least: int | None = None,
    below: float | None = None,
    is_repeatable: bool = False,
    **attributes: Any,
) -> Decorator:
    """An option in a group, stated as `karat.options.option` states it; its default is shown, if it has one.

    `flags` are as on the command line; the name of the parameter may follow them. What defaults to False is a switch,
    what defaults to a number is one. Other `attributes` are click's.
    """
    number = number or (type(default) if type(default) in (int, float) else None)
    attributes.setdefault("show_default", bool(default or number))
    if not attributes.get("required"):  # to click, None would do for what is required
        attributes["default"] = () if is_repeatable else default
    if default is False:
        attributes["is_flag"] = True
    elif choices:
        attributes["type"] = click.Choice(choices)
    elif number is int:
        attributes.setdefault("type", click.IntRange(min=least))
    elif number is float and least is None and below is None:
        attributes["type"] = float
    elif number is float:
        attributes["type"] = click.FloatRange(min=least, max=below, max_open=below is not None)
    names = flags.split()
    return click.option(*names, cls=GroupedOption, group=group, help=help, multiple=is_repeatable, **attributes)


def combined(options: Sequence[Decorator]) -> Decorator:
    """Several options as one decorator, in their order."""

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            command = one(command)
        return command

    return decorated


# ---- options that are fields of dataclasses --------------------------------------------------------------------------


def options_from(options: type, group: str, names: Iterable[str] = ()) -> Decorator:
    """The options of a dataclass, or those of these names, as options of a command."""
    chosen = list(names)
    return combined([_made(one, group) for one in options_of(options) if not chosen or one.name in chosen])


def _made(one: Option, group: str) -> Decorator:
    how = {name: value for name, value in asdict(one).items() if name not in ("flag", "name")}
    return option(f"{one.flag} {one.name}", group, **how)


def fields_of(options: type, *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of a dataclass's options."""
    left_out = set(but)
    return tuple(one.name for one in options_of(options) if one.name not in left_out)


def made_from(options: type[_Options], values: Mapping[str, Any], **others: Any) -> _Options:
    """The dataclass with the values that a command was given for its options."""
    found = {one.name: values[one.name] for one in options_of(options) if one.name in values}
    repeated = {one.name for one in options_of(options) if one.is_repeatable}
    return options(
        **{name: split_commas(value) if name in repeated else value for name, value in found.items()}, **others
    )


def values_of(options: Mapping[str, Any], names: str) -> dict[str, Any]:
    """The values of the options of these names, with spaces between: what a function of the library is asked."""
    return {name: options[name] for name in names.split()}


def given(names: Iterable[str]) -> list[str]:
    """Those of the options that were given on the command line, as they are written there."""
    context = click.get_current_context()
    options = {one.name: one.opts[-1] for one in context.command.params}
    source = click.core.ParameterSource.COMMANDLINE
    return [options[name] for name in names if name in options and context.get_parameter_source(name) is source]


def refuse(names: Iterable[str], why: str) -> None:
    """Stop if an option was given that would be ignored."""
    for one in given(names):
        raise click.UsageError(f"{one} {why}.")


# ---- what commands have in common ------------------------------------------------------------------------------------


def format_options_with(*others: str, what: str = "How to write the result.") -> Decorator:
    """`--format` and `--json`: how the result is written, perhaps in other formats as well."""
    return combined(
        [
            option("--format", OUTPUT, what, default="text", choices=[*FORMATS, *others]),
            click.option(
                "--json", "format", cls=GroupedOption, group=OUTPUT, flag_value="json", help="Short for --format json."
            ),
        ]
    )


format_options = format_options_with()
_details_option = option("--details", OUTPUT, "Show what most readers skip, too.", default=False)
detailed_output_options = combined([_details_option, format_options])
paper_output_options = combined(
    [
        _details_option,
        option("--caption", OUTPUT, "Caption of the table in LaTeX and Markdown.", metavar="TEXT"),
        option("--latex-label", OUTPUT, "Label of the table in LaTeX, as in tab:results.", metavar="LABEL"),
        format_options,
    ]
)


class Points(click.ParamType[float]):
    """A difference of values: a fraction, as in 0.002, or points, as in 0.2pt.

    Of a bare number it cannot be told whether 0.2 means 20 points or 0.2: it is refused, with the two ways to say it.
    """

    name = "points"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        is_points = text.endswith("pt")
        try:
            number = float(text.removesuffix("pt"))
        except ValueError:
            self.fail(f"{text!r} is not a number; write 0.002 or 0.2pt.", param, ctx)
        if not is_points and number >= 0.1:
            self.fail(f"{text} would be {100 * number:g} points; for {number:g} points write {number:g}pt.", param, ctx)
        return number / 100 if is_points else number


measure_option = option(
    "--measure measures",
    WHAT,
    "Compute only these measures, in upper or lower case; all takes all that can be had (repeatable).",
    is_repeatable=True,
    metavar="NAME[,NAME…]",
)
map_option = option(
    "--map",
    WHAT,
    "Map the tags of both sides before they are compared: penn-upos (XPOS, where there is one, to UPOS), or a "
    "file with lines of FROM, a tab and TO (* for all others).",
    metavar="FILE|penn-upos",
)
verbose_option = option("-v --verbose", INPUT, "Tell how inputs were read.", default=False)
problem_options = combined(
    [
        option(
            "--max-errors", INPUT, "List at most N problems; 0 lists all.", default=MOST_PROBLEMS, least=0, metavar="N"
        ),
        verbose_option,
    ]
)
skip_bad_option = option(
    "--skip-bad",
    INPUT,
    "Skip bad sentences: a bad gold sentence is left out, a bad system sentence is scored as 0.",
    default=False,
)


def input_option(*others: str) -> Decorator:
    """`--input`: the format of all inputs, of words or one of the others."""
    names = {"brackets": "bracketed trees", "key": "sense keys"}
    kinds = ["CoNLL-U", "form TAB tag", "word/TAG or word_TAG text", "XCES", "KRNNT's plain format", "Concraft's DAG"]
    kinds += [names[one] for one in others]
    what = f"Format of all inputs: {', '.join(kinds)} (default: by content; -v tells)."
    return option("--input", INPUT, what, choices=[*INPUTS, *others])


def column_option(columns: Sequence[str], what: str) -> Decorator:
    """`--column`: which column, for what."""
    return option("--column", INPUT, what, default="upos", choices=columns)


COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel", "misc")

input_options = combined(
    [
        input_option("brackets", "key"),
        column_option(
            COLUMNS,
            "What the tags of plain tagged text are; also which tags --lexicon, --map, --tagset, --hierarchy and "
            "--ignore-suspicious are about.",
        ),
        skip_bad_option,
        problem_options,
    ]
)
inference_options = options_from(InferenceOptions, HOW_SURE)
tag_and_hierarchy_options = combined([options_from(TagOptions, TAGS), options_from(HierarchyOptions, HIERARCHY)])
BRACKETS = fields_of(BracketOptions)
_WITHOUT_HIERARCHY = ("strict", "smallest_probability")  # of sense keys, whose tags need not be in one


def measures_from(options: Mapping[str, Any]) -> list[str] | None:
    """The measures asked for; None if none are named."""
    names = split_commas(options["measures"])
    if options["measures"] and not names:
        raise click.UsageError("--measure needs a name.")
    return names or None


def tags_from(options: Mapping[str, Any]) -> TagOptions | None:
    """What the options of rich tags ask for; None without a tagset."""
    if options["tagset"] is None:
        shared = ["probabilities"] if options["hierarchy"] is not None else []
        refuse(fields_of(TagOptions, but=["tagset", *shared]), "goes with --tagset")
        if options["column"] not in ("upos", "xpos") and options["hierarchy"] is None and options["map"] is None:
            raise click.UsageError(f"--column {options['column']} goes with --tagset, --hierarchy or --map.")
        return None
    return made_from(TagOptions, options, column=options["column"] if given(["column"]) else None)


def hierarchy_from(options: Mapping[str, Any], *, of_keys: bool = False) -> HierarchyOptions | None:
    """What the options of hierarchies ask for; None without a hierarchy, which sense keys do not need."""
    if options["hierarchy"] is None:
        without = _WITHOUT_HIERARCHY if of_keys else ()
        refuse(fields_of(HierarchyOptions, but=["hierarchy", *without]), "goes with --hierarchy")
        if not of_keys:
            return None
    if options["learn_from"] is None:
        refuse(["alpha"], "goes with --learn-from")
    return made_from(HierarchyOptions, options, **values_of(options, "column probabilities"))


_OF_WORDS = (*fields_of(TagOptions, but=["probabilities"]), "lexicon", "confusions", "n_top", "gold_dir", "system_dirs")
_OF_WORDS += ("column", "map", "train", "ignore_suspicious")
_OF_TREES = (*BRACKETS, *"worklist include_exact sample same_style judgements parses prm evalb_steps".split())
_KINDS: Sequence[tuple[Sequence[str], Sequence[Kind]]] = (
    (_OF_WORDS, ("columns",)),
    (fields_of(HierarchyOptions), ("columns", "key")),
    (_OF_TREES, ("brackets",)),
)
_NAMES: Mapping[Kind, str] = {"columns": "words in columns", "brackets": "bracketed trees", "key": "sense keys"}


def check_kind(kind: Kind, like: str | None) -> None:
    """Stop if an option was given, or an evaluator to be `like`, that is for other kinds of data."""
    for names, kinds in _KINDS:
        if kind not in kinds:
            only = f"is for {_NAMES[kinds[0]]} only" if kinds == ("brackets",) else f"is not for {_NAMES[kind]}"
            refuse(names, only)
    if like == "evalb" and kind != "brackets":
        raise click.UsageError("--like evalb is for bracketed trees only.")
    if like == "conll18" and kind != "columns":
        evalb = "; --like evalb is" if kind == "brackets" else ""
        raise click.UsageError(f"--like conll18 is not for {_NAMES[kind]}{evalb}.")


def read_once(paths: Iterable[object]) -> None:
    """Stop if standard input is to be read twice."""
    if list(paths).count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")


def split_commas(groups: Iterable[str]) -> list[str]:
    """The names in options that may be repeated or have commas in them."""
    return [name.strip() for group in groups for name in group.split(",") if name.strip()]


def split_paths(argument: str) -> str | list[str]:
    """Several files as one corpus are written with commas between; a file whose own name has commas stays whole."""
    if "," not in argument or os.path.exists(argument):
        return argument
    return [path for path in argument.split(",") if path] or argument


def named_paths(arguments: Sequence[str], what: str = "systems") -> dict[str, str]:
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
            raise UsageError(f"two {what} are called {name!r}; name them: NAME=PATH")
        found[name] = path
    return found


def named_inputs(
    arguments: Sequence[str], what: str = "systems", *, may_repeat: bool = False
) -> dict[str, str | list[str]]:
    """Inputs by name, each a path or several; if they `may_repeat`, one that is given again is another: `NAME (2)`."""
    different = list(dict.fromkeys(arguments)) if may_repeat else arguments
    names = dict(zip(different, named_paths(different, what).items(), strict=True))
    found: dict[str, str | list[str]] = {}
    for place, argument in enumerate(arguments):
        name, path = names[argument]
        times = arguments[: place + 1].count(argument)
        found[name if times == 1 else f"{name} ({times})"] = split_paths(path)
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
