"""There and back between all formats of words: what is lost is only what was announced."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysed_texts import analysed_texts
from karat.corpus import source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.conversion.convert import _written
from karat.corpus.conversion.fitting import HOLDS, fitted
from karat.corpus.conversion.losses import Losses
from karat.corpus.conversion.words_from_source import words_from_source
from karat.errors import DataError

FORMATS = list(HOLDS)
# what may differ once something of this kind was announced
EXCUSES = {
    "interpretations that are not chosen": {"analyses", "probabilities"},
    "further tags": {"tags", "interpretations", "probabilities"},
    "further lemmas": {"interpretations"},
    "lemmas": {"lemmas", "interpretations"},
    "probabilities": {"probabilities"},
    "spaces other than one": {"kinds of spaces"},
    "words without a space": {"spaces", "kinds of spaces"},
    "no space before the first word": {"spaces", "kinds of spaces"},
    "names of sentences": {"sentence names"},
    "names of paragraphs": {"paragraph names"},
    "paragraphs": {"paragraphs", "paragraph names"},
}


def facts(text: AnalysedText) -> dict[str, object]:
    """All that a text says, in parts that can be lost each for itself."""
    words = [[one for one in text.interpretations(word) if one.tag != "_"] for word in range(text.n_words)]
    chosen = [[one for one in several if one.is_chosen] for several in words]
    space = [1] * text.n_words if text.space is None else text.space.tolist()
    has_paragraphs = text.paragraph_offsets is not None
    offsets = text.paragraph_offsets.tolist() if text.paragraph_offsets is not None else [0, text.n_sentences]
    probabilities = [
        {tag: _sum(one.probability for one in several if one.tag == tag) for tag in {one.tag for one in several}}
        for several in words
    ]
    return {
        "forms": text.form.values(),
        "sentences": text.sentence_offsets.tolist(),
        "tags": [list(dict.fromkeys(one.tag for one in several)) for several in chosen],
        "lemmas": [several[0].lemma if several else "" for several in chosen],
        "interpretations": [list(dict.fromkeys((one.lemma, one.tag) for one in several)) for several in chosen],
        "analyses": [[(one.lemma, one.tag) for one in several if not one.is_chosen] for several in words],
        "probabilities": probabilities,
        "spaces": [min(code, 1) for code in space],
        "kinds of spaces": space,
        "sentence names": [name for name in text.sentence_names if name],
        "paragraphs": offsets,
        "paragraph names": [name for name in text.paragraph_names if name and has_paragraphs],
    }


def _sum(values: Iterable[float]) -> float | None:
    found = sum(values)
    return None if found != found else round(found, 9)


def written(text: AnalysedText, to: str, losses: Losses) -> AnalysedText:
    """The text as it is read from a file of a format that it was converted to."""
    data = _written(fitted(text, to, losses), to, "xpos").encode()
    return words_from_source(source_from_bytes(data), to, column="xpos", losses=Losses())


def excused(losses: Losses) -> set[str]:
    found: set[str] = set()
    for loss in losses.every():
        names = [name for name in EXCUSES if loss.what.startswith(name)]
        assert names, f"{loss.what} is not known"
        found |= EXCUSES[max(names, key=len)]
    return found


@st.composite
def tagged_texts(draw: st.DrawFn) -> AnalysedText:
    """Any text of which a word at least has a tag, as CoNLL-U needs; no tag is that of TSV's probabilities."""
    return draw(
        analysed_texts(
            has_probabilities=True, has_names=draw(st.booleans()), has_paragraphs=draw(st.booleans())
        ).filter(lambda text: bool(text.chosen.any()) and not any(":=" in tag for tag in text.tag.strings))
    )


@pytest.mark.parametrize(("first", "second"), list(permutations(FORMATS, 2)))
@settings(max_examples=25)
@given(text=tagged_texts())
def test_there_and_back_only_what_was_announced_is_lost(first: str, second: str, text: AnalysedText) -> None:
    losses = Losses()
    start = written(text, first, losses)
    for name, value in facts(start).items():
        assert value == facts(text)[name] or name in excused(losses), f"to {first}: {name}"
    losses = Losses()
    there = written(start, second, losses)
    for name, value in facts(there).items():
        assert value == facts(start)[name] or name in excused(losses), f"{first} to {second}: {name}"
    back = written(there, first, losses)
    for name, value in facts(back).items():
        assert value == facts(start)[name] or name in excused(losses), f"{second} back to {first}: {name}"


@given(tagged_texts())
def test_nothing_is_announced_that_a_format_holds(text: AnalysedText) -> None:
    losses = Losses()
    plain = written(text, "plain", losses)
    assert {loss.what for loss in losses.every()} <= {"names of sentences", "names of paragraphs"}
    again = Losses()
    assert written(plain, "plain", again).same_as(plain)
    assert again.every() == ()


def test_every_loss_is_counted() -> None:
    text = _three_words()
    expected = {
        "conllu": {
            "interpretations that are not chosen": 1,
            "further lemmas of words": 1,
            "probabilities": 4,
            "spaces other than one": 1,
        },
        "tsv": {
            "interpretations that are not chosen": 1,
            "lemmas": 4,
            "words without a space before them": 1,
            "spaces other than one": 1,
            "names of sentences": 1,
        },
        "xces": {"probabilities": 5},
        "ccl": {"probabilities": 5},
        "plain": {"names of sentences": 1},
        "krnnt": {
            "interpretations that are not chosen": 1,
            "further tags of words": 1,
            "further lemmas of words": 1,
            "probabilities": 4,
            "spaces other than one": 1,
            "names of sentences": 1,
        },
        "dag": {"spaces other than one": 1, "names of sentences": 1},
    }
    for to, wanted in expected.items():
        losses = Losses()
        fitted(text, to, losses)
        assert dict(losses.every()) == wanted, to


def _three_words() -> AnalysedText:
    """Three words: one with two tags and another analysis, one with two lemmas of a tag, one with no space before."""
    return AnalysedText(
        form=interned_strings(["Lew", "mam", "."]),
        space=np.array([3, 1, 0], dtype=np.uint8),
        place=np.zeros(3, dtype=np.int32),
        interpretation_offsets=np.array([0, 3, 5, 5]),
        lemma=interned_strings(["lew", "lew", "Lew", "mieć", "mama"]),
        tag=interned_strings(["subst:sg:nom:m2", "subst:sg:nom:m1", "subst:pl:gen:f", "x", "x"]),
        chosen=np.array([True, True, False, True, True]),
        probability=np.array([0.5, 0.25, 0.25, 0.5, 0.5]),
        sentence_offsets=np.array([0, 3]),
        sentence_names=("s1",),
    )


def test_a_graph_of_which_nothing_is_chosen_cannot_be_converted() -> None:
    source = source_from_bytes(b"0\t1\ta\ta\tconj\t\n")
    text = words_from_source(source, "dag", column="xpos", losses=Losses())
    with pytest.raises(DataError, match="no interpretation of any word is chosen"):
        fitted(text, "xces", Losses())


def test_sentences_are_cut_where_they_were() -> None:
    """The helper above would not see a text without words."""
    text = _three_words()
    assert [stop - first for first, stop in pairwise(written(text, "dag", Losses()).sentence_offsets.tolist())] == [3]
