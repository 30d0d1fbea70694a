// Health, and who may use the console.

import { el } from "./dom.js";
import { get, post } from "./net.js";
import { say, tongue } from "./words.js";

const SIGNS = { ok: "✓", warn: "!", fail: "✕", absent: "–" };

export const checkRow = (check) =>
  el("tr", { class: check.verdict }, el("td", { class: "verdict" }, el("span", { "aria-hidden": "true" }, SIGNS[check.verdict]), " ", check.says), el("th", { scope: "row" }, check.name), el("td", {}, check.detail));

export async function healthView() {
  const health = await get("/api/health");
  return {
    node: el(
      "div",
      { class: "page health" },
      el("h1", {}, say("nav-health")),
      el("table", {}, el("tbody", {}, health.checks.map(checkRow))),
      health.head && [el("h2", {}, say("head")), el("p", { class: "fine" }, say("head-says")), el("p", { class: "head" }, (health.head.match(/.{8}/g) ?? []).join(" "))],
    ),
  };
}

export async function accessView() {
  const sessions = await get("/api/sessions");
  const date = (seconds) => new Date(seconds * 1000).toLocaleString(tongue(), { dateStyle: "medium", timeStyle: "short" });
  const end = (event, name) => post("/api/revoke", { name }).then(() => event.target.closest("li").remove());
  const row = (one) =>
    el(
      "li",
      { class: "session" },
      el("span", {}, el("b", {}, one.seat ? say("seat", { number: one.seat }) : say(`role-${one.role}`)), one.called ? ` · ${one.called}` : "", one.own ? ` · ${say("own-session")}` : ""),
      el("span", { class: "fine" }, `${one.client} · ${date(one.since)}`),
      el("span", { class: "fine" }, one.agent),
      !one.own && el("button", { class: "quiet", onclick: (event) => end(event, one.name) }, say("revoke")),
    );
  const shown = el("div", { "aria-live": "polite" });
  const invited = el("div", { "aria-live": "polite" });
  const invite = async () => invited.replaceChildren(invitation(await post("/api/invite")));
  const renew = async () => shown.replaceChildren(pinSheet(await post("/api/pins")));
  return {
    node: el(
      "div",
      { class: "page access" },
      el("h1", {}, say("nav-access")),
      el("ul", { class: "sessions" }, sessions.map(row)),
      el("h2", { class: "no-print" }, say("invite")),
      el("p", { class: "note no-print" }, say("invite-says")),
      el("button", { id: "invite", class: "no-print", onclick: invite }, say("show-code")),
      invited,
      el("h2", { class: "no-print" }, say("new-pins")),
      el("p", { class: "note no-print" }, say("new-pins-says")),
      el("button", { id: "renew", class: "no-print", onclick: renew }, say("make-pins")),
      shown,
    ),
  };
}

const picture = (qr) => document.importNode(new DOMParser().parseFromString(qr, "image/svg+xml").documentElement, true);

const invitation = (made) => el("div", { class: "pins no-print" }, el("section", { class: "pin", "data-url": made.url }, picture(made.qr), el("p", {}, say("invite-lasts"))));

function pinSheet(made) {
  const block = (role, pin) =>
    el("section", { class: "pin" }, picture(made.qr), el("div", {}, el("h2", {}, say(`sheet-${role}`)), el("p", {}, say(`sheet-${role}-may`)), el("p", {}, el("b", {}, made.urls[0])), el("p", { class: "big-pin" }, `PIN ${pin}`)));
  return el("div", { class: "print pins" }, block("dealer", made.pins.dealer), block("viewer", made.pins.viewer), el("button", { class: "primary no-print", onclick: () => print() }, say("print")));
}
