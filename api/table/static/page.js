"use strict";
// The page works without this: it posts a link's own secret, keeps the focus, and says when the connection is lost.
const byId = (id) => document.getElementById(id);

// A link is /join#<secret>: the part after the # is sent to nobody until it is posted here.
const join = byId("join");
const sitDown = () => {
  if (!join || location.hash.length < 2) return;
  join.elements.secret.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", "/join");
  join.requestSubmit();
};
sitDown();
addEventListener("hashchange", sitDown); // another link was pasted into the address bar

// Errors get the focus, so that they are read first.
const focusTold = () => {
  const told = document.querySelector("[data-focus]");
  if (!told) return;
  const preventScroll = told.dataset.focus === "still"; // a form is read from its top
  told.removeAttribute("data-focus");
  told.focus({ preventScroll });
};
// A fold with an error inside is opened.
const unfold = () => {
  for (const wrong of document.querySelectorAll("details:not([open]) .error:not(:empty)")) {
    for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
};
// A field is marked as invalid as long as it has an error.
const mark = () => {
  for (const told of document.querySelectorAll(".error[id]")) {
    const field = document.querySelector(`[aria-describedby~="${told.id}"]`), wrong = told.textContent.trim() !== "";
    if (field && wrong) field.setAttribute("aria-invalid", "true");
    else if (field) field.removeAttribute("aria-invalid");
  }
};
focusTold();
document.addEventListener("htmx:after:swap", () => { focusTold(); mark(); unfold(); });

// A tab in the background shows in its title that it is your turn.
const badge = () => {
  const mine = document.querySelector("#asked .asked, #turn .mine");
  document.title = (mine ? "● " : "") + document.title.replace(/^● /, "");
};
if (byId("turn")) document.addEventListener("htmx:after:swap", badge);

// Times are shown in the reader's time zone, with its name: "28 November 2026, 06:58 GMT+9".
const clock = () => {
  for (const time of document.querySelectorAll("time[datetime]:not([data-local])")) {
    const at = new Date(time.dateTime);
    if (isNaN(at)) continue;
    const parts = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hour12: false, timeZoneName: "short" };
    const said = Object.fromEntries(new Intl.DateTimeFormat("en-GB", parts).formatToParts(at).map((part) => [part.type, part.value]));
    time.textContent = `${said.day} ${said.month} ${said.year}, ${said.hour}:${said.minute} ${said.timeZoneName}`;
    time.dataset.local = "";
  }
};
clock();
document.addEventListener("htmx:after:swap", clock);

// The menu of views closes by itself.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".menu[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});

// Content that a tap opens is scrolled into view, without moving the tapped element out of view. If enough is visible, nothing moves.
const ENOUGH = 150, reveal = (opened, tapped) => {
  const root = getComputedStyle(document.documentElement), box = opened.getBoundingClientRect(), at = tapped.getBoundingClientRect();
  const pinned = opened.closest("#own .people"), within = pinned && getComputedStyle(pinned).position === "fixed" ? pinned : null;
  const floor = within ? within.getBoundingClientRect().bottom : innerHeight - (parseFloat(root.scrollPaddingBottom) || 0);
  const ceiling = within ? within.getBoundingClientRect().top : parseFloat(root.scrollPaddingTop) || 0;
  const top = opened.contains(tapped) ? at.bottom : box.top;
  if (floor - top >= Math.min(box.bottom - top, ENOUGH)) return;
  const behavior = matchMedia("(prefers-reduced-motion: no-preference)").matches ? "smooth" : "instant";
  (within || window).scrollBy({ top: Math.max(0, Math.min(box.bottom - floor, at.top - ceiling)), behavior });
};
document.addEventListener("click", (event) => {
  const summary = event.target.closest("main summary"), fold = summary && summary.parentElement;
  if (fold && !fold.open) requestAnimationFrame(() => { if (fold.open) reveal(fold, summary); });
});
document.addEventListener("change", (event) => {
  const group = event.target.closest("main fieldset:has(.inner)"), tapped = event.target.closest(".tile, .pick");
  if (!tapped || !group) return;
  const opened = [...group.querySelectorAll(":scope>.inner, :scope>.part>.inner")].find((one) => one.offsetParent);
  if (opened && !opened.contains(tapped)) reveal(opened, tapped);
});

// Unfolded groups stay unfolded when the moves are replaced.
const FOLDS = "#turn details, #own details, #moves details, #drawer details";
const unfolded = new Set(), called = fold => fold.querySelector("h2, summary").textContent;
document.addEventListener("toggle", event => {
  if (event.target.matches(FOLDS)) unfolded[event.target.open ? "add" : "delete"](called(event.target));
}, true);
// Search finds an action by part of its name or heading. The search text is kept.
let sought = "", seeking = false;
const sift = () => {
  const field = byId("find-action"), word = sought.trim().toLowerCase();
  if (!field) return;
  field.parentElement.hidden = false;
  if (field.value !== sought) field.value = sought;
  if (seeking && document.activeElement === document.body) field.focus();
  let found = 0;
  for (const group of document.querySelectorAll(".more-actions section")) {
    const all = group.querySelector("h3").textContent.toLowerCase().includes(word), items = [...group.querySelectorAll("li")];
    for (const item of items) item.hidden = !all && !item.textContent.toLowerCase().includes(word);
    const shown = items.filter((item) => !item.hidden).length;
    group.hidden = shown === 0;
    found += shown;
  }
  const drawerNames = [...document.querySelectorAll("#drawer li")].map((item) => item.querySelector("b, button").textContent);
  const fittingNames = drawerNames.filter((name) => name.toLowerCase().includes(word));
  const elsewhere = drawerNames.length ? ` “Manage the table” has: ${(fittingNames.length ? fittingNames : drawerNames).join(", ")}.` : "";
  const none = found || !word ? "" : `No action here is called “${sought.trim()}”.${elsewhere}`;
  if (byId("found-none").textContent !== none) byId("found-none").textContent = none;
};
document.addEventListener("input", (event) => { if (event.target.id === "find-action") { sought = event.target.value; sift(); } });
document.addEventListener("focusin", (event) => { seeking = event.target.id === "find-action"; });
// Choices and text in a prompt that were not sent yet are kept when it is replaced.
const drafts = new Map(), nameForm = form => form.action + form.querySelector("[name=declare]").value;
let typed = "";
document.addEventListener("input", (event) => {
  const form = event.target.closest("form.choosing");
  if (form) drafts.set(nameForm(form), [...new FormData(form)].filter(([name]) => name.startsWith("part-")));
});
document.addEventListener("focusin", (event) => {
  const form = typing(event.target) && event.target.closest("form.choosing");
  typed = form ? nameForm(form) + event.target.name : "";
});
const restoreDrafts = () => {
  for (const form of document.querySelectorAll("form.choosing")) for (const [name, value] of drafts.get(nameForm(form)) || []) {
    for (const field of form.querySelectorAll(`[name="${name}"]`)) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.value !== value) field.value = value;
      if (typed === nameForm(form) + name && document.activeElement === document.body) field.focus();
    }
  }
};
// The prompts and the sheet both ask whose dice are rolled: a choice in one place counts in the others, and is kept when they are replaced.
const OWN_DICE = "input[type=checkbox][name=dice]";
let rollsOwnDice = [...document.querySelectorAll(OWN_DICE)].some((box) => box.checked);
const tickOwnDice = () => { for (const box of document.querySelectorAll(OWN_DICE)) if (box.checked !== rollsOwnDice) box.checked = rollsOwnDice; };
document.addEventListener("change", (event) => { if (event.target.matches(OWN_DICE)) { rollsOwnDice = event.target.checked; tickOwnDice(); } });
if (byId("moves")) {
  sift();
  new MutationObserver((changes) => {
    // The address names the ruling of a card that a newer one replaces: a reload must not show the old one again.
    if (changes.some((change) => change.target.id === "last" && change.removedNodes.length)) history.replaceState(null, "", location.pathname);
    for (const fold of document.querySelectorAll(FOLDS)) if (!fold.open && unfolded.has(called(fold))) fold.open = true;
    sift();
    restoreDrafts();
    tickOwnDice();
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}

// A step of the maker changes in place: a tap is a request, which keeps the scroll position, the focus and typed text.
const making = byId("making"), taps = [];
// The unfinished character and typed text are kept when this tab is reloaded. They are kept nowhere else.
const keepMade = () => sessionStorage.setItem("made", JSON.stringify([location.pathname, ...new FormData(byId("maker"))]));
const nameTap = (button) => button.getAttribute("aria-label") || (button.querySelector("b") || button).textContent; // without the reasons
const fetchStep = async (body) => {
  const answer = await fetch(location.pathname, { method: "POST", body });
  const told = new DOMParser().parseFromString(await answer.text(), "text/html"), next = told.getElementById("making");
  if (next) { making.dataset.at = next.dataset.at; making.replaceChildren(...next.childNodes); }
  return next ? null : told;
};
const takeStep = async (form, button) => {
  making.setAttribute("aria-busy", "true");
  const name = nameTap(button), place = button.closest("fieldset[id]")?.id, at = making.dataset.at;
  const top = button.getBoundingClientRect().top;
  try {
    const other = await fetchStep(new URLSearchParams(new FormData(form, button)));
    if (other) { document.querySelector("main").replaceWith(other.querySelector("main")); return; }
    keepMade();
    if (at !== making.dataset.at) { scrollTo(0, 0); byId("step").focus(); }
    else {
      const there = place && byId(place), same = there && [...there.querySelectorAll("button")].find((one) => nameTap(one) === name);
      (same && !same.disabled ? same : there || byId("step")).focus({ preventScroll: true });
      if (same) scrollBy(0, same.getBoundingClientRect().top - top); // the tapped button stays under the finger
    }
    focusTold();
    say("");
  } catch {
    taps.length = 0;
    say("The service is not responding. Nothing is lost. Please try again.");
  }
  making.removeAttribute("aria-busy");
  const again = taps.shift(), button_ = again && [...making.querySelectorAll("button[name=press]:enabled")].find((one) => nameTap(one) === again);
  if (button_) button_.click();
};
const restoreMade = async () => {
  const [path, ...fields] = JSON.parse(sessionStorage.getItem("made") || "[]");
  const [loaded] = performance.getEntriesByType("navigation");
  sessionStorage.removeItem("made");
  if (path !== location.pathname || !["reload", "back_forward"].includes(loaded?.type)) return;
  making.setAttribute("aria-busy", "true");
  try { if (!await fetchStep(new URLSearchParams([...fields, ["go", new Map(fields).get("at")]]))) keepMade(); } catch { say("The service is not responding. Please try again."); }
  making.removeAttribute("aria-busy");
};
if (making && "new" in making.dataset) restoreMade();
if (making) document.addEventListener("input", keepMade);
if (making) document.addEventListener("submit", (event) => {
  if (!("maker" in event.target.dataset)) return;
  if (event.submitter?.name === "enrol") { sessionStorage.removeItem("made"); return; }
  event.preventDefault();
  event.stopImmediatePropagation(); // a step may be sent repeatedly
  if (making.hasAttribute("aria-busy")) taps.push(nameTap(event.submitter));
  else takeStep(event.target, event.submitter);
});

// A form is sent once; the server accepts it only once anyway. After going back in the history it can be sent again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.dataset.sent) { if (form.dataset.sent) event.preventDefault(); return; }
  form.dataset.sent = "1";
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

// A phone may not show the browser's own message at a field, so the page shows one and scrolls the field into view.
document.addEventListener("invalid", (event) => {
  const field = event.target, first = [...field.form.elements].find((element) => element.willValidate && !element.validity.valid);
  event.preventDefault();
  if (field !== first) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const id = `needed-${field.id || field.name}`, isChoice = ["radio", "checkbox"].includes(field.type);
  let message = byId(id);
  if (!message) {
    message = Object.assign(document.createElement("small"), { className: "error", id });
    message.role = "alert";
    field.after(message);
    field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby") || ""} ${message.id}`.trim());
    field.form.addEventListener("input", () => { if (field.validity.valid) { message.textContent = ""; mark(); } });
  }
  message.textContent = !field.validity.valueMissing ? field.validationMessage : isChoice ? "Choose an option." : "Fill in this field.";
  mark();
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
}, true);

// If a page has several forms, text in one is kept when another is sent, until it is sent itself.
for (const form of document.querySelectorAll("form[data-keep]")) {
  const kept = JSON.parse(sessionStorage.getItem(form.action) || "[]");
  for (const [name, said] of kept) if (form.elements[name] && !form.elements[name].value) form.elements[name].value = said;
  form.addEventListener("input", () => {
    const said = [...new FormData(form)].filter(([name]) => form.elements[name].type !== "hidden");
    sessionStorage.setItem(form.action, JSON.stringify(said));
  });
  form.addEventListener("submit", () => sessionStorage.removeItem(form.action));
}
// Leaving the table on this device also clears text that was not sent.
document.querySelector('form[action$="/leave"]')?.addEventListener("submit", () => sessionStorage.clear());

// Chosen items of a list move to the front in the order of choosing, because some lists are an order.
document.addEventListener("change", (event) => {
  const box = event.target, tile = box.closest(".tiles .tile");
  if (!tile || box.type !== "checkbox") return;
  const group = box.checked && box.dataset.group; // only one box of a group can be ticked
  for (const one of group ? tile.parentElement.querySelectorAll("input:checked") : []) if (one !== box && one.dataset.group === group) one.checked = false;
  const chosen = [...tile.parentElement.querySelectorAll("input:checked")].filter((one) => one !== box);
  if (chosen.length) chosen.at(-1).closest(".tile").after(tile); else tile.parentElement.prepend(tile);
  box.focus();
}, true);

// The connection to the table: say when it is lost; if another seat is signed in now, go to the join page.
const status = byId("status");
const say = (sentence) => { if (status && status.textContent !== sentence) status.textContent = sentence; };
document.addEventListener("htmx:sse:error", (event) => {
  if (event.detail.status === 401 || event.detail.status === 404) location.reload();
  else say("Connection lost. This page may be out of date. Reconnecting…");
});
document.addEventListener("htmx:sse:after:connection", () => say(""));
document.addEventListener("ended", () => location.reload());
document.addEventListener("htmx:after:request", () => say(""));
document.addEventListener("htmx:error", () => say("The service is not responding. Nothing is lost. Please try again."));

document.documentElement.classList.add("scripted");

// Print buttons use the browser's print dialog.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// A link for the others is copied if the browser allows it; otherwise it opens, at the same place.
const shared = byId("shared");
if (shared && navigator.clipboard) shared.addEventListener("click", (event) => {
  event.preventDefault();
  navigator.clipboard.writeText(shared.href).then(() => { say(shared.dataset.said); setTimeout(say, 4000, ""); }, () => location.assign(shared.href));
});

const typing = (one) => one.matches("input:not([type=range]):not([type=radio]), select, textarea");

// Looking back: dragging and hovering preview a place, releasing and clicking pin it, Escape returns to now. The address has the pinned place.
const back = byId("back");
if (back) {
  const range = back.elements.at, then = byId("then"), marks = back.dataset.marks.split(" ").map(Number);
  let pinned = back.dataset.at, shown = pinned, wanted, waiting;
  const address = (at) => {
    const said = new URLSearchParams();
    if (at) said.set("at", at);
    for (const name of ["as", "person"]) if (back.elements[name] && back.elements[name].value) said.set(name, back.elements[name].value);
    return location.pathname + (said.size ? "?" + said : "");
  };
  const open = new Set(), fold = (one) => { // owner and name of a fold, so that it stays unfolded at every other place
    let name = "";
    for (let within = one; within !== then; within = within.parentElement) {
      const said = within.matches("details, article") && within.querySelector("summary, h3");
      if (said) name = said.firstChild.textContent.trim() + "/" + name;
    }
    return name;
  };
  const show = async (at) => {
    if (wanted) wanted.abort();
    wanted = new AbortController();
    then.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address(at), { headers: { "HX-Request-Type": "partial" }, signal: wanted.signal });
      if (answer.status === 401) location.reload();
      if (!answer.ok) throw new Error(answer.status);
      const told = await answer.text();
      then.querySelectorAll("details:not([open])").forEach((one) => open.delete(fold(one)));
      then.querySelectorAll("details[open]").forEach((one) => open.add(fold(one))); // in either of the two versions
      then.innerHTML = told;
      for (const one of then.querySelectorAll("details")) if (open.has(fold(one))) one.open = true;
      then.dataset.shows = at;
      then.removeAttribute("aria-busy");
      say("");
    } catch (problem) {
      if (problem.name !== "AbortError") say("The service is not responding. Please try again.");
    }
  };
  const look = (at, wait) => {
    back.querySelector("output").value = at || range.max;
    for (const one of back.querySelectorAll(".steps .off")) { // there may be some from here
      one.classList.remove("off");
      one.ariaLabel = one.ariaLabel.split(":")[0];
    }
    back.querySelector(".here").setAttribute("d", `M${((at || range.max) - 1) / Math.max(1, range.max - 1) * 1000} 0V40`);
    clearTimeout(waiting);
    if (at === shown) return;
    waiting = setTimeout(() => { shown = at; show(at); }, wait);
  };
  const pin = (at) => {
    pinned = at;
    range.value = at || range.max;
    history.replaceState(null, "", address(at));
    if (shared) shared.search = location.search;
    look(at, 0);
  };
  const under = (event) => {
    const box = range.getBoundingClientRect(), thumb = 24;
    const part = (event.clientX - box.left - thumb / 2) / (box.width - thumb);
    return String(Math.round(1 + Math.min(1, Math.max(0, part)) * (range.max - 1)));
  };
  range.addEventListener("input", () => look(range.value, 90));
  range.addEventListener("change", () => pin(range.value));
  const slider = range.parentElement;
  slider.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse" && !event.buttons) look(under(event), 120); });
  slider.addEventListener("pointerleave", () => look(pinned, 120));
  slider.querySelector("svg").addEventListener("click", (event) => pin(under(event)));
  back.addEventListener("change", (event) => { if (event.target.name === "as") { shown = null; pin(pinned); } });
  back.addEventListener("submit", (event) => { event.preventDefault(); pin(range.value); });
  back.querySelectorAll(".steps a").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    step({ earlier: "PageUp", "one-back": "ArrowLeft", "one-on": "ArrowRight", later: "PageDown", now: "Escape" }[link.id]);
  }));
  // A narrow screen has room for one of the two: what holds today. The other is one tap away.
  if (back.elements.as.value === "" && matchMedia("(max-width:59.99rem)").matches) {
    back.elements.as.value = "corrected";
    if (then.querySelector(".two")) { shown = null; pin(pinned); }
  }
  const step = (key) => {
    const at = Number(pinned || range.max), last = Number(range.max);
    const to = {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowUp: at + 1, Home: 1, End: last,
      PageUp: marks.findLast((one) => one < at), PageDown: marks.find((one) => one > at),
    };
    if (key === "Escape") pin("");
    else if (key in to) pin(String(Math.min(last, Math.max(1, to[key] || at))));
    else return false;
    return true;
  };
  document.addEventListener("keydown", (event) => {
    const asked = event.altKey || event.ctrlKey || event.metaKey || typing(event.target) || event.target.matches("[type=radio]");
    const reading = /^(Page|Home|End|ArrowUp|ArrowDown)/.test(event.key) && event.target !== range;
    if (!asked && !reading && step(event.key)) event.preventDefault();
  });
}

// A session plays by itself, frame after frame, at the chosen speed. Later frames are fetched meanwhile.
const player = byId("player");
if (player) {
  const list = byId("frames"), play = byId("play");
  const frames = () => [...list.querySelectorAll(".frame")];
  let at = -1, clock;
  const show = (to) => {
    const all = frames();
    at = Math.min(Math.max(to, 0), all.length - 1);
    all.forEach((one, place) => { one.hidden = place > at; one.classList.toggle("now", place === at); });
    if (all[at]) all[at].scrollIntoView({ block: "nearest" });
    if (at >= all.length - 2 && byId("more")) byId("more").firstElementChild.click();
  };
  const stop = () => { clearTimeout(clock); clock = 0; play.textContent = "Play"; };
  const tick = () => {
    if (at >= frames().length - 1 && !byId("more")) { stop(); return; }
    show(at + 1);
    clock = setTimeout(tick, Number(byId("speed").value));
  };
  const start = () => { if (at >= frames().length - 1) at = -1; play.textContent = "Pause"; tick(); };
  play.addEventListener("click", () => (clock ? stop() : start()));
  byId("on-one").addEventListener("click", () => { stop(); show(at + 1); });
  byId("back-one").addEventListener("click", () => { stop(); show(at - 1); });
  byId("all").addEventListener("click", () => { stop(); at = frames().length - 1; frames().forEach((one) => { one.hidden = false; }); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stop();
    if (event.target.closest("a, button, summary, select, input")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") { stop(); show(at + (event.key === "ArrowRight" ? 1 : -1)); event.preventDefault(); }
    if (event.key === " ") { event.preventDefault(); play.click(); }
  });
  document.addEventListener("htmx:after:swap", () => { if (at >= 0) frames().forEach((one, place) => { one.hidden = place > at; }); });
  player.hidden = false;
}

// A link for somebody is copied, or shared with another app on this device, if the browser allows it.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", () => navigator.clipboard.writeText(button.dataset.copy).then(() => { say(button.dataset.said); setTimeout(say, 4000, ""); }, () => say("The link could not be copied. Select it and copy it by hand.")));
}
for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.share) break;
  button.hidden = false;
  button.addEventListener("click", () => navigator.share({ url: button.dataset.share }).catch(() => {})); // the dialog was closed
}
