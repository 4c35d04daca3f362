"""The addresses of the web server as an OpenAPI 3.1 document, generated from `operations` and the hub's own types."""

import re
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from citytable.languages import LANGUAGES
from citytable.views.answers import Refusal
from citytable.views.gate import PEOPLE
from citytable.views.operations import ALWAYS, FILE, FORM, METRICS, OPERATIONS, PAGE, SOCKET, STATUSES, Operation, Who
from citytable.views.overlay import ALL, ELEMENTS, SHOWS, TRIGGERS
from citytable.views.viewer import Seen

REF = "#/components/schemas/{name}"
SEQ_MAX = 999_999_999
_SEEN, _EVENT = REF.format(name="Seen"), REF.format(name="FeedEvent")
_MEDIA = {PAGE: "text/html", FILE: "*/*", METRICS: "text/plain"}
_SECURITY: dict[Who, list[dict[str, list[str]]]] = {
    "all": [],
    "viewer": [{}, {"cookie": []}],
    "people": [{"cookie": []}],
    "host": [{"cookie": []}],
    "producer": [{"producer": []}, {"cookie": []}],
}
_PATH: dict[str, dict[str, Any]] = {
    "seat": {"type": "integer", "minimum": 1, "maximum": 4},
    "file": {"type": "string"},
    "seq": {"type": "integer", "minimum": 0, "maximum": SEQ_MAX},
    "element": {"enum": [*ELEMENTS, ALL]},
    "trigger": {"enum": list(TRIGGERS)},
    "display": {"type": "string", "pattern": r"^[\w-]{1,16}$"},
    "shows": {"enum": list(SHOWS)},
    "station": {"type": "string"},
    "trial": {"type": "string"},
}
QUERY: dict[str, tuple[str, dict[str, Any]]] = {
    "as": (
        "Who reads; a browser reads only as what it has entered as.",
        {"enum": ["public", *(v.text for v in PEOPLE)]},
    ),
    "lang": ("The language of the page; without it, the one of the browser.", {"enum": list(LANGUAGES)}),
    "question": ("The id of an open question.", {"type": "string"}),
    "since": ("The number of the last event that was read.", {"type": "integer", "minimum": 0}),
    "thing": ("A component of the box, such as `building/R01`.", {"type": "string"}),
}


def _kinds(operation: Operation) -> list[Any]:
    return [kind for kind in (operation.takes, operation.gives, operation.or_gives) if _is_type(kind)]


def _is_type(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


@cache
def _schemas() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """Return the schema of each input and output type, and of the types they refer to."""
    kinds = list(dict.fromkeys([Refusal, Seen, *(kind for one in OPERATIONS for kind in _kinds(one))]))
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    return dict(zip(kinds, schemas, strict=True)), components


def operation_id(operation: Operation) -> str:
    """Return a name for generated programs: `get_api_view`."""
    return f"{operation.method}_{re.sub(r'[^a-z]+', '_', operation.path).strip('_') or 'root'}"


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": _PATH[name]}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    return in_path + [
        {"name": name, "in": "query", "description": QUERY[name][0], "schema": QUERY[name][1]}
        for name in operation.query
    ]


def _answer(operation: Operation) -> dict[str, Any]:
    gives = operation.gives
    if gives == SOCKET:
        return {"description": "The WebSocket is open; what it carries is in `/api/asyncapi.json`."}
    if gives in _MEDIA:
        return {"description": "It is there.", "content": {_MEDIA[gives]: {"schema": {"type": "string"}}}}
    schemas, _ = _schemas()
    schema = {"type": "object"} if gives == FORM else schemas[gives]
    if operation.path == "/api/view":
        schema = {"allOf": [{"$ref": _EVENT}, {"properties": {"data": {"$ref": _SEEN}}}]}
    if operation.or_gives is not None:
        schema = {"anyOf": [schema, schemas[operation.or_gives]]}
    return {"description": "As asked.", "content": {"application/json": {"schema": schema}}}


def _responses(operation: Operation) -> dict[str, Any]:
    refusals = {str(status): {"$ref": f"#/components/responses/{status}"} for status in operation.statuses}
    if operation.path == "/healthz":
        refusals["503"] = _answer(operation)
    return {str(operation.status): _answer(operation), **refusals, "default": {"$ref": "#/components/responses/any"}}


def _described(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation_id(operation),
        "tags": [operation.group],
        "summary": operation.about,
        "x-who": operation.who,
        "security": _SECURITY[operation.who],
        "parameters": _parameters(operation),
        "responses": _responses(operation),
    }
    if operation.method == "post":
        schema = {} if operation.takes is None else _schemas()[0][operation.takes]
        content = {"application/json": {"schema": schema}}
        described["requestBody"] = {"required": operation.takes is not None, "content": content}
    return described


@cache
def document() -> dict[str, Any]:
    """Return the whole document."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
    refusal = {"application/json": {"schema": {"$ref": REF.format(name="Refusal")}}}
    words = {**{str(status): text for status, text in STATUSES.items()}, "any": ALWAYS}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "citytable's hub",
            "version": version("citytable"),
            "description": "The addresses of a table's web server. Refusals have a sentence in each language.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas()[1],
            "responses": {status: {"description": text, "content": refusal} for status, text in words.items()},
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "citytable-{table}-{as}",
                    "description": "Set by `POST /api/enter`; {as} is `host` or `seat-1` to `seat-4`.",
                },
                "producer": {"type": "http", "scheme": "bearer", "description": "The key in `GET /api/overlay`."},
            },
        },
    }
