"""The stream: a spot's samples as JSON lines in, what the detector makes of each as JSON lines out.

The first line is `{"type":"start","cal":{...}}` with the fields of `calibration.Cal` and gets no answer. Every line
after it is a sample, `{"t_us":..., "counts":[...], "tof_mm":...}`, and is answered by exactly one line, a list of
events. A cell without a reading is null or left out at the end; `tof_mm` is null or absent where no new range has come,
and -1 where it is invalid. A new frame of eight by eight ranges comes as `zones`, 64 numbers row by row. A line that is
no sample is answered by a fault that says why, and changes nothing else.
"""

from typing import Literal

import msgspec

from citytable.sensing.calibration import Cal
from citytable.sensing.event import Event
from citytable.sensing.spot_detector import detector

SHOWN = 80  # of a bad line, in the sentence about it


class BadStart(ValueError):
    """The first line starts no stream: the text says what was seen and what is needed."""


class _Start(msgspec.Struct):
    type: Literal["start"]
    cal: Cal


class _Sample(msgspec.Struct):
    t_us: int
    counts: list[int | None]
    tof_mm: int | None = None
    zones: list[int] | None = None


class Stream:
    """One spot's detector behind its lines."""

    def __init__(self, first: bytes) -> None:
        try:
            cal = msgspec.json.decode(first, type=_Start, strict=False).cal
        except msgspec.DecodeError as error:
            raise BadStart(
                f'the first line is {_shown(first)}: {error}: begin with {{"type":"start","cal":{{...}}}}'
            ) from error
        self._cells = len(cal.counts_per_g)
        self._detector = detector(cal)
        self._samples = msgspec.json.Decoder(_Sample, strict=False)
        self._answers = msgspec.json.Encoder()
        self._t_us = 0

    def answer(self, line: bytes) -> bytes:
        """The line that answers this one, without its end."""
        try:
            sample = self._samples.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return self._refuse(line, str(error))
        if not 0 < len(sample.counts) <= self._cells:
            return self._refuse(line, f"{len(sample.counts)} counts of a spot with {self._cells} cells")
        self._t_us = sample.t_us
        return self._answers.encode(self._detector.update(sample.t_us, sample.counts, sample.tof_mm, sample.zones))

    def _refuse(self, line: bytes, why: str) -> bytes:
        what = f'no sample: {_shown(line)}: {why}: send {{"t_us":...,"counts":[...],"tof_mm":...}}'
        return self._answers.encode([Event(kind="fault", t_us=self._t_us, what=what)])


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
