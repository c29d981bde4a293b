"""Whether a picture file is whole. Decoders fill in what is missing with grey, and grey would be read."""

from __future__ import annotations

import zlib

PNG = b"\x89PNG\r\n\x1a\n"
JPEG, JPEG_END = b"\xff\xd8", b"\xff\xd9"
#: Second byte of the marker that begins a JPEG's pixels, and of those that carry no length.
SCAN, BARE = 0xDA, frozenset({0x01, *range(0xD0, 0xD8)})


def torn(data: bytes) -> bool:
    """Whether a JPEG or PNG breaks off or, PNG only, was changed on the way. Other kinds are never torn.

    >>> torn(b"\\xff\\xd8\\xff\\xda\\x00\\x02pixels")
    True
    """
    if data.startswith(PNG):
        return not _whole_png(data)
    return data.startswith(JPEG) and not _whole_jpeg(data)


def _whole_jpeg(data: bytes) -> bool:
    """The end marker follows the pixels; one inside the header belongs to a thumbnail."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == SCAN:
            return data.find(JPEG_END, at) > 0
        at += 2 if kind in BARE else 1 if kind == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])
    return False


def _whole_png(data: bytes) -> bool:
    """Every chunk is there and has the checksum it says, the last one included."""
    at = len(PNG)
    while at + 12 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        end = at + 8 + size
        if zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4]):
            return False
        if kind == b"IEND":
            return True
        at = end + 4
    return False
