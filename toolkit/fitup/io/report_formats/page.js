'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const head = data.head, paths = data.paths, unit = head.unit;
const verdicts = ['clear', 'contact', 'undecided', 'too near', 'clash'], statuses = ['new', 'active', 'reviewed', 'approved', 'resolved'];
const changes = ['new', 'gone', 'unchanged', 'notRechecked'];
const changeText = {new: 'new', gone: 'gone', unchanged: 'unchanged', notRechecked: 'not checked again'};
const names = data.fields;
const findings = data.rows.map((row, i) => {
  const f = {index: i};
  names.forEach((name, k) => f[name] = row[k]);
  f.key = f.a * paths.length + f.b;
  f.haystack = [paths[f.a], paths[f.b], f.faceA, f.faceB, f.comment, f.id].join('\n').toLowerCase();
  f.first = f.steps ? f.steps[0][0] : 0;
  return f;
});
const pairs = new Map(data.pairs.map(p => [p[0] * paths.length + p[1],
  {verdict: p[2], depth: p[3], lower: p[4], distance: p[5], tolerance: p[6], point: p[7], direction: p[8], because: p[9], noVolume: p[10],
   copies: p[11], texts: p[12]}]));
const textOf = (f, name) => f.texts[['brief', 'depth', 'distance', 'point', 'direction', 'volume', 'wayOut'].indexOf(name)];
let pictures = null;
const pictureOf = id => {
  pictures ??= JSON.parse(document.getElementById('pictures').textContent);
  return pictures[id] ? 'data:image/jpeg;base64,' + pictures[id] : null;
};

const element = id => document.getElementById(id);
const make = (tag, cls, text) => {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
};
const surfacePairs = list => list.filter(f => !f.whole).length;  // the rest are between whole parts
const plural = (n, one, many = one + 's') => n.toLocaleString('en') + ' ' + (n === 1 ? one : many);
const number = v => v === null || v === undefined ? '' : String(+(+v).toPrecision(5));
const leaf = path => path.slice(path.lastIndexOf('/') + 1);
const above = path => path.slice(0, path.lastIndexOf('/') + 1);
const unescape = path => path.replace(/%2F/g, '/').replace(/%23/g, '#').replace(/%25/g, '%');
const chip = kind => make('span', 'chip ' + kind, changeText[kind] || kind);
const stepsText = steps => steps.map(([p, q]) => p === q ? p : p + '–' + q).join(', ');
const stepCount = steps => steps.reduce((n, [p, q]) => n + q - p + 1, 0);
const strip = steps => {
  const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  const total = Math.max(1, head.lastStep - head.firstStep + 1);
  svg.setAttribute('class', 'strip');
  svg.setAttribute('viewBox', '0 0 ' + total + ' 10');
  svg.setAttribute('preserveAspectRatio', 'none');
  const bar = (cls, x, w) => {
    const r = document.createElementNS(space, 'rect');
    r.setAttribute('class', cls); r.setAttribute('x', x); r.setAttribute('width', w);
    r.setAttribute('y', cls === 'all' ? 3 : 0); r.setAttribute('height', cls === 'all' ? 4 : 10);
    svg.append(r);
  };
  bar('all', 0, total);
  for (const [p, q] of steps) bar('there', p - head.firstStep, Math.max(q - p + 1, total / 160));
  return svg;
};
const union = list => {
  const all = list.filter(Boolean).flat().sort((p, q) => p[0] - q[0]), result = [];
  for (const [p, q] of all) {
    const last = result[result.length - 1];
    if (last && p <= last[1] + 1) last[1] = Math.max(last[1], q); else result.push([p, q]);
  }
  return result;
};

// ---- what there is to show
const has = {
  verdict: findings.some(f => f.verdict >= 0), depth: findings.some(f => f.depth !== null),
  change: head.kind === 'diff', steps: findings.some(f => f.steps), picture: findings.some(f => f.picture),
};
const columns = [
  {title: 'Part A, face', width: 'minmax(0,1.4fr)', by: f => paths[f.a] + '\n' + f.faceA},
  {title: 'Part B, face', width: 'minmax(0,1.4fr)', by: f => paths[f.b] + '\n' + f.faceB},
  has.change && {title: 'Change', width: '112px', by: f => f.change},
  has.verdict && {title: 'Verdict', width: '70px', by: f => -f.verdict},
  has.depth && {title: 'Depth ' + unit, width: '82px', by: f => -(f.depth ?? -1), cls: 'number'},
  {title: head.allTriangles ? 'Triangle pairs' : 'Witness', width: '90px', by: f => -f.triangles, cls: 'number'},
  has.steps && {title: 'Steps', width: 'minmax(90px,0.9fr)', by: f => f.first},
  {title: 'Status', width: '80px', by: f => f.review},
].filter(Boolean);
document.documentElement.style.setProperty('--grid', columns.map(c => c.width).join(' '));

// ---- head
document.title = 'Fitup: ' + head.file;
element('title').textContent = head.file;
element('subtitle').textContent = [
  {check: 'Interference check', replay: 'Replay of ' + head.track, diff: 'Compared with ' + head.old}[head.kind],
  plural(head.instances, 'part instance'), 'unit ' + unit, 'mode ' + head.mode, head.program].join('  ·  ');
const figure = (value, label, cls) => {
  const f = make('div', 'figure ' + (cls || ''));
  f.append(make('b', '', typeof value === 'number' ? value.toLocaleString('en') : value), make('span', '', label));
  element('figures').append(f);
};
const counts = head.counts;  // the same function counts for the console and all reports
const countOf = (field, value) => findings.filter(f => f[field] === value).length;
if (head.kind === 'diff')
  changes.forEach((c, i) => figure(countOf('change', i), changeText[c], c === 'new' ? 'clash' : c === 'gone' ? 'clear' : ''));
else {
  figure(counts.pairsOfParts, counts.pairsOfParts === 1 ? 'pair of parts intersects' : 'pairs of parts intersect');
  figure(counts.pairsOfFaces, counts.pairsOfFaces === 1 ? 'pair of faces' : 'pairs of faces');
  if (counts.copySets) figure(counts.copySets, counts.copySets === 1 ? 'set of copies' : 'sets of copies', 'clash');
  [['clashes', 'clash', 'clashes', 'clash'], ['tooNear', 'too near', 'too near', 'too near'], ['undecided', 'undecided', 'undecided', 'undecided'],
    ['contacts', 'contact', 'contacts', 'contact'], ['clear', 'clear', 'clear', 'clear']].forEach(([field, one, many, cls]) => {
    if (counts[field]) figure(counts[field], counts[field] === 1 ? one : many, cls);
  });
  if (head.kind === 'replay') figure(head.hitSteps + ' / ' + head.steps, 'steps with contact');
  if (head.excluded) figure(head.excluded, 'left out by rules');
  if (head.unselected) figure(head.unselected, 'outside the sets');
}
const isWhole = head.status === 'complete' && !head.incomplete && head.decided;
figure(head.nothingChecked ? 'nothing checked' : head.status === 'complete' && !isWhole ? 'incomplete' : head.status, 'status', isWhole ? 'clear' : 'clash');
const note = (summary, list) => {
  const d = make('details'), s = make('summary', '', summary);
  d.append(s);
  if (list) { const u = make('ul'); list.forEach(t => u.append(make('li', '', t))); d.append(u); }
  element('notes').append(d);
};
if (head.nothingChecked) note('Nothing was checked, so an empty list means nothing.');
else if (head.status !== 'complete') note('The check was ' + head.status + ': there may be more than is listed' + (head.cut.length ? ' (' + plural(head.cut.length, 'pair') + ' cut short)' : '') + '.', head.cut);
if (head.warnings.length) note((head.incomplete ? 'Geometry is missing from the answer: ' : '') + plural(head.warnings.length, 'kind of warning', 'kinds of warnings'), head.warnings);
if (head.placedOtherwise.length) note(plural(head.placedOtherwise.length, 'part or subassembly', 'parts or subassemblies') + (head.placedOtherwise.length === 1 ? ' was' : ' were') + ' moved differently for the two reports: what is new or gone may come from that.', head.placedOtherwise);
if (head.carried) note(plural(head.carried, 'finding') + ' of an earlier report not checked again');

// ---- filters
const fill = (id, any, options) => {
  const select = element(id);
  if (options.length < 2 && id !== 'part') { select.hidden = true; return; }
  select.append(new Option(any, ''));
  options.forEach(([value, text]) => select.append(new Option(text, value)));
};
const present = (field, texts) => texts.map((t, i) => [i, t]).filter(([i]) => findings.some(f => f[field] === i));
fill('verdict', 'any verdict', present('verdict', verdicts));
fill('status', 'any status', present('review', statuses));
fill('change', 'any change', present('change', changes.map(c => changeText[c])));
const partCount = new Map();
findings.forEach(f => { for (const p of new Set([f.a, f.b])) partCount.set(p, (partCount.get(p) || 0) + 1); });
fill('part', 'all parts', [...partCount].sort((p, q) => q[1] - p[1] || p[0] - q[0])
  .map(([p, n]) => [p, unescape(leaf(paths[p])) + ' (' + n + ')']));

// ---- list: only rows in view exist
const height = 44;
let order = [], sort = {column: null, sign: 1}, chosen = -1;
const folded = new Set();
const comparing = (x, y) => x < y ? -1 : x > y ? 1 : 0;
const orderOfWorth = (f, g) => g.verdict - f.verdict || (g.depth ?? 0) - (f.depth ?? 0) || (f.distance ?? 0) - (g.distance ?? 0) || g.triangles - f.triangles || f.index - g.index;

function refresh(keep) {
  const words = element('text').value.toLowerCase().split(/\s+/).filter(Boolean);
  const v = element('verdict').value, s = element('status').value, c = element('change').value, p = element('part').value;
  const list = findings.filter(f => (v === '' || f.verdict === +v) && (s === '' || f.review === +s) && (c === '' || f.change === +c) &&
    (p === '' || f.a === +p || f.b === +p) && words.every(w => f.haystack.includes(w)));
  if (sort.column) {
    const by = new Map(list.map(f => [f, sort.column.by(f)]));
    list.sort((f, g) => sort.sign * comparing(by.get(f), by.get(g)) || f.index - g.index);
  } else list.sort(orderOfWorth);
  const before = chosen >= 0 ? order[chosen] : null;
  order = [];
  if (element('grouped').checked) {
    const groups = new Map();
    for (const f of list) { if (!groups.has(f.key)) groups.set(f.key, []); groups.get(f.key).push(f); }
    for (const [key, members] of groups) {
      order.push({group: key, members});
      if (!folded.has(key)) order.push(...members);
    }
  } else order = list;
  element('count').textContent = list.length === findings.length ? plural(list.length, 'finding') : list.length.toLocaleString('en') + ' of ' + findings.length.toLocaleString('en');
  element('rows').style.height = order.length * height + 'px';
  chosen = before && keep !== false ? order.findIndex(r => r === before || (r.group !== undefined && r.group === before.group)) : -1;
  if (keep === false) element('scroll').scrollTop = 0;
  draw();
  if (chosen < 0) detail(null);
}

const copiesOf = key => pairs.has(key) ? pairs.get(key).copies : null;
const cell = (top, under, title) => {
  const e = make('div');
  e.append(make('div', 'top', top), make('div', 'under', under));
  if (title) e.title = title;
  return e;
};
function rowOf(f) {
  const row = make('div', 'row');
  row.append(cell(unescape(leaf(paths[f.a])), f.faceA, paths[f.a]), cell(unescape(leaf(paths[f.b])), f.faceB, paths[f.b]));
  if (has.change) { const e = make('div'); const c = chip(changes[f.change]); c.classList.add('changed'); e.append(c); if (f.reason) e.title = f.reason; row.append(e); }
  if (has.verdict) { const e = make('div'); if (f.verdict >= 0) e.append(chip(verdicts[f.verdict])); row.append(e); }
  if (has.depth) row.append(make('div', 'number', textOf(f, 'brief')));
  row.append(make('div', 'number', f.triangles.toLocaleString('en')));
  if (has.steps) { const e = make('div'); if (f.steps) { e.append(strip(f.steps)); e.title = 'steps ' + stepsText(f.steps); } row.append(e); }
  const status = make('div'); status.append(chip(statuses[f.review])); row.append(status);
  return row;
}
function groupRow(g) {
  const row = make('div', 'row group'), f = g.members[0], parts = make('div', 'parts'), rest = make('div', 'rest');
  row.append(make('span', 'fold', folded.has(g.group) ? '▸' : '▾'));
  parts.append(make('span', 'above', unescape(above(paths[f.a]))), unescape(leaf(paths[f.a])), '  ×  ',
    make('span', 'above', unescape(above(paths[f.b]))), unescape(leaf(paths[f.b])));
  parts.title = paths[f.a] + '  ×  ' + paths[f.b];
  const copies = copiesOf(g.group);
  if (copies) { parts.replaceChildren(copies[0]); parts.title = copies[2].map(p => paths[p]).join('\n'); }
  // Also where the filter leaves out the row that says it.
  const worst = Math.max(pairs.has(g.group) ? pairs.get(g.group).verdict : -1, ...g.members.map(m => m.verdict));
  if (worst >= 0) rest.append(chip(verdicts[worst]));
  const steps = union(g.members.map(m => m.steps));
  if (steps.length) {
    const box = make('div'); box.style.width = '120px'; box.append(strip(steps));
    rest.append('steps ' + steps[0][0] + '–' + steps[steps.length - 1][1], box);
  }
  rest.append(copies ? plural(copies[1], 'pair') + ' of parts' : plural(surfacePairs(g.members), 'pair') + ' of faces');
  row.append(parts, rest);
  return row;
}
function draw() {
  const scroll = element('scroll'), rows = element('rows');
  element('columns').style.paddingRight = 20 + scroll.offsetWidth - scroll.clientWidth + 'px';
  const from = Math.max(0, Math.floor(scroll.scrollTop / height) - 4);
  const to = Math.min(order.length, Math.ceil((scroll.scrollTop + scroll.clientHeight) / height) + 4);
  const list = [];
  for (let i = from; i < to; ++i) {
    const r = order[i], row = r.group !== undefined ? groupRow(r) : rowOf(r);
    row.style.top = i * height + 'px';
    row.id = 'row' + i;
    row.setAttribute('role', 'row');
    row.setAttribute('aria-selected', i === chosen);
    if (i === chosen) row.classList.add('chosen');
    row.addEventListener('click', e => {
      choose(i);
      if (r.group !== undefined && e.target.classList.contains('fold')) fold(r.group);
    });
    row.addEventListener('dblclick', () => { if (r.group !== undefined) fold(r.group); });
    list.push(row);
  }
  rows.replaceChildren(...list);
  if (!order.length) rows.replaceChildren(make('p', 'none', findings.length ? 'Nothing matches the filter.' : 'Nothing intersects.'));
  scroll.setAttribute('aria-activedescendant', chosen >= 0 ? 'row' + chosen : '');
}
function fold(key) {
  if (!folded.delete(key)) folded.add(key);
  refresh();
}
function choose(i) {
  if (!order.length) return;
  chosen = Math.max(0, Math.min(order.length - 1, i));
  const scroll = element('scroll'), top = chosen * height;
  if (top < scroll.scrollTop) scroll.scrollTop = top;
  if (top + height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + height - scroll.clientHeight;
  draw();
  detail(order[chosen]);
}

// ---- detail
function overview(shown, caption) {
  const src = pictureOf('');
  if (!src) return make('div', 'none', 'No pictures: ' + head.absence + '.');
  const f = make('figure'), img = make('img'), canvas = make('canvas');
  img.src = src; img.alt = 'The whole assembly';
  f.append(img, canvas, make('figcaption', '', caption));
  const paint = () => {
    canvas.width = img.clientWidth * devicePixelRatio; canvas.height = img.clientHeight * devicePixelRatio;
    canvas.style.height = img.clientHeight + 'px';
    const c = canvas.getContext('2d');
    const dot = (g, radius, fill) => {
      c.beginPath(); c.arc(g.place[0] * canvas.width, g.place[1] * canvas.height, radius * devicePixelRatio, 0, 7);
      c.fillStyle = fill; c.fill(); c.lineWidth = devicePixelRatio; c.strokeStyle = '#fff'; c.stroke();
    };
    findings.forEach(g => { if (g.place && !shown.has(g)) dot(g, 2.5, 'rgba(192,24,60,.35)'); });
    shown.forEach(g => { if (g.place) dot(g, 4, '#c0183c'); });
  };
  img.addEventListener('load', paint);
  canvas.addEventListener('click', e => {
    const box = canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    let best = null, least = 14;
    findings.forEach(g => {
      if (!g.place) return;
      const d = Math.hypot(g.place[0] * box.width - x, g.place[1] * box.height - y);
      if (d < least) { least = d; best = g; }
    });
    if (best) { folded.delete(best.key); refresh(); const i = order.indexOf(best); if (i >= 0) choose(i); }
  });
  return f;
}
function side(colour, path, face) {
  const e = make('div', 'side'), mark = make('i'), text = make('div');
  mark.style.background = 'var(--' + colour + ')';
  text.append(make('b', '', unescape(leaf(path))), make('div', '', face), make('div', 'path', path));
  e.append(mark, text);
  return e;
}
function assessment(f, item) {
  item('Verdict', f.verdict >= 0 ? chip(verdicts[f.verdict]) : '');
  item('Because', f.because || '');
  item(verdicts[f.verdict] === 'contact' ? 'Overlap' : 'Depth', textOf(f, 'depth'));
  item('Distance', textOf(f, 'distance'));
  item('Tolerance', f.tolerance === null ? '' : number(f.tolerance) + ' ' + unit);
  item('Point', textOf(f, 'point'));
  item('Way out', textOf(f, 'direction'));
  const p = pairs.get(f.key) || f;
  item('Common volume', p.noVolume ? 'unknown: ' + p.noVolume : textOf(p, 'volume'));
  item('Free with', textOf(p, 'wayOut') && 'the first part moved by ' + textOf(p, 'wayOut'));
}
function detail(r) {
  const panel = element('detail'), list = make('dl');
  const item = (name, value) => {
    if (value === null || value === undefined || value === '') return;
    const d = make('dd'); d.append(value); list.append(make('dt', '', name), d);
  };
  const keys = make('p', 'keys');
  keys.innerHTML = '<kbd>↑</kbd> <kbd>↓</kbd> choose &nbsp; <kbd>←</kbd> <kbd>→</kbd> fold &nbsp; <kbd>/</kbd> filter &nbsp; <kbd>g</kbd> group &nbsp; <kbd>Esc</kbd> clear';
  if (!r || r.group !== undefined) {
    const members = r ? r.members : [];
    const parts = [overview(new Set(members), r ? 'Where these two parts meet' : 'Findings in the assembly; click on one')];
    if (r) {
      const f = members[0];
      parts.push(side('a', paths[f.a], copiesOf(r.group) ? copiesOf(r.group)[0] : plural(surfacePairs(members), 'pair') + ' of faces'), side('b', paths[f.b], ''));
      if (pairs.has(r.group)) assessment(pairs.get(r.group), item);
      item('Triangle pairs', members.reduce((n, m) => n + m.triangles, 0).toLocaleString('en'));
      const steps = union(members.map(m => m.steps));
      if (steps.length) { item('First step', steps[0][0]); item('Last step', steps[steps.length - 1][1]); item('Steps', stepsText(steps)); }
      item('Rule', f.rule >= 0 ? head.rules[f.rule] : '');
    } else head.facts.forEach(([name, value]) => item(name, value));
    panel.replaceChildren(...parts, list, keys);
    panel.scrollTop = 0;
    return;
  }
  const f = r, src = f.picture ? pictureOf(f.id) : null, top = make('figure');
  if (src) {
    const img = make('img');
    img.src = src; img.width = 440; img.height = 320; img.alt = 'The two parts where they meet';
    top.append(img, make('figcaption', '', 'Intersection in red; other parts as ghosts' + (f.pictureStep === null ? '' : '; step ' + f.pictureStep)));
  } else if (has.picture) top.append(make('div', 'none', 'No picture: only the worst ' + findings.filter(g => g.picture).length + ' have one.'));
  item('Change', has.change ? changeText[changes[f.change]] + (f.reason ? ': ' + f.reason : '') : '');
  assessment(f, item);
  item('Extent', f.extent ? f.extent.map(v => number(v < 1e-9 * Math.max(...f.extent) ? 0 : v)).join(' × ') + '  ' + unit : '');
  item('Triangle pairs', head.allTriangles ? f.triangles.toLocaleString('en') : '');
  if (f.steps) { item('Steps', plural(stepCount(f.steps), 'step') + ': ' + stepsText(f.steps)); if (has.steps) item('', strip(f.steps)); }
  item('Rule', f.rule >= 0 ? head.rules[f.rule] : '');
  if (copiesOf(f.key)) { item('Copies', copiesOf(f.key)[0] + ' (' + plural(copiesOf(f.key)[1], 'pair') + ' of parts)'); copiesOf(f.key)[2].forEach(p => item('', paths[p])); }
  item('Status', chip(statuses[f.review]));
  item('Comment', f.comment);
  item('Id', make('code', '', f.id));
  panel.replaceChildren(top, side('a', paths[f.a], f.faceA), side('b', paths[f.b], f.faceB), list,
    overview(new Set([f]), 'Place in the assembly'), keys);
  panel.scrollTop = 0;
}

// ---- events
let waiting = 0;
element('text').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(() => refresh(), findings.length > 20000 ? 120 : 0); });
['verdict', 'status', 'change', 'part'].forEach(id => element(id).addEventListener('change', () => refresh(false)));
element('grouped').addEventListener('change', () => refresh());
columns.forEach(column => {
  const b = make('button', column.cls, column.title);
  b.addEventListener('click', () => {
    if (sort.column === column && sort.sign < 0) sort = {column: null, sign: 1};
    else sort = {column, sign: sort.column === column ? -1 : 1};
    document.querySelectorAll('#columns button').forEach(o => o.removeAttribute('aria-sort'));
    if (sort.column) b.setAttribute('aria-sort', sort.sign > 0 ? 'ascending' : 'descending');
    refresh(false);
  });
  element('columns').append(b);
});
element('scroll').addEventListener('scroll', () => requestAnimationFrame(draw));
addEventListener('resize', draw);
document.addEventListener('keydown', e => {
  const typing = e.target.id === 'text', other = e.target.tagName === 'SELECT' || e.target.tagName === 'BUTTON';
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  if (e.key === 'Escape') {
    if (typing && element('text').value === '') element('scroll').focus();
    element('text').value = '';
    ['verdict', 'status', 'change', 'part'].forEach(id => element(id).value = '');
    chosen = -1; refresh(); return;
  }
  if (e.key === '/' && !typing) { e.preventDefault(); element('text').focus(); return; }
  if (other) return;
  const page = Math.max(1, Math.floor(element('scroll').clientHeight / height) - 1);
  const moves = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + page, PageUp: chosen - page};
  if (!typing) { moves.Home = 0; moves.End = order.length - 1; }
  if (e.key in moves) { e.preventDefault(); choose(moves[e.key]); return; }
  if (typing) return;
  if (e.key === 'g') element('grouped').click();
  const r = order[chosen];
  if (!r) return;
  if (e.key === 'ArrowLeft' || e.key === 'ArrowRight' || e.key === 'Enter') {
    const key = r.group !== undefined ? r.group : r.key, open = !folded.has(key);
    if (r.group === undefined && e.key === 'ArrowLeft' && element('grouped').checked)
      choose(order.findIndex(o => o.group === key));
    else if (r.group !== undefined && (e.key === 'Enter' || open === (e.key === 'ArrowLeft'))) fold(key);
  }
});
addEventListener('beforeprint', () => {
  const most = 1000, page = element('print'), table = make('table'), top = make('tr'), body = make('tbody');
  const list = order.filter(r => r.group === undefined), rows = list.length || !findings.length ? list : findings;
  const src = pictureOf('');
  page.replaceChildren();
  if (src) { const i = make('img'); i.src = src; page.append(i); }
  ['Part A', 'Face', 'Part B', 'Face', 'Verdict', 'Depth', 'Triangle pairs', 'Status', 'Comment'].forEach(t => top.append(make('th', '', t)));
  rows.slice(0, most).forEach(f => {
    const r = make('tr');
    [paths[f.a], f.faceA, paths[f.b], f.faceB, verdicts[f.verdict] || '', textOf(f, 'brief'), f.triangles, statuses[f.review], f.comment]
      .forEach(t => r.append(make('td', '', t)));
    body.append(r);
  });
  const h = make('thead'); h.append(top); table.append(h, body); page.append(table);
  if (rows.length > most) page.append(make('p', '', plural(rows.length - most, 'more finding') + ' not printed; filter first.'));
  const grid = make('div', 'pictures');
  rows.filter(f => f.picture).slice(0, 200).forEach(f => {
    const g = make('figure'), i = make('img');
    i.src = pictureOf(f.id);
    g.append(i, make('figcaption', '', paths[f.a] + ' ' + f.faceA + '  ×  ' + paths[f.b] + ' ' + f.faceB));
    grid.append(g);
  });
  page.append(grid);
});
refresh();
const wanted = location.hash.slice(1);
if (wanted) { const i = order.findIndex(r => r.id === wanted); if (i >= 0) choose(i); }
element('scroll').focus({preventScroll: true});
})();
