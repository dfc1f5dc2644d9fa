"""What installing karat costs: megabytes, seconds, and how soon it starts.

The wheel is built from this checkout, downloaded with what it needs, and installed from these files, without network,
in new virtual environments: the least seconds of three. Installed sizes are those of the files that pip has recorded,
byte code included. Start: CPU seconds of whole processes, the least of ten, of the karat that was installed.

    python benchmarks/installing.py
"""

from __future__ import annotations

import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from _measuring import ROOT, cold, measured
from run import cpu_name

INSTALLS, STARTS = 3, 10
_SIZES = """
import json
from importlib.metadata import distributions
sizes = {one.name.lower(): sum(file.locate().stat().st_size for file in one.files or () if file.locate().is_file())
         for one in distributions()}
print(json.dumps(sizes))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheels = folder / "wheels"
        _pip("wheel", "--no-deps", "--wheel-dir", folder / "karat", ROOT)
        (karat,) = (folder / "karat").glob("*.whl")
        _pip("download", "--only-binary", ":all:", "--dest", wheels, karat)
        found = [_installed(folder / f"venv-{number}", wheels) for number in range(INSTALLS)]
        python = folder / "venv-0" / "bin" / "python"
        print("\n".join([*_header(), *_sizes(wheels, python), *_install_times(found), *_starts(python, folder)]))


def _pip(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-q", *map(str, arguments)], check=True)


def _installed(venv: Path, wheels: Path) -> tuple[float, float]:
    """Elapsed and CPU seconds of installing karat from files in a new virtual environment."""
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    command = [
        venv / "bin" / "python",
        "-I",
        "-m",
        "pip",
        "-q",
        "install",
        "--no-index",
        "--find-links",
        wheels,
        "karat",
    ]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([str(part) for part in command], check=True)
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _header() -> list[str]:
    machine = f"{cpu_name()}; {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    return [f"`python benchmarks/installing.py`, {datetime.now(UTC):%Y-%m-%d}; {machine}.", ""]


def _sizes(wheels: Path, python: Path) -> list[str]:
    """What is downloaded and what it takes on the disk, largest first."""
    downloads = {one.name.split("-")[0].lower(): one.stat().st_size for one in wheels.glob("*.whl")}
    found = subprocess.run([python, "-I", "-c", _SIZES], check=True, capture_output=True, text=True).stdout
    installed = {name.replace("-", "_"): size for name, size in json.loads(found).items()}
    names = sorted(downloads, key=lambda name: -installed[name])
    rows = [("all", sum(downloads.values()), sum(installed[name] for name in names))]
    rows += [(name, downloads[name], installed[name]) for name in names]
    return [
        "## Size of karat and what it needs",
        "",
        "| package | download, MB | installed, MB |",
        "|---|---:|---:|",
        *(f"| {name} | {download / 1e6:.2f} | {size / 1e6:.2f} |" for name, download, size in rows),
        "",
    ]


def _install_times(found: list[tuple[float, float]]) -> list[str]:
    elapsed, cpu = (min(seconds) for seconds in zip(*found, strict=True))
    return ["## `pip install karat`, downloads done", "", f"{elapsed:.1f} s, of these {cpu:.1f} s CPU.", ""]


def _starts(python: Path, folder: Path) -> list[str]:
    """How soon karat starts, beside Python with nothing loaded; -I keeps the checkout out."""
    karat = python.with_name("karat")
    code = "import shutil, sys; from importlib.resources import files; "
    code += "shutil.copytree(files('karat') / 'examples', sys.argv[1])"
    subprocess.run([python, "-I", "-c", code, folder / "examples"], check=True)
    gold, system = folder / "examples" / "gold.conllu", folder / "examples" / "ada.conllu"
    tasks = [
        cold("python -c pass", python, "-I", "-c", "pass"),
        cold("python -c 'import karat'", python, "-I", "-c", "import karat"),
        cold("karat --version", python, "-I", karat, "--version"),
        cold("karat --help", python, "-I", karat, "--help"),
        cold("karat score gold.conllu ada.conllu", python, "-I", karat, "score", gold, system),
    ]
    rows = [f"| `{task.label}` | {1000 * task.best:.0f} |" for task in measured(tasks, STARTS)]
    return ["## Start of the installed karat", "", "|  | CPU, ms |", "|---|---:|", *rows]


if __name__ == "__main__":
    main()
