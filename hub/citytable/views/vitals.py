"""Vital signs of the hub, for a supervisor that asks whether it is well, and for Prometheus."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import msgspec
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from citytable.table.health import Health
from citytable.views.state import Trouble

IDLE_MAX_S = 30.0
"""Rounds of the session come every second at least; one that takes so long is stuck. In hub time."""
IO_FILE = Path("/proc/self/io")


class Vitals(msgspec.Struct, frozen=True):
    """The signs of one moment. Counts are since the start of the hub."""

    table: str
    idle_s: float  # since the session last began a round, in hub time
    troubles: tuple[Trouble, ...]
    discarded: int  # messages that arrived while the hub was too far behind
    unsent: int  # messages that no broker took
    now_us: int  # hub time
    stations: tuple[Health, ...]
    backup_failed: bool = False  # the last one after a game

    @property
    def stuck(self) -> bool:
        """Return whether the hub stands still without a known reason: only a restart can help then."""
        return self.idle_s > IDLE_MAX_S and not self.troubles

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what is wrong, in words of the feed; empty if all is well."""
        return (*self.troubles, "stuck") if self.stuck else self.troubles


class _Signs(Collector):
    def __init__(self, vitals: Vitals, readers: int) -> None:
        self._vitals = vitals
        self._readers = readers

    def collect(self) -> Iterator[Metric]:
        vitals = self._vitals
        yield InfoMetricFamily(
            "citytable", "The hub and its table.", {"version": version("citytable"), "table": vitals.table}
        )
        yield GaugeMetricFamily("citytable_idle_seconds", "Since the last round of the session.", vitals.idle_s)
        trouble = GaugeMetricFamily("citytable_trouble", "1 while it lasts.", labels=["kind"])
        for kind in ("broker", "journal", "stuck"):
            trouble.add_metric([kind], kind in vitals.wrong)
        yield trouble
        yield GaugeMetricFamily(
            "citytable_backup_failed", "1 if the last backup after a game could not be made.", vitals.backup_failed
        )
        yield CounterMetricFamily("citytable_messages_discarded", "Came while the hub was behind.", vitals.discarded)
        yield CounterMetricFamily("citytable_messages_unsent", "No broker took them.", vitals.unsent)
        yield GaugeMetricFamily("citytable_readers", "Screens and programs that read the feed.", self._readers)
        yield from _of_stations(vitals.stations, vitals.now_us)
        yield from _written()


def _of_stations(stations: Iterable[Health], now_us: int) -> Iterator[Metric]:
    online = GaugeMetricFamily("citytable_station_online", "1 while it is heard.", labels=["station"])
    silent = GaugeMetricFamily("citytable_station_silent_seconds", "Since it was heard.", labels=["station"])
    faults = GaugeMetricFamily("citytable_station_faults", "What is wrong with it now.", labels=["station"])
    samples = CounterMetricFamily("citytable_station_samples_lost", "Samples that never came.", labels=["station"])
    events = CounterMetricFamily("citytable_station_events_lost", "Events that never came.", labels=["station"])
    for one in stations:
        name = [one.station]
        online.add_metric(name, one.online)
        silent.add_metric(name, max(0, now_us - one.last_seen_us) / 1e6)
        faults.add_metric(name, len(one.faults))
        samples.add_metric(name, one.samples_lost)
        events.add_metric(name, one.events_lost)
    yield from (online, silent, faults, samples, events)


def _written() -> Iterator[Metric]:
    """Yield the bytes that this process had written to disks, as Linux counts them (proc_pid_io(5))."""
    try:
        lines = IO_FILE.read_text("ascii").splitlines()
    except OSError:
        return
    written = dict(line.split(": ") for line in lines)["write_bytes"]
    yield CounterMetricFamily("citytable_written_bytes", "Bytes sent to disks.", int(written))


def exposition(vitals: Vitals, readers: int) -> bytes:
    """Return the vital signs in Prometheus' text format, with memory, files and time of the process."""
    registry = CollectorRegistry()
    registry.register(_Signs(vitals, readers))
    ProcessCollector(registry=registry)
    return generate_latest(registry)
