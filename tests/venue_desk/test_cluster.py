"""Three nodes carry the venue's broker; one of them is killed, and no result is lost."""

import asyncio
import subprocess

import msgspec
import pytest

from citytable.link.broker import Broker, external_broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.venue.messages import GameResult, game_channel
from citytable.venue_desk.bridge import Node, nats_configuration
from citytable.venue_desk.desk import hearing
from citytable.venue_desk.hearing import Hearing
from tablewire import topics

pytestmark = [pytest.mark.nats, pytest.mark.postgresql, pytest.mark.soak]


@pytest.fixture
def certificate(request, tmp_path, root):
    """Make the certificate of all nodes, or none."""
    if not request.param:
        return None
    command = ["sh", str(root / "hub/deploy/certificate.sh"), str(tmp_path / "tls"), "127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path / "tls/citytable.crt"


@pytest.fixture
def cluster(tmp_path, new_port, serve, secret, certificate):
    """Start three nodes as `citytable venue broker --cluster` says."""
    ports = [(new_port(), new_port(), new_port()) for _ in range(3)]
    routes = tuple(f"127.0.0.1:{own}" for _, _, own in ports)
    nodes = []
    for k, (port, mqtt_port, own) in enumerate(ports):
        folder, config = tmp_path / f"node-{k}", tmp_path / f"node-{k}.conf"
        node = Node(
            folder=folder,
            host="127.0.0.1",
            port=port,
            mqtt_port=mqtt_port,
            name=f"venue-{k}",
            cluster_port=own,
            routes=routes,
            certificate=certificate,
            key=None if certificate is None else certificate.with_suffix(".key"),
        )
        config.write_text(nats_configuration(node, secret, ["north"]))
        nodes.append(serve(mqtt_port, "nats-server", "--config", str(config)))
    return nodes


async def _repeat(mqtt, table, game):
    """Say a result again and again, as a hub does; only more often."""
    payload = msgspec.json.encode(GameResult(game, "megacity", 1, (5, 3), ("", "")))
    while True:
        await mqtt.publish(Publication(topics.topic(table, topics.VENUE, game_channel(game)), payload, 1, retain=True))
        await asyncio.sleep(0.5)


@pytest.mark.usefixtures("caplog")
@pytest.mark.parametrize(("killed", "certificate"), [(0, False), (1, True), (2, False)], indirect=["certificate"])
async def test_one_of_three_nodes_is_killed_and_results_still_arrive(
    store, cluster, certificate, table_broker, killed, secret
):
    heard, came = {}, asyncio.Event()

    async def keep(report):
        await store.report(report)
        heard[report.game] = report
        came.set()

    async def until(*games):
        async with asyncio.timeout(120):
            while not heard.keys() >= set(games):
                await came.wait()
                came.clear()

    brokers = [external_broker(f"127.0.0.1:{node.port}", "desk", secret, certificate) for node in cluster]
    table = table_broker("north", *(node.port for node in cluster), certificate=certificate)
    async with (
        MqttConnection(Broker("127.0.0.1", table.port, "external"), (), lambda: 0) as local,
        hearing(Hearing(keep), brokers),
    ):
        saying = [asyncio.create_task(_repeat(local, "north", "n1"))]
        await until("n1")
        cluster[killed].kill()
        saying += [asyncio.create_task(_repeat(local, "north", game)) for game in ("n2", "n3")]
        await until("n2", "n3")
        for task in saying:
            task.cancel()
