"use strict";
// The page works without this: it posts a link's own secret, keeps the focus, and says when nothing arrives any more.
const byId = (id) => document.getElementById(id);

// A link is /join#<secret>: what stands behind the # is never sent to anybody until it is posted here.
const join = byId("join");
if (join && location.hash.length > 1) {
  join.elements.secret.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", "/join");
  join.requestSubmit();
}

// What went wrong is read first.
const focusTold = () => {
  const told = document.querySelector("[data-focus]");
  if (told) { told.removeAttribute("data-focus"); told.focus(); }
};
// What is wrong behind a fold is not hidden by it.
const unfold = () => {
  for (const wrong of document.querySelectorAll("details:not([open]) .error:not(:empty)")) {
    for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
};
focusTold();
document.addEventListener("htmx:after:swap", () => { focusTold(); unfold(); });

// The menu of views closes by itself.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});

// A form is sent once; the server takes it once anyway. Back in the history it can be sent again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.dataset.sent) { if (form.dataset.sent) event.preventDefault(); return; }
  form.dataset.sent = "1";
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// The line to the table: when it is cut, say so; when somebody else sits here now, go to the door.
const status = byId("status");
const say = (sentence) => { if (status && status.textContent !== sentence) status.textContent = sentence; };
document.addEventListener("htmx:sse:error", (event) => {
  if (event.detail.status === 401 || event.detail.status === 404) location.reload();
  else say("The line to the table is cut. What you see may be old; it is tried again.");
});
document.addEventListener("htmx:sse:after:connection", () => say(""));
document.addEventListener("ended", () => location.reload());
document.addEventListener("htmx:after:request", () => say(""));
document.addEventListener("htmx:error", () => say("The table does not answer just now. Nothing is lost; please try again."));
