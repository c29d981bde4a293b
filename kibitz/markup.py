"""HTML and SVG from Python: every text is escaped, because only `el` makes markup."""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


_VOID = frozenset({"br", "meta", "line", "circle", "rect", "polygon", "polyline", "path"})


def el(name: str, /, *inner: str, **attributes: object) -> Markup:
    """One element. Text inside is escaped, `Markup` is taken as it is; `class_` gives `class`, `_` is `-`.

    >>> el("p", "a < b", class_="x")
    '<p class="x">a &lt; b</p>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not inner:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{join(*inner)}</{name}>")


def join(*parts: str) -> Markup:
    """Parts after one another, texts escaped."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))
