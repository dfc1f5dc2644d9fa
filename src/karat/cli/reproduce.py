"""`karat reproduce`: a paper's experiments, run again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from karat.cli._grid_progress import watched_on_terminal
from karat.cli._options import HOW_SURE, OUTPUT, Verb, made_from, option, options_from
from karat.cli._output import announce_compiling, is_for_paper, say, show_result, write_file
from karat.cli._shared_options import detailed_output_options
from karat.experiments.papers.catalogue import PAPERS
from karat.inference.options import InferenceOptions
from karat.systems.options import SYSTEMS, kernels_of

EXPERIMENT = "The experiment"
_KERNELS: Mapping[str, tuple[str | None, ...]] = {
    "acedanski-2010": tuple(map(kernels_of, SYSTEMS)),
    "hogenhout-1996": ("systems/pcfg/_compiled_chart", "systems/_compiled_perceptron"),
    "padro-1998": ("systems/_compiled_hmm", "systems/relaxation/_compiled_relaxation"),
    "slaski-2012": (
        *("systems/groups/_compiled_groups", "systems/attachment/_compiled_counting"),
        *("systems/attachment/_compiled_hypernym_pairs", "systems/_compiled_perceptron"),
    ),
    "wisniewski-2019": ("systems/_compiled_perceptron", "gold/repeats/_suffix_intervals"),
}


@click.command("reproduce", cls=Verb)
@click.argument("paper", type=click.Choice(list(PAPERS)))
@option("--data", EXPERIMENT, "Folder with the paper's data, or one above it.", required=True, metavar="DIR")
@option(
    "--seeds",
    EXPERIMENT,
    "Number of runs of each system (default: 3; padro-1998: of plantings of errors; hogenhout-1996: of test parts, 5; "
    "slaski-2012: of drawn sentences, 1; acedanski-2010: always 1).",
    number=int,
    least=1,
    metavar="N",
)
@option("--jobs", EXPERIMENT, "Number of processes; results do not depend on it.", default=1, least=1)
@option("--scheduler", EXPERIMENT, "Use this Dask cluster (needs karat[cluster]).", metavar="tcp://HOST:PORT")
@option(
    "-o --output",
    OUTPUT,
    "Folder for results, report.md and drawings (default: karat-reproduce/PAPER).",
    metavar="DIR",
)
@options_from(InferenceOptions, HOW_SURE, ["level"])
@detailed_output_options
def command(paper: str, **options: Any) -> int:
    """Run a PAPER's experiments again and show its printed numbers beside ours.

    Uses what of the paper's data is in DIR; what is missing is listed with the reason. Results are kept in the output
    folder: the same command, started again, only runs what is missing. A run that fails is listed (exit code 1).

    \b
    acedanski-2010   measures of rich tags: taggers of Polish, UD_Polish-PDB (dev and test), PUD and LFG
    hogenhout-1996   two parsers, and what their test is worth: a folder of GUM's constituency trees
    padro-1998       taggers compared on a noisy gold: EWT and GUM of UD 2.3
    slaski-2012      attachment from co-occurrence: UD_Polish-PDB (dev and test), PUD, LFG, plwordnet; English of UD 2.3
    wisniewski-2019  PoS taggers across corpora: UD 2.3, English and French

    \b
    karat reproduce wisniewski-2019 --data ud-treebanks-v2.3 --jobs 2
    karat reproduce acedanski-2010 --data ud-treebanks-v2.18 --jobs 2
    karat reproduce wisniewski-2019 --data ud-treebanks-v2.3 --seeds 10 -o ten-runs --format markdown
    """  # fmt: skip
    announce_compiling(*_KERNELS[paper])
    from karat.experiments.papers.catalogue import reproduce
    from karat.report.reproduction import reproduction_figures, reproduction_report
    from karat.report.tables import written

    folder = options["output"] or os.path.join("karat-reproduce", paper)
    with watched_on_terminal() as watch:
        result = reproduce(
            paper,
            options["data"],
            folder,
            seeds=options["seeds"],
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            inference=made_from(InferenceOptions, options),
            watch=watch,
        )
    figures = reproduction_figures(result)
    for name, drawn in figures.items():
        write_file(os.path.join(folder, name), drawn)
    whole = written(reproduction_report(result, details=True), "markdown")
    write_file(os.path.join(folder, "report.md"), f"# {result.title}\n\n{whole}\n    {result.signature}\n")
    details = options["details"] or is_for_paper(options)
    show_result(result, options, lambda: reproduction_report(result, details=details))
    say(f"{os.path.join(folder, 'report.md')} has every table{'; drawings are beside it' if figures else ''}")
    return 1 if result.n_failed else 0
