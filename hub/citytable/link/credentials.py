"""The logins of the hub's own broker, and what each may publish and receive.

One folder holds it all, so that the hub and a command beside it (`citytable station adopt`) see the same:

    passwords      user:hash lines, as mosquitto reads them
    access         the access list, rewritten from the users whenever they change
    logins.json    the passwords of hub, newcomers and Home Assistant in clear text, for their owner's eyes only
    mosquitto.pid  the broker's process, while it runs

A station's user is its name on the wire, and it speaks as itself only. Newcomers share one user, and each speaks as
table `new` under the id that is also its MQTT client id. The hub hears and says everything; Home Assistant hears what
is meant for it, and may ask for light.
"""

import base64
import hashlib
import json
import os
import secrets
import signal
from pathlib import Path

from tablewire import topics

HUB_USER = topics.HUB
NEWCOMER_USER = topics.NEWCOMERS
HOME_USER = topics.HOME
RESERVED = (HUB_USER, NEWCOMER_USER, HOME_USER, topics.TWIN, topics.VENUE)
ITERATIONS = 1000
_SALT_BYTES = 12


def password_hash(password: str, salt: bytes, iterations: int = ITERATIONS) -> str:
    """Hash a password as mosquitto 1.6 and later store it: `$7$`, rounds, salt, and PBKDF2 with SHA-512."""
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations)
    return f"$7${iterations}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def new_password() -> str:
    """Return a password that nobody has to remember: 128 random bits."""
    return secrets.token_hex(16)


def data_directory() -> Path:
    """Return the folder for lasting files: that of the systemd service, otherwise citytable's in the user's data."""
    service = os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    if service:
        return Path(service)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local/share") / "citytable"


def default_directory() -> Path:
    """Return the folder of the broker's logins."""
    return data_directory() / "broker"


class Credentials:
    """The users of one table's broker. Raises OSError when the folder cannot be used."""

    def __init__(self, directory: Path, table: str) -> None:
        self.directory = directory.absolute()
        self._table = table
        self.passwords = self.directory / "passwords"
        self.access = self.directory / "access"
        self.pid_file = self.directory / "mosquitto.pid"
        self._logins = self.directory / "logins.json"

    def prepare(self) -> None:
        """Make the folder with the logins of the hub and other programs; existing ones stay."""
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        hashes = self._hashes()
        logins = self._read_logins()
        for user in (HUB_USER, NEWCOMER_USER, HOME_USER):
            if user not in logins or user not in hashes:
                logins[user] = new_password()
                hashes[user] = password_hash(logins[user], secrets.token_bytes(_SALT_BYTES))
        _write(self._logins, json.dumps(logins))
        self._keep(hashes)

    def login(self, user: str) -> str:
        """Return the password of a user that is not a station, in clear text; raise KeyError before `prepare`."""
        return self._read_logins()[user]

    def users(self) -> tuple[str, ...]:
        """Return the stations that may log in, by name."""
        return tuple(sorted(user for user in self._hashes() if user not in RESERVED))

    def add(self, user: str, password: str) -> None:
        """Admit a station, or change its password, from the next `reload` on; raises ValueError for a bad name."""
        if not topics.is_name(user) or user in RESERVED:
            raise ValueError(
                f"{user!r} cannot be a station's user: 1-32 letters, digits or dashes, "
                f"and none of {', '.join(RESERVED)}"
            )
        hashes = self._hashes()
        hashes[user] = password_hash(password, secrets.token_bytes(_SALT_BYTES))
        self._keep(hashes)

    def remove(self, user: str) -> bool:
        """Shut a station out, from the next `reload` on; return False if it was unknown."""
        hashes = self._hashes()
        if user in RESERVED or hashes.pop(user, None) is None:
            return False
        self._keep(hashes)
        return True

    def reload(self) -> bool:
        """Let the running broker read the files; return False if none runs here (it will read them at its start).

        Removed users are disconnected. The owner of an external broker has to reload it.
        """
        try:
            pid = int(self.pid_file.read_text("ascii"))
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (OSError, ValueError):
            return False
        if os.fsencode(self.directory) not in command:  # the number has passed on to another program
            return False
        os.kill(pid, signal.SIGHUP)
        return True

    def _hashes(self) -> dict[str, str]:
        try:
            lines = self.passwords.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return {}
        return {user: hashed for user, _, hashed in (line.partition(":") for line in lines) if user and hashed}

    def _read_logins(self) -> dict[str, str]:
        try:
            return dict(json.loads(self._logins.read_text("utf-8")))
        except (FileNotFoundError, ValueError):
            return {}

    def _keep(self, hashes: dict[str, str]) -> None:
        _write(self.passwords, "".join(f"{user}:{hashed}\n" for user, hashed in sorted(hashes.items())))
        _write(self.access, access_list(self._table, self.users()))


def access_list(table: str, stations: tuple[str, ...]) -> str:
    """Return the access list: a user who is not named in it may do nothing."""
    blocks = [_newcomers(), _block(HUB_USER, ["topic readwrite #"])]
    blocks += [_block(NEWCOMER_USER, [f"topic read {topics.topic(topics.NEWCOMERS, topics.HUB, topics.STATE)}"])]
    blocks += [_block(HOME_USER, _at_home(table))]
    for station in stations:
        lines = _speaking(table, station, "topic")
        blocks.append(_block(station, [*lines, f"topic read {topics.topic(table, topics.HUB, topics.STATE)}"]))
    return "\n".join(blocks)


def _at_home(table: str) -> list[str]:
    """Return the rights of Home Assistant: receive a table's messages, announce its birth, and set the lights."""
    heard = (topics.topic(table, topics.HUB, topics.STATE), topics.topic(table, topics.HOME, "+"))
    return [
        "topic readwrite homeassistant/#",
        *(f"topic read {topic}" for topic in heard),
        f"topic write {topics.topic(table, topics.HOME, 'lights-set')}",
    ]


def _newcomers() -> str:
    return "".join(f"{line}\n" for line in _speaking(topics.NEWCOMERS, "%c", "pattern"))


def _speaking(table: str, station: str, word: str) -> list[str]:
    """Return the rights to speak and listen as one station."""
    said = [f"{word} write {topics.topic(table, station, channel)}" for channel in topics.FROM_STATION]
    return said + [f"{word} read {topics.topic(table, station, channel)}" for channel in topics.TO_STATION]


def _block(user: str, lines: list[str]) -> str:
    return f"user {user}\n" + "".join(f"{line}\n" for line in lines)


def _write(path: Path, text: str) -> None:
    """Write all of it or nothing, readable by this user only: half a password file would end the broker."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
