"""Transformation-based learning on EWT, XPOS, beside NLTK's: the 24 templates of Brill 1995, the same threshold.

Both start from the same initial tags, the likeliest of each form, and may give a word any tag, as NLTK does; no rule
asks for the edge of a sentence. karat's own tagger asks for edges, too, and only gives tags that the form can have: a
second line. Words and initial tags are in memory.
"""

from __future__ import annotations

import itertools
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from _measuring import EWT, Task, comparison_table, growth_table, measured, peak_memory, warm

THRESHOLD = 4
TRAIN, TEST = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"
BRILL24 = (
    *("t-1", "t+1", "t-2", "t+2", "t-2|-1", "t+1|+2", "t-3|-2|-1", "t+1|+2|+3"),
    *("t-1 & t+1", "t-2 & t-1", "t+1 & t+2"),
    *("form-1", "form+1", "form-2", "form+2", "form-2|-1", "form+1|+2", "form-1|0", "form0|+1", "form0"),
    *("form-1 & t-1", "form+1 & t+1", "form0 & form-1 & t-1", "form0 & form+1 & t+1"),
)


@cache
def labelled(path: Path, n_sentences: int = 0) -> Any:
    """A treebank's words and XPOS; the first sentences, if so many are asked for."""
    import karat
    from karat.systems.words import labelled_words

    text = labelled_words(karat.read_conllu(path), "xpos")
    return text.chosen(np.arange(n_sentences)) if n_sentences else text


@cache
def lexicon(n_sentences: int = 0) -> Any:
    from karat.systems.lexical import lexical_model

    return lexical_model(labelled(TRAIN, n_sentences), None, "xpos")


@cache
def initial(path: Path, n_sentences: int = 0) -> Any:
    """The likeliest tag of each form of a text, by the training text; rows are forms."""
    from karat.systems.lexical import likeliest

    of = labelled(path, n_sentences if path == TRAIN else 0)
    return likeliest(lexicon(n_sentences).of(of.words.forms))


# ---- training --------------------------------------------------------------------------------------------------------


def karat_rules(n_sentences: str = "0", candidates: str = "any") -> Any:
    """What karat learns: the rules, their grammar and the values of features."""
    from karat.systems.transformation_learning import learnt_rules
    from karat.systems.transformation_presets import feature_values
    from karat.systems.transformations import LabelParts, Notation, TransformationGrammar

    n = int(n_sentences)
    text = labelled(TRAIN, n)
    values = feature_values(text.words, ["form"], THRESHOLD)
    grammar = TransformationGrammar(Notation(("t -> t",), BRILL24, ("form",)), LabelParts(text.labels))
    if candidates == "any":
        grammar.arrays[0][:, -1] = -1  # the edge has no value
    state = state_of(text.words, n, values, TRAIN, candidates)
    return learnt_rules(state, text.label_ids, grammar, THRESHOLD), grammar, values


def state_of(words: Any, n: int, values: list[list[str]], path: Path, candidates: str) -> Any:
    from karat._ragged import Ragged, offsets_of
    from karat.systems.brill import likely_candidates
    from karat.systems.transformation_learning import tag_state
    from karat.systems.transformation_presets import feature_columns

    n_labels, tags = len(labelled(TRAIN, n).labels), initial(path, n)
    every = Ragged(
        offsets_of(np.full(len(words.forms), n_labels)), np.tile(np.arange(n_labels), len(words.forms)), None
    )
    of_forms = every if candidates == "any" else likely_candidates(lexicon(n).of(words.forms))
    columns = feature_columns(words, ["form"], values)
    return tag_state(words.offsets, tags[words.ids], of_forms.taken(words.ids.astype(np.intp)), columns, n_labels)


def karat_accuracy(n_sentences: str = "0", candidates: str = "any") -> float:
    """The share of EWT test that karat's rules tag right."""
    from karat.systems.transformation_learning import apply_rules

    rules, grammar, values = karat_rules(n_sentences, candidates)
    text = labelled(TEST)
    state = state_of(text.words, int(n_sentences), values, TEST, candidates)
    apply_rules(state, rules, grammar)
    found = np.array(grammar.tags.labels)[state.tags[state.places]]
    return float((found == np.array(text.labels)[text.label_ids]).mean())


@cache
def sentences(path: Path, n_sentences: int = 0) -> list[list[tuple[str, str]]]:
    text = labelled(path, n_sentences)
    words = [text.words.forms[number] for number in text.words.ids.tolist()]
    labels = [text.labels[number] for number in text.label_ids.tolist()]
    both, offsets = list(zip(words, labels, strict=True)), text.words.offsets.tolist()
    return [both[a:b] for a, b in itertools.pairwise(offsets)]


def nltk_rules(n_sentences: str = "0") -> Any:
    """What NLTK learns: a tagger."""
    from nltk.tag import UnigramTagger
    from nltk.tag.brill import Template, brill24
    from nltk.tag.brill_trainer import BrillTaggerTrainer

    n = int(n_sentences)
    labels = labelled(TRAIN, n).labels
    first: dict[str, str] = {}
    for path, size in ((TEST, 0), (TRAIN, n)):
        tags = initial(path, n).tolist()
        first |= dict(zip(labelled(path, size).words.forms, (labels[tag] for tag in tags), strict=True))
    Template._cleartemplates()
    trainer = BrillTaggerTrainer(UnigramTagger(model=first), brill24())
    return trainer.train(sentences(TRAIN, n), max_rules=100_000, min_score=THRESHOLD)


# ---- tagging ---------------------------------------------------------------------------------------------------------


@cache
def tagger() -> Any:
    """karat's own tagger, as it comes."""
    from karat.systems.brill import Brill
    from karat.systems.options import BrillOptions

    return Brill.trained(labelled(TRAIN), "xpos", BrillOptions())


def karat_brill_tags() -> object:
    return tagger().tag(labelled(TEST).words)


TASKS = (karat_rules, nltk_rules, karat_brill_tags)


def tables(_: Path) -> list[str]:
    ours, restricted = measured(
        [
            warm("karat, any tag", karat_rules, 3, 0, "any"),
            warm("karat, tags that forms can have", karat_rules, 3, 0, "forms"),
        ],
        2,
    )
    sentences(TRAIN)
    start = time.process_time()  # in this process, so that the tagger that took minutes is there to be tried
    nltk = nltk_rules()
    theirs = Task("NLTK BrillTaggerTrainer, once", [], is_warm=True, goal=20)
    theirs.seconds, theirs.peak = [time.process_time() - start], peak_memory()
    what = f"EWT train (204,585 words, XPOS), Brill's 24 templates, threshold {THRESHOLD}"
    lines = comparison_table(f"Learn transformations on {what}, warm", [ours, theirs, restricted])
    lines += [
        f"Accuracy on EWT test: karat {karat_accuracy():.2%} ({len(karat_rules()[0])} rules), "
        f"NLTK {nltk.accuracy(sentences(TEST)):.2%} ({len(nltk.rules())} rules); "
        f"karat with tags that forms can have {karat_accuracy('0', 'forms'):.2%}.",
        "",
    ]
    tagging = measured([warm(f"{len(tagger().phases[0].rules)}", karat_brill_tags, 5)], 2)
    return lines + growth_table("Tag EWT test (25,096 words) with karat brill, warm", "rules", tagging)
