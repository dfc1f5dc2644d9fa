"""Whether kernels are still to be compiled is seen beside the source, and said only where there are any."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from karat import _compiled


def test_kernels_are_to_be_compiled_until_they_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "__file__", str(tmp_path / "_compiled.py"))
    assert not _compiled.will_compile("gold/_kernels")  # nothing can be kept
    kept = tmp_path / "gold" / "__pycache__"
    kept.mkdir(parents=True)
    assert _compiled.will_compile("gold/_kernels")
    (kept / "_kernels.search-12.py27.nbi").touch()
    (kept / "_others.search-12.py311.nbi").touch()
    assert _compiled.will_compile("gold/_kernels")
    (kept / f"_kernels.search-12.py{sys.version_info.major}{sys.version_info.minor}.nbi").touch()
    assert not _compiled.will_compile("gold/_kernels")


def test_tagging_with_a_model_without_kernels_announces_no_compiling(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gold, model = str(EXAMPLES / "gold.conllu"), str(tmp_path / "model")
    assert Run(capsys, "train", "most-frequent", gold, "-o", model).code == 0
    monkeypatch.setattr(_compiled, "will_compile", lambda module: True)
    run = Run(capsys, "tag", "-m", model, gold, "-o", str(tmp_path / "tagged.conllu"))
    assert (run.code, run.err) == (0, "")


def test_reading_a_grammar_off_trees_announces_no_compiling(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_compiled, "will_compile", lambda module: True)
    run = Run(capsys, "train", "pcfg", str(EXAMPLES / "gold.ptb"), "-o", str(tmp_path / "grammar"))
    assert (run.code, run.err) == (0, "")
