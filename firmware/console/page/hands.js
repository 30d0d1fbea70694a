// The hands so far: a list, one hand step by step, and its record.

import { origin, whyDialog } from "./dialog.js";
import { el, redraw, renew, signed } from "./dom.js";
import { felt } from "./felt.js";
import { get } from "./net.js";
import { clock, say } from "./words.js";

const EVERY_MS = 1400; // between two acts, when a hand runs by itself

const net = (pairs) => pairs.map(([seat, amount]) => `${seat || say("pot")} ${signed(amount)}`).join("   ");

export async function handsView() {
  const hands = await get("/api/hands");
  const row = (hand) =>
    el(
      "li",
      {},
      el(
        "a",
        { href: `#/hands/${hand.hand}`, class: "hand-row" },
        el("b", {}, say("hand", { number: hand.hand })),
        el("span", {}, hand.void ? say("void") : hand.over ? net(hand.net.length ? hand.net : hand.scores) || say(hand.kept ? "nothing-moved" : "bets-not-kept") : say("in-play")),
        el("span", { class: "fine" }, say("acts", { count: hand.acts }), hand.violations ? ` · ${say("irregular", { count: hand.violations })}` : "", clock(hand.began) && ` · ${clock(hand.began)}`),
      ),
    );
  const list = hands.length ? el("ol", { class: "hand-list" }, hands.map(row)) : el("p", { class: "note" }, say("no-hands"));
  const all = hands.length > 0 && el("a", { class: "button", href: "/api/record", download: "record.txt" }, say("export-all"));
  return { node: el("div", { class: "page" }, el("h1", {}, say("nav-hands")), list, all) };
}

export async function handView(number) {
  return new RunBack(await get(`/api/hands/${number}`));
}

class RunBack {
  #place = 0;
  #timer = 0;

  constructor(hand) {
    this.hand = hand;
    this.last = hand.steps.length - 1;
    this.felt = el("div", { class: "felt-place" });
    this.says = el("div", { class: "step-says", role: "status", "aria-live": "polite" });
    this.slider = el("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": say("step"), id: "step", oninput: () => this.#go(Number(this.slider.value)) });
    const button = (id, label, act) => el("button", { id, class: "quiet", onclick: act }, say(label));
    this.run = button("run", "run", () => this.#toggle());
    this.node = el(
      "div",
      { class: "page run-back" },
      el("h1", {}, `${hand.title} · ${say("hand", { number: hand.hand })}`),
      this.felt,
      el("div", { class: "steps" }, button("first", "first", () => this.#go(0)), button("previous", "previous", () => this.#go(this.#place - 1)), this.run, button("next", "next", () => this.#go(this.#place + 1)), button("last", "last", () => this.#go(this.last)), this.slider),
      this.says,
      hand.settled.length > 0 && [el("h2", {}, say("settled")), el("ul", {}, hand.settled.map((text) => el("li", {}, text)))],
      el("p", {}, el("a", { class: "button", href: `/api/record?hand=${hand.hand}`, download: `hand-${hand.hand}.txt` }, say("export-hand")), " ", el("a", { href: "#/hands" }, say("nav-hands"))),
    );
    this.key = (event) => this.#key(event);
    addEventListener("keydown", this.key);
    this.#go(0);
  }

  leave() {
    clearInterval(this.#timer);
    removeEventListener("keydown", this.key);
  }

  #go(place) {
    this.#place = Math.max(0, Math.min(this.last, place));
    const step = this.hand.steps[this.#place];
    this.slider.value = this.#place;
    renew(this.felt, felt(this.hand.floor, { ...step, seats: this.hand.seats }));
    redraw(this.says, this.#told(step));
    if (this.#place === this.last) this.#stop();
  }

  #told(step) {
    if (!step.number) return el("p", {}, say("before-first"));
    return [
      el("p", { class: "step-act" }, el("b", {}, say("step-of", { number: step.number, count: this.last })), " ", step.words),
      el("p", { class: "fine" }, origin(step), " ", el("button", { class: "quiet why-button", "data-key": "why", onclick: () => whyDialog(this.hand.hand, step.number) }, say("why"))),
      step.calls.map((call) => el("p", { class: "call" }, call)),
    ];
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.#place === this.last) this.#go(0);
    this.run.textContent = say("pause");
    this.#timer = setInterval(() => this.#go(this.#place + 1), EVERY_MS);
    return undefined;
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.run.textContent = say("run");
  }

  #key(event) {
    if (event.target === this.slider || event.target.closest?.("dialog")) return;
    if (event.key === "ArrowRight") this.#go(this.#place + 1);
    if (event.key === "ArrowLeft") this.#go(this.#place - 1);
  }
}
