"""Repeats that are annotated in more than one way: five English treebanks of UD 2.3, and up to 40 times as much.

The peer is nessie's variation n-gram detector, written out here from its description: all sentences, in lower case, go
into one suffix tree; for every maximal repeat of at least two words, the commonest first, the sentences that hold it
come from the tree, each is searched for the words, the labels found are counted, and words whose label is not that of
the commonest labelling are flagged. Its tree is a Python library's; the one here is smaller, and quicker to build.
Beside it karat has the same data in memory, folds case, takes repeats of two words on at any two places, and ranks.

Larger texts are sentences of the five treebanks drawn anew, with their labels: 0.5, 4 and 20 million words. Whole
sentences are then there many times, which makes repeats longer, and more of them at first, until each sentence has been
drawn twice: then the repeats stay as many, with more places each. Copies have the same labels, so that suspicious
repeats stay as many, too; in one more text one label in a hundred is another. Memory is the peak during the work less
what is there before it, words, sentences and labels loaded and all code compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from _measuring import DATA, KARAT, cold, comparison_table, measured, peak_memory, time_line, warm

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.gold.repeats.labels import Labels
    from karat.gold.repeats.running_text import RunningText

FOLDERS = [DATA / "ud-2.3" / f"UD_English-{name}" for name in ("EWT", "GUM", "LinES", "ParTUT", "PUD")]
SIZES = (500_000, 4_000_000, 20_000_000)
OTHER_LABELS = 0.01
MOST_SECONDS, MOST_BYTES = 60.0, 100.0  # of the largest; bytes a word

Node = tuple[
    list[int], dict[int, "Node"], list[int]
]  # where its words are (from, to), children, sentences that end here


def variation_ngrams() -> object:
    """How many repeats of two words or more have several labellings, and how many words are flagged."""
    sentences, labels = words_and_labels()
    folded = [[word.lower() for word in sentence] for sentence in sentences]
    flags = [[False] * len(sentence) for sentence in folded]
    n_suspicious = 0
    for _, words, holders in sorted(maximal_repeats_in(folded), reverse=True):
        counts: Counter[tuple[str, ...]] = Counter()
        matches = []
        for number in holders:
            sentence = folded[number]
            for start in range(len(sentence) - len(words) + 1):
                if sentence[start : start + len(words)] == words:
                    counts[tuple(labels[number][start : start + len(words)])] += 1
                    matches.append((number, start))
        if len(counts) < 2:
            continue
        n_suspicious += 1
        ((commonest, _),) = counts.most_common(1)
        for number, start in matches:
            for at, label in enumerate(commonest):
                if labels[number][start + at] != label:
                    flags[number][start + at] = True
    return n_suspicious, sum(map(sum, flags))


def maximal_repeats_in(sentences: list[list[str]]) -> list[tuple[int, list[str], list[int]]]:
    """The maximal repeats of at least two words: at how many places, the words, the sentences that hold them."""
    codes: dict[str, int] = {}
    text: list[int] = []
    for sentence in sentences:
        text += [codes.setdefault(word, len(codes)) for word in sentence]
        text.append(-1 - len(text))  # equal to nothing
    names = list(codes)
    sentence_of = [number for number, sentence in enumerate(sentences) for _ in range(len(sentence) + 1)]
    children: dict[int, Node] = {}
    for place, code in enumerate(text):
        if code >= 0:
            insert(children, text, place)
    found = []
    # A node is visited twice: its children in between, so that what they hold is known when it comes again.
    stack = [(node, 0, False) for node in children.values()]
    below: dict[int, tuple[list[int], int | None]] = {}
    while stack:
        node, depth, is_done = stack.pop()
        (start, stop), inner, places = node
        if not inner:
            place = places[0]
            below[id(node)] = [place], text[place - 1] if place else None
            continue
        depth_here = depth + stop - start
        if not is_done:
            stack.append((node, depth, True))
            stack += [(child, depth_here, False) for child in inner.values()]
            continue
        parts = [below.pop(id(child)) for child in inner.values()]
        everywhere = [place for part, _ in parts for place in part]
        before = {word for _, word in parts}
        is_same = len(before) == 1 and None not in before
        below[id(node)] = everywhere, before.pop() if is_same else None
        if depth_here > 1 and not is_same:
            words = [names[code] for code in text[stop - depth_here : stop]]
            found.append((len(everywhere), words, sorted({sentence_of[place] for place in everywhere})))
    return found


def insert(children: dict[int, Node], text: list[int], place: int) -> None:
    """Put the words from a place on into a suffix tree; the boundary behind the sentence ends what is shared."""
    at = place
    while True:
        node = children.get(text[at])
        if node is None:
            children[text[at]] = ([at, len(text)], {}, [place])
            return
        start, stop = node[0]
        same = start
        while same < stop and text[same] == text[at]:
            same += 1
            at += 1
        if same < stop:
            middle: Node = ([start, same], {text[same]: node, text[at]: ([at, len(text)], {}, [place])}, [])
            node[0][0] = same
            children[text[start]] = middle
            return
        children = node[1]


def karat_variation() -> object:
    """The same by karat, ranked."""
    from karat.gold.repeats.labels import column_labels
    from karat.gold.repeats.maximal import maximal_repeats
    from karat.gold.repeats.ranking import ranked
    from karat.gold.repeats.running_text import running_text
    from karat.gold.repeats.suspicious import suspicious_repeats

    text = running_text(corpora(), fold_case=True)
    repeats = maximal_repeats(text, min_words=2, two_sentences=False)
    ranking = ranked(suspicious_repeats(repeats, column_labels(text, "upos")))
    return len(ranking), ranking


def karat_repeats() -> object:
    """The treebanks read, searched, compared and ranked."""
    from karat.corpus import read_conllu
    from karat.gold.repeats.labels import column_labels
    from karat.gold.repeats.maximal import maximal_repeats
    from karat.gold.repeats.ranking import ranked
    from karat.gold.repeats.running_text import running_text
    from karat.gold.repeats.suspicious import suspicious_repeats

    text = running_text([read_conllu(sorted(folder.glob("*.conllu"))) for folder in FOLDERS])
    return ranked(suspicious_repeats(maximal_repeats(text), column_labels(text, "upos")))


TASKS = (variation_ngrams, karat_variation, karat_repeats)


@cache
def corpora() -> list[Corpus]:
    from karat.corpus import read_conllu

    return [read_conllu(sorted(folder.glob("*.conllu"))) for folder in FOLDERS]


@cache
def words_and_labels() -> tuple[list[list[str]], list[list[str]]]:
    """The words of each sentence, and their labels."""
    columns: list[list[list[str]]] = [[], []]
    for corpus in corpora():
        for sentences, name in zip(columns, ("form", "upos"), strict=True):
            values = corpus.column(name).strings()
            sentences += [values[start:stop] for start, stop in pairwise(corpus.sentence_offsets.tolist())]
    return columns[0], columns[1]


# ---- tables ----------------------------------------------------------------------------------------------------------


def tables(folder: Path) -> list[str]:
    what = "five English treebanks, 0.5 M words"
    reading = measured([warm("karat", karat_repeats, 4), cold("karat repeats", *KARAT, "repeats", *FOLDERS)], 4)
    sides = [warm("karat", karat_variation, 4), warm("nessie's loop", variation_ngrams, 1, goal=20)]
    return [
        *time_line(f"Suspicious repeats of {what}, read, searched and ranked, warm", reading[0], 1.0),
        *time_line(f"`karat repeats` of {what}, process start included", reading[1], 3.0),
        *comparison_table(f"Variation n-grams of {what}, two words or more, warm", measured(sides, 3)),
        *growth_lines(folder),
    ]


def growth_lines(folder: Path) -> list[str]:
    """Time and memory over the size of the text."""
    found = []
    for size, share in [*((size, 0.0) for size in SIZES), (SIZES[-1], OTHER_LABELS)]:
        runs = []
        for number in range(3):
            print(f"{number + 1}/3 {size:,} words", file=sys.stderr)
            command = [sys.executable, __file__, "--drawn", str(folder / f"drawn-{size}"), str(size), str(share)]
            environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
            printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
            runs.append(json.loads(printed))
        found.append((share, min(runs, key=lambda run: run["seconds"]), max(run["peak"] for run in runs)))
    rows = [
        f"| {run['words']:,}{', other labels' if share else ''} | {run['seconds']:.2f} |"
        f" {run['seconds'] / run['words'] * 1e9:.0f} | {peak / run['words']:.0f} |"
        f" {run['repeats']:,} | {run['suspicious']:,} | {run['places']:,} |"
        for share, run, peak in found
    ]
    seconds = max(run["seconds"] for _, run, _ in found[2:])
    memory = max(peak / run["words"] for _, run, peak in found[2:])
    least, _, most = (run["seconds"] / run["words"] for _, run, _ in found[:3])
    return [
        "## Growth: suspicious repeats of sentences drawn anew, ranked, warm",
        "",
        "| words | CPU s | ns a word | bytes a word | repeats | suspicious | their places |",
        "|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
        "",
        f"Goal {SIZES[-1] / 1e6:.0f} M words ≤ {MOST_SECONDS:g} s: {seconds:.1f}, {met(seconds <= MOST_SECONDS)};"
        f" ≤ {MOST_BYTES:g} bytes a word beyond the text and its labels: {memory:.0f}, {met(memory <= MOST_BYTES)}."
        f" A word takes {most / least:.1f} times as long in the largest text as in the smallest.",
        "",
    ]


def met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


# ---- texts of any size -----------------------------------------------------------------------------------------------


def measure_drawn(folder: Path, n_words: int, share: float) -> None:
    """Find and rank the suspicious repeats of a text drawn from the treebanks, and print what that took, as JSON."""
    from karat.gold.repeats.maximal import maximal_repeats
    from karat.gold.repeats.ranking import ranked
    from karat.gold.repeats.suspicious import suspicious_repeats

    text, labels = loaded(folder, n_words, share)
    small, small_labels = loaded(folder.with_name("drawn-small"), 10_000, 0.0)
    ranked(suspicious_repeats(maximal_repeats(small), small_labels))
    before = resident()
    start = time.process_time()
    repeats = maximal_repeats(text)
    found = suspicious_repeats(repeats, labels)
    ranked(found)
    seconds = time.process_time() - start
    shown = {"words": text.n_units, "seconds": seconds, "peak": max(peak_memory() - before, 0), "repeats": len(repeats)}
    print(json.dumps({**shown, "suspicious": len(found), "places": int(found.n_places.sum())}))


def loaded(folder: Path, n_words: int, share: float) -> tuple[RunningText, Labels]:
    """A drawn text, from files that a process of its own has made, so that this one is no larger than the text."""
    import numpy as np

    from karat.gold.repeats.labels import Labels
    from karat.gold.repeats.running_text import RunningText

    if not folder.exists():
        subprocess.run([sys.executable, __file__, "--draw", str(folder), str(n_words)], check=True)
    codes, sentences, labels, sentence_words = (
        np.load(folder / f"{name}.npy") for name in ("codes", "sentences", "labels", "sentence_words")
    )
    if share:
        random = np.random.default_rng(2026)
        others = random.integers(0, len(labels), int(share * len(labels)))
        others = others[labels[others] >= 0]
        labels[others] = random.integers(0, labels.max() + 1, len(others))
    names = [str(number) for number in range(int(labels.max()) + 1)]
    vocabulary = [str(number) for number in range(int(codes.max()) + 1)]
    corpus_sentences = np.array([0, len(sentence_words) - 1])
    text = RunningText(codes, sentences, None, vocabulary, corpus_sentences, sentence_words)
    return text, Labels("upos", labels, names)


def draw(folder: Path, n_words: int) -> None:
    """Write a text of about so many words: sentences of the treebanks, drawn with replacement."""
    import numpy as np

    from karat.gold.repeats.labels import column_labels
    from karat.gold.repeats.running_text import running_text

    text = running_text(corpora())
    labels = column_labels(text, "upos")
    lengths = np.diff(text.sentence_words) + 1
    starts = np.cumsum(lengths) - lengths
    n_sentences = round(n_words / (lengths.mean() - 1))
    drawn = np.random.default_rng(2026).integers(0, len(lengths), n_sentences)
    n = lengths[drawn]
    places = np.repeat(starts[drawn] - (np.cumsum(n) - n), n) + np.arange(n.sum())
    folder.mkdir()
    np.save(folder / "codes.npy", text.codes[places])
    np.save(folder / "labels.npy", labels.codes[places])
    np.save(folder / "sentences.npy", np.repeat(np.arange(n_sentences, dtype=np.int32), n))
    np.save(folder / "sentence_words.npy", np.append(0, np.cumsum(n - 1)))


def resident() -> int:
    """The memory that this process has now, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description="The work of one process; see run.py.")
    parser.add_argument("--draw", nargs=2)
    parser.add_argument("--drawn", nargs=3)
    arguments = parser.parse_args()
    if arguments.draw:
        draw(Path(arguments.draw[0]), int(arguments.draw[1]))
    else:
        folder, n_words, share = arguments.drawn
        measure_drawn(Path(folder), int(n_words), float(share))


if __name__ == "__main__":
    main()
