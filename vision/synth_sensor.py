"""From a clean drawing to what a camera gives: light that falls off, blur, noise, colour, the lens, JPEG."""

from __future__ import annotations

import math

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
    full = cv2.resize(gain.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(full, 0.05)[:, :, None] * tint, np.float32)


def blurred(image: NDArray[np.float32], sensor: Sensor) -> NDArray[np.float32]:
    """Out of focus and shaken."""
    if sensor.blur > 0.05:
        image = cv2.GaussianBlur(image, (0, 0), sensor.blur)
    if sensor.motion >= 2:
        size = int(sensor.motion) | 1
        kernel = np.zeros((size, size), np.float32)
        kernel[size // 2] = 1
        turn = cv2.getRotationMatrix2D((size // 2, size // 2), sensor.motion_angle, 1.0)
        kernel = cv2.warpAffine(kernel, turn, (size, size))
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    return image


def develop(
    canvas: Image, view: View, gain: NDArray[np.float32], sensor: Sensor, chance: tuple[int, int]
) -> Image:
    """A clean drawing → the picture that the camera saves. `gain` is from `room_light`."""
    rng = np.random.default_rng((*chance, 4))
    height, width = canvas.shape[:2]
    picture = canvas.astype(np.float32) * gain
    if sensor.saturation != 1:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * sensor.saturation
    picture = blurred(picture, sensor)
    if sensor.lens != 0:
        picture = cv2.remap(picture, *lens_maps(view), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if sensor.noise > 0:
        fine = rng.standard_normal((height, width), np.float32) + 0.5 * noise(rng, height, width, 0.5, 0.5)
        picture = picture + sensor.noise * fine[:, :, None]
    picture = np.clip(picture, 0, 255)
    if sensor.gamma != 1:
        picture = 255 * (picture / 255) ** sensor.gamma
    done: Image = picture.astype(np.uint8)
    if sensor.jpeg:
        _, data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        done = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return done
