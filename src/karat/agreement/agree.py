"""`karat.agree`: how well annotators agree, over flat tags or a tag hierarchy, and how sure we are of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from karat._arrays import Floats, Indices
from karat.agreement.agreement_results import Agreement, AnnotatorPair, Coefficient, LevelAgreement
from karat.agreement.annotated_leaves import Leaves, flat_leaves, grouped_leaves, known_tags, written_tags
from karat.agreement.annotations import ROUNDING, Annotation, spread_over
from karat.agreement.annotators import ATTACHMENTS, AnnotatedItems, agreed_column, annotated_items
from karat.agreement.coefficients import AgreementCounts, agreement_counts
from karat.agreement.differing_items import DifferingItems
from karat.agreement.disagreement import confused_tags, hardest_items, tag_uses
from karat.corpus.source import PathLike
from karat.errors import UsageError
from karat.evaluation.task import named_systems
from karat.hierarchy.levels import lowest_level, spread_at_level, tags_at_level
from karat.inference.clusters import Clusters, each_by_itself
from karat.inference.intervals import intervals, no_interval
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.measures.hierarchical.leaf_probability import Spreading
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.hierarchical.tags_in_hierarchy import TagsInHierarchy

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy, Layout

_NO_ITEMS = "no item has two annotations"
_NO_VARIATION = "all annotations are the same, so chance agreement is complete"
_NO_VARIATION_OF_TWO = "two annotators use a single tag on the items they share, so chance agreement is complete"
_FEWEST_CLUSTERS = 10
_ALL_AGREE = "annotators agree on every item"


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
    each leaf below a tag of a DAG gets the same share, however many ways lead there (`HierarchyOptions` has other
    ways, and what they need). `column` is what of CoNLL-U they
    agree on: upos, xpos, deprel, feats, lemma, heads (or head: unlabelled attachment) or las. With `probabilities`,
    columns of tagged text are tag, probability, tag, … `n_top` is how many confusions and hardest items to keep.
    """
    options = inference or InferenceOptions()
    column = agreed_column(column)
    named = named_systems(annotators)
    if len(named) < 2:
        raise UsageError("only one annotator given: agreement needs at least two")
    tree = TagsInHierarchy(_how_spread(hierarchy, layout, column, distinct=distinct, probabilities=probabilities))
    found = annotated_items(
        list(named.values()), column=column, input=input, cluster=options.cluster, with_probabilities=probabilities
    )
    tags, written, warnings = written_tags(found)
    spreading = None if tree.tags is None else tree.spreading()
    numbers = None if spreading is None else known_tags(tags, spreading.hierarchy, found)
    leaves = flat_leaves(tags) if spreading is None or numbers is None else grouped_leaves(spreading.leaves_of(numbers))
    spread = [spread_over(one, leaves.spread, n_leaves=leaves.n) for one in written]
    counts = _counts(found, spread, leaves)
    items, names = counts.items, tuple(named)
    differs = items.distance > ROUNDING
    settings = [("column", column)] if found.what == "word" else []
    settings += [] if tree.tags is None else tree.signed([])
    settings += [("cluster", found.clusters.signed), *options.signed()]
    return Agreement(
        names=names,
        what=found.what,
        column=column,
        n_items=int((items.sizes >= 2).sum()),
        n_all=found.n_items,
        n_differing=int(differs.sum()),
        coefficients=coefficients_from_counts(counts, options, progress),
        missing={name: int((~one.has).sum()) for name, one in zip(names, spread, strict=True)},
        pairs=_pairs(names, spread, leaves.sizes) if len(spread) > 2 else (),
        per_tag=tag_uses(tags, written, spread, leaves),
        confusions=confused_tags(tags, written, leaves, n_top),
        hardest=hardest_items(found, tags, written, items.distance, n_top),
        levels=() if spreading is None or numbers is None else _levels(found, written, spreading, numbers, options),
        disagreements=DifferingItems(
            names, column, found, differs, items.distance, np.array([one.has for one in written])
        ),
        is_underspecified=any(bool((leaves.sizes[one.leaves] > 1).any()) or one.is_underspecified for one in spread),
        is_exact=counts.is_exact,
        has_hierarchy=tree.tags is not None,
        level=options.level,
        cluster=found.clusters.kind,
        n_clusters=int((counts.counts[:, 1] > 0).sum()),
        settings=tuple(settings),
        sources=tuple(one.source for one in found.read),
        formats=tuple((one.path, one.format) for one in found.read),
        problems=tuple(dict.fromkeys(problem for one in found.read for problem in one.warnings)),
        warnings=(*warnings, *_few(found.clusters), *found.clusters.warnings(), *filter(None, [options.too_few()])),
    )


def _counts(found: AnnotatedItems, spread: Sequence[Annotation], leaves: Leaves) -> AgreementCounts:
    """The counts of annotations over leaves, cluster by cluster; nothing depends on who is named first."""
    clusters = found.clusters.of_sentence[found.unit_of_item]
    in_order = sorted(spread, key=_content)
    return agreement_counts(in_order, clusters, n_clusters=found.clusters.n, leaf_sizes=leaves.sizes)


def _levels(
    found: AnnotatedItems,
    written: Sequence[Annotation],
    spreading: Spreading,
    numbers: Indices,
    options: InferenceOptions,
) -> tuple[LevelAgreement, ...]:
    """The agreement at every level of the hierarchy, from the top to the lowest below any tag that was written."""
    tree, levels = spreading.hierarchy, []
    for depth in range(1, lowest_level(tree, numbers) + 1):
        below = spread_at_level(tree, numbers, depth, spreading.downward, distinct=spreading.distinct)
        leaves = grouped_leaves(below)
        spread = [spread_over(one, leaves.spread, n_leaves=leaves.n) for one in written]
        coefficients = coefficients_from_counts(_counts(found, spread, leaves), options, None)
        n_tags = len(np.unique(tags_at_level(tree, numbers, depth).values))
        levels.append(LevelAgreement(depth, n_tags, coefficients))
    return tuple(levels)


def _few(clusters: Clusters) -> list[str]:
    """That there are too few clusters to tell how sure we are; of word types the clusters themselves say so."""
    if clusters.n >= _FEWEST_CLUSTERS or clusters.kind == "type":
        return []
    what = clusters.kind if clusters.kind in ("sentence", "document", "instance") else "group"
    return [f"only {clusters.n} {what}{'s' * (clusters.n != 1)}: too few for reliable CIs"]


def _content(annotation: Annotation) -> tuple[bytes, bytes, bytes]:
    return annotation.offsets.tobytes(), annotation.leaves.tobytes(), annotation.masses.tobytes()


def _how_spread(
    given: HierarchyOptions | Hierarchy | PathLike | None,
    layout: Layout | None,
    column: str,
    *,
    distinct: bool,
    probabilities: bool,
) -> HierarchyOptions:
    """The hierarchy, if there is one, and how probability goes down it."""
    if isinstance(given, HierarchyOptions):
        if distinct and (given.learn_from is not None or given.downward not in (None, "distinct")):
            raise UsageError("choose only one: downward probabilities from a file, learned ones, or distinct leaves")
        how = replace(given, downward="distinct") if distinct else given
    else:
        how = HierarchyOptions(given, layout=layout, downward="distinct" if distinct else None)
    if how.hierarchy is not None and column in ATTACHMENTS:
        raise UsageError(f"a hierarchy applies to tags, not to {column}")
    return replace(how, column=column, probabilities=probabilities)


# ---- coefficients ----------------------------------------------------------------------------------------------------


def coefficients_from_counts(
    counts: AgreementCounts, options: InferenceOptions, progress: Progress | None = None
) -> dict[str, Coefficient]:
    """Every coefficient with its interval, or why it has none."""
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
