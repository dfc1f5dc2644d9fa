"""Whether kernels are still to be compiled is seen beside the source."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
