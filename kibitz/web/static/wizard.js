// The set-up: what the camera cannot know is asked, one form for all of it, and what will happen then is said.

import { el, fill } from "./html.js";
import { clockText } from "./view.js";
import { playerName, said, word } from "./words.js";

const NUMBERS = ["length", "seconds", "increment"], CLOCKED = ["seconds", "increment"];

/** Shows the open questions; `answer(fields)` is called with the whole form. */
export function drawWizard(panel, snapshot, answer) {
  panel.hidden = snapshot.questions.length === 0;
  if (panel.hidden) return;
  const before = ["searching", "setup"].includes(snapshot.phase); // afterwards it stays at hand, folded, until the first roll
  if (panel.dataset.before !== String(before)) panel.open = before;
  panel.dataset.before = before;
  const form = panel.querySelector("form");
  fill(form, snapshot.questions, () => [
    ...snapshot.questions.flatMap((q) => (q.field === "names" ? names(snapshot.match.names) : [field(q)])),
    el("section", { class: "wide" }, el("h3", { text: word("plan.title") }), el("ul", { id: "plan" })),
    el("button", { class: "main", text: word("wizard.send") }),
  ]);
  const told = () => drawPlan(panel.querySelector("#plan"), form, snapshot);
  form.oninput = told;
  told();
  form.onsubmit = (event) => {
    event.preventDefault();
    answer(filled(form));
  };
}

const names = (now) => [0, 1].map((side) => labelled(word(`wizard.name.${side}`), el("input", { name: `name${side}`, value: playerName(now, side), maxlength: 60, required: true })));

function field({ field, words, value, choices }) {
  if (choices.length) {
    const options = choices.map((c) => el("option", { value: c, selected: c === value, text: word(`choice.${field}.${c}`) }));
    return labelled(said(words), el("select", { name: field }, ...options));
  }
  return labelled(said(words), el("input", { name: field, value, ...(NUMBERS.includes(field) ? { type: "number", min: 0, step: 1 } : {}) }));
}

const labelled = (text, input) => el("label", {}, el("span", { text }), input);

/** What Kibitz will do with these answers, in words. */
function drawPlan(list, form, { mode }) {
  const data = Object.fromEntries(new FormData(form)), clock = data.clock !== "none";
  for (const name of CLOCKED) form.elements[name].closest("label").hidden = !clock;
  const begins = data.side === "opening" ? word("plan.opening") : word("plan.begins", { side: data[`name${data.side}`] });
  const lines = [
    word("plan.players", { light: data.name0, dark: data.name1, rules: word(`choice.rules.${data.rules}`) }),
    Number(data.length) ? word("plan.match", { n: data.length }) : word("plan.money"),
    begins,
    word(`plan.layout.${data.layout === "seen" ? "seen" : "told"}`, { layout: word(`choice.layout.${data.layout}`) }),
    word(`plan.policy.${data.policy}`),
    ...(clock ? [word(`plan.clock.${data.clock}`, { time: clockText(Number(data.seconds)), extra: data.increment })] : []),
    word(`plan.mode.${mode}`),
  ];
  fill(list, lines, () => lines.map((text) => el("li", { text })));
}

/** The form as fields of the `answer` command; what is left empty is left out. */
function filled(form) {
  const data = Object.fromEntries(new FormData(form)), fields = {};
  for (const [key, value] of Object.entries(data)) {
    if (key.startsWith("name") || value === "") continue;
    fields[key] = NUMBERS.includes(key) || /^\d$/.test(value) ? Number(value) : value;
  }
  if (data.name0 !== undefined) fields.names = [data.name0, data.name1];
  return fields;
}
