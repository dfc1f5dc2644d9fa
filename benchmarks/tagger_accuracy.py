"""How accurate karat's taggers are: on every treebank with a train part, and on the French block of a paper's table.

    python benchmarks/tagger_accuracy.py [--output docs/tagger-accuracy.md]

UPOS, trained on train, tested on test; the perceptron's figure is the mean of three seeds. Beside it stands NLTK's
PerceptronTagger (five epochs, its default, seed 0). Then Table 1 of Wisniewski & Yvon 2019: error rates with the
feature set `paper`, mean of three seeds, beside the print (ten training sessions).
"""

from __future__ import annotations

import argparse
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import karat
from _measuring import DATA
from karat.systems.calibration import expected_calibration_error
from karat.systems.tagger import Tagger
from karat.systems.words import LabelledWords, labelled_words

UD = DATA / "ud-2.3"
SEEDS = (0, 1, 2)
FRENCH = {  # Wisniewski & Yvon 2019, Table 1: error rates in %
    "Sequoia": {"GSD": 7.5, "ParTUT": 8.4, "SRCMF": 48.0, "Sequoia": 4.0, "Spoken": 19.3, "PUD": 13.6},
    "ParTUT": {"GSD": 10.9, "ParTUT": 5.9, "SRCMF": 55.7, "Sequoia": 11.3, "Spoken": 22.9, "PUD": 15.8},
    "Spoken": {"GSD": 30.3, "ParTUT": 25.7, "SRCMF": 51.8, "Sequoia": 29.5, "Spoken": 7.9, "PUD": 30.1},
}


def part_of(folder: Path, part: str) -> Path:
    (found,) = folder.glob(f"*-ud-{part}.conllu")
    return found


def read(path: Path) -> LabelledWords:
    return labelled_words(karat.read_conllu(path), "upos")


def right_labels(tagger: Tagger, test: LabelledWords) -> Any:
    number = {label: place for place, label in enumerate(tagger.labels)}
    return np.array([number.get(label, -1) for label in test.labels])[test.label_ids]


def accuracy(tagger: Tagger, test: LabelledWords) -> float:
    return float((tagger.tag(test.words) == right_labels(tagger, test)).mean())


def sentences(text: LabelledWords) -> list[list[tuple[str, str]]]:
    words = [text.words.forms[number] for number in text.words.ids.tolist()]
    labels = [text.labels[number] for number in text.label_ids.tolist()]
    bounds = text.words.offsets.tolist()
    every = list(zip(words, labels, strict=True))
    return [every[a:b] for a, b in pairwise(bounds)]


def nltk_accuracy(train: LabelledWords, test: LabelledWords) -> float:
    from nltk.tag.perceptron import PerceptronTagger

    random.seed(0)  # it shuffles sentences
    tagger = PerceptronTagger(load=False)
    tagger.train(sentences(train))
    right = [
        found == label
        for sentence in sentences(test)
        for (_, found), (_, label) in zip(tagger.tag([word for word, _ in sentence]), sentence, strict=True)
    ]
    return float(np.mean(right))


def treebanks() -> list[str]:
    lines = [
        "## Treebanks",
        "",
        "UPOS accuracy on test in %; the perceptron with the mean of three seeds. *ECE* is the expected calibration",
        "error of karat's probabilities on test, in points (perceptron: seed 0).",
        "",
        "| treebank | perceptron | NLTK | hmm | order 1 | most-frequent | with suffixes | ECE perceptron | ECE hmm |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for folder in sorted(UD.iterdir()):
        if not list(folder.glob("*-ud-train.conllu")):
            continue
        train, test = part_of(folder, "train"), read(part_of(folder, "test"))
        perceptron = [karat.train("perceptron", train, seed=seed, calibrate=seed == 0).tagger for seed in SEEDS]
        hmm = karat.train("hmm", train).tagger
        others = [
            karat.train("hmm", train, options={"order": 1}, calibrate=False).tagger,
            karat.train("most-frequent", train, calibrate=False).tagger,
            karat.train("most-frequent", train, options={"suffixes": True}, calibrate=False).tagger,
        ]
        figures = [float(np.mean([accuracy(one, test) for one in perceptron])), nltk_accuracy(read(train), test)]
        figures += [accuracy(one, test) for one in (hmm, *others)]
        figures += [error(one, test) for one in (perceptron[0], hmm)]
        lines.append(f"| {folder.name} | " + " | ".join(f"{100 * one:.2f}" for one in figures) + " |")
    return lines


def error(tagger: Tagger, test: LabelledWords) -> float:
    probabilities = tagger.probabilities(test.words)
    first = probabilities.offsets[:-1]
    assert probabilities.weights is not None
    is_right = probabilities.values[first] == right_labels(tagger, test)
    return expected_calibration_error(probabilities.weights[first], is_right)


def french() -> list[str]:
    tests = {name: UD / f"UD_{'Old_' if name == 'SRCMF' else ''}French-{name}" for name in FRENCH["Sequoia"]}
    lines = [
        "## Table 1 of Wisniewski & Yvon 2019, its French block as far as the data go",
        "",
        "Error rates in %, `--features paper`, mean of three seeds; the print in brackets.",
        "",
        "| train | " + " | ".join(tests) + " |",
        "|---|" + "---:|" * len(tests),
    ]
    distances = []
    for name, printed in FRENCH.items():
        train = part_of(UD / f"UD_French-{name}", "train")
        taggers = [
            karat.train("perceptron", train, options={"features": "paper"}, seed=seed, calibrate=False).tagger
            for seed in SEEDS
        ]
        cells = []
        for test, folder in tests.items():
            text = read(part_of(folder, "test"))
            wrong = 100 * (1 - float(np.mean([accuracy(one, text) for one in taggers])))
            distances.append(wrong - printed[test])
            cells.append(f"{wrong:.1f} ({printed[test]:.1f})")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    mean, signed = float(np.mean(np.abs(distances))), float(np.mean(distances))
    return [*lines, "", f"Mean distance from the print: {mean:.2f} points ({signed:+.2f} with its sign), 18 cells."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="write the page to this file too")
    arguments = parser.parse_args()
    made = "Made by `python benchmarks/tagger_accuracy.py --output docs/tagger-accuracy.md`."
    head = ["# How accurate karat's taggers are", "", made]
    text = "\n".join([*head, "", *treebanks(), "", *french()]) + "\n"
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
