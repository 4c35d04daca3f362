"""Boards: what differs between the machines a station runs on. The only place, with `links/`, that names a platform."""
