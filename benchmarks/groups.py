"""Whether groups are constituents: for each rule the share of its groups that are connected in the tree; and speed.

A group is connected if exactly one of its words has its head outside of the group; it is right if that word is the
semantic head. Groups are counted when a rule makes them, also those that later become parts of others. The rules for
NKJP's tags were written on UD_Polish-LFG and UD_Polish-PUD, those for UD on the training parts of English LinES, ParTUT
and EWT; in the other treebanks here nobody has looked at the groups that are wrong.

    python benchmarks/groups.py
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from _measuring import DATA
from karat._arrays import Flags, Indices
from karat.corpus import Corpus, read
from karat.systems.groups.cascade import GroupCascade, GroupedUnits, groups_of, read_cascade, units_after_rules
from karat.systems.groups.tagged_words import TaggedWords, tagged_words
from karat.tagsets import read_tag_map

PARTS = ("dev", "test")
NKJP = {
    "LFG": ([f"ud-2.16/UD_Polish-LFG/pl_lfg-ud-{part}.conllu" for part in PARTS], "nkjp-older"),
    "PUD": (["ud-2.18/UD_Polish-PUD/pl_pud-ud-test.conllu"], None),
    "PDB": ([f"ud-2.18/UD_Polish-PDB/pl_pdb-ud-{part}.conllu" for part in PARTS], None),
}
UD = {
    "LinES": (["ud-2.3/UD_English-LinES/en_lines-ud-train.conllu"], None),
    "EWT train": (["ud-2.3/UD_English-EWT/en_ewt-ud-train.conllu"], None),
    "EWT dev+test": ([f"ud-2.3/UD_English-EWT/en_ewt-ud-{part}.conllu" for part in PARTS], None),
}
MOST_WORDS, N_SENTENCES = 14, 963  # as in the paper
SPEED_WORDS = 500_000


@dataclass
class Text:
    """A treebank with its words as groups have them."""

    corpus: Corpus
    words: TaggedWords

    @property
    def above(self) -> Indices:
        """The head of each word, -1 for the root."""
        bounds = self.words.sentence_offsets
        assert self.corpus.heads is not None
        heads = np.asarray(self.corpus.heads, dtype=np.intp)
        return np.where(heads > 0, np.repeat(bounds[:-1], np.diff(bounds)) + heads - 1, -1)


def main() -> None:
    for name, treebanks in (("nkjp", NKJP), ("ud", UD)):
        cascade = read_cascade(name)
        print(f"\n{name}: groups, connected (%), connected and the semantic head on top (%)\n")
        texts = {label: _read(paths, mapping) for label, (paths, mapping) in treebanks.items()}
        _print_rules(cascade, texts)
        _print_objects(cascade, texts)
    _print_speed()


def _read(paths: Sequence[str], mapping: str | None) -> Text:
    corpus = read([DATA / path for path in paths])
    return Text(corpus, tagged_words(corpus, mapping=read_tag_map(mapping) if mapping else None))


def _print_rules(cascade: GroupCascade, texts: dict[str, Text]) -> None:
    counts = {label: _counts(cascade, text) for label, text in texts.items()}
    print("| rule | kind |" + "".join(f" {label} | | |" for label in texts))
    print("|---|---|" + "--:|--:|--:|" * len(texts))
    for number, rule in enumerate(cascade.rules):
        print(f"| {rule.name} | {rule.makes} |" + "".join(_cells(of[number]) for of in counts.values()))
    print("| all rules | |" + "".join(_cells(of.sum(axis=0)) for of in counts.values()))


def _cells(counts: Indices) -> str:
    n, connected, right = counts.tolist()
    return f" {n:,} | {100 * connected / n:.1f} | {100 * right / n:.1f} |" if n else " 0 | – | – |"


def _counts(cascade: GroupCascade, text: Text) -> Indices:
    """For each rule: its groups, those connected, those with the semantic head on top."""
    above = text.above
    rows = [
        _of_rule(units, units.rules == number, above)
        for number, units in enumerate(units_after_rules(text.words, cascade))
    ]
    return np.array(rows, dtype=np.intp)


def _of_rule(units: GroupedUnits, is_new: Flags, above: Indices) -> tuple[int, int, int]:
    start, stop, semantic = units.start[is_new], units.stop[is_new], units.semantic[is_new]
    sizes = stop - start
    owners = np.repeat(np.arange(len(start)), sizes)
    places = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(start, sizes)
    heads = above.take(places)
    is_out = (heads < start.take(owners)) | (heads >= stop.take(owners))
    connected = np.bincount(owners[is_out], minlength=len(start)) == 1
    tops = above.take(semantic)
    is_top = (tops < start) | (tops >= stop)
    return len(start), int(connected.sum()), int((connected & is_top).sum())


def _print_objects(cascade: GroupCascade, texts: dict[str, Text]) -> None:
    print(f"\n| treebank | objects per sentence | of at most {MOST_WORDS} words | pairs in {N_SENTENCES} of these |")
    print("|---|--:|--:|--:|")
    for label, text in texts.items():
        n = np.diff(groups_of(text.words, cascade).offsets)
        short = n[np.diff(text.words.sentence_offsets) <= MOST_WORDS]
        pairs = N_SENTENCES * (short * (short - 1)).mean()
        print(f"| {label} | {n.mean():.2f} | {short.mean():.2f} ({len(short):,} sentences) | {pairs:,.0f} |")


def _print_speed() -> None:
    """CPU seconds for half a million words, from columns to objects, the kernel compiled before."""
    path = DATA / UD["EWT train"][0][0]
    corpus = read([path] * 3)
    words, cascade = tagged_words(corpus), read_cascade("ud")
    groups_of(words, cascade)
    seconds = []
    for _ in range(3):
        start = time.process_time()
        groups_of(words, cascade)
        seconds.append(time.process_time() - start)
    start = time.process_time()
    tagged_words(corpus)
    reading = time.process_time() - start
    scale = SPEED_WORDS / len(words)
    print(f"\n{SPEED_WORDS:,} words, as EWT's: {scale * min(seconds):.2f} s CPU for groups,")
    print(f"{scale * reading:.2f} s for tags, lemmas and features as numbers before ({len(words):,} words measured).")


if __name__ == "__main__":
    main()
