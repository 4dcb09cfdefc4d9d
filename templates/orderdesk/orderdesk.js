/* The script of an order desk: taps on the map become lines of a letter. It knows no rule: what may be ordered stands
   in the JSON beside it, and the reply to the letter judges. templates/web/map.js stands above it. */

const parts = data.parts, units = data.units;                      // unit: [id, what its counter shows, hex, name]
const VERB = 0, USAGE = 1, EXAMPLE = 2, HELP = 3, CASE = 4, SORT = 5, AGAIN = 6, EXCLUDES = 7, BARS = 8;
const none = 4095, side = data.sides[0];

/* --- names --------------------------------------------------------------------------------------------- */

const idOf = u => typeof u === "number" ? units[u][0] : u;
const home_ = u => typeof u === "number" ? units[u][2] : -1;      // where a unit stands now
const where = h => h < 0 ? "off the map" : HEX[h] + (data.names[h] ? " " + data.names[h] : "");
const verbOf = v => data.verbs[v] || ["", "", "", "", "", "", "", [], []];
const isAttack = v => verbOf(v)[SORT] === "attack";
const words = (...all) => all.filter(Boolean).join(" · ");
const count = (n, what, several = what + "s") => `${n} ${n === 1 ? what : several}`;

/* --- what may be ordered: groups of orders that differ in one hex ------------------------------------------ */

const hexesOf = g => g.hexes ||= g.h === undefined ? [-1] : unpacked(data.sets[g.h]).map(h => h === none ? -1 : h);
const each = (g, key) => g["_" + key] ||= typeof g[key] === "string" ? unpacked(g[key]) : hexesOf(g).map(() => g[key] || 0);
const figure = (g, key, k) => g[key] === undefined ? "" : data.figures[each(g, key)[k]];

/* The way to the hex of a choice: the hex before, whose way is the rest, or what the page has whole. */
function wayOf(g, k) {
  if (!g.p) return [];
  const hexes = hexesOf(g), before = each(g, "p"), way = [];
  let h = hexes[k];
  for (let n = 0; n < 80 && h >= 0; n++) {
    const odd = g.q && g.q[h], at = hexes.indexOf(h);
    if (odd) {
      const rest = unpacked(odd);
      way.unshift(...rest.slice(1));
      h = rest[0];
      if (hexes.indexOf(h) < 0) { way.unshift(h); break; }
      continue;
    }
    way.unshift(h);
    if (at < 0 || before[at] === none) break;
    h = before[at];
  }
  return way;
}
/* One choice of a group, as the letter has it. */
function choice(p, g, k) {
  const [cost, of = ""] = figure(g, "c", k).split("|"), end = hexesOf(g)[k], id = end < 0 ? "" : HEX[end];
  const told = g.w === undefined ? [] : data.says[each(g, "w")[k]].map(n => data.told[n].replaceAll("•", id).replaceAll("°", g.u.length === 1 ? idOf(g.u[0]) : "°"));
  return { p, v: g.v, units: g.u, s: g.s, end, text: g.t.replace("•", id), told, cost, of, column: figure(g, "o", k), group: g, k };
}
/* The line that heads the others of a section, as it is written or kept now; it decides what may be ordered. */
function headOf(p) {
  const heads = parts[p]?.heads;
  if (!heads) return null;
  const said = [...keptOf(p).filter(l => !l.gone).map(l => l.text), ...lines.filter(l => l.p === p).map(l => l.text)];
  return [...said].reverse().map(text => heads.find(head => head.text === text)).find(Boolean) || null;
}
const groupsOf = p => [...(headOf(p)?.groups || []), ...(parts[p]?.groups || [])].map(n => data.groups[n]);
const leftOf = p => (headOf(p) || parts[p])?.left || [];
const isHead = l => parts[l.p]?.heads?.some(head => head.text === l.text);
const choicesOf = (p, g) => hexesOf(g).map((_, k) => choice(p, g, k));

/* --- the letter ----------------------------------------------------------------------------------------------- */

/* A line: {p, v, units, end, text, way, at: "L9", how: "in" | "after"}; the last two where a kept line is concerned. */
let lines = [], done = {}, answers = {}, gone = [], sequence = {}, standing = "", press = "", past = [];
const kept = data.kept.map(([name, section, text, state, why, verb, units, targets, end]) => ({ name, text, state, why, verb, units, targets, end, p: parts.findIndex(part => part.key === section) }));
for (const line of kept) Object.defineProperty(line, "gone", { get: () => gone.includes(line.name) || lines.some(l => l.how === "in" && l.at === line.name) });
/* The kept lines of a section in the order of play, as it is wanted. */
const keptOf = p => (sequence[p] || kept.filter(l => l.p === p).map(l => l.name)).map(name => kept.find(l => l.name === name));
const stateKey = "pbem desk " + data.edition;
const saved = () => JSON.stringify({ lines, done, answers, gone, sequence, standing, press });
function restore(text) { ({ lines, done, answers, gone, sequence, standing, press } = JSON.parse(text)); }
function keep() { try { localStorage.setItem(stateKey, saved()); } catch { /* a file from disk may have no storage */ } }
try { const old = localStorage.getItem(stateKey); if (old) restore(old); } catch { /* nothing kept */ }
/* Change the letter by `how`, so that it can be undone. */
function change(how) {
  past.push(saved()); if (past.length > 60) past.shift();
  how(); plan = null; keep(); refresh();
}
function undo() { if (!past.length) return say("Nothing to undo"); restore(past.pop()); plan = null; keep(); refresh(); say("Undone"); }

const sameUnits = (a, b) => a.length > 0 && a.length === b.length && a.every(u => b.includes(u));
const shares = (a, b) => a.some(u => b.includes(u));
/* The lines that will stand: kept ones and those written here. */
const standingLines = p => [...keptOf(p).filter(l => !l.gone), ...lines.filter(l => l.p === p)];
const kindOf = l => l.verb !== undefined && l.v === undefined ? data.verbs.findIndex(v => v[VERB] === l.verb) : l.v;
/* Whether a new line takes the place of an old one: both are about the same, and cannot stand together. */
function clashes(old, fresh) {
  const a = kindOf(old), b = fresh.v;
  if (a < 0 || b < 0) return false;
  const sameHex = old.targets?.length ? old.targets.includes(fresh.end) : old.end === fresh.end;
  if (isAttack(a) && isAttack(b) && sameHex && fresh.units.length) return shares(old.units, fresh.units);
  const same = typeof fresh.s === "number" ? concerns(old, fresh.s) : fresh.units.length ? sameUnits(old.units, fresh.units) : !old.units.length && (fresh.end < 0 || sameHex) && (old.s === undefined || old.s === fresh.s);
  return same && (a === b ? verbOf(b)[AGAIN] !== "" : verbOf(b)[EXCLUDES].includes(verbOf(a)[VERB]));
}
/* Whether one line can no more stand behind another, for a rule about the whole section. */
const bars = (first, then) => verbOf(kindOf(first))[BARS].includes(verbOf(kindOf(then))[VERB]);
/* The line beside which another cannot stand, wherever it is put; undefined where there is none. */
const barring = o => parts[o.p].verbs.some(v => verbOf(v)[BARS].length) && standingLines(o.p).find(l => l.v !== -1 && bars(l, o) && bars(o, l) && !clashes(l, o));
/* The text of a line without one of its units, or "" where that cannot be written. */
function without(text, id) {
  const sign = id.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), cut = new RegExp(`(?<!\\S)${sign}\\s*[,+]\\s*|\\s*[,+]\\s*${sign}(?![\\w/])`);
  return cut.test(text) ? text.replace(cut, "") : "";
}
/* Write a line. What it cannot stand beside gives way; no kept line is ever replaced without its name. */
function write(fresh, { go_on = false } = {}) {
  change(() => {
    const p = fresh.p, told = [];
    const old = lines.filter(l => l.p === p && !go_on && clashes(l, fresh));
    const at = old.length ? lines.indexOf(old[0]) : -1;
    if (old.length) { fresh.at ||= old[0].at; fresh.how ||= old[0].how; told.push(...old.map(l => l.text)); }
    lines = lines.filter(l => !old.includes(l));
    for (const l of keptOf(p).filter(l => !l.gone)) {
      if (fresh.how === "in") break;
      if (!go_on && clashes(l, fresh)) { fresh.at = l.name; fresh.how = "in"; told.push(`${l.name} ${l.text}`); }
      else if (kindOf(l) === fresh.v && shares(l.units, fresh.units) || l.state === "faulty" && (shares(l.units, fresh.units) || l.targets.includes(fresh.end))) { fresh.at = l.name; fresh.how = "after"; }
    }
    if (!go_on && !isAttack(fresh.v) && verbOf(fresh.v)[AGAIN] === "instead") for (const l of standingLines(p)) {
      const both = l.units.filter(u => fresh.units.includes(u));
      if (!both.length || kindOf(l) !== fresh.v || l.units.length === both.length) continue;
      const text = both.reduce((text, u) => text && without(text, idOf(u)), l.text), rest = l.units.filter(u => !both.includes(u));
      if (!text) continue;
      told.push(`now ${text}`);
      if (l.name) lines.push({ p, v: kindOf(l), units: rest, end: l.end, text, way: [], at: l.name, how: "in" });
      else Object.assign(l, { text, units: rest });
    }
    const behind = lines.findIndex(l => l.p === p && bars(l, fresh) && !bars(fresh, l)), barred = barring(fresh);
    lines.splice(at >= 0 ? Math.min(at, lines.length) : behind >= 0 ? behind : lines.length, 0, fresh);
    delete done[p];
    if (barred) say(`${fresh.text}: cannot stand beside ${barred.text}; remove one of them`); else say(told.length ? `${fresh.text} (instead of: ${told.join("; ")})` : fresh.text);
  });
}
const head = l => l.how === "in" ? `${l.at}: ` : l.how === "after" ? `after ${l.at}: ` : "";
/* Kept lines in another order: who has to move stands behind the one before him. */
function moves(p) {
  const old = kept.filter(l => l.p === p).map(l => l.name), wanted = keptOf(p).map(l => l.name), out = [];
  const now = [...old];
  for (let i = 1; i < wanted.length; i++) {
    if (now.indexOf(wanted[i]) === now.indexOf(wanted[i - 1]) + 1) continue;
    now.splice(now.indexOf(wanted[i]), 1);
    now.splice(now.indexOf(wanted[i - 1]) + 1, 0, wanted[i]);
    out.push(`after ${wanted[i - 1]}: ${wanted[i]}`);
  }
  return out;
}
/* The letter, "" as long as it says nothing. `first` stands above its lines. */
function letter(first) {
  const out = [], replies = data.questions.filter(q => answers[q[0]] && answers[q[0]] !== q[5]);
  out.push(...replies.map(q => `${q[0]}: ${answers[q[0]]}`));
  if (replies.length) out.push("");
  if (standing.trim()) out.push(...standing.trim().split("\n"), "");
  parts.forEach((part, p) => {
    const mine = lines.filter(l => l.p === p), off = kept.filter(l => l.p === p && gone.includes(l.name)), shifted = moves(p);
    if (!mine.length && !off.length && !shifted.length && !done[p]) return;
    out.push(`[turn ${data.turn} ${part.key}]`);
    if (off.length) out.push(`withdraw ${off.map(l => l.name).join(", ")}`);
    out.push(...shifted, ...mine.map(l => head(l) + l.text));
    if (done[p]) out.push(done[p]);
    out.push("");
  });
  if (press.trim()) out.push(...press.trim().split("\n"), "");
  const said = out.join("\n").trim();
  return said && [data.beside, first, said].filter(Boolean).join("\n\n") + "\n";
}
const mailto = body => `mailto:${data.to.replaceAll("+", "%2B")}?subject=${encodeURIComponent(data.subject)}` + (body ? `&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}` : "");
const MOST = 1900;                                                 // longer links are cut off by some mail programs
let saying = 0;
function say(text) { $("#say").textContent = text; clearTimeout(saying); saying = setTimeout(() => { $("#say").textContent = ""; }, 9000); }

/* --- the map: counters, plans, offers ----------------------------------------------------------------------------- */

const facing = new Map();                                          // unit: its counter
for (const [h, ...there] of data.stacks) {
  stacks.set(h, there.filter((_, i) => i % 2 === 0));
  for (let i = 0; i < there.length; i += 2) if (there[i + 1] >= 0) facing.set(there[i + 1], there[i]);
}
const mineAt = h => units.map((_, u) => u).filter(u => planned(u) === h);
const enemyAt = h => (stacks.get(h) || []).length > 0 && !units.some(u => u[2] === h);
/* The plan of a section, worked out once after each change: where every unit stands if the lines are carried out, and
   how many stacking points come to each hex. */
let plan = null;
function planNow() {
  if (plan) return plan;
  const at = units.map(u => u[2]), come = new Map();
  for (const l of standingLines(part)) if (l.end >= 0 && !isAttack(kindOf(l))) for (const u of l.units) if (typeof u === "number") at[u] = l.end;
  const add = (h, n) => h >= 0 && come.set(h, (come.get(h) || 0) + n);
  units.forEach((u, n) => { if (at[n] !== u[2]) { add(u[2], -sizeOf(n)); add(at[n], sizeOf(n)); } });
  return plan = { at, come };
}
const planned = u => typeof u === "number" ? planNow().at[u] : -1;
let part = Math.max(0, parts.findIndex(p => p.asked)), chosen = [], hex = -1, stacked = false, leg = null;
/* Whether a line is about a unit, be it that the unit acts or that the line is about it, such as a headquarters. */
const concerns = (l, u) => l.units.includes(u) || l.s === u || (l.name !== undefined && l.text.split(/[\s,;:+]+/).includes(idOf(u)));
const ordered = (u, p = part) => standingLines(p).some(l => !isHead(l) && concerns(l, u));
const toDo = p => leftOf(p).filter(u => typeof u === "number" && !ordered(u, p));
/* Hexes about which something can be ordered, such as targets, and no line is yet. */
const targets = p => leftOf(p).filter(u => place.has(u) && !standingLines(p).some(l => l.end === place.get(u) || (l.targets || []).includes(place.get(u)))).map(u => place.get(u));
const noLimit = -1000;
const sizeOf = u => (parts[part].sizes || {})[u] ?? 1;
/* How many stacking points a hex has left if the lines are carried out; null where nothing limits it. */
function roomAt(h) {
  if (!parts[part]?.room) return null;
  const [usual, others] = parts[part].room, rooms = parts[part].rooms ||= new Map(Object.entries(others).flatMap(([left, signs]) => unpacked(signs).map(h => [h, +left])));
  const now = rooms.get(h) ?? usual;
  if (now === noLimit) return null;
  return now - (planNow().come.get(h) || 0);
}
const full = o => { const left = o.end < 0 || isAttack(o.v) || !o.units.length ? null : roomAt(o.end); return left !== null && o.units.every(u => planned(u) !== o.end) && left < o.units.reduce((sum, u) => sum + sizeOf(u), 0); };

/* The choices for what is chosen: units, or else a hex. */
function offers() {
  const groups = groupsOf(part);
  if (!chosen.length) return hex < 0 ? [] : groups.flatMap(g => g.u.length > 1 && !isAttack(g.v) && g.s !== HEX[hex] ? [] : choicesOf(part, g).filter(o => o.end === hex || g.s === HEX[hex]));
  const [first] = chosen;
  const found = groups.filter(g => chosen.length === 1 && g.s === chosen[0] || chosen.every(u => g.u.includes(u)) && (g.u.length === chosen.length || isAttack(g.v) || (stacked && chosen.length === 1))).flatMap(g => choicesOf(part, g));
  if (chosen.length > 1) found.push(...together(groups));
  return [...new Map(found.map(o => [o.text, o])).values()];
}
/* Units ordered in one line: what each of them may do alone. */
function together(groups) {
  const alone = u => new Map(groups.filter(g => g.u.length === 1 && g.u[0] === u && /<units>/.test(verbOf(g.v)[USAGE]) && g.t.includes(idOf(u))).map(g => [g.v + g.t.replace(idOf(u), "°"), g]));
  const each = chosen.map(alone), out = [];
  for (const [key, g] of each[0]) {
    const all = each.map(m => m.get(key));
    if (!all.every(Boolean)) continue;
    hexesOf(g).forEach((h, k) => {
      const at = all.map(x => hexesOf(x).indexOf(h));
      if (at.some(i => i < 0)) return;
      const o = choice(part, g, k), costs = all.map((x, i) => figure(x, "c", at[i]).split("|")[0]);
      out.push({ ...o, units: [...chosen], text: g.t.replace(idOf(chosen[0]), chosen.map(idOf).join(", ")).replace("•", h < 0 ? "" : HEX[h]), cost: costs.reduce((a, b) => value(b) > value(a) ? b : a, ""), told: [...new Set(all.flatMap((x, i) => choice(part, x, at[i]).told))] });
    });
  }
  return out;
}
/* 2 1/2 as a number. */
const value = cost => cost.split(" ").reduce((sum, part) => { const [a, b] = part.split("/"); return sum + (b ? a / b : +a || 0); }, 0);

function counterAt(u, h, ghost) {
  const n = facing.get(u) ?? -1, g = svg("g", { class: ghost ? "ghost" : "", transform: `translate(${X[h] + 3} ${Y[h] - 3})` });
  if (n >= 0) g.append(svg("g", { style: "transform:scale(var(--us))" }, svg("use", { href: "#k" + (n >> 4) })));
  else g.append(svg("g", { style: "transform:scale(var(--us))" }, svg("rect", { x: -20, y: -20, width: 40, height: 40, rx: 4, class: "pl plan" }), text("text", { class: "planned", y: -2 }, idOf(u).slice(0, 9)), text("text", { class: "planned", y: 12 }, typeof u === "number" ? units[u][1] : "")));
  return g;
}
const square = (h, kind) => svg("rect", { class: kind, x: X[h] - 16, y: Y[h] - 16, width: 32, height: 32, rx: 5 });
function drawPlan() {
  const out = [], frames = [], seen = new Map();
  for (const u of leftOf(part)) if (typeof u === "number" && units[u][2] >= 0) seen.set(units[u][2], (seen.get(units[u][2]) || !ordered(u)));
  for (const [h, open] of seen) frames.push(square(h, open ? "todo" : "has"));
  for (const h of targets(part)) frames.push(square(h, "todo at"));
  for (const l of standingLines(part)) {
    if (l.end < 0) continue;
    const attack = isAttack(kindOf(l)), starts = [...new Set(l.units.map(u => attack ? planned(u) : home_(u)).filter(h => h >= 0 && h !== l.end))];
    const way = l.way && l.way.length > 1 ? [l.way] : starts.map(h => [h, l.end]);
    for (const path of way) out.push(...arrow([0, side, ...path]).map(a => { if (attack) a.classList.add("at"); return a; }));
    if (!attack) l.units.filter(u => planned(u) === l.end && home_(u) !== l.end).slice(0, 3).forEach(u => out.push(counterAt(u, l.end, true)));
  }
  $("#pics").replaceChildren(...out);
  $("#marks").replaceChildren(...frames);
  drawOffers();
}
function drawOffers() {
  const out = [], best = new Map();
  if (leg) out.push(svg("path", { class: "pick", d: outline(leg.from) }));
  for (const o of leg || !chosen.length ? [] : offers()) if (o.end >= 0) { const old = best.get(o.end); if (!old || isAttack(o.v) && !isAttack(old.v)) best.set(o.end, o); }
  for (const [h, o] of best) {
    const attack = isAttack(o.v) || enemyAt(h);
    out.push(svg("path", { class: (attack ? "off at" : "off") + (full(o) || barring(o) ? " full" : ""), d: outline(h, R * .93) }));
    const label = isAttack(o.v) ? o.column : o.cost;
    if (label) out.push(svg("g", { transform: `translate(${X[h]} ${Y[h] + (stacks.get(h)?.length ? 15 : 4)})` }, text("text", { class: "price" }, label)));
  }
  const at = chosen.length ? home_(chosen[0]) : hex;
  for (const h of new Set([at, hex])) if (h >= 0) out.push(svg("path", { class: "pick", d: outline(h, R * .98) }));
  $("#offers").replaceChildren(...out.filter(e => e.tagName === "path"));
  $("#prices").replaceChildren(...out.filter(e => e.tagName === "g"));
}
function onTap(h) {
  if (h < 0) return;
  if (leg) return goOn(h);
  const here = offers().filter(o => o.end === h), mine = mineAt(h).concat(units.map((_, u) => u).filter(u => units[u][2] === h && planned(u) !== h));
  if (chosen.length && here.length === 1 && !mine.length) return pick(here[0]);
  if (chosen.length && here.length) { hex = h; return show(0); }
  hex = h;
  chosen = mine.length ? [mine[(mine.indexOf(chosen[0]) + 1) % mine.length]] : [];
  show(0);
}
function pick(o) {
  const units = [...o.units];
  write({ p: o.p, v: o.v, units, s: o.s, end: o.end, text: o.text, way: units.length === 1 ? wayOf(o.group, o.k) : [] });
  const next = toDo(part).find(u => home_(u) >= 0 && home_(u) === home_(units[0])) ?? (home_(units[0]) < 0 ? toDo(part).find(u => home_(u) < 0) : undefined);
  choose(next === undefined ? [] : [next]);
}
/* A further leg: from where the line before ended, to a hex that nothing here can judge. */
function goOn(h) {
  const l = leg.line; leg = null;
  write({ p: l.p, v: l.v, units: [...l.units], end: h, text: l.text.replace(HEX[l.end], HEX[h]), way: [l.end, h] }, { go_on: true });
  say(`${HEX[h]}: a further leg. The reply says what it costs.`);
  choose([]);
}
function choose(who, at = -1) { chosen = who; hex = at; leg = null; show(0); }
function goTo(h) { if (h >= 0) fly({ ...camera, x: X[h], y: Y[h], k: Math.min(camera.k, .9) }); }

/* --- panes ----------------------------------------------------------------------------------------------------------- */

const button = (label, onclick, more = {}) => { const b = html("button", { onclick, type: "button" }); b.append(...[label].flat()); for (const [k, v] of Object.entries(more)) k in b && k !== "form" ? b[k] = v : b.setAttribute(k, v); return b; };
const small = text => html("p", { className: "m", textContent: text });
const heading = (text, level = 3) => html("h" + level, { textContent: text });
/* Show a tab; who was in a pane that is drawn anew finds himself at its heading. */
function show(at) { tab(tabs[at]); }
function onTab(at) {
  const pane = [$("#p-unit"), $("#p-left"), $("#p-letter")][at], inside = document.activeElement?.closest(".pg"), keepAt = inside === pane ? pane.scrollTop : 0;
  pane.replaceChildren(...[unitPane, leftPane, letterPane][at]().filter(Boolean));
  pane.scrollTop = at === 0 ? 0 : keepAt;
  if (inside) atHeading(pane);
  drawPlan();
}
/* Who works with keys goes on at the heading of what has just been shown. */
function atHeading(pane = $(".pg:not([hidden])")) { const to = $("h2", pane); if (to) { to.tabIndex = -1; to.focus({ preventScroll: true }); } }
function refresh() {
  tabs[1].textContent = `To do (${parts[part] ? toDo(part).length + targets(part).length : 0})`;
  tabs[2].textContent = `Letter (${lines.length + gone.length + Object.keys(answers).length})`;
  onTab(tabs.findIndex(t => t.getAttribute("aria-selected") === "true"));
}
function offerButton(o) {
  const b = button([html("b", { textContent: o.end >= 0 && chosen.length ? where(o.end) : o.text })], () => pick(o), { className: isAttack(o.v) || enemyAt(o.end) ? "at" : "" });
  const verb = verbOf(o.v)[VERB];
  const about = words(o.end >= 0 && verb !== "move" && chosen.length ? verb : "", o.cost ? `${o.cost}${o.of ? " of " + o.of : ""} points` : "", o.column, o.end >= 0 && chosen.length ? ground(o.end) : "", chosen.length && (isAttack(o.v) || o.units.length > 1) ? `with ${o.units.map(idOf).join(", ")}` : "", full(o) ? "no stacking room left with your lines" : "", barring(o) ? `not beside ${barring(o).text}` : "");
  if (about) b.append(html("small", { textContent: about }));
  if (o.told.length) b.append(html("span", { className: "od", textContent: o.told.join(" · ") }));
  return html("li", {}, b);
}
function offerList(found) {
  const list = html("ul", { className: "op" }), more = small(""), field = html("input", { type: "search", placeholder: "hex or place", id: "find" });
  field.setAttribute("aria-label", "Find a hex among the offers");
  const rank = o => [isAttack(o.v) ? 0 : o.told.length && !o.cost ? 2 : 1, o.end < 0 ? 1 : 0, value(o.cost)];
  const sorted = [...found].sort((a, b) => { const x = rank(a), y = rank(b); return x[0] - y[0] || x[1] - y[1] || x[2] - y[2]; });
  const fill = () => {
    const asked = field.value.trim().toLowerCase(), hits = sorted.filter(o => !asked || o.text.toLowerCase().includes(asked) || (o.end >= 0 && where(o.end).toLowerCase().includes(asked)));
    list.replaceChildren(...hits.slice(0, 40).map(offerButton));
    more.textContent = hits.length > 40 ? `and ${hits.length - 40} more: type a hex, or tap the map` : !hits.length ? (asked ? "Not possible from here. If you write the line under Letter, the reply says why not." : "There are no orders here now.") : "";
  };
  field.oninput = fill; fill();
  return [found.length > 8 ? field : null, list, more];
}
function questionPart() {
  return data.questions.flatMap(([name, what, kase, intro, options, was]) => [
    heading(`${name}. ${what[0].toUpperCase()}${what.slice(1)}`), intro ? small(intro) : null,
    html("ul", { className: "op", role: "group" }, ...options.map(([sign, said, told, usual]) => {
      const on = (answers[name] || was) === sign;
      const b = button([html("b", { textContent: `${sign}  ${said}` })], () => change(() => { if (answers[name] === sign) delete answers[name]; else answers[name] = sign; }), { "aria-pressed": on });
      b.append(html("small", { textContent: words(usual ? "default" : "", on && answers[name] !== sign ? "your answer so far" : "") }));
      if (told) b.append(html("span", { className: "od", textContent: told }));
      return html("li", {}, b);
    })), kase ? small(`[${kase}]`) : null]);
}
function unitPane() {
  const p = parts[part], out = [];
  if (leg) return [heading(`${leg.line.units.map(idOf).join(", ")}: on from ${where(leg.from)}`, 2), small("Tap the hex where the next leg ends. The reply says what it costs, and whether it is possible."), button("Not now", () => choose([]))];
  if (!chosen.length && hex < 0) {
    out.push(heading(data.questions.length ? "Decisions for you" : !p ? "No orders are due" : `${p.title}: tap a unit with a frame, then a hex`, 2), ...questionPart());
    if (p && !p.known) out.push(small("The orders possible here depend on a die, a draw or a decision first. You can write lines under Letter; they wait for their turn."));
    if (p && p.demand) out.push(html("p", { className: "warn", textContent: `Before this letter: ${p.demand}` }));
    if (p && p.cut) out.push(html("p", { className: "warn", textContent: "There are more orders than this page lists. Write the others under Letter." }));
    const also = p ? groupsOf(part).filter(g => !g.u.length && typeof g.s !== "number").flatMap(g => choicesOf(part, g)).filter(o => o.end < 0 || o.group.s !== HEX[o.end]) : [];
    if (also.length) out.push(heading("Other orders"), ...offerList(also));
    const heads = p?.heads && !headOf(part) ? p.heads : null;
    if (heads) out.push(small("Choose one of these first; then the page shows what its units can do."));
    out.push(small("The page knows the position before your letter. One line can change what is possible for the next: the reply checks all of them as one plan. Nothing is played before DONE."));
    return out;
  }
  if (chosen.length) {
    const [u] = chosen, here = planned(u), first = units[u];
    out.push(heading(chosen.map(idOf).join(", "), 2), small(words(chosen.length === 1 ? first?.[3] : "", chosen.length === 1 ? first?.[1] : "", where(home_(u)), here !== home_(u) ? `ordered to ${where(here)}` : "")));
    const stack = units.map((_, n) => n).filter(n => home_(n) === home_(u) && home_(u) >= 0 && leftOf(part).includes(n) || n === u);
    if (stack.length > 1) out.push(html("div", { className: "chips", role: "group", ariaLabel: "Units in this hex" }, ...stack.map(n => button(idOf(n) + (ordered(n) ? " ✓" : ""), () => { chosen = chosen.includes(n) ? chosen.length > 1 ? chosen.filter(x => x !== n) : chosen : [...chosen, n]; show(0); }, { "aria-pressed": chosen.includes(n) }))));
    for (const l of standingLines(part).filter(l => chosen.some(u => concerns(l, u)))) out.push(lineRow(l, false), verbOf(kindOf(l))[AGAIN] === "on" && l.end >= 0 && !l.name ? html("div", { className: "chips" }, button(`Go on from ${HEX[l.end]}`, () => { leg = { line: l, from: l.end }; show(0); })) : null);
  } else {
    out.push(heading(words(where(hex), ground(hex)), 2), small((stacks.get(hex) || []).map(n => words(named(n), state(n))).join(", ") || "no units here"));
  }
  const left = roomAt(hex >= 0 ? hex : planned(chosen[0]));
  if (left !== null) out.push(small(left > 0 ? `Stacking room left in ${HEX[hex >= 0 ? hex : planned(chosen[0])]}: ${left}` : `No stacking room left in ${HEX[hex >= 0 ? hex : planned(chosen[0])]} with your lines`));
  const found = offers(), here = chosen.length && hex >= 0 ? found.filter(o => o.end === hex) : [];
  if (here.length) out.push(heading(`To ${where(hex)}`), html("ul", { className: "op" }, ...here.map(offerButton)));
  const mates = hex >= 0 && chosen.length && home_(chosen[0]) !== hex ? mineAt(hex).filter(u => home_(u) === hex) : [];
  if (mates.length) out.push(heading(`In ${where(hex)}`), html("div", { className: "chips" }, ...mates.map(u => button(idOf(u), () => choose([u])))));
  if (chosen.length === 1 && groupsOf(part).some(g => g.u.length > 1 && g.u.includes(chosen[0]) && !isAttack(g.v))) out.push(html("div", { className: "chips" }, button("also with its stack", () => { stacked = !stacked; show(0); }, { "aria-pressed": stacked })));
  if (chosen.length || found.length) out.push(heading(`${count(found.length, "order")} in ${p.title}`), ...offerList(found));
  if (!found.length && chosen.length && planned(chosen[0]) !== home_(chosen[0])) out.push(small(`From ${HEX[planned(chosen[0])]} the page cannot see further: write the line yourself under Letter, or send DONE first.`));
  out.push(...planAttack());
  return out;
}
/* An attack from where the lines put units: no desk has judged it, so it has no odds here. */
function planAttack() {
  const verb = parts[part].verbs.find(v => isAttack(v) && /<(hexes|hex)> with <units>/.test(verbOf(v)[USAGE]));
  if (verb === undefined || hex < 0 || chosen.length || !enemyAt(hex)) return [];
  const near = h => h >= 0 && h !== hex && Math.hypot(X[h] - X[hex], Y[h] - Y[hex]) < R * 1.9;
  const close = units.map((_, u) => u).filter(u => near(planned(u)) && planned(u) !== home_(u));
  if (!close.length) return [];
  const on = new Set(close), line = html("code"), told = () => { line.textContent = `${verbOf(verb)[VERB]} ${HEX[hex]} with ${[...on].map(idOf).join(", ")}`; };
  told();
  return [heading("From where your lines put your units"), html("div", { className: "chips" }, ...close.map(u => button(idOf(u), e => { on.delete(u) || on.add(u); e.currentTarget.setAttribute("aria-pressed", on.has(u)); told(); }, { "aria-pressed": true }))),
    html("p", { className: "ln" }, line, button("Write", () => on.size && write({ p: part, v: verb, units: [...on], end: hex, text: line.textContent, way: [] }))), small("The reply to a check (TRY) gives its odds.")];
}
function leftPane() {
  const p = parts[part], open = p ? toDo(part) : [], aims = p ? targets(part) : [];
  const out = [heading(`${words(open.length || !aims.length ? count(open.length, "unit") : "", aims.length ? count(aims.length, "hex", "hexes") : "")} without an order in ${p ? p.title : "no section"}`, 2)];
  if (p && p.demand) out.push(html("p", { className: "warn", textContent: `Before this letter: ${p.demand}` }));
  const by = new Map();
  for (const u of open) { const h = planned(u); by.has(h) ? by.get(h).push(u) : by.set(h, [u]); }
  for (const [h, there] of by) out.push(html("div", { className: "row" }, html("span", { textContent: where(h) }), html("div", { className: "chips" }, ...there.map(u => button([html("b", { textContent: idOf(u) }), html("small", { textContent: units[u][1] })], () => { choose([u]); goTo(home_(u)); })))));
  for (const h of aims) out.push(html("div", { className: "row" }, html("span", { textContent: where(h) }), html("div", { className: "chips" }, button([html("b", { textContent: (stacks.get(h) || []).map(named).join(", ") || ground(h) })], () => { choose([], h); goTo(h); }, { className: "at" }))));
  const faulty = keptOf(part).filter(l => l.state === "faulty" && !l.gone);
  if (faulty.length) out.push(heading("Kept lines to correct"), ...faulty.map(l => lineRow(l, false)));
  const others = parts.map((q, at) => [q, at]).filter(([, at]) => at !== part);
  if (others.length) out.push(heading("Other sections of this turn"), html("ul", { className: "op" }, ...others.map(([q, at]) => { const b = button([html("b", { textContent: q.title })], () => turnTo(at)); b.append(html("small", { textContent: words(q.state, count(standingLines(at).length, "line"), q.known ? count(toDo(at).length, "unit") + " without an order" : "after a die or a decision") })); return html("li", {}, b); })));
  return out;
}
/* A line of the letter, or one that is kept, with what can be done about it. */
function lineRow(l, all = true) {
  const row = html("div", { className: "ln" + (l.name ? " k" : "") + (l.state === "faulty" ? " bad" : "") + (l.name && gone.includes(l.name) ? " off" : "") });
  row.append(html("code", { textContent: l.name ? `${l.name}  ${l.text}` : head(l) + l.text }));
  const was = l.how === "in" ? kept.find(k => k.name === l.at) : null;
  if (was && was.text !== l.text) row.append(html("small", { textContent: `instead of ${was.text}` }));
  if (!l.name && barring(l)) row.append(html("small", { textContent: `cannot stand beside ${barring(l).text}` }));
  if (l.state === "faulty" && l.why) row.append(html("small", { textContent: l.why }));
  const tools = html("span", { className: "tools2" });
  if (l.name && gone.includes(l.name)) tools.append(button("Keep", () => change(() => { gone = gone.filter(n => n !== l.name); }), { ariaLabel: `Keep ${l.name} after all` }));
  else {
    if (all) tools.append(button("↑", () => shift(l, -1), { ariaLabel: `Up: ${l.text}` }), button("↓", () => shift(l, 1), { ariaLabel: `Down: ${l.text}` }));
    if (all) tools.append(button("✎", () => edit(l, row), { ariaLabel: `Change: ${l.text}` }));
    if (l.how === "in" && was) tools.append(button("beside", () => change(() => { l.how = "after"; }), { ariaLabel: `Keep ${l.at} as well`, title: `Keep ${l.at} as well` }));
    if (l.how === "after") tools.append(button("instead", () => change(() => { l.how = "in"; }), { ariaLabel: `In place of ${l.at}`, title: `In place of ${l.at}` }));
    tools.append(l.name ? button("✕", () => change(() => { gone.push(l.name); delete done[l.p]; say(`${l.name} is withdrawn`); }), { ariaLabel: `Withdraw ${l.name}: ${l.text}` })
      : button("✕", () => change(() => { lines.splice(lines.indexOf(l), 1); say(`Removed: ${l.text}`); }), { ariaLabel: `Remove: ${l.text}` }));
  }
  row.append(tools);
  return row;
}
function shift(l, by) {
  if (l.name) return change(() => {
    const names = keptOf(l.p).map(k => k.name), at = names.indexOf(l.name), to = at + by;
    if (to < 0 || to >= names.length) return;
    names.splice(at, 1); names.splice(to, 0, l.name);
    sequence[l.p] = names; delete done[l.p];
  });
  const mine = lines.filter(k => k.p === l.p), other = mine[mine.indexOf(l) + by];
  if (other) change(() => { const a = lines.indexOf(l), b = lines.indexOf(other); lines[a] = other; lines[b] = l; });
}
function edit(l, row) {
  const field = html("input", { type: "text", value: l.text });
  field.setAttribute("aria-label", `${l.name ? l.name + ": " : ""}${l.text}`);
  const form = html("form", { className: "ln", onsubmit: e => {
    e.preventDefault();
    const to = field.value.trim();
    if (!to || to === l.text) return refresh();
    change(() => {
      const fresh = { p: l.p, v: kindOf(l), units: l.units, end: -1, text: to, way: [], ...(l.name ? { at: l.name, how: "in" } : { at: l.at, how: l.how }) };
      if (l.name) lines.push(fresh); else lines[lines.indexOf(l)] = fresh;
      delete done[l.p];
    });
  } }, field, html("button", { textContent: "Write" }));
  row.replaceWith(form); field.focus();
}
function byHand(p, at) {
  const field = html("input", { type: "text", placeholder: p.verbs.map(v => verbOf(v)[EXAMPLE]).find(Boolean) || "an order" }), list = html("datalist", { id: "verbs" + at });
  field.setAttribute("aria-label", `A line of ${p.title} in your own words`); field.setAttribute("list", "verbs" + at);
  list.append(...p.verbs.map(v => html("option", { value: verbOf(v)[EXAMPLE] })));
  return html("form", { className: "ln", onsubmit: e => { e.preventDefault(); const text = field.value.trim(); if (text) write({ p: at, v: -1, units: units.map((_, u) => u).filter(u => text.split(/[\s,:;]+/).includes(idOf(u))), end: -1, text, way: [] }); } }, field, list, html("button", { textContent: "Write" }));
}
function letterPane() {
  const out = [heading("Your letter", 2)], writing = [];
  if (data.questions.length) out.push(...questionPart());
  parts.forEach((p, at) => {
    const mine = lines.filter(l => l.p === at), old = keptOf(at).filter(l => gone.includes(l.name) || !l.gone);
    if (!mine.length && !old.length && !p.asked && !done[at] && at !== part) return;
    out.push(heading(`${p.title}${p.asked ? " (due now)" : ""}${p.state ? `, ${p.state}` : ""}`));
    out.push(...old.map(l => lineRow(l)), ...mine.map(l => lineRow(l)), byHand(p, at));
    const any = mine.length > 0 || old.some(l => !l.gone);
    if (p.state === "closed" && !done[at] && (mine.length || gone.some(n => kept.find(l => l.name === n).p === at))) out.push(html("p", { className: "warn", textContent: "This section was closed. With this change it is a draft again, unless you say DONE." }));
    out.push(doneButtons(p, at, any));
    const how = html("details", {}, html("summary", { textContent: `How orders of ${p.title} are written` }));
    for (const v of p.verbs) how.append(html("p", { className: "m" }, html("code", { textContent: verbOf(v)[USAGE] }), html("br"), `${verbOf(v)[HELP]} ${verbOf(v)[CASE] ? `[${verbOf(v)[CASE]}]` : ""}`));
    if (p.verbs.length) writing.push(how);
  });
  const rest = [...standingPart(), ...pressPart(), ...writing], pre = html("pre", { id: "out", tabIndex: 0, textContent: letter() });
  pre.setAttribute("aria-label", "The letter as it will be sent");
  const body = letter(), empty = !body.trim();
  out.push(heading("The letter"), pre);
  if (empty) return [...out, small("Empty so far."), ...rest];
  const long = data.to && mailto(body).length > MOST, tools = html("div", { className: "send" });
  const link = (id, label, href) => data.to ? html("a", { className: id === "mail" ? "bt" : "bt second", id, href, textContent: label }) : null;
  tools.append(...[link("mail", long ? "Open an email (paste the letter)" : "Write the email", mailto(long ? "" : body)), long ? null : link("try", "Only check (TRY)", mailto(letter("try"))), button("Copy", copy, { id: "copy" }),
    long ? button("Copy to check (TRY)", () => copy("try"), { id: "copytry" }) : null, button("Save orders.txt", saveFile, { id: "save" }), past.length ? button("Undo", undo) : null].filter(Boolean));
  out.push(tools);
  if (long) out.push(small(`This letter is too long for a link (${mailto(body).length} characters; many mail programs cut off after ${MOST}). Copy it into the email, or attach the file.`));
  out.push(small(data.to ? `To ${data.to}, subject “${data.subject}”. If the game has moved on since this page was made, the reply says so and plays nothing. Keep the first line: it names the moment.` : `This game has no mail: hand the file in with pbem submit.`));
  out.push(...rest);
  return out;
}
/* What closes a section: DONE, or NO ORDERS where there are no lines; DONE ANYWAY goes without what cannot be played. */
function doneButtons(p, at, any) {
  const anyway = p.demand || keptOf(at).some(l => l.state === "faulty" && !l.gone);
  const one = (word, title) => button(`${done[at] === word ? "✓ " : ""}${word.toUpperCase()}`, () => change(() => { if (done[at] === word) delete done[at]; else done[at] = word; }), { "aria-pressed": done[at] === word, title });
  return html("div", { className: "chips" }, any ? one("done", `Play ${p.title} as it stands in this letter and on your sheet`) : one("no orders", `No orders in ${p.title}`), ...(anyway ? [one("done anyway", "Without the lines that cannot be played; what is lacking goes by default")] : []),
    small(done[at] ? "It is played when its turn comes." : "Without it, this is a draft: checked, but not played."));
}
function standingPart() {
  if (!data.policies.length) return [];
  const box = html("details", { className: "more", open: !!standing.trim() }, html("summary", { textContent: `Standing orders (${data.standing.length})` }));
  if (data.standing.length) box.append(html("pre", { textContent: data.standing.join("\n") }), button("Clear them all", () => change(() => { standing = `standing clear\n${standing}`; })));
  const area = html("textarea", { rows: 3, value: standing, placeholder: "standing ...", oninput: e => { standing = e.target.value; keep(); preview(); } });
  area.setAttribute("aria-label", "Standing orders to add");
  box.append(area, html("div", { className: "chips" }, ...data.policies.map(([, example, help]) => button(example.replace(/^standing /, ""), () => change(() => { standing = (standing.trim() ? standing.trim() + "\n" : "") + example; }), { title: help }))));
  return [box];
}
function pressPart() {
  if (!data.press.length) return [];
  const box = html("details", { className: "more", open: !!press.trim() }, html("summary", { textContent: "Press: a message to another player" }));
  const area = html("textarea", { rows: 3, value: press, oninput: e => { press = e.target.value; keep(); preview(); } });
  area.setAttribute("aria-label", "Press: a message to another player");
  box.append(area, html("div", { className: "chips" }, ...[...data.press, "moderator"].map(to => button(`To ${to}`, () => change(() => { press = `press ${to}:\n${press.trim() || "your words"}\nend press`; })))));
  return [box];
}
function preview() { const pre = $("#out"); if (pre) pre.textContent = letter(); }
async function copy(first) {
  const body = letter(typeof first === "string" ? first : "");
  try { await navigator.clipboard.writeText(body); return say("Copied"); } catch { /* not for files in every browser */ }
  const range = document.createRange(), pre = $("#out");
  pre.textContent = body; range.selectNodeContents(pre); getSelection().removeAllRanges(); getSelection().addRange(range);
  let ok = false;
  try { ok = document.execCommand("copy"); } catch { /* then by hand */ }
  say(ok ? "Copied" : "The letter is selected: copy it");
}
function saveFile() {
  const a = html("a", { href: "data:text/plain;charset=utf-8," + encodeURIComponent(letter()), download: `orders-${data.game}-${data.seat}.txt` });
  document.body.append(a); a.click(); a.remove(); say("Saved");
}

/* --- keys, section, start ----------------------------------------------------------------------------------------------- */

function turnTo(at) { part = at; plan = null; $("#part").value = at; chosen = []; hex = -1; leg = null; refresh(); show(0); }
$("#part").append(...parts.map((p, at) => html("option", { value: at, textContent: p.key + (p.asked ? " (now)" : "") })));
$("#part").value = part;
$("#part").onchange = e => turnTo(+e.target.value);
if (!parts.length) $("#part").closest("label").hidden = true;
function nextUnit() {
  const open = toDo(part), u = open.find(u => u > (chosen[0] ?? -1)) ?? open[0];
  if (u === undefined) return say("Every unit has an order");
  choose([u]); goTo(home_(u));
}
document.addEventListener("keydown", e => {
  if (e.target.matches("input, textarea, select")) { if (e.key === "Escape") e.target.blur(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || $("#help").open) return;
  const keys = { n: nextUnit, u: undo, 1: () => show(0), 2: () => show(1), 3: () => show(2), "+": () => zoom(.75), "-": () => zoom(1 / .75), 0: wholeMap, "?": () => $("#help").showModal(), Escape: () => choose([]), "/": () => { show(0); $("#find")?.focus(); } };
  if (!keys[e.key]) return;
  e.preventDefault(); keys[e.key]();
  if (/^[n123]$|Escape/.test(e.key)) atHeading();
});
$("#bt-help").onclick = () => $("#help").showModal();
/* The camera at home: where most of what can act stands. */
function home(ms = 320) {
  const spots = (parts[part] ? leftOf(part) : []).map(u => typeof u === "number" ? home_(u) : place.get(u) ?? -1).filter(h => h >= 0);
  const around = spots.length ? spots : [...stacks.keys()];
  if (!around.length) return fly({ x: width / 2, y: height / 2, k: widest() }, ms);
  const near = h => around.filter(o => Math.hypot(X[o] - X[h], Y[o] - Y[h]) < 150).length, best = around.reduce((a, b) => near(b) > near(a) ? b : a);
  fly({ x: X[best], y: Y[best], k: Math.min(widest(), spacing / 48) }, ms);
}
const onBorders = data.borders.flatMap(([colours, kind, signs]) => { const hs = unpacked(signs), out = []; for (let i = 0; i < hs.length; i += 2) out.push(border(hs[i], hs[i + 1], colours, kind)); return out; });
$("#lines").replaceChildren(...onBorders, ...data.marks.filter(m => m[0] >= 0).map(m => signOf(...m)));
for (const h of stacks.keys()) drawHex(h);
$("#pics").after(svg("g", { id: "prices" }));
refresh(); show(0); home(0);
window.desk = { data, parts, hexes: HEX, offers, letter, choose, onTap, choice, choicesOf, groupsOf, turnTo, lines: () => lines, planned, mailto, spotOf: h => { const b = board.getBoundingClientRect(); return [b.left + (X[h] - camera.x) / camera.k + box.w / 2, b.top + (Y[h] - camera.y) / camera.k + box.h / 2]; }, goTo, place };
