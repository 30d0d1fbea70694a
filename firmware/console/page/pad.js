// What may be said now, as buttons: a touch says it, or opens what is left to choose.

import { el, redraw } from "./dom.js";
import { say } from "./words.js";

const SURE_MS = 4000; // how long "sure?" waits for the second touch
const DIGITS_MOST = 7; // more chips than on any table

export class Pad {
  constructor(send) {
    this.send = send;
    this.path = []; // the labels of the keys that were opened
    this.node = el("div", { class: "pad", role: "group", "aria-label": say("pad") });
  }

  // After every act the pad starts again; while nothing changes, it stays where it was opened.
  show({ keys, others, count }) {
    if (count !== this.count) this.path = [];
    Object.assign(this, { keys, others, count });
    this.#draw();
  }

  #draw() {
    clearTimeout(this.timer);
    const other = this.others.length > 0 && { label: say("pad-other"), keys: this.others, quiet: true };
    let here = { keys: other ? [...this.keys, other] : this.keys };
    for (const [depth, label] of this.path.entries()) {
      const next = here.keys?.find((key) => key.label === label);
      if (!next) {
        this.path.length = depth;
        break;
      }
      here = next;
    }
    const buttons = here.amounts ? this.#amounts(here.amounts) : here.keys.map((key, place) => this.#key(key, place));
    const back = this.path.length > 0 && el("button", { class: "quiet", "data-key": "pad back", onclick: () => this.#back() }, say("back"));
    const heading = this.path.length > 0 && el("p", { class: "pad-path" }, back, here.label);
    redraw(this.node, heading, el("div", { class: "pad-keys" }, buttons));
    this.node.hidden = this.keys.length === 0 && !other;
  }

  #key(key, place) {
    const button = el("button", { class: `pad-key${place || key.quiet ? "" : " first"}${key.quiet ? " quiet" : ""}`, "data-key": `pad ${key.label}`, "data-line": key.line }, key.label, (key.keys || key.amounts) && " …");
    button.onclick = () => (key.line ? this.#say(button, key) : this.#open(key.label));
    return button;
  }

  #say(button, key) {
    if (key.sure && !button.classList.contains("sure")) {
      button.classList.add("sure");
      button.textContent = say("pad-sure", { act: key.label });
      this.timer = setTimeout(() => this.#draw(), SURE_MS);
      return;
    }
    this.send(key.line, Boolean(key.sure));
  }

  #open(label) {
    this.path.push(label);
    this.#draw();
    this.node.querySelector(".pad-keys button, .pad-keys input")?.focus();
  }

  #back() {
    this.path.pop();
    this.#draw();
  }

  // The likeliest amounts, and a small keypad for any other.
  #amounts({ least, most, offered, line }) {
    const told = (amount) => this.send(line.replace("{amount}", amount));
    const button = (amount) => el("button", { class: "pad-key amount", "data-key": `pad ${amount}`, "data-line": line.replace("{amount}", amount), onclick: () => told(amount) }, String(amount));
    const shown = el("output", { class: "typed", "aria-live": "polite" });
    const done = el("button", { class: "primary", disabled: true, onclick: () => told(Number(shown.textContent)) }, say("send"));
    const typed = (text) => {
      shown.textContent = text.slice(0, DIGITS_MOST);
      const amount = Number(shown.textContent);
      done.disabled = !text || amount < least || amount > most;
    };
    const digit = (text) => el("button", { class: "digit", onclick: () => typed(shown.textContent + text) }, text);
    const rub = el("button", { class: "digit", "aria-label": say("pad-rub"), onclick: () => typed(shown.textContent.slice(0, -1)) }, "⌫");
    const pad = el("div", { class: "keypad" }, [..."123456789"].map(digit), rub, digit("0"), done);
    return [el("div", { class: "pad-amounts" }, offered.map(button)), el("details", { class: "any-amount" }, el("summary", {}, say("pad-any", { least, most })), shown, pad)];
  }
}
