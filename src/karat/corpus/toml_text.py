"""TOML, read so that whatever cannot be read is one kind of error."""

from __future__ import annotations

import tomllib
from typing import Any

_LARGEST = 2**63


def toml_from_text(text: str) -> dict[str, Any]:
    """What TOML says; a `ValueError` says why it cannot be read, and where if that is known.

    Python's reader gives up in other ways on values that are nested too deeply and on numbers of thousands of digits,
    and lets through whole numbers of more than the 64 bits that TOML has.

    >>> toml_from_text("x = [1, 2]")
    {'x': [1, 2]}
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
    left: list[Any] = [found]
    while left:
        one = left.pop()
        if isinstance(one, (dict, list)):
            left += one.values() if isinstance(one, dict) else one
        elif isinstance(one, int) and not -_LARGEST <= one < _LARGEST:
            raise ValueError("a number has too many digits")
    return found
