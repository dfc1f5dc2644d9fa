"""Counts, signals and what is left out agree with loops written straight from the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import realdata
from attachment_reference import WordnetOf, sentences_of, signals_by_loops
from karat._ragged import offsets_of
from karat.corpus import read
from karat.errors import UsageError
from karat.hierarchy import hierarchy_from_edges
from karat.hierarchy.wordnet import read_wordnet
from karat.systems.attachment.counting import counts_of_features
from karat.systems.attachment.object_columns import columns_of_objects, joined_columns
from karat.systems.attachment.signals import no_copies, parts_of_pairs, signal_names, signals
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.wordnet_classes import WordnetClasses, read_wordnet_classes, wordnet_classes
from karat.systems.groups.syntactic_objects import SyntacticObjects, single_words
from karat.systems.groups.tagged_words import AGREEING, TaggedWords, Values, tagged_words

LEMMAS = ("cat", "Dog", "in", "see", "red", "oak")
POS = ("NOUN", "VERB", "ADP", "ADJ", "PUNCT", "X")
EDGES = [("a-n", "b-n"), ("a-n", "c-n"), ("b-n", "d-n"), ("c-n", "d-n"), ("d-n", "e-n"), ("b-n", "f-n"), ("p-v", "q-v")]
SYNSETS = [*(f"{one}-n" for one in "abcdef"), "p-v", "q-v"]
ROWS = [("cat", "d-n"), ("cat", "f-n"), ("dog", "e-n"), ("dog", "q-v"), ("see", "q-v"), ("oak", "b-n"), ("red", "r-a")]
ROWS += [("red", "c-n"), ("in", "a-n"), ("two words", "a-n")]
WORDNET = wordnet_classes(hierarchy_from_edges(SYNSETS, EDGES), ROWS, signed="small")


def small_wordnet(tagset: str) -> WordnetOf:
    parents: dict[str, list[str]] = {}
    for parent, child in EDGES:
        parents.setdefault(child, []).append(parent)
    senses: dict[tuple[str, str], list[str]] = {}
    for lemma, synset in ROWS:
        senses.setdefault((lemma, synset[-1]), []).append(synset)
    return WordnetOf(parents, senses, tagset)


@st.composite
def texts(draw: st.DrawFn, *, tagset: str = "ud") -> SyntacticObjects:
    """A few short sentences, some of them the same words with other tags; objects of one or two words."""
    sizes = draw(st.lists(st.integers(0, 5), max_size=6))
    n = sum(sizes)

    def values(names: tuple[str, ...]) -> Values:
        ids = draw(st.lists(st.integers(-1, len(names) - 1), min_size=n, max_size=n))
        return Values(np.array(ids, dtype=np.int32), names)

    forms = Values(np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), dtype=np.int32), ("x", "y"))
    pos = values(POS)
    words = TaggedWords(
        forms,
        values(LEMMAS),
        pos,
        {one: values(("p", "q")) for one in AGREEING},
        pos.ids == POS.index("PUNCT"),
        offsets_of(sizes),
        tagset,
        True,
        0,
    )
    alone = single_words(words)
    beside = draw(st.lists(st.sampled_from((-1, 0, 1)), min_size=len(alone), max_size=len(alone)))
    first, last = (
        np.repeat(alone.offsets[:-1], np.diff(alone.offsets)),
        np.repeat(alone.offsets[1:], np.diff(alone.offsets)),
    )
    others = np.clip(np.arange(len(alone)) + np.array(beside, dtype=np.intp), first, last - 1)
    return replace(alone, semantic=alone.semantic.take(others))


def statistics(text: SyntacticObjects, wordnet: WordnetClasses | None) -> CooccurrenceStatistics:
    return CooccurrenceStatistics(columns_of_objects(text), text.words.tagset, True, wordnet=wordnet)


def assert_same(found: np.ndarray, expected: list[list[float]], names: tuple[str, ...]) -> None:
    wanted = np.array(expected, dtype=np.float64).reshape(found.shape)
    for column, name in enumerate(names):
        np.testing.assert_allclose(found[:, column], wanted[:, column], rtol=1e-5, atol=1e-5, err_msg=name)


@settings(max_examples=150)
@given(texts(), texts(), st.booleans(), st.sampled_from(("ud", "nkjp", "pdt")))
def test_signals_agree_with_recounting_the_other_sentences(
    counted: SyntacticObjects, asked: SyntacticObjects, has_wordnet: bool, tagset: str
) -> None:
    counted, asked = (replace(one, words=replace(one.words, tagset=tagset)) for one in (counted, asked))
    of = statistics(counted, WORDNET if has_wordnet else None)
    found = signals(of, asked)
    loops = sentences_of(counted), sentences_of(asked), small_wordnet(tagset) if has_wordnet else None
    assert_same(found.matrix, signals_by_loops(*loops, of.threshold, recount=True), found.names)
    assert found.names == signal_names(of.features)
    assert len(found.names) == (86 if has_wordnet else 68)


@settings(max_examples=50)
@given(texts(), texts())
def test_nothing_is_left_out_on_demand(counted: SyntacticObjects, asked: SyntacticObjects) -> None:
    of = statistics(counted, WORDNET)
    found = signals(of, asked, leave_own_out=False)
    loops = sentences_of(counted), sentences_of(asked), small_wordnet("ud")
    wanted = signals_by_loops(*loops, of.threshold, recount=True, leave_own_out=False)
    assert_same(found.matrix, wanted, found.names)


@settings(max_examples=50)
@given(texts(), texts(), texts())
def test_texts_count_the_same_alone_and_joined(
    first: SyntacticObjects, second: SyntacticObjects, asked: SyntacticObjects
) -> None:
    joined = joined_columns([columns_of_objects(first), columns_of_objects(second)])
    of = CooccurrenceStatistics(joined, "ud", True, wordnet=WORDNET)
    loops = [*sentences_of(first), *sentences_of(second)], sentences_of(asked), small_wordnet("ud")
    found = signals(of, asked)
    assert_same(found.matrix, signals_by_loops(*loops, of.threshold, recount=True), found.names)


@settings(max_examples=50)
@given(texts(), st.booleans())
def test_tables_are_consistent(text: SyntacticObjects, leaves_out: bool) -> None:
    """O ≤ R, O ≤ C and R + C − O ≤ N; with nothing left out, N is all that was observed."""
    of = statistics(text, WORDNET)
    asked = columns_of_objects(text)
    copies = of.copies(asked.hashes) if leaves_out else no_copies(asked.n_sentences)
    for counts in counts_of_features(of, asked):
        for pairs in parts_of_pairs(asked.offsets, copies, asked.offsets):
            table = counts.contingency(pairs)
            assert (table.observed >= 0).all()
            assert (table.observed <= np.minimum(table.left_totals, table.right_totals)).all()
            assert (table.left_totals + table.right_totals - table.observed <= table.totals).all()
            assert leaves_out or (table.totals == counts.sizes[2]).all()


def _some_sentences(words: TaggedWords, start: int, n: int) -> SyntacticObjects:
    """The single words of some sentences."""
    offsets = words.sentence_offsets[start : start + n + 1]
    part = slice(int(offsets[0]), int(offsets[-1]))

    def cut(values: Values) -> Values:
        return Values(values.ids[part], values.names)

    return single_words(
        replace(
            words,
            forms=cut(words.forms),
            lemmas=cut(words.lemmas),
            pos=cut(words.pos),
            agreeing={name: cut(one) for name, one in words.agreeing.items()},
            punctuation=words.punctuation[part],
            sentence_offsets=offsets - offsets[0],
        )
    )


def _wordnet_of_files(lemmas: str | None, tagset: str) -> WordnetOf:
    hierarchy = read_wordnet(realdata.wordnet())
    parents: dict[str, list[str]] = {}
    for parent, child in zip(hierarchy.edge_parents.tolist(), hierarchy.children.tolist(), strict=True):
        parents.setdefault(hierarchy.names[child], []).append(hierarchy.names[parent])
    senses: dict[tuple[str, str], list[str]] = {}
    if lemmas is None:
        for part, name in (("n", "noun"), ("v", "verb"), ("a", "adj")):
            for line in (realdata.wordnet() / f"index.{name}").read_text().splitlines():
                if not line.startswith(" "):
                    cells = line.split()
                    senses[cells[0], part] = [f"{one}-{part}" for one in cells[-int(cells[2]) :]]
    else:
        for line in realdata.data(lemmas).read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                synset, _, lemma = line.split("\t")
                senses.setdefault((lemma.lower(), synset[-1]), []).append(synset)
    return WordnetOf(parents, senses, tagset)


@pytest.mark.parametrize(
    ("treebank", "lemmas", "tagset", "n_asked"),
    [
        ("ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu", "plwordnet/wn-data-pol.tab", "nkjp", 8),
        ("ud-2.3/UD_English-EWT/en_ewt-ud-dev.conllu", None, "ud", 2),
    ],
)
def test_signals_of_real_sentences_agree_with_loops(
    treebank: str, lemmas: str | None, tagset: str, n_asked: int
) -> None:
    words = tagged_words(read(realdata.data(treebank)), tagset=tagset)
    counted, asked = _some_sentences(words, 0, 100), _some_sentences(words, 95, n_asked)
    wordnet = read_wordnet_classes(realdata.wordnet(), None if lemmas is None else realdata.data(lemmas))
    of = statistics(counted, wordnet)
    found = signals(of, asked)
    loops = sentences_of(counted), sentences_of(asked), _wordnet_of_files(lemmas, tagset)
    assert_same(found.matrix, signals_by_loops(*loops, of.threshold, recount=False), found.names)
    assert np.count_nonzero(found.column("hypernym-hypernym.z-score"))


def test_text_with_tags_of_another_tagset_is_refused() -> None:
    empty = np.zeros(0, dtype=np.int32)
    none = Values(empty, ())
    words = TaggedWords(
        none, none, none, dict.fromkeys(AGREEING, none), np.zeros(0, np.bool_), np.zeros(1, np.intp), "nkjp", True, 0
    )
    text = single_words(words)
    assert len(signals(statistics(text, WORDNET), text)) == 0
    with pytest.raises(UsageError, match="tags of nkjp"):
        signals(statistics(text, None), replace(text, words=replace(words, tagset="ud")))
