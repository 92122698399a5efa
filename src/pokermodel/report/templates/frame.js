// The frame of the Desk: keys that lead from screen to screen, and the stream of what has changed.
{
  const of = (id) => document.getElementById(id);
  const typing = (node) => node.closest("input:not([type=range], [type=checkbox]), textarea, select");
  let going = -Infinity; // when g was pressed: time begins with the page, which is no press

  function showKeys(shown) {
    of("keys").hidden = !shown;
    of("help").setAttribute("aria-expanded", shown);
  }

  // The key after g is taken before a screen has its own of the same letter.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
    const screen = document.querySelector(`#frame nav [data-key="${CSS.escape(event.key)}"]`);
    const leads = screen && event.timeStamp - going < 1500;
    going = event.key === "g" ? event.timeStamp : -Infinity;
    if (!leads) return;
    screen.click();
    event.preventDefault();
    event.stopPropagation();
  }, true);

  of("help").addEventListener("click", () => showKeys(of("keys").hidden));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const alone = document.querySelector(`#near [data-alone="${CSS.escape(event.key)}"]`);
    if (alone) alone.click();
    else if (event.key === "/") of("query").focus();
    else if (event.key === "f" && of("quick")) of("quick").querySelector("select").focus();
    else if (event.key === "c" && document.querySelector("button.copy:not([hidden])")) {
      document.querySelector("button.copy:not([hidden])").click();
    }
    else if (event.key === "?") showKeys(of("keys").hidden);
    else return;
    event.preventDefault();
  });

  // A choice leads to the address that it names.
  for (const select of document.querySelectorAll("select[data-leads]")) {
    select.addEventListener("change", () => location.assign(select.value));
  }

  document.addEventListener("desk-work", (event) => { // the verdicts that this hand waits for
    const waits = document.querySelector("[data-waits]");
    if (waits && event.detail.latest.includes(waits.dataset.waits)) location.reload();
  });

  document.addEventListener("desk-hands", (event) => { // the first hands of a book
    if (event.detail.total && document.querySelector("[data-empty]")) location.reload();
  });

  // A browser keeps few connections to a host: tabs that are not seen give theirs up.
  const tab = sessionStorage.tab ||= crypto.randomUUID();
  let stream = null;
  let last = "0";

  function listen() {
    if (document.hidden === !stream) return;
    if (stream) {
      stream.close();
      stream = null;
      return;
    }
    stream = new EventSource(`/events?tab=${tab}&last=${last}`);
    for (const kind of ["status", "hands", "work"]) {
      stream.addEventListener(kind, (event) => {
        last = event.lastEventId;
        const told = JSON.parse(event.data);
        if (kind === "status") of("status").textContent = told.text;
        else document.dispatchEvent(new CustomEvent(`desk-${kind}`, { detail: told }));
      });
    }
  }

  document.addEventListener("visibilitychange", listen);
  listen();
  document.body.dataset.ready = "yes";
}
