"""Systems that are commands: a small tagger in a script, and all the ways in which such a thing goes wrong."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import karat
from karat.errors import DataError, UsageError
from karat.experiments.config import read_config
from karat.experiments.external import CommandError, run_command, without_annotation
from small_treebanks import small_treebanks

TAGGER = '''
"""The most frequent tag of each form: train TRAIN MODEL, tag MODEL INPUT OUTPUT, or both at once."""
import collections, json, os, sys

def rows(path):
    for line in open(path, encoding="utf-8"):
        yield line, line.rstrip("\\n").split("\\t")

def train(path, model):
    counts = collections.defaultdict(collections.Counter)
    for _, cells in rows(path):
        if len(cells) == 10 and cells[0].isdigit():
            counts[cells[1]][cells[3]] += 1
    json.dump({form: tags.most_common(1)[0][0] for form, tags in counts.items()}, open(model, "w"))

def tag(model, source, target):
    known = json.load(open(model))
    with open(target, "w", encoding="utf-8") as out:
        for line, cells in rows(source):
            if len(cells) == 10 and cells[0].isdigit():
                assert cells[3] == "_", "the gold's tags are seen"
                cells[3] = known.get(cells[1], "NOUN")
                line = "\\t".join(cells) + "\\n"
            out.write(line)

what, *paths = sys.argv[1:]
if what == "train":
    train(*paths)
elif what == "tag":
    tag(*paths)
else:
    source, model, test, target = paths
    if not os.path.exists(model):
        train(source, model)
    tag(model, test, target)
'''


@pytest.fixture
def banks(tmp_path: Path) -> list[str]:
    return small_treebanks(tmp_path)


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "tagger.py"
    path.write_text(TAGGER)
    return str(path)


def external(name: str, *tag: str, train: tuple[str, ...] = (), timeout: float = 60.0) -> karat.ExternalTagger:
    return karat.ExternalTagger(name, train, tag, timeout)


def both(script: str) -> karat.ExternalTagger:
    return external("mine", sys.executable, script, "both", "{train}", "{model}", "{input}", "{output}")


def python(name: str, code: str, timeout: float = 60.0) -> karat.ExternalTagger:
    return external(name, sys.executable, "-c", code, "{train}", "{input}", "{output}", timeout=timeout)


def test_a_command_scores_as_the_same_tagger_here(banks: list[str], tmp_path: Path, script: str) -> None:
    two = external(
        "two commands", sys.executable, script, "tag", "{model}", "{input}", "{output}",
        train=(sys.executable, script, "train", "{train}", "{model}"),
    )  # fmt: skip
    found = karat.grid(banks, tmp_path / "grid", systems=[both(script), two, "most-frequent"], seeds=1)
    assert not found.failures
    values = {(one.condition.system, one.condition.train, one.condition.test): one.value("UPOS") for one in found.cells}
    for (system, *where), value in values.items():
        # all words of these corpora are in every train part; ties of tags are few, and go either way
        assert value == pytest.approx(values["most-frequent", where[0], where[1]], abs=0.1), system
        assert value == values["mine", where[0], where[1]] or system == "most-frequent"
    by_system = {one.condition.system: one.data for one in found.cells}
    assert by_system["two commands"]["train_seconds"] > 0
    assert by_system["mine"]["train_seconds"] is None  # it is trained when it first tags
    assert by_system["mine"]["model_bytes"] == by_system["two commands"]["model_bytes"] > 10
    assert by_system["mine"]["peak_bytes"] > 1 << 20


def test_a_changed_script_is_run_again(banks: list[str], tmp_path: Path, script: str) -> None:
    assert karat.grid(banks[:1], tmp_path / "grid", systems=[both(script)], seeds=1).n_run == 1
    assert karat.grid(banks[:1], tmp_path / "grid", systems=[both(script)], seeds=1).n_run == 0
    Path(script).write_text(TAGGER.replace('"NOUN"', '"VERB"'))
    assert karat.grid(banks[:1], tmp_path / "grid", systems=[both(script)], seeds=1).n_run == 1


BROKEN = {
    "crashes": ("raise SystemExit('no memory for my model')", "exit code 1: no memory for my model"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
    "writes nothing": ("pass", "wrote no {output}"),
    "writes an empty file": ("import sys; open(sys.argv[3], 'w')", "no sentence"),
    "writes garbage": ("import sys; open(sys.argv[3], 'wb').write(bytes(range(256)))", "output"),
    "writes too few words": (
        "import sys; text = open(sys.argv[2]).read().split('\\n\\n'); open(sys.argv[3], 'w').write(text[0] + '\\n\\n')",
        "K4",
    ),
    "writes other words": (
        "import sys; open(sys.argv[3], 'w').write(open(sys.argv[2]).read().replace('\\toak\\t', '\\tyew\\t'))",
        "K401",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_command_that_fails_is_an_error_of_its_cells_and_the_rest_goes_on(
    banks: list[str], tmp_path: Path, what: str
) -> None:
    code, message = BROKEN[what]
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[python("broken", code), "most-frequent"], seeds=2)
    assert [one.condition.system for one in found.cells] == ["most-frequent"] * 2
    assert [one.condition.system for one in found.failures] == ["broken"] * 2
    assert all(message in one.error for one in found.failures), found.failures[0].error
    assert "Traceback" not in found.failures[0].error


def test_a_command_that_hangs_is_stopped_with_all_that_it_started(banks: list[str], tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = (
        "import subprocess, sys, time;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(pids)!r}, 'w').write(str(child.pid)); time.sleep(600)"
    )
    began = time.monotonic()
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[python("slow", code, timeout=2.0)], seeds=1)
    assert time.monotonic() - began < 30
    assert "longer than 2 s" in found.failures[0].error
    child, ended_by = int(pids.read_text()), time.monotonic() + 10
    while is_alive(child) and time.monotonic() < ended_by:  # killed, but perhaps not yet scheduled to die
        time.sleep(0.05)
    assert not is_alive(child)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def test_a_program_that_is_not_there_is_named(banks: list[str], tmp_path: Path) -> None:
    system = external("gone", "/no/such/program", "{train}", "{input}", "{output}")
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[system], seeds=1)
    assert found.failures[0].error == "/no/such/program cannot be run: No such file or directory"


def test_what_a_failed_command_printed_is_in_its_log(banks: list[str], tmp_path: Path) -> None:
    system = python("loud", "import sys; print('a long story'); sys.exit(3)")
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[system], seeds=1)
    assert found.failures[0].log is not None
    assert "a long story" in Path(found.failures[0].log).read_text()


def test_no_shell_reads_a_command(banks: list[str], tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    system = external("shell", "true", f"; touch {mark}", "$(touch {train}.x)", "{input}", "{output}")
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[system], seeds=1)
    assert "wrote no {output}" in found.failures[0].error
    assert not mark.exists()


def test_a_command_gets_no_annotation_to_copy(tmp_path: Path) -> None:
    text = (
        "# sent_id = 1\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tde\tde\tADP\tIN\tA=b\t2\tcase\t2:case\t_\n"
        "2\tel\tel\tDET\tDT\t_\t0\troot\t0:root\tx=y\n2.1\tgone\tgo\tVERB\t_\t_\t_\t_\t0:root\t_\n\n"
    )
    path = tmp_path / "a.conllu"
    path.write_text(text)
    assert without_annotation(karat.read(path)).decode().split("\n") == [
        "# sent_id = 1",
        "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "1\tde" + "\t_" * 8,
        "2\tel" + "\t_" * 7 + "\tx=y",
        "",
        "",
    ]
    tagged = tmp_path / "a.tsv"
    tagged.write_text("oak\tNOUN\ngrows\tVERB\n")
    assert without_annotation(karat.read(tagged)) == b"oak\t_\ngrows\t_\n"


def test_nothing_is_left_of_a_command_on_disk(banks: list[str], tmp_path: Path, script: str) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    os.environ["TMPDIR"], before = str(folder), os.environ.get("TMPDIR")
    import tempfile

    tempfile.tempdir = None
    try:
        karat.grid(banks, tmp_path / "grid", systems=[both(script), python("broken", "1/0")], seeds=1)
        assert list(folder.iterdir()) == []
    finally:
        os.environ.pop("TMPDIR") if before is None else os.environ.__setitem__("TMPDIR", before)
        tempfile.tempdir = None


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("tagger", "{train}", "{output}"), "has no {input}"),
        (("tagger", "{train}", "{input}", "{output}", "{nonsense}"), "unknown {nonsense}"),
        ((), "a list of strings"),
    ],
)
def test_commands_that_cannot_work_are_refused_at_once(command: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.ExternalTagger("mine", (), command)


def test_run_command_counts_time_and_memory(tmp_path: Path) -> None:
    done = run_command([sys.executable, "-c", "x = bytearray(80 << 20)"], {}, tmp_path / "log", 60)
    assert done.peak_bytes is not None
    assert done.peak_bytes > 80 << 20
    with pytest.raises(CommandError, match="exit code 7"):
        run_command([sys.executable, "-c", "raise SystemExit(7)"], {}, tmp_path / "log", 60)


# ---- grids in files --------------------------------------------------------------------------------------------------


def test_a_file_describes_a_grid(tmp_path: Path, banks: list[str], script: str) -> None:
    path = tmp_path / "grid.toml"
    places = ", ".join(f'"{{{name}}}"' for name in ("train", "model", "input", "output"))
    path.write_text(
        f"""
corpora = ["UD_Tree-Oak", "UD_Tree-Ash"]
tests = ["UD_Tree-Elm"]
seeds = [0, 7]
timeout = 5
systems = [
  "hmm:order=1",
  {{name = "base", system = "most-frequent", options = {{suffixes = true}}}},
  {{name = "mine", command = [{sys.executable!r}, {script!r}, "both", {places}]}},
]
"""
    )
    values = dict(read_config(path).values)
    assert [one.name for one in values["systems"]] == ["hmm:order=1", "base", "mine"]
    assert values["systems"][2].timeout == 5
    found = karat.grid(values.pop("corpora"), tmp_path / "out", **values)
    assert len(found.cells) == 3 * 2 * 3 * 2
    assert found.named("seed") == [0, 7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("corpora = [", "not TOML"),
        ("corpus = []", "unknown key 'corpus'"),
        ("seeds = 'three'", "wrong kind"),
        ("sizes = ['a']", "whole numbers"),
        ("corpora = [3]", "texts"),
        ("systems = [3]", "is not a system"),
        ("systems = ['nonsense']", "no system 'nonsense'"),
        ("systems = [{name = 'a', command = []}]", "a list of strings"),
        ("systems = [{command = ['a', '{train}', '{input}', '{output}']}]", "needs a name"),
        ("systems = [{name = 'a', train = ['a', '{train}', '{model}']}]", "train and tag"),
        ("systems = [{name = 'hmm', options = {order = 3}}]", "choose from 1, 2"),
        ("systems = [{}]", "neither a name nor a command"),
    ],
)
def test_what_a_file_says_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(text)
    with pytest.raises((DataError, UsageError), match=message):
        read_config(path)
