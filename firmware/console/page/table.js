// The table as it is now: the felt, the prompt, the buttons, the score, and what came last.

import { actDialog, cardDialog, closeDialog, missingDialog, whyDialog } from "./dialog.js";
import { apart, el, part, renew } from "./dom.js";
import { felt, worth } from "./felt.js";
import { Pad } from "./pad.js";
import { Panel } from "./panel.js";
import { limitsText, say } from "./words.js";

const KEYS = { o: "ok", f: "fix", h: "hold" };
const SURE_MS = 4000; // how long "sure?" waits for the second touch

export function tableView(live, writes) {
  const view = new TableView(live, writes);
  return { node: view.node, leave: () => view.leave() };
}

class TableView {
  constructor(live, writes) {
    Object.assign(this, { live, writes });
    this.panel = new Panel((button, held) => this.#press(button, held));
    this.pad = new Pad((line, sure = false) => live.send({ do: "type", line, sure }));
    const place = (name, attributes = {}) => el("div", { class: name, ...attributes });
    const [prompt, options, feltPlace] = [place("prompt", { role: "status", "aria-live": "assertive" }), place("options"), place("felt-place")];
    const [notes, facts, score, acts] = [place("notes"), place("facts"), place("score"), place("acts")];
    this.draw = {
      prompt: part(prompt, (p) => this.#prompt(p)),
      options: part(options, (o) => this.#options(o)),
      pad: part(this.pad.node, (shown) => this.pad.show(shown), () => {}),
      felt: part(feltPlace, (s) => this.#felt(s), renew),
      notes: part(notes, (n) => this.#notes(n)),
      facts: part(facts, (lines) => factList(lines)),
      score: part(score, (s) => this.#score(s)),
      acts: part(acts, (lines) => this.#acts(lines)),
    };
    const tools = writes && el("div", { class: "tools" }, this.#undo(), this.#line());
    this.node = el(
      "div",
      { class: "table-view" },
      el("h1", { class: "unseen" }, say("nav-table")),
      el("div", { class: "ask" }, prompt, options, writes && this.pad.node, writes && this.panel.node),
      feltPlace,
      el("div", { class: "side" }, notes, facts, score, acts, tools),
    );
    this.hear = () => this.show();
    for (const kind of ["picture", "floor"]) live.addEventListener(kind, this.hear);
    this.key = (event) => this.#key(event);
    addEventListener("keydown", this.key);
    this.show();
  }

  leave() {
    for (const kind of ["picture", "floor"]) this.live.removeEventListener(kind, this.hear);
    removeEventListener("keydown", this.key);
    closeDialog();
  }

  show() {
    const { picture, floor } = this.live.newest;
    if (!picture || !floor) return;
    this.shown = picture;
    this.node.classList.toggle("first", picture.hand === 0);
    this.panel.show(picture.lamps, picture.ok);
    const said = picture.warnings.find((one) => one.text === picture.sentence);
    this.draw.prompt({ sentence: picture.sentence, lamps: picture.lamps, found: said?.found ?? null, hand: picture.hand });
    this.draw.options({ options: picture.options, first: picture.hand === 0, game: picture.game });
    const asked = picture.options.length > 0; // one question at a time
    this.draw.pad({ keys: asked ? [] : picture.pad, others: asked ? [] : picture.others, count: `${picture.hand} ${picture.count}` });
    this.draw.felt({ floor, spots: picture.spots, seats: picture.seats });
    const warnings = picture.warnings.filter((one) => one !== said);
    this.draw.notes({ calls: picture.calls, warnings, hand: picture.hand, count: picture.count });
    this.draw.facts(picture.facts);
    this.draw.score({ seats: picture.seats });
    this.draw.acts(picture.acts);
    this.node.dataset.moment = `${picture.hand} ${picture.count}`;
  }

  #prompt({ sentence, lamps, found, hand }) {
    const grave = Object.values(lamps).includes("fast");
    const sign = grave && el("span", { class: "sign", "aria-hidden": "true" }, "! ");
    return el("p", { class: grave ? "sentence grave" : "sentence" }, sign, sentence, " ", found !== null && whyButton(hand, found));
  }

  // Before the first hand there is a way back, and more choices on pages of their own.
  #options({ options, first, game }) {
    if (!options.length) return [];
    const choose = (option) => this.live.send({ do: "choose", option });
    const back = first && game && this.writes && el("button", { class: "quiet", "data-key": "step back", onclick: () => this.live.send({ do: "undo" }) }, `‹ ${say("back")}`);
    return [el(
      "ol",
      { class: "menu", "aria-label": say("options") },
      options.map((option, place) =>
        el("li", {}, el("button", { "data-key": `option ${option}`, class: place ? "quiet" : "first", disabled: !this.writes, onclick: () => choose(option) }, option)),
      ),
    ), back];
  }

  #felt({ floor, spots, seats }) {
    const on = { card: (spot, place) => cardDialog(spot, place, this.live, this.writes) };
    if (this.writes) on.spot = (spot) => missingDialog(spot);
    return felt(floor, { spots, seats }, on);
  }

  #notes({ calls, warnings, hand, count }) {
    return [
      warnings.map((one) => el("p", { class: "warning" }, el("span", { class: "sign", "aria-hidden": "true" }, "! "), one.text, " ", one.found !== null && whyButton(hand, one.found))),
      calls.map((text, place) => el("p", { class: "call" }, text, " ", place === 0 && count > 0 && whyButton(hand, count))),
    ];
  }

  // Partners share what they score: they have one row.
  #score({ seats }) {
    const shown = { seats };
    const rows = seats.filter((seat) => seat.money !== null || seat.score !== null);
    if (!rows.length) return [];
    const name = (seat) => seat.player || seat.name;
    const partners = (seat) => seats.filter((one) => one.team !== null && one.team === seat.team && worth(one, shown) === worth(seat, shown));
    const first = (seat) => seat.team === null || partners(seat)[0] === seat;
    const names = (seat) => (seat.team === null ? name(seat) : partners(seat).map(name).map(apart).join(" + "));
    const awaited = (seat) => seat.awaited || (seat.team !== null && partners(seat).some((one) => one.awaited));
    return [
      el("h2", {}, say("score")),
      el("dl", {}, rows.filter(first).map((seat) => el("div", { class: awaited(seat) ? "awaited" : "" }, el("dt", {}, names(seat)), el("dd", {}, worth(seat, shown))))),
    ];
  }

  #acts(acts) {
    if (!acts.length) return [];
    const row = (act) =>
      el(
        "li",
        { class: act.number < 1 ? "before" : "" },
        el("button", { class: "act-row", "data-key": `act ${act.number}`, title: act.line, disabled: act.number < 1, onclick: () => actDialog(act.number, this.live, this.writes) }, act.words),
      );
    return [el("h2", {}, say("last-acts")), el("ol", { class: "act-list" }, acts.toReversed().map(row))];
  }

  // Two touches: the first says what would be taken back.
  #undo() {
    let timer = 0;
    let seen;
    const rest = () => {
      clearTimeout(timer);
      timer = 0;
      this.undo.textContent = say("undo");
      this.undo.classList.remove("sure");
    };
    const touched = () => {
      const last = this.shown?.acts.at(-1);
      if (!last) return;
      if (timer) {
        rest();
        this.live.send({ do: "undo", seen });
        return;
      }
      seen = actsOf(this.live.newest.picture);
      this.undo.textContent = say("undo-sure", { act: last.words });
      this.undo.classList.add("sure");
      timer = setTimeout(rest, SURE_MS);
    };
    this.undo = el("button", { id: "undo", onclick: touched }, say("undo"));
    return this.undo;
  }

  #line() {
    const input = el("input", { id: "act-line", name: "line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: say("type-example"), maxlength: 400 });
    const typed = (event) => {
      event.preventDefault();
      if (input.value.trim() && this.live.send({ do: "type", line: input.value.trim() })) input.value = "";
    };
    return el("form", { class: "line", onsubmit: typed }, el("label", { for: "act-line" }, say("type-act")), input, el("button", { class: "quiet" }, say("send")));
  }

  #key(event) {
    const busy = event.target.closest?.("input, select, textarea, dialog");
    const button = KEYS[event.key.toLowerCase()];
    if (busy || !button || !this.writes || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    this.#press(button, event.shiftKey);
  }

  // With what was seen: another dealer may press at the same time. A held button outlasts the
  // question.
  #press(button, held) {
    const picture = this.live.newest.picture;
    this.live.send({ do: "press", button, held, seen: held ? actsOf(picture) : picture?.moment });
  }
}

const actsOf = (picture) => picture && `${picture.hand} ${picture.count}`;

const factList = (lines) => (lines.length ? [el("ul", { class: "fact-list" }, lines.map((line) => el("li", {}, line)))] : []);

const whyButton = (hand, number) =>
  el("button", { class: "quiet why-button", "data-key": `why ${number}`, onclick: () => whyDialog(hand, number) }, say("why"));

// A big, quiet view for spectators.
export function watchView(live) {
  const sentence = el("div", { class: "watch-sentence", role: "status", "aria-live": "polite" });
  const place = el("div", { class: "felt-place" });
  const facts = el("div", { class: "facts" });
  const title = el("div", { class: "watch-title" });
  const draw = {
    title: part(title, (p) => [el("b", {}, p.title), ...[p.hand > 0 && say("hand", { number: p.hand }), p.limits && limitsText("limits-short", p.limits)].filter(Boolean).map((text) => el("span", {}, text))]),
    facts: part(facts, (lines) => factList(lines)),
    sentence: part(sentence, (p) => el("p", { class: p.grave ? "grave" : "" }, p.text)),
    felt: part(place, (s) => felt(s.floor, s), renew),
  };
  const show = () => {
    const { picture, floor } = live.newest;
    if (!picture || !floor) return;
    const grave = picture.warnings.length > 0;
    draw.sentence({ text: grave ? picture.warnings[0].text : (picture.calls[0] ?? picture.sentence), grave });
    draw.title({ title: picture.title, hand: picture.hand, limits: picture.limits });
    draw.facts(picture.facts);
    draw.felt({ floor, spots: picture.spots, seats: picture.seats });
  };
  for (const kind of ["picture", "floor"]) live.addEventListener(kind, show);
  show();
  return {
    node: el("div", { class: "watch-view" }, el("h1", { class: "unseen" }, say("nav-watch")), title, place, facts, sentence, el("a", { class: "quiet back", href: "#/" }, say("back"))),
    leave: () => ["picture", "floor"].forEach((kind) => live.removeEventListener(kind, show)),
  };
}
