"""Which task an input is: asked here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.corpus.formats import Kind, Readable, opened
from karat.errors import DataError, UsageError
from karat.evaluation.task import AnyTask, Asked, evaluated

_NAMES: Mapping[Kind, str] = {"columns": "CoNLL-U or tagged text", "key": "sense keys", "brackets": "bracketed trees"}
_OF_KIND: Mapping[Kind, frozenset[str]] = {
    "columns": frozenset(["like", "confusions", "lexicon", "map", "tags", "hierarchy", "documents"]),
    "key": frozenset(["hierarchy"]),
    "brackets": frozenset(["like", "brackets", "judgements", "prm", "evalb_steps"]),
}


def task_for(gold: Readable, systems: Sequence[tuple[str, Readable]], asked: Asked) -> tuple[Readable, Kind, AnyTask]:
    """The gold, read as far as it must be to tell its kind, that kind, and the task for it as it was asked for.

    A `UsageError` for what is not for this kind of data. What is wrong with a gold whose kind cannot be told comes
    before anything that is said of options which may not fit it.
    """
    gold, kind = opened(gold, asked.input)
    if kind is None:
        _raise_what_is_wrong(gold, systems, asked)
        raise AssertionError("the kind of the gold is unknown")
    if asked.like not in (None, "conll18", "evalb"):
        raise UsageError(f"unknown evaluator {asked.like!r}; choose conll18 or evalb")
    given = {name for name in frozenset().union(*_OF_KIND.values()) if getattr(asked, name)}
    for name in sorted(given - _OF_KIND[kind]):
        shown = "document_from" if name == "documents" else name
        raise UsageError(f"{shown} cannot be used with {_NAMES[kind]}")
    if asked.like and (asked.like == "evalb") != (kind == "brackets"):
        raise UsageError(f"like {asked.like} cannot be used with {_NAMES[kind]}")
    return gold, kind, _task(kind, [name for name, _ in systems], asked)


def _task(kind: Kind, names: Sequence[str], asked: Asked) -> AnyTask:
    # each kind's module is loaded where there is such data
    if kind == "columns":
        from karat.evaluation.words import word_task

        return word_task(asked)
    if kind == "key":
        from karat.evaluation.keys import key_task

        return key_task(asked)
    if asked.like == "evalb":
        from karat.evaluation.evalb import evalb_task

        return evalb_task(asked)
    from karat.evaluation.trees import tree_task

    return tree_task(asked, names)


def _raise_what_is_wrong(gold: Readable, systems: Sequence[tuple[str, Readable]], asked: Asked) -> None:
    plain = Asked(input=None if asked.input in ("brackets", "key") else asked.input, skip_bad=asked.skip_bad)
    try:
        evaluated(_task("columns", [], plain), gold, systems)
    except DataError as error:  # systems may well be trees or keys: the gold may have been meant to be
        raise DataError([one for one in error.problems if one.code != "K108"] or error.problems) from None
