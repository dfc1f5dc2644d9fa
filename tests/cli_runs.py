"""Calls of the command line, for tests: what was printed and returned."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from karat.cli import main

__all__ = ["Run"]


class Run:
    """What a call printed and returned."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(arguments)
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        """The JSON that was printed, held to the schema that it names (`karat/score/1` is schemas/score.json)."""
        data = json.loads(self.out)
        _, verb, _ = data["schema"].split("/")
        schema = json.loads((files("karat") / "report" / "schemas" / f"{verb}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(data)
        return data
