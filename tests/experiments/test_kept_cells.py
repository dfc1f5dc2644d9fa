"""Finished cells of a grid that were changed since: what is not as karat writes it is refused, and named."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from cli_runs import Run
from karat.errors import DataError
from karat.experiments.kept_cells import fault_of_cell
from small_treebanks import small_treebank

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("kept")
    bank = small_treebank(home / "UD_Tree-Oak", 1)
    karat.grid([bank], home / "folds", systems=["most-frequent"], seeds=1, folds=2, document_from="sent_id")
    karat.grid([bank], home / "grid", systems=["most-frequent"], seeds=1, without_duplicates=True, map="penn-upos")
    return home


@pytest.mark.parametrize("name", ["grid", "folds"])
def test_a_cell_as_karat_writes_it_has_no_fault(folder: Path, name: str) -> None:
    for path in (folder / name / "cells").glob("*.json"):
        assert fault_of_cell(json.loads(path.read_text(encoding="utf-8"))) == ""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda cell: cell.pop("system"), "system"),
        (lambda cell: cell.update(train=["a"]), "train"),
        (lambda cell: cell.update(seed=-1), "seed"),
        (lambda cell: cell.update(seed=True), "seed"),
        (lambda cell: cell.update(size="all"), "size"),
        (lambda cell: cell.update(words=10**30), "words"),
        (lambda cell: cell.update(tag_seconds=float("nan")), "tag_seconds"),
        (lambda cell: cell.update(measures={}), "measures"),
        (lambda cell: cell["measures"].update(UPOS=3), "measures.UPOS"),
        (lambda cell: cell["measures"]["UPOS"].update(value=None), "measures.UPOS"),
        (lambda cell: cell["measures"]["UPOS"].pop("lower"), "measures.UPOS"),
        (lambda cell: cell["train_text"].update(sha256=["a"]), "train_text"),
        (lambda cell: cell["test_text"].update(paths=[]), "test_text"),
        (lambda cell: cell["test_text"].update(paths=["a\0b"]), "test_text"),
        (lambda cell: cell.update(folds={"n": 1, "by": None, "fold": 0}), "folds"),
        (lambda cell: cell.update(documents={"comment": "x"}), "documents"),
        (lambda cell: cell.update(map="penn-upos"), "map"),
    ],
)
def test_a_changed_cell_is_refused_with_what_is_wrong(folder: Path, change: Change, fault: str) -> None:
    (path,) = (folder / "grid" / "cells").glob("*.json")
    before = path.read_text(encoding="utf-8")
    cell = json.loads(before)
    change(cell)
    path.write_text(json.dumps(cell), encoding="utf-8")
    try:
        with pytest.raises(DataError, match=rf"K912 not a cell of a grid as karat writes it: {fault}\n"):
            karat.read_grid(folder / "grid")
    finally:
        path.write_text(before, encoding="utf-8")


def with_damaged_header() -> bytes:
    """An archive of one array whose description is neither Python nor can be cut into tokens."""
    array, archive = io.BytesIO(), io.BytesIO()
    np.save(array, np.zeros((2, 4)))
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(zipfile.ZipInfo("UPOS.npy"), array.getvalue().replace(b"{'descr", b"{(\0[{(("))
    return archive.getvalue()


@pytest.mark.parametrize(
    "counts",
    [
        *(with_damaged_header(), b"PK", b"", [[1.0, np.nan]], [[-1.0]], [1.0], 3.0),
        *([[5, 5, 6, 5]], [[5, 2, 4, 2], [5, 1, 4, 1]]),  # gold, system, correct, aligned
    ],
    ids=["header", "start", "empty", "nan", "negative", "one row", "number", "more than gold", "more than system"],
)
def test_counts_that_were_changed_are_refused(folder: Path, counts: Any) -> None:
    (path,) = (folder / "grid" / "cells").glob("*.npz")
    before = path.read_bytes()
    packed = io.BytesIO()
    np.savez(packed, UPOS=np.asarray(0 if isinstance(counts, bytes) else counts))
    path.write_bytes(counts if isinstance(counts, bytes) else packed.getvalue())
    try:
        found = karat.read_grid(folder / "grid")
        with pytest.raises(DataError, match="K912 not the counts of a cell"):
            found.store.counts(found.cells[0].key, "UPOS")
    finally:
        path.write_bytes(before)


def test_the_list_of_tables_is_text_alone(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    call = ("grid", "--from", str(folder / "grid"), "--table", "list")
    assert Run(capsys, *call).out.startswith("matrix")
    run = Run(capsys, *call, "--json")
    assert (run.code, run.out) == (2, "")
    assert "--table list prints text only" in run.err


def test_counts_of_another_text_are_refused_by_tables(folder: Path) -> None:
    (path,) = (folder / "grid" / "cells").glob("*.npz")
    kept = path.read_bytes()
    found = karat.read_grid(folder / "grid")
    counts = found.store.counts(found.cells[0].key, "UPOS")
    for changed in (counts[:-1], counts[:, :-1], np.vstack([counts, counts])):
        packed = io.BytesIO()
        np.savez(packed, UPOS=changed)
        path.write_bytes(packed.getvalue())
        try:
            with pytest.raises(DataError, match="K912 not the counts of a cell"):
                karat.grid_table(karat.read_grid(folder / "grid"), "matrix")
        finally:
            path.write_bytes(kept)
    karat.grid_table(karat.read_grid(folder / "grid"), "matrix")
