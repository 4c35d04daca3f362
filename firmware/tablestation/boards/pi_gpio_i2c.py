"""The I2C bus on the Raspberry Pi's header (GPIO 2 and 3), by the kernel's i2c-dev, in the shape of `machine.I2C`."""

import ctypes
import fcntl
import os
from collections.abc import Callable
from errno import ENODEV
from typing import Any

DEVICE = "/dev/i2c-1"
PINS = (2, 3)
TRANSFER = 0x0707  # Linux, include/uapi/linux/i2c-dev.h: I2C_RDWR
TIMEOUT = 0x0702  # I2C_TIMEOUT, in units of 10 ms
READ = 0x0001  # include/uapi/linux/i2c.h: I2C_M_RD
TIMEOUT_10_MS = 1  # a stuck bus is waited for, and the cells' pipes wait with it


class Message(ctypes.Structure):
    """One part of a transfer: struct i2c_msg."""

    _fields_ = [  # noqa: RUF012 (ctypes')
        ("address", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("length", ctypes.c_uint16),
        ("data", ctypes.POINTER(ctypes.c_uint8)),
    ]


class Transfer(ctypes.Structure):
    """Parts with a repeated start between them: struct i2c_rdwr_ioctl_data."""

    _fields_ = [("messages", ctypes.POINTER(Message)), ("number", ctypes.c_uint32)]  # noqa: RUF012 (ctypes')


class LinuxI2C:
    """The bus, opened on first use, so that its user can report what is wrong with it. `ioctl` works like fcntl's."""

    def __init__(self, device: str = DEVICE, ioctl: Callable[[int, int, Any], object] = fcntl.ioctl) -> None:
        self._device = device
        self._ioctl = ioctl
        self._file: int | None = None

    def readfrom_mem_into(self, address: int, register: int, buffer: "bytearray | memoryview[int]") -> None:
        """Fill the buffer from a register on; raise OSError if nothing answers."""
        data = (ctypes.c_uint8 * len(buffer))()
        self._transfer(_message(address, 0, (ctypes.c_uint8 * 1)(register)), _message(address, READ, data))
        buffer[:] = bytes(data)

    def writeto_mem(self, address: int, register: int, values: bytes) -> None:
        """Write to a register; raise OSError if nothing answers."""
        self._transfer(_message(address, 0, (ctypes.c_uint8 * (1 + len(values)))(register, *values)))

    def close(self) -> None:
        """Close the bus."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _transfer(self, *messages: Message) -> None:
        if self._file is None:
            self._file = self._open()
        self._ioctl(self._file, TRANSFER, Transfer((Message * len(messages))(*messages), len(messages)))

    def _open(self) -> int:
        try:
            file = os.open(self._device, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise OSError(
                ENODEV,
                "no I2C bus at {}: {}: switch I2C on with raspi-config, put this user into the group i2c".format(
                    self._device, error.strerror
                ),
            ) from None
        self._ioctl(file, TIMEOUT, TIMEOUT_10_MS)
        return file


def _message(address: int, flags: int, data: "ctypes.Array[ctypes.c_uint8]") -> Message:
    return Message(address, flags, len(data), ctypes.cast(data, ctypes.POINTER(ctypes.c_uint8)))
