"""Texts cut to fit a table: words around one of them, and the ends of sentences' ids that tell these apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_TAILS = (5, 7, 9, 11)  # how many characters of an id are tried, to tell it from all others
_LONGEST_ID = 12
_FILE_ENDING = re.compile(r"(?<=.)\.(conllu|conll|tsv|txt|xml|tagged|ptb|mrg)(\.(gz|bz2|xz))?\Z")
_PARTS = re.compile(r"[-_./ ]?[^-_./ ]*(?<=.)")  # of a name, each with the mark before it
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


def short_names(names: Sequence[str], most: int) -> list[str]:
    """Names of files, of at most so many characters: without what all have in common at their ends, else cut.

    >>> short_names(["en_ewt-ud-train.conllu", "en_gum-ud-train.conllu"], 8)
    ['en_ewt', 'en_gum']
    >>> short_names(["en_partut-ud-test.conllu", "gold.conllu"], 8)
    ['en_part…', 'gold']
    """
    found = list(names)
    for shorter in (_without_endings, _without_common_end, _without_common_beginning, _first_parts):
        if max(map(len, found), default=0) <= most:
            return found
        tried = shorter(found, most)
        found = tried if len(set(tried)) == len(set(found)) and all(tried) else found
    cut = [shortened(one, most) for one in found]
    return cut if len(set(cut)) == len(set(found)) else [cut_in_the_middle(one, most) for one in found]


def _without_endings(names: Sequence[str], _: int) -> list[str]:
    return [_FILE_ENDING.sub("", one) for one in names]


def _without_common_end(names: Sequence[str], _: int) -> list[str]:
    parts = [_PARTS.findall(one) for one in names]
    n = _n_common([one[::-1] for one in parts])
    return ["".join(one[: len(one) - n]) for one in parts]


def _without_common_beginning(names: Sequence[str], _: int) -> list[str]:
    parts = [_PARTS.findall(one) for one in names]
    n = _n_common(parts)
    return ["".join(one[n:]).lstrip("-_./ ") for one in parts]


def _first_parts(names: Sequence[str], most: int) -> list[str]:
    """Of names that are too long as many parts as there is room for, unless they are short beside the room."""
    found = []
    for one in names:
        parts = _PARTS.findall(one)
        n = next((n for n in range(len(parts), 0, -1) if most // 2 < len("".join(parts[:n])) < most), 0)
        found.append(one if len(one) <= most or not n else f"{''.join(parts[:n])}…")
    return found


def _n_common(every: Sequence[Sequence[str]]) -> int:
    """With how many of the same parts all begin."""
    if len(every) < 2:
        return 0
    return next(
        (n for n, several in enumerate(zip(*every, strict=False)) if len(set(several)) > 1), min(map(len, every))
    )


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
