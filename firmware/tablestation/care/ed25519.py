"""Verifies Ed25519 signatures (RFC 8032) with whole numbers alone: MicroPython has neither the curve nor SHA-512.

It is for one signature of a short text now and then. It does not hide how long it takes: nothing here is secret.
"""

_P = (1 << 255) - 19
_ORDER = (1 << 252) + 27742317777372353535851937790883648493
_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_ROOT = 19681161376707505956807079304988542015446066515923890162744021073123829784752  # of -1
_BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)
_MASK64 = (1 << 64) - 1
BLOCK = 128


def verify(key, text, signature):
    """Report whether the 64 bytes of `signature` are those of the 32-byte public `key` under a short text.

    The text may have 47 bytes at most, so that SHA-512 has one block.
    """
    if len(key) != 32 or len(signature) != 64:
        return False
    point, commitment = _decompress(key), _decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or s >= _ORDER:
        return False
    h = int.from_bytes(_sha512(signature[:32] + key + text), "little") % _ORDER
    x, y = point
    # s B - h A = R
    found = _sum_of(s, _extended(*_BASE), h, _extended(_P - x, y))
    fx, fy, fz, _ = found
    rx, ry = commitment
    return (fx - rx * fz) % _P == 0 and (fy - ry * fz) % _P == 0


def _decompress(raw):
    """Return the point (x, y) of 32 bytes, or None if there is none."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * _power(_D * y * y + 1, _P - 2) % _P
    x = _power(square, (_P + 3) // 8)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else _P - x), y


def _power(base, exponent):
    result = 1
    base %= _P
    while exponent:
        if exponent & 1:
            result = result * base % _P
        base = base * base % _P
        exponent >>= 1
    return result


def _extended(x, y):
    return x, y, 1, x * y % _P


def _add(one, two):
    """Add two points in extended coordinates (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = two
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = 2 * t1 * t2 * _D % _P
    d = 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _double(point):
    x, y, z, _ = point
    a, b = x * x % _P, y * y % _P
    h = a + b
    e = h - (x + y) * (x + y) % _P
    g = a - b
    f = 2 * z * z % _P + g
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _sum_of(k, one, m, two):
    """Return k times one point plus m times another, bit by bit together."""
    both = _add(one, two)
    total = 0, 1, 1, 0
    for bit in range(252, -1, -1):
        total = _double(total)
        first, second = k >> bit & 1, m >> bit & 1
        if first or second:
            total = _add(total, both if first and second else one if first else two)
    return total


def _sha512(text):
    """Return the SHA-512 (FIPS 180-4) of up to 111 bytes."""
    if len(text) > BLOCK - 17:
        raise ValueError("{} bytes are more than a block".format(len(text)))
    block = text + b"\x80" + bytes(BLOCK - 17 - len(text)) + (8 * len(text)).to_bytes(16, "big")
    primes = _primes(80)
    state = [_root(prime, 2) for prime in primes[:8]]
    words = [int.from_bytes(block[8 * k : 8 * k + 8], "big") for k in range(16)]
    for k in range(16, 80):
        words.append(
            (words[k - 16] + _small(words[k - 15], 1, 8, 7) + words[k - 7] + _small(words[k - 2], 19, 61, 6)) & _MASK64
        )
    a, b, c, d, e, f, g, h = state
    for k in range(80):
        chosen = (e & f) ^ ((e ^ _MASK64) & g)
        first = h + _large(e, 14, 18, 41) + chosen + _root(primes[k], 3) + words[k]
        second = _large(a, 28, 34, 39) + ((a & b) ^ (a & c) ^ (b & c))
        a, b, c, d, e, f, g, h = (first + second) & _MASK64, a, b, c, (d + first) & _MASK64, e, f, g
    return b"".join([((old + new) & _MASK64).to_bytes(8, "big") for old, new in zip(state, (a, b, c, d, e, f, g, h))])


def _turned(word, n):
    return (word >> n | word << (64 - n)) & _MASK64


def _small(word, one, two, shift):
    return _turned(word, one) ^ _turned(word, two) ^ word >> shift


def _large(word, one, two, three):
    return _turned(word, one) ^ _turned(word, two) ^ _turned(word, three)


def _primes(n):
    found = []
    candidate = 2
    while len(found) < n:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found


def _root(number, degree):
    """Return the first 64 bits behind the point of a root: SHA-512's constants, which need not be kept in flash."""
    scaled = number << (64 * degree)
    low, high = 0, 1 << 70
    while high - low > 1:
        middle = (low + high) >> 1
        if middle**degree <= scaled:
            low = middle
        else:
            high = middle
    return low & _MASK64
