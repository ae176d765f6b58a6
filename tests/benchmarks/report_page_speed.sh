#!/usr/bin/env bash
# How long headless Chromium takes to open an HTML report of some 10,000 findings with 200 pictures, to filter, sort and
# choose in it. Prints milliseconds; the figures stand in docs/results/report-page.md.
#   tests/benchmarks/report_page_speed.sh [build/release/bin/fitup]
set -euo pipefail
fitup=$(realpath "${1:-build/release/bin/fitup}")
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Two equal tori in one place: each patch meets its counterpart and the eight around it.
"$fitup" generate torus one.fitup --patches 34 -q >/dev/null
cp one.fitup other.fitup
"$fitup" check one.fitup other.fitup -q --list 0 --threads 0 --report page.html | head -n 1 || true
ls -l page.html | awk '{ printf "page of %.1f MB\n", $5 / 1e6 }'

# The page measured by a script at its end; each figure includes layout.
cat >>page.html <<'SCRIPT'
<script>
(() => {
  const laidOut = () => document.getElementById('rows').getBoundingClientRect().height;
  const lines = ['open ' + (laidOut(), performance.now()).toFixed(0)];
  const timed = (what, act) => {
    const begin = performance.now();
    act(); laidOut();
    lines.push(what + ' ' + (performance.now() - begin).toFixed(1) + ' (' + document.getElementById('count').textContent + ')');
  };
  const type = value => { const t = document.getElementById('text'); t.value = value; t.dispatchEvent(new Event('input')); };
  const after = () => {
    document.getElementById('grouped').checked = false;
    timed('ungroup', () => document.getElementById('grouped').dispatchEvent(new Event('change')));
    timed('sort', () => document.querySelector('#columns button').click());
    timed('choose', () => document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'})));
    document.body.insertAdjacentHTML('beforeend', '<pre>MEASURED\n' + lines.join('\n') + '\nEND</pre>');
  };
  // Typing is answered in a task of its own.
  const begin = performance.now();
  type('face 11');
  setTimeout(() => { laidOut(); lines.push('filter ' + (performance.now() - begin).toFixed(1) + ' (' + document.getElementById('count').textContent + ')'); after(); }, 0);
})();
</script>
SCRIPT
chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --window-size=1440,900 \
  --timeout=20000 --dump-dom "file://$folder/page.html" 2>/dev/null | sed -n '/<pre>MEASURED$/,/END/p' | grep -v 'MEASURED\|END' \
  | sed 's/^/milliseconds: /'
