"""The wire in and out: broker, MQTT, stations, clocks, the inbox that puts all in order. asyncio lives here."""
