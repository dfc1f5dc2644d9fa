"""How options are stated, in the groups in which help shows them, and what was given for them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click

from karat.cli._arguments import split_commas
from karat.cli._completion import complete_paths
from karat.cli._output import CALL, MOST_PROBLEMS, check_folder, check_target, say_pending, show_problems
from karat.entry_points import Kind, names_of
from karat.errors import DataError, shortened
from karat.options import Option, options_of

# the groups of options, in the order in which help shows them
WHAT, TREES, TAGS, HIERARCHY, HOW_SURE = "What to score", "Trees", "Rich tags", "Hierarchies", "Statistics"
OPTIONS, INPUT, OUTPUT = "Options", "Input", "Output"

_LARGEST = 2**53
_FIRST_SENTENCE = re.compile(r".*?[.?!](?= |$)|.*")

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_Options = TypeVar("_Options")


# ---- options in titled groups ----------------------------------------------------------------------------------------


class GroupedOption(click.Option):
    """An option that help shows under a title."""

    def __init__(self, *arguments: Any, group: str, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.group = group


class Verb(click.Command):
    """A command whose help shows its options in titled groups; how sure we are, input and output come last.

    Where an input is bad, as many problems are listed as the command was asked to list. Paths are completed in shells.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        complete_paths(self.params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[CALL] = (ctx.command_path, tuple(args))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        # numpy's linear algebra starts a thread per core that burns time doing nothing; threads of our own share work
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if ctx.params.get("report"):
            check_target(ctx.params["report"], "the page")
        if ctx.params.get("figures"):
            check_folder(ctx.params["figures"], "the drawings")
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


class VerbGroup(click.Group):
    """A command with others below it; its help has the first sentence of each of them, which click would cut."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(one)) for name, one in self.commands.items()])


def first_sentence(command: click.Command) -> str:
    """What a command is for, as its help begins."""
    beginning = " ".join((command.help or "").partition("\n\n")[0].split())
    return _FIRST_SENTENCE.match(beginning)[0]  # type: ignore[index]  # nothing is a match, too


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
        attributes.setdefault("type", WholeNumber(min=least))
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


class WholeNumber(click.IntRange):
    """A whole number; one that numpy, compiled code or readers of JSON may not hold exactly is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if isinstance(found, int) and abs(found) > _LARGEST:
            self.fail(f"{shortened(str(value))} is too large: at most 2^53.", param, ctx)
        return found


class PluginChoice(click.Choice[str]):
    """One of karat's names, or that of a plug-in, which may have options behind it, as in `name:option=value`.

    Plug-ins are looked for when a name is none of karat's.
    """

    def __init__(self, kind: Kind, choices: Sequence[str]) -> None:
        super().__init__(choices)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value).partition(":")[0] if self.kind == "system" else str(value)
        installed = [] if name in self.choices else names_of(self.kind)
        if value not in self.choices and name.lower() not in map(str.lower, installed):
            known = ", ".join(map(repr, [*self.choices, *installed]))
            self.fail(f"{value!r} is not one of {known}.", param, ctx)
        return str(value)


if TYPE_CHECKING:
    _Number = click.ParamType[float]
else:
    _Number = click.ParamType  # click before 8.4 has no generic one


class Points(_Number):
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
            points = f"{number:g} point{'s' * (number != 1)}"
            self.fail(f"{text} would be {100 * number:g} points; for {points} write {number:g}pt.", param, ctx)
        return number / 100 if is_points else number


# ---- options that are fields of dataclasses --------------------------------------------------------------------------


def options_from(options: type, group: str, names: Iterable[str] = ()) -> Decorator:
    """The options of a dataclass, or those of these names, as options of a command."""
    chosen = list(names)
    return combined([made_option(one, group) for one in options_of(options) if not chosen or one.name in chosen])


def made_option(one: Option, group: str) -> Decorator:
    """An option of a dataclass as an option of a command."""
    how = {name: value for name, value in asdict(one).items() if name not in ("flag", "name")}
    return option(f"{one.flag} {one.name}", group, **how)


def fields_of(options: type, *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of a dataclass's options."""
    left_out = set(but)
    return tuple(one.name for one in options_of(options) if one.name not in left_out)


def made_from(options: type[_Options], values: Mapping[str, Any], **others: Any) -> _Options:
    """The dataclass with the values that a command was given for its options."""
    chosen = [one for one in options_of(options) if one.name in values]
    found = {one.name: split_commas(values[one.name]) if one.is_repeatable else values[one.name] for one in chosen}
    return options(**found, **others)


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
