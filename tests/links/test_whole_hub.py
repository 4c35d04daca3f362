"""The hub as it is started, with a station of a network that logs in and one on a cable."""

import pytest

from citytable.hub import running_hub
from citytable.link.credentials import Credentials
from citytable.settings import Settings
from tablestation.links.mqtt import Account, MqttLink
from tablestation.links.serial import SerialLink

pytestmark = pytest.mark.broker


async def test_a_hub_hears_wired_stations_and_stations_of_a_network(
    tmp_path, free_port, network, port_and_bench, desk, until
):
    settings = Settings(
        twin=False,
        speed=1.0,
        table="demo",
        listen=f"127.0.0.1:{free_port}",
        broker_dir=tmp_path / "broker",
        serial=desk.pattern,
    )
    port, bench_of = port_and_bench(4711)
    other_port, other_bench_of = port_and_bench(4712)
    async with running_hub(settings) as hub:
        Credentials(tmp_path / "broker", "demo").add("seat-1", "secret")
        Credentials(tmp_path / "broker", "demo").reload()
        account = Account("demo", "seat-1", "127.0.0.1", free_port, "seat-1", "secret")
        bench_of(MqttLink(account, network, port.random30)).start()
        plug = desk.plug_in()
        other_bench_of(SerialLink("demo", "park", plug, plug)).start()
        await until(lambda: {one.station for one in hub.session.view().health if one.online} == {"seat-1", "park"})
        await port.stop()
        await other_port.stop()
