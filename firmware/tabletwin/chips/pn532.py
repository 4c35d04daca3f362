"""PN532 behind SPI, at the level of its frames (NXP UM0701-02, chapters 6 and 7), and the tags in its field.

The chip sends the least significant bit first and masters the most significant, so the model reverses every byte. Its
times are of the order of published measurements; where the manual is silent, the model takes the worse case.
"""

DATA_WRITE, STATUS_READ, DATA_READ = 0x01, 0x02, 0x03
TO_CHIP, TO_HOST = 0xD4, 0xD5
FIRMWARE, PARAMETERS, SAM, POWER_DOWN, RF, LIST, EXCHANGE = 0x02, 0x12, 0x14, 0x16, 0x32, 0x4A, 0x40
AUTOMATIC_RATS = 0x10  # of the parameters: a card that can talk ISO 14443-4 is made to, and its answer listed with it
ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"
SYNTAX_ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
READ_PAGES = 0x30
TIMED_OUT, WRONG_FORMAT, NO_SUCH_TARGET = 0x01, 0x13, 0x27  # states of an exchange
FOREVER = 0xFF  # retries

WAKE_US = 1000  # its oscillator; a byte clocked in earlier is lost
ACK_US = 400
ANSWER_US = 600
FIELD_US = 5000  # a field is on this long before a tag is asked
TRY_US = 5000
EXCHANGE_US = 5000
NO_REPLY_US = 51_200  # fRetryTimeout as it is at power on
_ASLEEP = 0xAA  # what others saw on the wire from a chip that sleeps
_IDLE = 0xFF

TURNED = bytes([sum([(byte >> k & 1) << (7 - k) for k in range(8)]) for byte in range(256)])


def frame(data):
    """Return the information frame around TFI, command and parameters."""
    n = len(data)
    return b"\x00\x00\xff" + bytes([n, -n & 0xFF]) + bytes(data) + bytes([-sum(data) & 0xFF, 0])


class Tag:
    """An ISO 14443A tag with 4, 7 or 10 bytes of UID.

    `pages` have four bytes each, like an NTAG's, or are None. `ats` belongs to a telephone or a bank card and lists
    its features. The tag lies there from `since_us` until `until_us` (None: for ever).
    """

    def __init__(self, uid, pages=b"", since_us=0, until_us=None, ats=b""):
        self.uid = bytes(uid)
        self.pages = bytes(pages)
        self.ats = bytes(ats)
        self.since_us = since_us
        self.until_us = until_us

    def there(self, t_us):
        """Return whether it is in the field."""
        return t_us >= self.since_us and (self.until_us is None or t_us < self.until_us)

    def target(self, number, rats):
        """Return its entry in a list of targets: number, SENS_RES, SEL_RES, UID, and its ATS where asked for."""
        answer = b"\x00\x44" if len(self.uid) > 4 else b"\x00\x04"
        kind = 0x20 if self.ats else 0x00 if len(self.uid) > 4 else 0x08
        ats = bytes([1 + len(self.ats)]) + self.ats if rats and self.ats else b""
        return bytes([number]) + answer + bytes([kind, len(self.uid)]) + self.uid + ats

    def read(self, page):
        """Return four pages from there on, wrapping after the last one, or None if there are none."""
        n = len(self.pages) // 4
        if page >= n:
            return None
        return b"".join([self.pages[4 * (k % n) : 4 * (k % n) + 4] for k in range(page, page + 4)])


class Air:
    """The air that all readers of a table share: two fields at once disturb each other."""

    def __init__(self):
        self.fields = 0
        self.clashes = 0

    def switch(self, on):
        """Switch a field on or off."""
        self.fields += 1 if on else -1
        if self.fields > 1:
            self.clashes += 1


class Pn532:
    """The chip. `tags` are those near its antenna."""

    def __init__(self, clock, air=None):
        self._clock = clock
        self.air = air or Air()
        self.tags = []
        self.silent = False  # no power, or its cable is off
        self.spoil = None  # a function from a frame to what arrives of it
        self.field = False
        self.refused = 0  # frames that were none
        self.commands = []  # the codes of those it was given
        self.power_on()

    def power_on(self):
        """Set the chip to its state after power-on."""
        self._switch_field(False)
        self._asleep = True
        self._woken_us = None
        self._normal = False  # until SAMConfiguration says so
        self.retries = FOREVER
        self._rats = True
        self._mode = None  # what this transfer is
        self._heard = bytearray()
        self._forget()

    def select(self):
        """Take its select line low, which also wakes it."""
        now_us = self._clock.now_us()
        if self._asleep:
            if self._woken_us is None:
                self._woken_us = now_us
            elif now_us - self._woken_us >= WAKE_US:
                self._asleep = False
        self._mode = None
        self._heard = bytearray()

    def deselect(self):
        """Take its select line high: the written bytes count now."""
        if self._mode == DATA_WRITE and not self.silent:
            self._listen(bytes(self._heard))
        elif self._mode == DATA_READ and self._at:
            if self._dozes:
                self._asleep, self._woken_us = True, None
            if self._dozes or self._at >= len(self._out):
                self._dozes, self._out, self._at = False, b"", 0
        self._mode = None

    def exchange(self, byte):
        """Exchange one byte each way."""
        if self.silent:
            return _IDLE
        if self._asleep:
            return _ASLEEP
        byte = TURNED[byte]
        if self._mode is None:
            return self._open(byte)
        if self._mode == STATUS_READ:
            return TURNED[1 if self._ready() else 0]
        if self._mode == DATA_READ:
            return TURNED[self._next()]
        self._heard.append(byte)
        return _IDLE

    def _open(self, byte):
        """Take the first byte, which names the transfer. A frame read in parts continues in this byte (libnfc)."""
        self._mode = byte
        return TURNED[self._next()] if byte == DATA_READ and 0 < self._at < len(self._out) else _IDLE

    def _next(self):
        if not self._ready() or self._at >= len(self._out):
            return 0
        self._at += 1
        return self._out[self._at - 1]

    def _forget(self):
        self._out = b""  # what can be read
        self._at = 0
        self._out_us = 0  # from when on
        self._last = b""
        self._dozes = False
        self._job = None  # (command, parameters): what it works on
        self._listed = []

    def _offer(self, out, after_us):
        self._out = out if self.spoil is None else bytes(self.spoil(out))
        self._at = 0
        self._out_us = self._clock.now_us() + after_us

    def _ready(self):
        if not self._out and self._job is not None:
            self._work()
        return bool(self._out) and self._clock.now_us() >= self._out_us

    def _listen(self, heard):
        start = heard.find(b"\x00\xff")
        body = heard[start + 2 :] if start >= 0 else b""
        if body[:2] == ACK[3:5]:  # the host's way to stop what is going on
            self._job = None
            self._out = b""
        elif body[:2] == NACK[3:5]:
            self._offer(self._last, 0)
        elif len(body) < 2 or body[0] + body[1] & 0xFF or len(body) < body[0] + 3 or sum(body[2 : body[0] + 3]) & 0xFF:
            self.refused += 1
        elif body[2] == TO_CHIP and body[0] >= 2:
            self._begin(body[3], body[4 : 2 + body[0]])
        else:
            self.refused += 1

    def _begin(self, command, parameters):
        self.commands.append(command)
        self._offer(ACK, ACK_US)
        self._job = (command, parameters)
        self._job_us = self._clock.now_us() + ACK_US  # when its next step is due
        self._tries = 0
        if command == LIST and self._normal:
            if not self.field:
                self._switch_field(True)
                self._job_us += FIELD_US
            self._job_us += TRY_US
        elif command == EXCHANGE:
            self._job_us += EXCHANGE_US
        else:
            self._job_us += ANSWER_US

    def _work(self):
        """Continue the job, step by step, as far as the time allows."""
        while self._job is not None and self._clock.now_us() >= self._job_us:
            command, parameters = self._job
            answer = self._answer(command, parameters)
            if answer is None:
                continue
            self._job = None
            self._last = SYNTAX_ERROR if answer == SYNTAX_ERROR else frame(bytes([TO_HOST, command + 1]) + answer)
            self._offer(self._last, 0)
            self._dozes = command == POWER_DOWN and answer == b"\x00"  # as soon as that has been read

    def _answer(self, command, parameters):
        """Return the bytes after TFI and code, or None while the command is running."""
        if command == FIRMWARE:
            return b"\x32\x01\x06\x07"
        if command == SAM and len(parameters) >= 2:
            self._normal = parameters[0] == 0x01
            return b""
        if command == PARAMETERS and len(parameters) == 1:
            self._rats = bool(parameters[0] & AUTOMATIC_RATS)
            return b""
        if command == POWER_DOWN and parameters:
            self._switch_field(False)
            return b"\x00"
        if command == RF and len(parameters) >= 2:
            return self._configure(parameters[0], parameters[1:])
        if command == LIST and len(parameters) == 2 and self._normal:
            return self._list(parameters[0])
        if command == EXCHANGE and len(parameters) >= 2 and self._normal:
            return self._exchange(parameters[0], parameters[1:])
        return SYNTAX_ERROR

    def _configure(self, item, data):
        if item == 0x01:
            self._switch_field(bool(data[0] & 1))
        elif item == 0x05 and len(data) == 3:
            self.retries = data[2]
        elif item != 0x02:
            return SYNTAX_ERROR
        return b""

    def _list(self, most):
        """Try once to list tags: they answer unless another field disturbs them."""
        seen = [] if self.air.fields > 1 else [tag for tag in self.tags if tag.there(self._job_us)]
        if seen:
            self._listed = sorted(seen, key=lambda tag: tag.uid)[: min(most, 2)]
            targets = [self._listed[k].target(k + 1, self._rats) for k in range(len(self._listed))]
            return bytes([len(targets)]) + b"".join(targets)
        self._listed = []
        self._tries += 1
        if self.retries != FOREVER and self._tries > self.retries:
            return b"\x00"
        self._job_us += TRY_US
        return None

    def _exchange(self, number, data):
        if not 1 <= number <= len(self._listed):
            return bytes([NO_SUCH_TARGET])
        tag = self._listed[number - 1]
        if tag not in self.tags or not tag.there(self._job_us):
            if self._tries == 0:  # it waits for an answer that does not come
                self._tries = 1
                self._job_us += NO_REPLY_US
                return None
            self._listed = []
            return bytes([TIMED_OUT])
        pages = tag.read(data[1]) if data[0] == READ_PAGES and len(data) == 2 else None
        return bytes([WRONG_FORMAT]) if pages is None else b"\x00" + pages

    def _switch_field(self, on):
        if on != self.field:
            self.field = on
            self.air.switch(on)
        if not on:
            self._listed = []
