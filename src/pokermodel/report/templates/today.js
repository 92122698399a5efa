// How a player is doing: new verdicts are announced and move nothing.
document.addEventListener("desk-work", (event) => {
  const fresh = document.getElementById("fresh");
  fresh.hidden = !event.detail.judged.length;
});
