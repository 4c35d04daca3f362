"""Configuration of the brokers: a table's mosquitto, which bridges to the venue, and the venue's NATS server."""

from pathlib import Path

from tablewire import topics


def bridge_configuration(table: str, host: str, port: int, user: str = "", password: str = "") -> str:
    """Return lines for a table's mosquitto: its reports go to the venue's broker, and nothing comes back.

    Results have QoS 1 and are retained: the bridge sends them at each connection, those of a time without one as well.
    """
    login = [f"remote_username {user}", f"remote_password {password}"] if user else []
    lines = [
        f"connection venue-{table}",
        f"address {host}:{port}",
        f"remote_clientid citytable-{table}",
        *login,
        f"topic {topics.topic(table, topics.VENUE, '#')} out 1",
        "bridge_protocol_version mqttv311",
        "try_private false",  # a flag of mosquitto's own, which NATS refuses
        "notifications false",
        "cleansession false",
        "keepalive_interval 10",
        "restart_timeout 1 10",
    ]
    return "\n".join(lines) + "\n"


def nats_configuration(folder: Path, host: str, port: int, mqtt_port: int, login: tuple[str, str] | None) -> str:
    """Return the configuration of a venue's NATS server; `login` is what tables and the desk log in with."""
    lines = [
        "server_name: venue",
        f'listen: "{host}:{port}"',
        f'jetstream {{ store_dir: "{folder}" }}',
        f'mqtt {{ host: "{host}", port: {mqtt_port} }}',
    ]
    if login is not None:
        lines.append(f'authorization {{ user: "{login[0]}", password: "{login[1]}" }}')
    return "\n".join(lines) + "\n"
