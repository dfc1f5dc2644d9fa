"""Do intervals from a sample of verdicts cover what the check of all brackets would say? Coverage over seeded samples.

`python benchmarks/sampled_check_coverage.py --output docs/sampled-check.md` takes 600 sentences of GUM's trees
(`KARAT_DATA`, folder gum-const) as gold and a corrupted copy as the parser's output. An oracle has a verdict for every
crossing and spurious bracket, so that the whole check is known. 1,000 samples are then drawn, and the interval of each
is held against the whole check. Two designs go the whole way: worklist, verdicts, `whole_check_of`. In the others only
the numbers of accepted brackets are drawn, from the hypergeometric distributions that the worklist's strata have: what
comes out is the same. Judges are right, except in the section on judges. The last section is about the intervals over
sentences that stand beside those of the whole check: sentences are drawn, and brackets of theirs.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.corpus.readers.bracket_folders import bracket_files
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import read_source, source_from_bytes
from karat.evaluation.whole_check import WholeCheck, whole_check, whole_check_of
from karat.inference.intervals import value_interval
from karat.inference.options import InferenceOptions
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.checked_strata import CheckedStratum
from karat.measures.brackets.human_check import BracketCheck, Verdicts, levelled_counts, worklist_of_checks
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison

MEASURES = ("Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate")
ITEMS = ("TTB", "TPB", "EM", "CE", "SP")
N_SENTENCES = 600
Node: TypeAlias = list[Any]  # label, then words or nodes


# ---- trees -----------------------------------------------------------------------------------------------------------


def parsed(text: str) -> list[Node]:
    """The trees of a text in brackets."""
    stack: list[Node] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            node = stack.pop()
            stack[-1].append(node)
        else:
            stack[-1].append(token)
    return stack[0]


def written(node: Node) -> str:
    return f"({' '.join(part if isinstance(part, str) else written(part) for part in node)})"


def is_phrase(node: object) -> bool:
    return isinstance(node, list) and len(node) > 1 and isinstance(node[1], list)


def corrupted(node: Node, rng: np.random.Generator, rate: float) -> Node:
    """A tree some of whose brackets take the first part of their right neighbour, or have a new one around both."""
    found: Node = [part if isinstance(part, str) else corrupted(part, rng, rate) for part in node]
    place = 1
    while place + 1 < len(found):
        here, after = found[place], found[place + 1]
        if is_phrase(here) and is_phrase(after) and len(after) > 2 and rng.random() < rate:
            here.append(after.pop(1))
        elif isinstance(here, list) and len(found) > 3 and rng.random() < rate / 4:
            found[place : place + 2] = [["X", here, after]]
        place += 1
    return found


def gum_check(folder: Path, rate: float, seed: int) -> BracketCheck:
    """The first trees of the folder's files, in turn, beside their corrupted copies."""
    every = [parsed(read_source(path).text(0, read_source(path).size)) for path in bracket_files(folder).values()]
    gold = [trees[place] for place in range(max(map(len, every))) for trees in every if place < len(trees)]
    gold = gold[:N_SENTENCES]
    rng = np.random.default_rng(seed)
    sides = ["\n".join(map(written, gold)), "\n".join(written(corrupted(tree, rng, rate)) for tree in gold)]
    ours, theirs = (
        brackets_from_source(source_from_bytes(f"{text}\n".encode(), name))
        for text, name in zip(sides, ("gold", "parser"), strict=True)
    )
    return BracketCheck(
        "parser", TreeComparison(paired_trees(ours, theirs, punctuation_named("penn")), BracketOptions())
    )


def items_of(check: BracketCheck) -> dict[str, float]:
    return {name: float(check.comparison.items[name].sum()) for name in ITEMS}


def strata_of(check: BracketCheck, n: int, *, include_exact: bool = False) -> list[CheckedStratum]:
    """The strata of a worklist of n brackets, with how many are judged and none accepted."""
    worklist = worklist_of_checks([check], sample=n, include_exact=include_exact)
    rows = tuple(replace(row, verdict="reject") for row in worklist.rows)
    return list(Verdicts(replace(worklist, rows=rows), [check.name]).of(check).strata)


# ---- coverage --------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How many intervals covered what they should, and how wide they were."""

    covered: dict[str, int]
    widths: dict[str, float]
    n: int = 0

    @classmethod
    def empty(cls) -> Tally:
        return cls(dict.fromkeys(MEASURES, 0), dict.fromkeys(MEASURES, 0.0))

    def add(self, found: Mapping[str, WholeCheck], truth: Mapping[str, float]) -> None:
        self.n += 1
        for name in MEASURES:
            one = found[name]
            self.covered[name] += one.lower - 1e-12 <= truth[name] <= one.upper + 1e-12
            self.widths[name] += one.upper - one.lower

    def cells(self) -> list[str]:
        return [
            f"{100 * self.covered[name] / self.n:.1f} ({100 * self.widths[name] / self.n:.2f})" for name in MEASURES
        ]


def whole(items: Mapping[str, float], accepted: Mapping[str, int]) -> dict[str, float]:
    """What verdicts on all brackets give."""
    strata = [CheckedStratum(item, int(items[item]), int(items[item]), n) for item, n in accepted.items()]
    return {name: one.lower for name, one in whole_check(items, strata).items()}


Judge = Callable[[int, int, np.random.Generator], tuple[int, int]]  # right verdicts: accepted, rejected → found, open


def right(accepted: int, _rejected: int, _rng: np.random.Generator) -> tuple[int, int]:
    return accepted, 0


def coverage(
    items: Mapping[str, float],
    strata: Sequence[CheckedStratum],
    accepted: Mapping[str, int],
    n_samples: int,
    judge: Judge = right,
) -> Tally:
    """Coverage of what right verdicts on all brackets give, over samples of verdicts."""
    rng, truth, tally = np.random.default_rng(7), whole(items, accepted), Tally.empty()

    @cache
    def found(*numbers: tuple[int, int]) -> dict[str, WholeCheck]:
        judged = [
            replace(one, n_judged=one.n_judged - n_open, n_accepted=n, n_open=n_open)
            for one, (n, n_open) in zip(strata, numbers, strict=True)
        ]
        return whole_check(items, judged)

    for _ in range(n_samples):
        numbers = []
        for one in strata:
            n = int(rng.hypergeometric(accepted[one.item], one.size - accepted[one.item], one.n_judged))
            numbers.append(judge(n, one.n_judged - n, rng))
        tally.add(found(*numbers), truth)
    return tally


def coverage_of_worklists(check: BracketCheck, n: int, verdicts: Mapping[str, str], n_samples: int) -> Tally:
    """The same the whole way: each seed draws a worklist, the oracle writes its verdicts, karat reads them."""
    items, tally = items_of(check), Tally.empty()
    everything = worklist_of_checks([check])
    accepted = {
        item: sum(verdicts[row.id] == "accept" and row.shown.startswith(item) for row in everything.rows)
        for item in ("CE", "SP")
    }
    truth = whole(items, accepted)
    for seed in range(n_samples):
        worklist = worklist_of_checks([check], sample=n, seed=seed)
        judged = replace(worklist, rows=tuple(replace(row, verdict=verdicts[row.id]) for row in worklist.rows))
        tally.add(whole_check_of(check, Verdicts(judged, [check.name])), truth)
    return tally


def oracle(check: BracketCheck, rates: Mapping[str, float], *, by_sentence: bool) -> dict[str, str]:
    """A verdict for each bracket: accepted with these chances, or all of a sentence alike."""
    rng, found = np.random.default_rng(5), dict[str, str]()
    of_sentence: dict[str, float] = {}
    for row in worklist_of_checks([check]).rows:
        luck = of_sentence.setdefault(row.sent_id, rng.random()) if by_sentence else rng.random()
        found[row.id] = "accept" if luck < rates[row.shown[:2]] else "reject"
    return found


# ---- judges ----------------------------------------------------------------------------------------------------------


def erring(n_judges: int, error: float) -> Judge:
    """Judges who err alike and independently: the majority decides; where two differ, the row stays open."""
    wrong = {1: error, 2: error**2, 3: 3 * error**2 * (1 - error) + error**3}[n_judges]
    differ = 2 * error * (1 - error) if n_judges == 2 else 0.0

    def judged(accepted: int, rejected: int, rng: np.random.Generator) -> tuple[int, int]:
        a, r = (rng.multinomial(n, [wrong, differ, 1 - wrong - differ]) for n in (accepted, rejected))
        return int(a[2] + r[0]), int(a[1] + r[1])

    return judged


def found_by(n_judges: int, error: float, share: float) -> str:
    """What share judges find accepted on average, of this true one; between two where they leave rows open."""
    wrong = {1: error, 2: error**2, 3: 3 * error**2 * (1 - error) + error**3}[n_judges]
    differ = 2 * error * (1 - error) if n_judges == 2 else 0.0
    least = share * (1 - wrong - differ) + (1 - share) * wrong
    return f"{100 * least:.1f}" + (f" … {100 * (least + differ):.1f}" if differ else "")


Judged = dict[str, tuple[Floats, Floats]]  # of an item, accepted and rejected brackets of each sentence


# ---- intervals over sentences ----------------------------------------------------------------------------------------


def summed(sentences: Indices, flags: Flags, n: int) -> Floats:
    """How many flags each of n sentences has."""
    found: Floats = np.bincount(sentences[flags], minlength=n).astype(np.float64)
    return found


def over_sentences(check: BracketCheck, rates: Mapping[str, float], n_samples: int) -> list[list[str]]:
    """Coverage and width of the intervals of more text: sentences drawn at random, then a fifth of their brackets.

    The sentences of the test set, drawn with replacement, are the text. Verdicts of a sentence go together.
    """
    everything = worklist_of_checks([check])
    verdicts = oracle(check, rates, by_sentence=True)
    trees = {check.comparison.pair.gold.sent_id(tree): tree for tree in range(check.comparison.pair.gold.n_trees)}
    brackets = {
        item: [(trees[row.sent_id], verdicts[row.id] == "accept") for row in everything.rows if row.shown[:2] == item]
        for item in ("CE", "SP")
    }
    n_trees, rng = len(trees), np.random.default_rng(11)
    known = {name: check.comparison.items[name] for name in ITEMS}
    places = {item: np.array([tree for tree, _ in of]) for item, of in brackets.items()}
    flags = {item: np.array([is_accepted for _, is_accepted in of]) for item, of in brackets.items()}
    full: dict[str, Floats] = {item: summed(places[item], flags[item], n_trees) for item in brackets}
    everyone = _values(known, {item: (full[item], known[item] - full[item]) for item in brackets})
    measures = {name: BRACKET_MEASURES[name] for name in MEASURES}
    truth = {name: float(one.value(one.counts(everyone).sum(axis=0))) for name, one in measures.items()}
    options, tallies = InferenceOptions(), {"weights": Tally.empty(), "levelled": Tally.empty()}
    n_drawn = n_trees // 2
    for _ in range(n_samples):
        drawn = rng.integers(n_trees, size=n_drawn)
        counted = {name: of[drawn] for name, of in known.items()}
        plain: Judged = {}
        levelled: Judged = {}
        for item in brackets:
            sentence = np.repeat(np.arange(n_drawn), known[item][drawn].astype(int))
            right_ones = np.concatenate([flags[item][places[item] == tree] for tree in drawn])
            chosen = rng.choice(len(sentence), size=max(len(sentence) // 5, 1), replace=False)
            weight = len(sentence) / len(chosen)
            accepted = weight * summed(sentence[chosen], right_ones[chosen], n_drawn)
            rejected = weight * summed(sentence[chosen], ~right_ones[chosen], n_drawn)
            plain[item], levelled[item] = (accepted, rejected), levelled_counts(accepted, rejected, counted[item])
        for name, judged in (("weights", plain), ("levelled", levelled)):
            values, found = _values(counted, judged), {}
            for of, measure in measures.items():
                counts = measure.counts(_values(counted, plain))
                if float(measure.value(counts.sum(axis=0))) not in (0.0, 1.0):  # as `karat.score` does
                    counts = measure.counts(values)
                ends = value_interval(counts, measure, options).ends or (0.0, 1.0)
                found[of] = WholeCheck(None, *ends, *ends, options.level)
            tallies[name].add(found, truth)
    return [[name, *tally.cells()] for name, tally in tallies.items()]


def _values(known: Mapping[str, Floats], judged: Judged) -> dict[str, Floats]:
    values = {**known, "EMA": known["EM"], "EMR": np.zeros_like(known["EM"])}
    for item, (accepted, rejected) in judged.items():
        values |= {f"{item}A": accepted, f"{item}R": rejected}
    return values


# ---- the page --------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def paragraph(*sentences: str) -> list[str]:
    return [*wrap(" ".join(sentences), 118), ""]


def page(folder: Path, n_samples: int) -> list[str]:
    check = gum_check(folder, 0.8, 1)
    items = items_of(check)
    n = {item: int(items[item]) for item in ("EM", "CE", "SP")}
    tenth = round((n["CE"] + n["SP"]) / 10)

    def accepted(false_error: float, spurious_reject: float, exact: float | None = None) -> dict[str, int]:
        found = {"CE": round(false_error * n["CE"]), "SP": round((1 - spurious_reject) * n["SP"])}
        return found if exact is None else {"EM": round((1 - exact) * n["EM"]), **found}

    error = 100 * math.sqrt(0.95 * 0.05 / n_samples)
    strata = strata_of(check, tenth)
    sizes = ", ".join(f"{one.n_judged} {one.item}" for one in strata)
    lines = ["# Coverage of sampled human checks", ""]
    lines += paragraph(
        "Made by `python benchmarks/sampled_check_coverage.py --output docs/sampled-check.md`; the head of that file",
        f"says how. A parser's output of {N_SENTENCES} sentences of GUM has {n['EM']:,} exact matches, {n['CE']:,}",
        f"crossing and {n['SP']:,} spurious brackets. In %: the share of {n_samples:,} samples whose 95 % interval",
        "covers what the check of all brackets gives, and in brackets the mean width in points. The",
        "Monte Carlo error of a",
        f"coverage is {error:.1f} points (one standard error).",
    )
    lines += ["## Samples of 10 %", "", f"{tenth} brackets are judged ({sizes}), by strata of item.", ""]
    rows = [
        [f"{100 * fe:g} %, {100 * sr:g} %", *coverage(items, strata, accepted(fe, sr), n_samples).cells()]
        for fe in (0.02, 0.25, 0.6, 0.98)
        for sr in (0.01, 0.1)
    ]
    for name, by_sentence in (("", False), ("alike in a sentence, ", True)):
        verdicts = oracle(check, {"CE": 0.25, "SP": 0.9}, by_sentence=by_sentence)
        tally = coverage_of_worklists(check, tenth, verdicts, n_samples)
        rows.append([f"about 25 %, 10 %, {name}with worklists", *tally.cells()])
    lines += [*table(["False Error, Spurious Reject of the whole check", *MEASURES], rows), ""]
    lines += paragraph(
        "Where 1 or 2 % of an item are accepted, or rejected, a sample has 0 to 5 of them. One more or less decides,",
        "few coverages are possible, and these intervals cover up to 99 %. Verdicts that go together in a sentence do",
        "not matter to the whole check, since single brackets are drawn.",
    )
    lines += ["## Small samples, and exact matches", ""]
    rows = []
    for size in (40, 100):
        of_size = strata_of(check, size)
        for fe, sr in ((0.02, 0.01), (0.25, 0.1), (0.6, 0.1)):
            tally = coverage(items, of_size, accepted(fe, sr), n_samples)
            rows.append([f"{size} brackets; {100 * fe:g} %, {100 * sr:g} %", *tally.cells()])
    every = strata_of(check, round(sum(n.values()) / 10), include_exact=True)
    for exact in (0.005, 0.03):
        tally = coverage(items, every, accepted(0.25, 0.1, exact), n_samples)
        rows.append([f"10 % with exact matches, of which {100 * exact:g} % are rejected; 25 %, 10 %", *tally.cells()])
    lines += [*table(["sample; False Error, Spurious Reject", *MEASURES], rows), "", "## Judges who err", ""]
    lines += paragraph(
        "Judges err in 5 % of the rows, each on their own. Coverage is here of the truth, not of what these judges",
        "would say of all brackets. Intervals know nothing of errors: where few brackets are",
        "accepted, or few rejected, one",
        "judge's errors are most of what is found. The majority of three errs in 0.7 % of the rows, which matters only",
        "where shares are about as small. What two judges differ in stays open, and the interval is around all ways to",
        "decide it.",
    )
    rows = []
    for fe, sr in ((0.02, 0.01), (0.25, 0.1)):
        for judges in (1, 2, 3):
            tally = coverage(items, strata, accepted(fe, sr), n_samples, erring(judges, 0.05))
            found = [found_by(judges, 0.05, fe), found_by(judges, 0.05, sr)]
            rows.append([f"{100 * fe:g} %, {100 * sr:g} %", f"{judges}", *found, *tally.cells()])
    columns = ["truth: False Error, Spurious Reject", "judges", "False Error found", "Spurious Reject found", *MEASURES]
    lines += [*table(columns, rows), "", "## Intervals over sentences", ""]
    lines += paragraph(
        "The intervals beside those of the whole check are of more text. Here half as many sentences are drawn from",
        "all, with replacement, and a fifth of their brackets is judged; the truth is that of all",
        "sentences; verdicts of a",
        "sentence go together. `weights`: verdicts as they are weighted, sentence by sentence, as karat had it before;",
        "`levelled`: with the known number of brackets of each sentence, as it has it now. (`karat score` also widens",
        "them to hold those of the whole check.)",
    )
    return [*lines, *table(["counts", *MEASURES], over_sentences(check, {"CE": 0.25, "SP": 0.9}, n_samples))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data = os.environ.get("KARAT_DATA", Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--trees", type=Path, default=Path(data) / "gum-const")
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    text = "\n".join(page(asked.trees, asked.samples)) + "\n"
    if asked.output:
        asked.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
