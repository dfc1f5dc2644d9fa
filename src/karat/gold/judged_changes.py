"""What judged repeats change in a corpus: right labels put at their places, verdicts generalised, trees kept whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from karat.corpus import Corpus
from karat.corpus.analysed import tags_shown
from karat.corpus.open_verdicts import TYPO
from karat.errors import DataError, Problem, shortened
from karat.gold.correction_places import (
    JudgedPlaces,
    WantedRow,
    changes_at,
    judged_places,
    values_of,
    word_change,
)
from karat.gold.correction_results import Change, GeneralPattern, LabelPairs, Refusal
from karat.gold.placed_corrections import corrected_places, is_by_place, placed_labels_of
from karat.gold.repeats.judged_repeats import MIXED, JudgedRow, ListSettings
from karat.gold.repeats.labels import OUTSIDE
from karat.gold.repeats.repeat_places import RepeatPlaces
from karat.gold.tree_corrections import ROOT, kept_trees, relation_and_distance
from karat.gold.typos import MisspelledWord

_TREE = ("head", "deprel")


@dataclass(frozen=True, slots=True)
class MergedRows:
    """The rows of all lists that were made in the same way, each once, with the verdict of most judges."""

    settings: ListSettings
    rows: Sequence[JudgedRow]
    n_ties: int = 0
    tied: frozenset[str] = frozenset()


def _right(row: JudgedRow, columns: Sequence[str], corpus: Corpus, problems: list[Problem]) -> LabelPairs:
    """The wrong labels of a row and the right ones."""
    label = row.label
    if is_by_place(row):
        if row.verdict == MIXED:
            _refuse_misfits(
                row, [one.label for one in placed_labels_of(row, []) if not one.is_typo], columns, corpus, problems
            )
        return ()
    pairs = {
        "error-in-a": ((row.a, label or row.b),),
        "error-in-b": ((row.b, label or row.a),),
        "error-in-both": ((row.a, label), (row.b, label)),
    }.get(row.verdict, ())
    said = f"the right label {label!r}" if label else "no right label"
    if label and not pairs:
        what = f"with the verdict {row.verdict}" if row.verdict else "without a verdict"
        problems.append(
            row.problem(
                "K742",
                f"{said} {what}",
                f"a label needs the verdict error-in-a, error-in-b, error-in-both, {MIXED} or {TYPO}",
            )
        )
    elif row.verdict == "error-in-both" and not label:
        problems.append(
            row.problem("K742", "both labels are wrong, but the right one is not given", "see column label")
        )
    for wrong, right in pairs:
        if right == wrong:
            problems.append(
                row.problem("K742", f"{right!r} is judged both wrong and right", "did you mean the other side?")
            )
        elif right:
            _refuse_misfits(row, [right], columns, corpus, problems)
    return pairs


def _refuse_misfits(
    row: JudgedRow, labels: Iterable[str], columns: Sequence[str], corpus: Corpus, problems: list[Problem]
) -> None:
    """Add a problem for each label that cannot be one here."""
    problems += [
        row.problem("K742", f"{label!r} cannot be a label here", hint)
        for label in labels
        if label not in (row.a, row.b) and (hint := _misfit(label, columns, corpus)) is not None
    ]


def _misfit(label: str, columns: Sequence[str], corpus: Corpus) -> str | None:
    """What to write instead of a label that is no value of each column; None of one that is.

    Of one column, only lemmas and forms may have spaces, and what has interpretations may have several tags.
    """
    if columns == _TREE:
        hint = "write the relation and the distance of the head, such as det+1 or nsubj-2, or root"
        return hint if relation_and_distance(label) is None and label not in (OUTSIDE, ROOT) else None
    if len(columns) == 1 and (columns[0] in ("lemma", "form") or not corpus.has_fields_in_source):
        return None
    if len(label.split()) == len(columns) and " ".join(label.split()) == label:
        return None
    return f"write the labels of {' and '.join(columns)}, with a space between" if columns[1:] else ""


# ---- where it changes what -------------------------------------------------------------------------------------------


class JudgedChanges(NamedTuple):
    """What verdicts change: by word and column; patterns that were generalised; changes of heads that are not made.

    `beside` has, of each further column of a changed word, the change and the values on the other side of the repeat.
    """

    changes: dict[tuple[int, str], Change]
    patterns: list[GeneralPattern]
    refused: list[Refusal]
    beside: dict[tuple[int, str], tuple[Change, set[str]]]
    misspelled: list[MisspelledWord]


def judged_changes(
    corpus: Corpus,
    merged: Iterable[MergedRows],
    places_of: Callable[[ListSettings], RepeatPlaces],
    *,
    generalise: bool = False,
    with_columns: Sequence[str] = (),
) -> JudgedChanges:
    """What lists change in a corpus; `places_of` gives the corpus as the text in which a list's repeats were found."""
    problems: list[Problem] = []
    found = JudgedChanges({}, [], [], {}, [])
    for one in merged:
        if one.settings.of == "tokenisation":
            message = "verdicts on tokenisation cannot be applied: they do not concern a single field"
            hint = "correct these places by hand; to count the verdicts only, give no corpus"
            problems += [row.problem("K745", message, hint) for row in one.rows if row.verdict][:1]
            continue
        _take_in_list(found, corpus, one, places_of, generalise, with_columns, problems)
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line)))
    for key in [key for key, change in found.changes.items() if change.old == change.new]:
        del found.changes[key]
    _drop_broken_trees(found, corpus)
    return found


def _take_in_list(
    found: JudgedChanges,
    corpus: Corpus,
    one: MergedRows,
    places_of: Callable[[ListSettings], RepeatPlaces],
    generalise: bool,
    with_columns: Sequence[str],
    problems: list[Problem],
) -> None:
    """Take in what the rows of one list change, and those that their verdicts are generalised to."""
    columns = _TREE if one.settings.of == "dependencies" else tuple(one.settings.of.split("+"))
    judged = [WantedRow(row, _right(row, columns, corpus, problems)) for row in one.rows]
    by_place = [row for row in one.rows if is_by_place(row)]
    general = _generalised(one, judged) if generalise else []
    wanted = [*(each for each in judged if each.pairs), *(each for _, several in general for each in several)]
    if not (wanted or by_place):
        return
    places = places_of(one.settings)
    n_before = len(found.changes)
    for several in judged_places(places, wanted) if not problems else ():
        _take_in(found, corpus, columns, several, with_columns, problems)
    places.find(by_place)
    for row in by_place:
        for each in corrected_places(places, row, problems):
            if isinstance(each, MisspelledWord):
                found.misspelled.append(each)
            else:
                _take_in(found, corpus, columns, each, with_columns, problems)
    new = list(found.changes.values())[n_before:]
    counts = Counter(
        change.row.pattern
        for change in new
        if change.is_general and change.old != change.new and isinstance(change.row, JudgedRow)
    )
    found.patterns.extend(replace(each, n_changes=counts[each.word, frozenset(each.labels)]) for each, _ in general)


def _take_in(
    found: JudgedChanges,
    corpus: Corpus,
    columns: Sequence[str],
    places: JudgedPlaces,
    with_columns: Sequence[str],
    problems: list[Problem],
) -> None:
    """Take in the changes of a row at its places, and what stands on its other side."""
    values = {name: values_of(corpus, name, places.right_words) for name in with_columns if name not in columns}
    for one in changes_at(corpus, columns, places):
        if isinstance(one, Refusal):
            found.refused.append(one)
            continue
        _add(found.changes, one, problems)
        for name, there in values.items() if one.old != one.new else ():
            found.beside.setdefault((one.word, name), (one, set()))[1].update(there)


def _drop_broken_trees(found: JudgedChanges, corpus: Corpus) -> None:
    """Take back the changes of words whose new heads would break a tree."""
    heads = [change for change in found.changes.values() if change.column == "head"]
    for refusal in kept_trees(corpus, heads) if heads else ():
        found.refused.append(refusal)
        word, row = refusal.change.word, refusal.change.row
        for column in _TREE:
            if (word, column) in found.changes and found.changes[word, column].row is row:
                del found.changes[word, column]


def with_others(found: JudgedChanges, corpus: Corpus) -> tuple[list[Change], Counter[str]]:
    """Further columns that change along with what was judged; and how many words keep theirs, by column."""
    changes, n_left = [], Counter[str]()
    for (word, name), (change, values) in found.beside.items():
        if (word, name) in found.changes or found.changes.get((word, change.column)) is not change:
            continue
        new = next(iter(values)) if len(values) == 1 else ""
        if not new or (not corpus.has_fields_in_source and (new == "_" or "\t" in new)):
            n_left[name] += 1
            continue
        came_with, is_general = change.column, change.is_general
        further = word_change(corpus, word, name, new, change.row, is_general=is_general, came_with=came_with)
        changes += [further] if further.old != new else []
    return changes, n_left


def _generalised(one: MergedRows, judged: Sequence[WantedRow]) -> list[tuple[GeneralPattern, list[WantedRow]]]:
    """The judged patterns with errors, and the rows without a verdict that they decide."""
    decided: dict[tuple[str, frozenset[str]], list[WantedRow]] = {}
    others: dict[tuple[str, frozenset[str]], list[JudgedRow]] = {}
    for each in judged:
        if each.row.verdict:
            decided.setdefault(each.row.pattern, []).append(each)
        elif each.row.id not in one.tied:
            others.setdefault(each.row.pattern, []).append(each.row)
    found = []
    for pattern, several in decided.items():
        open_rows = others.get(pattern, [])
        if not open_rows or not any(each.pairs for each in several):
            continue
        ways = {frozenset(each.pairs) for each in several}
        right = several[0].pairs if len(ways) == 1 else ()
        word, (first, second) = pattern[0], sorted(pattern[1])
        general = GeneralPattern(word, (first, second), right, len(several), len(open_rows))
        found.append((general, [WantedRow(row, right, True) for row in open_rows] if right else []))
    return found


def _add(found: dict[tuple[int, str], Change], change: Change, problems: list[Problem]) -> None:
    """Take in a change; one that contradicts another is a problem, but what people judged goes before."""
    key = change.word, change.column
    former = found.setdefault(key, change)
    if former.new != change.new and former.is_general == change.is_general:
        word = f"{shortened(change.form)!r} ({change.path}:{change.line})"
        for one, other in ((former, change), (change, former)):
            by = f"by {other.row.path}:{other.row.line}"
            message = f"{word} is to be {tags_shown(one.new)}, but {tags_shown(other.new)} {by}"
            problems.append(one.row.problem("K744", message, "change the verdict of one of the two rows"))
