// Dice, resignation, and a turn put right in the record.

import { die } from "./board.js";
import { $, el } from "./html.js";
import { make } from "./svg.js";
import { word } from "./words.js";

/** Opens a dialog and gives true when it was confirmed. */
function asked(dialog) {
  dialog.returnValue = "cancel";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "ok"), { once: true }));
}

const face = (value, kind) => make("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, die(value, kind));

/** A row of six faces for each die; gives the roll, or null. */
export async function askDice(roll, count, kind) {
  const chosen = Array.from({ length: count }, (_, n) => roll[n] ?? 1);
  $("dice-choice").replaceChildren(...chosen.map((_, n) => dieRow(n, chosen, kind)));
  return (await asked($("dice-dialog"))) ? chosen : null;
}

function dieRow(n, chosen, kind) {
  const row = el("div", { role: "group", "aria-label": word("die.n", { n: n + 1 }) });
  const press = (value) => {
    chosen[n] = value;
    [...row.children].forEach((b, i) => b.setAttribute("aria-pressed", i + 1 === value));
  };
  for (let value = 1; value <= 6; value++) {
    row.append(el("button", { type: "button", "aria-label": value, "data-value": value, onclick: () => press(value) }, face(value, kind)));
  }
  press(chosen[n]);
  return row;
}

/** Who resigns and for how much; gives a command, or null. */
export async function askResign(names, side, stakes) {
  $("resign-side").replaceChildren(...radios("side", names.map((name, n) => [n, name || word(`side.${n}`)]), side ?? 0));
  $("resign-points").replaceChildren(...radios("points", stakes.map((s) => [s.points, `${s.points} · ${word(`stake.${s.name}`)}`]), stakes[0].points));
  if (!(await asked($("resign-dialog")))) return null;
  const value = (name) => Number($("resign-dialog").querySelector(`input[name=${name}]:checked`).value);
  return { do: "resign", side: value("side"), points: value("points") };
}

export function radios(name, choices, chosen) {
  return choices.map(([value, text]) => el("label", {}, el("input", { type: "radio", name, value, checked: value === chosen }), text));
}

/** Another roll or play for a turn of the record; gives a command, or null. */
export async function askAmend(turn) {
  $("amend-roll").value = turn.roll.join("-");
  $("amend-play").value = turn.play;
  $("amend-others").replaceChildren(...turn.others.map((play) => el("option", { value: play })));
  if (!(await asked($("amend-dialog")))) return null;
  const roll = ($("amend-roll").value.match(/\d/g) ?? []).map(Number), play = $("amend-play").value.trim();
  const command = { do: "amend", turn: turn.turn };
  if (roll.join() !== turn.roll.join()) command.roll = roll;
  if (play !== turn.play || !command.roll) command.play = play;
  return command;
}

export function showKeys(keys) {
  $("key-list").replaceChildren(...keys.flatMap(([key, text]) => [el("dt", { text: key }), el("dd", { text })]));
  return asked($("keys-dialog"));
}
