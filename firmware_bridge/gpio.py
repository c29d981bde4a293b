"""Opening what hangs on the pins of this machine: gpiozero's many errors become one, in words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from gpiozero.exc import GPIOZeroError, PinFactoryFallback

from engine.errors import KibitzError

Device = TypeVar("Device")


class GpioError(KibitzError, OSError):
    """The pins of this machine cannot be used."""


def opened(make: Callable[[], Device], url: str) -> Device:
    """What `make` builds of pins.

    Raises:
        GpioError: there are no pins here, or something else holds them.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)  # the error says it once
            return make()
    except Exception as error:
        if not isinstance(error, GPIOZeroError | OSError) and type(error).__module__ != "lgpio":
            raise
        way = "on a Raspberry Pi: apt install python3-lgpio, GPIOZERO_PIN_FACTORY=lgpio"
        raise GpioError(f"{url.rstrip(':')}: no pins of this machine can be used ({error}); {way}") from error
