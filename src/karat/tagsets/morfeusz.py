"""Which tags Morfeusz 2, the analyser of Polish, gives a form. It is an extra (`karat[polish]`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

from karat.errors import UsageError

_ONE_AT_A_TIME = Lock()  # nobody says that several threads may ask an analyser at once


@cache
def _analyser(**options: Any) -> Any:
    """An analyser, made once: each takes megabytes and never gives them back."""
    try:
        from morfeusz2 import Morfeusz
    except ImportError:
        raise UsageError("Morfeusz 2 is not installed: pip install 'karat[polish]'") from None
    return Morfeusz(**options)


def morfeusz_tags(*, segmented: bool = False, expanded: bool = True) -> Callable[[str], list[str]]:
    """The tags that Morfeusz 2 gives a form, in analyses that span all of it; none where it only says `ign`.

    With `segmented`, forms are taken as they are in corpora that write agglutinates as words of their own (`zrobił`
    `em`): no past tense is analysed together with its ending. Not `expanded`, tags leave values open with dots between
    them, as in `adj:sg:nom.voc:f:pos`. A `UsageError` if Morfeusz is not installed.
    """
    analyser = _analyser(expand_tags=expanded, **({"aggl": "isolated", "praet": "split"} if segmented else {}))

    def tags_of(form: str) -> list[str]:
        with _ONE_AT_A_TIME:
            edges = analyser.analyse(form)
        last = max((end for _, end, _ in edges), default=0)
        return [one[2] for start, end, one in edges if start == 0 and end == last and one[2] != "ign"]

    return tags_of


@cache
def morfeusz_dictionary() -> str:
    """The name and date of the dictionary that Morfeusz 2 has: what its analyses depend on."""
    return str(_analyser().dict_id())
