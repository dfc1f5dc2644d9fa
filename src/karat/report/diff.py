"""What changed between two versions of a corpus, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from karat.evaluation.comparison_results import PairResult
from karat.evaluation.plain_words import points, verdict, winner
from karat.report.cut_text import ShortIds, cut_in_the_middle, shortened
from karat.report.shown import MOST_NOTES, counted, listed
from karat.result import Cell, Report, Table
from karat.suspects.conventions import FEWEST_PLACES, LEAST_SHARE
from karat.suspects.rescored import Rescored, RescoredPair
from karat.suspects.version_results import VersionDiff, shown_change, shown_scope
from karat.suspects.version_rows import SentencePairRow, WordPlace

_WORDS, _CHANGE, _TEXT = 20, 26, 52  # characters of cells, so that tables fit 80 columns
_KINDS = {"multiword": "multiword token", "resplit": "other words"}


def diff_report(found: VersionDiff, *, top: int = 20, details: bool = False) -> Report:
    """The conventions, or where there are none the sporadic fixes; scores; with details all lists, of `top` rows."""
    tables: list[Table] = []
    if found.conventions:
        tables.append(_conventions_table(found, top))
    if found.n_sporadic and (details or not tables):
        tables.append(_sporadic_table(found, top))
    if details:
        tables += [one for one in _other_tables(found, top) if one.rows]
    if found.rescored:
        tables += _rescored_tables(found.rescored)
    notes = [*_not_compared(found), *_notes(found)]
    return Report(_verdict(found), tables, notes if details else notes[:MOST_NOTES])


# ---- in words --------------------------------------------------------------------------------------------------------


def _verdict(found: VersionDiff) -> list[str]:
    sentences = [_on_labels(found), _on_sentences(found)] if found.is_different else [_no_differences(found)]
    if found.rescored:
        sentences.append(_on_scores(found.rescored))
    return [one for one in sentences if one]


def _no_differences(found: VersionDiff) -> str:
    names = [*map(str.upper, found.columns), "words", "sentences"]
    return f"No differences in {listed(names)} ({counted(found.new.n_words, 'word')})."


def _on_labels(found: VersionDiff) -> str:
    parts = []
    if found.conventions:
        explained, n = found.n_changed - found.n_sporadic, len(found.conventions)
        explain = f"{counted(n, 'convention')} {'explains' if n == 1 else 'explain'}"
        parts.append(f"{explain} {explained:,} of {counted(found.n_changed, 'changed label')}")
    elif not found.n_changed:
        parts.append(f"No label of {counted(len(found.words.old), 'common word')} changed")
    if found.n_sporadic:
        parts.append(f"{found.n_sporadic:,} sporadic fix{'es' * (found.n_sporadic != 1)}")
    if found.n_retokenised:
        parts.append(f"{counted(found.n_retokenised, 'sentence')} retokenised")
    return "; ".join(parts) + "."


def _on_sentences(found: VersionDiff) -> str:
    """What happened to sentences and documents; empty if nothing did."""
    kinds = {
        "added": len(found.added),
        "removed": len(found.removed),
        "with another text": len(found.edited),
        "moved": len(found.moved),
        "with another sent_id": len(found.renamed),
    }
    parts = [f"{n:,} {what}" for what, n in kinds.items() if n]
    sentence = f"Sentences: {', '.join(parts)}" if parts else ""
    if found.documents:
        renamed = f"{counted(len(found.documents), 'document')} renamed"
        sentence = f"{sentence}; {renamed}" if sentence else renamed
    return f"{sentence}." if sentence else ""


def _on_scores(rescored: Rescored) -> str:
    """What scores do, by the first measure; and how many verdicts change."""
    name = next(iter(rescored.systems[0].old), None)
    if name is None:
        return "No measure has its columns in all files: systems are not scored."
    moves = [f"{one.name} {points(one.new[name].shown - one.old[name].shown)} {name}" for one in rescored.systems[:3]]
    text = f"From old to new: {listed(moves, len(rescored.systems) - 3)}."
    if rescored.pairs:
        n, of = sum(one.is_changed for one in rescored.pairs), counted(len(rescored.pairs), "verdict")
        changes = "changes" if n == 1 else "change"
        text += f" {n:,} of {of} between systems {changes}." if n else f" None of {of} between systems changes."
    return text


def _not_compared(found: VersionDiff) -> list[str]:
    return [f"{column.upper()} is only in {path}: not compared." for column, path in found.not_compared]


def _notes(found: VersionDiff) -> list[str]:
    notes = []
    if found.conventions:
        notes.append(
            f"Convention: the same change at {FEWEST_PLACES} places or more, and at {100 * LEAST_SHARE:.0f} % or more "
            "of those where it could be made. kept: places that still have the old label; --json lists them."
        )
    if found.rescored:
        left = listed(list(starmap(_left_out, zip(found.rescored.n_left_out, ("old", "new"), strict=True))))
        notes.append(f"Scores on {counted(found.rescored.n_sentences, 'sentence')} of the same text in both; {left}.")
    if found.n_changed:
        by = [f"{one.upper()} {n:,}" for one in found.columns if (n := found.n_changed_in(one))]
        notes.append(f"Changed labels: {', '.join(by)}.")
    return notes


def _left_out(n: int, which: str) -> str:
    return f"{n:,} of the {which} version left out"


# ---- tables ----------------------------------------------------------------------------------------------------------


def _more(n_all: int, n_shown: int) -> list[str]:
    return [f"{n_all - n_shown:,} more: --top 0 shows all."] if n_all > n_shown else []


def _ids(found: VersionDiff) -> ShortIds:
    return ShortIds([found.new.sent_ids.strings(), found.old.sent_ids.strings()])


def _where(ids: ShortIds, place: WordPlace) -> str:
    return f"{ids.shown(0, place.sentence - 1)}:{place.token}"


def _conventions_table(found: VersionDiff, top: int) -> Table:
    ids, chosen = _ids(found), found.conventions[: top or None]
    rows: list[list[Cell]] = [
        [
            one.column,
            shortened(shown_scope(one), _WORDS),
            cut_in_the_middle(shown_change(one.old, one.new), _CHANGE),
            len(one.places),
            len(one.unchanged),
            _where(ids, found.example(one)),
        ]
        for one in chosen
    ]
    columns = ["column", "words", "change", "places", "kept", "example"]
    return Table(columns, rows, "conventions", _more(len(found.conventions), len(chosen)), whole=["example"])


def _sporadic_table(found: VersionDiff, top: int) -> Table:
    ids = _ids(found)
    rows: list[list[Cell]] = [
        [
            _where(ids, one.place),
            shortened(one.place.form, _WORDS),
            one.column,
            cut_in_the_middle(shown_change(one.old, one.new), _CHANGE),
        ]
        for one in found.sporadic(top or None)
    ]
    columns = ["where", "word", "column", "change"]
    return Table(columns, rows, "sporadic fixes", _more(found.n_sporadic, len(rows)), whole=["where"])


def _other_tables(found: VersionDiff, top: int) -> list[Table]:
    """Other words, sentences that only one version has or that differ, documents."""
    ids, most = _ids(found), top or None
    words: list[list[Cell]] = [
        [
            _where(ids, one.place),
            _KINDS.get(one.kind, one.kind),
            shortened(" ".join(one.old), _WORDS),
            shortened(" ".join(one.new), _WORDS),
        ]
        for one in found.retokenised[:most]
    ]
    alone: list[list[Cell]] = [["removed", ids.shown(1, one.sentence - 1), _cut(one.text)] for one in found.removed]
    alone += [["added", ids.shown(0, one.sentence - 1), _cut(one.text)] for one in found.added]
    texts: list[list[Cell]] = []
    for one in found.edited:
        texts.append(["old", ids.shown(1, one.old.sentence - 1), _cut(one.old.text)])
        texts.append(["new", ids.shown(0, one.new.sentence - 1), _cut(one.new.text)])
    documents: list[list[Cell]] = [[one.old, one.new, one.sentences] for one in found.documents]
    twice = None if most is None else 2 * most
    return [
        Table(["where", "what", "old", "new"], words, "words", _more(len(found.retokenised), len(words))),
        Table(["what", "sentence", "text"], alone[:most], "sentences", _more(len(alone), len(alone[:most]))),
        Table(
            ["version", "sentence", "text"], texts[:twice], "texts", _more(len(found.edited), len(texts[:twice]) // 2)
        ),
        _pairs_table("moved", found.moved, ids, most),
        _pairs_table("sent_id", found.renamed, ids, most),
        Table(["old", "new", "sentences"], documents[:most], "documents", _more(len(documents), len(documents[:most]))),
    ]


def _cut(text: str) -> str:
    return shortened(text, _TEXT)


def _pairs_table(title: str, every: Sequence[SentencePairRow], ids: ShortIds, most: int | None) -> Table:
    rows: list[list[Cell]] = []
    for one in every[:most]:
        was, is_now = (f"{number:,} ({part})" if part else f"{number:,}" for number, part in _numbers(one))
        where = [ids.shown(1, one.old.sentence - 1), was, ids.shown(0, one.new.sentence - 1), is_now]
        rows.append([*where, shortened(one.new.text, _TEXT - 24)])
    columns = ["old sent_id", "was number", "sent_id", "is number", "text"]
    return Table(columns, rows, title, _more(len(every), len(rows)))


def _numbers(one: SentencePairRow) -> list[tuple[int, str]]:
    parts = one.parts or ("", "")
    return [(one.old.sentence, parts[0]), (one.new.sentence, parts[1])]


# ---- scores ----------------------------------------------------------------------------------------------------------


def _rescored_tables(rescored: Rescored) -> list[Table]:
    rows: list[list[Cell]] = []
    for system in rescored.systems:
        for name, old in system.old.items():
            new = system.new[name]
            rows.append([system.name, name, old.shown, new.shown, points(new.shown - old.shown)])
    tables = [Table(["system", "measure", "old", "new", "new − old"], rows, "scores on both versions", n_keys=2)]
    changed: list[list[Cell]] = [
        [one.old.measure, one.old.a, one.old.b, _concluded(one.old, one), _concluded(one.new, one)]
        for one in rescored.pairs
        if one.is_changed
    ]
    columns = ["measure", "A", "B", "by the old version", "by the new version"]
    return [*tables, *([Table(columns, changed, "verdicts that change", n_keys=3)] if changed else [])]


_CONCLUDED = {"same": "the same", "too few": "too few to tell", "border": "borderline"}


def _concluded(pair: PairResult, both: RescoredPair) -> str:
    better = winner(pair, both.level)
    found = f"{better} better" if better else _CONCLUDED.get(verdict(pair, both.level), "no clear winner")
    return f"{found} ({points(pair.factor * pair.difference)})"
