"""Weights by corpus queries, from logs and, conditional on the part of speech, from a corpus that they are run over."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn

from karat.corpus import PathLike, read_source
from karat.errors import DataError, Problem, UsageError
from karat.signature import shown_input
from karat.tagsets import Tag, Tagset, read_tagset
from karat.weights._weights import Weights
from karat.weights.from_ambiguity import read_tagged
from karat.weights.queries.conditional_mentions import conditional_shares
from karat.weights.queries.log import By, count_mentions, parsed_queries, read_query_log
from karat.weights.queries.query import Language, Query, QueryError
from karat.weights.queries.runs import CorpusToken

_BY = {"mention": "mentions", "query": "queries that mention it", "user": "users who mention it"}


def query_weights(
    logs: PathLike | Sequence[PathLike],
    tagset: PathLike | Tagset = "nkjp",
    *,
    language: Language = "poliqarp",
    by: By = "mention",
    keep_repeats: bool = False,
    corpus: PathLike | Sequence[PathLike] | None = None,
    column: str | None = None,
) -> Weights:
    """Weights by what queries in logs ask for; the queries that could not be read are their problems.

    Each mention of a category counts, or a category once a query, or once a user (`by`); queries that only page on
    count with `keep_repeats`. With a corpus, the weights are conditional: a query's mentions are shared among the parts
    of speech of what it finds there [Acedański & Przepiórkowski 2010, §2.4].
    """
    if corpus is not None and by != "mention":
        raise UsageError("with a corpus, mentions are counted: each is shared among the parts of speech that it finds")
    paths = [logs] if isinstance(logs, (str, os.PathLike)) else list(logs)
    known = read_tagset(tagset)
    counts: Counter[str] = Counter()
    problems: list[Problem] = []
    queries: list[Query] = []
    n_queries = n_mentioning = n_malformed = n_repeats = 0
    for path in paths:
        log = read_query_log(path, keep_repeats=keep_repeats)
        found = count_mentions(log, known, language=language, by=by)
        counts.update(found.counts)
        problems += [*log.problems, *found.problems, *found.warnings]
        queries += [one for one in parsed_queries(log, language) if not isinstance(one, QueryError)]
        n_queries += found.n_queries
        n_mentioning += found.n_mentioning
        n_malformed += found.n_malformed
        n_repeats += found.n_repeats
    notes = [
        f"{n_queries:,} queries; {n_mentioning:,} mention a category; {n_malformed:,} malformed and "
        f"{n_repeats:,} that only ask for the next page are left out."
    ]
    source = ", ".join("<stdin>" if str(p) == "-" else shown_input(str(p), read_source(p).sha256()) for p in paths)
    made = f"queries in {language}: {_BY[by]}; from {source}"
    if corpus is None:
        if not counts:
            _refuse(problems, "no query mentions a category, so there are no weights")
        weights = {name: float(counts[name]) for name in dict.fromkeys(("pos", *known.categories, *counts))}
        return Weights("queries", weights, {}, made, known.name, notes=tuple(notes), problems=tuple(problems))
    sentences, signed = _sentences(corpus, known, column)
    skipped: list[QueryError] = []
    shares = conditional_shares(queries, sentences, known, skipped=skipped)
    if skipped:
        notes.append(f"{len(skipped):,} queries cannot be run: {skipped[0].message}.")
    if not shares:
        _refuse(problems, "no query finds anything in this corpus, so there are no weights")
    by_pos = {}
    for pos, table in shares.items():
        slots = [slot.category for slot in known.slots.get(pos, ()) if slot.category]
        by_pos[pos] = {name: round(table.get(name, 0.0), 9) for name in dict.fromkeys(("pos", *slots, *table))}
    made = f"{made}; run over {signed}"
    return Weights("queries", {}, by_pos, made, known.name, notes=tuple(notes), problems=tuple(problems))


def _refuse(problems: Sequence[Problem], message: str) -> NoReturn:
    """Stop: with the queries that cannot be read, if that may be why."""
    if problems:
        raise DataError(problems)
    raise UsageError(message)


def _sentences(
    paths: PathLike | Sequence[PathLike], tagset: Tagset, column: str | None
) -> tuple[list[list[CorpusToken]], str]:
    """The sentences of a corpus as queries see them, and how a signature names it."""
    has_features = tagset.cut == "features"
    name = column or ("upos" if has_features else "xpos")
    corpus = read_tagged(paths, name, None)
    forms = corpus.column("form").strings()
    lemmas = corpus.column("lemma").strings() if corpus.has("lemma") else forms
    texts = [text.split("\t")[0] for text in corpus.column(name).strings()]
    if has_features and corpus.has("feats"):
        texts = [f"{tag}|{feats}" for tag, feats in zip(texts, corpus.column("feats").strings(), strict=True)]
    distinct = list(dict.fromkeys(texts))
    tags: dict[str, Tag | None] = dict(zip(distinct, tagset.parsed(distinct)[0], strict=True))
    tokens: list[CorpusToken] = [
        (form, lemma, tags[text]) for form, lemma, text in zip(forms, lemmas, texts, strict=True)
    ]
    offsets = corpus.sentence_offsets.tolist()
    found = [tokens[first:stop] for first, stop in pairwise(offsets)]
    return found, shown_input(corpus.path, corpus.source.sha256())
