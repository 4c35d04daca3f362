"""Connect the hub to its stations: broker, MQTT, clocks, and an inbox that puts all messages in order. Uses asyncio."""
