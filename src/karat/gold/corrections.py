"""Corrections: what people judged of suspicious repeats, applied to a corpus and nothing else.

Several lists are several judges of the same rows, or lists of different rows. Where judges differ, what most of them
say counts; where no verdict has the most, the row stays open and is reported. A judged pattern is a word, its two
labels, and which of them is wrong; generalised, it holds in all rows that nobody has judged.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.corpus.analysed import AnalysedText, tags_shown
from karat.corpus.chosen_tags import corpus_of_chosen_tags
from karat.corpus.formats import ANALYSED, analysed_from_source, sniffed
from karat.corpus.new_choices import Edit
from karat.corpus.worklist import Worklist, worklist_from_source
from karat.corpus.write import edits_of
from karat.errors import DataError, Problem, UsageError, shortened
from karat.gold.correction_places import (
    JudgedPlaces,
    WantedRow,
    changes_at,
    judged_places,
    values_of,
    word_change,
)
from karat.gold.correction_results import Change, Corrections, GeneralPattern, LabelPairs, Refusal
from karat.gold.heuristic_precision import heuristic_precisions
from karat.gold.judged_words import SUSPECT_VERDICTS, column_of, is_about_words, judged_words, words_to_correct
from karat.gold.repeats.judged_repeats import (
    REPEAT_VERDICTS,
    JudgedRow,
    ListSettings,
    judged_rows,
    list_settings,
)
from karat.gold.repeats.labels import OUTSIDE
from karat.gold.repeats.options import COLUMNS
from karat.gold.tree_corrections import ROOT, kept_trees, relation_and_distance
from karat.gold.treebank_folders import treebank_whole
from karat.gold.unseen_pairs import unseen_pairs
from karat.signature import shown_input, signature

WITH_COLUMNS = ("upos", "xpos", "feats", "lemma")  # what may change along with a judged column
_TREE = ("head", "deprel")


def correct(
    corpus: PathLike | Sequence[PathLike] | Corpus | None,
    judgements: PathLike | Sequence[PathLike],
    *,
    generalise: bool = False,
    with_columns: str | Sequence[str] = (),
    level: float = 0.95,
    input: str | None = None,
    column: str = "upos",
) -> Corrections:
    """What the judged worklists of `repeat_worklist` change in a corpus; nothing is written: see `write_corrected`.

    The corpus is one of those that the lists were made from, a treebank's folder its files together; without one, only
    the precision of the heuristics is computed. Exactly what was judged changes, and `with_columns` (names, or one
    string with commas between) where all places on the other side of the repeat have the same value.

    Lists made from other files are refused (K740), as are rows that were tampered with (K741), right labels that are
    missing, cannot be, or that the format cannot hold (K742), two judgements that want different labels for one word
    (K744), and verdicts on tokenisation (K745). Changes of heads that would break a tree are left out: see `refused`.
    """
    paths = [judgements] if isinstance(judgements, (str, os.PathLike)) else list(judgements)
    if not paths:
        raise UsageError("no judgements were given")
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("the same judgements are given twice; several files are several judges")
    sources = [read_source(path) for path in paths]
    worklists = [worklist_from_source(source, kinds={**REPEAT_VERDICTS, **SUSPECT_VERDICTS}) for source in sources]
    if any(map(is_about_words, worklists)):
        if generalise or with_columns or not all(map(is_about_words, worklists)):
            raise UsageError("lists of suspects are applied on their own, word by word: give no others, and no options")
        return _of_words(corpus, worklists, input, column)
    lists = [(list_settings(one), judged_rows(one)) for one in worklists]
    names = with_columns.lower().split(",") if with_columns and isinstance(with_columns, str) else with_columns
    further = tuple(dict.fromkeys(name.strip() for name in names))
    tag = next((how.of for how, _ in lists if how.of in COLUMNS), column)
    text, analysed = (None, None) if corpus is None else _read(corpus, input, tag)
    if text is not None:
        _refuse_other_files(text, [(one.path, how) for one, (how, _) in zip(worklists, lists, strict=True)])
        _refuse_other_columns(text, further)
    merged = _merged(lists)
    settings = [("judgements", ",".join(shown_input(source.path, source.sha256()) for source in sources))]
    settings += [("generalise", "yes" if generalise else "no"), ("level", repr(level))]
    settings += [("with", ",".join(further))] if further else []
    inputs = [] if text is None else [("corpus", text.path, text.source.sha256())]
    rows = [row for one in merged for row in one.rows]
    result = Corrections(
        text,
        generalise,
        (),
        (),
        heuristic_precisions(rows, merged[0].settings, level=level) if len(merged) == 1 else (),
        len(rows),
        sum(bool(row.verdict) for row in rows),
        sum(one.n_ties for one in merged),
        sum(row.verdict == "mixed" for row in rows),
        (),
        tuple(_opposite(rows)),
        tuple(source.path for source in sources),
        signature("correct", settings, inputs),
        with_columns=further,
    )
    if text is None:
        return result
    found = _found(text, merged, generalise, further)
    others, n_left = _with_others(found, text)
    every = [*found.changes.values(), *others]
    changes = tuple(sorted(every, key=lambda change: (change.word, text.names.index(change.column))))
    return replace(
        result,
        changes=changes,
        patterns=tuple(found.patterns),
        unknown_labels=_unknown(text, changes),
        refused=tuple(sorted(found.refused, key=lambda one: one.change.word)),
        n_left=n_left,
        unseen_pairs=unseen_pairs(text, changes),
        edits=_edits(text, analysed, changes),
    )


def _of_words(
    corpus: PathLike | Sequence[PathLike] | Corpus | None,
    worklists: Sequence[Worklist],
    input: str | None,
    column: str,
) -> Corrections:
    """What judged suspects change: the labels that are called wrong, each in its own word."""
    if corpus is None:
        raise UsageError("lists of suspects say nothing about the precision of heuristics: give the corpus")
    columns = dict.fromkeys(map(column_of, worklists))
    if len(columns) > 1:
        raise UsageError(f"the lists are about different columns: {', '.join(columns)}; apply one after the other")
    (judged,) = columns
    text, analysed = _read(corpus, input, judged if judged in COLUMNS else column)
    rows = [row for one in worklists for row in judged_words(one, text)]
    wrong, n_ties = words_to_correct(rows)
    changes = tuple(word_change(text, one.word, judged, one.label, one) for one in wrong)
    named = ",".join(shown_input(one.path, read_source(one.path).sha256()) for one in worklists)
    signed = signature("correct", [("judgements", named)], [("corpus", text.path, text.source.sha256())])
    return Corrections(
        text,
        False,
        changes,
        (),
        (),
        len(rows),
        sum(bool(row.verdict) for row in rows),
        n_ties,
        0,
        _unknown(text, changes),
        (),
        tuple(one.path for one in worklists),
        signed,
        unseen_pairs=unseen_pairs(text, changes),
        edits=_edits(text, analysed, changes),
    )


def _read(
    corpus: PathLike | Sequence[PathLike] | Corpus, input: str | None, tag: str
) -> tuple[Corpus, AnalysedText | None]:
    """The corpus, and the analysed text that it was made from if it is one."""
    if isinstance(corpus, Corpus):
        source, format_, tag = corpus.source, corpus.format, corpus.names[1]
    else:
        whole = treebank_whole(corpus)
        assert not isinstance(whole, Corpus)
        source = read_source(whole)
        format_ = input or sniffed(source)
    if format_ in ANALYSED:
        text = analysed_from_source(source, format_)
        corpus = corpus_of_chosen_tags(text, source, format_, tag=tag, with_probabilities=False, with_lemmas=True)
        return corpus, text
    return corpus if isinstance(corpus, Corpus) else corpus_from_source(
        source, input=format_, tag=tag, trees=False
    ), None


def _refuse_other_columns(corpus: Corpus, with_columns: Sequence[str]) -> None:
    for name in with_columns:
        if name not in WITH_COLUMNS:
            raise UsageError(f"{name!r} cannot change along; choose from {', '.join(WITH_COLUMNS)}")
        if not corpus.has(name):
            raise UsageError(f"{corpus.path} has no {name.upper()} that could change along")


def _refuse_other_files(corpus: Corpus, lists: Iterable[tuple[str, ListSettings]]) -> None:
    message = f"this worklist was not made from {corpus.path} as it is now"
    hint = "its first lines name the files it was made from; for other or corrected files, make a new worklist"
    if problems := [Problem("K740", message, path, hint=hint) for path, how in lists if not how.has(corpus)]:
        raise DataError(problems)


# ---- what all judges say ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Merged:
    """The rows of all lists that were made in the same way, each once, with the verdict of most judges."""

    settings: ListSettings
    rows: list[JudgedRow]
    n_ties: int
    tied: frozenset[str]


def _merged(lists: Iterable[tuple[ListSettings, list[JudgedRow]]]) -> list[_Merged]:
    of_settings: dict[ListSettings, dict[str, list[JudgedRow]]] = {}
    for settings, rows in lists:
        same = of_settings.setdefault(settings, {})
        for row in rows:
            same.setdefault(row.id, []).append(row)
    found = []
    for settings, same in of_settings.items():
        merged, tied = [], set()
        for name, rows in same.items():
            votes = Counter((row.verdict, row.label) for row in rows if row.verdict or row.label).most_common(2)
            if len(votes) == 2 and votes[0][1] == votes[1][1]:
                tied.add(name)
                merged.append(replace(rows[0], verdict="", label=""))
            else:
                chosen = votes[0][0] if votes else ("", "")
                merged.append(next((row for row in rows if (row.verdict, row.label) == chosen), rows[0]))
        found.append(_Merged(settings, merged, len(tied), frozenset(tied)))
    return found


def _opposite(rows: Iterable[JudgedRow]) -> Iterator[str]:
    """The rows whose verdict is the opposite of that of the first row with the same word and labels."""
    first: dict[tuple[str, frozenset[str]], tuple[str, JudgedRow]] = {}
    for row in rows:
        wrong = {"error-in-a": row.a, "error-in-b": row.b}.get(row.verdict)
        if wrong is None:
            continue
        before, other = first.setdefault(row.pattern, (wrong, row))
        if before != wrong:
            where = f"{other.path}:{other.line}"
            yield f"{row.path}:{row.line}: {wrong} of {row.word!r} is judged wrong here, but {before} at {where}"


def _right(row: JudgedRow, columns: Sequence[str], corpus: Corpus, problems: list[Problem]) -> LabelPairs:
    """The wrong labels of a row and the right ones."""
    label = row.label
    pairs = {
        "error-in-a": ((row.a, label or row.b),),
        "error-in-b": ((row.b, label or row.a),),
        "error-in-both": ((row.a, label), (row.b, label)),
    }.get(row.verdict, ())
    said = f"the right label {label!r}" if label else "no right label"
    if label and not pairs:
        what = f"with the verdict {row.verdict}" if row.verdict else "without a verdict"
        problems.append(
            row.problem("K742", f"{said} {what}", "a label needs the verdict error-in-a, error-in-b or error-in-both")
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
        elif right and right not in (row.a, row.b) and (hint := _misfit(right, columns, corpus)) is not None:
            problems.append(row.problem("K742", f"{right!r} cannot be a label here", hint))
    return pairs


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


class _Found(NamedTuple):
    """What verdicts change: by word and column; patterns that were generalised; changes of heads that are not made.

    `beside` has, of each further column of a changed word, the change and the values on the other side of the repeat.
    """

    changes: dict[tuple[int, str], Change]
    patterns: list[GeneralPattern]
    refused: list[Refusal]
    beside: dict[tuple[int, str], tuple[Change, set[str]]]


def _found(corpus: Corpus, merged: Sequence[_Merged], generalise: bool, with_columns: Sequence[str]) -> _Found:
    problems: list[Problem] = []
    found = _Found({}, [], [], {})
    for one in merged:
        if one.settings.of == "tokenisation":
            message = "verdicts on tokenisation cannot be applied: they do not concern a single field"
            hint = "correct these places by hand; to count the verdicts only, give no corpus"
            problems += [row.problem("K745", message, hint) for row in one.rows if row.verdict][:1]
            continue
        columns = _TREE if one.settings.of == "dependencies" else tuple(one.settings.of.split("+"))
        judged = [WantedRow(row, _right(row, columns, corpus, problems)) for row in one.rows]
        general = _generalised(one, judged) if generalise else []
        wanted = [*(each for each in judged if each.pairs), *(each for _, several in general for each in several)]
        n_before = len(found.changes)
        for places in judged_places(corpus, one.settings, wanted) if not problems else ():
            _take_in(found, corpus, columns, places, with_columns, problems)
        new = list(found.changes.values())[n_before:]
        counts = Counter(
            change.row.pattern
            for change in new
            if change.is_general and change.old != change.new and isinstance(change.row, JudgedRow)
        )
        found.patterns.extend(replace(one, n_changes=counts[one.word, frozenset(one.labels)]) for one, _ in general)
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line)))
    for key in [key for key, change in found.changes.items() if change.old == change.new]:
        del found.changes[key]
    _drop_broken_trees(found, corpus)
    return found


def _take_in(
    found: _Found,
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


def _drop_broken_trees(found: _Found, corpus: Corpus) -> None:
    """Take back the changes of words whose new heads would break a tree."""
    heads = [change for change in found.changes.values() if change.column == "head"]
    for refusal in kept_trees(corpus, heads) if heads else ():
        found.refused.append(refusal)
        word, row = refusal.change.word, refusal.change.row
        for column in _TREE:
            if (word, column) in found.changes and found.changes[word, column].row is row:
                del found.changes[word, column]


def _with_others(found: _Found, corpus: Corpus) -> tuple[list[Change], Counter[str]]:
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


def _generalised(one: _Merged, judged: Sequence[WantedRow]) -> list[tuple[GeneralPattern, list[WantedRow]]]:
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


def _unknown(corpus: Corpus, changes: Iterable[Change]) -> tuple[str, ...]:
    """Right labels that no word of the corpus has: often misspelt."""
    new = dict.fromkeys((change.column, change.new) for change in changes if change.column != "head")
    known = {column: _tags(corpus.column(column).vocabulary.strings) for column in {column for column, _ in new}}
    return tuple(tags_shown(value) for column, value in new if not _tags([value]) <= known[column])


def _tags(values: Iterable[str]) -> set[str]:
    return {tag for value in values for tag in value.split("\t")}


def _edits(corpus: Corpus, analysed: AnalysedText | None, changes: Sequence[Change]) -> tuple[Edit, ...]:
    """What changes in the bytes of the corpus; a `DataError` for labels that its format cannot hold."""
    edits, refused = edits_of(corpus, {(one.word, one.column): one.new for one in changes}, analysed)
    problems: dict[Problem, None] = {}
    for one in changes:
        if one.word in refused:
            reason, hint = refused[one.word]
            word = f"{shortened(one.form)!r} ({one.path}:{one.line})"
            message = f"{word} cannot become {tags_shown(one.new)!r} in the format {corpus.format}: {reason}"
            problems[one.row.problem("K742", message, hint)] = None
    if problems:
        raise DataError(problems)
    return tuple(edits)
