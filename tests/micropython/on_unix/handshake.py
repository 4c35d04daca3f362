"""What a connection to a broker takes with TLS and without, on MicroPython's unix port.

    micropython handshake.py FIRMWARE CERTIFICATE PLAIN_PORT TLS_PORT PASSWORD

Every connection stays open. This port gives the TLS library memory of the system, outside of MicroPython's heap: the
end of it moves up when there is none left. So the first connection shows the most that a handshake takes, and the mean
of the later ones what a connection keeps, because they find what the handshakes before them gave back.
"""

import errno
import gc
import json
import socket
import ssl
import sys
import time

HOST = "127.0.0.1"
CONNECTIONS = 24
ROUNDS, TRIES = 20_000, 50
_IPPROTO_TCP, _TCP_NODELAY = 6, 1
_KEPT = []


def system_bytes():
    """Return how much memory the system has given to libraries in C."""
    with open("/proc/self/maps") as file:
        for line in file:
            if line.rstrip().endswith("[heap]"):
                first, last = line.split(" ")[0].split("-")
                return int(last, 16) - int(first, 16)
    return 0


def empty_loop_us():
    """Return how long a round of an empty loop takes."""
    took = []
    for _ in range(TRIES):
        began = time.ticks_us()
        for _ in range(ROUNDS):
            pass
        took.append(time.ticks_diff(time.ticks_us(), began))
    return min(took) / ROUNDS


def connect(port, context, greeting):
    """Return (how long until the broker has answered, the longest that one call held the program up), in us."""
    began = time.ticks_us()
    sock = stream = socket.socket()
    sock.connect(socket.getaddrinfo(HOST, port)[0][-1])
    sock.setsockopt(_IPPROTO_TCP, _TCP_NODELAY, 1)  # as the link does it
    if context:
        sock.setblocking(False)
        stream = context.wrap_socket(sock, server_hostname=HOST, do_handshake_on_connect=False)
    longest = max(_until(lambda: stream.write(greeting)), _until(lambda: stream.read(4)))
    took = time.ticks_diff(time.ticks_us(), began)
    _KEPT.append((sock, stream))
    return took, longest


def _until(attempt):
    """Try until it succeeds; return how long the longest try took."""
    longest = 0
    while True:
        began = time.ticks_us()
        try:
            done = attempt()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINPROGRESS):
                raise
            done = None
        longest = max(longest, time.ticks_diff(time.ticks_us(), began))
        if done:
            return longest


def series(port, context, greeting):
    """Open many connections, one after another; return what they took."""
    gc.collect()
    heap, ends, took, calls = [gc.mem_alloc()], [system_bytes()], [], []
    for _ in range(CONNECTIONS):
        us, longest = connect(port, context, greeting)
        took.append(us)
        calls.append(longest)
        gc.collect()
        heap.append(gc.mem_alloc())
        ends.append(system_bytes())
    return {
        "us": min(took),
        "longest_call_us": min(calls),
        "heap_bytes": (heap[-1] - heap[1]) // (CONNECTIONS - 1),
        "peak_bytes": ends[1] - ends[0],
        "kept_bytes": (ends[-1] - ends[1]) // (CONNECTIONS - 1),
    }


def main(firmware, certificate, plain_port, tls_port, password):
    """Measure and print one JSON line."""
    sys.path.append(firmware)
    from tablestation.links import packets

    greeting = packets.connect("e661640843123456", 15, "new", password)
    told = {"empty_us": empty_loop_us(), "plain": series(int(plain_port), None, greeting)}
    with open(certificate, "rb") as file:
        trusted = file.read()
    contexts, taken = [], []
    for _ in range(CONNECTIONS):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=trusted)
        contexts.append(context)
        gc.collect()
        taken.append(gc.mem_alloc() + system_bytes())
    told["context_bytes"] = (taken[-1] - taken[0]) // (CONNECTIONS - 1)
    told["tls"] = series(int(tls_port), context, greeting)
    print(json.dumps(told))


main(*sys.argv[1:])
