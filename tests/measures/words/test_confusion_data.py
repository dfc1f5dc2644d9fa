"""Confusions as plain data."""

from __future__ import annotations

import json

import karat
from examples import EXAMPLES


def test_confusions_are_the_data_that_is_printed() -> None:
    gold, ada = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada"))
    data = karat.score(gold, ada, confusions="upos").to_dict()
    assert data["systems"][0]["confusions"]["upos"]["top"][0]["examples"]
    assert json.loads(json.dumps(data)) == data
