"use strict";
/* The review page: one key decides and goes on. What is decided is sent in order, one after the other; what could not be
   sent yet is kept here and in sessionStorage, and the page says so. */

const $ = (id) => document.getElementById(id);
const IDLE = 60_000;         // milliseconds without a key or a movement, after which nobody is at work
const RETRY = [1000, 2000, 5000];
const LATER = 1500;          // milliseconds until what is made in the background is asked for again
const PAGE = 200;            // rows of a list that are fetched at once
const NEAR = 400;            // rows that are looked at one by one
const AHEAD = 3;             // undecided items that are fetched before anybody asks for them
const MOST_IN_FILTER = 2000; // rows of a filtered list that are gone through
const SMALLEST_DRAWING = 0.8; // of its size, on a wide page
const isWide = matchMedia("(min-width: 56rem)");

// ---- small parts ----------------------------------------------------------------------------------------------------

const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/* A text in which control characters, and those that turn around what stands beside them, are seen and do nothing. */
function visible(text) {
  return text.replace(STEERING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key === "title") made.title = visible(value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

function replaceChildren(parent, ...children) {
  parent.replaceChildren(...children.filter((one) => one !== null));
}

function counted(n, one, several = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : several}`;
}

function duration(seconds) {
  if (seconds < 90) return `${Math.max(Math.round(seconds), 1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function newName() {
  return crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");
}

/* Text with [words] in marks as nodes. */
function withMarks(text) {
  const found = /^(.*?)\[(\S+?)\](?= |$)(.*)$/s.exec(text);
  return found ? [found[1], element("mark", {}, found[2]), found[3]] : [text];
}

function say(words) {
  $("live").textContent = "";
  requestAnimationFrame(() => { $("live").textContent = visible(words); });
}

function complain(words) {
  $("message").textContent = visible(words);
  $("message").hidden = !words;
}

// ---- the server -----------------------------------------------------------------------------------------------------

class Refused extends Error {
  constructor(status, data) {
    super(data.error || `the server answered ${status}`);
    this.status = status;
    this.data = data;
  }
}

const WHO = new URLSearchParams(location.search).get("for"); // of several guests: one browser may have more than one

async function ask(path, method = "GET", body = undefined) {
  const options = { method, credentials: "same-origin", headers: WHO ? { "Karat-Review-For": encodeURIComponent(WHO) } : {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, data);
  return data;
}

const pathOf = (id) => `/api/items/${encodeURIComponent(id)}`; // slashes too: a browser would resolve `..` between them

// ---- what is still to be sent ----------------------------------------------------------------------------------------

const outbox = {
  waiting: [],
  busy: false,
  failures: 0,
  timer: null,
  key: "",

  open(list, judge) {
    this.key = `karat review ${list} ${judge}`;
    try {
      this.waiting = JSON.parse(sessionStorage.getItem(this.key)) || [];
    } catch { this.waiting = []; }
    this.show();
    this.send();
  },

  keep() {
    try {
      if (this.waiting.length) sessionStorage.setItem(this.key, JSON.stringify(this.waiting));
      else sessionStorage.removeItem(this.key);
    } catch { /* kept in memory */ }
  },

  add(one) {
    this.waiting.push(one);
    this.keep();
    this.show();
    this.send();
  },

  /* Take back the last thing that was not sent yet; nothing if all is sent or on its way. */
  takeBack() {
    const last = this.waiting.at(-1);
    if (!last || last.kind !== "verdict" || (this.busy && this.waiting.length === 1)) return null;
    this.waiting.pop();
    this.keep();
    this.show();
    return last;
  },

  show() {
    const n = this.waiting.filter((one) => one.kind !== "time").length;
    const state = $("state");
    if (!n) [state.dataset.state, state.textContent] = ["saved", "saved ✓"];
    else if (this.failures) {
      [state.dataset.state, state.textContent] = ["unsent", `${counted(n, "verdict")} not saved yet`];
    } else [state.dataset.state, state.textContent] = ["saving", "saving …"];
  },

  async send() {
    if (this.busy || !this.waiting.length) return;
    clearTimeout(this.timer);
    this.busy = true;
    try {
      while (this.waiting.length) {
        const one = this.waiting[0];
        const answer = await this.sent(one);
        this.waiting.splice(this.waiting.indexOf(one), 1);
        this.keep();
        if (this.failures) {
          this.failures = 0;
          complain("");
          say("connected again");
        }
        this.show();
        if (answer) await after(one, answer);
      }
      progressSoon();
      progressLater();
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
    }
  },

  /* The server's answer; null where it refused for good. */
  async sent(one) {
    try {
      if (one.kind === "undo") return await ask("/api/undo", "POST", { request: one.request });
      if (one.kind === "time") return await ask("/api/time", "POST", { seconds: one.seconds });
      const revision = one.revision ?? revisions.get(one.id) ?? 0;
      return await ask(`${pathOf(one.id)}/verdict`, "PUT", { ...one.body, revision });
    } catch (error) {
      if (!(error instanceof Refused) || ![404, 409, 422].includes(error.status)) throw error;
      refused(one, error);
      return null;
    }
  },

  failed(error) {
    const wait = RETRY[Math.min(this.failures, RETRY.length - 1)];
    this.failures += 1;
    this.show();
    if (error instanceof Refused && error.status === 403) {
      complain("This page has expired: karat review was started again. Open its new address; what is not saved is kept in this tab.");
    } else if (error instanceof Refused) {
      complain(`Not saved: ${error.message}. What you decide is kept in this tab and sent again.`);
    } else {
      complain("karat review does not answer. What you decide is kept in this tab and sent when it runs again.");
    }
    this.timer = setTimeout(() => this.send(), wait);
  },
};

const revisions = new Map(); // of items, as the server last said

function refused(one, error) {
  if (error.status === 409 && error.data.now) {
    note(one.id, error.data.now);
    complain("This row was changed in another tab or file meanwhile: your last verdict on it was not taken. Please look again.");
  } else complain(`Not taken: ${error.message}`);
  if (one.id) show(one.id);
}

/* After the server has kept something. */
async function after(one, answer) {
  if (one.kind === "undo") {
    const items = answer.items || [];
    if (!items.length) return say("nothing to undo");
    for (const item of items) note(item.id, item);
    cache.clear();
    const last = items.at(-1);
    say(items.length === 1 ? "undone" : `${counted(items.length, "row")} undone`);
    return show(last.id);
  }
  if (one.kind === "verdict") {
    note(one.id, answer);
    cache.delete(one.id); // what karat correct would do is another thing now
    for (const item of answer.items || []) note(item.id, item);
    if (one.body.pattern) {
      cache.clear();
      say(`${counted((answer.items || []).length || 1, "row")} decided`);
      if (item.id === one.id) await goOn();
    }
  }
  return undefined;
}

/* What is known of an item's judgement, in all places that have it. */
function note(id, said) {
  if (said.revision !== undefined) revisions.set(id, said.revision);
  const facts = {};
  for (const name of ["verdict", "in_words", "label", "note", "unsure", "revision"]) if (said[name] !== undefined) facts[name] = said[name];
  const row = rows.byId.get(id);
  if (row) Object.assign(row, facts);
  if (cache.has(id)) cache.get(id).then((item) => Object.assign(item, facts)).catch(() => {});
}

// ---- the rows that are gone through ----------------------------------------------------------------------------------

const rows = {
  filter: "all",
  search: "",
  order: [],        // ids, by their place among the rows found; some are not fetched yet
  places: new Map(), // id → place, the other way round: a long list is not searched at every key
  byId: new Map(),
  total: 0,
  skipped: new Set(),

  query(from, n = PAGE) {
    const words = new URLSearchParams({ from, n, filter: this.filter, search: this.search });
    return ask(`/api/items?${words}`);
  },

  take(from, answer) {
    this.total = answer.total;
    answer.items.forEach((item, number) => {
      this.put(item, from + number);
    });
  },

  put(item, place) {
    this.order[place] = item.id;
    this.places.set(item.id, place);
    const isAhead = outbox.waiting.some((one) => one.id === item.id); // what was decided here is newer
    if (!isAhead) revisions.set(item.id, item.revision);
    if (!isAhead || !this.byId.has(item.id)) this.byId.set(item.id, item);
  },

  async fetch(place) {
    const from = Math.floor(place / PAGE) * PAGE;
    this.take(from, await this.query(from));
  },

  async at(place) {
    if (place < 0 || place >= this.total) return null;
    if (!this.order[place]) await this.fetch(place);
    return this.order[place] ?? null;
  },

  /* Go through other rows: those that a filter and a search leave. They are fetched now, as deciding changes them. */
  async use(filter, search) {
    [this.filter, this.search, this.order] = [filter, search, []];
    this.places.clear();
    this.skipped.clear();
    await this.fetch(0);
    if (filter === "all" && !search) return;
    while (this.order.length < Math.min(this.total, MOST_IN_FILTER)) {
      const before = this.order.length;
      await this.fetch(before);
      if (this.order.length === before) break;
    }
    this.total = Math.min(this.total, this.order.length);
  },

  placeOf(id) { return this.places.get(id) ?? -1; },

  isOpen(id) {
    const row = this.byId.get(id);
    return row && !row.verdict && !row.unsure && !this.skipped.has(id);
  },

  /* The next row without a decision after a place, round the end once; rows that were skipped come last. */
  async nextOpen(place) {
    const found = await this.nextUnskipped(place);
    if (found || !this.skipped.size) return found;
    this.skipped.clear();
    return this.nextUnskipped(place);
  },

  async nextUnskipped(place) {
    const isWhole = this.filter === "all" && !this.search;
    const near = isWhole ? Math.min(this.total, NEAR) : this.total;
    for (let step = 1; step <= near; step += 1) {
      const id = await this.at((place + step) % this.total);
      if (id && this.isOpen(id)) return id;
    }
    return near < this.total ? this.nextFar(place + near) : null;
  },

  /* The next open row of a long list after a place: the server knows, so that not all of it need be fetched. */
  async nextFar(place) {
    const n = this.skipped.size + outbox.waiting.length + 1; // so many that are not open here may be undecided there
    const answer = await ask(`/api/next?${new URLSearchParams({ after: place % this.total, n })}`);
    for (const one of answer.items) if (!this.byId.has(one.id)) this.put(one, one.place);
    const found = answer.items.find((one) => this.isOpen(one.id));
    return found ? found.id : null;
  },
};

// ---- items ----------------------------------------------------------------------------------------------------------

const cache = new Map(); // id → promise of the item
let item = null;
let heading = null; // the item that is on its way to the page
let finished = false; // whether nothing is left to decide, and the item shown is the last that was decided
let leaving = false; // whether the item shown is decided, and the next one not yet known

function fetched(id) {
  if (!cache.has(id)) {
    const promise = ask(pathOf(id));
    cache.set(id, promise);
    promise.catch(() => cache.delete(id));
    if (cache.size > 40) cache.delete(cache.keys().next().value);
  }
  return cache.get(id);
}

async function show(id) {
  let found;
  heading = id;
  try {
    found = await fetched(id);
  } catch (error) {
    if (heading === id) heading = null;
    if (error instanceof Refused) complain(error.message);
    else outbox.failed(error);
    return;
  }
  if (heading !== id) return; // on the way to another one by now
  heading = null;
  finished = false;
  item = { ...found, ...known(id) };
  if (!outbox.waiting.some((one) => one.id === id)) revisions.set(id, item.revision);
  render();
  work.start();
  prefetch();
}

/* What was decided of an item here, also if it is not sent yet. */
function known(id) {
  const row = rows.byId.get(id);
  if (!row) return {};
  const { verdict, label, note: words, unsure } = row;
  return { verdict, label, note: words, unsure };
}

async function prefetch() {
  try {
    const place = rows.placeOf(item.id);
    let ahead = item.id;
    for (let n = 0; n < AHEAD; n += 1) {
      ahead = await rows.nextUnskipped(rows.placeOf(ahead));
      if (!ahead || ahead === item.id) break;
      fetched(ahead).catch(() => {});
    }
    const beside = await rows.at(place + 1);
    if (beside) fetched(beside).catch(() => {});
  } catch { /* shown when it is asked for */ }
}

async function goOn() {
  leaving = true;
  const following = await rows.nextOpen(rows.placeOf(item.id)).catch(() => null);
  leaving = false;
  if (following && following !== item.id) return show(following);
  finished = true;
  const left = rows.filter === "all" && !rows.search;
  say(left ? "All rows are judged." : "No undecided rows are left here.");
  complain(left ? "All rows are judged. Thank you! → and ← go through them, / lists them." : "No undecided rows are left here: / shows others.");
  render();
  return undefined;
}

async function move(by) {
  const id = await rows.at(rows.placeOf(heading ?? item.id) + by).catch(() => null);
  finished = false;
  if (id) show(id);
  else say(by > 0 ? "last row" : "first row");
}

// ---- deciding -------------------------------------------------------------------------------------------------------

function decide(choice, label = choice.label) {
  const pattern = $("alike").checked;
  keepVerdict({ verdict: choice.verdict, label: label || "", unsure: false, pattern });
  if (pattern) return; // which rows it decides, and so which one is next, the server says
  say(`${choice.words}${label && label !== choice.label ? `: ${label}` : ""}`);
  goOn();
}

function choose(choice) {
  const isOfOneRow = choice.asks === "form" || (choice.asks === "places" && (item.all_places || []).length > 1);
  if ($("alike").checked && isOfOneRow) complain("A typo and single places are of one row: press p to decide this row alone.");
  else if (choice.asks === "places" && isOfOneRow) placesDialog.open(choice);
  else if (!choice.needs_label) decide(choice);
  else labelDialog.open(choice);
}

function keepVerdict({ verdict, label, unsure, pattern = false }) {
  const words = $("note").value.trim();
  const body = { request: newName(), verdict, label, note: words, unsure, seconds: work.taken() };
  if (pattern) [body.pattern, body.step] = [true, newName()];
  const isAhead = outbox.waiting.some((one) => one.id === item.id);
  const row = rows.byId.get(item.id) || item;
  const before = { verdict: row.verdict, label: row.label, note: row.note, unsure: row.unsure };
  const one = { kind: "verdict", id: item.id, revision: isAhead ? null : revisions.get(item.id) ?? item.revision, body, before };
  const meant = item.kind === "token" ? (item.choices.find((one) => one.verdict === verdict) || {}).words : null;
  Object.assign(row, { verdict, label, note: words, unsure, in_words: meant || verdict });
  rows.byId.set(item.id, row);
  Object.assign(item, { verdict, label, note: words, unsure });
  complain(outbox.failures ? $("message").textContent : "");
  outbox.add(one);
}

function keepNote() {
  if (item && $("note").value.trim() !== (item.note || "")) {
    keepVerdict({ verdict: item.verdict || "", label: item.label || "", unsure: Boolean(item.unsure) });
  }
}

const actions = {
  unsure() {
    keepVerdict({ verdict: "", label: "", unsure: true });
    say("unsure");
    goOn();
  },
  skip() {
    keepNote();
    rows.skipped.add(item.id);
    const seconds = work.taken();
    if (seconds >= 1) outbox.add({ kind: "time", seconds });
    say("skipped");
    goOn();
  },
  undo() {
    const back = outbox.takeBack();
    if (back) {
      note(back.id, back.before);
      say("undone");
      show(back.id);
    } else outbox.add({ kind: "undo", request: newName() });
  },
  previous() { keepNote(); move(-1); },
  next() { keepNote(); move(1); },
  alike() {
    if ($("alike-label").hidden) return;
    $("alike").checked = !$("alike").checked;
    countAlike();
  },
  comment() { $("note").focus(); },
  list() { listDialog.open(); },
};

async function countAlike() {
  $("alike-count").textContent = "";
  if (!$("alike").checked || !item.pattern) return;
  const words = new URLSearchParams({ from: 0, n: 1000, filter: `pattern:${item.pattern}` });
  const answer = await ask(`/api/items?${words}`).catch(() => null);
  if (!answer || !$("alike").checked) return;
  const open = answer.items.filter((one) => !one.verdict && !one.unsure).length;
  const n = `${answer.total > answer.items.length ? "at least " : ""}${counted(open, "row")}`;
  $("alike-count").textContent = ` (${n})`;
  say(`The next verdict decides ${n} at once.`);
}

// ---- time at work ---------------------------------------------------------------------------------------------------

const work = {
  seconds: 0,
  last: 0,

  start() {
    [this.seconds, this.last] = [0, performance.now()];
  },

  /* Somebody does something: the time since the last sign of life counts, if it is not too long. */
  sign() {
    const now = performance.now();
    if (!document.hidden) this.seconds += Math.min(now - this.last, IDLE) / 1000;
    this.last = now;
  },

  taken() {
    this.sign();
    const seconds = Math.round(this.seconds * 10) / 10;
    this.seconds = 0;
    return seconds;
  },
};

// ---- how far it is --------------------------------------------------------------------------------------------------

let overview = null;
let progressTimer = null;
let laterTimer = null;

const TROUBLE_AGAIN = 5000; // milliseconds
const FILE_WRITTEN = 3000;  // milliseconds after a verdict
const CONTRADICTED = "The list's file was edited and contradicts";
const FILE_TROUBLE = "Your verdicts are safe, but they could not be written into the list's file:";

/* Once the list's file was written, which may have failed, or was edited elsewhere. */
function progressLater() {
  clearTimeout(laterTimer);
  laterTimer = setTimeout(() => progress().catch(() => {}), FILE_WRITTEN);
}

function progressSoon(wait = 150) {
  clearTimeout(progressTimer);
  progressTimer = setTimeout(() => progress().catch(() => {}), wait);
}

async function progress() {
  overview = await ask("/api/review");
  const { done, unsure, left, total, pace, seconds_left: rest, seconds } = overview;
  $("title").textContent = visible(`${overview.list.split("/").at(-1)}${overview.judge ? ` · ${overview.judge}` : ""}`);
  $("title").title = visible(overview.list);
  [$("bar").max, $("bar").value] = [total, total - left];
  $("progress").textContent = `${done.toLocaleString("en")} of ${total.toLocaleString("en")} judged` + (unsure ? `, ${unsure} unsure` : "");
  const parts = [];
  if (pace) parts.push(`${duration(pace)} per row`);
  if (rest && left) parts.push(`about ${duration(rest)} left`);
  if (seconds >= 1) parts.push(`${duration(seconds)} at work`);
  $("pace").textContent = parts.join(" · ");
  const isTold = [FILE_TROUBLE, CONTRADICTED].some((words) => $("message").textContent.startsWith(words));
  if (overview.trouble) {
    complain(`${FILE_TROUBLE} ${overview.trouble}`);
    progressSoon(TROUBLE_AGAIN);
  } else if (isTold && !overview.conflicts.length) complain("");
  else if (overview.conflicts.length) {
    complain(`${CONTRADICTED} ${counted(overview.conflicts.length, "verdict")} given here. / shows these rows (filter “contradicted by the file”): decide them again, and your decision is written.`);
  }
  showEstimate(overview.has_estimate, overview.estimate);
}

/* The estimate, which is made in the background: it is asked for again until it is current. */
function showEstimate(isThere, estimate) {
  const box = $("estimate");
  box.hidden = !isThere;
  if (!isThere) return;
  const words = estimate ? estimate.error || estimate.words : "The estimate is being made …";
  if (box.textContent !== words) replaceChildren(box, element("p", {}, words));
  box.dataset.enough = String(Boolean(estimate && estimate.is_enough));
  if (!estimate || !estimate.is_current) progressSoon(LATER);
}

// ---- showing an item ------------------------------------------------------------------------------------------------

function render() {
  const place = item.place + 1;
  $("where").textContent = visible(`Row ${place.toLocaleString("en")} of ${(overview ? overview.total : rows.total).toLocaleString("en")} · ${item.sent_id}${rows.filter !== "all" || rows.search ? " · filtered" : ""}`);
  $("question").textContent = visible(item.question);
  $("show-all").hidden = rows.filter === "all" && !rows.search;
  renderConflict();
  renderSaid();
  renderContext();
  renderPlaces();
  renderDrawing();
  renderEvidence();
  renderElsewhere();
  $("preview").textContent = visible(item.preview || "");
  const missing = item.missing || [];
  $("missing").textContent = missing.length ? visible(`Shown without context: ${missing.join("; ")}`) : "";
  $("missing").hidden = !missing.length;
  renderChoices();
  if (document.activeElement !== $("note")) $("note").value = item.note || "";
  $("alike").checked = false;
  $("alike-count").textContent = "";
  $("alike-label").hidden = !item.pattern;
  fit();
  $("item").scrollTop = 0;
  const marked = $("words").querySelector("mark");
  if (marked && marked.getBoundingClientRect().bottom > $("item").getBoundingClientRect().bottom) {
    marked.scrollIntoView({ block: "center" }); // of a long sentence on a small screen
  }
  document.body.dataset.item = item.id;
}

/* All that is needed of an item is to be seen without scrolling: on a wide page, what is around the sentence gives way
   first, then the drawing gets smaller, as long as it can be read. */
function fit() {
  const box = $("item");
  const drawing = $("drawing").querySelector("svg");
  box.classList.remove("compact");
  if (!isWide.matches || hiddenHeight() <= 0) return;
  box.classList.add("compact");
  const over = hiddenHeight();
  if (!drawing || over <= 0) return;
  const { width, height } = drawing.getBoundingClientRect();
  const scale = Math.max(1 - over / height, SMALLEST_DRAWING);
  drawing.setAttribute("width", width * scale);
  drawing.setAttribute("height", height * scale);
}

/* How far what is needed reaches beyond the lower edge. */
function hiddenHeight() {
  const needed = ["drawing", "evidence", "places", "words"].map($).find((one) => one.childElementCount);
  const { top } = $("item").getBoundingClientRect();
  return needed ? needed.getBoundingClientRect().bottom - top - $("item").clientHeight : 0;
}

function shownWord(word, tagged) {
  const made = element(word.marked ? "mark" : "span", { class: word.inside && !word.marked ? "word inside" : "word" }, word.form);
  if (tagged && word.tags) made.append(element("small", {}, word.tags));
  return made;
}

function renderConflict() {
  const there = item.conflict;
  $("conflict").hidden = !there;
  if (!there) return;
  const said = [there.verdict, there.label].filter(Boolean).join(": ") || "nothing";
  $("conflict").textContent = visible(`The list's file says “${said}”${there.judge ? ` (${there.judge})` : ""} of this row. Decide again, and your decision is written.`);
}

/* What each judge said, for whoever decides where they differ. */
function renderSaid() {
  const made = (item.said || []).map((one) => element("tr", {}, element("th", { scope: "row" }, one.judge),
    element("td", { dir: "auto" }, one.words), element("td", { dir: "auto", class: "muted" }, one.note)));
  replaceChildren($("said"), made.length ? element("table", {}, element("caption", {}, "What the judges said"), element("tbody", {}, ...made)) : null);
}

function renderContext() {
  const context = item.context || { words: item.text.split(" ").map((form) => ({ form })), before: [], after: [], dir: "ltr" };
  const tagged = context.words.some((word) => word.tags);
  const box = $("words");
  box.dir = context.dir || "ltr";
  box.className = tagged ? "words tagged" : "words";
  replaceChildren(box, ...context.words.flatMap((word) => [shownWord(word, tagged), " "]));
  for (const side of ["before", "after"]) {
    $(side).dir = box.dir;
    replaceChildren($(side), ...(context[side] || []).map((one) => {
      const made = element("p", { title: `${one.sent_id}: ${one.text}` }, one.text);
      made.addEventListener("click", () => made.classList.toggle("open"));
      return made;
    }));
  }
}

/* All places of a repeat. */
function renderPlaces() {
  const places = item.places || [];
  const box = $("places");
  if (places.length < 2) return replaceChildren(box);
  const n = item.n_places > places.length ? `${places.length} of ${item.n_places} places` : `${places.length} places`;
  const made = places.map((one) => element("div", { class: "place", title: one.sent_id },
    element("b", {}, `${one.side ? `${one.side}) ` : ""}${one.label || "(nothing)"}`),
    element("span", { dir: "auto" }, ...nearby(one.words).flatMap((word) => [
      typeof word === "string" ? word : element(word.marked ? "mark" : "span", { class: word.inside ? "inside" : null }, word.form), " "]))));
  return replaceChildren(box, element("h3", {}, `The same words at ${n}`), ...made);
}

/* The words of a repeat with some on both sides, about as many as go on a line. */
function nearby(words, around = 8, letters = 45) {
  const inside = words.map((word, number) => (word.inside || word.marked ? number : -1)).filter((number) => number >= 0);
  if (!inside.length) return words.slice(0, 30);
  let [low, high] = [inside[0], inside.at(-1) + 1];
  for (let room = letters; low > 0 && inside[0] - low < around; low -= 1) {
    room -= words[low - 1].form.length + 1;
    if (room < 0) break;
  }
  for (let room = letters; high < words.length && high - inside.at(-1) <= around; high += 1) {
    room -= words[high].form.length + 1;
    if (room < 0) break;
  }
  const marked = words.findIndex((word) => word.marked);
  if (marked - low > around + 2) low = marked - around; // it is seen before the line is cut
  return [...(low ? ["…"] : []), ...words.slice(low, high), ...(high < words.length ? ["…"] : [])];
}

function renderDrawing() {
  const box = $("drawing");
  box.removeAttribute("tabindex");
  if (!item.drawing) return replaceChildren(box);
  const svg = new DOMParser().parseFromString(item.drawing, "image/svg+xml").documentElement;
  replaceChildren(box, svg.nodeName === "svg" ? document.importNode(svg, true) : null);
  if (!isWide.matches) box.tabIndex = 0; // there it may be wider than the page, and is scrolled by keys too
  return undefined;
}

function renderEvidence() {
  const lines = Array.isArray(item.evidence) ? item.evidence : item.evidence ? [item.evidence] : [];
  const list = (some) => element("ul", {}, ...some.map((line) => element("li", { dir: "auto" }, line)));
  if (item.kind === "bracket" && item.drawing && lines.length > 1) { // the drawing has the brackets, too
    const written = element("details", {}, element("summary", {}, `${lines[0]} Show both as text`), list(lines.slice(1)));
    return replaceChildren($("evidence"), written);
  }
  const heading = item.kind === "bracket" ? "The bracket" : "Evidence against the label";
  return replaceChildren($("evidence"), ...(lines.length ? [element("h3", {}, heading), list(lines)] : []));
}

function renderElsewhere() {
  const found = item.elsewhere || [];
  if (!found.length) return replaceChildren($("elsewhere"));
  const word = (item.context.words.find((one) => one.marked) || {}).form || "";
  const made = found.map((one) => element("tr", {},
    element("th", { scope: "row" }, one.label),
    element("td", { class: "n" }, one.count.toLocaleString("en")),
    element("td", {}, ...one.examples.map((text) => element("span", { class: "example", dir: "auto" }, ...withMarks(text))))));
  return replaceChildren($("elsewhere"), element("h3", {}, `“${word}” elsewhere`), element("table", {}, element("tbody", {}, ...made)));
}

function isChosen(choice) {
  if (!item.verdict || choice.verdict !== item.verdict) return false;
  const same = item.choices.filter((one) => one.verdict === item.verdict);
  if (same.length === 1) return true;
  return choice === (same.find((one) => !one.needs_label && one.label === item.label) || same.find((one) => one.needs_label) || same[0]);
}

function renderChoices() {
  const made = item.choices.map((choice) => {
    const chosen = isChosen(choice);
    const words = element("span", {}, choice.words + (choice.needs_label ? " …" : ""));
    if (chosen && item.label && item.label !== choice.label) words.append(element("small", {}, `right: ${item.label}`));
    const further = choice.verdict === "unclear" || choice.key === "y" ? "further" : null;
    const button = element("button", { type: "button", class: further, "aria-pressed": String(chosen), "aria-keyshortcuts": choice.key },
      element("kbd", {}, choice.key), words);
    if (choice.verdict === "unclear") button.title = "The guideline does not decide";
    button.addEventListener("click", () => choose(choice));
    return button;
  });
  replaceChildren($("choices"), ...made);
  $("unsure").setAttribute("aria-pressed", String(Boolean(item.unsure)));
}

// ---- the right label ------------------------------------------------------------------------------------------------

const labelDialog = {
  form: "",       // of the word in question
  doubted: null,  // a label that no word has, which was said
  choice: null,
  found: [],
  active: -1,

  open(choice) {
    this.choice = choice;
    $("label-title").textContent = visible(choice.words);
    const isForm = choice.asks === "form";
    [this.doubted, this.form] = [null, ((item.context || { words: [] }).words.find((one) => one.marked) || {}).form];
    this.tell("");
    $("label-asked").textContent = `${isForm ? "Right form of the word" : "Right label"}: type${isForm ? "" : " to search"}, Enter takes it, Esc goes back`;
    $("label-text").value = choice.verdict === item.verdict ? item.label || "" : (isForm && this.form) || "";
    this.list();
    $("label-dialog").showModal();
    $("label-text").select();
  },

  tell(words) {
    $("label-told").textContent = words;
  },

  list() {
    const typed = $("label-text").value.trim().toLowerCase();
    const labels = this.choice.asks === "form" ? [] : item.labels || [];
    const begins = labels.filter((label) => label.toLowerCase().startsWith(typed));
    const has = labels.filter((label) => typed && !label.toLowerCase().startsWith(typed) && label.toLowerCase().includes(typed));
    this.found = [...begins, ...has].slice(0, 200);
    this.active = typed && this.found.length ? 0 : -1;
    replaceChildren($("label-list"), ...this.found.map((label, number) => {
      const made = element("li", { role: "option", id: `label-${number}`, "aria-selected": "false" }, label);
      made.addEventListener("click", () => this.take(label));
      return made;
    }));
    $("label-list").hidden = !labels.length;
    this.mark();
  },

  mark() {
    const options = [...$("label-list").children];
    options.forEach((one, number) => one.setAttribute("aria-selected", String(number === this.active)));
    const active = options[this.active];
    if (active) {
      $("label-text").setAttribute("aria-activedescendant", active.id);
      active.scrollIntoView({ block: "nearest" });
    } else $("label-text").removeAttribute("aria-activedescendant");
  },

  step(by) {
    const n = $("label-list").children.length;
    if (!n) return;
    this.active = (this.active + by + n) % n;
    this.mark();
  },

  submit() {
    this.take(this.found[this.active] ?? $("label-text").value.trim());
  },

  take(label) {
    const isForm = this.choice.asks === "form";
    if ((!label && this.choice.verdict !== "none") || (isForm && label === this.form)) {
      $("label-text").focus();
      return this.tell(isForm ? "What is the right form?" : "Which label is right?");
    }
    if (label && !isForm && (item.labels || []).length && !item.labels.includes(label) && label !== this.doubted) {
      this.doubted = label;
      return this.tell(`No word of the corpus has the label ${label}. Take it all the same?`);
    }
    $("label-dialog").close();
    return decide(this.choice, label);
  },
};

// ---- place by place -------------------------------------------------------------------------------------------------

/* What stands for marks of the syntax in a cell, as karat.gold.repeats.placed_labels writes it. */
function escapedLabel(text) {
  return text.replace(/[%;@]|^\s|\s$|(?<=\s)\s|[^\S ]/g, (letter) => encodeURIComponent(letter)).replace(/^typo(?=:)/, "%74%79%70%6F");
}

function escapedName(text) {
  return text.replace(/[%;@:]|^\s|\s$|(?<=\s)\s|[^\S ]/g, (letter) => encodeURIComponent(letter));
}

function addressOf(place) {
  return `${place.corpus ? `${escapedName(place.corpus)}:` : ""}${escapedName(place.sent_id)} ${place.word}`;
}

/* What a cell says of single places: by address the label and, if it is misspelled, the form. */
function placedLabels(text) {
  const found = new Map();
  for (const entry of text.split(";")) {
    const parts = /^\s*(typo:\s*)?(.*?)\s*@\s*(.*?)\s*$/s.exec(entry);
    if (!parts) continue;
    const said = found.get(parts[3]) || {};
    said[parts[1] ? "form" : "label"] = decodeURIComponent(parts[2]);
    found.set(parts[3], said);
  }
  return found;
}

const PLACE_KEYS = { 1: "a", 2: "b", o: "o", y: "y", l: "l" }; // not a and b, which say on the page that a side is wrong

const placesDialog = {
  choice: null,
  sides: {},

  open(choice) {
    this.choice = choice;
    const proposed = (verdict) => (item.choices.find((one) => one.verdict === verdict) || {}).label || "";
    this.sides = { a: proposed("error-in-b"), b: proposed("error-in-a") };
    const places = item.all_places;
    const some = item.n_places > places.length ? `${places.length} of ${item.n_places.toLocaleString("en")} places; correct the others by hand` : counted(places.length, "place");
    $("places-title").textContent = `What is right where? ${some}`;
    const said = item.verdict === "mixed" ? placedLabels(item.label || "") : new Map();
    replaceChildren($("place-rows"), ...places.map((place, number) => this.row(place, number, said.get(addressOf(place)) || {})));
    this.count();
    $("places-dialog").showModal();
    this.go(0);
    if (choice.key === "y") say("Press y at each place that is misspelled.");
  },

  row(place, number, said) {
    const name = `place-${number}`;
    const label = said.label ?? "";
    const chosen = said.form !== undefined ? "y" : !label ? "l" : label === this.sides.a ? "a" : label === this.sides.b ? "b" : "o";
    const options = [["a", this.sides.a], ["b", this.sides.b], ["o", "other"], ["y", "typo"], ["l", "leave"]].map(([key, words]) => {
      const radio = element("input", { type: "radio", name, value: key, "aria-keyshortcuts": { a: "1", b: "2" }[key] ?? key });
      radio.checked = key === chosen;
      return element("label", {}, radio, ` ${words}`);
    });
    const text = element("input", { type: "text", class: "place-text", autocomplete: "off", spellcheck: "false", "aria-label": "Right label or form" });
    text.value = said.form ?? (chosen === "o" ? label : "");
    const where = `${place.corpus ? `${place.corpus} ` : ""}${place.sent_id}`;
    const made = element("fieldset", { class: "place-row" },
      element("legend", {}, element("b", {}, `${place.side ? `${place.side}) ` : ""}${place.label}`), " ",
        element("span", { dir: "auto" }, `${place.before} `, element("mark", {}, place.form), ` ${place.after}`), " ",
        element("small", { class: "muted" }, where)),
      ...options, text);
    made.dataset.chosen = chosen;
    if (chosen === "y" && label) made.dataset.label = label; // a script may say both of a place
    made.addEventListener("change", (event) => { if (event.target.type === "radio") this.chosen(made, event.target.value); });
    return made;
  },

  rows() { return [...$("place-rows").children]; },

  now() { return this.rows().indexOf(document.activeElement.closest(".place-row")); },

  go(number) {
    const row = this.rows()[number];
    if (!row) return;
    row.querySelector("input:checked").focus();
    row.scrollIntoView({ block: "nearest" });
  },

  chosen(row, key) {
    row.dataset.chosen = key;
    if (key !== "y") delete row.dataset.label;
    const text = row.querySelector(".place-text");
    if (key === "y" && !text.value) text.value = item.all_places[this.rows().indexOf(row)].form;
    this.count();
  },

  /* Choose by key: what needs no text goes on to the next place. */
  choose(key) {
    const row = this.rows()[this.now()];
    if (!row) return;
    row.querySelector(`input[value=${key}]`).checked = true;
    this.chosen(row, key);
    if (key === "o" || key === "y") row.querySelector(".place-text").select();
    else this.go(Math.min(this.now() + 1, this.rows().length - 1));
  },

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isText = event.target.classList.contains("place-text");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      this.go(this.now() + (event.key === "ArrowDown" ? 1 : -1));
    } else if (!isText && PLACE_KEYS[event.key.toLowerCase()]) {
      event.preventDefault();
      this.choose(PLACE_KEYS[event.key.toLowerCase()]);
    }
  },

  count() {
    const n = this.rows().filter((row) => row.dataset.chosen !== "l").length;
    $("places-count").textContent = n ? `${counted(n, "place")} decided` : "no place decided: saved as mixed, without places";
  },

  save() {
    const entries = [];
    for (const [number, row] of this.rows().entries()) {
      const key = row.dataset.chosen;
      const text = row.querySelector(".place-text");
      if (key === "l") continue;
      const label = this.sides[key] || text.value.trim();
      if (!label || (key === "y" && label === item.all_places[number].form)) {
        text.focus();
        return say(key === "y" ? "What is the right form?" : "Which label is right?");
      }
      if (row.dataset.label) entries.push(`${escapedLabel(row.dataset.label)} @ ${addressOf(item.all_places[number])}`);
      entries.push(`${key === "y" ? "typo:" : ""}${escapedLabel(label)} @ ${addressOf(item.all_places[number])}`);
    }
    $("places-dialog").close();
    return decide(this.choice, entries.join("; "));
  },
};

// ---- the list -------------------------------------------------------------------------------------------------------

const listDialog = {
  first: 0,
  shown: 0,
  timer: null,

  open() {
    keepNote();
    $("list-dialog").showModal();
    $("filter").value = rows.filter.startsWith("pattern:") ? "pattern" : rows.filter;
    $("search").value = rows.search;
    $("search").select();
    this.list();
  },

  async apply() {
    const chosen = $("filter").value;
    const filter = chosen === "pattern" ? `pattern:${item.pattern}` : chosen;
    try {
      await rows.use(filter, $("search").value.trim());
    } catch (error) {
      return complain(error.message);
    }
    return this.list();
  },

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.apply(), 200);
  },

  async list() {
    this.shown = 0;
    replaceChildren($("rows"));
    this.first = Math.max(rows.placeOf(item.id) - 50, 0);
    await this.more(this.first);
    const current = $("rows").querySelector("[aria-current=true]");
    if (current) current.scrollIntoView({ block: "center" });
  },

  async more(from = this.shown) {
    const stop = Math.min(from + 100, rows.total);
    const made = [];
    for (let place = from; place < stop; place += 1) {
      const id = await rows.at(place);
      if (id) made.push(this.row(rows.byId.get(id)));
    }
    $("rows").append(...made);
    $("earlier").hidden = !this.first;
    this.shown = stop;
    $("more").hidden = stop >= rows.total;
    $("found").textContent = counted(rows.total, "row");
  },

  async earlier() {
    const stop = this.first;
    this.first = Math.max(stop - 100, 0);
    const made = [];
    for (let place = this.first; place < stop; place += 1) {
      const id = await rows.at(place);
      if (id) made.push(this.row(rows.byId.get(id)));
    }
    $("rows").prepend(...made);
    $("earlier").hidden = !this.first;
  },

  row(one) {
    const said = one.verdict ? (one.in_words || one.verdict) + (one.label ? `: ${one.label}` : "") : one.unsure ? "unsure" : "";
    const button = element("button", { type: "button", "aria-current": String(one.id === item.id) },
      element("span", { class: "muted" }, String(one.place + 1)),
      element("span", { class: "judged" }, said || "–"),
      element("span", { class: "text", dir: "auto" }, one.text));
    button.addEventListener("click", () => {
      $("list-dialog").close();
      show(one.id);
    });
    return element("li", {}, button);
  },
};

// ---- keys -----------------------------------------------------------------------------------------------------------

const KEYS = {
  u: "undo", s: "skip", "?": "unsure", c: "comment", p: "alike", "/": "list", ArrowRight: "next", ArrowLeft: "previous",
};

function pressed(event) {
  work.sign();
  if (!item || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if ($("label-dialog").open || $("list-dialog").open || $("places-dialog").open) return;
  if (event.target === $("note")) {
    if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) {
      event.preventDefault();
      keepNote();
      $("note").blur();
    }
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const choice = item.choices.find((one) => one.key === key);
  if (!choice && !KEYS[key]) return;
  event.preventDefault();
  if (event.repeat && KEYS[key] !== "next" && KEYS[key] !== "previous") return;
  const isJudging = choice || ["unsure", "skip", "alike"].includes(KEYS[key]);
  if (isJudging && (heading !== null || leaving)) return; // nobody judges what is not shown yet
  const isAtOnce = !choice || !(choice.needs_label || choice.asks);
  if (isJudging && isAtOnce && finished) { // one key too many
    say("All rows are judged: an arrow key leads to the one that you want to decide again.");
    return;
  }
  if (choice) choose(choice);
  else actions[KEYS[key]]();
}

function listen() {
  document.addEventListener("keydown", pressed);
  for (const name of ["pointermove", "pointerdown", "scroll"]) document.addEventListener(name, () => work.sign(), { passive: true });
  document.addEventListener("visibilitychange", () => { work.last = performance.now(); });
  window.addEventListener("online", () => outbox.send());
  window.addEventListener("resize", () => { if (item) { renderDrawing(); fit(); } });
  window.addEventListener("beforeunload", (event) => { if (outbox.waiting.length) event.preventDefault(); });
  for (const name of ["unsure", "skip", "undo", "previous", "next"]) {
    $(name).addEventListener("click", () => { if (item) actions[name](); });
  }
  $("open-list").addEventListener("click", () => actions.list());
  $("alike").addEventListener("change", countAlike);
  $("note").addEventListener("change", () => { if (!document.hidden) keepNote(); });
  $("label-form").addEventListener("submit", (event) => { event.preventDefault(); labelDialog.submit(); });
  $("label-text").addEventListener("input", () => labelDialog.list());
  $("label-text").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    labelDialog.step(event.key === "ArrowDown" ? 1 : -1);
  });
  $("label-cancel").addEventListener("click", () => $("label-dialog").close());
  $("places-form").addEventListener("submit", (event) => { event.preventDefault(); placesDialog.save(); });
  $("places-form").addEventListener("keydown", (event) => placesDialog.pressed(event));
  $("places-cancel").addEventListener("click", () => $("places-dialog").close());
  $("list-form").addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(listDialog.timer);
    listDialog.apply().then(() => { const first = $("rows").querySelector("button"); if (first) first.focus(); });
  });
  $("search").addEventListener("input", () => listDialog.soon());
  $("filter").addEventListener("change", () => listDialog.apply());
  $("list-close").addEventListener("click", () => $("list-dialog").close());
  $("more").addEventListener("click", () => listDialog.more());
  $("earlier").addEventListener("click", () => listDialog.earlier());
  $("show-all").addEventListener("click", () => rows.use("all", "").then(() => show(item.id)));
}

// ---- for whoever coordinates ----------------------------------------------------------------------------------------

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function withInterval(value, interval, written = (x) => x.toFixed(2)) {
  if (value === null || value === undefined) return "not defined";
  const ends = interval && typeof interval.lower === "number" && typeof interval.upper === "number";
  return ends ? `${written(value)} (${written(interval.lower)} to ${written(interval.upper)})` : written(value);
}

function tableOf(caption, names, body) {
  const head = element("tr", {}, ...names.map((name, place) => element("th", { scope: "col", class: place && name !== "list" ? "n" : null }, name)));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body)));
}

function judgesTable(judges) {
  const several = new Set(judges.map((one) => one.list)).size > 1;
  const body = judges.map((one) => element("tr", {}, element("th", { scope: "row" }, one.judge),
    ...[one.done, one.unsure, one.left].map((n) => element("td", { class: "n" }, n.toLocaleString("en"))),
    element("td", { class: "n" }, one.seconds >= 1 ? duration(one.seconds) : "–"),
    ...(several ? [element("td", {}, one.list.split("/").at(-1))] : [])));
  return tableOf("How far judges are", ["judge", "judged", "unsure", "left", "time", ...(several ? ["list"] : [])], body);
}

const COEFFICIENTS = { observed: "observed agreement", kappa_cohen: "Cohen’s kappa", kappa_pooled: "Fleiss’ kappa", alpha: "Krippendorff’s alpha" };

function agreementShown(found) {
  if (!found) return [element("p", { class: "muted" }, "Agreement is being computed …")];
  if (found.error) return [element("p", {}, found.error)];
  if (!found.shared) return [element("p", {}, "No row has been judged by two judges yet: nothing is known of their agreement.")];
  const level = `${Math.round(1000 * found.level) / 10} % CI`;
  const lines = [element("p", {}, `${counted(found.shared, "row")} judged by two judges or more; they differ on ${found.differing.toLocaleString("en")}.`)];
  const rowsOf = Object.entries(found.agreement).filter(([name]) => COEFFICIENTS[name]).map(([name, one]) => element("tr", {},
    element("th", { scope: "row" }, COEFFICIENTS[name]), element("td", { class: "n" }, withInterval(one.value, one.interval))));
  lines.push(tableOf("Agreement", ["coefficient", `value (${level})`], rowsOf));
  if (!found.judge_errors.length) return [...lines, element("p", { class: "muted" }, "Too few rows for the judges’ error rates.")];
  const errors = found.judge_errors.map((one) => element("tr", {}, element("th", { scope: "row" }, one.judge ?? "all judges alike"),
    element("td", { class: "n" }, withInterval(one.value, one, percent))));
  return [...lines, tableOf("Estimated error rates", ["judge", `rate (${level})`], errors)];
}

function planShown(plan, several) {
  const estimate = plan.estimate ? plan.estimate.error || plan.estimate.words : "The estimate is being made …";
  return [...(several ? [element("h3", {}, plan.lists.join(", "))] : []), element("p", { class: "estimate" }, estimate),
    ...(plan.agreement === null && !plan.has_agreement ? [] : agreementShown(plan.agreement))];
}

async function coordinate() {
  const found = await ask("/api/coordinator");
  complain("");
  $("title").textContent = visible(found.list);
  $("bar").hidden = true;
  [$("state").dataset.state, $("state").textContent] = ["saved", "for the coordinator"];
  const n = new Set(found.judges.map((one) => one.judge)).size;
  const lists = new Set(found.judges.map((one) => one.list)).size;
  const made = [element("h2", {}, `${counted(lists, "list")}, ${counted(n, "judge")}`), judgesTable(found.judges),
    ...found.plans.flatMap((plan) => planShown(plan, found.plans.length > 1)), ...(found.trouble ? [element("p", { class: "warning" }, found.trouble)] : [])];
  const box = element("div", {}, ...made);
  if (!$("coordinator").firstChild || !box.isEqualNode($("coordinator").firstChild)) replaceChildren($("coordinator"), box); // focus stays
  $("coordinator").hidden = false;
}

async function keepCoordinating() {
  await coordinate().catch((error) => complain(error instanceof Refused ? error.message : "karat review does not answer."));
  setTimeout(keepCoordinating, 4000);
}

// ---- begin ----------------------------------------------------------------------------------------------------------

async function begin() {
  try {
    await progress();
  } catch (error) {
    if (error instanceof Refused && error.data.is_coordinator) return keepCoordinating();
    throw error;
  }
  listen();
  replaceChildren($("criterion-text"), ...overview.criterion.map((line) => element("p", {}, line)));
  $("criterion").open = isWide.matches;
  outbox.open(overview.list, overview.judge);
  const first = await ask("/api/items?filter=undecided&n=1");
  rows.total = overview.total;
  const start = first.items.length ? first.items[0].place : 0;
  await rows.fetch(start);
  for (const one of outbox.waiting) if (one.kind === "verdict" && rows.byId.has(one.id)) Object.assign(rows.byId.get(one.id), one.body);
  document.querySelector("main").hidden = false;
  await show(await rows.at(start));
  if (!first.items.length) goOn();
  return undefined;
}

begin().catch((error) => {
  [$("state").dataset.state, $("state").textContent] = ["unsent", "not loaded"];
  complain(`The list could not be loaded: ${error.message}. Reload the page once karat review runs.`);
});
