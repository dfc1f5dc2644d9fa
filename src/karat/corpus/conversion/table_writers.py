"""Texts that fit as CoNLL-U and as TSV, the formats that are read into columns."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from karat.corpus.analysed import NO_SPACE, AnalysedText
from karat.corpus.conversion.words_from_source import NO_TAG
from karat.corpus.readers.analysed_formats import refuse_bad_fields, refuse_empty
from karat.corpus.readers.conllu import COLUMNS
from karat.errors import UsageError

_PROBABLY = ":="


def conllu_text(text: AnalysedText, column: str) -> str:
    """A text in CoNLL-U: a word's first tag in a column, further ones in MISC (`XPOSAlt=tag,tag`), its first lemma.

    What CoNLL-U has no place for must be gone; see `fitted`.
    """
    refuse_bad_fields(text.form.strings, text.lemma.strings, text.tag.strings)
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    lines = _conllu_words(text, column)
    glued = _is_glued(text)
    names = text.sentence_names or ("",) * text.n_sentences
    forms = text.form.values()
    parts = []
    newpar = _beginnings_of_paragraphs(text)
    for number, (first, stop) in enumerate(pairwise(text.sentence_offsets.tolist())):
        spaced = [
            form + ("" if is_glued else " ")
            for form, is_glued in zip(forms[first:stop], glued[first:stop], strict=True)
        ]
        head = newpar.get(number, "") + (f"# sent_id = {names[number]}\n" if names[number] else "")
        rows = "".join(f"{place}\t{line}" for place, line in enumerate(lines[first:stop], 1))
        parts.append(f"{head}# text = {''.join(spaced).rstrip(' ')}\n{rows}\n")
    return "".join(parts)


def _is_glued(text: AnalysedText) -> list[bool]:
    """Whether no space follows each word."""
    if text.space is None:
        return [False] * text.n_words
    return np.append(text.space[1:] == NO_SPACE, False).tolist()


def _beginnings_of_paragraphs(text: AnalysedText) -> dict[int, str]:
    """The comment with which a paragraph begins, by its first sentence."""
    if text.paragraph_offsets is None:
        return {}
    names = text.paragraph_names or ("",) * text.n_paragraphs
    first = text.paragraph_offsets[:-1].tolist()
    return {one: f"# newpar id = {name}\n" if name else "# newpar\n" for one, name in zip(first, names, strict=True)}


def _conllu_words(text: AnalysedText, column: str) -> list[str]:
    """The lines of all words, without their numbers."""
    at = COLUMNS.index(column) - 1
    forms, lemmas, tags = text.form.values(), text.lemma.values(), text.tag.values()
    lines = []
    words = zip(forms, _is_glued(text), pairwise(text.interpretation_offsets.tolist()), strict=True)
    for form, is_glued, (first, stop) in words:
        misc = ["SpaceAfter=No"] if is_glued else []
        if stop > first + 1:
            misc.append(f"{column.upper()}Alt={','.join(tags[first + 1 : stop])}")
        fields = [form, (lemmas[first] if stop > first else "") or "_", *["_"] * 6, "|".join(misc) or "_"]
        fields[at] = tags[first] if stop > first else NO_TAG
        lines.append("\t".join(fields) + "\n")
    return lines


def tsv_text(text: AnalysedText) -> str:
    """A text as lines of a form and its tags with tabs between, a probability behind `:=`.

    What TSV has no place for must be gone; see `fitted`.
    """
    refuse_bad_fields(text.form.strings, text.tag.strings)
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    for tag in text.tag.strings:
        if _PROBABLY in tag:
            raise UsageError(f"the tag {tag[:60]!r} cannot be written as TSV, where {_PROBABLY} precedes a probability")
    cells = [
        tag if value != value else f"{tag}{_PROBABLY}{value!r}"
        for tag, value in zip(text.tag.values(), text.probability.tolist(), strict=True)
    ]
    bounds = pairwise(text.interpretation_offsets.tolist())
    lines = [
        "\t".join([form, *(cells[first:stop] or [NO_TAG])]) + "\n"
        for form, (first, stop) in zip(text.form.values(), bounds, strict=True)
    ]
    return "\n".join("".join(lines[first:stop]) for first, stop in pairwise(text.sentence_offsets.tolist()))
