"""The line that ends every result: what was measured, how, on which inputs, enough to run it again."""

from __future__ import annotations

from collections.abc import Iterable

from karat.errors import visible

__all__ = ["shown_input", "signature"]

_DIGITS_OF_HASH = 16


def signature(
    version: str, verb: str, settings: Iterable[tuple[str, str]], inputs: Iterable[tuple[str, str, str]]
) -> str:
    """The signature of a result; inputs are (role, name, SHA-256), of which the first digits are shown.

    >>> signature("1.0", "score", [("like", "conll18")], [("gold", "a.conllu", "0123456789abcdef0123")])
    'karat:1.0|verb:score|like:conll18|gold:a.conllu@sha256:0123456789abcdef'
    """
    parts = [("karat", version), ("verb", verb), *settings]
    parts += [(role, shown_input(name, digest)) for role, name, digest in inputs]
    return "|".join(f"{key}:{value}" for key, value in parts)


def shown_input(name: str, digest: str) -> str:
    """An input as signatures name it."""
    return f"{visible(name).replace('|', '%7C')}@sha256:{digest[:_DIGITS_OF_HASH]}"
