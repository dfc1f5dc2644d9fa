"""Groups by a cascade: tiny cases worked out by hand, a slow matcher, real text."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from examples import conllu, sentence
from group_reference import slow_objects
from karat.corpus import read
from karat.errors import UsageError
from karat.systems.groups.cascade import cascade_for, groups_of, read_cascade, units_after_rules
from karat.systems.groups.cascade_file import cascade_from_text
from karat.systems.groups.patterns import (
    MANY,
    ElementAgreement,
    GroupCascade,
    GroupRule,
    PatternElement,
    UnitClass,
    WordCondition,
)
from karat.systems.groups.syntactic_objects import SyntacticObjects, parents_of_objects
from karat.systems.groups.tagged_words import AGREEING, TaggedWords, Values, tagged_words
from karat.tagsets import read_tag_map
from realdata import data

# ---- words -----------------------------------------------------------------------------------------------------------


def words_of(*sentences: str, tagset: str = "nkjp") -> TaggedWords:
    """Words written as form/lemma/tag, without features but those of NKJP's tags: `psa/pies/subst:sg:gen:m2`."""
    rows = [[word.split("/") for word in one.split()] for one in sentences]
    every = [row for one in rows for row in one]
    tags = [tag.split(":") for _, _, tag in every]
    known = {
        "number": {"sg", "pl"},
        "case": {"nom", "gen", "dat", "acc", "inst", "loc", "voc"},
        "gender": {"m1", "m2", "m3", "f", "n"},
    }
    agreeing = {
        name: values([next((one for one in tag[1:] if one in known[name]), None) for tag in tags]) for name in AGREEING
    }
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.intp)
    return TaggedWords(
        forms=values([form for form, _, _ in every]),
        lemmas=values([lemma for _, lemma, _ in every]),
        pos=values([tag[0] for tag in tags]),
        agreeing=agreeing,
        punctuation=np.array([tag[0] == "interp" for tag in tags], dtype=np.bool_),
        sentence_offsets=offsets,
        tagset=tagset,
        has_lemmas=True,
        n_unreadable=0,
    )


def values(texts: Sequence[str | None]) -> Values:
    names = tuple(dict.fromkeys(one for one in texts if one is not None))
    return Values(np.array([-1 if one is None else names.index(one) for one in texts], dtype=np.int32), names)


def shown(found: SyntacticObjects) -> list[str]:
    """Objects in words: `[kind: forms]`, with ° and * behind the heads' forms; words outside of groups as they are."""
    forms = [found.words.forms.names[one] for one in found.words.forms.ids.tolist()]
    every = []
    for start, stop, syntactic, semantic, kind in zip(
        found.start, found.stop, found.syntactic, found.semantic, found.kinds, strict=True
    ):
        marks = {int(syntactic): "°"} | {int(semantic): "*"}
        text = " ".join(forms[one] + marks.get(one, "") for one in range(start, stop))
        every.append(forms[start] if found.names[kind] == "word" else f"[{found.names[kind]}: {text}]")
    return every


def polish(text: str) -> list[str]:
    return shown(groups_of(words_of(text), read_cascade("nkjp")))


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_a_prepositional_group_has_the_preposition_and_the_noun_as_heads() -> None:
    found = polish("w/w/prep:loc:nwok dużym/duży/adj:sg:loc:m3:pos domu/dom/subst:sg:loc:m3 ././interp")
    assert found == ["[prepositional: w° dużym domu*]"]


def test_adjectives_that_do_not_agree_are_left_outside() -> None:
    assert polish("małe/mały/adj:pl:nom:f:pos psa/pies/subst:sg:gen:m2") == ["małe", "psa"]
    assert polish("małego/mały/adj:sg:gen:m2:pos psa/pies/subst:sg:gen:m2") == ["[nominal: małego psa*]"]


def test_of_a_numeral_group_the_numeral_is_the_syntactic_head() -> None:
    found = polish("pięć/pięć/num:pl:acc:m2:rec małych/mały/adj:pl:gen:m2:pos psów/pies/subst:pl:gen:m2")
    assert found == ["[numeral: pięć° małych psów*]"]


def test_a_preposition_takes_a_numeral_group_by_the_case_of_its_numeral() -> None:
    found = polish("przez/przez/prep:acc:nwok pięć/pięć/num:pl:acc:m3:rec dni/dzień/subst:pl:gen:m3")
    assert found == ["[prepositional: przez° pięć dni*]"]


def test_a_verb_has_its_particles_and_an_adverb() -> None:
    found = polish("znowu/znowu/adv nie/nie/part bał/bać/praet:sg:m1:imperf em/być/aglt:sg:pri:imperf:wok się/się/part")
    assert found == ["[verbal: znowu nie bał* em się]"]


def test_a_single_word_is_no_group() -> None:
    assert polish("idzie/iść/fin:sg:ter:imperf") == ["idzie"]


def test_the_longest_match_counts_and_the_rule_goes_on_behind_it() -> None:
    cascade = made("x a* b", words='a = { pos = "adj" }\nb = { pos = "subst" }\nx = { pos = "prep" }')
    text = "p/p/prep o/o/adj o/o/adj s/s/subst s/s/subst p/p/prep s/s/subst"
    assert shown(groups_of(words_of(text), cascade)) == ["[kind: p o o s*]", "s", "[kind: p s*]"]


def test_groups_do_not_cross_sentences() -> None:
    cascade = made("a b")
    assert shown(groups_of(words_of("o/o/adj", "s/s/subst"), cascade)) == ["o", "s"]


def test_missing_values_agree_with_all_values() -> None:
    text = "o/o/adj:sg p/p/adj s/s/subst:sg:nom t/t/subst:pl"
    cascade = made("a+ b", agree="a b: number case")
    assert shown(groups_of(words_of(text), cascade)) == ["[kind: o p s*]", "t"]
    assert shown(groups_of(words_of("o/o/adj:sg p/p/adj t/t/subst:pl"), cascade)) == ["o", "[kind: p t*]"]


def test_what_may_not_stand_beside_a_group_prevents_it() -> None:
    text = "s/s/subst o/o/adj s/s/subst o/o/adj s/s/subst"
    assert shown(groups_of(words_of(text), made("a b", more='not-after = "b"'))) == ["s", "o", "s", "o", "s"]
    assert shown(groups_of(words_of(text), made("a b", more='not-before = "a"'))) == ["s", "o", "s", "[kind: o s*]"]
    found = groups_of(words_of(text), made("a b", more='not-after = "kinds"', words='kinds = { group = "kind" }'))
    assert shown(found) == ["s", "[kind: o s*]", "o", "s"]


def test_punctuation_within_a_group_is_covered_and_outside_it_is_no_object() -> None:
    cascade = made("a c b", words='c = { pos = "interp" }')
    text = ",/,/interp o/o/adj ,/,/interp s/s/subst ././interp"
    assert shown(groups_of(words_of(text), cascade)) == ["[kind: o , s*]"]


def test_later_rules_see_groups_by_the_values_of_their_syntactic_head() -> None:
    text = """
        tagset = "nkjp"
        [words]
        a = { pos = "adj" }
        b = { pos = "subst" }
        c = { pos = "fin" }
        plural = { group = "small", number = "pl" }
        [[rule]]
        name = "first"
        makes = "small"
        pattern = "a b"
        syntactic-head = "a"
        semantic-head = "b"
        [[rule]]
        name = "second"
        makes = "large"
        pattern = "c plural"
        syntactic-head = "c"
        semantic-head = "plural"
    """
    cascade = cascade_from_text(text, "x.toml")
    words = words_of("f/f/fin o/o/adj:pl s/s/subst:sg f/f/fin o/o/adj:sg s/s/subst:pl")
    assert shown(groups_of(words, cascade)) == ["[large: f° o s*]", "f", "[small: o° s*]"]


def test_english_groups() -> None:
    words = words_of(
        "She/she/PRON has/have/AUX never/never/ADV seen/see/VERB the/the/DET old/old/ADJ gate/gate/NOUN "
        "of/of/ADP two/two/NUM towns/town/NOUN",
        tagset="ud",
    )
    assert shown(groups_of(words, read_cascade("ud"))) == [
        "She",
        "[verbal: has never seen*]",
        "[nominal: the old gate*]",
        "[prepositional: of° two towns*]",
    ]


def test_text_without_words_has_no_objects() -> None:
    for name in ("nkjp", "ud"):
        found = groups_of(words_of(tagset=name), read_cascade(name))
        assert (len(found), found.offsets.tolist()) == (0, [0])


def test_sentences_without_words_or_with_punctuation_alone_have_no_objects() -> None:
    found = groups_of(words_of("", "././interp", "o/o/adj s/s/subst"), made("a b"))
    assert found.offsets.tolist() == [0, 0, 0, 1]


def test_a_cascade_for_other_tags_is_refused() -> None:
    with pytest.raises(UsageError, match="tags of nkjp, the text has those of ud"):
        groups_of(words_of("a/a/NOUN", tagset="ud"), read_cascade("nkjp"))
    with pytest.raises(UsageError, match="no groups are described for the tagset pdt"):
        cascade_for(words_of("a/a/NN", tagset="pdt"))


def made(pattern: str, *, agree: str = "", more: str = "", words: str = "") -> GroupCascade:
    """A cascade of one rule whose head is `b`; `a` are adjectives, `b` nouns, where `words` do not say otherwise."""
    known = "" if "a = " in words else 'a = { pos = "adj" }\nb = { pos = "subst" }\n'
    rule = f'name = "r"\nmakes = "kind"\npattern = "{pattern}"\nhead = "b"\n{more}\n'
    rule += f'agree = "{agree}"\n' if agree else ""
    return cascade_from_text(f'tagset = "nkjp"\n[words]\n{known}{words}\n[[rule]]\n{rule}', "made.toml")


# ---- a slow matcher --------------------------------------------------------------------------------------------------

POS, LEMMAS = ("adj", "subst", "fin", "interp"), ("o", "Ola")
CLASS_NAMES = ("a", "b", "c", "d", "k", "m")
SINGULAR = WordCondition("number", frozenset({"sg"}))
CLASSES = {
    "a": UnitClass("a", (WordCondition("pos", frozenset({"adj"})),)),
    "b": UnitClass(
        "b", (WordCondition("pos", frozenset({"subst", "fin"})), WordCondition("lemma", frozenset({"o"}), True))
    ),
    "c": UnitClass("c", (WordCondition("capital", frozenset({"capital"})),)),
    "d": UnitClass("d", (SINGULAR,)),
    "k": UnitClass("k", (), frozenset({"kind"})),
    "m": UnitClass("m", (SINGULAR,), frozenset({"kind", "other"})),
}
texts = st.lists(
    st.lists(
        st.tuples(st.sampled_from(POS), st.sampled_from(LEMMAS), st.sampled_from(("", ":sg", ":pl:nom", ":sg:gen:f"))),
        max_size=9,
    ).map(lambda rows: " ".join(f"{lemma}/{lemma}/{pos}{tag}" for pos, lemma, tag in rows)),
    max_size=4,
)
elements = st.builds(
    PatternElement,
    st.lists(st.sampled_from(CLASS_NAMES), min_size=1, max_size=2, unique=True).map(tuple),
    st.just(0),
    st.sampled_from((1, MANY)),
)


@st.composite
def rules(draw: st.DrawFn) -> GroupRule:
    chosen = draw(st.lists(elements, min_size=1, max_size=4))
    heads = draw(st.lists(st.integers(0, len(chosen) - 1), min_size=2, max_size=2))
    parts = [
        PatternElement(one.classes, 1, 1)
        if place in heads
        else PatternElement(one.classes, draw(st.integers(0, 1)), one.most)
        for place, one in enumerate(chosen)
    ]
    agreements = draw(
        st.lists(
            st.builds(
                ElementAgreement,
                st.sampled_from(AGREEING),
                st.lists(st.integers(0, len(chosen) - 1), min_size=1, unique=True).map(tuple),
            ),
            max_size=2,
        )
    )
    contexts = st.lists(st.sampled_from(CLASS_NAMES), max_size=1).map(tuple)
    return GroupRule(
        name="r",
        makes=draw(st.sampled_from(("kind", "other"))),
        elements=tuple(parts),
        agreements=tuple(agreements),
        syntactic=heads[0],
        semantic=heads[1],
        not_after=draw(contexts),
        not_before=draw(contexts),
    )


@settings(max_examples=300, deadline=None)
@given(texts, st.lists(rules(), min_size=1, max_size=4))
def test_random_rules_make_the_groups_of_a_slow_matcher(sentences: list[str], some: list[GroupRule]) -> None:
    words = words_of(*sentences)
    check_as_slow(words, GroupCascade("made", "", "nkjp", CLASSES, tuple(some)))


def check_as_slow(words: TaggedWords, cascade: GroupCascade) -> None:
    found = groups_of(words, cascade)
    slow = slow_objects(words, cascade)
    assert np.diff(found.offsets).tolist() == [len(one) for one in slow]
    columns = (found.start, found.stop, found.syntactic, found.semantic)
    rows = [tuple(row) for row in zip(*(one.tolist() for one in columns), strict=True)]
    every = list(itertools.chain.from_iterable(slow))
    assert rows == [(one.start, one.stop, one.syntactic, one.semantic) for one in every]
    assert [found.names[one] for one in found.kinds] == [one.kind for one in every]


@pytest.mark.parametrize(
    ("path", "name", "mapping"),
    [
        ("ud-2.16/UD_Polish-LFG/pl_lfg-ud-dev.conllu", "nkjp", "nkjp-older"),
        ("ud-2.3/UD_English-ParTUT/en_partut-ud-dev.conllu", "ud", None),
    ],
)
def test_real_text_has_the_groups_of_a_slow_matcher(path: str, name: str, mapping: str | None) -> None:
    words = tagged_words(read(data(path)), mapping=read_tag_map(mapping) if mapping else None)
    assert words.tagset == name
    check_as_slow(words, read_cascade(name))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu", "nkjp"),
        ("ud-2.3/UD_English-EWT/en_ewt-ud-dev.conllu", "ud"),
    ],
)
def test_groups_of_real_text_are_connected_in_its_trees(path: str, name: str) -> None:
    corpus = read(data(path))
    words, cascade = tagged_words(corpus), read_cascade(name)
    objects = groups_of(words, cascade)
    assert corpus.heads is not None
    heads = np.asarray(corpus.heads)
    above = np.repeat(words.sentence_offsets[:-1], np.diff(words.sentence_offsets)) + heads - 1
    above[heads == 0] = -1
    of_words = objects.of_words
    is_out = (above < 0) | (of_words != of_words.take(np.maximum(above, 0))) & (of_words >= 0)
    n_out = np.bincount(of_words[is_out & (of_words >= 0)], minlength=len(objects))
    of_groups = n_out[objects.stop - objects.start > 1]
    assert (of_groups == 1).mean() > 0.97
    assert (parents_of_objects(objects, heads.astype(np.int32)) >= -1).all()


def test_every_rule_gives_units_that_cover_all_words() -> None:
    words = words_of("w/w/prep:loc domu/dom/subst:sg:loc:m3 ././interp", "nie/nie/part idę/iść/fin:sg:pri:imperf")
    for units in units_after_rules(words, read_cascade("nkjp")):
        assert units.start.tolist() == [0, *units.stop[:-1].tolist()]
        assert units.stop[-1] == len(words)
        assert (units.start.take(units.offsets[:-1]) == words.sentence_offsets[:-1]).all()


def test_words_of_conllu_without_features_are_grouped_by_their_order(tmp_path: Path) -> None:
    path = conllu(tmp_path / "a.conllu", sentence("the/DET", "gate/NOUN", "fell/VERB"))
    assert shown(groups_of(tagged_words(read(path, trees=False)), read_cascade("ud"))) == [
        "[nominal: the gate*]",
        "fell",
    ]
