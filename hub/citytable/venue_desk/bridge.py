"""Configuration of the brokers: a table's mosquitto, which bridges to the venue, and the venue's NATS servers."""

import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from tablewire import topics


class Login(msgspec.Struct, frozen=True):
    """Name what tables and the desk log in with; no user: nobody logs in."""

    user: str = ""
    password: str = ""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """Describe one NATS server: `routes` are host:port of all nodes of its cluster, none for a server alone.

    `port` is that of NATS' own programs, `mqtt_port` that of tables and desk, `cluster_port` that of the other nodes.
    """

    folder: Path
    host: str
    port: int
    mqtt_port: int
    name: str = "venue"
    cluster_port: int = 0
    routes: tuple[str, ...] = ()


def bridge_configuration(table: str, brokers: Sequence[str], login: Login) -> str:
    """Return lines for a table's mosquitto: its reports go to the venue's broker, of several the first that answers.

    `brokers` are host:port. Nothing comes back. Results have QoS 1 and are retained: the bridge sends them at each
    connection, those of a time without one as well.
    """
    logs_in = [f"remote_username {login.user}", f"remote_password {login.password}"] if login.user else []
    lines = [
        f"connection venue-{table}",
        f"addresses {' '.join(brokers)}",
        f"remote_clientid citytable-{table}",
        *logs_in,
        f"topic {topics.topic(table, topics.VENUE, '#')} out 1",
        "bridge_protocol_version mqttv311",
        "try_private false",  # a flag of mosquitto's own, which NATS refuses
        "notifications false",
        "cleansession false",
        "keepalive_interval 10",
        "restart_timeout 1 10",
    ]
    return "\n".join(lines) + "\n"


def nats_configuration(node: Node, login: Login) -> str:
    """Return the configuration of one of a venue's NATS servers; in a cluster everything is kept three times."""
    replicas = f", stream_replicas: {min(3, len(node.routes))}" if node.routes else ""
    lines = [
        f"server_name: {node.name}",
        f'listen: "{node.host}:{node.port}"',
        f'jetstream {{ store_dir: "{node.folder}" }}',
        f'mqtt {{ host: "{node.host}", port: {node.mqtt_port}{replicas} }}',
    ]
    user = f"user: {json.dumps(login.user)}, password: {json.dumps(login.password)}"
    if node.routes:
        opens = f"{quote(login.user, safe='')}:{quote(login.password, safe='')}@" if login.user else ""
        others = ", ".join(f'"nats://{opens}{to}"' for to in node.routes)
        allows = f"authorization {{ {user} }}, " if login.user else ""
        lines.append(
            f'cluster {{ name: venue, listen: "{node.host}:{node.cluster_port}", {allows}routes: [{others}] }}'
        )
    if login.user:
        lines.append(f"authorization {{ {user} }}")
    return "\n".join(lines) + "\n"
