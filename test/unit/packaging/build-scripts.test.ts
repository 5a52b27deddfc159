/** The scripts of build/, which TypeScript does not check. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { project } from '../../support/service/service.ts';

test('the scripts of the build import only what the imported files export', async () => {
  const scripts = readdirSync(join(project, 'build'), { recursive: true })
    .map((name) => join(project, 'build', String(name)))
    .filter((file) => file.endsWith('.mjs'));
  const { errors } = await build({
    entryPoints: scripts,
    outdir: join(project, '.build', 'unused'),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  }).catch((problem: unknown) => problem as { errors: readonly { text: string }[] });
  assert.ok(scripts.length > 20, 'too few scripts were found');
  assert.deepEqual(
    errors.map(({ text }) => text),
    [],
  );
});
