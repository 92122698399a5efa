// Tags, notes and joined names: what the user writes is sent at once, and the page says when it is kept.
{
  const mine = document.getElementById("mine");
  const of = (id) => document.getElementById(id);

  async function send(method, what, body) {
    of("kept").textContent = "";
    let answer = null;
    try {
      answer = await fetch(mine.dataset.address + what, {
        method, body: JSON.stringify(body), headers: { "content-type": "application/json", accept: "application/json" },
      });
    } catch {
      of("kept").textContent = "not kept: no answer";
      return null;
    }
    const found = await answer.json().catch(() => ({ error: "no answer" }));
    of("kept").textContent = answer.ok ? "kept" : `not kept: ${found.error}`;
    return answer.ok ? found : null;
  }

  function show(tags) {
    of("tags").replaceChildren(...tags.map((tag) => {
      const off = Object.assign(document.createElement("button"), { type: "button", textContent: "\u00d7" });
      off.dataset.tag = tag;
      off.setAttribute("aria-label", `take off ${tag}`);
      const name = Object.assign(document.createElement("bdi"), { className: "name", textContent: tag });
      const made = Object.assign(document.createElement("span"), { className: "tag" });
      made.append(name, off);
      return made;
    }));
  }

  of("tagging").addEventListener("submit", async (event) => {
    event.preventDefault();
    const tag = of("tag").value.trim();
    if (!tag) return;
    const found = await send("PUT", "/tags", { tag, on: true });
    if (found) {
      show(found.tags);
      of("tag").value = "";
      of("tag").blur();
    }
  });
  of("tags").addEventListener("click", async (event) => {
    const { tag } = event.target.dataset;
    if (!tag) return;
    const found = await send("PUT", "/tags", { tag, on: false });
    if (found) show(found.tags);
  });

  let before = of("note").value;
  of("note").addEventListener("change", async () => {
    if (of("note").value === before) return;
    const found = await send("PUT", "/note", { note: of("note").value });
    if (found) before = found.note;
  });
  of("joining")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await send("PUT", "/person", { person: of("person").value.trim() })) location.reload();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const field = { t: "tag", e: "note" }[event.key];
    if (!field) return;
    of(field).focus();
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}
