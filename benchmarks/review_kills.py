"""`karat review` killed at random moments while judges work: `python benchmarks/review_kills.py --kills 200`.

Each judge is a thread that sends verdicts, comments, whole patterns and undos over HTTP, as fast as they are answered.
The server gets SIGKILL while it is started, while they work, or in the pause when the lists' files are written. Then
the files must be whole, and what the server has when it is started again must be what was acknowledged: nothing less,
and nothing more but the one request of each judge that was on its way. That request is sent again and must count once.
At the end the server is stopped as usual, and the files must say exactly what was decided.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from _measuring import KARAT

N_ROWS = 20_000
N_TAGS = 30
_JUDGED_CELLS = slice(9, 13)  # verdict, label, judge, note
_PAUSE = 2.0  # seconds, after which the server writes files
_MOMENTS = ("working", "writing", "starting")
_WEIGHTS = (5, 4, 1)
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge has said of a row."""

    verdict: str = ""
    label: str = ""
    note: str = ""
    unsure: bool = False
    revision: int = 0

    def cells(self, judge: str) -> list[str]:
        """What the list's file is to have; its notes never look like formulas."""
        if not (self.verdict or self.label or self.note or self.unsure):
            return ["", "", "", ""]
        note = f"unsure: {self.note}" if self.unsure and self.note else "unsure" if self.unsure else self.note
        return [self.verdict, self.label, judge, note]


@dataclass(frozen=True, slots=True)
class Change:
    """A request: of a row, perhaps with its pattern, or (without a row) an undo."""

    request: str
    row: int | None = None
    said: Said = Said()
    is_for_pattern: bool = False


@dataclass
class Expected:
    """What a judge has decided, told without karat: the slow and obvious way."""

    tags: Sequence[tuple[str, str]]
    said: dict[int, Said] = field(default_factory=dict)
    steps: list[list[tuple[int, Said]]] = field(default_factory=list)

    def copy(self) -> Expected:
        return Expected(self.tags, dict(self.said), list(self.steps))

    def of(self, row: int) -> Said:
        return self.said.get(row, Said())

    def apply(self, change: Change) -> None:
        if change.row is None:
            for row, before in self.steps.pop() if self.steps else ():
                self.said[row] = replace(before, revision=self.of(row).revision + 1)
            return
        wanted = {change.row: change.said}
        if change.is_for_pattern:
            tag = self.tags[change.row]["ab".index(change.said.verdict)]
            for row in self._alike(change.row):
                wanted[row] = replace(change.said, verdict="ab"[self.tags[row].index(tag)])
        self.steps.append([(row, self.of(row)) for row in wanted])
        for row, one in wanted.items():
            self.said[row] = replace(one, revision=self.of(row).revision + 1)

    def _alike(self, row: int) -> list[int]:
        same = {self.tags[row], self.tags[row][::-1]}
        undecided = (other for other, tags in enumerate(self.tags) if tags in same and other != row)
        return [other for other in undecided if not (self.of(other).verdict or self.of(other).unsure)]


def random_change(rng: random.Random, expected: Expected, request: str) -> Change:
    chance = rng.random()
    if chance < 0.12:
        return Change(request)
    row = rng.randrange(len(expected.tags))
    now = replace(expected.of(row), revision=0)
    note = rng.choice(["", "", f"comment {rng.randrange(1000)}", "“ß” <b> ünd ‮ more"])
    if chance < 0.24:
        return Change(request, row, replace(now, note=f"only a comment {rng.randrange(1000)}"))
    if chance < 0.30:
        return Change(request, row, Said("", "", note, unsure=True))
    if chance < 0.38:
        return Change(request, row, Said("none", rng.choice(["X", "PUNCT"]), note))
    return Change(request, row, Said(rng.choice("ab"), "", note), is_for_pattern=chance > 0.95)


class Client:
    """A judge's connection, which stays open."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        self._connection.request("GET", f"/?{parts.query}")
        answer = self._connection.getresponse()
        answer.read()
        self._headers = {
            "Cookie": (answer.getheader("set-cookie") or "").partition(";")[0],
            "Origin": self._origin,
            "Content-Type": "application/json",
        }

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        """What is answered; an error if it is not acknowledged."""
        data = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, data, self._headers)
        answer = self._connection.getresponse()
        found = json.loads(answer.read())
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {found}")
        assert isinstance(found, dict)
        return found

    def send(self, change: Change, revision: int) -> None:
        if change.row is None:
            self.ask("POST", "/api/undo", {"request": change.request})
            return
        said = change.said
        body = {"verdict": said.verdict, "label": said.label, "note": said.note, "unsure": said.unsure}
        body |= {"request": change.request, "revision": revision, "pattern": change.is_for_pattern}
        self.ask("PUT", f"/api/items/w{change.row}/verdict", body)

    def said(self, n_rows: int) -> dict[int, Said]:
        """All that the server has of this judge."""
        found = {}
        for start in range(0, n_rows, _PAGE):
            items = self.ask("GET", f"/api/items?from={start}&n={_PAGE}")["items"]
            assert isinstance(items, list)
            for one in items:
                if one["revision"]:
                    said = Said(*(one[name] for name in ("verdict", "label", "note", "unsure", "revision")))
                    found[int(one["id"][1:])] = said
        return found


@dataclass
class Judge:
    """Somebody who works: what was acknowledged, what was on its way, and all that was ever sent of each row."""

    name: str
    rng: random.Random
    expected: Expected
    pending: Change | None = None
    n_sent: int = 0
    n_acknowledged: int = 0
    states: dict[int, set[tuple[str, ...]]] = field(default_factory=dict)

    def work(self, client: Client, stop: threading.Event) -> None:
        """Judge until the server is gone, or it is time to pause."""
        while not stop.is_set():
            self.n_sent += 1
            self.pending = random_change(self.rng, self.expected, f"{self.name} {self.n_sent}")
            row = self.pending.row
            try:
                client.send(self.pending, 0 if row is None else self.expected.of(row).revision)
            except (OSError, http.client.HTTPException, ValueError):
                return  # killed: nobody knows whether it is kept
            self._acknowledged(self.pending)

    def _acknowledged(self, change: Change) -> None:
        self.expected.apply(change)
        self.pending = None
        self.n_acknowledged += 1
        for row, _ in (
            self.expected.steps[-1] if self.expected.steps else ()
        ):  # what an undo brings back was there before
            self.states.setdefault(row, set()).add(tuple(self.expected.of(row).cells(self.name)))

    def check(self, client: Client) -> str:
        """Compare with what the server has, send what was on its way again, and compare once more."""
        client.close()  # a server does not wait for ever; the connection is opened again
        found = client.said(len(self.expected.tags))
        pending, self.pending = self.pending, None
        if pending is None:
            _same(found, self.expected.said, "an acknowledged change is lost, or there is one that nobody made")
            return "nothing on its way"
        after = self.expected.copy()
        after.apply(pending)
        is_kept = found == after.said and found != self.expected.said
        if not is_kept:
            _same(found, self.expected.said, "an acknowledged change is lost, or there is one that nobody made")
        row = pending.row
        client.send(pending, 0 if row is None else self.expected.of(row).revision)
        self._acknowledged(pending)
        _same(client.said(len(self.expected.tags)), self.expected.said, "a request that was sent again counts twice")
        return "kept" if is_kept else "not kept"


def _same(found: dict[int, Said], wanted: dict[int, Said], what: str) -> None:
    differing = [row for row in {**found, **wanted} if found.get(row) != wanted.get(row)]
    if differing:
        row = differing[0]
        raise SystemExit(f"{what}: w{row} has {found.get(row)}, not {wanted.get(row)}; {len(differing)} rows differ")


class Trial:
    """A list with its judges, whose server is killed again and again."""

    def __init__(self, folder: Path, names: Sequence[str], rng: random.Random, n_rows: int) -> None:
        self.path = folder / "check.tsv"
        tags = [_two_tags(rng) for _ in range(n_rows)]
        self._head, self._lines = _written(self.path, tags)
        self.judges = [Judge(name, random.Random(rng.random()), Expected(tags)) for name in names]
        self._rng = rng
        self.counts: Counter[str] = Counter()
        self.seconds_to_start: list[float] = []

    def kill(self) -> None:
        """Start the server, kill it, look at the files, start it again and ask what it has."""
        moment = self._rng.choices(_MOMENTS, _WEIGHTS)[0]
        n_half_before = len(self._half_written())
        clients: list[Client] = []
        if moment == "starting":
            process = self._process()
            time.sleep(self._rng.uniform(0.3, 1.5))
        else:
            process, clients = self._started()
            self._work(clients, process, moment)
        _killed(process, clients)
        self.counts[f"killed while {moment}"] += 1
        self.counts["killed with a file half written"] += len(self._half_written()) > n_half_before
        self._check_files()
        process, clients = self._started()
        try:
            for judge, client in zip(self.judges, clients, strict=True):
                self.counts[f"request on its way: {judge.check(client)}"] += 1
        finally:
            _killed(process, clients)

    def end(self) -> None:
        """Stop the server as usual: the files have what was decided, and nothing else."""
        process, clients = self._started()
        process.terminate()
        status = process.wait(60)
        _killed(process, clients)
        if status:
            raise SystemExit(f"exit {status} after SIGTERM")
        for judge in self.judges:
            rows = self._rows_of(judge)
            if len(rows) != len(self._lines):
                raise SystemExit(f"there is no file of {judge.name!r}")
            for row, cells in enumerate(rows):
                wanted = judge.expected.of(row).cells(judge.name)
                if cells[_JUDGED_CELLS] != wanted:
                    raise SystemExit(f"the file says {cells[_JUDGED_CELLS]} of w{row}, the store {wanted}")

    def _process(self) -> subprocess.Popen[str]:
        named = [part for judge in self.judges for part in ("--judge", judge.name) if judge.name]
        command = [*KARAT, "review", str(self.path), "--no-browser", *named]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def _started(self) -> tuple[subprocess.Popen[str], list[Client]]:
        begun = time.perf_counter()
        process = self._process()
        assert process.stdout is not None
        urls = [process.stdout.readline().strip() for _ in self.judges]
        if not all(urls):
            _killed(process, [])
            raise SystemExit("the server does not start again")
        self.seconds_to_start.append(time.perf_counter() - begun)
        return process, [Client(url) for url in urls]

    def _work(self, clients: Sequence[Client], process: subprocess.Popen[str], moment: str) -> None:
        """Let the judges work and kill the server meanwhile, or in the pause after it."""
        stop = threading.Event()
        pairs = zip(self.judges, clients, strict=True)
        threads = [threading.Thread(target=judge.work, args=(client, stop)) for judge, client in pairs]
        for thread in threads:
            thread.start()
        time.sleep(self._rng.uniform(0.02, 0.8))
        if moment == "working":
            process.kill()
        stop.set()
        for thread in threads:
            thread.join()
        if moment == "writing":
            time.sleep(_PAUSE + self._rng.uniform(-0.02, 0.25))

    def _half_written(self) -> list[Path]:
        return list(self.path.parent.glob(".karat-*"))

    def _check_files(self) -> None:
        """Every file has all rows, those that nobody judged byte for byte, the others with something that was sent."""
        for judge in self.judges:
            states = judge.states
            if judge.pending is not None:  # may have come into the file
                after = judge.expected.copy()
                after.apply(judge.pending)
                states = {row: {*states.get(row, ()), tuple(one.cells(judge.name))} for row, one in after.said.items()}
            for row, cells in enumerate(self._rows_of(judge)):
                said = tuple(cells[_JUDGED_CELLS])
                if any(said) and said not in states.get(row, ()):
                    raise SystemExit(f"w{row} has {said} in the file, which nobody sent")

    def _rows_of(self, judge: Judge) -> list[list[str]]:
        """The rows of a judge's file, which must be whole."""
        path = self.path.with_name(f"check.{judge.name}.tsv") if len(self.judges) > 1 else self.path
        if not path.exists():
            return []
        head, lines = _split(path.read_text(encoding="utf-8"))
        if head != self._head or len(lines) != len(self._lines):
            raise SystemExit(f"{path} has {len(lines)} rows of {len(self._lines)}, or another head")
        rows = []
        for line, before in zip(lines, self._lines, strict=True):
            cells, cells_before = line.split("\t"), before.split("\t")
            is_judged = any(cells[_JUDGED_CELLS])
            cells_before[_JUDGED_CELLS] = cells[_JUDGED_CELLS]
            if line != before and not (is_judged and cells == cells_before):
                raise SystemExit(f"{path} has a row that is not as it was: {line!r}")
            rows.append(cells)
        return rows


def _killed(process: subprocess.Popen[str], clients: Sequence[Client]) -> None:
    """End a server with SIGKILL, if it runs, and close what leads to it."""
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
    for client in clients:
        client.close()


def _two_tags(rng: random.Random) -> tuple[str, str]:
    first, second = rng.sample(range(N_TAGS), 2)
    return f"T{first}", f"T{second}"


def _written(path: Path, tags: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Write a list; its head and its rows as lines."""
    from karat.corpus.worklist import Worklist, WorklistRow, write_worklist

    text = "then the [boat] came slowly into the old harbour , and everybody went down to the water"
    rows = [
        WorklistRow(f"w{number}", "token", "harbour", f"s{number}", 3, 3, text, f"a) {one}  b) {other}")
        for number, (one, other) in enumerate(tags)
    ]
    write_worklist(path, Worklist(tuple(rows), ("Which tag is right?",)))
    return _split(path.read_text(encoding="utf-8"))


def _split(text: str) -> tuple[list[str], list[str]]:
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("w")), len(lines))
    return lines[:first], lines[first:]


def survived(n_kills: int, seed: int, *, names: Sequence[str] = ("",), n_rows: int = N_ROWS) -> Trial:
    """A review that was killed so many times, and has lost nothing; ends the program if it has."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), names, random.Random(seed), n_rows)
        for _ in range(n_kills):
            trial.kill()
        trial.end()
        return trial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=N_ROWS)
    arguments = parser.parse_args()
    half = arguments.kills // 2
    for judges, n_kills in ((("",), half), (("ada", "bix", "cyd"), arguments.kills - half)):
        trial = survived(n_kills, arguments.seed, names=judges, n_rows=arguments.rows)
        n_sent, n_kept = (sum(getattr(one, name) for one in trial.judges) for name in ("n_sent", "n_acknowledged"))
        print(f"{len(judges)} judge(s), {n_kills} kills: {n_sent:,} requests, {n_kept:,} acknowledged, none lost")
        for what, n in sorted(trial.counts.items()):
            print(f"  {what}: {n}")


if __name__ == "__main__":
    main()
