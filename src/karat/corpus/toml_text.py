"""TOML, read so that whatever cannot be read is one kind of error."""

from __future__ import annotations

import tomllib
from typing import Any


def toml_from_text(text: str) -> dict[str, Any]:
    """What TOML says; a `ValueError` says why it cannot be read, and where if that is known.

    Python's reader gives up in other ways on values that are nested too deeply and on numbers of thousands of digits.

    >>> toml_from_text("x = [1, 2]")
    {'x': [1, 2]}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
