"""The alignment of two corpora: which words match, and which gold sentence each system word belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Indices
from karat.align._differences import Difference, common_length, differences, differing_sentences
from karat.align._tokens import Surface, surface, token_offsets
from karat.align._word_matching import matches
from karat.corpus import Bad, Corpus
from karat.corpus.interning import same_strings
from karat.errors import DataError, Problem

_EXCERPT = 30


@dataclass(frozen=True, eq=False)
class Alignment:
    """A system's words beside the gold's.

    `gold_words` and `system_words` are the matching words, in order; `gold_of_system` has, for every system word, its
    gold word or -1. `gold_sentences` and `system_sentences` are the sentences that cover the same text.

    All that is counted is counted in rows, and a row is a gold sentence: `system_rows` is the one in which a system
    word begins, `system_sentence_rows` that in which a system sentence begins; `gold_token_rows`, `system_token_rows`
    and `matching_token_rows` are those of surface tokens; `matching_tokens` are the gold's surface tokens that match.

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
    matching_tokens: Indices
    kept: Flags
    system_differs: Flags
    problems: tuple[Problem, ...] = ()

    @property
    def matching_token_rows(self) -> Indices:
        rows, matching = self.gold_token_rows, self.matching_tokens
        return rows if len(matching) == len(rows) else rows.take(matching)


def align(gold: Corpus, system: Corpus, *, bad: Bad = "raise") -> Alignment:
    """The alignment of a system's output with the gold.

    Both must have the same characters once spaces (Unicode category Zs) are dropped; where they do not, a `DataError`
    names the first difference. With `bad="keep"` the sentences whose characters differ match nothing instead, and the
    problems are kept: with as many sentences on both sides they are compared one by one, otherwise the text is taken up
    again where a later gold sentence begins in both.
    """
    if same_tokens(gold, system):
        return _identity(gold, system)
    ours, theirs = Side.of(gold), Side.of(system)
    stretches: list[Difference] = []
    if ours.surface.text != theirs.surface.text:
        if bad == "raise":
            same = common_length(ours.surface.text, theirs.surface.text)
            raise DataError(_problem(ours, theirs, same, same))
        if gold.n_sentences == system.n_sentences:
            stretches = differing_sentences(ours.surface, theirs.surface, ours.bounds, theirs.bounds)
        else:
            stretches = differences(ours.surface, theirs.surface, ours.bounds)
    return _by_characters(ours, theirs, stretches)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A corpus, its surface, and the characters at which its sentences begin, with the number of characters."""

    corpus: Corpus
    surface: Surface
    bounds: Indices

    @classmethod
    def of(cls, corpus: Corpus) -> Side:
        side = surface(corpus)
        first_tokens = np.searchsorted(side.sentence, np.arange(corpus.n_sentences))
        bounds = np.append(np.append(side.start, len(side.text))[first_tokens], len(side.text))
        return cls(corpus, side, bounds)


def same_tokens(gold: Corpus, system: Corpus) -> bool:
    """Whether words and multiword tokens are the same, so that every word matches the one at its own place."""
    if gold.n_words != system.n_words or len(gold.multiword) != len(system.multiword):
        return False
    if not _same_forms(gold, system):
        return False
    our_tokens, their_tokens = gold.multiword, system.multiword
    return (
        np.array_equal(our_tokens.start, their_tokens.start)
        and np.array_equal(our_tokens.stop, their_tokens.stop)
        and gold.spans("form", our_tokens.rows).same_as(system.spans("form", their_tokens.rows))
    )


def _same_forms(gold: Corpus, system: Corpus) -> bool:
    """Whether all words, as many on both sides, have the same form."""
    if "conllu" not in (gold.format, system.format):
        return bool(same_strings(gold.spans("form"), system.spans("form")).all())
    ours, theirs = gold.column("form"), system.column("form")  # CoNLL-U numbers them with all that stands beside them
    return np.array_equal(ours.ids, theirs.ids) and ours.vocabulary.spans.same_as(theirs.vocabulary.spans)


def _identity(gold: Corpus, system: Corpus) -> Alignment:
    words = np.arange(gold.n_words)
    rows = gold.words_sentence
    first_words = token_offsets(gold)[0][:-1]
    token_rows = rows if len(first_words) == len(rows) else rows.take(first_words)
    begin = system.sentence_offsets[:-1]  # words take the place of characters
    place, same = _same_spans(gold.sentence_offsets, begin, np.diff(system.sentence_offsets))
    alignment = Alignment(
        gold,
        system,
        gold_words=words,
        system_words=words,
        gold_of_system=words,
        gold_sentences=place[same],
        system_sentences=np.flatnonzero(same),
        system_rows=rows,
        system_sentence_rows=_rows(gold.sentence_offsets, begin),
        gold_token_rows=token_rows,
        system_token_rows=token_rows,
        matching_tokens=np.arange(len(token_rows)),
        kept=~gold.bad,
        system_differs=np.zeros(system.n_sentences, dtype=np.bool_),
    )
    return _without_bad(alignment, lambda: system.words_sentence.take(first_words))


def _by_characters(ours: Side, theirs: Side, stretches: list[Difference]) -> Alignment:
    """The alignment of corpora whose texts are the same but for some stretches, in which nothing matches."""
    gold, system, tokens = ours.corpus, theirs.corpus, theirs.surface
    lost = _Lost(stretches)
    our_lost = np.zeros(gold.n_sentences, dtype=np.bool_)
    for one in stretches:
        our_lost[np.searchsorted(ours.bounds, one.our_start) : np.searchsorted(ours.bounds, one.our_stop)] = True
    token_is_lost = lost.is_inside(tokens.start)
    their_lost = np.zeros(system.n_sentences, dtype=np.bool_)
    their_lost[tokens.sentence[token_is_lost]] = True
    token_in_lost = our_lost[ours.surface.sentence]
    our_rest = surface(gold, token_in_lost) if stretches else ours.surface
    their_rest = surface(system, token_is_lost) if stretches else tokens
    found = matches(gold, system, our_rest, their_rest)
    gold_of_system = np.full(system.n_words, -1)
    gold_of_system[found.system_words] = found.gold_words
    token_rows = _rows(ours.bounds, lost.gold_places(tokens.start))
    begin, lengths = lost.gold_places(theirs.bounds[:-1]), np.diff(theirs.bounds)
    sentence_rows = _rows(ours.bounds, begin)
    place, same = _same_spans(ours.bounds, begin, lengths)
    same &= ~our_lost[place] & ~their_lost
    alignment = Alignment(
        gold,
        system,
        gold_words=found.gold_words,
        system_words=found.system_words,
        gold_of_system=gold_of_system,
        gold_sentences=place[same],
        system_sentences=np.flatnonzero(same),
        system_rows=np.repeat(token_rows, tokens.stop_word - tokens.first_word),
        system_sentence_rows=sentence_rows,
        gold_token_rows=ours.surface.sentence,
        system_token_rows=token_rows,
        matching_tokens=np.flatnonzero(~token_in_lost)[found.gold_tokens],
        kept=~gold.bad,
        system_differs=their_lost & ~gold.bad[sentence_rows],
        problems=tuple(_problems(ours, theirs, stretches)),
    )
    return _without_bad(alignment, lambda: their_rest.sentence[found.system_tokens])


class _Lost:
    """The stretches of the system's text that have no counterpart in the gold's."""

    def __init__(self, stretches: list[Difference]) -> None:
        ends = [[one.our_start, one.our_stop, one.their_start, one.their_stop] for one in stretches]
        self.our_start, self.our_stop, self.start, self.stop = np.array(ends, dtype=np.intp).reshape(-1, 4).T

    def is_inside(self, places: Indices) -> Flags:
        """Whether characters of the system are in such a stretch."""
        number = np.searchsorted(self.stop, places, side="right")
        return np.append(self.start, np.iinfo(np.intp).max).take(number) <= places

    def gold_places(self, places: Indices) -> Indices:
        """The characters of the gold beside characters of the system; the beginning of the stretch for lost ones."""
        number = np.searchsorted(self.stop, places, side="right")
        shift = np.append(0, self.our_stop - self.stop).take(number)
        beside: Indices = np.where(self.is_inside(places), np.append(self.our_start, 0).take(number), places + shift)
        return beside


def _rows(bounds: Indices, places: Indices) -> Indices:
    """The sentences that characters are in."""
    rows: Indices = np.minimum(np.searchsorted(bounds, places, side="right") - 1, len(bounds) - 2)
    return rows


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
        matching_tokens=alignment.matching_tokens[~bad[token_sentences()]],
    )


def _same_spans(bounds: Indices, begin: Indices, lengths: Indices) -> tuple[Indices, Flags]:
    """For each stretch of text the sentence, given by the bounds of all, that begins with it; and whether it is it."""
    place = np.minimum(np.searchsorted(bounds, begin), len(bounds) - 2)
    return place, (bounds[place] == begin) & (np.diff(bounds)[place] == lengths) & (lengths > 0)


def _problems(ours: Side, theirs: Side, stretches: list[Difference]) -> Iterator[Problem]:
    """The problems that texts differ, but for those which a bad sentence explains: of that enough has been said."""
    for one in stretches:
        first, stop = np.searchsorted(ours.bounds, [one.our_start, one.our_stop]).tolist()
        begin = int(_rows(theirs.bounds, np.array([one.their_start]))[0])
        end = max(int(np.searchsorted(theirs.bounds, one.their_stop)), begin + 1)
        is_explained = stop - first <= end - begin and bool(theirs.corpus.bad[begin:end].all())
        if not (is_explained or ours.corpus.bad[first:stop].all()):
            yield _problem(ours, theirs, one.our_place, one.their_place, begin)


def _problem(ours: Side, theirs: Side, our_place: int, their_place: int, sentence: int | None = None) -> Problem:
    """The problem that two texts differ at these characters."""
    path, line, _ = place_of_character(ours, our_place)
    found = excerpt(theirs.surface.text, their_place)
    wanted = excerpt(ours.surface.text, our_place)
    message = f"the text differs from the gold: {found} here, {wanted} at {path}:{line}"
    hint = (
        "both sides must have the same characters, apart from spaces (multiword tokens count by their surface form); "
    )
    hint += "`skip_bad=True` counts what differs as wrong"
    return Problem("K401", message, *place_of_character(theirs, their_place), hint, sentence)


def excerpt(text: str, place: int) -> str:
    """The text from a character on, as messages quote it."""
    if place >= len(text):
        return "the end"
    return repr(text[place : place + _EXCERPT]) + ("…" if place + _EXCERPT < len(text) else "")


def place_of_character(side: Side, place: int) -> tuple[str, int, int]:
    """Path, line and column of the token that holds a character, or of the last one."""
    corpus, tokens = side.corpus, side.surface
    token = min(int(np.searchsorted(tokens.start, place, side="right")) - 1, len(tokens.start) - 1)
    row = corpus.word_rows[tokens.first_word[token]] - int(tokens.is_multiword[token])
    return corpus.source.place(int(corpus.edges[corpus.names.index("form"), row]) + 1)
