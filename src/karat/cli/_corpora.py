"""Corpora as arguments."""

from __future__ import annotations

from collections.abc import Sequence

from karat.cli._options import named_paths
from karat.errors import UsageError

__all__ = ["named_corpora"]


def named_corpora(arguments: Sequence[str]) -> dict[str, str]:
    """Names and paths of corpora, as `named_paths` has them of systems."""
    try:
        return named_paths(arguments)
    except UsageError:
        raise UsageError("two corpora have the same name; give each its own: NAME=PATH") from None
