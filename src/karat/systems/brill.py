"""A transformation-based tagger [Brill 1995], for plain tags and for rich ones [Acedański & Gołuchowski 2009].

Every word first gets its likeliest tag by the form alone (`lexical`). Then rules are applied, one after the other, each
to the whole text: NN becomes VB behind TO; an adjective takes number, gender and case from the noun behind it. A rule
only gives a word a tag that its form can have. Rules are learnt in the order in which they are applied, each the one
that corrects most of the errors that are left (`transformation_learning`); the tags from which learning starts are by
models of other parts of the text, or forms would look less ambiguous than they will be in new text.

In two phases, parts of speech are corrected first; then each word has the likeliest of the tags with its part of
speech, and whole tags are corrected.

Rules give no probabilities. A word's final tag has a share of the probability that is as large as the share of training
words that the rules get right; what remains is shared as by the form alone, and the common calibration does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._ragged import Ragged, offsets_of
from karat.errors import UsageError
from karat.inference.resampling import Progress
from karat.systems.brill_file import phase_from_parts, phase_parts, tag_parts_from
from karat.systems.categories import tag_categories
from karat.systems.lexical import LexicalModel, jackknifed, lexical_model, likeliest
from karat.systems.model_file import Model
from karat.systems.options import BrillOptions
from karat.systems.tagger import Tagger, Tagging
from karat.systems.transformation_learning import apply_rules, learnt_rules, tag_state
from karat.systems.transformation_presets import PLAIN, feature_columns, feature_values, rich_notation
from karat.systems.transformations import LabelParts, Notation, Rules, TransformationGrammar, shown_rules
from karat.systems.words import LabelledWords, WordSequence

_LEAST_CHANCE = 1e-4  # of a word's likeliest tag that another must have for a rule to give it
_LEAST_THRESHOLD, _THRESHOLD, _MOST_THRESHOLD = 2, 3, 10
_LEAST_TRUST, _MOST_TRUST = 0.6, 0.999


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """Rules that correct tags, or parts of speech; `values` are those of the features that they ask for."""

    grammar: TransformationGrammar
    rules: Rules
    values: tuple[tuple[str, ...], ...]

    def applied(self, words: WordSequence, tags: Ids, candidates: Ragged) -> Ids:
        """The tags after all rules."""
        names = self.grammar.notation.features
        features = feature_columns(words, names, self.values)
        state = tag_state(words.offsets, tags, candidates, features, len(self.grammar.tags.labels))
        apply_rules(state, self.rules, self.grammar)
        return state.tags[state.places]


class Brill(Tagger):
    """A trained transformation-based tagger; `trust` is the share of probability that a word's final tag has."""

    system: ClassVar[str] = "brill"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: BrillOptions,
        lexical: LexicalModel,
        phases: Sequence[Phase],
        trust: float,
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.lexical, self.phases, self.trust = chosen, lexical, tuple(phases), trust

    def options(self) -> Mapping[str, Any]:
        chosen = self.chosen
        return {
            "threshold": chosen.threshold,
            "phases": chosen.phases,
            "tagset": chosen.tagset,
            "lexicon": chosen.lexicon,
        }

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: BrillOptions, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        if options.phases == "two" and options.tagset is None:
            raise UsageError("two phases, parts of speech first, need a tagset")
        tags = _tag_parts(text.labels, options.tagset)
        if options.threshold == 0:
            options = replace(options, threshold=best_threshold(text, column, options))
        candidates = likely_candidates(jackknifed(text, options.lexicon, column))
        found, phases = likeliest(candidates), []
        if options.phases == "two" and options.tagset is not None:
            coarse = Coarse(tags)
            of_coarse = coarse.candidates(candidates)
            phase, after = _learnt(
                text.words, likeliest(of_coarse), coarse.of_label[text.label_ids], of_coarse, coarse.tags, options
            )
            phases.append(phase)
            found = coarse.likeliest(candidates, after)
        phase, found = _learnt(text.words, found, text.label_ids, candidates, tags, options, progress)
        phases.append(phase)
        trust = float(np.clip((found == text.label_ids).mean(), _LEAST_TRUST, _MOST_TRUST))
        return cls(column, text.labels, options, lexical_model(text, options.lexicon, column), phases, trust)

    # ---- tagging -----------------------------------------------------------------------------------------------------

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        candidates = self.lexical.of(words.forms).taken(words.ids.astype(np.intp))
        several = likely_candidates(candidates)
        tags = likeliest(several)
        if len(self.phases) > 1:
            coarse = Coarse(self.phases[-1].grammar.tags)
            of_coarse = coarse.candidates(several)
            after = self.phases[0].applied(words, likeliest(of_coarse), of_coarse)
            tags = coarse.likeliest(several, after)
        tags = self.phases[-1].applied(words, tags, several)
        if not with_probabilities:
            return Tagging(tags, np.zeros((0, len(self.labels))))
        assert candidates.weights is not None
        chances: Floats = np.zeros((len(words), len(self.labels)))
        chances[candidates.owners, candidates.values] = (1 - self.trust) * candidates.weights
        chances[np.arange(len(words)), tags] += self.trust
        with np.errstate(divide="ignore"):
            return Tagging(tags, np.log(chances))

    def learnt(self) -> list[str]:
        """The rules, in their order, with how many words each corrected and spoilt in training."""
        lines = []
        for number, phase in enumerate(self.phases, start=1):
            if len(self.phases) > 1:
                lines.append(f"# phase {number}: {'parts of speech' if number == 1 else 'whole tags'}")
            lines += shown_rules(phase.rules, phase.grammar, phase.values)
        return lines

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        lexical = self.lexical.parts()
        arrays, texts = dict(lexical.arrays), dict(lexical.texts)
        for number, phase in enumerate(self.phases):
            more = phase_parts(phase.grammar, phase.rules, phase.values, number)
            arrays.update(more.arrays)
            texts.update(more.texts)
        header = {**lexical.header, "options": dict(self.options()), "trust": self.trust, "phases": len(self.phases)}
        return Model(self.system, header, arrays, texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        given, trust, n_phases = model.value("options", dict), model.value("trust", float), model.value("phases", int)
        try:
            chosen = BrillOptions(**given)
        except (TypeError, ValueError):
            raise model.problem("options are none of this tagger") from None
        if not 0 < trust < 1 or n_phases not in (1, 2):
            raise model.problem("the number of phases or the trust in tags is out of range")
        tags = tag_parts_from(model, labels, n_phases - 1)
        phases = [Phase(*phase_from_parts(model, tags, n_phases - 1))]
        if n_phases == 2:
            if "pos" not in tags.names or (tags.level("pos")[0] < 0).any():
                raise model.problem("tags have no parts of speech")
            phases.insert(0, Phase(*phase_from_parts(model, Coarse(tags).tags, 0)))
        return cls(column, labels, chosen, LexicalModel.from_parts(model, labels), phases, trust)


def _tag_parts(labels: tuple[str, ...], tagset: str | None) -> LabelParts:
    if tagset is None:
        return LabelParts(labels)
    found = tag_categories(labels, tagset)
    return LabelParts(labels, found.names, found.values, found.table)


def _learnt(
    words: WordSequence,
    initial: Ids,
    right: Ids,
    candidates: Ragged,
    tags: LabelParts,
    options: BrillOptions,
    progress: Progress | None = None,
) -> tuple[Phase, Ids]:
    """The rules of a phase, and the tags of the text after them."""
    notation: Notation = rich_notation(tags.names) if tags.names else PLAIN
    grammar = TransformationGrammar(notation, tags)
    values = feature_values(words, notation.features, options.threshold)  # no rule on a rarer one could gain enough
    features = feature_columns(words, notation.features, values)
    state = tag_state(words.offsets, initial, candidates, features, len(tags.labels))
    rules = learnt_rules(state, right, grammar, options.threshold, progress)
    return Phase(grammar, *rules_with_used_values(rules, notation, values)), state.tags[state.places]


def best_threshold(text: LabelledWords, column: str, options: BrillOptions) -> int:
    """The threshold whose rules, learnt from nine tenths of the text, are right most often on the rest.

    A higher threshold gives the first rules of a lower one, so that rules need to be learnt only once. Of equally good
    thresholds the highest; `_THRESHOLD` if there are too few sentences to hold some out.
    """
    n = text.words.n_sentences
    n_held_out = n // 10
    if n_held_out == 0:
        return _THRESHOLD
    rest, held_out = text.chosen(np.arange(n - n_held_out)), text.chosen(np.arange(n - n_held_out, n))
    tags, words = _tag_parts(text.labels, options.tagset), held_out.words
    candidates = likely_candidates(jackknifed(rest, options.lexicon, column))
    lowest = replace(options, threshold=_LEAST_THRESHOLD)
    phase, _ = _learnt(rest.words, likeliest(candidates), rest.label_ids, candidates, tags, lowest)
    lexical = lexical_model(rest, options.lexicon, column)
    of_words = likely_candidates(lexical.of(words.forms).taken(words.ids.astype(np.intp)))
    n_right = {}
    for threshold in range(_MOST_THRESHOLD, _LEAST_THRESHOLD - 1, -1):
        first = Phase(phase.grammar, phase.rules.until(threshold), phase.values)
        found = first.applied(words, likeliest(of_words), of_words)
        n_right[threshold] = int((found == held_out.label_ids).sum())
    return max(n_right, key=n_right.__getitem__)


def rules_with_used_values(
    rules: Rules, notation: Notation, values: Sequence[Sequence[str]]
) -> tuple[Rules, tuple[tuple[str, ...], ...]]:
    """The rules, and only those values of features that they ask for, renumbered."""
    fields, used = rules.fields(len(notation.actions)), [dict[int, int]() for _ in values]
    for row in fields.tolist():
        for place, condition in enumerate(notation.parsed_templates[row[0]]):
            if condition.name in notation.features:
                used[notation.features.index(condition.name)].setdefault(row[4 + place], 0)
    for several in used:
        several.update({value: number for number, value in enumerate(sorted(several))})
    for row in fields:
        for place, condition in enumerate(notation.parsed_templates[row[0]]):
            if condition.name in notation.features:
                row[4 + place] = used[notation.features.index(condition.name)][int(row[4 + place])]
    kept = tuple(tuple(every[one] for one in sorted(some)) for every, some in zip(values, used, strict=True))
    return rules.with_fields(fields, len(notation.actions)), kept


# ---- candidates ------------------------------------------------------------------------------------------------------


def likely_candidates(candidates: Ragged) -> Ragged:
    """The candidates of words that are not next to impossible beside the likeliest, the likeliest first."""
    assert candidates.weights is not None
    if not len(candidates):
        return candidates
    order = np.lexsort((candidates.values, -candidates.weights, candidates.owners))
    values, weights = candidates.values[order], candidates.weights[order]
    kept = weights >= _LEAST_CHANCE * np.repeat(weights[candidates.offsets[:-1]], candidates.sizes)
    sizes = np.add.reduceat(kept, candidates.offsets[:-1])
    return Ragged(offsets_of(sizes), values[kept], weights[kept])


class Coarse:
    """Parts of speech as tags of their own: what tags and candidates are as such, and back."""

    def __init__(self, tags: LabelParts) -> None:
        of_label, names = tags.level("pos")
        self.of_label: Ids = of_label[:-1]
        labels = tuple(names[:-1])
        table = np.arange(len(labels), dtype=np.int16)[:, None]
        self.tags = LabelParts(labels, ("pos",), (labels,), table)

    def candidates(self, candidates: Ragged) -> Ragged:
        """The parts of speech that words can have, with the sums of their tags' chances."""
        assert candidates.weights is not None
        n = len(self.tags.labels)
        keys: Indices = candidates.owners * n + self.of_label[candidates.values]
        distinct, numbers = np.unique(keys, return_inverse=True)
        weights = np.bincount(numbers, weights=candidates.weights, minlength=len(distinct)).astype(np.float64)
        return Ragged(offsets_of(np.bincount(distinct // n, minlength=len(candidates))), distinct % n, weights)

    def likeliest(self, candidates: Ragged, parts_of_speech: Ids) -> Ids:
        """The likeliest tag of each word that has its part of speech."""
        assert candidates.weights is not None
        fits = self.of_label[candidates.values] == parts_of_speech[candidates.owners]
        weights: Floats = candidates.weights + np.where(fits, 2.0, 0.0)
        return likeliest(Ragged(candidates.offsets, candidates.values, weights))
