"""The relaxation labelling tagger: weights of tags, changed by all constraints at once until they agree.

A word's tags begin with their probability given the form alone, p₀ (`lexical`). Constraints support them by what
weights the tags around have: the support S of a tag is the sum, over all constraints that it is the head of, of the
constraint's strength times the product of the weights of the other tags that it names. Then all weights change at once:

    damped      p ← ½ p + ½ norm(p₀ · 2^S)
    textbook    p ← norm(p · (1 + s)),  s = S / (1 + max |S|) over the word's tags

Strengths are logarithms of ratios of probabilities, so that p₀ · 2^S is what they make of the tag if all of them are
right, and the first update keeps in mind what the form alone says. The second is the one of the textbooks [Màrquez &
Padró 1997]: its fixed points are where support is largest, whatever p₀ was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Floats, Ids
from karat._ragged import offsets_of, places_of_rows
from karat.errors import DataError, UsageError
from karat.inference.resampling import Progress
from karat.systems.dictionaries import with_lexicon_labels
from karat.systems.lexical import LexicalModel, lexical_model
from karat.systems.model_file import Model
from karat.systems.options import CONSTRAINT_KINDS, RelaxationOptions
from karat.systems.relaxation.constraint_file import constraints_from_lines, read_constraints
from karat.systems.relaxation.constraints import Constraint, lines_of
from karat.systems.relaxation.growing import acquired
from karat.systems.relaxation.ngrams import Ngrams, ngrams_of
from karat.systems.relaxation.stated import LearntConstraints, changed, for_kernels, with_names
from karat.systems.relaxation.trees import NO_TREES, AcquiredTrees
from karat.systems.relaxation.word_classes import NamedWords
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence

if TYPE_CHECKING:
    from karat.systems.relaxation import _compiled_relaxation as compiled

_MOST_LABELS = 4000  # whose pairs fit into memory
_FACTOR_BESIDE_NGRAMS = 0.7  # of what trees say where n-grams say much of it, too; chosen on the dev set of EWT
_MOST_ROUNDS = {"damped": 12, "textbook": 100}
_MOST_KEPT = 1 << 22  # triples of a sentence that are looked up once
_ENOUGH = 1e-3  # a change of weights that counts for none


class Relaxation(Tagger):
    """A trained relaxation labelling tagger."""

    system: ClassVar[str] = "relaxation"

    def __init__(
        self,
        column: str,
        chosen: RelaxationOptions,
        lexical: LexicalModel,
        learnt: LearntConstraints,
        stated: tuple[Constraint, ...],
    ) -> None:
        super().__init__(column, learnt.labels)
        self.chosen, self.lexical, self.constraints, self.stated = chosen, lexical, learnt, stated
        self._kept: tuple[compiled.Ngrams, compiled.Trees, compiled.Stated] | None = None

    def options(self) -> Mapping[str, Any]:
        of = self.chosen
        return {
            "constraints": of.constraints,
            "constraints_file": of.constraints_file,
            "update": of.update,
            "lexicon": of.lexicon,
        }

    def options_of_parts(self) -> RelaxationOptions:
        """The options, with those stated constraints alone that this text did not teach: others would tell too much."""
        return replace(self.chosen, constraints_file=None, stated=self.stated)

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls,
        text: LabelledWords,
        column: str,
        options: RelaxationOptions,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Self:
        text = with_lexicon_labels(text, options.lexicon, column)
        if len(text.labels) > _MOST_LABELS:
            what = f"{len(text.labels):,} different labels are too many for relaxation (at most {_MOST_LABELS:,})"
            raise UsageError(what)
        kinds, path = options.constraints, options.constraints_file
        if path == "-":
            raise UsageError("constraints are read more than once: give a file, not standard input")
        lexical = lexical_model(text, options.lexicon, column)
        trees, vocabulary = NO_TREES, NamedWords({}, {})
        if "C" in kinds:
            trees, vocabulary = acquired(text, lexical, 1.0 if kinds == "C" else _FACTOR_BESIDE_NGRAMS)
        learnt = LearntConstraints(text.labels, ngrams_of(text, kinds), trees, vocabulary)
        if path is None:
            stated = list(options.stated)
        else:
            stated = read_constraints(path, text.labels, lines_of(learnt.constraints()))
        several = changed(stated, learnt)
        learnt = replace(learnt, vocabulary=with_names(vocabulary, several, text.labels))
        found = cls(column, options, lexical, learnt, tuple(several))
        found.stated = tuple(found._with_uses(text))
        return found

    def _with_uses(self, text: LabelledWords) -> Iterable[Constraint]:
        """The stated constraints with how many words of the text each was used for, by the labels of the text."""
        if not self.stated:
            return []
        from karat.systems.relaxation import _compiled_relaxation as compiled

        lattice = self._lattice(text.words)
        _, offsets, labels, *_ = lattice
        weights = (labels == np.repeat(text.label_ids, np.diff(offsets))).astype(np.float64)
        counts = np.zeros(len(self.stated))
        edge = len(self.labels)
        compiled.uses((*lattice[:3], weights, *lattice[4:]), edge, for_kernels(self.stated, self.constraints), counts)
        stated = {one.key for one in self.stated}
        learnt = {one.key: one.n_used for one in self.constraints.constraints() if one.key in stated}
        every = zip(self.stated, counts.tolist(), strict=True)
        return [replace(one, n_used=learnt.get(one.key, round(n))) for one, n in every]

    # ---- tagging -----------------------------------------------------------------------------------------------------

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        from karat.systems.relaxation import _compiled_relaxation as compiled

        lattice = self._lattice(words)
        weights = self._relaxed(lattice)
        _, offsets, labels, *_ = lattice
        tags: Ids = np.zeros(len(words), dtype=np.int32)
        compiled.heaviest(offsets, labels, weights, tags)
        if not with_probabilities:
            return Tagging(tags, np.zeros((0, len(self.labels))))
        scores = np.full((len(words), len(self.labels)), -np.inf)
        with np.errstate(divide="ignore"):
            scores[np.repeat(np.arange(len(words)), np.diff(offsets)), labels] = np.log(weights)
        return Tagging(tags, scores)

    def _lattice(self, words: WordSequence) -> compiled.Lattice:
        """The words with their candidates, as kernels have them."""
        of_form = self.lexical.of(words.forms)
        assert of_form.weights is not None
        vocabulary = self.constraints.vocabulary
        classes = vocabulary.class_ids(self.lexical, words.forms, of_form)
        places, sizes = places_of_rows(of_form.offsets, words.ids)
        offsets = offsets_of(sizes)
        n_candidates = np.diff(offsets.take(words.offsets))
        return (
            words.offsets.astype(np.int64),
            offsets.astype(np.int64),
            of_form.values.take(places).astype(np.int32),
            of_form.weights.take(places),
            classes.take(words.ids),
            vocabulary.form_ids(words.forms).take(words.ids),
            int(np.diff(words.offsets).max(initial=0)),
            int(n_candidates.max(initial=0)),
        )

    def _relaxed(self, lattice: compiled.Lattice) -> Floats:
        """The weight of each candidate in the end."""
        from karat.systems.relaxation import _compiled_relaxation as compiled

        if self._kept is None:
            of = self.constraints
            self._kept = of.ngrams.for_kernels(), of.trees.for_kernels(), for_kernels(self.stated, of)
        found = np.zeros(len(lattice[2]))
        update = self.chosen.update
        compiled.relaxed(lattice, *self._kept, update == "damped", _MOST_ROUNDS[update], _ENOUGH, _MOST_KEPT, found)
        return found

    # ---- what it has learnt ------------------------------------------------------------------------------------------

    def learnt(self) -> list[str]:
        """All constraints as lines of a file that `--constraints-file` reads, the most used first."""
        replaced = {one.key for one in self.stated}
        every = [one for one in self.constraints.constraints() if not replaced or one.key not in replaced]
        return [
            "# strength, tag <- conditions  # words of the training text it was used for, kind",
            "# kinds: B pairs, T triples, C acquired, H stated by hand; a line with strength 0 takes a constraint out",
            *lines_of((*self.stated, *every)),
        ]

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        of = self.constraints
        several = [of.ngrams.parts(), of.trees.parts(), of.vocabulary.parts(), self.lexical.parts()]
        arrays: dict[str, Array] = {"uses": np.array([one.n_used for one in self.stated], dtype=np.int32)}
        texts = {"stated": [str(one) for one in self.stated]}
        header: dict[str, Any] = {"options": dict(self.options())}
        for one in several:
            arrays |= one.arrays
            texts |= {name: list(lines) for name, lines in one.texts.items()}
            header |= one.header
        return Model(self.system, header, arrays, texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        chosen = model.value("options", dict)
        kinds, update = chosen.get("constraints"), chosen.get("update")
        others = [chosen.get(name) for name in ("constraints_file", "lexicon")]
        is_wrong = kinds not in CONSTRAINT_KINDS or update not in _MOST_ROUNDS
        if is_wrong or not all(one is None or isinstance(one, str) for one in others) or len(labels) > _MOST_LABELS:
            raise model.problem("options that relaxation does not have")
        vocabulary = NamedWords.from_parts(model, len(labels))
        trees = AcquiredTrees.from_parts(model, list(vocabulary.classes), len(labels), len(vocabulary.forms))
        learnt = LearntConstraints(labels, Ngrams.from_parts(model, kinds, len(labels)), trees, vocabulary)
        stated = _stated_from(model, labels)
        named = with_names(vocabulary, stated, labels)
        if len(named.classes) > len(vocabulary.classes) or len(named.forms) > len(vocabulary.forms):
            raise model.problem("a constraint names a class or a form that there is not")
        options = RelaxationOptions(kinds, others[0], update, others[1])
        return cls(column, options, LexicalModel.from_parts(model, labels), learnt, stated)


def _stated_from(model: Model, labels: tuple[str, ...]) -> tuple[Constraint, ...]:
    """The stated constraints that were kept."""
    lines = model.lines("stated")
    uses = model.numbers("uses", 1 << 31)
    try:
        found = constraints_from_lines(lines, {*labels}, model.path)
    except DataError as error:
        raise model.problem(f"a stated constraint is none: {error.problems[0].message}") from None
    if len(found) != len(lines) or len(uses) != len(lines):
        raise model.problem("stated constraints do not fit together")
    return tuple(replace(one, n_used=n, kind="H") for one, n in zip(found, uses.tolist(), strict=True))
