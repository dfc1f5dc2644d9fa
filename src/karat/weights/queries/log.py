"""Logs of corpus queries, and how often they mention each category [Acedański & Przepiórkowski 2010, § 2.3.3].

A log is a text in UTF-8, in one of two forms:

- plain: a query a line;
- TSV: the first line is a header with tabs, and one of its columns is `query`. A column `user` says whose it was. A
  column `page` or `offset` may be there too, and so may others; they are not needed. Cells are not quoted, for queries
  are full of quotation marks: what stands between two tabs is the query.

Empty lines are left out. Who looks at the next page of results sends the same query once more: a query that equals the
one before it of the same user, but for space around it, is dropped and counted in `n_repeats`. In a log without users
that is the line before. `keep_repeats` keeps them.

Counts are by mention (each comparison counts), by query (a category at most once a query), or by user (at most once a
user). A malformed query is a problem K821 with its place, and nothing of it counts. A macro that the log does not
define is a warning K822, given once for each name; the rest of its query counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from karat.corpus.lines import bad_utf8
from karat.corpus.source import PathLike, read_source
from karat.errors import DataError, Problem, UsageError
from karat.tagsets import Tagset
from karat.weights.queries.language import parse_query
from karat.weights.queries.mentions import Mentions
from karat.weights.queries.query import Language, Query, QueryError

By = Literal["mention", "query", "user"]
_HINT = "the log is read as {language}; the other query language is {other}"


@dataclass(frozen=True, slots=True)
class QueryLog:
    """The queries of a log, in its order: texts, users ("" if it has none), and where each begins (from 1)."""

    path: str
    texts: tuple[str, ...]
    users: tuple[str, ...]
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    has_users: bool
    n_repeats: int = 0
    problems: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """How often categories are mentioned: `problems` are malformed queries (K821), `warnings` macros (K822)."""

    counts: Counter[str]
    by: By
    n_queries: int
    n_mentioning: int
    n_malformed: int
    n_repeats: int
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def read_query_log(path: PathLike, *, keep_repeats: bool = False) -> QueryLog:
    """The queries of a file, plain or TSV; `-` is standard input, compressed files are unpacked."""
    source = read_source(path)
    hint = "convert the file, for example with iconv -f latin1 -t utf8"
    if bad := [source.problem("K106", f"not valid UTF-8: {why}", at, hint=hint) for at, why in bad_utf8(source)]:
        raise DataError(bad)
    return query_log_from_text(source.text(0, source.size), source.path, keep_repeats=keep_repeats)


def query_log_from_text(text: str, path: str = "<text>", *, keep_repeats: bool = False) -> QueryLog:
    """The queries of a log's text."""
    rows = text.split("\n")
    header = [name.strip().lower() for name in rows[0].rstrip("\r").split("\t")]
    is_table = len(header) > 1 and "query" in header
    query_at = header.index("query") if is_table else 0
    user_at = header.index("user") if is_table and "user" in header else -1
    found: list[tuple[str, str, int, int]] = []
    problems: list[Problem] = []
    last: dict[str, str] = {}
    n_repeats = 0
    for line, row in enumerate(rows[is_table:], start=1 + is_table):
        row = row.rstrip("\r")
        if not row.strip():
            continue
        cells = row.split("\t") if is_table else [row]
        if len(cells) <= max(query_at, user_at):
            message = f"{len(cells)} columns where the header has {len(header)}"
            problems.append(Problem("K821", message, path, line, len(row) + 1))
            continue
        user = cells[user_at].strip() if user_at >= 0 else ""
        query = cells[query_at].strip()
        if last.get(user) == query and not keep_repeats:
            n_repeats += 1
            continue
        last[user] = query
        before = sum(len(cell) + 1 for cell in cells[:query_at])
        indent = len(cells[query_at]) - len(cells[query_at].lstrip())
        found.append((query, user, line, 1 + before + indent))
    texts, users, lines, columns = zip(*found, strict=True) if found else ((), (), (), ())
    return QueryLog(path, texts, users, lines, columns, user_at >= 0, n_repeats, tuple(problems))


def parsed_queries(log: QueryLog, language: Language = "poliqarp") -> list[Query | QueryError]:
    """The queries taken apart, one for each of the log, or why one cannot be; equal queries are parsed once."""
    known: dict[str, Query | QueryError] = {}
    for text in log.texts:
        if text not in known:
            try:
                known[text] = parse_query(text, language)
            except QueryError as error:
                known[text] = error
    return [known[text] for text in log.texts]


def count_mentions(
    log: QueryLog,
    tagset: Tagset,
    *,
    language: Language = "poliqarp",
    by: By = "mention",
    names: Mapping[str, str] | None = None,
) -> QueryCounts:
    """How often the queries of a log mention each category of a tagset; `names` as for `Mentions`."""
    if by not in get_args(By):
        raise UsageError(f"unknown count by {by!r}; choose from {', '.join(get_args(By))}")
    if by == "user" and not log.has_users:
        raise UsageError(f"{log.path} has no column user to count by")
    of = Mentions(tagset, names)
    known: dict[str, Counter[str] | QueryError] = {}
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    problems = list(log.problems)
    macros: dict[str, list[tuple[int, int]]] = {}
    n_mentioning = 0
    other = "cqp" if language == "poliqarp" else "poliqarp"
    parsed = parsed_queries(log, language)
    for text, user, line, column, query in zip(log.texts, log.users, log.lines, log.columns, parsed, strict=True):
        if text not in known:
            known[text] = _mentions_of(query, of)
        found = known[text]
        if isinstance(found, QueryError):
            hint = _HINT.format(language=language, other=other)
            problems.append(Problem("K821", found.message, log.path, line, column + found.place, hint))
            continue
        assert isinstance(query, Query)
        for macro in query.macros:
            macros.setdefault(macro.name, []).append((line, column + macro.place))
        n_mentioning += bool(found)
        if by == "mention":
            counts.update(found)
        elif by == "query":
            counts.update(found.keys())
        else:
            fresh = {(user, category) for category in found} - seen
            seen |= fresh
            counts.update(category for _, category in fresh)
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return QueryCounts(
        counts,
        by,
        len(log),
        n_mentioning,
        len(problems),
        log.n_repeats,
        tuple(problems),
        tuple(_unresolved(name, places, log.path) for name, places in macros.items()),
    )


def _mentions_of(query: Query | QueryError, of: Mentions) -> Counter[str] | QueryError:
    if isinstance(query, QueryError):
        return query
    try:
        return of.of_query(query)
    except QueryError as error:
        return error


def _unresolved(name: str, places: list[tuple[int, int]], path: str) -> Problem:
    times = "" if len(places) == 1 else f", {len(places)} times"
    hint = "what it stands for is not counted"
    return Problem("K822", f"the macro {name!r} is not defined here{times}", path, *places[0], hint)
