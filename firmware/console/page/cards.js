// Our own drawings of cards: distinguishable by letter and shape, in any light.

import { svg } from "./dom.js";

export const WIDTH = 63.5; // millimetres, a poker card
export const HEIGHT = 88.9;

const PIPS = {
  H: "M50 90C22 64 8 48 8 31 8 17 18 8 30 8c9 0 16 5 20 13 4-8 11-13 20-13 12 0 22 9 22 23 0 17-14 33-42 59z",
  D: "M50 4Q66 30 86 50 66 70 50 96 34 70 14 50 34 30 50 4z",
  S: "M50 6c11 20 42 36 42 59 0 13-9 21-20 21-7 0-13-3-17-10 1 10 4 16 10 20H35c6-4 9-10 10-20-4 7-10 10-17 10C17 86 8 78 8 65 8 42 39 26 50 6z",
  C: "M50 6a22 22 0 0 1 17 36 22 22 0 1 1-12 32c1 10 4 17 11 22H34c7-5 10-12 11-22a22 22 0 1 1-12-32A22 22 0 0 1 50 6z",
};

const pip = (suit, x, y, size, extra = "") =>
  PIPS[suit] &&
  svg("path", {
    d: PIPS[suit],
    class: `pip ${suit} ${extra}`,
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 100})`,
  });

function rank(text, x, y, suit, size = 29) {
  const shown = text === "T" ? "10" : text;
  const wide = shown.length > 1 ? { textLength: size * 0.86, lengthAdjust: "spacingAndGlyphs" } : {};
  return svg(
    "text",
    { x, y: y + size * 0.36, class: `rank ${suit}`, "font-size": size, ...wide },
    shown,
  );
}

// Where the index is: on the side that the next card of a fan leaves free.
function index(name, quarter, w, h) {
  const [letter, suit] = [name.slice(0, -1), name.slice(-1)];
  switch (quarter) {
    case 1:
      return [rank(letter, 17, 17, suit), pip(suit, 42, 17, 19)];
    case 2:
      return [rank(letter, w - 15, 20, suit), pip(suit, w - 15, 44, 19)];
    case 3:
      return [rank(letter, 17, h - 17, suit), pip(suit, 42, h - 17, 19)];
    default:
      return [rank(letter, 15, 20, suit), pip(suit, 15, 44, 19)];
  }
}

function middle(suit, quarter, w, h) {
  const x = { 0: w - 20, 1: w - 26, 2: 20, 3: w - 26 }[quarter];
  const y = { 0: h - 24, 1: h - 22, 2: h - 24, 3: 22 }[quarter];
  return pip(suit, x, y, 30, "large");
}

function face(name, quarter, w, h) {
  if (name === "??") {
    return [
      svg("rect", { x: 5, y: 5, width: w - 10, height: h - 10, rx: 3, class: "back" }),
      svg("path", { d: lattice(w, h), class: "lattice" }),
    ];
  }
  if (name === "JOKER") {
    const at = { x: w / 2, "text-anchor": "middle" };
    return [
      svg("text", { ...at, y: h / 2 - 4, class: "rank joker", "font-size": 34 }, "★"),
      svg("text", { ...at, y: h / 2 + 18, class: "rank joker", "font-size": 15 }, "JOKER"),
    ];
  }
  return [index(name, quarter, w, h), middle(name.slice(-1), quarter, w, h)];
}

function lattice(w, h) {
  const [rim, step] = [5, 9];
  const lines = [];
  for (let shift = -h; shift < w; shift += step) {
    const [from, to] = [Math.max(rim, rim + shift), Math.min(w - rim, h - rim + shift)];
    if (from < to) lines.push(`M${from} ${from - shift}L${to} ${to - shift}`);
  }
  return lines.join("");
}

// A card in a box whose upper left corner is the origin; `quarter` counts quarter turns clockwise.
export function cardFace(name, quarter = 0) {
  const [w, h] = quarter % 2 ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  return [
    svg("rect", { width: w, height: h, rx: 5.5, class: name === "??" ? "paper down" : "paper" }),
    face(name, quarter, w, h),
  ];
}

// A card by itself, for buttons and lists.
export const cardPicture = (name) =>
  svg(
    "svg",
    { viewBox: `-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`, class: "card-picture", "aria-hidden": "true" },
    cardFace(name),
  );
