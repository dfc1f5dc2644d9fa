"""Reading key files of sense tagging, as Senseval and SemEval have them: `lexelt instance tag/weight … !! comment`.

An instance is a word in its context, a lexelt its word type, such as `bank.n`. Weights are like probabilities, but need
not sum to 1. What a line means that could mean several things is what Senseval's scorer2 makes of it; docs/key-files.md
lists all of it, and where karat is stricter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._compiled import pays
from karat.corpus._answer_parsing import (
    Fields,
    FieldWeights,
    fields_of_lines,
    is_mixed,
    kept,
    places_of,
    weights_of_fields,
)
from karat.corpus.answers import Answers, answers_of_spans
from karat.corpus.interning import Spans, interned, interned_together, same_strings
from karat.corpus.readers.conllu import Bad, in_order, utf8_problems
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem

_BYTES_LOOKED_AT = 1 << 16
_SENSE = re.compile(r"[^%]+%[1-5]:[0-9]{2}:[0-9]{2}:\S*|(?:bn|wn):[0-9]{8}[nvar](?:/\S*)?")  # WordNet's and BabelNet's
_LARGEST = 1e100  # sums of weights stay finite


@dataclass(frozen=True, eq=False)
class Keys:
    """Instances and their answers, as arrays.

    Instance i is of the type `types[type_of[i]]`; its name is `instances[i]`, and its line starts at `places[i]`. To
    what works on sentences in documents, an instance is a sentence of one word and a type a document, whose sentences
    need not stand together.
    """

    source: Source
    types: tuple[str, ...]
    type_of: Ids
    instances: Spans
    answers: Answers
    places: Ids
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    format = "key"
    has_documents = True

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def n_sentences(self) -> int:
        return len(self.type_of)

    @property
    def n_words(self) -> int:
        return len(self.type_of)

    @property
    def n_text_words(self) -> int:
        return len(self.type_of)

    @property
    def n_tokens(self) -> int:
        return len(self.type_of)

    @property
    def n_documents(self) -> int:
        return len(self.types)

    @property
    def document_names(self) -> tuple[str, ...]:
        return self.types

    @cached_property
    def sentence_document(self) -> Indices:
        """The type of every instance."""
        return self.type_of.astype(np.intp)

    @cached_property
    def sentence_offsets(self) -> Indices:
        return np.arange(self.n_sentences + 1)

    @cached_property
    def bad(self) -> Flags:
        """The instances that have a problem; only where they were read with `bad="keep"`."""
        bad = np.zeros(self.n_sentences, dtype=np.bool_)
        bad[[problem.sentence for problem in self.problems if problem.sentence is not None]] = True
        return bad

    def instance_name(self, instance: int) -> str:
        """The name of an instance, without its type."""
        return self.source.text(int(self.instances.start[instance]), int(self.instances.stop[instance]))

    def tags_span(self, instance: int) -> tuple[int, int]:
        """The bytes of an instance's tags with their weights, from the first to the last, without a comment."""
        start = int(self.instances.stop[instance])
        following = np.append(self.places[instance + 1 : instance + 2], self.source.size)
        line = self.source.buffer[start : following[0]].tobytes().partition(b"\n")[0]
        tags = line.partition(b"!!")[0].rstrip()
        return start + len(tags) - len(tags.lstrip()), start + len(tags)

    def sent_id(self, sentence: int) -> str:
        """The name of an instance."""
        return self.instance_name(sentence)

    def words_of(self, sentence: int) -> tuple[str, ...]:
        """The type of an instance, as the one word that it is."""
        return (self.types[self.type_of[sentence]],)

    def line_of(self, sentence: int) -> int:
        """The line, from 1, on which an instance stands in its file."""
        return self.source.place(int(self.places[sentence]))[1]

    def __len__(self) -> int:
        return self.n_sentences

    def __repr__(self) -> str:
        return f"<Keys {self.path}: {self.n_sentences:,} instances of {len(self.types):,} types>"


def is_sense(text: str) -> bool:
    """Whether a text looks like a sense of WordNet's or BabelNet's."""
    return _SENSE.fullmatch(text) is not None


def read_key(paths: PathLike | Sequence[PathLike], *, lexelts: bool | None = None, bad: Bad = "raise") -> Keys:
    """The instances in a key file, or in several read as one.

    `-` is standard input; .gz, .bz2 and .xz are decompressed. Without `lexelts`, a line begins with the instance, and
    its type is what stands before the last two dots of its name (`d000` of `d000.s000.t000`); None finds out: they are
    missing where the first line with two fields has a sense for the second. Problems raise a `DataError` that holds all
    of them; with `bad="keep"` they are kept, and bad instances have no answers.
    """
    return key_from_source(read_source(paths), lexelts=lexelts, bad=bad)


def key_from_source(source: Source, *, lexelts: bool | None = None, bad: Bad = "raise") -> Keys:
    """The instances in a text that has been read; see `read_key`."""
    pays(source.size)
    _refuse_nul(source)
    has_types = _has_lexelts(source) if lexelts is None else lexelts
    fields = fields_of_lines(source, 2 if has_types else 1)
    ends = _ends(fields)
    _refuse_no_lines(source, fields)
    instances = fields.names[-1]
    types = fields.names[0] if has_types else _before_last_two_dots(instances)
    type_of, first = interned(types)
    weights = weights_of_fields(fields.tags)
    edges = np.array([fields.places - np.int32(1), ends])
    problems = utf8_problems(source, edges, np.arange(len(ends))) + _weight_problems(fields, weights)
    problems += _other_comments(source, fields)
    problems += _name_problems(fields) if has_types else []
    problems += _repeated_instances(source, type_of, instances)
    problems = in_order(source, problems)
    if problems and bad == "raise":
        raise DataError(problems)
    is_bad = np.zeros(len(type_of), dtype=np.bool_)
    is_bad[[problem.sentence for problem in problems if problem.sentence is not None]] = True
    answers, warnings = _answers(fields, weights, is_bad)
    names = tuple(types[first].strings())
    return Keys(source, names, type_of, instances, answers, fields.places, tuple(problems), tuple(warnings))


def matched(gold: Keys, system: Keys) -> tuple[Indices, Indices]:
    """The places in gold and system of the instances that both have, by type and name, in the order of the gold.

    What is not among them is missing in the system, or only there. Of an instance that is there twice the first counts.
    """
    number = {name: number for number, name in enumerate(gold.types)}
    types = np.array([number.get(name, -1) for name in system.types], dtype=np.int32).take(system.type_of)
    may_be_same = not gold.problems and not system.problems and np.array_equal(gold.type_of, types)
    if may_be_same and same_strings(gold.instances, system.instances).all():
        return np.arange(len(gold)), np.arange(len(gold))
    found = _first_in_gold(gold, system, types)
    found[system.instances.lengths == 0] = -1  # a line without an instance
    rows = np.flatnonzero(found >= 0)[::-1]
    place = np.full(len(gold), -1)
    place[found.take(rows)] = rows  # of several the last to be written stays: the first
    both = np.flatnonzero(place >= 0)
    return both, place.take(both)


def _first_in_gold(gold: Keys, system: Keys, types: Ids) -> Ids:
    """For each of the system's instances the first of the gold that is the same, or -1; `types` are the gold's."""
    ours, theirs = gold.instances, system.instances
    if pays():
        from karat.corpus.readers._compiled_keys import matches

        right = theirs.source.buffer, theirs.start, theirs.stop, types
        return matches(ours.source.buffer, ours.start, ours.stop, gold.type_of, *right)
    pairs = _pairs(np.append(*interned_together(ours, theirs)), np.append(gold.type_of, types))
    first = np.full(len(pairs), -1, dtype=np.int32)
    first[pairs[: len(ours)][::-1]] = np.arange(len(ours) - 1, -1, -1)
    return first.take(pairs[len(ours) :])


def _pairs(names: Ids, types: Ids) -> Indices:
    """A number for every pair of a name and a type."""
    pairs = names.astype(np.int64) * (int(types.max(initial=0)) + 2) + types + 1
    numbers: Indices = np.unique(pairs, return_inverse=True)[1]
    return numbers


# ---- what a text is


def _refuse_nul(source: Source) -> None:
    text = source.buffer[: source.size]
    if text.min(initial=1) == 0:
        hint = "is it UTF-16, or not a text file? karat reads UTF-8"
        raise DataError(source.problem("K107", "the file contains a NUL byte", int(text.argmin()), hint=hint))


def _refuse_no_lines(source: Source, fields: Fields) -> None:
    if not len(fields.places):
        raise DataError(Problem("K104", "the file has no instances", source.path))


def _has_lexelts(source: Source) -> bool:
    """Whether lines begin with a lexelt: the first line of two fields or more has no sense for its second."""
    for line in source.buffer[: min(source.size, _BYTES_LOOKED_AT)].tobytes().split(b"\n"):
        words = line.partition(b"!!")[0].split()
        if len(words) > 1:
            return not _SENSE.fullmatch(words[1].decode("utf-8", "replace"))
    return True


def _before_last_two_dots(names: Spans) -> Spans:
    """What stands before the last two dots of names, nothing where there are fewer."""
    dots, row = places_of(names, b".")
    n_dots = np.bincount(row, minlength=len(names))
    stop = names.start.copy()
    has_two = n_dots >= 2
    stop[has_two] = dots[np.cumsum(n_dots)[has_two] - 2]
    return Spans(names.source, names.start, stop)


def _ends(fields: Fields) -> Ids:
    """Where the last field of every line ends."""
    ends = fields.names[-1].stop.copy()
    has_tags = np.diff(fields.offsets) > 0
    ends[has_tags] = fields.tags.stop[fields.offsets[1:][has_tags] - 1]
    return ends


# ---- problems


def _other_comments(source: Source, fields: Fields) -> list[Problem]:
    """The lines that are comments elsewhere, and would be instances here."""
    hint = "comments in key files start with !!"
    return [
        source.problem("K870", "this line starts with #", int(fields.places[line]), hint=hint, sentence=line)
        for line in np.flatnonzero(source.buffer.take(fields.places) == ord("#")).tolist()
    ]


def _name_problems(fields: Fields) -> list[Problem]:
    """The lines without an instance, or with a sense in its place."""
    source, instances = fields.tags.source, fields.names[-1]
    problems = []
    for line in np.flatnonzero(instances.lengths == 0).tolist():
        hint = "write lines as: lexelt instance tag/weight …"
        message = "only one field: a lexelt and an instance were expected"
        problems.append(source.problem("K860", message, int(fields.places[line]), hint=hint, sentence=line))
    untagged = np.flatnonzero(np.diff(fields.offsets) == 0)
    _, maybe = places_of(instances[untagged], b"%")
    for line in untagged[np.unique(maybe)].tolist():
        start, stop = int(instances.start[line]), int(instances.stop[line])
        if _SENSE.fullmatch(text := source.text(start, stop)):
            message = f"found the sense {text[:40]!r} where an instance was expected"
            hint = "either all lines of a file begin with a lexelt, or none does"
            problems.append(source.problem("K867", message, start, hint=hint, sentence=line))
    return problems


def _weight_problems(fields: Fields, weights: FieldWeights) -> list[Problem]:
    """The weights that are none, and those without a tag."""
    source, tags = fields.tags.source, fields.tags

    def line_of(tag: int) -> int:
        return int(np.searchsorted(fields.offsets, tag, side="right")) - 1

    problems = []
    is_impossible = (weights.values < 0) | (weights.values > _LARGEST)
    is_impossible[weights.wrong] = True
    for tag in np.flatnonzero(is_impossible).tolist():
        place = int(weights.tag_stop[tag]) + 1
        text = source.text(place, int(tags.stop[tag]))
        is_number = text.lower().lstrip("+-") in {"nan", "inf", "infinity"} or not np.isnan(weights.values[tag])
        if is_number:
            code, message = "K862", f"{text[:40]!r} is not a weight between 0 and {_LARGEST:g}"
            hint = ""
        else:
            code, message = "K861", f"{text[:40]!r} is not a number" if text else "no weight after the slash"
            hint = "write weights as tag/0.5, with a decimal point" if "," in text else "write weights as tag/0.5"
        problems.append(source.problem(code, message, place, hint=hint, sentence=line_of(tag)))
    is_nameless = (weights.tag_stop == tags.start) & ~is_impossible
    for tag in np.flatnonzero(is_nameless).tolist():
        place = int(tags.start[tag])
        hint = "write no space between a tag and its weight"
        problems.append(source.problem("K863", "weight without a tag", place, hint=hint, sentence=line_of(tag)))
    return problems


def _repeated_instances(source: Source, type_of: Ids, instances: Spans) -> list[Problem]:
    """The instances that were there before."""
    first = _first_with_same_name(type_of, instances)
    problems = []
    for line in np.flatnonzero((first < np.arange(len(first))) & (instances.lengths > 0)).tolist():
        place, earlier = int(instances.start[line]), int(instances.start[first[line]])
        path, number, _ = source.place(earlier)
        where = f"line {number}" if path == source.place(place)[0] else f"{path}:{number}"
        name = source.text(place, int(instances.stop[line]))
        message = f"the instance {name[:40]!r} is already on {where}"
        hint = "give each instance one line, with all its tags"
        problems.append(source.problem("K864", message, place, hint=hint, sentence=line))
    return problems


def _first_with_same_name(type_of: Ids, instances: Spans) -> Ids:
    """For each instance the first with the same type and name."""
    if pays():
        from karat.corpus.readers._compiled_keys import first_with_same_name

        return first_with_same_name(instances.source.buffer, instances.start, instances.stop, type_of)
    names, distinct = interned(instances)
    rows = np.arange(len(names), dtype=np.int32)
    if len(distinct) == len(names):
        return rows
    pairs = _pairs(names, type_of)
    first = np.empty(len(rows), dtype=np.int32)
    first[pairs[::-1]] = rows[::-1]
    return first.take(pairs)


# ---- answers


def _answers(fields: Fields, weights: FieldWeights, is_bad: Flags) -> tuple[Answers, list[Problem]]:
    """The answers of all instances, none of bad ones, and what is odd in them."""
    offsets, values, sizes = fields.offsets, weights.values, np.diff(fields.offsets)
    is_odd = is_mixed(offsets, values) & ~is_bad
    values[np.repeat(is_odd, sizes)] = np.nan
    keep = values != 0
    if is_bad.any():
        keep &= ~np.repeat(is_bad, sizes)
    offsets, start, stop, values = kept(offsets, keep, fields.tags.start, weights.tag_stop, values)
    is_nothing = (np.diff(offsets) == 0) & (sizes > 0) & ~is_bad
    source = fields.tags.source
    answers, repeats = answers_of_spans(Spans(source, start, stop), offsets, values)
    warnings = [
        _warning("K865", "with a weight on some tags only: none of them counts", source, fields.places[is_odd]),
        _warning("K866", "with a tag twice: its weights are added", source, start[repeats]),
        _warning("K868", "with no weight but 0: it counts as not tagged", source, fields.places[is_nothing]),
    ]
    return answers, in_order(source, [warning for warning in warnings if warning])


def _warning(code: str, what: str, source: Source, places: Ids) -> Problem | None:
    """One warning for all places where something is so, at the first; None if there are none."""
    if not len(places):
        return None
    return source.problem(code, f"{len(places)} line{'s' * (len(places) != 1)} {what}", int(places[0]))
