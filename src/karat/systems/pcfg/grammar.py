"""A probabilistic grammar: rules with probabilities, laid out for the chart, and its chains of unary rules."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._ragged import offsets_of, places_of_rows
from karat.errors import UsageError
from karat.systems.pcfg._layouts import Chains, Rules
from karat.systems.pcfg.treebank_rules import TreebankRules

_ROUNDING = 1e-6  # of sums of probabilities
_MOST_CHAINS = 1_000_000  # that are looked at, to count those in which no label comes twice


@dataclass(frozen=True, eq=False)
class TreebankGrammar:
    """Symbols as in `TreebankRules`, and rules with the logarithms of their probabilities given the parent."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    label_of: Ids
    n_tags: int
    n_closed: int
    start: int
    unary: Ids  # [rules × (parent, child)]
    unary_scores: Floats
    binary: Ids  # [rules × (parent, left, right)]
    binary_scores: Floats
    priors: Floats  # the logarithm of each symbol's share of all uses, for the beam

    @property
    def n_symbols(self) -> int:
        return len(self.names)

    def is_proper(self) -> bool:
        """Whether the rules of no parent are likelier than 1 together, and every chain of unary rules can end."""
        unary = np.bincount(self.unary[:, 0], weights=np.exp(self.unary_scores), minlength=self.n_symbols)
        binary = np.bincount(self.binary[:, 0], weights=np.exp(self.binary_scores), minlength=self.n_symbols)
        ends = unary < 1 - _ROUNDING
        for _ in range(len(self.unary)):
            before = ends.copy()
            np.logical_or.at(ends, self.unary[:, 0], ends[self.unary[:, 1]])
            if np.array_equal(ends, before):
                break
        return bool(ends.all()) and bool((unary + binary <= 1 + _ROUNDING).all())

    @cached_property
    def _order(self) -> Indices:
        """Binary rules by left child, right child and parent."""
        return np.lexsort((self.binary[:, 0], self.binary[:, 2], self.binary[:, 1]))

    @cached_property
    def pair_lefts(self) -> Ids:
        """The left child of every pair of children, in the order of the chart's rules."""
        return self._sorted_pairs[0]

    @cached_property
    def _sorted_pairs(self) -> tuple[Ids, Ids, Indices]:
        rules = self.binary[self._order]
        is_first = np.ones(len(rules), dtype=np.bool_)
        is_first[1:] = (rules[1:, 1:] != rules[:-1, 1:]).any(axis=1)
        first = np.flatnonzero(is_first)
        return rules[first, 1], rules[first, 2], np.append(first, len(rules)).astype(np.intp)

    def _rules(self, weights: Floats) -> Rules:
        lefts, rights, offsets = self._sorted_pairs
        pair_offsets = offsets_of(np.bincount(lefts, minlength=self.n_closed))
        parents = np.ascontiguousarray(self.binary[self._order, 0])
        return pair_offsets, np.ascontiguousarray(rights), offsets, parents, weights[self._order]

    @cached_property
    def best_rules(self) -> Rules:
        """The binary rules with logarithms of probabilities."""
        return self._rules(self.binary_scores)

    @cached_property
    def summed_rules(self) -> Rules:
        """The binary rules with probabilities."""
        return self._rules(np.exp(self.binary_scores))

    @cached_property
    def counted_rules(self) -> Rules:
        """The binary rules, each counted once."""
        return self._rules(np.ones(len(self.binary)))

    # ---- chains of unary rules

    @cached_property
    def _above(self) -> dict[int, list[tuple[int, float]]]:
        """The parents of each child by unary rules, with the rules' scores."""
        found: dict[int, list[tuple[int, float]]] = {}
        for (parent, child), score in zip(self.unary.tolist(), self.unary_scores.tolist(), strict=True):
            found.setdefault(child, []).append((parent, score))
        return found

    @cached_property
    def _best(self) -> tuple[Chains, Ids]:
        """The best chain between any two symbols, by its lowest; and the symbol below the highest of each chain."""
        rows: list[tuple[int, int, float, int]] = []
        for child in range(self.n_closed):
            done: dict[int, tuple[float, int]] = {}
            heap = [(0.0, child, child)]
            while heap:
                cost, symbol, below = heapq.heappop(heap)
                if symbol in done:
                    continue
                done[symbol] = cost, below
                for parent, score in self._above.get(symbol, ()):
                    if parent not in done:
                        heapq.heappush(heap, (cost - score, parent, symbol))
            rows += [(child, one, -cost, below) for one, (cost, below) in sorted(done.items()) if one != child]
        chains = _chains(self.n_closed, [(child, parent, score) for child, parent, score, _ in rows])
        return chains, np.array([below for *_, below in rows], dtype=np.int32)

    @cached_property
    def best_chains(self) -> Chains:
        """The best chain between any two symbols, with the logarithm of its probability."""
        return self._best[0]

    def chain_symbols(self, chain: int) -> list[int]:
        """The symbols of a best chain from the highest down to the one above the lowest."""
        (offsets, parents, _, children), below = self._best
        child, found = int(children[chain]), []
        first, last = offsets[child : child + 2].tolist()
        symbol = int(parents[chain])
        while symbol != child:
            found.append(symbol)
            symbol = int(below[first + np.searchsorted(parents[first:last], symbol)])
        return found

    @cached_property
    def summed_chains(self) -> Chains:
        """The probability of all chains between two symbols together, cycles included: (1 − U)⁻¹ without the 1."""
        involved = np.unique(self.unary)
        place = np.full(self.n_closed, -1)
        place[involved] = np.arange(len(involved))
        steps = np.zeros((len(involved), len(involved)))
        steps[place[self.unary[:, 0]], place[self.unary[:, 1]]] = np.exp(self.unary_scores)
        summed = np.linalg.inv(np.eye(len(involved)) - steps) - np.eye(len(involved))
        children, parents = np.nonzero(summed.T > 0)
        weights = summed.T[children, parents].tolist()
        rows = zip(involved[children].tolist(), involved[parents].tolist(), weights, strict=True)
        return _chains(self.n_closed, list(rows))

    @cached_property
    def counted_chains(self) -> Chains:
        """The number of chains between two symbols in which no label comes twice.

        A `UsageError` for a grammar with too many of them to be counted.
        """
        counts: dict[tuple[int, int], int] = {}
        n = 0
        for child in range(self.n_closed):
            stack = [(child, frozenset([int(self.label_of[child])]))]
            while stack:
                symbol, labels = stack.pop()
                for parent, _ in self._above.get(symbol, ()):
                    label = int(self.label_of[parent])
                    if label not in labels:
                        counts[child, parent] = counts.get((child, parent), 0) + 1
                        stack.append((parent, labels | {label}))
                        n += 1
                if n > _MOST_CHAINS:
                    raise UsageError("the grammar has too many chains of unary rules to count its parses")
        rows = [(child, parent, float(times)) for (child, parent), times in sorted(counts.items())]
        return _chains(self.n_closed, rows)

    def shown(self) -> Iterator[str]:
        """The rules as lines, phrase by phrase, the likeliest first: `NP → DT NN  0.1234`."""
        rows: list[tuple[int, float, tuple[int, ...]]] = [
            (p, -s, (c,)) for (p, c), s in zip(self.unary.tolist(), self.unary_scores.tolist(), strict=True)
        ]
        rows += [
            (p, -s, (one, other))
            for (p, one, other), s in zip(self.binary.tolist(), self.binary_scores.tolist(), strict=True)
        ]
        for parent, cost, children in sorted(rows):
            right = " ".join(self.names[child] for child in children)
            yield f"{self.names[parent]} → {right}  {np.exp(-cost):.4g}"


def _chains(n_closed: int, rows: list[tuple[int, int, float]]) -> Chains:
    """Chains from rows of lowest child, highest parent and weight, in order."""
    children = np.array([child for child, _, _ in rows], dtype=np.int32)
    parents = np.array([parent for _, parent, _ in rows], dtype=np.int32)
    weights = np.array([weight for _, _, weight in rows], dtype=np.float64)
    return offsets_of(np.bincount(children, minlength=n_closed)), parents, weights, children


def grammar_from_counts(counts: TreebankRules, *, smoothing: float = 0.0) -> TreebankGrammar:
    """The grammar in which a rule is as likely as it is frequent among those of its parent.

    With smoothing, what follows in a state is mixed with what follows in all states of its family, which differ from it
    in their first child only: weighted by so many times the number of different things that follow it, against its
    uses [Witten & Bell 1991]. New combinations of children are possible then.
    """
    n = len(counts.names)
    binary, weights = counts.binary, counts.binary_counts.astype(np.float64)
    uses = np.zeros(n)
    uses += np.bincount(counts.unary[:, 0], weights=counts.unary_counts, minlength=n)
    uses += np.bincount(binary[:, 0], weights=weights, minlength=n)
    if smoothing:
        binary, weights = _smoothed(counts, smoothing)
    return TreebankGrammar(
        names=counts.names,
        labels=counts.labels,
        label_of=counts.label_of,
        n_tags=counts.n_tags,
        n_closed=counts.n_closed,
        start=counts.start,
        unary=counts.unary.astype(np.int32),
        unary_scores=np.minimum(np.log(counts.unary_counts / uses.take(counts.unary[:, 0])), 0.0),
        binary=binary.astype(np.int32),
        binary_scores=np.minimum(np.log(weights / uses.take(binary[:, 0])), 0.0),
        priors=np.log(_with_tags(counts, uses) / max(uses.sum(), 1.0)),
    )


def _with_tags(counts: TreebankRules, uses: Floats) -> Floats:
    """How often every symbol is used, at least a little: tags as often as there are words of them."""
    found = uses.copy()
    found[: counts.n_tags] = np.bincount(counts.words[:, 0], minlength=counts.n_tags)
    return np.maximum(found, 0.5)


def _smoothed(counts: TreebankRules, strength: float) -> tuple[Indices, Floats]:
    """Binary rules and their smoothed counts; those of a parent sum to what they did before."""
    n = len(counts.names)
    of_states = counts.binary[:, 0] >= counts.n_closed
    rules, times = counts.binary[of_states], counts.binary_counts[of_states].astype(np.float64)
    states, first, n_different = np.unique(rules[:, 0], return_index=True, return_counts=True)
    if len(np.unique(rules[:, 0] * n + rules[:, 1])) > len(states):  # a state does not know its next child: order 0
        return counts.binary, counts.binary_counts.astype(np.float64)
    families = counts.families.take(rules[:, 0] - counts.n_closed).astype(np.intp)
    keys, inverse = np.unique(families * n + rules[:, 2], return_inverse=True)
    of_family = np.bincount(inverse, weights=times)
    family, right = np.divmod(keys, n)
    offsets = offsets_of(np.bincount(family, minlength=int(families.max(initial=-1)) + 1))
    shares = of_family / np.bincount(family, weights=of_family).take(family)
    family_of_state = families[first]
    places, sizes = places_of_rows(offsets, family_of_state)
    owner = np.repeat(np.arange(len(states)), sizes)
    rows = np.stack([states[owner], rules[first, 1][owner], right[places]], axis=1)
    own = np.zeros(len(rows))
    at = np.searchsorted(rows[:, 0] * n + rows[:, 2], rules[:, 0] * n + rules[:, 2])
    own[at] = times
    total = np.bincount(owner, weights=own)[owner]
    mixed = strength * n_different[owner]
    weights = (own + mixed * shares[places]) / (total + mixed) * total
    return np.concatenate([counts.binary[~of_states], rows]), np.append(counts.binary_counts[~of_states], weights)
