"""Options that commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.inference.options import InferenceOptions
    from karat.measures.brackets.tree_comparison import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions

__all__ = ["BRACKET_OPTIONS", "INPUTS", "bracket_options", "brackets_from", "format_options", "given", "inference_from"]
__all__ += [
    "inference_options",
    "input_options",
    "max_errors_option",
    "measure_option",
    "named_paths",
    "sampling_options",
    "split_commas",
    "verbose_option",
]
__all__ += ["HIERARCHY_OPTIONS", "hierarchy_from", "hierarchy_options", "split_paths", "tag_options", "tags_from"]

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


INPUTS = ["conllu", "tsv", "slash", "xces", "plain", "dag"]  # as karat.corpus.formats has them


max_errors_option: Decorator = click.option(
    "--max-errors",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many problems to list; 0 for all.",
)
verbose_option: Decorator = click.option("-v", "--verbose", is_flag=True, help="Say how inputs were read.")


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How inputs are read, and what happens to bad ones."""
    options: list[Decorator] = [
        click.option(
            "--input",
            "input_",
            type=click.Choice([*INPUTS, "brackets", "key"]),
            help="Format of all inputs: CoNLL-U, form TAB tag, word/TAG and word_TAG text, XCES, the plain format of "
            "KRNNT, the DAG format of Concraft, bracketed trees, or sense keys (default: by content; -v tells).",
        ),
        click.option(
            "--column",
            type=click.Choice(["upos", "xpos", "feats", "lemma", "deprel", "misc"]),
            default="upos",
            show_default=True,
            help="What the tags of plain tagged text are; also the tags of --lexicon, --tagset, --hierarchy and "
            "--ignore-suspicious.",
        ),
        click.option(
            "--skip-bad",
            is_flag=True,
            help="Go on in spite of bad sentences: a bad gold sentence leaves the test, a bad system sentence counts "
            "as wholly wrong.",
        ),
        max_errors_option,
        verbose_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


def bracket_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which words and brackets of trees count."""
    options: list[Decorator] = [
        click.option(
            "--labelled",
            is_flag=True,
            help="Trees: count items by label too (Labelled F1 and its like always do).",
        ),
        click.option(
            "--label",
            default="",
            metavar="PATTERN",
            help="Trees: only brackets whose label fits, as in PP or 'NP*,WHNP'; they match if labels do.",
        ),
        click.option(
            "--punctuation",
            default="penn",
            show_default=True,
            metavar="penn|unicode|none|FILE",
            help="Trees: words to drop, by Penn tag, by Unicode category P, none, or by the tags in a file.",
        ),
        click.option("--keep-empty", is_flag=True, help="Trees: count brackets that became empty."),
        click.option(
            "--keep-doubled", is_flag=True, help="Trees: count each of several brackets around the same words."
        ),
        click.option("--keep-one-word", is_flag=True, help="Trees: count brackets around a single word."),
        click.option(
            "--cutoff",
            type=click.IntRange(min=1),
            default=40,
            show_default=True,
            help="Trees: score sentences of up to so many words apart, too.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


BRACKET_OPTIONS = ("labelled", "label", "punctuation", "keep_empty", "keep_doubled", "keep_one_word", "cutoff")


def brackets_from(options: Mapping[str, Any]) -> BracketOptions:
    """What the options of `bracket_options` ask for."""
    from karat.measures.brackets.tree_comparison import BracketOptions

    return BracketOptions(
        punctuation=options["punctuation"],
        drop_empty=not options["keep_empty"],
        merge_doubled=not options["keep_doubled"],
        drop_one_word=not options["keep_one_word"],
        labelled=options["labelled"],
        label=options["label"],
        cutoff=options["cutoff"],
    )


_TAGS: list[Decorator] = [
    click.option(
        "--tagset",
        metavar="NAME|FILE",
        help="Take tags apart (nkjp, ud, pdt, multext-east, penn, or a .toml) and score how much of them is right: "
        "exact, pos, PA, WPA, CWPA.",
    ),
    click.option(
        "--weights",
        metavar="NAME|FILE",
        help="Tags: weights of categories for WPA and CWPA, as karat weights makes them (default: poliqarp-2010).",
    ),
    click.option(
        "--slots",
        type=click.Choice(["present", "declared"]),
        default="present",
        show_default=True,
        help="Tags: count the slots that a tag fills, or all that its part of speech has.",
    ),
    click.option(
        "--missing-weight",
        type=click.FloatRange(min=0),
        default=1.0,
        show_default=True,
        help="Tags: the weight of categories that have none.",
    ),
    click.option("--ignore-category", multiple=True, metavar="CATEGORY", help="Tags: leave it out (repeatable)."),
    click.option(
        "--probabilities",
        is_flag=True,
        help="Tags, with --hierarchy too: columns of tagged text are tag, probability, tag, …",
    ),
]
TAG_OPTIONS = ("weights", "slots", "missing_weight", "ignore_category", "probabilities")


def tag_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How rich tags are scored."""
    for option in reversed(_TAGS):
        command = option(command)
    return command


def tags_from(context: click.Context, options: Mapping[str, Any]) -> TagOptions | None:
    """What the options of `tag_options` ask for; None without a tagset."""
    if options["tagset"] is None:
        for option in given(context, TAG_OPTIONS if options["hierarchy"] is None else TAG_OPTIONS[:-1]):
            raise click.UsageError(f"{option} goes with --tagset.")
        if options["column"] not in ("upos", "xpos") and options["hierarchy"] is None:
            raise click.UsageError(f"--column {options['column']} goes with --tagset or --hierarchy.")
        return None
    from karat.measures.positional.options import TagOptions

    return TagOptions(
        options["tagset"],
        options["weights"],
        options["slots"],
        frozenset(split_commas(options["ignore_category"])),
        options["missing_weight"],
        options["column"] if given(context, ["column"]) else None,
        options["probabilities"],
    )


_HIERARCHY: list[Decorator] = [
    click.option(
        "--hierarchy",
        metavar="FILE",
        help="Tags are in this hierarchy (indented, dotted names, parent TAB child, or WordNet's folder): score the "
        "probability given to right leaves: hierarchical, exact, hP, hR, hF; also cross_entropy, brier.",
    ),
    click.option(
        "--layout",
        type=click.Choice(["indented", "dotted", "pairs", "wordnet"]),
        help="Hierarchy: how its file is laid out (default: by content).",
    ),
    click.option("--tree", is_flag=True, help="Hierarchy: refuse tags with two parents."),
    click.option(
        "--downward",
        metavar="distinct|FILE",
        help="Hierarchy: how a tag's probability goes to its children: to all leaves below alike, or as a file of "
        "parent, child, probability says (default: to all children alike).",
    ),
    click.option("--learn-from", metavar="FILE", help="Hierarchy: as the tags of this corpus or key file are spread."),
    click.option(
        "--alpha", type=float, default=1.0, show_default=True, help="With --learn-from: the weight of the smoothing."
    ),
    click.option("--strict", is_flag=True, help="Hierarchy: refuse probabilities that do not sum to 1."),
    click.option(
        "--smallest-probability",
        type=float,
        default=0.001,
        show_default=True,
        help="Hierarchy: what cross_entropy takes a smaller probability for.",
    ),
]
HIERARCHY_OPTIONS = ("layout", "tree", "downward", "learn_from", "alpha", "strict", "smallest_probability")


def hierarchy_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How tags in a hierarchy are scored."""
    for option in reversed(_HIERARCHY):
        command = option(command)
    return command


def hierarchy_from(
    context: click.Context, options: Mapping[str, Any], *, of_keys: bool = False
) -> HierarchyOptions | None:
    """What the options of `hierarchy_options` ask for; None without a hierarchy, which sense keys do not need."""
    if options["hierarchy"] is None and not of_keys:
        for option in given(context, HIERARCHY_OPTIONS):
            raise click.UsageError(f"{option} goes with --hierarchy.")
        return None
    if options["hierarchy"] is None:
        for option in given(context, HIERARCHY_OPTIONS[:5]):
            raise click.UsageError(f"{option} goes with --hierarchy.")
    if given(context, ["alpha"]) and options["learn_from"] is None:
        raise click.UsageError("--alpha goes with --learn-from.")
    from karat.measures.hierarchical.options import HierarchyOptions

    is_distinct = options["downward"] == "distinct"
    return HierarchyOptions(
        options["hierarchy"],
        layout=options["layout"],
        tree=options["tree"],
        downward=None if is_distinct else options["downward"],
        learned_from=options["learn_from"],
        alpha=options["alpha"],
        distinct=is_distinct,
        strict=options["strict"],
        column=options["column"],
        probabilities=options["probabilities"],
        smallest_probability=options["smallest_probability"],
    )


def given(context: click.Context, names: Iterable[str]) -> list[str]:
    """Those of the options that were given on the command line, as they are written there."""
    return [
        next(one.opts[-1] for one in context.command.params if one.name == name)
        for name in names
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]


_INFERENCE: dict[str, Decorator] = {
    "cluster": click.option(
        "--cluster",
        metavar="sentence|document|FILE",
        help="What is resampled whole; FILE has a group for each gold sentence, a line each (default: documents if "
        "20 or more are marked, else sentences; of sense keys, where there are type and instance, types).",
    ),
    "resamples": click.option(
        "--resamples",
        type=click.IntRange(min=0),
        default=10_000,
        show_default=True,
        help="How often; 0 makes no intervals.",
    ),
    "level": click.option(
        "--level",
        type=click.FloatRange(min=0.5, max=1, max_open=True),
        default=0.95,
        show_default=True,
        help="Of intervals and, as 1 - level, of tests.",
    ),
    "method": click.option(
        "--method",
        type=click.Choice(["auto", "percentile", "bca", "t"]),
        default="auto",
        show_default=True,
        help="Of intervals: auto is percentile from 100 clusters on, else t.",
    ),
    "seed": click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of resampling."),
    "jobs": click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Threads that resample; the result does not depend on it.",
    ),
}


def inference_options(command: Callable[..., Any], names: Iterable[str] = tuple(_INFERENCE)) -> Callable[..., Any]:
    """How intervals and tests are made."""
    for name in reversed(list(names)):
        command = _INFERENCE[name](command)
    return command


def sampling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What is a sample of what, where nothing is resampled."""
    return inference_options(command, ("cluster", "level", "seed"))


def inference_from(options: Mapping[str, Any]) -> InferenceOptions:
    """What the options of `inference_options` ask for."""
    from karat.inference.options import InferenceOptions

    names = {"resamples": "n_resamples"}
    given = {names.get(name, name): options[name] for name in _INFERENCE if name in options}
    return InferenceOptions(**given)


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
