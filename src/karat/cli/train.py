"""`karat train`: a tagger or parser of karat's own, trained on a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._options import OUTPUT, Decorator, PluginChoice, Verb, combined, given, made_option, option, refuse
from karat.cli._output import announce_compiling, check_target, progress_line, say, show_inputs, show_result, write_out
from karat.cli._shared_options import format_options, input_option, problem_options
from karat.result import Report
from karat.systems.options import (
    PARSERS,
    TRAINABLE,
    Options,
    kernels_of,
    options_for,
    options_of_systems,
    system_from_text,
)

TRAINED = "What is trained"
_OF_TAGGERS = ("column", "seed", "no_calibration")
learnt_column = option(
    "--column",
    TRAINED,
    "Column to learn: upos, xpos, feats, deprel, lemma, misc, or several together, as in upos+feats (default: upos; "
    "xpos for XCES and other formats with interpretations, and where there is no UPOS).",
    metavar="COLUMN[+COLUMN…]",
)
seed_option = option("--seed", TRAINED, "Random seed; the same seed makes the same tagger.", default=0, least=0)


def _options_of_systems() -> Decorator:
    """Every option of any system once; its help says which systems have it."""
    found = []
    for one, systems in options_of_systems():
        shown = f"{', '.join(systems)}: {one.help[0].lower()}{one.help[1:]}"
        found.append(made_option(replace(one, help=shown), TRAINED))
    return combined(found)


@click.command("train", cls=Verb)
@click.argument("system", type=PluginChoice("system", list(TRAINABLE)))
@click.argument("corpus", metavar="TRAIN")
@learnt_column
@seed_option
@_options_of_systems()
@option(
    "--no-calibration",
    TRAINED,
    "Do not calibrate probabilities, which takes a second training without a tenth of the text.",
    default=False,
)
@option("-o --output", OUTPUT, "The model to write: one file.", required=True, metavar="MODEL")
@option("--show", OUTPUT, "Print what was learnt, where that can be read: constraints, trees or rules.", default=False)
@input_option("brackets")
@problem_options
@format_options
def command(system: str, corpus: str, **options: Any) -> None:
    """Train a tagger or parser on TRAIN: a file, several joined by commas, or a folder.

    Of a treebank's folder in CoNLL-U, the train part is used; a parser learns from all trees of a folder.

    \b
    perceptron     averaged perceptron with the labels before a word as features
    hmm            hidden Markov model of trigrams, unknown words by their endings
    brill          rules that correct likeliest tags by the tags and words around
    relaxation     relaxation labelling with constraints to read and edit
    layered-trees  decision trees for rich tags: POS, number and gender, case
    most-frequent  the baseline: each form gets its most frequent tag
    pcfg           a parser: a probabilistic grammar read off bracketed trees

    Taggers of other packages are named with their options: NAME:option=value,option=value.

    \b
    karat train perceptron train.conllu -o tagger.karat
    karat train hmm train.conllu -o tagger.karat --column xpos --order 1
    karat train relaxation train.conllu -o tagger.karat --column xpos --show
    karat train layered-trees train.conllu -o tagger.karat --column xpos \\
        --tagset nkjp --lexicon morfeusz
    karat train most-frequent train.tsv -o baseline.karat --suffixes
    karat tag -m tagger.karat new.conllu -o tagged.conllu
    karat train pcfg trees.ptb -o parser.karat --vertical 2
    karat parse -m parser.karat new.ptb -o parsed.ptb
    """  # fmt: skip
    asked = {}
    for one, systems in options_of_systems():
        if system not in systems:
            refuse([one.name], f"is an option of {', '.join(systems)}, not of {system}")
        elif given([one.name]):
            asked[one.name] = options[one.name]
    plugin = None if system in TRAINABLE else system_from_text(system)
    if options["show"]:
        if not (type(plugin[1]) if plugin else TRAINABLE[system]).can_be_read:
            raise click.UsageError(f"--show: what {system} learns are numbers that cannot be read.")
        if options["format"] not in ("text", "json"):
            raise click.UsageError("--show prints text, or JSON with --json.")
    check_target(options["output"], "the model")
    read_once([corpus])
    announce_compiling(None if system in PARSERS else kernels_of(system))  # a grammar is read without kernels
    system, chosen = plugin or (system, options_for(system, asked, TRAINABLE))
    if system in PARSERS:
        refuse(_OF_TAGGERS, f"is an option of taggers, not of {system}")
        if options["input"] not in (None, "brackets"):
            raise click.UsageError(f"--input {options['input']}: {system} learns from bracketed trees.")
    result, report = (_parser if system in PARSERS else _tagger)(system, corpus, chosen, options)
    show_inputs(options, result.formats)
    if options["show"] and not given(["format", "json"]):
        write_out("".join(f"{line}\n" for line in result.learnt()))
        say(f"Written to {result.written}.")
    else:
        learnt = {"learnt": result.learnt()} if options["show"] else {}
        show_result(result, options, report, data=lambda: result.to_dict() | learnt)


def _tagger(system: str, corpus: str, chosen: Options, options: Mapping[str, Any]) -> tuple[Any, Callable[[], Report]]:
    from karat.report.taggers import trained_report
    from karat.systems.training import train

    result = train(
        system,
        split_paths(corpus),
        column=options["column"],
        options=chosen,
        seed=options["seed"],
        input=options["input"],
        calibrate=not options["no_calibration"],
        progress=progress_line("training"),
    ).save(options["output"])
    return result, lambda: trained_report(result)


def _parser(_: str, corpus: str, chosen: Options, options: Mapping[str, Any]) -> tuple[Any, Callable[[], Report]]:
    from karat.report.parsers import trained_parser_report
    from karat.systems.options import PcfgOptions
    from karat.systems.parser_training import train_parser

    assert isinstance(chosen, PcfgOptions)
    result = train_parser(split_paths(corpus), options=chosen).save(options["output"])
    return result, lambda: trained_parser_report(result)
