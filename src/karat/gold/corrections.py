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

from karat.corpus import Corpus, PathLike, changed_bytes, read, read_source
from karat.corpus.worklist import worklist_from_source
from karat.corpus.write import misread_column, part_targets, write_parts
from karat.errors import DataError, Problem, UsageError
from karat.gold.correction_results import Change, Corrections, GeneralPattern, LabelPairs
from karat.gold.heuristic_precision import heuristic_precisions
from karat.gold.repeats.judged_repeats import (
    REPEAT_VERDICTS,
    JudgedRow,
    ListSettings,
    judged_rows,
    list_settings,
    places_of_words,
    repeat_worklist,
)
from karat.gold.repeats.labels import column_labels
from karat.gold.treebank_folders import treebank_whole
from karat.signature import shown_input, signature

__all__ = ["correct", "repeat_worklist", "write_corrected"]

_NO_COLUMNS = ("dependencies", "tokenisation")


def correct(
    corpus: PathLike | Sequence[PathLike] | Corpus | None,
    judgements: PathLike | Sequence[PathLike],
    *,
    generalise: bool = False,
    level: float = 0.95,
    input: str | None = None,
    column: str = "upos",
) -> Corrections:
    """What the judged worklists of `repeat_worklist` change in a corpus; nothing is written: see `write_corrected`.

    The corpus is one of those that the lists were made from, a treebank's folder its files together; without one, only
    the precision of the heuristics is computed. Lists made from other files are refused (K740), as are rows that were
    tampered with (K741), right labels that are missing or cannot be (K742), two judgements that want different labels
    for one word (K744), and labels that are no fields (K745).
    """
    paths = [judgements] if isinstance(judgements, (str, os.PathLike)) else list(judgements)
    if not paths:
        raise UsageError("no judgements were given")
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("the same judgements are given twice; several files are several judges")
    sources = [read_source(path) for path in paths]
    worklists = [worklist_from_source(source, kinds=REPEAT_VERDICTS) for source in sources]
    lists = [(list_settings(one), judged_rows(one)) for one in worklists]
    text = None if corpus is None else _read(corpus, input, column)
    if text is not None:
        _refuse_other_files(text, [(one.path, how) for one, (how, _) in zip(worklists, lists, strict=True)])
    merged = _merged(lists)
    settings = [("judgements", ",".join(shown_input(source.path, source.sha256()) for source in sources))]
    settings += [("generalise", "yes" if generalise else "no"), ("level", repr(level))]
    inputs = [] if text is None else [("corpus", text.path, text.source.sha256())]
    changes, patterns = ([], []) if text is None else _changes(text, merged, generalise)
    rows = [row for one in merged for row in one.rows]
    return Corrections(
        text,
        generalise,
        tuple(changes),
        tuple(patterns),
        heuristic_precisions(rows, merged[0].settings, level=level) if len(merged) == 1 else (),
        len(rows),
        sum(bool(row.verdict) for row in rows),
        sum(one.n_ties for one in merged),
        sum(row.verdict == "mixed" for row in rows),
        () if text is None else _unknown(text, changes),
        tuple(_opposite(rows)),
        tuple(source.path for source in sources),
        signature("correct", settings, inputs),
    )


def _read(corpus: PathLike | Sequence[PathLike] | Corpus, input: str | None, column: str) -> Corpus:
    if not isinstance(corpus, Corpus):
        whole = treebank_whole(corpus)
        corpus = whole if isinstance(whole, Corpus) else read(whole, input=input, tag=column, trees=False)
    if not corpus.has_fields_in_source:
        raise UsageError(f"{corpus.path} ({corpus.format}) cannot be corrected; only CoNLL-U and tagged text can")
    return corpus


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


def _right(row: JudgedRow, columns: Sequence[str], problems: list[Problem]) -> LabelPairs:
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
        elif right and not _fits(right, columns):
            hint = f"write the labels of {' and '.join(columns)}, with a space between"
            problems.append(row.problem("K742", f"{right!r} cannot be a label here", hint if columns[1:] else ""))
    return pairs


def _fits(label: str, columns: Sequence[str]) -> bool:
    """Whether a label is a value of each column; of one column, only lemmas and forms may have spaces."""
    if len(columns) == 1 and columns[0] in ("lemma", "form"):
        return True
    return len(label.split()) == len(columns) and " ".join(label.split()) == label


# ---- where it changes what -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wanted:
    row: JudgedRow
    pairs: LabelPairs
    is_general: bool = False


def _changes(corpus: Corpus, merged: Sequence[_Merged], generalise: bool) -> tuple[list[Change], list[GeneralPattern]]:
    problems: list[Problem] = []
    found: dict[tuple[int, str], Change] = {}
    patterns: list[GeneralPattern] = []
    for one in merged:
        if one.settings.of in _NO_COLUMNS:
            message = f"verdicts on {one.settings.of} cannot be applied: they do not concern a single field"
            hint = "correct these places by hand; to count the verdicts only, give no corpus"
            problems += [row.problem("K745", message, hint) for row in one.rows if row.verdict][:1]
            continue
        columns = one.settings.of.split("+")
        judged = [_Wanted(row, _right(row, columns, problems)) for row in one.rows]
        general = _generalised(one, judged) if generalise else []
        wanted = [*(each for each in judged if each.pairs), *(each for _, several in general for each in several)]
        n_before = len(found)
        for change in _places(corpus, one.settings, columns, wanted) if not problems else ():
            _add(found, change, problems)
        counts = Counter(change.row.pattern for change in list(found.values())[n_before:] if change.is_general)
        patterns += [replace(one, n_changes=counts[one.word, frozenset(one.labels)]) for one, _ in general]
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line)))
    return sorted(found.values(), key=lambda change: (change.word, corpus.names.index(change.column))), patterns


def _generalised(one: _Merged, judged: Sequence[_Wanted]) -> list[tuple[GeneralPattern, list[_Wanted]]]:
    """The judged patterns with errors, and the rows without a verdict that they decide."""
    decided: dict[tuple[str, frozenset[str]], list[_Wanted]] = {}
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
        found.append((general, [_Wanted(row, right, True) for row in open_rows] if right else []))
    return found


def _places(
    corpus: Corpus, settings: ListSettings, columns: Sequence[str], wanted: Sequence[_Wanted]
) -> Iterator[Change]:
    """The changes that rows want."""
    if not wanted:
        return
    text = settings.text(corpus)
    labels = column_labels(text, columns)
    codes = {name: code for code, name in enumerate(labels.names)}
    places = places_of_words(text, [each.row.repeat for each in wanted])
    for each, starts in zip(wanted, places, strict=True):
        at = starts + each.row.position
        if len(at) and text.strings(int(at[0]), 1) != (each.row.word,):
            hint = "do not change id and shown: they say which words and labels were judged"
            raise DataError(each.row.problem("K741", "the id does not belong to the word shown", hint))
        for wrong, right in each.pairs:
            with_it = at[labels.codes[at] == codes.get(wrong, len(codes))]
            for word in text.words_at(with_it).tolist():
                values = [right] if len(columns) == 1 else right.split()
                for column, value in zip(columns, values, strict=True):
                    change = _change(corpus, word, column, value, each)
                    if change.old != value:
                        yield change


def _change(corpus: Corpus, word: int, column: str, new: str, wanted: _Wanted) -> Change:
    sentence = int(corpus.words_sentence[word])
    form, values = corpus.column("form"), corpus.column(column)
    path, line, _ = corpus.place_of_word(word)
    return Change(
        word,
        path,
        line,
        corpus.sent_id(sentence) or f"sentence {sentence + 1}",
        word - int(corpus.sentence_offsets[sentence]) + 1,
        form.vocabulary[form.ids[word]],
        column,
        values.vocabulary[values.ids[word]],
        new,
        wanted.row,
        wanted.is_general,
    )


def _add(found: dict[tuple[int, str], Change], change: Change, problems: list[Problem]) -> None:
    """Take in a change; one that contradicts another is a problem, but what people judged goes before."""
    key = change.word, change.column
    former = found.setdefault(key, change)
    if former.new != change.new and former.is_general == change.is_general:
        word = f"{change.form!r} ({change.path}:{change.line})"
        for one, other in ((former, change), (change, former)):
            message = f"{word} is to be {one.new}, but {other.new} by {other.row.path}:{other.row.line}"
            problems.append(one.row.problem("K744", message, "change the verdict of one of the two rows"))


def _unknown(corpus: Corpus, changes: Iterable[Change]) -> tuple[str, ...]:
    """Right labels that no word of the corpus has: often misspelt."""
    new = dict.fromkeys((change.column, change.new) for change in changes)
    return tuple(value for column, value in new if corpus.column(column).vocabulary.find(value) < 0)


# ---- writing it ------------------------------------------------------------------------------------------------------


def write_corrected(corrections: Corrections, path: PathLike, *, log: PathLike | None = None) -> Corrections:
    """Write the corrected corpus; the same corrections come back, with the names of its files.

    Files ending in .gz, .bz2 and .xz are compressed. A corpus of several files is written into a folder, each under
    its name. The `log` has a line for each change. What was read is never written over. All files are checked before
    the first is written: read again, they have the new values and else what they had. They appear once all of them
    are complete, or none does.
    """
    corpus = corrections.corpus
    if corpus is None:
        raise UsageError("no corpus to write")
    targets = part_targets(corpus.source, path, corrections.judgements)
    data = [changed_bytes(corpus, corrections.new_values, part=number) for number in range(len(targets))]
    _refuse_other_changes(corpus, corrections, data)
    logged = corrections.log_text.encode("utf-8", "backslashreplace")
    write_parts(path, targets, data, log=(log, logged) if log else None)
    return replace(corrections, written=tuple(targets))


def _refuse_other_changes(corpus: Corpus, corrections: Corrections, data: Sequence[bytes]) -> None:
    """A `DataError` for a label which the format of the corpus cannot hold, so that it would be read as another."""
    if not corrections.changes:
        return
    name = misread_column(corpus, corrections.new_values, data)
    if name is not None:
        row = next(change.row for change in corrections.changes if change.column == name or name == "form")
        message = f"{row.label or 'a label'!r} cannot be written in the format {corpus.format}"
        raise DataError(row.problem("K742", message, "is it misspelt?"))
