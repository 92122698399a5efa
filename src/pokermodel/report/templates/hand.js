// Draws a hand.
let shown = null; // aborts what listens to the controls for the hand that is shown

function leaveHand() {
  if (shown) shown.abort();
  shown = null;
}

function drawHand(data) {
  leaveHand();
  shown = new AbortController();
  const { signal } = shown;
  for (const id of ["title", "about", "answer", "acts", "table", "player", "against", "readers", "worth", "below"]) {
    byId(id).replaceChildren();
  }
  const { hand, readers, classes } = data;
  const { players, moments } = hand;
  const LAST = moments.length - 1;
  const alone = readers.length === 1; // two ranges of one reader stand side by side, or one of each of several

  // ---------------------------------------------------------------- data

  const holdings = data.holdings.match(/..../g);
  const ofClass = classes.map(() => []);
  data.class_of_holding.forEach((k, index) => ofClass[k].push(index));

  // Weights are packed class by class, those of holdings that are possible only: one that all of a class have, or each.
  function unpack(table) {
    const dead = new Set(cardsOf(table.dead));
    const live = holdings.map((text) => !cardsOf(text).some((card) => dead.has(card)));
    const packed = typeof table.weights === "string" ?
      Uint8Array.from(atob(table.weights), (sign) => sign.charCodeAt(0)) : table.weights;
    const values = holdings.map(() => 0);
    const { largest, steps, each } = data.packing;
    let at = 0;
    for (const all of ofClass) {
      const possible = all.filter((index) => live[index]);
      possible.forEach((index, k) => {
        const part = packed[at] + 256 * packed[at + 1];
        const number = part % each;
        if (number) values[index] = table.largest * 2 ** ((number - largest) / steps);
        if (part >= each || k === possible.length - 1) at += 2;
      });
    }
    return described({ values, live, tops: table.tops });
  }

  // A table with what is drawn of it: the mean weight of each class and the largest of them.
  function described(table) {
    const { values, live } = table;
    const sum = (indices) => indices.reduce((total, index) => total + values[index], 0);
    const grid = ofClass.map((all) => {
      const possible = all.filter((index) => live[index]);
      return possible.length ? sum(possible) / possible.length : null;
    });
    return { ...table, grid, total: sum([...values.keys()]), top: Math.max(0, ...grid) };
  }

  // A table without the holdings of which a card is gone: on the board by now, or known to be another's.
  function without(table, gone) {
    const live = table.live.map((each, index) => each && !cardsOf(holdings[index]).some((card) => gone.has(card)));
    if (live.every((each, index) => each === table.live[index])) return table;
    return described({ ...table, live, values: table.values.map((weight, index) => (live[index] ? weight : 0)) });
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

  // What a seat can hold at a moment; null if it never acts.
  function rangeOf(reader, seat, moment) {
    const [step, first] = [lastStep(reader, seat, moment), reader.bySeat[seat][0]];
    if (!first) return null;
    const gone = new Set(moments[moment].folded.includes(seat) ? [] : cardsOf(moments[moment].board));
    players.forEach((player, k) => {
      if (state.removed && k !== seat && player.holding) cardsOf(player.holding).forEach((card) => gone.add(card));
    });
    return { step, table: without(tableOf(reader, step ? step.after : first.before), gone) };
  }

  // How much likelier each class became by an act, in bits: null if it changed nothing; "new" and "out" as it is told
  // where it stands in the data.
  function changeOf(reader, step) {
    if (step.change !== undefined) return step.change;
    if (!step.changed) return null;
    const before = lastStep(reader, step.seat, step.index);
    const board = new Set(cardsOf(moments[step.index + 1].board));
    const [now, then] = [tableOf(reader, step.after),
      without(tableOf(reader, before ? before.after : reader.bySeat[step.seat][0].before), board)];
    return now.grid.map((mean, k) => {
      if (mean === null || then.grid[k] === null) return null;
      if (!mean || !then.grid[k]) return mean ? "new" : then.grid[k] ? "out" : 0;
      return Math.log2(mean / now.total) - Math.log2(then.grid[k] / then.total);
    });
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
  const percent = (share) => `${digits(100 * share, 2)}%`;

  // ---------------------------------------------------------------- state

  const heroSeat = players.findIndex((player) => player.name === hand.hero);
  const state = { moment: 0, seat: 0, against: 0, follow: true, cards: byId("cards").checked,
    removed: byId("removed").checked, view: byId("view").value, open: null };

  // Who else matters when a player acts: whoever bet or raised last, or acted last, of those who are in.
  function rival(seat, moment) {
    const inside = (k) => k !== seat && !moments[moment].folded.includes(k);
    let [bettor, actor] = [null, null];
    for (let k = 1; k <= moment; k++) {
      const { seat: who, words } = moments[k];
      if (who === null || !inside(who)) continue;
      actor = who;
      if (/^(bets|raises)/.test(words)) bettor = who;
    }
    if (bettor !== null || actor !== null) return bettor === null ? actor : bettor;
    const others = players.map((_, k) => k).filter(inside);
    return others.length ? others[0] : (seat + 1) % players.length;
  }

  // Whose ranges are shown: of who acts, against the hero; where the hero acts, of who they are up against.
  function follow() {
    const { seat } = moments[state.moment];
    const now = seat === null && state.moment < LAST ? moments[state.moment + 1].seat : seat;
    if (alone && heroSeat >= 0) {
      const other = now === null ? state.seat : now;
      state.seat = other === heroSeat ? rival(heroSeat, state.moment) : other;
      state.against = heroSeat;
    } else if (now !== null) {
      state.seat = now;
      state.against = rival(now, state.moment);
    } else if (state.seat === state.against) state.against = rival(state.seat, state.moment);
  }

  function go(moment) {
    state.moment = Math.min(LAST, Math.max(0, moment));
    if (state.follow) follow();
    show();
  }

  function choose(seat) {
    if (seat === state.against) state.against = state.seat === seat ? rival(seat, state.moment) : state.seat;
    state.seat = seat;
    state.follow = false;
    show();
  }

  // ---------------------------------------------------------------- the acts

  function listActs() {
    let [street, list] = [-1, null];
    moments.forEach((moment, k) => {
      if (k && (moment.round !== street || moment.over)) {
        street = moment.round;
        const to = element("button", { type: "button", class: "street", "data-moment": k },
          element("span", {}, moment.over ? "result" : hand.rounds[street]));
        if (!moment.over && moment.board) to.append(cards(street === 1 ? moment.board : moment.board.slice(-2)));
        list = element("ol");
        byId("acts").append(to, list);
      }
      if (!k || moment.seat === null) return;
      const own = moment.seat === heroSeat ? { class: "own" } : {};
      const act = element("button", { type: "button", "data-moment": k, ...own }, foreign(players[moment.seat].name), " ",
        element("span", { class: `verb ${moment.words.split(" ")[0]}` }, moment.words));
      if (k === hand.start) act.append(element("span", { class: "key_act", title: "the page opens here" }, "\u25c6"));
      list.append(element("li", {}, act));
    });
    byId("acts").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) go(Number(button.getAttribute("data-moment")));
    }, { signal });
  }

  function markAct() {
    const box = byId("acts");
    for (const button of box.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const at = `[data-moment="${state.moment}"]`;
    const now = box.querySelector(`li ${at}`) || box.querySelector(at);
    if (!now) {
      box.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "step");
    const top = now.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 24 || top + now.offsetHeight > box.clientHeight - 24) { // the list alone scrolls, not the page
      box.scrollTop += top - box.clientHeight / 2;
    }
  }

  // What the moment says, in a sentence.
  function showAnswer() {
    const now = moments[state.moment];
    const step = readers[0].steps[state.moment - 1];
    const parts = [];
    if (step) {
      for (const [kind, text] of step.headline) parts.push(kind === "name" ? foreign(text) : visible(text));
    } else if (now.over) {
      players.filter((player) => player.won).forEach((player, k) =>
        parts.push(k ? ", " : "", foreign(player.name), ` wins ${player.net.replace(/\+/g, "")}`));
      const lucky = players.filter((player) => player.all_in_ev !== null && player.all_in_ev !== player.net);
      lucky.forEach((player, k) => parts.push(k ? ", " : "; all-in EV ", foreign(player.name), ` ${player.all_in_ev}`));
      parts.push(`. ${hand.money[0].toUpperCase()}${hand.money.slice(1)}.`);
    } else parts.push(now.words[0].toUpperCase() + now.words.slice(1), ".");
    byId("answer").replaceChildren(...parts);
  }

  // ---------------------------------------------------------------- the table

  const seats = players.map((player, seat) => {
    const angle = Math.PI / 2 + (2 * Math.PI * seat) / players.length;
    const parts = {
      act: element("span", { class: "act" }),
      cards: element("span"),
      stack: element("span", { class: "stack" }),
      bet: element("span", { class: "bet" }),
    };
    const dealer = seat === hand.button ? [element("span", { class: "dealer", title: "dealer button" }, "D"), " "] : [];
    const named = document.body.className === "masked" ? {} : { title: shortened(player.name) };
    const button = element("button", { type: "button", class: "seat", ...named },
      foreign(player.name), element("span", { class: "position" }, ...dealer, player.position), parts.cards, parts.stack,
    parts.bet, parts.act);
    button.style.setProperty("--x", `${50 + 41 * Math.cos(angle)}%`);
    button.style.setProperty("--y", `${50 + 38 * Math.sin(angle)}%`);
    button.addEventListener("click", () => choose(seat));
    return { ...parts, button };
  });
  const middle = element("div", { class: "middle" });
  byId("table").append(element("div", { class: "felt" }), middle);
  const many = players.length > 8; // who do not fit around a table
  for (const { button } of seats) byId("table").append(button);
  byId("table").classList.toggle("many", many);

  function showTable() {
    const now = moments[state.moment];
    middle.replaceChildren(cards(now.board), element("div", {}, `pot ${now.pot}`));
    if (now.over) middle.prepend(...hand.other_boards.map((board) => cards(board)));
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
      element("b", {}, now.over ? "result" : hand.rounds[now.round]), ": ", ...who, now.words);
    byId("slider").value = state.moment;
    byId("slider").setAttribute("aria-valuetext", moment.textContent.slice(0, 300));
    byId("player").value = state.seat;
    byId("against").value = state.against;
    byId("follow").checked = state.follow;
    byId("first").disabled = byId("back").disabled = state.moment === 0;
    byId("last").disabled = byId("forward").disabled = state.moment === LAST;
  }

  // ---------------------------------------------------------------- a range

  function cellOf(table, change, k) {
    const mean = table.grid[k];
    const live = ofClass[k].filter((index) => table.live[index]);
    if (mean === null) return { style: "none", number: "-", words: `${classes[k]}: no combo is possible` };
    if (change) {
      const bits = change[k];
      const clipped = bits === "new" ? 1 : bits === "out" ? 0 :
        Math.min(1, Math.max(0, 0.5 + (0.5 * bits) / data.strongest_bits));
      const words = bits === "new" ? "possible now, impossible before" : bits === "out" ?
        "impossible now, possible before" : `${digits(2 ** bits)} times as likely as before`;
      const tenths = typeof bits === "string" ? 0 : Math.round(10 * Math.min(9.9, Math.max(-9.9, bits)));
      const number = typeof bits === "string" ? bits : tenths ? `${tenths > 0 ? "+" : ""}${tenths}` : "\u00b7";
      return { style: `c${Math.round(clipped * data.levels)}`, number, words: `${classes[k]}: ${words}` };
    }
    const level = table.top ? Math.min(1, mean / table.top) : 0;
    const chance = table.total ? live.reduce((sum, index) => sum + table.values[index], 0) / table.total : 0;
    const count = `${live.length} combo${live.length === 1 ? "" : "s"}`;
    return {
      style: `w${Math.round(level * data.levels)}`,
      number: mean ? (100 * level).toFixed(0) : "\u00b7",
      words: `${classes[k]}: ${percent(chance)} of the range, ${count}, weight ${digits(mean)}`,
    };
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
    if (k === null) return [element("p", { class: "dim" }, "Click a hand to see its combos.")];
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
    const head = element("tr", {}, ...[classes[k], "weight", "of the range"].map((text) =>
      element("th", { scope: "col" }, text)));
    return [element("table", { class: "combos" }, element("thead", {}, head), element("tbody", {}, ...rows))];
  }

  // ---------------------------------------------------------------- what a range makes

  // The share of a range by what it makes with the board, strongest first: none before the flop.
  function made(table, board) {
    const codes = hand.groups[String(cardsOf(board).length)];
    if (!codes || !table.total) return [];
    const sums = data.groups.map(() => 0);
    table.values.forEach((weight, index) => {
      if (weight && codes[index] !== "-") sums[codes.charCodeAt(index) - 65] += weight;
    });
    const whole = sums.reduce((total, weight) => total + weight, 0);
    return whole ? data.groups.map((name, k) => [name, sums[k] / whole, k]).filter(([, share]) => share > 0) : [];
  }

  // Colours of the ramps: made hands by strength, then draws, then what is nothing yet.
  const [MADE, DRAWS] = [9, 12];
  const shade = (k) => (k < MADE ? `w${Math.round(data.levels * (1 - (0.72 * k) / MADE))}` :
    k < DRAWS ? `c${data.levels - 3 * (k - MADE)}` : `w${Math.max(0, 4 - 2 * (k - DRAWS))}`);

  function composition(table, board) {
    const parts = made(table, board);
    if (!parts.length) return [];
    const bar = element("div", { class: "parts", "aria-hidden": "true" });
    for (const [, share, k] of parts) {
      const part = element("span", { class: shade(k) });
      part.style.setProperty("flex-grow", share);
      bar.append(part);
    }
    const list = element("ul", { class: "made" });
    for (const [name, share, k] of parts.filter(([, each]) => each >= 0.005)) {
      list.append(element("li", {}, element("span", { class: `swatch ${shade(k)}`, "aria-hidden": "true" }),
        element("span", {}, name), " ", element("b", {}, `${Math.round(100 * share)}%`)));
    }
    return [bar, list];
  }

  // A range as text that pokermodel and solvers read: classes, or combos where those of a class differ.
  function rangeText(table) {
    const most = Math.max(...table.values);
    const told = (weight) => (weight >= 0.9995 ? "" : `:${Number(weight.toFixed(4))}`);
    const parts = [];
    ofClass.forEach((all, k) => {
      const weights = all.map((index) => table.values[index] / most);
      const [low, high] = [Math.min(...weights), Math.max(...weights)];
      if (high < 0.00005) return;
      if (high - low <= 0.002 * high) parts.push(classes[k] + told(high));
      else all.forEach((index, j) => weights[j] >= 0.00005 && parts.push(holdings[index] + told(weights[j])));
    });
    return parts.join(",");
  }

  async function copy(text, button) {
    const label = "copy range";
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch (error) { // an old browser, or one that does not allow it: what is selected can be copied by hand
      const field = element("textarea", { "aria-label": "the range as text", readonly: "", rows: "3" });
      field.value = text;
      button.after(field);
      field.select();
      button.textContent = "copy it from here";
      field.addEventListener("blur", () => field.remove());
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  }

  // ---------------------------------------------------------------- how the ranges came about

  // How much of all hands is left to each player over the hand, drawn as wide as there is room.
  function chart(reader, wide) {
    const [width, height, left, right, above, below] = [Math.max(260, wide), 150, 44, 10, 8, 20];
    const x = (moment) => left + ((width - left - right) * moment) / Math.max(1, LAST);
    const y = (share) => height - below - (height - above - below) * share;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "chart", role: "img" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(drawn("line", { x1: left, x2: width - right, y1: y(share), y2: y(share), class: "rule" }),
        drawn("text", { x: left - 5, y: y(share) + 4, "text-anchor": "end" }, `${100 * share}%`));
    }
    let named = -Infinity;
    moments.forEach((moment, k) => {
      if (k && moment.round === moments[k - 1].round) return;
      if (k) svg.append(drawn("line", { x1: x(k), x2: x(k), y1: above, y2: height - below, class: "rule" }));
      if (x(k) - named < 52) return;
      svg.append(drawn("text", { x: x(k) + 2, y: height - 6 }, hand.rounds[moment.round]));
      named = x(k);
    });
    const order = players.map((_, seat) => seat).sort((a, b) => (a === state.seat) - (b === state.seat));
    for (const seat of order) {
      const steps = reader.bySeat[seat];
      if (!steps.length) continue;
      let path = `M${x(0)} ${y(1)}`;
      for (const step of steps) if (step.share !== null) path += `H${x(step.index + 1)}V${y(step.share)}`;
      if (!moments[LAST - 1].folded.includes(seat)) path += `H${x(LAST)}`;
      svg.append(drawn("path", { d: path, class: seat === state.seat ? "line chosen" : "line" }));
    }
    svg.append(drawn("line", { x1: x(state.moment), x2: x(state.moment), y1: above, y2: height - below, class: "now" }));
    const step = lastStep(reader, state.seat, state.moment);
    const said = step && step.share !== null ? `${step.combos.toFixed(0)} combos now (${percent(step.share)} of all hands)` :
      step ? "folded" : "any two cards";
    svg.setAttribute("aria-label", `How wide the range is over the hand, in per cent of all hands: ${said}`);
    return element("figure", {}, element("figcaption", {}, "Left to ", foreign(players[state.seat].name), `: ${said}`,
      element("span", { class: "dim" }, "; thin: the other players")), svg);
  }

  // A small map for every act of a player.
  function history(reader, seat) {
    const row = element("div", { class: "history" });
    for (const step of reader.bySeat[seat]) {
      const table = tableOf(reader, step.after);
      const small = element("span", { class: "small", "aria-hidden": "true" });
      small.append(...table.grid.map((mean) => element("span", { class: mean === null ? "none" :
        `w${Math.round((table.top ? Math.min(1, mean / table.top) : 0) * data.levels)}` })));
      const now = moments[step.index + 1];
      const button = element("button", { type: "button", "data-moment": step.index + 1,
        ...(step.index + 1 === state.moment ? { "aria-current": "step" } : {}) }, small,
      element("span", {}, `${hand.rounds[now.round]}: ${now.words}`),
      element("span", { class: "dim" }, step.share === null ? "" :
        now.round ? `${percent(step.share_here)} of what reached this point` : `${percent(step.share)} of hands`));
      button.addEventListener("click", () => go(step.index + 1));
      row.append(button);
    }
    return row;
  }

  // ---------------------------------------------------------------- the hero

  // Bars of what the acts are worth, with their errors; what was done is bold.
  function worth(rows, wide) {
    const low = Math.min(0, ...rows.map((each) => each.ev - each.error));
    const high = Math.max(0, ...rows.map((each) => each.ev + each.error));
    const longest = Math.max(...rows.map((each) => each.words.length));
    const [width, left, right, row] = [Math.max(260, Math.min(wide, 1000)), 18 + 7 * longest, 186, 24];
    const x = (value) => left + ((width - left - right) * (value - low)) / (high - low || 1);
    const height = row * rows.length + 4;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "chart worth", role: "img" });
    rows.forEach((each, k) => {
      const [value, half, mid] = [each.ev, each.error, row * k + row / 2 + 2];
      const said = `${value >= 0 ? "+" : ""}${value.toFixed(2)}${half ? ` \u00b1 ${half.toFixed(2)}` : ""}` +
        `${each.best ? ", best" : ""}${each.done ? ", done" : ""}`;
      const text = each.done ? { class: "done" } : {};
      svg.append(
        drawn("text", { x: left - 6, y: mid + 4, "text-anchor": "end", ...text }, each.words),
        drawn("rect", { x: Math.min(x(0), x(value)), y: mid - 7, width: Math.abs(x(value) - x(0)), height: 14,
          class: each.best ? "bar best" : "bar" }),
        drawn("line", { x1: x(value - half), x2: x(value + half), y1: mid, y2: mid, class: "error" }),
        drawn("line", { x1: x(value - half), x2: x(value - half), y1: mid - 4, y2: mid + 4, class: "error" }),
        drawn("line", { x1: x(value + half), x2: x(value + half), y1: mid - 4, y2: mid + 4, class: "error" }),
        drawn("text", { x: width - right + 8, y: mid + 4, ...text }, said));
    });
    svg.append(drawn("line", { x1: x(0), x2: x(0), y1: 0, y2: height, class: "zero" }));
    svg.setAttribute("aria-label", rows.map((each) => `${each.words} ${each.ev.toFixed(2)} ${hand.unit}, give or take ` +
      each.error.toFixed(2)).join("; "));
    return element("figure", {}, svg, element("figcaption", { class: "dim" },
      `Expected value in ${hand.unit}${rows.some((each) => each.error) ? ", with its 95% interval" : ""}`));
  }

  // What the hero has beside what a call needs.
  function priceBar(odds, wide) {
    const [width, height] = [Math.max(260, Math.min(wide, 1000)), 32];
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "chart price", role: "img",
      "aria-label": odds.words });
    svg.append(drawn("rect", { x: 0, y: 9, width, height: 14, class: "ground" }),
      drawn("rect", { x: 0, y: 9, width: width * odds.has, height: 14, class: "bar best" }));
    const at = width * odds.needed;
    if (at) svg.append(drawn("line", { x1: at, x2: at, y1: 2, y2: 30, class: "needed" }));
    return element("figure", {}, svg, element("figcaption", { class: "dim" },
      `The bar is the hero's equity against all ranges${at ? "; the mark is what a call needs" : ""}`));
  }

  function showWorth() {
    const told = readers.map((reader) => [reader, reader.steps[state.moment - 1]])
      .filter(([, step]) => step && (step.advice || step.odds));
    byId("worth").hidden = !told.length;
    const wide = byId("worth").clientWidth - 24;
    byId("worth").replaceChildren(...(told.length ? [element("h2", {}, told.some(([, step]) => step.worths.length) ? "What each action was worth" : "What a call needs")] : []),
      ...told.map(([reader, step]) => element("div", { class: "told" },
        ...(alone ? [] : [element("h3", {}, reader.model)]),
        ...(step.advice_words ? [element("p", {}, foreign(step.advice_words, "span"))] : []),
        ...(step.worths.length ? [worth(step.worths, wide)] : []),
        ...(step.odds ? [element("p", {}, foreign(players[heroSeat].name), ` ${step.odds.words}.`),
          priceBar(step.odds, wide)] : []))));
  }

  // ---------------------------------------------------------------- readers

  byId("hand").className = ["one", "two"][readers.length - 1] || "more";

  function makeSide(which) {
    const side = makeMap(classes, (k) => {
      state.open = state.open === k ? null : k;
      show();
    });
    side.made = element("div", { class: "makes" });
    side.equity = element("p", { class: "equity" });
    side.like = element("p", { class: "like" });
    side.copy = element("button", { type: "button", class: "copy" }, "copy range");
    side.copy.addEventListener("click", () => copy(rangeText(side.table), side.copy));
    side.box = element("div", { class: `side ${which}` }, side.map, side.equity, side.like, side.made, side.copy);
    return side;
  }

  for (const reader of readers) {
    reader.sides = (alone ? ["first", "second"] : ["first"]).map(makeSide);
    reader.key = element("p", { class: "key" });
    reader.combos = element("div", { "aria-live": "polite", class: "chosen_combos" });
    reader.share = element("div");
    reader.history = element("div");
    reader.said = element("div");
    const article = element("article", {}, ...(alone ? [] : [element("h2", {}, reader.model)]));
    article.append(element("div", { class: "sides" }, ...reader.sides.map((side) => side.box)), reader.key, reader.combos);
    const notes = reader.notes.map((note) => element("p", { class: "dim note" }, foreign(note)));
    const details = element("div", { class: "details" },
      element("section", { class: "panel why" }, reader.said, ...notes,
        ...(alone ? [element("p", { class: "dim note" }, `Read by ${reader.model}.`)] : [])),
      element("section", { class: "panel how" }, element("h2", {}, "How the range came about"), reader.history, reader.share));
    (alone ? byId("below") : article).append(details);
    byId("readers").append(article);
  }

  function showKey(reader, change) {
    const bar = element("span", { class: "ramp", "aria-hidden": "true" });
    for (let k = 0; k <= data.levels; k += 2) bar.append(element("span", { class: `${change ? "c" : "w"}${k}` }));
    const most = 2 ** data.strongest_bits;
    if (change) reader.key.replaceChildren(`1/${most} `, bar, ` \u00d7${most} as likely as before; +10 = twice`);
    else reader.key.replaceChildren("never ", bar, " as often as the likeliest hand of the map");
  }

  const shareText = (share) => `${(100 * share).toFixed(1)}%`;

  function showSide(reader, side, seat) {
    const found = rangeOf(reader, seat, state.moment);
    side.box.hidden = !found;
    if (!found) return null;
    const [player, now, { step, table }] = [players[seat], moments[state.moment], found];
    side.table = table;
    const change = state.view === "change" && step ? changeOf(reader, step) : null;
    const ahead = step || reader.bySeat[seat][0];
    const held = state.cards && player.holding !== null && ahead.true_holding ? player.holding : null;
    const folded = now.folded.includes(seat);
    const when = step ? moments[step.index + 1].words : "before any action";
    const nothing = state.view === "change" && !change ? "; the action changed nothing: the range is shown" : "";
    showMap(side, table, change, held, [element("b", {}, foreign(player.name)), ` ${when}${nothing}`]);
    const equity = reader.equities[String(state.moment)];
    const parts = [];
    if (equity && equity.ranges[seat] !== undefined) {
      const error = equity.errors[seat];
      parts.push(element("b", {}, `${shareText(equity.ranges[seat])} equity`),
        error >= 0.0005 ? ` \u00b1 ${shareText(error)}` : "");
      if (state.cards && equity.held[seat] !== undefined) {
        const up = equity.cards_up[seat] === undefined ? "" : `, cards up ${shareText(equity.cards_up[seat])}`;
        parts.push("; ", element("span", {}, cards(player.holding), ` ${shareText(equity.held[seat])}`), up);
      }
    } else if (folded) parts.push(element("span", { class: "dim" }, "folded"));
    side.equity.replaceChildren(...parts);
    const like = table.tops.length ? ` Most like ${table.tops.slice(0, 5).join(" ")}.` : "";
    side.like.textContent = step ? step.width === null ? "" : `${step.width}.${now.board && !folded ? like : ""}` :
      "any two cards";
    side.made.replaceChildren(...(folded ? [] : composition(table, now.board)));
    side.copy.hidden = !table.total;
    return { step, table, change };
  }

  function showReader(reader) {
    const shownSides = reader.sides.map((side, k) => showSide(reader, side, k ? state.against : state.seat));
    const either = shownSides.find((each) => each);
    for (const part of [reader.key, reader.combos]) part.hidden = !either;
    if (either) {
      showKey(reader, either.change);
      reader.combos.replaceChildren(...combos(either.table, state.open));
    }
    const step = lastStep(reader, state.seat, state.moment);
    reader.history.replaceChildren(history(reader, state.seat));
    reader.share.replaceChildren(chart(reader, reader.share.clientWidth || 420));
    const lines = step ? step.lines : [];
    const did = step ? ` ${moments[step.index + 1].words}` : "";
    reader.said.replaceChildren(element("h2", {}, "Why: ", foreign(players[state.seat].name), did), lines.length ?
      element("ul", { class: "said" }, ...lines.map(([kind, line]) =>
        element("li", { "data-kind": kind }, foreign(line, "span")))) :
      element("p", { class: "dim" }, "Nothing yet: the player has not acted."));
  }

  function show() {
    showTable();
    markAct();
    showAnswer();
    showWorth();
    readers.forEach(showReader);
  }

  // ---------------------------------------------------------------- controls

  const listen = (id, what, then) => byId(id).addEventListener(what, then, { signal });

  byId("title").append(foreign(hand.title));
  byId("about").textContent = hand.about.join(" \u00b7 ");
  document.title = shortened(hand.title);
  listActs();
  byId("slider").max = LAST;
  listen("slider", "input", (event) => go(Number(event.target.value)));
  listen("first", "click", () => go(0));
  listen("back", "click", () => go(state.moment - 1));
  listen("forward", "click", () => go(state.moment + 1));
  listen("last", "click", () => go(LAST));
  for (const id of ["player", "against"]) {
    players.forEach((player, k) => byId(id).append(element("option", { value: k }, shortened(player.name))));
  }
  listen("player", "change", (event) => choose(Number(event.target.value)));
  listen("against", "change", (event) => {
    const seat = Number(event.target.value);
    if (seat === state.seat) state.seat = state.against;
    state.against = seat;
    state.follow = false;
    show();
  });
  listen("follow", "change", (event) => {
    state.follow = event.target.checked;
    go(state.moment);
  });
  for (const id of ["cards", "removed"]) {
    listen(id, "change", (event) => {
      state[id] = event.target.checked;
      show();
    });
  }
  listen("view", "change", (event) => {
    state.view = event.target.value;
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input:not([type=checkbox]), textarea")) return;
    const to = { ArrowLeft: state.moment - 1, ArrowRight: state.moment + 1, Home: 0, End: LAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }, { signal });
  let width = window.innerWidth; // charts are as wide as there is room
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    show();
  }, { signal });
  // "#7" is an action, from 1: the moment after it
  const named = (hash) => Number((/^#([0-9]{1,4})$/.exec(hash) || [0, LAST + 1])[1]);
  go(named(location.hash) <= LAST ? named(location.hash) : hand.start);
  const goTo = (hash) => { if (named(hash) <= LAST) go(named(hash)); };
  window.addEventListener("hashchange", () => goTo(location.hash), { signal });
  document.addEventListener("click", (event) => { // the address may be there already
    const link = event.target.closest('a[href^="#"]');
    if (link) goTo(link.hash);
  }, { signal });
}
