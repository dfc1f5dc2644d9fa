"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const shownFirst = 20;
  document.documentElement.classList.add("scripted");
  const sum = (numbers) => { // without the rounding errors of adding one by one (Neumaier)
    let [total, lost] = [0, 0];
    for (const one of numbers) {
      const next = total + one;
      lost += Math.abs(total) >= Math.abs(one) ? total - next + one : one - next + total;
      total = next;
    }
    return total + lost;
  };

  // ---- tables: sort by a column, filter rows -------------------------------------------------------------------------

  const cellValue = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };

  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a.localeCompare(b);
  };

  const sort = (head) => {
    const table = head.closest("table");
    const column = head.cellIndex;
    const isNumber = [...table.tBodies[0].rows].some((row) => row.cells[column].dataset.value !== undefined);
    const was = head.getAttribute("aria-sort");
    const descending = was === "none" ? isNumber : was === "ascending";
    for (const one of table.tHead.rows[0].cells) one.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [cellValue(a, column), cellValue(b, column)];
      if (x === "–" || y === "–") return (x === "–") - (y === "–");
      return descending ? compare(y, x) : compare(x, y);
    });
    table.tBodies[0].append(...rows);
    const box = table.closest(".table[id]");
    if (box) showRows(box);
  };

  const rowsFirst = 15;
  const expanded = new Set();

  const showRows = (box) => { // those that the filter lets through, the first of them until all are asked for
    const words = (box.querySelector("[data-filter]")?.value ?? "").trim().toLowerCase();
    const least = box.querySelector("[data-least]");
    const rows = [...box.querySelector("tbody").rows];
    let found = 0;
    for (const row of rows) {
      const size = least ? Number(row.cells[Number(least.dataset.column)].dataset.value ?? Infinity) : Infinity;
      const fits = row.textContent.toLowerCase().includes(words) && size >= Number(least?.value ?? 0);
      found += fits;
      row.hidden = !fits;
      row.classList.toggle("more", fits && found > rowsFirst && !expanded.has(box.id)); // which print has
    }
    const status = box.querySelector(".status");
    if (status) status.textContent = found < rows.length ? `${found} of ${rows.length} rows` : "";
    const button = box.querySelector("[data-rows]");
    if (button) button.hidden = found <= rowsFirst || expanded.has(box.id);
    if (button) button.textContent = `Show all ${found} rows`;
  };

  for (const box of document.querySelectorAll(".table[id]")) {
    const body = box.querySelector("tbody");
    if (!body || body.rows.length <= rowsFirst + 5) {
      expanded.add(box.id);
      continue;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.rows = box.id;
    box.querySelector(".scroll").after(button);
    showRows(box);
  }

  // ---- sentences: those of a list, those that are searched for -------------------------------------------------------

  const listOf = (id) => {
    for (const [section, lists] of Object.entries(data.lists)) {
      if (Object.hasOwn(lists, id)) return [section, ...lists[id]];
    }
    return null;
  };

  const states = {};
  for (const section of Object.keys(data.lists)) {
    const articles = [...document.querySelectorAll(`#${CSS.escape(section)} article`)];
    states[section] = { articles, texts: null, list: null, most: shownFirst };
  }

  const textOf = (article) =>
    [...article.querySelectorAll("h3, .words, .differences, .remark")].map((one) => one.textContent).join(" ").toLowerCase();

  const show = (section) => {
    const state = states[section];
    const box = document.getElementById(section);
    const search = box.querySelector("[data-search]").value.trim().toLowerCase();
    if (search && state.texts === null) state.texts = state.articles.map(textOf);
    const inList = state.list && new Set(listOf(state.list)[2]);
    let found = 0;
    state.articles.forEach((article, place) => {
      const fits = (!inList || inList.has(place)) && (!search || state.texts[place].includes(search));
      found += fits;
      article.hidden = !fits || found > state.most;
    });
    const words = [];
    if (inList) words.push(`${listOf(state.list)[1]}; ${inList.size} of these sentences embedded`);
    if (search) words.push(`${found} of ${inList ? inList.size : state.articles.length} sentences have “${search}”`);
    if (found > state.most) words.push(`the first ${state.most} shown`);
    box.querySelector(".status").textContent = words.join(", ");
    box.querySelector("[data-all]").hidden = !state.list && !search;
    box.querySelector("[data-more]").hidden = found <= state.most;
  };

  const goTo = (element) => { // there, with the keyboard too
    element.tabIndex = -1;
    element.scrollIntoView();
    element.focus({ preventScroll: true });
  };

  const choose = (section, list) => { // the sentences of a list; of all if it is null
    Object.assign(states[section], { list, most: shownFirst });
    document.getElementById(section).querySelector("[data-search]").value = "";
    show(section);
  };

  const follow = () => { // what the address names: a list, a sentence, or a section
    const id = location.hash.slice(1);
    const list = listOf(id);
    const target = document.getElementById(id);
    if (list) {
      choose(list[0], id);
      goTo(document.getElementById(`${list[0]}-title`));
    } else if (!id || Object.hasOwn(states, id)) {
      for (const section of Object.keys(states)) choose(section, null);
      if (id) goTo(document.getElementById(`${id}-title`));
    } else if (target?.tagName === "ARTICLE") {
      target.hidden = false;
      goTo(target);
    } else if (target) {
      for (let box = target; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
      target.scrollIntoView();
    }
  };

  // ---- groups by length: limits of the reader's choice, intervals as karat makes them ---------------------------------

  const logGamma = (x) => {
    const c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
      -0.5395239384953e-5];
    const t = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
    return -t + Math.log((2.5066282746310005 * c.reduce((sum, one, i) => sum + one / (x + 1 + i), 1.000000000190015)) / x);
  };

  const betaFraction = (x, a, b) => {
    const tiny = 1e-300;
    let c = 1;
    let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
    let h = d;
    for (let m = 1; m < 3000; m++) {
      for (const top of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
        (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
        d = 1 / (1 + top * d || tiny);
        c = 1 + top / c || tiny;
        h *= c * d;
      }
      if (Math.abs(c * d - 1) < 1e-14) break;
    }
    return h;
  };

  const incompleteBeta = (x, a, b) => {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
    return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
  };

  const tQuantile = (level, df) => { // the t that is exceeded on both sides with a chance of 1 - level
    let [low, high] = [0, 1e12];
    for (let i = 0; i < 200; i++) {
      const t = (low + high) / 2;
      if (incompleteBeta(df / (df + t * t), df / 2, 0.5) > 1 - level) low = t;
      else high = t;
    }
    return low;
  };

  const f1 = ([gold, system, correct]) => (gold + system ? (2 * correct) / (gold + system) : 0);

  const summed = (rows) => [0, 1, 2].map((i) => sum(rows.map((row) => row[i])));

  const interval = (clusters, level) => { // [gold, system, correct] of clusters: jackknife t on the logit scale
    if (clusters.filter((one) => one[0] + one[1] > 0).length < 3) return null;
    const all = summed(clusters);
    const value = f1(all);
    const n = clusters.length;
    const sizes = clusters.map((one) => one[0] + one[1]);
    const effective = sum(sizes) ** 2 / sum(sizes.map((one) => one * one));
    if (value === 0 || value === 1) {
      const end = (1 - level) ** (1 / effective);
      return value ? [end, 1] : [0, 1 - end];
    }
    const without = clusters.map((one) => f1(all.map((total, i) => total - one[i])));
    const mean = sum(without) / n;
    const squares = without.map((one) => (one - mean) ** 2);
    const spread = sum(squares);
    const error = Math.sqrt(((n - 1) / n) * spread);
    if (error <= 1e-15) return null;
    const kurtosis = sum(squares.map((one) => one * one)) / spread ** 2;
    const df = Math.max(Math.min(effective - 1, 2 / Math.max(kurtosis - 1 / n, 1e-9)), 1);
    const reach = (tQuantile(level, df) * error) / (value * (1 - value));
    const logit = Math.log(value / (1 - value));
    return [logit - reach, logit + reach].map((x) => 1 / (1 + Math.exp(-x)));
  };

  const wider = (clusters, sentences, level) => { // with few clusters, the wider of theirs and the sentences'
    const one = interval(clusters, level);
    if (clusters.length >= 6 || clusters.length < 3 || clusters.length === sentences.length) return one;
    const other = interval(sentences, level);
    if (!one || !other) return null;
    return one[1] - one[0] >= other[1] - other[0] ? one : other;
  };

  const shownInterval = (value, both) => { // where nothing varies it is one-sided
    if (!both) return "–";
    const [lower, upper] = both.map((x) => (100 * x).toFixed(2));
    return value === 1 ? `≥ ${lower}` : value === 0 ? `≤ ${upper}` : `${lower}–${upper}`;
  };

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  const lengths = (id) => {
    const { systems, rows, level } = data.lengths[id];
    const box = document.getElementById(id);
    const text = box.querySelector("[data-lengths]").value;
    const ends = [...new Set((text.match(/\d+/g) ?? []).map(Number))].sort((a, b) => a - b).slice(0, 30);
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    const titles = ["length", "n", ...systems.flatMap((name) => [name, `${Number((100 * level).toFixed(6))} % CI`])];
    for (const title of titles) head.append(element("th", title, { scope: "col" }));
    const body = table.createTBody();
    [...ends, Infinity].forEach((end, place) => {
      const low = place ? ends[place - 1] + 1 : 1;
      const group = rows.filter((row) => row[0] >= low && row[0] <= end);
      if (!group.length) return;
      const tr = body.insertRow();
      tr.append(element("th", end === Infinity ? `${low}+` : `${low}–${end}`, { scope: "row" }));
      const n = sum(group.map((row) => row[2]));
      tr.append(element("td", n.toLocaleString("en"), { class: "n", "data-value": n }));
      systems.forEach((_, number) => {
        const sentences = group.map((row) => row.slice(2 + 3 * number, 5 + 3 * number));
        const byCluster = new Map();
        group.forEach((row, i) => {
          const before = byCluster.get(row[1]) ?? [0, 0, 0];
          byCluster.set(row[1], before.map((one, k) => one + sentences[i][k]));
        });
        const value = f1(summed(sentences));
        const both = wider([...byCluster.values()], sentences, level);
        tr.append(element("td", (100 * value).toFixed(2), { class: "n", "data-value": value }));
        const cell = element("td", shownInterval(value, both), { class: "n" });
        if (both) [cell.dataset.value, cell.dataset.upper] = both;
        tr.append(cell);
      });
    });
    box.querySelector(".scroll").replaceChildren(table);
  };

  // ---- what the reader does ------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.parentElement.matches("th")) sort(button.parentElement);
    if (button?.dataset.rows) {
      const box = document.getElementById(button.dataset.rows);
      expanded.add(box.id);
      showRows(box);
      box.querySelector(".scroll").focus({ preventScroll: true }); // the button is gone
    }
    const all = button?.dataset.all;
    const more = button?.dataset.more;
    if (all) {
      location.hash = all;
      follow();
    }
    if (more) {
      states[more].most += 50;
      show(more);
    }
    const link = event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) follow(); // the same list again
  });
  document.addEventListener("input", (event) => {
    const { filter: filtered, least, search, lengths: of } = event.target.dataset;
    if (filtered ?? least) showRows(document.getElementById(filtered ?? least));
    if (search) {
      states[search].most = shownFirst;
      show(search);
    }
    if (of) lengths(of);
  });
  document.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", follow);
  for (const section of Object.keys(states)) show(section);
  for (const id of Object.keys(data.lengths)) lengths(id);
  follow();
})();
