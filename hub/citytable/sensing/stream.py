"""The stream: read a spot's samples as lines of JSON, and answer each with a line of the detector's events.

The first line is `{"type":"start","cal":{...}}` with the fields of `calibration.Cal` and gets no answer. Every line
after it is a sample, `{"t_us":..., "counts":[...], "tof_mm":...}`, and is answered by exactly one line, a list of
events. A cell without a reading is null or left out at the end; `tof_mm` is null or absent where no new range has come,
and -1 if it is invalid; NaN counts as null. A new frame of eight by eight ranges comes as `zones`, 64 numbers row by
row. If the spot has an accelerometer, every line has its peak since the last one as `knock_mg`. If the sender knows
whether a load on a spot beside this one moves, every line says so as `beside_moves`. Numbers that are not whole are
rounded. A line that is not a sample is answered by a fault that gives the reason, and changes nothing else; if only
the fields beside its counts cannot be read, its counts are used all the same.
"""

import json
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from citytable.sensing.calibration import cal_of
from citytable.sensing.event import Event
from citytable.sensing.spot_detector import detector

SHOWN = 80  # of a bad line, in the sentence about it
MOST = 2**53  # beyond it numbers are none that a sensor tells
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
_Broken: TypeAlias = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]
Number: TypeAlias = _Whole | _Broken


class BadStart(ValueError):
    """The first line starts no stream: the text says what was seen and what is needed."""


class _Start(msgspec.Struct):
    type: Literal["start"]
    cal: dict[str, Any]


class _Counts(msgspec.Struct):
    t_us: Number
    counts: list[Number | None]


class _Sample(_Counts):
    tof_mm: Number | None = None
    zones: Annotated[list[Number | None], msgspec.Meta(min_length=64, max_length=64)] | None = None
    knock_mg: Number | None = None
    beside_moves: bool | None = None


class Stream:
    """One spot's detector behind its lines.

    `refused` lines could not be read whole so far; `refusal` says what was wrong with the first of them.
    """

    def __init__(self, first: bytes) -> None:
        try:
            cal = cal_of(msgspec.json.decode(first, type=_Start).cal)
        except _UNREADABLE as error:
            raise BadStart(
                f'the first line is {_shown(first)}: {error}: begin with {{"type":"start","cal":{{...}}}}'
            ) from error
        self._cells = len(cal.counts_per_g)
        self._detector = detector(cal)
        self._samples = msgspec.json.Decoder(_Sample)
        self._answers = msgspec.json.Encoder()
        self._t_us = 0
        self.refused = 0
        self.refusal = ""

    def answer(self, line: bytes) -> bytes:
        """Return the line that answers this one, without its end."""
        sample, why = self._read(line)
        reported = [self._refuse(line, why)] if why else []
        if sample is not None:
            reported += self._update(sample)
        return self._answers.encode(reported)

    def _read(self, line: bytes) -> tuple[_Sample | None, str]:
        """Return what a line holds and what of it cannot be read; a bad range or knock leaves the counts."""
        why = ""
        sample: _Sample | None
        try:
            sample = self._samples.decode(line)
        except _UNREADABLE as error:
            sample, why = _despite(line, str(error))
        if sample is None:
            return None, why
        if not 0 < len(sample.counts) <= self._cells:
            return None, f"{len(sample.counts)} counts of a spot with {self._cells} cells"
        return sample, why

    def _update(self, sample: _Sample) -> list[Event]:
        self._t_us = round(sample.t_us)
        return self._detector.update(
            self._t_us, sample.counts, sample.tof_mm, sample.zones, sample.knock_mg, sample.beside_moves
        )

    def _refuse(self, line: bytes, why: str) -> Event:
        if _starts(line):
            why = "the stream has begun, and another spot needs a stream of its own"
        what = f'no sample: {_shown(line)}: {why}: send {{"t_us":...,"counts":[...],"tof_mm":...}}'
        self.refused += 1
        self.refusal = self.refusal or what
        return Event(kind="fault", t_us=self._t_us, what=what)


def _despite(line: bytes, why: str) -> tuple[_Sample | None, str]:
    """Save what can be read of a sample: NaN counts as null, as many programs write it; else its counts alone."""
    try:
        fields = json.loads(line, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None, why
    try:
        return msgspec.convert(fields, _Sample), ""
    except msgspec.ValidationError as error:
        why = str(error)
    try:
        counts = msgspec.convert(fields, _Counts)
    except msgspec.ValidationError:
        return None, why
    return _Sample(counts.t_us, counts.counts), why


def _starts(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=_Start)
    except _UNREADABLE:
        return False
    return True


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
