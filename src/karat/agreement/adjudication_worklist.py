"""The list of disagreements that an adjudicator decides: its rows, and what its first lines say.

A verdict is the name of the annotator who is right, or `other` with what is right in the column `label`. A list fits
the files that it was made from, in their order: its first lines have their hashes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from karat.agreement.agreement_results import Agreement
from karat.agreement.differing_items import DifferingItem, DifferingItems
from karat.corpus import Corpus, PathLike, Source, read_source
from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import OPEN_HEAD, OPEN_VERDICTS
from karat.corpus.readers.key import Keys
from karat.corpus.worklist import Worklist, WorklistRow, spoken, worklist_from_source, worklist_head
from karat.errors import DataError, Problem, UsageError, visible
from karat.signature import signature

KIND, OTHER = "adjudication", "other"
_NOTHING = "(nothing)"
_SIGNED = re.compile(r"karat:[^|]*\|verb:agree\|column:([^|]*)\|")
_ANNOTATOR = re.compile(r"\|annotator:([^|]*)@sha256:([0-9a-f]{8,64})")
LABEL = {
    "heads": "the number of the right head (0: root)",
    "las": "the right head and relation, as in 3 nsubj (0: root)",
}


def adjudication_verdicts(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """The verdicts on what these annotators wrote; a `UsageError` for names that cannot be told apart.

    Annotators may be called as an open verdict is: then it is their name.
    """
    annotators = [*map(visible, names)]
    verdicts = [*annotators, OTHER]
    same = [one for one, times in Counter(map(spoken, verdicts)).items() if times > 1]
    if same:
        raise UsageError(
            f"the verdict {same[0]!r} would have two meanings: name annotators otherwise, as in ada=a.conllu"
        )
    taken = set(map(spoken, annotators))
    return {KIND: [*verdicts, *(one for one in OPEN_VERDICTS if one not in taken)]}


def adjudication_worklist(found: Agreement) -> Worklist:
    """The disagreements that can be adjudicated, in the order of the text, one row each."""
    differing = found.disagreements
    need_fields(differing.found.read[0])
    names = adjudication_verdicts(found.names)[KIND][: len(found.names)]
    label = LABEL.get(about(found), "the right tag")
    which = "word in brackets" if found.what == "word" else "instance in the column sent_id"
    head = (
        f"Annotators differ on the {which}: who is right? "
        f"Write into the column verdict one of {', '.join(names)}; or {OTHER}, with {label} in the column label. "
        f"What is left empty is not decided. {OPEN_HEAD}"
    )
    rows = tuple(row_of(one, differing, names) for one in differing.rows if one.is_adjudicable)
    return Worklist(rows, (head, _signed(found, names)))


def _signed(found: Agreement, names: Sequence[str]) -> str:
    inputs = [("annotator", name, one.sha256()) for name, one in zip(names, found.sources, strict=True)]
    return signature("agree", [("column", about(found))], inputs)


def about(found: Agreement) -> str:
    """What is adjudicated: a column, or senses."""
    return found.column if found.what == "word" else "senses"


def row_of(item: DifferingItem, differing: DifferingItems, names: Sequence[str]) -> WorklistRow:
    """The row that asks about a disagreement of annotators with these names."""
    shown = "  ".join(
        f"{name}) {_NOTHING if text is None else text}" for name, text in zip(names, item.shown, strict=True)
    )
    path, number = differing.found.read[0].path, item.number
    return WorklistRow(f"w{item.word + 1}", KIND, path, item.sentence, number, number, item.text, shown)


def need_fields(text: Corpus | Keys) -> None:
    """A `UsageError` for a file in which no single field can be changed, before anybody has judged anything."""
    if isinstance(text, Corpus) and not text.has_fields_in_source:
        message = f"{text.path} ({text.format}) cannot be adjudicated"
        raise UsageError(f"{message}; the first annotator needs CoNLL-U, tagged text or sense keys")


def adjudication_question(names: Iterable[Sequence[str]]) -> Callable[[WorklistRow], Question | None]:
    """What a row asks: which of these answers the word in brackets has; `names` are those of all lists' annotators."""
    patterns = [
        (one, re.compile("  ".join(rf"{re.escape(name)}\) (.+?)" for name in one)))
        for one in dict.fromkeys(tuple(map(visible, several)) for several in names)
    ]

    def question(row: WorklistRow) -> Question | None:
        for annotators, pattern in patterns:
            if match := pattern.fullmatch(row.shown):
                answers = dict(zip(annotators, match.groups(), strict=True))
                meanings = {name: ("right", answer) for name, answer in answers.items() if answer != _NOTHING}
                others = {one: (one, "") for one in (OTHER, *OPEN_VERDICTS) if one not in answers}
                return Question((row.text, frozenset(answers.values())), {**meanings, **others})
        return None

    return question


# ---- what was said ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListHead:
    """What the first lines of a list say: the column, and names and hashes of the annotators."""

    column: str
    names: tuple[str, ...]
    hashes: tuple[str, ...]


def list_head(source: Source) -> ListHead:
    """What a list was made from; a `DataError` if its first lines do not say."""
    for line in worklist_head(source):
        annotators = _ANNOTATOR.findall(line)
        if (match := _SIGNED.match(line)) and annotators:
            names, hashes = zip(*annotators, strict=True)
            return ListHead(match[1], tuple(name.replace("%7C", "|") for name in names), tuple(hashes))
    message = "the first lines of this worklist do not name the annotators that it was made from"
    hint = "is it a list of karat agree? do not change the lines that start with #"
    raise DataError(Problem("K740", message, source.path, hint=hint))


def list_verdicts(path: PathLike) -> Mapping[str, Sequence[str]]:
    """The verdicts that the list in a file allows: names of its own annotators; nothing if it is no such list."""
    try:
        return adjudication_verdicts(list_head(read_source(path)).names)
    except DataError:
        return {}


def read_adjudications(paths: Iterable[PathLike]) -> list[tuple[tuple[str, ...], Worklist]]:
    """Lists of earlier disagreements, each with the names of its annotators."""
    return [(head.names, worklist) for head, worklist in map(read_list, map(read_source, paths))]


def read_list(source: Source) -> tuple[ListHead, Worklist]:
    """A list, and what it was made from."""
    head = list_head(source)
    return head, worklist_from_source(source, kinds=adjudication_verdicts(head.names))
