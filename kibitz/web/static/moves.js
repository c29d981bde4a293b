// The move list, what was noticed, and the trainer's plays.

import { el, fill } from "./html.js";
import { said, word } from "./words.js";

/** One button for each turn; `chosen` is the turn that is looked back at. */
export function drawTurns(list, turns, chosen, choose) {
  const before = list.filledWith;
  fill(list, [turns, chosen], () => turns.map((turn) => el("li", {}, turnButton(turn, chosen, choose))));
  if (before !== list.filledWith && chosen === null) list.scrollTop = list.scrollHeight;
}

function turnButton(turn, chosen, choose) {
  return el("button", { "aria-current": turn.id === chosen ? "true" : null, "data-turn": turn.id, onclick: () => choose(turn.id) },
    el("span", { class: "n", text: `${turn.turn + 1}.` }),
    el("span", { class: turn.side ? "dot dark" : "dot", role: "img", "aria-label": word(`side.${turn.side}`) }),
    el("span", { class: "roll", text: turn.roll.join("-") }),
    el("span", { text: playText(turn) }),
    el("span", { class: turn.illegal ? "illegal" : "doubt", text: turn.illegal ? word("turn.illegal") : doubtText(turn) }),
  );
}

export const playText = (turn) => turn.play || (turn.illegal ? "—" : word("turn.pass"));
const doubtText = (turn) => [turn.how === "seen" ? "" : word(`how.${turn.how}`), turn.confidence < 0.9 ? `${Math.round(turn.confidence * 100)} %` : ""].filter(Boolean).join(" ");

export function drawFindings(panel, list, findings) {
  panel.hidden = findings.length === 0;
  fill(list, findings, () => findings.toReversed().map((f) => el("li", { class: f.open ? "open" : null, text: `${f.turn + 1}. ${said(f.words)}` })));
}

/** The trainer's panel; `show(play)` draws a play's arrows on the board while it is looked at. */
export function drawTrainer(panel, { mode, legal, advice }, show) {
  panel.hidden = mode !== "trainer";
  panel.querySelector("#advice").textContent = advice ? adviceText(advice) : "";
  fill(panel.querySelector("#legal"), legal, () => legal.map((play) => el("li", {}, legalButton(play, show))));
}

function adviceText({ play, best, cost, engine }) {
  return word(cost > 0 ? "advice.cost" : "advice.best", { play, best, engine, cost: cost.toFixed(3) });
}

function legalButton(play, show) {
  const on = () => show(play), off = () => show(null);
  return el("button", { text: play.play || word("turn.pass"), onmouseenter: on, onmouseleave: off, onfocus: on, onblur: off, onclick: on });
}
