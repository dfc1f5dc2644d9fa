"""`check_tagger`: what a tagger must hold to, tried on a small text."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator

import numpy as np

from karat.errors import DataError
from karat.plugin.example_text import corpus_of, example_sentences
from karat.plugin.unregistered import reasons, unregistered
from karat.systems.model_file import model_bytes, model_from_bytes
from karat.systems.options import Options
from karat.systems.plugin_taggers import PluginTagger, TaggerPlugin, checked_tagger
from karat.systems.tagger import Tagger
from karat.systems.words import WordSequence, labelled_words, words_of

_SEED = 1
_NEW_WORDS = ("Unheard", "words", "42", "łąka")


def check_tagger(kind: type[Tagger], options: Options | None = None) -> list[str]:
    """What is wrong with a tagger; empty if nothing was found.

    It learns from a small text; the same seed gives the same tagger; tags are numbers of labels, probabilities are
    finite or -inf, and do not change the tags; words that it has never seen and a text without words can be tagged; the
    tagger that was kept in a file tags as before; `options()` is plain data, and options can be sent to other
    processes.
    """
    try:
        plugin = checked_tagger(unregistered("system", str(getattr(kind, "system", "")), kind))
        with plugin.plugin.calling():
            chosen = kind.options_type() if options is None else options
        return list(dict.fromkeys(_faults(plugin, chosen)))
    except DataError as error:
        return reasons(error)


def _faults(plugin: TaggerPlugin, options: Options) -> Iterator[str]:
    text = labelled_words(corpus_of(example_sentences()), "upos")
    before = text.label_ids.copy()
    tagger, again = (plugin.trained(text, "upos", options, _SEED, None) for _ in range(2))
    if not np.array_equal(text.label_ids, before):
        yield "training changes the text that it learns from"
    new = WordSequence(_NEW_WORDS, np.array([0, 1, 2, 3, 1], dtype=np.int32), np.array([0, 3, 5]))
    nothing = WordSequence([], np.zeros(0, dtype=np.int32), np.array([0]))
    for words in (words_of(corpus_of(example_sentences())), new, nothing):
        if not _tag_alike(tagger, again, words):
            yield "the same seed makes a different tagger"
        if not np.array_equal(tagger.tag(words), tagger.tagging(words, with_probabilities=True).tags):
            yield "tags differ with and without probabilities"
        kept = model_from_bytes(model_bytes(tagger.parts()))
        if not _tag_alike(tagger, plugin.from_parts(kept, "upos", tagger.labels), words):
            yield "the saved tagger tags differently"
    try:
        json.dumps(dict(tagger.options()))
    except (TypeError, ValueError):
        yield "'options' are not plain data"
    with plugin.plugin.calling():
        if pickle.loads(pickle.dumps(options)) != options:
            yield "options change when they are pickled"
    if type(tagger.options_of_parts()) is not type(options):
        yield "'options_of_parts' are of another type"


def _tag_alike(one: PluginTagger, other: PluginTagger, words: WordSequence) -> bool:
    ours, theirs = (each.tagging(words, with_probabilities=True) for each in (one, other))
    are_same = np.array_equal(ours.tags, theirs.tags)
    return are_same and np.allclose(ours.log_probabilities, theirs.log_probabilities)
