"""Tags mapped to others before they are compared: Penn tags to UPOS, or any tags by a file of pairs.

A file has lines of FROM, a tab and TO. A line that begins with `#` is a comment, unless a tab follows: then it maps the
tag `#`. The FROM `*` stands for all tags that have no line of their own; without one these stay as they are.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files

import numpy as np

from karat._numbering import numbered_values
from karat.corpus import Column, Corpus, PathLike, Vocabulary, read_source
from karat.corpus.interning import spans_of_strings
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.errors import DataError, Problem, UsageError
from karat.signature import shown_input

_FROM_XPOS = ("penn-upos",)  # shipped maps whose tags stand in XPOS where there is such a column, and give UPOS
_SUFFIX = ".tsv"
_ANY = "*"
_NO_TAG = "_"
_BETWEEN, _PROBABLY = "\t", ":="  # several tags of a word, and the probability of one
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class TagMap:
    """What each tag becomes; tags without an entry become the `default`, or stay as they are where it is None.

    `signed` is how a signature names the map, by which two of them are the same. A map that is `from_xpos` makes UPOS
    out of XPOS where there is one.
    """

    name: str
    tags: Mapping[str, str] = field(compare=False)
    default: str | None = field(default=None, compare=False)
    signed: str = ""
    from_xpos: bool = field(default=False, compare=False)

    def __getitem__(self, tag: str) -> str:
        if tag == _NO_TAG:
            return tag
        return self.tags.get(tag, tag if self.default is None else self.default)

    def mapped(
        self, corpus: Corpus, columns: Iterable[str], *, several: bool = False, with_probabilities: bool = False
    ) -> Corpus:
        """The corpus with the tags of these columns mapped, as far as it has them.

        With `several`, words may have more than one tag, with tabs between, and further ones in MISC; those that become
        the same are one, with the sum of their probabilities, which stand behind `:=` or `with_probabilities` in every
        second cell.
        """

        def cell(text: str) -> str:
            return self._of_several(text, with_probabilities=with_probabilities) if several else self[text]

        made = dict(corpus._columns)
        for column in columns:
            if column in corpus.names:
                made[column] = _transformed(corpus.column(self._read(corpus, column)), cell)
            key = f"{column.upper()}Alt="
            if several and "misc" in corpus.names and any(key in one for one in corpus.column("misc").vocabulary):
                made["misc"] = _transformed(corpus.column("misc"), partial(self._in_misc, key=key))
        return replace(corpus, _columns=made)

    def left(self, corpus: Corpus, columns: Iterable[str], *, several: bool = False) -> dict[str, int]:
        """How many words of a corpus that was mapped have a tag that the map does not know, by tag.

        Tags that others are mapped to are known: the gold may have these from the start.
        """
        if self.default is not None:
            return {}
        known = {*self.tags.values(), _NO_TAG}
        found: Counter[str] = Counter()
        for column in columns:
            if column in corpus.names:
                values = corpus.column(column)
                n_words = np.bincount(values.ids, minlength=len(values.vocabulary)).tolist()
                for text, n in zip(values.vocabulary, n_words, strict=True):
                    tags = [one.partition(_PROBABLY)[0] for one in text.split(_BETWEEN)] if several else [text]
                    for tag in tags:
                        if tag not in known and n:
                            found[tag] += n
        return dict(found)

    def _read(self, corpus: Corpus, column: str) -> str:
        """The column whose tags become those of a column."""
        return "xpos" if self.from_xpos and column == "upos" and corpus.has("xpos") else column

    def _of_several(self, text: str, *, with_probabilities: bool) -> str:
        """The tags of a word mapped, each once; a text that cannot be read stays as it is, for its reader to refuse."""
        cells = text.split(_BETWEEN)
        if text == _NO_TAG or (with_probabilities and len(cells) % 2):
            return text
        if with_probabilities:
            pairs = [(tag, _BETWEEN, share) for tag, share in zip(cells[::2], cells[1::2], strict=True)]
        else:
            marked = (cell.rpartition(_PROBABLY) for cell in cells)
            pairs = [(tag, mark, share) if mark else (share, "", "") for tag, mark, share in marked]
        found: dict[tuple[str, str], str] = {}
        for tag, mark, share in pairs:
            key = (self[tag], mark)
            try:
                found[key] = repr(float(found[key]) + float(share)) if mark and key in found else share
            except ValueError:
                return text
        return _BETWEEN.join(f"{tag}{mark}{share}" for (tag, mark), share in found.items())

    def _in_misc(self, misc: str, key: str) -> str:
        """MISC with its further tags mapped."""
        fields = []
        for one in misc.split("|"):
            if one.startswith(key):
                one = key + ",".join(dict.fromkeys(self[tag] for tag in one.removeprefix(key).split(",")))
            fields.append(one)
        return "|".join(fields)


def _transformed(column: Column, change: Callable[[str], str]) -> Column:
    """A column with every value changed: as much work as there are different values."""
    codes: dict[str, int] = {}
    ids = numbered_values(map(change, column.vocabulary), codes).take(column.ids)
    return Column(ids, Vocabulary(spans_of_strings(codes)))


def unmapped_warning(tag_map: TagMap, left: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The one warning about tags of inputs, by path, that a map does not know; none if there are none."""
    total: Counter[str] = Counter()
    for counts in left.values():
        total.update(counts)
    if not total:
        return []
    ranked = sorted(total, key=lambda tag: (-total[tag], tag))
    named = ", ".join(ranked[:_MOST_NAMED]) + (f" and {len(ranked) - _MOST_NAMED} more" * (len(ranked) > _MOST_NAMED))
    n_words = sum(total.values())
    keep = "word keeps a tag" if n_words == 1 else "words keep tags"
    paths = ", ".join(path for path, counts in left.items() if counts)
    return [f"{n_words:,} {keep} that the map {tag_map.name} does not have ({named}), in {paths}"]


# ---- reading ---------------------------------------------------------------------------------------------------------


def shipped_maps() -> tuple[str, ...]:
    """The names of the maps that karat has."""
    entries = (files("karat.tagsets") / "maps").iterdir()
    return tuple(sorted(one.name.removesuffix(_SUFFIX) for one in entries if one.name.endswith(_SUFFIX)))


def read_tag_map(given: PathLike | Mapping[str, str] | TagMap) -> TagMap:
    """A map that karat has, by its name, that of a file, or pairs as they are; what is wrong is a `DataError` (K804).

    >>> read_tag_map("penn-upos")["NNS"]
    'NOUN'
    """
    if isinstance(given, TagMap):
        return given
    if isinstance(given, Mapping):
        tags = dict(given)
        lines = "".join(f"{one}\t{other}\n" for one, other in sorted(tags.items()))
        signed = shown_input("pairs", hashlib.sha256(lines.encode()).hexdigest())
        return TagMap("given", tags, tags.pop(_ANY, None), signed)
    if given in shipped_maps():
        text = (files("karat.tagsets") / "maps" / f"{given}{_SUFFIX}").read_text("utf-8")
        tags = _tags_of_lines(text.split("\n"), f"<{given}>")
        return TagMap(str(given), tags, tags.pop(_ANY, None), str(given), given in _FROM_XPOS)
    try:
        source = read_source(given)
    except DataError as error:
        if error.code == "K101" and isinstance(given, str) and "." not in given and "/" not in given:
            raise UsageError(f"unknown map {given!r}; use {', '.join(shipped_maps())}, or give a file") from None
        raise
    refuse_unreadable(source)
    tags = _tags_of_lines(source.text(0, source.size).split("\n"), source.path)
    return TagMap(source.path, tags, tags.pop(_ANY, None), shown_input(source.path, source.sha256()))


def _tags_of_lines(lines: Sequence[str], path: str) -> dict[str, str]:
    problems: list[Problem] = []
    found: dict[str, str] = {}
    first: dict[str, int] = {}
    hint = "write lines FROM TAB TO; * stands for all other tags"
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r")
        if not line.strip() or (line.startswith("#") and not line.startswith("#\t")):
            continue
        cells = line.split("\t")
        places = [1 + sum(len(cell) + 1 for cell in cells[:place]) for place in range(len(cells))]
        tags = [cell.strip() for cell in cells]

        def refuse(message: str, column: int, number: int = number) -> None:
            problems.append(Problem("K804", message, path, number, column, hint=hint))

        if len(cells) < 2:
            refuse("no tab in this line", len(line) + 1)
        elif len(cells) > 2:
            refuse(f"{len(cells)} columns where two were expected", places[2])
        elif not all(tags):
            refuse("a tag is missing", places[tags.index("")])
        elif tags[0] in first:
            refuse(f"{tags[0]!r} is mapped twice, first on line {first[tags[0]]}", 1)
        else:
            found[tags[0]], first[tags[0]] = tags[1], number
    if not found and not problems:
        problems.append(Problem("K804", "the file has no tags", path, hint=hint))
    if problems:
        raise DataError(problems)
    return found
