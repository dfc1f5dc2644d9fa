"""Files that appear once they are complete, all of them or none."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

import karat
from karat.corpus import files
from karat.corpus.files import replace_files


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    replace_files((str(tmp_path / name), name.encode()) for name in "ab")
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"a", b"b"]
    assert names(tmp_path) == {"a", "b"}


def test_if_one_cannot_be_written_none_is_and_the_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    missing = str(tmp_path / "no" / "b")
    with pytest.raises(OSError, match="No such file") as caught:
        replace_files([(str(tmp_path / "a"), b"new"), (missing, b"b")])
    assert caught.value.filename == missing
    assert (names(tmp_path), (tmp_path / "a").read_bytes()) == ({"a"}, b"old")


def test_a_full_disk_leaves_no_part_of_a_simulation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written, write = [], files._write

    def until_it_is_full(path: str, data: bytes, target: str) -> None:
        written.append(target)
        if len(written) == 3:
            Path(path).write_bytes(data[:10])
            raise OSError(errno.ENOSPC, "No space left on device", path)
        write(path, data, target)

    monkeypatch.setattr(files, "_write", until_it_is_full)
    with pytest.raises(karat.UsageError, match="cannot be written: No space left on device"):
        karat.simulate(tmp_path / "x", tokens=300)
    assert names(tmp_path / "x") == set()
