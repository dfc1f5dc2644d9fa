"""Suspicious repeats as tables to work from, as JSON to compare, and as sentences with marked words."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.corpus.sentence_bytes import sentence_bounds
from karat.errors import UsageError
from karat.gold.repeats.audit import Audit, AuditItem, ItemLabelling
from karat.gold.repeats.patterns import between_spaces, cut_text
from karat.report.cut_text import ShortIds, cut_around, short_names, shortened
from karat.result import Cell, Report, Table, without_surrogates

_WIDEST, _NARROWEST, _CORPUS = 24, 14, 8  # characters of a repeat, and of a corpus's name


def audit_report(audit: Audit, *, top: int = 10) -> Report:
    """The likeliest errors, each with those that are alike behind it, at most `top` rows (0: all)."""
    if audit.n_gone is not None:
        known = audit.n_suspicious - len(audit) - (audit.n_acknowledged or 0)
        verdict = f"{len(audit):,} new, {known:,} as in the baseline, {audit.n_gone:,} of the baseline no longer there."
    else:
        share = f" ({100 * audit.n_suspicious / audit.n_repeats:.2f} %)" if audit.n_repeats else ""
        of = f"of {audit.n_repeats:,} repeats in {audit.n_tokens:,} tokens"
        verdict = f"{audit.n_suspicious:,} {of} are suspicious{share}: annotated in more than one way."
    if audit.n_acknowledged is not None:
        verdict += f" {_acknowledged(audit.n_acknowledged)}"
    if not len(audit):
        return Report([verdict], [], [_no_rows(audit)] if audit.n_gone is None else [])
    n_shown = min(top, len(audit.groups)) if top else len(audit.groups)
    notes = [
        "Likeliest errors first. score: how unexpected the rarest label of the word in brackets is (3: 1 in 1,000). "
    ]
    notes[0] += f"+ more: repeats with the same {audit.pattern_of} and labels, all in --format tsv. "
    notes[0] += "where: the end of sent_id, and the word's ID, of the first place."
    notes += _left_out(len(audit.groups) - n_shown)
    notes.append("--worklist FILE writes all for people to judge; karat correct then applies their verdicts.")
    return Report([verdict], [_finding_table(audit, n_shown)], notes)


def _acknowledged(n: int) -> str:
    if not n:
        return "None is an acknowledged exception."
    return f"{n:,} acknowledged exception{'s are' if n > 1 else ' is'} not listed."


def _no_rows(audit: Audit) -> str:
    if audit.n_suspicious:
        return "All suspicious repeats are acknowledged."
    if audit.n_repeats:
        return "All repeats are annotated consistently."
    unit = "characters" if audit.options.tokenisation else "words"
    return f"No sequence of at least {audit.options.fewest} {unit} is repeated (see --min-words)."


def _left_out(n: int) -> list[str]:
    return [f"{n:,} more row{'s' * (n > 1)}: --top 0 shows all."] if n > 0 else []


def _finding_table(audit: Audit, n: int) -> Table:
    """Of each group its best repeat: how the word that is odd is labelled, and behind that how many more there are."""
    several = len(audit.names) > 1
    corpora = dict(zip(audit.names, short_names(audit.names, _CORPUS), strict=True))
    ids = ShortIds([corpus.sent_ids.strings() for corpus in audit.text.corpora])
    items = list(audit.items(n))
    places = [list(_labelled_word(audit, item, ids)) for item in items]
    others = [
        [str(count), label, *([corpora[corpus]] if several else []), where]
        for one in places
        for label, corpus, where, count in one
    ]
    widest = _room(n, others)
    rows: list[list[Cell]] = []
    for number, (item, of_item) in enumerate(zip(items, places, strict=True), start=1):
        more = int(audit.groups.n_repeats[number - 1]) - 1
        word, labels = audit.groups.words[number - 1], audit.groups.labels[number - 1]
        like = _shown_others(more, word, "/".join(label or "–" for label in labels), widest) if more else ""
        for place, (label, corpus, where, count) in enumerate(of_item):
            head = [str(number), f"{audit.groups.score[number - 1]:.1f}", _shown_words(item, audit, widest)]
            head = head if not place else ["", "", like if place == 1 else ""]
            named = [corpora[corpus]] if several else []
            rows.append([*head, str(count), label or "–", *named, where])
    title = "suspicious repeats" if audit.n_gone is None else "new suspicious repeats"
    columns = ["#", "score", "repeat", "places", "labels", *(["corpus"] if several else []), "where"]
    return Table(columns, rows, title, whole=["repeat", "where"])


def _room(n: int, others: Sequence[Sequence[str]]) -> int:
    """How wide a repeat may be, so that the table fits 80 columns beside number, score and the cells of the others."""
    headings = ("places", "labels", *(["corpus"] if others and len(others[0]) == 4 else []), "where")
    taken = [len(str(n)), len("score"), *(max(map(len, one)) for one in zip(headings, *others, strict=True))]
    return max(_NARROWEST, min(_WIDEST, 80 - sum(one + 2 for one in taken)))


def _shown_others(n: int, word: str, labels: str, most: int) -> str:
    """That there are more such repeats: with the word and its labels, cut in the word first, which stands above."""
    begun = f"+ {n:,} more"
    room = most - len(f"{begun}:  {labels}")
    if room >= min(len(word), 2):
        return f"{begun}: {shortened(word, room)} {labels}"
    return f"{begun}: {labels}" if len(f"{begun}: {labels}") <= most else begun


def _labelled_word(audit: Audit, item: AuditItem, ids: ShortIds) -> Iterator[tuple[str, str, str, int]]:
    """The labels of the word that is odd, the commonest first: each with corpus and place of the first, and how many.

    Of tokenisation, the ways in which the text around is cut.
    """
    found: dict[str, tuple[int, int, int, int]] = {}
    for way in item.labellings:
        label = _shown_cuts(item, way) if audit.options.tokenisation else way.labels[item.position]
        first = way.places[0], way.corpora[0], way.sentences[0], way.count
        place, corpus, sentence, count = found.get(label, (*first[:3], 0))
        earliest = min((place, corpus, sentence), first[:3])
        found[label] = (*earliest, count + way.count)
    for label, (place, corpus, sentence, count) in sorted(found.items(), key=lambda one: -one[1][3]):
        word = audit.text.span(place + item.position, 1).words[0] + 1
        yield label, audit.names[corpus], f"{ids.shown(corpus, sentence)}:{word}", count


def _shown_words(item: AuditItem, audit: Audit, most: int) -> str:
    """The repeat, cut so that the word that is odd can be seen with as many beside it as there is room for."""
    if audit.options.tokenisation:
        return cut_around(list(item.words), item.position, item.position + 1, most, gap="")
    words = [f"[{word}]" if at == item.position else word for at, word in enumerate(item.words)]
    return cut_around(words, item.position, item.position + 1, most)


def _shown_cuts(item: AuditItem, way: ItemLabelling) -> str:
    first, last = between_spaces(item.words, item.position)
    return cut_text(item.words[first:last], way.labels[first:last])


# ---- for programs ----------------------------------------------------------------------------------------------------


def audit_json(audit: Audit) -> str:
    """The audit's data as JSON, every suspicious repeat on a line of its own, for diffs; only one is in memory."""
    lines = [f" {_compact(key)}: {_compact(value)}" for key, value in audit.counts_dict().items()]
    lines.append(f' "items": {_listed(audit.item_dicts())}')
    lines.append(f' "groups": {_listed(audit.group_dicts())}')
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
