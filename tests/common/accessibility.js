// Returns what is wrong with a page: names of controls, headings, landmarks, references, tables, contrast of text.
() => {
  const wrong = [];
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const said = (node) => `${node.tagName.toLowerCase()}${node.id ? "#" + node.id : ""} ${node.textContent.trim().slice(0, 30)}`;
  const text = (id) => document.getElementById(id)?.textContent.trim();
  const name = (node) => (node.getAttribute("aria-labelledby") || "").split(" ").map(text).join("")
    || node.getAttribute("aria-label") || [...(node.labels || [])].map((label) => label.textContent.trim()).join("")
    || node.textContent.trim() || node.querySelector("[aria-label]")?.getAttribute("aria-label")
    || node.getAttribute("title") || "";
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.title.trim()) wrong.push("no title");
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  for (const node of document.querySelectorAll("button, input, select, textarea, a[href], summary, [role=button]")) {
    if (seen(node) && !name(node)) wrong.push(`no name: ${said(node)}`);
  }
  for (const node of document.querySelectorAll("img, svg[role=img], [role=img], [role=region], nav, section.panel")) {
    const own = node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.getAttribute("alt");
    if (seen(node) && !own && !node.querySelector("title, h2, h3") && !node.closest("[aria-hidden=true]")) {
      wrong.push(`no label: ${said(node)}`);
    }
  }
  let level = 0;
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((node) => seen(node) || node.matches(".unseen"));
  for (const node of headings) {
    const next = Number(node.tagName[1]);
    if (next > level + 1) wrong.push(`heading of level ${next} after ${level}: ${said(node)}`);
    level = next;
  }
  if (headings.filter((node) => node.tagName === "H1").length !== 1) wrong.push("not one h1");
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`twice: #${id}`);
  for (const which of ["aria-labelledby", "aria-controls", "aria-describedby"]) {
    for (const node of document.querySelectorAll(`[${which}]`)) {
      for (const id of node.getAttribute(which).split(" ")) if (!document.getElementById(id)) wrong.push(`${which}: no #${id}`);
    }
  }
  for (const node of document.querySelectorAll("[tabindex]")) if (node.tabIndex > 0) wrong.push(`tabindex: ${said(node)}`);
  for (const table of document.querySelectorAll("table.figures")) {
    if (seen(table) && !table.querySelector("th")) wrong.push(`no head: ${said(table)}`);
  }
  const channels = (color) => {
    const found = (color.match(/[\d.]+/g) || []).map(Number);
    return color.startsWith("color(") ? [...found.slice(0, 3).map((each) => 255 * each), found[3] ?? 1] : [found[0], found[1], found[2], found[3] ?? 1];
  };
  const light = (color) => {
    const [r, g, b] = color.map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const mixed = (over, under) => [0, 1, 2].map((k) => over[3] * over[k] + (1 - over[3]) * under[k]);
  const ground = (node) => {
    const layers = [];
    for (let each = node; each; each = each.parentElement) {
      const color = channels(getComputedStyle(each).backgroundColor);
      if (color[3]) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((under, over) => mixed(over, under), [255, 255, 255]);
  };
  const looked = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.nodeValue.trim() || looked.has(node) || node.closest("svg, script, style, option, .unseen, .skip, [disabled]") || !seen(node)) continue;
    looked.add(node);
    const style = getComputedStyle(node);
    const opacity = [...(function* up(each) { for (; each; each = each.parentElement) yield Number(getComputedStyle(each).opacity); })(node)].reduce((a, b) => a * b, 1);
    const under = ground(node);
    const over = mixed([...channels(style.color).slice(0, 3), channels(style.color)[3] * opacity], under);
    const [a, b] = [light(over), light(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5) - 0.01) wrong.push(`contrast ${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${said(node)}`);
  }
  return wrong;
}
