"""The commands that give our numbers of Wisniewski & Yvon 2019."""

from __future__ import annotations

_UD = "DIR/ud-2.3"
FROM_PRINT = "karat reproduce wisniewski-2019 --json"
QUICK = "karat reproduce wisniewski-2019 --data DIR --quick --json"  # without training
RUN = "karat reproduce wisniewski-2019 --data DIR"
TABLE_4 = f"karat repeats --table 4 --between {_UD}/UD_English-EWT {_UD}/UD_English-PUD --json"
TABLE_5 = f"karat repeats --table 5 {_UD}/UD_English-* --json"
TABLE_6 = f"karat repeats --table 6 {_UD}/UD_English-* --json"
TABLE_8 = f"karat repeats --table 8 {_UD}/UD_English-* --json; karat repeats --table 8 {_UD}/UD_*French-* --json"
DIVERGE = (
    f"karat diverge --preset paper {_UD}/UD_English-* --json; karat diverge --preset paper {_UD}/UD_*French-* --json"
)
# suspicious repeats of two texts, one word and more
BETWEEN = (
    f"karat repeats --preset paper --between {_UD}/UD_English-EWT/en_ewt-ud-train.conllu "
    f"{_UD}/UD_English-PUD/en_pud-ud-test.conllu --json"
)
EXAMPLES = "; ".join(
    f"karat repeats --preset paper --min-words 10 {_UD}/UD_English-{name} --json"
    for name in ("EWT/en_ewt-ud-train.conllu", "ParTUT/en_partut-ud-train.conllu")
)
