"""`karat train`: a tagger of karat's own, trained on a corpus."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._options import OUTPUT, Verb, fields_of, made_from, option, options_from, refuse
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result
from karat.cli._shared_options import format_options, input_option, problem_options
from karat.systems.options import SYSTEMS

TRAINED = "What is trained"
KERNELS = {"perceptron": "systems/_compiled_perceptron", "hmm": "systems/_compiled_hmm"}
learnt_column = option(
    "--column",
    TRAINED,
    "Column to learn: upos, xpos, feats, deprel, lemma, misc, or several together, as in upos+feats (default: upos; "
    "xpos for XCES and other formats with interpretations, and where there is no UPOS).",
    metavar="COLUMN[+COLUMN…]",
)
seed_option = option("--seed", TRAINED, "Random seed; the same seed makes the same tagger.", default=0, least=0)


@click.command("train", cls=Verb)
@click.argument("system", type=click.Choice(list(SYSTEMS)))
@click.argument("corpus", metavar="TRAIN")
@learnt_column
@seed_option
@options_from(SYSTEMS["perceptron"], TRAINED)
@options_from(SYSTEMS["hmm"], TRAINED)
@options_from(SYSTEMS["most-frequent"], TRAINED)
@option(
    "--no-calibration",
    TRAINED,
    "Do not calibrate probabilities, which takes a second training without a tenth of the text.",
    default=False,
)
@option("-o --output", OUTPUT, "The model to write: one file.", required=True, metavar="MODEL")
@input_option()
@problem_options
@format_options
def command(system: str, corpus: str, **options: Any) -> None:
    """Train a tagger on TRAIN: a file, several joined by commas, or a treebank's folder (its train part).

    \b
    perceptron     averaged perceptron with the labels before a word as features
    hmm            hidden Markov model of trigrams, unknown words by their endings
    most-frequent  the baseline: each form gets its most frequent tag

    \b
    karat train perceptron train.conllu -o tagger.karat
    karat train hmm train.conllu -o tagger.karat --column xpos --order 1
    karat train most-frequent train.tsv -o baseline.karat --suffixes
    karat tag -m tagger.karat new.conllu -o tagged.conllu
    """  # fmt: skip
    for other, kind in SYSTEMS.items():
        if other != system:
            refuse(fields_of(kind), f"is an option of {other}, not of {system}")
    read_once([corpus])
    announce_compiling(KERNELS.get(system))
    from karat.report.taggers import trained_report
    from karat.systems.training import train

    result = train(
        system,
        split_paths(corpus),
        column=options["column"],
        options=made_from(SYSTEMS[system], options),
        seed=options["seed"],
        input=options["input"],
        calibrate=not options["no_calibration"],
        progress=progress_line("training"),
    ).save(options["output"])
    show_inputs(options, result.formats)
    show_result(result, options, lambda: trained_report(result))
