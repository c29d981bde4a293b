// The stream overlay: names, score, clocks, board and verdict on nothing. Only looks on.

import { Board, checker } from "./board.js";
import { el } from "./html.js";
import { listen } from "./link.js";
import { make } from "./svg.js";
import { clockText, left, lying, marks, pips, tone } from "./view.js";
import { playerName, said } from "./words.js";

const options = new URLSearchParams(location.search);
document.body.dataset.at = options.get("at") ?? "right";
document.body.style.setProperty("--scale", Number(options.get("scale")) || 1);

const board = new Board(document.getElementById("board"));
let shown = null, skew = 0;

function draw() {
  const { snapshot, numbers } = shown, { roll, how } = snapshot.dice;
  board.draw({
    layout: snapshot.layout,
    table: lying(snapshot.board),
    numbers: numbers?.[snapshot.side ?? 0],
    marks: marks(snapshot),
    dice: roll.length ? { values: roll, side: snapshot.side, how } : null,
    cube: { value: snapshot.match.cube, owner: snapshot.match.cube_owner },
  });
  const verdict = document.getElementById("verdict");
  verdict.textContent = said(snapshot.banner.words);
  verdict.className = tone(snapshot.banner.kind);
  document.querySelectorAll(".side").forEach((line) => drawSide(line, Number(line.dataset.side)));
}

function drawSide(line, side) {
  const { snapshot, numbers } = shown, { match, clock } = snapshot;
  line.classList.toggle("on", snapshot.side === side);
  const texts = {
    name: playerName(match.names, side),
    pips: numbers ? pips(lying(snapshot.board), numbers, side) : "",
    clock: clock.kind === "none" ? "" : clockText(left(clock, side, performance.now() / 1000 - skew)),
    score: match.length ? `${match.score[side]}/${match.length}` : match.score[side],
  };
  const icon = make("svg", { viewBox: "-30 -30 60 60" }, checker(side ? "dark" : "light", 0, 0));
  line.replaceChildren(icon, ...Object.entries(texts).map(([kind, text]) => el("span", { class: kind, text: String(text) })));
}

listen((message) => {
  skew = performance.now() / 1000 - message.t;
  if (!message.shown) return;
  shown = message.shown;
  draw();
}, () => {});
setInterval(() => shown && shown.snapshot.clock.running !== null && draw(), 500);
