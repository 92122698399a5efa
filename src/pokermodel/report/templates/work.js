// Work: says when it went on, and moves nothing.
{
  const begun = JSON.parse(document.getElementById("data").textContent).state;
  document.addEventListener("desk-work", (event) => {
    document.getElementById("fresh").hidden = event.detail.state === begun;
  });
}
