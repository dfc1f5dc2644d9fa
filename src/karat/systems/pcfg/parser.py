"""`Pcfg`: a parser with a grammar that was read off a treebank, and its file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from karat._arrays import Array, Flags
from karat.corpus.constituency_trees import Trees
from karat.errors import DataError, Problem, UsageError
from karat.systems.model_file import Model
from karat.systems.options import PcfgOptions
from karat.systems.pcfg.chart import (
    BestParse,
    Deadline,
    PossibleTags,
    TooSlowError,
    best_parse,
    bracket_probabilities,
    log_n_parses,
)
from karat.systems.pcfg.grammar import TreebankGrammar, grammar_from_counts
from karat.systems.pcfg.lexicon import ParserLexicon, lexicon_from_counts
from karat.systems.pcfg.treebank_rules import TOP, rule_counts

SYSTEM = "pcfg"
NO_TAG = "_"
_MISSING = "(())"
_NOTHING = np.zeros(0, dtype=np.int32)
_NO_PARSE = BestParse(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, -math.inf)
_ROUNDING = 1e-9  # a bracket that all parses have may fall this short of 1
_LEAST_SCORE = -600.0  # of a rule: the probability is a number of which a product with another is not 0 yet
_ESCAPED = str.maketrans({"(": "-LRB-", ")": "-RRB-", **dict.fromkeys(" \t\n\v\f\r\xa0", "_")})


@dataclass(frozen=True, slots=True)
class SentenceParse:
    """The parse of a sentence as one line, `(())` if there is none, and what is known of it.

    `log_probability` is that of the tree above its tags, and of the words where the parser chose their tags; −∞ without
    a parse. `log_n_parses` is None where parses were not counted. `n_left_out` brackets were doubted too much to be
    written.
    """

    text: str
    log_probability: float = -math.inf
    log_n_parses: float | None = None
    n_left_out: int = 0
    n_unknown_tags: int = 0
    was_too_slow: bool = False

    @property
    def is_missing(self) -> bool:
        return self.text == _MISSING


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """How sentences are parsed: with what beam, how long each, which brackets are written, and what is counted."""

    beam: float = math.inf
    seconds: float | None = None
    threshold: float = 0.0
    count: bool = False


class Pcfg:
    """A parser: a grammar, its words, and the label of brackets around whole trees (`outer`; "": there were none)."""

    system = SYSTEM

    def __init__(self, grammar: TreebankGrammar, lexicon: ParserLexicon, outer: str, chosen: PcfgOptions) -> None:
        self.grammar, self.lexicon, self.outer, self.chosen = grammar, lexicon, outer, chosen
        self._tags = {name: number for number, name in enumerate(grammar.labels[: grammar.n_tags])}

    @classmethod
    def trained(cls, trees: Trees, options: PcfgOptions) -> Self:
        """The parser of a treebank; a `DataError` if it has no tree with words."""
        if not (~trees.traces).any():
            raise DataError(Problem("K104", "there are no trees to learn from", trees.path))
        counts = rule_counts(trees, vertical=options.vertical, horizontal=options.horizontal)
        grammar = grammar_from_counts(counts, smoothing=options.smoothing)
        return cls(grammar, lexicon_from_counts(counts), counts.outer, options)

    # ---- parsing

    def knows_tag(self, tag: str) -> bool:
        """Whether the treebank had the tag."""
        return tag in self._tags

    def prepare(self, how: ParseOptions) -> None:
        """Lay out the grammar, and compile the loops, for all that will be asked, before several threads ask.

        The first sentence would take that long otherwise, and perhaps longer than it may.
        """
        grammar, words = self.grammar, [self.lexicon.tags_of("")]
        best_parse(grammar, words)
        _ = grammar.pair_lefts
        if how.count:
            log_n_parses(grammar, words)
        if how.threshold > 0:
            bracket_probabilities(grammar, words, _NO_PARSE)

    def parse(
        self, forms: Sequence[str], tags: Sequence[str] | None = None, how: ParseOptions | None = None
    ) -> SentenceParse:
        """The parse of a sentence. The parser itself chooses the tags that are not given, or that it does not know."""
        how = how or ParseOptions()
        return self.parses(forms, tags, how, [how.threshold])[0]

    def parses(
        self, forms: Sequence[str], tags: Sequence[str] | None, how: ParseOptions, thresholds: Sequence[float]
    ) -> list[SentenceParse]:
        """The parse of a sentence for each of several thresholds below which brackets are left out."""
        # as in trees: brackets are words of the grammar, too
        forms = [form.translate(_ESCAPED) for form in forms]
        given = [NO_TAG] * len(forms) if tags is None else [tag.translate(_ESCAPED) for tag in tags]
        is_known = [tag in self._tags for tag in given]
        words = [
            PossibleTags(np.array([self._tags[tag]], dtype=np.int32), np.zeros(1))
            if known
            else self.lexicon.tags_of(form)
            for form, tag, known in zip(forms, given, is_known, strict=True)
        ]
        n_unknown = sum(tag != NO_TAG and not known for tag, known in zip(given, is_known, strict=True))
        counted = -math.inf if how.count else None
        missing = SentenceParse(_MISSING, log_n_parses=counted, n_unknown_tags=n_unknown)
        deadline = Deadline(how.seconds)
        try:
            parse = best_parse(self.grammar, words, beam=how.beam, seconds=deadline.left())
            if parse is None:
                return [missing] * len(thresholds)
            if how.count:
                counted = log_n_parses(self.grammar, words, seconds=deadline.left())
            shares = np.ones(len(parse.symbols))
            if any(threshold > 0 for threshold in thresholds):
                shares = bracket_probabilities(self.grammar, words, parse, seconds=deadline.left())
        except (TooSlowError, MemoryError):  # of a sentence of thousands of words
            return [replace(missing, was_too_slow=True)] * len(thresholds)
        chosen = [
            tag if tag != NO_TAG else self.grammar.labels[symbol]
            for tag, symbol in zip(given, parse.tags.tolist(), strict=True)
        ]
        found = []
        for threshold in thresholds:
            kept = (shares >= threshold - _ROUNDING) | (parse.parents < 0)
            text = self._text(parse, kept, forms, chosen)
            found.append(SentenceParse(text, parse.score, counted, int((~kept).sum()), n_unknown))
        return found

    def _text(self, parse: BestParse, kept: Flags, forms: Sequence[str], tags: Sequence[str]) -> str:
        """A parse on one line, of the brackets that are kept."""
        opening: list[list[str]] = [[] for _ in forms]
        closing = [0] * len(forms)
        labels = [self.grammar.labels[one] for one in self.grammar.label_of.take(parse.symbols).tolist()]
        rows = zip(labels, parse.start.tolist(), parse.stop.tolist(), kept.tolist(), strict=True)
        for label, start, stop, is_kept in rows:
            if not is_kept:
                continue
            if label == TOP:
                if not self.outer and self._has_one_child(parse, kept):
                    continue
                label = self.outer
            opening[start].append(f"({label.translate(_ESCAPED)} ")
            closing[stop - 1] += 1
        return "".join(
            f"{'' if not number else ' '}{''.join(opens)}({tag} {form}){')' * closes}"
            for number, (opens, closes, tag, form) in enumerate(zip(opening, closing, tags, forms, strict=True))
        )

    def _has_one_child(self, parse: BestParse, kept: Flags) -> bool:
        """Whether one bracket that is kept is around the whole sentence, below the one that is around every tree."""
        whole = (parse.start == 0) & (parse.stop == len(parse.tags)) & (parse.parents >= 0)
        return bool((whole & kept).any())

    # ---- its file

    def options(self) -> Mapping[str, Any]:
        """What was chosen when it was trained."""
        return {
            "vertical": self.chosen.vertical,
            "horizontal": self.chosen.horizontal,
            "smoothing": self.chosen.smoothing,
        }

    def parts(self) -> Model:
        """What is kept of the parser in a file."""
        grammar = self.grammar
        of_words, texts = self.lexicon.parts()
        header = {
            "options": dict(self.options()),
            "outer": self.outer,
            "n_tags": grammar.n_tags,
            "n_closed": grammar.n_closed,
            "start": grammar.start,
        }
        arrays: dict[str, Array] = {
            "label_of": grammar.label_of,
            "unary": grammar.unary,
            "unary_scores": grammar.unary_scores,
            "binary": grammar.binary,
            "binary_scores": grammar.binary_scores,
            "priors": grammar.priors,
            **of_words,
        }
        return Model(SYSTEM, header, arrays, {"names": grammar.names, "labels": grammar.labels, **texts})

    @classmethod
    def from_model(cls, model: Model) -> Pcfg:
        """The parser that was kept; a `DataError` for numbers that mean nothing."""
        names, labels = tuple(model.lines("names")), tuple(model.lines("labels"))
        n_tags, n_closed, start = (model.value(name, int) for name in ("n_tags", "n_closed", "start"))
        if not 0 < n_tags <= start < n_closed <= len(names) or n_tags > len(labels):
            raise model.problem("its symbols are no symbols of a grammar")
        label_of = model.numbers("label_of", len(labels))
        unary, binary = (model.numbers(name, len(names), n_dimensions=2) for name in ("unary", "binary"))
        scores = [model.array(f"{name}_scores", "float64") for name in ("unary", "binary")]
        priors = model.array("priors", "float64")
        fits = unary.shape == (len(scores[0]), 2) and binary.shape == (len(scores[1]), 3)
        fits = fits and len(label_of) == n_closed and len(priors) == len(names) and bool(np.isfinite(priors).all())
        if not fits or not all(bool(((one >= _LEAST_SCORE) & (one <= 0)).all()) for one in scores):  # NaN fails too
            raise model.problem("its rules are no rules of a grammar")
        is_misplaced = (unary >= n_closed).any() or (binary[:, 1] >= n_closed).any()
        if is_misplaced or (unary[:, 0] < n_tags).any() or (binary[:, 0] < n_tags).any():
            raise model.problem("its rules have symbols where they cannot be")
        grammar = TreebankGrammar(
            names, labels, label_of, n_tags, n_closed, start, unary, scores[0], binary, scores[1], priors
        )
        if not grammar.is_proper():
            raise model.problem("the probabilities of its rules are none")
        chosen = model.value("options", dict)
        try:
            options = PcfgOptions(
                vertical=int(chosen["vertical"]),
                horizontal=int(chosen["horizontal"]),
                smoothing=float(chosen["smoothing"]),
            )
        except (KeyError, TypeError, ValueError, OverflowError, UsageError):
            raise model.problem("options are missing or of another kind") from None
        return cls(grammar, ParserLexicon.from_model(model, n_tags), model.value("outer", str), options)

    def learnt(self) -> list[str]:
        """The rules as lines that people can read."""
        return list(self.grammar.shown())
