"""The rules that a parser used [Acedański & Przepiórkowski 2010, § 2.3.2]: as columns, and in files of JSON lines.

There is one object for each use of a rule; blank lines are left out:

    {"sentence": "s1", "rule": "NP -> adj subst", "parse": 1, "probability": 0.7, "terminals":
        [{"pos": "adj", "categories": ["pos", "case", "number"]}, {"pos": "subst", "categories": ["pos", "case"]}]}

(on one line). Other keys are left alone.

- `sentence`: its name, text or an integer. Lines of one sentence need not stand together.
- `rule`: the rule as text. What stands before `->` or `→`, but for all in brackets `[…]`, is its left-hand side.
- `terminals`: the words on its right-hand side; [] if it has none. Each has in `categories` the categories that the
  rule refers to, `pos` among them only if the rule refers to it. `pos` beside it is the word's part of speech in the
  parse tree, for the conditional counts. A rule may know a word by its case alone [footnote 2]: then `pos` is not one
  of the `categories`, and the word's part of speech is still told. Without it, or with null, the word is in no
  conditional count, but in `without_pos`. A category that is named twice in a terminal counts once.
- `parse`: which parse of the sentence, an integer or text; 1 if it is left out. 1 and "1" are the same.
- `probability`: the parse's, from 0 to 1. It may stand on one line of the parse or on all, but is everywhere the same.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus.source import Part, PathLike, Source, read_source
from karat.errors import DataError, Problem
from karat.tagsets._tagset import POS, Tagset


class Terminal(NamedTuple):
    """A word on the right-hand side of a rule: its part of speech, "" if unknown, and the categories referred to."""

    pos: str
    categories: tuple[str, ...]


class RuleUse(NamedTuple):
    """One use of a rule in one parse of a sentence; the probability is the parse's, None if it has none."""

    sentence: str
    rule: str
    terminals: tuple[Terminal, ...]
    parse: str = "1"
    probability: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RuleUses:
    """All uses of rules, as columns: use i is of the rule `rule[i]`, with `terminals[i]`, in the parse `parse[i]`.

    These are places in `rules`, `right_sides` and the columns of parses; `parse_sentence` are places in `sentences`.
    A parse without a probability has NaN. Sentences and parses stand in the order in which they first came.
    """

    sentences: tuple[str, ...]
    rules: tuple[str, ...]
    right_sides: tuple[tuple[Terminal, ...], ...]
    parse: Indices
    rule: Indices
    terminals: Indices
    parse_sentence: Indices
    parse_name: tuple[str, ...]
    parse_probability: Floats
    problems: tuple[Problem, ...] = ()

    @property
    def n_parses_of(self) -> Indices:
        """How many parses each sentence has."""
        return np.bincount(self.parse_sentence, minlength=len(self.sentences))


def rule_uses(rows: Iterable[RuleUse]) -> RuleUses:
    """The columns of uses that are given one by one. Of a parse's probabilities the first that is not None holds."""
    sentences: dict[str, int] = {}
    rules: dict[str, int] = {}
    right_sides: dict[tuple[Terminal, ...], int] = {}
    parses: dict[tuple[int, str], int] = {}
    probabilities: list[float] = []
    parse, rule, terminals = array("q"), array("q"), array("q")
    for row in rows:
        sentence = sentences.setdefault(row.sentence, len(sentences))
        number = parses.setdefault((sentence, row.parse), len(parses))
        if number == len(probabilities):
            probabilities.append(np.nan)
        if row.probability is not None and np.isnan(probabilities[number]):
            probabilities[number] = row.probability
        parse.append(number)
        rule.append(rules.setdefault(row.rule, len(rules)))
        terminals.append(right_sides.setdefault(row.terminals, len(right_sides)))
    return RuleUses(
        sentences=tuple(sentences),
        rules=tuple(rules),
        right_sides=tuple(right_sides),
        parse=np.array(parse, dtype=np.intp),
        rule=np.array(rule, dtype=np.intp),
        terminals=np.array(terminals, dtype=np.intp),
        parse_sentence=np.array([sentence for sentence, _ in parses], dtype=np.intp),
        parse_name=tuple(name for _, name in parses),
        parse_probability=np.array(probabilities, dtype=np.float64),
    )


def rule_uses_lines(uses: RuleUses) -> Iterator[str]:
    """The uses as lines of JSON, without line ends; reading them gives the same uses.

    >>> uses = rule_uses([RuleUse("s1", "PP -> prep X", (Terminal("prep", ("pos",)),))])
    >>> print(*rule_uses_lines(uses))
    {"sentence": "s1", "rule": "PP -> prep X", "parse": "1", "terminals": [{"pos": "prep", "categories": ["pos"]}]}
    """
    right_sides = [
        [{"pos": pos or None, "categories": list(categories)} for pos, categories in side] for side in uses.right_sides
    ]
    columns = (uses.parse.tolist(), uses.rule.tolist(), uses.terminals.tolist())
    for parse, rule, terminals in zip(*columns, strict=True):
        sentence = uses.sentences[uses.parse_sentence[parse]]
        line = {"sentence": sentence, "rule": uses.rules[rule], "parse": uses.parse_name[parse]}
        probability = float(uses.parse_probability[parse])
        more = {} if np.isnan(probability) else {"probability": probability}
        yield json.dumps({**line, **more, "terminals": right_sides[terminals]}, ensure_ascii=False)


# ---- reading


def read_rule_uses(paths: PathLike | Sequence[PathLike], *, tagset: Tagset | None = None) -> RuleUses:
    """The uses of rules in files of JSON lines; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    A line that is no use of a rule is left out and is one of the `problems`, K823 (K106 if it is not UTF-8), and so is
    one that names a category or a part of speech that the tagset does not have. A `DataError` if no line is left.
    """
    return rule_uses_from_source(read_source(paths), tagset=tagset)


def rule_uses_from_source(source: Source, *, tagset: Tagset | None = None) -> RuleUses:
    """The uses of rules in a text that has been read; see `read_rule_uses`."""
    problems: list[Problem] = []
    reader = _UseReader(tagset)
    uses = rule_uses(_read_lines(source, reader, problems))
    if not uses.sentences:
        nothing = Problem("K104", "the file has no uses of rules", source.path, hint="write one JSON object per line")
        raise DataError(problems or nothing)
    return replace(uses, problems=tuple(problems))


def _read_lines(source: Source, reader: _UseReader, problems: list[Problem]) -> Iterator[RuleUse]:
    for part in source.parts:
        for number, data in enumerate(_lines(source, part), start=1):
            try:
                text = data.decode()
                if text.strip():
                    yield reader.use(text)
            except UnicodeDecodeError as error:
                column = len(data[: error.start].decode()) + 1
                problems.append(Problem("K106", "not valid UTF-8", part.path, number, column))
            except _BadLineError as bad:
                hint = "docs/weights.md describes the lines"
                problems.append(Problem("K823", bad.message, part.path, number, bad.column(text), hint))


def _lines(source: Source, part: Part) -> list[bytes]:
    # JSON may hold U+2028 and the like unescaped: only \n ends a line
    return [line.removesuffix(b"\r") for line in source.buffer[part.start : part.stop].tobytes().split(b"\n")]


class _BadLineError(Exception):
    """What is wrong in a line, and where: at a character, or at the steps to a value in its object."""

    def __init__(self, message: str, *steps: str | int, character: int | None = None) -> None:
        super().__init__(message)
        self.message, self.steps, self.character = message, steps, character

    def column(self, text: str) -> int:
        place = _place(text, self.steps) if self.character is None else self.character
        return place + 1


_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _place(text: str, steps: Sequence[str | int]) -> int:
    """Where a value stands in JSON that can be read; where it is missing, the place of what should hold it."""
    place = _after_space(text, 0)
    for step in steps:
        found = place
        is_object = text[place] == "{"
        place = _after_space(text, place + 1)
        key: object = -1
        while text[place] not in "]}":
            if is_object:
                key, place = _DECODER.raw_decode(text, place)
                place = _after_space(text, _after_space(text, place) + 1)  # the colon
            else:
                key = int(str(key)) + 1
            if key == step:
                found = place
            place = _after_space(text, _DECODER.raw_decode(text, place)[1])
            if text[place] == ",":
                place = _after_space(text, place + 1)
        place = found
    return place


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


class _UseReader:
    """Lines taken for uses of rules; it remembers the probabilities of parses, which must not differ."""

    def __init__(self, tagset: Tagset | None) -> None:
        self.tagset = tagset
        self.probabilities: dict[tuple[str, str], float] = {}
        self.names = frozenset(tagset.categories) | {POS} if tagset else frozenset[str]()

    def use(self, text: str) -> RuleUse:
        value = _loaded(text)
        if not isinstance(value, dict):
            raise _BadLineError(f"expected an object, not {_shown(value)}")
        sentence = _name(value, "sentence")
        rule = value.get("rule")
        if not isinstance(rule, str) or not rule.strip():
            raise _bad_value(value, "rule", "a string")
        terminals = value.get("terminals")
        if not isinstance(terminals, list):
            raise _bad_value(value, "terminals", "a list")
        found = tuple(self._terminal(terminal, number) for number, terminal in enumerate(terminals))
        parse = _name(value, "parse") if "parse" in value else "1"
        return RuleUse(sentence, rule.strip(), found, parse, self._probability(value, sentence, parse))

    def _terminal(self, value: Any, number: int) -> Terminal:
        place = ("terminals", number)
        if not isinstance(value, dict):
            raise _BadLineError(f"a terminal must be an object, not {_shown(value)}", *place)
        pos = value.get("pos")
        if pos is not None and (not isinstance(pos, str) or not pos):
            raise _BadLineError(f"pos must be a string or null, not {_shown(pos)}", *place, "pos")
        categories = value.get("categories")
        if not isinstance(categories, list):
            raise _bad_value(value, "categories", "a list", *place)
        for index, category in enumerate(categories):
            if not isinstance(category, str) or not category:
                raise _BadLineError(f"a category must be a string, not {_shown(category)}", *place, "categories", index)
        self._refuse_other_names(pos, categories, place)
        return Terminal(pos or "", tuple(dict.fromkeys(categories)))

    def _refuse_other_names(self, pos: str | None, categories: list[str], place: tuple[str, int]) -> None:
        tagset = self.tagset
        if tagset is None or tagset.open:
            return
        if pos and pos not in tagset.slots:
            raise _BadLineError(f"no part of speech {pos!r} in the tagset {tagset.name}", *place, "pos")
        for index, category in enumerate(categories):
            if category not in self.names:
                message = f"no category {category!r} in the tagset {tagset.name}"
                raise _BadLineError(message, *place, "categories", index)

    def _probability(self, value: dict[str, Any], sentence: str, parse: str) -> float | None:
        given = value.get("probability")
        if given is None:
            return None
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
            raise _BadLineError(f"a probability must be a number from 0 to 1, not {_shown(given)}", "probability")
        before = self.probabilities.setdefault((sentence, parse), float(given))
        if before != given:
            raise _BadLineError(f"this parse had the probability {before:g} before, now {given:g}", "probability")
        return float(given)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        # an unclosed string is reported at its opening quotation mark, all else where it was noticed
        raise _BadLineError(f"not JSON: {error.msg}", character=error.pos) from None
    except (ValueError, RecursionError) as error:
        raise _BadLineError(f"JSON that cannot be read: {error}", character=0) from None


def _name(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, (str, int)) or found == "":
        raise _bad_value(value, key, "a string or an integer")
    return str(found)


def _bad_value(value: dict[str, Any], key: str, expected: str, *place: str | int) -> _BadLineError:
    if key not in value:
        return _BadLineError(f"{key} is missing", *place)
    return _BadLineError(f"{key} is {expected}, not {_shown(value[key])}", *place, key)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
