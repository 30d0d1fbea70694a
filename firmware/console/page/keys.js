// Keys under an entry, so that nothing needs a keyboard: letters for a name, digits for a number.

import { el } from "./dom.js";
import { say, tongue } from "./words.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTS = { it: "ÀÈÉÌÒÙ", en: "ÉÖÜÑ" };

// The keys of an entry: each types at its end, and notifies the entry.
function keys(entry, texts, name, most) {
  const put = (text) => {
    entry.value = text.slice(0, most);
    entry.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const key = (text, shown = text) => el("button", { type: "button", class: "typing-key", "data-type": text, "aria-label": text === " " ? say("key-space") : null, onclick: () => put(entry.value + cased(entry.value, text)) }, shown);
  const rub = el("button", { type: "button", class: "typing-key", "data-type": "rub", "aria-label": say("pad-rub"), onclick: () => put(entry.value.slice(0, -1)) }, "⌫");
  return el("div", { class: `typing ${name}`, role: "group", "aria-label": say("keys") }, [...texts].map((text) => key(text, text === " " ? "␣" : text)), rub);
}

// Names begin with a capital letter, also after a space.
const cased = (before, text) => (before === "" || before.endsWith(" ") ? text : text.toLowerCase());

export const letterKeys = (entry) => keys(entry, `${LETTERS}${ACCENTS[tongue()] ?? ""} `, "letters", entry.maxLength);

// Digits that appear under a number once it is touched: one set of keys at a time on a page.
export function digitKeys(entry) {
  const place = el("div", { class: "digits-place" });
  const show = () => {
    for (const other of document.querySelectorAll(".digits-place")) if (other !== place) other.replaceChildren();
    if (!place.firstChild) place.append(keys(entry, "1234567890", "digits", 9));
  };
  entry.addEventListener("focus", show);
  return place;
}
