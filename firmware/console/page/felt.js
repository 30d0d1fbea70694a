// The table seen from above: places, cards where they lie, and the seats round it.

import { HEIGHT, WIDTH, cardFace } from "./cards.js";
import { signed, svg } from "./dom.js";
import { say } from "./words.js";

const RIM = 74; // millimetres round the table for the seats
const MARGIN = 46; // between the outermost place and the rim
const FLATTEST = 0.5; // height by width; a table does not look like a shelf
const BADGE = 30;
const STEP = 24; // from one card to the next where the table has no place for them

const bySpot = (spots) => Object.fromEntries(spots.map((spot) => [spot.name, spot]));

// `floor` tells where things are, `shown` what lies there; `on` may hold card(spot, place) and
// spot(name), called when a person points at one.
export function felt(floor, shown, on = {}) {
  const frame = framed(floor);
  const box = `${frame.left - RIM} ${frame.top - RIM} ${frame.width + 2 * RIM} ${frame.height + 2 * RIM}`;
  const spots = bySpot(shown.spots);
  const placed = Object.entries(floor.places).filter(([name]) => spots[name]);
  return svg(
    "svg",
    { viewBox: box, class: "felt", role: "group", "aria-label": say("the-table") },
    cloth(frame),
    placed.map(([name, place]) => spotPlace(spots[name], place, on)),
    placed.map(([name, place]) => spotCards(spots[name], place.cells, on)),
    shown.seats.map((seat) => seatBadge(seat, frame.seats[seat.seat], frame, shown)),
    held(shown, floor, frame, on),
  );
}

// As much of the table as its places want, with the seats drawn in to its rim.
function framed(floor) {
  const [wide, high] = floor.size;
  const all = Object.values(floor.places).map((place) => place.bounds);
  const bounds = all.length ? all : [[0, 0, wide, high]];
  const frame = {
    left: Math.min(...bounds.map((one) => one[0])) - MARGIN,
    top: Math.min(...bounds.map((one) => one[1])) - MARGIN,
  };
  frame.width = Math.max(...bounds.map((one) => one[2])) + MARGIN - frame.left;
  frame.height = Math.max(...bounds.map((one) => one[3])) + MARGIN - frame.top;
  const lack = Math.max(0, frame.width * FLATTEST - frame.height);
  frame.top -= lack / 2;
  frame.height += lack;
  frame.seats = Object.fromEntries(
    Object.entries(floor.seats).map(([seat, [x, y]]) => [
      seat,
      [frame.left + (x / wide) * frame.width, frame.top + (y / high) * frame.height],
    ]),
  );
  return frame;
}

function cloth({ left, top, width, height }) {
  const rect = (out, name) =>
    svg("rect", { x: left - out, y: top - out, width: width + 2 * out, height: height + 2 * out, rx: 96 + out, class: name });
  return [rect(14, "rail"), rect(0, "cloth")];
}

// A thing that can be pointed at with a finger, a mouse or the keyboard.
function touch(act, key, label) {
  if (!act) return {};
  return {
    tabindex: 0,
    role: "button",
    "data-key": key,
    "aria-label": label,
    onclick: act,
    onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        act();
      }
    },
  };
}

function spotPlace(spot, place, on) {
  const [left, top, right, bottom] = place.bounds;
  const box = { x: left, y: top, width: right - left, height: bottom - top, rx: 10 };
  const act = on.spot && (() => on.spot(spot.name));
  const label = say("add-at", { spot: spot.label });
  return svg(
    "g",
    { class: `place${spot.busy ? " busy" : ""}`, ...touch(act, `spot ${spot.name}`, label) },
    svg("rect", box),
    spot.owner === null && !spot.cards.length && placeName(spot, box),
  );
}

const placeName = (spot, box) =>
  svg(
    "text",
    { x: box.x + box.width / 2, y: box.y + box.height / 2 + 8, class: "place-name" },
    spot.label,
  );

function spotCards(spot, cells, on) {
  return spot.cards.map((card, place) => {
    const [x, y, angle] = cells[Math.min(place, cells.length - 1)];
    return cardAt(spot, card, place, x, y, angle, on);
  });
}

function cardAt(spot, card, place, x, y, angle, on) {
  const quarter = ((Math.round(angle / 90) % 4) + 4) % 4;
  const [w, h] = quarter % 2 ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const act = on.card && (() => on.card(spot.name, place));
  const label = say("card-at", { card: card.label, spot: spot.label });
  const plain = act ? {} : { role: "img", "aria-label": label };
  return svg(
    "g",
    {
      class: "card",
      "data-card": card.card,
      "data-spot": spot.name,
      transform: `translate(${x - w / 2} ${y - h / 2}) rotate(${angle - quarter * 90} ${w / 2} ${h / 2})`,
      ...plain,
      ...touch(act, `card ${spot.name} ${place}`, label),
    },
    cardFace(card.card, quarter),
  );
}

// The seats.

function seatBadge(seat, point, frame, shown) {
  const [x, y] = outside(point ?? [frame.left, frame.top], frame);
  const awaited = seat.awaited ?? shown.awaited?.includes(seat.seat);
  const money = seat.money ?? seat.score;
  const text = money === null || money === undefined ? "" : amount(money, shown);
  return svg(
    "g",
    {
      class: `seat${awaited ? " awaited" : ""}`,
      transform: `translate(${x} ${y})`,
      role: "img",
      "aria-label": seatLabel(seat, awaited, text),
    },
    awaited && svg("circle", { r: BADGE + 9, class: "halo" }),
    svg("circle", { r: BADGE, class: "badge" }),
    svg("text", { y: 13, class: "number" }, seat.seat),
    text && svg("text", { y: BADGE + 28, class: "money" }, text),
    seat.player && svg("text", { y: -BADGE - 10, class: "player" }, seat.player),
    marks(seat),
  );
}

function marks(seat) {
  const names = [seat.banker && say("banker-mark"), seat.dealer && say("dealer-mark")].filter(Boolean);
  return names.map((name, place) =>
    svg(
      "g",
      { transform: `translate(${BADGE - 4 + place * 26} ${-BADGE + 2})`, class: "mark" },
      svg("circle", { r: 14 }),
      svg("text", { y: 6.5 }, name),
    ),
  );
}

function seatLabel(seat, awaited, text) {
  const parts = [seat.name, seat.player, text];
  if (seat.banker) parts.push(say("banker"));
  if (seat.dealer) parts.push(say("dealer"));
  if (awaited) parts.push(say("awaited"));
  return parts.filter(Boolean).join(", ");
}

// Stacks are plain; what is won and lost sums to nothing and carries its sign.
export function amount(money, shown) {
  const sum = shown.seats.reduce((total, seat) => total + (seat.money ?? seat.score ?? 0), 0);
  return sum === 0 ? signed(money) : String(money);
}

// On the rail; what is written below a badge must not leave the picture.
function outside([x, y], { left, top, width, height }) {
  const out = 12;
  if (x <= left + 1) return [left - out, y];
  if (x >= left + width - 1) return [left + width + out, y];
  return y <= top + 1 ? [x, top - out] : [x, top + height - 6];
}

// Cards in a player's hand, or where the camera's view has no place: small, beside the seat.
function held(shown, floor, frame, on) {
  const loose = shown.spots.filter((spot) => spot.cards.length && !floor.places[spot.name]);
  const rows = {};
  return loose.map((spot) => {
    const row = (rows[spot.owner] = (rows[spot.owner] ?? -1) + 1);
    const [x, y] = beside(frame.seats[spot.owner] ?? [frame.left + frame.width / 2, frame.top + frame.height], frame);
    const wide = (spot.cards.length - 1) * STEP;
    return svg(
      "g",
      { class: "held", transform: `translate(${x} ${y + row * 62}) scale(0.62)` },
      spot.cards.map((card, place) =>
        cardAt(spot, card, place, place * STEP - wide / 2, 0, 0, on),
      ),
    );
  });
}

function beside([x, y], { left, top, width, height }) {
  if (x <= left + 1) return [left + 110, y];
  if (x >= left + width - 1) return [left + width - 110, y];
  return [x, y <= top + 1 ? top + 62 : top + height - 70];
}
