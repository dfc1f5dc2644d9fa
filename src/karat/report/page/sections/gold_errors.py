"""Where the gold may be wrong: what `karat suspects` and `karat repeats` found, with the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.page.cells import PageCell, PageTable, count_cell, number_cell, text_cell
from karat.report.page.parts import Block
from karat.report.page.sentence_sets import SentenceSet, first_set
from karat.report.shown import counted

Data = Mapping[str, Any]
MOST = 200


def suspect_blocks(id: str, result: Data, sets: Sequence[SentenceSet | None]) -> list[Block]:
    """The likeliest errors first, each leading to its sentence."""
    sentences = first_set(sets)
    blocks: list[Block] = []
    rate = result.get("error_rate")
    if rate:
        rows = [[text_cell("error rate of the gold"), number_cell(rate["value"]), *_ends(rate)]]
        blocks.append(PageTable(f"{id}-rate", "Error rate, in %", ["what", "estimate", "from", "to"], rows))
    rows = []
    for rank, one in enumerate(result["suspects"][:MOST], 1):
        row = [count_cell(rank), text_cell(one["form"], to=_place(one, rank, result["column"], sentences))]
        row += [text_cell(one["label"]), text_cell(one["suggested"]), text_cell(one["in_words"])]
        rows.append([*row, PageCell(f"{one['score']:.2f}", one["score"])])
    columns = ["rank", "word", result["column"], "rather", "evidence", "score"]
    n = len(result["suspects"])
    notes = [f"The first {MOST} of {n:,}."] if n > MOST else []
    notes.append("Evidence, not proof: a person must look.")
    return [*blocks, PageTable(f"{id}-suspects", "Suspects, likeliest errors first", columns, rows, notes)]


def _ends(one: Data) -> list[PageCell]:
    return [number_cell(one["lower"]), number_cell(one["upper"])]


def _place(one: Data, rank: int, column: str, sentences: SentenceSet | None) -> str:
    number = one["sentence"] - 1
    if sentences is None or not 0 <= number < sentences.evidence.gold.n_sentences:
        return ""
    rather = f", rather {one['suggested']}" if one["suggested"] else ""
    sentences.sentences.remark(
        number, one["token"], f"Suspect {rank}: {one['form']} is {one['label']}{rather} ({one['in_words']})."
    )
    words = f"suspect {rank}: {one['form']} ({column} {one['label']})"
    return sentences.lists.places(words, [number], "suspect", str(rank))


def repeat_blocks(id: str, result: Data, sets: Sequence[SentenceSet | None]) -> list[Block]:
    """The same words annotated in two ways, likeliest errors first, each leading to its places."""
    by_corpus = dict(zip(result["corpora"], sets, strict=False))
    rows = []
    for rank, one in enumerate(result["items"][:MOST], 1):
        to = _places(one, rank, by_corpus)
        found = [f"{_differing(one, labelling)} ({labelling['count']})" for labelling in one["labellings"]]
        row = [count_cell(rank), text_cell(" ".join(one["words"]), to=to), text_cell("; ".join(found))]
        row += [count_cell(sum(labelling["count"] for labelling in one["labellings"]))]
        rows.append([*row, PageCell(f"{one['score']:.2f}", one["score"])])
    columns = ["rank", "words", "labels of the words that differ (times)", "places", "score"]
    n = max(len(result["items"]), result["suspicious"] if result.get("new") is None else 0)
    notes = [f"The first {MOST} of {n:,}."] if n > MOST else []
    blocks: list[Block] = [PageTable(f"{id}-repeats", "Suspicious repeats", columns, rows, notes)]
    patterns = [
        [text_cell(one["word"]), text_cell(one["from"]), text_cell(one["to"]), count_cell(one["count"])]
        for one in result["patterns"][:MOST]
    ]
    if patterns:
        columns = ["word", "usual label", "odd label", "places"]
        blocks.append(PageTable(f"{id}-patterns", "Systematic differences", columns, patterns))
    return blocks


def _differing(one: Data, labelling: Data) -> str:
    return " ".join(labelling["labels"][place] for place in one["positions"] if place < len(labelling["labels"]))


def _places(one: Data, rank: int, sets: Mapping[str, SentenceSet | None]) -> str:
    """The list of a repeat's places in the first corpus that has any."""
    words = " ".join(one["words"])
    first = ""
    for corpus, sentences in sets.items():
        if sentences is None:
            continue
        numbers = []
        for labelling in one["labellings"]:
            for place in labelling["places"]:
                number = place["sentence"] - 1
                if place["corpus"] != corpus or not 0 <= number < sentences.evidence.gold.n_sentences:
                    continue
                numbers.append(number)
                position = one["positions"][0]
                times = counted(labelling["count"], "place")
                remark = f"Repeat {rank}: {words}, here {_differing(one, labelling)} ({times})."
                sentences.sentences.remark(number, place["token"] + position, remark)
        to = sentences.lists.places(f"repeat {rank}: {words}", numbers, "repeat", str(rank)) if numbers else ""
        first = first or to
    return first
