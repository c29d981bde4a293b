// The referee's voice: the browser reads out what the banner says.

import { language } from "./words.js";

let on = localStorage.getItem("voice") === "on";
let last = "";

export const voiceIsOn = () => on;

export function switchVoice() {
  on = !on;
  localStorage.setItem("voice", on ? "on" : "off");
  if (!on) globalThis.speechSynthesis?.cancel();
  return on;
}

/** Says something once; what is still being said is broken off, for it is out of date. */
export function say(text) {
  if (!on || text === last || !globalThis.speechSynthesis) return;
  last = text;
  const speech = new SpeechSynthesisUtterance(text);
  speech.lang = { en: "en-GB", ru: "ru-RU" }[language];
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
