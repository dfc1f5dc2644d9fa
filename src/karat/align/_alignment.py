"""The alignment of two corpora: which words match, and which gold sentence each system word belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from karat._arrays import Flags, Indices
from karat.align._tokens import Surface, surface, token_offsets
from karat.align._words import Matches, matches
from karat.corpus import Bad, Corpus
from karat.errors import DataError, Problem

__all__ = ["Alignment", "align"]

_EXCERPT = 30


class _Sentences(TypedDict):
    gold_sentences: Indices
    system_sentences: Indices
    system_sentence_rows: Indices


@dataclass(frozen=True, eq=False)
class Alignment:
    """A system's words beside the gold's.

    `gold_words` and `system_words` are the matching words, in order; `gold_of_system` has, for every system word, its
    gold word or -1. `gold_sentences` and `system_sentences` are the sentences that cover the same text.

    All that is counted is counted in rows, and a row is a gold sentence: `system_rows` is the one in which a system
    word begins, `system_sentence_rows` that in which a system sentence begins; `gold_token_rows`, `system_token_rows`
    and `matching_token_rows` are those of surface tokens.

    A bad gold sentence leaves the test: its row is not in `kept`. A bad system sentence matches nothing.
    """

    gold: Corpus
    system: Corpus
    gold_words: Indices
    system_words: Indices
    gold_of_system: Indices
    gold_sentences: Indices
    system_sentences: Indices
    system_rows: Indices
    system_sentence_rows: Indices
    gold_token_rows: Indices
    system_token_rows: Indices
    matching_token_rows: Indices
    kept: Flags
    problems: tuple[Problem, ...] = ()


def align(gold: Corpus, system: Corpus, *, bad: Bad = "raise") -> Alignment:
    """The alignment of a system's output with the gold.

    Both must have the same characters once spaces (Unicode category Zs) are dropped; where they do not, a `DataError`
    names the first difference. With `bad="keep"`, and as many sentences on both sides, the sentences whose characters
    differ count as bad sentences of the system instead, and the problems are kept.
    """
    if _same_tokens(gold, system):
        return _identity(gold, system)
    ours, theirs = surface(gold), surface(system)
    if ours.text == theirs.text:
        return _by_characters(gold, system, ours, theirs)
    if bad == "raise":
        raise DataError(_first_difference(gold, system, ours, theirs))
    return _sentence_by_sentence(gold, system, ours, theirs)


def _same_tokens(gold: Corpus, system: Corpus) -> bool:
    """Whether words and multiword tokens are the same, so that every word matches the one at its own place."""
    if gold.n_words != system.n_words or len(gold.multiword) != len(system.multiword):
        return False
    ours, theirs = gold.column("form"), system.column("form")
    if not (np.array_equal(ours.ids, theirs.ids) and ours.vocabulary.spans.same_as(theirs.vocabulary.spans)):
        return False
    our_tokens, their_tokens = gold.multiword, system.multiword
    return (
        np.array_equal(our_tokens.start, their_tokens.start)
        and np.array_equal(our_tokens.stop, their_tokens.stop)
        and gold.spans("form", our_tokens.rows).same_as(system.spans("form", their_tokens.rows))
    )


def _identity(gold: Corpus, system: Corpus) -> Alignment:
    words = np.arange(gold.n_words)
    rows = gold.words_sentence
    first_words = token_offsets(gold)[0][:-1]
    token_rows = rows if len(first_words) == len(rows) else rows.take(first_words)
    alignment = Alignment(
        gold,
        system,
        gold_words=words,
        system_words=words,
        gold_of_system=words,
        **_sentences(gold.sentence_offsets, system.sentence_offsets),
        system_rows=rows,
        gold_token_rows=token_rows,
        system_token_rows=token_rows,
        matching_token_rows=token_rows,
        kept=~gold.bad,
    )
    return _without_bad(alignment, lambda: system.words_sentence.take(first_words))


def _by_characters(gold: Corpus, system: Corpus, ours: Surface, theirs: Surface) -> Alignment:
    found = matches(gold, system, ours, theirs)
    our_bounds, their_bounds = _sentence_bounds(gold, ours), _sentence_bounds(system, theirs)
    token_rows = np.searchsorted(our_bounds, theirs.start, side="right") - 1
    alignment = Alignment(
        gold,
        system,
        gold_words=found.gold_words,
        system_words=found.system_words,
        gold_of_system=_gold_of_system(system, found),
        **_sentences(our_bounds, their_bounds),
        system_rows=np.repeat(token_rows, theirs.stop_word - theirs.first_word),
        gold_token_rows=ours.sentence,
        system_token_rows=token_rows,
        matching_token_rows=ours.sentence[found.gold_tokens],
        kept=~gold.bad,
    )
    return _without_bad(alignment, lambda: theirs.sentence[found.system_tokens])


def _sentence_by_sentence(gold: Corpus, system: Corpus, ours: Surface, theirs: Surface) -> Alignment:
    """The alignment of corpora whose characters differ in some sentences, which then match nothing."""
    if gold.n_sentences != system.n_sentences:
        found = _first_difference(gold, system, ours, theirs)
        hint = "--skip-bad can go on behind a difference only where both have the same number of sentences"
        raise DataError(replace(found, hint=f"{hint}: {gold.n_sentences} and {system.n_sentences} here"))
    our_bounds, their_bounds = _sentence_bounds(gold, ours).tolist(), _sentence_bounds(system, theirs).tolist()
    differs = np.array(
        [
            ours.text[our_bounds[i] : our_bounds[i + 1]] != theirs.text[their_bounds[i] : their_bounds[i + 1]]
            for i in range(gold.n_sentences)
        ]
    )
    our_rest, their_rest = surface(gold, differs), surface(system, differs)
    found_words = matches(gold, system, our_rest, their_rest)
    same = np.flatnonzero(~differs)
    alignment = Alignment(
        gold,
        system,
        gold_words=found_words.gold_words,
        system_words=found_words.system_words,
        gold_of_system=_gold_of_system(system, found_words),
        gold_sentences=same,
        system_sentences=same,
        system_rows=system.words_sentence,
        system_sentence_rows=np.arange(system.n_sentences),
        gold_token_rows=ours.sentence,
        system_token_rows=theirs.sentence,
        matching_token_rows=our_rest.sentence[found_words.gold_tokens],
        kept=~gold.bad,
        problems=tuple(
            _difference(gold, system, ours, theirs, our_bounds[i], their_bounds[i], i)
            for i in np.flatnonzero(differs & ~gold.bad & ~system.bad).tolist()
        ),
    )
    return _without_bad(alignment, lambda: their_rest.sentence[found_words.system_tokens])


def _gold_of_system(system: Corpus, found: Matches) -> Indices:
    gold_of_system = np.full(system.n_words, -1)
    gold_of_system[found.system_words] = found.gold_words
    return gold_of_system


def _without_bad(alignment: Alignment, token_sentences: Callable[[], Indices]) -> Alignment:
    """The alignment with nothing matching in bad sentences of the system.

    `token_sentences` gives the system sentence of each matching token.
    """
    bad = alignment.system.bad
    if not bad.any():
        return alignment
    good_words = ~bad[alignment.system.words_sentence[alignment.system_words]]
    good_sentences = ~bad[alignment.system_sentences]
    return replace(
        alignment,
        gold_words=alignment.gold_words[good_words],
        system_words=alignment.system_words[good_words],
        gold_of_system=np.where(bad[alignment.system.words_sentence], -1, alignment.gold_of_system),
        gold_sentences=alignment.gold_sentences[good_sentences],
        system_sentences=alignment.system_sentences[good_sentences],
        matching_token_rows=alignment.matching_token_rows[~bad[token_sentences()]],
    )


def _sentence_bounds(corpus: Corpus, side: Surface) -> Indices:
    """The character at which each sentence begins, and the number of characters."""
    first_tokens = np.searchsorted(side.sentence, np.arange(corpus.n_sentences))
    return np.append(np.append(side.start, len(side.text))[first_tokens], len(side.text))


def _sentences(our_bounds: Indices, their_bounds: Indices) -> _Sentences:
    """Sentences with the same bounds, and the row in which each system sentence begins."""
    place = np.minimum(np.searchsorted(our_bounds[:-1], their_bounds[:-1]), len(our_bounds) - 2)
    same = (our_bounds[place] == their_bounds[:-1]) & (our_bounds[place + 1] == their_bounds[1:])
    same &= np.diff(their_bounds) > 0
    rows = np.searchsorted(our_bounds, their_bounds[:-1], side="right") - 1
    return {
        "gold_sentences": place[same],
        "system_sentences": np.flatnonzero(same),
        "system_sentence_rows": np.minimum(rows, len(our_bounds) - 2),
    }


def _first_difference(gold: Corpus, system: Corpus, ours: Surface, theirs: Surface) -> Problem:
    return _difference(gold, system, ours, theirs, 0, 0, None)


def _difference(
    gold: Corpus, system: Corpus, ours: Surface, theirs: Surface, our_start: int, their_start: int, sentence: int | None
) -> Problem:
    """The problem at the first character at which two texts differ, from the given characters on."""
    same = _common_length(ours.text[our_start:], theirs.text[their_start:])
    our_place, their_place = our_start + same, their_start + same
    path, line, _ = _place_of_character(gold, ours, our_place)
    found = _excerpt(theirs.text, their_place)
    wanted = _excerpt(ours.text, our_place)
    message = f"the text differs from the gold: {found} here, {wanted} at {path}:{line}"
    system_path, system_line, column = _place_of_character(system, theirs, their_place)
    hint = "both sides must have the same characters, spaces aside, multiword tokens as they are written"
    if gold.n_sentences == system.n_sentences:
        hint += "; --skip-bad counts the sentence as wrong"
    return Problem("K401", message, system_path, system_line, column, hint, sentence)


def _common_length(ours: str, theirs: str) -> int:
    """How many characters two strings have in common at their beginning."""
    low, high = 0, min(len(ours), len(theirs))
    while low < high:
        middle = (low + high + 1) // 2
        if ours[low:middle] == theirs[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _excerpt(text: str, place: int) -> str:
    if place >= len(text):
        return "the end"
    return repr(text[place : place + _EXCERPT]) + ("…" if place + _EXCERPT < len(text) else "")


def _place_of_character(corpus: Corpus, side: Surface, place: int) -> tuple[str, int, int]:
    """Path, line and column of the token that holds a character, or of the last one."""
    token = min(int(np.searchsorted(side.start, place, side="right")) - 1, len(side.start) - 1)
    row = corpus.word_rows[side.first_word[token]] - int(side.is_multiword[token])
    return corpus.source.place(int(corpus.edges[corpus.names.index("form"), row]) + 1)
