// Calibrate: the camera's view with corners and places to drag, the checks, the deck and the chips.

import { cardPicture } from "./cards.js";
import { el, redraw, svg } from "./dom.js";
import { post } from "./net.js";
import { checkRow } from "./care.js";
import { say } from "./words.js";

const NUDGE = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = 4; // how far an arrow key moves, in pixels of the picture
const WORTHS = [1, 2, 5, 10, 20, 25, 50, 100, 500, 1000]; // the values of chips that are offered
const USUAL = [1, 5, 25];
const LISTS = ["missing", "double", "foreign", "taken"];

export async function calibrateView() {
  return new Calibrate();
}

class Calibrate {
  constructor() {
    this.says = el("p", { class: "note", role: "status", id: "calibrate-says" }, say("calibrate-looking"));
    this.view = el("div", { class: "camera-view" });
    this.found = el("div", { class: "found", "aria-live": "polite" });
    this.deck = el("div", { class: "deck-found", "aria-live": "polite" });
    this.chips = el("p", { class: "note", role: "status", id: "chips-say" }, say("teach-chips-says"));
    this.worths = WORTHS.map((worth) => worthButton(worth));
    this.keeps = el("span", { class: "fine" });
    this.node = el(
      "div",
      { class: "page calibrate" },
      el("h1", {}, say("nav-calibrate")),
      el("p", { class: "fine" }, say("calibrate-says")),
      this.view,
      this.says,
      el("div", { class: "tools" }, this.#button("look-again", () => this.#show("/api/calibrate/look")), this.#button("fix-light", () => this.#show("/api/calibrate/light")), this.#button("propose", () => this.#place({ moved: {} })), el("a", { id: "print-markers", class: "button", href: "/api/calibrate/markers", target: "_blank" }, say("print-markers"))),
      this.found,
      el("h2", {}, say("check-deck")),
      el("p", { class: "note" }, say("check-deck-says")),
      el("div", { class: "tools" }, this.#button("check-deck", () => this.#checkDeck())),
      this.deck,
      el("h2", {}, say("teach-chips")),
      this.chips,
      el("div", { class: "tools worths", role: "group", "aria-label": say("chip-values") }, this.worths),
      el("div", { class: "tools" }, this.#button("learn-chips", () => this.#learnChips()), this.#button("measure-chips", () => this.#measureChips()), this.#button("play-chips", () => this.#playChips())),
      el("div", { class: "tools keep" }, this.#button("keep-calibration", () => this.#keep(), "primary"), this.keeps),
    );
    this.#show("/api/calibrate/look");
  }

  leave() {
    this.left = true;
  }

  #button(name, act, kind = "") {
    return el("button", { id: name, class: kind, type: "button", onclick: act }, say(name));
  }

  // One question at a time: buttons wait, as the camera does. What is refused is told in `says`.
  async #ask(path, value, says = this.says) {
    this.node.classList.add("busy");
    for (const button of this.node.querySelectorAll("button")) button.disabled = true;
    try {
      return await post(path, value);
    } catch (error) {
      says.textContent = error.says || say(`refused-${error.why}`);
      says.classList.add("refused");
      return null;
    } finally {
      this.node.classList.remove("busy");
      for (const button of this.node.querySelectorAll("button")) button.disabled = false;
    }
  }

  async #show(path, value) {
    const told = await this.#ask(path, value);
    if (!told || this.left) return;
    this.now = told;
    this.says.classList.toggle("refused", !told.good);
    this.says.textContent = [told.fixed, told.by, say(told.good ? "calibrate-good" : "calibrate-bad")].filter(Boolean).join(" ");
    this.#draw();
  }

  #place(change) {
    if (!this.now) return;
    const { corners, size, moved } = this.now;
    this.#show("/api/calibrate/place", { corners, size, moved, ...change });
  }

  #draw() {
    const { now } = this;
    redraw(this.view, this.#picture());
    this.keeps.textContent = say(now.simulated ? "keep-simulated" : "keep-says");
    redraw(
      this.found,
      el("div", { class: "fields" }, this.#size("table-wide", 0), this.#size("table-high", 1)),
      now.trouble.map((text) => el("p", { class: "warning" }, text)),
      el("table", { class: "checks" }, el("tbody", {}, now.checks.map(checkRow))),
    );
  }

  #size(name, side) {
    const change = (event) => {
      const size = [...this.now.size];
      size[side] = Number(event.target.value);
      this.#place({ size });
    };
    return el("label", { class: "field" }, el("span", {}, say(name)), el("input", { type: "number", id: name, min: 100, max: 5000, value: this.now.size[side], "data-key": name, onchange: change }));
  }

  #picture() {
    const { picture, shot, corners, spots } = this.now;
    const [wide, high] = picture;
    const scale = wide / 1000;
    return svg(
      "svg",
      { viewBox: `0 0 ${wide} ${high}`, class: "overlay", role: "group", "aria-label": say("view-of-table") },
      svg("image", { href: `/api/calibrate/picture?shot=${shot}`, width: wide, height: high }),
      svg("polygon", { points: points(corners), class: "rim" }),
      spots.map((spot) => this.#spot(spot, scale)),
      corners.map((corner, place) => this.#corner(corner, place, scale)),
    );
  }

  #spot(spot, scale) {
    const middle = [0, 1].map((way) => spot.outline.reduce((sum, point) => sum + point[way], 0) / spot.outline.length);
    const drop = (dx, dy) => this.#place({ drag: { spot: spot.name, from: middle, to: [middle[0] + dx, middle[1] + dy] } });
    const moved = this.now.moved[spot.name];
    return this.#movable(
      { class: `spot${moved ? " moved" : ""}`, "data-spot": spot.name, "data-key": `spot ${spot.name}`, "aria-label": spot.label },
      drop,
      svg("polygon", { points: points(spot.outline) }),
      svg("text", { x: middle[0], y: middle[1], "font-size": 17 * scale }, spot.label),
    );
  }

  #corner([x, y], place, scale) {
    const drop = (dx, dy) => this.#place({ corners: this.now.corners.map((one, other) => (other === place ? [one[0] + dx, one[1] + dy] : one)) });
    return this.#movable(
      { class: "corner", "data-corner": place, "data-key": `corner ${place}`, "aria-label": say("corner", { number: place + 1 }) },
      drop,
      svg("circle", { cx: x, cy: y, r: 26 * scale, class: "grip" }),
      svg("circle", { cx: x, cy: y, r: 9 * scale }),
    );
  }

  // Something moved by a finger, a mouse or the arrow keys; `drop` is told by how many pixels.
  #movable(attributes, drop, ...parts) {
    const node = svg("g", { tabindex: 0, role: "button", ...attributes }, parts);
    let from = null;
    const at = (event) => {
      const matrix = node.ownerSVGElement.getScreenCTM().inverse();
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      return [point.x, point.y];
    };
    const way = (event) => at(event).map((one, side) => one - from[side]);
    node.addEventListener("pointerdown", (event) => {
      if (event.button > 0 || this.node.classList.contains("busy")) return;
      from = at(event);
      node.setPointerCapture(event.pointerId);
      event.preventDefault();
      node.focus({ preventScroll: true });
    });
    node.addEventListener("pointermove", (event) => {
      if (from) node.setAttribute("transform", `translate(${way(event).join(" ")})`);
    });
    node.addEventListener("pointerup", (event) => {
      if (!from) return;
      const by = way(event);
      from = null;
      if (Math.hypot(...by) > 1) drop(...by);
    });
    node.addEventListener("pointercancel", () => {
      from = null;
      node.removeAttribute("transform");
    });
    node.addEventListener("keydown", (event) => {
      const nudge = NUDGE[event.key];
      if (!nudge || this.node.classList.contains("busy")) return;
      event.preventDefault();
      const step = event.shiftKey ? 5 * STEP : STEP;
      drop(nudge[0] * step, nudge[1] * step);
    });
    return node;
  }

  async #checkDeck() {
    const found = await this.#ask("/api/calibrate/deck", {});
    if (!found || this.left) return;
    redraw(
      this.deck,
      el("p", { class: found.whole ? "whole" : "warning" }, found.whole ? `✓ ${say("deck-whole")}` : `! ${say("deck-seen", { seen: found.seen, cards: found.cards })}`),
      LISTS.map((name) => found[name].length > 0 && [el("h3", {}, say(`deck-${name}`)), cardsRow(found[name])]),
      found.unclear.length > 0 && [el("h3", {}, say("deck-unclear")), found.unclear.map(cardsRow)],
      found.face_down > 0 && el("p", { class: "warning" }, say("deck-face-down", { count: found.face_down })),
      found.jokers > 0 && el("p", { class: "fine" }, say("deck-jokers", { count: found.jokers })),
    );
  }

  async #teach(path, value, says) {
    const told = await this.#ask(path, value, this.chips);
    if (!told || this.left) return;
    this.chips.classList.remove("refused");
    this.chips.textContent = says({ values: told.values.join(", ") });
  }

  #learnChips() {
    const values = WORTHS.filter((_, place) => this.worths[place].getAttribute("aria-pressed") === "true");
    return this.#teach("/api/calibrate/chips", { values }, (told) => say("chips-learned", told));
  }

  #measureChips() {
    return this.#teach("/api/calibrate/chips/measure", {}, (told) => say("chips-measured", told));
  }

  async #playChips() {
    if (await this.#ask("/api/calibrate/chips/play", {}, this.chips)) location.hash = "#/";
  }

  async #keep() {
    if (!this.now) return;
    const { corners, size, moved } = this.now;
    if (await this.#ask("/api/calibrate", { corners, size, moved })) location.hash = "#/";
  }
}

const points = (corners) => corners.map((corner) => corner.join(",")).join(" ");

function worthButton(worth) {
  const node = el("button", { type: "button", class: "worth", "data-worth": worth, "aria-pressed": String(USUAL.includes(worth)) }, String(worth));
  node.addEventListener("click", () => node.setAttribute("aria-pressed", String(node.getAttribute("aria-pressed") !== "true")));
  return node;
}

const cardsRow = (cards) =>
  el("div", { class: "choices row" }, cards.map((card) => el("span", { class: "choice", role: "img", "aria-label": card.label }, cardPicture(card.card))));
