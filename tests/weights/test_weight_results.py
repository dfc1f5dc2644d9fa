"""What the functions that make weights return, beside what the command line prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("conditional", [False, True])
def test_weights_by_ambiguity_are_what_the_command_line_prints(
    conditional: bool, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("dom\tsubst:sg:nom:m3\ndom\tsubst:sg:acc:m3\n\ni\tconj\n", encoding="utf-8")
    options = ["--conditional"] if conditional else []
    run = Run(capsys, "weights", "ambiguity", str(path), "--input", "tsv", *options, "--json")
    assert_is_printed(karat.ambiguity_weights(path, input="tsv", conditional=conditional), run.json)
    with pytest.raises(karat.UsageError, match="cannot be used together"):
        karat.ambiguity_weights(path, morfeusz=True, lexicon=path)


def test_weights_by_queries_are_what_the_command_line_prints(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "queries.log"
    path.write_text("[pos=subst & case=nom]\n[case=gen\n", encoding="utf-8")
    run = Run(capsys, "weights", "queries", str(path), "--json")
    found = karat.query_weights(path)
    assert_is_printed(found, run.json)
    assert len(found.problems) == 1
    assert str(found.problems[0]) in run.err


def uses(path: Path, n: int) -> Path:
    terminals = [{"pos": "subst", "categories": ["case"]}]
    lines = [{"sentence": f"s{number}", "rule": f"A -> {number}", "terminals": terminals} for number in range(n)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_weights_by_rules_are_what_the_command_line_prints(capsys: Capture, tmp_path: Path) -> None:
    path = uses(tmp_path / "uses.jsonl", 2)
    run = Run(capsys, "weights", "rules", str(path), "--json")
    assert_is_printed(karat.rule_weights(path), run.json)
    with pytest.raises(karat.UsageError, match="a grammar and sentences"):
        karat.rule_weights(grammar=path)


def test_one_use_is_a_use_and_two_are_uses(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    assert karat.rule_weights(uses(path, 1)).notes[0] == "1 use of 1 rule in 1 sentence."
    assert karat.rule_weights(uses(path, 2)).notes[0] == "2 uses of 2 rules in 2 sentences."


def test_weights_that_are_read_are_what_the_command_line_prints(capsys: Capture) -> None:
    run = Run(capsys, "weights", "show", "poliqarp-2010", "--json")
    assert_is_printed(karat.read_weights("poliqarp-2010"), run.json)


def test_names_are_escaped_in_html() -> None:
    assert_is_safe(karat.Weights(SCRIPT, {"case": 1.0}))
