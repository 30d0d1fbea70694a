// The labels of the page, in the table's language.

import { get } from "./net.js";

let page = {};
let language = "en";

export async function loadWords() {
  const words = await get("/api/words");
  page = words.page;
  language = words.language;
  document.documentElement.lang = language;
}

export const tongue = () => language;

// The label of that name, with {values} filled in.
export const say = (name, values = {}) =>
  (page[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

const UNBOUNDED = 999999999; // the largest number in a record: no limit for any table

// Limits with a label of that name, or the label for no limits.
export const limitsText = (name, [least, greatest]) =>
  greatest >= UNBOUNDED ? say("limits-none") : say(name, { least, greatest });

// A simulated table counts its seconds from zero: such times are not shown.
const FIRST_REAL = 1e9;

export const clock = (seconds) =>
  seconds === null || seconds < FIRST_REAL
    ? ""
    : new Date(seconds * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
