"""Planted errors: how many of them the first rows of each order hold.

    python benchmarks/planted_errors.py [--seeds N] [--first-seed N] [--output docs/planted-errors.md]

In EWT's train set (UD 2.3) 500 UPOS tags are changed, at places drawn from all that are inside repeats of at least 4
words. The suspicious repeats of at least 3 words are then sorted. A row holds an error if the word is one of those in
which the row differs, at one of its places: a person who looks at the row sees it. Recall is the share of the 500 that
the first N rows hold, precision the share of those rows that hold one. The output also draws the recall.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from _measuring import EWT
from karat._arrays import Array, Flags, Floats, Ids, Indices
from karat.corpus import read_conllu
from karat.gold.repeats.alike import grouped
from karat.gold.repeats.labels import Labels, column_labels
from karat.gold.repeats.maximal import Repeats, maximal_repeats
from karat.gold.repeats.patterns import words_by
from karat.gold.repeats.ranking import ranked
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats, suspicious_repeats
from karat.report.draw.svg import COLOURS, Frame, line

N_PLANTED = 500
ROWS = (100, 200, 500, 1000, 2000)
N_DRAWN = 2000  # rows in the drawing
KINDS = {"any": "any other tag, all alike", "its own": "a tag that the word has elsewhere"}
ORDERS = ("karat", "karat, grouped", "length", "majority", "length, distinct", "majority, distinct")

HEAD = """# Planted errors

Made by `python benchmarks/planted_errors.py{options} --output docs/planted-errors.md`.

500 UPOS tags of EWT's train set (UD 2.3, {n_words:,} words) are changed, at places drawn from the {n_places:,} words
that are inside repeats of at least 4 words. The suspicious repeats of at least 3 words, {n_rows}, are then
sorted, and a person looks at the first rows. A row holds an error if the word is one of those in which the row differs,
at one of its places. Recall is the share of the 500 that the first rows hold, precision the share of those rows that
hold one; in %, means of seeds {first} to {last}. The first 2,000 rows are all.

- **karat** is the order of `karat.gold.repeats.ranking.ranked`: by how unexpected a label is that no row before has
  shown, rows with nothing new last. Its numbers were chosen on seeds 101 to 106, those that weigh contexts also on
  later corrections of half of GUM (`benchmarks/later_corrections.py`); what counts as odd on seeds 1001 to 1020 and
  2001 to 2020. The score asks if a word's relation fits its label, and planted errors leave relations as they were.
  People who misread a word may attach it to fit: real errors give themselves away less.
- **karat, grouped** is the order that `karat repeats` prints: first one row for all repeats with the same lemma and
  the same two labels, then the repeats behind these rows. Here a row holds only the errors of the repeat that it shows.
  So errors that are alike, as many planted ones are, come later than by **karat**; a person who looks behind the row
  has them at once.
- **length** sorts by the number of words, then by the share of the commonest labelling; **majority** by that share,
  then by the number of words. `distinct` is the same with rows last that show nothing new: what is left between it and
  karat is the score's doing.

A high precision is no virtue here: an order that shows the same error in several rows has it. And EWT's own errors,
which are as good a find, count against it. Of 1,000 rows, at most some 500 can show an error that is new.

Errors are all in repeats of 4 words or more, and there are some 700 suspicious ones of that length. So the first
1,000 rows by length hold nearly all, and no order can hold many more: what is missing are errors that make all places
of these repeats agree. What an order is worth shows at 100, 200 and 500 rows.
"""


@dataclass(frozen=True, slots=True)
class Planting:
    """EWT's train set, into which errors are planted."""

    text: RunningText
    labels: Labels
    repeats: Repeats
    candidates: Indices


def planting() -> Planting:
    text = running_text([read_conllu(EWT / "en_ewt-ud-train.conllu")])
    candidates = places_inside(maximal_repeats(text, min_words=4))
    return Planting(text, column_labels(text, "upos"), maximal_repeats(text), candidates)


def places_inside(repeats: Repeats) -> Indices:
    """All places that are inside a repeat."""
    is_inside = np.zeros(len(repeats.text.codes), dtype=np.bool_)
    for repeat in range(len(repeats)):
        is_inside[repeats.places(repeat)[:, None] + np.arange(repeats.length[repeat])] = True
    return np.flatnonzero(is_inside)


def planted(ground: Planting, kind: str, random: np.random.Generator) -> tuple[Labels, Indices]:
    """The labels with errors in them, and their places.

    Of its own tags, a word gets one as often as it has it; a word that has no other gets any.
    """
    text, labels = ground.text, ground.labels
    places = random.choice(ground.candidates, N_PLANTED, replace=False)
    codes = labels.codes.copy()
    for place in places.tolist():
        weights = np.ones(len(labels.names))
        if kind == "its own":
            of_word = np.bincount(labels.codes[text.codes == text.codes[place]], minlength=len(weights)).astype(float)
            of_word[codes[place]] = 0
            weights = of_word if of_word.any() else weights
        weights[codes[place]] = 0
        codes[place] = random.choice(len(weights), p=weights / weights.sum())
    return replace(labels, codes=codes), places


def held(found: SuspiciousRepeats, errors: Indices) -> list[Ids]:
    """For each row, the errors that it holds."""
    number = np.full(len(found.labels.codes), -1, dtype=np.int32)
    number[errors] = np.arange(len(errors))
    rows = []
    for words in differing_words(found):
        hit = number[words]
        rows.append(hit[hit >= 0])
    return rows


def differing_words(found: SuspiciousRepeats) -> Iterator[Indices]:
    """For each row all places of the text of the words that differ."""
    offsets, places, _ = found.labelled_places()
    for row in range(len(found)):
        yield places[offsets[row] : offsets[row + 1], None] + np.array(found.positions(row))


def orders(found: SuspiciousRepeats) -> Iterator[tuple[str, Array]]:
    """The rows in each order, as numbers of `found`'s rows."""
    row_of = {row: number for number, row in enumerate(found.rows.tolist())}
    ranking = ranked(found)
    yield "karat", np.array([row_of[row] for row in ranking.found.rows.tolist()])
    in_groups, _ = grouped(ranking, words_by(found.all_repeats.text, "lemma"))
    yield "karat, grouped", np.array([row_of[row] for row in in_groups.found.rows.tolist()])
    by_length = np.lexsort((-found.majority_share, -found.length))
    by_majority = np.lexsort((-found.length, -found.majority_share))
    for name, order in (("length", by_length), ("majority", by_majority)):
        yield name, order
        is_new = new_in(found, order)
        yield f"{name}, distinct", np.concatenate([order[is_new], order[~is_new]])


def new_in(found: SuspiciousRepeats, order: Array) -> Flags:
    """For the rows in this order, if a word that differs is in none before."""
    words = list(differing_words(found))
    seen = np.zeros(len(found.labels.codes), dtype=np.bool_)
    is_new = np.zeros(len(order), dtype=np.bool_)
    for number, row in enumerate(order.tolist()):
        is_new[number] = not seen[words[row]].all()
        seen[words[row]] = True
    return is_new


def curves(ground: Planting, kind: str, seed: int) -> dict[str, Floats]:
    """For each order [N_DRAWN × (recall, precision)] of the first 1, 2, 3, … rows; behind the last, nothing changes."""
    with_errors, errors = planted(ground, kind, np.random.default_rng(seed))
    found = suspicious_repeats(ground.repeats, with_errors)
    rows = held(found, errors)
    results = {}
    for name, order in orders(found):
        n_rows = min(len(order), N_DRAWN)
        is_found = np.zeros(N_PLANTED, dtype=np.bool_)
        n_found, n_right = np.zeros(n_rows), np.zeros(n_rows)
        for number, row in enumerate(order[:n_rows].tolist()):
            is_found[rows[row]] = True
            n_found[number], n_right[number] = is_found.sum(), len(rows[row]) > 0
        curve = np.stack([n_found / N_PLANTED, np.cumsum(n_right) / np.arange(1, n_rows + 1)], axis=1)
        results[name] = np.concatenate([curve, np.repeat(curve[-1:], N_DRAWN - n_rows, axis=0)])
    return results


def curves_of_seeds(ground: Planting, kind: str, seeds: range) -> dict[str, Floats]:
    """For each order [seeds × N_DRAWN × (recall, precision)]."""
    every = [curves(ground, kind, seed) for seed in seeds]
    return {name: np.array([one[name] for one in every]) for name in ORDERS}


# ---- what is shown ---------------------------------------------------------------------------------------------------


def table(found: dict[str, Floats]) -> list[str]:
    """Recall and precision in each order."""
    head = "| sorted by |" + "".join(f" first {n:,} |" for n in ROWS)
    rows = [
        f"| {name} |" + "".join(f" {100 * recall:.2f} / {100 * precision:.1f} |" for recall, precision in means)
        for name, values in found.items()
        for means in [values.mean(axis=0)[np.array(ROWS) - 1]]
    ]
    return [head, "|---|" + "---:|" * len(ROWS), *rows, ""]


def seed_by_seed(found: dict[str, Floats]) -> list[str]:
    """In how many seeds karat finds more or fewer of the errors than another order does."""
    parts = []
    for name in ("length", "majority"):
        for n in (500, 1000, 2000):
            difference = np.round(N_PLANTED * (found["karat"] - found[name])[:, n - 1, 0]).astype(int)
            more, fewer = np.count_nonzero(difference > 0), np.count_nonzero(difference < 0)
            parts.append(
                f"| {name} | {n:,} | {more} | {len(difference) - more - fewer} | {fewer} | {difference.min()} |"
            )
    head = "| beside | rows | seeds with more found | as many | fewer | least difference in errors |"
    return [head, "|---|---:|---:|---:|---:|---:|", *parts, ""]


def figure(found: dict[str, Floats], title: str) -> str:
    """Recall over the number of rows."""
    frame = Frame(0, N_DRAWN, 0, 100)
    rows = np.arange(0, N_DRAWN + 1, 10)
    parts = frame.axes("rows looked at", "planted errors found, %")
    entries = []
    for name, colour in zip(ORDERS, COLOURS, strict=False):
        recall = np.append(0.0, 100 * found[name].mean(axis=0)[rows[1:] - 1, 0])
        points = [(frame.x(x), frame.y(y)) for x, y in zip(rows.tolist(), recall.tolist(), strict=True)]
        parts.append(line(points, colour, width=2, dashed="distinct" in name))
        entries.append((f"by {name} (dashed)" if "distinct" in name else f"by {name}", colour, 1.0))
    return frame.drawing(title, parts, entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first-seed", type=int, default=3001)
    parser.add_argument("--output", type=Path, help="write the text to this file, and the drawings beside it")
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    ground = planting()
    options = "".join(
        f" --{name.replace('_', '-')} {getattr(arguments, name)}"
        for name in ("seeds", "first_seed")
        if getattr(arguments, name) != parser.get_default(name)
    )
    counts = [
        len(suspicious_repeats(ground.repeats, planted(ground, "any", np.random.default_rng(n))[0])) for n in seeds
    ]
    head = HEAD.format(
        options=options,
        n_words=ground.text.n_units,
        n_places=len(ground.candidates),
        n_rows=f"{min(counts):,} to {max(counts):,}",
        first=seeds[0],
        last=seeds[-1],
    )
    parts, drawings = [head], {}
    for kind, meaning in KINDS.items():
        found = curves_of_seeds(ground, kind, seeds)
        name = f"planted-errors-{kind.replace(' ', '-')}.svg"
        drawings[name] = figure(found, f"{N_PLANTED} planted errors, {meaning}")
        parts += [f"## {meaning[0].upper()}{meaning[1:]}", "", "Recall / precision:", "", *table(found)]
        parts += ["karat's recall, seed by seed:", "", *seed_by_seed(found), f"![Recall over rows]({name})", ""]
    text = "\n".join(parts)
    print(text)
    if arguments.output:
        arguments.output.write_text(text.rstrip() + "\n", encoding="utf-8")
        for name, drawn in drawings.items():
            arguments.output.with_name(name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
