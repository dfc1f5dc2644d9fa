"""Calls of the command line, for tests: what was printed and returned."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from karat.cli import main

__all__ = ["Run", "fits_its_schema"]


class Run:
    """What a call printed and returned."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(arguments)
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        """The JSON that was printed, held to the schema that it names (`karat/score/1` is schemas/score.json)."""
        data = json.loads(self.out)
        _validator(data).validate(data)
        return data


def fits_its_schema(data: Any) -> bool:
    """Whether data are as the schema says that they name."""
    return bool(_validator(data).is_valid(data))


def _validator(data: Any) -> Any:
    schemas = _schemas()
    return jsonschema.Draft202012Validator(schemas.contents(data["schema"]), registry=schemas)


@cache
def _schemas() -> Registry[Any]:
    """All schemas by their names: some refer to others."""
    every = [json.loads(one.read_text(encoding="utf-8")) for one in (files("karat") / "report" / "schemas").iterdir()]
    return Registry().with_resources((one["$id"], Resource.from_contents(one)) for one in every)
