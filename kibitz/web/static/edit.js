// Moving checkers on the drawn board to correct a misread: by drag, by two taps, or by keyboard.

import { make } from "./svg.js";
import { DARK, LIGHT, OFF_LIGHT, sideOf } from "./places.js";
import { checker } from "./board.js";

/** The table after one checker went from a place to another, or null where it cannot lie there. */
export function moved(table, from, to, eats) {
  const sign = Math.sign(table[from]), side = sign > 0 ? LIGHT : DARK;
  if (to >= 24) to = (to >= OFF_LIGHT ? OFF_LIGHT : 24) + side;
  const there = sign * table[to];
  if (!sign || from === to || (there < -1 && !eats)) return null;
  const next = [...table];
  next[from] -= sign;
  if (there < 0) {
    if (!eats) next[24 + 1 - side] -= sign;
    next[to] = 0;
  }
  next[to] += sign;
  return next;
}

export class Editor {
  /** `now()` gives {table, eats}, or null when nothing may be moved; `changed(table)` takes the new table. */
  constructor(board, now, changed, redraw) {
    Object.assign(this, { board, now, changed, redraw, lifted: null, ghost: null, down: null });
    const svg = board.svg;
    svg.addEventListener("pointerdown", (e) => this.grab(e));
    svg.addEventListener("pointermove", (e) => this.carry(e));
    svg.addEventListener("pointerup", (e) => this.release(e));
    svg.addEventListener("pointercancel", () => this.drop(null));
    svg.addEventListener("keydown", (e) => this.key(e));
  }

  grab(event) {
    const place = this.board.placeUnder(event);
    if (place === null || event.button || event.target.closest("[data-die]") || !this.now()) return;
    this.down = { place, x: event.clientX, y: event.clientY };
    this.board.svg.setPointerCapture(event.pointerId);
  }

  carry(event) {
    if (!this.down) return;
    const far = Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) > 6;
    if (!this.ghost && far) this.startDrag();
    if (!this.ghost) return;
    const { x, y } = this.board.inDrawing(event);
    this.ghost.setAttribute("transform", `translate(${x} ${y})`);
  }

  startDrag() {
    const count = this.now()?.table[this.down.place];
    if (!count) return;
    this.lift(this.down.place);
    this.ghost = make("g", { class: "ghost" }, checker(count > 0 ? "light" : "dark", 0, 0));
    this.board.svg.append(this.ghost);
  }

  release(event) {
    if (!this.down) return;
    const place = this.board.placeUnder(event), dragged = this.ghost !== null;
    const start = this.down.place;
    this.down = null;
    if (dragged) this.drop(place);
    else this.pick(start);
  }

  /** A tap, Enter or Space: lifts a checker, or lays the lifted one down. */
  pick(place) {
    if (!this.now()) return;
    if (this.lifted !== null) this.drop(place);
    else if (this.now().table[place]) this.lift(place);
  }

  lift(place) {
    this.lifted = place;
    this.redraw();
  }

  drop(place) {
    const from = this.lifted, now = this.now();
    this.ghost?.remove();
    this.ghost = this.lifted = this.down = null;
    const next = now && from !== null && place !== null ? moved(now.table, from, place, now.eats) : null;
    if (next) this.changed(next);
    else this.redraw();
  }

  key(event) {
    const place = Number(event.target.dataset?.place ?? NaN);
    if (Number.isNaN(place)) return;
    if (event.key === "Enter" || event.key === " ") this.pick(place);
    else if (event.key === "Escape") this.drop(null);
    else if (event.key.startsWith("Arrow")) this.focus(neighbour(place, event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focus(place) {
    for (const t of this.board.layers.targets.children) t.setAttribute("tabindex", -1);
    this.board.target(place).setAttribute("tabindex", 0);
    this.board.target(place).focus();
  }
}

const ROWS = [[0, 1, 2, 3, 4, 5, 25, 6, 7, 8, 9, 10, 11, 27], [12, 13, 14, 15, 16, 17, 24, 18, 19, 20, 21, 22, 23, 26]];

function neighbour(place, key) {
  const row = ROWS.findIndex((r) => r.includes(place)), column = ROWS[row].indexOf(place);
  if (key === "ArrowUp" || key === "ArrowDown") return ROWS[key === "ArrowUp" ? 0 : 1][column];
  const next = column + (key === "ArrowLeft" ? -1 : 1);
  return ROWS[row][Math.min(Math.max(next, 0), ROWS[row].length - 1)];
}
