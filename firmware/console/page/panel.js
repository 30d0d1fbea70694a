// The three buttons with their lamps: a tap presses, two seconds hold, as on the panel.

import { el, svg } from "./dom.js";
import { say } from "./words.js";

export const BUTTONS = ["ok", "fix", "hold"];
const HOLD_MS = 2000; // as long as on the panel
const SHAPES = {
  ok: svg("circle", { cx: 12, cy: 12, r: 9 }),
  fix: svg("path", { d: "M12 3 22 21H2z" }),
  hold: svg("rect", { x: 3, y: 3, width: 18, height: 18, rx: 2 }),
};
const HELD = { ok: "ok-held", fix: "fix-held", hold: "hold-held" };

export const shape = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: "shape", "aria-hidden": "true" }, SHAPES[name].cloneNode());

export class Panel {
  constructor(press) {
    this.press = press;
    this.buttons = Object.fromEntries(BUTTONS.map((name) => [name, this.#button(name)]));
    this.node = el(
      "div",
      { class: "panel", role: "group", "aria-label": say("buttons") },
      Object.values(this.buttons),
    );
  }

  // The button shows what OK will do.
  show(lamps, means) {
    const told = this.buttons.ok.querySelector(".key-means");
    if (told.textContent !== means) told.textContent = means;
    for (const [name, button] of Object.entries(this.buttons)) {
      const lamp = lamps[name] ?? "off";
      if (button.dataset.lamp === lamp) continue;
      button.dataset.lamp = lamp;
      button.querySelector(".lamp-says").textContent = say(`lamp-${lamp}`);
    }
  }

  #button(name) {
    const button = el(
      "button",
      { class: `key ${name}`, "data-lamp": "off", "data-key": name, id: `key-${name}` },
      el("span", { class: "ring" }),
      shape(name),
      el("span", { class: "key-name" }, say(name)),
      name === "ok" && el("span", { class: "key-means", "aria-live": "off" }),
      el("span", { class: "lamp-says" }, say("lamp-off")),
      el("span", { class: "key-held" }, say(HELD[name])),
    );
    this.#fingers(button, name);
    return button;
  }

  #fingers(button, name) {
    let timer = 0;
    let pointed = false; // whether a finger or a mouse holds it, and not a key
    const down = (event) => {
      if (event.button > 0 || event.repeat || timer) return;
      pointed = event.type === "pointerdown";
      button.classList.add("down");
      timer = setTimeout(() => up(true), HOLD_MS);
    };
    const up = (held) => {
      if (!timer) return;
      cancel();
      this.press(name, held);
    };
    const cancel = () => {
      clearTimeout(timer);
      timer = 0;
      button.classList.remove("down");
    };
    const key = (event, act) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        act(event);
      }
    };
    button.addEventListener("pointerdown", down);
    button.addEventListener("pointerup", () => up(false));
    // A mouse at rest is left behind when the page moves: that lets go of no key.
    for (const gone of ["pointercancel", "pointerleave"])
      button.addEventListener(gone, () => pointed && cancel());
    button.addEventListener("blur", cancel);
    button.addEventListener("keydown", (event) => key(event, down));
    button.addEventListener("keyup", (event) => key(event, () => up(false)));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A screen reader clicks without any of these events.
    button.addEventListener("click", (event) => {
      if (event.detail === 0 && !event.pointerType) this.press(name, false);
    });
  }
}
