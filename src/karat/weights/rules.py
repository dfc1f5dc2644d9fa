"""Weights of morphosyntactic categories from the rules that a parser used [Acedański & Przepiórkowski 2010, § 2.3.2].

Whenever a rule is used, every category (the part of speech included) that it refers to in a terminal symbol, a word, of
its right-hand side is counted once for that terminal. A rule that is used twice in a sentence counts twice.

The rules that were used are read in `rule_uses`. A sentence without a parse is not among them and is not counted. Of
several parses of a sentence

- `best` takes the most probable one; of equally probable ones the first, by the order of the lines. A parse without a
  probability comes after all that have one; where no parse has any, this is the first parse.
- `all` takes all, each with the weight 1 / number of the sentence's parses, so that every sentence weighs the same.
  The paper says only that all may be taken into account; with a weight of 1 each, a sentence of a thousand parses would
  decide alone. Probabilities do not matter.
- `em` weights them by Expectation-Maximisation over the probabilities of rules, see `parse_weights`.
- `em-best` takes the one to which `em` gives the greatest weight, the first of several such.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from karat._arrays import Floats
from karat._numbering import numbered_values
from karat.errors import Problem, UsageError
from karat.tagsets._tagset import POS, Tagset
from karat.weights.rule_uses import RuleUses

Parses = Literal["best", "all", "em", "em-best"]
_ARROW = re.compile(r"->|→")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_TIE = 9  # decimals: weights that differ by less come from rounding


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
        raise UsageError(f"parses must be one of {', '.join(get_args(Parses))}, not {parses!r}")
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
    left = numbered_values(map(_left_side, uses.rules), left_sides)
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

    >>> from karat.weights.rule_uses import RuleUse, Terminal, rule_uses
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
