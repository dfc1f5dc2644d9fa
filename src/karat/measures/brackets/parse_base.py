"""The Parse Base: how ambiguous a grammar is [Hogenhout & Matsumoto 1996, §7, after Black et al. 1993].

The geometric mean over all sentences of the n-th root of p, where n is the number of words of a sentence and p the
number of its parses.
"""

from __future__ import annotations

import math
import textwrap

import numpy as np

from karat._arrays import Floats
from karat.corpus.constituency_trees import Trees
from karat.corpus.source import PathLike, read_source
from karat.errors import DataError, Problem


def parse_base(gold: Trees, log_parses: Floats) -> float | None:
    """The Parse Base from the logarithms of the parses' numbers; sentences without a parse (−∞) or words do not count.

    None if no sentence counts.
    """
    n_words = gold.tally_words(~gold.traces)
    counts = np.isfinite(log_parses) & (n_words > 0) & ~gold.bad
    return math.exp(float((log_parses[counts] / n_words[counts]).mean())) if counts.any() else None


def parses_from_file(gold: Trees, path: PathLike) -> Floats:
    """The logarithm of the number of parses of each gold sentence, from a file with a number a line.

    Numbers may be of any size, as those of grammars are.
    """
    source = read_source(path)
    lines = source.text(0, source.size).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    problems = [
        Problem("K714", f"{textwrap.shorten(line, 40)!r} is not a number of parses", source.path, number)
        for number, line in enumerate(lines, start=1)
        if not (line.strip().isascii() and line.strip().isdigit()) or len(line.strip()) > _MOST_DIGITS
    ]
    if not problems and len(lines) != gold.n_trees:
        message = f"{len(lines):,} numbers where the gold has {gold.n_trees:,} sentences"
        problems.append(
            Problem("K714", message, source.path, hint="give one number of parses per line, one line per sentence")
        )
    if problems:
        raise DataError(problems)
    return np.array([math.log(number) if (number := int(line)) else -math.inf for line in lines])


_MOST_DIGITS = 4000  # Python does not read longer ones
