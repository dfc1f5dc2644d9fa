"""What Padró & Màrquez 1998 print: the two taggers, and the intervals of section 5."""

from __future__ import annotations

from collections.abc import Mapping

# Accuracy on ambiguous words, and on all; T1 uses bigrams (B), T2 trigrams and acquired constraints (TC)
OBSERVED: Mapping[str, tuple[float, float]] = {"B": (0.9135, 0.9686), "TC": (0.9282, 0.9739)}
CORPUS_ERROR, AMBIGUITY = 0.03, 2.5
AMBIGUOUS_SHARE = 0.363  # not printed: what T1's two accuracies imply, (1 − 0.9686)/(1 − 0.9135)
PRINTED_P = 0.4  # the head of the first column says 1/a, but its intervals are those of 1/(a − 1) = 2/3
CHANCE_P = 2 / 3
# Ends of the intervals of section 5 in the paper's order, by tagger and p
INTERVALS: Mapping[tuple[str, float], tuple[float, float]] = {
    ("B", CHANCE_P): (0.9135, 0.9405), ("B", 1.0): (0.9075, 0.9399),
    ("TC", CHANCE_P): (0.9282, 0.9560), ("TC", 1.0): (0.9222, 0.9555),
}  # fmt: skip
# The example of sections 3 and 4
EXAMPLE_OBSERVED = 0.93
EXAMPLE_RANGES: Mapping[float, tuple[float, float]] = {0.0: (0.93, 0.96), 1.0: (0.90, 0.96)}
EXAMPLE_T = (0.928, 0.959)
