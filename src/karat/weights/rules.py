"""Weights of morphosyntactic categories from the rules that a parser used [Acedański & Przepiórkowski 2010, § 2.3.2].

Whenever a rule is used, every category (the part of speech included) that it refers to in a terminal symbol, a word, of
its right-hand side is counted once for that terminal. A rule that is used twice in a sentence counts twice.

The rules that were used come as JSON lines, one object for each use of a rule; blank lines are left out:

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

A sentence without a parse has no line and is not counted. Of several parses of a sentence

- `best` takes the most probable one; of equally probable ones the first, by the order of the lines. A parse without a
  probability comes after all that have one; where no parse has any, this is the first parse.
- `all` takes all, each with the weight 1 / number of the sentence's parses, so that every sentence weighs the same.
  The paper says only that all may be taken into account; with a weight of 1 each, a sentence of a thousand parses would
  decide alone. Probabilities do not matter.
- `em` weights them by Expectation-Maximisation over the probabilities of rules, see `parse_weights`.
- `em-best` takes the one to which `em` gives the greatest weight, the first of several such.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus._source import Part, PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError
from karat.tagsets._tagset import POS, Tagset

__all__ = [
    "ParseWeights",
    "Parses",
    "RuleCounts",
    "RuleUse",
    "RuleUses",
    "Terminal",
    "parse_weights",
    "read_rule_uses",
    "rule_counts",
    "rule_uses",
    "rule_uses_from_source",
    "rule_uses_lines",
]

Parses = Literal["best", "all", "em", "em-best"]
_ARROW = re.compile(r"->|→")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_TIE = 9  # decimals: weights that differ by less come from rounding


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


@dataclass(frozen=True, slots=True, eq=False)
class ParseWeights:
    """The weight of each parse, 1 in sum for each sentence; for `em` how many steps it took and if it converged."""

    weights: Floats
    n_steps: int = 0
    converged: bool = True


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """How often rules referred to each category.

    `conditional[p][c]` is the count of c in words of the part of speech p: w(c|p) of § 2.4, and with c = "pos" its
    w(p). `without_pos` are the counts in words whose part of speech is not known; with them the conditional counts of
    a category add up to `counts`. `n_rules` is the number of different rules, `n_uses` that of their uses, each with
    the weight of its parse. `n_parses` are all that were given, `n_ambiguous` the sentences that had several.
    """

    counts: dict[str, float]
    conditional: dict[str, dict[str, float]]
    n_sentences: int
    n_rules: int
    n_uses: float
    n_parses: int
    n_ambiguous: int
    parses: Parses
    without_pos: dict[str, float]
    em_steps: int = 0
    em_converged: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def normalised(self) -> dict[str, float]:
        """The counts, divided by their sum; all 0 where nothing was counted."""
        return _shares(self.counts)

    @property
    def conditional_normalised(self) -> dict[str, dict[str, float]]:
        """The counts of each part of speech, divided by their sum; all 0 where nothing was counted."""
        return {pos: _shares(counts) for pos, counts in self.conditional.items()}


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
    reader = _Reader(tagset)
    uses = rule_uses(_read_lines(source, reader, problems))
    if not uses.sentences:
        nothing = Problem("K104", "no use of a rule in it", source.path, hint="one JSON object a line is expected")
        raise DataError(problems or nothing)
    return replace(uses, problems=tuple(problems))


def _read_lines(source: Source, reader: _Reader, problems: list[Problem]) -> Iterator[RuleUse]:
    for part in source.parts:
        for number, data in enumerate(_lines(source, part), start=1):
            try:
                text = data.decode()
                if text.strip():
                    yield reader.use(text)
            except UnicodeDecodeError as error:
                column = len(data[: error.start].decode()) + 1
                problems.append(Problem("K106", "the bytes are not UTF-8", part.path, number, column))
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
    raise ValueError(f"{name} is no JSON")


class _Reader:
    """Lines taken for uses of rules; it remembers the probabilities of parses, which must not differ."""

    def __init__(self, tagset: Tagset | None) -> None:
        self.tagset = tagset
        self.probabilities: dict[tuple[str, str], float] = {}
        self.names = frozenset(tagset.categories) | {POS} if tagset else frozenset[str]()

    def use(self, text: str) -> RuleUse:
        value = _loaded(text)
        if not isinstance(value, dict):
            raise _BadLineError(f"an object was expected, not {_shown(value)}")
        sentence = _name(value, "sentence")
        rule = value.get("rule")
        if not isinstance(rule, str) or not rule.strip():
            raise _bad_value(value, "rule", "a text")
        terminals = value.get("terminals")
        if not isinstance(terminals, list):
            raise _bad_value(value, "terminals", "a list")
        found = tuple(self._terminal(terminal, number) for number, terminal in enumerate(terminals))
        parse = _name(value, "parse") if "parse" in value else "1"
        return RuleUse(sentence, rule.strip(), found, parse, self._probability(value, sentence, parse))

    def _terminal(self, value: Any, number: int) -> Terminal:
        place = ("terminals", number)
        if not isinstance(value, dict):
            raise _BadLineError(f"a terminal is an object, not {_shown(value)}", *place)
        pos = value.get("pos")
        if pos is not None and (not isinstance(pos, str) or not pos):
            raise _BadLineError(f"pos is a text or null, not {_shown(pos)}", *place, "pos")
        categories = value.get("categories")
        if not isinstance(categories, list):
            raise _bad_value(value, "categories", "a list", *place)
        for index, category in enumerate(categories):
            if not isinstance(category, str) or not category:
                raise _BadLineError(f"a category is a text, not {_shown(category)}", *place, "categories", index)
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
            raise _BadLineError(f"a probability is a number from 0 to 1, not {_shown(given)}", "probability")
        before = self.probabilities.setdefault((sentence, parse), float(given))
        if before != given:
            raise _BadLineError(f"this parse had the probability {before:g} before, now {given:g}", "probability")
        return float(given)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        # an unclosed string is reported at its opening quotation mark, all else where it was noticed
        raise _BadLineError(f"this is no JSON: {error.msg}", character=error.pos) from None
    except (ValueError, RecursionError) as error:
        raise _BadLineError(f"this is no JSON that can be read: {error}", character=0) from None


def _name(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, (str, int)) or found == "":
        raise _bad_value(value, key, "a text or an integer")
    return str(found)


def _bad_value(value: dict[str, Any], key: str, expected: str, *place: str | int) -> _BadLineError:
    if key not in value:
        return _BadLineError(f"{key} is missing", *place)
    return _BadLineError(f"{key} is {expected}, not {_shown(value[key])}", *place, key)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


# ---- the weights of parses


def parse_weights(
    uses: RuleUses, *, parses: Parses = "best", tolerance: float = 1e-9, max_steps: int = 1000
) -> ParseWeights:
    """The weight of each parse, as the module's docstring says; for each sentence they add up to 1.

    `em` is the EM algorithm for a grammar whose parses are given, in the spirit of the EM selection of Dębowski
    (2009), who takes each parse for one choice: here it is the product of its rules' probabilities. At first all parses
    of a sentence weigh the same. Then, until no weight changes by more than `tolerance`, or `max_steps` times:

    - a rule's probability is the sum of the weights of the parses with it, once for each use, divided by the same sum
      over all rules that have its left-hand side (rules without an arrow have the left-hand side "");
    - a parse's weight is the product of its rules' probabilities, divided by the sum over the sentence's parses.

    Nothing is drawn at random. With rules over feature structures this is no proper probability of a sentence, since
    what unification refuses takes its share too; for weighing the parses that are there it serves. EM knows nothing of
    the `probability` of parses. Rules without terminals (words of the lexicon, say) count here as all others do.
    """
    if parses not in get_args(Parses):
        raise UsageError(f"parses are {', '.join(get_args(Parses))}, not {parses!r}")
    if parses == "all":
        return ParseWeights(1.0 / uses.n_parses_of[uses.parse_sentence])
    if parses == "best":
        return ParseWeights(_first_best(np.nan_to_num(uses.parse_probability, nan=-1.0), uses))
    found = _expectation_maximisation(uses, tolerance, max_steps)
    if parses == "em-best":
        return ParseWeights(_first_best(found.weights.round(_TIE), uses), found.n_steps, found.converged)
    return found


def _first_best(value: Floats, uses: RuleUses) -> Floats:
    """1 for each sentence's first parse with the greatest value, 0 for all others."""
    order = np.lexsort((np.arange(len(value)), -value, uses.parse_sentence))
    _, firsts = np.unique(uses.parse_sentence[order], return_index=True)
    weights = np.zeros(len(value))
    weights[order[firsts]] = 1.0
    return weights


def _expectation_maximisation(uses: RuleUses, tolerance: float, max_steps: int) -> ParseWeights:
    weights = 1.0 / uses.n_parses_of[uses.parse_sentence]
    left_sides: dict[str, int] = {}
    left = np.array([left_sides.setdefault(_left_side(rule), len(left_sides)) for rule in uses.rules], dtype=np.intp)
    for step in range(1, max_steps + 1):
        of_rule = np.bincount(uses.rule, weights=weights[uses.parse], minlength=len(uses.rules))
        of_left = np.bincount(left, weights=of_rule, minlength=len(left_sides))
        with np.errstate(divide="ignore", invalid="ignore"):  # a rule of no weight makes its parses weigh nothing
            log_probability = np.where(of_rule > 0, np.log(of_rule / of_left[left]), -np.inf)
        new = _normalised_in_sentences(log_probability, uses)
        change = float(np.abs(new - weights).max(initial=0.0))
        weights = new
        if change <= tolerance:
            return ParseWeights(weights, step)
    return ParseWeights(weights, max_steps, converged=False)


def _normalised_in_sentences(log_probability: Floats, uses: RuleUses) -> Floats:
    log_weight = np.bincount(uses.parse, weights=log_probability[uses.rule], minlength=len(uses.parse_sentence))
    greatest = np.full(len(uses.sentences), -np.inf)
    np.maximum.at(greatest, uses.parse_sentence, log_weight)
    weight = np.exp(log_weight - greatest[uses.parse_sentence])
    total = np.bincount(uses.parse_sentence, weights=weight, minlength=len(uses.sentences))
    shares: Floats = weight / total[uses.parse_sentence]
    return shares


def _left_side(rule: str) -> str:
    """The left-hand side without features.

    >>> _left_side("NP[CASE=?c, AGR=[NUM=sg]] -> subst[CASE=?c]"), _left_side("S[]/NP[] -> NP[] VP[]/NP[]")
    ('NP', 'S/NP')
    """
    left, *right = _ARROW.split(rule, maxsplit=1)
    if not right:
        return ""
    while (shorter := _BRACKETS.sub("", left)) != left:
        left = shorter
    return left.strip()


# ---- the counts


def rule_counts(uses: RuleUses, *, parses: Parses = "best", tagset: Tagset | None = None) -> RuleCounts:
    """How often the rules refer to each category, and to each in words of one part of speech.

    With a tagset all its categories are among the counts, 0 if no rule refers to them, and so are all categories of the
    parts of speech in which rules referred to any.

    >>> noun = Terminal("subst", ("pos", "case"))
    >>> uses = rule_uses([RuleUse("s1", "PP -> prep X", (Terminal("prep", ("pos",)), Terminal("adj", ("case",)))),
    ...                   RuleUse("s1", "NP -> subst subst", (noun, noun))])
    >>> found = rule_counts(uses)
    >>> found.counts
    {'pos': 3.0, 'case': 3.0}
    >>> found.conditional
    {'adj': {'case': 1.0}, 'prep': {'pos': 1.0}, 'subst': {'pos': 2.0, 'case': 2.0}}
    >>> found.normalised
    {'pos': 0.5, 'case': 0.5}
    """
    of_parse = parse_weights(uses, parses=parses)
    of_use = of_parse.weights[uses.parse]
    of_side = np.bincount(uses.terminals, weights=of_use, minlength=len(uses.right_sides)).tolist()
    counts: dict[str, float] = {}
    of_pos: dict[str, dict[str, float]] = {}
    for side, weight in zip(uses.right_sides, of_side, strict=True):
        for pos, categories in side if weight else ():
            for category in dict.fromkeys(categories):
                there = of_pos.setdefault(pos, {})
                there[category] = there.get(category, 0.0) + weight
                counts[category] = counts.get(category, 0.0) + weight
    without_pos = of_pos.pop("", {})
    return RuleCounts(
        counts=_ordered(counts, tagset.categories if tagset else (), tagset),
        conditional={pos: _ordered(of_pos[pos], _slots(pos, tagset), tagset) for pos in _met(of_pos, tagset)},
        n_sentences=len(uses.sentences),
        n_rules=len(uses.rules),
        n_uses=float(of_use.sum()),
        n_parses=len(uses.parse_sentence),
        n_ambiguous=int((uses.n_parses_of > 1).sum()),
        parses=parses,
        without_pos=_ordered(without_pos, (), None),
        em_steps=of_parse.n_steps,
        em_converged=of_parse.converged,
        problems=uses.problems,
    )


def _slots(pos: str, tagset: Tagset | None) -> tuple[str, ...]:
    slots = tagset.slots.get(pos, ()) if tagset else ()
    return tuple(slot.category for slot in slots if slot.category)


def _met(of_pos: dict[str, dict[str, float]], tagset: Tagset | None) -> list[str]:
    """The parts of speech that were met, in the order of the tagset, others after it by name."""
    known = tagset.parts_of_speech if tagset else ()
    return [*(pos for pos in known if pos in of_pos), *sorted(of_pos.keys() - set(known))]


def _ordered(counts: dict[str, float], known: Sequence[str], tagset: Tagset | None) -> dict[str, float]:
    """The counts: the part of speech, then the known categories, 0 if not counted, then others by name."""
    first = [POS] if tagset or POS in counts else []
    names = [*first, *known, *sorted(counts.keys() - {POS, *known})]
    return {name: counts.get(name, 0.0) for name in names}


def _shares(counts: dict[str, float]) -> dict[str, float]:
    total = sum(counts.values())
    return {name: count / total if total else 0.0 for name, count in counts.items()}
