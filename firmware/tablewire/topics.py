"""Topics: `citytable/1/<table>/<station>/<channel>`; letters, digits, `-` and `/` only (some brokers drop dots)."""

ROOT = "citytable"
VERSION = 1

# from a station
STATE = "state"  # retained: birth, and the last will
EVENT = "event"  # urgent, numbered, kept by the station until the hub acknowledges it
SAMPLES = "samples"  # load-cell samples and summaries, ranges; never replayed
PONG = "pong"  # answer to the hub's clock question
HEALTH = "health"  # how its sensors do, every 10 s and when asked
LOG = "log"  # a line for people
UPDATE = "update"  # how far a new bundle has come
PAGES = "pages"  # what was read from a tag's memory
FROM_STATION = (STATE, EVENT, SAMPLES, PONG, HEALTH, LOG, UPDATE, PAGES)

# to a station
ACK = "ack"
LIGHT = "light"
PING = "ping"
COMMAND = "command"  # what a host or maker asks of it; never retained
TO_STATION = (ACK, LIGHT, PING, COMMAND)

# from and to the hub, and the lock-step clock of a rehearsal
NEWCOMERS = "new"  # the table of stations that nobody has adopted yet; their chip's id is their name
HUB = "hub"  # the hub's own station name: its retained state lies on .../hub/state
TWIN = "twin"  # the virtual table's own station name: tocks go to .../twin/tock
HOME = "home"  # in a station's place: what the hub tells Home Assistant, on channels of its own
VENUE = "venue"  # in a station's place: what the hub reports to a venue of several tables, likewise
TICK = "tick"
TOCK = "tock"

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"


def is_name(text: str) -> bool:
    """Report whether the text is a valid name of a table or station: 1-32 letters, digits or dashes."""
    return 0 < len(text) <= 32 and all(letter in _LETTERS for letter in text)


def topic(table: str, station: str, channel: str) -> str:
    """Return the topic of one channel of one station."""
    return "{}/{}/{}/{}/{}".format(ROOT, VERSION, table, station, channel)


def split(text: str) -> tuple[str, str, str]:
    """Return `(table, station, channel)` of a topic; raise ValueError that says what is wrong with it."""
    parts = text.split("/")
    if len(parts) != 5 or parts[0] != ROOT:
        raise ValueError("topic {!r} is not {}/{}/<table>/<station>/<channel>".format(text, ROOT, VERSION))
    if parts[1] != str(VERSION):
        raise ValueError(
            "topic {!r} speaks wire version {!r}, this hub speaks {}: update the station or the hub".format(
                text, parts[1], VERSION
            )
        )
    if not is_name(parts[2]) or not is_name(parts[3]):
        raise ValueError("topic {!r}: names have 1-32 letters, digits or dashes".format(text))
    return parts[2], parts[3], parts[4]
