// Work: says when it went on, and moves nothing.
document.addEventListener("desk-work", () => { document.getElementById("fresh").hidden = false; });
