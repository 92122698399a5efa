// Draws a solution, node by node.
function drawSolution(data) {
  const { names, classes } = data;
  const holdings = data.holdings.match(/..../g);
  const main = byId("solution");
  const known = new Map(); // nodes that were unpacked
  const state = { node: data.start, open: null, view: byId("view").value };

  const percent = (share) => (share === null ? "\u2013" : `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`);
  const worth = (value) => (value === null ? "\u2013" : String(Number(value.toPrecision(4))));

  async function unpacked(name) {
    if (!known.has(name)) {
      const packed = Uint8Array.from(atob(data.nodes[name]), (sign) => sign.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
      known.set(name, JSON.parse(await new Response(stream).text()));
    }
    return known.get(name);
  }

  // ---------------------------------------------------------------- the way to the node

  const isCard = (part) => /^[2-9TJQKA][cdhs]$/.test(part);

  // Every node from the root to this one, each with what led to it in words.
  async function way(name) {
    const parts = name.split(":").slice(2);
    const found = [{ name: "r:0", words: "root" }];
    for (const part of parts) {
      const above = found[found.length - 1];
      const to = `${above.name}:${part}`;
      if (isCard(part)) {
        found.push({ name: to, words: part });
        continue;
      }
      const node = await unpacked(above.name);
      const act = node.acts.find((each) => each.part === part);
      found.push({ name: to, words: `${names[node.player]}: ${act.words}` });
    }
    return found;
  }

  async function showPath() {
    const steps = await way(state.node);
    const above = steps.length > 1 ? steps[steps.length - 2].name : null;
    const back = element("button", { type: "button", class: "back", "aria-label": "Back" }, "\u25c0");
    back.disabled = above === null;
    back.addEventListener("click", () => go(above));
    byId("path").replaceChildren(back, ...steps.map((step) => {
      const button = element("button", { type: "button", "data-node": step.name,
        ...(step.name === state.node ? { "aria-current": "step" } : {}) },
      isCard(step.words) ? cards(step.words) : foreign(step.words));
      button.addEventListener("click", () => go(step.name));
      return button;
    }));
    state.above = above;
  }

  function go(name) {
    if (name === null || !(name in data.nodes)) return;
    state.node = name;
    show();
  }

  // ---------------------------------------------------------------- what can be done

  function actBar(shares, acts) {
    const bar = element("span", { class: "act_bar", "aria-hidden": "true" });
    for (let k = acts.length - 1; k >= 0; k--) { // the largest bet is on the left
      if (!shares[k]) continue;
      const part = element("span", { class: `a-${acts[k].color}` });
      part.style.setProperty("flex-grow", shares[k]);
      bar.append(part);
    }
    return bar;
  }

  function choices(node) {
    if (node.kind === "deal") {
      const grid = element("div", { class: "deals" });
      for (const [card, ev, acts, here] of [...node.cards].reverse()) { // by rank one way and by suit the other
        const button = element("button", { type: "button", class: "deal", "data-card": card },
          cards(card), ...(ev ? [element("span", {}, worth(ev[0]))] : []));
        const said = acts.map(([words, share]) => `${words} ${percent(share)}`).join(", ");
        const values = ev ? `EV ${names.map((name, k) => `${name} ${worth(ev[k])}`).join(", ")}; ` : "";
        button.title = `${card}: ${values}${said}${here ? "" : " (not on this page)"}`;
        button.disabled = !here;
        button.style.setProperty("--rank", 1 + "AKQJT98765432".indexOf(card[0]));
        button.style.setProperty("--suit", 1 + "shdc".indexOf(card[1]));
        button.addEventListener("click", () => go(`${node.name}:${card}`));
        grid.append(button);
      }
      const under = node.cards.some((each) => each[1]) ? [element("p", { class: "dim key" }, "Under each card: EV of ",
        foreign(names[0]), ". ", node.cards.every((each) => each[3]) ? "" : "Dashed: not on this page.")] :
        [element("p", { class: "dim key" }, node.cards.every((each) => each[3]) ? "" : "Dashed: not on this page.")];
      return [grid, ...under];
    }
    if (node.kind !== "decision") return [];
    return node.acts.map((act, k) => {
      const button = element("button", { type: "button", class: "act", "data-part": act.part },
        element("span", { class: `swatch a-${act.color}`, "aria-hidden": "true" }), element("b", {}, act.words),
        element("span", {}, percent(act.share)),
        element("span", { class: "figures dim" }, `EV ${worth(act.ev)}`));
      button.title = `key ${k + 1}`;
      button.addEventListener("click", () => go(`${node.name}:${act.part}`));
      return button;
    });
  }

  function where(node) {
    const parts = [cards(node.board), ` pot ${worth(node.pot)}`];
    if (node.kind === "decision") {
      parts.push(", ", foreign(names[node.player]), node.to_call ? ` to call ${worth(node.to_call)}` : " to act");
      if (node.confidence !== null) parts.push(`, locked with confidence ${worth(node.confidence)}`);
    } else if (node.kind === "fold") parts.push(", ", foreign(names[node.player]), " folded");
    else parts.push(`, ${{ deal: "a card is dealt", "all-in": "all-in: the board is dealt out", showdown: "showdown" }[node.kind]}`);
    byId("where").replaceChildren(...parts);
  }

  // ---------------------------------------------------------------- the strategy

  const map = makeMap(classes, (k) => {
    state.open = state.open === k ? null : k;
    show();
  });
  byId("strategy").append(map.map);

  function fill(button, row, acts, height) {
    const stops = [];
    let at = 0;
    for (let k = acts.length - 1; k >= 0; k--) {
      if (!row[k]) continue;
      const to = Math.min(100, at + 100 * row[k]);
      stops.push(`var(--act-${acts[k].color}) ${at.toFixed(1)}% ${to.toFixed(1)}%`);
      at = to;
    }
    button.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    button.style.backgroundSize = `100% ${Math.max(12, Math.round(100 * height))}%`;
  }

  function showStrategy(node) {
    const acting = node.kind === "decision";
    byId("play").hidden = byId("chosen").hidden = !acting;
    if (!acting) return;
    const byEv = state.view === "ev";
    const found = node.class_ev.filter((value) => value !== null);
    const [low, high] = [Math.min(...found), Math.max(...found)];
    map.caption.replaceChildren(element("b", {}, foreign(names[node.player])), byEv ? " EV by hand" : " strategy by hand");
    map.buttons.forEach((button, k) => {
      const row = node.strategy[k];
      const weight = node.ranges[node.player][k];
      const open = k === state.open ? " open" : "";
      button.style.backgroundImage = button.style.backgroundSize = "";
      const number = button.querySelector(".number");
      number.textContent = "";
      if (!row || !weight) {
        button.className = `none${open}`;
        button.title = `${classes[k]}: never comes here`;
      } else {
        const ev = node.class_ev[k];
        button.className = open.trim();
        if (byEv && ev !== null) {
          button.className = `w${Math.round(data.levels * (high > low ? (ev - low) / (high - low) : 1))}${open} by_ev`;
          number.textContent = worth(Number(ev.toPrecision(3)));
        } else fill(button, row, node.acts, weight);
        button.title = `${classes[k]}: ${node.acts.map((act, a) => `${act.words} ${percent(row[a])}`).join(", ")}; EV ${worth(ev)}`;
      }
      button.setAttribute("aria-label", button.title);
    });
    byId("key").replaceChildren(...(byEv ? [`EV from ${worth(low)} to ${worth(high)}`] : [...node.acts].reverse().map((act) =>
      element("span", {}, element("span", { class: `swatch a-${act.color}`, "aria-hidden": "true" }), act.words))),
    element("span", { class: "dim" }, byEv ? "" : "A cell is as full as the hand is frequent in the range."));
    byId("chosen").replaceChildren(...chosen(node));
  }

  // ---------------------------------------------------------------- a hand's combos

  function chosen(node) {
    const title = state.open === null ? "All hands" : classes[state.open];
    const rows = state.open === null ? null : node.rows.filter((row) => data.class_of_holding[row[0]] === state.open);
    const head = element("h2", {}, title);
    if (rows === null) {
      return [head, element("p", { class: "dim" }, "Click a hand to see its combos. What hands make with the board, and what is done with that:"),
        grouped(node, node.player)];
    }
    const heads = ["", "", "EV", "more", ...node.acts.map((act) => act.words), "weight"];
    const table = element("table", { class: "combos" }, element("thead", {}, element("tr", {}, ...heads.map((text, k) =>
      element("th", { scope: "col", ...(k > 1 ? { class: "figure" } : {}) }, text)))));
    const body = element("tbody");
    for (const [index, weight, shares, ev, evs, gap] of rows) {
      const cell = (text, dim) => element("td", { class: "figure" }, text, ...(dim ? [element("div", { class: "dim" }, dim)] : []));
      body.append(element("tr", {}, element("td", {}, cards(holdings[index])),
        element("td", {}, shares[0] === null ? "" : actBar(shares, node.acts)),
        cell(worth(ev)), cell(worth(gap)), ...node.acts.map((act, k) => cell(percent(shares[k]), worth(evs[k]))),
        cell(worth(weight))));
    }
    table.append(body);
    return [head, rows.length ? table : element("p", { class: "dim" }, "It never comes here."),
      element("p", { class: "dim key" }, "Under each frequency: EV of the action. More: what a best response would add.")];
  }

  // ---------------------------------------------------------------- both ranges

  function grouped(node, player) {
    const body = element("tbody");
    for (const [name, share, acts] of node.groups[player]) {
      if (share < 0.0005) continue;
      const bar = acts.length ? [element("td", { class: "bar" }, actBar(acts, node.acts))] : [];
      body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "figure" }, percent(share)), ...bar));
    }
    return element("table", { class: "grouped" }, body);
  }

  const sides = names.map((name) => {
    const side = makeMap(classes, (k) => {
      state.open = state.open === k ? null : k;
      show();
    });
    side.equity = element("p", { class: "equity" });
    side.made = element("div");
    side.box = element("article", { class: "panel side" }, element("h2", {}, foreign(name)), side.equity,
      element("div", { class: "inside" }, side.map, side.made));
    byId("both").append(side.box);
    return side;
  });

  function showSide(node, player) {
    const side = sides[player];
    const values = node.ranges[player];
    const equity = node.equities === null ? "" : `${(100 * node.equities[player]).toFixed(1)}% equity, `;
    const gap = node.gap.length && node.gap[player] !== null ? ` (a best response: ${worth(node.gap[player])} more)` : "";
    const ev = node.ev[player] === null ? "" : `EV ${worth(node.ev[player])}${gap}, `;
    side.equity.textContent = `${equity}${ev}${node.widths[player]}`;
    side.buttons.forEach((button, k) => {
      const value = values[k];
      button.className = (value === null || value === 0 ? "none" : `w${Math.round(value * data.levels)}`) +
        (k === state.open ? " open" : "");
      button.title = value === null ? `${classes[k]}: no combo is possible` :
        `${classes[k]}: ${percent(value)} as often as the most frequent hand`;
      button.setAttribute("aria-label", button.title);
    });
    side.made.replaceChildren(grouped(node, player));
  }

  // ---------------------------------------------------------------- locks

  function listLocks() {
    byId("locks").hidden = !data.locks.length;
    const list = element("ul");
    for (const lock of data.locks) {
      const to = element("button", { type: "button" }, lock.node);
      to.disabled = !lock.here;
      to.addEventListener("click", () => go(lock.node));
      list.append(element("li", {}, to, " ", foreign(lock.player), `: ${lock.acts}, with confidence ${worth(lock.confidence)}`,
        lock.every ? ", and so behind other cards" : ""));
    }
    byId("locks").replaceChildren(element("h2", {}, "Locks: what is believed of a player"), list,
      ...(data.more_locks ? [element("p", { class: "dim" }, `and ${data.more_locks} more`)] : []));
  }

  // ---------------------------------------------------------------- all of it

  async function show() {
    const name = state.node;
    main.setAttribute("aria-busy", "true");
    let node;
    try {
      node = await unpacked(name);
      await showPath();
    } catch (error) {
      byId("title").textContent = "This browser cannot unpack the solution: a newer one can.";
      return;
    }
    if (state.node !== name) return; // another one was asked for meanwhile
    where(node);
    byId("choices").replaceChildren(...choices(node));
    showStrategy(node);
    names.forEach((_, player) => showSide(node, player));
    main.className = `at_${node.kind}`;
    main.setAttribute("data-node", name);
    main.setAttribute("aria-busy", "false");
  }

  byId("title").textContent = data.title;
  document.title = shortened(data.title);
  byId("about").textContent = data.about.join(" ");
  byId("told").replaceChildren(...data.lines.map((line) => element("p", {}, foreign(line, "span"))));
  byId("left_out").textContent = data.left_out || "";
  listLocks();
  byId("view").addEventListener("change", (event) => {
    state.view = event.target.value;
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input, textarea")) return;
    const node = known.get(state.node);
    if (event.key === "Backspace") go(state.above);
    else if (event.key === "Home") go("r:0");
    else if (/^[1-9]$/.test(event.key) && node && node.acts && node.acts[Number(event.key) - 1]) {
      go(`${node.name}:${node.acts[Number(event.key) - 1].part}`);
    } else return;
    event.preventDefault();
  });
  show();
}
