"""`karat review` as a process: it says where it is, keeps what is decided, and ends as it should."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from browser import chromium
from karat.cli import main
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.review.audit import write_audit
from karat.review.reading import read_any_worklist
from karat.review.server import bound_socket
from karat.review.session import Review
from served_reviews import Client, token_list

_BROWSER = """
import os, stat, sys
from pathlib import Path
from urllib.parse import unquote, urlparse
path = Path(unquote(urlparse(sys.argv[-1]).path))
Path("opened").write_text(f"{stat.S_IMODE(path.stat().st_mode):o}\\n{path}\\n{path.read_text()}")
"""


class Reviewing:
    """A process of karat review that is ready."""

    def __init__(self, process: subprocess.Popen[str], urls: list[str]) -> None:
        self.process = process
        self.urls = urls

    def client(self, place: int = 0) -> Client:
        port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.*)", self.urls[place]).groups()  # type: ignore[union-attr]
        found = Client(int(port)).ask("GET", path)
        return Client(int(port), found.headers["set-cookie"].partition(";")[0])

    def end(self, sent: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """The exit code after a signal, and what was said on standard error."""
        self.process.send_signal(sent)
        out, err = self.process.communicate(timeout=20)
        assert out == ""
        return self.process.returncode, err


@contextmanager
def reviewing(
    folder: Path, *arguments: str, n_urls: int = 1, environment: Mapping[str, str] | None = None
) -> Iterator[Reviewing]:
    command = [sys.executable, "-m", "karat", "review", *arguments]
    process = subprocess.Popen(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield Reviewing(process, [process.stdout.readline().rstrip("\n") for _ in range(n_urls)])
    finally:
        process.kill()
        process.communicate()


def verdict_cells(path: Path) -> list[str]:
    return [line.split("\t")[9] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("w")]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_list_is_current_once_the_review_ends(tmp_path: Path, sent: signal.Signals) -> None:
    path = token_list(tmp_path / "check.tsv")
    with reviewing(tmp_path, "check.tsv", "--no-browser") as running:
        assert running.client().decide("w2", "b").status == 200
        assert running.end(sent) == (
            0,
            "Ctrl-C ends the review; all verdicts are kept\nverdicts are in check.tsv\n",
        )
    assert verdict_cells(path) == ["", "b", "", "", "", ""]


def test_a_killed_review_goes_on_where_it_was(tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv")
    with reviewing(tmp_path, "check.tsv", "--no-browser") as running:
        assert running.client().decide("w2", "b", note="kept").status == 200
        running.process.kill()
        running.process.wait()
    with reviewing(tmp_path, "check.tsv", "--no-browser") as running:
        judge = running.client()
        assert judge.get("/api/items/w2")["note"] == "kept"
        assert judge.decide("w3", "a").status == 200
        assert running.end()[0] == 0
    assert verdict_cells(path) == ["", "b", "a", "", "", ""]


def test_the_address_changes_each_time_and_an_old_one_is_refused(tmp_path: Path) -> None:
    token_list(tmp_path / "check.tsv")
    with reviewing(tmp_path, "check.tsv", "--no-browser") as first:
        old = first.urls[0]
        first.end()
    with reviewing(tmp_path, "check.tsv", "--no-browser") as second:
        token = old.partition("token=")[2]
        assert second.client().ask("GET", f"/?token={token}").status == 403


def test_several_judges_have_a_line_each_that_names_them(tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv")
    before = path.read_bytes()
    judges = ("--judge", "ada", "--judge", "bix & co")
    with reviewing(tmp_path, "check.tsv", *judges, "--no-browser", n_urls=3) as running:
        names = [re.search(r"\?for=(.*?)&token=[\w-]{43}$", url)[1] for url in running.urls]  # type: ignore[index]
        assert names == ["ada", "bix%20%26%20co", "coordinator"]
        assert running.client(1).decide("w1", "a").status == 200
        assert running.end()[0] == 0
    assert path.read_bytes() == before
    assert verdict_cells(tmp_path / "check.bix & co.tsv")[0] == "a"


def test_a_second_server_on_the_same_list_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = token_list(tmp_path / "check.tsv")
    with reviewing(tmp_path, "check.tsv", "--no-browser"):
        assert main(["review", str(path), "--no-browser"]) == 2
    assert "in use by another karat review" in capsys.readouterr().err


def test_the_browser_is_opened_through_a_file_that_others_cannot_read(tmp_path: Path) -> None:
    token_list(tmp_path / "check.tsv")
    (tmp_path / "browser.py").write_text(_BROWSER)
    (tmp_path / "temporary").mkdir()
    environment = {"BROWSER": f"{sys.executable} {tmp_path / 'browser.py'} %s", "TMPDIR": str(tmp_path / "temporary")}
    with reviewing(tmp_path, "check.tsv", environment=environment) as running:
        end = time.monotonic() + 15
        while not (tmp_path / "opened").exists() or not (tmp_path / "opened").read_text():
            assert time.monotonic() < end
            time.sleep(0.05)
        mode, opened, page = (tmp_path / "opened").read_text().split("\n", 2)
        assert (mode, Path(opened).exists()) == ("600", True)
        assert running.urls[0] in page
        assert running.end()[0] == 0
        assert not Path(opened).exists()


@pytest.mark.parametrize(
    ("lists", "place"), [(["check.tsv"], ""), (["check.tsv", "other.tsv"], "?for=ada%20%26%20co%2Fcheck.tsv")]
)
def test_a_browser_that_comes_from_the_file_is_let_in(tmp_path: Path, lists: list[str], place: str) -> None:
    """A strict cookie is not sent where a file leads to the page: the page asks for itself once more."""
    from karat.cli.review import _redirecting_page

    for name in lists:
        token_list(tmp_path / name)
    how = [*lists, "--judge", "ada & co", "--no-browser"]
    with reviewing(tmp_path, *how, n_urls=len(lists)) as running, chromium() as browser:
        (tmp_path / "go.html").write_text(_redirecting_page(running.urls[0]), encoding="utf-8")
        page = browser.new_page()
        page.goto((tmp_path / "go.html").as_uri())
        page.wait_for_url(re.compile(rf"http://127\.0\.0\.1:\d+/{re.escape(place)}"))
        page.wait_for_function("!document.querySelector('meta[http-equiv]') && document.readyState == 'complete'")
        assert page.evaluate("fetch('/api/review').then((found) => found.status)") == 200
        assert page.evaluate("document.cookie") == ""


def test_the_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    token_list(tmp_path / "check.tsv")
    with reviewing(tmp_path, "check.tsv", "--no-browser") as running:
        running.client().decide("w1", "a")
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.glob("*.karat-review*")}
        assert modes
        assert set(modes.values()) == {0o600}, modes


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nothing.tsv"], 3, "nothing.tsv"),
        (["check.tsv", "--port", "70000"], 2, "--port"),
        (["check.tsv", "--judge", "../ada"], 2, "cannot be the name of a judge"),
        (["check.tsv", "--judge", "ada", "--judge", ""], 2, "each --judge needs a name"),
        (["check.tsv", "check.tsv"], 2, "the list check.tsv is given twice"),
        (["check.tsv", "other.tsv", "--judge", "ada", "--judge", "bix"], 2, "not both"),
        (["check.tsv", "--gold", "nothing.conllu"], 3, "nothing.conllu"),
        (["check.tsv", "--gold", "corpus.conllu"], 3, "K740"),
        (["corpus.conllu"], 3, "corpus.conllu"),
        (["empty.tsv"], 3, "empty.tsv"),
        (["rowless.tsv"], 2, "has no rows to judge"),
        (["unknown.tsv"], 3, "unknown.tsv"),
        (["."], 3, "."),
        (["-"], 2, "must be a file"),
        (["check.tsv", "--adjudicate"], 2, "at least two"),
        (["check.tsv", "other.tsv", "--adjudicate", "--judge", "ada", "--judge", "bix"], 2, "whoever decides"),
        (["check.tsv", "--export", "nowhere/audit.jsonl"], 2, "there is no folder nowhere"),
        (["check.tsv", "--export", "check.tsv"], 2, "will not be overwritten"),
        (["check.tsv", "--export", "check.tsv.karat-review"], 2, "will not be overwritten"),
        (["check.tsv", "--export", "-"], 2, "file name"),
        (["check.tsv", "--export", "."], 2, "is a folder"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    for name in ("check.tsv", "other.tsv"):
        token_list(tmp_path / name)
    text = (tmp_path / "check.tsv").read_text(encoding="utf-8")
    (tmp_path / "corpus.conllu").write_text("1\tcup\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "empty.tsv").write_text("")
    (tmp_path / "rowless.tsv").write_text(text[: text.index("\nw1") + 1])
    (tmp_path / "unknown.tsv").write_text(text.replace("\ttoken\t", "\tsong\t"))
    monkeypatch.chdir(tmp_path)
    assert main(["review", *arguments, "--no-browser"]) == code
    out, err = capsys.readouterr()
    assert words in err
    assert "Traceback" not in err
    assert out == ""


def test_without_its_libraries_the_command_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = token_list(tmp_path / "check.tsv")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["review", str(path), "--no-browser"]) == 2
    assert "pip install 'karat[review]'" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["check.tsv"]


def test_other_commands_do_not_import_a_server() -> None:
    code = "import sys, karat.cli.review, karat.review.server; print({'starlette', 'uvicorn'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


# ---- several lists, adjudication, the history ------------------------------------------------------------------------


def test_several_lists_have_an_address_each_and_it_is_said_whose(tmp_path: Path) -> None:
    lists = [token_list(tmp_path / f"check.{name}.tsv") for name in ("ada", "bix")]
    for arguments in (["check.ada.tsv", "check.bix.tsv"], ["check.tsv", "--judge", "ada", "--judge", "bix"]):
        with reviewing(tmp_path, *arguments, "--no-browser", n_urls=3) as running:
            assert running.client(1).decide("w2", "a", revision=int(verdict_cells(lists[1])[1] == "a")).status == 200
            code, err = running.end()
        assert code == 0
        assert "for=ada: judges check.ada.tsv\n" in err
        assert "for=bix: judges check.bix.tsv\n" in err
    assert [verdict_cells(file)[1] for file in lists] == ["", "a"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_history_is_written_when_the_review_ends(tmp_path: Path, sent: signal.Signals) -> None:
    token_list(tmp_path / "check.tsv")
    how = ("check.tsv", "--judge", "ada", "--judge", "bix", "--export", "audit.jsonl", "--no-browser")
    with reviewing(tmp_path, *how, n_urls=3) as running:
        assert running.client(0).decide("w1", "a", seconds=36).status == 200
        assert running.client(1).send("POST", "/api/undo").status == 200
        assert running.client(1).decide("w1", "b", note="so it is").status == 200
        assert running.client(1).send("POST", "/api/undo").status == 200
        assert running.end(sent)[0] == 0
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines()]
    schema = json.loads((files("karat") / "report" / "schemas" / "review-audit.json").read_text(encoding="utf-8"))
    for line in lines:
        jsonschema.Draft202012Validator(schema).validate(line)
    head, *events = lines
    assert (head["schema"], head["person_hours"]) == (schema["$id"], 0.01)
    assert [(one["judge"], one["after"]["verdict"], one["undoes"]) for one in events] == [
        ("ada", "a", None), ("bix", "b", None), ("bix", "", 2),
    ]  # fmt: skip
    assert not jsonschema.Draft202012Validator(schema).is_valid({**events[0], "origin": "elsewhere"})


def judge_file(path: Path, verdicts: str) -> Path:
    """A list with these verdicts."""
    worklist = read_any_worklist(token_list(path, len(verdicts)))
    write_worklist(path, worklist.with_verdicts([*verdicts]))
    return path


def test_rows_on_which_judges_differ_are_decided_in_a_list_of_their_own(tmp_path: Path) -> None:
    before = [judge_file(tmp_path / f"check.{name}.tsv", verdicts).read_bytes() for name, verdicts in _SAID.items()]
    with reviewing(tmp_path, *_LISTS, "--adjudicate", "--judge", "eva", "--no-browser") as running:
        eva = running.client()
        assert [(one["id"], one["place"]) for one in eva.get("/api/items")["items"]] == [("w2", 0), ("w4", 1)]
        assert eva.get("/api/items/w4")["said"][1] == {"judge": "bix", "words": "VERB", "note": ""}
        assert eva.decide("w4", "b").status == 200
        assert eva.decide("w1", "b").status == 404
        code, err = running.end()
    assert code == 0
    assert f"judges differ on 2 of {_SHARED}; " in err
    assert verdict_cells(tmp_path / "check.adjudicated.tsv") == ["a", "", "b", "b"]
    assert [(tmp_path / name).read_bytes() for name in _LISTS] == before


_SAID = {"ada": "aaba", "bix": "abbb"}
_SHARED = "the 4 rows that several judges have judged"
_LISTS = [f"check.{name}.tsv" for name in _SAID]


def test_lists_on_which_judges_agree_are_merged_without_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in _LISTS:
        judge_file(tmp_path / name, "abab")
    monkeypatch.chdir(tmp_path)
    assert main(["review", *_LISTS, "--adjudicate"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    merged = f"judges do not differ on any of {_SHARED}; check.adjudicated.tsv has all 4 rows\n"
    assert err == f"{merged}verdicts are in check.adjudicated.tsv\n"
    assert verdict_cells(tmp_path / "check.adjudicated.tsv") == [*"abab"]


def test_a_port_in_use_is_said_and_the_list_is_free_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = token_list(tmp_path / "check.tsv")
    with bound_socket() as taken:
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["review", str(path), "--port", str(port), "--no-browser"]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err
    Review.opened(path).close()


def test_a_history_replaces_nothing_but_a_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = token_list(tmp_path / "check.tsv")
    gold = tmp_path / "gold.conllu"
    gold.write_text("precious")
    assert main(["review", str(path), "--export", str(gold), "--no-browser"]) == 2
    assert "exists and is not the history of a review" in capsys.readouterr().err
    assert gold.read_text() == "precious"
    audit = tmp_path / "audit.jsonl"
    with Review.opened(path) as review:
        write_audit(audit, review)
        write_audit(audit, review)


def test_lists_of_different_kinds_are_not_adjudicated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = token_list(tmp_path / "check.tsv")
    write_worklist(tmp_path / "b.tsv", Worklist((WorklistRow("b1", "bracket", "p", "s", 1, 2, "a b", "CE"),)))
    assert main(["review", str(path), str(tmp_path / "b.tsv"), "--adjudicate"]) == 2
    assert "lists of different kinds cannot be adjudicated together: token, bracket" in capsys.readouterr().err
