// What scripts of pages share. Data become text nodes and attributes only, never markup.
"use strict";
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Text of a history: what could break or turn a line is made visible, and what stands beside it keeps its direction.
const visible = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const foreign = (text, tag = "bdi") => element(tag, { dir: "auto", class: "foreign" }, visible(text));
const shortened = (text) => visible(text.length > 200 ? `${text.slice(0, 200)}\u2026` : text);

const SUITS = { c: "\u2663", d: "\u2666", h: "\u2665", s: "\u2660" };
const cardsOf = (text) => text.match(/../g) || [];

function cards(text, hidden = 0) {
  const row = element("span", { class: "cards" });
  for (const card of cardsOf(text)) {
    row.append(element("span", { class: `card ${card[1]}`, role: "img", "aria-label": card },
      card[0] === "T" ? "10" : card[0], SUITS[card[1]]));
  }
  for (let k = 0; k < hidden; k++) row.append(element("span", { class: "card back", "aria-hidden": "true" }));
  return row;
}

// A map is made once; its cells change. Arrow keys go from cell to cell.
function makeMap(classes, onClass) {
  let focused = 0;
  const buttons = classes.map((name, k) => {
    const button = element("button", { type: "button", tabindex: k ? "-1" : "0", "data-class": name },
      element("span", { class: "name" }, name), element("span", { class: "number" }));
    button.addEventListener("click", () => onClass(k));
    button.addEventListener("focus", () => {
      buttons[focused].tabIndex = -1;
      focused = k;
      button.tabIndex = 0;
    });
    return button;
  });
  const rows = Array.from({ length: 13 }, (_, row) =>
    element("tr", {}, ...buttons.slice(13 * row, 13 * row + 13).map((button) => element("td", {}, button))));
  const map = element("table", { class: "map" }, element("caption"), element("tbody", {}, ...rows));
  map.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    const [row, column] = [Math.floor(focused / 13) + by[0], (focused % 13) + by[1]];
    if (row >= 0 && row < 13 && column >= 0 && column < 13) buttons[13 * row + column].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return { map, buttons, caption: map.querySelector("caption") };
}
