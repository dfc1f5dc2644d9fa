"""A page for each JSON schema: its fields in tables, one for the result and one for each part that has a name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import karat
from karat_site.generated import Pages
from karat_site.markdown import code, escaped, table, toctree

FOLDER = Path(karat.__file__).parent / "report" / "schemas"
_HEAD = """# JSON schemas

What `--json` prints follows one of these schemas, which come with karat in `report/schemas/`. The field `schema` of a
result names it. Shares are fractions from 0 to 1, and `null` stands where there is no value.

"""
_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
_NAMES = {"string": "text", "boolean": "true or false", "array": "list"}

Schema = Mapping[str, Any]


def every_schema() -> dict[str, Schema]:
    """All schemas by name."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}


def pages() -> Pages:
    """A page for each schema, and one that lists them."""
    every = every_schema()
    rows = [[f"[{code(one['$id'])}]({name}.myst)", escaped(one["title"])] for name, one in every.items()]
    found = {f"reference/schemas/{name}": schema_page(name, one) for name, one in every.items()}
    overview = _HEAD + table(["schema", "what it is"], rows) + "\n" + toctree(f"/{page}" for page in found)
    return {"reference/schemas/index": overview, **found}


def schema_page(name: str, schema: Schema) -> str:
    """The page of a schema."""
    file = f"[{name}.json](/../src/karat/report/schemas/{name}.json)"
    title = f"{escaped(schema['title'])}. As JSON Schema: {file}.\n"
    parts = [f"# {code(schema['$id'])}\n", title, *_said(schema), *_fields(schema)]
    for part, inner in schema.get("$defs", {}).items():
        parts += [f"## {code(part)}\n", *_said(inner), *_fields(inner)]
    return "\n".join(parts)


def _said(schema: Schema) -> Iterator[str]:
    for key in ("description", "$comment"):
        if key in schema:
            yield f"{escaped(schema[key])}.\n"


def _fields(schema: Schema) -> Iterator[str]:
    rows = list(_rows(schema, ""))
    if rows:
        yield table(["field", "value", "what it is"], rows, "fields")
    else:
        yield f"{type_of(schema)}\n"


def _rows(schema: Schema, path: str) -> Iterator[list[str]]:
    """A row for each field of an object, and for those of what is in it."""
    required = schema.get("required", ())
    fields = dict(schema.get("properties", {}))
    others = schema.get("additionalProperties")
    if isinstance(others, Mapping):
        fields["NAME"] = others
    for field, inner in fields.items():
        place = f"{path}.{field}" if path else field
        said = [escaped(one) for one in _descriptions(inner)]
        if field not in required and field != "NAME":
            said.append("not always there")
        yield [code(place), type_of(inner), "; ".join(said)]
        for below, mark in _objects_in(inner):
            yield from _rows(below, place + mark)
    for alternative in ("oneOf", "anyOf"):
        if not path or "properties" not in schema:
            for one in schema.get(alternative, ()):
                yield from _rows(one, path)


def _descriptions(schema: Schema) -> Iterator[str]:
    """What is said of a field, of the items of its list and of what else it may be."""
    if "description" in schema:
        yield schema["description"]
    items = [schema["items"]] if "items" in schema else []
    for inner in (*items, *schema.get("oneOf", ()), *schema.get("anyOf", ())):
        yield from _descriptions(inner)


def _objects_in(schema: Schema) -> Iterator[tuple[Schema, str]]:
    """The objects that a field holds, stated in place, and what their fields' paths have between."""
    if "properties" in schema or isinstance(schema.get("additionalProperties"), Mapping):
        yield schema, ""
    if "items" in schema:
        yield from ((inner, f"[]{mark}") for inner, mark in _objects_in(schema["items"]))
    for one in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        yield from _objects_in(one)


def type_of(schema: Schema) -> str:
    """What a value may be, in words."""
    if "$ref" in schema:
        return _linked(schema["$ref"])
    if "const" in schema:
        return code(json.dumps(schema["const"], ensure_ascii=False))
    if "enum" in schema:
        return ", ".join(code(json.dumps(one, ensure_ascii=False)) for one in schema["enum"])
    for alternative in ("oneOf", "anyOf"):
        if alternative in schema:
            return " or ".join(dict.fromkeys(type_of(one) for one in schema[alternative]))
    kinds = schema.get("type", "anything")
    found = [_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return " or ".join(found)


def _linked(reference: str) -> str:
    """A link to a part of this schema, to another (`../score/1`), or to a part of that (`../score/1#/$defs/corpus`)."""
    other, _, inner = reference.partition("#/")
    page = f"{other.split('/')[1]}.myst" if other else ""
    place, _, part = inner.rpartition("/")
    anchor = f"#{part.lower()}" if place == "$defs" else ""
    name = code(part or other.removeprefix("../"))
    if anchor or page:
        return f"[{name}]({page}{anchor})"
    return f"as {name}"


def _kind(kind: str, schema: Schema) -> str:
    if kind == "array":
        return _list_of(schema)
    if kind in ("number", "integer"):
        bounds = [f"{sign} {schema[key]}" for key, sign in _BOUNDS.items() if key in schema]
        return escaped(" ".join([kind, ", ".join(bounds)]).strip())
    if kind == "string" and "pattern" in schema:
        return f"text like {code(schema['pattern'])}"
    return _NAMES.get(kind, kind)


def _list_of(schema: Schema) -> str:
    sizes = [schema.get("minItems"), schema.get("maxItems")]
    least, most = sizes
    size = "" if sizes == [None, None] else f" of {least}" if least == most else f" of {least or 0} or more"
    return f"list{size}: {type_of(schema['items'])}" if "items" in schema else f"list{size}"
