"""The alignment of two corpora: which words match, and which gold sentence each system word belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from karat._arrays import Flags, Indices
from karat.align._differences import common_length, differences
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

    A bad gold sentence leaves the test: its row is not in `kept`. A bad system sentence matches nothing, and neither
    does one whose text is not the gold's (`system_differs`; `problems` say where).
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
    system_differs: Flags
    problems: tuple[Problem, ...] = ()


def align(gold: Corpus, system: Corpus, *, bad: Bad = "raise") -> Alignment:
    """The alignment of a system's output with the gold.

    Both must have the same characters once spaces (Unicode category Zs) are dropped; where they do not, a `DataError`
    names the first difference. With `bad="keep"` the sentences whose characters differ match nothing instead, and the
    problems are kept: with as many sentences on both sides they are compared one by one, otherwise the text is taken up
    again where a later gold sentence begins in both.
    """
    if _same_tokens(gold, system):
        return _identity(gold, system)
    ours, theirs = surface(gold), surface(system)
    if ours.text == theirs.text:
        return _by_characters(gold, system, ours, theirs)
    if bad == "raise":
        raise DataError(_first_difference(gold, system, ours, theirs))
    if gold.n_sentences == system.n_sentences:
        return _sentence_by_sentence(gold, system, ours, theirs)
    return _around_differences(gold, system, ours, theirs)


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
        system_differs=np.zeros(system.n_sentences, dtype=np.bool_),
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
        system_differs=np.zeros(system.n_sentences, dtype=np.bool_),
    )
    return _without_bad(alignment, lambda: theirs.sentence[found.system_tokens])


def _sentence_by_sentence(gold: Corpus, system: Corpus, ours: Surface, theirs: Surface) -> Alignment:
    """The alignment of corpora whose characters differ in some sentences, which then match nothing."""
    our_bounds, their_bounds = _sentence_bounds(gold, ours).tolist(), _sentence_bounds(system, theirs).tolist()
    differs = np.array(
        [
            ours.text[our_bounds[i] : our_bounds[i + 1]] != theirs.text[their_bounds[i] : their_bounds[i + 1]]
            for i in range(gold.n_sentences)
        ]
    )
    our_rest, their_rest = surface(gold, differs[ours.sentence]), surface(system, differs[theirs.sentence])
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
        system_differs=differs & ~gold.bad,
        problems=tuple(
            _problem(gold, system, ours, theirs, *_first_places(ours, theirs, our_bounds[i], their_bounds[i]), i)
            for i in np.flatnonzero(differs & ~gold.bad & ~system.bad).tolist()
        ),
    )
    return _without_bad(alignment, lambda: their_rest.sentence[found_words.system_tokens])


def _around_differences(gold: Corpus, system: Corpus, ours: Surface, theirs: Surface) -> Alignment:
    """The alignment of corpora with other sentences whose characters differ here and there."""
    our_bounds, their_bounds = _sentence_bounds(gold, ours), _sentence_bounds(system, theirs)
    stretches = differences(ours, theirs, our_bounds)
    our_start, our_stop = np.array([[one.our_start, one.our_stop] for one in stretches]).T
    their_start, their_stop = np.array([[one.their_start, one.their_stop] for one in stretches]).T

    def in_stretch(places: Indices) -> tuple[Indices, Flags]:
        """The stretch that each character of the system is in or before, and whether it is in it."""
        number = np.searchsorted(their_stop, places, side="right")
        return number, (number < len(stretches)) & (their_start.take(number, mode="clip") <= places)

    def gold_places(places: Indices) -> Indices:
        """The characters of the gold beside characters of the system."""
        number, is_inside = in_stretch(places)
        shift = np.append(0, our_stop - their_stop)[number]
        beside: Indices = np.where(is_inside, our_start.take(number, mode="clip"), places + shift)
        return beside

    is_lost = np.zeros(gold.n_sentences, dtype=np.bool_)
    for one in stretches:
        is_lost[np.searchsorted(our_bounds, one.our_start) : np.searchsorted(our_bounds, one.our_stop)] = True
    _, token_is_lost = in_stretch(theirs.start)
    sentence_is_lost = np.bincount(theirs.sentence, weights=token_is_lost, minlength=system.n_sentences) > 0
    our_rest, their_rest = surface(gold, is_lost[ours.sentence]), surface(system, token_is_lost)
    found = matches(gold, system, our_rest, their_rest)
    token_rows = _rows(our_bounds, gold_places(theirs.start))
    begin = gold_places(their_bounds[:-1])
    place = np.minimum(np.searchsorted(our_bounds, begin), gold.n_sentences - 1)
    same = (our_bounds[place] == begin) & (np.diff(our_bounds)[place] == np.diff(their_bounds))
    same &= ~is_lost[place] & ~sentence_is_lost
    sentence_rows = _rows(our_bounds, begin)
    alignment = Alignment(
        gold,
        system,
        gold_words=found.gold_words,
        system_words=found.system_words,
        gold_of_system=_gold_of_system(system, found),
        gold_sentences=place[same],
        system_sentences=np.flatnonzero(same),
        system_rows=np.repeat(token_rows, theirs.stop_word - theirs.first_word),
        system_sentence_rows=sentence_rows,
        gold_token_rows=ours.sentence,
        system_token_rows=token_rows,
        matching_token_rows=our_rest.sentence[found.gold_tokens],
        kept=~gold.bad,
        system_differs=sentence_is_lost & ~gold.bad[sentence_rows],
        problems=tuple(
            _problem(gold, system, ours, theirs, one.our_place, one.their_place, None)
            for one in stretches
            if not gold.bad[_rows(our_bounds, np.array([one.our_place]))[0]]
        ),
    )
    return _without_bad(alignment, lambda: their_rest.sentence[found.system_tokens])


def _rows(bounds: Indices, places: Indices) -> Indices:
    """The sentences that characters are in."""
    rows: Indices = np.minimum(np.searchsorted(bounds, places, side="right") - 1, len(bounds) - 2)
    return rows


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
    return _problem(gold, system, ours, theirs, *_first_places(ours, theirs, 0, 0), None)


def _first_places(ours: Surface, theirs: Surface, our_start: int, their_start: int) -> tuple[int, int]:
    """The first characters, from the given ones on, that differ."""
    same = common_length(ours.text, theirs.text, our_start, their_start)
    return our_start + same, their_start + same


def _problem(
    gold: Corpus, system: Corpus, ours: Surface, theirs: Surface, our_place: int, their_place: int, sentence: int | None
) -> Problem:
    """The problem that two texts differ at these characters."""
    path, line, _ = _place_of_character(gold, ours, our_place)
    found = _excerpt(theirs.text, their_place)
    wanted = _excerpt(ours.text, our_place)
    message = f"the text differs from the gold: {found} here, {wanted} at {path}:{line}"
    system_path, system_line, column = _place_of_character(system, theirs, their_place)
    hint = "both sides must have the same characters, spaces aside, multiword tokens as they are written; --skip-bad "
    hint += "counts what differs as wrong"
    return Problem("K401", message, system_path, system_line, column, hint, sentence)


def _excerpt(text: str, place: int) -> str:
    if place >= len(text):
        return "the end"
    return repr(text[place : place + _EXCERPT]) + ("…" if place + _EXCERPT < len(text) else "")


def _place_of_character(corpus: Corpus, side: Surface, place: int) -> tuple[str, int, int]:
    """Path, line and column of the token that holds a character, or of the last one."""
    token = min(int(np.searchsorted(side.start, place, side="right")) - 1, len(side.start) - 1)
    row = corpus.word_rows[side.first_word[token]] - int(side.is_multiword[token])
    return corpus.source.place(int(corpus.edges[corpus.names.index("form"), row]) + 1)
