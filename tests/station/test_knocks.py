"""Knocks: what a station tells of its accelerometer, and of one that is not there."""

from errno import EIO, ENODEV, ETIMEDOUT

import pytest

HEX = "city/1/0"


class Accelerometer:
    """Windows of 10 ms, those at `loud` (their ends: their peaks) knock; `wrong` is the errno it raises."""

    def __init__(self, port):
        self._port = port
        self._until_us = 0
        self.loud = {}
        self.wrong = None
        self.words = "no answer"
        self.asleep = False
        self.started = 0
        self.windows = self.lost = self.loudest_mg = 0

    def start(self):
        self._may_fail()
        self.started += 1
        self._until_us = self._port.now_us

    def take(self, peaks_mg, ticks, at):
        self._may_fail()
        n = 0
        while n < 4 and self._until_us + 10_000 <= self._port.now_us and not self.asleep:
            self._until_us += 10_000
            self.windows += 1
            if self._until_us in self.loud:
                peaks_mg[at + n] = self.loud[self._until_us]
                ticks[at + n] = (self._port.ticks_us() - (self._port.now_us - self._until_us)) % (1 << 30)
                n += 1
        return n

    def _may_fail(self):
        if self.wrong:
            raise OSError(self.wrong, self.words)


@pytest.fixture
def make_listening(make_bench):
    """`make_listening()`: a bench with one hex and an accelerometer, not yet started."""

    def make(**settings):
        bench = make_bench(**settings).spot(HEX, cells=(10_000,))
        bench.accelerometer = Accelerometer(bench.port)
        return bench

    return make


@pytest.fixture
def listening(make_listening):
    return make_listening()


def lines(bench):
    return [(line["level"], line["text"]) for line in bench.told("log")]


def moments(bench, message):
    """The ends of the windows, in microseconds since the bench began."""
    wraps, ticks = message["at"]
    ends = [(wraps << 30) + ticks - (1 << 30) + 500_000_000]
    for gap in message["dt_us"]:
        ends.append(ends[-1] + gap)
    return ends


def test_a_birth_says_whether_the_accelerometer_answers(listening, make_bench):
    listening.start()
    assert listening.told("birth")[0]["accelerometer"] is True
    without = make_bench().spot(HEX, cells=(1,)).start()
    assert "accelerometer" not in without.told("birth")[0]


def test_what_knocks_is_told_within_a_tenth_of_a_second_with_its_times_and_peaks(listening):
    listening.accelerometer.loud = {5_010_000: 48, 5_020_000: 212, 5_070_000: 16}
    listening.start().run(5_005)
    listening.forget()
    listening.run(100)
    (told,) = listening.told("knocks")
    assert moments(listening, told) == [5_010_000, 5_020_000, 5_070_000]
    assert told["peak_mg"] == [48, 212, 16]


def test_silence_is_told_once_a_second_so_that_the_hub_knows_who_listens(listening):
    listening.start().run(10_050)
    told = listening.told("knocks")
    assert len(told) == 10
    assert all(message["peak_mg"] == message["dt_us"] == [] for message in told)
    heard_us = [moments(listening, message)[0] for message in told]
    assert heard_us[-1] > 9_900_000, "until when nothing knocked"


def test_knocks_come_before_the_samples_of_the_same_time_and_share_their_numbers(listening):
    listening.accelerometer.loud = {5_000_000: 80}
    listening.start()
    listening.cells[HEX][0].level = lambda t_us: 10_000 if t_us < 5_000_000 else 40_000
    listening.run(6_000)
    told = listening.told("knocks", "samples", "quiet")
    assert [message["sample_seq"] for message in told] == list(range(1, len(told) + 1))
    kinds = [(message["type"], bool(message.get("peak_mg"))) for message in told]
    assert kinds.index(("knocks", True)) < kinds.index(("samples", False))


def test_a_knock_is_not_lost_while_the_ticks_wrap(make_listening):
    bench = make_listening(wraps_in_us=1_000_000)
    bench.accelerometer.loud = {990_000: 20, 1_010_000: 30}  # told a tenth of a second apart
    bench.start().run(1_300)
    told = [message for message in bench.told("knocks") if message["peak_mg"]]
    assert [(message["at"][0], message["dt_us"], message["peak_mg"]) for message in told] == [
        (0, [], [20]),
        (1, [], [30]),
    ]


def test_an_accelerometer_that_is_not_there_is_told_of_once_and_is_no_fault(listening):
    listening.accelerometer.wrong = EIO
    listening.start().run(30_000)
    assert listening.told("birth")[0]["accelerometer"] is False
    assert not listening.told("knocks", "fault")
    ((level, text),) = lines(listening)
    assert level == "info"
    assert "the table does without" in text


def test_one_that_is_plugged_in_later_is_found_and_that_is_told(listening):
    listening.accelerometer.wrong = EIO
    listening.start().run(10_000)
    listening.accelerometer.wrong = None
    listening.run(6_000)
    assert listening.told("knocks")
    listening.run(10_000)
    assert [text for _, text in lines(listening)][1:] == ["the accelerometer is heard"]


def test_one_that_goes_mute_is_told_of_once_and_the_hub_hears_no_more_silence_from_it(listening):
    listening.start().run(2_000)
    listening.accelerometer.wrong = EIO
    listening.run(200)
    listening.forget()
    listening.run(30_000)
    listening.accelerometer.wrong = None
    assert not listening.told("knocks")
    listening.run(20_000)
    assert len(listening.told("knocks")) > 14
    assert [level for level, _ in lines(listening)] == ["info"], "it was complained of before"


@pytest.mark.parametrize(
    ("wrong", "words", "says"),
    [
        (EIO, "no answer", "check its cable"),
        (ETIMEDOUT, "the bus does not move", "I2C bus is stuck"),
        (ENODEV, "LIS3DH at 0x18: another chip", "another chip"),
    ],
)
def test_what_is_wrong_is_said_in_words(listening, wrong, words, says):
    listening.start().run(2_000)
    listening.accelerometer.wrong, listening.accelerometer.words = wrong, words
    listening.run(20_000)
    ((level, text),) = lines(listening)
    assert level == "warning"
    assert says in text


def test_a_loose_plug_is_told_of_once_however_often_it_comes_and_goes(listening):
    listening.start().run(2_000)
    for _ in range(6):
        listening.accelerometer.wrong = EIO
        listening.run(6_000)
        listening.accelerometer.wrong = None
        listening.run(6_000)
    listening.run(20_000)
    assert [level for level, _ in lines(listening)] == ["warning", "info"]


def test_two_spoilt_transfers_are_no_matter(listening):
    listening.start().run(2_000)
    listening.accelerometer.wrong = EIO
    listening.run(40)
    listening.accelerometer.wrong = None
    listening.run(5_000)
    assert listening.accelerometer.started == 1
    assert not lines(listening)


def test_one_that_lost_its_power_and_measures_nothing_is_begun_again(listening):
    listening.start().run(2_000)
    listening.accelerometer.asleep = True
    listening.run(1_000)
    listening.accelerometer.asleep = False
    listening.run(6_000)
    assert listening.accelerometer.started == 2
    assert "measures nothing" in lines(listening)[0][1]


def test_a_din_that_nobody_fetches_stays_bounded(listening):
    listening.accelerometer.loud = {10_000 * k: 100 for k in range(2_000)}
    listening.start().run(2_000)
    knocks = listening.station._knocks
    for _ in range(50):
        listening.port.now_us += 20_000
        knocks.look()
    assert 28 < len(knocks.next_message(listening.station._clock)["peak_mg"]) <= 32


def test_health_says_how_much_was_listened_to_and_how_loud_it_was(listening):
    listening.start().run(10_150)
    listening.accelerometer.lost += 2
    listening.accelerometer.loudest_mg = 340
    listening.run(10_000)
    first, second = [message["accelerometer"] for message in listening.told("health")]
    assert (first["lost"], first["peak_mg"]) == (0, 0)
    assert 98 <= first["rate_hz"] <= 100
    assert second == {"rate_hz": 100.0, "lost": 2, "peak_mg": 340}
    assert listening.accelerometer.loudest_mg == 0


def test_a_station_without_one_tells_what_it_always_told(bench):
    bench.spot(HEX, cells=(10_000,)).start().run(12_000)
    assert not bench.told("knocks")
    assert "accelerometer" not in bench.told("health")[0]
