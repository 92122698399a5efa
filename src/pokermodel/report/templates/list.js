// A list of hands: keys go from row to row, and hands that arrive are counted above without moving anything.
{
  const links = [...document.querySelectorAll(".rows tbody th a")];
  const begun = Number(document.getElementById("data")?.textContent);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    if (!links.length) return;
    const by = { j: 1, k: -1 }[event.key];
    const at = Math.max(links.indexOf(document.activeElement), 0); // the first row is chosen until another one is
    if (by) links[Math.min(Math.max(at + by, 0), links.length - 1)].focus();
    else if (event.key === "Enter" && document.activeElement === document.body) links[0].click();
    else return;
    event.preventDefault();
  });

  // A quick filter leads to the address that it names.
  for (const select of document.querySelectorAll("#quick select")) {
    select.addEventListener("change", () => location.assign(select.value));
  }

  document.addEventListener("desk-hands", (event) => {
    const fresh = document.getElementById("fresh");
    if (!fresh) return;
    const more = event.detail.total - begun;
    fresh.hidden = more <= 0;
    fresh.firstElementChild.textContent = `${more} new`;
  });
}
