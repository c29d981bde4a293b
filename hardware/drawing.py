"""Pages in millimetres, as PDF and as SVG: rectangles, circles, lines, words; nothing else is needed."""

from __future__ import annotations

from dataclasses import dataclass, field

A4 = (210.0, 297.0)
_POINTS_PER_MM = 72 / 25.4
#: A quarter of a circle as a Bézier curve: the control points' distance in radii.
_ROUND = 0.5523


@dataclass
class Page:
    """Shapes on an A4 page; x to the right, y down, millimetres from the top left corner."""

    shapes: list[tuple[str, tuple[float, ...], str]] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float) -> None:
        """A black rectangle."""
        self.shapes.append(("box", (x, y, width, height), ""))

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.shapes.append(("line", (x1, y1, x2, y2), ""))

    def circle(self, x: float, y: float, diameter: float) -> None:
        """The outline of a circle with a small cross in its middle."""
        self.shapes.append(("circle", (x, y, diameter / 2), ""))
        self.line(x - 1.5, y, x + 1.5, y)
        self.line(x, y - 1.5, x, y + 1.5)

    def words(self, x: float, y: float, text: str, size: float = 3.5) -> None:
        """`size` millimetres high; Latin letters only."""
        self.shapes.append(("words", (x, y, size), text))

    def scale(self, x: float, y: float) -> None:
        """A line of 100 mm to check the print with."""
        for end in (x, x + 100):
            self.line(end, y - 2, end, y + 2)
        self.line(x, y, x + 100, y)
        self.words(x + 2, y - 2, "100 mm: measure it; print at 100 %, not fitted to the page")


def svg(page: Page) -> str:
    """One page as SVG in millimetres."""
    width, height = A4
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    shapes = "\n".join(_svg_shape(*shape) for shape in page.shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n{shapes}\n</svg>\n'


def _svg_shape(kind: str, n: tuple[float, ...], text: str) -> str:
    a, b, c, *d = (f"{value:g}" for value in (*n, 0.0))
    if kind == "box":
        return f'<rect x="{a}" y="{b}" width="{c}" height="{d[0]}"/>'
    if kind == "line":
        return f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d[0]}" stroke="black" stroke-width="0.2"/>'
    if kind == "circle":
        return f'<circle cx="{a}" cy="{b}" r="{c}" fill="none" stroke="black" stroke-width="0.2"/>'
    return f'<text x="{a}" y="{b}" font-size="{c}">{text}</text>'


def pdf(pages: list[Page]) -> bytes:
    """The pages as a PDF file; the same pages give the same bytes."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for i, page in enumerate(pages):
        stream = "\n".join(_pdf_shape(*shape) for shape in page.shapes).encode("latin-1")
        box = f"[0 0 {A4[0] * _POINTS_PER_MM:.3f} {A4[1] * _POINTS_PER_MM:.3f}]"
        uses = f"/Resources << /Font << /F 3 0 R >> >> /Contents {5 + 2 * i} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox {box} {uses} >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return _pdf_file(objects)


def _pdf_file(objects: list[bytes]) -> bytes:
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n".encode()
    out += f"<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _pdf_shape(kind: str, n: tuple[float, ...], text: str) -> str:
    if kind == "box":
        x, y, width, height = n
        return f"{_at(x, y + height)} {_mm(width)} {_mm(height)} re f"
    if kind == "line":
        return f"0.57 w {_at(n[0], n[1])} m {_at(n[2], n[3])} l S"
    if kind == "circle":
        return _pdf_circle(*n)
    x, y, size = n
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F {_mm(size)} Tf {_at(x, y)} Td ({escaped}) Tj ET"


def _pdf_circle(x: float, y: float, r: float) -> str:
    k = r * _ROUND
    quarters = (
        ((x + r, y + k), (x + k, y + r), (x, y + r)),
        ((x - k, y + r), (x - r, y + k), (x - r, y)),
        ((x - r, y - k), (x - k, y - r), (x, y - r)),
        ((x + k, y - r), (x + r, y - k), (x + r, y)),
    )
    curves = " ".join(f"{_at(*a)} {_at(*b)} {_at(*c)} c" for a, b, c in quarters)
    return f"0.57 w {_at(x + r, y)} m {curves} S"


def _mm(value: float) -> str:
    return f"{value * _POINTS_PER_MM:.3f}"


def _at(x: float, y: float) -> str:
    return f"{_mm(x)} {_mm(A4[1] - y)}"
