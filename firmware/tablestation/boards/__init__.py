"""Boards: the differences between the machines a station runs on. Only this folder and `links/` name a platform."""
