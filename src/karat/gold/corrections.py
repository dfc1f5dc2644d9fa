"""Corrections: what people judged of suspicious repeats, applied to a corpus and nothing else.

Several lists are several judges of the same rows, or lists of different rows. Where judges differ, what most of them
say counts; where no verdict has the most, the row stays open and is reported. A judged pattern is a word, its two
labels, and which of them is wrong; generalised, it holds in all rows that nobody has judged.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.corpus.analysed import AnalysedText, tags_shown
from karat.corpus.chosen_tags import corpus_of_chosen_tags
from karat.corpus.formats import ANALYSED, analysed_from_source, sniffed
from karat.corpus.new_choices import Edit
from karat.corpus.open_verdicts import TYPO, UNCLEAR
from karat.corpus.worklist import Worklist, worklist_from_source
from karat.corpus.write import edits_of
from karat.errors import DataError, Problem, UsageError, shortened
from karat.gold.correction_places import word_change
from karat.gold.correction_results import Change, Corrections
from karat.gold.heuristic_precision import heuristic_precisions
from karat.gold.judged_changes import MergedRows, judged_changes, with_others
from karat.gold.judged_words import (
    SUSPECT,
    SUSPECT_VERDICTS,
    JudgedWord,
    column_of,
    is_about_words,
    judged_words,
    words_to_correct,
)
from karat.gold.repeats.judged_repeats import (
    MIXED,
    REPEAT_VERDICTS,
    JudgedRow,
    ListSettings,
    judged_rows,
    list_settings,
)
from karat.gold.repeats.options import COLUMNS
from karat.gold.repeats.placed_labels import entries_in
from karat.gold.repeats.repeat_places import RepeatPlaces
from karat.gold.treebank_folders import treebank_whole
from karat.gold.typos import MisspelledWord, with_typos
from karat.gold.unseen_pairs import unseen_pairs
from karat.signature import shown_input, signature

WITH_COLUMNS = ("upos", "xpos", "feats", "lemma")  # what may change along with a judged column


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
    (K744), verdicts on tokenisation (K745), and places that are not those of their row (K746). Changes of heads that
    would break a tree are left out: see `refused`.
    """
    paths = [judgements] if isinstance(judgements, (str, os.PathLike)) else list(judgements)
    if not paths:
        raise UsageError("no judgements were given")
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("the same judgements are given twice; several files are several judges")
    from karat.gold.listed_typos import has_typos_only, other_verdicts

    sources = [read_source(path) for path in paths]
    kinds = {**REPEAT_VERDICTS, **SUSPECT_VERDICTS}
    worklists = [worklist_from_source(source, kinds={**kinds, **other_verdicts(source)}) for source in sources]
    for is_such, what, applied in (
        (is_about_words, "lists of suspects", _of_words),
        (has_typos_only, "the typos of other lists", _of_typos),
    ):
        if any(map(is_such, worklists)):
            if generalise or with_columns or not all(map(is_such, worklists)):
                raise UsageError(
                    f"{what} are applied alone, word by word: without other lists, `with_columns` or `generalise`"
                )
            return applied(corpus, worklists, input, column)
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
        sum(row.verdict == MIXED and not row.label for row in rows),
        (),
        tuple(_opposite(rows)),
        tuple(source.path for source in sources),
        signature("correct", settings, inputs),
        with_columns=further,
        n_unclear=sum(row.verdict == UNCLEAR for row in rows),
        verdicts=tuple(REPEAT_VERDICTS["repeat"]),
    )
    if text is None:
        return result
    found = judged_changes(
        text, merged, lambda how: RepeatPlaces(text, how), generalise=generalise, with_columns=further
    )
    others, n_left = with_others(found, text)
    of_labels = [*found.changes.values(), *others]
    changes = _all_changes(text, of_labels, found.misspelled)
    return replace(
        result,
        changes=changes,
        patterns=tuple(found.patterns),
        unknown_labels=_unknown(text, of_labels),
        refused=tuple(sorted(found.refused, key=lambda one: one.change.word)),
        n_left=n_left,
        unseen_pairs=unseen_pairs(text, of_labels),
        edits=_edits(text, analysed, changes),
    )


def _of_words(
    corpus: PathLike | Sequence[PathLike] | Corpus | None,
    worklists: Sequence[Worklist],
    input: str | None,
    column: str,
) -> Corrections:
    """What judged suspects change: the labels that are called wrong, each in its own word, and misspelled words."""
    if corpus is None:
        raise UsageError("lists of suspects say nothing about the precision of heuristics: give the corpus")
    columns = dict.fromkeys(map(column_of, worklists))
    if len(columns) > 1:
        raise UsageError(f"the lists are about different columns: {', '.join(columns)}; apply one after the other")
    (judged,) = columns
    text, analysed = _read(corpus, input, judged if judged in COLUMNS else column)
    rows = [row for one in worklists for row in judged_words(one, text)]
    wrong, n_ties = words_to_correct(rows)
    of_labels = [word_change(text, one.word, judged, one.label, one) for one in wrong if one.verdict != TYPO]
    misspelled = [one for one in wrong if one.verdict == TYPO]
    return _word_by_word(text, analysed, worklists, rows, of_labels, misspelled, n_ties, SUSPECT_VERDICTS[SUSPECT])


def _of_typos(
    corpus: PathLike | Sequence[PathLike] | Corpus | None,
    worklists: Sequence[Worklist],
    input: str | None,
    column: str,
) -> Corrections:
    """What lists of tokens, disagreements and changes say of misspelled words; nothing else of them is applied."""
    from karat.gold.listed_typos import listed_words, misspelled_by_most

    if corpus is None:
        raise UsageError("these lists say nothing about the precision of heuristics: give the corpus")
    text, analysed = _read(corpus, input, column)
    rows = [row for one in worklists for row in listed_words(one, text)]
    misspelled, n_ties = misspelled_by_most(rows)
    return _word_by_word(text, analysed, worklists, rows, [], misspelled, n_ties, [TYPO])


def _word_by_word(
    text: Corpus,
    analysed: AnalysedText | None,
    worklists: Sequence[Worklist],
    rows: Sequence[JudgedWord],
    of_labels: Sequence[Change],
    misspelled: Sequence[JudgedWord],
    n_ties: int,
    verdicts: Sequence[str],
) -> Corrections:
    """What changes single words."""
    changes = _all_changes(text, of_labels, [MisspelledWord(one.word, one.label, one) for one in misspelled])
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
        _unknown(text, of_labels),
        (),
        tuple(one.path for one in worklists),
        signed,
        unseen_pairs=unseen_pairs(text, of_labels),
        edits=_edits(text, analysed, changes),
        n_unclear=sum(row.verdict == UNCLEAR for row in rows),
        is_word_by_word=True,
        verdicts=tuple(verdicts),
    )


def _all_changes(corpus: Corpus, changes: Sequence[Change], misspelled: Iterable[MisspelledWord]) -> tuple[Change, ...]:
    """All changes in the order of the text, those that mark misspelled words too."""
    problems: list[Problem] = []
    every = with_typos(corpus, changes, misspelled, problems)
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.path, problem.line)))
    return tuple(sorted(every, key=lambda change: (change.word, corpus.names.index(change.column))))


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


def _merged(lists: Iterable[tuple[ListSettings, list[JudgedRow]]]) -> list[MergedRows]:
    of_settings: dict[ListSettings, dict[str, list[JudgedRow]]] = {}
    for settings, rows in lists:
        same = of_settings.setdefault(settings, {})
        for row in rows:
            same.setdefault(row.id, []).append(row)
    found = []
    for settings, same in of_settings.items():
        merged, tied = [], set()
        for name, rows in same.items():
            votes = Counter(map(_vote, filter(_has_vote, rows))).most_common(2)
            if len(votes) == 2 and votes[0][1] == votes[1][1]:
                tied.add(name)
                merged.append(replace(rows[0], verdict="", label=""))
            else:
                chosen = votes[0][0] if votes else ("", ())
                merged.append(next((row for row in rows if _vote(row) == chosen), rows[0]))
        found.append(MergedRows(settings, merged, len(tied), frozenset(tied)))
    return found


def _has_vote(row: JudgedRow) -> bool:
    """Whether a row's judge says anything of it; not if the guideline does not decide."""
    return bool(row.verdict or row.label) and row.verdict != UNCLEAR


def _vote(row: JudgedRow) -> tuple[str, tuple[str, ...]]:
    """What a row's judge says of it; the order of places makes no difference."""
    return row.verdict, tuple(sorted(entries_in(row.label))) if row.verdict == MIXED else (row.label,)


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
