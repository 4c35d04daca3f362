"""docs/reference/wire.md lists what the schema holds."""

from tablewire.messages import KNOCK_MG, MESSAGE_BYTES_MAX, PATTERNS, SCHEMA


def names(fields):
    """Every field of a message, nested ones too."""
    for name, kind in fields.items():
        if name != "*":
            yield name.rstrip("?")
        inner = kind[0] if isinstance(kind, list) else kind
        if isinstance(inner, dict):
            yield from names(inner)


def test_every_message_stands_in_the_reference_with_its_channel_and_all_its_fields(root):
    lines = (root / "docs/reference/wire.md").read_text().splitlines()
    for kind, (channel, fields) in SCHEMA.items():
        (row,) = [line for line in lines if line.startswith(f"| `{kind}` | `{channel}` |")]
        missing = [name for name in names(fields) if f"`{name}`" not in row]
        assert not missing, f"{kind} lacks {missing}"


def test_the_reference_names_the_limits_and_the_patterns(root):
    told = (root / "docs/reference/wire.md").read_text()
    assert f"{MESSAGE_BYTES_MAX} bytes" in told
    assert ", ".join(PATTERNS) in told
    assert f"{KNOCK_MG} thousandths of g" in told
