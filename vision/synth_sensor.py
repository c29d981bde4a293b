"""From a clean drawing to what a camera gives: light that falls off, blur, noise, colour, the lens, JPEG."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.synth_camera import View, lens_maps
from vision.synth_look import Light, Sensor
from vision.synth_surface import Rng, noise


def room_light(rng: Rng, light: Light, sensor: Sensor, height: int, width: int) -> NDArray[np.float32]:
    """Gain of every pixel (height × width × 3): uneven light, shadow bands, vignette, tint, exposure."""
    low_h, low_w = max(8, height // 8), max(8, width // 8)
    y, x = np.mgrid[-1 : 1 : low_h * 1j, -1 : 1 : low_w * 1j].astype(np.float32)
    angle = math.radians(light.angle)
    gain = 1 + light.fall * (x * math.cos(angle) + y * math.sin(angle))
    gain -= sensor.vignette * (x * x + y * y) / 2
    if light.bands > 0:
        turn = rng.uniform(0, math.pi)
        across = x * math.cos(turn) + y * math.sin(turn)
        edge, wide = rng.uniform(-0.8, 0.8), rng.uniform(0.08, 0.6)
        soft = rng.uniform(0.01, 0.1)
        band = 1 / (1 + np.exp(np.clip((np.abs(across - edge) - wide) / soft, -30, 30)))
        gain *= 1 - light.bands * band
    tint = np.array(light.tint, np.float32) * sensor.exposure
    lit = np.maximum(gain, 0.05).astype(np.float32)[:, :, None] * tint
    return np.asarray(cv2.resize(lit, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def blurred(image: NDArray[np.float32], sensor: Sensor) -> NDArray[np.float32]:
    """Out of focus and shaken."""
    if sensor.blur > 0.05:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sensor.blur), np.float32)
    if sensor.motion >= 2:
        size = int(sensor.motion) | 1
        kernel = np.zeros((size, size), np.float32)
        kernel[size // 2] = 1
        turn = cv2.getRotationMatrix2D((size // 2, size // 2), sensor.motion_angle, 1.0)
        kernel = np.asarray(cv2.warpAffine(kernel, turn, (size, size)), np.float32)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    return image


def sheen(rng: Rng, light: Light, height: int, width: int) -> NDArray[np.float32] | None:
    """White light that the whole board throws back in one place (height × width × 1), or None."""
    if light.glare <= 0:
        return None
    low_h, low_w = max(8, height // 8), max(8, width // 8)
    y, x = np.mgrid[-1 : 1 : low_h * 1j, -1 : 1 : low_w * 1j].astype(np.float32)
    turn, long, wide = rng.uniform(0, math.pi), rng.uniform(0.2, 0.9), rng.uniform(0.08, 0.3)
    x, y = x - rng.uniform(-0.7, 0.7), y - rng.uniform(-0.7, 0.7)
    u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    spot = np.exp(-((u / long) ** 2 + (v / wide) ** 2)) * 110 * light.glare
    full = cv2.resize(spot.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:, :, None], np.float32)


def tone_curve(gamma: float) -> NDArray[np.uint8]:
    """Look-up table of a gamma."""
    return np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)


def panel(rng: Rng, picture: Image, share: float) -> None:
    """A stream's graphics over the right side: a dark strip, boxes, badges, a score."""
    height, width = picture.shape[:2]
    left = round(width * (1 - share))
    picture[:, left:] = rng.integers(0, 60, 3)
    for _ in range(rng.integers(2, 6)):
        x, y = int(rng.integers(left, width)), int(rng.integers(0, height))
        w, h = int(rng.integers(10, max(11, width - left))), int(rng.integers(8, height // 3))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        if rng.random() < 0.6:
            cv2.rectangle(picture, (max(left, x - w // 2), y), (x + w // 2, y + h), colour, -1)
        else:
            cv2.circle(picture, (max(left + w // 3, x), y), w // 3, colour, -1, cv2.LINE_AA)
        cv2.putText(
            picture, str(rng.integers(0, 99)), (max(left, x - w // 3), y + 20), 0, 0.7, (230, 230, 230), 2
        )


@dataclass(frozen=True)
class Room:
    """The light in the room on every pixel: `gain` multiplies, `sheen` adds."""

    gain: NDArray[np.float32]
    sheen: NDArray[np.float32] | None


def room_of(seed: int, light: Light, sensor: Sensor, height: int, width: int) -> Room:
    """The light of a scene, the same for all frames of a film."""
    rng = np.random.default_rng((seed, 3))
    gain = room_light(rng, light, sensor, height, width)
    return Room(gain, sheen(rng, light, height, width))


def develop(canvas: Image, view: View, room: Room, sensor: Sensor, chance: tuple[int, int]) -> Image:
    """A clean drawing → the picture that the camera saves. `chance` seeds the noise."""
    rng = np.random.default_rng((*chance, 4))
    height, width = canvas.shape[:2]
    picture = canvas.astype(np.float32) * room.gain
    if room.sheen is not None:
        picture += room.sheen
    if sensor.saturation != 1:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None] * (1 - sensor.saturation)
        picture = picture * sensor.saturation + grey
    picture = blurred(picture, sensor)
    if sensor.lens != 0:
        bent = cv2.remap(picture, *lens_maps(view), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        picture = np.asarray(bent, picture.dtype)
    if sensor.noise > 0:
        fine = rng.standard_normal((height, width), np.float32) + 0.5 * noise(rng, height, width, 0.5, 0.5)
        picture = picture + np.float32(sensor.noise) * fine[:, :, None]
    toned = cv2.LUT(cv2.convertScaleAbs(np.maximum(picture, 0)), tone_curve(sensor.gamma))
    done: Image = np.asarray(toned, np.uint8)
    if sensor.panel > 0:
        panel(rng, done, sensor.panel)
    if sensor.jpeg:
        _, data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return done
