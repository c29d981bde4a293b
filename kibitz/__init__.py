"""Kibitz: watches a real backgammon board, referees the game, keeps the record."""

import os

__version__ = "0.1.0"

# The matrices here are small: more threads cost time instead of saving it, on a loaded Pi many times over.
# OpenCV's video reader reports broken files on its own; we say it in one line ourselves.
for _name, _value in (
    ("OPENBLAS_NUM_THREADS", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENCV_LOG_LEVEL", "OFF"),
    ("OPENCV_FFMPEG_LOGLEVEL", "-8"),
):
    os.environ.setdefault(_name, _value)
