/* What pages with a map share: the map with its camera, counters, arrows and marks, tabs and colours. It stands
   before the script of the page, in one function with it. The page has `data` with hexes, looks and words, and
   says what a tap on a hex does (`onTap`) and where the camera is at home (`home`). */

const started = performance.now();
const $ = (what, root = document) => root.querySelector(what);
const $$ = (what, root = document) => [...root.querySelectorAll(what)];
const data = JSON.parse($("#data").textContent);
const root = document.documentElement, map = $("#map"), board = $(".board");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

function svg(name, attributes = {}, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.append(...inside);
  return made;
}
function html(name, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
}
const text = (name, attributes, words) => svg(name, attributes, String(words));

/* --- hexes ------------------------------------------------------------------------------------------- */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digit = Object.fromEntries([...DIGITS].map((sign, at) => [sign, at]));
/* Numbers of two signs each. */
function unpacked(signs) {
  const numbers = [];
  for (let i = 0; i < signs.length; i += 2) numbers.push(digit[signs[i]] * 64 + digit[signs[i + 1]]);
  return numbers;
}
const HEX = data.hexes.split(" "), X = unpacked(data.x), Y = unpacked(data.y), GROUND = unpacked(data.ground), R = data.radius;
const place = new Map(HEX.map((id, at) => [id, at]));
const width = map.viewBox.baseVal.width, height = map.viewBox.baseVal.height;
const ground = h => data.words[GROUND[h]];

function outline(h, size = R * 0.97) {
  const turn = data.flat ? 0 : 90, points = [];
  for (let i = 0; i < 6; i++) {
    const a = Math.PI / 180 * (60 * i - turn);
    points.push((X[h] + size * Math.cos(a)).toFixed(1) + " " + (Y[h] + size * Math.sin(a)).toFixed(1));
  }
  return "M" + points.join("L") + "z";
}
function nearest(x, y) {
  let best = -1, least = R * R * 1.2;
  for (let h = 0; h < HEX.length; h++) {
    const d = (X[h] - x) ** 2 + (Y[h] - y) ** 2;
    if (d < least) { least = d; best = h; }
  }
  return best;
}
const spot = h => [X[h], Y[h]];

/* --- counters: a number is the face and four bits ----------------------------------------------------- */

const UNSUPPLIED = 1, DISRUPTED = 2, MOVED = 4, DIMMED = 8;
const face = n => data.looks[n >> 4];         // [name, colours, figures, what it is, ...flags]
const drawn = new Map();
let stacks = new Map();                       // hex: its counters, the uppermost first

function badge(kind, x, y, words) {
  return svg("g", { class: "b" }, svg("circle", { class: kind, cx: x, cy: y, r: 8.5 }), text("text", { x, y: y + 4.2 }, words));
}
function drawHex(h) {
  drawn.get(h)?.remove(); drawn.delete(h);
  const there = stacks.get(h);
  if (!there || !there.length) return;
  const group = svg("g");
  there.slice(0, 3).map((n, depth) => {
    const one = svg("g", { transform: `translate(${(X[h] + depth * 2.6).toFixed(1)} ${(Y[h] - depth * 2.6).toFixed(1)})` });
    const inner = svg("g", { style: "transform:scale(var(--us))" }, svg("use", { href: "#k" + (n >> 4) }));
    if (n & (MOVED | DIMMED)) inner.append(svg("path", { class: "ear", d: "M7-20H16a4 4 0 0 1 4 4V-7z" }));
    if (n & DISRUPTED) inner.append(badge("D", -17, 16, "D"));
    if (n & UNSUPPLIED) inner.append(badge("X", -17, -16, "!"));
    if (!depth && there.length > 1) inner.append(badge("N", 20, 0, there.length));
    one.append(inner);
    return one;
  }).reverse().forEach(one => group.append(one));
  drawn.set(h, group);
  $("#units").append(group);
}
const state = n => [n & UNSUPPLIED && "without supply", n & DISRUPTED && "disrupted", n & MOVED && "has moved", n & DIMMED && "done", ...face(n).slice(4)].filter(Boolean).join(", ");
const named = n => face(n)[0] || face(n)[2] || "unknown";
/* What a key of the palette stands for: as the legend has it, or the seats of that side. */
const sideName = colours => data.legend[colours] || Object.values(data.seats).filter(s => s[1] === colours).map(s => s[0]).join(", ") || colours;
const belongs = n => sideName(face(n)[1]);

/* --- camera: the middle, and map units for each pixel ------------------------------------------------- */

let camera = { x: width / 2, y: height / 2, k: 1.8 }, whole = false, flight = 0, reading = 0, box = { w: 1, h: 1 }, numbered = "";
const spacing = R * 1.7320508;
const widest = () => Math.max(width / box.w, height / box.h) * 1.02;
/* As near and as far as makes sense, and no more of the table around the map than needed. */
function clamp(c) {
  const k = Math.min(widest(), Math.max(.28, c.k));
  const keep = (at, all, shown) => shown >= all ? all / 2 : Math.min(all - shown / 2 + 30, Math.max(shown / 2 - 30, at));
  return { k, x: keep(c.x, width, box.w * k), y: keep(c.y, height, box.h * k) };
}

function look() {
  const w = box.w * camera.k, h = box.h * camera.k, side = 26.4 / camera.k;
  map.setAttribute("viewBox", `${(camera.x - w / 2).toFixed(1)} ${(camera.y - h / 2).toFixed(1)} ${w.toFixed(1)} ${h.toFixed(1)}`);
  map.style.setProperty("--k", camera.k.toFixed(3));
  map.style.setProperty("--far", Math.max(1, camera.k * .95).toFixed(3));  // what is said of a step keeps its size
  const zoom = side < 15 ? "z0" : side < 46 ? "z1" : "z2";
  if (!root.classList.contains(zoom)) {
    root.classList.remove("z0", "z1", "z2"); root.classList.add(zoom);
    $("#units")[zoom === "z0" ? "after" : "before"]($("#names"));
  }
  declutter(zoom);
  number(w, h);
}
/* Names of places that do not run into each other at this zoom, those of cities first. */
const places = $$("#names text").map(e => ({ e, x: +e.getAttribute("x"), y: +e.getAttribute("y"), big: e.classList.contains("c") })).sort((a, b) => b.big - a.big);
let clearedAt = 0;
function declutter(zoom) {
  const k = camera.k;
  if (clearedAt && Math.abs(Math.log(k / clearedAt)) < .12) return;
  clearedAt = k;
  const kept = [];
  for (const { e, x, y, big } of places) {
    const size = big && zoom !== "z0" ? 13 : 12, half = e.textContent.length * size * (big ? .33 : .3) * k, high = size * 1.15 * k;
    const free = (big || zoom !== "z0") && !kept.some(o => Math.abs(o.x - x) < o.half + half && Math.abs(o.y - y) < (o.high + high) / 2);
    e.classList.toggle("crowded", !free);
    if (free) kept.push({ x, y, half, high });
  }
}
/* Hex numbers only for the hexes in view, and only where they can be read. */
function number(w, h) {
  const layer = $("#nums");
  if (spacing / camera.k < 44) { if (numbered) { layer.replaceChildren(); numbered = ""; } return; }
  const key = [camera.x / 40 | 0, camera.y / 40 | 0, camera.k.toFixed(1), box.w, box.h].join();
  if (key === numbered) return;
  numbered = key;
  const shown = [];
  for (let i = 0; i < HEX.length; i++) {
    if (data.words[GROUND[i]] && Math.abs(X[i] - camera.x) < w / 2 + 60 && Math.abs(Y[i] - camera.y) < h / 2 + 60)
      shown.push(text("text", { x: X[i], y: (Y[i] - (data.flat ? 12.2 : 13)).toFixed(1) }, HEX[i]));
  }
  layer.replaceChildren(...shown);
}
function fly(to, ms = 320) {
  to = clamp(to); cancelAnimationFrame(flight);
  if (calm || !ms || document.hidden) { camera = to; return look(); }
  const from = { ...camera }, t0 = performance.now();
  const frame = t => {
    const p = Math.max(0, Math.min(1, (t - t0) / ms)), q = p < .5 ? 2 * p * p : 1 - (2 - 2 * p) ** 2 / 2;
    camera = { x: from.x + (to.x - from.x) * q, y: from.y + (to.y - from.y) * q, k: Math.exp(Math.log(from.k) + (Math.log(to.k) - Math.log(from.k)) * q) };
    look();
    if (p < 1) flight = requestAnimationFrame(frame);
  };
  flight = requestAnimationFrame(frame);
}

/* --- arrows and marks ------------------------------------------------------------------------------------ */

const KINDS = ["move", "retreat", "advance", "arrival", "supply"];
function curve(points) {
  let d = `M${points[0].map(v => v.toFixed(1)).join(" ")}`;
  if (points.length === 2) return d + `L${points[1].map(v => v.toFixed(1)).join(" ")}`;
  for (let i = 1; i < points.length - 1; i++) {
    const a = points[i], b = points[i + 1], end = i === points.length - 2 ? b : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    d += `Q${a[0].toFixed(1)} ${a[1].toFixed(1)} ${end[0].toFixed(1)} ${end[1].toFixed(1)}`;
  }
  return d;
}
function shorter(a, b, by) {
  const l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [b[0] - (b[0] - a[0]) / l * by, b[1] - (b[1] - a[1]) / l * by];
}
const sideOf = colours => data.sides.includes(colours) ? colours : ({ us: "allied", uk: "allied", british: "allied", canadian: "allied", polish: "allied", french: "allied", ss: "german", luftwaffe: "german" })[colours] || colours;
function arrow([kind, colours, ...path], faint) {
  if (path.length < 2) return [];
  const points = path.map(spot), last = points.length - 1, side = sideOf(colours), style = `--side:var(--s-${colours})`;
  points[last] = shorter(points[last - 1], points[last], faint ? 0 : 17);
  if (!faint) points[0] = shorter(points[1], points[0], 6);
  const d = curve(points), line = svg("path", { d, style, class: "ar " + KINDS[kind], ...(faint || !document.getElementById("ah-" + side) ? {} : { "marker-end": `url(#ah-${side})` }) });
  return faint ? [line] : [svg("path", { d, class: "ar halo" }), line];
}
/* A mark that lasts. */
function signOf(h, kind, words, colours) {
  const [x, y] = [X[h] - 11, Y[h] + 11], style = `--side:var(--s-${colours || "neutral"})`;
  const d = kind === "control" ? `M${x - 3} ${y + 5}v-10h8l-2 3l2 3h-8` : kind === "supply" ? `M${x - 5} ${y}l5-5l5 5l-5 5z` : kind === "target" ? `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0M${x} ${y - 7}v5m0 4v5M${x - 7} ${y}h5m4 0h5` : kind === "exit" ? `M${x - 5} ${y - 4}h6v-3l5 7l-5 7v-3h-6z` : `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0`;
  const g = svg("g", {}, svg("path", { class: "mk", style, d }));
  if (words) g.append(text("text", { class: "mkt", x: x, y: y + 13 }, words));
  g.append(svg("title", {}, [kind, words, sideName(colours)].filter(Boolean).join(" ")));
  return g;
}
function border(a, b, colours, kind) {
  const mx = (X[a] + X[b]) / 2, my = (Y[a] + Y[b]) / 2, dx = (X[b] - X[a]) / spacing, dy = (Y[b] - Y[a]) / spacing;
  return svg("path", { class: "front " + kind, style: `--side:var(--s-${colours || "neutral"})`, d: `M${(mx - dy * R / 2).toFixed(1)} ${(my + dx * R / 2).toFixed(1)}L${(mx + dy * R / 2).toFixed(1)} ${(my - dx * R / 2).toFixed(1)}` });
}

/* --- zoom and pan -------------------------------------------------------------------------------------------- */

function zoom(by, cx, cy) {
  const r = board.getBoundingClientRect(), middle = cx === undefined;
  cx = middle ? box.w / 2 : cx - r.left; cy = middle ? box.h / 2 : cy - r.top;
  const k = Math.min(widest(), Math.max(.28, camera.k * by)), mx = camera.x + (cx - box.w / 2) * camera.k, my = camera.y + (cy - box.h / 2) * camera.k;
  whole = false; reading = k;
  fly({ k, x: mx - (cx - box.w / 2) * k, y: my - (cy - box.h / 2) * k }, middle ? 180 : 0);
}
function wholeMap() {
  if (whole) { whole = false; home(); } else { whole = true; fly({ x: width / 2, y: height / 2, k: widest() }); }
}
$("#bt-in").onclick = () => zoom(.7);
$("#bt-out").onclick = () => zoom(1 / .7);
$("#bt-fit").onclick = wholeMap;

const pointers = new Map();
let moved = 0, down = null;
board.addEventListener("pointerdown", e => {
  if (e.target.closest("button")) return;
  board.setPointerCapture(e.pointerId); pointers.set(e.pointerId, e);
  moved = 0; down = [e.clientX, e.clientY]; cancelAnimationFrame(flight);
});
board.addEventListener("pointermove", e => {
  const last = pointers.get(e.pointerId);
  if (!last) { if (e.pointerType === "mouse") hover(e); return; }
  if (pointers.size === 2) {
    const apart = () => { const [a, b] = [...pointers.values()]; return [Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2]; };
    const [was] = apart(); pointers.set(e.pointerId, e); const [is, x, y] = apart();
    moved = 99; zoom(was / is, x, y);
    return;
  }
  const dx = e.clientX - last.clientX, dy = e.clientY - last.clientY;
  moved = Math.max(moved, Math.hypot(e.clientX - down[0], e.clientY - down[1]));
  pointers.set(e.pointerId, e);
  if (moved > 5) { map.classList.add("drag"); camera = clamp({ x: camera.x - dx * camera.k, y: camera.y - dy * camera.k, k: camera.k }); look(); $("#tip").hidden = true; }
});
function lift(e) {
  if (!pointers.delete(e.pointerId)) return;
  map.classList.remove("drag");
  if (e.type !== "pointerup" || moved > 8 || pointers.size) return;
  onTap(under(e));
}
board.addEventListener("pointerup", lift);
board.addEventListener("pointercancel", lift);
board.addEventListener("pointerleave", () => $("#tip").hidden = true);
board.addEventListener("wheel", e => { e.preventDefault(); zoom(Math.exp(e.deltaY * .0016), e.clientX, e.clientY); }, { passive: false });
function under(e) { const r = board.getBoundingClientRect(); return nearest(camera.x + (e.clientX - r.left - box.w / 2) * camera.k, camera.y + (e.clientY - r.top - box.h / 2) * camera.k); }
function tip(words, x, y) {
  const p = $("#tip"), b = board.getBoundingClientRect();
  p.textContent = words; p.hidden = false;
  p.style.left = Math.max(4, Math.min(b.width - p.offsetWidth - 4, x - b.left + 14)) + "px";
  p.style.top = Math.max(4, Math.min(b.height - p.offsetHeight - 4, y - b.top + 16)) + "px";
}
function hover(e) {
  const h = under(e);
  if (h < 0) { $("#tip").hidden = true; return; }
  const there = stacks.get(h) || [];
  tip([`${HEX[h]} ${ground(h)}`, ...there.map(n => `${named(n)}  ${face(n)[2]}, ${belongs(n)}${state(n) ? ` (${state(n)})` : ""}`)].join("\n"), e.clientX, e.clientY);
}
function flash(hexes) { $$(".pk", map).forEach(e => e.remove()); hexes.forEach(h => $("#marks").append(svg("path", { d: outline(h), class: "pk" }))); }

/* --- tabs, colours, size ------------------------------------------------------------------------------------ */

const tabs = $$("[role=tab]");
function tab(which) {
  tabs.forEach(t => { const on = t === which; t.setAttribute("aria-selected", on); t.tabIndex = on ? 0 : -1; document.getElementById(t.getAttribute("aria-controls")).hidden = !on; });
  onTab(tabs.indexOf(which));
}
tabs.forEach((t, i) => {
  t.onclick = () => tab(t);
  t.onkeydown = e => { const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0; if (way) { const to = tabs[(i + way + tabs.length) % tabs.length]; tab(to); to.focus(); } };
});
$("#bt-theme").onclick = () => { const is = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"); root.dataset.theme = is === "dark" ? "light" : "dark"; };
function size() { box = { w: board.clientWidth || 1, h: board.clientHeight || 1 }; }
size();
new ResizeObserver(() => { size(); look(); }).observe(board);
