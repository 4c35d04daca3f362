"""Configuration of the brokers: a table's mosquitto, which bridges to the venue, and the venue's NATS servers."""

import hmac
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tablewire import topics


class Login(msgspec.Struct, frozen=True):
    """Name what somebody logs in with; no user: nobody logs in."""

    user: str = ""
    password: str = ""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """Describe one NATS server: `routes` are host:port of all nodes of its cluster, none for a server alone.

    `port` is that of NATS' own programs, `mqtt_port` that of tables and desk, `cluster_port` that of the other nodes.
    With `certificate` and its `key` everybody speaks TLS, the nodes with each other, too: they share that certificate.
    """

    folder: Path
    host: str
    port: int
    mqtt_port: int
    name: str = "venue"
    cluster_port: int = 0
    routes: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None


def bridge_configuration(table: str, brokers: Sequence[str], secret: str, certificate: Path | None = None) -> str:
    """Return lines for a table's mosquitto: its reports go to the venue's broker, of several the first that answers.

    `brokers` are host:port. Nothing comes back. Results have QoS 1 and are retained: the bridge sends them at each
    connection, those of a time without one as well. `certificate` is the venue's, where the table's computer has it.
    """
    login = table_login(secret, table)
    logs_in = [f"remote_username {login.user}", f"remote_password {login.password}"] if login.user else []
    lines = [
        f"connection venue-{table}",
        f"addresses {' '.join(brokers)}",
        f"remote_clientid citytable-{table}",
        *logs_in,
        *([] if certificate is None else [f"bridge_cafile {certificate}"]),
        f"topic {topics.topic(table, topics.VENUE, '#')} out 1",
        "bridge_protocol_version mqttv311",
        "try_private false",  # a flag of mosquitto's own, which NATS refuses
        "notifications false",
        "cleansession false",
        "keepalive_interval 10",
        "restart_timeout 1 10",
    ]
    return "\n".join(lines) + "\n"


def nats_configuration(node: Node, secret: str, tables: Sequence[str]) -> str:
    """Return the configuration of one of a venue's NATS servers; in a cluster everything is kept three times.

    Each table may say what is its own, and hear nothing; the desk may do everything. Without a secret nobody logs in.
    """
    replicas = f", stream_replicas: {min(3, len(node.routes))}" if node.routes else ""
    lines = [
        f"server_name: {node.name}",
        f'listen: "{node.host}:{node.port}"',
        *([_tls(node)] if node.certificate else []),
        f'jetstream {{ store_dir: "{node.folder}" }}',
        f'mqtt {{ host: "{node.host}", port: {node.mqtt_port}{replicas}{_also(_tls(node))} }}',
    ]
    if node.routes:
        login = _login("cluster", secret)
        opens = f"{login.user}:{login.password}@" if secret else ""
        others = ", ".join(f'"nats://{opens}{to}"' for to in node.routes)
        allows = f"authorization {{ {_user(login)} }}, " if secret else ""
        tls = _also(_tls(node, f', ca_file: "{node.certificate}"'))
        lines.append(
            f'cluster {{ name: venue, listen: "{node.host}:{node.cluster_port}", {allows}routes: [{others}]{tls} }}'
        )
    if secret:
        users = [f"    {{ {_user(desk_login(secret))} }}", *(_table(name, secret) for name in tables)]
        lines.append("\n".join(["authorization {", "  users: [", *users, "  ]", "}"]))
    return "\n".join(lines) + "\n"


def _tls(node: Node, trusts: str = "") -> str:
    if node.certificate is None:
        return ""
    return f'tls {{ cert_file: "{node.certificate}", key_file: "{node.key}"{trusts} }}'


def _also(setting: str) -> str:
    return f", {setting}" if setting else ""


def desk_login(secret: str) -> Login:
    """Return what the desk logs in with."""
    return Login("desk", secret) if secret else Login()


def table_login(secret: str, table: str) -> Login:
    """Return what a table logs in with: its name, and a password from which nobody learns the desk's."""
    return _login(f"table-{table}", secret)


def producer_key(secret: str) -> str:
    """Return what opens the producer's page, from which nobody learns the desk's password; empty without one."""
    return _login("producer", secret).password


def players_key(secret: str) -> str:
    """Return what opens the page on which players are renamed and forgotten; empty without a password."""
    return _login("players", secret).password


def _login(user: str, secret: str) -> Login:
    return Login(user, hmac.digest(secret.encode(), user.encode(), "sha256").hex()[:32]) if secret else Login()


def _user(login: Login) -> str:
    user, password = (json.dumps(text, ensure_ascii=False) for text in (login.user, login.password))
    return f"user: {user}, password: {password}"


def _table(table: str, secret: str) -> str:
    subjects = topics.topic(table, topics.VENUE, ">").replace("/", ".")
    allowed = f'permissions: {{ publish: "{subjects}", subscribe: {{ deny: ">" }} }}'
    return f"    {{ {_user(table_login(secret, table))}, {allowed} }}"
