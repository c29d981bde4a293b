// The board as SVG: drawn anew from 28 signed counts (light +, dark -) whenever they change.

import { make } from "./svg.js";
import * as P from "./places.js";
import { word } from "./words.js";

const LAYERS = ["wood", "marks", "checkers", "badges", "arrows", "dice", "targets", "ondice"];

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.layout = { home: "right", light: "bottom" };
    this.layers = {};
    svg.append(hatching());
    for (const name of LAYERS) svg.append((this.layers[name] = make("g", { class: name })));
  }

  /**
   * table: 28 signed counts; numbers: 24 labels; marks: {place: {kind, sign}}; arrows: [[from, to]…];
   * dice: {values, side, how}; cube: {value, owner}; lamps: {place: [colour, rhythm]};
   * lifted: a place whose top checker is in somebody's hand.
   */
  draw({ layout, table, numbers = [], marks = {}, arrows = [], dice = null, cube = null, lamps = {}, lifted = null }) {
    this.layout = layout ?? this.layout;
    const marked = Object.entries(lifted === null ? marks : { ...marks, [lifted]: { kind: "lifted" } });
    this.svg.setAttribute("viewBox", P.viewBox(this.layout));
    this.put("wood", [...wood(this.layout, numbers), ...Object.entries(lamps).map(([p, look]) => lamp(+p, look, this.layout))]);
    this.put("marks", marked.flatMap(([p, { kind }]) => shape(+p, kind, this.layout)));
    this.put("checkers", table.flatMap((n, place) => stack(place, n, this.layout, place === lifted)));
    this.put("badges", marked.filter(([, { sign }]) => sign).map(([p, look]) => badge(+p, look, this.layout)));
    this.put("arrows", arrows.map(([a, b]) => arrow(a, b, table, this.layout)));
    this.put("dice", cube && cube.value > 1 ? [drawCube(cube, this.layout)] : []);
    this.put("ondice", dice ? drawDice(dice, this.layout) : []);
    this.label(table, numbers);
  }

  put(layer, elements) {
    this.layers[layer].replaceChildren(...elements);
  }

  /** Invisible targets carry focus and the words for a screen reader; they are kept, so focus stays. */
  label(table, numbers) {
    const group = this.layers.targets;
    if (!group.childElementCount) for (let place = 0; place < 28; place++) group.append(target(place));
    [...group.children].forEach((t, place) => {
      const g = P.geometry(place, this.layout);
      const box = { x: g.x - g.w / 2, y: g.up > 0 ? g.base : g.base - g.h, width: g.w, height: g.h };
      for (const [key, value] of Object.entries(box)) t.setAttribute(key, value);
      t.setAttribute("aria-label", placeWords(place, table[place], numbers));
    });
  }

  /** The place under a pointer event, or null. */
  placeUnder(event) {
    const { x, y } = this.inDrawing(event);
    return P.placeAt(x, y, this.layout);
  }

  inDrawing(event) {
    const at = new DOMPoint(event.clientX, event.clientY);
    return at.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  target(place) {
    return this.layers.targets.children[place];
  }
}

export function placeName(place, numbers = []) {
  if (place < 24) return word("place.point", { n: numbers[place] ?? place + 1 });
  return word(place < P.OFF_LIGHT ? "place.bar" : "place.off", { side: word(`side.${P.sideOf(place)}`) });
}

function placeWords(place, count, numbers) {
  const what = count ? `${Math.abs(count)} ${word(count > 0 ? "side.0" : "side.1")}` : word("place.empty");
  return `${placeName(place, numbers)}: ${what}`;
}

function target(place) {
  return make("rect", { class: "target", tabindex: place === 0 ? 0 : -1, role: "button", "data-place": place });
}

function hatching() {
  const line = make("path", { d: "M0 12 L12 0", class: "hatch-line" });
  return make("defs", {}, make("pattern", { id: "hatch", width: 12, height: 12, patternUnits: "userSpaceOnUse" }, line));
}

function wood(layout, numbers) {
  const { x, y, w, h } = P.FIELD;
  const [left, top, width, height] = P.viewBox(layout).split(" ");
  const bar = make("rect", { class: "bar", x: x + 6 * P.COLUMN, y, width: P.BAR, height: h });
  return [
    make("rect", { class: "frame", x: left, y: top, width, height, rx: 14 }),
    make("rect", { class: "felt", x, y, width: w, height: h }),
    bar,
    ...[P.OFF_LIGHT, P.OFF_DARK].map((place) => tray(place, layout)),
    ...Array.from({ length: 24 }, (_, place) => triangle(place, layout)),
    ...numbers.map((n, place) => number(place, n, layout)),
  ];
}

function tray(place, layout) {
  const g = P.geometry(place, layout);
  return make("rect", { class: "tray", x: g.x - g.w / 2, y: g.up > 0 ? g.base : g.base - g.h, width: g.w, height: g.h, rx: 6 });
}

function outline(place, layout) {
  const g = P.geometry(place, layout);
  if (place < 24) return `${g.x - 29},${g.base} ${g.x + 29},${g.base} ${g.x},${g.base + g.up * (P.ROW - 20)}`;
  const [a, b] = [g.x - g.w / 2, g.x + g.w / 2];
  return `${a},${g.base} ${b},${g.base} ${b},${g.base + g.up * g.h} ${a},${g.base + g.up * g.h}`;
}

function triangle(place, layout) {
  const odd = (place + (place >= 12 ? 1 : 0)) % 2;
  return make("polygon", { class: odd ? "spike odd" : "spike", points: outline(place, layout) });
}

function number(place, n, layout) {
  const { x, base, up } = P.geometry(place, layout);
  return make("text", { class: "number", x, y: base - up * 15 }, String(n));
}

function stack(place, count, layout, lifted) {
  const kind = count > 0 ? "light" : "dark", total = Math.abs(count), shown = total - (lifted ? 1 : 0);
  const pieces = Array.from({ length: Math.max(shown, 0) }, (_, n) => {
    const { x, y } = P.checkerAt(place, n, total, layout);
    return place >= P.OFF_LIGHT ? edge(kind, x, y) : checker(kind, x, y);
  });
  const many = place >= P.OFF_LIGHT ? shown > 0 : shown > 5;
  return many ? [...pieces, counter(place, shown, total, kind, layout)] : pieces;
}

/** A checker seen from above; dark ones also carry a ring, so that the colour is not all there is. */
export function checker(kind, x, y) {
  const ring = kind === "dark" ? [make("circle", { class: "ring", r: 15 })] : [];
  return make("g", { class: `checker ${kind}`, transform: `translate(${x} ${y})` }, make("circle", { r: P.CHECKER / 2 - 1 }), ...ring);
}

/** A borne-off checker, standing on its edge. */
function edge(kind, x, y) {
  return make("g", { class: `checker ${kind}`, transform: `translate(${x} ${y})` }, make("rect", { x: -28, y: -7.5, width: 56, height: 15, rx: 3 }));
}

function counter(place, shown, total, kind, layout) {
  const { x, y } = P.checkerAt(place, shown - 1, total, layout);
  const off = place >= P.OFF_LIGHT, up = P.geometry(place, layout).up;
  return make("text", { class: off ? "counter off" : `counter ${kind}`, x, y: off ? y + up * 26 : y }, String(shown));
}

/** A marked place: a hatched shape, and a sign beside it, so that no meaning hangs on colour alone. */
function shape(place, kind, layout) {
  const points = outline(place, layout);
  return [make("polygon", { class: `mark ${kind}`, points }), make("polygon", { class: "hatch", points })];
}

function badge(place, { kind, sign }, layout) {
  const g = P.geometry(place, layout), tip = place < 24 ? g.base + g.up * (P.ROW - 24) : g.base + g.up * (g.h - 20);
  const wide = sign.length > 1 ? 20 : 15;
  const plate = make("rect", { x: -wide, y: -15, width: 2 * wide, height: 30, rx: 15 });
  return make("g", { class: `badge ${kind}`, transform: `translate(${g.x} ${tip})` }, plate, make("text", {}, sign));
}

/** A lamp of the real board, on the frame beside its point. */
function lamp(place, [colour, rhythm], layout) {
  const g = P.geometry(place, layout);
  return make("circle", { class: `lamp ${colour} ${rhythm}`, cx: g.x + (place < 24 ? 22 : 0), cy: g.base - g.up * 15, r: 7 });
}

function drawCube({ value, owner }, layout) {
  const near = (owner === P.LIGHT) === (layout.light === "bottom"), { y, h } = P.FIELD;
  const at = owner === null ? y + h / 2 : near ? y + h - 30 : y + 30;
  const box = make("rect", { x: -22, y: -22, width: 44, height: 44, rx: 6 });
  return make("g", { class: "cube", transform: `translate(${P.FIELD.x + 6 * P.COLUMN + P.BAR / 2} ${at})` }, box, make("text", {}, String(value)));
}

function arrow(from, to, table, layout) {
  const top = (place, extra) => P.checkerAt(place, Math.max(Math.abs(table[place]) - 1 + extra, 0), Math.abs(table[place]) + extra, layout);
  const a = top(from, 0), b = top(to, 1);
  const bend = `Q ${(a.x + b.x) / 2} ${(a.y + b.y) / 2 + (a.y + b.y > P.FIELD.h + 2 * P.EDGE ? -60 : 60)}`;
  const line = make("path", { d: `M ${a.x} ${a.y} ${bend} ${b.x} ${b.y}` });
  return make("g", { class: "arrow" }, line, make("circle", { class: "end", cx: b.x, cy: b.y, r: P.CHECKER / 2 - 4 }));
}

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]] };

/** One die around (0, 0), 46 wide. */
export function die(value, kind) {
  const pips = (PIPS[value] ?? []).map(([x, y]) => make("circle", { class: "pip", cx: x * 12, cy: y * 12, r: 4.6 }));
  return make("g", { class: `die ${kind}` }, make("rect", { x: -23, y: -23, width: 46, height: 46, rx: 8 }), ...pips);
}

/** Dice lie on the right of the bar for light, on the left for dark, as players throw them. */
function drawDice({ values, side, how }, layout) {
  const right = (side === P.DARK) === (layout.home === "left");
  const middle = P.FIELD.x + (right ? 9 : 3) * P.COLUMN + (right ? P.BAR : 0);
  return values.map((value, n) => {
    const piece = die(value, `${side === P.DARK ? "dark" : "light"} ${how}`);
    const x = middle + (n - (values.length - 1) / 2) * 58;
    piece.setAttribute("transform", `translate(${x} ${P.FIELD.y + P.FIELD.h / 2})`);
    piece.setAttribute("data-die", n);
    return piece;
  });
}
