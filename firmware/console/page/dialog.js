// The one dialog: a card, a place, or why.

import { cardPicture } from "./cards.js";
import { el } from "./dom.js";
import { get, post } from "./net.js";
import { clock, say } from "./words.js";

const dialog = document.getElementById("dialog");
const FIRST = 6; // candidates shown large
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

export const closeDialog = () => dialog.open && dialog.close();

export function openDialog(title, ...parts) {
  const close = el("button", { class: "quiet close", onclick: () => dialog.close() }, say("close"));
  const heading = el("h2", { id: "dialog-title", tabindex: -1, autofocus: true }, title);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.replaceChildren(el("div", { class: "dialog-head" }, heading, close), ...parts.flat(Infinity).filter(Boolean));
  if (!dialog.open) dialog.showModal();
  heading.focus();
}

const refusedText = (error) =>
  error.says || say(`refused-${error.why}`, { seconds: error.says });

async function ask(title, question, draw) {
  try {
    draw(await question);
  } catch (error) {
    openDialog(title, el("p", { class: "note" }, refusedText(error)));
  }
}

// Cards to choose from, the likeliest first and larger, all others one more touch away.
function choices(cards, choose) {
  const button = (card, large) =>
    el(
      "button",
      { class: large ? "choice large" : "choice", "aria-label": card.label, "data-choice": card.card, onclick: () => choose(card) },
      cardPicture(card.card),
    );
  const likely = cards.slice(0, FIRST);
  const others = cards.slice(FIRST);
  return [
    el("div", { class: "choices" }, likely.map((card) => button(card, true))),
    others.length > 0 && el("details", { class: "others" }, el("summary", {}, say("other-cards")), el("div", { class: "choices row" }, others.map((card) => button(card, false)))),
  ];
}

export function cardDialog(spot, place, live, writes) {
  const query = new URLSearchParams({ spot, place });
  ask(say("card"), get(`/api/card?${query}`), (told) => mend(told, live, writes));
}

export function actDialog(number, live, writes) {
  ask(say("last-acts"), get(`/api/acts/${number}`), (told) => mend(told, live, writes));
}

// An act with its cards, each with what it may be instead.
function mend(told, live, writes) {
  const correct = (other) => {
    live.send({ do: "correct", ...told.change, line: other.line });
    dialog.close();
  };
  const several = told.cards.length > 1;
  const card = (one) => [several && el("h3", {}, one.label), choices(one.candidates, correct)];
  // What the camera saw is next to the question, and above the many cards on a small screen.
  const asks = writes && told.cards.length > 0;
  openDialog(
    told.label,
    asks && [el("div", { class: "asked" }, pictures(told.why?.pictures ?? []), el("p", { class: "note" }, say("which-card"))), el("button", { class: "was-right", onclick: closeDialog }, say("was-right")), told.cards.map(card)],
    writes && !told.why && el("p", { class: "note" }, say("no-correction")),
    told.why && whyParts(told.why, !asks),
  );
}

export function missingDialog(spot) {
  const query = new URLSearchParams({ spot });
  ask(say("add-card"), get(`/api/missing?${query}`), (found) => {
    const add = async (card) => {
      dialog.close();
      try {
        await post("/api/add", { spot, card: card.card });
      } catch (error) {
        openDialog(say("add-card"), el("p", { class: "note" }, refusedText(error)));
      }
    };
    openDialog(
      say("add-at", { spot: found.label }),
      el("p", { class: "note" }, say("which-missed")),
      suits(found.cards, add),
    );
  });
}

// All cards that have not been seen yet, one row per suit.
function suits(cards, choose) {
  const rows = new Map();
  for (const card of cards) {
    const suit = card.card.slice(-1);
    rows.set(suit, [...(rows.get(suit) ?? []), card]);
  }
  return [...rows.values()].map((row) =>
    el(
      "div",
      { class: "choices row" },
      row.map((card) =>
        el(
          "button",
          { class: "choice", "aria-label": card.label, "data-choice": card.card, onclick: () => choose(card) },
          cardPicture(card.card),
        ),
      ),
    ),
  );
}

// Why.

export function whyDialog(hand, number) {
  ask(say("why"), get(`/api/why/${hand}/${number}`), (why) =>
    openDialog(say("why"), whyParts(why)),
  );
}

function whyParts(why, pictured = true) {
  return el(
    "div",
    { class: "why" },
    actPart(why, pictured),
    why.violations.map((violation) => violationPart(violation, why.number)),
    section("why-called", why.calls),
    section("why-paid", why.paid),
    section("why-waited", why.waited),
    el(
      "details",
      {},
      el("summary", {}, say("house-rules")),
      el("ul", {}, why.house.map((rule) => el("li", {}, rule.says, " ", el("b", {}, rule.value)))),
    ),
  );
}

const section = (name, lines) =>
  lines.length > 0 && [el("h3", {}, say(name)), el("ul", {}, lines.map((line) => el("li", {}, line)))];

const actPart = (act, pictured = true) =>
  el(
    "section",
    { class: "act" },
    el("p", {}, el("b", {}, act.number, "."), " ", act.words),
    el("p", { class: "fine" }, origin(act)),
    pictured && pictures(act.pictures),
  );

export function origin(act) {
  const [who, seat] = (act.by ?? "").split(" ");
  const by = act.implied ? "by-implied" : who ? `by-${who}` : "by-unknown";
  const parts = [say(by, { seat }), clock(act.time)];
  if (act.was) parts.push(say("was", { act: act.was }));
  return parts.filter(Boolean).join(" · ");
}

const pictures = (shown) =>
  shown.length > 0 &&
  el(
    "div",
    { class: "crops" },
    shown.map((one) =>
      el("img", {
        src: `/api/crops/${one.crop}`,
        alt: one.label ? say("picture-of", { card: one.label }) : say("picture"),
        onerror: (event) => event.target.replaceWith(el("span", { class: "fine" }, say("expired"))),
      }),
    ),
  );

// The acts behind a violation, except the one already shown.
const violationPart = (violation, told) =>
  el(
    "section",
    { class: "violation" },
    el("p", { class: "says" }, violation.text),
    violation.says && el("p", {}, violation.says),
    el("p", { class: "fine" }, violation.ruling ? say(`ruling-${violation.ruling}`) : say("ruling-open")),
    violation.acts.filter((act) => act.number !== told).map((act) => actPart(act)),
  );
