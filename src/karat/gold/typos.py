"""Words that are misspelled in the text: marked as UD does, with what they should be.

The form stays as it was written. MISC gets `CorrectForm`, FEATS `Typo=Yes`
[https://universaldependencies.org/u/overview/typos.html].
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from karat.corpus import Corpus
from karat.corpus.open_verdicts import TYPO
from karat.errors import Problem, shortened
from karat.gold.correction_places import word_change
from karat.gold.correction_results import Change
from karat.gold.judged_words import JudgedWord
from karat.gold.repeats.judged_repeats import JudgedRow

_EMPTY = "_"
_FEATURE, _FORM = "Typo", "CorrectForm"


@dataclass(frozen=True, slots=True)
class MisspelledWord:
    """A word, by its number in the corpus, its right form, and the row that says so."""

    word: int
    form: str
    row: JudgedRow | JudgedWord


def with_typo(feats: str) -> str:
    """FEATS with `Typo=Yes` at its place in the order of names, whatever their case.

    >>> with_typo("_"), with_typo("Number=Sing|VerbForm=Fin"), with_typo("Typo=Yes")
    ('Typo=Yes', 'Number=Sing|Typo=Yes|VerbForm=Fin', 'Typo=Yes')
    """
    features = [] if feats == _EMPTY else feats.split("|")
    names = [feature.partition("=")[0].lower() for feature in features]
    marked = f"{_FEATURE}=Yes"
    if _FEATURE.lower() in names:
        features[names.index(_FEATURE.lower())] = marked
    else:
        features.insert(next((n for n, name in enumerate(names) if name > _FEATURE.lower()), len(names)), marked)
    return "|".join(features)


def with_correct_form(misc: str, form: str) -> str:
    """MISC with the right form, behind what is there; one that is there already is replaced.

    >>> with_correct_form("_", "from"), with_correct_form("CorrectForm=form|SpaceAfter=No", "from")
    ('CorrectForm=from', 'CorrectForm=from|SpaceAfter=No')
    """
    entries = [] if misc == _EMPTY else misc.split("|")
    names = [entry.partition("=")[0] for entry in entries]
    place = names.index(_FORM) if _FORM in names else len(entries)
    entries[place : place + 1] = [f"{_FORM}={form}"]
    return "|".join(entries)


def with_typos(
    corpus: Corpus, changes: Sequence[Change], misspelled: Iterable[MisspelledWord], problems: list[Problem]
) -> list[Change]:
    """Changes, and those that mark misspelled words; what a word's FEATS become otherwise is kept.

    A problem for each word that the format cannot mark (K742), and for one that is to have two forms (K744).
    """
    found = {(one.word, one.column): one for one in changes}
    first: dict[int, MisspelledWord] = {}
    for one in misspelled:
        former = first.setdefault(one.word, one)
        if problem := _problem(corpus, one, former):
            problems.append(problem)
        elif former is one:
            for column in ("feats", "misc"):
                change = _change(corpus, one, column, found.get((one.word, column)))
                if change.old != change.new:
                    found[one.word, column] = change
    return list(found.values())


def _change(corpus: Corpus, one: MisspelledWord, column: str, other: Change | None) -> Change:
    old = word_change(corpus, one.word, column, "", one.row).old if other is None else other.new
    new = with_typo(old) if column == "feats" else with_correct_form(old, one.form)
    return word_change(corpus, one.word, column, new, one.row, came_with=TYPO)


def _problem(corpus: Corpus, one: MisspelledWord, former: MisspelledWord) -> Problem | None:
    if corpus.format != "conllu":
        message = f"a misspelled word cannot be marked in the format {corpus.format}"
        return one.row.problem("K742", message, "CoNLL-U has CorrectForm and Typo=Yes for it: correct it by hand")
    written = word_change(corpus, one.word, "form", one.form, one.row)
    word = f"{shortened(written.form)!r} ({written.path}:{written.line})"
    if "|" in one.form:
        return one.row.problem("K742", f"the right form {one.form!r} of {word} has a |, which MISC cannot hold")
    if written.old == one.form:
        return one.row.problem("K742", f"{word} is called misspelled, but has the form that is called right")
    if former.form != one.form:
        by = f"{former.row.path}:{former.row.line}"
        return one.row.problem("K744", f"the right form of {word} is {one.form!r} here, but {former.form!r} at {by}")
    return None
