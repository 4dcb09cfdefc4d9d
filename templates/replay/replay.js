/* The script of a replay: it steps through the entries of the log, moves the counters, and computes dice again.
   All it knows stands in the JSON beside it and in the log itself; templates/web/map.js stands above it. */

const log = $("#p-log");

/* --- steps: [chapter, kind, stacks, arrows, battles, signs, marks, borders, supply, rolls] ------------ */

const CHAPTER = 0, KIND = 1, STACKS = 2, ARROWS = 3, BATTLES = 4, SIGNS = 5, MARKS = 6, BORDERS = 7, SUPPLY = 8, ROLLS = 9;
const entries = data.ids.map(id => document.getElementById(id));
entries.forEach((entry, i) => entry.step = i);
const own = entries.map(entry => [$(".tx", entry).textContent, $("pre", entry).textContent]);
const stepOfRoll = new Map();
data.steps.forEach((step, i) => step[ROLLS].forEach(roll => stepOfRoll.has(roll) || stepOfRoll.set(roll, i)));
const chapters = data.chapters;               // [first step, turn, title]
const turnStarts = [];
data.steps.forEach((step, i) => { const t = chapters[step[CHAPTER]][1]; if (!turnStarts.some(s => s[1] === t)) turnStarts.push([i, t]); });

let steps, back, now, lasting;                // of the reader whose game is shown; back: how to undo each step

/* Show the game of a reader: 0 everything, or what a seat saw. */
function readAs(reader) {
  const track = reader ? data.tracks[reader - 1].steps : null;
  steps = data.steps.map((step, i) => !track || track[i] === 1 ? step : track[i] ? track[i][1] : null);
  entries.forEach((entry, i) => {
    entry.classList.toggle("unseen", !steps[i]);
    const lines = track && Array.isArray(track[i]) && track[i][0].length ? track[i][0].join("\n") : own[i][1];
    $("pre", entry).textContent = lines;
    $(".log", entry)?.remove();
    $(".dice", entry)?.remove();
    $(".tx", entry).textContent = lines === own[i][1] ? own[i][0] : headline(lines) || own[i][0];
  });
  stacks = new Map(); back = []; lasting = [];
  let marks = -1, borders = -1, supply = -1;
  steps.forEach((step, i) => {
    const undo = [];
    if (step) {
      each(step[STACKS], (h, there) => { undo.push(h, stacks.get(h) || []); stacks.set(h, there); });
      if (step[MARKS]) marks = i;
      if (step[BORDERS] !== null) borders = i;
      if (step[SUPPLY]) supply = i;
    }
    back.push(undo); lasting.push([marks, borders, supply]);
  });
  stacks = new Map(); now = -1;
  $("#units").replaceChildren(); drawn.clear();
  fights = steps.flatMap((step, i) => step && step[KIND] === "f" ? [i] : []);
}
const CASES = / *\[([^[\]]*\d[^[\]]*|[A-Z]{2,5}(?:\.[A-Z0-9]+)*)\]/g;
const headline = lines => lines.split("\n")[0].replace(/^R\d+ */, "").replace(CASES, "").trim();
let fights = [];
function each(flat, use) {
  for (let k = 0; k < flat.length;) { const h = flat[k], n = flat[k + 1]; use(h, flat.slice(k + 2, k + 2 + n)); k += 2 + n; }
}
function moveTo(i) {
  const changed = new Set();
  while (now < i) { const step = steps[++now]; if (step) each(step[STACKS], (h, there) => { stacks.set(h, there); changed.add(h); }); }
  while (now > i) { const undo = back[now--]; for (let k = undo.length - 2; k >= 0; k -= 2) { stacks.set(undo[k], undo[k + 1]); changed.add(undo[k]); } }
  changed.forEach(drawHex);
}

/* --- what a step shows on the map ---------------------------------------------------------------------- */

/* The signs of a step that are news: a target that the step before had is one no longer. */
const old = (sign, i) => {
  if (sign[1] !== "target") return false;
  for (let k = i - 1; k >= 0; k--) if (steps[k]) return steps[k][SIGNS].some(s => s.join() === sign.join());
  return false;
};
const news = i => steps[i][SIGNS].filter(sign => !old(sign, i));
function hexesOf(i) {
  const step = steps[i];
  const found = new Set();
  step[ARROWS].forEach(a => a.slice(2).forEach(h => found.add(h)));
  step[BATTLES].forEach(b => b.slice(1).forEach(h => found.add(h)));
  news(i).forEach(s => s[0] >= 0 && found.add(s[0]));
  if (!found.size && step[STACKS].length < 40) each(step[STACKS], h => found.add(h));
  return [...found];
}
/* Bring what happens into view; the camera stays where it is as long as that is so. */
function frame(i, force) {
  if (whole && !force) return;
  const hs = steps[i] ? hexesOf(i) : [];
  if (!hs.length) { if (force) fly({ x: width / 2, y: height / 2, k: widest() }, 0); return; }
  whole = false;
  const xs = hs.map(h => X[h]), ys = hs.map(h => Y[h]), x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = Math.min(...ys), y1 = Math.max(...ys);
  reading ||= spacing / (box.w < 600 ? 50 : 54);
  const k = Math.max(reading, (x1 - x0 + 110) / box.w, (y1 - y0 + 110) / box.h), w = box.w * k, h = box.h * k;
  const mx = Math.min(w * .2, 70), my = Math.min(h * .2, 70);
  if (force || Math.abs(Math.log(k / camera.k)) > .02 || x0 < camera.x - w / 2 + mx || x1 > camera.x + w / 2 - mx || y0 < camera.y - h / 2 + my || y1 > camera.y + h / 2 - my)
    fly({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, k }, force ? 0 : 320);
}

function said(h, down, words) {
  const w = words.length * 6.4 + 10;
  return svg("g", { transform: `translate(${X[h].toFixed(1)} ${Y[h].toFixed(1)})` }, svg("g", { class: "keep" },
    svg("rect", { class: "sbr", x: -w / 2, y: down - 8, width: w, height: 14, rx: 4 }), text("text", { class: "sbl", x: 0, y: down + 2.6 }, words)));
}
const spikes = (() => { const p = []; for (let s = 0; s < 24; s++) { const r = s % 2 ? 12.5 : 17; p.push((r * Math.sin(Math.PI * s / 12)).toFixed(1) + " " + (-r * Math.cos(Math.PI * s / 12)).toFixed(1)); } return "M" + p.join("L") + "z"; })();
const star = (x, y, words, size) => svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${size})` }, svg("g", { class: "keep" }, svg("path", { d: spikes, class: "sb" }), text("text", { class: "sbt", y: 3.4 }, words)));
const cross = h => svg("g", { transform: `translate(${X[h].toFixed(1)} ${Y[h].toFixed(1)})` }, svg("g", { class: "keep" },
  ...["kxh", "kx"].map(c => svg("path", { class: c, d: "M-6-20l12 12m0-12l-12 12" }))));

function picture(i) {
  const step = steps[i], under = [], over = [], rings = new Map(), told = new Map();
  if (!step) return;
  const say = (h, words) => { const n = told.get(h) || 0; told.set(h, n + 1); over.push(said(h, 28 + 15 * n, words)); };
  const battles = new Set();
  for (const a of step[ARROWS]) { under.push(...arrow(a)); rings.set(a[a.length - 1], 1); }
  for (const [name, h, ...from] of step[BATTLES]) {
    const [x, y] = spot(h), n = from.length || 1;
    const m = from.length ? [from.reduce((s, f) => s + X[f], 0) / n, from.reduce((s, f) => s + Y[f], 0) / n] : [x, y];
    const b = [x + (m[0] - x) * .5, y + (m[1] - y) * .5];
    for (const f of from) { const a = shorter(b, spot(f), 10), d = `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`; under.push(svg("path", { d, class: "flh" }), svg("path", { d, class: "fl" })); rings.set(f, 1); }
    rings.set(h, 2);
    const die = data.dice[name.slice(1)];
    over.push(star(b[0], b[1], die ? proof.rolls.get(name).faces.slice(0, 5) : name, .72));
    if (die && die[RESULT] && !battles.has(name)) say(h, name + " " + die[RESULT].slice(0, 22));
    battles.add(name);
  }
  for (const sign of step[SIGNS]) {
    const [h, kind, words, colours] = sign;
    if (h < 0) continue;
    if (old(sign, i)) { under.push(signOf(h, kind, words, colours)); continue; }
    rings.set(h, 2);
    if (kind === "lost") {
      over.push(cross(h));
      if (words) say(h, "\u2212" + words + " " + sideName(colours));
    } else say(h, kind + (words ? " " + words : ""));
  }
  const marks = [];
  rings.forEach((v, h) => { if (v > 1) marks.push(svg("path", { d: outline(h), class: "hlh" })); marks.push(svg("path", { d: outline(h), class: "hl" })); });
  $("#marks").replaceChildren(...marks);
  $("#pics").replaceChildren(...under, ...over);
  const trail = [];
  for (let k = i - 1; k >= 0 && trail.length < 120 && (!steps[k] || steps[k][CHAPTER] === step[CHAPTER]); k--)
    if (steps[k]) for (const a of steps[k][ARROWS]) trail.push(...arrow(a, true));
  $("#trail").replaceChildren(...trail);
  lines(i);
}
const fronts = (() => { let set = new Set(); return data.fronts.map(change => { set = new Set(set); for (const b of change) set.delete(b) || set.add(b); return [...set]; }); })();
let linesAt = "";
function lines(i) {
  const [marks, borders, supply] = lasting[i], key = lasting[i].join();
  if (key === linesAt) return;
  linesAt = key;
  const out = [];
  for (const [a, b, colours, kind] of borders < 0 ? [] : fronts[steps[borders][BORDERS]].map(b => data.borders[b])) {
    out.push(border(a, b, colours, kind));
  }
  for (const a of supply < 0 ? [] : steps[supply][SUPPLY]) out.push(...arrow(a, true));
  for (const [h, kind, words, colours] of marks < 0 ? [] : steps[marks][MARKS]) {
    if (h < 0) continue;
    out.push(signOf(h, kind, words, colours));
  }
  $("#lines").replaceChildren(...out);
}

/* --- going to a step ----------------------------------------------------------------------------------- */

let current = -1, address = 0, jumped = false;
const seen = i => i >= 0 && i < steps.length && steps[i];
const next = i => { for (let k = i + 1; k < steps.length; k++) if (steps[k]) return k; return current; };
const before = i => { for (let k = i - 1; k >= 0; k--) if (steps[k]) return k; return current; };
const head = i => [$(".tx", entries[i]).textContent, $(".o", entries[i])?.textContent].filter(Boolean).join(" · ");

function go(i, { force, zoom, silent } = {}) {
  i = Math.max(0, Math.min(steps.length - 1, i));
  if (!seen(i)) i = next(i) !== current ? next(i) : before(i);
  if (i === current && !force) return;
  const old = current, entry = entries[i];
  moveTo(i); current = i; picture(i);
  if (old >= 0) { entries[old].classList.remove("on"); entries[old].removeAttribute("aria-current"); }
  entry.classList.add("on"); entry.setAttribute("aria-current", "step");
  dress(entry); dice(entry);
  const chapter = chapters[steps[i][CHAPTER]];
  $("#where b").textContent = chapter[2];
  $("#where span").textContent = head(i);
  $("#map-t").textContent = `Map, ${chapter[2]}: ${head(i)}`;
  $("#live").textContent = head(i);
  const slider = $("#sl"); slider.value = i; slider.setAttribute("aria-valuetext", `${chapter[2]}: ${head(i)}`);
  $("#ph")?.setAttribute("d", `M${i + .5} 0V40`);
  scroll(entry, Math.abs(i - old) > 12);
  if (!silent) { clearTimeout(address); jumped ||= old >= 0 && Math.abs(i - old) > 12; address = setTimeout(remember, 120); }
  frame(i, zoom);
  if (!$("#stack").hidden && opened >= 0) openStack(opened);
}
/* The address follows the step; a jump is kept, so that Back leads to where one was. */
function remember() {
  const to = "#" + data.ids[current];
  if (to !== location.hash) history[jumped ? "pushState" : "replaceState"](null, "", to);
  jumped = false;
}
function scroll(entry, far) {
  if (log.hidden) return;
  const set = behavior => {
    const a = entry.getBoundingClientRect(), p = log.getBoundingClientRect(), want = a.top - p.top - Math.min(p.height * .24, 110);
    const most = log.scrollHeight - log.clientHeight, to = Math.max(0, Math.min(most, log.scrollTop + want));
    if (Math.abs(to - log.scrollTop) <= 2) return false;
    log.scrollTo({ top: to, behavior });
    return true;
  };
  if (!far && !calm) return set("smooth");
  let times = 60, still = 0;  // the height of a turn is an estimate until it has been shown
  const again = () => {
    if (entry !== entries[current]) return;
    still = set("instant") ? 0 : still + 1;
    if (--times && still < 4) requestAnimationFrame(again);
  };
  again();
}

/* --- the open entry: lines with their hexes and units, and its dice ------------------------------------- */

const units = new Set(data.looks.map(l => l[0]).filter(n => n.length > 1));
const TOKEN = /[^\s,;:()]+/g;
function marked(line) {
  const out = [];
  let at = 0;
  for (const found of line.matchAll(TOKEN)) {
    const word = found[0].replace(/\.$/, ""), isHex = place.has(word), isUnit = !isHex && units.has(word), isCase = /^\[.*\]$/.test(word);
    if (!isHex && !isUnit && !isCase) continue;
    out.push(line.slice(at, found.index), html(isHex ? "i" : isUnit ? "b" : "span", { textContent: word, className: isCase ? "c" : "", title: isCase ? data.cases[word.slice(1, -1)] || "" : "" }));
    at = found.index + word.length;
  }
  out.push(line.slice(at));
  return out;
}
/* The headline is the first line without its roll and its cases: below it only the cases are left to say. */
function dress(entry) {
  if ($(".log", entry)) return;
  const pre = $("pre", entry), box = html("div", { className: "log" }), head = $(".tx", entry);
  const lines = pre.textContent.split("\n");
  if (headline(lines[0]) === head.textContent) {
    for (const [, kase] of lines.shift().matchAll(CASES)) box.append(html("p", { className: "more" }, html("span", { className: "c", textContent: `[${kase}] ${data.cases[kase] || ""}`.trim() })));
    head.replaceChildren(...marked(head.textContent));
  }
  for (const line of lines) {
    const roll = /^R\d+/.exec(line);
    box.append(html("p", { className: roll ? "" : "more" }, ...(roll ? [html("b", { textContent: roll[0] }), " "] : []), ...marked(line.replace(/^R\d+ */, "").trim())));
  }
  pre.hidden = true;
  pre.after(box);
}
/* die: [fell, chances, modifiers, cell, result, set by which ruling]; the rest is in the proof */
const FELL = 0, CHANCES = 1, MODIFIERS = 2, CELL = 3, RESULT = 4, SET_BY = 5;
/* What is thrown; of a draw only from how many. */
const short = what => what.replace(/^(draw \d+ of )(.*)$/, (_, draw, from) => draw + from.split(",").length);
function dice(entry) {
  if ($(".dice", entry)) return;
  const rolls = steps[entry.step][ROLLS];
  if (!rolls.length) return;
  const box = html("div", { className: "dice" });
  for (const roll of rolls) {
    const die = data.dice[roll];
    if (!die) continue;
    const { phase, label, faces } = proof.rolls.get("R" + roll) || { phase: "t0.", label: "|||", faces: "?" };
    const fell = die[FELL], chances = die[CHANCES], modifiers = die[MODIFIERS], cell = die[CELL], [kase, what, about] = label.split("|");
    const ruled = die[SET_BY] ? ` Set by ruling ${die[SET_BY]}.` : /\|ruling (\d+)/.test(label) ? ` Thrown again for ruling ${/\|ruling (\d+)/.exec(label)[1]}.` : "";
    const one = html("div", { className: "die", id: `t${phase.slice(1).split(".")[0]}-d${roll}` });
    one.append(html("p", {}, html("b", { textContent: `R${roll}` }), ` ${short(what)} for ${about}: ${faces.replaceAll(",", ", ")}.${ruled} `, html("span", { className: "c", textContent: `[${kase}] ${data.cases[kase] || ""}` }), " ", html("button", { className: "pv", textContent: `prove R${roll}`, onclick: e => prove(roll, e.target) })));
    if (modifiers.length) {
      const t = html("table");
      let sum = "";
      for (const [of, value, cited, why] of modifiers) {
        if (of !== sum && modifiers.some(m => m[0] !== of)) t.append(html("tr", {}, html("th", { colSpan: 3, scope: "colgroup", textContent: of })));
        sum = of;
        t.append(html("tr", {}, html("td", { className: "num", textContent: (value > 0 ? "+" : "") + String(value).replace("-", "\u2212") }), html("td", { textContent: why }), html("td", { className: "c", textContent: `[${cited}] ${data.cases[cited] || ""}` })));
      }
      one.append(t);
    }
    if (cell) one.append(html("p", { textContent: cell.replaceAll("No table: ", "") }));
    if (chances.length > 1) {
      const total = chances.reduce((s, c) => s + c[1], 0), t = html("table");
      for (const [shows, weight] of chances) t.append(html("tr", { className: shows === fell ? "fell" : "" }, html("th", { scope: "row", textContent: (shows === fell ? "▸ " : "") + shows }), html("td", { className: "num", textContent: (100 * weight / total).toFixed(0) + " %" }), html("td", {}, Object.assign(html("span", { className: "bar2" })))));
      chances.forEach(([, weight], k) => { $$(".bar2", t)[k].style.width = 8 * weight / total + "rem"; });
      one.append(html("details", {}, html("summary", { textContent: "What could have fallen" }), t));
    }
    box.append(one);
  }
  $(".mo", entry).append(box);
}

/* --- proof: the faces computed again from link, event and salts ----------------------------------------- */

const crypt = window.crypto && window.crypto.subtle;
const hexed = b => [...new Uint8Array(b)].map(v => v.toString(16).padStart(2, "0")).join("");
const bytes = h => new Uint8Array(h.match(/../g).map(v => parseInt(v, 16)));
const encode = words => new TextEncoder().encode(words);

/* The lines of the proof: links, salts by phase, rounds of the beacon, rolls. */
const proof = (() => {
  const out = { links: {}, salts: {}, rounds: {}, rolls: new Map(), sealed: [], key: "", lines: $("#proof").textContent.split("\n") };
  for (const line of out.lines) {
    let m;
    if (m = /^link (\S+) (\w+)$/.exec(line)) out.links[m[1]] = m[2];
    else if (m = /^salts (\S+) (.+)$/.exec(line)) out.salts[m[1]] = m[2] === "none" ? [] : m[2].split(" / ");
    else if (m = /^round (\d+) closed \S+ ([0-9a-f]{96})$/.exec(line)) out.rounds[m[1]] = m[2];
    else if (m = /^key (\w+)$/.exec(line)) out.key = m[1];
    else if (m = /^(R\d+|S) (\S+?)\|(.+) = (.+)$/.exec(line)) {
      const roll = { name: m[1], phase: m[2], label: m[3], faces: m[4] };
      if (m[1] === "S") out.sealed.push(roll); else out.rolls.set(m[1], roll);
    }
  }
  return out;
})();
/* The link that decides a roll, as the game has it: that of its turn, or the one that a ruling names. */
function linkOf({ name, phase, label }) {
  if (name === "S") return "opened";
  if (/\|set by ruling \d+$/.test(label)) return null;
  const ruled = /\|ruling \d+ of turn (\d+)$/.exec(label);
  return String(Math.max(1, +(ruled ? ruled[1] : /^t(\d+)\./.exec(phase)[1])));
}
async function again(roll) {
  const { phase, label, faces: shown } = roll, turn = linkOf(roll), round = /\|round (\d+)(?=\||$)/.exec(label);
  const salts = round ? proof.rounds[round[1]] ? [hexed(await crypt.digest("SHA-256", bytes(proof.rounds[round[1]])))] : null : proof.salts[phase] || [];
  const event = [data.game, phase, label, ...salts || []].join("|"), out = { roll: roll.name, shown, event, turn, link: proof.links[turn] };
  if (turn === null) return { ...out, set: true };
  if (!out.link || !salts) return { ...out, sealed: true };
  const key = await crypt.importKey("raw", bytes(out.link), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let block = 0, words = [], word = 0;
  const number = async () => {
    if (!words.length) {
      const d = await crypt.sign("HMAC", key, encode(event + "|" + block++)), view = new DataView(d);
      out.first ||= hexed(d);
      for (let i = 0; i < 32; i += 4) words.push(view.getUint32(i));
    }
    return words.shift();
  };
  const pick = async sides => { const limit = Math.floor(4294967296 / sides) * sides; do word = await number(); while (word >= limit); return word % sides; };
  const dice = label.split("|")[1], fell = [];
  if (dice.startsWith("draw ")) {
    const cut = dice.slice(5).indexOf(" of "), left = dice.slice(5 + cut + 4).split(",");
    for (let i = +dice.slice(5, 5 + cut); i > 0 && left.length; i--) fell.push(left.splice(await pick(left.length), 1)[0]);
  } else {
    const [count, sides] = dice.split(">=")[0].split("@")[0].split("d");
    for (let i = 0; i < (+count || 1); i++) fell.push(1 + await pick(+sides));
  }
  return { ...out, fell: fell.join(), word, dice, ok: fell.join() === shown };
}
/* The first link that does not hash to the one before it; 0 if all do. */
async function broken(turn) {
  const hash = async t => hexed(await crypt.digest("SHA-256", bytes(proof.links[t])));
  if (turn === "opened") return proof.links.sealed === await hash("opened") ? 0 : "opened";
  for (let t = +turn; t > 0; t--) if (proof.links[t - 1] && await hash(t) !== proof.links[t - 1]) return t;
  return 0;
}
/* Whether the lines are signed with the key they name; null where the browser cannot tell. */
async function signed() {
  const lines = proof.lines.filter(l => l.trim()), at = lines.findIndex(l => l.startsWith("signed "));
  if (at < 1) return false;
  const digest = hexed(await crypt.digest("SHA-256", encode(lines.slice(0, at - 1).join("\n"))));
  if (lines[at - 1] !== "text " + digest) return false;
  try {
    const key = await crypt.importKey("raw", bytes(proof.key), { name: "Ed25519" }, false, ["verify"]);
    const signature = Uint8Array.from(atob(lines[at].slice(7)), c => c.charCodeAt(0));
    return await crypt.verify({ name: "Ed25519" }, key, signature, encode("pbem page " + digest));
  } catch { return null; }
}
async function prove(roll, button) {
  const old = button.closest(".die").querySelector(".pf");
  if (old) return old.remove();
  const box = html("div", { className: "pf" });
  button.closest("p").after(box);
  if (!crypt) { box.textContent = "This browser has no WebCrypto for files from disk. pbem dice verify reads this page too."; return; }
  const got = await again(proof.rolls.get("R" + roll));
  if (got.set) {
    const good = await signed();
    if (good !== null) box.classList.add(good ? "ok" : "no");
    box.append(html("b", { className: "v", textContent: good === false ? "✗ The lines of this page are not signed with their key." : `R${roll} was set by a ruling: nothing was thrown.${good ? " ✓ The moderator's server has signed this." : ""}` }));
    return;
  }
  if (got.sealed) { box.append(html("b", { className: "v", textContent: `The link of turn ${got.turn} is opened after that turn.` })); return; }
  const fault = await broken(got.turn), good = got.ok && !fault, list = html("dl");
  const rows = [["event", got.event], [`link of turn ${got.turn}`, got.link], ["HMAC-SHA-256, first block", got.first], ["last number", `${got.word} → ${got.fell}`],
    ["chain", fault ? `link ${fault} does not hash to link ${fault - 1}` : `link ${got.turn}, hashed ${got.turn} times, is link 0 of the first letter`]];
  for (const [name, value] of rows) list.append(html("dt", { textContent: name }), html("dd", {}, html("code", { textContent: value })));
  box.classList.add(good ? "ok" : "no");
  box.append(html("b", { className: "v", textContent: good ? `✓ R${roll} is ${got.shown}, and could be nothing else` : `✗ the log says ${got.shown}, the dice fell ${got.fell}` }), list);
}
$("#all").onclick = async () => {
  const out = $("#allout"), t0 = performance.now(), bad = [];
  if (!crypt) { out.textContent = "This browser has no WebCrypto for files from disk."; return; }
  let n = 0, set = 0, sealed = 0;
  for (const roll of [...proof.rolls.values(), ...proof.sealed]) {
    const got = await again(roll);
    if (got.set) set++; else if (got.sealed) sealed++;
    else { n++; if (!got.ok) bad.push(`${roll.name}: the log says ${got.shown}, the dice fell ${got.fell}`); }
  }
  const known = Object.keys(proof.links).filter(k => /^\d+$/.test(k)).map(Number), good = await signed();
  const fault = (known.length && await broken(Math.max(...known))) || (proof.links.opened && await broken("opened")) || 0;
  const wrong = bad.length || fault || good === false;
  out.className = "pf " + (wrong ? "no" : "ok");
  const more = [set && `${set} set by rulings`, sealed && `${sealed} of turns whose link is not open yet`].filter(Boolean).join(", ");
  out.replaceChildren(html("b", { className: "v", textContent: wrong ? `✗ ${bad.length} of ${n} dice are wrong${fault ? `; the chain is broken at link ${fault}` : ""}${good === false ? "; the lines are not signed with their key" : ""}` : `✓ ${n} of ${n} dice computed again, ${Math.max(0, known.length - 1)} links unbroken${good ? ", signature right" : ""}` }), html("p", { textContent: [bad.join("; "), more, `${Math.round(performance.now() - t0)} ms, on this device, from this file alone.`].filter(Boolean).join(" · ") }));
};

/* --- keys and buttons ------------------------------------------------------------------------------------- */

function key(k) {
  const chapter = steps[current] ? steps[current][CHAPTER] : 0, first = i => { for (let k = i; k < steps.length; k++) if (steps[k]) return k; return before(steps.length); };
  switch (k) {
    case "ArrowRight": go(next(current)); break;
    case "ArrowLeft": go(before(current)); break;
    case "ArrowDown": { const c = chapters.find((c, n) => n > chapter && c[0] > current); go(first(c ? c[0] : steps.length - 1)); break; }
    case "ArrowUp": { const here = first(chapters[chapter][0]); if (current > here) go(here); else { const c = chapters.slice(0, chapter).reverse().find(c => first(c[0]) < current); go(first(c ? c[0] : 0)); } break; }
    case "PageDown": { const t = turnStarts.find(t => t[0] > current); go(first(t ? t[0] : steps.length - 1)); break; }
    case "PageUp": { const t = [...turnStarts].reverse().find(t => first(t[0]) < current); go(first(t ? t[0] : 0)); break; }
    case "Home": case "g": go(first(0)); break;
    case "End": case "G": go(before(steps.length)); break;
    case "]": go(fights.find(i => i > current) ?? current); break;
    case "[": go([...fights].reverse().find(i => i < current) ?? current); break;
    case " ": play(); break;
    case "+": case "=": zoom(.75); break;
    case "-": zoom(1 / .75); break;
    case "0": wholeMap(); break;
    case "/": tab(tabs[0]); $("#q").focus(); break;
    case "n": hit(1); break;
    case "N": hit(-1); break;
    case "f": $("#kind").value = $("#kind").value ? "" : "f"; search(); break;
    case "d": $$(".pv", entries[current]).forEach(b => b.click()); break;
    case "c": copy(); break;
    case "?": $("#help").showModal(); break;
    case "Escape": closeStack(); break;
    default: return false;
  }
  return true;
}
let timer = 0;
function play(on = !timer) {
  clearTimeout(timer); timer = 0;
  const button = $('[data-go=" "]');
  button.classList.toggle("going", on); button.setAttribute("aria-pressed", on);
  if (!on) return;
  const tick = () => {
    const to = next(current);
    if (to === current) return play(false);
    go(to);
    timer = setTimeout(tick, steps[to][KIND] === "f" ? 2200 : 850);
  };
  timer = setTimeout(tick, 60);
}
document.addEventListener("keydown", e => {
  if (e.target.matches("input[type=search]")) {
    if (e.key === "Escape") { e.target.value = ""; search(); e.target.blur(); } else if (e.key === "Enter") { hit(1); e.target.blur(); }
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || $("#help").open || e.target.matches("select")) return;
  /* A button in help that has just been closed keeps the focus until the page is drawn. */
  if (e.key === " " && e.target.matches("button, summary, a") && e.target.getClientRects().length) return;
  if (e.key === "Enter") return;
  if (e.target.matches("[role=tab]") && /Arrow(Left|Right)/.test(e.key)) return;
  if (e.target.matches(".pg") && e.target !== log && /Arrow|Page/.test(e.key)) return;
  if (key(e.key)) e.preventDefault();
});
$$("[data-go]").forEach(b => b.onclick = () => { if (b.dataset.go !== " ") play(false); key(b.dataset.go); });
$("#sl").oninput = e => { play(false); go(+e.target.value); };
$("#sl").onkeydown = e => { if (/^(Arrow|Page|Home|End)/.test(e.key)) e.preventDefault(); };
$("#reader")?.addEventListener("change", e => { const keep = current; current = -1; entries.forEach(x => x.classList.remove("on")); readAs(+e.target.value); linesAt = ""; search(); go(keep, { force: true }); timeline(); });

/* --- the map, the stack panel --------------------------------------------------------------------------------- */

const home = () => frame(current, true);
let tapped = 0;
function onTap(h) {
  const t = performance.now();
  if (t - tapped < 300) { tapped = 0; wholeMap(); return; }
  tapped = t;
  h >= 0 && stacks.get(h)?.length ? openStack(h) : closeStack();
}
let opened = -1;
function openStack(h) {
  opened = h;
  const there = stacks.get(h) || [], panel = $("#stack");
  $("h2", panel).textContent = `${HEX[h]} · ${ground(h)} · ${there.length === 1 ? "1 counter" : there.length + " counters"}`;
  $("tbody", panel).replaceChildren(...there.map(n => {
    const picture = svg("svg", { viewBox: "-22 -22 44 44", "aria-hidden": "true" }, svg("use", { href: "#k" + (n >> 4) }));
    return html("tr", {}, html("td", {}, picture), html("td", {}, html("b", { textContent: named(n) }), html("small", { textContent: [belongs(n), face(n)[3]].filter(Boolean).join(" · ") })), html("td", { textContent: face(n)[2] || "?" }), html("td", { textContent: state(n) || "ready" }));
  }));
  if (!there.length) $("tbody", panel).append(html("tr", {}, html("td", { colSpan: 4, textContent: "nobody now" })));
  panel.hidden = false;
  flash([h]);
}
function closeStack() { $("#stack").hidden = true; opened = -1; flash([]); $("#tip").hidden = true; }
$("#stack .cl").onclick = closeStack;
const whereIs = name => { for (const [h, there] of stacks) if (there.some(n => face(n)[0] === name)) return h; return -1; };

/* --- the log -------------------------------------------------------------------------------------------------------- */

log.addEventListener("click", e => {
  const t = e.target, entry = t.closest(".e");
  if (!entry) return;
  const open = entry.classList.contains("on");
  if (open && t.tagName === "I") { const h = place.get(t.textContent); flash([h]); fly({ ...camera, x: X[h], y: Y[h] }); return; }
  if (open && t.tagName === "B" && t.closest(".log, .tx")) {
    const b = board.getBoundingClientRect(), h = whereIs(t.textContent);
    if (h >= 0) { openStack(h); fly({ ...camera, x: X[h], y: Y[h] }); } else if (units.has(t.textContent)) tip(`${t.textContent}: not on the map now`, b.left + 20, b.bottom - 60);
    return;
  }
  if (t.closest(".hd")) { e.preventDefault(); play(false); go(entry.step); }
});
let touch = null;
$(".panel").addEventListener("touchstart", e => touch = [e.touches[0].clientX, e.touches[0].clientY], { passive: true });
$(".panel").addEventListener("touchend", e => {
  const t = e.changedTouches[0], dx = t.clientX - touch[0], dy = t.clientY - touch[1];
  if (Math.abs(dx) > 70 && Math.abs(dy) < 40) go(dx < 0 ? next(current) : before(current));
}, { passive: true });

let hits = [];
function search() {
  const words = $("#q").value.trim().toLowerCase(), kind = $("#kind").value, on = words || kind;
  const roll = /^r(\d+)$/.exec(words), at = roll ? stepOfRoll.get(+roll[1]) : undefined;
  hits = [];
  log.classList.toggle("flt", !!on);
  entries.forEach((entry, i) => {
    const step = steps[i], found = on && step && (!kind || step[KIND] === kind) && (!words || (roll ? i === at : entry.textContent.toLowerCase().includes(words)));
    entry.classList.toggle("hit", !!found);
    if (found) hits.push(i);
  });
  $("#found").hidden = !on;
  $("#found span").textContent = !on ? "" : !hits.length ? "Nothing found" : `${hits.length} ${hits.length === 1 ? "step" : "steps"} found`;
  $$("#found button").forEach(b => b.disabled = !hits.length);
  if (current >= 0) scroll(entries[current], true);
}
function hit(way) {
  if (!hits.length) return;
  go(way > 0 ? hits.find(i => i > current) ?? hits[0] : [...hits].reverse().find(i => i < current) ?? hits[hits.length - 1]);
}
$("#q").oninput = search;
$$("[data-hit]").forEach(b => b.onclick = () => hit(+b.dataset.hit));
$("#kind").onchange = search;

/* --- tabs, timeline, address, start ------------------------------------------------------------------------------------ */

function onTab(at) {
  $(".fi").style.visibility = at ? "hidden" : "";
  $("#found").hidden = at || !log.classList.contains("flt");
  if (!at && current >= 0) scroll(entries[current], true);
}
function timeline() {
  const line = $("#tl"), n = steps.length, high = 40, out = [], labels = [];
  line.setAttribute("viewBox", `0 0 ${n} ${high}`);
  turnStarts.forEach(([at, turn], i) => {
    const end = turnStarts[i + 1] ? turnStarts[i + 1][0] : n;
    out.push(svg("rect", { x: at, y: 0, width: end - at, height: high, fill: i % 2 ? "var(--line)" : "var(--soft)" }));
    const name = html("span", { textContent: turn });
    name.style.left = 100 * at / n + "%"; name.style.width = 100 * (end - at) / n + "%";
    labels.push(name);
  });
  const lost = {}, series = [];
  steps.forEach((step, i) => {
    if (!step) return;
    if (step[KIND] === "f") out.push(svg("path", { d: `M${i} ${high}v-9`, stroke: "var(--m-burst)", "stroke-width": 1.3, "vector-effect": "non-scaling-stroke" }));
    for (const [, kind, words, colours] of step[SIGNS]) if (kind === "lost") { const side = sideOf(colours); (lost[side] ||= []).push([i, +words || 1]); }
  });
  const most = Math.max(1, ...Object.values(lost).map(l => l.reduce((s, x) => s + x[1], 0)));
  for (const side in lost) {
    let d = `M0 ${high - 11}`, sum = 0;
    for (const [i, by] of lost[side]) { sum += by; d += `H${i}V${(high - 11 - sum / most * (high - 15)).toFixed(1)}`; }
    series.push(svg("path", { d: d + `H${n}`, fill: "none", stroke: `var(--s-${side})`, "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
  }
  out.push(...series, svg("path", { id: "ph", d: `M${current + .5} 0V40`, stroke: "var(--curl)", "stroke-width": 3, "vector-effect": "non-scaling-stroke" }));
  line.replaceChildren(...out);
  $("#tlt").replaceChildren(...labels);
}
function copy() {
  const to = location.href.split("#")[0] + "#" + data.ids[current] + "~" + camera.k.toFixed(2), b = board.getBoundingClientRect();
  navigator.clipboard?.writeText(to).catch(() => {});
  tip("Address copied: #" + to.split("#")[1], b.left + 10, b.bottom - 50);
}
$("#bt-help").onclick = () => $("#help").showModal();

/* Go where the address says: #t5-r258, #t1-m19, #t1-p6, #t5; ~0.64 behind it is the zoom. */
function follow() {
  const [id, k] = decodeURIComponent(location.hash.slice(1)).split("~"), roll = /-r(\d+)$/.exec(id);
  let entry = id && document.getElementById(id);
  if (entry && !entry.matches(".e")) entry = entry.closest(".e") || $(".e", entry);
  const at = entry ? entry.step : roll ? stepOfRoll.get(+roll[1]) : undefined;
  if (at === undefined) return false;
  whole = false; clearTimeout(address); jumped = false;
  go(at, { zoom: true, force: true, silent: true });
  if (+k) { reading = +k; frame(at, true); }
  return true;
}
tab(tabs[0]);
readAs(0);
if (steps.length) { follow() || go(0, { zoom: true, silent: true }); timeline(); }
addEventListener("hashchange", () => location.hash ? follow() : go(next(-1), { zoom: true, force: true, silent: true }));
window.replay = { data, go, steps: () => steps, stacks: () => stacks, current: () => current, proof, again, broken, signed, opened: performance.now() - started };
