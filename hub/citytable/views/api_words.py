"""The description of the addresses for people: rows of an address or a type each, from the OpenAPI document."""

from typing import Any, NamedTuple

from citytable.views.openapi import document
from citytable.views.operations import OPERATIONS, Operation

WHO = {
    "all": "everybody",
    "viewer": "as `?as=` says",
    "people": "host, players",
    "host": "host",
    "producer": "host, or with a key",
}


class AddressRow(NamedTuple):
    """An address: its purpose, its input and output, and the statuses of its refusals."""

    group: str
    address: str
    about: str
    who: str
    takes: str
    gives: str
    refuses: str


class TypeRow(NamedTuple):
    """A type: its meaning, and its fields. A field with a question mark may be left out."""

    name: str
    about: str
    fields: tuple[str, ...]


def address_rows() -> tuple[AddressRow, ...]:
    """Return every address, in the order of the groups."""
    return tuple(_address_row(operation) for operation in OPERATIONS)


def type_rows() -> tuple[TypeRow, ...]:
    """Return every type, by name."""
    schemas = document()["components"]["schemas"]
    return tuple(_type_row(name, schemas[name]) for name in sorted(schemas))


def _address_row(operation: Operation) -> AddressRow:
    described = document()["paths"][operation.path][operation.method]
    query = "&".join(f"{name}=" for name in operation.query)
    address = f"{operation.method.upper()} {operation.path}{'?' if query else ''}{query}"
    takes = "" if operation.takes is None else _kind(_content(described["requestBody"]))
    answer = described["responses"][str(operation.status)]
    gives = _kind(_content(answer)) if "application/json" in answer.get("content", {}) else operation.gives
    refuses = ", ".join(str(status) for status in operation.statuses)
    return AddressRow(operation.group, address, operation.about, WHO[operation.who], takes, gives, refuses)


def _content(part: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = part["content"]["application/json"]["schema"]
    return schema


def _type_row(name: str, schema: dict[str, Any]) -> TypeRow:
    needed = schema.get("required", ())
    fields = (
        f"{field}{'' if field in needed else '?'}: {_kind(kind)}"
        for field, kind in schema.get("properties", {}).items()
    )
    return TypeRow(name, " ".join(schema.get("description", "").split()), tuple(fields))


def _kind(schema: dict[str, Any]) -> str:
    """Return a schema in short: `list of Curve`, `"show", "hide" or "toggle"`, `text or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return _either([f'"{value}"' for value in schema.get("enum", [schema.get("const")])])
    if "allOf" in schema:
        return _kind(schema["allOf"][0])
    if "anyOf" in schema:
        return _either([_kind(one) for one in schema["anyOf"]])
    match schema.get("type"):
        case "array" if "items" in schema and schema["items"] is not False:
            return f"list of {_kind(schema['items'])}"
        case "array":
            return f"list of {_either([_kind(one) for one in schema.get('prefixItems', [{}])])}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {_kind(schema['additionalProperties'])}"
        case None:
            return "anything"
        case kind:
            return {"string": "text", "integer": "whole number"}.get(kind, str(kind))


def _either(kinds: list[str]) -> str:
    *first, last = dict.fromkeys(kinds)
    return f"{', '.join(first)} or {last}" if first else last
