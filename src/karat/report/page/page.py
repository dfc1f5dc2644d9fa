"""A page from results: read the files they name, make a section of each, embed sentences, write HTML."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.errors import UsageError
from karat.report.page.cells import PageTable
from karat.report.page.command_again import command_again
from karat.report.page.headlines import headline_of
from karat.report.page.methods import methods_of
from karat.report.page.named_files import files_of
from karat.report.page.next_steps import next_steps
from karat.report.page.parts import Block, Figure, Page, Paragraphs, Section, SentenceSection
from karat.report.page.sections.any_result import any_blocks
from karat.report.page.sections.beside_baseline import baseline_blocks, change_headline
from karat.report.page.sections.comparisons import comparison_blocks
from karat.report.page.sections.corpora import (
    agreement_blocks,
    divergence_blocks,
    grid_blocks,
    grid_table_blocks,
)
from karat.report.page.sections.demo import demo_blocks
from karat.report.page.sections.gold_errors import repeat_blocks, suspect_blocks
from karat.report.page.sections.noise import estimate_blocks, noise_blocks
from karat.report.page.sections.over_treebanks import treebank_comparison_blocks, treebank_score_blocks
from karat.report.page.sections.published import published_blocks
from karat.report.page.sections.scores import score_blocks
from karat.report.page.sections.where_errors_are import error_blocks, errors_in_words
from karat.report.page.sentence_sets import SentenceSet, sentence_sets
from karat.report.page.sentences import SentenceView
from karat.report.page.treebank_results import is_over_treebanks, scored_as_0
from karat.report.shown import counted

Blocks = Callable[[str, Mapping[str, Any], Sequence[SentenceSet | None]], list[Block]]

MOST_SENTENCES = 250
_BYTES_OF_TEXT, _BYTES_OF_DRAWINGS = 1_600, 1_600  # that there is room for, for each sentence that may be embedded
_MOST_VERDICTS = 6
_MOST_NAMED = 3  # files in a title
_TITLES = {  # and what the list of contents calls them
    "score": ("Scores", "Scores"),
    "compare": ("Which differences are real", "Differences"),
    "compare-treebanks": ("Which differences are real", "Differences"),
    "demo": ("What was true, and what karat concluded", "Truth"),
    "noise": ("What errors in the gold allow", "Errors in the gold"),
    "noise-estimate": ("The real accuracy, from checked tokens", "Checked tokens"),
    "suspects": ("Where the gold may be wrong", "Suspects"),
    "repeats": ("Where the gold contradicts itself", "Repeats"),
    "diverge": ("How different the corpora are", "Divergence"),
    "agree": ("How well annotators agree", "Agreement"),
    "grid": ("Every pair of corpora", "Grid"),
    "grid-table": ("Every pair of corpora", "Grid"),
    "reproduce": ("The numbers that papers print", "Papers"),
}
_BLOCKS: dict[str, Blocks] = {
    "score": score_blocks,
    "compare": comparison_blocks,
    "compare-treebanks": treebank_comparison_blocks,
    "demo": demo_blocks,
    "noise": noise_blocks,
    "noise-estimate": estimate_blocks,
    "suspects": suspect_blocks,
    "repeats": repeat_blocks,
    "diverge": divergence_blocks,
    "agree": agreement_blocks,
    "grid": grid_blocks,
    "grid-table": grid_table_blocks,
    "reproduce": published_blocks,
}


def report_page(
    results: Sequence[Mapping[str, Any]],
    *,
    folders: Sequence[str | os.PathLike[str]] = (".",),
    baseline: Sequence[Mapping[str, Any]] = (),
    title: str = "",
    n_sentences: int = MOST_SENTENCES,
) -> Page:
    """The page of results, given as plain data.

    Sentences come from the files that the results name, looked for in `folders`, if these are as they were. `baseline`
    are earlier results, beside which these are put.
    """
    if not results:
        raise UsageError("no result was given: a report needs at least one")
    sets = sentence_sets(results, [Path(one) for one in folders], baseline)
    sections = [_section(number, result, sets.of(result)) for number, result in enumerate(results, 1)]
    if baseline:
        blocks = baseline_blocks("before", results, baseline, list(sets.sets.values()))
        sections.insert(
            0, Section("before", "Since the baseline", "Baseline", change_headline(results, baseline), blocks)
        )
    for number, one in enumerate(sets.sets.values(), 1):
        if one.evidence.systems and not one.first_annotator:
            beside = f" in {one.title}" if len(sets.sets) > 1 else ""
            blocks = _open_first(error_blocks(f"errors{number}", one))
            sections.append(
                Section(f"errors{number}", f"Where the errors are{beside}", "Errors", errors_in_words(one), blocks)
            )
    share = n_sentences // max(len(sets.sets), 1)
    sentences = [_sentences(number, one, share) for number, one in enumerate(sets.sets.values(), 1)]
    sections = _without_twins(sections)
    drawings = [block.drawing for one in sections for block in one.blocks if isinstance(block, Figure)]
    return Page(
        title or _title(results),
        _verdicts(sections),
        next_steps([(_kind(result), result) for result in results], sets),
        sections,
        sentences,
        methods_of(results, with_groups=any(one.evidence.systems for one in sets.sets.values())),
        sets.missing,
        drawings,
    )


def _verdicts(sections: Sequence[Section]) -> list[str]:
    """What to read first: the demo's story; else what differs, before scores alone, which a comparison repeats."""
    of = {one.short: one for one in sections}
    if "Truth" in of:
        return list(of["Truth"].headline)
    chosen = [one for one in sections if one.short != "Scores" or "Differences" not in of]
    lines = [(rank, place, line) for place, one in enumerate(chosen) for rank, line in enumerate(one.headline)]
    kept = sorted(lines)[:_MOST_VERDICTS]  # the first of every section, then the second ones
    return list(dict.fromkeys(line for _, _, line in sorted(kept, key=lambda one: (one[1], one[0]))))


def _without_twins(sections: Sequence[Section]) -> list[Section]:
    """The sections without drawings that a later one has too, and with more."""
    last = {block.drawing.name: block for one in sections for block in one.blocks if isinstance(block, Figure)}
    return [
        replace(one, blocks=[b for b in one.blocks if not isinstance(b, Figure) or last[b.drawing.name] is b])
        for one in sections
    ]


def _kind(result: Mapping[str, Any]) -> str:
    return str(result.get("schema", "")).removeprefix("karat/").rpartition("/")[0]


def _title(results: Sequence[Mapping[str, Any]]) -> str:
    """What the results are about: the gold, the corpora or the annotators."""
    for roles in (("gold",), ("corpus", "annotator", "old", "new"), ("train", "test")):
        named = [one.path for result in results for one in files_of(result) if one.role in roles]
        paths = list(dict.fromkeys(os.path.basename(path) or path for path in named))
        if paths:
            more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
            return f"karat: {', '.join(paths[:_MOST_NAMED])}{more}"
    return "karat report"


def _section(number: int, result: Mapping[str, Any], sentences: Sequence[SentenceSet | None]) -> Section:
    kind, name = _kind(result), f"r{number}"
    blocks_of = (
        treebank_score_blocks if kind == "score" and is_over_treebanks(result) else _BLOCKS.get(kind, any_blocks)
    )
    return Section(
        name,
        *_TITLES.get(kind, (kind.replace("-", " ").capitalize() or "Result",) * 2),
        headline_of(kind, result),
        _open_first(blocks_of(name, result, sentences)),
        [*scored_as_0(result), *(str(one) for one in result.get("warnings", ()))],
        str(result.get("signature", "")),
        str(result.get("command") or command_again(result)),
    )


def _open_first(blocks: Sequence[Block]) -> list[Block]:
    """What is shown at once before what is shown on demand."""
    return sorted(
        blocks, key=lambda one: isinstance(one, Paragraphs) or (isinstance(one, PageTable) and not one.is_open)
    )


def _with_room(found: SentenceSet, most: int) -> list[int]:
    """The sentences to embed, so many that their text is not too long."""
    n = most
    while True:
        chosen = found.lists.sentences(n)
        size = sum(found.sentences.sentence(one, drawn=False).size_of_text for one in chosen)
        if size <= most * _BYTES_OF_TEXT or n <= 1:
            return chosen
        n = min(n - 1, int(len(chosen) * most * _BYTES_OF_TEXT / size))


def _sentences(number: int, found: SentenceSet, most: int) -> SentenceSection:
    """The sentences that lists lead to, as many as there is room for, drawn while there is room for drawings."""
    chosen = _with_room(found, most)
    places = {sentence: place for place, sentence in enumerate(chosen)}
    sentences: list[SentenceView] = []
    room, n_drawn = most * _BYTES_OF_DRAWINGS, 0
    for one in chosen:
        made = found.sentences.sentence(one, drawn=room > 0 and not found.first_annotator)
        if made.size > room:
            made = replace(made, drawings=())
        room -= made.size
        n_drawn += bool(made.drawings)
        sentences.append(made)
    lists = {
        one.id: [found.lists.words_of(one.id), [places[row] for row in one.sentences.tolist() if row in places]]
        for one in found.lists
    }
    wrong = len({row for one in found.lists for row in one.sentences.tolist()})
    notes = []
    if len(chosen) < wrong:
        every = counted(wrong, "sentence")
        notes.append(f"{len(chosen):,} of the {every} that numbers lead to are embedded, some for every number.")
    if 0 < n_drawn < sum(bool(one.differences) for one in sentences):
        notes.append(f"{n_drawn:,} of them are drawn.")
    title = f"Sentences of {found.title}" if number > 1 else "Sentences"
    systems = [one.name for one in found.evidence.systems]
    first = found.first_annotator
    return SentenceSection(
        f"sentences{number}", title, first, systems, sentences, lists, [*notes, *found.evidence.notes]
    )
