// The dealer's page of players: who sits where, and the code of each seat to scan or to print.

import { closeDialog, openDialog } from "./dialog.js";
import { el } from "./dom.js";
import { letterKeys } from "./keys.js";
import { get, post } from "./net.js";
import { say } from "./words.js";

export async function playersView() {
  const node = el("div", { class: "page players" });
  const draw = async () => {
    const players = await get("/api/seats");
    node.replaceChildren(...parts(players, draw));
  };
  const timer = setInterval(() => document.hidden || draw().catch(() => {}), 3000);
  await draw();
  return { node, leave: () => clearInterval(timer) };
}

function parts(players, again) {
  const post_ = (path, value) => post(path, value).then(again);
  return [
    el("h1", {}, say("nav-players")),
    el("p", { class: "note no-print" }, say(players.on ? "players-says" : "players-off-says")),
    el(
      "div",
      { class: "choices no-print" },
      el("button", { id: "telephones", class: players.on ? "" : "primary", onclick: () => post_("/api/telephones", { on: !players.on }) }, say(players.on ? "telephones-off" : "telephones-on")),
      el("button", { id: "print-codes", onclick: () => print() }, say("print")),
      el("button", { id: "new-codes", class: "quiet", onclick: () => post_("/api/codes") }, say("new-codes")),
    ),
    el("div", { class: "seat-codes print" }, players.seats.map((seat) => seatCard(seat, post_))),
  ];
}

function seatCard(seat, post_) {
  const code = new DOMParser().parseFromString(seat.qr, "image/svg+xml").documentElement;
  const who = seat.name || (seat.telephones ? say("player-nameless") : say("player-nobody"));
  const many = seat.telephones > 1 ? ` · ${say("telephones-many", { count: seat.telephones })}` : "";
  return el(
    "section",
    { class: "seat-code", "data-seat": seat.seat, "data-url": seat.url },
    el("h2", {}, say("seat", { number: seat.seat })),
    document.importNode(code, true),
    el("p", { class: "no-print who" }, who, many),
    el("button", { class: "quiet no-print rename", "data-key": `name ${seat.seat}`, onclick: () => nameDialog(seat, post_) }, say("name-seat")),
    el("p", { class: "print-only" }, say("seat-code-says")),
    seat.telephones > 0 && el("button", { class: "quiet no-print free", onclick: () => post_("/api/free", { seat: seat.seat }) }, say("free-seat")),
  );
}

// The dealer names a player who has no telephone, letter by letter; nothing needs a keyboard.
function nameDialog(seat, post_) {
  const entry = el("input", { id: "seat-name", maxlength: 16, autocomplete: "off", value: seat.name, "aria-label": say("player-name-says") });
  const says = el("p", { class: "note refused", role: "alert" });
  const refused = (error) => (says.textContent = error.why === "message" ? say("name-refused") : say(`refused-${error.why}`));
  const send = (name) => post_("/api/seat-name", { seat: seat.seat, name }).then(closeDialog, refused);
  const submit = (event) => {
    event.preventDefault();
    send(entry.value.trim());
  };
  openDialog(
    say("seat", { number: seat.seat }),
    el("form", { class: "naming", onsubmit: submit }, entry, letterKeys(entry), says, el("div", { class: "choices" }, el("button", { class: "primary", id: "name-done" }, say("name-done")), el("button", { type: "button", id: "name-none", onclick: () => send("") }, say("player-no-name")))),
  );
}
