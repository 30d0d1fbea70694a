// The floor: all tables at a glance, those that need somebody first.

import { el, part, renew } from "./dom.js";
import { post } from "./net.js";
import { say } from "./words.js";

// Each status has its own sign and word besides its colour.
const SIGNS = { still: "✕", trouble: "!", gone: "⚡", asks: "?", playing: "▶", waiting: "·", closed: "○" };
const AWAY = ["gone", "closed"];
const LASTING = ["still", "trouble", "gone", "asks"]; // statuses whose duration is worth knowing
const MINUTE = 60;
const DAY = 1440; // minutes: a longer time comes from a table whose clock is wrong
const REFRESH_MS = 15000;

export function floorView(live, writes) {
  const list = el("div");
  const says = el("p", { class: "note", role: "status" });
  const cards = ({ tables }) => el("ul", { class: "floor-list" }, tables.map((table) => tableCard(table, writes)));
  const draw = part(list, cards, renew); // an unchanged table stays under the finger
  const told = part(says, (text) => el("span", {}, text));
  const show = () => {
    const message = live.newest.tables;
    if (!message) return;
    draw({ tables: message.tables, minute: Math.floor(Date.now() / REFRESH_MS) });
    told(message.broker || (message.tables.length ? say("floor-count", { count: message.tables.length }) : say("floor-none")));
    says.classList.toggle("refused", Boolean(message.broker));
  };
  live.addEventListener("tables", show);
  const timer = setInterval(show, REFRESH_MS);
  show();
  return {
    node: el("div", { class: "floor-view" }, el("h1", { class: "unseen" }, say("nav-floor")), says, list),
    leave: () => {
      clearInterval(timer);
      live.removeEventListener("tables", show);
    },
  };
}

function tableCard(table, writes) {
  const away = AWAY.includes(table.status);
  return el(
    "li",
    { class: `floor-table ${table.status}`, "data-table": table.table, "data-status": table.status },
    el(
      "div",
      { class: "floor-head" },
      el("h2", {}, table.name),
      el("span", { class: "floor-status" }, el("span", { class: "floor-sign", "aria-hidden": "true" }, SIGNS[table.status]), say(`status-${table.status}`), lasting(table)),
    ),
    el("p", { class: "floor-game" }, table.title, el("span", {}, say("floor-hand", { number: table.hand }))),
    !away && table.waits && el("p", { class: "floor-waits" }, table.waits),
    !away && table.awaited.length > 0 && el("p", { class: "floor-seats", "aria-hidden": "true" }, table.awaited.map((seat) => el("span", {}, seat))),
    !away && table.trouble.map((text) => el("p", { class: "floor-trouble" }, text)),
    writes && away && el("button", { class: "quiet", "data-key": `forget ${table.table}`, onclick: () => post("/api/forget", { table: table.table }).catch(() => {}) }, say("floor-forget")),
  );
}

function lasting(table) {
  const minutes = Math.floor((Date.now() / 1000 - table.since) / MINUTE);
  const worth = LASTING.includes(table.status) && minutes >= 1 && minutes < DAY;
  return worth && el("span", { class: "floor-since" }, say("floor-since", { minutes }));
}
