"""What changed between two versions as a worklist: a maintainer says of each change whether it is right.

A row stands for one change of a label, of words or of a sentence's text, or for all changes of a convention: its weight
is how many these are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import OPEN_HEAD
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import shortened
from karat.gold.judged_words import CHANGE_VERDICTS
from karat.suspects.version_results import VersionDiff, shown_change, shown_scope
from karat.suspects.version_rows import WordPlace

KIND = "change"
_CONVENTION = "c"
_PLACES = "; "  # before how many places there are


def change_worklist(found: VersionDiff) -> Worklist:
    """The conventions, the one with most places first, then all other changes in the order of the new version."""
    head = (
        "What is shown changed from the old version to the new one: is that right? Write into the column verdict: new "
        "(it is right as it is now), old (it was right before), other (neither; the right label goes into the column "
        "label) or ambiguity (both are possible). A row of a convention shows one place; its weight is how many it has."
    )
    return Worklist(
        (*_conventions(found), *_labels(found), *_words(found), *_texts(found)),
        (f"{head} {OPEN_HEAD}", found.signature),
    )


def change_question(row: WorklistRow) -> Question | None:
    """What a row asks: whether this change, here or everywhere, is right."""
    if not row.shown.partition(": ")[1]:
        return None
    meanings = {one: one for one in CHANGE_VERDICTS[KIND]}
    if row.id.startswith(_CONVENTION):  # whichever place it shows
        return Question((_CONVENTION, row.shown.rpartition(_PLACES)[0]), meanings)
    return Question((row.id[:1], row.shown, row.text), meanings)


def _conventions(found: VersionDiff) -> Iterator[WorklistRow]:
    for number, one in enumerate(found.conventions, start=1):
        n_kept = f", {len(one.unchanged):,} unchanged" if one.unchanged.size else ""
        shown = f"{one.column} of {shown_scope(one)}: {shown_change(one.old, one.new)}"
        shown += f"{_PLACES}{len(one.places):,} places{n_kept}"
        yield _row(found, f"{_CONVENTION}{number}", found.example(one), shown, one.old, one.new, len(one.places))


def _labels(found: VersionDiff) -> Iterator[WorklistRow]:
    for number, one in enumerate(found.sporadic(), start=1):
        shown = f"{one.column}: {shown_change(one.old, one.new)}"
        yield _row(found, f"f{number}", one.place, shown, one.old, one.new)


def _row(
    found: VersionDiff, name: str, place: WordPlace, shown: str, old: str | None, new: str | None, weight: float = 1
) -> WorklistRow:
    words = [shortened(word) for word in found.new.words_of(place.sentence - 1)]
    words[place.token - 1] = f"[{words[place.token - 1]}]"
    sentence, path = place.sent_id or f"sentence {place.sentence}", found.new.path
    row = WorklistRow(name, KIND, path, sentence, place.token, place.token, " ".join(words), shown, float(weight))
    return replace(row, word=shortened(place.form), label_here=new or "", label_there=old or "")


def _words(found: VersionDiff) -> Iterator[WorklistRow]:
    for number, one in enumerate(found.retokenised, start=1):
        at = one.place
        words = [shortened(word) for word in found.new.words_of(at.sentence - 1)]
        first, stop = at.token - 1, at.token - 1 + len(one.new)
        words[first:stop] = [f"[{' '.join(words[first:stop])}]"]
        shown = f"{one.kind}: {shortened(' '.join(one.old))} → {shortened(' '.join(one.new))}"
        sentence = at.sent_id or f"sentence {at.sentence}"
        yield WorklistRow(f"t{number}", KIND, found.new.path, sentence, first + 1, stop, " ".join(words), shown)


def _texts(found: VersionDiff) -> Iterator[WorklistRow]:
    for number, one in enumerate(found.edited, start=1):
        now = one.new
        n_words = len(found.new.words_of(now.sentence - 1))
        sentence, shown = now.sent_id or f"sentence {now.sentence}", f"text: {one.old.text} → {now.text}"
        yield WorklistRow(f"s{number}", KIND, found.new.path, sentence, 1, n_words, now.text, shown)
