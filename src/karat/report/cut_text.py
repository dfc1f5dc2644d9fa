"""Texts cut to fit a table: words around one of them, and the ends of sentences' ids that tell these apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_TAILS = (5, 7, 9, 11)  # how many characters of an id are tried, to tell it from all others
_LONGEST_ID = 12
_END_OF_WORD = re.compile(r"[^\W_]*\Z")


def shortened(text: str, most: int) -> str:
    """The beginning of a text, of at most so many characters.

    >>> shortened("a garden gate", 8)
    'a garde…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def cut_in_the_middle(text: str, most: int) -> str:
    """The beginning and, longer, the end of a text: of at most so many characters.

    >>> cut_in_the_middle("UD_English-EWT", 8)
    'UD_…-EWT'
    """
    n_end = most // 2
    return text if len(text) <= most else f"{text[: most - 1 - n_end]}…{text[-n_end:]}"


def cut_around(parts: Sequence[str], first: int, stop: int, most: int, *, gap: str = " ") -> str:
    """Parts from `first` up to `stop`, with as many on both sides as fit into so many characters.

    >>> cut_around("we walked to the [old] gate by the river".split(), 4, 5, 24)
    '… to the [old] gate by …'
    """
    left, right = first, stop
    shown = shortened(gap.join(parts[first:stop]), most - 2 * len(f"…{gap}"))
    grows = True
    while grows:
        grows = False
        for more_left, more_right in ((1, 0), (0, 1)):
            begin, end = left - more_left, right + more_right
            if begin < 0 or end > len(parts):
                continue
            longer = f"{parts[begin]}{gap}{shown}" if more_left else f"{shown}{gap}{parts[end - 1]}"
            marks = ("…" + gap) * (begin > 0) + (gap + "…") * (end < len(parts))
            if len(longer) + len(marks) <= most:
                left, right, shown, grows = begin, end, longer, True
    return f"{'…' + gap if left else ''}{shown}{gap + '…' if right < len(parts) else ''}"


class ShortIds:
    """The ids of the sentences of corpora, as short as they can be told apart; numbers for those that have none."""

    def __init__(self, ids: Sequence[Sequence[str]]) -> None:
        self._ids = ids
        self._tails: dict[int, Counter[str]] = {}

    def shown(self, corpus: int, sentence: int) -> str:
        """The id of a sentence of a corpus, both counted from 0: whole, or its end that no other has, or cut."""
        whole = self._ids[corpus][sentence]
        if not whole:
            return f"#{sentence + 1}"
        if len(whole) <= _LONGEST_ID:
            return whole
        for n in _TAILS:
            if self._count(n)[whole[-n:]] == 1:
                longer = n + len(_END_OF_WORD.search(whole[:-n])[0])  # type: ignore[index]  # perhaps of nothing
                return f"…{whole[-(longer if longer < _LONGEST_ID else n) :]}"
        return cut_in_the_middle(whole, _LONGEST_ID)

    def _count(self, n: int) -> Counter[str]:
        if n not in self._tails:
            self._tails[n] = Counter(one[-n:] for ids in self._ids for one in ids)
        return self._tails[n]
