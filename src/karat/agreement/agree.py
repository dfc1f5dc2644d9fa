"""`karat.agree`: how well annotators agree, over flat tags or a tag hierarchy, and how sure we are of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from karat._arrays import Floats
from karat.agreement.annotated_leaves import flat_leaves, leaves_below, written_tags
from karat.agreement.annotations import Annotation, spread_over
from karat.agreement.annotators import agreed_column, annotated_items
from karat.agreement.coefficients import AgreementCounts, agreement_counts
from karat.agreement.disagreement import ConfusedTags, HardItem, TagUse, confused_tags, hardest_items, tag_uses
from karat.corpus import Source
from karat.corpus.source import PathLike
from karat.errors import Problem, UsageError
from karat.evaluation.task import named_systems
from karat.inference.clusters import Clusters, each_by_itself
from karat.inference.intervals import Interval, interval_dict, intervals, no_interval
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.measures.agreement import AgreementMeasure
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.hierarchical.tags_in_hierarchy import TagsInHierarchy
from karat.result import Cell, Result, Table
from karat.signature import signature

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy, Layout

__all__ = ["Agreement", "AnnotatorPair", "Coefficient", "agree"]

SCHEMA = "karat/agree/1"
_NO_ITEMS = "no item has two annotations"
_NO_VARIATION = "all annotations are the same, so chance agreement is complete"
_NO_VARIATION_OF_TWO = "two annotators use a single tag on the items they share, so chance agreement is complete"
_FEWEST_CLUSTERS = 10
_ALL_AGREE = "annotators agree on every item"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The value of a coefficient and how sure we are of it; where it is not defined the value is None and `why` not."""

    measure: AgreementMeasure = field(compare=False)
    value: float | None
    interval: Interval | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """The agreement of two annotators on the items that both have; None where it is not defined."""

    a: str
    b: str
    n_items: int
    observed: float | None
    kappa_pooled: float | None
    kappa_cohen: float | None
    alpha: float | None

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data."""
        data = asdict(self)
        return {"a": data.pop("a"), "b": data.pop("b"), "items": data.pop("n_items"), **data}


@dataclass(frozen=True, eq=False)
class Agreement(Result):
    """How well annotators agree.

    `coefficients` are observed, kappa_pooled, kappa_cohen and alpha. `n_items` items have two annotations or more and
    count; on `n_differing` annotators differ; `n_all` items have any annotation. `missing` has, for every annotator,
    how many of all items are without. `pairs` are there for more than two annotators. `is_underspecified` says whether
    an annotation is more than one leaf, so that annotators who say the same do not agree fully by equation 4.
    `is_exact` is false where chance in resamples was taken to first order, for want of room. `n_clusters` have items
    that count.
    """

    names: tuple[str, ...]
    what: str
    column: str
    n_items: int
    n_all: int
    n_differing: int
    coefficients: Mapping[str, Coefficient]
    missing: Mapping[str, int]
    pairs: tuple[AnnotatorPair, ...]
    per_tag: tuple[TagUse, ...]
    confusions: tuple[ConfusedTags, ...]
    hardest: tuple[HardItem, ...]
    is_underspecified: bool
    is_exact: bool
    has_hierarchy: bool
    level: float
    cluster: str
    n_clusters: int
    settings: tuple[tuple[str, str], ...]
    sources: tuple[Source, ...]
    formats: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()

    def __getitem__(self, coefficient: str) -> float | None:
        return self.coefficients[coefficient].value

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        inputs = [("annotator", source.path, source.sha256()) for source in self.sources]
        return signature("agree", self.settings, inputs)

    def to_dict(self) -> dict[str, Any]:
        """The agreement as plain data, in the schema karat/agree/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            **{name: one.value for name, one in self.coefficients.items()},
            "items": self.n_items,
            "intervals": {name: interval_dict(one.interval) for name, one in self.coefficients.items()},
            "why_undefined": {name: one.why for name, one in self.coefficients.items() if one.why},
            "annotators": list(self.names),
            "item": self.what,
            "column": self.column if self.what == "word" else None,
            "all_items": self.n_all,
            "differing": self.n_differing,
            "missing": dict(self.missing),
            "level": self.level,
            "cluster": self.cluster,
            "n_clusters": self.n_clusters,
            "underspecified": self.is_underspecified,
            "pairs": [one.to_dict() for one in self.pairs],
            "per_tag": [asdict(one) for one in self.per_tag],
            "confusions": [asdict(one) for one in self.confusions],
            "hardest": [one.to_dict(self.names) for one in self.hardest],
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each coefficient."""
        rows: list[list[Cell]] = []
        for name, one in self.coefficients.items():
            sure = interval_dict(one.interval)
            row: list[Cell] = [name, one.value, sure["lower"], sure["upper"], sure["level"], sure["method"]]
            rows.append([*row, self.cluster, self.n_clusters, self.n_items, one.why or None])
        columns = "coefficient value lower upper level method cluster n_clusters items why".split()
        return Table(columns, rows)

    def view(self) -> Table:
        """The coefficients, with their intervals."""
        rows: list[list[Cell]] = []
        for one in self.coefficients.values():
            sure = interval_dict(one.interval)
            rows.append([one.measure.title, one.value, sure["lower"], sure["upper"], one.why or None])
        title = f"{', '.join(self.names)} on {self.n_items:,} {self.what}s"
        return Table(["coefficient", "value", "lower", "upper", "undefined because"], rows, title)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name} {'undefined' if one.value is None else format(one.value, '.4f')}"
            for name, one in self.coefficients.items()
        )
        return f"<Agreement of {', '.join(self.names)} on {self.n_items:,} {self.what}s: {shown}>"


def agree(
    annotators: Mapping[str, Any] | Sequence[Any],
    *,
    hierarchy: HierarchyOptions | Hierarchy | PathLike | None = None,
    layout: Layout | None = None,
    distinct: bool = False,
    column: str = "upos",
    input: str | None = None,
    probabilities: bool = False,
    inference: InferenceOptions | None = None,
    n_top: int = 10,
    progress: Progress | None = None,
) -> Agreement:
    """How well two or more annotators agree, given as files (key files, tagged text, CoNLL-U) or as what was read.

    With a `hierarchy`, tags are spread over the leaves below them; `layout` is that of its file, and with `distinct`
    each leaf below a tag of a DAG gets the same share, however many ways lead there. `column` is what of CoNLL-U they
    agree on: upos, xpos, deprel, feats, lemma, heads (or head: unlabelled attachment) or las. With `probabilities`,
    columns of tagged text are tag, probability, tag, … `n_top` is how many confusions and hardest items to keep.
    """
    options = inference or InferenceOptions()
    column = agreed_column(column)
    named = named_systems(annotators)
    if len(named) < 2:
        raise UsageError("only one annotator given: agreement needs at least two")
    how = _how_spread(hierarchy, layout, column, distinct=distinct)
    tree, distinct = TagsInHierarchy(how).tags, how.is_distinct
    found = annotated_items(
        list(named.values()), column=column, input=input, cluster=options.cluster, with_probabilities=probabilities
    )
    tags, written, warnings = written_tags(found)
    leaves = flat_leaves(tags) if tree is None else leaves_below(tags, tree, found, distinct=distinct)
    spread = [spread_over(one, leaves.spread, n_leaves=leaves.n) for one in written]
    in_order = sorted(spread, key=_content)  # so that nothing depends on who is named first
    clusters = found.clusters.of_sentence[found.unit_of_item]
    counts = agreement_counts(in_order, clusters, n_clusters=found.clusters.n, leaf_sizes=leaves.sizes)
    items, names = counts.items, tuple(named)
    settings = [("column", column)] if found.what == "word" else []
    settings += [("hierarchy", tree.signed)] if tree is not None else []
    settings += [("leaves", "distinct")] if distinct else []
    settings += [("cluster", found.clusters.signed), *options.signed()]
    return Agreement(
        names=names,
        what=found.what,
        column=column,
        n_items=int((items.sizes >= 2).sum()),
        n_all=found.n_items,
        n_differing=int((items.distance > 0).sum()),
        coefficients=_coefficients(counts, options, progress),
        missing={name: int((~one.has).sum()) for name, one in zip(names, spread, strict=True)},
        pairs=_pairs(names, spread, leaves.sizes) if len(spread) > 2 else (),
        per_tag=tag_uses(tags, written, spread, leaves),
        confusions=confused_tags(tags, written, leaves, n_top),
        hardest=hardest_items(found, tags, written, items.distance, n_top),
        is_underspecified=any(bool((leaves.sizes[one.leaves] > 1).any()) or one.is_underspecified for one in spread),
        is_exact=counts.is_exact,
        has_hierarchy=tree is not None,
        level=options.level,
        cluster=found.clusters.kind,
        n_clusters=int((counts.counts[:, 1] > 0).sum()),
        settings=tuple(settings),
        sources=tuple(one.source for one in found.read),
        formats=tuple((one.path, one.format) for one in found.read),
        problems=tuple(dict.fromkeys(problem for one in found.read for problem in one.warnings)),
        warnings=(*warnings, *_few(found.clusters), *found.clusters.warnings(), *filter(None, [options.too_few()])),
    )


def _few(clusters: Clusters) -> list[str]:
    """That there are too few clusters to tell how sure we are; of word types the clusters themselves say so."""
    if clusters.n >= _FEWEST_CLUSTERS or clusters.kind == "type":
        return []
    what = clusters.kind if clusters.kind in ("sentence", "document", "instance") else "group"
    return [f"only {clusters.n} {what}{'s' * (clusters.n != 1)}: too few for reliable CIs"]


def _content(annotation: Annotation) -> tuple[bytes, bytes, bytes]:
    return annotation.offsets.tobytes(), annotation.leaves.tobytes(), annotation.masses.tobytes()


def _how_spread(
    given: HierarchyOptions | Hierarchy | PathLike | None, layout: Layout | None, column: str, *, distinct: bool
) -> HierarchyOptions:
    """The hierarchy, if there is one, and whether all leaves below a tag are taken for equally likely."""
    if given is not None and column in ("heads", "las"):
        raise UsageError(f"a hierarchy applies to tags, not to {column}")
    if isinstance(given, HierarchyOptions):
        return given
    return HierarchyOptions(given, layout=layout, downward="distinct" if distinct else None)


# ---- coefficients ----------------------------------------------------------------------------------------------------


def _coefficients(
    counts: AgreementCounts, options: InferenceOptions, progress: Progress | None
) -> dict[str, Coefficient]:
    total = counts.counts.sum(axis=0)
    by_cluster = counts.counts[counts.counts[:, 1] > 0]  # without those that have no items to count
    values = {one: float(one.value(total)) for one in counts.measures()}
    sure = [one for one, value in values.items() if not math.isnan(value) and value != 1 and options.n_resamples]
    wanted = [(by_cluster, one) for one in sure]
    made = dict(zip(sure, intervals(wanted, each_by_itself(len(by_cluster)), options, progress), strict=True))
    found = {}
    for one, value in values.items():
        name = one.measure.name
        if math.isnan(value):
            is_of_pairs = name == "kappa_cohen" and len(counts.pairs) > 1
            why = (_NO_VARIATION_OF_TWO if is_of_pairs else _NO_VARIATION) if total[1] else _NO_ITEMS
            found[name] = Coefficient(one.measure, None, None, why)
            continue
        interval = made.get(one)
        if value == 1 and options.n_resamples:
            interval = no_interval(len(by_cluster), options, _ALL_AGREE)
        found[name] = Coefficient(one.measure, value, interval)
    return found


def _pairs(names: Sequence[str], spread: Sequence[Annotation], leaf_sizes: Floats) -> tuple[AnnotatorPair, ...]:
    """Every two annotators by themselves."""
    found = []
    for one, other in combinations(range(len(names)), 2):
        counts = agreement_counts([spread[one], spread[other]], leaf_sizes=leaf_sizes)
        total = counts.counts.sum(axis=0)
        values = [float(one.value(total)) for one in counts.measures()]
        defined = [None if math.isnan(value) else value for value in values]
        found.append(AnnotatorPair(names[one], names[other], int(total[1]), *defined))
    return tuple(found)
