/** The files of the corpus, and the comparison of results with references. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lockedPackages } from '../support/package-lock.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { archiveOf } from './archive.ts';
import { corpus, installLibraries } from './libraries.ts';
import { areaOf, differences, type RenderedSheet } from './oracle.ts';
import { oracles } from './oracles/all.ts';

describe('the corpus of real pages', () => {
  it('has one oracle for each page', () => {
    const pages = readdirSync(join(corpus, 'pages')).map((name) => name.replace('.html', ''));
    assert.deepEqual(oracles.map(({ page }) => page).sort(), pages.sort());
    assert.ok(pages.length >= 45, `${pages.length} pages`);
  });

  it('specifies texts or colours for every page', () => {
    const empty = oracles.filter(({ texts, colours }) => texts === undefined && colours === undefined);
    assert.deepEqual(empty, []);
  });

  it('loads no resources from other hosts', () => {
    const foreign = oracles.filter(({ page }) =>
      /(src|href)="(https?:)?\/\//.test(readFileSync(join(corpus, 'pages', `${page}.html`), 'utf8')),
    );
    assert.deepEqual(foreign, []);
  });

  it('pins each library to one version, and names no registry in its lock file', () => {
    const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
    const unpinned = Object.entries(dependencies).filter(
      ([, version]) => !/^(npm:\w+@)?\d+\.\d+\.\d+$/.test(version),
    );
    const wrong = Object.entries(lockedPackages(corpus)).filter(
      ([place, { resolved, integrity }]) =>
        place !== '' && (resolved !== undefined || integrity === undefined),
    );
    assert.deepEqual([unpinned, wrong], [[], []]);
  });

  it('has every file that an archived page loads', async () => {
    await installLibraries();
    for (const { page, archive } of oracles)
      if (archive === true) assert.ok((await archiveOf(page)).length > 0, page);
  });

  it('reports an unreachable registry with a remedy', async () => {
    const folder = temporaryFolder();
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
    const packages = {
      '': { dependencies: { 'platen-no-such-package': '1.0.0' } },
      'node_modules/platen-no-such-package': { version: '1.0.0', integrity },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packages['']));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    // Port 9, on which nothing listens.
    writeFileSync(join(folder, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
    await assert.rejects(installLibraries(folder), /could not be installed.*npm ping.*ECONNREFUSED/s);
    rmSync(folder, { recursive: true });
  });
});

describe('the comparison with a reference', () => {
  it('detects a changed digit and ignores a few pixels', () => {
    assert.deepEqual(differences([sheetWith(30)], [sheetWith(0)]), []);
    assert.equal(differences([sheetWith(60)], [sheetWith(0)]).length, 1);
  });

  it('detects a different number of pages and a different size', () => {
    assert.equal(differences([sheetWith(0)], []).length, 1);
    assert.equal(differences([{ ...sheetWith(0), width: 50, height: 200 }], [sheetWith(0)]).length, 1);
  });

  it('measures the area of a colour', () => {
    assert.equal(areaOf(sheetWith(60), '#000000'), 60);
  });
});

/** Returns a white sheet of 100 x 100 pixels whose first pixels are black. */
function sheetWith(black: number): RenderedSheet {
  const data = new Uint8Array(100 * 100 * 4).fill(255);
  for (let pixel = 0; pixel < black; pixel += 1) data.fill(0, pixel * 4, pixel * 4 + 3);
  return { width: 100, height: 100, data };
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(corpus, name), 'utf8'));
}
