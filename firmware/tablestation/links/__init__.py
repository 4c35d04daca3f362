"""The links of a station to its hub: the same messages over MQTT (`mqtt`) and over USB (`serial`)."""
