"""What `karat.tag_parts` and `karat.check_tags` return, beside what the command line prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from result_claims import SCRIPT, assert_is_printed, assert_is_safe


def test_a_tag_taken_apart_is_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "tagset", "show", "nkjp", "subst:sg:nom:m1", "--json")
    found = karat.tag_parts("nkjp", "subst:sg:nom:m1")
    assert_is_printed(found, run.json)
    assert len(found.to_dataframe()) == 4
    with pytest.raises(karat.DataError, match="K802"):
        karat.tag_parts("nkjp", "subst:xx:nom:m1")


def test_a_check_is_what_the_command_line_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("dom\tsubst:sg:nom:m3\nx\tnonsense\n", encoding="utf-8")
    run = Run(capsys, "tagset", "check", "nkjp", str(path), "--input", "tsv", "--json")
    found = karat.check_tags("nkjp", path, input="tsv")
    assert run.code == 1
    assert_is_printed(found, run.json)


def test_tags_are_escaped_in_html(tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text(f"dom\t{SCRIPT}\n", encoding="utf-8")
    assert_is_safe(karat.check_tags("nkjp", path, input="tsv"))
    assert_is_safe(karat.tag_parts(replace(karat.read_tagset("penn"), name=SCRIPT), "NN"))
