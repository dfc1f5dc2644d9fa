"""`karat.find_groups`: the groups of a text, as a cascade of patterns makes them, and what they look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.errors import UsageError
from karat.evaluation.results import gold_dict
from karat.result import Cell, Result, Table, plain
from karat.signature import signature
from karat.systems.groups.cascade import GroupCascade, cascade_for, last_units, objects_of_units, read_cascade
from karat.systems.groups.syntactic_objects import WORD, SyntacticObjects
from karat.systems.groups.tagged_words import AGREEING, UD, TaggedWords, tagged_words
from karat.tagsets import TagMap, read_tag_map, read_tagset, unmapped_warning

SCHEMA = "karat/attach-groups/1"
SHOWN_SENTENCES = 20
_LONGEST_EXAMPLE = 60
_NO_TAG = "_"


@dataclass(frozen=True, slots=True)
class GroupKind:
    """How many groups of a kind there are, of how many words; the `example` is the first of usual length."""

    kind: str
    groups: int
    words: int
    example: str | None


@dataclass(frozen=True, slots=True)
class GroupRuleUse:
    """How many groups were made by a rule, without those that became parts of others."""

    rule: str
    makes: str
    groups: int


@dataclass(frozen=True, slots=True)
class ShownObject:
    """A syntactic object of a sentence: its words' numbers from 1, `first` to `last`, and those of its two heads."""

    kind: str
    first: int
    last: int
    syntactic_head: int
    semantic_head: int


@dataclass(frozen=True, slots=True)
class GroupedSentence:
    """A sentence with its number from 1, its words and its syntactic objects; punctuation outside of groups is none."""

    sent_id: str | None
    sentence: int
    forms: tuple[str, ...]
    objects: tuple[ShownObject, ...]


@dataclass(frozen=True, eq=False, repr=False)
class FoundGroups(Result):
    """The syntactic objects of a text: groups, and the words outside of them.

    `n_of_rules` says how many groups each rule made that are not parts of others. `limit` sentences are shown, all of
    them if it is 0. `warnings` say what must not be overlooked.
    """

    corpus: Corpus
    cascade: GroupCascade
    objects: SyntacticObjects
    n_of_rules: tuple[int, ...]
    limit: int = SHOWN_SENTENCES
    settings: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """Which groups were looked for, in what."""
        source = self.corpus.source
        return signature("attach-groups", self.settings, [("corpus", source.path, source.sha256())])

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return ((self.corpus.path, self.corpus.format),)

    @property
    def n_groups(self) -> int:
        return int(sum(self.n_of_rules))

    @property
    def objects_per_sentence(self) -> float | None:
        """The mean number of objects of sentences; None without sentences."""
        n = self.corpus.n_sentences
        return len(self.objects) / n if n else None

    @cached_property
    def kinds(self) -> tuple[GroupKind, ...]:
        """The kinds of groups, in the order in which the cascade first makes them."""
        objects, n_kinds = self.objects, len(self.objects.names)
        sizes = objects.stop - objects.start
        groups = np.bincount(objects.kinds, minlength=n_kinds)
        words = np.bincount(objects.kinds, weights=sizes, minlength=n_kinds)
        return tuple(
            GroupKind(name, int(groups[kind]), int(words[kind]), self._example(kind))
            for kind, name in enumerate(objects.names)
            if name != WORD
        )

    def _example(self, kind: int) -> str | None:
        """The first group of a kind that has as many words as most of them."""
        places = np.flatnonzero(self.objects.kinds == kind)
        if not len(places):
            return None
        sizes = (self.objects.stop - self.objects.start).take(places)
        usual = int(np.bincount(sizes).argmax())
        place = int(places[int((sizes == usual).argmax())])
        text = " ".join(self._forms(int(self.objects.start[place]), int(self.objects.stop[place])))
        return text if len(text) <= _LONGEST_EXAMPLE else text[: _LONGEST_EXAMPLE - 1] + "…"

    @property
    def rules(self) -> tuple[GroupRuleUse, ...]:
        """The rules of the cascade, in their order."""
        pairs = zip(self.cascade.rules, self.n_of_rules, strict=True)
        return tuple(GroupRuleUse(rule.name, rule.makes, n) for rule, n in pairs)

    @cached_property
    def sentences(self) -> tuple[GroupedSentence, ...]:
        """The first sentences with their objects."""
        n = self.corpus.n_sentences
        return tuple(self._sentence(number) for number in range(min(n, self.limit) if self.limit else n))

    def _sentence(self, number: int) -> GroupedSentence:
        bounds, objects = self.corpus.sentence_offsets, self.objects
        first, stop = int(bounds[number]), int(bounds[number + 1])
        shown = tuple(
            ShownObject(
                objects.names[objects.kinds[one]],
                int(objects.start[one]) - first + 1,
                int(objects.stop[one]) - first,
                int(objects.syntactic[one]) - first + 1,
                int(objects.semantic[one]) - first + 1,
            )
            for one in range(int(objects.offsets[number]), int(objects.offsets[number + 1]))
        )
        return GroupedSentence(self.corpus.sent_id(number), number + 1, tuple(self._forms(first, stop)), shown)

    def _forms(self, start: int, stop: int) -> list[str]:
        forms = self.objects.words.forms
        return [forms.names[one] for one in forms.ids[start:stop].tolist()]

    def to_dict(self) -> dict[str, Any]:
        """The groups of each kind and of each rule, and the first sentences with their objects."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "corpus": gold_dict(self.corpus),
            "tagset": self.objects.words.tagset,
            "rules_from": self.cascade.name,
            "groups": self.n_groups,
            "objects": len(self.objects),
            "objects_per_sentence": self.objects_per_sentence,
            "kinds": plain(self.kinds),
            "rules": plain(self.rules),
            "sentences": plain(self.sentences),
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """The groups of the first sentences, one in a row; words alone are left out."""
        columns = ["sentence", "kind", "first", "last", "syntactic_head", "semantic_head", "text"]
        rows: list[list[Cell]] = [
            [
                *(one.sentence, of.kind, of.first, of.last, of.syntactic_head, of.semantic_head),
                " ".join(one.forms[of.first - 1 : of.last]),
            ]
            for one in self.sentences
            for of in one.objects
            if of.kind != WORD
        ]
        return Table(columns, rows)


def find_groups(
    corpus: Corpus | PathLike | Sequence[PathLike],
    *,
    groups: PathLike | GroupCascade | None = None,
    tagset: str | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    limit: int = SHOWN_SENTENCES,
    input: str | None = None,
) -> FoundGroups:
    """The groups of a text: prepositional, nominal, verbal and so on, each with a syntactic and a semantic head.

    Words are grouped by a cascade of patterns over tags, as by the shallow parser of Slaski, Acedański & Przepiórkowski
    2012: `nkjp` or `ud`, or one of a TOML file (`groups`; by default the one for the tagset). The `tagset` is that of
    XPOS, or `ud` for UPOS with FEATS; by default nkjp where XPOS has its tags, else ud. A `map` is applied to XPOS
    before. `limit` says how many sentences the result shows, 0 all.
    """
    if limit < 0:
        raise UsageError(f"limit {limit}: give a number of sentences, or 0 for all")
    cascade = None if groups is None else read_cascade(groups)
    mapping = None if map is None else read_tag_map(map)
    text = corpus if isinstance(corpus, Corpus) else _read(corpus, input, tagset, mapping)
    mapped, warnings = _mapped(text, tagset, mapping)
    words = tagged_words(mapped, tagset=tagset)
    if cascade is None:
        cascade = cascade_for(words)
    units = last_units(words, cascade)
    n_of_rules = np.bincount(units.rules[units.rules >= 0], minlength=len(cascade.rules))
    settings = [("tagset", words.tagset), ("groups", cascade.signed)]
    settings += [("map", mapping.signed)] if mapping else []
    return FoundGroups(
        text,
        cascade,
        objects_of_units(words, cascade, units),
        tuple(n_of_rules.tolist()),
        limit,
        tuple(settings),
        (*(str(odd) for odd in text.oddities), *warnings, *missing_in(words, cascade)),
    )


def _read(
    paths: PathLike | Sequence[PathLike], input: str | None, tagset: str | None, mapping: TagMap | None
) -> Corpus:
    """The text; tags of plain tagged text are XPOS, or UPOS if they are UD's or become such."""
    source = read_source(paths)
    tag = "upos" if tagset == UD or (mapping and mapping.from_xpos) else "xpos"
    text = corpus_from_source(source, input=input, tag=tag, trees=False)
    is_plain = tagset is None and tag == "xpos" and text.format in ("tsv", "slash")
    if is_plain and set(text.column("xpos").vocabulary.strings) <= {*read_tagset(UD).slots, _NO_TAG}:
        return corpus_from_source(source, input=input, tag="upos", trees=False)
    return text


def _mapped(text: Corpus, tagset: str | None, mapping: TagMap | None) -> tuple[Corpus, list[str]]:
    """The text with its tags mapped, those of XPOS where there are some, and what the map does not know, in words."""
    if mapping is None:
        return text, []
    column = "upos" if tagset == UD or mapping.from_xpos or not text.has("xpos") else "xpos"
    mapped = mapping.mapped(text, [column])
    return mapped, unmapped_warning(mapping, {text.path: mapping.left(mapped, [column])})


def missing_in(words: TaggedWords, cascade: GroupCascade) -> list[str]:
    """What a text lacks that a cascade asks for, in words."""
    found = []
    if words.n_unreadable:
        n, of = words.n_unreadable, words.tagset
        are = f"1 word has a tag that is not of {of}" if n == 1 else f"{n:,} words have tags that are not of {of}"
        found.append(f"{are}: rules for parts of speech do not fit {'it' if n == 1 else 'them'}")
    conditions = [one for of in cascade.classes.values() for one in of.conditions]
    asked = {one.category for rule in cascade.rules for one in rule.agreements}
    asked |= {one.of for one in conditions if one.of in AGREEING}
    missing = [one for one in AGREEING if one in asked and not words.agreeing[one].names]
    if len(words) and missing:
        found.append(
            f"no word has {_either(missing)}: agreement cannot be checked there, so that more groups may be wrong"
        )
    if len(words) and not words.has_lemmas and any(one.of == "lemma" for one in conditions):
        found.append("there are no lemmas: rules that ask for a lemma look at the form in lower case")
    return found


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
