// The evening in pictures: what each seat has after each hand, wins and swings, length of hands.

import { el, plain, signed } from "./dom.js";
import { get, post } from "./net.js";
import { clock, say } from "./words.js";

export async function eveningView(writes = false) {
  const evening = await get("/api/evening");
  const heading = el("h1", {}, say("nav-evening"));
  if (!evening.rows.length) return { node: el("div", { class: "page evening" }, heading, el("p", { class: "note" }, say("no-hands"))) };
  const picture = el("img", { class: "chart", src: `/api/evening.svg?${evening.rows.length}`, alt: say("evening-chart") });
  const save = (href, file, label) => el("a", { class: "button", href, download: file }, label);
  return {
    node: el(
      "div",
      { class: "page evening" },
      heading,
      picture,
      el("div", { class: "choices no-print" }, save("/api/evening.csv", "evening.csv", say("evening-csv")), save("/api/evening.svg", "evening.svg", say("evening-svg")), save("/api/record", "record.txt", say("export-all"))),
      writes && ending(),
      seatTable(evening),
      handTable(evening),
    ),
  };
}

// Ends the evening, after asking for confirmation.
function ending() {
  const says = el("p", { class: "note", role: "alert" });
  const end = () =>
    post("/api/evening/end").then(
      () => (location.hash = "#/"),
      (error) => (says.textContent = error.says || say(`refused-${error.why}`)),
    );
  const ask = () => {
    says.replaceChildren(say("evening-end-sure"), " ", el("button", { type: "button", id: "evening-end-now", onclick: end }, say("evening-end")));
    says.querySelector("button").focus();
  };
  return el("div", { class: "no-print" }, el("button", { type: "button", id: "evening-end", onclick: ask }, say("evening-end")), says);
}

function seatTable({ swings, rows, names, seats }) {
  const last = rows.at(-1).standing;
  const head = [say("evening-seat"), say("evening-now"), say("evening-best"), say("evening-worst")].map((text) => el("th", { scope: "col" }, text));
  const swing = (amount, hand) => (hand ? `${signed(amount)} (${say("hand", { number: hand })})` : "–");
  const body = seats.map((seat, place) => {
    const one = swings[place];
    return el("tr", {}, el("th", { scope: "row" }, names[seat]), el("td", {}, plain(last[seat] ?? 0)), el("td", {}, swing(one.best, one.best_hand)), el("td", {}, swing(one.worst, one.worst_hand)));
  });
  return el("div", { class: "wide-table" }, el("table", { class: "evening-seats" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
}

function handTable({ rows, seats, names }) {
  const head = [say("evening-hand"), ...seats.map((seat) => names[seat]), say("evening-minutes"), say("evening-corrections"), say("evening-questions")];
  const body = rows.toReversed().map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: `#/hands/${row.hand}` }, String(row.hand)), clock(row.began) && el("span", { class: "fine" }, ` ${clock(row.began)}`)),
      seats.map((seat) => el("td", {}, seat in row.change ? signed(row.change[seat]) : "")),
      el("td", {}, (row.seconds / 60).toFixed(1)),
      el("td", {}, String(row.corrections + row.undone)),
      el("td", {}, String(row.questions)),
    ),
  );
  return el("div", { class: "wide-table" }, el("table", { class: "evening-hands" }, el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, body)));
}
