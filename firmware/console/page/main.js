// The page: signing in, switching between views, and the bar above them.

import { closeDialog } from "./dialog.js";
import { el, redraw } from "./dom.js";
import { calibrateView } from "./calibrate.js";
import { accessView, healthView } from "./care.js";
import { eveningView } from "./evening.js";
import { floorView } from "./floor.js";
import { handView, handsView } from "./hands.js";
import { Live, get, post } from "./net.js";
import { nameView, playerView, sitView } from "./player.js";
import { playersView } from "./players.js";
import { secretView } from "./secret.js";
import { setupView, signView } from "./setup.js";
import { tableView, watchView } from "./table.js";
import { limitsText, loadWords, say } from "./words.js";

const live = new Live();
const main = document.getElementById("main");
const bar = document.getElementById("bar");
const line = document.getElementById("line");
const TOLD_MS = 5000; // how long a refusal stays: a sentence read slowly
let role = null;
let place = "table"; // or "floor": what is served here
let seat = 0; // a player's
let name = "";
let view = {};

const PLAYER_VIEWS = [
  [/^#\/name$/, () => nameView(name, named)],
  [/^#\/hands\/(\d+)$/, (number) => handView(number)],
  [/^#\/hands$/, () => handsView()],
  [/^#\/evening$/, () => eveningView()],
  [/^#\/sign$/, () => signView()],
  [/^/, () => playerView(live)],
];
const PLAYER_PLACES = [
  ["#/", "nav-table"],
  ["#/hands", "nav-hands"],
  ["#/evening", "nav-evening"],
  ["#/sign", "nav-sign"],
];
const FLOOR_VIEWS = [
  [/^#\/access$/, () => accessView()],
  [/^/, () => floorView(live, role === "dealer")],
];
const VIEWS = [
  [/^#\/hands\/(\d+)$/, (number) => handView(number)],
  [/^#\/hands$/, () => handsView()],
  [/^#\/setup$/, () => setupView()],
  [/^#\/secret$/, () => secretView(live)],
  [/^#\/calibrate$/, () => calibrateView()],
  [/^#\/evening$/, () => eveningView(role === "dealer")],
  [/^#\/sign$/, () => signView()],
  [/^#\/health$/, () => healthView()],
  [/^#\/access$/, () => accessView()],
  [/^#\/players$/, () => playersView()],
  [/^#\/watch$/, () => watchView(live)],
  [/^/, () => tableView(live, role === "dealer")],
];
const FLOOR_PLACES = [
  ["#/", "nav-floor"],
  ["#/access", "nav-access", "dealer"],
];
const PLACES = [
  ["#/", "nav-table"],
  ["#/hands", "nav-hands"],
  ["#/evening", "nav-evening"],
  ["#/watch", "nav-watch"],
  ["#/sign", "nav-sign"],
  ["#/health", "nav-health"],
  ["#/secret", "nav-secret", "dealer", (picture) => typeof picture?.secret === "boolean"],
  ["#/players", "nav-players", "dealer"],
  ["#/setup", "nav-setup", "dealer"],
  ["#/calibrate", "nav-calibrate", "dealer"],
  ["#/access", "nav-access", "dealer"],
];

const SIT = /^#\/sit\/(\d+-[a-z2-7]+)$/;
const ENTER = /^#\/enter\/([a-z2-7]+)$/;

async function go() {
  const scanned = location.hash.match(SIT)?.[1];
  if (scanned) return sit(scanned);
  const code = location.hash.match(ENTER)?.[1];
  if (code) return enter(code);
  if (!role) return document.body.dataset.view === "login" ? undefined : signedOut();
  view.leave?.();
  closeDialog();
  view = {};
  const here = location.hash || "#/";
  document.body.dataset.view = here.split("/")[1] || place;
  drawBar(here);
  showPlace();
  const [pattern, make] = (role === "player" ? PLAYER_VIEWS : place === "floor" ? FLOOR_VIEWS : VIEWS).find(([one]) => one.test(here));
  try {
    const made = await make(...(here.match(pattern)?.slice(1) ?? []));
    if (here !== (location.hash || "#/")) return made.leave?.();
    view = made;
    redraw(main, made.node);
  } catch (error) {
    redraw(main, el("div", { class: "page" }, el("p", { class: "note", role: "alert" }, error.says || say(`refused-${error.why ?? "error"}`))));
  }
  if (here !== "#/") main.focus({ preventScroll: true });
  return undefined;
}

function drawBar(here) {
  const { picture } = live.newest;
  const places = role === "player" ? PLAYER_PLACES : place === "floor" ? FLOOR_PLACES : PLACES;
  const links = places.filter(([, , wants, fits]) => (!wants || wants === role) && (!fits || fits(picture))).map(([href, name]) =>
    el("a", { href, "data-key": href, "aria-current": here === href || (href === "#/hands" && here.startsWith(href)) ? "page" : null }, say(name)),
  );
  const limits = picture?.limits && limitsText("limits-short", picture.limits);
  redraw(
    bar,
    el("div", { class: "title" }, el("b", {}, picture?.title || "Mazziere"), picture?.hand > 0 && el("span", {}, say("hand", { number: picture.hand })), limits && el("span", {}, limits)),
    el("nav", { "aria-label": say("places") }, links, el("button", { class: "quiet", "data-key": "out", onclick: leave }, say("sign-out"))),
  );
}

// On a phone the views are a row that is wider than the screen.
function showPlace() {
  bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

async function leave() {
  await post("/api/logout").catch(() => {});
  signedOut();
}

// Whoever has scanned a seat's code sits down there, also when moving from another seat.
async function sit(scanned) {
  view.leave?.();
  view = {};
  document.body.dataset.view = "sit";
  const seated = (me) => {
    live.stop();
    ({ role, seat, name } = me);
    history.replaceState(null, "", name ? "#/" : "#/name");
    start();
  };
  const made = await sitView(scanned, seated);
  if (location.hash.match(SIT)) redraw(main, made.node);
}

// Whoever has scanned the code at the machine is the dealer; nothing is typed.
async function enter(code) {
  history.replaceState(null, "", "#/");
  live.stop();
  try {
    ({ role, place, seat, name } = await post("/api/enter", { code }));
    start();
  } catch (error) {
    signedOut();
    tell(error.why === "pin" ? say("enter-used") : say(`refused-${error.why}`, { seconds: error.says }));
  }
}

function named(called) {
  name = called || name;
  location.hash = "#/";
}

function signedOut() {
  live.stop();
  role = null;
  view.leave?.();
  view = {};
  closeDialog();
  document.body.dataset.view = "login";
  redraw(bar);
  drawLine();
  redraw(main, loginForm());
  main.querySelector("input").focus();
}

function loginForm() {
  const pin = el("input", { id: "pin", name: "pin", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9 ]{8,14}", maxlength: 14, required: true, "aria-describedby": "pin-says" });
  const says = el("p", { id: "pin-says", role: "alert", class: "note" }, say("pin-says"));
  const send = async (event) => {
    event.preventDefault();
    try {
      ({ role, place } = await post("/api/login", { pin: pin.value }));
      start();
    } catch (error) {
      says.textContent = say(`refused-${error.why}`, { seconds: error.says });
      says.classList.add("refused");
      pin.value = "";
      pin.focus();
    }
  };
  return el("form", { class: "login", onsubmit: send }, el("img", { src: "/page/icon.svg", alt: "", width: 72, height: 72 }), el("h1", {}, "Mazziere"), el("label", { for: "pin" }, say("pin")), pin, says, el("button", { class: "primary" }, say("sign-in")));
}

function start() {
  document.body.dataset.role = role;
  live.start();
  go();
}

let telling = 0;
function tell(text, kind = "") {
  line.hidden = false;
  line.className = kind;
  line.textContent = text;
  clearTimeout(telling);
  telling = setTimeout(drawLine, TOLD_MS);
}

function drawLine() {
  const lost = live.open && !live.connected;
  line.hidden = !lost;
  line.className = "";
  line.textContent = lost ? say("line-lost") : "";
  document.body.classList.toggle("lost", lost);
}

let barShown = "";
live.addEventListener("picture", ({ detail }) => {
  const text = [detail.title, detail.hand, detail.limits, detail.secret !== null].join();
  if (text !== barShown) drawBar(location.hash || "#/");
  barShown = text;
});
live.addEventListener("floor", async ({ detail }) => {
  if (detail.language === document.documentElement.lang) return;
  await loadWords();
  go();
});
live.addEventListener("line", drawLine);
live.addEventListener("said", ({ detail }) => tell(detail.name ? `${detail.name}: ${detail.words}` : detail.words, "news"));
live.addEventListener("heard", ({ detail }) => {
  if (detail.refused) tell(detail.says || say(`refused-${detail.refused}`));
});
addEventListener("hashchange", go);
addEventListener("signed-out", () => role && signedOut());

async function begin() {
  await loadWords();
  document.getElementById("skip").textContent = say("skip");
  const code = location.hash.match(ENTER)?.[1];
  if (code) return enter(code);
  try {
    ({ role, place, seat, name } = await get("/api/me"));
    return start();
  } catch {
    if (location.hash.match(SIT)) await go();
    else signedOut();
  }
  return undefined;
}

begin().catch(() => setTimeout(() => location.reload(), 3000)); // the device is not up yet
