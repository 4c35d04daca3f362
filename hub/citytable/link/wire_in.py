"""Turns bytes and topic into a typed message, at the edge of the hub.

`read` never raises: an invalid message becomes a `BadMessage`, which says whose fault it is. Times in a message stay in
the station's clock here (`at`: wraps and ticks); `inbox` converts them to hub time.
"""

import json
from functools import lru_cache
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args

import msgspec

from citytable.table.health import AccelerometerHealth, CellHealth, Count, RangerHealth, ReaderHealth
from citytable.table.spot import Spot, is_spot
from tablewire import messages, topics

Boot: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 30)]
Seq: TypeAlias = Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]
Raw: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
Measure: TypeAlias = Annotated[float, msgspec.Meta(gt=-1e15, lt=1e15)]
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
Words: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class Clock(NamedTuple):
    """A station's clock: `ticks_us` below 2**30 and how often it restarted (-1: a moment before it was first read)."""

    wraps: Annotated[int, msgspec.Meta(ge=-1, lt=1 << 32)]
    ticks_us: Annotated[int, msgspec.Meta(ge=0, lt=messages.TICKS_PERIOD)]

    @property
    def total_us(self) -> int:
        """Return the microseconds since the station's clock began."""
        return self.wraps * messages.TICKS_PERIOD + self.ticks_us


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    boot: Boot


class SpotSensors(msgspec.Struct, frozen=True):
    """The sensors that a station has at one spot."""

    spot: Spot
    cells: Count
    reader: bool
    ring: Count
    crane: bool
    beam: bool = False


class Birth(_Message, frozen=True, tag="birth"):
    """A station started, or came back.

    `accelerometer`: whether its accelerometer answers; None: it has no place for one.
    """

    kind: Name
    firmware: Name
    at: Clock
    spots: tuple[SpotSensors, ...]
    hardware: Name = ""
    uid: Name = ""
    bundle: Name = ""
    reset: Name = ""
    accelerometer: bool | None = None


class Death(_Message, frozen=True, tag="death"):
    """A station's last will, or its farewell."""


class _Event(_Message, frozen=True):
    event_seq: Seq
    at: Clock


class Lying(msgspec.Struct, frozen=True):
    """A tag lying at a spot."""

    spot: Spot
    uid: Name


class Inventory(_Event, frozen=True, tag="inventory"):
    """All tags that lie at the station's spots. `events_lost`: so many found no room in its outbox before."""

    tags: tuple[Lying, ...]
    events_lost: Count = 0


class TagSeen(_Event, frozen=True, tag="tag"):
    """A tag came to a spot or left it."""

    spot: Spot
    uid: Name
    here: bool


class Button(_Event, frozen=True, tag="button"):
    """A seat's button was pressed."""

    seat: Count


class Alert(_Event, frozen=True, tag="alert"):
    """A cell lost `drop` counts at once: provisional, the hub judges by the samples."""

    spot: Spot
    cell: Count
    drop: Raw


class Height(_Event, frozen=True, tag="height"):
    """The crane's sensor reads `range_mm`. `contact`: whether its beam was broken; None: no beam, or unknown."""

    spot: Spot
    range_mm: Measure
    spread_mm: Measure
    n: Count
    contact: bool | None = None


class Fault(_Event, frozen=True, tag="fault"):
    """A sensor cannot be believed (`on`), or can again."""

    spot: Spot
    sensor: Name
    what: Words
    on: bool


class Samples(_Message, frozen=True, tag="samples"):
    """Raw counts of one cell: the first at `at`, each next one `dt_us` later."""

    sample_seq: Seq
    spot: Spot
    cell: Count
    at: Clock
    dt_us: tuple[Count, ...]
    counts: tuple[Raw, ...]
    lost: Count

    def times_us(self, start_us: int) -> tuple[int, ...]:
        """Return the time of each sample, when the first was taken at `start_us`."""
        return tuple(accumulate(self.dt_us, initial=start_us))


class QuietCell(msgspec.Struct, frozen=True):
    """One second of a cell at rest: mean, spread and extremes of `n` conversions."""

    spot: Spot
    cell: Count
    n: Count
    mean: Measure
    spread: Measure
    min: Raw
    max: Raw
    lost: Count


class Quiet(_Message, frozen=True, tag="quiet"):
    """The last second of all cells at rest; `at` is its end."""

    sample_seq: Seq
    at: Clock
    cells: tuple[QuietCell, ...]


class Knocks(_Message, frozen=True, tag="knocks"):
    """An accelerometer's knocks: the first window's end at `at`, each next one `dt_us` later; if empty: none until
    `at`.
    """

    sample_seq: Seq
    at: Clock
    dt_us: tuple[Count, ...]
    peak_mg: tuple[Count, ...]

    def times_us(self, start_us: int) -> tuple[int, ...]:
        """Return the time of each knock, when the first was at `start_us`."""
        return tuple(accumulate(self.dt_us, initial=start_us))[: len(self.peak_mg)]


class Pong(_Message, frozen=True, tag="pong"):
    """The answer to the hub's clock question `id`."""

    id: Count
    received: Clock
    sent: Clock


class Care(_Message, frozen=True):
    """A message for the people who look after a station, not about the game."""


class HealthReport(Care, frozen=True, tag="health"):
    """The state of a station's sensors since the last report. `id`: of the `inspect` it answers."""

    at: Clock
    gap_us: Count
    dropped: Count
    refused: Count
    cells: tuple[CellHealth, ...]
    readers: tuple[ReaderHealth, ...]
    rangers: tuple[RangerHealth, ...]
    id: Count | None = None
    free_bytes: Count | None = None
    accelerometer: AccelerometerHealth | None = None


class LogLine(Care, frozen=True, tag="log"):
    """A line of a station's log."""

    at: Clock
    level: Name
    text: Words


class UpdateState(Care, frozen=True, tag="update"):
    """The progress of a bundle: `have` is the next chunk that the station wants."""

    bundle: Name
    state: Name
    have: Count
    why: Words = ""


class TagPages(Care, frozen=True, tag="pages"):
    """The contents of a tag's memory from page `first` on, as hex."""

    id: Count
    spot: Spot
    uid: Name
    first: Count
    data: Words


class Tick(msgspec.Struct, frozen=True, tag_field="type", tag="tick"):
    """Lock-step: it is `t_us`, and each station has published so many messages since its start."""

    n: Count
    t_us: Annotated[int, msgspec.Meta(ge=0, lt=1 << 60)]
    sent: dict[str, Count]


class HubState(_Message, frozen=True, tag="hub"):
    """Our own retained state, coming back to us."""

    online: bool


class Unreadable(msgspec.Struct, frozen=True):
    """An event that arrived but could not be read: its number is used up, its content is lost."""

    boot: int
    event_seq: int
    why: str


Event: TypeAlias = Inventory | TagSeen | Button | Alert | Height | Fault
FromStation: TypeAlias = (
    Birth | Death | Event | Samples | Quiet | Knocks | Pong | HealthReport | LogLine | UpdateState | TagPages
)
Inward: TypeAlias = FromStation | Tick | HubState
_KINDS: dict[str, Any] = {kind.__struct_config__.tag: kind for kind in get_args(Inward)}
"""By type: msgspec takes a union apart at every call, which costs it twenty times what the message does."""
_PLAIN: dict[str, msgspec.json.Decoder[Any]] = {
    topics.EVENT: msgspec.json.Decoder(Event),
    topics.SAMPLES: msgspec.json.Decoder(Samples | Quiet | Knocks),
    topics.PONG: msgspec.json.Decoder(Pong),
    topics.TICK: msgspec.json.Decoder(Tick),
}
"""By channel, what the play consists of: these types ask for all that the wire's table asks for."""


class _Version(msgspec.Struct):
    v: Annotated[int, msgspec.Meta(ge=topics.VERSION, le=topics.VERSION)]


_version = msgspec.json.Decoder(_Version)


class BadMessage(msgspec.Struct, frozen=True):
    """A message that was refused: the sender's fault, as a sentence. `lost`: the event number it used up."""

    station: str
    topic: str
    sentence: str
    arrived_us: int = 0
    lost: Unreadable | None = None


class Heard(msgspec.Struct, frozen=True):
    """A message of a station, checked."""

    station: str
    message: Inward


@lru_cache(maxsize=256)
def _is_spot(text: str) -> bool:
    return is_spot(text)


def _spots(message: Inward) -> tuple[Spot, ...]:
    spot: Spot | None = getattr(message, "spot", None)
    if spot is not None:
        return (spot,)
    match message:
        case Birth(spots=things) | Quiet(cells=things) | Inventory(tags=things):
            return tuple(thing.spot for thing in things)
        case HealthReport(cells=cells, readers=readers, rangers=rangers):
            return tuple(thing.spot for things in (cells, readers, rangers) for thing in things)
        case _:
            return ()


def _plain(channel: str, payload: bytes) -> Inward | None:
    """Decode a message about the game in one step; return None for one that needs a full check."""
    decoder = _PLAIN.get(channel)
    if decoder is None or len(payload) > messages.MESSAGE_BYTES_MAX or not payload.isascii():
        return None
    try:
        _version.decode(payload)
        message: Inward = decoder.decode(payload)
    except (msgspec.DecodeError, RecursionError):
        return None
    if isinstance(message, Samples) and len(message.counts) != len(message.dt_us) + 1:
        return None
    if isinstance(message, Knocks) and len(message.dt_us) != max(0, len(message.peak_mg) - 1):
        return None
    return message if all(map(_is_spot, _spots(message))) else None


def _typed(content: dict[str, Any]) -> Inward:
    message: Inward = msgspec.convert(content, _KINDS.get(content["type"], Inward))
    for spot in _spots(message):
        if not _is_spot(spot):
            raise ValueError(f"spot {spot!r} is not a spot of a table: correct the station's board file")
    return message


@lru_cache(maxsize=1024)
def _split(topic: str) -> tuple[str, str, str]:
    return topics.split(topic)


def read(topic: str, payload: bytes, arrived_us: int = 0) -> Heard | BadMessage:
    """Return the message in a payload, or a note with its error."""
    try:
        _, station, channel = _split(topic)
        return Heard(station, _plain(channel, payload) or _typed(messages.decode(channel, payload)))
    except ValueError as error:  # tablewire's BadMessage and msgspec's ValidationError are ValueErrors
        lost = _used_up(topic, payload, str(error))
        return BadMessage(_sender(topic), topic, _short(str(error)), arrived_us, lost)


def _sender(topic: str) -> str:
    """Return the station named in a topic, also of another version; empty if the topic has no station."""
    parts = topic.split("/")
    return parts[3] if len(parts) == 5 and topics.is_name(parts[3]) else ""


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= 300 else sentence[:297] + "..."


def _used_up(topic: str, payload: bytes, why: str) -> Unreadable | None:
    """Return the event number of an otherwise invalid message, so that it leaves no hole."""
    if not topic.endswith("/" + topics.EVENT) or len(payload) > messages.MESSAGE_BYTES_MAX:
        return None
    try:
        content = json.loads(payload)
        numbers = msgspec.convert(content, _Numbers)
    except (ValueError, RecursionError):
        return None
    return Unreadable(numbers.boot, numbers.event_seq, _short(why))


class _Numbers(msgspec.Struct, frozen=True):
    boot: Boot
    event_seq: Seq
