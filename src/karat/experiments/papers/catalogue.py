"""Papers whose numbers karat has beside its own, and whose experiments can be run again, by name.

A paper's modules are imported when it is asked for. To add a paper: a line in `PAPERS`; a module in `published/`, named
as the paper with underscores, with `TITLE` and `published(evidence) -> Iterator[PublishedNumber]`; and, if it has an
experiment, a module in this folder with a function `reproduced(data, folder, how) -> Reproduction`, a number `SEEDS` of
runs if that is not 3, and its name in `EXPERIMENTS`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.errors import NO_LINE, DataError, KaratError, Problem, UsageError

if TYPE_CHECKING:
    from karat.corpus import PathLike
    from karat.experiments.grid import Watch
    from karat.experiments.papers.published.numbers import PaperFigure, PublishedNumbers
    from karat.experiments.papers.reproduction import Reproduction
    from karat.inference.options import InferenceOptions

PAPERS = {
    "padro-1998": "Padró & Màrquez 1998: what noise in the gold does to the comparison of taggers.",
    "hogenhout-1996": "Hogenhout & Matsumoto 1996: two parsers compared, and what the test is worth.",
    "melamed-2000": "Melamed & Resnik 2000: scores and kappa for tags in a hierarchy.",
    "acedanski-2010": "Acedański & Przepiórkowski 2010: measures of rich tags, by taggers of Polish.",
    "slaski-2012": "Slaski, Acedański & Przepiórkowski 2012: attachment from co-occurrence.",
    "wisniewski-2019": "Wisniewski & Yvon 2019: PoS taggers across the corpora of Universal Dependencies.",
}
EXPERIMENTS = tuple(name for name in PAPERS if name != "melamed-2000")  # which is about measures alone

_SEEDS = 3


def reproduce(
    paper: str,
    data: PathLike,
    folder: PathLike,
    *,
    seeds: int | Sequence[int] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    inference: InferenceOptions | None = None,
    watch: Watch | None = None,
) -> Reproduction:
    """A paper's experiments on what of its data is in the folder `data`, each printed number beside ours.

    Results of experiments are kept in `folder`: started again, only what is missing is run. What cannot be run is
    listed with its reason. `jobs` and `scheduler` are those of `karat.grid`. Without `seeds`, there are as many runs of
    each system as the paper's module says. `paper` is one of `karat.experiments.papers.catalogue.EXPERIMENTS`.
    """
    from karat.experiments.papers.reproduction import ExperimentRun
    from karat.inference.options import InferenceOptions

    if paper not in EXPERIMENTS:
        raise UsageError(f"unknown paper {paper!r}; choose from {', '.join(EXPERIMENTS)}")
    module: Any = import_module(f"karat.experiments.papers.{_module(paper)}")
    asked = getattr(module, "SEEDS", _SEEDS) if seeds is None else seeds
    numbers = tuple(range(asked)) if isinstance(asked, int) else tuple(asked)
    how = ExperimentRun(numbers, jobs, scheduler, inference or InferenceOptions(), watch)
    made: Reproduction = module.reproduced(data, folder, how)
    return made


def _module(paper: str) -> str:
    return paper.replace("-", "_")


def published_numbers(
    papers: Sequence[str] | str = (),
    data: PathLike | None = None,
    folder: PathLike = "karat-reproduce",
    *,
    quick: bool = False,
    seeds: int | Sequence[int] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    inference: InferenceOptions | None = None,
    watch: Watch | None = None,
) -> PublishedNumbers:
    """Every number that papers print (all papers of `PAPERS`, if none is named), with ours beside it.

    Without `data`, what follows from a paper's own numbers is computed; with it, what its texts give as well; and, if
    not `quick`, the papers' experiments are run in `folder/PAPER` (of a single paper: in `folder`), as by `reproduce`.
    An experiment whose texts are not in `data` is left out, with the reason.
    """
    from karat.experiments.papers.published.numbers import PaperEvidence, PaperNumbers, PublishedNumbers
    from karat.experiments.papers.reproduction import NotRun
    from karat.signature import signature

    names = [papers] if isinstance(papers, str) else [*(papers or PAPERS)]
    for name in names:
        if name not in PAPERS:
            raise UsageError(f"unknown paper {name!r}; choose from {', '.join(PAPERS)}")
    where = None if data is None else os.fspath(data)
    if where is not None and not os.path.isdir(where):
        raise DataError(Problem("K101", "no such folder", where, NO_LINE))
    found: list[PaperNumbers] = []
    inputs: dict[tuple[str, str, str], None] = {}
    for name in dict.fromkeys(names):
        evidence = PaperEvidence(where)
        if where is not None and not quick and name in EXPERIMENTS:
            kept = os.fspath(folder) if len(names) == 1 else os.path.join(folder, name)
            try:
                evidence.experiment = reproduce(
                    name,
                    where,
                    kept,
                    seeds=seeds,
                    jobs=jobs,
                    scheduler=scheduler,
                    inference=inference,
                    watch=watch,
                )
            except KaratError as error:
                if len(names) == 1:
                    raise
                evidence.missing.append(NotRun("the experiment", str(error)))
        module: Any = import_module(f"karat.experiments.papers.published.{_module(name)}")
        rows = tuple(module.published(evidence))
        figures = (*evidence.figures, *_figures_of(evidence.experiment))
        found.append(
            PaperNumbers(name, module.TITLE, rows, tuple(evidence.missing), figures, evidence.experiment),
        )
        inputs |= dict.fromkeys(evidence.inputs)
    evidence_named = "numbers" if where is None else "data" if quick else "training"
    settings = [("papers", ",".join(one.paper for one in found)), ("evidence", evidence_named)]
    return PublishedNumbers(tuple(found), where, quick, signature("reproduce", settings, [*inputs]))


def _figures_of(experiment: Reproduction | None) -> Iterator[PaperFigure]:
    """What an experiment has of its paper's figures."""
    from karat.experiments.papers.published.numbers import PaperFigure
    from karat.experiments.papers.reproduction import PaperTable

    for part in experiment.parts if experiment is not None else ():
        if part.name.startswith("figure"):
            for which, result in part.results:
                if not isinstance(result, PaperTable):
                    yield PaperFigure(f"{part.title}{which and f', {which}'}", part.title, result)
