// The live page: one state, one render. Everything shown comes from the newest snapshot.

import { Board, placeName } from "./board.js";
import { Corners } from "./corners.js";
import { askAmend, askDice, askResign, showKeys } from "./dialogs.js";
import { Editor } from "./edit.js";
import { $, el, fill } from "./html.js";
import { download, listen, mayControl, send } from "./link.js";
import { drawFindings, drawTrainer, drawTurns, playText } from "./moves.js";
import { Pictures } from "./pictures.js";
import { drawPlayer, tick } from "./players.js";
import { lying, marks, sign, tone } from "./view.js";
import { say, switchVoice, voiceIsOn } from "./voice.js";
import { drawWizard } from "./wizard.js";
import { otherLanguage, playerName, said, translate, word } from "./words.js";

const state = { shown: null, connected: false, control: false, past: null, draft: null, preview: null, hint: null, clockSkew: 0 };
const board = new Board($("board"));
const pictures = new Pictures($("picture"), $("no-picture"));
const corners = new Corners((spots) => run({ do: "place", corners: spots }), () => state.shown && render());
const editor = new Editor(board, editable, (table) => update({ draft: table }), render);

function update(change) {
  Object.assign(state, change);
  render();
}

/** What may be moved by hand now, or null. */
function editable() {
  if (!state.control || !state.shown || state.past !== null) return null;
  return { table: state.draft ?? lying(state.shown.snapshot.board), eats: state.shown.eats };
}

// --- showing -------------------------------------------------------------------------------------------

function render() {
  document.body.classList.toggle("may-control", state.control);
  board.svg.classList.toggle("may-edit", editable() !== null);
  if (!state.shown) return;
  const { snapshot } = state.shown, turn = pastTurn();
  drawBoard(snapshot, turn);
  drawHead(snapshot);
  drawBanner(snapshot);
  for (const side of [0, 1]) drawPlayer($(`player${side}`), side, { ...state.shown, table: tableShown() }, pressClock);
  tickClocks();
  drawTurns($("turns"), snapshot.turns, state.past, (id) => update({ past: id, draft: null }));
  drawFindings($("noticed"), $("findings"), snapshot.findings);
  drawTrainer($("trainer"), snapshot, (hint) => update({ hint }));
  drawWizard($("wizard"), snapshot, (fields) => run({ do: "answer", ...fields }));
  drawTools(snapshot, turn);
  showPicture(snapshot, turn);
}

const pastTurn = () => state.shown.snapshot.turns.find((t) => t.id === state.past) ?? null;
const tableShown = () => state.draft ?? pastTurn()?.after ?? state.preview ?? lying(state.shown.snapshot.board);

function drawBoard(snapshot, turn) {
  const plain = turn !== null || (state.draft ?? state.preview) !== null;
  const side = turn ? turn.side : snapshot.side;
  const roll = turn ? turn.roll : snapshot.dice.roll;
  board.draw({
    layout: snapshot.layout,
    table: tableShown(),
    numbers: state.shown.numbers?.[side ?? 0],
    marks: plain ? {} : marks(snapshot),
    arrows: plain ? [] : (state.hint?.hops ?? []),
    dice: roll.length ? { values: roll, side, how: turn ? turn.how : snapshot.dice.how } : null,
    cube: { value: snapshot.match.cube, owner: snapshot.match.cube_owner },
    lamps: plain ? {} : snapshot.lamps,
    lifted: editor.lifted,
  });
}

function drawHead({ mode, source }) {
  $("mode").textContent = word(`mode.${mode}`);
  $("source").textContent = state.connected ? said(source.words) : word("disconnected");
  $("source").classList.toggle("bad", !state.connected || !["ok", "searching", "ended"].includes(source.state));
  $("open-board").hidden = !source.url.startsWith("sim:");
  $("source").title = `${source.url} · ${source.fps.toFixed(0)} fps`;
}

function drawBanner(snapshot) {
  const { banner } = snapshot;
  $("banner").className = tone(banner.kind);
  $("banner").dataset.kind = banner.kind;
  $("sign").textContent = sign(banner.kind);
  if ($("verdict").textContent !== said(banner.words)) $("verdict").textContent = said(banner.words);
  say(said(banner.words));
  fill($("details"), [banner.kind, snapshot.board.difference], () => differences(snapshot).map((text) => el("li", { text })));
  fill($("actions"), [banner.actions, snapshot.candidates], () => actions(snapshot));
}

function differences({ banner, board: { difference }, side }) {
  if (!["wrong_start", "lost"].includes(banner.kind)) return [];
  const count = (n) => (n ? `${Math.abs(n)} ${word(n > 0 ? "side.0" : "side.1")}` : word("place.none"));
  return difference.map(([place, expected, seen]) =>
    word("difference", { place: placeName(place, state.shown.numbers?.[side ?? 0]), expected: count(expected), seen: count(seen) }));
}

/** Buttons for what may be done about the verdict now; for a question, one for each answer. */
function actions(snapshot) {
  const plain = snapshot.banner.actions.filter((name) => WORTH_A_BUTTON.has(name)).map((name) =>
    el("button", { class: WANTED.has(name) ? "main" : null, "data-action": name, text: word(`do.${name}`), onclick: () => act(name) }));
  const rolls = new Set(snapshot.candidates.map((c) => c.roll.join("-"))); // told only where they differ
  const choices = snapshot.candidates.map((c) => el("button", {
    text: (rolls.size > 1 ? `${c.roll.join("-")}: ` : "") + (c.play || word("turn.pass")), "data-choice": c.index, onclick: () => run({ do: "choose", index: c.index }),
    onmouseenter: () => update({ preview: c.table }), onmouseleave: () => update({ preview: null }),
  }));
  return [...choices, ...plain];
}

// Buttons in the banner: what the toolbar does not offer already, and of those what is most likely wanted.
const WORTH_A_BUTTON = new Set(["resume", "next_game", "take_back", "take", "drop", "resync", "play_anyway", "let_stand", "answer"]);
const WANTED = new Set(["resume", "next_game", "take_back", "take"]);

function drawTools(snapshot, turn) {
  const playing = snapshot.phase === "playing";
  $("tools").hidden = turn !== null || state.draft !== null || ["searching", "setup"].includes(snapshot.phase);
  $("onlooker").hidden = state.control;
  for (const b of $("tools").children) b.disabled = !playing && b.id !== "adjourn-tool" && b.dataset.do !== "undo";
  toolFor($("cube-tool"), snapshot.match.offered ? "take" : "double", snapshot.match.offered);
  toolFor($("adjourn-tool"), snapshot.phase === "adjourned" ? "resume" : "adjourn", playing || snapshot.phase === "adjourned");
  $("draft").hidden = state.draft === null;
  $("draft-send").textContent = word(snapshot.phase === "setup" ? "draft.start" : "draft.send");
  $("past").hidden = turn === null;
  if (turn) $("past-words").textContent = word("past", { n: turn.turn + 1, side: playerName(snapshot.match.names, turn.side), roll: turn.roll.join("-"), play: playText(turn) });
}

function toolFor(button, name, enabled) {
  button.textContent = word(`do.${name}`);
  button.dataset.do = name;
  button.disabled = button.disabled && !enabled;
}

function showPicture(snapshot, turn) {
  $("corner-tools").hidden = !snapshot.picture || snapshot.phase === "over";
  $("corners").hidden = corners.open;
  if (turn?.picture) pictures.show(`turn/${turn.id}`, turn.id);
  else if (!turn && snapshot.picture) pictures.show($("overlaid").checked && !corners.open ? "overlay" : "plain", snapshot.picture);
  $("picture").classList.toggle("stale", turn !== null && !turn.picture);
}

const now = () => performance.now() / 1000 - state.clockSkew;
const tickClocks = () => tick(state.shown.snapshot.clock, now());

// --- doing ---------------------------------------------------------------------------------------------

/** Sends a command; true when it was carried out, else the reason is shown. */
async function run(command) {
  try {
    await send(command);
  } catch (error) {
    toast(error.message);
    return false;
  }
  update({ draft: null, preview: null });
  return true;
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => ($("toast").hidden = true), 6000);
}

/** A button's name → its command. */
function act(name) {
  if (name === "dice") return rollDice();
  if (name === "answer") return run({ do: "answer", start: lying(state.shown.snapshot.board) });
  return run(["take", "drop", "double"].includes(name) ? { do: "cube", act: name } : { do: name });
}

async function rollDice() {
  const { snapshot, dice } = state.shown;
  const roll = await askDice(snapshot.dice.roll, dice, snapshot.side === 1 ? "dark" : "light");
  if (roll) run({ do: "dice", roll });
}

async function resign() {
  const { snapshot, stakes } = state.shown;
  const command = await askResign(snapshot.match.names, snapshot.side, stakes);
  if (command) run(command);
}

async function amend() {
  const command = await askAmend(pastTurn());
  if (command) run(command);
}

function pressClock(side) {
  if (state.control) run({ do: "clock", side });
}

function sendDraft() {
  run(state.shown.snapshot.phase === "setup" ? { do: "answer", start: state.draft } : { do: "correct", table: state.draft });
}

/** One turn earlier (-1) or later (+1); after the last one comes the present. */
function browse(step) {
  const ids = state.shown.snapshot.turns.map((t) => t.id);
  const at = state.past === null ? ids.length : ids.indexOf(state.past);
  const next = Math.max(0, at + step);
  update({ past: ids[next] ?? null, draft: null });
}

const KEYS = {
  d: ["keys.dice", () => rollDice()],
  e: ["do.end_turn", () => act("end_turn")],
  u: ["do.undo", () => act("undo")],
  r: ["do.resync", () => act("resync")],
  l: ["do.let_stand", () => act("let_stand")],
  "[": ["earlier", () => browse(-1)],
  "]": ["later", () => browse(1)],
  n: ["now", () => update({ past: null, draft: null })],
  v: ["voice", () => toggleVoice()],
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea") || !state.shown) return;
  const [needs, act] = KEYS[event.key] ?? [];
  if (act && (state.control || ["earlier", "later", "now", "voice"].includes(needs))) act();
}

function toggleVoice() {
  $("voice").setAttribute("aria-pressed", switchVoice());
  if (state.shown) say(said(state.shown.snapshot.banner.words));
}

function wire() {
  for (const b of document.querySelectorAll("#tools [data-do], #cube-tool, #adjourn-tool")) b.onclick = () => act(b.dataset.do);
  document.querySelector("[data-open=dice-dialog]").onclick = rollDice;
  document.querySelector("[data-open=resign-dialog]").onclick = resign;
  $("draft-send").onclick = sendDraft;
  $("draft-resync").onclick = () => run({ do: "resync", table: state.draft });
  $("draft-drop").onclick = () => update({ draft: null });
  $("now").onclick = () => update({ past: null });
  $("earlier").onclick = () => browse(-1);
  $("later").onclick = () => browse(1);
  $("amend").onclick = amend;
  $("overlaid").onchange = render;
  $("corners").onclick = () => corners.start(state.shown.snapshot.outline);
  $("language").onclick = otherLanguage;
  $("voice").onclick = toggleVoice;
  $("voice").setAttribute("aria-pressed", voiceIsOn());
  $("bundle").onclick = () => download("/bundle", "kibitz-bundle.zip").catch((error) => toast(error.message));
  $("keys").onclick = () => showKeys([...Object.entries(KEYS).map(([key, [name]]) => [key, word(name)]), ["← ↑ → ↓, Enter", word("keys.board")]]);
  board.svg.addEventListener("click", (e) => e.target.closest("[data-die]") && editable() && rollDice());
  addEventListener("keydown", onKey);
  setInterval(() => state.shown && tickClocks(), 200);
}

// --- the line ------------------------------------------------------------------------------------------

/** A message is everything shown, or only that there is a new camera picture. */
function take(message) {
  state.clockSkew = performance.now() / 1000 - message.t;
  if (message.shown) return update({ shown: message.shown });
  state.shown.snapshot.picture = message.picture;
  showPicture(state.shown.snapshot, pastTurn());
}

translate();
wire();
update({ control: await mayControl() });
listen(take, (connected) => update({ connected }));
