"""Mentions conditioned on the part of speech [Acedański & Przepiórkowski 2010, § 2.4].

Logs alone do not say what a query for five genitives in a row finds; it must be run again.
`conditional_mentions` counts, for each category, the parts of speech of the tokens that conditions mentioning it have
found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from karat.tagsets import Tagset
from karat.weights.queries.mentions import Mentions
from karat.weights.queries.query import Attribute, AttributeTest, Query, QueryError, Variable, comparisons, tokens
from karat.weights.queries.runs import CorpusToken, QueryRun


def _by_condition(query: Query, mentions: Mentions) -> list[Counter[str]]:
    """What each token condition mentions; what a constraint says of a label is said of the token that has it."""
    every = list(tokens(query.pattern))
    found = [mentions.of_condition(token.condition, query) for token in every]
    for one in comparisons(query.constraint):
        sides = (one.left, one.right) if isinstance(one, AttributeTest) else (one.what,)
        for side in sides:
            if isinstance(side, Attribute) and side.label:
                alone = AttributeTest(Attribute(side.name, side.place), "=", False, Variable("", 0), side.place)
                for token, counts in zip(every, found, strict=True):
                    if token.label == side.label:
                        counts.update(mentions.of_condition(alone, query))
    return found


def _found_by_query(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    names: Mapping[str, str] | None,
    skipped: list[QueryError] | None,
) -> Iterator[tuple[int, Counter[str], list[tuple[str, Counter[str], int]]]]:
    """For each distinct query: how often it was asked, what it mentions, and by condition the parts of speech found."""
    mentions = Mentions(tagset, names)
    times: Counter[tuple[str, str]] = Counter()
    distinct: dict[tuple[str, str], Query] = {}
    for query in queries:
        times[query.language, query.text] += 1
        distinct[query.language, query.text] = query
    for key, query in distinct.items():
        try:
            mentioned = _by_condition(query, mentions)
            if not any(mentioned):
                continue
            run = QueryRun.with_mentions(query, mentions)
            parts: list[Counter[str]] = [Counter() for _ in mentioned]
            for sentence in sentences:
                pairs = {pair for match in run.matches(sentence) for pair in match.found}
                for place, number in pairs:
                    tag = sentence[place][2]
                    if tag is not None:
                        parts[number][tag.pos] += 1
        except QueryError as error:
            if skipped is None:
                raise
            skipped.append(error)
            continue
        total = sum(mentioned, Counter())
        yield (
            times[key],
            total,
            [
                (pos, counts, n_found)
                for counts, of in zip(mentioned, parts, strict=True)
                if counts
                for pos, n_found in of.items()
            ],
        )


def conditional_mentions(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    *,
    names: Mapping[str, str] | None = None,
    skipped: list[QueryError] | None = None,
) -> dict[str, Counter[str]]:
    """For each part of speech, how many tokens of it conditions that mention a category have found in a corpus.

    A token that several matches of a query share counts once for a condition of it; a query that was asked twice counts
    twice. A query that cannot be run is an error, or is put into `skipped` if that is given.
    """
    result: dict[str, Counter[str]] = {}
    for times, _, found in _found_by_query(queries, sentences, tagset, names, skipped):
        for pos, counts, n_found in found:
            of_pos = result.setdefault(pos, Counter())
            for category, n_mentions in counts.items():
                of_pos[category] += times * n_found * n_mentions
    return result


def conditional_shares(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    *,
    names: Mapping[str, str] | None = None,
    skipped: list[QueryError] | None = None,
) -> dict[str, dict[str, float]]:
    """As `conditional_mentions`, but a query is worth what it mentions, however much it finds.

    Its mentions of a category are shared among the parts of speech in proportion to the tokens found. So the sum over
    parts of speech is the count of `count_mentions` by mention, but for queries that find nothing.
    """
    result: dict[str, dict[str, float]] = {}
    for times, total, found in _found_by_query(queries, sentences, tagset, names, skipped):
        weight: Counter[str] = Counter()
        for _, counts, n_found in found:
            for category, n_mentions in counts.items():
                weight[category] += n_found * n_mentions
        for pos, counts, n_found in found:
            of_pos = result.setdefault(pos, {})
            for category, n_mentions in counts.items():
                share = times * total[category] * n_found * n_mentions / weight[category]
                of_pos[category] = of_pos.get(category, 0.0) + share
    return result
