// Where the 28 table places lie on the drawn board: 0-11 the far row, 12-23 the near row, both from left to
// right as in the camera picture; 24/25 the bar (light, dark), 26/27 the trays.

export const BAR_LIGHT = 24, BAR_DARK = 25, OFF_LIGHT = 26, OFF_DARK = 27;
export const COLUMN = 60, CHECKER = 56, ROW = 290, GAP = 60, BAR = 64, TRAY = 76, EDGE = 30;
export const FIELD = { x: EDGE, y: EDGE, w: 12 * COLUMN + BAR, h: 2 * ROW + GAP };

export const LIGHT = 0, DARK = 1;
export const sideOf = (place) => (place % 2 === 0 ? LIGHT : DARK); // of a bar or tray

/** A place as {x: middle, base: where stacks begin, up: -1 when stacks grow upwards, else 1, w, h}. */
export function geometry(place, layout) {
  if (place < 24) return point(place);
  const near = (sideOf(place) === LIGHT) === (layout.light === "bottom");
  const tray = place >= OFF_LIGHT;
  const x = tray ? trayMiddle(layout) : FIELD.x + 6 * COLUMN + BAR / 2;
  if (tray) return { x, base: near ? FIELD.y + FIELD.h : FIELD.y, up: near ? -1 : 1, w: TRAY - 12, h: ROW };
  // Checkers on the bar wait beside the middle, each on its own side.
  const middle = FIELD.y + FIELD.h / 2;
  return { x, base: middle + (near ? 12 : -12), up: near ? 1 : -1, w: BAR, h: ROW - 10 };
}

function point(place) {
  const column = place % 12, near = place >= 12;
  const x = FIELD.x + (column + 0.5) * COLUMN + (column >= 6 ? BAR : 0);
  return { x, base: near ? FIELD.y + FIELD.h : FIELD.y, up: near ? -1 : 1, w: COLUMN, h: ROW };
}

const trayMiddle = (layout) => (layout.home === "left" ? FIELD.x - EDGE / 2 - TRAY / 2 : FIELD.x + FIELD.w + EDGE / 2 + TRAY / 2);

/** The drawing's outline: the field, its frame, and the trays on the side of the homes. */
export function viewBox(layout) {
  const width = FIELD.w + 2 * EDGE + TRAY;
  const left = layout.home === "left" ? -TRAY : 0;
  return [left, 0, width, FIELD.h + 2 * EDGE].join(" ");
}

/** Middle of the n-th checker (from 0) of a stack of `count`; high stacks are pushed together. */
export function checkerAt(place, n, count, layout) {
  const { x, base, up, h } = geometry(place, layout);
  const step = place >= OFF_LIGHT ? 18 : Math.min(CHECKER, (h - CHECKER) / Math.max(count - 1, 1));
  const first = place >= OFF_LIGHT ? 10 : CHECKER / 2 + 1;
  return { x, y: base + up * (first + n * step) };
}

/** The place under a point of the drawing, or null. */
export function placeAt(x, y, layout) {
  for (let place = 0; place < 28; place++) {
    const g = geometry(place, layout);
    const top = g.up > 0 ? g.base : g.base - g.h;
    if (Math.abs(x - g.x) <= g.w / 2 && y >= top && y <= top + g.h) return place;
  }
  return null;
}
