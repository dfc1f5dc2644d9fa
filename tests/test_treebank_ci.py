"""What karat ships for repositories of treebanks does what its page says: hooks of pre-commit, a workflow of GitHub.

A clean treebank passes; one with a planted contradiction, a broken line or a tag that does not exist is refused.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import karat
from console_examples import ROOT
from examples import conllu, sentence

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / "docs" / "ci" / "treebank.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = WORKFLOW["jobs"]["karat"]["steps"]
SUBJECTS = ("rain", "snow", "wind", "fog")
VERBS = ("falls", "stops", "returns")


@dataclass(frozen=True)
class Treebank:
    """A treebank's repository, and how commands are run in it."""

    folder: Path
    environment: dict[str, str]

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **more}, capture_output=True, text=True, timeout=600
        )

    def change(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def treebank(tmp_path: Path) -> Treebank:
    """Words with one tag each, in a train and a dev part, committed."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "karat").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m karat "$@"\n')
    (programs / "karat").chmod(0o755)
    folder = tmp_path / "UD_Weather"
    folder.mkdir()
    for part, adverbs in (("train", ("often", "early", "again")), ("dev", ("often", "late"))):
        sentences = [
            sentence(
                "the/DET/2/det",
                f"{subject}/NOUN/3/nsubj",
                f"{verb}/VERB/0/root",
                f"{adverb}/ADV/3/advmod",
                sent_id=f"{part}-{subject}-{verb}-{adverb}",
            )
            for subject in SUBJECTS
            for verb in VERBS
            for adverb in adverbs
        ]
        conllu(folder / f"xx_weather-ud-{part}.conllu", *sentences)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(karat.__file__).parent.parent),
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    found = Treebank(folder, environment)
    for command in ("git init -q", "git add .", "git commit -qm first"):
        done = found.run(*shlex.split(command))
        assert done.returncode == 0, done.stderr
    return found


def contradict(one: Treebank) -> None:
    """The dev part has a sentence of the train part, and another tag for a word of it."""
    one.change("xx_weather-ud-dev.conllu", "\train\train\tNOUN", "\train\train\tVERB")


def break_line(one: Treebank) -> None:
    one.change("xx_weather-ud-dev.conllu", "\tNOUN\t_\t_\t3\t", "\tNOUN\t_\t_\t30\t")


def misspell_tag(one: Treebank) -> None:
    one.change("xx_weather-ud-dev.conllu", "\tADV\t", "\tADVERB\t")


# ---- hooks -----------------------------------------------------------------------------------------------------------


def test_hooks_have_what_pre_commit_requires() -> None:
    assert set(HOOKS) == {"karat-format", "karat-tagset", "karat-repeats"}
    for hook in HOOKS.values():
        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"
        assert shlex.split(hook["entry"])[0] == "karat"


def test_the_page_names_every_hook_and_no_other() -> None:
    page = (ROOT / "docs" / "howto" / "treebank-ci.md").read_text(encoding="utf-8")
    assert {word.strip("`") for word in page.split() if word.startswith("`karat-") and word.endswith("`")} == set(HOOKS)


def run_hook(one: Treebank, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A hook as pre-commit runs it: entry, arguments, files."""
    hook = HOOKS[name]
    files = sorted(path.name for path in one.folder.glob("*.conllu")) if hook.get("pass_filenames", True) else []
    return one.run(*shlex.split(hook["entry"]), *(arguments or hook.get("args", [])), *files)


@pytest.mark.parametrize(
    ("name", "spoil", "code"),
    [("karat-repeats", contradict, 1), ("karat-format", break_line, 3), ("karat-tagset", misspell_tag, 1)],
)
def test_a_hook_lets_a_clean_treebank_pass_and_refuses_one_with_an_error(
    treebank: Treebank, name: str, spoil: Callable[[Treebank], None], code: int
) -> None:
    clean = run_hook(treebank, name)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    spoil(treebank)
    assert run_hook(treebank, name).returncode == code


def test_the_hook_of_repeats_takes_a_baseline(treebank: Treebank) -> None:
    contradict(treebank)
    assert treebank.run("karat", "repeats", ".", "--json", "-o", "baseline.json").returncode == 0
    assert run_hook(treebank, "karat-repeats", ".", "--baseline", "baseline.json").returncode == 0
    treebank.change("xx_weather-ud-dev.conllu", "\tstops\tstops\tVERB", "\tstops\tstops\tNOUN")
    assert run_hook(treebank, "karat-repeats", ".", "--baseline", "baseline.json").returncode == 1


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_pre_commit_stops_a_commit_with_a_contradiction(treebank: Treebank) -> None:
    """With the installed karat instead of one that pre-commit installs (see the slow test below)."""
    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    written = yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]})
    (treebank.folder / ".pre-commit-config.yaml").write_text(written)
    run_all = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert treebank.run("git", "add", ".").returncode == 0
    clean = treebank.run(*run_all)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    assert clean.stdout.count("Passed") == len(HOOKS)
    contradict(treebank)
    assert treebank.run(sys.executable, "-m", "pre_commit", "install").returncode == 0
    refused = treebank.run("git", "commit", "-qam", "second")
    assert refused.returncode == 1
    assert refused.stderr.count("Failed") == 1
    assert "annotated in more" in refused.stderr
    assert "VERB" in refused.stderr


@pytest.mark.slow
def test_pre_commit_installs_karat_from_its_repository_and_runs_the_hooks(treebank: Treebank) -> None:
    """Asks for PyPI, as pre-commit makes an environment of its own."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository of karat here")
    tried = (sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "--all-files")
    clean = treebank.run(*tried, PYTHONPATH="")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    contradict(treebank)
    refused = treebank.run(*tried, PYTHONPATH="")
    assert refused.returncode == 1
    assert "annotated in more" in refused.stdout


# ---- the workflow ----------------------------------------------------------------------------------------------------


def run_steps(one: Treebank) -> dict[str, int]:
    """The exit codes of the workflow's own steps, but for the installation, as GitHub's shell runs them."""
    codes = {}
    for step in STEPS:
        if "run" in step and not step["name"].startswith("Install"):
            shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
            codes[step["name"]] = one.run(
                *shell, **{key: str(value) for key, value in WORKFLOW["env"].items()}
            ).returncode
    return codes


READ, TAGS, REPEATS, LEARN = (
    "All files can be read",
    "All tags are of the tagset",
    "No new contradictions",
    "The annotation can be learnt",
)


def test_the_workflow_is_one_of_github() -> None:
    assert WORKFLOW[True] == ["push", "pull_request"]  # YAML 1.1 takes the key `on` for a truth value
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert all(("run" in step) != ("uses" in step) for step in STEPS)
    (upload,) = (step for step in STEPS if "upload-artifact" in step.get("uses", ""))
    assert upload["if"] == "always()"


def test_the_workflow_passes_for_a_clean_treebank_and_leaves_its_reports(treebank: Treebank) -> None:
    assert run_steps(treebank) == dict.fromkeys((READ, TAGS, REPEATS, LEARN), 0)
    (upload,) = (step for step in STEPS if "upload-artifact" in step.get("uses", ""))
    written = sorted(path.name for path in treebank.folder.glob(upload["with"]["path"]))
    assert written == ["repeats.html", "score.html"]


@pytest.mark.parametrize(
    ("spoil", "failed"),
    [(contradict, {REPEATS: 1}), (misspell_tag, {TAGS: 1, REPEATS: 1}), (break_line, {READ: 3})],
)
def test_the_workflow_refuses_a_treebank_with_an_error(
    treebank: Treebank, spoil: Callable[[Treebank], None], failed: dict[str, int]
) -> None:
    spoil(treebank)
    codes = run_steps(treebank)
    assert {name: code for name, code in codes.items() if code} == failed


def test_the_workflow_refuses_an_annotation_that_cannot_be_learnt(treebank: Treebank) -> None:
    path = treebank.folder / "xx_weather-ud-dev.conllu"
    path.write_text(path.read_text(encoding="utf-8").replace("\tNOUN\t", "\tADJ\t"), encoding="utf-8")
    assert run_steps(treebank)[LEARN] == 1


def test_known_contradictions_pass_with_a_baseline_and_findings_are_shown_at_their_lines(treebank: Treebank) -> None:
    contradict(treebank)
    (step,) = (one for one in STEPS if one.get("name") == REPEATS)
    shown = treebank.run("bash", "-ec", step["run"], BASELINE="none.json").stdout
    assert shown.startswith("::warning file=xx_weather-ud-dev.conllu,line=")
    baseline = WORKFLOW["env"]["BASELINE"]
    assert treebank.run("karat", "repeats", ".", "--json", "-o", baseline).returncode == 0
    assert run_steps(treebank)[REPEATS] == 0
