// A list of hands or players: keys go from row to row, and hands that arrive are counted above without moving anything.
{
  const links = [...document.querySelectorAll(".rows tbody th a")];
  const begun = Number(document.getElementById("data")?.textContent);
  const beside = document.getElementById("chosen");
  const wide = matchMedia("(min-width: 75rem)");
  let chosen = null;
  let asking = null;

  // The chosen hand stands beside the list where there is room, as its own address has it.
  async function show(link) {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      await new Promise((resolve) => setTimeout(resolve, 100)); // keys go through many rows
      if (signal.aborted) return;
      const answer = await fetch(link.href, { headers: { accept: "text/html" }, signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const told = page.getElementById("beside")?.content ?? page.querySelector("#screen main");
      if (signal.aborted || !told) return;
      beside.replaceChildren(...document.importNode(told, true).childNodes);
      beside.querySelector("a")?.setAttribute("href", link.getAttribute("href"));
      beside.hidden = false;
      beside.dataset.of = link.id;
    } catch {
      // another row was chosen, or the page is left
    }
  }

  function choose(link) {
    if (!link || link === chosen) return;
    chosen?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    chosen = link;
    if (beside && wide.matches) show(link);
  }

  for (const link of links) {
    link.addEventListener("focus", () => choose(link));
    link.closest("tr").addEventListener("click", (event) => {
      if (!event.target.closest("a") && !String(getSelection())) link.focus({ preventScroll: true });
    });
  }
  choose(links.find((link) => link === document.activeElement || `#${link.id}` === decodeURIComponent(location.hash)) ?? links[0]);
  wide.addEventListener("change", () => beside && wide.matches && chosen && show(chosen));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    if (!links.length) return;
    const by = { j: 1, k: -1 }[event.key];
    const at = links.indexOf(chosen); // the first row until another one is chosen
    if (by) links[Math.min(Math.max(at + by, 0), links.length - 1)].focus();
    else if (event.key === "Enter" && document.activeElement === document.body) chosen.click();
    else return;
    event.preventDefault();
  });

  document.addEventListener("desk-hands", (event) => {
    const fresh = document.getElementById("fresh");
    if (!fresh) return;
    const more = event.detail.total - begun;
    fresh.hidden = more <= 0;
    fresh.firstElementChild.textContent = `${more} new`;
  });
}
