// Read the translation aloud, by a voice of the browser's own that speaks its language.

import { t } from "../strings.js";
import * as result from "./result.js";
import { onResult, wanted } from "./translate.js";

const button = document.getElementById("listen");
const words = button.querySelector("span");
const speech = globalThis.speechSynthesis;

const voiceFor = (code) =>
  speech?.getVoices().find(({ lang, localService }) => localService && lang.split(/[-_]/)[0] === code.split("-")[0]);

function update() {
  const isSpeaking = Boolean(speech?.speaking);
  button.hidden = result.count() === 0 || !voiceFor(wanted().target);
  words.textContent = t(isSpeaking ? "page.quiet" : "page.listen");
}

function speak() {
  if (speech.speaking) return speech.cancel();
  const spoken = new SpeechSynthesisUtterance(result.text());
  spoken.voice = voiceFor(wanted().target);
  spoken.lang = spoken.voice.lang;
  for (const event of ["start", "end", "error"]) spoken.addEventListener(event, update);
  return speech.speak(spoken);
}

/** Begin. */
export function begin() {
  button.addEventListener("click", speak);
  speech?.addEventListener?.("voiceschanged", update); // some browsers load them late
  onResult((found) => {
    speech?.cancel();
    button.disabled = !found;
    update();
  });
}
