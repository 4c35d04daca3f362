"""TLS to a broker: a board trusts the certificate that it was given by USB, and nothing else.

`tls.json` holds that certificate (DER, in base64), and the time at which it was put there. A board has no clock when it
starts, and MicroPython refuses a certificate that begins in the future: so its clock starts at that time. A board with
this file speaks to no broker without TLS.
"""

import asyncio
import json
from binascii import a2b_base64

TLS = "tls.json"
_ECONNRESET = 104


class Secured:
    """Wraps connections in TLS. `ssl` is the module, `certificate` the bytes of what the broker has to show, or of what
    has signed that."""

    def __init__(self, ssl, certificate):
        self._context = context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.verify_mode = ssl.CERT_REQUIRED  # MicroPython's own default verifies nothing
        context.load_verify_locations(cadata=certificate)

    def wrapped(self, stream, host):
        """Return a stream over the connection of `stream`; the handshake comes with the first bytes."""
        return asyncio.StreamReader(
            self._context.wrap_socket(stream.s, server_hostname=host, do_handshake_on_connect=False)
        )

    def refusal(self, error, host):
        """Return in a sentence what went wrong before the broker's first answer."""
        if isinstance(error, ValueError):
            return "the broker's certificate is not the one for {} that this board trusts: {}: flash it again".format(
                host, str(error).strip()
            )
        if _is_nobody(error):
            return str(error)
        return "no TLS with the broker: {}: is its listener one for TLS?".format(error)


class Open:
    """Leaves connections as they are."""

    def wrapped(self, stream, _host):
        """Return the stream."""
        return stream

    def refusal(self, error, _host):
        """Return in a sentence what went wrong before the broker's first answer."""
        return str(error) if _is_nobody(error) else "{}: does its listener ask for TLS?".format(error)


def pinned(files):
    """Return (certificate, time) of `tls.json`, the time as `machine.RTC` takes it; None if this board has no
    certificate. Raise ValueError if the file makes no sense: without TLS the board's password would be in the air."""
    try:
        told = json.loads(files.read(TLS) or b"{}")
        return (a2b_base64(told["certificate"].encode()), tuple(told["time"])) if told else None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError("{} is damaged: flash this board again with --certificate".format(TLS)) from None


def _is_nobody(error):
    """Report whether nobody answered at all: neither an end of the stream nor a number of the TLS library."""
    return isinstance(error, OSError) and bool(error.args) and 0 < error.args[0] != _ECONNRESET
