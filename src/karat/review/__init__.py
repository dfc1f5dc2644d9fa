"""The review page: a local page on which people judge a worklist, and the store that keeps what they decide.

The store can be used without the page; names are loaded on first use, so that a server is imported by whoever serves.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat.review.adjudicate import adjudication
    from karat.review.audit import write_audit
    from karat.review.enough import ReviewEstimate
    from karat.review.served import review_server
    from karat.review.server import ReviewServer
    from karat.review.session import Review
    from karat.review.store import ReviewStore

__all__ = [
    "Review",
    "ReviewEstimate",
    "ReviewServer",
    "ReviewStore",
    "adjudication",
    "review_server",
    "write_audit",
]

_HOMES = {
    "Review": "session",
    "ReviewEstimate": "enough",
    "ReviewServer": "server",
    "ReviewStore": "store",
    "adjudication": "adjudicate",
    "review_server": "served",
    "write_audit": "audit",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"karat.review.{_HOMES[name]}"), name)
    return value
