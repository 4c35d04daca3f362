"""The hands of a person who plays Comeback City: they bring cards and put them away, as all hands do."""
