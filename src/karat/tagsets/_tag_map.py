"""Tags mapped to others before they are compared: Penn tags to UPOS, or any tags by a file of pairs.

A file has lines of FROM, a tab and TO. A line that begins with `#` is a comment, unless a tab follows: then it maps the
tag `#`. In tags of several parts with `:` between, a part `*` of FROM stands for any value, and those of TO, in their
order, for the same values: `subst:*:*:n` becomes `subst:*:*:n:ncol`. A line without `*` comes before those with it, and
of those the first that fits counts. The FROM `*` stands for all tags that no line fits; without one these stay as they
are. They do so with `*` to `*`, too, and are not warned of.
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
_ANY, _PARTED = "*", ":"
_NO_TAG = "_"
_BETWEEN, _PROBABLY = "\t", ":="  # several tags of a word, and the probability of one
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class TagRule:
    """What tags of several parts become; a part `*` is any value, and in what they become the same values in turn."""

    fits: tuple[str, ...]
    becomes: tuple[str, ...]

    @property
    def made(self) -> TagRule:
        """The tags that the rule makes, as they are."""
        return TagRule(self.becomes, self.becomes)

    def applied(self, parts: Sequence[str]) -> str | None:
        """What a tag of these parts becomes; None if it does not fit.

        >>> TagRule(("subst", "*", "*", "n"), ("subst", "*", "*", "n", "ncol")).applied(["subst", "sg", "nom", "n"])
        'subst:sg:nom:n:ncol'
        """
        if len(parts) != len(self.fits):
            return None
        if any(want not in (_ANY, part) for want, part in zip(self.fits, parts, strict=True)):
            return None
        values = iter([part for want, part in zip(self.fits, parts, strict=True) if want == _ANY])
        return _PARTED.join(next(values) if one == _ANY else one for one in self.becomes)


@dataclass(frozen=True, slots=True)
class TagMap:
    """What each tag becomes: what its entry says, or the first of the `rules` that fits.

    Other tags become the `default`; they stay as they are where that is None or `*`.     `signed` is how a signature
    names the map, by which two of them are the same. A map that is `from_xpos` makes UPOS out of XPOS where there is
    one.
    """

    name: str
    tags: Mapping[str, str] = field(compare=False)
    default: str | None = field(default=None, compare=False)
    signed: str = ""
    rules: tuple[TagRule, ...] = field(default=(), compare=False)
    from_xpos: bool = field(default=False, compare=False)

    def __getitem__(self, tag: str) -> str:
        if tag == _NO_TAG:
            return tag
        if tag in self.tags:
            return self.tags[tag]
        parts = tag.split(_PARTED)
        made = next((new for rule in self.rules if (new := rule.applied(parts)) is not None), None)
        return made or (tag if self.default in (None, _ANY) else str(self.default))

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
        made = [rule.made for rule in self.rules]
        found: Counter[str] = Counter()
        for column in columns:
            if column in corpus.names:
                values = corpus.column(column)
                n_words = np.bincount(values.ids, minlength=len(values.vocabulary)).tolist()
                for text, n in zip(values.vocabulary, n_words, strict=True):
                    tags = [one.partition(_PROBABLY)[0] for one in text.split(_BETWEEN)] if several else [text]
                    for tag in tags:
                        parts = tag.split(_PARTED)
                        if n and tag not in known and not any(one.applied(parts) is not None for one in made):
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
        return _tag_map("given", tags, signed)
    if given in shipped_maps():
        text = (files("karat.tagsets") / "maps" / f"{given}{_SUFFIX}").read_text("utf-8")
        tags = _tags_of_lines(text.split("\n"), f"<{given}>")
        return _tag_map(str(given), tags, str(given), from_xpos=given in _FROM_XPOS)
    try:
        source = read_source(given)
    except DataError as error:
        if error.code == "K101" and isinstance(given, str) and "." not in given and "/" not in given:
            raise UsageError(f"unknown map {given!r}; use {', '.join(shipped_maps())}, or give a file") from None
        raise
    refuse_unreadable(source)
    tags = _tags_of_lines(source.text(0, source.size).split("\n"), source.path)
    return _tag_map(source.path, tags, shown_input(source.path, source.sha256()))


def _tag_map(name: str, lines: Mapping[str, str], signed: str, *, from_xpos: bool = False) -> TagMap:
    """The map of these lines: those of whole tags, those with a `*` for a part, and that for all others."""
    rules = [TagRule(tuple(one.split(_PARTED)), tuple(to.split(_PARTED))) for one, to in lines.items() if _is_rule(one)]
    for rule in rules:
        if _too_many_stars(rule):
            raise UsageError(f"{_PARTED.join(rule.becomes)!r} has more * than {_PARTED.join(rule.fits)!r}")
    tags = {one: to for one, to in lines.items() if one != _ANY and not _is_rule(one)}
    return TagMap(name, tags, lines.get(_ANY), signed, tuple(rules), from_xpos)


def _is_rule(tag: str) -> bool:
    return _PARTED in tag and _ANY in tag.split(_PARTED)


def _too_many_stars(rule: TagRule) -> bool:
    return rule.becomes.count(_ANY) > rule.fits.count(_ANY)


def _tags_of_lines(lines: Sequence[str], path: str) -> dict[str, str]:
    problems: list[Problem] = []
    found: dict[str, str] = {}
    first: dict[str, int] = {}
    hint = "write lines FROM TAB TO; * stands for all other tags, or for a part between colons"
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
        elif _is_rule(tags[0]) and _too_many_stars(TagRule(*(tuple(one.split(_PARTED)) for one in tags))):
            refuse(f"{tags[1]!r} has more * than {tags[0]!r}", places[1])
        elif tags[0] in first:
            refuse(f"{tags[0]!r} is mapped twice, first on line {first[tags[0]]}", 1)
        else:
            found[tags[0]], first[tags[0]] = tags[1], number
    if not found and not problems:
        problems.append(Problem("K804", "the file has no tags", path, hint=hint))
    if problems:
        raise DataError(problems)
    return found
