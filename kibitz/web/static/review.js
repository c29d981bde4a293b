// The review: a time line of plays, the clip of each, what else it may have been. Everything shown comes from
// one sheet, which is fetched anew after each change.

import { Board } from "./board.js";
import { Clip } from "./clip.js";
import { askDice, showKeys } from "./dialogs.js";
import { Editor } from "./edit.js";
import { $, el, fill } from "./html.js";
import { mayControl, send } from "./link.js";
import { drawTurns, playText } from "./moves.js";
import { clockText } from "./view.js";
import { otherLanguage, playerName, translate, word } from "./words.js";

const state = { sheet: null, at: 0, dice: null, draft: null, preview: null, before: false, legal: [], control: false };
const board = new Board($("board"));
const clip = new Clip($("clip"), $("no-clip"));
const editor = new Editor(board, editable, (table) => update({ draft: table }), render);

function update(change) {
  Object.assign(state, change);
  render();
}

const play = () => state.sheet.plays[state.at];
const doubtful = (p) => p.confidence < state.sheet.sure && !p.fixed;
const dice = () => state.dice ?? play().dice;
const tableShown = () => state.draft ?? state.preview ?? (state.before ? play().before : play().after);

/** What may be moved by hand, or null. */
function editable() {
  return state.control && state.sheet?.plays.length ? { table: tableShown(), eats: state.sheet.eats } : null;
}

// --- showing -------------------------------------------------------------------------------------------

function render() {
  document.body.classList.toggle("may-control", state.control);
  board.svg.classList.toggle("may-edit", editable() !== null);
  if (!state.sheet) return;
  const { sheet } = state, left = sheet.plays.filter(doubtful).length;
  $("source").textContent = sheet.source.split(/[/\\:]/).pop();
  $("source").title = sheet.source;
  $("left").textContent = word(left ? "review.left" : "review.none", { n: left, file: sheet.record });
  $("onlooker").hidden = state.control;
  drawLine(sheet);
  drawTurns($("turns"), sheet.plays.map(asTurn), state.at, go);
  $("doubtful").disabled = left === 0;
  if (!sheet.plays.length) return;
  drawHead(play());
  drawBoard(play());
  drawCandidates(play());
  clip.show(state.at, play().t.join());
}

const asTurn = (p, n) => ({ id: n, turn: n, side: p.side, roll: p.dice, play: p.play, illegal: p.illegal, how: p.how, confidence: p.confidence });

function drawLine({ plays, gaps, games, sure }) {
  const kind = (p) => [p.side ? "dark" : "", p.fixed ? "fixed" : p.illegal ? "illegal" : p.confidence < 0.8 ? "doubtful" : p.confidence < sure ? "unsure" : ""].join(" ");
  const missing = (n) => gaps.filter((g) => g.turn === n).map(() => el("span", { class: "gap", title: word("review.gap") }));
  fill($("line"), [plays.map((p) => [kind(p), p.play, p.dice]), gaps.map((g) => g.turn), state.at], () => [...plays.flatMap((p, n) => [
    ...games.filter((g) => g.first === n && n > 0).map(() => el("span", { class: "game" })),
    ...missing(n),
    el("button", { class: kind(p), "data-play": n, "aria-current": n === state.at ? "true" : null, title: title(p, n), "aria-label": title(p, n), onclick: () => go(n) }),
  ]), ...missing(plays.length)]);
}

const title = (p, n) => `${n + 1}. ${playerName(state.sheet.names, p.side)} ${p.dice.join("-")} ${playText(p)} · ${Math.round(p.confidence * 100)} % · ${clockText(p.t[0])}`;

function drawHead(p) {
  const shown = p.fixed ? "good" : p.illegal ? "wrong" : doubtful(p) ? "ask" : "good";
  $("banner").className = shown;
  $("sign").textContent = { good: "✓", wrong: "!", ask: "?" }[shown];
  $("verdict").textContent = word("past", { n: state.at + 1, side: playerName(state.sheet.names, p.side), roll: p.dice.join("-"), play: playText(p) });
  $("details").textContent = [
    p.fixed ? word("review.said") : word("review.sure", { n: Math.round(p.confidence * 100) }),
    p.how === "inferred" ? word("review.inferred") : "", p.illegal ? word("turn.illegal") : "",
    `${clockText(p.t[0])} – ${clockText(p.t[1])}`,
  ].filter(Boolean).join(" · ");
  $("forget").hidden = !p.fixed;
  $("right").disabled = p.fixed;
  $("before").setAttribute("aria-pressed", state.before);
  $("draft").hidden = state.draft === null;
}

function drawBoard(p) {
  const plain = state.before && state.draft === null && state.preview === null;
  board.draw({
    layout: state.sheet.layout,
    table: tableShown(),
    numbers: state.sheet.numbers[p.side],
    marks: plain ? {} : changes(p.before, tableShown()),
    dice: { values: dice(), side: p.side, how: p.how },
    lifted: editor.lifted,
  });
}

/** What a play changes: how many came to a place, how many left it. */
function changes(before, after) {
  const found = {};
  before.forEach((n, place) => {
    const by = after[place] - n;
    if (!by) return;
    const more = Math.abs(after[place]) > Math.abs(n);
    found[place] = { kind: more ? "to" : "lifted", sign: `${more ? "+" : "−"}${Math.abs(by)}` };
  });
  return found;
}

/** The recorded play first, then what else it may have been; number keys choose. */
function candidates(p) {
  const known = state.dice ? [] : [{ dice: p.dice, play: p.play, after: p.after, now: true }, ...p.others];
  return state.dice ? state.legal.slice(0, 9) : known.slice(0, 9);
}

function drawCandidates(p) {
  const rows = candidates(p);
  fill($("candidates"), [rows, state.control, state.at, state.sheet.revision], () => rows.map((c, n) => el("li", {}, choice(c, n))));
  fill($("legal"), [state.legal, state.at, state.sheet.revision], () => state.legal.map((c) => el("li", {}, choice(c, null))));
}

function choice(c, n) {
  const look = (table) => () => state.draft === null && update({ preview: table });
  return el("button", {
    "data-choice": n, "aria-current": c.now ? "true" : null, disabled: !state.control,
    onclick: () => fix({ dice: c.dice, ...(c.play || !c.now ? { play: c.play } : { after: c.after }) }),
    onmouseenter: look(c.after), onmouseleave: look(null),
  }, n === null ? "" : el("kbd", { text: n + 1 }), el("span", { text: c.dice.join("-") }), el("span", { text: c.play || (c.now && play().illegal ? word("turn.illegal") : word("turn.pass")) }));
}

// --- doing ---------------------------------------------------------------------------------------------

async function go(n) {
  if (!state.sheet.plays.length) return;
  const at = Math.min(Math.max(n, 0), state.sheet.plays.length - 1);
  update({ at, dice: null, draft: null, preview: null, before: false, legal: [] });
  $("line").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  await fetchLegal();
}

async function fetchLegal() {
  const at = state.at, answer = await fetch(`/api/legal/${at}?dice=${dice().join("-")}`).catch(() => null);
  const legal = answer?.ok ? await answer.json() : [];
  if (at === state.at) update({ legal });
}

/** The next play that is in doubt, after this one and then from the beginning. */
function nextDoubtful() {
  const found = state.sheet.plays.map((p, n) => (doubtful(p) ? n : -1)).filter((n) => n >= 0);
  if (found.length) go(found.find((n) => n > state.at) ?? found[0]);
}

async function run(command) {
  document.body.classList.add("busy");
  try {
    await send(command);
    await fetchSheet();
    return true;
  } catch (error) {
    toast(error.message);
    return false;
  } finally {
    document.body.classList.remove("busy");
  }
}

/** Says how this play was, and goes on to the next one in doubt. */
async function fix(what) {
  if (!state.control || !(await run({ do: "fix", turn: state.at, ...what }))) return;
  if (state.sheet.plays.some(doubtful)) nextDoubtful();
  else go(state.at);
}

function sendDraft() {
  fix({ ...(dice().length ? { dice: dice() } : {}), after: state.draft });
}

function asItIs() {
  const p = play();
  fix({ dice: p.dice, ...(p.illegal ? { after: p.after } : { play: p.play }) });
}

async function chooseDice() {
  const roll = await askDice(dice(), state.sheet.dice, play().side ? "dark" : "light");
  if (!roll) return;
  update({ dice: roll, legal: [] });
  $("all").open = true;
  await fetchLegal();
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => ($("toast").hidden = true), 6000);
}

const KEYS = {
  ArrowLeft: ["review.previous", () => go(state.at - 1)],
  ArrowRight: ["review.next", () => go(state.at + 1)],
  n: ["review.doubtful", () => nextDoubtful()],
  Enter: ["review.right", () => (state.draft ? sendDraft() : asItIs())],
  b: ["review.before", () => update({ before: !state.before })],
  d: ["keys.dice", () => state.control && chooseDice()],
  Backspace: ["review.forget", () => play().fixed && state.control && run({ do: "forget", turn: state.at })],
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") || !state.sheet?.plays.length) return;
  if (event.target.closest("input, select, summary") || (event.key === "Enter" && event.target.closest("button"))) return;
  const chosen = /^[1-9]$/.test(event.key) ? $("candidates").querySelector(`[data-choice="${Number(event.key) - 1}"]`) : null;
  if (chosen) return chosen.click();
  const act = KEYS[event.key]?.[1];
  if (!act) return;
  event.preventDefault();
  act();
}

function wire() {
  $("previous").onclick = () => go(state.at - 1);
  $("next").onclick = () => go(state.at + 1);
  $("doubtful").onclick = nextDoubtful;
  $("right").onclick = asItIs;
  $("forget").onclick = () => run({ do: "forget", turn: state.at });
  $("draft-send").onclick = sendDraft;
  $("draft-drop").onclick = () => update({ draft: null });
  $("before").onclick = () => update({ before: !state.before });
  $("dice").onclick = chooseDice;
  $("language").onclick = otherLanguage;
  $("keys").onclick = () => showKeys([...Object.entries(KEYS).map(([key, [name]]) => [key, word(name)]), ["1 – 9", word("review.candidates")]]);
  board.svg.addEventListener("click", (e) => e.target.closest("[data-die]") && editable() && chooseDice());
  addEventListener("keydown", onKey);
}

async function fetchSheet() {
  const sheet = await (await fetch("/api/review")).json();
  update({ sheet, at: Math.min(state.at, Math.max(sheet.plays.length - 1, 0)), draft: null, preview: null, dice: null });
}

translate();
wire();
update({ control: await mayControl() });
await fetchSheet();
if (state.sheet.plays.some(doubtful) && !doubtful(play())) nextDoubtful();
else go(0);
