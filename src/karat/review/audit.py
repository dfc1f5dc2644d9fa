"""The whole history of a review as lines of JSON: who decided what, when, and what was taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from karat.corpus.files import compressed, replace_file
from karat.errors import UsageError
from karat.review.session import Review
from karat.review.store import Event, Judgement

SCHEMA = "karat/review-audit/1"


def write_audit(path: str | os.PathLike[str], review: Review) -> None:
    """Write the history of a review; .gz, .bz2 and .xz are compressed. A file of the review itself is refused."""
    target = os.path.realpath(path)
    own = [review.path, str(review.store.path), *map(review.file_of, review.judges)]
    if target in map(os.path.realpath, own):
        raise UsageError(f"{os.fspath(path)} is a file of the review and will not be overwritten")
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in audit_records(review))
    try:
        replace_file(target, compressed(text.encode(), target))
    except OSError as error:
        raise UsageError(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None


def audit_records(review: Review) -> Iterator[dict[str, Any]]:
    """What the review is of, then every event in order."""
    everybody = dict.fromkeys([*review.judges, *review.store.judges()])
    judges = [_of_judge(review, judge) for judge in everybody]
    yield {
        "schema": SCHEMA,
        "list": os.path.basename(review.path),
        "rows": len(review.worklist.rows),
        "judges": judges,
        "person_hours": sum(one["seconds"] for one in judges) / 3600,
    }
    yield from map(_of_event, review.store.history())


def _of_judge(review: Review, judge: str) -> dict[str, Any]:
    said = review.store.judgements(judge).values()
    return {
        "judge": judge,
        "decided": sum(bool(one.verdict) for one in said),
        "unsure": sum(one.unsure for one in said),
        "set_aside": review.store.n_set_aside(judge),
        "seconds": review.store.seconds(judge),
    }


def _of_event(event: Event) -> dict[str, Any]:
    return {
        "number": event.number,
        "at": datetime.fromtimestamp(event.at, UTC).isoformat(timespec="milliseconds"),
        "judge": event.judge,
        "author": event.after.author,
        "item": event.after.item,
        "origin": event.origin,
        "step": event.step,
        "request": event.request,
        "undoes": event.undoes,
        "before": _said(event.before),
        "after": _said(event.after),
    }


def _said(one: Judgement) -> dict[str, Any]:
    return {"verdict": one.verdict, "label": one.label, "note": one.note, "unsure": one.unsure}
