"""What `karat.parser_measures` returns, beside what the command line prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

ITEMS = {"TTB": 11400, "TPB": 8671, "EM": 6748}


def test_measures_of_items_and_of_a_file_are_what_the_command_line_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "items.json"
    path.write_text(json.dumps(ITEMS), encoding="utf-8")
    run = Run(capsys, "measures", str(path), "--json")
    found = karat.parser_measures(ITEMS)
    assert_is_printed(found, run.json)
    assert karat.parser_measures(path) == found
    assert [f"note: {note}" for note in found.notes] == run.err.splitlines()


@pytest.mark.parametrize(
    ("items", "code"), [({}, "K720"), ({"X": 1}, "K721"), ({"TTB": -1}, "K721"), ({"TTB": 1, "EM": 2}, "K722")]
)
def test_what_are_no_items_and_what_cannot_be_is_refused(items: dict[str, int], code: str) -> None:
    with pytest.raises(karat.DataError) as caught:
        karat.parser_measures(items)
    assert caught.value.code == code


def test_names_are_escaped_in_html() -> None:
    assert_is_safe(karat.ParserMeasures({SCRIPT: 0.5}))
