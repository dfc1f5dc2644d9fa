"""Weights by the rules that a parser used, from files."""

from __future__ import annotations

from collections.abc import Mapping

from karat.corpus import PathLike, read_source
from karat.errors import DataError, UsageError
from karat.signature import shown_input
from karat.tagsets import Tagset, read_tagset
from karat.weights._weights import Weights
from karat.weights.rule_uses import RuleUses, read_rule_uses
from karat.weights.rules import Parses, RuleCounts, rule_counts


def rule_weights(
    uses: PathLike | None = None,
    *,
    grammar: PathLike | None = None,
    sentences: PathLike | None = None,
    parses: Parses | None = None,
    max_parses: int = 100,
    seconds: float | None = 10.0,
    tagset: PathLike | Tagset | None = None,
    normalise: bool = False,
    conditional: bool = False,
) -> Weights:
    """Weights by the categories that a parser's rules refer to; the lines that could not be read are their problems.

    The rules' uses come from a file, or from parsing sentences with an NLTK feature grammar; `parses` is then `em`
    unless another way is asked for, since of a grammar without probabilities the first parse says nothing. A sentence
    that takes longer than `seconds` to parse is left out.
    """
    known = None if tagset is None else read_tagset(tagset)
    notes: list[str] = []
    if uses is not None:
        found, source = read_rule_uses(uses, tagset=known), _signed(uses)
    elif grammar is not None and sentences is not None:
        found = _parsed(grammar, sentences, known, max_parses, seconds, notes)
        source = f"{_signed(grammar)}, {_signed(sentences)}"
    else:
        raise UsageError("give the uses of rules, or a grammar and sentences")
    chosen: Parses = parses or ("best" if uses is not None else "em")
    counts = rule_counts(found, parses=chosen, tagset=known)
    notes.insert(0, _counted(counts))
    if counts.without_pos and conditional:
        notes.append("Some words have no part of speech and are left out of the conditional weights.")
    if counts.em_converged is False:
        notes.append("Expectation-maximisation has not converged: the weights of parses are unreliable.")
    if not any(counts.counts.values()):
        if counts.problems:
            raise DataError(counts.problems)
        raise UsageError(" ".join(["no rule refers to a category of a word, so there are no weights.", *notes]))
    absolute = counts.normalised if normalise else counts.counts
    by_pos = counts.conditional_normalised if normalise else counts.conditional
    made = f"rules: categories that used rules refer to in words, parses: {chosen}; from {source}"
    return Weights(
        "rules",
        {} if conditional else _rounded(absolute),
        {pos: _rounded(table) for pos, table in by_pos.items()} if conditional else {},
        made,
        known.name if known else "",
        notes=tuple(notes),
        problems=counts.problems,
    )


def _counted(counts: RuleCounts) -> str:
    """How much was counted, in words."""
    numbers = [(round(counts.n_uses), "use"), (counts.n_rules, "rule"), (counts.n_sentences, "sentence")]
    uses, rules, sentences = (f"{n:,} {what}{'s' * (n != 1)}" for n, what in numbers)
    return f"{uses} of {rules} in {sentences}."


def _parsed(
    grammar: PathLike,
    sentences: PathLike,
    tagset: Tagset | None,
    max_parses: int,
    seconds: float | None,
    notes: list[str],
) -> RuleUses:
    from karat.weights.nltk_grammar import grammar_names, read_grammar
    from karat.weights.nltk_rules import read_sentences, rule_uses_from_grammar

    every = read_sentences(sentences)
    names = grammar_names(tagset)
    found = rule_uses_from_grammar(read_grammar(grammar), every, names=names, max_parses=max_parses, seconds=seconds)
    if found.left_out:
        one = found.left_out[0]
        notes.append(f"{len(found.left_out):,} of {len(every):,} sentences are left out; {one.sentence}: {one.reason}.")
    if found.unmapped:
        notes.append(f"Features that are not categories: {', '.join(found.unmapped)}.")
    return found.uses


def _signed(path: PathLike) -> str:
    return "<stdin>" if str(path) == "-" else shown_input(str(path), read_source(path).sha256())


def _rounded(table: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 9) for name, value in table.items()}
