"""Lists opened for review: one for one judge or several, or several lists, each with its judge."""

from __future__ import annotations

import os
from collections.abc import Sequence

from karat.corpus.worklist import Worklist
from karat.errors import UsageError
from karat.review.access import COORDINATOR
from karat.review.list_names import (
    ADJUDICATED,
    are_named_after_judges,
    file_of_judge,
    judge_of_one,
    judge_of_single,
)
from karat.review.session import Review, head_of


def opened_reviews(paths: Sequence[str], judges: Sequence[str] = ()) -> list[Review]:
    """The reviews of lists; those opened so far are closed if one cannot be opened.

    One list is judged by the judges given. Several are judged by whom their heads name, as those of `noise plan
    --judges`, or by whom their files are named after (check.ina.tsv, check.jan.tsv), else by one person; a single judge
    who is given judges all of them. A list that is not there, while the judges' files made from it are, stands for
    these.
    """
    if "" in judges or len(set(judges)) < len(judges):
        raise UsageError("each --judge needs a name of their own")
    reviews: list[Review] = []
    lists = _with_judges(paths, judges)
    every = {judge for _, of_list in lists for judge in of_list}
    for name in (COORDINATOR, ADJUDICATED):
        if name in every and len(every) > 1:
            raise UsageError(f"{name!r} cannot be the name of a judge: karat review uses it itself")
    try:
        for path, of_list in lists:
            reviews.append(Review.opened(path, of_list))
    except BaseException:
        for review in reviews:
            review.close()
        raise
    return reviews


def _with_judges(paths: Sequence[str], judges: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Each list with its judges."""
    refuse_twice(paths)
    if len(paths) == 1:
        return _of_one(paths[0], judges)
    if len(judges) > 1:
        raise UsageError("give several lists, whose heads or names say who judges each, or several judges, not both")
    if judges:
        return [(path, judges) for path in paths]
    heads = [_head_alone(path) for path in paths]
    if not any(map(judge_of_single, heads)) and not are_named_after_judges(paths):
        return [(path, []) for path in paths]  # one person at one desk
    found = [(path, judge_of_one(head)) for path, head in zip(paths, heads, strict=True)]
    whose: dict[str, str] = {}
    for path, judge in found:
        other = whose.setdefault(judge.casefold(), path)
        if other != path:
            hint = f"if one person judges both, say so with --judge {judge}"
            raise UsageError(f"{other} and {path} are both for the judge {judge!r}; {hint}")
    return [(path, [judge]) for path, judge in found]


def _of_one(path: str, judges: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    if judges and not os.path.exists(path):
        files = [file_of_judge(path, judge) for judge in judges]
        if any(map(os.path.exists, files)):
            return [(file, [judge]) for file, judge in zip(files, judges, strict=True)]
    if judges or path == "-":
        return [(path, judges)]
    judge = judge_of_single(_head_alone(path))
    return [(path, [judge] if judge else [])]


def _head_alone(path: str) -> Worklist:
    return Worklist((), tuple(head_of(path)), path)


def refuse_twice(paths: Sequence[str]) -> None:
    """Stop if a list is given twice, whatever names it goes by."""
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        if real in seen:
            raise UsageError(f"the list {path} is given twice")
        seen.add(real)
