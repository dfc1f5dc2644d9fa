"""Analysed texts at random, for hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from karat.corpus import Source
from karat.corpus.analysed import AnalysedText, interned_strings

__all__ = ["analysed_texts"]

# characters that formats must escape, or might take for something else
CHARACTERS = "aąż.#&<>\"'=: \u2028"
words = st.text(CHARACTERS, min_size=1, max_size=6).filter(str.strip)
lemmas = st.text(CHARACTERS, max_size=5)
probabilities = st.none() | st.floats(0, 1) | st.sampled_from([0.0, 0.25, 1.0])


def offsets(sizes: list[int]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.append(0, np.cumsum(sizes)).astype(np.intp)


@st.composite
def analysed_texts(
    draw: st.DrawFn,
    *,
    has_probabilities: bool = False,
    has_paragraphs: bool = True,
    has_names: bool = False,
    fewest_interpretations: int = 0,
    one_sentence: bool = False,
    space_codes: int = 5,
) -> AnalysedText:
    """A text that is no graph, of which paragraphs, names, probabilities are as asked for."""
    paragraphs = draw(st.lists(st.integers(1, 1 if one_sentence else 3), min_size=1, max_size=3))
    sentences = [draw(st.integers(1, 3)) for _ in range(sum(paragraphs))]
    n_words = sum(sentences)
    sizes = [draw(st.integers(fewest_interpretations, 3)) for _ in range(n_words)]
    n = sum(sizes)

    def several(strategy: st.SearchStrategy[str], size: int) -> list[str]:
        return draw(st.lists(strategy, min_size=size, max_size=size))

    drawn = draw(st.lists(probabilities, min_size=n, max_size=n)) if has_probabilities else [None] * n
    names = st.text(CHARACTERS, max_size=4)
    return AnalysedText(
        form=interned_strings(several(words, n_words)),
        space=np.array(draw(st.lists(st.integers(0, space_codes - 1), min_size=n_words, max_size=n_words)), np.uint8),
        place=np.zeros(n_words, dtype=np.int32),
        interpretation_offsets=offsets(sizes),
        lemma=interned_strings(several(lemmas, n)),
        tag=interned_strings(several(words, n)),
        chosen=np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=np.bool_),
        probability=np.array([np.nan if value is None else value for value in drawn], dtype=np.float64),
        sentence_offsets=offsets(sentences),
        paragraph_offsets=offsets(paragraphs) if has_paragraphs else None,
        sentence_names=tuple(several(names, len(sentences))) if has_names else (),
        paragraph_names=tuple(several(names, len(paragraphs))) if has_names and has_paragraphs else (),
    )


def lines_of_words(text: AnalysedText, source: Source) -> list[int]:
    """The line of every word."""
    return [source.place(place)[1] for place in text.place.tolist()]
