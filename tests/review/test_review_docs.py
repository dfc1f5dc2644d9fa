"""The examples of docs/review.md, run as they stand there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import karat.review
from console_examples import ROOT
from karat.review.reading import read_any_worklist
from served_reviews import served, token_list

_PROGRAM = re.compile(r"```python\n(.*?)```\n", re.DOTALL)
SCRIPT, LIBRARY = _PROGRAM.findall((ROOT / "docs" / "review.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("judges", [[], ["ina", "jan"]])
def test_the_script_judges_a_list_over_http(tmp_path: Path, judges: list[str]) -> None:
    path = token_list(tmp_path / "check.tsv", 3)
    with served(path, judges) as running:
        (tmp_path / "judge.py").write_text(SCRIPT, encoding="utf-8")
        address = running.server.access.url(running.server.access.guests[0])
        done = subprocess.run([sys.executable, "judge.py", address], cwd=tmp_path, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("w1 a True\nw2 a True\nw3 a True\n", "")
    written = tmp_path / ("check.ina.tsv" if judges else "check.tsv")
    assert [(row.verdict, row.note) for row in read_any_worklist(written).rows] == [("a", "by script")] * 3


def test_the_library_judges_a_list_without_a_server(tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv", 3)
    done = subprocess.run([sys.executable, "-c", LIBRARY], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert [(row.verdict, row.judge) for row in read_any_worklist(path).rows] == [("a", "ina"), ("a", "ina"), ("", "")]
    assert len((tmp_path / "audit.jsonl").read_text().splitlines()) == 1 + 4


def test_public_names_are_there_and_load_no_server() -> None:
    assert all(hasattr(karat.review, name) for name in karat.review.__all__)
    code = "import sys, karat.review as r; r.Review, r.ReviewServer; print({'starlette', 'uvicorn'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
    with pytest.raises(AttributeError, match="has no attribute 'Reviews'"):
        _ = karat.review.Reviews
