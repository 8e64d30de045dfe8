// Both sides read aloud, by a voice of the browser's own; one that would send the text elsewhere is none.

import * as result from "./result.js";
import { t } from "../strings.js";
import { current, onResult } from "./translate.js";

const speech = globalThis.speechSynthesis;
const buttons = [...document.querySelectorAll("[data-speak]")];
const baseOf = (code) => code.toLowerCase().split(/[-_]/)[0];

let speaking = null; // the button of the side that is read

const codeOf = (side, { from, target }) => (side === "text" ? target : from);
const voiceOf = (code) => speech.getVoices().find((voice) => voice.localService && baseOf(voice.lang) === baseOf(code));

/** Offer what can be read, or to stop. */
function draw() {
  const found = current();
  for (const button of buttons) {
    const label = t(button === speaking ? "page.speak_stop" : "page.speak");
    button.hidden = !found || !voiceOf(codeOf(button.dataset.speak, found));
    button.title = label;
    button.setAttribute("aria-label", label);
    button.classList.toggle("on", button === speaking);
  }
}

function stop() {
  speaking = null;
  speech.cancel();
  draw();
}

/** Read a side, sentence by sentence: browsers break off what is long. */
function read(button) {
  const { speak: side } = button.dataset;
  stop();
  speaking = button;
  const voice = voiceOf(codeOf(side, current()));
  const texts = result.sentences().map((sentence) => sentence[side]);
  const parts = texts.filter(Boolean).map((text) => new SpeechSynthesisUtterance(text));
  for (const part of parts) {
    Object.assign(part, { voice, lang: voice.lang });
    speech.speak(part);
  }
  if (parts.length) parts.at(-1).onend = () => speaking === button && stop();
  draw();
}

/** Begin, if the browser can speak. */
export function begin() {
  if (!speech) return;
  for (const button of buttons) button.addEventListener("click", () => (speaking === button ? stop() : read(button)));
  speech.addEventListener?.("voiceschanged", draw);
  onResult(stop);
  addEventListener("pagehide", stop);
}
