"""Read the certificate that a board is to trust, and refuse one with which it could never reach its broker.

The board gets it with the time of the flash, at which its clock begins at every start (docs/decisions/0065).
"""

from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

_PEM = b"-----BEGIN"


class NoCertificate(RuntimeError):
    """A file is not a certificate for this broker; the text says why and what to do."""


class Pinned(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold the content of a board's `tls.json`: the certificate, and the time for MicroPython's `machine.RTC`."""

    certificate: str = ""
    time: tuple[int, ...] = ()


def pinned(path: Path, host: str, now: datetime) -> Pinned:
    """Return a certificate for a board that reaches its broker at `host` (empty: it knows); raise `NoCertificate`."""
    found = _certificate(path)
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc:
        lasts = f"from {found.not_valid_before_utc:%Y-%m-%d %H:%M} to {found.not_valid_after_utc:%Y-%m-%d}"
        raise NoCertificate(
            f"{path} is valid {lasts}, and not now: check this computer's clock, or make another "
            "certificate with hub/deploy/certificate.sh"
        )
    names = _names(found)
    if host and host not in names and not _is_authority(found):
        raise NoCertificate(
            f"{path} is not for {host}, but for {', '.join(names) or 'no address'}: make one with "
            f"hub/deploy/certificate.sh FOLDER {host}, and give it to the hub, too"
        )
    utc = now.astimezone(UTC)
    time = (utc.year, utc.month, utc.day, utc.weekday(), utc.hour, utc.minute, utc.second, 0)
    return Pinned(b64encode(found.public_bytes(Encoding.DER)).decode("ascii"), time)


def _certificate(path: Path) -> x509.Certificate:
    try:
        content = path.read_bytes()
        return x509.load_pem_x509_certificate(content) if _PEM in content else x509.load_der_x509_certificate(content)
    except (OSError, ValueError) as error:
        raise NoCertificate(
            f"{path} cannot be read as a certificate ({error}): hub/deploy/certificate.sh makes one"
        ) from error


def _names(certificate: x509.Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))]


def _is_authority(certificate: x509.Certificate) -> bool:
    """Report whether this is a certificate that signs others and names no address itself."""
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    except x509.ExtensionNotFound:
        return False
    return constraints.ca and not _names(certificate)
