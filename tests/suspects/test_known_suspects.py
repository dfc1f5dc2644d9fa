"""Baselines of karat suspects that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Run
from examples import conllu, sentence

KNOWN = '{"schema": "karat/suspects/1", "column": "upos", "suspects": [%s]}'


@pytest.mark.parametrize(
    "text",
    [
        KNOWN % '{"sent_id": "s", "token": 1e400, "form": "a", "label": "X"}',
        KNOWN % '{"sent_id": "s", "token": "a", "form": "a", "label": "X"}',
        KNOWN % '{"sent_id": ["s"], "token": 1, "form": "a", "label": "X"}',
        KNOWN % "7",
        "[" * 100_000,
        KNOWN % ("9" * 5000),
    ],
    ids=["infinite", "word", "list", "number", "deep", "digits"],
)
def test_what_is_no_baseline_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    corpus = conllu(tmp_path / "gold.conllu", sentence("the/DET", "old/ADJ", "gate/NOUN", "creaks/VERB", sent_id="s"))
    (tmp_path / "known.json").write_text(text, encoding="utf-8")
    run = Run(capsys, "suspects", corpus, "--rank", "repeats", "--baseline", str(tmp_path / "known.json"))
    assert run.code == 3
    assert "known.json:1:1: K953" in run.err
