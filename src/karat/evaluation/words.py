"""Words in columns: tags, features, lemmas, dependencies, rich tags, tags in a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat._arrays import Floats
from karat.align import align
from karat.corpus import Corpus, Source, corpus_from_source, read, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.documents_from_comments import with_documents
from karat.corpus.formats import Readable
from karat.corpus.lexicon import Lexicon, lexicon_from_corpus
from karat.corpus.readers.key import Keys
from karat.entry_points import PLUGIN
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.task import Asked, Task, several
from karat.measures.catalogue import CONLL18, EVERY_MEASURE, every_plugin_measure, measures_named, with_plugins
from karat.measures.measure import GOLD, AlignedMeasure, GoldUnits, WordMeasure
from karat.measures.splits import (
    OWN_MEASURES,
    SPLIT_NEEDS,
    SPLITS,
    Groups,
    WordGroups,
    group_row_counts,
    grouped,
    groups_by,
    groups_by_lexicon,
    known_by_lexicon,
    row_counts,
)
from karat.measures.words.comparison import Comparison
from karat.measures.words.confusion import CONFUSABLE, confusions as confusions_of
from karat.measures.words.features import feature_values
from karat.signature import shown_input

if TYPE_CHECKING:
    from karat.measures.hierarchical.tags_in_hierarchy import TagsInHierarchy
    from karat.measures.positional.errors import TagErrorCount
    from karat.measures.positional.rich_tags import RichTags
    from karat.tagsets import TagMap

_SCORED = {
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "Feats",
    "lemma": "Lemmas",
    "deprel": "Deprels",
}  # of what is mapped
COMPARED_WORDS = ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS")
CATEGORIES = "categories"  # of rich tags: what may be confused beside columns
_LEXICON_GROUPS = ("unknown", "known", "unambiguous", "ambiguous")


@dataclass(frozen=True, slots=True)
class MappedColumns:
    """A map of tags, and the columns that it is about; `several` tags of a word may have probabilities in columns."""

    map: TagMap
    columns: tuple[str, ...]
    several: bool = False
    with_probabilities: bool = False

    def mapped(self, corpus: Corpus) -> Corpus:
        """The corpus with these columns mapped."""
        return self.map.mapped(corpus, self.columns, several=self.several, with_probabilities=self.with_probabilities)

    def left(self, corpus: Corpus) -> dict[str, int]:
        """The words of a mapped corpus whose tags the map does not know, by tag."""
        return self.map.left(corpus, self.columns, several=self.several)


@dataclass(frozen=True, slots=True, eq=False)
class WordTask(Task[Corpus, Comparison]):
    """How words in columns are scored.

    `is_default` says that measures were not named: those are taken for which both sides have the columns. `unusable`
    are the plug-ins that all measures would have had in them, and why they have not.
    """

    measures: Sequence[AlignedMeasure]
    asked: Asked
    is_default: bool = False
    by: tuple[str, ...] = ()
    confusions: tuple[str, ...] = ()
    lexicon: Lexicon | None = None
    lexicon_name: str = ""
    column: str = "upos"
    tags: RichTags | None = None
    hierarchy: TagsInHierarchy | None = None
    map: MappedColumns | None = None
    unusable: tuple[Problem, ...] = ()

    def read_gold(self, readable: Readable) -> Corpus:
        return with_documents(self._mapped(readable), self.asked.documents)

    def read_system(self, readable: Readable, gold: Corpus | None) -> Corpus:
        return self._mapped(readable)

    def _mapped(self, readable: Readable) -> Corpus:
        corpus = self._read(readable)
        return corpus if self.map is None else self.map.mapped(corpus)

    def _read(self, readable: Readable) -> Corpus:
        if isinstance(readable, Corpus):
            return readable
        if isinstance(readable, Trees):
            raise UsageError("bracketed trees can only be scored against bracketed trees")
        if isinstance(readable, Keys):
            raise UsageError("sense keys can only be scored against sense keys")
        needs = {column for measure in self.measures for column in measure.needs}
        needs |= {SPLIT_NEEDS[split] for split in self.by if split in SPLIT_NEEDS}
        return corpus_from_source(
            readable if isinstance(readable, Source) else read_source(readable),
            input=self.asked.input,
            tag=self.column,
            several_tags=self.tags is not None or self.hierarchy is not None,
            trees="head" in needs,
            deps="deps" in needs,
            bad=self.asked.bad,
            as_conll18=self.asked.like == "conll18",
        )

    def paired(self, gold: Corpus, system: Corpus) -> Comparison:
        for split in (*self.by, *self.confusions):
            for corpus in (gold, system):
                if split in SPLIT_NEEDS and not corpus.has(SPLIT_NEEDS[split]):
                    raise _lacks(corpus, SPLIT_NEEDS[split], f"a split by {split}")
        comparison = Comparison(align(gold, system, bad=self.asked.bad))
        if not comparison.alignment.kept.any():
            raise DataError(Problem("K502", "no gold sentence is left to score", gold.path))
        return comparison

    def scores(self, pair: Comparison, name: str) -> SystemScores:
        gold, system, alignment = pair.gold, pair.system, pair.alignment
        chosen, missing = self._measurable(gold, system)
        counts = {one.name: one.counts(pair)[alignment.kept] for one in chosen}
        n_bad = int((system.bad | alignment.system_differs).sum())
        return SystemScores(
            name,
            system.path,
            {
                one.name: MeasureScore.from_counts(one, counts[one.name].sum(axis=0), one.beyond_counts(pair))
                for one in chosen
            },
            counts,
            Skipped(int((~alignment.kept).sum()), n_bad, (*gold.problems, *system.problems, *alignment.problems)),
            system.source,
            system.format,
            confusions={
                column: confusions_of(pair, column, n_top=self.asked.n_top)
                for column in self.confusions
                if column != CATEGORIES
            },
            missing=missing,
            warnings=system.warnings,
            units=_units(chosen, pair) if self.asked.is_comparison else {},
            groups=self._groups(chosen, pair),
            notes=tuple(dict.fromkeys(note for one in chosen for note in one.notes(pair))),
            tag_errors=self._tag_errors(pair),
            weightless=self._weightless(chosen, pair),
            unmapped={} if self.map is None else {one.path: self.map.left(one) for one in (gold, system)},
            instances=self.hierarchy.pairs_of_words(pair)[1] if self.hierarchy is not None else None,
        )

    def nothing(self, gold: Corpus, name: str, path: str, problems: tuple[Problem, ...] = ()) -> SystemScores:
        """The scores of a system that produced nothing: the gold's units, none of them found."""
        pair = Comparison(align(gold, gold, bad=self.asked.bad))
        counts: dict[str, Floats] = {}
        scores: dict[str, MeasureScore] = {}
        for measure in self.measures:
            if self.asked.like or all(gold.has(column) for column in measure.needs):
                counts[measure.name] = measure.counts(pair)[pair.alignment.kept]
                counts[measure.name][:, 1:] = 0
                scores[measure.name] = MeasureScore.from_counts(measure, counts[measure.name].sum(axis=0))
        return SystemScores(name, path, scores, counts, Skipped(0, gold.n_sentences, problems), None, "")

    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        names = list(dict.fromkeys(name for system in systems for name in system.measures))
        settings = [("like", self.asked.like or "karat"), ("measures", "all" if self.is_default else ",".join(names))]
        settings += [("by", ",".join(self.by))] if self.by else []
        settings += [("confusions", ",".join(self.confusions))] if self.confusions else []
        settings += [("column", self.column)] if self.column != "upos" else []
        settings += [("map", self.map.map.signed)] if self.map is not None else []
        settings += self.tags.signed() if self.tags is not None else []
        settings += self.hierarchy.signed(names) if self.hierarchy is not None else []
        settings += [("input", self.asked.input)] if self.asked.input else []
        settings += self.asked.documents.signed() if self.asked.documents is not None else []
        settings += [("lexicon", self.lexicon_name)] if self.lexicon is not None else []
        settings += [("bad", "skipped")] if self.asked.skip_bad else []
        added = [one.plugin for one in self.measures if one.plugin is not None and one.name in names]
        return settings + [(PLUGIN, one.signed) for one in added]

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        found = Task.warnings(self, systems)  # a class with slots is made twice, and super() finds the first
        if self.tags is not None:
            lacking: dict[str, dict[str, None]] = {}
            for one in systems:
                for measure, categories in one.weightless.items():
                    lacking.setdefault(measure, {}).update(dict.fromkeys(categories))
            found += self.tags.missing_weights({measure: tuple(names) for measure, names in lacking.items()})
        if self.map is not None:
            from karat.tagsets import unmapped_warning

            left = {path: counts for one in systems for path, counts in one.unmapped.items()}
            found += unmapped_warning(self.map.map, left)
        return [*found, *(f"not measured: {one}" for one in self.unusable)]

    def _weightless(self, chosen: Sequence[AlignedMeasure], pair: Comparison) -> dict[str, tuple[str, ...]]:
        """The categories of rich tags that measures weigh without having a weight."""
        if self.tags is None:
            return {}
        known = self.tags.measures()
        lacking = {one.name: known[one.name].weightless(pair) for one in chosen if one.name in known}
        return {name: categories for name, categories in lacking.items() if categories}

    def _measurable(
        self, gold: Corpus, system: Corpus
    ) -> tuple[list[AlignedMeasure], dict[str, tuple[tuple[str, str], ...]]]:
        """The measures for which both sides have the columns; asked for by name, a measure must be among them.

        The official evaluator takes a column of nothing but `_` for annotation like any other, except HEAD.
        """
        chosen: list[AlignedMeasure] = []
        missing: dict[str, tuple[tuple[str, str], ...]] = {}
        for measure in self.measures:
            lacking = [
                (side, column)
                for side, corpus in (("gold", gold), ("system", system))
                for column in measure.needs
                if not (corpus.has(column) if column == "head" or not self.asked.like else column in corpus.names)
            ]
            if not lacking:
                chosen.append(measure)
            elif self.is_default and not self.asked.like:
                missing[measure.name] = tuple(lacking)
            else:
                side, column = lacking[0]
                raise _lacks(gold if side == "gold" else system, column, measure.name)
        return chosen, missing

    def _own(self, split: str, pair: Comparison) -> Mapping[str, AlignedMeasure]:
        """The measures of a split that has its own: of each feature, of each category of rich tags."""
        if split == "feats":
            return feature_values(pair)
        from karat.measures.positional.categories import category_values

        assert self.tags is not None
        return category_values(pair, self.tags.measures()["PA"])

    def _groups(self, chosen: Sequence[AlignedMeasure], pair: Comparison) -> dict[str, Groups]:
        """Split → group → measure → counts of rows; groups without an order of their own the most frequent first."""
        found: dict[str, Groups] = {}
        for split in self.by:
            if split in OWN_MEASURES:
                kept = pair.alignment.kept
                every = (
                    (name, row_counts(one, one.counts(pair)[kept])) for name, one in self._own(split, pair).items()
                )
                own = {name: {one.measure.name: one} for name, one in every if len(one.rows)}
                found[split] = _most_frequent_first(own)
                continue
            groups = groups_by(split, pair)
            found[split] = grouped(groups.names, group_row_counts(chosen, pair, groups))
            if isinstance(groups, WordGroups) and not groups.ordered:
                found[split] = _most_frequent_first(found[split])
        if self.lexicon is not None:
            both = known_by_lexicon(self.lexicon, pair), groups_by_lexicon(self.lexicon, pair)
            counts = [one for groups in both for one in group_row_counts(chosen, pair, groups)]
            found["lexicon"] = grouped(_LEXICON_GROUPS, counts)
        return found

    def _tag_errors(self, pair: Comparison) -> tuple[TagErrorCount, ...]:
        """What goes wrong in rich tags, where that was asked for."""
        if self.tags is None or CATEGORIES not in self.confusions:
            return ()
        from karat.measures.positional.errors import tag_errors

        return tuple(tag_errors(pair, self.tags.measures()["PA"], n_top=self.asked.n_top))


def _most_frequent_first(groups: Groups) -> Groups:
    """The groups by how many units of the gold they have."""

    def size(name: str) -> int:
        return max(round(float(one.counts[:, GOLD].sum())) for one in groups[name].values() if one.measure.has_parts)

    return {name: groups[name] for name in sorted(groups, key=size, reverse=True)}


def _units(chosen: Sequence[AlignedMeasure], pair: Comparison) -> dict[str, GoldUnits]:
    found = ((measure.name, measure.gold_units(pair)) for measure in chosen)
    return {name: units for name, units in found if units is not None}


def _lacks(corpus: Corpus, column: str, what: str) -> DataError:
    message = f"{what} needs {column.upper()}, which this file does not have"
    return DataError(
        Problem("K501", message, corpus.path, hint="choose measures and splits whose columns both sides have")
    )


def word_task(asked: Asked) -> WordTask:
    """The task that is asked for; a `UsageError` for what does not exist or does not go together."""
    tags, hierarchy = rich_tags(asked), tags_in_hierarchy(asked)
    catalogue: Mapping[str, AlignedMeasure] = CONLL18 if asked.like else EVERY_MEASURE
    default: Sequence[str] = COMPARED_WORDS if asked.is_comparison else ()
    column = asked.column
    if asked.like and tags is not None:
        raise UsageError("`like` cannot be combined with a tagset")
    if hierarchy is not None:
        if asked.like or tags is not None:
            raise UsageError("a hierarchy cannot be combined with `like` or a tagset")
        if hierarchy.tags is None:
            raise UsageError("give the column whose tags are in the hierarchy")
        from karat.measures.hierarchical.scores import default_scores

        catalogue, column = {**hierarchy.measures(), **EVERY_MEASURE}, hierarchy.column
        default = default_scores(asked.is_comparison, asked.statistic)
    if tags is not None:
        catalogue, default, column = {**tags.measures(), **EVERY_MEASURE}, tags.default_scores, tags.column.name
    names = asked.measure_names
    if (tags and tags.column.with_probabilities) or (hierarchy and hierarchy.options.probabilities):
        catalogue = _without_single_tags(catalogue, names, column)
    unusable: list[Problem] = []
    if asked.is_all and not asked.like:
        added, unusable = every_plugin_measure()
        catalogue = {**catalogue, **added}
    elif not asked.like:
        catalogue = with_plugins(names, catalogue)
    mapped = _mapped_columns(asked, names, catalogue, tags, hierarchy)
    if mapped is not None and tags is None and hierarchy is None:
        default = [_SCORED[one] for one in mapped.columns]
    every = [name for name in catalogue if tags is None or name not in tags.without_weights]
    chosen = measures_named(every if asked.is_all else names or default or catalogue, catalogue)
    splits = _splits(asked)
    of_words = (set(splits) & set(SPLIT_NEEDS)) - set(OWN_MEASURES)
    if (asked.lexicon is not None or of_words) and not any(one.of_words for one in chosen):
        raise UsageError("a split of words needs a measure of words, such as UPOS or LAS")
    lexicon, lexicon_name = _lexicon(asked, column, mapped)
    return WordTask(
        chosen,
        asked,
        is_default=not names and (asked.is_all or not (tags or hierarchy or mapped)),
        by=splits,
        confusions=_confusable(asked),
        lexicon=lexicon,
        lexicon_name=lexicon_name,
        column=column,
        tags=tags,
        hierarchy=hierarchy,
        map=mapped,
        unusable=tuple(unusable),
    )


def _without_single_tags(
    catalogue: Mapping[str, AlignedMeasure], names: Sequence[str], column: str
) -> dict[str, AlignedMeasure]:
    """The measures without those that take a cell of this column for one tag: it has tags and their probabilities."""
    single = {one.name for one in EVERY_MEASURE.values() if column in one.needs}
    lowered = {name.lower() for name in single}
    if wrong := [name for name in names if name.strip().lower() in lowered]:
        raise UsageError(f"{wrong[0]} is of one tag a word; of tags with probabilities ask for exact")
    return {name: one for name, one in catalogue.items() if name not in single}


def _mapped_columns(
    asked: Asked,
    names: Sequence[str],
    catalogue: Mapping[str, AlignedMeasure],
    tags: RichTags | None,
    hierarchy: TagsInHierarchy | None,
) -> MappedColumns | None:
    """What is mapped, where that is asked for: the tags that are scored.

    That is the column of rich tags, or of a hierarchy; else the `column`, or the tags that the measures named compare.
    """
    if asked.map is None:
        return None
    if asked.like:
        raise UsageError("`like` cannot be combined with a map: the evaluator compares tags as they are")
    from karat.tagsets import read_tag_map

    tag_map = read_tag_map(asked.map)
    if tags is not None:
        return MappedColumns(tag_map, (tags.column.name,), True, tags.column.with_probabilities)
    if hierarchy is not None:
        return MappedColumns(tag_map, (hierarchy.column,), True, hierarchy.options.probabilities)
    if asked.column != "upos":
        if asked.column not in _SCORED:
            raise UsageError(f"a map works on {', '.join(_SCORED)}, not on {asked.column}")
        return MappedColumns(tag_map, (asked.column,))
    named = measures_named(names, catalogue) if names else ()
    compared = {column for one in named if isinstance(one, WordMeasure) for column in one.settles}
    return MappedColumns(tag_map, tuple(column for column in ("upos", "xpos") if column in compared) or ("upos",))


def _splits(asked: Asked) -> tuple[str, ...]:
    """The splits asked for; those of forms are too many groups to compare systems by."""
    known = [name for name in (*SPLITS, *OWN_MEASURES) if name != "form" or not asked.is_comparison]
    splits = asked.splits(known)
    if "category" in splits and asked.tags is None:
        raise UsageError("a split by category needs a tagset")
    return splits


def rich_tags(asked: Asked) -> RichTags | None:
    """How rich tags are scored, where that is asked for."""
    if asked.tags is None:
        return None
    from karat.measures.positional.rich_tags import RichTags

    return RichTags(asked.tags)


def tags_in_hierarchy(asked: Asked) -> TagsInHierarchy | None:
    """How tags in a hierarchy are scored, where that is asked for; the hierarchy alone may have been given."""
    if asked.hierarchy is None:
        return None
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.hierarchical.tags_in_hierarchy import TagsInHierarchy

    given = asked.hierarchy
    return TagsInHierarchy(given if isinstance(given, HierarchyOptions) else HierarchyOptions(given))


def _confusable(asked: Asked) -> tuple[str, ...]:
    columns = several(asked.confusions)
    for name in columns:
        if name == CATEGORIES and asked.tags is None:
            raise UsageError("confusions of categories need a tagset")
        if name not in (*CONFUSABLE, CATEGORIES):
            raise UsageError(f"no confusions of {name!r}; choose from {', '.join((*CONFUSABLE, CATEGORIES))}")
    return columns


def _lexicon(asked: Asked, column: str, mapped: MappedColumns | None) -> tuple[Lexicon | None, str]:
    """The lexicon, and how a signature names it."""
    if asked.lexicon is None:
        return None, ""
    if isinstance(asked.lexicon, (Trees, Keys, Source)):
        raise UsageError("a lexicon must be CoNLL-U or tagged text")
    corpus = (
        asked.lexicon
        if isinstance(asked.lexicon, Corpus)
        else read(asked.lexicon, input=asked.input, tag=column, trees=False)
    )
    if not corpus.has(column):
        raise _lacks(corpus, column, "a lexicon")
    known = corpus if mapped is None else mapped.mapped(corpus)
    return lexicon_from_corpus(known, column), shown_input(corpus.path, corpus.source.sha256())
