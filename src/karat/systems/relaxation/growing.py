"""How constraints are acquired: decision trees grown from the training text, one for each class of ambiguous words.

[Màrquez & Padró 1997] Words of one class, that is, words that can have the same tags, are the examples of a tree;
unknown words are of classes by their shape, and learnt from forms that are rare. The attribute of a node is the one
whose partition is nearest to that by label in the distance of López de Mántaras (1991). Probabilities in nodes are
smoothed by those of the node above, P(t | node) = (n(t) + μ P(t | above)) / (n + μ). All numbers below were chosen on
the dev set of EWT.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Floats, Ids, Indices
from karat._ragged import offsets_of
from karat.systems.lexical import LexicalModel
from karat.systems.relaxation.contexts import padded
from karat.systems.relaxation.trees import FORM_POSITIONS, LABEL_POSITIONS, AcquiredTrees
from karat.systems.relaxation.word_classes import Class, NamedWords, classes_of, shape_of
from karat.systems.words import LabelledWords

_LEAST_WORDS = 50  # of a class that gets a tree
_LEAST_FORM = 10  # how often a form occurs that can be asked for
_MOST_OFTEN = 10  # how often a form occurs that is like an unknown one
_LEAST_NODE = 10  # words of a node that may ask
_LEAST_BRANCH = 3  # words of a branch of its own
_MOST_BRANCHES = 20  # of a node, but for that of all other values: more are no longer read
_LEAST_GAIN = 3.0  # the likelihood ratio of a question, for each branch beyond the first
_SMOOTHING = 2.0  # μ: how many words the node above counts for
_OWN_FORM = 1 << (len(LABEL_POSITIONS) + FORM_POSITIONS.index(0))  # which trees of unknown words do not ask for


@dataclass(frozen=True, slots=True, eq=False)
class _TreeExamples:
    """The attributes of all words [attributes × words], the number of each one's label, how many values there are, and
    the value of each attribute that stands for rare forms, or -1."""

    attributes: Ids
    label_ids: Ids
    n_values: int
    rare: Ids


def acquired(text: LabelledWords, lexical: LexicalModel, factor: float) -> tuple[AcquiredTrees, NamedWords]:
    """The trees of all classes with enough words, strengths times a factor; and these classes and frequent forms."""
    words = text.words
    forms = _frequent_forms(text)
    examples = _examples(text, NamedWords({}, forms))
    grown: list[_GrownTree] = []
    classes: dict[Class, int] = {}
    for one, members in _members(text, lexical).items():
        is_member = np.zeros(len(words.forms), dtype=np.bool_)
        is_member[members] = True
        some = np.flatnonzero(is_member.take(words.ids))
        if len(some) >= _LEAST_WORDS and len(labels := _labels_of(one, text.label_ids[some])) > 1:
            classes[one] = len(classes)
            grown.append(_tree(examples, some, labels, factor, _OWN_FORM if isinstance(one, str) else 0))
    return _together(grown), NamedWords(classes, forms)


def _frequent_forms(text: LabelledWords) -> dict[str, int]:
    """The forms, in lower case, that are frequent enough to be asked for."""
    counts: dict[str, int] = {}
    n_of_form = np.bincount(text.words.ids, minlength=len(text.words.forms))
    for form, n in zip(text.words.forms, n_of_form.tolist(), strict=True):
        counts[form.lower()] = counts.get(form.lower(), 0) + n
    frequent = sorted(form for form, n in counts.items() if n >= _LEAST_FORM)
    return {form: number for number, form in enumerate(frequent)}


def _examples(text: LabelledWords, vocabulary: NamedWords) -> _TreeExamples:
    """What stands around each word of a text: labels and forms; what is beyond the edge is no frequent form."""
    words, n_labels, n_forms = text.words, len(text.labels), len(vocabulary.forms)
    forms = vocabulary.form_ids(words.forms).take(words.ids)
    of_labels = padded(words, text.label_ids, n_labels)
    of_forms = padded(words, np.where(forms < 0, n_forms, forms).astype(np.int32), n_forms)
    every = [of_labels.around(one) for one in LABEL_POSITIONS] + [of_forms.around(one) for one in FORM_POSITIONS]
    rare = np.array([-1] * len(LABEL_POSITIONS) + [n_forms] * len(FORM_POSITIONS), dtype=np.int32)
    return _TreeExamples(np.stack(every), text.label_ids, max(n_labels, n_forms) + 1, rare)


def _members(text: LabelledWords, lexical: LexicalModel) -> dict[Class, list[int]]:
    """The forms of each class of ambiguous words, and rare ones once more by their shape, as if they were unknown."""
    forms = text.words.forms
    n_of_form = np.bincount(text.words.ids, minlength=len(forms)).tolist()
    found: dict[Class, list[int]] = {}
    for number, one in enumerate(classes_of(lexical, forms, lexical.of(forms))):
        if len(one) > 1:
            found.setdefault(one, []).append(number)
        if n_of_form[number] <= _MOST_OFTEN:
            found.setdefault(shape_of(forms[number]), []).append(number)
    return dict(sorted(found.items(), key=lambda one: (isinstance(one[0], str), one[0])))


def _labels_of(one: Class, label_ids: Ids) -> Indices:
    """The labels of a class: those that its words can have; of unknown ones those that they have."""
    return np.unique(label_ids).astype(np.intp) if isinstance(one, str) else np.array(one, dtype=np.intp)


# ---- one tree --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _GrownTree:
    """A grown tree, with strengths in its leaves [leaves × labels] and how many words came to each."""

    attributes: Ids
    first_child: Ids
    n_children: Ids
    values: Ids
    labels: Indices
    strengths: Floats
    counts: Indices


def _tree(examples: _TreeExamples, some: Indices, labels: Indices, factor: float, not_asked: int) -> _GrownTree:
    """The tree of some of the words, which are of one class and have these labels."""
    from karat.systems.relaxation import _compiled_growing as compiled

    classes = np.searchsorted(labels, examples.label_ids[some]).astype(np.int32)
    asks, first_child, n_children, leads, parent, start, stop, order = compiled.grown(
        np.ascontiguousarray(examples.attributes[:, some]),
        examples.rare,
        classes,
        examples.n_values,
        len(labels),
        (_LEAST_NODE, _LEAST_BRANCH, _MOST_BRANCHES, _LEAST_GAIN),
        not_asked,
    )
    chances = _smoothed(classes[order], start, stop, parent, len(labels))
    is_leaf: Flags = asks < 0
    strengths = factor * np.log2(chances[is_leaf] / chances[0])
    return _GrownTree(asks, first_child, n_children, leads, labels, strengths, (stop - start)[is_leaf])


def _smoothed(classes: Ids, start: Indices, stop: Indices, parent: Ids, n_classes: int) -> Floats:
    """P(label | node) of all nodes; in the root a word more is shared by all labels, so that none is impossible."""
    found = np.empty((len(start), n_classes))
    for node, (first, behind, above) in enumerate(zip(start.tolist(), stop.tolist(), parent.tolist(), strict=True)):
        counts = np.bincount(classes[first:behind], minlength=n_classes)
        if above < 0:
            found[node] = (counts + 1 / n_classes) / (len(classes) + 1)
        else:
            found[node] = (counts + _SMOOTHING * found[above]) / (behind - first + _SMOOTHING)
    return found


def _together(trees: list[_GrownTree]) -> AcquiredTrees:
    """All trees in one row of nodes."""
    sizes = [len(one.attributes) for one in trees]
    roots = offsets_of(sizes)
    n_labels = [len(one.labels) for one in trees]

    def joined(several: list[Array], dtype: type) -> Array:
        return np.concatenate([np.zeros(0, dtype), *(one.reshape(-1) for one in several)]).astype(dtype)

    return AcquiredTrees(
        roots[:-1].astype(np.int32),
        joined([one.attributes for one in trees], np.int32),
        joined(
            [
                np.where(one.attributes >= 0, one.first_child + root, 0)
                for one, root in zip(trees, roots[:-1].tolist(), strict=True)
            ],
            np.int32,
        ),
        joined([one.n_children for one in trees], np.int32),
        joined([one.values for one in trees], np.int32),
        offsets_of(n_labels),
        joined([one.labels for one in trees], np.int32),
        joined([one.strengths for one in trees], np.float64),
        joined([one.counts for one in trees], np.int32),
    )
