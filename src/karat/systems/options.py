"""Which systems can be trained, and how: their options, stated once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from karat.errors import UsageError
from karat.options import option, options_of


@dataclass(frozen=True, slots=True)
class PerceptronOptions:
    """How a perceptron is trained."""

    features: Literal["full", "paper"] = option(
        "full", "perceptron: all features, or those of Wisniewski & Yvon 2019.", choices=("full", "paper")
    )
    epochs: int = option(10, "perceptron: go through the training text N times.", least=1, metavar="N")
    history: Literal["predicted", "gold"] = option(
        "predicted",
        "perceptron: learn with the labels that it predicts for the words before, or with the gold's.",
        choices=("predicted", "gold"),
    )
    lexicon: str | None = option(
        None,
        "perceptron: only consider tags that a form has in this corpus or list (form TAB tag), if it is there.",
        metavar="FILE",
    )


@dataclass(frozen=True, slots=True)
class HmmOptions:
    """How a hidden Markov model is trained."""

    order: int = option(2, "hmm: how many tags before a word count (1: bigrams, 2: trigrams).", choices=("1", "2"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", int(self.order))  # the command line's choices are texts


@dataclass(frozen=True, slots=True)
class MostFrequentOptions:
    """How the baseline is trained."""

    suffixes: bool = option(False, "most-frequent: guess unknown words by their endings.")


Options = PerceptronOptions | HmmOptions | MostFrequentOptions
SYSTEMS: Mapping[str, type[PerceptronOptions] | type[HmmOptions] | type[MostFrequentOptions]] = {
    "perceptron": PerceptronOptions,
    "hmm": HmmOptions,
    "most-frequent": MostFrequentOptions,
}


def options_for(system: str, given: Mapping[str, Any]) -> Options:
    """The options of a system, checked; a `UsageError` for systems, options and values that there are not."""
    if system not in SYSTEMS:
        raise UsageError(f"no system {system!r}; choose from {', '.join(SYSTEMS)}")
    kind = SYSTEMS[system]
    known = {one.name: one for one in options_of(kind)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{system} has no option {name!r}; it has {', '.join(known)}")
        values[name] = _checked(f"`{name}={value}`", value, known[name])
    return kind(**values)


def _checked(shown: str, value: Any, of: Any) -> Any:
    """The value of an option, of the kind that its default has."""
    if of.choices and str(value) not in of.choices:
        raise UsageError(f"{shown}: choose from {', '.join(of.choices)}")
    if isinstance(of.default, bool):
        if str(value).lower() not in ("true", "false", "yes", "no"):
            raise UsageError(f"{shown}: write yes or no")
        return str(value).lower() in ("true", "yes")
    if isinstance(of.default, int):
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise UsageError(f"{shown}: a whole number was expected") from None
        if of.least is not None and number < of.least:
            raise UsageError(f"{shown}: it must be at least {of.least}")
        return number
    return value


def system_from_text(text: str) -> tuple[str, Options]:
    """A system and its options from `NAME[:option=value,…]`.

    >>> system_from_text("hmm:order=1")
    ('hmm', HmmOptions(order=1))
    """
    name, _, rest = text.partition(":")
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"{text}: write NAME:option=value,option=value, as in hmm:order=1")
        given[key.strip().replace("-", "_")] = value.strip()
    return name, options_for(name, given)


def settings_of(options: Options) -> list[tuple[str, str]]:
    """The options as signatures name them."""
    return [(one.name, str(value)) for one in fields(options) if (value := getattr(options, one.name)) is not None]
