"""Drawings as files: safe names, nothing of others replaced, text that stays text in a PDF."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from every_drawing import EVERY_DRAWING, PLAIN
from karat.errors import UsageError
from karat.report.draw.figures import write_figures
from karat.report.draw.svg import Drawing, safe_stem

SCORES = EVERY_DRAWING["score_intervals"](PLAIN)


def test_each_drawing_is_a_file_that_can_be_read(tmp_path: Path) -> None:
    every = [made(PLAIN) for made in EVERY_DRAWING.values()]
    paths = write_figures(tmp_path / "new" / "folder", every)
    assert len(paths) == len({*paths}) == len(every)
    for path, drawing in zip(paths, every, strict=True):
        assert path.read_text(encoding="utf-8").startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
        assert ET.parse(path).getroot().get("aria-label") == drawing.title
    assert sorted(os.listdir(tmp_path / "new" / "folder")) == sorted(path.name for path in paths)


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "a/b", "..", "", "C:\\x", "nul", "\x00", ".hidden", "長" * 300]
)
def test_names_do_not_leave_the_folder(tmp_path: Path, name: str) -> None:
    (path,) = write_figures(tmp_path / "figures", [replace(SCORES, name=name)])
    assert path.resolve().parent == (tmp_path / "figures").resolve()
    assert not path.name.startswith(".")
    assert [one.name for one in tmp_path.iterdir()] == ["figures"]


@given(st.text())
def test_a_safe_name_has_nothing_that_a_file_system_minds(name: str) -> None:
    stem = safe_stem(name)
    assert stem
    assert safe_stem(stem) == stem
    assert not {*stem} & {*'/\\:*?"<>|\x00 \n'}
    assert not stem.startswith((".", "-"))
    assert not stem.endswith(".")
    assert len(stem.encode("utf-8")) + len("-999.svg") <= 255
    assert stem.lower().split(".")[0] not in {"con", "nul", "aux", "prn", "com1", "lpt9"}


def test_the_same_name_is_numbered_whatever_its_case(tmp_path: Path) -> None:
    names = ["scores", "Scores", "scores", "scores-2"]
    paths = write_figures(tmp_path, [replace(SCORES, name=name) for name in names])
    assert [path.stem for path in paths] == ["scores", "Scores-2", "scores-3", "scores-2-2"]


def test_our_own_files_are_replaced_and_others_refused(tmp_path: Path) -> None:
    (path,) = write_figures(tmp_path, [SCORES])
    other = replace(SCORES, svg=SCORES.svg.replace("ada", "zoe"))
    assert write_figures(tmp_path, [other]) == [path]
    assert "zoe" in path.read_text(encoding="utf-8")
    theirs = tmp_path / "theirs.svg"
    theirs.write_text("<svg/>", encoding="utf-8")
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "link.svg").symlink_to(path)
    for name in ("theirs", "folder", "link"):
        with pytest.raises(UsageError, match=f"{name}.svg is not a drawing by karat"):
            write_figures(tmp_path, [replace(SCORES, name="first"), replace(SCORES, name=name)])
    assert theirs.read_text(encoding="utf-8") == "<svg/>"
    assert not (tmp_path / "first.svg").exists()  # all or none


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="file is a file; name a folder"):
        write_figures(tmp_path / "file", [SCORES])
    with pytest.raises(UsageError, match="cannot be written"):
        write_figures(tmp_path / ("x" * 300), [SCORES])


@pytest.mark.skipif(
    not (shutil.which("rsvg-convert") and shutil.which("pdftotext")), reason="needs rsvg-convert, pdftotext"
)
@pytest.mark.parametrize("name", EVERY_DRAWING)
def test_text_can_be_found_in_a_pdf(tmp_path: Path, name: str) -> None:
    drawing: Drawing = EVERY_DRAWING[name](PLAIN)
    (path,) = write_figures(tmp_path, [drawing])
    pdf = path.with_suffix(".pdf")
    subprocess.run(["rsvg-convert", "-f", "pdf", "-o", str(pdf), str(path)], check=True)
    found = subprocess.run(["pdftotext", "-raw", str(pdf), "-"], check=True, capture_output=True, text=True).stdout
    wanted = [one.text or "" for one in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")]
    words = {word for one in wanted for word in one.split() if word.isascii() and len(word) > 2}
    everything = "".join(found.split())
    assert [word for word in words if word not in everything] == []
