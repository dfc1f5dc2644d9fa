"""Which systems can be trained, and how: their options, stated once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from karat.entry_points import PLUGIN, Plugin, every, named, names_of
from karat.errors import DataError, UsageError
from karat.options import Option, option, options_of

_LEXICON_HELP = (
    "Which tags a form can have: morfeusz (Polish, needs karat[polish]), or a corpus or list (form TAB tag), "
    "beside those it has in training."
)
_TAGSET_HELP = (
    "Tagset of rich tags (nkjp, ud, …, or a .toml file): learn about their categories and choose among candidates."
)


@dataclass(frozen=True, slots=True)
class Options:
    """How a system is trained.

    `kernels` is the module with the system's compiled loops, if it has any, so that the command line can say that they
    are compiled without importing them. `can_be_read` says whether people can read what it learns.
    """

    kernels: ClassVar[str | None] = None
    can_be_read: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class PerceptronOptions(Options):
    """How a perceptron is trained."""

    kernels: ClassVar[str | None] = "systems/_compiled_perceptron"

    features: Literal["full", "paper"] = option(
        "full", "All features, or those of Wisniewski & Yvon 2019.", choices=("full", "paper")
    )
    epochs: int = option(10, "Go through the training text N times.", least=1, metavar="N")
    history: Literal["predicted", "gold"] = option(
        "predicted",
        "Learn with the labels that it predicts for the words before, or with the gold's.",
        choices=("predicted", "gold"),
    )
    lexicon: str | None = option(None, _LEXICON_HELP, metavar="morfeusz|FILE")
    tagset: str | None = option(None, _TAGSET_HELP, metavar="TAGSET")


@dataclass(frozen=True, slots=True)
class HmmOptions(Options):
    """How a hidden Markov model is trained."""

    kernels: ClassVar[str | None] = "systems/_compiled_hmm"

    order: int = option(2, "How many tags before a word count (1: bigrams, 2: trigrams).", choices=("1", "2"))
    lexicon: str | None = option(None, _LEXICON_HELP, metavar="morfeusz|FILE")

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", int(self.order))  # the command line's choices are texts


CONSTRAINT_KINDS = ("B", "T", "BT", "C", "BC", "TC", "BTC")


@dataclass(frozen=True, slots=True)
class RelaxationOptions(Options):
    """How a relaxation labelling tagger is trained."""

    kernels: ClassVar[str | None] = "systems/relaxation/_compiled_relaxation"
    can_be_read: ClassVar[bool] = True

    constraints: str = option(
        "TC",
        "Which constraints are learnt: of pairs of tags (B), triples (T), acquired ones (C).",
        choices=CONSTRAINT_KINDS,
    )
    constraints_file: str | None = option(
        None, "Constraints written by hand, which are added to those that are learnt, or replace them.", metavar="FILE"
    )
    update: Literal["damped", "textbook"] = option(
        "damped", "How weights change: damped keeps P(tag | form) in mind.", choices=("damped", "textbook")
    )
    lexicon: str | None = option(None, _LEXICON_HELP, metavar="morfeusz|FILE")
    stated: tuple[Any, ...] = ()  # constraints that were read already, in place of a file


@dataclass(frozen=True, slots=True)
class LayeredTreesOptions(Options):
    """How layers of decision trees are trained."""

    kernels: ClassVar[str | None] = "systems/layered_trees/_compiled_trees"
    can_be_read: ClassVar[bool] = True

    tagset: str | None = option(None, _TAGSET_HELP, metavar="TAGSET")
    forest: bool = option(False, "Grow a forest for every ambiguity class, not one tree.")
    rules: str | None = option(
        None, "Remove candidates by elimination rules first: nkjp, or a file.", metavar="NAME|FILE"
    )
    lexicon: str | None = option(None, _LEXICON_HELP, metavar="morfeusz|FILE")


@dataclass(frozen=True, slots=True)
class BrillOptions(Options):
    """How a transformation-based tagger is trained."""

    kernels: ClassVar[str | None] = "systems/_compiled_transformation_learning"
    can_be_read: ClassVar[bool] = True

    threshold: int = option(
        3,
        "Learn rules that correct at least N words more than they spoil; 0: what is best for a tenth of the text.",
        least=0,
        metavar="N",
    )
    phases: Literal["one", "two"] = option(
        "one",
        "With a tagset: correct whole tags at once, or parts of speech first.",
        choices=("one", "two"),
    )
    tagset: str | None = option(None, _TAGSET_HELP, metavar="TAGSET")
    lexicon: str | None = option(None, _LEXICON_HELP, metavar="morfeusz|FILE")


@dataclass(frozen=True, slots=True)
class MostFrequentOptions(Options):
    """How the baseline is trained."""

    suffixes: bool = option(False, "Guess unknown words by their endings.")


@dataclass(frozen=True, slots=True)
class PcfgOptions(Options):
    """How a grammar is read off a treebank."""

    kernels: ClassVar[str | None] = "systems/pcfg/_compiled_chart"
    can_be_read: ClassVar[bool] = True

    vertical: int = option(
        1, "How many labels a symbol is made of: 1 is the phrase's own, more are those above it.", least=1, metavar="N"
    )
    horizontal: int = option(
        2, "How many of the next children a rule knows in phrases of more than two children.", least=0, metavar="N"
    )
    smoothing: float = option(
        0.3,
        "How much rules in phrases of more than two children borrow from similar ones (Witten & Bell); 0: nothing.",
        least=0,
        metavar="X",
    )


SYSTEMS: Mapping[str, type[Options]] = {
    "perceptron": PerceptronOptions,
    "hmm": HmmOptions,
    "relaxation": RelaxationOptions,
    "layered-trees": LayeredTreesOptions,
    "brill": BrillOptions,
    "most-frequent": MostFrequentOptions,
}

PARSERS: Mapping[str, type[Options]] = {"pcfg": PcfgOptions}
TRAINABLE: Mapping[str, type[Options]] = {**SYSTEMS, **PARSERS}


_OF_PLUGINS: dict[type[Options], Plugin] = {}  # those that were asked for
_SIGNED = {PLUGIN, "system", "column", "seed"}  # what signatures say beside options


def plugin_system(name: str) -> tuple[Plugin, type[Options]] | None:
    """The system of this name of another package, and its options; a `DataError` if it cannot be used."""
    plugin = named("system", name, lambda: TRAINABLE)
    if plugin is None:
        return None
    kind = options_of_plugin(plugin)
    _OF_PLUGINS[kind] = plugin
    return plugin, kind


def options_of_plugin(plugin: Plugin) -> type[Options]:
    """The options of a plug-in's system; a `DataError` if they are none."""
    kind = getattr(plugin.loaded(), "options_type", None)
    if not isinstance(kind, type) or not issubclass(kind, Options) or kind in (Options, *TRAINABLE.values()):
        raise plugin.refusal("K971", "has no 'options_type' that is a subclass of Options")
    if taken := _SIGNED & {one.name for one in options_of(kind)}:
        raise plugin.refusal("K971", f"has an option {min(taken)!r}, a name that signatures use already")
    return kind


def plugin_of(options: Options) -> Plugin | None:
    """The plug-in that these are the options of; None for karat's own."""
    kind = type(options)
    if kind not in _OF_PLUGINS and kind not in TRAINABLE.values():
        for plugin in every("system", lambda: TRAINABLE)[0]:
            try:
                _OF_PLUGINS[options_of_plugin(plugin)] = plugin
            except DataError:  # another one
                continue
    return _OF_PLUGINS.get(kind)


def options_of_systems() -> list[tuple[Option, tuple[str, ...]]]:
    """Every option of any system once, with the systems that have it."""
    found: dict[str, tuple[Option, list[str]]] = {}
    for system, kind in TRAINABLE.items():
        for one in options_of(kind):
            found.setdefault(one.name, (one, []))[1].append(system)
    return [(one, tuple(systems)) for one, systems in found.values()]


def kernels_of(system: str) -> str | None:
    """The module with the compiled loops of a system; None if it has none or is unknown."""
    return TRAINABLE[system].kernels if system in TRAINABLE else None


def options_for(system: str, given: Mapping[str, Any], among: Mapping[str, type[Options]] | None = None) -> Options:
    """The options of a system, checked; a `UsageError` for systems, options and values that there are not.

    Systems are taggers, unless others are given to choose `among`.
    """
    plugin = None
    among = SYSTEMS if among is None else among
    if system in among:
        kind = among[system]
    elif among is not PARSERS and (found := plugin_system(system)) is not None:
        plugin, kind = found
    else:
        raise UsageError(f"no system {system!r}; choose from {', '.join([*among, *names_of('system')])}")
    known = {one.name: one for one in options_of(kind)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{system} has no option {name!r}; it has {', '.join(known) or 'none'}")
        shown = f"`{name}={value}`" if plugin is None else f"{system}:{name}={value}"  # which is no option of karat's
        values[name] = _checked(shown, value, known[name])
    if plugin is None:
        return kind(**values)
    with plugin.calling():
        return kind(**values)


def _checked(shown: str, value: Any, of: Any) -> Any:
    """The value of an option, of the kind that its default has."""
    if of.choices and str(value) not in of.choices:
        raise UsageError(f"{shown}: choose from {', '.join(of.choices)}")
    if isinstance(of.default, bool):
        if str(value).lower() not in ("true", "false", "yes", "no"):
            raise UsageError(f"{shown}: write yes or no")
        return str(value).lower() in ("true", "yes")
    if isinstance(of.default, (int, float)):
        whole = isinstance(of.default, int)
        try:
            number = int(value) if whole else float(value)
        except (TypeError, ValueError):
            raise UsageError(f"{shown}: a {'whole ' * whole}number was expected") from None
        if of.least is not None and not of.least <= number < float("inf"):
            raise UsageError(f"{shown}: it must be at least {of.least}")
        return number
    return value


def system_from_text(text: str) -> tuple[str, Options]:
    """A system and its options from `NAME[:option=value,…]`.

    >>> system_from_text("hmm:order=1")
    ('hmm', HmmOptions(order=1, lexicon=None))
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
    """The options as signatures name them, and the package of a system that is a plug-in."""
    names = [one.name for one in options_of(type(options))]
    plugin = plugin_of(options)
    found = [(name, str(value)) for name in names if (value := getattr(options, name)) is not None]
    return found if plugin is None else [*found, (PLUGIN, plugin.signed)]
