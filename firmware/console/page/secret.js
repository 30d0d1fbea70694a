// The secret rule: tried on every card, then sealed. Only the dealer sees this page.

import { el, redraw } from "./dom.js";
import { get, post } from "./net.js";
import { say } from "./words.js";

const SUITS = [["C", "♣"], ["D", "♦"], ["H", "♥"], ["S", "♠"]];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
const HELP = 7;

export async function secretView(live) {
  const form = await get("/api/secret");
  if (!form.has) return { node: el("div", { class: "page" }, el("h1", {}, say("nav-secret")), el("p", { class: "note" }, say("secret-none"))) };
  const rule = el("input", { id: "rule", name: "rule", maxlength: 400, autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true });
  const after = el("input", { id: "after", name: "after", maxlength: 400, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", value: form.after });
  const says = el("p", { class: "note", role: "alert", id: "secret-says" });
  const table = el("div", { id: "trial", "aria-live": "polite" });
  const seal = el("button", { class: "primary", id: "seal" }, say("secret-seal"));
  const waits = el("p", { class: "fine" }, say("secret-not-now"));
  const wanted = (now) => {
    seal.disabled = !now;
    waits.hidden = now;
  };
  const told = (error) => {
    says.textContent = error.why === "message" ? error.says : say(`refused-${error.why}`);
  };
  let shown = "";
  const attempt = async (event) => {
    event?.preventDefault();
    says.textContent = "";
    shown = rule.value;
    try {
      redraw(table, trialTable(await post("/api/secret/try", { rule: rule.value, after: after.value.toUpperCase() })));
    } catch (error) {
      redraw(table);
      told(error);
    }
  };
  // The first press says how the rule was understood, the second one seals it.
  const send = async () => {
    if (shown !== rule.value) return attempt();
    says.textContent = "";
    try {
      await post("/api/secret", { rule: rule.value });
      rule.value = "";
      redraw(table);
      location.hash = "#/";
    } catch (error) {
      told(error);
    }
  };
  seal.addEventListener("click", send);
  seal.type = "button";
  const take = (text) => {
    rule.value = text;
    attempt();
  };
  const presets = form.presets.map((one) => el("button", { type: "button", class: "preset", "data-key": one.name, onclick: () => take(one.text) }, say(`preset-${one.name}`)));
  const hear = ({ detail }) => wanted(detail.secret === true);
  live.addEventListener("picture", hear);
  wanted(live.newest.picture ? live.newest.picture.secret === true : form.wanted);
  return {
    leave: () => live.removeEventListener("picture", hear),
    node: el(
      "div",
      { class: "page secret" },
      el("h1", {}, say("nav-secret")),
      el("p", { class: "note" }, say("secret-says")),
      el("div", { class: "presets", role: "group", "aria-label": say("secret-presets") }, presets),
      el(
        "form",
        { id: "secret", onsubmit: attempt },
        el("label", { class: "field" }, el("span", {}, say("secret-rule")), rule),
        el("label", { class: "field" }, el("span", {}, say("secret-after")), after),
        says,
        el("div", { class: "fields" }, el("button", { id: "try" }, say("secret-try")), seal),
        waits,
      ),
      table,
      el("details", {}, el("summary", {}, say("secret-help")), el("ul", {}, Array.from({ length: HELP }, (_, place) => el("li", {}, say(`secret-help-${place + 1}`))))),
    ),
  };
}

// Every card, and whether it would be right.
function trialTable(found) {
  const right = new Set(found.right);
  const cell = (card) =>
    right.has(card)
      ? el("td", { class: "right", "data-card": card, "aria-label": say("secret-right") }, "✓")
      : el("td", { class: "wrong", "data-card": card, "aria-label": say("secret-wrong") }, "✕");
  return el(
    "table",
    { class: "trial" },
    el("caption", {}, el("strong", {}, found.says), el("br", {}), say("secret-trial", { line: found.after.join(" "), count: found.right.length })),
    el("thead", {}, el("tr", {}, el("td", {}), RANKS.map((rank) => el("th", { scope: "col" }, rank === "T" ? "10" : rank)))),
    el("tbody", {}, SUITS.map(([suit, sign]) => el("tr", {}, el("th", { scope: "row" }, sign), RANKS.map((rank) => cell(`${rank}${suit}`))))),
  );
}
