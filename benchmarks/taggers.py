"""Taggers on EWT, UPOS: training and tagging beside NLTK's perceptron, NLTK's TnT and crfsuite's averaged perceptron.

Training is ten epochs of each, karat's default; NLTK's one is run once and counts ten times. Words and labels are in
memory, for crfsuite its features too, while karat's time has the features of forms in it. The epochs alone are what
eleven take beyond one: what comes before and after them, such as the features and the model's file, is in both. (NLTK
makes its features in every epoch.) Tagging is of EWT's test set, which no tagger has seen, forms as strings: karat
looks up forms and makes the features of new ones in that time. crfsuite's features are those that its users write: the
word, its neighbours, affixes, shape.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from _measuring import EWT, KARAT, Task, cold, comparison_table, difference, growth_table, measured, memory_table, warm

EPOCHS = 10
MOST_BYTES = 600e6
TRAIN, TEST = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"


@cache
def labelled(path: Path, n_words: int = 0) -> Any:
    """A treebank's words and UPOS; the first sentences, of about so many words, or as often as it takes."""
    import karat
    from karat.systems.words import labelled_words

    text = labelled_words(karat.read_conllu(path), "upos")
    if not n_words:
        return text
    times = -(-n_words // len(text.words))
    order = np.tile(np.arange(text.words.n_sentences), times)
    sizes = np.cumsum(np.diff(text.words.offsets)[order])
    return text.chosen(order[: int(np.searchsorted(sizes, n_words)) + 1])


@cache
def sentences(path: Path) -> list[list[tuple[str, str]]]:
    text = labelled(path)
    words = [text.words.forms[number] for number in text.words.ids.tolist()]
    labels = [text.labels[number] for number in text.label_ids.tolist()]
    both = list(zip(words, labels, strict=True))
    return [both[a:b] for a, b in zip(text.words.offsets[:-1].tolist(), text.words.offsets[1:].tolist(), strict=True)]


# ---- training --------------------------------------------------------------------------------------------------------


def karat_perceptron(n_words: str = "0", epochs: str = str(EPOCHS)) -> object:
    from karat.systems.options import PerceptronOptions
    from karat.systems.perceptron import Perceptron

    return Perceptron.trained(labelled(TRAIN, int(n_words)), "upos", PerceptronOptions(epochs=int(epochs)), 0)


def nltk_perceptron(epochs: str = "1") -> object:
    from nltk.tag.perceptron import PerceptronTagger

    tagger = PerceptronTagger(load=False)
    tagger.train([list(one) for one in sentences(TRAIN)], nr_iter=int(epochs))
    return tagger


def crfsuite_features(words: list[str], i: int) -> list[str]:
    word = words[i]
    found = [f"w={word}", f"l={word.lower()}", f"up={word.isupper()}", f"ti={word.istitle()}", f"d={word.isdigit()}"]
    found += [f"s{n}={word[-n:]}" for n in range(1, 5)] + [f"p{n}={word[:n]}" for n in range(1, 4)]
    for step in (-2, -1, 1, 2):
        found.append(f"{step}={words[i + step] if 0 <= i + step < len(words) else ''}")
    return found


@cache
def crfsuite_data(path: Path) -> list[tuple[list[list[str]], list[str]]]:
    found = []
    for sentence in sentences(path):
        words = [word for word, _ in sentence]
        found.append(([crfsuite_features(words, i) for i in range(len(words))], [label for _, label in sentence]))
    return found


def crfsuite_perceptron(epochs: str = str(EPOCHS)) -> object:
    import pycrfsuite

    trainer = pycrfsuite.Trainer("ap", {"max_iterations": int(epochs), "epsilon": 0.0}, verbose=False)
    for features, labels in crfsuite_data(TRAIN):
        trainer.append(features, labels)
    trainer.train("/tmp/karat-benchmark.crfsuite")
    return trainer


def crfsuite_without_training() -> object:
    """Handing the features over, which counts for nothing."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer("ap", {"max_iterations": EPOCHS}, verbose=False)
    for features, labels in crfsuite_data(TRAIN):
        trainer.append(features, labels)
    return trainer


# ---- tagging ---------------------------------------------------------------------------------------------------------


@cache
def trained(system: str) -> Any:
    import karat

    return karat.train(system, TRAIN, calibrate=False).tagger


def karat_tags(system: str) -> object:
    return trained(system).tag(labelled(TEST).words)


def karat_probabilities(system: str) -> object:
    return trained(system).probabilities(labelled(TEST).words, 0.001)


@cache
def nltk_trained() -> Any:
    return nltk_perceptron("1")


def nltk_tags() -> object:
    return [nltk_trained().tag([word for word, _ in one]) for one in sentences(TEST)]


@cache
def tnt_trained() -> Any:
    from nltk.tag.tnt import TnT

    tagger = TnT(C=True)
    tagger.train([list(one) for one in sentences(TRAIN)])
    return tagger


def tnt_tags() -> object:
    return [tnt_trained().tag([word for word, _ in one]) for one in sentences(TEST)]


TASKS = (
    karat_perceptron, nltk_perceptron, crfsuite_perceptron, crfsuite_without_training, karat_tags, karat_probabilities,
    nltk_tags, tnt_tags,
)  # fmt: skip


def epoch_table(nltk: Task) -> list[str]:
    """Ten epochs, without what comes before and after them."""
    of_each = (
        ("karat perceptron", karat_perceptron, ("0",)),
        ("crfsuite, averaged perceptron", crfsuite_perceptron, ()),
    )
    tasks = [
        warm(f"{label}, {epochs} epochs", function, 4, *before, epochs)
        for label, function, before in of_each
        for epochs in (EPOCHS + 1, 1)
    ]
    karat_more, karat_one, crfsuite_more, crfsuite_one = measured(tasks, 4)  # differences need good minima
    return comparison_table(
        f"The epochs alone, {EPOCHS} of them, warm",
        [
            difference("karat perceptron", karat_more, karat_one),
            nltk,
            difference("crfsuite, averaged perceptron", crfsuite_more, crfsuite_one, goal=3),
        ],
    )


def tables(folder: Path) -> list[str]:
    training = measured(
        [
            warm("karat perceptron", karat_perceptron, 2),
            warm("NLTK PerceptronTagger", nltk_perceptron, 1, goal=30, times=EPOCHS),
            warm("crfsuite, averaged perceptron", crfsuite_perceptron, 1, goal=3),
            warm("crfsuite, only handing over features", crfsuite_without_training, 1),
        ],
        2,
    )
    lines = comparison_table(f"Train a tagger on EWT train (204,585 words), {EPOCHS} epochs, warm", training)
    lines += memory_table("The same in less than 600 MB", training[0], MOST_BYTES)
    lines += epoch_table(training[1])
    tagging = measured(
        [warm("karat perceptron", karat_tags, 5, "perceptron"), warm("NLTK PerceptronTagger", nltk_tags, 1, goal=10)], 3
    )
    lines += comparison_table("Tag EWT test (25,096 words), warm", tagging)
    hmm = measured([warm("karat hmm", karat_tags, 5, "hmm"), warm("NLTK TnT", tnt_tags, 1, goal=20)], 3)
    lines += comparison_table("Tag EWT test with a hidden Markov model, warm", hmm)
    more = [warm(name, karat_probabilities, 5, name) for name in ("perceptron", "hmm")]
    lines += growth_table("Probabilities of EWT test, warm", "tagger", measured(more, 3))
    sizes = (100_000, 400_000, 1_600_000)
    grown = [warm(f"{size:,}", karat_perceptron, 1, size, 2) for size in sizes]
    lines += growth_table("Growth: training, two epochs, warm", "words", measured(grown, 2))
    model = folder / "tagger.karat"
    shell = [cold("karat train perceptron", *KARAT, "train", "perceptron", TRAIN, "-o", model, "--no-calibration")]
    shell.append(cold("karat tag", *KARAT, "tag", "-m", model, TEST, "-o", folder / "tagged.conllu"))
    return lines + growth_table(
        "From the shell: ten epochs on EWT train, then EWT test, process start included", "command", measured(shell, 3)
    )
