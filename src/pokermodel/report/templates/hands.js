
// Lists the hands that the page holds, and unpacks and draws the one that its address names, as #hand-12.
(() => {
  const shared = JSON.parse(byId("data").textContent);
  const rows = [...document.querySelectorAll("script.row")].map((node) =>
    ({ ...JSON.parse(node.textContent), packed: node.nextElementSibling }));
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const AT_ONCE = 200; // rows that are drawn before more are asked for

  // ---------------------------------------------------------------- what can be sorted by

  const models = rows.length ? rows[0].models : [];
  const heroes = [...new Set(rows.map((row) => row.hero).filter((name) => name !== null))];
  const won = (row) => row.players.reduce((best, player) => (player[1] > best[1] ? player : best));
  const resultOf = (row) => {
    const name = byId("of").value;
    return name === "" ? won(row) : row.players.find((player) => player[0] === name) || null;
  };
  const each = (what, title, words) => models.map((model, k) => ({
    title: models.length > 1 ? `${title}, ${model}` : title, down: what === "loss",
    value: (row) => row[what][k], show: (row) => [row[what][k] === null ? "" : words(row[what][k])],
  })).filter((column) => rows.some((row) => column.value(row) !== null));

  // Text that may break between its parts alone: a day and its time, money and the same in bets.
  const together = (text) => (text ? [element("span", {}, ...text.split(/ (?![^(]*\))/).flatMap((part, k) =>
    [k ? " " : "", element("span", { class: "part" }, part)]))] : []);

  const columns = [
    { title: "Hand", value: (row) => row.number, show: (row) => [link(row)] },
    { title: "Time (UTC)", found: (row) => row.time !== null, value: (row) => row.time, show: (row) => together(row.time) },
    { title: "Id", value: (row) => row.id, show: (row) => [foreign(row.id)], text: true },
    { title: "Players", show: (row) => [names(row)], text: true },
    { title: "Board", show: (row) => [cards(row.board)], text: true },
    { title: "Position",
      value: (row) => { const found = resultOf(row); return found && found[4][0]; },
      show: (row) => { const found = resultOf(row); return [found ? found[4][1] : ""]; } },
    { title: "Cards", found: (row) => row.players.some((player) => player[5] !== null), value: (row) => { const found = resultOf(row); return found && found[5]; },
      show: (row) => { const found = resultOf(row); return found && found[5] ? [cards(found[5])] : [""]; } },
    { title: "Pot type", value: (row) => row.type, show: (row) => [row.type] },
    { title: "Street", value: (row) => { const found = resultOf(row); return found && found[6][0]; },
      show: (row) => { const found = resultOf(row); return [found ? found[6][1] : ""]; } },
    { title: "Pot", down: true, value: (row) => row.pot[0], show: (row) => together(row.pot[1]) },
    { title: "Result", down: true, value: (row) => { const found = resultOf(row); return found && found[1]; },
      show: (row) => {
        const found = resultOf(row);
        if (found === null) return [""];
        return byId("of").value === "" ? [element("span", {}, foreign(found[0]), " ", ...together(found[2]))] : together(found[2]);
      } },
    { title: "All-in EV", down: true, found: (row) => row.all_in,
      value: (row) => { const found = resultOf(row); return found && found[3] && found[3][0]; },
      show: (row) => { const found = resultOf(row); return row.all_in && found && found[3] ? together(found[3][1]) : [""]; } },
    { title: "Rake", down: true, found: (row) => row.rake !== null && row.rake[0] !== 0,
      value: (row) => row.rake && row.rake[0], show: (row) => (row.rake === null ? ["not stated"] : together(row.rake[1])) },
    ...each("loss", "Largest loss of EV (sb)", (value) => value.toFixed(2)),
    ...each("chance", "True cards (x chance)", String),
  ].filter((column) => column.found === undefined || rows.some(column.found));

  function link(row) {
    return element("a", { href: `#hand-${row.number}` }, String(row.number));
  }

  function names(row) {
    const line = element("span", { class: "players" });
    row.players.forEach((player, k) => line.append(
      element("span", {}, foreign(player[0]), k < row.players.length - 1 ? "," : ""), " "));
    return line;
  }

  // ---------------------------------------------------------------- what is searched

  const plain = (text) => text.normalize("NFC").toLowerCase();
  // The text of a hand is made when it is first searched.
  function textOf(row) {
    if (row.text === undefined) {
      const acts = row.acts.map(([seat, words]) => `${row.players[seat][0]} ${words}`);
      const board = row.board.match(/../g) || [];
      const known = [`hand ${row.number}`, row.id, row.table || "", ...row.players.map((player) => player[0]), row.board, board.join(" ")];
      row.text = plain([...known, row.time || "", ...acts].join("\n"));
    }
    return row.text;
  }
  const wordsOf = (text) => [...plain(text).matchAll(/"([^"]+)"?|[^\s"]+/g)].map((found) => found[1] || found[0]);

  // ---------------------------------------------------------------- the index

  const sorting = { column: columns[0], down: false };
  let listed = rows; // hands that are found, in their order
  let drawn = 0; // of them

  function compare(a, b) {
    const [x, y] = [sorting.column.value(a), sorting.column.value(b)];
    if (x === null || y === null) return (x === null) - (y === null) || a.number - b.number; // what is not known is last
    const order = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x < y ? -1 : x > y ? 1 : 0;
    return (sorting.down ? -order : order) || a.number - b.number;
  }

  function list() {
    const words = wordsOf(byId("search").value);
    listed = rows.filter((row) => words.every((word) => textOf(row).includes(word))).sort(compare);
    drawn = 0;
    byId("hands").tBodies[0].replaceChildren();
    more();
    const all = `${rows.length} hand${rows.length === 1 ? "" : "s"}`;
    byId("count").textContent = words.length ? `${listed.length} of ${all}` : all;
    columns.forEach((column) => {
      const sorted = column === sorting.column;
      column.head.setAttribute("aria-sort", sorted ? (sorting.down ? "descending" : "ascending") : "none");
      column.mark.textContent = sorted ? (sorting.down ? " \u25bc" : " \u25b2") : "";
    });
    byId("by").value = columns.indexOf(sorting.column);
    byId("direction").textContent = sorting.down ? "\u25bc largest first" : "\u25b2 smallest first";
  }

  function more() {
    const made = listed.slice(drawn, drawn + AT_ONCE).map((row) => {
      const line = element("tr", { "data-number": row.number });
      columns.forEach((column, k) => line.append(element(k ? "td" : "th",
        { ...(k ? {} : { scope: "row" }), ...(column.text ? { class: "text" } : {}), "data-title": column.title },
        ...column.show(row))));
      return line;
    });
    byId("hands").tBodies[0].append(...made);
    fit();
    drawn += made.length;
    byId("more").hidden = drawn >= listed.length;
    byId("more").textContent = `Show ${Math.min(AT_ONCE, listed.length - drawn)} more of ${listed.length}`;
  }

  // A row a hand where there is room for all columns, else a card a hand: nothing is cut.
  function fit() {
    const table = byId("hands");
    table.classList.remove("cardlike");
    table.classList.toggle("cardlike", table.scrollWidth > table.parentElement.clientWidth + 1);
  }

  function sortBy(column, down = Boolean(column.down)) {
    sorting.column = column;
    sorting.down = down;
    list();
  }

  for (const column of columns) {
    column.mark = element("span", { "aria-hidden": "true" });
    column.head = element("th", { scope: "col", ...(column.text ? { class: "text" } : {}) });
    if (column.value) {
      const button = element("button", { type: "button" }, column.title, column.mark);
      button.addEventListener("click", () => sortBy(column, column === sorting.column ? !sorting.down : undefined));
      column.head.append(button);
      byId("by").append(element("option", { value: columns.indexOf(column) }, column.title));
    } else column.head.append(element("span", {}, column.title));
    byId("hands").tHead.rows[0].append(column.head);
  }

  const played = new Map();
  for (const row of rows) for (const [name] of row.players) played.set(name, (played.get(name) || 0) + 1);
  byId("of").append(element("option", { value: "" }, "the biggest winner"));
  for (const [name, count] of [...played].sort((a, b) => b[1] - a[1])) {
    byId("of").append(element("option", { value: name }, `${shortened(name)} (${count})`));
  }
  if (heroes.length === 1) byId("of").value = heroes[0];

  // ---------------------------------------------------------------- a hand

  async function unpacked(row) {
    const packed = Uint8Array.from(atob(row.packed.textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let at = bytes.indexOf(0);
    const data = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)));
    at += 1;
    for (const table of data.readers.flatMap((reader) => reader.tables)) {
      const length = table.weights;
      table.weights = bytes.subarray(at, at + length);
      at += length;
    }
    return { ...shared, ...data };
  }

  let opened = null; // the row of the hand that is shown
  let scrolled = 0; // where the index was left

  async function open(row) {
    if (opened === null) scrolled = window.scrollY;
    opened = row;
    const order = listed.includes(row) ? listed : rows;
    const place = order.indexOf(row);
    for (const [id, other] of [["previous", order[place - 1]], ["next", order[place + 1]]]) {
      if (other) byId(id).href = `#hand-${other.number}`;
      else byId(id).removeAttribute("href");
    }
    byId("place").textContent = `hand ${row.number}, ${place + 1} of ${order.length} ` +
      (order.length < rows.length ? "found" : "");
    let data;
    try {
      data = await unpacked(row);
    } catch (error) {
      data = null;
    }
    if (opened !== row) return; // another one was opened meanwhile
    byId("index").hidden = true;
    byId("opened").hidden = false;
    if (data === null) {
      byId("title").textContent = "This browser cannot unpack the hand: a newer one can.";
      return;
    }
    drawHand(data);
    window.scrollTo(0, 0);
    byId("title").tabIndex = -1;
    byId("title").focus();
  }

  function close() {
    leaveHand();
    byId("opened").hidden = true;
    byId("index").hidden = false;
    fit();
    document.title = shortened(shared.title);
    const last = opened;
    opened = null;
    if (last === null) return;
    window.scrollTo(0, scrolled);
    const line = byId("hands").querySelector(`[data-number="${last.number}"] a`);
    (line || byId("index_title")).focus();
  }

  function follow() {
    const named = /^#hand-(\d+)$/.exec(window.location.hash);
    const row = named && byNumber.get(Number(named[1]));
    if (row) open(row);
    else close();
  }

  // ---------------------------------------------------------------- controls

  byId("search").addEventListener("input", list);
  byId("of").addEventListener("change", list);
  byId("by").addEventListener("change", (event) => sortBy(columns[Number(event.target.value)]));
  byId("direction").addEventListener("click", () => sortBy(sorting.column, !sorting.down));
  byId("more").addEventListener("click", more);
  byId("choices").addEventListener("submit", (event) => {
    event.preventDefault();
    if (listed.length) window.location.hash = `hand-${listed[0].number}`;
  });
  window.addEventListener("hashchange", follow);
  window.addEventListener("resize", fit);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const { key, target } = event;
    if (opened !== null) {
      if (target.matches("select")) return;
      const to = { n: byId("next"), p: byId("previous"), Escape: byId("all") }[key.length > 1 ? key : key.toLowerCase()];
      if (to && to.href) to.click();
      return;
    }
    if (key === "/" && !target.matches("input, select")) {
      byId("search").focus();
      event.preventDefault();
    }
    if ((key === "ArrowDown" || key === "ArrowUp") && !target.matches("select")) {
      const links = [...byId("hands").tBodies[0].querySelectorAll("th a")];
      const now = links.indexOf(target);
      const next = now < 0 ? (key === "ArrowDown" ? links[0] : undefined) : links[now + (key === "ArrowDown" ? 1 : -1)];
      if (!next) return;
      next.focus();
      event.preventDefault();
    }
  });

  sortBy(columns[0]);
  follow();
})();
