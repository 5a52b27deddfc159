/** Rules for dependencies: pinned, complete, from a registry, and without install scripts that must run. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockedPackages } from '../support/package-lock.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
const packages = lockedPackages(project);
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** The install scripts of these packages only build files that the packages already contain. The setup does not run them. */
const unneededInstallScripts = ['@photostructure/sqlite', 'esbuild'];

test('every dependency in package.json has an exact version, which is also in the lock file', () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  assert.deepEqual(
    versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
  for (const [name, version] of versions)
    assert.equal(packages[`node_modules/${name}`]?.version, version, name);
});

test('every package of the lock file comes from a registry and has an integrity hash', () => {
  const wrong = locked.filter(([, { version, integrity, resolved, link }]) => {
    const fromRegistry = /^\d+\.\d+\.\d+/.test(version ?? '') && resolved === undefined && link !== true;
    return !fromRegistry || integrity?.startsWith('sha512-') !== true;
  });
  assert.deepEqual(wrong, []);
});

test('no package depends on a package from outside a registry', () => {
  const odd = locked.flatMap(([path, { dependencies = {} }]) =>
    Object.entries(dependencies)
      .filter(([, range]) => /[:/](?!.*@npm)/.test(range.replace(/^npm:/, '')))
      .map(([name, range]) => `${path}: ${name} ${range}`),
  );
  assert.deepEqual(odd, []);
});

test('only known packages have install scripts, and the setup does not run them', () => {
  const running = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = new Set(running.map(([path]) => path.replace(/^.*node_modules\//, '')));
  assert.deepEqual([...names].sort(), unneededInstallScripts);
  const setUp = readFileSync(join(project, 'build', 'setup', 'dependencies.mjs'), 'utf8');
  assert.match(setUp, /'ci', '--ignore-scripts'/);
});

test('every package that main/ and renderer/ import is a dependency, so it is audited and in the bill of materials', () => {
  const files = ['main', 'renderer'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  const imported = files
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => valueImports(readFileSync(join(project, name), 'utf8')));
  const missing = [...new Set(imported)].filter(
    (name) => !(name in manifest.dependencies) && name !== 'electron',
  );
  assert.ok(imported.includes('express') && imported.includes('preact'), 'imports are found');
  assert.deepEqual(missing, []);
});

/** Returns the names of the packages that a file imports, except for type imports. */
function valueImports(source: string): string[] {
  const statements = source.matchAll(
    /^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)'|^import '([^'.][^']*)'/gm,
  );
  return [...statements]
    .map(([, from, bare]) => from ?? bare ?? '')
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}
