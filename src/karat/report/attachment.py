"""Groups of words, and what is attached to what, for people."""

from __future__ import annotations

from karat.report.shown import counted, listed
from karat.result import Cell, Report, Table
from karat.systems.groups.found_groups import FoundGroups, GroupedSentence, ShownObject
from karat.systems.groups.syntactic_objects import WORD

_LEGEND = "Groups are in brackets: * is the semantic head, ° the syntactic head where that is another word."


def groups_report(found: FoundGroups, *, sentences: bool = True, details: bool = False) -> Report:
    """How many groups of which kind there are, and the first sentences with them; in detail, what each rule made."""
    kinds: list[list[Cell]] = [[one.kind, one.groups, one.words, one.example] for one in found.kinds]
    tables = [Table(["kind", "groups", "words", "example"], kinds)]
    if details:
        rules: list[list[Cell]] = [[one.rule, one.makes, one.groups] for one in found.rules]
        title = "What each rule made, without groups that became parts of others"
        tables.append(Table(["rule", "makes", "groups"], rules, title))
    notes = [_LEGEND, *map(shown_sentence, found.sentences)] if sentences and found.sentences else []
    return Report(_verdict(found), tables, notes)


def _verdict(found: FoundGroups) -> list[str]:
    size = f"{counted(found.corpus.n_sentences, 'sentence')}, {counted(found.corpus.n_words, 'word')}"
    if not found.n_groups:
        return [f"No groups in {found.corpus.path} ({size})."]
    ranked = sorted(found.kinds, key=lambda one: -one.groups)
    kinds = listed([f"{one.groups:,} {one.kind}" for one in ranked if one.groups])
    verdict = f"{counted(found.n_groups, 'group')} in {size}: {kinds}."
    return [verdict, f"With words outside of groups, {found.objects_per_sentence:.2f} objects per sentence."]


def shown_sentence(sentence: GroupedSentence) -> str:
    """A sentence with its groups in brackets and their heads marked."""
    shown: list[str] = []
    place = 0
    for one in sentence.objects:
        shown += sentence.forms[place : one.first - 1]  # punctuation
        words = sentence.forms[one.first - 1 : one.last]
        shown.append(words[0] if one.kind == WORD else _bracketed(one, words))
        place = one.last
    return f"{sentence.sentence}. {' '.join([*shown, *sentence.forms[place:]])}"


def _bracketed(group: ShownObject, forms: tuple[str, ...]) -> str:
    marks = {group.syntactic_head: "°", group.semantic_head: "*"}
    words = [form + marks.get(number, "") for number, form in enumerate(forms, start=group.first)]
    return f"[{group.kind}: {' '.join(words)}]"
