// Small helpers to make elements. Nothing here knows about cards or tables.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return node;
}

export const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// Replace what a node holds, and return the focus to whatever had it, by its data-key.
export function redraw(node, ...children) {
  const key = node.contains(document.activeElement) && document.activeElement.dataset.key;
  node.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) {
    const again = [...node.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    again?.focus({ preventScroll: true });
  }
}

// Replace one drawing with another, but leave unchanged parts in place: a finger may be on one of
// them, and a touch on something that is removed is lost.
export function renew(node, drawing) {
  const old = node.firstElementChild;
  if (!old?.cloneNode(false).isEqualNode(drawing.cloneNode(false))) {
    redraw(node, drawing);
    return;
  }
  const key = old.contains(document.activeElement) && document.activeElement.dataset.key;
  const stay = new Map([...old.children].map((child) => [child.outerHTML, child]));
  const wanted = [...drawing.children].map((child) => stay.get(child.outerHTML) ?? child);
  for (const child of [...old.children]) if (!wanted.includes(child)) child.remove();
  let place = old.firstElementChild;
  for (const child of wanted) {
    if (child === place) place = place.nextElementSibling;
    else old.insertBefore(child, place);
  }
  if (key && document.activeElement === document.body) {
    [...old.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
  }
}

// A part of the page that is redrawn only when what it shows has changed.
export function part(node, draw, put = redraw) {
  let shown;
  return (value) => {
    const text = JSON.stringify(value);
    if (text === shown) return;
    shown = text;
    put(node, draw(value));
  };
}

export const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");

// A sum that is not a change: only negative values have a sign, and that sign is a minus.
export const plain = (amount) => String(amount).replace("-", "−");

// Keeps a name in another writing direction from moving what is next to it.
export const apart = (name) => `\u2068${name}\u2069`;
