"""P(tag | form) beside its definition, and the dictionaries that it looks into."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat._ragged import Ragged
from karat.errors import DataError, UsageError
from karat.systems.categories import tag_categories
from karat.systems.dictionaries import ListedDictionary, MorfeuszDictionary, labels_of_forms, with_lexicon_labels
from karat.systems.lexical import LexicalModel, jackknifed, lexical_model
from karat.systems.suffixes import suffixes_of
from karat.systems.words import LabelledWords, WordSequence, labelled_words
from karat.tagsets.morfeusz import _analyser
from realdata import data

LABELS = ("N", "V", "D", "X")
FORMS = ("the", "dog", "runs", "Run", "fast", "7", "Rover", "dogs")
SOME_FORMS = (*FORMS, "new", "9", "New", "the")
DICTIONARY = {"dog": ("N", "V"), "runs": ("N", "V"), "dogs": ("N", "V"), "7": ("X",), "9": ("X",), "New": ("D", "N")}

sentences = st.lists(
    st.lists(st.tuples(st.sampled_from(FORMS), st.sampled_from(LABELS[:3])), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
)


def text_of(several: list[list[tuple[str, str]]]) -> LabelledWords:
    forms = list(dict.fromkeys(form for one in several for form, _ in one))
    ids = np.array([forms.index(form) for one in several for form, _ in one], dtype=np.int32)
    labels = np.array([LABELS.index(label) for one in several for _, label in one], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in several])])
    return LabelledWords(WordSequence(forms, ids, offsets), labels, LABELS)


def with_dictionary(text: LabelledWords, tags: dict[str, tuple[str, ...]]) -> LexicalModel:
    """The model that `lexical_model` makes with this dictionary, from a file."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
        file.write("".join(f"{form}\t{tag}\n" for form, several in tags.items() for tag in several))
        file.flush()
        return lexical_model(text, file.name, "upos")


def by_ending(text: LabelledWords, form: str) -> dict[int, float]:
    """The tags an ending allows, those below a thousandth of the likeliest left out."""
    (likely,) = suffixes_of(text).probabilities([form]).tolist()
    seen = {*text.label_ids.tolist()}
    kept = {tag: p for tag, p in enumerate(likely) if p >= 1e-3 * max(likely) and tag in seen}
    return {tag: p / sum(kept.values()) for tag, p in kept.items()}


def defined(text: LabelledWords, form: str, tags: dict[str, tuple[str, ...]] | None) -> dict[int, float]:
    """P(tag | form) straight from the definition in `lexical`'s docstring."""
    words = [(text.words.forms[w], int(t)) for w, t in zip(text.words.ids.tolist(), text.label_ids, strict=True)]
    known = Counter(tag for one, tag in words if one == form)
    in_dictionary = None if tags is None or form not in tags else frozenset(LABELS.index(tag) for tag in tags[form])
    if in_dictionary is None and not known and form[:1].isupper():
        known = Counter(tag for one, tag in words if one == form.lower())
    if tags is None:
        found = {tag: n / known.total() for tag, n in known.items()} if known else by_ending(text, form)
    elif in_dictionary is None:
        prior = by_ending(text, form)
        found = {tag: (known[tag] + prior.get(tag, 0.0)) / (known.total() + 1) for tag in {*known, *prior}}
    else:
        n_of_tag = Counter(tag for _, tag in words)
        share = {tag: max(n_of_tag[tag], 0.5) / len(words) for tag in in_dictionary}
        of_class: Counter[int] = Counter()
        for one, tag in words:
            if one in tags and frozenset(LABELS.index(each) for each in tags[one]) == in_dictionary:
                of_class[tag] += 1
        prior = {
            tag: (of_class[tag] + 2 * share.get(tag, 0.0) / sum(share.values())) / (of_class.total() + 2)
            for tag in {*of_class, *in_dictionary}
        }
        trust = 0.0 if known else 0.9 if form[0].isdigit() else 0.05 if form[0].isupper() else 0.0
        ending = by_ending(text, form) if trust else {}
        mixed = {t: (1 - trust) * prior.get(t, 0.0) + trust * ending.get(t, 0.0) for t in {*prior, *ending}}
        found = {tag: (known[tag] + mixed.get(tag, 0.0)) / (known.total() + 1) for tag in {*known, *mixed}}
    return found


def row(of: Ragged, number: int) -> dict[int, float]:
    return of.weighted_row(number)


@settings(max_examples=40, deadline=None)
@given(sentences, st.booleans())
def test_the_probability_of_a_tag_given_a_form_is_as_defined(
    several: list[list[tuple[str, str]]], has_dictionary: bool
) -> None:
    text = text_of(several)
    model = with_dictionary(text, DICTIONARY) if has_dictionary else lexical_model(text, None, "upos")
    found = model.of(SOME_FORMS)
    for number, form in enumerate(SOME_FORMS):
        expected = defined(text, form, DICTIONARY if has_dictionary else None)
        assert row(found, number) == pytest.approx(expected, abs=1e-12), form
        assert sum(row(found, number).values()) == pytest.approx(1)


@settings(max_examples=20, deadline=None)
@given(sentences)
def test_words_of_a_block_are_judged_by_the_other_blocks(several: list[list[tuple[str, str]]]) -> None:
    text = text_of(several)
    n = len(several)
    found = jackknifed(text, None, "upos", n_blocks=n)
    place = 0
    for number, sentence in enumerate(several):
        others = text_of(several[:number] + several[number + 1 :]) if n > 1 else text
        for form, _ in sentence:
            assert row(found, place) == pytest.approx(row(lexical_model(others, None, "upos").of([form]), 0))
            place += 1


def test_tags_that_only_the_lexicon_has_can_be_given() -> None:
    text = text_of([[("dog", "N"), ("7", "N")]])
    assert with_lexicon_labels(text, None, "upos") is text
    few = LabelledWords(text.words, text.label_ids, ("N",))
    model = with_dictionary(with_dictionary_labels(few), DICTIONARY)
    assert model.labels == ("N", "V", "X", "D")
    assert {*model.of(["7"]).row(0).tolist()} == {0, 2}


def with_dictionary_labels(text: LabelledWords) -> LabelledWords:
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
        file.write("".join(f"{form}\t{tag}\n" for form, several in DICTIONARY.items() for tag in several))
        file.flush()
        return with_lexicon_labels(text, file.name, "upos")


def test_a_restriction_has_the_tags_of_dictionary_and_training_and_leaves_other_forms_free() -> None:
    model = with_dictionary(text_of([[("dog", "D"), ("Rover", "N")]]), DICTIONARY)
    found = model.restricted(["dog", "Rover", "dogs"])
    assert [found.row(number).tolist() for number in range(3)] == [[0, 1, 2], [], [0, 1]]


# ---- dictionaries ----------------------------------------------------------------------------------------------------


def test_morfeusz_lists_what_a_whole_form_can_be() -> None:
    dictionary = MorfeuszDictionary()
    assert {"subst:pl:nom:n:ncol", "fin:sg:ter:perf"} <= {*dictionary.tags_of("uda")}
    assert "praet:sg:m1:perf" in dictionary.tags_of("zrobił")
    assert dictionary.tags_of("xyzzyk") == ()
    assert labels_of_forms(dictionary, ["uda", "xyzzyk"], ["fin:sg:ter:perf"]) == [(0,), ()]


def test_without_morfeusz_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "morfeusz2", None)
    _analyser.cache_clear()
    with pytest.raises(UsageError, match=r"pip install 'karat\[polish\]'"):
        MorfeuszDictionary()


def test_a_listed_dictionary_is_kept_whole() -> None:
    dictionary = ListedDictionary({"dog": ("N", "V"), "7": ("X",)})
    kept = dictionary.parts()
    assert kept.texts == {"lexicon forms": ["dog", "7"], "lexicon tags": ["N", "V", "X"]}
    assert kept.arrays["lexicon offsets"].tolist() == [0, 2, 3]


def test_a_lexicon_without_the_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.conllu"
    path.write_text("1\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(DataError, match="no XPOS"):
        lexical_model(text_of([[("dog", "N")]]), str(path), "xpos")


def test_the_training_text_is_refused_as_its_own_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("oak\tN\ngrows\tV\n\nash\tN\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is the training text itself"):
        karat.train("hmm", path, options={"lexicon": str(path)})


# ---- categories ------------------------------------------------------------------------------------------------------


def test_labels_are_taken_apart_by_category() -> None:
    found = tag_categories(("subst:sg:nom:m1", "interp", "adj:sg:gen:f:pos"), "nkjp")
    named = {
        name: [found.values[k][v] if v >= 0 else None for v in found.table[:, k]] for k, name in enumerate(found.names)
    }
    assert named["pos"] == ["subst", "interp", "adj"]
    assert named["case"] == ["nom", None, "gen"]
    assert named["gender"] == ["m1", None, "f"]
    assert found.column("tense").tolist() == [-1, -1, -1]


def test_two_columns_are_one_tag_of_a_tagset_of_features() -> None:
    found = tag_categories(("NOUN Case=Nom|Number=Sing", "ADP _"), "ud")
    assert found.values[0] == ("NOUN", "ADP")
    assert (found.column("Case") >= 0).tolist() == [True, False]


def test_tags_outside_of_the_tagset_are_named() -> None:
    with pytest.raises(DataError, match="tags that are not in nkjp: NOUN"):
        tag_categories(("subst:sg:nom:m1", "NOUN"), "nkjp")


# ---- on real text ----------------------------------------------------------------------------------------------------


def test_the_gold_tag_is_nearly_always_among_the_candidates() -> None:
    train, test = (
        karat.read_conllu(data(f"ud-2.18/UD_Polish-PDB/pl_pdb-ud-{part}.conllu")) for part in ("dev", "test")
    )
    model = lexical_model(labelled_words(train, "xpos"), "morfeusz", "xpos")
    gold = labelled_words(test, "xpos")
    found = model.of(gold.words.forms)
    candidates = [{model.labels[label] for label in found.row(number)} for number in range(len(gold.words.forms))]
    pairs = zip(gold.words.ids.tolist(), gold.label_ids.tolist(), strict=True)
    assert np.mean([gold.labels[label] in candidates[form] for form, label in pairs]) > 0.98
