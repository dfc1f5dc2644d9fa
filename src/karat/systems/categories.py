"""What labels are made of, as numbers: the value that each tag of a rich tagset has in each category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array
from karat._numbering import numbered_values
from karat.corpus.source import PathLike
from karat.errors import NO_LINE, DataError, Problem
from karat.tagsets import Tagset, read_tagset
from karat.tagsets._tagset import POS

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, eq=False)
class TagCategories:
    """The categories of a tagset, the part of speech first, and the value of each label in each.

    `table` has the number of the value [labels × categories], -1 where a tag has none; `values` has the values of each
    category. Several values of one category (`acc.gen`) are a value of their own.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    table: Array

    def column(self, name: str) -> Array:
        """The value of each label in a category, -1 for none; all -1 if there is no such category."""
        if name not in self.names:
            return np.full(len(self.table), -1, dtype=np.int16)
        found: Array = self.table[:, self.names.index(name)]
        return found


def tag_categories(labels: Sequence[str], tagset: PathLike | Tagset, path: str = "") -> TagCategories:
    """Labels taken apart; a `DataError` that names those that are no tags of the tagset.

    Two columns that are learnt together (`NOUN Case=Nom|Number=Sing`) are one tag of a tagset of features.
    """
    known = read_tagset(tagset)
    texts = [_one_tag(label) for label in labels] if known.cut == "features" else labels
    parsed, errors = known.parsed(texts)
    if errors:
        more = f" and {len(errors) - _MOST_NAMED} more" if len(errors) > _MOST_NAMED else ""
        named = ", ".join(one.tag for one in errors[:_MOST_NAMED])
        message = f"tags that are not in {known.name}: {named}{more} ({errors[0].tag}: {errors[0].message})"
        hint = "choose the column with such tags, or another tagset; karat tagset check lists all that do not fit"
        raise DataError(Problem("K802", message, path, NO_LINE, hint=hint))
    names = (POS, *known.categories)
    numbers: list[dict[str, int]] = [{} for _ in names]
    table = np.full((len(labels), len(names)), -1, dtype=np.int16)
    for place, tag in enumerate(parsed):
        assert tag is not None
        of_tag = {POS: tag.pos} | {name: ".".join(values) for name, values in tag.values.items()}
        for column, name in enumerate(names):
            if name in of_tag:
                table[place, column] = numbered_values([of_tag[name]], numbers[column])[0]
    return TagCategories(names, tuple(tuple(one) for one in numbers), table)


def _one_tag(label: str) -> str:
    """The labels of UPOS and FEATS as one tag.

    >>> _one_tag("NOUN Case=Nom|Number=Sing"), _one_tag("ADP _"), _one_tag("ADP")
    ('NOUN|Case=Nom|Number=Sing', 'ADP', 'ADP')
    """
    first, _, rest = label.partition(" ")
    return first if rest in ("", "_") else f"{first}|{rest}"
