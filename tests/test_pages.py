"""The tutorial, the how-to pages and the pages of methods are sessions: what they show is what happens.

`python tests/test_pages.py` writes all outputs anew, `python tests/test_pages.py docs/tutorial.md` those of a page;
look at the difference before you commit it. What may stand in a page is said in `page_sessions`. A drawing
`PAGE-NAME.svg` beside a page is `figures/NAME.svg` of its session.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console_examples import ROOT
from page_sessions import PageError, Session, blocks_of, fits, renewed_page

DOCS = ROOT / "docs"
PAGES = [
    *(DOCS / name for name in ("tutorial.md", "citing.md")),
    *sorted(page for folder in ("howto", "coming-from", "methods") for page in (DOCS / folder).glob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(DOCS)) for page in PAGES])
def test_the_page_shows_what_happens(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    session = Session(folder)
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(text):
        session.run(block)
    for name in re.findall(rf"\({page.stem}-(\S+\.svg)\)", text):  # a drawing that the page's commands make
        assert (page.parent / f"{page.stem}-{name}").read_bytes() == (folder / "figures" / name).read_bytes()


# ---- the sessions themselves -----------------------------------------------------------------------------------------


def run_page(text: str, tmp_path: Path) -> Session:
    folder = tmp_path / "session"
    folder.mkdir()
    session = Session(folder)
    for block in blocks_of(text):
        session.run(block)
    return session


def test_commands_of_a_page_share_a_folder_and_the_exit_code(tmp_path: Path) -> None:
    first = "```console\n$ echo red > a.txt\n\n$ cat a.txt\nred\n```\n"
    run_page(first + "\n```console\n$ ls b.txt 2> e.txt\n$ echo $?\n2\n```\n", tmp_path)


def test_another_output_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"line 2: echo red"):
        run_page("```console\n$ echo red\nblue\n```\n", tmp_path)


def test_more_output_than_is_shown_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(PageError):
        run_page("```console\n$ printf 'a\\nb\\n'\na\n```\n", tmp_path)


def test_an_indented_command_must_succeed(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="exit code 2"):
        run_page("Text.\n\n    karat no-such-verb\n", tmp_path)


def test_a_command_is_skipped_only_with_a_reason(tmp_path: Path) -> None:
    run_page("<!-- not run: there is no such verb -->\n\n    karat no-such-verb\n", tmp_path)
    assert blocks_of("<!-- not run: -->\n\n    karat no-such-verb\n") != []
    assert blocks_of("<!-- not run: a reason -->\n\nText.\n\n    karat no-such-verb\n") != []


def test_python_examples_share_their_names_and_are_checked(tmp_path: Path) -> None:
    session = run_page("```python\nx = 2\n```\n\n```python\n>>> x + 1\n3\n```\n", tmp_path)
    with pytest.raises(PageError, match="the page\n4\n--- printed\n3"):
        session.run(blocks_of("```python\n>>> x + 1\n4\n```\n")[0])


def test_a_block_that_is_saved_is_a_file_of_the_session(tmp_path: Path) -> None:
    run_page("<!-- save as two.py -->\n```python\nprint(1 + 1)\n```\n\n```console\n$ python two.py\n2\n```\n", tmp_path)


def test_an_ellipsis_is_part_of_a_line_and_never_more() -> None:
    assert fits("p = …", "p = 0.52")
    assert not fits("p = …", "p = 0.52\nwarning")
    assert fits("…\nend", "end")


def test_renewing_a_page_changes_only_what_is_not_so(tmp_path: Path) -> None:
    rest = "\n    karat --version\n\n```console\n$ true\n```\nB\n"
    before = "A\n\n```console\n$ echo red\nblue\n$ echo 12 s\n… s\n```\n" + rest
    after = "A\n\n```console\n$ echo red\nred\n\n$ echo 12 s\n… s\n```\n" + rest
    assert renewed_page(before, tmp_path) == after
    (tmp_path / "again").mkdir()
    assert renewed_page(after, tmp_path / "again") == after


def test_renewing_a_page_renews_its_doctests(tmp_path: Path) -> None:
    before = "```python\n>>> x = 3\n>>> for n in range(2):\n...     print(n)\n7\n>>> x\n3\n```\n"
    assert renewed_page(before, tmp_path) == before.replace("7\n", "0\n1\n")


def test_a_signature_is_cut_when_a_page_is_renewed(tmp_path: Path) -> None:
    text = "```console\n$ echo 'karat:0.1.0|verb:score|gold:a@sha256:12'\n```\n"
    assert "\nkarat:…\n" in renewed_page(text, tmp_path)


if __name__ == "__main__":
    import sys
    import tempfile

    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "session"
            folder.mkdir()
            page.write_text(renewed_page(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
