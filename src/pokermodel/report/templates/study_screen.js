// Decisions one at a time: the user may answer before the verdict is shown, and say what they think of it.
{
  const articles = [...document.querySelectorAll("#asked article")];
  const links = new Map([...document.querySelectorAll(".rows a")].map((link) => [link.hash.slice(1), link]));
  let at = 0;

  function show(k, moved = true) {
    at = Math.min(Math.max(k, 0), articles.length - 1);
    articles.forEach((each, number) => { each.hidden = number !== at; });
    for (const [id, link] of links) {
      if (id === articles[at].id) {
        link.setAttribute("aria-current", "true");
        if (moved) link.scrollIntoView({ block: "nearest" });
      } else link.removeAttribute("aria-current");
    }
    if (moved) history.replaceState(null, "", `#${encodeURIComponent(articles[at].id)}`);
  }

  function reveal(article, chosen) {
    const yours = article.querySelector(".yours");
    for (const each of article.querySelectorAll("[data-choice]")) each.setAttribute("aria-pressed", each === chosen);
    yours.textContent = !chosen ? "" : chosen.dataset.made === "1" ? "You would do the same again." : "You would do something else now.";
    article.querySelector(".answer").hidden = false;
  }

  async function keep(article, answer, note = "") {
    for (const each of article.querySelectorAll("[data-answer]")) each.setAttribute("aria-pressed", each.dataset.answer === answer);
    article.querySelector(".why").hidden = answer !== "disagree";
    const headers = { "content-type": "application/json", accept: "application/json" };
    const { error } = await fetch(article.dataset.put, { method: "PUT", headers, body: JSON.stringify({ answer, note }) })
      .then((found) => found.ok ? {} : found.json()).catch(() => ({ error: "no answer" }));
    article.querySelector(".kept").textContent = error ? `not kept: ${error}` : "";
  }

  for (const article of articles) {
    article.querySelector(".answer").hidden = true;
    article.querySelector(".show").addEventListener("click", () => reveal(article, null));
    for (const each of article.querySelectorAll("[data-choice]")) each.addEventListener("click", () => reveal(article, each));
    const note = article.querySelector(".why input");
    for (const each of article.querySelectorAll("[data-answer]")) {
      each.addEventListener("click", () => {
        keep(article, each.dataset.answer, note.value);
        if (each.dataset.answer === "disagree") note.focus();
      });
    }
    note.addEventListener("change", () => keep(article, "disagree", note.value));
  }

  const named = () => articles.findIndex((each) => each.id === decodeURIComponent(location.hash.slice(1)));
  window.addEventListener("hashchange", () => { if (named() >= 0) show(named()); });
  if (articles.length) show(named(), named() >= 0);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !articles.length) return;
    if (event.target.closest("input, textarea, select")) {
      if (event.key === "Enter" && event.target.closest(".why")) event.target.blur();
      return;
    }
    const article = articles[at];
    const shown = !article.querySelector(".answer").hidden;
    const button = event.key === " " ? !event.target.closest("button") && article.querySelector(".show")
      : /^[1-9]$/.test(event.key) ? article.querySelector(`[data-choice="${event.key}"]`)
      : { a: "agree", d: "disagree" }[event.key] && shown ? article.querySelector(`[data-answer="${{ a: "agree", d: "disagree" }[event.key]}"]`) : null;
    if (button) button.click();
    else if (event.key === "n") show(at + 1);
    else if (event.key === "p") show(at - 1);
    else if (event.key === "Enter" && event.target === document.body) article.querySelector(".open a").click();
    else return;
    event.preventDefault();
  });

  const begun = JSON.parse(document.getElementById("data").textContent).judged;
  document.addEventListener("desk-work", (event) => {
    const fresh = document.getElementById("fresh");
    fresh.hidden = event.detail.judged <= begun;
    fresh.firstElementChild.href = location.pathname + location.search;
  });
}
