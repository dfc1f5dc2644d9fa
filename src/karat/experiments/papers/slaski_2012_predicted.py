"""Sentences as a tagger sees them: tags of a perceptron that has not learnt from them, and lemmas looked up.

Atterer & Schütze (2007) object to attachment that is evaluated with gold tags and gold phrases.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from karat._arrays import Flags
from karat.corpus import Corpus
from karat.corpus.chosen_sentences import chosen_sentences
from karat.systems.options import PerceptronOptions
from karat.systems.training import trained_tagger
from karat.systems.words import labelled_words

N_TAGGED = 3  # parts; each is tagged after learning from all other sentences


def predicted_tags(corpus: Corpus, whole: Corpus, seed: int) -> bytes:
    """The sentences in CoNLL-U with predicted tags and lemmas, and their heads.

    `whole` has the tagger's training text; copies of a sentence are left out of it. A lemma is the most frequent one of
    the form with the tag in training; that of an unknown pair is the form in lower case.
    """
    assert corpus.heads is not None
    parts = np.random.default_rng([seed, 2007]).permutation(corpus.n_sentences) % N_TAGGED
    texts, own = _texts(whole), _texts(corpus)
    forms, heads, bounds = corpus.column("form").strings(), corpus.heads.tolist(), corpus.sentence_offsets.tolist()
    tags, lemmas = [""] * len(forms), [""] * len(forms)
    for part in range(N_TAGGED):
        chosen = np.flatnonzero(parts == part)
        held_out = {own[one] for one in chosen.tolist()}
        training: Flags = np.array([one not in held_out for one in texts], dtype=np.bool_)
        learnt = chosen_sentences(whole, np.flatnonzero(training))
        lexicon = _lexicon(learnt)
        tagger = trained_tagger(labelled_words(learnt, "xpos"), "xpos", PerceptronOptions(), seed)
        testing = chosen_sentences(corpus, chosen)
        found = [tagger.labels[one] for one in tagger.tag(labelled_words(testing, "xpos").words).tolist()]
        places = [place for one in chosen.tolist() for place in range(bounds[one], bounds[one + 1])]
        for place, tag in zip(places, found, strict=True):
            tags[place] = tag
            lemmas[place] = lexicon.get((forms[place], tag), forms[place].lower())
    lines = []
    for first, stop in itertools.pairwise(bounds):
        for place in range(first, stop):
            cells = (
                place - first + 1,
                forms[place],
                lemmas[place],
                "_",
                tags[place],
                "_",
                heads[place],
                "dep",
                "_",
                "_",
            )
            lines.append("\t".join(map(str, cells)) + "\n")
        lines.append("\n")
    return "".join(lines).encode()


def _texts(corpus: Corpus) -> list[tuple[str, ...]]:
    forms, bounds = corpus.column("form").strings(), corpus.sentence_offsets.tolist()
    return [tuple(forms[a:b]) for a, b in itertools.pairwise(bounds)]


def _lexicon(corpus: Corpus) -> dict[tuple[str, str], str]:
    """The most frequent lemma of each form with its tag."""
    columns = (corpus.column(name).strings() for name in ("form", "xpos", "lemma"))
    counts = Counter(zip(*columns, strict=True))
    found: dict[tuple[str, str], str] = {}
    for (form, tag, lemma), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        found.setdefault((form, tag), lemma)
    return found
