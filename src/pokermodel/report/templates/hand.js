// Draws a hand. Data become text nodes and attributes only, never markup.
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

let shown = null; // aborts what listens to the controls for the hand that is shown

function leaveHand() {
  if (shown) shown.abort();
  shown = null;
}

function drawHand(data) {
  leaveHand();
  shown = new AbortController();
  const { signal } = shown;
  for (const id of ["title", "table", "player", "readers"]) byId(id).replaceChildren();
  const { hand, readers, classes } = data;
  const { players, moments } = hand;
  const LAST = moments.length - 1;

  // ---------------------------------------------------------------- data

  const holdings = data.holdings.match(/..../g);
  const ofClass = classes.map(() => []);
  data.class_of_holding.forEach((k, index) => ofClass[k].push(index));

  // Weights are packed class by class, those of holdings that are possible only.
  function unpack(table) {
    const dead = new Set(cardsOf(table.dead));
    const live = holdings.map((text) => !cardsOf(text).some((card) => dead.has(card)));
    const packed = typeof table.weights === "string" ?
      Uint8Array.from(atob(table.weights), (sign) => sign.charCodeAt(0)) : table.weights;
    const values = holdings.map(() => 0);
    let at = 0;
    for (const index of ofClass.flat().filter((each) => live[each])) {
      const part = packed[at] + 256 * packed[at + 1];
      if (part) values[index] = table.largest * 2 ** ((part - data.packing.largest) / data.packing.steps);
      at += 2;
    }
    const sum = (indices) => indices.reduce((total, index) => total + values[index], 0);
    const grid = ofClass.map((all) => {
      const possible = all.filter((index) => live[index]);
      return possible.length ? sum(possible) / possible.length : null;
    });
    return { grid, values, live, total: sum([...values.keys()]), top: Math.max(0, ...grid) };
  }

  for (const reader of readers) {
    reader.unpacked = new Map();
    reader.bySeat = players.map(() => []);
    for (const step of reader.steps) reader.bySeat[step.seat].push(step);
  }

  function tableOf(reader, index) {
    if (!reader.unpacked.has(index)) reader.unpacked.set(index, unpack(reader.tables[index]));
    return reader.unpacked.get(index);
  }

  // The last act of a seat up to a moment; null if there is none yet. Moment k comes after act k - 1.
  function lastStep(reader, seat, moment) {
    const done = reader.bySeat[seat].filter((step) => step.index < moment);
    return done.length ? done[done.length - 1] : null;
  }

  // ---------------------------------------------------------------- elements

  function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const digits = (number, count = 3) => String(Number(number.toPrecision(count)));
  const percent = (share) => `${digits(100 * share, 2)} %`;

  // ---------------------------------------------------------------- state

  const heroSeat = players.findIndex((player) => player.name === hand.hero);
  const state = { moment: 0, seat: Math.max(0, heroSeat), follow: true, cards: byId("cards").checked,
    view: byId("view").value, open: null };
  if (moments[1] && moments[1].seat !== null) state.seat = moments[1].seat;

  function go(moment) {
    state.moment = Math.min(LAST, Math.max(0, moment));
    const { seat } = moments[state.moment];
    if (state.follow && seat !== null) state.seat = seat;
    show();
  }

  function choose(seat) {
    state.seat = seat;
    state.follow = false;
    show();
  }

  // ---------------------------------------------------------------- the table

  const seats = players.map((player, seat) => {
    const angle = Math.PI / 2 + (2 * Math.PI * seat) / players.length;
    const place = (part, across, down) => {
      part.style.setProperty("--x", `${50 + across * Math.cos(angle)}%`);
      part.style.setProperty("--y", `${50 + down * Math.sin(angle)}%`);
    };
    const parts = {
      act: element("span", { class: "act" }),
      cards: element("span"),
      stack: element("span", { class: "stack" }),
      bet: element("span", { class: "bet" }),
    };
    const button = element("button", { type: "button", class: "seat", title: shortened(player.name) },
      foreign(player.name), element("span", { class: "position" }, player.position), parts.cards, parts.stack, parts.act);
    place(button, 41, 38);
    place(parts.bet, 22, 20);
    button.addEventListener("click", () => choose(seat));
    return { ...parts, button };
  });
  const middle = element("div", { class: "middle" });
  byId("table").append(element("div", { class: "felt" }), middle);
  const many = players.length > 10; // who do not fit around a table
  for (const { button, bet } of seats) {
    byId("table").append(button);
    (many ? button : byId("table")).append(bet);
  }
  byId("table").classList.toggle("many", many);

  function showTable() {
    const now = moments[state.moment];
    middle.replaceChildren(cards(now.board), element("div", {}, now.over ? hand.money : `pot ${now.pot}`));
    if (now.over && hand.second_board) middle.prepend(cards(hand.second_board));
    players.forEach((player, k) => {
      const { button, act, cards: held, stack, bet } = seats[k];
      const folded = now.folded.includes(k);
      button.classList.toggle("folded", folded);
      button.classList.toggle("acts", now.seat === k);
      button.setAttribute("aria-pressed", String(state.seat === k));
      held.replaceChildren(state.cards && player.holding ? cards(player.holding) : cards("", folded ? 0 : 2));
      if (now.over) stack.textContent = player.net;
      else stack.textContent = now.all_in.includes(k) ? "all-in" : now.stacks[k] === null ? "" : now.stacks[k];
      stack.classList.toggle("won", now.over && player.won);
      act.textContent = now.seat === k ? now.words : folded ? "folded" : "";
      bet.textContent = now.bets[k];
      bet.hidden = !now.bets[k];
    });
    const moment = byId("moment");
    const who = now.seat === null ? [] : [foreign(players[now.seat].name), " "];
    moment.replaceChildren(element("span", { class: "dim" }, `${state.moment} / ${LAST} `),
      element("b", {}, hand.rounds[now.round]), ": ", ...who, now.words);
    byId("slider").value = state.moment;
    byId("slider").setAttribute("aria-valuetext", moment.textContent.slice(0, 300));
    byId("player").value = state.seat;
    byId("follow").checked = state.follow;
    byId("first").disabled = byId("back").disabled = state.moment === 0;
    byId("last").disabled = byId("forward").disabled = state.moment === LAST;
  }

  // ---------------------------------------------------------------- a range

  function cellOf(table, change, k) {
    const mean = table.grid[k];
    const live = ofClass[k].filter((index) => table.live[index]);
    if (mean === null) return { style: "none", number: "-", words: `${classes[k]}: no live holding` };
    if (change) {
      const bits = change[k];
      const clipped = bits === "new" ? 1 : bits === "out" ? 0 :
        Math.min(1, Math.max(0, 0.5 + (0.5 * bits) / data.strongest_bits));
      const words = bits === "new" ? "possible now, impossible before" : bits === "out" ?
        "impossible now, possible before" : `a holding is ${digits(2 ** bits)} times as probable as before`;
      const tenths = typeof bits === "string" ? 0 : Math.round(10 * Math.min(9.9, Math.max(-9.9, bits)));
      const number = typeof bits === "string" ? bits : tenths ? `${tenths > 0 ? "+" : ""}${tenths}` : "\u00b7";
      return { style: `c${Math.round(clipped * data.levels)}`, number, words: `${classes[k]}: ${words}` };
    }
    const level = table.top ? Math.min(1, mean / table.top) : 0;
    const chance = table.total ? live.reduce((sum, index) => sum + table.values[index], 0) / table.total : 0;
    const count = `${live.length} holding${live.length === 1 ? "" : "s"}`;
    return {
      style: `w${Math.round(level * data.levels)}`,
      number: mean ? (100 * level).toFixed(0) : "\u00b7",
      words: `${classes[k]}: weight ${digits(mean)}, ${count}, probability ${percent(chance)}`,
    };
  }

  // A map is made once for each reader; its cells change.
  function makeMap(onClass) {
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

  function showMap(column, table, change, held, caption) {
    column.caption.replaceChildren(...caption);
    const marked = held === null ? -1 : data.class_of_holding[holdings.indexOf(held)];
    column.buttons.forEach((button, k) => {
      const cell = cellOf(table, change, k);
      button.className = cell.style + (k === marked ? " held" : "") + (k === state.open ? " open" : "");
      button.title = cell.words + (k === marked ? " (held)" : "");
      button.setAttribute("aria-label", button.title);
      button.setAttribute("data-weight", table.grid[k] === null ? "" : String(table.grid[k]));
      button.querySelector(".number").textContent = cell.number;
    });
  }

  function combos(table, k) {
    if (k === null) return [element("p", { class: "dim" }, "Choose a class to see its holdings.")];
    const rows = ofClass[k].map((index) => {
      const row = element("tr", {}, element("td", {}, cards(holdings[index])));
      if (!table.live[index]) row.append(element("td", { colspan: "2", class: "dim" }, "not possible"));
      else {
        const weight = table.values[index];
        row.append(element("td", {}, digits(weight)),
          element("td", {}, table.total ? percent(weight / table.total) : ""));
      }
      return row;
    });
    const head = element("tr", {}, ...[classes[k], "weight", "probability"].map((text) =>
      element("th", { scope: "col" }, text)));
    return [element("table", { class: "combos" }, element("thead", {}, head), element("tbody", {}, ...rows))];
  }

  // ---------------------------------------------------------------- bits over time

  // One scale for all readers, in whole bits.
  const entropies = readers.flatMap(({ steps }) => steps.flatMap((step) => [step.entropy_bits_before, step.entropy_bits]))
    .filter((bits) => bits !== null);
  const HIGH = Math.ceil(Math.max(1, ...entropies));
  const LOW = Math.max(0, Math.min(HIGH - 2, Math.floor(Math.min(...entropies))));

  function chart(reader) {
    const [width, height, left, right, above, below] = [420, 130, 26, 8, 8, 20];
    const x = (moment) => left + ((width - left - right) * moment) / Math.max(1, LAST);
    const y = (bits) => height - below - ((height - above - below) * (bits - LOW)) / (HIGH - LOW);
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img" });
    const apart = Math.ceil((HIGH - LOW) / 5);
    for (let bits = LOW; bits <= HIGH; bits += apart) {
      svg.append(drawn("line", { x1: left, x2: width - right, y1: y(bits), y2: y(bits), class: "rule" }),
        drawn("text", { x: left - 4, y: y(bits) + 3, "text-anchor": "end" }, String(bits)));
    }
    moments.forEach((moment, k) => {
      if (k && moment.round !== moments[k - 1].round) {
        svg.append(drawn("line", { x1: x(k), x2: x(k), y1: above, y2: height - below, class: "rule" }),
          drawn("text", { x: x(k) + 2, y: height - 6 }, hand.rounds[moment.round]));
      }
    });
    svg.append(drawn("text", { x: left, y: height - 6 }, hand.rounds[0]));
    const order = players.map((_, seat) => seat).sort((a, b) => (a === state.seat) - (b === state.seat));
    for (const seat of order) {
      const steps = reader.bySeat[seat];
      if (!steps.length) continue;
      let path = `M${x(0)} ${y(steps[0].entropy_bits_before ?? HIGH)}`;
      for (const step of steps) {
        if (step.entropy_bits === null || step.entropy_bits_before === null) continue;
        path += `H${x(step.index + 1)}V${y(step.entropy_bits_before)}V${y(step.entropy_bits)}`;
      }
      if (!moments[LAST - 1].folded.includes(seat)) path += `H${x(LAST)}`;
      svg.append(drawn("path", { d: path, class: seat === state.seat ? "line chosen" : "line" }));
    }
    svg.append(drawn("line", { x1: x(state.moment), x2: x(state.moment), y1: above, y2: height - below, class: "now" }));
    const step = lastStep(reader, state.seat, state.moment);
    const said = step && step.entropy_bits !== null ? `${step.entropy_bits.toFixed(2)} bits now` : "no act yet";
    svg.setAttribute("aria-label", `Entropy of the range over the hand, in bits: ${said}`);
    return element("figure", {}, svg, element("figcaption", { class: "dim" },
      `Entropy of the range in bits (${said}); thin: the other players`));
  }

  // ---------------------------------------------------------------- the hero

  function worth(advice) {
    const acts = ["fold", "call", "raise"].filter((act) => advice.ev && advice.ev[act] !== null);
    if (!acts.length) return [];
    const error = (act) => 1.96 * (advice.standard_error[act] || 0);
    const low = Math.min(0, ...acts.map((act) => advice.ev[act] - error(act)));
    const high = Math.max(0, ...acts.map((act) => advice.ev[act] + error(act)));
    const [width, left, right, row] = [420, 42, 104, 24];
    const x = (value) => left + ((width - left - right) * (value - low)) / (high - low || 1);
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${row * acts.length + 4}`, class: "chart worth", role: "img" });
    acts.forEach((act, k) => {
      const [value, half, mid] = [advice.ev[act], error(act), row * k + row / 2 + 2];
      svg.append(
        drawn("text", { x: left - 6, y: mid + 4, "text-anchor": "end" }, act),
        drawn("rect", { x: Math.min(x(0), x(value)), y: mid - 7, width: Math.abs(x(value) - x(0)), height: 14,
          class: "bar" }),
        drawn("line", { x1: x(value - half), x2: x(value + half), y1: mid, y2: mid, class: "error" }),
        drawn("line", { x1: x(value - half), x2: x(value - half), y1: mid - 4, y2: mid + 4, class: "error" }),
        drawn("line", { x1: x(value + half), x2: x(value + half), y1: mid - 4, y2: mid + 4, class: "error" }),
        drawn("text", { x: width - right + 8, y: mid + 4 }, `${value >= 0 ? "+" : ""}${value.toFixed(2)}` +
          (half ? ` \u00b1 ${advice.standard_error[act].toFixed(2)}` : "")));
    });
    svg.append(drawn("line", { x1: x(0), x2: x(0), y1: 0, y2: row * acts.length + 4, class: "zero" }));
    svg.setAttribute("aria-label", acts.map((act) => `${act} ${advice.ev[act].toFixed(2)} small bets, standard error ` +
      (advice.standard_error[act] || 0).toFixed(2)).join("; "));
    return [element("figure", {}, svg, element("figcaption", { class: "dim" },
      "Expected value in small bets \u00b1 standard error; whiskers: 95 %"))];
  }

  // ---------------------------------------------------------------- readers

  byId("hand").className = ["one", "two"][readers.length - 1] || "more";
  for (const reader of readers) {
    reader.column = makeMap((k) => {
      state.open = state.open === k ? null : k;
      show();
    });
    reader.key = element("p", { class: "key" });
    reader.combos = element("div", { "aria-live": "polite" });
    reader.bits = element("div");
    reader.said = element("div", { "aria-live": readers.length > 1 ? "off" : "polite" });
    reader.advice = element("div");
    const article = element("article", {}, element("h2", {}, reader.model));
    article.append(...reader.notes.map((note) => element("p", { class: "dim note" }, foreign(note))));
    article.append(reader.column.map, reader.key, reader.combos, reader.advice, reader.said, reader.bits);
    byId("readers").append(article);
  }

  function showKey(reader, table, change) {
    const bar = element("span", { class: "ramp", "aria-hidden": "true" });
    for (let k = 0; k <= data.levels; k += 2) bar.append(element("span", { class: `${change ? "c" : "w"}${k}` }));
    const most = 2 ** data.strongest_bits;
    if (change) reader.key.replaceChildren(`1/${most} `, bar, ` \u00d7${most} as probable as before; +10 = twice`);
    else reader.key.replaceChildren("0 ", bar, ` ${digits(table.top)} mean weight, which is 100`);
  }

  function showReader(reader) {
    const step = lastStep(reader, state.seat, state.moment);
    const first = reader.bySeat[state.seat][0];
    const player = players[state.seat];
    const ahead = step || first;
    const empty = !ahead;
    for (const part of [reader.column.map, reader.key, reader.combos]) part.hidden = empty;
    if (!empty) {
      const table = tableOf(reader, step ? step.after : first.before);
      const change = state.view === "change" && step ? step.change : null;
      const held = state.cards && player.holding !== null && ahead.true_holding ? player.holding : null;
      const when = step ? moments[step.index + 1].words : "before any act";
      const nothing = state.view === "change" && !change ? "; the act changed nothing: weights are shown" : "";
      showMap(reader.column, table, change, held, [foreign(player.name), `: ${when}${nothing}`]);
      showKey(reader, table, change);
      reader.combos.replaceChildren(...combos(table, state.open));
    }
    reader.bits.replaceChildren(chart(reader));
    const lines = step ? step.lines : [];
    reader.said.replaceChildren(element("h3", {}, "What the act said"), lines.length ?
      element("ul", { class: "said" }, ...lines.map(([kind, line]) =>
        element("li", { "data-kind": kind }, foreign(line, "span")))) :
      element("p", { class: "dim" }, "Nothing yet: the player has not acted."));
    const now = reader.steps[state.moment - 1];
    const advised = now && now.advice ? now : null;
    reader.advice.replaceChildren(...(advised ?
      [element("h3", {}, "The hero"), element("p", {}, foreign(advised.advice_words, "span")), ...worth(advised.advice)] : []));
  }

  function show() {
    showTable();
    readers.forEach(showReader);
  }

  // ---------------------------------------------------------------- controls

  const listen = (id, what, then) => byId(id).addEventListener(what, then, { signal });

  byId("title").append(foreign(hand.title));
  document.title = shortened(hand.title);
  byId("slider").max = LAST;
  listen("slider", "input", (event) => go(Number(event.target.value)));
  listen("first", "click", () => go(0));
  listen("back", "click", () => go(state.moment - 1));
  listen("forward", "click", () => go(state.moment + 1));
  listen("last", "click", () => go(LAST));
  players.forEach((player, k) => byId("player").append(element("option", { value: k }, shortened(player.name))));
  listen("player", "change", (event) => choose(Number(event.target.value)));
  listen("follow", "change", (event) => {
    state.follow = event.target.checked;
    go(state.moment);
  });
  listen("cards", "change", (event) => {
    state.cards = event.target.checked;
    show();
  });
  listen("view", "change", (event) => {
    state.view = event.target.value;
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input[type=range]")) return;
    const to = { ArrowLeft: state.moment - 1, ArrowRight: state.moment + 1, Home: 0, End: LAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }, { signal });
  show();
}
