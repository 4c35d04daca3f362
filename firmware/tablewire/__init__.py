"""The wire: messages, topics and versions shared by stations and hub.

Written for MicroPython: no dataclasses, no typing, no enum. It imports nothing of ours and must stay tiny.
"""
