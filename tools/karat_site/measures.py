"""The page of all measures, from `karat.list_measures()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import karat
from karat_site.generated import Pages
from karat_site.markdown import code, escaped, table

if TYPE_CHECKING:
    from karat.measures.measure import Measure

_HEAD = """# All measures

What `karat measures` prints, made from `karat.list_measures()`. How each is defined for words is in
[measures of words](../measures.md), for trees in [bracketed trees](../brackets.md), for rich tags in
[rich tags](../tags.md), for tags in a hierarchy in [hierarchies](../hierarchical.md), for annotators in
[agreement](../agreement.md). A measure with the unit % is a share in JSON: 0.9615 for 96.15 %.
"""


def pages() -> Pages:
    """One page, with a table for each family of measures."""
    every = karat.list_measures().measures
    parts = [_HEAD]
    for family in dict.fromkeys(one.family for one in every):
        rows = [
            [code(one.name), escaped(one.what), escaped(one.unit), _better(one), escaped(one.source)]
            for one in every
            if one.family == family
        ]
        parts.append(f"## {family[:1].upper()}{family[1:]}\n")
        parts.append(table(["measure", "what is compared", "unit", "better", "source"], rows))
    return {"reference/measures": "\n".join(parts)}


def _better(measure: Measure) -> str:
    if measure.is_neutral:
        return ""
    return "lower" if measure.lower_is_better else "higher"
