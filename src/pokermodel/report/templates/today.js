// How a player is doing: new verdicts are announced and move nothing.
{
  const begun = JSON.parse(document.getElementById("data").textContent).judged;
  document.addEventListener("desk-work", (event) => {
    document.getElementById("fresh").hidden = event.detail.judged <= begun;
  });
}
