// The table seen from above: places, cards where they lie, and the seats around it.

import { HEIGHT, WIDTH, cardFace } from "./cards.js";
import { apart, plain, signed, svg } from "./dom.js";
import { say } from "./words.js";

const RIM = 96; // millimetres around the table for the seats and their labels
const MARGIN = 46; // between the outermost place and the rim
const HANDS_MARGIN = 104; // the same if players hold cards that have no place in the camera's view
const BACKS_STEP = 8; // from one back to the next in a hand: they are counted, not read
const LONG = 9; // longest name that fits the rim, in letters
const INWARDS = 82; // from the start of a name at a side to the table's edge
const FLATTEST = 0.5; // smallest ratio of height to width; a table does not look like a shelf
const BADGE = 30;
const HELD = 0.62; // the size of a card in a hand
const STEP = 24; // from one card to the next if the table has no place for them

const bySpot = (spots) => Object.fromEntries(spots.map((spot) => [spot.name, spot]));

// `floor` says where things are, `shown` which cards are there; `on` may hold card(spot, place) and
// spot(name), called when a person points at one.
export function felt(floor, shown, on = {}) {
  const frame = framed(floor, shown);
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

// As much of the table as its places need, with the seats drawn in to its rim.
function framed(floor, shown) {
  const margin = shown.spots.some((spot) => spot.owner !== null && !floor.places[spot.name]) ? HANDS_MARGIN : MARGIN;
  const [wide, high] = floor.size;
  const all = Object.values(floor.places).map((place) => place.bounds);
  const bounds = all.length ? all : [[0, 0, wide, high]];
  const frame = {
    room: INWARDS + margin, // for a name at a side, before it lies over cards
    left: Math.min(...bounds.map((one) => one[0])) - margin,
    top: Math.min(...bounds.map((one) => one[1])) - margin,
  };
  frame.width = Math.max(...bounds.map((one) => one[2])) + margin - frame.left;
  frame.height = Math.max(...bounds.map((one) => one[3])) + margin - frame.top;
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
    { x: box.x + box.width / 2, y: box.y + box.height / 2 + 8, class: "place-name", "font-size": Math.min(24, (1.7 * box.width) / spot.label.length) },
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
  return svg(
    "g",
    {
      class: `seat${awaited ? " awaited" : ""}`,
      transform: `translate(${x} ${y})`,
      role: "img",
      "aria-label": seatLabel(seat, awaited, shown),
    },
    awaited && badge(seat, BADGE + 9, "halo"),
    badge(seat, BADGE, "badge"),
    svg("text", { y: 13, class: "number" }, seat.seat),
    written(seat, sideOf([x, y], frame), worth(seat, shown), frame.room),
    marks(seat),
  );
}

// Partners have badges of one shape, so that teams can be distinguished without colours.
const badge = (seat, r, name) =>
  seat.team === 1
    ? svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: 8, class: name })
    : svg("circle", { r, class: name });

// Name and worth outside the table: on one line above or below it, over and under a badge at its
// sides, where a long name extends inwards as far as there is room.
function written(seat, side, text, room) {
  const [over, under] = [-BADGE - 14, BADGE + 28];
  if (side === "top" || side === "bottom") {
    const parts = [seat.player && svg("tspan", { class: "player" }, apart(seat.player)), text && svg("tspan", { class: "money", dx: seat.player ? 12 : 0 }, text)].filter(Boolean);
    return parts.length > 0 && svg("text", { y: side === "top" ? over : under, class: "at-seat" }, parts);
  }
  const x = (side === "left" ? -1 : 1) * (RIM - 20);
  const line = (y, name, words) => words && (words.length > LONG ? svg("text", { x, y, class: `${name} from-${side}` }, words) : svg("text", { y, class: name }, words));
  return [line(over, "player", fitting(seat.player, room)), line(under, "money", text)];
}

const pen = document.createElement("canvas").getContext("2d");

// As much of a name as there is room for; all of it is shown next to the score.
function fitting(name, room) {
  if (!name) return name;
  pen.font = '600 24px system-ui, Roboto, "DejaVu Sans", sans-serif';
  const letters = [...new Intl.Segmenter().segment(name)].map((one) => one.segment);
  let shown = name;
  while (pen.measureText(shown).width > room && letters.length > 1) {
    letters.pop();
    shown = `${letters.join("").trimEnd()}…`;
  }
  return shown;
}

// Chips, points, or both; in games for points alone, only those.
export function worth(seat, shown) {
  const money = seat.money ?? null;
  const score = seat.score ?? null;
  const idle = score !== null && shown.seats.every((one) => !one.money);
  const parts = [];
  if (money !== null && !idle) parts.push(amount(money, shown));
  if (score !== null) parts.push(say("points-short", { points: plain(score) }));
  return parts.join(" · ");
}

// Who has the bank and who deals, and the chips in front of the seat.
function marks(seat) {
  const names = [seat.banker && say("banker-mark"), seat.dealer && say("dealer-mark")].filter(Boolean);
  const roles = names.map((name, place) =>
    svg(
      "g",
      { transform: `translate(${BADGE + 14 + place * 30} -20)`, class: "mark" },
      svg("circle", { r: 14 }),
      svg("text", { y: 6.5 }, name),
    ),
  );
  const bet = seat.bet && svg("g", { transform: `translate(${BADGE + 20} 14)`, class: "bet" }, svg("circle", { r: 17 }), svg("text", { y: 6.5 }, seat.bet));
  return [roles, bet];
}

function seatLabel(seat, awaited, shown) {
  const parts = [seat.name, seat.player, worth(seat, shown)];
  if (seat.team !== null && seat.team !== undefined) {
    const partners = shown.seats.filter((one) => one.team === seat.team && one !== seat);
    parts.push(say("with-partner", { names: partners.map((one) => one.player || one.name).join(", ") }));
  }
  if (seat.banker) parts.push(say("banker"));
  if (seat.dealer) parts.push(say("dealer"));
  if (seat.bet) parts.push(say("bet-of", { amount: seat.bet }));
  if (awaited) parts.push(say("awaited"));
  return parts.filter(Boolean).join(", ");
}

// Stacks are plain; wins and losses add up to zero and carry their signs.
export function amount(money, shown) {
  const sum = shown.seats.reduce((total, seat) => total + (seat.money ?? seat.score ?? 0), 0);
  return sum === 0 ? signed(money) : plain(money);
}

function sideOf([x, y], { left, top, width, height }) {
  if (x < left) return "left";
  if (x > left + width) return "right";
  return y < top + height / 2 ? "top" : "bottom";
}

// On the rail; the text below a badge must not leave the picture.
function outside([x, y], { left, top, width, height }) {
  const out = 12;
  if (x <= left + 1) return [left - out, y];
  if (x >= left + width - 1) return [left + width + out, y];
  return y <= top + 1 ? [x, top - out] : [x, top + height - 6];
}

// Cards in a player's hand, or without a place in the camera's view: small, next to the seat.
function held(shown, floor, frame, on) {
  const loose = shown.spots.filter((spot) => spot.cards.length && !floor.places[spot.name]);
  const rows = {};
  return loose.map((spot) => {
    const row = (rows[spot.owner] = (rows[spot.owner] ?? -1) + 1);
    const [x, y, side] = beside(frame.seats[spot.owner] ?? [frame.left + frame.width / 2, frame.top + frame.height], frame);
    const steps = offsets(spot.cards);
    const wide = steps.at(-1);
    const inner = HELD * (wide / 2 + WIDTH / 2);
    return svg(
      "g",
      { class: "held", transform: `translate(${x + side * inner} ${y + row * 62}) scale(${HELD})` },
      spot.cards.map((card, place) => cardAt(spot, card, place, steps[place] - wide / 2, 0, 0, on)),
    );
  });
}

// Where each card of a hand begins: a face shows its index, backs are close together.
function offsets(cards) {
  let x = 0;
  return cards.map((card, place) => {
    if (place) x += card.card === "??" && cards[place - 1].card === "??" ? BACKS_STEP : STEP;
    return x;
  });
}

// Where a hand begins: next to the badge at a side, below or above it elsewhere.
function beside([x, y], { left, top, width, height }) {
  if (x <= left + 1) return [left + 32, y, 1];
  if (x >= left + width - 1) return [left + width - 32, y, -1];
  return [x, y <= top + 1 ? top + 66 : top + height - 74, 0];
}
