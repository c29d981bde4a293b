// The set-up: what the camera cannot know is asked, one form for all of it.

import { el, fill } from "./html.js";
import { said, word } from "./words.js";

const NUMBERS = ["length", "seconds", "increment", "side"];

/** Shows the open questions; `answer(fields)` is called with the whole form. */
export function drawWizard(panel, snapshot, answer) {
  panel.hidden = !["searching", "setup"].includes(snapshot.phase) || snapshot.questions.length === 0;
  if (panel.hidden) return;
  const form = panel.querySelector("form");
  fill(form, snapshot.questions, () => [
    ...snapshot.questions.flatMap((q) => (q.field === "names" ? names(snapshot.match.names) : [field(q)])),
    el("button", { class: "main", text: word("wizard.send") }),
  ]);
  form.onsubmit = (event) => {
    event.preventDefault();
    answer(filled(form));
  };
}

const names = (now) => [0, 1].map((side) => labelled(word(`wizard.name.${side}`), el("input", { name: `name${side}`, value: now[side], maxlength: 60, required: true })));

function field({ field, words, value, choices }) {
  if (choices.length) {
    const options = choices.map((c) => el("option", { value: c, selected: c === value, text: word(`choice.${field}.${c}`) }));
    return labelled(said(words), el("select", { name: field }, ...options));
  }
  return labelled(said(words), el("input", { name: field, value, ...(NUMBERS.includes(field) ? { type: "number", min: 0, step: 1 } : {}) }));
}

const labelled = (text, input) => el("label", {}, el("span", { text }), input);

/** The form as fields of the `answer` command; what is left empty is left out. */
function filled(form) {
  const data = Object.fromEntries(new FormData(form)), fields = {};
  for (const [key, value] of Object.entries(data)) {
    if (key.startsWith("name") || value === "") continue;
    fields[key] = NUMBERS.includes(key) ? Number(value) : value;
  }
  if (data.name0 !== undefined) fields.names = [data.name0, data.name1];
  return fields;
}
