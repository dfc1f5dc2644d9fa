"""Papers whose experiments can be run again, by name; a paper's module is imported when it is asked for.

To add a paper: a module in this folder, named as the paper with underscores, with a function `reproduced(data, folder,
*, seeds, jobs, scheduler, inference, watch) -> Reproduction`, a number `SEEDS` of runs if that is not 3, and a line in
`PAPERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.corpus import PathLike
    from karat.experiments.grid import Watch
    from karat.experiments.papers.reproduction import Reproduction
    from karat.inference.options import InferenceOptions

PAPERS = {
    "acedanski-2010": "Acedański & Przepiórkowski 2010: measures of rich tags, by taggers of Polish.",
    "hogenhout-1996": "Hogenhout & Matsumoto 1996: two parsers compared, and what the test is worth.",
    "padro-1998": "Padró & Màrquez 1998: taggers compared on a noisy gold.",
    "slaski-2012": "Slaski, Acedański & Przepiórkowski 2012: attachment from co-occurrence.",
    "wisniewski-2019": "Wisniewski & Yvon 2019: PoS taggers across the corpora of Universal Dependencies.",
}

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
    each system as the paper's module says. `paper` is one of `karat.experiments.papers.catalogue.PAPERS`.
    """
    from karat.inference.options import InferenceOptions

    if paper not in PAPERS:
        raise UsageError(f"unknown paper {paper!r}; choose from {', '.join(PAPERS)}")
    module: Any = import_module(f"karat.experiments.papers.{paper.replace('-', '_')}")
    made: Reproduction = module.reproduced(
        data,
        folder,
        seeds=getattr(module, "SEEDS", _SEEDS) if seeds is None else seeds,
        jobs=jobs,
        scheduler=scheduler,
        inference=inference or InferenceOptions(),
        watch=watch,
    )
    return made
