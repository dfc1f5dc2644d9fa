"""Small corpora in which words are often repeated, at random, for hypothesis; and corpora from words."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from repeat_reference import Word

__all__ = ["corpora_at_random", "corpus_of", "plain"]


def plain(*sentences: str) -> list[list[Word]]:
    """Sentences of words written as `form/UPOS`, or `form` alone."""
    found = []
    for sentence in sentences:
        pairs = [text.rpartition("/") if "/" in text else (text, "", "X") for text in sentence.split()]
        found.append([Word(form, upos) for form, _, upos in pairs])
    return found


def corpus_of(sentences: Sequence[Sequence[Word]]) -> Corpus:
    """A corpus of these words; its heads need not be trees."""
    blocks = []
    for number, sentence in enumerate(sentences):
        rows = [f"# sent_id = s{number}"]
        for at, word in enumerate(sentence, start=1):
            fields = [at, word.form, "_", word.upos, word.xpos, "_", word.head, word.deprel, "_", "_"]
            rows.append("\t".join(map(str, fields)))
        blocks.append("\n".join(rows) + "\n\n")
    return conllu_from_source(source_from_bytes("".join(blocks).encode()), trees=False)


@st.composite
def corpora_at_random(draw: st.DrawFn) -> list[list[list[Word]]]:
    """One to three corpora of short sentences over few words, a third of them copies of others with other labels."""
    forms = draw(st.sampled_from([["a", "b"], ["a", "A", "b", ",", "c"], ["a", "a", "a", "."]]))
    upos = st.sampled_from(["N", "N", "N", "V"])

    def sentence(of_forms: list[str]) -> list[Word]:
        n = len(of_forms)
        return [
            Word(form, draw(upos), draw(st.sampled_from("xxy")), draw(st.integers(0, n)), draw(st.sampled_from("dde")))
            for form in of_forms
        ]

    seen: list[list[str]] = []
    corpora = []
    for _ in range(draw(st.integers(1, 3))):
        sentences = []
        for _ in range(draw(st.integers(1, 5))):
            is_copy = bool(seen) and draw(st.integers(0, 2)) == 0
            of_forms = (
                draw(st.sampled_from(seen))
                if is_copy
                else draw(st.lists(st.sampled_from(forms), min_size=1, max_size=9))
            )
            seen.append(of_forms)
            sentences.append(sentence(of_forms))
        corpora.append(sentences)
    return corpora
