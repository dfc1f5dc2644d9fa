"""What a row of a worklist asks, by its kind: the choices a judge has, each with the key that makes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from karat.corpus.open_verdicts import TYPO, UNCLEAR
from karat.corpus.worklist import WorklistRow

_OPTION = re.compile(r"(\S+?)\) (.+?)(?=  \S+?\) |$)")  # `a) NOUN  b) VERB`
_REPEAT = re.compile(
    r"(.+?)  A\) (.+?), ([0-9]+) places?  B\) (.+?), ([0-9]+) places?(?:  B in (.*?): (.*))?", re.DOTALL
)
_DIGITS = "123456789"
_SPLIT = {"|": "split", "(nothing)": "not split"}  # labels of tokenisation, as rows show them


@dataclass(frozen=True, slots=True)
class Choice:
    """A verdict that a judge may give: the key that gives it, what it says, and the label that goes with it.

    `needs_label` says that the right label must be written or chosen; `label` is what is proposed for it. `asks` is
    what the label is, if anything: a label, the right form of a misspelled word, or what is right at single places.
    """

    key: str
    verdict: str
    words: str
    label: str = ""
    needs_label: bool = False
    asks: Literal["", "label", "form", "places"] = ""


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """What is asked of a row, in a sentence, and the choices; rows that ask the same thing have one `pattern`."""

    words: str
    choices: Sequence[Choice]
    pattern: str = ""


def question_of(row: WorklistRow) -> ReviewQuestion:
    """What a row asks, with the choices that say nothing of a label: a misspelled word, an unclear guideline."""
    asked = _OF_KIND.get(row.kind)
    if asked is None:
        return _any(row)
    question = asked(row)
    names = {one.verdict for one in question.choices} & {TYPO, UNCLEAR}  # annotators may be called so
    further = [one for one in (_typo(row), _UNCLEAR) if one is not None and one.verdict not in names]
    choices = [replace(one, asks="label") if one.needs_label and not one.asks else one for one in question.choices]
    return replace(question, choices=[*choices, *further])


_UNCLEAR = Choice("g", UNCLEAR, "unclear")


def _typo(row: WorklistRow) -> Choice | None:
    """That the word is misspelled; of a repeat that it is at its places; nothing of a bracket."""
    if row.kind == "bracket":
        return None
    if row.kind == "repeat" and not _has_single_place(row):
        return Choice("y", "mixed", "typo …", asks="places")
    return Choice("y", TYPO, "typo", needs_label=True, asks="form")


def _has_single_place(row: WorklistRow) -> bool:
    """Whether one side of a repeat has one place and the other several, so that a typo needs no place."""
    found = _REPEAT.fullmatch(row.shown)
    return found is not None and (found[3] == "1") != (found[5] == "1")


def every_verdict() -> Mapping[str, Sequence[str]]:
    """The verdicts that kinds allow, as their readers know them; those of adjudications come from the rows."""
    from karat.gold.judged_words import CHANGE_VERDICTS
    from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS
    from karat.measures.brackets.human_check import VERDICTS as BRACKET_VERDICTS
    from karat.noise.token_worklist import TOKEN_VERDICTS
    from karat.suspects.judged import VERDICTS as SUSPECT_VERDICTS

    known: dict[str, Sequence[str]] = {}
    for one in (BRACKET_VERDICTS, TOKEN_VERDICTS, REPEAT_VERDICTS, SUSPECT_VERDICTS, CHANGE_VERDICTS):
        known |= one
    return known


def verdicts_of(kinds: Iterable[str]) -> dict[str, Sequence[str]]:
    """The verdicts that these kinds allow, without those that karat does not know."""
    known = every_verdict()
    return {kind: known[kind] for kind in kinds if kind in known}


def _token(row: WorklistRow) -> ReviewQuestion:
    """Which of the tags shown is right: whose they are is not said."""
    tags = _OPTION.findall(row.shown)
    choices = [Choice(_DIGITS[n], letter, tag) for n, (letter, tag) in enumerate(tags[: len(_DIGITS)])]
    choices.append(Choice("0", "none", "none of these", needs_label=True))
    return ReviewQuestion(
        "Which tag is right for the marked word?", choices, " / ".join(sorted(tag for _, tag in tags))
    )


def _bracket(row: WorklistRow) -> ReviewQuestion:
    item = row.shown.partition(" ")[0]
    choices = [Choice("a", "accept", "accept: it fits the right reading"), Choice("r", "reject", "reject")]
    return ReviewQuestion("Does the marked bracket fit the right reading of the sentence?", choices, item)


def _repeat(row: WorklistRow) -> ReviewQuestion:
    """Which of two labels of a repeated word is wrong."""
    found = _REPEAT.fullmatch(row.shown)
    word, a, b = (found[1], found[2], found[4]) if found else (row.word, row.label_here, row.label_there)
    if {a, b} == {*_SPLIT}:
        return _tokenisation(word, a, b)
    choices = [
        Choice("a", "error-in-a", f"A) {a} is wrong: {b} is right", b),
        Choice("b", "error-in-b", f"B) {b} is wrong: {a} is right", a),
        Choice("o", "error-in-both", "both are wrong", needs_label=True),
        Choice("m", "ambiguity", "none is wrong: a true ambiguity"),
        Choice("x", "mixed", "mixed: decide place by place", asks="places"),
    ]
    return ReviewQuestion(f"The same words, two labels of “{word}”: which is wrong?", choices, f"{word}: {a} / {b}")


def _tokenisation(character: str, a: str, b: str) -> ReviewQuestion:
    """Which of two ways to split a text is wrong: a boundary stands before the character, or none."""
    a, b = _SPLIT[a], _SPLIT[b]
    choices = [
        Choice("a", "error-in-a", f"A) {a} is wrong"),
        Choice("b", "error-in-b", f"B) {b} is wrong"),
        Choice("m", "ambiguity", "none is wrong: a true ambiguity"),
        Choice("x", "mixed", "mixed: some places of a side are wrong"),
    ]
    words = f"The same text, split in two ways before “{character}”: which is wrong?"
    return ReviewQuestion(words, choices, f"{character}: {a} / {b}")


def _suspect(row: WorklistRow) -> ReviewQuestion:
    rather = row.label_there
    choices = [
        Choice("e", "error", f"wrong: {rather} is right" if rather else "wrong", rather, needs_label=not rather),
        Choice("o", "error", "wrong: another label is right", needs_label=True),
        Choice("r", "right", f"{row.label_here} is right"),
        Choice("m", "ambiguity", "both are possible"),
    ]
    words = f"Is {row.label_here} right for “{row.word}”?" if row.word else "Is the label of the marked word right?"
    return ReviewQuestion(words, choices if rather else choices[1:], f"{row.word}: {row.label_here} / {rather}")


def _adjudication(row: WorklistRow) -> ReviewQuestion:
    answers = _OPTION.findall(row.shown)
    choices = [Choice(_DIGITS[n], name, f"{answer} ({name})", answer) for n, (name, answer) in enumerate(answers[:9])]
    choices.append(Choice("0", "other", "another answer", needs_label=True))
    return ReviewQuestion("Annotators differ: what is right?", choices, " / ".join(answer for _, answer in answers))


def _change(row: WorklistRow) -> ReviewQuestion:
    choices = [
        Choice("n", "new", "the new one is right"),
        Choice("o", "old", "the old one was right"),
        Choice("t", "other", "neither", needs_label=True),
        Choice("m", "ambiguity", "both are possible"),
    ]
    return ReviewQuestion(f"Is this change right? {row.shown}", choices, row.shown.partition("; ")[0])


def _any(row: WorklistRow) -> ReviewQuestion:
    return ReviewQuestion(row.shown, (), row.kind)


_OF_KIND: Mapping[str, Callable[[WorklistRow], ReviewQuestion]] = {
    "token": _token,
    "bracket": _bracket,
    "repeat": _repeat,
    "suspect": _suspect,
    "adjudication": _adjudication,
    "change": _change,
}
