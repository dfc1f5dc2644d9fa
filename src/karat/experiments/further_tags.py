"""Words with several tags in CoNLL-U: the best in its column, others in MISC, with how likely they are beside it.

`XPOSAlt=tag,tag` is how karat reads several tags of CoNLL-U; `XPOSShare=0.4,0.1`, in the same order, is how many times
as likely each is as the likeliest, so that fewer of them can be taken later.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat._numbering import numbered_values
from karat._ragged import Ragged
from karat.corpus import Column, Corpus
from karat.corpus.whole_columns import bytes_with_columns

if TYPE_CHECKING:
    from karat.systems.tagging import Tagged

_NONE = "_"


def with_further_tags(tagged: Tagged) -> list[bytes]:
    """The files of a tagged CoNLL-U text with the other likely tags of each word in MISC."""
    assert tagged.several is not None
    misc = tagged.corpus.column("misc")
    fields = _fields(tagged.several, tagged.tags.tolist(), tagged.labels, tagged.column.upper())
    before = misc.vocabulary.strings
    codes: dict[str, int] = {}
    both = (
        "|".join(one for one in (before[number], field) if one not in ("", _NONE)) or _NONE
        for number, field in zip(misc.ids.tolist(), fields, strict=True)
    )
    ids = numbered_values(both, codes)
    columns = {tagged.column: (tagged.tags, tagged.labels), "misc": (ids, list(codes))}
    return bytes_with_columns(tagged.corpus, columns)


def _fields(several: Ragged, best: Sequence[int], labels: Sequence[str], column: str) -> list[str]:
    """What MISC says of each word: its other tags and their shares; nothing for a word with one tag."""
    assert several.weights is not None
    every, weights = several.values.tolist(), several.weights.tolist()
    found = []
    for word, (start, stop) in enumerate(pairwise(several.offsets.tolist())):
        most = max(weights[start:stop], default=1.0)
        likely = zip(every[start:stop], weights[start:stop], strict=True)
        others = [(labels[tag], weight / most) for tag, weight in likely if tag != best[word]]
        tags, shares = ",".join(tag for tag, _ in others), ",".join(f"{share:.4f}" for _, share in others)
        found.append(f"{column}Alt={tags}|{column}Share={shares}" if others else "")
    return found


def further_tags(corpus: Corpus, column: str, least: float) -> list[tuple[str, ...]]:
    """The other tags of each word of a text that was written so, those that are likely enough."""
    misc: Column = corpus.column("misc")
    of_value = [_likely(text, column.upper(), least) for text in misc.vocabulary.strings]
    return [of_value[number] for number in misc.ids.tolist()]


def _likely(misc: str, column: str, least: float) -> tuple[str, ...]:
    fields = dict(field.partition("=")[::2] for field in misc.split("|"))
    tags = fields.get(f"{column}Alt", "")
    shares = fields.get(f"{column}Share", "")
    if not tags:
        return ()
    likely = np.array([float(one) for one in shares.split(",")]) >= least
    return tuple(tag for tag, is_likely in zip(tags.split(","), likely.tolist(), strict=True) if is_likely)
