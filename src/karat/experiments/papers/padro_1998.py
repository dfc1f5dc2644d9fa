"""Padró & Màrquez 1998, run again: taggers with bigrams, trigrams and acquired constraints on a noisy gold.

The paper compares two taggers of Màrquez & Padró 1997 on the Wall Street Journal: one with bigram constraints (B), one
with trigrams and constraints that decision trees acquired (TC). Here they learn the same tags (XPOS) from EWT and GUM
of UD 2.3, beside hidden Markov models and the baseline. What the paper wishes for (§1) is done: several trials (ten
folds by document), other domains, costs, paired tests. Its Figure 1 is made of our outputs for several error rates of
the gold, and what it assumes of t, u and p (§4) is measured where errors were planted (`padro_1998_tables`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from karat.corpus import PathLike
from karat.corpus.files import replace_file
from karat.errors import UsageError
from karat.experiments.grid import Grid, grid
from karat.experiments.papers.padro_1998_tables import PARTS, verdict
from karat.experiments.papers.padro_1998_texts import (
    COLUMN,
    N_FOLDS,
    PLANTED,
    PLANTED_IN,
    PLANTED_RATE,
    SYSTEMS,
    Plant,
    Work,
)
from karat.experiments.papers.planted_errors import planter
from karat.experiments.papers.reproduction import ExperimentRun, NotRun, Reproduction, failed_cells, made_parts
from karat.experiments.papers.ud_folders import TreebankFolder, ud_treebanks
from karat.experiments.treebanks import TextReading, Treebank, corpus_of, treebanks
from karat.signature import signature

NAME = "padro-1998"
RELEASE = "2.3"
CORPORA = ("EWT", "GUM")


def reproduced(data: PathLike, folder: PathLike, how: ExperimentRun) -> Reproduction:
    """The paper's comparison on EWT and GUM; `seeds` are how often errors are planted (its taggers draw no lots)."""
    folders = [one for one in ud_treebanks(data, RELEASE, ("English",)) if one.short in CORPORA]
    if not folders:
        raise UsageError(f"no treebank of English ({' or '.join(CORPORA)}) in {os.fspath(data)}")
    usable = [one for one in folders if {"train", "test"} <= one.parts]
    if not usable:
        raise UsageError(f"{folders[0].path}: a train and a test part are needed")
    asked: dict[str, Any] = {"column": COLUMN, **how.of_grid}
    paths = [one.path for one in usable]
    kept = os.path.join(folder, "grid")
    across = _run(grid(paths, kept, systems=[*SYSTEMS.values()], seeds=1, **asked))
    in_folds = _run(grid(paths, kept, systems=[*SYSTEMS.values()], seeds=1, folds=N_FOLDS, fold_by="document", **asked))
    plants = _planted(usable[0], Path(folder, "planted"), how.seeds)
    systems = [SYSTEMS[name] for name in PLANTED_IN]
    with_errors = _together([_run(grid([one.path], kept, systems=systems, seeds=1, **asked)) for one in plants])
    work = Work(usable, across, in_folds, plants, with_errors, how.inference)
    parts, refused = made_parts(PARTS, work)
    grids = (across, in_folds, with_errors)
    failures = [one for found in grids for one in found.failures]
    return Reproduction(
        NAME,
        "Padró & Màrquez 1998, On the Evaluation and Comparison of Taggers: the Effect of Noise in Testing Corpora",
        os.fspath(folder),
        tuple(parts),
        (*_not_there(usable), *refused, *failed_cells(failures)),
        sum(one.n_run for one in grids),
        sum(one.n_kept for one in grids),
        len(failures),
        _signature(folders, how.seeds),
        how.inference.level,
        verdict(parts),
        "the Wall Street Journal",
    )


def _run(found: Grid) -> Grid:
    if found.was_interrupted:
        raise KeyboardInterrupt
    return found


def _together(grids: Sequence[Grid]) -> Grid:
    """Grids of the same folder as one; a grid of all their corpora would test each tagger on the others' errors."""
    return replace(
        grids[0],
        cells=tuple(cell for one in grids for cell in one.cells),
        n_run=sum(one.n_run for one in grids),
        n_kept=sum(one.n_kept for one in grids),
        failures=tuple(failure for one in grids for failure in one.failures),
    )


def _signature(folders: Sequence[TreebankFolder], seeds: Sequence[int]) -> str:
    texts = [
        (part, one.name, text.sha256)
        for one in treebanks([each.path for each in folders])
        for part, text in _parts(one)
    ]
    settings = [("paper", NAME), ("systems", ",".join(SYSTEMS.values())), ("plants", ",".join(map(str, seeds)))]
    return signature("reproduce", settings, texts)


def _parts(bank: Treebank) -> Iterator[tuple[str, Any]]:
    for part in ("train", "test"):
        text = getattr(bank, part)
        if text is not None:
            yield part, text


def _not_there(folders: Sequence[TreebankFolder]) -> Iterator[NotRun]:
    yield NotRun("the Wall Street Journal", "not free; EWT and GUM have the same tagset")
    here = {one.short for one in folders}
    yield from (NotRun(f"English {name}", "not in the folder") for name in CORPORA if name not in here)


# ---- planted errors --------------------------------------------------------------------------------------------------


def _planted(folder: TreebankFolder, target: Path, seeds: Sequence[int]) -> list[Plant]:
    """Copies of a treebank with errors, written once: the same seeds make the same files."""
    (bank,) = treebanks([folder.path])
    if bank.train is None or bank.test is None:
        raise UsageError(f"{folder.path} has no train or no test part")
    train, test = (corpus_of(one, TextReading(COLUMN)) for one in (bank.train, bank.test))
    plants = planter(train, COLUMN)
    texts = [plants.text(train), plants.text(test)]
    found = []
    for seed in seeds:
        for number, (where, (kind, in_both)) in enumerate(PLANTED.items()):
            rng = np.random.default_rng([seed, number, 1998])
            if kind == "random":
                tags = [plants.random(one, PLANTED_RATE, rng) for one in texts]
            else:
                tags = plants.systematic(texts, PLANTED_RATE, rng)
            name = f"{where.replace(', ', '-').replace(' ', '-')}-{seed}"
            made = target / name
            made.mkdir(parents=True, exist_ok=True)
            tags[0] = tags[0] if in_both else texts[0].tags
            for part, one, its in zip(("train", "test"), texts, tags, strict=True):
                _write_once(made / f"planted-ud-{part}.conllu", plants.written(one, its))
            found.append(Plant(str(made), where, seed))
    return found


def _write_once(path: Path, data: bytes) -> None:
    """Write a file, unless it is there with these bytes: cells are named after what is in it."""
    if not path.exists() or path.read_bytes() != data:
        replace_file(str(path), data)
