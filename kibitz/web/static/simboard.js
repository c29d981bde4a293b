// The simulated board: checkers are dragged as on a real one, its buttons pressed, its lamps seen. The referee knows
// nothing of this page; it feels the board's sensors.

import { Board, die } from "./board.js";
import { Editor } from "./edit.js";
import { $, el } from "./html.js";
import { listen, mayControl, post } from "./link.js";
import { make } from "./svg.js";
import { said, translate, word } from "./words.js";

const LOOK_MS = 150;
const board = new Board($("board"));
const editor = new Editor(board, () => (lies && allowed ? { table: lies.counts, eats } : null), (counts) => touch({ counts }), draw);
let lies = null, eats = false, numbers = [], layout = null, allowed = false;

function draw() {
  if (!lies) return;
  board.draw({ layout, table: lies.counts, numbers, lamps: lies.lamps, lifted: editor.lifted });
  for (const status of document.querySelectorAll("[data-lamp]")) {
    const [colour, rhythm] = lies.lamps[status.dataset.lamp] ?? ["dark", "steady"];
    status.replaceChildren(make("circle", { class: `lamp ${colour} ${rhythm}`, r: 7 }));
  }
}

function take(found) {
  const changed = JSON.stringify(found) !== JSON.stringify(lies);
  lies = found;
  if (changed) draw();
}

async function touch(deed) {
  try {
    take(await post("/api/board", deed));
    $("state").textContent = "";
  } catch (error) {
    $("state").textContent = error.message;
  }
}

async function look() {
  try {
    const answer = await fetch("/api/board");
    if (answer.ok) take(await answer.json());
    $("state").textContent = answer.ok ? "" : answer.statusText;
  } catch {
    $("state").textContent = word("disconnected");
  }
  setTimeout(look, LOOK_MS);
}

listen(({ shown }) => {
  if (!shown) return;
  $("verdict").textContent = said(shown.snapshot.banner.words);
  ({ eats } = shown);
  layout = shown.snapshot.layout;
  numbers = shown.numbers?.[shown.snapshot.side ?? 0] ?? [];
  draw();
}, () => {});

translate();
for (let n = 1; n <= 6; n++) {
  const face = make("svg", { viewBox: "-26 -26 52 52" }, die(n, "light"));
  $("dice").append(el("button", { "data-press": `die_${n}`, "aria-label": word("die.n", { n }) }, face));
}
for (const button of document.querySelectorAll("[data-press]")) button.onclick = () => touch({ press: button.dataset.press });
allowed = await mayControl();
document.body.classList.toggle("may-control", allowed);
$("onlooker").hidden = allowed;
look();
