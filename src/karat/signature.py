"""The line that ends every result: what was measured, how, on which inputs, enough to run it again."""

from __future__ import annotations

from collections.abc import Iterable

from karat import __version__
from karat.entry_points import PLUGIN, readers
from karat.errors import visible

_DIGITS_OF_HASH = 16


def signature(verb: str, settings: Iterable[tuple[str, str]], inputs: Iterable[tuple[str, str, str]]) -> str:
    """The signature of a result; inputs are (role, name, SHA-256), of which the first digits are shown.

    Packages that took part as plug-ins, by the settings called `plugin` or as readers of inputs, are named once.

    >>> signature("score", [("like", "conll18")], [("gold", "a.conllu", "0123456789abcdef0123")])
    'karat:0.1.0|verb:score|like:conll18|gold:a.conllu@sha256:0123456789abcdef'
    """
    given, read = list(settings), list(inputs)
    packages = [value for key, value in given if key == PLUGIN] + [one for *_, hash_ in read for one in readers(hash_)]
    parts = [("karat", __version__), ("verb", verb), *((key, value) for key, value in given if key != PLUGIN)]
    parts += [(PLUGIN, ",".join(dict.fromkeys(packages)))] if packages else []
    parts += [(role, shown_input(name, digest)) for role, name, digest in read]
    return "|".join(f"{key}:{value}" for key, value in parts)


def shown_input(name: str, digest: str) -> str:
    """An input as signatures name it."""
    return f"{visible(name).replace('|', '%7C')}@sha256:{digest[:_DIGITS_OF_HASH]}"
