"""Corpus queries taken apart: the query languages of Poliqarp and of CQP (IMS Corpus Workbench).

`parse_query` turns a query into a tree of token conditions, sequences, alternatives and repetitions (`query_tree`);
every node knows the character at which it begins. What both languages share is read in `query_parser`, what they do not
in `query_poliqarp` and `query_cqp`.

- Poliqarp: `[pos=subst & case!=nom]`, a bare or quoted word, the operators `=`, `==`, `~`, `~~` and their negations,
  the flags `/i /I /x /X`, variables of agreement (`case=$1`), the mark of alignment `^`, the heads of groups
  (`head=[…]`, `synh`, `semh`), `within s`, `within […]`, `meta author=…`, and `@name` for a macro.
- CQP: `[pos="N.*" %cd]`, labels and targets (`a:[…]`, `@[…]`), `a.pos = b.pos`, functions, `contains` and `matches`,
  regions (`<np> … </np>`), assertions (`[: … :]`), `:: constraint`, `within s`, `cut 10`, aligned corpora (`:de […]`),
  `MU(meet …)`, `TAB …`, and `/name[…]` for a macro.

A macro cannot be resolved without its definition: it is named in `Query.macros` and stands for nothing. A query longer
than `MAX_QUERY` characters or nested deeper than `MAX_DEPTH` is refused, so that a log cannot exhaust the parser.
"""

from __future__ import annotations

from typing import get_args

from karat.weights.queries.cqp import CqpParser
from karat.weights.queries.parser import QueryParser
from karat.weights.queries.poliqarp import PoliqarpParser
from karat.weights.queries.query import Language, Query, QueryError

MAX_QUERY = 10_000


def parse_query(text: str, language: Language = "poliqarp") -> Query:
    """A query taken apart; a `QueryError` with its place if it cannot be.

    >>> parse_query("[pos=subst & case!=nom]").pattern.condition.parts[1].negated
    True
    """
    if language not in get_args(Language):
        raise ValueError(f"unknown query language {language!r}; choose from {', '.join(get_args(Language))}")
    if len(text) > MAX_QUERY:
        raise QueryError(text, f"more than {MAX_QUERY:,} characters", MAX_QUERY)
    parser: QueryParser = PoliqarpParser(text) if language == "poliqarp" else CqpParser(text)
    return parser.query()
