"""The Pi's own I2C bus: what is asked of the kernel, on a kernel that plays a modelled bus."""

from array import array
from errno import ENODEV, ENXIO

import pytest

from tablestation.boards.pi_gpio_i2c import READ, TIMEOUT, TRANSFER, LinuxI2C
from tablestation.drivers.lis3dh import LIS3DH
from tabletwin.chips.lis3dh import Lis3dh


class Kernel:
    """`ioctl` over the bench's bus; a transfer that nobody acknowledges is ENXIO, as the Pi's own driver has it."""

    def __init__(self, bus):
        self._bus = bus
        self.asked = []

    def __call__(self, file, request, argument):
        self.asked.append(request)
        if request == TIMEOUT:
            return
        assert request == TRANSFER
        for message in argument.messages[: argument.number]:
            try:
                self._play(message)
            except OSError:
                raise OSError(ENXIO, "No such device or address") from None

    def _play(self, message):
        if message.flags & READ:
            for k, byte in enumerate(self._bus.readfrom(message.address, message.length)):
                message.data[k] = byte
        else:
            self._bus.writeto(message.address, bytes(message.data[: message.length]))


@pytest.fixture
def device(tmp_path):
    """What stands for /dev/i2c-1."""
    path = tmp_path / "i2c-1"
    path.write_bytes(b"")
    return str(path)


def test_an_accelerometer_on_the_pis_header_is_heard(bench, device):
    kernel = Kernel(bench.i2c)
    bench.i2c.attach(Lis3dh(bench.clock, lambda t_us: (0, 0, 1000 + 200 * (t_us // 2_500 % 2) * (t_us > 500_000))))
    bus = LinuxI2C(device, kernel)
    driver = LIS3DH(bus, bench.clock.now_us)
    driver.start()
    peaks_mg, ticks = array("i", [0] * 4), array("i", [0] * 4)
    heard_us = []
    for _ in range(40):
        bench.clock.spend(20_000)
        heard_us += ticks[: driver.take(peaks_mg, ticks)]
    assert len(heard_us) > 20
    assert min(heard_us) >= 500_000
    assert kernel.asked.count(TIMEOUT) == 1
    bus.close()
    bus.close()


def test_nobody_at_the_address_is_an_error_of_the_transfer(bench, device):
    with pytest.raises(OSError, match="No such device or address") as raised:
        LIS3DH(LinuxI2C(device, Kernel(bench.i2c)), bench.clock.now_us).start()
    assert raised.value.errno == ENXIO


def test_a_pi_whose_bus_is_switched_off_says_what_to_do(bench, tmp_path):
    bus = LinuxI2C(str(tmp_path / "none"), Kernel(bench.i2c))
    with pytest.raises(OSError, match="No such file or directory: switch I2C on with raspi-config") as raised:
        LIS3DH(bus, bench.clock.now_us).start()
    assert raised.value.errno == ENODEV
    bus.close()
