// Finds what a machine can see to be wrong with a page; tests/screens.py runs it in the page.

const SMALLEST = 43.5; // minimum size of a touch target, in pixels
const faults = [];
const texts = [];

const shown = (node) => {
  const box = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  return box.width > 1 && box.height > 1 && style.visibility === "visible" && !node.closest(".unseen, .skip, dialog:not([open]), [hidden]") && !closed(node);
};
const closed = (node) => {
  const details = node.closest("details:not([open])");
  return details && !node.closest("summary");
};
const own = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
const named = (node) => `${node.tagName.toLowerCase()}.${String(node.getAttribute("class") ?? "").split(" ")[0]} “${node.textContent.trim().slice(0, 60)}”`;

// Content that scrolls inside its own box is fine; content that leaves the page sideways is a fault.
const scrolls = (node) => {
  for (let box = node.parentElement; box; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if ([overflowX, overflowY].some((way) => way === "auto" || way === "scroll")) return true;
  }
  return false;
};

const root = document.documentElement;
if (root.scrollWidth > innerWidth + 1) faults.push(`the page is ${root.scrollWidth} wide on ${innerWidth}`);

for (const node of document.body.querySelectorAll("*")) {
  if (!shown(node)) continue;
  const box = node.getBoundingClientRect();
  if (own(node)) {
    texts.push(node.textContent);
    if ((box.left < -1 || box.right > innerWidth + 1) && !scrolls(node)) faults.push(`leaves the screen: ${named(node)}`);
  }
  if (node instanceof SVGElement) continue;
  const { overflow } = getComputedStyle(node);
  const over = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
  if (own(node) && overflow === "hidden" && over) faults.push(`cut off: ${named(node)}`);
  if (node.matches("button, a.button, input:not([type=checkbox]), select, summary, nav a") && (box.height < SMALLEST || box.width < SMALLEST)) faults.push(`small: ${named(node)} ${Math.round(box.width)}×${Math.round(box.height)}`);
}
for (const one of document.querySelectorAll("[placeholder], [aria-label]")) texts.push(one.getAttribute("placeholder") ?? "", one.getAttribute("aria-label") ?? "");

// Names, amounts and cards on the felt.
const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
for (const felt of document.querySelectorAll("svg.felt")) {
  const frame = felt.getBoundingClientRect();
  const labels = [...felt.querySelectorAll(".seat text, .place-name")].filter((one) => one.textContent.trim());
  const boxes = labels.map((one) => one.getBoundingClientRect());
  boxes.forEach((box, place) => {
    if (!inside(box, frame)) faults.push(`off the felt: ${named(labels[place])}`);
    for (let other = place + 1; other < boxes.length; other++) if (meet(box, boxes[other]) && labels[place].parentNode.parentNode !== labels[other].parentNode && labels[place].parentNode !== labels[other].parentNode.parentNode) faults.push(`overlapping: ${named(labels[place])} and ${named(labels[other])}`);
    const cards = [...felt.querySelectorAll(".card")].filter((card) => meet(box, card.getBoundingClientRect()));
    if (cards.length && labels[place].closest(".seat")) faults.push(`over a card: ${named(labels[place])}`);
  });
}

return { faults, texts, size: [innerWidth, Math.max(innerHeight, Math.min(root.scrollHeight, 4000))] };
