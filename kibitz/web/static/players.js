// The two players' cards: name, score, pips, cube, clock.

import { checker } from "./board.js";
import { el } from "./html.js";
import { make } from "./svg.js";
import { clockText, left, pips } from "./view.js";
import { playerName, word } from "./words.js";

/** Fills a side's card; the clock goes on by itself through `tick`. */
export function drawPlayer(card, side, { snapshot, numbers, table }, press) {
  const { match, clock } = snapshot;
  card.classList.toggle("on", snapshot.side === side && snapshot.phase === "playing");
  card.replaceChildren(
    make("svg", { viewBox: "-30 -30 60 60", role: "img", "aria-label": word(`side.${side}`) }, checker(side ? "dark" : "light", 0, 0)),
    el("span", { class: "name", text: playerName(match.names, side) }),
    el("span", { class: "pips", text: [pipText(table, numbers, side), cubeText(match, side)].filter(Boolean).join(" · ") }),
    el("span", { class: "score", text: scoreText(match, side) }),
  );
  if (clock.kind !== "none") card.append(face(clock, side, press));
}

const pipText = (table, numbers, side) => (numbers ? word("pips", { n: pips(table, numbers, side) }) : "");
const scoreText = (match, side) => (match.length ? `${match.score[side]}/${match.length}` : String(match.score[side]));

function cubeText(match, side) {
  if (match.cube_owner === side) return word("cube.yours", { n: match.cube });
  return match.crawford && side === 0 ? word("crawford") : "";
}

function face(clock, side, press) {
  return el("button", { class: "clock", "data-clock": side, onclick: () => press(side), title: word("clock.press") });
}

/** Shows the time on both clocks; called several times a second. */
export function tick(clock, now) {
  for (const face of document.querySelectorAll("[data-clock]")) {
    const side = Number(face.dataset.clock);
    face.textContent = (clock.running === side ? "▶ " : "") + clockText(left(clock, side, now));
    face.classList.toggle("flag", clock.flag === side);
  }
}
