"""Suspicious repeats as tables to work from, as JSON to compare, and as sentences with marked words."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.corpus.sentence_bytes import sentence_bounds
from karat.errors import UsageError
from karat.gold.repeats.audit import Audit, AuditItem, ItemLabelling
from karat.gold.repeats.patterns import cut_text
from karat.report.shown import marked_words
from karat.result import Cell, Report, Table, without_surrogates

__all__ = ["audit_json", "audit_report", "marked_sentences"]

_AROUND = {"words": 4, "characters": 16}  # shown beside what differs
_MOST_PLACES = 3  # shown of each labelling
_MOST_LETTERS = 72  # of places in a line
_LONGEST_WORD = 40


def audit_report(audit: Audit, *, top: int = 20) -> Report:
    """The likeliest errors and the patterns of change, at most `top` rows of each (0: all)."""
    if audit.n_gone is not None:
        known = audit.n_suspicious - len(audit)
        verdict = f"{len(audit):,} new, {known:,} as in the baseline, {audit.n_gone:,} of the baseline no longer there."
    else:
        share = f" ({100 * audit.n_suspicious / audit.n_repeats:.2f} %)" if audit.n_repeats else ""
        of = f"of {audit.n_repeats:,} repeats in {audit.n_tokens:,} tokens"
        verdict = f"{audit.n_suspicious:,} {of} are suspicious{share}: annotated in more than one way."
    if not len(audit):
        return Report([verdict], [], [_no_rows(audit)] if audit.n_gone is None else [])
    notes = ["Likeliest errors first. score: how unexpected the rarest label is, as a power of ten. [ ]: words whose "]
    notes[0] += "labels differ. where: sent_id:ID of the first such word."
    notes += _left_out(len(audit) - top if top else 0, "suspicious repeats")
    return Report([verdict], [_pattern_table(audit, top), _item_table(audit, top)], notes)


def _no_rows(audit: Audit) -> str:
    if audit.n_repeats:
        return "All repeats are annotated consistently."
    unit = "characters" if audit.options.tokenisation else "words"
    return f"No sequence of at least {audit.options.fewest} {unit} is repeated (see --min-words)."


def _pattern_table(audit: Audit, top: int) -> Table:
    shown = audit.patterns[: top or None]
    rows: list[list[Cell]] = [
        [one.count, one.word, f"{one.label or '–'} → {one.becomes or '–'}", one.n_repeats] for one in shown
    ]
    if audit.options.between and len(audit.names) == 2:
        what = f"from what {audit.names[0]} mostly has to what {audit.names[1]} has"
    else:
        what = "from the most frequent label of a repeat to another"
    notes = [f"places: where the second label occurs, {what}. repeats: how many of them have it."]
    notes += _left_out(len(audit.patterns) - len(shown), "patterns")
    return Table(["places", audit.pattern_of, "labels", "repeats"], rows, "patterns of change", notes)


def _left_out(n: int, what: str) -> list[str]:
    return [f"{n:,} more {what}: --top 0 shows all."] if n > 0 else []


def _item_table(audit: Audit, top: int) -> Table:
    rows: list[list[Cell]] = []
    for number, item in enumerate(audit.items(top or None), start=1):
        words = _shown_words(item, audit)
        for place, way in enumerate(item.labellings):
            head = [str(number), f"{item.score:.1f}", words] if not place else ["", "", ""]
            rows.append([*head, str(way.count), _shown_labels(item, way, audit), _shown_places(audit, item, way)])
    title = "suspicious repeats" if audit.n_gone is None else "new suspicious repeats"
    return Table(["#", "score", "repeat", "places", "labels", "where"], rows, title)


def _shown_stretch(item: AuditItem, around: int) -> tuple[int, int]:
    """The part of a repeat that is shown: what differs and some words on both sides."""
    first, last = max(item.positions[0] - around, 0), min(item.positions[-1] + around + 1, len(item.words))
    is_nearly_all = len(item.words) - (last - first) <= 2
    return (0, len(item.words)) if is_nearly_all else (first, last)


def _shown_words(item: AuditItem, audit: Audit) -> str:
    if audit.options.tokenisation:
        first, last = _shown_stretch(item, _AROUND["characters"])
        shown = "".join(item.words[first:last])
    else:
        first, last = _shown_stretch(item, _AROUND["words"])
        words = [word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…" for word in item.words[first:last]]
        shown = marked_words(words, [at - first for at in item.positions])
    return f"{'… ' if first else ''}{shown}{' …' if last < len(item.words) else ''}"


def _shown_labels(item: AuditItem, way: ItemLabelling, audit: Audit) -> str:
    if audit.options.tokenisation:
        first, last = _shown_stretch(item, _AROUND["characters"])
        return cut_text(item.words[first:last], way.labels[first:last])
    return " / ".join(way.labels[at] for at in item.positions)


def _shown_places(audit: Audit, item: AuditItem, way: ItemLabelling) -> str:
    """The first places of a labelling, sentence and word, behind their corpus where there are several."""
    several = len(audit.names) > 1
    by_corpus: dict[int, list[str]] = {}
    n_shown = n_letters = 0
    for corpus, sentence, place in zip(way.corpora, way.sentences, way.places, strict=True):
        word = audit.text.span(place + item.positions[0], 1).words[0] + 1
        where = f"{audit.sent_id(corpus, sentence) or f'#{sentence + 1}'}:{word}"
        n_letters += len(where)
        if n_shown == _MOST_PLACES or (n_shown and n_letters > _MOST_LETTERS):
            break
        by_corpus.setdefault(corpus, []).append(where)
        n_shown += 1
    parts = [(f"{audit.names[corpus]} " if several else "") + ", ".join(found) for corpus, found in by_corpus.items()]
    more = way.count - n_shown
    return "; ".join(parts) + (f", +{more:,}" if more > 0 else "")


# ---- for programs ----------------------------------------------------------------------------------------------------


def audit_json(audit: Audit) -> str:
    """The audit's data as JSON, every suspicious repeat on a line of its own, for diffs; only one is in memory."""
    lines = [f" {_compact(key)}: {_compact(value)}" for key, value in audit.counts_dict().items()]
    lines.append(f' "items": {_listed(audit.item_dicts())}')
    lines.append(f' "patterns": {_listed(audit.pattern_dicts())}')
    return without_surrogates("{\n" + ",\n".join(lines) + "\n}\n")


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _listed(entries: Iterator[dict[str, Any]]) -> str:
    lines = ",\n  ".join(map(_compact, entries))
    return f"[\n  {lines}\n ]" if lines else "[]"


# ---- sentences -------------------------------------------------------------------------------------------------------


def marked_sentences(audit: Audit) -> str:
    """The sentences of CoNLL-U with words that differ, these marked in MISC, all other bytes as they were.

    A marked word has `Suspicious=Yes` and in `SuspiciousId` the numbers, from 1, of the repeats that it differs in.
    """
    for corpus in audit.text.corpora:
        if corpus.format != "conllu":
            raise UsageError(f"{corpus.path} is not CoNLL-U: it has no MISC column to mark words in")
    text, places, numbers = audit.text, array("q"), array("q")
    for number, item in enumerate(audit.items(), start=1):
        for way in item.labellings:
            for at in item.positions:
                places.extend(place + at for place in way.places)
                numbers.extend([number] * way.count)
    at_word = text.words_at(np.array(places, dtype=np.intp))
    word, number_of = np.unique(np.stack([at_word, np.array(numbers, dtype=np.intp)]), axis=1)
    starts = text.sentence_words[text.corpus_sentences]
    edges = np.searchsorted(word, starts)
    blocks = []
    for corpus, n_before, first, stop in zip(text.corpora, starts, edges, edges[1:], strict=False):
        blocks.append(_marked(corpus, word[first:stop] - n_before, number_of[first:stop]))
    return b"".join(blocks).decode("utf-8", "replace")


def _marked(corpus: Corpus, words: Indices, numbers: Indices) -> bytes:
    """The sentences of these words, which come in order, each with the numbers that mark it."""
    marked, start = np.unique(words, return_index=True)
    ids = [",".join(map(str, part.tolist())) for part in np.split(numbers, start[1:])] if len(words) else []
    misc = corpus.spans("misc", corpus.word_rows[marked])
    buffer = corpus.source.buffer[: corpus.source.size].tobytes()
    begins, ends = sentence_bounds(buffer)
    pieces, done, behind = [], 0, 0
    for id_, value, begin, end in zip(ids, misc.strings(), misc.start.tolist(), misc.stop.tolist(), strict=True):
        if begin >= behind:  # the first of its sentence
            pieces += [buffer[done:behind], _blank_line(buffer[done:behind])]
            number = bisect_right(begins, begin) - 1
            done, behind = begins[number], ends[number]
        mark = f"Suspicious=Yes|SuspiciousId={id_}"
        pieces += [buffer[done:begin], (mark if value == "_" else f"{value}|{mark}").encode()]
        done = end
    return b"".join([*pieces, buffer[done:behind], _blank_line(buffer[done:behind])])


def _blank_line(end_of_sentence: bytes) -> bytes:
    """What is to stand between a sentence that ends so and the next one."""
    if not end_of_sentence:
        return b""
    if not end_of_sentence.endswith(b"\n"):
        return b"\n\n"
    return b"\r\n" if end_of_sentence.endswith(b"\r\n") else b"\n"
