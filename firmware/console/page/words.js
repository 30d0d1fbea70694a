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

export const clock = (seconds) =>
  seconds === null
    ? ""
    : new Date(seconds * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
