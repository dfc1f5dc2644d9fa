"""Adjudication: what people decided of disagreements, and the first annotator's file with it.

Several judged lists are several adjudicators, of whom the majority decides; where none has it, nothing is changed.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from karat.agreement.adjudication_results import AdjudicatedField, Adjudication, RefusedVerdict
from karat.agreement.adjudication_worklist import (
    LABEL,
    OTHER,
    ListHead,
    about,
    list_head,
    need_fields,
    read_list,
    row_of,
)
from karat.agreement.agreement_results import Agreement
from karat.agreement.annotators import ATTACHMENTS
from karat.agreement.differing_items import DifferingItem
from karat.corpus import Corpus, PathLike, changed_bytes, read_source
from karat.corpus.dependency_trees import refused_heads
from karat.corpus.open_verdicts import TYPO, estimated
from karat.corpus.readers.key import Keys, key_from_source
from karat.corpus.source import source_from_files
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist, WorklistRow
from karat.corpus.write import changed_key_bytes, misread_column, part_targets, write_parts
from karat.errors import DataError, Problem, UsageError

_HEAD_AND_RELATION = re.compile(r"([0-9]+)(?: (\S+))?(?: \(.*\))?", re.ASCII)


def adjudicate(found: Agreement, judgements: PathLike | Sequence[PathLike]) -> Adjudication:
    """What judged lists of disagreements change in the first annotator's file; nothing is written: `write_adjudicated`.

    A list of other files, or of another column, is refused (K740), as are rows that were tampered with (K741), labels
    that are missing or cannot be (K742), and verdicts for an annotator who has nothing there (K738). Of heads, what
    would keep a sentence from being a tree is not applied.
    """
    paths = [judgements] if isinstance(judgements, (str, os.PathLike)) else list(judgements)
    if not paths:
        raise UsageError("no judgements were given")
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("the same judgements are given twice; several files are several adjudicators")
    text = found.disagreements.found.read[0]
    need_fields(text)
    lists = []
    for path in paths:
        source = read_source(path)
        _refuse_other_files(found, list_head(source), source.path)
        lists.append(read_list(source))
    items = [one for one in found.disagreements.rows if one.is_adjudicable]
    votes = _votes(found, {f"w{one.word + 1}": one for one in items}, lists)
    chosen, n_ties = _chosen(votes)
    refused = _refused(text, chosen) if found.column in ATTACHMENTS and isinstance(text, Corpus) else []
    broken = {one.item.word for one in refused}
    kept = [one for one in chosen if one.item.word not in broken]
    decided = {one.item.word for one in chosen}
    return Adjudication(
        text,
        found.names,
        tuple(change for one in kept for change in _changes(found, text, one)),
        len(found.disagreements),
        len(kept),
        n_ties,
        tuple(one for one in items if one.word not in decided),
        tuple(refused),
        len(found.disagreements) - len(items),
        found.disagreements.n_alone,
        _unknown_labels(found, text, kept),
        tuple(worklist.path for _, worklist in lists),
        found.disagreements.paths,
    )


def _refuse_other_files(found: Agreement, head: ListHead, path: str) -> None:
    hashes = [one.sha256() for one in found.sources]
    same = len(hashes) == len(head.hashes) and all(map(str.startswith, hashes, head.hashes))
    if not same:
        message = f"this worklist was not made from {', '.join(one.path for one in found.sources)} as they are now"
        hint = "give the same files in the same order; for edited files make a new list, which takes over verdicts"
        raise DataError(Problem("K740", message, path, hint=hint))
    if head.column != about(found):
        hint = f'give the column that it was made for: `column="{head.column}"`'
        raise DataError(Problem("K740", f"this worklist is about {head.column}, not {about(found)}", path, hint=hint))


@dataclass(frozen=True, slots=True)
class _Vote:
    """What an adjudicator says is right for an item, as the first annotator's file would have it."""

    item: DifferingItem
    value: str
    path: str
    row: WorklistRow


def _votes(
    found: Agreement, items: Mapping[str, DifferingItem], lists: Iterable[tuple[ListHead, Worklist]]
) -> dict[str, list[_Vote]]:
    votes: dict[str, list[_Vote]] = {}
    problems: list[Problem] = []
    for head, worklist in lists:
        for row in worklist.rows:
            item = items.get(row.id)
            if item is None or not _is_as_written(row, row_of(item, found.disagreements, head.names)):
                hint = "do not change id, sent_id, start, end and shown: they say what was judged"
                message = (
                    "this row is not as karat wrote it"
                    if item
                    else "this row is not a disagreement between these files"
                )
                problems.append(Problem("K741", message, worklist.path, row.line, hint=hint))
                continue
            try:
                value = _value(found, item, head.names, row)
            except _BadVerdictError as bad:
                problems.append(Problem(bad.code, str(bad), worklist.path, row.line, hint=bad.hint))
                continue
            if value is not None:
                votes.setdefault(row.id, []).append(_Vote(item, value, worklist.path, row))
    if problems:
        raise DataError(problems)
    return votes


def _is_as_written(row: WorklistRow, made: WorklistRow) -> bool:
    return (row.sent_id, row.start, row.end, row.shown) == (
        plain(made.sent_id),
        made.start,
        made.end,
        plain(made.shown),
    )


class _BadVerdictError(Exception):
    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.hint = code, hint


def _value(found: Agreement, item: DifferingItem, names: Sequence[str], row: WorklistRow) -> str | None:
    """What a row says is right; None if it says nothing."""
    is_open = row.verdict not in names and not estimated(row.verdict)
    if row.label and row.verdict != OTHER and not (is_open and row.verdict == TYPO):
        what = f"with the verdict {row.verdict}" if row.verdict else "without a verdict"
        raise _BadVerdictError("K742", f"the label {row.label!r} {what}", f"a label needs the verdict {OTHER}")
    if is_open:
        return None
    if row.verdict == OTHER:
        return _labelled(found, item, row.label)
    value = item.values[list(names).index(row.verdict)]
    if value is None:
        raise _BadVerdictError("K738", f"{row.verdict} has no annotation here", f"write {OTHER} and a label instead")
    text = found.disagreements.found.read[0]
    if "\t" in value and text.format not in ("tsv", "key"):
        message = f"{' '.join(value.split())!r} of {row.verdict} cannot be written in the format {text.format}"
        raise _BadVerdictError("K742", message, f"it has one tag per word: write {OTHER} and a label instead")
    return value


def _labelled(found: Agreement, item: DifferingItem, label: str) -> str:
    """The value that a label means."""
    wanted = LABEL.get(about(found), "the right tag")
    if not label:
        raise _BadVerdictError("K742", f"{OTHER} is right, but the label is empty", f"write {wanted} into label")
    text = found.disagreements.found.read[0]
    if found.what == "word" and found.column in ATTACHMENTS:
        match = _HEAD_AND_RELATION.fullmatch(" ".join(label.split()))
        n_words = len(item.place.words)
        if match is None or (match[2] is None) == (found.column == "las"):
            raise _BadVerdictError("K742", f"{label!r} cannot be a label here", f"write {wanted}")
        if int(match[1]) > n_words or int(match[1]) == item.number:
            own = (
                "a word cannot be its own head" if int(match[1]) == item.number else f"the sentence has {n_words} words"
            )
            raise _BadVerdictError("K742", f"{match[1]} cannot be the head of word {item.number}: {own}")
        return " ".join(filter(None, (str(int(match[1])), match[2])))
    if text.format == "key":
        return label
    if text.format == "tsv":
        return "\t".join(label.split())
    if len(label.split()) > 1 and found.column != "lemma":
        raise _BadVerdictError("K742", f"{label!r} cannot be a label here: it has a space")
    return label


def _chosen(votes: Mapping[str, Sequence[_Vote]]) -> tuple[list[_Vote], int]:
    """What most adjudicators say of each item, and on how many items no value has the most votes."""
    chosen, n_ties = [], 0
    for several in votes.values():
        most = Counter(one.value for one in several).most_common(2)
        if len(most) == 2 and most[0][1] == most[1][1]:
            n_ties += 1
        else:
            chosen.append(next(one for one in several if one.value == most[0][0]))
    return sorted(chosen, key=lambda one: one.item.word), n_ties


# ---- what changes ----------------------------------------------------------------------------------------------------


def _changes(found: Agreement, text: Corpus | Keys, vote: _Vote) -> list[AdjudicatedField]:
    item = vote.item
    if isinstance(text, Keys):
        changed = {"senses": (item.values[0], vote.value)}
    elif found.column in ATTACHMENTS:
        head, _, relation = vote.value.partition(" ")
        changed = {"head": (_old(text, item, "head"), head)}
        changed |= {"deprel": (_old(text, item, "deprel"), relation)} if relation else {}
    else:
        changed = {found.column: (item.values[0], vote.value)}
    return [
        AdjudicatedField(item.word, item, column, old, new, vote.path, vote.row)
        for column, (old, new) in changed.items()
        if old != new
    ]


def _old(text: Corpus, item: DifferingItem, column: str) -> str | None:
    values = text.column(column)
    value = values.vocabulary[values.ids[item.word]]
    return None if value == "_" else value


def _refused(text: Corpus, votes: Iterable[_Vote]) -> list[RefusedVerdict]:
    """The votes for heads that would keep a sentence from being a tree."""
    assert text.heads is not None
    of_sentence: dict[int, list[_Vote]] = {}
    for one in votes:
        of_sentence.setdefault(int(text.words_sentence[one.item.word]), []).append(one)
    found = []
    for sentence, several in of_sentence.items():
        first, stop = text.sentence_offsets[sentence : sentence + 2].tolist()
        new = {one.item.word - first: int(one.value.partition(" ")[0]) for one in several}
        why = refused_heads(text.heads[first:stop], new)
        found += [
            RefusedVerdict(one.item, one.path, one.row, why[place])
            for one in several
            if (place := one.item.word - first) in why
        ]
    return found


def _unknown_labels(found: Agreement, text: Corpus | Keys, votes: Iterable[_Vote]) -> tuple[str, ...]:
    """Labels, or relations, that adjudicators wrote and no annotator did: often misspelt."""
    labels = dict.fromkeys(part for one in votes if one.row.verdict == OTHER for part in _parts(found, one.value))
    if not labels:
        return ()
    if found.column in ATTACHMENTS and isinstance(text, Corpus):
        return tuple(one for one in labels if text.column("deprel").vocabulary.find(one) < 0)
    known = {name for answers in found.disagreements.found.answers for name in answers.names}
    return tuple(one for one in labels if one not in known)


def _parts(found: Agreement, value: str) -> list[str]:
    """The tags of a value without their weights, or its relation."""
    if found.what != "word":
        return [tag.rpartition("/")[0] or tag for tag in value.split()]
    if found.column in ATTACHMENTS:
        return value.split()[1:]
    return [tag.partition(":=")[0] for tag in value.split("\t")]


def write_adjudicated(adjudication: Adjudication, path: PathLike) -> Adjudication:
    """Write the first annotator's file with the fields that were decided otherwise; all other bytes are as they were.

    Several files are written into a folder, each under its name. What was read is never written over. What is written
    has been read again before: it has the new values and else what it had.
    """
    text = adjudication.text
    targets = part_targets(text.source, path, (*adjudication.inputs, *adjudication.judgements))
    every = range(len(targets))
    if isinstance(text, Keys):
        tags = {one.thing: one.new for one in adjudication.changes}
        data = [changed_key_bytes(text, tags, part=part) for part in every]
        misread = _misread_keys(text, tags, data)
    else:
        values = {(one.thing, one.column): one.new for one in adjudication.changes}
        data = [changed_bytes(text, values, part=part) for part in every]
        misread = misread_column(text, values, data) if values else None
    if misread is not None:
        row = next(one for one in adjudication.changes if misread in (one.column, "form"))
        message = f"{row.new!r} cannot be written in the format {text.format}"
        raise DataError(Problem("K742", message, row.judgement, row.row.line, hint="is it misspelt?"))
    write_parts(path, targets, data)
    return replace(adjudication, written=tuple(targets))


def _misread_keys(keys: Keys, tags: Mapping[int, str], data: Sequence[bytes]) -> str | None:
    """That changed keys would be read otherwise than they were changed; None if they would not."""
    files = [(part.path, each) for part, each in zip(keys.source.parts, data, strict=True)]
    again = key_from_source(source_from_files(files), bad="keep")
    same = not again.problems and again.instances.strings() == keys.instances.strings()
    same = same and all(again.source.text(*again.tags_span(place)) == value for place, value in tags.items())
    return None if same else "senses"
