"""The whole history of a review as lines of JSON: who decided what, when, and what was taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from karat.corpus.files import compressed, replace_file
from karat.corpus.source import read_source
from karat.errors import KaratError, UsageError
from karat.review.judgements import Event, Judgement
from karat.review.session import Review

SCHEMA = "karat/review-audit/1"


def write_audit(path: str | os.PathLike[str], *reviews: Review) -> None:
    """Write the history of reviews, one after the other; .gz, .bz2 and .xz are compressed.

    A file of the reviews themselves is refused.
    """
    refuse_audit(path, *reviews)
    target = os.path.realpath(path)
    records = (record for review in reviews for record in audit_records(review))
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    try:
        replace_file(target, compressed(text.encode(), target))
    except OSError as error:
        raise UsageError(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None


def refuse_audit(path: str | os.PathLike[str], *reviews: Review) -> None:
    """Stop, before anybody judges, if the history could not be written to this file, or is to replace a review's."""
    shown, target = os.fspath(path), os.path.realpath(path)
    for review in reviews:
        own = [review.path, str(review.store.path), *map(review.file_of, review.judges)]
        if target in map(os.path.realpath, own):
            raise UsageError(f"{shown} is a file of the review and will not be overwritten")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise UsageError(f"{shown} cannot be written: there is no folder {os.path.dirname(shown)}")
    if os.path.isdir(target):
        raise UsageError(f"{shown} cannot be written: it is a folder")
    if not os.access(target if os.path.exists(target) else folder, os.W_OK):
        raise UsageError(f"{shown} cannot be written: it is write-protected")
    if os.path.exists(target) and not _is_audit(target):
        raise UsageError(f"{shown} exists and is not the history of a review; choose another name")


def _is_audit(path: str) -> bool:
    """Whether a file is a history that was written before, or empty."""
    try:
        data = read_source(path).buffer.tobytes()
    except KaratError:
        return False
    return not data or data.startswith(json.dumps({"schema": SCHEMA})[:-1].encode())


def audit_records(review: Review) -> Iterator[dict[str, Any]]:
    """What the review is of, then every event in order."""
    name = os.path.basename(review.path)
    everybody = dict.fromkeys([*review.judges, *review.store.judges()])
    judges = [_of_judge(review, judge) for judge in everybody]
    yield {
        "schema": SCHEMA,
        "list": name,
        "rows": len(review.worklist.rows),
        "judges": judges,
        "person_hours": sum(one["seconds"] for one in judges) / 3600,
    }
    for event in review.store.history():
        yield {"list": name, **_of_event(event)}


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
