"""Options, stated once: fields of dataclasses, from which the command line makes its own."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line: what it is for, and what it can be.

    `flag` is what it is called there, if not like the field; `number` says that it is one, where the default does not;
    `least` is the smallest number, `below` what a number must be below; `is_repeatable` says that it may be given
    several times, or with commas between.
    """

    name: str
    default: Any
    help: str
    flag: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    number: type[int] | type[float] | None = None
    least: int | None = None
    below: float | None = None
    is_repeatable: bool = False


def option(default: Any, help: str, **how: Any) -> Any:
    """A field of a dataclass that is an option of the command line too."""
    return field(default=default, metadata={"help": help, **how})


def options_of(options: type) -> list[Option]:
    """The options among the fields of a dataclass, in their order."""
    found = []
    for one in fields(options):
        how = dict(one.metadata)
        if "help" in how:
            flag = how.pop("flag", "--" + one.name.replace("_", "-"))
            found.append(Option(one.name, one.default, flag=flag, **how))
    return found
