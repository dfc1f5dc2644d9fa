"""Whose a list is, and what the files of several judges are called."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile

from karat.corpus.worklist import Worklist
from karat.noise.complete_lists import judge_of

ADJUDICATED = "adjudicated"
_PACKED = (".gz", ".bz2", ".xz")
_NOBODY = ("1", "all")  # of a plan for one judge, and of lists that were merged


def file_of_judge(path: str, judge: str) -> str:
    """The file that a judge of a list has.

    >>> file_of_judge("a/check.tsv", "ina"), file_of_judge("check.tsv.gz", "ina")
    ('a/check.ina.tsv', 'check.ina.tsv.gz')
    """
    folder, stem, ending = split_name(path)
    return os.path.join(folder, f"{stem}.{judge}{ending}")


def split_name(path: str) -> tuple[str, str, str]:
    """The folder, the name without its ending, and the ending, which includes that of a compressed file.

    >>> split_name("a/check.ina.tsv.gz")
    ('a', 'check.ina', '.tsv.gz')
    """
    folder, name = os.path.split(path)
    stem, packed = os.path.splitext(name)
    if packed.lower() not in _PACKED:
        stem, packed = name, ""
    stem, ending = os.path.splitext(stem)
    return folder, stem, ending + packed


def judge_of_single(worklist: Worklist) -> str:
    """The judge of a list that is reviewed alone: whom its head names, else nobody."""
    judge = judge_of(worklist)
    return "" if judge is None or judge in _NOBODY else judge


def judge_of_one(worklist: Worklist) -> str:
    """The judge of one list of several: whom its head names, else what its file is called, `ina` for check.ina.tsv."""
    judge = judge_of(worklist)
    return judge if judge and judge not in _NOBODY else split_name(worklist.path)[1].rpartition(".")[2]


def are_named_after_judges(paths: Sequence[str]) -> bool:
    """Whether files are one list's, each of a judge.

    >>> are_named_after_judges(["check.ina.tsv", "check.jan.tsv"]), are_named_after_judges(["check.tsv", "more.tsv"])
    (True, False)
    """
    names = [split_name(path)[1].rpartition(".") for path in paths]
    return all(dot for _, dot, _ in names) and len({stem for stem, _, _ in names}) == 1


def adjudicated_path(paths: Sequence[str]) -> str:
    """The file for what is decided of lists: beside the first, named after what their names have in common.

    >>> adjudicated_path(["a/check.ina.tsv", "b/check.jan.tsv"]), adjudicated_path(["desk.tsv", "laptop.tsv"])
    ('a/check.adjudicated.tsv', 'desk.adjudicated.tsv')
    """
    folder, first, ending = split_name(paths[0])
    parts = [split_name(path)[1].split(".") for path in paths]
    common = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*parts, strict=False))]
    return os.path.join(folder, f"{'.'.join(common) or first}.{ADJUDICATED}{ending}")
