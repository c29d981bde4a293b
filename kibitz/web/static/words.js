// The page's own words. What the referee says comes with the snapshot, in every language.

const LANGUAGES = ["en", "ru"];
const wanted = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
export const language = LANGUAGES.includes(wanted) ? wanted : "en";
const table = await (await fetch(`/static/words/${language}.json`)).json();

/** The words of a key, with {names} filled in; the key itself where words are missing. */
export function word(key, values = {}) {
  return (table[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** {en, ru} → the reader's own. */
export const said = (words) => words?.[language] ?? words?.en ?? "";

const NOBODY = ["Light", "Dark"]; // what the referee calls players who were not named

/** A player's name, or the side in the reader's language where nobody was named. */
export const playerName = (names, side) => (names[side] && names[side] !== NOBODY[side] ? names[side] : word(`name.${side}`));

export function otherLanguage() {
  localStorage.setItem("language", LANGUAGES.find((l) => l !== language));
  location.reload();
}

/** Fills everything in the page that carries data-word (text) or data-word-title (tooltip and name). */
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const e of root.querySelectorAll("[data-word]")) e.textContent = word(e.dataset.word);
  for (const e of root.querySelectorAll("[data-word-title]")) {
    e.title = word(e.dataset.wordTitle);
    e.setAttribute("aria-label", e.title);
  }
}
