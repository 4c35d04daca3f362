"""Signatures of bundles are verified on the boards' interpreter, in a time that a board can spare."""

import json

import pytest

pytestmark = pytest.mark.long(7)

# key, text and signature, made by the library `cryptography` 42.0.5 from three fixed seeds
MADE_BY_OTHERS = (
    (
        "8ebb23163d8fa9ba8d8d35b83c9f8ecc2403e5b5c0c5811e634c1f0fd20a8b18",
        "63746231000000000135290463a0cd1667ad64e327c7c52e0919e8cea7083ea923e58df30f45caa6baf2b2d0",
        (
            "182c82b7f24eec04ff478a6f73f358b198349a848e7f87d22770a8711ad0c2c1"
            "577903829bd391be8ea49172a3dcf71655d63d0945cf4385de4e6a6f4abf7208"
        ),
    ),
    (
        "0e2835a06c39b10bfe176d54fb86c93460fa47150825eaf2e7674b62965c3d1b",
        "6374623100000000013529055d2475af8b9ca9066115181a8923c8f65cc08a8824924d8657be31fe01be5900",
        (
            "4c69d125bd9226da8341b741f52504300c9eeee62a6df2fd56b5ca50e61b4a55"
            "6a53b588a33d278e15e28172bf32d1095d1e7e8b3f6b10f86b8438248e467204"
        ),
    ),
    (
        "ae6c20dbd0d98cbb7444c138aa8f8fd486b3bf72cb31c4d10312275bdca44415",
        "6374623100000000013529067545ef72e70af6b7d77f5a82182930dc11ce4d0e4d61fec997abd8520b3d8081",
        (
            "97be7982531d3edf029bbbb25e8fa3b5d425fb82a3c57d158557d2b3f09d0cdd"
            "176a37b3e275e71c5cd2890426c6a18ab0190cbae5c8201a0555addcf5981209"
        ),
    ),
)
VERIFIED = """
import json, host_heap
from binascii import unhexlify
from tablestation.care.ed25519 import verify
given = [unhexlify(text) for text in json.loads('''{}''')]
began = host_heap.wall_us()
answer = verify(*given)
took = host_heap.wall_us() - began
began = host_heap.wall_us()
for _ in range(100_000):
    pass
print(json.dumps({{"answer": answer, "rounds": took * 100_000 // (host_heap.wall_us() - began)}}))
"""


def _told(vm, given):
    return vm.run(VERIFIED.format(json.dumps(given))).told[-1]


@pytest.mark.parametrize("made", MADE_BY_OTHERS)
def test_a_signature_made_by_others_is_accepted(vm, made):
    told = _told(vm, made)
    assert told["answer"] is True
    print(f"as long as {told['rounds']} rounds of an empty loop")


@pytest.mark.parametrize("part", [0, 1, 2])
@pytest.mark.parametrize("at", [0, 31, -1])
def test_one_changed_bit_is_refused(vms, part, at):
    changed = [bytearray.fromhex(text) for text in MADE_BY_OTHERS[0]]
    changed[part][at] ^= 1
    assert _told(vms[at > 0], [bytes(one).hex() for one in changed])["answer"] is False


def test_a_signature_whose_number_is_too_large_is_refused(vms):
    """RFC 8032, 5.1.7: or the same signature would have a second form."""
    order = (1 << 252) + 27742317777372353535851937790883648493
    key, text, made = MADE_BY_OTHERS[0]
    raw = bytes.fromhex(made)
    again = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
    assert _told(vms[0], [key, text, again.hex()])["answer"] is False
