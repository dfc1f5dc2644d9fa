"""Small treebanks with UD's file names, for tests of experiments."""

from __future__ import annotations

from pathlib import Path
from random import Random

from examples import conllu, sentence

__all__ = ["PARTS", "small_treebank", "small_treebanks"]

PARTS = {"train": 60, "dev": 8, "test": 20}
WORDS = {
    "DET": ["the", "a", "some"],
    "NOUN": ["oak", "ash", "saw", "leaf", "run", "well", "light"],
    "VERB": ["grows", "saw", "run", "falls", "light"],
    "ADV": ["well", "slowly", "here"],
}
SHAPES = ["DET NOUN VERB", "NOUN VERB ADV", "DET NOUN VERB DET NOUN", "ADV VERB NOUN"]


def small_treebank(folder: Path, seed: int, *, parts: dict[str, int] | None = None) -> str:
    """A treebank of random sentences with ambiguous words; some words are annotated as another treebank would not."""
    folder.mkdir(parents=True)
    random = Random(seed)
    for part, n_sentences in (parts or PARTS).items():
        sentences = []
        for number in range(n_sentences):
            tags = random.choice(SHAPES).split()
            words = [f"{random.choice(WORDS[tag])}/{_label(tag, random, seed)}" for tag in tags]
            new = f"{part}-{number}" if number % 5 == 0 else None
            sentences.append(sentence(*words, sent_id=f"{part}-{seed}-{number}", newdoc=new))
        conllu(folder / f"xx_{folder.name.lower()}-ud-{part}.conllu", *sentences)
    return str(folder)


def _label(tag: str, random: Random, seed: int) -> str:
    return "ADJ" if tag == "ADV" and random.random() < 0.2 * (seed % 3) else tag


def small_treebanks(folder: Path) -> list[str]:
    """Two treebanks to train and test on, and one that is only tested on."""
    found = [small_treebank(folder / f"UD_Tree-{name}", seed) for name, seed in (("Oak", 1), ("Ash", 2))]
    return [*found, small_treebank(folder / "UD_Tree-Elm", 3, parts={"test": 15})]
