"""The paper's three kinds of weights for Polish: by query logs (its Table 1), by ambiguity (§2.3.1), by rules (§2.3.2).

Its authors had no parser yet. Here the rules are dependencies of the treebank's own trees: each is a rule with two
words, and refers to their parts of speech and to those of their categories through which Polish grammar makes them fit,
by agreement (an adjective and its noun) or government (a verb and its object's case).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from karat.corpus import Corpus, PathLike
from karat.signature import shown_input
from karat.tagsets import Tag, Tagset, read_tagset
from karat.tagsets._tagset import POS
from karat.weights import Weights, read_weights
from karat.weights.from_ambiguity import ambiguity_weights
from karat.weights.rule_uses import RuleUse, Terminal, rule_uses
from karat.weights.rules import rule_counts

QUERIES = "poliqarp-2010"
_AGREES = ("number", "case", "gender")
_SUBJECT = ("number", "gender", "person")
# relation → categories that matter in the dependent, and in its head; a subtype has those of its relation if none
_REFERRED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "amod": (_AGREES, _AGREES),
    "det": (_AGREES, _AGREES),
    "nummod": ((*_AGREES, "accommodability"), _AGREES),
    "nummod:gov": ((*_AGREES, "accommodability"), _AGREES),
    "det:numgov": ((*_AGREES, "accommodability"), _AGREES),
    "nsubj": (("case", *_SUBJECT), _SUBJECT),
    "csubj": ((), ("number", "person")),
    "obj": (("case",), ()),
    "iobj": (("case",), ()),
    "obl": (("case",), ()),
    "nmod": (("case",), ()),
    "nmod:poss": (("case",), ()),
    "case": (("case",), ("case",)),
    "conj": (("case",), ("case",)),
    "appos": (("case",), ("case",)),
    "flat": (_AGREES, _AGREES),
    "vocative": (("case",), ()),
    "xcomp:pred": (_AGREES, ()),
    "cop": (("number", "person"), ("number", "case")),
    "aux": (("number", "person"), ("number", "aspect")),
    "aux:clitic": (("number", "person"), ("number", "agglutination")),
    "aux:pass": (("number", "person"), ("number", "gender")),
    "acl": (_AGREES, _AGREES),
    "acl:relcl": ((), ()),
    "advcl": (("aspect",), ()),
}
_NOTHING: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def ambiguity(paths: Sequence[PathLike], *, conditional: bool) -> Weights:
    """Weights by how many values a category has in the analyses of Morfeusz, on the words of a corpus."""
    return ambiguity_weights(list(paths), "nkjp", morfeusz=True, conditional=conditional)


def queries() -> Weights:
    """The weights of the paper's Table 1."""
    return read_weights(QUERIES)


def dependency_rules(corpus: Corpus, *, conditional: bool) -> Weights:
    """Weights by how often the dependencies of a treebank refer to each category of nkjp tags (XPOS).

    Punctuation and roots are no rules.
    """
    tagset = read_tagset("nkjp")
    counts = rule_counts(rule_uses(_uses(corpus, tagset)), tagset=tagset)
    made = (
        "rules: categories that dependencies refer to in their two words (karat's table for Polish); from "
        f"{shown_input(corpus.path, corpus.source.sha256())}"
    )
    absolute = {} if conditional else counts.counts
    return Weights("dependencies", absolute, counts.conditional if conditional else {}, made, tagset.name)


def _uses(corpus: Corpus, tagset: Tagset) -> Iterator[RuleUse]:
    """Each dependency as the use of a rule; made once for each distinct triple of tags and relation."""
    assert corpus.heads is not None
    tags, relations = corpus.column("xpos"), corpus.column("deprel")
    parsed, _ = tagset.parsed(tags.vocabulary.strings)
    names = relations.vocabulary.strings
    sentence = corpus.words_sentence
    words = np.flatnonzero(corpus.heads > 0)
    heads = corpus.sentence_offsets[sentence[words]] + corpus.heads[words] - 1
    made: dict[tuple[int, int, int], tuple[Terminal, ...]] = {}
    triples = zip(tags.ids[words].tolist(), tags.ids[heads].tolist(), relations.ids[words].tolist(), strict=True)
    for number, triple in zip(sentence[words].tolist(), triples, strict=True):
        dependent, head, relation = triple
        name = names[relation]
        if name == "punct":
            continue
        if triple not in made:
            of_dependent, of_head = referred_to(name)
            made[triple] = (_terminal(parsed[dependent], of_dependent), _terminal(parsed[head], of_head))
        yield RuleUse(str(number), name, made[triple])


def referred_to(relation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The categories that a relation refers to in a dependent and in its head.

    >>> referred_to("nsubj:pass")[0]
    ('case', 'number', 'gender', 'person')
    """
    return _REFERRED.get(relation) or _REFERRED.get(relation.partition(":")[0], _NOTHING)


def _terminal(tag: Tag | None, categories: Sequence[str]) -> Terminal:
    """A word of a rule; categories that its tag does not have are not referred to."""
    if tag is None:
        return Terminal("", (POS,))
    return Terminal(tag.pos, (POS, *(one for one in categories if one in tag.values)))
