"""disco-dop's side of `parsers.py`, run by the Python 3.6 that has it: prints seconds, memory, scores."""

import json
import sys
import time
from typing import Any


def rules(of: Any) -> Any:
    """The grammar's rules as disco-dop takes them, and one of probability 1 from each tag to a word."""
    for children, weight in zip(of["rules"], of["weights"]):  # noqa: B905 (Python 3.6)
        yield (tuple(f"X{one}" for one in children), ((0, 1)[: len(children) - 1],)), weight
    for tag in range(of["n_tags"]):
        yield ((f"X{tag}", "Epsilon"), (str(tag),)), 1.0


def peak_memory() -> int:
    """The largest resident set of this process so far, in bytes."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


def main() -> None:
    from discodop.containers import Grammar  # type: ignore[import-not-found]
    from discodop.kbest import lazykbest  # type: ignore[import-not-found]
    from discodop.pcfg import parse  # type: ignore[import-not-found]

    with open(sys.argv[1]) as file:
        of = json.load(file)
    grammar = Grammar(list(rules(of)), start=f"X{of['start']}")
    sentences = [[str(tag) for tag in one] for one in of["sentences"]]
    start = time.process_time()
    charts = [parse(one, grammar)[0] for one in sentences]
    seconds = time.process_time() - start
    peak = peak_memory()
    best = [lazykbest(one, 1)[0] if one else [] for one in charts]
    print(json.dumps({"seconds": [seconds], "peak": peak, "scores": [-one[0][1] if one else None for one in best]}))


if __name__ == "__main__":
    main()
