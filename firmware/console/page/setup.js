// Set-up: game, seats, limits, stacks, house rules and language, as they were last time.

import { el, redraw } from "./dom.js";
import { digitKeys } from "./keys.js";
import { get, post } from "./net.js";
import { limitsText, loadWords, say } from "./words.js";

export async function setupView() {
  return new SetUp(await get("/api/setup"));
}

const field = (label, input, note) =>
  el("div", { class: "field" }, el("label", { class: "field-label", for: input.id }, label), input, input.type === "number" && digitKeys(input), note && el("small", {}, note));

const select = (name, options, value) =>
  el("select", { name, id: name }, options.map(([key, label]) => el("option", { value: key, selected: String(key) === String(value) }, label)));

const numberInput = (name, value, least = 1, most = 999999999) =>
  el("input", { name, id: name, type: "number", inputmode: "numeric", min: least, max: most, value: value ?? "" });

class SetUp {
  constructor(form) {
    this.form = form;
    const { table, language } = form.now;
    this.game = table.game ?? form.games[0].name;
    this.seats = new Set(table.seats);
    this.own = el("div", { class: "own" });
    this.says = el("p", { class: "note", role: "alert", id: "set-up-says" });
    const games = select("game", form.games.map((game) => [game.name, game.title]), this.game);
    games.addEventListener("change", () => this.#choose(games.value));
    this.node = el(
      "div",
      { class: "page" },
      el("h1", {}, say("nav-setup")),
      el(
        "form",
        { id: "set-up", onsubmit: (event) => this.#send(event) },
        el("div", { class: "fields" }, field(say("game"), games), field(say("language"), select("language", form.languages.map((one) => [one, say(`language-${one}`)]), language)), this.#cards(form)),
        this.own,
        this.says,
        el("div", { class: "fields" }, el("button", { class: "primary", id: "begin" }, say("begin")), el("a", { class: "button", href: "#/sign" }, say("nav-sign"))),
      ),
    );
    this.#draw();
  }

  get rules() {
    return this.form.games.find((game) => game.name === this.game);
  }

  // What the camera sees: the deck in play, and the chips if any were taught.
  #cards({ decks, chips, now }) {
    const named = decks.map(({ name, taught }) => [name, taught ? name : say(`cards-${name}`)]);
    return [
      field(say("cards"), select("deck", [["", say("cards-any")], ...named], now.deck)),
      chips.length > 0 && field(say("chips-laid"), select("chips", [["", say("chips-none")], ...chips.map((name) => [name, name])], now.chips)),
    ];
  }

  // The usual limits take one touch; others are keyed in below them.
  #limits(table) {
    const [least, greatest] = [numberInput("least", table.limits?.[0]), numberInput("greatest", table.limits?.[1])];
    const choose = (pair) => {
      [least.value, greatest.value] = pair ?? ["", ""];
      mark();
    };
    const options = [[null, say("first-later")], ...this.form.limits.map((pair) => [pair, limitsText("limits-short", pair)])];
    const buttons = options.map(([pair, text]) => el("button", { type: "button", class: "limits-choice", "data-limits": (pair ?? []).join(" "), onclick: () => choose(pair) }, text));
    const mark = () => {
      const now = [least.value, greatest.value].join(" ").trim();
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.limits === now));
    };
    for (const entry of [least, greatest]) entry.addEventListener("input", mark);
    mark();
    return el("fieldset", { class: "limits-set" }, el("legend", {}, say("first-limits")), el("div", { class: "choices" }, buttons), el("div", { class: "fields" }, field(say("least"), least), field(say("greatest"), greatest)));
  }

  // Another game: its usual number of seats, and its own house rules.
  #choose(name) {
    this.game = name;
    const [least, most] = this.rules.players;
    const count = this.seats.size;
    if (count < least || count > most) {
      this.seats = new Set(Array.from({ length: Math.max(least, Math.min(most, 4)) }, (_, place) => place + 1));
    }
    this.#draw();
  }

  #draw() {
    const { table, stacks } = this.form.now;
    const same = table.game === this.game;
    const [least, most] = this.rules.players;
    redraw(
      this.own,
      el(
        "fieldset",
        {},
        el("legend", {}, say("seats")),
        el("p", { class: "fine" }, least === most ? say("seats-exactly", { least }) : say("seats-range", { least, most })),
        el("div", { class: "seats" }, Array.from({ length: Math.min(this.form.seats_most, Math.max(12, most)) }, (_, place) => this.#seat(place + 1))),
      ),
      el("div", { class: "fields" }, this.#role(table, same), field(say("level"), this.#levels(table.level))),
      this.#limits(table),
      table.level === "amounts" && el("fieldset", { class: "stacks" }, el("legend", {}, say("stacks")), el("div", { class: "fields" }, [...this.seats].sort((a, b) => a - b).map((seat) => field(say("seat", { number: seat }), numberInput(`stack-${seat}`, stacks[seat], 0))))),
      this.rules.variants.length > 0 && el("div", { class: "fields" }, field(say("variant"), this.#variants(same ? table.variant : ""))),
      this.rules.rules.length > 0 && el("fieldset", { class: "house" }, el("legend", {}, say("house-rules")), this.rules.rules.map((rule) => this.#rule(rule, same))),
    );
  }

  // A variant is a set of house rules: choosing one shows them, and each can still be changed.
  #variants(now) {
    const variants = select("variant", [["", say("variant-none")], ...this.rules.variants.map((one) => [one.name, one.label])], now);
    variants.addEventListener("change", () => {
      this.#keep();
      this.form.now.house_rules = {};
      this.#draw();
    });
    return variants;
  }

  // The value of a house rule unless somebody changes it.
  #usual(rule, variant) {
    return this.rules.variants.find((one) => one.name === variant)?.rules[rule.name] ?? rule.value;
  }

  #seat(number) {
    const toggle = (event) => {
      event.target.checked ? this.seats.add(number) : this.seats.delete(number);
      this.#keep();
      this.#draw();
    };
    return el("label", { class: "seat-box" }, el("input", { type: "checkbox", name: "seat", value: number, "data-key": `seat ${number}`, checked: this.seats.has(number), onchange: toggle }), el("span", {}, number));
  }

  // Chips are counted only if every amount is kept.
  #levels(value) {
    const levels = select("level", this.form.levels.map((level) => [level, say(`level-${level}`)]), value);
    levels.addEventListener("change", () => {
      this.#keep();
      this.#draw();
    });
    return levels;
  }

  // What was already typed survives a change of seats.
  #keep() {
    const sent = this.#chosen();
    this.form.now = { ...this.form.now, ...sent, table: { ...this.form.now.table, ...sent.table } };
  }

  #role(table, same) {
    const role = this.rules.banked ? "banker" : "dealer";
    const seats = [...this.seats].sort((a, b) => a - b).map((seat) => [seat, say("seat", { number: seat })]);
    return field(say(role), select(role, [["", say("first-seat")], ...seats], same ? table[role] : ""));
  }

  #rule(rule, same) {
    const { house_rules: house, table } = this.form.now;
    const now = (same && house[rule.name]) || this.#usual(rule, same && table.variant);
    const name = `rule-${rule.name}`;
    const input = rule.choices.length ? select(name, rule.choices.map((one) => [one.value, one.label]), now) : numberInput(name, now, 0);
    return field(rule.says, input);
  }

  #chosen() {
    const data = new FormData(this.node.querySelector("form"));
    const whole = (name) => (data.get(name) ? Number(data.get(name)) : null);
    const limits = whole("least") !== null && whole("greatest") !== null ? [whole("least"), whole("greatest")] : null;
    const stacks = {};
    const house = {};
    for (const seat of this.seats) if (whole(`stack-${seat}`) !== null) stacks[seat] = whole(`stack-${seat}`);
    for (const rule of this.rules.rules) {
      const value = data.get(`rule-${rule.name}`);
      if (value !== null && value !== "" && value !== this.#usual(rule, data.get("variant"))) house[rule.name] = value;
    }
    return {
      language: data.get("language"),
      table: { game: this.game, variant: data.get("variant") || null, seats: [...this.seats].sort((a, b) => a - b), dealer: whole("dealer"), banker: whole("banker"), limits, level: data.get("level") },
      stacks,
      house_rules: house,
      deck: data.get("deck"),
      chips: data.get("chips"),
    };
  }

  async #send(event, breakOff = false) {
    event?.preventDefault();
    this.says.textContent = "";
    try {
      await post("/api/setup", { ...this.#chosen(), break_off: breakOff });
      await loadWords();
      dispatchEvent(new Event("set-up"));
      location.hash = "#/";
    } catch (error) {
      if (error.why === "in-play") this.#sure();
      else this.says.textContent = error.says || say(`refused-${error.why}`);
    }
  }

  #sure() {
    this.says.replaceChildren(say("in-play-sure"), " ", el("button", { type: "button", id: "break-off", onclick: () => this.#send(null, true) }, say("break-off")));
    this.says.querySelector("button").focus();
  }
}

// The sign for the table, made from the settings in force.
export async function signView() {
  const sign = await get("/api/sign");
  return {
    node: el(
      "div",
      { class: "page sign" },
      el("article", { class: "print" }, el("h1", {}, sign.title), sign.limits && el("p", { class: "limits" }, limitsText("limits", sign.limits)), sign.rules.length > 0 && el("h2", {}, say("house-rules")), el("dl", {}, sign.rules.map((rule) => el("div", {}, el("dt", {}, rule.says), el("dd", {}, rule.value))))),
      el("button", { class: "primary no-print", onclick: () => print() }, say("print")),
    ),
  };
}
