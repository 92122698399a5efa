// Tables that sort by the column that is clicked, and a list of boards that shows those with all words of a filter.
{
  const number = (text) => Number.parseFloat(text.replace(/[,%]/g, ""));
  for (const table of document.querySelectorAll("table.sorts")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const text = (row) => row.cells[column].textContent;
      button.addEventListener("click", () => {
        const falling = head.getAttribute("aria-sort") === "ascending" ||
          (!head.hasAttribute("aria-sort") && column > 0 && !head.classList.contains("text"));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const words = column === 0 || head.classList.contains("text");
        const order = (a, b) => words ? text(a).localeCompare(text(b))
          : (number(text(a)) || 0) - (number(text(b)) || 0);
        body.append(...[...body.rows].sort((a, b) => (falling ? -order(a, b) : order(a, b))));
      });
    });
  }
  const rows = [...document.getElementById("rows").tBodies[0].rows];
  const words = document.getElementById("words");
  words.addEventListener("input", () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const has = [row.cells[0].textContent, ...row.cells[1].textContent.split(" ")].map((each) => each.toLowerCase());
      row.hidden = !wanted.every((word) => has[0].startsWith(word) || has.slice(1).some((each) => each.startsWith(word)));
    }
    document.getElementById("left").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  });
}
