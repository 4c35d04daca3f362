"""Whose bundles a board takes: its owner's, signed, and none that is older than what ran."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from citytable.doctor.bundle import Bundle
from citytable.doctor.signing import KEY_FILE, NoKey, SigningKey, kept_or_new_key
from tablestation.care import ed25519
from tablestation.care.store import Files
from tablestation.care.trust import Trust
from tabletwin.flash import Flash

BUNDLE = Bundle(b"citytable-bundle 1 1 0.2.0 0\n", 1, "0.2.0", 0)


@pytest.fixture
def files():
    flash = Flash()
    return Files(flash, flash.open)


@pytest.fixture
def key(tmp_path, files):
    """The owner's key, whose public half lies on the board."""
    key = kept_or_new_key(tmp_path)
    files.write("keys.json", json.dumps([key.public_hex]).encode())
    return key


def offer(seal, bundle=BUNDLE):
    return {"bundle": bundle.name, "serial": seal.serial, "signature": seal.signature}


@given(st.binary(max_size=47), st.integers(0, 255), st.integers(0, 511))
def test_signatures_are_judged_as_the_library_judges_them(text, seed, changed):
    secret = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    public, signature = secret.public_key().public_bytes_raw(), bytearray(secret.sign(text))
    assert ed25519.verify(public, text, bytes(signature))
    signature[changed // 8] ^= 1 << changed % 8
    assert not ed25519.verify(public, text, bytes(signature))


@pytest.mark.parametrize("raw", [b"", bytes(31), b"\xff" * 32, (2).to_bytes(32, "little")])
def test_a_key_that_is_no_point_verifies_nothing(raw):
    assert not ed25519.verify(raw, b"", bytes(64))


def test_a_bundle_of_the_owner_is_taken(files, key):
    assert Trust(files).objection(offer(key.seal(BUNDLE))) == ""


def test_a_bundle_with_another_name_or_serial_number_is_refused(files, key):
    seal = key.seal(BUNDLE, serial=5)
    other = offer(seal) | {"bundle": "ab" * 32}
    assert "does not trust" in Trust(files).objection(other)
    assert "does not trust" in Trust(files).objection(offer(seal) | {"serial": 6})


def test_without_a_signature_or_a_key_nothing_is_taken(files, key):
    assert "it is not signed" in Trust(files).objection({"bundle": BUNDLE.name})
    for text in (b"", b"{}", b"[1]", b'["xyz"]', b"null"):
        files.write("keys.json", text)
        assert "no key to trust" in Trust(files).objection(offer(key.seal(BUNDLE)))


def test_what_is_older_than_a_good_program_is_refused_and_the_same_again_is_not(files, key):
    trust = Trust(files)
    trust.prove(100)
    trust.prove(50)
    assert "99 comes before 100" in Trust(files).objection(offer(key.seal(BUNDLE, serial=99)))
    assert Trust(files).objection(offer(key.seal(BUNDLE, serial=100))) == ""


def test_a_second_key_is_trusted_while_keys_are_changed_and_a_third_is_not(files, key, tmp_path):
    others = [kept_or_new_key(tmp_path / name) for name in "ab"]
    files.write("keys.json", json.dumps([key.public_hex, *(one.public_hex for one in others)]).encode())
    assert Trust(files).objection(offer(others[0].seal(BUNDLE))) == ""
    assert "does not trust" in Trust(files).objection(offer(others[1].seal(BUNDLE)))


def test_an_offer_that_is_repeated_is_verified_once(files, key, monkeypatch):
    trust, message = Trust(files), offer(key.seal(BUNDLE))
    assert trust.objection(message) == ""
    monkeypatch.setattr("tablestation.care.trust.verify", None)
    assert trust.objection(message) == ""


def test_the_key_is_kept_for_its_owner_alone(tmp_path):
    key = kept_or_new_key(tmp_path / "new")
    path = tmp_path / "new" / KEY_FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert kept_or_new_key(tmp_path / "new").public_hex == SigningKey(tmp_path / "new").public_hex == key.public_hex


def test_a_missing_or_damaged_key_is_told_with_what_to_do(tmp_path):
    with pytest.raises(NoKey, match="flash the board by USB on this computer"):
        SigningKey(tmp_path)
    (tmp_path / KEY_FILE).write_text("not a key")
    with pytest.raises(NoKey, match="restore it from your backup"):
        kept_or_new_key(tmp_path)
