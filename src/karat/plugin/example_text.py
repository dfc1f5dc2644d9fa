"""Text on which plug-ins are checked: some sentences with all columns, and random systems that get some of it wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.corpus import Corpus, conllu_from_source, source_from_bytes

_SENTENCES = """
The/the/DET/DT/Definite=Def old/old/ADJ/JJ/Degree=Pos oak/oak/NOUN/NN/Number=Sing grows/grow/VERB/VBZ/Tense=Pres slowly/slowly/ADV/RB/_
Birds/bird/NOUN/NNS/Number=Plur sing/sing/VERB/VBP/Tense=Pres in/in/ADP/IN/_ it/it/PRON/PRP/Person=3 ././PUNCT/./_
Look/look/VERB/VB/Mood=Imp
She/she/PRON/PRP/Person=3 has/have/AUX/VBZ/Tense=Pres seen/see/VERB/VBN/Tense=Past Adam/Adam/PROPN/NNP/Number=Sing twice/twice/ADV/RB/_
Two/two/NUM/CD/NumType=Card storms/storm/NOUN/NNS/Number=Plur broke/break/VERB/VBD/Tense=Past the/the/DET/DT/Definite=Def branches/branch/NOUN/NNS/Number=Plur
Nobody/nobody/PRON/NN/_ minds/mind/VERB/VBZ/Tense=Pres and/and/CCONJ/CC/_ nobody/nobody/PRON/NN/_ asks/ask/VERB/VBZ/Tense=Pres why/why/ADV/WRB/_ ?/?/PUNCT/./_
Yes/yes/INTJ/UH/_ !/!/PUNCT/./_
Winter/winter/NOUN/NN/Number=Sing came/come/VERB/VBD/Tense=Past early/early/ADV/RB/_ here/here/ADV/RB/_ ,/,/PUNCT/,/_
"""  # noqa: E501
_RELATIONS = ("nsubj", "obj", "obl", "det", "advmod", "punct")
COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


@dataclass(frozen=True, slots=True)
class _ExampleWord:
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int = 0
    deprel: str = "root"


_ExampleSentence = list[_ExampleWord]


def example_sentences() -> list[_ExampleSentence]:
    """The sentences, each with a tree."""
    rng = np.random.default_rng(0)
    lines = _SENTENCES.strip().splitlines()
    return [_with_tree([_word(*word.split("/")) for word in line.split()], rng) for line in lines]


def _word(form: str, lemma: str, upos: str, xpos: str, feats: str) -> _ExampleWord:
    return _ExampleWord(form, lemma, upos, xpos, feats)


def _with_tree(words: _ExampleSentence, rng: np.random.Generator) -> _ExampleSentence:
    """The words with a random tree over them."""
    order = rng.permutation(len(words)).tolist()
    found = list(words)
    for place, number in enumerate(order):
        head = order[int(rng.integers(place))] + 1 if place else 0
        relation = _RELATIONS[int(rng.integers(len(_RELATIONS)))] if place else "root"
        found[number] = replace(words[number], head=head, deprel=relation)
    return found


def random_system(sentences: Sequence[_ExampleSentence], rng: np.random.Generator) -> list[_ExampleSentence]:
    """What a system might say: some values are another word's, some trees others, some words cut in two."""
    every = [word for one in sentences for word in one]
    found = []
    for sentence in sentences:
        words: _ExampleSentence = []
        for word in sentence:
            changes = {
                name: getattr(every[int(rng.integers(len(every)))], name)
                for name in ("lemma", "upos", "xpos", "feats")
                if rng.random() < 0.3
            }
            other = replace(word, **changes)
            if len(word.form) > 3 and rng.random() < 0.1:
                words += [replace(other, form=word.form[:2]), replace(other, form=word.form[2:])]
            else:
                words.append(other)
        is_same = len(words) == len(sentence) and rng.random() < 0.5
        found.append(words if is_same else _with_tree(words, rng))
    return found


def corpus_of(sentences: Sequence[_ExampleSentence], without: Sequence[str] = ()) -> Corpus:
    """The sentences as a corpus; columns that it is to be `without` have `_` throughout."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence, start=1):
            values = {"lemma": word.lemma, "upos": word.upos, "xpos": word.xpos, "feats": word.feats}
            values |= {"head": str(word.head), "deprel": word.deprel, "deps": f"{word.head}:{word.deprel}", "misc": "_"}
            fields = ("_" if name in without else values[name] for name in COLUMNS)
            lines.append("\t".join((str(number), word.form, *fields)))
        lines.append("")
    return conllu_from_source(source_from_bytes("\n".join((*lines, "")).encode(), "example text"))
