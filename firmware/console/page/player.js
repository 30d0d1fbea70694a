// A player's own page: sitting down with a seat's code, and what they may say, in large keys.

import { el, part, renew } from "./dom.js";
import { felt, worth } from "./felt.js";
import { letterKeys } from "./keys.js";
import { post } from "./net.js";
import { Pad } from "./pad.js";
import { say } from "./words.js";

// What follows a scanned code: "3-abcd" sits down at seat 3.
export async function sitView(code, onSeated) {
  const [seat, secret] = code.split("-");
  const says = el("div", { class: "sit", role: "status", "aria-live": "polite" });
  const page = el("div", { class: "page player-sit" }, el("h1", {}, say("sit-at", { seat })), says);
  const sit = async (also) => {
    try {
      onSeated(await post("/api/sit", { seat: Number(seat), code: secret ?? "", also }));
    } catch (error) {
      says.replaceChildren(...refused(error));
    }
  };
  const refused = (error) => {
    if (error.why !== "taken") return [el("p", { class: "note refused", role: "alert" }, say(`refused-${error.why}`, { seconds: error.says })), elsewhere()];
    return [
      el("p", {}, error.says ? say("taken-by", { name: error.says }) : say("taken")),
      el("div", { class: "choices" }, el("button", { id: "sit-too", class: "primary", onclick: () => sit(true) }, say("sit-too")), elsewhere()),
    ];
  };
  const elsewhere = () => el("a", { class: "button", href: "#/" }, say("sit-not"));
  await sit(false);
  return { node: page };
}

export function nameView(name, onNamed) {
  const says = el("p", { class: "note refused", role: "alert" });
  const input = el("input", { id: "player-name", name: "name", maxlength: 16, autocomplete: "given-name", autocapitalize: "words", value: name });
  const send = async (event) => {
    event.preventDefault();
    const called = input.value.trim();
    try {
      if (called) await post("/api/name", { name: called });
      onNamed(called);
    } catch (error) {
      says.textContent = error.why === "message" ? say("name-refused") : say(`refused-${error.why}`);
    }
  };
  return {
    node: el(
      "form",
      { class: "page player-name", onsubmit: send },
      el("h1", {}, say("player-name")),
      el("label", { for: "player-name" }, say("player-name-says")),
      input,
      letterKeys(input),
      says,
      el("div", { class: "choices" }, el("button", { class: "primary" }, say("player-here")), el("a", { class: "button", id: "no-name", href: "#/" }, say("player-no-name"))),
    ),
  };
}

export function playerView(live) {
  const place = (name, attributes = {}) => el("div", { class: name, ...attributes });
  const turn = place("player-turn", { role: "status", "aria-live": "assertive" });
  const [score, notes, table, facts] = [place("player-score"), place("notes"), place("felt-place"), place("facts")];
  const send = (line) => {
    const { hand, count } = live.newest.picture;
    live.send({ do: "say", line, hand, count });
  };
  const pad = new Pad(send);
  const draw = {
    turn: part(turn, (t) => turnShown(t)),
    score: part(score, (s) => scoreShown(s)),
    notes: part(notes, (n) => [...n.warnings.map((one) => el("p", { class: "warning" }, one.text)), ...n.calls.map((one) => el("p", { class: "call" }, one))]),
    pad: part(pad.node, (shown) => pad.show(shown), () => {}),
    felt: part(table, (s) => felt(s.floor, s), renew),
    facts: part(facts, (lines) => lines.map((line) => el("p", {}, line))),
  };
  const show = () => {
    const { picture, floor } = live.newest;
    if (!picture || !floor || !picture.seat) return;
    const seat = picture.seats.find((one) => one.seat === picture.seat);
    const words = picture.pad.length > 0;
    draw.turn({ seat: picture.seat, name: seat?.player, there: Boolean(seat), mine: Boolean(seat?.awaited), words, speaks: picture.speaks, sentence: picture.sentence });
    draw.score({ seat, seats: picture.seats, limits: picture.limits });
    draw.notes({ warnings: picture.warnings, calls: picture.calls });
    draw.pad({ keys: picture.pad, others: [], count: `${picture.hand} ${picture.count}` });
    draw.felt({ floor, spots: picture.spots, seats: picture.seats });
    draw.facts(picture.facts);
  };
  for (const kind of ["picture", "floor"]) live.addEventListener(kind, show);
  show();
  return {
    node: el("div", { class: "player-view" }, turn, pad.node, score, notes, facts, table),
    leave: () => {
      for (const kind of ["picture", "floor"]) live.removeEventListener(kind, show);
    },
  };
}

function turnShown({ seat, name, there, mine, words, speaks, sentence }) {
  const says = !there ? say("player-not-playing") : !speaks ? say("player-silent") : words ? say(mine ? "player-turn" : "player-may") : say(mine ? "player-plays" : "player-waits");
  return [
    el("p", { class: "player-who" }, name || say("seat", { number: seat }), name && el("span", { class: "fine" }, ` · ${say("seat", { number: seat })}`), " ", el("a", { class: "fine", href: "#/name" }, say("player-rename"))),
    el("p", { class: mine && there ? "player-says mine" : "player-says" }, says),
    el("p", { class: "sentence" }, sentence),
  ];
}

function scoreShown({ seat, seats, limits }) {
  if (!seat) return [];
  const parts = [];
  const own = worth(seat, { seats });
  if (own) parts.push(own);
  if (limits) parts.push(say("limits", { least: limits[0], greatest: limits[1] }));
  return parts.map((text) => el("span", {}, text));
}
