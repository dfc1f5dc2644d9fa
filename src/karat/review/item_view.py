"""A row of a list with all that helps to judge it: its sentence in context, drawn, and its word at other places.

What a judge must not know is not in it: of rows that are judged blind, no tags, and no tree, whose relations would give
the tags away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from karat.corpus.open_verdicts import TYPO
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import shortened
from karat.gold.repeats.judged_repeats import ListSettings
from karat.gold.repeats.labels import OUTSIDE
from karat.report.cut_text import cut_in_the_middle
from karat.report.draw.sentence_layout import is_right_to_left
from karat.review.answers import plain_view
from karat.review.correct_preview import TOKENISATION, CorrectPreview
from karat.review.item_drawing import BracketDrawings, arcs_drawn
from karat.review.item_places import AddressedPlace, PlacesOfRepeats, ShownPlace, ShownWord, settings_of_list
from karat.review.judgements import Judgement
from karat.review.named_corpora import NamedCorpora, ReviewCorpus, named_corpora
from karat.review.questions import question_of
from karat.review.session import Review

_BLIND = ("token", "adjudication")  # kinds of which neighbours may be asked too, without their tags
_N_BEFORE, _N_AFTER = 2, 1  # sentences around
_LONGEST = 400  # characters of a sentence around
_MOST_LABELS = 2000
_MOST_EXAMPLES, _AROUND = 2, 5  # of a word at other places: examples of each label, words on both sides
_MOST_ROWS = 8  # labels of a word that are listed
_APPLIED = ("repeat", "suspect")  # kinds whose verdicts `karat correct` applies
_MARKED = "karat correct would do: as judged: CorrectForm={} into MISC, Typo=Yes into FEATS."
_CHANGING = ("error-in-a", "error-in-b", "error")
_SIDES = re.compile(r"A\) (.+?), ([0-9]+) places?  B\) (.+?), ([0-9]+) places?")
_OTHER_PLACE = re.compile(r"  B in (.*?): (.*)", re.DOTALL)
_COLUMN = re.compile(r"(upos|xpos|feats|lemma|deprel|head)(?: of .*?)?: ")
_PROBABILITY = re.compile(r"\S+ [0-9]+ %")
_TEXTS = ("gold", "corpus", "against", "new")  # roles of corpora, not of systems and annotators
_LABEL_OF_HEAD = ("deprel",)


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence beside the one that is asked about."""

    sent_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ItemContext:
    """The sentence with those around it, and the direction in which it is written."""

    words: Sequence[ShownWord]
    before: Sequence[ShownSentence] = ()
    after: Sequence[ShownSentence] = ()
    dir: str = "ltr"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A label that the word has at other places: how often, and some of these."""

    label: str
    count: int
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class ItemView:
    """What is shown of a row beside its question."""

    context: ItemContext
    drawing: str | None = None
    labels: Sequence[str] = ()
    elsewhere: Sequence[Elsewhere] = ()
    places: Sequence[ShownPlace] = ()
    n_places: int = 0
    evidence: Sequence[str] = ()
    preview: str | None = None
    all_places: Sequence[AddressedPlace] = ()

    def to_dict(self) -> dict[str, Any]:
        """As the page gets it."""
        return asdict(self)


class ItemViews:
    """The views of the rows of a list."""

    def __init__(self, corpora: NamedCorpora, settings: ListSettings | None = None) -> None:
        self.corpora = corpora
        self._repeats = PlacesOfRepeats(corpora, settings)
        self._correct = CorrectPreview(corpora, self._repeats)
        self._brackets = BracketDrawings(corpora.trees or {})

    @classmethod
    def of(cls, worklist: Worklist, *, gold: str | None = None, systems: Mapping[str, str] | None = None) -> ItemViews:
        """The views of a list, with the files given, or those that it names and that have not changed since."""
        return cls(named_corpora(worklist, gold=gold, systems=systems), settings_of_list(worklist))

    @property
    def missing(self) -> Sequence[str]:
        """Why sentences are shown without what is around them, if they are."""
        return self.corpora.missing

    def answer(self, review: Review, judge: str, item: str) -> dict[str, Any]:
        """All that is shown of an item, as the page gets it."""
        row = review.worklist.rows[review.place_of(item)]
        view = self.view(row, review.store.judgement(judge, item))
        return {**plain_view(review, judge, item), **view.to_dict(), "missing": list(self.missing)}

    def view(self, row: WorklistRow, said: Judgement | None = None) -> ItemView:
        """All that is shown of a row; without its corpus what the row itself says. `said` is the judgement so far."""
        if row.kind == "bracket":
            return ItemView(_context_of_text(row), self._brackets.drawn(row), evidence=_evidence(row))
        found = self._found(row)
        columns = self._columns(row)
        if found is None:
            context, drawing = _context_of_text(row), None
            elsewhere: Sequence[Elsewhere] = ()
        else:
            context = found.context(() if row.kind in _BLIND else columns)
            drawing = None if row.kind in _BLIND else self._drawn(row, found)
            elsewhere = self._elsewhere(found, columns)
        places = self._repeats.of(row)
        shown = places.shown or _with_sides(row, list(_places_of_text(row)))
        return ItemView(
            context,
            drawing,
            self._labels(columns),
            elsewhere,
            shown,
            places.n or len(shown),
            _evidence(row),
            self._preview(row, said),
            places.addressed,
        )

    def _columns(self, row: WorklistRow) -> Sequence[str]:
        """The columns whose labels are asked about."""
        if row.kind == "change":
            found = _COLUMN.match(row.shown)
            return () if found is None else _LABEL_OF_HEAD if found[1] == "head" else (found[1],)
        is_of_heads = self.corpora.settings.get("of") == "dependencies"
        return _LABEL_OF_HEAD if is_of_heads else self.corpora.columns

    def _found(self, row: WorklistRow) -> _FoundRow | None:
        """The place of a row in the first corpus that has its sentence with its words."""
        for one in self.corpora.corpora:
            sentence = one.sentence(row.sent_id)
            if sentence is None or (row.kind == "change" and one.role == "old"):
                continue
            found = _FoundRow(one, sentence, row)
            if found.fits:
                return found
        return None

    # ---- labels ------------------------------------------------------------------------------------------------------

    def _labels(self, columns: Sequence[str]) -> Sequence[str]:
        """The labels that can be chosen, most frequent first."""
        if columns not in self._labels_of:
            counts: Counter[str] = Counter()
            for one in self.corpora.corpora:
                if one.has(columns):
                    counts.update(one.label_counts(columns))
            self._labels_of[columns] = [label for label, _ in counts.most_common(_MOST_LABELS)]
        return self._labels_of[columns]

    @cached_property
    def _labels_of(self) -> dict[Sequence[str], Sequence[str]]:
        return {}

    def _elsewhere(self, found: _FoundRow, columns: Sequence[str]) -> Sequence[Elsewhere]:
        """The labels of the word at all other places, most frequent first, with some of these."""
        if found.word is None:
            return ()
        counts: Counter[str] = Counter()
        examples: dict[str, list[str]] = {}
        form = found.corpus.label(found.word, ("form",))
        for one in self._texts_beside(found.corpus):
            if not one.has(columns):
                continue
            words = one.places([form])
            for label, group in one.labels_of(
                words[words != found.word] if one is found.corpus else words, columns
            ).items():
                counts[label] += len(group)
                so_far = examples.setdefault(label, [])
                so_far += [_excerpt(one, word) for word in group[: _MOST_EXAMPLES - len(so_far)].tolist()]
        return [Elsewhere(label or "(nothing)", n, examples[label]) for label, n in counts.most_common(_MOST_ROWS)]

    def _texts_beside(self, corpus: ReviewCorpus) -> Iterator[ReviewCorpus]:
        """The corpora that are texts of their own, not annotations of the same one; none of an annotator's."""
        is_text = corpus.role in _TEXTS
        return (one for one in self.corpora.corpora if is_text and (one is corpus or one.role in _TEXTS))

    # ---- what karat correct would do ---------------------------------------------------------------------------------

    def _preview(self, row: WorklistRow, said: Judgement | None) -> str | None:
        """What `karat correct` would do with the verdicts that a row can have, and with the one that it has."""
        if row.kind == "repeat" and self.corpora.settings.get("of") == "tokenisation":
            return TOKENISATION
        if row.kind not in _APPLIED:
            return _MARKED.format(said.label) if said is not None and said.verdict == TYPO else None  # blind to FEATS
        choices = [one for one in question_of(row).choices if not one.needs_label and one.verdict in _CHANGING]
        found = {one.key: self._correct.of(row, one.verdict, one.label) for one in choices}
        parts = [f"{key}: {words}" for key, words in found.items() if words]
        if not parts and (sides := _SIDES.search(row.shown)) and row.kind == "repeat":
            parts = [
                f"a: {_changed(sides[1], int(sides[2]), sides[3])}",
                f"b: {_changed(sides[3], int(sides[4]), sides[1])}",
            ]
        now = self._correct.of(row, said.verdict, said.label) if said is not None and said.verdict else None
        parts += [f"as judged: {now}"] if now else []
        return f"karat correct would do: {'. '.join(parts)}." if parts else None

    # ---- drawn -------------------------------------------------------------------------------------------------------

    def _drawn(self, row: WorklistRow, found: _FoundRow) -> str | None:
        if self.corpora.settings.get("of") == "tokenisation":
            return None
        old = self.corpora.of_role("old") if row.kind == "change" else None
        other = None if old is None else (old, old.sentence(row.sent_id))
        return arcs_drawn(found.corpus, found.sentence, found.marked, other)


class _FoundRow:
    """A row's place in a corpus."""

    def __init__(self, corpus: ReviewCorpus, sentence: int, row: WorklistRow) -> None:
        self.corpus, self.sentence, self.row = corpus, sentence, row
        self.words = corpus.corpus.words_of(sentence)
        self.marked = self._marked()

    def _marked(self) -> range:
        """The words that are asked about, numbered from 0."""
        row = self.row
        if row.kind != "repeat":
            return range(row.start - 1, row.end)
        marked = [number for number, word in enumerate(_words_of_text(row)) if word.marked]
        if len(marked) == 1 and row.start - 1 <= marked[0] < row.end:
            return range(marked[0], marked[0] + 1)
        return range(row.start - 1, row.end)

    @property
    def word(self) -> int | None:
        """The word that is asked about, numbered through the corpus, if it is one."""
        return self.corpus.first_word(self.sentence) + self.marked.start if len(self.marked) == 1 else None

    @property
    def fits(self) -> bool:
        """Whether the sentence has the words that the row says."""
        if self.row.end > len(self.words):
            return False
        ours = [shortened(word) for word in self.words[self.marked.start : self.marked.stop]]
        theirs = [word.form for word in _words_of_text(self.row) if word.marked]
        return not theirs or len(ours) != len(theirs) or ours == theirs

    def context(self, columns: Sequence[str]) -> ItemContext:
        """The sentence with those around it; with labels if there are columns."""
        first = self.corpus.first_word(self.sentence)
        labelled = self.corpus.has(columns)
        is_repeat = self.row.kind == "repeat"
        words = [
            ShownWord(
                form,
                number in self.marked,
                is_repeat and self.row.start - 1 <= number < self.row.end,
                self.corpus.label(first + number, columns) if labelled else "",
            )
            for number, form in enumerate(self.words)
        ]
        before = [self._beside(number) for number in range(self.sentence - _N_BEFORE, self.sentence)]
        after = [self._beside(number) for number in range(self.sentence + 1, self.sentence + 1 + _N_AFTER)]
        return ItemContext(words, _there(before), _there(after), "rtl" if is_right_to_left(self.words) else "ltr")

    def _beside(self, sentence: int) -> ShownSentence | None:
        """A neighbour of the same document."""
        corpus = self.corpus.corpus
        if not 0 <= sentence < corpus.n_sentences:
            return None
        documents = corpus.sentence_document
        if corpus.has_documents and documents[sentence] != documents[self.sentence]:
            return None
        return ShownSentence(self.corpus.name(sentence), _cut(corpus.sentence_text(sentence)))


def _there(sentences: Sequence[ShownSentence | None]) -> Sequence[ShownSentence]:
    return [one for one in sentences if one is not None]


def _cut(text: str) -> str:
    return cut_in_the_middle(text, _LONGEST)


# ---- from the row alone ----------------------------------------------------------------------------------------------


def _context_of_text(row: WorklistRow) -> ItemContext:
    words = _words_of_text(row)
    return ItemContext(words, dir="rtl" if is_right_to_left(word.form for word in words) else "ltr")


def _words_of_text(row: WorklistRow) -> list[ShownWord]:
    """The words of a row's text, those in its marks marked."""
    if row.kind == "bracket":
        marks = "⟦⟧" if "⟦" in row.text else "[]"
        return _words_in_marks(row.text, marks, row.start - 1, n_words=row.end - row.start + 1)
    return _words_in_marks(row.text, "[]", row.start - 1 if row.kind != "repeat" else None)


def _words_in_marks(text: str, marks: str, start: int | None, *, n_words: int = 1) -> list[ShownWord]:
    """Words of a text between two marks: those that begin at word `start`, if there is a mark, else the first ones.

    A mark may be a word of the text itself: it then stands alone.
    """
    words = text.split(" ")
    opened = [n for n, word in enumerate(words) if word.startswith(marks[0]) and len(word) > 1]
    if start in opened:
        opened = [start]
    for first in opened:
        ends = (n for n in range(first, len(words)) if words[n].endswith(marks[1]) and len(words[n]) > 1)
        last = next(ends, None)
        if last is None:
            continue
        words[first], words[last] = words[first][1:], words[last][:-1] if last != first else words[first][1:-1]
        if last - first == n_words and n_words > 1:  # a label behind the mark
            del words[first]
            last -= 1
        return [ShownWord(word, first <= n <= last) for n, word in enumerate(words)]
    return [ShownWord(word) for word in words]


def _places_of_text(row: WorklistRow) -> Iterator[ShownPlace]:
    """The places of a repeat that its row shows: the first of each side."""
    sides, other = _SIDES.search(row.shown), _OTHER_PLACE.search(row.shown)
    if row.kind != "repeat" or sides is None:
        return
    yield ShownPlace(row.sent_id, _words_of_text(row), sides[1])
    if other is not None:
        yield ShownPlace(other[1], _words_in_marks(other[2], "[]", None), sides[3])


def _evidence(row: WorklistRow) -> Sequence[str]:
    """What speaks against a label, or how both sides bracket the words."""
    if row.kind == "suspect":
        inside = row.shown.partition("  (")[2].removesuffix(")")
        parts = [part for part in inside.split("; ") if part]
        return [f"tagger: {part}" if _PROBABILITY.match(part) else part for part in parts]
    if row.kind == "bracket":
        item, _, sides = row.shown.partition("; ")
        gold, mark, system = sides.partition(f"; {row.corpus}: ")
        said = {"CE": "It crosses a bracket of the gold.", "SP": "The gold does not have it; it crosses none of its."}
        said["EM"] = "The gold has it too."
        return [said.get(item, item), *filter(None, [gold, f"{row.corpus}: {system}" if mark else ""])]
    return ()


def _changed(old: str, n: int, new: str) -> str:
    """What becomes of the places of a side that is wrong."""
    places = "1 place" if n == 1 else f"{n:,} places"
    return f"{places} by hand: the head is outside" if new == OUTSIDE else f"{places} from {old} to {new}"


# ---- from a corpus ---------------------------------------------------------------------------------------------------


def _excerpt(corpus: ReviewCorpus, word: int) -> str:
    """A word with those around it."""
    sentence = int(corpus.corpus.words_sentence[word])
    forms = corpus.corpus.words_of(sentence)
    at = word - corpus.first_word(sentence)
    low, high = max(at - _AROUND, 0), min(at + _AROUND + 1, len(forms))
    words = [f"[{form}]" if number == at else form for number, form in enumerate(forms[low:high], start=low)]
    return f"{'… ' if low else ''}{' '.join(map(shortened, words))}{' …' if high < len(forms) else ''}"


def _with_sides(row: WorklistRow, places: Sequence[ShownPlace]) -> list[ShownPlace]:
    """Places with the side of their label, those of A first; a repeat may have more labels than a row compares."""
    found = _SIDES.search(row.shown)
    sides = {found[1]: "A", found[3]: "B"} if found else {}
    return sorted((replace(one, side=sides.get(one.label, "")) for one in places), key=lambda one: one.side or "C")
