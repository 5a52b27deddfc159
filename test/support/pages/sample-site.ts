/** A small web site that uses npm packages: Bootstrap's styles, scripts and icon font, a frame, modules and fetched data. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../service/service.ts';

const index = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dashboard</title>
<link rel="stylesheet" href="assets/css/bootstrap.min.css">
<link rel="stylesheet" href="/assets/icons/bootstrap-icons.min.css">
<link rel="stylesheet" href="assets/my%20styles%20%231.css"></head>
<body class="p-4">
<nav class="navbar bg-primary rounded mb-3"><a class="navbar-brand text-white ms-3" href="#">Dashboard <i class="bi bi-speedometer2"></i></a></nav>
<div class="row">
  <div class="col-4"><div class="card text-bg-success"><div class="card-body"><i class="bi bi-cash-coin fs-1"></i><h5>Revenue</h5><p id="data">-</p></div></div></div>
  <div class="col-4"><div class="card text-bg-warning"><div class="card-body"><i class="bi bi-people fs-1"></i><h5>Kunden</h5><p id="module">-</p></div></div></div>
  <div class="col-4"><img src="Bilder/Gr%C3%B6%C3%9Fe.svg" width="120" height="120"></div>
</div>
<div class="dropdown mt-3"><button id="menu" class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown">Menu</button>
<ul class="dropdown-menu"><li><a class="dropdown-item" href="#">Entry</a></li></ul></div>
<iframe src="frames/inner.html" width="400" height="60" style="border:1px solid #888;margin-top:120px"></iframe>
<script src="assets/js/bootstrap.bundle.min.js"></script>
<script type="module" src="assets/js/main.mjs"></script>
</body></html>`;

/** Writes the site to a folder; its page is index.html. */
export function writeSite(folder: string): void {
  const packages = join(project, 'node_modules');
  for (const path of ['assets/css', 'assets/js', 'assets/icons', 'Bilder', 'frames'])
    mkdirSync(join(folder, path), { recursive: true });
  cpSync(
    join(packages, 'bootstrap/dist/css/bootstrap.min.css'),
    join(folder, 'assets/css/bootstrap.min.css'),
  );
  cpSync(
    join(packages, 'bootstrap/dist/js/bootstrap.bundle.min.js'),
    join(folder, 'assets/js/bootstrap.bundle.min.js'),
  );
  cpSync(
    join(packages, 'bootstrap-icons/font/bootstrap-icons.min.css'),
    join(folder, 'assets/icons/bootstrap-icons.min.css'),
  );
  cpSync(join(packages, 'bootstrap-icons/font/fonts'), join(folder, 'assets/icons/fonts'), {
    recursive: true,
  });
  const texts: Readonly<Record<string, string>> = {
    'index.html': index,
    'assets/my styles #1.css': 'h5 { letter-spacing: 3px } body { background: #eef }',
    'assets/js/main.mjs': `import { total } from './sum.mjs';
      document.getElementById('module').textContent = total([1, 2, 3]);
      document.getElementById('data').textContent = (await (await fetch('data.json')).json()).revenue;
      bootstrap.Dropdown.getOrCreateInstance(document.getElementById('menu')).show();`,
    'assets/js/sum.mjs': 'export const total = (list) => list.reduce((one, other) => one + other, 0);',
    'data.json': '{"revenue": "1,234.56 €"}',
    'Bilder/Größe.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#c2185b"/></svg>',
    'frames/inner.html':
      '<link rel="stylesheet" href="../assets/css/bootstrap.min.css"><p class="text-danger">inside the frame</p>',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
}
