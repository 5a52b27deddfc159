/** Bundles a candidate's program into one file, each time it starts (some milliseconds). */
import { join } from 'node:path';
import { build } from 'esbuild';

/** @param name a file in this folder @param outfile `.cjs` or `.mjs`; Node resolves packages from its folder */
export async function bundleProgram(name: string, outfile: string): Promise<string> {
  const format = outfile.endsWith('.mjs') ? 'esm' : 'cjs';
  const options = { bundle: true, format, platform: 'node', target: 'node20', logLevel: 'silent' } as const;
  await build({
    ...options,
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    packages: 'external',
  });
  return outfile;
}
