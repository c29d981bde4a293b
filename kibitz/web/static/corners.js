// The board's corners set by hand: four handles over the camera picture, dragged or moved with the arrow keys.

import { $, el } from "./html.js";
import { make } from "./svg.js";
import { word } from "./words.js";

const USUAL = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]], STEP = 0.004; // shares of the picture
const within = (share) => Math.min(1, Math.max(0, share));

export class Corners {
  /** `send(corners)` takes four [x, y] shares, clockwise from the top left; `changed()` when it opens or closes. */
  constructor(send, changed) {
    Object.assign(this, { corners: null, changed });
    this.shape = make("polygon", { "vector-effect": "non-scaling-stroke" });
    $("outline").append(make("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, this.shape));
    this.handles = USUAL.map((_, n) => this.handle(n));
    $("outline").append(...this.handles);
    $("corners-send").onclick = () => send(this.corners.map(([x, y]) => [within(x), within(y)])).then((done) => done && this.close());
    $("corners-drop").onclick = () => this.close();
  }

  get open() {
    return this.corners !== null;
  }

  /** Begin, where the board was found or somewhere in the middle. */
  start(outline) {
    this.corners = (outline.length === 4 ? outline : USUAL).map((spot) => [...spot]);
    this.show();
  }

  close() {
    this.corners = null;
    this.show();
  }

  handle(n) {
    const knob = el("button", { type: "button", class: "handle", "data-corner": n });
    knob.addEventListener("pointerdown", (event) => knob.setPointerCapture(event.pointerId));
    knob.addEventListener("pointermove", (event) => knob.hasPointerCapture(event.pointerId) && this.put(n, ...this.under(event)));
    knob.addEventListener("keydown", (event) => this.key(n, event));
    return knob;
  }

  under({ clientX, clientY }) {
    const box = $("outline").getBoundingClientRect();
    return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  }

  key(n, event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? 10 * STEP : STEP;
    this.put(n, this.corners[n][0] + way[0] * step, this.corners[n][1] + way[1] * step);
  }

  put(n, x, y) {
    this.corners[n] = [within(x), within(y)];
    this.draw();
  }

  show() {
    for (const id of ["outline", "corners-send", "corners-drop", "corners-words"]) $(id).hidden = !this.open;
    if (this.open) this.draw();
    this.changed();
  }

  draw() {
    this.shape.setAttribute("points", this.corners.map((spot) => spot.join()).join(" "));
    this.handles.forEach((knob, n) => {
      knob.style.left = `${100 * this.corners[n][0]}%`;
      knob.style.top = `${100 * this.corners[n][1]}%`;
      knob.setAttribute("aria-label", word("corners.n", { n: n + 1 }));
    });
  }
}
