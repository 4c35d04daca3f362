"""The ways a station reaches its hub: the same messages over MQTT (`mqtt`) and over USB (`serial`)."""
