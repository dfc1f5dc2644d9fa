"""How many items of real lists fit the review page at 1280 × 800: `python benchmarks/review_layout.py [--items 200]`.

A judge needs the question, the choices, the sentence with the marked word, the drawing, the places of a repeat and the
evidence; an item fits if all of that is seen without scrolling. The word at other places of the corpus, and what karat
correct would do, stand below and are not counted. Choices must stand at the same place for all items of a list.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _review_lists import review_lists, with_files
from _review_page import chromium, page_of, serving

NEEDED_SHARE = 0.95
_HIDDEN = """() => {
  const [item, judging] = ["item", "judging"].map((id) => document.getElementById(id));
  const bottom = Math.min(item.getBoundingClientRect().top + item.clientHeight, innerHeight);
  const hidden = [];
  for (const id of ["words", "places", "drawing", "evidence"]) {
    const one = document.getElementById(id);
    if (one.childElementCount && one.getBoundingClientRect().bottom > bottom + 1) hidden.push(id);
    if (one.scrollWidth > one.clientWidth + 1) hidden.push(`${id} (width)`);
  }
  const question = document.getElementById("question");
  if (question.scrollHeight > question.clientHeight + 1) hidden.push("question");
  const last = document.querySelector("#choices button:last-child");
  const end = Math.min(judging.getBoundingClientRect().top + judging.clientHeight, innerHeight);
  if (last && last.getBoundingClientRect().bottom > end + 1) hidden.push("choices");
  const { x, y } = document.querySelector("#choices button").getBoundingClientRect();
  const below = document.getElementById("undo").getBoundingClientRect().y;
  return { id: document.body.dataset.item, hidden, place: [x, y, below] };
}"""


@dataclass(frozen=True)
class Fitting:
    """How many items were looked at, how many fit, what was hidden of the others, and where choices stood."""

    n_items: int
    n_fit: int
    hidden: Mapping[str, int]
    places: Sequence[object]
    examples: Sequence[str]


def fitting(browser: Any, path: Path, n_items: int, *, width: int = 1280, height: int = 800) -> Fitting:
    """The items of a list, evenly taken from all of it."""
    found: list[dict[str, Any]] = []
    with serving(path, with_files(path)) as server, page_of(browser, server.url, width=width, height=height) as page:
        total = page.evaluate("rows.total")
        for place in sorted({number * total // n_items for number in range(n_items)}):
            before = page.evaluate("document.body.dataset.item")
            target = page.evaluate("async (place) => { const id = await rows.at(place); show(id); return id; }", place)
            if target != before:
                page.wait_for_function("(id) => document.body.dataset.item === id", arg=target)
            found.append(page.evaluate(_HIDDEN))
    hidden = Counter(name for one in found for name in one["hidden"])
    places = sorted({tuple(one["place"]) for one in found})
    examples = [f"{one['id']}: {', '.join(one['hidden'])}" for one in found if one["hidden"]]
    return Fitting(len(found), sum(not one["hidden"] for one in found), hidden, places, examples)


def tables(folder: Path, n_items: int = 200, only: str = "", *, details: bool = False) -> list[str]:
    lines = ["## The review page at 1280 × 800: items that need no scrolling", ""]
    lines += ["| list | items | fit | share | hidden of the others |", "|---|---:|---:|---:|---|"]
    with chromium() as browser:
        for name, path in review_lists(folder).items():
            if only not in name:
                continue
            found = fitting(browser, path, n_items)
            hidden = ", ".join(f"{what} {n}" for what, n in found.hidden.items())
            share = found.n_fit / found.n_items
            lines.append(f"| {name} | {found.n_items} | {found.n_fit} | {100 * share:.1f} % | {hidden} |")
            if details:
                lines += [f"{len(found.places)} places of the choices: {found.places[:4]}", *found.examples[:20]]
    return [*lines, "", f"Goal ≥ {100 * NEEDED_SHARE:.0f} % of each list.", ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=200, help="of each list")
    parser.add_argument("--only", default="", help="only lists whose names have this")
    parser.add_argument("--folder", type=Path, help="where lists are made and kept (default: a temporary one)")
    parser.add_argument("--details", action="store_true", help="also name the items that do not fit")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        print("\n".join(tables(folder, arguments.items, arguments.only, details=arguments.details)))


if __name__ == "__main__":
    main()
