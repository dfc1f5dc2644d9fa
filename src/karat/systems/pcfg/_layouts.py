"""How a chart's loops are given rules, chains and cells: plain tuples of arrays.

Numba would look for classes of an older karat in what it has kept.
"""

from __future__ import annotations

from typing import TypeAlias

from karat._arrays import Floats, Ids, Indices

# Binary rules by their left child: of left child l the pairs `pair_offsets[l]` up to `pair_offsets[l + 1]`; of pair p
# the right child, and the rules `rule_offsets[p]` up to `rule_offsets[p + 1]`: parents, and weights.
Rules: TypeAlias = tuple[Indices, Ids, Indices, Ids, Floats]
# Chains of unary rules by their lowest child: of child c those `offsets[c]` up to `offsets[c + 1]`: highest parents,
# weights; and the child again.
Chains: TypeAlias = tuple[Indices, Ids, Floats, Ids]
# Entries of all cells: symbol, value, and where it came from: the pair of children and the place where they meet; a
# chain as −2 − chain and its child; −1 for a word's tag.
Entries: TypeAlias = tuple[Ids, Floats, Ids, Ids]
# Entries of sums: symbol, what rules of two children made, that with chains, and what is outside.
Sums: TypeAlias = tuple[Ids, Floats, Floats, Floats]
# Cell b·(n + 1) + e has the entries `first` up to `last`.
Cells: TypeAlias = tuple[Indices, Indices]
# Values of left children [beginnings × tags and phrases × ends]; the first end of each, and the one behind its last.
Lefts: TypeAlias = tuple[Floats, Ids, Ids]
# Values of right children [symbols × beginnings] in a column, the last beginning and the first of each.
Rights: TypeAlias = tuple[Floats, Ids, Ids]
