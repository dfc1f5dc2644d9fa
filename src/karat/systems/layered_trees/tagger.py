"""A tagger of layered decision trees, after TaKIPI [Piasecki & Godlewski 2006; Piasecki 2007].

It decides between the candidates of a word layer by layer: part of speech; number and gender; case. In each layer every
ambiguity class with enough examples has a tree of its own, or a forest; one more knows them all. What no layer decides
follows P(tag | form). TaKIPI keeps or removes candidates after each layer; here each layer makes beliefs of beliefs
(`layers`), so nothing is lost early, and several tags can be given by how likely they are. Before the first layer,
elimination rules may remove candidates.

What a layer learns from must look like what it will see: P(tag | form) of training words comes from other blocks of the
text (`jackknifed`), and what earlier layers say of them from trees that have not seen their sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from karat._arrays import Array
from karat._ragged import Ragged
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.systems.categories import TagCategories, tag_categories
from karat.systems.dictionaries import with_lexicon_labels
from karat.systems.layered_trees.attributes import Attributes, attributes_of
from karat.systems.layered_trees.layers import Layer, layered, layers_of
from karat.systems.layered_trees.rules import EliminationRule, applied, read_rules, rules_from_text
from karat.systems.layered_trees.shown import lines_of_step
from karat.systems.layered_trees.step import Step, TreePlan, learnt_step
from karat.systems.layered_trees.trees import ClassTrees, Growth
from karat.systems.lexical import LexicalModel, jackknifed, lexical_model, likeliest
from karat.systems.model_file import Model
from karat.systems.options import LayeredTreesOptions
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence
from karat.tagsets import read_tagset

_OF_TREES = TreePlan(Growth(least_leaf=5, least_bits=10.0, tried=1.0, prior=2.0), n_trees=1, trust=8.0)
_OF_FORESTS = TreePlan(Growth(least_leaf=1, least_bits=0.0, tried=0.1, prior=1.0), n_trees=20, trust=1.0)


class LayeredTrees(Tagger):
    """Trained layers of trees."""

    system: ClassVar[str] = "layered-trees"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: LayeredTreesOptions,
        lexical: LexicalModel,
        attributes: Attributes,
        rules: Sequence[EliminationRule],
        steps: Sequence[Step],
        n_without_gold: int,
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.lexical, self.attributes, self.rules = chosen, lexical, attributes, rules
        self.steps, self.n_without_gold = steps, n_without_gold

    def options(self) -> Mapping[str, Any]:
        names = ("tagset", "forest", "lexicon", "rules")
        return {name: getattr(self.chosen, name) for name in names}

    @property
    def layers(self) -> list[Layer]:
        return [step.layer for step in self.steps]

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls,
        text: LabelledWords,
        column: str,
        options: LayeredTreesOptions,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Self:
        text = with_lexicon_labels(text, options.lexicon, column)
        categories = _categories(text.labels, options.tagset)
        rules = _rules(options, categories)
        lexical = lexical_model(text, options.lexicon, column)
        attributes = attributes_of(text, categories, lexical.shares)
        layers, rng = layers_of(categories), np.random.default_rng(seed)
        plan = _plan(options)
        fold = _folds(text.words, plan, rng)
        found = applied(rules, text.words, jackknifed(text, options.lexicon, column), categories)
        found = layered(found, layers)
        n_found = int(np.count_nonzero(found.values == text.label_ids[found.owners]))
        steps = []
        for number, layer in enumerate(layers, start=1):
            is_last = number == len(layers)
            shared = attributes.of(text.words, found)
            step = learnt_step(layer, shared, attributes, found, text.label_ids, fold, plan, is_last=is_last, rng=rng)
            if not is_last:
                found = step.answered(shared, attributes, found, fold)
            steps.append(step.kept(plan.n_trees))
            if progress is not None:
                progress(number / len(layers))
        return cls(column, text.labels, options, lexical, attributes, rules, steps, len(text.words) - n_found)

    # ---- tagging -----------------------------------------------------------------------------------------------------

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        tags, scores = [np.zeros(0, np.int32)], [np.zeros((0, len(self.labels)))]
        for first, stop in words.blocks():
            block, _ = words.chosen(np.arange(first, stop))
            found = self.beliefs(block)
            assert found.weights is not None
            tags.append(likeliest(found))
            if with_probabilities:
                table = np.full((len(block), len(self.labels)), -np.inf)
                with np.errstate(divide="ignore"):
                    table[found.owners, found.values] = np.log(found.weights)
                scores.append(table)
        return Tagging(np.concatenate(tags), np.concatenate(scores))

    def beliefs(self, words: WordSequence) -> Ragged:
        """The candidates of each word and how likely they are; these sum to 1."""
        found = self.lexical.of(words.forms).taken(words.ids.astype(np.intp))
        found = layered(applied(self.rules, words, found, self.attributes.categories), self.layers)
        for step in self.steps:
            found = step.answered(self.attributes.of(words, found), self.attributes, found)
        return found

    # ---- what it learnt ----------------------------------------------------------------------------------------------

    def learnt(self) -> list[str]:
        lines = [f"# {self.n_without_gold:,} training words lack their tag among the candidates"]
        lines += [rule.text for rule in self.rules]
        for step in self.steps:
            lines += lines_of_step(step, self.attributes)
        return lines

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        categories, lexical, attributes = self.attributes.categories, self.lexical.parts(), self.attributes.parts()
        header = {
            **lexical.header,
            "options": dict(self.options()),
            "categories": list(categories.names),
            "category values": [list(one) for one in categories.values],
            "without gold": self.n_without_gold,
        }
        arrays: dict[str, Array] = {"category table": categories.table.astype(np.int32), **lexical.arrays}
        for number, step in enumerate(self.steps):
            arrays |= step.trees.parts(f"layer {number}") | step.pooled.parts(f"layer {number} all")
        texts = {**lexical.texts, **attributes.texts, "rules": [rule.text for rule in self.rules]}
        return Model(self.system, header, arrays, texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        options = _options_kept(model)
        categories = _categories_kept(model, len(labels))
        lexical = LexicalModel.from_parts(model, labels)
        attributes = Attributes.from_parts(model, categories, lexical.shares)
        n_attributes, steps = len(attributes.names), []
        for number, layer in enumerate(layers_of(categories)):
            n_values, n = len(layer.names), n_attributes + layer.n_own
            trees = ClassTrees.from_parts(model, f"layer {number}", n_values, n)
            pooled = ClassTrees.from_parts(model, f"layer {number} all", n_values, n)
            if len(pooled.classes) > 1 or any(one != n_values for one in pooled.classes.sizes.tolist()):
                raise model.problem("trees do not fit together")
            steps.append(Step(layer, trees, pooled, _plan(options).trust))
        rules = rules_from_text("\n".join(model.lines("rules")), model.path, categories)
        return cls(column, labels, options, lexical, attributes, rules, steps, model.value("without gold", int))


def _plan(options: LayeredTreesOptions) -> TreePlan:
    return _OF_FORESTS if options.forest else _OF_TREES


def _folds(words: WordSequence, plan: TreePlan, rng: np.random.Generator) -> Array:
    """The fold of each word in each division of the sentences [divisions × words]."""
    sizes, n = np.diff(words.offsets), words.n_sentences
    found = [np.repeat(rng.permutation(n) % plan.n_folds, sizes) for _ in range(plan.divisions())]
    return np.stack(found).astype(np.int8)


def _categories(labels: tuple[str, ...], tagset: str | None) -> TagCategories:
    """What labels are made of; without a tagset each is one value of a single category."""
    if tagset is not None:
        return tag_categories(labels, tagset)
    return TagCategories(("tag",), (labels,), np.arange(len(labels), dtype=np.int16)[:, None])


def _rules(options: LayeredTreesOptions, categories: TagCategories) -> list[EliminationRule]:
    if options.rules is None:
        return []
    if options.tagset is None:
        raise UsageError("elimination rules are about categories: they need a tagset, such as nkjp")
    tagset = None if options.tagset is None else read_tagset(options.tagset)

    def known(name: str, value: str) -> bool:
        if value in categories.values[categories.names.index(name)]:
            return True
        return tagset is not None and (value in (tagset.parts_of_speech if name == "pos" else tagset.values_in(name)))

    return read_rules(options.rules, categories, known)


def _options_kept(model: Model) -> LayeredTreesOptions:
    kept = model.value("options", dict)
    texts = {name: kept.get(name) for name in ("tagset", "lexicon", "rules")}
    if not isinstance(kept.get("forest"), bool) or any(not isinstance(one, str | None) for one in texts.values()):
        raise model.problem("options are missing or of another kind")
    return LayeredTreesOptions(forest=kept["forest"], **texts)


def _categories_kept(model: Model, n_labels: int) -> TagCategories:
    """The categories of labels that were kept; a `DataError` if they are none."""
    names, values = model.value("categories", list), model.value("category values", list)
    table = model.array("category table", "int32", 2)
    are_lists = len(values) == len(names) > 0 and all(isinstance(one, list) for one in values)
    if not are_lists or table.shape != (n_labels, len(names)) or len({*map(str, names)}) < len(names):
        raise model.problem("categories do not fit together")
    if not all(isinstance(one, str) for some in (names, *values) for one in some):
        raise model.problem("categories are no strings")
    if (table < -1).any() or any(int(table[:, k].max(initial=-1)) >= len(one) for k, one in enumerate(values)):
        raise model.problem("categories have numbers out of range")
    return TagCategories(tuple(names), tuple(map(tuple, values)), table.astype(np.int16))
